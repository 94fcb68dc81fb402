// SPDX-License-Identifier: MIT
#include "id/type_info.h"

#include <muster/ecs/log.h>
#include <muster/ecs/os.h>
#include "base/assert.h"

static bool check_legal(const ecs_type_info_t *type, ecs_flags32_t illegal, const char *what) {
    if (type->hooks.flags & illegal) {
        ecs_abort(ECS_INVALID_OPERATION, "values of component '%s' cannot be %s",
            type->name ? type->name : "(unnamed)", what);
        return false;
    }
    return true;
}

static ecs_size_t bytes(const ecs_type_info_t *type, int32_t count) { return type->size * count; }

void ecs__value_ctor(const ecs_type_info_t *type, void *ptr, int32_t count) {
    ECS__NEED(type && ptr);
    check_legal(type, ECS_TYPE_HOOK_CTOR_ILLEGAL, "constructed");
    ecs_os_memset(ptr, 0, bytes(type, count));
    if (type->hooks.ctor) type->hooks.ctor(ptr, count, type);
}

void ecs__value_dtor(const ecs_type_info_t *type, void *ptr, int32_t count) {
    ECS__NEED(type && ptr);
    check_legal(type, ECS_TYPE_HOOK_DTOR_ILLEGAL, "destructed");
    if (type->hooks.dtor) type->hooks.dtor(ptr, count, type);
}

void ecs__value_copy(const ecs_type_info_t *type, void *dst, const void *src, int32_t count) {
    ECS__NEED(type && dst && src);
    if (!check_legal(type, ECS_TYPE_HOOK_COPY_ILLEGAL, "copied")) return;
    if (type->hooks.copy)
        type->hooks.copy(dst, src, count, type);
    else
        ecs_os_memcpy(dst, src, bytes(type, count));
}

void ecs__value_copy_ctor(const ecs_type_info_t *type, void *dst, const void *src, int32_t count) {
    ECS__NEED(type && dst && src);
    bool is_legal = check_legal(type, ECS_TYPE_HOOK_COPY_CTOR_ILLEGAL, "copy-constructed");
    if (!is_legal) {
        ecs__value_ctor(type, dst, count);
    } else if (type->hooks.copy_ctor) {
        type->hooks.copy_ctor(dst, src, count, type);
    } else {
        if (type->hooks.ctor) ecs__value_ctor(type, dst, count);
        ecs__value_copy(type, dst, src, count);
    }
}

void ecs__value_move(const ecs_type_info_t *type, void *dst, void *src, int32_t count) {
    ECS__NEED(type && dst && src);
    check_legal(type, ECS_TYPE_HOOK_MOVE_ILLEGAL, "moved");
    if (type->hooks.move)
        type->hooks.move(dst, src, count, type);
    else
        ecs_os_memcpy(dst, src, bytes(type, count));
}

void ecs__value_ctor_move_dtor(const ecs_type_info_t *type, void *dst, void *src, int32_t count) {
    ECS__NEED(type && dst && src);
    check_legal(type, ECS_TYPE_HOOK_CTOR_MOVE_DTOR_ILLEGAL, "moved to another table");
    if (type->hooks.ctor_move_dtor)
        type->hooks.ctor_move_dtor(dst, src, count, type);
    else
        ecs_os_memcpy(dst, src, bytes(type, count));
}

void ecs__value_move_dtor(const ecs_type_info_t *type, void *dst, void *src, int32_t count) {
    ECS__NEED(type && dst && src);
    check_legal(type, ECS_TYPE_HOOK_MOVE_DTOR_ILLEGAL, "moved over another value");
    if (type->hooks.move_dtor) {
        type->hooks.move_dtor(dst, src, count, type);
    } else {
        ecs__value_dtor(type, dst, count);
        ecs_os_memcpy(dst, src, bytes(type, count));
    }
}

void ecs__value_take(const ecs_type_info_t *type, void *dst, void *src, int32_t count) {
    if (type->hooks.move)
        ecs__value_move(type, dst, src, count);
    else
        ecs__value_move_dtor(type, dst, src, count);
}
