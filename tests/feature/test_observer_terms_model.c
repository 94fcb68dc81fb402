// SPDX-License-Identifier: MIT
// Observers and monitors of all kinds of terms against a naive model: what an entity matches before
// and after a change, and which of the terms the change concerns, decides who is told. Terms are about
// tags, values beside tables, unions and what is above: in trees of both kinds of children, and along a
// relationship with several targets. (There, through which of them a component is seen is not modelled.)
#include "support/world.h"

#include <stdlib.h>

#include "support/random.h"

enum { COUNT = 10, STEPS = 30000 };
enum { NONE = -1 };

typedef struct Node {
    int value;
} Node;

// ---- the world as the model sees it ----

enum { FOO, BAR, NODE, THIN, FLAGS };

typedef struct model_t {
    bool has[FLAGS];
    int target;       /* of the union: 0, 1 or NONE */
    unsigned parents; /* bit per entity */
} model_t;

static model_t model[COUNT];

static ecs_entity_t entities[COUNT], targets[2], Union, Rel;
static ecs_id_t flags[FLAGS];
static random_t random_state;
static bool has_several; /* parents */

static int below(int limit) { return random_below(&random_state, limit); }

// ---- queries ----

enum { SELF_FLAG, UP_FLAG, UNION_ONE, UNION_ANY };
enum { AND, OR, NOT, OPTIONAL }; /* OR: the next one is an alternative */

typedef struct term_t {
    int kind, index, oper;
} term_t;

typedef struct query_t {
    const char *expr;
    term_t terms[3];
    int count;
} query_t;

static const query_t queries[] = {
    { "Foo, Bar", { { SELF_FLAG, FOO, AND }, { SELF_FLAG, BAR, AND } }, 2 },
    { "Foo, !Bar", { { SELF_FLAG, FOO, AND }, { SELF_FLAG, BAR, NOT } }, 2 },
    { "Foo, ?Bar", { { SELF_FLAG, FOO, AND }, { SELF_FLAG, BAR, OPTIONAL } }, 2 },
    { "Foo || Bar", { { SELF_FLAG, FOO, OR }, { SELF_FLAG, BAR, AND } }, 2 },
    { "Thin", { { SELF_FLAG, THIN, AND } }, 1 },
    { "Foo, !Thin", { { SELF_FLAG, FOO, AND }, { SELF_FLAG, THIN, NOT } }, 2 },
    { "Foo || Thin", { { SELF_FLAG, FOO, OR }, { SELF_FLAG, THIN, AND } }, 2 },
    { "Node(up ChildOf)", { { UP_FLAG, NODE, AND } }, 1 },
    { "Foo, Node(up ChildOf)", { { SELF_FLAG, FOO, AND }, { UP_FLAG, NODE, AND } }, 2 },
    { "Foo, !Node(up ChildOf)", { { SELF_FLAG, FOO, AND }, { UP_FLAG, NODE, NOT } }, 2 },
    { "Bar, ?Node(up ChildOf)", { { SELF_FLAG, BAR, AND }, { UP_FLAG, NODE, OPTIONAL } }, 2 },
    { "Foo, Bar || Node(up ChildOf)",
        { { SELF_FLAG, FOO, AND }, { SELF_FLAG, BAR, OR }, { UP_FLAG, NODE, AND } }, 3 },
    { "Bar, Thin(up ChildOf)", { { SELF_FLAG, BAR, AND }, { UP_FLAG, THIN, AND } }, 2 },
    { "Bar, !Thin(up ChildOf)", { { SELF_FLAG, BAR, AND }, { UP_FLAG, THIN, NOT } }, 2 },
    { "(Union, *)", { { UNION_ANY, 0, AND } }, 1 },
    { "(Union, A)", { { UNION_ONE, 0, AND } }, 1 },
    { "Foo, (Union, *)", { { SELF_FLAG, FOO, AND }, { UNION_ANY, 0, AND } }, 2 },
    { "Foo, !(Union, *)", { { SELF_FLAG, FOO, AND }, { UNION_ANY, 0, NOT } }, 2 },
    { "Foo, !(Union, A)", { { SELF_FLAG, FOO, AND }, { UNION_ONE, 0, NOT } }, 2 },
    { "(Union, B) || Thin", { { UNION_ONE, 1, OR }, { SELF_FLAG, THIN, AND } }, 2 },
};
enum { QUERIES = sizeof queries / sizeof queries[0] };

static bool is_child(const model_t *world, int e, int parent) {
    return world[e].parents >> parent & 1;
}

// The nearest above; of several parents, whether there is one at all.
static int source_above(const model_t *world, int e, int flag) {
    int found = NONE;
    for (int p = 0; p < COUNT && found == NONE; p++) {
        if (is_child(world, e, p)) found = world[p].has[flag] ? p : source_above(world, p, flag);
    }
    return has_several && found != NONE ? COUNT : found;
}

// Who has, for an entity, what a term asks for; a union's target counts as somebody else each.
static int source_of(const model_t *world, int e, const term_t *term) {
    switch (term->kind) {
    case SELF_FLAG: return world[e].has[term->index] ? e : NONE;
    case UNION_ONE: return world[e].target == term->index ? e : NONE;
    case UNION_ANY: return world[e].target == NONE ? NONE : COUNT + world[e].target;
    default: return source_above(world, e, term->index);
    }
}

static bool matches(const model_t *world, int e, const query_t *query) {
    for (int t = 0; t < query->count; t++) {
        const term_t *term = &query->terms[t];
        bool holds = source_of(world, e, term) != NONE;
        while (query->terms[t].oper == OR) holds |= source_of(world, e, &query->terms[++t]) != NONE;
        if (term->oper == NOT) holds = !holds;
        if (!holds && term->oper != OPTIONAL) return false;
    }
    return true;
}

// ---- logs: how often whom was told of what ----

typedef struct log_t {
    int observers[QUERIES][COUNT][2], monitors[QUERIES][COUNT][2]; /* [0]: added, [1]: removed */
} log_t;

static log_t seen, expected;

static int index_of(ecs_entity_t entity) {
    for (int i = 0; i < COUNT; i++) {
        if (entities[i] == entity) return i;
    }
    return NONE;
}

static void hear(ecs_iter_t *it) {
    int(*told)[2] = it->ctx;
    for (int i = 0; i < it->count; i++) {
        int e = index_of(it->entities[i]);
        assert_true(e != NONE);
        told[e][it->event == EcsOnRemove]++;
    }
}

static bool concerns(const model_t *from, const model_t *to, int e, const term_t *term, bool lost) {
    int then = source_of(from, e, term), now = source_of(to, e, term);
    if (term->oper == OPTIONAL || then == now) return false;
    if (term->oper == NOT) return lost ? then == NONE && now != NONE : then != NONE && now == NONE;
    if (!lost) return now != NONE;
    if (then == NONE) return false;
    // A nearer one that gets the id hides the farther one, which is not told as its loss.
    return !(term->kind == UP_FLAG && now < COUNT && now != NONE && to[now].has[term->index] &&
             !from[now].has[term->index]);
}

static bool is_concerned(
    const model_t *from, const model_t *to, int e, const query_t *query, bool lost) {
    for (int t = 0; t < query->count; t++) {
        if (concerns(from, to, e, &query->terms[t], lost)) return true;
    }
    return false;
}

// `dies`: an entity that is deleted gains nothing by what it loses.
static void expect(const model_t *from, const model_t *to, int dies) {
    for (int q = 0; q < QUERIES; q++) {
        for (int e = 0; e < COUNT; e++) {
            bool before = matches(from, e, &queries[q]);
            bool after = e != dies && matches(to, e, &queries[q]);
            bool gains = after && is_concerned(from, to, e, &queries[q], false);
            bool loses = before && is_concerned(from, to, e, &queries[q], true);
            expected.observers[q][e][0] += gains;
            expected.observers[q][e][1] += loses;
            expected.monitors[q][e][0] += after && !before;
            expected.monitors[q][e][1] += before && !after;
        }
    }
}

static bool is_modelled(const query_t *query) {
    for (int t = 0; has_several && t < query->count; t++) {
        if (query->terms[t].kind == UP_FLAG && query->terms[t].oper != NOT) return false;
    }
    return true;
}

static int at_step, at_op, at_entity, at_arg; /* for messages */

static void assert_same_logs(void) {
    for (int q = 0; q < QUERIES; q++) {
        for (int e = 0; e < COUNT; e++) {
            for (int side = 0; side < 2; side++) {
                int a = seen.observers[q][e][side], b = expected.observers[q][e][side];
                int c = seen.monitors[q][e][side], d = expected.monitors[q][e][side];
                if ((a == b || !is_modelled(&queries[q])) && c == d) continue;
                fail_msg("step %d, op %d of %d with %d: '%s' was told %s of %d: observer %d "
                         "times instead of %d, monitor %d instead of %d",
                    at_step, at_op, at_entity, at_arg, queries[q].expr, side ? "OnRemove" : "OnAdd",
                    e, a, b, c, d);
            }
        }
    }
    memset(&seen, 0, sizeof seen);
    memset(&expected, 0, sizeof expected);
}

// ---- changes ----

enum { ADD, REMOVE, TARGET, NO_TARGET, PARENT, NO_PARENT, CLEAR, DELETE, OPS };

static bool is_above(int above, int e) {
    if (e == above) return true;
    for (int p = 0; p < COUNT; p++) {
        if (is_child(model, e, p) && is_above(above, p)) return true;
    }
    return false;
}

static bool has_children(int e) {
    for (int i = 0; i < COUNT; i++) {
        if (is_child(model, i, e)) return true;
    }
    return false;
}

static bool is_possible(int op, int e, int arg) {
    if (op == PARENT) return !is_above(e, arg);
    if (op == NO_PARENT) return has_several ? is_child(model, e, arg) : model[e].parents != 0;
    if (op == CLEAR) return arg < 3;
    if (op == DELETE) return !has_children(e) && arg < 3;
    return true;
}

static void change_model(int op, int e, int arg) {
    switch (op) {
    case ADD: model[e].has[arg % FLAGS] = true; break;
    case REMOVE: model[e].has[arg % FLAGS] = false; break;
    case TARGET: model[e].target = arg % 2; break;
    case NO_TARGET: model[e].target = NONE; break;
    case PARENT: model[e].parents = (has_several ? model[e].parents : 0) | 1u << arg; break;
    case NO_PARENT: model[e].parents &= has_several ? ~(1u << arg) : 0; break;
    default: model[e] = (model_t){ .target = NONE }; break;
    }
}

// In trees every other entity is a child by component.
static void change(ecs_world_t *world, int op, int index, int arg) {
    ecs_entity_t e = entities[index];
    bool by_component = index % 2 && !has_several;
    switch (op) {
    case ADD: ecs_add_id(world, e, flags[arg % FLAGS]); break;
    case REMOVE: ecs_remove_id(world, e, flags[arg % FLAGS]); break;
    case TARGET: ecs_add_pair(world, e, Union, targets[arg % 2]); break;
    case NO_TARGET: ecs_remove_pair(world, e, Union, EcsWildcard); break;
    case PARENT:
        if (by_component)
            ecs_set(world, e, EcsParent, { entities[arg] });
        else
            ecs_add_pair(world, e, Rel, entities[arg]);
        break;
    case NO_PARENT:
        if (by_component)
            ecs_remove(world, e, EcsParent);
        else
            ecs_remove_pair(world, e, Rel, has_several ? entities[arg] : EcsWildcard);
        break;
    case CLEAR: ecs_clear(world, e); break;
    default: ecs_delete(world, e); break;
    }
}

// ---- runs ----

static void write_expr(int q, char *expr) {
    const char *text = queries[q].expr, *rel = strstr(text, "ChildOf");
    int length = rel ? (int)(rel - text) : (int)strlen(text);
    sprintf(expr, "%.*s%s", length, text, !rel ? "" : has_several ? "Rel)" : rel);
}

static void set_up(ecs_world_t *world) {
    const char *names[FLAGS] = { "Foo", "Bar", "Node", "Thin" };
    for (int i = 0; i < FLAGS; i++) flags[i] = ecs_entity(world, { .name = names[i] });
    ecs_set(world, flags[NODE], EcsComponent, { sizeof(Node), ECS_ALIGNOF(Node) });
    ecs_add_id(world, flags[THIN], EcsDontFragment);
    Union = ecs_entity(world, { .name = "Union", .add = ecs_ids(EcsUnion) });
    targets[0] = ecs_entity(world, { .name = "A" });
    targets[1] = ecs_entity(world, { .name = "B" });
    Rel = EcsChildOf;
    if (has_several) Rel = ecs_entity(world, { .name = "Rel", .add = ecs_ids(EcsTraversable) });
    for (int q = 0; q < QUERIES; q++) {
        ecs_entity_t on_add = EcsOnAdd, on_remove = EcsOnRemove;
        char expr[64];
        write_expr(q, expr);
        ecs_observer_desc_t desc = { .query.expr = expr, .callback = hear };
        desc.events[0] = on_add;
        desc.events[1] = on_remove;
        desc.ctx = seen.observers[q];
        assert_true(ecs_observer_init(world, &desc));
        desc = (ecs_observer_desc_t){ .query.expr = expr, .callback = hear };
        desc.events[0] = EcsMonitor;
        desc.ctx = seen.monitors[q];
        assert_true(ecs_observer_init(world, &desc));
    }
    for (int i = 0; i < COUNT; i++) {
        entities[i] = ecs_new(world);
        model[i] = (model_t){ .target = NONE };
    }
    random_state = random_init(random_seed());
    memset(&seen, 0, sizeof seen);
    memset(&expected, 0, sizeof expected);
}

static int steps(void) {
    const char *text = getenv("MUSTER_TEST_STEPS");
    return text ? atoi(text) : STEPS;
}

static void run(ecs_world_t *world, bool deferred, bool several) {
    has_several = several;
    set_up(world);
    for (at_step = 0; at_step < steps(); at_step++) {
        at_op = below(OPS), at_entity = below(COUNT), at_arg = below(COUNT);
        if (!is_possible(at_op, at_entity, at_arg)) continue;
        model_t before[COUNT];
        memcpy(before, model, sizeof before);
        change_model(at_op, at_entity, at_arg);
        expect(before, model, at_op == DELETE ? at_entity : NONE);
        if (deferred) ecs_defer_begin(world);
        change(world, at_op, at_entity, at_arg);
        if (deferred) ecs_defer_end(world);
        assert_same_logs();
        if (at_op == DELETE) entities[at_entity] = ecs_new(world);
    }
    for (int i = 0; i < COUNT; i++) ecs_clear(world, entities[i]);
}

static void changes_at_once(void **state) { run(*state, false, false); }
static void changes_as_commands(void **state) { run(*state, true, false); }
static void changes_where_branches_meet(void **state) { run(*state, false, true); }
static void commands_where_branches_meet(void **state) { run(*state, true, true); }

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(changes_at_once),
        mini_world_test(changes_as_commands),
        mini_world_test(changes_where_branches_meet),
        mini_world_test(commands_where_branches_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
