// SPDX-License-Identifier: MIT
// crew: those who share a merge, in any order and on any number of threads.
#ifndef TEST_CREW_H
#define TEST_CREW_H

#include <muster/ecs/extend.h>

typedef struct crew_t {
    ecs_ext_crew_t pub; /* first */
    int32_t calls;
} crew_t;

typedef enum { NOBODY, ALONE_BACKWARDS, FOUR_THREADS, CREWS } crew_kind_t;

/** NULL for nobody. */
const ecs_ext_crew_t *crew_begin(crew_t *crew, crew_kind_t kind);

#endif
