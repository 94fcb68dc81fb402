// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "topology.h"

#include <limits.h>
#include <muster/scheduler/pool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sched.h>
#endif

int32_t sched__quota_of(const char *cpu_max) {
    char *end;
    long long quota = strtoll(cpu_max, &end, 10), period = strtoll(end, NULL, 10);
    if (end == cpu_max || quota <= 0 || period <= 0) return 0;
    long long cpus = quota / period + (quota % period != 0);
    return cpus > INT32_MAX ? INT32_MAX : (int32_t)cpus;
}

static int32_t least(int32_t cpus, int32_t limit) {
    return limit > 0 && limit < cpus ? limit : cpus;
}

#if defined(__linux__)
static bool read_line(const char *path, char *line, int size) {
    FILE *file = fopen(path, "r");
    if (!file) return false;
    bool has_line = fgets(line, size, file) != NULL;
    fclose(file);
    return has_line;
}

// The tightest limit on the way from this process's group (cgroup v2) to the root.
static int32_t limit_v2(int32_t cpus) {
    char group[PATH_MAX], path[PATH_MAX + 32], line[128];
    if (!read_line("/proc/self/cgroup", group, sizeof group) || strncmp(group, "0::/", 4))
        return cpus;
    char *name = group + 3;
    name[strcspn(name, "\n")] = 0;
    for (char *slash; (slash = strrchr(name, '/')); *slash = 0) {
        snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", name);
        if (read_line(path, line, sizeof line)) cpus = least(cpus, sched__quota_of(line));
    }
    /* In a container the root of the mount may be the group itself. */
    if (read_line("/sys/fs/cgroup/cpu.max", line, sizeof line))
        cpus = least(cpus, sched__quota_of(line));
    return cpus;
}

static int32_t limit_v1(int32_t cpus) {
    char quota[64], period[64], both[130];
    if (!read_line("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", quota, sizeof quota)) return cpus;
    if (!read_line("/sys/fs/cgroup/cpu/cpu.cfs_period_us", period, sizeof period)) return cpus;
    snprintf(both, sizeof both, "%s %s", quota, period);
    return least(cpus, sched__quota_of(both));
}

int32_t sched_usable_cpus(void) {
    cpu_set_t set;
    int32_t cpus = 1;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        cpus = CPU_COUNT(&set);
    } else { /* more processors than a cpu_set_t holds */
        cpus = (int32_t)sysconf(_SC_NPROCESSORS_ONLN);
    }
    cpus = limit_v1(limit_v2(cpus));
    return cpus < 1 ? 1 : cpus;
}
#else
int32_t sched_usable_cpus(void) {
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    return least(INT32_MAX, cpus < 1 ? 1 : (int32_t)cpus);
}
#endif
