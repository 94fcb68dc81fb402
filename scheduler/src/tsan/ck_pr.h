// SPDX-License-Identifier: MIT
// Stands in for ConcurrencyKit's <ck_pr.h> in ThreadSanitizer builds (option MUSTER_TSAN), for all
// modules.
//
// The sanitizer cannot see into inline assembly, nor does it understand fences. So the operations
// in use map to __atomic builtins that carry the order themselves: loads acquire, stores release,
// everything else is sequentially consistent. That is stronger than what the code may rely on; the
// weaker orders are checked by reading and by the models in tests/model. An operation missing here
// fails to compile.
#ifndef CK_PR_H
#define CK_PR_H

#define MUSTER_TSAN_CK_PR 1

#include <stdbool.h>
#include <stdint.h>

#define ck_pr_load_ptr(at) __atomic_load_n((void *const *)(at), __ATOMIC_ACQUIRE)
#define ck_pr_store_ptr(at, value) \
    __atomic_store_n((void **)(at), (void *)(value), __ATOMIC_RELEASE)

static inline bool ck_pr_cas_ptr(void *at, void *expected, void *desired) {
    return __atomic_compare_exchange_n(
        (void **)at, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static inline bool ck_pr_cas_ptr_value(void *at, void *expected, void *desired, void *found) {
    bool swapped = __atomic_compare_exchange_n(
        (void **)at, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    *(void **)found = expected;
    return swapped;
}

static inline void *ck_pr_fas_ptr(void *at, void *value) {
    return __atomic_exchange_n((void **)at, value, __ATOMIC_SEQ_CST);
}

#define MUSTER_TSAN_OPERATIONS(S, T)                                                              \
    static inline T ck_pr_load_##S(const T *at) { return __atomic_load_n(at, __ATOMIC_ACQUIRE); } \
    static inline void ck_pr_store_##S(T *at, T value) {                                          \
        __atomic_store_n(at, value, __ATOMIC_RELEASE);                                            \
    }                                                                                             \
    static inline T ck_pr_faa_##S(T *at, T value) {                                               \
        return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);                                   \
    }                                                                                             \
    static inline T ck_pr_fas_##S(T *at, T value) {                                               \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                  \
    }                                                                                             \
    static inline void ck_pr_add_##S(T *at, T value) {                                            \
        __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);                                          \
    }                                                                                             \
    static inline void ck_pr_sub_##S(T *at, T value) {                                            \
        __atomic_fetch_sub(at, value, __ATOMIC_SEQ_CST);                                          \
    }                                                                                             \
    static inline void ck_pr_or_##S(T *at, T value) {                                             \
        __atomic_fetch_or(at, value, __ATOMIC_SEQ_CST);                                           \
    }                                                                                             \
    static inline void ck_pr_and_##S(T *at, T value) {                                            \
        __atomic_fetch_and(at, value, __ATOMIC_SEQ_CST);                                          \
    }                                                                                             \
    static inline void ck_pr_inc_##S(T *at) { __atomic_fetch_add(at, (T)1, __ATOMIC_SEQ_CST); }   \
    static inline void ck_pr_dec_##S(T *at) { __atomic_fetch_sub(at, (T)1, __ATOMIC_SEQ_CST); }   \
    static inline bool ck_pr_cas_##S(T *at, T expected, T desired) {                              \
        return __atomic_compare_exchange_n(                                                       \
            at, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                   \
    }                                                                                             \
    static inline bool ck_pr_cas_##S##_value(T *at, T expected, T desired, T *found) {            \
        bool swapped = __atomic_compare_exchange_n(                                               \
            at, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                   \
        *found = expected;                                                                        \
        return swapped;                                                                           \
    }

MUSTER_TSAN_OPERATIONS(8, uint8_t)
MUSTER_TSAN_OPERATIONS(32, uint32_t)
MUSTER_TSAN_OPERATIONS(64, uint64_t)
MUSTER_TSAN_OPERATIONS(int, int)
MUSTER_TSAN_OPERATIONS(uint, unsigned)

/* The processor still needs the real thing for store before load. */
static inline void ck_pr_fence_memory(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

/* Carried by the operations above. */
static inline void ck_pr_fence_acquire(void) {}
static inline void ck_pr_fence_release(void) {}
static inline void ck_pr_fence_load(void) {}
static inline void ck_pr_fence_store(void) {}
static inline void ck_pr_fence_store_atomic(void) {}

static inline void ck_pr_stall(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

#endif
