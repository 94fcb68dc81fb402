// SPDX-License-Identifier: MIT
// compare: order and equality of values, from what they are made of.
#include "reflect/lifecycle.h"

static ecs_entity_t primitive_of(ecs_meta_op_kind_t kind) {
    return ecs_id(ecs_bool_t) + (ecs_entity_t)(kind - EcsOpBool);
}

// ---- Several values ----

static int compare_each(const ecs_world_t *world, const void *a, const void *b, int32_t count,
    const ecs_type_info_t *type) {
    int order = 0;
    for (int32_t i = 0; i < count && !order; i++) {
        ecs_size_t at = type->size * i;
        order = ecs__value_compare(world, type, ECS_OFFSET(a, at), ECS_OFFSET(b, at));
    }
    return order;
}

static bool are_equal(const ecs_world_t *world, const void *a, const void *b, int32_t count,
    const ecs_type_info_t *type) {
    const ecs_equals_t equals = type->hooks.equals;
    if (!equals) return !compare_each(world, a, b, count, type);
    for (int32_t i = 0; i < count; i++) {
        ecs_size_t at = type->size * i;
        if (!equals(ECS_OFFSET(a, at), ECS_OFFSET(b, at), type)) return false;
    }
    return true;
}

// A vector that another one continues is smaller.
static int compare_lists(const ecs_world_t *world, const ecs_vec_t *a, const ecs_vec_t *b,
    const ecs_type_info_t *element) {
    int order = compare_each(world, a->array, b->array, ECS_MIN(a->count, b->count), element);
    return order ? order : (a->count > b->count) - (a->count < b->count);
}

static bool equal_entries(const ecs_world_t *world, const ecs_map_t *a, const ecs_map_t *b,
    const ecs_type_info_t *element) {
    if (ecs_map_count(a) != ecs_map_count(b)) return false;
    ecs_map_iter_t it = ecs_map_iter(a);
    while (ecs_map_next(&it)) {
        ecs_map_val_t *other = ecs_map_get(b, ecs_map_key(&it));
        if (!other || !are_equal(world, ecs__map_element(&ecs_map_value(&it), element),
                          ecs__map_element(other, element), 1, element))
            return false;
    }
    return true;
}

// ---- Values whose types have no hooks, by operations ----

// Of what is not described as a whole, only the bytes are known.
static const ecs_meta_op_t *whole_of(const ecs_world_t *world, ecs_entity_t type) {
    const EcsType *described = ECS__TYPE_GET(world, type, EcsType);
    return described && !described->partial ? ecs__type_op(world, type) : NULL;
}

static int compare_members(
    const ecs_world_t *world, const ecs_meta_op_t *op, const void *a, const void *b) {
    int order = 0;
    for (int32_t i = 1; i < op->op_count - 1 && !order; i += op[i].op_count) {
        ecs__part_t part = ecs__part_of(&op[i]);
        order = compare_each(world, ECS_OFFSET(a, part.offset), ECS_OFFSET(b, part.offset),
            part.count, part.type_info);
    }
    return order;
}

int ecs__value_compare(
    const ecs_world_t *world, const ecs_type_info_t *type, const void *a, const void *b) {
    if (type->hooks.cmp) return type->hooks.cmp(a, b, type);
    if (type->hooks.equals && type->hooks.equals(a, b, type)) return 0;
    const ecs_meta_op_t *op = whole_of(world, type->component);
    if (op && op->kind >= EcsOpEnum)
        return compare_each(
            world, a, b, 1, ecs_get_type_info(world, primitive_of(op->underlying_kind)));
    switch (op ? op->kind : EcsOpScope) {
    case EcsOpPushStruct: return compare_members(world, op, a, b);
    case EcsOpPushArray: return compare_each(world, a, b, op->is.elem_count, op[1].type_info);
    case EcsOpPushVector: return compare_lists(world, a, b, op[1].type_info);
    case EcsOpPushMap: // keys have no order
        if (equal_entries(world, a, b, op[1].type_info)) return 0;
        break;
    default: break;
    }
    return memcmp(a, b, (size_t)type->size);
}

// ---- Hooks ----

static int compare_parts(const void *a, const void *b, const ecs_type_info_t *type) {
    const ecs__parts_t *parts = ecs__parts_of(type);
    int order = 0;
    for (int32_t i = 0; i < parts->all.count && !order; i++) {
        const ecs__part_t *part = ecs_vec_get_t(&parts->all, ecs__part_t, i);
        order = compare_each(parts->world, ECS_OFFSET(a, part->offset), ECS_OFFSET(b, part->offset),
            part->count, part->type_info);
    }
    return order;
}

static bool equal_parts(const void *a, const void *b, const ecs_type_info_t *type) {
    const ecs__parts_t *parts = ecs__parts_of(type);
    bool equal = true;
    for (int32_t i = 0; i < parts->all.count && equal; i++) {
        const ecs__part_t *part = ecs_vec_get_t(&parts->all, ecs__part_t, i);
        equal = are_equal(parts->world, ECS_OFFSET(a, part->offset), ECS_OFFSET(b, part->offset),
            part->count, part->type_info);
    }
    return equal;
}

static int compare_vecs(const void *a, const void *b, const ecs_type_info_t *type) {
    return compare_lists(ecs__parts_of(type)->world, a, b, ecs__element_of(type));
}

static bool equal_vecs(const void *a_ptr, const void *b_ptr, const ecs_type_info_t *type) {
    const ecs_vec_t *a = a_ptr, *b = b_ptr;
    return a->count == b->count && are_equal(ecs__parts_of(type)->world, a->array, b->array,
                                       a->count, ecs__element_of(type));
}

static bool equal_maps(const void *a, const void *b, const ecs_type_info_t *type) {
    return equal_entries(ecs__parts_of(type)->world, a, b, ecs__element_of(type));
}

// ---- Choosing hooks ----

static bool can_compare(const ecs_type_info_t *type, bool order) {
    return type->hooks.cmp || (!order && type->hooks.equals);
}

// Components without hooks compare by what they are made of.
static bool can_compare_op(const ecs_world_t *world, const ecs_meta_op_t *op, bool order) {
    const bool is_array = op->kind == EcsOpPushArray;
    const ecs_type_info_t *type = is_array ? op[1].type_info : op->type_info;
    if (can_compare(type, false)) return can_compare(type, order);
    if (is_array) {
        const ecs_meta_op_t *element = ecs__type_op(world, op[1].type);
        return element && can_compare_op(world, element, order);
    }
    bool success = op->kind >= EcsOpEnum || op->kind == EcsOpPushStruct;
    for (int32_t i = 1; success && i < op->op_count - 1; i += op[i].op_count)
        success = can_compare_op(world, &op[i], order);
    return success;
}

static bool can_compare_parts(const ecs_world_t *world, const ecs_meta_op_t *op, bool order) {
    const bool is_struct = op->kind == EcsOpPushStruct;
    const int32_t end = is_struct ? op->op_count - 1 : 1;
    bool success = true;
    for (int32_t i = is_struct; success && i < end; i += op[i].op_count)
        success = can_compare_op(world, &op[i], order);
    return success;
}

void ecs__compare_hooks(const ecs_world_t *world, const ecs_vec_t *ops, ecs_type_hooks_t *hooks) {
    const ecs_meta_op_t *op = ecs_vec_first(ops);
    switch (op->kind) {
    case EcsOpPushMap: // keys have no order
        if (can_compare(op[1].type_info, false)) hooks->equals = equal_maps;
        return;
    case EcsOpPushVector:
        if (can_compare(op[1].type_info, true)) hooks->cmp = compare_vecs;
        if (can_compare(op[1].type_info, false)) hooks->equals = equal_vecs;
        return;
    default:
        if (can_compare_parts(world, op, true)) hooks->cmp = compare_parts;
        if (can_compare_parts(world, op, false)) hooks->equals = equal_parts;
    }
}

// Hooks of a C component, which has no parts yet unless one of the two hooks was set before.
static int set_compare_hooks(ecs_world_t *world, ecs_entity_t type, bool order) {
    if (!ecs__type_info_of(world, type, "comparing values")) return -1;
    const ecs_type_hooks_t *has = ecs_get_hooks_id(world, type);
    if (order ? has->cmp != NULL : has->equals != NULL) return 0;
    ecs_type_hooks_t hooks = { 0 };
    if (!has->lifecycle_ctx || has->lifecycle_ctx_free == ecs__parts_free) {
        const ecs_vec_t *ops = ecs__type_ops(world, type);
        const ecs_meta_op_t *op = ecs_vec_first(ops);
        ecs__parts_t *parts = ecs__parts_new(world, ops);
        if (op->kind >= EcsOpEnum)
            ecs__parts_add(
                &parts->all, 0, 1, ecs_get_type_info(world, primitive_of(op->underlying_kind)));
        ecs__compare_hooks(world, ops, &hooks);
        hooks.lifecycle_ctx = parts;
        hooks.lifecycle_ctx_free = ecs__parts_free;
    }
    bool success = order ? hooks.cmp != NULL : hooks.equals != NULL;
    if (!success) {
        if (hooks.lifecycle_ctx) ecs__parts_free(hooks.lifecycle_ctx);
        ecs__type_fail("values of %s cannot be compared", ECS__NAME(world, type));
        return -1;
    }
    if (order)
        hooks.equals = has->equals;
    else
        hooks.cmp = has->cmp;
    ecs_set_hooks_id(world, type, &hooks);
    return 0;
}

int ecs_set_rtt_compare(ecs_world_t *world, ecs_entity_t type) {
    return set_compare_hooks(world, type, true);
}

int ecs_set_rtt_equals(ecs_world_t *world, ecs_entity_t type) {
    return set_compare_hooks(world, type, false);
}
