// SPDX-License-Identifier: MIT
// observer_scene: a small world for tests of observers, whose observers write to the event log.
#ifndef TEST_OBSERVER_SCENE_H
#define TEST_OBSERVER_SCENE_H

#include "support/world.h"

#include "support/event_log.h"

typedef struct Node {
    int value;
} Node;
typedef struct Size {
    int value;
} Size;
typedef struct Message {
    int value;
} Message;

static ECS_COMPONENT_DECLARE(Node);
static ECS_COMPONENT_DECLARE(Size);
static ECS_COMPONENT_DECLARE(Message);
static ECS_TAG_DECLARE(Foo);
static ECS_TAG_DECLARE(Bar);
static ECS_TAG_DECLARE(Rel);

static inline ecs_world_t *begin(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Node) = ecs_id(Size) = ecs_id(Message) = 0;
    Foo = Bar = Rel = 0;
    ECS_COMPONENT_DEFINE(world, Node);
    ECS_COMPONENT_DEFINE(world, Size);
    ECS_COMPONENT_DEFINE(world, Message);
    ECS_TAG_DEFINE(world, Foo);
    ECS_TAG_DEFINE(world, Bar);
    ECS_TAG_DEFINE(world, Rel);
    log_clear();
    return world;
}

static inline ecs_entity_t observe(ecs_world_t *world, const char *expr, ecs_entity_t event) {
    return ecs_observer(world, { .query.expr = expr, .events = { event }, .callback = log_values });
}

static inline ecs_entity_t observe_all(ecs_world_t *world, const char *expr) {
    return ecs_observer(world, { .query.expr = expr,
                                   .events = { EcsOnAdd, EcsOnSet, EcsOnRemove },
                                   .callback = log_values });
}

static inline ecs_entity_t named(ecs_world_t *world, const char *name) {
    return ecs_entity(world, { .name = name });
}

static inline void count_observed(ecs_iter_t *it) { *(int *)it->ctx += it->count; }

#endif
