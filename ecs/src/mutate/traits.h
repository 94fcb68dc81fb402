// SPDX-License-Identifier: MIT
// traits: what it means that an id is a trait. What traits forbid is in check.h.
//
// Trait flags live in id records and are resolved once; when an entity gains or loses a trait, its
// records are resolved again. Entities used in the types of tables are marked in their record
// (EcsEntityIs*): a table listener does it, so that moving entities costs nothing. The marks stay
// until the entity is deleted, and cleanup then deletes those tables.
#ifndef ECS_MUTATE_TRAITS_H
#define ECS_MUTATE_TRAITS_H

#include "storage/store.h"

/** Table flag: the type has an id that is a trait, or EcsComponent, which may not go either while the entity is in use. */
#define ECS__TABLE_HAS_TRAITS (1u << 23)
/** Table flag: the type has a pair of a symmetric relationship. */
#define ECS__TABLE_HAS_SYMMETRIC (1u << 28)

typedef enum ecs__trait_kind_t {
    ECS__NO_TRAIT = 0,
    ECS__TRAIT_ANYTIME, /* may come and go while the entity is in use */
    ECS__TRAIT_UNUSED,  /* decides how ids are stored or found: only before the entity is in use */
    ECS__TRAIT_UNSUPPORTED
} ecs__trait_kind_t;
ecs__trait_kind_t ecs__trait_kind(ecs_id_t id);
/** True if it makes an id, or its values, lie in sets instead of tables. */
bool ecs__trait_is_of_sets(ecs_id_t id);

/** Start marking entities as tables are made. The listener lives as long as the store. */
void ecs__traits_init(ecs_world_t *world);

/** Mark what an id that is in no type is made of. */
void ecs__traits_mark_id(ecs__store_t *store, const ecs_component_record_t *record);

/** The n-th id that comes with an id, or 0: (With, O) on R says that R brings O, and (R, T) brings (O, T). */
ecs_id_t ecs__id_implied(const ecs__store_t *store, ecs_id_t id, int32_t n);

/** The traits of an entity may have changed: resolve the flags of its ids again. */
void ecs__traits_changed(ecs_world_t *world, ecs_entity_t entity);

#endif
