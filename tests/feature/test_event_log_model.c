// SPDX-License-Identifier: MIT
// Every event of random changes against a naive model that knows trees, bases and sparse values: what
// is told, to whom, from which source and with which value, however the changes are made: at once, as
// commands, or by a system on 1 … 8 workers.
#include "support/world.h"

#include <stdlib.h>

#include "support/random.h"

typedef struct Node {
    int value;
} Node;
typedef struct Thin {
    int value;
} Thin;
typedef struct Kind {
    int value;
} Kind;
typedef struct Plan {
    int op, index, arg;
} Plan;

static ECS_COMPONENT_DECLARE(Node);
static ECS_COMPONENT_DECLARE(Thin);
static ECS_COMPONENT_DECLARE(Kind);
static ECS_COMPONENT_DECLARE(Plan);

enum { BASES = 3, COUNT = 12, ALL = BASES + COUNT, STEPS = 1000000 }; /* MUSTER_TEST_STEPS */
enum { NODE, UP, THIN, KIND };                                        /* observers */
enum { ADD, SET, REMOVE };                                            /* events */

static ecs_entity_t entities[ALL]; /* the first are bases of others, outside of trees */
static random_t random_state;

static int below(int limit) { return random_below(&random_state, limit); }

// ---- logs ----

typedef struct entry_t {
    int observer, event, entity, source, value; /* entities by index; source -1: itself */
} entry_t;

typedef struct log_t {
    entry_t entries[4096];
    int count;
} log_t;

static log_t seen, expected;

// What an own value is when it is added depends on how: a set that was recorded may be there already.
static void add_entry(log_t *log, entry_t entry) {
    if (entry.event == ADD && entry.source < 0) entry.value = 0;
    assert_true(log->count < 4096);
    log->entries[log->count++] = entry;
}

static int compare(const void *a, const void *b) { return memcmp(a, b, sizeof(entry_t)); }

static int present_op, present_entity, present_arg; /* for messages */

static void assert_same_logs(int step) {
    qsort(seen.entries, (size_t)seen.count, sizeof(entry_t), compare);
    qsort(expected.entries, (size_t)expected.count, sizeof(entry_t), compare);
    for (int i = 0; i < seen.count || i < expected.count; i++) {
        entry_t none = { -1, -1, -1, -1, -1 };
        entry_t a = i < seen.count ? seen.entries[i] : none;
        entry_t b = i < expected.count ? expected.entries[i] : none;
        if (compare(&a, &b)) {
            fail_msg(
                "step %d, op %d of %d with %d: told observer %d event %d entity %d source %d value %d, expected %d "
                "%d %d %d %d",
                step, present_op, present_entity, present_arg, a.observer, a.event, a.entity,
                a.source, a.value, b.observer, b.event, b.entity, b.source, b.value);
        }
    }
    seen.count = expected.count = 0;
}

static int index_of(ecs_entity_t entity) {
    for (int i = 0; i < ALL; i++) {
        if (entities[i] == entity) return i;
    }
    return -1;
}

static void hear(ecs_iter_t *it) {
    int observer = *(int *)it->ctx;
    int event = it->event == EcsOnAdd ? ADD : it->event == EcsOnSet ? SET : REMOVE;
    ecs_entity_t source = ecs_field_src(it, 0);
    for (int i = 0; i < it->count; i++) {
        const int *value = observer == THIN ? (int *)ecs_field_at(it, Thin, 0, i)
                           : source         ? it->ptrs[0]
                                            : (int *)it->ptrs[0] + i;
        add_entry(&seen, (entry_t){ observer, event, index_of(it->entities[i]),
                             source ? index_of(source) : -1, *value });
    }
}

// ---- model ----

typedef struct model_t {
    int parent, base; /* -1: none */
    bool node, thin, kind;
    int node_value, thin_value, kind_value;
} model_t;

static model_t model[ALL];

static void expect(int observer, int event, int entity, int source, int value) {
    add_entry(&expected, (entry_t){ observer, event, entity, source, value });
}

// The base that an entity inherits Node from, or -1.
static int node_base(int e) {
    return !model[e].node && model[e].base >= 0 && model[model[e].base].node ? model[e].base : -1;
}

// Those below that look up and find `source` first.
static void expect_below(int event, int at, int source) {
    for (int i = 0; i < ALL; i++) {
        if (model[i].parent != at) continue;
        expect(UP, event, i, source, model[source].node_value);
        if (!model[i].node && node_base(i) < 0) expect_below(event, i, source);
    }
}

// Who has the Node that those below an entity see, itself apart.
static int source_above(int entity) {
    for (int at = model[entity].parent; at >= 0; at = model[at].parent) {
        if (model[at].node) return at;
        if (node_base(at) >= 0) return node_base(at);
    }
    return -1;
}
static int revealed(int e) { return node_base(e) >= 0 ? node_base(e) : source_above(e); }

// Those below instances see what these inherit.
static void expect_below_instances(int event, int base) {
    for (int i = 0; i < ALL; i++) {
        if (model[i].base == base && !model[i].node) expect_below(event, i, base);
    }
}

static void expect_instances(int event, int base) {
    for (int i = 0; i < ALL; i++) {
        if (model[i].base == base && !model[i].kind)
            expect(KIND, event, i, base, model[base].kind_value);
    }
}

// What an entity has hides what is above it, or above its instances, from those below.
static void lose_node(int e) {
    int before[ALL];
    for (int i = 0; i < ALL; i++) before[i] = source_above(i);
    model[e].node = false;
    for (int i = 0; i < ALL; i++) {
        int after = source_above(i);
        if (before[i] == e && after >= 0) expect(UP, ADD, i, after, model[after].node_value);
    }
}

static void model_node(int e, bool has, bool is_set, int value) {
    model_t *m = &model[e];
    if (has && !m->node) {
        m->node_value = node_base(e) < 0 ? 0 : model[node_base(e)].node_value;
        m->node = true;
        expect(NODE, ADD, e, -1, 0);
        expect_below(ADD, e, e);
        expect_below_instances(ADD, e);
    } else if (!has && m->node) {
        expect(NODE, REMOVE, e, -1, m->node_value);
        expect_below(REMOVE, e, e);
        expect_below_instances(REMOVE, e);
        lose_node(e);
    }
    if (has && is_set) {
        m->node_value = value;
        expect(NODE, SET, e, -1, value);
        expect_below(SET, e, e);
        expect_below_instances(SET, e);
    }
}

static void model_thin(int e, bool has, bool is_set, int value) {
    model_t *m = &model[e];
    if (has && !m->thin) expect(THIN, ADD, e, -1, 0);
    if (!has && m->thin) expect(THIN, REMOVE, e, -1, m->thin_value);
    if (has && !m->thin) m->thin_value = 0;
    m->thin = has;
    if (has && is_set) {
        m->thin_value = value;
        expect(THIN, SET, e, -1, value);
    }
}

static bool inherits(int e) { return model[e].base >= 0 && model[model[e].base].kind; }

static void model_kind(int e, bool has, bool is_set, int value) {
    model_t *m = &model[e];
    if (has && !m->kind) {
        m->kind_value = inherits(e) ? model[m->base].kind_value : 0;
        expect(KIND, ADD, e, -1, m->kind_value);
        expect_instances(ADD, e);
        m->kind = true;
    } else if (!has && m->kind) {
        expect(KIND, REMOVE, e, -1, m->kind_value);
        expect_instances(REMOVE, e);
        m->kind = false;
        if (inherits(e)) expect(KIND, SET, e, m->base, model[m->base].kind_value);
    }
    if (has && is_set) {
        m->kind_value = value;
        expect(KIND, SET, e, -1, value);
        expect_instances(SET, e);
    }
}

static void model_parent(int e, int parent) {
    int before = source_above(e);
    model[e].parent = parent;
    int after = source_above(e);
    if (before == after) return;
    for (int event = ADD; event <= REMOVE; event += REMOVE - ADD) {
        int source = event == ADD ? after : before;
        if (source < 0) continue;
        expect(UP, event, e, source, model[source].node_value);
        if (!model[e].node && node_base(e) < 0) expect_below(event, e, source);
    }
}

static void model_base(int e, int base) {
    model_t *m = &model[e];
    if (m->base == base) return;
    if (!m->kind && inherits(e)) expect(KIND, REMOVE, e, m->base, model[m->base].kind_value);
    int before = revealed(e), shown = node_base(e);
    m->base = base;
    int after = revealed(e);
    if (shown >= 0 && shown != after) expect_below(REMOVE, e, shown);
    if (!m->node && after >= 0 && after != before) expect_below(ADD, e, after);
    if (m->kind || !inherits(e)) return;
    expect(KIND, ADD, e, base, model[base].kind_value);
    expect(KIND, SET, e, base, model[base].kind_value);
}

// ---- changes ----

enum {
    ADD_NODE,
    SET_NODE,
    REMOVE_NODE,
    ADD_THIN,
    SET_THIN,
    REMOVE_THIN,
    ADD_KIND,
    SET_KIND,
    REMOVE_KIND,
    SET_PARENT,
    REMOVE_PARENT,
    ADD_BASE,
    REMOVE_BASE,
    OPS
};

static bool is_above(int above, int e) {
    for (; e >= 0; e = model[e].parent) {
        if (e == above) return true;
    }
    return false;
}

// Bases stay out of trees, and have no Thin; one base at a time.
static bool is_possible(int op, int e, int arg) {
    switch (op) {
    case ADD_THIN:
    case SET_THIN: return e >= BASES;
    case SET_PARENT: return e >= BASES && arg >= BASES && !is_above(e, arg);
    case REMOVE_PARENT: return model[e].parent >= 0;
    case ADD_BASE: return e >= BASES && model[e].base < 0;
    case REMOVE_BASE: return model[e].base >= 0;
    default: return true;
    }
}

static void change_model(int op, int e, int arg) {
    switch (op) {
    case ADD_NODE: model_node(e, true, false, 0); break;
    case SET_NODE: model_node(e, true, true, arg); break;
    case REMOVE_NODE: model_node(e, false, false, 0); break;
    case ADD_THIN: model_thin(e, true, false, 0); break;
    case SET_THIN: model_thin(e, true, true, arg); break;
    case REMOVE_THIN: model_thin(e, false, false, 0); break;
    case ADD_KIND: model_kind(e, true, false, 0); break;
    case SET_KIND: model_kind(e, true, true, arg); break;
    case REMOVE_KIND: model_kind(e, false, false, 0); break;
    case SET_PARENT: model_parent(e, arg); break;
    case REMOVE_PARENT: model_parent(e, -1); break;
    case ADD_BASE: model_base(e, arg % BASES); break;
    case REMOVE_BASE: model_base(e, -1); break;
    default: break;
    }
}

static void change(ecs_world_t *world, int op, int index, int arg, int parent, int base) {
    ecs_entity_t e = entities[index];
    switch (op) {
    case ADD_NODE: ecs_add(world, e, Node); break;
    case SET_NODE: ecs_set(world, e, Node, { arg }); break;
    case REMOVE_NODE: ecs_remove(world, e, Node); break;
    case ADD_THIN: ecs_add(world, e, Thin); break;
    case SET_THIN: ecs_set(world, e, Thin, { arg }); break;
    case REMOVE_THIN: ecs_remove(world, e, Thin); break;
    case ADD_KIND: ecs_add(world, e, Kind); break;
    case SET_KIND: ecs_set(world, e, Kind, { arg }); break;
    case REMOVE_KIND: ecs_remove(world, e, Kind); break;
    case SET_PARENT: ecs_add_pair(world, e, EcsChildOf, entities[arg]); break;
    case REMOVE_PARENT: ecs_remove_pair(world, e, EcsChildOf, entities[parent]); break;
    case ADD_BASE: ecs_add_pair(world, e, EcsIsA, entities[arg % BASES]); break;
    case REMOVE_BASE: ecs_remove_pair(world, e, EcsIsA, entities[base]); break;
    default: break;
    }
}

// ---- runs ----

static void set_up(ecs_world_t *world) {
    static int observers[] = { NODE, UP, THIN, KIND };
    const char *exprs[] = { "Node(self)", "Node(up ChildOf)", "Thin(self)", "Kind" };
    ecs_id(Node) = ecs_id(Thin) = ecs_id(Kind) = ecs_id(Plan) = 0;
    ECS_COMPONENT_DEFINE(world, Node);
    ECS_COMPONENT_DEFINE(world, Thin);
    ECS_COMPONENT_DEFINE(world, Kind);
    ECS_COMPONENT_DEFINE(world, Plan);
    ecs_add_id(world, ecs_id(Thin), EcsSparse);
    for (int i = 0; i < 4; i++) {
        ecs_observer(world, { .query.expr = exprs[i],
                                .events = { EcsOnAdd, EcsOnSet, EcsOnRemove },
                                .callback = hear,
                                .ctx = &observers[i] });
    }
    for (int i = 0; i < ALL; i++) {
        entities[i] = ecs_new(world);
        model[i] = (model_t){ .parent = -1, .base = -1 };
    }
    random_state = random_init(random_seed());
    seen.count = expected.count = 0;
}

static int steps(void) {
    const char *text = getenv("MUSTER_TEST_STEPS");
    return text ? atoi(text) : STEPS;
}

static void run(ecs_world_t *world, bool deferred) {
    set_up(world);
    for (int step = 0, count = steps(); step < count; step++) {
        int op = below(OPS), e = below(ALL), arg = below(ALL);
        if (!is_possible(op, e, arg)) continue;
        present_op = op, present_entity = e, present_arg = arg;
        if (deferred) ecs_defer_begin(world);
        change(world, op, e, arg, model[e].parent, model[e].base);
        if (deferred) ecs_defer_end(world);
        change_model(op, e, arg);
        assert_same_logs(step);
    }
}

static void changes_at_once(void **state) { run(*state, false); }
static void changes_as_commands(void **state) { run(*state, true); }

static void Do(ecs_iter_t *it) {
    const Plan *plan = ecs_field(it, Plan, 0);
    for (int i = 0; i < it->count; i++) {
        const model_t *m = &model[plan[i].index];
        change(it->world, plan[i].op, plan[i].index, plan[i].arg, m->parent, m->base);
    }
}

// The change of one entity; plans are on entities of their own, spread over workers.
static void changes_by_workers(void **state) {
    enum { PLANS = 9000 }; /* more than one range of rows; one of them has something to do */
    (void)state;
    for (int workers = 1; workers <= 8; workers *= 2) {
        ecs_world_t *world = ecs_init();
        set_up(world);
        ecs_set_threads(world, workers);
        Plan *plans = calloc(PLANS, sizeof *plans);
        for (int i = 0; i < PLANS; i++) plans[i].op = OPS;
        const ecs_entity_t *made = ecs_bulk_init(
            world, &(ecs_bulk_desc_t){
                       .count = PLANS, .ids = { ecs_id(Plan) }, .data = (void *[]){ plans } });
        ecs_entity_t *holders = calloc(PLANS, sizeof *holders);
        memcpy(holders, made, PLANS * sizeof *holders);
        free(plans);
        ecs_system(world, { .query.terms = { { ecs_id(Plan), .inout = EcsIn } },
                              .callback = Do,
                              .phase = EcsOnUpdate,
                              .multi_threaded = true });
        for (int step = 0; step < steps() / 2500; step++) {
            int op = below(OPS), e = below(ALL), arg = below(ALL), at = below(PLANS);
            if (!is_possible(op, e, arg)) continue;
            present_op = op, present_entity = e, present_arg = arg;
            ecs_set(world, holders[at], Plan, { op, e, arg });
            ecs_progress(world, 1);
            ecs_set(world, holders[at], Plan, { OPS, 0, 0 });
            change_model(op, e, arg);
            assert_same_logs(step);
        }
        free(holders);
        ecs_fini(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(changes_at_once),
        mini_world_test(changes_as_commands),
        cmocka_unit_test(changes_by_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
