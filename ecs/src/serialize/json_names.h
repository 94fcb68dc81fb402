// SPDX-License-Identifier: MIT
// json_names: entities and ids from their names in JSON text: "path.to.entity", "#123", "#123.child", "(first,second)".
//
// In a dry pass nothing is made: names that will be made stand for EcsAny.
#ifndef ECS_SERIALIZE_JSON_NAMES_H
#define ECS_SERIALIZE_JSON_NAMES_H

#include <muster/ecs/json.h>

#include "serialize/json_read.h"

typedef struct ecs__json_names_t {
    ecs_world_t *world;
    ecs__json_t *json; /* where mistakes are told */
    const ecs_from_json_desc_t *desc;
    ecs_map_t *numbers; /* worlds: ids in the text → entities; NULL for single entities */
    ecs_map_t ahead;    /* dry: such ids that names said before objects did */
    bool dry;
} ecs__json_names_t;

/** True for "#123…", entities without name. */
bool ecs__json_is_unnamed(const char *name);
/** The entity at a path from the root, or from what the library makes, whatever lookup path is set; 0 if there is none. */
ecs_entity_t ecs__json_lookup(const ecs_world_t *world, const char *path);
/** Some object of the text is "#123", if only at the front of a path, and this entity; 0: it is not made yet. */
void ecs__json_note_number(ecs__json_names_t *names, uint64_t number, ecs_entity_t entity);
/** The entity of "#123"; 0 only for 0. */
ecs_entity_t ecs__json_find_number(ecs__json_names_t *names, uint64_t number);
/** A lookup action for cursors, whose context are names. Handles of what was dead when it was written are dead here, too. */
ecs_entity_t ecs__json_find(ecs_world_t *world, const char *name, void *ctx);

/** The entity of a name, or 0 of an empty one; ids of "Position" and "(first,second)"; pairs from the name of their target, or "@123".
 * False, with a sentence, if that is none. Texts are changed where a backslash stands in front of one of the `marks`. */
bool ecs__json_resolve(ecs__json_names_t *names, const char *name, ecs_entity_t *entity);
bool ecs__json_resolve_id(ecs__json_names_t *names, char *text, ecs_id_t *id);
bool ecs__json_resolve_pair(
    ecs__json_names_t *names, ecs_entity_t first, char *second, const char *marks, ecs_id_t *id);

#endif
