// SPDX-License-Identifier: MIT
// sort_update: the order of a sorted query when few rows changed, and their tables say which (logs, storage/watch.h).
//
// Changed rows are taken out of the list of slices, sorted, and put where they belong:
//
//   order  [A 0…9] [B 0…4] [A 10…19]        row 3 of A changed
//   out    [A 0…2] [A 4…9] [B 0…4] [A 10…19]
//   in     [A 0…2] [A 4…9] [B 0…1] [A 3] [B 2…4] [A 10…19]
//
// In the order of results rows are then right; in their table they are moved at once, so that all who look at the table see them in
// order. Moving rows means to follow up the record of each entity that lies between, which costs milliseconds in large tables, so
// queries may be told that nobody else looks (EcsQuerySortLazily). Then rows of large tables wait until there are many, or until
// going through their slices has cost as much as moving them. Nobody but the sorted query moves them: pointers to values are good
// while others look. Rows that compare equal are in order of their matches, then of rows.
#include <string.h>

#include <muster/ecs/os.h>

#include "base/assert.h"
#include "base/bisect.h"
#include "query/cache/cache.h"
#include "storage/watch.h"

#define SMALL 16384 /* rows that never wait */
#define SHARE 16    /* one row in so many waits at most */

typedef struct update_t {
    ecs__cache_t *cache;
    ecs__sort_t *sort;
    ecs__sort_run_t *runs;    /* per match */
    const ecs__place_t *list; /* of matches, by group */
    int32_t changed_count;
    size_t words; /* of bits for all rows of tables that changed */
    /* of one group, changed rows in order of matches and rows: */
    ecs__place_t *changed;
    ecs__sorter_t values; /* theirs, side by side */
    uint64_t *bits;       /* memory for them that is left */
    int32_t *sorted;      /* numbers of changed rows in their order */
    ecs__place_t *kept;   /* the order without them */
    int32_t kept_count;
} update_t;

// Does a row in the order come before a changed one?
static bool comes_before(const update_t *update, const ecs__place_t *place, int32_t changed) {
    const ecs__sort_run_t *run = &update->runs[place->match];
    const ecs__sorter_t *values = &update->values;
    int order = values->compare(run->entities[place->row], ecs__sort_value(run, place->row),
        values->entities[changed], ecs__sorter_value(values, changed));
    if (order) return order < 0;
    const ecs__place_t *row = &update->changed[changed];
    return place->match != row->match ? place->match < row->match : place->row < row->row;
}

// ---- what changed ----

static int32_t words_for(int32_t rows) { return (rows + 63) >> 6; }

// Tables that changed are known row by row, and were and are in the order.
static bool is_known(const ecs__cache_t *cache, const ecs__match_t *match, bool is_shared) {
    const ecs__row_log_t *log = &match->table->watch->log;
    return !is_shared && log->owner == cache && !log->is_lost && match->sorted_count &&
           match->table->count;
}

// Matches of one table lie together. What a table lists is cleared for the first of them.
static bool is_among_several(const ecs__cache_t *cache, int32_t i) {
    const ecs_table_t *table = ecs__matches_at(cache, &cache->now, i)->table;
    return (i > 0 && ecs__matches_at(cache, &cache->now, i - 1)->table == table) ||
           (i + 1 < cache->now.count && ecs__matches_at(cache, &cache->now, i + 1)->table == table);
}

// Prepare runs; false if the order has to be made anew.
static bool look(update_t *update) {
    ecs__cache_t *cache = update->cache;
    size_t *size = &update->values.size;
    for (int32_t i = 0; i < cache->now.count; i++) {
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, i);
        ecs__sort_run_t *run = &update->runs[i];
        bool is_shared, has_changed;
        ecs__sort_look(cache, i, run, &is_shared, &has_changed);
        if (!match->is_sorted) return false;
        if (!has_changed) continue;
        if (!run->entities || !is_known(cache, match, is_shared)) return false;
        if (is_among_several(cache, i)) return false;
        if (update->changed_count && run->size != *size) return false; // of kinds
        *size = run->size;
        update->changed_count += match->table->watch->log.count;
        update->words += (size_t)words_for(run->count);
    }
    return true;
}

// Bits sort them, and drop those that are listed twice or are gone.
static void list_rows(update_t *update, int32_t at, ecs__match_t *match) {
    ecs__sort_run_t *run = &update->runs[at];
    ecs__row_log_t *log = &match->table->watch->log;
    match->sorted_count = match->table->count;
    run->changed = NULL;
    if (log->owner != update->cache || !log->count) return;
    const int32_t words = words_for(run->count), before = update->changed_count;
    run->changed = update->bits;
    update->bits += words;
    memset(run->changed, 0, (size_t)words * sizeof(uint64_t));
    for (int32_t i = 0; i < log->count; i++) {
        const int32_t row = log->rows[i];
        if (row < run->count) run->changed[row >> 6] |= 1ull << (row & 63);
    }
    for (int32_t w = 0; w < words; w++) {
        for (uint64_t word = run->changed[w]; word; word &= word - 1) {
            const int32_t row = (w << 6) + __builtin_ctzll(word);
            update->changed[update->changed_count++] = (ecs__place_t){ at, row, 1 };
        }
    }
    match->waiting += update->changed_count - before;
    log->count = 0;
}

static void list_changed(update_t *update, const ecs__group_t *group) {
    const ecs__cache_t *cache = update->cache;
    const int32_t first = group ? group->first : 0, end = group ? group->behind : cache->now.count;
    update->changed_count = 0;
    for (int32_t i = first; i < end; i++) {
        const int32_t at = update->list[i].match;
        list_rows(update, at, ecs__matches_at(cache, &cache->now, at));
    }
}

// Values lie anywhere; they are compared where they are at hand.
static void sort_changed(update_t *update, ecs_entity_t *entities, char *data, int32_t *spare) {
    const size_t size = update->values.size;
    bool has_values = false;
    for (int32_t i = 0; i < update->changed_count; i++) {
        const ecs__place_t *row = &update->changed[i];
        const ecs__sort_run_t *run = &update->runs[row->match];
        update->sorted[i] = i;
        entities[i] = run->entities[row->row];
        has_values = run->values;
        if (has_values) memcpy(data + size * (size_t)i, ecs__sort_value(run, row->row), size);
    }
    update->values.entities = entities;
    update->values.data = has_values ? data : NULL;
    ecs__sort_by_comparing(&update->values, update->sorted, spare, update->changed_count);
}

// ---- taking out ----

static void add(ecs__place_t *order, int32_t begin, int32_t *count, ecs__place_t place) {
    ecs__place_t *last = *count > begin ? &order[*count - 1] : NULL;
    if (place.count <= 0) return;
    if (last && last->match == place.match && last->row + last->count == place.row &&
        place.count != INT32_MAX)
        last->count += place.count;
    else
        order[(*count)++] = place;
}

// First changed row in [row, end), or end.
static inline int32_t changed_from(const uint64_t *changed, int32_t row, int32_t end) {
    if (!changed) return end;
    for (int32_t w = row >> 6; w << 6 < end; row = ++w << 6) {
        const uint64_t word = changed[w] >> (row & 63);
        if (word) return ECS_MIN(row + __builtin_ctzll(word), end);
    }
    return end;
}

static void keep_rest(update_t *update, const ecs__place_t *place) {
    const ecs__sort_run_t *run = &update->runs[place->match];
    int32_t row = place->row, end = ECS_MIN(row + place->count, run->count);
    while (row < end) {
        int32_t out = changed_from(run->changed, row, end);
        add(update->kept, 0, &update->kept_count, (ecs__place_t){ place->match, row, out - row });
        row = out + 1;
    }
}

// Returns how many slices are left; those without value follow, behind them.
static int32_t take_out(update_t *update, int32_t begin, int32_t end) {
    const ecs__place_t *order = update->cache->order;
    update->kept_count = 0;
    int32_t at = begin;
    for (; at < end && order[at].count != INT32_MAX; at++) keep_rest(update, &order[at]);
    int32_t count = update->kept_count;
    for (; at < end; at++) update->kept[update->kept_count++] = order[at];
    return count;
}

// ---- putting in ----

// How many of `count` slices, or of the rows of one, begin before a changed row.
static int32_t count_before(const update_t *update, const ecs__place_t *slices, bool in_rows,
    int32_t count, int32_t changed) {
    ecs__bisect_t search = ecs__gallop(0, count);
    while (ecs__bisect_asks(&search)) {
        ecs__place_t at = in_rows ? *slices : slices[search.at];
        if (in_rows) at.row += search.at;
        ecs__bisect_answer(&search, comes_before(update, &at, changed));
    }
    return search.low;
}

// Changed rows among the first `slices` of those that are left.
static void put_in(update_t *update, int32_t slices, ecs__place_t *order, int32_t *order_count) {
    const int32_t begin = *order_count;
    int32_t at = 0;
    for (int32_t i = 0; i < update->changed_count; i++) {
        const int32_t changed = update->sorted[i];
        int32_t before = count_before(update, &update->kept[at], false, slices - at, changed);
        for (int32_t last = at + before - 1; at < last; at++)
            add(order, begin, order_count, update->kept[at]);
        if (before) { // the last of them may go on behind the row
            ecs__place_t *slice = &update->kept[at];
            int32_t rows = count_before(update, slice, true, slice->count, changed);
            add(order, begin, order_count, (ecs__place_t){ slice->match, slice->row, rows });
            slice->row += rows;
            slice->count -= rows;
            at += !slice->count;
        }
        add(order, begin, order_count, update->changed[changed]);
    }
    for (; at < update->kept_count; at++) add(order, begin, order_count, update->kept[at]);
}

// Memory for another order; the present one becomes the spare.
static ecs__place_t *spare_order(ecs__cache_t *cache, int32_t size) {
    ecs__sort_t *sort = cache->sort;
    if (size > sort->spare_size) {
        sort->spare_size = size + size / 2;
        ecs_os_free(sort->spare);
        sort->spare = ecs_os_malloc_n(ecs__place_t, sort->spare_size);
    }
    return sort->spare;
}

static void swap_orders(ecs__cache_t *cache) {
    ecs__sort_t *sort = cache->sort;
    ecs__place_t *order = sort->spare;
    int32_t size = sort->spare_size;
    sort->spare = cache->order;
    sort->spare_size = cache->order_size;
    cache->order = order;
    cache->order_size = size;
}

/** Memory for all that is needed at once. */
typedef struct memory_t {
    ecs_entity_t *entities;
    int32_t *numbers;
    char *data;
} memory_t;

// A row that is taken out makes one slice more, one that is put in two.
static memory_t get_memory(update_t *update) {
    const size_t changed = (size_t)update->changed_count,
                 slices = (size_t)update->cache->order_count + 3 * changed;
    const size_t data = (changed * update->values.size + 63) & ~(size_t)63; // aligned for any value
    size_t bytes = data + update->words * sizeof(uint64_t) + slices * sizeof(ecs__place_t);
    bytes += changed * (sizeof(ecs_entity_t) + sizeof(ecs__place_t) + 2 * sizeof(int32_t));
    char *block = ecs__scratch_ensure(&update->sort->places, bytes);
    memory_t memory = { .data = block };
    block += data;
    update->bits = (uint64_t *)(void *)block;
    memory.entities = update->bits + update->words;
    update->changed = (ecs__place_t *)(void *)(memory.entities + changed);
    update->kept = update->changed + changed;
    update->sorted = (int32_t *)(void *)(update->kept + slices);
    memory.numbers = update->sorted + changed;
    return memory;
}

static void renew_order(update_t *update) {
    ecs__cache_t *cache = update->cache;
    const memory_t memory = get_memory(update);
    update->list = ecs__sort_list(cache);
    ecs__place_t *order = spare_order(cache, cache->order_count + 3 * update->changed_count);
    int32_t count = 0, groups = cache->groups ? cache->groups->by_id.count : 1;
    for (int32_t i = 0; i < groups; i++) {
        ecs__group_t *group = cache->groups ? cache->groups->sorted[i] : NULL;
        int32_t begin = count;
        list_changed(update, group);
        sort_changed(update, memory.entities, memory.data, memory.numbers);
        int32_t slices =
            take_out(update, group ? group->begin : 0, group ? group->end : cache->order_count);
        put_in(update, slices, order, &count);
        if (!group) continue;
        group->begin = begin;
        group->end = count;
    }
    cache->order_count = count;
    swap_orders(cache);
}

// ---- moving rows ----

static bool is_due(const ecs__cache_t *cache, const ecs__match_t *match) {
    const ecs_table_t *table = match->table;
    if (!match->waiting) return false;
    if (!cache->sort->is_lazy) return ecs__table_check_unlocked(table);
    if (table->lock) return false;
    bool is_much = match->waiting > table->count / SHARE;
    return table->count < SMALL || is_much || ecs__sort_is_due(cache->sort);
}

// Slices of tables that are due say which row comes where: `rows` lists them, and they say so no longer.
static void straighten_slices(ecs__cache_t *cache, const ecs__sort_run_t *runs, int32_t *rows) {
    for (int32_t i = 0; i < cache->order_count; i++) {
        ecs__place_t *place = &cache->order[i];
        const ecs__sort_run_t *run = &runs[place->match];
        if (place->count == INT32_MAX || run->row < 0) continue;
        int32_t *at = &rows[run->row], first = *at;
        for (int32_t k = 0; k < place->count; k++) rows[run->row + 1 + (*at)++] = place->row + k;
        place->row = first;
    }
}

static void join_slices(ecs__cache_t *cache) {
    int32_t count = 0, at = 0, groups = cache->groups ? cache->groups->by_id.count : 1;
    for (int32_t i = 0; i < groups; i++) {
        ecs__group_t *group = cache->groups ? cache->groups->sorted[i] : NULL;
        int32_t begin = count, end = group ? group->end : cache->order_count;
        for (; at < end; at++) add(cache->order, begin, &count, cache->order[at]);
        if (!group) continue;
        group->begin = begin;
        group->end = count;
    }
    cache->order_count = count;
}

static void move_rows(ecs__cache_t *cache, ecs__match_t *match, const int32_t *rows) {
    int32_t first = 0, last = match->table->count - 1;
    while (first < last && rows[first] == first) first++;
    while (last > first && rows[last] == last) last--;
    ecs__row_log_t *log = &match->table->watch->log;
    log->is_lost = 1; // what is moved here need not be listed
    if (last > first)
        ecs__table_reorder(
            match->table, first, last - first + 1, rows + first, &cache->sort->sorter.values);
    match->waiting = 0;
    log->count = 0;
    log->is_lost = 0;
}

// Rows of tables that are due go where the order has them. runs[].row: where their list is, -1: not due.
static void settle(ecs__cache_t *cache, ecs__sort_run_t *runs) {
    int32_t size = 0;
    for (int32_t i = 0; i < cache->now.count; i++) {
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, i);
        runs[i].row = is_due(cache, match) ? size : -1;
        if (runs[i].row >= 0) size += match->table->count + 1;
    }
    if (!size) return;
    int32_t *rows = ecs__scratch_ensure(&cache->sort->sorter.rows, (size_t)size * sizeof(int32_t));
    for (int32_t i = 0; i < cache->now.count; i++) {
        if (runs[i].row >= 0) rows[runs[i].row] = 0; // how many are listed
    }
    straighten_slices(cache, runs, rows);
    for (int32_t i = 0; i < cache->now.count; i++)
        ecs__assert(runs[i].row < 0 ||
                        rows[runs[i].row] == ecs__matches_at(cache, &cache->now, i)->table->count,
            "each row of a sorted table is in the order once");
    join_slices(cache);
    for (int32_t i = 0; i < cache->now.count; i++) {
        if (runs[i].row >= 0)
            move_rows(cache, ecs__matches_at(cache, &cache->now, i), rows + runs[i].row + 1);
    }
}

// ---- all of it ----

bool ecs__sort_update(ecs__cache_t *cache) {
    ecs__sort_t *sort = cache->sort;
    update_t update = {
        .cache = cache, .sort = sort, .values = { .compare = sort->sorter.compare }
    };
    if (sort->sort_table) return false;
    if (cache->now.count == 1 && !sort->is_lazy)
        return false; // its rows are the order, and move once
    update.runs = ecs__sort_runs(sort, cache->now.count);
    if (!look(&update)) return false;
    renew_order(&update);
    settle(cache, update.runs);
    ecs__sort_count_waiting(cache);
    sort->at = ecs__watch_look(&cache->store->watch);
    return true;
}
