// SPDX-License-Identifier: MIT
// topology: how many processors this process may use. Public entry: sched_usable_cpus.
#ifndef SCHED_TOPOLOGY_H
#define SCHED_TOPOLOGY_H

#include <stdint.h>

/* Processors' worth of time in a cgroup v2 "cpu.max" text ("max 100000", "150000 100000"), rounded
 * up; 0 if the text sets no limit. */
int32_t sched__quota_of(const char *cpu_max);

#endif
