// SPDX-License-Identifier: MIT
#include "mutate/delete.h"

#include "event/emit.h"
#include "mutate/cleanup.h"
#include "mutate/hooks.h"
#include "mutate/mutate.h"
#include "mutate/plain.h"
#include "mutate/report.h"
#include "mutate/sparse.h"
#include "mutate/traits.h"
#include "world/state.h"

static bool is_used(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs__entity_marks(&world->store.entities, entity) & (EcsEntityIsId | EcsEntityIsTarget);
}

// What others have of one that dies with them keeps its traits until they are gone: the cleanup drops it then.
static void forget_traits(ecs_world_t *world, const ecs_entity_t *entities, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const bool is_dropped = is_used(world, entities[i]);
        ecs__entity_free(&world->store.entities, entities[i]);
        if (!is_dropped) ecs__traits_changed(world, entities[i]);
    }
    world->last_new.id = 0;
}

static void forget(
    ecs_world_t *world, const ecs_entity_t *entities, int32_t count, bool had_traits) {
    if (had_traits)
        forget_traits(world, entities, count);
    else
        ecs__entity_free_many(&world->store.entities, entities, count);
    world->info.id_delete_total += count;
}

// One entity of a table, or with 0 all of them.
static void for_each_beside(ecs_world_t *world, const ecs_table_t *table, ecs_entity_t entity,
    void (*action)(ecs_world_t *world, ecs_entity_t entity)) {
    if (entity) {
        action(world, entity);
        return;
    }
    for (int32_t i = 0; i < table->count; i++) {
        const ecs_entity_t one = table->entities[i];
        if (ecs__entity_marks(&world->store.entities, one) & EcsEntityHasDontFragment)
            action(world, one);
    }
}

static void begin_loss(ecs_world_t *world, const ecs_table_t *table, ecs_entity_t entity) {
    ecs__events_begin_loss(&world->events, table, entity, true);
    for_each_beside(world, table, entity, ecs__aside_removing);
}

static void end_loss(ecs_world_t *world, const ecs_table_t *table, ecs_entity_t entity) {
    for_each_beside(world, table, entity, ecs__aside_drop);
    ecs__aside_removed(world);
    ecs__events_end_loss(&world->events);
}

// Whoever is told of the end may move other rows.
void ecs__delete_row(ecs_world_t *world, ecs_entity_t entity) {
    const ecs__entity_index_t *index = &world->store.entities;
    ecs_table_t *table = ecs__entity_spot(index, entity).table;
    if (!ecs__check_unlocked(world, table, entity)) return;
    world->leaving++;
    ecs__emit_on_delete(world, table, ecs__entity_spot(index, entity).row, 1);
    bool has_beside = ecs__entity_marks(index, entity) & EcsEntityHasDontFragment;
    if (has_beside) begin_loss(world, table, entity);
    ecs__hooks_on_remove(world, table, NULL, ecs__entity_spot(index, entity).row, 1);
    if (has_beside) end_loss(world, table, entity);
    if (table->flags & EcsTableHasSparse)
        ecs__sparse_leave(world, table, NULL, ecs__entity_spot(index, entity).row, 1);
    world->leaving--;
    ecs__names_on_delete(world, entity);
    bool is_traversable = ecs__entity_marks(index, entity) & EcsEntityIsTraversable;
    if (table->flags & EcsTableHasOrderedChildren) ecs__children_follow(table, NULL, &entity, 1);
    ecs__table_remove_row(table, ecs__entity_spot(index, entity).row, true);
    if (is_traversable) {
        table->traversable_count--;
        ecs__store_delete_traversable(&world->store, entity, table);
    }
    forget(world, &entity, 1, table->flags & ECS__TABLE_HAS_TRAITS);
}

void ecs__delete_announce(ecs_world_t *world, ecs_table_t *table) {
    if (world->store.has_sparse) begin_loss(world, table, 0);
    ecs__hooks_on_remove(world, table, NULL, 0, table->count);
    ecs__events_end_loss(&world->events);
}

static void touch_rows(ecs__store_t *store, const ecs_table_t *table) {
    for (int32_t row = 0; row < table->count; row++) {
        ecs_entity_t entity = table->entities[row];
        if (ecs__entity_marks(&store->entities, entity) & EcsEntityIsTraversable)
            ecs__store_delete_traversable(store, entity, table);
    }
}

void ecs__delete_rows(ecs_world_t *world, ecs_table_t *table) {
    int32_t count = table->count;
    if (!count || !ecs__check_unlocked(world, table, table->entities[0])) return;
    world->leaving++;
    ecs__emit_on_delete(world, table, 0, count);
    if (world->store.has_sparse) begin_loss(world, table, 0);
    ecs__hooks_on_remove(world, table, NULL, 0, count);
    if (world->store.has_sparse) end_loss(world, table, 0);
    if (table->flags & EcsTableHasSparse) ecs__sparse_leave(world, table, NULL, 0, count);
    world->leaving--;
    for (int32_t i = 0; world->names.pending && i < count; i++)
        ecs__names_on_delete(world, table->entities[i]);
    if (table->traversable_count) touch_rows(&world->store, table);
    if (table->flags & EcsTableHasOrderedChildren)
        ecs__children_follow(table, NULL, table->entities, count);
    ecs__table_clear_rows(table);
    forget(world, table->entities, count, table->flags & ECS__TABLE_HAS_TRAITS);
}

// Most entities are neither ids nor targets, and nothing can refer to them.
static bool needs_cleanup(const ecs_world_t *world, ecs_entity_t entity) {
    const ecs__entity_index_t *index = &world->store.entities;
    return is_used(world, entity) || ecs__table_has(ecs__entity_spot(index, entity).table,
                                         ECS__MAKE_PAIR(Ecs__OnDelete, Ecs__Panic));
}

bool ecs__check_delete(ecs_world_t *world, ecs_entity_t entity) {
#ifdef FLECS_DEBUG
    const ecs_component_record_t *id = ecs__id_record_get(&world->store, entity);
    if (id && id->query_count > id->observer_count) {
        return ecs__refuse(world, ECS_INVALID_OPERATION,
            "cannot delete %s: it is still in use by queries; end them first",
            ECS__TEXT(world, entity));
    }
#endif
    return !ecs__entity_is_alive(&world->store.entities, entity) || !needs_cleanup(world, entity) ||
           ecs__cleanup_check(world, entity);
}

void ecs__delete(ecs_world_t *world, ecs_entity_t entity) {
    const ecs_table_t *table = ecs__entity_table(&world->store.entities, entity);
    if (!table) return;
    bool is_heard = ecs__emit_concerns_delete(&world->events, table);
    if (!is_heard && ecs__plain_delete(world, entity)) return;
    if (needs_cleanup(world, entity))
        ecs__cleanup_entity(world, entity);
    else
        ecs__delete_row(world, entity);
}

static void clear_beside(ecs_world_t *world, ecs_entity_t entity) {
    ecs__aside_removing(world, entity);
    ecs__aside_drop(world, entity);
    ecs__events_have_lost(&world->events);
    ecs__aside_removed(world);
}

// If something is beside the table, the transition goes on with the loss.
void ecs__clear(ecs_world_t *world, ecs_entity_t entity) {
    const ecs__entity_index_t *index = &world->store.entities;
    if (ecs__entity_marks(index, entity) & EcsEntityHasDontFragment) {
        const ecs_table_t *table = ecs__entity_spot(index, entity).table;
        ecs__events_begin_loss(&world->events, table, entity, false);
        if (table == world->store.root) {
            clear_beside(world, entity);
        } else {
            ecs__aside_removing(world, entity);
        }
    }
    ecs__transition(world, entity, world->store.root, NULL, 0);
    ecs__events_end_loss(&world->events);
}

void ecs__delete_with(ecs_world_t *world, ecs_id_t id) { ecs__cleanup_holders(world, id); }

void ecs__remove_all(ecs_world_t *world, ecs_id_t id) {
    ecs__remove_from_tables(world, id, EcsTableIsPrefab);
    ecs__aside_remove_all(world, id, EcsTableIsPrefab, NULL, NULL);
}
