// SPDX-License-Identifier: MIT
// info: what a world and the library say about themselves, and giving memory back.
#include <muster/ecs/entity.h>
#include <muster/ecs/log.h>
#include <muster/ecs/observer.h>
#include <muster/ecs/os.h>
#include <muster/ecs/query.h>
#include <muster/ecs/world.h>

#include "query/query.h"
#include "storage/id_range.h"
#include "world/state.h"
#include "world/write.h"

// ---- build ----

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

static const char *addons[] = { "FLECS_APP", "FLECS_LOG", "FLECS_MODULE", "FLECS_OS_API_IMPL",
    "FLECS_PIPELINE", "FLECS_STATS", "FLECS_SYSTEM", "FLECS_TIMER",
#ifdef FLECS_QUERY_DSL
    "FLECS_PARSER", "FLECS_QUERY_DSL",
#endif
#ifdef FLECS_META
    "FLECS_DOC", "FLECS_META",
#endif
#ifdef FLECS_JSON
    "FLECS_JSON",
#endif
    NULL };

static const char *flags[] = {
#ifdef FLECS_DEBUG
    "FLECS_DEBUG",
#else
    "FLECS_NDEBUG",
#endif
#ifdef FLECS_SANITIZE
    "FLECS_SANITIZE",
#endif
#ifdef FLECS_SOFT_ASSERT
    "FLECS_SOFT_ASSERT",
#endif
#ifdef FLECS_KEEP_ASSERT
    "FLECS_KEEP_ASSERT",
#endif
    NULL
};

static const ecs_build_info_t build_info = {
    .compiler = COMPILER,
    .addons = addons,
    .flags = flags,
    .version = FLECS_VERSION,
    .version_major = FLECS_VERSION_MAJOR,
    .version_minor = FLECS_VERSION_MINOR,
    .version_patch = FLECS_VERSION_PATCH,
#ifdef FLECS_DEBUG
    .debug = true,
#endif
#ifdef FLECS_SANITIZE
    .sanitize = true,
#endif
};

const ecs_build_info_t *ecs_get_build_info(void) { return &build_info; }

// ---- world ----

// EcsEmpty tells of cached queries on entities, systems among them, that match no table. It is there
// from the start and goes with the first match, but comes again only when asked for. Whoever hears of it may end queries.
static void tell_empty(ecs_world_t *world) {
    ecs_defer_begin(world);
    for (ecs__query_t *query = world->queries.first; query; query = query->next) {
        const ecs__cache_t *cache = ecs__query_program(&query->base)->cache;
        if (!cache || !cache->entity) continue;
        if (ecs__cache_is_empty(cache))
            ecs_add_id(world, cache->entity, Ecs__Empty);
        else
            ecs_remove_id(world, cache->entity, Ecs__Empty);
    }
    ecs_defer_end(world);
}

static void lose_empty(ecs_world_t *world, ecs_entity_t entity, void *payload, bool discard) {
    (void)payload;
    if (!discard) ecs_remove_id(world, entity, Ecs__Empty);
}

void ecs__matched_later(ecs_world_t *world, ecs_entity_t entity) {
    ecs__record_call(world->stages[0], entity, lose_empty, 0);
}

void ecs_run_aperiodic(ecs_world_t *world, ecs_flags32_t which) {
    ECS__CHECK(ecs__check_caller(world, "bring tags of empty queries up to date"));
    ECS__CHECK(ecs__check_alone(world, "bring tags of empty queries up to date"));
    if (!(which & EcsAperiodicEmptyQueries)) return;
    ecs__queries_update(&ecs__world_of(world)->queries, ecs__store_of(ecs__world_of(world)));
    tell_empty(ecs__world_of(world));
error:
    return;
}

const ecs_world_info_t *ecs_get_world_info(const ecs_world_t *world) {
    return &ecs__world_of(world)->info;
}

ecs_flags32_t ecs_world_get_flags(const ecs_world_t *world) { return ecs__world_of(world)->flags; }

// NULL for what has none.
static const ecs_query_t *query_of(const ecs_header_t *header) {
    if (header->type == ECS__QUERY_TYPE) return (const ecs_query_t *)header;
    const ecs_mixins_t *mixins = header->mixins;
    return mixins ? *(ecs_query_t *const *)ECS_OFFSET(header, mixins->query_at) : NULL;
}

const ecs_world_t *ecs_get_world(const ecs_poly_t *poly) {
    ECS__GIVEN(poly);
    const ecs_header_t *header = poly;
    if (query_of(header)) return query_of(header)->real_world;
    if (header->type == ECS__OBSERVER_TYPE) return ((const ecs_observer_t *)poly)->world;
    ecs_check(header->type == ECS__WORLD_TYPE || header->type == ECS__STAGE_TYPE,
        ECS_INVALID_PARAMETER, "the object is no world, stage, query, observer or system");
    return ecs__world_of(poly);
error:
    return NULL;
}

ecs_entity_t ecs_get_entity(const ecs_poly_t *poly) {
    ECS__GIVEN(poly);
    const ecs_header_t *header = poly;
    if (header->type == ECS__OBSERVER_TYPE) return ((const ecs_observer_t *)poly)->entity;
    return query_of(header) ? query_of(header)->entity : 0;
}

ecs_entity_t ecs_get_max_id(const ecs_world_t *world) {
    return ecs__id_ranges_high(&ecs__world_of(world)->store.entities) - 1;
}

ecs_entities_t ecs_get_entities(const ecs_world_t *world) {
    ecs_entities_t result = { 0 };
    result.ids =
        ecs__entity_list(&ecs__world_of(world)->store.entities, &result.count, &result.alive_count);
    return result;
}

const ecs_defaults_t *ecs_get_defaults(const ecs_world_t *world) {
    return &ecs__world_of(world)->defaults;
}

// Also one that somebody made a component of.
static bool has_own_component(const ecs_world_t *world) {
    const ecs_component_record_t *record = ecs__id_record_get(&world->store, Ecs__Component);
    const ecs_table_t *table;
    int32_t from = 0;
    while (record && (table = ecs__id_record_next_table(record, &from, false))) {
        for (int32_t i = 0; i < table->count; i++)
            if (!ecs__is_builtin(table->entities[i])) return true;
    }
    return world->info.last_component_id;
}

void ecs_set_defaults(ecs_world_t *world, const ecs_defaults_t *defaults) {
    ecs_world_t *real = ecs__world_of(world);
    ecs_entity_t on_instantiate =
        defaults && defaults->on_instantiate ? defaults->on_instantiate : Ecs__Inherit;
    ecs_check(defaults, ECS_INVALID_PARAMETER, "the defaults of a world are NULL");
    ecs_check(!has_own_component(real), ECS_INVALID_OPERATION,
        "the defaults of a world are set before its first component is registered");
    ecs_check(on_instantiate == Ecs__Inherit || on_instantiate == Ecs__DontInherit ||
                  on_instantiate == Ecs__Override,
        ECS_INVALID_PARAMETER, "%s is no default for OnInstantiate",
        ECS__TEXT(world, on_instantiate));
    real->defaults = (ecs_defaults_t){ on_instantiate, defaults->instanced };
    real->store.on_instantiate = on_instantiate;
    ecs__store_t *store = &real->store;
    for (int32_t i = 0; i < store->table_count; i++) {
        const ecs_table_t *table = store->tables[i];
        for (int32_t r = 0; table && r < table->record_count; r++) {
            ecs__id_record_refresh(store, ecs__table_cr(table, r));
        }
    }
error:
    return;
}

void ecs_set_default_query_flags(ecs_world_t *world, ecs_flags32_t query_flags) {
    ECS__CHECK(ecs__check_alone(world, "set flags of queries"));
    ecs__world_of(world)->default_query_flags = query_flags;
error:
    return;
}

// ---- memory ----

void ecs_dim(ecs_world_t *world, int32_t entity_count) {
    ECS__CHECK(ecs__check_caller(world, "make room for entities"));
    ECS__CHECK(ecs__check_alone(world, "make room for entities"));
    ecs__table_reserve(ecs__world_of(world)->store.root, entity_count);
error:
    return;
}

static bool is_idle(const ecs_table_t *table) {
    return table && !table->count && !table->lock && table != table->store->root;
}

// Also not where deferring is suspended in a callback.
static bool check_may_delete_tables(const ecs_world_t *world) {
    if (!ecs__check_immediate(world, "delete empty tables")) return false;
    ecs_check(!ecs__events_callback_runs(&ecs__world_of(world)->events), ECS_INVALID_OPERATION,
        "cannot delete empty tables in a hook or observer: entities may be on the way to them");
    return true;
error:
    return false;
}

void ecs_shrink(ecs_world_t *world) {
    ECS__CHECK(check_may_delete_tables(world));
    ecs_world_t *real = ecs__world_of(world);
    ecs__store_t *store = &real->store;
    for (int32_t i = store->table_count - 1; i >= 0; i--) {
        if (i < store->table_count && is_idle(store->tables[i]))
            ecs__table_delete(store->tables[i]);
    }
    ecs__id_records_drop_pairs(store);
    ecs__entity_index_shrink(&store->entities);
    ecs__events_shrink(&real->events);
    ecs__cleanup_shrink(real);
    ecs__sparse_shrink(store);
    ecs__kept_free(&store->kept);
    ecs__names_shrink(&real->names);
    ecs_vec_fini_t(NULL, &real->bulk_ids, ecs_entity_t);
error:
    return;
}

// One more pass as an empty table. Deleting may close holes in front, so the caller goes from the
// end.
static void age(ecs_table_t *table, const ecs_delete_empty_tables_desc_t *desc) {
    if (table->generation < UINT16_MAX) table->generation++;
    if (desc->delete_generation && table->generation > desc->delete_generation) {
        ecs__table_delete(table);
    } else if (desc->clear_generation && table->generation > desc->clear_generation) {
        ecs__table_free_rows(table);
    }
}

int32_t ecs_delete_empty_tables(ecs_world_t *world, const ecs_delete_empty_tables_desc_t *desc) {
    ECS__GIVEN(desc);
    ECS__CHECK(check_may_delete_tables(world));
    ecs__store_t *store = &ecs__world_of(world)->store;
    ecs__passages_end(store); // those that were in use have not aged
    ecs_time_t start = { 0 };
    if (desc->time_budget_seconds > 0) ecs_time_measure(&start);
    double passed = 0;
    int32_t first =
        desc->offset > 0 && desc->offset <= store->table_count ? desc->offset : store->table_count;
    for (int32_t i = first - 1; i >= 0; i--) {
        if (i < store->table_count && is_idle(store->tables[i])) age(store->tables[i], desc);
        if (desc->time_budget_seconds <= 0 || !ecs_os_api.get_time_) continue;
        passed += ecs_time_measure(&start);
        if (passed > desc->time_budget_seconds && i) return i;
    }
    return 0;
error:
    return 0;
}
