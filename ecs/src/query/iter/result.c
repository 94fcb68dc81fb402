// SPDX-License-Identifier: MIT
#include "query/iter/result.h"

#include "query/query.h"
#include "storage/sparse_ids.h"
#include "world/state.h"

// ---- fields ----

static int16_t *columns_of(ecs_iter_t *it) { return (int16_t *)(uintptr_t)it->columns; }
static ecs_size_t *sizes_of(ecs_iter_t *it) { return (ecs_size_t *)(uintptr_t)it->sizes; }

static inline void set_rows(ecs_iter_t *it, int32_t row, int32_t count) {
    const ecs_table_t *table = it->table;
    it->offset = row;
    it->count = count;
    it->entities = count ? table->entities + row : NULL;
    for (int32_t f = 0; f < it->field_count; f++) {
        int16_t column = it->columns[f];
        if (column >= 0) it->ptrs[f] = count ? ecs__table_cell(table, column, row) : NULL;
    }
}

static void *value_of(
    ecs_iter_t *it, int32_t field, ecs_id_t id, const ecs_table_t *table, int16_t column) {
    ecs_size_t size = 0;
    void *value = ecs__value_now(&it->real_world->store, it->sources[field], id, table, column,
        it->priv_.table_limit, &size);
    if (value && !it->query->sizes[field]) sizes_of(it)[field] = size;
    return value;
}

static const ecs__plan_t *plan_of(const ecs_iter_t *it) { return &ecs__program_of(it)->plan; }

// Of `_`, what all pairs of the relationship have.
static const ecs_type_info_t *type_of(
    const ecs__store_t *store, const ecs_component_record_t *record) {
    if (!ecs__id_is_wildcard(record->id)) return record->type_info;
    return ecs__type_info_get(store, ecs__id_first(record->id));
}

// Which storage an id has may be known only now.
static void set_row_field(ecs_iter_t *it, int32_t f, const ecs_component_record_t *record) {
    const ecs__store_t *store = &it->real_world->store;
    const ecs_type_info_t *type = ecs__id_is_sparse(record) ? type_of(store, record) : NULL;
    it->row_fields &= ~FIELD_BIT(f);
    if (!type) return;
    it->row_fields |= FIELD_BIT(f);
    it->ref_fields |= FIELD_BIT(f);
    sizes_of(it)[f] = type->size;
}

void ecs__iter_set_field(ecs_iter_t *it, int32_t f, ecs_id_t id, ecs_entity_t source,
    const ecs_table_t *table, int16_t column) {
    it->ids[f] = id;
    it->sources[f] = source;
    it->ptrs[f] = NULL;
    sizes_of(it)[f] = it->query->sizes[f];
    columns_of(it)[f] = -1;
    if (source) it->ref_fields |= FIELD_BIT(f);
    if (plan_of(it)->row_fields & FIELD_BIT(f))
        set_row_field(it, f, ecs__id_record_itself(&it->real_world->store, id));
    if (column < 0 || !table) return;
    if (source) { // the table may be gone
        it->ptrs[f] = value_of(it, f, id, table, column);
        return;
    }
    // A kind is read as its base, see is_strided.
    if (!it->query->sizes[f]) sizes_of(it)[f] = table->columns[column].size;
    columns_of(it)[f] = column;
}

void ecs__iter_set_beside(ecs_iter_t *it, int32_t f, const ecs__sparse_edge_t *edge) {
    if (it->ids[f] == edge->id) return;
    it->ids[f] = edge->id;
    it->ref_fields &= (ecs_termset_t)~FIELD_BIT(f);
    if (plan_of(it)->row_fields & FIELD_BIT(f)) set_row_field(it, f, edge->record);
}

void ecs__iter_follow_values(ecs_iter_t *it) {
    const uint64_t now = it->real_world->store.structure_stamp;
    if (it->priv_.copied == now) return;
    it->priv_.copied = now;
    for (int32_t f = 0; f < it->field_count; f++) {
        if (it->sources[f] && it->ptrs[f]) it->ptrs[f] = value_of(it, f, it->ids[f], NULL, -1);
    }
}

void ecs__iter_fill_from_eval(ecs_iter_t *it, const ecs__eval_t *eval, ecs_termset_t fields) {
    for (int32_t f = 0; f < it->field_count; f++) {
        if (!(fields & FIELD_BIT(f))) continue;
        ecs__field_found_t found = eval->fields[f];
        ecs__found_follow(&it->real_world->store, &found, it->priv_.table_limit);
        ecs__iter_set_field(it, f, found.id, found.source, found.table, ecs__field_column(&found));
    }
    it->set_fields |= eval->set_fields & fields;
    it->up_fields |= eval->up_fields & fields;
}

void ecs__iter_fill_from_match(
    ecs_iter_t *it, const ecs__cache_t *cache, const ecs__match_t *match, ecs_termset_t fields) {
    for (int32_t f = 0; f < it->field_count; f++) {
        if (!(fields & FIELD_BIT(f))) continue;
        const ecs__detail_t detail = ecs__match_detail(cache, match, f);
        ecs__iter_set_field(it, f, detail.id, detail.source, detail.table, match->columns[f]);
        if (detail.source) it->up_fields |= FIELD_BIT(f);
    }
    it->set_fields |= match->set_fields & fields;
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
    return !(it->flags & EcsIterInstanced) &&
           ecs__values_are_mixed(it->ptrs, it->columns, it->field_count);
}

static bool show(ecs_iter_t *it, int32_t row, int32_t count) {
    it->frame_offset += it->count;
    set_rows(it, row, count);
    it->flags = (it->flags & ~EcsIterSkip) | EcsIterIsValid;
    return true;
}

bool ecs__iter_show_run(ecs_iter_t *it, int32_t row, int32_t end) {
    ecs__iter_lock(it);
    it->priv_.copied = it->real_world->store.structure_stamp;
    if (end - row > 1 && is_by_row(it)) {
        it->priv_.row = row + 1;
        it->priv_.row_end = end;
        end = row + 1;
    }
    return show(it, row, end - row);
}

bool ecs__iter_show_row(ecs_iter_t *it) {
    ecs__iter_follow_values(it);
    return show(it, it->priv_.row++, 1);
}

// ---- runs of rows ----

typedef struct runs_t {
    ecs__rows_t rows;
    int16_t columns[FLECS_TERM_COUNT_MAX]; /* of the match */
    ecs_termset_t set_fields;
} runs_t;

bool ecs__iter_next_run(ecs_iter_t *it) {
    runs_t *runs = it->priv_.rows;
    if (!runs || !ecs__rows_next(&runs->rows)) return false;
    ecs__iter_follow_values(it);
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
        if (fields & FIELD_BIT(f))
            ecs__iter_set_field(it, f, plan->ids[f], plan->sources[f], NULL, -1);
    }
    ecs__iter_keep_fields(it, ~fields);
}

bool ecs__iter_begin_runs(ecs_iter_t *it, const ecs__plan_t *plan, int32_t row, int32_t end) {
    if (!it->priv_.rows) it->priv_.rows = ecs__iter_alloc(it, ECS_SIZEOF(runs_t));
    runs_t *runs = it->priv_.rows;
    ecs__rows_begin(&runs->rows, it->table, row, end);
    if (!ecs__rows_add_all(&runs->rows, plan, it->ids, it->sources)) return false;
    lack_fields(it, plan, runs->rows.absent);
    if (row == end) return ecs__iter_show_run(it, row, end);
    runs->set_fields = it->set_fields;
    memcpy(runs->columns, it->columns, (size_t)it->field_count * sizeof(int16_t));
    return ecs__iter_next_run(it);
}
