// SPDX-License-Identifier: MIT
// owner: who may use a world, and the checks that public changes begin with.
//
// Exclusive access binds calls through the world pointer to one thread; stages are handed to
// threads by the schedule.
#include <muster/ecs/entity.h>
#include <muster/ecs/extend.h>
#include <muster/ecs/log.h>
#include <muster/ecs/os.h>
#include <muster/ecs/table.h>

#include "world/state.h"
#include "world/write.h"

// ---- exclusive access ----

#ifdef FLECS_EXCLUSIVE_ACCESS
static bool check_owner(const ecs_world_t *poly, bool writes) {
    if (ecs__is_stage(poly) || !poly->owner_thread || poly->flags & EcsWorldMultiThreaded)
        return true;
    bool is_locked = poly->owner_thread == ECS__OWNED_BY_NOBODY;
    ecs_check(!writes || !is_locked, ECS_ACCESS_VIOLATION,
        "the world is locked against changes since ecs_exclusive_access_end");
    ecs_check(is_locked || poly->owner_thread == ecs_os_thread_self(), ECS_ACCESS_VIOLATION,
        "the world belongs to thread %s and is used by another thread",
        poly->owner_name ? poly->owner_name : "(unnamed)");
    return true;
error:
    return false;
}
#else
static bool check_owner(const ecs_world_t *poly, bool writes) {
    (void)poly;
    (void)writes;
    return true;
}
#endif

void ecs_exclusive_access_begin(ecs_world_t *poly, const char *thread_name) {
    ECS__GIVEN(poly);
    ecs_world_t *world = ecs__world_of(poly);
    ecs_check(!(world->flags & EcsWorldMultiThreaded), ECS_INVALID_WHILE_READONLY,
        "no thread can have the world for itself while systems run on several threads");
    ecs_check(!world->owner_thread || world->owner_thread == ECS__OWNED_BY_NOBODY,
        ECS_ACCESS_VIOLATION, "the world already belongs to thread %s",
        world->owner_name ? world->owner_name : "(unnamed)");
    if (!ecs_os_api.thread_self_) {
        ecs_err_code(ECS_MISSING_OS_API,
            "no thread can have the world for itself: ecs_os_api has no thread_self_");
        return;
    }
    world->owner_thread = ecs_os_thread_self();
    world->owner_name = thread_name;
error:
    return;
}

void ecs_exclusive_access_end(ecs_world_t *poly, bool lock_world) {
    ECS__GIVEN(poly);
    ecs_world_t *world = ecs__world_of(poly);
    ecs_check(world->owner_thread == ECS__OWNED_BY_NOBODY || !ecs_os_api.thread_self_ ||
                  world->owner_thread == ecs_os_thread_self(),
        ECS_ACCESS_VIOLATION, "only the thread that owns the world can give it back");
    world->owner_thread = lock_world ? ECS__OWNED_BY_NOBODY : 0;
    world->owner_name = NULL;
error:
    return;
}

// ---- checks of public changes ----

// Of one thread: others may look at the world meanwhile, and wait for the order.
static _Thread_local const ecs_world_t *asking;

const ecs_world_t *ecs__ask(const ecs_world_t *world) {
    const ecs_world_t *before = asking;
    asking = world;
    return before;
}

bool ecs__asks(const ecs_world_t *poly) { return asking && asking == ecs__world_of(poly); }

bool ecs__check_not_asked(const ecs_world_t *poly) {
    (void)poly;
    ecs_check(!ecs__asks(poly), ECS_INVALID_OPERATION,
        "a function that sorts or groups the results of a query may look at the world, but change nothing");
    return true;
error:
    return false;
}

bool ecs__check_writer(const ecs_world_t *poly) {
    return check_owner(poly, true) && ecs__check_not_asked(poly);
}
bool ecs__check_reader(const ecs_world_t *poly) { return check_owner(poly, false); }

#ifdef FLECS_EXCLUSIVE_ACCESS
bool ecs_ext_check_writer(const ecs_world_t *world) { return ecs__check_writer(world); }
#endif

// `entity` 0: what is done concerns none.
static bool check_changeable(const ecs_world_t *poly, const char *what, ecs_entity_t entity) {
    (void)what;
    (void)entity;
    const ecs_world_t *world = ecs__world_of(poly);
    (void)world;
    if (!check_owner(poly, true)) return false;
    ecs_check(ecs__is_stage(poly) || !(world->flags & EcsWorldReadonly), ECS_INVALID_WHILE_READONLY,
        "cannot %s%s%s through the world while it is readonly; use the stage (it->world in systems)",
        what, entity ? " " : "", entity ? ECS__TEXT(poly, entity) : "");
    ecs_check(!ecs__is_stage(poly) || ecs__stage_of(poly)->id < 0 ||
                  world->flags & EcsWorldReadonly ||
                  ecs__stage_of(poly)->defer != ecs__stage_of(poly)->at_rest,
        ECS_INVALID_OPERATION,
        "cannot %s%s%s through stage %d while the world is not readonly; use the world", what,
        entity ? " " : "", entity ? ECS__TEXT(poly, entity) : "", ecs__stage_of(poly)->id);
    return true;
error:
    return false;
}

static bool check_caller(const ecs_world_t *poly, const char *what, ecs_entity_t entity) {
    return check_changeable(poly, what, entity) && ecs__check_not_asked(poly);
}

bool ecs__check_swap(const ecs_world_t *poly) { return check_changeable(poly, "swap rows", 0); }

bool ecs__check_caller(const ecs_world_t *poly, const char *what) {
    return check_caller(poly, what, 0);
}

bool ecs__check_thread(const ecs_world_t *poly, const char *what) {
    (void)what;
    ecs_check(ecs__is_stage(poly) || !(poly->flags & EcsWorldMultiThreaded),
        ECS_INVALID_WHILE_READONLY,
        "cannot %s through the world while systems run on several threads; use the stage (it->world in systems)",
        what);
    return true;
error:
    return false;
}

bool ecs__check_alone(const ecs_world_t *poly, const char *what) {
    (void)what;
    ecs_check(!(ecs__world_of(poly)->flags & EcsWorldMultiThreaded), ECS_INVALID_WHILE_READONLY,
        "cannot %s while systems run on several threads", what);
    return ecs__check_writer(poly);
error:
    return false;
}

bool ecs__check_change(const ecs_world_t *poly, ecs_entity_t entity, const char *what) {
    if (!check_caller(poly, what, entity)) return false;
    ecs_check(entity != 0, ECS_INVALID_PARAMETER, "cannot %s entity 0", what);
    ecs_check(ecs__is_alive(poly, entity), ECS_INVALID_PARAMETER,
        "cannot %s entity %u: it is not alive (generation %u)", what, (uint32_t)entity,
        ecs_get_version(entity));
    ecs_check(!ecs__is_ending(poly, entity), ECS_INVALID_OPERATION,
        "cannot %s %s: it is about to be deleted, as hooks and observers are told; do not suspend deferring for that",
        what, ECS__TEXT(poly, entity));
    return true;
error:
    return false;
}

bool ecs__check_change_id(
    const ecs_world_t *poly, ecs_entity_t entity, ecs_id_t id, const char *what) {
    if (!ecs__check_change(poly, entity, what)) return false;
    ecs_check(id != 0, ECS_INVALID_PARAMETER,
        "cannot %s entity %s: the id is 0; components are registered in each world (ECS_COMPONENT)",
        what, ECS__TEXT(poly, entity));
    ecs_check(ecs_id_is_valid(poly, id), ECS_INVALID_PARAMETER,
        "cannot %s entity %s: id %s is not valid (a wildcard, or an element that is not alive, or about to be deleted)",
        what, ECS__TEXT(poly, entity), ECS__TEXT(poly, id));
    return true;
error:
    return false;
}

bool ecs__check_immediate(const ecs_world_t *poly, const char *what) {
    const ecs_stage_t *stage = ecs__stage_of(poly);
    (void)what;
    (void)stage;
    if (!ecs__check_writer(poly)) return false;
    ecs_check(!(stage->world->flags & EcsWorldReadonly), ECS_INVALID_WHILE_READONLY,
        "cannot %s while the world is readonly", what);
    ecs_check(!ecs_is_deferred(poly), ECS_INVALID_OPERATION, "cannot %s while deferred", what);
    return true;
error:
    return false;
}

// ---- access to the table of one entity ----

#ifdef FLECS_DEBUG
// What a table's `access` holds while it is written; else it counts the readers.
#define WRITTEN UINT32_MAX

// A refused reader leaves no mark, or the writer would not find its own.
static bool count_reader(uint32_t *access) {
    uint32_t readers;
    do {
        readers = ecs__load_32(access);
        if (readers == WRITTEN) return false;
    } while (!ecs__cas_32(access, readers, readers + 1));
    return true;
}
#endif

const ecs_record_t *ecs_read_begin(ecs_world_t *world, ecs_entity_t entity) {
    ecs_record_t *record = ecs_record_find(world, entity);
    ECS__CHECK(ecs__check_reader(world));
    ecs_check(
        record, ECS_INVALID_PARAMETER, "cannot read entity %u: it is not alive", (uint32_t)entity);
#ifdef FLECS_DEBUG
    ecs_check(count_reader((uint32_t *)&record->table->access), ECS_ACCESS_VIOLATION,
        "the table of %s is being written", ECS__TEXT(world, entity));
#endif
    return record;
error:
    return NULL;
}

void ecs_read_end(const ecs_record_t *record) {
    ECS__GIVEN(record);
#ifdef FLECS_DEBUG
    if (!record->table) return; /* it was deleted */
    uint32_t *access = (uint32_t *)&record->table->access;
    const uint32_t readers = ecs__load_32(access);
    ecs_check(readers && readers != WRITTEN, ECS_ACCESS_VIOLATION,
        "ecs_read_end without a matching ecs_read_begin");
    ecs__faa_32(access, UINT32_MAX);
error:
#endif
    return;
}

ecs_record_t *ecs_write_begin(ecs_world_t *world, ecs_entity_t entity) {
    ecs_record_t *record = ecs_record_find(world, entity);
    ECS__CHECK(ecs__check_writer(world));
    ecs_check(
        record, ECS_INVALID_PARAMETER, "cannot write entity %u: it is not alive", (uint32_t)entity);
#ifdef FLECS_DEBUG
    bool is_alone = ecs__cas_32((uint32_t *)&record->table->access, 0, WRITTEN);
    ecs_check(is_alone, ECS_ACCESS_VIOLATION, "the table of %s is being read or written",
        ECS__TEXT(world, entity));
#endif
    return record;
error:
    return NULL;
}

void ecs_write_end(ecs_record_t *record) {
    ECS__GIVEN(record);
#ifdef FLECS_DEBUG
    if (!record->table) return; /* it was deleted */
    bool was_written = ecs__cas_32((uint32_t *)&record->table->access, WRITTEN, 0);
    ecs_check(
        was_written, ECS_ACCESS_VIOLATION, "ecs_write_end without a matching ecs_write_begin");
error:
#endif
    return;
}
