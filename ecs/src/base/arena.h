// SPDX-License-Identifier: MIT
// arena: stack allocator for short-lived memory, such as the state of iterators.
//
//   cursor = ecs__arena_cursor(arena);
//   … ecs__arena_push(arena, size) …
//   ecs__arena_restore(arena, cursor);     // frees all that was pushed since
//
// Cursors are usually restored in reverse order. One that is restored early is marked, and its
// memory returns together with that of the cursors above it. Pages are kept, so that a steady state
// allocates nothing. A zeroed arena is valid. It is used by one thread at a time: others get no
// cursor until that has restored all of its own.
#ifndef ECS_BASE_ARENA_H
#define ECS_BASE_ARENA_H

#include <muster/ecs/base.h>

typedef struct ecs__arena_page_t ecs__arena_page_t;
typedef struct ecs__arena_cursor_t ecs__arena_cursor_t;

typedef struct ecs__arena_t {
    ecs__arena_page_t *first;
    ecs__arena_page_t *page;  /* in use; later ones are spare */
    ecs_size_t used;          /* bytes of `page` */
    ecs__arena_cursor_t *top; /* innermost cursor that is not restored */
    void *user;               /* the thread whose cursors these are */
} ecs__arena_t;

/** Release all pages. Cursors not restored are reported as ECS_LEAK_DETECTED [chk]. */
void ecs__arena_fini(ecs__arena_t *arena);
/** `size` uninitialised bytes, aligned to 16, valid until the enclosing cursor is restored. */
void *ecs__arena_push(ecs__arena_t *arena, ecs_size_t size);
/** Remember the present top. NULL if another thread uses the arena. */
ecs__arena_cursor_t *ecs__arena_cursor(ecs__arena_t *arena);
/** Free everything pushed since `cursor` was made. Once per cursor [chk]. */
void ecs__arena_restore(ecs__arena_t *arena, ecs__arena_cursor_t *cursor);

#define ecs__arena_push_t(arena, T) ((T *)ecs__arena_push(arena, ECS_SIZEOF(T)))

#endif
