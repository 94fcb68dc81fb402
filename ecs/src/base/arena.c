// SPDX-License-Identifier: MIT
// arena: stack allocator with cursors; see arena.h for the contract.
//
//   first -> page -> page -> spare -> spare
//                     ^page
//
// Cursors are pushed onto the arena like anything else and linked to the one below. Pages in front
// of `page` are full; those behind it are empty and kept for later.
#include "base/arena.h"

#include <muster/ecs/log.h>
#include "base/atomics.h"

#define PAGE_SIZE_MIN (4096 - 64) /* with its header and the heap's, one page of memory */

struct ecs__arena_page_t {
    ecs__arena_page_t *next;
    ecs_size_t size; /* bytes that follow, aligned to 16 */
    int32_t padding;
};

struct ecs__arena_cursor_t {
    ecs__arena_page_t *page; /* top of the arena before the cursor; NULL if it had no page */
    ecs__arena_cursor_t *below;
    ecs_size_t used;
    bool is_restored;
};

void ecs__arena_fini(ecs__arena_t *arena) {
    ecs_assert(!arena->top, ECS_LEAK_DETECTED,
        "an iterator was not finished: iterate to the end or call ecs_iter_fini");
    for (ecs__arena_page_t *page = arena->first, *next; page; page = next) {
        next = page->next;
        ecs_os_free(page);
    }
    *arena = (ecs__arena_t){ .first = NULL };
}

// Go on to a page with room for `size` bytes: the next spare one, or a new one in front of it.
static void next_page(ecs__arena_t *arena, ecs_size_t size) {
    ecs__arena_page_t **link = arena->page ? &arena->page->next : &arena->first;
    if (!*link || (*link)->size < size) {
        ecs_size_t page_size = ECS_MAX(size, PAGE_SIZE_MIN);
        ecs__arena_page_t *page = ecs_os_malloc(ECS_SIZEOF(ecs__arena_page_t) + page_size);
        *page = (ecs__arena_page_t){ .next = *link, .size = page_size };
        *link = page;
    }
    arena->page = *link;
    arena->used = 0;
}

void *ecs__arena_push(ecs__arena_t *arena, ecs_size_t size) {
    size = ECS_ALIGN(ECS_MAX(size, 1), 16);
    if (!arena->page || size > arena->page->size - arena->used) {
        next_page(arena, size);
    }
    void *result = ECS_OFFSET(arena->page + 1, arena->used);
    arena->used += size;
    return result;
}

static bool may_use(ecs__arena_t *arena) {
    static _Thread_local char self;
    const void *user = ecs__load_ptr(&arena->user);
    return user == &self || (!user && ecs__cas_ptr(&arena->user, NULL, &self));
}

ecs__arena_cursor_t *ecs__arena_cursor(ecs__arena_t *arena) {
    if (!may_use(arena)) return NULL;
    ecs__arena_cursor_t at = { .page = arena->page, .used = arena->used, .below = arena->top };
    ecs__arena_cursor_t *cursor = ecs__arena_push_t(arena, ecs__arena_cursor_t);
    *cursor = at;
    arena->top = cursor;
    return cursor;
}

void ecs__arena_restore(ecs__arena_t *arena, ecs__arena_cursor_t *cursor) {
    ecs_assert(!cursor->is_restored, ECS_DOUBLE_FREE, "a cursor was restored twice");
    cursor->is_restored = true;
    while (arena->top && arena->top->is_restored) {
        ecs__arena_cursor_t *top = arena->top;
        arena->top = top->below;
        arena->page = top->page;
        arena->used = top->used;
    }
    if (arena->top) return;
    ecs__fence_release();
    ecs__store_ptr(&arena->user, NULL);
}
