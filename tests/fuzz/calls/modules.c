// SPDX-License-Identifier: MIT
// modules: imports of all kinds, of what worlds have already, too.
#include "calls.h"

static void FirstImport(ecs_world_t *world) {
    ECS_MODULE(world, First);
    make_some(world);
}

static void SecondImport(ecs_world_t *world) {
    ECS_MODULE(world, Second);
    ECS_IMPORT(world, First);
    make_some(world);
    ecs_set_scope(world, 0);
}

static void OtherWordImport(ecs_world_t *world) {
    ECS_MODULE(world, OtherWord);
    static bool is_inner;
    if (!is_inner && ecs_lookup_symbol(world, "other.word", false, false) == ecs_id(OtherWord)) {
        is_inner = true;
        ecs_import(world, OtherWordImport, "other.word");
        is_inner = false;
    }
    make_some(world);
}

// An import function that makes no module ends the program; one that adds a wrong id to all it makes does not make it.
CALL(import) {
    ecs_set_with(call->world, 0);
    switch (input_below(3)) {
    case 0: join(ecs_import_c(call->world, FirstImport, "First")); break;
    case 1: join(ecs_import_c(call->world, SecondImport, "Second")); break;
    default: join(ecs_import(call->world, OtherWordImport, "other.word"));
    }
}

CALL(import_wrongly) {
    switch (input_below(4)) {
    case 0: ecs_import(call->world, NULL, "first"); break;
    case 1: ecs_import(call->world, FirstImport, input_flag() ? "" : NULL); break;
    case 2: ecs_import_c(call->world, FirstImport, NULL); break;
    default: ecs_import_from_library(call->world, draw_name(), input_flag() ? draw_name() : NULL);
    }
}

CALL(make_module) {
    ecs_component_desc_t desc = { .entity = is_odd() ? call->entity : 0 };
    if (!input_below(3)) desc.type = (ecs_type_info_t){ .size = 8, .alignment = is_odd() ? 3 : 8 };
    join(ecs_module_init(
        call->world, input_flag() ? "MyModule" : draw_name(), is_odd() ? NULL : &desc));
}

CALL(import_runtime) {
    switch (input_below(4)) {
    case 0: FlecsSystemImport(call->world); break;
    case 1: FlecsPipelineImport(call->world); break;
    case 2: FlecsTimerImport(call->world); break;
    default: FlecsStatsImport(call->world);
    }
}

const call_kind_t module_calls[] = { { "import", import }, { "import", import },
    { "import_wrongly", import_wrongly }, { "make_module", make_module },
    { "import_runtime", import_runtime }, { 0 } };
