// SPDX-License-Identifier: MIT
// Random changes of a component and two relationships, against a naive model: whatever the storage
// (tables, sparse sets, beside tables with and without presence) and whether changes are applied one
// by one or in batches, entities have the same, values live once, and events balance.
#include "support/world.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/random.h"

enum { ENTITIES = 24, STEPS = 4000 };

typedef struct Counted {
    int32_t value;
    void *self; /* found wrong if a value is moved as bytes or lost */
} Counted;

static ECS_COMPONENT_DECLARE(Counted);
static int live;

static ECS_CTOR(Counted, ptr, {
    *ptr = (Counted){ 0, ecs_os_malloc(1) };
    live++;
})
static ECS_DTOR(Counted, ptr, {
    ecs_os_free(ptr->self);
    live--;
})
static ECS_COPY(Counted, dst, src, { dst->value = src->value; })
static ECS_MOVE(Counted, dst, src, { dst->value = src->value; })

// What an entity has. Pairs are numbered by the entity that is their target; 0 is no value.
typedef struct model_t {
    int32_t component;
    int32_t exclusive[ENTITIES], several[ENTITIES];
    bool tag;
} model_t;

typedef enum { TABLE, SPARSE, BESIDE, UNION, SPARSE_EDGES } kind_t;

static ecs_entity_t entities[ENTITIES], One, Many, Tag;
static model_t model[ENTITIES];
static random_t rng;
// In a batch that is folded into one move, what is removed and added again keeps its value; the
// model is not as clever, so values are set then.
static bool folds;
static int balance[3]; /* OnAdd minus OnRemove: component, exclusive, several */

static void on_event(ecs_iter_t *it) {
    int *count = it->ctx;
    *count += it->event == EcsOnAdd ? it->count : -it->count;
}

static ecs_entity_t make_relationship(
    ecs_world_t *world, const char *name, kind_t kind, bool exclusive) {
    ecs_entity_t rel = ecs_relationship(world, { .name = name,
                                                   .type = ecs_id(Counted),
                                                   .exclusive = exclusive,
                                                   .sparse = kind == SPARSE_EDGES,
                                                   .reverse_index = true });
    if (kind == SPARSE) ecs_add_id(world, rel, EcsSparse);
    bool is_union = kind == UNION && exclusive;
    if (is_union) ecs_add_id(world, rel, EcsUnion);
    if (kind == BESIDE || (kind == UNION && !exclusive)) ecs_add_id(world, rel, EcsDontFragment);
    return rel;
}

static void observe(ecs_world_t *world, ecs_id_t id, int *count) {
    ecs_observer(world, { .query.terms = { { .id = id } },
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = on_event,
                            .ctx = count });
}

static void use(ecs_world_t *world, kind_t kind) {
    ecs_id(Counted) = 0;
    live = 0;
    memset(model, 0, sizeof model);
    memset(balance, 0, sizeof balance);
    ECS_COMPONENT_DEFINE(world, Counted);
    ecs_set_hooks(world, Counted,
        { .ctor = ecs_ctor(Counted),
            .dtor = ecs_dtor(Counted),
            .copy = ecs_copy(Counted),
            .move = ecs_move(Counted) });
    One = make_relationship(world, "One", kind, true);
    Many = make_relationship(world, "Many", kind, false);
    if (kind == SPARSE) ecs_add_id(world, ecs_id(Counted), EcsSparse);
    if (kind >= BESIDE) ecs_add_id(world, ecs_id(Counted), EcsDontFragment);
    Tag = ecs_new(world);
    observe(world, ecs_id(Counted), &balance[0]);
    observe(world, ecs_pair(One, EcsWildcard), &balance[1]);
    observe(world, ecs_pair(Many, EcsWildcard), &balance[2]);
    for (int i = 0; i < ENTITIES; i++) entities[i] = ecs_new(world);
}

// ---- changes, made to both ----

static void set(ecs_world_t *world, ecs_entity_t e, ecs_id_t id, int32_t value) {
    Counted counted = { .value = value };
    ecs_set_id(world, e, id, sizeof counted, &counted);
}

// An edge by itself begins with 1; the value of a union stays.
static void change_pair(
    ecs_world_t *world, int e, int t, bool exclusive, bool has_value, kind_t kind) {
    int32_t *edges = exclusive ? model[e].exclusive : model[e].several;
    int32_t value = has_value ? 2 + random_below(&rng, 1000) : 1, kept = 0;
    ecs_id_t id = ecs_pair(exclusive ? One : Many, entities[t]);
    if (has_value)
        set(world, entities[e], id, value - 1);
    else
        ecs_add_id(world, entities[e], id);
    for (int i = 0; exclusive && i < ENTITIES; i++) {
        if (i != t && edges[i]) kept = edges[i];
        if (i != t) edges[i] = 0;
    }
    if (has_value)
        edges[t] = value;
    else if (!edges[t])
        edges[t] = kept && kind == UNION ? kept : 1;
}

static void forget_target(int t) {
    for (int e = 0; e < ENTITIES; e++) model[e].exclusive[t] = model[e].several[t] = 0;
}

static void remove_pairs(ecs_world_t *world, int e, int t, int what) {
    ecs_id_t ids[] = { ecs_pair(One, entities[t]), ecs_pair(Many, entities[t]),
        ecs_pair(One, EcsWildcard), ecs_pair(Many, EcsWildcard),
        ecs_pair(EcsWildcard, entities[t]) };
    ecs_remove_id(world, entities[e], ids[what]);
    for (int i = 0; i < ENTITIES; i++) {
        if (what == 2 || (i == t && (what == 0 || what == 4))) model[e].exclusive[i] = 0;
        if (what == 3 || (i == t && (what == 1 || what == 4))) model[e].several[i] = 0;
    }
}

static void change(ecs_world_t *world, kind_t kind) {
    int e = random_below(&rng, ENTITIES), t = random_below(&rng, ENTITIES);
    int32_t value = 2 + random_below(&rng, 1000);
    switch (random_below(&rng, 12)) {
    case 0:
        if (folds) break;
        ecs_add(world, entities[e], Counted);
        if (!model[e].component) model[e].component = 1;
        break;
    case 1:
        set(world, entities[e], ecs_id(Counted), value - 1);
        model[e].component = value;
        break;
    case 2:
        ecs_remove(world, entities[e], Counted);
        model[e].component = 0;
        break;
    case 3: change_pair(world, e, t, true, folds, kind); break;
    case 4: change_pair(world, e, t, true, true, kind); break;
    case 5: change_pair(world, e, t, false, folds, kind); break;
    case 6: change_pair(world, e, t, false, true, kind); break;
    case 7:
    case 8: remove_pairs(world, e, t, random_below(&rng, 5)); break;
    case 9:
        if (random_below(&rng, 4)) break;
        ecs_clear(world, entities[e]);
        model[e] = (model_t){ 0 };
        break;
    default:
        if (model[e].tag)
            ecs_remove_id(world, entities[e], Tag);
        else
            ecs_add_id(world, entities[e], Tag);
        model[e].tag = !model[e].tag;
    }
}

// By itself, since its id is used again at once.
static void replace_entity(ecs_world_t *world) {
    int e = random_below(&rng, ENTITIES), from = random_below(&rng, ENTITIES);
    ecs_delete(world, entities[e]);
    model[e] = (model_t){ 0 };
    forget_target(e);
    if (from == e) {
        entities[e] = ecs_new(world);
        return;
    }
    entities[e] = ecs_clone(world, 0, entities[from], true);
    model[e] = model[from];
}

// ---- comparing ----

static void check_value(ecs_world_t *world, int e, ecs_id_t id, int32_t value) {
    assert_int_equal(ecs_has_id(world, entities[e], id), value != 0);
    const Counted *counted = ecs_get_id(world, entities[e], id);
    assert_int_equal(counted ? counted->value + 1 : 0, value);
}

static int compare_targets(const void *a, const void *b) {
    uint32_t x = (uint32_t) * (const ecs_entity_t *)a, y = (uint32_t) * (const ecs_entity_t *)b;
    return (x > y) - (x < y);
}

static int check_edges(ecs_world_t *world, int e, ecs_entity_t rel, const int32_t *edges) {
    ecs_entity_t wanted[ENTITIES];
    int count = 0;
    for (int t = 0; t < ENTITIES; t++) {
        check_value(world, e, ecs_pair(rel, entities[t]), edges[t]);
        if (edges[t]) wanted[count++] = entities[t];
    }
    qsort(wanted, (size_t)count, sizeof *wanted, compare_targets);
    for (int i = 0; i < count; i++)
        assert_id_equal(world, ecs_get_target(world, entities[e], rel, i), wanted[i]);
    assert_int_equal(ecs_get_target(world, entities[e], rel, count), 0);
    assert_int_equal(ecs_has_pair(world, entities[e], rel, EcsWildcard), count > 0);
    return count;
}

static void check_targets(ecs_world_t *world) {
    for (int t = 0; t < ENTITIES; t++) {
        int count = 0;
        for (int e = 0; e < ENTITIES; e++) count += model[e].several[t] != 0;
        assert_int_equal(ecs_count_id(world, ecs_pair(Many, entities[t])), count);
    }
}

static void check(ecs_world_t *world) {
    int components = 0, exclusive = 0, several = 0;
    for (int e = 0; e < ENTITIES; e++) {
        check_value(world, e, ecs_id(Counted), model[e].component);
        components += model[e].component != 0;
        exclusive += check_edges(world, e, One, model[e].exclusive);
        several += check_edges(world, e, Many, model[e].several);
        assert_int_equal(ecs_has_id(world, entities[e], Tag), model[e].tag);
    }
    check_targets(world);
    assert_int_equal(ecs_count(world, Counted), components);
    assert_int_equal(ecs_count_id(world, ecs_pair(One, EcsWildcard)), exclusive);
    assert_int_equal(ecs_count_id(world, ecs_pair(Many, EcsWildcard)), several);
    assert_int_equal(live, components + exclusive + several);
    assert_int_equal(balance[0], components);
    assert_int_equal(balance[1], exclusive);
    assert_int_equal(balance[2], several);
    assert_true(ecs_world_verify(world));
}

static void run(void **state, kind_t kind, int batch) {
    ecs_world_t *world = *state;
    rng = random_init(random_seed() + kind * 100 + (uint64_t)batch);
    folds = batch > 1 && kind <= SPARSE;
    use(world, kind);
    for (int step = 0; step < STEPS / batch; step++) {
        if (batch > 1) ecs_defer_begin(world);
        for (int i = 0; i < batch; i++) change(world, kind);
        if (batch > 1) ecs_defer_end(world);
        if (!random_below(&rng, 10)) replace_entity(world);
        if (step % 8 == 0 || batch > 1) check(world);
    }
    check(world);
}

#define runs_of(name, kind)                                              \
    static void name##_at_once(void **state) { run(state, kind, 1); }    \
    static void name##_in_batches(void **state) { run(state, kind, 7); } \
    static void name##_in_large_batches(void **state) { run(state, kind, 100); }

runs_of(tables, TABLE) runs_of(sparse_values, SPARSE) runs_of(beside_tables, BESIDE)
    runs_of(unions, UNION) runs_of(sparse_edges, SPARSE_EDGES)
#define tests_of(name)                                                   \
    mini_world_test(name##_at_once), mini_world_test(name##_in_batches), \
        mini_world_test(name##_in_large_batches)

        int main(void) {
    const struct CMUnitTest tests[] = {
        tests_of(tables),
        tests_of(sparse_values),
        tests_of(beside_tables),
        tests_of(unions),
        tests_of(sparse_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
