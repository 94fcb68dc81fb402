// SPDX-License-Identifier: MIT
// Systems, phases and pipelines: features.md area SYS.
#include "support/world.h"

#include <math.h>

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);

// What ran, one letter per call.
static char ran[256];
static int ran_count;

static void note(char letter) { ran[ran_count++] = letter; }

static void assert_ran(const char *expected) {
    ran[ran_count] = 0;
    assert_string_equal(ran, expected);
    ran_count = 0;
}

static void A(ecs_iter_t *it) {
    (void)it;
    note('A');
}
static void B(ecs_iter_t *it) {
    (void)it;
    note('B');
}
static void C(ecs_iter_t *it) {
    (void)it;
    note('C');
}
static void D(ecs_iter_t *it) {
    (void)it;
    note('D');
}

static void use(ecs_world_t *world) {
    ecs_id(Position) = ecs_id(Velocity) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ran_count = 0;
}

static ecs_entity_t task(ecs_world_t *world, ecs_entity_t phase, ecs_iter_action_t callback) {
    return ecs_system(world, { .phase = phase, .callback = callback });
}

static void Move(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    const Velocity *v = ecs_field(it, Velocity, 1);
    for (int32_t i = 0; i < it->count; i++) {
        p[i].x += v[i].x;
        p[i].y += v[i].y;
    }
}

// SYS-01, SYS-08; QL-21: the macro takes an expression
static void a_system_moves_all_that_match_once_per_tick(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ECS_SYSTEM(world, Move, EcsOnUpdate, Position, [in] Velocity);
    assert_string_equal(ecs_get_name(world, ecs_id(Move)), "Move");
    ecs_entity_t e =
        ecs_insert(world, ecs_value(Position, { 10, 20 }), ecs_value(Velocity, { 1, 2 }));
    ecs_entity_t still = ecs_insert(world, ecs_value(Position, { 5, 5 }));
    for (int i = 0; i < 3; i++) assert_true(ecs_progress(world, 0.5f));
    const Position *p = ecs_get(world, e, Position);
    assert_near(p->x, 13, 0);
    assert_near(p->y, 26, 0);
    assert_near(ecs_get(world, still, Position)->x, 5, 0);
}

// 06 section 1: conditions and choices are left to others, and wildcards name nothing to add.
static void a_system_gets_what_it_asks_of_itself(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ECS_TAG(world, Foo);
    ECS_TAG(world, Bar);
    ECS_TAG(world, Rel);
    ecs_entity_t plain = ecs_entity(world, { .name = "Plain" });
    ecs_system(world, { .entity = plain,
                          .phase = EcsOnUpdate,
                          .callback = A,
                          .query.expr = "Position(Plain), Rel(Plain, Foo), ?Velocity(Plain), "
                                        "!Bar(Plain), !{ Foo(Plain) }" });
    assert_true(ecs_has(world, plain, Position) && ecs_has_pair(world, plain, Rel, Foo));
    ecs_entity_t open = ecs_entity(world, { .name = "Open" });
    ecs_system(world, { .entity = open,
                          .phase = EcsOnUpdate,
                          .callback = B,
                          .query.expr = "Bar(Open) || Foo(Open), Rel(Open, *)" });
    ecs_progress(world, 0);
    assert_ran("A");
    ecs_add(world, open, Foo);
    ecs_add_pair(world, open, Rel, Bar);
    ecs_progress(world, 0);
    assert_ran("AB");
}

static ecs_ftime_t seen_delta;
static void *seen_param, *seen_ctx;

static void See(ecs_iter_t *it) {
    seen_delta = it->delta_time;
    seen_param = it->param;
    seen_ctx = it->ctx;
    assert_true(it->delta_system_time == it->delta_time);
    assert_id_equal(it->world, it->system, ecs_lookup(it->world, "See"));
    note('S');
}

// SYS-02, SYS-08
static void Mark(ecs_iter_t *it) {
    assert_true(ecs_is_deferred(it->world));
    for (int32_t i = 0; i < it->count; i++) {
        ecs_set(it->world, it->entities[i], Velocity, { 1, 0 });
        assert_false(ecs_has(it->world, it->entities[i], Velocity));
    }
}

// DEF-09
static void what_a_system_changes_is_deferred_without_asking(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t e = ecs_insert(world, ecs_value(Position, { 0, 0 }));
    ecs_entity_t system =
        ecs_system(world, { .query.expr = "Position", .phase = EcsOnUpdate, .callback = Mark });
    ecs_progress(world, 1);
    assert_true(ecs_has(world, e, Velocity));
    ecs_remove(world, e, Velocity);
    ecs_run(world, system, 0, NULL);
    assert_true(ecs_has(world, e, Velocity));
}

static void a_descriptor_makes_a_system_with_context(void **state) {
    ecs_world_t *world = *state;
    use(world);
    int ctx = 0, param = 0;
    ecs_entity_t see = ecs_system(world, { .entity = ecs_entity(world, { .name = "See" }),
                                             .query.terms = { { .id = ecs_id(Position) } },
                                             .phase = EcsOnUpdate,
                                             .callback = See,
                                             .ctx = &ctx });
    assert_true(see != 0);
    ecs_insert(world, ecs_value(Position, { 0, 0 }));
    ecs_progress(world, 0.25f);
    assert_near(seen_delta, 0.25, 0);
    assert_ptr_equal(seen_ctx, &ctx);
    assert_ptr_equal(seen_param, &ctx);
    ecs_run(world, see, 2, &param);
    assert_near(seen_delta, 2, 0);
    assert_ptr_equal(seen_param, &param);
    assert_ran("SS");
}

// SYS-03
static void systems_use_cached_queries(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t move =
        ecs_system(world, { .query.expr = "Position, [in] Velocity", .callback = Move });
    const ecs_system_t *system = ecs_system_get(world, move);
    assert_ptr_equal(ecs_get_world(system), world); /* api/00 2, api/01 1 */
    assert_id_equal(world, ecs_get_entity(system), move);
    assert_true(flecs_poly_is(system, ecs_system_t));
    assert_non_null(system->query);
    assert_ptr_equal(ecs_query_get(world, move), system->query);
    assert_non_null(ecs_query_get_cache_query(system->query));
}

// SYS-04
static void phases_order_systems_whatever_the_order_they_are_made_in(void **state) {
    ecs_world_t *world = *state;
    use(world);
    task(world, EcsPostFrame, D);
    task(world, EcsOnUpdate, C);
    task(world, EcsPreFrame, A);
    task(world, EcsOnLoad, B);
    ecs_progress(world, 1);
    assert_ran("ABCD");
}

// SYS-04
static void a_system_runs_after_the_system_it_depends_on(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t b = ecs_new(world), a = task(world, EcsOnUpdate, A);
    ecs_system(world, { .entity = b, .callback = B });
    ecs_add_id(world, b, ecs_dependson(a));
    ecs_progress(world, 1);
    assert_ran("AB");
}

typedef struct {
    ecs_entity_t systems[150];
    int32_t count;
} order_t;

static void note_system(ecs_iter_t *it) {
    order_t *order = it->ctx;
    order->systems[order->count++] = it->system;
}

// SYS-04: later phases have lower ids, and more ways lead to the first than could be gone one by one.
static void phases_may_be_many_with_many_ways_between_them(void **state) {
    enum { PHASES = 150 };
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t phases[PHASES], systems[PHASES];
    order_t order = { .count = 0 };
    for (int i = 0; i < PHASES; i++) phases[i] = ecs_new_w_id(world, EcsPhase);
    for (int i = 0; i < PHASES; i++) {
        for (int before = i + 1; before <= i + 2 && before < PHASES; before++)
            ecs_add_id(world, phases[i], ecs_dependson(phases[before]));
        systems[i] =
            ecs_system(world, { .phase = phases[i], .callback = note_system, .ctx = &order });
    }
    ecs_progress(world, 1);
    assert_int_equal(order.count, PHASES);
    for (int i = 0; i < PHASES; i++)
        assert_id_equal(world, order.systems[i], systems[PHASES - 1 - i]);
}

// SYS-05
static void equal_depth_keeps_the_order_of_declaration(void **state) {
    ecs_world_t *world = *state;
    use(world);
    task(world, EcsOnUpdate, A);
    task(world, EcsOnUpdate, B);
    task(world, EcsOnUpdate, C);
    ecs_progress(world, 1);
    assert_ran("ABC");
}

// SYS-06
static void changes_between_ticks_take_effect_at_the_next(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t a = task(world, EcsOnUpdate, A);
    ecs_progress(world, 1);
    assert_ran("A");
    ecs_entity_t b = task(world, EcsPreUpdate, B), d = task(world, EcsPreUpdate, D);
    assert_true(b < d);
    ecs_progress(world, 1);
    assert_ran("BDA");
    ecs_delete(world, b);
    ecs_delete(world, d);
    ecs_entity_t c = task(world, EcsPostUpdate, C);
    ecs_progress(world, 1);
    assert_ran("AC");
    ecs_enable(world, c, false);
    ecs_progress(world, 1);
    assert_ran("A");
    ecs_enable(world, c, true);
    ecs_delete(world, a);
    ecs_progress(world, 1);
    assert_ran("C");
}

// SYS-07
static void a_phase_of_ones_own_runs_between_two_others(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t physics = ecs_new_w_id(world, EcsPhase),
                 collisions = ecs_new_w_id(world, EcsPhase);
    ecs_add_id(world, physics, ecs_dependson(EcsOnUpdate));
    ecs_add_id(world, collisions, ecs_dependson(physics));
    task(world, EcsPreStore, D);
    task(world, collisions, C);
    task(world, physics, B);
    task(world, EcsOnUpdate, A);
    ecs_progress(world, 1);
    assert_ran("ABCD");
}

static void disabling_a_phase_leaves_the_later_ones_alone(void **state) {
    ecs_world_t *world = *state;
    use(world);
    task(world, EcsPreUpdate, A);
    task(world, EcsOnUpdate, B);
    task(world, EcsPostUpdate, C);
    ecs_enable(world, EcsOnUpdate, false);
    ecs_progress(world, 1);
    assert_ran("AC");
    ecs_enable(world, EcsOnUpdate, true);
    ecs_progress(world, 1);
    assert_ran("ABC");
}

static float read_x[8];
static int read_count;

static void ReadFar(ecs_iter_t *it) {
    const Position *own = ecs_field(it, Position, 0);
    const Velocity *far = ecs_field(it, Velocity, 1);
    assert_false(ecs_field_is_self(it, 1));
    for (int32_t i = 0; i < it->count; i++) read_x[read_count++] = own[i].x + far->x;
}

// SYS-09
static void fixed_sources_and_traversal_show_what_a_query_shows(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t parent =
        ecs_entity(world, { .name = "Parent", .set = ecs_values(ecs_value(Velocity, { 100, 0 })) });
    ecs_entity_t child =
        ecs_entity(world, { .parent = parent, .set = ecs_values(ecs_value(Position, { 1, 0 })) });
    ecs_system(world, { .query.expr = "[in] Position, [in] Velocity(up ChildOf)",
                          .phase = EcsOnUpdate,
                          .callback = ReadFar });
    ecs_system(world, { .query.expr = "[in] Position, [in] Velocity(Parent)",
                          .phase = EcsOnUpdate,
                          .callback = ReadFar });
    read_count = 0;
    ecs_progress(world, 1);
    assert_int_equal(read_count, 2);
    assert_near(read_x[0], 101, 0);
    assert_near(read_x[1], 101, 0);
    ecs_set(world, parent, Velocity, { 200, 0 });
    ecs_set(world, child, Position, { 2, 0 });
    read_count = 0;
    ecs_progress(world, 1);
    assert_near(read_x[0], 202, 0);
    assert_near(read_x[1], 202, 0);
}

// SYS-10
static void disabled_systems_and_those_of_disabled_modules_are_skipped(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t a = task(world, EcsOnUpdate, A), module = ecs_new(world);
    ecs_entity_t b = task(world, EcsOnUpdate, B);
    ecs_add_id(world, b, ecs_childof(module));
    ecs_enable(world, a, false);
    ecs_progress(world, 1);
    assert_ran("B");
    ecs_enable(world, module, false);
    ecs_progress(world, 1);
    assert_ran("");
    ecs_run(world, a, 0, NULL);
    assert_ran("A"); /* by hand it runs all the same */
}

// SYS-11
static void a_pipeline_can_be_a_query_of_the_user(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ECS_TAG(world, Mine);
    ecs_entity_t b = task(world, EcsPreFrame, B), a = task(world, EcsOnUpdate, A);
    task(world, EcsOnUpdate, C);
    ecs_add_id(world, a, Mine);
    ecs_add_id(world, b, Mine);
    ecs_entity_t pipeline =
        ecs_pipeline(world, { .query.terms = { { .id = EcsSystem }, { .id = Mine } } });
    assert_true(pipeline != 0);
    ecs_entity_t builtin = ecs_get_pipeline(world);
    ecs_set_pipeline(world, pipeline);
    assert_id_equal(world, ecs_get_pipeline(world), pipeline);
    ecs_progress(world, 1);
    assert_ran("BA"); /* by id: b was made first */
    ecs_run_pipeline(world, builtin, 1);
    assert_ran("BAC");
    ecs_pipeline_desc_t others = { .query.terms = { { .id = EcsSystem },
                                       { .id = Mine, .oper = EcsNot }, { .id = EcsOnUpdate } } };
    assert_id_equal(world, ecs_pipeline_update(world, pipeline, &others), pipeline);
    ecs_progress(world, 1);
    assert_ran("C");
    expect_abort(ECS_INVALID_OPERATION, ecs_query_update(world, pipeline, &others.query));
    expect_abort(ECS_INVALID_OPERATION, ecs_query_update(world, a, &others.query));
    expect_abort(ECS_INVALID_OPERATION, ecs_set_version(world, a + (1ull << 32)));
    ecs_remove_pair(world, a, ecs_id(EcsPoly), EcsQuery); /* the system still has it */
    ecs_progress(world, 1);
    assert_ran("C");
    ECS_PIPELINE(world, All, flecs.system.System);
    ecs_run_pipeline(world, All, 1);
    assert_ran("BAC");
    expect_abort(ECS_INVALID_PARAMETER, ecs_pipeline(world, { .query.terms = { { .id = Mine } } }));
    expect_abort_saying(ECS_INVALID_PARAMETER, ") is no pipeline", ecs_set_pipeline(world, a));
    expect_abort_saying(ECS_INVALID_PARAMETER, "(Stray): it is no system",
        ecs_run(world, ecs_entity(world, { .name = "Stray" }), 0, NULL));
}

static void DeleteIt(ecs_iter_t *it) {
    note('D');
    ecs_delete(it->world, *(ecs_entity_t *)it->ctx);
}

// SYS-11: nothing of a pipeline runs behind the merge that deletes it.
static int by_x(ecs_entity_t a, const void *x, ecs_entity_t b, const void *y) {
    (void)a, (void)b;
    float p = ((const Position *)x)->x, q = ((const Position *)y)->x;
    return (p > q) - (p < q);
}

static ecs_entity_t doomed[2];
static void DeleteDoomed(ecs_iter_t *it) {
    note('X');
    for (int i = 0; i < 2; i++) ecs_delete(it->world, doomed[i]);
}

// SYS-06, SYS-11: also when values change, and no system comes or goes.
static void a_pipeline_may_be_ordered_by_values(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t late = task(world, 0, D), a = task(world, 0, A), b = task(world, 0, B);
    ecs_set(world, a, Position, { 2 });
    ecs_set(world, b, Position, { 1 });
    ecs_set(world, late, Position, { 9 });
    ecs_set_pipeline(
        world, ecs_pipeline(world, { .query = { .terms = { { EcsSystem }, { ecs_id(Position) } },
                                         .order_by = ecs_id(Position),
                                         .order_by_callback = by_x } }));
    ecs_progress(world, 1);
    assert_ran("BAD");
    ecs_set(world, a, Position, { 0 });
    ecs_progress(world, 1);
    assert_ran("ABD");
    /* Those that are left have other numbers then. */
    ecs_entity_t immediate = ecs_system(world, { .callback = DeleteDoomed, .immediate = true });
    ecs_set(world, immediate, Position, { 3 });
    doomed[0] = a, doomed[1] = b;
    ecs_progress(world, 1);
    assert_ran("ABXD");
}

// Y before X: entities that systems are grouped by, the later one first.
static uint64_t later_first(ecs_world_t *world, ecs_table_t *table, ecs_id_t rel, void *ctx) {
    (void)ctx;
    ecs_id_t id = 0;
    ecs_search(world, table, ecs_pair(rel, EcsWildcard), &id);
    return UINT32_MAX - (uint32_t)ecs_pair_second(world, id);
}

static int by_id_down(ecs_entity_t a, const void *x, ecs_entity_t b, const void *y) {
    (void)x, (void)y;
    return (a < b) - (a > b);
}

// SYS-11, Q-GRP-02, Q-GRP-09: groups in order, and inside each the order of the query or that of ids.
static void a_pipeline_runs_group_by_group(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ECS_TAG(world, Part);
    ECS_TAG(world, X);
    ECS_TAG(world, Y);
    const ecs_iter_action_t callbacks[] = { A, B, C, D };
    for (int i = 0; i < 4; i++)
        ecs_add_pair(world, task(world, 0, callbacks[i]), Part, i % 2 ? Y : X);
    ecs_pipeline_desc_t desc = { .query = {
                                     .terms = { { EcsSystem }, { ecs_pair(Part, EcsWildcard) } },
                                     .group_by = Part,
                                     .group_by_callback = later_first } };
    ecs_entity_t pipeline = ecs_pipeline_init(world, &desc);
    ecs_run_pipeline(world, pipeline, 1);
    assert_ran("BDAC");
    desc.query.order_by_callback = by_id_down;
    ecs_pipeline_update(world, pipeline, &desc);
    ecs_run_pipeline(world, pipeline, 1);
    assert_ran("DBCA");
    desc.query.order_by_callback = NULL;
    desc.query.group_by_callback = NULL; /* by target */
    ecs_pipeline_update(world, pipeline, &desc);
    ecs_run_pipeline(world, pipeline, 1);
    assert_ran("ACBD");
}

// SYS-11, Q-CAS-03, Q-CAS-07
static void a_pipeline_may_go_up_or_down_its_phases(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t first = ecs_new_w_id(world, EcsPhase), second = ecs_new_w_id(world, EcsPhase);
    ecs_add_pair(world, second, EcsDependsOn, first);
    const ecs_iter_action_t callbacks[] = { A, B, C, D };
    for (int i = 0; i < 4; i++) task(world, i % 2 ? second : first, callbacks[i]);
    ecs_pipeline_desc_t desc = { .query.terms = { { EcsSystem },
                                     { EcsPhase, .src.id = EcsCascade, .trav = EcsDependsOn } } };
    ecs_entity_t pipeline = ecs_pipeline_init(world, &desc);
    ecs_run_pipeline(world, pipeline, 1);
    assert_ran("ACBD");
    desc.query.order_by_callback = by_id_down;
    ecs_pipeline_update(world, pipeline, &desc);
    ecs_run_pipeline(world, pipeline, 1);
    assert_ran("CADB");
    desc.query.order_by_callback = NULL;
    desc.query.terms[1].src.id |= EcsDesc;
    ecs_pipeline_update(world, pipeline, &desc);
    ecs_run_pipeline(world, pipeline, 1);
    assert_ran("BDAC");
}

// SYS-06, SYS-11: also when the system that ran last is among those that leave.
static void an_order_of_values_goes_on_behind_a_system_that_left(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t late = task(world, 0, D), next = task(world, 0, C), first = task(world, 0, A),
                 last = ecs_system(world, { .callback = DeleteDoomed, .immediate = true });
    const ecs_entity_t in_order[] = { first, last, next, late };
    for (int i = 0; i < 4; i++) ecs_set(world, in_order[i], Position, { (float)i });
    ecs_set_pipeline(
        world, ecs_pipeline(world, { .query = { .terms = { { EcsSystem }, { ecs_id(Position) } },
                                         .order_by = ecs_id(Position),
                                         .order_by_callback = by_x } }));
    doomed[0] = first, doomed[1] = last;
    ecs_progress(world, 1);
    assert_ran("AXCD");
    ecs_progress(world, 1);
    assert_ran("CD");
}

// SYS-06, SYS-11: switches and what is beside tables.
static void a_pipeline_may_ask_for_what_changes_without_tables(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ECS_TAG(world, Switch);
    ECS_TAG(world, Beside);
    ecs_add_id(world, Switch, EcsCanToggle);
    ecs_add_id(world, Beside, EcsDontFragment);
    ecs_entity_t systems[] = { task(world, 0, A), task(world, 0, B) };
    for (int i = 0; i < 2; i++) ecs_add_id(world, systems[i], Switch);
    ecs_set_pipeline(world, ecs_pipeline(world, { .query.terms = { { EcsSystem }, { Switch } } }));
    ecs_progress(world, 1);
    ecs_enable_id(world, systems[0], Switch, false);
    ecs_progress(world, 1);
    ecs_enable_id(world, systems[0], Switch, true);
    ecs_progress(world, 1);
    assert_ran("ABBAB");
    ecs_set_pipeline(world, ecs_pipeline(world, { .query.terms = { { EcsSystem }, { Beside } } }));
    ecs_add_id(world, systems[1], Beside);
    ecs_progress(world, 1);
    ecs_add_id(world, systems[0], Beside);
    ecs_progress(world, 1);
    ecs_remove_id(world, systems[1], Beside);
    ecs_progress(world, 1);
    assert_ran("BABA");
}

static void a_pipeline_may_be_deleted_while_it_runs(void **state) {
    ecs_world_t *world = *state;
    static ecs_entity_t mine, start;
    ECS_TAG(world, Mine);
    for (int32_t immediate = 0; immediate < 2; immediate++) {
        mine = ecs_pipeline(world, { .query.terms = { { .id = EcsSystem }, { .id = Mine } } });
        ecs_set_pipeline(world, mine);
        ecs_entity_t deletes =
            ecs_system(world, { .callback = DeleteIt, .ctx = &mine, .immediate = immediate == 1 });
        ecs_entity_t last = ecs_system(world, { .callback = B, .immediate = true });
        ecs_add_id(world, deletes, Mine);
        ecs_add_id(world, last, Mine);
        assert_true(ecs_progress(world, 1));
        assert_ran("D");
        assert_id_equal(world, ecs_get_pipeline(world), 0);
        assert_true(ecs_progress(world, 1));
        assert_ran("");
        ecs_remove_id(world, last, Mine);
        ecs_remove_id(world, deletes, Mine);
    }
    ecs_world_t *other = ecs_init();
    start = ecs_lookup(other, "flecs.pipeline.StartPipeline");
    assert_true(start != 0);
    ecs_system(other, { .phase = EcsOnStart, .callback = DeleteIt, .ctx = &start });
    assert_true(ecs_progress(other, 1));
    assert_ran("D");
    ecs_fini(other);
}

// SYNC-08: a schedule that comes again is that of the systems as they are now.
static void systems_that_are_enabled_again_run_as_they_are_now(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t a = task(world, EcsOnUpdate, A), b = task(world, EcsOnUpdate, B);
    ecs_progress(world, 1);
    char *first = ecs_schedule_str(world, 0);
    for (int i = 0; i < 6; i++) {
        ecs_enable(world, i % 2 ? b : a, i & 2);
        ecs_progress(world, 1);
    }
    assert_ran("ABBAABB");
    ecs_enable(world, a, true);
    ecs_enable(world, b, true);
    ecs_progress(world, 1);
    char *again = ecs_schedule_str(world, 0);
    assert_string_equal(first, again);
    ecs_os_free(first);
    ecs_os_free(again);
    ecs_enable(world, b, false);
    ecs_progress(world, 1);
    ecs_system_update(world, b, &(ecs_system_desc_t){ .callback = C });
    ecs_enable(world, b, true);
    ecs_progress(world, 1);
    ecs_enable(world, a, false);
    ecs_progress(world, 1);
    ecs_delete(world, a);
    a = task(world, EcsPreUpdate, D);
    ecs_progress(world, 1);
    assert_ran("ABAACCDC");
}

static void Update(ecs_iter_t *it) {
    ecs_system_update(it->world, *(ecs_entity_t *)it->ctx, &(ecs_system_desc_t){ .callback = C });
}

static void only_immediate_systems_change_systems(void **state) {
    ecs_world_t *world = *state;
    static ecs_entity_t changed;
    ecs_entity_t updates =
        ecs_system(world, { .phase = EcsOnUpdate, .callback = Update, .ctx = &changed });
    changed = task(world, EcsOnUpdate, B);
    expect_abort_saying(ECS_INVALID_WHILE_READONLY, "cannot be changed", ecs_progress(world, 1));
    ecs_system_update(world, updates, &(ecs_system_desc_t){ .immediate = true });
    ecs_progress(world, 1);
    assert_ran("C");
}

static void OnStart(ecs_iter_t *it) {
    assert_true(it->delta_time == 0);
    note('1');
}

static void on_start_runs_once_before_everything(void **state) {
    ecs_world_t *world = *state;
    use(world);
    task(world, EcsPreFrame, A);
    task(world, EcsOnStart, OnStart);
    ecs_progress(world, 1);
    assert_ran("1A");
    ecs_progress(world, 1);
    task(world, EcsOnStart, OnStart);
    ecs_progress(world, 1);
    assert_ran("AA");
}

// Nothing has ticked by then, and never will again for them.
static void on_start_asks_no_tick_source(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_system(world, { .phase = EcsOnStart, .callback = OnStart, .interval = 1 });
    ecs_system(world, { .phase = EcsOnStart, .callback = OnStart, .rate = 2 });
    ecs_system(world, { .phase = EcsOnStart, .callback = OnStart, .immediate = true, .rate = 2 });
    ecs_system(world, { .phase = EcsOnStart,
                          .callback = OnStart,
                          .tick_source = ecs_set_fixed_step(world, 0, 1, 8) });
    ecs_progress(world, 0.5f);
    assert_ran("1111");
    ecs_progress(world, 1);
    assert_ran("");
}

static void RunAll(ecs_iter_t *it) {
    note('(');
    while (ecs_iter_next(it)) note(it->count ? (char)('0' + it->count) : 'e');
    note(')');
}

static void run_functions_get_the_iterator(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_system(world,
        { .query.terms = { { .id = ecs_id(Position) } }, .phase = EcsOnUpdate, .run = RunAll });
    ecs_progress(world, 1);
    assert_ran(""); /* nothing matches: not active */
    for (int i = 0; i < 3; i++) ecs_insert(world, ecs_value(Position, { 0, 0 }));
    ecs_insert(world, ecs_value(Position, { 0, 0 }), ecs_value(Velocity, { 0, 0 }));
    ecs_progress(world, 1);
    assert_ran("(31)");
    ecs_entity_t only = ecs_system(world, { .query.expr = "[out] Position()", .run = RunAll });
    ecs_run(world, only, 0, NULL);
    assert_ran("(e)");
}

static void Advance(ecs_iter_t *it) {
    expect_abort(ECS_INVALID_OPERATION, ecs_query_next(it));
    expect_abort(ECS_INVALID_OPERATION, ecs_iter_next(it));
#ifndef FLECS_DEBUG
    assert_false(ecs_query_next(it));
#endif
    assert_float_equal(ecs_field(it, Position, 0)->x, 1, 0);
    note('a' + (char)it->count);
}

// In ticks in which everything is where it was, and in others (SYS-01).
static void callbacks_do_not_advance_their_iterator(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ECS_TAG(world, Tag);
    ecs_set(world, ecs_new(world), Position, { 1, 0 });
    ecs_set(world, ecs_new_w_id(world, Tag), Position, { 1, 0 });
    ECS_SYSTEM(world, Advance, EcsOnUpdate, Position);
    ecs_system(world, { .query.expr = "Position, ?Position(up ChildOf)",
                          .callback = Advance,
                          .phase = EcsOnUpdate,
                          .multi_threaded = true });
    for (int tick = 0; tick < 3; tick++) {
        ecs_progress(world, 1);
        assert_ran("bbbb");
    }
    ecs_run(world, ecs_id(Advance), 0, NULL);
    assert_ran("bb");
}

static void terms_without_source_alone_do_not_call_back(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_system(world, { .query.expr = "[out] Position()", .phase = EcsOnUpdate, .callback = A });
    ecs_progress(world, 1);
    assert_ran("");
}

static void tasks_have_a_query_without_terms(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t a = task(world, EcsOnUpdate, A);
    const ecs_query_t *query = ecs_system_get(world, a)->query;
    assert_int_equal(query->term_count, 0);
    assert_false(ecs_query_is_true(query));
    assert_false(ecs_has_id(world, a, EcsEmpty));
    char *text = ecs_query_str(query);
    assert_string_equal(text, "0");
    ecs_os_free(text);
}

static int freed;
static void count_free(void *ctx) {
    (void)ctx;
    freed++;
}

static void contexts_are_freed_with_the_system(void **state) {
    ecs_world_t *world = *state;
    use(world);
    freed = 0;
    int one, two;
    ecs_entity_t a = ecs_system(world, { .callback = A, .ctx = &one, .ctx_free = count_free });
    ecs_system_update(world, a, &(ecs_system_desc_t){ .ctx = &two, .ctx_free = count_free });
    assert_int_equal(freed, 1);
    assert_ptr_equal(ecs_system_get(world, a)->ctx, &two);
    ecs_delete(world, a);
    assert_int_equal(freed, 2);
}

// api/06 §1: what is zero stays, here who frees.
static void a_new_context_is_freed_as_the_old_one_was(void **state) {
    ecs_world_t *world = *state;
    use(world);
    freed = 0;
    int one, two;
    ecs_entity_t a =
        ecs_system(world, { .callback = A, .callback_ctx = &one, .callback_ctx_free = count_free });
    ecs_system_update(world, a, &(ecs_system_desc_t){ .callback_ctx = &two });
    assert_int_equal(freed, 1);
    ecs_delete(world, a);
    assert_int_equal(freed, 2);
}

static void updates_replace_what_they_name(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t a = task(world, EcsOnUpdate, A), b = task(world, EcsOnUpdate, B);
    ecs_add_pair(world, a, EcsDependsOn, ecs_new(world)); /* is no phase */
    ecs_progress(world, 1);
    assert_ran("AB");
    ecs_system_update(world, a, &(ecs_system_desc_t){ .phase = EcsPostUpdate });
    ecs_progress(world, 1);
    assert_ran("BA");
    assert_false(ecs_has_id(world, a, EcsOnUpdate));
    assert_false(ecs_has_pair(world, a, EcsDependsOn, EcsOnUpdate));
    assert_true(ecs_get_target(world, a, EcsDependsOn, 1) != 0);
    ecs_system_update(world, a, &(ecs_system_desc_t){ .phase = EcsPostUpdate, .callback = C });
    ecs_system_update(world, b, &(ecs_system_desc_t){ .rate = 2 });
    ecs_progress(world, 1);
    ecs_progress(world, 1);
    assert_ran("CBC");
    ecs_defer_begin(world); /* the last one counts, also where it waits behind others */
    ecs_system_update(world, a, &(ecs_system_desc_t){ .phase = EcsPostFrame });
    ecs_system_update(world, a, &(ecs_system_desc_t){ .phase = EcsOnStore });
    ecs_system_update(world, a, &(ecs_system_desc_t){ .phase = EcsPreUpdate });
    ecs_defer_suspend(world);
    ecs_add_id(world, b, EcsOnLoad);
    ecs_add_pair(world, b, EcsDependsOn, EcsOnLoad); /* of two phases none stays */
    ecs_system_update(world, b, &(ecs_system_desc_t){ .phase = EcsPreStore });
    ecs_defer_resume(world);
    ecs_defer_end(world);
    ecs_progress(world, 1);
    ecs_progress(world, 1);
    assert_ran("CCB");
    assert_false(ecs_has_id(world, a, EcsOnStore) || ecs_has_id(world, b, EcsOnLoad));
    assert_false(ecs_has_pair(world, b, EcsDependsOn, EcsOnUpdate));
    ecs_entity_t c = task(world, 0, D); /* it gets its first phase */
    ecs_system_update(world, c, &(ecs_system_desc_t){ .phase = EcsPostFrame });
    ecs_progress(world, 1);
    assert_ran("CD");
}

static void pipelines_need_a_query_that_holds(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t made = 1, e = ecs_new(world), tag = ecs_entity(world, { .name = "Mine" });
    ecs_pipeline_desc_t wrong = { .entity = e, .query.expr = "flecs.system.System, NoSuchThing" };
    expect_error(ECS_INVALID_PARAMETER, "", made = ecs_pipeline_init(world, &wrong));
    assert_true(made == 0);
    assert_false(ecs_is_alive(world, e));
    ecs_entity_t pipeline = ecs_pipeline(world, { .query.expr = "flecs.system.System, Mine" });
    expect_error(ECS_INVALID_PARAMETER, "", made = ecs_pipeline_update(world, pipeline, &wrong));
    assert_true(made == 0);
    ecs_add_id(world, task(world, 0, A), tag);
    ecs_set_pipeline(world, pipeline);
    ecs_progress(world, 1);
    assert_ran("A");
}

static void bad_descriptors_are_refused(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t e = ecs_new(world), made = 1;
    expect_error(ECS_INVALID_PARAMETER, "",
        made = ecs_system(world, { .entity = e, .query.expr = "NoSuchThing", .callback = A }));
    assert_true(made == 0);
    assert_false(ecs_is_alive(world, e));
    expect_error(ECS_INVALID_PARAMETER, "interval",
        made = ecs_system(world, { .callback = A, .interval = 1, .rate = 2 }));
    assert_true(made == 0);
    expect_abort(ECS_INVALID_PARAMETER,
        ecs_system(world, { .query.terms = { { .id = ecs_id(Position) } } }));
    ecs_entity_t a = task(world, 0, A);
    expect_abort(ECS_INVALID_PARAMETER, ecs_system(world, { .entity = a, .callback = B }));
    expect_abort_saying(ECS_INVALID_PARAMETER, "not initialised",
        ecs_system_update(world, a, &(ecs_system_desc_t){ ._canary = 1 }));
    ecs_set_name(world, a, "A");
    expect_abort_saying(ECS_INVALID_PARAMETER, "(A) is no pipeline", ecs_run_pipeline(world, a, 1));
    expect_abort_saying(ECS_INVALID_PARAMETER, "not in a stage", /* api/06 §1 */
        ecs_system(ecs_get_stage(world, 0), { .callback = B }));
}

static void MakeSystem(ecs_iter_t *it) {
    note('I');
    if (ecs_get_world_info(it->world)->frame_count_total == 0) {
        task(it->world, EcsPostUpdate, C);
        task(it->world, EcsPreFrame, D); /* its turn is over in this frame */
    }
}

static void systems_made_by_immediate_systems_run_if_they_come_later(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_system(world, { .phase = EcsOnUpdate, .callback = MakeSystem, .immediate = true });
    task(world, EcsOnUpdate, A);
    ecs_progress(world, 1);
    assert_ran("IAC");
    ecs_progress(world, 1);
    assert_ran("DIAC");
}

// SYS-05, SYS-06: also if the query of the pipeline returns the systems in the same order as before.
static void a_system_with_another_phase_has_its_place_among_those_there(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t a = task(world, EcsOnUpdate, A);
    task(world, EcsPreUpdate, B);
    ecs_progress(world, 1);
    assert_ran("BA");
    ecs_remove_pair(world, a, EcsDependsOn, EcsOnUpdate);
    ecs_add_pair(world, a, EcsDependsOn, EcsPreUpdate);
    ecs_progress(world, 1);
    assert_ran("AB");
}

static ecs_entity_t moved;
static void MoveSystem(ecs_iter_t *it) {
    note('M');
    ecs_remove_pair(it->world, moved, EcsDependsOn, EcsOnUpdate);
    ecs_add_pair(it->world, moved, EcsDependsOn, EcsPostUpdate);
}

// SYS-06; api/06 section 3: systems that ran in this frame do not run again.
static void a_system_that_is_moved_behind_runs_once_in_the_frame(void **state) {
    ecs_world_t *world = *state;
    use(world);
    moved = task(world, EcsOnUpdate, A);
    ecs_system(world, { .phase = EcsOnValidate, .callback = MoveSystem, .immediate = true });
    task(world, EcsPostUpdate, B);
    ecs_progress(world, 1);
    assert_ran("AMB");
    ecs_progress(world, 1);
    assert_ran("MAB");
}

static ecs_entity_t victim;
static void DeleteVictim(ecs_iter_t *it) {
    note('X');
    if (ecs_is_alive(it->world, victim)) ecs_delete(it->world, victim);
}

static void a_system_may_delete_another_or_itself(void **state) {
    ecs_world_t *world = *state;
    use(world);
    task(world, EcsOnUpdate, DeleteVictim);
    victim = task(world, EcsPostUpdate, B);
    task(world, EcsPostUpdate, C);
    ecs_progress(world, 1);
    assert_ran("XBC"); /* queued: the merge comes at the end */
    ecs_progress(world, 1);
    assert_ran("XC");
    victim =
        ecs_system(world, { .phase = EcsOnUpdate, .callback = DeleteVictim, .immediate = true });
    ecs_progress(world, 1);
    ecs_progress(world, 1);
    assert_ran("XCXC");
}

static void frames_wait_for_the_target_rate(void **state) {
    ecs_world_t *world = *state;
    ecs_set_target_fps(world, 200);
    uint64_t start = ecs_os_now();
    for (int i = 0; i < 4; i++) ecs_progress(world, 0);
    assert_true(ecs_os_now() - start >= 3 * 5000000u);
    assert_true(ecs_get_world_info(world)->delta_time_raw >= 0.0049f);
}

// A clock of the host, in nanoseconds.
static uint64_t host_ns;
static void host_time(ecs_time_t *time_out) {
    time_out->sec = (uint32_t)(host_ns / 1000000000u);
    time_out->nanosec = (uint32_t)(host_ns % 1000000000u);
}
static void host_sleep(int32_t sec, int32_t nanosec) {
    host_ns += (uint64_t)sec * 1000000000u + (uint64_t)nanosec;
}
static void host_rest(int32_t sec, int32_t nanosec) { (void)sec, (void)nanosec; }

// api/06 §5, §11: frames are measured by get_time_, whatever it counts from.
static void frames_are_measured_by_the_clock_of_the_host(void **state) {
    ecs_world_t *world = *state;
    const ecs_os_api_t before = ecs_os_api;
    ecs_os_api.get_time_ = host_time;
    host_ns = 0;
    ecs_progress(world, 0);
    for (int i = 0; i < 3; i++) {
        host_ns += 250000000;
        ecs_progress(world, 0);
        assert_near(ecs_get_world_info(world)->delta_time_raw, 0.25, 1e-6);
    }
    ecs_os_api = before;
}

static void measure(ecs_world_t *world, void *ctx) {
    (void)ctx;
    ecs_measure_frame_time(world, true);
}

// api/06 5: until a rate is to be kept, which needs it.
static void frames_are_measured_as_long_as_that_is_wanted(void **state) {
    ecs_world_t *world = *state;
    const ecs_world_info_t *info = ecs_get_world_info(world);
    ecs_measure_frame_time(world, true);
    ecs_progress(world, 1);
    const ecs_ftime_t measured = info->frame_time_total;
    assert_true(measured > 0);
    ecs_measure_frame_time(world, false);
    ecs_progress(world, 1);
    assert_near(info->frame_time_total, measured, 0);
    assert_false(ecs_world_get_flags(world) & EcsWorldMeasureFrameTime);
    ecs_set_target_fps(world, 1000);
    ecs_measure_frame_time(world, false);
    assert_true(ecs_world_get_flags(world) & EcsWorldMeasureFrameTime);
}

// What passed in frames that were not measured is not known, and belongs to no other.
static void frames_that_are_not_measured_count_for_no_others(void **state) {
    ecs_world_t *world = *state;
    const ecs_world_info_t *info = ecs_get_world_info(world);
    const ecs_os_api_t before = ecs_os_api;
    ecs_os_api.get_time_ = host_time;
    host_ns = 7000000000u;
    ecs_progress(world, 0);
    for (int i = 0; i < 3; i++) {
        host_ns += 250000000;
        ecs_progress(world, 0.01f);
    }
    ecs_progress(world, 0);
    assert_near(info->delta_time_raw, 1 / 60.0, 1e-6);
    ecs_frame_begin(world, 1);
    ecs_run_post_frame(world, measure, NULL);
    ecs_frame_end(world);
    assert_near(info->frame_time_total, 0, 0);
    ecs_frame_begin(world, 1);
    host_ns += 500000000;
    ecs_frame_end(world);
    assert_near(info->frame_time_total, 0.5, 1e-6);
    ecs_os_api = before;
}

// It may go on only while somebody sleeps, stand still, or be set back: frames come all the same.
static void frames_wait_by_the_clock_of_the_host(void **state) {
    ecs_world_t *world = *state;
    const ecs_os_api_t before = ecs_os_api;
    ecs_os_api.get_time_ = host_time;
    ecs_os_api.sleep_ = host_sleep;
    host_ns = 3000000000u;
    ecs_set_target_fps(world, 50);
    for (int i = 1; i < 4; i++) {
        ecs_progress(world, 0);
        assert_near(ecs_get_world_info(world)->delta_time_raw, 0.02, 1e-6);
    }
    assert_true(host_ns >= 3040000000u && host_ns < 3041000000u);
    host_ns = 0;
    ecs_progress(world, 0);
    assert_true(host_ns < 21000000u);
    ecs_os_api.sleep_ = host_rest;
    ecs_progress(world, 0);
    ecs_os_api = before;
}

// api/00 §11, api/06 §5: who tells how much time passes needs no clock.
static void frames_need_a_clock_only_to_measure(void **state) {
    (void)state;
    const ecs_os_api_t before = ecs_os_api;
    ecs_os_api.get_time_ = NULL;
    ecs_os_api.now_ = NULL;
    ecs_os_api.sleep_ = NULL;
    ecs_world_t *world = ecs_init();
    for (int i = 0; i < 3; i++) assert_true(ecs_progress(world, 1));
    assert_near(ecs_get_world_info(world)->world_time_total, 3, 0);
    expect_abort_saying(ECS_MISSING_OS_API, "get_time_", ecs_progress(world, 0));
    expect_abort(ECS_MISSING_OS_API, ecs_set_target_fps(world, 60));
    expect_abort(ECS_MISSING_OS_API, ecs_measure_frame_time(world, true));
    expect_abort(ECS_MISSING_OS_API, ecs_measure_system_time(world, true));
    expect_abort(ECS_MISSING_OS_API, ecs_trace_begin(world));
    ecs_fini(world);
    ecs_os_api = before;
}

static void nothing_after_the_frame(ecs_world_t *world, void *ctx) {
    (void)world;
    (void)ctx;
}

// api/00 §11: what needs functions of the system that are missing is refused.
static void missing_functions_are_not_called(void **state) {
    (void)state;
    const ecs_os_api_t before = ecs_os_api;
    ecs_os_api.fopen_ = NULL;
    ecs_os_api.fclose_ = NULL;
    ecs_os_api.fread_ = NULL;
    ecs_os_api.get_time_ = NULL;
    ecs_os_api.sleep_ = NULL;
    ecs_os_api.thread_self_ = NULL;
    ecs_os_api.ainc_ = ecs_os_api.adec_ = NULL;
    ecs_world_t *world = ecs_init();
    const int32_t code = ECS_MISSING_OS_API;
    ecs_time_t start = { 1, 2 };
    expect_error(code, "sleep_", ecs_sleepf(0.001));
    expect_error(code, "get_time_", assert_true(ecs_time_measure(&start) == 0));
    assert_int_equal(start.sec, 1);
    expect_error(code, "thread_self_", ecs_exclusive_access_begin(world, "main"));
    ecs_exclusive_access_end(world, false);
    assert_null(ecs_os_open_file("/dev/null", "r"));
    ecs_os_api.fopen_ = before.fopen_;
    ecs_os_api.fclose_ = before.fclose_;
    assert_null(ecs_os_read_file("/dev/null"));
    ecs_os_api.fopen_ = NULL;
    const int32_t unread = ECS_INVALID_PARAMETER;
    expect_error(unread, "fopen_", assert_null(ecs_world_from_json_file(world, "x", NULL)));
    expect_error(unread, "fopen_", assert_int_equal(ecs_recording_begin(world, "x"), -1));
    expect_error(unread, "fopen_", assert_int_equal(ecs_replay(world, "x"), -1));
    ecs_trace_begin(world);
    expect_error(unread, "fopen_", assert_int_equal(ecs_trace_end(world, "x"), -1));
    ecs_read_end(ecs_read_begin(world, ecs_new(world)));
    const int32_t index = flecs_component_ids_index_get();
    assert_int_equal(flecs_component_ids_index_get(), index + 1);
    ecs_frame_begin(world, 1);
    ecs_run_post_frame(world, nothing_after_the_frame, NULL);
    ecs_frame_end(world);
    ecs_fini(world);
    ecs_os_api = before;
}

static void quit_ends_the_loop(void **state) {
    ecs_world_t *world = *state;
    assert_true(ecs_progress(world, 1));
    ecs_quit(world);
    assert_true(ecs_should_quit(world));
    assert_false(ecs_progress(world, 1));
    world = ecs_mini(); /* which has no systems */
    ecs_quit(world);
    assert_true(ecs_should_quit(world));
    ecs_fini(world);
}

static void quit(ecs_iter_t *it) { ecs_quit(it->world); }

static void quit_ends_a_loop_without_frames(void **state) {
    ecs_world_t *world = *state;
    ecs_system(world, { .callback = quit, .phase = EcsOnUpdate, .multi_threaded = true });
    ecs_run_pipeline(world, 0, 1);
    assert_true(ecs_should_quit(world));
}

// What adds up over all ticks would not be a number again.
static void frames_take_a_number_of_seconds(void **state) {
    ecs_world_t *world = *state;
    expect_abort_saying(ECS_INVALID_PARAMETER, "not nan", ecs_progress(world, NAN));
    expect_abort(ECS_INVALID_PARAMETER, ecs_progress(world, INFINITY));
    expect_abort(ECS_INVALID_PARAMETER, ecs_frame_begin(world, -INFINITY));
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_time_scale(world, NAN));
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_time_scale(world, INFINITY));
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_time_scale(world, -1));
}

static void time_is_scaled_and_summed(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity(world, { .name = "See" });
    ecs_system(
        world, { .entity = ecs_lookup(world, "See"), .phase = EcsOnUpdate, .callback = See });
    ecs_set_time_scale(world, 2);
    ecs_progress(world, 0.5f);
    assert_near(seen_delta, 1, 0);
    const ecs_world_info_t *info = ecs_get_world_info(world);
    assert_near(info->delta_time_raw, 0.5, 0);
    assert_near(info->world_time_total, 1, 0);
    assert_int_equal(info->frame_count_total, 1);
    ecs_reset_clock(world);
    assert_near(info->world_time_total, 0, 0);
    ecs_progress(world, 0); /* measured */
    assert_true(info->delta_time_raw > 0);
}

static int post_order[4], post_count;
static void post(ecs_world_t *world, void *ctx) {
    (void)world;
    post_order[post_count++] = *(int *)ctx;
}

static void Post(ecs_iter_t *it) {
    static int one = 1, two = 2;
    ecs_run_post_frame(it->world, post, &one);
    ecs_run_post_frame(it->world, post, &two);
    assert_int_equal(post_count, 0);
}

static void actions_run_after_the_frame(void **state) {
    ecs_world_t *world = *state;
    task(world, EcsOnUpdate, Post);
    post_count = 0;
    ecs_progress(world, 1);
    assert_int_equal(post_count, 2);
    assert_int_equal(post_order[0], 1);
    assert_int_equal(post_order[1], 2);
    expect_abort(ECS_INVALID_OPERATION, ecs_run_post_frame(world, post, NULL));
}

static void note_later(ecs_world_t *world, void *ctx) {
    (void)world;
    note(*(char *)ctx);
}
static void NoteLater(ecs_iter_t *it) { ecs_run_post_frame(it->world, note_later, it->ctx); }
static void submit_later(ecs_world_t *world, void *ctx) {
    ecs_run_post_frame(world, note_later, ctx);
}

// SYNC-06: whoever asks, and in whichever run of a pipeline.
static void actions_run_in_the_order_in_which_they_were_asked_for(void **state) {
    ecs_world_t *world = *state;
    static char letters[] = "SLUXYZ";
    use(world);
    for (int i = 0; i < 2; i++)
        ecs_system(world,
            { .phase = EcsOnStart, .callback = NoteLater, .ctx = &letters[0], .immediate = true });
    ecs_system(world, { .phase = EcsOnUpdate, .callback = NoteLater, .ctx = &letters[2] });
    ecs_system(world,
        { .phase = EcsOnLoad, .callback = NoteLater, .ctx = &letters[1], .multi_threaded = true });
    for (int32_t threads = 0; threads < 4; threads += 3) {
        ecs_set_threads(world, threads);
        ecs_submit(world, submit_later, &letters[3], NULL);
        ecs_progress(world, 1);
        assert_ran(threads ? "XLU" : "XSSLU");
        ecs_frame_begin(world, 1);
        ecs_run_post_frame(world, note_later, &letters[4]);
        ecs_run_pipeline(world, 0, 1);
        ecs_set_threads(world, threads + 1);
        ecs_run_post_frame(world, note_later, &letters[5]);
        ecs_run_pipeline(world, 0, 1);
        ecs_frame_end(world);
        assert_ran("YLUZLU");
    }
}

static void never(ecs_world_t *world, void *ctx) { (void)world, (void)ctx, note('!'); }
static void note_end(void *ctx) { note(*(char *)ctx); }
static void SubmitNever(ecs_iter_t *it) { ecs_submit(it->world, never, it->ctx, note_end); }

static void what_waits_for_the_end_of_a_frame_ends_with_the_world(void **state) {
    (void)state;
    static char letter = 'E';
    const int64_t live = memory_live();
    ecs_world_t *world = ecs_init();
    use(world);
    ecs_system(world,
        { .phase = EcsOnUpdate, .callback = SubmitNever, .ctx = &letter, .multi_threaded = true });
    ecs_frame_begin(world, 1);
    ecs_run_pipeline(world, 0, 1);
    assert_ran("");
    ecs_fini(world);
    assert_ran("E");
    assert_true(memory_live() == live);
}

static void EndFrame(ecs_iter_t *it) { ecs_frame_end(it->world); }

static void a_frame_does_not_end_under_its_systems(void **state) {
    ecs_world_t *world = *state;
    task(world, EcsOnUpdate, EndFrame);
    expect_abort_saying(ECS_INVALID_OPERATION, "systems still run", ecs_progress(world, 1));
}

static void EndSelf(ecs_iter_t *it) {
    ecs_defer_suspend(it->world);
    ecs_delete(it->world, it->system);
    ecs_defer_resume(it->world);
}

static void systems_that_run_end_by_commands_only(void **state) {
    ecs_world_t *world = *state;
    ecs_system(world, { .phase = EcsOnUpdate, .callback = EndSelf, .immediate = true });
    expect_abort_saying(ECS_INVALID_OPERATION, "leave that to commands", ecs_progress(world, 1));
}

static void MakeAnother(ecs_iter_t *it) {
    ecs_system(it->world, { .phase = EcsOnUpdate, .callback = EndFrame });
}

static void MakePipeline(ecs_iter_t *it) {
    ecs_pipeline(it->world, { .query.terms = { { .id = EcsSystem } } });
}

// SYS-11: what is run is not made under those that run, unless they act alone.
static void systems_and_pipelines_are_made_between_systems(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t makers[] = { task(world, EcsOnUpdate, MakeAnother),
        task(world, EcsOnUpdate, MakePipeline) };
    for (int i = 0; i < 2; i++) {
        ecs_enable(world, makers[1 - i], false);
        ecs_enable(world, makers[i], true);
        expect_abort_saying(
            ECS_INVALID_WHILE_READONLY, "while systems run", ecs_progress(world, 1));
    }
    ecs_system_update(world, makers[1], &(ecs_system_desc_t){ .immediate = true });
    ecs_progress(world, 1);
}

static ecs_query_t *ended_query;

static void EndQuery(ecs_iter_t *it) {
    (void)it;
    ecs_query_fini(ended_query);
}

static void HookPosition(ecs_iter_t *it) {
    ecs_set_hooks_id(it->world, ecs_id(Position), &(ecs_type_hooks_t){ .on_set = EndFrame });
}

static void what_all_threads_look_at_stays_while_they_do(void **state) {
    ecs_world_t *world = *state;
    use(world);
    const ecs_iter_action_t callbacks[] = { EndQuery, HookPosition };
    ecs_entity_t system = ecs_system(world, { .phase = EcsOnUpdate,
                                                .query.terms = { { ecs_id(Position) } },
                                                .callback = EndFrame,
                                                .multi_threaded = true });
    ecs_set(world, ecs_new(world), Position, { 1, 2 });
    ended_query = ecs_query(world, { .terms = { { ecs_id(Position) } } });
    for (int i = 0; i < 2; i++) {
        ecs_system_update(world, system, &(ecs_system_desc_t){ .callback = callbacks[i] });
        expect_abort_saying(
            ECS_INVALID_WHILE_READONLY, "on several threads", ecs_progress(world, 1));
    }
    ecs_query_fini(ended_query);
    expect_abort_saying(ECS_INVALID_PARAMETER, "finite", ecs_set_target_fps(world, INFINITY));
    expect_abort_saying(
        ECS_INVALID_PARAMETER, "number of seconds", ecs_run_pipeline(world, 0, NAN));
}

static void actions_stay_asked_for_when_threads_come_and_go(void **state) {
    ecs_world_t *world = *state;
    int number[] = { 1, 2, 3 };
    post_count = 0;
    ecs_set_threads(world, 2);
    ecs_frame_begin(world, 1);
    ecs_run_post_frame(world, post, &number[0]);
    ecs_run_post_frame(world, post, &number[1]);
    ecs_set_threads(world, 4);
    ecs_run_post_frame(world, post, &number[2]);
    ecs_set_threads(world, 1);
    ecs_frame_end(world);
    assert_int_equal(post_count, 3);
    for (int i = 0; i < 3; i++) assert_int_equal(post_order[i], number[i]);
}

static void Interrupt(ecs_iter_t *it) {
    note('I');
    it->interrupted_by = it->entities[0];
}

static void RunInterrupt(ecs_iter_t *it) {
    while (ecs_iter_next(it)) Interrupt(it);
    note('.');
}

// api/06 §1: of those who interrupt, only run functions get no more results.
static void interrupted_systems_tell_by_whom(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ECS_TAG(world, Mark);
    ecs_entity_t first = ecs_new_w(world, Position), second = ecs_new_w(world, Position);
    ecs_add(world, second, Mark);
    for (int multi_threaded = 0; multi_threaded < 2; multi_threaded++) {
        ecs_system_desc_t desc = {
            .query.expr = "Position", .callback = Interrupt, .multi_threaded = multi_threaded == 1
        };
        ecs_entity_t calls = ecs_system_init(world, &desc);
        desc.callback = NULL;
        desc.run = RunInterrupt;
        ecs_entity_t runs = ecs_system_init(world, &desc);
        assert_id_equal(world, ecs_run(world, calls, 1, NULL), second);
        assert_ran("II");
        assert_id_equal(world, ecs_run(world, runs, 1, NULL), first);
        assert_ran("I.");
        assert_id_equal(world, ecs_run_worker(world, runs, 0, 2, 1, NULL), first);
        assert_ran("I.");
    }
    ecs_add(world, first, Mark); /* nobody iterates any more */
    assert_true(ecs_has(world, first, Mark));
}

static void sum_entities(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) *(uint64_t *)it->ctx += it->entities[i];
}

// Q-GRP-05
static void a_system_can_be_limited_to_a_group(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t rel = ecs_new(world), first = ecs_new(world), second = ecs_new(world);
    ecs_entity_t a = ecs_new_w_pair(world, rel, first), b = ecs_new_w_pair(world, rel, second);
    ecs_add(world, a, Position);
    ecs_add(world, b, Position);
    ecs_set_threads(world, 2);
    for (int multi_threaded = 0; multi_threaded < 2; multi_threaded++) {
        uint64_t sum = 0;
        ecs_entity_t system =
            ecs_system(world, { .query = { .terms = { { ecs_id(Position) } }, .group_by = rel },
                                  .phase = EcsOnUpdate,
                                  .callback = sum_entities,
                                  .ctx = &sum,
                                  .multi_threaded = multi_threaded });
        ecs_progress(world, 1);
        assert_int_equal(sum, a + b);
        ecs_system_set_group(world, system, second);
        ecs_progress(world, 1);
        assert_int_equal(sum, a + b + b);
        ecs_system_set_group(world, system, 4711);
        ecs_progress(world, 1);
        assert_int_equal(sum, a + b + b);
        ecs_delete(world, system);
    }
}

static void run_results(ecs_iter_t *it) {
    while (ecs_iter_next(it)) {
        for (int i = 0; i < it->count; i++) note('0' + (char)ecs_field(it, Position, 0)[i].x);
    }
    note(' ');
}

// SYS-01: also when nothing changed since the last tick.
static void run_functions_get_all_results_in_each_tick(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Position) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    for (int i = 0; i < 3; i++) ecs_insert(world, ecs_value(Position, { (float)i, 0 }));
    ecs_system(world, { .query.expr = "Position", .phase = EcsOnUpdate, .run = run_results });
    ecs_system(world, { .query.expr = "Position", .phase = EcsOnUpdate, .callback = C });
    int64_t total = ecs_get_world_info(world)->systems_ran_total;
    for (int i = 0; i < 4; i++) ecs_progress(world, 1);
    assert_ran("012 C012 C012 C012 C");
    assert_int_equal(ecs_get_world_info(world)->systems_ran_total - total, 8);
}

// On the main thread, what is measured runs all the same.
static void measured_systems_run_as_others(void **state) {
    ecs_world_t *world = *state;
    ecs_system(world, { .phase = EcsOnUpdate, .callback = A });
    ecs_system(world, { .phase = EcsOnUpdate, .callback = B, .immediate = true });
    ecs_measure_system_time(world, true);
    ecs_progress(world, 1);
    assert_ran("AB");
    ecs_measure_system_time(world, false);
    ecs_trace_begin(world);
    ecs_progress(world, 1);
    ecs_trace_end(world, NULL);
    assert_ran("AB");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(a_system_can_be_limited_to_a_group),
        world_test(measured_systems_run_as_others),
        world_test(run_functions_get_all_results_in_each_tick),
        world_test(a_system_moves_all_that_match_once_per_tick),
        world_test(a_system_gets_what_it_asks_of_itself),
        world_test(what_a_system_changes_is_deferred_without_asking),
        world_test(a_descriptor_makes_a_system_with_context),
        world_test(systems_use_cached_queries),
        world_test(phases_order_systems_whatever_the_order_they_are_made_in),
        world_test(a_system_runs_after_the_system_it_depends_on),
        world_test(phases_may_be_many_with_many_ways_between_them),
        world_test(equal_depth_keeps_the_order_of_declaration),
        world_test(changes_between_ticks_take_effect_at_the_next),
        world_test(a_phase_of_ones_own_runs_between_two_others),
        world_test(disabling_a_phase_leaves_the_later_ones_alone),
        world_test(fixed_sources_and_traversal_show_what_a_query_shows),
        world_test(disabled_systems_and_those_of_disabled_modules_are_skipped),
        world_test(a_pipeline_can_be_a_query_of_the_user),
        world_test(a_pipeline_may_be_ordered_by_values),
        world_test(a_pipeline_runs_group_by_group),
        world_test(a_pipeline_may_go_up_or_down_its_phases),
        world_test(an_order_of_values_goes_on_behind_a_system_that_left),
        world_test(a_pipeline_may_ask_for_what_changes_without_tables),
        world_test(a_pipeline_may_be_deleted_while_it_runs),
        world_test(systems_that_are_enabled_again_run_as_they_are_now),
        world_test(only_immediate_systems_change_systems),
        world_test(on_start_runs_once_before_everything),
        world_test(on_start_asks_no_tick_source),
        world_test(run_functions_get_the_iterator),
        world_test(callbacks_do_not_advance_their_iterator),
        world_test(terms_without_source_alone_do_not_call_back),
        world_test(tasks_have_a_query_without_terms),
        world_test(contexts_are_freed_with_the_system),
        world_test(a_new_context_is_freed_as_the_old_one_was),
        world_test(updates_replace_what_they_name),
        world_test(bad_descriptors_are_refused),
        world_test(pipelines_need_a_query_that_holds),
        world_test(systems_made_by_immediate_systems_run_if_they_come_later),
        world_test(a_system_with_another_phase_has_its_place_among_those_there),
        world_test(a_system_that_is_moved_behind_runs_once_in_the_frame),
        world_test(a_system_may_delete_another_or_itself),
        world_test(frames_wait_for_the_target_rate),
        world_test(frames_are_measured_by_the_clock_of_the_host),
        world_test(frames_are_measured_as_long_as_that_is_wanted),
        world_test(frames_that_are_not_measured_count_for_no_others),
        world_test(frames_wait_by_the_clock_of_the_host),
        cmocka_unit_test(frames_need_a_clock_only_to_measure),
        cmocka_unit_test(missing_functions_are_not_called),
        world_test(quit_ends_the_loop),
        world_test(quit_ends_a_loop_without_frames),
        world_test(time_is_scaled_and_summed),
        world_test(frames_take_a_number_of_seconds),
        world_test(actions_run_after_the_frame),
        world_test(actions_run_in_the_order_in_which_they_were_asked_for),
        cmocka_unit_test(what_waits_for_the_end_of_a_frame_ends_with_the_world),
        world_test(a_frame_does_not_end_under_its_systems),
        world_test(systems_that_run_end_by_commands_only),
        world_test(systems_and_pipelines_are_made_between_systems),
        world_test(interrupted_systems_tell_by_whom),
        world_test(actions_stay_asked_for_when_threads_come_and_go),
        world_test(what_all_threads_look_at_stays_while_they_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
