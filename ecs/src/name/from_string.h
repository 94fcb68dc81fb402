// SPDX-License-Identifier: MIT
// from_string: ids from the texts that to_string writes.
//
// Names may hold whatever means something else in the query language, which is not asked here.
#ifndef ECS_NAME_FROM_STRING_H
#define ECS_NAME_FROM_STRING_H

#include <muster/ecs/name.h>

/** The id of which this is the text, with names as lookups take them; 0 if there is none, or no memory. */
ecs_id_t ecs__id_read(const ecs_world_t *world, const char *text);

#endif
