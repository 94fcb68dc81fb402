// SPDX-License-Identifier: MIT
// start: iterations that were worked out ahead, for the runtime.
//
// A system runs in every tick, mostly over matches that are where they were. ecs_ext_start_prepare
// keeps the iterator as its query gave it; the others copy that, into an iterator that served other
// queries before. Stamps of the world say whether the copy still holds: it is neither in the way of
// tables that come and go, nor does a tick over many systems have to look at each cache.
// Callbacks get their results straight from the copies that the cache holds; there is nothing to
// step for them. Every member that an iteration, or a user, may have changed is written.
// Threads: a start is prepared on the main thread and read by all.
#include <muster/ecs/extend.h>

#include "query/iter/copied.h"
#include "query/query.h"
#include "world/state.h"

_Static_assert(sizeof(void *) != 8 || offsetof(ecs_ext_start_t, it) % 16 == 0,
    "a start is copied by 16 bytes, none of them in two cache lines");

// Later members are only valid if flags say so.
#define START_BYTES ECS__ITER_BEGIN

void ecs_ext_start_prepare(ecs_ext_start_t *start, const ecs_iter_t *it) {
    start->cache = NULL;
    ((ecs_query_t *)(uintptr_t)it->query)->eval_count--; /* it is never begun */
    it->real_world->info.queries_ran_total--;
    if (!(it->flags & EcsIterTrivialCached)) return;
    const ecs__store_t *store = &it->real_world->store;
    start->structure = store->structure_stamp;
    start->traverse = store->traverse_stamp;
    if (!ecs__copied_are_right(it, start->structure)) return;
    const ecs__cache_t *cache = ecs__program_of(it)->cache;
    start->cache = cache;
    start->copies = cache->copies;
    start->copies_end = (const char *)ecs__copies_at(cache, ecs__cache_count(cache));
    start->stride = cache->copy_stride;
    memcpy(&start->it, it, START_BYTES);
    start->it.priv_.quick = 0; /* results that are shown from outside cannot be stepped */
}

static inline bool holds(const ecs_ext_start_t *start) {
    if (!start->cache) return false;
    const ecs__store_t *store = &start->it.real_world->store;
    if (store->structure_stamp != start->structure) return false;
    if (store->traverse_stamp != start->traverse) return false;
#ifdef ECS_CHECK_LEVEL_
    if (start->it.real_world->access) return false; /* checks of access look at whole iterators */
#endif
    ecs__assert(ecs__iter_is_concurrent(start->it.real_world),
        "copies are right while tables stay as they are and the world is readonly");
    return true;
}

// Of a system that runs again: what users may have changed, and times.
static inline void begin_again(
    ecs_iter_t *it, ecs_world_t *stage, ecs_ftime_t delta_time, ecs_ftime_t delta_system_time) {
    it->world = stage;
    it->delta_time = delta_time;
    it->delta_system_time = delta_system_time;
    it->interrupted_by = 0;
}

static inline void begin(const ecs_ext_start_t *start, size_t bytes, ecs_iter_t *it,
    ecs_world_t *stage, ecs_ftime_t delta_time, ecs_ftime_t delta_system_time) {
    memcpy(it, &start->it, bytes);
    it->priv_.quick = 0; /* it may have been left in the middle of results */
    begin_again(it, stage, delta_time, delta_system_time);
}

bool ecs_ext_start_iter(const ecs_ext_start_t *start, ecs_iter_t *it, ecs_world_t *stage,
    ecs_ftime_t delta_time, ecs_ftime_t delta_system_time) {
    if (!holds(start)) return false;
    begin(start, START_BYTES, it, stage, delta_time, delta_system_time);
    it->priv_.quick = start->structure | ECS_ITER_SLOW;
    return true;
}

// Results are shown from outside: for the functions that would step, there are none.
static inline void show_from_outside(const ecs_ext_start_t *start, ecs_iter_t *it) {
    it->flags = (start->it.flags & ~EcsIterTrivialCached) | EcsIterIsValid | EcsIterNoResults;
    ecs__stage_of(it->world)->system = it->system;
}

// Whoever called goes on to the next result, unless the callback ended the iterator; in the general way, if it asked for changes.
void ecs_ext_iter_show(ecs_iter_t *it) {
    const ecs_flags32_t trivial = it->flags & EcsIterTrivialCached;
    const uint64_t quick = it->priv_.quick;
    it->flags = (it->flags & ~EcsIterTrivialCached) | EcsIterNoResults;
    it->priv_.quick = 0;
    it->callback(it);
    if ((it->flags & (EcsIterIsValid | EcsIterSync)) == EcsIterIsValid) {
        it->flags = (it->flags & ~EcsIterNoResults) | trivial;
        it->priv_.quick = quick;
    } else if (it->flags & EcsIterIsValid) {
        it->flags &= ~EcsIterNoResults;
    }
}

// Of copies behind the one that is shown now.
static inline void prefetch(const ecs_iter_t *it, const char *at, intptr_t stride) {
    if (it->flags & EcsIterRowsAhead)
        ecs__copied_prefetch_rows(it, at, stride);
    else
        ecs__copy_prefetch(ecs__copy_at(at + ECS__CACHE_AHEAD * stride), it->field_count);
}

void ecs_ext_iter_release(ecs_iter_t *it) { ecs__iter_free(it); }

HOT bool ecs_ext_start_run(ecs_ext_start_t *start, ecs_iter_t *it, ecs_world_t *stage,
    ecs_ftime_t delta_time, ecs_ftime_t delta_system_time) {
    if (!holds(start)) return false;
    const ecs_flags32_t flags = start->it.flags;
    if (it)
        begin(start, offsetof(ecs_iter_t, priv_), it, stage, delta_time, delta_system_time);
    else
        begin_again(it = &start->it, stage, delta_time, delta_system_time);
    show_from_outside(start, it);
    const intptr_t stride = start->stride;
    for (const char *at = start->copies; at < start->copies_end; at += stride) {
        const ecs__copy_t *copy = ecs__copy_at(at);
        if (!copy->count) continue;
        if (at + stride < start->copies_end) prefetch(it, at, stride);
        memcpy((char *)it, copy, offsetof(ecs__copy_t, ptrs));
        it->ptrs = (void **)(uintptr_t)copy->ptrs;
        it->callback(it);
    }
    ecs_ext_iter_leave(it);
    it->flags = flags;
    return true;
}

static inline void show_rows(ecs_iter_t *it, const ecs__copy_t *copy, int32_t row, int32_t end) {
    it->entities = copy->entities + row;
    it->table = copy->table;
    it->count = end - row;
    it->offset = row;
    it->set_fields = copy->set_fields;
    for (int32_t f = 0; f < it->field_count; f++) {
        char *ptr = copy->ptrs[f];
        it->priv_.ptrs[f] = ptr ? ptr + it->sizes[f] * (intptr_t)row : NULL;
    }
    it->ptrs = it->priv_.ptrs;
}

bool ecs_ext_start_run_rows(const ecs_ext_start_t *start, ecs_iter_t *it, ecs_world_t *stage,
    ecs_ftime_t delta_time, ecs_ftime_t delta_system_time, const ecs_ext_rows_t *rows) {
    if (!holds(start)) return false;
    begin(start, offsetof(ecs_iter_t, priv_), it, stage, delta_time, delta_system_time);
    show_from_outside(start, it);
    const char *at = start->copies + rows->first * start->stride;
    int32_t row = rows->first_row, before = rows->before;
    for (int32_t m = rows->first; m <= rows->last; m++, at += start->stride, row = 0) {
        const ecs__copy_t *copy = ecs__copy_at(at);
        bool is_cut = m == rows->last && rows->last_row >= 0;
        int32_t end = is_cut ? ECS_MIN(rows->last_row, copy->count) : copy->count;
        if (row >= end) continue;
        if (m < rows->last) prefetch(it, at, start->stride);
        show_rows(it, copy, row, end);
        it->frame_offset = before;
        it->callback(it);
        before += end - row;
    }
    ecs_ext_iter_leave(it);
    return true;
}

bool ecs_ext_start_show(const ecs_ext_start_t *start, ecs_iter_t *it, ecs_world_t *stage,
    ecs_ftime_t delta_time, ecs_ftime_t delta_system_time, int32_t match, int32_t row,
    int32_t end) {
    if (!holds(start)) return false;
    begin(start, offsetof(ecs_iter_t, priv_), it, stage, delta_time, delta_system_time);
    show_from_outside(start, it);
    show_rows(it, ecs__copy_at(start->copies + match * start->stride), row, end);
    return true;
}
