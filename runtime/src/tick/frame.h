// SPDX-License-Identifier: MIT
// frame: runs the schedule of a pipeline and keeps it current.
#ifndef RT_TICK_FRAME_H
#define RT_TICK_FRAME_H

#include "pipeline/pipeline.h"
#include "schedule/schedule.h"

/** Bring list and schedule up to date, as at the start of a tick. */
void rt__pipeline_compile(rt_pipeline_t *pipeline);

#endif
