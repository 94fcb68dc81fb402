// SPDX-License-Identifier: MIT
// primitive: types without parts: numbers, strings, entities, ids.
#include "reflect/primitive.h"

#include "reflect/describe.h"

static const struct {
    ecs_size_t size;
    int64_t alignment;
} layouts[] = {
#define PRIMITIVE(T, kind, id, name) [Ecs##kind] = { ECS_SIZEOF(T), ECS_ALIGNOF(T) },
#define COMPONENT(T, id)
#include "reflect/meta.def"
#undef PRIMITIVE
#undef COMPONENT
};

// ---- Comparing: the kind is in lifecycle_ctx ----

static ecs_meta_op_kind_t kind_of(const ecs_type_info_t *type) {
    return (ecs_meta_op_kind_t)(EcsOpPrimitive + (uintptr_t)type->hooks.lifecycle_ctx);
}

static int compare_strings(const char *a, const char *b) {
    if (!a || !b) return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

static int compare(const void *a, const void *b, const ecs_type_info_t *type) {
    ecs_meta_op_kind_t kind = kind_of(type);
    if (kind == EcsOpString) return compare_strings(*(char *const *)a, *(char *const *)b);
    if (ecs__op_is_float(kind)) {
        ecs_primitive_kind_t primitive = (ecs_primitive_kind_t)(kind - EcsOpPrimitive);
        double x = ecs_meta_ptr_to_float(primitive, a), y = ecs_meta_ptr_to_float(primitive, b);
        return (x > y) - (x < y);
    }
    uint64_t x = ecs__op_read_integer(kind, a), y = ecs__op_read_integer(kind, b);
    if (ecs__op_is_signed(kind) || kind == EcsOpChar) {
        return ((int64_t)x > (int64_t)y) - ((int64_t)x < (int64_t)y);
    }
    return (x > y) - (x < y);
}

static bool equals(const void *a, const void *b, const ecs_type_info_t *type) {
    return !compare(a, b, type);
}

// ---- Values of any type: the world is in lifecycle_ctx ----

static void destruct_values(void *ptr, int32_t count, const ecs_type_info_t *type) {
    for (int32_t i = 0; i < count; i++)
        ecs_value_fini(type->hooks.lifecycle_ctx, &((ecs_value_t *)ptr)[i]);
}

static void copy_values(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    for (int32_t i = 0; i < count; i++) {
        ecs_value_copy(
            type->hooks.lifecycle_ctx, &((ecs_value_t *)dst)[i], &((const ecs_value_t *)src)[i]);
    }
}

static int compare_values(const void *a, const void *b, const ecs_type_info_t *type) {
    return ecs_value_compare(type->hooks.lifecycle_ctx, a, b);
}

// ---- Making them ----

bool ecs__primitive_define(ecs_world_t *world, ecs_entity_t type, const void *primitive) {
    ecs_primitive_kind_t kind = ((const EcsPrimitive *)primitive)->kind;
    if (kind < EcsBool || kind > EcsPrimitiveKindLast)
        return ecs__type_fail("%d is no kind of primitive types", kind);
    ecs_type_hooks_t hooks = { 0 };
    if (kind == EcsString) hooks = ecs__owned_text_hooks;
    hooks.cmp = compare;
    hooks.equals = equals;
    hooks.lifecycle_ctx = (void *)(uintptr_t)kind;
    ecs__type_def_t def = { .kind = EcsPrimitiveType,
        .size = layouts[kind].size,
        .alignment = (ecs_size_t)layouts[kind].alignment,
        .hooks = &hooks,
        .source = ecs_id(EcsPrimitive),
        .source_value = primitive };
    ecs_meta_op_kind_t op_kind = (ecs_meta_op_kind_t)((int)EcsOpPrimitive + (int)kind);
    ecs__ops_add(&def.ops, op_kind, type, NULL)->elem_size = def.size;
    return ecs__type_define(world, type, &def);
}

ecs_entity_t ecs_primitive_init(ecs_world_t *world, const ecs_primitive_desc_t *desc) {
    ECS__NEED_OR(desc, 0);
    const EcsPrimitive value = { desc->kind };
    return ecs__describe_by(world, desc->entity, ecs_id(EcsPrimitive), &value);
}

void ecs__value_type_init(ecs_world_t *world) {
    const ecs_type_hooks_t hooks = { .dtor = destruct_values,
        .copy = copy_values,
        .move = ecs__move_owned,
        .cmp = compare_values,
        .lifecycle_ctx = world };
    ecs__type_def_t def = { .kind = EcsValueType,
        .size = ECS_SIZEOF(ecs_value_t),
        .alignment = (ecs_size_t)ECS_ALIGNOF(ecs_value_t),
        .hooks = &hooks };
    ecs__ops_add(&def.ops, EcsOpPushValue, ecs_id(ecs_value_t), NULL)->elem_size = def.size;
    ecs__type_define(world, ecs_id(ecs_value_t), &def);
}
