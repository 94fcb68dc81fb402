// SPDX-License-Identifier: MIT
#include "storage/ascent.h"

#include <muster/ecs/os.h>

#include "base/atomics.h"
#include "base/hash.h"
#include "storage/store.h"

enum { ANSWERS = 1024, PASSED = 256 };

typedef struct answer_t {
    uint64_t stamp; /* 0: none */
    ecs_entity_t from, rel;
    ecs_id_t id;
    ecs__ascent_kind_t kind;
    ecs__found_t found; /* depth counted from `from` */
} answer_t;

typedef struct passed_t {
    ecs_entity_t entity;
    int32_t depth;
} passed_t;

typedef struct ecs__ascents_t {
    int32_t passed_count;
    passed_t passed[PASSED]; /* by the present search */
    answer_t answers[ANSWERS];
} ecs__ascents_t;

static ecs__ascents_t *take(ecs__store_t *store) {
    if (!ecs__cas_32(&store->ascending, 0, 1)) return NULL;
    ecs__fence_acquire();
    if (!store->ascents) store->ascents = ecs_os_calloc_t(ecs__ascents_t);
    ecs__store_keep_above(store);
    store->ascents->passed_count = 0;
    return store->ascents;
}

static answer_t *place_of(const ecs__ascent_t *ascent, ecs_entity_t entity) {
    uint64_t hash = ecs__hash_u64(entity ^ (ascent->id * 16 + (uint64_t)ascent->kind) * 31);
    return &ascent->known->answers[(hash ^ ascent->rel) % ANSWERS];
}

bool ecs__ascent_ask(ecs__ascent_t *ascent, const ecs__store_t *store, ecs_entity_t entity,
    int32_t depth, ecs__found_t *out) {
    if (!ascent->known) ascent->known = take(ECS_CONST_CAST(ecs__store_t *, store));
    ascent->is_off = !ascent->known;
    if (ascent->is_off) return false;
    const answer_t *answer = place_of(ascent, entity);
    if (answer->stamp == store->above_stamp && answer->from == entity &&
        answer->rel == ascent->rel && answer->id == ascent->id && answer->kind == ascent->kind) {
        *out = answer->found;
        bool is_endless = out->depth > ECS__ENDLESS / 2; /* around a cycle all are as deep */
        out->depth = is_endless ? ECS__ENDLESS : out->depth + depth;
        return true;
    }
    ecs__ascents_t *known = ascent->known;
    if (known->passed_count < PASSED)
        known->passed[known->passed_count++] = (passed_t){ entity, depth };
    return false;
}

void ecs__ascent_leave(
    ecs__ascent_t *ascent, const ecs__store_t *store, const ecs__found_t *found) {
    ecs__ascents_t *known = ascent->known;
    for (int32_t i = 0; i < known->passed_count; i++) {
        const passed_t *passed = &known->passed[i];
        answer_t *answer = place_of(ascent, passed->entity);
        *answer = (answer_t){ .stamp = store->above_stamp,
            .from = passed->entity,
            .rel = ascent->rel,
            .id = ascent->id,
            .kind = ascent->kind };
        if (found) answer->found = *found;
        answer->found.depth -= passed->depth;
    }
    ecs__fence_release();
    ecs__store_32(&ECS_CONST_CAST(ecs__store_t *, store)->ascending, 0);
}

void ecs__ascent_drop(ecs__ascent_t *ascent, const ecs__store_t *store) {
    if (ascent->known) ascent->known->passed_count = 0;
    ecs__ascent_end(ascent, store, NULL);
    *ascent = (ecs__ascent_t){ .is_off = true };
}
