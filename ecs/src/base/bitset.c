// SPDX-License-Identifier: MIT
// bitset: growable array of bits; see bitset.h for the contract.
#include "base/bitset.h"

static int32_t word_count(int32_t bits) { return (int32_t)(((int64_t)bits + 63) >> 6); }

void ecs__bitset_fini(ecs__bitset_t *bits) {
    ecs_os_free(bits->words);
    *bits = (ecs__bitset_t){ .words = NULL };
}

void ecs__bitset_ensure(ecs__bitset_t *bits, int32_t count) {
    if (count > bits->count) {
        ecs__bitset_resize(bits, count);
    }
}

void ecs__bitset_resize(ecs__bitset_t *bits, int32_t count) {
    int32_t words = word_count(count);
    if (words > bits->capacity) {
        int32_t capacity = ECS_MAX(words, bits->capacity * 2);
        bits->words = ecs_os_realloc_n(bits->words, uint64_t, capacity);
        ecs_os_memset_n(bits->words + bits->capacity, 0, uint64_t, capacity - bits->capacity);
        bits->capacity = capacity;
    }
    if (count < bits->count) { /* keep what is behind the end clear */
        int32_t old_words = word_count(bits->count);
        ecs_os_memset_n(bits->words + words, 0, uint64_t, old_words - words);
        if (count & 63) {
            bits->words[words - 1] &= (1ull << (count & 63)) - 1;
        }
    }
    bits->count = count;
}

int32_t ecs__bitset_next(const ecs__bitset_t *bits, int32_t from) {
    if (from >= bits->count) return -1;
    int32_t i = from >> 6, words = word_count(bits->count);
    uint64_t word = bits->words[i] & (~0ull << (from & 63));
    while (!word) {
        if (++i == words) return -1;
        word = bits->words[i];
    }
    return i * 64 + __builtin_ctzll(word);
}
