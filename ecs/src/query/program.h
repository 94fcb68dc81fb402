// SPDX-License-Identifier: MIT
// program: what is worked out from the terms of a query: how it searches, and what it keeps of that.
#ifndef ECS_QUERY_PROGRAM_H
#define ECS_QUERY_PROGRAM_H

#include <muster/ecs/iter.h>
#include "query/cache/detect.h"
#include "query/graph/solve.h"
#include "query/queries.h"

typedef struct ecs__program_t {
    ecs__plan_t plan;
    ecs__graph_t *graph; /* NULL: plain terms only */
    ecs__query_t *query;
    ecs__cache_t *cache;           /* NULL when nothing is kept */
    ecs__detect_t *detect;         /* NULL until changes are asked for */
    ecs__profile_t *profile;       /* of the last iteration that asked for one */
    struct ecs__program_t *before; /* that it replaced; NULL: none */
    uint32_t wants_detect;         /* asked for by a job: begins when jobs are done */
    ecs_flags32_t iter_flags;      /* EcsIter*, as far as they are known ahead */
    bool is_small;  /* results may come from a cache or from id records as they are */
    bool is_listed; /* plain, and the id records list where tables have the ids */
} ecs__program_t;

/** The program that an iterator over a query began with. */
static inline ecs__program_t *ecs__program_of(const ecs_iter_t *it) { return it->priv_.source; }
/** The cache that an iterator goes through, or NULL. */
static inline ecs__cache_t *ecs__cache_of(const ecs_iter_t *it) {
    return it->flags & EcsIterCached ? ecs__program_of(it)->cache : NULL;
}

/** An empty one. */
ecs__program_t *ecs__program_new(ecs__query_t *query);
/** Work out the search for the checked terms. False after one logged sentence. */
bool ecs__program_plan(ecs__program_t *program, bool is_ordered, bool is_cached);
/** Keep what matches. */
void ecs__program_cache(ecs__program_t *program, ecs__groups_t *groups, ecs__sort_t *sort);
/** Work out how iterations begin, when the rest is known. */
void ecs__program_settle(ecs__program_t *program);
void ecs__program_end(ecs__program_t *program);
/** Detect changes from now on. Main thread. */
void ecs__program_detect(ecs__program_t *program);

#endif
