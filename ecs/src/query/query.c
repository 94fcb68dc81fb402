// SPDX-License-Identifier: MIT
// query: from descriptor to query object and back.
//
//   descriptor ─ parse ─▶ terms ─ check ─▶ base ─ compile ─▶ plan ─(cached)▶ cache ─▶ entity
//
// Nothing but id records is made in the world before the last step; if one fails, all is
// taken back.
#include "query/query.h"

#include <muster/ecs/extend.h>
#include <muster/ecs/entity.h>
#include <muster/ecs/log.h>
#include <muster/ecs/os.h>

#include "base/ctx.h"
#include "query/check/check.h"
#include "query/check/resolve.h"
#include "query/parse/term.h"
#include "world/state.h"

_Static_assert(sizeof(ecs__query_t) <= sizeof(ecs_query_storage_t),
    "storage provided by callers fits a query");

// ---- creation ----

static ecs__query_t *allocate(const ecs_query_desc_t *desc) {
    if (!desc->storage) return ecs_os_try_calloc(ECS_SIZEOF(ecs__query_t));
    ecs__query_t *query = (ecs__query_t *)(void *)desc->storage;
    *query = (ecs__query_t){ .in_storage = true };
    return query;
}

static char this_name[] = "this", *names_of_this[] = { this_name };

static void set_base(ecs__query_t *query, ecs_world_t *world, const ecs_query_desc_t *desc) {
    ecs_world_t *real_world = ecs__world_of(world);
    ecs_query_t *base = &query->base;
    base->hdr.type = ECS__QUERY_TYPE;
    base->hdr.refcount = 1;
    base->flags = desc->flags | real_world->default_query_flags;
    base->cache_kind = desc->cache_kind;
    base->world = world;
    base->real_world = real_world;
    base->entity = desc->entity;
    base->var_count = 1;
    base->vars = names_of_this;
    base->ctx = desc->ctx;
    base->binding_ctx = desc->binding_ctx;
    query->ctx_free = desc->ctx_free;
    query->binding_ctx_free = desc->binding_ctx_free;
    query->instanced = desc->instanced || real_world->defaults.instanced;
}

// True if results come in an order that only the cache keeps, which does not know the depths of single entities.
static bool has_order(const ecs_query_t *base, const ecs_query_desc_t *desc) {
    bool has = desc->group_by || desc->group_by_callback || desc->order_by_callback;
    for (int32_t i = 0; i < base->term_count; i++) {
        const ecs_term_t *term = &base->terms[i];
        has |= term->src.id & EcsCascade && !ecs__relationship_is_beside(base->world, term->trav);
    }
    return has;
}

// By default queries with names are cached, as they are asked often.
static bool asks_for_cache(const ecs_query_desc_t *desc) {
    if (desc->cache_kind != EcsQueryCacheDefault) return desc->cache_kind != EcsQueryCacheNone;
#ifdef FLECS_DEFAULT_TO_UNCACHED_QUERIES
    return false;
#else
    return desc->entity != 0;
#endif
}

// What results depend on beyond what matches lives in the cache, so an uncached query that has such
// wishes keeps one too; it is not told.
static bool wants_cache(const ecs__query_t *query, const ecs_query_desc_t *desc, bool is_ordered) {
    bool is_needed = is_ordered || desc->flags & EcsQueryDetectChanges;
    const ecs__plan_t *plan = &query->program->plan;
    return plan->scan < plan->count && (is_needed || asks_for_cache(desc));
}

ecs_query_cache_kind_t ecs__query_kind(const ecs__query_t *query, ecs_query_cache_kind_t asked) {
    const ecs__program_t *program = query->program;
    if (!program->cache || asked == EcsQueryCacheNone) return EcsQueryCacheNone;
    return program->plan.scan || program->graph ? EcsQueryCacheAuto : EcsQueryCacheAll;
}

// What sorting cannot do, or NULL.
static const char *sort_limit(const ecs_query_t *base, const ecs_query_desc_t *desc) {
    if (desc->flags & EcsQueryDetectChanges)
        return "a sorted query cannot have EcsQueryDetectChanges";
    for (int32_t i = 0; desc->order_by && i < base->term_count; i++) {
        const ecs_term_t *term = &base->terms[i];
        if (term->id == desc->order_by && term->flags_ & EcsTermIsSparse)
            return "results cannot be sorted by sparse components";
    }
    return NULL;
}

// What is wrong with the wish to sort, or NULL.
static const char *sort_mistake(const ecs_query_t *base, const ecs_query_desc_t *desc) {
    if (!desc->order_by_callback) return "order_by needs an order_by_callback";
    if (!desc->order_by) return NULL;
    for (int32_t f = 0; f < base->field_count; f++) {
        if (base->ids[f] != desc->order_by || base->var_fields & FIELD_BIT(f)) continue;
        return base->sizes[f] ? NULL : "results cannot be sorted by a tag";
    }
    return "the component to sort by (order_by) has to be in a term about $this or an entity";
}

static bool check_sort(const ecs__query_t *query, const ecs_query_desc_t *desc) {
    if (!desc->order_by && !desc->order_by_callback && !desc->order_by_table_callback) return true;
    ecs_check(!ecs_id_is_wildcard(desc->order_by), ECS_INVALID_PARAMETER,
        "results are sorted by one component: order_by cannot be a wildcard");
    const char *limit = sort_limit(&query->base, desc),
               *mistake = limit ? NULL : sort_mistake(&query->base, desc);
    if (limit) ecs_err_code(ECS_UNSUPPORTED, "%s", limit);
    if (mistake) ecs_err_code(ECS_INVALID_PARAMETER, "%s", mistake);
    return !limit && !mistake;
error:
    return false;
}

// Groups are of tables.
static bool check_targets(const ecs_world_t *world, const ecs_query_desc_t *desc) {
    const ecs_id_t by = desc->group_by;
    const ecs_entity_t rel = ECS_IS_PAIR(by) ? ECS_PAIR_FIRST(by) : by;
    if (!by || desc->group_by_callback || !ecs__relationship_is_beside(world, rel)) return true;
    char *name = ecs_id_str(world, rel);
    ecs_err_code(ECS_UNSUPPORTED,
        "cannot group by the targets of %s: they are kept beside tables, so those of one table may have "
        "several; give a group_by_callback",
        name);
    ecs_os_free(name);
    return false;
}

static bool check_groups(const ecs__query_t *query, const ecs_query_desc_t *desc) {
    const ecs__plan_t *plan = &query->program->plan;
    bool has_cascade = plan->cascade || plan->entity_cascade;
    bool has_two = has_cascade && (desc->group_by || desc->group_by_callback);
    ecs_check(!has_two, ECS_INVALID_PARAMETER,
        "a cascade groups results by depth: it cannot be combined with group_by");
    return !has_two && check_targets(query->base.real_world, desc);
error:
    return false;
}

static bool check_policy(const ecs__query_t *query, const ecs_query_desc_t *desc, bool is_ordered) {
    if (!check_groups(query, desc) || !check_sort(query, desc)) return false;
    if (is_ordered && query->program->plan.scan == query->program->plan.count) {
        ecs_err_code(ECS_UNSUPPORTED,
            "results without tables have no order: group_by and order_by need a term with a constant "
            "id and $this as source");
        return false;
    }
    return true;
}

void ecs__query_set_observers(ecs__query_t *query) {
    query->is_observers = true;
    ecs__plan_loosen(&query->program->plan);
}

static void end_programs(ecs__query_t *query) {
    for (ecs__program_t *program; (program = query->program);) {
        query->program = program->before;
        ecs__program_end(program);
    }
}

static void free_query(ecs__query_t *query) {
    ecs__terms_fini(&query->terms);
    ecs_os_free(query->base.ids);
    ecs_os_free(query->base.sizes);
    query->base.hdr.type = 0;
    if (!query->in_storage) ecs_os_free(query);
}

static bool build(ecs__query_t *query, ecs_world_t *world, const ecs_query_desc_t *desc) {
    if (!ecs__query_parse(world, desc, &query->terms)) return false;
    if (!ecs__query_check(world, desc, &query->base, &query->terms)) return false;
    const bool is_ordered = has_order(&query->base, desc);
    query->kinds_seen = query->base.real_world->store.kinds_stamp;
    ecs__graph_note_kinds(world, &query->base, &query->kinds);
    ecs__program_t *program = query->program = ecs__program_new(query);
    if (!ecs__program_plan(program, is_ordered, asks_for_cache(desc))) return false;
    if (!check_policy(query, desc, is_ordered)) return false;
    if (wants_cache(query, desc, is_ordered)) {
        ecs__groups_t *groups = ecs__groups_new(query->base.real_world, desc, &program->plan);
        ecs__program_cache(
            program, groups, ecs__sort_new(query->base.real_world, desc, &query->base));
    }
    query->base.cache_kind = ecs__query_kind(query, desc->cache_kind);
    ecs__program_settle(program);
    if (desc->flags & EcsQueryDetectChanges) ecs__program_detect(program);
    return true;
}

static void end_bound(ecs_poly_t *object) { ecs__query_end(object); }

static ecs__query_t *held_query(const ecs_world_t *real_world, ecs_entity_t entity) {
    return entity ? ecs_ext_poly_get(real_world, entity, Ecs__Query) : NULL;
}

static ecs__groups_t *groups_of(const ecs__program_t *program) {
    return program->cache ? program->cache->groups : NULL;
}

// One of the programs of a query has the context of its groups.
static void pass_on_groups(const ecs__program_t *old, ecs__groups_t *groups) {
    for (; groups && old; old = old->before) {
        ecs__groups_t *before = groups_of(old);
        if (before)
            ecs__ctx_pass_on(before->ctx, &before->ctx_free, groups->ctx, &groups->ctx_free);
    }
}

static void pass_on_ctx(ecs__query_t *old, ecs__query_t *next) {
    ecs__ctx_pass_on(old->base.ctx, &old->ctx_free, next->base.ctx, &next->ctx_free);
    ecs__ctx_pass_on(old->base.binding_ctx, &old->binding_ctx_free, next->base.binding_ctx,
        &next->binding_ctx_free);
    pass_on_groups(old->program, groups_of(next->program));
}

// Binding ends the query that was bound before, if any. False if it ended this one, too: its entity cannot hold it, or was deleted.
static bool bind(ecs__query_t *query, ecs_entity_t entity) {
    ecs_world_t *real_world = query->base.real_world;
    ecs__query_t *old = held_query(real_world, entity);
    if (old) pass_on_ctx(old, query);
    query->is_kept = true; /* until it is known that it stays there */
    const bool is_bound = ecs_ext_poly_bind(real_world, entity, Ecs__Query, query, end_bound);
    ecs__cache_t *cache = query->program->cache;
    const bool is_empty = cache && ecs__cache_is_empty(cache);
    if (cache) cache->entity = entity;
    if (is_bound && is_empty)
        ecs_add_id(ecs__writer_of(real_world), entity, Ecs__Empty);
    else if (is_bound && old)
        ecs_remove_id(ecs__writer_of(real_world), entity, Ecs__Empty);
    query->is_kept = false;
    return !query->is_over;
}

// What cannot be made is no more than what was said of it: contexts stay with the caller.
static void drop(ecs__query_t *query, ecs_world_t *world) {
    if (query->program && groups_of(query->program)) groups_of(query->program)->ctx_free = NULL;
    end_programs(query);
    ecs__resolve_undo(world, &query->terms);
    free_query(query);
}

static ecs_query_t *create(ecs_world_t *world, const ecs_query_desc_t *desc) {
    ecs__query_t *query = allocate(desc);
    if (!query) {
        ecs_err_code(ECS_OUT_OF_MEMORY, "out of memory for a query");
        return NULL;
    }
    set_base(query, world, desc);
    if (!build(query, world, desc)) {
        drop(query, world);
        return NULL;
    }
    ecs__queries_t *queries = &query->base.real_world->queries;
    ecs__queries_add(queries, query);
    if (desc->entity && !bind(query, desc->entity)) {
        ecs__queries_remove(queries, query);
        drop(query, world);
        return NULL;
    }
    if (groups_of(query->program)) ecs__groups_tell(groups_of(query->program));
    return &query->base;
}

static bool may_create(const ecs_world_t *world, const ecs_query_desc_t *desc) {
    ecs_check(world != NULL && desc != NULL, ECS_INVALID_PARAMETER,
        "a query needs a world and a descriptor");
    ecs_check(desc->_canary == 0, ECS_INVALID_PARAMETER,
        "the query descriptor is not initialised: set it to zero first");
    ecs_check((uint32_t)desc->cache_kind <= EcsQueryCacheNone, ECS_INVALID_PARAMETER,
        "there is no kind of cache with number %d", (int)desc->cache_kind);
    ECS__CHECK(ecs__check_writer(world));
    const ecs_world_t *real_world = ecs__world_of(world);
    (void)real_world;
    ecs_check(!(real_world->flags & EcsWorldMultiThreaded), ECS_INVALID_WHILE_READONLY,
        "queries cannot be created while systems run on several threads; create them before");
    ecs_check(!desc->entity || ecs__entity_is_alive(&real_world->store.entities, desc->entity),
        ECS_INVALID_PARAMETER, "entity %u that is to own the query is not alive",
        (uint32_t)desc->entity);
    return true;
error:
    return false;
}

ecs_query_t *ecs_query_init(ecs_world_t *world, const ecs_query_desc_t *desc) {
    if (!may_create(world, desc)) return NULL;
    ecs_check(!held_query(ecs__world_of(world), desc->entity), ECS_ALREADY_DEFINED,
        "entity %u holds a query already; use ecs_query_update to replace it",
        (uint32_t)desc->entity);
    return create(world, desc);
error:
    return NULL;
}

ecs_query_t *ecs_query_new(ecs_world_t *world, const char *expr) {
    return ecs_query_init(world, &(ecs_query_desc_t){ .expr = expr });
}

ecs_query_t *ecs_query_update(
    ecs_world_t *world, ecs_entity_t entity, const ecs_query_desc_t *desc) {
    if (!may_create(world, desc)) return NULL;
    ecs_query_desc_t bound = *desc;
    bound.entity = entity;
    ecs_check(ecs__entity_is_alive(&ecs__world_of(world)->store.entities, entity),
        ECS_INVALID_PARAMETER, "entity %u that owns the query is not alive", (uint32_t)entity);
    const ecs__query_t *old = held_query(ecs__world_of(world), entity);
    (void)old;
    ecs_check(!old || !old->is_kept, ECS_INVALID_OPERATION,
        "the query of entity %u belongs to its system or pipeline", (uint32_t)entity);
    ecs_check(!old || (const void *)old != desc->storage, ECS_INVALID_PARAMETER,
        "the query of entity %u lies in the storage that is given for the next one",
        (uint32_t)entity);
    return create(world, &bound);
error:
    return NULL;
}

// ---- end ----

void ecs__query_end(ecs__query_t *query) {
    query->is_over = query->is_kept;
    if (query->is_kept) return;
    ecs_world_t *real_world = query->base.real_world;
    ecs__queries_remove(&real_world->queries, query);
    end_programs(query);
    ecs__ctx_free(query->base.ctx, query->ctx_free);
    ecs__ctx_free(query->base.binding_ctx, query->binding_ctx_free);
    free_query(query);
}

void ecs_ext_query_keep(ecs_query_t *base) { ((ecs__query_t *)(void *)base)->is_kept = true; }

void ecs_ext_query_release(ecs_query_t *base) {
    ecs__query_t *query = (ecs__query_t *)(void *)base;
    query->is_kept = false;
    if (query->is_over) ecs__query_end(query);
}

void ecs_query_fini(ecs_query_t *base) {
    if (!base) return;
    ecs_check(base->hdr.type == ECS__QUERY_TYPE, ECS_INVALID_PARAMETER,
        "ecs_query_fini: this is no query, or it has ended");
    ECS__CHECK(ecs__check_writer(base->real_world));
    ecs_check(!(base->real_world->flags & EcsWorldMultiThreaded), ECS_INVALID_WHILE_READONLY,
        "queries cannot be ended while systems run on several threads; end them afterwards");
    ecs__query_t *query = (ecs__query_t *)(void *)base;
    if (held_query(base->real_world, base->entity))
        ecs_delete(ecs__writer_of(base->real_world), base->entity);
    else
        ecs__query_end(query);
error:
    return;
}
