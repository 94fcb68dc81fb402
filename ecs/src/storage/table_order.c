// SPDX-License-Identifier: MIT
#include "storage/table_order.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "base/os_posix.h"
#include "id/type_info.h"
#include "storage/table_bulk.h"
#include "storage/toggle.h"
#include "storage/watch.h"

#define AHEAD 32 /* records to ask for before they are needed */

// ---- scratch ----

void *ecs__scratch_ensure(ecs__scratch_t *scratch, size_t size) {
    if (size <= scratch->size) return scratch->memory;
    ecs_os_free(scratch->memory);
    scratch->size = ECS_MAX(size, 2 * scratch->size);
    scratch->memory = ecs_os_malloc((ecs_size_t)scratch->size);
    ecs__os_advise_huge(scratch->memory, scratch->size);
    return scratch->memory;
}

void ecs__scratch_fini(ecs__scratch_t *scratch) {
    ecs_os_free(scratch->memory);
    *scratch = (ecs__scratch_t){ 0 };
}

// ---- values ----

static void reorder_plain(char *data, size_t size, int32_t first, int32_t count,
    const int32_t *from, ecs__scratch_t *scratch) {
    char *sorted = ecs__scratch_ensure(scratch, size * (size_t)count);
    ecs__gather(sorted, data, size, from, count);
    memcpy(data + size * (size_t)first, sorted, size * (size_t)count);
}

static void reorder_hooked(const ecs_type_info_t *type, char *data, int32_t first, int32_t count,
    const int32_t *from, ecs__scratch_t *scratch) {
    size_t size = (size_t)type->size;
    char *sorted = ecs__scratch_ensure(scratch, size * (size_t)count);
    for (int32_t i = 0; i < count; i++) {
        ecs__value_ctor_move_dtor(
            type, sorted + size * (size_t)i, data + size * (size_t)from[i], 1);
    }
    ecs__value_ctor_move_dtor(type, data + size * (size_t)first, sorted, count);
}

// Records of the entities in rows [first, first + count).
static void follow(const ecs_table_t *table, int32_t first, int32_t count) {
    const ecs__entity_index_t *index = &table->store->entities;
    const ecs_entity_t *entities = table->entities;
    for (int32_t row = first; row < first + count; row++) {
        if (row + AHEAD < first + count)
            __builtin_prefetch(ecs__entity_get(index, entities[row + AHEAD]), 1);
        ecs_record_t *record = ecs__entity_get(index, entities[row]);
        record->row = (record->row & ECS_ROW_FLAGS_MASK) | (uint32_t)row;
    }
}

void ecs__table_reorder(ecs_table_t *table, int32_t first, int32_t count, const int32_t *from,
    ecs__scratch_t *scratch) {
    for (int32_t c = 0; c < table->column_count; c++) {
        const ecs__column_t *meta = &table->columns[c];
        if (meta->has_hooks)
            reorder_hooked(meta->type_info, table->data[c], first, count, from, scratch);
        else
            reorder_plain(table->data[c], (size_t)meta->size, first, count, from, scratch);
    }
    if (table->toggle_count) {
        bool *off = ecs__scratch_ensure(scratch, (size_t)count);
        ecs__toggles_reorder(table, first, count, from, off);
    }
    reorder_plain((char *)table->entities, sizeof(ecs_entity_t), first, count, from, scratch);
    follow(table, first, count);
    ecs__table_rows_moved(table, first, count);
}

// ---- moving some rows ----

/** Rows [row, row + count) that stay together. */
typedef struct run_t {
    int32_t row, to, count;
} run_t;

static int32_t limit(const int32_t *rows, int32_t at, int32_t count, int32_t last) {
    return at < count ? rows[at] : last + 1;
}

// Runs of the rows that close up, in order; at most two for each row that goes, and one.
static int32_t find_runs(const ecs__row_moves_t *moves, run_t *runs) {
    int32_t count = 0, gone = 0, come = 0, row = moves->first, to = moves->first;
    while (to <= moves->last) {
        int32_t rows = limit(moves->rows, gone, moves->count, moves->last) - row;
        int32_t room = limit(moves->to, come, moves->count, moves->last) - to;
        if (!rows) {
            row++;
            gone++;
        } else if (!room) {
            to++;
            come++;
        } else {
            int32_t length = ECS_MIN(rows, room);
            runs[count++] = (run_t){ row, to, length };
            row += length;
            to += length;
        }
    }
    return count;
}

static void shift_hooked(const ecs_type_info_t *type, char *data, const run_t *run) {
    size_t size = (size_t)type->size;
    bool is_down = run->to < run->row;
    for (int32_t i = 0; i < run->count; i++) {
        size_t at = (size_t)(is_down ? i : run->count - 1 - i);
        ecs__value_ctor_move_dtor(
            type, data + size * ((size_t)run->to + at), data + size * ((size_t)run->row + at), 1);
    }
}

static void shift(const ecs_type_info_t *type, char *data, size_t size, const run_t *run) {
    if (type)
        shift_hooked(type, data, run);
    else
        memmove(data + size * (size_t)run->to, data + size * (size_t)run->row,
            size * (size_t)run->count);
}

static void move_one(const ecs_type_info_t *type, char *to, char *from, size_t size) {
    if (type)
        ecs__value_ctor_move_dtor(type, to, from, 1);
    else
        memcpy(to, from, size);
}

// Runs that go down make room for those after them, runs that go up for those before. `type` is NULL for plain bytes.
static void move_values(const ecs_type_info_t *type, char *data, size_t size,
    const ecs__row_moves_t *moves, const run_t *runs, int32_t run_count, char *out) {
    for (int32_t i = 0; i < moves->count; i++)
        move_one(type, out + size * (size_t)i, data + size * (size_t)moves->from[i], size);
    for (int32_t r = 0; r < run_count; r++) {
        if (runs[r].to < runs[r].row) shift(type, data, size, &runs[r]);
    }
    for (int32_t r = run_count - 1; r >= 0; r--) {
        if (runs[r].to > runs[r].row) shift(type, data, size, &runs[r]);
    }
    for (int32_t i = 0; i < moves->count; i++)
        move_one(type, data + size * (size_t)moves->to[i], out + size * (size_t)i, size);
}

static size_t largest_value(const ecs_table_t *table) {
    size_t size = sizeof(ecs_entity_t);
    for (int32_t c = 0; c < table->column_count; c++)
        size = ECS_MAX(size, (size_t)table->columns[c].size);
    return size;
}

void ecs__table_move_rows(
    ecs_table_t *table, const ecs__row_moves_t *moves, ecs__scratch_t *scratch) {
    size_t of_runs = (2 * (size_t)moves->count + 1) * sizeof(run_t);
    of_runs = (of_runs + 63) & ~(size_t)63;
    run_t *runs =
        ecs__scratch_ensure(scratch, of_runs + largest_value(table) * (size_t)moves->count);
    char *out = (char *)runs + of_runs;
    int32_t run_count = find_runs(moves, runs);
    for (int32_t c = 0; c < table->column_count; c++) {
        const ecs__column_t *meta = &table->columns[c];
        move_values(meta->has_hooks ? meta->type_info : NULL, table->data[c], (size_t)meta->size,
            moves, runs, run_count, out);
    }
    move_values(NULL, (char *)table->entities, sizeof(ecs_entity_t), moves, runs, run_count, out);
    for (int32_t r = 0; r < run_count; r++) {
        if (runs[r].to != runs[r].row) follow(table, runs[r].to, runs[r].count);
    }
    for (int32_t i = 0; i < moves->count; i++) follow(table, moves->to[i], 1);
    ecs__table_rows_moved(table, moves->first, moves->last - moves->first + 1);
}
