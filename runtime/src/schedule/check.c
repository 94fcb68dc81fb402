// SPDX-License-Identifier: MIT
// check: is what a system accesses declared by its terms? Debug builds ask here, see extend.h.
//
// Declared access is all that a schedule knows. A term on $this covers the rows that the system looks
// at; a term on an entity covers that entity; one without source, or that looks elsewhere, any entity.
#include <muster/runtime/schedule.h>

#include "schedule/schedule.h"
#include "system/system.h"

static bool is_shown(const ecs_world_t *world, const ecs_iter_t *shown, ecs_entity_t entity) {
    const ecs_record_t *record = ecs_record_find(world, entity);
    if (!shown || !record || record->table != shown->table) return false;
    int32_t row = ECS_RECORD_TO_ROW(record->row) - shown->offset;
    return row >= 0 && row < shown->count;
}

static bool covers(const rt_access_item_t *item, const ecs_world_t *world, const ecs_iter_t *shown,
    ecs_entity_t entity) {
    switch ((rt_scope_t)item->scope) {
    case RT_SCOPE_ENTITY: return item->source == entity;
    case RT_SCOPE_ENTITY_OR_UP:
        if (item->source == entity) return true;
        return ecs_is_alive(world, item->source) &&
               ecs_has_pair(world, item->source, EcsIsA, entity);
    case RT_SCOPE_ANYWHERE: return true;
    case RT_SCOPE_ROWS:
    case RT_SCOPE_ROWS_OR_UP: break;
    }
    return entity && is_shown(world, shown, entity);
}

// A term without source announces commands. Where nobody else runs, what is announced may be written in place as well.
static bool is_announced(const rt_system_t *system, ecs_id_t id) {
    const ecs_query_t *query = system->pub.query;
    for (int32_t i = 0; i < query->term_count; i++) {
        const ecs_term_t *term = &query->terms[i];
        ecs_inout_kind_t inout = rt__term_inout(term);
        if (!ecs_term_match_0(term) || (inout != EcsOut && inout != EcsInOut)) continue;
        if (rt__term_covers(system->rt->world, term, id)) return true;
    }
    return false;
}

// What the library keeps about types, names and timers: nobody changes it while others run, and functions that print or edit values
// look at it on behalf of a system.
static bool is_builtin(ecs_id_t id) {
    uint32_t component = (uint32_t)(ECS_IS_PAIR(id) ? ECS_PAIR_FIRST(id) : id);
    if (ecs_id_is_wildcard(id)) return false;
    return component < EcsFirstUserComponentId ||
           (component >= FLECS_HI_COMPONENT_ID && component < EcsFirstUserEntityId);
}

static bool is_in(const rt_access_t *access, const rt_system_t *system, const ecs_iter_t *shown,
    ecs_entity_t entity, ecs_id_t id, bool writes) {
    for (int32_t i = 0; i < access->count; i++) {
        const rt_access_item_t *item = &access->items[i];
        if (!rt__item_overlaps(system->rt->world, item, id) || (writes && !item->write)) continue;
        if (covers(item, system->rt->world, shown, entity)) return true;
    }
    return false;
}

// What a system has is brought up to date by pipelines; one that is run by hand may ask before, and several threads at a time.
static bool is_in_terms(const rt_system_t *system, const ecs_iter_t *shown, ecs_entity_t entity,
    ecs_id_t id, bool writes) {
    const rt_t *rt = system->rt;
    if (rt->seen_types == *rt->types)
        return is_in(&system->access, system, shown, entity, id, writes);
    rt_access_t access;
    rt__access_init(&access, rt->world, system->pub.query);
    bool found = is_in(&access, system, shown, entity, id, writes);
    rt__access_fini(&access);
    return found;
}

static bool is_declared(const rt_system_t *system, const ecs_iter_t *shown, ecs_entity_t entity,
    ecs_id_t id, bool writes) {
    if (!writes && is_builtin(id)) return true;
    if (is_in_terms(system, shown, entity, id, writes)) return true;
    return writes && rt__system_kind(system) == RT_KIND_MAIN && is_announced(system, id);
}

static void append_term(
    ecs_strbuf_t *text, const ecs_world_t *world, ecs_id_t id, bool any_source, bool writes) {
    const bool is_pair = ECS_IS_PAIR(id);
    ecs_strbuf_append(text, "add the term [%s] ", writes ? "inout" : "in");
    ecs_id_str_buf(world, any_source && is_pair ? ECS_PAIR_FIRST(id) : id, text);
    if (any_source) ecs_strbuf_appendstr(text, is_pair ? "(#0," : "()");
    if (any_source && is_pair) {
        ecs_id_str_buf(world, ECS_PAIR_SECOND(id), text);
        ecs_strbuf_appendstr(text, ")");
    }
    if (is_pair && !ecs_id_is_wildcard(id))
        ecs_strbuf_appendstr(text, ", or with * for all targets");
}

// What declares the access, or goes without: rows of others are not to be written while they may be in use.
static char *advice_of(const rt_system_t *system, bool is_own, ecs_id_t id, bool writes) {
    const ecs_world_t *world = system->rt->world;
    bool is_alone = rt__system_kind(system) == RT_KIND_MAIN;
    ecs_strbuf_t text = ECS_STRBUF_INIT;
    if (writes && !is_alone && !is_own)
        ecs_strbuf_appendstr(&text, "queue a command instead (ecs_set)");
    else
        append_term(&text, world, id, !writes || is_alone, writes);
    if (writes) rt__append_hint_of_pairs(&text, world, id);
    return ecs_strbuf_get(&text);
}

static void report(const rt_system_t *system, const char *of, bool is_own, ecs_id_t id, bool writes,
    const char *call) {
    const ecs_world_t *world = system->rt->world;
    char *name = ecs_id_str(world, system->id), *what = ecs_id_str(world, id),
         *advice = advice_of(system, is_own, id, writes);
    (void)of;
    (void)call;
    ecs_check(false, ECS_ACCESS_VIOLATION,
        "system %s %s %s%s%s with %s, which none of its terms declares; %s", name,
        writes ? "writes" : "reads", what, of ? " of " : "", of ? of : "", call, advice);
error:
    ecs_os_free(name);
    ecs_os_free(advice);
    ecs_os_free(what);
}

static bool check_value(const ecs_world_t *world, ecs_entity_t id, const ecs_iter_t *shown,
    ecs_entity_t entity, ecs_id_t value, bool writes, const char *call) {
    const rt_system_t *system = rt__system_of(world, id);
    if (!system || is_declared(system, shown, entity, value, writes)) return true;
    char *of = ecs_id_str(world, entity);
    report(system, of, is_shown(world, shown, entity), value, writes, call);
    ecs_os_free(of);
    return false;
}

// Its own query once more, by a system that is shown a part of the results: others are at work on the rest.
static bool is_asked_again(const rt_system_t *system, const ecs_iter_t *shown) {
    return system->pub.multi_threaded && shown && shown->system == system->id;
}

static bool check_query(
    const ecs_world_t *world, ecs_entity_t id, const ecs_iter_t *shown, const ecs_query_t *query) {
    const rt_system_t *system = rt__system_of(world, id);
    if (!system || (system->pub.query == query && !is_asked_again(system, shown))) return true;
    const char *how = system->pub.query == query ? "its query once more" : "a query of its own";
    rt_access_t access;
    rt__access_init(&access, world, query);
    bool good = true;
    for (int32_t i = 0; i < access.count && good; i++) {
        const rt_access_item_t *item = &access.items[i];
        good = is_declared(system, NULL, item->source, item->id, item->write);
        if (!good) report(system, NULL, false, item->id, item->write, how);
    }
    rt__access_fini(&access);
    return good;
}

void ecs_set_access_checks(ecs_world_t *world, bool enabled) {
    static const ecs_ext_access_t checks = { check_value, check_query };
    const rt_t *rt = rt__of(world);
    ecs_check(rt && !rt->running, ECS_INVALID_OPERATION, "set checks of access between ticks");
    ecs_ext_set_access(rt->world, enabled ? &checks : NULL);
error:
    return;
}
