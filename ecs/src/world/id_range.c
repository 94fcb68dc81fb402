// SPDX-License-Identifier: MIT
// id_range: ranges of entity ids that the user chooses; see muster/ecs/world.h.
#include "storage/id_range.h"

#include "world/write.h"

// New ids may be made while the world is deferred, so where they come from may change then too.
static bool check_may_change(ecs_world_t *world) {
    if (!ecs__check_writer(world)) return false;
    ecs_check(!(ecs__world_of(world)->flags & EcsWorldReadonly), ECS_INVALID_WHILE_READONLY,
        "cannot change ranges of entity ids while the world is readonly");
    return true;
error:
    return false;
}

static bool check_new(ecs__entity_index_t *index, uint32_t min, uint32_t max) {
    uint32_t last = max ? max : UINT32_MAX;
    ecs_check(min != 0, ECS_INVALID_PARAMETER, "a range of entity ids cannot begin with 0");
    ecs_check(last >= min, ECS_INVALID_PARAMETER,
        "the range of entity ids %u..%u ends before it begins", min, max);
    ecs_check(!ecs__id_ranges_have_dead(index), ECS_INVALID_OPERATION,
        "ranges of entity ids are made before any entity is deleted");
    const ecs_entity_range_t *other = ecs__id_range_find(index, min, last);
    ecs_check(!other, ECS_INVALID_PARAMETER,
        "the range of entity ids %u..%u has ids in common with the range %u..%u", min, max,
        other->min, other->max);
    ecs_check(!ecs__id_ranges_issued_outside(index, min, last), ECS_INVALID_PARAMETER,
        "the range of entity ids %u..%u has ids that were made alive already", min, max);
    uint32_t highest = index->pool.high - 1;
    ecs_check(index->user_ranges || (min == 1 ? last >= highest : min > highest),
        ECS_INVALID_PARAMETER,
        "the range of entity ids %u..%u must have all ids or none up to %u, which were issued", min,
        max, highest);
    return true;
error:
    return false;
}

const ecs_entity_range_t *ecs_entity_range_new(ecs_world_t *world, uint32_t min, uint32_t max) {
    ECS__CHECK(check_may_change(world));
    ecs__entity_index_t *index = &ecs__world_of(world)->store.entities;
    ECS__CHECK(check_new(index, min, max));
    return ecs__id_range_new(index, min, max);
error:
    return NULL;
}

void ecs_entity_range_set(ecs_world_t *world, const ecs_entity_range_t *range) {
    ECS__CHECK(check_may_change(world));
    ecs__entity_index_t *index = &ecs__world_of(world)->store.entities;
    ecs_check(range && ecs__id_range_find(index, range->min, range->min) == range,
        ECS_INVALID_PARAMETER, "only a range made with ecs_entity_range_new can be active");
    ecs__id_range_activate(index, range);
error:
    return;
}

const ecs_entity_range_t *ecs_entity_range_get(const ecs_world_t *world) {
    return ecs__id_range_active(&ecs__world_of(world)->store.entities);
}
