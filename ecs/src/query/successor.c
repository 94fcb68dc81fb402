// SPDX-License-Identifier: MIT
// successor: the same terms, planned again because ids they name have kinds by now, or entities have
// parents by component, or something beside tables.
//
// Which terms need goals is decided when a query is made. When something becomes the base of another
// (IsA) later, and a term names it, the query gets a successor that takes over; iterators that have
// begun go on with the plan and cache they know. Terms, names and sizes are those of the query.
// Successors are made on the main thread while the world is not readonly.

#include <muster/ecs/os.h>

#include "query/cache/detect.h"
#include "query/iter/iter.h"
#include "query/iter/seen.h"
#include "query/query.h"
#include "query/parse/term.h"
#include "world/state.h"

#define FOLLOWED UINT64_MAX /* kinds_seen of a query with successor: never current */

// Groups and order go on in the new cache. The old one is not sorted again, so that it leaves the lists of changed rows to that.
static ecs__cache_t *make_cache(ecs__cache_t *before, const ecs__query_t *successor) {
    ecs__groups_t *groups = before->groups ? ecs__groups_pass_on(before->groups) : NULL;
    ecs__sort_t *sort = before->sort ? ecs__sort_copy(before->sort) : NULL;
    if (sort) ecs__sort_unwatch(before);
    ecs__cache_t *cache = ecs__cache_new(&successor->plan, before->store, groups, sort);
    if (groups) ecs__groups_take_over(groups);
    cache->match_count += before->match_count;
    cache->entity = before->entity;
    if (ecs__cache_is_empty(before)) ecs__cache_tell_matched(cache);
    return cache;
}

// Without a cache nobody knows whether something matches: the entity is no longer said to be empty.
static void leave_cache(const ecs__cache_t *before) {
    ecs_world_t *world = before->store->owner;
    if (before->entity && ecs__cache_is_empty(before))
        world->queries.tell_matched(world, before->entity);
}

static ecs__query_t *make_successor(const ecs__query_t *query) {
    ecs__query_t *successor = ecs_os_memdup(query, ECS_SIZEOF(ecs__query_t));
    ecs_query_t *base = &successor->base;
    base->terms = ecs_os_memdup(query->base.terms, base->term_count * ECS_SIZEOF(ecs_term_t));
    for (int32_t i = 0; i < base->term_count; i++)
        base->terms[i].flags_ &= (ecs_flags16_t)~ECS__TERM_IS_GOAL;
    successor->cache = NULL;
    successor->graph = NULL;
    successor->profile = NULL;
    successor->detect = NULL;
    ecs__cache_t *cache = query->cache;
    const bool is_ordered = cache && (cache->groups || cache->sort);
    if (!ecs__graph_new(base->real_world, base, is_ordered, &successor->graph)) {
        ecs_os_free(base->terms);
        ecs_os_free(successor);
        return NULL;
    }
    ecs__stand_ins_t stand_ins = { 0 };
    if (cache && successor->graph)
        stand_ins = (ecs__stand_ins_t){ successor->graph->table_goals, is_ordered };
    ecs__plan_compile(&successor->plan, &base->real_world->store, base, stand_ins);
    if (successor->is_observers) ecs__plan_loosen(&successor->plan);
    ecs__query_set_iter_flags(successor);
    if (cache && successor->plan.scan < successor->plan.count)
        successor->cache = make_cache(cache, successor);
    else if (cache)
        leave_cache(cache);
    if (cache) cache->is_followed = true;
    return successor;
}

// What the results were is not known any more: it counts as gone.
static void pass_on_detection(ecs__query_t *successor) {
    ecs__query_detect(successor);
    ecs__detect_t *detect = successor->detect;
    if (detect->seen) ecs__seen_lose(detect->seen);
    detect->lost = successor->base.real_world->store.watch.now;
    detect->held = true;
}

static void end(ecs__query_t *query) {
    ecs__query_end_plan(query);
    ecs_os_free(query->base.terms);
    ecs_os_free(query);
}

void ecs__query_end_successor(ecs__query_t *query) {
    while (query->successor) {
        ecs__query_t *successor = query->successor;
        query->successor = successor->successor;
        end(successor);
    }
}

static const ecs__query_t *follow(ecs__query_t *first, const ecs__query_t *query) {
    ecs_world_t *real_world = query->base.real_world;
    ecs__query_t *own = (ecs__query_t *)(uintptr_t)query;
    if (query->kinds_seen == real_world->store.kinds_stamp) return query;
    if (query->successor) return follow(first, query->successor);
    if (ecs__iter_is_concurrent(real_world)) return query;
    own->kinds_seen = real_world->store.kinds_stamp;
    if (!ecs__graph_note_kinds(real_world, &own->base, &own->kinds)) return query;
    own->successor = make_successor(query);
    if (!own->successor) return query;
    first->base.cache_kind = ecs__query_kind(own->successor, first->base.cache_kind);
    if (query->detect) pass_on_detection(own->successor);
    own->kinds_seen = FOLLOWED;
    const ecs__cache_t *cache = own->successor->cache;
    if (cache && cache->groups) ecs__groups_tell(cache->groups);
    return own->successor;
}

const ecs__query_t *ecs__query_now(const ecs_query_t *query) {
    const ecs__query_t *of = ecs__query_of(query);
    bool is_current = of->kinds_seen == query->real_world->store.kinds_stamp;
    return is_current ? of : follow((ecs__query_t *)(uintptr_t)query, of);
}
