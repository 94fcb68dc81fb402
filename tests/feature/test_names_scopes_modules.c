// SPDX-License-Identifier: MIT
// Names, paths, scopes and modules: features.md area NAM.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;

// Entities a query returns, joined by commas, in order.
static void assert_results(ecs_world_t *world, const ecs_query_desc_t *desc, const char *expected) {
    char seen[256] = "";
    ecs_query_t *query = ecs_query_init(world, desc);
    assert_non_null(query);
    ecs_iter_t it = ecs_query_iter(world, query);
    while (ecs_query_next(&it)) {
        for (int i = 0; i < it.count; i++) {
            if (seen[0]) strcat(seen, ", ");
            strcat(seen, ecs_get_name(world, it.entities[i]));
        }
    }
    assert_string_equal(seen, expected);
    ecs_query_fini(query);
}

// NAM-01
static void a_child_is_found_by_a_query_for_its_parent(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t ship = ecs_entity(world, { .name = "Spaceship" }),
                 cockpit = ecs_entity(world, { .name = "Cockpit" });
    ecs_add_pair(world, cockpit, EcsChildOf, ship);
    assert_results(world, &(ecs_query_desc_t){ .terms = { { ecs_childof(ship) } } }, "Cockpit");
    assert_id_equal(world, ecs_get_parent(world, cockpit), ship);
}

// NAM-02
static void deleting_a_parent_deletes_all_below_it(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t grandchild = ecs_new_from_path(world, 0, "Parent.Child.Grandchild");
    ecs_entity_t parent = ecs_lookup(world, "Parent"), child = ecs_lookup(world, "Parent.Child");
    ecs_delete(world, parent);
    assert_false(ecs_is_alive(world, parent));
    assert_false(ecs_is_alive(world, child));
    assert_false(ecs_is_alive(world, grandchild));
    assert_int_equal(ecs_lookup(world, "Parent.Child"), 0);
}

// NAM-03, NAM-04
static void an_entity_is_created_with_a_name_and_found_by_it(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t game = ecs_entity_init(world, &(ecs_entity_desc_t){ .name = "Game" });
    assert_string_equal(ecs_get_name(world, game), "Game");
    assert_id_equal(world, ecs_lookup(world, "Game"), game);
    assert_id_equal(world, ecs_entity(world, { .name = "Game" }), game);
    assert_null(ecs_get_name(world, ecs_new(world)));
    assert_int_equal(ecs_lookup(world, "Nothing"), 0);
}

// NAM-05, NAM-06, NAM-07
static void children_are_found_by_path_and_relative_to_a_parent(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_entity(world, { .name = "Parent" });
    ecs_entity_t child = ecs_entity(world, { .name = "Child", .parent = parent });
    assert_id_equal(world, ecs_lookup(world, "Parent::Child"), child);
    assert_id_equal(world, ecs_lookup_fullpath(world, "Parent::Child"), child);
    assert_id_equal(world, ecs_lookup(world, "Parent.Child"), child);
    assert_id_equal(world, ecs_lookup_child(world, parent, "Child"), child);
    assert_id_equal(world, ecs_lookup_path(world, parent, "Child"), child);
    ecs_entity_t deep = ecs_entity(world, { .name = "flecs.components.transform.Position" });
    assert_id_equal(world, ecs_lookup(world, "flecs.components.transform.Position"), deep);
    assert_string_equal(ecs_get_name(world, deep), "Position");
}

// NAM-08, NAM-09
static void each_path_finds_its_own_entity_also_after_a_move(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_entity(world, { .name = "A" }), b = ecs_entity(world, { .name = "B" });
    ecs_entity_t in_a = ecs_entity(world, { .name = "X", .parent = a }),
                 in_b = ecs_entity(world, { .name = "X", .parent = b });
    assert_id_equal(world, ecs_lookup(world, "A.X"), in_a);
    assert_id_equal(world, ecs_lookup(world, "B.X"), in_b);
    ecs_entity_t c = ecs_entity(world, { .name = "C" });
    ecs_add_pair(world, in_a, EcsChildOf, c); /* exclusive: replaces the parent */
    assert_int_equal(ecs_lookup(world, "A.X"), 0);
    assert_id_equal(world, ecs_lookup(world, "C.X"), in_a);
}

// NAM-10
static void a_path_is_written_with_dots(void **state) {
    ecs_world_t *world = *state;
    char *path = ecs_get_path(world, ecs_new_from_path(world, 0, "Parent.Child"));
    assert_string_equal(path, "Parent.Child");
    ecs_os_free(path);
}

// NAM-11, QL-15
static void an_identifier_of_digits_is_an_entity_id(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t npc = ecs_entity(world, { .name = "Npc" }),
                 platoon = ecs_entity(world, { .name = "Platoon_01" });
    ecs_entity_t e = ecs_entity(world, { .name = "e", .add = ecs_ids(npc, platoon) });
    ecs_add_id(world, ecs_entity(world, { .name = "f" }), npc);
    (void)e;
    char expr[64];
    snprintf(expr, sizeof expr, "%u, %u", (uint32_t)npc, (uint32_t)platoon);
    assert_results(world, &(ecs_query_desc_t){ .expr = expr }, "e");
    assert_results(world, &(ecs_query_desc_t){ .expr = "Npc, Platoon_01" }, "e");
}

// NAM-12, NAM-13, NAM-14
static void a_scope_becomes_the_parent_of_what_is_made_in_it(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_entity(world, { .name = "Parent" });
    assert_int_equal(ecs_set_scope(world, parent), 0);
    assert_id_equal(world, ecs_get_scope(world), parent);
    ecs_entity_t plain = ecs_new_w_id(world, 0), described = ecs_entity(world, { .name = "Child" }),
                 bare = ecs_new(world);
    assert_id_equal(world, ecs_set_scope(world, 0), parent);
    ecs_entity_t after = ecs_entity(world, { .name = "After" });
    assert_id_equal(world, ecs_get_parent(world, plain), parent);
    assert_id_equal(world, ecs_get_parent(world, described), parent);
    assert_id_equal(world, ecs_lookup(world, "Parent.Child"), described);
    assert_int_equal(ecs_get_parent(world, bare), 0);
    assert_int_equal(ecs_get_parent(world, after), 0);
    ecs_entity_t dead = ecs_new(world);
    ecs_delete(world, dead);
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_scope(world, dead));
}

// NAM-15, U-09
static void components_and_tags_registered_in_a_scope_are_its_children(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t module = ecs_entity(world, { .name = "my.module" });
    ecs_set_scope(world, module);
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Npc);
    ecs_query_t *query = ecs_query(world, { .expr = "Position, Npc" });
    assert_non_null(query); /* names are looked up in the scope first */
    ecs_query_fini(query);
    ecs_set_scope(world, 0);
    assert_id_equal(world, ecs_get_parent(world, ecs_id(Position)), module);
    assert_id_equal(world, ecs_lookup(world, "my.module.Position"), ecs_id(Position));
    assert_id_equal(world, ecs_lookup(world, "my::module::Npc"), Npc);
    assert_int_equal(ecs_lookup(world, "Position"), 0);
}

static void scope_with_and_lookup_path_belong_to_a_stage(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t scope = ecs_entity(world, { .name = "scope" }),
                 tag = ecs_entity(world, { .name = "tag" });
    ecs_world_t *stage = ecs_get_stage(world, 0);
    assert_int_equal(ecs_set_with(stage, tag), 0);
    ecs_set_scope(stage, scope);
    assert_id_equal(world, ecs_get_scope(world), scope); /* stage 0 is the world's own */
    ecs_entity_t e = ecs_entity(world, { .name = "e" });
    assert_true(ecs_has_id(world, e, tag));
    assert_id_equal(world, ecs_get_parent(world, e), scope);
    assert_id_equal(world, ecs_get_with(world), tag);
    assert_id_equal(world, ecs_set_with(world, 0), tag);
    ecs_set_scope(world, 0);
    ecs_entity_t again = ecs_entity(world, { .name = "scope.e" });
    assert_id_equal(world, again, e);
}

// U-09, ENT-12: what has the index of a scope that died is not the scope.
static void dead_scopes_are_not_searched(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t outside = ecs_entity(world, { .name = "outside" });
    ecs_entity_t scopes[] = { ecs_new(world), 0 };
    ecs_set_scope(world, scopes[0]);
    ecs_delete(world, scopes[0]);
    ecs_entity_t other = ecs_new(world), child = ecs_new(world);
    assert_int_equal((uint32_t)other, (uint32_t)scopes[0]);
    ecs_add_pair(world, child, EcsChildOf, other);
    ecs_set_name(world, child, "child");
    assert_int_equal(ecs_lookup(world, "child"), 0);
    assert_int_equal(ecs_lookup(world, "outside"), outside);
    ecs_set_scope(world, 0);
    ecs_set_lookup_path(world, scopes);
    assert_int_equal(ecs_lookup(world, "child"), 0);
    scopes[0] = other;
    assert_int_equal(ecs_lookup(world, "child"), child);
    ecs_set_lookup_path(world, NULL);
}

// NAM-03, NAM-09: who exists moves to the place that a path names, not into the scope, and takes nobody's name there.
static void an_entity_goes_where_its_path_leads(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t x = ecs_entity(world, { .name = "x" }), z = ecs_entity(world, { .name = "z" });
    ecs_entity_t moved[] = { ecs_new_from_path(world, 0, "x.y"), ecs_new_w_parent(world, x, "w") };
    for (int deferred = 0; deferred < 2; deferred++) {
        if (deferred) ecs_defer_begin(world);
        assert_int_equal(
            ecs_add_fullpath(world, moved[deferred], deferred ? "v" : "u"), moved[deferred]);
        if (deferred) ecs_defer_end(world);
        assert_int_equal(ecs_lookup(world, deferred ? "v" : "u"), moved[deferred]);
        assert_int_equal(ecs_get_parent(world, moved[deferred]), 0);
    }
    ecs_entity_t loose = ecs_new(world), below = ecs_new_w_pair(world, EcsChildOf, x);
    ecs_set_scope(world, z);
    ecs_entity(world, { .id = loose, .name = "loose" });
    ecs_entity(world, { .id = below, .name = "below" });
    ecs_entity_t fresh = ecs_entity(world, { .id = 70000, .name = "fresh" });
    ecs_set_scope(world, 0);
    assert_int_equal(ecs_lookup(world, "loose"), loose);
    assert_int_equal(ecs_lookup(world, "x.below"), below);
    assert_int_equal(ecs_lookup(world, "z.fresh"), fresh);
    ecs_set_scope(world, z);
    assert_int_equal(ecs_add_fullpath(world, loose, "::free"), loose);
    ecs_entity_t other = ecs_entity(world, { .name = "::other" });
    ecs_set_scope(world, 0);
    assert_int_equal(ecs_lookup(world, "other"), other);
    assert_int_equal(ecs_lookup(world, "free"), loose);
    ecs_entity_t nameless = ecs_new(world), none = 1;
    expect_error(
        ECS_INCONSISTENT_NAME, "x", none = ecs_entity(world, { .id = 70001, .name = "x" }));
    assert_false(none || ecs_is_alive(world, 70001));
    expect_error(ECS_INCONSISTENT_NAME, "below",
        none = ecs_entity(world, { .id = nameless, .name = "below", .parent = x }));
    assert_false(none || ecs_get_parent(world, nameless));
}

// NAM-03: what stands for a builtin, or is an alias, elsewhere is a name like others below a parent.
static void children_may_have_the_names_of_builtins(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_entity(world, { .name = "parent" }), other = ecs_new(world);
    ecs_set_alias(world, other, "alias");
    const char *names[] = { "*", "_", "$", "alias" };
    for (int i = 0; i < 4; i++) {
        ecs_entity_t e = ecs_entity(world, { .name = names[i], .parent = parent });
        assert_string_equal(ecs_get_name(world, e), names[i]);
        assert_id_equal(world, ecs_lookup_child(world, parent, names[i]), e);
        assert_id_equal(world, ecs_entity(world, { .name = names[i], .parent = parent }), e);
        assert_id_equal(
            world, ecs_entity(world, { .id = e, .name = names[i], .parent = parent }), e);
        assert_id_equal(world, ecs_new_from_path(world, parent, names[i]), e);
    }
    assert_int_equal(ecs_get_parent(world, other), 0);
    assert_id_equal(world, ecs_entity(world, { .name = "*" }), EcsWildcard);
}

// NAM-03: every part of a path is a name.
static void paths_with_empty_parts_name_nobody(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_entity(world, { .name = "a" }), unnamed = ecs_new(world);
    ecs_entity(world, { .name = "a.b" });
    const int32_t count = ecs_get_entities(world).alive_count, code = ECS_INVALID_PARAMETER;
    const char *paths[] = { "a.", "a..b", ".a", "..", "a::", "a::.b", "::", "::a." };
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        const char *path = paths[i];
        ecs_entity_t e = 1;
        expect_error(code, path, e = ecs_entity(world, { .name = path }));
        assert_int_equal(e, 0);
        expect_error(code, path, e = ecs_entity(world, { .id = unnamed, .name = path }));
        assert_int_equal(e, 0);
        expect_error(code, path, e = ecs_entity(world, { .name = path, .parent = a }));
        assert_int_equal(e, 0);
        expect_error(code, path, e = ecs_new_from_path(world, a, path));
        assert_int_equal(e, 0);
        assert_int_equal(strcmp(path, "::") ? ecs_lookup(world, path) : 0, 0);
    }
    expect_error(code, ".", ecs_entity(world, { .name = ".", .parent = a }));
    expect_error(code, "a.", ecs_load_expr(world, "ChildOf(a., a)"));
    expect_error(code, "a..c",
        ecs_world_from_json(world, "{\"results\":[{\"name\":\"D\",\"tags\":[\"a..c\"]}]}", NULL));
    assert_int_equal(ecs_get_entities(world).alive_count, count);
    assert_null(ecs_get_name(world, unnamed));
    ecs_entity_t whole = ecs_entity(world, { .name = "..", .sep = "" });
    assert_string_equal(ecs_get_name(world, whole), "..");
}

// Where a name leads is decided before there is an entity, which may get the number that it begins with.
static void a_number_that_nobody_has_is_a_name(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t last = ecs_new(world);
    ecs_delete(world, last); /* its index is used next */
    for (int deferred = 0; deferred < 2; deferred++) {
        char name[32];
        snprintf(name, sizeof name, "#%u.x%d", (uint32_t)last, deferred);
        if (deferred) ecs_defer_begin(world);
        ecs_entity_t e = ecs_entity(world, { .name = name });
        if (deferred) ecs_defer_end(world);
        assert_string_equal(ecs_get_name(world, e), deferred ? "x1" : "x0");
        assert_int_equal(ecs_get_name(world, ecs_get_parent(world, e))[0], '#');
        ecs_delete(world, ecs_get_parent(world, e));
        last = ecs_new(world);
        ecs_delete(world, last);
    }
    ecs_entity_t e = ecs_new(world);
    char name[32];
    snprintf(name, sizeof name, "#%u.x", (uint32_t)e);
    ecs_entity_t none = e;
    expect_error(
        ECS_INCONSISTENT_NAME, "below itself", none = ecs_entity(world, { .id = e, .name = name }));
    assert_int_equal(none, 0);
}

// Also where a path leads elsewhere than to a child of the parent.
static void what_is_found_by_name_stays_where_it_is(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_entity(world, { .name = "parent" });
    ecs_entity_t other = ecs_entity(world, { .name = "other" }), unnamed = ecs_new(world);
    char below[32];
    snprintf(below, sizeof below, "#%u.x", (uint32_t)unnamed);
    const char *names[] = { "c.d", below, "::other.e" };
    for (int i = 0; i < 3; i++) {
        ecs_entity_t e = ecs_entity(world, { .name = names[i], .parent = parent });
        ecs_entity_t place = ecs_get_parent(world, e);
        assert_id_equal(world, place,
            i == 0   ? ecs_lookup_child(world, parent, "c")
            : i == 1 ? unnamed
                     : other);
        assert_id_equal(world, ecs_entity(world, { .name = names[i], .parent = parent }), e);
        assert_id_equal(world, ecs_get_parent(world, e), place);
    }
    ecs_set_scope(world, parent);
    ecs_defer_begin(world);
    ecs_entity_t e = ecs_entity(world, { .name = "f" });
    assert_id_equal(world, ecs_entity(world, { .name = "f" }), e);
    ecs_defer_end(world);
    ecs_set_scope(world, 0);
    assert_id_equal(world, ecs_lookup(world, "parent.f"), e);
}

static void a_name_prefix_is_left_out_of_names(void **state) {
    ecs_world_t *world = *state;
    assert_null(ecs_set_name_prefix(world, "My"));
    ecs_entity_t e = ecs_entity(world, { .name = "MyThing" });
    assert_string_equal(ecs_get_name(world, e), "Thing");
    assert_string_equal(ecs_get_name(world, ecs_entity(world, { .name = "My_thing" })), "thing");
    assert_string_equal(ecs_get_name(world, ecs_entity(world, { .name = "My_" })), "My_");
    assert_string_equal(ecs_set_name_prefix(world, NULL), "My");
}

static void a_name_is_set_and_found_by_one_call(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_set_name(world, 0, "Fresh");
    assert_id_equal(world, ecs_set_name(world, 0, "Fresh"), e);
    assert_id_equal(world, ecs_lookup(world, "Fresh"), e);
}

static void a_named_entity_made_while_deferred_is_found_at_once(void **state) {
    ecs_world_t *world = *state;
    ecs_defer_begin(world);
    ecs_entity_t e = ecs_entity(world, { .name = "Soon" });
    assert_id_equal(world, ecs_entity(world, { .name = "Soon" }), e);
    assert_id_equal(world, ecs_lookup(world, "Soon"), e);
    ecs_defer_end(world);
    assert_string_equal(ecs_get_name(world, e), "Soon");
    ecs_entity_t given = ecs_new(world);
    ecs_defer_begin(world);
    for (int i = 0; i < 2; i++) /* the second time it is there, and has no name yet */
        assert_id_equal(world, ecs_entity(world, { .id = given, .name = "way.to" }), given);
    ecs_defer_end(world);
    assert_id_equal(world, ecs_lookup(world, "way.to"), given);
}

// NAM-03: an entity has one name, whichever way it is written.
static void names_of_known_entities_may_begin_at_the_root(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t p = ecs_entity(world, { .name = "p" });
    ecs_entity_t c = ecs_entity(world, { .name = "c", .parent = p });
    ecs_entity_desc_t desc = { .id = c, .name = "::p::c", .sep = "::", .root_sep = "::" };
    for (int scoped = 0; scoped < 2; scoped++) {
        ecs_set_scope(world, scoped ? p : 0);
        assert_id_equal(world, ecs_entity_init(world, &desc), c);
        ecs_entity_desc_t wrong = desc;
        wrong.name = "::c";
        expect_error(ECS_INCONSISTENT_NAME, "it is \"::p::c\"",
            assert_int_equal(ecs_entity_init(world, &wrong), 0));
        ecs_entity_t none = ecs_new(world);
        wrong.id = none;
        wrong.name = scoped ? "::p::d" : "::p::e";
        assert_id_equal(world, ecs_entity_init(world, &wrong), none);
        assert_id_equal(world, ecs_get_parent(world, none), p);
    }
    ecs_set_scope(world, 0);
}

// Others find it when the commands of the stage are applied.
static void a_symbol_given_while_deferred_is_found_at_once(void **state) {
    ecs_world_t *world = *state;
    ecs_world_t *stage = ecs_stage_new(world);
    ecs_defer_begin(world);
    ecs_entity_t e = ecs_entity(world, { .symbol = "soon" }), f = ecs_new(world);
    ecs_entity(stage, { .id = f, .symbol = "later" });
    assert_id_equal(world, ecs_lookup_symbol(world, "soon", false, false), e);
    assert_id_equal(world, ecs_lookup_symbol(stage, "later", false, false), f);
    assert_int_equal(ecs_lookup_symbol(world, "later", false, false), 0);
    expect_abort(ECS_ALREADY_DEFINED, ecs_entity(world, { .symbol = "soon" }));
    ecs_delete(world, ecs_entity(world, { .symbol = "never" }));
    ecs_defer_end(world);
    ecs_merge(stage);
    assert_string_equal(ecs_get_symbol(world, e), "soon");
    assert_id_equal(world, ecs_lookup_symbol(world, "later", false, false), f);
    assert_int_equal(ecs_lookup_symbol(world, "never", false, false), 0);
    ecs_stage_free(stage);
}

// api/01 §7: a symbol belongs to one entity, whoever gave it to others until the stage is merged.
static void stages_do_not_give_one_symbol(void **state) {
    ecs_world_t *world = *state;
    ecs_world_t *stages[2] = { ecs_stage_new(world), ecs_stage_new(world) };
    for (int i = 0; i < 2; i++) {
        ecs_entity_t e = ecs_new(world);
        ecs_entity(stages[i], { .id = e, .symbol = "only" });
        ecs_entity(stages[i], { .id = ecs_new(world), .name = i ? "a" : "b" });
    }
    ecs_merge(stages[0]);
    expect_abort_saying(ECS_ALREADY_DEFINED, "a stage gave", ecs_merge(stages[1]));
    ecs_set_symbol(world, ecs_lookup_symbol(world, "only", false, false), NULL);
    ecs_merge(stages[1]);
    assert_true(ecs_lookup_symbol(world, "only", false, false) != 0);
    for (int i = 0; i < 2; i++) ecs_stage_free(stages[i]);
}

// DEF-07, NAM-03: the last of several commands wins, whatever the name was before
static void commands_take_names_away_and_give_them_back(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_entity(world, { .name = "E", .symbol = "e" });
    ecs_set_alias(world, e, "Other");
    for (int i = 0; i < 2; i++) {
        ecs_defer_begin(world);
        if (i) {
            ecs_clear(world, e);
        } else {
            ecs_set_name(world, e, NULL);
            ecs_set_symbol(world, e, NULL);
            ecs_set_alias(world, e, NULL);
        }
        ecs_set_name(world, e, "E");
        ecs_set_symbol(world, e, "e");
        ecs_set_alias(world, e, "Other");
        ecs_defer_end(world);
        assert_string_equal(ecs_get_name(world, e), "E");
        assert_string_equal(ecs_get_symbol(world, e), "e");
        assert_id_equal(world, ecs_lookup(world, "E"), e);
        assert_id_equal(world, ecs_lookup(world, "Other"), e);
    }
}

// api/01 §7: what only one entity can have is given once, also in a queue; what gives it up there makes it free.
static void symbols_and_aliases_of_a_queue_belong_to_one_entity(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_entity(world, { .name = "A" }), b = ecs_entity(world, { .name = "B" });
    ecs_world_t *stage = ecs_stage_new(world), *worlds[] = { world, stage };
    for (int i = 0; i < 2; i++) {
        ecs_world_t *w = worlds[i];
        ecs_defer_begin(w);
        ecs_set_alias(w, a, "x");
        ecs_set_symbol(w, a, "X");
        expect_abort_saying(ECS_ALREADY_DEFINED, "\"x\" already", ecs_set_alias(w, b, "x"));
        expect_abort_saying(ECS_ALREADY_DEFINED, "\"X\" already", ecs_set_symbol(w, b, "X"));
        ecs_set_alias(w, a, NULL);
        ecs_set_symbol(w, a, NULL);
        ecs_set_alias(w, b, "x");
        ecs_set_symbol(w, b, "X");
        ecs_defer_end(w);
        if (i) ecs_merge(w);
        assert_id_equal(world, ecs_lookup(world, "x"), b);
        assert_id_equal(world, ecs_lookup_symbol(world, "X", false, false), b);
        assert_null(ecs_get_symbol(world, a));
        ecs_set_alias(world, b, NULL);
        ecs_set_symbol(world, b, NULL);
        assert_true(ecs_world_verify(world));
    }
    ecs_stage_free(stage);
}

// DEF-07, NAM-04: a name that was found before its time, and never comes, is not found afterwards
static void names_that_commands_take_away_before_they_come_are_not_found(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e[2];
    ecs_defer_begin(world);
    for (int i = 0; i < 2; i++)
        e[i] = ecs_entity(world, { .name = i ? "B" : "A", .symbol = i ? "b" : "a" });
    ecs_set_name(world, e[0], NULL);
    ecs_set_symbol(world, e[0], NULL);
    ecs_clear(world, e[1]);
    assert_id_equal(world, ecs_lookup(world, "A"), e[0]);
    ecs_defer_end(world);
    for (int i = 0; i < 2; i++) {
        assert_null(ecs_get_name(world, e[i]));
        assert_int_equal(ecs_lookup(world, i ? "B" : "A"), 0);
        assert_int_equal(ecs_lookup_symbol(world, i ? "b" : "a", false, false), 0);
        assert_true(ecs_entity(world, { .name = i ? "B" : "A" }) != e[i]);
    }
}

// DEF-07, NAM-04: nor is who dies before its name comes.
static void who_dies_before_its_name_comes_is_not_found(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t f = ecs_new(world);
    ecs_defer_begin(world);
    ecs_entity_t e = ecs_entity(world, { .name = "A.B", .symbol = "b" });
    ecs_defer_suspend(world);
    ecs_delete(world, e);
    ecs_delete(world, ecs_lookup(world, "A"));
    assert_int_equal(ecs_lookup(world, "A"), 0);
    assert_int_equal(ecs_lookup_symbol(world, "b", false, false), 0);
    ecs_defer_resume(world);
    ecs_set_name(world, f, "A");
    ecs_defer_end(world);
    assert_id_equal(world, ecs_lookup(world, "A"), f);
    assert_int_equal(ecs_lookup(world, "A.B"), 0);
}

// 01 section 7: a number names a child of its parent only; an identifier without text names nobody.
static void numbers_and_empty_names_are_no_names_of_others(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t p = ecs_entity(world, { .name = "P" }), q = ecs_entity(world, { .name = "Q" });
    ecs_entity_t e = ecs_new_w_pair(world, EcsChildOf, p);
    char number[16];
    snprintf(number, sizeof number, "#%u", (unsigned)e);
    assert_id_equal(world, ecs_lookup_child(world, p, number), e);
    assert_id_equal(world, ecs_lookup_child(world, 0, number), e);
    assert_int_equal(ecs_lookup_child(world, q, number), 0);
    assert_int_equal(ecs_lookup_child(world, p, "#4000000"), 0);
    assert_int_equal(ecs_lookup_child(world, p, "#99999999999999999999"), 0);
    ecs_set_pair(world, e, EcsIdentifier, EcsName, { .value = NULL });
    assert_null(ecs_get_name(world, e));
    assert_true(ecs_has_pair(world, e, ecs_id(EcsIdentifier), EcsName));
}

// TDN-06
static void what_a_module_lies_in_is_a_module(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t inner = ecs_entity(world, { .name = "a.b.c" }), b = ecs_lookup(world, "a.b");
    ecs_add_id(world, inner, EcsModule);
    assert_true(
        ecs_has_id(world, b, EcsModule) && ecs_has_id(world, ecs_lookup(world, "a"), EcsModule));
    ecs_entity_t other = ecs_entity(world, { .name = "d.e", .add = ecs_ids(EcsModule) });
    assert_true(ecs_has_id(world, ecs_get_parent(world, other), EcsModule));
    ecs_entity_t f = ecs_new_w_parent(world, b, "f"); /* a parent in a component is one, too */
    ecs_add_id(world, ecs_new_w_parent(world, f, "g"), EcsModule);
    assert_true(ecs_has_id(world, f, EcsModule)); /* they are alive until the world ends */
    ecs_entity_t moved = ecs_new_w_id(world, EcsModule);
    for (int i = 0; i < 4; i++) {
        ecs_entity_t parent = ecs_new(world);
        if (i & 1) ecs_defer_begin(world);
        ecs_set(world, moved, EcsParent, { parent });
        if (i & 1) ecs_defer_end(world);
        assert_true(ecs_has_id(world, parent, EcsModule));
    }
}

static void modules_lie_as_deep_as_memory_allows(void **state) {
    enum { LEVELS = 30000 };
    ecs_world_t *world = *state;
    ecs_entity_t top = ecs_new(world), at = top;
    for (int32_t i = 0; i < LEVELS; i++) at = ecs_new_w_pair(world, EcsChildOf, at);
    ecs_add_id(world, at, EcsModule);
    assert_true(ecs_has_id(world, top, EcsModule));
}

static ecs_entity_t declare_idle(ecs_world_t *world, ecs_entity_t scope) {
    ecs_set_scope(world, scope);
    ECS_TAG(world, Idle);
    ECS_ENTITY(world, Bob, Idle);
    ECS_PREFAB(world, Ship, Idle);
    ecs_set_scope(world, 0);
    assert_true(ecs_has_id(world, Bob, Idle) && ecs_has_id(world, Ship, EcsPrefab));
    assert_null(ecs_get_symbol(world, Idle));
    return Idle;
}

// NAM-08: only components have symbols, of which there is one of a name.
static void modules_declare_tags_of_the_same_name(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t one = ecs_entity(world, { .name = "one" }),
                 two = ecs_entity(world, { .name = "two" });
    ecs_entity_t idle = declare_idle(world, one);
    assert_true(idle != declare_idle(world, two));
    assert_id_equal(world, ecs_lookup(world, "one.Idle"), idle);
    assert_id_equal(world, declare_idle(world, one), idle);
}

static void hear_child(ecs_iter_t *it) {
    char *heard = it->ctx;
    for (int i = 0; i < it->count; i++) {
        const char *name = ecs_get_name(it->world, it->entities[i]);
        strcat(heard, name ? name : "nobody");
        strcat(heard, ecs_has_id(it->world, it->entities[i], EcsTrait) ? "+ " : " ");
    }
}

// NAM-05, DEF-10: with the name and all ids in one step, by a path, too, and whoever brings its id or symbol along.
static void a_child_has_its_name_when_others_hear_of_it(void **state) {
    ecs_world_t *world = *state;
    for (int deferred = 0; deferred < 2; deferred++) {
        char heard[100] = "";
        ecs_entity_t game = ecs_entity(world, { .name = "Game" });
        ecs_entity_t observer =
            ecs_observer(world, { .query.terms = { { ecs_childof(EcsWildcard) } },
                                    .events = { EcsOnAdd },
                                    .callback = hear_child,
                                    .ctx = heard });
        if (deferred) ecs_defer_begin(world);
        ecs_entity(world, { .name = "Game.a" });
        ecs_entity(world, { .name = "Game.b", .add = ecs_ids(EcsTrait) });
        ecs_entity(world, { .name = "c.d", .parent = game });
        ecs_entity(world, { .id = ecs_new(world), .name = "e", .parent = game });
        ecs_entity(world, { .id = 5000 + (ecs_entity_t)deferred,
                              .name = "f",
                              .parent = game,
                              .add = ecs_ids(EcsTrait) });
        ecs_entity(world, { .name = "g", .parent = game, .symbol = "g", .use_low_id = true });
        ecs_add_path(world, ecs_new(world), game, "h");
        if (deferred) ecs_defer_end(world);
        assert_string_equal(heard, "a b+ c d e f+ g h ");
        ecs_delete(world, observer);
        ecs_delete(world, game);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(a_child_is_found_by_a_query_for_its_parent),
        mini_world_test(deleting_a_parent_deletes_all_below_it),
        mini_world_test(an_entity_is_created_with_a_name_and_found_by_it),
        mini_world_test(children_are_found_by_path_and_relative_to_a_parent),
        mini_world_test(each_path_finds_its_own_entity_also_after_a_move),
        mini_world_test(a_path_is_written_with_dots),
        mini_world_test(an_identifier_of_digits_is_an_entity_id),
        mini_world_test(a_scope_becomes_the_parent_of_what_is_made_in_it),
        mini_world_test(components_and_tags_registered_in_a_scope_are_its_children),
        mini_world_test(scope_with_and_lookup_path_belong_to_a_stage),
        mini_world_test(dead_scopes_are_not_searched),
        mini_world_test(an_entity_goes_where_its_path_leads),
        mini_world_test(children_may_have_the_names_of_builtins),
        mini_world_test(paths_with_empty_parts_name_nobody),
        mini_world_test(a_number_that_nobody_has_is_a_name),
        mini_world_test(what_is_found_by_name_stays_where_it_is),
        mini_world_test(a_name_prefix_is_left_out_of_names),
        mini_world_test(a_name_is_set_and_found_by_one_call),
        mini_world_test(a_named_entity_made_while_deferred_is_found_at_once),
        mini_world_test(names_of_known_entities_may_begin_at_the_root),
        mini_world_test(a_symbol_given_while_deferred_is_found_at_once),
        world_test(stages_do_not_give_one_symbol),
        mini_world_test(commands_take_names_away_and_give_them_back),
        mini_world_test(symbols_and_aliases_of_a_queue_belong_to_one_entity),
        mini_world_test(names_that_commands_take_away_before_they_come_are_not_found),
        mini_world_test(who_dies_before_its_name_comes_is_not_found),
        mini_world_test(numbers_and_empty_names_are_no_names_of_others),
        mini_world_test(what_a_module_lies_in_is_a_module),
        mini_world_test(modules_lie_as_deep_as_memory_allows),
        mini_world_test(modules_declare_tags_of_the_same_name),
        mini_world_test(a_child_has_its_name_when_others_hear_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
