// SPDX-License-Identifier: MIT
// Random changes of ids with random traits, of bases, parents and prefabs: worlds that apply them at once, each as a command, or many in
// a batch, as commands of the world or of a stage, end alike. DEF-07, DEF-10, GRT-01, GRT-03 … GRT-06, UNI-01, CLN-06, TRT-07, ISA-01, ISA-11.
#include "support/world.h"

#include "support/random.h"

enum { ENTITIES = 7, TAGS = 4, RELATIONS = 6, VALUES = 3, BUILTIN = 4 };
enum { FIRST_BUILTIN = TAGS + RELATIONS, CHILD_OF = FIRST_BUILTIN, IS_A, PREFAB, DISABLED };
enum { FIRST_VALUE = FIRST_BUILTIN + BUILTIN, IDS = FIRST_VALUE + VALUES };
enum { WORLDS = 60, STEPS = 30, BATCH = 8 };

typedef enum way_t { AT_ONCE, ONE_BY_ONE, IN_BATCHES, IN_A_STAGE, WAYS } way_t;

typedef enum kind_t {
    ADD,
    SET,
    REMOVE,
    REMOVE_ANY,
    CLEAR,
    DELETE,
    DELETE_WITH,
    REMOVE_ALL,
    SET_PARENT,
    REMOVE_PARENT,
    CLONE,
    ENABLE
} kind_t;

typedef struct change_t {
    kind_t kind;
    int entity, other, id, value;
} change_t;

typedef struct replica_t {
    ecs_world_t *world;
    ecs_entity_t entities[ENTITIES], ids[IDS];
} replica_t;

static bool is_relation(int id) { return id >= TAGS && id <= IS_A; }
static bool is_value(int id) { return id >= FIRST_VALUE; }

static ecs_id_t id_of(const replica_t *replica, int id, int target) {
    ecs_entity_t first = replica->ids[id];
    return is_relation(id) ? ecs_pair(first, replica->entities[target]) : first;
}

// ---- worlds ----

static void give_storage(ecs_world_t *world, ecs_entity_t id, random_t *random) {
    switch (random_below(random, 6)) {
    case 0: ecs_add_id(world, id, EcsDontFragment); break;
    case 1: ecs_add_id(world, id, EcsSparse); break;
    default: break;
    }
    switch (random_below(random, 6)) {
    case 0: ecs_add_pair(world, id, EcsOnInstantiate, EcsOverride); break;
    case 1: ecs_add_pair(world, id, EcsOnInstantiate, EcsDontInherit); break;
    default: break;
    }
}

static void give_traits(replica_t *replica, int i, random_t random) {
    ecs_world_t *world = replica->world;
    ecs_entity_t id = replica->ids[i];
    give_storage(world, id, &random);
    const bool is_last = i == TAGS - 1 || i >= FIRST_BUILTIN - 1;
    if (!is_last && !random_below(&random, 3))
        ecs_add_pair(world, id, EcsWith, replica->ids[i + 1]);
    if (!is_relation(i)) return;
    if (!random_below(&random, 3)) ecs_add_id(world, id, EcsSymmetric);
    if (!random_below(&random, 3)) ecs_add_id(world, id, EcsExclusive);
    if (!random_below(&random, 4)) ecs_add_id(world, id, EcsUnion);
    if (!random_below(&random, 4)) ecs_add_pair(world, id, EcsOnDeleteTarget, EcsDelete);
}

static replica_t make(random_t random) {
    static const ecs_entity_t *const builtin[BUILTIN] = { &EcsChildOf, &EcsIsA, &EcsPrefab,
        &EcsDisabled };
    replica_t replica = { .world = ecs_mini() };
    const ecs_type_info_t type = { .size = sizeof(int), .alignment = sizeof(int) };
    for (int i = 0; i < FIRST_BUILTIN; i++) replica.ids[i] = ecs_new(replica.world);
    for (int i = 0; i < BUILTIN; i++) replica.ids[FIRST_BUILTIN + i] = *builtin[i];
    for (int i = FIRST_VALUE; i < IDS; i++)
        replica.ids[i] = ecs_component(replica.world, { .type = type });
    for (int i = 0; i < IDS; i++) {
        random_next(&random);
        if (i < FIRST_BUILTIN || is_value(i)) give_traits(&replica, i, random);
    }
    for (int i = 0; i < ENTITIES; i++) replica.entities[i] = ecs_new(replica.world);
    return replica;
}

static int value_of(const replica_t *replica, int entity, int id) {
    const int *value = ecs_get_id(replica->world, replica->entities[entity], replica->ids[id]);
    return value ? *value : -1;
}

static void assert_entity_alike(const replica_t *a, const replica_t *b, int e) {
    const ecs_entity_t in_a = a->entities[e], in_b = b->entities[e];
    for (int i = 0; i < IDS; i++) {
        for (int t = 0; t < (is_relation(i) ? ENTITIES : 1); t++) {
            const ecs_id_t x = id_of(a, i, t), y = id_of(b, i, t);
            bool has = ecs_has_id(a->world, in_a, x), owns = ecs_owns_id(a->world, in_a, x);
            if (ecs_has_id(b->world, in_b, y) != has || ecs_owns_id(b->world, in_b, y) != owns)
                fail_msg("entity %d, id %d, target %d: has %d, owns %d", e, i, t, has, owns);
        }
        if (is_value(i)) assert_int_equal(value_of(b, e, i), value_of(a, e, i));
    }
    assert_int_equal(ecs_has(b->world, in_b, EcsParent), ecs_has(a->world, in_a, EcsParent));
    assert_int_equal(
        ecs_count_id(b->world, ecs_childof(in_b)), ecs_count_id(a->world, ecs_childof(in_a)));
}

static void assert_alike(const replica_t *a, const replica_t *b) {
    for (int e = 0; e < ENTITIES; e++) assert_entity_alike(a, b, e);
}

// ---- what may be changed ----

static bool is_inside(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t other) {
    while (entity && entity != other) entity = ecs_get_parent(world, entity);
    return entity;
}

// Nobody in the entity may be an instance of who it is in: that is refused, of commands after all of a batch.
static bool would_contain_itself(const replica_t *first, ecs_entity_t entity, ecs_entity_t parent) {
    ecs_world_t *world = first->world;
    for (int i = 0; i < ENTITIES; i++) {
        ecs_entity_t inner = first->entities[i];
        if (!ecs_is_alive(world, inner) || !is_inside(world, inner, entity)) continue;
        for (ecs_entity_t above = parent; above; above = ecs_get_parent(world, above))
            if (ecs_has_pair(world, inner, EcsIsA, above)) return true;
    }
    return false;
}

static bool is_empty(const replica_t *first, int entity) {
    ecs_entity_t e = first->entities[entity];
    for (int i = 0; i < IDS; i++) {
        ecs_id_t id = is_relation(i) ? ecs_pair(first->ids[i], EcsWildcard) : first->ids[i];
        if (ecs_has_id(first->world, e, id)) return false;
    }
    return !ecs_get_type(first->world, e)->count;
}

// Bases and parents are those with smaller numbers, so that there are no cycles.
static bool is_allowed(const replica_t *first, const change_t *change) {
    ecs_world_t *world = first->world;
    const ecs_entity_t e = first->entities[change->entity], other = first->entities[change->other];
    const bool is_builtin = change->id >= FIRST_BUILTIN && !is_value(change->id);
    if (!ecs_is_alive(world, e) || !ecs_is_alive(world, other)) return false;
    switch (change->kind) {
    case ADD:
        if (is_value(change->id)) return false; /* what never left its row keeps its value */
        if (change->id != CHILD_OF && change->id != IS_A) return true;
        if (change->other >= change->entity || is_inside(world, e, other)) return false;
        return change->id == IS_A || !would_contain_itself(first, e, other);
    case SET: return is_value(change->id);
    case SET_PARENT:
        return change->other < change->entity && !would_contain_itself(first, e, other);
    case CLONE: return change->other < change->entity && is_empty(first, change->entity);
    case ENABLE: return !ecs_has_id(world, e, EcsPrefab); /* else its ids are */
    case DELETE_WITH:
    case REMOVE_ALL: return !is_builtin;
    default: return true;
    }
}

// ---- changes ----

static void apply(replica_t *replica, ecs_world_t *stage, const change_t *change) {
    const ecs_entity_t e = replica->entities[change->entity], id = replica->ids[change->id];
    const ecs_entity_t other = replica->entities[change->other];
    const ecs_id_t what = id_of(replica, change->id, change->other);
    switch (change->kind) {
    case ADD: ecs_add_id(stage, e, what); break;
    case SET: ecs_set_id(stage, e, what, sizeof(int), &change->value); break;
    case REMOVE: ecs_remove_id(stage, e, what); break;
    case REMOVE_ANY:
        ecs_remove_id(stage, e,
            is_relation(change->id) ? ecs_pair(id, EcsWildcard) : ecs_pair(EcsWildcard, other));
        break;
    case CLEAR: ecs_clear(stage, e); break;
    case DELETE: ecs_delete(stage, e); break;
    case DELETE_WITH: ecs_delete_with(stage, what); break;
    case REMOVE_ALL: ecs_remove_all(stage, what); break;
    case SET_PARENT: ecs_set(stage, e, EcsParent, { other }); break;
    case REMOVE_PARENT: ecs_remove(stage, e, EcsParent); break;
    case CLONE: ecs_clone(stage, e, other, change->value % 2); break;
    case ENABLE: ecs_enable(stage, e, change->value % 2); break;
    }
}

static void apply_all(replica_t *replica, const change_t *changes, int count, way_t way) {
    ecs_world_t *world = replica->world, *stage = way == IN_A_STAGE ? ecs_stage_new(world) : world;
    if (way == IN_BATCHES) ecs_defer_begin(world);
    for (int i = 0; i < count; i++) {
        if (way == ONE_BY_ONE) ecs_defer_begin(world);
        apply(replica, stage, &changes[i]);
        if (way == ONE_BY_ONE) ecs_defer_end(world);
    }
    if (way == IN_BATCHES) ecs_defer_end(world);
    if (way != IN_A_STAGE) return;
    ecs_merge(stage);
    ecs_stage_free(stage);
}

static change_t make_change(random_t *random) {
    static const kind_t kinds[] = { ADD, ADD, ADD, ADD, ADD, ADD, SET, SET, REMOVE, REMOVE,
        REMOVE_ANY, CLEAR, DELETE, DELETE_WITH, REMOVE_ALL, SET_PARENT, SET_PARENT, REMOVE_PARENT,
        CLONE, ENABLE };
    static const int ids[] = { CHILD_OF, CHILD_OF, IS_A, IS_A, PREFAB };
    enum { KINDS = sizeof kinds / sizeof *kinds, OFTEN = sizeof ids / sizeof *ids };
    int id = random_below(random, IDS + OFTEN);
    return (change_t){ kinds[random_below(random, KINDS)], random_below(random, ENTITIES),
        random_below(random, ENTITIES), id < IDS ? id : ids[id - IDS], random_below(random, 1000) };
}

// Values that are there already are written before what was recorded: instances and clones would begin with them.
static bool is_written_ahead(const replica_t *replica, const change_t *change) {
    const ecs_entity_t e = replica->entities[change->entity];
    return change->kind == SET && ecs_owns_id(replica->world, e, replica->ids[change->id]);
}

// Applies them to the first world at once, since only entities that live can be changed.
static int make_changes(replica_t *replicas, random_t *random, change_t *changes) {
    int count = 0;
    for (int i = 1 + random_below(random, BATCH); i > 0; i--) {
        change_t change = make_change(random);
        if (!is_allowed(replicas, &change)) continue;
        if (count && is_written_ahead(&replicas[IN_BATCHES], &change)) continue;
        apply(replicas, replicas->world, &change);
        changes[count++] = change;
    }
    return count;
}

static void replace_the_dead(replica_t *replicas) {
    for (int e = 0; e < ENTITIES; e++) {
        bool is_alive = ecs_is_alive(replicas->world, replicas->entities[e]);
        for (int way = 0; way < WAYS; way++) {
            ecs_world_t *world = replicas[way].world;
            ecs_entity_t *entity = &replicas[way].entities[e];
            if (ecs_is_alive(world, *entity) != is_alive)
                fail_msg("entity %d should be %s", e, is_alive ? "alive" : "dead");
            if (!is_alive) *entity = ecs_new(world);
        }
    }
}

static void all_ways_end_alike(void **state) {
    (void)state;
    random_t random = random_init(random_seed());
    for (int i = random_tries(WORLDS); i > 0; i--) {
        replica_t replicas[WAYS];
        for (int way = 0; way < WAYS; way++) replicas[way] = make(random);
        random_next(&random);
        for (int step = 0; step < STEPS; step++) {
            change_t changes[BATCH];
            int count = make_changes(replicas, &random, changes);
            for (way_t way = ONE_BY_ONE; way < WAYS; way++)
                apply_all(&replicas[way], changes, count, way);
            replace_the_dead(replicas);
            for (int way = ONE_BY_ONE; way < WAYS; way++) assert_alike(replicas, &replicas[way]);
        }
        for (int way = 0; way < WAYS; way++) {
            assert_true(ecs_world_verify(replicas[way].world));
            ecs_fini(replicas[way].world);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(all_ways_end_alike) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
