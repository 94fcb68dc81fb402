// SPDX-License-Identifier: MIT
#include "crew.h"

#include <pthread.h>
#include <stddef.h>

static void share_backwards(void *arg, int64_t count, ecs_ext_part_t part, void *ctx) {
    ((crew_t *)arg)->calls++;
    for (int64_t i = count; i-- > 0;) part(ctx, i, i + 1, 0);
}

typedef struct shared_t {
    ecs_ext_part_t part;
    void *ctx;
    int64_t count, next;
} shared_t;

static void *claim_parts(void *arg) {
    shared_t *shared = arg;
    int64_t i;
    while ((i = __atomic_fetch_add(&shared->next, 1, __ATOMIC_RELAXED)) < shared->count)
        shared->part(shared->ctx, i, i + 1, 0);
    return NULL;
}

static void share_with_threads(void *arg, int64_t count, ecs_ext_part_t part, void *ctx) {
    shared_t shared = { part, ctx, count, 0 };
    pthread_t threads[3];
    int started = 0;
    ((crew_t *)arg)->calls++;
    while (started < 3 && !pthread_create(&threads[started], NULL, claim_parts, &shared)) started++;
    claim_parts(&shared);
    while (started) pthread_join(threads[--started], NULL);
}

const ecs_ext_crew_t *crew_begin(crew_t *crew, crew_kind_t kind) {
    *crew = (crew_t){ { kind == FOUR_THREADS ? share_with_threads : share_backwards, crew }, 0 };
    return kind == NOBODY ? NULL : &crew->pub;
}
