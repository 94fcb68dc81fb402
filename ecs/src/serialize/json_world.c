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

static bool is_listed(
    const ecs_world_t *world, ecs_entity_t entity, const ecs_world_to_json_desc_t *desc) {
    if (!desc->serialize_builtin && is_code(world, entity)) return false;
    for (ecs_entity_t e = entity; e; e = ecs_get_parent(world, e)) {
        if (e == EcsFlecs && !desc->serialize_builtin) return false;
        bool is_core = e == EcsFlecs || e == EcsFlecsCore;
        if (!is_core && !desc->serialize_modules && ecs_owns_id(world, e, EcsModule)) return false;
    }
    return true;
}

// The next child of a parent that is listed; `at` counts all children.
static ecs_entity_t next_child(const ecs_world_t *world, const ecs_world_to_json_desc_t *desc,
    const ecs__children_t *children, ecs_map_val_t *at) {
    while (!is_listed(world, children->ids[*at], desc)) ++*at;
    return children->ids[(*at)++];
}

// Places that children of one parent have go to them in their order.
static void order_children(
    const ecs_world_t *world, const ecs_world_to_json_desc_t *desc, ecs_vec_t *listed) {
    ecs_map_t at;
    ecs_map_init(&at, NULL);
    for (int32_t i = 0; i < listed->count; i++) {
        listed_t *place = ecs_vec_get_t(listed, listed_t, i);
        ecs_entity_t parent = ecs_get_parent(world, place->entity);
        const ecs__children_t *children = ecs__children_get(&ecs__world_of(world)->store, parent);
        if (children)
            place->entity = next_child(world, desc, children, ecs_map_ensure(&at, parent));
    }
    ecs_map_fini(&at);
}

static ecs_vec_t list(const ecs_world_t *world, const ecs_world_to_json_desc_t *desc) {
    ecs_vec_t listed = { 0 };
    ecs_entities_t entities = ecs_get_entities(world);
    for (int32_t i = 0; i < entities.alive_count; i++) {
        ecs_entity_t entity = entities.ids[i];
        if (!is_listed(world, entity, desc)) continue;
        *ecs_vec_append_t(NULL, &listed, listed_t) =
            (listed_t){ ecs_get_depth(world, entity, EcsChildOf), entity };
    }
    if (listed.count) qsort(listed.array, (size_t)listed.count, sizeof(listed_t), compare);
    order_children(world, desc, &listed);
    return listed;
}

int ecs_world_to_json_buf(
    ecs_world_t *world, ecs_strbuf_t *buf, const ecs_world_to_json_desc_t *desc) {
    ECS__GIVEN(buf);
    const ecs_world_to_json_desc_t defaults = { 0 };
    ecs_entity_to_json_desc_t of_entities = ECS_ENTITY_TO_JSON_INIT;
    if (!desc) desc = &defaults;
    of_entities.serialize_entity_id = true;
    of_entities.serialize_builtin = desc->serialize_builtin;
    const ecs__entity_json_t json = { world, buf, &of_entities, true };
    ecs_vec_t listed = list(world, desc);
    bool success = true;
    ecs_strbuf_list_push(buf, "{", ", ");
    ecs__json_open(buf, "results", "[");
    for (int32_t i = 0; success && i < listed.count; i++) {
        ecs_strbuf_list_next(buf);
        success = ecs__entity_json(&json, ecs_vec_get_t(&listed, listed_t, i)->entity);
    }
    ecs_strbuf_list_pop(buf, "]");
    ecs_strbuf_list_pop(buf, "}");
    ecs_vec_fini_t(NULL, &listed, listed_t);
    return success ? 0 : -1;
}

char *ecs_world_to_json(ecs_world_t *world, const ecs_world_to_json_desc_t *desc) {
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    return ecs__text_take(&buf, ecs_world_to_json_buf(world, &buf, desc));
}
