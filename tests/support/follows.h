// SPDX-License-Identifier: MIT
// follows: a relationship whose edges have a value with hooks, defaults and a callback that may refuse them.
#ifndef TESTS_SUPPORT_FOLLOWS_H
#define TESTS_SUPPORT_FOLLOWS_H

#include "support/world.h"

#include "support/check.h"

typedef struct Follows {
    double delay, max_distance;
    char *note; /* owned */
} Follows;

static ECS_COMPONENT_DECLARE(Follows);
static int follows_notes;          /* notes that live */
static int follows_asked;          /* calls of the callback */
static ecs_entity_t follows_never; /* target that the callback refuses */

static ECS_CTOR(Follows, edge, {
    *edge = (Follows){ .note = ecs_os_strdup("") };
    follows_notes++;
})
static ECS_DTOR(Follows, edge, {
    ecs_os_free(edge->note);
    follows_notes--;
})
static ECS_COPY(Follows, dst, src, {
    dst->delay = src->delay;
    dst->max_distance = src->max_distance;
    ecs_os_strset(&dst->note, src->note);
})
static ECS_MOVE(Follows, dst, src, {
    Follows old = *dst;
    *dst = *src;
    *src = old;
})

static bool follows_init(
    ecs_world_t *world, ecs_entity_t source, ecs_entity_t target, void *edge, void *ctx) {
    assert_true(ecs_is_alive(world, source));
    assert_near(((const Follows *)edge)->delay, 0.5, 0); /* after the defaults */
    (*(int *)ctx)++;
    return target != follows_never;
}

/** Make it a relationship of the world, with what else `desc` says. */
static void follows_use(ecs_world_t *world, ecs_relationship_desc_t desc) {
    ecs_id(Follows) = 0;
    follows_notes = follows_asked = 0;
    ECS_COMPONENT_DEFINE(world, Follows);
    ecs_set_hooks(world, Follows,
        { .ctor = ecs_ctor(Follows),
            .dtor = ecs_dtor(Follows),
            .copy = ecs_copy(Follows),
            .move = ecs_move(Follows) });
    char note[] = "default";
    Follows defaults = { 0.5, 100, note };
    follows_never = ecs_new(world);
    desc.entity = desc.type = ecs_id(Follows);
    desc.defaults = &defaults;
    desc.init = follows_init;
    desc.ctx = &follows_asked;
    assert_id_equal(world, ecs_relationship_init(world, &desc), ecs_id(Follows));
}

#endif
