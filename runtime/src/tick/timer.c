// SPDX-License-Identifier: MIT
#include "tick/timer.h"

#include <muster/runtime/system.h>
#include <muster/runtime/timer.h>
#include "system/run.h"
#include "tick/random.h"

// ---- Systems ----

// Times that add up over many frames: `rest` is what `sum` is too coarse to tell, so that an hour is one.
static void set_time(ecs_ftime_t *sum, ecs_ftime_t *rest, double time) {
    *sum = (ecs_ftime_t)time;
    *rest = (ecs_ftime_t)(time - (double)*sum);
}

// Tick sources are progressed also while they are switched off: what ticked before has ended when they are on again.
static bool is_off(const ecs_iter_t *it) {
    return ecs_table_has_flags(it->table, EcsTableIsDisabled);
}

static void fire(EcsTimer *timer, EcsTickSource *source, double time) {
    double overshoot = time - (double)timer->timeout;
    if (overshoot > (double)timer->timeout) overshoot = 0; /* more than one period was missed */
    source->tick = true;
    source->time_elapsed = (ecs_ftime_t)(time - (double)timer->overshoot);
    set_time(&timer->time, &timer->rest, overshoot);
    timer->overshoot = timer->time;
    timer->fired_count += timer->fired_count < INT32_MAX;
    if (timer->single_shot) timer->active = false;
}

static void ProgressTimers(ecs_iter_t *it) {
    EcsTimer *timers = ecs_field(it, EcsTimer, 0);
    EcsTickSource *sources = ecs_field(it, EcsTickSource, 1);
    const rt_t *rt = rt__of(it->world);
    /* Outside of frames the time of the run counts. */
    double passed = (double)(rt->frame_begun ? rt->info->delta_time_raw : it->delta_time);
    const bool off = is_off(it);
    for (int32_t i = 0; i < it->count; i++) {
        sources[i].tick = false;
        if (off || !timers[i].active) continue;
        double time = (double)timers[i].time + (double)timers[i].rest + passed;
        if (time >= (double)timers[i].timeout * (1 - RT_TIME_TOLERANCE))
            fire(&timers[i], &sources[i], time);
        else
            set_time(&timers[i].time, &timers[i].rest, time);
    }
}

// A full count begins again, at the same turn.
static int32_t turn_of(int64_t count, int64_t rate) {
    return (int32_t)(count <= INT32_MAX ? count : count % rate);
}

// Does a filter fire in this frame? One that counts fixed steps does if its turn is among those of the frame.
static bool filter_fires(const ecs_world_t *world, ecs_entity_t entity, EcsRateFilter *filter) {
    int64_t every, rate = ECS_MAX(filter->rate, 1);
    ecs_entity_t fixed_step = rt__fixed_step_of(world, entity, &every);
    if (fixed_step) {
        const EcsFixedStep *fixed = ecs_get(world, fixed_step, EcsFixedStep);
        filter->tick_count = turn_of(fixed->count / (every / rate), rate);
        return fixed->count / every > (fixed->count - fixed->steps) / every;
    }
    if (filter->src && !rt__ticked(world, filter->src)) return false;
    filter->tick_count = turn_of((int64_t)filter->tick_count + 1, rate);
    return filter->tick_count % rate == 0;
}

static void progress_filter(
    const ecs_iter_t *it, int32_t row, EcsRateFilter *filter, EcsTickSource *source) {
    set_time(&filter->time_elapsed, &filter->rest,
        (double)filter->time_elapsed + (double)filter->rest + (double)it->delta_time);
    source->tick = filter_fires(it->world, it->entities[row], filter);
    if (!source->tick) return;
    source->time_elapsed = filter->time_elapsed;
    filter->time_elapsed = filter->rest = 0;
}

// How many other filters there are between a filter and frames, or a source of another kind.
static int32_t rank_of(const ecs_world_t *world, const EcsRateFilter *filter) {
    int32_t rank = -1;
    while (filter && ++rank < RT_MOST_RATES) {
        bool has_source = filter->src && ecs_is_alive(world, filter->src);
        filter = has_source ? ecs_get(world, filter->src, EcsRateFilter) : NULL;
    }
    return rank;
}

// Progress the filters of a rank; returns the next one, INT32_MAX if there is none.
static int32_t progress_rank(ecs_iter_t *it, int32_t rank) {
    int32_t next = INT32_MAX;
    while (ecs_query_next(it)) {
        EcsRateFilter *filters = ecs_field(it, EcsRateFilter, 0);
        EcsTickSource *sources = ecs_field(it, EcsTickSource, 1);
        const bool off = is_off(it);
        for (int32_t i = 0; i < it->count; i++) {
            int32_t other = rank_of(it->world, &filters[i]);
            if (off)
                sources[i].tick = false;
            else if (other == rank)
                progress_filter(it, i, &filters[i], &sources[i]);
            else if (other > rank)
                next = ECS_MIN(next, other);
        }
    }
    return next;
}

// Those that others count come first, whatever was made first.
static void ProgressRateFilters(ecs_iter_t *it) {
    for (int32_t rank = 0; rank < INT32_MAX;) {
        ecs_iter_t filters = ecs_query_iter(it->world, it->query);
        filters.delta_time = it->delta_time;
        rank = progress_rank(&filters, rank);
    }
    ecs_iter_fini(it);
}

static void ProgressTickSource(ecs_iter_t *it) {
    EcsTickSource *sources = ecs_field(it, EcsTickSource, 0);
    const bool off = is_off(it);
    for (int32_t i = 0; i < it->count; i++) {
        sources[i].tick = !off;
        sources[i].time_elapsed = it->delta_time;
    }
}

// ---- Setting ----

// A time in [0, timeout), for timers that shall not all fire in the same frame.
static ecs_ftime_t random_start(const rt_t *rt, ecs_entity_t entity, ecs_ftime_t timeout) {
    uint64_t random = rt__mix(rt__mix(rt->seed) ^ entity);
    return timeout * (ecs_ftime_t)((double)(random >> 11) * 0x1p-53);
}

// What was set last counts: an entity ticks in one way, or has a rate that counts how it ticks otherwise. Where several ways came at
// once, an earlier one has just queued that this one is left: so it is set again behind that.
static void leave_other_ways(const ecs_iter_t *it, ecs_entity_t entity, const void *value) {
    ecs_world_t *world = it->world;
    const ecs_id_t way = it->event_id;
    const ecs_id_t ways[] = { ecs_id(EcsTimer), ecs_id(EcsRateFilter), ecs_id(EcsFixedStep) };
    const ecs_id_t rate = ecs_id(EcsRateFilter);
    const EcsRateFilter *filter = ecs_get(world, entity, EcsRateFilter);
    const bool counts_itself = filter && filter->src == entity;
    bool leaves = false;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        bool stays = ways[i] == way || (counts_itself && (way == rate || ways[i] == rate));
        if (stays || !ecs_owns_id(world, entity, ways[i])) continue;
        ecs_remove_id(world, entity, ways[i]);
        leaves = true;
    }
    if (leaves) ecs_set_id(world, entity, way, (size_t)it->sizes[0], value);
}

static void use_source(ecs_world_t *world, ecs_entity_t entity, uint64_t source) {
    rt_system_t *system = rt__system_of(world, entity);
    if (!system || system->pub.tick_source == source) return;
    system->pub.tick_source = source;
    rt__systems_changed(system->rt);
}

// A system with a time of its own is its own tick source. By a hook, as workers may set times, too: that is done at the merge.
static void use_own_source(ecs_iter_t *it) {
    rt_t *rt = rt__of(it->world);
    rt->changes += it->event_id == ecs_id(EcsRateFilter); /* who steps with it may change */
    for (int32_t i = 0; i < it->count; i++) {
        leave_other_ways(it, it->entities[i], ECS_OFFSET(it->ptrs[0], it->sizes[0] * i));
        use_source(rt->world, it->entities[i], it->entities[i]);
    }
}

static ecs_entity_t set_timer(
    ecs_world_t *world, ecs_entity_t entity, ecs_ftime_t timeout, bool single_shot) {
    rt_t *rt = rt__of(world);
    ecs_check(rt, ECS_INVALID_OPERATION, "timers need a world made with ecs_init");
    ecs_check(timeout >= 0, ECS_INVALID_PARAMETER, "the time of timer %u (%s) is negative",
        RT_CALLED(world, entity));
    if (!entity) entity = ecs_entity_init(world, &(ecs_entity_desc_t){ 0 });
    EcsTimer timer;
    ecs_os_zeromem(&timer); /* padding, too: bytes of values are hashed */
    timer.timeout = timeout;
    timer.active = true;
    timer.single_shot = single_shot;
    if (rt->randomize_timers) timer.time = random_start(rt, entity, timeout);
    ecs_set_ptr(world, entity, EcsTimer, &timer);
    return entity;
error:
    return 0;
}

static ecs_ftime_t get_timer(const ecs_world_t *world, ecs_entity_t entity, bool single_shot) {
    const EcsTimer *timer = ecs_get(world, entity, EcsTimer);
    return timer && timer->single_shot == single_shot ? timer->timeout : 0;
}

ecs_entity_t ecs_set_timeout(ecs_world_t *world, ecs_entity_t entity, ecs_ftime_t timeout) {
    return set_timer(world, entity, timeout, true);
}

ecs_ftime_t ecs_get_timeout(const ecs_world_t *world, ecs_entity_t entity) {
    return get_timer(world, entity, true);
}

ecs_entity_t ecs_set_interval(ecs_world_t *world, ecs_entity_t entity, ecs_ftime_t interval) {
    return set_timer(world, entity, interval, false);
}

ecs_ftime_t ecs_get_interval(const ecs_world_t *world, ecs_entity_t entity) {
    return get_timer(world, entity, false);
}

static EcsTimer *timer_of(ecs_world_t *world, ecs_entity_t entity) {
    EcsTimer *timer = ecs_get_mut(world, entity, EcsTimer);
    ecs_check(timer, ECS_INVALID_PARAMETER,
        "entity %u (%s) is no timer: ecs_set_interval makes it one", RT_CALLED(world, entity));
    return timer;
error:
    return NULL;
}

enum { START = 1, STOP = 2, RESET = 4 };

static void change_timer(ecs_world_t *world, ecs_entity_t entity, uint64_t what) {
    EcsTimer *timer = timer_of(world, entity);
    if (!timer) return;
    timer->active = (timer->active || what & START) && !(what & STOP);
    if (what & RESET) timer->time = timer->rest = timer->overshoot = 0;
}

void ecs_start_timer(ecs_world_t *world, ecs_entity_t entity) {
    ecs_ext_act(world, entity, change_timer, START | RESET);
}

void ecs_stop_timer(ecs_world_t *world, ecs_entity_t entity) {
    ecs_ext_act(world, entity, change_timer, STOP);
}

void ecs_reset_timer(ecs_world_t *world, ecs_entity_t entity) {
    ecs_ext_act(world, entity, change_timer, RESET);
}

static void randomize_all(ecs_world_t *world, ecs_entity_t none, uint64_t ignored) {
    (void)none, (void)ignored;
    rt_t *rt = rt__of(world);
    rt->randomize_timers = true;
    ecs_iter_t it = ecs_each_id(world, ecs_id(EcsTimer));
    while (ecs_each_next(&it)) {
        EcsTimer *timers = ecs_field(&it, EcsTimer, 0);
        for (int32_t i = 0; i < it.count; i++) {
            timers[i].rest = 0;
            timers[i].time = random_start(rt, it.entities[i], timers[i].timeout);
        }
    }
}

void ecs_randomize_timers(ecs_world_t *world) {
    ecs_check(rt__of(world), ECS_INVALID_OPERATION, "timers need a world made with ecs_init");
    ecs_ext_act(world, 0, randomize_all, 0);
error:
    return;
}

ecs_entity_t ecs_set_rate(
    ecs_world_t *world, ecs_entity_t entity, int32_t rate, ecs_entity_t source) {
    ecs_check(rt__of(world), ECS_INVALID_OPERATION, "rates need a world made with ecs_init");
    ecs_check(rate > 0, ECS_INVALID_PARAMETER, "a rate counts each n-th time, n is at least 1");
    if (!entity) entity = ecs_entity_init(world, &(ecs_entity_desc_t){ 0 });
    EcsRateFilter filter;
    ecs_os_zeromem(&filter);
    filter.src = source;
    filter.rate = rate;
    ecs_set_ptr(world, entity, EcsRateFilter, &filter);
    return entity;
error:
    return 0;
}

void ecs_set_tick_source(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t source) {
    ecs_check(rt__system_of(world, entity), ECS_INVALID_PARAMETER,
        "entity %u (%s) is no system: only systems have a tick source", RT_CALLED(world, entity));
    ecs_check(
        source, ECS_INVALID_PARAMETER, "the tick source of %u (%s) is 0", RT_CALLED(world, entity));
    ecs_ext_act(world, entity, use_source, source);
error:
    return;
}

// ---- Set-up ----

static void init_component(ecs_world_t *world, ecs_entity_t id, ecs_entity_t scope,
    const char *name, ecs_size_t size, ecs_size_t alignment, ecs_iter_action_t on_set) {
    ecs_entity_init(world, &(ecs_entity_desc_t){ .id = id, .parent = scope, .name = name });
    ecs_component_init(world,
        &(ecs_component_desc_t){ .entity = id, .type = { .size = size, .alignment = alignment } });
    if (on_set) ecs_set_hooks_id(world, id, &(ecs_type_hooks_t){ .on_set = on_set });
}

static void init_system(rt_t *rt, ecs_entity_t scope, const char *name, ecs_iter_action_t action,
    ecs_run_action_t run, const ecs_query_desc_t *query) {
    ecs_entity_t entity =
        ecs_entity_init(rt->world, &(ecs_entity_desc_t){ .parent = scope, .name = name });
    ecs_system_init(rt->world, &(ecs_system_desc_t){ .entity = entity,
                                   .phase = EcsPreFrame,
                                   .callback = action,
                                   .run = run,
                                   .query = *query });
}

void rt__timers_init(rt_t *rt, ecs_entity_t scope) {
    ecs_world_t *world = rt->world;
    ecs_entity_t source = ecs_id(EcsTickSource), timer = ecs_id(EcsTimer),
                 rate = ecs_id(EcsRateFilter), step = ecs_id(EcsFixedStep);
    init_component(world, source, scope, "TickSource", ECS_SIZEOF(EcsTickSource),
        (ecs_size_t)ECS_ALIGNOF(EcsTickSource), NULL);
    init_component(world, timer, scope, "Timer", ECS_SIZEOF(EcsTimer),
        (ecs_size_t)ECS_ALIGNOF(EcsTimer), use_own_source);
    init_component(world, rate, scope, "RateFilter", ECS_SIZEOF(EcsRateFilter),
        (ecs_size_t)ECS_ALIGNOF(EcsRateFilter), use_own_source);
    init_component(world, step, scope, "FixedStep", ECS_SIZEOF(EcsFixedStep),
        (ecs_size_t)ECS_ALIGNOF(EcsFixedStep), use_own_source);
    ecs_add_id(world, timer, ecs_with(source));
    ecs_add_id(world, rate, ecs_with(source));
    ecs_add_id(world, step, ecs_with(source));
    init_system(rt, scope, "ProgressTimers", ProgressTimers, NULL,
        &(ecs_query_desc_t){ .flags = EcsQueryMatchDisabled,
            .terms = { { .id = timer, .src.id = EcsSelf }, { .id = source, .src.id = EcsSelf } } });
    init_system(rt, scope, "ProgressRateFilters", NULL, ProgressRateFilters,
        &(ecs_query_desc_t){ .flags = EcsQueryMatchDisabled,
            .terms = { { .id = rate, .src.id = EcsSelf }, { .id = source, .src.id = EcsSelf },
                { .id = source, .src.id = EcsIsEntity, .inout = EcsIn } } });
    init_system(rt, scope, "ProgressTickSource", ProgressTickSource, NULL,
        &(ecs_query_desc_t){ .flags = EcsQueryMatchDisabled,
            .terms = { { .id = source, .src.id = EcsSelf },
                { .id = timer, .src.id = EcsSelf, .oper = EcsNot },
                { .id = rate, .src.id = EcsSelf, .oper = EcsNot },
                { .id = step, .src.id = EcsSelf, .oper = EcsNot } } });
}
