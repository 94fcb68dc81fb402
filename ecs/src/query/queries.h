// SPDX-License-Identifier: MIT
// queries: root of rank 4: all live queries of a world.
//
// A cached query listens on one id record, that of the rarest id it requires (its key), so a new
// table is offered to the queries keyed on ids it has or inherits, and to no others
// (cache/cache.c). Changes above a table are noticed by stamps (cache/rematch.c).
// Threads: written by the main thread while the world is not readonly.
#ifndef ECS_QUERY_QUERIES_H
#define ECS_QUERY_QUERIES_H

#include "storage/store.h"

typedef struct ecs__query_t ecs__query_t;

typedef struct ecs__queries_t {
    ecs__query_t *first, *last; /* live queries in order of creation */
    int32_t count;
    uint64_t graphs; /* that were made */
    bool is_new;     /* since the last update a query was made, or has to be looked at anew */
    uint64_t seen_traverse, seen_tables; /* stamps of the store at the last update */
    uint64_t seen_watch, seen_change;
    int32_t sorted;        /* queries that are */
    uint32_t wants_detect; /* a job asked a query for changes that does not detect them yet */
    void (*tell_matched)(
        ecs_world_t *world, ecs_entity_t entity); /* records a removal of EcsEmpty */
} ecs__queries_t;

void ecs__queries_add(ecs__queries_t *queries, ecs__query_t *query);
void ecs__queries_remove(ecs__queries_t *queries, ecs__query_t *query);
/** A stage ends: queries that were made with it are asked with the world from now on. */
void ecs__queries_leave_stage(ecs__queries_t *queries, const ecs_stage_t *stage);
/** A type got values, or of another size: the fields of queries follow. */
void ecs__queries_follow_types(ecs__queries_t *queries);
/** End all queries that are left; while the store still works. */
void ecs__queries_fini(ecs__queries_t *queries);
/** Bring all caches up to date. */
void ecs__queries_follow(ecs__queries_t *queries, ecs__store_t *store);
/** True if that would change nothing. */
static inline bool ecs__queries_are_current(
    const ecs__queries_t *queries, const ecs__store_t *store) {
    return !queries->is_new && queries->seen_traverse == store->traverse_stamp &&
           queries->seen_tables == store->table_stamp &&
           queries->seen_watch == store->watch.tables &&
           (!queries->sorted || queries->seen_change == store->watch.noted) &&
           !store->watch.waiting;
}
/** The same before the world becomes readonly: a few comparisons when nothing changed. */
static inline void ecs__queries_update(ecs__queries_t *queries, ecs__store_t *store) {
    if (!ecs__queries_are_current(queries, store)) ecs__queries_follow(queries, store);
}
/** Jobs are done, but not their commands: queries that they asked for changes detect them from now on. */
void ecs__queries_detect(ecs__queries_t *queries);
static inline void ecs__queries_begin_detecting(ecs__queries_t *queries) {
    if (queries->wants_detect) ecs__queries_detect(queries);
}
bool ecs__queries_verify(const ecs__queries_t *queries);

#endif
