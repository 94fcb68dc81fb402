// SPDX-License-Identifier: MIT
// sort_key: finds the number in a component by which a callback compares, and sorts row numbers by it.
//
// A candidate is a place in the component and a way to read a number there, or the entity. Numbers become unsigned ones of the same
// order; a radix sort of pairs {32 leading bits of their range, row} and an insertion sort of those that agree in these bits follow. If
// the guess is wrong, the caller finds out (sort_rows.c).
#include <string.h>

#include "base/apart.h"
#include "query/cache/sort_rows.h"

#define PAIRS 48           /* of rows that a candidate has to get right */
#define BYTES_LOOKED_AT 64 /* of a component */
// Few enough for the lines that a pass writes to to stay in the nearest cache.
#define DIGIT_BITS 8
#define DIGITS (1 << DIGIT_BITS)
#define PASSES (32 / DIGIT_BITS)

typedef enum kind_t { INT32, UINT32, FLOAT32, INT64, UINT64, FLOAT64, KIND_COUNT } kind_t;

typedef struct ecs__key_t {
    const char *numbers; /* of row 0 */
    size_t stride;
    bool is_wide;    /* 64 bits, not 32 */
    bool descending; /* smaller numbers come later */
    uint64_t sign;   /* bit of it, which is flipped; 0: unsigned */
    uint64_t rest;   /* bits that are flipped below zero: floats are sign and magnitude */
} ecs__key_t;

// ---- numbers ----

static ecs__key_t key_at(const ecs__sorter_t *sorter, size_t offset, kind_t kind) {
    ecs__key_t key = {
        .numbers = sorter->data + offset, .stride = sorter->size, .is_wide = kind >= INT64
    };
    if (kind != UINT32 && kind != UINT64) key.sign = key.is_wide ? 1ull << 63 : 1u << 31;
    if (kind == FLOAT32 || kind == FLOAT64) key.rest = key.sign - 1;
    return key;
}

static inline uint64_t read_number(const ecs__key_t *key, int32_t row) {
    const char *at = key->numbers + key->stride * (size_t)row;
    uint32_t half;
    uint64_t whole;
    if (key->is_wide) {
        memcpy(&whole, at, sizeof whole);
    } else {
        memcpy(&half, at, sizeof half);
        whole = half;
    }
    return whole ^ key->sign ^ (whole & key->sign ? key->rest : 0);
}

// Where few are read.
static ECS__APART uint64_t number_at(const ecs__key_t *key, int32_t row) {
    return read_number(key, row);
}

// ---- guessing ----

typedef struct pair_t {
    int32_t a, b, sign;
} pair_t;

static int32_t sign_of(int64_t value) { return (value > 0) - (value < 0); }

// Rows spread over the list, each with one half a list away.
static void choose_pairs(
    const ecs__sorter_t *sorter, const int32_t *rows, int32_t count, pair_t *pairs) {
    for (int32_t i = 0; i < PAIRS; i++) {
        int32_t at = (int32_t)((int64_t)count * i / PAIRS);
        int32_t a = rows[at], b = rows[(at + count / 2) % count];
        pairs[i] = (pair_t){ a, b, sign_of(ecs__compare_rows(sorter, a, b)) };
    }
}

static bool explains(const ecs__key_t *key, const pair_t *pairs) {
    for (int32_t i = 0; i < PAIRS; i++) {
        uint64_t a = number_at(key, pairs[i].a), b = number_at(key, pairs[i].b);
        int32_t sign = (a > b) - (a < b);
        if ((key->descending ? -sign : sign) != pairs[i].sign) return false;
    }
    return true;
}

static bool try_key(ecs__key_t *key, const pair_t *pairs) {
    if (explains(key, pairs)) return true;
    key->descending = true;
    return explains(key, pairs);
}

static ECS__APART bool guess(
    const ecs__sorter_t *sorter, const int32_t *rows, int32_t count, ecs__key_t *key) {
    pair_t pairs[PAIRS];
    choose_pairs(sorter, rows, count, pairs);
    size_t size = ECS_MIN(sorter->data ? sorter->size : 0, BYTES_LOOKED_AT);
    for (size_t offset = 0; offset + 4 <= size; offset += 4) {
        for (kind_t kind = INT32; kind < KIND_COUNT; kind++) {
            size_t bytes = kind < INT64 ? 4 : 8;
            if (offset % bytes || offset + bytes > size) continue;
            *key = key_at(sorter, offset, kind);
            if (try_key(key, pairs)) return true;
        }
    }
    *key = (ecs__key_t){
        .numbers = (const char *)sorter->entities, .stride = sizeof(ecs_entity_t), .is_wide = true
    };
    return try_key(key, pairs);
}

// ---- sorting ----

/** Where pairs of each digit go, for each pass of a radix sort. */
typedef int32_t starts_t[PASSES][DIGITS];

static inline uint32_t digit_of(uint64_t pair, int pass) {
    return (uint32_t)(pair >> (32 + pass * DIGIT_BITS)) & (DIGITS - 1);
}

// Pairs of leading bits and row, in one word; digits are counted. Returns how many bits numbers differ in.
static int fill_pairs(
    const ecs__key_t *key, const int32_t *rows, uint64_t *pairs, int32_t count, starts_t counts) {
    uint64_t least = UINT64_MAX, most = 0;
    for (int32_t i = 0; i < count; i++) {
        uint64_t number = read_number(key, rows[i]);
        pairs[i] = number;
        least = ECS_MIN(least, number);
        most = ECS_MAX(most, number);
    }
    uint64_t range = most - least;
    int bits = range ? 64 - __builtin_clzll(range) : 0, shift = ECS_MAX(bits - 32, 0);
    for (int32_t i = 0; i < count; i++) {
        uint64_t number = key->descending ? most - pairs[i] : pairs[i] - least;
        pairs[i] = number >> shift << 32 | (uint32_t)rows[i];
        for (int pass = 0; pass < PASSES; pass++) counts[pass][digit_of(pairs[i], pass)]++;
    }
    return bits;
}

// One pass of a radix sort. `starts` counts pairs before.
static void sort_by_digit(
    const uint64_t *from, uint64_t *to, int32_t count, int pass, int32_t *starts) {
    int32_t start = 0;
    for (int32_t d = 0; d < DIGITS; d++) {
        int32_t of_digit = starts[d];
        starts[d] = start;
        start += of_digit;
    }
    for (int32_t i = 0; i < count; i++) to[starts[digit_of(from[i], pass)]++] = from[i];
}

// Pairs that agree in the leading bits are neighbours now: the rest of the number decides. False if there are too many.
static bool finish_pairs(const ecs__key_t *key, uint64_t *pairs, int32_t count) {
    int64_t budget = 4 * (int64_t)count;
    for (int32_t i = 1; i < count; i++) {
        if (pairs[i] >> 32 != pairs[i - 1] >> 32) continue;
        uint64_t pair = pairs[i], number = number_at(key, (int32_t)(uint32_t)pair);
        int32_t at = i;
        for (; at && pairs[at - 1] >> 32 == pair >> 32; at--) {
            uint64_t other = number_at(key, (int32_t)(uint32_t)pairs[at - 1]);
            if (key->descending ? other >= number : other <= number) break;
            pairs[at] = pairs[at - 1];
            if (!--budget) return false;
        }
        pairs[at] = pair;
    }
    return true;
}

bool ecs__sort_by_key(ecs__sorter_t *sorter, int32_t *rows, int32_t count) {
    ecs__key_t key;
    if (count < 2 * PAIRS || !guess(sorter, rows, count, &key)) return false;
    uint64_t *from = ecs__scratch_ensure(&sorter->more, 2 * (size_t)count * sizeof(uint64_t));
    uint64_t *to = from + count;
    starts_t starts = { 0 };
    int bits = fill_pairs(&key, rows, from, count, starts);
    for (int pass = 0; pass < PASSES && pass * DIGIT_BITS < bits; pass++) {
        sort_by_digit(from, to, count, pass, starts[pass]);
        uint64_t *sorted = to;
        to = from;
        from = sorted;
    }
    if (bits > 32 && !finish_pairs(&key, from, count)) return false;
    for (int32_t i = 0; i < count; i++) rows[i] = (int32_t)(uint32_t)from[i];
    return true;
}
