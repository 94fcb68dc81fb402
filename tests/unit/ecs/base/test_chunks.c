// SPDX-License-Identifier: MIT
// chunks: what is taken does not overlap, is aligned, and chunks are few.
#include "support/test.h"

#include <string.h>

#include "base/chunks.h"
#include "support/memory.h"

// Far enough for chunks of huge pages.
#define PIECES 20000
#define PIECE ((size_t)320)

static void pieces_keep_their_bytes(void **state) {
    (void)state;
    static unsigned char *pieces[PIECES];
    ecs__chunks_t chunks = { 0 };
    int64_t allocations = memory_calls();
    for (int i = 0; i < PIECES; i++) {
        pieces[i] = ecs__chunks_take(&chunks, PIECE, 64);
        assert_int_equal((uintptr_t)pieces[i] % 64, 0);
        memset(pieces[i], i & 0xFF, PIECE);
    }
    assert_in_range(memory_calls() - allocations, 1, 40);
    assert_in_range(chunks.total, PIECES * PIECE, 2 * PIECES * PIECE);
    for (int i = 0; i < PIECES; i++) {
        for (size_t k = 0; k < PIECE; k++) assert_int_equal(pieces[i][k], i & 0xFF);
    }
    ecs__chunks_fini(&chunks);
    assert_null(chunks.first);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(pieces_keep_their_bytes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
