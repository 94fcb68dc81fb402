// SPDX-License-Identifier: MIT
#include "base/pool.h"

#include <string.h>

#include <muster/ecs/os.h>

#define MIN_ALIGN ((ecs_size_t)16)

void ecs__pool_init(ecs__pool_t *pool, ecs_size_t size, ecs_size_t align) {
    ecs_os_zeromem(pool);
    pool->align = align > MIN_ALIGN ? align : ECS_SIZEOF(void *);
    pool->size = ECS_ALIGN(ECS_MAX(size, ECS_SIZEOF(void *)), pool->align);
}

void ecs__pool_fini(ecs__pool_t *pool) {
    ecs__chunks_fini(&pool->chunks);
    ecs_os_zeromem(pool);
}

void *ecs__pool_take(ecs__pool_t *pool) {
    void *cell = pool->free;
    size_t size = (size_t)pool->size, align = (size_t)ECS_MAX(pool->align, MIN_ALIGN);
    if (cell)
        pool->free = *(void **)cell;
    else
        cell = ecs__chunks_take(&pool->chunks, size, align);
    return memset(cell, 0, size);
}

void ecs__pool_give(ecs__pool_t *pool, void *cell) {
    *(void **)cell = pool->free;
    pool->free = cell;
}
