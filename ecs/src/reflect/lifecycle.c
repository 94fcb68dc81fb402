// SPDX-License-Identifier: MIT
#include "reflect/lifecycle.h"

void ecs__parts_add(
    ecs_vec_t *parts, ecs_size_t offset, int32_t count, const ecs_type_info_t *type_info) {
    *ecs_vec_append_t(NULL, parts, ecs__part_t) = (ecs__part_t){ offset, count, type_info };
}

ecs__parts_t *ecs__parts_new(const ecs_world_t *world, const ecs_vec_t *ops) {
    ecs__parts_t *parts = ecs_os_calloc_t(ecs__parts_t);
    parts->world = ecs_get_world(world); /* it outlives a stage */
    ecs__parts_find(ops, &parts->all);
    return parts;
}

void ecs__parts_free(void *ptr) {
    ecs__parts_t *parts = ptr;
    ecs_vec_fini_t(NULL, &parts->all, ecs__part_t);
    ecs_os_free(parts);
}

// ---- Structs and arrays ----

typedef void (*part_action_t)(void *dst, void *src, const ecs__part_t *part);

static void construct_part(void *dst, void *src, const ecs__part_t *part) {
    (void)src;
    flecs_type_info_ctor(dst, part->count, part->type_info);
}
static void destruct_part(void *dst, void *src, const ecs__part_t *part) {
    (void)src;
    flecs_type_info_dtor(dst, part->count, part->type_info);
}
static void copy_part(void *dst, void *src, const ecs__part_t *part) {
    flecs_type_info_copy(dst, src, part->count, part->type_info);
}
static void move_part(void *dst, void *src, const ecs__part_t *part) {
    flecs_type_info_move(dst, src, part->count, part->type_info);
}

static void each_part(
    void *dst, const void *src, int32_t count, const ecs_type_info_t *type, part_action_t action) {
    const ecs_vec_t *parts = &ecs__parts_of(type)->all;
    for (int32_t value = 0; value < count; value++) {
        for (int32_t p = 0; p < parts->count; p++) {
            const ecs__part_t *part = ecs_vec_get_t(parts, ecs__part_t, p);
            ecs_size_t at = type->size * value + part->offset;
            action(ECS_OFFSET(dst, at), ECS_OFFSET(src, at), part);
        }
    }
}

static void construct(void *ptr, int32_t count, const ecs_type_info_t *type) {
    each_part(ptr, ptr, count, type, construct_part);
}
static void destruct(void *ptr, int32_t count, const ecs_type_info_t *type) {
    each_part(ptr, ptr, count, type, destruct_part);
}
static void copy(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    each_part(dst, src, count, type, copy_part);
}
static void move(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    each_part(dst, src, count, type, move_part);
}

// ---- Vectors: zero bytes are an empty one ----

static void destruct_vecs(void *ptr, int32_t count, const ecs_type_info_t *type) {
    for (int32_t i = 0; i < count; i++) {
        ecs__vec_drop(NULL, &((ecs_vec_t *)ptr)[i], ecs__element_of(type), false);
    }
}

static void copy_vec(ecs_vec_t *dst, const ecs_vec_t *src, const ecs_type_info_t *element) {
    ecs__vec_resize(dst, element, src->count);
    if (src->count) flecs_type_info_copy(dst->array, src->array, src->count, element);
}

static void copy_vecs(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    for (int32_t i = 0; i < count; i++)
        copy_vec(&((ecs_vec_t *)dst)[i], &((const ecs_vec_t *)src)[i], ecs__element_of(type));
}

// ---- Maps: zero bytes are an empty one ----

static void destruct_maps(void *ptr, int32_t count, const ecs_type_info_t *type) {
    for (int32_t i = 0; i < count; i++) {
        ecs__map_drop(NULL, &((ecs_map_t *)ptr)[i], ecs__element_of(type), false);
    }
}

static void copy_map(ecs_map_t *dst, const ecs_map_t *src, const ecs_type_info_t *element) {
    if (dst == src) return;
    ecs__map_drop(NULL, dst, element, true);
    ecs_map_iter_t it = ecs_map_iter(src);
    while (ecs_map_next(&it)) {
        void *to = ecs__map_ensure(dst, ecs_map_key(&it), element);
        flecs_type_info_copy(to, ecs__map_element(&ecs_map_value(&it), element), 1, element);
    }
}

static void copy_maps(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    for (int32_t i = 0; i < count; i++)
        copy_map(&((ecs_map_t *)dst)[i], &((const ecs_map_t *)src)[i], ecs__element_of(type));
}

// ---- Choosing hooks ----

// Members of a struct, or the elements of an array, vector or map.
void ecs__parts_find(const ecs_vec_t *ops, ecs_vec_t *parts) {
    const ecs_meta_op_t *op = ecs_vec_first(ops);
    switch (op->kind) {
    case EcsOpPushArray:
    case EcsOpPushVector:
    case EcsOpPushMap:
        ecs__parts_add(
            parts, 0, op->kind == EcsOpPushArray ? op->is.elem_count : 1, op[1].type_info);
        return;
    case EcsOpPushStruct:
        for (int32_t i = 1; i < op->op_count - 1; i += op[i].op_count) {
            *ecs_vec_append_t(NULL, parts, ecs__part_t) = ecs__part_of(&op[i]);
        }
        return;
    default: return;
    }
}

bool ecs__is_plain(const ecs_world_t *world, const ecs_type_info_t *type) {
    const ecs_vec_t *ops = ecs__type_ops(world, type->component);
    bool plain = ops && !type->hooks.dtor;
    for (int32_t i = 0; plain && i < ops->count; i++) {
        const ecs_meta_op_t *op = ecs_vec_get_t(ops, ecs_meta_op_t, i);
        const bool is_bracket =
            op->kind == EcsOpPushStruct || op->kind == EcsOpPop || op->kind == EcsOpForward;
        const bool is_number = op->kind >= EcsOpEnum && op->kind != EcsOpString;
        const bool is_array = op->kind == EcsOpPushArray;
        plain = is_array ? ecs__is_plain(world, op[1].type_info) : is_bracket || is_number;
    }
    return plain;
}

// ---- Values whose types may have no hooks, by what they are made of ----

typedef void (*value_action_t)(
    const ecs_world_t *world, const ecs_type_info_t *type, void *dst, const void *src);

static void each_part_value(const ecs_world_t *world, ecs_entity_t type, void *dst, const void *src,
    value_action_t action) {
    ecs_vec_t parts = { 0 };
    ecs__parts_find(ecs__type_ops(world, type), &parts);
    for (int32_t p = 0; p < parts.count; p++) {
        const ecs__part_t *part = ecs_vec_get_t(&parts, ecs__part_t, p);
        for (int32_t i = 0; i < part->count; i++) {
            ecs_size_t at = part->offset + i * part->type_info->size;
            action(world, part->type_info, ECS_OFFSET(dst, at), ECS_OFFSET(src, at));
        }
    }
    ecs_vec_fini_t(NULL, &parts, ecs__part_t);
}

static void drop_part(
    const ecs_world_t *world, const ecs_type_info_t *type, void *value, const void *src) {
    (void)src;
    ecs__value_drop(world, type, value);
}

// The first operation of a type whose hooks do not do all: it has none, or they go by parts, which may have none.
static const ecs_meta_op_t *op_to_walk(
    const ecs_world_t *world, const ecs_type_info_t *type, bool has_hook) {
    const ecs_xtor_t dtor = type->hooks.dtor;
    const bool goes_by_parts = dtor == destruct || dtor == destruct_vecs || dtor == destruct_maps;
    return has_hook && !goes_by_parts ? NULL : ecs__type_op(world, type->component);
}

void ecs__value_drop(const ecs_world_t *world, const ecs_type_info_t *type, void *value) {
    const ecs_meta_op_t *op = op_to_walk(world, type, type->hooks.dtor != NULL);
    switch (op ? op->kind : EcsOpScope) {
    case EcsOpString: ecs_os_free(*(char **)value); return;
    case EcsOpPushVector: ecs__vec_drop(world, value, op[1].type_info, false); return;
    case EcsOpPushMap: ecs__map_drop(world, value, op[1].type_info, false); return;
    case EcsOpPushStruct:
    case EcsOpPushArray: each_part_value(world, type->component, value, value, drop_part); return;
    default: flecs_type_info_dtor(value, 1, type);
    }
}

static void copy_new_vec(const ecs_world_t *world, const ecs_type_info_t *element, ecs_vec_t *dst,
    const ecs_vec_t *src) {
    ecs_vec_set_count(NULL, dst, element->size, src->count);
    for (int32_t i = 0; i < src->count; i++) {
        const ecs_size_t at = element->size * i;
        ecs__value_copy_new(world, element, ECS_OFFSET(dst->array, at), ECS_OFFSET(src->array, at));
    }
}

static void copy_new_map(const ecs_world_t *world, const ecs_type_info_t *element, ecs_map_t *dst,
    const ecs_map_t *src) {
    ecs_map_iter_t it = ecs_map_iter(src);
    while (ecs_map_next(&it)) {
        void *to = ecs__map_slot(dst, ecs_map_key(&it), element);
        ecs__value_copy_new(world, element, to, ecs__map_element(&ecs_map_value(&it), element));
    }
}

void ecs__value_copy_new(
    const ecs_world_t *world, const ecs_type_info_t *type, void *dst, const void *src) {
    const ecs_meta_op_t *op = op_to_walk(world, type, type->hooks.copy != NULL);
    ecs_os_memset(dst, 0, type->size);
    switch (op ? op->kind : EcsOpScope) {
    case EcsOpString: ecs_os_strset(dst, *(char *const *)src); return;
    case EcsOpPushVector: copy_new_vec(world, op[1].type_info, dst, src); return;
    case EcsOpPushMap: copy_new_map(world, op[1].type_info, dst, src); return;
    case EcsOpPushStruct:
    case EcsOpPushArray:
        ecs_os_memcpy(dst, src, type->size);
        each_part_value(world, type->component, dst, src, ecs__value_copy_new);
        return;
    default: flecs_type_info_copy_ctor(dst, src, 1, type);
    }
}

static bool needs_hooks(const ecs_vec_t *parts, ecs_flags32_t *illegal) {
    const ecs_flags32_t compare = ECS_TYPE_HOOK_CMP_ILLEGAL | ECS_TYPE_HOOK_EQUALS_ILLEGAL;
    ecs_flags32_t flags = 0;
    for (int32_t i = 0; i < parts->count; i++) {
        const ecs_type_info_t *type = ecs_vec_get_t(parts, ecs__part_t, i)->type_info;
        flags |= type->hooks.flags;
    }
    *illegal = flags & ECS_TYPE_HOOKS_ILLEGAL & ~compare;
    return flags & ECS_TYPE_HOOKS & ~(ECS_TYPE_HOOK_CMP | ECS_TYPE_HOOK_EQUALS);
}

static bool move_as_bytes(const ecs_vec_t *parts) {
    bool do_all = true;
    for (int32_t i = 0; do_all && i < parts->count; i++)
        do_all = !ecs_vec_get_t(parts, ecs__part_t, i)->type_info->hooks.ctor_move_dtor;
    return do_all;
}

// Operations that some part forbids stay forbidden: a hook and its prohibition exclude each other.
static void forbid(ecs_type_hooks_t *hooks, ecs_flags32_t illegal) {
    hooks->flags |= illegal;
    if (illegal & ECS_TYPE_HOOK_CTOR_ILLEGAL) hooks->ctor = NULL;
    if (illegal & ECS_TYPE_HOOK_DTOR_ILLEGAL) hooks->dtor = NULL;
    if (illegal & ECS_TYPE_HOOK_COPY_ILLEGAL) hooks->copy = NULL;
    if (illegal & ECS_TYPE_HOOK_MOVE_ILLEGAL) hooks->move = NULL;
}

void ecs__storage_hooks(const ecs_vec_t *ops, const ecs_vec_t *parts, ecs_type_hooks_t *hooks) {
    ecs_meta_op_kind_t kind = ((const ecs_meta_op_t *)ecs_vec_first(ops))->kind;
    ecs_flags32_t illegal = 0;
    if (kind == EcsOpPushVector) {
        hooks->dtor = destruct_vecs;
        hooks->copy = copy_vecs;
        hooks->move = ecs__move_owned;
        hooks->flags = ECS_TYPE_HOOK_MOVES_AS_BYTES;
    } else if (kind == EcsOpPushMap) {
        hooks->dtor = destruct_maps;
        hooks->copy = copy_maps;
        hooks->move = ecs__move_owned;
        hooks->flags = ECS_TYPE_HOOK_MOVES_AS_BYTES;
    } else if (needs_hooks(parts, &illegal)) {
        hooks->ctor = construct;
        hooks->dtor = destruct;
        hooks->copy = copy;
        hooks->move = move;
        if (move_as_bytes(parts)) hooks->flags = ECS_TYPE_HOOK_MOVES_AS_BYTES;
    }
    forbid(hooks, illegal);
}

void ecs__type_set_hooks(ecs_world_t *world, ecs_entity_t type, const ecs_vec_t *ops) {
    ecs_type_hooks_t hooks = { 0 };
    ecs__parts_t *parts = ecs__parts_new(world, ops);
    ecs__storage_hooks(ops, &parts->all, &hooks);
    ecs__compare_hooks(world, ops, &hooks);
    hooks.lifecycle_ctx = parts;
    hooks.lifecycle_ctx_free = ecs__parts_free;
    ecs_set_hooks_id(world, type, &hooks);
    const ecs_type_hooks_t *set = ecs_get_hooks_id(world, type);
    if (!set || set->lifecycle_ctx != parts) ecs__parts_free(parts); /* it was refused */
}
