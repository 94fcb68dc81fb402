// SPDX-License-Identifier: MIT
// ascent: what was found above entities, remembered, so that searches up long chains do not walk them again and again.
//
// A search up a chain of single targets that became long asks here at some of the entities that it passes, and in the end leaves with
// them what it found. So a search from each level of a chain costs some dozens of steps instead of as many as there are levels. What is
// known holds as long as nothing above anything changes (store->above_stamp). There is room for a fixed number of answers.
// Threads: any. One at a time uses what is known, others walk: it takes store->ascending with the first question (acquire) and gives it
// back when its search ends (release).
#ifndef ECS_STORAGE_ASCENT_H
#define ECS_STORAGE_ASCENT_H

#include "storage/search.h"

/** What is asked for; answers of one kind are of no use to others. */
typedef enum ecs__ascent_kind_t {
    ECS__ASCENT_ID,        /* table that has an id */
    ECS__ASCENT_INHERITED, /* the same, also from bases */
    ECS__ASCENT_OWNER,     /* entity that has it, along edges that may be beside tables */
    ECS__ASCENT_HEIR,      /* the same, also from bases */
    ECS__ASCENT_DEPTH,     /* steps to the root */
    ECS__ASCENT_END,       /* the root, if there is one way to it */
    ECS__ASCENT_START,     /* base whose value instances start with */
    ECS__ASCENT_MARKED,    /* the same, of those that have the id marked */
    ECS__ASCENT_OWNED,     /* base with ids that instances own */
    ECS__ASCENT_BESIDE,    /* base that may have something beside its table */
    ECS__ASCENT_LISTENED   /* base with ids on which queries are keyed */
} ecs__ascent_kind_t;

typedef struct ecs__ascent_t {
    ecs_id_t id;
    ecs_entity_t rel;
    ecs__ascent_kind_t kind;
    bool is_off;                  /* answers would be of no use, or another thread uses them */
    struct ecs__ascents_t *known; /* in use from the first question on; NULL: before */
} ecs__ascent_t;

/** Steps without a question: trees are seldom deeper. */
#define ECS__ASCENT_FREE 32

/** True if a search that comes to an entity after `depth` steps is to ask. */
static inline bool ecs__ascent_asks(
    const ecs__ascent_t *ascent, ecs_entity_t entity, int32_t depth) {
    return depth > ECS__ASCENT_FREE && (uint32_t)entity * 0x9E3779B1u < UINT32_MAX / 32 &&
           !ascent->is_off;
}
/** Come to such an entity. True if it is known what a search finds from there on: *out, with the depth counted from the beginning and no
 * source if it is nothing. */
bool ecs__ascent_ask(ecs__ascent_t *ascent, const ecs__store_t *store, ecs_entity_t entity,
    int32_t depth, ecs__found_t *out);
/** The search ends: what it found, NULL if nothing, is known from now on. */
void ecs__ascent_leave(ecs__ascent_t *ascent, const ecs__store_t *store, const ecs__found_t *found);
/** The search ends without: nothing is known, and it asks no more. */
void ecs__ascent_drop(ecs__ascent_t *ascent, const ecs__store_t *store);
static inline void ecs__ascent_end(
    ecs__ascent_t *ascent, const ecs__store_t *store, const ecs__found_t *found) {
    if (ascent->known) ecs__ascent_leave(ascent, store, found);
}

#endif
