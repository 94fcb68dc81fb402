// SPDX-License-Identifier: MIT
// check: is what a system accesses declared by its terms? Debug builds ask here, see extend.h.
//
// Declared access is all that a schedule knows. A term on $this covers the rows that the system looks
// at; a term on an entity covers that entity; one without source, or that looks elsewhere, any entity.
#include <muster/runtime/schedule.h>

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
    case RT_SCOPE_ANYWHERE: return true;
    case RT_SCOPE_ROWS:
    case RT_SCOPE_ROWS_OR_UP: break;
    }
    return entity && is_shown(world, shown, entity);
}

static bool is_declared(const rt_system_t *system, const ecs_iter_t *shown, ecs_entity_t entity,
    ecs_id_t id, bool writes) {
    const rt_access_t *access = &system->access;
    for (int32_t i = 0; i < access->count; i++) {
        const rt_access_item_t *item = &access->items[i];
        if (!rt__item_overlaps(system->rt->world, item, id) || (writes && !item->write)) continue;
        if (covers(item, system->rt->world, shown, entity)) return true;
    }
    return false;
}

// As text for a term without source.
static char *term_of(const ecs_world_t *world, ecs_id_t id) {
    ecs_strbuf_t text = ECS_STRBUF_INIT;
    ecs_id_str_buf(world, ECS_IS_PAIR(id) ? ECS_PAIR_FIRST(id) : id, &text);
    ecs_strbuf_appendstr(&text, "(");
    if (ECS_IS_PAIR(id)) {
        ecs_strbuf_appendstr(&text, "#0,");
        ecs_id_str_buf(world, ECS_PAIR_SECOND(id), &text);
    }
    ecs_strbuf_appendstr(&text, ")");
    return ecs_strbuf_get(&text);
}

static void report(const ecs_world_t *world, ecs_entity_t system, const char *of, ecs_id_t id,
    bool writes, const char *call) {
    char *name = ecs_id_str(world, system), *what = ecs_id_str(world, id),
         *term = term_of(world, id);
    (void)of;
    (void)writes;
    (void)call;
    ecs_check(false, ECS_ACCESS_VIOLATION,
        "system %s %s %s%s%s with %s, which none of its terms declares; add the term [%s] %s", name,
        writes ? "writes" : "reads", what, of ? " of " : "", of ? of : "", call,
        writes ? "inout" : "in", term);
error:
    ecs_os_free(name);
    ecs_os_free(term);
    ecs_os_free(what);
}

static bool check_value(const ecs_world_t *world, ecs_entity_t id, const ecs_iter_t *shown,
    ecs_entity_t entity, ecs_id_t value, bool writes, const char *call) {
    const rt_system_t *system = rt__system_of(world, id);
    if (!system || is_declared(system, shown, entity, value, writes)) return true;
    char *of = ecs_id_str(world, entity);
    report(world, id, of, value, writes, call);
    ecs_os_free(of);
    return false;
}

static bool check_query(const ecs_world_t *world, ecs_entity_t id, const ecs_query_t *query) {
    const rt_system_t *system = rt__system_of(world, id);
    if (!system || system->pub.query == query) return true;
    rt_access_t access;
    rt__access_init(&access, world, query);
    bool good = true;
    for (int32_t i = 0; i < access.count && good; i++) {
        const rt_access_item_t *item = &access.items[i];
        good = is_declared(system, NULL, item->source, item->id, item->write);
        if (!good) report(world, id, NULL, item->id, item->write, "a query of its own");
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
