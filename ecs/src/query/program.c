// SPDX-License-Identifier: MIT
// program: what is worked out from the terms of a query, and once more when that is not right any more.
//
// Which terms need goals depends on the world: ids they name may have kinds, entities parents by component, or something beside tables.
// When a term gets something of that kind, its query gets another program. What users know of the query stays as it is, and iterations
// that have begun go on with the program they began with; it is kept until the query ends.
// Programs are replaced on the main thread while the world is not readonly.
#include "query/program.h"

#include <muster/ecs/os.h>

#include "query/iter/iter.h"
#include "query/iter/seen.h"
#include "query/query.h"
#include "world/state.h"

// ---- parts ----

ecs__program_t *ecs__program_new(ecs__query_t *query) {
    ecs__program_t *program = ecs_os_calloc_t(ecs__program_t);
    program->query = query;
    return program;
}

// An order needs tables, and a cache likes them: its results can be parted.
bool ecs__program_plan(ecs__program_t *program, bool is_ordered, bool is_cached) {
    ecs_query_t *base = &program->query->base;
    const ecs__kinds_t *kinds = &program->query->kinds;
    if (!ecs__graph_new(base->real_world, base, kinds, is_ordered, &program->graph)) return false;
    ecs__stand_ins_t stand_ins = { .is_needed = is_ordered };
    const ecs__graph_t *graph = program->graph;
    if (graph && (is_ordered || is_cached)) stand_ins.terms = graph->table_goals;
    const ecs_termset_t goals = graph ? graph->goal_terms : 0;
    ecs__plan_compile(&program->plan, &base->real_world->store, base, goals, stand_ins);
    return true;
}

void ecs__program_cache(ecs__program_t *program, ecs__groups_t *groups, ecs__sort_t *sort) {
    ecs_world_t *world = program->query->base.real_world;
    program->cache = ecs__cache_new(&program->plan, &world->store, groups, sort);
    world->queries.sorted += sort != NULL;
}

void ecs__program_settle(ecs__program_t *program) {
    const ecs__query_t *query = program->query;
    const ecs__plan_t *plan = &program->plan;
    bool with_empty = query->base.flags & EcsQueryMatchEmptyTables;
    ecs_flags32_t special = plan->nothing ? EcsIterNoResults : program->graph ? EcsIterGraph : 0;
    program->iter_flags = special | (query->instanced ? EcsIterInstanced : 0) |
                          (with_empty ? EcsIterMatchEmptyTables : 0);
    program->is_small = plan->field_count <= ECS_ITER_INLINE_FIELDS && !with_empty && !special &&
                        !plan->scan && !plan->by_row && !query->base.row_fields;
    if (program->cache) {
        program->cache->sizes = query->base.sizes;
        program->cache->may_copy = program->is_small;
    }
    program->is_listed = !program->cache && program->is_small && ecs__plan_list(plan);
}

void ecs__program_end(ecs__program_t *program) {
    ecs_world_t *world = program->query->base.real_world;
    if (program->cache) {
        world->queries.sorted -= program->cache->sort != NULL;
        ecs__cache_free(program->cache);
    }
    if (program->detect) ecs__seen_free(program->detect->seen);
    ecs_os_free(program->detect);
    ecs__plan_fini(&program->plan, &world->store);
    ecs__graph_free(program->graph);
    ecs_os_free(program->profile);
    ecs_os_free(program);
}

// ---- changes ----

static void detect_in_matches(ecs__program_t *program) {
    if (!program->cache && program->plan.scan < program->plan.count)
        ecs__program_cache(program, NULL, NULL);
    if (program->cache) {
        ecs__cache_update(program->cache); /* tables of sources may be gone since it was asked */
        ecs__cache_detect(program->cache, program->detect);
    }
    ecs__detect_follow(program->detect);
}

void ecs__program_detect(ecs__program_t *program) {
    ecs_query_t *base = &program->query->base;
    program->wants_detect = 0;
    if (program->detect) return;
    program->detect = ecs_os_calloc_t(ecs__detect_t);
    *program->detect = (ecs__detect_t){ base, &program->plan, &base->real_world->store };
    /* It begins otherwise, also for whom it follows. */
    base->real_world->store.structure_stamp++;
    base->flags |= EcsQueryHasChangeDetection;
    if (!program->graph) {
        detect_in_matches(program);
        return;
    }
    program->detect->seen = ecs__seen_new();
    if (program->cache) program->cache->stamp++; /* it cannot be cut any more */
}

// ---- replaced ----

// Groups and order go on in the new cache. The old one is not sorted again, so that it leaves the lists of changed rows to that.
static void pass_on_cache(ecs__cache_t *before, ecs__program_t *next) {
    ecs__groups_t *groups = before->groups ? ecs__groups_pass_on(before->groups) : NULL;
    ecs__sort_t *sort = before->sort ? ecs__sort_copy(before->sort) : NULL;
    if (sort) ecs__sort_unwatch(before);
    ecs__program_cache(next, groups, sort);
    if (groups) ecs__groups_take_over(groups);
    next->cache->match_count += before->match_count;
    next->cache->entity = before->entity;
    if (ecs__cache_is_empty(before)) ecs__cache_tell_matched(next->cache);
}

// Without a cache nobody knows whether something matches: the entity is no longer said to be empty.
static void leave_cache(const ecs__cache_t *before) {
    ecs_world_t *world = before->store->owner;
    if (before->entity && ecs__cache_is_empty(before))
        world->queries.tell_matched(world, before->entity);
}

// What the results were is not known any more: it counts as gone.
static void pass_on_detection(ecs__program_t *next) {
    ecs__program_detect(next);
    ecs__detect_t *detect = next->detect;
    if (detect->seen) ecs__seen_lose(detect->seen);
    detect->lost = next->query->base.real_world->store.watch.now;
    detect->held = true;
}

static void replace(ecs__query_t *query) {
    ecs__program_t *before = query->program, *next = ecs__program_new(query);
    ecs__cache_t *cache = before->cache;
    if (!ecs__program_plan(next, cache && (cache->groups || cache->sort), cache)) {
        ecs__program_end(next);
        return;
    }
    if (query->is_observers) ecs__plan_loosen(&next->plan);
    if (cache && next->plan.scan < next->plan.count)
        pass_on_cache(cache, next);
    else if (cache)
        leave_cache(cache);
    if (cache) cache->is_followed = true;
    ecs__program_settle(next);
    next->before = before;
    query->program = next;
    query->base.cache_kind = ecs__query_kind(query, query->base.cache_kind);
    if (before->detect) pass_on_detection(next);
    if (next->cache && next->cache->groups) ecs__groups_tell(next->cache->groups);
}

static void follow(ecs__query_t *query) {
    ecs_world_t *world = query->base.real_world;
    if (ecs__iter_is_concurrent(world) || ecs__asks(world)) return;
    query->kinds_seen = world->store.kinds_stamp;
    if (ecs__graph_note_kinds(world, &query->base, &query->kinds)) replace(query);
}

ecs__program_t *ecs__query_program(const ecs_query_t *base) {
    ecs__query_t *query = (ecs__query_t *)(uintptr_t)base;
    if (query->kinds_seen != base->real_world->store.kinds_stamp) follow(query);
    return query->program;
}
