// SPDX-License-Identifier: MIT
// module: importing by function. A module is an entity with EcsModule whose path comes from its C
// name ("MyFoo" is my.foo).
#include <muster/runtime/module.h>

#include "runtime.h"

static bool check_name(const char *name) {
    if (name[0]) return true;
    ecs_err_code(ECS_INVALID_PARAMETER, "a module needs a name");
    return false;
}

static ecs_entity_t make_module(ecs_world_t *world, ecs_entity_t id, const char *c_name) {
    char *path = flecs_module_path_from_c(c_name);
    ecs_entity_t scope = ecs_set_scope(world, 0);
    const char *prefix = ecs_set_name_prefix(world, NULL);
    ecs_entity_t module =
        ecs_entity_init(world, &(ecs_entity_desc_t){ .id = id, .name = path, .symbol = path });
    ecs_set_name_prefix(world, prefix);
    ecs_set_scope(world, scope);
    ecs_os_free(path);
    if (module) ecs_add_id(world, module, EcsModule);
    return module;
}

ecs_entity_t ecs_module_init(
    ecs_world_t *world, const char *c_name, const ecs_component_desc_t *desc) {
    ecs_check(c_name && desc, ECS_INVALID_PARAMETER, "a module needs a name and a descriptor");
    ecs_check(!(ecs_world_get_flags(world) & EcsWorldReadonly), ECS_INVALID_WHILE_READONLY,
        "modules cannot be made while systems run");
    if (!check_name(c_name)) return 0;
    ecs_entity_t module = make_module(world, desc->entity, c_name);
    if (!module || !desc->type.size) return module;
    ecs_component_desc_t component = *desc;
    component.entity = module;
    ecs_add_id(world, module, EcsSingleton);
    return ecs_component_init(world, &component);
error:
    return 0;
}

ecs_entity_t ecs_module_define_(ecs_world_t *world, ecs_entity_t id, const char *c_name) {
    ecs_entity_t module = ecs_module_init(world, c_name, &(ecs_component_desc_t){ .entity = id });
    if (module) ecs_set_scope(world, module);
    return module;
}

// By symbol, which stays when a module is renamed, and which modules only have that are imported: those on the path of one are not.
// While deferred the tag waits in a queue, and so does the symbol, which lookups find before.
static ecs_entity_t find_imported(const ecs_world_t *world, const char *name) {
    ecs_entity_t module = ecs_lookup_symbol(world, name, false, false);
    if (!module || ecs_has_id(world, module, EcsModule)) return module;
    return ecs_get_symbol(world, module) ? 0 : module;
}

// What the import function made. One that did so by hand may have left out the symbol.
static ecs_entity_t find_made(ecs_world_t *world, const char *name) {
    ecs_entity_t module = ecs_lookup_symbol(world, name, false, false);
    if (module) return module;
    module = ecs_lookup_from(world, 0, name);
    if (!module || ecs_get_symbol(world, module)) return module;
    return ecs_entity_init(world, &(ecs_entity_desc_t){ .id = module, .symbol = name });
}

ecs_entity_t ecs_import(ecs_world_t *world, ecs_module_action_t action, const char *name) {
    ecs_check(
        action && name, ECS_INVALID_PARAMETER, "ecs_import needs an import function and a name");
    ecs_check(!(ecs_world_get_flags(world) & EcsWorldReadonly), ECS_INVALID_WHILE_READONLY,
        "modules cannot be imported while systems run");
    RT_CHECK_WRITER(world); /* for others the import function could make nothing */
    if (!check_name(name)) return 0;
    ecs_entity_t module = find_imported(world, name);
    if (module) return module;
    ecs_entity_t scope = ecs_set_scope(world, 0);
    const char *prefix = ecs_set_name_prefix(world, NULL);
    action(world);
    ecs_set_name_prefix(world, prefix);
    ecs_set_scope(world, scope);
    module = find_made(world, name);
    ecs_always_assert(module, ECS_MODULE_UNDEFINED,
        "the import function of '%s' did not make the module: begin it with ECS_MODULE", name);
    return module;
error:
    return 0;
}

ecs_entity_t ecs_import_c(ecs_world_t *world, ecs_module_action_t action, const char *c_name) {
    ecs_check(c_name, ECS_INVALID_PARAMETER, "ecs_import_c needs a name");
    char *path = flecs_module_path_from_c(c_name);
    ecs_entity_t module = ecs_import(world, action, path);
    ecs_os_free(path);
    return module;
error:
    return 0;
}
