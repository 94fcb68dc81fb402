// SPDX-License-Identifier: MIT
#include "query/cache/sort_rows.h"

#include <stdlib.h>
#include <string.h>

#include <muster/ecs/os.h>

#include "base/bisect.h"

#define PATIENCE 8 /* rows in a row that are out of order, before those before them are blamed */
#define FEW 64

void ecs__sorter_fini(ecs__sorter_t *sorter) {
    ecs__scratch_fini(&sorter->rows);
    ecs__scratch_fini(&sorter->more);
    ecs__scratch_fini(&sorter->values);
}

static int32_t *memory_for(ecs__scratch_t *scratch, int32_t count) {
    return ecs__scratch_ensure(scratch, (size_t)count * sizeof(int32_t));
}

// ---- by comparing ----

#define RUN 8

static void insert_run(const ecs__sorter_t *sorter, int32_t *rows, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        int32_t row = rows[i], at = i;
        for (; at && ecs__compare_rows(sorter, rows[at - 1], row) > 0; at--)
            rows[at] = rows[at - 1];
        rows[at] = row;
    }
}

static void merge_runs(
    const ecs__sorter_t *sorter, const int32_t *from, int32_t *to, int32_t middle, int32_t count) {
    int32_t a = 0, b = middle, at = 0;
    if (middle < count && ecs__compare_rows(sorter, from[middle - 1], from[middle]) > 0) {
        while (a < middle && b < count) {
            bool takes_a = ecs__compare_rows(sorter, from[a], from[b]) <= 0;
            to[at++] = takes_a ? from[a++] : from[b++];
        }
    }
    memcpy(&to[at], &from[a], (size_t)(middle - a) * sizeof(int32_t));
    at += middle - a;
    memcpy(&to[at], &from[b], (size_t)(count - b) * sizeof(int32_t));
}

void ecs__sort_by_comparing(
    const ecs__sorter_t *sorter, int32_t *rows, int32_t *spare, int32_t count) {
    for (int32_t i = 0; i < count; i += RUN) insert_run(sorter, &rows[i], ECS_MIN(RUN, count - i));
    int32_t *from = rows, *to = spare;
    for (int64_t width = RUN; width < count; width *= 2) {
        for (int64_t i = 0; i < count; i += 2 * width) {
            int32_t length = (int32_t)ECS_MIN(2 * width, count - i);
            merge_runs(sorter, &from[i], &to[i], (int32_t)ECS_MIN(width, length), length);
        }
        int32_t *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != rows) memcpy(rows, from, (size_t)count * sizeof(int32_t));
}

// ---- finding what is out of order ----

typedef struct scan_t {
    int32_t *kept, *dropped;
    int32_t kept_count, dropped_count;
    int32_t room;   /* for dropped rows */
    int32_t streak; /* rows dropped since one was kept */
} scan_t;

static int32_t top(const scan_t *scan) { return scan->kept[scan->kept_count - 1]; }

// The row before looks too large: that it follows a smaller one is what makes it so.
static bool drops_previous(const ecs__sorter_t *sorter, const scan_t *scan, int32_t row) {
    return !scan->streak && scan->kept_count > 1 &&
           ecs__compare_rows(sorter, scan->kept[scan->kept_count - 2], row) <= 0;
}

// Several rows after each other are smaller than the last one kept: that one, and others like it, are out of place. Returns where to go
// on.
static int32_t blame_kept(const ecs__sorter_t *sorter, scan_t *scan) {
    scan->dropped_count -= scan->streak;
    int32_t row = scan->dropped[scan->dropped_count];
    scan->streak = 0;
    while (scan->kept_count && scan->dropped_count < scan->room &&
           ecs__compare_rows(sorter, top(scan), row) > 0)
        scan->dropped[scan->dropped_count++] = scan->kept[--scan->kept_count];
    scan->kept[scan->kept_count++] = row;
    return row + 1;
}

static bool is_too_much(const scan_t *scan, int32_t rows) {
    return scan->dropped_count > FEW + rows / 8;
}

// False if too much is out of order for this to be worth it.
static bool scan_rows(const ecs__sorter_t *sorter, scan_t *scan, int32_t count) {
    scan->kept[0] = 0;
    scan->kept_count = 1;
    for (int32_t row = 1; row < count;) {
        if (is_too_much(scan, row)) return false;
        if (ecs__compare_rows(sorter, top(scan), row) <= 0) {
            scan->kept[scan->kept_count++] = row++;
            scan->streak = 0;
        } else if (drops_previous(sorter, scan, row)) {
            scan->dropped[scan->dropped_count++] = top(scan);
            scan->kept[scan->kept_count - 1] = row++;
        } else if (scan->streak < PATIENCE) {
            scan->dropped[scan->dropped_count++] = row++;
            scan->streak++;
        } else {
            row = blame_kept(sorter, scan);
        }
    }
    return !is_too_much(scan, count);
}

// ---- merging changed rows in ----

typedef struct merge_t {
    const int32_t *changed; /* rows, ascending */
    const int32_t *sorted;  /* the same rows in their order */
    const int32_t *kept;    /* the others, ascending; NULL: see kept_row */
    int32_t changed_count, kept_count;
} merge_t;

// Row number `index` of those that are not among the changed.
static int32_t kept_row(const merge_t *merge, int32_t index) {
    if (merge->kept) return merge->kept[index];
    ecs__bisect_t search = ecs__bisect(0, merge->changed_count);
    while (ecs__bisect_asks(&search)) // how many changed rows are before it
        ecs__bisect_answer(&search, merge->changed[search.at] - search.at <= index);
    return index + search.low;
}

// Does a kept row come before a changed one? Equal ones stay as they were.
static bool stays_before(
    const ecs__sorter_t *sorter, const merge_t *merge, int32_t index, int32_t row) {
    int32_t kept = kept_row(merge, index), order = ecs__compare_rows(sorter, kept, row);
    return order < 0 || (!order && kept < row);
}

// Number of kept rows before a changed row; at least `from` are.
static int32_t place_of(
    const ecs__sorter_t *sorter, const merge_t *merge, int32_t from, int32_t row) {
    ecs__bisect_t search = ecs__gallop(from, merge->kept_count);
    while (ecs__bisect_asks(&search))
        ecs__bisect_answer(&search, stays_before(sorter, merge, search.at, row));
    return search.low;
}

// For tables with toggled bits: by the order of all rows in between.
static void reorder_changed(
    ecs__sorter_t *sorter, ecs_table_t *table, const ecs__row_moves_t *moves) {
    int32_t count = moves->last - moves->first + 1, next = 0, gone = 0, row = moves->first;
    int32_t *order = memory_for(&sorter->rows, count);
    for (int32_t i = 0; i < count; i++) {
        if (next < moves->count && moves->to[next] == moves->first + i) {
            order[i] = moves->from[next++];
            continue;
        }
        while (gone < moves->count && moves->rows[gone] <= row) row += moves->rows[gone++] == row;
        order[i] = row++;
    }
    ecs__table_reorder(table, moves->first, count, order, &sorter->values);
}

static void merge_changed(ecs__sorter_t *sorter, ecs_table_t *table, merge_t *merge) {
    int32_t count = merge->changed_count;
    // Lists that were made in the memory for the order give way to it below.
    int32_t *changed = memory_for(&sorter->more, 3 * count), *sorted = changed + count,
            *places = sorted + count;
    memcpy(changed, merge->changed, (size_t)count * sizeof(int32_t));
    memcpy(sorted, merge->changed, (size_t)count * sizeof(int32_t));
    merge->changed = changed;
    ecs__sort_by_comparing(sorter, sorted, places, count);
    merge->sorted = sorted;
    int32_t first = INT32_MAX, last = -1;
    for (int32_t i = 0, before = 0; i < count; i++) {
        before = place_of(sorter, merge, before, sorted[i]);
        places[i] = before + i;
        if (places[i] == sorted[i]) continue;
        first = ECS_MIN(first, ECS_MIN(places[i], sorted[i]));
        last = ECS_MAX(last, ECS_MAX(places[i], sorted[i]));
    }
    if (last < 0 || !ecs__table_check_unlocked(table)) return;
    // What moves lies between: changed rows before and behind are where they were.
    int32_t begin = 0, end = count;
    while (places[begin] < first) begin++;
    while (places[end - 1] > last) end--;
    ecs__row_moves_t moves = { end - begin, changed + begin, sorted + begin, places + begin, first,
        last };
    if (table->toggle_count)
        reorder_changed(sorter, table, &moves);
    else
        ecs__table_move_rows(table, &moves, &sorter->values);
}

// ---- sorting all rows ----

// True if rows, which were sorted by a key, are in the order of the callback; `order` says what they were before.
static bool is_in_order(const ecs__sorter_t *sorter, const int32_t *order, int32_t count) {
    for (int32_t row = 1; row < count; row++) {
        int result = ecs__compare_rows(sorter, row - 1, row);
        if (result > 0 || (!result && order[row - 1] > order[row])) return false;
    }
    return true;
}

static void sort_all(ecs__sorter_t *sorter, ecs_table_t *table) {
    if (!ecs__table_check_unlocked(table)) return;
    int32_t count = table->count, *order = memory_for(&sorter->rows, count);
    if (!sorter->has_no_key && ecs__sort_by_key(sorter, order, count)) {
        ecs__table_reorder(table, 0, count, order, &sorter->values);
        if (is_in_order(sorter, order, count)) return;
        // Compare rows in the order they had, so that equal ones keep it.
        sorter->has_no_key = true;
        int32_t *before = memory_for(&sorter->more, count);
        for (int32_t row = 0; row < count; row++) before[order[row]] = row;
        memcpy(order, before, (size_t)count * sizeof(int32_t));
    } else {
        for (int32_t row = 0; row < count; row++) order[row] = row;
    }
    ecs__sort_by_comparing(sorter, order, memory_for(&sorter->more, count), count);
    ecs__table_reorder(table, 0, count, order, &sorter->values);
}

// ---- one table ----

static int compare_numbers(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static int32_t sort_unique(int32_t *rows, int32_t count, int32_t limit) {
    qsort(rows, (size_t)count, sizeof(int32_t), compare_numbers);
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        bool is_new = !kept || rows[kept - 1] != rows[i];
        if (is_new && rows[i] < limit) rows[kept++] = rows[i];
    }
    return kept;
}

// With many changed rows, listing the others once costs less than counting.
static void list_kept(ecs__sorter_t *sorter, merge_t *merge, int32_t count) {
    if (merge->changed_count < 256) return;
    int32_t *kept = memory_for(&sorter->rows, count), skipped = 0, at = 0;
    for (int32_t row = 0; row < count; row++) {
        bool is_changed = skipped < merge->changed_count && merge->changed[skipped] == row;
        skipped += is_changed;
        kept[at] = row;
        at += !is_changed;
    }
    merge->kept = kept;
}

static void sort_changed(
    ecs__sorter_t *sorter, ecs_table_t *table, const int32_t *changed, int32_t count) {
    if (!count) return;
    merge_t merge = {
        .changed = changed, .changed_count = count, .kept_count = table->count - count
    };
    list_kept(sorter, &merge, table->count);
    merge_changed(sorter, table, &merge);
}

static void sort_unknown(ecs__sorter_t *sorter, ecs_table_t *table) {
    int32_t count = table->count, room = 2 * FEW + count / 4;
    scan_t scan = { .kept = memory_for(&sorter->rows, count + room), .room = room };
    scan.dropped = scan.kept + count;
    if (!scan_rows(sorter, &scan, count)) {
        sort_all(sorter, table);
        return;
    }
    if (!scan.dropped_count) return;
    merge_t merge = { .kept = scan.kept,
        .kept_count = scan.kept_count,
        .changed = scan.dropped,
        .changed_count = sort_unique(scan.dropped, scan.dropped_count, count) };
    merge_changed(sorter, table, &merge);
}

void ecs__sort_rows(ecs__sorter_t *sorter, ecs_table_t *table, int32_t column, int32_t *changed,
    int32_t changed_count) {
    if (table->count < 2) return;
    sorter->entities = table->entities;
    sorter->data = column < 0 ? NULL : table->data[column];
    sorter->size = column < 0 ? 0 : (size_t)table->columns[column].size;
    if (changed)
        sort_changed(sorter, table, changed, sort_unique(changed, changed_count, table->count));
    else
        sort_unknown(sorter, table);
}
