// SPDX-License-Identifier: MIT
// pool: cells of one size that stay where they are.
//
// Freed cells are used again first, so that a steady state allocates nothing. One thread.
#ifndef ECS_BASE_POOL_H
#define ECS_BASE_POOL_H

#include "base/chunks.h"

typedef struct ecs__pool_t {
    void *free; /* chain of freed cells */
    ecs__chunks_t chunks;
    ecs_size_t size;  /* of a cell: a multiple of the alignment, at least a pointer */
    ecs_size_t align; /* power of two */
} ecs__pool_t;

/** Prepare for cells of `size` bytes. */
void ecs__pool_init(ecs__pool_t *pool, ecs_size_t size, ecs_size_t align);
/** Release all cells. */
void ecs__pool_fini(ecs__pool_t *pool);
/** A zeroed cell. */
void *ecs__pool_take(ecs__pool_t *pool);
void ecs__pool_give(ecs__pool_t *pool, void *cell);

#endif
