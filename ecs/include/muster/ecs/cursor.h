// SPDX-License-Identifier: MIT
// cursor: reading and writing a value of any described type, part by part.
//
//   ecs_meta_cursor_t c = ecs_meta_cursor(world, type, ptr);
//   ecs_meta_push(&c);                       // {
//     ecs_meta_set_float(&c, 10);            //   first member
//     ecs_meta_next(&c);
//     ecs_meta_set_float(&c, 20);            //   second member
//   ecs_meta_pop(&c);                        // }
//
// Functions that return int give 0, or -1 with a sentence; the cursor then stays where it was (after a
// path: on the member that the path began with).
// A cursor stands on a value; push enters its parts, pop returns to it. It borrows the value and
// must not outlive changes of the type. Threads: one at a time; those of ecs_set if the value is in a world.
#ifndef MUSTER_ECS_CURSOR_H
#define MUSTER_ECS_CURSOR_H

#include <muster/ecs/reflect.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Values in values. */
#define ECS_META_MAX_SCOPE_DEPTH 32

/** Where a cursor is on one level; not for users. */
typedef struct ecs_meta_scope_t {
    ecs_meta_op_kind_t kind;  /**< of the value whose parts these are */
    ecs_entity_t type;        /**< its type */
    const EcsOpaque *opaque;  /**< how to get at its parts, or NULL */
    void *container;          /**< the value itself: struct, array, vector, map or opaque */
    const ecs_meta_op_t *ops; /**< of its members, or of one element */
    int32_t op_count;
    int32_t op;         /**< present member */
    int32_t elem;       /**< present element */
    int32_t elem_count; /**< of arrays; -1: may grow */
    const ecs_type_info_t *element_info;
    void *base;   /**< what offsets of `ops` count from; NULL: not asked for yet */
    int16_t home; /**< depth at which the path began that led here; 0: no path */
} ecs_meta_scope_t;

typedef struct ecs_meta_cursor_t {
    const ecs_world_t *world;
    ecs_meta_scope_t scope[ECS_META_MAX_SCOPE_DEPTH];
    int16_t depth;
    bool valid;
    bool is_primitive_scope; /**< the root has no parts and was entered */
    /** How names in strings become entities; NULL: ecs_lookup. */
    ecs_entity_t (*lookup_action)(ecs_world_t *world, const char *name, void *ctx);
    void *lookup_ctx;
} ecs_meta_cursor_t;

/** A cursor on the value at `ptr`. `valid` is false, after a sentence, if the type has no
 * description. */
ECS_API ecs_meta_cursor_t ecs_meta_cursor(const ecs_world_t *world, ecs_entity_t type, void *ptr);
/** The present value. */
ECS_API void *ecs_meta_get_ptr(ecs_meta_cursor_t *cursor);

/** Enter the present value: its first member or element. Vectors lose their elements. */
ECS_API int ecs_meta_push(ecs_meta_cursor_t *cursor);
ECS_API int ecs_meta_pop(ecs_meta_cursor_t *cursor);
/** Go to the next member or element; vectors grow. */
ECS_API int ecs_meta_next(ecs_meta_cursor_t *cursor);
ECS_API int ecs_meta_elem(ecs_meta_cursor_t *cursor, int32_t elem);
/** Go to a member of the entered struct. */
ECS_API int ecs_meta_member(ecs_meta_cursor_t *cursor, const char *name);
/** The same without a sentence if there is none. */
ECS_API int ecs_meta_try_member(ecs_meta_cursor_t *cursor, const char *name);
/** Go to a part of a part: "a.b[1].c". Nothing has to be left afterwards: the next move, pop included, begins on the
 * member that the path began with. Vectors on the way keep their elements, and grow if they have too few. */
ECS_API int ecs_meta_dotmember(ecs_meta_cursor_t *cursor, const char *path);
/** The same without a sentence if there is no such part. */
ECS_API int ecs_meta_try_dotmember(ecs_meta_cursor_t *cursor, const char *path);
/** Go to the element of a key of the entered map; it is added if it is missing. */
ECS_API int ecs_meta_key(ecs_meta_cursor_t *cursor, const ecs_value_t *key);
/** True if the cursor is among elements of an array, vector or map. */
ECS_API bool ecs_meta_is_collection(const ecs_meta_cursor_t *cursor);
ECS_API bool ecs_meta_is_map(const ecs_meta_cursor_t *cursor);
/** Type of the present value. */
ECS_API ecs_entity_t ecs_meta_get_type(const ecs_meta_cursor_t *cursor);
/** Unit of the present member, or 0. */
ECS_API ecs_entity_t ecs_meta_get_unit(const ecs_meta_cursor_t *cursor);
/** Name of the present member, or NULL. */
ECS_API const char *ecs_meta_get_member(const ecs_meta_cursor_t *cursor);
/** Entity of the present member, or 0. */
ECS_API ecs_entity_t ecs_meta_get_member_id(const ecs_meta_cursor_t *cursor);

/* Assign to the present value. Numbers convert to each other within range, text to numbers, and a
 * char to text; text names constants and entities. */
ECS_API int ecs_meta_set_bool(ecs_meta_cursor_t *cursor, bool value);
ECS_API int ecs_meta_set_char(ecs_meta_cursor_t *cursor, char value);
ECS_API int ecs_meta_set_int(ecs_meta_cursor_t *cursor, int64_t value);
ECS_API int ecs_meta_set_uint(ecs_meta_cursor_t *cursor, uint64_t value);
ECS_API int ecs_meta_set_float(ecs_meta_cursor_t *cursor, double value);
ECS_API int ecs_meta_set_string(ecs_meta_cursor_t *cursor, const char *value);
/** Text in quotes, with escape sequences. */
ECS_API int ecs_meta_set_string_literal(ecs_meta_cursor_t *cursor, const char *value);
ECS_API int ecs_meta_set_entity(ecs_meta_cursor_t *cursor, ecs_entity_t value);
ECS_API int ecs_meta_set_id(ecs_meta_cursor_t *cursor, ecs_id_t value);
ECS_API int ecs_meta_set_null(ecs_meta_cursor_t *cursor);
/** A value of the same type, or one that converts. */
ECS_API int ecs_meta_set_value(ecs_meta_cursor_t *cursor, const ecs_value_t *value);

/* Read the present value; 0, with a sentence, if it is of no such kind. */
ECS_API bool ecs_meta_get_bool(const ecs_meta_cursor_t *cursor);
ECS_API char ecs_meta_get_char(const ecs_meta_cursor_t *cursor);
ECS_API int64_t ecs_meta_get_int(const ecs_meta_cursor_t *cursor);
ECS_API uint64_t ecs_meta_get_uint(const ecs_meta_cursor_t *cursor);
ECS_API double ecs_meta_get_float(const ecs_meta_cursor_t *cursor);
ECS_API const char *ecs_meta_get_string(const ecs_meta_cursor_t *cursor);
ECS_API ecs_entity_t ecs_meta_get_entity(const ecs_meta_cursor_t *cursor);
ECS_API ecs_id_t ecs_meta_get_id(const ecs_meta_cursor_t *cursor);
/** A number of a primitive kind as double. */
ECS_API double ecs_meta_ptr_to_float(ecs_primitive_kind_t kind, const void *ptr);

#ifdef __cplusplus
}
#endif

#endif
