// SPDX-License-Identifier: MIT
// query_scene: a small world for query tests, and results as text.
//
// Each test body runs twice, with an uncached and with a cached query (BOTH), and expects the same
// results in the same order. Results are written as  "e1 e2: Position, -Velocity | e3: Position,
// Velocity@Bob" : entities of the result, then per field the id that matched, "-" in front if the
// field is not set, the source behind "@" if it is not the entities themselves.
#ifndef TEST_QUERY_SCENE_H
#define TEST_QUERY_SCENE_H

#include "support/world.h"

#include <stdlib.h>
#include <string.h>

#include "support/abort.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Mass {
    double value;
} Mass;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);
static ECS_COMPONENT_DECLARE(Mass);

typedef struct scene_t {
    ecs_world_t *world;
    ecs_query_cache_kind_t kind;
} scene_t;

static inline ecs_entity_t make(ecs_world_t *world, const char *name, const char *ids) {
    ecs_entity_t e = ecs_entity_init(world, &(ecs_entity_desc_t){ .name = name, .add_expr = ids });
    assert_true(e != 0);
    return e;
}

// Tags and relationships used by the texts of the tests.
static inline void make_vocabulary(ecs_world_t *world) {
    static const char *const names[] = { "Npc", "Tag", "Other", "Likes", "Eats", "Apples", "Pears",
        "Dogs", "Cats" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) make(world, names[i], NULL);
}

static inline int scene_setup(void **state) {
    static scene_t scene;
    void *world;
    scene.kind = (ecs_query_cache_kind_t)(uintptr_t)*state;
    if (mini_world_setup_(&world)) return -1;
    scene.world = world;
    ecs_id(Position) = ecs_id(Velocity) = ecs_id(Mass) = 0;
    ECS_COMPONENT_DEFINE(scene.world, Position);
    ECS_COMPONENT_DEFINE(scene.world, Velocity);
    ECS_COMPONENT_DEFINE(scene.world, Mass);
    make_vocabulary(scene.world);
    *state = &scene;
    return 0;
}

static inline int scene_teardown(void **state) {
    void *world = ((scene_t *)*state)->world;
    return world_teardown_(&world);
}

// A test gets its kind as the state that it begins with.
enum { KIND_uncached = EcsQueryCacheNone, KIND_cached = EcsQueryCacheAuto };

#define ONE(test, which) \
    { #test " [" #which "]", test, scene_setup, scene_teardown, (void *)(uintptr_t)KIND_##which }
#define BOTH(test) ONE(test, uncached), ONE(test, cached)

static inline void write_id(ecs_strbuf_t *out, char *text) {
    ecs_strbuf_appendstr(out, text);
    ecs_os_free(text);
}

static inline void write_result(ecs_strbuf_t *out, const ecs_iter_t *it) {
    for (int i = 0; i < it->count; i++) {
        if (i) ecs_strbuf_appendlit(out, " ");
        write_id(out, ecs_get_path(it->world, it->entities[i]));
    }
    ecs_strbuf_appendlit(out, ":");
    for (int8_t f = 0; f < it->field_count; f++) {
        ecs_strbuf_appendstr(out, f ? ", " : " ");
        if (!ecs_field_is_set(it, f)) ecs_strbuf_appendlit(out, "-");
        write_id(out, ecs_id_str(it->world, ecs_field_id(it, f)));
        if (ecs_field_src(it, f)) {
            ecs_strbuf_appendlit(out, "@");
            write_id(out, ecs_get_path(it->world, ecs_field_src(it, f)));
        }
    }
}

// Runs an iterator to its end; the caller frees the text.
static inline char *results_of(ecs_iter_t *it) {
    ecs_strbuf_t out = ECS_STRBUF_INIT;
    for (bool first = true; ecs_iter_next(it); first = false) {
        if (!first) ecs_strbuf_appendlit(&out, " | ");
        write_result(&out, it);
    }
    char *text = ecs_strbuf_get(&out);
    return text ? text : ecs_os_strdup("");
}

#define assert_iter(it, expected) assert_iter_(it, expected, __FILE__, __LINE__)
static inline void assert_iter_(ecs_iter_t *it, const char *expected, const char *file, int line) {
    char *text = results_of(it);
    bool is_equal = !strcmp(text, expected);
    if (!is_equal) print_error("results are  %s\nexpected     %s\n", text, expected);
    ecs_os_free(text);
    if (!is_equal) _fail(file, line);
}

/** Results of an existing query. */
#define assert_results(q, expected) assert_results_(q, expected, __FILE__, __LINE__)
static inline void assert_results_(
    const ecs_query_t *q, const char *expected, const char *file, int line) {
    ecs_iter_t it = ecs_query_iter(q->world, q);
    assert_iter_(&it, expected, file, line);
}

/** A query of the scene's kind. */
static inline ecs_query_t *query_of(const scene_t *scene, ecs_query_desc_t desc) {
    desc.cache_kind = scene->kind;
    ecs_query_t *q = ecs_query_init(scene->world, &desc);
    assert_non_null(q);
    return q;
}

static inline ecs_query_t *query_expr(const scene_t *scene, const char *expr) {
    return query_of(scene, (ecs_query_desc_t){ .expr = expr });
}

/** Results of a query made for the purpose, instanced so that tables stay whole. */
#define assert_query(scene, text, expected) assert_query_(scene, text, expected, __FILE__, __LINE__)
static inline void assert_query_(
    const scene_t *scene, const char *expr, const char *expected, const char *file, int line) {
    ecs_query_t *q = query_of(scene, (ecs_query_desc_t){ .expr = expr, .instanced = true });
    assert_results_(q, expected, file, line);
    ecs_query_fini(q);
}

// Operations and goals that were tried while the query was iterated.
static inline int64_t tries_of(ecs_query_t *q, int32_t *results) {
    ecs_iter_t it = ecs_query_iter(q->world, q);
    it.flags |= EcsIterProfile;
    for (*results = 0; ecs_query_next(&it); ++*results) {}
    char *text = ecs_query_plan_w_profile(q, &it);
    int64_t tries = 0;
    for (const char *at = text; (at = strstr(at, "tried ")); at++) tries += atoll(at + 6);
    ecs_os_free(text);
    return tries;
}

#endif
