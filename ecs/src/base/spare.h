// SPDX-License-Identifier: MIT
// spare: memory of a list that stays from one use to the next. A use inside another finds it taken, and makes its own.
#ifndef ECS_BASE_SPARE_H
#define ECS_BASE_SPARE_H

#include <muster/ecs/ds/vec.h>
#include <muster/ecs/os.h>

/** An empty list, with the memory that was spared. */
static inline ecs_vec_t ecs__spare_take(ecs_vec_t *spare) {
    const ecs_vec_t list = { .array = spare->array, .size = spare->size };
    *spare = (ecs_vec_t){ 0 };
    return list;
}

/** Spare the memory of a list, instead of what was spared meanwhile. */
static inline void ecs__spare_give(ecs_vec_t *spare, ecs_vec_t list) {
    ecs_os_free(spare->array);
    *spare = (ecs_vec_t){ .array = list.array, .size = list.size };
}

static inline void ecs__spare_free(ecs_vec_t *spare) { ecs__spare_give(spare, (ecs_vec_t){ 0 }); }

#endif
