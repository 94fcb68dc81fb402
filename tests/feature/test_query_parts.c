// SPDX-License-Identifier: MIT
// Parts of queries that have no variable in common: Q-VAR-09, PRF-03. They are searched once, and results are all combinations.
#include "graph_scene.h"

enum { HEADS = 20, TAILS = 12 };

typedef struct parts_t {
    ecs_entity_t heads[HEADS], tails[TAILS];
} parts_t;

// Heads are in tables of their own; a third of those that like something eats it, too.
static parts_t make_parts(const scene_t *scene) {
    ecs_world_t *world = scene->world;
    ecs_entity_t tag = make(world, "Tag", NULL), likes = make(world, "Likes", NULL),
                 eats = make(world, "Eats", NULL);
    parts_t parts;
    for (int i = 0; i < HEADS; i++) {
        parts.heads[i] = ecs_new_w_id(world, ecs_new(world));
        ecs_add_id(world, parts.heads[i], tag);
    }
    for (int i = 0; i < TAILS; i++) {
        ecs_entity_t food = ecs_new(world),
                     tail = parts.tails[i] = ecs_new_w_pair(world, likes, food);
        ecs_set(world, tail, Position, { (float)i, 0 });
        if (i % 3 == 0) ecs_add_pair(world, tail, eats, food);
    }
    return parts;
}

static void parts_are_searched_once(void **state) {
    scene_t *scene = *state;
    make_parts(scene);
    static const struct {
        const char *expr;
        int32_t results;
    } cases[] = { { "Tag, Likes($x, $y), Eats($x, $y)", HEADS * TAILS / 3 },
        { "Tag, Likes($x, $y), !Eats($x, $y), Eats($z, $w), Likes($z, $w)",
            HEADS * (TAILS - TAILS / 3) * TAILS / 3 },
        { "Tag, Likes($_x, $_y), Eats($_x, $_y)", HEADS },
        { "Tag, Likes($x, $_y), Eats($x, $_y)", HEADS * TAILS / 3 },
        { "Tag, Likes($_x, $_y), Eats($_y, $_x)", 0 } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ecs_query_t *q = query_expr(scene, cases[i].expr);
        int32_t results;
        assert_true(tries_of(q, &results) <= 2 * HEADS + 8 * TAILS);
        assert_int_equal(results, cases[i].results);
        assert_int_equal(ecs_query_count(q).results, cases[i].results);
        ecs_query_fini(q);
    }
}

// Each scope has a field of its own, also where what it found is read from notes: Q-SCP-13.
static void alternatives_show_which_of_them_holds(void **state) {
    scene_t *scene = *state;
    make_parts(scene);
    const ecs_entity_t eats = ecs_lookup(scene->world, "Eats");
    ecs_query_t *q = query_expr(scene, "Tag, Likes($x, _), { Eats($x, _) } || { !Eats($x, _) }");
    const int32_t x = ecs_query_find_var(q, "x");
    int32_t results = 0;
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    for (; ecs_query_next(&it); results++) {
        const bool is_first =
            ecs_has_pair(scene->world, ecs_iter_get_var(&it, x), eats, EcsWildcard);
        assert_int_equal(ecs_field_is_set(&it, 2), is_first);
        assert_int_equal(ecs_field_is_set(&it, 4), !is_first);
    }
    assert_int_equal(results, HEADS * TAILS);
    ecs_query_fini(q);
}

// The last of the parts goes through its ways first.
static void results_come_in_the_order_of_the_parts(void **state) {
    scene_t *scene = *state;
    const parts_t parts = make_parts(scene);
    ecs_query_t *q = query_expr(scene, "Tag, Position($x), Eats($x, $_y), Likes($x, $_y)");
    const int32_t x = ecs_query_find_var(q, "x");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    for (int i = 0; i < HEADS; i++) {
        for (int k = 0; k < TAILS; k += 3) {
            assert_true(ecs_query_next(&it));
            assert_int_equal(it.entities[0], parts.heads[i]);
            assert_int_equal(ecs_iter_get_var(&it, x), parts.tails[k]);
            assert_int_equal(ecs_field_src(&it, 1), parts.tails[k]);
            assert_true(ecs_field(&it, Position, 1)->x == (float)k);
        }
    }
    assert_false(ecs_query_next(&it));
    ecs_iter_set_var((it = ecs_query_iter(scene->world, q), &it), x, parts.tails[3]);
    for (int i = 0; i < HEADS; i++) assert_true(ecs_query_next(&it));
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// What was found is where it is now, or nowhere.
static void entities_of_parts_may_move_between_results(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    const parts_t parts = make_parts(scene);
    ecs_query_t *q = query_expr(scene, "Tag, Position($x), Eats($x, $_y), Likes($x, $_y)");
    const int32_t x = ecs_query_find_var(q, "x");
    ecs_iter_t it = ecs_query_iter(world, q);
    for (int i = 0; i <= TAILS / 3; i++) assert_true(ecs_query_next(&it));
    for (int i = 0; i < TAILS; i += 3) ecs_set(world, parts.tails[i], Velocity, { 1, 1 });
    ecs_delete(world, parts.tails[3]);
    ecs_remove(world, parts.tails[6], Position);
    ecs_delete_empty_tables_desc_t all = { .delete_generation = 1 };
    for (int i = 0; i < 3; i++) ecs_delete_empty_tables(world, &all);
    while (ecs_query_next(&it)) {
        const ecs_entity_t tail = ecs_iter_get_var(&it, x);
        const Position *value = ecs_is_alive(world, tail) ? ecs_get(world, tail, Position) : NULL;
        assert_ptr_equal(ecs_field(&it, Position, 1), value);
    }
    ecs_query_fini(q);
}

// A term that nothing before has to do with holds as before, until rows move.
static void who_is_gone_is_not_found_again(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t first = make(world, "first", "(Likes, Apples)");
    make(world, "second", "(Likes, Apples), Npc");
    make(world, "second.child", NULL);
    ecs_set(world, make(world, "here", NULL), Position, { 1, 0 });
    ecs_set(world, make(world, "there", NULL), Position, { 2, 0 });
    ecs_query_t *q = query_expr(scene, "Position($at), Likes($this|self|up, $what)");
    const int32_t at = ecs_query_find_var(q, "at");
    ecs_iter_t it = ecs_query_iter(world, q);
    for (int i = 0; i < 5; i++) {
        assert_true(ecs_query_next(&it));
        assert_int_equal(ecs_iter_get_var(&it, at), find(scene, i < 3 ? "here" : "there"));
        if (i == 2) ecs_delete(world, first);
    }
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// More than are noted: they are searched for again.
static void parts_may_hold_in_many_ways(void **state) {
    scene_t *scene = *state;
    enum { MANY = 40000 };
    ecs_entity_t tag = make(scene->world, "Tag", NULL), other = make(scene->world, "Other", NULL);
    for (int i = 0; i < 3; i++)
        ecs_add_id(scene->world, ecs_new_w_id(scene->world, ecs_new(scene->world)), tag);
    for (int i = 0; i < MANY; i++) ecs_new_w_id(scene->world, other);
    ecs_query_t *q = query_expr(scene, "Tag, Other($x), $x ~= \"!none\"");
    assert_int_equal(ecs_query_count(q).results, 3 * MANY);
    ecs_query_fini(q);
    q = query_expr(scene, "Tag, [none] Other($_x), !Npc($_x), Other($y), !Npc($y)");
    assert_int_equal(ecs_query_count(q).results, 3 * MANY);
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = { BOTH(parts_are_searched_once),
        BOTH(alternatives_show_which_of_them_holds), BOTH(results_come_in_the_order_of_the_parts),
        BOTH(entities_of_parts_may_move_between_results), BOTH(who_is_gone_is_not_found_again),
        BOTH(parts_may_hold_in_many_ways) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
