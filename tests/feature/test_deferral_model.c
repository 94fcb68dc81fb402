// SPDX-License-Identifier: MIT
// Random changes of ids with random traits: worlds that apply them at once, each as a command, or many in a batch, as commands of the
// world or of a stage, end alike. DEF-07, DEF-10, GRT-01, GRT-03 … GRT-06, UNI-01, CLN-06.
#include "support/world.h"

#include "support/random.h"

enum { ENTITIES = 7, TAGS = 3, RELATIONS = 5, IDS = TAGS + RELATIONS };
enum { WORLDS = 60, STEPS = 40, BATCH = 6 };

typedef enum way_t { AT_ONCE, ONE_BY_ONE, IN_BATCHES, IN_A_STAGE, WAYS } way_t;

typedef enum kind_t { ADD, REMOVE, REMOVE_ANY, CLEAR, DELETE, DELETE_WITH, REMOVE_ALL } kind_t;

typedef struct change_t {
    kind_t kind;
    int entity, other, id;
} change_t;

typedef struct replica_t {
    ecs_world_t *world;
    ecs_entity_t entities[ENTITIES], ids[IDS];
} replica_t;

// ---- worlds ----

static void give_traits(replica_t *replica, int i, random_t random) {
    ecs_world_t *world = replica->world;
    ecs_entity_t id = replica->ids[i];
    if (!random_below(&random, 3)) ecs_add_id(world, id, EcsDontFragment);
    const bool is_symmetric = i >= TAGS && !random_below(&random, 3);
    const bool is_last = i == TAGS - 1 || i == IDS - 1;
    if (is_symmetric) /* what one side brings to the other with it is not modelled */
        ecs_add_id(world, id, EcsSymmetric);
    else if (!is_last && !random_below(&random, 3))
        ecs_add_pair(world, id, EcsWith, replica->ids[i + 1]);
    if (i < TAGS) return;
    if (!random_below(&random, 3)) ecs_add_id(world, id, EcsExclusive);
    if (!random_below(&random, 4)) ecs_add_id(world, id, EcsUnion);
    if (!random_below(&random, 4)) ecs_add_pair(world, id, EcsOnDeleteTarget, EcsDelete);
}

static replica_t make(random_t random) {
    replica_t replica = { .world = ecs_mini() };
    for (int i = 0; i < IDS; i++) replica.ids[i] = ecs_new(replica.world);
    for (int i = 0; i < IDS; i++) {
        random_next(&random);
        give_traits(&replica, i, random);
    }
    for (int i = 0; i < ENTITIES; i++) replica.entities[i] = ecs_new(replica.world);
    return replica;
}

static void assert_alike(const replica_t *a, const replica_t *b) {
    for (int e = 0; e < ENTITIES; e++) {
        for (int i = 0; i < IDS; i++) {
            for (int t = 0; t < (i < TAGS ? 1 : ENTITIES); t++) {
                ecs_id_t x = i < TAGS ? a->ids[i] : ecs_pair(a->ids[i], a->entities[t]);
                ecs_id_t y = i < TAGS ? b->ids[i] : ecs_pair(b->ids[i], b->entities[t]);
                bool has = ecs_has_id(a->world, a->entities[e], x);
                if (ecs_has_id(b->world, b->entities[e], y) != has)
                    fail_msg("entity %d, id %d, target %d: should be %d", e, i, t, has);
            }
        }
    }
}

// ---- changes ----

static void apply(replica_t *replica, ecs_world_t *stage, const change_t *change) {
    const ecs_entity_t e = replica->entities[change->entity], id = replica->ids[change->id];
    const ecs_entity_t other = replica->entities[change->other];
    const bool is_tag = change->id < TAGS;
    const ecs_id_t what = is_tag ? id : ecs_pair(id, other);
    switch (change->kind) {
    case ADD: ecs_add_id(stage, e, what); break;
    case REMOVE: ecs_remove_id(stage, e, what); break;
    case REMOVE_ANY:
        ecs_remove_id(stage, e, is_tag ? ecs_pair(EcsWildcard, other) : ecs_pair(id, EcsWildcard));
        break;
    case CLEAR: ecs_clear(stage, e); break;
    case DELETE: ecs_delete(stage, e); break;
    case DELETE_WITH: ecs_delete_with(stage, what); break;
    case REMOVE_ALL: ecs_remove_all(stage, what); break;
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

// Applies them to the first world at once, since only entities that live can be changed.
static int make_changes(replica_t *first, random_t *random, change_t *changes) {
    static const kind_t kinds[] = { ADD, ADD, ADD, ADD, ADD, REMOVE, REMOVE, REMOVE_ANY, CLEAR,
        DELETE, DELETE_WITH, REMOVE_ALL };
    int count = 0;
    for (int i = 1 + random_below(random, BATCH); i > 0; i--) {
        change_t change = { kinds[random_below(random, sizeof kinds / sizeof *kinds)],
            random_below(random, ENTITIES), random_below(random, ENTITIES),
            random_below(random, IDS) };
        if (!ecs_is_alive(first->world, first->entities[change.entity])) continue;
        if (!ecs_is_alive(first->world, first->entities[change.other])) continue;
        apply(first, first->world, &change);
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
