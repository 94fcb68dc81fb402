// SPDX-License-Identifier: MIT
// atomics: the operations on shared memory that ecs uses; its only door to ConcurrencyKit.
//
// Loads and stores are single and untorn but not ordered: order comes from the fences.
// Read-modify-write operations are atomic and, portably, not ordered either. ThreadSanitizer sees
// neither inline assembly nor fences, so under it the same operations are compiler builtins with
// ordering of their own.
#ifndef ECS_BASE_ATOMICS_H
#define ECS_BASE_ATOMICS_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__SANITIZE_THREAD__)
#define ECS__ATOMIC_BUILTINS
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ECS__ATOMIC_BUILTINS
#endif
#endif
#if defined(MUSTER_TSAN) && !defined(ECS__ATOMIC_BUILTINS)
#define ECS__ATOMIC_BUILTINS
#endif

#ifndef ECS__ATOMIC_BUILTINS
#include <ck_pr.h>

#define ECS__ATOMIC_INTEGER(bits)                                                                \
    static inline uint##bits##_t ecs__load_##bits(const uint##bits##_t *target) {                \
        return ck_pr_load_##bits(target);                                                        \
    }                                                                                            \
    static inline void ecs__store_##bits(uint##bits##_t *target, uint##bits##_t value) {         \
        ck_pr_store_##bits(target, value);                                                       \
    }                                                                                            \
    /* Returns the old value. */                                                                 \
    static inline uint##bits##_t ecs__faa_##bits(uint##bits##_t *target, uint##bits##_t value) { \
        return ck_pr_faa_##bits(target, value);                                                  \
    }                                                                                            \
    static inline void ecs__add_##bits(uint##bits##_t *target, uint##bits##_t value) {           \
        ck_pr_add_##bits(target, value);                                                         \
    }                                                                                            \
    /* Replaces `expected` by `value`; false, and no change, if something else is there. */      \
    static inline bool ecs__cas_##bits(                                                          \
        uint##bits##_t *target, uint##bits##_t expected, uint##bits##_t value) {                 \
        return ck_pr_cas_##bits(target, expected, value);                                        \
    }

static inline void *ecs__load_ptr(void *const *target) { return ck_pr_load_ptr(target); }

static inline void ecs__store_ptr(void **target, void *value) { ck_pr_store_ptr(target, value); }

static inline bool ecs__cas_ptr(void **target, void *expected, void *value) {
    return ck_pr_cas_ptr(target, expected, value);
}

/** What was read before is not read again or later. Pairs with ecs__fence_release. */
static inline void ecs__fence_acquire(void) { ck_pr_fence_acquire(); }

/** What was read or written before is done before later writes are seen. */
static inline void ecs__fence_release(void) { ck_pr_fence_release(); }

/** Tell the processor that this is a spinning loop. */
static inline void ecs__stall(void) { ck_pr_stall(); }

#else

#define ECS__ATOMIC_INTEGER(bits)                                                                \
    static inline uint##bits##_t ecs__load_##bits(const uint##bits##_t *target) {                \
        return __atomic_load_n(target, __ATOMIC_ACQUIRE);                                        \
    }                                                                                            \
    static inline void ecs__store_##bits(uint##bits##_t *target, uint##bits##_t value) {         \
        __atomic_store_n(target, value, __ATOMIC_RELEASE);                                       \
    }                                                                                            \
    static inline uint##bits##_t ecs__faa_##bits(uint##bits##_t *target, uint##bits##_t value) { \
        return __atomic_fetch_add(target, value, __ATOMIC_SEQ_CST);                              \
    }                                                                                            \
    static inline void ecs__add_##bits(uint##bits##_t *target, uint##bits##_t value) {           \
        (void)__atomic_fetch_add(target, value, __ATOMIC_SEQ_CST);                               \
    }                                                                                            \
    static inline bool ecs__cas_##bits(                                                          \
        uint##bits##_t *target, uint##bits##_t expected, uint##bits##_t value) {                 \
        return __atomic_compare_exchange_n(                                                      \
            target, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE);                \
    }

static inline void *ecs__load_ptr(void *const *target) {
    return __atomic_load_n(target, __ATOMIC_ACQUIRE);
}

static inline void ecs__store_ptr(void **target, void *value) {
    __atomic_store_n(target, value, __ATOMIC_RELEASE);
}

static inline bool ecs__cas_ptr(void **target, void *expected, void *value) {
    return __atomic_compare_exchange_n(
        target, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE);
}

/* The sanitizer does not model fences. */
static inline void ecs__fence_acquire(void) {}

static inline void ecs__fence_release(void) {}

static inline void ecs__stall(void) {}

#endif

ECS__ATOMIC_INTEGER(32)
ECS__ATOMIC_INTEGER(64)
#undef ECS__ATOMIC_INTEGER

#endif
