// SPDX-License-Identifier: MIT
// value: values outside of entities, of any component: made, copied, moved, compared and printed.
//
// ecs_ptr_* work on memory of the caller, or of the heap (new, free). An ecs_value_t made by
// ecs_value_* owns its value; `{ 0 }` is an empty one. Functions that return int give 0, or -1 with
// a sentence if the type has no size.
// Threads: those of ecs_get_id.
#ifndef MUSTER_ECS_VALUE_H
#define MUSTER_ECS_VALUE_H

#include <muster/ecs/component.h>
#include <muster/ecs/ds/strbuf.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Construct a value in raw memory. */
ECS_API int ecs_ptr_init(const ecs_world_t *world, ecs_entity_t type, void *ptr);
/** Destruct a value; its memory is raw afterwards. */
ECS_API int ecs_ptr_fini(const ecs_world_t *world, ecs_entity_t type, void *ptr);
/** A new value on the heap, as aligned as its type asks: to be freed with ecs_ptr_free, not with ecs_os_free. NULL if the type has no size. */
ECS_API void *ecs_ptr_new(ecs_world_t *world, ecs_entity_t type);
/** Destruct and free a value. */
ECS_API int ecs_ptr_free(ecs_world_t *world, ecs_entity_t type, void *ptr);
/** Copy or move to a constructed value. */
ECS_API int ecs_ptr_copy(const ecs_world_t *world, ecs_entity_t type, void *dst, const void *src);
ECS_API int ecs_ptr_move(const ecs_world_t *world, ecs_entity_t type, void *dst, void *src);
/** Move to raw memory; the source stays constructed. */
ECS_API int ecs_ptr_move_ctor(const ecs_world_t *world, ecs_entity_t type, void *dst, void *src);

/* The same where the type info is at hand. */
ECS_API int ecs_ptr_init_w_type_info(
    const ecs_world_t *world, const ecs_type_info_t *type_info, void *ptr);
ECS_API int ecs_ptr_fini_w_type_info(
    const ecs_world_t *world, const ecs_type_info_t *type_info, void *ptr);
ECS_API void *ecs_ptr_new_w_type_info(ecs_world_t *world, const ecs_type_info_t *type_info);
ECS_API int ecs_ptr_copy_w_type_info(
    const ecs_world_t *world, const ecs_type_info_t *type_info, void *dst, const void *src);
ECS_API int ecs_ptr_move_w_type_info(
    const ecs_world_t *world, const ecs_type_info_t *type_info, void *dst, void *src);
ECS_API int ecs_ptr_move_ctor_w_type_info(
    const ecs_world_t *world, const ecs_type_info_t *type_info, void *dst, void *src);

#define ecs_ptr_new_t(world, T) (ECS_CAST(T *, ecs_ptr_new(world, ecs_id(T))))

/** A value with the default of its type; empty, with a sentence, if that has no size. */
ECS_API ecs_value_t ecs_value_new(const ecs_world_t *world, ecs_entity_t type);
/** A copy of the value at `ptr`. */
ECS_API ecs_value_t ecs_value_init(const ecs_world_t *world, ecs_entity_t type, const void *ptr);
/** Replace a value by a copy of that at `ptr`, which may be of another type, or a part of the value; so may what the next functions
 * copy or move. */
ECS_API int ecs_value_set(
    const ecs_world_t *world, ecs_value_t *value, ecs_entity_t type, const void *ptr);
/** End a value; it is empty afterwards. Its type may have been deleted: values are still copied, compared and ended as they were. */
ECS_API int ecs_value_fini(const ecs_world_t *world, ecs_value_t *value);
/** Replace a value by a copy of another one, types included. */
ECS_API int ecs_value_copy(const ecs_world_t *world, ecs_value_t *dst, const ecs_value_t *src);
/** The same, for a `dst` without content. */
ECS_API int ecs_value_copy_ctor(const ecs_world_t *world, ecs_value_t *dst, const ecs_value_t *src);
/** Replace a value by another one, which is empty afterwards. */
ECS_API int ecs_value_move(const ecs_world_t *world, ecs_value_t *dst, ecs_value_t *src);
ECS_API int ecs_value_move_ctor(const ecs_world_t *world, ecs_value_t *dst, ecs_value_t *src);
/** Order of two values: by type first; by the hooks of the type, or else by what it is made of, as ecs_set_rtt_compare says, or else by
 * bytes: what is opaque or described in part, and maps that are not equal. */
ECS_API int ecs_value_compare(const ecs_world_t *world, const ecs_value_t *a, const ecs_value_t *b);
ECS_API bool ecs_value_equals(const ecs_world_t *world, const ecs_value_t *a, const ecs_value_t *b);

/** Set the hook `cmp` (or `equals`) of a described component, unless it has one: members in order,
 * arrays and vectors element by element (a vector that another one continues is smaller), strings
 * by strcmp with NULL first. 0; -1 with a sentence if some part cannot be compared. */
ECS_API int ecs_set_rtt_compare(ecs_world_t *world, ecs_entity_t component);
ECS_API int ecs_set_rtt_equals(ecs_world_t *world, ecs_entity_t component);

/** A value as an expression: `{x: 10, y: [1, 2], name: "Bob"}`. NULL, with a sentence, if the type
 * has no description or the value is none of it. The caller frees the text. */
ECS_API char *ecs_ptr_to_expr(const ecs_world_t *world, ecs_entity_t type, const void *ptr);
/** The same, but the value of a string type is its text as it is. */
ECS_API char *ecs_ptr_to_str(const ecs_world_t *world, ecs_entity_t type, const void *ptr);
/** The same as ecs_ptr_to_expr, appended to `buf`. 0; -1 on failure. */
ECS_API int ecs_ptr_to_expr_buf(
    const ecs_world_t *world, ecs_entity_t type, const void *ptr, ecs_strbuf_t *buf);

#ifdef __cplusplus
}
#endif

#endif
