// SPDX-License-Identifier: MIT
#include "mutate/instantiate.h"

#include <stdlib.h>

#include <muster/ecs/ds/vec.h>
#include <muster/ecs/hierarchy.h>

#include "id/type_info.h"
#include "mutate/hooks.h"
#include "mutate/report.h"
#include "mutate/sparse.h"
#include "mutate/symmetric.h"
#include "mutate/traits.h"
#include "storage/toggle.h"
#include "world/state.h"

// Children of one node with the same ids; those by component one by one.
typedef struct group_t {
    const ecs_table_t *table; /* where the originals are, in rows row .. row + count - 1 */
    int32_t row;
    bool by_component;     /* mutate/parent.h: there is no pair */
    int32_t parent;        /* node */
    int32_t first, count;  /* nodes */
    int32_t ids, id_count; /* of the copies, in plan.ids; the target of ChildOf is put in later */
    int32_t child_of;      /* position of (ChildOf, parent) among them */
    ecs_id_t slot_of;      /* target of SlotOf, or 0 */
} group_t;

// The order of the children of a node that keeps one.
typedef struct order_t {
    int32_t parent;       /* node */
    int32_t first, count; /* nodes of the children, in plan.ordered */
} order_t;

// What one prefab makes. Node 0 is the prefab itself; parents come before their children.
typedef struct plan_t {
    ecs_world_t *world;
    ecs_vec_t nodes;   /* ecs_entity_t: originals */
    ecs_vec_t groups;  /* group_t */
    ecs_vec_t ids;     /* ecs_id_t */
    ecs_vec_t orders;  /* order_t */
    ecs_vec_t ordered; /* int32_t: nodes */
    int32_t *by_id;    /* nodes but the first, in order of ids; NULL: as they are */
    ecs_entity_t *made;
    bool for_prefab; /* the instance is a prefab itself: a variant */
    bool has_slots;
} plan_t;

static const ecs_table_t *table_of(const ecs_world_t *world, ecs_entity_t entity) {
    const ecs_record_t *record = ecs__entity_try(&world->store.entities, entity);
    return record ? record->table : NULL;
}

static ecs_entity_t *node(const plan_t *plan, int32_t index) {
    return (ecs_entity_t *)ecs_vec_first(&plan->nodes) + index;
}
static group_t *group_at(const plan_t *plan, int32_t index) {
    return (group_t *)ecs_vec_first(&plan->groups) + index;
}
static ecs_id_t *ids_of(const plan_t *plan, const group_t *group) {
    return (ecs_id_t *)ecs_vec_first(&plan->ids) + group->ids;
}

bool ecs__is_inside(const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t ancestor) {
    int32_t limit = world->store.entities.alive_count;
    for (; entity && limit >= 0; limit--) {
        if ((uint32_t)entity == (uint32_t)ancestor) return true;
        entity = ecs__target_of(&world->store, entity, Ecs__ChildOf, 0);
    }
    return false;
}

static ecs_component_record_t *children_of(const ecs_world_t *world, ecs_entity_t parent) {
    return ecs__id_record_get(&world->store, ECS__MAKE_PAIR(Ecs__ChildOf, parent));
}

// ---- the plan ----

// What a copy has instead of an id of the original; 0: nothing.
static ecs_id_t copied_id(const plan_t *plan, const ecs_table_t *table, int32_t index) {
    ecs_id_t id = table->type.array[index];
    if (ECS_HAS_RELATION(id, Ecs__ChildOf)) return id;
    if (ECS_HAS_RELATION(id, Ecs__SlotOf)) return plan->for_prefab ? id : 0;
    if (id == ECS__MAKE_PAIR(Ecs__Identifier, Ecs__Name) || id & ECS__TOGGLE) return id;
    if (id & ECS__AUTO_OVERRIDE) {
        bool is_beside = ecs__store_beside(table->store, id & ~ECS__AUTO_OVERRIDE);
        return plan->for_prefab ? id : is_beside ? 0 : id & ~ECS__AUTO_OVERRIDE;
    }
    if (ecs__id_is_presence(table->records[index].cr)) return 0; /* comes with its edges */
    return table->records[index].cr->flags & EcsIdOnInstantiateDontInherit ? 0 : id;
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

static void add_id(plan_t *plan, ecs_id_t id) {
    *ecs_vec_append_t(NULL, &plan->ids, ecs_id_t) = id;
}

// Children by component share tables, so each keeps to the child that it is a copy of.
static void add_component_ids(plan_t *plan, const group_t *group) {
    ecs_entity_t original = group->table->entities[group->row];
    add_id(plan, Ecs__Parent);
    add_id(plan, ECS__MAKE_PAIR(Ecs__IsA, original));
}

static void plan_ids(plan_t *plan, group_t *group) {
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
    group->id_count = sort_unique(ids_of(plan, group), ecs_vec_count(&plan->ids) - group->ids);
    ecs_vec_set_count_t(NULL, &plan->ids, ecs_id_t, group->ids + group->id_count);
    if (group->by_component) return;
    const ecs_id_t *ids = ids_of(plan, group);
    while (!ECS_HAS_RELATION(ids[group->child_of], Ecs__ChildOf)) group->child_of++;
}

static void plan_group(plan_t *plan, group_t group) {
    group.first = ecs_vec_count(&plan->nodes);
    plan_ids(plan, &group);
    *ecs_vec_append_t(NULL, &plan->groups, group_t) = group;
    ecs_entity_t *nodes = ecs_vec_grow_t(NULL, &plan->nodes, ecs_entity_t, group.count);
    memcpy(nodes, &group.table->entities[group.row], sizeof(ecs_entity_t) * (size_t)group.count);
}

static void plan_child(plan_t *plan, ecs_entity_t child, int32_t parent) {
    const ecs_record_t *record = ecs__entity_get(&plan->world->store.entities, child);
    plan_group(plan, (group_t){ .table = record->table,
                         .row = ECS_RECORD_TO_ROW(record->row),
                         .by_component = true,
                         .parent = parent,
                         .count = 1 });
}

static void plan_order(plan_t *plan, int32_t parent, int32_t first) {
    const ecs__children_t *list = ecs__children_get(&plan->world->store, *node(plan, parent));
    if (!list) return;
    ecs_map_t nodes;
    ecs_map_init(&nodes, NULL);
    for (int32_t i = first; i < ecs_vec_count(&plan->nodes); i++)
        *ecs_map_ensure(&nodes, *node(plan, i)) = (ecs_map_val_t)i;
    *ecs_vec_append_t(NULL, &plan->orders, order_t) =
        (order_t){ parent, ecs_vec_count(&plan->ordered), list->count };
    for (int32_t i = 0; i < list->count; i++) {
        int32_t child = (int32_t)*ecs_map_get(&nodes, list->ids[i]);
        *ecs_vec_append_t(NULL, &plan->ordered, int32_t) = child;
    }
    ecs_map_fini(&nodes);
}

// Breadth first. More nodes than entities would be a cycle, which is undone after the flush.
static void plan_children(plan_t *plan) {
    const ecs__entity_index_t *entities = &plan->world->store.entities;
    for (int32_t i = 0; i < ecs_vec_count(&plan->nodes); i++) {
        if (i > entities->alive_count) return;
        const ecs_record_t *record = ecs__entity_get(entities, *node(plan, i));
        if (!(record->row & EcsEntityIsTarget)) continue;
        const ecs_component_record_t *children = children_of(plan->world, *node(plan, i));
        const ecs_table_t *table;
        int32_t from = 0, first = ecs_vec_count(&plan->nodes);
        while (children && (table = ecs__id_record_next_table(children, &from, false))) {
            plan_group(plan, (group_t){ .table = table, .parent = i, .count = table->count });
        }
        for (int32_t k = 0; k < ecs__sparse_count(children); k++)
            plan_child(plan, ecs__sparse_holders(children)[k].entity, i);
        plan_order(plan, i, first);
    }
}

static int compare_nodes(const void *a, const void *b) {
    return compare_ids(*(ecs_entity_t *const *)a, *(ecs_entity_t *const *)b);
}

static bool are_sorted(const plan_t *plan, int32_t count) {
    for (int32_t i = 2; i < count; i++) {
        if (*node(plan, i - 1) > *node(plan, i)) return false;
    }
    return true;
}

// The order in which copies get their ids, so that those are taken upwards.
static int32_t *sort_nodes(const plan_t *plan, int32_t count) {
    if (are_sorted(plan, count)) return NULL;
    const ecs_entity_t **nodes = ecs_os_malloc_n(const ecs_entity_t *, count);
    int32_t *order = ecs_os_malloc_n(int32_t, count);
    for (int32_t i = 0; i < count; i++) nodes[i] = node(plan, i);
    qsort(nodes + 1, (size_t)count - 1, sizeof(*nodes), compare_nodes);
    for (int32_t i = 1; i < count; i++) order[i - 1] = (int32_t)(nodes[i] - node(plan, 0));
    ecs_os_free(nodes);
    return order;
}

static void plan_init(plan_t *plan, ecs_world_t *world, ecs_entity_t base, bool for_prefab) {
    *plan = (plan_t){ .world = world, .for_prefab = for_prefab };
    ecs_vec_init_t(NULL, &plan->nodes, ecs_entity_t, 0);
    ecs_vec_init_t(NULL, &plan->groups, group_t, 0);
    ecs_vec_init_t(NULL, &plan->ids, ecs_id_t, 0);
    ecs_vec_init_t(NULL, &plan->orders, order_t, 0);
    ecs_vec_init_t(NULL, &plan->ordered, int32_t, 0);
    *ecs_vec_append_t(NULL, &plan->nodes, ecs_entity_t) = base;
    plan_children(plan);
    int32_t count = ecs_vec_count(&plan->nodes);
    plan->by_id = sort_nodes(plan, count);
    plan->made = ecs_os_malloc_n(ecs_entity_t, count);
}

static void plan_fini(plan_t *plan) {
    ecs_vec_fini_t(NULL, &plan->nodes, ecs_entity_t);
    ecs_vec_fini_t(NULL, &plan->groups, group_t);
    ecs_vec_fini_t(NULL, &plan->ids, ecs_id_t);
    ecs_vec_fini_t(NULL, &plan->orders, order_t);
    ecs_vec_fini_t(NULL, &plan->ordered, int32_t);
    ecs_os_free(plan->by_id);
    ecs_os_free(plan->made);
}

// ---- copies ----

static void copy_sparse(const group_t *group, const ecs_table_t *dst, int32_t row) {
    for (int32_t i = 0; i < dst->type.count; i++) {
        const ecs_component_record_t *record = dst->records[i].cr;
        if (!ecs__id_is_sparse(record) || !record->type_info) continue;
        for (int32_t r = 0; r < group->count; r++) {
            const void *from = ecs__sparse_get(record, group->table->entities[group->row + r]);
            void *to = ecs__sparse_get(record, dst->entities[row + r]);
            if (from) ecs__value_copy(record->type_info, to, from, 1);
        }
    }
}

static void copy_values(const group_t *group, ecs_table_t *dst, int32_t row) {
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

static void tell_values(ecs_world_t *world, const group_t *group, ecs_table_t *dst, int32_t row) {
    for (int32_t c = 0; c < dst->column_count; c++) {
        if (!ecs__table_has(group->table, ecs__column_id(dst, c))) continue;
        ecs__hooks_on_set(world, dst, c, row, group->count);
    }
    for (int32_t i = 0; dst->flags & EcsTableHasSparse && i < dst->type.count; i++) {
        const ecs_component_record_t *record = dst->records[i].cr;
        if (!ecs__id_is_sparse(record) || !record->type_info) continue;
        if (!ecs__table_has(group->table, record->id)) continue;
        for (int32_t r = row; r < row + group->count; r++)
            ecs__hooks_sparse_set(world, dst->entities[r], record, true);
    }
}

// A copy is as far from the instance, in ids, as the original is from the prefab if that id is free.
static void take_ids(const plan_t *plan) {
    ecs__entity_index_t *entities = &plan->world->store.entities;
    int64_t offset = (int64_t)(uint32_t)plan->made[0] - (int64_t)(uint32_t)*node(plan, 0);
    for (int32_t i = 0; i < ecs_vec_count(&plan->nodes) - 1; i++) {
        int32_t at = plan->by_id ? plan->by_id[i] : i + 1;
        int64_t wanted = (int64_t)(uint32_t)*node(plan, at) + offset;
        bool is_id = wanted > 0 && wanted < UINT32_MAX;
        plan->made[at] = is_id ? ecs__entity_new_at(entities, (uint32_t)wanted) : 0;
    }
    for (int32_t i = 1; i < ecs_vec_count(&plan->nodes); i++) {
        if (!plan->made[i]) plan->made[i] = ecs__entity_new(entities);
    }
}

static void give_back(plan_t *plan, const group_t *group) {
    for (int32_t i = group->first; i < group->first + group->count; i++) {
        ecs__entity_give_back(&plan->world->store.entities, plan->made[i]);
        plan->made[i] = 0;
    }
}

static void make_group(plan_t *plan, const group_t *group) {
    ecs_world_t *world = plan->world;
    ecs_entity_t parent = plan->made[group->parent], *made = &plan->made[group->first];
    if (!parent) {
        give_back(plan, group); /* refused below */
        return;
    }
    ecs_id_t *ids = ids_of(plan, group);
    if (!group->by_component) ids[group->child_of] = ECS__MAKE_PAIR(Ecs__ChildOf, parent);
    ecs_table_t *table = ecs__table_ensure(&world->store, ids, group->id_count);
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

static void mirror_group(plan_t *plan, const group_t *group) {
    if (!(group->table->flags & ECS__TABLE_HAS_SYMMETRIC)) return;
    for (int32_t i = group->first; i < group->first + group->count; i++) {
        const ecs_table_t *table = table_of(plan->world, plan->made[i]);
        ecs__symmetric_follow(plan->world, plan->made[i], NULL, table);
    }
}

// Copies came group by group; those of ordered children stand at the end of the new parent's list.
static void make_order(const plan_t *plan, const order_t *order) {
    ecs__store_t *store = &plan->world->store;
    ecs_entity_t parent = plan->made[order->parent];
    const ecs__children_t *list = ecs__children_get(store, parent);
    if (!list) return;
    const int32_t *nodes = ecs_vec_first_t(&plan->ordered, int32_t);
    ecs_entity_t *ids = ecs_os_malloc_n(ecs_entity_t, order->count);
    int32_t count = 0;
    for (int32_t i = 0; i < order->count; i++) {
        ecs_entity_t made = plan->made[nodes[order->first + i]];
        if (made) ids[count++] = made;
    }
    if (count) ecs__children_reorder(store, parent, list->count - count, ids);
    ecs_os_free(ids);
}

// When all copies are placed, since this may move them.
static void copy_beside(const plan_t *plan, const group_t *group) {
    for (int32_t i = group->first; i < group->first + group->count; i++) {
        if (!plan->made[i]) continue;
        ecs__aside_follow(plan->world, plan->made[i], NULL, table_of(plan->world, plan->made[i]));
        ecs__aside_copy(plan->world, plan->made[i], *node(plan, i), false, true);
        if (!plan->for_prefab)
            ecs__aside_add_marked(
                plan->world, plan->made[i], table_of(plan->world, *node(plan, i)));
    }
}

// ---- slots ----

static bool is_instance(const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t base) {
    ecs__found_t found;
    const ecs_table_t *table = table_of(world, entity);
    return table && ecs__search_up(
                        table, ECS__MAKE_PAIR(Ecs__IsA, base), Ecs__IsA, true, true, 0, 0, &found);
}

// The child of `base` that is at the same place below it as `slot` is below `owner`.
static ecs_entity_t counterpart(
    ecs_world_t *world, ecs_entity_t base, ecs_entity_t owner, ecs_entity_t slot) {
    ecs_entity_t parent = ecs__target_of(&world->store, slot, Ecs__ChildOf, 0);
    if (parent != owner) base = parent ? counterpart(world, base, owner, parent) : 0;
    const EcsIdentifier *name = ecs__identifier_get(world, slot, ECS__NAME);
    if (!base || !name || !name->value) return 0;
    return ecs__names_find(world, ECS__NAME, base, name->value, (size_t)name->length);
}

// Where the slot that node `index` fills belongs, and the relationship that leads to it. A slot of
// an entity of the plan belongs to its copy, others to the nearest instance of that entity.
static ecs_entity_t find_slot(
    const plan_t *plan, const group_t *group, int32_t index, ecs_entity_t *relationship) {
    for (int32_t i = 0; i <= group->parent; i++) {
        if (*node(plan, i) != group->slot_of) continue;
        *relationship = *node(plan, index);
        return plan->made[i];
    }
    ecs_world_t *world = plan->world;
    ecs_entity_t owner = plan->made[group->parent];
    int32_t levels = FLECS_DAG_DEPTH_MAX; /* of names on the way back down */
    while (owner && levels-- && !is_instance(world, owner, group->slot_of)) {
        owner = ecs__target_of(&world->store, owner, Ecs__ChildOf, 0);
    }
    if (owner && levels >= 0)
        *relationship = counterpart(world, group->slot_of, owner, plan->made[index]);
    return levels >= 0 ? owner : 0;
}

static void fill_slot(plan_t *plan, const group_t *group, int32_t index) {
    ecs_world_t *world = plan->world;
    ecs_entity_t relationship = 0, owner = find_slot(plan, group, index, &relationship);
    if (!owner || !relationship) {
        ecs__refuse(ECS_INVALID_OPERATION, "cannot fill the slot %s of %s: %s",
            ECS__TEXT(world, *node(plan, index)), ECS__TEXT(world, group->slot_of),
            owner ? "slots of nested prefabs need names that lead to them"
                  : "no parent of the instance is an instance of it");
        return;
    }
    ecs__add(world, owner, ECS__MAKE_PAIR(relationship, plan->made[index]));
}

static void fill_slots(plan_t *plan) {
    if (!plan->has_slots || plan->for_prefab) return;
    for (int32_t g = 0; g < ecs_vec_count(&plan->groups); g++) {
        const group_t *group = group_at(plan, g);
        if (!group->slot_of) continue;
        for (int32_t i = group->first; i < group->first + group->count; i++) {
            if (plan->made[i]) fill_slot(plan, group, i);
        }
    }
}

// ---- instances ----

// A list that began between two groups of copies would have other children among them.
static void begin_order(const plan_t *plan) {
    for (int32_t g = 0; g < ecs_vec_count(&plan->groups) && !group_at(plan, g)->parent; g++) {
        if (!group_at(plan, g)->by_component) continue;
        ecs__children_begin(&plan->world->store, plan->made[0]);
        return;
    }
}

static void instantiate_one(plan_t *plan, ecs_entity_t instance) {
    int32_t count = ecs_vec_count(&plan->groups);
    plan->made[0] = instance;
    take_ids(plan);
    begin_order(plan);
    for (int32_t g = 0; g < count; g++) make_group(plan, group_at(plan, g));
    for (int32_t i = 0; i < ecs_vec_count(&plan->orders); i++)
        make_order(plan, ecs_vec_get_t(&plan->orders, order_t, i));
    for (int32_t g = 0; g < count; g++) mirror_group(plan, group_at(plan, g));
    for (int32_t g = 0; plan->world->store.has_sparse && g < count; g++)
        copy_beside(plan, group_at(plan, g));
    fill_slots(plan);
}

static bool has_children(const ecs_world_t *world, ecs_entity_t parent) {
    const ecs_component_record_t *children = children_of(world, parent);
    int32_t from = 0;
    if (ecs__sparse_count(children)) return true;
    return children && ecs__id_record_next_table(children, &from, false);
}

static void instantiate(ecs_world_t *world, ecs_entity_t base, bool for_prefab,
    const ecs_entity_t *entities, int32_t count) {
    plan_t plan;
    plan_init(&plan, world, base, for_prefab);
    for (int32_t i = 0; i < count; i++) {
        bool contains_itself =
            ecs__is_inside(world, entities[i], base); /* refused after the flush */
        if (!contains_itself) instantiate_one(&plan, entities[i]);
    }
    plan_fini(&plan);
}

void ecs__instantiate(ecs_world_t *world, const ecs_table_t *table, const ecs_table_t *before,
    const ecs_entity_t *entities, int32_t count) {
    if (!(table->flags & EcsTableHasIsA)) return;
    ecs_entity_t base;
    for (int32_t n = 0; (base = ecs__table_target(table, Ecs__IsA, n)); n++) {
        if (before && ecs__table_has(before, ECS__MAKE_PAIR(Ecs__IsA, base))) continue;
        if (!(table_of(world, base)->flags & EcsTableIsPrefab) || !has_children(world, base))
            continue;
        instantiate(world, base, table->flags & EcsTableIsPrefab, entities, count);
    }
}

// ---- the tag ----

static void list_untagged(const ecs_world_t *world, ecs_entity_t parent, ecs_vec_t *list) {
    const ecs_component_record_t *children = children_of(world, parent);
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
    if (!(ecs__entity_get(entities, entity)->row & EcsEntityIsTarget)) return;
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
