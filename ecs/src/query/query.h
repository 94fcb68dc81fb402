// SPDX-License-Identifier: MIT
// query: the object behind ecs_query_t: checked terms, plan, cache, and its place in the world.
#ifndef ECS_QUERY_QUERY_H
#define ECS_QUERY_QUERY_H

#include <muster/ecs/iter.h>
#include "query/cache/detect.h"
#include "query/graph/solve.h"
#include "query/parse/expr.h"
#include "query/queries.h"

/** Bytes of a fresh iterator that matter. */
#define ECS__ITER_BEGIN offsetof(ecs_iter_t, priv_.locked)

struct ecs__query_t {
    ecs_query_t base;    /* first member; what users see */
    ecs__terms_t terms;  /* what base.terms points into */
    ecs__graph_t *graph; /* NULL: plain terms only */
    ecs__plan_t plan;
    ecs__cache_t *cache;           /* NULL when nothing is kept */
    ecs__detect_t *detect;         /* NULL until changes are asked for */
    uint32_t wants_detect;         /* asked for by a job: begins when jobs are done */
    ecs__query_t *next, *previous; /* all queries of the world */
    ecs_flags32_t iter_flags;      /* EcsIter*, as far as they are known ahead */
    /* A fresh iterator, good for as long as the sum of the world's stamps is this. */
    uint64_t begin_stamp;
    ecs__query_t *successor; /* NULL: none */
    uint64_t kinds_seen;     /* store->kinds_stamp when ids were last looked at */
    uint64_t begin[ECS__ITER_BEGIN / sizeof(uint64_t)]; /* in multiples of 16 bytes */
    bool is_small;  /* results may come from a cache or from id records as they are */
    bool is_listed; /* plain, and the id records list where tables have the ids */
    ecs__kinds_t kinds;
    bool instanced;
    bool in_storage;         /* memory belongs to the caller */
    ecs__profile_t *profile; /* of the last iteration that asked for one */
    ecs_ctx_free_t ctx_free, binding_ctx_free;
    bool is_kept, is_over; /* see ecs_ext_query_keep */
    bool is_observers;     /* asked by the library, whoever told */
};

/* With the limits of config.h as they are; others move members by 8 bytes, which costs time only. */
_Static_assert(sizeof(ecs_ftime_t) != sizeof(float) || FLECS_TERM_COUNT_MAX != 32 ||
                   (offsetof(ecs__query_t, begin) % 16 == 0 && ECS__ITER_BEGIN % 16 == 0),
    "a beginning is copied by 16 bytes, none of them in two cache lines");

static inline const ecs__query_t *ecs__query_of(const ecs_query_t *query) {
    return (const ecs__query_t *)(const void *)query;
}

/** The query that gives the results of a query now: itself, or its successor (successor.c). */
const ecs__query_t *ecs__query_now(const ecs_query_t *query);
void ecs__query_end_successor(ecs__query_t *query);
/** What users are told of the cache, given what was asked for. */
ecs_query_cache_kind_t ecs__query_kind(const ecs__query_t *query, ecs_query_cache_kind_t asked);
/** Work out how iterations of a planned query begin. */
void ecs__query_set_iter_flags(ecs__query_t *query);

/** Counters for an iteration that begins, at zero; NULL if it does not ask for them. */
ecs__profile_t *ecs__query_profile(const ecs_iter_t *it);
/** Detect changes from now on. Main thread. */
void ecs__query_detect(ecs__query_t *query);
/** The library asks it for an observer, which is told of the deletion of what it observes: the query must not forbid that. */
void ecs__query_set_observers(ecs__query_t *query);
/** Free all that follows from the terms. */
void ecs__query_end_plan(ecs__query_t *query);

/** End a query and free it (unless it lies in the caller's storage), whether or not an entity
 * owns it. */
void ecs__query_end(ecs__query_t *query);

#endif
