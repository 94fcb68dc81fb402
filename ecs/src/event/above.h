// SPDX-License-Identifier: MIT
// above: rows are told of what comes into sight above them, or ceases to be seen, and so are those below them.
//
// That happens when they get or lose a pair of a relationship along which observers look up, or an id that hid what is above.
// Threads: the main thread.
#ifndef ECS_EVENT_ABOVE_H
#define ECS_EVENT_ABOVE_H

#include "event/emission.h"
#include "event/outlook.h"

/** Tell the rows of an emission, and those below, what they see above them in its table and did not, or will not, see in the other;
 * inverted: the other way round. */
void ecs__above_tell(ecs__emission_t *emission, const ecs__outlook_t *outlook);
/** The same for the only row of an emission and its only id, an edge beside the table; inverted: it comes, or went, and what is seen
 * through other targets is there as long as it is not. The notice is not inverted any more then. */
void ecs__above_tell_edge(ecs__emission_t *emission);
/** Rows lost ids, or have other bases: tell those below of what they see now, or no longer see; inverted: of nothing to be seen. */
void ecs__above_tell_revealed(ecs__emission_t *emission, const ecs__outlook_t *outlook);
/** The same for the only row of an emission, which lost its only id from beside the table. */
void ecs__above_tell_revealed_beside(ecs__emission_t *emission);
/** Tell of values that come into sight through IsA, as OnSet. */
void ecs__above_tell_inherited(ecs__emission_t *emission, const ecs__outlook_t *outlook);
/** The same for the only id of the emission, which was beside the table and hid that of a base. */
void ecs__above_tell_regained(ecs__emission_t *emission);

#endif
