// SPDX-License-Identifier: MIT
#include "query/cache/sort.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "base/bisect.h"
#include "query/cache/cache.h"
#include "storage/search.h"
#include "storage/watch.h"

// ---- lifecycle ----

// Which of several terms has the value: rather one about $this than one about another entity, and rather that than one that shows none.
static int32_t rank_of(const ecs_query_t *query, const ecs_term_t *term, int32_t scopes) {
    if (term->oper == EcsNot || scopes) return 1;
    return (query->fixed_fields | query->var_fields) & (1u << term->field_index) ? 2 : 3;
}

// The first one of the highest rank.
static void find_field(ecs__sort_t *sort, const ecs_query_t *query, ecs_entity_t component) {
    int32_t highest = 0, scopes = 0;
    sort->field = -1;
    for (int32_t i = 0; i < query->term_count && component; i++) {
        const ecs_term_t *term = &query->terms[i];
        if (term->flags_ & EcsTermIsScope) scopes += term->first.id == EcsScopeOpen ? 1 : -1;
        const int32_t rank = rank_of(query, term, scopes);
        if (query->ids[term->field_index] != component || rank <= highest) continue;
        highest = rank;
        sort->field = term->field_index;
        sort->term = (ecs_term_t){ .src.id = term->src.id & EcsTraverseFlags,
            .trav = term->trav,
            .min_depth = term->min_depth,
            .max_depth = term->max_depth };
    }
}

ecs__sort_t *ecs__sort_new(
    ecs_world_t *world, const ecs_query_desc_t *desc, const ecs_query_t *query) {
    if (!desc->order_by_callback) return NULL;
    ecs__sort_t *sort = ecs_os_calloc_t(ecs__sort_t);
    sort->world = world;
    sort->sorter.compare = desc->order_by_callback;
    sort->sort_table = desc->order_by_table_callback;
    sort->is_lazy = desc->flags & EcsQuerySortLazily;
    find_field(sort, query, desc->order_by);
    return sort;
}

ecs__sort_t *ecs__sort_copy(const ecs__sort_t *sort) {
    ecs__sort_t *copy = ecs_os_calloc_t(ecs__sort_t);
    copy->world = sort->world;
    copy->sorter.compare = sort->sorter.compare;
    copy->is_lazy = sort->is_lazy;
    copy->sort_table = sort->sort_table;
    copy->field = sort->field;
    copy->term = sort->term;
    return copy;
}

void ecs__sort_free(ecs__sort_t *sort) {
    if (!sort) return;
    ecs__sorter_fini(&sort->sorter);
    ecs__scratch_fini(&sort->places);
    ecs__scratch_fini(&sort->matches);
    ecs_os_free(sort->spare);
    ecs_os_free(sort->runs);
    ecs_os_free(sort);
}

// ---- where values are ----

/** The values by which a match is sorted. */
typedef struct values_t {
    ecs_table_t *table; /* that has them; NULL: the match has no value */
    int32_t column;     /* -1: by entity */
    bool is_shared;     /* one value for all rows, at `row` */
    int32_t row;
} values_t;

static values_t shared_value(const ecs__cache_t *cache, const ecs__detail_t *detail) {
    values_t values = { .is_shared = true };
    const ecs__spot_t spot = ecs__entity_find(&cache->store->entities, detail->source);
    if (!spot.table) return values;
    values.column = ecs__table_column(spot.table, detail->id);
    values.row = spot.row;
    if (values.column >= 0) values.table = spot.table;
    return values;
}

// The column of a component, or of a kind of it that begins like it.
static int32_t column_of_kind(const ecs_table_t *table, ecs_entity_t component) {
    int32_t own = ecs__table_column(table, component);
    const ecs_type_info_t *base = ecs__type_info_get(table->store, component);
    for (int32_t c = 0; own < 0 && c < table->column_count; c++) {
        ecs_id_t id = table->type.array[table->columns[c].type_index];
        const ecs__spot_t kind = ecs__entity_find(&table->store->entities, id);
        ecs__found_t found;
        ecs_id_t is_kind = ECS__MAKE_PAIR(Ecs__IsA, component);
        bool fits = kind.table && base && table->columns[c].size >= base->size;
        if (fits && ecs__search_up(kind.table, is_kind, Ecs__IsA, true, true, 0, 0, &found))
            return c;
    }
    return own;
}

// The field belongs to the search: what it will find in the table, or above.
static values_t values_of_goal(const ecs__cache_t *cache, ecs_table_t *table) {
    ecs_entity_t component = cache->plan->ids[cache->sort->field];
    const ecs_term_t *term = &cache->sort->term;
    int32_t column = term->src.id & EcsSelf ? column_of_kind(table, component) : -1;
    if (column >= 0) return (values_t){ .table = table, .column = column };
    ecs__found_t found;
    if (!(term->src.id & EcsUp) || !ecs__search_up(table, component, term->trav, false, true,
                                       term->min_depth, term->max_depth, &found))
        return (values_t){ .column = -1 };
    ecs__detail_t detail = { component, found.source, found.table };
    return shared_value(cache, &detail);
}

static values_t values_of(const ecs__cache_t *cache, const ecs__match_t *match) {
    int32_t field = cache->sort->field;
    if (field < 0) return (values_t){ .table = match->table, .column = -1 };
    ecs__detail_t constant = { cache->plan->ids[field], cache->plan->sources[field], NULL };
    if (constant.source) return shared_value(cache, &constant);
    const ecs__detail_t detail = ecs__match_detail(cache, match, field);
    if (detail.source) return shared_value(cache, &detail);
    if (cache->plan->goal_fields >> field & 1) return values_of_goal(cache, match->table);
    int16_t column = match->columns[field];
    return (values_t){ .table = column < 0 ? NULL : match->table, .column = column };
}

void ecs__sort_watch(ecs__cache_t *cache, const ecs__match_t *match) {
    values_t values = values_of(cache, match);
    ecs__table_watch(match->table);
    if (values.table) ecs__table_watch(values.table);
    if (!values.is_shared) ecs__table_keep_log(match->table, cache, values.column);
}

void ecs__sort_unwatch(ecs__cache_t *cache) {
    if (cache->sort->waiting) cache->store->watch.waiting--;
    cache->sort->waiting = 0;
    for (int32_t i = 0; i < cache->now.count; i++) {
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, i);
        if (match->table) ecs__table_drop_log(match->table, cache);
    }
}

static bool changed_since(const values_t *values, const ecs_table_t *table, uint64_t at) {
    if (table->watch->rows > at) return true;
    if (!values->table || values->column < 0) return false;
    return !values->table->watch || values->table->watch->columns[values->column] > at;
}

static bool any_changed(const ecs__cache_t *cache) {
    for (int32_t i = 0; i < cache->now.count; i++) {
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, i);
        if (!match->table) continue;
        values_t values = values_of(cache, match);
        if (changed_since(&values, match->table, cache->sort->at)) return true;
    }
    return false;
}

// What changed elsewhere is looked at once.
bool ecs__sort_is_current(const ecs__cache_t *cache) {
    ecs__sort_t *sort = cache->sort;
    if (ecs__sort_is_due(sort)) return false;
    if (cache->store->watch.noted <= sort->at) return true;
    if (any_changed(cache)) return false;
    sort->at = ecs__watch_look(&cache->store->watch);
    return true;
}

// ---- one table ----

static void sort_by_callback(const ecs__sort_t *sort, ecs_table_t *table, int32_t column) {
    if (table->count < 2 || !ecs__table_check_unlocked(table)) return;
    void *data = column < 0 ? NULL : table->data[column];
    int32_t size = column < 0 ? 0 : table->columns[column].size;
    sort->sort_table(
        sort->world, table, table->entities, data, size, 0, table->count - 1, sort->sorter.compare);
}

static void sort_table(ecs__cache_t *cache, ecs__match_t *match, int32_t column) {
    ecs__sort_t *sort = cache->sort;
    ecs_table_t *table = match->table;
    ecs__row_log_t *log = &table->watch->log;
    const bool is_own = log->owner == cache;
    const bool is_logged = is_own && !log->is_lost && !match->waiting;
    match->waiting = 0;
    if (is_own) log->is_lost = 1; // what is moved here need not be listed
    if (sort->sort_table)
        sort_by_callback(sort, table, column);
    else if (!is_logged)
        ecs__sort_rows(&sort->sorter, table, column, NULL, 0);
    else if (log->count)
        ecs__sort_rows(&sort->sorter, table, column, log->rows, log->count);
    if (!is_own) return;
    log->count = 0;
    log->is_lost = 0;
}

// ---- merging ----

// Does row `row` of run a come before what is left of run b?
static inline bool comes_before(
    const ecs__sort_t *sort, const ecs__sort_run_t *a, int32_t row, const ecs__sort_run_t *b) {
    int order = sort->sorter.compare(
        a->entities[row], ecs__sort_value(a, row), b->entities[b->row], ecs__sort_value(b, b->row));
    return order < 0 || (!order && a->match < b->match);
}

static void sift_down(const ecs__sort_t *sort, ecs__sort_run_t *runs, int32_t count, int32_t at) {
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= count) return;
        if (child + 1 < count &&
            comes_before(sort, &runs[child + 1], runs[child + 1].row, &runs[child]))
            child++;
        if (!comes_before(sort, &runs[child], runs[child].row, &runs[at])) return;
        ecs__sort_run_t run = runs[at];
        runs[at] = runs[child];
        runs[child] = run;
        at = child;
    }
}

// The first row of run a that does not come before run b.
static int32_t end_of_slice(
    const ecs__sort_t *sort, const ecs__sort_run_t *a, const ecs__sort_run_t *b) {
    ecs__bisect_t search = ecs__gallop(a->row + 1, a->count); // the first one does
    while (ecs__bisect_asks(&search))
        ecs__bisect_answer(&search, comes_before(sort, a, search.at, b));
    return search.low;
}

static void add_place(ecs__cache_t *cache, int32_t match, int32_t row, int32_t count) {
    if (cache->order_count == cache->order_size) {
        cache->order_size = cache->order_size ? 2 * cache->order_size : 4;
        cache->order = ecs_os_realloc_n(cache->order, ecs__place_t, cache->order_size);
    }
    cache->order[cache->order_count++] = (ecs__place_t){ match, row, count };
}

// The run that begins first is on top of a heap; the one after it is one of its two children.
static void merge_runs(ecs__cache_t *cache, ecs__sort_run_t *runs, int32_t count) {
    const ecs__sort_t *sort = cache->sort;
    for (int32_t i = count / 2 - 1; i >= 0; i--) sift_down(sort, runs, count, i);
    while (count > 1) {
        const ecs__sort_run_t *next = &runs[1];
        if (count > 2 && comes_before(sort, &runs[2], runs[2].row, &runs[1])) next = &runs[2];
        int32_t end = end_of_slice(sort, &runs[0], next);
        add_place(cache, runs[0].match, runs[0].row, end - runs[0].row);
        runs[0].row = end;
        if (end == runs[0].count) runs[0] = runs[--count];
        sift_down(sort, runs, count, 0);
    }
    if (count) add_place(cache, runs[0].match, runs[0].row, runs[0].count - runs[0].row);
}

ecs__sort_run_t *ecs__sort_runs(ecs__sort_t *sort, int32_t count) {
    if (count > sort->run_size) {
        sort->run_size = 2 * count;
        sort->runs = ecs_os_realloc_n(sort->runs, ecs__sort_run_t, sort->run_size);
    }
    return sort->runs;
}

static ecs__sort_run_t run_of(int32_t index, const ecs_table_t *table, const values_t *values) {
    ecs__sort_run_t run = { .match = index, .count = table->count, .entities = table->entities };
    if (values->column < 0 || !values->table->count) return run; // no rows may mean no memory
    run.values = ecs__table_cell(values->table, values->column, values->row);
    run.size = values->is_shared ? 0 : (size_t)values->table->columns[values->column].size;
    return run;
}

void ecs__sort_look(const ecs__cache_t *cache, int32_t match, ecs__sort_run_t *run, bool *is_shared,
    bool *has_changed) {
    const ecs__match_t *at = ecs__matches_at(cache, &cache->now, match);
    values_t values = values_of(cache, at);
    *run = (ecs__sort_run_t){ .match = match };
    *is_shared = values.is_shared;
    *has_changed = changed_since(&values, at->table, cache->sort->at);
    if (values.table) *run = run_of(match, at->table, &values);
}

// ---- what waits ----

void ecs__sort_count_waiting(ecs__cache_t *cache) {
    ecs__sort_t *sort = cache->sort;
    const bool did_wait = sort->waiting > 0;
    sort->waiting = sort->rows = 0;
    for (int32_t i = 0; i < cache->now.count; i++) {
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, i);
        sort->waiting += match->waiting;
        if (match->waiting) sort->rows += match->table->count;
    }
    if (!sort->waiting) sort->debt = 0;
    cache->store->watch.waiting += (sort->waiting > 0) - did_wait;
}

void ecs__sort_wait(ecs__cache_t *cache, int64_t frame) {
    ecs__sort_t *sort = cache->sort;
    if (sort->frame != frame) sort->debt += sort->waiting;
    sort->frame = frame;
}

// ---- all of it ----

// So many matches join the order.
static void order_matches(ecs__cache_t *cache, const ecs__place_t *list, int32_t list_count) {
    ecs__sort_run_t *runs = ecs__sort_runs(cache->sort, list_count);
    int32_t count = 0;
    for (int32_t i = 0; i < list_count; i++) {
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, list[i].match);
        if (!match->table->count) continue;
        values_t values = values_of(cache, match);
        if (values.table) runs[count++] = run_of(list[i].match, match->table, &values);
    }
    merge_runs(cache, runs, count);
    for (int32_t i = 0; i < list_count; i++) {
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, list[i].match);
        bool has_place = match->table->count && values_of(cache, match).table;
        if (!has_place) // empty ones may be asked for
            add_place(cache, list[i].match, 0, INT32_MAX);
    }
}

const ecs__place_t *ecs__sort_list(const ecs__cache_t *cache) {
    const int32_t count = cache->now.count;
    ecs__place_t *list =
        ecs__scratch_ensure(&cache->sort->matches, (size_t)count * sizeof(ecs__place_t));
    if (cache->groups) ecs__cache_list_by_group(cache, list);
    for (int32_t i = 0; !cache->groups && i < count; i++)
        list[i] = (ecs__place_t){ i, 0, INT32_MAX };
    return list;
}

static void order_all(ecs__cache_t *cache) {
    const ecs__place_t *list = ecs__sort_list(cache);
    cache->order_count = 0;
    if (!cache->groups) order_matches(cache, list, cache->now.count);
    for (int32_t i = 0; cache->groups && i < cache->groups->by_id.count; i++) {
        ecs__group_t *group = cache->groups->sorted[i];
        group->begin = cache->order_count;
        order_matches(cache, list + group->first, group->behind - group->first);
        group->end = cache->order_count;
    }
    if (!cache->order_count) { // there is an order all the same
        add_place(cache, 0, 0, 0);
        cache->order_count = 0;
    }
}

void ecs__sort_run(ecs__cache_t *cache) {
    ecs__sort_t *sort = cache->sort;
    for (int32_t i = 0; i < cache->now.count; i++) {
        ecs__match_t *match = ecs__matches_at(cache, &cache->now, i);
        values_t values = values_of(cache, match);
        bool is_new = !sort->at || !match->is_sorted;
        if (values.table) ecs__table_watch(values.table);
        match->sorted_count = match->table->count;
        if (values.is_shared || !values.table) {
            match->is_sorted = true;
            continue;
        }
        if (is_new || match->waiting || changed_since(&values, match->table, sort->at))
            sort_table(cache, match, values.column);
        match->is_sorted = true;
    }
    order_all(cache);
    ecs__sort_count_waiting(cache);
    sort->at = ecs__watch_look(&cache->store->watch);
}
