// SPDX-License-Identifier: MIT
// answers: what the database asks reflection: members and constants in queries, and hashes of values.
#include "reflect/answers.h"

#include "base/hash.h"
#include "reflect/text.h"

// ---- Members and constants in queries ----

static ecs_entity_t make_member(ecs_world_t *world, const char *path) {
    const char *dot = strrchr(path, '.');
    if (dot == path || ecs_world_get_flags(world) & EcsWorldReadonly) return 0;
    char *owner = ecs_os_memdup(path, (ecs_size_t)(dot - path) + 1);
    owner[dot - path] = '\0';
    ecs_entity_t type = ecs_lookup(world, owner);
    ecs_os_free(owner);
    const EcsStruct *value = ECS__TYPE_GET(world, type, EcsStruct);
    for (int32_t i = 0; value && i < value->members.count; i++) {
        const ecs_member_t *member = ecs_vec_get_t(&value->members, ecs_member_t, i);
        if (!strcmp(member->name, dot + 1))
            return ecs__member_below(world, type, member) ? 0 : ecs__member_entity(world, type, i);
    }
    return 0;
}

// Queries read entities where they are.
static bool is_aligned(const ecs_world_t *world, ecs_entity_t type, ecs_size_t offset) {
    const ecs_size_t alignment = (ecs_size_t)ECS_ALIGNOF(ecs_entity_t);
    const ecs_type_info_t *info = ecs_get_type_info(world, type);
    return info && info->alignment >= alignment && !(offset % alignment);
}

static bool get_member(const ecs_world_t *world, ecs_entity_t entity, ecs_ext_member_t *out) {
    if (!ecs_has(world, entity, EcsMember)) return false;
    *out = (ecs_ext_member_t){ 0 };
    const ecs_entity_t type = ecs_get_parent(world, entity);
    const ecs_member_t *found = ecs__member_of(world, entity);
    const bool holds_entity = found && found->type == ecs_id(ecs_entity_t) && !found->count;
    if (holds_entity && is_aligned(world, type, found->offset))
        *out = (ecs_ext_member_t){ type, found->offset };
    return true;
}

static bool get_constant(const ecs_world_t *world, ecs_entity_t entity, int64_t *value) {
    ecs_entity_t type = ecs_get_parent(world, entity);
    const EcsConstants *all =
        type && ecs_has(world, type, EcsEnum) ? ecs_get(world, type, EcsConstants) : NULL;
    for (int32_t i = 0; all && i < all->ordered_constants.count; i++) {
        const ecs_enum_constant_t *constant =
            ecs_vec_get_t(&all->ordered_constants, ecs_enum_constant_t, i);
        *value = constant->value;
        if (constant->constant == entity) return true;
    }
    return false;
}

// ---- Relationships with values of another type ----

// The operations name the types that the parts have, so that nothing else is needed.
static void describe_like(ecs_world_t *world, ecs_entity_t component, ecs_entity_t like) {
    const EcsType *known = ECS__TYPE_GET(world, like, EcsType);
    if (!known || !ecs__type_ops(world, like)) return;
    EcsType type = *known;
    ecs_vec_t copy = { 0 };
    ecs__ops_add_type(world, &copy, like, 0);
    type.existing = true;
    ecs__parts_mark(world, component, &copy);
    ecs_set_ptr(world, component, EcsType, &type);
    EcsTypeSerializer *value = ecs_ensure(world, component, EcsTypeSerializer);
    EcsTypeSerializer made = { .kind = type.kind, .ops = copy, .existing = true };
    if (!value) { /* refused */
        ecs__serializer_fini(&made);
        return;
    }
    ecs__serializer_fini(value);
    *value = made;
    ecs_modified(world, component, EcsTypeSerializer);
}

// ---- Hashes ----

static uint64_t hash_op(
    const ecs_world_t *world, const ecs_meta_op_t *op, const void *base, uint64_t hash);

static uint64_t hash_text(const char *text, uint64_t hash) {
    return text ? ecs__hash_bytes(text, strlen(text) + 1, hash) : ecs__hash_u64(hash);
}

static uint64_t hash_elements(const ecs_world_t *world, const ecs_meta_op_t *element,
    const void *array, int32_t count, uint64_t hash) {
    const ecs_meta_op_t *op = ecs__type_op(world, element->type);
    hash = ecs__hash_u64(hash ^ (uint64_t)count);
    for (int32_t i = 0; op && i < count; i++)
        hash = hash_op(world, op, ECS_ELEM(array, element->type_info->size, i), hash);
    return hash;
}

// A sum, so that the order in which keys were added does not count.
static uint64_t hash_map(
    const ecs_world_t *world, const ecs_meta_op_t *element, const ecs_map_t *map, uint64_t hash) {
    const ecs_meta_op_t *op = ecs__type_op(world, element->type);
    uint64_t sum = (uint64_t)ecs_map_count(map);
    ecs_map_iter_t it = ecs_map_iter(map);
    while (op && ecs_map_next(&it)) {
        const void *value = ecs__map_element(&ecs_map_value(&it), element->type_info);
        sum += hash_op(world, op, value, ecs__hash_u64(ecs_map_key(&it)));
    }
    return ecs__hash_u64(hash ^ sum);
}

static uint64_t hash_struct(
    const ecs_world_t *world, const ecs_meta_op_t *op, const void *base, uint64_t hash) {
    for (int32_t i = 1; i < op->op_count - 1; i += op[i].op_count)
        hash = hash_op(world, &op[i], base, hash);
    return hash;
}

// Opaque values that can be written, and values of any type, are what they look like as text.
static bool is_text(const ecs_world_t *world, const ecs_meta_op_t *op) {
    const EcsOpaque *opaque = ECS__TYPE_GET(world, op->type, EcsOpaque);
    return opaque ? opaque->serialize != NULL : op->kind == EcsOpPushValue;
}

static uint64_t hash_as_text(
    const ecs_world_t *world, const ecs_meta_op_t *op, const void *ptr, uint64_t hash) {
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    ecs__text_value(&(ecs__text_t){ .world = world, .buf = &buf }, op->type, ptr);
    hash = hash_text(ecs_strbuf_str(&buf), hash);
    ecs_strbuf_reset(&buf);
    return hash;
}

static uint64_t hash_op(
    const ecs_world_t *world, const ecs_meta_op_t *op, const void *base, uint64_t hash) {
    const void *ptr = ECS_OFFSET(base, op->offset);
    switch (op->kind) {
    case EcsOpPushStruct: return hash_struct(world, op, base, hash);
    case EcsOpPushArray: return hash_elements(world, &op[1], ptr, op->is.elem_count, hash);
    case EcsOpPushVector: {
        const ecs_vec_t *vec = ptr;
        return hash_elements(world, &op[1], vec->array, vec->count, hash);
    }
    case EcsOpPushMap: return hash_map(world, &op[1], ptr, hash);
    case EcsOpString: return hash_text(*(char *const *)ptr, hash);
    default: break;
    }
    if (op->kind < EcsOpEnum && is_text(world, op)) return hash_as_text(world, op, ptr, hash);
    return ecs__hash_bytes(ptr, (size_t)op->elem_size, hash);
}

static uint64_t hash_members(const EcsStruct *value, uint64_t hash) {
    for (int32_t i = 0; i < value->members.count; i++) {
        const ecs_member_t *member = ecs_vec_get_t(&value->members, ecs_member_t, i);
        hash = hash_text(member->name, hash ^ member->type);
        hash = ecs__hash_u64(hash ^ (uint64_t)member->count << 32 ^ (uint64_t)member->offset);
    }
    return hash;
}

static uint64_t hash_constants(const EcsConstants *value, uint64_t hash) {
    ecs_map_iter_t it = ecs_map_iter(value->constants);
    while (ecs_map_next(&it)) {
        // Constants of both kinds begin with their name.
        hash = hash_text(((const ecs_enum_constant_t *)ecs_map_ptr(&it))->name, hash);
        hash = ecs__hash_u64(hash ^ ecs_map_key(&it));
    }
    return hash;
}

static uint64_t hash_translation(
    const char *symbol, const ecs_unit_translation_t *translation, uint64_t hash) {
    return ecs__hash_bytes(translation, sizeof *translation, hash_text(symbol, hash));
}

static uint64_t hash_unit(const EcsUnit *unit, uint64_t hash) {
    const uint64_t others[] = { unit->prefix, unit->base, unit->over };
    return hash_translation(
        unit->symbol, &unit->translation, ecs__hash_bytes(others, sizeof others, hash));
}

static uint64_t hash_kind(const EcsType *type, uint64_t hash) {
    return ecs__hash_u64(hash ^ (uint64_t)type->kind << 2 ^ type->existing << 1 ^ type->partial);
}

static uint64_t hash_member(const EcsMember *member, uint64_t hash) {
    const uint64_t parts[] = { member->type, member->unit, (uint64_t)member->count,
        (uint64_t)member->offset << 1 | member->use_offset };
    return ecs__hash_bytes(parts, sizeof parts, hash);
}

static uint64_t hash_array(const EcsArray *array, uint64_t hash) {
    return ecs__hash_u64(ecs__hash_u64(hash ^ array->type) ^ (uint64_t)array->count);
}

// Descriptions themselves hold addresses, or have padding. Operations follow from them, and functions are no state.
static bool hash_description(ecs_entity_t type, const void *value, uint64_t *hash) {
    if (type == ecs_id(EcsTypeSerializer) || type == ecs_id(EcsOpaque)) return true;
    if (type == ecs_id(EcsType))
        *hash = hash_kind(value, *hash);
    else if (type == ecs_id(EcsArray))
        *hash = hash_array(value, *hash);
    else if (type == ecs_id(EcsMember))
        *hash = hash_member(value, *hash);
    else if (type == ecs_id(EcsStruct))
        *hash = hash_members(value, *hash);
    else if (type == ecs_id(EcsConstants))
        *hash = hash_constants(value, *hash);
    else if (type == ecs_id(EcsUnit))
        *hash = hash_unit(value, *hash);
    else if (type == ecs_id(EcsUnitPrefix))
        *hash = hash_translation(((const EcsUnitPrefix *)value)->symbol,
            &((const EcsUnitPrefix *)value)->translation, *hash);
    else
        return false;
    return true;
}

static bool hash_value(
    const ecs_world_t *world, ecs_entity_t type, const void *value, uint64_t *hash) {
    if (hash_description(type, value, hash)) return true;
    const ecs_meta_op_t *op = ecs__type_op(world, type);
    const EcsType *described = op ? ecs_get(world, type, EcsType) : NULL;
    if (!described || described->partial) return false;
    *hash = hash_op(world, op, value, *hash);
    return true;
}

const ecs_ext_reflection_t ecs__reflection = {
    .make_member = make_member,
    .drop_member = ecs__member_drop,
    .get_member = get_member,
    .get_constant = get_constant,
    .describe_like = describe_like,
    .hash_value = hash_value,
    .may_resize = ecs__may_resize,
};
