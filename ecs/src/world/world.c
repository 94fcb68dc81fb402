// SPDX-License-Identifier: MIT
// world: beginning and end of a world.
//
// The end comes in phases, so that whatever user code still runs finds what it needs:
//   1 the runtime goes (systems), and observers tell of what matches to the end, while the world is
//     whole
//   2 root entities with children are deleted with their cleanup policies; modules, components,
//     queries, systems and what is built in are kept
//   3 ecs_atfini actions
//   4 everything left: ordinary entities, then the kept ones; all hooks come before the first value
//     goes, policies no longer apply and commands are dropped
//   5 memory
#include <muster/ecs/world.h>

#include <time.h>

#include <muster/ecs/command.h>
#include <muster/ecs/log.h>
#include <muster/ecs/os.h>

#include "base/ctx.h"
#include "base/log.h"
#include "event/observer.h"
#include "event/route.h"
#include "mutate/delete.h"
#include "mutate/edge.h"
#include "mutate/mutate.h"
#include "mutate/plain.h"
#include "mutate/prefab_plan.h"
#include "mutate/report.h"
#include "mutate/traits.h"
#include "world/bootstrap.h"
#include "world/state.h"
#include "world/write.h"

typedef struct fini_action_t {
    ecs_fini_action_t action;
    void *ctx;
} fini_action_t;

// ---- beginning ----

ecs_world_t *ecs_mini(void) {
    ecs_os_init();
    ecs_world_t *world = ecs_os_calloc_t(ecs_world_t);
    world->hdr = (ecs_header_t){ .type = ECS__WORLD_TYPE, .refcount = 1 };
    world->world = world;
    world->flags = EcsWorldInit;
    world->aborts = ecs__log_aborts();
    world->defaults.on_instantiate = Ecs__Inherit;
    world->info.time_scale = 1;
    world->info.creation_time = (uint32_t)time(NULL);
    ecs__store_init(&world->store, &world->info, world);
    ecs__names_init(&world->names);
    ecs__mode_init(world);
    ecs__traits_init(world);
    ecs_vec_init_t(NULL, &world->fini_actions, fini_action_t, 0);
    ecs_vec_init_t(NULL, &world->suspects, ecs__suspect_t, 0);
    ecs_vec_init_t(NULL, &world->component_ids, ecs_entity_t, 0);
    ecs_map_init(&world->edge_kinds, NULL);
    ecs__events_init(&world->events, world);
    world->events.tell_later = ecs__emit_later;
    world->queries.tell_matched = ecs__matched_later;
    ecs__bootstrap(world);
    world->flags &= ~(ecs_flags32_t)EcsWorldInit;
    return world;
}

// ---- end: root entities ----

// Kept until ordinary entities are gone, since those rely on them, and hooks to the end on what is built in. Tables with children of
// others are not roots.
static bool is_kept(const ecs_table_t *table) {
    return ecs__table_has(table, Ecs__Component) || ecs__table_has(table, Ecs__Module) ||
           ecs__table_has(table, ECS__MAKE_PAIR(Ecs__Poly, Ecs__Wildcard)) ||
           ecs__table_has(table, ECS__MAKE_PAIR(Ecs__ChildOf, Ecs__FlecsCore));
}

static bool is_ordinary(const ecs_table_t *table) { return !is_kept(table); }

static void list_roots(const ecs_world_t *world, ecs_vec_t *roots) {
    for (int32_t t = 0; t < world->store.table_count; t++) {
        const ecs_table_t *table = world->store.tables[t];
        if (!table || table->flags & (EcsTableHasChildOf | EcsTableHasParent) || is_kept(table))
            continue;
        for (int32_t row = 0; row < table->count; row++) {
            ecs_entity_t entity = table->entities[row];
            const uint32_t marks = ecs__entity_marks(&world->store.entities, entity);
            bool is_target = marks & EcsEntityIsTarget;
            if (!is_target || !ecs__has_children(&world->store, entity)) continue;
            *ecs_vec_append_t(NULL, roots, ecs_entity_t) = entity;
        }
    }
}

static void delete_roots(ecs_world_t *world) {
    ecs_vec_t roots;
    ecs_vec_init_t(NULL, &roots, ecs_entity_t, 0);
    list_roots(world, &roots);
    for (int32_t i = 0; i < ecs_vec_count(&roots); i++) {
        ecs__defer_bracket_begin(world->stages[0]);
        ecs__delete(world, *ecs_vec_get_t(&roots, ecs_entity_t, i));
        ecs__defer_bracket_end(world->stages[0]);
    }
    ecs_vec_fini_t(NULL, &roots, ecs_entity_t);
}

// ---- end: everything left ----

static void run_fini_actions(ecs_world_t *world) {
    for (int32_t i = 0; i < ecs_vec_count(&world->fini_actions); i++) {
        fini_action_t *action = ecs_vec_get_t(&world->fini_actions, fini_action_t, i);
        action->action(world, action->ctx);
    }
    ecs_vec_fini_t(NULL, &world->fini_actions, fini_action_t);
}

// All hooks come before the first value goes, so that they may look at other entities.
static void end_tables(ecs_world_t *world, bool (*ends)(const ecs_table_t *table)) {
    ecs__store_t *store = &world->store;
    world->events.ends = ends;
    for (int32_t t = 0; t < store->table_count; t++) {
        ecs_table_t *table = store->tables[t];
        if (table && ends(table)) ecs__delete_announce(world, table);
    }
    for (int32_t t = 0; t < store->table_count; t++) {
        ecs_table_t *table = store->tables[t];
        if (!table || !ends(table)) continue;
        int32_t count = table->count;
        ecs__delete_aside(world, table); /* hooks of the next part find nobody dead there */
        ecs__table_clear_rows(table);
        for (int32_t row = 0; row < count; row++)
            ecs__entity_free(&store->entities, table->entities[row]);
    }
}

static void free_hook_ctx(ecs_world_t *world) {
    ecs_map_iter_t it = ecs_map_iter(&world->store.type_infos);
    while (ecs_map_next(&it)) {
        ecs_type_hooks_t *hooks = &((ecs_type_info_t *)ecs_map_ptr(&it))->hooks;
        ecs__ctx_free(hooks->ctx, hooks->ctx_free);
        ecs__ctx_free(hooks->binding_ctx, hooks->binding_ctx_free);
        ecs__ctx_free(hooks->lifecycle_ctx, hooks->lifecycle_ctx_free);
    }
}

static void free_world(ecs_world_t *world) {
    ecs__mode_fini(world);
    ecs__events_fini(&world->events);
    ecs__names_fini(&world->names);
    ecs__edge_kinds_fini(world);
    ecs__sparse_sets_fini(&world->store);
    free_hook_ctx(world);
    ecs__store_fini(&world->store);
    ecs_vec_fini_t(NULL, &world->suspects, ecs__suspect_t);
    ecs_vec_fini_t(NULL, &world->component_ids, ecs_entity_t);
    ecs_vec_fini_t(NULL, &world->bulk_ids, ecs_entity_t);
    ecs__spare_free(&world->beside);
    ecs__spare_free(&world->below);
    ecs_os_free(world->hook_show);
    ecs__prefab_plan_free(world->spare_plan);
    ecs__cleanup_shrink(world);
    ecs__ctx_free(world->ctx, world->ctx_free);
    ecs__ctx_free(world->binding_ctx, world->binding_ctx_free);
    if (world->runtime_free) world->runtime_free(world->runtime);
    world->hdr.type = 0;
    ecs_os_free(world);
    ecs_os_fini();
}

int ecs_fini(ecs_world_t *world) {
    ecs_check(
        !ecs__is_stage(world), ECS_INVALID_PARAMETER, "a stage cannot be ended, only its world");
    if (ecs__log_aborts() != world->aborts) ecs__mode_give_up(world);
    ecs_check(!(world->flags & EcsWorldFini), ECS_INVALID_OPERATION, "the world is already ending");
    ecs_check(!(world->flags & EcsWorldReadonly), ECS_INVALID_WHILE_READONLY,
        "cannot end a world while it is readonly");
    ecs_check(!world->stages[0]->defer, ECS_INVALID_OPERATION,
        "cannot end a world while it is deferred, in a system or a hook");
    world->flags |= EcsWorldQuit;
    if (world->runtime_fini) world->runtime_fini(world, world->runtime);
    world->flags |= EcsWorldFini;
    ecs__routes_close(&world->events);
    ecs__observers_yield_all(world);
    delete_roots(world);
    run_fini_actions(world);
    ecs_defer_begin(world);
    end_tables(world, is_ordinary);
    end_tables(world, is_kept);
    ecs__events_end_observers(&world->events);
    ecs__queries_fini(&world->queries); /* whose callbacks find the world as it is by now */
    free_world(world);
    return 0;
error:
    return -1;
}

bool ecs_is_fini(const ecs_world_t *world) { return ecs__world_of(world)->flags & EcsWorldFini; }

void ecs_atfini(ecs_world_t *world, ecs_fini_action_t action, void *ctx) {
    ECS__CHECK(ecs__check_alone(world, "register what is done as the world ends"));
    world = ecs__world_of(world);
    ecs_check(action != NULL, ECS_INVALID_PARAMETER, "ecs_atfini needs a function");
    if (world->events.ends) {
        ecs__refuse(world, ECS_INVALID_OPERATION,
            "ecs_atfini is too late: the world is ending, and its actions have run");
        return;
    }
    *ecs_vec_append_t(NULL, &world->fini_actions, fini_action_t) = (fini_action_t){ action, ctx };
error:
    return;
}

// ---- contexts ----

void ecs_set_ctx(ecs_world_t *world, void *ctx, ecs_ctx_free_t ctx_free) {
    ECS__CHECK(ecs__check_alone(world, "set the context"));
    world = ecs__world_of(world);
    world->ctx = ctx;
    world->ctx_free = ctx_free;
error:
    return;
}

void *ecs_get_ctx(const ecs_world_t *world) { return ecs__world_of(world)->ctx; }

void ecs_set_binding_ctx(ecs_world_t *world, void *ctx, ecs_ctx_free_t ctx_free) {
    ECS__CHECK(ecs__check_alone(world, "set the context"));
    world = ecs__world_of(world);
    world->binding_ctx = ctx;
    world->binding_ctx_free = ctx_free;
error:
    return;
}

void *ecs_get_binding_ctx(const ecs_world_t *world) { return ecs__world_of(world)->binding_ctx; }

// ---- verify ----

bool ecs_world_verify(const ecs_world_t *world) {
    world = ecs__world_of(world);
    bool store = ecs__store_verify(&world->store);
    bool names = ecs__names_verify(world);
    bool queries = ecs__queries_verify(&world->queries);
    bool events = ecs__events_verify(&world->events);
    bool walks = ecs__walks_verify(world);
    if (!store) ecs_err_code(ECS_INTERNAL_ERROR, "entities, ids and tables do not agree");
    if (!names)
        ecs_err_code(ECS_INTERNAL_ERROR, "the index of names does not agree with the names");
    if (!queries)
        ecs_err_code(ECS_INTERNAL_ERROR, "the caches of queries do not agree with the tables");
    if (!events)
        ecs_err_code(ECS_INTERNAL_ERROR, "the lists of observers do not agree with each other");
    if (!walks)
        ecs_err_code(ECS_INTERNAL_ERROR, "moves between tables count as plain that are not");
    return store && names && queries && events && walks;
}
