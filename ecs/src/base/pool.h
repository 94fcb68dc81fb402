// SPDX-License-Identifier: MIT
// pool: cells of one size that stay where they are.
//
// Chunks double in size, so that memory is proportional to the cells used at once; freed cells are used again first, so that a
// steady state allocates nothing. A zeroed pool with `size` set is valid. One thread.
#ifndef ECS_BASE_POOL_H
#define ECS_BASE_POOL_H

#include <muster/ecs/base.h>

typedef struct ecs__pool_t {
    void *free;       /* chain of freed cells */
    void *chunks;     /* chain of chunks; the first is being filled */
    ecs_size_t size;  /* of a cell: a multiple of the alignment, at least a pointer */
    ecs_size_t align; /* power of two */
    int32_t left;     /* cells of the first chunk never used */
    int32_t capacity; /* cells of the first chunk */
    char *next;       /* first of them */
} ecs__pool_t;

/** Prepare for cells of `size` bytes. */
void ecs__pool_init(ecs__pool_t *pool, ecs_size_t size, ecs_size_t align);
/** Release all cells. */
void ecs__pool_fini(ecs__pool_t *pool);
/** A zeroed cell. */
void *ecs__pool_take(ecs__pool_t *pool);
void ecs__pool_give(ecs__pool_t *pool, void *cell);

#endif
