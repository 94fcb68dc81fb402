// SPDX-License-Identifier: MIT
// memory: how many bytes the parts of a world occupy; see ecs_world_memory_t for what is counted.
#include <muster/ecs/world.h>

#include "storage/id_range.h"
#include "world/state.h"

#define BYTES(count, T) ((int64_t)(count)*ECS_SIZEOF(T))

static int64_t bytes_of_row(const ecs_table_t *table) {
    int64_t bytes = ECS_SIZEOF(ecs_entity_t);
    for (int32_t i = 0; i < table->column_count; i++) bytes += table->columns[i].size;
    return bytes;
}

static int64_t bytes_of_structure(const ecs_table_t *table) {
    return ECS_SIZEOF(ecs_table_t) + BYTES(table->column_count, ecs__column_t) +
           BYTES(table->column_count, void *) + BYTES(table->type.count, ecs_id_t) +
           BYTES(table->record_count, ecs__table_record_t) +
           BYTES((int32_t)ecs__table_low_count(table), ecs__low_t);
}

int64_t ecs_table_memory_get(const ecs_table_t *table) {
    ECS__GIVEN(table);
    return bytes_of_structure(table) + bytes_of_row(table) * table->size;
}

static int64_t bytes_of_entities(const ecs__entity_index_t *index) {
    const int64_t each = ECS_SIZEOF(ecs__record_t) + ECS_SIZEOF(uint8_t); /* and marks */
    return each * (int64_t)ecs__id_ranges_high(index) + BYTES(index->pool.free_size, uint64_t) +
           ecs__id_gaps_bytes(&index->pool.gaps) + BYTES(index->list_size, ecs_entity_t);
}

// Where each holder is found.
static int64_t bytes_of_pages(const ecs__sparse_set_t *set) {
    int64_t pages = 0;
    for (int32_t i = 0; i < set->page_count; i++) pages += set->pages[i] != NULL;
    return BYTES(set->page_count, void *) +
           BYTES(pages << ECS__SPARSE_PAGE_BITS, ecs__sparse_slot_t);
}

static int64_t bytes_of_set(const ecs_component_record_t *record) {
    const ecs__sparse_set_t *set = record->sparse;
    if (!set) return 0;
    return ECS_SIZEOF(ecs__sparse_set_t) + BYTES(set->size, ecs__holder_t) +
           (int64_t)set->count * set->values.size + bytes_of_pages(set);
}

static void add_record(ecs_world_memory_t *memory, const ecs_component_record_t *record) {
    memory->ids += ECS_SIZEOF(ecs_component_record_t) + BYTES(record->table_size, int32_t) +
                   record->table_size / 8;
    memory->sparse += bytes_of_set(record);
}

ecs_world_memory_t ecs_world_memory_get(const ecs_world_t *world) {
    const ecs__store_t *store = &ecs__world_of(world)->store;
    ecs_world_memory_t memory = { .entities = bytes_of_entities(&store->entities) };
    for (int32_t i = 0; i < store->table_count; i++) {
        const ecs_table_t *table = store->tables[i];
        if (!table) continue;
        memory.rows += bytes_of_row(table) * table->size;
        memory.rows_used += bytes_of_row(table) * table->count;
        memory.tables += bytes_of_structure(table);
    }
    for (int32_t i = 0; i < FLECS_HI_ID_RECORD_ID; i++) {
        if (store->ids.low[i]) add_record(&memory, store->ids.low[i]);
    }
    ecs_map_iter_t it = ecs_map_iter(&store->ids.high);
    const ecs_component_record_t *record;
    while ((record = ecs__id_record_next_high(&it))) add_record(&memory, record);
    return memory;
}

int64_t ecs_memory_get(const ecs_world_t *world) {
    ecs_world_memory_t memory = ecs_world_memory_get(world);
    return memory.entities + memory.rows + memory.tables + memory.ids + memory.sparse;
}
