// SPDX-License-Identifier: MIT
#include "storage/plain_rows.h"

#include <muster/ecs/world.h>

#include "base/apart.h"
#include "id/type_info.h"
#include "storage/store.h"

// There are no calls where it matters, and columns come last in each function, so that what they need is in registers. Without this,
// compilers would multiply rows with every constant size before they begin.
#define KEEP(a, b) __asm__("" : "+r"(a), "+r"(b))
#define KEEP3(a, b, c) __asm__("" : "+r"(a), "+r"(b), "+r"(c))

// ---- values ----

// 8 to 16 bytes, in halves that may overlap.
static inline void copy_twice(char *into, const char *from, size_t size) {
    uint64_t head, tail;
    memcpy(&head, from, 8);
    memcpy(&tail, from + size - 8, 8);
    memcpy(into, &head, 8);
    memcpy(into + size - 8, &tail, 8);
}

// Row `from` of a column becomes row `to`. The sizes of most components are told apart.
static inline void fill(char *data, size_t size, size_t to, size_t from) {
    if (size == 8) {
        memcpy(data + 8 * to, data + 8 * from, 8);
    } else if (size == 4) {
        memcpy(data + 4 * to, data + 4 * from, 4);
    } else {
        KEEP(to, from);
        ecs__copy_plain(data + size * to, data + size * from, size);
    }
}

static inline void zero(char *data, size_t size, size_t row) {
    if (size == 8)
        memset(data + 8 * row, 0, 8);
    else
        ecs__zero_plain(data + size * row, size);
}

static ECS__APART void move_any(
    char *from, char *into, size_t size, size_t row, size_t last, size_t to) {
    ecs__copy_plain(into + size * to, from + size * row, size);
    ecs__copy_plain(from + size * row, from + size * last, size);
}

// Columns up to the one that the smaller table lacks, then that one, then the rest. Values move on, and the last one
// takes their place, unless they were the last (`at_end`).
static inline __attribute__((always_inline)) void move_columns(const ecs_table_t *src,
    const ecs_table_t *dst, ptrdiff_t lacking, bool adds, bool words, bool at_end, size_t row,
    size_t last, size_t to) {
    const ecs_table_t *larger = adds ? dst : src;
    const ecs__column_t *columns = larger->columns;
    void *const *froms = src->data, *const *intos = dst->data;
    ptrdiff_t count = larger->column_count, end = lacking < 0 ? count : lacking;
    KEEP(froms, intos);
    for (ptrdiff_t c = 0;; c++, end = count) {
        for (; c != end; c++) {
            size_t size = words ? 8 : (size_t)columns[c].size;
            char *from = froms[c], *into = intos[c];
            if (words || size > 8) KEEP3(row, last, to);
            if (size == 8) {
                memcpy(into + 8 * to, from + 8 * row, 8);
                if (!at_end) memcpy(from + 8 * row, from + 8 * last, 8);
            } else if (size == 4) {
                memcpy(into + 4 * to, from + 4 * row, 4);
                if (!at_end) memcpy(from + 4 * row, from + 4 * last, 4);
            } else if (size > 8 && size <= 16) {
                copy_twice(into + size * to, from + size * row, size);
                if (!at_end) copy_twice(from + size * row, from + size * last, size);
            } else {
                move_any(from, into, size, row, last, to);
            }
        }
        if (c == count) return;
        size_t size = words ? 8 : (size_t)columns[c].size;
        if (adds) {
            zero(intos[c], size, to);
            froms--;
        } else {
            if (!at_end) fill(froms[c], size, row, last);
            intos--;
        }
    }
}

// ---- rows ----

// The last entity takes the place of another.
static inline void replace_entity(const ecs_table_t *table, size_t row, size_t last) {
    ecs_entity_t moved = table->entities[row] = table->entities[last];
    ecs__record_t *record = ecs__record_of(&table->store->entities, moved);
    ecs__record_write(record, moved, table, (uint32_t)row, table->has_marks);
}

// Whether nobody has to be told when the count of the table becomes or ceases to be this.
static inline bool is_untold(const ecs_table_t *table, size_t count) {
    return count || table->flags & ECS__TABLE_IS_PASSAGE;
}

// `words`: all columns have 8 bytes; what fits any size takes longer. `at_end`: it is known to be the last row.
static inline __attribute__((always_inline)) void move_row_from(ecs__record_t *record,
    ecs_entity_t entity, const ecs__hop_t *hop, bool adds, bool words, bool at_end) {
    ecs_table_t *src = hop->source, *dst = hop->edge->target;
    size_t row = ecs__record_near_row(record), last = (size_t)src->count - 1;
    size_t to = (size_t)dst->count;
    dst->entities[to] = entity;
    if (!at_end && row != last) replace_entity(src, row, last);
    ecs__record_write(record, entity, dst, (uint32_t)to, false);
    dst->count = (int32_t)to + 1;
    src->count = (int32_t)last;
    src->store->structure_stamp++;
    move_columns(src, dst, hop->edge->column, adds, words, at_end, row, last, to);
}

// New entities, to which one id after the other is added, are in the last row.
static inline __attribute__((always_inline)) void move_row(
    ecs__record_t *record, ecs_entity_t entity, const ecs__hop_t *hop, bool adds, bool words) {
    if (adds && (int32_t)ecs__record_near_row(record) == hop->source->count - 1)
        move_row_from(record, entity, hop, adds, words, true);
    else
        move_row_from(record, entity, hop, adds, words, false);
}

// Tables of columns of any size.
static ECS__APART void add_row(ecs__record_t *record, ecs_entity_t entity, const ecs__hop_t *hop) {
    move_row(record, entity, hop, true, false);
}

static ECS__APART void drop_row(ecs__record_t *record, ecs_entity_t entity, const ecs__hop_t *hop) {
    move_row(record, entity, hop, false, false);
}

// Nobody has to be told of counts, and there is room.
static inline bool has_way(const ecs__hop_t *hop) {
    const ecs_table_t *src = hop->source, *dst = hop->edge->target;
    return is_untold(src, (size_t)src->count - 1) && is_untold(dst, (size_t)dst->count) &&
           dst->count < dst->size;
}

// The record tells all, too.
static inline bool is_short(const ecs__record_t *record, const ecs__hop_t *hop) {
    return has_way(hop) && !(record->bits & ECS__RECORD_MARKED);
}

// Marks stay. That users look at the record is none of them, as the table is short.
static ECS__APART void move_any_row(
    ecs__record_t *record, ecs_entity_t entity, const ecs__hop_t *hop, bool adds) {
    ecs_table_t *src = hop->source, *dst = hop->edge->target;
    if (!has_way(hop)) {
        const ecs__spot_t spot = ecs__entity_spot(&src->store->entities, entity);
        ecs__table_move_row(dst, src, spot.row, true);
        return;
    }
    dst->has_marks = true;
    move_row_from(record, entity, hop, adds, false, false);
    record->bits |= ECS__RECORD_MARKED;
}

void ecs__plain_row_add(ecs__record_t *record, ecs_entity_t entity, const ecs__hop_t *hop) {
    if (!is_short(record, hop))
        move_any_row(record, entity, hop, true);
    else if (hop->edge->target->has_words)
        move_row(record, entity, hop, true, true);
    else
        add_row(record, entity, hop);
}

void ecs__plain_row_drop(ecs__record_t *record, ecs_entity_t entity, const ecs__hop_t *hop) {
    if (!is_short(record, hop))
        move_any_row(record, entity, hop, false);
    else if (hop->source->has_words)
        move_row(record, entity, hop, false, true);
    else
        drop_row(record, entity, hop);
}

static ECS__APART void delete_last(ecs_table_t *table, int32_t row, ecs_entity_t entity) {
    ecs__table_remove_row(table, row, false);
    ecs__entity_free(&table->store->entities, entity);
}

// Tables of columns of any size.
static ECS__APART void close_columns(const ecs_table_t *table, size_t row, size_t last) {
    const ecs__column_t *column = table->columns;
    void *const *data = table->data, *const *end = data + table->column_count;
    for (; data != end; data++, column++) {
        KEEP(row, last);
        fill(*data, (size_t)column->size, row, last);
    }
}

void ecs__plain_row_delete(ecs__store_t *store, ecs__record_t *record, ecs_entity_t entity) {
    ecs_table_t *table = store->deleted_from;
    size_t row = ecs__record_near_row(record), last = (size_t)table->count - 1;
    if (!is_untold(table, last) || !ecs__table_is_short(table) ||
        !ecs__entity_free_quick(&store->entities, entity)) {
        delete_last(table, (int32_t)row, entity);
        return;
    }
    table->count = (int32_t)last;
    store->structure_stamp++;
    if (row == last) return;
    replace_entity(table, row, last);
    if (!table->has_words) {
        close_columns(table, row, last);
        return;
    }
    for (int32_t c = 0; c < table->column_count; c++) fill(table->data[c], 8, row, last);
}

static ECS__APART ecs_entity_t new_first(ecs_table_t *table) {
    int32_t row = ecs__table_append_new(table, 1, NULL, NULL);
    return table->entities[row];
}

static inline bool has_room(const ecs_table_t *table) {
    return is_untold(table, (size_t)table->count) && table->count != table->size &&
           ecs__table_is_short(table);
}

static inline void begin_row(ecs_table_t *table, ecs_entity_t entity) {
    ecs__store_t *store = table->store;
    const size_t row = (size_t)table->count;
    table->entities[row] = entity;
    ecs__record_write(
        ecs__record_of(&store->entities, entity), entity, table, (uint32_t)row, false);
    table->count = (int32_t)row + 1;
    store->structure_stamp++;
    store->entities.alive_count++;
    if (store->info) store->info->id_create_total++;
    const ecs__column_t *column = table->columns;
    void *const *data = table->data, *const *end = data + table->column_count;
    for (; data != end; data++, column++) zero(*data, (size_t)column->size, row);
}

ecs_entity_t ecs__plain_row_new(ecs_table_t *table) {
    if (!has_room(table)) return new_first(table);
    ecs_entity_t entity = ecs__entity_new_quick(&table->store->entities);
    if (!entity) return new_first(table);
    begin_row(table, entity);
    return entity;
}

int32_t ecs__plain_row_begin(ecs_table_t *table, ecs_entity_t entity) {
    if (!has_room(table)) return ecs__store_place(table->store, table, &entity, 1);
    begin_row(table, entity);
    return table->count - 1;
}
