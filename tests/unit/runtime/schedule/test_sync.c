// SPDX-License-Identifier: MIT
// Staged ids are found as if each was looked at in turn.
#include "support/world.h"

#include "support/random.h"

#include "schedule/sync.h"

enum { IDS = 6, SYSTEMS = 400 };

static ecs_entity_t ids[IDS];

static void nothing(ecs_iter_t *it) { (void)it; }

static ecs_id_t random_id(random_t *random) {
    ecs_entity_t first = ids[random_below(random, IDS)], second = ids[random_below(random, IDS)];
    switch (random_below(random, 12)) {
    case 0: return ecs_pair(first, EcsWildcard);
    case 1: return ecs_pair(EcsWildcard, second);
    case 2: return random_below(random, 8) ? first : EcsWildcard;
    case 3:
    case 4: return first;
    default: return ecs_pair(first, second);
    }
}

typedef struct staged_t {
    ecs_id_t id;
    ecs_entity_t writer;
} staged_t;

static staged_t staged[SYSTEMS];
static int32_t staged_count;

static const staged_t *first_that_overlaps(ecs_id_t id) {
    for (int32_t i = 0; i < staged_count; i++) {
        if (rt__ids_overlap(staged[i].id, id)) return &staged[i];
    }
    return NULL;
}

// SYNC-02
static void the_first_staged_id_that_is_read_is_the_reason(void **state) {
    ecs_world_t *world = *state;
    random_t random = random_init(random_seed());
    rt_sync_t sync = { 0 };
    int32_t merges = 0;
    staged_count = 0;
    for (int32_t i = 0; i < IDS; i++) ids[i] = ecs_new(world);
    for (int32_t i = 0; i < SYSTEMS; i++) {
        bool reads = random_below(&random, 3) == 0;
        ecs_id_t id = random_id(&random);
        ecs_term_t term = { .id = id, .src.id = EcsIsEntity, .inout = reads ? EcsIn : EcsOut };
        ecs_entity_t entity = ecs_system(world, { .query.terms = { term }, .callback = nothing });
        const rt_system_t *system = rt__system_of(world, entity);
        assert_non_null(system);
        const staged_t *found = reads ? first_that_overlaps(id) : NULL;
        rt_merge_t why = { 0 };
        bool merge = rt__sync_next(&sync, system, RT_KIND_MAIN, 0, true, &why);
        assert_int_equal(merge, found != NULL);
        if (found) {
            assert_int_equal(why.kind, RT_MERGE_READ);
            assert_int_equal(why.reader, entity);
            assert_int_equal(why.writer, found->writer);
            assert_int_equal(why.id, found->id);
            staged_count = 0;
            merges++;
        }
        if (!reads) staged[staged_count++] = (staged_t){ id, entity };
    }
    assert_true(merges > 3);
    rt__sync_fini(&sync);
}

int main(void) {
    const struct CMUnitTest tests[] = { world_test(
        the_first_staged_id_that_is_read_is_the_reason) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
