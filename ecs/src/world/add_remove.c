// SPDX-License-Identifier: MIT
// add_remove: ids of entities: adding, removing, asking; and what ids are.
#include <muster/ecs/entity.h>
#include <muster/ecs/log.h>

#include "base/apart.h"
#include "mutate/plain.h"
#include "mutate/override.h"
#include "mutate/sparse.h"
#include "storage/toggle.h"
#include "storage/bases.h"
#include "world/state.h"
#include "world/write.h"

// ---- changes ----

// What is not plain, or not the same as before, is kept apart, so that plain changes need no stack.
static ECS__APART void add_any(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id) {
    if (ECS_IS_PAIR(id) && ecs__aside_swap_plainly(stage->world, entity, id, false)) return;
    ecs__walk_t walk = ecs__walk_find(stage->world, entity, id);
    if (ecs__walk_is_free(stage->world, walk) &&
        ecs__walk_plainly(stage->world, entity, walk, true))
        return;
    ecs__defer_bracket_begin(stage);
    bool done = ecs__walk_change(stage->world, entity, walk, true);
    if (!done && ecs__check_add(stage->world, entity, id)) ecs__add(stage->world, entity, id);
    ecs__defer_bracket_end(stage);
}

// True if it is done: all who hear of the change are on the route that was told last.
static inline bool change_heard(
    ecs_stage_t *stage, ecs_entity_t entity, ecs__walk_t walk, bool adds) {
    if (!ecs__stage_is_idle(stage)) return false;
    const ecs__route_t *route = ecs__walk_heard(stage->world, walk, adds);
    if (!route) return false;
    stage->defer = 1;
    ecs__walk_along(stage->world, entity, walk, route, adds);
    ecs__bracket_end(stage);
    return true;
}

static ECS__APART void add_heard(
    ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id, ecs__walk_t walk) {
    if (!change_heard(stage, entity, walk, true)) add_any(stage, entity, id);
}

void ecs_add_id(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    ECS__CHECK(ecs__check_change_id(world, entity, id, "add an id to"));
    ecs_stage_t *stage = ecs__stage_of(world);
    if (ecs__stage_defers(stage)) {
        ecs__record_add(stage, entity, id);
        return;
    }
    const ecs_world_t *real = ecs__world_of(world); /* not by way of the stage: all waits for it */
    ecs__walk_t walk = ecs__walk_again(real, entity, id);
    if (!ecs__walk_plainly(real, entity, walk, true)) add_heard(stage, entity, id, walk);
error:
    return;
}

static ECS__APART void remove_any(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id) {
    ecs__walk_t walk = ecs__walk_find(stage->world, entity, id);
    if (ecs__walk_is_free(stage->world, walk) &&
        ecs__walk_plainly(stage->world, entity, walk, false))
        return;
    ecs__defer_bracket_begin(stage);
    bool done = ecs__walk_change(stage->world, entity, walk, false);
    if (!done) ecs__remove(stage->world, entity, id);
    ecs__defer_bracket_end(stage);
}

static ECS__APART void remove_heard(
    ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id, ecs__walk_t walk) {
    if (!change_heard(stage, entity, walk, false)) remove_any(stage, entity, id);
}

void ecs_remove_id(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    ECS__CHECK(ecs__check_change(world, entity, "remove an id from"));
    ecs_check(
        id != 0, ECS_INVALID_PARAMETER, "cannot remove id 0 from %s", ECS__TEXT(world, entity));
    ecs_stage_t *stage = ecs__stage_of(world);
    if (ecs__stage_defers(stage)) {
        ecs__record_remove(stage, entity, id);
        return;
    }
    const ecs_world_t *real = ecs__world_of(world);
    ecs__walk_t walk = ecs__walk_again(real, entity, id);
    if (!ecs__walk_plainly(real, entity, walk, false)) remove_heard(stage, entity, id, walk);
error:
    return;
}

void ecs_enable(ecs_world_t *world, ecs_entity_t entity, bool enabled) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ECS__CHECK(ecs__check_change(world, entity, "enable or disable"));
    if (ecs__defer_bracket_begin(stage)) {
        ecs__record_enable(stage, entity, enabled);
        return;
    }
    ecs__enable(stage->world, entity, enabled);
    ecs__defer_bracket_end(stage);
error:
    return;
}

typedef struct enable_call_t {
    ecs_id_t id;
    bool enabled;
} enable_call_t;

static bool is_id_alive(const ecs_world_t *world, ecs_id_t id) {
    const ecs__entity_index_t *entities = &world->store.entities;
    if (!ECS_IS_PAIR(id)) return ecs__entity_is_alive(entities, id);
    return ecs__entity_alive_id(entities, ecs__id_first(id)) &&
           (ECS_IS_VALUE_PAIR(id) || ecs__entity_alive_id(entities, ecs__id_second(id)));
}

static void enable_later(ecs_world_t *world, ecs_entity_t entity, void *payload, bool discard) {
    const enable_call_t *call = payload;
    if (discard || ecs__enable_again(world, entity, call->id, call->enabled)) return;
    if (!is_id_alive(world, call->id)) return;
    if (ecs__check_add_queued(world, entity, call->id | ECS__TOGGLE, NULL))
        ecs__enable_id(world, entity, call->id, call->enabled);
}

void ecs_enable_id(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, bool enabled) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ECS__CHECK(ecs__check_change_id(world, entity, id, "enable or disable an id of"));
    if (ecs__stage_defers(stage)) {
        enable_call_t *call =
            ecs__record_call(stage, entity, enable_later, ECS_SIZEOF(enable_call_t));
        *call = (enable_call_t){ id, enabled };
        return;
    }
    if (ecs__enable_again(stage->world, entity, id, enabled)) return;
    if (!ecs__check_add(stage->world, entity, id | ECS__TOGGLE)) return;
    ecs__defer_bracket_begin(stage);
    ecs__enable_id(stage->world, entity, id, enabled);
    ecs__defer_bracket_end(stage);
error:
    return;
}

// ---- questions ----

// Most ids that are asked for are low: where tables have them is looked up. False: it may be in another place.
static inline bool has_low(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    const ecs__entity_index_t *index = &ecs__world_of(world)->store.entities;
    if (id >= FLECS_HI_COMPONENT_ID) return false;
    const ecs__record_t *record = ecs__entity_near(index, entity);
    if (!record) return false;
    const ecs__low_t *low = ecs__table_low(ecs__record_near(index, record), id);
    return low && low->place != ECS__NO_PLACE;
}

bool ecs_is_enabled_id(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    const ecs_table_t *table = ecs_get_table(world, entity);
    const ecs__toggle_t *toggle = table ? ecs__toggle_get(table, id) : NULL;
    if (!toggle) return table && ecs_has_id(world, entity, id);
    const ecs__spot_t spot = ecs__entity_spot(&ecs__world_of(world)->store.entities, entity);
    return !ecs__bitset_get(&toggle->off, spot.row);
}

// Apart, so that what is looked up needs no stack.
static ECS__APART bool owns_any(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    const ecs__spot_t spot = ecs__spot_of(world, entity);
    return spot.table && ecs__has_own(spot, id);
}

static ECS__APART bool has_any(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    const ecs__spot_t spot = ecs__spot_of(world, entity);
    ecs__found_t found;
    if (!spot.table) return false;
    if (ecs__has_own(spot, id)) return true;
    if (!(spot.table->flags & EcsTableHasIsA)) return false;
    return ecs__search_up(spot.table, id, Ecs__IsA, false, true, 0, 0, &found) ||
           ecs__find_inherited(spot.table, id, &found.source);
}

bool ecs_has_id(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    ECS__CHECK(ecs__check_reader(world));
    ecs_check(ecs__is_alive(world, entity), ECS_INVALID_PARAMETER,
        "cannot ask what entity %u has: it is not alive", (uint32_t)entity);
    return has_low(world, entity, id) || has_any(world, entity, id);
error:
    return false;
}

bool ecs_owns_id(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    ECS__CHECK(ecs__check_reader(world));
    ecs_check(ecs__is_alive(world, entity), ECS_INVALID_PARAMETER,
        "cannot ask what entity %u has: it is not alive", (uint32_t)entity);
    return has_low(world, entity, id) || owns_any(world, entity, id);
error:
    return false;
}

// Every edge counts.
static int32_t count_beside(const ecs__store_t *store, ecs_id_t id) {
    const ecs_component_record_t *record;
    int32_t count = 0, cover = 0;
    while ((record = ecs__sparse_next_cover(store, id, &cover))) {
        bool is_open = ECS_IS_PAIR(record->id) && ecs__id_is_wildcard(record->id);
        for (int32_t i = 0; is_open && i < ecs__sparse_count(record); i++)
            count += ecs__sparse_edges(record, ecs__sparse_holders(record)[i].entity).count;
        if (!is_open) count += ecs__sparse_count(record);
    }
    return count;
}

int32_t ecs_count_id(const ecs_world_t *world, ecs_id_t id) {
    ECS__CHECK(ecs__check_reader(world));
    if (!id) return 0;
    const ecs_component_record_t *record = ecs__id_record_get(&ecs__world_of(world)->store, id);
    const ecs_table_t *table;
    int32_t from = 0, count = 0;
    while (record && (table = ecs__id_record_next_table(record, &from, false)))
        count += table->count * ecs__table_record(table, record->id)->count;
    return count + count_beside(&ecs__world_of(world)->store, id);
error:
    return 0;
}

const ecs_type_t *ecs_get_type(const ecs_world_t *world, ecs_entity_t entity) {
    const ecs_table_t *table = ecs_get_table(world, entity);
    return table ? &table->type : NULL;
}

ecs_table_t *ecs_get_table(const ecs_world_t *world, ecs_entity_t entity) {
    ECS__CHECK(ecs__check_reader(world));
    ecs_check(ecs__is_alive(world, entity), ECS_INVALID_PARAMETER,
        "cannot get the table of entity %u: it is not alive", (uint32_t)entity);
    ecs_table_t *table = ecs__table_of(world, entity);
    /* Who was made by a job begins there. */
    return table || !ecs__stage_of(world)->in_slot ? table : ecs__world_of(world)->store.root;
error:
    return NULL;
}

// ---- targets ----

static int32_t count_targets(
    const ecs_table_t *table, const ecs_component_record_t *any, ecs_entity_t entity) {
    if (ecs__id_is_beside(any)) return ecs__sparse_edges(any, entity).count;
    const ecs__table_record_t *record = ecs__table_record(table, any->id);
    return record ? record->count : 0;
}

static ecs_entity_t own_target(const ecs_table_t *table, const ecs_component_record_t *any,
    ecs_entity_t entity, int32_t index) {
    return ecs__target_along(table->store, any, ecs__id_first(any->id), entity, index);
}

static ecs_id_t own_pair(const ecs_table_t *table, const ecs_component_record_t *any,
    ecs_entity_t entity, int32_t index) {
    if (ecs__id_is_beside(any)) return ecs__sparse_edges(any, entity).items[index].id;
    return table->type.array[ecs__table_nth(table, ecs__table_record(table, any->id), index)];
}

typedef struct nth_t {
    const ecs_component_record_t *any;
    ecs__spot_t spot; /* where the walk begins, */
    int32_t steps;    /* and bases since then */
    int32_t index;    /* counts down over all who have targets */
    ecs_entity_t found;
} nth_t;

typedef struct holder_t {
    ecs_id_t pair;
    int32_t steps;
} holder_t;

static bool is_holder(void *ctx, ecs_entity_t base, const ecs_table_t *table) {
    holder_t *first = ctx;
    first->steps++;
    return ecs__has_own(ecs__entity_spot(&table->store->entities, base), first->pair);
}

// Several may have a pair, and a base may be reached in several ways: a target counts once.
static bool came_before(const nth_t *nth, ecs_id_t pair) {
    holder_t first = { pair, 0 };
    if (ecs__has_own(nth->spot, pair)) return true;
    ecs__bases_each(nth->spot.table, is_holder, &first);
    return first.steps < nth->steps;
}

static bool find_nth(void *ctx, ecs_entity_t base, const ecs_table_t *table) {
    nth_t *nth = ctx;
    nth->steps++;
    const int32_t count = count_targets(table, nth->any, base);
    for (int32_t i = 0; i < count; i++) {
        if (came_before(nth, own_pair(table, nth->any, base, i)) || nth->index--) continue;
        nth->found = own_target(table, nth->any, base, i);
        return true;
    }
    return false;
}

// Own targets, then those of the bases in id order.
static ecs_entity_t find_target(const ecs_table_t *table, ecs_entity_t entity,
    const ecs_component_record_t *any, int32_t index) {
    const int32_t count = count_targets(table, any, entity);
    if (index < count) return own_target(table, any, entity, index);
    nth_t nth = { .any = any,
        .spot = ecs__entity_spot(&table->store->entities, entity),
        .index = index - count };
    ecs__bases_each(table, find_nth, &nth);
    return nth.found;
}

static bool is_copy(const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t original) {
    return entity && ecs_has_id(world, entity, ECS__MAKE_PAIR(Ecs__IsA, original));
}

// The child of an instance that has the name of another entity.
static ecs_entity_t find_namesake(
    const ecs_world_t *world, ecs_entity_t instance, ecs_entity_t entity) {
    const EcsIdentifier *name = ecs__identifier_get(world, entity, ECS__NAME);
    if (!name || !name->value) return 0;
    return ecs__names_find(world, ECS__NAME, instance, name->value, strlen(name->value));
}

// Copies of a prefab's children by component say what they are copies of, so that they are found by it. Mostly they have its name still.
static ecs_entity_t find_copy(const ecs_world_t *world, ecs_entity_t instance, ecs_entity_t child) {
    ecs__store_t *store = &ecs__world_of(world)->store;
    ecs_entity_t original = ecs__entity_alive_id(&store->entities, (uint32_t)child);
    const ecs_table_t *table = original ? ecs__table_of(world, original) : NULL;
    bool is_part = table && (table->flags & EcsTableHasParent) && (table->flags & EcsTableIsPrefab);
    const ecs__children_t *list = is_part ? ecs__children_get(store, instance) : NULL;
    const ecs_entity_t namesake = list ? find_namesake(world, instance, original) : 0;
    if (is_copy(world, namesake, original)) return namesake;
    for (int32_t i = 0; list && i < list->count; i++) {
        if (is_copy(world, list->ids[i], original)) return list->ids[i];
    }
    return 0;
}

ecs_entity_t ecs_get_target(
    const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t rel, int32_t index) {
    ECS__CHECK(ecs__check_reader(world));
    ecs_check(ecs__is_alive(world, entity), ECS_INVALID_PARAMETER,
        "cannot get the targets of entity %u: it is not alive", (uint32_t)entity);
    const ecs_table_t *table = ecs__table_of(world, entity);
    if (!table || index < 0) return 0;
    const ecs_component_record_t *any =
        ecs__id_record_get(table->store, ECS__MAKE_PAIR(rel, Ecs__Wildcard));
    if (!any) return index ? 0 : find_copy(world, entity, rel);
    if (any->flags & EcsIdOnInstantiateInherit) return find_target(table, entity, any, index);
    return own_target(table, any, entity, index);
error:
    return 0;
}

ecs_entity_t ecs_get_parent(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs_get_target(world, entity, Ecs__ChildOf, 0);
}

// NULL also for entities that a job made, which are not placed yet.
static const ecs_table_t *placed_in(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs_get_table(world, entity) ? ecs__table_of(world, entity) : NULL;
}

static ecs_entity_t find_id_with(const ecs_world_t *world, const ecs_table_t *table, ecs_id_t id) {
    for (int32_t i = 0; i < table->type.count; i++) {
        ecs_id_t own = table->type.array[i];
        if (own & ECS_ID_FLAGS_MASK) continue;
        if (owns_any(world, own, id)) return own;
    }
    return 0;
}

// As ecs__search_up: what the entity itself inherits does not count.
static ecs_entity_t find_with(
    const ecs__store_t *store, ecs_entity_t entity, ecs_id_t id, ecs_entity_t rel) {
    if (ecs__has_own(ecs__entity_spot(&store->entities, entity), id)) return entity;
    return ecs__id_is_found_along(store, id, rel) ? ecs__search_above(store, entity, id, rel) : 0;
}

ecs_entity_t ecs_get_target_for_id(
    const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t rel, ecs_id_t id) {
    if (!id) return ecs_get_target(world, entity, rel, 0);
    const ecs_table_t *table = placed_in(world, entity);
    if (!table) return 0;
    if (!rel) return find_id_with(world, table, id);
    if (ecs__sparse_matters(table->store, id, rel)) return find_with(table->store, entity, id, rel);
    ecs__found_t found;
    if (!ecs__search_up(table, id, rel, true, true, 0, 0, &found)) return 0;
    return found.source ? found.source : entity;
}

int32_t ecs_get_depth(const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t rel) {
    const ecs_table_t *table = placed_in(world, entity);
    ecs_check(ecs_id_get_flags(world, ECS__MAKE_PAIR(rel, Ecs__Wildcard)) & EcsIdTraversable,
        ECS_INVALID_PARAMETER, "cannot get a depth along %s: it is not acyclic",
        ECS__TEXT(world, rel));
    if (table && ecs__sparse_matters(table->store, 0, rel))
        return ecs__depth_from(table->store, entity, rel);
    return table ? ecs__table_depth(table, rel) : 0;
error:
    return -1;
}

// ---- ids ----

static bool is_element(const ecs_world_t *poly, uint32_t element) {
    if (!element || element == Ecs__Wildcard || element == Ecs__Any) return false;
    if (ecs__stage_of(poly)->in_slot) return true;
    const ecs_entity_t entity = ecs__entity_alive_id(&ecs__world_of(poly)->store.entities, element);
    return entity && !ecs__is_ending(poly, entity);
}

bool ecs_id_is_valid(const ecs_world_t *world, ecs_id_t id) {
    if (ECS_IS_PAIR(id)) {
        if (!is_element(world, ecs__id_first(id))) return false;
        return ECS_IS_VALUE_PAIR(id) || is_element(world, ecs__id_second(id));
    }
    ecs_entity_t entity = ecs__id_bare(id);
    if (id & ECS__PAIR) return ecs_id_is_valid(world, entity);
    return !ecs__id_is_wildcard(entity) && ecs_is_valid(world, entity) &&
           !ecs__is_ending(world, entity);
}

bool ecs_id_is_tag(const ecs_world_t *world, ecs_id_t id) {
    if (!ecs__id_is_wildcard(id)) return !ecs_get_typeid(world, id);
    bool is_first_known =
        ECS_IS_PAIR(id) && ecs__id_first(id) != Ecs__Wildcard && ecs__id_first(id) != Ecs__Any;
    return is_first_known && ecs_id_get_flags(world, id) & EcsIdPairIsTag;
}

bool ecs_id_in_use(const ecs_world_t *world, ecs_id_t id) {
    const ecs__store_t *store = &ecs__world_of(world)->store;
    const ecs_component_record_t *record = ecs__id_record_get(store, id);
    int32_t cover = 0;
    bool is_used = record && record->table_live;
    while (!is_used && (record = ecs__sparse_next_cover(store, id, &cover)))
        is_used = ecs__sparse_count(record);
    return is_used;
}

ecs_flags32_t ecs_id_get_flags(const ecs_world_t *world, ecs_id_t id) {
    return id ? ecs__id_flags(&ecs__world_of(world)->store, id) : 0;
}

ecs_entity_t ecs_get_typeid(const ecs_world_t *world, ecs_id_t id) {
    return ecs__id_typeid(&ecs__world_of(world)->store, id);
}

const ecs_type_info_t *ecs_get_type_info(const ecs_world_t *world, ecs_id_t id) {
    const ecs__store_t *store = &ecs__world_of(world)->store;
    const ecs_component_record_t *low = id < FLECS_HI_COMPONENT_ID ? store->ids.low[id] : NULL;
    if (low && low->type_info) return low->type_info;
    ecs_entity_t type = ecs__id_typeid(store, id);
    return type ? ecs__type_info_get(store, type) : NULL;
}
