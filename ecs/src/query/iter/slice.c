// SPDX-License-Identifier: MIT
// slice: parts of results: pages, shares of workers, and cut-outs of cached queries for the runtime.
#include <muster/ecs/extend.h>

#include "base/assert.h"
#include "query/iter/iter.h"
#include "query/query.h"
#include "world/state.h"

// ---- iterators over the results of another ----

static void end_chain(ecs_iter_t *it) { ecs_iter_fini(it->chain_it); }

static ecs_iter_t chain(
    const ecs_iter_t *source, ecs_iter_next_action_t next, int32_t a, int32_t b) {
    ECS__NEED_OR(source, ((ecs_iter_t){ .next = next, .flags = EcsIterNoResults }));
    ecs_iter_t it;
    ecs__iter_begin_bare(&it, source->world, source->field_count);
    it.query = source->query;
    it.ctx = source->ctx;
    it.binding_ctx = source->binding_ctx;
    it.chain_it = (ecs_iter_t *)(uintptr_t)source;
    it.next = next;
    it.fini = end_chain;
    it.priv_.offset = a;
    it.priv_.limit = b;
    return it;
}

static bool end(ecs_iter_t *it) {
    ecs_iter_fini(it->chain_it);
    return ecs__iter_end(it);
}

// True if somebody wants to know which results of the source were passed (changes.c).
static bool tells(const ecs_iter_t *it) {
    while (it->chain_it) it = it->chain_it;
    return it->flags & EcsIterSync;
}

// No row of the source's result is shown: it is neither seen nor written.
static void pass_over(ecs_iter_t *it) {
    if (tells(it)) ecs_iter_skip(it->chain_it);
}

// Show rows [first, first + count) of the source's result.
static bool show_part(ecs_iter_t *it, int32_t first, int32_t count) {
    const ecs_iter_t *source = it->chain_it;
    if (!it->ptrs) ecs__iter_make_arrays(it);
    it->frame_offset += it->count;
    it->table = source->table;
    it->offset = source->offset + first;
    it->count = count;
    it->entities = source->entities ? source->entities + first : NULL;
    it->ids = source->ids;
    it->sources = source->sources;
    it->sizes = source->sizes;
    it->columns = source->columns;
    it->set_fields = source->set_fields;
    it->ref_fields = source->ref_fields;
    it->row_fields = source->row_fields;
    it->up_fields = source->up_fields;
    it->flags |= EcsIterIsValid;
    for (int32_t f = 0; f < it->field_count; f++) {
        char *ptr = source->ptrs[f];
        bool is_array = ptr && !(source->ref_fields >> f & 1);
        it->ptrs[f] = is_array ? ptr + (size_t)source->sizes[f] * (size_t)first : ptr;
    }
    return true;
}

ecs_iter_t ecs_page_iter(const ecs_iter_t *it, int32_t offset, int32_t limit) {
    ecs_check(offset >= 0 && limit >= 0, ECS_INVALID_PARAMETER,
        "a page cannot skip %d entities and return %d", offset, limit);
    return chain(it, ecs_page_next, offset, limit ? limit : INT32_MAX);
error:
    return chain(it, ecs_page_next, 0, 0);
}

bool ecs_page_next(ecs_iter_t *it) {
    ECS__NEED_OR(it, false);
    if (it->flags & EcsIterNoResults) return false;
    ecs_check(it->chain_it != NULL && it->next == ecs_page_next, ECS_INVALID_PARAMETER,
        "this is no page iterator");
    ecs_iter_private_t *priv = &it->priv_;
    while (priv->limit && ecs_iter_next(it->chain_it)) {
        int32_t count = it->chain_it->count, skipped = ECS_MIN(priv->offset, count);
        priv->offset -= skipped;
        if (!count) return show_part(it, 0, 0);
        if (skipped == count) {
            pass_over(it);
            continue;
        }
        count = ECS_MIN(count - skipped, priv->limit);
        if (priv->limit != INT32_MAX) priv->limit -= count;
        return show_part(it, skipped, count);
    }
    if (!priv->limit && tells(it)) ecs_iter_next(it->chain_it); // what was shown last is passed
    return end(it);
error:
    return false;
}

ecs_iter_t ecs_worker_iter(const ecs_iter_t *it, int32_t index, int32_t count) {
    ecs_check(count > 0 && index >= 0 && index < count, ECS_INVALID_PARAMETER,
        "there is no part %d of %d", index, count);
    return chain(it, ecs_worker_next, index, count);
error:
    return chain(it, ecs_worker_next, 0, 0);
}

bool ecs_worker_next(ecs_iter_t *it) {
    ECS__NEED_OR(it, false);
    if (it->flags & EcsIterNoResults) return false;
    ecs_check(it->chain_it != NULL && it->next == ecs_worker_next, ECS_INVALID_PARAMETER,
        "this is no worker iterator");
    int32_t index = it->priv_.offset, parts = it->priv_.limit;
    while (parts && ecs_iter_next(it->chain_it)) {
        int32_t count = it->chain_it->count, each = count / parts, longer = count % parts;
        int32_t part = each + (index < longer);
        if (part || (!count && !index))
            return show_part(it, each * index + ECS_MIN(index, longer), part);
        pass_over(it);
    }
    return end(it);
error:
    return false;
}

// ---- cut-outs ----

// What is sorted moves rows when it is asked for results, not before.
static bool update(ecs__cache_t *cache) {
    if (!cache || cache->sort || ecs__asks(cache->store->owner)) return false;
    ecs__cache_compact(cache);
    if (!ecs__cache_is_current(cache)) ecs__cache_update(cache);
    return true;
}

void ecs_ext_query_update(const ecs_query_t *query) {
    ecs__cache_t *cache = ecs__query_program(query)->cache;
    if (!update(cache)) return;
    ecs__cache_visit(cache);
    ecs__cache_end_visit(cache); /* a system will go through all */
}

// Another program has other results, whatever its cache says.
uint64_t ecs_ext_query_stamp(const ecs_query_t *query) {
    uint64_t stamp = 0;
    for (const ecs__program_t *of = ecs__query_program(query); of; of = of->before)
        stamp += 1 + (of->cache ? of->cache->stamp : 0);
    return stamp;
}

// Sorted slices, and matches that are looked at for changes, come one after the other, and so do
// children in the order of their parent, and entities by their depth.
static int32_t match_count(const ecs__program_t *of) {
    bool can_cut = of->cache && !of->detect && !of->cache->sort && !of->plan.entity_cascade &&
                   !(of->graph && of->graph->has_ordered);
    return can_cut ? ecs__cache_count(of->cache) : -1;
}

int32_t ecs_ext_query_match_count(const ecs_query_t *query) {
    return match_count(ecs__query_program(query));
}

bool ecs_ext_query_may_match(const ecs_query_t *query) {
    const ecs__program_t *of = ecs__query_program(query);
    update(of->cache);
    return match_count(of) != 0;
}

bool ecs_ext_query_is_sorted(const ecs_query_t *query) {
    const ecs__cache_t *cache = ecs__query_of(query)->program->cache;
    return cache && cache->sort;
}

ecs_table_t *ecs_ext_query_match_table(const ecs_query_t *query, int32_t match) {
    return ecs__cache_at(ecs__query_program(query)->cache, match)->table;
}

void ecs_ext_iter_range(
    ecs_iter_t *it, int32_t first, int32_t first_row, int32_t last, int32_t last_row) {
    ecs__assert(ecs__program_of(it) && it->flags & (EcsIterCached | EcsIterGraph),
        "only cached queries can be cut");
    const ecs__cache_t *cache = ecs__cache_of(it);
    ecs__iter_leave_copies(it);
    bool has_cut = it->flags & (EcsIterTrivialCached | EcsIterGraph);
    it->flags |= EcsIterInstanced | (has_cut ? EcsIterCut : 0);
    it->flags &= ~EcsIterTrivialCached;
    if (it->priv_.quick) it->priv_.quick |= ECS_ITER_SLOW;
    ecs__iter_open(it);
    it->priv_.stamp = cache ? cache->moved : 0;
    it->priv_.position = it->priv_.begin = first - 1;
    it->priv_.first_row = it->priv_.begin_row = first_row;
    it->priv_.last = last;
    it->priv_.last_row = last_row;
}
