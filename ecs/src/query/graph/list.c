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
    const ecs_table_t *table = ecs__entity_table(&store->entities, list->entity);
    int32_t wanted = 0, held = 0;
    for (int32_t i = 0; table && i < table->type.count; i++) {
        ecs_id_t id = table->type.array[i], had = id, mark = ecs__id_list(id);
        const list_t inner = { list, ecs__id_bare(id), mark == ECS__AND };
        if (mark ? is_in(list, inner.entity) : !counts(store, id)) continue;
        wanted++;
        bool has = mark ? holds(asked, &inner, &had) : is_found(asked, id);
        if (has && !held++) *first = had;
    }
    return list->is_all ? table && held == wanted : held > 0;
}

static bool names(const ecs__store_t *store, const list_t *list, ecs_id_t id) {
    const ecs_table_t *table = ecs__entity_table(&store->entities, list->entity);
    for (int32_t i = 0; table && i < table->type.count; i++) {
        ecs_id_t named = table->type.array[i];
        const list_t inner = { list, ecs__id_bare(named), false };
        bool is_list = ecs__id_list(named);
        if (is_list && !is_in(list, inner.entity) && names(store, &inner, id)) return true;
        if (!is_list && named == id) return counts(store, id);
    }
    return false;
}

bool ecs__list_has(const ecs__asked_t *asked, ecs_entity_t list, bool is_all, ecs_id_t *first) {
    return holds(asked, &(list_t){ NULL, list, is_all }, first);
}

bool ecs__list_names(const ecs__store_t *store, ecs_entity_t list, ecs_id_t id) {
    return names(store, &(list_t){ NULL, list, false }, id);
}
