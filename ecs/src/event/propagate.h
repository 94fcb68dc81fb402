// SPDX-License-Identifier: MIT
// propagate: events reach entities that see an id through others.
//
//   down      an event on an entity that is a target: those below that see the id there, unless one in between has it itself
//   forward   a pair of a traversable relationship was added or removed: what comes into sight through it, or ceases to be seen
#ifndef ECS_EVENT_PROPAGATE_H
#define ECS_EVENT_PROPAGATE_H

#include "event/emit.h"

/** Tell those below the rows of an emission. */
void ecs__propagate_down(ecs__emission_t *emission);
/** Tell the rows of an emission, and those below, what they see above them in its table and did not, or will not, see in the other;
 * inverted: the other way round. */
void ecs__propagate_forward(ecs__emission_t *emission);
/** The same for the only row of an emission and its only id, an edge beside the table. */
void ecs__propagate_edge(ecs__emission_t *emission);
/** Rows lost ids, or have other bases: tell those below of what they see now, or no longer see. */
void ecs__propagate_revealed(ecs__emission_t *emission);
/** The same for the only row of an emission, which lost its only id from beside the table. */
void ecs__propagate_revealed_beside(ecs__emission_t *emission);
/** Tell of values that come into sight through IsA, as OnSet. */
void ecs__propagate_inherited(ecs__emission_t *emission);

/** The same for the only id of the emission, which was beside the table and hid that of a base. */
void ecs__propagate_regained(ecs__emission_t *emission);

#endif
