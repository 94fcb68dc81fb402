// SPDX-License-Identifier: MIT
#include "pipeline/phase.h"

static void init_phase(
    ecs_world_t *world, ecs_entity_t phase, ecs_entity_t scope, const char *name) {
    ecs_entity_init(
        world, &(ecs_entity_desc_t){
                   .id = phase, .parent = scope, .name = name, .add = ecs_ids(EcsPhase) });
}

void rt__phases_init(ecs_world_t *world, ecs_entity_t scope) {
    const struct {
        ecs_entity_t id;
        const char *name;
    } phases[] = { { EcsPreFrame, "PreFrame" }, { EcsOnLoad, "OnLoad" },
        { EcsPostLoad, "PostLoad" }, { EcsPreUpdate, "PreUpdate" }, { EcsOnUpdate, "OnUpdate" },
        { EcsOnValidate, "OnValidate" }, { EcsPostUpdate, "PostUpdate" },
        { EcsPreStore, "PreStore" }, { EcsOnStore, "OnStore" }, { EcsPostFrame, "PostFrame" } };
    init_phase(world, EcsOnStart, scope, "OnStart");
    ecs_entity_t previous = 0;
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++) {
        ecs_entity_t anonymous = ecs_new(world);
        ecs_add_id(world, anonymous, EcsPhase);
        ecs_add_id(world, anonymous, ecs_childof(scope));
        if (previous) ecs_add_id(world, anonymous, ecs_dependson(previous));
        init_phase(world, phases[i].id, scope, phases[i].name);
        ecs_add_id(world, phases[i].id, ecs_dependson(anonymous));
        previous = anonymous;
    }
}
