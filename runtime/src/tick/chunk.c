// SPDX-License-Identifier: MIT
#include "tick/chunk.h"

// What a group touches in one quantum fits an L2 cache several times over; its start, some 50 ns,
// must not show. Steps of fused groups stay in an L1 cache.
#define MIN_ROWS 64
#define QUANTUM_BYTES (64 * 1024)
#define STEP_BYTES (16 * 1024)
// A group gets at least so many quanta once it has rows enough, so that heavy systems on few
// rows can be shared out.
#define MIN_QUANTA 8
// What a quantum holds. A row costs its share of the largest quantum of its table; each table
// costs as much as a 64th.
#define CAPACITY 4096
#define TABLE_COST (CAPACITY / 64)

// ---- The list of tables ----

// In the order of ids.
static void add_touched(rt_layout_t *layout, const rt_access_item_t *item) {
    if (item->scope != RT_SCOPE_ROWS && item->scope != RT_SCOPE_ROWS_OR_UP) return;
    int32_t at = layout->touched_count;
    while (at && layout->touched[at - 1].id > item->id) at--;
    if (at && layout->touched[at - 1].id == item->id) return;
    RT_ROOM(layout->touched, layout->touched_count, layout->touched_size);
    rt_touched_t *place = &layout->touched[at];
    memmove(place + 1, place, (size_t)(layout->touched_count++ - at) * sizeof *place);
    *place = (rt_touched_t){ item->id, item->size, ecs_id_is_wildcard(item->id) };
}

static void list_touched(rt_layout_t *layout, rt_system_t *const *systems, int32_t count) {
    layout->touched_count = 0;
    for (int32_t s = 0; s < count; s++) {
        for (int32_t i = 0; i < systems[s]->access.count; i++) {
            add_touched(layout, &systems[s]->access.items[i]);
        }
    }
}

// Goes along both lists of ids.
static ecs_size_t bytes_per_row(
    const rt_layout_t *layout, const ecs_world_t *world, const ecs_table_t *table) {
    const ecs_type_t *type = ecs_table_get_type(table);
    ecs_size_t bytes = 0;
    for (int32_t i = 0, k = 0; i < layout->touched_count; i++) {
        const rt_touched_t *touched = &layout->touched[i];
        while (!touched->is_wide && k < type->count && type->array[k] < touched->id) k++;
        bool has = touched->is_wide ? ecs_table_has_id(world, table, touched->id)
                                    : k < type->count && type->array[k] == touched->id;
        if (has) bytes += touched->size;
    }
    return bytes;
}

static int32_t rows_that_fit(ecs_size_t bytes, ecs_size_t budget) {
    int32_t rows = RT_QUANTUM_MAX_ROWS;
    while (rows > MIN_ROWS && (int64_t)rows * bytes > budget) rows /= 2;
    return rows;
}

// A table that is where it was has as many bytes as before.
static void add_table(
    rt_layout_t *layout, const ecs_world_t *world, const rt_match_t *match, int32_t known) {
    RT_ROOM(layout->tables, layout->table_count, layout->table_size);
    rt_chunk_table_t *table = &layout->tables[layout->table_count];
    if (layout->table_count >= known || table->number != match->number) {
        ecs_size_t bytes = bytes_per_row(layout, world, match->table);
        *table = (rt_chunk_table_t){ match->table, match->number, bytes,
            rows_that_fit(bytes, QUANTUM_BYTES), rows_that_fit(bytes, STEP_BYTES), 0, 0, 0 };
    }
    table->first_span = layout->span_count;
    table->span_count = 0;
    layout->table_count++;
}

// Returns how many of the tables it had for the same systems.
static int32_t reset_tables(
    rt_layout_t *layout, rt_system_t *const *systems, int32_t system_count) {
    bool is_same = layout->systems == systems && layout->system_count == system_count;
    const int32_t known = is_same ? layout->table_count : 0;
    layout->systems = systems;
    layout->system_count = system_count;
    layout->table_count = layout->span_count = layout->next_count = 0;
    layout->yield_empty = false;
    return known;
}

static bool comes_before(rt_next_t a, rt_next_t b) {
    return a.number != b.number ? a.number < b.number : a.system < b.system;
}

// Let the entry at `at` sink to where it belongs.
static void sink(rt_next_t *heap, int32_t count, int32_t at, rt_next_t entry) {
    for (int32_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && comes_before(heap[child + 1], heap[child]);
        if (comes_before(entry, heap[child])) break;
        heap[at] = heap[child];
    }
    heap[at] = entry;
}

// Heap of the first matches of all systems; their lists are in the order of numbers if there are several.
static void begin_heap(rt_layout_t *layout, rt_system_t *const *systems, int32_t count) {
    for (int32_t s = 0; s < count; s++) {
        if (!systems[s]->matches.count) continue;
        RT_ROOM(layout->next, layout->next_count, layout->next_size);
        layout->next[layout->next_count++] =
            (rt_next_t){ systems[s]->matches.list[0].number, s, 0 };
    }
    for (int32_t i = layout->next_count / 2; i--;)
        sink(layout->next, layout->next_count, i, layout->next[i]);
}

static void leave_first(rt_layout_t *layout, const rt_matches_t *matches) {
    rt_next_t first = layout->next[0];
    if (++first.match < matches->count)
        first.number = matches->list[first.match].number;
    else
        first = layout->next[--layout->next_count];
    if (layout->next_count) sink(layout->next, layout->next_count, 0, first);
}

static void add_span(rt_layout_t *layout, rt_span_t span) {
    RT_ROOM(layout->spans, layout->span_count, layout->span_size);
    layout->spans[layout->span_count++] = span;
    layout->tables[layout->table_count - 1].span_count++;
}

void rt__layout_list(
    rt_layout_t *layout, const ecs_world_t *world, rt_system_t *const *systems, int32_t count) {
    const int32_t known = reset_tables(layout, systems, count);
    if (!known) list_touched(layout, systems, count);
    for (int32_t s = 0; s < count; s++) {
        layout->yield_empty |= systems[s]->matches.shows_empty;
    }
    begin_heap(layout, systems, count);
    for (const ecs_table_t *last = NULL; layout->next_count;) {
        const rt_next_t next = layout->next[0];
        const rt_matches_t *matches = &systems[next.system]->matches;
        const rt_match_t *match = &matches->list[next.match];
        if (match->table != last) add_table(layout, world, match, known);
        last = match->table;
        add_span(layout, (rt_span_t){ next.system, match->first, match->count });
        leave_first(layout, matches);
    }
}

// ---- Quanta ----

static void open_quantum(rt_layout_t *layout, int32_t first_row, int32_t last_row) {
    int32_t systems = layout->system_count;
    RT_ROOM(layout->quanta, layout->quantum_count, layout->quantum_size);
    int32_t quantum = layout->quantum_count++;
    if (layout->quantum_count * systems > layout->cut_size) {
        layout->cut_size = layout->quantum_size * systems;
        layout->cuts = ecs_os_realloc_n(layout->cuts, rt_cut_t, layout->cut_size);
    }
    layout->quanta[quantum] = (rt_quantum_t){ first_row, last_row, 0 };
    ecs_os_memset(&layout->cuts[quantum * systems], 0, systems * ECS_SIZEOF(rt_cut_t));
}

// Put a table, or a part of it, into the quantum that was opened last. Matches between those of
// two tables belong to tables without rows; iterators pass over them.
static void put_table(rt_layout_t *layout, int32_t table, bool is_cut) {
    const rt_chunk_table_t *put = &layout->tables[table];
    rt_cut_t *cuts = &layout->cuts[(layout->quantum_count - 1) * layout->system_count];
    for (int32_t i = 0; i < put->span_count; i++) {
        const rt_span_t *span = &layout->spans[put->first_span + i];
        rt_cut_t *cut = &cuts[span->system];
        if (!cut->count) cut->first = span->first;
        cut->count = span->first + span->count - cut->first;
        if (is_cut) cut->head = span->count;
    }
}

// Count rows; returns the largest quantum that leaves MIN_QUANTA of them, a power of two.
static int32_t count_rows(rt_layout_t *layout) {
    int64_t total = 0;
    layout->bytes = 0;
    for (int32_t i = 0; i < layout->table_count; i++) {
        rt_chunk_table_t *table = &layout->tables[i];
        table->rows = ecs_table_count(table->table);
        total += table->rows;
        layout->bytes += (int64_t)table->rows * table->bytes;
    }
    int32_t limit = RT_QUANTUM_MAX_ROWS;
    while (limit > MIN_ROWS && (int64_t)limit * MIN_QUANTA > total) limit /= 2;
    return limit;
}

// A table that is too large for one quantum: full ones, then a rest that may share. Returns the
// room left.
static int32_t cut_table(rt_layout_t *layout, int32_t index, int32_t rows, int32_t step) {
    int32_t row = 0;
    for (; row + step <= rows; row += step) {
        open_quantum(layout, row, row + step);
        put_table(layout, index, true);
        if (layout->bytes > RT_CACHE_BYTES)
            layout->quanta[layout->quantum_count - 1].step = layout->tables[index].step;
    }
    if (row == rows) return 0;
    open_quantum(layout, row, -1);
    put_table(layout, index, true);
    return CAPACITY - (rows - row) * (CAPACITY / step) - TABLE_COST;
}

void rt__layout_cut(rt_layout_t *layout) {
    int32_t limit = count_rows(layout);
    int32_t room = 0; /* in the last quantum */
    layout->quantum_count = 0;
    for (int32_t i = 0; i < layout->table_count; i++) {
        const rt_chunk_table_t *table = &layout->tables[i];
        if (!table->rows && !layout->yield_empty) continue;
        int32_t step = ECS_MIN(table->max_rows, limit);
        if (table->rows > step) {
            room = cut_table(layout, i, table->rows, step);
            continue;
        }
        int32_t cost = table->rows * (CAPACITY / step) + TABLE_COST;
        if (cost > room) {
            open_quantum(layout, 0, -1);
            room = CAPACITY;
        }
        put_table(layout, i, false);
        room -= cost;
    }
}

void rt__layout_whole(rt_layout_t *layout) {
    reset_tables(layout, NULL, 1);
    layout->quantum_count = 0;
    layout->bytes = 0;
    open_quantum(layout, 0, -1);
}

void rt__layout_fini(rt_layout_t *layout) {
    ecs_os_free(layout->next);
    ecs_os_free(layout->touched);
    ecs_os_free(layout->tables);
    ecs_os_free(layout->spans);
    ecs_os_free(layout->quanta);
    ecs_os_free(layout->cuts);
    *layout = (rt_layout_t){ 0 };
}
