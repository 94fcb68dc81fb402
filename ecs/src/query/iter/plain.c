// SPDX-License-Identifier: MIT
// plain: results of uncached queries that ask for ids of the table itself and nothing else.
//
// The lists of tables of all ids are gone through side by side: they are in the same order, and say where an id is in a table, so that
// no table is read before all have it. The list of the rarest id leads. Mostly the next table with rows is next in all lists; if it is
// not, it is searched for. Of private members of the iterator:
//
//   copy    the record that leads, until the first result
//   lead    the same from then on
//   listed  next place in its list
//   beside  from there to where the lists of fields go on
//   last    end of its list
//   copied  structure stamp of the world for which these are right
#include "base/apart.h"
#include "query/iter/iter.h"

#include "query/query.h"
#include "world/state.h"

// Tables of one list that others lack are mostly few: those through which entities came, id by id.
#define NEAR 4
// Tables are fetched ECS__LISTED_AHEAD before they are shown, and then their rows.
#define ROWS_AHEAD (ECS__LISTED_AHEAD / 2)

static const ecs__plan_t *plan_of(const ecs_iter_t *it) { return &ecs__program_of(it)->plan; }

static inline const ecs__listed_t *beside(
    const ecs_iter_t *it, const ecs__listed_t *first, int64_t field) {
    const char *at = (const char *)first + it->priv_.beside[field];
    return (const ecs__listed_t *)(const void *)at;
}

static inline void set_beside(
    ecs_iter_t *it, const ecs__listed_t *first, int64_t field, const ecs__listed_t *at) {
    it->priv_.beside[field] = (intptr_t)((uintptr_t)at - (uintptr_t)first);
}

// Lists of fields from their beginning, that of the record that leads from position `at` to `last`.
static inline void begin(ecs_iter_t *it, int32_t at, int32_t last) {
    ecs_iter_private_t *priv = &it->priv_;
    const ecs_component_record_t *lead = priv->lead;
    const ecs__op_t *ops = plan_of(it)->ops;
    priv->listed = &lead->listed[at];
    for (int32_t f = 0; f < it->field_count; f++)
        set_beside(it, priv->listed, f, ops[f + 1].record->listed);
    priv->copied = it->real_world->store.structure_stamp;
    priv->last = last;
    priv->skip = plan_of(it)->skip;
}

// Tables changed, and lists may lie elsewhere. Go on behind the present table, up to those that there were in the beginning.
static void find_place(ecs_iter_t *it) {
    const ecs_component_record_t *lead = it->priv_.lead;
    int32_t at = ecs__id_record_find(lead, 0, it->table->id + 1);
    begin(it, at, ecs__id_record_find(lead, at, it->priv_.table_limit));
}

// What will be needed soon: of a table its header, then of one that comes earlier its rows, which are in one line of memory if they
// are few.
static inline void fetch_ahead(const ecs__listed_t *first) {
    const ecs_table_t *table = first[ECS__LISTED_AHEAD].table, *soon = first[ROWS_AHEAD].table;
    __builtin_prefetch(&table->low_end);
    __builtin_prefetch(soon->entities);
}

// The entry of a table, or one before it if it is not near, or the first one behind.
static inline const ecs__listed_t *go_near(const ecs__listed_t *from, uint64_t number) {
    for (int32_t k = 0; k < NEAR && ecs__listed_number(from) < number; k++) from++;
    return from;
}

// The entry of a table if it is near, or `from`.
static inline const ecs__listed_t *find_near(const ecs__listed_t *from, const ecs_table_t *table) {
    for (int32_t k = 1; k <= NEAR; k++) {
        if (from[k].table == table) return &from[k];
    }
    return from;
}

static inline void show_field(
    ecs_iter_t *it, int64_t field, const ecs_table_t *table, const ecs__listed_t *found) {
    it->priv_.ptrs[field] = table->data[ecs__listed_column(found)];
}

static inline bool is_shown(const ecs_iter_t *it, const ecs_table_t *table) {
    return table->count && !(table->flags & it->priv_.skip);
}

static inline bool show(ecs_iter_t *it, const ecs__listed_t *first) {
    ecs_table_t *table = first->table;
    it->priv_.listed = first + 1;
    it->frame_offset += it->count;
    it->count = table->count;
    it->table = table;
    it->entities = table->entities;
    ecs__iter_lock(it);
    return true;
}

// Show the fields of the table at place `to`, if it has all. Their lists were beside `from`, and then are beside `to`.
static bool find_fields(ecs_iter_t *it, const ecs__listed_t *from, const ecs__listed_t *to) {
    const ecs__op_t *ops = plan_of(it)->ops;
    const uint64_t number = ecs__listed_number(to);
    bool has_all = true;
    for (int32_t f = 0; f < it->field_count; f++) {
        const ecs_component_record_t *record = ops[f + 1].record;
        const ecs__listed_t *found = go_near(beside(it, from, f), number);
        int32_t at = (int32_t)(found - record->listed);
        if (ecs__listed_number(found) < number)
            found = &record->listed[ecs__id_record_find(record, at, number)];
        set_beside(it, to, f, found);
        if (found->table == to->table)
            show_field(it, f, to->table, found);
        else
            has_all = false;
    }
    return has_all;
}

// Asked once more, it ends again: the lists no longer go on side by side.
static bool end(ecs_iter_t *it) {
    it->priv_.quick = 0;
    return ecs__iter_end_simple(it);
}

// The next table that has all, and rows.
static ECS__APART bool find_next(ecs_iter_t *it) {
    const ecs_component_record_t *lead = it->priv_.lead;
    const ecs__listed_t *from = it->priv_.listed;
    int32_t at = (int32_t)(from - lead->listed);
    while ((at = ecs__bitset_next(&lead->non_empty, at)) >= 0 && at < it->priv_.last) {
        const ecs__listed_t *to = &lead->listed[at++];
        if (!is_shown(it, to->table)) continue;
        if (find_fields(it, from, to)) return show(it, to);
        from = to;
    }
    return end(it);
}

// Tables without rows, gaps, and the end.
static ECS__APART bool search(ecs_iter_t *it) {
    const ecs_component_record_t *lead = it->priv_.lead;
    return it->priv_.listed == &lead->listed[it->priv_.last] ? end(it) : find_next(it);
}

HOT bool ecs__iter_next_plain(ecs_iter_t *it) {
    const ecs__listed_t *first = it->priv_.listed;
    const ecs_table_t *table = first->table;
    ecs__iter_unlock(it);
    if (RARELY(!is_shown(it, table))) return search(it);
    fetch_ahead(first);
    int64_t f = 0, count = it->field_count; /* there is one at least */
    do {
        const ecs__listed_t *found = beside(it, first, f);
        if (found->table != table) {
            found = find_near(found, table);
            if (RARELY(found->table != table)) return search(it);
            set_beside(it, first, f, found);
        }
        show_field(it, f, table, found);
    } while (++f < count);
    return show(it, first);
}

// If all tables are to come, and nobody is told of results, it goes on quickly.
static bool next_quickly(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    if (!(it->flags & EcsIterSync)) priv->quick = priv->copied;
    return ecs__iter_next_plain(it);
}

// Results that somebody is told of, and changes of tables in between.
static ECS__APART bool next(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    if (priv->copied != it->real_world->store.structure_stamp) find_place(it);
    return priv->last == priv->lead->table_count ? next_quickly(it) : search(it);
}

bool ecs__iter_search(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    ecs__iter_unlock(it);
    if (it->flags & EcsIterProfile) { // operations are counted where they are run
        ecs__iter_leave_trivial(it);
        return ecs_query_next(it);
    }
    it->flags = (it->flags & ~EcsIterSkip) | EcsIterIsValid;
    if (it->ptrs) return next(it);
    priv->lead = (const ecs_component_record_t *)(const void *)priv->copy;
    priv->copy = NULL;
    begin(it, 0, priv->lead->table_count);
    it->ptrs = priv->ptrs;
    it->set_fields = plan_of(it)->plain_fields;
    return next_quickly(it);
}
