// SPDX-License-Identifier: MIT
#include "storage/table_order.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "base/apart.h"
#include "base/os_posix.h"
#include "id/type_info.h"
#include "storage/id_range.h"
#include "storage/table_bulk.h"
#include "storage/toggle.h"
#include "storage/watch.h"

#define AHEAD 32 /* records to ask for before they are needed */
// Percent of all records from which on passing all costs less than asking for each; and where the new place needs no list.
#define SWEEP 75
#define SWEEP_RUN 10

// ---- scratch ----

static void *begin_of(const ecs__scratch_t *scratch) {
    return (void *)ECS_ALIGN((uintptr_t)scratch->memory, ECS__BLOCK_ALIGNMENT);
}

void *ecs__scratch_ensure(ecs__scratch_t *scratch, size_t size) {
    if (size <= scratch->size) return begin_of(scratch);
    ecs_os_free(scratch->memory);
    scratch->size = ECS_MAX(size, 2 * scratch->size);
    scratch->memory = ecs_os_malloc_n(char, (int64_t)(scratch->size + ECS__BLOCK_ALIGNMENT));
    ecs__os_advise_huge(scratch->memory, scratch->size);
    return begin_of(scratch);
}

void ecs__scratch_fini(ecs__scratch_t *scratch) {
    ecs_os_free(scratch->memory);
    *scratch = (ecs__scratch_t){ 0 };
}

// ---- values ----

static void reorder_plain(char *data, size_t size, int32_t first, int32_t count,
    const int32_t *from, ecs__scratch_t *scratch) {
    char *sorted = ecs__scratch_ensure(scratch, size * (size_t)count);
    ecs__gather_far(sorted, data, size, from, count);
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

// ---- records ----

// Records of the entities in rows [first, first + count).
static void follow(ecs_table_t *table, int32_t first, int32_t count) {
    const ecs__entity_index_t *index = &table->store->entities;
    const ecs_entity_t *entities = table->entities;
    for (int32_t row = first; row < first + count; row++) {
        if (row + AHEAD < table->count)
            __builtin_prefetch(ecs__record_of(index, entities[row + AHEAD]), 1);
        ecs__record_shift(table, entities[row], (uint32_t)row);
    }
}

// Each record that is asked for is another line of memory. If that many are, going through all of them, which lie in the order of ids,
// costs less. Records must say all there is to say.
static bool may_sweep(const ecs_table_t *table, int32_t count, int32_t percent) {
    const ecs__entity_index_t *index = &table->store->entities;
    if (!ecs__table_is_short(table)) return false;
    return (int64_t)count * 100 > (int64_t)ecs__id_ranges_high(index) * percent;
}

#define LINE_MASK (ECS__RECORD_LINES - 1)
#define ONE_ROW ECS__RECORD_LINES /* above the line */

// How far a record is, in row and line, from that of a row of the table. Neither generation nor marks matter.
static inline uint64_t distance(const ecs__record_t *record, uint64_t from) {
    return (record->bits >> ECS__RECORD_LINE) - from;
}

static inline uint64_t from_row(const ecs_table_t *table, int32_t row) {
    return (uint64_t)row * ONE_ROW + ((uint64_t)table->line >> ECS__RECORD_LINE);
}

// The same for rows that moved from [first, first + count): row `first + i` to `to[i]`.
static void sweep(const ecs_table_t *table, int32_t first, int32_t count, const int32_t *to) {
    const ecs__entity_index_t *index = &table->store->entities;
    const uint64_t from = from_row(table, first);
    ecs__record_t *record = index->records, *end = record + ecs__id_ranges_high(index);
    for (; record != end; record++) {
        const uint64_t far = distance(record, from);
        if (far & LINE_MASK || far >= (uint64_t)count * ONE_ROW) continue;
        record->bits &= ((uint64_t)1 << ECS__RECORD_ROW) - 1;
        record->bits |= (uint64_t)to[far / ONE_ROW] << ECS__RECORD_ROW;
    }
}

// The same for one run. Which entities are in it is not to be foreseen, so compilers are left nothing to branch on: the sign of `moved`
// says that the line is the same and the row in the run.
static inline void pass_run(
    ecs__record_t *record, const ecs__record_t *end, uint64_t from, uint64_t count, uint64_t by) {
    for (; record != end; record++) {
        const uint64_t far = distance(record, from);
        const uint64_t moved = ((far & LINE_MASK) - 1) & (far - count) & ~far;
        record->bits += (uint64_t)((int64_t)moved >> 63) & by;
    }
}

// Most processors have vectors of four records, which takes half the time.
#if defined(__x86_64__)
__attribute__((target("avx2"))) static void pass_run_wide(
    ecs__record_t *record, const ecs__record_t *end, uint64_t from, uint64_t count, uint64_t by) {
    pass_run(record, end, from, count, by);
}
#define HAS_WIDE() __builtin_cpu_supports("avx2")
#else
#define pass_run_wide pass_run
#define HAS_WIDE() false
#endif

static void sweep_run(const ecs_table_t *table, const ecs__row_run_t *run) {
    const ecs__entity_index_t *index = &table->store->entities;
    ecs__record_t *record = index->records, *end = record + ecs__id_ranges_high(index);
    const uint64_t from = from_row(table, run->row), count = (uint64_t)run->count * ONE_ROW;
    const uint64_t by = ((uint64_t)run->to - (uint64_t)run->row) << ECS__RECORD_ROW;
    if (HAS_WIDE())
        pass_run_wide(record, end, from, count, by);
    else
        pass_run(record, end, from, count, by);
}

// Room for the places that rows go to, and for a bit of each.
static int32_t *places(ecs__scratch_t *scratch, int32_t count) {
    return ecs__scratch_ensure(scratch, (sizeof(int32_t) + sizeof(bool)) * (size_t)count);
}

// ---- another order ----

void ecs__table_reorder(ecs_table_t *table, int32_t first, int32_t count, const int32_t *from,
    ecs__scratch_t *scratch) {
    for (int32_t c = 0; c < table->column_count; c++) {
        const ecs__column_t *meta = &table->columns[c];
        if (meta->has_hooks)
            reorder_hooked(meta->type_info, table->data[c], first, count, from, scratch);
        else
            reorder_plain(table->data[c], (size_t)meta->size, first, count, from, scratch);
    }
    reorder_plain((char *)table->entities, sizeof(ecs_entity_t), first, count, from, scratch);
    bool sweeps = may_sweep(table, count, SWEEP);
    if (sweeps || table->toggles) {
        int32_t *to = places(scratch, count);
        for (int32_t i = 0; i < count; i++) {
            __builtin_prefetch(&to[from[ECS_MIN(i + AHEAD, count - 1)] - first], 1);
            to[from[i] - first] = first + i;
        }
        ecs__toggles_reorder(table, first, count, to, (bool *)(to + count));
        if (sweeps) sweep(table, first, count, to);
    }
    if (!sweeps) follow(table, first, count);
    ecs__table_rows_moved(table, first, count);
}

// ---- moving some rows ----

static void shift_hooked(const ecs_type_info_t *type, char *data, const ecs__row_run_t *run) {
    size_t size = (size_t)type->size;
    bool is_down = run->to < run->row;
    for (int32_t i = 0; i < run->count; i++) {
        size_t at = (size_t)(is_down ? i : run->count - 1 - i);
        ecs__value_ctor_move_dtor(
            type, data + size * ((size_t)run->to + at), data + size * ((size_t)run->row + at), 1);
    }
}

static void shift(const ecs_type_info_t *type, char *data, size_t size, const ecs__row_run_t *run) {
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
static ECS__APART void move_values(const ecs_type_info_t *type, char *data, size_t size,
    const ecs__row_moves_t *moves, ecs__scratch_t *scratch) {
    char *out = ecs__scratch_ensure(scratch, size * (size_t)moves->count);
    const ecs__row_run_t *runs = moves->runs;
    for (int32_t i = 0; i < moves->count; i++)
        move_one(type, out + size * (size_t)i, data + size * (size_t)moves->from[i], size);
    for (int32_t r = 0; r < moves->run_count; r++) {
        if (runs[r].to < runs[r].row) shift(type, data, size, &runs[r]);
    }
    for (int32_t r = moves->run_count - 1; r >= 0; r--) {
        if (runs[r].to > runs[r].row) shift(type, data, size, &runs[r]);
    }
    for (int32_t i = 0; i < moves->count; i++)
        move_one(type, data + size * (size_t)moves->to[i], out + size * (size_t)i, size);
}

// Where each row of the range goes.
static int32_t *list_places(const ecs__row_moves_t *moves, int32_t *to) {
    int32_t row = moves->first;
    for (int32_t r = 0; r < moves->run_count; r++) {
        const ecs__row_run_t *run = &moves->runs[r];
        for (; row < run->row; row++) to[row - moves->first] = row;
        for (int32_t i = 0; i < run->count; i++, row++) to[row - moves->first] = run->to + i;
    }
    for (; row <= moves->last; row++) to[row - moves->first] = row;
    for (int32_t i = 0; i < moves->count; i++) to[moves->from[i] - moves->first] = moves->to[i];
    return to;
}

static void follow_moves(
    ecs_table_t *table, const ecs__row_moves_t *moves, ecs__scratch_t *scratch) {
    int32_t count = moves->last - moves->first + 1;
    if (moves->run_count > 1 && may_sweep(table, count, SWEEP)) {
        sweep(table, moves->first, count, list_places(moves, places(scratch, count)));
        return;
    }
    bool sweeps = moves->run_count == 1 && may_sweep(table, count, SWEEP_RUN);
    for (int32_t r = 0; r < moves->run_count; r++) {
        const ecs__row_run_t *run = &moves->runs[r];
        if (sweeps)
            sweep_run(table, run);
        else
            follow(table, run->to, run->count);
    }
    for (int32_t i = 0; i < moves->count; i++) follow(table, moves->to[i], 1);
}

void ecs__table_move_rows(
    ecs_table_t *table, const ecs__row_moves_t *moves, ecs__scratch_t *scratch) {
    int32_t count = moves->last - moves->first + 1;
    for (int32_t c = 0; c < table->column_count; c++) {
        const ecs__column_t *meta = &table->columns[c];
        move_values(meta->has_hooks ? meta->type_info : NULL, table->data[c], (size_t)meta->size,
            moves, scratch);
    }
    move_values(NULL, (char *)table->entities, sizeof(ecs_entity_t), moves, scratch);
    if (table->toggles) {
        int32_t *to = list_places(moves, places(scratch, count));
        ecs__toggles_reorder(table, moves->first, count, to, (bool *)(to + count));
    }
    follow_moves(table, moves, scratch);
    ecs__table_rows_moved(table, moves->first, count);
}
