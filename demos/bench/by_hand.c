// SPDX-License-Identifier: MIT
// by_hand: see by_hand.h.
#include "by_hand.h"

#include <stdlib.h>
#include <string.h>

static void *grow(void *old, size_t count, size_t room, size_t size) {
    void *larger = bench_array(room, size);
    if (old) memcpy(larger, old, count * size);
    free(old);
    return larger;
}

hand_t *hand_create(int32_t columns_0, int32_t columns_1) {
    hand_t *hand = bench_array(1, sizeof *hand);
    hand->tables[0].column_count = columns_0;
    hand->tables[1].column_count = columns_1;
    hand->used = 1;
    hand_grow_records(hand);
    return hand;
}

void hand_free(hand_t *hand) {
    for (int32_t t = 0; t < HAND_TABLES; t++) {
        const hand_table_t *table = &hand->tables[t];
        for (int32_t c = 0; c < table->column_count; c++) free(table->columns[c]);
        free(table->entities);
    }
    free(hand->records);
    free(hand);
}

void hand_grow_records(hand_t *hand) {
    uint32_t room = hand->room ? 2 * hand->room : 1024;
    hand->records = grow(hand->records, hand->room, room, sizeof *hand->records);
    hand->room = room;
}

void hand_grow_table(hand_table_t *table) {
    uint32_t room = table->room ? 2 * table->room : 1024;
    table->entities = grow(table->entities, table->room, room, sizeof *table->entities);
    for (int32_t c = 0; c < table->column_count; c++) {
        table->columns[c] = grow(table->columns[c], table->room, room, sizeof(Position));
    }
    table->room = room;
}

void hand_clear(hand_t *hand, uint32_t table) {
    hand_table_t *from = &hand->tables[table];
    while (from->count) hand_delete(hand, from->entities[from->count - 1], table, 0);
}

double hand_sum(const hand_table_t *table, int32_t column) {
    double sum = 0;
    for (uint32_t i = 0; i < table->count; i++) sum += (double)table->columns[column][i].x;
    return sum;
}
