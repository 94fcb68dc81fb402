// SPDX-License-Identifier: MIT
// ctx: contexts of users, and who frees them.
#ifndef ECS_BASE_CTX_H
#define ECS_BASE_CTX_H

#include <muster/ecs/base.h>

/** Free a context, if there is one, and somebody who frees it. */
static inline void ecs__ctx_free(void *ctx, ecs_ctx_free_t ctx_free) {
    if (ctx && ctx_free) ctx_free(ctx);
}

/** An object takes the place of another, which will end: a context of both is freed by the one that stays. */
static inline void ecs__ctx_pass_on(
    const void *ctx, ecs_ctx_free_t *ctx_free, const void *next, ecs_ctx_free_t *next_free) {
    if (ctx != next) return;
    if (!*next_free) *next_free = *ctx_free;
    *ctx_free = NULL;
}

#endif
