// SPDX-License-Identifier: MIT
// base: integer names, opaque types and small macros that every other header builds on.
//
// No functions with state: everything here may be used from any thread. The layout of ids is in
// id.h.
#ifndef MUSTER_ECS_BASE_H
#define MUSTER_ECS_BASE_H

#include <muster/ecs/config.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

ECS_BEGIN_DECLS

/** An id: entity, component or pair, with flags. See id.h. */
typedef uint64_t ecs_id_t;
/** An id that is an entity. */
typedef ecs_id_t ecs_entity_t;
/** Size in bytes. */
typedef int32_t ecs_size_t;

typedef uint8_t ecs_flags8_t;
typedef uint16_t ecs_flags16_t;
typedef uint32_t ecs_flags32_t;
typedef uint64_t ecs_flags64_t;

/** One bit per term or field of a query. */
#if FLECS_TERM_COUNT_MAX <= 8
typedef uint8_t ecs_termset_t;
#elif FLECS_TERM_COUNT_MAX <= 16
typedef uint16_t ecs_termset_t;
#elif FLECS_TERM_COUNT_MAX <= 32
typedef uint32_t ecs_termset_t;
#else
typedef uint64_t ecs_termset_t;
#endif

/** The ids of a table, sorted ascending as unsigned numbers. */
typedef struct ecs_type_t {
    ecs_id_t *array;
    int32_t count;
} ecs_type_t;

typedef struct ecs_world_t ecs_world_t;
typedef struct ecs_stage_t ecs_stage_t;
typedef struct ecs_table_t ecs_table_t;
typedef struct ecs_component_record_t ecs_component_record_t;
typedef struct ecs_allocator_t ecs_allocator_t;
typedef struct ecs_block_allocator_t ecs_block_allocator_t;
typedef struct ecs_mixins_t ecs_mixins_t;

/** A world, stage, query, observer or system; functions tell them apart by their header. */
typedef void ecs_poly_t;

/** First member of every ecs_poly_t. */
typedef struct ecs_header_t {
    int32_t type;
    int32_t refcount;
    ecs_mixins_t *mixins;
} ecs_header_t;

#define ecs_world_t_magic 0x65637377    /* "ecsw" */
#define ecs_stage_t_magic 0x65637373    /* "ecss" */
#define ecs_query_t_magic 0x65637371    /* "ecsq" */
#define ecs_observer_t_magic 0x6563736F /* "ecso" */
#define ecs_system_t_magic 0x65637379   /* "ecsy" */
/** True if an object is an ecs_world_t, ecs_stage_t, ecs_query_t, ecs_observer_t or ecs_system_t. */
#define flecs_poly_is(poly, T) (ECS_PTR_CAST(const ecs_header_t *, poly)->type == T##_magic)

/** Frees a user context; called when its owner goes or the context is replaced. */
typedef void (*ecs_ctx_free_t)(void *ctx);

#ifdef __cplusplus
#define ECS_CAST(T, value) (static_cast<T>(value))
#define ECS_CONST_CAST(T, value) (const_cast<T>(value))
#define ECS_PTR_CAST(T, value) (reinterpret_cast<T>(value))
#define ECS_NULL_ nullptr
#define ECS_ALIGNOF(T) (static_cast<int64_t>(alignof(T)))
#else
#define ECS_CAST(T, value) ((T)(value))
#define ECS_CONST_CAST(T, value) ((T)(uintptr_t)(value))
#define ECS_PTR_CAST(T, value) ((T)(value))
#define ECS_NULL_ NULL
#if __STDC_VERSION__ >= 201112L
#define ECS_ALIGNOF(T) ((int64_t) _Alignof(T))
#else
#define ECS_ALIGNOF(T) ((int64_t) __alignof__(T))
#endif
#endif
#define ECS_SIZEOF(T) (ECS_CAST(ecs_size_t, sizeof(T)))

/* Also of NULL. */
#define ECS_PTR_BITS_(ptr) ECS_PTR_CAST(uintptr_t, ECS_CAST(const void *, ptr))

/** `size` rounded up to a multiple of `alignment`. */
#define ECS_ALIGN(size, alignment) (((size) + (alignment)-1) / (alignment) * (alignment))
/** Pointer `bytes` after `ptr`. */
#define ECS_OFFSET(ptr, bytes) \
    (ECS_PTR_CAST(void *, ECS_PTR_BITS_(ptr) + ECS_CAST(uintptr_t, bytes)))
/** Pointer to element `index` of an array of elements of `size` bytes. */
#define ECS_ELEM(ptr, size, index) \
    ECS_OFFSET(ptr, ECS_CAST(intptr_t, size) * ECS_CAST(intptr_t, index))
#define ECS_ELEM_T(ptr, T, index) (ECS_CAST(T *, ECS_ELEM(ptr, sizeof(T), index)))

#define ECS_MAX(a, b) (((a) > (b)) ? (a) : (b))
#define ECS_MIN(a, b) (((a) < (b)) ? (a) : (b))

#define ECS_BIT_SET(flags, bit) ((flags) |= (bit))
#define ECS_BIT_CLEAR(flags, bit) ((flags) &= ~(bit))
#define ECS_BIT_COND(flags, bit, cond) \
    ((cond) ? (void)ECS_BIT_SET(flags, bit) : (void)ECS_BIT_CLEAR(flags, bit))
#define ECS_BIT_IS_SET(flags, bit) ((flags) & (bit))

/* Compare two objects byte by byte (floats without warnings; distinguishes 0.0 from -0.0). */
#define ECS_EQ(a, b) (memcmp(&(a), &(b), sizeof(a)) == 0)
#define ECS_NEQ(a, b) (!ECS_EQ(a, b))
#define ECS_EQZERO(a) (ecs_is_zero_(&(a), sizeof(a)))
#define ECS_NEQZERO(a) (!ECS_EQZERO(a))

static inline bool ecs_is_zero_(const void *ptr, size_t size) {
    const unsigned char *bytes = ECS_CAST(const unsigned char *, ptr);
    for (size_t i = 0; i < size; i++) {
        if (bytes[i]) {
            return false;
        }
    }
    return true;
}

ECS_END_DECLS

#endif
