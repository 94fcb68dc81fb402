// SPDX-License-Identifier: MIT
// init: making a world that can tick. ecs_fini (ecs/world.h) ends it and joins its workers. The thread that makes a world owns it.
#ifndef MUSTER_RUNTIME_INIT_H
#define MUSTER_RUNTIME_INIT_H

#include <muster/ecs/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A world with systems, phases, pipelines and timers: ecs_mini() plus the runtime. */
ECS_API ecs_world_t *ecs_init(void);
/** ecs_init(); the last part of `argv[0]` becomes the name of the entity EcsWorld. Other
 * arguments are not looked at. */
ECS_API ecs_world_t *ecs_init_w_args(int argc, char *argv[]);

/* Import functions of the parts of the runtime, for worlds made with ecs_mini(). Each brings in
 * the whole runtime: its parts do not work alone. With ecs_init() they do nothing. Nothing is imported, with a logged sentence, while
 * entities have a component of timers: it is a tag until then. [chk] not a stage; not readonly; no table is
 * being iterated. */
ECS_API void FlecsSystemImport(ecs_world_t *world);
ECS_API void FlecsPipelineImport(ecs_world_t *world);
ECS_API void FlecsTimerImport(ecs_world_t *world);

#ifdef __cplusplus
}
#endif

#endif
