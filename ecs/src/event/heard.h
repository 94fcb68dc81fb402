// SPDX-License-Identifier: MIT
// heard: who was told of an event already, and of which rows.
//
// Several terms of one observer may wait for one event; it is told once of the rows of a table. A few are looked through; of more, a map
// finds those that concern an observer and a table.
// Threads: the main thread.
#ifndef ECS_EVENT_HEARD_H
#define ECS_EVENT_HEARD_H

#include <muster/ecs/ds/map.h>
#include <muster/ecs/ds/vec.h>
#include <muster/ecs/id.h>

typedef struct ecs__observer_t ecs__observer_t;

#define ECS__HEARD_FEW 16

typedef struct ecs__told_t {
    const ecs__observer_t *observer;
    const ecs_table_t *table; /* NULL: it was told of all that match, because of a constant */
    int32_t row, end;
    int32_t before; /* the one to look at next; -1: none */
} ecs__told_t;

/** Begins with room for a few, or zeroed. */
typedef struct ecs__heard_t {
    ecs_vec_t list; /* ecs__told_t */
    ecs_map_t at;   /* of more than a few, by observer and table: position of the last one + 1 */
} ecs__heard_t;

/** Different ones may share a key: whoever looks compares. */
static inline uint64_t ecs__heard_key(const ecs__observer_t *observer, const ecs_table_t *table) {
    return (uintptr_t)observer * 3 + (uintptr_t)table;
}

/** Where to begin to look for what an observer was told of a table, and then before; -1: nothing. Entries of others may be among them. */
static inline int32_t ecs__heard_last(
    const ecs__heard_t *heard, const ecs__observer_t *observer, const ecs_table_t *table) {
    if (heard->list.count <= ECS__HEARD_FEW) return heard->list.count - 1;
    const ecs_map_val_t *at = ecs_map_get(&heard->at, ecs__heard_key(observer, table));
    return at ? (int32_t)*at - 1 : -1;
}

/** Add an entry, for which there is room. */
void ecs__heard_add(ecs__heard_t *heard, ecs__told_t told);
/** Forget all, but keep the memory. */
void ecs__heard_clear(ecs__heard_t *heard);

static inline const ecs__told_t *ecs__heard_get(const ecs__heard_t *heard, int32_t i) {
    return (const ecs__told_t *)heard->list.array + i;
}

#endif
