// SPDX-License-Identifier: MIT
// path: making the entities along a path.
#ifndef ECS_WORLD_PATH_H
#define ECS_WORLD_PATH_H

#include <muster/ecs/ds/vec.h>
#include <muster/ecs/name.h>

/** An entity with the name that an element of a path says, and with other ids; see ecs__make_named. `parent` may be its parent. */
ecs_entity_t ecs__make_element(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent,
    const char *element, size_t length, const char *sep, const ecs_id_t *ids, int32_t count);

/** Make what is missing of a path below `*parent` but for the last element, of which that is the parent then, and the path what is
 * left. False if it may not be, or whoever heard of it deleted it. `made`: as below. */
bool ecs__make_way(
    ecs_world_t *world, ecs_entity_t *parent, const char **path, const char *sep, ecs_vec_t *made);

/** The entity at a path below `parent` (0 = root), or 0 as above; what is missing on the way is made, and the last one is `entity` if that is not 0.
 * `moves`: wherever that is by then; else `parent` is where it is, unless a queue says otherwise. New entities are appended to `made` (of ecs_entity_t; NULL: not told). While deferred, lookups find them at once: those of the
 * stage, if others are in use beside it, else all. */
ecs_entity_t ecs__place_path(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent,
    const char *path, const char *sep, bool moves, ecs_vec_t *made);

#endif
