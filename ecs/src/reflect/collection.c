// SPDX-License-Identifier: MIT
// collection: arrays of a constant size, vectors and maps.
#include <stddef.h>

#include "reflect/describe.h"

bool ecs__array_define(ecs_world_t *world, ecs_entity_t type, const void *array) {
    const EcsArray *value = array;
    const ecs_type_info_t *element = ecs__type_info_of(world, value->type, "an array");
    if (!element) return false;
    if (value->type == type)
        return ecs__type_fail("the elements of array %s are the array", ECS__NAME(world, type));
    if (value->count <= 0 || (int64_t)value->count * element->size > INT32_MAX / 2) {
        return ecs__type_fail(
            "array %s cannot have %d elements", ECS__NAME(world, type), value->count);
    }
    ecs__type_def_t def = { .kind = EcsArrayType,
        .size = element->size * value->count,
        .alignment = element->alignment,
        .source = ecs_id(EcsArray),
        .source_value = array };
    ecs__ops_add_collection(&def.ops, EcsOpPushArray, type, NULL, value->type, element)
        ->is.elem_count = value->count;
    return ecs__type_define(world, type, &def);
}

// Values that are there, maybe as parts of others, hold what the type said when they were made.
static bool may_hold(
    const ecs_world_t *world, ecs_entity_t type, ecs_meta_op_kind_t push, ecs_entity_t element) {
    const ecs_meta_op_t *known = ecs__type_op(world, type);
    if (!known || known->kind != push || known[1].type == element) return true;
    return ecs__type_fail("elements of %s are of type %s, which cannot change",
        ECS__NAME(world, type), ECS__NAME(world, known[1].type));
}

static bool may_have_key(const ecs_world_t *world, ecs_entity_t type, ecs_entity_t key) {
    const EcsMap *known = ecs__type_source(world, type, ecs_id(EcsMap));
    if (!known || known->key_type == key) return true;
    return ecs__type_fail("keys of %s are of type %s, which cannot change", ECS__NAME(world, type),
        ECS__NAME(world, known->key_type));
}

// Vectors and maps that C code fills take their memory from the heap, which knows no types.
static bool may_be_element(
    const ecs_world_t *world, ecs_entity_t type, const ecs_type_info_t *element) {
    return (size_t)element->alignment <= _Alignof(max_align_t) ||
           ecs__type_fail("elements of %s would need memory that is aligned to %d bytes",
               ECS__NAME(world, type), element->alignment);
}

bool ecs__vector_define(ecs_world_t *world, ecs_entity_t type, const void *vector) {
    const EcsVector *value = vector;
    const ecs_type_info_t *element = ecs__type_info_of(world, value->type, "a vector");
    if (!element || !may_be_element(world, type, element) ||
        !may_hold(world, type, EcsOpPushVector, value->type))
        return false;
    ecs__type_def_t def = { .kind = EcsVectorType,
        .size = ECS_SIZEOF(ecs_vec_t),
        .alignment = (ecs_size_t)ECS_ALIGNOF(ecs_vec_t),
        .source = ecs_id(EcsVector),
        .source_value = vector };
    ecs__ops_add_collection(&def.ops, EcsOpPushVector, type, NULL, value->type, element);
    return ecs__type_define(world, type, &def);
}

static bool is_key(ecs_meta_op_kind_t kind) {
    return kind == EcsOpEnum || kind == EcsOpBitmask || kind == EcsOpBool || kind == EcsOpChar ||
           kind == EcsOpEntity || kind == EcsOpId || ecs__op_is_signed(kind) ||
           ecs__op_is_unsigned(kind);
}

bool ecs__map_define(ecs_world_t *world, ecs_entity_t type, const void *map) {
    const EcsMap *value = map;
    const ecs_type_info_t *element = ecs__type_info_of(world, value->type, "a map");
    const ecs_meta_op_t *key = ecs__type_op(world, value->key_type);
    if (!element || !may_be_element(world, type, element) ||
        !may_hold(world, type, EcsOpPushMap, value->type) ||
        !may_have_key(world, type, value->key_type))
        return false;
    if (!key || !is_key(key->kind)) {
        return ecs__type_fail("keys of map %s are of no type that keys can have: integers, char, "
                              "bool, entity, id, enums, bitmasks",
            ECS__NAME(world, type));
    }
    ecs__type_def_t def = { .kind = EcsMapType,
        .size = ECS_SIZEOF(ecs_map_t),
        .alignment = (ecs_size_t)ECS_ALIGNOF(ecs_map_t),
        .source = ecs_id(EcsMap),
        .source_value = map };
    ecs__ops_add_collection(&def.ops, EcsOpPushMap, type, NULL, value->type, element);
    return ecs__type_define(world, type, &def);
}

// ---- Descriptors ----

ecs_entity_t ecs_array_init(ecs_world_t *world, const ecs_array_desc_t *desc) {
    ECS__NEED_OR(desc, 0);
    const EcsArray value = { desc->type, desc->count };
    return ecs__describe_by(world, desc->entity, ecs_id(EcsArray), &value);
}

ecs_entity_t ecs_vector_init(ecs_world_t *world, const ecs_vector_desc_t *desc) {
    ECS__NEED_OR(desc, 0);
    const EcsVector value = { desc->type };
    return ecs__describe_by(world, desc->entity, ecs_id(EcsVector), &value);
}

ecs_entity_t ecs_map_type_init(ecs_world_t *world, const ecs_map_desc_t *desc) {
    ECS__NEED_OR(desc, 0);
    const EcsMap value = { desc->key_type, desc->type };
    return ecs__describe_by(world, desc->entity, ecs_id(EcsMap), &value);
}
