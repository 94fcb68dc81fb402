// SPDX-License-Identifier: MIT
// start: beginnings of iterations that were worked out ahead, for the runtime.
//
// A system runs in every tick, mostly over matches that are where they were. ecs_ext_start_prepare
// notes what ecs_query_iter would find out; ecs_ext_iter_start only copies it, into an iterator that
// served other queries before. Stamps of the world say whether the note still holds: it is neither
// in the way of tables that come and go, nor does a tick over many systems have to look at each cache.
// Every member that an iteration, or a user, may have changed is written.
// Threads: a start is prepared on the main thread and read by all.
#include <muster/ecs/extend.h>

#include "query/iter/iter.h"
#include "query/query.h"
#include "world/state.h"

void ecs_ext_start_prepare(ecs_ext_start_t *start, const ecs_query_t *base) {
    const ecs__query_t *query = ecs__query_now(base);
    const ecs__cache_t *cache = query->cache;
    *start = (ecs_ext_start_t){ .query = base };
    if (!cache) return;
    ecs_ext_query_update(base);
    ecs__cache_visit(query->cache); // the second visit copies rows, if the first was new
    // Flags and bounds are those of an iteration outside of systems; it is never begun.
    ecs_iter_t it = ecs_query_iter(base->real_world, base);
    ((ecs_query_t *)(uintptr_t)base)->eval_count--;
    if (!(it.flags & EcsIterTrivialCached)) return;
    start->cache = it.priv_.source;
    start->copy = it.priv_.copy;
    start->copy_end = it.priv_.copy_end;
    start->copied = it.priv_.copied;
    start->stride = it.priv_.stride;
    start->moved = it.priv_.stamp;
    start->structure = cache->store->structure_stamp;
    start->traverse = cache->store->traverse_stamp;
    start->table_limit = it.priv_.table_limit;
    start->last = it.priv_.last;
    start->flags = it.flags;
    start->sizes = it.sizes;
    start->ids = it.ids;
    start->sources = it.sources;
    start->binding_ctx = it.binding_ctx;
    start->real_world = it.real_world;
    start->row_fields = it.row_fields;
    start->field_count = it.field_count;
}

bool ecs_ext_iter_start(ecs_iter_t *it, ecs_world_t *stage, const ecs_ext_start_t *start) {
    if (!start->cache) return false;
    const ecs__store_t *store = &start->real_world->store;
    if (store->structure_stamp != start->structure) return false;
    if (store->traverse_stamp != start->traverse) return false;
    ecs__assert(((const ecs__cache_t *)start->cache)->moved == start->moved &&
                    ecs__iter_is_concurrent(start->real_world),
        "matches stay where they are while tables do and the world is readonly");
    ecs_iter_private_t *priv = &it->priv_;
    it->world = stage;
    it->real_world = start->real_world;
    it->offset = it->count = 0;
    it->entities = NULL;
    it->ptrs = NULL;
    it->columns = NULL;
    it->sizes = start->sizes;
    it->table = NULL;
    it->ids = start->ids;
    it->sources = start->sources;
    it->constrained_vars = 0;
    it->set_fields = it->ref_fields = it->up_fields = 0;
    it->row_fields = start->row_fields;
    it->field_count = start->field_count;
    it->query = start->query;
    it->binding_ctx = start->binding_ctx;
    it->frame_offset = 0;
    it->flags = start->flags;
    it->interrupted_by = 0;
    it->next = ecs_query_next;
    it->fini = NULL;
    it->chain_it = NULL;
    priv->source = (void *)(uintptr_t)start->cache;
    priv->copy = start->copy;
    priv->copy_end = start->copy_end;
    priv->copied = start->copied;
    priv->locked = NULL;
    priv->position = -1;
    priv->last = start->last;
    priv->first_row = 0;
    priv->last_row = -1;
    priv->table_limit = start->table_limit;
    priv->stamp = start->moved;
    priv->stride = start->stride;
    return true;
}
