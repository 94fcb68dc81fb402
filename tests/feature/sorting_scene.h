// SPDX-License-Identifier: MIT
// sorting_scene: query_scene with values to sort by.
#ifndef TEST_SORTING_SCENE_H
#define TEST_SORTING_SCENE_H

#include "query_scene.h"

typedef struct Depth {
    int32_t value;
} Depth;
typedef struct Pair {
    int32_t major, minor;
} Pair;

static ECS_COMPONENT_DECLARE(Depth);
static ECS_COMPONENT_DECLARE(Pair);

static int compared;

// Q-SRT-06
static inline int by_depth(ecs_entity_t e1, const void *v1, ecs_entity_t e2, const void *v2) {
    const Depth *a = v1, *b = v2;
    (void)e1, (void)e2;
    compared++;
    return (a->value > b->value) - (a->value < b->value);
}

static inline int by_depth_descending(
    ecs_entity_t e1, const void *v1, ecs_entity_t e2, const void *v2) {
    return by_depth(e2, v2, e1, v1);
}

static inline void use(const scene_t *scene) {
    ecs_id(Depth) = ecs_id(Pair) = 0;
    ECS_COMPONENT_DEFINE(scene->world, Depth);
    ECS_COMPONENT_DEFINE(scene->world, Pair);
    compared = 0;
}

static inline ecs_entity_t at(ecs_world_t *world, int32_t depth, const char *ids) {
    ecs_entity_t e = ecs_entity_init(world, &(ecs_entity_desc_t){ .add_expr = ids });
    ecs_set(world, e, Depth, { depth });
    return e;
}

static inline ecs_query_t *sorted(const scene_t *scene, ecs_query_desc_t desc) {
    if (!desc.order_by_callback) desc.order_by_callback = by_depth;
    desc.cache_kind = scene->kind;
    ecs_query_t *q = ecs_query_init(scene->world, &desc);
    assert_non_null(q);
    assert_int_equal(q->cache_kind == EcsQueryCacheNone, scene->kind == EcsQueryCacheNone);
    return q;
}

static inline ecs_query_t *by_own_depth(const scene_t *scene) {
    return sorted(scene, (ecs_query_desc_t){ .expr = "[in] Depth", .order_by = ecs_id(Depth) });
}

#endif
