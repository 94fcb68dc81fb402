// SPDX-License-Identifier: MIT
// Observers and monitors against their own query: after each random change, who matched before and who matches now decides
// who was told (OBS-02, OBS-03). Whatever a query can ask, the same holds for those who wait for it.
#include "support/world.h"

#include "support/random.h"

enum { COUNT = 6, STEPS = 14, IDS = 24 };

typedef struct Node {
    int value;
} Node;

// Relationships among the entities that take part.
enum { ALONE = 0, TREE = 1, BASES = 2, SEVERAL = 4 };

typedef struct case_t {
    int relations;
    const char *expr;
} case_t;

static const case_t cases[] = {
    /* scopes */
    { ALONE, "Foo, !{ Bar, Node }" },
    { ALONE, "Foo, !{ Bar || Node }" },
    { ALONE, "Foo, { Bar || Node }" },
    { ALONE, "Foo, !{ Bar, !Node }" },
    { ALONE, "!{ !{ Foo, Bar } }" },
    { ALONE, "Foo, !{ Thin, Bar }" },
    { ALONE, "Foo, { (Only, A) || Thin }" },
    { ALONE, "Foo, !{ (Rel, $x), Foo($x) }" },
    { ALONE, "Foo, !{ (Union, *), Bar }" },
    { ALONE, "Foo, !{ ?Bar, Node }" },
    { ALONE, "Foo, !{ Unit }" },
    { ALONE, "Foo, !{ (In, Earth) }" },
    { TREE, "Foo, !{ Node(up) }" },
    { TREE, "Foo, !{ Thin(up), Bar }" },
    { TREE, "Foo, { Node(up) || Bar }" },
    { TREE, "Foo, !{ (ChildOf, $p) }" },
    { BASES, "Foo, !{ Bar, Node }" },
    { TREE | BASES, "Foo, !{ Node(up) }" },
    { SEVERAL, "Foo, !{ Node(up Several) }" },
    /* variables, `_` */
    { ALONE, "Foo, ?(Rel, $x), ?Foo($x)" },
    { ALONE, "(Rel, $x), !(Eats, $x)" },
    { ALONE, "(Rel, $x) || (Eats, $x)" },
    { ALONE, "(Sparse, $x), (Rel, $x)" },
    { ALONE, "(Union, $x), Foo($x)" },
    { ALONE, "Foo, (Rel, _)" },
    { ALONE, "Thin, (Union, _)" },
    { BASES, "Thin, (Union, *)" },
    { ALONE, "Thin, !(Union, _)" },
    { ALONE, "(Union, _), !(Union, B)" },
    { ALONE, "Foo, (_, A)" },
    { ALONE, "Foo, (*, *)" },
    /* kinds, what is around an element, lists */
    { ALONE, "Unit" },
    { ALONE, "Foo, !Unit" },
    { ALONE, "Foo || Unit" },
    { ALONE, "(Rel, A)" },
    { ALONE, "Foo, !(Rel, _)" },
    { ALONE, "(In, Earth)" },
    { ALONE, "Foo, !(In, Earth)" },
    { ALONE, "(Rel, B|up)" },
    { ALONE, "Foo, !(Rel, B|self|up)" },
    { ALONE, "Foo, (Rel, A|self|down)" },
    { ALONE, "Node, or|List" },
    { ALONE, "Node, not|List" },
    { BASES, "Node, or|List" },
    { BASES, "Node, not|List" },
    { BASES, "Unit" },
    { BASES, "Foo, !Unit" },
    { BASES, "(Rel, *)" },
    { BASES, "Foo, (In, Earth)" },
    { TREE, "Unit(up)" },
    { TREE, "Foo, !Unit(up)" },
    { TREE, "Rel(up, A)" },
    { TREE, "Foo, Rel(up, $x)" },
    { TREE | BASES, "Unit(up)" },
    { SEVERAL, "Foo, Unit(up Several)" },
    /* what is above and what bases have */
    { TREE | BASES, "Foo, !Node(up)" },
    { TREE | BASES, "Foo(up), !Bar(up)" },
    { TREE | BASES, "Thin(up), Foo" },
    { TREE | BASES | SEVERAL, "Foo, !Node(up), Bar(up Several)" },
    { ALONE, "Foo, !(Union, *)" },
    { BASES, "Foo, !(Union, *)" },
    { TREE | BASES, "Foo, !(Union, *)" },
    { TREE, "Foo, !Union(up, *)" },
    { TREE, "Foo, Union(up, _)" },
    /* roots */
    { TREE, "Foo, (ChildOf, #0)" },
    { TREE, "Foo, !(ChildOf, #0)" },
    { TREE, "Foo, !(ChildOf, *)" },
};
enum { CASES = sizeof cases / sizeof cases[0] };

static ecs_entity_t entities[COUNT], Rel, Several;
static ecs_id_t ids[IDS];
static int id_count, node_id;
static random_t random_state;

static int below(int limit) { return random_below(&random_state, limit); }

static ecs_entity_t named(ecs_world_t *world, const char *name, ecs_id_t id) {
    return ecs_entity(world, { .name = name, .add = ecs_ids(id) });
}

static void want(ecs_id_t id) { ids[id_count++] = id; }

static void set_up(ecs_world_t *world) {
    id_count = 0;
    ecs_entity_t foo = named(world, "Foo", 0), bar = named(world, "Bar", 0);
    ecs_entity_t node = named(world, "Node", 0), thin = named(world, "Thin", EcsDontFragment);
    ecs_set(world, node, EcsComponent, { sizeof(Node), ECS_ALIGNOF(Node) });
    Rel = named(world, "Rel", 0);
    Several = named(world, "Several", EcsTraversable);
    ecs_entity_t eats = named(world, "Eats", 0), only = named(world, "Only", EcsExclusive);
    ecs_entity_t in = named(world, "In", EcsTransitive), of = named(world, "Union", EcsUnion);
    ecs_entity_t sparse = named(world, "Sparse", EcsDontFragment);
    ecs_entity_t unit = named(world, "Unit", 0), archer = named(world, "Archer", 0);
    ecs_entity_t unite = named(world, "Unite", 0), a = named(world, "A", 0);
    ecs_entity_t b = ecs_entity(world, { .name = "B", .parent = a }), c = named(world, "C", foo);
    ecs_entity_t earth = named(world, "Earth", 0);
    ecs_entity_t europe = named(world, "Europe", ecs_pair(in, earth));
    ecs_entity_t france = named(world, "France", ecs_pair(in, europe));
    ecs_entity(world, { .name = "List", .add = ecs_ids(foo, bar) });
    node_id = 2;
    want(foo), want(bar), want(node), want(thin), want(unit), want(archer);
    want(ecs_pair(Rel, a)), want(ecs_pair(Rel, b)), want(ecs_pair(Rel, c)), want(ecs_pair(eats, a));
    want(ecs_pair(eats, b)), want(ecs_pair(of, a)), want(ecs_pair(of, b)),
        want(ecs_pair(sparse, a));
    want(ecs_pair(sparse, c)), want(ecs_pair(only, a)), want(ecs_pair(only, b));
    want(ecs_pair(unite, a)), want(ecs_pair(in, earth)), want(ecs_pair(in, europe));
    want(ecs_pair(in, france)), want(ecs_pair(named(world, "Inside", 0), france));
}

static void make_kinds(ecs_world_t *world) {
    ecs_add_pair(world, ecs_lookup(world, "Archer"), EcsIsA, ecs_lookup(world, "Unit"));
    ecs_add_pair(world, ecs_lookup(world, "Unite"), EcsIsA, Rel);
    ecs_add_pair(world, ecs_lookup(world, "Inside"), EcsIsA, ecs_lookup(world, "In"));
}

// ---- who matches, and who was told ----

typedef int told_t[COUNT][2]; /* [0]: added, [1]: removed */

static told_t by_observer, by_monitor;

static int index_of(ecs_entity_t entity) {
    int i = 0;
    while (i < COUNT && entities[i] != entity) i++;
    return i;
}

static void hear(ecs_iter_t *it) {
    int(*told)[2] = it->ctx;
    for (int i = 0; i < it->count; i++) {
        int e = index_of(it->entities[i]);
        if (e < COUNT) told[e][it->event == EcsOnRemove]++;
    }
}

static void find(ecs_world_t *world, const ecs_query_t *query, bool *matches) {
    memset(matches, 0, COUNT * sizeof(bool));
    ecs_iter_t it = ecs_query_iter(world, query);
    while (ecs_query_next(&it)) {
        for (int i = 0; i < it.count; i++) {
            int e = index_of(it.entities[i]);
            if (e < COUNT) matches[e] = true;
        }
    }
}

static void make_observer(ecs_world_t *world, const char *expr, ecs_entity_t event, told_t told) {
    ecs_observer_desc_t desc = { .query.expr = expr, .callback = hear, .ctx = told };
    desc.events[0] = event;
    if (event == EcsOnAdd) desc.events[1] = EcsOnRemove;
    assert_true(ecs_observer_init(world, &desc));
}

// ---- changes ----

enum { ADD, REMOVE, SET, PARENT, NO_PARENT, BASE, NO_BASE, OTHER, NO_OTHER, CLEAR, DELETE, OPS };
static const char *const op_names[] = { "add", "remove", "set", "parent", "no parent", "base",
    "no base", "other", "no other", "clear", "delete" };

static bool depends_on(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t on) {
    return ecs_get_parent(world, entity) == on || ecs_owns_pair(world, entity, EcsIsA, on) ||
           ecs_owns_pair(world, entity, Several, on);
}

// What leaves others, or nothing, behind is not modelled: an entity without ids begins and ends silently.
static bool may_delete(ecs_world_t *world, int e) {
    const ecs_type_t *type = ecs_get_type(world, entities[e]);
    for (int i = 0; i < COUNT; i++) {
        if (depends_on(world, entities[i], entities[e])) return false;
    }
    return type && type->count;
}

static bool is_possible(ecs_world_t *world, int relations, int op, int e, int arg) {
    if (op == PARENT || op == NO_PARENT) return relations & TREE && arg < e;
    if (op == BASE || op == NO_BASE) return relations & BASES && arg < e;
    if (op == OTHER || op == NO_OTHER) return relations & SEVERAL && arg < e;
    if (op == DELETE) return arg % 3 == 0 && may_delete(world, e);
    return op != CLEAR || arg % 3 == 0;
}

// Children are so by component or by a pair.
static void change(ecs_world_t *world, int op, int e, int arg, bool by_component) {
    ecs_entity_t entity = entities[e], other = entities[arg % COUNT];
    switch (op) {
    case ADD: ecs_add_id(world, entity, ids[arg % id_count]); break;
    case REMOVE: ecs_remove_id(world, entity, ids[arg % id_count]); break;
    case SET: ecs_set_id(world, entity, ids[node_id], sizeof(Node), &(Node){ arg }); break;
    case PARENT:
        if (by_component)
            ecs_set(world, entity, EcsParent, { other });
        else
            ecs_add_pair(world, entity, EcsChildOf, other);
        break;
    case NO_PARENT:
        if (by_component)
            ecs_remove(world, entity, EcsParent);
        else
            ecs_remove_pair(world, entity, EcsChildOf, EcsWildcard);
        break;
    case BASE: ecs_add_pair(world, entity, EcsIsA, other); break;
    case NO_BASE: ecs_remove_pair(world, entity, EcsIsA, other); break;
    case OTHER: ecs_add_pair(world, entity, Several, other); break;
    case NO_OTHER: ecs_remove_pair(world, entity, Several, other); break;
    case CLEAR: ecs_clear(world, entity); break;
    default: ecs_delete(world, entity); break;
    }
}

// ---- runs ----

static void check(const char *expr, int op, int e, const bool *before, const bool *after) {
    bool enters = after[e] && !before[e], leaves = before[e] && !after[e];
    const int *observer = by_observer[e], *monitor = by_monitor[e];
    if (monitor[0] != enters || monitor[1] != leaves)
        fail_msg("monitor of '%s' at '%s': %d before, %d after, told %d and %d times", expr,
            op_names[op], before[e], after[e], monitor[0], monitor[1]);
    if (observer[0] < enters || observer[1] < leaves || (observer[0] && !after[e]) ||
        (observer[1] && !before[e]))
        fail_msg("observer of '%s' at '%s': %d before, %d after, told %d and %d times", expr,
            op_names[op], before[e], after[e], observer[0], observer[1]);
}

static void begin_step(ecs_world_t *world, const ecs_query_t *query, bool *before, bool deferred) {
    find(world, query, before);
    memset(by_observer, 0, sizeof by_observer);
    memset(by_monitor, 0, sizeof by_monitor);
    if (deferred) ecs_defer_begin(world);
}

static void end_step(ecs_world_t *world, const ecs_query_t *query, bool *after, bool deferred) {
    if (deferred) ecs_defer_end(world);
    find(world, query, after);
}

static void step(ecs_world_t *world, const ecs_query_t *query, const case_t *one, bool deferred) {
    bool before[COUNT], after[COUNT];
    int op = below(OPS), changed = below(COUNT), arg = below(IDS);
    if (!is_possible(world, one->relations, op, changed, arg)) return;
    begin_step(world, query, before, deferred);
    change(world, op, changed, arg, below(2));
    end_step(world, query, after, deferred);
    for (int e = 0; e < COUNT; e++) check(one->expr, op, e, before, after);
    if (op == DELETE) entities[changed] = ecs_new(world);
}

// How often an entity enters and leaves on the way is not said; only what comes of it.
static void several_steps(
    ecs_world_t *world, const ecs_query_t *query, const case_t *one, bool deferred) {
    bool before[COUNT], after[COUNT];
    begin_step(world, query, before, deferred);
    for (int i = 0; i < 5; i++) {
        int op = below(DELETE), changed = below(COUNT), arg = below(IDS);
        if (is_possible(world, one->relations, op, changed, arg))
            change(world, op, changed, arg, below(2));
    }
    end_step(world, query, after, deferred);
    for (int e = 0; e < COUNT; e++) {
        if (before[e] + by_monitor[e][0] - by_monitor[e][1] != after[e])
            fail_msg(
                "monitor of '%s' after several changes: %d before, %d after, told %d and %d times",
                one->expr, before[e], after[e], by_monitor[e][0], by_monitor[e][1]);
    }
}

static void run(ecs_world_t *world, const case_t *one) {
    const bool begins_with_kinds = below(2);
    if (begins_with_kinds) make_kinds(world);
    ecs_query_t *query = ecs_query(world, { .expr = one->expr });
    assert_non_null(query);
    make_observer(world, one->expr, EcsOnAdd, by_observer);
    make_observer(world, one->expr, EcsMonitor, by_monitor);
    if (!begins_with_kinds) make_kinds(world);
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < COUNT; i++) entities[i] = ecs_new(world);
        for (int i = 0; i < 2 * STEPS; i++) step(world, query, one, round % 2);
        for (int i = 0; i < STEPS; i++) several_steps(world, query, one, round % 2);
        for (int i = COUNT; i--;) ecs_delete(world, entities[i]);
    }
    ecs_query_fini(query);
}

static void observers_follow_their_query(void **state) {
    (void)state;
    random_state = random_init(random_seed());
    for (int i = 0; i < CASES; i++) {
        ecs_world_t *world = ecs_mini();
        set_up(world);
        run(world, &cases[i]);
        assert_int_equal(ecs_fini(world), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(observers_follow_their_query) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
