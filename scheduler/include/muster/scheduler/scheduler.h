// SPDX-License-Identifier: MIT
// scheduler: everything this module offers. See scheduler/README.md for a tour.
#ifndef MUSTER_SCHEDULER_SCHEDULER_H
#define MUSTER_SCHEDULER_SCHEDULER_H

#include <muster/scheduler/background.h>
#include <muster/scheduler/graph.h>
#include <muster/scheduler/pool.h>

#endif
