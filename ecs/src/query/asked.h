// SPDX-License-Identifier: MIT
// asked: what jobs looked at of a query that did not detect changes yet when they asked for some.
//
// Detection has to wait until the jobs are done. A result that was asked about counts as seen then, unless its iterator skipped it, or a
// query might have written to it in the meantime: nobody has told of that. Who runs which job does not matter.
// Threads: jobs only set marks; these are read and cleared on the main thread.
#ifndef ECS_QUERY_ASKED_H
#define ECS_QUERY_ASKED_H

#include "query/program.h"

/** A job asks about the present result of an iterator, or skips one after it asked. */
void ecs__asked_note(ecs_iter_t *it);
/** Jobs are done, their commands are still to come, and a program has just begun to detect changes. */
void ecs__asked_settle(const ecs__program_t *program);

#endif
