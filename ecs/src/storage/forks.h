// SPDX-License-Identifier: MIT
// forks: a depth-first walk along a relationship, without recursion: ways may be as long as memory allows.
//
// Where a walk comes to several targets it takes the first, and notes the place, to which it comes back when that way ends.
#ifndef ECS_STORAGE_FORKS_H
#define ECS_STORAGE_FORKS_H

#include <muster/ecs/os.h>

#include "storage/table.h"

/** A place on a way: a table or an entity. */
typedef struct ecs__fork_t {
    const ecs_table_t *table;
    ecs_entity_t entity;
    int32_t next; /* target that comes next; 0: the walk comes here for the first time */
    int32_t depth;
} ecs__fork_t;

#define ECS__FEW_FORKS 32

typedef struct ecs__forks_t {
    ecs__fork_t *all; /* `few`, or memory */
    int32_t count, size;
    ecs__fork_t few[ECS__FEW_FORKS];
} ecs__forks_t;

static inline void ecs__forks_init(ecs__forks_t *forks) {
    forks->all = forks->few;
    forks->count = 0;
    forks->size = ECS__FEW_FORKS;
}
static inline void ecs__forks_fini(ecs__forks_t *forks) {
    if (forks->all != forks->few) ecs_os_free(forks->all);
}
void ecs__forks_push(ecs__forks_t *forks, ecs__fork_t fork);
/** The last one that was noted; false if there is none. */
static inline bool ecs__forks_pop(ecs__forks_t *forks, ecs__fork_t *out) {
    if (!forks->count) return false;
    *out = forks->all[--forks->count];
    return true;
}

#endif
