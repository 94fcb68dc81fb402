// SPDX-License-Identifier: MIT
// json_entity: an entity as JSON, for those who write it as part of something.
#ifndef ECS_SERIALIZE_JSON_ENTITY_H
#define ECS_SERIALIZE_JSON_ENTITY_H

#include <muster/ecs/json.h>

#include "reflect/text.h"

typedef struct ecs__entity_json_t {
    const ecs_world_t *world;
    ecs_strbuf_t *buf;
    const ecs_entity_to_json_desc_t *desc;
    /* to be made again: with what kind of child it is, its alias and all of its bits, without pairs of transient relationships */
    bool is_saved;
} ecs__entity_json_t;

/** Write "parent", "name", "id", "alias" and "doc" into an open object. */
void ecs__entity_json_head(const ecs__entity_json_t *json, ecs_entity_t entity);
/** Write "tags", "pairs", "inherited" and "components" into an open object. False, with a sentence, if a value cannot be written. */
bool ecs__entity_json_body(const ecs__entity_json_t *json, ecs_entity_t entity);
/** Write "refs" and "matches" into an open object: what others have to do with the entity. */
void ecs__entity_json_tail(const ecs__entity_json_t *json, ecs_entity_t entity);
/** Write a whole object. */
bool ecs__entity_json(const ecs__entity_json_t *json, ecs_entity_t entity);

/* Marks in "Position" and "(first,second)"; see ecs__text_protect. */
#define ECS__JSON_ID "(|"
#define ECS__JSON_FIRST ",,"
#define ECS__JSON_SECOND "@, "
#define ECS__JSON_ENABLED "enabled|" /* in tags: a bit that is on */

/** True for ids that other members of an entity's object stand for, or that describe what code knows. */
bool ecs__json_is_builtin(ecs_id_t id);
/** Begin a member of an object; with `open`, "[" or "{", its list or object. */
void ecs__json_name(ecs_strbuf_t *buf, const char *name);
void ecs__json_open(ecs_strbuf_t *buf, const char *name, const char *open);
/** Write a name, or a path if paths are asked for, in quotes. */
void ecs__entity_json_ref(const ecs__entity_json_t *json, ecs_entity_t entity);
/** Write an id as a string: "Position", "(Rel,Tgt)". */
void ecs__entity_json_id(const ecs__entity_json_t *json, ecs_id_t id);

/** Write a value; one that is none of its type is an error that says whose it is. */
bool ecs__json_value_of(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id,
    const void *value, ecs_strbuf_t *buf);

#endif
