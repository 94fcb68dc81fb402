// SPDX-License-Identifier: MIT
// opaque: types whose layout only their functions know.
#include "reflect/describe.h"

// The operation that walks a value which looks like a type of this kind.
static ecs_meta_op_kind_t op_kind_of(ecs_type_kind_t kind) {
    switch (kind) {
    case EcsStructType: return EcsOpOpaqueStruct;
    case EcsArrayType: return EcsOpOpaqueArray;
    case EcsVectorType: return EcsOpOpaqueVector;
    default: return EcsOpOpaqueValue;
    }
}

// True if `as`, or what that looks like, is the type itself.
static bool looks_like_itself(const ecs_world_t *world, ecs_entity_t type, ecs_entity_t as) {
    while (as != type) {
        const EcsOpaque *opaque = ECS__TYPE_GET(world, as, EcsOpaque);
        if (!opaque) return false;
        as = opaque->as_type;
    }
    return true;
}

bool ecs__opaque_define(ecs_world_t *world, ecs_entity_t type, const void *opaque) {
    const EcsOpaque *value = opaque;
    ecs_check(value->as_type, ECS_INVALID_PARAMETER,
        "opaque type %s needs a type that it looks like (as_type)", ECS__NAME(world, type));
    const EcsComponent *component = ecs_get(world, type, EcsComponent);
    if (!component || !component->size)
        return ecs__type_fail("opaque type %s is no component", ECS__NAME(world, type));
    const EcsType *as = ECS__TYPE_GET(world, value->as_type, EcsType);
    if (!as) {
        return ecs__type_fail("opaque type %s looks like %s, which has no description",
            ECS__NAME(world, type), ECS__NAME(world, value->as_type));
    }
    if (looks_like_itself(world, type, value->as_type))
        return ecs__type_fail("opaque type %s looks like itself", ECS__NAME(world, type));
    ecs__type_def_t def = { .kind = EcsOpaqueType,
        .size = component->size,
        .alignment = component->alignment,
        .source = ecs_id(EcsOpaque),
        .source_value = opaque };
    ecs__ops_add(&def.ops, op_kind_of(as->kind), type, NULL)->elem_size = component->size;
    return ecs__type_define(world, type, &def);
error:
    return false;
}

ecs_entity_t ecs_opaque_init(ecs_world_t *world, const ecs_opaque_desc_t *desc) {
    ECS__NEED_OR(desc, 0);
    return ecs__describe_by(world, desc->entity, ecs_id(EcsOpaque), &desc->type);
}
