// SPDX-License-Identifier: MIT
// names: calls about names, paths and scopes.
#include "calls.h"

CALL(name) { join(ecs_set_name(call->world, call->entity, draw_name())); }

// What is unique and belongs to another ends the program.
CALL(set_symbol) {
    const char *symbol = draw_name();
    if (!symbol || ecs_lookup_symbol(cast.world, symbol, true, false) || cast.stage) return;
    if (input_flag())
        ecs_set_symbol(call->world, call->entity, symbol);
    else
        ecs_set_alias(call->world, call->entity, symbol);
}

CALL(look_up) {
    const char *path = draw_name(), *sep = input_flag() ? "." : "::";
    join(ecs_lookup(call->world, path));
    join(ecs_lookup_path_w_sep(call->world, call->entity, path, sep, NULL, input_flag()));
    join(ecs_lookup_symbol(call->world, path, input_flag(), input_flag()));
    if (path) join(ecs_lookup_child(call->world, call->entity, path));
}

CALL(read_names) {
    ecs_get_name(call->world, call->entity);
    ecs_get_symbol(call->world, call->entity);
    ecs_os_free(ecs_get_path_w_sep(call->world, call->other, call->entity, ".", NULL));
    ecs_os_free(ecs_id_str(call->world, call->id));
    ecs_os_free(ecs_entity_str(call->world, call->entity));
    ecs_id_from_str(call->world, draw_expr());
}

CALL(place) {
    const char *path = draw_name(), *prefix = input_flag() ? "::" : NULL;
    if (input_flag())
        join(ecs_add_path_w_sep(call->world, call->entity, call->other, path, ".", prefix));
    else
        join(ecs_new_from_path_w_sep(call->world, call->entity, path, ".", prefix));
}

CALL(set_scope) {
    ecs_set_scope(call->world, input_flag() ? 0 : call->entity);
    ecs_get_scope(call->world);
}

CALL(set_with) {
    ecs_set_with(call->world, input_flag() ? 0 : call->id);
    ecs_get_with(call->world);
}

CALL(set_prefix) { ecs_set_name_prefix(call->world, input_flag() ? "a" : NULL); }

CALL(document) {
    ecs_doc_set_name(call->world, call->entity, draw_name());
    ecs_doc_set_brief(call->world, call->entity, draw_name());
    ecs_doc_get_name(call->world, call->entity);
    ecs_doc_get_color(call->world, call->entity);
}

const call_kind_t name_calls[] = { { "name", name }, { "name", name }, { "set_symbol", set_symbol },
    { "look_up", look_up }, { "read_names", read_names }, { "place", place },
    { "set_scope", set_scope }, { "set_with", set_with }, { "set_prefix", set_prefix },
    { "document", document }, { 0 } };
