// SPDX-License-Identifier: MIT
// What systems access without declaring it is named (debug builds).
#include "support/world.h"

#include <stdatomic.h>

#include "support/abort.h"

typedef struct Position {
    float x;
} Position;
typedef struct Velocity {
    float x;
} Velocity;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);
static ecs_entity_t other, heir; /* shares what Other has */
static ecs_entity_t near, far; /* in a table whose rows workers share out, the first and the last */
static ecs_query_t *others, *paired;

enum action {
    GET_OWN,
    GET_OTHER,
    GET_MUT_OWN,
    REF_OTHER,
    RECORD_OTHER,
    RECORD_ENSURE_OTHER,
    TABLE_OTHER,
    QUERY,
    QUERY_PAIRS,
    OWN_QUERY,
    EACH,
    SET_OTHER,
    GET_PAIR,
    EDGES_OTHER,
    ENSURE_OWN,
    ENSURE_OTHER,
    EMPLACE_OTHER,
    ENSURE_SHARED,
    ENSURE_REMOVED,
    GET_BUILTIN,
    GET_FAR,
    RUN_ANOTHER
};

static ecs_entity_t another; /* a system that reads and writes rows of its own */

static void see_edge(ecs_world_t *world, ecs_entity_t target, void *edge, void *ctx) {
    (void)world, (void)target, (void)ctx;
    assert_non_null(edge);
}

static void act(ecs_iter_t *it) {
    enum action action = *(enum action *)it->ctx;
    ecs_entity_t own = it->entities[0];
    if (action == GET_OWN) ecs_get(it->world, own, Velocity);
    if (action == GET_OTHER) ecs_get(it->world, other, Velocity);
    if (action == GET_FAR && own == near) ecs_get(it->world, far, Velocity);
    if (action == RUN_ANOTHER) {
        ecs_run(it->world, another, 1, NULL);
        ecs_run_worker(it->world, another, 0, 2, 1, NULL);
    }
    if (action == GET_MUT_OWN || action == RUN_ANOTHER) ecs_get_mut(it->world, own, Velocity);
    if (action == REF_OTHER) {
        ecs_ref_t ref = ecs_ref_init(it->world, other, Velocity);
        ecs_ref_get(it->world, &ref, Velocity);
    }
    ecs_record_t *record = ecs_record_find(it->world, other);
    if (action == RECORD_OTHER) ecs_record_get(it->world, record, Velocity);
    if (action == RECORD_ENSURE_OTHER) ecs_record_ensure(it->world, record, Velocity);
    if (action == TABLE_OTHER) ecs_table_get(it->world, record->table, Velocity, 0);
    if (action == QUERY || action == QUERY_PAIRS) {
        ecs_iter_t inner = ecs_query_iter(it->world, action == QUERY ? others : paired);
        while (ecs_query_next(&inner)) {}
    }
    if (action == OWN_QUERY) {
        ecs_iter_changed(it);
        ecs_iter_t inner = ecs_query_iter(it->world, it->query);
        while (ecs_query_next(&inner)) {}
    }
    if (action == EACH) {
        ecs_iter_t each = ecs_each(it->world, Velocity);
        while (ecs_each_next(&each)) (void)ecs_field(&each, Velocity, 0);
    }
    if (action == GET_PAIR) ecs_get_pair(it->world, own, Position, other);
    if (action == EDGES_OTHER) ecs_each_edge(it->world, other, ecs_id(Position), see_edge, NULL);
    if (action == SET_OTHER) ecs_set(it->world, other, Velocity, { 2 });
    if (action == GET_BUILTIN) ecs_get(it->world, ecs_id(Velocity), EcsComponent);
    if (action == ENSURE_OWN) ecs_ensure(it->world, own, Velocity);
    if (action == ENSURE_OTHER) ecs_ensure(it->world, other, Velocity);
    if (action == ENSURE_SHARED) {
        ecs_ensure(it->world, heir, Velocity);
        ecs_remove(it->world, heir, Velocity); /* in the next tick, too, it is shared */
    }
    if (action == ENSURE_REMOVED) {
        ecs_remove(it->world, own, Velocity);
        ecs_ensure(it->world, own, Velocity);
    }
    if (action == EMPLACE_OTHER) ecs_emplace(it->world, other, Velocity, &(bool){ false });
}

static void touch(ecs_iter_t *it) { ecs_get_mut(it->world, it->entities[0], Velocity); }

// One tick with a system Move that has these terms and does this.
static bool workers, late, are_edges, are_beside, are_kinds;
static void tick(const char *terms, enum action action) {
    ecs_world_t *world = ecs_init();
    ecs_id(Position) = ecs_id(Velocity) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    if (are_kinds) ecs_add_id(world, ecs_id(Position), EcsInheritable);
    if (are_kinds) ecs_add_pair(world, ecs_id(Velocity), EcsIsA, ecs_id(Position));
    other = ecs_entity(world, { .name = "Other" });
    ecs_set(world, other, Velocity, { 1 });
    heir = ecs_entity(world, { .name = "Heir", .add = ecs_ids(ecs_isa(other)) });
    if (are_beside) ecs_add_id(world, ecs_id(Position), EcsDontFragment);
    if (are_edges) ecs_set_pair(world, other, Position, other, { 1 });
    ecs_entity_t own = ecs_entity(world, { .name = "Own" });
    ecs_set(world, own, Position, { 1 });
    ecs_set(world, own, Velocity, { 1 });
    for (int i = 0; action == GET_FAR && i < 20000; i++) {
        far = ecs_insert(world, ecs_value(Velocity, { 1 }));
        ecs_add(world, far, Position);
        if (!i) near = far;
    }
    others = ecs_query(world, { .expr = "[in] Velocity" });
    ecs_entity(world, { .name = "Next" });
    paired = ecs_query(world, { .expr = "[in] Velocity, (Next, *)" });
    another =
        ecs_system(world, { .query.expr = "Velocity", .callback = touch, .multi_threaded = true });
    ecs_system(world, { .entity = ecs_entity(
                            world, { .name = "Move", .add = ecs_ids(ecs_dependson(EcsOnUpdate)) }),
                          .query.expr = terms,
                          .callback = act,
                          .ctx = &action,
                          .multi_threaded = workers });
    for (int i = 0; late && i < 4; i++) ecs_progress(world, 1);
    ecs_set_access_checks(world, true);
    for (int i = 0; i < 4; i++) ecs_progress(world, 1); /* steady ticks take other paths */
    ecs_set_access_checks(world, false);
    ecs_progress(world, 1);
    ecs_fini(world);
}

// On the main thread or by workers, from the first tick on or in a world that is in its stride.
#define IN_EACH_WAY for (int way_ = 0; workers = way_ & 1, late = way_ & 2, way_ < 4; way_++)

static void declared_access_is_fine(void **state) {
    (void)state;
    IN_EACH_WAY {
        tick("Position, [in] Velocity", GET_OWN);
        tick("Position, Velocity", GET_MUT_OWN);
        tick("Position, [in] Velocity()", GET_OTHER);
        tick("Position, [in] Velocity(Other)", GET_OTHER);
        tick("Position, [inout] Velocity(Other)", REF_OTHER);
        tick("Position, [in] Velocity(Other)", RECORD_OTHER);
        tick("Position, [inout] Velocity(Other)", RECORD_ENSURE_OTHER);
        tick("Position, [in] Velocity()", TABLE_OTHER);
        tick("Position, [in] Velocity()", QUERY);
        tick("Position, [in] Velocity()", EACH);
        tick("[in] Position, [in] Position()", OWN_QUERY);
        tick("Position", SET_OTHER); /* a command */
        tick("Position, Velocity", ENSURE_OWN);
        tick("Position", GET_BUILTIN); /* as functions do that print values */
        tick("Position, [inout] Velocity(Other)", ENSURE_OTHER);
        tick("Position, [in] Velocity()", ENSURE_SHARED);
        tick("Position, [in] Velocity(Heir)", GET_OTHER); /* which it is shared by */
        tick("Position, [in] Velocity", ENSURE_REMOVED);
        if (!workers) tick("Position, Velocity", RUN_ANOTHER);
    }
}

static void undeclared_access_names_system_component_and_call(void **state) {
    (void)state;
    IN_EACH_WAY {
        expect_abort_saying(ECS_ACCESS_VIOLATION, "system Move reads Velocity of Own with ecs_get",
            tick("Position", GET_OWN));
        expect_abort_saying(ECS_ACCESS_VIOLATION,
            "system Move writes Velocity of Own with ecs_get_mut",
            tick("Position, [in] Velocity", GET_MUT_OWN));
        expect_abort_saying(ECS_ACCESS_VIOLATION, "add the term [in] Velocity()",
            tick("Position, [in] Velocity", GET_OTHER));
        expect_abort_saying(ECS_ACCESS_VIOLATION, "reads Velocity of Other with ecs_get",
            tick("Position, [in] Velocity(Own)", GET_OTHER));
        expect_abort_saying(ECS_ACCESS_VIOLATION, "reads Velocity with a query of its own",
            tick("Position, [in] Velocity(Own)", QUERY));
        expect_abort_saying(ECS_ACCESS_VIOLATION,
            "if its pairs hold no values, say [none], or give Next the trait PairIsTag",
            tick("Position, [in] Velocity()", QUERY_PAIRS));
        expect_abort_saying(ECS_ACCESS_VIOLATION, "writes Velocity of Other with ecs_ref_get",
            tick("Position, [in] Velocity(Other)", REF_OTHER));
        expect_abort_saying(ECS_ACCESS_VIOLATION, "reads Velocity of Other with ecs_record_get",
            tick("Position, [in] Velocity", RECORD_OTHER));
        expect_abort_saying(ECS_ACCESS_VIOLATION, "writes Velocity of Other with ecs_record_ensure",
            tick("Position, [in] Velocity(Other)", RECORD_ENSURE_OTHER));
        expect_abort_saying(ECS_ACCESS_VIOLATION, "reads Velocity of Other with ecs_table_get",
            tick("Position, [in] Velocity", TABLE_OTHER));
        expect_abort_saying(ECS_ACCESS_VIOLATION, "reads Velocity with a query of its own",
            tick("Position, [in] Velocity", QUERY));
        expect_abort_saying(ECS_ACCESS_VIOLATION, "reads Velocity of Other with ecs_field",
            tick("Position, [in] Velocity", EACH));
        expect_abort_saying(ECS_ACCESS_VIOLATION, "writes Velocity of Own with ecs_ensure",
            tick("Position, [in] Velocity", ENSURE_OWN));
        expect_abort_saying(ECS_ACCESS_VIOLATION, "writes Velocity of Other with ecs_emplace",
            tick("Position", EMPLACE_OTHER));
        /* All rows are its own where they are not shared out. */
        if (workers) {
            expect_abort_saying(ECS_ACCESS_VIOLATION, "system Move reads Velocity of #",
                tick("Position, [in] Velocity", GET_FAR));
            expect_abort_saying(ECS_ACCESS_VIOLATION,
                "system Move reads Velocity with its query once more",
                tick("[in] Velocity", OWN_QUERY));
        } else {
            tick("Position, [in] Velocity", GET_FAR);
            tick("[in] Velocity", OWN_QUERY);
        }
        /* What it begins with is copied from where another system may write. */
        expect_abort_saying(ECS_ACCESS_VIOLATION, "system Move reads Velocity of Heir",
            tick("Position", ENSURE_SHARED));
        expect_abort_saying(ECS_ACCESS_VIOLATION, "reads Velocity of Own with ecs_ensure",
            tick("Position", ENSURE_REMOVED));
    }
}

// What a term without source announces as commands, a system may write in place if nobody else runs.
static void announced_writes_are_in_place_only_where_nobody_else_runs(void **state) {
    (void)state;
    workers = late = false;
    expect_abort_saying(
        ECS_ACCESS_VIOLATION, "add the term [inout] Velocity()", tick("Position", ENSURE_OTHER));
    tick("Position, [inout] Velocity()", ENSURE_OTHER);
    tick("Position, [out] *()", REF_OTHER);
    are_kinds = true;
    tick("Position|self($this), [inout] Position()", GET_MUT_OWN);
    are_kinds = false;
    workers = true;
    expect_abort_saying(ECS_ACCESS_VIOLATION, "queue a command instead (ecs_set)",
        tick("Position, [inout] Velocity()", ENSURE_OTHER));
    expect_abort_saying(ECS_ACCESS_VIOLATION, "add the term [inout] Velocity (",
        tick("Position, [inout] Velocity()", GET_MUT_OWN));
}

// The runtime reads tick sources, whatever ran before.
static void tick_behind_the_end_of_a_source(void) {
    ecs_world_t *world = ecs_init();
    enum action action = GET_OTHER;
    ecs_id(Position) = ecs_id(Velocity) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    other = ecs_entity(world, { .name = "Other" });
    ecs_set(world, other, Velocity, { 1 });
    ecs_insert(world, ecs_value(Position, { 1 }));
    ecs_entity_t gone = ecs_entity(world, { .name = "Gone" });
    ecs_system(world, { .phase = EcsOnUpdate,
                          .query.expr = "Position, [in] ?Velocity(Gone)",
                          .callback = act,
                          .ctx = &action });
    ecs_delete(world, gone);
    ecs_set_access_checks(world, true);
    ecs_progress(world, 1);
}

static void a_source_that_is_gone_declares_nothing(void **state) {
    (void)state;
    expect_abort_saying(ECS_ACCESS_VIOLATION, "reads Velocity of Other with ecs_get",
        tick_behind_the_end_of_a_source());
}

static void tick_sources_need_no_declaration(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    enum action action = GET_OWN;
    ecs_id(Position) = ecs_id(Velocity) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ecs_insert(world, ecs_value(Position, { 1 }), ecs_value(Velocity, { 1 }));
    ecs_entity_t source = ecs_set_interval(world, 0, 1);
    for (int i = 0; i < 3; i++) {
        ecs_system(world, { .phase = EcsOnUpdate,
                              .query.expr = "Position, [in] Velocity",
                              .callback = act,
                              .ctx = &action,
                              .tick_source = i ? ecs_set_rate(world, 0, i, source) : 0 });
    }
    ecs_set_access_checks(world, true);
    for (int i = 0; i < 3; i++) ecs_progress(world, 1);
    assert_int_equal(ecs_fini(world), 0);
}

typedef struct Link {
    ecs_entity_t to;
} Link;

static void read_link(ecs_iter_t *it) {
    const ecs_entity_t link = *(ecs_entity_t *)it->ctx;
    assert_non_null(ecs_get_id(it->world, it->entities[0], link));
}

// A member that is compared is read, by the query and so by the system.
static void terms_about_members_declare_the_component(void **state) {
    ecs_world_t *world = *state;
    static ecs_entity_t link;
    link = ecs_struct(world, { .entity = ecs_entity(world, { .name = "Link" }),
                                 .members = { { "to", ecs_id(ecs_entity_t) } } });
    ecs_entity_t e = ecs_new(world);
    ecs_set_id(world, e, link, sizeof(Link), &(Link){ link });
    ecs_system(world, { .entity = ecs_entity(world, { .add = ecs_ids(ecs_dependson(EcsOnUpdate)) }),
                          .query.expr = "[in] (Link.to, *)",
                          .callback = read_link,
                          .ctx = &link });
    ecs_set_access_checks(world, true);
    ecs_progress(world, 1);
}

// Of edges in tables, and beside them.
static void edges_are_values_of_pairs(void **state) {
    (void)state;
    for (int32_t i = 0; i < 2; i++) {
        are_edges = true;
        are_beside = i;
        IN_EACH_WAY {
            expect_abort_saying(
                ECS_ACCESS_VIOLATION, "of Other with ecs_each_edge", tick("Velocity", EDGES_OTHER));
            tick("Velocity, [in] Position(#0,Other)", EDGES_OTHER);
            tick("Velocity, [in] Position(Other, *)", EDGES_OTHER);
        }
    }
    are_edges = are_beside = false;
}

static void pairs_are_named_as_terms(void **state) {
    (void)state;
    expect_abort_saying(ECS_ACCESS_VIOLATION,
        "add the term [in] Position(#0,Other), or with * for all targets",
        tick("Velocity", GET_PAIR));
    tick("Velocity, [in] Position(#0,Other)", GET_PAIR);
}

// What had no values when the system was made has some now: nobody looks but who runs it.
static void systems_run_by_hand_know_new_types(void **state) {
    ecs_world_t *world = *state;
    static ecs_entity_t newly_valued;
    newly_valued = ecs_entity(world, { .name = "Late" });
    ecs_entity_t e = ecs_new_w_id(world, newly_valued);
    ecs_entity_t reads = ecs_system(
        world, { .query.expr = "[in] Late", .callback = read_link, .ctx = &newly_valued });
    ecs_delete(world, e);
    ecs_component(world, { .entity = newly_valued, .type = { sizeof(Link), _Alignof(Link) } });
    ecs_set_id(world, ecs_new(world), newly_valued, sizeof(Link), &(Link){ newly_valued });
    ecs_set_access_checks(world, true);
    for (int32_t i = 0; i < 2; i++) {
        ecs_readonly_begin(world, true);
        ecs_run(ecs_get_stage(world, 0), reads, 1, NULL);
        ecs_readonly_end(world);
        ecs_progress(world, 1); /* looks at the systems of its pipeline */
    }
}

static atomic_int at_work;

static void look_for_more(ecs_iter_t *it) {
    ecs_iter_t found;
    atomic_fetch_add(&at_work, 1);
    for (int32_t i = 0; i < 1000; i++) {
        if (ecs_query_has(others, it->entities[0], &found)) ecs_iter_fini(&found);
    }
    atomic_fetch_sub(&at_work, 1);
}

// Stays until the other one is at work, or for a while.
static void stay(ecs_iter_t *it) {
    (void)it;
    for (int32_t i = 0; i < 100000 && !atomic_load(&at_work); i++) {}
    for (int32_t i = 0; i < 100000 && atomic_load(&at_work); i++) {}
}

// ecs_query_has takes no stage: what is asked there is judged by the system that asks, not by the one on the main thread.
static void queries_are_judged_by_the_system_that_asks(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Position) = ecs_id(Velocity) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ecs_insert(world, ecs_value(Position, { 1 }), ecs_value(Velocity, { 1 }));
    others = ecs_query(world, { .expr = "[in] Velocity" });
    ecs_set_threads(world, 2);
    ecs_system(world, { .query.expr = "[none] Position",
                          .phase = EcsOnUpdate,
                          .callback = stay,
                          .any_thread = true });
    ecs_system(world, { .query.expr = "[none] Position, [in] Velocity()",
                          .phase = EcsOnUpdate,
                          .callback = look_for_more,
                          .any_thread = true });
    ecs_set_access_checks(world, true);
    ecs_set_schedule_seed(world, 7); /* so that nothing runs inline */
    for (int32_t i = 0; i < 20; i++) ecs_progress(world, 1);
    ecs_query_fini(others);
}

static void emit_set(ecs_iter_t *it) {
    ecs_type_t ids = { &(ecs_id_t){ ecs_id(Velocity) }, 1 };
    ecs_emit(it->world,
        &(ecs_event_desc_t){ .event = EcsOnSet, .ids = &ids, .entity = it->entities[0] });
}

static void count_told(ecs_iter_t *it) { ++*(int32_t *)it->ctx; }

// What an observer is about is found for it, not for the system that emits: terms with goals are no other than the rest.
static void observers_ask_for_themselves(void **state) {
    ecs_world_t *world = *state;
    int32_t told = 0;
    ecs_id(Position) = ecs_id(Velocity) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ecs_entity(world, { .name = "Mood", .add = ecs_ids(EcsUnion) });
    ecs_entity_t e = ecs_insert(world, ecs_value(Position, { 1 }), ecs_value(Velocity, { 1 }));
    ecs_add_pair(world, e, ecs_lookup(world, "Mood"), e);
    static const char *const exprs[] = { "Velocity", "Velocity, Position", "Velocity, (Mood, *)",
        "Velocity, ?(Mood, $mood), !Position($mood)" };
    for (size_t i = 0; i < 4; i++) {
        ecs_observer(world, { .query.expr = exprs[i],
                                .events = { EcsOnSet },
                                .callback = count_told,
                                .ctx = &told });
    }
    ecs_system(
        world, { .query.expr = "[none] Position", .phase = EcsOnUpdate, .callback = emit_set });
    ecs_set_access_checks(world, true);
    ecs_progress(world, 1);
    assert_int_equal(told, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declared_access_is_fine),
        cmocka_unit_test(undeclared_access_names_system_component_and_call),
        cmocka_unit_test(announced_writes_are_in_place_only_where_nobody_else_runs),
        cmocka_unit_test(a_source_that_is_gone_declares_nothing),
        cmocka_unit_test(tick_sources_need_no_declaration),
        world_test(terms_about_members_declare_the_component),
        cmocka_unit_test(pairs_are_named_as_terms),
        cmocka_unit_test(edges_are_values_of_pairs),
        world_test(systems_run_by_hand_know_new_types),
        world_test(queries_are_judged_by_the_system_that_asks),
        world_test(observers_ask_for_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
