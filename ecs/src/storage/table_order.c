// SPDX-License-Identifier: MIT
#include "storage/table_order.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "base/os_posix.h"
#include "id/type_info.h"
#include "storage/store.h"
#include "storage/toggle.h"
#include "storage/watch.h"

#define AHEAD 16 /* records to ask for before they are needed */

// ---- scratch ----

void *ecs__scratch_ensure(ecs__scratch_t *scratch, size_t size) {
    if (size <= scratch->size) return scratch->memory;
    ecs_os_free(scratch->memory);
    scratch->size = ECS_MAX(size, 2 * scratch->size);
    scratch->memory = ecs_os_malloc((ecs_size_t)scratch->size);
    ecs__os_advise_huge(scratch->memory, scratch->size);
    return scratch->memory;
}

void ecs__scratch_fini(ecs__scratch_t *scratch) {
    ecs_os_free(scratch->memory);
    *scratch = (ecs__scratch_t){ 0 };
}

// ---- values ----

#define GATHER(bytes)                   \
    for (int32_t i = 0; i < count; i++) \
    memcpy(to + (size_t)i * (bytes), data + (size_t)from[i] * (bytes), (size_t)(bytes))

// The common sizes are constants to the compiler.
static void gather(char *to, const char *data, size_t size, const int32_t *from, int32_t count) {
    switch (size) {
    case 4: GATHER(4); break;
    case 8: GATHER(8); break;
    case 12: GATHER(12); break;
    case 16: GATHER(16); break;
    default: GATHER(size); break;
    }
}

static void reorder_plain(char *data, size_t size, int32_t first, int32_t count,
    const int32_t *from, ecs__scratch_t *scratch) {
    char *sorted = ecs__scratch_ensure(scratch, size * (size_t)count);
    gather(sorted, data, size, from, count);
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

static void follow(const ecs_table_t *table, int32_t first, int32_t count) {
    const ecs__entity_index_t *index = &table->store->entities;
    const ecs_entity_t *entities = table->entities;
    for (int32_t row = first; row < first + count; row++) {
        if (row + AHEAD < first + count)
            __builtin_prefetch(ecs__entity_get(index, entities[row + AHEAD]), 1);
        ecs_record_t *record = ecs__entity_get(index, entities[row]);
        record->row = (record->row & ECS_ROW_FLAGS_MASK) | (uint32_t)row;
    }
}

void ecs__table_reorder(ecs_table_t *table, int32_t first, int32_t count, const int32_t *from,
    ecs__scratch_t *scratch) {
    for (int32_t c = 0; c < table->column_count; c++) {
        const ecs__column_t *meta = &table->columns[c];
        if (meta->has_hooks)
            reorder_hooked(meta->type_info, table->data[c], first, count, from, scratch);
        else
            reorder_plain(table->data[c], (size_t)meta->size, first, count, from, scratch);
    }
    if (table->toggle_count) {
        bool *off = ecs__scratch_ensure(scratch, (size_t)count);
        ecs__toggles_reorder(table, first, count, from, off);
    }
    reorder_plain((char *)table->entities, sizeof(ecs_entity_t), first, count, from, scratch);
    follow(table, first, count);
    ecs__table_touch_rows(table, first, count);
}
