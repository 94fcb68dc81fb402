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
#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)
#define AHEAD 32 /* pairs whose lines are asked for */

typedef enum kind_t { INT32, UINT32, FLOAT32, INT64, UINT64, FLOAT64, ENTITY, KIND_COUNT } kind_t;

typedef struct ecs__key_t {
    kind_t kind;
    size_t offset;
    bool descending;
} ecs__key_t;

// ---- numbers ----

// Floats compare like integers of sign and magnitude.
static uint64_t of_float(uint64_t bits, int width) {
    uint64_t sign = 1ull << (width - 1), all = sign | (sign - 1);
    return bits & sign ? ~bits & all : bits | sign;
}

static inline uint64_t read_number(
    const ecs__sorter_t *sorter, const ecs__key_t *key, int32_t row) {
    if (key->kind == ENTITY) return sorter->entities[row];
    const char *at = sorter->data + sorter->size * (size_t)row + key->offset;
    uint32_t half = 0;
    uint64_t whole = 0;
    if (key->kind < INT64)
        memcpy(&half, at, sizeof half);
    else
        memcpy(&whole, at, sizeof whole);
    switch (key->kind) {
    case INT32: return half ^ 0x80000000u;
    case FLOAT32: return of_float(half, 32);
    case INT64: return whole ^ 1ull << 63;
    case FLOAT64: return of_float(whole, 64);
    case UINT64: return whole;
    default: return half;
    }
}

// Where few are read.
static ECS__APART uint64_t number_at(
    const ecs__sorter_t *sorter, const ecs__key_t *key, int32_t row) {
    return read_number(sorter, key, row);
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

static bool explains(const ecs__sorter_t *sorter, const ecs__key_t *key, const pair_t *pairs) {
    for (int32_t i = 0; i < PAIRS; i++) {
        uint64_t a = number_at(sorter, key, pairs[i].a), b = number_at(sorter, key, pairs[i].b);
        int32_t sign = (a > b) - (a < b);
        if ((key->descending ? -sign : sign) != pairs[i].sign) return false;
    }
    return true;
}

static bool try_key(const ecs__sorter_t *sorter, ecs__key_t *key, const pair_t *pairs) {
    key->descending = false;
    if (explains(sorter, key, pairs)) return true;
    key->descending = true;
    return explains(sorter, key, pairs);
}

static ECS__APART bool guess(
    const ecs__sorter_t *sorter, const int32_t *rows, int32_t count, ecs__key_t *key) {
    pair_t pairs[PAIRS];
    choose_pairs(sorter, rows, count, pairs);
    size_t size = ECS_MIN(sorter->data ? sorter->size : 0, BYTES_LOOKED_AT);
    for (key->offset = 0; key->offset + 4 <= size; key->offset += 4) {
        for (key->kind = INT32; key->kind < ENTITY; key->kind++) {
            size_t bytes = key->kind < INT64 ? 4 : 8;
            if (key->offset % bytes || key->offset + bytes > size) continue;
            if (try_key(sorter, key, pairs)) return true;
        }
    }
    key->kind = ENTITY;
    return try_key(sorter, key, pairs);
}

// ---- sorting ----

// Pairs of leading bits and row, in one word. Returns how many bits numbers differ in.
static int fill_pairs(const ecs__sorter_t *sorter, const ecs__key_t *key, const int32_t *rows,
    uint64_t *pairs, int32_t count) {
    uint64_t least = UINT64_MAX, most = 0;
    for (int32_t i = 0; i < count; i++) {
        uint64_t number = read_number(sorter, key, rows[i]);
        pairs[i] = number;
        least = ECS_MIN(least, number);
        most = ECS_MAX(most, number);
    }
    uint64_t range = most - least;
    int bits = range ? 64 - __builtin_clzll(range) : 0, shift = ECS_MAX(bits - 32, 0);
    for (int32_t i = 0; i < count; i++) {
        uint64_t number = key->descending ? most - pairs[i] : pairs[i] - least;
        pairs[i] = number >> shift << 32 | (uint32_t)rows[i];
    }
    return bits;
}

static inline uint32_t digit_of(uint64_t pair, int shift) {
    return (uint32_t)(pair >> shift) & (DIGITS - 1);
}

// One pass of a radix sort by the digit at `shift`. Stores to lines that are not in cache wait for each other, so these are asked for
// before: a later pair goes to where it would go now, or a little behind.
static void sort_by_digit(const uint64_t *from, uint64_t *to, int32_t count, int shift) {
    int32_t starts[DIGITS] = { 0 };
    for (int32_t i = 0; i < count; i++) starts[digit_of(from[i], shift)]++;
    int32_t start = 0;
    for (int32_t d = 0; d < DIGITS; d++) {
        int32_t of_digit = starts[d];
        starts[d] = start;
        start += of_digit;
    }
    for (int32_t i = 0; i < count; i++) {
        uint64_t later = from[ECS_MIN(i + AHEAD, count - 1)];
        __builtin_prefetch(&to[starts[digit_of(later, shift)]], 1);
        to[starts[digit_of(from[i], shift)]++] = from[i];
    }
}

// Pairs that agree in the leading bits are neighbours now: the rest of the number decides. False if there are too many.
static bool finish_pairs(
    const ecs__sorter_t *sorter, const ecs__key_t *key, uint64_t *pairs, int32_t count) {
    int64_t budget = 4 * (int64_t)count;
    for (int32_t i = 1; i < count; i++) {
        if (pairs[i] >> 32 != pairs[i - 1] >> 32) continue;
        uint64_t pair = pairs[i], number = number_at(sorter, key, (int32_t)(uint32_t)pair);
        int32_t at = i;
        for (; at && pairs[at - 1] >> 32 == pair >> 32; at--) {
            uint64_t other = number_at(sorter, key, (int32_t)(uint32_t)pairs[at - 1]);
            if (key->descending ? other >= number : other <= number) break;
            pairs[at] = pairs[at - 1];
            if (!--budget) return false;
        }
        pairs[at] = pair;
    }
    return true;
}

bool ecs__sort_by_key(ecs__sorter_t *sorter, int32_t *rows, int32_t count) {
    ecs__key_t key = { 0 };
    if (count < 2 * PAIRS || !guess(sorter, rows, count, &key)) return false;
    uint64_t *from = ecs__scratch_ensure(&sorter->more, 2 * (size_t)count * sizeof(uint64_t));
    uint64_t *to = from + count;
    int bits = fill_pairs(sorter, &key, rows, from, count);
    for (int shift = 32; shift < 32 + ECS_MIN(bits, 32); shift += DIGIT_BITS) {
        sort_by_digit(from, to, count, shift);
        uint64_t *sorted = to;
        to = from;
        from = sorted;
    }
    if (bits > 32 && !finish_pairs(sorter, &key, from, count)) return false;
    for (int32_t i = 0; i < count; i++) rows[i] = (int32_t)(uint32_t)from[i];
    return true;
}
