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
/** Move-assign what stays the caller's: with the move hook, which leaves something in `src`; without one the bytes. */
void ecs__value_take(const ecs_type_info_t *type, void *dst, void *src, int32_t count);

/** Callers ask before they copy values that users give. */
static inline bool ecs__type_is_copied(const ecs_type_info_t *type) {
    return !(type->hooks.flags & ECS_TYPE_HOOK_COPY_ILLEGAL);
}

/** Copy one plain value, also onto itself. In parts that may overlap, and without a call: callers keep their registers. */
static inline void ecs__copy_plain(void *dst, const void *src, size_t size) {
    char *to = dst;
    const char *from = src;
    for (; size > 16; to += 16, from += 16, size -= 16) {
        struct {
            uint64_t words[2];
        } part;
        memcpy(&part, from, 16);
        memcpy(to, &part, 16);
        __asm__ volatile("" ::: "memory"); /* the compiler would make it a call again */
    }
    if (size >= 8) {
        uint64_t head, tail;
        memcpy(&head, from, 8);
        memcpy(&tail, from + size - 8, 8);
        memcpy(to, &head, 8);
        memcpy(to + size - 8, &tail, 8);
    } else if (size >= 4) {
        uint32_t head, tail;
        memcpy(&head, from, 4);
        memcpy(&tail, from + size - 4, 4);
        memcpy(to, &head, 4);
        memcpy(to + size - 4, &tail, 4);
    } else {
        char head = from[0], middle = from[size / 2], tail = from[size - 1];
        to[0] = head, to[size / 2] = middle, to[size - 1] = tail;
    }
}

/** Zero one plain value in the same way. */
static inline void ecs__zero_plain(void *dst, size_t size) {
    char *to = dst;
    for (; size > 16; to += 16, size -= 16) {
        memset(to, 0, 16);
        __asm__ volatile("" ::: "memory");
    }
    if (size >= 8) {
        memset(to, 0, 8);
        memset(to + size - 8, 0, 8);
    } else if (size >= 4) {
        memset(to, 0, 4);
        memset(to + size - 4, 0, 4);
    } else {
        to[0] = to[size / 2] = to[size - 1] = 0;
    }
}

/** True if values of the type can be moved as bytes and need neither constructor nor destructor. */
static inline bool ecs__type_is_plain(const ecs_type_info_t *type) {
    return !(type->hooks.flags & (ECS_TYPE_HOOKS | ECS_TYPE_HOOKS_ILLEGAL) &
             ~(ECS_TYPE_HOOK_CMP | ECS_TYPE_HOOK_EQUALS | ECS_TYPE_HOOK_CMP_ILLEGAL |
                 ECS_TYPE_HOOK_EQUALS_ILLEGAL));
}

/** True if somebody is told when a value is set, or judges it. */
static inline bool ecs__hooks_see_values(const ecs_type_hooks_t *hooks) {
    return hooks->on_set || hooks->on_validate || hooks->on_replace;
}

/** True if values are moved to other rows as bytes, whatever other hooks there are. */
static inline bool ecs__type_moves_as_bytes(const ecs_type_info_t *type) {
    return !type->hooks.ctor_move_dtor &&
           !(type->hooks.flags & ECS_TYPE_HOOK_CTOR_MOVE_DTOR_ILLEGAL);
}

#endif
