// SPDX-License-Identifier: MIT
// group: matches of a query put together by a number that a callback gives each table.
//
// Groups belong to a query; tables know nothing of them. A table joins or leaves its group in constant time. Groups are in order of
// their ids; where the matches of one begin in the order of the cache is worked out when that order is (cache.c). A cascade is
// grouping by depth.
// Threads: changed by the main thread while the world is not readonly; read by anyone.
#ifndef ECS_QUERY_CACHE_GROUP_H
#define ECS_QUERY_CACHE_GROUP_H

#include "query/plan/plan.h"

typedef struct ecs__group_t {
    ecs_query_group_info_t info; /* first member */
    int32_t begin, end;          /* places in the order of the cache */
    int32_t first, behind; /* the same in the last list by group, see ecs__cache_list_by_group */
    struct ecs__group_t *next; /* to be told of; or that ended, and nobody needs to be told */
    bool is_new;               /* nobody was told of it yet */
    bool has_ended;
} ecs__group_t;

typedef struct ecs__groups_t {
    ecs_world_t *world;
    ecs_id_t id;
    ecs_group_by_action_t group_by;
    ecs_group_create_action_t on_create;
    ecs_group_delete_action_t on_delete;
    void *ctx;
    ecs_ctx_free_t ctx_free;
    bool descending;
    ecs_map_t by_id;       /* group id -> ecs__group_t * */
    ecs__group_t **sorted; /* in order of iteration */
    int32_t size;
    ecs__group_t *ended;     /* their memory is used again */
    ecs__group_t *news;      /* that came or went since users were told */
    ecs__group_t **news_end; /* where the next one goes */
    bool is_telling;
    struct ecs__groups_t *before; /* whose groups go on here, see ecs__groups_pass_on */
} ecs__groups_t;

/** Groups as a descriptor asks for them, or the depths of a cascade; NULL if neither. */
ecs__groups_t *ecs__groups_new(
    ecs_world_t *world, const ecs_query_desc_t *desc, const ecs__plan_t *plan);
/** The same groups for another cache. What users know of them goes on there: when it is filled,
 * ecs__groups_take_over ends those that have no table in it, and `groups` tells nobody any more. */
ecs__groups_t *ecs__groups_pass_on(ecs__groups_t *groups);
void ecs__groups_take_over(ecs__groups_t *groups);
/** Tell users of groups that came and went, in that order. They may do anything, so this comes last in whatever changes a cache.
 * Returns whether there were any. */
bool ecs__groups_tell(ecs__groups_t *groups);
/** End all groups and free them. */
void ecs__groups_free(ecs__groups_t *groups);
/** The group of a table, made if it is the first one in it. */
ecs__group_t *ecs__groups_of(ecs__groups_t *groups, ecs_table_t *table);
/** A table was matched, or is no longer: its group counts. */
void ecs__group_join(ecs__group_t *group);
/** The group ends with its last table. */
void ecs__group_leave(ecs__groups_t *groups, ecs__group_t *group);
/** The group of an id, or NULL. */
ecs__group_t *ecs__groups_get(const ecs__groups_t *groups, uint64_t id);
/** Where it is among `sorted`, or would be. */
int32_t ecs__groups_seek(const ecs__groups_t *groups, uint64_t id);
/** True if a group of id `a` comes before one of id `b`. */
static inline bool ecs__groups_before(const ecs__groups_t *groups, uint64_t a, uint64_t b) {
    return groups->descending ? a > b : a < b;
}

#endif
