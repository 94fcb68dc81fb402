// SPDX-License-Identifier: MIT
#include "command/stage.h"

#include <muster/ecs/log.h>
#include <muster/ecs/name.h>
#include <muster/ecs/os.h>

#include "base/log.h"
#include "command/flush.h"
#include "mutate/check.h"
#include "name/names.h"
#include "query/graph/solve.h"
#include "world/state.h"

ecs_stage_t *ecs__stage_new(ecs_world_t *world, int32_t id) {
    ecs_stage_t *stage = ecs_os_calloc_t(ecs_stage_t);
    stage->hdr.type = ECS__STAGE_TYPE;
    stage->hdr.refcount = 1;
    stage->world = world;
    stage->stage = stage;
    stage->id = id;
    stage->queue = &stage->own[0];
    if (id) stage->own[0].kinds = stage->own[1].kinds = ECS__QUEUE_WAITS;
    stage->defer = stage->at_rest = id != 0;
    return stage;
}

static void write_note(const void *who, ecs_strbuf_t *text) {
    const ecs_stage_t *stage = who;
    if (!stage->system) return;
    char *name = ecs_id_str(stage->world, stage->system);
    ecs_strbuf_append(text, "; in system %s", name);
    ecs_os_free(name);
}

void ecs__stage_note(const ecs_stage_t *stage) {
    ecs__log_note((ecs__log_note_t){ stage ? write_note : NULL, stage });
}

const ecs_stage_t *ecs__stage_noted(const ecs_world_t *world) {
    const ecs__log_note_t note = ecs__log_noted();
    const ecs_stage_t *stage = note.write == write_note ? note.who : NULL;
    return stage && stage->world == world ? stage : world->stages[0];
}

void ecs__stage_free(ecs_stage_t *stage) {
    for (int32_t i = 0; i < 2; i++) {
        ecs__queue_discard(stage->world, &stage->own[i]);
        ecs__queue_fini(&stage->own[i]);
    }
    ecs__arena_fini(&stage->arena);
    ecs__solver_free(stage->solver);
    ecs_os_free(stage);
}

// Commands of one stage as one sequence. What hooks issue goes to stage 0, which is bracketed meanwhile.
static void flush_once(ecs_world_t *world, ecs_stage_t *stage) {
    ecs__cmd_queue_t *queue = stage->queue;
    stage->queue = queue == &stage->own[0] ? &stage->own[1] : &stage->own[0];
    // What ran when a refusal jumped away is left there.
    if (stage->queue->count && ecs__log_aborts() != world->aborts) ecs__queue_clear(stage->queue);
    if (!ecs__flush_varied(world, &stage->tries, queue)) ecs__flush_apply(world, queue, 1);
    ecs__queue_clear(queue);
}

static void drop_endless(ecs_world_t *world, ecs_stage_t *stage) {
    ecs_err_code(ECS_INVALID_OPERATION,
        "hooks or observers answer commands with commands without end: after %d rounds the %d that "
        "are left are dropped",
        ECS__FLUSH_ROUNDS, (int)stage->queue->count);
    ecs__queue_discard(world, stage->queue);
}

static void flush_all(ecs_world_t *world, ecs_stage_t *stage) {
    for (int32_t rounds = 0; stage->queue->count; rounds++) {
        if (rounds < ECS__FLUSH_ROUNDS)
            flush_once(world, stage);
        else
            drop_endless(world, stage);
    }
}

static inline bool has_work(const ecs_stage_t *stage) {
    const ecs_world_t *world = stage->world;
    return stage->queue->count || world->stage->queue->count || ecs_vec_count(&world->suspects);
}

void ecs__stage_flush(ecs_stage_t *stage) {
    ecs_world_t *world = stage->world;
    ecs_stage_t *main_stage = world->stages[0];
    if (!has_work(stage)) return;
    if (stage->queue->named) ecs__names_check_noted(world, stage->queue->named);
    int32_t defer = main_stage->defer;
    main_stage->defer = 1;
    ecs__log_note_t note = ecs__flush_note(world);
    bool spares = ecs__entity_spare_begin(&world->store.entities);
    world->flushing++;
    do {
        flush_all(world, stage);
        flush_all(world, main_stage);
    } while (ecs__check_suspects(world));
    if (!--world->flushing) world->has_queued_depths = false;
    ecs__entity_spare_end(&world->store.entities, spares);
    ecs__names_settle(world);
    ecs__log_note(note);
    main_stage->defer = defer;
}

void ecs__defer_bracket_end(ecs_stage_t *stage) {
    if (stage->defer < 0) return;
    if (has_work(stage)) ecs__stage_flush(stage);
    stage->defer = 0;
}
