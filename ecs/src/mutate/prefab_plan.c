// SPDX-License-Identifier: MIT
#include "mutate/prefab_plan.h"

#include <stdlib.h>

#include <muster/ecs/ds/vec.h>

#include "mutate/override.h"
#include "world/state.h"

// What a copy has instead of an id of the original; 0: nothing.
static ecs_id_t copied_id(const ecs__prefab_plan_t *plan, const ecs_table_t *table, int32_t index) {
    ecs_id_t id = table->type.array[index];
    if (ECS_HAS_RELATION(id, Ecs__ChildOf)) return id;
    if (ECS_HAS_RELATION(id, Ecs__SlotOf)) return plan->for_prefab ? id : 0;
    if (id == ECS__MAKE_PAIR(Ecs__Identifier, Ecs__Name) || id & ECS__TOGGLE) return id;
    if (id & ECS__AUTO_OVERRIDE) {
        bool is_beside = ecs__store_beside(table->store, id & ~ECS__AUTO_OVERRIDE);
        return plan->for_prefab ? id : is_beside ? 0 : id & ~ECS__AUTO_OVERRIDE;
    }
    if (ecs__id_is_presence(ecs__table_cr(table, index))) return 0; /* comes with its edges */
    return ecs__is_passed_on(table, ecs__table_cr(table, index)) ? id : 0;
}

static int compare_ids(const void *a, const void *b) {
    ecs_id_t id_a = *(const ecs_id_t *)a, id_b = *(const ecs_id_t *)b;
    return (id_a > id_b) - (id_a < id_b);
}

static int32_t sort_unique(ecs_id_t *ids, int32_t count) {
    int32_t kept = 0;
    qsort(ids, (size_t)count, sizeof(ecs_id_t), compare_ids);
    for (int32_t i = 0; i < count; i++) {
        if (!kept || ids[kept - 1] != ids[i]) ids[kept++] = ids[i];
    }
    return kept;
}

static void add_id(ecs__prefab_plan_t *plan, ecs_id_t id) {
    *ecs_vec_append_t(NULL, &plan->ids, ecs_id_t) = id;
}

// Children by component share tables, so each keeps to the child that it is a copy of.
static void add_component_ids(ecs__prefab_plan_t *plan, const ecs__prefab_group_t *group) {
    ecs_entity_t original = group->table->entities[group->row];
    add_id(plan, Ecs__Parent);
    add_id(plan, ECS__MAKE_PAIR(Ecs__IsA, original));
}

static void plan_ids(ecs__prefab_plan_t *plan, ecs__prefab_group_t *group) {
    const ecs_table_t *table = group->table;
    group->ids = ecs_vec_count(&plan->ids);
    group->slot_of = ecs__table_target(table, Ecs__SlotOf, 0);
    plan->has_slots |= group->slot_of != 0;
    for (int32_t i = 0; i < table->type.count; i++) {
        ecs_id_t id = copied_id(plan, table, i);
        if (id) add_id(plan, id);
    }
    if (group->by_component) add_component_ids(plan, group);
    if (plan->for_prefab) add_id(plan, Ecs__Prefab);
    if (plan->for_prefab && group->slot_of) {
        add_id(plan, Ecs__Exclusive);
        add_id(plan, Ecs__DontFragment);
    }
    group->id_count =
        sort_unique(ecs__prefab_ids(plan, group), ecs_vec_count(&plan->ids) - group->ids);
    ecs_vec_set_count_t(NULL, &plan->ids, ecs_id_t, group->ids + group->id_count);
    if (group->by_component) return;
    const ecs_id_t *ids = ecs__prefab_ids(plan, group);
    while (!ECS_HAS_RELATION(ids[group->child_of], Ecs__ChildOf)) group->child_of++;
}

static void plan_group(ecs__prefab_plan_t *plan, ecs__prefab_group_t group) {
    group.first = ecs_vec_count(&plan->nodes);
    plan_ids(plan, &group);
    *ecs_vec_append_t(NULL, &plan->groups, ecs__prefab_group_t) = group;
    ecs_entity_t *nodes = ecs_vec_grow_t(NULL, &plan->nodes, ecs_entity_t, group.count);
    memcpy(nodes, &group.table->entities[group.row], sizeof(ecs_entity_t) * (size_t)group.count);
}

static void plan_child(ecs__prefab_plan_t *plan, ecs_entity_t child, int32_t parent) {
    const ecs__spot_t spot = ecs__entity_spot(&plan->world->store.entities, child);
    plan_group(plan, (ecs__prefab_group_t){ .table = spot.table,
                         .row = spot.row,
                         .by_component = true,
                         .parent = parent,
                         .count = 1 });
}

static void plan_order(ecs__prefab_plan_t *plan, int32_t parent, int32_t first) {
    const ecs__children_t *list =
        ecs__children_get(&plan->world->store, *ecs__prefab_node(plan, parent));
    if (!list) return;
    ecs_map_clear(&plan->places);
    for (int32_t i = first; i < ecs_vec_count(&plan->nodes); i++)
        *ecs_map_ensure(&plan->places, *ecs__prefab_node(plan, i)) = (ecs_map_val_t)i;
    *ecs_vec_append_t(NULL, &plan->orders, ecs__prefab_order_t) =
        (ecs__prefab_order_t){ parent, ecs_vec_count(&plan->ordered), list->count };
    for (int32_t i = 0; i < list->count; i++) {
        int32_t child = (int32_t)*ecs_map_get(&plan->places, list->ids[i]);
        *ecs_vec_append_t(NULL, &plan->ordered, int32_t) = child;
    }
}

// Breadth first. More nodes than entities would be a cycle, which is undone after the flush.
static void plan_children(ecs__prefab_plan_t *plan) {
    const ecs__entity_index_t *entities = &plan->world->store.entities;
    for (int32_t i = 0; i < ecs_vec_count(&plan->nodes); i++) {
        if (i > entities->alive_count) return;
        const ecs_entity_t node = *ecs__prefab_node(plan, i);
        if (!(ecs__entity_marks(entities, node) & EcsEntityIsTarget)) continue;
        const ecs_component_record_t *children =
            ecs__children_record(&plan->world->store, *ecs__prefab_node(plan, i));
        const ecs_table_t *table;
        int32_t from = 0, first = ecs_vec_count(&plan->nodes);
        while (children && (table = ecs__id_record_next_table(children, &from, false))) {
            plan_group(
                plan, (ecs__prefab_group_t){ .table = table, .parent = i, .count = table->count });
        }
        for (int32_t k = 0; k < ecs__sparse_count(children); k++)
            plan_child(plan, ecs__sparse_holders(children)[k].entity, i);
        plan_order(plan, i, first);
    }
}

static bool are_sorted(const ecs__prefab_plan_t *plan, int32_t count) {
    for (int32_t i = 2; i < count; i++) {
        if (*ecs__prefab_node(plan, i - 1) > *ecs__prefab_node(plan, i)) return false;
    }
    return true;
}

// The order in which copies get their ids, so that those are taken upwards.
static void sort_nodes(ecs__prefab_plan_t *plan, int32_t count) {
    ecs_vec_clear(&plan->by_id);
    if (are_sorted(plan, count)) return;
    ecs__prefab_numbered_t *nodes =
        ecs_vec_grow_t(NULL, &plan->by_id, ecs__prefab_numbered_t, count - 1);
    for (int32_t i = 1; i < count; i++)
        nodes[i - 1] = (ecs__prefab_numbered_t){ *ecs__prefab_node(plan, i), i };
    qsort(nodes, (size_t)count - 1, sizeof *nodes, compare_ids);
}

static ecs__prefab_plan_t *take_plan(ecs_world_t *world) {
    ecs__prefab_plan_t *plan = world->spare_plan;
    world->spare_plan = NULL;
    if (!plan) return ecs_os_calloc_t(ecs__prefab_plan_t);
    ecs_vec_clear(&plan->nodes);
    ecs_vec_clear(&plan->groups);
    ecs_vec_clear(&plan->ids);
    ecs_vec_clear(&plan->orders);
    ecs_vec_clear(&plan->ordered);
    ecs_vec_clear(&plan->copies);
    return plan;
}

ecs__prefab_plan_t *ecs__prefab_plan_begin(ecs_world_t *world, ecs_entity_t base, bool for_prefab) {
    ecs__prefab_plan_t *plan = take_plan(world);
    plan->world = world;
    plan->for_prefab = for_prefab;
    plan->has_slots = false;
    *ecs_vec_append_t(NULL, &plan->nodes, ecs_entity_t) = base;
    plan_children(plan);
    int32_t count = ecs_vec_count(&plan->nodes);
    sort_nodes(plan, count);
    plan->made = ecs_vec_grow_t(NULL, &plan->copies, ecs_entity_t, count);
    return plan;
}

void ecs__prefab_plan_end(ecs__prefab_plan_t *plan) {
    ecs_world_t *world = plan->world;
    ecs__prefab_plan_free(world->spare_plan);
    world->spare_plan = plan;
}

void ecs__prefab_plan_free(ecs__prefab_plan_t *plan) {
    if (!plan) return;
    ecs_map_fini(&plan->places);
    ecs_vec_fini_t(NULL, &plan->nodes, ecs_entity_t);
    ecs_vec_fini_t(NULL, &plan->groups, ecs__prefab_group_t);
    ecs_vec_fini_t(NULL, &plan->ids, ecs_id_t);
    ecs_vec_fini_t(NULL, &plan->orders, ecs__prefab_order_t);
    ecs_vec_fini_t(NULL, &plan->ordered, int32_t);
    ecs_vec_fini_t(NULL, &plan->copies, ecs_entity_t);
    ecs_vec_fini_t(NULL, &plan->by_id, ecs__prefab_numbered_t);
    ecs_os_free(plan);
}
