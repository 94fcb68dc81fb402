// SPDX-License-Identifier: MIT
#include "storage/plain_rows.h"

#include <muster/ecs/world.h>

#include "id/type_info.h"
#include "storage/store.h"

// First and last rows of tables and growing are left to table_rows.c. So there are no calls, and as columns come last in each function,
// what they need is in registers. Without this, compilers would multiply rows with every constant size before they begin.
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

void ecs__plain_row_remove(ecs_table_t *table, int32_t at) {
    size_t row = (size_t)at, last = (size_t)table->count - 1;
    if (!last) {
        ecs__table_remove_row(table, at, false);
        return;
    }
    replace_entity(table, row, last);
    table->count = (int32_t)last;
    table->store->structure_stamp++;
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
    if (!last || !to || dst->count == dst->size) {
        ecs__table_move_row(dst, src, (int32_t)row, false);
        return;
    }
    dst->entities[to] = src->entities[row];
    replace_entity(src, row, last);
    record->table = dst;
    set_row(record, to);
    dst->count = (int32_t)to + 1;
    src->count = (int32_t)last;
    src->store->structure_stamp++;
    move_columns(src, dst, edge->column, adds, row, last, to);
}

void ecs__plain_row_add(ecs_record_t *record, const ecs__edge_t *edge) {
    move_row(record, edge, true);
}

void ecs__plain_row_drop(ecs_record_t *record, const ecs__edge_t *edge) {
    move_row(record, edge, false);
}

ecs_entity_t ecs__plain_row_new(ecs_table_t *table) {
    ecs__store_t *store = table->store;
    int32_t row = table->count;
    if (!row || row == table->size) {
        row = ecs__table_append_new(table, 1, NULL);
        return table->entities[row];
    }
    ecs_entity_t entity = table->entities[row] = ecs__entity_new(&store->entities);
    *ecs__entity_get(&store->entities, entity) =
        (ecs_record_t){ table, (uint32_t)row, (uint32_t)ECS_GENERATION(entity) };
    table->count = row + 1;
    store->structure_stamp++;
    store->entities.alive_count++;
    if (store->info) store->info->id_create_total++;
    return entity;
}
