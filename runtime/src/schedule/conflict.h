// SPDX-License-Identifier: MIT
// conflict: may two systems run at the same time on different workers?
//
// They conflict if one writes what the other accesses and both touch a common table. A conflict is
// row-wise if each of the two only touches the rows that it is given: then it is enough that range
// i of the second follows range i of the first.
#ifndef RT_SCHEDULE_CONFLICT_H
#define RT_SCHEDULE_CONFLICT_H

#include "system/system.h"

typedef enum rt_conflict_kind_t {
    RT_CONFLICT_NONE,
    RT_CONFLICT_ROWS, /* row-wise */
    RT_CONFLICT_FULL  /* all of the second must follow all of the first */
} rt_conflict_kind_t;

typedef struct rt_conflict_t {
    rt_conflict_kind_t kind;
    ecs_id_t id; /* what both access */
    bool first_writes, second_writes;
} rt_conflict_t;

/** The strongest conflict of two systems, whose matches are up to date. O(terms²), and O(tables)
 * when ids overlap. */
rt_conflict_t rt__conflict(const rt_system_t *first, const rt_system_t *second);

/** True if ranges of one system would get into each other's way, so that it cannot be split. */
bool rt__conflicts_with_itself(const rt_system_t *system);

#endif
