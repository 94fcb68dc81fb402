// SPDX-License-Identifier: MIT
// stats_module: the values that FlecsStats keeps on EcsWorld.
//
// Threads: the one of the world, between frames.
#ifndef RT_OBSERVE_STATS_MODULE_H
#define RT_OBSERVE_STATS_MODULE_H

#include "runtime.h"

/** A frame ended in a world with the module. Allocates only for systems it sees for the first time. */
void rt__stats_sample(rt_t *rt);

#endif
