// SPDX-License-Identifier: MIT
// tables: calls about tables.
#include "calls.h"

CALL(ask_table) {
    const ecs_table_t *table = draw_table();
    ecs_world_t *world = call->world;
    ecs_id_t found;
    ecs_entity_t target;
    if (!table) return;
    int32_t column = ecs_table_get_column_index(world, table, call->id);
    if (column >= 0) ecs_table_get_column(table, column, 0);
    ecs_table_get_type_index(world, table, call->id);
    ecs_table_column_to_type_index(table, input_below(6) - 1);
    ecs_table_type_to_column_index(table, input_below(6) - 1);
    ecs_table_get_id(world, table, call->id, input_below(3));
    ecs_table_get_column_size(table, input_below(5) - 1);
    ecs_table_get_depth(world, table, draw_relationship());
    ecs_table_get_target(world, table, draw_relationship(), input_below(3) - 1);
    ecs_search(world, table, call->id, &found);
    ecs_search_offset(world, table, input_below(4), call->id, &found);
    ecs_search_relation(
        world, table, 0, call->id, draw_relationship(), EcsSelf | EcsUp, &target, &found, NULL);
    ecs_os_free(ecs_table_str(world, table));
}

CALL(search_above) {
    ecs_entity_t target;
    ecs_search_relation_for_entity(call->world, call->entity, call->id, draw_relationship(),
        input_flag(), NULL, &target, NULL, NULL);
}

CALL(step) {
    ecs_table_t *table = draw_table();
    if (!table) return;
    ecs_table_add_id(call->world, table, call->id);
    ecs_table_remove_id(call->world, table, call->id);
}

CALL(swap_rows) {
    ecs_table_t *table = draw_table();
    if (table) ecs_table_swap_rows(call->world, table, input_below(4) - 1, input_below(4));
}

CALL(lock) {
    ecs_table_t *table = draw_table();
    if (!table) return;
    ecs_table_lock(call->world, table);
    make_some(call->world);
    ecs_table_unlock(call->world, table);
}

CALL(find) {
    const ecs_id_t ids[] = { call->id, draw_id() };
    ecs_table_find(call->world, ids, input_below(3));
}

CALL(clear_table) {
    ecs_table_t *table = draw_table();
    if (table) ecs_table_clear_entities(call->world, table);
}

const call_kind_t table_calls[] = { { "ask_table", ask_table }, { "search_above", search_above },
    { "step", step }, { "swap_rows", swap_rows }, { "lock", lock }, { "find", find },
    { "clear_table", clear_table }, { 0 } };
