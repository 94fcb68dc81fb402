// SPDX-License-Identifier: MIT
// Fixed steps: tick sources that fire 0 to N times in a frame, and the blocks of systems that step with them.
#include "support/world.h"

#include <math.h>
#include <stdio.h>

#include "support/abort.h"
#include "support/check.h"
#include "support/random.h"

typedef struct Position {
    double x;
} Position;
typedef struct Velocity {
    double x;
} Velocity;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);
static ECS_TAG_DECLARE(Ready);

static void use(ecs_world_t *world) {
    ecs_id(Position) = ecs_id(Velocity) = Ready = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ECS_TAG_DEFINE(world, Ready);
}

// ---- What ran in which order ----

static char ran[256];
static ecs_ftime_t delta_time, system_time;

static void note(ecs_iter_t *it) {
    size_t length = strlen(ran);
    assert_true(length + 1 < sizeof ran);
    ran[length] = ecs_get_name(it->world, it->system)[0];
    ran[length + 1] = 0;
    delta_time = it->delta_time;
    system_time = it->delta_system_time;
}

static ecs_entity_t named(ecs_world_t *world, const char *name) {
    return ecs_entity(world, { .name = name });
}

static ecs_entity_t add(
    ecs_world_t *world, const char *name, ecs_entity_t source, ecs_iter_action_t callback) {
    return ecs_system(world, { .entity = named(world, name),
                                 .phase = EcsOnUpdate,
                                 .callback = callback,
                                 .tick_source = source });
}

static const char *ran_in(ecs_world_t *world, ecs_ftime_t delta) {
    ran[0] = 0;
    ecs_progress(world, delta);
    return ran;
}

#define assert_frame(world, delta, expected) assert_string_equal(ran_in(world, delta), expected)

static const EcsFixedStep *state_of(const ecs_world_t *world, ecs_entity_t step) {
    return ecs_get(world, step, EcsFixedStep);
}

// ---- Time ----

static void steps_follow_the_time_that_passed(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 0.25f, 8);
    add(world, "A", step, note);
    assert_near(ecs_get_fixed_step(world, step), 0.25, 0);
    assert_near(ecs_get_fixed_step(world, EcsOnUpdate), 0, 0);
    assert_frame(world, 0.125f, "");
    assert_near(ecs_fixed_step_fraction(world, step), 0.5, 0);
    assert_frame(world, 0.125f, "A");
    assert_near(ecs_fixed_step_fraction(world, step), 0, 0);
    assert_frame(world, 0.875f, "AAA");
    assert_near(delta_time, 0.25, 0);
    assert_near(system_time, 0.25, 0);
    assert_near(ecs_fixed_step_fraction(world, step), 0.5, 0);
    assert_int_equal(state_of(world, step)->steps, 3);
    assert_int_equal(state_of(world, step)->count, 4);
    const EcsTickSource *source = ecs_get(world, step, EcsTickSource);
    assert_true(source->tick);
    assert_near(source->time_elapsed, 0.75, 0);
}

static void a_frame_takes_at_most_so_many_steps(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 0.25f, 3);
    add(world, "A", step, note);
    assert_frame(world, 2.125f, "AAA");
    assert_near(state_of(world, step)->dropped, 1.25, 0);
    assert_near(ecs_fixed_step_fraction(world, step), 0.5, 0);
    assert_frame(world, 0.125f, "A");
    assert_near(state_of(world, step)->dropped, 1.25, 0);
    assert_frame(world, 1e30f, "AAA");
    assert_frame(world, 0.25f, "A");
}

static void steps_take_scaled_time(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 0.25f, 8);
    add(world, "A", step, note);
    ecs_set_time_scale(world, 0);
    for (int32_t i = 0; i < 8; i++) assert_frame(world, 1, "");
    ecs_set_time_scale(world, 2);
    assert_frame(world, 0.25f, "AA");
    assert_near(delta_time, 0.25, 0);
    ecs_set_time_scale(world, 0.5f);
    assert_frame(world, 0.25f, "");
    assert_frame(world, 0.25f, "A");
}

static int64_t steps_of_frames(
    ecs_world_t *world, ecs_entity_t step, int32_t frames, ecs_ftime_t delta, int32_t each) {
    int64_t before = state_of(world, step)->count, uneven = 0;
    for (int32_t i = 0; i < frames; i++) {
        ecs_frame_begin(world, delta);
        uneven += state_of(world, step)->steps != each;
        ecs_frame_end(world);
    }
    if (uneven) print_error("%d frames did not have %d steps\n", (int)uneven, each);
    return uneven ? -1 : state_of(world, step)->count - before;
}

// Frames of the length of steps have one each, however many there are and whatever they are rounded to.
static void steps_do_not_drift(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1 / 60.0f, 8);
    assert_int_equal(steps_of_frames(world, step, 1000000, 1 / 60.0f, 1), 1000000);
    assert_near(ecs_fixed_step_fraction(world, step), 0, 1e-6);
    assert_int_equal(steps_of_frames(world, step, 1000, 1 / 30.0f, 2), 2000);
    ecs_set_fixed_step(world, step, 0.01f, 8);
    assert_int_equal(steps_of_frames(world, step, 10, 0.03f, 3), 30);
    ecs_set_time_scale(world, 0.1f);
    assert_int_equal(steps_of_frames(world, step, 10, 0.5f, 5), 50);
    for (int32_t i = 0; i < 20000; i++) {
        ecs_frame_begin(world, 1e-4f + 1e-7f * (float)(i % 7));
        ecs_ftime_t fraction = ecs_fixed_step_fraction(world, step);
        assert_true(fraction >= 0 && fraction < 1);
        ecs_frame_end(world);
    }
}

static void steps_may_change_between_frames(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 0.5f, 8);
    add(world, "A", step, note);
    assert_frame(world, 0.875f, "A");
    assert_int_equal(ecs_set_fixed_step(world, step, 0.125f, 8), step);
    assert_true(ecs_fixed_step_fraction(world, step) < 1); /* three of them have passed */
    assert_frame(world, 0.125f, "AAAA");
    assert_near(delta_time, 0.125, 0);
    assert_int_equal(state_of(world, step)->count, 5);
    ecs_set_fixed_step(world, step, 1, 1);
    assert_frame(world, 3, "A");
    assert_near(delta_time, 1, 0);
}

// What is left of so much time is no part of a step, but what rounding made of it.
static void more_time_than_can_be_counted_leaves_no_rest(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 0.1f, 2);
    add(world, "A", step, note);
    assert_frame(world, 1e30f, "AA");
    assert_true(state_of(world, step)->time >= 0 && state_of(world, step)->time < 0.1);
    assert_frame(world, 0.05f, "");
    for (ecs_ftime_t odd = 0.11f; odd < 0.3f; odd += 0.01f) {
        ecs_set_fixed_step(world, step, odd, 2);
        assert_frame(world, 1e30f, "AA");
        assert_true(fabs(state_of(world, step)->time) < (double)odd);
    }
}

static void steps_that_make_no_sense_are_refused(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 1), dead = ecs_new(world);
    ecs_delete(world, dead);
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_fixed_step(world, step, 0, 1));
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_fixed_step(world, step, -1, 1));
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_fixed_step(world, step, NAN, 1));
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_fixed_step(world, step, INFINITY, 1));
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_fixed_step(world, step, 1, 0));
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_fixed_step(world, dead, 1, 1));
    expect_abort_saying(
        ECS_INVALID_PARAMETER, "no fixed step", ecs_fixed_step_fraction(world, EcsOnUpdate));
    expect_abort(ECS_INVALID_PARAMETER, ecs_fixed_step_fraction(world, dead));
    add(world, "A", step, note);
    const EcsFixedStep senseless[] = { { .step = 0, .max_steps = 3 },
        { .step = -1, .max_steps = 3 }, { .step = 1, .max_steps = -3 },
        { .step = NAN, .max_steps = 3 } };
    for (size_t i = 0; i < sizeof senseless / sizeof *senseless; i++) {
        ecs_set_ptr(world, step, EcsFixedStep, &senseless[i]);
        assert_frame(world, 2, "");
    }
}

// ---- Blocks ----

static void neighbours_run_step_by_step(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8),
                 other = ecs_set_fixed_step(world, 0, 0.5f, 8);
    add(world, "A", step, note);
    add(world, "B", step, note);
    ecs_entity_t frame = add(world, "C", 0, note);
    add(world, "D", step, note);
    add(world, "E", other, note);
    assert_frame(world, 2, "ABABCDDEEEE");
    assert_near(delta_time, 0.5, 0);
    ecs_enable(world, frame, false); /* nobody stands between them */
    assert_frame(world, 2, "ABDABDEEEE");
    assert_frame(world, 0.5f, "E");
    ecs_enable(world, frame, true);
    assert_frame(world, 0.5f, "ABCDE");
}

static int32_t seen[8], frames;
static ecs_entity_t changed_id;

static void Add(ecs_iter_t *it) { ecs_new_w(it->world, Ready); }
static void Count(ecs_iter_t *it) { seen[frames++] = ecs_count_id(it->world, Ready); }

// SYNC-01: what a step queues is there in the next.
static void steps_see_what_steps_before_queued(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8);
    frames = 0;
    add(world, "Count", step, Count);
    add(world, "Add", step, Add);
    add(world, "A", 0, note);
    assert_frame(world, 3, "A");
    assert_int_equal(frames, 3);
    for (int32_t i = 0; i < 3; i++) assert_int_equal(seen[i], i);
    ecs_delete_with(world, Ready);
}

static void Fall(ecs_iter_t *it) {
    Velocity *v = ecs_field(it, Velocity, 0);
    for (int32_t i = 0; i < it->count; i++) v[i].x += (double)it->delta_time;
}
static void Move(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    const Velocity *v = ecs_field(it, Velocity, 1);
    for (int32_t i = 0; i < it->count; i++) p[i].x += v[i].x * (double)it->delta_time;
}
static void Look(ecs_iter_t *it) {
    assert_near(ecs_field(it, Position, 0)[0].x, 0.5 * frames * (frames - 1) / 16, 0);
    frames++;
}

static void add_motion(ecs_world_t *world, ecs_entity_t step) {
    ecs_system(world, { .entity = named(world, "Look"),
                          .query.expr = "[in] Position",
                          .phase = EcsOnUpdate,
                          .callback = Look,
                          .immediate = true,
                          .tick_source = step });
    ecs_system(world, { .entity = named(world, "Fall"),
                          .query.expr = "Velocity",
                          .phase = EcsOnUpdate,
                          .callback = Fall,
                          .multi_threaded = true,
                          .tick_source = step });
    ecs_system(world, { .entity = named(world, "Move"),
                          .query.expr = "Position, [in] Velocity",
                          .phase = EcsOnUpdate,
                          .callback = Move,
                          .multi_threaded = true,
                          .tick_source = step });
}

static void a_block_has_systems_of_all_kinds(void **state) {
    ecs_world_t *world = *state;
    for (int32_t workers = 1; workers <= 4; workers += 3) {
        use(world);
        ecs_entity_t step = ecs_set_fixed_step(world, 0, 0.25f, 8);
        add_motion(world, step);
        for (int32_t i = 0; i < 100000; i++) { /* as many as are fused */
            ecs_insert(world, ecs_value(Position, { 0 }), ecs_value(Velocity, { 0 }));
        }
        ecs_set_threads(world, workers);
        frames = 1;
        for (int32_t i = 0; i < 4; i++) ecs_progress(world, 0.625f);
        assert_int_equal(frames, 11);
        char *text = ecs_schedule_str(world, 0);
        assert_non_null(strstr(text, ", fused"));
        ecs_os_free(text);
        ecs_fini(world);
        *state = world = ecs_init();
    }
}

// ---- Rates ----

static void rates_count_steps(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 16);
    ecs_entity_t second = ecs_set_rate(world, 0, 2, step),
                 sixth = ecs_set_rate(world, 0, 3, second);
    add(world, "A", step, note);
    ecs_entity_t b = add(world, "B", second, note);
    add(world, "C", sixth, note);
    assert_frame(world, 5, "AABAABA");
    assert_near(delta_time, 1, 0);
    assert_near(ecs_system_get(world, b)->time_passed, 2, 0);
    assert_frame(world, 2, "ABCA");
    assert_int_equal(ecs_get(world, second, EcsRateFilter)->tick_count, 7);
    assert_true(ecs_get(world, second, EcsTickSource)->tick);
    assert_true(ecs_get(world, sixth, EcsTickSource)->tick);
    assert_frame(world, 6, "ABAABAABCA");
    ecs_enable(world, second, false);
    assert_frame(world, 3, "AAA");
    ecs_enable(world, second, true);
    ecs_set_rate(world, second, 4, step);
    assert_frame(world, 4, "AAAAB");
}

static void a_system_steps_by_itself(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = add(world, "A", 0, note), b = add(world, "B", 0, note);
    assert_int_equal(ecs_set_fixed_step(world, a, 1, 8), a);
    ecs_set_tick_source(world, b, a);
    assert_frame(world, 2, "ABAB");
    ecs_set_rate(world, b, 2, a);
    assert_frame(world, 3, "AABA");
    assert_int_equal(ecs_system_get(world, a)->last_frame, 1);
    assert_near(ecs_system_get(world, a)->time_passed, 1, 0);
    ran[0] = 0;
    ecs_run(world, a, 0.125f, NULL); /* once: steps are a pipeline's */
    assert_string_equal(ran, "A");
    assert_near(delta_time, 0.125, 0);
    ecs_progress(world, 0);
    ecs_run(world, a, 0.125f, NULL);
}

// A circle of rates has no step, and does not hang.
static void rates_in_a_circle_do_not_step(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_set_rate(world, 0, 2, 0), b = ecs_set_rate(world, 0, 2, a);
    ecs_set_rate(world, a, 2, b);
    add(world, "A", b, note);
    assert_frame(world, 1, "");
}

// ---- What happens in a step ----

static void Quit(ecs_iter_t *it) {
    note(it);
    ecs_quit(it->world);
}

static void a_frame_that_quits_ends_its_steps(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8);
    add(world, "Quit", step, Quit);
    add(world, "A", step, note);
    ran[0] = 0;
    assert_false(ecs_progress(world, 2));
    assert_string_equal(ran, "QAQA");
}

static void Delete(ecs_iter_t *it) {
    note(it);
    ecs_delete(it->world, changed_id);
}

static void what_is_deleted_in_a_step_runs_no_more(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8);
    ecs_entity_t first = add(world, "A", step, note);
    ecs_entity_t deleter = ecs_system(world, { .entity = named(world, "Delete"),
                                                 .phase = EcsOnUpdate,
                                                 .callback = Delete,
                                                 .immediate = true,
                                                 .tick_source = step });
    ecs_entity_t behind = add(world, "B", step, note);
    add(world, "C", step, note);
    add(world, "X", 0, note);
    changed_id = behind;
    assert_frame(world, 2, "ADCADCX");
    changed_id = first;
    assert_frame(world, 3, "ADCDCDCX");
    changed_id = deleter;
    assert_frame(world, 2, "DCCX");
    assert_frame(world, 2, "CCX");
}

static void deleting_a_fixed_step_ends_its_steps(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8);
    changed_id = step;
    add(world, "A", step, note);
    ecs_system(world, { .entity = named(world, "Delete"),
                          .phase = EcsOnUpdate,
                          .callback = Delete,
                          .immediate = true,
                          .tick_source = step });
    add(world, "B", step, note);
    add(world, "X", 0, note);
    assert_frame(world, 3, "ADX");
    assert_frame(world, 3, "X");
}

static void EndIt(ecs_iter_t *it) {
    note(it);
    ecs_remove(it->world, changed_id, EcsFixedStep);
    ecs_delete(it->world, ecs_get(it->world, changed_id, EcsRateFilter)->src);
}

// In the middle of a frame, too; what counts its steps has nothing to count.
static void what_is_no_fixed_step_any_more_takes_no_more_of_them(void **state) {
    ecs_world_t *world = *state;
    changed_id = ecs_set_fixed_step(world, 0, 1, 8);
    ecs_set_rate(world, changed_id, 1, ecs_set_fixed_step(world, 0, 2, 8));
    add(world, "A", changed_id, note);
    add(world, "End", changed_id, EndIt);
    add(world, "X", 0, note);
    assert_frame(world, 3, "AEX");
    assert_frame(world, 3, "X");
}

static void Switch(ecs_iter_t *it) {
    note(it);
    ecs_set_tick_source(it->world, ecs_lookup(it->world, "A"), changed_id);
    ecs_set_tick_source(it->world, it->system, changed_id);
}

// Nobody runs again because it left the block.
static void systems_may_change_their_step_in_a_step(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8);
    changed_id = ecs_new_w_id(world, ecs_id(EcsTickSource));
    add(world, "A", step, note);
    ecs_system(world, { .entity = named(world, "Switch"),
                          .phase = EcsOnUpdate,
                          .callback = Switch,
                          .immediate = true,
                          .tick_source = step });
    add(world, "X", 0, note);
    assert_frame(world, 3, "ASX");
    assert_frame(world, 3, "ASX");
    assert_near(delta_time, 3, 0);
}

static void Make(ecs_iter_t *it) {
    note(it);
    if (ecs_lookup(it->world, "New")) return;
    ecs_entity_t system = ecs_system(
        it->world, { .entity = named(it->world, "New"), .phase = EcsOnUpdate, .callback = note });
    ecs_set_tick_source(it->world, system, ecs_system_get(it->world, it->system)->tick_source);
}

static void systems_made_in_a_step_take_their_steps(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8);
    add(world, "A", step, note);
    ecs_system(world, { .entity = named(world, "Make"),
                          .phase = EcsOnUpdate,
                          .callback = Make,
                          .immediate = true,
                          .tick_source = step });
    assert_frame(world, 3, "AMNAMNAMN"); /* it stands next to them */
    assert_frame(world, 2, "AMNAMN");
    assert_frame(world, 1, "AMN");
}

// PIPE: a system that matches nothing is not in the schedule, and gets there when something matches.
static void systems_become_active_in_a_step(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8);
    ecs_system(world, { .entity = named(world, "Find"),
                          .query.expr = "[in] Ready",
                          .phase = EcsOnUpdate,
                          .callback = note,
                          .tick_source = step });
    add(world, "Add", step, Add);
    add(world, "X", 0, note);
    assert_frame(world, 3, "FFX"); /* one more entity in one table each time */
    assert_frame(world, 1, "FX");
}

static void StopIt(ecs_iter_t *it) {
    note(it);
    ecs_enable(it->world, changed_id, false);
}

static void Prepare(ecs_iter_t *it) {
    note(it);
    ecs_add_id(it->world, ecs_new(it->world), Ready);
}

// Who steps takes all steps of a frame, whoever comes to stand in between or leaves.
static void a_block_stays_what_it_is_until_its_steps_are_done(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8);
    add(world, "A", step, note);
    changed_id = ecs_system(world, { .entity = named(world, "Find"),
                                       .query.expr = "[in] Ready",
                                       .phase = EcsOnUpdate,
                                       .callback = note });
    ecs_entity_t prepare = add(world, "Prepare", step, Prepare);
    assert_frame(world, 2, "APAP");
    assert_frame(world, 2, "AAFPP");
    ecs_enable(world, prepare, false);
    ecs_system_update(world, ecs_lookup(world, "A"), &(ecs_system_desc_t){ .callback = StopIt });
    add(world, "B", step, note);
    assert_frame(world, 2, "AABB");
    assert_frame(world, 2, "ABAB");
}

static ecs_entity_t moved;
static void MoveBehind(ecs_iter_t *it) {
    note(it);
    ecs_remove_id(it->world, moved, EcsOnUpdate);
    ecs_remove_pair(it->world, moved, EcsDependsOn, EcsOnUpdate);
    ecs_add_id(it->world, moved, EcsOnStore);
    ecs_add_pair(it->world, moved, EcsDependsOn, EcsOnStore);
}

// SYS-06: also those of a block in which others came or went, though it has a schedule of its own then.
static void systems_of_a_block_do_not_run_again_behind_it(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8);
    ecs_system_update(
        world, add(world, "A", step, StopIt), &(ecs_system_desc_t){ .immediate = true });
    moved = add(world, "B", step, note);
    ecs_system_update(
        world, add(world, "X", 0, MoveBehind), &(ecs_system_desc_t){ .immediate = true });
    changed_id = ecs_system(
        world, { .entity = named(world, "Y"), .phase = EcsPostUpdate, .callback = note });
    assert_frame(world, 2, "ABABX");
    assert_frame(world, 2, "AAXBB");
}

// SYS-06: nor in another block of the same steps.
static void systems_of_a_block_do_not_run_again_in_another(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8), late[2];
    late[0] = add(world, "C", step, StopIt);
    moved = add(world, "B", step, note);
    late[1] = add(world, "D", step, note);
    for (int i = 0; i < 2; i++)
        ecs_system_update(
            world, late[i], &(ecs_system_desc_t){ .phase = EcsOnStore, .immediate = true });
    ecs_system_update(
        world, add(world, "X", 0, MoveBehind), &(ecs_system_desc_t){ .immediate = true });
    changed_id =
        ecs_system(world, { .entity = named(world, "Y"), .phase = EcsPostFrame, .callback = note });
    assert_frame(world, 2, "BBXCDCD");
    assert_frame(world, 2, "XCBDCBD");
}

static int by_place(ecs_entity_t a, const void *x, ecs_entity_t b, const void *y) {
    (void)a, (void)b;
    double p = ((const Position *)x)->x, q = ((const Position *)y)->x;
    return (p > q) - (p < q);
}

// SYS-11: ids tell nothing of the order.
static void a_block_stays_what_it_is_in_any_order(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8);
    ecs_entity_t in_order[5];
    in_order[3] = changed_id = add(world, "C", step, note);
    in_order[2] = add(world, "B", step, StopIt);
    in_order[1] = add(world, "A", step, note);
    in_order[4] = add(world, "Y", 0, note);
    in_order[0] = add(world, "X", 0, note);
    for (int i = 0; i < 5; i++) ecs_set(world, in_order[i], Position, { i });
    ecs_set_pipeline(
        world, ecs_pipeline(world, { .query = { .terms = { { EcsSystem }, { ecs_id(Position) },
                                                    { EcsDisabled, .oper = EcsNot } },
                                         .order_by = ecs_id(Position),
                                         .order_by_callback = by_place } }));
    assert_frame(world, 2, "XABCABY");
    assert_frame(world, 2, "XABABY");
}

// ---- Systems that move while they run ----

#define MOVERS 8
static ecs_entity_t movers[MOVERS], phase_of[MOVERS];
static int32_t times_run[MOVERS];
static random_t moves;
static const ecs_entity_t *phases_of_movers; /* NULL: they are ordered by values */

static void move_away(ecs_world_t *world, ecs_entity_t system, uint64_t where) {
    int32_t i = 0;
    while (movers[i] != system) i++;
    if (!phases_of_movers) {
        ecs_set(world, system, Position, { (double)(where % 16) });
        return;
    }
    if (phase_of[i]) ecs_remove_pair(world, system, EcsDependsOn, phase_of[i]);
    phase_of[i] = phases_of_movers[where % 4];
    ecs_add_pair(world, system, EcsDependsOn, phase_of[i]);
}

static void MoveSome(ecs_iter_t *it) {
    for (int32_t i = 0; i < MOVERS; i++) times_run[i] += movers[i] == it->system;
    if (random_below(&moves, 3)) return;
    move_away(it->world, movers[random_below(&moves, MOVERS)], random_below(&moves, 64));
}

static void add_mover(ecs_world_t *world, int32_t i, ecs_entity_t source) {
    movers[i] =
        ecs_system(world, { .callback = MoveSome, .immediate = i % 3 == 0, .tick_source = source });
    ecs_add_id(world, movers[i], EcsOnUpdate); /* it has a phase */
}

// SYS-06, SYS-11: whoever was to run does so in each step, or once, wherever it is moved while others run.
static void systems_that_move_miss_no_step_and_take_none_twice(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        ecs_world_t *world = ecs_init();
        use(world);
        const ecs_entity_t phases[] = { EcsPreUpdate, EcsOnUpdate, EcsOnValidate, EcsPostUpdate };
        phases_of_movers = seed % 2 ? phases : NULL;
        ecs_os_zeromem(&phase_of);
        moves = random_init(seed);
        const ecs_entity_t sources[] = { 0, ecs_set_fixed_step(world, 0, 1, 8),
            ecs_set_fixed_step(world, 0, 0.5f, 8) };
        const int32_t times[] = { 1, 2, 4 };
        for (int32_t i = 0; i < MOVERS; i++) {
            add_mover(world, i, sources[i % 3]);
            move_away(world, movers[i], (uint64_t)i * 2 + 1);
        }
        if (!phases_of_movers)
            ecs_set_pipeline(world,
                ecs_pipeline(world, { .query = { .terms = { { EcsSystem }, { ecs_id(Position) } },
                                          .order_by = ecs_id(Position),
                                          .order_by_callback = by_place } }));
        for (int32_t frame = 0; frame < 10; frame++) {
            ecs_os_zeromem(&times_run);
            ecs_progress(world, 2);
            for (int32_t i = 0; i < MOVERS; i++) assert_int_equal(times_run[i], times[i % 3]);
        }
        ecs_fini(world);
    }
}

static bool switched[MOVERS];
static ecs_entity_t steps_of_movers[2];

static void SwitchSome(ecs_iter_t *it) {
    for (int32_t i = 0; i < MOVERS; i++) times_run[i] += movers[i] == it->system;
    const uint64_t who = random_below(&moves, MOVERS), what = random_below(&moves, 7);
    if (what > 3) return;
    switched[who] = true;
    if (what > 1)
        ecs_set_tick_source(it->world, movers[who], steps_of_movers[what - 2]);
    else
        ecs_enable(it->world, movers[who], what);
}

// SYS-06: those who come while others run, and stand among them or apart, cost nobody a step.
static void systems_that_come_and_go_take_no_steps_of_others(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        ecs_world_t *world = ecs_init();
        moves = random_init(seed);
        const ecs_entity_t sources[] = { 0, ecs_set_fixed_step(world, 0, 1, 8),
            ecs_set_fixed_step(world, 0, 0.5f, 8) };
        const ecs_entity_t phases[] = { EcsPreUpdate, EcsOnUpdate, EcsPostUpdate };
        steps_of_movers[0] = sources[1], steps_of_movers[1] = sources[2];
        for (int32_t i = 0; i < MOVERS; i++)
            movers[i] = ecs_system(world, { .phase = phases[random_below(&moves, 3)],
                                              .callback = SwitchSome,
                                              .immediate = random_below(&moves, 3) == 0,
                                              .tick_source = sources[random_below(&moves, 3)] });
        for (int32_t frame = 0; frame < 10; frame++) {
            int32_t times[MOVERS];
            for (int32_t i = 0; i < MOVERS; i++) {
                const ecs_entity_t source = ecs_system_get(world, movers[i])->tick_source;
                times[i] = source == sources[2] ? 4 : source == sources[1] ? 2 : 1;
                if (ecs_has_id(world, movers[i], EcsDisabled)) times[i] = 0;
            }
            ecs_os_zeromem(&times_run);
            ecs_os_zeromem(&switched);
            ecs_progress(world, 2);
            for (int32_t i = 0; i < MOVERS; i++)
                assert_true(switched[i] ? times_run[i] <= 4 : times_run[i] == times[i]);
        }
        ecs_fini(world);
    }
}

// A rate may count the steps of the entity that has it.
static void a_step_may_have_a_rate_of_its_own(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = add(world, "A", 0, note), step = ecs_set_fixed_step(world, 0, 1, 8);
    ecs_set_fixed_step(world, a, 1, 8);
    ecs_set_rate(world, a, 2, a);
    add(world, "B", ecs_set_rate(world, step, 3, step), note);
    assert_frame(world, 1, "");
    assert_frame(world, 3, "AAB");
    assert_near(system_time, 3, 0);
    assert_frame(world, 0.5f, "");
    assert_frame(world, 2, "AB");
}

static void StartIt(ecs_iter_t *it) {
    ecs_enable(it->world, changed_id, true);
    note(it);
}

// What it stepped in the frame before it was switched off is not stepped again.
static void a_step_that_is_enabled_in_a_frame_begins_with_the_next(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = changed_id = ecs_set_fixed_step(world, 0, 1, 8);
    add(world, "Go", 0, StartIt);
    ecs_system(world, { .entity = named(world, "A"),
                          .phase = EcsPostUpdate,
                          .callback = note,
                          .tick_source = step });
    ecs_entity_t rate = ecs_set_rate(world, 0, 2, step);
    ecs_system(world, { .entity = named(world, "B"),
                          .phase = EcsPostUpdate,
                          .callback = note,
                          .tick_source = rate });
    assert_frame(world, 2, "GAAB");
    ecs_enable(world, step, false);
    assert_frame(world, 2, "G");
    assert_int_equal(ecs_get(world, step, EcsFixedStep)->count, 2);
    assert_frame(world, 2, "GAAB");
}

static void disabled_steps_stand_still(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8);
    ecs_entity_t a = add(world, "A", step, note);
    add(world, "X", 0, note);
    ecs_enable(world, step, false);
    assert_frame(world, 3, "X");
    ecs_enable(world, step, true);
    assert_frame(world, 1, "AX"); /* no time passed for it */
    ecs_enable(world, a, false);
    assert_frame(world, 1, "X");
    ecs_enable(world, a, true);
    changed_id = step;
    add(world, "Stop", step, StopIt);
    assert_frame(world, 2, "AAXS");
    assert_frame(world, 2, "X");
    ecs_remove(world, step, EcsFixedStep); /* a plain tick source is left */
    ecs_enable(world, step, true);
    assert_frame(world, 2, "AXS");
}

// ---- Pipelines ----

static void pipelines_step_on_their_own(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t pipeline =
        ecs_pipeline(world, { .query.terms = { { .id = EcsSystem }, { .id = Ready } } });
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8);
    ecs_entity_t a = add(world, "A", step, note), b = add(world, "B", step, note);
    ecs_add_id(world, a, Ready);
    ecs_add_id(world, b, Ready);
    ran[0] = 0;
    ecs_run_pipeline(world, pipeline, 2.5f); /* outside of frames its time counts */
    assert_string_equal(ran, "ABAB");
    ecs_frame_begin(world, 1);
    ecs_run_pipeline(world, pipeline, 1); /* inside the frame's does, once */
    ecs_run_pipeline(world, pipeline, 1);
    ecs_frame_end(world);
    assert_string_equal(ran, "ABABABAB");
    ecs_set_pipeline(world, pipeline);
    assert_frame(world, 1.5f, "ABAB");
}

// SYNC-05: as in any tick with nothing to run.
static void a_frame_without_steps_ends_with_a_merge(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Mine);
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8);
    ecs_add_id(world, add(world, "A", step, note), Mine);
    ecs_set_pipeline(world, ecs_pipeline(world, { .query.terms = { { EcsSystem }, { Mine } } }));
    for (int steps = 0; steps < 3; steps++) {
        int64_t merges = ecs_get_world_info(world)->merge_count_total;
        assert_frame(world, (ecs_ftime_t)steps + 0.001f, steps == 0 ? "" : steps == 1 ? "A" : "AA");
        merges = ecs_get_world_info(world)->merge_count_total - merges;
        assert_int_equal(merges, steps ? steps : 1);
    }
}

static void systems_of_on_start_run_once(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8);
    ecs_system(world, { .entity = named(world, "A"),
                          .phase = EcsOnStart,
                          .callback = note,
                          .tick_source = step });
    assert_frame(world, 3, "A");
    assert_frame(world, 3, "");
}

// ---- Looking at it ----

static void schedules_show_blocks(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, named(world, "Physics"), 0.25f, 8);
    add(world, "A", step, note);
    ecs_system(world, { .entity = named(world, "B"),
                          .phase = EcsOnUpdate,
                          .callback = note,
                          .immediate = true,
                          .tick_source = step });
    add(world, "C", 0, note);
    char *text = ecs_schedule_str(world, 0);
    assert_string_equal(text, "flecs.pipeline.BuiltinPipeline: 3 systems, 3 stretches\n"
                              "each step of Physics (0.25 s, at most 8 in a frame): 2 stretches\n"
                              "stretch 0: main thread\n"
                              "  A\n"
                              "merge: immediate systems run alone\n"
                              "stretch 1: immediate\n"
                              "  B\n"
                              "merge: immediate systems run alone\n"
                              "stretch 2: main thread\n"
                              "  C\n"
                              "merge: the pipeline ends\n");
    ecs_os_free(text);
    ecs_delete(world, ecs_lookup(world, "B"));
    text = ecs_schedule_str(world, 0);
    assert_non_null(strstr(text, "merge: C runs in other steps than A\n"));
    ecs_os_free(text);
    text = ecs_schedule_dot(world, 0);
    assert_non_null(
        strstr(text, "n0_0 -> n0_0 [ltail=cluster_0, lhead=cluster_0, style=dashed, "
                     "label=\"each step of Physics (0.25 s, at most 8 in a frame)\"];\n"));
    ecs_os_free(text);
}

static void Wait(ecs_iter_t *it) {
    uint64_t start = ecs_os_now();
    while (ecs_os_now() < start + 1000000) {}
    (void)it;
}

static void times_of_steps_sum_up(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 1, 8);
    ecs_entity_t system = add(world, "Wait", step, Wait);
    ecs_measure_system_time(world, true);
    int64_t before = ecs_get_world_info(world)->systems_ran_total;
    ecs_progress(world, 0);
    int64_t others = ecs_get_world_info(world)->systems_ran_total - before;
    ecs_progress(world, 4);
    assert_int_equal(ecs_get_world_info(world)->systems_ran_total - before, 2 * others + 4);
    assert_true(ecs_system_get(world, system)->time_spent >= 0.004f);
}

// ---- Frames of any length ----

typedef struct sum_t {
    double positions;
    uint64_t numbers;
} sum_t;

static void Wander(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    sum_t *sum = it->ctx;
    for (int32_t i = 0; i < it->count; i++) {
        uint64_t number = ecs_iter_random(it, i);
        p[i].x += (double)(number >> 40) * (double)it->delta_time;
        sum->numbers = sum->numbers * 31 + number;
        sum->positions += p[i].x;
    }
}

static sum_t simulate(ecs_ftime_t frame, int32_t count) {
    ecs_world_t *world = ecs_init();
    use(world);
    sum_t sum = { 0 };
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 0.25f, 64);
    ecs_bulk_new(world, Position, 10);
    ecs_system(world, { .query.expr = "Position",
                          .phase = EcsOnUpdate,
                          .callback = Wander,
                          .ctx = &sum,
                          .tick_source = step });
    for (int32_t i = 0; i < count; i++) ecs_progress(world, frame);
    assert_int_equal(state_of(world, step)->count, 48);
    ecs_fini(world);
    return sum;
}

// Random numbers are those of the step, so that frames leave no trace.
static void results_do_not_depend_on_frames(void **state) {
    (void)state;
    sum_t one = simulate(0.25f, 48), slow = simulate(12, 1), odd = simulate(0.75f, 16),
          fast = simulate(0.0625f, 192);
    assert_memory_equal(&one, &slow, sizeof one);
    assert_memory_equal(&one, &odd, sizeof one);
    assert_memory_equal(&one, &fast, sizeof one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(steps_follow_the_time_that_passed),
        world_test(a_frame_takes_at_most_so_many_steps),
        world_test(steps_take_scaled_time),
        world_test(steps_do_not_drift),
        world_test(steps_may_change_between_frames),
        world_test(more_time_than_can_be_counted_leaves_no_rest),
        world_test(steps_that_make_no_sense_are_refused),
        world_test(neighbours_run_step_by_step),
        world_test(steps_see_what_steps_before_queued),
        world_test(a_block_has_systems_of_all_kinds),
        world_test(rates_count_steps),
        world_test(a_system_steps_by_itself),
        world_test(rates_in_a_circle_do_not_step),
        world_test(a_frame_that_quits_ends_its_steps),
        world_test(what_is_deleted_in_a_step_runs_no_more),
        world_test(deleting_a_fixed_step_ends_its_steps),
        world_test(what_is_no_fixed_step_any_more_takes_no_more_of_them),
        world_test(systems_may_change_their_step_in_a_step),
        world_test(systems_made_in_a_step_take_their_steps),
        world_test(systems_become_active_in_a_step),
        world_test(a_block_stays_what_it_is_until_its_steps_are_done),
        world_test(systems_of_a_block_do_not_run_again_behind_it),
        world_test(systems_of_a_block_do_not_run_again_in_another),
        world_test(a_block_stays_what_it_is_in_any_order),
        world_test(systems_that_move_miss_no_step_and_take_none_twice),
        world_test(systems_that_come_and_go_take_no_steps_of_others),
        world_test(a_step_may_have_a_rate_of_its_own),
        world_test(a_step_that_is_enabled_in_a_frame_begins_with_the_next),
        world_test(disabled_steps_stand_still),
        world_test(pipelines_step_on_their_own),
        world_test(a_frame_without_steps_ends_with_a_merge),
        world_test(systems_of_on_start_run_once),
        world_test(schedules_show_blocks),
        world_test(times_of_steps_sum_up),
        cmocka_unit_test(results_do_not_depend_on_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
