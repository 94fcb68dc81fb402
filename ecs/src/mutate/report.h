// SPDX-License-Identifier: MIT
// report: sentences about refused changes.
#ifndef ECS_MUTATE_REPORT_H
#define ECS_MUTATE_REPORT_H

#include <muster/ecs/name.h>

/** Say why a change is refused: a failed check in builds with checks (abort unless soft), a logged
 * error in others. Returns false. The caller holds no memory and no half-done change, since the
 * abort hook may not return. */
ECS_COLD bool ecs__refuse(int32_t code, const char *fmt, ...) ECS_PRINTF_LIKE(2, 3);

/** While on, refusals are those of bad input: logged, and no abort. Returns what it was before. */
bool ecs__refuse_as_input(bool on);

/** Text of an id or entity for such a sentence, cut to fit; valid until the thread asks for four more. */
ECS_COLD const char *ecs__text(const ecs_world_t *world, ecs_id_t id);
#define ECS__TEXT(world, id) ecs__text(world, id)

#endif
