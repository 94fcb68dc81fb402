// SPDX-License-Identifier: MIT
#include "storage/table_bulk.h"

#include <string.h>

#include "id/type_info.h"
#include "storage/store.h"

// ---- appending ----

int32_t ecs__rows_append(ecs_table_t *table, int32_t count, ecs__column_set_t given) {
    int32_t row = table->count;
    ecs__table_make_room(table, row + count);
    for (int32_t c = 0; c < table->column_count; c++) {
        if (given & ecs__column_bit(c)) continue;
        memset(ecs__table_cell(table, c, row), 0, (size_t)table->columns[c].size * (size_t)count);
    }
    ecs__table_set_count(table, row + count);
    return row;
}

void ecs__rows_settle(ecs_table_t *table, int32_t row, int32_t count) {
    ecs__entity_index_t *index = &table->store->entities;
    const ecs_entity_t *entities = table->entities;
    const bool is_short = ecs__table_is_short(table);
    for (int32_t i = row; i < row + count; i++) {
        ecs__record_t *record = ecs__record_of(index, entities[i]);
        if (__builtin_expect(is_short && !(record->bits & ECS__RECORD_MARKED), 1))
            ecs__record_write(record, entities[i], table, (uint32_t)i, false);
        else
            ecs__entity_put(index, entities[i], table, i);
    }
}

// ---- copying ----

static bool is_sequence(const int32_t *rows, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        if (rows[i] != rows[0] + i) return false;
    }
    return true;
}

#define GATHER(bytes)                                                                        \
    for (int32_t i = 0; i < count; i++) {                                                    \
        if (ahead)                                                                           \
            __builtin_prefetch(src + (size_t)rows[ECS_MIN(i + ahead, count - 1)] * (bytes)); \
        memcpy(dst + (size_t)i * (bytes), src + (size_t)rows[i] * (bytes), bytes);           \
    }

// The common sizes are constants to the compiler, and how many rows ahead lines are asked for.
static inline void gather(char *dst, const char *src, size_t size, const int32_t *rows,
    int32_t count, const int32_t ahead) {
    switch (size) {
    case 4: GATHER(4) break;
    case 8: GATHER(8) break;
    case 12: GATHER(12) break;
    case 16: GATHER(16) break;
    default: GATHER(size)
    }
}

void ecs__gather(char *dst, const char *src, size_t size, const int32_t *rows, int32_t count) {
    gather(dst, src, size, rows, count, 0);
}

void ecs__gather_far(char *dst, const char *src, size_t size, const int32_t *rows, int32_t count) {
    gather(dst, src, size, rows, count, 64);
}

typedef struct rows_t {
    const int32_t *rows;
    int32_t count;
    bool in_line; /* they follow each other */
} rows_t;

static void copy_rows(void *dst, const void *src, size_t size, const rows_t *rows) {
    if (rows->in_line)
        memcpy(dst, (const char *)src + size * (size_t)rows->rows[0], size * (size_t)rows->count);
    else
        ecs__gather(dst, src, size, rows->rows, rows->count);
}

// ---- removing ----

// Stores to lines that are not in cache wait for each other, so these are asked for before they are needed.
#define AHEAD 16
#define LATER(i) ECS_MIN((i) + AHEAD, count - 1)

// The last row takes the place of each that goes, in order. Afterwards rows[i] is the place that the row took that was last then.
static inline void close_ranks(
    ecs_table_t *table, const ecs_entity_t *gone, int32_t *rows, int32_t count, bool is_short) {
    const ecs__entity_index_t *index = &table->store->entities;
    ecs_entity_t *entities = table->entities;
    for (int32_t i = 0, last = table->count - 1; i < count; i++, last--) {
        __builtin_prefetch(&entities[rows[LATER(i)]], 1);
        const ecs__record_t *record = ecs__record_of(index, gone[i]);
        int32_t row =
            is_short ? (int32_t)ecs__record_near_row(record) : ecs__record_spot(index, record).row;
        rows[i] = row;
        if (row == last) continue;
        ecs_entity_t moved = entities[row] = entities[last];
        if (is_short)
            ecs__record_write(ecs__record_of(index, moved), moved, table, (uint32_t)row, true);
        else
            ecs__record_shift(table, moved, (uint32_t)row);
    }
}

#define FILL(bytes)                                                             \
    for (int32_t i = 0; i < count; i++, last--) {                               \
        __builtin_prefetch(data + (size_t)rows[LATER(i)] * (bytes), 1);         \
        if (rows[i] == (int32_t)last) continue;                                 \
        memcpy(data + (size_t)rows[i] * (bytes), data + last * (bytes), bytes); \
    }

static void fill(char *data, size_t size, size_t last, const int32_t *rows, int32_t count) {
    switch (size) {
    case 4: FILL(4) break;
    case 8: FILL(8) break;
    case 12: FILL(12) break;
    case 16: FILL(16) break;
    default: FILL(size)
    }
}

static bool is_tail(const ecs_table_t *table, const int32_t *rows, int32_t count) {
    const int32_t first = table->count - count; /* 0: all rows go */
    for (int32_t i = 0; first && i < count; i++) {
        if (rows[i] < first) return false;
    }
    return true;
}

void ecs__rows_remove(
    ecs_table_t *table, const ecs_entity_t *entities, int32_t *rows, int32_t count) {
    if (!is_tail(table, rows, count)) {
        if (ecs__table_is_short(table))
            close_ranks(table, entities, rows, count, true);
        else
            close_ranks(table, entities, rows, count, false);
        size_t last = (size_t)table->count - 1;
        for (int32_t c = 0; c < table->column_count; c++)
            fill(table->data[c], (size_t)table->columns[c].size, last, rows, count);
    }
    ecs__table_set_count(table, table->count - count);
}

// ---- moving ----

// Positions of the next column that both tables have; false if there is none. Columns are in type order.
static bool next_shared(
    const ecs_table_t *a, int32_t *a_column, const ecs_table_t *b, int32_t *b_column) {
    while (*a_column < a->column_count && *b_column < b->column_count) {
        ecs_id_t a_id = a->type.array[a->columns[*a_column].type_index];
        ecs_id_t b_id = b->type.array[b->columns[*b_column].type_index];
        if (a_id == b_id) return true;
        if (a_id < b_id)
            ++*a_column;
        else
            ++*b_column;
    }
    return false;
}

static ecs__column_set_t shared_columns(const ecs_table_t *dst, const ecs_table_t *src) {
    ecs__column_set_t shared = 0;
    for (int32_t d = 0, s = 0; next_shared(dst, &d, src, &s); d++, s++)
        shared |= ecs__column_bit(d);
    return shared;
}

int32_t ecs__rows_move(
    ecs_table_t *dst, ecs_table_t *src, int32_t *rows, int32_t count, ecs__column_set_t given) {
    rows_t moved = { rows, count, is_sequence(rows, count) };
    int32_t to = ecs__rows_append(dst, count, given | shared_columns(dst, src));
    copy_rows(&dst->entities[to], src->entities, sizeof(ecs_entity_t), &moved);
    for (int32_t d = 0, s = 0; next_shared(dst, &d, src, &s); d++, s++) {
        if (given & ecs__column_bit(d)) continue;
        copy_rows(ecs__table_cell(dst, d, to), src->data[s], (size_t)dst->columns[d].size, &moved);
    }
    ecs__rows_remove(src, &dst->entities[to], rows, count);
    ecs__rows_settle(dst, to, count);
    return to;
}
