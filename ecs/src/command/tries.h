// SPDX-License-Identifier: MIT
// tries: when to look whether many commands can be applied at once.
//
// To look takes time, and where it was of no use it is mostly of no use with what comes next there: some occasions are left out then, each
// time twice as many.
#ifndef ECS_COMMAND_TRIES_H
#define ECS_COMMAND_TRIES_H

#include <muster/ecs/base.h>

/** Fewer commands are applied one by one just as fast. */
#define ECS__TRIES_FEWEST 64
#define ECS__TRIES_LONGEST_PAUSE 64

typedef struct ecs__tries_t {
    int32_t rest;  /* occasions before the next attempt, */
    int32_t pause; /* and how many there were before that */
} ecs__tries_t;

/** True if this occasion is left out. */
static inline bool ecs__tries_wait(ecs__tries_t *tries) {
    if (!tries->rest) return false;
    tries->rest--;
    return true;
}

static inline void ecs__tries_pause(ecs__tries_t *tries, int32_t shortest, int32_t longest) {
    tries->rest = tries->pause = ECS_MIN(ECS_MAX(2 * tries->pause, shortest), longest);
}

/** Of a flush. */
static inline void ecs__tries_tell(ecs__tries_t *tries, bool was_of_use) {
    if (was_of_use)
        *tries = (ecs__tries_t){ 0 };
    else
        ecs__tries_pause(tries, 1, ECS__TRIES_LONGEST_PAUSE);
}

#endif
