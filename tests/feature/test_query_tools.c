// SPDX-License-Identifier: MIT
// What helps to look at queries: results and variables as text, values of variables from text, profiles, names that come later.
#include <string.h>

#include "graph_scene.h"

static void make_guests(scene_t *scene) {
    make(scene->world, "Bob", "(Likes, Apples), (Eats, Pears)");
    make(scene->world, "Alice", "(Likes, Pears), (Eats, Pears)");
}

static void assert_text(char *text, const char *expected) {
    if (!text || strcmp(text, expected)) fail_msg("'%s' instead of '%s'", text, expected);
    ecs_os_free(text);
}

static void results_name_their_variables(void **state) {
    scene_t *scene = *state;
    make_guests(scene);
    ecs_query_t *q = query_expr(scene, "Likes($this, $food), Eats($this, $_other)");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_text(ecs_iter_str(&it), "id:  (Likes,Apples),(Eats,*)\nsrc: 0,0\nset: true,true\n"
                                   "var: food=Apples\nthis:\n    - Bob\n");
    ecs_var_t *vars = ecs_iter_get_vars(&it);
    int32_t food = ecs_query_find_var(q, "food");
    assert_int_equal(vars[food].entity, find(scene, "Apples"));
    assert_int_equal(vars[food].range.count, 1);
    assert_int_equal(vars[0].entity, find(scene, "Bob"));
    assert_ptr_equal(vars[0].range.table, it.table);
    assert_true(ecs_query_next(&it));
    assert_ptr_equal(ecs_iter_get_vars(&it), vars);
    assert_int_equal(vars[food].entity, find(scene, "Pears"));
    ecs_iter_fini(&it);
    ecs_query_fini(q);
    q = query_expr(scene, "Position(Bob)");
    make(scene->world, "Bob", "Position");
    it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_null(ecs_iter_get_vars(&it));
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

static void variables_take_values_from_text(void **state) {
    scene_t *scene = *state;
    make_guests(scene);
    ecs_query_t *q = query_expr(scene, "Likes($this, $food), Eats($this, $meal)");
    static const struct {
        const char *args, *results;
    } rows[] = {
        { "", "Alice food=Pears meal=Pears | Bob food=Apples meal=Pears" },
        { "food: Apples", "Bob food=Apples meal=Pears" },
        { "(food: Pears, meal : Pears )", "Alice food=Pears meal=Pears" },
        { " this:Bob , meal:Pears", "Bob food=Apples meal=Pears" },
        { "$food: Pears, this: Bob", "" },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ecs_iter_t it = ecs_query_iter(scene->world, q);
        const char *end = ecs_query_args_parse(q, &it, rows[i].args);
        assert_ptr_equal(end, rows[i].args + strlen(rows[i].args));
        assert_lines(&it, rows[i].results);
    }
    char apples[64], long_text[600];
    snprintf(apples, sizeof(apples), "food: #%u", (uint32_t)find(scene, "Apples"));
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_non_null(ecs_query_args_parse(q, &it, apples));
    assert_lines(&it, "Bob food=Apples meal=Pears");
    memset(long_text, ' ', sizeof(long_text) - 1);
    long_text[sizeof(long_text) - 1] = '\0';
    const char *wrong[] = { "nothing: Bob", "food: Nobody", "food", "food:", "(food: Apples",
        "food: Apples, food: Pears", "this: Bob, $this: Bob", long_text };
    int level = ecs_log_set_level(-5);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        it = ecs_query_iter(scene->world, q);
        assert_null(ecs_query_args_parse(q, &it, wrong[i]));
        ecs_iter_fini(&it);
    }
    ecs_log_set_level(level);
    ecs_query_fini(q);
}

static void assert_profile(scene_t *scene, const char *expr, const char *expected) {
    ecs_query_t *q = ecs_query(scene->world, { .expr = expr, .cache_kind = EcsQueryCacheNone });
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    it.flags |= EcsIterProfile;
    while (ecs_query_next(&it)) {}
    char *text = ecs_query_plan_w_profile(q, &it);
    if (!strstr(text, expected)) fail_msg("'%s' is not in\n%s", expected, text);
    ecs_os_free(text);
    ecs_query_fini(q);
}

static void plans_tell_how_often_steps_ran(void **state) {
    scene_t *scene = *state;
    make_guests(scene);
    make(scene->world, "e", "Position");
    make(scene->world, "f", "Position, Tag");
    assert_profile(scene, "Position, !Tag", "field 1  tried 2, held 1"); // two tables
    assert_profile(scene, "Likes($this, $food), Eats($this, $food)",
        "Likes($this|self|up IsA,$food)  field 0  tried 3, held 2");
}

static void plans_tell_where_they_look(void **state) {
    scene_t *scene = *state;
    make(scene->world, "Above", "Traversable");
    make(scene->world, "Mode", "CanToggle");
    static const struct {
        const char *expr, *text;
    } rows[] = {
        { "!Tag", "scan      all tables" },
        { "Tag()", "nothing" },
        { "Tag, Mode", "Mode by row" },
        { "Position(cascade(Above))", "by depth of Above, ascending" },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ecs_query_t *q = query_expr(scene, rows[i].expr);
        char *text = ecs_query_plan(q);
        if (!strstr(text, rows[i].text)) fail_msg("'%s' is not in\n%s", rows[i].text, text);
        ecs_os_free(text);
        ecs_query_fini(q);
    }
    ecs_query_t *q = query_of(scene, (ecs_query_desc_t){ .terms = { { .id = find(scene, "Tag"),
                                                             .src.id = EcsUp,
                                                             .trav = find(scene, "Above"),
                                                             .min_depth = 1,
                                                             .max_depth = 2 } } });
    char *text = ecs_query_plan(q);
    assert_non_null(strstr(text, " 1..2"));
    ecs_os_free(text);
    ecs_query_fini(q);
}

static void variables_are_counted_from_this_on(void **state) {
    scene_t *scene = *state;
    ecs_query_t *q = query_expr(scene, "Likes($this, $food)");
    for (int v = -1; v < 3; v++) assert_int_equal(ecs_query_var_is_entity(q, v), v == 1);
    ecs_query_fini(q);
}

static void fields_may_have_to_be_of_the_entities(void **state) {
    scene_t *scene = *state;
    ecs_set(scene->world, ecs_new(scene->world), Position, { 1, 2 });
    ecs_query_t *q = query_expr(scene, "Position");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_int_equal((int)ecs_field_self(&it, Position, 0)->y, 2);
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

static void numbers_of_wildcards_are_wildcards(void **state) {
    scene_t *scene = *state;
    make_guests(scene);
    char text[64];
    snprintf(
        text, sizeof(text), "(#%u, #%u)", (uint32_t)find(scene, "Likes"), (uint32_t)EcsWildcard);
    assert_query(scene, text, "Bob: (Likes,Apples) | Alice: (Likes,Pears)");
    snprintf(
        text, sizeof(text), "#%u($this, Pears), Tag(#%u)", (uint32_t)EcsWildcard, (uint32_t)EcsAny);
    ecs_query_t *q = query_expr(scene, text);
    char *canonical = ecs_query_str(q), *again;
    assert_string_equal(canonical, "*($this,Pears), [none] Tag(_|self|up IsA)");
    ecs_query_t *same = query_expr(scene, canonical);
    assert_string_equal((again = ecs_query_str(same)), canonical);
    ecs_os_free(again);
    ecs_os_free(canonical);
    ecs_query_fini(same);
    ecs_query_fini(q);
}

static void names_may_come_later_if_the_query_allows_it(void **state) {
    scene_t *scene = *state;
    make_guests(scene);
    int level = ecs_log_set_level(-5);
    assert_null(ecs_query(scene->world, { .expr = "(Likes, Plums)" }));
    ecs_log_set_level(level);
    ecs_query_desc_t desc = { .flags = EcsQueryAllowUnresolvedByName };
    static const char *const texts[] = { "(Likes, Plums)", "(Eats, Pears), !(Likes, Plums)",
        "Loves($this, Pears)", "Eats(Carol, $x)", "$this == Carol, Likes($this, $x)" };
    ecs_query_t *q[5];
    for (int i = 0; i < 5; i++) {
        desc.expr = texts[i];
        q[i] = query_of(scene, desc);
    }
    static const char *const before[] = { "", "Alice | Bob", "", "", "" };
    static const char *const after[] = { "Carol", "Alice | Bob", "Carol", ". x=Pears",
        "Carol x=Plums" };
    for (int i = 0; i < 5; i++) {
        ecs_iter_t it = ecs_query_iter(scene->world, q[i]);
        assert_lines(&it, before[i]);
    }
    make_all(scene->world, "Plums Loves");
    make(scene->world, "Carol", "(Likes, Plums), (Loves, Pears), (Eats, Pears)");
    for (int i = 0; i < 5; i++) {
        ecs_iter_t it = ecs_query_iter(scene->world, q[i]);
        assert_lines(&it, after[i]);
        ecs_query_fini(q[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(results_name_their_variables),
        BOTH(variables_take_values_from_text),
        BOTH(plans_tell_how_often_steps_ran),
        BOTH(plans_tell_where_they_look),
        BOTH(variables_are_counted_from_this_on),
        BOTH(fields_may_have_to_be_of_the_entities),
        BOTH(numbers_of_wildcards_are_wildcards),
        BOTH(names_may_come_later_if_the_query_allows_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
