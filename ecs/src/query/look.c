// SPDX-License-Identifier: MIT
// look: what a query tells of itself: its groups, variables and plans.
#include <muster/ecs/extend.h>
#include <muster/ecs/os.h>

#include "query/iter/iter.h"
#include "query/query.h"
#include "world/state.h"

const ecs_query_t *ecs_query_get(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs_ext_poly_get(ecs__world_of(world), entity, Ecs__Query);
}

static const ecs__cache_t *known_cache(const ecs_query_t *query) {
    return query->cache_kind == EcsQueryCacheNone ? NULL : ecs__query_program(query)->cache;
}

const ecs_query_t *ecs_query_get_cache_query(const ecs_query_t *query) {
    ECS__NEED_OR(query, NULL);
    return known_cache(query) ? query : NULL;
}

int32_t ecs_query_match_count(const ecs_query_t *query) {
    ECS__NEED_OR(query, 0);
    const ecs__cache_t *cache = known_cache(query);
    return cache ? cache->match_count : 0;
}

// ---- groups ----

// What comes from above, or goes, is noticed when somebody asks.
static const ecs__groups_t *groups_of(const ecs_query_t *query) {
    ecs__cache_t *cache = ecs__query_program(query)->cache;
    ECS__CHECK(ecs__check_may_ask(query));
    ecs_check(
        cache && cache->groups, ECS_INVALID_PARAMETER, "the results of this query are not grouped");
    if (!ecs__iter_is_concurrent(query->real_world) && !ecs__cache_is_current(cache))
        ecs__cache_update(cache);
    return cache->groups;
error:
    return NULL;
}

const ecs_query_group_info_t *ecs_query_get_group_info(
    const ecs_query_t *query, uint64_t group_id) {
    ECS__NEED_OR(query, NULL);
    const ecs__groups_t *groups = groups_of(query);
    const ecs__group_t *group = groups ? ecs__groups_get(groups, group_id) : NULL;
    return group ? &group->info : NULL;
}

void *ecs_query_get_group_ctx(const ecs_query_t *query, uint64_t group_id) {
    const ecs_query_group_info_t *info = ecs_query_get_group_info(query, group_id);
    return info ? info->ctx : NULL;
}

const ecs_map_t *ecs_query_get_groups(const ecs_query_t *query) {
    ECS__NEED_OR(query, NULL);
    const ecs__groups_t *groups = groups_of(query);
    return groups ? &groups->by_id : NULL;
}

// ---- variables ----

// 0: none, or what stands for `*`, which has no name.
static int32_t index_of_var(const ecs_query_t *query, const char *name) {
    for (int32_t i = query->var_count - 1; i > 0; i--) {
        if (query->vars[i] && !ecs_os_strcmp(query->vars[i], name)) return i;
    }
    return 0;
}

// The older spelling of `$Friend` is `_Friend`; `$_Friend` is another variable, which nobody finds.
int32_t ecs_query_find_var(const ecs_query_t *query, const char *name) {
    ECS__NEED_OR(query && name, -1);
    bool is_this = !ecs_os_strcmp(name, "this") || !ecs_os_strcmp(name, "This");
    if (is_this) return query->flags & EcsQueryMatchThis ? 0 : -1;
    int32_t var = index_of_var(query, name);
    if (!var && name[0] == '_') var = index_of_var(query, name + 1);
    return var && ecs_query_var_name(query, var) ? var : -1;
}

const char *ecs_query_var_name(const ecs_query_t *query, int32_t var) {
    ECS__NEED_OR(query, NULL);
    if (var == 0) return "this";
    const char *name = var > 0 && var < query->var_count ? query->vars[var] : NULL;
    return name && name[0] != '_' ? name : NULL;
}

bool ecs_query_var_is_entity(const ecs_query_t *query, int32_t var) {
    ECS__NEED_OR(query, false);
    return var > 0 && var < query->var_count;
}

// ---- programs ----

static void append_program(const ecs_query_t *query, bool with_profile, ecs_strbuf_t *out) {
    const ecs__program_t *of = ecs__query_program(query);
    const ecs__profile_t *profile = with_profile ? of->profile : NULL;
    ecs__plan_str(&of->plan, profile ? profile->ops : NULL, query->world, out);
    if (of->graph) ecs__graph_str(of->graph, profile ? profile->goals : NULL, query->world, out);
}

char *ecs_query_plan(const ecs_query_t *query) {
    ECS__NEED_OR(query, NULL);
    ecs_strbuf_t out = ECS_STRBUF_INIT;
    append_program(query, false, &out);
    return ecs_strbuf_get(&out);
}

// Only one thread may count at a time.
ecs__profile_t *ecs__query_profile(const ecs_iter_t *it) {
    if (!(it->flags & EcsIterProfile) || ecs__iter_is_concurrent(it->real_world)) return NULL;
    ecs__program_t *program = ecs__program_of(it);
    if (!program->profile) program->profile = ecs_os_malloc_t(ecs__profile_t);
    ecs_os_memset_t(program->profile, 0, ecs__profile_t);
    return program->profile;
}

char *ecs_query_plan_w_profile(const ecs_query_t *query, const ecs_iter_t *it) {
    ECS__NEED_OR(query, NULL);
    (void)it; /* may have come to its end: the query remembers */
    ecs_strbuf_t out = ECS_STRBUF_INIT;
    append_program(query, true, &out);
    return ecs_strbuf_get(&out);
}

static const char *key_kind(const ecs__cache_t *cache) {
    return cache->list == &cache->store->listeners ? "all tables" : "one id";
}

char *ecs_query_plans(const ecs_query_t *query) {
    ECS__NEED_OR(query, NULL);
    const ecs__cache_t *cache = ecs__query_program(query)->cache;
    ecs_strbuf_t out = ECS_STRBUF_INIT;
    append_program(query, false, &out);
    if (cache) {
        ecs_strbuf_append(&out, "cache: operations from %d on, %d matches, hears of %s\n",
            cache->plan->scan, cache->now.count - cache->now.holes, key_kind(cache));
    }
    return ecs_strbuf_get(&out);
}
