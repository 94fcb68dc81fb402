// SPDX-License-Identifier: MIT
// doc: names and descriptions of entities for people, kept as pairs (EcsDocDescription, kind).
//
// Setters copy; NULL removes. Getters give NULL when there is none. Nothing is inherited. Rules of
// threads and deferring are those of ecs_set and ecs_get. ecs_init worlds have this; ecs_mini
// worlds after FlecsDocImport.
#ifndef MUSTER_ECS_DOC_H
#define MUSTER_ECS_DOC_H

#include <muster/ecs/component.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct EcsDocDescription {
    char *value; /**< owned by the component value */
} EcsDocDescription;

ECS_API extern const ecs_entity_t ecs_id(EcsDocDescription);
ECS_API extern const ecs_entity_t EcsDocUuid;
ECS_API extern const ecs_entity_t EcsDocBrief;
ECS_API extern const ecs_entity_t EcsDocDetail;
ECS_API extern const ecs_entity_t EcsDocLink;
ECS_API extern const ecs_entity_t EcsDocColor;

/** What names the entity in other worlds and files; any text, kept as (EcsDocDescription, EcsDocUuid). */
ECS_API void ecs_doc_set_uuid(ecs_world_t *world, ecs_entity_t entity, const char *uuid);
/** A name for people; any text, kept as (EcsDocDescription, EcsName). */
ECS_API void ecs_doc_set_name(ecs_world_t *world, ecs_entity_t entity, const char *name);
ECS_API void ecs_doc_set_brief(ecs_world_t *world, ecs_entity_t entity, const char *brief);
ECS_API void ecs_doc_set_detail(ecs_world_t *world, ecs_entity_t entity, const char *detail);
ECS_API void ecs_doc_set_link(ecs_world_t *world, ecs_entity_t entity, const char *link);
ECS_API void ecs_doc_set_color(ecs_world_t *world, ecs_entity_t entity, const char *color);

/** What was set, or NULL. */
ECS_API const char *ecs_doc_get_uuid(const ecs_world_t *world, ecs_entity_t entity);
/** Without a name for people, the name of the entity. */
ECS_API const char *ecs_doc_get_name(const ecs_world_t *world, ecs_entity_t entity);
ECS_API const char *ecs_doc_get_brief(const ecs_world_t *world, ecs_entity_t entity);
ECS_API const char *ecs_doc_get_detail(const ecs_world_t *world, ecs_entity_t entity);
ECS_API const char *ecs_doc_get_link(const ecs_world_t *world, ecs_entity_t entity);
ECS_API const char *ecs_doc_get_color(const ecs_world_t *world, ecs_entity_t entity);

/** Make a world know descriptions, and types, by the rules of FlecsMetaImport. */
ECS_API void FlecsDocImport(ecs_world_t *world);

#ifdef __cplusplus
}
#endif

#endif
