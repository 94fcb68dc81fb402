// SPDX-License-Identifier: MIT
// vec: growable array; see vec.h for the contract.
#include <muster/ecs/ds/vec.h>

#include "base/assert.h"

#define MIN_CAPACITY 4

static void set_capacity(ecs_vec_t *vec, ecs_size_t elem_size, int32_t capacity) {
    if (capacity == vec->size) {
        return;
    }
    if (capacity && elem_size) {
        ecs_always_assert(capacity <= INT32_MAX / elem_size, ECS_OUT_OF_RANGE,
            "a vector of %d elements of %d bytes exceeds 2 GB", capacity, elem_size);
        vec->array = ecs_os_realloc(vec->array, ecs_os_bytes_(elem_size, capacity));
    } else {
        ecs_os_free(vec->array);
        vec->array = NULL;
    }
    vec->size = capacity;
}

// Make room for `count` elements, at least doubling, so that appending is O(1) on average.
static void reserve(ecs_vec_t *vec, ecs_size_t elem_size, int32_t count) {
    if (count > vec->size) {
        int32_t doubled = vec->size > INT32_MAX / 2 ? INT32_MAX : vec->size * 2;
        int32_t fits = elem_size ? INT32_MAX / elem_size : INT32_MAX;
        int32_t wanted = ECS_MAX(ECS_MIN(doubled, fits), MIN_CAPACITY);
        set_capacity(vec, elem_size, ECS_MAX(wanted, count));
    }
}

void ecs_vec_init(
    ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size, int32_t elem_count) {
    ECS__NEED(vec);
    (void)allocator;
    *vec = (ecs_vec_t){ .array = NULL };
    set_capacity(vec, elem_size, elem_count);
}

void ecs_vec_init_if(ecs_vec_t *vec, ecs_size_t elem_size) {
    ECS__NEED(vec);
    if (!vec->array) {
        ecs_vec_init(NULL, vec, elem_size, 0);
    }
}

void ecs_vec_fini(ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size) {
    ECS__NEED(vec);
    (void)allocator, (void)elem_size;
    ecs_os_free(vec->array);
    *vec = (ecs_vec_t){ .array = NULL };
}

ecs_vec_t *ecs_vec_reset(ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size) {
    ECS__NEED_OR(vec, NULL);
    (void)allocator, (void)elem_size;
    vec->count = 0;
    return vec;
}

void ecs_vec_clear(ecs_vec_t *vec) {
    ECS__NEED(vec);
    vec->count = 0;
}

void *ecs_vec_append(ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size) {
    ECS__NEED_OR(vec, NULL);
    return ecs_vec_grow(allocator, vec, elem_size, 1);
}

static bool check_index(const ecs_vec_t *vec, int32_t index) {
    ecs_check(index >= 0 && index < vec->count, ECS_OUT_OF_RANGE, "vector index %d is not in 0..%d",
        index, vec->count - 1);
    return true;
error:
    return false;
}

static bool check_count(int32_t count) {
    ecs_check(count >= 0, ECS_OUT_OF_RANGE, "a vector cannot have %d elements", count);
    return true;
error:
    return false;
}

void ecs_vec_remove(ecs_vec_t *vec, ecs_size_t elem_size, int32_t index) {
    ECS__NEED(vec);
    ECS__CHECK(check_index(vec, index));
    void *elem = ecs_vec_get(vec, elem_size, index);
    void *last = ecs_vec_last(vec, elem_size);
    if (elem != last) {
        ecs_os_memcpy(elem, last, elem_size);
    }
    vec->count--;
error:
    return;
}

void ecs_vec_remove_ordered(ecs_vec_t *vec, ecs_size_t elem_size, int32_t index) {
    ECS__NEED(vec);
    ECS__CHECK(check_index(vec, index));
    void *elem = ecs_vec_get(vec, elem_size, index);
    int32_t behind = --vec->count - index;
    if (behind) {
        ecs_os_memmove(elem, ECS_OFFSET(elem, elem_size), elem_size * behind);
    }
error:
    return;
}

void ecs_vec_remove_last(ecs_vec_t *vec) {
    ECS__NEED(vec);
    ecs_check(vec->count, ECS_OUT_OF_RANGE, "the vector is empty");
    vec->count--;
error:
    return;
}

static ecs_vec_t copy_with_capacity(const ecs_vec_t *vec, ecs_size_t elem_size, int32_t capacity) {
    ecs_vec_t copy = { .array = NULL };
    set_capacity(&copy, elem_size, capacity);
    copy.count = vec->count;
    if (vec->count) {
        ecs_os_memcpy(copy.array, vec->array, elem_size * vec->count);
    }
    return copy;
}

ecs_vec_t ecs_vec_copy(ecs_allocator_t *allocator, const ecs_vec_t *vec, ecs_size_t elem_size) {
    ECS__NEED_OR(vec, (ecs_vec_t){ 0 });
    (void)allocator;
    return copy_with_capacity(vec, elem_size, vec->size);
}

ecs_vec_t ecs_vec_copy_shrink(
    ecs_allocator_t *allocator, const ecs_vec_t *vec, ecs_size_t elem_size) {
    ECS__NEED_OR(vec, (ecs_vec_t){ 0 });
    (void)allocator;
    return copy_with_capacity(vec, elem_size, vec->count);
}

void ecs_vec_reclaim(ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size) {
    ECS__NEED(vec);
    (void)allocator;
    set_capacity(vec, elem_size, vec->count);
}

void ecs_vec_set_size(
    ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size, int32_t elem_count) {
    ECS__NEED(vec);
    (void)allocator;
    set_capacity(vec, elem_size, ECS_MAX(elem_count, vec->count));
}

void ecs_vec_set_min_size(
    ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size, int32_t elem_count) {
    ECS__NEED(vec);
    (void)allocator;
    reserve(vec, elem_size, elem_count);
}

void ecs_vec_set_min_count(
    ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size, int32_t elem_count) {
    ECS__NEED(vec);
    if (elem_count > vec->count) {
        ecs_vec_set_count(allocator, vec, elem_size, elem_count);
    }
}

void ecs_vec_set_min_count_zeromem(
    ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size, int32_t elem_count) {
    ECS__NEED(vec);
    int32_t added = elem_count - vec->count;
    if (added > 0) {
        void *first = ecs_vec_grow(allocator, vec, elem_size, added);
        ecs_os_memset(first, 0, elem_size * added);
    }
}

void ecs_vec_set_count(
    ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size, int32_t elem_count) {
    ECS__NEED(vec);
    (void)allocator;
    ECS__CHECK(check_count(elem_count));
    reserve(vec, elem_size, elem_count);
    vec->count = elem_count;
error:
    return;
}

void *ecs_vec_grow(
    ecs_allocator_t *allocator, ecs_vec_t *vec, ecs_size_t elem_size, int32_t elem_count) {
    ECS__NEED_OR(vec, NULL);
    (void)allocator;
    ECS__CHECK(check_count(elem_count));
    ecs_always_assert(elem_count <= INT32_MAX - vec->count, ECS_OUT_OF_RANGE,
        "a vector of %d elements cannot grow by %d", vec->count, elem_count);
    int32_t first = vec->count;
    reserve(vec, elem_size, first + elem_count);
    vec->count += elem_count;
    return ECS_ELEM(vec->array, elem_size, first);
error:
    return NULL;
}
