// SPDX-License-Identifier: MIT
// cursor_at: the value a cursor stands on, for those who read or write it.
#ifndef ECS_REFLECT_CURSOR_AT_H
#define ECS_REFLECT_CURSOR_AT_H

#include "reflect/type.h"

typedef struct ecs__place_t {
    const ecs_meta_op_t *op;
    void *ptr;
} ecs__place_t;

/** The present value. False, with a sentence, if there is none. */
bool ecs__cursor_at(const ecs_meta_cursor_t *cursor, ecs__place_t *place);
/** A cursor on another value that finds names like this one. */
ecs_meta_cursor_t ecs__cursor_to(const ecs_meta_cursor_t *cursor, ecs_entity_t type, void *ptr);
/** The world, if who assigns has to see to what parts own, as for strings: nobody else knows what values of C types without hooks do. NULL
 * where hooks do that. */
const ecs_world_t *ecs__cursor_owner(const ecs_meta_cursor_t *cursor);
/** Assign a whole number that 64 bits do not hold: only floats take it. */
int ecs__cursor_set_big(ecs_meta_cursor_t *cursor, double value);

#endif
