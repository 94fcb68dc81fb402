// SPDX-License-Identifier: MIT
// copied: whole results that the cache holds ready (cache/copy.c), which are copied into the iterator.
//
// Copies hold while no table changes; then iterations go on in matches.c.
#ifndef ECS_QUERY_ITER_COPIED_H
#define ECS_QUERY_ITER_COPIED_H

#include "query/iter/iter.h"

static inline const ecs__copy_t *ecs__copy_at(const char *address) {
    return (const ecs__copy_t *)(const void *)address;
}

// Pointers are copied in whole blocks: that is cheaper than a loop, and there is room behind the last field on both sides.
/** Show a copy of a simple match. `has_few`: it has ECS__COPY_FEW fields at most. */
static inline void ecs__copied_show(ecs_iter_t *it, const char *at, bool has_few, bool is_first) {
    ecs_iter_private_t *priv = &it->priv_;
    const intptr_t bytes = has_few ? ECS__COPY_FEW_BYTES : ecs__copy_bytes(it->field_count);
    const char *ahead = at + ECS__CACHE_AHEAD * bytes;
    const ecs__copy_t *copy = ecs__copy_at(at);
    priv->copy = at + bytes;
    if (!is_first) ecs__copy_prefetch(ecs__copy_at(ahead), has_few ? 0 : it->field_count);
    memcpy((char *)it + offsetof(ecs_iter_t, entities), copy, offsetof(ecs__copy_t, ptrs));
    memcpy(priv->ptrs, copy->ptrs, has_few ? ECS__COPY_FEW * sizeof(void *) : sizeof priv->ptrs);
    ecs__iter_lock(it);
}

/** With EcsIterRowsAhead: the copy at `at` is shown now. */
static inline void ecs__copied_prefetch_rows(
    const ecs_iter_t *it, const char *at, intptr_t stride) {
    const ecs__copy_t *soon = ecs__copy_at(at + ECS__CACHE_ROWS_AHEAD * stride);
    ecs__copy_prefetch_rows(soon, it->sizes, it->field_count);
}

/** The copies, of which the next one is at `copy`, are right at this structure stamp of the world. */
static inline bool ecs__copied_are_right(const ecs_iter_t *it, uint64_t structure) {
    return (it->priv_.quick & ~(ECS_ITER_FRESH | ECS_ITER_SLOW)) == structure;
}

/** Next result where all matches are simple. */
bool ecs__copied_next_simple(ecs_iter_t *it);
/** The same of a part of the matches. */
bool ecs__copied_next_cut(ecs_iter_t *it);
/** Next result where ids, sources or columns differ. */
bool ecs__copied_next(ecs_iter_t *it);

#endif
