// SPDX-License-Identifier: MIT
#include "query/iter/seen.h"

#include <muster/ecs/os.h>

#include "base/hash.h"
#include "query/iter/iter.h"
#include "query/query.h"
#include "storage/watch.h"
#include "world/state.h"

typedef struct shown_t {
    uint64_t key;
    uint64_t seen;     /* when it was looked at; 0 = never */
    uint64_t pass;     /* beginning of the iteration that showed it last */
    uint64_t kept;     /* of the one that skipped it, or some of its rows, last */
    uint64_t question; /* that counted it */
} shown_t;

struct ecs__seen_t {
    uint32_t is_locked;
    ecs_map_t places; /* key -> place in `list` */
    shown_t *list;
    int32_t count, size;
    uint64_t questions;
};

ecs__seen_t *ecs__seen_new(void) {
    ecs__seen_t *seen = ecs_os_calloc_t(ecs__seen_t);
    ecs_map_init(&seen->places, NULL);
    return seen;
}

void ecs__seen_free(ecs__seen_t *seen) {
    if (!seen) return;
    ecs_map_fini(&seen->places);
    ecs_os_free(seen->list);
    ecs_os_free(seen);
}

static void lock(ecs__seen_t *seen) {
    while (!ecs__cas_32(&seen->is_locked, 0, 1)) ecs__stall();
    ecs__fence_acquire();
}

static void unlock(ecs__seen_t *seen) {
    ecs__fence_release();
    ecs__store_32(&seen->is_locked, 0);
}

static ecs__seen_t *seen_of(const ecs_iter_t *it) { return ecs__program_of(it)->detect->seen; }

// ---- results ----

static uint64_t mix(uint64_t hash, uint64_t value) {
    return ecs__hash_u64(hash ^ value) + 0x9E3779B97F4A7C15ull;
}

uint64_t ecs__result_key(const ecs_iter_t *it) {
    const ecs__solver_t *solver = it->priv_.eval;
    const ecs__graph_t *graph = solver->graph;
    const ecs__value_t *self = &solver->values[ECS__VAR_THIS];
    uint64_t key = mix(0, self->table ? self->table->id : 0);
    if (self->table) key = mix(key, (uint64_t)(uint32_t)self->row << 32 | (uint32_t)self->count);
    for (int32_t v = 1; v < graph->var_count; v++)
        if (!(graph->hidden & ECS__VAR_BIT(v))) key = mix(key, solver->values[v].entity);
    for (int32_t f = 0; f < it->field_count; f++) {
        key = mix(key, graph->hidden_ids & FIELD_BIT(f) ? 0 : it->ids[f]);
        key = mix(key, graph->hidden_fields & FIELD_BIT(f) ? 0 : it->sources[f]);
    }
    return mix(key, it->set_fields & ~graph->hidden_fields);
}

static shown_t *find(const ecs__seen_t *seen, uint64_t key) {
    const ecs_map_val_t *place = ecs_map_get(&seen->places, key);
    return place ? &seen->list[*place] : NULL;
}

static shown_t *ensure(ecs__seen_t *seen, uint64_t key) {
    shown_t *shown = find(seen, key);
    if (shown) return shown;
    if (seen->count == seen->size) {
        seen->size = seen->size ? 2 * seen->size : 8;
        seen->list = ecs_os_realloc_n(seen->list, shown_t, seen->size);
    }
    ecs_map_insert(&seen->places, key, (ecs_map_val_t)seen->count);
    seen->list[seen->count] = (shown_t){ .key = key };
    return &seen->list[seen->count++];
}

void ecs__seen_lose(ecs__seen_t *seen) { ensure(seen, 0); }

// ---- tables ----

// Table that has the value of a field, NULL if there is none; *column is -1 for tags.
static ecs_table_t *table_of(const ecs_iter_t *it, int32_t field, int32_t *column) {
    const ecs_entity_t source = it->sources[field];
    ecs_table_t *table =
        source ? ecs__entity_table(&it->real_world->store.entities, source) : it->table;
    *column = table ? ecs__table_column(table, it->ids[field]) : -1;
    return table;
}

static void watch_tables(const ecs_iter_t *it) {
    int32_t column;
    if (it->table) ecs__table_watch(it->table);
    for (int32_t f = 0; f < it->field_count; f++) {
        ecs_table_t *table = it->set_fields & FIELD_BIT(f) ? table_of(it, f, &column) : NULL;
        if (table) ecs__table_watch(table);
    }
}

// What nobody watched may have changed.
static bool is_newer(const ecs_iter_t *it, uint64_t seen) {
    const ecs_table_t *own = it->table;
    if (own && (!own->watch || ecs__watch_is_newer(&own->watch->rows, seen))) return true;
    ecs_termset_t fields = it->query->read_fields & it->set_fields;
    for (int32_t f = 0; f < it->field_count; f++) {
        int32_t column = -1;
        const ecs_table_t *table = fields & FIELD_BIT(f) ? table_of(it, f, &column) : NULL;
        if (!table || column < 0) continue;
        if (!table->watch || ecs__watch_is_newer(&table->watch->columns[column], seen)) return true;
    }
    return false;
}

// ---- showing ----

// Rows that come one by one are one result, which was looked at when all of them were.
void ecs__seen_note(ecs_iter_t *it) {
    const bool is_skipped = it->flags & EcsIterSkip;
    if (!is_skipped && it->priv_.row < it->priv_.row_end) return;
    ecs__seen_t *seen = seen_of(it);
    if (!ecs__iter_is_concurrent(it->real_world)) watch_tables(it);
    it->priv_.looked = ecs__watch_look(&it->real_world->store.watch);
    const uint64_t key = ecs__result_key(it);
    lock(seen);
    // Limited to some rows, results are others.
    shown_t *shown = it->constrained_vars ? find(seen, key) : ensure(seen, key);
    if (shown) {
        shown->pass = it->priv_.began;
        if (is_skipped) shown->kept = it->priv_.began;
        if (shown->kept != it->priv_.began) shown->seen = it->priv_.looked;
    }
    unlock(seen);
}

void ecs__seen_end(ecs__seen_t *seen, uint64_t began) {
    lock(seen);
    for (int32_t i = seen->count - 1; i >= 0; i--) {
        if (seen->list[i].pass == began) continue;
        ecs_map_remove(&seen->places, seen->list[i].key);
        if (i == --seen->count) continue;
        seen->list[i] = seen->list[seen->count];
        *ecs_map_get(&seen->places, seen->list[i].key) = (ecs_map_val_t)i;
    }
    unlock(seen);
}

// ---- asking ----

bool ecs__seen_is_changed(const ecs_iter_t *it) {
    ecs__seen_t *seen = seen_of(it);
    const uint64_t key = ecs__result_key(it);
    lock(seen);
    const shown_t *shown = find(seen, key);
    uint64_t last = shown ? shown->seen : 0;
    unlock(seen);
    return !last || is_newer(it, last);
}

// True if a result was there before; counts it once per question.
static bool was_there(ecs__seen_t *seen, uint64_t key, uint64_t question, int32_t *count) {
    lock(seen);
    shown_t *shown = find(seen, key);
    if (shown && shown->question != question) {
        shown->question = question;
        ++*count;
    }
    unlock(seen);
    return shown;
}

static ecs_iter_t search(const ecs_query_t *query) {
    ecs_iter_t it = ecs_query_iter(query->world, query);
    it.flags = (it.flags | EcsIterInstanced) & ~EcsIterSync; /* asking is not using */
    return it;
}

bool ecs__seen_any_changed(const ecs_query_t *query, ecs__seen_t *seen) {
    lock(seen);
    const uint64_t question = ++seen->questions;
    unlock(seen);
    int32_t count = 0;
    ecs_iter_t it = search(query);
    while (ecs_query_next(&it)) {
        if (was_there(seen, ecs__result_key(&it), question, &count) && !ecs__seen_is_changed(&it))
            continue;
        ecs_iter_fini(&it);
        return true;
    }
    return count < seen->count;
}

void ecs__seen_follow(const ecs_query_t *query) {
    ecs_iter_t it = search(query);
    while (ecs_query_next(&it)) watch_tables(&it);
}
