// SPDX-License-Identifier: MIT
// Sync points: features.md area SYNC, and the table of worked examples for merges.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Game {
    int32_t score;
} Game;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);
static ECS_COMPONENT_DECLARE(Game);

static void use(ecs_world_t *world) {
    ecs_id(Position) = ecs_id(Velocity) = ecs_id(Game) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ECS_COMPONENT_DEFINE(world, Game);
}

static void nothing(ecs_iter_t *it) { (void)it; }

// Merges of one tick with the given two systems; the one at the end counts.
static int64_t merges_of(ecs_world_t *world) {
    const ecs_world_info_t *info = ecs_get_world_info(world);
    ecs_progress(world, 1);
    int64_t before = info->merge_count_total;
    ecs_progress(world, 1);
    return info->merge_count_total - before;
}

typedef struct merge_case_t {
    const char *a, *b;
    bool a_mt, b_mt, a_immediate;
    int64_t merges; /* of the whole tick */
} merge_case_t;

static void add_system(ecs_world_t *world, const char *expr, bool mt, bool immediate) {
    ecs_entity_t system = ecs_system(world, { .query.expr = expr,
                                                .phase = EcsOnUpdate,
                                                .callback = nothing,
                                                .multi_threaded = mt,
                                                .immediate = immediate });
    assert_true(system != 0);
}

static void check_case(const merge_case_t *c) {
    ecs_world_t *world = ecs_init();
    use(world);
    static const char *const names[] = { "Likes", "Eats", "Apples" };
    for (size_t i = 0; i < 3; i++) ecs_entity(world, { .name = names[i] });
    ecs_entity(world, { .name = "Thing", .set = ecs_values(ecs_value(Position, { 0, 0 })) });
    ecs_insert(world, ecs_value(Position, { 0, 0 }), ecs_value(Velocity, { 0, 0 }),
        ecs_value(Game, { 0 }));
    add_system(world, c->a, c->a_mt, c->a_immediate);
    add_system(world, c->b, c->b_mt, false);
    int64_t merges = merges_of(world);
    if (merges != c->merges) {
        char *text = ecs_schedule_str(world, 0);
        print_error("'%s' then '%s': %lld merges, expected %lld\n%s", c->a, c->b, (long long)merges,
            (long long)c->merges, text);
        ecs_os_free(text);
    }
    assert_int_equal(merges, c->merges);
    ecs_fini(world);
}

// SYNC-02, SYNC-03, Q-ACC-10
static void merges_are_where_the_rules_say(void **state) {
    (void)state;
    const merge_case_t cases[] = {
        { .a = "Position", .b = "Position", .merges = 1 },
        { .a = "Game, [out] Position()", .b = "Position", .merges = 2 },
        { .a = "Game, [out] Position()", .b = "Game, [in] Position()", .merges = 2 },
        { .a = "Game, [out] Position()", .b = "Velocity", .merges = 1 },
        { .a = "Position, [out] Velocity()", .b = "Game, [out] Velocity()", .merges = 1 },
        { .a = "Game, [inout] Position()", .b = "Game, [inout] Position()", .merges = 2 },
        { .a = "Thing, [out] !Position",
            .b = "Position",
            .merges = 1 }, /* the first matches nothing */
        { .a = "Game, [out] *()", .b = "Position", .merges = 2 },
        { .a = "Game, [out] (Likes, *)()", .b = "Game, ?(Likes, Apples)", .merges = 2 },
        { .a = "Game, [out] (Likes, *)()", .b = "Game, ?(Eats, Apples)", .merges = 1 },
        { .a = "Game, [out] Position()", .b = "Game, [in] *()", .merges = 2 },
        { .a = "Game, [out] Position()", .b = "[none] Position", .merges = 2 },
        { .a = "Game, [out] Position()", .b = "Velocity, [filter] Position", .merges = 1 },
        { .a = "Game, Position(Thing)", .b = "Game, Position(Thing)", .merges = 1 },
        { .a = "Game, [out] Position(Thing)", .b = "Game, Position(Thing)", .merges = 2 },
        { .a = "Position", .b = "Position", .a_mt = true, .merges = 2 },
        { .a = "Position", .b = "Position", .a_mt = true, .b_mt = true, .merges = 1 },
        { .a = "Position", .b = "Position", .a_immediate = true, .merges = 2 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) check_case(&cases[i]);
}

// SYNC-02: a system that declares to add what it does not have
static void out_not_is_a_staged_write(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    use(world);
    ecs_insert(world, ecs_value(Velocity, { 0, 0 }));
    ecs_insert(world, ecs_value(Position, { 0, 0 }));
    add_system(world, "Velocity, [out] !Position", false, false);
    add_system(world, "Position", false, false);
    assert_int_equal(merges_of(world), 2);
    ecs_fini(world);
}

// SYNC-02: ids with wildcards are compared both ways
static void a_staged_wildcard_pair_is_read_by_any_pair_it_covers(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    use(world);
    ECS_TAG(world, R);
    ECS_TAG(world, X);
    ecs_insert(world, ecs_value(Game, { 0 }));
    ecs_add_pair(world, ecs_new(world), R, X);
    ecs_system(world, { .phase = EcsOnUpdate,
                          .callback = nothing,
                          .query.terms = { { .id = ecs_id(Game) }, { .first.id = R,
                                                                       .second.id = EcsWildcard,
                                                                       .src.id = EcsIsEntity,
                                                                       .inout = EcsOut } } });
    add_system(world, "(R, X)", false, false);
    assert_int_equal(merges_of(world), 2);
    ecs_fini(world);
}

// SYNC-02: a member that is compared is read with its component.
static void a_staged_component_is_read_by_who_asks_for_a_member(void **state) {
    ecs_world_t *world = *state;
    use(world);
    const ecs_entity_t link =
        ecs_struct(world, { .entity = ecs_entity(world, { .name = "Link" }),
                              .members = { { "to", ecs_id(ecs_entity_t) } } });
    const ecs_entity_t e = ecs_insert(world, ecs_value(Position, { 0, 0 }));
    ecs_set_id(world, e, link, sizeof(ecs_entity_t), &(ecs_entity_t){ e });
    add_system(world, "[in] Position, [out] Link()", false, false);
    add_system(world, "(Link.to, $x)", false, false);
    assert_int_equal(merges_of(world), 2);
}

// SYNC-02: who asks for something asks for its kinds as well.
static void a_staged_kind_is_read_by_who_asks_for_what_it_is_one_of(void **state) {
    ecs_world_t *world = *state;
    use(world);
    const ecs_entity_t unit = ecs_entity(world, { .name = "Unit" });
    const ecs_entity_t melee = ecs_entity(world, { .name = "Melee" });
    const ecs_entity_t knight = ecs_entity(world, { .name = "Knight" });
    ecs_entity(world, { .name = "Mage" });
    ecs_add_pair(world, melee, EcsIsA, unit);
    ecs_add_pair(world, knight, EcsIsA, melee);
    ecs_new_w_id(world, unit);
    ecs_insert(world, ecs_value(Position, { 0, 0 }));
    add_system(world, "[in] Position, [out] Mage()", false, false);
    add_system(world, "Unit", false, false);
    assert_int_equal(merges_of(world), 1);
    add_system(world, "[in] Position, [out] Knight()", false, false);
    add_system(world, "Unit|self($this)", false, false); /* kinds do not count */
    assert_int_equal(merges_of(world), 1);
    add_system(world, "Unit", false, false);
    assert_int_equal(merges_of(world), 2);
}

// SYNC-02, Q-CIN-08
static void a_staged_pair_is_read_by_who_asks_for_what_its_target_is_one_of(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity(world, { .name = "Likes" });
    const ecs_entity_t unit = ecs_entity(world, { .name = "Unit" });
    const ecs_entity_t knight = ecs_entity(world, { .name = "Knight" });
    ecs_insert(world, ecs_value(Position, { 0, 0 }));
    add_system(world, "[in] Position, [out] Likes(#0, Knight)", false, false);
    add_system(world, "(Likes, Unit)", false, false);
    assert_int_equal(merges_of(world), 1);
    ecs_add_pair(world, knight, EcsIsA, unit);
    assert_int_equal(merges_of(world), 2);
}

// ... which may be none, or be gone by now.
static void targets_need_not_be_entities(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity(world, { .name = "Likes" });
    ecs_entity_t gone = ecs_entity(world, { .name = "Gone" });
    ecs_insert(world, ecs_value(Position, { 0, 0 }));
    add_system(world, "[in] Position, [out] Likes(#0, Gone)", false, false);
    add_system(world, "[in] Position, ?Likes($this, Gone)", false, false);
    add_system(world, "[in] Position, (ChildOf, 0)", false, false);
    assert_int_equal(merges_of(world), 2);
    ecs_delete(world, gone);
    ecs_add_pair(world, ecs_lookup(world, "Likes"), EcsIsA, ecs_new(world)); /* all look again */
    assert_int_equal(merges_of(world), 2);
}

static ecs_entity_t new_kind, new_base;
static int32_t units_seen;
static void BecomeKind(ecs_iter_t *it) { ecs_add_pair(it->world, new_kind, EcsIsA, new_base); }
static void AddKind(ecs_iter_t *it) { ecs_add_id(it->world, ecs_new(it->world), new_kind); }
static void CountUnits(ecs_iter_t *it) { units_seen += it->count; }

// SYNC-02, SYNC-04: in the tick in which it becomes one, by itself or by what it is one of.
static void what_becomes_a_kind_is_read_from_then_on(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t unit = ecs_entity(world, { .name = "Unit" });
    const ecs_entity_t melee = ecs_entity(world, { .name = "Melee" });
    new_kind = ecs_entity(world, { .name = "Knight" }), new_base = melee;
    ecs_new_w_id(world, unit);
    ecs_entity_t become =
        ecs_system(world, { .phase = EcsOnLoad, .callback = BecomeKind, .immediate = true });
    ecs_enable(world, become, false);
    ecs_system(world, { .query.expr = "[in] Unit|self, [out] Knight()",
                          .phase = EcsOnUpdate,
                          .callback = AddKind });
    ecs_system(world, { .query.expr = "Unit", .phase = EcsOnUpdate, .callback = CountUnits });
    assert_int_equal(merges_of(world), 1);
    ecs_add_pair(world, melee, EcsIsA, unit);
    assert_int_equal(merges_of(world), 1);
    ecs_enable(world, become, true);
    units_seen = 0;
    ecs_progress(world, 1);
    assert_int_equal(units_seen, 1 + 5);
    assert_int_equal(merges_of(world), 3);
    ecs_enable(world, become, false);
    assert_int_equal(merges_of(world), 2);
    ecs_remove_pair(world, melee, EcsIsA, unit);
    ecs_progress(world, 1);
    ecs_add_pair(world, melee, EcsIsA, unit); /* of which there is a kind */
    units_seen = 0;
    ecs_progress(world, 1);
    assert_int_equal(units_seen, 1 + 11);
}

static void AddVelocity(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) {
        ecs_set(it->world, it->entities[i], Velocity, { 1, 1 });
        assert_false(ecs_has(it->world, it->entities[i], Velocity)); /* SYNC-01 */
    }
}

static int32_t seen_velocities;
static void CountVelocity(ecs_iter_t *it) { seen_velocities += it->count; }

// SYNC-01, SYNC-04, SYNC-05
static void a_later_system_sees_what_was_queued_in_the_same_tick(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t e = ecs_insert(world, ecs_value(Position, { 0, 0 }));
    ecs_system(world, { .query.expr = "Position, [out] Velocity()",
                          .phase = EcsOnUpdate,
                          .callback = AddVelocity });
    ecs_system(
        world, { .query.expr = "Velocity", .phase = EcsOnUpdate, .callback = CountVelocity });
    seen_velocities = 0;
    ecs_progress(world, 1);
    assert_int_equal(seen_velocities, 1);
    assert_true(ecs_has(world, e, Velocity));
}

// SYNC-05
static void everything_is_applied_at_the_end_of_the_tick(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t e = ecs_insert(world, ecs_value(Position, { 0, 0 }));
    ecs_system(world, { .query.expr = "Position", .phase = EcsPostFrame, .callback = AddVelocity });
    ecs_progress(world, 1);
    assert_true(ecs_has(world, e, Velocity));
    assert_false(ecs_is_deferred(world));
}

// Sheet 06: there is always a merge at the end.
static void a_tick_with_nothing_to_run_merges_once(void **state) {
    ecs_world_t *world = *state;
    use(world);
    assert_int_equal(merges_of(world), 1);
    ecs_entity_t system =
        ecs_system(world, { .query.expr = "Position", .phase = EcsOnUpdate, .callback = nothing });
    assert_int_equal(merges_of(world), 1); /* inactive */
    ecs_new_w(world, Position);
    assert_int_equal(merges_of(world), 1);
    ecs_enable(world, system, false);
    assert_int_equal(merges_of(world), 1);
}

#define MANY 5000

static void SetTwice(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) {
        ecs_entity_t e = it->entities[i];
        ecs_set(it->world, e, Velocity, { 1, 0 });
        ecs_remove(it->world, e, Velocity);
        ecs_set(it->world, e, Velocity, { 2, 0 });
        /* The last in the order of rows wins. */
        ecs_set(it->world, ecs_id(Game), Game, { (int32_t)(e & 0xFFFF) });
    }
}

// SYNC-06, SYNC-07
static void queues_of_workers_are_applied_in_a_fixed_order(void **state) {
    (void)state;
    for (int32_t threads = 1; threads <= 8; threads *= 2) {
        ecs_world_t *world = ecs_init();
        use(world);
        ecs_singleton_set(world, Game, { 0 });
        const ecs_entity_t *made = ecs_bulk_new(world, Position, MANY);
        ecs_entity_t first = made[0], last = made[MANY - 1];
        ecs_set_threads(world, threads);
        ecs_system(world, { .query.expr = "Position",
                              .phase = EcsOnUpdate,
                              .callback = SetTwice,
                              .multi_threaded = true });
        ecs_progress(world, 1);
        assert_int_equal(ecs_singleton_get(world, Game)->score, (int32_t)(last & 0xFFFF));
        assert_near(ecs_get(world, first, Velocity)->x, 2, 0);
        assert_near(ecs_get(world, last, Velocity)->x, 2, 0);
        assert_int_equal(ecs_count(world, Velocity), MANY);
        ecs_fini(world);
    }
}

// SYNC-08
static void a_schedule_is_made_once(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_insert(world, ecs_value(Position, { 0, 0 }));
    add_system(world, "Position", true, false);
    add_system(world, "Position", false, false);
    ecs_progress(world, 1);
    const ecs_world_info_t *info = ecs_get_world_info(world);
    int64_t builds = info->pipeline_build_count_total;
    for (int i = 0; i < 10; i++) {
        ecs_insert(world, ecs_value(Position, { 0, 0 }), ecs_value(Velocity, { 0, 0 }));
        ecs_progress(world, 1);
    }
    assert_int_equal(info->pipeline_build_count_total, builds);
    add_system(world, "Velocity", false, false);
    ecs_progress(world, 1);
    assert_int_equal(info->pipeline_build_count_total, builds + 1);
}

static int by_x(ecs_entity_t a, const void *x, ecs_entity_t b, const void *y) {
    (void)a, (void)b;
    float p = ((const Position *)x)->x, q = ((const Position *)y)->x;
    return (p > q) - (p < q);
}

// SYNC-08, Q-SRT-05: nor is it made anew where systems are ordered by a value that they could change.
static void a_schedule_in_an_order_of_values_is_made_once(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t systems[2];
    for (int i = 0; i < 2; i++) {
        systems[i] = ecs_system(
            world, { .query.expr = "[in] Velocity", .callback = nothing, .multi_threaded = true });
        ecs_set(world, systems[i], Position, { (float)-i, 0 });
    }
    ecs_insert(world, ecs_value(Velocity, { 0, 0 }));
    ecs_set_pipeline(
        world, ecs_pipeline(world, { .query = { .terms = { { EcsSystem }, { ecs_id(Position) } },
                                         .order_by = ecs_id(Position),
                                         .order_by_callback = by_x } }));
    ecs_progress(world, 1);
    int64_t builds = ecs_get_world_info(world)->pipeline_build_count_total;
    for (int i = 0; i < 10; i++) ecs_progress(world, 1);
    assert_int_equal(ecs_get_world_info(world)->pipeline_build_count_total, builds);
    ecs_set(world, systems[0], Position, { -2, 0 });
    ecs_progress(world, 1);
    assert_int_equal(ecs_get_world_info(world)->pipeline_build_count_total, builds + 1);
}

static void the_schedule_says_why_there_is_a_merge(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_insert(world, ecs_value(Position, { 0, 0 }), ecs_value(Velocity, { 0, 0 }));
    ecs_entity_t a = ecs_entity(world, { .name = "Thrust" }),
                 b = ecs_entity(world, { .name = "Move" });
    ecs_system(world, { .entity = a,
                          .query.expr = "Position, [out] Velocity()",
                          .phase = EcsOnUpdate,
                          .callback = nothing });
    ecs_system(world, { .entity = b,
                          .query.expr = "Position, [in] Velocity",
                          .phase = EcsOnUpdate,
                          .callback = nothing });
    char *text = ecs_schedule_str(world, 0);
    assert_non_null(strstr(text, "merge: Move uses Velocity, which Thrust queues"));
    assert_non_null(strstr(text, "merge: the pipeline ends"));
    ecs_os_free(text);
    char *dot = ecs_schedule_dot(world, 0);
    assert_non_null(strstr(dot, "digraph"));
    assert_non_null(strstr(dot, "label=\"merge: Move uses Velocity, which Thrust queues\"];"));
    ecs_os_free(dot);
    ecs_set_name(world, a, "Full \"thrust\"\\");
    dot = ecs_schedule_dot(world, 0);
    assert_non_null(strstr(dot, "[label=\"Full \\\"thrust\\\"\\\\\"];"));
    ecs_os_free(dot);
}

// Nodes of workers, and why one waits for another.
static void the_schedule_says_why_systems_wait(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t parent = ecs_insert(world, ecs_value(Position, { 0, 0 }));
    ecs_add_pair(world, ecs_insert(world, ecs_value(Velocity, { 0, 0 })), EcsChildOf, parent);
    static const char *const names[] = { "Push", "Steer" }, *const exprs[] = { "Position",
        "Velocity, [in] Position(up)" };
    for (int i = 0; i < 2; i++) {
        ecs_system(world, { .entity = ecs_entity(world, { .name = names[i] }),
                              .query.expr = exprs[i],
                              .phase = EcsOnUpdate,
                              .callback = nothing,
                              .multi_threaded = true });
    }
    char *text = ecs_schedule_str(world, 0), *dot = ecs_schedule_dot(world, 0);
    const char *why = strstr(text, "  node 1: Steer, 1 quanta\n    after node 0: ");
    assert_non_null(why);
    why = strstr(why, "Steer reads Position, which Push writes, beyond its own rows\n");
    assert_non_null(why);
    assert_non_null(strstr(dot, "n0_1 [label=\"Steer\\n1 quanta\"];"));
    assert_non_null(strstr(dot, "n0_0 -> n0_1 [label=\"Steer reads Position, which Push writes, "));
    ecs_os_free(text);
    ecs_os_free(dot);
}

// Pairs with any target may have values, unless the relationship says otherwise.
static void the_schedule_names_the_trait_that_would_help(void **state) {
    ecs_world_t *world = *state;
    static const char *const names[] = { "Likes", "Eats" }, *const exprs[] = { "(Likes, *)",
        "(Eats, *)" };
    for (int i = 0; i < 2; i++) {
        ecs_entity_t relation = ecs_entity(world, { .name = names[i] });
        if (i) ecs_add_id(world, relation, EcsPairIsTag);
        ecs_add_pair(world, ecs_new(world), relation, ecs_new(world));
        for (int k = 0; k < 2; k++)
            ecs_system(world, { .query.expr = exprs[i],
                                  .phase = EcsOnUpdate,
                                  .callback = nothing,
                                  .multi_threaded = true });
    }
    char *text = ecs_schedule_str(world, 0);
    assert_non_null(strstr(text, " writes (Likes,*), which "));
    assert_non_null(strstr(
        text, "; if its pairs hold no values, say [none], or give Likes the trait PairIsTag\n"));
    assert_null(strstr(text, "(Eats,*)"));
    ecs_os_free(text);
}

static ecs_entity_t make_idle(ecs_world_t *world, const char *name, ecs_entity_t phase) {
    return ecs_system(world, { .entity = ecs_entity(world, { .name = name }),
                                 .query.expr = "Position",
                                 .phase = phase,
                                 .callback = nothing });
}

static void the_schedule_says_which_systems_do_not_run(void **state) {
    ecs_world_t *world = *state;
    use(world);
    make_idle(world, "Stray", 0);
    make_idle(world, "Lost", ecs_entity(world, { .name = "Nowhere" }));
    make_idle(world, "Begin", EcsOnStart);
    ecs_enable(world, make_idle(world, "Sleep", EcsOnUpdate), false);
    make_idle(world, "Doze", EcsOnStore);
    ecs_enable(world, EcsOnStore, false);
    make_idle(world, "modules::Rest", EcsOnUpdate);
    ecs_enable(world, ecs_lookup(world, "modules"), false);
    make_idle(world, "Wait", EcsOnUpdate);
    char *text = ecs_schedule_str(world, 0);
    assert_string_equal(text, "flecs.pipeline.BuiltinPipeline: 0 systems, 0 stretches\n"
                              "not run: Stray, it has no phase\n"
                              "not run: Lost, it depends on what is no phase\n"
                              "not run: Begin, OnStart runs once, before the first tick\n"
                              "not run: Wait, nothing matches\n"
                              "not run: Sleep, it is disabled\n"
                              "not run: Doze, flecs.pipeline.OnStore is disabled\n"
                              "not run: modules.Rest, modules is disabled\n");
    ecs_os_free(text);
    ecs_insert(world, ecs_value(Position, { 0, 0 }));
    text = ecs_schedule_str(world, 0);
    assert_null(strstr(text, "Wait, nothing"));
    ecs_os_free(text);
}

// ... and why one that may run on many threads is not shared out; of the systems of other pipelines it says nothing.
static void the_schedule_says_why_systems_stay_whole(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t parent = ecs_new(world), position = ecs_id(Position);
    ecs_insert(world, ecs_value(Position, { 0, 0 }));
    ecs_system_desc_t desc = { .phase = EcsOnUpdate, .callback = nothing, .multi_threaded = true };
    desc.entity = ecs_entity(world, { .name = "Task" });
    ecs_system_init(world, &desc);
    desc.entity = ecs_entity(world, { .name = "Some" });
    desc.query.terms[0].id = position;
    desc.query.group_by = EcsChildOf;
    ecs_system_set_group(world, ecs_system_init(world, &desc), parent);
    desc.entity = ecs_entity(world, { .name = "All" });
    desc.query = (ecs_query_desc_t){ .terms = { { position } }, .cache_kind = EcsQueryCacheNone };
    ecs_add_id(world, ecs_system_init(world, &desc), position);
    char *text = ecs_schedule_str(world, 0);
    assert_string_equal(strchr(text, '\n'),
        "\nstretch 0: workers\n"
        "  node 0: Task, not split: no term is about $this\n"
        "  node 1: Some, not split: it has one group only\n"
        "  node 2: All, not split: the results of its query cannot be cut\n"
        "    after node 1: All writes Position, which Some writes, in any table\n"
        "merge: the pipeline ends\n");
    ecs_os_free(text);
    ecs_entity_t other = ecs_pipeline(world, { .entity = ecs_entity(world, { .name = "Other" }),
                                                 .query.terms = { { EcsSystem }, { position } } });
    text = ecs_schedule_str(world, other);
    assert_string_equal(text, "Other: 1 systems, 1 stretches\n"
                              "stretch 0: workers\n"
                              "  node 0: All, not split: the results of its query cannot be cut\n"
                              "merge: the pipeline ends\n");
    ecs_os_free(text);
}

static void count_call(ecs_iter_t *it) { ++*(int32_t *)it->ctx; }

// A callback needs a result, a run function none.
static void the_schedule_says_whose_callback_has_no_results(void **state) {
    ecs_world_t *world = *state;
    use(world);
    int32_t calls = 0;
    ecs_system_desc_t desc = {
        .query.expr = "[inout] Position()", .phase = EcsOnUpdate, .ctx = &calls
    };
    desc.entity = ecs_entity(world, { .name = "Never" });
    desc.callback = count_call;
    ecs_system_init(world, &desc);
    desc.entity = ecs_entity(world, { .name = "Once" });
    desc.callback = NULL;
    desc.run = count_call;
    ecs_system_init(world, &desc);
    ecs_progress(world, 0);
    assert_int_equal(calls, 1);
    char *text = ecs_schedule_str(world, 0);
    const char *idle = strstr(text, "not run");
    assert_non_null(idle);
    assert_string_equal(idle,
        "not run: Never, all its terms are without source, which gives no result to "
        "call it for; use .run\n");
    ecs_os_free(text);
}

static void make_sourced(ecs_world_t *world, const char *name, ecs_entity_t source) {
    ecs_set_tick_source(world, make_idle(world, name, EcsOnUpdate), source);
}

// They are in their stretch, as what their sources do may change in any frame.
static void the_schedule_says_which_systems_wait_for_no_tick(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_insert(world, ecs_value(Position, { 0, 0 }));
    ecs_add_id(world, make_idle(world, "Model", EcsOnUpdate), EcsPrefab);
    ecs_entity_t gone = ecs_new(world), off = ecs_entity(world, { .name = "Off" });
    ecs_set_interval(world, off, 1);
    ecs_enable(world, off, false);
    ecs_entity_t stopped = ecs_set_interval(world, ecs_entity(world, { .name = "Still" }), 1);
    ecs_stop_timer(world, stopped);
    make_sourced(world, "A", ecs_entity(world, { .name = "Rock" }));
    make_sourced(world, "B", gone);
    make_sourced(world, "C", off);
    make_sourced(world, "D", stopped);
    make_sourced(world, "E", ecs_set_rate(world, 0, 2, off));
    make_sourced(world, "F", ecs_set_rate(world, 0, 2, ecs_set_interval(world, 0, 1)));
    ecs_delete(world, gone);
    char *text = ecs_schedule_str(world, 0);
    const char *idle = strstr(text, "not run");
    assert_non_null(idle);
    assert_string_equal(idle, "not run: A, Rock is no tick source\n"
                              "not run: B, its tick source was deleted\n"
                              "not run: C, Off is disabled\n"
                              "not run: D, Still is stopped\n"
                              "not run: E, Off is disabled\n"
                              "not run: Model, it is a prefab\n");
    ecs_os_free(text);
}

static ecs_entity_t food, rock, eats;

static void Feed(ecs_iter_t *it) {
    for (int i = 0; i < it->count; i++) ecs_add_pair(it->world, it->entities[i], eats, rock);
}

static void make_eaters(ecs_world_t *world) {
    food = ecs_entity(world, { .name = "Food" });
    rock = ecs_entity(world, { .name = "Rock" });
    eats = ecs_entity(world, { .name = "Eats" });
    ecs_add_pair(world, eats, EcsOneOf, food);
    ecs_entity_t eater = ecs_entity(world, { .name = "Eater" });
    for (int i = 0; i < 3; i++) {
        char name[] = "bob0";
        name[3] = (char)('0' + i);
        ecs_add_id(world, ecs_entity(world, { .name = name }), eater);
    }
    ecs_system(world, { .entity = ecs_entity(
                            world, { .name = "Feed", .add = ecs_ids(ecs_dependson(EcsOnUpdate)) }),
                          .query.terms = { { eater } },
                          .callback = Feed,
                          .multi_threaded = true });
}

// U-07: a refusal at the merge tells which system recorded what for whom.
static void a_refused_command_names_who_recorded_it(void **state) {
    ecs_world_t *world = *state;
    make_eaters(world);
    const char *said = "recorded by system Feed: add (Eats,Rock) for bob0";
#ifdef FLECS_DEBUG
    expect_abort_saying(ECS_CONSTRAINT_VIOLATED, said, ecs_progress(world, 0));
#else
    expect_error(ECS_CONSTRAINT_VIOLATED, said, ecs_progress(world, 0));
    assert_int_equal(ecs_count_id(world, ecs_pair(eats, rock)), 0);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merges_are_where_the_rules_say),
        cmocka_unit_test(out_not_is_a_staged_write),
        cmocka_unit_test(a_staged_wildcard_pair_is_read_by_any_pair_it_covers),
        world_test(a_staged_component_is_read_by_who_asks_for_a_member),
        world_test(a_staged_kind_is_read_by_who_asks_for_what_it_is_one_of),
        world_test(a_staged_pair_is_read_by_who_asks_for_what_its_target_is_one_of),
        world_test(targets_need_not_be_entities),
        world_test(what_becomes_a_kind_is_read_from_then_on),
        world_test(a_later_system_sees_what_was_queued_in_the_same_tick),
        world_test(everything_is_applied_at_the_end_of_the_tick),
        world_test(a_tick_with_nothing_to_run_merges_once),
        cmocka_unit_test(queues_of_workers_are_applied_in_a_fixed_order),
        world_test(a_schedule_is_made_once),
        world_test(a_schedule_in_an_order_of_values_is_made_once),
        world_test(the_schedule_says_why_there_is_a_merge),
        world_test(the_schedule_says_why_systems_wait),
        world_test(the_schedule_names_the_trait_that_would_help),
        world_test(the_schedule_says_which_systems_do_not_run),
        world_test(the_schedule_says_why_systems_stay_whole),
        world_test(the_schedule_says_which_systems_wait_for_no_tick),
        world_test(the_schedule_says_whose_callback_has_no_results),
        world_test(a_refused_command_names_who_recorded_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
