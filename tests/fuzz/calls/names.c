// SPDX-License-Identifier: MIT
// names: calls about names, paths and scopes.
#include "calls.h"

CALL(name) { join(ecs_set_name(call->world, call->entity, draw_name())); }

const char *draw_new_symbol(void) {
    const char *symbol = draw_name();
    const bool is_new =
        symbol && !cast.stage && !ecs_lookup_symbol(cast.world, symbol, true, false);
    return is_new ? symbol : NULL;
}

CALL(set_symbol) {
    const char *symbol = draw_new_symbol();
    if (!symbol && input_flag()) return;
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
    const bool is_alive = ecs_is_valid(call->world, call->entity);
    ecs_os_free(
        ecs_type_str(call->world, is_alive ? ecs_get_type(call->world, call->entity) : NULL));
    ecs_strbuf_t text = ECS_STRBUF_INIT;
    ecs_get_path_w_sep_buf(call->world, 0, call->entity, "::", "\"", &text, input_flag());
    ecs_id_str_buf(call->world, call->id, &text);
    ecs_strbuf_reset(&text);
    ecs_id_from_str(call->world, draw_expr());
}

CALL(place) {
    const char *path = draw_name(), *prefix = input_flag() ? "::" : NULL;
    if (input_flag())
        join(ecs_add_path_w_sep(call->world, call->entity, call->other, path, ".", prefix));
    else
        join(ecs_new_from_path_w_sep(call->world, call->entity, path, ".", prefix));
}

// Who is called back leaves it as it was: something may be made of several entities meanwhile.
CALL(set_scope) {
    const ecs_entity_t before = ecs_set_scope(call->world, input_flag() ? 0 : call->entity);
    ecs_get_scope(call->world);
    if (cast.depth) ecs_set_scope(call->world, before);
}

CALL(set_with) {
    ecs_set_with(call->world, input_flag() ? 0 : call->id);
    ecs_get_with(call->world);
}

CALL(set_prefix) { ecs_set_name_prefix(call->world, input_flag() ? "a" : NULL); }

CALL(set_lookup_path) {
    static ecs_entity_t path[3];
    path[0] = call->entity;
    path[1] = input_flag() ? call->other : 0;
    ecs_set_lookup_path(call->world, input_flag() ? NULL : path);
    ecs_get_lookup_path(call->world);
}

CALL(document) {
    static void (*const set[])(ecs_world_t *, ecs_entity_t, const char *) = { ecs_doc_set_uuid,
        ecs_doc_set_name, ecs_doc_set_brief, ecs_doc_set_detail, ecs_doc_set_link,
        ecs_doc_set_color };
    set[input_below(6)](call->world, call->entity, draw_name());
    ecs_doc_get_uuid(call->world, call->other);
    ecs_doc_get_name(call->world, call->other);
    ecs_doc_get_brief(call->world, call->other);
    ecs_doc_get_detail(call->world, call->other);
    ecs_doc_get_link(call->world, call->other);
    ecs_doc_get_color(call->world, call->other);
}

const call_kind_t name_calls[] = { { "name", name }, { "name", name }, { "set_symbol", set_symbol },
    { "look_up", look_up }, { "read_names", read_names }, { "place", place },
    { "set_scope", set_scope }, { "set_with", set_with }, { "set_prefix", set_prefix },
    { "set_lookup_path", set_lookup_path }, { "document", document }, { 0 } };
