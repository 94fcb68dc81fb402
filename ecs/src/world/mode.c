// SPDX-License-Identifier: MIT
#include "world/mode.h"

#include <muster/ecs/command.h>
#include <muster/ecs/extend.h>
#include <muster/ecs/log.h>
#include <muster/ecs/os.h>

#include "command/flush.h"
#include "event/route.h"

// ---- stages ----

void ecs__mode_init(ecs_world_t *world) {
    world->flush = ecs_os_calloc_t(ecs__flush_t);
    ecs__flush_init(world->flush);
    world->stages = ecs_os_calloc_t(ecs_stage_t *);
    world->stages[0] = ecs__stage_new(world, 0);
    world->stage = world->stages[0];
    world->stage_count = 1;
}

void ecs__mode_fini(ecs_world_t *world) {
    for (int32_t i = 0; i < world->stage_count; i++) ecs__stage_free(world->stages[i]);
    ecs_os_free(world->stages);
    ecs__flush_fini(world->flush);
    ecs_os_free(world->flush);
}

void ecs__mode_give_up(ecs_world_t *world) {
    world->flush->sharing.crew = NULL;
    world->flush->rest = NULL;
    for (int32_t i = 0; i < world->stage_count; i++) {
        ecs_stage_t *stage = world->stages[i];
        ecs__cmd_queue_t *current = stage->queue;
        // Of a queue that was being flushed, or is one of a slot, nobody knows what is left.
        for (int32_t k = 0; k < 2; k++) {
            if (&stage->own[k] == current)
                ecs__queue_discard(world, current);
            else
                ecs__queue_clear(&stage->own[k]);
        }
        stage->queue = &stage->own[0];
        stage->in_slot = false;
        stage->ids = NULL;
        stage->system = 0;
        stage->defer = stage->at_rest;
    }
    ecs__stage_note(NULL);
    for (int32_t t = 0; t < world->store.table_count; t++) {
        if (world->store.tables[t]) world->store.tables[t]->lock = 0;
    }
    world->flags &= ~(ecs_flags32_t)(EcsWorldReadonly | EcsWorldMultiThreaded);
    world->events.depth = world->events.calls = 0;
    world->events.doomed = NULL;
    ecs__events_end_swap(&world->events);
    world->store.entities.spared = 0;
    world->deleting = world->leaving = world->flushing = 0;
    if (ecs__asks(world)) ecs__ask(NULL);
    world->ending = NULL;
    ecs_vec_clear(&world->suspects);
}

bool ecs__has_far(const ecs_world_t *poly, ecs_entity_t entity) {
    const ecs__entity_index_t *index = &ecs__world_of(poly)->store.entities;
    if (ecs__entity_is_alive(index, entity)) return true;
    // The main stage belongs to one of the jobs then.
    if (!ecs__is_stage(poly) && poly->flags & EcsWorldMultiThreaded) return false;
    if (!ecs__stage_of(poly)->in_slot) return false;
    // A record that is not alive holds the generation its id gets next, so only a reserved id can match it.
    return (uint32_t)entity >= index->made ||
           ecs__entity_generation(index, (uint32_t)entity) == entity >> 32;
}

static bool is_managed(const ecs_stage_t *stage) { return stage->id >= 0; }

static void end_stage(ecs_stage_t *stage) {
    ecs__queries_leave_stage(&stage->world->queries, stage);
    ecs__stage_free(stage);
}

static void set_stage_count(ecs_world_t *world, int32_t count) {
    for (int32_t i = count; i < world->stage_count; i++) {
        /* What waits on the main stage is not theirs: it waits on, so that nothing depends on how many there were. */
        if (world->stages[i]->queue->count) ecs__stage_flush(world->stages[i]);
        end_stage(world->stages[i]);
    }
    world->stages = ecs_os_realloc_n(world->stages, ecs_stage_t *, count);
    for (int32_t i = world->stage_count; i < count; i++)
        world->stages[i] = ecs__stage_new(world, i);
    world->stage_count = count;
}

void ecs_set_stage_count(ecs_world_t *world, int32_t count) {
    ecs_check(!ecs__is_stage(world), ECS_INVALID_PARAMETER,
        "stages are made for a world, not for a stage");
    ECS__CHECK(ecs__check_writer(world));
    ecs_check(count >= 1, ECS_INVALID_PARAMETER, "a world has at least one stage, not %d", count);
    ecs_check(!(world->flags & EcsWorldReadonly), ECS_INVALID_WHILE_READONLY,
        "the number of stages cannot change while the world is readonly");
    ecs_check(count >= world->stages_held, ECS_INVALID_OPERATION,
        "worker threads use %d stages: there cannot be %d", world->stages_held, count);
    if (count != world->stage_count) set_stage_count(world, count);
error:
    return;
}

void ecs_ext_stages_hold(ecs_world_t *world, int32_t count) {
    world->stages_held = count;
    if (count != world->stage_count) set_stage_count(world, count);
}

int32_t ecs_get_stage_count(const ecs_world_t *world) { return ecs__world_of(world)->stage_count; }

ecs_world_t *ecs_get_stage(const ecs_world_t *world, int32_t stage_id) {
    ecs_check(
        !ecs__is_stage(world), ECS_INVALID_PARAMETER, "ask the world for its stages, not a stage");
    ecs_check(stage_id >= 0 && stage_id < world->stage_count, ECS_OUT_OF_RANGE,
        "stage %d does not exist, the world has %d", stage_id, world->stage_count);
    return (ecs_world_t *)(void *)world->stages[stage_id];
error:
    return NULL;
}

ecs_world_t *ecs_stage_new(ecs_world_t *world) {
    if (!ecs__check_alone(world, "make a stage")) return NULL;
    return (ecs_world_t *)(void *)ecs__stage_new(ecs__world_of(world), -1);
}

void ecs_stage_free(ecs_world_t *poly) {
    ecs_stage_t *stage = (ecs_stage_t *)(void *)poly;
    ecs_check(
        ecs__is_stage(poly), ECS_INVALID_PARAMETER, "a world is not a stage; end it with ecs_fini");
    ecs_check(!is_managed(stage), ECS_INVALID_PARAMETER,
        "stage %d belongs to its world; only stages made with ecs_stage_new can be freed",
        stage->id);
    ECS__CHECK(ecs__check_alone(poly, "free a stage"));
    end_stage(stage);
error:
    return;
}

int32_t ecs_stage_get_id(const ecs_world_t *world) { return ecs__stage_of(world)->id; }

bool ecs_stage_is_readonly(const ecs_world_t *poly) {
    bool readonly = ecs__world_of(poly)->flags & EcsWorldReadonly;
    if (!ecs__is_stage(poly)) return readonly;
    return is_managed(ecs__stage_of(poly)) && !readonly;
}

// ---- deferring ----

// Of a stage beside the main one, outside of readonly mode: the bracket that nobody opened.
static int32_t unseen_bracket(const ecs_stage_t *stage) {
    return stage->id > 0 && !(stage->world->flags & EcsWorldReadonly);
}

bool ecs_defer_begin(ecs_world_t *world) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ECS__CHECK(ecs__check_reader(world) && ecs__check_thread(world, "defer changes"));
    if (stage->defer < 0) return false;
    ECS__CHECK(ecs__check_not_asked(world));
    return ++stage->defer == 1 + unseen_bracket(stage);
error:
    return false;
}

bool ecs_defer_end(ecs_world_t *world) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ECS__CHECK(ecs__check_reader(world) && ecs__check_thread(world, "defer changes"));
    if (stage->defer < 0) return false;
    ECS__CHECK(ecs__check_not_asked(world));
    const int32_t unseen = unseen_bracket(stage);
    ecs_check(stage->defer > (is_managed(stage) ? unseen : 1), ECS_INVALID_OPERATION,
        "ecs_defer_end without a matching ecs_defer_begin");
    if (stage->defer > 1 + unseen) {
        stage->defer--;
        return false;
    }
    ecs_check(!stage->in_slot && !(is_managed(stage) && stage->world->flags & EcsWorldReadonly),
        ECS_INVALID_WHILE_READONLY,
        "ecs_defer_end without a matching ecs_defer_begin: commands wait until the world is no longer readonly");
    ecs__stage_flush(stage);
    stage->defer = unseen;
    return true;
error:
    return false;
}

bool ecs_is_deferred(const ecs_world_t *world) {
    const ecs_stage_t *stage = ecs__stage_of(world);
    return stage->defer > unseen_bracket(stage);
}

// A suspended stage keeps its nesting as a negative number. Whoever changes a row, or tells of it, looks for what it knew again.
static void suspend(ecs_stage_t *stage) {
    stage->defer = -stage->defer;
    ecs__routes_close(&stage->world->events);
    ecs__hops_forget(&stage->world->store);
}

void ecs_defer_suspend(ecs_world_t *world) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ECS__CHECK(ecs__check_not_asked(world));
    ecs_check(stage->defer > unseen_bracket(stage), ECS_INVALID_OPERATION,
        stage->defer < 0 ? "deferring is already suspended"
                         : "cannot suspend deferring: the world is not deferred");
    ecs_check(is_managed(stage), ECS_INVALID_OPERATION,
        "deferring cannot be suspended on a stage made with ecs_stage_new: others may use the world");
    ecs_check(!stage->in_slot && !(stage->world->flags & EcsWorldReadonly),
        ECS_INVALID_WHILE_READONLY,
        "deferring cannot be suspended while the world is readonly; mark the system as immediate");
    suspend(stage);
error:
    return;
}

void ecs_defer_resume(ecs_world_t *world) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ecs_check(stage->defer < 0, ECS_INVALID_OPERATION, "deferring is not suspended");
    stage->defer = -stage->defer;
error:
    return;
}

bool ecs_is_defer_suspended(const ecs_world_t *world) { return ecs__stage_of(world)->defer < 0; }

// ---- readonly ----

bool ecs_readonly_begin(ecs_world_t *world, bool multi_threaded) {
    ecs_check(
        !ecs__is_stage(world), ECS_INVALID_PARAMETER, "only a world becomes readonly, not a stage");
    if (world->flags & EcsWorldReadonly) return true;
    ECS__CHECK(ecs__check_not_asked(world));
    for (int32_t i = 0; i < world->stage_count; i++) {
        ecs_check(world->stages[i]->defer == unseen_bracket(world->stages[i]),
            ECS_INVALID_OPERATION,
            "stage %d is deferred; end that before the world becomes readonly", i);
    }
    ecs__queries_update(&world->queries, &world->store);
    ecs__children_settle(&world->store);
    world->stage->defer = 1;
    world->flags |= EcsWorldReadonly | (multi_threaded ? (ecs_flags32_t)EcsWorldMultiThreaded : 0u);
error:
    return false;
}

void ecs_readonly_end(ecs_world_t *world) {
    ecs_check(
        !ecs__is_stage(world), ECS_INVALID_PARAMETER, "only a world is readonly, not a stage");
    ecs_check(world->flags & EcsWorldReadonly, ECS_INVALID_OPERATION, "the world is not readonly");
    ecs_check(!world->in_slots && !world->stage->system, ECS_INVALID_OPERATION,
        "the world is readonly until the systems that run have ended");
    for (int32_t i = 0; i < world->stage_count; i++) {
        ecs_check(world->stages[i]->defer == 1, ECS_INVALID_OPERATION,
            "stage %d has a ecs_defer_begin without ecs_defer_end", i);
        ecs__assert(!world->stages[i]->queue->count || ecs__load_32(&world->recorded),
            "who records says so");
    }
    world->flags &= ~(ecs_flags32_t)(EcsWorldReadonly | EcsWorldMultiThreaded);
    ecs__queries_begin_detecting(&world->queries);
    if (ecs__load_32(&world->recorded)) {
        bool spares = ecs__entity_spare_begin(&world->store.entities);
        for (int32_t i = 0; i < world->stage_count; i++) ecs__stage_flush(world->stages[i]);
        ecs__entity_spare_end(&world->store.entities, spares);
        ecs__store_32(&world->recorded, false);
    }
    world->stage->defer = 0;
    world->info.merge_count_total++;
error:
    return;
}

ecs_world_t *flecs_suspend_readonly(const ecs_world_t *poly, ecs_suspend_readonly_state_t *state) {
    ECS__GIVEN(state);
    ecs_world_t *world = ecs__world_of(poly);
    *state = (ecs_suspend_readonly_state_t){ 0 };
    ECS__CHECK(ecs__check_not_asked(world));
    ecs_check(!(world->flags & EcsWorldMultiThreaded) && !world->in_slots,
        ECS_INVALID_WHILE_READONLY, "readonly mode cannot be suspended while jobs run");
    state->was_readonly = world->flags & EcsWorldReadonly;
    state->was_deferred = world->stage->defer > 0;
    world->flags &= ~(ecs_flags32_t)EcsWorldReadonly;
    if (state->was_deferred) suspend(world->stage);
error:
    return world;
}

void flecs_resume_readonly(ecs_world_t *world, ecs_suspend_readonly_state_t *state) {
    ECS__GIVEN(state);
    if (state->was_deferred) world->stage->defer = -world->stage->defer;
    if (state->was_readonly) world->flags |= EcsWorldReadonly;
}

void ecs_merge(ecs_world_t *poly) {
    ecs_stage_t *stage = ecs__stage_of(poly);
    ecs_world_t *world = stage->world;
    ecs_check(!(world->flags & EcsWorldReadonly), ECS_INVALID_WHILE_READONLY,
        "a stage cannot be merged into a readonly world");
    ecs_check(stage == world->stages[0] || world->stages[0]->defer == 0, ECS_INVALID_OPERATION,
        "cannot flush a command queue to a deferred stage");
    ECS__CHECK(ecs__check_not_asked(world));
    ecs_check(!world->flushing, ECS_INVALID_OPERATION,
        "a stage cannot be merged while commands are applied, as by hooks and observers of a merge");
    ecs__stage_flush(stage);
error:
    return;
}
