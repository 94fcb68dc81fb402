// SPDX-License-Identifier: MIT
// id_range: ranges of entity ids that the user chose, each with its own free ids.
//
// One range is active: its free and never-issued ids are those in the entity index, so that taking ids is the same with and without
// ranges. The others keep theirs here. An id that becomes free goes to the range that contains it; outside of all ranges it waits until it is
// asked for by number.
#ifndef ECS_STORAGE_ID_RANGE_H
#define ECS_STORAGE_ID_RANGE_H

#include <muster/ecs/world.h>

#include "storage/entity_index.h"

/** Make a range of ids min … max (0: as high as there are ids). With the first one, the ids issued so far form a range too. */
const ecs_entity_range_t *ecs__id_range_new(ecs__entity_index_t *index, uint32_t min, uint32_t max);
/** The range that has one of the ids min … max, or NULL. */
const ecs_entity_range_t *ecs__id_range_find(
    const ecs__entity_index_t *index, uint32_t min, uint32_t max);
void ecs__id_range_activate(ecs__entity_index_t *index, const ecs_entity_range_t *range);
/** The active range as it is now, or NULL. */
const ecs_entity_range_t *ecs__id_range_active(ecs__entity_index_t *index);

/** Put the ids of the range that contains `id` into the index; of no range: those outside. Returns what to give to `leave`. */
int32_t ecs__id_ranges_enter(ecs__entity_index_t *index, uint32_t id);
void ecs__id_ranges_leave(ecs__entity_index_t *index, int32_t active);

/** Number of ranges, 1 if there are none; and walk them: put range `at` into the index. */
int32_t ecs__id_ranges_count(const ecs__entity_index_t *index);
int32_t ecs__id_ranges_select(ecs__entity_index_t *index, int32_t at);

/** The first id from `id` on that may have been issued: passes stretches of which none was. */
uint32_t ecs__id_ranges_next(const ecs__entity_index_t *index, uint32_t id);

/** True if one of the ids min … max was issued although it is of no range. */
bool ecs__id_ranges_issued_outside(const ecs__entity_index_t *index, uint32_t min, uint32_t max);

/** True if an id of some range was of an entity that died, and is free. */
bool ecs__id_ranges_have_dead(const ecs__entity_index_t *index);

/** No id at or above was issued. */
uint32_t ecs__id_ranges_high(const ecs__entity_index_t *index);

/** Free what the ranges keep that are not active. */
void ecs__id_ranges_fini(ecs__entity_index_t *index);

#endif
