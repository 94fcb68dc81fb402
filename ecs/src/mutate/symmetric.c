// SPDX-License-Identifier: MIT
#include "mutate/symmetric.h"

#include "mutate/report.h"
#include "mutate/traits.h"
#include "world/state.h"

// The other end of a symmetric pair that `other` lacks, or 0.
static ecs_entity_t changed_end(
    const ecs_world_t *world, const ecs_table_t *table, int32_t index, const ecs_table_t *other) {
    ecs_id_t id = table->type.array[index];
    if (!ECS_IS_PAIR(id)) return 0;
    if (!(ecs__table_cr(table, index)->flags & ECS__ID_SYMMETRIC)) return 0;
    if (other && ecs__table_has(other, id)) return 0;
    return ecs__pair_target(&world->store.entities, id);
}

// Ends that have the pair back lose it, those that lack it get it.
static bool may_mirror(ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *table,
    const ecs_table_t *other, bool has) {
    if (!(table->flags & ECS__TABLE_HAS_SYMMETRIC)) return true;
    for (int32_t i = 0; i < table->type.count; i++) {
        ecs_entity_t end = changed_end(world, table, i, other);
        if (!end) continue;
        const ecs_table_t *at = ecs__entity_spot(&world->store.entities, end).table;
        const ecs_id_t back = ECS__MAKE_PAIR(ecs__id_first(table->type.array[i]), entity);
        if (ecs__table_has(at, back) == has && !ecs__check_unlocked(world, at, end)) return false;
    }
    return true;
}

bool ecs__symmetric_check(
    ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *before, const ecs_table_t *after) {
    return !ECS__CHECKS || (may_mirror(world, entity, before, after, true) &&
                               may_mirror(world, entity, after, before, false));
}

void ecs__symmetric_unlink(ecs_world_t *world, ecs_entity_t end, ecs_id_t id) {
    const ecs_table_t *table = ecs__entity_spot(&world->store.entities, end).table;
    if (!(table->flags & EcsTableMarkedForDelete)) ecs__remove(world, end, id);
}

typedef void (*change_t)(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);

// The other ends change once; there the same is found in order, and it ends.
static void mirror(ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *table,
    const ecs_table_t *other, change_t change) {
    if (!table || !(table->flags & ECS__TABLE_HAS_SYMMETRIC)) return;
    for (int32_t i = 0; i < table->type.count; i++) {
        ecs_entity_t end = changed_end(world, table, i, other);
        if (end) change(world, end, ECS__MAKE_PAIR(ecs__id_first(table->type.array[i]), entity));
    }
}

void ecs__symmetric_follow(
    ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *before, const ecs_table_t *after) {
    mirror(world, entity, before, after, ecs__symmetric_unlink);
    mirror(world, entity, after, before, ecs__add);
}
