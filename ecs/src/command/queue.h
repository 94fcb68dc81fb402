// SPDX-License-Identifier: MIT
// queue: commands written down, with their payload, in a chain of blocks.
//
// A command is an entity and a pointer to what to do with it. Systems say the same for entity after entity, so what they say is written
// once, between the commands, and found again by its kind and id.
// A queue has one writer at a time and keeps its blocks when it was applied, so a steady tick allocates nothing and workers share no pool.
// Blocks that were not needed for a while are given back. Memory use depends on the commands only, not on who recorded them.
#ifndef ECS_COMMAND_QUEUE_H
#define ECS_COMMAND_QUEUE_H

#include "id/builtin.h"
#include "id/id.h"
#include "id/type.h"
#include "id/type_info.h"

typedef enum ecs__cmd_kind_t {
    ECS__CMD_NEW,      /* place a reserved id */
    ECS__CMD_NEW_MANY, /* payload: reserved ids; id: what they get, or 0 */
    ECS__CMD_ADD,
    ECS__CMD_REMOVE,
    ECS__CMD_SET,     /* payload: value */
    ECS__CMD_WRITTEN, /* the value was set over one that was there; adds the id if it is gone by then */
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

/** Marks of a command while it is applied. */
enum {
    ECS__CMD_FOLDED = 1,  /* its effect on the type was part of a batch */
    ECS__CMD_DROPPED = 2, /* its value was overruled by a later command of the batch */
    ECS__CMD_AHEAD = 4,   /* was applied ahead of others, see in_place.h and run.h */
    ECS__CMD_MARKS = 7
};

/** Runs a recorded call; with `discard` it must only release what the payload owns. */
typedef void (*ecs__cmd_call_t)(
    ecs_world_t *world, ecs_entity_t entity, void *payload, bool discard);

/** What is done; the same for many commands. */
typedef struct ecs__cmd_what_t {
    uint64_t form; /* the next four in one word, see ecs__cmd_form */
    uint8_t kind;
    /* Argument of clone and enable; of set: by ecs__record_plain; of a call: an event. */
    bool flag : 1;
    bool input : 1; /* of a text: to add what traits forbid is bad input */
    uint16_t align; /* of the payload; at least 8 */
    uint32_t size;  /* bytes of a command with its payload, a multiple of 8 */
    ecs_id_t id;
    union {
        const ecs_type_info_t *type_info; /* of the payload */
        ecs_entity_t other;
        ecs__cmd_call_t call;
        uint64_t word; /* whatever it is; a count */
    } as;
    ecs_entity_t system; /* who recorded it, 0 outside systems */
} ecs__cmd_what_t;

typedef struct ecs__cmd_t {
    uintptr_t what; /* ecs__cmd_what_t*, and marks; 0: no command, but a ecs__cmd_said_t */
    ecs_entity_t entity;
    struct ecs__cmd_t *next; /* next command of the entity, see chain.h */
} ecs__cmd_t;

typedef struct ecs__cmd_said_t {
    uintptr_t none; /* 0 */
    ecs__cmd_what_t what;
} ecs__cmd_said_t;

typedef struct ecs__cmd_block_t {
    struct ecs__cmd_block_t *next;
    uint32_t used,
        size; /* bytes of commands, which follow, 8-byte aligned; `used` is not that of the last block */
} ecs__cmd_block_t;

// Places for two ids each, and not for two kinds of one; the last ones are for new entities: other commands leave them alone.
#define ECS__CMD_RECENT 34
#define ECS__CMD_REPEATS 1u /* some commands have the entity of the one before */
#define ECS__CMD_FALLS 2u
/** In `kinds`: of a stage beside the main one, for which no value is written before the flush. */
#define ECS__QUEUE_WAITS (1u << 31)
/** In `kinds`: somebody is told of what is about to go, so values that are there may not last. */
#define ECS__QUEUE_LOSES (1u << 30)

typedef struct ecs__cmd_queue_t {
    ecs__cmd_block_t *first, *last; /* chain; `last` is being filled, later blocks are spare */
    char *at, *end;                 /* the rest of `last` */
    int32_t count;                  /* commands */
    int32_t idle;                   /* flushes since spare blocks were needed */
    int32_t done;                   /* of these, in place */
    uint32_t kinds;        /* a bit per ecs__cmd_kind_t of the commands, and ECS__QUEUE_… */
    uint64_t taken;        /* ids that commands remove, ecs__id_bloom of each, */
    uint64_t taken_of;     /* and from whom, ecs__queue_whom of each */
    uint64_t pairs;        /* (R, *) of all pairs, ecs__id_bloom of each */
    uint64_t mentioned;    /* what ids consist of, ecs__queue_whom of each */
    ecs__cmd_t *latest;    /* last command that may have links, */
    uint32_t latest_index; /* and the index of its entity */
    uint32_t order;        /* ECS__CMD_REPEATS, ECS__CMD_FALLS; 0: indices of entities rise */
    const ecs__cmd_what_t *recent[ECS__CMD_RECENT]; /* by kind and id */
    struct ecs__names_t *named; /* what it will name, if others cannot know yet; or NULL */
} ecs__cmd_queue_t;

#define ECS__CMD_TAKES_AWAY \
    (1u << ECS__CMD_REMOVE | 1u << ECS__CMD_CLEAR | 1u << ECS__CMD_REMOVE_ALL | ECS__QUEUE_LOSES)
/** A command, or the change that is being told of, removes ids: values that are there may not last. */
static inline bool ecs__queue_takes_away(const ecs__cmd_queue_t *queue) {
    return queue->kinds & ECS__CMD_TAKES_AWAY;
}

/** A command removes an id from an entity, or what is told of does; where there are many commands, this may be true of others, too. */
bool ecs__queue_may_take(const ecs__cmd_queue_t *queue, ecs_entity_t entity, ecs_id_t id);

/** Commands may be about pairs of the relationship of a pair. */
static inline bool ecs__queue_may_pair(const ecs__cmd_queue_t *queue, ecs_id_t id) {
    return queue->pairs & ecs__id_bloom(ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard));
}

/** A bit for an entity; all for nobody. */
static inline uint64_t ecs__queue_whom(ecs_entity_t entity) {
    return entity ? 1ull << ((uint32_t)entity * 0x9E3779B1u >> 26) : UINT64_MAX;
}

/** Around telling of what is about to go: values that are set meanwhile are recorded, so they come after it went. Returns what is to be
 * given back. */
static inline uint32_t ecs__queue_lose(ecs__cmd_queue_t *queue) {
    uint32_t kinds = queue->kinds;
    queue->kinds = kinds | ECS__QUEUE_LOSES;
    return kinds;
}
static inline void ecs__queue_have_lost(ecs__cmd_queue_t *queue, uint32_t kinds) {
    if (!(kinds & ECS__QUEUE_LOSES)) queue->kinds &= ~ECS__QUEUE_LOSES;
}

static inline const ecs__cmd_what_t *ecs__cmd_what(const ecs__cmd_t *cmd) {
    return (const ecs__cmd_what_t *)(cmd->what & ~(uintptr_t)ECS__CMD_MARKS);
}
static inline bool ecs__cmd_is(const ecs__cmd_t *cmd, uintptr_t mark) { return cmd->what & mark; }

/** Brings a value to whatever the entity has then; others construct one, or have none. */
static inline bool ecs__cmd_holds_value(const ecs__cmd_t *cmd) {
    ecs__cmd_kind_t kind = ecs__cmd_what(cmd)->kind;
    return kind == ECS__CMD_SET || kind == ECS__CMD_ENSURE;
}

/** Where the payload is; `align` is that of what the command says. */
static inline void *ecs__cmd_value(ecs__cmd_t *cmd, uintptr_t align) {
    return (void *)(((uintptr_t)(cmd + 1) + align - 1) & ~(align - 1));
}
static inline void *ecs__cmd_payload(ecs__cmd_t *cmd) {
    return ecs__cmd_value(cmd, ecs__cmd_what(cmd)->align);
}

/** Bytes of a command with a payload. */
static inline uint64_t ecs__cmd_size(ecs_size_t payload, uint64_t align) {
    return sizeof(ecs__cmd_t) + (((uint64_t)payload + 7) & ~7ull) + align - 8;
}
/** Values were made as this type, and it still has their size; NULL: the id has none. Types may end, or change, until commands are applied. */
static inline bool ecs__cmd_fits(const ecs__cmd_what_t *what, const ecs_type_info_t *type) {
    return what->as.type_info == type && what->size == ecs__cmd_size(type->size, what->align);
}
/** `bits`: 1 is the flag. */
#define ECS__CMD_INPUT 2u
static inline uint64_t ecs__cmd_form(
    ecs__cmd_kind_t kind, uint32_t bits, uint64_t align, uint64_t size) {
    return (uint64_t)kind | (uint64_t)bits << 8 | align << 16 | size << 32;
}

static inline bool ecs__cmd_is_said(
    const ecs__cmd_what_t *said, uint64_t form, ecs_id_t id, uint64_t as, ecs_entity_t system) {
    return said && said->form == form && said->id == id && said->as.word == as &&
           said->system == system;
}

/** Link two commands that follow each other if they are of one entity. */
static inline void ecs__cmd_join(ecs__cmd_t *previous, ecs__cmd_t *cmd) {
    if (previous->entity == cmd->entity) previous->next = cmd;
}

/** A command is appended. */
static inline void ecs__queue_note(ecs__cmd_queue_t *queue, ecs__cmd_t *cmd, ecs__cmd_kind_t kind) {
    uint32_t index = (uint32_t)cmd->entity;
    queue->count++;
    if (1u << kind & ECS__CMD_TAKES_AWAY) queue->taken_of |= ecs__queue_whom(cmd->entity);
    if (kind == ECS__CMD_MODIFIED) return; /* it is not linked */
    if (index > queue->latest_index) {
        /* mostly */
    } else if (index == queue->latest_index && index) {
        queue->order |= ECS__CMD_REPEATS;
        ecs__cmd_join(queue->latest, cmd);
    } else {
        queue->order |= ECS__CMD_FALLS;
    }
    queue->latest_index = index;
    queue->latest = cmd;
}

/** Append a command with room for the payload (uninitialised). `as` is a word, see ecs__cmd_what_t.as. Addresses are stable until the
 * queue is cleared. */
ecs__cmd_t *ecs__queue_push(ecs__cmd_queue_t *queue, uint64_t form, ecs_id_t id, uint64_t as,
    ecs_entity_t system, ecs_entity_t entity);

/** Where what was said of this kind and id last is remembered. */
static inline uint32_t ecs__queue_recent_place(ecs__cmd_kind_t kind, ecs_id_t id) {
    const uint32_t last = ECS__CMD_RECENT - 2;
    return kind == ECS__CMD_NEW ? last : 2 * (uint32_t)(id + 5 * kind) % last;
}
/** The last that was said of this kind and id, or something else; NULL: nothing. */
static inline const ecs__cmd_what_t *ecs__queue_recent(
    const ecs__cmd_queue_t *queue, ecs__cmd_kind_t kind, ecs_id_t id) {
    const ecs__cmd_what_t *const *said = &queue->recent[ecs__queue_recent_place(kind, id)];
    return said[0] && said[0]->id != id ? said[1] : said[0];
}

/** True if the block has room for another command that says this. */
static inline bool ecs__queue_has_room(const ecs__cmd_queue_t *queue, const ecs__cmd_what_t *said) {
    return (size_t)(queue->end - queue->at) >= said->size;
}

/** What says this, if it was said lately and there is room for another such command; else NULL. */
static inline const ecs__cmd_what_t *ecs__queue_said(
    const ecs__cmd_queue_t *queue, uint64_t form, ecs_id_t id, uint64_t as, ecs_entity_t system) {
    const ecs__cmd_what_t *said = ecs__queue_recent(queue, (ecs__cmd_kind_t)(uint8_t)form, id);
    bool is_said = ecs__cmd_is_said(said, form, id, as, system) && ecs__queue_has_room(queue, said);
    return is_said ? said : NULL;
}

/** Append a command that says what was said lately; there is room. */
static inline ecs__cmd_t *ecs__queue_append(ecs__cmd_queue_t *queue, const ecs__cmd_what_t *said,
    ecs__cmd_kind_t kind, ecs_entity_t entity) {
    ecs__cmd_t *cmd = (ecs__cmd_t *)(void *)queue->at;
    queue->at += said->size;
    cmd->what = (uintptr_t)said;
    cmd->entity = entity;
    cmd->next = NULL;
    ecs__queue_note(queue, cmd, kind);
    return cmd;
}

/** Walk the commands of queues, one after the other; those of which all commands are done are passed over. */
typedef struct ecs__queue_iter_t {
    char *at, *block_end;                /* the command to come, and the end of its block */
    const ecs__cmd_queue_t *queue, *end; /* being walked, behind the last one */
    const ecs__cmd_block_t *block;       /* NULL: the queue was not begun */
} ecs__queue_iter_t;

static inline ecs__queue_iter_t ecs__queue_iter(const ecs__cmd_queue_t *queues, int32_t count) {
    return (ecs__queue_iter_t){ .queue = queues, .end = queues + count };
}
/** Go on to the next block, of the next queue if need be; false at the end. */
bool ecs__queue_next_block(ecs__queue_iter_t *iter);
/** What is to come is not a command: go on to one. NULL at the end. */
ecs__cmd_t *ecs__queue_seek(ecs__queue_iter_t *iter);
/** The command to come, or NULL. */
static inline ecs__cmd_t *ecs__queue_peek(ecs__queue_iter_t *iter) {
    ecs__cmd_t *cmd = (ecs__cmd_t *)(void *)iter->at;
    return iter->at != iter->block_end && cmd->what ? cmd : ecs__queue_seek(iter);
}
/** Go on behind the command that was peeked at. */
static inline void ecs__queue_pass(ecs__queue_iter_t *iter, const ecs__cmd_t *cmd) {
    iter->at += ecs__cmd_what(cmd)->size;
}
/** The next command, or NULL. */
static inline ecs__cmd_t *ecs__queue_next(ecs__queue_iter_t *iter) {
    ecs__cmd_t *cmd = ecs__queue_peek(iter);
    if (cmd) ecs__queue_pass(iter, cmd);
    return cmd;
}

/** Forget all commands (their payloads are spent); blocks are kept for reuse. */
void ecs__queue_clear(ecs__cmd_queue_t *queue);
void ecs__queue_fini(ecs__cmd_queue_t *queue);

#endif
