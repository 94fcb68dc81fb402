// SPDX-License-Identifier: MIT
// map: hash map from 64-bit keys to 64-bit values.
//
//   slots    power-of-two open-addressing table of { hash tag, position + 1 }, linear probing,
//            at most three quarters full, deletion by shifting back
//   entries  dense array of { key, value } in insertion order
//
// A removal moves the last entry into the gap. Iteration walks `entries`, so its order is decided
// by the history of inserts and removals alone: not by hashes, and not by addresses used as keys. A
// zeroed ecs_map_t is a valid empty map. Pointers to values last until the next insert or removal.
// `allocator` may be NULL and is not used at present: memory comes from ecs_os_api.
// Threads: one writer, or any number of readers.
#ifndef MUSTER_ECS_DS_MAP_H
#define MUSTER_ECS_DS_MAP_H

#include <muster/ecs/log.h>

ECS_BEGIN_DECLS

typedef uint64_t ecs_map_key_t;
/* Values are also read and written as pointers (ecs_map_get_ref). */
#if defined(__GNUC__)
typedef uint64_t __attribute__((may_alias)) ecs_map_val_t;
#else
typedef uint64_t ecs_map_val_t;
#endif

typedef struct ecs_map_entry_t {
    ecs_map_key_t key;
    ecs_map_val_t value;
} ecs_map_entry_t;

/** Open-addressing table of positions; an empty slot is 0. Shared with the private hash maps. */
typedef struct ecs_map_slots_t {
    uint64_t *array; /* tag in the high half, position + 1 in the low half */
    uint32_t mask;   /* number of slots - 1 */
    uint32_t shift;  /* home slot = tag >> shift */
} ecs_map_slots_t;

typedef struct ecs_map_t {
    ecs_map_slots_t slots;
    ecs_map_entry_t *entries;
    int32_t count;
    int32_t capacity; /* entries that fit */
    bool is_init;
} ecs_map_t;

typedef struct ecs_map_iter_t {
    const ecs_map_t *map;
    ecs_map_entry_t *entry; /* NULL before the first and after the last */
    int32_t index;          /* of the entry after `entry` */
    int32_t count;          /* entries when `entry` was returned */
} ecs_map_iter_t;

/** Make an empty map. The allocator may be NULL: the heap. */
ECS_API void ecs_map_init(ecs_map_t *map, ecs_allocator_t *allocator);
/** Initialise, unless the (zeroed or initialised) map is already. */
ECS_API void ecs_map_init_if(ecs_map_t *map, ecs_allocator_t *allocator);
/** Release memory; the map is zeroed. Values that are pointers are not freed. */
ECS_API void ecs_map_fini(ecs_map_t *map);
/** The value of a key, added as 0 if missing. Amortised O(1). */
ECS_API ecs_map_val_t *ecs_map_ensure(ecs_map_t *map, ecs_map_key_t key);
/** The value of a key as pointer to zeroed memory of `elem_size` bytes, allocated if missing. */
ECS_API void *ecs_map_ensure_alloc(ecs_map_t *map, ecs_size_t elem_size, ecs_map_key_t key);
/** Add a key that must be new [chk]. */
ECS_API void ecs_map_insert(ecs_map_t *map, ecs_map_key_t key, ecs_map_val_t value);
/** Add a key that must be new [chk], with zeroed memory of `elem_size` bytes as value. */
ECS_API void *ecs_map_insert_alloc(ecs_map_t *map, ecs_size_t elem_size, ecs_map_key_t key);
/** Remove a key; returns its value, 0 if it is missing. */
ECS_API ecs_map_val_t ecs_map_remove(ecs_map_t *map, ecs_map_key_t key);
/** Remove a key and free the memory its value points to. */
ECS_API void ecs_map_remove_free(ecs_map_t *map, ecs_map_key_t key);
/** Remove all keys and keep the memory. */
ECS_API void ecs_map_clear(ecs_map_t *map);
/** Replace `dst` (zeroed or initialised) by a copy of `src`. */
ECS_API void ecs_map_copy(ecs_map_t *dst, const ecs_map_t *src);
/** Give spare capacity back. */
ECS_API void ecs_map_reclaim(ecs_map_t *map);

/** Begin an iteration. Removing the current key is the only change allowed before the end [chk]. */
ECS_API ecs_map_iter_t ecs_map_iter(const ecs_map_t *map);
/** Advance; false at the end. */
ECS_API bool ecs_map_next(ecs_map_iter_t *iter);
/** True while the iterator has a map to walk. */
ECS_API bool ecs_map_iter_valid(const ecs_map_iter_t *iter);

/** Hash of a key; its top bits choose the slot. */
static inline uint32_t ecs_map_tag_(ecs_map_key_t key) {
    return ECS_CAST(uint32_t, ((key ^ (key >> 32)) * 0x9E3779B97F4A7C15ull) >> 32);
}

/** The value of a key; NULL if it is missing. */
static inline ecs_map_val_t *ecs_map_get(const ecs_map_t *map, ecs_map_key_t key) {
    uint32_t tag;
    if (!map->count) {
        return ECS_NULL_;
    }
    tag = ecs_map_tag_(key);
    for (uint32_t i = tag >> map->slots.shift;; i = (i + 1) & map->slots.mask) {
        const uint64_t slot = map->slots.array[i];
        ecs_map_entry_t *entry;
        if (!slot) {
            return ECS_NULL_;
        }
        entry = &map->entries[ECS_CAST(uint32_t, slot) - 1];
        if (ECS_CAST(uint32_t, slot >> 32) == tag && entry->key == key) {
            return &entry->value;
        }
    }
}

/** The value of a key as pointer; NULL if it is missing. */
static inline void *ecs_map_get_deref_(const ecs_map_t *map, ecs_map_key_t key) {
    const ecs_map_val_t *value = ecs_map_get(map, key);
    const uintptr_t bits = value ? *value : 0;
    return ECS_PTR_CAST(void *, bits);
}

/** Remove a key; returns its value as pointer, NULL if it is missing. */
static inline void *ecs_map_remove_ptr_(ecs_map_t *map, ecs_map_key_t key) {
    const uintptr_t bits = ecs_map_remove(map, key);
    return ECS_PTR_CAST(void *, bits);
}

/** Number of keys; 0 for NULL. */
static inline int32_t ecs_map_count(const ecs_map_t *map) { return map ? map->count : 0; }

/** Whether the (zeroed or initialised) map is initialised; false for NULL. */
static inline bool ecs_map_is_init(const ecs_map_t *map) { return map && map->is_init; }

#define ecs_map_get_ref(map, T, key) (ECS_CAST(T **, ECS_CAST(void *, ecs_map_get(map, key))))
#define ecs_map_get_deref(map, T, key) (ECS_CAST(T *, ecs_map_get_deref_(map, key)))
#define ecs_map_get_ptr(map, key) ecs_map_get_deref_(map, key)
#define ecs_map_ensure_ref(map, T, key) (ECS_CAST(T **, ECS_CAST(void *, ecs_map_ensure(map, key))))
#define ecs_map_ensure_alloc_t(map, T, key) \
    (ECS_CAST(T *, ecs_map_ensure_alloc(map, ECS_SIZEOF(T), key)))
#define ecs_map_insert_ptr(map, key, ptr) \
    ecs_map_insert(map, key, ECS_CAST(ecs_map_val_t, ECS_PTR_BITS_(ptr)))
#define ecs_map_insert_alloc_t(map, T, key) \
    (ECS_CAST(T *, ecs_map_insert_alloc(map, ECS_SIZEOF(T), key)))
#define ecs_map_remove_ptr(map, key) ecs_map_remove_ptr_(map, key)

/* The current entry of an iteration. */
#define ecs_map_key(iter) ((iter)->entry->key)
#define ecs_map_value(iter) ((iter)->entry->value)
#define ecs_map_ptr(iter) (ECS_PTR_CAST(void *, ECS_CAST(uintptr_t, ecs_map_value(iter))))
#define ecs_map_ref(iter, T) (ECS_CAST(T **, ecs_map_ref_(iter)))

static inline void *ecs_map_ref_(const ecs_map_iter_t *iter) { return &iter->entry->value; }

ECS_END_DECLS

#endif
