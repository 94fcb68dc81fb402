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

static void add_touched(rt_layout_t *layout, const rt_access_item_t *item) {
    if (item->scope != RT_SCOPE_ROWS && item->scope != RT_SCOPE_ROWS_OR_UP) return;
    for (int32_t i = 0; i < layout->touched_count; i++) {
        if (layout->touched[i].id == item->id) return;
    }
    RT_ROOM(layout->touched, layout->touched_count, layout->touched_size);
    layout->touched[layout->touched_count++] = (rt_touched_t){ item->id, item->size };
}

static void list_touched(rt_layout_t *layout, rt_system_t *const *systems, int32_t count) {
    layout->touched_count = 0;
    for (int32_t s = 0; s < count; s++) {
        for (int32_t i = 0; i < systems[s]->access.count; i++) {
            add_touched(layout, &systems[s]->access.items[i]);
        }
    }
}

static ecs_size_t bytes_per_row(
    const rt_layout_t *layout, const ecs_world_t *world, const ecs_table_t *table) {
    ecs_size_t bytes = 0;
    for (int32_t i = 0; i < layout->touched_count; i++) {
        const rt_touched_t *touched = &layout->touched[i];
        if (ecs_table_has_id(world, table, touched->id)) bytes += touched->size;
    }
    return bytes;
}

static int32_t rows_that_fit(ecs_size_t bytes, ecs_size_t budget) {
    int32_t rows = RT_QUANTUM_MAX_ROWS;
    while (rows > MIN_ROWS && (int64_t)rows * bytes > budget) rows /= 2;
    return rows;
}

// The next table of any of the systems; their lists are in the order of numbers if there are
// several.
static const rt_match_t *next_table(
    rt_system_t *const *systems, int32_t count, const int32_t *next) {
    const rt_match_t *best = NULL;
    for (int32_t s = 0; s < count; s++) {
        const rt_matches_t *matches = &systems[s]->matches;
        if (next[s] == matches->count) continue;
        const rt_match_t *match = &matches->list[next[s]];
        if (!best || match->number < best->number) best = match;
    }
    return best;
}

static void add_table(rt_layout_t *layout, ecs_table_t *table, ecs_size_t bytes) {
    if (layout->table_count == layout->table_size) {
        int32_t size = layout->table_size ? layout->table_size * 2 : 8;
        layout->tables = ecs_os_realloc_n(layout->tables, rt_chunk_table_t, size);
        layout->spans = ecs_os_realloc_n(layout->spans, rt_span_t, size * layout->system_count);
        layout->table_size = size;
    }
    layout->tables[layout->table_count++] = (rt_chunk_table_t){ table, bytes,
        rows_that_fit(bytes, QUANTUM_BYTES), rows_that_fit(bytes, STEP_BYTES), 0 };
}

static void reset_tables(rt_layout_t *layout, int32_t system_count) {
    if (layout->system_count != system_count) {
        rt__layout_fini(layout);
        layout->system_count = system_count;
        layout->next = ecs_os_malloc_n(int32_t, system_count);
    }
    layout->table_count = 0;
    layout->yield_empty = false;
}

void rt__layout_list(
    rt_layout_t *layout, const ecs_world_t *world, rt_system_t *const *systems, int32_t count) {
    reset_tables(layout, count);
    list_touched(layout, systems, count);
    int32_t *next = layout->next;
    ecs_os_memset_n(next, 0, int32_t, count);
    for (int32_t s = 0; s < count; s++) {
        layout->yield_empty |= (systems[s]->pub.query->flags & EcsQueryMatchEmptyTables) != 0;
    }
    const rt_match_t *match;
    while ((match = next_table(systems, count, next))) {
        ecs_table_t *table = match->table;
        add_table(layout, table, bytes_per_row(layout, world, table));
        rt_span_t *spans = &layout->spans[(layout->table_count - 1) * count];
        for (int32_t s = 0; s < count; s++) {
            const rt_matches_t *matches = &systems[s]->matches;
            const rt_match_t *own = next[s] < matches->count ? &matches->list[next[s]] : NULL;
            bool here = own && own->table == table;
            spans[s] = here ? (rt_span_t){ own->first, own->count } : (rt_span_t){ 0, 0 };
            next[s] += here;
        }
    }
}

// ---- Quanta ----

static void open_quantum(rt_layout_t *layout, int32_t first_row, int32_t last_row) {
    int32_t systems = layout->system_count;
    if (layout->quantum_count == layout->quantum_size) {
        int32_t size = layout->quantum_size ? layout->quantum_size * 2 : 8;
        layout->quanta = ecs_os_realloc_n(layout->quanta, rt_quantum_t, size);
        layout->cuts = ecs_os_realloc_n(layout->cuts, rt_cut_t, size * systems);
        layout->quantum_size = size;
    }
    int32_t quantum = layout->quantum_count++;
    layout->quanta[quantum] = (rt_quantum_t){ first_row, last_row, 0 };
    ecs_os_memset(&layout->cuts[quantum * systems], 0, systems * ECS_SIZEOF(rt_cut_t));
}

// Put a table, or a part of it, into the quantum that was opened last. Matches between those of
// two tables belong to tables without rows; iterators pass over them.
static void put_table(rt_layout_t *layout, int32_t table, bool is_cut) {
    const rt_span_t *spans = &layout->spans[table * layout->system_count];
    rt_cut_t *cuts = &layout->cuts[(layout->quantum_count - 1) * layout->system_count];
    for (int32_t s = 0; s < layout->system_count; s++) {
        if (!spans[s].count) continue;
        if (!cuts[s].count) cuts[s].first = spans[s].first;
        cuts[s].count = spans[s].first + spans[s].count - cuts[s].first;
        if (is_cut) cuts[s].head = spans[s].count;
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
    reset_tables(layout, 1);
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
