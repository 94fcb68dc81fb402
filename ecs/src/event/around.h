// SPDX-License-Identifier: MIT
// around: monitors hear of those who match because of what the elements of their terms are kinds of, or lead to, or list.
//
// (Likes, Bob) stands for (Likes, Ann) as long as Ann IsA Bob; (LocatedIn, Earth), which is transitive, for what is in Europe as long as
// that is on Earth; and|List for all that List has. Who matches changes then though nothing about them does. That is rare: all whom a
// monitor's query finds are asked.
// Threads: the main thread.
#ifndef ECS_EVENT_AROUND_H
#define ECS_EVENT_AROUND_H

#include "event/emission.h"

/** False if no rows of a table that come from, or go to, another (NULL: nothing) are elements of ids, or nobody could care. */
bool ecs__around_may_change(ecs__events_t *events, const ecs_table_t *table,
    const ecs_table_t *other, int32_t row, int32_t count);
/** Tell monitors that follow one of the pairs that come or go, or for which a row is a list; if the rows end, also those that name one
 * of them as a reflexive target. */
void ecs__around_tell(ecs__emission_t *emission, const ecs_id_t *ids, int32_t count);

#endif
