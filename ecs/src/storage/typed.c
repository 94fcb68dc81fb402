// SPDX-License-Identifier: MIT
#include "storage/typed.h"

#include "storage/sparse_ids.h"

// True if an id has values of a component, or would have them if it was one (PDT-01..05).
static bool carries(const ecs__store_t *store, ecs_id_t id, ecs_entity_t component) {
    if (!ECS_IS_PAIR(id)) return id == component;
    uint32_t first = ecs__id_first(id), second = ecs__id_leads(id) ? ecs__id_second(id) : 0;
    if (first != (uint32_t)component && second != (uint32_t)component) return false;
    if (ecs__id_record_get(store, id)->flags & EcsIdPairIsTag) return false;
    const ecs_type_info_t *type = ecs__type_info_get(store, first);
    return first == (uint32_t)component || !type || !type->size;
}

static bool is_concerned(const ecs_table_t *table, ecs_entity_t component) {
    for (int32_t i = 0; i < table->type.count; i++) {
        if (carries(table->store, table->type.array[i], component)) return true;
    }
    return false;
}

void ecs__each_table_of_type(ecs__store_t *store, ecs_entity_t component,
    void (*visit)(ecs_table_t *table, void *ctx), void *ctx) {
    const ecs_id_t ids[] = { component, ECS__MAKE_PAIR(component, Ecs__Wildcard),
        ECS__MAKE_PAIR(Ecs__Wildcard, component) };
    for (int32_t i = 0; i < 3; i++) {
        const ecs_component_record_t *record = ecs__id_record_get(store, ids[i]);
        for (int32_t t = record ? record->table_count - 1 : -1; t >= 0; t--) {
            if (t >= record->table_count) continue;
            ecs_table_t *table = ecs__id_record_table(record, t);
            if (table && is_concerned(table, component)) visit(table, ctx);
        }
    }
}

// A table that is in use has to keep its columns.
static void note_rows(ecs_table_t *table, void *ctx) {
    if (table->count || table->lock) *(bool *)ctx = true;
}

static bool has_values_beside(const ecs__store_t *store, ecs_entity_t component) {
    const ecs_id_t ids[] = { component, ECS__MAKE_PAIR(component, Ecs__Wildcard),
        ECS__MAKE_PAIR(Ecs__Wildcard, component) };
    for (int32_t i = 0; store->has_sparse && i < 3; i++) {
        const ecs_component_record_t *record;
        int32_t cover = 0;
        while ((record = ecs__sparse_next_cover(store, ids[i], &cover)))
            if (ecs__sparse_count(record) && carries(store, record->id, component)) return true;
    }
    return false;
}

bool ecs__has_values(ecs__store_t *store, ecs_entity_t component) {
    bool found = has_values_beside(store, component);
    ecs__each_table_of_type(store, component, note_rows, &found);
    return found;
}
