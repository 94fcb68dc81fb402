// SPDX-License-Identifier: MIT
// The query language, from text to results: features.md area QL, with the operators, sources and
// traversal that are supported.
//
// The scene: Alice { Position, Transform }, Bob { Position, Velocity, (Likes, Apples), (Likes,
// Pears) } below Alice, Carl { Velocity, Mass, (Eats, Apples) } below Bob, Game { SimTime },
// Singleton TimeOfDay.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

static int setup(void **state) {
    if (mini_world_setup_(state)) return -1;
    ecs_world_t *world = *state;
    static const char *const ids[] = { "Position", "Velocity", "Mass", "Transform", "SimTime",
        "TimeOfDay", "Likes", "Eats", "Apples", "Pears", "LocatedIn" };
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) ecs_entity(world, { .name = ids[i] });
    ecs_add_id(world, ecs_lookup(world, "LocatedIn"), EcsTraversable);
    ecs_entity_t alice = ecs_entity(world, { .name = "Alice", .add_expr = "Position, Transform" });
    ecs_entity_t bob = ecs_entity(world,
        { .name = "Bob", .add_expr = "Position, Velocity, (Likes, Apples), (Likes, Pears)" });
    ecs_entity_t carl = ecs_entity(world,
        { .name = "Carl", .add_expr = "Velocity, Mass, (Eats, Apples), (LocatedIn, Alice)" });
    ecs_add_pair(world, bob, EcsChildOf, alice);
    ecs_add_pair(world, carl, EcsChildOf, bob);
    static ecs_entity_t lookup_path[4]; /* Bob and Carl are found by name alone */
    memcpy(lookup_path, (ecs_entity_t[]){ EcsFlecsCore, alice, bob, 0 }, sizeof lookup_path);
    ecs_set_lookup_path(world, lookup_path);
    ecs_entity(world, { .name = "Game", .add_expr = "SimTime" });
    ecs_add_id(world, ecs_lookup(world, "TimeOfDay"), ecs_lookup(world, "TimeOfDay"));
    return 0;
}

#define scene_test(f) cmocka_unit_test_setup_teardown(f, setup, world_teardown_)

// Entities in result order; a result without entities is "true".
static void assert_matches(ecs_world_t *world, const char *expr, const char *expected) {
    for (int kind = EcsQueryCacheAuto; kind <= EcsQueryCacheNone;
         kind += EcsQueryCacheNone - EcsQueryCacheAuto) {
        char seen[256] = "";
        bool cascades = strstr(expr, "cascade") != NULL;
        ecs_query_t *query = ecs_query(world,
            { .expr = expr,
                .cache_kind = cascades ? EcsQueryCacheDefault : (ecs_query_cache_kind_t)kind });
        if (!query) fail_msg("'%s' makes no query", expr);
        ecs_iter_t it = ecs_query_iter(world, query);
        while (ecs_query_next(&it)) {
            if (!it.count) strcat(seen, "true ");
            for (int i = 0; i < it.count; i++) {
                strcat(seen, ecs_get_name(world, it.entities[i]));
                strcat(seen, " ");
            }
        }
        if (seen[0]) seen[strlen(seen) - 1] = '\0';
        if (strcmp(seen, expected) != 0)
            fail_msg("'%s' gives '%s', not '%s'", expr, seen, expected);
        ecs_query_fini(query);
    }
}

typedef struct row_t {
    const char *text, *results;
} row_t;

static void assert_rows(ecs_world_t *world, const row_t *rows, size_t count) {
    for (size_t i = 0; i < count; i++) assert_matches(world, rows[i].text, rows[i].results);
}

static void text_selects_entities(void **state) {
    static const row_t rows[] = {
        { "Position, Velocity", "Bob" }, /* QL-01 */
        { " Position ,\n Velocity ,", "Bob" },
        { "Position\nVelocity", "Bob" },
        { "Position, // Mass\nVelocity", "Bob" }, /* QL-02 */
        { "Position, !Velocity", "Alice" },       /* QL-03 */
        { "Velocity, ?Position", "Bob Carl" },
        { "Transform || Mass", "Alice Carl" },
        { "Position, Velocity || Transform", "Alice Bob" },
        { "[in] Position, [none] Velocity", "Bob" }, /* QL-04 */
        { "(Likes, Apples)", "Bob" },                /* QL-05 */
        { "Likes($this, Apples)", "Bob" },
        { "Likes(Bob, Apples)", "true" },
        { "Likes(Carl, Apples)", "" },
        { "Velocity(Carl)", "true" },
        { "Mass, [out] Position()", "Carl" }, /* QL-06 */
        { "Mass, [out] (Likes, *)()", "Carl" },
        { "Position()", "" },
        { "Position($this)", "Alice Bob" }, /* QL-07 */
        { "Position($This)", "Alice Bob" },
        { "Position(This)", "Alice Bob" },
        { "(Likes, *)", "Bob Bob" }, /* QL-16 */
        { "(Likes, _)", "Bob" },
        { "(*, Apples)", "Bob Carl" },
        { "Velocity, TimeOfDay($)", "Bob Carl" },
        { "Velocity, TimeOfDay(TimeOfDay)", "Bob Carl" },
        { "Velocity, SimTime(Game)", "Bob Carl" },
        { "Velocity, SimTime(Alice)", "" },
        { "flecs.core.Prefab || Mass", "Carl" },
    };
    assert_rows(*state, rows, sizeof rows / sizeof *rows);
}

// QL-09, QL-10
static void traversal_is_read_in_all_spellings(void **state) {
    static const row_t rows[] = {
        { "Velocity, Position(up)", "Bob Carl" },
        { "Velocity, Position(up ChildOf)", "Bob Carl" },
        { "Velocity, Position($this|up ChildOf)", "Bob Carl" },
        { "Velocity, Position(up(ChildOf))", "Bob Carl" },
        { "Velocity, Position(super(ChildOf))", "Bob Carl" },
        { "Velocity, Position(parent)", "Bob Carl" },
        { "Mass, Transform(up)", "Carl" },
        { "Mass, Transform(up(ChildOf, 1))", "" },
        { "Mass, Transform(up(ChildOf, 2))", "Carl" },
        { "Mass, Position(up(ChildOf, 2, 4))", "Carl" },
        { "Position(self|up)", "Alice Bob Carl" },
        { "Position(cascade)", "Bob Carl" },
        { "Position(cascade|desc)", "Carl Bob" },
        { "Position, ?Position(parent|cascade)", "Alice Bob" },
        { "Mass, Transform(up LocatedIn)", "Carl" },
        { "Mass, Transform(superset(LocatedIn))", "Carl" },
        { "Transform(Carl|up)", "true" },
        { "Transform(parent:Bob)", "true" },
        { "Transform(Bob[super(ChildOf)])", "true" },
        { "Transform(Alice|up)", "" },
        { "Position(self|superset)", "Alice Bob" },
    };
    assert_rows(*state, rows, sizeof rows / sizeof *rows);
}

// QL-08, D-09
static void older_variables_are_names_when_an_entity_has_the_name(void **state) {
    ecs_world_t *world = *state;
    ecs_query_t *query = ecs_query(world, { .expr = "(Likes, X)" });
    assert_non_null(query);
    assert_int_equal(ecs_query_find_var(query, "X"), 1);
    ecs_query_fini(query);
    query = ecs_query(world, { .expr = "(Likes, _Friend), Likes(*, $_other)" });
    assert_int_equal(ecs_query_find_var(query, "_Friend"), ecs_query_find_var(query, "Friend"));
    assert_true(ecs_query_find_var(query, "Friend") > 0);
    assert_int_equal(ecs_query_find_var(query, "_other"), -1);
    ecs_query_fini(query);
    ecs_entity_t x = ecs_entity(world, { .name = "X" });
    ecs_add_pair(world, ecs_lookup(world, "Carl"), ecs_lookup(world, "Likes"), x);
    assert_matches(world, "(Likes, X)", "Carl");
    ecs_add_id(world, ecs_lookup(world, "Carl"), ecs_entity(world, { .name = "_Friend" }));
    assert_matches(world, "_Friend", "Carl");
}

// QL-14, NAM-11, QL-15
static void identifiers_are_paths_and_numbers(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_entity(world, { .name = "my.module.Tag" }),
                 e = ecs_entity(world, { .name = "Tagged" });
    ecs_add_id(world, e, tag);
    assert_matches(world, "my.module.Tag", "Tagged");
    assert_matches(world, "my::module::Tag", "Tagged");
    char expr[64];
    snprintf(expr, sizeof expr, "%u", (uint32_t)tag);
    assert_matches(world, expr, "Tagged");
    snprintf(expr, sizeof expr, "#%u(%u)", (uint32_t)tag, (uint32_t)e);
    assert_matches(world, expr, "true");
    /* builtins are also known by the names of their constants */
    assert_true(ecs_lookup_symbol(world, "EcsPrefab", false, false) == EcsPrefab);
    assert_true(ecs_id_from_str(world, "(EcsChildOf, EcsPrefab)") == ecs_childof(EcsPrefab));
    /* variables are none, be it the one of all queries; wildcards are */
    static const char *const no_ids[] = { "$x", "$this", "this", "(ChildOf, this)",
        "(This, Tagged)" };
    for (int i = 0; i < 5; i++) assert_true(!ecs_id_from_str(world, no_ids[i]));
    assert_true(ecs_id_from_str(world, "(ChildOf, *)") == ecs_childof(EcsWildcard));
}

// QL-17, WLD-04
static void bad_text_fails_and_the_world_goes_on(void **state) {
    ecs_world_t *world = *state;
    static const struct {
        const char *text, *sentence;
    } rows[] = {
        { "Position, (Likes", "text ends" },
        { "Position, Velocty", "did you mean Velocity?" },
        { "!?Position", "one operator" },
        { "Position || !Velocity", "mix operators" },
        { "Position }", "'}'" },
        { "Position(up Likes)", "Traversable" },
    };
    uint64_t hash = ecs_world_hash(world);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_error(ECS_INVALID_PARAMETER, rows[i].sentence,
            assert_null(ecs_query(world, { .expr = rows[i].text })));
    }
    assert_true(ecs_world_hash(world) == hash);
    assert_matches(world, "Position, Velocity", "Bob");
    ecs_set_scope(world, ecs_entity(world, { .name = "fruits" }));
    ecs_entity(world, { .name = "Banane" });
    ecs_entity(world, { .name = "Banana" });
    expect_error(ECS_INVALID_PARAMETER, "did you mean Banana?",
        assert_null(ecs_query(world, { .expr = "Bananx" })));
    ecs_set_scope(world, 0);
    ecs_entity(world, { .name = "a.module", .add = ecs_ids(EcsModule) });
    ecs_entity(world, { .name = "a.module.Banane" });
    expect_error(ECS_INVALID_PARAMETER, "did you mean a.module.Banane?",
        assert_null(ecs_query(world, { .expr = "Position, Banane" })));
}

// QL-19
static void a_printed_query_is_the_same_query(void **state) {
    ecs_world_t *world = *state;
    static const char *const texts[] = { "[in] Position, !Mass, ?Velocity",
        "[filter] Position, [filter] !Mass, [filter] Velocity || Mass",
        "Transform || Mass, (Likes, *)", "Position(up(ChildOf, 1, 2))",
        "Velocity, SimTime(Game), [none] TimeOfDay($)", "Position(self)", "(*, Apples), _",
        "Position(self|up|down ChildOf)", "Position(up|down(ChildOf, 1, 2))" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ecs_query_t *query = ecs_query(world, { .expr = texts[i] });
        char *printed = ecs_query_str(query);
        ecs_query_t *again = ecs_query(world, { .expr = printed });
        assert_non_null(again);
        char *reprinted = ecs_query_str(again);
        assert_string_equal(reprinted, printed);
        assert_int_equal(ecs_query_count(query).entities, ecs_query_count(again).entities);
        assert_int_equal(query->term_count, again->term_count);
        for (int32_t t = 0; t < query->term_count; t++)
            assert_int_equal(query->terms[t].inout, again->terms[t].inout);
        ecs_os_free(printed);
        ecs_os_free(reprinted);
        ecs_query_fini(query);
        ecs_query_fini(again);
    }
}

// QL-19: only what would be read as a word is protected
static void names_are_printed_as_they_are(void **state) {
    ecs_world_t *world = *state;
    static const char *const names[] = { "Parent", "Up", "Not", "Toggle", "ups", "down", "SELF",
        "auto_override" };
    for (int i = 0; i < 8; i++) {
        ecs_entity_t tag = ecs_entity(world, { .name = names[i] });
        ecs_term_t term = { .id = ecs_childof(tag) };
        char *text = ecs_term_str(world, &term), expected[64];
        snprintf(expected, sizeof expected, "ChildOf($this,%s%s)", i < 5 ? "" : "\\", names[i]);
        assert_string_equal(text, expected);
        ecs_os_free(text);
    }
}

static bool same_ref(const ecs_term_ref_t *a, const ecs_term_ref_t *b) {
    if (a->id != b->id || !a->name != !b->name) return false;
    return !a->name || !strcmp(a->name, b->name);
}

// Takes the query.
static void assert_reads_back(ecs_world_t *world, ecs_query_t *query) {
    char *text = ecs_query_str(query);
    ecs_query_t *again = ecs_query(world, { .expr = text });
    bool same = again && again->term_count == query->term_count;
    for (int i = 0; same && i < query->term_count; i++) {
        const ecs_term_t *a = &query->terms[i], *b = &again->terms[i];
        same = a->id == b->id && a->trav == b->trav && same_ref(&a->src, &b->src) &&
               same_ref(&a->first, &b->first) && same_ref(&a->second, &b->second);
    }
    if (!same) fail_msg("'%s' is another query", text);
    ecs_os_free(text);
    ecs_query_fini(query);
    ecs_query_fini(again);
}

static void assert_name_reads_back(ecs_world_t *world, ecs_entity_t e, const char *name) {
    ecs_entity_t likes = ecs_lookup(world, "Likes");
    ecs_add_id(world, ecs_set_name(world, e, name), EcsTraversable);
    assert_reads_back(world,
        ecs_query(world, { .terms = { { e }, { ecs_pair(likes, e) }, { .id = likes, .src.id = e },
                               { .id = likes, .src.id = EcsUp, .trav = e, .max_depth = 2 },
                               { .first.id = EcsPredEq, .second.id = e } } }));
    assert_reads_back(world,
        ecs_query(world,
            { .terms = { { e }, { .first.id = EcsPredEq, .second = { EcsIsName, name } } } }));
}

// QL-19: whatever entities are called, at the root, below others, and below who has no name.
static void a_printed_query_has_any_names(void **state) {
    ecs_world_t *world = *state;
    char longest[200] = { 0 };
    memset(longest, ' ', sizeof longest - 1);
    const char *const names[] = { "$", "\\$", "$x", "\\$x", "@", "@1", "\\@", "#", "#x", "\\#x",
        "#1", "\\#1", "*", "\\*", "_", "\\_", "<>", "<a.b>.c", "<", "a<", "a>", "<<a>",
        "Vec<int, 3>.x", "Vec<\\a>", "a b", " ", "a,b", "f(x)", "\"q\"", "a.b", ".", "..",
        "::", ":::", "a:b", "a\\:b", "\\", "a\\", "a\\.b", "!", "?", "|", "[in] a", "{", "==", "//",
        "\n", "self", "up", "Up", "UP", "and", "And", "12", "-1", "This", "X", "_x", longest };
    ecs_entity_t inner = ecs_new_w_pair(world, EcsChildOf, ecs_lookup(world, "Bob")),
                 outer = ecs_new(world), lost = ecs_new_w_pair(world, EcsChildOf, ecs_new(world));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ecs_entity_t below = ecs_new_w_pair(world, EcsChildOf, outer);
        assert_name_reads_back(world, outer, names[i]);
        assert_name_reads_back(world, inner, names[i]);
        assert_name_reads_back(world, lost, names[i]);
        assert_name_reads_back(world, below, "b>");
        ecs_delete(world, below);
    }
    ecs_entity_t twin = ecs_new(world); /* of two with one name, one is found by it */
    assert_name_reads_back(world, twin, "Twin");
    assert_name_reads_back(world, ecs_new(world), "Twin");
    assert_reads_back(world, ecs_query(world, { .terms = { { twin } } }));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        scene_test(text_selects_entities),
        scene_test(traversal_is_read_in_all_spellings),
        scene_test(older_variables_are_names_when_an_entity_has_the_name),
        scene_test(identifiers_are_paths_and_numbers),
        scene_test(bad_text_fails_and_the_world_goes_on),
        scene_test(a_printed_query_is_the_same_query),
        scene_test(names_are_printed_as_they_are),
        scene_test(a_printed_query_has_any_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
