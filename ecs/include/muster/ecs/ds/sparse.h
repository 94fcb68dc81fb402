// SPDX-License-Identifier: MIT
// sparse: set of elements addressed by 64-bit ids, with stable addresses and dense iteration.
//
//   dense   [ alive ids … | removed ids … ]      the first `count` are alive
//   pages   id -> { position in dense + 1, element }, allocated when first touched
//
// The low 32 bits of an id are its index, bits 32..47 its generation; functions that take an id
// treat another generation of the same index as not alive. An element stays at its address until it
// is removed. Elements are zeroed when added, and aligned as in an array that begins at a multiple of
// 16 bytes. Order of `ids` is decided by the history of adds and removals. Allocators may be NULL and
// are not used at present.
// Threads: one writer, or any number of readers.
#ifndef MUSTER_ECS_DS_SPARSE_H
#define MUSTER_ECS_DS_SPARSE_H

#include <muster/ecs/ds/vec.h>

ECS_BEGIN_DECLS

#define FLECS_SPARSE_PAGE_SIZE (1 << FLECS_SPARSE_PAGE_BITS)

typedef struct ecs_sparse_page_t ecs_sparse_page_t;

typedef struct ecs_sparse_t {
    ecs_vec_t dense;           /* uint64_t */
    ecs_sparse_page_t **pages; /* by index >> FLECS_SPARSE_PAGE_BITS */
    int32_t page_count;
    ecs_size_t size;    /* of an element */
    int32_t count;      /* alive */
    uint32_t max_index; /* highest index ever used */
} ecs_sparse_t;

/** Make an empty set for elements of `elem_size` bytes. */
ECS_API void flecs_sparse_init(ecs_sparse_t *set, ecs_allocator_t *allocator,
    ecs_block_allocator_t *page_allocator, ecs_size_t elem_size);
#define flecs_sparse_init_t(set, allocator, page_allocator, T) \
    flecs_sparse_init(set, allocator, page_allocator, ECS_SIZEOF(T))
ECS_API void flecs_sparse_fini(ecs_sparse_t *set);
/** Remove all ids and forget removed ones; pages are kept. */
ECS_API void flecs_sparse_clear(ecs_sparse_t *set);
/** Add an element under an unused id: a removed one, else the next higher one, beginning with 1. */
ECS_API void *flecs_sparse_add(ecs_sparse_t *set, ecs_size_t elem_size);
#define flecs_sparse_add_t(set, T) (ECS_CAST(T *, flecs_sparse_add(set, ECS_SIZEOF(T))))
/** The id that was added last (of those alive: the last in `ids`); 0 if there is none. */
ECS_API uint64_t flecs_sparse_last_id(const ecs_sparse_t *set);
/** The same as flecs_sparse_add, but returns the id. */
ECS_API uint64_t flecs_sparse_new_id(ecs_sparse_t *set);
/** Remove an id; false if it is not alive. A later add may use the same id again. */
ECS_API bool flecs_sparse_remove(ecs_sparse_t *set, ecs_size_t elem_size, uint64_t id);
#define flecs_sparse_remove_t(set, T, id) flecs_sparse_remove(set, ECS_SIZEOF(T), id)
/** The same, but a later add of this index uses the next generation. */
ECS_API bool flecs_sparse_remove_w_gen(ecs_sparse_t *set, ecs_size_t elem_size, uint64_t id);
ECS_API bool flecs_sparse_is_alive(const ecs_sparse_t *set, uint64_t id);
/** The element of an id; NULL if it is not alive. */
ECS_API void *flecs_sparse_get(const ecs_sparse_t *set, ecs_size_t elem_size, uint64_t id);
#define flecs_sparse_get_t(set, T, id) (ECS_CAST(T *, flecs_sparse_get(set, ECS_SIZEOF(T), id)))
/** The element of `ids[index]`, which must exist [chk]. */
ECS_API void *flecs_sparse_get_dense(const ecs_sparse_t *set, ecs_size_t elem_size, int32_t index);
#define flecs_sparse_get_dense_t(set, T, index) \
    (ECS_CAST(T *, flecs_sparse_get_dense(set, ECS_SIZEOF(T), index)))
/** Same as flecs_sparse_is_alive. */
ECS_API bool flecs_sparse_has(const ecs_sparse_t *set, uint64_t id);
/** Add a given id; returns its element, NULL if its index is alive already. */
ECS_API void *flecs_sparse_insert(ecs_sparse_t *set, ecs_size_t elem_size, uint64_t id);
#define flecs_sparse_insert_t(set, T, id) \
    (ECS_CAST(T *, flecs_sparse_insert(set, ECS_SIZEOF(T), id)))
/** The element of an id, added if missing. An alive index takes over the generation of `id`.
 *
 * @param is_new  Set to whether it was added; may be NULL.
 */
ECS_API void *flecs_sparse_ensure(
    ecs_sparse_t *set, ecs_size_t elem_size, uint64_t id, bool *is_new);
#define flecs_sparse_ensure_t(set, T, id, is_new) \
    (ECS_CAST(T *, flecs_sparse_ensure(set, ECS_SIZEOF(T), id, is_new)))
/** The same for ids without generation, and without telling whether it was added. */
ECS_API void *flecs_sparse_ensure_fast(ecs_sparse_t *set, ecs_size_t elem_size, uint64_t id);
#define flecs_sparse_ensure_fast_t(set, T, id) \
    (ECS_CAST(T *, flecs_sparse_ensure_fast(set, ECS_SIZEOF(T), id)))
/** Number of ids that are alive. */
ECS_API int32_t flecs_sparse_count(const ecs_sparse_t *set);
/** The alive ids, flecs_sparse_count of them; valid until the next change. */
ECS_API const uint64_t *flecs_sparse_ids(const ecs_sparse_t *set);
/** Forget removed ids and free pages without alive ids. */
ECS_API void flecs_sparse_shrink(ecs_sparse_t *set);

/* Names for users. */
ECS_API void ecs_sparse_init(ecs_sparse_t *set, ecs_size_t elem_size);
#define ecs_sparse_init_t(set, T) ecs_sparse_init(set, ECS_SIZEOF(T))
/** Add a zeroed element with a new id. */
ECS_API void *ecs_sparse_add(ecs_sparse_t *set, ecs_size_t elem_size);
#define ecs_sparse_add_t(set, T) (ECS_CAST(T *, ecs_sparse_add(set, ECS_SIZEOF(T))))
/** The id of the element that was added last. */
ECS_API uint64_t ecs_sparse_last_id(const ecs_sparse_t *set);
ECS_API int32_t ecs_sparse_count(const ecs_sparse_t *set);
ECS_API void *ecs_sparse_get(const ecs_sparse_t *set, ecs_size_t elem_size, uint64_t id);
#define ecs_sparse_get_t(set, T, id) (ECS_CAST(T *, ecs_sparse_get(set, ECS_SIZEOF(T), id)))
/** Element number `index` of the living ones. [chk] there are so many. */
ECS_API void *ecs_sparse_get_dense(const ecs_sparse_t *set, ecs_size_t elem_size, int32_t index);
#define ecs_sparse_get_dense_t(set, T, index) \
    (ECS_CAST(T *, ecs_sparse_get_dense(set, ECS_SIZEOF(T), index)))

ECS_END_DECLS

#endif
