// SPDX-License-Identifier: MIT
// fuzz_calls: bytes become calls of public functions, many of them wrong. Failed checks do not abort here: the call is
// refused, and the world must be consistent after it and leave nothing behind when it ends. (fuzz_world makes no wrong
// calls and knows what must come of them.)
//
// MUSTER_FUZZ_TRACE=1 prints each call.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls/calls.h"
#include "support/memory.h"

enum { MOST_WITHIN = 40, DEEPEST = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

cast_t cast;
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

static bool is_odd(void) { return input_byte() < cast.oddness; }
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

const char *draw_expr(void) {
    static const char *const exprs[] = { "c0", "c1, c2", "t0 || t1", "!t0", "?c1", "(r0, *)",
        "(r0, $x)", "(r0, $x), t0($x)", "(r2, $x), (r2, $y)", "c0(up)", "c1(cascade)",
        "c0(self|up r4)", "(*, *)", "_", "*", "$this == a", "$this ~= \"a\"", "and | a",
        "c0, { t0 || t1 }", "!{ t0, t1 }", "[in] c0, [out] c1", "[none] c2", "c0(a)",
        "(ChildOf, a)", "(IsA, $b), c0($b)", "bogus", "c0(", "(", "$x", "c0, ", "",
        "c0(up(ChildOf, 2))", "t0(down)", "(r0, a)", "c3(self)", "t0, $x", "(r6, *)", "!(r6, *)",
        "c0($)", "c7(#300)", "Prefab", "?Disabled", "r0", "(r0, r1)", "?(c0, $x)", "t0($x), t1($x)",
        "(r0, $x), !t0($x)" };
    return exprs[input_below(sizeof exprs / sizeof *exprs)];
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
    return !ecs_get_type_info(cast.world, id)->hooks.dtor;
}

// ---- calls ----

void join(ecs_entity_t entity) {
    if (entity) cast.pool[input_below(POOL)] = entity;
}

static void make_call(ecs_world_t *world) {
    static const call_kind_t *const kinds[] = { entity_calls, entity_calls, value_calls,
        value_calls, name_calls, query_calls, query_calls, table_calls, tick_calls, mode_calls,
        mode_calls, text_calls, type_calls, type_calls, cursor_calls, relationship_calls,
        structure_calls, range_calls };
    const call_kind_t *list = kinds[input_below(sizeof kinds / sizeof *kinds)];
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

void call_back(ecs_iter_t *it) {
    for (int8_t i = 0; i < it->field_count; i++) {
        ecs_field_is_set(it, i);
        ecs_field_id(it, i);
        ecs_field_src(it, i);
    }
    make_some(it->world);
}

void call_back_all(ecs_iter_t *it) {
    while (ecs_iter_next(it)) call_back(it);
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

static void check(void) {
    if (!ecs_is_deferred(cast.world) && !ecs_world_verify(cast.world)) {
        fprintf(stderr, "fuzz_calls: the world is not consistent\n");
        abort();
    }
}

static void end_world(void) {
    if (cast.stage) ecs_stage_free(cast.stage);
    cast.stage = NULL;
    for (int i = 0; i < QUERIES; i++) {
        if (cast.queries[i]) ecs_query_fini(cast.queries[i]);
        cast.queries[i] = NULL;
    }
    end_values();
    ecs_fini(cast.world);
}

static void examine(const uint8_t *data, size_t size) {
    static const int oddness[] = { 4, 24, 80, 255 };
    cast = (cast_t){ .at = data, .end = data + size };
    cast.oddness = oddness[input_below(4)];
    cast.world = input_below(4) ? ecs_mini() : ecs_init();
    make_cast();
    give_traits();
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
    const int64_t before = memory_live();
    examine(data, size);
    if (memory_live() != before) {
        fprintf(stderr, "fuzz_calls: %lld blocks of memory are left\n",
            (long long)(memory_live() - before));
        abort();
    }
    return 0;
}
