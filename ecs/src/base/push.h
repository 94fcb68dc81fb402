// SPDX-License-Identifier: MIT
// push: appending to a vector, inlined where it happens often.
#ifndef ECS_BASE_PUSH_H
#define ECS_BASE_PUSH_H

#include <muster/ecs/ds/vec.h>

/** The same as ecs_vec_append. */
static inline void *ecs__vec_push(ecs_vec_t *vec, ecs_size_t size) {
    if (vec->count == vec->size) return ecs_vec_grow(NULL, vec, size, 1);
    return (char *)vec->array + (size_t)size * (size_t)vec->count++;
}
#define ecs__vec_push_t(vec, T) ((T *)ecs__vec_push(vec, ECS_SIZEOF(T)))

#endif
