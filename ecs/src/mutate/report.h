// SPDX-License-Identifier: MIT
// report: sentences about refused changes.
#ifndef ECS_MUTATE_REPORT_H
#define ECS_MUTATE_REPORT_H

#include <muster/ecs/name.h>

/** Say why a change is refused: a failed check in builds with checks (abort unless soft), a logged
 * error in others. Returns false. The caller holds no memory and no half-done change, since the
 * abort hook may not return. */
bool ecs__refuse(int32_t code, const char *fmt, ...) ECS_PRINTF_LIKE(2, 3);

/** While on, refusals are those of bad input: logged, and no abort. Returns what it was before. */
bool ecs__refuse_as_input(bool on);

#define ECS__TEXT_SIZE 128
/** Text of an id or entity in a buffer of ECS__TEXT_SIZE bytes, cut to fit. Returns the buffer. */
const char *ecs__text(const ecs_world_t *world, ecs_id_t id, char *buffer);
/** Text of an id in memory of the calling block; for arguments of checks. */
#define ECS__TEXT(world, id) ecs__text(world, id, (char[ECS__TEXT_SIZE]){ 0 })

#endif
