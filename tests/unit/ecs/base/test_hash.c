// SPDX-License-Identifier: MIT
// hash: fixed values, dependence on every bit, distribution.
#include "support/test.h"
#include "base/hash.h"

static void hash_depends_on_bytes_size_and_seed_alone(void **state) {
    (void)state;
    char at[64 + 8];
    for (size_t size = 0; size < 48; size++) {
        uint64_t expected = 0;
        for (size_t offset = 0; offset < 8; offset++) { /* not on the address */
            memset(at, (int)offset, sizeof(at));
            for (size_t i = 0; i < size; i++) {
                at[offset + i] = (char)(i * 7);
            }
            uint64_t hash = ecs__hash_bytes(at + offset, size, 1);
            expected = offset ? expected : hash;
            assert_int_equal(hash, expected);
        }
        assert_int_not_equal(expected, ecs__hash_bytes(at + 7, size, 2));
        assert_int_not_equal(expected, ecs__hash_bytes(at + 7, size + 1, 1));
    }
}

static void hash_is_the_same_on_every_machine(void **state) {
    (void)state;
    assert_int_equal(ecs__hash_bytes("Position", 8, 0), 0x03FAB9C52C8DEC11ull);
    assert_int_equal(
        ecs__hash_bytes("a name of more than sixteen bytes", 33, 7), 0xA1397996E9C759F6ull);
    assert_int_equal(ecs__hash_u64(1), 0x4179B061E0C0E0D0ull);
}

static void hash_flips_half_of_the_bits_when_one_bit_changes(void **state) {
    (void)state;
    for (size_t size = 1; size <= 40; size++) {
        unsigned char data[40] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };
        uint64_t hash = ecs__hash_bytes(data, size, 0);
        int flips = 0;
        for (size_t bit = 0; bit < size * 8; bit++) {
            data[bit / 8] ^= (unsigned char)(1u << (bit % 8));
            int changed = __builtin_popcountll(hash ^ ecs__hash_bytes(data, size, 0));
            assert_true(changed > 8);
            flips += changed;
            data[bit / 8] ^= (unsigned char)(1u << (bit % 8));
        }
        int average = flips / (int)(size * 8);
        assert_in_range(average, 28, 36);
    }
}

// Counts per bucket of sequential keys must look random: chi-squared of 1023 degrees is below 1250
// with a probability of more than 0.99999.
static void check_buckets(uint64_t (*hash)(uint64_t), int shift) {
    static int buckets[1024];
    memset(buckets, 0, sizeof(buckets));
    for (uint64_t i = 0; i < 64 * 1024; i++) {
        buckets[(hash(i) >> shift) & 1023]++;
    }
    double chi = 0;
    for (int i = 0; i < 1024; i++) {
        chi += (buckets[i] - 64.0) * (buckets[i] - 64.0) / 64.0;
    }
    assert_true(chi < 1250);
}

static uint64_t hash_one_word(uint64_t i) { return ecs__hash_bytes(&i, sizeof(i), 0); }

static uint64_t hash_two_words(uint64_t i) {
    uint64_t words[3] = { i & 255, i >> 8, 3 };
    return ecs__hash_bytes(words, sizeof(words), 0);
}

static uint64_t mix(uint64_t i) { return ecs__hash_u64(i); }

static void hash_distributes_sequential_keys(void **state) {
    (void)state;
    check_buckets(hash_one_word, 54);
    check_buckets(hash_one_word, 0);
    check_buckets(hash_two_words, 54);
    check_buckets(hash_two_words, 0);
    check_buckets(mix, 54);
    check_buckets(mix, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_depends_on_bytes_size_and_seed_alone),
        cmocka_unit_test(hash_is_the_same_on_every_machine),
        cmocka_unit_test(hash_flips_half_of_the_bits_when_one_bit_changes),
        cmocka_unit_test(hash_distributes_sequential_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
