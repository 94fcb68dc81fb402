// SPDX-License-Identifier: MIT
// record: what ticks are given is written down, and given again.
//
// What ticks make of a world depends on two things: the time that each one simulates, and what comes to it by the inbox (frame.h). A
// recording writes both to a file; a replay gives them to a world that is as the first one was, whatever its number of workers, and
// checks that it ends as the first one did. The file is text, a line of JSON per tick, and complete up to the present tick at any time:
// docs/inbox.md shows one.
//
// Ticks are those of ecs_progress(). A recording does not see what the program itself changes between them (let systems do it, or
// observers of submitted events), what functions of ecs_submit() do (only that there were some), and what systems read from outside:
// files, clocks, random numbers that are not ecs_iter_random()'s.
// Jobs in the background (background.h) are begun again by whatever began them, and done in the same ticks.
//
// Nothing is paid unless something is recorded. Not in builds without JSON.
// Threads: the thread that owns the world, between ticks.
#ifndef MUSTER_RUNTIME_RECORD_H
#define MUSTER_RUNTIME_RECORD_H

#include <muster/ecs/ecs.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Write down from now on what ticks are given: time, time scale, events of ecs_submit_event(). The end of the world ends it.
 *
 * @return  0; -1 with a logged sentence if the file cannot be written, or something is recorded already.
 */
ECS_API int ecs_recording_begin(ecs_world_t *world, const char *path);

/** End the recording with the state of the world. 0; -1 with a logged sentence if there is none, or not all of it could be written. */
ECS_API int ecs_recording_end(ecs_world_t *world);

/** Run the ticks of a recording, as fast as the target rate allows. Events that are submitted meanwhile are dropped, as the recording has
 * those of then; functions of ecs_submit() are called. After a tick that calls ecs_quit() no more are run.
 *
 * @return  The number of ticks; -1 with a logged sentence if the file cannot be read, does not begin with the state that the world has, or
 *          ends with another one, or has a mistake. The world is then as the ticks before the mistake left it. That a recording was not
 *          ended is no mistake, but a warning.
 */
ECS_API int64_t ecs_replay(ecs_world_t *world, const char *path);

#ifdef __cplusplus
}
#endif

#endif
