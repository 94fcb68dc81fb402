// SPDX-License-Identifier: MIT
// bitset: random operations against an array of bytes.
#include "support/test.h"
#include "base/bitset.h"
#include "base/hash.h"

#define BITS 500

static uint64_t random_state;

static uint64_t next_random(void) { return ecs__hash_u64(++random_state); }

static void check(const ecs__bitset_t *bits, const bool *model, int32_t count) {
    assert_int_equal(bits->count, count);
    int32_t next_set = -1;
    for (int32_t i = count - 1; i >= 0; i--) {
        assert_int_equal(ecs__bitset_get(bits, i), model[i]);
        next_set = model[i] ? i : next_set;
        assert_int_equal(ecs__bitset_next(bits, i), next_set);
    }
    assert_int_equal(ecs__bitset_next(bits, count), -1);
}

static void bitset_behaves_like_an_array_under_random_operations(void **state) {
    (void)state;
    random_state = 5;
    ecs__bitset_t bits = { 0 };
    bool model[BITS] = { false };
    int32_t count = 0;
    for (int step = 0; step < 20000; step++) {
        int32_t a = count ? (int32_t)(next_random() % (uint64_t)count) : 0;
        uint64_t action = next_random() % 8;
        if (action == 0 || !count) {
            int32_t size = (int32_t)(next_random() % BITS);
            if (size >= count) {
                ecs__bitset_ensure(&bits, size);
            } else {
                ecs__bitset_resize(&bits, size);
                memset(model + size, 0, sizeof(bool) * (size_t)(count - size));
            }
            count = size;
        } else if (action < 6) {
            ecs__bitset_set(&bits, a);
            model[a] = true;
        } else {
            ecs__bitset_put(&bits, a, false);
            model[a] = false;
        }
        if (step % 20 == 0) {
            check(&bits, model, count);
        }
    }
    ecs__bitset_fini(&bits);
}

static void bitset_zeroed_is_valid_and_empty(void **state) {
    (void)state;
    ecs__bitset_t bits = { 0 };
    assert_int_equal(ecs__bitset_next(&bits, 0), -1);
    assert_false(ecs__bitset_get(&bits, 100));
    ecs__bitset_resize(&bits, 0);
    ecs__bitset_fini(&bits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bitset_behaves_like_an_array_under_random_operations),
        cmocka_unit_test(bitset_zeroed_is_valid_and_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
