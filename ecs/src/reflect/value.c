// SPDX-License-Identifier: MIT
// value: values outside of entities.
#include <muster/ecs/extend.h>

#include "base/aligned.h"
#include "base/atomics.h"
#include "id/type_info.h"
#include "reflect/lifecycle.h"

static const ecs_type_info_t *info_of(const ecs_world_t *world, ecs_entity_t type) {
    bool exists = ECS_IS_PAIR(type) || (type && ecs_is_alive(world, type));
    const ecs_type_info_t *info = exists ? ecs_get_type_info(world, type) : NULL;
    if (!info) {
        ecs_err_code(ECS_INVALID_PARAMETER, "%s is no component: it has no values",
            type ? ECS__NAME(world, type) : "0");
    }
    return info;
}

// Types keep their layout while there are such values: each of them is made and ended here.
static void *new_value(const ecs_type_info_t *info) {
    void *ptr = ecs__aligned_calloc(info->size, info->alignment);
    flecs_type_info_ctor(ptr, 1, info);
    ecs__add_32(&ECS_CONST_CAST(ecs_type_info_t *, info)->values, 1);
    return ptr;
}

static void free_value(const ecs_type_info_t *info, void *ptr) {
    flecs_type_info_dtor(ptr, 1, info);
    ecs__aligned_free(ptr, info->alignment);
    ecs__add_32(&ECS_CONST_CAST(ecs_type_info_t *, info)->values, UINT32_MAX);
}

static bool check_copied(const ecs_type_info_t *info) {
    ecs_check(ecs__type_is_copied(info), ECS_INVALID_OPERATION, "values of %s cannot be copied",
        info->name ? info->name : "a component without name");
    return true;
error:
    return false;
}

// ---- Memory of the caller ----

int ecs_ptr_init_w_type_info(const ecs_world_t *world, const ecs_type_info_t *info, void *ptr) {
    ECS__NEED_OR(info && ptr, -1);
    (void)world;
    flecs_type_info_ctor(ptr, 1, info);
    return 0;
}

int ecs_ptr_fini_w_type_info(const ecs_world_t *world, const ecs_type_info_t *info, void *ptr) {
    ECS__NEED_OR(info, -1);
    (void)world;
    flecs_type_info_dtor(ptr, 1, info);
    return 0;
}

void *ecs_ptr_new_w_type_info(ecs_world_t *world, const ecs_type_info_t *info) {
    ECS__NEED_OR(info, NULL);
    (void)world;
    return new_value(info);
}

int ecs_ptr_copy_w_type_info(
    const ecs_world_t *world, const ecs_type_info_t *info, void *dst, const void *src) {
    ECS__NEED_OR(info && dst && src, -1);
    (void)world;
    if (!check_copied(info)) return -1;
    flecs_type_info_copy(dst, src, 1, info);
    return 0;
}

int ecs_ptr_move_w_type_info(
    const ecs_world_t *world, const ecs_type_info_t *info, void *dst, void *src) {
    ECS__NEED_OR(info && dst && src, -1);
    (void)world;
    flecs_type_info_move(dst, src, 1, info);
    return 0;
}

int ecs_ptr_move_ctor_w_type_info(
    const ecs_world_t *world, const ecs_type_info_t *info, void *dst, void *src) {
    ECS__NEED_OR(info && dst && src, -1);
    (void)world;
    flecs_type_info_move_ctor(dst, src, 1, info);
    return 0;
}

int ecs_ptr_init(const ecs_world_t *world, ecs_entity_t type, void *ptr) {
    const ecs_type_info_t *info = info_of(world, type);
    return info ? ecs_ptr_init_w_type_info(world, info, ptr) : -1;
}

int ecs_ptr_fini(const ecs_world_t *world, ecs_entity_t type, void *ptr) {
    const ecs_type_info_t *info = info_of(world, type);
    return info ? ecs_ptr_fini_w_type_info(world, info, ptr) : -1;
}

void *ecs_ptr_new(ecs_world_t *world, ecs_entity_t type) {
    const ecs_type_info_t *info = info_of(world, type);
    return info ? new_value(info) : NULL;
}

int ecs_ptr_free(ecs_world_t *world, ecs_entity_t type, void *ptr) {
    const ecs_type_info_t *info = ptr ? info_of(world, type) : NULL;
    if (!info) return ptr ? -1 : 0;
    free_value(info, ptr);
    return 0;
}

int ecs_ptr_copy(const ecs_world_t *world, ecs_entity_t type, void *dst, const void *src) {
    const ecs_type_info_t *info = info_of(world, type);
    return info ? ecs_ptr_copy_w_type_info(world, info, dst, src) : -1;
}

int ecs_ptr_move(const ecs_world_t *world, ecs_entity_t type, void *dst, void *src) {
    const ecs_type_info_t *info = info_of(world, type);
    return info ? ecs_ptr_move_w_type_info(world, info, dst, src) : -1;
}

int ecs_ptr_move_ctor(const ecs_world_t *world, ecs_entity_t type, void *dst, void *src) {
    const ecs_type_info_t *info = info_of(world, type);
    return info ? ecs_ptr_move_ctor_w_type_info(world, info, dst, src) : -1;
}

// ---- Values that own their memory ----

ecs_value_t ecs_value_new(const ecs_world_t *world, ecs_entity_t type) {
    const ecs_type_info_t *info = info_of(world, type);
    if (!info) return (ecs_value_t){ 0 };
    return (ecs_value_t){ type, new_value(info) };
}

ecs_value_t ecs_value_init(const ecs_world_t *world, ecs_entity_t type, const void *ptr) {
    ecs_value_t value = { 0 };
    ecs_value_set(world, &value, type, ptr);
    return value;
}

// Values in values are copied by hooks, which call themselves so. What would be too deep is left out, and the whole is refused.
static bool copy_nested(const ecs_type_info_t *info, void *to, const void *from) {
    static _Thread_local int depth;
    static _Thread_local bool is_too_deep;
    if (!depth) is_too_deep = false;
    if (depth == ECS_META_MAX_SCOPE_DEPTH) {
        is_too_deep = true;
        return false;
    }
    depth++;
    flecs_type_info_copy(to, from, 1, info);
    if (--depth || !is_too_deep) return !is_too_deep;
    ecs_err_code(
        ECS_OUT_OF_RANGE, "values in values are up to %d levels deep", ECS_META_MAX_SCOPE_DEPTH);
    return false;
}

// What is copied may be the value that it replaces, or a part of it: this is there until the copy is made.
static int assign(const ecs_world_t *world, ecs_value_t *value, ecs_entity_t type,
    const ecs_type_info_t *info, const void *ptr) {
    if (!info || (ptr && !check_copied(info))) return -1;
    const bool is_same_type = value->ptr && value->type == type;
    if (is_same_type && (!ptr || value->ptr == ptr)) return 0;
    if (is_same_type && !info->hooks.copy) {
        flecs_type_info_copy(value->ptr, ptr, 1, info);
        return 0;
    }
    const ecs_value_t made = { type, new_value(info) };
    ecs_value_t before = *value;
    if (ptr && !copy_nested(info, made.ptr, ptr)) {
        free_value(info, made.ptr);
        return -1;
    }
    *value = made;
    return ecs_value_fini(world, &before);
}

int ecs_value_set(
    const ecs_world_t *world, ecs_value_t *value, ecs_entity_t type, const void *ptr) {
    ECS__NEED_OR(value, -1);
    return assign(world, value, type, info_of(world, type), ptr);
}

int ecs_value_fini(const ecs_world_t *world, ecs_value_t *value) {
    ECS__NEED_OR(value, -1);
    const ecs_type_info_t *info = value->ptr ? ecs_ext_kept_type_info(world, value->type) : NULL;
    if (info)
        free_value(info, value->ptr);
    else
        ecs_os_free(value->ptr);
    *value = (ecs_value_t){ 0 };
    return 0;
}

int ecs_value_copy(const ecs_world_t *world, ecs_value_t *dst, const ecs_value_t *src) {
    ECS__NEED_OR(dst && src, -1);
    if (!src->ptr) return ecs_value_fini(world, dst);
    return assign(world, dst, src->type, ecs_ext_kept_type_info(world, src->type), src->ptr);
}

int ecs_value_copy_ctor(const ecs_world_t *world, ecs_value_t *dst, const ecs_value_t *src) {
    ECS__NEED_OR(dst && src, -1);
    *dst = (ecs_value_t){ 0 };
    return ecs_value_copy(world, dst, src);
}

int ecs_value_move(const ecs_world_t *world, ecs_value_t *dst, ecs_value_t *src) {
    ECS__NEED_OR(dst && src, -1);
    const ecs_value_t value = *src;
    *src = (ecs_value_t){ 0 };
    ecs_value_fini(world, dst);
    *dst = value;
    return 0;
}

int ecs_value_move_ctor(const ecs_world_t *world, ecs_value_t *dst, ecs_value_t *src) {
    ECS__NEED_OR(dst && src, -1);
    (void)world;
    *dst = *src;
    *src = (ecs_value_t){ 0 };
    return 0;
}

// ---- Comparing ----

int ecs_value_compare(const ecs_world_t *world, const ecs_value_t *a, const ecs_value_t *b) {
    ECS__NEED_OR(a && b, 0);
    if (a->type != b->type) return a->type < b->type ? -1 : 1;
    if (!a->ptr || !b->ptr) return (a->ptr != NULL) - (b->ptr != NULL);
    const ecs_type_info_t *info = ecs_ext_kept_type_info(world, a->type);
    return ecs__value_compare(world, info, a->ptr, b->ptr);
}

bool ecs_value_equals(const ecs_world_t *world, const ecs_value_t *a, const ecs_value_t *b) {
    ECS__NEED_OR(a && b, false);
    const ecs_type_info_t *info =
        a->ptr && b->ptr && a->type == b->type ? ecs_ext_kept_type_info(world, a->type) : NULL;
    if (info && info->hooks.equals) return info->hooks.equals(a->ptr, b->ptr, info);
    return !ecs_value_compare(world, a, b);
}
