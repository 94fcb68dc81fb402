// SPDX-License-Identifier: MIT
// add_remove: from an id to the table it leads to, with everything the id implies.
#include "base/apart.h"
#include "event/route.h"
#include "id/type_info.h"
#include "mutate/check.h"
#include "mutate/hooks.h"
#include "mutate/mutate.h"
#include "mutate/override.h"
#include "mutate/parent.h"
#include "mutate/plain.h"
#include "mutate/sparse.h"
#include "mutate/traits.h"
#include "storage/bases.h"
#include "world/state.h"

// Ends with cycles too, since an id that is there leads nowhere.
static ecs_table_t *add_implied(ecs_world_t *world, ecs_table_t *table, ecs_id_t id) {
    ecs_id_t implied;
    for (int32_t n = 0; (implied = ecs__id_implied(&world->store, id, n)); n++)
        table = ecs__table_after_add(world, table, implied);
    return table;
}

ecs_table_t *ecs__table_after_add(ecs_world_t *world, ecs_table_t *table, ecs_id_t id) {
    if (ecs__store_beside(&world->store, id)) return table;
    bool is_depth = ECS_HAS_RELATION(id, Ecs__ParentDepth);
    if (is_depth && !(table->flags & EcsTableHasParent)) return table; /* the parent is gone */
    ecs_table_t *dst = ecs__table_plus(table, id);
    if (dst == table) return table;
    ecs_flags32_t flags = ecs__id_record_ensure(&world->store, id)->flags; /* it is a recent one */
    if (flags & EcsIdWith) dst = add_implied(world, dst, id);
    if (ECS_IS_PAIR(id) && ecs__id_first(id) == Ecs__ChildOf) {
        const ecs_table_t *parent =
            ecs__entity_living_table(&world->store.entities, ecs__id_second(id));
        if (parent && parent->flags & EcsTableIsPrefab && ecs__id_leads(id))
            dst = ecs__table_plus(dst, Ecs__Prefab);
        if (dst->flags & EcsTableHasParent) dst = ecs__table_without_parent(dst);
    }
    if (id == Ecs__Parent) dst = ecs__table_without_pair_parent(dst);
    if (ECS_HAS_RELATION(id, Ecs__IsA) && ecs__id_leads(id))
        dst = ecs__table_plus_overrides(world, dst, ecs__id_second(id));
    if (ECS_HAS_RELATION(id, Ecs__SlotOf)) /* every instance has another target */
        dst = ecs__table_plus(ecs__table_plus(dst, Ecs__Exclusive), Ecs__DontFragment);
    return dst;
}

ecs_table_t *ecs__table_after_remove(ecs_table_t *table, ecs_id_t id) {
    ecs_table_t *dst = ecs__table_minus(table, id);
    bool loses_parent = table->flags & ~dst->flags & EcsTableHasParent;
    return loses_parent ? ecs__table_without_parent(dst) : dst;
}

// Its presence and its absence are told separately, and mostly nobody asks for one of them.
static bool hears_both(const ecs_world_t *world, const ecs_component_record_t *id, bool adds,
    const ecs_table_t *src, const ecs_table_t *dst) {
    const ecs__events_t *events = &world->events;
    const ecs__event_t *opposite = adds ? &events->on_remove : &events->on_add;
    return opposite->concerned_not & id->bloom || (src->flags ^ dst->flags) & EcsTableIsDisabled;
}

static void copy_of_base(const ecs_world_t *world, const ecs__edge_t *edge, int32_t row) {
    const ecs_table_t *table = edge->target;
    const ecs_component_record_t *component = ecs__id_record_get(&world->store, edge->id);
    const void *value = ecs__override_value(table, component);
    if (value)
        ecs__value_copy(component->type_info, ecs__table_cell(table, edge->column, row), value, 1);
}

// In a bracket, since hooks may be called; these may walk other edges, so that this one lies elsewhere afterwards. `plain` is what was
// found out of it before anybody was told.
static void go(ecs_world_t *world, ecs_entity_t entity, ecs__walk_t walk, uint64_t plain) {
    const ecs__edge_t edge = *walk.hop->edge;
    ecs_table_t *src = walk.hop->source;
    const bool is_free = ecs__walk_is_free(world, walk);
    ecs_component_record_t *in_set =
        plain & ECS__PLAIN_IN_SET ? ecs__id_record_get(&world->store, edge.id) : NULL;
    if (in_set && !edge.adds) ecs__sparse_end(world, in_set, entity);
    if (plain & ECS__PLAIN_HOOKED)
        ecs__table_move_row(edge.target, src, ecs__walk_row(world, walk), true);
    else
        ecs__walk_go_on(world, entity, walk);
    if (!is_free) ecs__store_move_traversable(&world->store, entity, src, edge.target);
    if (in_set && edge.adds) ecs__sparse_begin(world, in_set, entity);
    if (plain & ECS__PLAIN_STARTS) copy_of_base(world, &edge, ecs__walk_row(world, walk));
}

static ECS__APART void change_told(
    ecs_world_t *world, ecs_entity_t entity, ecs__walk_t walk, bool adds) {
    ecs_table_t *src = walk.hop->source, *dst = walk.hop->edge->target;
    ecs_id_t id = walk.hop->id;
    const int16_t column = walk.hop->edge->column;
    const uint64_t plain = walk.hop->edge->plain;
    bool both = hears_both(world, ecs__id_record_get(&world->store, id), adds, src, dst);
    if (!adds || both) {
        ecs__hooks_on_remove(world, src, dst, ecs__walk_row(world, walk), 1);
        if (!ecs__check_stayed(world, entity, src)) return;
        walk.hop = ecs__hop_find(src, id); /* whoever was told may have walked others */
    }
    go(world, entity, walk, plain);
    if (!adds && !both) return;
    // Nothing else came with the id: usually a route is all it takes.
    int32_t row = ecs__walk_row(world, walk);
    bool told = !both && !(plain & ECS__PLAIN_CALLED) && !(world->flags & EcsWorldFini) &&
                ecs__route_tell_move(&world->events, &world->events.on_add, dst, src, row, 1);
    if (!told) ecs__hooks_on_add(world, dst, src, row, 1);
    if (plain & ECS__PLAIN_STARTS && dst->columns[column].type_info->hooks.on_set)
        ecs__hooks_on_set_at(world, dst, dst->columns[column].type_index, row, 1, false);
}

static bool is_heard(const ecs_world_t *world, const ecs__edge_t *edge) {
    return ecs__events_hear(
        &world->events, ecs__id_record_get(&world->store, edge->id), edge->adds);
}

static bool has_hook(const ecs_type_info_t *type, bool adds, bool starts) {
    if (starts && type->hooks.on_set) return true;
    return type && (adds ? type->hooks.on_add : type->hooks.on_remove);
}

// What takes the place of that of a base is told of as anything that comes, but for the value, which only the hook was not told of before.
static bool may_override(const ecs_component_record_t *id) {
    const ecs_type_info_t *type = id->type_info;
    return !ECS_IS_PAIR(id->id) && !ecs__id_is_sparse(id) && !(type && type->hooks.on_validate);
}

// Observers follow what disables them.
static bool may_disable_observers(const ecs_table_t *src, const ecs__edge_t *edge) {
    return edge->id == Ecs__Disabled && ecs__table_may_hold_observers(src);
}

// Somebody may be told, in whatever way: of the id itself, or as others come to see something else.
static bool is_heard_of(const ecs_world_t *world, ecs_id_t id) {
    const ecs_component_record_t *record = ecs__id_record_get(&world->store, id);
    return ecs__events_hear(&world->events, record, true) ||
           ecs__events_hear(&world->events, record, false) ||
           ecs__events_hear_set(&world->events, &world->store, id);
}

// What bases have comes into sight as their instance loses its own.
static bool concerns_bases(
    const ecs_world_t *world, const ecs_table_t *src, const ecs__edge_t *edge) {
    if (!ecs__bases_provide(src, edge->id)) return false;
    return edge->adds ? !may_override(ecs__id_record_get(src->store, edge->id))
                      : is_heard_of(world, edge->id);
}

static bool concerns_more(
    const ecs_world_t *world, const ecs_table_t *src, const ecs__edge_t *edge) {
    const ecs_component_record_t *id = ecs__id_record_get(src->store, edge->id);
    return edge->kind == ECS__EDGE_MORE || may_disable_observers(src, edge) ||
           !ecs__table_is_short(src) || !ecs__table_is_short(edge->target) ||
           (src->flags | edge->target->flags) & ECS__TABLE_MOVES_MORE ||
           id->flags & ECS__ID_MEANS_MORE & ~ECS__ID_PRESENCE || concerns_bases(world, src, edge);
}

// Whether the value begins as zeros, or ends without a trace.
static bool is_bytes(const ecs_type_info_t *type, bool adds) {
    const ecs_flags32_t illegal = adds ? ECS_TYPE_HOOK_CTOR_ILLEGAL : ECS_TYPE_HOOK_DTOR_ILLEGAL;
    return !(adds ? type->hooks.ctor : type->hooks.dtor) && !(type->hooks.flags & illegal);
}

// Of the id, which comes or goes, or of what stays.
static bool is_hooked(
    const ecs_table_t *src, const ecs__edge_t *edge, const ecs_type_info_t *type) {
    return (type && !is_bytes(type, edge->adds)) || !src->moves_as_bytes ||
           !edge->target->moves_as_bytes || (src->flags | edge->target->flags) & EcsTableHasToggle;
}

// Its relationship means no more for the pair whose place the id takes than for the id.
static bool is_swap_heard(
    const ecs_world_t *world, const ecs_table_t *src, const ecs__edge_t *edge) {
    if (edge->kind != ECS__EDGE_SWAP) return false;
    const ecs_id_t any = ecs_pair(ecs__id_first(edge->id), Ecs__Wildcard);
    return is_heard_of(world, ecs__table_id_like(src, any));
}

// What a walk along the edge means, judged by everything that raises store->plain_stamp.
static uint32_t judge(const ecs_world_t *world, const ecs_table_t *src, const ecs__edge_t *edge) {
    if (concerns_more(world, src, edge) || is_swap_heard(world, src, edge)) return ECS__PLAIN_NOT;
    const ecs_component_record_t *id = ecs__id_record_get(src->store, edge->id);
    const bool starts = edge->adds && edge->column >= 0 && ecs__override_value(src, id);
    const ecs_type_info_t *type = id->type_info;
    return (is_heard(world, edge) ? ECS__PLAIN_HEARD : 0) |
           (has_hook(type, edge->adds, starts) ? ECS__PLAIN_CALLED : 0) |
           (ecs__id_has_sparse_values(id) ? ECS__PLAIN_IN_SET : 0) |
           (is_hooked(src, edge, type) ? ECS__PLAIN_HOOKED : 0) | (starts ? ECS__PLAIN_STARTS : 0) |
           (ecs__id_is_presence(id) ? ECS__PLAIN_PRESENCE : 0);
}

static bool is_known(const ecs_world_t *world, const ecs__edge_t *edge) {
    return edge->plain - world->store.plain_stamp < ECS__PLAIN_STEP;
}

static ECS__APART void find_out(
    const ecs_world_t *world, const ecs_table_t *src, ecs__edge_t *edge) {
    edge->plain = world->store.plain_stamp + judge(world, src, edge);
}

// Those below the entity may be told of what comes or goes; observers among them follow what disables it.
static bool concerns_below(const ecs_world_t *world, ecs__walk_t walk) {
    const ecs__entity_index_t *index = &world->store.entities;
    const ecs_entity_t entity = (ecs_entity_t)(walk.record - index->records);
    if (ecs__walk_is_free(world, walk)) return false;
    return is_heard_of(world, walk.hop->id) ||
           (walk.hop->id == Ecs__Disabled &&
               ecs__entity_marks(index, entity) & ECS__ENTITY_OVERSEES);
}

// `forbidden`: what it may not mean.
static bool is_all(const ecs_world_t *world, ecs__walk_t walk, uint32_t forbidden) {
    if (!walk.hop || !ecs__walk_is_open(walk) || concerns_below(world, walk)) return false;
    const ecs__edge_t *edge = walk.hop->edge;
    if (!is_known(world, edge))
        find_out(world, walk.hop->source, ECS_CONST_CAST(ecs__edge_t *, edge));
    return !(edge->plain & forbidden);
}

static bool change(
    ecs_world_t *world, ecs_entity_t entity, ecs__walk_t walk, bool adds, uint32_t forbidden) {
    if (!is_all(world, walk, forbidden)) return false;
    if (walk.hop->edge->adds != adds) return true;
    const uint64_t plain = walk.hop->edge->plain;
    if (!(plain & (ECS__PLAIN_HEARD | ECS__PLAIN_CALLED))) {
        go(world, entity, walk, plain);
        return true;
    }
    const bool is_only_heard = ecs__walk_is_bytes(world, walk.hop, ECS__PLAIN_HEARD);
    const ecs__route_t *route =
        is_only_heard && !world->events.depth ? ecs__walk_route(world, walk.hop, adds) : NULL;
    if (route)
        ecs__walk_along(world, entity, walk, route, adds);
    else
        change_told(world, entity, walk, adds);
    return true;
}

#define PLAIN_NOT_BY_ITSELF (ECS__PLAIN_NOT | ECS__PLAIN_PRESENCE)

bool ecs__walk_is_all(const ecs_world_t *world, ecs__walk_t walk) {
    return is_all(world, walk, PLAIN_NOT_BY_ITSELF);
}

bool ecs__walk_change(ecs_world_t *world, ecs_entity_t entity, ecs__walk_t walk, bool adds) {
    return change(world, entity, walk, adds, PLAIN_NOT_BY_ITSELF);
}

bool ecs__walk_presence(ecs_world_t *world, ecs_entity_t entity, ecs_id_t presence, bool adds) {
    const ecs__walk_t walk = ecs__walk_find(world, entity, presence);
    return change(world, entity, walk, adds, ECS__PLAIN_NOT);
}

static bool verify_edges(const ecs_world_t *world, const ecs_table_t *table) {
    for (uint32_t i = 0; i <= table->edge_mask; i++) {
        const ecs__edge_t *edge = &table->edges[i];
        if (!edge->id || !is_known(world, edge)) continue;
        const uint32_t known = (uint32_t)(edge->plain - world->store.plain_stamp);
        if (known != ECS__PLAIN_NOT && known != judge(world, table, edge)) return false;
    }
    return true;
}

bool ecs__walks_verify(const ecs_world_t *world) {
    for (int32_t i = 0; i < world->store.table_count; i++) {
        const ecs_table_t *table = world->store.tables[i];
        if (table && !verify_edges(world, table)) return false;
    }
    return true;
}

void ecs__add(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    if (ecs__walk_change(world, entity, ecs__walk_find(world, entity, id), true)) return;
    ecs_component_record_t *beside = ecs__store_beside(&world->store, id);
    if (beside) {
        ecs__aside_add(world, entity, beside, ECS__START_VALUE);
        return;
    }
    ecs_table_t *table = ecs__entity_spot(&world->store.entities, entity).table;
    ecs_table_t *dst = ecs__table_after_add(world, table, id);
    if (dst != table) ecs__transition(world, entity, dst, NULL, 0);
}

void ecs__remove(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    if (ecs__walk_change(world, entity, ecs__walk_find(world, entity, id), false)) return;
    if (!ecs__check_remove(world, entity, id)) return;
    if (world->store.has_sparse) ecs__aside_remove(world, entity, id);
    ecs_table_t *table = ecs__entity_table(&world->store.entities, entity);
    ecs_table_t *dst = table ? ecs__table_after_remove(table, id) : NULL; /* hooks may end it */
    if (dst != table) ecs__transition(world, entity, dst, NULL, 0);
}
