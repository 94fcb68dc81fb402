// SPDX-License-Identifier: MIT
// tables: calls about tables, and about the records of ids.
#include <stdlib.h>

#include "calls.h"

CALL(ask_columns) {
    const ecs_table_t *table = draw_table();
    ecs_world_t *world = call->world;
    if (!table) return;
    const int32_t count = ecs_table_count(table), columns = ecs_table_column_count(table);
    for (int32_t i = -2; i < columns + 3; i++) {
        ecs_table_column_to_type_index(table, i);
        ecs_table_type_to_column_index(table, i);
        ecs_table_get_column_size(table, i);
        ecs_table_get_column(table, i, count ? input_below(count) : 0);
    }
    ecs_table_get_column_index(world, table, call->id);
    ecs_table_get_type_index(world, table, call->id);
    ecs_table_get_id(world, table, call->id, count ? input_below(count) : 0);
}

CALL(ask_table) {
    ecs_table_t *table = draw_table();
    ecs_world_t *world = call->world;
    if (!table) return;
    ecs_table_size(table);
    ecs_table_entities(table);
    ecs_os_free(ecs_type_str(world, ecs_table_get_type(table)));
    ecs_os_free(ecs_table_str(world, table));
    ecs_table_has_flags(table, 1u << input_below(32));
    ecs_table_has_traversable(table);
    flecs_table_id(table);
    flecs_table_flags(table);
    flecs_table_observed_count(table);
    ecs_table_has_id(world, table, call->id);
    const ecs_entity_t relationship = is_odd() ? call->id : draw_relationship();
    ecs_table_get_target(world, table, relationship, draw_number());
    ecs_table_get_depth(world, table, relationship);
    const ecs_table_records_t records = flecs_table_records(table);
    for (int32_t i = 0; i < records.count; i++)
        if (records.array[i].hdr.table != table) abort();
}

CALL(search) {
    static const uint64_t flags[] = { 0, EcsSelf, EcsUp, EcsSelf | EcsUp, EcsCascade, EcsDown };
    const ecs_table_t *table = is_odd() ? NULL : draw_table();
    ecs_id_t found;
    ecs_entity_t target;
    struct ecs_table_record_t *record;
    const int32_t offset = draw_number();
    const ecs_id_t relationship = is_odd() ? draw_id() : draw_relationship();
    switch (input_below(4)) {
    case 0: ecs_search(call->world, table, call->id, input_flag() ? &found : NULL); break;
    case 1: ecs_search_offset(call->world, table, offset, call->id, &found); break;
    case 2:
        ecs_search_relation(call->world, table, input_flag() ? 0 : offset, call->id, relationship,
            flags[input_below(6)], &target, &found, &record);
        break;
    default:
        ecs_search_relation_for_entity(call->world, call->entity, call->id,
            is_odd() ? draw_id() : ecs_pair(relationship, EcsWildcard), input_flag(), NULL, &target,
            &found, &record);
    }
}

CALL(ask_component) {
    ecs_component_record_t *record = is_odd() ? flecs_components_ensure(call->world, call->id)
                                              : flecs_components_get(call->world, call->id);
    const ecs_table_t *table = draw_table();
    ecs_table_cache_iter_t it;
    if (!record) return;
    flecs_component_get_id(record);
    flecs_component_get_type_info(record);
    if (table) flecs_component_get_table(record, table);
    if (table) flecs_component_get_parent_record(record, table);
    if (!flecs_component_iter(record, &it)) return;
    while (flecs_component_next(&it)) {}
}

// ---- changes ----

static void use(const call_t *call, ecs_table_t *table) {
    if (!table) return;
    ecs_type_t ids = { (ecs_id_t[]){ call->id }, 1 };
    switch (input_below(3)) {
    case 0: join(ecs_new_w_table(call->world, table)); break;
    case 1:
        ecs_commit(call->world, call->entity, NULL, table, input_flag() ? &ids : NULL,
            is_odd() ? &ids : NULL);
        break;
    default: break;
    }
}

CALL(step) {
    ecs_table_t *table = is_odd() ? NULL : draw_table();
    table = input_flag() ? ecs_table_add_id(call->world, table, call->id)
                         : ecs_table_remove_id(call->world, table, call->id);
    if (table && input_flag()) table = ecs_table_add_id(call->world, table, draw_id());
    use(call, table);
}

CALL(find) {
    ecs_id_t ids[4];
    const int32_t count = is_odd() ? draw_number() % 5 : input_below(5);
    for (int i = 0; i < 4; i++) ids[i] = draw_id();
    for (int i = 1; i < 4 && !is_odd(); i++) /* sorted */
        for (int j = i; j > 0 && ids[j] < ids[j - 1]; j--) {
            const ecs_id_t smaller = ids[j];
            ids[j] = ids[j - 1];
            ids[j - 1] = smaller;
        }
    use(call, ecs_table_find(call->world, ids, count));
}

CALL(move) { use(call, draw_table()); }

CALL(swap_rows) {
    ecs_table_t *table = draw_table();
    if (table) ecs_table_swap_rows(call->world, table, draw_number(), draw_number());
}

CALL(lock) {
    ecs_table_t *table = is_odd() ? NULL : draw_table();
    ecs_table_lock(call->world, table);
    make_some(call->world);
    ecs_table_unlock(call->world, table);
}

CALL(clear_table) {
    ecs_table_t *table = draw_table();
    if (table) ecs_table_clear_entities(call->world, table);
}

const call_kind_t table_calls[] = { { "ask_columns", ask_columns }, { "ask_table", ask_table },
    { "search", search }, { "search", search }, { "ask_component", ask_component },
    { "step", step }, { "find", find }, { "move", move }, { "swap_rows", swap_rows },
    { "lock", lock }, { "clear_table", clear_table }, { 0 } };
