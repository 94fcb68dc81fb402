// SPDX-License-Identifier: MIT
#include "storage/toggle.h"

#include <muster/ecs/os.h>

#include "storage/watch.h"

#define EACH_TOGGLE(toggle, table) \
    for (ecs__toggle_t *toggle = (table)->toggles; toggle && toggle->id; toggle++)

void ecs__toggles_init(ecs_table_t *table) {
    int32_t count = 0;
    for (int32_t i = 0; i < table->type.count; i++) {
        if (!(table->type.array[i] & ECS__TOGGLE)) continue;
        table->toggles = ecs_os_realloc_n(table->toggles, ecs__toggle_t, count + 2);
        table->toggles[count++] = (ecs__toggle_t){ .id = table->type.array[i] };
        table->toggles[count] = (ecs__toggle_t){ 0 };
    }
}

void ecs__toggles_fini(ecs_table_t *table) {
    EACH_TOGGLE(toggle, table) ecs__bitset_fini(&toggle->off);
    ecs_os_free(table->toggles);
}

ecs__toggle_t *ecs__toggle_get(const ecs_table_t *table, ecs_id_t id) {
    EACH_TOGGLE(toggle, table) {
        if (toggle->id == (id | ECS__TOGGLE)) return toggle;
    }
    return NULL;
}

static void note(const ecs_table_t *table, ecs__toggle_t *toggle) {
    if (table->watch) toggle->changed = table->store->watch.now;
}

void ecs__toggles_watch(ecs_table_t *table) { EACH_TOGGLE(toggle, table) note(table, toggle); }

static void put(ecs__bitset_t *off, int32_t row, bool is_off) {
    if (is_off) ecs__bitset_ensure(off, row + 1);
    if (row < off->count) ecs__bitset_put(off, row, is_off);
}

void ecs__toggle_put(ecs_table_t *table, ecs_id_t id, int32_t row, bool enabled) {
    ecs__toggle_t *toggle = ecs__toggle_get(table, id);
    if (ecs__bitset_get(&toggle->off, row) != enabled) return;
    put(&toggle->off, row, !enabled);
    note(table, toggle);
}

void ecs__toggles_remove(ecs_table_t *table, int32_t row, int32_t last) {
    EACH_TOGGLE(toggle, table) {
        ecs__bitset_t *off = &toggle->off;
        put(off, row, ecs__bitset_get(off, last));
        put(off, last, false);
    }
}

void ecs__toggles_clear(ecs_table_t *table) {
    EACH_TOGGLE(toggle, table) ecs__bitset_resize(&toggle->off, 0);
}

void ecs__toggles_swap(ecs_table_t *table, int32_t a, int32_t b) {
    EACH_TOGGLE(toggle, table) {
        ecs__bitset_t *off = &toggle->off;
        bool was_off = ecs__bitset_get(off, a);
        put(off, a, ecs__bitset_get(off, b));
        put(off, b, was_off);
    }
}

void ecs__toggles_reorder(
    ecs_table_t *table, int32_t first, int32_t count, const int32_t *to, bool *off) {
    EACH_TOGGLE(toggle, table) {
        ecs__bitset_t *bits = &toggle->off;
        for (int32_t i = 0; i < count; i++) off[i] = ecs__bitset_get(bits, first + i);
        for (int32_t i = 0; i < count; i++) put(bits, to[i], off[i]);
    }
}

// Toggles of both tables are in order of their ids.
void ecs__toggles_copy(
    ecs_table_t *dst, int32_t dst_row, const ecs_table_t *src, int32_t src_row, int32_t count) {
    const ecs__toggle_t *from = src->toggles;
    EACH_TOGGLE(toggle, dst) {
        note(dst, toggle);
        while (from && from->id && from->id < toggle->id) from++;
        if (!from || from->id != toggle->id) continue;
        for (int32_t i = 0; i < count; i++)
            put(&toggle->off, dst_row + i, ecs__bitset_get(&from->off, src_row + i));
    }
}
