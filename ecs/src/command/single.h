// SPDX-License-Identifier: MIT
// single: entities that change one by one, among other commands, as others did before.
//
// Systems mostly say a few things, and often something else in between: then there is no run (run.h). What becomes of an entity by such
// commands was found for the first of its kind, and holds as long as nothing that decides it changed. Hooks on what comes and what is set
// are called as if the commands were folded.
// Threads: main thread, world writable.
#ifndef ECS_COMMAND_SINGLE_H
#define ECS_COMMAND_SINGLE_H

#include "command/change.h"

#define ECS__SINGLE_KINDS 8

typedef struct ecs__single_t {
    ecs__change_t change;              /* of an entity like those; change.head is NULL: none */
    bool is_quiet;                     /* else it concerns others */
    uint64_t plain_stamp, table_stamp; /* of the store, for which this is so */
} ecs__single_t;

/** Those that are known during a flush. */
typedef struct ecs__singles_t {
    ecs__single_t kinds[ECS__SINGLE_KINDS];
    int64_t total; /* entities that changed so, in all flushes */
} ecs__singles_t;

/** The commands of before are not there any more. */
void ecs__singles_forget(ecs__singles_t *singles);
/** Apply the chain that begins with the command to come, if it follows at once and concerns nobody but the entity; `iter` is behind it
 * afterwards. Returns how many commands it has; 0: nothing was done. */
int32_t ecs__single_apply(ecs_world_t *world, ecs__singles_t *singles, ecs__queue_iter_t *iter);
/** The same, unless the commands are as simple by themselves. `cmd` is the command to come. */
static inline int32_t ecs__single_try(
    ecs_world_t *world, ecs__singles_t *singles, ecs__queue_iter_t *iter, const ecs__cmd_t *cmd) {
    const uint32_t kind = 1u << ecs__cmd_what(cmd)->kind;
    const uint32_t alone = 1u << ECS__CMD_NEW | 1u << ECS__CMD_SET | 1u << ECS__CMD_ENSURE;
    bool may_be = cmd->next ? kind & ECS__RUN_KINDS & ~(1u << ECS__CMD_DELETE) : kind & alone;
    return may_be ? ecs__single_apply(world, singles, iter) : 0;
}

#endif
