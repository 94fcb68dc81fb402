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
    world->store.plain_stamp += ECS__PLAIN_STEP;
}

static void forget(
    ecs_world_t *world, const ecs_entity_t *entities, int32_t count, bool had_traits) {
    if (had_traits)
        forget_traits(world, entities, count);
    else
        ecs__entity_free_many(&world->store.entities, entities, count);
    world->info.id_delete_total += count;
}

static bool has_beside(const ecs__entity_index_t *index, ecs_entity_t entity) {
    return ecs__entity_marks(index, entity) & EcsEntityHasDontFragment;
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
        if (has_beside(&world->store.entities, one)) action(world, one);
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

// Whoever hears of it and suspends deferring may move rows, bring something that is beside the table, or be faster.
static void tell_of_end(ecs_world_t *world, ecs_entity_t entity) {
    const ecs__entity_index_t *index = &world->store.entities;
    ecs__spot_t at = ecs__entity_spot(index, entity);
    ecs__emit_on_delete(world, at.table, at.row, 1);
    if (!(at = ecs__entity_spot(index, entity)).table) return;
    bool loses = has_beside(index, entity);
    if (loses) begin_loss(world, at.table, entity);
    if (!(at = ecs__entity_spot(index, entity)).table) return;
    ecs__hooks_on_remove(world, at.table, NULL, at.row, 1);
    const ecs__spot_t now = ecs__entity_spot(index, entity);
    if (now.table && now.table != at.table) /* moved, so that not all have heard */
        ecs__hooks_on_remove(world, now.table, NULL, now.row, 1);
    if (!loses && (loses = has_beside(index, entity))) begin_loss(world, at.table, entity);
    if (loses) end_loss(world, at.table, entity);
}

static void end_row(ecs_world_t *world, ecs_table_t *table, ecs_entity_t entity) {
    const ecs__entity_index_t *index = &world->store.entities;
    const int32_t row = ecs__entity_spot(index, entity).row;
    if (has_beside(index, entity)) ecs__aside_drop(world, entity);
    if (table->flags & EcsTableHasSparse) ecs__sparse_leave(world, table, NULL, row, 1);
    ecs__names_on_delete(world, entity);
    bool is_traversable = ecs__entity_marks(index, entity) & EcsEntityIsTraversable;
    if (table->flags & EcsTableHasOrderedChildren) ecs__children_follow(table, NULL, &entity, 1);
    ecs__table_remove_row(table, row, true);
    if (is_traversable) {
        table->traversable_count--;
        ecs__store_delete_traversable(&world->store, entity, table);
    }
    forget(world, &entity, 1, table->flags & ECS__TABLE_HAS_TRAITS);
}

void ecs__delete_row(ecs_world_t *world, ecs_entity_t entity) {
    const ecs__entity_index_t *index = &world->store.entities;
    if (!ecs__check_unlocked(world, ecs__entity_spot(index, entity).table, entity)) return;
    const ecs__ending_t ending = { world->ending, entity, NULL };
    world->leaving++;
    if (ECS__CHECKS) world->ending = &ending;
    tell_of_end(world, entity);
    if (ECS__CHECKS) world->ending = ending.outer;
    world->leaving--;
    ecs_table_t *table = ecs__entity_table(index, entity);
    if (table) end_row(world, table, entity);
}

void ecs__delete_announce(ecs_world_t *world, ecs_table_t *table) {
    if (world->store.has_sparse) begin_loss(world, table, 0);
    ecs__hooks_on_remove(world, table, NULL, 0, table->count);
    ecs__events_end_loss(&world->events);
}

void ecs__delete_aside(ecs_world_t *world, ecs_table_t *table) {
    if (world->store.has_sparse) for_each_beside(world, table, 0, ecs__aside_drop);
    if (table->flags & EcsTableHasSparse) ecs__sparse_leave(world, table, NULL, 0, table->count);
}

static void touch_rows(ecs__store_t *store, const ecs_table_t *table) {
    for (int32_t row = 0; row < table->count; row++) {
        ecs_entity_t entity = table->entities[row];
        if (ecs__entity_marks(&store->entities, entity) & EcsEntityIsTraversable)
            ecs__store_delete_traversable(store, entity, table);
    }
}

static void tell_of_ends(ecs_world_t *world, ecs_table_t *table) {
    ecs__emit_on_delete(world, table, 0, table->count);
    if (world->store.has_sparse) begin_loss(world, table, 0);
    ecs__hooks_on_remove(world, table, NULL, 0, table->count);
    if (world->store.has_sparse) end_loss(world, table, 0);
}

// Who comes while others are told of the end of all rows ends, too; who leaves has left.
void ecs__delete_rows(ecs_world_t *world, ecs_table_t *table) {
    int32_t count = table->count;
    if (!count || !ecs__check_unlocked(world, table, table->entities[0])) return;
    world->leaving++;
    tell_of_ends(world, table);
    while (table->count > count) ecs__delete_row(world, table->entities[table->count - 1]);
    count = table->count;
    world->leaving--;
    if (world->store.has_sparse) for_each_beside(world, table, 0, ecs__aside_drop);
    if (table->flags & EcsTableHasSparse) ecs__sparse_leave(world, table, NULL, 0, count);
    for (int32_t i = 0; world->names.pending && i < count; i++)
        ecs__names_on_delete(world, table->entities[i]);
    if (table->traversable_count) touch_rows(&world->store, table);
    if (table->flags & EcsTableHasOrderedChildren)
        ecs__children_follow(table, NULL, table->entities, count);
    ecs__table_clear_rows(table);
    forget(world, table->entities, count, table->flags & ECS__TABLE_HAS_TRAITS);
}

// Most entities are neither ids nor targets, and nothing can refer to them.
bool ecs__delete_means_more(const ecs_world_t *world, ecs_entity_t entity) {
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
    return !ecs__entity_is_alive(&world->store.entities, entity) ||
           !ecs__delete_means_more(world, entity) || ecs__cleanup_check(world, entity);
}

void ecs__delete(ecs_world_t *world, ecs_entity_t entity) {
    const ecs_table_t *table = ecs__entity_table(&world->store.entities, entity);
    if (!table) return;
    bool is_heard = ecs__emit_concerns_delete(&world->events, table);
    if (!is_heard && ecs__plain_delete(world, entity)) return;
    if (ecs__delete_means_more(world, entity))
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

static ecs_table_t *only_switches(const ecs_table_t *table) {
    ecs_table_t *left = table->store->root;
    for (int32_t i = 0; i < table->type.count; i++)
        if (table->type.array[i] & ECS_TOGGLE) left = ecs__table_plus(left, table->type.array[i]);
    return left;
}

// If something is beside the table, the transition goes on with the loss. What was switched off is known until all have heard.
void ecs__clear(ecs_world_t *world, ecs_entity_t entity) {
    const ecs__entity_index_t *index = &world->store.entities;
    if (has_beside(index, entity)) {
        const ecs_table_t *table = ecs__entity_spot(index, entity).table;
        ecs__events_begin_loss(&world->events, table, entity, false);
        if (table == world->store.root) {
            clear_beside(world, entity);
        } else {
            ecs__aside_removing(world, entity);
        }
    }
    const ecs_table_t *table = ecs__entity_table(index, entity);
    if (table && table->toggles) ecs__transition_cleared(world, entity, only_switches(table));
    if (ecs__entity_table(index, entity)) ecs__transition_cleared(world, entity, world->store.root);
    ecs__events_end_loss(&world->events);
}

void ecs__delete_with(ecs_world_t *world, ecs_id_t id) { ecs__cleanup_holders(world, id); }

void ecs__remove_all(ecs_world_t *world, ecs_id_t id) {
    ecs__remove_from_tables(world, id, EcsTableIsPrefab);
    ecs__aside_remove_all(world, id, EcsTableIsPrefab, NULL, NULL);
}
