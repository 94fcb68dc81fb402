// SPDX-License-Identifier: MIT
// run: commands that say the same of many entities of one table, applied together.
//
// Systems mostly record the same for entity after entity: add this, set those two, delete. Where that concerns nobody but the entities
// (quiet.h, no observers, plain values), a run of chains (flush.h) that are alike is one change of two tables: rows move column by
// column, and values go from the commands to where they stay. The result is that of one after the other, to the row.
// Threads: main thread, world writable.
#ifndef ECS_COMMAND_RUN_H
#define ECS_COMMAND_RUN_H

#include "command/queue.h"
#include "command/tries.h"
#include "storage/entity_index.h"

typedef struct ecs__flush_t ecs__flush_t;

/** A run, and scratch memory: one of each per entity; of cmds and entities what is needed, since memory is what large runs wait for. */
typedef struct ecs__run_t {
    int32_t *rows;
    ecs__cmd_t **cmds;      /* heads of chains */
    ecs_entity_t *entities; /* of those that end */
    int32_t *fillers;       /* see storage/table_bulk.h; three of them */
    bool keeps_cmds, keeps_entities;
    bool
        leaves_rows; /* what moves is only copied: who asks for it takes the rows from their table */
    int32_t count, size;
    ecs__tries_t tries;
    int64_t total; /* entities of all runs so far */
} ecs__run_t;

void ecs__run_fini(ecs__run_t *run);

// ---- who may be part ----

/** Entities of a table, of which certain commands concern nobody else. */
typedef struct ecs__asked_t {
    const ecs__entity_index_t *index;
    const ecs_table_t *table; /* NULL: entities that are to be */
    uint64_t key;             /* of the table */
    uint32_t refused;         /* marks */
} ecs__asked_t;

ecs__asked_t ecs__asked(
    const ecs__entity_index_t *index, const ecs__cmd_t *head, const ecs_table_t *table);
int32_t ecs__asked_find_any(const ecs__asked_t *asked, ecs_entity_t entity);
/** The row of the entity in the table, or -1 if it may not be part. Mostly neither is the entity marked, nor are places far. */
static inline int32_t ecs__asked_find(const ecs__asked_t *asked, ecs_entity_t entity) {
    if ((uint32_t)entity >= asked->index->made) return -1;
    const ecs__record_t *record = ecs__record_of(asked->index, entity);
    bool is_same = ecs__record_key(record, entity) == asked->key;
    return is_same ? (int32_t)ecs__record_near_row(record) : ecs__asked_find_any(asked, entity);
}

// ---- collecting ----

/** An empty run of chains like that of `head`. */
void ecs__run_begin(ecs__run_t *run, const ecs__cmd_t *head);
/** Make room for so many entities in all. */
void ecs__run_reserve(ecs__run_t *run, int32_t size);
/** The commands of two entities say the same, in order, and there are no more than ECS__CHANGE_LONGEST of each. */
bool ecs__run_is_alike(const ecs__cmd_t *a, const ecs__cmd_t *b);
/** Take what says the same as `head`, of entities that are in `table` (NULL: that are to be), until there are `limit`; `iter` is behind it
 * afterwards. Any thread. */
void ecs__run_collect(ecs__run_t *run, const ecs__entity_index_t *index, const ecs__cmd_t *head,
    const ecs_table_t *table, ecs__queue_iter_t *iter, int32_t limit);

/** Each entity is in a row behind that of the one before, so that none is there twice. */
bool ecs__run_rises(const ecs__run_t *run);

// ---- the whole ----

/** Kinds of commands that runs begin with. */
#define ECS__RUN_KINDS                                                                      \
    (1u << ECS__CMD_NEW | 1u << ECS__CMD_ADD | 1u << ECS__CMD_REMOVE | 1u << ECS__CMD_SET | \
        1u << ECS__CMD_ENSURE | 1u << ECS__CMD_CLEAR | 1u << ECS__CMD_DELETE)

/** Apply the run that begins with the command to come, if there is one; `iter` is behind it afterwards. Commands of it that come later
 * get ECS__CMD_AHEAD. */
bool ecs__run_apply(ecs_world_t *world, ecs__run_t *run, ecs__queue_iter_t *iter);
/** The same, unless attempts are of no use now. `cmd` is the command to come. */
static inline bool ecs__run_try(
    ecs_world_t *world, ecs__run_t *run, ecs__queue_iter_t *iter, const ecs__cmd_t *cmd) {
    return !ecs__tries_wait(&run->tries) && ECS__RUN_KINDS & 1u << ecs__cmd_what(cmd)->kind &&
           ecs__run_apply(world, run, iter);
}

#endif
