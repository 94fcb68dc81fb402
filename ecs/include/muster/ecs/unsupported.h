// SPDX-License-Identifier: MIT
// unsupported: functions of the C vocabulary whose features this version does not have, so that code that names them compiles and links.
//
// Each reports one sentence with ECS_UNSUPPORTED (a failed check in debug builds, a logged error in others), changes nothing and
// returns 0, NULL or false. A function leaves this file when its feature arrives.
#ifndef MUSTER_ECS_UNSUPPORTED_H
#define MUSTER_ECS_UNSUPPORTED_H

#include <muster/ecs/ds/map.h>
#include <muster/ecs/ds/vec.h>
#include <muster/ecs/entity.h>
#include <muster/ecs/iter.h>
#include <muster/ecs/query.h>
#include <muster/ecs/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Children by the component EcsParent ---- */

ECS_API ecs_entity_t ecs_new_w_parent(ecs_world_t *world, ecs_entity_t parent, const char *name);

#ifdef __cplusplus
}
#endif

#endif
