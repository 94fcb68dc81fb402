// SPDX-License-Identifier: MIT
// extend: implements the seam of <muster/ecs/extend.h> except for queries and objects (poly.c): the runtime's place in the world, and slots.
//
// A slot is {command queue, reserved ids}. It has one writer at a time; which worker that is and when it runs leaves no trace in it: what
// applies to new entities and lookups is that of the main stage when the stretch began, and what a job changes of it ends with the job.
#include <muster/ecs/extend.h>

#include <stdlib.h>

#include <muster/ecs/entity.h>
#include <muster/ecs/log.h>
#include <muster/ecs/os.h>

#include "base/apart.h"
#include "base/assert.h"
#include "base/atomics.h"
#include "command/in_place.h"
#include "command/record.h"
#include "mutate/check.h"
#include "mutate/report.h"
#include "storage/sparse_ids.h"
#include "world/mode.h"

struct ecs_ext_slots_t {
    ecs__cmd_queue_t *queues;
    ecs__id_slots_t ids;
    ecs__tries_t tries;
    int32_t count, size;
    bool is_scoped; /* the scope of the main stage is that of all */
};

void ecs_ext_set_runtime(ecs_world_t *world, void *runtime,
    void (*fini)(ecs_world_t *world, void *runtime), void (*free_runtime)(void *runtime)) {
    world->runtime = runtime;
    world->runtime_fini = fini;
    world->runtime_free = free_runtime;
}

void *ecs_ext_get_runtime(const ecs_world_t *world) { return ecs__world_of(world)->runtime; }

ecs_world_info_t *ecs_ext_world_info(ecs_world_t *world) { return &ecs__world_of(world)->info; }

void ecs_ext_world_flags(ecs_world_t *poly, ecs_flags32_t set, ecs_flags32_t clear) {
    ecs_world_t *world = ecs__world_of(poly);
    world->flags = (world->flags & ~clear) | set;
    if ((set | clear) & EcsWorldMeasureSystemTime)
        ecs__events_outdate(&world->events); /* routes depend on it */
}

void ecs_ext_set_reflection(ecs_world_t *world, const ecs_ext_reflection_t *reflection) {
    ecs__world_of(world)->reflection = reflection;
}

bool ecs_ext_may_add(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    if (!ecs_id_is_valid(world, id & ~ECS_AUTO_OVERRIDE)) {
        ecs_err_code(ECS_INVALID_PARAMETER, "%s cannot be added to %s: it is no id of an entity",
            ECS__TEXT(world, id), ECS__TEXT(world, entity));
        return false;
    }
    bool before = ecs__refuse_as_input(true);
    bool allowed = ecs__check_add(ecs__world_of(world), entity, id);
    ecs__refuse_as_input(before);
    return allowed;
}

const ecs_type_info_t *ecs_ext_kept_type_info(const ecs_world_t *world, ecs_entity_t component) {
    bool exists = ECS_IS_PAIR(component) || ecs_is_alive(world, component);
    const ecs_type_info_t *present = exists ? ecs_get_type_info(world, component) : NULL;
    if (present) return present;
    const ecs__store_t *store = &ecs__world_of(world)->store;
    int32_t i = store->retired_count;
    while (i && store->retired[i - 1]->component != component) i--;
    /* While the world ends, types are there longer than their entities. */
    return i ? store->retired[i - 1] : ecs_get_type_info(world, component);
}

static int compare_ids(const void *a_ptr, const void *b_ptr) {
    ecs_id_t a = *(const ecs_id_t *)a_ptr, b = *(const ecs_id_t *)b_ptr;
    return (a > b) - (a < b);
}

void ecs_ext_entity_ids(const ecs_world_t *world, ecs_entity_t entity, ecs_vec_t *ids) {
    const ecs__store_t *store = &ecs__world_of(world)->store;
    const ecs_table_t *table = ecs__entity_table(&store->entities, entity);
    ecs__sparse_iter_t beside = ecs__sparse_iter(store, entity, 0);
    const ecs_component_record_t *record;
    for (int32_t i = 0; table && i < table->type.count; i++) { /* NULL: made by a job */
        if (ecs__id_is_presence(ecs__table_cr(table, i))) continue;
        *ecs_vec_append_t(NULL, ids, ecs_id_t) = table->type.array[i];
    }
    int32_t in_type = ids->count;
    while ((record = ecs__sparse_next(&beside)))
        *ecs_vec_append_t(NULL, ids, ecs_id_t) = record->id;
    if (ids->count > in_type) qsort(ids->array, (size_t)ids->count, sizeof(ecs_id_t), compare_ids);
}

ecs_ext_slots_t *ecs_ext_slots_new(void) { return ecs_os_calloc_t(ecs_ext_slots_t); }

void ecs_ext_slots_free(ecs_ext_slots_t *slots) {
    if (!slots) return;
    for (int32_t i = 0; i < slots->size; i++) ecs__queue_fini(&slots->queues[i]);
    ecs_os_free(slots->queues);
    ecs_os_free(slots->ids.array);
    ecs_os_free(slots);
}

static ECS__APART void grow(ecs_ext_slots_t *slots, int32_t count) {
    int32_t size = slots->size * 2 > count ? slots->size * 2 : count;
    slots->queues = ecs_os_realloc_n(slots->queues, ecs__cmd_queue_t, size);
    slots->ids.array = ecs_os_realloc_n(slots->ids.array, ecs__id_slot_t, size);
    for (int32_t i = slots->size; i < size; i++) {
        slots->queues[i] = (ecs__cmd_queue_t){ 0 };
        slots->ids.array[i] = (ecs__id_slot_t){ 0 };
    }
    slots->size = size;
}

static bool is_any_scope(ecs__scope_t scope) {
    return scope.parent || scope.with || scope.lookup_path;
}

static ECS__APART void begin_scopes(ecs_world_t *world) {
    const ecs__scope_t scope = world->stages[0]->scope;
    bool is_any = false;
    for (int32_t i = 0; i < world->stage_count; i++) {
        ecs_stage_t *stage = world->stages[i];
        is_any |= is_any_scope(stage->scope);
        stage->outer = stage->scope;
        stage->scope = scope;
    }
    ecs__store_32(&world->is_scoped, is_any);
}

static ECS__APART void end_scopes(const ecs_world_t *world) {
    for (int32_t i = 0; i < world->stage_count; i++) {
        ecs_stage_t *stage = world->stages[i];
        stage->scope = stage->outer;
        stage->outer = (ecs__scope_t){ 0 };
    }
}

// Jobs on this stage begin with that of the main one, or none.
static inline void restore_scope(ecs_stage_t *stage) {
    if (!stage->is_rescoped) return;
    stage->scope = stage->world->stages[0]->outer;
    stage->is_rescoped = false;
}

static inline void enter(ecs_world_t *world, ecs_ext_slots_t *slots, int32_t count) {
    slots->count = count;
    slots->is_scoped = ecs__load_32(&world->is_scoped);
    if (slots->is_scoped) begin_scopes(world);
    world->in_slots = true;
    ecs__store_32(&world->recorded, false);
    world->flags |= EcsWorldReadonly | EcsWorldMultiThreaded;
    ecs__id_reserve_begin(&slots->ids, &world->store.entities, count);
}

static ECS__APART void follow_and_enter(ecs_world_t *world, ecs_ext_slots_t *slots, int32_t count) {
    if (count > slots->size) grow(slots, count);
    ecs__queries_update(&world->queries, &world->store);
    ecs__children_settle(&world->store);
    enter(world, slots, count);
}

void ecs_ext_slots_begin(ecs_world_t *world, ecs_ext_slots_t *slots, int32_t count) {
    ecs__assert(!world->in_slots, "stretches do not nest");
    bool is_current = ecs__queries_are_current(&world->queries, &world->store);
    if (is_current && count <= slots->size && !world->store.children_stale)
        enter(world, slots, count);
    else
        follow_and_enter(world, slots, count);
}

static inline void take_slot(
    ecs_stage_t *stage, ecs_ext_slots_t *slots, int32_t index, ecs_entity_t system) {
    ecs__assert(index < slots->count, "a stretch has slots for all its jobs");
    stage->queue = &slots->queues[index];
    stage->ids = &slots->ids;
    stage->slot = index;
    stage->system = system;
}

static inline void check_brackets(const ecs_stage_t *stage) {
    (void)stage;
    ecs_assert(stage->defer == 1, ECS_INVALID_OPERATION,
        "a system left a ecs_defer_begin without ecs_defer_end");
}

void ecs_ext_slot_open(
    ecs_stage_t *stage, ecs_ext_slots_t *slots, int32_t index, ecs_entity_t system) {
    ecs__assert(!stage->in_slot, "a stage has one slot open at a time");
    take_slot(stage, slots, index, system);
    stage->in_slot = true;
    stage->defer = 1;
}

void ecs_ext_slot_close(ecs_stage_t *stage) {
    check_brackets(stage);
    ecs__assert(!stage->queue->count || ecs__load_32(&stage->world->recorded),
        "who records in a slot says so");
    /* The one of its own that holds what came between stretches, if any. */
    stage->queue = &stage->own[stage->own[1].count != 0];
    restore_scope(stage);
    stage->ids = NULL;
    stage->system = 0;
    stage->in_slot = false;
    stage->defer = stage->at_rest;
}

void ecs_ext_slot_turn(
    ecs_stage_t *stage, ecs_ext_slots_t *slots, int32_t index, ecs_entity_t system) {
    check_brackets(stage);
    ecs__assert(stage->in_slot, "turns begin with a slot that is open");
    restore_scope(stage);
    take_slot(stage, slots, index, system);
}

#ifdef ECS_CHECK_LEVEL_
#define CHECKS_NAMES true
#else
#define CHECKS_NAMES false
#endif

// A job finds what it made itself. What several look for and make would be there several times.
static void check_named(
    const ecs_world_t *world, const ecs_ext_slots_t *slots, const ecs__names_t *named) {
    ecs__name_kind_t kind;
    ecs_entity_t found = ecs__names_double(world, named, CHECKS_NAMES, &kind);
    for (int32_t k = 0; found && k < slots->count; k++) {
        if (!ecs__names_is_noted(slots->queues[k].named, found, kind)) continue;
        /* As ecs_set_symbol, in all builds: who is found by it would depend on chance. */
        if (kind != ECS__NAME)
            ecs_abort(ECS_ALREADY_DEFINED, "two jobs gave an entity the symbol, or alias, of %s",
                ECS__TEXT(world, found));
        ecs_assert(kind != ECS__NAME, ECS_INVALID_OPERATION,
            "two jobs made an entity %s: what many rows look for is made before, or in a system "
            "that is not multi_threaded",
            ECS__TEXT(world, found));
    }
}

// One sequence over all slots: commands of an entity fold although different systems recorded them.
static ECS__APART void flush_slots(
    ecs_world_t *world, ecs_ext_slots_t *slots, const ecs_ext_crew_t *crew) {
    ecs_stage_t *stage = world->stages[0];
    stage->defer = 1;
    ecs__log_note_t note = ecs__flush_note(world);
    world->flush->sharing.crew = crew;
    bool spares = ecs__entity_spare_begin(&world->store.entities);
    world->flushing++;
    if (!ecs__flush_whole(world, &slots->tries, slots->queues, slots->count)) {
        ecs__flush_in_place(world, slots->queues, slots->count);
        ecs__flush_apply(world, slots->queues, slots->count);
    }
    for (int32_t i = 0; i < slots->count; i++) {
        if (slots->queues[i].named) check_named(world, slots, slots->queues[i].named);
    }
    for (int32_t i = 0; i < slots->count; i++) {
        if (slots->queues[i].count) ecs__queue_clear(&slots->queues[i]);
    }
    world->flushing--;
    ecs__stage_flush(stage);
    ecs__entity_spare_end(&world->store.entities, spares);
    world->flush->sharing.crew = NULL;
    ecs__log_note(note);
    stage->defer = 0;
}

void ecs_ext_slots_merge(ecs_world_t *world, ecs_ext_slots_t *slots, const ecs_ext_crew_t *crew) {
    ecs__assert(world->in_slots, "a stretch ends once");
    world->in_slots = false;
    if (slots->is_scoped) end_scopes(world);
    world->flags &= ~(ecs_flags32_t)(EcsWorldReadonly | EcsWorldMultiThreaded);
    /* Taking an id is recorded too, and queries that were brought up to date since the last merge may have something to do. */
    bool recorded = ecs__load_32(&world->recorded) || world->stages[0]->queue->count;
    ecs__id_reserve_end(&slots->ids, recorded);
    ecs__queries_begin_detecting(&world->queries);
    if (recorded) flush_slots(world, slots, crew);
    world->info.merge_count_total++;
}

typedef struct act_call_t {
    ecs_ext_action_t action;
    uint64_t value;
} act_call_t;

static void act_later(ecs_world_t *world, ecs_entity_t entity, void *payload, bool discard) {
    const act_call_t *call = payload;
    if (!discard) call->action(world, entity, call->value);
}

void ecs_ext_act(ecs_world_t *world, ecs_entity_t entity, ecs_ext_action_t action, uint64_t value) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ECS__CHECK(ecs__check_writer(world) && ecs__check_thread(world, "make a change"));
    if (!ecs__stage_defers(stage)) {
        action(stage->world, entity, value);
        return;
    }
    act_call_t *call = ecs__record_call(stage, entity, act_later, ECS_SIZEOF(act_call_t));
    *call = (act_call_t){ action, value };
error:
    return;
}

ecs_stage_t *ecs_ext_stage(const ecs_world_t *world, int32_t index) { return world->stages[index]; }

ecs_entity_t ecs_ext_stage_set_system(ecs_stage_t *stage, ecs_entity_t system) {
    ecs_entity_t previous = stage->system;
    stage->system = system;
    return previous;
}

void ecs_ext_set_access(ecs_world_t *world, const ecs_ext_access_t *access) {
    world->access = access;
}

const ecs_iter_t *ecs_ext_stage_show(ecs_world_t *stage, const ecs_iter_t *it) {
    const ecs_iter_t **shown = &ecs__stage_of(stage)->shown, *previous = *shown;
    *shown = it;
    return previous;
}

void ecs_ext_thread_stage(const ecs_stage_t *stage) { ecs__stage_note(stage); }

const uint64_t *ecs_ext_structure_stamp(const ecs_world_t *world) {
    return &ecs__world_of(world)->store.structure_stamp;
}

const uint64_t *ecs_ext_types_stamp(const ecs_world_t *world) {
    return &ecs__world_of(world)->types_stamp;
}

ecs_ext_counts_t ecs_ext_counts(const ecs_world_t *world) {
    const ecs__store_t *store = &ecs__world_of(world)->store;
    ecs_ext_counts_t counts = {
        .entities = store->entities.alive_count,
        .free_ids = store->entities.pool.free_count - store->entities.pool.free_holes,
        .tables = store->table_live,
        .types = ecs_map_count(&store->type_infos),
        .queries = ecs__world_of(world)->queries.count,
    };
    for (int32_t i = 0; i < store->table_count; i++) {
        const ecs_table_t *table = store->tables[i];
        counts.empty_tables += table && !table->count;
    }
    return counts;
}

bool ecs_ext_check_unlocked(const ecs_world_t *world) {
    const ecs__store_t *store = &ecs__world_of(world)->store;
    for (int32_t i = 0; i < store->table_count; i++)
        if (store->tables[i] && !ecs__table_check_unlocked(store->tables[i])) return false;
    return true;
}

uint64_t ecs_ext_table_number(const ecs_table_t *table) { return table->id; }
