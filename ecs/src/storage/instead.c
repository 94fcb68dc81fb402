// SPDX-License-Identifier: MIT
#include "storage/instead.h"

#include "storage/ascent.h"
#include "storage/forks.h"
#include "storage/store.h"

// ---- beside the table ----

ecs__held_t ecs__held(
    const ecs__store_t *store, const ecs__instead_t *instead, ecs_entity_t holder, ecs_id_t id) {
    ecs__held_t held = { instead->entity == holder ? instead : NULL,
        ecs__sparse_iter(store, holder, id) };
    const ecs_id_t with = held.instead && instead->with ? instead->with->id : 0;
    if (with && (!id || ecs_id_match(with, ecs__id_any_to_wildcard(id)))) held.with = with;
    return held;
}

// Ids come in order, also the one that is not there.
bool ecs__held_next(ecs__held_t *held) {
    const ecs__instead_t *instead = held->instead;
    if (instead && instead->is_bare) return false;
    ecs__sparse_iter_t ahead = held->iter;
    const ecs_component_record_t *record = ecs__sparse_next(&ahead);
    if (instead && record && record == instead->without) record = ecs__sparse_next(&ahead);
    if (held->with && (!record || held->with < ahead.last)) {
        held->id = held->with;
        held->with = 0;
        return true;
    }
    held->iter = ahead;
    held->id = ahead.last;
    return record != NULL;
}

// ---- up ----

// The n-th target of an entity; `any` is the record (rel, *) if its pairs may be beside tables, else NULL.
static ecs_entity_t instead_target(const ecs__store_t *store, const ecs__instead_t *instead,
    const ecs_component_record_t *any, ecs_entity_t rel, ecs_entity_t entity, int32_t n) {
    if (entity != instead->entity) return ecs__target_along(store, any, rel, entity, n);
    // A move to a table that has a parent ends the edge to another beside the table.
    ecs_entity_t target = 0;
    if (instead->table && !ecs__id_is_beside(any))
        target = ecs__table_target(instead->table, rel, n);
    if (target || !ecs__id_may_be_beside(any)) return target;
    ecs__held_t held = ecs__held(store, instead, entity, ECS__MAKE_PAIR(rel, Ecs__Wildcard));
    bool is_there = ecs__held_next(&held);
    for (int32_t i = 0; is_there && i < n; i++) is_there = ecs__held_next(&held);
    return is_there ? ecs__pair_target(&store->entities, held.id) : 0;
}

const ecs_table_t *ecs__instead_table(
    const ecs__store_t *store, const ecs__instead_t *instead, ecs_entity_t entity) {
    if (entity == instead->entity) return instead->table;
    return ecs__entity_table(&store->entities, entity);
}

bool ecs__instead_has(
    const ecs__store_t *store, const ecs__instead_t *instead, ecs_entity_t entity, ecs_id_t id) {
    const ecs__spot_t spot = ecs__entity_find(&store->entities, entity);
    if (entity != instead->entity) return spot.table && ecs__has_own(spot, id);
    ecs__held_t held = ecs__held(store, instead, entity, id);
    return (instead->table && ecs__table_has(instead->table, id)) || ecs__held_next(&held);
}

// One search: what is looked for, and where along which relationship.
typedef struct owner_t {
    const ecs__store_t *store;
    const ecs__instead_t *instead;
    const ecs_component_record_t *any; /* (rel, *) */
    ecs_id_t id;
    ecs_entity_t rel;
    int32_t min_depth, max_depth; /* 0: the entity where it begins; 0: no limit */
    bool inherits;                /* entities are also asked for what they inherit through IsA */
    ecs__visited_t visited;
    ecs__ascent_t ascent; /* until there are branches */
    ecs__forks_t *forks;
} owner_t;

static ecs_entity_t target_of(const owner_t *search, ecs_entity_t entity, int32_t n) {
    return instead_target(search->store, search->instead, search->any, search->rel, entity, n);
}

// What others see of it along a relationship: of all that a wildcard stands for, not what is not passed on.
static bool has(const owner_t *search, ecs_entity_t entity) {
    const ecs__store_t *store = search->store;
    if (!ecs__id_is_wildcard(ecs__id_trait_owner(search->id)))
        return ecs__instead_has(store, search->instead, entity, search->id);
    const ecs_table_t *table = ecs__instead_table(store, search->instead, entity);
    for (int32_t i = 0; table && (i = ecs__type_match(&table->type, i, search->id)) >= 0; i++)
        if (ecs__id_is_found_along(store, table->type.array[i], search->rel)) return true;
    ecs__held_t held = ecs__held(store, search->instead, entity, search->id);
    while (ecs__held_next(&held))
        if (ecs__id_is_found_along(store, held.id, search->rel)) return true;
    return false;
}

static ecs_entity_t find(owner_t *search, ecs_entity_t entity);

static ecs_entity_t base_with(const owner_t *search, ecs_entity_t entity) {
    const ecs_table_t *table = ecs__instead_table(search->store, search->instead, entity);
    if (!table || !(table->flags & EcsTableHasIsA)) return 0;
    owner_t bases = { .store = search->store,
        .instead = search->instead,
        .id = search->id,
        .rel = Ecs__IsA,
        .min_depth = 1,
        .ascent.is_off = true };
    return find(&bases, entity);
}

// The entity, or what it inherits from; or else what is known of all that is above. False if there is more to ask.
static bool ask(owner_t *search, ecs_entity_t entity, int32_t depth, ecs_entity_t *found) {
    ecs__found_t known;
    *found = 0;
    if (depth < search->min_depth) return false;
    if (!search->visited.steps && ecs__ascent_asks(&search->ascent, entity, depth) &&
        ecs__ascent_ask(&search->ascent, search->store, entity, depth, &known)) {
        *found = known.source;
        return true;
    }
    *found = has(search, entity) ? entity : search->inherits ? base_with(search, entity) : 0;
    return *found != 0;
}

// Of several, those that count come once. at->next: of the one behind it, 0 if that was the last.
static ecs_entity_t next_target(owner_t *search, ecs__fork_t *at) {
    const int32_t depth = at->depth + 1;
    ecs_entity_t target = target_of(search, at->entity, at->next), next;
    for (; target; target = next) {
        next = target_of(search, at->entity, ++at->next);
        const bool is_only = !next && at->next == 1;
        if (!next) at->next = 0;
        if (is_only || depth < search->min_depth ||
            ecs__visit(&search->visited, target, search->max_depth ? depth : 1))
            return target;
    }
    return 0;
}

// A cycle ends at the number of entities.
static ecs_entity_t find_on_way(owner_t *search, ecs__fork_t at) {
    const int32_t limit =
        search->max_depth ? search->max_depth - 1 : search->store->entities.alive_count;
    for (;;) {
        ecs_entity_t found;
        if (!at.next && ask(search, at.entity, at.depth, &found)) return found;
        const ecs_entity_t target = at.depth <= limit ? next_target(search, &at) : 0;
        if (!target) return 0;
        if (at.next) ecs__forks_push(search->forks, at);
        at = (ecs__fork_t){ .entity = target, .depth = at.depth + 1 };
    }
}

static ecs_entity_t find(owner_t *search, ecs_entity_t entity) {
    ecs__forks_t forks;
    ecs__fork_t at = { .entity = entity };
    ecs_entity_t found;
    search->any = ecs__id_record_get(search->store, ECS__MAKE_PAIR(search->rel, Ecs__Wildcard));
    ecs__forks_init(&forks);
    search->forks = &forks;
    do {
        found = find_on_way(search, at);
    } while (!found && ecs__forks_pop(&forks, &at));
    ecs__forks_fini(&forks);
    ecs__ascent_end(&search->ascent, search->store, &(ecs__found_t){ .source = found });
    ecs__visited_fini(&search->visited);
    return found;
}

static ecs_entity_t search_up(owner_t search, ecs_entity_t entity) {
    const ecs__store_t *store = search.store;
    int32_t cover = 0;
    search.inherits = search.rel != Ecs__IsA && ecs__id_is_inherited(store, search.id);
    search.ascent = (ecs__ascent_t){ .id = search.id,
        .rel = search.rel,
        .kind = search.inherits ? ECS__ASCENT_HEIR : ECS__ASCENT_OWNER,
        .is_off = search.instead->entity || search.min_depth > 1 || search.max_depth ||
                  ecs__sparse_next_cover(store, search.id, &cover) };
    return find(&search, entity);
}

static const ecs__instead_t as_it_is;

ecs_entity_t ecs__instead_above(const ecs__store_t *store, const ecs__instead_t *instead,
    ecs_entity_t entity, ecs_id_t id, ecs_entity_t rel, int32_t min_depth, int32_t max_depth) {
    if (!ecs__id_is_found_along(store, id, rel)) return 0;
    const owner_t search = { store, instead, NULL, id, rel, ECS_MAX(min_depth, 1), max_depth };
    return search_up(search, entity);
}

ecs_entity_t ecs__search_from(
    const ecs__store_t *store, ecs_entity_t entity, ecs_id_t id, ecs_entity_t rel) {
    if (!ecs__id_is_found_along(store, id, rel))
        return ecs__instead_has(store, &as_it_is, entity, id) ? entity : 0;
    return search_up((owner_t){ store, &as_it_is, NULL, id, rel, 0, 0 }, entity);
}

ecs_entity_t ecs__search_above(
    const ecs__store_t *store, ecs_entity_t entity, ecs_id_t id, ecs_entity_t rel) {
    return ecs__instead_above(store, &as_it_is, entity, id, rel, 0, 0);
}

ecs_entity_t ecs__search_above_table(const ecs_table_t *table, ecs_id_t id, ecs_entity_t rel) {
    ecs_entity_t target, found = 0;
    for (int32_t n = 0; !found && (target = ecs__table_target(table, rel, n)); n++)
        found = ecs__search_from(table->store, target, id, rel);
    return found;
}
