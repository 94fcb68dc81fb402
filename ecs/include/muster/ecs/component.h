// SPDX-License-Identifier: MIT
// component: registering components, their type information and lifecycle hooks, and reading and
// writing values.
//
// Changes are queued while the world or stage is deferred; registering and hooks take effect at once. `world` may be a stage, except to
// register. Errors common to all: [chk] the entity is alive, the id is valid, the world may be written by the caller. Threads: see
// world.h.
#ifndef MUSTER_ECS_COMPONENT_H
#define MUSTER_ECS_COMPONENT_H

#include <muster/ecs/builtin.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ecs_type_info_t ecs_type_info_t;
typedef struct ecs_type_hooks_t ecs_type_hooks_t;
typedef struct ecs_iter_t ecs_iter_t;

/** Receives an iterator; the form of system, observer and hook callbacks. */
typedef void (*ecs_iter_action_t)(ecs_iter_t *it);

/** Construct or destruct `count` consecutive values. */
typedef void (*ecs_xtor_t)(void *ptr, int32_t count, const ecs_type_info_t *type_info);
/** Copy `count` values; for `copy` the destination is constructed, for `copy_ctor` it is not. */
typedef void (*ecs_copy_t)(
    void *dst, const void *src, int32_t count, const ecs_type_info_t *type_info);
/** Move `count` values; the source may be left in any state that its destructor accepts. */
typedef void (*ecs_move_t)(void *dst, void *src, int32_t count, const ecs_type_info_t *type_info);
/** Three-way comparison of two values. */
typedef int (*ecs_cmp_t)(const void *a, const void *b, const ecs_type_info_t *type_info);
/** True if two values are equal. */
typedef bool (*ecs_equals_t)(const void *a, const void *b, const ecs_type_info_t *type_info);
/** Judges a value just assigned; false suppresses on_set and OnSet. */
typedef bool (*ecs_on_validate_t)(ecs_world_t *world, ecs_entity_t entity, void *ptr);

#define ECS_TYPE_HOOK_CTOR (1u << 0)
#define ECS_TYPE_HOOK_DTOR (1u << 1)
#define ECS_TYPE_HOOK_COPY (1u << 2)
#define ECS_TYPE_HOOK_MOVE (1u << 3)
#define ECS_TYPE_HOOK_COPY_CTOR (1u << 4)
#define ECS_TYPE_HOOK_MOVE_CTOR (1u << 5)
#define ECS_TYPE_HOOK_CTOR_MOVE_DTOR (1u << 6)
#define ECS_TYPE_HOOK_MOVE_DTOR (1u << 7)
#define ECS_TYPE_HOOK_CMP (1u << 8)
#define ECS_TYPE_HOOK_EQUALS (1u << 9)
#define ECS_TYPE_HOOK_CTOR_ILLEGAL (1u << 10)
#define ECS_TYPE_HOOK_DTOR_ILLEGAL (1u << 12)
#define ECS_TYPE_HOOK_COPY_ILLEGAL (1u << 13)
#define ECS_TYPE_HOOK_MOVE_ILLEGAL (1u << 14)
#define ECS_TYPE_HOOK_COPY_CTOR_ILLEGAL (1u << 15)
#define ECS_TYPE_HOOK_MOVE_CTOR_ILLEGAL (1u << 16)
#define ECS_TYPE_HOOK_CTOR_MOVE_DTOR_ILLEGAL (1u << 17)
#define ECS_TYPE_HOOK_MOVE_DTOR_ILLEGAL (1u << 18)
#define ECS_TYPE_HOOK_CMP_ILLEGAL (1u << 19)
#define ECS_TYPE_HOOK_EQUALS_ILLEGAL (1u << 20)
#define ECS_TYPE_HOOK_IN_USE (1u << 21)
/** No hook: rows move as bytes although there is `move`, as values, which may own memory, do not know where they are. */
#define ECS_TYPE_HOOK_MOVES_AS_BYTES (1u << 22)
#define ECS_TYPE_HOOKS (0x3FFu)
#define ECS_TYPE_HOOKS_ILLEGAL (0x1FF400u)

/** Lifecycle hooks of a component. A NULL member means plain bytes (or, for on_*, nothing to
 * call). Without `ctor_move_dtor`, which follows from `move` unless ECS_TYPE_HOOK_MOVES_AS_BYTES is among the flags, rows move to other
 * tables as bytes whatever other hooks there are, several times as fast. */
struct ecs_type_hooks_t {
    ecs_xtor_t ctor;      /**< construct in raw memory */
    ecs_xtor_t dtor;      /**< destruct; the memory is raw afterwards */
    ecs_copy_t copy;      /**< assign to a constructed value */
    ecs_move_t move;      /**< move-assign to a constructed value */
    ecs_copy_t copy_ctor; /**< copy into raw memory; default: ctor, then copy */
    ecs_move_t move_ctor; /**< move into raw memory; default: ctor, then move */
    /** Move into raw memory and destruct the source (a row changes table). */
    ecs_move_t ctor_move_dtor;
    /** Move to a constructed value and destruct the source (a hole is filled). */
    ecs_move_t move_dtor;
    ecs_cmp_t cmp;
    ecs_equals_t equals;
    ecs_flags32_t flags; /**< ECS_TYPE_HOOK_*: which hooks are set or illegal */
    ecs_iter_action_t on_add;
    ecs_iter_action_t on_set;
    ecs_iter_action_t on_remove;
    ecs_iter_action_t on_replace; /**< field 0 is the old, field 1 the new value */
    ecs_on_validate_t on_validate;
    void *ctx;
    void *binding_ctx;
    void *lifecycle_ctx;
    ecs_ctx_free_t ctx_free; /**< of a context that is set again: the last one given */
    ecs_ctx_free_t binding_ctx_free;
    ecs_ctx_free_t lifecycle_ctx_free;
};

/** Size, alignment and hooks of a component; owned by the world. */
struct ecs_type_info_t {
    ecs_size_t size;
    ecs_size_t alignment;
    ecs_type_hooks_t hooks;
    ecs_entity_t component; /**< the component this belongs to */
    const char *name;
    int32_t refcount; /**< number of id records and tables that rely on it */
    uint32_t values;  /**< number of those that ecs_ptr_new and ecs_value_* made, and own */
};

/** The builtin component that makes an entity a component. */
typedef struct EcsComponent {
    ecs_size_t size;      /**< bytes; 0 for a tag */
    ecs_size_t alignment; /**< bytes */
} EcsComponent;

/** A value and the component (or pair) it belongs to. */
typedef struct ecs_value_t {
    ecs_entity_t type;
    void *ptr;
} ecs_value_t;

/** What ecs_component_init() is to register. */
typedef struct ecs_component_desc_t {
    int32_t _canary;
    ecs_entity_t entity;  /**< becomes the component; 0 = a new entity with a low id */
    ecs_type_info_t type; /**< size, alignment and optionally hooks and name; size 0 = tag */
} ecs_component_desc_t;

/** A remembered place of a component; follows its entity through tables. Fill with
 * ecs_ref_init_id(). */
typedef struct ecs_ref_t {
    ecs_entity_t entity;
    ecs_id_t id;
    uint64_t table_id; /**< number of the table `column` belongs to */
    int32_t column;    /**< -1 when that table has no such component */
} ecs_ref_t;

/** Register a component: size, alignment, hooks.
 *
 * @return         The component entity.
 * Errors:         ECS_INVALID_COMPONENT_SIZE / _ALIGNMENT (abort) if it is already registered with
 *                 others.
 * Deferred:       takes effect at once, also while the world is readonly; not allowed in multithreaded systems [chk].
 */
ECS_API ecs_entity_t ecs_component_init(ecs_world_t *world, const ecs_component_desc_t *desc);
/** Set hooks of a component; members that are NULL keep what is set. [chk] Hooks that decide how
 * values are stored may not change while there are values, of entities or owned, or commands that wait bring some (those in stages of one's
 * own are not looked at), nor does what the library does when values of builtin components come, change or go. `hooks->ctx` and friends are
 * freed by their `*_free` with the component, `lifecycle_ctx` with the world: commands may have values until then. */
ECS_API void ecs_set_hooks_id(
    ecs_world_t *world, ecs_entity_t component, const ecs_type_hooks_t *hooks);
/** The hooks of a component, or NULL if the entity is none. Valid as long as the component. */
ECS_API const ecs_type_hooks_t *ecs_get_hooks_id(const ecs_world_t *world, ecs_entity_t component);
/** The component whose values an id carries, or 0 for tags. A pair carries its first element's
 * values if that is a component (and not PairIsTag), else its second's. */
ECS_API ecs_entity_t ecs_get_typeid(const ecs_world_t *world, ecs_id_t id);
/** The type info of what an id carries, or NULL for tags. */
ECS_API const ecs_type_info_t *ecs_get_type_info(const ecs_world_t *world, ecs_id_t id);

/** The value of an id: owned, or inherited over IsA; NULL if there is none. Valid until the entity
 * or its table changes. [chk] not a tag; pairs without values give NULL. */
ECS_API const void *ecs_get_id(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);
/** The owned value for writing, or NULL. Nothing is reported; call ecs_modified_id when done. [chk] not a tag; the component has no
 * on_replace hook. */
ECS_API void *ecs_get_mut_id(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);
/** The owned value of a component with the trait EcsSparse, straight from its set; NULL if the entity
 * has none. The address stays until the component is removed. [chk] sparse, without
 * (OnInstantiate, Inherit), and of `size` bytes (0: any). */
ECS_API void *ecs_get_sparse_id(
    const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size);
/** The owned value for writing; added first if missing (with the inherited value, if there is one).
 * While deferred: the live value if owned, unless a command recorded before takes it away, else a
 * temporary that is moved in when the queue is applied. In a multithreaded system, declare the write
 * as a term: live values of other rows may be in use by another worker. [chk] `size` is the size of
 * the component in bytes; it has no on_replace hook. */
ECS_API void *ecs_ensure_id(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size);
/** Like ecs_ensure_id, but a value that is added is not constructed: the caller does. `is_new`
 * tells whether it was added; with NULL the value must be new [chk]. [chk] as for ecs_ensure_id. */
ECS_API void *ecs_emplace_id(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size, bool *is_new);
/** Report that a value was written: validation, the on_set hook and observers of OnSet run, and queries see a change. While deferred:
 * when the queue is applied. [chk] the entity has the id. */
ECS_API void ecs_modified_id(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);
/** Copy a value of `size` bytes into the entity, and report it as ecs_modified_id does; the component is added if missing. While
 * deferred, `*ptr` is copied at once; else it may not be a value in the world that moves when the component is added: one of the
 * same entity, or of another one that has the component. [chk] `size` is the size of the component in bytes. */
ECS_API void ecs_set_id(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size, const void *ptr);

/** Remember where a component of an entity is. The component may be missing. [chk] the entity is alive. */
ECS_API ecs_ref_t ecs_ref_init_id(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);
/** Current address of the owned value, or NULL if it is missing or the entity is gone. O(1) while
 * the entity stays in its table. [chk] `id` is that of the reference. */
ECS_API void *ecs_ref_get_id(const ecs_world_t *world, ecs_ref_t *ref, ecs_id_t id);
/** Look the place up again if the entity changed table. */
ECS_API void ecs_ref_update(const ecs_world_t *world, ecs_ref_t *ref, ecs_id_t id);

/** An object that lives on an entity: value of (EcsPoly, EcsQuery), (EcsPoly, EcsObserver) and (EcsPoly, EcsSystem). The value
 * owns the object; it cannot be copied [chk]. */
typedef struct EcsPoly {
    ecs_poly_t *poly;                 /**< e.g. what ecs_query_init returned */
    void (*dtor)(ecs_poly_t *object); /**< not for users */
} EcsPoly;
/** The pair under which an entity has its object: flecs_poly_id(EcsQuery). */
#define flecs_poly_id(tag) ecs_pair(ecs_id(EcsPoly), tag)

/** Which id children of an entity are meant to have: a hint for tools that build worlds; nothing here depends on it. */
typedef struct EcsDefaultChildComponent {
    ecs_id_t component;
} EcsDefaultChildComponent;

/* Ids of components by number, for language bindings whose types are known to many worlds: each type takes a number once,
 * each world remembers an id for it. */
/** A number that nobody else has. Threads: any. */
ECS_API int32_t flecs_component_ids_index_get(void);
/** Remember the id of a type in a world. Not while the world is readonly. */
ECS_API void flecs_component_ids_set(ecs_world_t *world, int32_t index, ecs_entity_t component);
/** The id remembered, or 0. */
ECS_API ecs_entity_t flecs_component_ids_get(const ecs_world_t *world, int32_t index);
/** The same, but 0 if it is not alive any more. */
ECS_API ecs_entity_t flecs_component_ids_get_alive(const ecs_world_t *world, int32_t index);

/** Default constructor: zeroes. */
ECS_API void flecs_default_ctor(void *ptr, int32_t count, const ecs_type_info_t *type_info);
/* Lifecycle operations on `count` consecutive values; plain bytes where no hook is set. */
ECS_API void flecs_type_info_ctor(void *ptr, int32_t count, const ecs_type_info_t *type_info);
ECS_API void flecs_type_info_dtor(void *ptr, int32_t count, const ecs_type_info_t *type_info);
ECS_API void flecs_type_info_copy(
    void *dst, const void *src, int32_t count, const ecs_type_info_t *type_info);
ECS_API void flecs_type_info_move(
    void *dst, void *src, int32_t count, const ecs_type_info_t *type_info);
ECS_API void flecs_type_info_copy_ctor(
    void *dst, const void *src, int32_t count, const ecs_type_info_t *type_info);
ECS_API void flecs_type_info_move_ctor(
    void *dst, void *src, int32_t count, const ecs_type_info_t *type_info);
ECS_API void flecs_type_info_ctor_move_dtor(
    void *dst, void *src, int32_t count, const ecs_type_info_t *type_info);
ECS_API void flecs_type_info_move_dtor(
    void *dst, void *src, int32_t count, const ecs_type_info_t *type_info);
/* Order and equality of two values, by their bytes where no hook is set. */
ECS_API int flecs_type_info_cmp(const void *a, const void *b, const ecs_type_info_t *type_info);
ECS_API bool flecs_type_info_equals(const void *a, const void *b, const ecs_type_info_t *type_info);

#ifdef __cplusplus
}
#endif

#endif
