// SPDX-License-Identifier: MIT
#include "base/pool.h"

#include <string.h>

#include <muster/ecs/os.h>

#define MIN_ALIGN ((ecs_size_t)16)
#define MAX_CHUNK (64 * 1024)

void ecs__pool_init(ecs__pool_t *pool, ecs_size_t size, ecs_size_t align) {
    ecs_os_zeromem(pool);
    pool->align = align > MIN_ALIGN ? align : ECS_SIZEOF(void *);
    pool->size = ECS_ALIGN(ECS_MAX(size, ECS_SIZEOF(void *)), pool->align);
}

void ecs__pool_fini(ecs__pool_t *pool) {
    for (void *chunk = pool->chunks, *next; chunk; chunk = next) {
        next = *(void **)chunk;
        ecs_os_free(chunk);
    }
    ecs_os_zeromem(pool);
}

// A chunk begins with a pointer to the one before it.
static void add_chunk(ecs__pool_t *pool) {
    int32_t capacity = pool->capacity ? pool->capacity * 2 : 1;
    if (pool->capacity && capacity * pool->size > MAX_CHUNK) capacity = pool->capacity;
    ecs_size_t align = ECS_MAX(pool->align, MIN_ALIGN);
    void **chunk = ecs_os_malloc(align * 2 + capacity * pool->size);
    *chunk = pool->chunks;
    pool->chunks = chunk;
    pool->next = (char *)ECS_ALIGN((uintptr_t)(chunk + 1), (uintptr_t)align);
    pool->left = pool->capacity = capacity;
}

void *ecs__pool_take(ecs__pool_t *pool) {
    void *cell = pool->free;
    if (cell) {
        pool->free = *(void **)cell;
    } else {
        if (!pool->left) add_chunk(pool);
        cell = pool->next;
        pool->next += pool->size;
        pool->left--;
    }
    return memset(cell, 0, (size_t)pool->size);
}

void ecs__pool_give(ecs__pool_t *pool, void *cell) {
    *(void **)cell = pool->free;
    pool->free = cell;
}
