// SPDX-License-Identifier: MIT
#include "query/graph/list.h"

#include "query/eval/rows.h"
#include "storage/store.h"

// *source: above; 0 = who is asked.
static bool is_found(const ecs__asked_t *asked, ecs_id_t id, bool by_row, ecs_entity_t *source) {
    const ecs_term_t *term = asked->term;
    const ecs__store_t *store = asked->table->store;
    const bool up = term->src.id & EcsUp, self = term->src.id & EcsSelf;
    if (!asked->by_entity) {
        ecs__found_t found = { 0 };
        const bool is_there = ecs__search_up(
            asked->table, id, term->trav, self, up, term->min_depth, term->max_depth, &found);
        *source = found.source;
        return is_there;
    }
    *source = 0;
    const bool is_own = self && ecs__instead_has(store, asked->instead, asked->entity, id);
    if (!is_own && up)
        *source = ecs__instead_above(
            store, asked->instead, asked->entity, id, term->trav, term->min_depth, term->max_depth);
    const ecs_entity_t holder = is_own ? asked->entity : *source; // the nearest decides
    return holder && (!by_row || ecs__id_is_on(store, holder, id));
}

// ---- ids of a list ----

// Those of its type, but what stands there for pairs beside its table, then those beside it.
typedef struct ids_t {
    const ecs_table_t *table; /* NULL: nothing is listed */
    int32_t at;
    ecs__held_t beside;
    bool is_beside; /* the last one was */
} ids_t;

static ids_t begin(const ecs__store_t *store, const ecs__instead_t *instead, ecs_entity_t list) {
    return (ids_t){ .table = ecs__instead_table(store, instead, list),
        .beside = ecs__held(store, instead, list, 0) };
}

static ids_t begin_now(const ecs__store_t *store, ecs_entity_t list) {
    static const ecs__instead_t as_it_is;
    return begin(store, &as_it_is, list);
}

// The next one, 0 at the end.
static ecs_id_t next(ids_t *ids) {
    const ecs_table_t *table = ids->table;
    while (table && ids->at < table->type.count) {
        int32_t at = ids->at++;
        if (!ecs__id_is_presence(ecs__table_cr(table, at))) return table->type.array[at];
    }
    ids->is_beside = true;
    return table && ecs__held_next(&ids->beside) ? ids->beside.id : 0;
}

// ---- asking for them ----

// A list, and the lists it is in.
typedef struct list_t {
    const struct list_t *outer;
    ecs_entity_t entity;
    bool is_all;
    bool by_row; /* its ids do not count where they are switched off: alternatives do */
} list_t;

static list_t inner_list(const list_t *list, ecs_id_t id) {
    const bool is_all = ecs__id_list(id) == ECS__AND;
    return (list_t){ list, ecs__id_bare(id), is_all, list->by_row && is_all };
}

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

static bool holds(const ecs__asked_t *asked, const list_t *list, ecs__list_found_t *first) {
    const ecs__store_t *store = asked->table->store;
    ids_t ids = begin(store, asked->instead, list->entity);
    int32_t wanted = 0, held = 0;
    for (ecs_id_t id; (id = next(&ids));) {
        const ecs_id_t mark = ecs__id_list(id);
        ecs__list_found_t had = { .id = id };
        const list_t inner = inner_list(list, id);
        if (mark ? is_in(list, inner.entity) : !counts(store, id)) continue;
        wanted++;
        bool has =
            mark ? holds(asked, &inner, &had) : is_found(asked, id, list->by_row, &had.source);
        if (has && !held++) *first = had;
    }
    return list->is_all ? ids.table && held == wanted : held > 0;
}

static bool names(const ecs__store_t *store, const list_t *list, ecs_id_t id) {
    ids_t ids = begin_now(store, list->entity);
    for (ecs_id_t named; (named = next(&ids));) {
        const list_t inner = inner_list(list, named);
        bool is_list = ecs__id_list(named);
        if (is_list && !is_in(list, inner.entity) && names(store, &inner, id)) return true;
        if (!is_list && named == id) return counts(store, id);
    }
    return false;
}

static void push_each(const ecs__store_t *store, const list_t *list, ecs_vec_t *out) {
    ids_t ids = begin_now(store, list->entity);
    for (ecs_id_t id; (id = next(&ids));) {
        const list_t inner = inner_list(list, id);
        const bool is_list = ecs__id_list(id);
        if (is_list && !is_in(list, inner.entity)) push_each(store, &inner, out);
        if (!is_list && counts(store, id)) *ecs_vec_append_t(NULL, out, ecs_id_t) = id;
    }
}

static bool takes(const ecs__store_t *store, const list_t *list, ecs_entity_t wanted) {
    bool found = list->entity == wanted;
    ids_t ids = begin_now(store, list->entity);
    for (ecs_id_t id; !found && (id = next(&ids));) {
        const list_t inner = inner_list(list, id);
        found = ecs__id_list(id) && !is_in(list, inner.entity) && takes(store, &inner, wanted);
    }
    return found;
}

static bool is_by_entity(const ecs__store_t *store, const list_t *list) {
    ids_t ids = begin_now(store, list->entity);
    for (ecs_id_t id; (id = next(&ids));) {
        const list_t inner = inner_list(list, id);
        if (ids.is_beside) return true;
        if (list->by_row && ecs__id_record_get(store, id)->flags & EcsIdCanToggle) return true;
        if (ecs__id_list(id) && !is_in(list, inner.entity) && is_by_entity(store, &inner))
            return true;
    }
    return false;
}

bool ecs__list_is_by_entity(const ecs__store_t *store, ecs_entity_t list, bool by_row) {
    return is_by_entity(store, &(list_t){ NULL, list, false, by_row });
}

bool ecs__list_has(
    const ecs__asked_t *asked, ecs_entity_t list, bool is_all, ecs__list_found_t *first) {
    return holds(asked, &(list_t){ NULL, list, is_all, asked->by_row }, first);
}

bool ecs__list_names(const ecs__store_t *store, ecs_entity_t list, ecs_id_t id) {
    return names(store, &(list_t){ .entity = list }, id);
}

void ecs__list_each(const ecs__store_t *store, ecs_entity_t list, ecs_vec_t *out) {
    push_each(store, &(list_t){ .entity = list }, out);
}

bool ecs__list_takes(const ecs__store_t *store, ecs_entity_t list, ecs_entity_t inner) {
    return takes(store, &(list_t){ .entity = list }, inner);
}
