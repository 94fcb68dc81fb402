// SPDX-License-Identifier: MIT
// Do ids, types and entities read as documented, and do texts of ids read back to the ids?
#include "support/world.h"

#include "support/check.h"
#include "support/memory.h"

#define assert_text(call, expected)           \
    do {                                      \
        char *text_ = (call);                 \
        assert_string_equal(text_, expected); \
        ecs_os_free(text_);                   \
    } while (0)

static void ids_read_as_paths_pairs_and_flags(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t likes = ecs_new_from_path(world, 0, "Likes"),
                 apples = ecs_new_from_path(world, 0, "food.Apples");
    assert_text(ecs_id_str(world, likes), "Likes");
    assert_text(ecs_id_str(world, apples), "food.Apples");
    assert_text(ecs_id_str(world, ecs_pair(likes, apples)), "(Likes,food.Apples)");
    assert_text(ecs_id_str(world, ecs_pair(likes, EcsWildcard)), "(Likes,*)");
    assert_text(ecs_id_str(world, ecs_pair(EcsChildOf, apples)), "(ChildOf,food.Apples)");
    assert_text(ecs_id_str(world, ecs_value_pair(likes, 10)), "(Likes,@10)");
    assert_text(ecs_id_str(world, ECS_TOGGLE | likes), "TOGGLE|Likes");
    assert_text(ecs_id_str(world, ECS_AUTO_OVERRIDE | ecs_pair(likes, apples)),
        "AUTO_OVERRIDE|(Likes,food.Apples)");
    assert_text(ecs_id_str(world, EcsWildcard), "*");
    assert_text(ecs_id_str(world, EcsAny), "_");
    assert_text(ecs_id_str(world, 0), "#0");
    assert_text(ecs_id_str(world, 7000), "#7000");
}

// PAIR-11
static void types_list_plain_ids_before_pairs_of_each_relationship(void **state) {
    ecs_world_t *world = *state;
    static const char *const names[] = { "Npc", "Likes", "Eats", "Apples", "Pears", "Bananas" };
    ecs_entity_t ids[6];
    for (int i = 0; i < 6; i++) ids[i] = ecs_new_from_path(world, 0, names[i]);
    ecs_entity_t e = ecs_new(world);
    ecs_add_pair(world, e, ids[2], ids[4]);
    ecs_add_pair(world, e, ids[1], ids[5]);
    ecs_add_pair(world, e, ids[1], ids[3]);
    ecs_add_id(world, e, ids[0]);
    ecs_add_pair(world, e, ids[2], ids[3]);
    ecs_add_pair(world, e, ids[1], ids[4]);
    const char *expected =
        "Npc, (Likes,Apples), (Likes,Pears), (Likes,Bananas), (Eats,Apples), (Eats,Pears)";
    assert_text(ecs_type_str(world, ecs_get_type(world, e)), expected);
    assert_text(ecs_table_str(world, ecs_get_table(world, e)), expected);
    assert_text(ecs_type_str(world, NULL), "");
    assert_null(ecs_table_str(world, NULL));
}

static void entities_read_as_path_and_type(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new_from_path(world, 0, "Tag"), e = ecs_new(world);
    ecs_add_id(world, e, tag);
    char expected[64];
    snprintf(expected, sizeof expected, "#%u [Tag]", (uint32_t)e);
    assert_text(ecs_entity_str(world, e), expected);
    ecs_set_name(world, e, "Sun");
    assert_text(ecs_entity_str(world, e), "Sun [Tag, (Identifier,Name)]");
}

static void ids_are_read_from_text(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t likes = ecs_new_from_path(world, 0, "Likes"),
                 apples = ecs_new_from_path(world, 0, "food.Apples");
    assert_id_equal(world, ecs_id_from_str(world, "Likes"), likes);
    assert_id_equal(world, ecs_id_from_str(world, "food.Apples"), apples);
    assert_id_equal(world, ecs_id_from_str(world, "(Likes, food.Apples)"), ecs_pair(likes, apples));
    assert_id_equal(
        world, ecs_id_from_str(world, "Likes($this, food.Apples)"), ecs_pair(likes, apples));
    assert_id_equal(world, ecs_id_from_str(world, "(Likes, *)"), ecs_pair(likes, EcsWildcard));
    assert_id_equal(world, ecs_id_from_str(world, "TOGGLE|Likes"), ECS_TOGGLE | likes);
    assert_id_equal(world, ecs_id_from_str(world, "Likes, Nonsense ("), likes);
    assert_id_equal(world, ecs_id_from_str(world, "(Likes,@10)"), ecs_value_pair(likes, 10));
    static const char *const bad[] = { "", "0", "Nobody", "(Likes", "!Likes", "?Likes",
        "[in] Likes", "Likes(food)", "Likes(up)", "$x", "(Likes, $x)", "Likes || food", "{ Likes }",
        "$this == Likes", "and|Likes", "#99999", "Likes(food, food.Apples)" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ecs_log_start_capture(true);
        if (ecs_id_from_str(world, bad[i])) fail_msg("'%s' is an id", bad[i]);
        assert_null(ecs_log_stop_capture());
    }
}

static void the_text_of_an_id_reads_back(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t likes = ecs_new_from_path(world, 0, "Likes"), unnamed = ecs_new(world);
    const ecs_id_t ids[] = { likes, unnamed, EcsChildOf, EcsWildcard, ecs_pair(likes, unnamed),
        ecs_pair(EcsWildcard, likes), ECS_TOGGLE | likes,
        ECS_AUTO_OVERRIDE | ecs_pair(EcsIsA, unnamed) };
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char *text = ecs_id_str(world, ids[i]);
        assert_id_equal(world, ecs_id_from_str(world, text), ids[i]);
        ecs_os_free(text);
    }
}

// api/01 §5: also where names mean something in the query language.
static void the_text_of_an_id_reads_back_whatever_names_hold(void **state) {
    ecs_world_t *world = *state;
    static const char *const names[] = { "$x", "-", "\"q\"", "x$y", "a-b", "x y", " x", "{x", "'s",
        "a=b", "a?", "a@b", "x;", "1a", "a[b]", "a:b", "x,y", "x, y", "T\nx", "(T)", "T(T)", "T}",
        "//", "12", "this", "$", "*", "_", ".", "#12", "(", ")", "|",
        "................................,...............................................,x",
        "::::::::::::::::::::::::::::::::::::::::,,a" };
    ecs_entity_t t = ecs_new_from_path(world, 0, "T"), parents[] = { 0, t };
    for (size_t i = 0; i < 2 * (sizeof names / sizeof *names); i++) {
        ecs_entity_t e = ecs_new(world), parent = parents[i % 2];
        if (parent) ecs_add_pair(world, e, EcsChildOf, parent);
        ecs_set_name(world, e, names[i / 2]);
        const ecs_id_t ids[] = { e, ecs_pair(t, e), ecs_pair(e, e), ecs_value_pair(e, 7),
            ECS_TOGGLE | ECS_AUTO_OVERRIDE | e, ECS_TOGGLE | ecs_pair(t, e) };
        for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
            char *text = ecs_id_str(world, ids[k]);
            if (ecs_id_from_str(world, text) != ids[k]) fail_msg("'%s' does not read back", text);
            ecs_os_free(text);
        }
        ecs_delete(world, e);
    }
}

// Another entity is worse than none.
static void what_stands_behind_a_name_belongs_to_it(void **state) {
    ecs_world_t *world = *state;
    ecs_new_from_path(world, 0, "Likes");
    static const char *const bad[] = { "Likes.$x", "Likes food", "Likes}", "Likes)", "Likes;",
        "TOGGLE|Likes.$x" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (ecs_id_from_str(world, bad[i])) fail_msg("'%s' is an id", bad[i]);
}

static void read_under_fault(void *world, bool will_fail) {
    const ecs_id_t id = ecs_id_from_str(world, "(Likes,*)"); /* there are two ways to read it */
    assert_true((!id && will_fail) || id == ecs_pair(ecs_lookup(world, "Likes"), EcsWildcard));
}

static void lack_of_memory_is_reported_like_bad_text(void **state) {
    ecs_new_from_path(*state, 0, "Likes");
    assert_int_equal(memory_fault_sweep(read_under_fault, *state, 2), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(ids_read_as_paths_pairs_and_flags),
        mini_world_test(types_list_plain_ids_before_pairs_of_each_relationship),
        mini_world_test(entities_read_as_path_and_type),
        mini_world_test(ids_are_read_from_text),
        mini_world_test(the_text_of_an_id_reads_back),
        mini_world_test(the_text_of_an_id_reads_back_whatever_names_hold),
        mini_world_test(what_stands_behind_a_name_belongs_to_it),
        mini_world_test(lack_of_memory_is_reported_like_bad_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
