// SPDX-License-Identifier: MIT
#include "query/graph/list.h"

#include "storage/store.h"

static bool is_found(const ecs__asked_t *asked, ecs_id_t id) {
    const ecs_term_t *term = asked->term;
    const ecs__store_t *store = asked->table->store;
    const bool up = term->src.id & EcsUp, self = term->src.id & EcsSelf || !up;
    ecs__found_t found;
    if (!asked->by_entity)
        return ecs__search_up(
            asked->table, id, term->trav, self, up, term->min_depth, term->max_depth, &found);
    return (self && ecs__instead_has(store, asked->instead, asked->entity, id)) ||
           (up && ecs__instead_above(store, asked->instead, asked->entity, id, term->trav,
                      term->min_depth, term->max_depth));
}

// ---- ids of a list ----

ecs__list_ids_t ecs__list_ids(const ecs__store_t *store, ecs_entity_t list) {
    return (ecs__list_ids_t){ .table = ecs__entity_table(&store->entities, list),
        .beside = ecs__sparse_iter(store, list, 0) };
}

ecs_id_t ecs__list_next(ecs__list_ids_t *ids) {
    const ecs_table_t *table = ids->table;
    while (table && ids->at < table->type.count) {
        int32_t at = ids->at++;
        if (!ecs__id_is_presence(ecs__table_cr(table, at))) return table->type.array[at];
    }
    ids->is_beside = true;
    const ecs_component_record_t *record = table ? ecs__sparse_next(&ids->beside) : NULL;
    return record ? record->id : 0;
}

// ---- asking for them ----

// A list, and the lists it is in.
typedef struct list_t {
    const struct list_t *outer;
    ecs_entity_t entity;
    bool is_all;
} list_t;

static bool is_in(const list_t *list, ecs_entity_t entity) {
    for (; list; list = list->outer) {
        if (list->entity == entity) return true;
    }
    return false;
}

// Instances get it from the list, shared or as a copy of their own.
static bool counts(const ecs__store_t *store, ecs_id_t id) {
    return !(ecs__id_record_get(store, id)->flags & EcsIdOnInstantiateDontInherit);
}

static bool holds(const ecs__asked_t *asked, const list_t *list, ecs_id_t *first) {
    const ecs__store_t *store = asked->table->store;
    ecs__list_ids_t ids = ecs__list_ids(store, list->entity);
    int32_t wanted = 0, held = 0;
    for (ecs_id_t id; (id = ecs__list_next(&ids));) {
        ecs_id_t had = id, mark = ecs__id_list(id);
        const list_t inner = { list, ecs__id_bare(id), mark == ECS__AND };
        if (mark ? is_in(list, inner.entity) : !counts(store, id)) continue;
        wanted++;
        bool has = mark ? holds(asked, &inner, &had) : is_found(asked, id);
        if (has && !held++) *first = had;
    }
    return list->is_all ? ids.table && held == wanted : held > 0;
}

static bool names(const ecs__store_t *store, const list_t *list, ecs_id_t id) {
    ecs__list_ids_t ids = ecs__list_ids(store, list->entity);
    for (ecs_id_t named; (named = ecs__list_next(&ids));) {
        const list_t inner = { list, ecs__id_bare(named), false };
        bool is_list = ecs__id_list(named);
        if (is_list && !is_in(list, inner.entity) && names(store, &inner, id)) return true;
        if (!is_list && named == id) return counts(store, id);
    }
    return false;
}

static bool is_beside(const ecs__store_t *store, const list_t *list) {
    ecs__list_ids_t ids = ecs__list_ids(store, list->entity);
    for (ecs_id_t id; (id = ecs__list_next(&ids));) {
        const list_t inner = { list, ecs__id_bare(id), false };
        if (ids.is_beside) return true;
        if (ecs__id_list(id) && !is_in(list, inner.entity) && is_beside(store, &inner)) return true;
    }
    return false;
}

bool ecs__list_is_beside(const ecs__store_t *store, ecs_entity_t list) {
    return is_beside(store, &(list_t){ NULL, list, false });
}

bool ecs__list_has(const ecs__asked_t *asked, ecs_entity_t list, bool is_all, ecs_id_t *first) {
    return holds(asked, &(list_t){ NULL, list, is_all }, first);
}

bool ecs__list_names(const ecs__store_t *store, ecs_entity_t list, ecs_id_t id) {
    return names(store, &(list_t){ NULL, list, false }, id);
}
