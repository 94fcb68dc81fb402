// SPDX-License-Identifier: MIT
// notice: something that happened to rows of a table, as one observer is to be told.
#ifndef ECS_EVENT_NOTICE_H
#define ECS_EVENT_NOTICE_H

#include "event/observer.h"
#include "storage/instead.h"

/** Flags of what is shown: one result, and memory that whoever calls gives back. */
#define ECS__SHOWN (EcsIterIsValid | EcsIterInstanced | EcsIterOpen)

typedef struct ecs__notice_t {
    ecs_world_t *caller; /* world or stage that callbacks get */
    ecs_entity_t event;
    ecs_id_t id; /* concrete id that triggers */
    ecs_table_t *table;
    const ecs_table_t *other; /* where the rows were before, or go */
    int32_t row, count;
    ecs_entity_t source;    /* who has the id; 0 = the rows themselves */
    bool is_inverted;       /* the id is the one of a Not term */
    ecs__instead_t instead; /* who changes, beside the table, as before or after the change */
    void *param;
    uint64_t lacks; /* bloom of what the table certainly neither has nor inherits */
} ecs__notice_t;

/** The only entity that it is about; 0: there are several, or none. */
static inline ecs_entity_t ecs__notice_entity(const ecs__notice_t *notice) {
    return notice->count == 1 ? notice->table->entities[notice->row] : 0;
}

/** An entity of the rows as it was before, or will be after, the change. */
static inline ecs__instead_t ecs__notice_instead(const ecs__notice_t *notice, ecs_entity_t entity) {
    return notice->instead.entity ? notice->instead : (ecs__instead_t){ entity, notice->other };
}

#endif
