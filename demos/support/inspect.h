// SPDX-License-Identifier: MIT
// inspect: a prompt that shows a world: what queries find and how, tables, entities, what a tick does and why, what it cost.
//
// Commands are lines of text, answers are text, so a session can be typed, piped in, or kept as a file and played again. Everything
// goes through public functions, on any world; a mistake gives the library's own sentence and changes nothing.
// Threads: the one that owns the world, between ticks.
#ifndef DEMO_INSPECT_H
#define DEMO_INSPECT_H

#include <muster.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    ecs_world_t *world;
    FILE *out;              // answers
    ecs_ftime_t delta_time; // of a tick
    bool is_over;           // after `quit`
} inspect_t;

/** Do what a line says and write the answer. False if it was refused; the answer says why. Empty lines and those that begin with '#'
 * do nothing. */
bool inspect_line(inspect_t *inspect, const char *line);

#ifdef __cplusplus
}
#endif
#endif
