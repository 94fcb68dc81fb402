// SPDX-License-Identifier: MIT
#include "schedule/sync.h"

static int32_t find_among(const rt_sync_t *sync, const ecs_world_t *world, const ecs_term_t *term) {
    int32_t i = 0;
    while (i < sync->count && !rt__term_covers(world, term, sync->staged[i].id)) i++;
    return i;
}

static int32_t find_wide(const rt_sync_t *sync, ecs_id_t id) {
    for (int32_t i = 0; i < sync->wide_count; i++) {
        if (rt__ids_overlap(sync->staged[sync->wide[i]].id, id)) return sync->wide[i];
    }
    return sync->count;
}

// The first that overlaps, without a look at each: there may be as many as systems.
static const rt_staged_t *find_staged(
    const rt_sync_t *sync, const ecs_world_t *world, const ecs_term_t *term) {
    if (!sync->count) return NULL;
    const ecs_id_t id = rt__term_id(world, term);
    int32_t found;
    if (ecs_id_is_wildcard(id) || rt__term_has_kinds(world, term)) {
        found = find_among(sync, world, term);
    } else {
        const ecs_map_val_t *same = ecs_map_get(&sync->by_id, id);
        found = ECS_MIN(same ? (int32_t)*same : sync->count, find_wide(sync, id));
    }
    return found < sync->count ? &sync->staged[found] : NULL;
}

static void add_staged(rt_sync_t *sync, ecs_id_t id, ecs_entity_t writer) {
    ecs_map_init_if(&sync->by_id, NULL);
    if (ecs_map_get(&sync->by_id, id)) return;
    ecs_map_insert(&sync->by_id, id, (ecs_map_val_t)sync->count);
    if (ecs_id_is_wildcard(id)) {
        RT_ROOM(sync->wide, sync->wide_count, sync->wide_size);
        sync->wide[sync->wide_count++] = sync->count;
    }
    RT_ROOM(sync->staged, sync->count, sync->size);
    sync->staged[sync->count++] = (rt_staged_t){ id, writer };
}

static void forget_staged(rt_sync_t *sync) {
    if (sync->count) ecs_map_clear(&sync->by_id);
    sync->count = sync->wide_count = 0;
}

// The system will add what it declares not to have.
static bool adds_by_command(const ecs_term_t *term, ecs_inout_kind_t inout) {
    return term->oper == EcsNot && inout == EcsOut;
}

// A term that makes use of what is stored: anything about $this, and declared reads elsewhere.
static bool term_reads(const ecs_term_t *term) {
    if (term->inout == EcsInOutFilter) return false;
    if (ecs_term_match_this(term)) return true;
    ecs_inout_kind_t inout = rt__term_inout(term);
    return inout == EcsIn || inout == EcsInOut;
}

static bool term_stages(const ecs_term_t *term) {
    ecs_inout_kind_t inout = rt__term_inout(term);
    if (adds_by_command(term, inout)) return true;
    return !ecs_term_match_this(term) && (inout == EcsOut || inout == EcsInOut);
}

// Terms about $this come first, so that they are the reason that is shown.
static bool reads_staged(const rt_sync_t *sync, const rt_system_t *system, rt_merge_t *why) {
    const ecs_query_t *query = system->pub.query;
    for (int32_t of_this = 1; of_this >= 0; of_this--) {
        for (int32_t i = 0; i < query->term_count; i++) {
            const ecs_term_t *term = &query->terms[i];
            if (ecs_term_match_this(term) != (bool)of_this || !term_reads(term)) continue;
            const rt_staged_t *staged = find_staged(sync, system->rt->world, term);
            if (!staged) continue;
            *why = (rt_merge_t){ RT_MERGE_READ, staged->writer, system->id, staged->id };
            return true;
        }
    }
    return false;
}

static bool kind_changes(
    const rt_sync_t *sync, const rt_system_t *system, rt_kind_t kind, rt_merge_t *why) {
    if (!sync->any || (kind == sync->kind && kind != RT_KIND_IMMEDIATE)) return false;
    bool immediate = kind == RT_KIND_IMMEDIATE || sync->kind == RT_KIND_IMMEDIATE;
    *why =
        (rt_merge_t){ immediate ? RT_MERGE_IMMEDIATE : RT_MERGE_KIND, sync->last, system->id, 0 };
    return true;
}

static bool must_be_sorted(const rt_sync_t *sync, const rt_system_t *system, rt_merge_t *why) {
    if (!sync->any || !ecs_ext_query_is_sorted(system->pub.query)) return false;
    *why = (rt_merge_t){ RT_MERGE_SORT, sync->last, system->id, 0 };
    return true;
}

static bool step_changes(
    const rt_sync_t *sync, const rt_system_t *system, ecs_entity_t fixed_step, rt_merge_t *why) {
    if (!sync->any || fixed_step == sync->fixed_step) return false;
    *why = (rt_merge_t){ RT_MERGE_STEP, sync->last, system->id, 0 };
    return true;
}

bool rt__sync_next(rt_sync_t *sync, const rt_system_t *system, rt_kind_t kind,
    ecs_entity_t fixed_step, bool active, rt_merge_t *why) {
    bool merge = reads_staged(sync, system, why) ||
                 (active && kind_changes(sync, system, kind, why)) ||
                 (active && step_changes(sync, system, fixed_step, why)) ||
                 (active && must_be_sorted(sync, system, why));
    if (merge) {
        forget_staged(sync);
        sync->any = false;
    }
    if (!active) return merge;
    const ecs_query_t *query = system->pub.query;
    for (int32_t i = 0; i < query->term_count; i++) {
        if (term_stages(&query->terms[i])) add_staged(sync, query->terms[i].id, system->id);
    }
    sync->any = true;
    sync->kind = kind;
    sync->fixed_step = fixed_step;
    sync->last = system->id;
    return merge;
}

void rt__sync_fini(rt_sync_t *sync) {
    ecs_map_fini(&sync->by_id);
    ecs_os_free(sync->wide);
    ecs_os_free(sync->staged);
    *sync = (rt_sync_t){ 0 };
}
