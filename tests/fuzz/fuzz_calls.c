// SPDX-License-Identifier: MIT
// fuzz_calls: bytes become calls of public functions, many of them wrong. Failed checks do not abort here: the call is
// refused, and the world must be consistent after it and leave nothing behind when it ends. (fuzz_world makes no wrong
// calls and knows what must come of them.)
//
// MUSTER_FUZZ_TRACE=1 prints each call.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls/calls.h"
#include "support/memory.h"

enum { MOST_WITHIN = 40, CONTEXTS = 1024 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

_Thread_local cast_t cast;
static cast_t shared; /* that of the thread of the world, for jobs */
static const uint8_t *input;
static bool is_traced;

void say(const char *fmt, ...) {
    if (!is_traced) return;
    va_list args;
    va_start(args, fmt);
    fprintf(stderr, "%*s", cast.depth * 2, "");
    vfprintf(stderr, fmt, args);
    fprintf(stderr, "\n");
    va_end(args);
}

// ---- choices ----

bool is_odd(void) { return input_byte() < cast.oddness; }
static ecs_entity_t pooled(void) { return cast.pool[input_below(POOL)]; }
static ecs_entity_t component(void) { return cast.components[input_below(COMPONENTS)]; }
static ecs_entity_t tag(void) { return cast.tags[input_below(TAGS)]; }
static ecs_entity_t relationship(void) { return cast.relationships[input_below(RELATIONSHIPS)]; }

static ecs_entity_t odd_entity(void) {
    switch (input_below(16)) {
    case 0: return 0;
    case 1: return EcsWildcard;
    case 2: return EcsAny;
    case 3: return EcsThis;
    case 4: return EcsVariable;
    case 5: return EcsWorld;
    case 6: return UINT32_MAX;
    case 7: return pooled() | (uint64_t)input_below(5) << 32; /* of another generation */
    case 8: return pooled() | ECS_TOGGLE;
    case 9: return ecs_pair(relationship(), pooled());
    case 10: return 100000 + (ecs_entity_t)input_byte();
    case 11: return component();
    case 12: return tag();
    case 13: return relationship();
    case 14: return cast.types[input_below(TYPES)];
    default: return 1 + (ecs_entity_t)input_byte() * 2;
    }
}

ecs_entity_t draw_entity(void) { return is_odd() ? odd_entity() : pooled(); }

ecs_entity_t draw_relationship(void) {
    static const ecs_entity_t *const builtin[] = { &EcsChildOf, &EcsIsA, &EcsDependsOn, &EcsSlotOf,
        &EcsWith, &EcsOnDelete, &EcsOnDeleteTarget, &EcsOneOf, &EcsOnInstantiate };
    if (!is_odd()) return input_below(3) ? relationship() : *builtin[input_below(2)];
    return input_flag() ? *builtin[input_below(sizeof builtin / sizeof *builtin)] : odd_entity();
}

static ecs_id_t odd_id(void) {
    static const ecs_id_t *const marks[] = { &ECS_TOGGLE, &ECS_AUTO_OVERRIDE, &ECS_PAIR, &ECS_AND };
    switch (input_below(6)) {
    case 0: return odd_entity();
    case 1: return ecs_pair(draw_relationship(), odd_entity());
    case 2: return ecs_pair(odd_entity(), pooled());
    case 3: return *marks[input_below(4)] | odd_entity();
    case 4: return ecs_value_pair(relationship(), (uint64_t)input_below(9));
    default: return ecs_pair(draw_relationship(), EcsWildcard);
    }
}

ecs_id_t draw_id(void) {
    if (is_odd()) return odd_id();
    switch (input_below(7)) {
    case 0:
    case 1: return component();
    case 2: return tag();
    case 3: return ecs_pair(component(), pooled());
    case 4: return cast.types[input_below(TYPES)];
    default: return ecs_pair(draw_relationship(), pooled());
    }
}

const char *draw_name(void) {
    static const char *const plain[] = { "a", "b", "c", "a.b", "a.b.c" };
    static const char *const odd[] = { "", "::a", "flecs", "flecs.core.ChildOf", "#12", "#99999",
        "*", "_", "$x", "a..b", ".a", "a.", "\\.", "a\\.b", "x y", "This", "$this", "0", "-1",
        "(a)", "a,b", "%s%n", "a\nb", "::", "a::b", "self", "parent", "\xc3\xa4", NULL };
    return is_odd() ? odd[input_below(sizeof odd / sizeof *odd)] : plain[input_below(5)];
}

int32_t draw_number(void) {
    static const int32_t odd[] = { -1, INT32_MAX, INT32_MIN, 100, -2, 7 };
    return is_odd() ? odd[input_below(6)] : input_below(4);
}

ecs_ftime_t draw_time(void) {
    static const ecs_ftime_t plain[] = { 0, 1, 0.5f, 0.1f, 2, 0.016f };
    static const ecs_ftime_t odd[] = { -1, 1e-9f, 1e30f, NAN, INFINITY, -INFINITY };
    return is_odd() ? odd[input_below(6)] : plain[input_below(6)];
}

static bool is_freed[CONTEXTS];
static int context_count;

void *draw_context(void) {
    if (cast.is_worker || context_count == CONTEXTS) return NULL;
    is_freed[context_count] = false;
    return &is_freed[context_count++];
}

void free_context(void *ctx) {
    bool *freed = ctx;
    if (*freed) abort();
    *freed = true;
}

ecs_table_t *draw_table(void) {
    for (int tries = 0; tries < 4; tries++) {
        ecs_entity_t entity = pooled();
        if (entity && ecs_is_alive(cast.world, entity)) return ecs_get_table(cast.world, entity);
    }
    return NULL;
}

size_t draw_size(ecs_id_t id) {
    const ecs_type_info_t *type = ecs_get_type_info(cast.world, id);
    return type && !is_odd() ? (size_t)type->size : (size_t)input_below(64);
}

bool is_raw(ecs_id_t id) {
    const ecs_entity_t type = ecs_get_typeid(cast.world, id);
    if (!type) return true;
    if ((uint32_t)type < (uint32_t)cast.components[0] || was_described(type)) return false;
    const ecs_type_hooks_t *hooks = &ecs_get_type_info(cast.world, id)->hooks;
    return !hooks->dtor && !hooks->copy;
}

ecs_entity_t draw_part(part_t part) {
    return is_odd() ? draw_entity() : cast.parts[part][input_below(OF_PART)];
}

ecs_entity_t draw_builtin(void) {
    static const ecs_entity_t *const ids[] = { &EcsSystem, &EcsPhase, &ecs_id(EcsPipeline),
        &EcsOnUpdate, &EcsPreFrame, &EcsOnStart, &EcsPostFrame, &ecs_id(EcsTickSource),
        &ecs_id(EcsTimer), &ecs_id(EcsRateFilter), &ecs_id(EcsFixedStep), &EcsModule, &EcsDependsOn,
        &EcsDisabled, &ecs_id(EcsPoly), &EcsPreUpdate };
    static const char *const names[] = { "flecs.timer.ProgressTimers",
        "flecs.timer.ProgressRateFilters", "flecs.timer.ProgressTickSource", "flecs.timer",
        "flecs.pipeline", "flecs.system", "flecs.stats", "flecs.pipeline.BuiltinPipeline" };
    if (input_below(3)) return *ids[input_below(16)];
    return input_below(4) ? ecs_lookup(cast.world, names[input_below(8)])
                          : ecs_get_pipeline(cast.world);
}

// ---- calls ----

void join(ecs_entity_t entity) {
    if (entity) cast.pool[input_below(POOL)] = entity;
}

void join_as(part_t part, ecs_entity_t entity) {
    if (entity) cast.parts[part][input_below(OF_PART)] = entity;
    join(entity);
}

static void make_call(ecs_world_t *world) {
    static const call_kind_t *const kinds[] = { entity_calls, entity_calls, entity_calls,
        value_calls, value_calls, value_calls, name_calls, query_calls, query_calls, iterator_calls,
        iterator_calls, observer_calls, observer_calls, table_calls, system_calls, system_calls,
        pipeline_calls, timer_calls, tick_calls, tick_calls, tick_calls, module_calls,
        recording_calls, stats_calls, mode_calls, mode_calls, mode_calls, text_calls, type_calls,
        type_calls, cursor_calls, relationship_calls, structure_calls, range_calls };
    static const call_kind_t *const in_jobs[] = { entity_calls, value_calls, job_calls };
    const call_kind_t *list =
        cast.is_worker ? in_jobs[input_below(3)] : kinds[input_below(sizeof kinds / sizeof *kinds)];
    if (!cast.is_worker) shared = cast;
    int count = 0;
    while (list[count].name) count++;
    const call_kind_t *kind = &list[input_below(count)];
    const bool on_stage = cast.stage && !input_below(16);
    const call_t call = { on_stage ? cast.stage : world, draw_entity(), draw_entity(), draw_id() };
    say("%s %llx %llx %llx", kind->name, (unsigned long long)call.entity,
        (unsigned long long)call.other, (unsigned long long)call.id);
    kind->make(&call);
}

void make_some(ecs_world_t *world) {
    if (cast.depth >= DEEPEST) return;
    cast.depth++;
    for (int i = input_below(4); i > 0 && cast.left > 0; i--, cast.left--) make_call(world);
    cast.depth--;
}

void make_some_told(ecs_world_t *world) {
    cast.told++;
    make_some(world);
    cast.told--;
}

void make_some_in_job(ecs_world_t *stage, uint64_t number) {
    const cast_t before = cast;
    if (!before.is_worker) {
        cast = shared;
        cast.is_worker = true;
        cast.depth = DEEPEST - 1;
        cast.left = MOST_WITHIN / 8;
    }
    cast.at = input + number % (size_t)(cast.end - input + 1);
    make_some(stage);
    cast = before;
}

void call_back(ecs_iter_t *it) {
    look_at(it);
    make_some_told(it->world);
}

void call_back_all(ecs_iter_t *it) {
    if (!input_below(8)) look_at(it);
    if (is_odd()) return;
    while (ecs_iter_next(it)) {
        call_back(it);
        if (!is_odd()) continue;
        ecs_iter_fini(it);
        break;
    }
}

// ---- worlds ----

static ecs_entity_t make_named(char kind, int number) {
    const char name[] = { kind, (char)('0' + number), 0 };
    return ecs_entity(cast.world, { .name = name });
}

static void make_cast(void) {
    static const ecs_size_t sizes[COMPONENTS] = { 4, 8, 40, 1, 16, 4, 12, 0, 8, 8 };
    ecs_world_t *world = cast.world;
    for (int i = 0; i < COMPONENTS; i++) {
        const ecs_size_t size = sizes[i];
        cast.components[i] = make_named('c', i);
        if (!size) continue;
        ecs_component(world,
            { .entity = cast.components[i], .type = { size, size % 8 ? size % 4 ? 1 : 4 : 8 } });
    }
    own_memory(cast.components[8]);
    own_memory(cast.components[9]);
    for (int i = 0; i < TAGS; i++) cast.tags[i] = make_named('t', i);
    for (int i = 0; i < RELATIONSHIPS; i++) cast.relationships[i] = make_named('r', i);
    for (int i = 0; i < POOL; i++) cast.pool[i] = ecs_new(world);
    make_types();
    ecs_set_name(world, cast.pool[0], "a");
    ecs_set_name(world, cast.pool[1], "b");
    ecs_add_id(world, cast.pool[2], EcsPrefab);
    ecs_add_id(world, cast.pool[3], EcsOrderedChildren);
}

static void give_traits(void) {
    ecs_world_t *world = cast.world;
    const ecs_entity_t *c = cast.components, *t = cast.tags, *r = cast.relationships;
    ecs_add_id(world, c[2], EcsSparse);
    ecs_add_id(world, c[3], EcsDontFragment);
    ecs_add_id(world, c[5], EcsCanToggle);
    ecs_add_id(world, c[9], EcsDontFragment);
    ecs_add_id(world, t[1], EcsDontFragment);
    ecs_add_id(world, t[2], EcsCanToggle);
    if (input_flag()) ecs_add_pair(world, t[3], EcsWith, t[4]);
    if (input_flag()) ecs_add_pair(world, r[0], EcsOnDeleteTarget, EcsDelete);
    ecs_add_id(world, r[1], EcsExclusive);
    ecs_add_id(world, r[2], EcsSymmetric);
    ecs_add_id(world, r[3], EcsTransitive);
    ecs_add_id(world, r[4], EcsTraversable);
    ecs_add_id(world, r[5], EcsUnion);
    ecs_add_id(world, r[6], EcsDontFragment);
}

// Time passes with each look at it, and in sleep at once: an input means the same each time.
static _Atomic uint64_t milliseconds;

static void tell_time(ecs_time_t *out) {
    const uint64_t now = milliseconds++;
    *out = (ecs_time_t){ (uint32_t)(now / 1000), (uint32_t)(now % 1000) * 1000000 };
}

static void pass_time(int32_t sec, int32_t nanosec) {
    milliseconds += (uint64_t)sec * 1000 + (uint64_t)nanosec / 1000000;
}

// What most programs would begin with.
static void furnish(void) {
    ecs_world_t *world = cast.world;
    for (int i = 4; i < POOL; i++) {
        ecs_add_id(world, cast.pool[i], cast.components[i % COMPONENTS]);
        if (i % 3) ecs_add_id(world, cast.pool[i], cast.components[i / 3 % COMPONENTS]);
        if (i % 4 == 0) ecs_add_id(world, cast.pool[i], cast.tags[i / 4 % 3]);
        if (i % 5 == 0) ecs_add_pair(world, cast.pool[i], cast.relationships[0], cast.pool[0]);
        if (i % 7 == 0) ecs_add_pair(world, cast.pool[i], EcsChildOf, cast.pool[i / 7]);
    }
}

static void check(void) {
    if (!ecs_is_deferred(cast.world) && !ecs_world_verify(cast.world)) {
        fprintf(stderr, "fuzz_calls: the world is not consistent\n");
        abort();
    }
}

static void end_world(void) {
    if (cast.stage) ecs_stage_free(cast.stage);
    cast.stage = NULL;
    end_iterators();
    for (int i = 0; i < QUERIES; i++) {
        if (cast.queries[i]) ecs_query_fini(cast.queries[i]);
        cast.queries[i] = NULL;
    }
    end_values();
    ecs_fini(cast.world);
    end_files();
}

static void examine(const uint8_t *data, size_t size) {
    static const int oddness[] = { 1, 6, 24, 120 };
    cast = (cast_t){ .at = data, .end = data + size };
    input = data;
    context_count = 0;
    milliseconds = 0;
    cast.oddness = oddness[input_below(4)];
    cast.world = input_below(3) ? ecs_init() : ecs_mini();
    make_cast();
    give_traits();
    if (input_flag()) furnish();
    for (int i = 1; cast.at < cast.end; i++) {
        cast.left = MOST_WITHIN;
        make_call(cast.world);
        if (i % 8 == 0 || is_traced) check();
    }
    check();
    end_world();
}

#ifdef FLECS_DEBUG
#define CHECKS true
#else
#define CHECKS false /* nothing would refuse wrong calls */
#endif

static void carry_on(void) {}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!CHECKS) return 0;
    is_traced = getenv("MUSTER_FUZZ_TRACE") != NULL;
    ecs_log_set_level(is_traced ? -3 : -5);
    ecs_os_set_api_defaults();
    ecs_os_api.abort_ = carry_on;
    ecs_os_api.get_time_ = tell_time;
    ecs_os_api.sleep_ = pass_time;
    const int64_t before = memory_live();
    examine(data, size);
    if (memory_live() != before) {
        fprintf(stderr, "fuzz_calls: %lld blocks of memory are left\n",
            (long long)(memory_live() - before));
        abort();
    }
    return 0;
}
