// SPDX-License-Identifier: MIT
// record: a log of what ticks are given. Lines of JSON, with members in this order:
//
//   {"muster":"log","version":1,"tick":0,"seed":0,"hash":"9ae16a3b2f90404f"}
//   {"tick":0,"scale":1,"inbox":[],"delta":0.016666668}
//   {"tick":1,"scale":1,"inbox":[{"event":"Jump","entity":"Bob","value":{"height":2}},"function"],"delta":0.016666668}
//   {"ticks":2,"hash":"1c2b3d4e5f607182"}
//
// The first line tells the state when the recording began, the last one when it ended: hashes by ecs_world_hash. "tick" is the number of
// the frame, "scale" the time scale when it began, "delta" what it simulated before scaling. Entities, also in "ids", are paths where these
// lead back to them, else numbers. A value is "value" if reading its JSON gives the same bytes, else "bytes" in hexadecimal. {"job":3} is
// what follows from the third job in the background of this world. "function" stands for one of ecs_submit, of which no more is known.
// Reading accepts what writing writes, with other blanks inside values: replay.c.
#ifndef RT_RECORD_RECORD_H
#define RT_RECORD_RECORD_H

#include "runtime.h"

#define RT_RECORD_VERSION 1
/** Type of times in a log. */
#define RT_TIME_TYPE (sizeof(ecs_ftime_t) == sizeof(float) ? ecs_id(ecs_f32_t) : ecs_id(ecs_f64_t))

typedef struct rt_recording_t rt_recording_t;

#ifdef FLECS_JSON
/** A tick begins. */
void rt__recording_tick(rt_recording_t *recording);
/** What its inbox holds: events, with the bytes of their params, functions, and jobs that are done. */
void rt__recording_event(rt_recording_t *recording, const ecs_event_desc_t *event, ecs_size_t size);
void rt__recording_function(rt_recording_t *recording);
void rt__recording_job(rt_recording_t *recording, int64_t number);
/** How much time it simulates is known, too: its line is written. */
void rt__recording_delta(rt_recording_t *recording);
/** Write the last line, if there is a recording. False, after a sentence, if not all could be written. */
bool rt__recording_end(rt_t *rt);
/** The root of a world between ticks. [chk] */
rt_t *rt__of_recordable(ecs_world_t *world);
#else /* nothing is ever recorded */
static inline void rt__recording_tick(rt_recording_t *recording) { (void)recording; }
static inline void rt__recording_event(
    rt_recording_t *recording, const ecs_event_desc_t *event, ecs_size_t size) {
    (void)recording, (void)event, (void)size;
}
static inline void rt__recording_function(rt_recording_t *recording) { (void)recording; }
static inline void rt__recording_job(rt_recording_t *recording, int64_t number) {
    (void)recording, (void)number;
}
static inline void rt__recording_delta(rt_recording_t *recording) { (void)recording; }
static inline bool rt__recording_end(rt_t *rt) {
    (void)rt;
    return true;
}
#endif

#endif
