// SPDX-License-Identifier: MIT
// suggest: which name was meant, where there is none of a name.
#ifndef ECS_QUERY_CHECK_SUGGEST_H
#define ECS_QUERY_CHECK_SUGGEST_H

#include <muster/ecs/base.h>

/** The path of who has this name in a module, or the name in reach that looks most like it, in memory of the caller; NULL if nothing is
 * close. O(modules and names in reach). */
char *ecs__suggest_name(const ecs_world_t *world, const char *name);

#endif
