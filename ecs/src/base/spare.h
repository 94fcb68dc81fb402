// SPDX-License-Identifier: MIT
// spare: memory of lists and maps that stays from one use to the next. Lists may be in use inside others, and have memory each.
#ifndef ECS_BASE_SPARE_H
#define ECS_BASE_SPARE_H

#include <muster/ecs/ds/map.h>
#include <muster/ecs/ds/vec.h>
#include <muster/ecs/os.h>

#define ECS__SPARES 4

/** Of lists whose elements are of one type. */
typedef struct ecs__spare_t {
    ecs_vec_t lists[ECS__SPARES];
    int32_t count;
} ecs__spare_t;

/** An empty list, with memory that was spared. */
static inline ecs_vec_t ecs__spare_take(ecs__spare_t *spare) {
    return spare->count ? spare->lists[--spare->count] : (ecs_vec_t){ 0 };
}

/** Spare the memory of a list. */
static inline void ecs__spare_give(ecs__spare_t *spare, ecs_vec_t list) {
    list.count = 0;
    if (spare->count == ECS__SPARES)
        ecs_os_free(list.array);
    else if (list.array)
        spare->lists[spare->count++] = list;
}

static inline void ecs__spare_free(ecs__spare_t *spare) {
    while (spare->count) ecs_os_free(spare->lists[--spare->count].array);
}

/** The same of a map; a use inside another makes its own. */
static inline ecs_map_t ecs__spare_take_map(ecs_map_t *spare) {
    const ecs_map_t map = *spare;
    *spare = (ecs_map_t){ 0 };
    return map;
}

static inline void ecs__spare_give_map(ecs_map_t *spare, ecs_map_t map) {
    ecs_map_fini(spare);
    ecs_map_clear(&map);
    *spare = map;
}

#endif
