// SPDX-License-Identifier: MIT
// Constructors, destructors, copies, moves and hooks are balanced whatever happens to values.
//
// Each value owns a block of memory, so that a missing or doubled destructor is a leak, a double free or a wrong count. Random operations
// run on components in tables, on pairs, with toggles, sparse and non-fragmenting, and on a naive model; after every burst values, living
// objects and hook calls must agree with the model. MUSTER_TEST_STEPS sets the number of steps (1 000 000 for a long run).
#include "support/world.h"

#include <stdlib.h>

#include "support/random.h"

enum { ENTITIES = 64, KINDS = 7, BASE_KINDS = 2, TEMPLATES = 3 };
enum { IN_TABLE, ALL_HOOKS, IN_PAIR, TOGGLED, SPARSE, APART, SPARSE_ALL_HOOKS };

typedef struct Counted {
    int32_t *cell;
} Counted;

typedef struct counts_t {
    int64_t live, held;
} counts_t;

static counts_t counts[KINDS];

static counts_t *counts_of(const ecs_type_info_t *type) { return type->hooks.lifecycle_ctx; }

static void set_cell(Counted *value, int32_t number) {
    value->cell = malloc(sizeof(int32_t));
    *value->cell = number;
}

static void construct(void *ptr, int32_t count, const ecs_type_info_t *type) {
    Counted *values = ptr;
    for (int32_t i = 0; i < count; i++) set_cell(&values[i], 0);
    counts_of(type)->live += count;
}

static void destruct(void *ptr, int32_t count, const ecs_type_info_t *type) {
    Counted *values = ptr;
    for (int32_t i = 0; i < count; i++) {
        free(values[i].cell);
        values[i].cell = NULL;
    }
    counts_of(type)->live -= count;
}

static void copy(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    Counted *to = dst;
    const Counted *from = src;
    for (int32_t i = 0; i < count; i++) *to[i].cell = *from[i].cell;
}

static void move(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    Counted *to = dst, *from = src;
    for (int32_t i = 0; i < count; i++) {
        int32_t *cell = to[i].cell;
        to[i].cell = from[i].cell;
        from[i].cell = cell;
    }
}

static void copy_construct(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    Counted *to = dst;
    const Counted *from = src;
    for (int32_t i = 0; i < count; i++) set_cell(&to[i], *from[i].cell);
    counts_of(type)->live += count;
}

static void move_construct(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    Counted *to = dst, *from = src;
    for (int32_t i = 0; i < count; i++) {
        to[i] = from[i];
        set_cell(&from[i], 0);
    }
    counts_of(type)->live += count;
}

static void take(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    memcpy(dst, src, sizeof(Counted) * (size_t)count);
}

static void move_destruct(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    Counted *to = dst, *from = src;
    for (int32_t i = 0; i < count; i++) {
        free(to[i].cell);
        to[i] = from[i];
        from[i].cell = NULL;
    }
    counts_of(type)->live -= count;
}

static void on_add(ecs_iter_t *it) { ((counts_t *)it->ctx)->held += it->count; }
static void on_remove(ecs_iter_t *it) { ((counts_t *)it->ctx)->held -= it->count; }

// ---- the model ----

typedef struct model_entity_t {
    ecs_entity_t id; /* 0 = free */
    bool is_instance;
    bool is_new_instance; /* in this burst: its first removal begins another batch */
    bool has[KINDS];
    int32_t value[KINDS];
    bool kept[KINDS]; /* in the row since before the burst: removing and adding keeps the value */
    int32_t kept_value[KINDS];
    bool was_there[KINDS]; /* when the burst began: sets write into the row ahead of what follows */
} model_entity_t;

typedef struct model_t {
    ecs_world_t *world;
    random_t random;
    bool deferred;
    int32_t next_value;
    ecs_id_t ids[KINDS];
    ecs_entity_t base, tags[3], parent;
    int32_t base_value[BASE_KINDS];
    model_entity_t templates[TEMPLATES]; /* are only read */
    model_entity_t entities[ENTITIES];
} model_t;

static ecs_entity_t new_kind(ecs_world_t *world, int kind, bool all_hooks) {
    ecs_type_hooks_t hooks = { .ctor = construct,
        .dtor = destruct,
        .copy = copy,
        .move = move,
        .on_add = on_add,
        .on_remove = on_remove,
        .ctx = &counts[kind],
        .lifecycle_ctx = &counts[kind] };
    if (all_hooks) {
        hooks.copy_ctor = copy_construct;
        hooks.move_ctor = move_construct;
        hooks.ctor_move_dtor = take;
        hooks.move_dtor = move_destruct;
    }
    return ecs_component(world,
        { .type = {
              .size = ECS_SIZEOF(Counted), .alignment = ECS_ALIGNOF(Counted), .hooks = hooks } });
}

static void set(const model_t *m, ecs_entity_t entity, int kind, int32_t number) {
    ecs_set_id(m->world, entity, m->ids[kind], sizeof(Counted), &(Counted){ &number });
}

static void make_world(model_t *m) {
    m->world = ecs_mini();
    ecs_entity_t kinds[KINDS];
    for (int k = 0; k < KINDS; k++)
        m->ids[k] = kinds[k] = new_kind(m->world, k, k == ALL_HOOKS || k == SPARSE_ALL_HOOKS);
    ecs_add_id(m->world, kinds[TOGGLED], EcsCanToggle);
    ecs_add_id(m->world, kinds[SPARSE], EcsSparse);
    ecs_add_id(m->world, kinds[SPARSE_ALL_HOOKS], EcsSparse);
    ecs_add_id(m->world, kinds[APART], EcsDontFragment);
    m->ids[IN_PAIR] = ecs_pair(kinds[IN_PAIR], ecs_new(m->world));
    for (int i = 0; i < 3; i++) m->tags[i] = ecs_new(m->world);
    m->parent = ecs_new(m->world);
    m->base = ecs_new_w_id(m->world, EcsPrefab);
    for (int k = 0; k < BASE_KINDS; k++) {
        m->base_value[k] = ++m->next_value;
        ecs_auto_override_id(m->world, m->base, m->ids[k]);
        set(m, m->base, k, m->base_value[k]);
    }
    for (int t = 0; t < TEMPLATES; t++) {
        model_entity_t *e = &m->templates[t];
        e->id = ecs_new(m->world);
        for (int k = t; k < KINDS; k += 2) {
            e->has[k] = true;
            set(m, e->id, k, e->value[k] = ++m->next_value);
        }
    }
}

static model_entity_t *free_entity(model_t *m) {
    for (int i = 0; i < ENTITIES; i++) {
        if (!m->entities[i].id) return &m->entities[i];
    }
    return NULL;
}

static void model_add(const model_t *m, model_entity_t *e, int kind) {
    if (e->has[kind]) return;
    e->has[kind] = true;
    bool is_override = e->is_instance && kind < BASE_KINDS;
    e->value[kind] = is_override ? m->base_value[kind] : e->kept[kind] ? e->kept_value[kind] : 0;
}

static void model_set(model_entity_t *e, int kind, int32_t number) {
    e->has[kind] = true;
    e->value[kind] = number;
    if (e->was_there[kind] || e->kept[kind]) e->kept_value[kind] = number;
}

// What is in the row now is kept when it is removed and added again before the next barrier: a command that is not folded with others.
static void barrier(model_entity_t *e) {
    memcpy(e->kept, e->has, sizeof(e->kept));
    memcpy(e->kept_value, e->value, sizeof(e->kept_value));
    e->is_new_instance = false;
}

// Instances and clones ask what another entity has: nothing of anybody is folded past them.
static void barrier_for_all(model_t *m) {
    for (int i = 0; m->deferred && i < ENTITIES; i++) barrier(&m->entities[i]);
}

// ---- operations on both ----

static void op_new(model_t *m) {
    model_entity_t *e = free_entity(m);
    if (!e) return;
    *e = (model_entity_t){ 0 };
    int way = random_below(&m->random, 4);
    if (way == 1 || way == 2) barrier_for_all(m);
    switch (way) {
    case 0: e->id = ecs_new(m->world); break;
    case 1:
        e->id = ecs_new_w_pair(m->world, EcsIsA, m->base);
        e->is_instance = e->is_new_instance = true;
        for (int k = 0; k < BASE_KINDS; k++) model_add(m, e, k);
        break;
    case 2: {
        *e = m->templates[random_below(&m->random, TEMPLATES)];
        e->id = ecs_clone(m->world, 0, e->id, true);
        if (m->deferred) barrier(e);
        break;
    }
    default: {
        int kind = random_below(&m->random, KINDS);
        e->id = ecs_new_w_id(m->world, m->ids[kind]);
        model_add(m, e, kind);
        if (m->deferred && kind == APART) barrier(e);
    }
    }
}

static void op_bulk(model_t *m) {
    Counted values[3], apart[3];
    for (int i = 0; i < 3; i++) {
        set_cell(&values[i], m->next_value + i + 1);
        set_cell(&apart[i], m->next_value + i + 1);
    }
    counts[ALL_HOOKS].live += 3;
    counts[APART].live += 3;
    const ecs_entity_t *ids =
        ecs_bulk_init(m->world, &(ecs_bulk_desc_t){ .count = 3,
                                    .ids = { m->ids[ALL_HOOKS], m->ids[APART] },
                                    .data = (void *[]){ values, apart } });
    destruct(values, 3, ecs_get_type_info(m->world, m->ids[ALL_HOOKS]));
    destruct(apart, 3, ecs_get_type_info(m->world, m->ids[APART]));
    ecs_entity_t made[3] = { ids[0], ids[1], ids[2] };
    for (int i = 0; i < 3; i++) {
        model_entity_t *e = free_entity(m);
        int32_t number = ++m->next_value;
        if (!e) {
            ecs_delete(m->world, made[i]);
            continue;
        }
        *e = (model_entity_t){ .id = made[i] };
        model_set(e, ALL_HOOKS, number);
        model_set(e, APART, number);
    }
}

// While deferred, what is ensured and removed may be lost or kept: not followed by a removal there.
static void op_ensure(model_t *m, model_entity_t *e, int kind) {
    if (m->deferred) kind = IN_PAIR;
    int32_t number = ++m->next_value;
    Counted *value = ecs_ensure_id(m->world, e->id, m->ids[kind], sizeof(Counted));
    *value->cell = number;
    ecs_modified_id(m->world, e->id, m->ids[kind]);
    model_set(e, kind, number);
}

static void op_emplace(model_t *m, model_entity_t *e, int kind) {
    bool is_new;
    int32_t number = ++m->next_value;
    Counted *value = ecs_emplace_id(m->world, e->id, m->ids[kind], sizeof(Counted), &is_new);
    assert_true(is_new == !e->has[kind]);
    if (is_new) {
        set_cell(value, number);
        counts[kind].live++;
    } else {
        *value->cell = number;
    }
    model_set(e, kind, number);
}

static void op_tag(model_t *m, model_entity_t *e) {
    ecs_id_t id = m->tags[random_below(&m->random, 3)];
    switch (random_below(&m->random, 4)) {
    case 0: ecs_add_id(m->world, e->id, id); break;
    case 1: ecs_remove_id(m->world, e->id, id); break;
    case 2:
        ecs_enable_id(m->world, e->id, m->ids[TOGGLED], random_below(&m->random, 2));
        if (m->deferred) barrier(e);
        break;
    default: ecs_add_pair(m->world, e->id, EcsChildOf, m->parent);
    }
}

static void op_clear(model_t *m, model_entity_t *e) {
    ecs_clear(m->world, e->id);
    memset(e->has, 0, sizeof(e->has));
    if (!m->deferred) e->is_instance = false;
}

static void op_delete(model_t *m, model_entity_t *e) {
    ecs_delete(m->world, e->id);
    e->id = 0;
}

static void op_all(model_t *m, int kind) {
    ecs_remove_all(m->world, m->ids[kind]);
    for (int i = 0; i < ENTITIES; i++) m->entities[i].has[kind] = false;
    for (int t = 0; t < TEMPLATES; t++) m->templates[t].has[kind] = false;
}

static void change(model_t *m, model_entity_t *e) {
    int kind = random_below(&m->random, KINDS), what = random_below(&m->random, 100);
    if (what < 25) {
        set(m, e->id, kind, ++m->next_value);
        model_set(e, kind, m->next_value);
    } else if (what < 40) {
        ecs_add_id(m->world, e->id, m->ids[kind]);
        model_add(m, e, kind);
    } else if (what < 62 && !(m->deferred && kind == IN_PAIR)) {
        ecs_remove_id(m->world, e->id, m->ids[kind]);
        if (m->deferred && e->is_new_instance) barrier(e);
        e->has[kind] = false;
    } else if (what < 72) {
        op_ensure(m, e, kind);
    } else if (what < 90) {
        op_tag(m, e);
    } else if (what < 93 && !m->deferred) {
        op_emplace(m, e, kind);
    } else if (what < 94 && !m->deferred) {
        op_clear(m, e);
    } else if (what >= 94) {
        op_delete(m, e);
    }
    if (m->deferred && kind == APART && what < 62) barrier(e);
}

static void step(model_t *m) {
    model_entity_t *e = &m->entities[random_below(&m->random, ENTITIES)];
    if (e->id)
        change(m, e);
    else if (!m->deferred && !random_below(&m->random, 20))
        op_bulk(m);
    else if (!m->deferred && !random_below(&m->random, 500))
        op_all(m, random_below(&m->random, KINDS));
    else
        op_new(m);
}

// ---- comparison ----

static void compare_entity(const model_t *m, const model_entity_t *e, int64_t *held) {
    for (int k = 0; k < KINDS; k++) {
        held[k] += e->has[k];
        bool has = ecs_owns_id(m->world, e->id, m->ids[k]);
        if (has != e->has[k]) fail_msg("kind %d: has %d, expected %d", k, has, e->has[k]);
        if (!has) continue;
        const Counted *value = ecs_get_id(m->world, e->id, m->ids[k]);
        if (*value->cell != e->value[k])
            fail_msg("kind %d: value %d, expected %d", k, *value->cell, e->value[k]);
    }
}

static void compare(const model_t *m) {
    int64_t held[KINDS] = { 0 };
    for (int i = 0; i < ENTITIES; i++) {
        if (m->entities[i].id) compare_entity(m, &m->entities[i], held);
    }
    for (int t = 0; t < TEMPLATES; t++) compare_entity(m, &m->templates[t], held);
    for (int k = 0; k < KINDS; k++) {
        held[k] += k < BASE_KINDS;
        if (counts[k].live != held[k] || counts[k].held != held[k])
            fail_msg("kind %d: %d live and %d held values, expected %d", k, (int)counts[k].live,
                (int)counts[k].held, (int)held[k]);
    }
}

static void begin_burst(model_t *m) {
    for (int i = 0; i < ENTITIES; i++) {
        model_entity_t *e = &m->entities[i];
        barrier(e);
        memcpy(e->was_there, e->has, sizeof(e->was_there));
    }
    ecs_defer_begin(m->world);
}

static void run(bool deferred, int32_t burst) {
    model_t *m = calloc(1, sizeof(model_t));
    const char *text = getenv("MUSTER_TEST_STEPS");
    int64_t steps = text ? atoll(text) : 60000;
    memset(counts, 0, sizeof(counts));
    m->random = random_init(random_seed());
    m->deferred = deferred;
    make_world(m);
    compare(m);
    for (int64_t done = 0; done < steps; done += burst) {
        if (deferred) begin_burst(m);
        for (int32_t i = 0; i < burst; i++) step(m);
        if (deferred) ecs_defer_end(m->world);
        compare(m);
        if (done % 1000 < burst) assert_true(ecs_world_verify(m->world));
    }
    if (deferred) {
        begin_burst(m); /* what is queued when the world ends is dropped */
        for (int32_t i = 0; i < burst; i++) step(m);
        ecs_defer_end(m->world);
    }
    assert_int_equal(ecs_fini(m->world), 0);
    for (int k = 0; k < KINDS; k++) assert_true(!counts[k].live && !counts[k].held);
    free(m);
}

static void values_are_balanced_when_operations_apply_at_once(void **state) {
    (void)state;
    run(false, 5);
}

static void values_are_balanced_when_operations_are_deferred(void **state) {
    (void)state;
    run(true, 5);
    run(true, 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_balanced_when_operations_apply_at_once),
        cmocka_unit_test(values_are_balanced_when_operations_are_deferred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
