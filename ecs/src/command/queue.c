// SPDX-License-Identifier: MIT
#include "command/queue.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "name/names.h"

#define FIRST_BLOCK 496u
#define LATER_BLOCK 8176u
#define IDLE_FLUSHES 64
#define FEW_TO_ASK 256 /* commands */

static char *commands(ecs__cmd_block_t *block) { return (char *)(block + 1); }

static ecs__cmd_block_t *new_block(uint32_t size) {
    ecs__cmd_block_t *block = ecs_os_malloc(ECS_SIZEOF(ecs__cmd_block_t) + (ecs_size_t)size);
    block->next = NULL;
    block->size = size;
    return block;
}

// A block with room for `size` bytes behind the last one: a spare one if it is large enough.
static ecs__cmd_block_t *next_block(ecs__cmd_queue_t *queue, uint32_t size) {
    ecs__cmd_block_t **link = queue->last ? &queue->last->next : &queue->first;
    if (*link && (*link)->size >= size) return *link;
    uint32_t wanted = queue->last ? LATER_BLOCK : FIRST_BLOCK;
    ecs__cmd_block_t *block = new_block(size > wanted ? size : wanted);
    block->next = *link;
    *link = block;
    return block;
}

static void go_on(ecs__cmd_queue_t *queue, uint32_t size) {
    if (queue->last) queue->last->used = (uint32_t)(queue->at - commands(queue->last));
    queue->last = next_block(queue, size);
    queue->at = commands(queue->last);
    queue->end = queue->at + queue->last->size;
}

static void *take(ecs__cmd_queue_t *queue, uint32_t size) {
    if ((size_t)(queue->end - queue->at) < size) go_on(queue, size);
    void *taken = queue->at;
    queue->at += size;
    return taken;
}

static void note_ids(ecs__cmd_queue_t *queue, const ecs__cmd_what_t *what) {
    if (what->id) queue->mentioned |= ecs__queue_whom(ecs__id_trait_owner(what->id));
    if (ECS_IS_PAIR(what->id)) {
        queue->pairs |= ecs__id_bloom(ECS__MAKE_PAIR(ecs__id_first(what->id), Ecs__Wildcard));
        queue->mentioned |= ecs__queue_whom(ecs__id_second(what->id));
    }
    if (what->kind == ECS__CMD_CLEAR)
        queue->taken = UINT64_MAX;
    else if (1u << what->kind & ECS__CMD_TAKES_AWAY)
        queue->taken |= ecs__id_bloom(ecs__id_any_to_wildcard(what->id));
}

static const ecs__cmd_what_t *say(
    ecs__cmd_queue_t *queue, uint64_t form, ecs_id_t id, uint64_t as, ecs_entity_t system) {
    ecs__cmd_said_t *said = take(queue, sizeof *said);
    said->none = 0;
    said->what = (ecs__cmd_what_t){ .form = form,
        .kind = (uint8_t)form,
        .flag = form >> 8 & 1,
        .input = form >> 9 & 1,
        .align = (uint16_t)(form >> 16),
        .size = (uint32_t)(form >> 32),
        .id = id,
        .as.word = as,
        .system = system };
    queue->kinds |= 1u << said->what.kind;
    note_ids(queue, &said->what);
    return &said->what;
}

static bool takes(const ecs__cmd_t *cmd, ecs_entity_t entity, ecs_id_t id) {
    const ecs__cmd_what_t *what = ecs__cmd_what(cmd);
    if (!(1u << what->kind & ECS__CMD_TAKES_AWAY)) return false;
    if (cmd->entity && cmd->entity != entity) return false;
    const bool is_presence = ECS_IS_PAIR(id) && what->id == ecs__id_first(id);
    return what->kind == ECS__CMD_CLEAR || is_presence || ecs__id_covers(what->id, id);
}

bool ecs__queue_may_take(const ecs__cmd_queue_t *queue, ecs_entity_t entity, ecs_id_t id) {
    if (queue->kinds & ECS__QUEUE_LOSES) return true;
    if (!ecs__queue_takes_away(queue)) return false;
    uint64_t ids = ecs__id_bloom_covers(id);
    if (ECS_IS_PAIR(id)) ids |= ecs__id_bloom(ecs__id_first(id)); /* of pairs beside tables */
    if (!(queue->taken & ids && queue->taken_of & ecs__queue_whom(entity))) return false;
    if (queue->count > FEW_TO_ASK) return true;
    ecs__queue_iter_t iter = ecs__queue_iter(queue, 1);
    const ecs__cmd_t *cmd;
    while ((cmd = ecs__queue_next(&iter))) {
        if (takes(cmd, entity, id)) return true;
    }
    return false;
}

// In place of what was said of the same id, or else of what was said before the other one.
static void remember(ecs__cmd_queue_t *queue, const ecs__cmd_what_t *what) {
    const ecs__cmd_what_t **said = &queue->recent[ecs__queue_recent_place(what->kind, what->id)];
    if (said[0] && said[0]->id != what->id) said[1] = said[0];
    said[0] = what;
}

ecs__cmd_t *ecs__queue_push(ecs__cmd_queue_t *queue, uint64_t form, ecs_id_t id, uint64_t as,
    ecs_entity_t system, ecs_entity_t entity) {
    const ecs__cmd_what_t *what = ecs__queue_recent(queue, (ecs__cmd_kind_t)(uint8_t)form, id);
    if (!ecs__cmd_is_said(what, form, id, as, system)) {
        what = say(queue, form, id, as, system);
        remember(queue, what);
    }
    ecs__cmd_t *cmd = take(queue, what->size);
    *cmd = (ecs__cmd_t){ (uintptr_t)what, entity, NULL };
    ecs__queue_note(queue, cmd, what->kind);
    return cmd;
}

bool ecs__queue_next_block(ecs__queue_iter_t *iter) {
    while (iter->queue != iter->end) {
        const ecs__cmd_queue_t *queue = iter->queue;
        ecs__cmd_block_t *block = queue->count > queue->done ? queue->first : NULL;
        if (iter->block) block = iter->block == queue->last ? NULL : iter->block->next;
        iter->block = block;
        if (!block) {
            iter->queue++;
            continue;
        }
        iter->at = commands(block);
        iter->block_end = block == queue->last ? queue->at : iter->at + block->used;
        return true;
    }
    return false;
}

ecs__cmd_t *ecs__queue_seek(ecs__queue_iter_t *iter) {
    while (iter->at != iter->block_end || ecs__queue_next_block(iter)) {
        ecs__cmd_t *cmd = (ecs__cmd_t *)(void *)iter->at;
        if (cmd->what) return cmd;
        iter->at += sizeof(ecs__cmd_said_t);
    }
    return NULL;
}

static void free_chain(ecs__cmd_block_t *block) {
    while (block) {
        ecs__cmd_block_t *next = block->next;
        ecs_os_free(block);
        block = next;
    }
}

// Spare blocks behind the last used one are a reserve; after many flushes without need they are given back.
static void release_idle(ecs__cmd_queue_t *queue) {
    bool has_spare = queue->last ? queue->last->next != NULL : queue->first != NULL;
    queue->idle = has_spare ? queue->idle + 1 : 0;
    if (queue->idle < IDLE_FLUSHES) return;
    ecs__cmd_block_t **spare = queue->last ? &queue->last->next : &queue->first;
    free_chain(*spare);
    *spare = NULL;
    queue->idle = 0;
}

void ecs__queue_clear(ecs__cmd_queue_t *queue) {
    if (!queue->first) return;
    release_idle(queue);
    queue->last = NULL;
    queue->at = queue->end = NULL;
    queue->count = 0;
    queue->done = 0;
    queue->kinds &= ECS__QUEUE_WAITS;
    queue->taken = queue->taken_of = queue->pairs = queue->mentioned = 0;
    queue->latest = NULL;
    queue->latest_index = queue->order = 0;
    memset(queue->recent, 0, sizeof queue->recent);
    ecs__names_forget_noted(queue->named);
}

void ecs__queue_fini(ecs__cmd_queue_t *queue) {
    free_chain(queue->first);
    ecs__names_drop_noted(&queue->named);
    *queue = (ecs__cmd_queue_t){ 0 };
}
