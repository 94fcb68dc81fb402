// SPDX-License-Identifier: MIT
#include "storage/table_rows.h"

#include <string.h>

#include <muster/ecs/os.h>
#include <muster/ecs/world.h>

#include "base/apart.h"
#include "base/assert.h"
#include "id/type_info.h"
#include "storage/store.h"
#include "storage/table_order.h"
#include "storage/toggle.h"
#include "storage/watch.h"

// ---- memory ----

// Arrays of few rows share a cache line: all that a query reads of a table of one entity lies in one, or in half of one.
static size_t alignment_of(size_t bytes) {
    if (bytes <= 8) return 8;
    return bytes < 32 ? 16 : ECS__BLOCK_ALIGNMENT;
}
static size_t padded(size_t bytes) { return ECS_ALIGN(bytes, alignment_of(bytes)); }

static size_t column_alignment(const ecs__column_t *column, int32_t rows) {
    size_t needed = (size_t)column->type_info->alignment;
    return ECS_MAX(alignment_of((size_t)column->size * (size_t)rows), needed);
}

// Large columns of equal size would start at equal offsets within a page and evict each other from the L1 cache when a loop walks
// several of them; an odd number of lines between them spreads the sets.
static size_t column_gap(size_t column_bytes, int32_t column) {
    return column_bytes < 4096 ? 0 : ECS__BLOCK_ALIGNMENT * (size_t)((column * 5 + 3) & 15);
}

// Where the array of a column begins in the row block; *end is where the one before it ends, then where it ends.
static size_t column_at(const ecs_table_t *table, int32_t rows, int32_t column, size_t *end) {
    const ecs__column_t *meta = &table->columns[column];
    size_t bytes = (size_t)meta->size * (size_t)rows;
    size_t at = ECS_ALIGN(*end + column_gap(bytes, column), column_alignment(meta, rows));
    *end = at + padded(bytes);
    return at;
}

static inline size_t block_size(const ecs_table_t *table, int32_t rows) {
    size_t end = padded(sizeof(ecs_entity_t) * (size_t)rows);
    for (int32_t c = 0; c < table->column_count; c++) column_at(table, rows, c, &end);
    return end;
}

// Rows for which there is room anyway, since arrays and blocks are padded.
static int32_t rows_that_fit(const ecs_table_t *table, int32_t rows) {
    size_t fit = padded(sizeof(ecs_entity_t) * (size_t)rows) / sizeof(ecs_entity_t);
    size_t row_size = sizeof(ecs_entity_t);
    for (int32_t c = 0; c < table->column_count; c++) {
        size_t size = (size_t)table->columns[c].size;
        fit = ECS_MIN(fit, padded(size * (size_t)rows) / size);
        row_size += size;
    }
    size_t line =
        block_size(table, rows) > ECS__BLOCK_HALF ? ECS__BLOCK_ALIGNMENT : ECS__BLOCK_HALF;
    size_t in_line = line / row_size;
    while (in_line > fit && block_size(table, (int32_t)in_line) > line) in_line--;
    return (int32_t)ECS_MIN(ECS_MAX(fit, in_line), INT32_MAX);
}

static void move_values(const ecs__column_t *column, void *dst, void *src, int32_t count) {
    if (!count) return;
    if (column->has_hooks)
        ecs__value_ctor_move_dtor(column->type_info, dst, src, count);
    else
        memcpy(dst, src, (size_t)column->size * (size_t)count);
}

typedef struct outgrown_t {
    ecs_entity_t *entities;
    int32_t rows;
} outgrown_t;

static void give_block(const ecs_table_t *table, ecs_entity_t *entities, int32_t rows) {
    ecs__block_give(&table->store->row_blocks, entities, block_size(table, rows));
}

// New entities start in the root table, also while it is iterated: its arrays, which double, are given back together.
static void leave_block(ecs_table_t *table) {
    ecs__store_t *store = table->store;
    if (!table->size) return;
    if (table == store->root)
        *ecs_vec_append_t(NULL, &store->outgrown, outgrown_t) =
            (outgrown_t){ table->entities, table->size };
    else
        give_block(table, table->entities, table->size);
}

static void give_outgrown(const ecs_table_t *root) {
    ecs_vec_t *outgrown = &root->store->outgrown;
    for (int32_t i = 0; i < ecs_vec_count(outgrown); i++) {
        const outgrown_t *block = ecs_vec_get_t(outgrown, outgrown_t, i);
        give_block(root, block->entities, block->rows);
    }
    ecs_vec_fini_t(NULL, outgrown, outgrown_t);
}

// Records have no room for so many rows.
static ECS__APART void leave_line(ecs_table_t *table) {
    ecs__table_lengthen(table, 0);
    for (int32_t row = 0; row < table->count; row++)
        ecs__entity_put(&table->store->entities, table->entities[row], table, row);
}

static void set_size(ecs_table_t *table, int32_t rows) {
    rows = rows_that_fit(table, rows);
    char *block = ecs__block_take(&table->store->row_blocks, block_size(table, rows));
    if (table->count) memcpy(block, table->entities, sizeof(ecs_entity_t) * (size_t)table->count);
    size_t end = padded(sizeof(ecs_entity_t) * (size_t)rows);
    for (int32_t c = 0; c < table->column_count; c++) {
        void *values = block + column_at(table, rows, c, &end);
        move_values(&table->columns[c], values, table->data[c], table->count);
        table->data[c] = values;
    }
    leave_block(table);
    table->entities = (ecs_entity_t *)(void *)block;
    table->size = rows;
    if ((uint32_t)rows > table->store->entities.near_rows && table->line) leave_line(table);
    table->store->structure_stamp++; // query caches remember addresses of rows
}

void ecs__table_reserve(ecs_table_t *table, int32_t size) {
    if (size > table->size) set_size(table, size);
}

void ecs__table_free_rows(ecs_table_t *table) {
    if (table == table->store->root) give_outgrown(table);
    give_block(table, table->entities, table->size);
    table->entities = NULL;
    for (int32_t c = 0; c < table->column_count; c++) table->data[c] = NULL;
    table->size = 0;
    table->store->structure_stamp++;
}

// Twice as many, or as far as a block can have them. Of too many rows the count is negative.
static ECS__APART void grow(ecs_table_t *table, int32_t count) {
    if (count < 0) ecs_os_out_of_memory_(-1);
    int32_t rows = table->size < (1 << 29) ? table->size * 2 : count;
    while (rows > count && block_size(table, rows) > ECS__BLOCK_MOST) rows -= rows / 64 + 1;
    set_size(table, ECS_MAX(rows, count));
}

void ecs__table_make_room(ecs_table_t *table, int32_t count) {
    if ((uint32_t)count > (uint32_t)table->size) grow(table, count);
}

// ---- rows ----

static int32_t end_of(int32_t row, int32_t count) {
    return (int32_t)((uint32_t)row + (uint32_t)count);
}

// The table got its first rows or lost its last: id records are told, so that scans skip empty tables.
static ECS__APART void filled_or_emptied(ecs_table_t *table) {
    table->generation = 0;
    ecs__passage_note(table);
    if (table->store->on_count) table->store->on_count(table->store, table);
}

void ecs__table_set_count(ecs_table_t *table, int32_t count) {
    int32_t before = table->count;
    table->count = count;
    table->store->structure_stamp++;
    ecs__table_touch_rows(table, before, ECS_MAX(count - before, 0));
    if (!before != !count) filled_or_emptied(table);
}

static void set_record(ecs_table_t *table, ecs_entity_t entity, int32_t row) {
    ecs__record_move(table, entity, (uint32_t)row);
}

static void init_values(
    const ecs_table_t *table, int32_t column, int32_t row, int32_t count, bool construct) {
    const ecs__column_t *meta = &table->columns[column];
    void *ptr = ecs__table_cell(table, column, row);
    if (construct && meta->has_hooks)
        ecs__value_ctor(meta->type_info, ptr, count);
    else
        memset(ptr, 0, (size_t)meta->size * (size_t)count);
}

int32_t ecs__table_append(ecs_table_t *table, const ecs_entity_t *entities, int32_t count) {
    int32_t row = table->count;
    ecs__table_make_room(table, end_of(row, count));
    for (int32_t c = 0; c < table->column_count; c++) init_values(table, c, row, count, true);
    ecs__table_set_count(table, row + count);
    memcpy(&table->entities[row], entities, sizeof(ecs_entity_t) * (size_t)count);
    for (int32_t i = 0; i < count; i++) set_record(table, entities[i], row + i);
    return row;
}

// In blocks, whose ids are in the nearest cache until all is done with them.
static void place_new(ecs_table_t *table, int32_t row, int32_t count, ecs_entity_t *ids) {
    enum { BLOCK = 512 };
    ecs__store_t *store = table->store;
    for (int32_t done = 0; done < count; done += BLOCK) {
        ecs_entity_t *entities = &table->entities[row + done];
        const int32_t size = ECS_MIN(BLOCK, count - done);
        ecs__entity_new_many(&store->entities, entities, size);
        for (int32_t i = 0; i < size; i++)
            ecs__record_shift(table, entities[i], (uint32_t)(row + done + i));
        if (ids) memcpy(&ids[done], entities, (size_t)size * sizeof(ecs_entity_t));
    }
    store->entities.alive_count += count;
    if (store->info) store->info->id_create_total += count;
}

int32_t ecs__table_append_new(
    ecs_table_t *table, int32_t count, void *const *data, ecs_entity_t *ids) {
    int32_t row = table->count;
    ecs__table_make_room(table, end_of(row, count));
    for (int32_t c = 0; c < table->column_count; c++) {
        const ecs__column_t *column = &table->columns[c];
        const void *values = data ? data[column->type_index] : NULL;
        if (values && !column->has_hooks)
            memcpy(ecs__table_cell(table, c, row), values, (size_t)column->size * (size_t)count);
        else
            init_values(table, c, row, count, true);
    }
    place_new(table, row, count, ids);
    ecs__table_set_count(table, row + count);
    return row;
}

static void fill_hole(
    ecs_table_t *table, int32_t column, int32_t row, int32_t last, bool destruct) {
    const ecs__column_t *meta = &table->columns[column];
    void *hole = ecs__table_cell(table, column, row), *value = ecs__table_cell(table, column, last);
    if (!meta->has_hooks) {
        if (row != last) ecs__copy_plain(hole, value, (size_t)meta->size);
        return;
    }
    if (row == last) {
        if (destruct) ecs__value_dtor(meta->type_info, hole, 1);
    } else if (destruct) {
        ecs__value_move_dtor(meta->type_info, hole, value, 1);
    } else {
        ecs__value_ctor_move_dtor(meta->type_info, hole, value, 1);
    }
}

void ecs__table_remove_row(ecs_table_t *table, int32_t row, bool destruct) {
    int32_t last = table->count - 1;
    ecs__assert(row >= 0 && row <= last, "a row to remove must exist");
    for (int32_t c = 0; c < table->column_count; c++) fill_hole(table, c, row, last, destruct);
    if (table->toggles) ecs__toggles_remove(table, row, last);
    if (row != last) {
        ecs_entity_t moved = table->entities[last];
        table->entities[row] = moved;
        set_record(table, moved, row);
        ecs__table_touch_rows(table, row, 1);
    }
    ecs__table_set_count(table, last);
}

void ecs__table_clear_rows(ecs_table_t *table) {
    if (!table->count) return;
    for (int32_t c = 0; c < table->column_count; c++) {
        if (!table->columns[c].has_hooks) continue;
        ecs__value_dtor(table->columns[c].type_info, table->data[c], table->count);
    }
    ecs__toggles_clear(table);
    table->traversable_count = 0;
    ecs__table_set_count(table, 0);
}

static void swap_cells(const ecs__column_t *column, void *a, void *b) {
    _Alignas(ECS__BLOCK_ALIGNMENT) char small[256];
    ecs__scratch_t large = { 0 };
    const bool is_small = column->size <= ECS_SIZEOF(small);
    void *temp = is_small ? small : ecs__scratch_ensure(&large, (size_t)column->size);
    move_values(column, temp, a, 1);
    move_values(column, a, b, 1);
    move_values(column, b, temp, 1);
    ecs__scratch_fini(&large);
}

void ecs__table_swap_rows(ecs_table_t *table, int32_t a, int32_t b) {
    if (a == b) return;
    for (int32_t c = 0; c < table->column_count; c++) {
        swap_cells(&table->columns[c], ecs__table_cell(table, c, a), ecs__table_cell(table, c, b));
    }
    ecs__toggles_swap(table, a, b);
    ecs__table_rows_moved(table, a, 1);
    ecs__table_rows_moved(table, b, 1);
    ecs_entity_t entity = table->entities[a];
    table->entities[a] = table->entities[b];
    table->entities[b] = entity;
    set_record(table, table->entities[a], a);
    set_record(table, table->entities[b], b);
}

// ---- moving between tables ----

static void move_cell(ecs_table_t *dst, int32_t dst_column, int32_t dst_row, ecs_table_t *src,
    int32_t src_column, int32_t src_row) {
    move_values(&dst->columns[dst_column], ecs__table_cell(dst, dst_column, dst_row),
        ecs__table_cell(src, src_column, src_row), 1);
}

static void drop_cell(ecs_table_t *src, int32_t column, int32_t row) {
    const ecs__column_t *meta = &src->columns[column];
    if (meta->has_hooks) ecs__value_dtor(meta->type_info, ecs__table_cell(src, column, row), 1);
}

// Both column lists are in type order: one pass pairs them up.
static void move_columns(
    ecs_table_t *dst, int32_t dst_row, ecs_table_t *src, int32_t src_row, bool construct) {
    int32_t d = 0, s = 0;
    while (d < dst->column_count && s < src->column_count) {
        ecs_id_t dst_id = dst->type.array[dst->columns[d].type_index];
        ecs_id_t src_id = src->type.array[src->columns[s].type_index];
        if (dst_id == src_id)
            move_cell(dst, d++, dst_row, src, s++, src_row);
        else if (dst_id < src_id)
            init_values(dst, d++, dst_row, 1, construct);
        else
            drop_cell(src, s++, src_row);
    }
    while (d < dst->column_count) init_values(dst, d++, dst_row, 1, construct);
    while (s < src->column_count) drop_cell(src, s++, src_row);
}

int32_t ecs__table_move_row(ecs_table_t *dst, ecs_table_t *src, int32_t src_row, bool construct) {
    ecs__assert(dst != src, "a row moves between two tables");
    ecs_entity_t entity = src->entities[src_row];
    int32_t dst_row = dst->count;
    ecs__table_make_room(dst, dst_row + 1);
    dst->entities[dst_row] = entity;
    move_columns(dst, dst_row, src, src_row, construct);
    if (dst->toggles) ecs__toggles_copy(dst, dst_row, src, src_row, 1);
    ecs__table_carry_stamps(dst, src);
    ecs__table_set_count(dst, dst_row + 1);
    ecs__table_remove_row(src, src_row, false);
    set_record(dst, entity, dst_row);
    return dst_row;
}
