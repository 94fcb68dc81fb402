// SPDX-License-Identifier: MIT
// by_hand: see by_hand.h.
#include "by_hand.h"

#include <stdlib.h>
#include <string.h>

// Rows between the beginnings of columns beyond those there is room for: rows of many columns would share few sets of a cache otherwise.
enum { APART = 3 * 64 / sizeof(Position) };

hand_t *hand_create(int32_t columns_0, int32_t columns_1) {
    hand_t *hand = bench_array(1, sizeof *hand);
    hand->tables[0].column_count = columns_0;
    hand->tables[1].column_count = columns_1;
    return hand;
}

void hand_free(hand_t *hand) {
    for (int32_t t = 0; t < HAND_TABLES; t++) free(hand->tables[t].entities);
    free(hand->records);
    free(hand->dead);
    free(hand);
}

static void *grow(void *old, size_t count, size_t room, size_t size) {
    void *larger = bench_array(room, size);
    if (old) memcpy(larger, old, count * size);
    free(old);
    return larger;
}

void hand_grow_records(hand_t *hand) {
    uint32_t room = hand->room ? 2 * hand->room : 1024;
    hand->records = grow(hand->records, hand->room, room, sizeof *hand->records);
    hand->dead = realloc(hand->dead, room * sizeof *hand->dead);
    if (!hand->dead) abort();
    hand->room = room;
}

void hand_grow_table(hand_table_t *table) {
    uint32_t room = table->room ? 2 * table->room : 1024;
    size_t stride = room + APART, columns = (size_t)table->column_count;
    hand_entity_t *entities = bench_array(stride * (1 + columns), sizeof *entities);
    if (table->room) memcpy(entities, table->entities, table->room * sizeof *entities);
    for (size_t c = 0; c < columns; c++) {
        Position *column = (Position *)(entities + stride * (c + 1));
        if (table->room) memcpy(column, table->columns[c], table->room * sizeof *column);
        table->columns[c] = column;
    }
    free(table->entities);
    table->entities = entities;
    table->room = room;
}

void hand_clear(hand_t *hand, uint32_t table) {
    hand_table_t *from = &hand->tables[table];
    for (uint32_t i = 0; i < from->count; i++) hand_bury(hand, from->entities[i]);
    from->count = 0;
}

double hand_sum(const hand_table_t *table, int32_t column) {
    double sum = 0;
    for (uint32_t i = 0; i < table->count; i++) sum += (double)table->columns[column][i].x;
    return sum;
}
