// SPDX-License-Identifier: MIT
#include "mutate/sparse.h"

#include "base/aligned.h"
#include "id/type_info.h"
#include "mutate/check.h"
#include "mutate/edge.h"
#include "mutate/hooks.h"
#include "mutate/override.h"
#include "mutate/plain.h"
#include "mutate/report.h"
#include "mutate/swap.h"
#include "mutate/symmetric.h"
#include "mutate/traits.h"
#include "storage/table_graph.h"
#include "storage/bases.h"
#include "world/state.h"

static ecs_table_t *table_of(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs__entity_spot(&world->store.entities, entity).table;
}

// The record (R,*) of a pair.
static const ecs_component_record_t *any_of(
    const ecs_world_t *world, const ecs_component_record_t *pair) {
    if (pair->sparse) return pair->sparse->home;
    ecs_id_t any = ECS__MAKE_PAIR(ecs__id_first(pair->id), Ecs__Wildcard);
    return ecs__id_record_get(&world->store, any);
}

// ---- ids in types ----

// The sparse id at a position of a type that another type lacks, or NULL.
static ecs_component_record_t *value_at(
    const ecs_table_t *table, int32_t index, const ecs_table_t *other) {
    ecs_component_record_t *record = ecs__table_cr(table, index);
    if (!ecs__id_has_sparse_values(record)) return NULL;
    return other && ecs__table_has(other, record->id) ? NULL : record;
}

void ecs__sparse_enter(ecs_world_t *world, const ecs_table_t *table, const ecs_table_t *before,
    int32_t row, int32_t count, const ecs__pending_value_t *values, int32_t value_count) {
    for (int32_t i = 0; i < table->type.count; i++) {
        ecs_component_record_t *record = value_at(table, i, before);
        if (!record) continue;
        const ecs__pending_value_t *pending = ecs__pending_find(values, value_count, record->id);
        const bool starts_raw = pending && pending->construct;
        const void *base = pending ? NULL : ecs__override_value(table, record);
        for (int32_t r = row; r < row + count; r++) {
            void *value = ecs__sparse_add(&world->store, record, table->entities[r]);
            if (!starts_raw) ecs__value_ctor(record->type_info, value, 1);
            if (base) ecs__value_copy(record->type_info, value, base, 1);
        }
    }
}

void ecs__sparse_begin(ecs_world_t *world, ecs_component_record_t *record, ecs_entity_t entity) {
    void *value = ecs__sparse_add(&world->store, record, entity);
    if (value) ecs__value_ctor(record->type_info, value, 1);
}

void ecs__sparse_end(ecs_world_t *world, ecs_component_record_t *record, ecs_entity_t entity) {
    if (record->type_info) ecs__value_dtor(record->type_info, ecs__sparse_get(record, entity), 1);
    ecs__sparse_remove(&world->store, record, entity);
}

void ecs__sparse_leave(ecs_world_t *world, const ecs_table_t *table, const ecs_table_t *after,
    int32_t row, int32_t count) {
    for (int32_t i = 0; i < table->type.count; i++) {
        ecs_component_record_t *record = value_at(table, i, after);
        for (int32_t r = row; record && r < row + count; r++) {
            ecs__sparse_end(world, record, table->entities[r]);
        }
    }
}

// ---- removing what is beside tables ----

static bool check_unlocked(ecs_world_t *world, const ecs_component_record_t *record) {
    const ecs__sparse_set_t *set = record->sparse;
    if (!set || !(set->lock + set->home->sparse->lock)) return true;
    return ecs__refuse(world, ECS_LOCKED_STORAGE,
        "%s cannot come or go while it is iterated; wrap the change in ecs_defer_begin and "
        "ecs_defer_end",
        ECS__TEXT(world, record->id));
}

bool ecs__aside_is_last(
    const ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record) {
    return ecs__id_presence(record) && ecs__sparse_edges(any_of(world, record), entity).count == 1;
}

static bool check_move(ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *dst) {
    return ecs__check_unlocked(world, table_of(world, entity), entity) &&
           ecs__check_unlocked(world, dst, entity);
}

// Checked builds: whether the presence id may come, or go, with an edge.
static bool check_first(
    ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record) {
    ecs_id_t presence = ECS__CHECKS ? ecs__id_presence(record) : 0;
    ecs_table_t *table = table_of(world, entity);
    if (!presence || ecs__table_has(table, presence)) return true;
    return check_move(world, entity, ecs__table_plus(table, presence));
}

static bool check_last(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    if (!ECS__CHECKS) return true;
    ecs__sparse_iter_t iter = ecs__sparse_iter(&world->store, entity, id);
    const ecs_component_record_t *record;
    const bool all = !ECS_IS_PAIR(id) || ecs__id_is_wildcard(ecs__id_second(id));
    while ((record = ecs__sparse_next(&iter))) {
        ecs_id_t presence = ecs__id_presence(record);
        if (!presence || !(all || ecs__aside_is_last(world, entity, record))) continue;
        if (!check_move(world, entity, ecs__table_minus(table_of(world, entity), presence)))
            return false;
    }
    return true;
}

static ecs_entity_t symmetric_end(
    const ecs_world_t *world, const ecs_component_record_t *record, ecs_entity_t entity) {
    if (!(record->flags & ECS__ID_SYMMETRIC) || !ECS_IS_PAIR(record->id)) return 0;
    ecs_entity_t end = ecs__pair_target(&world->store.entities, record->id);
    return end == entity ? 0 : end;
}

static void touch_edge(
    ecs_world_t *world, const ecs_component_record_t *record, ecs_entity_t entity) {
    if (record->flags & EcsIdTraversable) ecs__store_touch_edge(&world->store, entity);
}

// The other end of an edge that was removed, or 0, loses it, too.
static void unlink_end(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t end,
    const ecs_component_record_t *record) {
    if (end) ecs__symmetric_unlink(world, end, ECS__MAKE_PAIR(ecs__id_first(record->id), entity));
}

static bool remove_one(ecs_world_t *world, ecs_entity_t entity, ecs_component_record_t *record) {
    if (!check_unlocked(world, record)) return false;
    ecs_entity_t end = symmetric_end(world, record, entity);
    ecs__hooks_sparse_removing(world, entity, record);
    if (!ecs__sparse_has(record, entity)) return false; /* who was told was faster */
    ecs__sparse_end(world, record, entity);
    touch_edge(world, record, entity);
    ecs__hooks_beside_removed(world, entity, record);
    unlink_end(world, entity, end, record);
    return true;
}

// The presence id goes with the last edge.
static void follow_last_edge(
    ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *removed) {
    ecs_id_t presence = ecs__id_presence(removed);
    if (!presence || ecs__sparse_has(any_of(world, removed), entity)) return;
    ecs_table_t *table = table_of(world, entity);
    if (table && !ecs__walk_presence(world, entity, presence, false))
        ecs__transition(world, entity, ecs__table_minus(table, presence), NULL, 0);
}

// The last edge goes together with the presence id. Who was told may have been faster.
static void end_last(ecs_world_t *world, ecs__edge_swap_t *swap) {
    const ecs__swap_t *edges = &swap->edges;
    if (!ecs__sparse_has(edges->from, edges->entity)) return;
    ecs__sparse_end(world, edges->from, edges->entity);
    touch_edge(world, edges->from, edges->entity);
}

static void remove_last(ecs_world_t *world, ecs_entity_t entity, ecs_component_record_t *record) {
    ecs_table_t *table = table_of(world, entity),
                *dst = ecs__table_minus(table, ecs__id_presence(record));
    ecs__edge_swap_t swap = { { entity, record, NULL, table, dst }, end_last };
    const ecs_entity_t end = symmetric_end(world, record, entity);
    ecs__transition_with_edge(world, entity, dst, &swap);
    if (!ecs__sparse_has(record, entity)) unlink_end(world, entity, end, record);
}

static void remove_and_follow(
    ecs_world_t *world, ecs_entity_t entity, ecs_component_record_t *record) {
    if (record->flags & ECS__ID_MIXED)
        ecs__remove(world, entity, Ecs__Parent); /* which takes the edge along */
    else if (ecs__beside_is_told(world, record) && ecs__aside_is_last(world, entity, record))
        remove_last(world, entity, record);
    else if (remove_one(world, entity, record))
        follow_last_edge(world, entity, record);
}

void ecs__aside_remove(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    ecs_component_record_t *record;
    if (!check_last(world, entity, id)) return;
    if (!ecs__id_is_wildcard(id)) {
        record = ecs__sparse_find(&world->store, entity, id);
        if (record) remove_and_follow(world, entity, record);
        return;
    }
    ecs__sparse_iter_t iter = ecs__sparse_iter(&world->store, entity, id);
    while ((record = ecs__sparse_next(&iter))) remove_and_follow(world, entity, record);
}

void ecs__aside_removing(ecs_world_t *world, ecs_entity_t entity) {
    ecs__sparse_iter_t iter = ecs__sparse_iter(&world->store, entity, 0);
    ecs_component_record_t *record;
    while ((record = ecs__sparse_next(&iter))) {
        *ecs_vec_append_t(NULL, &world->events.lost, ecs__lost_t) = (ecs__lost_t){ entity, record };
        if (!(record->flags & ECS__ID_MIXED)) ecs__hooks_sparse_removing(world, entity, record);
    }
}

void ecs__aside_drop(ecs_world_t *world, ecs_entity_t entity) {
    ecs__sparse_iter_t iter = ecs__sparse_iter(&world->store, entity, 0);
    ecs_component_record_t *record;
    while ((record = ecs__sparse_next(&iter))) {
        ecs__sparse_end(world, record, entity);
        touch_edge(world, record, entity);
    }
}

void ecs__aside_removed(ecs_world_t *world) {
    for (int32_t i = 0; i < ecs_vec_count(&world->events.lost); i++) {
        ecs__lost_t lost = *ecs_vec_get_t(&world->events.lost, ecs__lost_t, i);
        ecs__hooks_beside_removed(world, lost.entity, lost.record);
        unlink_end(world, lost.entity, symmetric_end(world, lost.record, lost.entity), lost.record);
    }
}

ecs_table_t *ecs__aside_leave(
    ecs_world_t *world, ecs_entity_t entity, ecs_table_t *src, const ecs_table_t *dst) {
    ecs_table_t *left = src;
    for (int32_t i = 0; i < src->type.count; i++) {
        const ecs_id_t id = src->type.array[i], any = ECS__MAKE_PAIR(id, Ecs__Wildcard);
        if (!ecs__id_is_presence(ecs__table_cr(src, i)) || ecs__table_has(dst, id)) continue;
        if (!ecs__sparse_has(ecs__id_record_get(&world->store, any), entity)) continue;
        ecs__aside_remove(world, entity, any);
        left = ecs__table_minus(left, id);
    }
    return left;
}

static void remove_from_holders(ecs_world_t *world, const ecs_component_record_t *record,
    ecs_flags32_t skip_flags, ecs__aside_skip_t skip, void *ctx) {
    for (int32_t i = ecs__sparse_count(record) - 1; i >= 0; i--) {
        if (i >= ecs__sparse_count(record)) continue;
        ecs_entity_t entity = ecs__sparse_holders(record)[i].entity;
        const ecs_table_t *table = table_of(world, entity);
        if (!table || table->flags & skip_flags) continue; /* it has ended, and its world ends */
        if (!skip || !skip(ctx, entity)) ecs__aside_remove(world, entity, record->id);
    }
}

void ecs__aside_remove_all(
    ecs_world_t *world, ecs_id_t id, ecs_flags32_t skip_flags, ecs__aside_skip_t skip, void *ctx) {
    const ecs__store_t *store = &world->store;
    const ecs_component_record_t *record;
    int32_t cover = 0;
    if (ECS_HAS_RELATION(id, Ecs__Wildcard) && ecs__id_second(id) != Ecs__Wildcard) {
        /* pairs with a target are few, relationships kept beside tables may be many */
        const ecs_component_record_t *any = ecs__id_record_get(store, id);
        for (record = any ? ecs__id_record_next_second(any, NULL) : NULL; record;
             record = ecs__id_record_next_second(any, record)) {
            if (ecs__id_may_be_beside(record))
                remove_from_holders(world, record, skip_flags, skip, ctx);
        }
        return;
    }
    while ((record = ecs__sparse_next_cover(store, id, &cover)))
        remove_from_holders(world, record, skip_flags, skip, ctx);
}

// ---- adding ----

// Edges of a union are one thing with a changing target: its value stays, unless another is emplaced.
static bool keeps_value(const ecs_world_t *world, const ecs_component_record_t *from,
    const ecs_component_record_t *to) {
    if (from->type_info != to->type_info || ecs__edge_is_known(world, to->id)) return false;
    if (!from->type_info) return true;
    uint32_t relationship = ecs__id_first(to->id);
    const ecs_table_t *table = ecs__entity_living_table(&world->store.entities, relationship);
    return table && ecs__table_has(table, Ecs__Union);
}

// `made`: what the value of a new id begins with, if that is known, which whoever moves it takes; NULL: it is not, or was taken.
static void start_value(ecs_world_t *world, ecs_entity_t entity,
    const ecs_component_record_t *record, void *value, void **made) {
    if (*made) {
        ecs__value_ctor_move_dtor(record->type_info, value, *made, 1);
        *made = NULL;
        return;
    }
    ecs__value_ctor(record->type_info, value, 1);
    const void *base = ecs__override_value(table_of(world, entity), record);
    if (base && base != value) ecs__value_copy(record->type_info, value, base, 1);
}

static void put(ecs_world_t *world, ecs_entity_t entity, ecs_component_record_t *record,
    ecs__sparse_start_t start, void **made) {
    void *value = ecs__sparse_add(&world->store, record, entity);
    if (value && start != ECS__START_RAW) start_value(world, entity, record, value, made);
}

typedef struct first_t {
    ecs__edge_swap_t swap;
    ecs__sparse_start_t start;
    void **made;
} first_t;

static void put_first(ecs_world_t *world, ecs__edge_swap_t *swap) {
    first_t *first = (first_t *)(void *)swap;
    put(world, swap->edges.entity, swap->edges.to, first->start, first->made);
    touch_edge(world, swap->edges.to, swap->edges.entity);
}

// The first edge comes together with the presence id.
static void add_first(ecs_world_t *world, ecs_entity_t entity, ecs_component_record_t *record,
    ecs__sparse_start_t start, void **made) {
    ecs_table_t *table = table_of(world, entity),
                *dst = ecs__table_plus(table, ecs__id_presence(record));
    first_t first = { { { entity, NULL, record, table, dst }, put_first }, start, made };
    ecs__transition_with_edge(world, entity, dst, &first.swap);
}

// Whoever is told suspends deferring and adds it, or ends the entity: then it is not put.
static void append(ecs_world_t *world, ecs_entity_t entity, ecs_component_record_t *record,
    ecs__sparse_start_t start, void **made) {
    const ecs_id_t presence = ecs__id_presence(record);
    if (presence && ecs__beside_is_told(world, record) &&
        !ecs__table_has(table_of(world, entity), presence)) {
        add_first(world, entity, record, start, made);
        return;
    }
    if (presence && !ecs__walk_presence(world, entity, presence, true)) {
        ecs_table_t *table = table_of(world, entity);
        ecs__transition(world, entity, ecs__table_plus(table, presence), NULL, 0);
    }
    const uint64_t emitted = world->events.emitted;
    ecs__hooks_beside_adding(world, entity, record);
    const bool is_told = world->events.emitted != emitted;
    if (is_told && (!table_of(world, entity) || ecs__sparse_has(record, entity))) return;
    put(world, entity, record, start, made);
    touch_edge(world, record, entity);
    ecs__hooks_sparse_added(world, entity, record);
}

// The edge that an exclusive relationship has already gives way. Observers are told as for pairs in
// types: of both ends before, and of both after the change. Returns whether the value stayed.
static bool replace(ecs_world_t *world, ecs_entity_t entity, ecs_component_record_t *from,
    ecs_component_record_t *to, ecs__sparse_start_t start, void **made) {
    bool is_given = start == ECS__START_RAW || start == ECS__START_GIVEN;
    bool moves = !is_given && keeps_value(world, from, to);
    const ecs_table_t *table = table_of(world, entity);
    const ecs__swap_t swap = { entity, from, to, table, table };
    ecs_entity_t end = symmetric_end(world, from, entity);
    if (!ecs__swap_begin(world, &swap)) return false;
    ecs__events_have_lost(&world->events);
    if (moves) {
        ecs__sparse_retarget(&world->store, from, to, entity);
    } else {
        ecs__sparse_end(world, from, entity);
        put(world, entity, to, start, made);
    }
    touch_edge(world, from, entity);
    touch_edge(world, to, entity);
    ecs__swap_end(world, &swap);
    unlink_end(world, entity, end, from);
    return moves;
}

static ecs_component_record_t *replaced_edge(
    const ecs_world_t *world, ecs_entity_t entity, const ecs_component_record_t *record) {
    if (!ECS_IS_PAIR(record->id) || !(record->flags & EcsIdExclusive)) return NULL;
    ecs__sparse_edges_t edges = ecs__sparse_edges(any_of(world, record), entity);
    return edges.count ? edges.items[0].record : NULL;
}

static void add_implied(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, bool only_beside) {
    ecs_id_t implied;
    for (int32_t n = 0; (implied = ecs__id_implied(&world->store, id, n)); n++) {
        if (!only_beside || ecs__store_beside(&world->store, implied))
            ecs__add(world, entity, implied);
    }
}

// Values that come from a base: the hook always, observers only if the value was not in sight before. Who was told may have ended the
// entity, or what it has.
static void notify_added(ecs_world_t *world, ecs_entity_t entity,
    const ecs_component_record_t *record, const ecs_table_t *before) {
    const ecs_table_t *table = ecs__entity_table(&world->store.entities, entity);
    if (!record->type_info || !table || !ecs__sparse_has(record, entity)) return;
    const void *base = ecs__override_value(table, record);
    if (!base) return;
    bool was_seen = before && (before == table || ecs__override_value(before, record) == base);
    ecs__hooks_sparse_set(world, entity, record, !was_seen);
}

static void drop_made(const ecs_component_record_t *record, void *made) {
    if (!made) return;
    ecs__value_dtor(record->type_info, made, 1);
    ecs__aligned_free(made, record->type_info->alignment);
}

// False if the id is refused. `made`: what it begins with if its relationship says so, else NULL.
static inline bool begin_add(
    ecs_world_t *world, ecs_entity_t entity, ecs_component_record_t *record, void **made) {
    const ecs_table_t *table = table_of(world, entity);
    if (!table || !check_unlocked(world, record) || /* it has ended */
        !ecs__edge_make(world, entity, table, record->id, made))
        return false;
    if (check_first(world, entity, record)) return true; /* it makes a table, as the rest does */
    drop_made(record, *made);
    return false;
}

// `given`: what it begins with, which is moved; NULL: as `start` says.
static void *add(ecs_world_t *world, ecs_entity_t entity, ecs_component_record_t *record,
    ecs__sparse_start_t start, void *given) {
    if (!ecs__sparse_count(record)) ecs__traits_mark_id(&world->store, record);
    ecs__sparse_expect(&world->store, record); /* whoever is told first, too */
    ecs_component_record_t *old = replaced_edge(world, entity, record);
    bool moves = false;
    if (old)
        moves = replace(world, entity, old, record, start, &given);
    else
        append(world, entity, record, start, &given);
    if (given) ecs__value_dtor(record->type_info, given, 1);
    if (!ecs__sparse_has(record, entity))
        return NULL; /* who was told took it, or ended the entity */
    if (!moves && start == ECS__START_VALUE)
        notify_added(world, entity, record, table_of(world, entity));
    if (record->flags & EcsIdWith) add_implied(world, entity, record->id, false);
    ecs_entity_t end = symmetric_end(world, record, entity);
    if (end) ecs__add(world, end, ECS__MAKE_PAIR(ecs__id_first(record->id), entity));
    return ecs__sparse_get(record, entity);
}

// Coming and going concerns nobody but the entity: a state, mostly.
static bool is_plain_target(const ecs_world_t *world, const ecs_component_record_t *record) {
    const ecs_flags32_t more =
        EcsIdWith | EcsIdSingleton | EcsIdTraversable | ECS__ID_SYMMETRIC | ECS__ID_MIXED;
    return !(record->flags & more) && !record->type_info && !ecs__beside_is_told(world, record);
}

// A target that others have takes the place of another, and that is all.
static bool swap_plainly(
    ecs_world_t *world, ecs_entity_t entity, ecs_component_record_t *record, bool is_queued) {
    if (!ECS_IS_PAIR(record->id) || !(record->flags & EcsIdExclusive)) return false;
    if (!ecs__sparse_count(record)) return false;
    const ecs__sparse_slot_t *slot = ecs__sparse_slot(record->sparse->home->sparse, entity);
    if (!slot || slot->count != 1) return false;
    ecs_component_record_t *old = slot->edges.one.record;
    if (!is_plain_target(world, record) || !is_plain_target(world, old)) return false;
    if (ecs__edge_is_known(world, record->id)) return false;
    if (old == record || !check_unlocked(world, record)) return true;
    if (is_queued) ecs__check_swap_queued(world, entity, record, old->id);
    ecs__sparse_retarget(&world->store, old, record, entity);
    return true;
}

bool ecs__aside_swap_plainly(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, bool is_queued) {
    ecs_component_record_t *record = ecs__store_beside(&world->store, id);
    return record && ecs__entity_is_alive(&world->store.entities, entity) &&
           swap_plainly(world, entity, record, is_queued);
}

void *ecs__aside_add(ecs_world_t *world, ecs_entity_t entity, ecs_component_record_t *record,
    ecs__sparse_start_t start) {
    if (swap_plainly(world, entity, record, false)) return NULL;
    if (ecs__sparse_has(record, entity)) return ecs__sparse_get(record, entity);
    void *made;
    if (!begin_add(world, entity, record, &made)) return NULL;
    void *value = add(world, entity, record, start, made);
    if (made) ecs__aligned_free(made, record->type_info->alignment);
    return value;
}

void ecs__aside_emplace(
    ecs_world_t *world, ecs_entity_t entity, ecs_component_record_t *record, void *value) {
    void *made;
    if (!begin_add(world, entity, record, &made)) {
        ecs__value_dtor(record->type_info, value, 1);
        return;
    }
    drop_made(record, made);
    add(world, entity, record, ECS__START_GIVEN, value);
}

typedef struct arrival_t {
    ecs_entity_t entity;
    const ecs_component_record_t *record;
} arrival_t;

void ecs__aside_arrive(
    ecs__arrivals_t *arrivals, ecs_entity_t entity, ecs_component_record_t *record) {
    if (ecs__sparse_has(record, entity)) return;
    bool is_swap = replaced_edge(arrivals->world, entity, record); /* its value may stay */
    ecs__aside_add(arrivals->world, entity, record, is_swap ? ECS__START_VALUE : ECS__START_QUIET);
    if (record->type_info && !is_swap)
        *ecs_vec_append_t(NULL, &arrivals->list, arrival_t) = (arrival_t){ entity, record };
}

void ecs__arrivals_tell(ecs__arrivals_t *arrivals) {
    for (int32_t i = 0; i < ecs_vec_count(&arrivals->list); i++) {
        const arrival_t *one = ecs_vec_get_t(&arrivals->list, arrival_t, i);
        notify_added(arrivals->world, one->entity, one->record, arrivals->before);
    }
    ecs_vec_fini_t(NULL, &arrivals->list, arrival_t);
}

// ---- what other changes bring ----

static void take_value(
    ecs_world_t *world, ecs_entity_t entity, ecs_component_record_t *record, const void *from) {
    void *value = ecs__sparse_get(record, entity);
    if (!value || !from) return;
    ecs__value_copy(record->type_info, value, from, 1);
    ecs__hooks_sparse_set(world, entity, record, true);
}

ecs_table_t *ecs__table_without_presence(ecs_table_t *table, const ecs_table_t *before) {
    const ecs_table_t *from = table;
    for (int32_t i = 0; from->flags & EcsTableHasDontFragment && i < from->type.count; i++) {
        ecs_id_t id = from->type.array[i];
        bool has_edges = before && ecs__table_has(before, id);
        if (ecs__id_is_presence(ecs__table_cr(from, i)) && !has_edges)
            table = ecs__table_minus(table, id);
    }
    return table;
}

// Listed before, as a symmetric pair of the original with itself brings it another, with the copy.
static void list_beside(const ecs_world_t *world, ecs_entity_t entity, bool all, ecs_vec_t *list) {
    ecs__sparse_iter_t iter = ecs__sparse_iter(&world->store, entity, 0);
    ecs_component_record_t *record;
    while ((record = ecs__sparse_next(&iter))) {
        if (record->flags & ECS__ID_MIXED) continue; /* follows the component */
        if (!all && !ecs__is_passed_on(table_of(world, entity), record)) continue;
        *ecs_vec_append_t(NULL, list, ecs_component_record_t *) = record;
    }
}

void ecs__aside_copy(
    ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src, bool all, ecs_vec_t *list) {
    *list = ecs__spare_take(&world->beside);
    list_beside(world, src, all, list);
    for (int32_t i = 0; i < ecs_vec_count(list); i++) {
        ecs_component_record_t *record = *ecs_vec_get_t(list, ecs_component_record_t *, i);
        ecs__aside_add(world, dst, record, ECS__START_QUIET);
    }
}

void ecs__aside_copy_values(
    ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src, bool values, ecs_vec_t *list) {
    for (int32_t i = 0; i < ecs_vec_count(list); i++) {
        ecs_component_record_t *record = *ecs_vec_get_t(list, ecs_component_record_t *, i);
        const ecs_table_t *table = table_of(world, src); /* NULL: who is told has ended it */
        const void *base = values || !table ? NULL : ecs__override_value(table, record);
        take_value(world, dst, record, values ? ecs__sparse_get(record, src) : base);
    }
    ecs__spare_give(&world->beside, *list);
}

typedef struct instance_t {
    ecs__arrivals_t arrivals;
    ecs_entity_t entity;
} instance_t;

static void own(instance_t *instance, ecs_component_record_t *record) {
    ecs__arrivals_t *arrivals = &instance->arrivals;
    if (!replaced_edge(arrivals->world, instance->entity, record))
        ecs__aside_arrive(arrivals, instance->entity, record);
}

static void own_marked(instance_t *instance, const ecs_table_t *table) {
    if (!table || !(table->flags & EcsTableHasOverrides)) return;
    for (int32_t i = 0; i < table->type.count; i++) {
        ecs_id_t id = table->type.array[i];
        if (!(id & ECS__AUTO_OVERRIDE)) continue;
        ecs_component_record_t *record =
            ecs__store_beside(&instance->arrivals.world->store, id & ~ECS__AUTO_OVERRIDE);
        if (record) own(instance, record);
    }
}

void ecs__aside_add_marked(ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *table) {
    instance_t instance = { { .world = world }, entity };
    own_marked(&instance, table);
    ecs__arrivals_tell(&instance.arrivals);
}

// What instances own of what a base has beside its table, by policy or because the base has it marked.
static bool add_owned(void *ctx, ecs_entity_t base, const ecs_table_t *table) {
    instance_t *instance = ctx;
    ecs__sparse_iter_t iter = ecs__sparse_iter(&instance->arrivals.world->store, base, 0);
    ecs_component_record_t *record;
    while ((record = ecs__sparse_next(&iter))) {
        if (record->flags & EcsIdOnInstantiateOverride) own(instance, record);
    }
    own_marked(instance, table);
    return false;
}

void ecs__aside_imply(
    ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *src, const ecs_table_t *dst) {
    for (int32_t i = 0; i < dst->type.count; i++) {
        ecs_id_t id = dst->type.array[i];
        if (!(ecs__table_cr(dst, i)->flags & EcsIdWith)) continue;
        if (!src || !ecs__table_has(src, id)) add_implied(world, entity, id, true);
    }
}

void ecs__aside_follow(
    ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *src, const ecs_table_t *dst) {
    instance_t instance = { { .world = world, .before = src }, entity };
    for (int32_t i = 0; dst->flags & EcsTableHasIsA && i < dst->type.count; i++) {
        ecs_id_t id = dst->type.array[i];
        if (!ECS_HAS_RELATION(id, Ecs__IsA) || !ecs__id_leads(id)) continue;
        if (src && ecs__table_has(src, id)) continue;
        const ecs_table_t *base =
            ecs__entity_living_table(&world->store.entities, ecs__id_second(id));
        if (!base) continue;
        add_owned(&instance, ecs__id_second(id), base);
        ecs__bases_beside(base, add_owned, &instance);
    }
    ecs__arrivals_tell(&instance.arrivals);
}
