// SPDX-License-Identifier: MIT
// background: work that takes longer than a tick, on threads that no tick waits for; what follows from it comes by the inbox.
//
// Jobs are made and ended by the thread of the world and numbered in that order, which is the same in every run, so that a log can
// tell in which tick each was done. In a replay a job is done when the log says so: what came by itself is dropped, and a job that is
// late is waited for. The thread that works leaves a job alone once it is over; its inbox item only knows the number.
// Pairing: the store of `over` in run_job publishes what the work wrote, the load in is_over acquires it; so does the inbox.
#ifndef RT_TICK_BACKGROUND_H
#define RT_TICK_BACKGROUND_H

#include "runtime.h"

/** Whether there is such a job, of which no other item of this tick tells. */
bool rt__job_is_due(rt_t *rt, int64_t number);
/** Call what follows from it, and release the job. */
void rt__job_done(rt_t *rt, int64_t number);
/** Wait until the work of a job is over. False if there is no such job. */
bool rt__job_wait(rt_t *rt, int64_t number);

/** The log of a replay ended: hand jobs that are over to the inbox again. */
void rt__background_resume(rt_t *rt);
/** Stop the threads when their present jobs are over. What is not done yet will never be. */
void rt__background_end(rt_t *rt);

#endif
