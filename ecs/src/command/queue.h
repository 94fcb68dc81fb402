// SPDX-License-Identifier: MIT
// queue: commands written down, with their payload, in a chain of blocks.
//
// A queue has one writer at a time and keeps its blocks when it was applied, so a steady tick allocates nothing and workers share no pool.
// Blocks that were not needed for a while are given back. Memory use depends on the commands only, not on who recorded them.
#ifndef ECS_COMMAND_QUEUE_H
#define ECS_COMMAND_QUEUE_H

#include "id/type_info.h"
#include "id/id.h"

typedef enum ecs__cmd_kind_t {
    ECS__CMD_NEW,      /* place a reserved id */
    ECS__CMD_NEW_MANY, /* payload: reserved ids; id: what they get, or 0 */
    ECS__CMD_ADD,
    ECS__CMD_REMOVE,
    ECS__CMD_SET,     /* payload: value */
    ECS__CMD_ENSURE,  /* payload: value, no OnSet */
    ECS__CMD_EMPLACE, /* payload: value that the user constructs */
    ECS__CMD_MODIFIED,
    ECS__CMD_CLONE, /* other: source, flag: copy values */
    ECS__CMD_DELETE,
    ECS__CMD_CLEAR,
    ECS__CMD_ENABLE,      /* flag */
    ECS__CMD_DELETE_WITH, /* no entity */
    ECS__CMD_REMOVE_ALL,  /* no entity */
    ECS__CMD_CALL         /* function of another folder; payload: its bytes */
} ecs__cmd_kind_t;

enum {
    ECS__CMD_FOLDED = 1,  /* its effect on the type was part of a batch */
    ECS__CMD_DROPPED = 2, /* its value was overruled by a later command of the batch */
    ECS__CMD_FLAG = 4,    /* argument of clone and enable */
    ECS__CMD_AHEAD = 8    /* was applied ahead of others, see in_place.h and run.h */
};

/** Runs a recorded call; with `discard` it must only release what the payload owns. */
typedef void (*ecs__cmd_call_t)(
    ecs_world_t *world, ecs_entity_t entity, void *payload, bool discard);

typedef struct ecs__cmd_t {
    uint8_t kind;
    uint8_t flags;
    uint32_t size; /* bytes of the record with its payload, a multiple of 16 */
    ecs_entity_t entity;
    ecs_id_t id;
    union {
        const ecs_type_info_t *type_info; /* of the payload */
        ecs_entity_t other;
        ecs__cmd_call_t call;
        int32_t count;
    } as;
    ecs_entity_t system;     /* who recorded it, 0 outside systems */
    struct ecs__cmd_t *next; /* next command of the entity, set while flushing */
} ecs__cmd_t;

typedef struct ecs__cmd_block_t {
    struct ecs__cmd_block_t *next;
    uint32_t used, size; /* bytes of commands, which follow, 16-byte aligned */
} ecs__cmd_block_t;

typedef struct ecs__cmd_queue_t {
    ecs__cmd_block_t *first, *last; /* chain; `last` is being filled, later blocks are spare */
    int32_t count;                  /* commands */
    int32_t idle;                   /* flushes since spare blocks were needed */
    int32_t done;                   /* of these, in place */
    uint32_t kinds;                 /* a bit per ecs__cmd_kind_t of the commands */
} ecs__cmd_queue_t;

/** A command removes ids: values that are there may not last. */
static inline bool ecs__queue_takes_away(const ecs__cmd_queue_t *queue) {
    return queue->kinds &
           (1u << ECS__CMD_REMOVE | 1u << ECS__CMD_CLEAR | 1u << ECS__CMD_REMOVE_ALL);
}

/** Brings a value to whatever the entity has then; others construct one, or have none. */
static inline bool ecs__cmd_holds_value(const ecs__cmd_t *cmd) {
    return cmd->kind == ECS__CMD_SET || cmd->kind == ECS__CMD_ENSURE;
}

static inline void *ecs__cmd_payload(ecs__cmd_t *cmd) { return cmd + 1; }

/** Append a command with room for `payload` bytes (aligned to 16, uninitialised). Addresses are stable until the queue is cleared. */
ecs__cmd_t *ecs__queue_push(ecs__cmd_queue_t *queue, ecs__cmd_kind_t kind, ecs_size_t payload);

/** Walk the commands of queues, one after the other; those of which all commands are done are passed over. */
typedef struct ecs__queue_iter_t {
    const ecs__cmd_queue_t *queue, *end; /* being walked, behind the last one */
    const ecs__cmd_block_t *block;       /* NULL: the queue was not begun */
    uint32_t at;
} ecs__queue_iter_t;

static inline ecs__queue_iter_t ecs__queue_iter(const ecs__cmd_queue_t *queues, int32_t count) {
    return (ecs__queue_iter_t){ queues, queues + count, NULL, 0 };
}
/** Go on to a block with commands; false at the end. */
bool ecs__queue_next_block(ecs__queue_iter_t *iter);
/** The next command, or NULL. */
static inline ecs__cmd_t *ecs__queue_next(ecs__queue_iter_t *iter) {
    bool is_within = iter->block && iter->at != iter->block->used;
    if (!is_within && !ecs__queue_next_block(iter)) return NULL;
    const char *commands = (const char *)(iter->block + 1);
    ecs__cmd_t *cmd = (ecs__cmd_t *)(uintptr_t)(commands + iter->at);
    iter->at += cmd->size;
    return cmd;
}

/** Forget all commands (their payloads are spent); blocks are kept for reuse. */
void ecs__queue_clear(ecs__cmd_queue_t *queue);
void ecs__queue_fini(ecs__cmd_queue_t *queue);

#endif
