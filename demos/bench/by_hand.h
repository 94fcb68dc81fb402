// SPDX-License-Identifier: MIT
// by_hand: entities as one writes them for a program of two kinds of entities: what ours are compared with, one by one.
//
// It keeps what a program can see of ours: handles say whether their entity still lives, also those that are none; values lie in columns
// without holes. All values are Positions. Numbers of tables and columns are constants where functions are inlined, so that a
// benchmark measures what one would have written for it alone.
#ifndef BENCH_BY_HAND_H
#define BENCH_BY_HAND_H

#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HAND_TABLES = 2, HAND_COLUMNS = 16 };

typedef uint64_t hand_entity_t; // generation << 32 | index of the record

typedef struct {
    uint32_t generation;
    uint32_t place; // row * HAND_TABLES + table
} hand_record_t;

typedef struct {
    hand_entity_t *entities; // with the columns behind
    Position *columns[HAND_COLUMNS];
    uint32_t count, room;
    int32_t column_count;
} hand_table_t;

typedef struct {
    hand_record_t *records;
    uint32_t *dead; // indices of records that nobody has
    uint32_t used, room, dead_count;
    hand_table_t tables[HAND_TABLES];
} hand_t;

/** Nothing is in it; so many columns have the tables. */
hand_t *hand_create(int32_t columns_0, int32_t columns_1);
void hand_free(hand_t *hand);
void hand_grow_records(hand_t *hand);
void hand_grow_table(hand_table_t *table);
/** Delete all entities of a table. */
void hand_clear(hand_t *hand, uint32_t table);
/** The sum of the x of a column. */
double hand_sum(const hand_table_t *table, int32_t column);

/** The record of an entity, or NULL if it does not live. */
static inline hand_record_t *hand_find(const hand_t *hand, hand_entity_t entity) {
    uint32_t index = (uint32_t)entity;
    if (index >= hand->used) return NULL;
    hand_record_t *record = &hand->records[index];
    return record->generation == entity >> 32 ? record : NULL;
}

/** A column's value of an entity of a table, or NULL. */
static inline Position *hand_get(
    const hand_t *hand, hand_entity_t entity, uint32_t table, int32_t column) {
    const hand_record_t *record = hand_find(hand, entity);
    if (!record || record->place % HAND_TABLES != table) return NULL;
    return &hand->tables[table].columns[column][record->place / HAND_TABLES];
}

static inline uint32_t hand_append(
    hand_t *hand, hand_record_t *record, hand_entity_t entity, uint32_t table) {
    hand_table_t *to = &hand->tables[table];
    if (to->count == to->room) hand_grow_table(to);
    uint32_t row = to->count++;
    to->entities[row] = entity;
    record->place = row * HAND_TABLES + table;
    return row;
}

// The last row takes the place of one that goes.
static inline void hand_close(hand_t *hand, uint32_t table, int32_t columns, uint32_t row) {
    hand_table_t *from = &hand->tables[table];
    uint32_t last = --from->count;
    if (row == last) return;
    for (int32_t c = 0; c < columns; c++) from->columns[c][row] = from->columns[c][last];
    hand_entity_t moved = from->entities[row] = from->entities[last];
    hand->records[(uint32_t)moved].place = row * HAND_TABLES + table;
}

/** A new entity in a table, its values zero. */
static inline hand_entity_t hand_new(hand_t *hand, uint32_t table, int32_t columns) {
    if (!hand->dead_count && hand->used == hand->room) hand_grow_records(hand);
    uint32_t index = hand->dead_count ? hand->dead[--hand->dead_count] : hand->used++;
    hand_record_t *record = &hand->records[index];
    hand_entity_t entity = (uint64_t)record->generation << 32 | index;
    uint32_t row = hand_append(hand, record, entity, table);
    for (int32_t c = 0; c < columns; c++) {
        hand->tables[table].columns[c][row] = (Position){ 0, 0 };
    }
    return entity;
}

// Its handles are dead from now on, its record is for another.
static inline void hand_bury(hand_t *hand, hand_entity_t entity) {
    hand->records[(uint32_t)entity].generation++;
    hand->dead[hand->dead_count++] = (uint32_t)entity;
}

/** False if it did not live. */
static inline bool hand_delete(
    hand_t *hand, hand_entity_t entity, uint32_t table, int32_t columns) {
    const hand_record_t *record = hand_find(hand, entity);
    if (!record) return false;
    hand_close(hand, table, columns, record->place / HAND_TABLES);
    hand_bury(hand, entity);
    return true;
}

/** To another table; a column more or less is the last one, `value` is for one that is new. False if it is not in the first. */
static inline bool hand_move(hand_t *hand, hand_entity_t entity, uint32_t from, int32_t columns,
    uint32_t to, int32_t to_columns, Position value) {
    hand_record_t *record = hand_find(hand, entity);
    if (!record || record->place % HAND_TABLES != from) return false;
    uint32_t row = record->place / HAND_TABLES;
    uint32_t new_row = hand_append(hand, record, entity, to);
    int32_t shared = columns < to_columns ? columns : to_columns;
    for (int32_t c = 0; c < shared; c++) {
        hand->tables[to].columns[c][new_row] = hand->tables[from].columns[c][row];
    }
    if (to_columns > columns) hand->tables[to].columns[columns][new_row] = value;
    hand_close(hand, from, columns, row);
    return true;
}

#ifdef __cplusplus
}
#endif
#endif
