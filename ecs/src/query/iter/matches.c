// SPDX-License-Identifier: MIT
#include "query/iter/matches.h"

#include "query/iter/result.h"
#include "world/state.h"

// ---- places ----

// Matches moved since the last result: go on behind it, up to the tables there were in the beginning.
static void find_place(ecs_iter_t *it, const ecs__cache_t *cache) {
    ecs_iter_private_t *priv = &it->priv_;
    const bool has_begun = priv->position > priv->begin;
    const int32_t last = ecs__cache_count(cache) - 1;
    priv->stamp = cache->moved;
    if (cache->sort && has_begun) { // slices stay where they are until an iteration begins
        priv->last = ECS_MIN(priv->last, last);
        return;
    }
    if (it->flags & EcsIterInGroup)
        ecs__iter_limit_to_group(it);
    else if (cache->groups || cache->sort)
        priv->last = last;
    else
        priv->last = ecs__cache_from(cache, priv->table_limit, 0) - 1;
    if (!has_begun) return;
    const ecs_termset_t fields = (ecs_termset_t)~it->query->fixed_fields;
    priv->position = ecs__cache_behind(cache, priv->table_number, priv->group, it->ids, fields) - 1;
}

// Matches of one group lie together in the order of the cache.
void ecs__iter_limit_to_group(ecs_iter_t *it) {
    const ecs__cache_t *cache = ecs__program_of(it)->cache;
    const ecs__group_t *group = ecs__groups_get(cache->groups, it->priv_.group);
    it->priv_.stamp = cache->moved;
    it->priv_.position = it->priv_.begin = group ? group->begin - 1 : -1;
    it->priv_.last = group ? group->end - 1 : -1;
}

// ---- simple matches ----

// Shared values came into the cache: go on in the general way.
static bool leave_simple(ecs_iter_t *it) {
    ecs__iter_leave_trivial(it);
    it->ptrs = NULL;
    return ecs_query_next(it);
}

void ecs__matches_show_simple(
    ecs_iter_t *it, ecs_table_t *table, ecs_termset_t set_fields, int32_t row, int32_t end) {
    it->frame_offset += it->count;
    it->offset = row;
    it->count = end - row;
    it->table = table;
    it->entities = end > row ? table->entities + row : NULL;
    it->set_fields = set_fields;
    it->flags = (it->flags & ~EcsIterSkip) | EcsIterIsValid;
    it->ptrs = it->priv_.ptrs;
    ecs__iter_lock(it);
}

static inline void set_pointers(ecs_iter_t *it, const ecs__match_t *match, int32_t row) {
    for (int32_t f = 0; f < it->field_count; f++) {
        int16_t column = match->columns[f];
        it->ptrs[f] = column < 0 ? NULL : ecs__table_cell(match->table, column, row);
    }
}

// Parts of an iteration do not count.
static void end_visit(const ecs_iter_t *it, const ecs__cache_t *cache) {
    if (!(it->flags & (EcsIterCut | EcsIterInGroup))) ecs__cache_end_visit(cache);
}

// Copies no longer hold: go on in the tables, behind the present one.
static void leave_copies(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    priv->quick = 0;
    priv->stamp = ECS_ITER_NOWHERE;
    priv->position = it->flags & EcsIterIsValid ? 0 : -1;
    if (!priv->position) priv->table_number = it->table->id;
}

// Tables changed lately: ask them.
ECS__APART bool ecs__matches_next_simple(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    const ecs__cache_t *cache = ecs__program_of(it)->cache;
    ecs__iter_open(it);
    if (priv->quick && !(it->flags & EcsIterCut)) leave_copies(it);
    if (cache->moved != priv->stamp) find_place(it, cache);
    while (priv->position < priv->last) {
        int32_t ahead = ECS_MIN(priv->position + ECS__CACHE_AHEAD, priv->last);
        priv->position++;
        __builtin_prefetch(ecs__matches_at(cache, &cache->now, ahead)->table);
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, priv->position);
        ecs_table_t *table = match->table;
        int32_t row = priv->first_row, end = table ? ecs__matches_end_row(it, table->count) : 0;
        priv->first_row = 0;
        if (row >= end) continue;
        if (match->details >= 0) {
            priv->position--;
            return leave_simple(it);
        }
        priv->table_number = match->number;
        ecs__matches_show_simple(it, table, match->set_fields, row, end);
        set_pointers(it, match, row);
        return true;
    }
    end_visit(it, cache);
    return ecs__iter_end(it);
}

// ---- all matches ----

void ecs__matches_show_own(ecs_iter_t *it, const ecs__plan_t *plan, ecs_table_t *table,
    ecs_termset_t set_fields, int32_t row, int32_t end) {
    it->ids = plan->ids;
    it->sources = plan->sources;
    it->sizes = it->query->sizes;
    it->columns = NULL;
    it->ref_fields = it->query->row_fields;
    it->up_fields = 0;
    ecs__matches_show_simple(it, table, set_fields, row, end);
}

static bool show_own_match(ecs_iter_t *it, const ecs__cache_t *cache, const ecs__match_t *match,
    int32_t row, int32_t end) {
    it->priv_.table_number = match->number;
    ecs__matches_show_own(it, cache->plan, match->table, match->set_fields, row, end);
    set_pointers(it, match, row);
    return true;
}

bool ecs__matches_next(ecs_iter_t *it, const ecs__cache_t *cache) {
    ecs_iter_private_t *priv = &it->priv_;
    const ecs_termset_t fixed = it->query->fixed_fields;
    bool with_empty = it->flags & EcsIterMatchEmptyTables;
    if (it->flags & EcsIterSync) ecs__iter_leave_match(it);
    if (cache->moved != priv->stamp) find_place(it, cache);
    while (priv->position < priv->last) {
        priv->position++;
        const ecs__place_t place = ecs__cache_place(cache, priv->position);
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, place.match);
        int32_t row = place.row + priv->first_row;
        priv->first_row = 0;
        if (!match->table || match->number >= priv->table_limit) continue;
        int32_t end = ecs__matches_end_row(it, ecs__place_end(&place, match->table));
        if (row >= end && !(with_empty && !match->table->count)) continue;
        priv->group = ecs__match_group(match);
        bool is_own = match->details < 0 && !cache->plan->scan && !cache->plan->by_row &&
                      it->field_count <= ECS_ITER_INLINE_FIELDS;
        if (is_own && end > row) return show_own_match(it, cache, match, row, end);
        if (!it->columns) ecs__iter_make_arrays(it);
        it->table = match->table;
        priv->table_number = match->number;
        ecs__iter_keep_fields(it, fixed);
        if (fixed) ecs__iter_follow_values(it);
        ecs__iter_fill_from_match(it, cache, match, (ecs_termset_t)~fixed);
        if (ecs__iter_show_rows(it, cache->plan, row, end)) return true;
    }
    end_visit(it, cache);
    return false;
}
