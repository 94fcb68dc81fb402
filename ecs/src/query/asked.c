// SPDX-License-Identifier: MIT
#include "query/asked.h"

#include "query/query.h"
#include "storage/watch.h"
#include "world/state.h"

void ecs__asked_note(ecs_iter_t *it) {
    it->flags |= EcsIterAsked;
    const ecs__cache_t *cache = ecs__program_of(it)->cache;
    ecs__match_t *match = cache && it->table ? ecs__cache_find(cache, it->table) : NULL;
    if (!match) return;
    ecs__store_64(&match->seen, 1);
    if (it->flags & EcsIterSkip) ecs__store_64(&match->kept, 1);
}

// ---- who may have written ----

// Values that it writes lie in the tables that it matches.
static bool writes_own(const ecs_query_t *query) {
    if (query->write_fields & query->fixed_fields) return false;
    for (int32_t i = 0; i < query->term_count; i++) {
        const ecs_term_t *term = &query->terms[i];
        const ecs_termset_t field = FIELD_BIT(term->field_index);
        const bool may_share = term->src.id & EcsUp;
        if (may_share && query->write_fields & ~query->shared_readonly_fields & field) return false;
    }
    return true;
}

static bool overlap(const ecs_query_t *writer, const ecs_query_t *reader) {
    for (int32_t i = 0; i < writer->term_count; i++) {
        const ecs_term_t *term = &writer->terms[i];
        if (!(writer->write_fields & FIELD_BIT(term->field_index))) continue;
        for (int32_t k = 0; k < reader->term_count; k++) {
            const ecs_id_t id = reader->terms[k].id;
            if (ecs_id_match(id, term->id) || ecs_id_match(term->id, id)) return true;
        }
    }
    return false;
}

static bool may_write(
    const ecs__program_t *program, const ecs__query_t *reader, const ecs_table_t *table) {
    const ecs__query_t *writer = program->query;
    const ecs__cache_t *cache = program->cache;
    if (!writer->base.write_fields || writer->is_observers) return false;
    const bool has_ids_only = !program->graph && !writer->kinds.has_any && !reader->kinds.has_any;
    if (has_ids_only && !overlap(&writer->base, &reader->base)) return false;
    return !cache || !writes_own(&writer->base) || ecs__cache_find(cache, table);
}

static bool was_left_alone(const ecs__query_t *reader, const ecs_table_t *table) {
    const ecs__queries_t *queries = &reader->base.real_world->queries;
    for (const ecs__query_t *query = queries->first; query; query = query->next) {
        if (may_write(ecs__query_program(&query->base), reader, table)) return false;
    }
    return true;
}

// ---- settling ----

// All that it reads lies in the table itself, in one result, and no query came or went with the jobs.
static bool is_fit(const ecs__program_t *program) {
    const ecs_query_t *base = &program->query->base;
    return !program->graph && !program->cache->sort && !base->real_world->queries.is_new &&
           !(base->read_fields & base->fixed_fields);
}

static bool is_alone(const ecs__cache_t *cache, int32_t index) {
    const ecs__match_t *match = ecs__matches_at(cache, &cache->now, index);
    const bool is_last = index + 1 == cache->now.count;
    return match->table && match->details < 0 &&
           (is_last || ecs__matches_at(cache, &cache->now, index + 1)->number != match->number);
}

void ecs__asked_settle(const ecs__program_t *program) {
    const ecs__cache_t *cache = program->cache;
    if (!cache) return;
    const ecs__query_t *query = program->query;
    const bool fit = is_fit(program);
    const uint64_t look = ecs__watch_look(&query->base.real_world->store.watch);
    for (int32_t i = 0; i < cache->now.count; i++) {
        ecs__match_t *match = ecs__matches_at(cache, &cache->now, i);
        const bool counts = match->seen && !match->kept && fit && is_alone(cache, i) &&
                            was_left_alone(query, match->table);
        match->seen = counts ? look : 0;
        match->kept = 0;
    }
}
