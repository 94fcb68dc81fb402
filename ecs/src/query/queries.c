// SPDX-License-Identifier: MIT
#include "query/queries.h"

#include "query/asked.h"
#include "query/check/finalize.h"
#include "query/iter/seen.h"
#include "query/query.h"
#include "world/state.h"

void ecs__queries_add(ecs__queries_t *queries, ecs__query_t *query) {
    query->previous = queries->last;
    query->next = NULL;
    if (queries->last)
        queries->last->next = query;
    else
        queries->first = query;
    queries->last = query;
    queries->count++;
    queries->is_new = true;
}

void ecs__queries_remove(ecs__queries_t *queries, ecs__query_t *query) {
    if (query->previous)
        query->previous->next = query->next;
    else
        queries->first = query->next;
    if (query->next)
        query->next->previous = query->previous;
    else
        queries->last = query->previous;
    queries->count--;
}

void ecs__queries_fini(ecs__queries_t *queries) {
    while (queries->last) ecs__query_end(queries->last);
}

void ecs__queries_leave_stage(ecs__queries_t *queries, const ecs_stage_t *stage) {
    for (ecs__query_t *query = queries->first; query; query = query->next)
        if ((const void *)query->base.world == stage) query->base.world = query->base.real_world;
}

void ecs__queries_follow_types(ecs__queries_t *queries) {
    for (ecs__query_t *query = queries->first; query; query = query->next) {
        ecs__finalize_data(&query->base);
        query->base.real_world->store.structure_stamp++; /* copies hold sizes */
    }
}

void ecs__queries_detect(ecs__queries_t *queries) {
    bool has_search = false;
    queries->wants_detect = 0;
    for (ecs__query_t *query = queries->first; query; query = query->next) {
        for (ecs__program_t *of = query->program; of; of = of->before) {
            if (!of->wants_detect) continue;
            ecs__program_detect(of);
            ecs__asked_settle(of);
            has_search |= of->detect->seen != NULL;
        }
    }
    queries->is_new |= has_search; // the next update has its tables watched
}

void ecs__queries_follow(ecs__queries_t *queries, ecs__store_t *store) {
    queries->is_new = false;
    for (ecs__query_t *query = queries->first; query; query = query->next) {
        const ecs__program_t *now = ecs__query_program(&query->base);
        if (now->cache && now->cache->sort)
            ecs__sort_wait(now->cache, query->base.real_world->info.frame_count_total);
        if (now->cache) ecs__cache_update(now->cache);
        if (now->detect && now->detect->seen) ecs__seen_follow(&query->base);
    }
    // Tables may be watched for another query: those that write to them have to tell.
    for (ecs__query_t *query = queries->first; query; query = query->next) {
        ecs__cache_t *cache = ecs__query_program(&query->base)->cache;
        if (cache) ecs__cache_follow_watches(cache);
    }
    queries->seen_traverse = store->traverse_stamp;
    queries->seen_tables = store->table_stamp;
    queries->seen_watch = store->watch.tables;
    queries->seen_change = store->watch.noted;
}

bool ecs__queries_verify(const ecs__queries_t *queries) {
    int32_t count = 0;
    const ecs__query_t *previous = NULL;
    for (const ecs__query_t *query = queries->first; query; query = query->next) {
        if (query->previous != previous) return false;
        for (const ecs__program_t *of = query->program; of; of = of->before)
            if (of->cache && !ecs__cache_verify(of->cache)) return false;
        previous = query;
        count++;
    }
    return queries->last == previous && queries->count == count;
}
