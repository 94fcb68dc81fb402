// SPDX-License-Identifier: MIT
#include "storage/blocks.h"

#include <muster/ecs/os.h>

#include "base/assert.h"
#include "base/hide.h"
#include "base/os_posix.h"

#define FIRST_CHUNK ((size_t)16 << 10)
#define LAST_LENT ((size_t)256 << 10)

// ---- sizes ----

// Multiples of 64 bytes up to 16 of them, then eight sizes from one power of two to the next.
static size_t step_of(size_t lines) {
    return lines <= 16 ? 1 : (size_t)1 << (60 - __builtin_clzll(lines - 1));
}

static size_t class_bytes(size_t size) {
    size_t lines = (size + ECS__BLOCK_ALIGNMENT - 1) / ECS__BLOCK_ALIGNMENT;
    return ECS_ALIGN(lines, step_of(lines)) * ECS__BLOCK_ALIGNMENT;
}

static size_t class_of(size_t bytes) {
    size_t lines = bytes / ECS__BLOCK_ALIGNMENT;
    if (lines <= 16) return lines - 1;
    size_t octave = (size_t)(59 - __builtin_clzll(lines - 1)); // 17 … 32 lines: 0
    return 8 + octave * 8 + (lines - 1) / step_of(lines);
}

// ---- large blocks ----

// In front of a block that is aligned by hand is where it really begins. The heap knows no more than 2 GiB.
static void *take_large(size_t size) {
    size_t total = size + ECS__BLOCK_ALIGNMENT + sizeof(void *);
    if (size > ECS__BLOCK_MOST) ecs_os_out_of_memory_((ecs_size_t)ECS_MIN(total, UINT32_MAX));
    char *base = ecs_os_malloc((ecs_size_t)total);
    ecs__os_advise_huge(base, total);
    char *block = (char *)ECS_ALIGN((uintptr_t)base + sizeof(void *), ECS__BLOCK_ALIGNMENT);
    ((void **)(void *)block)[-1] = base;
    return block;
}

// Tables outgrow large blocks; the heap would keep their pages, and whoever gets them may need few of them.
static void give_large(void *block, size_t size) {
    ecs__os_drop_huge(block, size);
    ecs_os_free(((void **)block)[-1]);
}

// ---- chunks ----

static void put(ecs__blocks_t *blocks, void *block, size_t bytes) {
    void **chain = &blocks->free[class_of(bytes)];
    *(void **)block = *chain;
    *chain = block;
    ECS__HIDE(block, bytes);
}

static void give_half(ecs__blocks_t *blocks, void *half) {
    *(void **)half = blocks->halves;
    blocks->halves = half;
    ECS__HIDE(half, ECS__BLOCK_HALF);
}

// What is left of a chunk is cut into blocks that may be wanted later.
static void use_up(ecs__blocks_t *blocks) {
    ecs__chunks_t *chunks = &blocks->chunks;
    while (chunks->next < chunks->end) {
        size_t lines = (size_t)(chunks->end - chunks->next) / ECS__BLOCK_ALIGNMENT;
        size_t bytes = lines / step_of(lines) * step_of(lines) * ECS__BLOCK_ALIGNMENT;
        ECS__SHOW(chunks->next, bytes);
        put(blocks, chunks->next, bytes);
        chunks->next += bytes;
    }
}

// Each is a part of what there is already, so that blocks that follow each other mostly lie so.
static bool borrow_chunk(ecs__blocks_t *blocks, size_t least) {
    ecs__chunks_t *chunks = &blocks->chunks;
    size_t size = ECS_MAX(least, ECS_MIN(chunks->total / 4, LAST_LENT));
    size = ECS_ALIGN(size, ECS__BLOCK_ALIGNMENT);
    char *lent = blocks->source ? blocks->source(blocks->source_ctx, size) : NULL;
    if (!lent) return false;
    blocks->lent = blocks->lent ? ECS_MIN(blocks->lent, lent) : lent;
    blocks->lent_end = ECS_MAX(blocks->lent_end, lent + size);
    chunks->next = lent;
    chunks->end = lent + size;
    chunks->total += size;
    return true;
}

static void add_chunk(ecs__blocks_t *blocks, size_t least) {
    use_up(blocks);
    least = ECS_MAX(least, FIRST_CHUNK);
    if (!borrow_chunk(blocks, least)) ecs__chunks_add(&blocks->chunks, least, ECS__BLOCK_ALIGNMENT);
    ECS__HIDE(blocks->chunks.next, (size_t)(blocks->chunks.end - blocks->chunks.next));
}

// ---- blocks ----

// Both halves of a block of one line are taken one after the other.
static void *take_half(ecs__blocks_t *blocks) {
    char *half = blocks->halves;
    if (half) {
        ECS__SHOW(half, ECS__BLOCK_HALF);
        blocks->halves = *(void **)(void *)half;
        return half;
    }
    half = ecs__block_take(blocks, ECS__BLOCK_ALIGNMENT);
    give_half(blocks, half + ECS__BLOCK_HALF);
    return half;
}

void *ecs__block_take(ecs__blocks_t *blocks, size_t size) {
    if (size > ECS__BLOCK_PACKED) return take_large(size);
    if (size <= ECS__BLOCK_HALF) return take_half(blocks);
    size_t bytes = class_bytes(size);
    void **chain = &blocks->free[class_of(bytes)], *block = *chain;
    if (block) {
        ECS__SHOW(block, bytes);
        *chain = *(void **)block;
        return block;
    }
    if ((size_t)(blocks->chunks.end - blocks->chunks.next) < bytes) add_chunk(blocks, bytes);
    block = ecs__chunks_take(&blocks->chunks, bytes, ECS__BLOCK_ALIGNMENT);
    ECS__SHOW(block, bytes);
    return block;
}

void ecs__block_give(ecs__blocks_t *blocks, void *block, size_t size) {
    if (!block) return;
    if (size > ECS__BLOCK_PACKED)
        give_large(block, size);
    else if (size <= ECS__BLOCK_HALF)
        give_half(blocks, block);
    else
        put(blocks, block, class_bytes(size));
}

void ecs__blocks_fini(ecs__blocks_t *blocks) {
    ECS__SHOW(blocks->lent, (size_t)(blocks->lent_end - blocks->lent));
    ecs__chunks_fini(&blocks->chunks);
    ecs_os_zeromem(blocks);
}
