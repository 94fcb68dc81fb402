// SPDX-License-Identifier: MIT
// sync: before which systems queued commands must be applied.
//
// Systems are fed in the order of the pipeline. Remembered are the ids that systems since the last
// merge declared to write through commands (terms without source, or with a fixed source, that are
// `out`, and `[out] !Id`). A system that reads one of them, or matches it on $this, needs a merge
// before it, and so does one that reads what it is a kind of. So does a change between main thread,
// workers and immediate, or between fixed steps, and a system whose query is sorted: earlier systems
// may have changed the order. Systems that match nothing write nothing, but may still ask for a merge.
#ifndef RT_SCHEDULE_SYNC_H
#define RT_SCHEDULE_SYNC_H

#include "system/system.h"

typedef enum rt_merge_kind_t {
    RT_MERGE_END,       /* the pipeline ends */
    RT_MERGE_READ,      /* `reader` reads or matches `id`, which `writer` queued */
    RT_MERGE_KIND,      /* main thread <-> workers */
    RT_MERGE_IMMEDIATE, /* before or after an immediate system */
    RT_MERGE_STEP,      /* `reader` steps with another fixed step than `writer`, or with none */
    RT_MERGE_SORT       /* results of `reader` are sorted at the beginning of a stretch */
} rt_merge_kind_t;

/** Why there is a merge. */
typedef struct rt_merge_t {
    rt_merge_kind_t kind;
    ecs_entity_t writer, reader;
    ecs_id_t id;
} rt_merge_t;

typedef struct rt_staged_t {
    ecs_id_t id;
    ecs_entity_t writer;
} rt_staged_t;

typedef struct rt_sync_t {
    rt_staged_t *staged; /* written since the last merge */
    int32_t count, size;
    ecs_map_t by_id; /* id -> number in `staged` */
    int32_t *wide;   /* numbers of those that are wildcards */
    int32_t wide_count, wide_size;
    bool any;       /* an active system came since the last merge */
    rt_kind_t kind; /* of the last active system */
    ecs_entity_t fixed_step, last;
} rt_sync_t;

/** Take the next system, which runs as `kind` and in `fixed_step` (0: none). True if there is a merge before it; `why`
 * says the reason. */
bool rt__sync_next(rt_sync_t *sync, const rt_system_t *system, rt_kind_t kind,
    ecs_entity_t fixed_step, bool active, rt_merge_t *why);
void rt__sync_fini(rt_sync_t *sync);

#endif
