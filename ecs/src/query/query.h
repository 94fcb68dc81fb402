// SPDX-License-Identifier: MIT
// query: the object behind ecs_query_t: checked terms, the program worked out from them, and its place in the world.
#ifndef ECS_QUERY_QUERY_H
#define ECS_QUERY_QUERY_H

#include <muster/ecs/iter.h>
#include "query/parse/expr.h"
#include "query/program.h"

/** Bytes of a fresh iterator that matter. */
#define ECS__ITER_BEGIN offsetof(ecs_iter_t, priv_.locked)

struct ecs__query_t {
    ecs_query_t base;              /* first member; what users see */
    ecs__terms_t terms;            /* what base.terms points into */
    ecs__program_t *program;       /* as far as is known: see ecs__query_program */
    ecs__query_t *next, *previous; /* all queries of the world */
    /* A fresh iterator, good for as long as the sum of the world's stamps is this. */
    uint64_t begin_stamp;
    uint64_t kinds_seen; /* store->kinds_stamp when ids were last looked at */
    uint64_t begin[ECS__ITER_BEGIN / sizeof(uint64_t)]; /* in multiples of 16 bytes */
    ecs__kinds_t kinds;
    bool instanced;
    bool in_storage; /* memory belongs to the caller */
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

/** The program that gives the results of a query now. */
ecs__program_t *ecs__query_program(const ecs_query_t *query);
/** What users are told of the cache, given what was asked for. */
ecs_query_cache_kind_t ecs__query_kind(const ecs__query_t *query, ecs_query_cache_kind_t asked);

/** Counters for an iteration that begins, at zero; NULL if it does not ask for them. */
ecs__profile_t *ecs__query_profile(const ecs_iter_t *it);
/** The library asks it for an observer, which is told of the deletion of what it observes: the query must not forbid that. */
void ecs__query_set_observers(ecs__query_t *query);

/** End a query and free it (unless it lies in the caller's storage), whether or not an entity
 * owns it. */
void ecs__query_end(ecs__query_t *query);

#endif
