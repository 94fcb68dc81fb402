// SPDX-License-Identifier: MIT
#include "mutate/instantiate.h"

#include <muster/ecs/ds/vec.h>
#include <muster/ecs/hierarchy.h>

#include "id/type_info.h"
#include "mutate/check.h"
#include "mutate/hooks.h"
#include "mutate/override.h"
#include "mutate/parent.h"
#include "mutate/prefab_plan.h"
#include "mutate/slot.h"
#include "mutate/sparse.h"
#include "mutate/symmetric.h"
#include "mutate/traits.h"
#include "storage/bases.h"
#include "storage/toggle.h"
#include "world/state.h"

static const ecs_table_t *table_of(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs__entity_table(&world->store.entities, entity);
}

// ---- copies ----

static void copy_sparse(const ecs__prefab_group_t *group, const ecs_table_t *dst, int32_t row) {
    for (int32_t i = 0; i < dst->type.count; i++) {
        const ecs_component_record_t *record = ecs__table_cr(dst, i);
        if (!ecs__id_has_sparse_values(record)) continue;
        for (int32_t r = 0; r < group->count; r++) {
            const void *from = ecs__sparse_get(record, group->table->entities[group->row + r]);
            void *to = ecs__sparse_get(record, dst->entities[row + r]);
            if (from) ecs__value_copy(record->type_info, to, from, 1);
        }
    }
}

static void copy_values(const ecs__prefab_group_t *group, ecs_table_t *dst, int32_t row) {
    const ecs_table_t *src = group->table;
    ecs__toggles_copy(dst, row, src, group->row, group->count);
    for (int32_t c = 0; c < dst->column_count; c++) {
        int32_t from = ecs__table_column(src, ecs__column_id(dst, c));
        if (from < 0) continue;
        ecs__value_copy(dst->columns[c].type_info, ecs__table_cell(dst, c, row),
            ecs__table_cell(src, from, group->row), group->count);
    }
    if (dst->flags & EcsTableHasSparse) copy_sparse(group, dst, row);
}

// The parent is as good as set where nobody waits for its value. Depths that wait were told before.
static bool is_linked(
    ecs_world_t *world, const ecs__prefab_group_t *group, const ecs_table_t *dst, int32_t row) {
    if (!group->by_component || world->has_queued_depths) return false;
    const EcsParent *parent = ecs__table_cell(dst, ecs__table_column(dst, Ecs__Parent), row);
    return ecs__parent_link(world, dst->entities[row], parent->value);
}

static void tell_values(
    ecs_world_t *world, const ecs__prefab_group_t *group, ecs_table_t *dst, int32_t row) {
    for (int32_t i = 0; i < dst->type.count; i++) {
        const ecs_id_t id = dst->type.array[i];
        if (!ecs__table_cr(dst, i)->type_info || !ecs__table_has(group->table, id)) continue;
        if (id == Ecs__Parent && is_linked(world, group, dst, row)) continue;
        ecs__hooks_on_set_at(world, dst, i, row, group->count, true);
    }
}

// A copy is as far from the instance, in ids, as the original is from the prefab if that id is free, see ecs__entity_new_at.
static void take_ids(const ecs__prefab_plan_t *plan) {
    ecs__entity_index_t *entities = &plan->world->store.entities;
    int64_t offset =
        (int64_t)(uint32_t)plan->made[0] - (int64_t)(uint32_t)*ecs__prefab_node(plan, 0);
    const ecs__prefab_numbered_t *by_id =
        ecs_vec_count(&plan->by_id) ? ecs_vec_first(&plan->by_id) : NULL;
    for (int32_t i = 0; i < ecs_vec_count(&plan->nodes) - 1; i++) {
        int32_t at = by_id ? by_id[i].number : i + 1;
        int64_t wanted = (int64_t)(uint32_t)*ecs__prefab_node(plan, at) + offset;
        bool is_id = wanted > 0 && wanted < UINT32_MAX;
        plan->made[at] = is_id ? ecs__entity_new_at(entities, (uint32_t)wanted) : 0;
    }
    for (int32_t i = 1; i < ecs_vec_count(&plan->nodes); i++) {
        if (!plan->made[i]) plan->made[i] = ecs__entity_new(entities);
    }
}

static void give_back(ecs__prefab_plan_t *plan, const ecs__prefab_group_t *group) {
    for (int32_t i = group->first; i < group->first + group->count; i++) {
        ecs__entity_give_back(&plan->world->store.entities, plan->made[i]);
        plan->made[i] = 0;
    }
}

static void make_group(ecs__prefab_plan_t *plan, const ecs__prefab_group_t *group) {
    ecs_world_t *world = plan->world;
    ecs_entity_t parent = plan->made[group->parent], *made = &plan->made[group->first];
    if (!parent) {
        give_back(plan, group); /* refused below */
        return;
    }
    ecs_id_t *ids = ecs__prefab_ids(plan, group);
    if (!group->by_component) ids[group->child_of] = ECS__MAKE_PAIR(Ecs__ChildOf, parent);
    ecs_table_t *table = ecs__table_ensure(&world->store, ids, group->id_count);
    if (group->by_component) table = ecs__table_plus_depth(world, table, parent);
    if (!ecs__table_check_unlocked(table)) {
        give_back(plan, group);
        return;
    }
    int32_t row = ecs__store_place(&world->store, table, made, group->count);
    if (table->flags & EcsTableHasSparse)
        ecs__sparse_enter(world, table, NULL, row, group->count, NULL, 0);
    copy_values(group, table, row);
    if (group->by_component) {
        int32_t column = ecs__table_column(table, Ecs__Parent);
        ((EcsParent *)ecs__table_cell(table, column, row))->value = parent;
    }
    if (table->flags & EcsTableHasOrderedChildren)
        ecs__children_follow(NULL, table, made, group->count);
    for (int32_t i = 0; table->flags & ECS__TABLE_HAS_TRAITS && i < group->count; i++) {
        ecs__traits_changed(world, made[i]);
    }
    ecs__hooks_on_add(world, table, NULL, row, group->count);
    tell_values(world, group, table, row);
}

static void follow_group(ecs__prefab_plan_t *plan, const ecs__prefab_group_t *group) {
    for (int32_t i = group->first; i < group->first + group->count; i++) {
        const ecs_table_t *table = table_of(plan->world, plan->made[i]);
        if (!table) continue; /* it was refused */
        if (plan->world->store.has_sparse)
            ecs__aside_imply(plan->world, plan->made[i], NULL, table);
        if (table->flags & ECS__TABLE_HAS_SYMMETRIC)
            ecs__symmetric_follow(plan->world, plan->made[i], NULL, table);
    }
}

// Copies came group by group; those of ordered children stand at the end of the new parent's list.
static void make_order(const ecs__prefab_plan_t *plan, const ecs__prefab_order_t *order) {
    ecs__store_t *store = &plan->world->store;
    ecs_entity_t parent = plan->made[order->parent];
    const ecs__children_t *list = ecs__children_get(store, parent);
    if (!list) return;
    const int32_t *nodes = ecs_vec_first_t(&plan->ordered, int32_t);
    const size_t size = (size_t)order->count * sizeof(ecs_entity_t);
    ecs_entity_t *ids = ecs__kept_take(&store->kept, size);
    int32_t count = 0;
    for (int32_t i = 0; i < order->count; i++) {
        ecs_entity_t made = plan->made[nodes[order->first + i]];
        if (made) ids[count++] = made;
    }
    if (count) ecs__children_reorder(store, parent, list->count - count, ids);
    ecs__kept_give(&store->kept, ids, size);
}

// When all copies are placed, since this may move them. Whoever is told may end some.
static void copy_beside(const ecs__prefab_plan_t *plan, const ecs__prefab_group_t *group) {
    for (int32_t i = group->first; i < group->first + group->count; i++) {
        const ecs_table_t *table = plan->made[i] ? table_of(plan->world, plan->made[i]) : NULL;
        if (!table) continue;
        ecs__aside_follow(plan->world, plan->made[i], NULL, table);
        ecs_vec_t list = { 0 };
        ecs__aside_copy(plan->world, plan->made[i], *ecs__prefab_node(plan, i), false, &list);
        ecs__aside_copy_values(plan->world, plan->made[i], *ecs__prefab_node(plan, i), true, &list);
        if (!plan->for_prefab)
            ecs__aside_add_marked(
                plan->world, plan->made[i], table_of(plan->world, *ecs__prefab_node(plan, i)));
    }
}

// ---- instances ----

// A list that began between two groups of copies would have other children among them.
static void begin_order(const ecs__prefab_plan_t *plan) {
    for (int32_t g = 0; g < ecs_vec_count(&plan->groups) && !ecs__prefab_group(plan, g)->parent;
         g++) {
        if (!ecs__prefab_group(plan, g)->by_component) continue;
        ecs__children_begin(&plan->world->store, plan->made[0]);
        return;
    }
}

static void instantiate_one(ecs__prefab_plan_t *plan, ecs_entity_t instance) {
    int32_t count = ecs_vec_count(&plan->groups);
    plan->made[0] = instance;
    take_ids(plan);
    begin_order(plan);
    for (int32_t g = 0; g < count; g++) make_group(plan, ecs__prefab_group(plan, g));
    for (int32_t i = 0; i < ecs_vec_count(&plan->orders); i++)
        make_order(plan, ecs_vec_get_t(&plan->orders, ecs__prefab_order_t, i));
    for (int32_t g = 0; g < count; g++) follow_group(plan, ecs__prefab_group(plan, g));
    for (int32_t g = 0; plan->world->store.has_sparse && g < count; g++)
        copy_beside(plan, ecs__prefab_group(plan, g));
    ecs__slots_fill(plan);
}

// Symmetric pairs of copies come and go on their targets, and there may take such a pair from an original: it has moved then.
static bool may_move_originals(const ecs__prefab_plan_t *plan) {
    for (int32_t g = 0; g < ecs_vec_count(&plan->groups); g++) {
        if (ecs__prefab_group(plan, g)->table->flags & ECS__TABLE_HAS_SYMMETRIC) return true;
    }
    return false;
}

static void instantiate(ecs_world_t *world, ecs_entity_t base, bool for_prefab,
    const ecs_entity_t *entities, int32_t count) {
    ecs__prefab_plan_t *plan = ecs__prefab_plan_begin(world, base, for_prefab);
    const bool again = count > 1 && may_move_originals(plan);
    for (int32_t i = 0; i < count; i++) {
        if (again && i) {
            ecs__prefab_plan_end(plan);
            plan = ecs__prefab_plan_begin(world, base, for_prefab);
        }
        /* What would contain itself is refused after the flush. */
        if (!ecs__is_inside(&world->store, entities[i], base)) instantiate_one(plan, entities[i]);
    }
    ecs__prefab_plan_end(plan);
}

// Who asks for the base asks for an id from now on, or for kinds of it.
static void become_kind(ecs_world_t *world, ecs_entity_t entity) {
    ecs__store_t *store = &world->store;
    const uint32_t marks = ecs__entity_marks(&store->entities, entity);
    const bool has_kinds =
        marks & EcsEntityIsTarget && ecs__id_record_get(store, ECS__MAKE_PAIR(Ecs__IsA, entity));
    if (!(marks & EcsEntityIsId) && !has_kinds) return;
    world->types_stamp++;
    store->structure_stamp++;
}

void ecs__instantiate(ecs_world_t *world, const ecs_table_t *table, const ecs_table_t *before,
    const ecs_entity_t *entities, int32_t count) {
    ecs_entity_t base;
    for (int32_t n = 0; (base = ecs__table_target(table, Ecs__IsA, n)); n++) {
        if (before && ecs__table_has(before, ECS__MAKE_PAIR(Ecs__IsA, base))) continue;
        if (before) become_kind(world, entities[0]);
        bool is_prefab = table_of(world, base)->flags & EcsTableIsPrefab;
        if (!is_prefab || !ecs__has_children(&world->store, base)) continue;
        instantiate(world, base, table->flags & EcsTableIsPrefab, entities, count);
    }
}

// ---- instances that are a pair ----

// What is seen through other pairs of a base is not asked for.
static bool is_heard(void *ctx, ecs_entity_t base, const ecs_table_t *table) {
    const ecs_world_t *world = ctx;
    (void)base;
    for (int32_t i = 0; i < table->type.count; i++) {
        const ecs_component_record_t *id = ecs__table_cr(table, i);
        if (ecs__events_hear(&world->events, id, true) ||
            ecs__events_hear_set(&world->events, &world->store, id->id))
            return true;
    }
    return false;
}

bool ecs__instance_is_plain(const ecs_world_t *world, ecs_id_t is_a) {
    const ecs__store_t *store = &world->store;
    const ecs_component_record_t *record = ecs__id_record_get(store, is_a);
    const ecs_entity_t base = ecs__entity_alive_id(&store->entities, ecs__id_second(is_a));
    if (!base || !record || !record->table_live) return false;
    const ecs_table_t *table = table_of(world, base);
    const bool is_copied = table->flags & EcsTableIsPrefab && ecs__has_children(store, base);
    const bool may_have_beside =
        store->has_sparse &&
        (table->flags & EcsTableHasIsA ||
            ecs__entity_marks(&store->entities, base) & EcsEntityHasDontFragment);
    if (ecs__table_is_final(table) || is_copied || may_have_beside || ecs__override_is_due(table))
        return false;
    if (ecs__events_hear(&world->events, record, true)) return false;
    void *ctx = ECS_CONST_CAST(ecs_world_t *, world);
    return !ecs_vec_count(&world->events.rels) ||
           !(is_heard(ctx, base, table) || ecs__bases_each(table, is_heard, ctx));
}

// ---- the tag ----

static void list_untagged(const ecs_world_t *world, ecs_entity_t parent, ecs_vec_t *list) {
    const ecs_component_record_t *children = ecs__children_record(&world->store, parent);
    const ecs_table_t *table;
    int32_t from = 0;
    while (children && (table = ecs__id_record_next_table(children, &from, false))) {
        if (table->flags & EcsTableIsPrefab) continue;
        ecs_entity_t *items = ecs_vec_grow_t(NULL, list, ecs_entity_t, table->count);
        memcpy(items, table->entities, sizeof(ecs_entity_t) * (size_t)table->count);
    }
    for (int32_t i = 0; i < ecs__sparse_count(children); i++) {
        ecs_entity_t child = ecs__sparse_holders(children)[i].entity;
        if (table_of(world, child)->flags & EcsTableIsPrefab) continue;
        *ecs_vec_append_t(NULL, list, ecs_entity_t) = child;
    }
}

// The tree is listed first and tagged from its leaves up: a parent that is tagged finds all its
// children tagged, so that nothing recurses.
void ecs__prefab_tag_children(ecs_world_t *world, ecs_entity_t entity) {
    const ecs__entity_index_t *entities = &world->store.entities;
    if (!(ecs__entity_marks(entities, entity) & EcsEntityIsTarget)) return;
    world->store.plain_stamp += ECS__PLAIN_STEP; /* so are those to come */
    ecs_vec_t list;
    ecs_vec_init_t(NULL, &list, ecs_entity_t, 0);
    list_untagged(world, entity, &list);
    for (int32_t i = 0; i < ecs_vec_count(&list) && i <= entities->alive_count; i++) {
        list_untagged(world, *ecs_vec_get_t(&list, ecs_entity_t, i), &list);
    }
    for (int32_t i = ecs_vec_count(&list) - 1; i >= 0; i--) {
        ecs__add(world, *ecs_vec_get_t(&list, ecs_entity_t, i), Ecs__Prefab);
    }
    ecs_vec_fini_t(NULL, &list, ecs_entity_t);
}
