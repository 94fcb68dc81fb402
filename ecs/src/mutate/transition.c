// SPDX-License-Identifier: MIT
// transition: an entity moves from one table to another, with everything that follows from it.
//
//   on_remove hooks → row moves (values kept, dropped, constructed)
//                   → inherited and pending values → on_add hooks → what other entities owe
//
// Hooks only queue, so the row stays where it is until the end.
#include "base/apart.h"
#include "event/observer.h"
#include "id/type_info.h"
#include "mutate/check.h"
#include "mutate/edge.h"
#include "mutate/hooks.h"
#include "mutate/instantiate.h"
#include "mutate/mutate.h"
#include "mutate/override.h"
#include "mutate/parent.h"
#include "mutate/report.h"
#include "mutate/sparse.h"
#include "mutate/swap.h"
#include "mutate/symmetric.h"
#include "mutate/traits.h"
#include "world/state.h"

// ---- values ----

static bool any_raw(const ecs__pending_value_t *values, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (values[i].construct) return true;
    }
    return false;
}

static void drop_values(ecs_world_t *world, const ecs__pending_value_t *values, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        ecs_entity_t type = ecs__id_typeid(&world->store, values[i].id);
        if (type && values[i].ptr)
            ecs__value_dtor(ecs__type_info_get(&world->store, type), values[i].ptr, 1);
    }
}

// A destination is raw only in a column that is new to the entity. No pointer: the caller
// constructs the value in place.
static void move_in(ecs_world_t *world, ecs_table_t *table, int32_t row, const ecs_table_t *before,
    const ecs__pending_value_t *values, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        void *cell = ecs__value_of((ecs__spot_t){ table, row }, values[i].id);
        const bool is_refused = !cell;
        if (is_refused) drop_values(world, &values[i], 1);
        if (is_refused || !values[i].ptr) continue;
        const ecs_type_info_t *type = ecs__id_record_get(&world->store, values[i].id)->type_info;
        bool is_raw = values[i].construct && !ecs__table_has(before, values[i].id);
        if (is_raw)
            ecs__value_ctor_move_dtor(type, cell, values[i].ptr, 1);
        else
            ecs__value_move_dtor(type, cell, values[i].ptr, 1);
    }
}

// Constructs what is new except values that are about to be moved into raw memory.
static void construct_new(ecs_table_t *table, int32_t row, const ecs_table_t *before,
    const ecs__pending_value_t *values, int32_t count) {
    for (int32_t c = 0; c < table->column_count; c++) {
        ecs_id_t id = ecs__column_id(table, c);
        if (!table->columns[c].has_hooks || ecs__table_has(before, id)) continue;
        const ecs__pending_value_t *value = ecs__pending_find(values, count, id);
        if (value && value->construct) continue;
        ecs__value_ctor(table->columns[c].type_info, ecs__table_cell(table, c, row), 1);
    }
}

// ---- the move ----

static int32_t row_of(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs__entity_spot(&world->store.entities, entity).row;
}

static int32_t move_row(ecs_world_t *world, ecs_entity_t entity, ecs_table_t *src, ecs_table_t *dst,
    const ecs__pending_value_t *values, int32_t count) {
    bool raw = any_raw(values, count);
    int32_t row = ecs__table_move_row(dst, src, row_of(world, entity), !raw);
    if (raw) construct_new(dst, row, src, values, count);
    if (ecs__entity_marks(&world->store.entities, entity) & EcsEntityIsTraversable)
        ecs__store_move_traversable(&world->store, entity, src, dst);
    return row;
}

// The name of an entity is filed under its parent. Whoever heard that it goes may have given another.
static void follow_parent(ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *src,
    const ecs_table_t *dst, bool moves_edge) {
    const bool had_name = src->flags & EcsTableHasName,
               has_name = had_name && dst->flags & EcsTableHasName;
    if (had_name && !has_name) ecs__names_on_set(world, entity, ECS__NAME, 0, NULL);
    if (!has_name && !world->store.has_parents) return;
    if (!moves_edge && !((src->flags | dst->flags) & EcsTableHasChildOf)) return;
    ecs_entity_t before = ecs__table_target(src, Ecs__ChildOf, 0);
    if (!moves_edge && before == ecs__table_target(dst, Ecs__ChildOf, 0)) return;
    if (has_name) ecs__names_on_reparent(world, entity);
    if (world->store.has_parents) ecs__parent_follow_depth(world, entity);
}

// What a change brings that is not in the table: all that comes with its ids; only the children of bases, as to copies; nothing; or it
// takes all that is beside the table.
typedef enum brings_t { BRINGS_ALL, BRINGS_CHILDREN, BRINGS_NOTHING, CLEARS } brings_t;

// What the change means for others, and what it brings. The entity itself may move once more.
static void follow(ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *src,
    const ecs_table_t *dst, brings_t what) {
    const bool brings = world->store.has_sparse && what == BRINGS_ALL;
    if (brings) ecs__aside_imply(world, entity, src, dst);
    if ((src->flags | dst->flags) & ECS__TABLE_HAS_SYMMETRIC)
        ecs__symmetric_follow(world, entity, src, dst);
    if (dst->flags & EcsTableHasIsA && what != BRINGS_NOTHING)
        ecs__instantiate(world, dst, src, &entity, 1);
    if (dst->flags & ~src->flags & EcsTableIsPrefab) ecs__prefab_tag_children(world, entity);
    if (brings) ecs__aside_follow(world, entity, src, dst);
}

// `swap`: of an edge, which comes or goes with the move; NULL: none but that to the parent.
static ECS__APART void transition(ecs_world_t *world, ecs_entity_t entity, ecs_table_t *dst,
    const ecs__pending_value_t *values, int32_t value_count, brings_t what,
    ecs__edge_swap_t *swap) {
    ecs_table_t *src = ecs__entity_spot(&world->store.entities, entity).table;
    if (src == dst) {
        move_in(world, dst, row_of(world, entity), src, values, value_count);
        return;
    }
    const bool is_symmetric = (src->flags | dst->flags) & ECS__TABLE_HAS_SYMMETRIC;
    if (!ecs__check_unlocked(world, src, entity) || !ecs__check_unlocked(world, dst, entity) ||
        (is_symmetric && !ecs__symmetric_check(world, entity, src, dst))) {
        drop_values(world, values, value_count);
        return;
    }
    const bool is_cleared =
        what == CLEARS && world->events.losing == src && world->events.loser == entity;
    if (src->flags & EcsTableHasDontFragment && !is_cleared && !swap) {
        const ecs_table_t *left = ecs__aside_leave(world, entity, src, dst);
        if (left != src) {
            if (ecs__check_stayed(world, entity, left))
                transition(world, entity, dst, values, value_count, what, NULL);
            else
                drop_values(world, values, value_count);
            return;
        }
    }
    ecs__edges_t edges = { 0 };
    if (src->flags & ECS__TABLE_HAS_TRAITS) dst = ecs__check_loss(world, entity, src, dst);
    if (dst->flags & ECS__TABLE_HAS_EDGES) dst = ecs__edges_begin(world, entity, src, dst, &edges);
    if (src == dst) {
        drop_values(world, values, value_count);
        return;
    }
    ecs__edge_swap_t parent;
    const bool moves_parent =
        (src->flags ^ dst->flags) & EcsTableHasParent && !is_cleared &&
        ecs__parent_moves(world, entity, src, dst, values, value_count, &parent);
    if (moves_parent) swap = &parent;
    bool stays =
        !swap || (ecs__swap_begin(world, &swap->edges) && ecs__check_stayed(world, entity, src));
    if (stays) {
        ecs__hooks_on_remove(world, src, dst, row_of(world, entity), 1);
        stays = ecs__check_stayed(world, entity, src);
    }
    if (!stays) {
        if (swap) ecs__events_end_swap(&world->events);
        ecs__edges_end(world, NULL, 0, &edges, NULL, 0);
        drop_values(world, values, value_count);
        return;
    }
    int32_t row = row_of(world, entity);
    if (is_cleared) {
        ecs__aside_drop(world, entity);
        ecs__events_have_lost(&world->events);
    }
    if (src->flags & EcsTableHasSparse) ecs__sparse_leave(world, src, dst, row, 1);
    row = move_row(world, entity, src, dst, values, value_count);
    if (dst->flags & EcsTableHasSparse)
        ecs__sparse_enter(world, dst, src, row, 1, values, value_count);
    ecs__override_copy(dst, src, row, 1, values, value_count);
    if (edges.count) ecs__edges_end(world, dst, row, &edges, values, value_count);
    if (value_count) move_in(world, dst, row, src, values, value_count);
    if (swap && swap->edges.from) ecs__swap_make(world, swap);
    if ((src->flags | dst->flags) & EcsTableHasOrderedChildren)
        ecs__children_follow(src, dst, &entity, 1);
    if (swap && !swap->edges.from) ecs__swap_make(world, swap);
    follow_parent(world, entity, src, dst, moves_parent);
    if ((src->flags | dst->flags) & ECS__TABLE_HAS_TRAITS) ecs__traits_changed(world, entity);
    ecs__hooks_on_add(world, dst, src, row, 1);
    if (swap) ecs__swap_end(world, &swap->edges);
    if (moves_parent) ecs__observers_follow_parent(world, entity);
    if (is_cleared) ecs__aside_removed(world);
    const ecs__spot_t now = ecs__entity_spot(&world->store.entities, entity);
    if (now.table == dst) ecs__override_notify(world, dst, src, now.row, 1, values, value_count);
    follow(world, entity, src, dst, what);
}

void ecs__transition(ecs_world_t *world, ecs_entity_t entity, ecs_table_t *dst,
    const ecs__pending_value_t *values, int32_t value_count) {
    transition(world, entity, dst, values, value_count, BRINGS_ALL, NULL);
}

void ecs__transition_cleared(ecs_world_t *world, ecs_entity_t entity, ecs_table_t *dst) {
    transition(world, entity, dst, NULL, 0, CLEARS, NULL);
}

void ecs__transition_with_edge(
    ecs_world_t *world, ecs_entity_t entity, ecs_table_t *dst, ecs__edge_swap_t *swap) {
    transition(world, entity, dst, NULL, 0, BRINGS_ALL, swap);
}

static void transition_copy(ecs_world_t *world, ecs_entity_t entity, ecs_table_t *dst,
    const ecs__pending_value_t *values, int32_t value_count, brings_t what) {
    const ecs_entity_t outer = world->events.copy;
    world->events.copy = entity;
    transition(world, entity, dst, values, value_count, what, NULL);
    world->events.copy = outer;
}

void ecs__transition_exactly(ecs_world_t *world, ecs_entity_t entity, ecs_table_t *dst,
    const ecs__pending_value_t *values, int32_t value_count) {
    transition_copy(world, entity, dst, values, value_count, BRINGS_CHILDREN);
}

void ecs__add_exactly(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    ecs_table_t *table = ecs__entity_spot(&world->store.entities, entity).table;
    transition_copy(world, entity, ecs__table_plus(table, id), NULL, 0, BRINGS_NOTHING);
}
