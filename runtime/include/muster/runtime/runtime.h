// SPDX-License-Identifier: MIT
// runtime: systems, phases, pipelines, schedules and ticks in one include.
#ifndef MUSTER_RUNTIME_RUNTIME_H
#define MUSTER_RUNTIME_RUNTIME_H

#include <muster/runtime/app.h>
#include <muster/runtime/background.h>
#include <muster/runtime/frame.h>
#include <muster/runtime/init.h>
#include <muster/runtime/module.h>
#include <muster/runtime/pipeline.h>
#ifdef FLECS_JSON
#include <muster/runtime/record.h>
#endif
#include <muster/runtime/schedule.h>
#include <muster/runtime/stats.h>
#include <muster/runtime/system.h>
#include <muster/runtime/timer.h>
#include <muster/runtime/trace.h>

#endif
