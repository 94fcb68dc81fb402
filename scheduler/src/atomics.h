// SPDX-License-Identifier: MIT
// atomics: the one wrapper of ck_pr in this module; park.c alone uses another part of
// ConcurrencyKit.
//
// Names say the order: plain ones are relaxed (they only promise that the value is not torn),
// _acquire and _release pair up, and read-modify-write operations are both acquire and release. The
// only order these do not give, store before a later load, is sched__fence().
#ifndef SCHED_ATOMICS_H
#define SCHED_ATOMICS_H

#include <ck_pr.h>
#include <stdbool.h>
#include <stdint.h>

#define SCHED_CACHE_LINE 64

static inline uint32_t sched__load_32(const uint32_t *at) { return ck_pr_load_32(at); }

static inline uint64_t sched__load_64(const uint64_t *at) { return ck_pr_load_64(at); }

/* `at` points to a pointer. */
static inline void *sched__load_ptr(const void *at) { return ck_pr_load_ptr((void *const *)at); }

static inline uint32_t sched__load_acquire_32(const uint32_t *at) {
    uint32_t value = ck_pr_load_32(at);
    ck_pr_fence_acquire();
    return value;
}

static inline uint64_t sched__load_acquire_64(const uint64_t *at) {
    uint64_t value = ck_pr_load_64(at);
    ck_pr_fence_acquire();
    return value;
}

static inline void *sched__load_acquire_ptr(const void *at) {
    void *value = ck_pr_load_ptr((void *const *)at);
    ck_pr_fence_acquire();
    return value;
}

static inline void sched__store_32(uint32_t *at, uint32_t value) { ck_pr_store_32(at, value); }

static inline void sched__store_64(uint64_t *at, uint64_t value) { ck_pr_store_64(at, value); }

static inline void sched__store_release_32(uint32_t *at, uint32_t value) {
    ck_pr_fence_release();
    ck_pr_store_32(at, value);
}

static inline void sched__store_release_64(uint64_t *at, uint64_t value) {
    ck_pr_fence_release();
    ck_pr_store_64(at, value);
}

static inline void sched__store_release_ptr(void *at, void *value) {
    ck_pr_fence_release();
    ck_pr_store_ptr((void **)at, value);
}

/* Fetch and add; returns the value before. To subtract, add the two's complement. */
static inline uint32_t sched__add_32(uint32_t *at, uint32_t delta) {
    ck_pr_fence_release();
    uint32_t before = ck_pr_faa_32(at, delta);
    ck_pr_fence_acquire();
    return before;
}

static inline uint64_t sched__add_64(uint64_t *at, uint64_t delta) {
    ck_pr_fence_release();
    uint64_t before = ck_pr_faa_64(at, delta);
    ck_pr_fence_acquire();
    return before;
}

/* Compare and swap; on failure *expected becomes the value found. */
static inline bool sched__cas_64(uint64_t *at, uint64_t *expected, uint64_t desired) {
    ck_pr_fence_release();
    bool swapped = ck_pr_cas_64_value(at, *expected, desired, expected);
    ck_pr_fence_acquire();
    return swapped;
}

static inline void sched__set_bits_64(uint64_t *at, uint64_t bits) {
    ck_pr_fence_release();
    ck_pr_or_64(at, bits);
    ck_pr_fence_acquire();
}

static inline void sched__clear_bits_64(uint64_t *at, uint64_t bits) {
    ck_pr_fence_release();
    ck_pr_and_64(at, ~bits);
    ck_pr_fence_acquire();
}

/* Clears bits; returns the value before. */
static inline uint64_t sched__take_bits_64(uint64_t *at, uint64_t bits) {
    uint64_t before = ck_pr_load_64(at);
    while (!sched__cas_64(at, &before, before & ~bits)) {}
    return before;
}

/* Orders earlier stores before later loads, which neither acquire nor release does, not even on
 * x86. */
static inline void sched__fence(void) { ck_pr_fence_memory(); }

/* Tells the processor that this is a spin loop. */
static inline void sched__stall(void) { ck_pr_stall(); }

/* Index of the lowest set bit; `bits` is not 0. */
static inline uint32_t sched__first_bit(uint64_t bits) { return (uint32_t)__builtin_ctzll(bits); }

#endif
