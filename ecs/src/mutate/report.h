// SPDX-License-Identifier: MIT
// report: sentences about refused changes.
#ifndef ECS_MUTATE_REPORT_H
#define ECS_MUTATE_REPORT_H

#include <muster/ecs/log.h>
#include <muster/ecs/name.h>
#include "base/assert.h"
#include "storage/table.h"

/** Say why a change is refused: a failed check in builds with checks (abort unless soft), a logged
 * error in others. Returns false. The caller holds no memory and no half-done change, since the
 * abort hook may not return; its defer bracket is open for others meanwhile. */
ECS_COLD bool ecs__refuse(ecs_world_t *world, int32_t code, const char *fmt, ...)
    ECS_PRINTF_LIKE(3, 4);

/** While on, refusals are those of bad input: logged, and no abort. Returns what it was before. */
bool ecs__refuse_as_input(bool on);
bool ecs__refuses_input(void);

/** Text of an id or entity for such a sentence, cut to fit; valid until the thread asks for four more. */
ECS_COLD const char *ecs__text(const ecs_world_t *world, ecs_id_t id);
#define ECS__TEXT(world, id) ecs__text(world, id)
/** The same of one who is to get something; 0 stands for an entity that is not made yet. */
#define ECS__HOLDER(world, entity) ((entity) ? ecs__text(world, entity) : "a new entity")

/** Checked builds: false, with a sentence, if an entity cannot come to, or leave, a table that is being iterated. */
static inline bool ecs__check_unlocked(
    ecs_world_t *world, const ecs_table_t *table, ecs_entity_t entity) {
    return !ECS__CHECKS || !table->lock ||
           ecs__refuse(world, ECS_LOCKED_STORAGE,
               "%s cannot come to, or leave, a table that is being iterated; wrap the change in "
               "ecs_defer_begin and ecs_defer_end",
               ECS__TEXT(world, entity));
}

/** False, with a sentence, if whoever was told that an entity loses something suspended deferring, and moved or ended it. */
bool ecs__check_stayed(ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *table);

#endif
