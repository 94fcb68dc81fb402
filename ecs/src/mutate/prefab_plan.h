// SPDX-License-Identifier: MIT
// prefab_plan: what instances of one prefab get: its tree, listed before the first copy is made.
//
// All children of one parent with the same ids are a group, which comes to life in one step. Nothing recurses, and nothing that hooks
// do to the prefab meanwhile changes what is made.
#ifndef ECS_MUTATE_PREFAB_PLAN_H
#define ECS_MUTATE_PREFAB_PLAN_H

#include "mutate/mutate.h"

/** Children of one node with the same ids; those by component one by one. */
typedef struct ecs__prefab_group_t {
    const ecs_table_t *table; /* where the originals are, in rows row .. row + count - 1 */
    int32_t row;
    bool by_component;     /* mutate/parent.h: there is no pair */
    int32_t parent;        /* node */
    int32_t first, count;  /* nodes */
    int32_t ids, id_count; /* of the copies, in plan.ids; the target of ChildOf is put in later */
    int32_t child_of;      /* position of (ChildOf, parent) among them */
    ecs_id_t slot_of;      /* target of SlotOf, or 0 */
} ecs__prefab_group_t;

/** The order of the children of a node that keeps one. */
typedef struct ecs__prefab_order_t {
    int32_t parent;       /* node */
    int32_t first, count; /* nodes of the children, in plan.ordered */
} ecs__prefab_order_t;

typedef struct ecs__prefab_numbered_t {
    ecs_entity_t node; /* first: what they are sorted by */
    int32_t number;
} ecs__prefab_numbered_t;

/** Node 0 is the prefab itself; parents come before their children. */
typedef struct ecs__prefab_plan_t {
    ecs_world_t *world;
    ecs_vec_t nodes;    /* ecs_entity_t: originals */
    ecs_vec_t groups;   /* ecs__prefab_group_t */
    ecs_vec_t ids;      /* ecs_id_t */
    ecs_vec_t orders;   /* ecs__prefab_order_t */
    ecs_vec_t ordered;  /* int32_t: nodes */
    ecs_map_t places;   /* original -> node, while an order is noted */
    ecs_vec_t copies;   /* ecs_entity_t: what `made` is, for the present instance */
    ecs_entity_t *made; /* copies by node; 0: refused */
    ecs_vec_t
        by_id; /* ecs__prefab_numbered_t: nodes but the first, in order of ids; empty: as they are */
    bool for_prefab; /* the instance is a prefab itself: a variant */
    bool has_slots;
} ecs__prefab_plan_t;

/** List the tree of a prefab, for instances that are prefabs themselves, or are not. The world keeps the memory of one plan: most are made
 * one after the other, but hooks may make instances while one is carried out. */
ecs__prefab_plan_t *ecs__prefab_plan_begin(ecs_world_t *world, ecs_entity_t base, bool for_prefab);
void ecs__prefab_plan_end(ecs__prefab_plan_t *plan);
/** Free a plan, or NULL. */
void ecs__prefab_plan_free(ecs__prefab_plan_t *plan);

static inline ecs_entity_t *ecs__prefab_node(const ecs__prefab_plan_t *plan, int32_t index) {
    return (ecs_entity_t *)ecs_vec_first(&plan->nodes) + index;
}
static inline ecs__prefab_group_t *ecs__prefab_group(
    const ecs__prefab_plan_t *plan, int32_t index) {
    return (ecs__prefab_group_t *)ecs_vec_first(&plan->groups) + index;
}
static inline ecs_id_t *ecs__prefab_ids(
    const ecs__prefab_plan_t *plan, const ecs__prefab_group_t *group) {
    return (ecs_id_t *)ecs_vec_first(&plan->ids) + group->ids;
}

#endif
