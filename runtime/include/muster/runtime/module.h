// SPDX-License-Identifier: MIT
// module: groups of components and systems that are brought into a world by a function or a
// library.
//
// A module `MyFoo` is a function `void MyFooImport(ecs_world_t *world)` that begins with
// ECS_MODULE(world, MyFoo). What it makes lives in the scope `my.foo` and is deleted with it. Texts of
// queries elsewhere name its components as in C, and its tags and other entities by path: `my.foo.Npc`
// (or by name, with ecs_set_lookup_path).
// Threads: the thread that owns the world, not readonly.
#ifndef MUSTER_RUNTIME_MODULE_H
#define MUSTER_RUNTIME_MODULE_H

#include <muster/ecs/ecs.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*ecs_module_action_t)(ecs_world_t *world);

/** Make the entity of a module (with its parents) from a C name, as ECS_MODULE does. A type in
 * `desc` makes it a component as well, so that the module can hold a value of its own. Returns 0
 * with a logged sentence for a bad name. */
ECS_API ecs_entity_t ecs_module_init(
    ecs_world_t *world, const char *c_name, const ecs_component_desc_t *desc);
/** Import a module by its path ("my.foo"). One that is there already, maybe renamed, or
 * waits in a queue, is not imported again. Scope and name prefix are as before afterwards. Returns the module; aborts with ECS_MODULE_UNDEFINED
 * if the function does not make it. */
ECS_API ecs_entity_t ecs_import(ecs_world_t *world, ecs_module_action_t module, const char *name);
/** The same, with the C name ("MyFoo"). */
ECS_API ecs_entity_t ecs_import_c(
    ecs_world_t *world, ecs_module_action_t module, const char *c_name);
/** Open a shared library and import the module in it (NULL: named as the library). Returns 0 with
 * a logged sentence when the library cannot be opened (a warning says why) or its import function is missing. The library stays open. */
ECS_API ecs_entity_t ecs_import_from_library(
    ecs_world_t *world, const char *library_name, const char *module_name);

/** First line of an import function: makes the module and the scope for what follows. */
#define ECS_MODULE_DEFINE(world, Name) ecs_id(Name) = ecs_module_define_(world, ecs_id(Name), #Name)
#define ECS_MODULE(world, Name)     \
    ecs_entity_t ecs_id(Name) = 0;  \
    ECS_MODULE_DEFINE(world, Name); \
    (void)ecs_id(Name)
#define ECS_IMPORT(world, Name) ecs_import_c(world, Name##Import, #Name)

/* Behind ECS_MODULE. */
ECS_API ecs_entity_t ecs_module_define_(ecs_world_t *world, ecs_entity_t id, const char *c_name);

#ifdef __cplusplus
}
#endif

#endif
