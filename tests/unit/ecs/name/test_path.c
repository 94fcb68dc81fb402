// SPDX-License-Identifier: MIT
// Are paths taken apart, walked, written and made as documented, with every separator and escape?
#include "support/world.h"

#include "name/lookup.h"
#include "support/check.h"

static void assert_path(ecs_world_t *world, ecs_entity_t parent, ecs_entity_t child,
    const char *sep, const char *prefix, const char *expected) {
    char *path = ecs_get_path_w_sep(world, parent, child, sep, prefix);
    assert_string_equal(path, expected);
    ecs_os_free(path);
}

static void elements_end_at_separators_outside_of_brackets(void **state) {
    (void)state;
    static const struct {
        const char *path, *sep;
        size_t length;
        const char *rest;
    } rows[] = {
        { "a.b", NULL, 1, "b" },
        { "a::b", NULL, 1, "b" },
        { "a:b", NULL, 3, NULL },
        { "a\\.b.c", NULL, 4, "c" },
        { "V<a.b>.c", NULL, 6, "c" },
        { "V<a.b", NULL, 3, "b" },
        { "a.b", "", 3, NULL },
        { "a.b", "::", 3, NULL },
        { "a.b::c", "::", 3, "c" },
        { "", NULL, 0, NULL },
        { "a.", NULL, 1, "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *rest;
        assert_int_equal(ecs__path_element(rows[i].path, rows[i].sep, &rest), rows[i].length);
        assert_string_equal(rest ? rest : "NULL", rows[i].rest ? rows[i].rest : "NULL");
    }
}

// NAM-05, NAM-06, NAM-07, D-39
static void a_path_may_use_both_separators(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t leaf = ecs_new_from_path(world, 0, "one.two.three");
    ecs_entity_t two = ecs_lookup(world, "one.two");
    assert_id_equal(world, ecs_lookup(world, "one.two.three"), leaf);
    assert_id_equal(world, ecs_lookup(world, "one::two::three"), leaf);
    assert_id_equal(world, ecs_lookup(world, "one.two::three"), leaf);
    assert_id_equal(world, ecs_lookup(world, "::one.two.three"), leaf);
    assert_id_equal(world, ecs_lookup_fullpath(world, "one::two::three"), leaf);
    assert_id_equal(world, ecs_lookup_child(world, two, "three"), leaf);
    assert_id_equal(world, ecs_lookup_path(world, two, "three"), leaf);
    assert_id_equal(
        world, ecs_lookup_path_w_sep(world, 0, "/one/two/three", "/", "/", false), leaf);
    assert_int_equal(ecs_lookup_path_w_sep(world, 0, "one.two", "", NULL, false), 0);
    assert_int_equal(ecs_lookup(world, "one.three"), 0);
    assert_int_equal(ecs_lookup(world, "one.two.three.four"), 0);
    assert_int_equal(ecs_lookup(world, NULL), 0);
}

static void special_names_and_numbers_are_understood(void **state) {
    ecs_world_t *world = *state;
    assert_id_equal(world, ecs_lookup(world, "*"), EcsWildcard);
    assert_id_equal(world, ecs_lookup(world, "_"), EcsAny);
    assert_id_equal(world, ecs_lookup(world, "."), EcsThis);
    assert_id_equal(world, ecs_lookup(world, "$"), EcsVariable);
    ecs_entity_t parent = ecs_new(world);
    ecs_entity_t child = ecs_new_from_path(world, parent, "child");
    char text[32];
    snprintf(text, sizeof text, "#%u", (uint32_t)parent);
    assert_id_equal(world, ecs_lookup(world, text), parent);
    assert_id_equal(world, ecs_lookup_child(world, 0, text), parent);
    assert_id_equal(world, ecs_lookup_child(world, ecs_new(world), text), 0); /* not its child */
    snprintf(text, sizeof text, "#%u.child", (uint32_t)parent);
    assert_id_equal(world, ecs_lookup(world, text), child);
    assert_int_equal(ecs_lookup(world, "#99999999"), 0);
    assert_int_equal(ecs_lookup(world, "#"), 0);
    assert_int_equal(ecs_lookup(world, "#12x"), 0);
}

static void a_recycled_entity_is_found_by_number_with_its_generation(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t old = ecs_new(world);
    ecs_delete(world, old);
    ecs_entity_t e = ecs_new(world);
    char text[32];
    snprintf(text, sizeof text, "#%u", (uint32_t)e);
    assert_id_equal(world, ecs_lookup(world, text), e);
    snprintf(text, sizeof text, "#%llu", (unsigned long long)e);
    assert_id_equal(world, ecs_lookup(world, text), e);
    assert_id_equal(world, ecs_set_name(world, e, "Again"), e);
    assert_id_equal(world, ecs_lookup(world, "Again"), e);
}

// U-09
static void lookups_go_outwards_from_the_scope(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t inner = ecs_new_from_path(world, 0, "outer.inner");
    ecs_entity_t outer = ecs_lookup(world, "outer"),
                 sibling = ecs_new_from_path(world, outer, "sibling");
    ecs_entity_t x_root = ecs_new_from_path(world, 0, "x");
    ecs_set_scope(world, inner);
    assert_id_equal(world, ecs_lookup(world, "sibling"), sibling);
    assert_id_equal(world, ecs_lookup(world, "x"), x_root);
    assert_id_equal(world, ecs_lookup(world, "ChildOf"), EcsChildOf); /* through the lookup path */
    ecs_entity_t x_inner = ecs_new_from_path(world, inner, "x");
    assert_id_equal(world, ecs_lookup(world, "x"), x_inner);
    assert_id_equal(world, ecs_lookup_path_w_sep(world, outer, "x", NULL, NULL, true), x_root);
    assert_int_equal(ecs_lookup_path_w_sep(world, outer, "x", NULL, NULL, false), 0);
    assert_id_equal(world, ecs_lookup_path_w_sep(world, 0, "::x", NULL, "::", true), x_root);
    ecs_set_scope(world, 0);
}

static void the_lookup_path_is_searched_from_its_end(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t first = ecs_new_from_path(world, 0, "lib_a.thing"),
                 second = ecs_new_from_path(world, 0, "lib_b.thing");
    ecs_entity_t path[] = { EcsFlecsCore, ecs_lookup(world, "lib_a"), ecs_lookup(world, "lib_b"),
        0 };
    ecs_entity_t *before = ecs_set_lookup_path(world, path);
    assert_ptr_equal(ecs_get_lookup_path(world), path);
    assert_id_equal(world, ecs_lookup(world, "thing"), second);
    path[2] = 0;
    assert_id_equal(world, ecs_lookup(world, "thing"), first);
    assert_id_equal(world, ecs_lookup(world, "IsA"), EcsIsA);
    assert_ptr_equal(ecs_set_lookup_path(world, before), path);
    assert_int_equal(ecs_lookup(world, "thing"), 0);
}

// NAM-10
static void paths_are_written_from_the_root_or_a_parent(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t leaf = ecs_new_from_path(world, 0, "one.two.three"),
                 one = ecs_lookup(world, "one");
    assert_path(world, 0, leaf, NULL, NULL, "one.two.three");
    assert_path(world, one, leaf, NULL, NULL, "two.three");
    assert_path(world, 0, leaf, "::", "::", "::one::two::three");
    assert_path(world, one, leaf, "::", "::", "two::three");
    assert_path(world, leaf, leaf, NULL, NULL, "");
    assert_path(world, 0, EcsChildOf, NULL, NULL, "ChildOf");
    assert_path(world, 0, EcsChildOf, NULL, "", "flecs.core.ChildOf");
    assert_path(world, 0, EcsWildcard, NULL, NULL, "*");
    assert_path(world, 0, EcsAny, NULL, NULL, "_");
    ecs_entity_t unnamed = ecs_new(world);
    ecs_add_pair(world, unnamed, EcsChildOf, one);
    char expected[32];
    snprintf(expected, sizeof expected, "#%u", (uint32_t)unnamed);
    assert_path(world, 0, unnamed, NULL, NULL, expected);
    ecs_delete(world, unnamed);
    assert_path(world, 0, unnamed, NULL, NULL, expected);
}

static void a_written_path_finds_its_entity_whatever_the_names_hold(void **state) {
    ecs_world_t *world = *state;
    static const char *const names[] = { "a.b", "a::b", "a:::b.c", "V<x.y>", "x<y", "back\\slash",
        "with space", "\xc3\xa4", "#12", "*", "\\#12", "_", "#12.x", "$", "\\_", "#x" };
    ecs_entity_t parent = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ecs_entity_t e = ecs_new(world);
        if (parent) ecs_add_pair(world, e, EcsChildOf, parent);
        ecs_set_name(world, e, names[i]);
        char *path = ecs_get_path(world, e);
        assert_id_equal(world, ecs_lookup(world, path), e);
        ecs_os_free(path);
        parent = i % 2 ? e : 0;
    }
    ecs_entity_t dotted = ecs_lookup_child(world, 0, "a.b");
    assert_path(world, 0, dotted, NULL, NULL, "a\\.b");
    assert_path(world, 0, dotted, "/", NULL, "a.b");
    ecs_entity_t below = ecs_entity(world, { .parent = dotted, .name = "\\#12" });
    assert_string_equal(ecs_get_name(world, below), "#12");
    assert_path(world, 0, below, NULL, NULL, "a\\.b.#12");
    assert_path(world, dotted, below, NULL, NULL, "\\#12");
}

// The end of a name and the separator behind it look like a separator that begins earlier.
static void a_name_may_end_like_the_separator_begins(void **state) {
    ecs_world_t *world = *state;
    static const char *const names[] = { "a:", "a::", ":", "::", ":::", "a:b", "-", "a->",
        "\\:", "x<y>:" };
    static const char *const separators[] = { NULL, "::", ":", "->", ".", "---" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ecs_entity_t parent = ecs_set_name(world, ecs_new(world), names[i]);
        ecs_entity_t child = ecs_entity(world, { .parent = parent, .name = "x" });
        ecs_entity_t other = ecs_new_w_pair(world, EcsChildOf, parent);
        ecs_set_name(world, other, ":x");
        for (size_t n = 0; n < sizeof separators / sizeof *separators; n++) {
            const char *sep = separators[n];
            char *path = ecs_get_path_w_sep(world, 0, child, sep, NULL);
            assert_id_equal(world, ecs_lookup_path_w_sep(world, 0, path, sep, NULL, false), child);
            ecs_os_free(path);
            path = ecs_get_path_w_sep(world, 0, other, sep, NULL);
            assert_id_equal(world, ecs_lookup_path_w_sep(world, 0, path, sep, NULL, false), other);
            ecs_os_free(path);
        }
    }
    assert_path(world, 0, ecs_lookup(world, "a:.x"), "::", NULL, "a\\:::x");
    assert_path(world, 0, ecs_lookup(world, "a:.x"), NULL, NULL, "a:.x");
}

static void escaping_makes_a_path_fit_between_quotes(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_set_name(world, ecs_new(world), "say \"a.b\"");
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    ecs_get_path_w_sep_buf(world, 0, e, NULL, NULL, &buf, true);
    char *path = ecs_strbuf_get(&buf);
    assert_string_equal(path, "say \\\"a\\\\.b\\\"");
    ecs_os_free(path);
}

// As lookups do. A number that nobody has is a name.
static void making_a_path_understands_a_number_in_front(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_new(world), c = ecs_new_w_pair(world, EcsChildOf, parent);
    ecs_set_name(world, c, "c");
    char *path = ecs_get_path(world, c);
    assert_id_equal(world, ecs_new_from_path(world, 0, path), c);
    assert_id_equal(world, ecs_new_from_path(world, c, path), c);
    assert_id_equal(world, ecs_add_path(world, ecs_new(world), 0, path), c);
    *strchr(path, 'c') = 'd';
    ecs_entity_t d = ecs_entity(world, { .name = path });
    assert_string_equal(ecs_get_name(world, d), "d");
    assert_id_equal(world, ecs_get_parent(world, d), parent);
    *strchr(path, 'd') = 'e';
    ecs_entity_t e = ecs_new(world);
    assert_id_equal(world, ecs_add_path(world, e, c, path), e);
    assert_id_equal(world, ecs_get_parent(world, e), parent);
    *strchr(path, '.') = '\0';
    assert_id_equal(world, ecs_new_from_path(world, 0, path), parent);
    ecs_os_free(path);
    assert_string_equal(ecs_get_name(world, ecs_new_from_path(world, 0, "#99999999")), "#99999999");
}

static void making_a_path_reuses_what_is_there(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t b = ecs_new_from_path(world, 0, "a.b"), a = ecs_lookup(world, "a");
    ecs_entity_t e = ecs_new(world);
    assert_id_equal(world, ecs_add_path(world, e, a, "c.d"), e);
    assert_path(world, 0, e, NULL, NULL, "a.c.d");
    assert_id_equal(world, ecs_add_path(world, ecs_new(world), a, "b"), b);
    assert_id_equal(world, ecs_new_from_path_w_sep(world, a, "::a::b", "::", "::"), b);
    assert_id_equal(world, ecs_add_fullpath(world, 0, "a.b"), b);
    ecs_entity_t child = ecs_new_from_path(world, a, NULL);
    assert_null(ecs_get_name(world, child));
    assert_id_equal(world, ecs_get_parent(world, child), a);
    assert_id_equal(world, ecs_add_path(world, child, 0, NULL), child);
}

// What the queue says of its parent is said anew; a name alone leaves it there.
static void a_path_counts_from_where_the_queue_leads(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t p1 = ecs_new_from_path(world, 0, "p1"), p2 = ecs_new_from_path(world, 0, "p2");
    for (int i = 0; i < 6; i++) {
        ecs_entity_t e = i % 2 ? ecs_new(world) : ecs_new_w_pair(world, EcsChildOf, p1);
        ecs_entity_t parent = i % 2 ? 0 : p1;
        ecs_defer_begin(world);
        ecs_add_pair(world, e, EcsChildOf, p2);
        if (i < 2) ecs_add_path(world, e, parent, "x");
        if (i == 2) ecs_entity(world, { .id = e, .parent = parent, .name = "x" });
        if (i == 3 || i == 4) ecs_entity(world, { .id = e, .name = "x" });
        if (i == 5) ecs_add_path(world, e, p1, "x");
        ecs_defer_end(world);
        assert_id_equal(world, ecs_get_parent(world, e),
            i == 3 || i == 4 ? p2
            : i == 5         ? p1
                             : parent);
        assert_id_equal(world, ecs_lookup_child(world, ecs_get_parent(world, e), "x"), e);
        ecs_delete(world, e);
    }
    ecs_entity_t e = ecs_new_w_pair(world, EcsChildOf, p1),
                 part = ecs_insert(world, ecs_value(EcsParent, { p1 }));
    ecs_defer_begin(world);
    ecs_add_path(world, part, p1, "y");
    ecs_add_path(world, e, 0, "x");
    ecs_add_pair(world, e, EcsChildOf, p2); /* said last */
    ecs_defer_end(world);
    assert_id_equal(world, ecs_get_parent(world, e), p2);
    assert_true(ecs_has(world, part, EcsParent)); /* it stays a child by component */
    assert_path(world, 0, part, NULL, NULL, "p1.y");
    e = ecs_new_w_pair(world, EcsChildOf, p1);
    ecs_defer_begin(world);
    ecs_add_pair(world, e, EcsChildOf, p2);
    ecs_delete(world, p1);
    ecs_add_path(world, e, p1, "x");
    ecs_defer_end(world);
    assert_false(ecs_is_alive(world, p1) || ecs_is_alive(world, e));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_end_at_separators_outside_of_brackets),
        mini_world_test(a_path_may_use_both_separators),
        mini_world_test(special_names_and_numbers_are_understood),
        mini_world_test(a_recycled_entity_is_found_by_number_with_its_generation),
        mini_world_test(lookups_go_outwards_from_the_scope),
        mini_world_test(the_lookup_path_is_searched_from_its_end),
        mini_world_test(paths_are_written_from_the_root_or_a_parent),
        mini_world_test(a_written_path_finds_its_entity_whatever_the_names_hold),
        mini_world_test(escaping_makes_a_path_fit_between_quotes),
        mini_world_test(making_a_path_reuses_what_is_there),
        mini_world_test(a_path_counts_from_where_the_queue_leads),
        mini_world_test(making_a_path_understands_a_number_in_front),
        mini_world_test(a_name_may_end_like_the_separator_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
