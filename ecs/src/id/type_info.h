// SPDX-License-Identifier: MIT
// type_info: constructing, copying, moving and destructing values through the hooks of their type.
//
// Plain types (no hook set) are bytes. A constructor is never skipped silently: without a ctor hook, memory is zeroed.
// An operation marked illegal aborts when it is needed.
#ifndef ECS_ID_TYPE_INFO_H
#define ECS_ID_TYPE_INFO_H

#include <string.h>

#include <muster/ecs/component.h>

void ecs__value_ctor(const ecs_type_info_t *type, void *ptr, int32_t count);
void ecs__value_dtor(const ecs_type_info_t *type, void *ptr, int32_t count);
void ecs__value_copy(const ecs_type_info_t *type, void *dst, const void *src, int32_t count);
void ecs__value_copy_ctor(const ecs_type_info_t *type, void *dst, const void *src, int32_t count);
/** Move-assign; the source stays constructed. */
void ecs__value_move(const ecs_type_info_t *type, void *dst, void *src, int32_t count);
/** Move into raw memory; the source is raw afterwards. */
void ecs__value_ctor_move_dtor(const ecs_type_info_t *type, void *dst, void *src, int32_t count);
/** Move-assign; the source is raw afterwards. */
void ecs__value_move_dtor(const ecs_type_info_t *type, void *dst, void *src, int32_t count);

/** Copy one plain value, also onto itself. Up to 16 bytes inline, as two parts that may overlap. */
static inline void ecs__copy_plain(void *dst, const void *src, size_t size) {
    if (size - 8 <= 8) {
        uint64_t head, tail;
        memcpy(&head, src, 8);
        memcpy(&tail, (const char *)src + size - 8, 8);
        memcpy(dst, &head, 8);
        memcpy((char *)dst + size - 8, &tail, 8);
    } else if (size == 4) {
        memcpy(dst, src, 4);
    } else {
        memmove(dst, src, size);
    }
}

/** Zero one plain value in the same way. */
static inline void ecs__zero_plain(void *dst, size_t size) {
    const uint64_t zero = 0;
    if (size - 8 <= 8) {
        memcpy(dst, &zero, 8);
        memcpy((char *)dst + size - 8, &zero, 8);
    } else if (size == 4) {
        memcpy(dst, &zero, 4);
    } else {
        memset(dst, 0, size);
    }
}

/** True if values of the type can be moved as bytes and need neither constructor nor destructor. */
static inline bool ecs__type_is_plain(const ecs_type_info_t *type) {
    return !(type->hooks.flags & (ECS_TYPE_HOOKS | ECS_TYPE_HOOKS_ILLEGAL) &
             ~(ECS_TYPE_HOOK_CMP | ECS_TYPE_HOOK_EQUALS | ECS_TYPE_HOOK_CMP_ILLEGAL |
                 ECS_TYPE_HOOK_EQUALS_ILLEGAL));
}

#endif
