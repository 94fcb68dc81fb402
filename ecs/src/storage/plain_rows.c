// SPDX-License-Identifier: MIT
#include "storage/plain_rows.h"

#include <muster/ecs/world.h>

#include "id/type_info.h"
#include "storage/store.h"

// There are no calls where it matters, and columns come last in each function, so that what they need is in registers. Without this,
// compilers would multiply rows with every constant size before they begin.
#define KEEP(a, b) __asm__("" : "+r"(a), "+r"(b))

static inline void set_row(ecs_record_t *record, size_t row) {
    record->row = (record->row & ECS_ROW_FLAGS_MASK) | (uint32_t)row;
}

// The last entity takes the place of another.
static inline void replace_entity(const ecs_table_t *table, size_t row, size_t last) {
    ecs_entity_t moved = table->entities[row] = table->entities[last];
    set_row(ecs__entity_get(&table->store->entities, moved), row);
}

// The last value of a column takes the place of another. Constant sizes need no multiplication.
static inline void fill(char *data, size_t size, size_t row, size_t last) {
    if (size == 8)
        memcpy(data + 8 * row, data + 8 * last, 8);
    else if (size == 4)
        memcpy(data + 4 * row, data + 4 * last, 4);
    else
        ecs__copy_plain(data + size * row, data + size * last, size);
}

void ecs__plain_row_delete(ecs_record_t *record, ecs_entity_t entity) {
    ecs_table_t *table = record->table;
    ecs__store_t *store = table->store;
    size_t row = record->row & ECS_ROW_MASK, last = (size_t)table->count - 1;
    if (!last || !ecs__entity_free_quick(&store->entities, record, entity)) {
        ecs__table_remove_row(table, (int32_t)row, false);
        ecs__entity_free(&store->entities, entity);
        return;
    }
    if (row != last) replace_entity(table, row, last);
    table->count = (int32_t)last;
    store->structure_stamp++;
    for (int32_t c = 0, count = table->column_count; c < count; c++) {
        KEEP(row, last);
        fill(table->data[c], (size_t)table->columns[c].size, row, last);
    }
}

// Columns of the larger table in turn; the smaller one lacks one of them.
static inline __attribute__((always_inline)) void move_columns(ecs_table_t *src, ecs_table_t *dst,
    int32_t lacking, bool adds, size_t row, size_t last, size_t to) {
    const ecs_table_t *larger = adds ? dst : src;
    const ecs__column_t *column = larger->columns;
    void *const *large = larger->data, *const *small = adds ? src->data : dst->data;
    for (int32_t left = larger->column_count; left > 0; left--, column++, large++) {
        size_t size = (size_t)column->size;
        if (!lacking--) {
            if (adds)
                ecs__zero_plain((char *)*large + size * to, size);
            else
                fill(*large, size, row, last);
            continue;
        }
        char *from = adds ? *small : *large, *into = adds ? *large : *small;
        small++;
        if (size == 8) {
            memcpy(into + 8 * to, from + 8 * row, 8);
            memcpy(from + 8 * row, from + 8 * last, 8);
        } else if (size == 4) {
            memcpy(into + 4 * to, from + 4 * row, 4);
            memcpy(from + 4 * row, from + 4 * last, 4);
        } else {
            KEEP(row, last);
            KEEP(to, last);
            ecs__copy_plain(into + size * to, from + size * row, size);
            ecs__copy_plain(from + size * row, from + size * last, size);
        }
    }
}

static inline __attribute__((always_inline)) void move_row(
    ecs_record_t *record, const ecs__edge_t *edge, bool adds) {
    ecs_table_t *src = record->table, *dst = edge->target;
    size_t row = record->row & ECS_ROW_MASK, last = (size_t)src->count - 1, to = (size_t)dst->count;
    dst->entities[to] = src->entities[row];
    if (row != last) replace_entity(src, row, last);
    record->table = dst;
    set_row(record, to);
    dst->count = (int32_t)to + 1;
    src->count = (int32_t)last;
    src->store->structure_stamp++;
    move_columns(src, dst, edge->column, adds, row, last, to);
}

// The source becomes empty, or the destination no longer is, or has to grow.
static __attribute__((noinline)) void move_first_or_last(
    ecs_record_t *record, const ecs__edge_t *edge) {
    ecs_table_t *src = record->table, *dst = edge->target;
    bool empties = src->count == 1, fills = !dst->count;
    ecs__table_make_room(dst, dst->count + 1);
    move_row(record, edge, edge->adds);
    if (fills) ecs__table_filled_or_emptied(dst);
    if (empties) ecs__table_filled_or_emptied(src);
}

// Whether nothing is to be done but the move.
static inline bool is_between(const ecs_table_t *src, const ecs_table_t *dst) {
    return (src->count > 1 || src->flags & ECS__TABLE_IS_PASSAGE) &&
           (dst->count || dst->flags & ECS__TABLE_IS_PASSAGE) && dst->count < dst->size;
}

void ecs__plain_row_add(ecs_record_t *record, const ecs__edge_t *edge) {
    if (is_between(record->table, edge->target))
        move_row(record, edge, true);
    else
        move_first_or_last(record, edge);
}

void ecs__plain_row_drop(ecs_record_t *record, const ecs__edge_t *edge) {
    if (is_between(record->table, edge->target))
        move_row(record, edge, false);
    else
        move_first_or_last(record, edge);
}

ecs_entity_t ecs__plain_row_new(ecs_table_t *table) {
    ecs__store_t *store = table->store;
    int32_t row = table->count;
    ecs_entity_t entity = row < table->size ? ecs__entity_new_quick(&store->entities) : 0;
    if (!entity) {
        ecs__table_append_new(table, 1, NULL);
        return table->entities[row];
    }
    table->entities[row] = entity;
    ecs_record_t *record = ecs__entity_get(&store->entities, entity);
    record->table = table;
    record->row = (uint32_t)row;
    record->generation = (uint32_t)ECS_GENERATION(entity);
    table->count = row + 1;
    store->structure_stamp++;
    store->entities.alive_count++;
    if (store->info) store->info->id_create_total++;
    if (!row && !(table->flags & ECS__TABLE_IS_PASSAGE)) ecs__table_filled_or_emptied(table);
    for (int32_t c = 0, count = table->column_count; c < count; c++) {
        size_t size = (size_t)table->columns[c].size;
        ecs__zero_plain((char *)table->data[c] + size * (size_t)row, size);
    }
    return entity;
}
