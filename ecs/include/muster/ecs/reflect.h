// SPDX-License-Identifier: MIT
// reflect: what values are made of, known at run time. Types are entities: primitives, structs with
// members, enums, bitmasks, arrays, vectors, maps and opaque types.
//
//   ecs_entity_t t = ecs_struct(world, { .entity = ecs_id(Position), .members = {
//       { .name = "x", .type = ecs_id(ecs_f32_t) }, { .name = "y", .type = ecs_id(ecs_f32_t) } } });
//
// or, from the text of a C definition:
//
//   ECS_STRUCT(Position, { float x; float y; });
//   ECS_META_COMPONENT(world, Position);
//
// A type of a C component describes what is there; values keep the hooks the component has. A type
// without C component gets size, alignment and hooks (strings and vectors own their memory) from
// its description. ecs_init worlds know all this; ecs_mini worlds after FlecsMetaImport.
//
// A type can be described again, or get members, in other words: with another layout only while there are no values of it, nor of
// types that have it as part or element. Values are those of entities and those that ecs_ptr_new and ecs_value_* made. What lies in
// memory of one's own nobody else knows: it has to end before, and so has a cursor.
//
// Functions that make types take effect at once, deferred or not, and are for the thread that owns
// the world. They return 0 (or -1), with a sentence and the world as before, when the description
// is wrong.
#ifndef MUSTER_ECS_REFLECT_H
#define MUSTER_ECS_REFLECT_H

#include <muster/ecs/c_api.h>
#include <muster/ecs/ds/map.h>
#include <muster/ecs/ds/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Members, or constants, in one descriptor. */
#define ECS_MEMBER_DESC_CACHE_SIZE 32

/* ---- Primitive types ---- */

typedef bool ecs_bool_t;
typedef char ecs_char_t;
typedef unsigned char ecs_byte_t;
typedef uint8_t ecs_u8_t;
typedef uint16_t ecs_u16_t;
typedef uint32_t ecs_u32_t;
typedef uint64_t ecs_u64_t;
typedef uintptr_t ecs_uptr_t;
typedef int8_t ecs_i8_t;
typedef int16_t ecs_i16_t;
typedef int32_t ecs_i32_t;
typedef int64_t ecs_i64_t;
typedef intptr_t ecs_iptr_t;
typedef float ecs_f32_t;
typedef double ecs_f64_t;
typedef char *ecs_string_t; /**< owned by the value */

typedef enum ecs_type_kind_t {
    EcsPrimitiveType,
    EcsBitmaskType,
    EcsEnumType,
    EcsStructType,
    EcsArrayType,
    EcsVectorType,
    EcsOpaqueType,
    EcsMapType,
    EcsValueType,
    EcsTypeKindLast = EcsValueType
} ecs_type_kind_t;

typedef enum ecs_primitive_kind_t {
    EcsBool = 1,
    EcsChar,
    EcsByte,
    EcsU8,
    EcsU16,
    EcsU32,
    EcsU64,
    EcsI8,
    EcsI16,
    EcsI32,
    EcsI64,
    EcsF32,
    EcsF64,
    EcsUPtr,
    EcsIPtr,
    EcsString,
    EcsEntity,
    EcsId,
    EcsPrimitiveKindLast = EcsId
} ecs_primitive_kind_t;

/* ---- Components of types ----
 *
 * EcsPrimitive, EcsEnum, EcsBitmask, EcsArray, EcsVector, EcsMap or EcsOpaque that is set on an entity makes it a type, as its descriptor
 * would. Set again, it changes the type, and constants stay. What is refused is put back, or taken off, with a sentence. A type that was
 * no component before keeps its kind. */

/** Every type has this. */
typedef struct EcsType {
    ecs_type_kind_t kind;
    bool existing; /**< it was a component before it was described */
    bool partial;  /**< the description covers a part of the value */
} EcsType;

typedef struct EcsPrimitive {
    ecs_primitive_kind_t kind;
} EcsPrimitive;

/** Limits of a value, for people who edit it; both 0: none. */
typedef struct ecs_member_value_range_t {
    double min;
    double max;
} ecs_member_value_range_t;

/** Of an entity that is a child of a struct type: makes it a member. Set again, it changes the member, and those behind it move; where the
 * type cannot change it is put back, with a sentence. */
typedef struct EcsMember {
    ecs_entity_t type;
    int32_t count; /**< elements of an inline array; 0: no array */
    ecs_entity_t unit;
    int32_t offset;  /**< bytes; 0: behind the members before it */
    bool use_offset; /**< `offset` counts even if it is 0 */
} EcsMember;

/** Of an entity that is a member, or will be one. */
typedef struct EcsMemberRanges {
    ecs_member_value_range_t value;
    ecs_member_value_range_t warning;
    ecs_member_value_range_t error;
} EcsMemberRanges;

/** A member of a struct. */
typedef struct ecs_member_t {
    const char *name;
    ecs_entity_t type;
    int32_t count;  /**< elements of an inline array; 0: no array */
    int32_t offset; /**< bytes; 0: behind the members before it, naturally aligned */
    ecs_entity_t unit;
    bool use_offset; /**< `offset` counts even if it is 0 */
    ecs_member_value_range_t range;
    ecs_member_value_range_t error_range;
    ecs_member_value_range_t warning_range;
    ecs_size_t size;     /**< bytes of the whole member; set by the library */
    ecs_entity_t member; /**< the entity of the member, or 0; set by the library */
} ecs_member_t;

typedef struct EcsStruct {
    ecs_vec_t members; /**< ecs_member_t */
} EcsStruct;

typedef struct EcsEnum {
    ecs_entity_t underlying_type; /**< an integer type; default as in ecs_enum_desc_t */
} EcsEnum;

/** Values are u32, or unsigned and as large as the component that there was. */
typedef struct EcsBitmask {
    int32_t dummy_;
} EcsBitmask;

typedef struct ecs_enum_constant_t {
    const char *name;
    int64_t value;
    uint64_t value_unsigned; /**< of enums with an unsigned underlying type */
    ecs_entity_t constant;   /**< the entity of the constant; set by the library */
} ecs_enum_constant_t;

typedef struct ecs_bitmask_constant_t {
    const char *name;
    ecs_flags64_t value;
    int64_t _unused;
    ecs_entity_t constant; /**< the entity of the constant; set by the library */
} ecs_bitmask_constant_t;

/** Of enums and bitmasks. */
typedef struct EcsConstants {
    ecs_map_t *constants;        /**< value → pointer to its constant */
    ecs_vec_t ordered_constants; /**< ecs_enum_constant_t or ecs_bitmask_constant_t */
} EcsConstants;

typedef struct EcsArray {
    ecs_entity_t type;
    int32_t count;
} EcsArray;

/** Values are ecs_vec_t. The heap aligns elements, so types that need more than max_align_t have no place here, nor in maps. */
typedef struct EcsVector {
    ecs_entity_t type;
} EcsVector;

/** Values are ecs_map_t. Elements of up to 8 bytes are the map's values, larger ones are pointed to
 * by them (ecs_map_ensure_alloc). */
typedef struct EcsMap {
    ecs_entity_t key_type;
    ecs_entity_t type;
} EcsMap;

/** What the serialize functions of opaque types write to. */
typedef struct ecs_serializer_t {
    int (*value)(const struct ecs_serializer_t *ser, ecs_entity_t type, const void *value);
    int (*member)(const struct ecs_serializer_t *ser, const char *name);
    const ecs_world_t *world;
    void *ctx;
} ecs_serializer_t;

typedef int (*ecs_meta_serialize_t)(const ecs_serializer_t *ser, const void *src);
typedef int (*ecs_meta_serialize_member_t)(
    const ecs_serializer_t *ser, const void *src, const char *name);
typedef int (*ecs_meta_serialize_element_t)(
    const ecs_serializer_t *ser, const void *src, size_t index);

/** A type of which only functions know the layout; to others it looks like `as_type`. */
typedef struct EcsOpaque {
    ecs_entity_t as_type;
    ecs_meta_serialize_t serialize;
    ecs_meta_serialize_member_t serialize_member;
    ecs_meta_serialize_element_t serialize_element;
    /* Assign a value of a kind. */
    void (*assign_bool)(void *dst, bool value);
    void (*assign_char)(void *dst, char value);
    void (*assign_int)(void *dst, int64_t value);
    void (*assign_uint)(void *dst, uint64_t value);
    void (*assign_float)(void *dst, double value);
    void (*assign_string)(void *dst, const char *value);
    void (*assign_entity)(void *dst, ecs_world_t *world, ecs_entity_t entity);
    void (*assign_id)(void *dst, ecs_world_t *world, ecs_id_t id);
    void (*assign_null)(void *dst);
    /* Collections and structs. */
    void (*clear)(void *dst);
    void *(*ensure_element)(void *dst, size_t index);
    void *(*ensure_member)(void *dst, const char *name);
    size_t (*count)(const void *src);
    void (*resize)(void *dst, size_t count);
} EcsOpaque;

/** `factor` to the power of `power`. */
typedef struct ecs_unit_translation_t {
    int32_t factor;
    int32_t power;
} ecs_unit_translation_t;

typedef struct EcsUnit {
    char *symbol; /**< owned by the value */
    ecs_entity_t prefix;
    ecs_entity_t base;
    ecs_entity_t over;
    ecs_unit_translation_t translation;
} EcsUnit;

typedef struct EcsUnitPrefix {
    char *symbol; /**< owned by the value */
    ecs_unit_translation_t translation;
} EcsUnitPrefix;

/* ---- Operations: a type as a flat list, from which values are walked ----
 *
 * A struct is PushStruct, the operations of its members with offsets from the start of the value,
 * Pop. An array, vector or map is its Push, Forward with the type of its elements, Pop. */

typedef enum ecs_meta_op_kind_t {
    EcsOpPushStruct,
    EcsOpPushArray,
    EcsOpPushVector,
    EcsOpPushMap,
    EcsOpPushValue,
    EcsOpPop,
    EcsOpOpaqueStruct,
    EcsOpOpaqueArray,
    EcsOpOpaqueVector,
    EcsOpForward,
    EcsOpScope, /**< below: values without parts */
    EcsOpOpaqueValue,
    EcsOpEnum,
    EcsOpBitmask,
    EcsOpPrimitive, /**< below: primitives, in the order of ecs_primitive_kind_t */
    EcsOpBool,
    EcsOpChar,
    EcsOpByte,
    EcsOpU8,
    EcsOpU16,
    EcsOpU32,
    EcsOpU64,
    EcsOpI8,
    EcsOpI16,
    EcsOpI32,
    EcsOpI64,
    EcsOpF32,
    EcsOpF64,
    EcsOpUPtr,
    EcsOpIPtr,
    EcsOpString,
    EcsOpEntity,
    EcsOpId,
    EcsMetaTypeOpKindLast = EcsOpId
} ecs_meta_op_kind_t;

typedef struct ecs_meta_op_t {
    ecs_meta_op_kind_t kind;
    ecs_meta_op_kind_t underlying_kind; /**< of enums and bitmasks; else `kind` */
    ecs_size_t offset;                  /**< bytes from the start of the value */
    const char *name;                   /**< of a member, or NULL */
    ecs_size_t elem_size;               /**< bytes of a value, or of an element of a collection */
    int16_t op_count;                   /**< operations up to the next member, this one included */
    int16_t member_index;
    ecs_entity_t type;
    const ecs_type_info_t *type_info;
    union {
        int32_t elem_count;         /**< PushArray */
        const ecs_map_t *constants; /**< Enum, Bitmask: value → constant */
    } is;
    ecs_entity_t unit;   /**< of a member, or 0 */
    ecs_entity_t member; /**< the entity of a member, or 0 */
} ecs_meta_op_t;

typedef struct EcsTypeSerializer {
    ecs_type_kind_t kind;
    ecs_vec_t ops; /**< ecs_meta_op_t */
    bool is_part;  /**< other types have had parts of this one, or elements */
    bool existing; /**< as EcsType says, which may be taken away */
    /** A copy of the component that describes it, so that another one can be told from it; none of structs. */
    ecs_value_t source;
} EcsTypeSerializer;

/** The operations of a type as text, one per line; NULL, with a sentence, if it is no type. The
 * caller frees it. */
ECS_API char *ecs_meta_serializer_to_str(const ecs_world_t *world, ecs_entity_t type);
/** Elements of the collection at `ptr` for a Push operation (not of opaque types); 1 for others. */
ECS_API int32_t ecs_meta_op_get_elem_count(const ecs_meta_op_t *op, const void *ptr);

/* ---- Ids ---- */

ECS_API extern const ecs_entity_t ecs_id(ecs_bool_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_char_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_byte_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_u8_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_u16_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_u32_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_u64_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_uptr_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_i8_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_i16_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_i32_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_i64_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_iptr_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_f32_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_f64_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_string_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_entity_t);
ECS_API extern const ecs_entity_t ecs_id(ecs_id_t);
/** A value of any type, which it owns. Values in values are copied if they are up to ECS_META_MAX_SCOPE_DEPTH (cursor.h) levels deep. */
ECS_API extern const ecs_entity_t ecs_id(ecs_value_t);

ECS_API extern const ecs_entity_t ecs_id(EcsType);
ECS_API extern const ecs_entity_t ecs_id(EcsTypeSerializer);
ECS_API extern const ecs_entity_t ecs_id(EcsPrimitive);
ECS_API extern const ecs_entity_t ecs_id(EcsEnum);
ECS_API extern const ecs_entity_t ecs_id(EcsBitmask);
ECS_API extern const ecs_entity_t ecs_id(EcsConstants);
ECS_API extern const ecs_entity_t ecs_id(EcsMember);
ECS_API extern const ecs_entity_t ecs_id(EcsMemberRanges);
ECS_API extern const ecs_entity_t ecs_id(EcsStruct);
ECS_API extern const ecs_entity_t ecs_id(EcsArray);
ECS_API extern const ecs_entity_t ecs_id(EcsVector);
ECS_API extern const ecs_entity_t ecs_id(EcsMap);
ECS_API extern const ecs_entity_t ecs_id(EcsOpaque);
ECS_API extern const ecs_entity_t ecs_id(EcsUnit);
ECS_API extern const ecs_entity_t ecs_id(EcsUnitPrefix);
/** Tag of what units measure: EcsLength, say. */
ECS_API extern const ecs_entity_t EcsQuantity;

/* ---- Making types ---- */

typedef struct ecs_primitive_desc_t {
    ecs_entity_t entity; /**< becomes the type; 0 = a new entity; so in all descriptors */
    ecs_primitive_kind_t kind;
} ecs_primitive_desc_t;

typedef struct ecs_struct_desc_t {
    ecs_entity_t entity;
    ecs_member_t members[ECS_MEMBER_DESC_CACHE_SIZE]; /**< up to the first without name */
    bool create_member_entities; /**< members are children of the type, with EcsMember */
} ecs_struct_desc_t;

typedef struct ecs_enum_desc_t {
    ecs_entity_t entity;
    /** Up to the first without name; value 0 after the first means one more than the one before. */
    ecs_enum_constant_t constants[ECS_MEMBER_DESC_CACHE_SIZE];
    ecs_entity_t underlying_type; /**< 0 = i32, or one of the size of the component */
} ecs_enum_desc_t;

typedef struct ecs_bitmask_desc_t {
    ecs_entity_t entity;
    /** Up to the first without name; value 0 means the bit after the highest so far. */
    ecs_bitmask_constant_t constants[ECS_MEMBER_DESC_CACHE_SIZE];
} ecs_bitmask_desc_t;

typedef struct ecs_array_desc_t {
    ecs_entity_t entity;
    ecs_entity_t type;
    int32_t count;
} ecs_array_desc_t;

typedef struct ecs_vector_desc_t {
    ecs_entity_t entity;
    ecs_entity_t type;
} ecs_vector_desc_t;

typedef struct ecs_map_desc_t {
    ecs_entity_t entity;
    ecs_entity_t key_type; /**< integer, char, bool, entity, id, enum or bitmask */
    ecs_entity_t type;
} ecs_map_desc_t;

typedef struct ecs_opaque_desc_t {
    ecs_entity_t entity; /**< a component */
    EcsOpaque type;
} ecs_opaque_desc_t;

typedef struct ecs_unit_desc_t {
    ecs_entity_t entity;
    const char *symbol;                 /**< NULL: made of those of prefix, base and over */
    ecs_entity_t quantity;              /**< what it measures */
    ecs_entity_t base;                  /**< metres for kilometres, or for metres per second */
    ecs_entity_t over;                  /**< seconds for metres per second; needs base */
    ecs_unit_translation_t translation; /**< to the base, if it is not a prefix */
    ecs_entity_t prefix;                /**< kilo for kilometres; needs base */
} ecs_unit_desc_t;

typedef struct ecs_unit_prefix_desc_t {
    ecs_entity_t entity;
    const char *symbol;
    ecs_unit_translation_t translation;
} ecs_unit_prefix_desc_t;

/** Describe a type whose values are those of a primitive kind; without an entity a new one. [bad input] a component that has another
 * size or alignment, another kind. */
ECS_API ecs_entity_t ecs_primitive_init(ecs_world_t *world, const ecs_primitive_desc_t *desc);
/** Describe a struct. A component keeps its size: a shorter description is partial, a longer one
 * is refused. A type that is part of others can be described again as it is. [bad input] unknown types,
 * members of the same name, a struct that contains itself, another layout of a part, units that are none, a member on another one if
 * one of them is more than numbers. Numbers may be at any offset, as in packed structs; others that are not aligned are refused. */
ECS_API ecs_entity_t ecs_struct_init(ecs_world_t *world, const ecs_struct_desc_t *desc);
/** Add a member behind the others. There must be no values of the type unless it fits into the
 * component. 0, or -1 with a sentence. O(members): the type is described again. */
ECS_API int ecs_struct_add_member(
    ecs_world_t *world, ecs_entity_t type, const ecs_member_t *member);
/** A member by name or position, or NULL, with a sentence if `type` is no struct; valid until the
 * type changes. */
ECS_API ecs_member_t *ecs_struct_get_member(
    ecs_world_t *world, ecs_entity_t type, const char *name);
ECS_API ecs_member_t *ecs_struct_get_nth_member(
    ecs_world_t *world, ecs_entity_t type, int32_t index);
/** Constants become children of the type with the tag EcsConstant and their value in the pair
 * (EcsConstant, underlying type). */
ECS_API ecs_entity_t ecs_enum_init(ecs_world_t *world, const ecs_enum_desc_t *desc);
ECS_API ecs_entity_t ecs_bitmask_init(ecs_world_t *world, const ecs_bitmask_desc_t *desc);
ECS_API ecs_entity_t ecs_array_init(ecs_world_t *world, const ecs_array_desc_t *desc);
/** Vectors and maps: what they hold stays what it was when they were described first. */
ECS_API ecs_entity_t ecs_vector_init(ecs_world_t *world, const ecs_vector_desc_t *desc);
ECS_API ecs_entity_t ecs_map_type_init(ecs_world_t *world, const ecs_map_desc_t *desc);
/** [chk] type.as_type is not 0. */
ECS_API ecs_entity_t ecs_opaque_init(ecs_world_t *world, const ecs_opaque_desc_t *desc);
ECS_API ecs_entity_t ecs_unit_init(ecs_world_t *world, const ecs_unit_desc_t *desc);
ECS_API ecs_entity_t ecs_unit_prefix_init(ecs_world_t *world, const ecs_unit_prefix_desc_t *desc);
ECS_API ecs_entity_t ecs_quantity_init(ecs_world_t *world, const ecs_entity_desc_t *desc);

#define ecs_primitive(world, ...) \
    ecs_primitive_init(world, ECS_TEMP_(ecs_primitive_desc_t, __VA_ARGS__))
#define ecs_struct(world, ...) ecs_struct_init(world, ECS_TEMP_(ecs_struct_desc_t, __VA_ARGS__))
#define ecs_enum(world, ...) ecs_enum_init(world, ECS_TEMP_(ecs_enum_desc_t, __VA_ARGS__))
#define ecs_bitmask(world, ...) ecs_bitmask_init(world, ECS_TEMP_(ecs_bitmask_desc_t, __VA_ARGS__))
#define ecs_array(world, ...) ecs_array_init(world, ECS_TEMP_(ecs_array_desc_t, __VA_ARGS__))
#define ecs_vector(world, ...) ecs_vector_init(world, ECS_TEMP_(ecs_vector_desc_t, __VA_ARGS__))
#define ecs_map_type(world, ...) ecs_map_type_init(world, ECS_TEMP_(ecs_map_desc_t, __VA_ARGS__))
#define ecs_opaque(world, ...) ecs_opaque_init(world, ECS_TEMP_(ecs_opaque_desc_t, __VA_ARGS__))
#define ecs_unit(world, ...) ecs_unit_init(world, ECS_TEMP_(ecs_unit_desc_t, __VA_ARGS__))
#define ecs_unit_prefix(world, ...) \
    ecs_unit_prefix_init(world, ECS_TEMP_(ecs_unit_prefix_desc_t, __VA_ARGS__))
#define ecs_quantity(world, ...) ecs_quantity_init(world, ECS_TEMP_(ecs_entity_desc_t, __VA_ARGS__))

/** Make a world know types. Nothing happens if it does already; nor, with a sentence, if somebody else has an id that a type is to
 * have. [chk] not readonly. */
ECS_API void FlecsMetaImport(ecs_world_t *world);

/* ---- Types from C text ----
 *
 * ECS_STRUCT, ECS_ENUM and ECS_BITMASK define the C type and keep its text. ECS_META_IMPL says what
 * else they define: IMPL (the default, also after #undef) all that ECS_META_COMPONENT needs; DECLARE or
 * EXTERN only declare the id, for headers. */

/** In the text of a struct: members from here on are not described. ecs_world_hash() takes all bytes of such a value. */
#define ECS_PRIVATE
/* Types of members that tell their elements. */
#define ecs_vec(T) ecs_vec_t
#define ecs_map(K, V) ecs_map_t

#define ECS_STRUCT(T, ...)          \
    typedef struct T __VA_ARGS__ T; \
    ECS_META_DEFINE_(ECS_META_IMPL, T, EcsStructType, #__VA_ARGS__)
#define ECS_ENUM(T, ...)          \
    typedef enum T __VA_ARGS__ T; \
    ECS_META_DEFINE_(ECS_META_IMPL, T, EcsEnumType, #__VA_ARGS__)
#define ECS_BITMASK(T, ...)       \
    typedef enum T __VA_ARGS__ T; \
    ECS_META_DEFINE_(ECS_META_IMPL, T, EcsBitmaskType, #__VA_ARGS__)

#if defined(__GNUC__)
#define ECS_META_UNUSED_ __attribute__((unused))
#else
#define ECS_META_UNUSED_
#endif
#define ECS_META_DEFINE_(impl, T, kind, text) ECS_META_DEFINE_AS_(impl, T, kind, text)
#define ECS_META_DEFINE_AS_(impl, T, kind, text) ECS_META_##impl##_(T, kind, text)
#define ECS_META_IMPL_(T, kind, text)                                       \
    ECS_META_UNUSED_ static const char *const ecs_meta_text_##T = text;     \
    ECS_META_UNUSED_ static const ecs_type_kind_t ecs_meta_kind_##T = kind; \
    ECS_COMPONENT_DECLARE(T) ECS_META_UNUSED_ = 0
#define ECS_META_ECS_META_IMPL_ ECS_META_IMPL_ /* not defined: the default */
#define ECS_META_DECLARE_(T, kind, text) extern ECS_COMPONENT_DECLARE(T)
#define ECS_META_EXTERN_(T, kind, text) extern ECS_COMPONENT_DECLARE(T)

/** Describe a component by C text: "{ float x; float y; }", "{ Red, Green = 5 }".
 *
 * Members are of primitive types, of types found by symbol or name, and arrays of these with
 * a constant size. Bitmask constants need values. Values are made of integers, characters and earlier constants by |, <<, + and -.
 *
 * @return         0; -1, with a sentence, if the text cannot be understood.
 */
ECS_API int ecs_meta_from_desc(
    ecs_world_t *world, ecs_entity_t component, ecs_type_kind_t kind, const char *desc);

#ifdef __cplusplus
}
#endif

/** Register a component and describe it by the text of its definition; the value is that of ecs_meta_from_desc. */
#define ECS_META_COMPONENT(world, T)                                                             \
    ecs_meta_component_(world, &ecs_id(T), #T, ECS_SIZEOF(T), ECS_ALIGNOF(T), ecs_meta_kind_##T, \
        ecs_meta_text_##T)

static inline int ecs_meta_component_(ecs_world_t *world, ecs_entity_t *id, const char *name,
    ecs_size_t size, int64_t alignment, ecs_type_kind_t kind, const char *text) {
    *id = ecs_c_component_(world, *id, name, size, alignment);
    return *id ? ecs_meta_from_desc(world, *id, kind, text) : -1;
}

#endif
