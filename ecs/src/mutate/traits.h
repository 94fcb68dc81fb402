// SPDX-License-Identifier: MIT
// traits: what it means that an id is a trait, and what traits forbid.
//
// Trait flags live in id records and are resolved once; when an entity gains or loses a trait, its
// records are resolved again. Entities used in the types of tables are marked in their record
// (EcsEntityIs*): a table listener does it, so that moving entities costs nothing. The marks stay
// until the entity is deleted, and cleanup then deletes those tables.
#ifndef ECS_MUTATE_TRAITS_H
#define ECS_MUTATE_TRAITS_H

#include "storage/store.h"

/** Table flag: the type has an id that is a trait. */
#define ECS__TABLE_HAS_TRAITS (1u << 23)
/** Table flag: the type has a pair of a symmetric relationship. */
#define ECS__TABLE_HAS_SYMMETRIC (1u << 28)

/** Start marking entities as tables are made. The listener lives as long as the store. */
void ecs__traits_init(ecs_world_t *world);

/** Mark what an id that is in no type is made of. */
void ecs__traits_mark_id(ecs__store_t *store, const ecs_component_record_t *record);

/** The n-th id that comes with an id, or 0: (With, O) on R says that R brings O, and (R, T) brings (O, T). */
ecs_id_t ecs__id_implied(const ecs__store_t *store, ecs_id_t id, int32_t n);

/** The traits of an entity may have changed: resolve the flags of its ids again. */
void ecs__traits_changed(ecs_world_t *world, ecs_entity_t entity);

/** `dst` with the traits that an entity of `src` may not lose, each refused with a sentence. */
ecs_table_t *ecs__traits_keep(
    ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *src, ecs_table_t *dst);

/** False, with a sentence, if the entity cannot get another parent: it is a builtin module. */
bool ecs__check_place(ecs_world_t *world, ecs_entity_t entity);

/** False, with a sentence, if the id cannot be removed by itself: only with all that the entity has. */
bool ecs__check_remove(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);

/** True if a table has the id or a pair with it as first element. */
bool ecs__id_has_tables(const ecs_world_t *world, ecs_entity_t id);

#endif
