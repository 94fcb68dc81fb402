// SPDX-License-Identifier: MIT
// scan: candidates for $this: the tables of some id records together, or all tables, in order of
// creation.
#ifndef ECS_QUERY_EVAL_SCAN_H
#define ECS_QUERY_EVAL_SCAN_H

#include "query/plan/plan.h"

#define ECS__SCAN_RECORDS 8

typedef struct ecs__scan_t {
    const ecs__store_t *store;
    const ecs_component_record_t *records[ECS__SCAN_RECORDS];
    int32_t positions[ECS__SCAN_RECORDS];
    ecs_table_t *heads[ECS__SCAN_RECORDS]; /* next table of each record, when there are several */
    int32_t count;                         /* 0: all tables */
    uint64_t stamp;                        /* of the lists of tables; with heads, of rows, too */
    uint64_t last;                         /* number of the last table + 1 */
    uint64_t limit;                        /* tables from this number on were made meanwhile */
    bool with_empty;
} ecs__scan_t;

/** Begin with the candidates of a plan. */
void ecs__scan_init(
    ecs__scan_t *scan, const ecs__store_t *store, const ecs__plan_t *plan, bool with_empty);
/** True if the next table is to be found anew. */
static inline bool ecs__scan_has_moved(const ecs__scan_t *scan) {
    const ecs__store_t *store = scan->store;
    return scan->stamp != (scan->count > 1 ? store->structure_stamp : store->table_stamp);
}
/** The next table, or NULL. Tables made meanwhile do not come. */
ecs_table_t *ecs__scan_next(ecs__scan_t *scan);

#endif
