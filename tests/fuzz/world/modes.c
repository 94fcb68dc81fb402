// SPDX-License-Identifier: MIT
// modes: when operations take effect, and what must change nothing.
#include "scene.h"

void mode_defer(void) {
    if (scene.readonly || scene.own_stage || scene.iterating) return;
    if (scene.deferred && input_byte() % 4) {
        say("defer end");
        scene.clone_waits &= --scene.deferred > 0;
        ecs_defer_end(scene.world);
    } else if (scene.deferred < 2) {
        say("defer begin");
        scene.deferred++;
        ecs_defer_begin(scene.world);
    }
}

void mode_suspend(void) {
    if (!scene.deferred || scene.readonly || scene.own_stage || scene.iterating) return;
    if (scene.clone_waits) return;
    ecs_defer_suspend(scene.world);
    change_add();
    change_set();
    ecs_defer_resume(scene.world);
}

void mode_readonly(void) {
    if (scene.deferred || scene.own_stage || scene.iterating) return;
    if (scene.readonly) {
        say("readonly end");
        scene.stage = scene.world;
        scene.readonly = false;
        ecs_readonly_end(scene.world);
    } else {
        say("readonly begin");
        ecs_set_stage_count(scene.world, 2);
        ecs_readonly_begin(scene.world, false);
        scene.readonly = true;
        scene.stage = ecs_get_stage(scene.world, input_below(2));
    }
}

static void end_own_stage(bool merge) {
    ecs_world_t *stage = scene.stage;
    scene.stage = scene.world;
    scene.own_stage = false;
    say("own stage end");
    if (merge) ecs_merge(stage);
    ecs_stage_free(stage);
}

void mode_own_stage(void) {
    if (scene.deferred || scene.readonly || scene.iterating) return;
    if (scene.own_stage) {
        end_own_stage(input_byte() % 4);
    } else {
        say("own stage begin");
        scene.stage = ecs_stage_new(scene.world);
        scene.own_stage = true;
    }
}

static void read_as_json(void) {
    ecs_entity_t entity = pick_entity();
    if (!entity) return;
    ecs_os_free(ecs_entity_to_json(scene.world, entity,
        &(ecs_entity_to_json_desc_t){ .serialize_full_paths = true,
            .serialize_values = true,
            .serialize_inherited = true,
            .serialize_matches = true,
            .serialize_refs = EcsChildOf }));
}

void mode_rest(void) {
    if (!is_immediate()) return;
    uint64_t before = ecs_world_hash(scene.world);
    switch (input_below(4)) {
    case 0: ecs_shrink(scene.world); break;
    case 1:
        ecs_defer_begin(scene.world);
        ecs_defer_end(scene.world);
        break;
    case 2: read_as_json(); break;
    case 3:
        ecs_delete_empty_tables(scene.world,
            &(ecs_delete_empty_tables_desc_t){ .clear_generation = 1, .delete_generation = 1 });
        break;
    }
    if (ecs_world_hash(scene.world) != before) fail("the hash of the world changes by nothing");
}

void modes_end(void) {
    if (scene.own_stage) end_own_stage(false);
    if (scene.readonly) mode_readonly();
    while (scene.deferred) {
        scene.deferred--;
        ecs_defer_end(scene.world);
    }
}
