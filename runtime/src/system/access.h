// SPDX-License-Identifier: MIT
// access: what a system may read and write in place, from the terms of its query.
//
// Only values count: the structure of the world does not change while systems run, so tags and
// terms that only filter are free. Writes that a system announces on a term without source go
// through commands; they matter for sync points (schedule/sync), not here.
#ifndef RT_SYSTEM_ACCESS_H
#define RT_SYSTEM_ACCESS_H

#include "runtime.h"

typedef enum rt_scope_t {
    RT_SCOPE_ROWS,         /* the rows of $this that a range covers */
    RT_SCOPE_ROWS_OR_UP,   /* those, or the value of a base, for tables that have one */
    RT_SCOPE_ENTITY,       /* one entity */
    RT_SCOPE_ENTITY_OR_UP, /* that, or a base of it */
    RT_SCOPE_ANYWHERE /* other entities: above, variables, what a term without source announces */
} rt_scope_t;

typedef struct rt_access_item_t {
    ecs_id_t id;         /* may be a wildcard */
    ecs_entity_t source; /* RT_SCOPE_ENTITY, RT_SCOPE_ENTITY_OR_UP */
    ecs_size_t size;     /* bytes per row, an estimate for wildcards */
    uint8_t scope;       /* rt_scope_t */
    bool write;
    bool has_kinds;        /* present kinds (IsA) of the component, or relationship, count, */
    bool has_target_kinds; /* and those of the target */
} rt_access_item_t;

typedef struct rt_access_t {
    rt_access_item_t *items;
    int32_t count;
    uint64_t reads, writes; /* a bit per id, all for wildcards: disjoint bits prove no conflict */
} rt_access_t;

void rt__access_init(rt_access_t *access, const ecs_world_t *world, const ecs_query_t *query);
void rt__access_fini(rt_access_t *access);

/** True if some id is covered by both; either may contain wildcards. */
bool rt__ids_overlap(ecs_id_t a, ecs_id_t b);
/** The same for what an item covers, kinds of its component included. */
bool rt__item_overlaps(const ecs_world_t *world, const rt_access_item_t *item, ecs_id_t id);
bool rt__items_overlap(
    const ecs_world_t *world, const rt_access_item_t *a, const rt_access_item_t *b);
/** What a term looks at: its id, or the component of the member that it names. */
ecs_id_t rt__term_id(const ecs_world_t *world, const ecs_term_t *term);
/** True if kinds of what a term names count, and there are some now. */
bool rt__term_has_kinds(const ecs_world_t *world, const ecs_term_t *term);
/** True if a term asks for this id, or if it is a kind of what it asks for. */
bool rt__term_covers(const ecs_world_t *world, const ecs_term_t *term, ecs_id_t id);
/** True if what it covers has kinds now. */
bool rt__item_has_kinds(const ecs_world_t *world, const rt_access_item_t *item);
/** True if other ids than its own may be covered by it. */
bool rt__item_is_wide(const rt_access_item_t *item);
/** Default access resolved: In for values of other entities, InOut for own ones, None without a
 * source. */
ecs_inout_kind_t rt__term_inout(const ecs_term_t *term);

#endif
