// SPDX-License-Identifier: MIT
#include "storage/table_bulk.h"

#include <string.h>

#include "id/type_info.h"
#include "storage/store.h"

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
        gather(dst, src, size, rows->rows, rows->count, 0);
}

// ---- leaving ----

// The rows that are left when all have gone that go, and nobody has come, end here.
static int32_t first_moved(const ecs__bulk_t *bulk) { return bulk->src->count - bulk->count; }

// One after the other: the last row takes the place of each that goes. From the first on that is one of the last rows, which row is where
// has to be known. These are counted from there, like their places; those who come follow them.
static void follow_the_last(ecs__bulk_t *bulk, int32_t i) {
    const int32_t count = bulk->count, going = count - bulk->comers, first = first_moved(bulk);
    int32_t *fillers = bulk->fillers,
            *held = fillers + count; /* by a place: the row that is there */
    int32_t *places = held + count;  /* of each row; ~n: in the nth hole */
    int32_t end = going - i, comer = going;
    for (int32_t n = 0; n < going; n++) held[n] = places[n] = n;
    for (int32_t n = 0; n < i; n++) places[going - 1 - n] = ~n;
    for (; i < count; i++) {
        fillers[i] = -1;
        if (bulk->rows[i] == ECS__BULK_COMES) {
            bulk->rows[i] = first + comer;
            held[end] = comer;
            places[comer++] = end++;
            continue;
        }
        int32_t last = held[--end], gone = bulk->rows[i] - first;
        int32_t place = gone < 0 ? ~i : places[gone];
        if (last == gone) continue;
        places[last] = place;
        if (place < 0)
            fillers[~place] = first + last;
        else
            held[place] = last;
    }
    bulk->kept = end;
}

static void find_fillers(ecs__bulk_t *bulk) {
    const int32_t count = bulk->count, first = first_moved(bulk), *rows = bulk->rows;
    int32_t holes = 0, i = 0;
    for (int32_t n = 0; n < count; n++) holes += rows[n] < first;
    bulk->has_holes = holes;
    if (!holes && !bulk->comers) return;
    for (; !bulk->comers && i < count && rows[i] < first; i++)
        bulk->fillers[i] = first + count - 1 - i;
    if (i < count) follow_the_last(bulk, i);
}

// Stores to lines that are not in cache wait for each other, so these are asked for before they are needed.
#define AHEAD 16
#define LATER(i) ECS_MIN((i) + AHEAD, count - 1)

#define FILL(bytes)                                                                           \
    for (int32_t i = 0; i < count; i++) {                                                     \
        __builtin_prefetch(data + (size_t)rows[LATER(i)] * (bytes), 1);                       \
        if (fillers[i] < 0) continue;                                                         \
        memcpy(data + (size_t)rows[i] * (bytes), data + (size_t)fillers[i] * (bytes), bytes); \
    }

static void fill(
    char *data, size_t size, const int32_t *rows, const int32_t *fillers, int32_t count) {
    switch (size) {
    case 4: FILL(4) break;
    case 8: FILL(8) break;
    case 12: FILL(12) break;
    case 16: FILL(16) break;
    default: FILL(size)
    }
}

static void fill_rows(
    ecs_table_t *src, const int32_t *rows, const int32_t *fillers, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        __builtin_prefetch(&src->entities[rows[LATER(i)]], 1);
        if (fillers[i] < 0) continue;
        ecs_entity_t moved = src->entities[rows[i]] = src->entities[fillers[i]];
        ecs__record_shift(src, moved, (uint32_t)rows[i]);
    }
    for (int32_t c = 0; c < src->column_count; c++)
        fill(src->data[c], (size_t)src->columns[c].size, rows, fillers, count);
}

// Who came stays between those who were there, and nobody takes a place behind his own: who is in a place has left it when it is taken.
static void close_up(ecs__bulk_t *bulk) {
    const int32_t first = first_moved(bulk);
    int32_t *rows = bulk->rows, *held = bulk->fillers + bulk->count, count = 0;
    for (int32_t place = 0; place < bulk->kept; place++) {
        if (held[place] == place) continue;
        rows[count] = first + place;
        held[count++] = first + held[place];
    }
    fill_rows(bulk->src, rows, held, count);
}

// ---- arriving ----

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

static void zero_columns(
    const ecs_table_t *table, ecs__column_set_t except, int32_t row, int32_t count) {
    for (int32_t c = 0; c < table->column_count; c++) {
        if (except & ecs__column_bit(c)) continue;
        memset(ecs__table_cell(table, c, row), 0, (size_t)table->columns[c].size * (size_t)count);
    }
}

static void copy_columns(const ecs__bulk_t *bulk, int32_t to, const rows_t *moved) {
    const ecs_table_t *dst = bulk->dst, *src = bulk->src;
    copy_rows(&dst->entities[to], src->entities, sizeof(ecs_entity_t), moved);
    for (int32_t d = 0, s = 0; next_shared(dst, &d, src, &s); d++, s++) {
        if (bulk->given & ecs__column_bit(d)) continue;
        copy_rows(ecs__table_cell(dst, d, to), src->data[s], (size_t)dst->columns[d].size, moved);
    }
}

// As ecs__record_move, but what the table says is asked once: 4 instructions less for each row.
static void settle(ecs_table_t *table, int32_t row, int32_t count) {
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

static void arrive(const ecs__bulk_t *bulk, int32_t begin, int32_t count) {
    const int32_t to = bulk->to + begin;
    ecs__column_set_t shared = bulk->src ? shared_columns(bulk->dst, bulk->src) : 0;
    zero_columns(bulk->dst, bulk->given | shared, to, count);
    if (bulk->src) {
        const int32_t *rows = bulk->rows + begin;
        copy_columns(bulk, to, &(rows_t){ rows, count, is_sequence(rows, count) });
    }
    settle(bulk->dst, to, count);
}

// ---- the whole ----

// What entities bring along that says more than their records, dst has from now on: parts write nothing that concerns all.
static void expect(ecs_table_t *dst, const ecs_table_t *src) {
    if (src->has_marks) dst->has_marks = true;
    if (!ecs__table_is_short(src) && ecs__table_is_short(dst))
        ecs__table_lengthen(dst, ECS__LINE_SHOWN);
}

void ecs__bulk_begin(ecs__bulk_t *bulk) {
    ecs_table_t *dst = bulk->dst, *src = bulk->src;
    if (dst) {
        bulk->to = dst->count;
        ecs__table_make_room(dst, bulk->to + bulk->count);
        ecs__table_set_count(dst, bulk->to + bulk->count);
    }
    if (dst && src) expect(dst, src);
    if (src && !bulk->leaves_rows) find_fillers(bulk);
    bool is_short = (!dst || ecs__table_is_short(dst)) && (!src || ecs__table_is_short(src));
    if (!is_short) ecs__entity_make_shown(dst ? &dst->store->entities : &src->store->entities);
}

// No part writes what another reads: a row is copied before its hole is filled, and fillers are rows that stay.
void ecs__bulk_part(const ecs__bulk_t *bulk, int32_t begin, int32_t end) {
    if (bulk->dst) arrive(bulk, begin, end - begin);
    if (bulk->src && bulk->has_holes)
        fill_rows(bulk->src, bulk->rows + begin, bulk->fillers + begin, end - begin);
}

void ecs__bulk_end(ecs__bulk_t *bulk) {
    if (!bulk->src || bulk->leaves_rows) return;
    if (bulk->comers) close_up(bulk);
    ecs__table_set_count(bulk->src, bulk->src->count - (bulk->count - bulk->comers));
}
