// SPDX-License-Identifier: MIT
// map: hash map from 64-bit keys to 64-bit values; see map.h for the layout and the contract.
//
// Entries and slots share one allocation. Invariant: each entry has exactly one slot, with the tag
// of its key; capacity is the limit of the number of slots.
#include <muster/ecs/ds/map.h>

#include "base/assert.h"
#include "base/slots.h"

// Move to tables that hold `count` entries, which may be fewer than now fit.
static void resize(ecs_map_t *map, int32_t count) {
    uint32_t bits = ecs__slots_bits(count);
    int32_t capacity = ecs__slots_limit(1u << bits);
    size_t entries_size = sizeof(ecs_map_entry_t) * (size_t)capacity;
    size_t slots_size = sizeof(uint64_t) << bits;
    ecs_always_assert(entries_size + slots_size <= INT32_MAX, ECS_OUT_OF_RANGE,
        "a map of %d entries exceeds 2 GB", capacity);
    ecs_map_entry_t *entries = ecs_os_malloc((ecs_size_t)(entries_size + slots_size));
    uint64_t *array = (uint64_t *)(void *)(entries + capacity);
    memset(array, 0, slots_size);
    ecs_map_slots_t slots;
    ecs__slots_use(&slots, array, bits);
    ecs__slots_rehash(&slots, &map->slots);
    if (map->count) {
        ecs_os_memcpy_n(entries, map->entries, ecs_map_entry_t, map->count);
    }
    ecs_os_free(map->entries);
    map->slots = slots;
    map->entries = entries;
    map->capacity = capacity;
}

// Add a key that is not there.
static inline ecs_map_val_t *append(ecs_map_t *map, ecs_map_key_t key, ecs_map_val_t value) {
    if (map->count == map->capacity) {
        resize(map, map->count + 1);
    }
    map->is_init = true;
    int32_t position = map->count++;
    map->entries[position] = (ecs_map_entry_t){ .key = key, .value = value };
    ecs__slots_add(&map->slots, ecs_map_tag_(key), position);
    return &map->entries[position].value;
}

void ecs_map_init(ecs_map_t *map, ecs_allocator_t *allocator) {
    ECS__NEED(map);
    (void)allocator;
    *map = (ecs_map_t){ .is_init = true };
}

void ecs_map_init_if(ecs_map_t *map, ecs_allocator_t *allocator) {
    ECS__NEED(map);
    if (!map->is_init) {
        ecs_map_init(map, allocator);
    }
}

void ecs_map_fini(ecs_map_t *map) {
    ECS__NEED(map);
    ecs_os_free(map->entries);
    *map = (ecs_map_t){ .is_init = false };
}

ecs_map_val_t *ecs_map_ensure(ecs_map_t *map, ecs_map_key_t key) {
    ECS__NEED_OR(map, NULL);
    ecs_map_val_t *value = ecs_map_get(map, key);
    return value ? value : append(map, key, 0);
}

void *ecs_map_ensure_alloc(ecs_map_t *map, ecs_size_t elem_size, ecs_map_key_t key) {
    ECS__NEED_OR(map, NULL);
    ecs_map_val_t *value = ecs_map_ensure(map, key);
    if (!*value) {
        *value = (ecs_map_val_t)(uintptr_t)ecs_os_calloc(elem_size);
    }
    return (void *)(uintptr_t)*value;
}

static bool check_new(const ecs_map_t *map, ecs_map_key_t key) {
    ecs_check(!ecs_map_get(map, key), ECS_ALREADY_IN_USE,
        "key %llu is in the map already; use ecs_map_ensure", (unsigned long long)key);
    return true;
error:
    return false;
}

void ecs_map_insert(ecs_map_t *map, ecs_map_key_t key, ecs_map_val_t value) {
    ECS__NEED(map);
    ECS__CHECK(check_new(map, key));
    append(map, key, value);
error:
    return;
}

void *ecs_map_insert_alloc(ecs_map_t *map, ecs_size_t elem_size, ecs_map_key_t key) {
    ECS__NEED_OR(map, NULL);
    ECS__CHECK(check_new(map, key));
    void *elem = ecs_os_calloc(elem_size);
    append(map, key, (ecs_map_val_t)(uintptr_t)elem);
    return elem;
error:
    return NULL;
}

ecs_map_val_t ecs_map_remove(ecs_map_t *map, ecs_map_key_t key) {
    ECS__NEED_OR(map, 0);
    const ecs_map_val_t *found = ecs_map_get(map, key);
    if (!found) {
        return 0;
    }
    ecs_map_val_t value = *found;
    ecs_map_entry_t *entry = ECS_OFFSET(found, -(intptr_t)offsetof(ecs_map_entry_t, value));
    int32_t position = (int32_t)(entry - map->entries), last = map->count - 1;
    ecs__slots_remove(&map->slots, ecs__slots_find(&map->slots, ecs_map_tag_(key), position));
    if (position != last) {
        *entry = map->entries[last];
        ecs__slots_move(&map->slots, ecs_map_tag_(entry->key), last, position);
    }
    map->count = last;
    return value;
}

void ecs_map_remove_free(ecs_map_t *map, ecs_map_key_t key) {
    ECS__NEED(map);
    ecs_os_free(ecs_map_remove_ptr(map, key));
}

void ecs_map_clear(ecs_map_t *map) {
    ECS__NEED(map);
    if (map->count < (int32_t)(map->slots.mask / 32)) { /* little in much memory */
        while (map->count) ecs_map_remove(map, map->entries[map->count - 1].key);
    }
    if (map->count) {
        memset(map->slots.array, 0, sizeof(uint64_t) * ((size_t)map->slots.mask + 1));
        map->count = 0;
    }
}

void ecs_map_copy(ecs_map_t *dst, const ecs_map_t *src) {
    ECS__NEED(dst && src);
    ecs_map_fini(dst);
    dst->is_init = src->is_init;
    if (src->count) {
        resize(dst, src->count);
        ecs__slots_rehash(&dst->slots, &src->slots);
        ecs_os_memcpy_n(dst->entries, src->entries, ecs_map_entry_t, src->count);
        dst->count = src->count;
    }
}

void ecs_map_reclaim(ecs_map_t *map) {
    ECS__NEED(map);
    bool is_init = map->is_init;
    if (!map->count) {
        ecs_map_fini(map);
        map->is_init = is_init;
    } else if (1u << ecs__slots_bits(map->count) <= map->slots.mask) {
        resize(map, map->count);
    }
}

ecs_map_iter_t ecs_map_iter(const ecs_map_t *map) {
    return (ecs_map_iter_t){ .map = map, .count = map ? map->count : 0 };
}

bool ecs_map_next(ecs_map_iter_t *iter) {
    ECS__NEED_OR(iter, false);
    if (!ecs_map_iter_valid(iter)) {
        return false;
    }
    int32_t count = iter->map->count;
    if (iter->entry && count == iter->count - 1) {
        iter->index--; /* the current entry was removed and the last one took its place */
    } else {
        ecs_check(count == iter->count, ECS_INVALID_OPERATION,
            "a map changed while it was iterated; only the current key may be removed");
    }
    iter->count = count;
    iter->entry = iter->index < count ? &iter->map->entries[iter->index++] : NULL;
    return iter->entry != NULL;
error:
    iter->map = NULL; /* it has ended */
    return false;
}

bool ecs_map_iter_valid(const ecs_map_iter_t *iter) {
    ECS__NEED_OR(iter, false);
    return iter->map != NULL;
}
