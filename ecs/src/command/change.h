// SPDX-License-Identifier: MIT
// change: what a run (run.h) makes of its entities, and doing it by parts.
//
// The commands of a run are one change of two tables: rows move column by column, and values go from the commands to where they stay.
// Threads: main thread, world writable; large runs are shared with the crew of the flush.
#ifndef ECS_COMMAND_CHANGE_H
#define ECS_COMMAND_CHANGE_H

#include "command/run.h"
#include "storage/table.h"

/** Entities with more commands are changed one by one. */
#define ECS__CHANGE_LONGEST 64

/** What becomes of each entity. */
typedef struct ecs__change_t {
    const ecs__cmd_t *head; /* the commands of one of them */
    ecs_table_t *src, *dst; /* NULL: it is not there yet, or not any more */
    bool has_values;
    bool tells;       /* hooks on what comes, and on what is set, are to be called */
    bool ends_chains; /* so that an entity may have several chains, which are alike */
    int32_t length;   /* commands, */
    int32_t columns[ECS__CHANGE_LONGEST]; /* and where each brings a value: in dst; -1: none */
} ecs__change_t;

/** True if such commands concern nobody but the entity, which is in `src`; the tables that it passes may still say more. */
bool ecs__change_is_quiet(const ecs_world_t *world, const ecs__cmd_t *head, const ecs_table_t *src);
/** Find the change, making the tables that it passes; false if it concerns others. `may_tell`: hooks on what comes and is set may be
 * called, which is left to the caller. */
bool ecs__change_find(ecs_world_t *world, const ecs__cmd_t *head, ecs_table_t *src, bool may_tell,
    ecs__change_t *change);
/** Do it to all entities of a run. Commands of theirs behind the first get ECS__CMD_AHEAD. */
void ecs__change_carry_out(ecs_world_t *world, const ecs__change_t *change, ecs__run_t *run);
/** So many entities were changed. */
void ecs__change_count(ecs_world_t *world, const ecs__change_t *change, int32_t count);

#endif
