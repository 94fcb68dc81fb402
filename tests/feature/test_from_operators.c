// SPDX-License-Identifier: MIT
// AndFrom, OrFrom, NotFrom: Q-FRM-01 to Q-FRM-11.
#include <string.h>

#include "graph_scene.h"

static void make_lists(scene_t *scene) {
    make_all(scene->world, "Pos Vel Wet Speed");
    make(scene->world, "MyType", "Prefab, Vel, Wet");
    make(scene->world, "a", "Pos");
    make(scene->world, "b", "Pos, Vel");
    make(scene->world, "c", "Pos, Vel, Wet");
}

// Q-FRM-01, Q-FRM-02, Q-FRM-03, Q-FRM-05, Q-FRM-09
static void a_list_stands_for_its_ids(void **state) {
    scene_t *scene = *state;
    make_lists(scene);
    assert_solutions(scene, "Pos, and|MyType", "c");
    assert_solutions(scene, "Pos, or|MyType", "b | c");
    assert_solutions(scene, "Pos, not|MyType", "a");
    assert_solutions(scene, "Pos, AND | MyType", "c");
    assert_solutions(scene, "Pos, OR | MyType", "b | c");
    assert_solutions(scene, "Pos, NOT | MyType", "a");
    assert_solutions(scene, "and|MyType", "c");
}

// Q-FRM-01, Q-FRM-02, Q-FRM-03, Q-FRM-08, Q-FRM-11: tables do not tell all ids of a list, nor who has them.
static void ids_beside_the_table_of_a_list_count(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_all(world, "Pos Happy Sad");
    make(world, "Loose", "DontFragment");
    make(world, "Mood", "EcsUnion");
    ecs_entity_t list = make(world, "List", "Prefab, Loose, (Mood, Happy)");
    make(world, "a", "Pos");
    make(world, "b", "Pos, Loose");
    make(world, "c", "Pos, Loose, (Mood, Happy)");
    make(world, "d", "Pos, (Mood, Sad)");
    assert_solutions(scene, "Pos, and|List", "c");
    assert_solutions(scene, "Pos, or|List", "b | c");
    assert_solutions(scene, "Pos, not|List", "a | d");
    assert_solutions(scene, "or|List", "b | c");
    assert_solutions(scene, "and|List($x), Pos($x)", ". x=c");
    assert_solutions(scene, "Pos, !{ or|List }", "a | d");
    ecs_add_id(world, make(world, "Outer", "Pos"), ECS_OR | list);
    assert_solutions(scene, "and|Outer", "b | c");
    ecs_query_t *q = query_expr(scene, "Pos, and|List");
    ecs_remove_id(world, list, find(scene, "Loose"));
    ecs_add_pair(world, list, find(scene, "Mood"), find(scene, "Sad"));
    assert_results(q, "d: Pos, List");
    ecs_query_fini(q);
}

static void switch_off(const scene_t *scene, const char *name, const char *id) {
    ecs_enable_id(scene->world, find(scene, name), find(scene, id), false);
}

static void make_switches(scene_t *scene) {
    make_all(scene->world, "Pos Wet Later");
    make(scene->world, "T", "CanToggle");
    make(scene->world, "R", "CanToggle");
    make(scene->world, "List", "Prefab, T, Wet");
    make(scene->world, "a", "Pos, T, Wet");
    make(scene->world, "b", "Pos, T, Wet");
    make(scene->world, "c", "Pos, T");
    make(scene->world, "d", "Pos, T");
    make(scene->world, "e", "Pos");
    switch_off(scene, "b", "T");
    switch_off(scene, "d", "T");
}

// Q-FRM-01, Q-FRM-02, Q-FRM-03, Q-FRM-08: what is switched off counts as in the terms written out, for no alternative
static void ids_of_lists_may_be_switched_off(void **state) {
    scene_t *scene = *state;
    make_switches(scene);
    assert_solutions(scene, "Pos, T, Wet", "a");
    assert_solutions(scene, "Pos, and|List", "a");
    assert_solutions(scene, "Pos, T || Wet", "a | b | c | d");
    assert_solutions(scene, "Pos, or|List", "a | b | c | d");
    assert_solutions(scene, "Pos, !T, !Wet", "d | e");
    assert_solutions(scene, "Pos, not|List", "d | e");
    assert_solutions(scene, "Pos, !{ and|List }", "b | c | d | e");
    assert_solutions(scene, "and|List($x), Pos($x)", ". x=a");
    ecs_add_id(scene->world, make(scene->world, "All", "Pos"), ECS_AND | find(scene, "List"));
    ecs_add_id(scene->world, make(scene->world, "Some", "Pos"), ECS_OR | find(scene, "List"));
    assert_solutions(scene, "and|All", "a");
    assert_solutions(scene, "and|Some", "a | b | c | d");
    ecs_query_t *q =
        query_of(scene, (ecs_query_desc_t){ .expr = "Pos, and|List", .flags = EcsQueryTableOnly });
    assert_results(q, "a: Pos, List | b: Pos, List");
    ecs_query_fini(q);
}

// Q-FRM-11: whether ids of a list can be switched off may change
static void ids_with_switches_are_followed(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_switches(scene);
    make(world, "Later", "CanToggle");
    ecs_entity_t list = find(scene, "List");
    ecs_remove_id(world, list, find(scene, "T"));
    ecs_entity_t b = make(world, "b", "Later, (R, e)");
    ecs_query_t *q = query_expr(scene, "Pos, and|List");
    assert_results(q, "a: Pos, List | b: Pos, List");
    ecs_add_id(world, list, find(scene, "Later"));
    assert_results(q, "b: Pos, List");
    switch_off(scene, "b", "Later");
    assert_results(q, "");
    ecs_remove_id(world, list, find(scene, "Later"));
    ecs_add_pair(world, list, find(scene, "R"), find(scene, "e"));
    assert_results(q, "b: Pos, List");
    ecs_enable_id(world, b, ecs_pair(find(scene, "R"), find(scene, "e")), false);
    assert_results(q, "");
    ecs_query_fini(q);
}

// Q-FRM-01: the nearest that has an id decides, as for a term
static void ids_of_lists_may_be_switched_off_above(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Pos");
    make(scene->world, "T", "CanToggle, (OnInstantiate, Inherit)");
    make(scene->world, "List", "Prefab, T");
    make(scene->world, "base", "T");
    make(scene->world, "a", "Pos, (IsA, base)");
    make(scene->world, "b", "Pos, T, (IsA, base)");
    assert_solutions(scene, "Pos, and|List", "a | b");
    switch_off(scene, "b", "T");
    assert_solutions(scene, "Pos, and|List", "a");
    assert_solutions(scene, "Pos, not|List", "b");
    switch_off(scene, "base", "T");
    assert_solutions(scene, "Pos, and|List", "");
    assert_solutions(scene, "Pos, !T", "a | b");
    assert_solutions(scene, "Pos, not|List", "a | b");
}

// Q-FRM-05: what instances get as copies counts, too
static void overridden_ids_of_lists_count(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Pos Vel Wet Speed");
    make(scene->world, "Vel", "(OnInstantiate, Override)");
    make(scene->world, "Speed", "(OnInstantiate, DontInherit)");
    make(scene->world, "MyType", "Prefab, Vel, Wet, Speed");
    make(scene->world, "a", "Pos, Wet, Speed");
    make(scene->world, "b", "Pos, Vel");
    make(scene->world, "c", "Pos, Vel, Wet");
    make(scene->world, "d", "Pos, Speed");
    assert_solutions(scene, "Pos, and|MyType", "c");
    assert_solutions(scene, "Pos, or|MyType", "a | b | c");
    assert_solutions(scene, "Pos, not|MyType", "d");
}

// Q-FRM-04, Q-FRM-06, Q-ACC-08
static void descriptors_have_from_operators(void **state) {
    scene_t *scene = *state;
    make_lists(scene);
    make(scene->world, "Other", "Speed");
    ecs_query_t *q =
        query_of(scene, (ecs_query_desc_t){ .terms = { { find(scene, "Pos") },
                                                { find(scene, "MyType"), .oper = EcsOrFrom },
                                                { find(scene, "MyType"), .oper = EcsAndFrom },
                                                { find(scene, "Other"), .oper = EcsNotFrom } } });
    assert_int_equal(q->terms[1].inout, EcsInOutNone);
    assert_int_equal(q->data_fields & ~(ecs_termset_t)1, 0);
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_int_equal(it.entities[0], find(scene, "c"));
    assert_int_equal(ecs_field_size(&it, 1), 0);
    assert_int_equal(ecs_field_id(&it, 1), find(scene, "Vel"));
    assert_int_equal(it.set_fields, 1 | 1 << 1 | 1 << 2); /* a NotFrom finds nothing */
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// As "entity id source", one after the other.
static void assert_sources(const scene_t *scene, const char *expr, const char *expected) {
    ecs_query_t *q = query_expr(scene, expr);
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    ecs_strbuf_t out = ECS_STRBUF_INIT;
    while (ecs_query_next(&it)) {
        assert_int_equal(ecs_field_is_self(&it, 1), !ecs_field_src(&it, 1));
        for (int i = 0; i < it.count; i++)
            ecs_strbuf_append(&out, "%s%s %s %s", ecs_strbuf_written(&out) ? " | " : "",
                short_name(scene->world, it.entities[i]),
                short_name(scene->world, ecs_field_id(&it, 1)),
                short_name(scene->world, ecs_field_src(&it, 1)));
    }
    char *text = ecs_strbuf_get(&out);
    assert_string_equal(text, expected);
    ecs_os_free(text);
    ecs_query_fini(q);
}

// Q-SRC-05: of an OrFrom, who has the id that the field shows
static void an_id_of_a_list_may_be_above(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Pos Vel Wet Speed");
    make(scene->world, "Vel", "(OnInstantiate, Inherit)");
    make(scene->world, "MyType", "Prefab, Vel, Wet");
    make(scene->world, "base", "Vel");
    make(scene->world, "a", "Pos, (IsA, base)");
    make(scene->world, "b", "Pos, Vel");
    make(scene->world, "c", "Pos, Wet, (IsA, base)");
    assert_sources(scene, "Pos, or|MyType", "a Vel base | b Vel - | c Vel base");
    assert_sources(scene, "Pos, or|MyType(self)", "b Vel - | c Wet -");
    make(scene->world, "top", "Wet");
    make(scene->world, "d", "Speed, (ChildOf, top)");
    assert_sources(scene, "Speed, or|MyType(up)", "d Wet top");
    assert_sources(scene, "Speed, or|MyType(b)", "d Vel b");
    assert_sources(scene, "Speed, or|MyType(a)", "d Vel base");
    make(scene->world, "Loose", "DontFragment");
    make(scene->world, "MyType", "Loose");
    assert_sources(scene, "Pos, or|MyType", "a Vel base | b Vel - | c Vel base");
    assert_sources(scene, "Speed, or|MyType(up)", "d Wet top");
}

// Q-FRM-07
static void access_of_a_list_fails(void **state) {
    scene_t *scene = *state;
    make_lists(scene);
    int level = ecs_log_set_level(-4);
    assert_null(ecs_query(scene->world, { .expr = "Pos, [in] and|MyType" }));
    ecs_log_set_level(level);
}

// Q-FRM-10, Q-FRM-11
static void lists_work_beside_variables_and_are_followed(void **state) {
    scene_t *scene = *state;
    make_lists(scene);
    make(scene->world, "d", "Vel, Wet, (Likes, c)");
    ecs_query_t *q = query_expr(scene, "Pos, and|MyType");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "c");
    assert_solutions(scene, "(Likes, $x), and|MyType, and|MyType($x)", "d x=c");
    ecs_add_id(scene->world, find(scene, "MyType"), find(scene, "Speed"));
    it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "");
    ecs_query_fini(q);
}

static void add_list(scene_t *scene, const char *list, ecs_id_t mark, const char *inner) {
    ecs_add_id(scene->world, find(scene, list), mark | find(scene, inner));
}

// Q-FRM-08
static void lists_nest(void **state) {
    scene_t *scene = *state;
    make_lists(scene);
    make(scene->world, "Other", "Speed");
    add_list(scene, "Other", ECS_AND, "MyType");
    make(scene->world, "d", "Pos, Speed, Vel");
    make(scene->world, "e", "Pos, Speed, Vel, Wet");
    ecs_query_t *q = query_expr(scene, "Pos, and|Other");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "e");
    assert_solutions(scene, "Pos, or|Other", "c | d | e");
    assert_solutions(scene, "Pos, not|Other", "a | b");
    ecs_remove_id(scene->world, find(scene, "Other"), ECS_AND | find(scene, "MyType"));
    add_list(scene, "Other", ECS_OR, "MyType");
    it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "d | e");
    assert_solutions(scene, "Pos, or|Other", "b | c | d | e");
    assert_solutions(scene, "Pos, not|Other", "a");
    ecs_query_fini(q);
}

// Q-FRM-08: a list within itself counts no second time
static void lists_may_be_within_each_other(void **state) {
    scene_t *scene = *state;
    make_lists(scene);
    make(scene->world, "Other", "Speed");
    make(scene->world, "f", "Vel, Wet, Speed");
    add_list(scene, "Other", ECS_AND, "MyType");
    add_list(scene, "MyType", ECS_OR, "Other");
    add_list(scene, "MyType", ECS_AND, "MyType");
    assert_solutions(scene, "and|MyType", "f");
    assert_solutions(scene, "or|MyType", "Other | b | c | f");
}

// Q-FRM-08: the id of a list in a list is an id like others
static void marked_lists_are_ids(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_lists(scene);
    ecs_entity_t inner = find(scene, "MyType"), list = make(world, "Other", "Speed");
    assert_true(ecs_id_is_valid(world, ECS_OR | inner));
    assert_false(ecs_id_is_pair(ECS_OR | inner));
    ecs_add_id(world, list, ECS_OR | inner);
    ecs_add_id(world, list, ECS_AND | inner);
    assert_true(ecs_has_id(world, list, ECS_OR | inner));
    assert_false(ecs_has_id(world, list, inner));
    char *text = ecs_type_str(world, ecs_get_type(world, list));
    assert_non_null(strstr(text, "AND|MyType"));
    assert_non_null(strstr(text, "OR|MyType"));
    ecs_os_free(text);
    ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, list);
    assert_false(ecs_has_id(world, instance, ECS_AND | inner));
    assert_true(ecs_world_verify(world));
    ecs_delete(world, inner);
    assert_int_equal(ecs_get_type(world, list)->count, 2); /* name, Speed */
    assert_true(ecs_world_verify(world));
}

// Q-FRM-06: also if the list is a base of others, and its ids have values in sets.
static void lists_of_sparse_components_have_no_data(void **state) {
    scene_t *scene = *state;
    ecs_add_id(scene->world, ecs_id(Position), EcsSparse);
    ecs_entity_t list = make(scene->world, "List", "Prefab, Position");
    make(scene->world, "instance", "(IsA, List)");
    make(scene->world, "own", "Position");
    ecs_query_t *q =
        query_of(scene, (ecs_query_desc_t){ .terms = { { list, .oper = EcsOrFrom } } });
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    int results = 0;
    for (; ecs_query_next(&it); results++) {
        assert_int_equal(ecs_field_size(&it, 0), 0);
        assert_int_equal(it.row_fields, 0);
    }
    assert_int_equal(results, 2);
    ecs_query_fini(q);
}

// Q-FRM-04, Q-FRM-08
static void a_marked_id_is_a_from_term(void **state) {
    scene_t *scene = *state;
    make_lists(scene);
    ecs_query_t *q = query_of(
        scene, (ecs_query_desc_t){
                   .terms = { { find(scene, "Pos") }, { ECS_OR | find(scene, "MyType") } } });
    assert_int_equal(q->terms[1].oper, EcsOrFrom);
    assert_int_equal(q->terms[1].id, find(scene, "MyType"));
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "b | c");
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = { BOTH(a_list_stands_for_its_ids),
        BOTH(ids_beside_the_table_of_a_list_count), BOTH(ids_of_lists_may_be_switched_off),
        BOTH(ids_with_switches_are_followed), BOTH(ids_of_lists_may_be_switched_off_above),
        BOTH(overridden_ids_of_lists_count), BOTH(descriptors_have_from_operators),
        BOTH(access_of_a_list_fails), BOTH(an_id_of_a_list_may_be_above),
        BOTH(lists_work_beside_variables_and_are_followed), BOTH(lists_nest),
        BOTH(lists_may_be_within_each_other), BOTH(marked_lists_are_ids),
        BOTH(a_marked_id_is_a_from_term), BOTH(lists_of_sparse_components_have_no_data) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
