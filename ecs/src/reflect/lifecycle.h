// SPDX-License-Identifier: MIT
// lifecycle: hooks of run-time types, derived from their operations.
//
// A type's parts are what its hooks go through: the members of a struct, the elements of an array.
// They are kept in lifecycle_ctx of the hooks, so that values can be destructed when descriptions
// are already gone. Vectors and maps have one part: their element.
#ifndef ECS_REFLECT_LIFECYCLE_H
#define ECS_REFLECT_LIFECYCLE_H

#include "reflect/type.h"

/** `count` values of a type inside a value. */
typedef struct ecs__part_t {
    ecs_size_t offset;
    int32_t count;
    const ecs_type_info_t *type_info;
} ecs__part_t;

typedef struct ecs__parts_t {
    const ecs_world_t *world;
    ecs_vec_t all; /* ecs__part_t: direct parts */
} ecs__parts_t;

static inline const ecs__parts_t *ecs__parts_of(const ecs_type_info_t *type_info) {
    return type_info->hooks.lifecycle_ctx;
}
static inline const ecs_type_info_t *ecs__element_of(const ecs_type_info_t *type_info) {
    return ecs_vec_first_t(&ecs__parts_of(type_info)->all, ecs__part_t)->type_info;
}

/** What the operation of a member, with offsets from the start of its struct, is a part of. */
static inline ecs__part_t ecs__part_of(const ecs_meta_op_t *op) {
    bool is_inline_array = op->kind == EcsOpPushArray && op->type == op[1].type;
    return (ecs__part_t){ op->offset, is_inline_array ? op->is.elem_count : 1, op->type_info };
}

ecs__parts_t *ecs__parts_new(const ecs_world_t *world, const ecs_vec_t *ops);
void ecs__parts_free(void *parts);
void ecs__parts_add(
    ecs_vec_t *parts, ecs_size_t offset, int32_t count, const ecs_type_info_t *type_info);

/** Members of a struct, or the element of an array, vector or map. */
void ecs__parts_find(const ecs_vec_t *ops, ecs_vec_t *parts);

/** The hooks of a run-time type that say how values are stored; they take its parts from lifecycle_ctx. */
void ecs__storage_hooks(const ecs_vec_t *ops, const ecs_vec_t *parts, ecs_type_hooks_t *hooks);

/** True if values are numbers only, which lie anywhere and are copied as bytes. What functions of others read is not, nor what owns
 * memory: types of C may have no hooks that say so. */
bool ecs__is_plain(const ecs_world_t *world, const ecs_type_info_t *type);

/** Destruct a value that nobody has seen: types of C may have no destructor, but parts that have one. */
void ecs__value_drop(const ecs_world_t *world, const ecs_type_info_t *type, void *value);

/** Make a copy in raw memory that shares nothing with the value: types of C may have no copy hook, but parts that have one. */
void ecs__value_copy_new(
    const ecs_world_t *world, const ecs_type_info_t *type, void *dst, const void *src);

/** Order of two values: by the hooks of their type, or else by what they are made of, or else by bytes. */
int ecs__value_compare(
    const ecs_world_t *world, const ecs_type_info_t *type, const void *a, const void *b);

/** Set cmp and equals, as far as all parts allow them. */
void ecs__compare_hooks(const ecs_world_t *world, const ecs_vec_t *ops, ecs_type_hooks_t *hooks);

#endif
