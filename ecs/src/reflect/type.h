// SPDX-License-Identifier: MIT
// type: what all kinds of types have in common: how one is made, and its operations.
//
// A type is made by one call of ecs__type_define with its finished operations. Each file of a kind
// (primitive, struct, constants, collection, opaque) checks a description, then makes that call.
// Threads: as muster/ecs/reflect.h.
#ifndef ECS_REFLECT_TYPE_H
#define ECS_REFLECT_TYPE_H

#include <muster/ecs/cursor.h>
#include <muster/ecs/reflect.h>
#include <muster/ecs/value.h>
#include "base/assert.h"

/** Text of an entity for messages, in memory of the calling block. */
#define ECS__NAME(world, entity) ecs__entity_text(world, entity, (char[128]){ 0 })
const char *ecs__entity_text(const ecs_world_t *world, ecs_entity_t entity, char *buffer);

/** Log one sentence about a description or value that is wrong. */
bool ecs__type_fail(const char *fmt, ...) ECS_PRINTF_LIKE(1, 2);
/** The same with a code; -1. */
int ecs__cursor_fail(int32_t code, const char *fmt, ...) ECS_PRINTF_LIKE(2, 3);

/** True if a member or constant can be called so; false, with a sentence, for no text, and for the number of an entity ("#12"). */
bool ecs__type_check_name(const ecs_world_t *world, ecs_entity_t type, const char *name);

/** The hook of types that lose their description. */
void ecs__serializer_on_remove(ecs_iter_t *it);
/** True if no type has parts of a description that this one lost; else false, with a sentence. */
bool ecs__was_no_part(const ecs_world_t *world, ecs_entity_t type);
/** True if a component can get another size by hand, without a description that says so. */
bool ecs__may_resize(
    const ecs_world_t *world, ecs_entity_t component, ecs_size_t size, ecs_size_t alignment);

/** What a type needs to be made. */
typedef struct ecs__type_def_t {
    ecs_type_kind_t kind;
    ecs_size_t size, alignment;
    const ecs_type_hooks_t *hooks; /* of values; NULL: those that follow from the operations */
    ecs_vec_t ops;                 /* ecs_meta_op_t; becomes the type's */
    ecs_entity_t source;           /* the component that describes it, or 0 */
    const void *source_value;
} ecs__type_def_t;

/** Make a component out of `type` unless it is one, and set EcsType, EcsTypeSerializer and hooks.
 * False, with a sentence, if the component has another size, or other types have parts of what it was;
 * then nothing has changed but that `ops` are freed. */
bool ecs__type_define(ecs_world_t *world, ecs_entity_t type, ecs__type_def_t *def);

/** The size of a component that was there before its description, which has to fit; else 0. */
ecs_size_t ecs__c_size(const ecs_world_t *world, ecs_entity_t type);

/** The type info of a described type, or NULL, with a sentence. `what` is said to need it. */
const ecs_type_info_t *ecs__type_info_of(
    const ecs_world_t *world, ecs_entity_t type, const char *what);

// ---- Operations ----

/** A component of a type; NULL if it has none, or was deleted since an operation named it. */
#define ECS__TYPE_GET(world, type, T) ((const T *)ecs__type_get(world, type, ecs_id(T)))
static inline const void *ecs__type_get(
    const ecs_world_t *world, ecs_entity_t type, ecs_entity_t component) {
    return type && ecs_is_alive(world, type) ? ecs_get_id(world, type, component) : NULL;
}

/** Operations of a type; NULL if it has no description. */
static inline const ecs_vec_t *ecs__type_ops(const ecs_world_t *world, ecs_entity_t type) {
    const EcsTypeSerializer *serializer = ECS__TYPE_GET(world, type, EcsTypeSerializer);
    return serializer && serializer->ops.count ? &serializer->ops
                                               : NULL; /* who adds one by hand describes nothing */
}

/** The component that describes a type, as it was when the type was made; NULL if it is another one. */
static inline const void *ecs__type_source(
    const ecs_world_t *world, ecs_entity_t type, ecs_entity_t component) {
    const EcsTypeSerializer *serializer = ECS__TYPE_GET(world, type, EcsTypeSerializer);
    return serializer && serializer->source.type == component ? serializer->source.ptr : NULL;
}

/** The first operation of a type; NULL if it has no description. */
static inline const ecs_meta_op_t *ecs__type_op(const ecs_world_t *world, ecs_entity_t type) {
    const ecs_vec_t *ops = ecs__type_ops(world, type);
    return ops ? ecs_vec_first(ops) : NULL;
}

/** Free operations, with the names of members, which they own. */
void ecs__ops_fini(ecs_vec_t *ops);
void ecs__serializer_fini(EcsTypeSerializer *serializer);
/** Add one operation. */
ecs_meta_op_t *ecs__ops_add(
    ecs_vec_t *ops, ecs_meta_op_kind_t kind, ecs_entity_t type, const ecs_type_info_t *type_info);
/** Add Push, Forward and Pop for elements of a type. */
ecs_meta_op_t *ecs__ops_add_collection(ecs_vec_t *ops, ecs_meta_op_kind_t push, ecs_entity_t type,
    const ecs_type_info_t *type_info, ecs_entity_t element, const ecs_type_info_t *element_info);
/** Note at the types that these operations of `type` name that they are parts: only those look for others when they change. */
void ecs__parts_mark(ecs_world_t *world, ecs_entity_t type, const ecs_vec_t *ops);
/** Add those of another type, as part of a value at `offset`. Returns the first. */
ecs_meta_op_t *ecs__ops_add_type(
    const ecs_world_t *world, ecs_vec_t *ops, ecs_entity_t type, ecs_size_t offset);

/** Constants of an enum or bitmask; empty if the type was deleted since the operation was made. */
const ecs_map_t *ecs__op_constants(const ecs_world_t *world, const ecs_meta_op_t *op);

/** The value of an integer, enum or bitmask; signed ones are extended. */
uint64_t ecs__op_read_integer(ecs_meta_op_kind_t kind, const void *ptr);
/** The other way; bits for which there is no room are lost. */
void ecs__op_write_integer(ecs_meta_op_kind_t kind, void *ptr, uint64_t bits);
/** Does a value of this kind hold all of the number? */
bool ecs__op_holds(ecs_meta_op_kind_t kind, uint64_t value);
static inline bool ecs__op_is_signed(ecs_meta_op_kind_t kind) {
    return (kind >= EcsOpI8 && kind <= EcsOpI64) || kind == EcsOpIPtr;
}
static inline bool ecs__op_is_unsigned(ecs_meta_op_kind_t kind) {
    return (kind >= EcsOpByte && kind <= EcsOpU64) || kind == EcsOpUPtr;
}
static inline bool ecs__op_is_opaque(ecs_meta_op_kind_t kind) {
    return (kind >= EcsOpOpaqueStruct && kind <= EcsOpOpaqueVector) || kind == EcsOpOpaqueValue;
}
static inline bool ecs__op_is_float(ecs_meta_op_kind_t kind) {
    return kind == EcsOpF32 || kind == EcsOpF64;
}

/** A move hook for values that are their bytes and what these own: zero bytes own nothing. */
void ecs__move_owned(void *dst, void *src, int32_t count, const ecs_type_info_t *type);

/** Hooks for values that begin with a text, which they own, and are plain otherwise: strings, units, descriptions. */
extern const ecs_type_hooks_t ecs__owned_text_hooks;

/** True if values of the type are stored in the map itself. */
static inline bool ecs__map_is_inline(const ecs_type_info_t *element) { return element->size <= 8; }
/** Address of the element of an entry. */
static inline void *ecs__map_element(ecs_map_val_t *value, const ecs_type_info_t *element) {
    return ecs__map_is_inline(element) ? (void *)value : (void *)(uintptr_t)*value;
}
/** Memory for the element of a key that is new. */
void *ecs__map_slot(ecs_map_t *map, uint64_t key, const ecs_type_info_t *element);
/** The element of a key, constructed if it is new. */
void *ecs__map_ensure(ecs_map_t *map, uint64_t key, const ecs_type_info_t *element);

/** Destruct all elements: by their hooks, or with a world as ecs__value_drop does. With `keep_memory` the map or vector can be used
 * further. */
void ecs__map_drop(
    const ecs_world_t *world, ecs_map_t *map, const ecs_type_info_t *element, bool keep_memory);
void ecs__vec_drop(
    const ecs_world_t *world, ecs_vec_t *vec, const ecs_type_info_t *element, bool keep_memory);
/** Set the number of elements; new ones are constructed, others destructed. */
void ecs__vec_resize(ecs_vec_t *vec, const ecs_type_info_t *element, int32_t count);

// ---- Hooks that follow from operations (lifecycle.c, compare.c) ----

/** Set the hooks of a run-time type that its operations ask for. */
void ecs__type_set_hooks(ecs_world_t *world, ecs_entity_t type, const ecs_vec_t *ops);

/** The entity of a member; 0 if it has none, or none that is a child of the struct. */
ecs_entity_t ecs__member_below(
    const ecs_world_t *world, ecs_entity_t type, const ecs_member_t *member);
/** The member that an entity stands for in the struct above it; NULL: none. */
ecs_member_t *ecs__member_of(const ecs_world_t *world, ecs_entity_t entity);
/** Make the entity of a member that has none. */
ecs_entity_t ecs__member_entity(ecs_world_t *world, ecs_entity_t type, int32_t index);
/** Delete the entity of a member, which stays. */
void ecs__member_drop(ecs_world_t *world, ecs_entity_t member);

/** Describe a struct by any number of ecs_member_t. */
bool ecs__struct_define(ecs_world_t *world, ecs_entity_t type, const ecs_vec_t *members);
/** Describe an enum or bitmask with exactly these constants: ecs_enum_constant_t, any number. */
bool ecs__constants_define(
    ecs_world_t *world, ecs_entity_t type, bool is_bitmask, const ecs_vec_t *constants);

// ---- Hooks of the components of this module ----

extern const ecs_type_hooks_t ecs__struct_hooks, ecs__constants_hooks;
void ecs__member_on_set(ecs_iter_t *it);
void ecs__member_on_remove(ecs_iter_t *it);
void ecs__member_ranges_on_set(ecs_iter_t *it);

#endif
