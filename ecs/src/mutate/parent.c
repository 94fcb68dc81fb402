// SPDX-License-Identifier: MIT
#include "mutate/parent.h"

#include <muster/ecs/ds/vec.h>
#include <muster/ecs/hierarchy.h>
#include <muster/ecs/iter.h>

#include "event/observer.h"
#include "mutate/check.h"
#include "mutate/hooks.h"
#include "mutate/report.h"
#include "mutate/traits.h"
#include "world/state.h"

#define ANY_PARENT ECS__MAKE_PAIR(Ecs__ChildOf, Ecs__Wildcard)
#define ANY_DEPTH ECS__MAKE_PAIR(Ecs__ParentDepth, Ecs__Wildcard)

static ecs_id_t depth_id(int32_t depth) {
    return ECS__VALUE_PAIR | (ecs_id_t)Ecs__ParentDepth << 32 | (uint32_t)depth;
}

// The record of the edge that a child has, or NULL.
static ecs_component_record_t *edge_of(const ecs_world_t *world, ecs_entity_t child) {
    if (!(ecs__entity_marks(&world->store.entities, child) & EcsEntityHasDontFragment)) return NULL;
    const ecs_component_record_t *any = ecs__id_record_get(&world->store, ANY_PARENT);
    ecs__sparse_edges_t edges = ecs__sparse_edges(any, child);
    return edges.count ? edges.items[0].record : NULL;
}

// Its component, or NULL.
static EcsParent *value_of(const ecs_world_t *world, ecs_entity_t child) {
    const ecs__spot_t spot = ecs__entity_find(&world->store.entities, child);
    return spot.table ? ecs__value_of(spot, Ecs__Parent) : NULL;
}

static bool is_target(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs__entity_marks(&world->store.entities, entity) & EcsEntityIsTarget;
}

static bool is_prefab(const ecs_world_t *world, ecs_entity_t entity) {
    const ecs_table_t *table = ecs__entity_living_table(&world->store.entities, (uint32_t)entity);
    return table && table->flags & EcsTableIsPrefab;
}

// ---- depth ----
//
// Hooks cannot move rows, so depths are told by commands, also in a suspended world; each tells what holds when it is recorded, so the
// last one is right.

static bool may_have_parent(const ecs__store_t *store, ecs_entity_t entity) {
    const ecs_table_t *table = ecs__entity_living_table(&store->entities, (uint32_t)entity);
    return table && table->flags & (EcsTableHasParent | EcsTableHasChildOf);
}

// Few are deep. The way up from those is remembered.
static int32_t depth_of(const ecs_world_t *world, ecs_entity_t entity) {
    enum { SHALLOW = 8 };
    const ecs__store_t *store = &world->store;
    if (!may_have_parent(store, entity)) return 0;
    const ecs_component_record_t *any = ecs__id_record_get(store, ANY_PARENT);
    for (int32_t depth = 0; depth < SHALLOW; depth++) {
        const ecs_entity_t parent = ecs__target_along(store, any, Ecs__ChildOf, entity, 0);
        if (!parent) return depth;
        entity = parent;
    }
    return SHALLOW + ecs__depth_from(store, entity, Ecs__ChildOf);
}

// Who is set the value judges it.
ecs_table_t *ecs__table_plus_depth(ecs_world_t *world, ecs_table_t *table, ecs_entity_t parent) {
    if (!parent || !ecs__entity_is_alive(&world->store.entities, parent)) return table;
    return ecs__table_plus(table, depth_id(depth_of(world, parent) + 1));
}

typedef struct place_t {
    ecs_entity_t entity;
    int32_t depth;
} place_t;

// Who has the component, and nobody above yet, has no depth.
static void tell_depth(ecs_world_t *world, place_t place, ecs_vec_t *open) {
    const ecs_table_t *table = ecs__entity_spot(&world->store.entities, place.entity).table;
    if (table->flags & EcsTableHasParent && place.depth) {
        ecs_add_id(world, place.entity, depth_id(place.depth));
        world->has_queued_depths = true;
    }
    if (is_target(world, place.entity)) *ecs_vec_append_t(NULL, open, place_t) = place;
}

// What is below the entity of a place.
static void tell_children(ecs_world_t *world, place_t place, ecs_vec_t *open) {
    const ecs_component_record_t *record = ecs__children_record(&world->store, place.entity);
    const ecs_table_t *table;
    int32_t from = 0;
    while (record && (table = ecs__id_record_next_table(record, &from, false))) {
        for (int32_t i = 0; i < table->count; i++)
            tell_depth(world, (place_t){ table->entities[i], place.depth + 1 }, open);
    }
    for (int32_t i = 0; i < ecs__sparse_count(record); i++) {
        ecs_entity_t child = ecs__sparse_holders(record)[i].entity;
        tell_depth(world, (place_t){ child, place.depth + 1 }, open);
    }
}

void ecs__parent_follow_depth(ecs_world_t *world, ecs_entity_t entity) {
    const int32_t defer = ecs__defer_hold(world->stage);
    ecs_vec_t open = ecs__spare_take(&world->below);
    tell_depth(world, (place_t){ entity, depth_of(world, entity) }, &open);
    int32_t limit = world->store.entities.alive_count;
    for (int32_t i = 0; i < ecs_vec_count(&open) && i <= limit; i++)
        tell_children(world, *ecs_vec_get_t(&open, place_t, i), &open);
    ecs__spare_give(&world->below, open);
    ecs__defer_release(world->stage, defer);
}

// ---- edges ----

static void take_edge(ecs_world_t *world, ecs_entity_t child, ecs_component_record_t *child_of) {
    ecs__sparse_remove(&world->store, child_of, child);
    ecs__children_lose(&world->store, ecs__id_second(child_of->id), child);
}

static void put_edge(ecs_world_t *world, ecs_entity_t child, ecs_component_record_t *child_of) {
    ecs__sparse_add(&world->store, child_of, child);
    ecs__children_append(&world->store, ecs__id_second(child_of->id), child);
}

// The name of an entity is filed under its parent.
static void rename_below(ecs_world_t *world, ecs_entity_t child) {
    const ecs_table_t *table = ecs__entity_spot(&world->store.entities, child).table;
    if (table->flags & EcsTableHasName) ecs__names_on_reparent(world, child);
}

// What a module lies in is one, too. Its table may say nothing of a new parent.
static void follow_module(ecs_world_t *world, ecs_entity_t child) {
    const ecs_table_t *table = ecs__entity_table(&world->store.entities, child);
    if (table && table->flags & EcsTableHasModule) ecs__traits_changed(world, child);
}

// The component is about to go, and the depth with it.
static void unlink_from(ecs_world_t *world, ecs_entity_t child, ecs_component_record_t *child_of) {
    ecs__hooks_sparse_removing(world, child, child_of);
    take_edge(world, child, child_of);
    ecs__store_touch_edge(&world->store, child);
    ecs__hooks_beside_removed(world, child, child_of);
    if (world->deleting) return; /* the child goes, and all below it */
    rename_below(world, child);
    if (world->flags & EcsWorldFini) return;
    if (is_target(world, child)) ecs__parent_follow_depth(world, child);
    ecs__observers_follow_parent(world, child);
}

static void begin_edges(ecs_world_t *world, ecs_component_record_t *child_of) {
    ecs__store_t *store = &world->store;
    if (ecs__sparse_count(child_of)) return;
    // Queries look for parents in another way now.
    if (!store->has_parents) ecs__store_raise_kinds(store);
    store->has_sparse = store->has_parents = true;
    child_of->flags |= ECS__ID_MIXED;
    ecs__id_record_ensure(store, ANY_PARENT)->flags |= ECS__ID_MIXED;
    ecs__traits_mark_id(store, child_of);
    ecs__sparse_expect(store, child_of);
    ecs__children_begin(
        store, ecs__entity_alive_id(&store->entities, ecs__id_second(child_of->id)));
}

// ---- the component ----

bool ecs__parent_check(ecs_world_t *world, ecs_entity_t child, ecs_entity_t parent) {
    if (!parent) {
        return ecs__refuse(world, ECS_INVALID_PARAMETER,
            "cannot set the parent of %s to 0: remove the component Parent instead",
            ECS__HOLDER(world, child));
    }
    if (!ecs__entity_is_alive(&world->store.entities, parent)) {
        return ecs__refuse(world, ECS_INVALID_PARAMETER,
            "cannot set the parent of %s to entity %u: it is not alive", ECS__HOLDER(world, child),
            (uint32_t)parent);
    }
    if (!ecs__check_place(world, child, parent)) return false;
    if (ecs_id_is_wildcard(parent)) {
        return ecs__refuse(world, ECS_INVALID_PARAMETER, "cannot set the parent of %s to %s",
            ECS__HOLDER(world, child), ECS__TEXT(world, parent));
    }
    bool may_be_above = child && (child == parent || is_target(world, child));
    if (may_be_above && ecs__is_inside(&world->store, parent, child)) {
        return ecs__refuse(world, ECS_CYCLE_DETECTED,
            "cannot set the parent of %s to %s, which is below it", ECS__TEXT(world, child),
            ECS__TEXT(world, parent));
    }
    return true;
}

// A parent that died since the command was recorded takes the child along, as with pairs. One that cannot be changes nothing.
static bool accepts(ecs_world_t *world, ecs_entity_t child, ecs_entity_t parent) {
    if (parent && !ecs__entity_is_alive(&world->store.entities, parent)) {
        ecs_delete(world, child);
        return false;
    }
    if (ecs__parent_check(world, child, parent)) return true;
    const ecs_component_record_t *old = edge_of(world, child);
    EcsParent *value = value_of(world, child);
    if (old && value)
        value->value = ecs__entity_alive_id(&world->store.entities, ecs__id_second(old->id));
    else
        ecs_remove_id(world, child, Ecs__Parent);
    return false;
}

// Whoever was told may have set another parent, or ended this one, or put it below the child.
static bool is_as_before(ecs_world_t *world, ecs_entity_t child, const ecs_component_record_t *old,
    ecs_entity_t parent) {
    const EcsParent *value = value_of(world, child);
    return value && value->value == parent && edge_of(world, child) == old &&
           accepts(world, child, parent);
}

// Observers are told of both parents before, and of both after the change. Whoever suspends deferring may do otherwise: then nothing
// changes. True if the child has its parent.
static bool link_to(
    ecs_world_t *world, ecs_entity_t child, ecs_component_record_t *old, ecs_entity_t parent) {
    ecs__store_t *store = &world->store;
    const ecs_table_t *table = ecs__entity_spot(&store->entities, child).table;
    ecs_component_record_t *child_of =
        ecs__id_record_ensure(store, ECS__MAKE_PAIR(Ecs__ChildOf, parent));
    const ecs__swap_t swap = { child, old, child_of, table, table };
    begin_edges(world, child_of);
    const uint64_t emitted = world->events.emitted + 1; /* the swap; more if somebody is told */
    bool stays = ecs__swap_begin(world, &swap);
    if (world->events.emitted != emitted) stays &= is_as_before(world, child, old, parent);
    if (!stays) {
        ecs__events_end_swap(&world->events);
        return false;
    }
    ecs__events_have_lost(&world->events);
    if (old) take_edge(world, child, old);
    put_edge(world, child, child_of);
    ecs__store_touch_edge(store, child);
    ecs__swap_end(world, &swap);
    ecs__observers_follow_parent(world, child);
    if (world->events.emitted != emitted && !value_of(world, child)) return false;
    rename_below(world, child);
    follow_module(world, child);
    return true;
}

// Others are below, or the table says something else, or will say it by a command that was recorded before.
static bool must_tell_depth(
    const ecs_world_t *world, ecs_entity_t child, ecs_entity_t parent, bool is_moved) {
    if (world->has_queued_depths || (is_moved && is_target(world, child))) return true;
    const ecs_table_t *table = ecs__entity_spot(&world->store.entities, child).table;
    return !ecs__table_has(table, depth_id(depth_of(world, parent) + 1));
}

static void set_parent(ecs_world_t *world, ecs_entity_t child, ecs_entity_t parent) {
    if (!accepts(world, child, parent)) return;
    ecs_component_record_t *old = edge_of(world, child);
    bool is_moved = !old || ecs__id_second(old->id) != (uint32_t)parent;
    if (is_moved && !link_to(world, child, old, parent)) return;
    // The same parent may have come back within one batch of commands.
    if (must_tell_depth(world, child, parent, is_moved)) ecs__parent_follow_depth(world, child);
}

static void on_set(ecs_iter_t *it) {
    if (it->event_id != Ecs__Parent) return; /* pairs with it say nothing */
    const EcsParent *values = ecs_field_w_size(it, sizeof(EcsParent), 0);
    for (int32_t i = 0; i < it->count; i++)
        set_parent(it->real_world, it->entities[i], values[i].value);
}

// Edges go with a move, if there is one.
static void on_remove(ecs_iter_t *it) {
    if (it->event_id != Ecs__Parent) return;
    for (int32_t i = 0; i < it->count; i++) {
        const ecs_entity_t child = it->entities[i];
        ecs_component_record_t *old = edge_of(it->real_world, child);
        if (old && it->real_world->events.swap.entity != child)
            unlink_from(it->real_world, child, old);
    }
}

void ecs__parent_bootstrap(ecs_world_t *world) {
    ecs_type_info_t *type = ecs__type_info_declare_t(&world->store, Ecs__Parent, EcsParent);
    type->hooks.on_set = on_set;
    type->hooks.on_remove = on_remove;
}

void ecs__parent_tag(ecs_world_t *world, ecs_entity_t child) {
    const ecs_component_record_t *child_of = edge_of(world, child);
    if (!child_of) return; /* it was refused */
    if (is_prefab(world, ecs__id_second(child_of->id))) ecs__add(world, child, Ecs__Prefab);
}

// ---- with a move ----
//
// The component goes, or takes the place of a pair: the edge comes or goes with the move of the row, and observers are told of both at
// once. Whoever matches before and after hears nothing.

void ecs__parent_add(ecs_world_t *world, ecs_entity_t child, ecs_entity_t parent) {
    ecs_table_t *table = ecs__entity_spot(&world->store.entities, child).table;
    if (table->flags & EcsTableHasChildOf && !accepts(world, child, parent)) return;
    EcsParent value = { parent };
    ecs__pending_value_t pending = { .id = Ecs__Parent, .ptr = &value };
    table = ecs__table_plus_depth(world, ecs__table_after_add(world, table, Ecs__Parent), parent);
    ecs__transition(world, child, table, &pending, 1);
}

// As a set does it, without what cannot be.
bool ecs__parent_link(ecs_world_t *world, ecs_entity_t child, ecs_entity_t parent) {
    EcsParent *value = value_of(world, child);
    if (!value || edge_of(world, child) || is_target(world, child) ||
        !ecs__entity_is_alive(&world->store.entities, parent) ||
        ecs__events_may_hear_set(&world->events, Ecs__Parent))
        return false;
    value->value = parent;
    link_to(world, child, NULL, parent);
    return true;
}

bool ecs__parent_give(ecs_world_t *world, ecs_entity_t child, ecs_entity_t parent) {
    const ecs_table_t *table = ecs__entity_spot(&world->store.entities, child).table;
    bool has_one = !table || table->flags & (EcsTableHasParent | EcsTableHasChildOf);
    if (has_one || world->has_queued_depths || is_target(world, child) ||
        ecs__events_may_hear_set(&world->events, Ecs__Parent))
        return false;
    if (!accepts(world, child, parent)) return true;
    ecs__parent_add(world, child, parent);
    if (!ecs__parent_link(world, child, parent)) return !value_of(world, child);
    if (is_prefab(world, parent)) ecs__parent_tag(world, child);
    return true;
}

// The edge that a value brings.
static ecs_component_record_t *edge_to_come(
    ecs_world_t *world, const ecs__pending_value_t *values, int32_t count) {
    const ecs__pending_value_t *pending = ecs__pending_find(values, count, Ecs__Parent);
    const EcsParent *parent = pending ? pending->ptr : NULL;
    if (!parent) return NULL;
    const ecs_id_t id = ECS__MAKE_PAIR(Ecs__ChildOf, parent->value);
    ecs_component_record_t *child_of = ecs__id_record_ensure(&world->store, id);
    begin_edges(world, child_of);
    return child_of;
}

// Whoever was told and suspends deferring may have taken the edge.
static void move_edge(ecs_world_t *world, ecs__edge_swap_t *swap) {
    const ecs__swap_t *edges = &swap->edges;
    ecs_component_record_t *old = edge_of(world, edges->entity);
    if (old) take_edge(world, edges->entity, old);
    if (edges->to) put_edge(world, edges->entity, edges->to);
    ecs__store_touch_edge(&world->store, edges->entity);
}

bool ecs__parent_moves(ecs_world_t *world, ecs_entity_t child, const ecs_table_t *src,
    const ecs_table_t *dst, const ecs__pending_value_t *values, int32_t count,
    ecs__edge_swap_t *swap) {
    ecs__swap_t edges = { .entity = child, .before = src, .after = dst };
    if (src->flags & EcsTableHasParent)
        edges.from = edge_of(world, child);
    else if (src->flags & EcsTableHasChildOf)
        edges.to = edge_to_come(world, values, count);
    *swap = (ecs__edge_swap_t){ edges, move_edge };
    return edges.from || edges.to;
}

// ---- tables ----

ecs_table_t *ecs__table_without_pair_parent(ecs_table_t *table) {
    return ecs__table_minus(table, ANY_PARENT);
}

ecs_table_t *ecs__table_without_parent(ecs_table_t *table) {
    return ecs__table_minus(ecs__table_minus(table, Ecs__Parent), ANY_DEPTH);
}

// A new child goes on to another table when it gets its name.
static bool check_arrival(
    ecs_world_t *world, ecs_table_t *table, ecs_entity_t parent, bool is_named) {
    const ecs_id_t name = ECS__MAKE_PAIR(Ecs__Identifier, Ecs__Name);
    bool is_locked = table->lock || (is_named && ecs__table_plus(table, name)->lock);
    return !is_locked ||
           ecs__refuse(world, ECS_LOCKED_STORAGE,
               "cannot make a child of %s at once: the table that it would be in is being "
               "iterated; give the component Parent to a new entity instead",
               ECS__TEXT(world, parent));
}

// Placed in the table with its depth, so that it does not move when it gets it.
ecs_entity_t ecs__parent_new_child(ecs_world_t *world, ecs_entity_t parent, bool is_named) {
    const EcsParent value = { parent };
    ecs_table_t *table = ecs__table_plus(world->store.root, Ecs__Parent);
    table = ecs__table_plus_depth(world, table, parent);
    if (is_prefab(world, parent)) table = ecs__table_plus(table, Ecs__Prefab);
    if (!check_arrival(world, table, parent, is_named)) return 0;
    ecs_entity_t child = ecs__create(world, table);
    if (!ecs__parent_link(world, child, parent)) ecs__set_copy(world, child, Ecs__Parent, &value);
    return child;
}

void ecs__parent_rename(ecs_world_t *world, ecs_entity_t parent) {
    const ecs__store_t *store = &world->store;
    const ecs_component_record_t *record = ecs__children_record(store, parent);
    for (int32_t i = 0; i < ecs__sparse_count(record); i++) {
        const ecs__spot_t child =
            ecs__entity_spot(&store->entities, ecs__sparse_holders(record)[i].entity);
        EcsParent *value = ECS_CONST_CAST(EcsParent *, ecs__value_of(child, Ecs__Parent));
        if (value) value->value = parent;
    }
}
