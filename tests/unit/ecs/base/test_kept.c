// SPDX-License-Identifier: MIT
// kept: blocks of one size are used again, whatever sizes come between; what is resized keeps its bytes.
#include "support/test.h"

#include <string.h>

#include "base/kept.h"
#include "support/memory.h"

enum { MOST = 2000 }; /* larger than what is kept */

static void blocks_are_used_again(void **state) {
    (void)state;
    ecs__kept_t kept = { 0 };
    const int64_t live = memory_live();
    void *blocks[1000];
    for (int round = 0; round < 2; round++) {
        const int64_t calls = memory_calls();
        for (int size = 1; size < 1000; size++)
            memset(blocks[size] = ecs__kept_take(&kept, (size_t)size), size, (size_t)size);
        if (round) assert_int_equal(memory_calls(), calls);
        for (int size = 1; size < 1000; size++) ecs__kept_give(&kept, blocks[size], (size_t)size);
    }
    ecs__kept_give(&kept, ecs__kept_take(&kept, MOST), MOST);
    ecs__kept_give(&kept, NULL, 10);
    ecs__kept_free(&kept);
    assert_int_equal(memory_live(), live);
}

static void resized_blocks_keep_their_bytes(void **state) {
    (void)state;
    static const size_t sizes[] = { 1, 24, 25, 200, 1032, 1033, MOST, 3 * MOST, 100, 7 };
    ecs__kept_t kept = { 0 };
    const int64_t live = memory_live();
    unsigned char *block = NULL;
    for (size_t i = 0, from = 0; i < sizeof sizes / sizeof *sizes; i++) {
        block = ecs__kept_resize(&kept, block, from, sizes[i]);
        for (size_t k = 0; k < from && k < sizes[i]; k++) assert_int_equal(block[k], k & 0xFF);
        for (size_t k = 0; k < sizes[i]; k++) block[k] = k & 0xFF;
        from = sizes[i];
    }
    ecs__kept_give(&kept, block, 7);
    ecs__kept_free(&kept);
    assert_int_equal(memory_live(), live);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_used_again),
        cmocka_unit_test(resized_blocks_keep_their_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
