// SPDX-License-Identifier: MIT
// Random operations on a world and on a deliberately naive model of one; after every burst both must be equal.
//
// The model keeps a list of (id, value) per entity and knows three rules: ChildOf is exclusive and deleting a parent deletes its children;
// deleting anything else that is used as an id or target takes it from everybody; commands for dead entities do nothing. The same body
// runs with every operation applied at once and with bursts between ecs_defer_begin and ecs_defer_end. Folding has one effect that a
// model must know: a component that is removed and added again within a burst never left its row, so it keeps its value, unless the end
// of some target came between. What stood in the row when such an end came, one of the values that were set in the burst, is kept by
// what follows.
// ENT-06..08, ENT-11, ENT-12, PAIR-04..08, CMP-04, CLN-01, CLN-02, CLN-08, CLN-10, DEF-06, DEF-07, DEF-10, NAM-02
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <muster.h>

#include "support/random.h"

#define MAX_ENTITIES 256
#define MAX_IDS 24
#define COMPONENTS 4
#define TAGS 6
#define RELATIONSHIPS 3

typedef struct slot_t {
    ecs_entity_t entity; /* 0 = free */
    int id_count;
    struct {
        ecs_id_t id;
        int32_t value;
        int32_t other; /* what the value may be instead */
        bool is_open;  /* or any that was set in this burst */
    } ids[MAX_IDS];
    struct {
        bool in_row;
        int32_t value;
    } kept[COMPONENTS]; /* values in the row since before the burst */
} slot_t;

typedef struct model_t {
    ecs_world_t *world;
    slot_t slots[MAX_ENTITIES];
    ecs_entity_t components[COMPONENTS], tags[TAGS], relationships[RELATIONSHIPS];
    random_t random;
    int32_t next_value;
    bool has_deleted;      /* in this burst */
    int32_t set_for[1024]; /* the place of each of the last values */
} model_t;

static int32_t rnd(model_t *m, int32_t below) { return random_below(&m->random, below); }

static int32_t place_of(const model_t *m, const slot_t *slot, int component) {
    return (int32_t)(slot - m->slots) * COMPONENTS + component;
}

// ---- the naive world ----

static slot_t *find_slot(model_t *m, ecs_entity_t entity) {
    for (int i = 0; i < MAX_ENTITIES; i++) {
        if (m->slots[i].entity == entity) return &m->slots[i];
    }
    return NULL;
}

static int component_index(const model_t *m, ecs_id_t id) {
    for (int i = 0; i < COMPONENTS; i++) {
        if (m->components[i] == id) return i;
    }
    return -1;
}

static int find_id(const slot_t *slot, ecs_id_t id) {
    for (int i = 0; i < slot->id_count; i++) {
        if (slot->ids[i].id == id) return i;
    }
    return -1;
}

static void naive_remove_at(slot_t *slot, int at) { slot->ids[at] = slot->ids[--slot->id_count]; }

static void naive_remove(slot_t *slot, ecs_id_t pattern) {
    for (int i = slot->id_count - 1; i >= 0; i--) {
        if (ecs_id_match(slot->ids[i].id, pattern)) naive_remove_at(slot, i);
    }
}

static int naive_add(const model_t *m, slot_t *slot, ecs_id_t id) {
    int at = find_id(slot, id), component = component_index(m, id);
    if (at >= 0) return at;
    if (ECS_HAS_RELATION(id, EcsChildOf)) naive_remove(slot, ecs_childof(EcsWildcard));
    bool kept = component >= 0 && slot->kept[component].in_row;
    slot->ids[slot->id_count].id = id;
    int32_t value = component < 0 ? 0 : slot->kept[component].value;
    slot->ids[slot->id_count].value = kept ? value : 0;
    slot->ids[slot->id_count].other = kept == m->has_deleted ? 0 : value;
    slot->ids[slot->id_count].is_open = m->has_deleted;
    return slot->id_count++;
}

static void naive_set(model_t *m, slot_t *slot, ecs_id_t id, int32_t value) {
    const int at = naive_add(m, slot, id), component = component_index(m, id);
    m->set_for[value & 1023] = place_of(m, slot, component);
    slot->ids[at].value = value;
    slot->ids[at].other = value;
    slot->ids[at].is_open = false;
    slot->kept[component].value = value;
}

static void begin_burst(model_t *m) {
    m->has_deleted = false;
    for (int i = 0; i < MAX_ENTITIES; i++) {
        slot_t *slot = &m->slots[i];
        for (int c = 0; c < COMPONENTS; c++) {
            int at = slot->entity ? find_id(slot, m->components[c]) : -1;
            slot->kept[c].in_row = at >= 0;
            slot->kept[c].value = at >= 0 ? slot->ids[at].value : 0;
        }
    }
}

static bool uses(ecs_id_t id, uint32_t entity) {
    if (!ECS_IS_PAIR(id)) return (uint32_t)id == entity;
    return ECS_PAIR_FIRST(id) == entity || ECS_PAIR_SECOND(id) == entity;
}

static void naive_delete(model_t *m, ecs_entity_t entity) {
    slot_t *slot = find_slot(m, entity);
    if (!slot) return;
    slot->entity = 0;
    slot->id_count = 0;
    for (int i = 0; i < MAX_ENTITIES; i++) {
        slot_t *other = &m->slots[i];
        if (other->entity && find_id(other, ecs_childof(entity)) >= 0)
            naive_delete(m, other->entity);
    }
    for (int i = 0; i < MAX_ENTITIES; i++) {
        slot_t *other = &m->slots[i];
        for (int k = other->id_count - 1; other->entity && k >= 0; k--) {
            if (uses(other->ids[k].id, (uint32_t)entity)) naive_remove_at(other, k);
        }
    }
}

// ---- operations on both ----

static ecs_entity_t any_entity(model_t *m) {
    for (int tries = 0; tries < 100; tries++) {
        slot_t *slot = &m->slots[rnd(m, MAX_ENTITIES)];
        if (slot->entity) return slot->entity;
    }
    return 0;
}

static bool is_descendant(model_t *m, ecs_entity_t entity, ecs_entity_t ancestor) {
    for (int depth = 0; entity && depth < MAX_ENTITIES; depth++) {
        if (entity == ancestor) return true;
        slot_t *slot = find_slot(m, entity);
        ecs_entity_t parent = 0;
        for (int i = 0; slot && i < slot->id_count; i++) {
            if (ECS_HAS_RELATION(slot->ids[i].id, EcsChildOf)) {
                parent = ecs_get_alive(m->world, ECS_PAIR_SECOND(slot->ids[i].id));
            }
        }
        entity = parent;
    }
    return false;
}

static ecs_id_t any_id(model_t *m, ecs_entity_t of) {
    int32_t kind = rnd(m, 10);
    if (kind < 4) return m->components[rnd(m, COMPONENTS)];
    if (kind < 6) return m->tags[rnd(m, TAGS)];
    ecs_entity_t target = any_entity(m);
    if (!target) return m->tags[0];
    if (kind < 9) return ecs_pair(m->relationships[rnd(m, RELATIONSHIPS)], target);
    return is_descendant(m, target, of) ? m->tags[0] : ecs_childof(target);
}

static void op_new(model_t *m) {
    slot_t *slot = find_slot(m, 0);
    if (!slot) return;
    slot->id_count = 0;
    memset(slot->kept, 0, sizeof(slot->kept));
    slot->entity = ecs_new(m->world);
}

static void op_add(model_t *m, ecs_entity_t entity) {
    slot_t *slot = find_slot(m, entity);
    if (slot->id_count >= MAX_IDS - 2) return;
    ecs_id_t id = any_id(m, entity);
    naive_add(m, slot, id);
    ecs_add_id(m->world, entity, id);
}

static void op_remove(model_t *m, ecs_entity_t entity) {
    slot_t *slot = find_slot(m, entity);
    ecs_id_t id = any_id(m, entity);
    if (slot->id_count && rnd(m, 4)) id = slot->ids[rnd(m, slot->id_count)].id;
    if (ECS_IS_PAIR(id) && !rnd(m, 4)) id = ecs_pair((ecs_entity_t)ECS_PAIR_FIRST(id), EcsWildcard);
    naive_remove(slot, id);
    ecs_remove_id(m->world, entity, id);
}

static void op_set(model_t *m, ecs_entity_t entity) {
    slot_t *slot = find_slot(m, entity);
    if (slot->id_count >= MAX_IDS - 2) return;
    ecs_id_t id = m->components[rnd(m, COMPONENTS)];
    int32_t value = ++m->next_value;
    naive_set(m, slot, id, value);
    ecs_set_id(m->world, entity, id, sizeof(value), &value);
}

static void op_delete(model_t *m, ecs_entity_t entity) {
    naive_delete(m, entity);
    m->has_deleted = true;
    ecs_delete(m->world, entity);
}

static void op_clear(model_t *m, ecs_entity_t entity) {
    find_slot(m, entity)->id_count = 0;
    ecs_clear(m->world, entity);
}

static void step(model_t *m) {
    ecs_entity_t entity = any_entity(m);
    int32_t kind = rnd(m, 100);
    if (!entity || kind < 12)
        op_new(m);
    else if (kind < 50)
        op_add(m, entity);
    else if (kind < 65)
        op_remove(m, entity);
    else if (kind < 90)
        op_set(m, entity);
    else if (kind < 98)
        op_delete(m, entity);
    else
        op_clear(m, entity);
}

// ---- comparison ----

static void compare(model_t *m) {
    for (int i = 0; i < MAX_ENTITIES; i++) {
        slot_t *slot = &m->slots[i];
        if (!slot->entity) continue;
        assert_true(ecs_is_alive(m->world, slot->entity));
        assert_int_equal(ecs_get_type(m->world, slot->entity)->count, slot->id_count);
        for (int k = 0; k < slot->id_count; k++) {
            ecs_id_t id = slot->ids[k].id;
            assert_true(ecs_owns_id(m->world, slot->entity, id));
            const int component = component_index(m, id);
            if (component < 0) continue;
            const int32_t *value = ecs_get_id(m->world, slot->entity, id);
            const bool may_be =
                slot->ids[k].is_open && m->set_for[*value & 1023] == place_of(m, slot, component);
            if (*value == slot->ids[k].other || may_be) slot->ids[k].value = *value;
            slot->ids[k].other = *value;
            slot->ids[k].is_open = false;
            assert_int_equal(*value, slot->ids[k].value);
        }
    }
    for (int i = 0; i < COMPONENTS; i++) {
        int count = 0;
        for (int k = 0; k < MAX_ENTITIES; k++) {
            count += m->slots[k].entity && find_id(&m->slots[k], m->components[i]) >= 0;
        }
        assert_int_equal(ecs_count_id(m->world, m->components[i]), count);
    }
    assert_true(ecs_world_verify(m->world));
}

static void run(uint64_t seed, int bursts, int burst_length, bool deferred) {
    model_t *m = calloc(1, sizeof(model_t));
    m->world = ecs_mini();
    m->random = random_init(seed);
    for (int i = 0; i < COMPONENTS; i++) {
        m->components[i] = ecs_component(m->world, { .type = { .size = 4, .alignment = 4 } });
    }
    for (int i = 0; i < TAGS; i++) m->tags[i] = ecs_new(m->world);
    for (int i = 0; i < RELATIONSHIPS; i++) m->relationships[i] = ecs_new(m->world);
    for (int i = 0; i < bursts; i++) {
        if (deferred) {
            ecs_defer_begin(m->world);
            begin_burst(m);
        }
        for (int k = 0; k < burst_length; k++) step(m);
        if (deferred) ecs_defer_end(m->world);
        compare(m);
    }
    assert_int_equal(ecs_fini(m->world), 0);
    free(m);
}

static void immediate_operations_equal_the_naive_world(void **state) {
    (void)state;
    uint64_t seed = random_seed();
    for (uint64_t i = 0; i < 8; i++) run(seed + i, 300, 10, false);
}

static void deferred_operations_equal_the_naive_world(void **state) {
    (void)state;
    uint64_t seed = random_seed();
    for (uint64_t i = 0; i < 8; i++) {
        run(seed + i, 300, 10, true);
        run(seed + 100 + i, 30, 200, true);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(immediate_operations_equal_the_naive_world),
        cmocka_unit_test(deferred_operations_equal_the_naive_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
