// SPDX-License-Identifier: MIT
#include "pipeline/pipeline.h"

#include <stdlib.h>
#include "system/run.h"

rt_pipeline_t *rt__pipeline_of(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs_ext_poly_get(world, entity, ecs_id(EcsPipeline));
}

rt_pipeline_t *rt__pipeline_find(const ecs_world_t *world, ecs_entity_t entity) {
    const rt_t *rt = rt__of(world);
    if (!rt) return NULL;
    return entity ? rt__pipeline_of(world, entity) : rt->pipeline;
}

static int compare_places(const void *a, const void *b) {
    const rt_place_t *x = a, *y = b;
    if (x->depth != y->depth) return x->depth < y->depth ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static void reserve(rt_pipeline_t *pipeline, int32_t count) {
    if (count <= pipeline->size) return;
    int32_t size = ECS_MAX(count, pipeline->size * 2);
    pipeline->found = ecs_os_realloc_n(pipeline->found, rt_found_t, size);
    pipeline->places = ecs_os_realloc_n(pipeline->places, rt_place_t, size);
    pipeline->list = ecs_os_realloc_n(pipeline->list, rt_listed_t, size);
    ecs_os_memset_n(pipeline->list + pipeline->size, 0, rt_listed_t, size - pipeline->size);
    pipeline->size = size;
}

// Ask the query; true if it does not return the same systems as before, each with the same ids: one that gets another phase may keep its
// place in the results.
static bool find_systems(rt_pipeline_t *pipeline) {
    bool changed = false;
    int32_t count = 0;
    reserve(pipeline, 1);
    ecs_iter_t it = ecs_query_iter(pipeline->rt->world, pipeline->query);
    /* Nothing is written, whatever the terms say: an order of values stays. */
    it.flags |= EcsIterNoData;
    while (ecs_query_next(&it)) {
        reserve(pipeline, count + it.count);
        for (int32_t i = 0; i < it.count; i++, count++) {
            rt_found_t *found = &pipeline->found[count];
            const uint64_t table = ecs_ext_table_number(it.table);
            changed |= count >= pipeline->found_count || found->id != it.entities[i] ||
                       found->table != table;
            *found = (rt_found_t){ it.entities[i], table };
        }
    }
    changed |= count != pipeline->found_count;
    pipeline->found_count = count;
    return changed;
}

static void order_systems(rt_pipeline_t *pipeline) {
    const ecs_world_t *world = pipeline->rt->world;
    int32_t count = 0;
    for (int32_t i = 0; i < pipeline->found_count; i++) {
        ecs_entity_t id = pipeline->found[i].id;
        if (!rt__system_of(world, id)) continue; /* the tag alone makes no system */
        int32_t depth = pipeline->depth_over ? ecs_get_depth(world, id, pipeline->depth_over) : 0;
        pipeline->places[count++] = (rt_place_t){ pipeline->deepest_first ? -depth : depth, id };
    }
    pipeline->count = count;
    if (!pipeline->own_order)
        qsort(pipeline->places, (size_t)count, sizeof(rt_place_t), compare_places);
    for (int32_t i = 0; i < count; i++) {
        pipeline->list[i].system = rt__system_of(world, pipeline->places[i].id);
    }
}

static int32_t find_place(const rt_place_t *places, int32_t count, ecs_entity_t id) {
    int32_t i = count - 1;
    while (i >= 0 && places[i].id != id) i--;
    return i;
}

// A place in an order that no numbers tell: that of the same system, or of the next one before it that is still there.
static void follow_place(
    const rt_pipeline_t *pipeline, const rt_place_t *old, int32_t old_count, rt_place_t *place) {
    int32_t i = find_place(old, old_count, place->id);
    while (i >= 0 && find_place(pipeline->places, pipeline->count, old[i].id) < 0) i--;
    *place = i < 0 ? (rt_place_t){ 0 } : old[i];
}

static void order_again(rt_pipeline_t *pipeline) {
    bool follow = pipeline->own_order && pipeline->rt->running == pipeline;
    int32_t old_count = pipeline->count;
    rt_place_t *old = NULL;
    if (follow) old = ecs_os_memdup_n(pipeline->places, rt_place_t, ECS_MAX(old_count, 1));
    order_systems(pipeline);
    if (!follow) return;
    follow_place(pipeline, old, old_count, &pipeline->ran_last);
    ecs_os_free(old);
}

// Systems of EcsOnStart run once, and do not wait for a tick. A whole block runs in its steps, unless a rate counts them.
static rt_listed_t listed_of(const rt_pipeline_t *pipeline, rt_system_t *system) {
    const ecs_world_t *world = pipeline->rt->world;
    const ecs_entity_t source = pipeline->main_only ? 0 : system->pub.tick_source;
    rt_listed_t listed = { .system = system, .active = rt__system_is_active(system) };
    int64_t every;
    if (source) listed.fixed_step = rt__fixed_step_of(world, source, &every);
    listed.asks = source && (listed.fixed_step != source || ecs_has(world, source, EcsRateFilter));
    return listed;
}

static bool update_systems(rt_pipeline_t *pipeline) {
    bool changed = false;
    for (int32_t i = 0; i < pipeline->count; i++) {
        const rt_listed_t listed = listed_of(pipeline, pipeline->list[i].system);
        changed |= !rt__is_listed_as(&listed, &pipeline->list[i]);
        pipeline->list[i] = listed;
    }
    return changed;
}

bool rt__pipeline_update(rt_pipeline_t *pipeline) {
    rt_t *rt = pipeline->rt;
    if (!pipeline->query) {
        pipeline->count = 0;
        return true;
    }
    if (rt->seen_types != *rt->types) rt__systems_follow_types(rt);
    ecs_ext_query_update(pipeline->query);
    bool changed = find_systems(pipeline) || pipeline->version != rt->systems_version;
    uint64_t stamp = ecs_ext_query_stamp(pipeline->query);
    changed |= stamp != pipeline->query_stamp;
    if (changed) order_again(pipeline);
    changed |= update_systems(pipeline);
    pipeline->query_stamp = stamp;
    pipeline->changes = rt->changes;
    pipeline->version = rt->systems_version;
    pipeline->structure = *rt->structure;
    return changed;
}

// First system that comes after `place` in the order.
static int32_t first_after(const rt_pipeline_t *pipeline, rt_place_t place) {
    if (pipeline->own_order) return find_place(pipeline->places, pipeline->count, place.id) + 1;
    int32_t i = 0;
    while (i < pipeline->count && compare_places(&pipeline->places[i], &place) <= 0) i++;
    return i;
}

void rt__pipeline_see(const rt_pipeline_t *pipeline) {
    for (int32_t i = 0; i < pipeline->count; i++) {
        if (pipeline->list[i].active)
            pipeline->list[i].system->seen = pipeline->rt->info->pipeline_build_count_total;
    }
}

// Does only who steps with the block that runs, or nobody, stand between a system and one of the block?
static bool is_beside_block(const rt_pipeline_t *pipeline, int32_t index) {
    const ecs_entity_t step = pipeline->rt->fixed_step;
    if (!step || pipeline->list[index].fixed_step != step) return false;
    for (int32_t way = -1; way <= 1; way += 2) {
        for (int32_t i = index + way; i >= 0 && i < pipeline->count; i += way) {
            if (!pipeline->list[i].active) continue;
            if (pipeline->list[i].fixed_step != step) break;
            if (rt__is_in_block(pipeline->list[i].system)) return true;
        }
    }
    return false;
}

void rt__pipeline_meet(const rt_pipeline_t *pipeline) {
    const rt_t *rt = pipeline->rt;
    const int32_t behind = first_after(pipeline, pipeline->ran_last);
    for (int32_t i = 0; i < pipeline->count; i++) {
        rt_system_t *system = pipeline->list[i].system;
        if (!pipeline->list[i].active || system->seen == rt->info->pipeline_build_count_total)
            continue;
        bool joins = system->done_in < rt->run_began && is_beside_block(pipeline, i);
        if (joins) system->block = rt->block_number;
        int64_t passed = rt__is_in_block(system) ? rt->run_number : rt->run_began;
        if (i < behind) system->done_in = ECS_MAX(system->done_in, passed);
    }
}

rt_place_t rt__pipeline_place(const rt_pipeline_t *pipeline, const rt_system_t *system) {
    int32_t i = 0;
    while (pipeline->list[i].system != system) i++;
    return pipeline->places[i];
}

void rt__pipeline_free(rt_pipeline_t *pipeline) {
    if (pipeline->schedule) pipeline->schedule_free(pipeline->schedule);
    for (int32_t i = 0; i < RT_SCHEDULES_KEPT; i++)
        if (pipeline->kept[i]) pipeline->schedule_free(pipeline->kept[i]);
    ecs_os_free(pipeline->found);
    ecs_os_free(pipeline->places);
    ecs_os_free(pipeline->list);
    ecs_os_free(pipeline);
}

// The entity lost its object, and the query with it. A run ends with the merge that did this.
static void drop_pipeline(ecs_poly_t *object) {
    rt_pipeline_t *pipeline = object;
    rt_t *rt = pipeline->rt;
    if (rt->pipeline == pipeline) rt->pipeline = NULL;
    if (rt->start == pipeline) rt->start = NULL;
    ecs_ext_query_release(pipeline->query);
    if (rt->running != pipeline) {
        rt__pipeline_free(pipeline);
        return;
    }
    pipeline->query = NULL;
    rt__systems_changed(rt);
}

// Values, switches and what is kept beside tables change without a change that the world stamps.
static bool is_fickle(const ecs_query_t *query, const ecs_query_desc_t *desc) {
    bool fickle = desc->order_by || ecs_ext_query_match_count(query) < 0;
    for (int32_t i = 0; i < query->term_count; i++)
        fickle |= (query->terms[i].flags_ & (EcsTermIsToggle | EcsTermDontFragment)) != 0;
    return fickle;
}

static int compare_ids(ecs_entity_t a, const void *x, ecs_entity_t b, const void *y) {
    (void)x, (void)y;
    return (a > b) - (a < b);
}

// Groups come in the order of the query, and in each the systems by id.
static ecs_query_desc_t desc_of(ecs_entity_t entity, const ecs_query_desc_t *given) {
    ecs_query_desc_t desc = *given;
    desc.entity = entity;
    bool has_groups = desc.group_by || desc.group_by_callback;
    if (has_groups && !desc.order_by_callback) desc.order_by_callback = compare_ids;
    return desc;
}

// Take over a query: what it says about order, and that nothing is known yet.
static void use_query(rt_pipeline_t *pipeline, ecs_query_t *query, const ecs_query_desc_t *desc) {
    pipeline->query = query;
    ecs_ext_query_keep(query);
    pipeline->own_order = desc->order_by_callback != NULL;
    pipeline->is_fickle = is_fickle(query, desc);
    pipeline->depth_over = 0;
    for (int32_t i = 0; i < query->term_count; i++) {
        const ecs_term_t *term = &query->terms[i];
        if (!(term->src.id & EcsCascade)) continue;
        pipeline->depth_over = term->trav;
        pipeline->deepest_first = term->src.id & EcsDesc;
    }
    pipeline->found_count = 0;
    pipeline->version = 0;
    pipeline->changes = 0;
    pipeline->query_stamp = 0;
    pipeline->structure = 0;
}

static bool takes_systems(const ecs_query_t *query) {
    return query->term_count && query->terms[0].id == EcsSystem;
}

static rt_pipeline_t *make_pipeline(rt_t *rt, ecs_entity_t entity, const ecs_query_desc_t *given) {
    const ecs_query_desc_t desc = desc_of(entity, given);
    ecs_query_t *query = ecs_query_init(rt->world, &desc);
    if (!query) return NULL;
    ecs_check(takes_systems(query), ECS_INVALID_PARAMETER,
        "the first term of a pipeline must be System, so that it only finds systems");
    rt_pipeline_t *pipeline = ecs_os_calloc_t(rt_pipeline_t);
    pipeline->rt = rt;
    pipeline->id = entity;
    use_query(pipeline, query, &desc);
    return ecs_ext_poly_bind(rt->world, entity, ecs_id(EcsPipeline), pipeline, drop_pipeline)
               ? pipeline
               : NULL;
error:
    return NULL;
}

ecs_entity_t ecs_pipeline_init(ecs_world_t *world, const ecs_pipeline_desc_t *desc) {
    ecs_check(world && desc && rt__of(world), ECS_INVALID_PARAMETER,
        "a pipeline needs a descriptor and a world made with ecs_init");
    ecs_check(!(ecs_world_get_flags(world) & EcsWorldReadonly), ECS_INVALID_WHILE_READONLY,
        "pipelines cannot be made while systems run, except by immediate systems");
    ecs_check(ecs_term_is_initialized(&desc->query.terms[0]) || desc->query.expr,
        ECS_INVALID_PARAMETER, "the query of a pipeline is empty");
    ecs_check(!desc->entity || !rt__pipeline_of(world, desc->entity), ECS_INVALID_PARAMETER,
        "entity %u (%s) is a pipeline already: use ecs_pipeline_update",
        RT_CALLED(world, desc->entity));
    ecs_entity_t entity = desc->entity;
    if (!entity) entity = ecs_entity_init(world, &(ecs_entity_desc_t){ 0 });
    if (!entity) return 0;
    if (make_pipeline(rt__of(world), entity, &desc->query)) return entity;
    ecs_delete(world, entity); /* unless it ended already */
error:
    return 0;
}

ecs_entity_t ecs_pipeline_update(
    ecs_world_t *world, ecs_entity_t entity, const ecs_pipeline_desc_t *desc) {
    ecs_check(desc, ECS_INVALID_PARAMETER, "a pipeline is updated by a descriptor");
    rt_pipeline_t *pipeline = rt__pipeline_of(world, entity);
    ecs_check(
        pipeline, ECS_INVALID_PARAMETER, "entity %u (%s) is no pipeline", RT_CALLED(world, entity));
    ecs_check(!pipeline->rt->running, ECS_INVALID_OPERATION,
        "a pipeline cannot change while one runs: do it between ticks");
    const ecs_query_desc_t query_desc = desc_of(entity, &desc->query);
    ecs_ext_query_release(pipeline->query);
    ecs_query_t *query = ecs_query_update(world, entity, &query_desc);
    if (query)
        use_query(pipeline, query, &query_desc);
    else
        ecs_ext_query_keep(pipeline->query);
    ecs_check(!query || takes_systems(query), ECS_INVALID_PARAMETER,
        "the first term of a pipeline must be System, so that it only finds systems");
    return query ? entity : 0;
error:
    return 0;
}

ecs_entity_t ecs_pipeline_define_(
    ecs_world_t *world, ecs_entity_t id, const char *name, const char *expr) {
    ecs_entity_t entity = ecs_entity_init(world, &(ecs_entity_desc_t){ .id = id, .name = name });
    ecs_pipeline_desc_t desc = { .entity = entity, .query.expr = expr };
    entity = ecs_pipeline_init(world, &desc);
    ecs_always_assert(entity, ECS_INVALID_PARAMETER, "pipeline '%s' is not valid", name);
    return entity;
}

void ecs_set_pipeline(ecs_world_t *world, ecs_entity_t entity) {
    rt_t *rt = rt__of(world);
    rt_pipeline_t *pipeline = rt__pipeline_of(world, entity);
    ecs_check(
        pipeline, ECS_INVALID_PARAMETER, "entity %u (%s) is no pipeline", RT_CALLED(world, entity));
    RT_CHECK_WRITER(world);
    ecs_check(!rt->running, ECS_INVALID_OPERATION,
        "the pipeline cannot be replaced while it runs: do it between ticks");
    rt->pipeline = pipeline;
error:
    return;
}

ecs_entity_t ecs_get_pipeline(const ecs_world_t *world) {
    rt_t *rt = rt__of(world);
    return rt && rt->pipeline ? rt->pipeline->id : 0;
}

// Systems with a phase, none of them disabled: by themselves, by what they depend on, or by
// their module.
static ecs_query_desc_t phase_query(int16_t on_start) {
    return (ecs_query_desc_t){
        .terms = { { .id = EcsSystem },
            { .id = EcsPhase, .src.id = EcsCascade, .trav = EcsDependsOn },
            { .id = ecs_dependson(EcsOnStart),
                .src.id = EcsSelf | EcsUp,
                .trav = EcsDependsOn,
                .oper = on_start },
            { .id = EcsDisabled, .src.id = EcsUp, .trav = EcsDependsOn, .oper = EcsNot },
            { .id = EcsDisabled, .src.id = EcsUp, .trav = EcsChildOf, .oper = EcsNot } }
    };
}

void rt__pipelines_init(rt_t *rt, ecs_entity_t scope) {
    ecs_query_desc_t normal = phase_query(EcsNot), on_start = phase_query(EcsAnd);
    ecs_entity_t builtin = ecs_entity_init(
        rt->world, &(ecs_entity_desc_t){ .parent = scope, .name = "BuiltinPipeline" });
    ecs_entity_t start = ecs_entity_init(
        rt->world, &(ecs_entity_desc_t){ .parent = scope, .name = "StartPipeline" });
    rt->pipeline = make_pipeline(rt, builtin, &normal);
    rt->start = make_pipeline(rt, start, &on_start);
    ecs_always_assert(rt->pipeline && rt->start, ECS_INTERNAL_ERROR,
        "the queries of the builtin pipelines were refused");
    rt->start->main_only = true;
}
