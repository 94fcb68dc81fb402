// SPDX-License-Identifier: MIT
// JSON of entities, results and worlds: formats, reading back, mistakes (sheet 07, sections 8 and 9).
#include <stdlib.h>

#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

ECS_STRUCT(Position, {
    int32_t x;
    int32_t y;
});
ECS_STRUCT(Link, { ecs_entity_t to; });
ECS_STRUCT(Named, {
    const char *name;
    Link link;
});
ECS_STRUCT(Bag, { ecs_vec(int32_t) items; });
ECS_STRUCT(Path, {
    int32_t length;
    int32_t steps[2];
});
typedef struct Hidden {
    int32_t value;
} Hidden;
ECS_COMPONENT_DECLARE(Hidden);

static void define(ecs_world_t *world) {
    ecs_id(Position) = ecs_id(Link) = ecs_id(Hidden) = 0;
    ECS_META_COMPONENT(world, Position);
    ECS_META_COMPONENT(world, Link);
    ECS_COMPONENT_DEFINE(world, Hidden);
}

static void assert_json(char *json, const char *expected, int line) {
    if (!json || strcmp(json, expected) != 0) {
        print_error("got      %s\nexpected %s\n", json ? json : "(none)", expected);
        _fail(__FILE__, line);
    }
    ecs_os_free(json);
}
#define check_json(json, expected) assert_json(json, expected, __LINE__)

// ---- Entities ----

static ecs_entity_t make_entity(ecs_world_t *world) {
    ecs_entity_t parent = ecs_entity(world, { .name = "parent" });
    ecs_entity_t e = ecs_entity(world, { .name = "child", .parent = parent });
    ecs_entity_t likes = ecs_entity(world, { .name = "Likes" });
    ecs_add_id(world, e, ecs_entity(world, { .name = "Tag" }));
    ecs_add_pair(world, e, likes, ecs_entity(world, { .name = "Apples" }));
    ecs_add_pair(world, e, likes, ecs_entity(world, { .name = "Pears" }));
    ecs_add_pair(world, e, ecs_entity(world, { .name = "Owns" }), parent);
    ecs_set(world, e, Position, { 10, 20 });
    ecs_set_pair(world, e, Position, likes, { 1, 2 });
    ecs_set(world, e, Hidden, { 5 });
    return e;
}

static const char *entity_json =
    "{\"parent\":\"parent\", \"name\":\"child\", \"tags\":[\"Tag\"], "
    "\"pairs\":{\"Likes\":[\"Apples\", \"Pears\"], \"Owns\":\"parent\"}, "
    "\"components\":{\"Position\":{\"x\":10, \"y\":20}, \"Hidden\":null, "
    "\"(Position,Likes)\":{\"x\":1, \"y\":2}}}";

static void an_entity_is_written_with_all_it_has(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t e = make_entity(world);
    check_json(ecs_entity_to_json(world, e, NULL), entity_json);
    ecs_entity_t anonymous = ecs_new(world);
    char expected[64];
    ecs_entity_to_json_desc_t desc = ECS_ENTITY_TO_JSON_INIT;
    desc.serialize_entity_id = true;
    snprintf(expected, sizeof expected, "{\"name\":\"#%u\", \"id\":%u}", (unsigned)anonymous,
        (unsigned)anonymous);
    check_json(ecs_entity_to_json(world, anonymous, &desc), expected);
}

static bool only_position(const ecs_world_t *world, ecs_entity_t component) {
    assert_true(ecs_is_valid(world, component));
    return component == ecs_id(Position);
}

static void options_choose_what_is_written(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t e = make_entity(world), base = ecs_lookup(world, "parent");
    ecs_entity_to_json_desc_t desc = ECS_ENTITY_TO_JSON_INIT;
    desc.component_filter = only_position;
    ecs_auto_override_id(world, e, ecs_lookup(world, "Likes"));
    desc.serialize_type_info = true;
    check_json(ecs_entity_to_json(world, e, &desc),
        "{\"type_info\":{\"Position\":{\"x\":[\"int\"], \"y\":[\"int\"]}, "
        "\"(Position,Likes)\":{\"x\":[\"int\"], \"y\":[\"int\"]}}, "
        "\"parent\":\"parent\", \"name\":\"child\", \"components\":{\"Position\":{\"x\":10, \"y\":20}, "
        "\"(Position,Likes)\":{\"x\":1, \"y\":2}}}");
    ecs_entity_t instance = ecs_entity(world, { .name = "inst" });
    ecs_set(world, base, Position, { 3, 4 });
    ecs_add_pair(world, instance, EcsIsA, base);
    ecs_doc_set_brief(world, base, "text");
    desc = ECS_ENTITY_TO_JSON_INIT;
    desc.serialize_inherited = true;
    check_json(ecs_entity_to_json(world, instance, &desc),
        "{\"name\":\"inst\", \"pairs\":{\"flecs.core.IsA\":\"parent\"}, "
        "\"inherited\":{\"parent\":{\"components\":{\"Position\":{\"x\":3, \"y\":4}}}}}");
    ecs_entity_t both = ecs_entity(world, { .name = "both" }); /* two ways lead to one base */
    ecs_add_pair(world, both, EcsIsA, instance);
    ecs_add_pair(world, both, EcsIsA, base);
    check_json(ecs_entity_to_json(world, both, &desc),
        "{\"name\":\"both\", \"pairs\":{\"flecs.core.IsA\":[\"parent\", \"inst\"]}, "
        "\"inherited\":{\"parent\":{\"components\":{\"Position\":{\"x\":3, \"y\":4}}}, \"inst\":{}}}");
    ecs_delete(world, both);
    desc = ECS_ENTITY_TO_JSON_INIT;
    desc.serialize_doc = true;
    desc.serialize_refs = EcsWildcard;
    desc.serialize_values = false;
    ecs_remove_pair(world, e, ecs_lookup(world, "Owns"), base);
    check_json(ecs_entity_to_json(world, base, &desc),
        "{\"name\":\"parent\", \"doc\":{\"label\":\"parent\", \"brief\":\"text\"}, "
        "\"components\":{\"Position\":null, \"(flecs.doc.Description,flecs.doc.Brief)\":null}, "
        "\"refs\":{\"flecs.core.IsA\":[\"inst\"], \"flecs.core.ChildOf\":[\"parent.child\"]}}");
    desc = ECS_ENTITY_TO_JSON_INIT;
    desc.serialize_refs = EcsIsA;
    desc.serialize_matches = true;
    desc.serialize_full_paths = false;
    ecs_query(world, { .entity = ecs_entity(world, { .name = "found" }), .expr = "Position" });
    ecs_query(world, { .entity = ecs_entity(world, { .name = "not_found" }), .expr = "Link" });
    ecs_remove_pair(world, base, ecs_id(EcsDocDescription), EcsDocBrief);
    check_json(ecs_entity_to_json(world, base, &desc),
        "{\"name\":\"parent\", \"components\":{\"Position\":{\"x\":3, \"y\":4}}, "
        "\"refs\":{\"IsA\":[\"inst\"]}, \"matches\":[\"found\"]}");
    desc = ECS_ENTITY_TO_JSON_INIT;
    check_json(ecs_entity_to_json(world, ecs_lookup(world, "found"), &desc),
        "{\"name\":\"found\", \"tags\":[\"flecs.core.Query\"]}");
    desc.serialize_builtin = true;
    check_json(ecs_entity_to_json(world, ecs_lookup(world, "found"), &desc),
        "{\"name\":\"found\", \"tags\":[\"flecs.core.Query\"], "
        "\"components\":{\"(flecs.core.Identifier,flecs.core.Name)\":null, \"(flecs.core.Poly,flecs.core.Query)\":null}}");
    char *json = ecs_entity_to_json(world, ecs_id(Position), &desc);
    assert_true(strstr(json, "\"tags\":[\"flecs.core.Final\"]") != NULL &&
                strstr(json, "\"flecs.meta.Struct\":null") != NULL);
    ecs_os_free(json);
    desc.serialize_builtin = false;
    check_json(ecs_entity_to_json(world, ecs_id(Position), &desc), "{\"name\":\"Position\"}");
}

static void what_was_written_makes_an_equal_entity(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t e = ecs_new(world);
    assert_non_null(ecs_entity_from_json(world, e, entity_json, NULL));
    check_json(ecs_entity_to_json(world, e, NULL), entity_json);
    // Values of components without description are skipped, or an error.
    ecs_entity_t f = ecs_new(world);
    ecs_from_json_desc_t strict = { .strict = true };
    const char *hidden = "{\"tags\":[\"T\"], \"components\":{\"Hidden\":{\"value\":1}}}";
    assert_non_null(ecs_entity_from_json(world, f, hidden, NULL));
    assert_false(ecs_has(world, f, Hidden));
    ecs_log_set_level(-4);
    assert_null(ecs_entity_from_json(world, f, hidden, &strict));
    ecs_log_set_level(-1);
}

// A value that its type has no word for is an error, which says whose it is. api/07 7
static void values_that_cannot_be_written_are_named(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t color = ecs_enum(world,
        { .entity = ecs_entity(world, { .name = "Color" }), .constants = { { .name = "Red" } } });
    ecs_entity_t e = ecs_entity(world, { .name = "house.door" });
    ecs_set_id(world, e, color, sizeof(int32_t), &(int32_t){ 7 });
    ecs_query_t *query = ecs_query(world, { .terms = { { color, .src.id = EcsSelf } } });
    for (int i = 0; i < 3; i++) {
        ecs_iter_t it = ecs_query_iter(world, query);
        ecs_log_start_capture(false);
        char *json = i == 0   ? ecs_entity_to_json(world, e, NULL)
                     : i == 1 ? ecs_world_to_json(world, NULL)
                              : ecs_iter_to_json(&it, NULL);
        char *log = ecs_log_stop_capture();
        assert_null(json);
        assert_non_null(strstr(log, "Color of entity house.door"));
        ecs_os_free(log);
        if (i != 2) ecs_iter_fini(&it);
    }
    ecs_query_fini(query);
}

static const Named *read_named(ecs_world_t *world, ecs_entity_t e, const char *name) {
    char json[64];
    snprintf(json, sizeof json, "{\"components\":{\"Named\":{\"name\":\"%s\"}}}", name);
    assert_non_null(ecs_entity_from_json(world, e, json, NULL));
    return ecs_get(world, e, Named);
}

// C types without hooks: nobody copies or frees their strings but the reader. Sanitizers see the rest.
static void an_override_does_not_touch_the_strings_of_its_base(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_id(Named) = 0;
    ECS_META_COMPONENT(world, Named);
    ecs_entity_t base = ecs_new_w_id(world, EcsPrefab);
    ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, base);
    const Named *of_base = read_named(world, base, "base"), *own = read_named(world, e, "own");
    assert_string_equal(of_base->name, "base");
    assert_string_equal(own->name, "own");
    ecs_os_free(ECS_CONST_CAST(char *, of_base->name));
    ecs_os_free(ECS_CONST_CAST(char *, own->name));
    ecs_id(Path) = 0; /* who owns nothing keeps what the base has */
    ECS_META_COMPONENT(world, Path);
    ecs_set(world, base, Path, { 1, { 7, 8 } });
    assert_non_null(
        ecs_entity_from_json(world, e, "{\"components\":{\"Path\":{\"length\":5}}}", NULL));
    assert_memory_equal(ecs_get(world, e, Path), (&(Path){ 5, { 7, 8 } }), sizeof(Path));
}

static void text_with_mistakes_changes_nothing(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t e = make_entity(world);
    static const char *const texts[] = { "", "{", "[]",
        "{\"tags\":[\"New\"], \"components\":{\"Position\":{\"z\":1}}}",
        "{\"tags\":[\"New\"], \"pairs\":{\"R\":5}}", "{\"pairs\":{\"R\":\"@4294967296\"}}",
        "{\"pairs\":{\"R\":\"@1x\"}}", "{\"tags\":[\"New\", 5]}", "{\"tags\":{}}",
        "{\"tags\":[\"New\"]", "{\"name\":5}", "{\"name\":\"New\", \"components\":{\"(A,B\":null}}",
        "{\"tags\":[\"New\"], \"components\":{\"Position\":{\"x\":\"a\"}}}", "{\"tags\":[\"\"]}" };
    uint64_t before = ecs_world_hash(world);
    expect_error(ECS_INVALID_PARAMETER, "cannot be a parent",
        ecs_world_from_json(world, "{\"results\":[{\"parent\":\"*\", \"name\":\"e\"}]}", NULL));
    ecs_log_set_level(-4);
    assert_null(ecs_world_from_json(world, NULL, NULL)); /* of a file that could not be read */
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (ecs_entity_from_json(world, e, texts[i], NULL)) fail_msg("accepted: %s", texts[i]);
        char *all = flecs_asprintf("{\"results\":[%s]}", texts[i]);
        if (*texts[i] && ecs_world_from_json(world, all, NULL)) fail_msg("accepted: %s", all);
        ecs_os_free(all);
    }
    assert_null(
        ecs_world_from_json(world, "{\"results\":[{\"parent\":\"*\", \"name\":\"e\"}]}", NULL));
    assert_null(
        ecs_world_from_json(world, "{\"results\":[{\"parent\":\"_\", \"name\":\"e\"}]}", NULL));
    ecs_log_set_level(-1);
    assert_hash_equal(ecs_world_hash(world), before);
    assert_non_null(ecs_world_from_json(world, /* what would be refused is there already */
        "{\"results\":[{\"parent\":\"base\", \"name\":\"e\", \"pairs\":{\"IsA\":\"base\"}},"
        "{\"name\":\"base\", \"tags\":[\"Prefab\"]},"
        "{\"parent\":\"base\", \"name\":\"e\", \"pairs\":{\"IsA\":\"base\"}}]}",
        NULL));
}

// What stands for any id, nobody can have.
static void wildcards_are_refused(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t e = make_entity(world);
    static const char *const texts[] = { "{\"tags\":[\"New\", \"%c\"]}",
        "{\"tags\":[\"(Likes,%c)\"]}", "{\"tags\":[\"auto_override|%c\"]}",
        "{\"pairs\":{\"Likes\":[\"New\", \"%c\"]}}", "{\"pairs\":{\"%c\":\"New\"}}",
        "{\"components\":{\"%c\":null}}", "{\"components\":{\"(Position,%c)\":{\"x\":1}}}",
        "{\"components\":{\"%c\":{\"x\":1}}}" };
    uint64_t before = ecs_world_hash(world);
    for (size_t i = 0; i < 2 * sizeof texts / sizeof *texts; i++) {
        char text[128];
        snprintf(text, sizeof text, texts[i / 2], i % 2 ? '*' : '_');
        expect_error(ECS_INVALID_PARAMETER, "is part of none",
            assert_null(ecs_entity_from_json(world, e, text, NULL)));
    }
    assert_hash_equal(ecs_world_hash(world), before);
}

static void names_are_paths_from_the_root_whatever_is_set(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t scope = ecs_entity(world, { .name = "Scope" }), tag = ecs_new(world);
    ecs_set_scope(world, scope);
    ecs_set_with(world, tag);
    assert_non_null(ecs_world_from_json(world, "{\"results\":[{\"name\":\"e\"}]}", NULL));
    assert_id_equal(world, ecs_get_scope(world), scope);
    assert_id_equal(world, ecs_get_with(world), tag);
    ecs_set_scope(world, 0);
    ecs_set_with(world, 0);
    assert_type(world, ecs_lookup(world, "e"), "(Identifier,Name)");
    ecs_entity(world, { .name = "Tag", .parent = scope });
    const ecs_entity_t path[] = { scope, 0 };
    ecs_entity_t *old_path = ecs_set_lookup_path(world, path);
    const char *old_prefix = ecs_set_name_prefix(world, "Old");
    assert_non_null(ecs_world_from_json(world,
        "{\"results\":[{\"name\":\"f\", \"tags\":[\"Prefab\", \"Tag\", \"OldTag\"]}]}", NULL));
    assert_string_equal(ecs_set_name_prefix(world, old_prefix), "Old");
    assert_ptr_equal(ecs_set_lookup_path(world, old_path), path);
    ecs_entity_t f = ecs_lookup(world, "f");
    assert_true(ecs_has_id(world, f, EcsPrefab));
    assert_true(ecs_has_id(world, f, ecs_lookup(world, "Tag")));
    assert_true(ecs_has_id(world, f, ecs_lookup(world, "OldTag")));
}

static ecs_entity_t find_in_pack(ecs_world_t *world, const char *name, void *ctx) {
    ++*(int *)ctx;
    return ecs_lookup_child(world, ecs_lookup(world, "pack"), name);
}

// The caller says what all names mean, but for numbers. api/07 7, 8
static void names_mean_what_the_caller_says(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t pack = ecs_entity(world, { .name = "pack" });
    ecs_add_pair(world, ecs_id(Position), EcsChildOf, pack);
    ecs_add_pair(world, ecs_id(Link), EcsChildOf, pack);
    ecs_entity_t to = ecs_entity(world, { .name = "pack.To" }),
                 tag = ecs_entity(world, { .name = "pack.Tag" });
    ecs_entity_t e = ecs_new(world), unnamed = ecs_new(world);
    int calls = 0;
    const ecs_from_json_desc_t desc = { .lookup_action = find_in_pack, .lookup_ctx = &calls };
    ecs_log_set_level(-4);
    const char *const wrong[] = { "{\"tags\":[\"Tag\", \"Nope\"]}", "{\"tags\":[\"pack.Tag\"]}",
        "{\"parent\":\"pack\"}", "{\"components\":{\"Link\":{\"to\":\"Nope\"}}}" };
    for (int i = 0; i < 4; i++) assert_null(ecs_entity_from_json(world, e, wrong[i], &desc));
    ecs_log_set_level(-1);
    assert_type(world, e, "");
    assert_int_equal(ecs_lookup(world, "Nope"), 0);
    char json[256];
    snprintf(json, sizeof json,
        "{\"parent\":\"To\", \"tags\":[\"Tag\"], \"pairs\":{\"Tag\":[\"To\", \"#%u\"]}, "
        "\"components\":{\"Position\":{\"x\":1}, \"(Link,Tag)\":{\"to\":\"To\"}}}",
        (uint32_t)unnamed);
    calls = 0;
    assert_non_null(ecs_entity_from_json(world, e, json, &desc));
    assert_true(calls >= 8);
    assert_id_equal(world, ecs_get_parent(world, e), to);
    assert_true(ecs_has_id(world, e, tag) && ecs_has_pair(world, e, tag, to));
    assert_true(ecs_has_pair(world, e, tag, unnamed));
    assert_int_equal(ecs_get(world, e, Position)->x, 1);
    assert_id_equal(world, ecs_get_pair(world, e, Link, tag)->to, to);
}

// ---- Results ----

static char *query_json(ecs_world_t *world, const char *expr, const ecs_iter_to_json_desc_t *desc) {
    ecs_query_t *query = ecs_query(world, { .expr = expr });
    assert_non_null(query);
    ecs_iter_t it = ecs_query_iter(world, query);
    char *json = ecs_iter_to_json(&it, desc);
    ecs_query_fini(query);
    return json;
}

// SER-01, SER-03
static void results_are_written_one_per_entity(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t likes = ecs_entity(world, { .name = "Likes" }),
                 tag = ecs_entity(world, { .name = "Tag" });
    ecs_entity_t a = ecs_entity(world, { .name = "a" }), b = ecs_entity(world, { .name = "b" });
    ecs_set(world, a, Position, { 1, 2 });
    ecs_set(world, b, Position, { 3, 4 });
    ecs_add_id(world, b, tag);
    ecs_add_pair(world, b, likes, a);
    check_json(query_json(world, "Position", NULL),
        "{\"results\":[{\"name\":\"a\", \"fields\":{\"values\":[{\"x\":1, \"y\":2}]}}, "
        "{\"name\":\"b\", \"fields\":{\"values\":[{\"x\":3, \"y\":4}]}}]}");
    check_json(query_json(world, "Position, ?Tag", NULL),
        "{\"results\":[{\"name\":\"a\", \"fields\":{\"is_set\":[true, false], \"values\":[{\"x\":1, \"y\":2}, 0]}}, "
        "{\"name\":\"b\", \"fields\":{\"values\":[{\"x\":3, \"y\":4}, 0]}}]}");
    check_json(query_json(world, "Tag", NULL), "{\"results\":[{\"name\":\"b\", \"fields\":{}}]}");
    check_json(query_json(world, "(Likes, *)", NULL),
        "{\"results\":[{\"name\":\"b\", \"fields\":{\"ids\":[[\"Likes\",\"a\"]]}}]}");
    check_json(query_json(world, "Position, (Likes, $x)", NULL),
        "{\"results\":[{\"name\":\"b\", \"vars\":{\"x\":\"a\"}, "
        "\"fields\":{\"ids\":[0, [\"Likes\",\"a\"]], \"values\":[{\"x\":3, \"y\":4}, 0]}}]}");
    check_json(query_json(world, "Position(a)", NULL),
        "{\"results\":[{\"fields\":{\"values\":[{\"x\":1, \"y\":2}]}}]}");
    check_json(query_json(world, "Position, $this != b, !(Likes, *)", NULL),
        "{\"results\":[{\"name\":\"a\", \"fields\":{\"is_set\":[true, false, false], "
        "\"values\":[{\"x\":1, \"y\":2}, 0, 0]}}]}");
    check_json(query_json(world, "Link", NULL), "{\"results\":[]}");
    ecs_iter_t each = ecs_each(world, Position);
    check_json(ecs_iter_to_json(&each, NULL),
        "{\"results\":[{\"name\":\"a\", \"fields\":{\"ids\":[[\"Position\"]], \"values\":[{\"x\":1, \"y\":2}]}}, "
        "{\"name\":\"b\", \"fields\":{\"ids\":[[\"Position\"]], \"values\":[{\"x\":3, \"y\":4}]}}]}");
}

// SER-04
static void a_query_is_written_as_text(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_query_t *query = ecs_query(world,
        { .terms = { { ecs_id(Position), .inout = EcsIn }, { ecs_id(Link), .oper = EcsNot } } });
    check_json(ecs_query_str(query), "[in] Position($this|self|up IsA), !Link($this|self|up IsA)");
    ecs_query_fini(query);
}

static void shared_values_tell_their_source(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t base = ecs_entity(world, { .name = "Base", .add = ecs_ids(EcsPrefab) });
    ecs_set(world, base, Position, { 1, 2 });
    ecs_entity_t i = ecs_entity(world, { .name = "i" });
    ecs_add_pair(world, i, EcsIsA, base);
    check_json(query_json(world, "Position", NULL),
        "{\"results\":[{\"name\":\"i\", \"fields\":{\"sources\":[\"Base\"], \"values\":[{\"x\":1, \"y\":2}]}}]}");
}

// SER-02, Q-ACC-11
static void values_of_out_and_none_terms_are_left_out(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t a = ecs_entity(world, { .name = "a" });
    ecs_set(world, a, Position, { 1, 2 });
    ecs_set(world, a, Link, { a });
    check_json(query_json(world, "[out] Position, [none] Link, [in] Position", NULL),
        "{\"results\":[{\"name\":\"a\", \"fields\":{\"values\":[0, 0, {\"x\":1, \"y\":2}]}}]}");
    ecs_iter_to_json_desc_t desc = ECS_ITER_TO_JSON_INIT;
    desc.serialize_values = false;
    check_json(
        query_json(world, "Position", &desc), "{\"results\":[{\"name\":\"a\", \"fields\":{}}]}");
    desc.serialize_query_info = true;
    desc.dont_serialize_results = true;
    check_json(query_json(world, "Position, (ChildOf, $x)", &desc),
        "{\"query_info\":{\"vars\":[\"this\", \"x\"], "
        "\"terms\":[\"Position($this|self|up IsA)\", \"ChildOf($this,$x)\"]}}");
}

static void what_results_have_in_common_comes_first(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_iter_to_json_desc_t desc = ECS_ITER_TO_JSON_INIT;
    desc.serialize_type_info = desc.serialize_field_info = desc.dont_serialize_results = true;
    check_json(query_json(world, "Position, ?Link", &desc),
        "{\"type_info\":{\"Position\":{\"x\":[\"int\"], \"y\":[\"int\"]}, \"Link\":{\"to\":[\"entity\"]}}, "
        "\"field_info\":[{\"id\":\"Position\", \"type\":\"Position\", \"symbol\":\"Position\", "
        "\"schema\":{\"x\":[\"int\"], \"y\":[\"int\"]}}, "
        "{\"id\":\"Link\", \"optional\":true, \"type\":\"Link\", \"symbol\":\"Link\", \"schema\":{\"to\":[\"entity\"]}}]}");
    desc = ECS_ITER_TO_JSON_INIT;
    desc.serialize_table = desc.serialize_parents_before_children = true;
    ecs_entity_t b = ecs_entity(world, { .name = "b" }), p = ecs_entity(world, { .name = "p" });
    ecs_set(world, b, Position, { 1, 2 });
    ecs_add_pair(world, b, EcsChildOf, p);
    ecs_set(world, p, Position, { 3, 4 });
    check_json(query_json(world, "Position", &desc),
        "{\"results\":[{\"name\":\"p\", \"components\":{\"Position\":{\"x\":3, \"y\":4}}}, "
        "{\"parent\":\"p\", \"name\":\"b\", \"components\":{\"Position\":{\"x\":1, \"y\":2}}}]}");
}

// Mixed with values of the entity itself, whatever keeps them. SER-01, SER-03
static void fields_tell_whose_values_they_have(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_add_id(world, ecs_id(Link), EcsSparse);
    ecs_entity_t p = ecs_entity(world, { .name = "p" }), tag = ecs_entity(world, { .name = "Tag" });
    ecs_entity_t c = ecs_entity(world, { .name = "c", .parent = p });
    ecs_set(world, p, Position, { 1, 2 });
    ecs_set(world, p, Link, { c });
    ecs_set(world, c, Position, { 3, 4 });
    ecs_set(world, c, Link, { p });
    ecs_set(world, c, Hidden, { 5 });
    ecs_add_pair(world, c, tag, p);
    check_json(query_json(world, "Position, Link, Position(up), Link(up), Hidden", NULL),
        "{\"results\":[{\"parent\":\"p\", \"name\":\"c\", \"fields\":{\"sources\":[0, 0, \"p\", \"p\", 0], "
        "\"values\":[{\"x\":3, \"y\":4}, {\"to\":\"p\"}, {\"x\":1, \"y\":2}, {\"to\":\"p.c\"}, 0]}}]}");
    check_json(query_json(world, "(Tag, $x), Link($x), Tag($y, $x)", NULL),
        "{\"results\":[{\"parent\":\"p\", \"name\":\"c\", \"vars\":{\"x\":\"p\", \"y\":\"p.c\"}, "
        "\"fields\":{\"ids\":[[\"Tag\",\"p\"], 0, [\"Tag\",\"p\"]], \"sources\":[0, \"p\", \"p.c\"], "
        "\"values\":[0, {\"to\":\"p.c\"}, 0]}}]}");
    ecs_iter_to_json_desc_t desc = ECS_ITER_TO_JSON_INIT;
    desc.serialize_parents_before_children = true; /* results without entity come first */
    check_json(query_json(world, "Hidden($x), Link(p)", &desc),
        "{\"results\":[{\"vars\":{\"x\":\"p.c\"}, "
        "\"fields\":{\"sources\":[\"p.c\", \"p\"], \"values\":[0, {\"to\":\"p.c\"}]}}]}");
    desc = (ecs_iter_to_json_desc_t){ .serialize_type_info = true,
        .serialize_field_info = true,
        .serialize_query_plan = true,
        .dont_serialize_results = true };
    char *json = query_json(world, "Hidden, Hidden(up), !Tag, (Tag, p)", &desc);
    static const char begin[] =
        "{\"type_info\":{\"Hidden\":0}, \"field_info\":["
        "{\"id\":\"Hidden\", \"type\":\"Hidden\", \"symbol\":\"Hidden\"}, "
        "{\"id\":\"Hidden\", \"type\":\"Hidden\", \"symbol\":\"Hidden\"}, "
        "{\"id\":\"Tag\", \"not\":true}, {\"id\":\"(Tag,p)\"}], \"query_plan\":\"";
    assert_int_equal(strncmp(json, begin, strlen(begin)), 0);
    ecs_os_free(json);
    ecs_query_t *other = ecs_query(world, { .expr = "(Tag, $z)" });
    desc = (ecs_iter_to_json_desc_t){
        .serialize_query_info = true, .dont_serialize_results = true, .query = (ecs_poly_t *)other
    };
    check_json(query_json(world, "Hidden", &desc),
        "{\"query_info\":{\"vars\":[\"this\", \"z\"], \"terms\":[\"Tag($this|self|up IsA,$z)\"]}}");
    ecs_query_fini(other);
}

// SER-01: also of entities that are written by their fields. api/07 9
// SER-01, SER-03: also of parts of such iterators.
static void iterators_without_query_tell_what_they_ask_for(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t parent = ecs_entity(world, { .name = "p" });
    ecs_set(world, ecs_entity(world, { .parent = parent, .name = "c" }), Position, { 1, 2 });
    ecs_iter_to_json_desc_t desc = {
        .serialize_type_info = true, .serialize_field_info = true, .dont_serialize_results = true
    };
    ecs_iter_t it = ecs_children(world, parent);
    check_json(ecs_iter_to_json(&it, &desc),
        "{\"type_info\":{}, \"field_info\":[{\"id\":\"(ChildOf,p)\", \"exclusive\":true}]}");
    for (int32_t parts = 0; parts < 2; parts++) {
        it = ecs_each(world, Position);
        ecs_iter_t page = ecs_page_iter(&it, 0, 1), share = ecs_worker_iter(&page, 0, 1);
        check_json(ecs_iter_to_json(parts ? &share : &it, &desc),
            "{\"type_info\":{\"Position\":{\"x\":[\"int\"], \"y\":[\"int\"]}}, "
            "\"field_info\":[{\"id\":\"Position\", \"type\":\"Position\", \"symbol\":\"Position\", "
            "\"schema\":{\"x\":[\"int\"], \"y\":[\"int\"]}}]}");
    }
}

static void fields_that_nothing_matches_have_an_id_nonetheless(void **state) {
    ecs_world_t *world = *state;
    ecs_iter_to_json_desc_t desc = { .serialize_field_info = true, .dont_serialize_results = true };
    ecs_query_t *q =
        ecs_query(world, { .expr = "?(Nope, *), ?Nope", .flags = EcsQueryAllowUnresolvedByName });
    ecs_iter_t it = ecs_query_iter(world, q);
    check_json(ecs_iter_to_json(&it, &desc),
        "{\"field_info\":[{\"id\":\"(#0,*)\", \"optional\":true}, {\"id\":0, \"optional\":true}]}");
    ecs_query_fini(q);
}

static void who_refers_to_an_entity_and_who_finds_it_comes_behind_its_fields(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t p = ecs_entity(world, { .name = "p" });
    ecs_set(world, p, Position, { 1, 2 });
    ecs_entity(world, { .name = "child", .parent = p });
    ecs_query(world, { .entity = ecs_entity(world, { .name = "found" }), .expr = "Position" });
    ecs_iter_to_json_desc_t desc = ECS_ITER_TO_JSON_INIT;
    desc.serialize_refs = EcsChildOf;
    desc.serialize_matches = true;
    check_json(query_json(world, "Position", &desc),
        "{\"results\":[{\"name\":\"p\", \"fields\":{\"values\":[{\"x\":1, \"y\":2}]}, "
        "\"refs\":{\"flecs.core.ChildOf\":[\"p.child\"]}, \"matches\":[\"found\"]}]}");
    desc.serialize_fields = false;
    desc.serialize_table = true;
    check_json(query_json(world, "Position", &desc),
        "{\"results\":[{\"name\":\"p\", \"components\":{\"Position\":{\"x\":1, \"y\":2}}, "
        "\"refs\":{\"flecs.core.ChildOf\":[\"p.child\"]}, \"matches\":[\"found\"]}]}");
}

// SER-01: of all that is gone through, whether it is written or not, and by whom.
static void a_profile_comes_behind_the_results(void **state) {
    ecs_world_t *world = *state;
    define(world);
    for (int i = 0; i < 3; i++) ecs_set(world, ecs_new(world), Position, { i, i });
    ecs_query_t *query = ecs_query(world, { .expr = "Position, ?Link" });
    ecs_iter_to_json_desc_t desc = { .serialize_query_profile = true };
    for (int way = 0; way < 3; way++) {
        ecs_iter_t it = ecs_query_iter(world, query), page;
        if (way == 2) page = ecs_page_iter(&it, 1, 1);
        desc.dont_serialize_results = way == 1;
        char *json = ecs_iter_to_json(way == 2 ? &page : &it, &desc);
        assert_true(json && strstr(json, "\"query_profile\":\"") && strstr(json, "held 1"));
        assert_true(!strstr(json, "results") == desc.dont_serialize_results);
        ecs_os_free(json);
    }
    ecs_query_fini(query);
}

// ---- Worlds ----

static void fill_module(ecs_world_t *world) {
    define(world);
    ecs_entity_t module = ecs_entity(world, { .name = "physics" });
    ecs_add_id(world, module, EcsModule);
    ecs_set(world, ecs_entity(world, { .parent = module, .name = "body" }), Position, { 1, 2 });
    ecs_set(world, ecs_entity(world, { .name = "free" }), Position, { 3, 4 });
    ecs_query(world, { .entity = ecs_entity(world, { .name = "found" }), .expr = "Position" });
}

// What code makes anew, or on demand all of it. api/07 9
static void modules_and_builtins_are_written_on_demand(void **state) {
    ecs_world_t *world = *state, *other = ecs_init();
    fill_module(world);
    char *json = ecs_world_to_json(world, NULL);
    assert_true(strstr(json, "free") && !strstr(json, "physics") && !strstr(json, "found"));
    ecs_os_free(json);
    json = ecs_world_to_json(world, &(ecs_world_to_json_desc_t){ .serialize_modules = true });
    assert_true(strstr(json, "{\"parent\":\"physics\", \"name\":\"body\"") != NULL);
    assert_true(!strstr(json, "flecs.core\"") && !strstr(json, "found"));
    ecs_os_free(json);
    const ecs_world_to_json_desc_t all = { .serialize_modules = true, .serialize_builtin = true };
    json = ecs_world_to_json(world, &all);
    assert_true(strstr(json, "{\"parent\":\"flecs.core\", \"name\":\"ChildOf\"") != NULL);
    assert_true(strstr(json, "\"name\":\"found\"") != NULL);
    define(other);
    assert_non_null(ecs_world_from_json(other, json, NULL)); /* builtins stay as they are */
    ecs_os_free(json);
    assert_int_equal(ecs_get(other, ecs_lookup(other, "physics.body"), Position)->y, 2);
    assert_null(ecs_query_get(other, ecs_lookup(other, "found")));
    assert_int_equal(ecs_fini(other), 0);
}

// The text without ids, which differ from world to world.
static void strip_ids(char *json) {
    char *out = json;
    for (char *in = json; *in; in++) {
        if (!strncmp(in, "\"id\":", 5)) in += 5 + strspn(in + 5, "0123456789, ");
        if (*in == '#') in += strspn(in, "#0123456789");
        *out++ = *in;
    }
    *out = '\0';
}

static int compare_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

// The objects of all entities in alphabetical order, one per line.
static char *sorted_entities(ecs_world_t *world) {
    char *json = ecs_world_to_json(world, NULL), *objects[64];
    int count = 0, depth = 0;
    strip_ids(json);
    for (char *ch = json; *ch; ch++) {
        if (*ch == '{' && ++depth == 2) objects[count++] = ch;
        if (*ch == '}' && depth-- == 2) *ch = '\0';
    }
    qsort(objects, (size_t)count, sizeof *objects, compare_text);
    ecs_strbuf_t text = ECS_STRBUF_INIT;
    for (int i = 0; i < count; i++) ecs_strbuf_append(&text, "%s\n", objects[i]);
    ecs_os_free(json);
    return ecs_strbuf_get(&text);
}

static void fill_world(ecs_world_t *world) {
    make_entity(world);
    ecs_entity_t anonymous = ecs_new(world), other = ecs_new_w_pair(world, EcsChildOf, anonymous);
    ecs_set(world, anonymous, Link, { other });
    ecs_set(world, other, Link, { ecs_lookup(world, "parent.child") });
    ecs_add_pair(world, other, ecs_lookup(world, "Likes"), anonymous);
    ecs_entity_t prefab = ecs_entity(world, { .name = "Prefab", .add = ecs_ids(EcsPrefab) });
    ecs_set(world, prefab, Position, { 7, 8 });
    ecs_auto_override(world, prefab, Position);
    ecs_add_id(world, prefab, ECS_OR | anonymous);
    ecs_add_pair(world, ecs_entity(world, { .name = "with.dots", .sep = "" }), EcsIsA, prefab);
    static const char *const odd[] = { "#12", "*", "\\#12", "a::b", "_", "$", ".", "#x" };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        ecs_entity_t e = ecs_set_name(world, ecs_new(world), odd[i]);
        ecs_add_id(world, e, e);
        if (i % 2) ecs_add_pair(world, e, EcsChildOf, prefab);
    }
    ecs_singleton_set(world, Position, { 9, 9 });
    ecs_doc_set_name(world, prefab, "A \"prefab\"");
}

static void a_world_is_restored_in_another_one(void **state) {
    ecs_world_t *world = *state;
    define(world);
    fill_world(world);
    char *json = ecs_world_to_json(world, NULL);
    assert_non_null(json);
    ecs_world_t *copy = ecs_init();
    define(copy);
    ecs_entity_t others[10]; // so that ids are others
    for (int i = 0; i < 10; i++) others[i] = ecs_new(copy);
    assert_non_null(ecs_world_from_json(copy, json, NULL));
    for (int i = 0; i < 10; i++) ecs_delete(copy, others[i]);
    ecs_os_free(json);
    char *restored = sorted_entities(copy);
    char *before = sorted_entities(world);
    size_t same = 0;
    while (before[same] && before[same] == restored[same]) same++;
    if (before[same] || restored[same])
        fail_msg("before: …%.60s\nafter: …%.60s", before + same, restored + same);
    ecs_os_free(before);
    ecs_os_free(restored);
    ecs_entity_t link = ecs_lookup(copy, "parent.child");
    assert_true(ecs_owns(copy, ecs_lookup(copy, "with\\.dots"), Position));
    ecs_iter_t it = ecs_each(copy, Link);
    int32_t count = 0;
    while (ecs_each_next(&it)) {
        for (int i = 0; i < it.count; i++) {
            ecs_entity_t to = ecs_get(copy, it.entities[i], Link)->to;
            bool is_child = ecs_get_parent(copy, it.entities[i]) != 0;
            assert_true(is_child ? to == link : ecs_get_parent(copy, to) == it.entities[i]);
            count++;
        }
    }
    assert_int_equal(count, 2);
    assert_true(ecs_world_verify(copy));
    ecs_fini(copy);
}

// The type of the elements has no name and another id, or is missing.
static void worlds_with_types_without_name_are_restored(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Bag) = 0;
    ECS_META_COMPONENT(world, Bag);
    define(world);
    ecs_entity_t plain = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
    ecs_entity_t e = ecs_entity(world, { .name = "e" });
    ecs_set(world, e, Bag, { { 0 } });
    ecs_ptr_from_json(world, ecs_id(Bag), ecs_get_mut(world, e, Bag), "{\"items\":[1, 2]}", NULL);
    ecs_set_id(world, e, plain, 4, &(int32_t){ 3 });
    char *json = ecs_world_to_json(world, NULL);
    ecs_vec_fini_t(NULL, &ecs_get_mut(world, e, Bag)->items, int32_t);
    for (int with_types = 0; with_types < 2; with_types++) {
        ecs_world_t *copy = ecs_init();
        ecs_id(Bag) = 0;
        if (with_types) {
            define(copy);
            ECS_META_COMPONENT(copy, Bag);
        }
        assert_non_null(ecs_world_from_json(copy, json, NULL));
        Bag *bag = with_types ? ecs_get_mut(copy, ecs_lookup(copy, "e"), Bag) : NULL;
        if (bag) {
            assert_int_equal(*ecs_vec_get_t(&bag->items, int32_t, 1), 2);
            ecs_vec_fini_t(NULL, &bag->items, int32_t);
        }
        ecs_fini(copy);
    }
    ecs_os_free(json);
}

// Traits come before what has the ids, although those that have them stand first; slots lead to
// children of unnamed instances; children keep their order.
static void fill_with_traits(ecs_world_t *world) {
    ecs_entity_t user = ecs_entity(world, { .name = "user" });
    ecs_entity_t scope = ecs_entity(world, { .name = "scope" });
    ecs_entity_t one = ecs_entity(world, { .name = "One", .parent = scope });
    ecs_entity_t many = ecs_entity(world, { .name = "Many", .parent = scope });
    ecs_add_id(world, one, EcsExclusive);
    ecs_add_pair(world, one, EcsOnDeleteTarget, EcsDelete);
    ecs_add_id(world, many, EcsDontFragment);
    ecs_add_pair(world, user, one, scope);
    ecs_add_pair(world, user, many, scope);
    ecs_add_pair(world, user, many, one);
    ecs_entity_t likes = ecs_entity(world, { .name = "Likes" });
    ecs_add_pair(world, user, likes, scope);
    ecs_add_id(world, user, ecs_value_pair(likes, 7));
    ecs_add_pair(world, user, ecs_entity(world, { .name = "Knows" }), one);
    ecs_entity_t prefab = ecs_entity(world, { .name = "Car", .add = ecs_ids(EcsPrefab) });
    ecs_entity_t slot = ecs_entity(world, { .name = "Wheel", .parent = prefab });
    ecs_add_pair(world, slot, EcsSlotOf, prefab);
    ecs_new_w_pair(world, EcsIsA, prefab);
    ecs_entity_t ordered =
        ecs_entity(world, { .name = "ordered", .add = ecs_ids(EcsOrderedChildren) });
    ecs_entity_t a = ecs_entity(world, { .name = "a", .parent = ordered });
    ecs_entity_t b = ecs_entity(world, { .name = "b", .parent = ordered });
    ecs_set_child_order(world, ordered, (ecs_entity_t[]){ b, a }, 2);
}

static void traits_slots_and_orders_are_restored(void **state) {
    ecs_world_t *world = *state, *copy = ecs_init();
    fill_with_traits(world);
    char *json = ecs_world_to_json(world, NULL);
    ecs_log_last_error();
    assert_non_null(ecs_world_from_json(copy, json, NULL));
    assert_int_equal(ecs_log_last_error(), 0); /* nothing was left out */
    ecs_os_free(json);
    ecs_entity_t user = ecs_lookup(copy, "user"), one = ecs_lookup(copy, "scope.One");
    assert_true(ecs_has_id(copy, one, EcsExclusive));
    assert_true(ecs_has_pair(copy, one, EcsOnDeleteTarget, EcsDelete));
    assert_true(ecs_has_id(copy, ecs_lookup(copy, "scope.Many"), EcsDontFragment));
    check_json(ecs_entity_to_json(copy, user, NULL),
        "{\"name\":\"user\", \"pairs\":{\"Likes\":[\"scope\", \"@7\"], \"Knows\":\"scope.One\", "
        "\"scope.One\":\"scope\", \"scope.Many\":[\"scope\", \"scope.One\"]}}");
    ecs_entity_t car = ecs_lookup(copy, "Car"), slot = ecs_lookup(copy, "Car.Wheel");
    ecs_iter_t it = ecs_each_pair(copy, EcsIsA, car);
    assert_true(ecs_each_next(&it));
    ecs_entity_t wheel = ecs_get_target(copy, it.entities[0], slot, 0);
    assert_id_equal(copy, wheel, ecs_lookup_child(copy, it.entities[0], "Wheel"));
    assert_false(ecs_table_has_id(copy, it.table, ecs_pair(slot, wheel))); /* beside tables */
    ecs_iter_fini(&it);
    ecs_entities_t children = ecs_get_ordered_children(copy, ecs_lookup(copy, "ordered"));
    assert_int_equal(children.count, 2);
    assert_string_equal(ecs_get_name(copy, children.ids[0]), "b");
    assert_true(ecs_world_verify(copy));
    ecs_fini(copy);
}

// A base gives nothing again: neither an override that was removed, nor parts beside those of the text.
static void instances_are_restored_as_they_were(void **state) {
    ecs_world_t *world = *state, *copy = ecs_init();
    define(world);
    ecs_entity_t part = ecs_entity(world, { .name = "Part", .add = ecs_ids(EcsPrefab) });
    ecs_entity_t base = ecs_entity(world, { .name = "Base", .add = ecs_ids(EcsPrefab) });
    ecs_set(world, base, Position, { 1, 2 });
    ecs_auto_override(world, base, Position);
    ecs_new_w_pair(world, EcsChildOf, part);
    ecs_entity(world, { .name = "gone", .parent = part });
    ecs_entity_t parent = ecs_entity(world, { .name = "a.b.c" });
    ecs_entity_t instance = ecs_entity(world, { .name = "inst", .parent = parent });
    ecs_add_pair(world, instance, EcsIsA, part);
    ecs_add_pair(world, instance, EcsIsA, base);
    ecs_delete(world, ecs_lookup(world, "a.b.c.inst.gone"));
    ecs_remove(world, instance, Position);
    char *json = ecs_world_to_json(world, NULL);
    define(copy);
    assert_non_null(ecs_world_from_json(copy, json, NULL));
    ecs_os_free(json);
    ecs_entity_t restored = ecs_lookup(copy, "a.b.c.inst");
    assert_true(ecs_has(copy, restored, Position) && !ecs_owns(copy, restored, Position));
    assert_int_equal(ecs_count_id(copy, ecs_childof(restored)), 1);
    /* What has no id was written by hand: a base gives it what it gives others. */
    assert_non_null(ecs_world_from_json(copy,
        "{\"results\":[{\"name\":\"new\", \"pairs\":{\"flecs.core.IsA\":[\"Base\", \"Part\"]}}]}",
        NULL));
    assert_true(ecs_owns(copy, ecs_lookup(copy, "new"), Position));
    assert_int_equal(ecs_count_id(copy, ecs_childof(ecs_lookup(copy, "new"))), 2);
    ecs_fini(copy);
}

// Prefabs that code makes in every world, with what instances own, parts, and slots.
static void make_prefabs(ecs_world_t *world) {
    ecs_id(Position) = ecs_id(Link) = ecs_id(Hidden) = 0;
    ECS_META_COMPONENT(world, Position);
    ECS_META_COMPONENT(world, Link);
    ECS_COMPONENT_DEFINE(world, Hidden);
    ecs_add_pair(world, ecs_id(Link), EcsOnInstantiate, EcsOverride);
    ecs_add_id(world, ecs_id(Hidden), EcsDontFragment);
    ecs_entity_t base = ecs_entity(world, { .name = "Base", .add = ecs_ids(EcsPrefab) });
    ecs_set(world, base, Position, { 1, 2 });
    ecs_auto_override(world, base, Position);
    ecs_set(world, base, Link, { base });
    ecs_set(world, base, Hidden, { 3 });
    ecs_auto_override(world, base, Hidden);
    ecs_add_pair(world, ecs_entity(world, { .name = "slot", .parent = base }), EcsSlotOf, base);
    ecs_entity(world, { .name = "part", .parent = base });
}

// Also if the world has these bases already, and reads at the merge.
static void bases_that_are_there_give_nothing_again(void **state) {
    ecs_world_t *world = *state;
    make_prefabs(world);
    ecs_entity_t base = ecs_lookup(world, "Base"), inst = ecs_entity(world, { .name = "inst" });
    ecs_add_pair(world, inst, EcsIsA, base);
    ecs_delete(world, ecs_lookup(world, "inst.part"));
    ecs_remove(world, inst, Position);
    ecs_remove(world, inst, Link);
    ecs_remove(world, inst, Hidden);
    ecs_delete(world, ecs_get_target(world, ecs_new_w_pair(world, EcsIsA, base),
                          ecs_lookup(world, "Base.slot"), 0));
    char *json = ecs_world_to_json(world, NULL);
    for (int32_t deferred = 0; deferred < 2; deferred++) {
        ecs_world_t *copy = ecs_init();
        make_prefabs(copy);
        if (deferred) ecs_defer_begin(copy);
        assert_non_null(ecs_world_from_json(copy, json, NULL));
        if (deferred) ecs_defer_end(copy);
        inst = ecs_lookup(copy, "inst");
        base = ecs_lookup(copy, "Base");
        assert_true(ecs_has_pair(copy, inst, EcsIsA, base));
        assert_false(ecs_owns(copy, inst, Position) || ecs_owns(copy, inst, Link));
        assert_false(ecs_owns(copy, inst, Hidden));
        assert_int_equal(ecs_count_id(copy, ecs_childof(inst)), 1);
        assert_int_equal(ecs_count_id(copy, ecs_childof(base)), 2);
        assert_id_equal(copy, ecs_get_target(copy, inst, ecs_lookup(copy, "Base.slot"), 0),
            ecs_lookup(copy, "inst.slot"));
        ecs_entity_t again = ecs_new_w_pair(copy, EcsIsA, base);
        assert_true(ecs_owns(copy, again, Position) && ecs_owns(copy, again, Link));
        assert_int_equal(ecs_count_id(copy, ecs_childof(again)), 2);
        assert_true(ecs_world_verify(copy));
        ecs_fini(copy);
    }
    ecs_os_free(json);
}

static void what_is_kept_beside_tables_is_written_and_read(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_add_id(world, ecs_id(Position), EcsDontFragment);
    ecs_entity_t mood = ecs_entity(world, { .name = "Mood", .add = ecs_ids(EcsUnion) });
    ecs_entity_t happy = ecs_entity(world, { .name = "Happy", .parent = mood });
    ecs_entity_t e = ecs_entity(world, { .name = "e" }), f = ecs_new(world);
    ecs_set(world, e, Position, { 1, 2 });
    ecs_add_pair(world, e, mood, happy);
    ecs_add_id(world, ecs_id(Link), EcsCanToggle);
    ecs_set(world, e, Link, { happy });
    ecs_enable_component(world, e, Link, false);
    const char *text =
        "{\"name\":\"e\", \"tags\":[\"toggle|Link\"], \"pairs\":{\"Mood\":\"Mood.Happy\"}, "
        "\"components\":{\"Position\":{\"x\":1, \"y\":2}, \"Link\":{\"to\":\"Mood.Happy\"}}}";
    check_json(ecs_entity_to_json(world, e, NULL), text);
    ecs_set_name(world, e, NULL);
    assert_non_null(ecs_entity_from_json(world, f, text, NULL));
    check_json(ecs_entity_to_json(world, f, NULL), text);
    ecs_remove(world, f, Link); /* off before it comes */
    ecs_entity_t g = ecs_new(world);
    char *json = ecs_entity_to_json(world, f, NULL);
    assert_non_null(ecs_entity_from_json(world, g, json, NULL));
    ecs_os_free(json);
    ecs_set(world, g, Link, { happy });
    assert_false(ecs_is_enabled(world, g, Link));
}

static bool note_edge(
    ecs_world_t *world, ecs_entity_t source, ecs_entity_t target, void *edge, void *ctx) {
    (void)world, (void)source, (void)target, (void)edge;
    ++*(int *)ctx;
    return true;
}

// A world in which another one was written and read.
static ecs_world_t *copy_of(ecs_world_t *world) {
    char *json = ecs_world_to_json(world, NULL);
    ecs_world_t *copy = ecs_init();
    define(copy);
    const char *end = ecs_world_from_json(copy, json, NULL);
    assert_true(end && !*end);
    ecs_os_free(json);
    return copy;
}

// What a handle led to may be gone, and another entity in its place: in a copy it leads nowhere, too.
static void handles_of_the_dead_stay_dead(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t e = ecs_entity(world, { .name = "e" }), f = ecs_entity(world, { .name = "f" });
    ecs_entity_t gone = ecs_new(world);
    ecs_delete(world, gone);
    ecs_set(world, ecs_new(world), Position, { 1, 2 }); /* takes its place */
    ecs_set(world, e, Link, { gone });
    gone = ecs_new(world);
    ecs_set(world, f, Link, { gone });
    ecs_delete(world, gone);
    ecs_world_t *copy = copy_of(world);
    static const char *const names[] = { "e", "f" };
    for (int i = 0; i < 2; i++) {
        ecs_entity_t to = ecs_get(copy, ecs_lookup(copy, names[i]), Link)->to;
        assert_true(to && !ecs_is_alive(copy, to));
    }
    ecs_fini(copy);
    char *json = ecs_entity_to_json(world, e, NULL);
    assert_non_null(ecs_entity_from_json(world, e, json, NULL));
    assert_false(ecs_is_alive(world, ecs_get(world, e, Link)->to));
    ecs_os_free(json);
}

static void assert_children(const ecs_world_t *world, const char *path, const char *expected) {
    char names[64] = "";
    ecs_iter_t it = ecs_children(world, ecs_lookup(world, path));
    while (ecs_children_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) {
            strcat(names, ecs_get_name(world, it.entities[i]));
            if (ecs_owns(world, it.entities[i], EcsParent)) strcat(names, "*");
        }
    }
    assert_string_equal(names, expected);
}

// Sheet 02, section 6; sheet 07, section 9.
static void children_by_component_are_restored_as_such_and_in_their_order(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t early = ecs_entity(world, { .name = "early" });
    ecs_entity_t p = ecs_entity(world, { .name = "p" });
    ecs_entity_t a = ecs_entity(world, { .name = "a", .parent = p });
    ecs_entity_t b = ecs_new_w_parent(world, p, "b"), c = ecs_new_w_parent(world, p, "c");
    ecs_new_w_parent(world, b, "d");
    ecs_set_child_order(world, p, (ecs_entity_t[]){ c, b, a }, 3);
    ecs_set(world, early, Link, { a }); // named before its object comes
    ecs_iter_t of_b = ecs_children(world, b);
    check_json(ecs_iter_to_json(&of_b, NULL),
        "{\"results\":[{\"parent\":\"p.b\", \"name\":\"d\", "
        "\"fields\":{\"ids\":[[\"flecs.core.ChildOf\",\"p.b\"]]}}]}");
    ecs_entity_t prefab = ecs_entity(world, { .name = "prefab", .add = ecs_ids(EcsPrefab) });
    ecs_entity_t part = ecs_entity(world, { .name = "part", .parent = prefab });
    ecs_add_id(world, part, EcsOrderedChildren); // a trait, but not of relationships
    ecs_entity(world, { .name = "instance", .add = ecs_ids(ecs_isa(prefab)) });
    ecs_world_t *copy = copy_of(world);
    assert_children(copy, "instance", "part");
    assert_children(copy, "p", "c*b*a");
    assert_children(copy, "p.b", "d*");
    ecs_entity_t other = ecs_lookup(copy, "p.b");
    assert_non_null(ecs_entity_from_json(copy, other, "{\"parent\":\"p\", \"name\":\"b\"}", NULL));
    assert_true(ecs_owns(copy, other, EcsParent));
    ecs_defer_begin(copy);
    const char *parent = "{\"parent\":\"p\", \"components\":{\"flecs.core.Parent\":null}}";
    assert_non_null(ecs_entity_from_json(copy, ecs_lookup(copy, "early"), parent, NULL));
    ecs_defer_end(copy);
    assert_children(copy, "p", "c*b*aearly*");
    assert_true(ecs_world_verify(copy));
    ecs_fini(copy);
}

// Names that look like pairs, numbers, or ids with flags.
static void names_with_marks_are_restored(void **state) {
    ecs_world_t *world = *state;
    define(world);
    const char *names[] = { "(x,y)", "(x", "\\(x", "()", "a,b", "@10", "@x", "toggle|X", "and|X",
        "\\|", "a.b", " x", " ", "x ", "\\", "a\\", "a<", "a<b" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ecs_entity_t odd = ecs_entity(world, { .name = names[i], .sep = "" }), e = ecs_new(world);
        ecs_entity_t below = ecs_entity(world, { .parent = odd, .name = "c>d" });
        ecs_add_id(world, e, odd);
        ecs_add_id(world, e, below);
        ecs_add_id(world, e, ECS_AUTO_OVERRIDE | odd);
        ecs_add_pair(world, e, odd, odd);
        ecs_set_pair(world, e, Position, odd, { 1, (int32_t)i });
        char *type = ecs_type_str(world, ecs_get_type(world, e));
        char *json = ecs_entity_to_json(world, e, NULL);
        ecs_entity_t other = ecs_new(world);
        assert_non_null(ecs_entity_from_json(world, other, json, NULL));
        assert_type(world, other, type);
        assert_int_equal(ecs_get_pair(world, other, Position, odd)->y, i);
        ecs_os_free(json);
        ecs_os_free(type);
    }
    ecs_world_t *copy = copy_of(world);
    assert_int_equal(ecs_count(copy, Position), ecs_count(world, Position));
    char *before = ecs_world_to_json(world, NULL), *after = ecs_world_to_json(copy, NULL);
    assert_string_equal(before, after);
    ecs_os_free(before);
    ecs_os_free(after);
    ecs_fini(copy);
}

static void count_calls(ecs_iter_t *it) { *(int *)it->ctx += it->count; }

// What came with an id and was removed, what is on by a bit, and second names.
// A child of a prefab is one itself, unless the tag was taken away: also if the parent's object comes later.
static void children_of_prefabs_that_are_none_stay_so(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t base = ecs_entity(world, { .name = "Base", .add = ecs_ids(EcsPrefab) });
    ecs_entity_t none = ecs_entity(world, { .name = "none", .parent = base });
    ecs_entity(world, { .name = "one", .parent = base });
    ecs_remove_id(world, none, EcsPrefab);
    ecs_entity(world, { .name = "below", .parent = none });
    char *json = ecs_world_to_json(world, NULL);
    const char *reversed = "{\"results\":[{\"name\":\"child\", \"parent\":\"P\", \"id\":7000},"
                           "{\"name\":\"P\", \"id\":7001, \"tags\":[\"Prefab\"]}]}";
    for (int32_t deferred = 0; deferred < 2; deferred++) {
        ecs_world_t *copy = ecs_init();
        if (deferred) ecs_defer_begin(copy);
        assert_non_null(ecs_world_from_json(copy, json, NULL));
        assert_non_null(ecs_world_from_json(copy, reversed, NULL));
        if (deferred) ecs_defer_end(copy);
        static const char *const names[] = { "Base", "Base.one", "Base.none", "Base.none.below",
            "P", "P.child" };
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            assert_int_equal(
                ecs_owns_id(copy, ecs_lookup(copy, names[i]), EcsPrefab), i < 2 || i == 4);
        ecs_fini(copy);
    }
    ecs_os_free(json);
}

// Whoever comes first in the text names them by a number, or by what would mean no entity.
static void who_is_named_before_it_comes_is_the_same_entity(void **state) {
    ecs_world_t *world = *state, *copy = ecs_init();
    define(world);
    define(copy);
    ecs_entity_t first = ecs_entity(world, { .name = "First" });
    ecs_entity_t slash = ecs_entity(world, { .name = "below\\", .parent = first });
    ecs_entity_t open = ecs_entity(world, { .name = "<open" });
    ecs_entity_t a = ecs_entity(world, { .name = "a", .parent = slash });
    ecs_entity_t b = ecs_entity(world, { .name = "b", .parent = open });
    ecs_entity_t likes = ecs_entity(world, { .name = "Likes" });
    ecs_add_pair(world, first, likes, a);
    ecs_add_pair(world, first, likes, b);
    ecs_set(world, first, Link, { ecs_entity(world, { .name = "0" }) });
    char *json = ecs_world_to_json(world, NULL);
    for (int again = 0; again < 2; again++) { /* what is there already is found */
        assert_non_null(ecs_world_from_json(copy, json, NULL));
        first = ecs_lookup(copy, "First");
        slash = ecs_lookup_child(copy, first, "below\\");
        a = ecs_lookup_child(copy, slash, "a");
        b = ecs_lookup_child(copy, ecs_lookup_child(copy, 0, "<open"), "b");
        likes = ecs_lookup(copy, "Likes");
        assert_true(ecs_has_pair(copy, first, likes, a) && ecs_has_pair(copy, first, likes, b));
        assert_int_equal(ecs_get_target(copy, first, likes, 2), 0);
        assert_id_equal(copy, ecs_get(copy, first, Link)->to, ecs_lookup_child(copy, 0, "0"));
    }
    ecs_os_free(json);
    ecs_fini(copy);
}

static void saved_entities_get_nothing_that_they_had_not(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_entity(world, { .name = "A" }), b = ecs_entity(world, { .name = "B" });
    ecs_entity_t c = ecs_entity(world, { .name = "C" }), e = ecs_entity(world, { .name = "e" });
    ecs_add_pair(world, a, EcsWith, b);
    ecs_add_pair(world, b, EcsWith, c);
    ecs_add_id(world, c, EcsCanToggle);
    ecs_add_id(world, e, a);
    ecs_remove_id(world, e, b);
    ecs_remove_id(world, e, c);
    ecs_add_pair(world, e, a, e);
    ecs_remove_pair(world, e, b, e);
    ecs_enable_id(world, e, c, true);
    ecs_enable_id(world, e, ecs_pair(c, e), false);
    ecs_set_alias(world, e, "second | \"name\"");
    char *json = ecs_world_to_json(world, NULL);
    ecs_world_t *copy = ecs_init();
    int calls = 0;
    ecs_entity_t at = ecs_entity(copy, { .name = "B" });
    ecs_observer(copy, { .query.terms = { { at } },
                           .events = { EcsOnAdd, EcsOnRemove },
                           .callback = count_calls,
                           .ctx = &calls });
    assert_non_null(ecs_world_from_json(copy, json, NULL));
    e = ecs_lookup(copy, "second | \"name\"");
    assert_type(
        copy, e, "A, TOGGLE|C, (Identifier,Name), (Identifier,Alias), (A,e), (C,e), TOGGLE|(C,e)");
    assert_true(ecs_is_enabled_id(copy, e, ecs_lookup(copy, "C")));
    assert_int_equal(calls, 0);
    ecs_entity_t given =
        ecs_new(copy); // what is not saved, but written by hand, gets what comes with it
    assert_non_null(ecs_entity_from_json(copy, given, "{\"tags\":[\"A\"]}", NULL));
    assert_type(copy, given, "B, A, C");
    ecs_set_alias(copy, given, "taken");
    assert_non_null(
        ecs_world_from_json(copy, "{\"results\":[{\"name\":\"f\", \"alias\":\"taken\"}]}", NULL));
    assert_int_equal(ecs_lookup(copy, "taken"), given);
    ecs_os_free(json);
    ecs_fini(copy);
}

// What stands before the id that it comes with is in the queue already, and stays.
static void saved_ids_come_in_any_order_while_deferred(void **state) {
    ecs_world_t *world = *state, *copy = ecs_init();
    ecs_world_t *const worlds[] = { world, copy };
    for (int i = 0; i < 2; i++) {
        define(worlds[i]);
        ecs_entity_t low = ecs_entity(worlds[i], { .name = "Low" });
        ecs_add_pair(worlds[i], ecs_entity(worlds[i], { .name = "High" }), EcsWith, low);
        ecs_add_pair(worlds[i], ecs_id(Link), EcsWith, ecs_id(Position));
    }
    ecs_entity_t e = ecs_entity(world, { .name = "e" });
    ecs_add_pair(world, e, ecs_lookup(world, "High"), e);
    ecs_add_id(world, e, ecs_lookup(world, "High"));
    ecs_set(world, e, Link, { e });
    ecs_set(world, e, Position, { 3, 4 });
    char *json = ecs_world_to_json(world, NULL);
    ecs_defer_begin(copy);
    assert_non_null(ecs_world_from_json(copy, json, NULL));
    ecs_defer_end(copy);
    e = ecs_lookup(copy, "e");
    assert_type(copy, e, "Position, Link, Low, High, (Identifier,Name), (Low,e), (High,e)");
    assert_int_equal(ecs_get(copy, e, Position)->y, 4);
    ecs_os_free(json);
    ecs_fini(copy);
}

// Traits come before what they are about, whatever the order of a text written by hand; nobody is made twice for that.
static void traits_of_the_text_come_first(void **state) {
    ecs_world_t *world = *state;
    assert_non_null(ecs_world_from_json(world,
        "{\"results\":[{\"name\":\"e\", \"pairs\":{\"R\":[\"a\", \"b\"]}}, "
        "{\"name\":\"R\", \"tags\":[\"flecs.core.Exclusive\"]}, "
        "{\"parent\":\"e\", \"tags\":[\"flecs.core.Exclusive\"]}]}",
        NULL));
    ecs_entity_t e = ecs_lookup(world, "e"), r = ecs_lookup(world, "R");
    assert_id_equal(world, ecs_get_target(world, e, r, 0), ecs_lookup(world, "b"));
    assert_int_equal(ecs_get_target(world, e, r, 1), 0);
    assert_int_equal(ecs_count_id(world, ecs_pair(EcsChildOf, e)), 1);
}

// Names are taken for those of the text, and not for builtins or numbers that look alike.
static void names_that_others_have_are_restored(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t first = ecs_entity(world, { .name = "first" });
    ecs_entity_t target = ecs_entity(world, { .name = "Target" }), nobody = ecs_new(world);
    static const char *const odd[] = { "#922", "*", "first", "#x" };
    for (int i = 0; i < 4; i++) {
        ecs_entity_t child = ecs_new_w_pair(world, EcsChildOf, nobody);
        ecs_set_name(world, child, odd[i]);
        ecs_add_pair(world, first, target, child);
    }
    ecs_set(world, first, Link, { target });
    ecs_world_t *copy = copy_of(world);
    first = ecs_lookup(copy, "first");
    target = ecs_get(copy, first, Link)->to;
    assert_string_equal(ecs_get_name(copy, target), "Target");
    assert_int_equal(ecs_get_parent(copy, target), 0);
    for (int i = 0; i < 4; i++) {
        ecs_entity_t child = ecs_get_target(copy, first, target, i);
        assert_string_equal(ecs_get_name(copy, child), odd[i]);
        assert_int_not_equal(ecs_get_parent(copy, child), 0);
    }
    assert_int_equal(ecs_get_entities(copy).alive_count, ecs_get_entities(world).alive_count);
    ecs_fini(copy);
}

// Such entities and what is below them are written like those without name.
static void empty_names_are_none(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t empty = ecs_set_name(world, ecs_new(world), "");
    ecs_entity_t below = ecs_entity(world, { .name = "below", .parent = empty });
    assert_string_equal(ecs_get_name(world, empty), "");
    ecs_set(world, empty, Link, { below });
    ecs_add_pair(world, empty, ecs_id(EcsIdentifier), EcsAlias); /* no text at all */
    ecs_world_t *copy = copy_of(world);
    ecs_iter_t it = ecs_each(copy, Link);
    assert_true(ecs_each_next(&it));
    assert_string_equal(ecs_get_name(copy, ecs_field(&it, Link, 0)->to), "below");
    assert_int_equal(ecs_get_parent(copy, ecs_field(&it, Link, 0)->to), it.entities[0]);
    assert_null(ecs_get_name(copy, it.entities[0]));
    ecs_iter_fini(&it);
    ecs_fini(copy);
}

// They know where names lead, as other values do.
static void values_of_any_type_lead_to_entities_of_the_text(void **state) {
    ecs_world_t *world = *state, *copy = ecs_init();
    ecs_world_t *const worlds[] = { world, copy };
    ecs_entity_t any = 0;
    for (int i = 0; i < 2; i++) {
        define(worlds[i]);
        any = ecs_struct(
            worlds[i], { .entity = ecs_entity(worlds[i], { .name = "Any" }),
                           .members = { { .name = "v", .type = ecs_id(ecs_value_t) } } });
    }
    ecs_entity_t from[2] = { ecs_entity(world, { .name = "a" }),
        ecs_entity(world, { .name = "b" }) };
    for (int i = 0; i < 2; i++) {
        Link link = { i ? ecs_entity(world, { .name = "late" }) : ecs_new(world) };
        ecs_value_t value = ecs_value_init(world, ecs_id(Link), &link);
        ecs_set_id(world, from[i], any, sizeof value, &value);
        ecs_set(world, link.to, Position, { i, i });
        ecs_value_fini(world, &value);
    }
    ecs_new(copy);
    char *json = ecs_world_to_json(world, NULL);
    assert_non_null(ecs_world_from_json(copy, json, NULL));
    for (int i = 0; i < 2; i++) {
        const ecs_value_t *value = ecs_get_id(copy, ecs_lookup(copy, i ? "b" : "a"), any);
        const Position *p = ecs_get(copy, ((const Link *)value->ptr)->to, Position);
        assert_true(p && p->x == i);
    }
    ecs_os_free(json);
    ecs_fini(copy);
}

// Keys of maps name entities as values do: by their number in the text, or by a path from the root.
static void keys_of_ids_lead_to_entities_of_the_text(void **state) {
    ecs_world_t *world = *state, *copy = ecs_init();
    ecs_world_t *const worlds[] = { world, copy };
    ecs_entity_t map = 0;
    for (int i = 0; i < 2; i++) {
        define(worlds[i]);
        map = ecs_map_type(worlds[i], { .entity = ecs_entity(worlds[i], { .name = "Scores" }),
                                          .key_type = ecs_id(ecs_id_t),
                                          .type = ecs_id(ecs_i32_t) });
    }
    ecs_entity_t e = ecs_entity(world, { .name = "e" }), key = ecs_new(world);
    ecs_set(world, key, Position, { 7, 8 });
    ecs_map_t scores = { 0 };
    ecs_map_init(&scores, NULL);
    *ecs_map_ensure(&scores, key) = 3;
    ecs_set_id(world, e, map, sizeof scores, &scores);
    ecs_map_fini(&scores);
    ecs_set(copy, ecs_new(copy), Position, { 1, 2 }); /* another one has the number */
    char *json = ecs_world_to_json(world, NULL);
    assert_non_null(ecs_world_from_json(copy, json, NULL));
    ecs_map_iter_t it = ecs_map_iter(ecs_get_id(copy, ecs_lookup(copy, "e"), map));
    assert_true(ecs_map_next(&it));
    assert_int_equal(ecs_get(copy, ecs_map_key(&it), Position)->x, 7);
    ecs_os_free(json);
    ecs_fini(copy);
}

// SER-05, SER-06
static void transient_relationships_are_not_saved_and_others_are_made_anew(void **state) {
    ecs_world_t *world = *state;
    define(world);
    int made = 0;
    ecs_entity_t passing = ecs_relationship(world, { .name = "Passing", .transient = true });
    ecs_entity_t lasting = ecs_relationship(world, { .name = "Lasting",
                                                       .type = ecs_id(Position),
                                                       .defaults = &(Position){ 7, 7 },
                                                       .init = note_edge,
                                                       .ctx = &made });
    ecs_entity_t a = ecs_entity(world, { .name = "a" }), b = ecs_entity(world, { .name = "b" });
    ecs_add_pair(world, a, passing, b);
    ecs_set_id(world, a, ecs_pair(lasting, b), sizeof(Position), &(Position){ 1, 2 });
    char *json = ecs_world_to_json(world, NULL);
    assert_null(strstr(json, "\"Passing\":\"b\""));
    assert_non_null(strstr(json, "\"(Lasting,b)\":{\"x\":1, \"y\":2}"));
    ecs_os_free(json);
    made = 0;
    const char *edge = "{\"components\":{\"(Lasting,a)\":{\"y\":3}}}";
    assert_non_null(ecs_entity_from_json(world, b, edge, NULL));
    const Position *value = ecs_get_id(world, b, ecs_pair(lasting, a));
    assert_int_equal(made, 1);
    assert_int_equal(value->x * 10 + value->y, 73);
}

static void a_world_is_read_from_a_file(void **state) {
    ecs_world_t *world = *state;
    define(world);
    char name[] = "test_json_world.json";
    FILE *file = fopen(name, "w");
    fputs("{\"results\":[{\"name\":\"e\", \"components\":{\"Position\":{\"x\":5}}}]}", file);
    fclose(file);
    assert_non_null(ecs_world_from_json_file(world, name, NULL));
    remove(name);
    assert_int_equal(ecs_get(world, ecs_lookup(world, "e"), Position)->x, 5);
    ecs_log_set_level(-4);
    assert_null(ecs_world_from_json_file(world, "no such file", NULL));
    ecs_log_set_level(-1);
}

// Paths have no limit of levels.
static void deep_trees_of_names_are_restored(void **state) {
    enum { LEVELS = 2 * ECS_MAX_RECURSION };
    ecs_world_t *world = *state, *copy = ecs_init();
    ecs_entity_t node = ecs_entity(world, { .name = "root" });
    for (int i = 1; i < LEVELS; i++) node = ecs_entity(world, { .name = "n", .parent = node });
    char *path = ecs_get_path(world, node);
    assert_int_equal(strlen(path), strlen("root") + (LEVELS - 1) * strlen(".n"));
    assert_id_equal(world, ecs_lookup(world, path), node);
    char *json = ecs_world_to_json(world, NULL);
    assert_non_null(ecs_world_from_json(copy, json, NULL));
    char *again = ecs_world_to_json(copy, NULL);
    strip_ids(json);
    strip_ids(again);
    assert_string_equal(again, json);
    assert_int_equal(ecs_get_depth(copy, ecs_lookup(copy, path), EcsChildOf), LEVELS - 1);
    ecs_os_free(again);
    ecs_os_free(json);
    ecs_os_free(path);
    ecs_fini(copy);
}

// What the library made for itself and changes as it runs does not count.
static void a_loaded_world_has_the_hash_of_the_saved_one(void **state) {
    ecs_world_t *world = *state, *copy = ecs_init();
    ecs_set_name(world, ecs_new_w_id(world, ecs_entity(world, { .name = "tag" })), "tagged");
    ecs_progress(world, 1); /* without the pipeline of the start from now on */
    char *json = ecs_world_to_json(world, NULL);
    assert_non_null(ecs_world_from_json(copy, json, NULL));
    assert_hash_equal(ecs_world_hash(copy), ecs_world_hash(world));
    ecs_delete(copy, ecs_lookup(copy, "tagged"));
    assert_true(ecs_world_hash(copy) != ecs_world_hash(world));
    ecs_os_free(json);
    ecs_fini(copy);
}

// ---- Hooks and observers ----

static int32_t replaced;
static void on_replace(ecs_iter_t *it) {
    replaced += ecs_field(it, Position, 1)->x - ecs_field(it, Position, 0)->x;
}

// SER-06
static void a_hook_sees_what_a_value_replaces(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_set_hooks(world, Position, { .on_replace = on_replace });
    ecs_entity_t e = ecs_new(world);
    assert_non_null(
        ecs_entity_from_json(world, e, "{\"components\":{\"Position\":{\"x\":3, \"y\":4}}}", NULL));
    replaced = 0;
    assert_non_null(
        ecs_entity_from_json(world, e, "{\"components\":{\"Position\":{\"x\":5}}}", NULL));
    assert_int_equal(replaced, 2);
    assert_int_equal(ecs_get(world, e, Position)->x, 5);
    assert_int_equal(ecs_get(world, e, Position)->y, 4); /* members that are not named stay */
}

static void on_replace_named(ecs_iter_t *it) {
    assert_string_equal(ecs_field(it, Named, 0)->name, "old");
    ecs_os_free(ECS_CONST_CAST(char *, ecs_field(it, Named, 0)->name));
}

// Without a copy hook, what the new value owns is the entity's afterwards.
static void a_hook_sees_strings_that_are_replaced(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_id(Named) = 0;
    ECS_META_COMPONENT(world, Named);
    ecs_entity_t e = ecs_new(world);
    ecs_set(world, e, Named, { .name = ecs_os_strdup("old") });
    ecs_set_hooks(world, Named, { .on_replace = on_replace_named });
    assert_non_null(
        ecs_entity_from_json(world, e, "{\"components\":{\"Named\":{\"name\":\"new\"}}}", NULL));
    assert_string_equal(ecs_get(world, e, Named)->name, "new");
    ecs_os_free(ECS_CONST_CAST(char *, ecs_get(world, e, Named)->name));
}

static void take_away(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) ecs_remove_id(it->world, it->entities[i], it->event_id);
}
static void end(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) ecs_delete(it->world, it->entities[i]);
}

typedef ecs_vec_t List;
typedef ecs_map_t Dict;

// Components of C that are a vector or a map as a whole, without hooks: what is read just to be checked, or to be set later, is ended,
// or theirs.
static void collections_of_c_are_read(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, List);
    ECS_COMPONENT(world, Dict);
    ecs_entity_t words = ecs_vector(world, { .type = ecs_id(ecs_string_t) });
    ecs_vector(world, { .entity = ecs_id(List), .type = words });
    ecs_map_type(world, { .entity = ecs_id(Dict), .key_type = ecs_id(ecs_i32_t), .type = words });
    ecs_entity_t list_owner = ecs_vector(world, { .type = words });
    ecs_entity_t dict_owner = ecs_map_type(world, { .key_type = ecs_id(ecs_i32_t), .type = words });
    const char *json = "{\"name\":\"e\", \"components\":{\"List\":[[\"a\", \"b\"], [\"c\"]], "
                       "\"Dict\":{\"1\":[\"a\"], \"2\":[]}}}";
    ecs_entity_t e = ecs_entity(world, { .name = "e" });
    for (int32_t i = 0; i < 3; i++) {
        List list = { 0 };
        Dict dict = { 0 };
        ecs_world_t *stage = i < 2 ? world : ecs_get_stage(world, 0);
        if (stage != world) list = *ecs_get(world, e, List), dict = *ecs_get(world, e, Dict);
        if (stage != world) ecs_readonly_begin(world, false);
        assert_non_null(ecs_entity_from_json(stage, e, json, NULL));
        if (stage != world) ecs_readonly_end(world);
        check_json(ecs_entity_to_json(world, e, NULL), json);
        ecs_ptr_fini(world, list_owner, &list);
        ecs_ptr_fini(world, dict_owner, &dict);
    }
    ecs_ptr_fini(world, list_owner, ecs_get_mut(world, e, List));
    ecs_ptr_fini(world, dict_owner, ecs_get_mut(world, e, Dict));
}

// What observers take away is passed over.
static void entities_may_end_while_they_are_read(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_entity_t tag = ecs_entity(world, { .name = "Tag" });
    const char *const object =
        "{\"name\":\"e\", \"parent\":\"parent\", \"alias\":\"other\", \"tags\":[\"Tag\", \"toggle|Tag\"], "
        "\"components\":{\"Position\":{\"x\":1, \"y\":2}, \"Link\":{\"to\":\"f\"}}}";
    char results[512];
    snprintf(results, sizeof results, "{\"results\":[%s, {\"name\":\"f\", \"tags\":[\"Tag\"]}]}",
        object);
    for (int32_t first = 0; first < 2; first++) { /* it ends by its tag, or by its component */
        const ecs_id_t id = first ? tag : ecs_id(Position);
        ecs_entity_t observer = ecs_observer(
            world, { .query.terms = { { id } }, .events = { EcsOnAdd }, .callback = end });
        ecs_entity_t e = ecs_new(world);
        assert_non_null(ecs_entity_from_json(world, e, object, NULL));
        assert_false(ecs_is_alive(world, e));
        assert_non_null(ecs_world_from_json(world, results, NULL));
        assert_id_equal(world, ecs_lookup(world, "parent.e"), 0);
        assert_int_equal(ecs_lookup(world, "f") != 0, !first);
        ecs_delete(world, observer);
        if (!first) ecs_delete(world, ecs_lookup(world, "f"));
    }
    ecs_observer(world,
        { .query.terms = { { ecs_id(Position) } }, .events = { EcsOnAdd }, .callback = take_away });
    ecs_entity_t e = ecs_new(world);
    assert_non_null(ecs_entity_from_json(world, e, object, NULL));
    assert_false(ecs_has(world, e, Position));
    assert_true(ecs_has(world, e, Link));
}

// What a text says of those below an entity that has ended already is passed over, and so is what else names it.
static void parents_may_end_while_their_children_are_read(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_entity(world, { .name = "Tag" }), r = ecs_entity(world, { .name = "R" });
    ecs_add_id(world, r, EcsCanToggle);
    ecs_observer(world, { .query.terms = { { tag } }, .events = { EcsOnAdd }, .callback = end });
    assert_non_null(ecs_world_from_json(world,
        "{\"results\":[{\"name\":\"#900\", \"id\":900, \"tags\":[\"Tag\"]}, "
        "{\"parent\":\"#900\", \"name\":\"c\", \"id\":901}, "
        "{\"parent\":\"#900\", \"name\":\"#902\", \"id\":902, \"tags\":[\"R\"]}, "
        "{\"parent\":\"#900.c\", \"name\":\"d\", \"id\":903, \"tags\":[\"R\"]}, "
        "{\"name\":\"e\", \"id\":904, \"tags\":[\"R\", \"toggle|(R,#900)\"]}]}",
        NULL));
    assert_int_equal(ecs_count_id(world, r), 1);
    assert_true(ecs_has_id(world, ecs_lookup(world, "e"), r));
    assert_true(ecs_world_verify(world));
}

// Everyone who has a name gets a value, and z ends e.
static void link_named(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) {
        ecs_set(it->world, it->entities[i], Link, { 0 });
        if (ecs_get_name(it->world, it->entities[i])[0] == 'z')
            ecs_delete(it->world, ecs_lookup(it->world, "e"));
    }
}

// Names in a value may make entities, and observers of these more values where the first one is.
static void values_are_read_while_others_come(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_observer(world, { .query.terms = { { ecs_pair(ecs_id(EcsIdentifier), EcsName) } },
                            .events = { EcsOnSet },
                            .callback = link_named });
    ecs_entity_t e = ecs_entity(world, { .name = "e" });
    for (int32_t i = 0; i < 40; i++) {
        char json[64], name[16];
        snprintf(name, sizeof name, "p.n%d", i);
        snprintf(json, sizeof json, "{\"components\":{\"Link\":{\"to\":\"%s\"}}}", name);
        assert_non_null(ecs_entity_from_json(world, e, json, NULL));
        assert_id_equal(world, ecs_get(world, e, Link)->to, ecs_lookup(world, name));
        assert_true(ecs_has(world, ecs_get(world, e, Link)->to, Link));
    }
    assert_non_null(ecs_entity_from_json(
        world, e, "{\"components\":{\"Link\":{\"to\":\"z\"}}, \"tags\":[\"e\"]}", NULL));
    assert_false(ecs_is_alive(world, e));
}

static int32_t told;
static void tell(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) told += ecs_field(it, Position, 0)[i].x;
}

static const char *const values_json =
    "{\"components\":{\"Position\":{\"x\":3}, \"Named\":{\"name\":\"new\"}, \"(Follows,target)\":{\"y\":5}}}";

static void assert_values(const ecs_world_t *world, ecs_entity_t e, int32_t y, int line) {
    const ecs_entity_t follows = ecs_lookup(world, "Follows"), target = ecs_lookup(world, "target");
    const Position *own = ecs_get(world, e, Position);
    const Position *edge = ecs_get_id(world, e, ecs_pair(follows, target));
    const Named *named = ecs_get(world, e, Named);
    if (!own || own->x != 3 || own->y != y || !edge || edge->x != 1 || edge->y != 5 || !named ||
        strcmp(named->name, "new") != 0)
        _fail(__FILE__, line);
    ecs_os_free(ECS_CONST_CAST(char *, named->name));
}

// SER-06: values that the text gives are set at the merge, over those that the entity has.
static void values_come_while_deferred_too(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_id(Named) = 0;
    ECS_META_COMPONENT(world, Named);
    ecs_entity_t base = ecs_entity(world, { .name = "base" });
    ecs_entity(world, { .name = "target" });
    ecs_relationship(
        world, { .name = "Follows", .type = ecs_id(Position), .defaults = &(Position){ 1, 2 } });
    ecs_set(world, base, Position, { 7, 8 });
    ecs_observer(world,
        { .query.terms = { { ecs_id(Position) } }, .events = { EcsOnSet }, .callback = tell });
    for (int32_t hooks = 0; hooks < 2; hooks++) {
        for (int32_t has = 0; has < 3; has++) { /* nothing, a base, a value */
            ecs_entity_t e = ecs_new(world);
            if (has == 1) ecs_add_pair(world, e, EcsIsA, base);
            if (has == 2) ecs_set(world, e, Position, { 1, 9 });
            told = 0;
            ecs_defer_begin(world);
            assert_non_null(ecs_entity_from_json(world, e, values_json, NULL));
            ecs_defer_end(world);
            assert_int_equal(told, 3);
            assert_values(world, e, !has || (hooks && has == 1) ? 0 : 7 + has, __LINE__);
        }
        ecs_set_hooks(world, Position, { .on_replace = on_replace });
    }
    ecs_defer_begin(world);
    assert_non_null(ecs_world_from_json(world,
        "{\"results\":[{\"name\":\"saved\", \"id\":900, \"components\":{\"Position\":{\"x\":4, \"y\":5}}}]}",
        NULL));
    ecs_defer_end(world);
    assert_int_equal(ecs_get(world, ecs_lookup(world, "saved"), Position)->y, 5);
}

// What others may look at stays as it is until the merge.
static void values_are_set_when_a_world_is_no_longer_readonly(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_id(Named) = 0;
    ECS_META_COMPONENT(world, Named);
    char *old = ecs_os_strdup("old");
    ecs_entity(world, { .name = "target" });
    ecs_relationship(
        world, { .name = "Follows", .type = ecs_id(Position), .defaults = &(Position){ 1, 2 } });
    ecs_entity_t e = ecs_new(world);
    ecs_set(world, e, Position, { 1, 9 });
    ecs_set(world, e, Named, { .name = old });
    ecs_readonly_begin(world, false);
    assert_non_null(ecs_entity_from_json(ecs_get_stage(world, 0), e, values_json, NULL));
    assert_int_equal(ecs_get(world, e, Position)->x, 1);
    assert_ptr_equal(ecs_get(world, e, Named)->name, old);
    ecs_readonly_end(world);
    assert_values(world, e, 9, __LINE__);
    ecs_os_free(old);
    ecs_world_t *stage = ecs_stage_new(world);
    const char *text = "{\"components\":{\"Position\":{\"x\":4}}}";
    assert_non_null(ecs_entity_from_json(stage, e, text, NULL));
    assert_int_equal(ecs_get(world, e, Position)->x, 3);
    ecs_merge(stage);
    assert_int_equal(ecs_get(world, e, Position)->x, 4);
    ecs_stage_free(stage);
}

// Jobs may read worlds; the order of children that there are is for whoever owns the world.
static void orders_stay_while_deferred(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_entity(world, { .name = "p", .add = ecs_ids(EcsOrderedChildren) });
    ecs_entity_t a = ecs_entity(world, { .name = "a", .parent = parent });
    ecs_entity(world, { .name = "b", .parent = parent });
    const char *text =
        "{\"results\":[{\"parent\":\"p\", \"name\":\"b\"}, {\"parent\":\"p\", \"name\":\"a\"}]}";
    ecs_readonly_begin(world, true);
    assert_non_null(ecs_world_from_json(ecs_get_stage(world, 0), text, NULL));
    ecs_readonly_end(world);
    assert_id_equal(world, ecs_get_ordered_children(world, parent).ids[0], a);
    assert_non_null(ecs_world_from_json(world, text, NULL));
    assert_id_equal(world, ecs_get_ordered_children(world, parent).ids[1], a);
}

static bool refuse(
    ecs_world_t *world, ecs_entity_t source, ecs_entity_t target, void *edge, void *ctx) {
    (void)world, (void)source, (void)target, (void)edge, (void)ctx;
    return false;
}

static void a_value_of_an_edge_that_is_refused_is_passed_over(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_relationship(world, { .name = "Follows", .type = ecs_id(Position), .init = refuse });
    ecs_entity_t e = ecs_new(world);
    ecs_entity(world, { .name = "b" });
    assert_non_null(ecs_entity_from_json(
        world, e, "{\"components\":{\"(Follows,b)\":{\"x\":3}, \"Position\":{\"x\":1}}}", NULL));
    assert_type(world, e, "Position");
}

// Mistakes that show when the text is applied are sentences: parents in a cycle, slots of strangers, relationships without target.
static void mistakes_that_show_late_do_not_abort(void **state) {
    ecs_world_t *world = *state;
    define(world);
    ecs_add_id(world, ecs_id(Position), EcsUnion);
    ecs_entity_t e = ecs_entity(world, { .name = "e" }),
                 toggled = ecs_entity(world, { .name = "V" });
    ecs_set_id(
        world, e, ecs_pair(ecs_id(Position), toggled), sizeof(Position), &(Position){ 1, 2 });
    expect_error(ECS_INVALID_PARAMETER, "beside tables",
        assert_null(
            ecs_entity_from_json(world, e, "{\"components\":{\"Position\":{\"x\":1}}}", NULL)));
    expect_error(ECS_INVALID_PARAMETER, "beside tables",
        assert_null(ecs_entity_from_json(world, e, "{\"tags\":[\"Position\"]}", NULL)));
    expect_error(ECS_CYCLE_DETECTED, "which is below it",
        ecs_world_from_json(world,
            "{\"results\":[{\"name\":\"#501\", \"parent\":\"#501\", "
            "\"components\":{\"flecs.core.Parent\":null}}]}",
            NULL));
    const char *const cycle =
        "{\"results\":[{\"name\":\"c\", \"id\":502, \"pairs\":{\"flecs.core.IsA\":\"d\"}}, "
        "{\"name\":\"d\", \"id\":503, \"pairs\":{\"flecs.core.IsA\":\"c\"}}]}";
    ecs_defer_begin(world);
    assert_non_null(ecs_world_from_json(world, cycle, NULL));
    expect_error(ECS_CYCLE_DETECTED, "a cycle of IsA", ecs_defer_end(world));
    assert_non_null(ecs_world_from_json(world,
        "{\"results\":[{\"name\":\"X\"}, {\"name\":\"Z\", \"tags\":[\"flecs.core.Prefab\"]}, "
        "{\"parent\":\"Z\", \"name\":\"s\", \"pairs\":{\"flecs.core.SlotOf\":\"X\"}}]}",
        NULL));
    expect_error(ECS_INVALID_OPERATION, "cannot fill the slot",
        assert_non_null(ecs_world_from_json(world,
            "{\"results\":[{\"name\":\"i\", \"pairs\":{\"flecs.core.IsA\":\"Z\"}}]}", NULL)));
    ecs_add_id(world, toggled, EcsCanToggle);
    ecs_add_id(world, toggled, EcsRelationship);
    expect_error(ECS_CONSTRAINT_VIOLATED, "as the relationship of a pair",
        ecs_entity_from_json(world, e, "{\"tags\":[\"toggle|V\"]}", NULL));
    assert_true(ecs_world_verify(world));
}

static void ignore(ecs_iter_t *it) { (void)it; }

// The same text at once and in a queue: what it gets wrong is left out after a sentence, the rest is there.
static void mistakes_of_a_queue_do_not_abort(void **state) {
    ecs_world_t *world = *state;
    const char *const below = "{\"name\":\"a\", \"parent\":\"a.b\", \"tags\":[\"T\"]}";
    const char *const by_component = "{\"name\":\"a\", \"parent\":\"a.b\", \"tags\":[\"T\"], "
                                     "\"components\":{\"flecs.core.Parent\":null}}";
    for (int32_t i = 0; i < 4; i++) {
        ecs_entity_t a = ecs_entity(world, { .name = "a" });
        const bool waits = i % 2;
        if (waits) ecs_defer_begin(world);
        expect_error(
            ECS_CYCLE_DETECTED, "",
            assert_non_null(ecs_entity_from_json(world, a, i < 2 ? below : by_component, NULL));
            if (waits) ecs_defer_end(world));
        assert_int_equal(ecs_get_parent(world, a), 0);
        assert_true(ecs_has_id(world, a, ecs_lookup(world, "T")));
        assert_id_equal(world, ecs_get_parent(world, ecs_lookup(world, "a.b")), a);
        assert_true(ecs_world_verify(world));
        ecs_delete(world, a);
    }
    // A trait that the text brings itself forbids what it says next.
    ecs_defer_begin(world);
    assert_non_null(ecs_world_from_json(world,
        "{\"results\":[{\"name\":\"R\", \"tags\":[\"flecs.core.Relationship\"]}, "
        "{\"name\":\"e\", \"tags\":[\"R\", \"T\"]}]}",
        NULL));
    expect_error(ECS_CONSTRAINT_VIOLATED, "as the relationship of a pair", ecs_defer_end(world));
    assert_type(world, ecs_lookup(world, "e"), "T, (Identifier,Name)");
    // And so it is with values: of the second type they are set, as there is somebody to tell what they replace.
    for (int32_t i = 0; i < 2; i++) {
        ecs_entity_t type = ecs_entity(world, { .name = "V" });
        ecs_struct(
            world, { .entity = type, .members = { { .name = "x", .type = ecs_id(ecs_i32_t) } } });
        if (i) ecs_set_hooks_id(world, type, &(ecs_type_hooks_t){ .on_replace = ignore });
        ecs_defer_begin(world);
        assert_non_null(ecs_world_from_json(world,
            "{\"results\":[{\"name\":\"V\", \"tags\":[\"flecs.core.Relationship\"]}, "
            "{\"name\":\"v\", \"tags\":[\"T\"], \"components\":{\"V\":{\"x\":1}}}]}",
            NULL));
        expect_error(
            ECS_CONSTRAINT_VIOLATED, "as the relationship of a pair", ecs_defer_end(world));
        assert_type(world, ecs_lookup(world, "v"), "T, (Identifier,Name)");
        assert_true(ecs_world_verify(world));
        ecs_delete(world, ecs_lookup(world, "v"));
        ecs_delete(world, type);
    }
}

// Siblings may have one name: an instance has a child like that of its prefab. Each is itself afterwards, and found are those that were.
static void siblings_of_one_name_stay_apart(void **state) {
    (void)state;
    for (int32_t deferred = 0; deferred < 2; deferred++) {
        ecs_world_t *from = ecs_init(), *copy = ecs_init();
        ecs_entity_t rel = ecs_entity(from, { .name = "Rel" });
        ecs_entity_t base = ecs_entity(from, { .name = "base", .add = ecs_ids(EcsPrefab) });
        ecs_entity(from, { .parent = base, .name = "c" });
        ecs_entity_t e = ecs_entity(from, { .name = "e" });
        ecs_entity_t own = ecs_entity(from, { .parent = e, .name = "c" });
        ecs_add_pair(from, e, EcsIsA, base);
        ecs_entity_t made = ecs_lookup(from, "e.c");
        assert_true(made != own);
        ecs_entity_t below[] = { ecs_entity(from, { .parent = own, .name = "x" }),
            ecs_entity(from, { .parent = made, .name = "x" }) };
        ecs_entity_t by_component = ecs_new(from);
        ecs_set(from, by_component, EcsParent, { e });
        ecs_set_name(from, by_component, "c");
        ecs_entity_t root[] = { ecs_entity(from, { .name = "r" }), ecs_new(from) };
        ecs_set_name(from, root[1], "r");
        ecs_entity_t found = ecs_lookup(from, "e.c");
        ecs_add_id(from, found, ecs_entity(from, { .name = "Found" }));
        ecs_add_id(from, root[1], ecs_lookup(from, "Found"));
        ecs_add_pair(from, root[0], rel, below[0]);
        ecs_add_pair(from, root[1], rel, below[1]);
        ecs_add_pair(from, below[0], rel, root[0]);
        ecs_add_pair(from, below[1], rel, root[1]);
        char *text = ecs_world_to_json(from, NULL);
        if (deferred) ecs_defer_begin(copy);
        assert_non_null(ecs_world_from_json(copy, text, NULL));
        if (deferred) ecs_defer_end(copy);
        ecs_os_free(text);
        ecs_entity_t second = ecs_lookup(copy, "Rel");
        assert_int_equal(ecs_query_count(ecs_query(copy, { .expr = "(ChildOf, e)" })).entities, 3);
        assert_true(ecs_has_id(copy, ecs_lookup(copy, "e.c"), ecs_lookup(copy, "Found")));
        assert_true(ecs_has_id(copy, ecs_lookup(copy, "r"), ecs_lookup(copy, "Found")));
        int32_t count = 0;
        ecs_iter_t it = ecs_each_id(copy, ecs_pair(second, EcsWildcard));
        while (ecs_each_next(&it)) {
            for (int32_t i = 0; i < it.count; i++, count++) {
                ecs_entity_t to = ecs_get_target(copy, it.entities[i], second, 0);
                const char *const names[] = { ecs_get_name(copy, it.entities[i]),
                    ecs_get_name(copy, to) };
                assert_true(*names[0] != *names[1]);
                assert_id_equal(copy, ecs_get_target(copy, to, second, 0), it.entities[i]);
                ecs_entity_t parent = ecs_get_parent(copy, it.entities[i]);
                if (parent) assert_string_equal(ecs_get_name(copy, parent), "c");
            }
        }
        assert_int_equal(count, 4);
        assert_true(ecs_world_verify(copy));
        ecs_fini(from);
        ecs_fini(copy);
    }
}

// Texts name what the program could not: they are refused, where the functions of the API abort.
static void texts_do_not_do_what_aborts(void **state) {
    ecs_world_t *world = *state;
    expect_error(ECS_INVALID_PARAMETER, "Prefab is a builtin entity",
        assert_null(
            ecs_entity_from_json(world, EcsPrefab, "{\"name\":\"x\", \"tags\":[\"New\"]}", NULL)));
    assert_string_equal(ecs_get_name(world, EcsPrefab), "Prefab");
    assert_int_equal(ecs_lookup(world, "New"), 0);
    assert_non_null(ecs_entity_from_json(world, EcsPrefab, "{\"name\":\"Prefab\"}", NULL));
    // An entity that is named like the wildcard.
    assert_non_null(ecs_world_from_json(
        world, "{\"results\":[{\"name\":\"child\", \"parent\":\"\\\\*\"}]}", NULL));
    ecs_entity_t star = ecs_get_parent(world, ecs_lookup(world, "\\*.child"));
    assert_string_equal(ecs_get_name(world, star), "*");
    assert_true(star != EcsWildcard);
    // Two that want an alias, of which the first waits in the queue.
    ecs_entity_t a = ecs_new(world), b = ecs_new(world);
    ecs_world_t *stage = ecs_stage_new(world);
    ecs_entity_from_json(stage, a, "{\"alias\":\"first\"}", NULL);
    ecs_entity_from_json(stage, b, "{\"alias\":\"first\"}", NULL);
    ecs_merge(stage);
    ecs_stage_free(stage);
    assert_int_equal(ecs_lookup(world, "first"), a);
    assert_false(ecs_owns_id(world, b, ecs_pair_t(EcsIdentifier, EcsAlias)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(a_hook_sees_what_a_value_replaces),
        world_test(values_come_while_deferred_too),
        world_test(siblings_of_one_name_stay_apart),
        world_test(texts_do_not_do_what_aborts),
        world_test(values_are_set_when_a_world_is_no_longer_readonly),
        world_test(orders_stay_while_deferred),
        world_test(a_hook_sees_strings_that_are_replaced),
        world_test(collections_of_c_are_read),
        world_test(entities_may_end_while_they_are_read),
        world_test(parents_may_end_while_their_children_are_read),
        world_test(values_are_read_while_others_come),
        world_test(mistakes_that_show_late_do_not_abort),
        world_test(mistakes_of_a_queue_do_not_abort),
        world_test(a_value_of_an_edge_that_is_refused_is_passed_over),
        world_test(an_entity_is_written_with_all_it_has),
        world_test(options_choose_what_is_written),
        world_test(what_was_written_makes_an_equal_entity),
        world_test(values_that_cannot_be_written_are_named),
        world_test(an_override_does_not_touch_the_strings_of_its_base),
        world_test(text_with_mistakes_changes_nothing),
        world_test(wildcards_are_refused),
        world_test(names_are_paths_from_the_root_whatever_is_set),
        world_test(names_mean_what_the_caller_says),
        world_test(results_are_written_one_per_entity),
        world_test(a_query_is_written_as_text),
        world_test(shared_values_tell_their_source),
        world_test(values_of_out_and_none_terms_are_left_out),
        world_test(what_results_have_in_common_comes_first),
        world_test(iterators_without_query_tell_what_they_ask_for),
        world_test(fields_that_nothing_matches_have_an_id_nonetheless),
        world_test(who_refers_to_an_entity_and_who_finds_it_comes_behind_its_fields),
        world_test(a_profile_comes_behind_the_results),
        world_test(fields_tell_whose_values_they_have),
        world_test(modules_and_builtins_are_written_on_demand),
        world_test(a_world_is_restored_in_another_one),
        world_test(worlds_with_types_without_name_are_restored),
        world_test(traits_slots_and_orders_are_restored),
        world_test(instances_are_restored_as_they_were),
        world_test(bases_that_are_there_give_nothing_again),
        world_test(what_is_kept_beside_tables_is_written_and_read),
        world_test(handles_of_the_dead_stay_dead),
        world_test(children_by_component_are_restored_as_such_and_in_their_order),
        world_test(names_with_marks_are_restored),
        world_test(who_is_named_before_it_comes_is_the_same_entity),
        world_test(saved_entities_get_nothing_that_they_had_not),
        world_test(saved_ids_come_in_any_order_while_deferred),
        world_test(traits_of_the_text_come_first),
        world_test(children_of_prefabs_that_are_none_stay_so),
        world_test(names_that_others_have_are_restored),
        world_test(empty_names_are_none),
        world_test(values_of_any_type_lead_to_entities_of_the_text),
        world_test(keys_of_ids_lead_to_entities_of_the_text),
        world_test(deep_trees_of_names_are_restored),
        world_test(transient_relationships_are_not_saved_and_others_are_made_anew),
        world_test(a_world_is_read_from_a_file),
        world_test(a_loaded_world_has_the_hash_of_the_saved_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
