// SPDX-License-Identifier: MIT
// text: entities and worlds to text and back.
#include "calls.h"

static const char *draw_json(void) {
    static const char *const texts[] = { "{}", "{", "[]", "{\"name\":\"a\"}",
        "{\"name\":\"a\", \"tags\":[\"t0\"]}", "{\"components\":{\"c0\":null}}", "{\"id\":500}",
        "{\"results\":[{\"name\":\"b\", \"parent\":\"a\"}]}",
        "{\"results\":[{\"name\":\"z\", \"pairs\":{\"r0\":\"a\"}}]}",
        "{\"name\":\"a\", \"pairs\":{\"ChildOf\":\"a\"}}" };
    return texts[input_below(sizeof texts / sizeof *texts)];
}

CALL(write_entity) { ecs_os_free(ecs_entity_to_json(call->world, call->entity, NULL)); }
CALL(write_world) { ecs_os_free(ecs_world_to_json(call->world, NULL)); }
CALL(read_entity) { ecs_entity_from_json(call->world, call->entity, draw_json(), NULL); }
CALL(read_world) { ecs_world_from_json(call->world, draw_json(), NULL); }
CALL(load_expr) { ecs_load_expr(call->world, draw_expr()); }

const call_kind_t text_calls[] = { { "write_entity", write_entity }, { "write_world", write_world },
    { "read_entity", read_entity }, { "read_world", read_world }, { "load_expr", load_expr },
    { 0 } };
