// SPDX-License-Identifier: MIT
// get_set: reading and writing the values of entities.
#include <muster/ecs/component.h>
#include <muster/ecs/entity.h>
#include <muster/ecs/hierarchy.h>
#include <muster/ecs/log.h>

#include "base/apart.h"
#include "event/emit.h"
#include "event/tell.h"
#include "id/type_info.h"
#include "mutate/edge.h"
#include "mutate/hooks.h"
#include "mutate/override.h"
#include "mutate/parent.h"
#include "mutate/plain.h"
#include "world/component.h"
#include "world/state.h"
#include "world/write.h"

// The owned value, or NULL; also for entities that a job made and that are not placed yet.
static inline void *owned(const ecs_world_t *poly, ecs_entity_t entity, ecs_id_t id) {
    const ecs__spot_t spot = ecs__spot_of(poly, entity);
    return spot.table ? ecs__value_of(spot, id) : NULL;
}

// The record by which plain values are found, or NULL. Where the entity is not near it leads to a table that has none.
static inline const ecs__record_t *record_of(const ecs_world_t *world, ecs_entity_t entity) {
    const ecs__entity_index_t *index = &world->store.entities;
    if ((uint32_t)entity >= index->made) return NULL;
    const ecs__record_t *record = ecs__record_of(index, entity);
    return ecs__record_generation(record) == entity >> 32 ? record : NULL;
}

static inline bool is_near(const ecs__record_t *record) {
    return record && ecs__record_is_near(record);
}

// The same for what most components are: low ids with plain values, of the given size (0: any). NULL: it may be another kind.
static inline void *plain(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size) {
    const ecs__record_t *record = record_of(world, entity);
    if (!record) return NULL;
    return ecs__table_plain_cell(ecs__record_near(&world->store.entities, record), id, size,
        (int32_t)ecs__record_near_row(record));
}

// The same wherever the entity is.
static ECS__APART void *plain_far(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    const ecs__spot_t spot = ecs__spot_of(world, entity);
    return spot.table ? ecs__table_plain_cell(spot.table, id, 0, spot.row) : NULL;
}

static const void *inherited(const ecs_world_t *poly, ecs_entity_t entity, ecs_id_t id) {
    const ecs_table_t *table = ecs__table_of(poly, entity);
    ecs__found_t found;
    if (!table || !(table->flags & EcsTableHasIsA)) return NULL;
    if (ecs__search_up(table, id, Ecs__IsA, false, true, 0, 0, &found))
        return owned(poly, found.source, found.id);
    const ecs_component_record_t *beside = ecs__find_inherited(table, id, &found.source);
    return beside ? ecs__sparse_get(beside, found.source) : NULL;
}

// ---- get ----

// A pair without data reads as NULL (PDT-08), and so does a component that this world does without; asking a tag for its value is a
// mistake.
static bool check_no_tag(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    bool is_known = ecs__is_alive(world, id) && !ecs__is_builtin(id);
    bool is_absent = !is_known && !ecs_has_id(world, entity, id);
    (void)is_absent;
    ecs_check(ECS_IS_PAIR(id) || is_absent || ecs_get_type_info(world, id), ECS_INVALID_PARAMETER,
        "cannot get the value of %s: it is a tag", ECS__TEXT(world, id));
    return true;
error:
    return false;
}

// Kept apart, so that the common case needs no stack.
static ECS__APART const void *get_any(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    const void *value = owned(world, entity, id);
    if (!value) value = inherited(world, entity, id);
    ECS__CHECK(value || check_no_tag(world, entity, id));
    return value;
error:
    return NULL;
}

static bool check_read(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    if (!ecs__check_reader(world)) return false;
    ecs_check(id != 0, ECS_INVALID_PARAMETER,
        "cannot get a value of entity %u: the id is 0; components are registered in each world "
        "(ECS_COMPONENT)",
        (uint32_t)entity);
    ecs_check(ecs__is_alive(world, entity), ECS_INVALID_PARAMETER,
        "cannot get %s of entity %u: it is not alive", ECS__TEXT(world, id), (uint32_t)entity);
    return true;
error:
    return false;
}

const void *ecs_get_id(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    ECS__CHECK(check_read(world, entity, id));
    ECS__CHECK(ecs__may_access(world, entity, id, false, "ecs_get"));
    const void *value = plain(ecs__world_of(world), entity, id, 0);
    return value ? value : get_any(world, entity, id);
error:
    return NULL;
}

static bool check_not_replaced(const ecs_world_t *world, ecs_id_t id, const char *what) {
    const ecs_type_info_t *type = ecs_get_type_info(world, id);
    (void)what;
    ecs_check(!type || !type->hooks.on_replace, ECS_INVALID_OPERATION,
        "cannot %s %s: it has an on_replace hook; use ecs_set", what, ECS__TEXT(world, id));
    return true;
error:
    return false;
}

void *ecs_get_mut_id(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    ECS__CHECK(check_read(world, entity, id));
    ECS__CHECK(check_not_replaced(world, id, "get for writing"));
    ECS__CHECK(ecs__may_access(world, entity, id, true, "ecs_get_mut"));
    void *value = plain(ecs__world_of(world), entity, id, 0);
    if (!value) value = owned(world, entity, id);
    ECS__CHECK(value || check_no_tag(world, entity, id));
    return value;
error:
    return NULL;
}

void *ecs_get_sparse_id(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size) {
    ECS__CHECK(ecs__check_reader(world));
    const ecs_component_record_t *record = ecs__id_record_get(&ecs__world_of(world)->store, id);
    ecs_check(ecs__id_is_sparse(record), ECS_INVALID_PARAMETER,
        "cannot get %s from a sparse set: it is not sparse", ECS__TEXT(world, id));
    ecs_check(!ecs_owns_id(world, ECS_IS_PAIR(id) ? ecs_pair_first(world, id) : id,
                  ECS__MAKE_PAIR(Ecs__OnInstantiate, Ecs__Inherit)),
        ECS_INVALID_PARAMETER, "cannot get %s from its sparse set alone: it may be inherited",
        ECS__TEXT(world, id));
    ecs_check(!size || !record->type_info || (size_t)record->type_info->size == size,
        ECS_INVALID_COMPONENT_SIZE, "values of %s have %d bytes, not %d", ECS__TEXT(world, id),
        record->type_info->size, (int32_t)size);
    ecs_check(ecs__is_alive(world, entity), ECS_INVALID_PARAMETER,
        "cannot get %s of entity %u: it is not alive", ECS__TEXT(world, id), (uint32_t)entity);
    return ecs__sparse_get(record, entity);
error:
    (void)size;
    return NULL;
}

// ---- set ----

// What every change of a value begins with. Type is NULL, with a sentence, if there can be no such
// value.
static const ecs_type_info_t *check_value(
    const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size, const char *what) {
    ECS__CHECK(ecs__check_change_id(world, entity, id, what));
    const ecs_type_info_t *type = ecs_get_type_info(world, id);
    ecs_check(type, ECS_INVALID_PARAMETER, "cannot %s %s: %s is a tag, it has no value", what,
        ECS__TEXT(world, entity), ECS__TEXT(world, id));
    ecs_check((size_t)type->size == size, ECS_INVALID_COMPONENT_SIZE,
        "cannot %s %s: values of %s have %d bytes, not %d", what, ECS__TEXT(world, entity),
        ECS__TEXT(world, id), type->size, (int32_t)size);
    return type;
error:
    return NULL;
}

static bool check_copied(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id,
    const ecs_type_info_t *type, const char *what) {
    ecs_check(ecs__type_is_copied(type), ECS_INVALID_OPERATION,
        "cannot %s %s: values of %s cannot be copied", what, ECS__TEXT(world, entity),
        ECS__TEXT(world, id));
    return true;
error:
    (void)world, (void)entity, (void)id, (void)what;
    return false;
}

// While only deferred, nobody else runs, and there are no slots: a value the entity has is overwritten at once, and on_set follows at the
// flush.
static bool overwrites_at_once(const ecs_world_t *real, const ecs_stage_t *stage) {
    return stage->id == 0 && !(real->flags & EcsWorldReadonly);
}

// What is there may be overwritten, and neither a queued command nor a change under way takes it away.
static inline bool lasts_at_once(const ecs_world_t *real, const ecs_stage_t *stage) {
    return !(stage->queue->kinds & (ECS__CMD_TAKES_AWAY | ECS__QUEUE_WAITS)) &&
           !(real->flags & EcsWorldReadonly);
}

// True if the value, which is there, may be gone, by a queued command or a change under way, before what is written now could last.
static bool may_be_removed(const ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id) {
    if (!ecs__stage_defers(stage)) return false;
    if (ecs__queue_may_take(stage->queue, entity, id)) return true;
    if (!ECS_IS_PAIR(id) || !ecs__queue_may_pair(stage->queue, id)) return false;
    return ecs__id_record_get(&stage->world->store, id)->flags &
           EcsIdExclusive; /* adds replace it */
}

static void set_deferred(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id, const void *value,
    const ecs_type_info_t *type) {
    ecs_world_t *world = stage->world;
    ecs__spot_t spot = { NULL, 0 };
    if (overwrites_at_once(world, stage) && id != Ecs__Parent) spot = ecs__spot_of(world, entity);
    int32_t column = spot.table ? ecs__table_column(spot.table, id) : -1;
    void *own = NULL;
    if (column >= 0)
        own = ecs__table_cell(spot.table, column, spot.row);
    else if (spot.table)
        own = ecs__value_of(spot, id);
    bool may_go = own && may_be_removed(stage, entity, id);
    if (!own || (may_go && type->hooks.on_replace)) {
        ecs__record_set(stage, entity, id, value, type);
        return;
    }
    if (type->hooks.on_replace) { /* which may move the row, or take the value away */
        ecs__hooks_on_replace(world, entity, id, ECS_CONST_CAST(void *, value));
        own = owned(world, entity, id);
    }
    if (own) ecs__value_copy(type, own, value, 1);
    if (may_go || !own)
        ecs__record_set(stage, entity, id, value, type);
    else
        ecs__record_written(stage, entity, id);
}

static inline void copy_part(void *dst, const void *src, size_t at) {
    uint32_t part;
    memcpy(&part, (const char *)src + at, 4);
    __asm__("" : "+r"(part)); /* keeps the compiler from joining parts */
    memcpy((char *)dst + at, &part, 4);
}

// The caller has just written the value member by member: reading it in larger parts would wait for those stores.
static inline void copy_argument(void *dst, const void *src, size_t size) {
    /* The most common one is not in the order of the others: the compiler would jump to what they have in common. */
    if (__builtin_expect(size == 8, 1)) {
        copy_part(dst, src, 0);
        copy_part(dst, src, 4);
        return;
    }
    switch (size) {
    case 16: copy_part(dst, src, 12);                        /* fall through */
    case 12: copy_part(dst, src, 8); copy_part(dst, src, 4); /* fall through */
    case 4: copy_part(dst, src, 0); break;
    /* Without a call, for which callers would save registers. */
    default:
        if (size) ecs__copy_plain(dst, src, size);
    }
}

// The record of a low id with plain values of this size, or NULL.
static const ecs_component_record_t *plain_component(
    const ecs__store_t *store, ecs_id_t id, size_t size) {
    if (id >= FLECS_HI_COMPONENT_ID) return NULL;
    const ecs_component_record_t *component = store->ids.low[id];
    const ecs_type_info_t *type = component ? component->type_info : NULL;
    bool is_plain = type && (size_t)type->size == size && ecs__type_is_plain(type);
    return is_plain ? component : NULL;
}

// True if it is done: what is there lasts, is in a set, and nobody listens.
static bool set_in_set(
    const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size, const void *ptr) {
    const ecs_world_t *real = ecs__world_of(world);
    const ecs_component_record_t *component = plain_component(&real->store, id, size);
    if (!ecs__id_is_sparse(component) || !record_of(real, entity)) return false;
    if (ecs__hooks_see_values(&component->type_info->hooks)) return false;
    if (!lasts_at_once(real, ecs__stage_of(world)) || ecs__events_may_hear_set(&real->events, id))
        return false;
    void *own = ecs__sparse_get(component, entity);
    if (own) copy_argument(own, ptr, size);
    return own;
}

static ECS__APART void set_any(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size, const void *ptr) {
    ecs_stage_t *stage = ecs__stage_of(world);
    if (set_in_set(world, entity, id, size, ptr)) return;
    const ecs_type_info_t *type = check_value(world, entity, id, size, "set a value of");
    if (!type) return;
    ECS__CHECK(check_copied(world, entity, id, type, "set a value of"));
    if (ecs__stage_defers(stage)) {
        set_deferred(stage, entity, id, ptr, type);
        return;
    }
    if (!ecs__check_add(stage->world, entity, id)) return;
    ecs__defer_bracket_begin(stage);
    ecs__set_copy(stage->world, entity, id, ptr);
    ecs__defer_bracket_end(stage);
error:
    return;
}

// Most values that are recorded are plain ones of low ids.
static ECS__APART void set_later(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size, const void *ptr) {
    ecs_stage_t *stage = ecs__stage_of(world);
    const ecs_component_record_t *component = plain_component(&stage->world->store, id, size);
    if (!component || (component->flags & EcsIdSparse && !stage->in_slot))
        set_any(world, entity, id, size, ptr);
    else
        copy_argument(ecs__record_plain(stage, entity, id, component->type_info), ptr, size);
}

// Others are mostly like the one before.
static ECS__APART void set_recorded(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size, const void *ptr) {
    void *payload = ecs__record_plain_again(ecs__stage_of(world), entity, id, size);
    if (payload)
        copy_argument(payload, ptr, size);
    else
        set_later(world, entity, id, size, ptr);
}

// Values with hooks; the entity has one, or it is known that it may get one.
static ECS__APART void set_along(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size,
    const void *ptr, ecs__walk_t walk) {
    ecs_stage_t *stage = ecs__stage_of(world);
    const ecs_type_info_t *type = check_value(world, entity, id, size, "set a value of");
    if (!type) return;
    ECS__CHECK(check_copied(world, entity, id, type, "set a value of"));
    ecs__defer_bracket_begin(stage);
    if (walk.hop) ecs__walk_change(stage->world, entity, walk, true);
    if (ecs__is_alive(world, entity)) /* hooks may end it */
        ecs__set_copy(stage->world, entity, id, ptr);
    ecs__defer_bracket_end(stage);
error:
    return;
}

// A table without rows may have no memory for them: it has no cell to ask for.
static inline bool has_plain_cells(const ecs_table_t *table, ecs_id_t id, size_t size) {
    const ecs__low_t *low = ecs__table_low(table, id);
    return low && low->size == size;
}

// At once, and nobody listens. Most entities that lack the component just get it. The table is that of the entity, if it is alive.
static ECS__APART void set_now(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size,
    const void *ptr, const ecs_table_t *table) {
    const ecs_world_t *real = ecs__world_of(world);
    if (table && ecs__table_has(table, id)) {
        bool is_set = table->flags & EcsTableHasSparse && set_in_set(world, entity, id, size, ptr);
        if (!is_set) set_along(world, entity, id, size, ptr, (ecs__walk_t){ NULL, NULL });
        return;
    }
    ecs__walk_t walk = ecs__walk_find(real, entity, id);
    if (!walk.hop || !ecs__walk_is_all(real, walk)) {
        set_any(world, entity, id, size, ptr);
        return;
    }
    bool is_plain = ecs__walk_is_free(real, walk) && walk.hop->edge->adds &&
                    ecs__walk_is_bytes(real, walk.hop, ECS__PLAIN_STARTS) &&
                    has_plain_cells(walk.hop->edge->target, id, size);
    if (!is_plain) {
        set_along(world, entity, id, size, ptr, walk);
        return;
    }
    ecs__plain_row_add(walk.record, entity, walk.hop);
    const ecs__spot_t spot = ecs__record_spot(&real->store.entities, walk.record);
    copy_argument(ecs__table_plain_cell(spot.table, id, size, spot.row), ptr, size);
}

// Deferred, or nobody listens, and nothing was overwritten at once. The table is that of the entity, if it is alive.
static ECS__APART void set_missing(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id,
    size_t size, const void *ptr, const ecs_table_t *table) {
    if (!ecs__stage_defers(ecs__stage_of(world))) {
        set_now(world, entity, id, size, ptr, table);
        return;
    }
    const ecs__low_t *low = table ? ecs__table_low(table, id) : NULL;
    if (!table || (low && low->place != ECS__NO_PLACE))
        set_any(world, entity, id, size, ptr);
    else
        set_recorded(world, entity, id, size, ptr);
}

static ECS__APART void tell_of_set(
    ecs_stage_t *stage, ecs_table_t *table, ecs_id_t id, int32_t row) {
    ecs__defer_bracket_begin(stage);
    ecs__emit_on_set(stage->world, table, id, row, 1);
    ecs__defer_bracket_end(stage);
}

// At once, and somebody may listen.
static ECS__APART void set_heard(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size, const void *ptr) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ecs_world_t *real = ecs__world_of(world);
    const ecs__spot_t spot = ecs__spot_of(real, entity);
    void *own = spot.table ? ecs__table_plain_cell(spot.table, id, size, spot.row) : NULL;
    if (!own) {
        set_any(world, entity, id, size, ptr);
        return;
    }
    copy_argument(own, ptr, size);
    const ecs__route_t *route = ecs__route_again(&real->events.on_set, spot.table, id);
    if (!route || !ecs__stage_is_idle(stage)) {
        tell_of_set(stage, spot.table, id, spot.row);
        return;
    }
    stage->defer = 1;
    ecs__tell(&real->events, route, spot.table, spot.row, 1, own);
    ecs__bracket_end(real->stage);
}

// At once, and those who listen are told later. Without a frame, so the value is copied elsewhere.
static ECS__APART void set_written(
    ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id, void *own, size_t size, const void *ptr) {
    copy_argument(own, ptr, size);
    ecs__record_written(stage, entity, id);
}

// What is there lasts, but the record does not say where.
static ECS__APART void set_far(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size, const void *ptr) {
    const ecs__spot_t spot = ecs__spot_of(world, entity);
    void *own = spot.table ? ecs__table_plain_cell(spot.table, id, size, spot.row) : NULL;
    if (!own)
        set_missing(world, entity, id, size, ptr, spot.table);
    else if (ecs__events_may_hear_set(&ecs__world_of(world)->events, id))
        set_written(ecs__stage_of(world), entity, id, own, size, ptr);
    else
        copy_argument(own, ptr, size);
}

// Somebody may listen.
static ECS__APART void set_hearable(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size, const void *ptr) {
    ecs_stage_t *stage = ecs__stage_of(world);
    if (!ecs__stage_defers(stage)) {
        set_heard(world, entity, id, size, ptr);
        return;
    }
    const ecs_world_t *real = ecs__world_of(world);
    const ecs__record_t *record = record_of(real, entity);
    const ecs_table_t *table = record ? ecs__record_near(&real->store.entities, record) : NULL;
    const ecs__low_t *low = table ? ecs__table_low(table, id) : NULL;
    if (low && low->size == size && size) {
        size_t row = ecs__record_near_row(record);
        set_written(stage, entity, id, (char *)table->data[low->place] + size * row, size, ptr);
    } else if (is_near(record)) {
        set_missing(world, entity, id, size, ptr, table);
    } else {
        set_far(world, entity, id, size, ptr);
    }
}

// What is written now might not last, or others look at it meanwhile.
static ECS__APART void set_waiting(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size, const void *ptr) {
    const ecs_stage_t *stage = ecs__stage_of(world);
    if (ecs__world_of(world)->flags & EcsWorldReadonly)
        set_recorded(world, entity, id, size, ptr); /* all stages defer */
    else if (!ecs__stage_defers(stage))
        set_any(world, entity, id, size, ptr);
    else if (stage->id == 0)
        set_missing(world, entity, id, size, ptr, ecs__table_of(world, entity));
    else
        set_recorded(world, entity, id, size, ptr);
}

// Parents may die until a command is applied, but not before it is recorded.
static bool check_parent(const ecs_world_t *world, ecs_entity_t child, ecs_entity_t parent) {
    const ecs_stage_t *stage = ecs__stage_of(world);
    if (!ecs__stage_defers(stage)) return ecs__parent_check(stage->world, child, parent);
    ecs_check(!parent || ecs__is_alive(world, parent), ECS_INVALID_PARAMETER,
        "cannot set the parent of %s to entity %u: it is not alive", ECS__TEXT(world, child),
        (uint32_t)parent);
    return true;
error:
    return false;
}

// What is queued is put back as it is applied.
static bool check_component(
    const ecs_world_t *world, ecs_entity_t entity, const EcsComponent *component) {
    const ecs_stage_t *stage = ecs__stage_of(world);
    return ecs__stage_defers(stage) || ecs__component_check(stage->world, entity, component);
}

void ecs_set_id(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size, const void *ptr) {
    ECS__CHECK(ecs__check_change_id(world, entity, id, "set a value of"));
    ecs_check(
        size && ptr, ECS_INVALID_PARAMETER, "cannot set %s without a value", ECS__TEXT(world, id));
    ECS__CHECK(id != Ecs__Parent || check_parent(world, entity, ((const EcsParent *)ptr)->value));
    ECS__CHECK(id != Ecs__Component || check_component(world, entity, ptr));
    // Not by way of the stage, since all that follows waits for it.
    const ecs_world_t *real = ecs__world_of(world);
    // The rest is tail calls: a stack frame around the copy costs as much as finding the value.
    if (!lasts_at_once(real, ecs__stage_of(world))) {
        set_waiting(world, entity, id, size, ptr);
        return;
    }
    if (ecs__events_may_hear_set(&real->events, id)) {
        set_hearable(world, entity, id, size, ptr);
        return;
    }
    const ecs__record_t *record = record_of(real, entity);
    const ecs_table_t *table = record ? ecs__record_near(&real->store.entities, record) : NULL;
    const ecs__low_t *low = table ? ecs__table_low(table, id) : NULL;
    if (!low || low->size != size) {
        if (is_near(record))
            set_missing(world, entity, id, size, ptr, table);
        else
            set_far(world, entity, id, size, ptr);
        return;
    }
    size_t row = ecs__record_near_row(record);
    if (__builtin_expect(size == 8, 1))
        copy_argument((char *)table->data[low->place] + 8 * row, ptr, 8);
    else if (size)
        copy_argument((char *)table->data[low->place] + size * row, ptr, size);
error:
    return;
}

void ecs_modified_id(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ECS__CHECK(ecs__check_change(world, entity, "report a change of"));
    const ecs_world_t *real = stage->world;
    bool is_unheard = lasts_at_once(real, stage) && !ecs__events_may_hear_set(&real->events, id);
    if (is_unheard && (plain(real, entity, id, 0) || plain_far(real, entity, id))) return;
    if (ecs__stage_defers(stage)) {
        ecs__record_modified(stage, entity, id);
        return;
    }
    ecs_check(ecs_owns_id(world, entity, id), ECS_INVALID_PARAMETER,
        "cannot report a change of %s: it does not have %s", ECS__TEXT(world, entity),
        ECS__TEXT(world, id));
    ecs__defer_bracket_begin(stage);
    ecs__modified(stage->world, entity, id);
    ecs__defer_bracket_end(stage);
error:
    return;
}

// ---- values for writing ----

// What a new value of an instance begins with, or NULL.
static const void *start_of(const ecs_world_t *poly, ecs_entity_t entity, ecs_id_t id) {
    const ecs_table_t *table = ecs__table_of(poly, entity);
    const ecs_component_record_t *component = ecs__id_record_get(&ecs__world_of(poly)->store, id);
    return table && component ? ecs__override_value(table, component) : NULL;
}

// Commands that others recorded may be applied before those of this stage, and take away what is there: then it stays, or comes back.
static void keep(ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id) {
    if (ecs__stage_defers(stage) && (stage->in_slot || stage->id))
        ecs__record_add(stage, entity, id);
}

static ECS__APART void *ensure_any(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size) {
    ecs_stage_t *stage = ecs__stage_of(world);
    const ecs_type_info_t *type = check_value(world, entity, id, size, "ensure a value of");
    if (!type) return NULL;
    ECS__CHECK(check_not_replaced(world, id, "ensure"));
    void *value = owned(world, entity, id);
    if (value && !may_be_removed(stage, entity, id)) {
        ECS__CHECK(ecs__may_access(world, entity, id, true, "ecs_ensure"));
        keep(stage, entity, id);
        return value;
    }
    if (ecs__stage_defers(stage)) {
        const void *initial = value ? value : start_of(world, entity, id);
        if (initial) ECS__CHECK(ecs__may_access(world, entity, id, false, "ecs_ensure"));
        if (initial) ECS__CHECK(check_copied(world, entity, id, type, "ensure a value of"));
        if (!initial) initial = ecs__edge_defaults(stage->world, id);
        return ecs__record_ensure(stage, entity, id, initial, type);
    }
    if (!ecs__check_add(stage->world, entity, id)) return NULL;
    ecs__defer_bracket_begin(stage);
    ecs__add(stage->world, entity, id);
    ecs__defer_bracket_end(stage);
    return owned(world, entity, id); /* what hooks queued may have moved it */
error:
    return NULL;
}

void *ecs_ensure_id(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size) {
    ECS__CHECK(ecs__check_change_id(world, entity, id, "ensure a value of"));
    const ecs_stage_t *stage = ecs__stage_of(world);
    void *own = ecs__stage_defers(stage) ? NULL : plain(stage->world, entity, id, size);
    return own ? own : ensure_any(world, entity, id, size);
error:
    return NULL;
}

void *ecs_emplace_id(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size, bool *is_new) {
    ecs_stage_t *stage = ecs__stage_of(world);
    const ecs_type_info_t *type = check_value(world, entity, id, size, "emplace a value of");
    if (!type) return NULL;
    ECS__CHECK(check_not_replaced(world, id, "emplace"));
    void *value = owned(world, entity, id);
    ecs_check(is_new || !value, ECS_INVALID_PARAMETER,
        "cannot emplace %s: %s already has it; pass is_new to learn that", ECS__TEXT(world, id),
        ECS__TEXT(world, entity));
    if (is_new) *is_new = !value;
    if (value && !may_be_removed(stage, entity, id)) {
        ECS__CHECK(ecs__may_access(world, entity, id, true, "ecs_emplace"));
        keep(stage, entity, id);
        return value;
    }
    if (value) {
        ECS__CHECK(ecs__may_access(world, entity, id, false, "ecs_emplace"));
        ECS__CHECK(check_copied(world, entity, id, type, "emplace a value of"));
        return ecs__record_ensure(stage, entity, id, value, type);
    }
    if (ecs__stage_defers(stage)) return ecs__record_emplace(stage, entity, id, type);
    if (!ecs__check_add(stage->world, entity, id)) return NULL;
    ecs__defer_bracket_begin(stage);
    ecs__emplace(stage->world, entity, id);
    ecs__defer_bracket_end(stage);
    return owned(world, entity, id);
error:
    return NULL;
}
