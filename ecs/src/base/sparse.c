// SPDX-License-Identifier: MIT
// sparse: set of elements addressed by ids; see sparse.h for the layout and the contract.
//
// Invariants: `dense` lists each index at most once, the alive ones first; a page entry holds the
// place of its index in `dense` plus one, 0 if it was never used or is forgotten.
#include <muster/ecs/ds/sparse.h>

#include "base/assert.h"

#define PAGE_OF(id) ((uint32_t)(id) >> FLECS_SPARSE_PAGE_BITS)
#define SLOT_OF(id) ((uint32_t)(id) & (FLECS_SPARSE_PAGE_SIZE - 1))
#define GENERATION_MASK (0xFFFFull << 32)
#define GENERATION_ONE (1ull << 32)

struct ecs_sparse_page_t {
    int32_t places[FLECS_SPARSE_PAGE_SIZE]; /* in dense, plus one */
    int32_t alive;
    int32_t padding[3]; /* elements follow, the first aligned to 16 */
};

_Static_assert(sizeof(ecs_sparse_page_t) % 16 == 0, "the first element would not be aligned to 16");

static void *element(const ecs_sparse_t *set, ecs_sparse_page_t *page, uint64_t id) {
    return ECS_ELEM(page + 1, set->size, SLOT_OF(id));
}

static uint64_t *dense_at(const ecs_sparse_t *set, int32_t place) {
    return ecs_vec_get_t(&set->dense, uint64_t, place);
}

static ecs_sparse_page_t *find_page(const ecs_sparse_t *set, uint64_t id) {
    uint32_t index = PAGE_OF(id);
    return index < (uint32_t)set->page_count ? set->pages[index] : NULL;
}

// Place of an index in dense plus one; 0 if it has none.
static int32_t find_place(const ecs_sparse_t *set, uint64_t id) {
    ecs_sparse_page_t *page = find_page(set, id);
    return page ? page->places[SLOT_OF(id)] : 0;
}

// A fresh zeroed array instead of realloc: untouched parts of a large one cost no memory.
static void grow_pages(ecs_sparse_t *set, int32_t count) {
    count = ECS_MAX(count, set->page_count * 2);
    ecs_sparse_page_t **pages = ecs_os_calloc_n(ecs_sparse_page_t *, count);
    if (set->page_count) {
        ecs_os_memcpy_n(pages, set->pages, ecs_sparse_page_t *, set->page_count);
    }
    ecs_os_free(set->pages);
    set->pages = pages;
    set->page_count = count;
}

static ecs_sparse_page_t *ensure_page(ecs_sparse_t *set, uint64_t id) {
    uint32_t index = PAGE_OF(id);
    if (index >= (uint32_t)set->page_count) {
        grow_pages(set, (int32_t)index + 1);
    }
    if (!set->pages[index]) {
        set->pages[index] =
            ecs_os_calloc(ECS_SIZEOF(ecs_sparse_page_t) + set->size * FLECS_SPARSE_PAGE_SIZE);
    }
    return set->pages[index];
}

// Put an id at a place of dense and tell its page.
static void assign(ecs_sparse_t *set, uint64_t id, int32_t place) {
    *dense_at(set, place) = id;
    find_page(set, id)->places[SLOT_OF(id)] = place + 1;
}

// Exchange what is at two places of dense.
static void swap_places(ecs_sparse_t *set, int32_t a, int32_t b) {
    uint64_t id_a = *dense_at(set, a), id_b = *dense_at(set, b);
    assign(set, id_a, b);
    assign(set, id_b, a);
}

// Make an index alive that is not; returns its zeroed element.
static void *revive(ecs_sparse_t *set, uint64_t id) {
    ecs_sparse_page_t *page = ensure_page(set, id);
    int32_t place = page->places[SLOT_OF(id)] - 1;
    if (place < 0) {
        place = ecs_vec_count(&set->dense);
        ecs_vec_append_t(NULL, &set->dense, uint64_t);
        assign(set, id, place);
        set->max_index = ECS_MAX(set->max_index, (uint32_t)id);
    }
    swap_places(set, place, set->count);
    *dense_at(set, set->count++) = id; /* with its own generation */
    page->alive++;
    return memset(element(set, page, id), 0, (size_t)set->size);
}

// An id that is not alive: the one removed last, else a higher one than all.
static uint64_t unused_id(const ecs_sparse_t *set) {
    if (set->count < ecs_vec_count(&set->dense)) {
        return *dense_at(set, set->count);
    }
    return (uint64_t)set->max_index + 1;
}

static bool check_set(const ecs_sparse_t *set, ecs_size_t elem_size) {
    ECS__NEED_OR(set, false);
    ecs_check(!elem_size || elem_size == set->size, ECS_INVALID_COMPONENT_SIZE,
        "elements of the set have %d bytes, not %d", set->size, elem_size);
    return true;
error:
    return false;
}

void flecs_sparse_init(ecs_sparse_t *set, ecs_allocator_t *allocator,
    ecs_block_allocator_t *page_allocator, ecs_size_t elem_size) {
    ECS__NEED(set);
    (void)allocator, (void)page_allocator;
    *set = (ecs_sparse_t){ .size = elem_size };
}

void flecs_sparse_fini(ecs_sparse_t *set) {
    ECS__NEED(set);
    for (int32_t i = 0; i < set->page_count; i++) {
        ecs_os_free(set->pages[i]);
    }
    ecs_os_free(set->pages);
    ecs_vec_fini_t(NULL, &set->dense, uint64_t);
    *set = (ecs_sparse_t){ .size = set->size };
}

void flecs_sparse_clear(ecs_sparse_t *set) {
    ECS__NEED(set);
    for (int32_t i = 0; i < ecs_vec_count(&set->dense); i++) {
        ecs_sparse_page_t *page = find_page(set, *dense_at(set, i));
        page->places[SLOT_OF(*dense_at(set, i))] = 0;
        page->alive = 0;
    }
    ecs_vec_clear(&set->dense);
    set->count = 0;
    set->max_index = 0;
}

uint64_t flecs_sparse_new_id(ecs_sparse_t *set) {
    ECS__NEED_OR(set, 0);
    uint64_t id = unused_id(set);
    revive(set, id);
    return id;
}

void *flecs_sparse_add(ecs_sparse_t *set, ecs_size_t elem_size) {
    if (ECS__CHECKS && !check_set(set, elem_size)) return NULL;
    return revive(set, unused_id(set));
}

uint64_t flecs_sparse_last_id(const ecs_sparse_t *set) {
    ECS__NEED_OR(set, 0);
    return set->count ? *dense_at(set, set->count - 1) : 0;
}

static bool remove_id(ecs_sparse_t *set, uint64_t id, uint64_t next_id) {
    if (!flecs_sparse_is_alive(set, id)) {
        return false;
    }
    swap_places(set, find_place(set, id) - 1, --set->count);
    *dense_at(set, set->count) = next_id;
    find_page(set, id)->alive--;
    return true;
}

bool flecs_sparse_remove(ecs_sparse_t *set, ecs_size_t elem_size, uint64_t id) {
    if (ECS__CHECKS && !check_set(set, elem_size)) return false;
    return remove_id(set, id, id);
}

bool flecs_sparse_remove_w_gen(ecs_sparse_t *set, ecs_size_t elem_size, uint64_t id) {
    if (ECS__CHECKS && !check_set(set, elem_size)) return false;
    return remove_id(set, id, (id & ~GENERATION_MASK) | ((id + GENERATION_ONE) & GENERATION_MASK));
}

bool flecs_sparse_is_alive(const ecs_sparse_t *set, uint64_t id) {
    ECS__NEED_OR(set, false);
    int32_t place = find_place(set, id);
    return place && place <= set->count && *dense_at(set, place - 1) == id;
}

bool flecs_sparse_has(const ecs_sparse_t *set, uint64_t id) {
    ECS__NEED_OR(set, false);
    return flecs_sparse_is_alive(set, id);
}

void *flecs_sparse_get(const ecs_sparse_t *set, ecs_size_t elem_size, uint64_t id) {
    if (ECS__CHECKS && !check_set(set, elem_size)) return NULL;
    return flecs_sparse_is_alive(set, id) ? element(set, find_page(set, id), id) : NULL;
}

void *flecs_sparse_get_dense(const ecs_sparse_t *set, ecs_size_t elem_size, int32_t index) {
    if (ECS__CHECKS && !check_set(set, elem_size)) return NULL;
    ecs_check(index >= 0 && index < set->count, ECS_OUT_OF_RANGE,
        "sparse set index %d is not in 0..%d", index, set->count - 1);
    uint64_t id = *dense_at(set, index);
    return element(set, find_page(set, id), id);
error:
    return NULL;
}

static bool is_index_alive(const ecs_sparse_t *set, uint64_t id) {
    int32_t place = find_place(set, id);
    return place && place <= set->count;
}

void *flecs_sparse_insert(ecs_sparse_t *set, ecs_size_t elem_size, uint64_t id) {
    if (ECS__CHECKS && !check_set(set, elem_size)) return NULL;
    return is_index_alive(set, id) ? NULL : revive(set, id);
}

void *flecs_sparse_ensure(ecs_sparse_t *set, ecs_size_t elem_size, uint64_t id, bool *is_new) {
    if (ECS__CHECKS && !check_set(set, elem_size)) return NULL;
    bool was_alive = is_index_alive(set, id);
    if (is_new) {
        *is_new = !was_alive;
    }
    if (!was_alive) {
        return revive(set, id);
    }
    *dense_at(set, find_place(set, id) - 1) = id;
    return element(set, find_page(set, id), id);
}

void *flecs_sparse_ensure_fast(ecs_sparse_t *set, ecs_size_t elem_size, uint64_t id) {
    ECS__NEED_OR(set, NULL);
    return flecs_sparse_ensure(set, elem_size, id, NULL);
}

int32_t flecs_sparse_count(const ecs_sparse_t *set) {
    ECS__NEED_OR(set, 0);
    return set->count;
}

const uint64_t *flecs_sparse_ids(const ecs_sparse_t *set) {
    ECS__NEED_OR(set, NULL);
    return ecs_vec_first_t(&set->dense, uint64_t);
}

void flecs_sparse_shrink(ecs_sparse_t *set) {
    ECS__NEED(set);
    for (int32_t i = set->count; i < ecs_vec_count(&set->dense); i++) {
        uint64_t id = *dense_at(set, i);
        find_page(set, id)->places[SLOT_OF(id)] = 0;
    }
    ecs_vec_set_count_t(NULL, &set->dense, uint64_t, set->count);
    ecs_vec_reclaim_t(NULL, &set->dense, uint64_t);
    for (int32_t i = 0; i < set->page_count; i++) {
        if (set->pages[i] && !set->pages[i]->alive) {
            ecs_os_free(set->pages[i]);
            set->pages[i] = NULL;
        }
    }
}

void ecs_sparse_init(ecs_sparse_t *set, ecs_size_t elem_size) {
    ECS__NEED(set);
    flecs_sparse_init(set, NULL, NULL, elem_size);
}

void *ecs_sparse_add(ecs_sparse_t *set, ecs_size_t elem_size) {
    ECS__NEED_OR(set, NULL);
    return flecs_sparse_add(set, elem_size);
}

uint64_t ecs_sparse_last_id(const ecs_sparse_t *set) {
    ECS__NEED_OR(set, 0);
    return flecs_sparse_last_id(set);
}

int32_t ecs_sparse_count(const ecs_sparse_t *set) {
    ECS__NEED_OR(set, 0);
    return flecs_sparse_count(set);
}

void *ecs_sparse_get(const ecs_sparse_t *set, ecs_size_t elem_size, uint64_t id) {
    ECS__NEED_OR(set, NULL);
    return flecs_sparse_get(set, elem_size, id);
}

void *ecs_sparse_get_dense(const ecs_sparse_t *set, ecs_size_t elem_size, int32_t index) {
    ECS__NEED_OR(set, NULL);
    return flecs_sparse_get_dense(set, elem_size, index);
}
