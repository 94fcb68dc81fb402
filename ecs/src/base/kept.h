// SPDX-License-Identifier: MIT
// kept: small blocks of the heap that stay for others of their size, so that what comes and goes in each tick asks the heap once.
//
// For lists of some bytes, which blocks of whole cache lines (storage/blocks.h) would make larger, and which go back to the heap when a world
// shrinks. Sizes are rounded up to those that common heaps have anyway. A zeroed ecs__kept_t is valid. One thread.
#ifndef ECS_BASE_KEPT_H
#define ECS_BASE_KEPT_H

#include <muster/ecs/base.h>

/** Blocks of 24 bytes, 40, 56 … are kept; larger ones go back to the heap. */
#define ECS__KEPT_SIZES 64

typedef struct ecs__kept_t {
    void *free[ECS__KEPT_SIZES]; /* chains */
} ecs__kept_t;

/** Uninitialised memory. To be given back with the same size. */
void *ecs__kept_take(ecs__kept_t *kept, size_t size);
/** `block` may be NULL. */
void ecs__kept_give(ecs__kept_t *kept, void *block, size_t size);
/** To another size; what fits stays. */
void *ecs__kept_resize(ecs__kept_t *kept, void *block, size_t from, size_t to);
/** Give what nobody uses to the heap. */
void ecs__kept_free(ecs__kept_t *kept);

#endif
