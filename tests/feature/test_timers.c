// SPDX-License-Identifier: MIT
// Timers, rate filters and tick sources.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

static int32_t runs;
static ecs_ftime_t system_time;

static void Run(ecs_iter_t *it) {
    runs++;
    system_time = it->delta_system_time;
}

static int32_t runs_in(ecs_world_t *world, int32_t ticks, ecs_ftime_t delta) {
    runs = 0;
    for (int32_t i = 0; i < ticks; i++) ecs_progress(world, delta);
    return runs;
}

static void a_system_runs_at_its_interval(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t system =
        ecs_system(world, { .phase = EcsOnUpdate, .callback = Run, .interval = 1 });
    assert_near(ecs_get_interval(world, system), 1, 0);
    assert_id_equal(world, ecs_system_get(world, system)->tick_source, system);
    assert_int_equal(runs_in(world, 3, 0.25f), 0);
    assert_int_equal(runs_in(world, 1, 0.25f), 1);
    assert_near(system_time, 1, 0);
    assert_int_equal(runs_in(world, 8, 0.25f), 2);
    assert_int_equal(ecs_get(world, system, EcsTimer)->fired_count, 3);
    ecs_stop_timer(world, system);
    assert_int_equal(runs_in(world, 8, 0.25f), 0);
    ecs_start_timer(world, system);
    assert_int_equal(runs_in(world, 4, 0.25f), 1);
    assert_int_equal(runs_in(world, 3, 0.25f), 0);
    ecs_reset_timer(world, system);
    assert_int_equal(runs_in(world, 3, 0.25f), 0);
    assert_int_equal(runs_in(world, 1, 0.25f), 1);
}

static void what_is_left_of_a_period_is_carried_over(void **state) {
    ecs_world_t *world = *state;
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Run, .interval = 1 });
    assert_int_equal(runs_in(world, 2, 0.75f), 1); /* 1.5: half a second is left */
    assert_near(system_time, 1.5, 1e-6);
    assert_int_equal(runs_in(world, 1, 0.5f), 1);
    assert_near(system_time, 0.5, 1e-6);
    assert_int_equal(runs_in(world, 1, 5), 1); /* missed periods are not made up for */
    assert_int_equal(runs_in(world, 1, 0.5f), 0);
}

static void a_timeout_fires_once(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t timer = ecs_set_timeout(world, 0, 2);
    ecs_entity_t system = ecs_system(world, { .phase = EcsOnUpdate, .callback = Run });
    ecs_set_tick_source(world, system, timer);
    assert_int_equal(runs_in(world, 1, 1), 0);
    assert_int_equal(runs_in(world, 9, 1), 1);
    assert_near(ecs_get_timeout(world, timer), 2, 0);
    assert_near(ecs_get_interval(world, timer), 0, 0);
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_tick_source(world, timer, timer));
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_tick_source(world, system, 0));
}

static void rates_count_frames_or_other_sources(void **state) {
    ecs_world_t *world = *state;
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Run, .rate = 3 });
    assert_int_equal(runs_in(world, 9, 1), 3);
    assert_near(system_time, 3, 0);
    ecs_entity_t second = ecs_set_interval(world, 0, 1);
    ecs_entity_t slow = ecs_system(
        world, { .phase = EcsOnUpdate, .callback = Run, .rate = 4, .tick_source = second });
    assert_true(slow != 0);
    runs = 0;
    assert_int_equal(runs_in(world, 16, 0.5f), 16 / 3 + 2);
}

// api/06 7: a filter counts what its source does in this frame, whatever was made first.
static void rates_may_be_made_before_their_sources(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t last = ecs_new(world), middle = ecs_new(world), timer = ecs_new(world);
    ecs_set_rate(world, last, 1, middle);
    ecs_set_rate(world, middle, 2, timer);
    ecs_set_interval(world, timer, 1);
    ecs_entity_t system = ecs_system(world, { .phase = EcsOnUpdate, .callback = Run });
    ecs_set_tick_source(world, system, last);
    assert_int_equal(runs_in(world, 1, 1), 0);
    assert_int_equal(runs_in(world, 1, 1), 1);
    assert_near(system_time, 2, 0);
    assert_int_equal(runs_in(world, 9, 1), 4);
}

// api/06 section 7: a rate on a system with a tick source counts ticks of that source.
static void a_rate_that_comes_later_counts_the_source_there_is(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t second = ecs_set_interval(world, 0, 1);
    ecs_entity_t system =
        ecs_system(world, { .phase = EcsOnUpdate, .callback = Run, .tick_source = second });
    assert_int_equal(runs_in(world, 12, 0.5f), 6);
    ecs_system_update(world, system, &(ecs_system_desc_t){ .rate = 2 });
    assert_int_equal(runs_in(world, 12, 0.5f), 3);
    ecs_system_update(world, system, &(ecs_system_desc_t){ .rate = 3 });
    assert_int_equal(runs_in(world, 12, 0.5f), 2);
}

static ecs_entity_t set_again, source_of_set;

static void SetAgain(ecs_iter_t *it) {
    ecs_set_rate(it->world, set_again, 2, source_of_set);
    ecs_set_tick_source(it->world, it->system, set_again);
}

// SYS-06: a tick compiles schedules of systems that changed, not of those that are told what they know.
static void times_that_are_set_in_each_tick_compile_nothing(void **state) {
    ecs_world_t *world = *state;
    source_of_set = ecs_set_interval(world, 0, 0.5f);
    set_again = ecs_set_rate(world, 0, 2, source_of_set);
    ecs_system(world, { .phase = EcsOnUpdate, .callback = SetAgain, .tick_source = set_again });
    ecs_entity_t system = ecs_system(world, { .phase = EcsOnUpdate, .callback = Run, .rate = 1 });
    ecs_progress(world, 1);
    const int64_t compiled = ecs_get_world_info(world)->pipeline_build_count_total;
    for (int32_t i = 1; i < 5; i++) {
        ecs_set_rate(world, system, i, 0);
        ecs_progress(world, 1);
    }
    assert_int_equal(ecs_get_world_info(world)->pipeline_build_count_total, compiled);
    source_of_set =
        ecs_set_fixed_step(world, 0, 0.25f, 8); /* that it counts these is another thing */
    assert_int_equal(runs_in(world, 8, 1), 2);
    assert_true(ecs_get_world_info(world)->pipeline_build_count_total > compiled);
    assert_near(ecs_system_get(world, system)->time_passed, 4, 0);
}

// 06 section 7: it neither ticks nor hurts.
static void a_source_that_is_none_does_not_tick(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t source = ecs_set_interval(world, 0, 1), none = ecs_new(world);
    ecs_entity_t rate = ecs_set_rate(world, 0, 2, source);
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Run, .tick_source = none });
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Run, .tick_source = rate });
    ecs_entity_t late = ecs_system(world, { .phase = EcsOnUpdate, .callback = Run });
    ecs_defer_begin(world);
    ecs_delete(world, late);
    ecs_set_tick_source(world, late, source);
    ecs_defer_end(world);
    assert_int_equal(runs_in(world, 4, 1), 2);
    ecs_delete(world, source);
    assert_int_equal(runs_in(world, 4, 1), 0);
}

// api/06 7, 1: timers and rates are applied again by an update.
static void what_was_set_last_counts(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t system = ecs_system(world, { .phase = EcsOnUpdate, .callback = Run, .rate = 3 });
    assert_int_equal(runs_in(world, 6, 1), 2);
    ecs_system_update(world, system, &(ecs_system_desc_t){ .interval = 2 });
    assert_int_equal(runs_in(world, 8, 0.5f), 2);
    assert_near(ecs_get_interval(world, system), 2, 0);
    ecs_set_rate(world, system, 4, 0);
    assert_int_equal(runs_in(world, 8, 0.5f), 2);
    assert_near(ecs_get_interval(world, system), 0, 0);
    ecs_set_fixed_step(world, system, 0.25f, 8);
    assert_int_equal(runs_in(world, 2, 0.5f), 4);
    ecs_set_timeout(world, system, 1);
    assert_int_equal(runs_in(world, 8, 0.5f), 1);
    ecs_set_interval(world, system, 1);
    ecs_set_rate(world, system, 2, system); /* each second time of its own */
    assert_int_equal(runs_in(world, 8, 0.5f), 2);
    ecs_set_interval(world, system, 2);
    assert_int_equal(runs_in(world, 16, 0.5f), 2);
    ecs_set_fixed_step(world, system, 0.25f, 8); /* the rate stays, and counts steps */
    assert_int_equal(runs_in(world, 4, 0.5f), 4);
    ecs_set_interval(world, system, 1);
    assert_int_equal(runs_in(world, 8, 0.5f), 2);
}

static void set_way(ecs_world_t *world, ecs_entity_t entity, int32_t way) {
    if (way == 0) ecs_set_interval(world, entity, 2);
    if (way == 1) ecs_set_rate(world, entity, 3, 0);
    if (way == 2) ecs_set_fixed_step(world, entity, 0.5f, 4);
}

// Also where ways that come at once are told of side by side.
static void what_was_queued_last_counts(void **state) {
    ecs_world_t *world = *state;
    const ecs_id_t ways[] = { ecs_id(EcsTimer), ecs_id(EcsRateFilter), ecs_id(EcsFixedStep) };
    for (int32_t i = 0; i < 4 * 3 * 3; i++) {
        ecs_entity_t entity = ecs_new(world);
        const int32_t before = i % 4, first = i / 4 % 3, last = i / 12;
        set_way(world, entity, before);
        ecs_defer_begin(world);
        set_way(world, entity, first);
        set_way(world, entity, last);
        ecs_defer_end(world);
        for (int32_t way = 0; way < 3; way++)
            assert_true(ecs_has_id(world, entity, ways[way]) == (way == last));
    }
}

static void timers_ignore_the_time_scale(void **state) {
    ecs_world_t *world = *state;
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Run, .interval = 1 });
    ecs_set_time_scale(world, 0);
    assert_int_equal(runs_in(world, 3, 1), 3);
}

static ecs_entity_t slowed;

// Without frames there is no other time than that of the run.
static void outside_of_frames_the_time_of_the_run_counts(void **state) {
    ecs_world_t *world = *state;
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Run, .interval = 1 });
    runs = 0;
    for (int32_t i = 0; i < 8; i++) ecs_run_pipeline(world, 0, 0.25f);
    assert_int_equal(runs, 2);
    assert_int_equal(runs_in(world, 1, 0.5f), 0);
    for (int32_t i = 0; i < 4; i++) ecs_run_pipeline(world, 0, 0.125f);
    assert_int_equal(runs, 1);
}

static void SetTimes(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) {
        ecs_entity_t timer = ecs_set_timeout(it->world, 0, 1);
        ecs_set_rate(it->world, it->entities[i], 2, timer);
        if (!i) ecs_set_interval(it->world, slowed, 3);
    }
}

// THR-07: timers are made by commands, also by workers; a system gets its own with the merge.
static void workers_may_set_times(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Young);
    ecs_set_threads(world, 4);
    for (int32_t i = 0; i < 2000; i++) ecs_new_w(world, Young);
    slowed = ecs_system(world, { .phase = EcsOnStore, .callback = Run });
    ecs_entity_t setter = ecs_system(world, { .query.expr = "Young",
                                                .phase = EcsPreFrame,
                                                .callback = SetTimes,
                                                .multi_threaded = true });
    assert_int_equal(runs_in(world, 1, 1), 0);
    assert_id_equal(world, ecs_system_get(world, slowed)->tick_source, slowed);
    assert_int_equal(ecs_count(world, EcsRateFilter), 2000);
    assert_int_equal(ecs_count(world, EcsTimer), 2001);
    ecs_enable(world, setter, false);
    assert_int_equal(runs_in(world, 2, 1), 0);
    assert_int_equal(runs_in(world, 1, 1), 1);
}

static ecs_entity_t stopped, source_a, source_b;
static bool saw_change;

// Many workers say the same; what the last of them in order says holds.
static void ChangeTimers(ecs_iter_t *it) {
    const EcsTimer before = *ecs_get(it->world, stopped, EcsTimer);
    for (int32_t i = 0; i < it->count; i++) {
        bool is_odd = (it->frame_offset + i) % 2;
        ecs_set_tick_source(it->world, slowed, is_odd ? source_b : source_a);
        ecs_system_set_group(it->world, slowed, is_odd ? source_b : source_a);
        if (is_odd)
            ecs_stop_timer(it->world, stopped);
        else
            ecs_start_timer(it->world, stopped);
    }
    if (memcmp(&before, ecs_get(it->world, stopped, EcsTimer), sizeof before)) saw_change = true;
    ecs_stop_timer(it->world, ecs_set_interval(it->world, 0, 1));
}

// THR-07: what systems and timers do is changed by commands, too.
static void workers_may_change_timers(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Young);
    for (int32_t i = 0; i < 2000; i++) ecs_new_w(world, Young);
    source_a = ecs_set_interval(world, 0, 1);
    source_b = ecs_set_interval(world, 0, 2);
    stopped = ecs_set_interval(world, 0, 4);
    ecs_query_desc_t query = { .terms = { { Young } }, .group_by = EcsChildOf };
    slowed = ecs_system(world, { .phase = EcsOnStore, .query = query, .callback = Run });
    ecs_system(world, { .query.terms = { { Young }, { ecs_id(EcsTimer), .src.id = EcsIsEntity } },
                          .phase = EcsOnUpdate,
                          .callback = ChangeTimers,
                          .multi_threaded = true });
    for (int32_t threads = 1; threads <= 4; threads += 3) {
        ecs_set_threads(world, threads);
        saw_change = false;
        ecs_progress(world, 1);
        assert_false(saw_change);
        assert_id_equal(world, ecs_system_get(world, slowed)->tick_source, source_b);
        assert_int_equal(ecs_system_get(world, slowed)->group_id, source_b);
        assert_false(ecs_get(world, stopped, EcsTimer)->active);
        assert_near(ecs_get(world, stopped, EcsTimer)->time, 0, 0);
    }
}

// The turn of a rate stays when the count is full.
static void counts_do_not_overflow(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t system = ecs_system(world, { .phase = EcsOnUpdate, .callback = Run, .rate = 10 });
    ecs_entity_t timed =
        ecs_system(world, { .phase = EcsOnUpdate, .callback = Run, .interval = 1 });
    ecs_get_mut(world, system, EcsRateFilter)->tick_count = INT32_MAX - 1; /* turn 6 of 10 */
    ecs_get_mut(world, timed, EcsTimer)->fired_count = INT32_MAX;
    assert_int_equal(runs_in(world, 1, 1), 1);
    ecs_enable(world, timed, false);
    assert_int_equal(ecs_get(world, timed, EcsTimer)->fired_count, INT32_MAX);
    assert_int_equal(ecs_get(world, system, EcsRateFilter)->tick_count, INT32_MAX);
    assert_int_equal(runs_in(world, 2, 1), 0);
    assert_int_equal(ecs_get(world, system, EcsRateFilter)->tick_count, 9);
    assert_int_equal(runs_in(world, 1, 1), 1);
}

static int32_t fired_count;
static double fired_after;

static void Fired(ecs_iter_t *it) {
    fired_count++;
    fired_after = (double)it->delta_system_time;
}

// Ten thousand seconds are a multiple of a tenth, though sums of floats are not.
static void long_times_are_as_long_as_they_say(void **state) {
    ecs_world_t *world = *state;
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Fired, .interval = 10000 });
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Fired, .rate = 100000 });
    fired_count = 0;
    for (int32_t i = 1; i < 100000; i++) ecs_progress(world, 0.1f);
    assert_int_equal(fired_count, 0);
    ecs_progress(world, 0.1f);
    assert_int_equal(fired_count, 2);
    assert_near(fired_after, 10000, 0.01);
}

// A hundredth rounds down.
static void a_time_that_misses_by_rounding_is_up(void **state) {
    ecs_world_t *world = *state;
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Fired, .interval = 1 });
    fired_count = 0;
    for (int32_t second = 1; second <= 10; second++) {
        for (int32_t i = 0; i < 99; i++) ecs_progress(world, 0.01f);
        assert_int_equal(fired_count, second - 1);
        ecs_progress(world, 0.01f);
        assert_int_equal(fired_count, second);
        assert_near(fired_after, 1, 1e-6);
    }
}

static void scribble(void) {
    volatile char garbage[1024];
    for (size_t i = 0; i < sizeof garbage; i++) garbage[i] = (char)(i + 1);
}

// THR-02: states are compared by their bytes, so what is between members is 0.
static void values_of_timers_have_no_garbage(void **state) {
    ecs_world_t *world = *state;
    EcsTimer timer;
    EcsRateFilter filter;
    EcsFixedStep step;
    memset(&timer, 0, sizeof timer);
    memset(&filter, 0, sizeof filter);
    memset(&step, 0, sizeof step);
    timer.timeout = step.step = 2;
    timer.active = true;
    filter.rate = step.max_steps = 3;
    scribble();
    ecs_entity_t interval = ecs_set_interval(world, 0, 2);
    scribble();
    ecs_entity_t rate = ecs_set_rate(world, 0, 3, 0);
    scribble();
    ecs_entity_t steps = ecs_set_fixed_step(world, 0, 2, 3);
    assert_memory_equal(ecs_get(world, interval, EcsTimer), &timer, sizeof timer);
    assert_memory_equal(ecs_get(world, rate, EcsRateFilter), &filter, sizeof filter);
    assert_memory_equal(ecs_get(world, steps, EcsFixedStep), &step, sizeof step);
}

static void plain_tick_sources_fire_each_frame(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t source = ecs_new_w_id(world, ecs_id(EcsTickSource));
    ecs_entity_t system =
        ecs_system(world, { .phase = EcsOnUpdate, .callback = Run, .tick_source = source });
    assert_int_equal(runs_in(world, 3, 1), 3);
    ecs_run(world, system, 1, NULL);
    assert_int_equal(runs, 4);
    ecs_delete(world, source);
    assert_int_equal(runs_in(world, 3, 1), 0);
}

// Also one that fired in the frame before.
static void disabled_sources_do_not_fire(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t source = ecs_set_interval(world, 0, 1);
    ecs_entity_t second = ecs_set_rate(world, 0, 2, source);
    ecs_entity_t system =
        ecs_system(world, { .phase = EcsOnUpdate, .callback = Run, .tick_source = source });
    assert_int_equal(runs_in(world, 1, 1), 1);
    ecs_enable(world, source, false);
    assert_int_equal(runs_in(world, 3, 1), 0);
    ecs_set_tick_source(world, system, second);
    assert_int_equal(runs_in(world, 3, 1), 0);
    ecs_enable(world, source, true);
    assert_int_equal(runs_in(world, 3, 1), 2);
}

static ecs_entity_t to_enable;

static void EnableIt(ecs_iter_t *it) {
    if (to_enable) ecs_enable(it->world, to_enable, true);
}

// A tick is one of its frame: who is switched off then, and on again in the middle of a later frame, waits for the next.
static void ticks_end_while_a_source_is_disabled(void **state) {
    ecs_world_t *world = *state;
    ecs_system(world, { .phase = EcsOnUpdate, .callback = EnableIt, .immediate = true });
    const ecs_entity_t systems[] = {
        ecs_system(world, { .phase = EcsPostUpdate, .callback = Run, .interval = 3 }),
        ecs_system(world, { .phase = EcsPostUpdate, .callback = Run, .rate = 3 }),
    };
    for (int32_t i = 0; i < 2; i++) {
        ecs_enable(world, systems[1 - i], false);
        ecs_enable(world, systems[i], true);
        assert_int_equal(runs_in(world, 3, 1), 1);
        ecs_enable(world, systems[i], false);
        assert_int_equal(runs_in(world, 2, 1), 0);
        to_enable = systems[i];
        assert_int_equal(runs_in(world, 1, 1), 0);
        to_enable = 0;
        assert_int_equal(runs_in(world, 3, 1), 1);
        assert_int_equal(runs_in(world, 3, 1), 1);
    }
}

static void random_starts_are_spread_and_repeatable(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t timers[16];
    for (int32_t i = 0; i < 16; i++) timers[i] = ecs_set_interval(world, 0, 10);
    ecs_randomize_timers(world);
    float lowest = 10, highest = 0;
    for (int32_t i = 0; i < 16; i++) {
        float time = ecs_get(world, timers[i], EcsTimer)->time;
        lowest = ECS_MIN(lowest, time);
        highest = ECS_MAX(highest, time);
        assert_true(time >= 0 && time < 10);
    }
    assert_true(lowest < 4 && highest > 6);
    float first = ecs_get(world, timers[0], EcsTimer)->time;
    ecs_randomize_timers(world);
    assert_near(ecs_get(world, timers[0], EcsTimer)->time, first, 0);
    ecs_set_interval(world, timers[0], 10); /* those that are set from now on, too */
    assert_near(ecs_get(world, timers[0], EcsTimer)->time, first, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(a_system_runs_at_its_interval),
        world_test(what_is_left_of_a_period_is_carried_over),
        world_test(a_timeout_fires_once),
        world_test(rates_count_frames_or_other_sources),
        world_test(rates_may_be_made_before_their_sources),
        world_test(a_rate_that_comes_later_counts_the_source_there_is),
        world_test(times_that_are_set_in_each_tick_compile_nothing),
        world_test(a_source_that_is_none_does_not_tick),
        world_test(what_was_set_last_counts),
        world_test(what_was_queued_last_counts),
        world_test(timers_ignore_the_time_scale),
        world_test(outside_of_frames_the_time_of_the_run_counts),
        world_test(workers_may_set_times),
        world_test(workers_may_change_timers),
        world_test(counts_do_not_overflow),
        world_test(long_times_are_as_long_as_they_say),
        world_test(a_time_that_misses_by_rounding_is_up),
        world_test(values_of_timers_have_no_garbage),
        world_test(plain_tick_sources_fire_each_frame),
        world_test(disabled_sources_do_not_fire),
        world_test(ticks_end_while_a_source_is_disabled),
        world_test(random_starts_are_spread_and_repeatable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
