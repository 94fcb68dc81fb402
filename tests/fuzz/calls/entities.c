// SPDX-License-Identifier: MIT
// entities: calls that create, change and ask entities.
#include "calls.h"

CALL(create) {
    switch (input_below(5)) {
    case 0: join(ecs_new(call->world)); break;
    case 1: join(ecs_new_low_id(call->world)); break;
    case 2: join(ecs_new_w_id(call->world, call->id)); break;
    case 3: join(ecs_new_w_parent(call->world, call->entity, draw_name())); break;
    default: {
        ecs_table_t *table = draw_table();
        if (table) join(ecs_new_w_table(call->world, table));
    }
    }
}

CALL(describe) {
    ecs_id_t ids[] = { call->id, draw_id(), 0 };
    ecs_entity_desc_t desc = { .use_low_id = !input_below(6) };
    if (input_flag()) desc.id = call->entity;
    if (input_flag()) desc.name = draw_name();
    if (input_flag()) desc.add = ids;
    if (!input_below(3)) desc.parent = call->other;
    if (!input_below(6)) desc.sep = "::";
    if (!input_below(8)) desc.root_sep = "/";
    if (!input_below(5)) desc.add_expr = draw_expr();
    if (!input_below(8)) desc.symbol = draw_new_symbol();
    ecs_value_t values[] = { { draw_id(), NULL }, { 0 } };
    values[0].ptr = (void *)draw_value(values[0].type);
    if (!input_below(4) && may_give(values[0].type)) desc.set = values;
    join(ecs_entity_init(call->world, &desc));
}

CALL(create_many) {
    ecs_entity_t entities[5];
    for (int i = 0; i < 5; i++) entities[i] = draw_entity();
    ecs_bulk_desc_t desc = { .count = input_below(5) - 1, .ids = { call->id } };
    if (input_flag()) desc.ids[1] = draw_id();
    if (!input_below(3)) desc.entities = entities;
    const ecs_entity_t *made = input_flag() ? ecs_bulk_init(call->world, &desc)
                                            : ecs_bulk_new_w_id(call->world, call->id, desc.count);
    if (made && desc.count > 0) join(made[0]);
}

CALL(clone) { join(ecs_clone(call->world, input_flag() ? 0 : call->entity, call->other, false)); }

CALL(make_alive) {
    switch (input_below(3)) {
    case 0: ecs_make_alive(call->world, call->entity); break;
    case 1: ecs_make_alive_id(call->world, call->id); break;
    default: ecs_set_version(call->world, call->entity);
    }
}

CALL(delete) { ecs_delete(call->world, call->entity); }
CALL(delete_with) { ecs_delete_with(call->world, call->id); }
CALL(remove_all) { ecs_remove_all(call->world, call->id); }
CALL(clear) { ecs_clear(call->world, call->entity); }
CALL(add) { ecs_add_id(call->world, call->entity, call->id); }
CALL(remove_id) { ecs_remove_id(call->world, call->entity, call->id); }
CALL(enable) { ecs_enable(call->world, call->entity, input_flag()); }
CALL(enable_id) { ecs_enable_id(call->world, call->entity, call->id, input_flag()); }

CALL(ask_entity) {
    ecs_world_t *world = call->world;
    ecs_is_valid(world, call->entity);
    ecs_exists(world, call->entity);
    ecs_get_alive(world, call->entity);
    ecs_has_id(world, call->entity, call->id);
    ecs_owns_id(world, call->entity, call->id);
    ecs_is_enabled_id(world, call->entity, call->id);
    ecs_get_type(world, call->entity);
    ecs_get_table(world, call->entity);
    ecs_get_parent(world, call->entity);
    ecs_get_target(world, call->entity, draw_relationship(), input_below(4) - 1);
    ecs_get_target_for_id(world, call->entity, draw_relationship(), call->id);
    ecs_get_depth(world, call->entity, draw_relationship());
}

CALL(ask_id) {
    ecs_world_t *world = call->world;
    ecs_count_id(world, call->id);
    ecs_id_is_valid(world, call->id);
    ecs_id_is_tag(world, call->id);
    ecs_id_in_use(world, call->id);
    ecs_id_get_flags(world, call->id);
    ecs_get_typeid(world, call->id);
    ecs_get_type_info(world, call->id);
    ecs_pair_first(world, call->id);
    ecs_pair_second(world, call->id);
}

const call_kind_t entity_calls[] = { { "create", create }, { "create", create },
    { "describe", describe }, { "describe", describe }, { "create_many", create_many },
    { "clone", clone }, { "make_alive", make_alive }, { "delete", delete }, { "delete", delete },
    { "delete_with", delete_with }, { "remove_all", remove_all }, { "clear", clear },
    { "add", add }, { "add", add }, { "add", add }, { "add", add }, { "remove", remove_id },
    { "remove", remove_id }, { "enable", enable }, { "enable_id", enable_id },
    { "ask_entity", ask_entity }, { "ask_id", ask_id }, { 0 } };
