// SPDX-License-Identifier: MIT
// blocks: they do not overlap, are aligned, packed in the order of taking, and used again.
#include "support/test.h"

#include <string.h>

#include "storage/blocks.h"
#include "support/memory.h"
#include "support/random.h"

#define BLOCKS 300

typedef struct block_t {
    unsigned char *at;
    size_t size;
    unsigned char mark;
} block_t;

// Of all magnitudes, around powers of two now and then.
static size_t random_size(random_t *random) {
    size_t size = (size_t)1 << random_below(random, 18);
    int32_t kind = random_below(random, 3);
    if (!kind) return size;
    return kind == 1 ? size + 1 : size + (size_t)random_below(random, (int32_t)size);
}

static void take(ecs__blocks_t *blocks, random_t *random, block_t *block) {
    block->size = random_size(random);
    block->mark = (unsigned char)random_next(random);
    block->at = ecs__block_take(blocks, block->size);
    bool is_half = block->size <= ECS__BLOCK_HALF;
    assert_int_equal((uintptr_t)block->at % (is_half ? ECS__BLOCK_HALF : ECS__BLOCK_ALIGNMENT), 0);
    memset(block->at, block->mark, block->size);
}

static void give(ecs__blocks_t *blocks, block_t *block) {
    for (size_t i = 0; i < block->size; i++) assert_int_equal(block->at[i], block->mark);
    ecs__block_give(blocks, block->at, block->size);
    block->at = NULL;
}

static void blocks_keep_their_bytes_whatever_is_taken_and_given_back(void **state) {
    (void)state;
    random_t random = random_init(random_seed());
    static block_t all[BLOCKS];
    ecs__blocks_t blocks = { 0 };
    for (int step = 0; step < 20000; step++) {
        block_t *block = &all[random_below(&random, BLOCKS)];
        if (block->at)
            give(&blocks, block);
        else
            take(&blocks, &random, block);
    }
    for (int i = 0; i < BLOCKS; i++) {
        if (all[i].at) give(&blocks, &all[i]);
    }
    ecs__blocks_fini(&blocks);
}

static void small_blocks_lie_behind_each_other(void **state) {
    (void)state;
    ecs__blocks_t blocks = { 0 };
    char *before = ecs__block_take(&blocks, 100);
    for (int i = 0; i < 50; i++) {
        char *block = ecs__block_take(&blocks, i & 1 ? 100 : 128);
        assert_ptr_equal(block, before + 128);
        before = block;
    }
    ecs__blocks_fini(&blocks);
}

static void what_was_given_back_is_used_again_before_more_memory_is(void **state) {
    (void)state;
    ecs__blocks_t blocks = { 0 };
    void *taken[500];
    for (int round = 0; round < 3; round++) {
        int64_t allocations = memory_calls();
        for (int i = 0; i < 500; i++)
            taken[i] = ecs__block_take(&blocks, 64 + 64 * (size_t)(i % 40));
        if (round) assert_int_equal(memory_calls(), allocations);
        for (int i = 499; i >= 0; i--) {
            ecs__block_give(&blocks, taken[i], 64 + 64 * (size_t)(i % 40));
        }
    }
    ecs__blocks_fini(&blocks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_keep_their_bytes_whatever_is_taken_and_given_back),
        cmocka_unit_test(small_blocks_lie_behind_each_other),
        cmocka_unit_test(what_was_given_back_is_used_again_before_more_memory_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
