// SPDX-License-Identifier: MIT
// blocks: memory for tables and for their rows, in blocks of any size.
//
// Small blocks lie packed behind each other, in the order in which they were taken, so that a query over many small tables
// reads neighbouring memory, and few pages. They come from a source, as long as that has something, or from the heap, as larger blocks do. Freed small blocks are kept for others of their size until the store ends. A zeroed ecs__blocks_t is valid.
// Threads: main thread.
#ifndef ECS_STORAGE_BLOCKS_H
#define ECS_STORAGE_BLOCKS_H

#include "base/chunks.h"

/** Blocks begin at a multiple of this, and so should each array in them; */
#define ECS__BLOCK_ALIGNMENT ((size_t)64)
/** but those of this size or less at a multiple of this. */
#define ECS__BLOCK_HALF ((size_t)32)
/** Blocks up to this size are packed. */
#define ECS__BLOCK_PACKED ((size_t)64 << 10)
#define ECS__BLOCK_CLASSES 64
/** No block is larger. */
#define ECS__BLOCK_MOST ((size_t)INT32_MAX - ECS__BLOCK_ALIGNMENT - sizeof(void *))

typedef struct ecs__blocks_t {
    void *free[ECS__BLOCK_CLASSES]; /* chains of freed blocks, by size, */
    void *halves;                   /* and of half a line */
    ecs__chunks_t chunks;
    void *(*source)(void *ctx, size_t size); /* lends memory for the life of the blocks; or NULL */
    void *source_ctx;
    char *lent, *lent_end; /* what it lent lies between */
} ecs__blocks_t;

/** Uninitialised memory. To be given back with the same size. */
void *ecs__block_take(ecs__blocks_t *blocks, size_t size);
/** `block` may be NULL. */
void ecs__block_give(ecs__blocks_t *blocks, void *block, size_t size);
/** Free the chunks. Larger blocks must have been given back. */
void ecs__blocks_fini(ecs__blocks_t *blocks);

#endif
