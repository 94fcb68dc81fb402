// SPDX-License-Identifier: MIT
#include "query/iter/copied.h"

#include "query/iter/matches.h"
#include "query/query.h"
#include "world/state.h"

// ---- simple ----

#define SAME_PLACE(member)                                                            \
    _Static_assert(offsetof(ecs__copy_t, member) ==                                   \
                       offsetof(ecs_iter_t, member) - offsetof(ecs_iter_t, entities), \
        #member " of a copy and of an iterator")
SAME_PLACE(entities);
SAME_PLACE(set_fields);
SAME_PLACE(frame_offset);
SAME_PLACE(table);
SAME_PLACE(count);
SAME_PLACE(offset);
SAME_PLACE(ptrs);

ECS__APART bool ecs__copied_next_simple(ecs_iter_t *it) {
    const uint64_t structure = it->real_world->store.structure_stamp;
    ecs__iter_unlock(it);
    if (RARELY(!ecs__copied_are_right(it, structure))) return ecs__matches_next_simple(it);
    const char *at = ecs__copies_with_rows(it->priv_.copy, ecs__copy_bytes(it->field_count));
    if (!ecs__copy_at(at)->count) return ecs__iter_end_simple(it);
    it->flags = (it->flags & ~EcsIterSkip) | EcsIterIsValid;
    it->ptrs = it->priv_.ptrs;
    ecs__copied_show(it, at, false, false);
    if (it->flags & EcsIterRowsAhead)
        ecs__copied_prefetch_rows(it, at, ecs__copy_bytes(it->field_count));
    else if (it->field_count <= ECS__COPY_FEW)
        it->priv_.quick = structure;
    return true;
}

// ---- with all that differs ----

// Position of the match whose copy was shown last. If matches moved meanwhile, find_place will look
// for its table.
void ecs__iter_leave_copies(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    if (!(it->flags & EcsIterCopied)) return;
    const ecs__cache_t *cache = ecs__program_of(it)->cache;
    ecs__iter_open(it);
    it->flags &= ~EcsIterCopied;
    if (!(it->flags & EcsIterIsValid)) return;
    priv->position = priv->last - (int32_t)((priv->copy_end - priv->copy) / priv->stride);
    priv->table_number = it->table->id;
    priv->group = cache->groups ? ecs__cache_group_of(cache, it->table) : 0;
}

#define COPY_ARRAYS(room)                                                            \
    memcpy(priv->ptrs, copy->ptrs, (room) * sizeof(void *));                         \
    memcpy(priv->ids, ecs__copy_ids(copy, room), (room) * sizeof(ecs_id_t));         \
    memcpy(priv->sources, ecs__copy_sources(copy, room), (room) * sizeof(ecs_id_t)); \
    memcpy(priv->sizes, ecs__copy_sizes(copy, room), (room) * sizeof(ecs_size_t));   \
    memcpy(priv->columns, ecs__copy_columns(copy, room), (room) * sizeof(int16_t));  \
    end = ecs__copy_end(copy, room)

static const ecs__copy_end_t *show_details(ecs_iter_t *it, const ecs__copy_t *copy) {
    ecs_iter_private_t *priv = &it->priv_;
    const ecs__copy_end_t *end;
    memcpy((char *)it + offsetof(ecs_iter_t, entities), copy, offsetof(ecs__copy_t, ptrs));
    if (it->field_count <= 4) {
        COPY_ARRAYS(4);
    } else {
        COPY_ARRAYS(8);
    }
    it->ref_fields = it->up_fields = end->up_fields;
    it->flags = (it->flags & ~EcsIterSkip) | EcsIterIsValid;
    ecs__iter_lock(it);
    return end;
}

static bool next_copied_row(ecs_iter_t *it) {
    it->priv_.row++;
    it->entities++;
    it->offset++;
    it->frame_offset++;
    for (int32_t f = 0; f < it->field_count; f++) {
        if (it->columns[f] >= 0) it->ptrs[f] = ECS_OFFSET(it->ptrs[f], it->sizes[f]);
    }
    return true;
}

static void begin(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    const ecs__cache_t *cache = ecs__program_of(it)->cache;
    ecs__iter_open(it);
    ecs__iter_make_arrays(it);
    priv->stamp = cache->moved;
    priv->last = ecs__cache_count(cache) - 1;
    priv->copy_end = (const char *)ecs__copies_at(cache, priv->last + 1);
    priv->stride = cache->copy_stride;
}

ECS__APART bool ecs__copied_next(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    if (!ecs__copied_are_right(it, it->real_world->store.structure_stamp)) {
        ecs__iter_leave_copies(it);
        return ecs__iter_next_general(it);
    }
    if (!it->ptrs) begin(it);
    const intptr_t stride = priv->stride;
    if (priv->row < priv->row_end) return next_copied_row(it);
    ecs__iter_unlock(it);
    for (const char *at = priv->copy; at < priv->copy_end; at += stride) {
        if (!ecs__copy_at(at)->count) continue;
        priv->copy = at + stride;
        ecs__copy_prefetch(ecs__copy_at(at + ECS__CACHE_AHEAD * stride), it->field_count);
        const ecs__copy_end_t *end = show_details(it, ecs__copy_at(at));
        if (end->is_mixed && it->count > 1 && !(it->flags & EcsIterInstanced)) {
            priv->row = 1;
            priv->row_end = it->count;
            it->count = 1;
        }
        return true;
    }
    return ecs__iter_end(it);
}

// ---- simple, in part ----

// Part of the matches, and of the rows of the first and the last one: what jobs of multithreaded
// systems run.
ECS__APART bool ecs__copied_next_cut(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    const ecs__cache_t *cache = ecs__program_of(it)->cache;
    const intptr_t stride = ecs__copy_bytes(it->field_count);
    ecs__iter_unlock(it);
    if (!ecs__copied_are_right(it, it->real_world->store.structure_stamp))
        return ecs__matches_next_simple(it);
    while (priv->position < priv->last) {
        const char *at = cache->copies + stride * ++priv->position;
        const ecs__copy_t *copy = ecs__copy_at(at);
        int32_t row = priv->first_row, end = ecs__matches_end_row(it, copy->count);
        priv->first_row = 0;
        if (row >= end) continue;
        ecs__copy_prefetch(ecs__copy_at(at + ECS__CACHE_AHEAD * stride), it->field_count);
        ecs__matches_show_simple(it, copy->table, copy->set_fields, row, end);
        for (int32_t f = 0; f < it->field_count; f++) {
            char *ptr = copy->ptrs[f];
            it->ptrs[f] = ptr ? ptr + it->sizes[f] * (intptr_t)row : NULL;
        }
        return true;
    }
    return ecs__iter_end_simple(it);
}
