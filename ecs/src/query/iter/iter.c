// SPDX-License-Identifier: MIT
// iter: from matches to results.
//
// Results come from one of
//   copies in the cache  next_simple: whole results; next_cut for parts. Should tables change
//                        meanwhile, they go on in next_in_tables
//   cache                next_cached: shared values, constant sources, cut-outs
//   plan                 next_evaluated: uncached, or $this is limited to given rows
//   id records           plain.c: uncached, and the query only asks for own ids
// then, if conditions differ from row to row, run by run (next_run), and then, if a result mixes arrays
// with single values and the query is not instanced, entity by entity (next_row). How iterators begin
// and end is in begin.c. While other threads may read the world an iterator writes to itself and its
// stage only.
#include "query/iter/iter.h"

#include "base/apart.h"
#include "query/iter/join.h"
#include "query/query.h"
#include "storage/sparse_ids.h"
#include "world/state.h"

// ---- filling a result ----

static int16_t *columns_of(ecs_iter_t *it) { return (int16_t *)(uintptr_t)it->columns; }
static ecs_size_t *sizes_of(ecs_iter_t *it) { return (ecs_size_t *)(uintptr_t)it->sizes; }

void ecs__iter_set_rows(ecs_iter_t *it, int32_t row, int32_t count) {
    const ecs_table_t *table = it->table;
    it->offset = row;
    it->count = count;
    it->entities = count ? table->entities + row : NULL;
    for (int32_t f = 0; f < it->field_count; f++) {
        int16_t column = it->columns[f];
        if (column >= 0) it->ptrs[f] = count ? ecs__table_cell(table, column, row) : NULL;
    }
}

// The value an entity has now: it may have moved since the match was made.
static void *value_of(
    ecs_iter_t *it, int32_t field, ecs_id_t id, const ecs_table_t *table, int16_t column) {
    const ecs_record_t *record =
        ecs__entity_try(&it->real_world->store.entities, it->sources[field]);
    if (!record) return NULL;
    int32_t now = record->table == table ? column : ecs__table_column(record->table, id);
    if (now < 0) return NULL;
    if (!it->query->sizes[field]) sizes_of(it)[field] = record->table->columns[now].size;
    return ecs__table_cell(record->table, now, ECS_RECORD_TO_ROW(record->row));
}

static const ecs__plan_t *plan_of(const ecs_iter_t *it) { return &ecs__query_of(it->query)->plan; }

// Of `_`, what all pairs of the relationship have.
static const ecs_type_info_t *type_of(
    const ecs__store_t *store, const ecs_component_record_t *record) {
    if (!ecs__id_is_wildcard(record->id)) return record->type_info;
    return ecs__type_info_get(store, ecs__id_first(record->id));
}

// Which storage an id has may be known only now.
static void set_row_field(ecs_iter_t *it, int32_t f, ecs_id_t id) {
    const ecs__store_t *store = &it->real_world->store;
    const ecs_component_record_t *record = ecs__id_record_get(store, id);
    const ecs_type_info_t *type = ecs__id_is_sparse(record) ? type_of(store, record) : NULL;
    it->row_fields &= ~FIELD_BIT(f);
    if (!type) return;
    it->row_fields |= FIELD_BIT(f);
    it->ref_fields |= FIELD_BIT(f);
    sizes_of(it)[f] = type->size;
}

static void set_field(ecs_iter_t *it, int32_t f, ecs_id_t id, ecs_entity_t source,
    const ecs_table_t *table, int16_t column) {
    it->ids[f] = id;
    it->sources[f] = source;
    it->ptrs[f] = NULL;
    sizes_of(it)[f] = it->query->sizes[f];
    columns_of(it)[f] = -1;
    if (source) it->ref_fields |= FIELD_BIT(f);
    if (plan_of(it)->row_fields & FIELD_BIT(f)) set_row_field(it, f, id);
    if (column < 0 || !table) return;
    // A kind is read as its base, see is_strided.
    if (!it->query->sizes[f]) sizes_of(it)[f] = table->columns[column].size;
    if (source)
        it->ptrs[f] = value_of(it, f, id, table, column);
    else
        columns_of(it)[f] = column;
}

static void fill_from_eval(ecs_iter_t *it, const ecs__eval_t *eval, ecs_termset_t fields) {
    for (int32_t f = 0; f < it->field_count; f++) {
        if (!(fields & FIELD_BIT(f))) continue;
        const ecs__field_found_t *found = &eval->fields[f];
        set_field(it, f, found->id, found->source, found->table, ecs__field_column(found));
    }
    it->set_fields |= eval->set_fields & fields;
    it->up_fields |= eval->up_fields & fields;
}

static void fill_from_match(
    ecs_iter_t *it, const ecs__cache_t *cache, const ecs__match_t *match, ecs_termset_t fields) {
    const ecs__plan_t *plan = cache->plan;
    const int16_t *columns = match->columns;
    const ecs__detail_t *details = match->details < 0 ? NULL : &cache->now.details[match->details];
    for (int32_t f = 0; f < it->field_count; f++) {
        if (!(fields & FIELD_BIT(f))) continue;
        if (details) {
            set_field(it, f, details[f].id, details[f].source, details[f].table, columns[f]);
            if (details[f].is_above) it->up_fields |= FIELD_BIT(f);
        } else {
            set_field(it, f, plan->ids[f], 0, match->table, columns[f]);
        }
    }
    it->set_fields |= match->set_fields & fields;
}

static void keep_fields(ecs_iter_t *it, ecs_termset_t fields) {
    it->set_fields &= fields;
    it->ref_fields &= fields;
    it->up_fields &= fields;
}

// Arrays of several values next to single ones: an index that fits one is wrong for the other.
static bool is_mixed(const ecs_iter_t *it) {
    bool has_array = false, has_value = false;
    for (int32_t f = 0; f < it->field_count; f++) {
        has_array |= it->columns[f] >= 0;
        has_value |= it->columns[f] < 0 && it->ptrs[f];
    }
    return has_array && has_value;
}

// Values that are read as their base may stand further apart than its size says.
static bool is_strided(const ecs_iter_t *it) {
    for (int32_t f = 0; f < it->field_count; f++) {
        if (it->columns[f] >= 0 && it->table->columns[it->columns[f]].size != it->sizes[f])
            return true;
    }
    return false;
}

static bool is_by_row(const ecs_iter_t *it) {
    if (it->flags & EcsIterGraph && is_strided(it)) return true;
    return !(it->flags & EcsIterInstanced) && is_mixed(it);
}

static bool show(ecs_iter_t *it, int32_t row, int32_t count) {
    it->frame_offset += it->count;
    ecs__iter_set_rows(it, row, count);
    it->flags = (it->flags & ~EcsIterSkip) | EcsIterIsValid;
    return true;
}

bool ecs__iter_show_run(ecs_iter_t *it, int32_t row, int32_t end) {
    ecs__iter_lock(it);
    if (end - row > 1 && is_by_row(it)) {
        it->priv_.row = row + 1;
        it->priv_.row_end = end;
        end = row + 1;
    }
    return show(it, row, end - row);
}

bool ecs__iter_show_row(ecs_iter_t *it) { return show(it, it->priv_.row++, 1); }

// ---- runs of rows ----

typedef struct runs_t {
    ecs__rows_t rows;
    int16_t columns[FLECS_TERM_COUNT_MAX]; /* of the match */
    ecs_termset_t set_fields;
} runs_t;

static bool next_run(ecs_iter_t *it) {
    runs_t *runs = it->priv_.rows;
    if (!runs || !ecs__rows_next(&runs->rows)) return false;
    ecs_termset_t unset = runs->rows.unset;
    it->set_fields = runs->set_fields & ~unset;
    for (int32_t f = 0; f < it->field_count; f++) {
        columns_of(it)[f] = unset & FIELD_BIT(f) ? -1 : runs->columns[f];
        if (unset & FIELD_BIT(f)) it->ptrs[f] = NULL;
    }
    return ecs__iter_show_run(it, runs->rows.row, runs->rows.row_end);
}

static void lack_fields(ecs_iter_t *it, const ecs__plan_t *plan, ecs_termset_t fields) {
    for (int32_t f = 0; fields >> f; f++) {
        if (fields & FIELD_BIT(f)) set_field(it, f, plan->ids[f], plan->sources[f], NULL, -1);
    }
    keep_fields(it, ~fields);
}

static bool begin_runs(ecs_iter_t *it, const ecs__plan_t *plan, int32_t row, int32_t end) {
    if (!it->priv_.rows) it->priv_.rows = ecs__iter_alloc(it, ECS_SIZEOF(runs_t));
    runs_t *runs = it->priv_.rows;
    ecs__rows_begin(&runs->rows, it->table, row, end);
    if (!ecs__rows_add_all(&runs->rows, plan, it->ids, it->sources)) return false;
    lack_fields(it, plan, runs->rows.absent);
    if (row == end) return ecs__iter_show_run(it, row, end);
    runs->set_fields = it->set_fields;
    memcpy(runs->columns, it->columns, (size_t)it->field_count * sizeof(int16_t));
    return next_run(it);
}

static bool show_rows(ecs_iter_t *it, int32_t row, int32_t end) {
    const ecs__plan_t *plan = plan_of(it);
    return plan->by_row ? begin_runs(it, plan, row, end) : ecs__iter_show_run(it, row, end);
}

// Matches moved since the last result: go on behind its table, up to the tables there were in the
// beginning.
static void find_place(ecs_iter_t *it, const ecs__cache_t *cache) {
    ecs_iter_private_t *priv = &it->priv_;
    bool has_begun = priv->position >= 0;
    priv->stamp = cache->moved;
    if (cache->sort) { // slices stay where they are until an iteration begins
        priv->last = ECS_MIN(priv->last, ecs__cache_count(cache) - 1);
        return;
    }
    if (it->flags & EcsIterInGroup)
        ecs__iter_limit_to_group(it);
    else if (cache->groups)
        priv->last = ecs__cache_count(cache) - 1;
    else
        priv->last = ecs__cache_behind(cache, priv->table_limit - 1, 0) - 1;
    if (has_begun) priv->position = ecs__cache_behind(cache, priv->table_number, priv->group) - 1;
}

// Matches of one group lie together in the order of the cache.
void ecs__iter_limit_to_group(ecs_iter_t *it) {
    const ecs__cache_t *cache = it->priv_.source;
    const ecs__group_t *group = ecs__groups_get(cache->groups, it->priv_.group);
    it->priv_.position = it->priv_.begin = group ? group->begin - 1 : -1;
    it->priv_.last = group ? group->end - 1 : -1;
}

static bool next_general(ecs_iter_t *it);

// ---- cached, simple ----

// Shared values came into the cache: go on in the general way.
static bool leave_simple(ecs_iter_t *it) {
    ecs__iter_leave_trivial(it);
    it->ptrs = NULL;
    return ecs_query_next(it);
}

static void show_simple(
    ecs_iter_t *it, ecs_table_t *table, ecs_termset_t set_fields, int32_t row, int32_t end) {
    it->frame_offset += it->count;
    it->offset = row;
    it->count = end - row;
    it->table = table;
    it->entities = end > row ? table->entities + row : NULL;
    it->set_fields = set_fields;
    it->flags = (it->flags & ~EcsIterSkip) | EcsIterIsValid;
    it->ptrs = it->priv_.ptrs;
    ecs__iter_lock(it);
}

static void set_pointers(ecs_iter_t *it, const ecs__match_t *match, int32_t row) {
    for (int32_t f = 0; f < it->field_count; f++) {
        int16_t column = match->columns[f];
        it->ptrs[f] = column < 0 ? NULL : ecs__table_cell(match->table, column, row);
    }
}

static int32_t end_row_of(const ecs_iter_t *it, int32_t count) {
    bool is_cut = it->priv_.position == it->priv_.last && it->priv_.last_row >= 0;
    return is_cut ? ECS_MIN(it->priv_.last_row, count) : count;
}

// Copies no longer hold: go on in the tables, behind the present one.
static void leave_copies(ecs_iter_t *it, const ecs__cache_t *cache) {
    ecs_iter_private_t *priv = &it->priv_;
    priv->copied = 0;
    priv->position = it->flags & EcsIterIsValid ? 0 : -1;
    if (!priv->position) priv->table_number = it->table->id;
    find_place(it, cache);
}

// Tables changed lately: ask them.
static ECS__APART bool next_in_tables(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    const ecs__cache_t *cache = priv->source;
    if (priv->copied && !(it->flags & EcsIterCut)) leave_copies(it, cache);
    if (cache->moved != priv->stamp) find_place(it, cache);
    while (priv->position < priv->last) {
        int32_t ahead = ECS_MIN(priv->position + ECS__CACHE_AHEAD, priv->last);
        priv->position++;
        __builtin_prefetch(ecs__matches_at(cache, &cache->now, ahead)->table);
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, priv->position);
        ecs_table_t *table = match->table;
        int32_t row = priv->first_row, end = table ? end_row_of(it, table->count) : 0;
        priv->first_row = 0;
        if (row >= end) continue;
        if (match->details >= 0) {
            priv->position--;
            return leave_simple(it);
        }
        priv->table_number = match->number;
        show_simple(it, table, match->set_fields, row, end);
        set_pointers(it, match, row);
        return true;
    }
    return ecs__iter_end(it);
}

#define SAME_PLACE(member)                                                            \
    _Static_assert(offsetof(ecs__copy_t, member) ==                                   \
                       offsetof(ecs_iter_t, member) - offsetof(ecs_iter_t, entities), \
        #member " of a copy and of an iterator")
SAME_PLACE(entities);
SAME_PLACE(table);
SAME_PLACE(count);
SAME_PLACE(offset);
SAME_PLACE(set_fields);
SAME_PLACE(frame_offset);
SAME_PLACE(ptrs);

static inline const ecs__copy_t *copy_at(const char *address) {
    return (const ecs__copy_t *)(const void *)address;
}

// Pointers are copied in whole blocks: that is cheaper than a loop, and there is room behind the last field on both sides.
static inline void show_copy(ecs_iter_t *it, const char *at, bool has_few) {
    ecs_iter_private_t *priv = &it->priv_;
    const intptr_t stride = has_few ? ECS__COPY_FEW_BYTES : priv->stride;
    const ecs__copy_t *copy = copy_at(at);
    priv->copy = at + stride;
    ecs__copy_prefetch(copy_at(at + ECS__CACHE_AHEAD * stride), has_few ? 0 : it->field_count);
    memcpy((char *)it + offsetof(ecs_iter_t, entities), copy, offsetof(ecs__copy_t, ptrs));
    memcpy(priv->ptrs, copy->ptrs, has_few ? ECS__COPY_FEW * sizeof(void *) : sizeof priv->ptrs);
    ecs__iter_lock(it);
}

// The copy behind the last one has no rows.
static ECS__APART bool next_simple(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    const bool has_few = it->field_count <= ECS__COPY_FEW;
    const char *at = priv->copy;
    ecs__iter_unlock(it);
    if (RARELY(priv->copied != it->real_world->store.structure_stamp)) return next_in_tables(it);
    for (; !copy_at(at)->count; at += priv->stride) {
        if (at >= priv->copy_end) return ecs__iter_end_simple(it);
    }
    if (has_few)
        show_copy(it, at, true);
    else
        show_copy(it, at, false);
    it->flags = (it->flags & ~EcsIterSkip) | EcsIterIsValid;
    it->ptrs = priv->ptrs;
    priv->quick = has_few ? priv->copied : 0;
    return true;
}

// ---- cached, with copies of all that differs ----

// Position of the match whose copy was shown last. If matches moved meanwhile, find_place will look
// for its table.
void ecs__iter_leave_copies(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    if (!(it->flags & EcsIterCopied)) return;
    const ecs__cache_t *cache = priv->source;
    ecs__iter_open(it);
    it->flags &= ~EcsIterCopied;
    priv->position = priv->last - (int32_t)((priv->copy_end - priv->copy) / priv->stride);
    if (!(it->flags & EcsIterIsValid)) return;
    priv->table_number = it->table->id;
    priv->group = cache->groups ? ecs__cache_group_of(cache, it->table) : 0;
}

#define COPY_ARRAYS(room)                                                            \
    memcpy(priv->ptrs, copy->ptrs, (room) * sizeof(void *));                         \
    memcpy(priv->ids, ecs__copy_ids(copy, room), (room) * sizeof(ecs_id_t));         \
    memcpy(priv->sources, ecs__copy_sources(copy, room), (room) * sizeof(ecs_id_t)); \
    memcpy(priv->sizes, ecs__copy_sizes(copy, room), (room) * sizeof(ecs_size_t));   \
    memcpy(priv->columns, ecs__copy_columns(copy, room), (room) * sizeof(int16_t));  \
    end = ecs__copy_end(copy, room)

static const ecs__copy_end_t *show_details(ecs_iter_t *it, const ecs__copy_t *copy) {
    ecs_iter_private_t *priv = &it->priv_;
    const ecs__copy_end_t *end;
    memcpy((char *)it + offsetof(ecs_iter_t, entities), copy, offsetof(ecs__copy_t, ptrs));
    if (it->field_count <= 4) {
        COPY_ARRAYS(4);
    } else {
        COPY_ARRAYS(8);
    }
    it->ref_fields = end->ref_fields;
    it->up_fields = end->up_fields;
    if (!it->ptrs) ecs__iter_make_arrays(it);
    it->flags = (it->flags & ~EcsIterSkip) | EcsIterIsValid;
    ecs__iter_lock(it);
    return end;
}

static bool next_copied_row(ecs_iter_t *it) {
    it->priv_.row++;
    it->entities++;
    it->offset++;
    it->frame_offset++;
    for (int32_t f = 0; f < it->field_count; f++) {
        if (it->columns[f] >= 0) it->ptrs[f] = ECS_OFFSET(it->ptrs[f], it->sizes[f]);
    }
    return true;
}

static ECS__APART bool next_copied(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    const intptr_t stride = priv->stride;
    if (priv->copied != it->real_world->store.structure_stamp) {
        ecs__iter_leave_copies(it);
        return next_general(it);
    }
    if (priv->row < priv->row_end) return next_copied_row(it);
    ecs__iter_unlock(it);
    for (const char *at = priv->copy; at < priv->copy_end; at += stride) {
        if (!copy_at(at)->count) continue;
        priv->copy = at + stride;
        ecs__copy_prefetch(copy_at(at + ECS__CACHE_AHEAD * stride), it->field_count);
        const ecs__copy_end_t *end = show_details(it, copy_at(at));
        if (end->is_mixed && it->count > 1 && !(it->flags & EcsIterInstanced)) {
            priv->row = 1;
            priv->row_end = it->count;
            it->count = 1;
        }
        return true;
    }
    return ecs__iter_end(it);
}

// ---- cached, simple, in part ----

// Part of the matches, and of the rows of the first and the last one: what jobs of multithreaded
// systems run.
static ECS__APART bool next_cut(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    const intptr_t stride = priv->stride;
    ecs__iter_unlock(it);
    if (priv->copied != it->real_world->store.structure_stamp) return next_in_tables(it);
    while (priv->position < priv->last) {
        const char *at = priv->copy + stride * ++priv->position;
        const ecs__copy_t *copy = copy_at(at);
        int32_t row = priv->first_row, end = end_row_of(it, copy->count);
        priv->first_row = 0;
        if (row >= end) continue;
        ecs__copy_prefetch(copy_at(at + ECS__CACHE_AHEAD * stride), it->field_count);
        show_simple(it, copy->table, copy->set_fields, row, end);
        for (int32_t f = 0; f < it->field_count; f++) {
            char *ptr = copy->ptrs[f];
            it->ptrs[f] = ptr ? ptr + it->sizes[f] * (intptr_t)row : NULL;
        }
        return true;
    }
    return ecs__iter_end_simple(it);
}

// ---- cached ----

// A simple match among others: what the query knows need not be copied.
static bool show_own_match(ecs_iter_t *it, const ecs__cache_t *cache, const ecs__match_t *match,
    int32_t row, int32_t end) {
    it->ids = cache->plan->ids;
    it->sources = cache->plan->sources;
    it->sizes = it->query->sizes;
    it->columns = NULL;
    it->ref_fields = it->query->row_fields;
    it->up_fields = 0;
    it->priv_.table_number = match->number;
    show_simple(it, match->table, match->set_fields, row, end);
    set_pointers(it, match, row);
    return true;
}

static bool next_match(ecs_iter_t *it, const ecs__cache_t *cache) {
    ecs_iter_private_t *priv = &it->priv_;
    const ecs_termset_t fixed = it->query->fixed_fields;
    bool with_empty = it->flags & EcsIterMatchEmptyTables;
    if (it->flags & EcsIterSync) ecs__iter_leave_match(it);
    if (cache->moved != priv->stamp) find_place(it, cache);
    while (priv->position < priv->last) {
        priv->position++;
        const ecs__place_t place = ecs__cache_place(cache, priv->position);
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, place.match);
        int32_t row = place.row + priv->first_row;
        priv->first_row = 0;
        if (!match->table || match->number >= priv->table_limit) continue;
        int32_t end = end_row_of(it, ecs__place_end(&place, match->table));
        if (row >= end && !(with_empty && !match->table->count)) continue;
        priv->group = ecs__match_group(match);
        bool is_own = match->details < 0 && !cache->plan->scan && !cache->plan->by_row &&
                      it->field_count <= ECS_ITER_INLINE_FIELDS;
        if (is_own && end > row) return show_own_match(it, cache, match, row, end);
        if (!it->columns) ecs__iter_make_arrays(it);
        it->table = match->table;
        priv->table_number = match->number;
        keep_fields(it, fixed);
        fill_from_match(it, cache, match, (ecs_termset_t)~fixed);
        if (show_rows(it, row, end)) return true;
    }
    return false;
}

static ecs__eval_t *begin_eval(ecs_iter_t *it, int32_t begin, int32_t end) {
    const ecs__query_t *query = ecs__query_of(it->query);
    ecs__eval_t *eval = ecs__iter_alloc(it, ECS_SIZEOF(ecs__eval_t));
    bool with_empty = it->flags & EcsIterMatchEmptyTables;
    ecs__eval_init(
        eval, &query->plan, &it->real_world->store, begin, end, it->priv_.bound_table, with_empty);
    ecs__profile_t *profile = ecs__query_profile(it);
    eval->tallies = profile ? profile->ops : NULL;
    it->priv_.eval = eval;
    return eval;
}

// Terms about constants are no part of the cache: all matches come for each way in which those
// hold.
static bool next_cached(ecs_iter_t *it) {
    const ecs__plan_t *plan = &ecs__query_of(it->query)->plan;
    const ecs__cache_t *cache = it->priv_.source;
    if (!plan->scan) return next_match(it, cache);
    ecs__eval_t *eval = it->priv_.eval;
    if (eval && next_match(it, cache)) return true;
    if (!eval) eval = begin_eval(it, 0, plan->scan);
    while (ecs__eval_next(eval)) {
        keep_fields(it, 0);
        fill_from_eval(it, eval, it->query->fixed_fields);
        it->priv_.position = it->priv_.begin;
        it->priv_.first_row = it->priv_.begin_row;
        if (next_match(it, cache)) return true;
    }
    return false;
}

// ---- uncached ----

static bool bound_rows(const ecs_iter_t *it, int32_t *row, int32_t *end) {
    const ecs_iter_private_t *priv = &it->priv_;
    *row = 0;
    *end = it->table->count;
    if (!priv->bound_table) return *end || it->flags & EcsIterMatchEmptyTables;
    *row = priv->bound_row;
    *end = ECS_MIN(priv->bound_end, *end);
    return *row < *end;
}

static bool next_evaluated(ecs_iter_t *it) {
    ecs__eval_t *eval = it->priv_.eval;
    if (!eval) eval = begin_eval(it, 0, ecs__query_of(it->query)->plan.count);
    while (ecs__eval_next(eval)) {
        int32_t row = 0, end = 0;
        it->table = eval->table;
        if (it->table && !bound_rows(it, &row, &end)) continue;
        keep_fields(it, 0);
        fill_from_eval(it, eval, (ecs_termset_t) ~(ecs_termset_t)0);
        if (it->table ? show_rows(it, row, end) : show(it, 0, 0)) return true;
    }
    return false;
}

// ---- goals over variables ----

static void fill_from_way(ecs_iter_t *it, const ecs__solver_t *solver, const ecs__step_t *step,
    const ecs__step_state_t *state) {
    const ecs__goal_t *goal = &solver->graph->goals[step->goal];
    const int32_t f = goal->term->field_index;
    ecs_entity_t source = state->source;
    if (!source && goal->src.kind == ECS__REF_ENTITY) source = goal->src.entity;
    if (!source && goal->src.kind == ECS__REF_VAR && goal->src.var != ECS__VAR_THIS)
        source = solver->values[goal->src.var].entity;
    it->ref_fields &= ~FIELD_BIT(f);
    it->up_fields &= ~FIELD_BIT(f);
    if (state->source) it->up_fields |= FIELD_BIT(f);
    it->set_fields |= FIELD_BIT(f);
    set_field(it, f, state->in->type.array[state->index], source, state->in,
        ecs__table_column_at(state->in, state->index));
}

static void fill_from_plain(ecs_iter_t *it, const ecs__solver_t *solver) {
    const ecs__plan_t *plan = solver->plan;
    for (int32_t i = plan->scan + 1; i < plan->count; i++) {
        const ecs__op_t *op = &plan->ops[i];
        set_field(it, op->field, op->id, 0, it->table,
            ecs__table_column_at(it->table, solver->own.states[i].cursor));
    }
    it->set_fields |= plan->plain_fields;
}

// What the steps of graph/direct.c found.
static void fill_from_steps(ecs_iter_t *it, ecs__solver_t *solver) {
    for (int32_t i = solver->begin; i < solver->end; i++) {
        const ecs__step_t *step = &solver->steps[i];
        ecs__step_state_t *state = &solver->states[i];
        if (!state->is_fresh) continue;
        state->is_fresh = false;
        if (step->kind == ECS__STEP_ASK || step->kind == ECS__STEP_FIND)
            fill_from_way(it, solver, step, state);
        else if (step->kind == ECS__STEP_SCAN || step->kind == ECS__STEP_CHECK)
            fill_from_plain(it, solver);
    }
}

static bool next_solution(ecs_iter_t *it) {
    ecs__solver_t *solver = ecs__iter_solver(it);
    if (!solver->has_begun && !ecs__solver_start(solver)) return false;
    if (!solver->has_run && ecs__join_begin(it)) return ecs__join_next(it, false);
    while (ecs__solver_next(solver)) {
        const ecs__value_t *self = &solver->values[ECS__VAR_THIS];
        bool with_empty = it->flags & EcsIterMatchEmptyTables;
        if (self->table && !self->count && !with_empty) continue;
        it->table = self->table;
        ecs_termset_t changed = ecs__solver_take_changed(solver);
        if (changed) {
            keep_fields(it, ~changed);
            fill_from_eval(it, &solver->result, changed);
        }
        fill_from_steps(it, solver);
        return it->table ? ecs__iter_show_run(it, self->row, self->row + self->count)
                         : show(it, 0, 0);
    }
    return false;
}

// ---- next ----

static ECS__APART bool next_general(ecs_iter_t *it) {
    ecs__iter_open(it);
    if (ecs__iter_next_row(it)) return true;
    ecs__iter_unlock(it);
    if (next_run(it)) return true;
    if (!it->ptrs) ecs__iter_make_arrays(it);
    bool found;
    if (it->flags & EcsIterGraph)
        found = next_solution(it);
    else
        found = it->flags & EcsIterCached ? next_cached(it) : next_evaluated(it);
    return found || ecs__iter_end(it);
}

static bool next_any(ecs_iter_t *it) {
    if (it->flags & EcsIterJoined) return ecs__join_next(it, true);
    if (it->flags & EcsIterCopied) return next_copied(it);
    if (it->flags & EcsIterTrivialSearch) return ecs__iter_search(it);
    if ((it->flags & (EcsIterCut | EcsIterGraph)) == EcsIterCut) return next_cut(it);
    return next_general(it);
}

static ECS__APART bool next_told(ecs_iter_t *it) {
    ecs__iter_tell(it);
    if (next_any(it)) return true;
    ecs__iter_tell_end(it);
    return false;
}

static ECS__APART bool next_other(ecs_iter_t *it) {
    if (it->flags & EcsIterNoResults) {
        ecs_check(!(it->flags & EcsIterIsValid), ECS_INVALID_OPERATION,
            "the callback of system %u is called once per result and cannot go on to the next one: "
            "functions that do are given as .run",
            (uint32_t)it->system);
        return false;
    }
    return it->flags & EcsIterSync ? next_told(it) : next_any(it);
error:
    return false;
}

// What most systems run. Nothing here that a result does not need: what is read and written is what it costs, and in a tick of many
// systems, cache lines: the cache is not even looked at.
HOT bool ecs_query_next(ecs_iter_t *it) {
    if (RARELY(it->priv_.quick != it->real_world->store.structure_stamp))
        return it->flags & EcsIterTrivialCached ? next_simple(it) : next_other(it);
    const char *at = it->priv_.copy;
    if (!at) return ecs__iter_next_plain(it);
    if (RARELY(!copy_at(at)->count)) return next_simple(it);
    ecs__iter_unlock(it);
    show_copy(it, at, true);
    return true;
}

bool ecs_iter_next(ecs_iter_t *it) {
    ecs_check(it != NULL && it->next != NULL, ECS_INVALID_PARAMETER,
        "ecs_iter_next: this is no iterator");
    return it->next(it);
error:
    return false;
}

int32_t ecs_iter_count(ecs_iter_t *it) {
    int32_t count = 0;
    it->flags |= EcsIterInstanced | EcsIterNoData;
    while (ecs_iter_next(it)) count += it->count;
    return count;
}

bool ecs_iter_is_true(ecs_iter_t *it) {
    bool result = ecs_iter_next(it);
    if (result) ecs_iter_fini(it);
    return result;
}

ecs_entity_t ecs_iter_first(ecs_iter_t *it) {
    while (ecs_iter_next(it)) {
        if (!it->count) continue;
        ecs_entity_t first = it->entities[0];
        ecs_iter_fini(it);
        return first;
    }
    return 0;
}
