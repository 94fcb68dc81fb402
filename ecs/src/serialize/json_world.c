// SPDX-License-Identifier: MIT
// json_world: a world to JSON: its entities, parents before children, each level by id, except that
// children with an order stand in it.
#include <stdlib.h>

#include "serialize/json_entity.h"
#include "storage/children.h"
#include "world/state.h"

typedef struct listed_t {
    int32_t depth;
    ecs_entity_t entity;
} listed_t;

static int compare(const void *a_ptr, const void *b_ptr) {
    const listed_t *a = a_ptr, *b = b_ptr;
    if (a->depth != b->depth) return a->depth < b->depth ? -1 : 1;
    return (a->entity > b->entity) - (a->entity < b->entity);
}

// True for what code makes and text cannot: builtins, systems, queries, members, constants, and types without name, as of elements.
static bool is_code(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs__is_builtin((uint32_t)entity) ||
           ecs_has_pair(world, entity, ecs_id(EcsPoly), EcsWildcard) ||
           ecs_has(world, entity, EcsMember) || ecs_has_id(world, entity, EcsConstant) ||
           (ecs_has(world, entity, EcsComponent) && !ecs_get_name(world, entity));
}

// What hides an entity with all that is below it.
static bool is_hidden(
    const ecs_world_t *world, ecs_entity_t entity, const ecs_world_to_json_desc_t *desc) {
    if (entity == EcsFlecs || entity == EcsFlecsCore) return !desc->serialize_builtin;
    return !desc->serialize_modules && ecs_owns_id(world, entity, EcsModule);
}

// What is about to be written.
typedef struct plan_t {
    const ecs_world_t *world;
    const ecs_world_to_json_desc_t *desc;
    ecs_map_t shown;  /* entities that nothing hides */
    ecs_vec_t listed; /* listed_t */
} plan_t;

static bool is_listed(const plan_t *plan, ecs_entity_t entity) {
    return ecs_map_get(&plan->shown, entity) &&
           (plan->desc->serialize_builtin || !is_code(plan->world, entity));
}

// In order of depth, so that it is known of parents whether they are shown.
static void list(plan_t *plan) {
    ecs_entities_t entities = ecs_get_entities(plan->world);
    for (int32_t i = 0; i < entities.alive_count; i++) {
        ecs_entity_t entity = entities.ids[i];
        *ecs_vec_append_t(NULL, &plan->listed, listed_t) =
            (listed_t){ ecs_get_depth(plan->world, entity, EcsChildOf), entity };
    }
    listed_t *all = plan->listed.array;
    qsort(all, (size_t)plan->listed.count, sizeof(listed_t), compare);
    int32_t count = 0;
    for (int32_t i = 0; i < plan->listed.count; i++) {
        ecs_entity_t entity = all[i].entity, parent = ecs_get_parent(plan->world, entity);
        bool is_below_hidden = parent && !ecs_map_get(&plan->shown, parent);
        if (is_below_hidden || is_hidden(plan->world, entity, plan->desc)) continue;
        ecs_map_insert(&plan->shown, entity, 0);
        if (is_listed(plan, entity)) all[count++] = all[i];
    }
    ecs_vec_set_count_t(NULL, &plan->listed, listed_t, count);
}

// The next child of a parent that is listed; `at` counts all children.
static ecs_entity_t next_child(
    const plan_t *plan, const ecs__children_t *children, ecs_map_val_t *at) {
    while (!is_listed(plan, children->ids[*at])) ++*at;
    return children->ids[(*at)++];
}

// Places that children of one parent have go to them in their order.
static void order_children(const plan_t *plan) {
    ecs_map_t at = { 0 };
    for (int32_t i = 0; i < plan->listed.count; i++) {
        listed_t *place = ecs_vec_get_t(&plan->listed, listed_t, i);
        ecs_entity_t parent = ecs_get_parent(plan->world, place->entity);
        const ecs__children_t *children =
            ecs__children_get(&ecs__world_of(plan->world)->store, parent);
        if (children) place->entity = next_child(plan, children, ecs_map_ensure(&at, parent));
    }
    ecs_map_fini(&at);
}

int ecs_world_to_json_buf(
    ecs_world_t *world, ecs_strbuf_t *buf, const ecs_world_to_json_desc_t *desc) {
    ECS__NEED_OR(buf, -1);
    const ecs_world_to_json_desc_t defaults = { 0 };
    ecs_entity_to_json_desc_t of_entities = ECS_ENTITY_TO_JSON_INIT;
    if (!desc) desc = &defaults;
    of_entities.serialize_entity_id = true;
    of_entities.serialize_builtin = desc->serialize_builtin;
    const ecs__entity_json_t json = { world, buf, &of_entities, true };
    plan_t plan = { .world = world, .desc = desc };
    list(&plan);
    order_children(&plan);
    bool success = true;
    ecs_strbuf_list_push(buf, "{", ", ");
    ecs__json_open(buf, "results", "[");
    for (int32_t i = 0; success && i < plan.listed.count; i++) {
        ecs_strbuf_list_next(buf);
        success = ecs__entity_json(&json, ecs_vec_get_t(&plan.listed, listed_t, i)->entity);
    }
    ecs_strbuf_list_pop(buf, "]");
    ecs_strbuf_list_pop(buf, "}");
    ecs_vec_fini_t(NULL, &plan.listed, listed_t);
    ecs_map_fini(&plan.shown);
    return success ? 0 : -1;
}

char *ecs_world_to_json(ecs_world_t *world, const ecs_world_to_json_desc_t *desc) {
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    return ecs__text_take(&buf, ecs_world_to_json_buf(world, &buf, desc));
}
