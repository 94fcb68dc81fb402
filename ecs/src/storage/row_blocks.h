// SPDX-License-Identifier: MIT
// row_blocks: memory for the rows of tables.
//
// Blocks of small tables lie packed behind each other, in the order in which they were taken, so that a query over many small tables
// reads neighbouring memory, and few pages: as the world grows they are cut from chunks that fit huge pages. Larger blocks come
// from the heap. Freed small blocks are kept for others of their size until the store ends. A zeroed ecs__row_blocks_t is valid.
// Threads: main thread.
#ifndef ECS_STORAGE_ROW_BLOCKS_H
#define ECS_STORAGE_ROW_BLOCKS_H

#include <muster/ecs/base.h>

/** Blocks begin at a multiple of this, and so should each array in them. */
#define ECS__ROW_ALIGNMENT ((size_t)64)
/** Blocks up to this size are packed. */
#define ECS__ROW_BLOCK_PACKED ((size_t)64 << 10)
#define ECS__ROW_BLOCK_CLASSES 64

typedef struct ecs__row_blocks_t {
    void *free[ECS__ROW_BLOCK_CLASSES]; /* chains of freed blocks, by size */
    void *chunks;                       /* chain; the first is being cut up */
    char *next, *end;                   /* what is left of it */
    size_t total;                       /* bytes of all chunks */
} ecs__row_blocks_t;

/** Uninitialised memory. To be given back with the same size. */
void *ecs__row_block_take(ecs__row_blocks_t *blocks, size_t size);
/** `block` may be NULL. */
void ecs__row_block_give(ecs__row_blocks_t *blocks, void *block, size_t size);
/** Free the chunks. Larger blocks must have been given back. */
void ecs__row_blocks_fini(ecs__row_blocks_t *blocks);

#endif
