// SPDX-License-Identifier: MIT
// detect: what a query has seen of its matches, so that it can tell what changed since.
//
// Tables keep stamps of their last changes (storage/watch.h), matches the stamp of the last look at them. A match has changed if its rows,
// or values that the query reads in it (own, shared or of constants), changed after that look, or what it asks for was switched on or off
// (storage/toggle.h). A match that was never looked at has changed if it has rows, or had some since the last iteration ended. What
// vanished without a trace in another match is noted in `lost`.
// Threads: begins on the main thread; looks are single words that all who iterate may write.
#ifndef ECS_QUERY_CACHE_DETECT_H
#define ECS_QUERY_CACHE_DETECT_H

#include "query/cache/cache.h"

struct ecs__detect_t {
    /* of the query */
    const ecs_query_t *query;
    const ecs__plan_t *plan;
    ecs__store_t *store;
    uint64_t lost;            /* when a match went that had results */
    uint64_t ended;           /* beginning of the last iteration that came to its end */
    uint64_t state;           /* of the constants: who has what */
    uint64_t moved;           /* when that was found to be another */
    uint32_t held;            /* the conditions about constants did in that iteration */
    struct ecs__seen_t *seen; /* of a search, instead of all this (iter/seen.h) */
};

/** Let a cache watch its tables from now on. */
void ecs__cache_detect(ecs__cache_t *cache, ecs__detect_t *detect);
/** What is asked of constants may be true in another way, or elsewhere: watch it where it is. Main thread. */
void ecs__detect_follow(ecs__detect_t *detect);
/** True if something changed since the query was iterated; `cache` is NULL if no term is about $this. */
bool ecs__detect_changed(const ecs__detect_t *detect, const ecs__cache_t *cache);
/** The same for one match. */
bool ecs__detect_match_changed(
    const ecs__detect_t *detect, const ecs__cache_t *cache, const ecs__match_t *match);
/** An iteration over all results, begun at `began`, came to its end: what it did not look at had no results. */
void ecs__detect_end(
    ecs__detect_t *detect, ecs__cache_t *cache, uint64_t began, uint64_t table_limit);

#endif
