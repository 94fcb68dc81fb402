// SPDX-License-Identifier: MIT
// vec: growable array of elements of one size.
//
// A zeroed ecs_vec_t is a valid empty vector. The vector does not store the element size: pass the
// same one each time (the _t macros take it from a type). Pointers to elements last until the
// vector grows. `allocator` may be NULL and is not used at present: memory comes from ecs_os_api.
// Threads: one writer, or any number of readers.
#ifndef MUSTER_ECS_DS_VEC_H
#define MUSTER_ECS_DS_VEC_H

#include <muster/ecs/log.h>

ECS_BEGIN_DECLS

typedef struct ecs_vec_t {
    void *array;
    int32_t count;
    int32_t size; /* elements that fit */
} ecs_vec_t;

/** Make an empty vector with room for `elem_count` elements. */
ECS_API void ecs_vec_init(
    ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size, int32_t elem_count);
#define ecs_vec_init_t(allocator, vec, T, elem_count) \
    ecs_vec_init(allocator, vec, ECS_SIZEOF(T), elem_count)
/** Make an empty vector, unless the (zeroed or initialised) vector has memory already. */
ECS_API void ecs_vec_init_if(ecs_vec_t *vec, ecs_size_t elem_size);
#define ecs_vec_init_if_t(vec, T) ecs_vec_init_if(vec, ECS_SIZEOF(T))
/** Release memory; the vector is empty afterwards. */
ECS_API void ecs_vec_fini(ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size);
#define ecs_vec_fini_t(allocator, vec, T) ecs_vec_fini(allocator, vec, ECS_SIZEOF(T))
/** Empty the vector and keep its memory; returns the vector. */
ECS_API ecs_vec_t *ecs_vec_reset(ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size);
#define ecs_vec_reset_t(allocator, vec, T) ecs_vec_reset(allocator, vec, ECS_SIZEOF(T))
/** Empty the vector and keep its memory. */
ECS_API void ecs_vec_clear(ecs_vec_t *vec);
/** Add an uninitialised element; returns it. Amortised O(1). */
ECS_API void *ecs_vec_append(ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size);
#define ecs_vec_append_t(allocator, vec, T) \
    (ECS_CAST(T *, ecs_vec_append(allocator, vec, ECS_SIZEOF(T))))
/** Remove an element; the last one takes its place. */
ECS_API void ecs_vec_remove(ecs_vec_t *vec, ecs_size_t elem_size, int32_t index);
#define ecs_vec_remove_t(vec, T, index) ecs_vec_remove(vec, ECS_SIZEOF(T), index)
/** Remove an element; those behind it move up. */
ECS_API void ecs_vec_remove_ordered(ecs_vec_t *vec, ecs_size_t elem_size, int32_t index);
#define ecs_vec_remove_ordered_t(vec, T, index) ecs_vec_remove_ordered(vec, ECS_SIZEOF(T), index)
/** Remove the last element. [chk] there is one. */
ECS_API void ecs_vec_remove_last(ecs_vec_t *vec);
/** A copy with the same capacity. */
ECS_API ecs_vec_t ecs_vec_copy(
    ecs_allocator_t *allocator, const ecs_vec_t *vec, ecs_size_t elem_size);
#define ecs_vec_copy_t(allocator, vec, T) ecs_vec_copy(allocator, vec, ECS_SIZEOF(T))
/** A copy without spare capacity. */
ECS_API ecs_vec_t ecs_vec_copy_shrink(
    ecs_allocator_t *allocator, const ecs_vec_t *vec, ecs_size_t elem_size);
#define ecs_vec_copy_shrink_t(allocator, vec, T) ecs_vec_copy_shrink(allocator, vec, ECS_SIZEOF(T))
/** Give spare capacity back. */
ECS_API void ecs_vec_reclaim(ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size);
#define ecs_vec_reclaim_t(allocator, vec, T) ecs_vec_reclaim(allocator, vec, ECS_SIZEOF(T))
/** Make the capacity exactly `elem_count`, but not less than the count. */
ECS_API void ecs_vec_set_size(
    ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size, int32_t elem_count);
#define ecs_vec_set_size_t(allocator, vec, T, elem_count) \
    ecs_vec_set_size(allocator, vec, ECS_SIZEOF(T), elem_count)
/** Make the capacity at least `elem_count`; grows geometrically. */
ECS_API void ecs_vec_set_min_size(
    ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size, int32_t elem_count);
#define ecs_vec_set_min_size_t(allocator, vec, T, elem_count) \
    ecs_vec_set_min_size(allocator, vec, ECS_SIZEOF(T), elem_count)
/** Make the count at least `elem_count`; new elements are uninitialised. */
ECS_API void ecs_vec_set_min_count(
    ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size, int32_t elem_count);
#define ecs_vec_set_min_count_t(allocator, vec, T, elem_count) \
    ecs_vec_set_min_count(allocator, vec, ECS_SIZEOF(T), elem_count)
/** The same; new elements are zeroed. */
ECS_API void ecs_vec_set_min_count_zeromem(
    ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size, int32_t elem_count);
#define ecs_vec_set_min_count_zeromem_t(allocator, vec, T, elem_count) \
    ecs_vec_set_min_count_zeromem(allocator, vec, ECS_SIZEOF(T), elem_count)
/** Set the count; new elements are uninitialised. */
ECS_API void ecs_vec_set_count(
    ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size, int32_t elem_count);
#define ecs_vec_set_count_t(allocator, vec, T, elem_count) \
    ecs_vec_set_count(allocator, vec, ECS_SIZEOF(T), elem_count)
/** Add `elem_count` uninitialised elements; returns the first of them. */
ECS_API void *ecs_vec_grow(
    ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size, int32_t elem_count);
#define ecs_vec_grow_t(allocator, vec, T, elem_count) \
    (ECS_CAST(T *, ecs_vec_grow(allocator, vec, ECS_SIZEOF(T), elem_count)))

static inline int32_t ecs_vec_count(const ecs_vec_t *vec) { return vec->count; }

/** Elements that fit without growing. */
static inline int32_t ecs_vec_size(const ecs_vec_t *vec) { return vec->size; }

/** Element `index`, which must exist [chk]. */
static inline void *ecs_vec_get(const ecs_vec_t *vec, ecs_size_t elem_size, int32_t index) {
    ecs_assert(index >= 0 && index < vec->count, ECS_OUT_OF_RANGE,
        "vector index %d is not in 0..%d", index, vec->count - 1);
    return ECS_ELEM(vec->array, elem_size, index);
}
#define ecs_vec_get_t(vec, T, index) (ECS_CAST(T *, ecs_vec_get(vec, ECS_SIZEOF(T), index)))

/** The array; NULL if it was never allocated. */
static inline void *ecs_vec_first(const ecs_vec_t *vec) { return vec->array; }
#define ecs_vec_first_t(vec, T) (ECS_CAST(T *, ecs_vec_first(vec)))

/** The last element; NULL if there is none. */
static inline void *ecs_vec_last(const ecs_vec_t *vec, ecs_size_t elem_size) {
    return vec->count ? ECS_ELEM(vec->array, elem_size, vec->count - 1) : ECS_NULL_;
}
#define ecs_vec_last_t(vec, T) (ECS_CAST(T *, ecs_vec_last(vec, ECS_SIZEOF(T))))

ECS_END_DECLS

#endif
