// SPDX-License-Identifier: MIT
// ahead: what commands to come will ask for is fetched while others are applied.
//
// A command names an entity whose record, and slots of what it has beside its table, may be anywhere in memory. Waiting for those is most of
// what applying commands one by one takes, so a second walk over the queues goes some commands ahead of them. It changes nothing.
// Threads: those of flush.h.
#ifndef ECS_COMMAND_AHEAD_H
#define ECS_COMMAND_AHEAD_H

#include "command/queue.h"
#include "storage/entity_index.h"
#include "storage/sparse_ids.h"

#define ECS__AHEAD 12      /* commands */
#define ECS__AHEAD_HOMES 4 /* of more than these an entity mostly has nothing */

typedef struct ecs__ahead_t {
    ecs__queue_iter_t iter;
    int32_t count; /* so many commands ahead */
} ecs__ahead_t;

// Inlined, as gcc leaves out calls of what does nothing but this.
static inline __attribute__((always_inline)) void ecs__ahead_fetch(
    const ecs__store_t *store, const ecs__cmd_t *cmd) {
    if ((uint32_t)cmd->entity >= store->entities.made) return;
    __builtin_prefetch(ecs__record_of(&store->entities, cmd->entity), 1);
    for (int32_t i = 0; i < ECS_MIN(store->home_count, ECS__AHEAD_HOMES); i++)
        ecs__sparse_fetch(store->homes[i]->sparse, cmd->entity);
}

/** So many commands before `next` are applied now, or were. */
static inline void ecs__ahead_go(
    ecs__ahead_t *ahead, const ecs__store_t *store, const ecs__queue_iter_t *next, int32_t passed) {
    ahead->count -= passed;
    if (ahead->count < 0) *ahead = (ecs__ahead_t){ *next, 0 };
    for (int32_t i = 0; i <= passed && ahead->count < ECS__AHEAD; i++) {
        const ecs__cmd_t *cmd = ecs__queue_next(&ahead->iter);
        if (!cmd) return;
        ecs__ahead_fetch(store, cmd);
        ahead->count++;
    }
}

#endif
