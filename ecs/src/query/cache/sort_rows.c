// SPDX-License-Identifier: MIT
#include "query/cache/sort_rows.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "base/bisect.h"

#define PATIENCE 8 /* rows in a row that are out of order, before those before them are blamed */
#define FEW 64
#define NEAR 512 /* rows between two searches that are looked at as one */
#define AHEAD 16 /* rows to ask for before they are compared */

void ecs__sorter_fini(ecs__sorter_t *sorter) {
    ecs__scratch_fini(&sorter->rows);
    ecs__scratch_fini(&sorter->more);
    ecs__scratch_fini(&sorter->lists);
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

// ---- sorting some rows ----

static void ask_for(const ecs__sorter_t *sorter, int32_t row) {
    __builtin_prefetch(&sorter->entities[row]);
    if (sorter->data) __builtin_prefetch(ecs__sorter_value(sorter, row));
}

static bool are_in_order(const ecs__sorter_t *sorter, const int32_t *rows, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        ask_for(sorter, rows[ECS_MIN(i + AHEAD, count - 1)]);
        int result = ecs__compare_rows(sorter, rows[i - 1], rows[i]);
        if (result > 0 || (!result && rows[i - 1] > rows[i])) return false;
    }
    return true;
}

// Rows that ascend, in their order.
static void sort_some(ecs__sorter_t *sorter, const int32_t *rows, int32_t *sorted, int32_t count) {
    size_t size = (size_t)count * sizeof(int32_t);
    memcpy(sorted, rows, size);
    if (!sorter->has_no_key && ecs__sort_by_key(sorter, sorted, count)) {
        if (are_in_order(sorter, sorted, count)) return;
        memcpy(sorted, rows, size);
    }
    ecs__sort_by_comparing(sorter, sorted, memory_for(&sorter->more, count), count);
}

// ---- merging changed rows in ----

typedef struct merge_t {
    const ecs__sorter_t *sorter;
    const int32_t *changed; /* rows, ascending */
    int32_t changed_count, count;
    /* of what was merged: */
    int32_t row;   /* first that may be in line */
    int32_t left;  /* first changed row that is not before it */
    int32_t to;    /* where the next one goes */
    int32_t asked; /* rows whose lines were asked for */
    ecs__row_moves_t moves;
} merge_t;

// Does a row that is in line come before a changed one? Equal ones stay as they were.
static bool stays_before(const merge_t *merge, int32_t row, int32_t changed) {
    int32_t order = ecs__compare_rows(merge->sorter, row, changed);
    return order < 0 || (!order && row < changed);
}

static void merge_run(merge_t *merge, int32_t end) {
    ecs__row_run_t run = { merge->row, merge->to, end - merge->row };
    if (run.to != run.row && run.count) merge->moves.runs[merge->moves.run_count++] = run;
    merge->row = end;
    merge->to += run.count;
}

// The next run of rows that are in line; false if there is none.
static bool next_run(merge_t *merge, int32_t *end) {
    while (merge->left < merge->changed_count && merge->changed[merge->left] == merge->row) {
        merge->left++;
        merge->row++;
    }
    *end = merge->left < merge->changed_count ? merge->changed[merge->left] : merge->count;
    return merge->row < *end;
}

// What the next searches look at, if they come close behind each other.
static void ask_ahead(merge_t *merge, int32_t distance) {
    const ecs__sorter_t *sorter = merge->sorter;
    if (distance > NEAR) return;
    int32_t end = ECS_MIN(merge->row + 4 * distance, merge->count);
    merge->asked = ECS_MAX(merge->asked, merge->row);
    for (; merge->asked < end; merge->asked += 8) ask_for(sorter, merge->asked);
}

// Rows that come before a changed one. How many they are is guessed from how many are left.
static void merge_before(merge_t *merge, int32_t changed, int32_t changed_left) {
    for (int32_t end; next_run(merge, &end);) {
        if (stays_before(merge, end - 1, changed)) {
            merge_run(merge, end);
            continue;
        }
        ecs__bisect_t search = ecs__gallop(merge->row, end - 1);
        search.step = (merge->count - merge->row) / changed_left + 1;
        ask_ahead(merge, search.step);
        while (ecs__bisect_asks(&search))
            ecs__bisect_answer(&search, stays_before(merge, search.at, changed));
        merge_run(merge, search.low);
        return;
    }
}

static void merge_row(merge_t *merge, int32_t row) {
    ecs__row_moves_t *moves = &merge->moves;
    int32_t to = merge->to++;
    if (row == to) return;
    moves->first = ECS_MIN(moves->first, ECS_MIN(row, to));
    moves->last = ECS_MAX(moves->last, ECS_MAX(row, to));
    moves->from[moves->count] = row;
    moves->to[moves->count++] = to;
}

// `changed` lists rows that ascend; there is room behind it, see list_changed.
static void merge_changed(
    ecs__sorter_t *sorter, ecs_table_t *table, int32_t *changed, int32_t count) {
    int32_t *sorted = changed + count;
    sort_some(sorter, changed, sorted, count);
    merge_t merge = { .sorter = sorter,
        .changed = changed,
        .changed_count = count,
        .count = table->count,
        .moves = { .first = INT32_MAX,
            .last = -1,
            .from = sorted, // those that move are not more than those that were merged
            .to = sorted + count,
            .runs = (ecs__row_run_t *)(void *)(sorted + 2 * count) } };
    for (int32_t i = 0; i < count; i++) {
        merge_before(&merge, sorted[i], count - i);
        merge_row(&merge, sorted[i]);
    }
    for (int32_t end; next_run(&merge, &end);) merge_run(&merge, end);
    if (merge.moves.count && ecs__table_check_unlocked(table))
        ecs__table_move_rows(table, &merge.moves, &sorter->values);
}

// ---- sorting all rows ----

// Rows were sorted by a key: are they in the order of the callback? `order` says what they were before.
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
    for (int32_t row = 0; row < count; row++) order[row] = row;
    if (!sorter->has_no_key && ecs__sort_by_key(sorter, order, count)) {
        ecs__table_reorder(table, 0, count, order, &sorter->values);
        if (is_in_order(sorter, order, count)) return;
        // Compare rows in the order they had, so that equal ones keep it.
        sorter->has_no_key = true;
        int32_t *before = memory_for(&sorter->more, count);
        for (int32_t row = 0; row < count; row++) before[order[row]] = row;
        memcpy(order, before, (size_t)count * sizeof(int32_t));
    }
    ecs__sort_by_comparing(sorter, order, memory_for(&sorter->more, count), count);
    ecs__table_reorder(table, 0, count, order, &sorter->values);
}

// ---- one table ----

// Rows that may be out of place, ascending, in memory that has room for merging them. Bits sort them, and drop those that are listed twice
// or are gone.
static int32_t *list_changed(
    ecs__sorter_t *sorter, const int32_t *rows, int32_t *count, int32_t limit) {
    int32_t first = limit - 1, last = 0;
    for (int32_t i = 0; i < *count; i++) {
        first = ECS_MIN(first, rows[i]);
        last = ECS_MAX(last, rows[i]);
    }
    first >>= 6; // words of bits
    last = ECS_MIN(last, limit - 1) >> 6;
    const size_t bytes = (size_t)(last - first + 1) * sizeof(uint64_t);
    uint64_t *bits = memset(ecs__scratch_ensure(&sorter->more, bytes), 0, bytes);
    for (int32_t i = 0; i < *count; i++) {
        if (rows[i] < limit) bits[(rows[i] >> 6) - first] |= 1ull << (rows[i] & 63);
    }
    const size_t of_row = 3 * sizeof(int32_t) + 2 * sizeof(ecs__row_run_t);
    int32_t *changed =
        ecs__scratch_ensure(&sorter->lists, (size_t)*count * of_row + sizeof(ecs__row_run_t));
    *count = 0;
    for (int32_t w = first; w <= last; w++) {
        for (uint64_t word = bits[w - first]; word; word &= word - 1)
            changed[(*count)++] = (w << 6) + __builtin_ctzll(word);
    }
    return changed;
}

static void sort_changed(
    ecs__sorter_t *sorter, ecs_table_t *table, const int32_t *rows, int32_t count) {
    if (!count) return;
    int32_t *changed = list_changed(sorter, rows, &count, table->count);
    merge_changed(sorter, table, changed, count);
}

static void sort_unknown(ecs__sorter_t *sorter, ecs_table_t *table) {
    int32_t count = table->count, room = 2 * FEW + count / 4;
    scan_t scan = { .kept = memory_for(&sorter->rows, count + room), .room = room };
    scan.dropped = scan.kept + count;
    if (scan_rows(sorter, &scan, count))
        sort_changed(sorter, table, scan.dropped, scan.dropped_count);
    else
        sort_all(sorter, table);
}

void ecs__sort_rows(ecs__sorter_t *sorter, ecs_table_t *table, int32_t column,
    const int32_t *changed, int32_t changed_count) {
    if (table->count < 2) return;
    sorter->entities = table->entities;
    sorter->data = column < 0 ? NULL : table->data[column];
    sorter->size = column < 0 ? 0 : (size_t)table->columns[column].size;
    if (changed)
        sort_changed(sorter, table, changed, changed_count);
    else
        sort_unknown(sorter, table);
}
