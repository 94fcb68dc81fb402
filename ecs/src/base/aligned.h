// SPDX-License-Identifier: MIT
// aligned: memory of the heap for one value, as aligned as its type asks.
#ifndef ECS_BASE_ALIGNED_H
#define ECS_BASE_ALIGNED_H

#include <stddef.h>

#include <muster/ecs/os.h>

/** Zeroed memory. Where the heap aligns enough by itself, it is memory of the heap and nothing else. */
static inline void *ecs__aligned_calloc(ecs_size_t size, ecs_size_t alignment) {
    if ((size_t)alignment <= _Alignof(max_align_t)) return ecs_os_calloc(size);
    char *base = ecs_os_calloc_n(char, (int64_t)size + alignment + ECS_SIZEOF(void *));
    void **begin = (void **)ECS_ALIGN((uintptr_t)base + sizeof(void *), (uintptr_t)alignment);
    begin[-1] = base;
    return begin;
}

/** `ptr` may be NULL. */
static inline void ecs__aligned_free(void *ptr, ecs_size_t alignment) {
    ecs_os_free(ptr && (size_t)alignment > _Alignof(max_align_t) ? ((void **)ptr)[-1] : ptr);
}

#endif
