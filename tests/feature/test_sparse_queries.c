// SPDX-License-Identifier: MIT
// Queries for what entities have beside their tables: Sparse and DontFragment components, unions, sparse relationships.
#include "graph_scene.h"

#include <muster/runtime/runtime.h>

#include "check.h"
#include "support/random.h"

typedef struct Power {
    int32_t value;
} Power;
static ECS_COMPONENT_DECLARE(Power);

// Power: beside tables; Mark: a tag beside tables; Movement: a union; Walking, Running: its targets.
static void make_sparse(scene_t *scene) {
    ecs_world_t *world = scene->world;
    ecs_id(Power) = 0;
    ECS_COMPONENT_DEFINE(world, Power);
    ecs_add_id(world, ecs_id(Power), EcsDontFragment);
    ecs_add_id(world, make(world, "Mark", NULL), EcsDontFragment);
    ecs_add_id(world, make(world, "Movement", NULL), EcsUnion);
    make_all(world, "Walking Running Flying");
    for (int i = 0; i < 6; i++) {
        char name[16];
        snprintf(name, sizeof(name), "e%d", i);
        ecs_entity_t e = make(world, name, i % 2 ? "Position, Tag" : "Position");
        ecs_set(world, e, Position, { (float)i, 0 });
        if (i % 3) ecs_set(world, e, Power, { i * 10 });
    }
}

static void add(scene_t *scene, const char *name, const char *ids) {
    make(scene->world, name, ids);
}

// ---- components ----

static void sparse_components_are_fields_of_rows(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_add_id(world, ecs_id(Velocity), EcsSparse);
    for (int i = 0; i < 5; i++) {
        ecs_entity_t e = ecs_new(world);
        ecs_set(world, e, Position, { (float)i, 0 });
        ecs_set(world, e, Velocity, { (float)i * 2, 1 });
    }
    ecs_query_t *q = query_expr(scene, "Position, Velocity");
    assert_int_equal(q->row_fields, 2);
    for (int round = 0; round < 3; round++) {
        ecs_iter_t it = ecs_query_iter(world, q);
        assert_true(ecs_query_next(&it));
        assert_int_equal(it.count, 5);
        assert_int_equal(it.row_fields, 2);
        assert_int_equal(it.ref_fields, 2);
        Position *p = ecs_field(&it, Position, 0);
        for (int i = 0; i < it.count; i++) {
            Velocity *v = ecs_field_at(&it, Velocity, 1, i);
            assert_near(v->x, p[i].x * 2, 0);
            assert_ptr_equal(v, ecs_get(world, it.entities[i], Velocity));
        }
        expect_abort(ECS_INVALID_OPERATION, (void)ecs_field(&it, Velocity, 1));
        expect_abort(ECS_INVALID_OPERATION, (void)ecs_field_at(&it, Position, 0, 0));
        assert_false(ecs_query_next(&it));
    }
    ecs_query_fini(q);
    ecs_entity_t base = ecs_new_w_id(world, EcsPrefab);
    ecs_set(world, base, Velocity, { 7, 7 });
    ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, base);
    ecs_set_name(world, instance, "i");
    q = query_expr(scene, "Velocity, !Position");
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it));
    assert_int_equal(ecs_field_src(&it, 0), base);
    assert_near(ecs_field_at(&it, Velocity, 0, 0)->x, 7, 0);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// Q-CAC-07: what must not be there has no values, wherever those would be.
static void what_is_excluded_is_no_field_of_rows(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_add_id(world, ecs_id(Velocity), EcsSparse);
    make(world, "a", "Position");
    ecs_query_t *q = query_expr(scene, "Position, !Velocity");
    assert_int_equal(q->row_fields, 0);
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it));
    assert_true(!it.row_fields && !it.ref_fields);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// PDT-09, Q-WC-14: the values of all pairs of the component are apart from their tables, too.
static void pairs_of_sparse_components_are_fields_of_rows(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_add_id(world, ecs_id(Velocity), EcsSparse);
    ecs_entity_t to[] = { find(scene, "Apples"), find(scene, "Pears") }, base = ecs_new(world);
    for (int i = 0; i < 6; i++) {
        ecs_entity_t e = i < 4 ? ecs_new_w(world, Position) : base;
        ecs_set_pair(world, e, Velocity, to[i % 2], { (float)i, 1 });
    }
    ecs_new_w_pair(world, EcsIsA, base);
    static const char *const exprs[] = { "(Velocity, Apples)", "(Velocity, *)", "(Velocity, _)",
        "(Velocity, $x)", "Velocity($x, Apples)", "(Velocity, Apples) || (Velocity, Pears)",
        "(*, Apples)", "Velocity($this|self|up IsA, $x)", "Position, ?(Velocity, Pears)" };
    for (size_t i = 0; i < sizeof(exprs) / sizeof(exprs[0]); i++) {
        ecs_query_t *q = query_expr(scene, exprs[i]);
        int8_t field = (int8_t)(q->field_count - 1);
        ecs_iter_t it = ecs_query_iter(world, q);
        int32_t results = 0;
        for (; ecs_query_next(&it); results++) {
            if (!ecs_field_is_set(&it, field)) continue;
            ecs_entity_t src = ecs_field_src(&it, field);
            for (int32_t row = 0; row < (src ? 1 : it.count); row++) {
                const void *v = ecs_field_at(&it, Velocity, field, row);
                assert_ptr_equal(
                    v, ecs_get_id(world, src ? src : it.entities[row], ecs_field_id(&it, field)));
                assert_non_null(v);
            }
        }
        assert_true(results > 0);
        ecs_query_fini(q);
    }
}

static void components_beside_tables_match_entity_by_entity(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_sparse(scene);
    assert_query(scene, "Power", "e1: Power | e2: Power | e4: Power | e5: Power");
    assert_query(scene, "Position, Power",
        "e2: Position, Power | e4: Position, Power | "
        "e1: Position, Power | e5: Position, Power");
    assert_query(scene, "Power, Tag", "e1: Power, Tag | e5: Power, Tag");
    assert_query(scene, "Position, !Power", "e0: Position, -Power | e3: Position, -Power");
    assert_query(scene, "Tag, ?Power", "e1: Tag, Power | e3: Tag, -Power | e5: Tag, Power");
    assert_query(scene, "Power(e1), Power(e0)", "");
    assert_query(scene, "Power(e1)", ": Power@e1");
    ecs_query_t *q = query_expr(scene, "Position, Power");
    ecs_iter_t it = ecs_query_iter(world, q);
    int sum = 0;
    while (ecs_query_next(&it)) {
        assert_int_equal(it.count, 1);
        assert_int_equal(it.row_fields, 2);
        assert_ptr_equal(it.table, ecs_get_table(world, it.entities[0]));
        assert_int_equal(ecs_field_size(&it, 1), sizeof(Power));
        Power *power = ecs_field_at(&it, Power, 1, 0);
        assert_ptr_equal(power, ecs_get(world, it.entities[0], Power));
        assert_near(ecs_field(&it, Position, 0)->x * 10, power->value, 0);
        sum += power->value;
    }
    assert_int_equal(sum, 120);
    assert_true(ecs_query_has(q, find(scene, "e4"), &it));
    ecs_iter_fini(&it);
    assert_false(ecs_query_has(q, find(scene, "e3"), &it));
    ecs_remove(world, find(scene, "e4"), Power);
    assert_int_equal(ecs_query_count(q).entities, 3);
    ecs_query_fini(q);
}

// Q-ACC-01: who only wants to know may look all the same, whatever the query keeps.
static void fields_without_access_show_values(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_add_id(world, ecs_id(Velocity), EcsSparse);
    ecs_entity_t e = ecs_new(world);
    ecs_set(world, e, Velocity, { 3, 4 });
    ecs_query_t *q = query_expr(scene, "[none] Velocity");
    assert_int_equal(q->row_fields, 1);
    assert_int_equal(q->data_fields, 0);
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it));
    assert_int_equal(it.row_fields, 1);
    assert_near(ecs_field_at(&it, Velocity, 0, 0)->x, 3, 0);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

static void alternatives_and_scopes_see_them(void **state) {
    scene_t *scene = *state;
    make_sparse(scene);
    add(scene, "e0", "Mark");
    assert_solutions(scene, "Mark || Power", "e0 | e1 | e2 | e4 | e5");
    assert_solutions(scene, "Mark || Tag", "e0 | e1 | e3 | e5");
    assert_solutions(scene, "Position, !{ Power, Tag }", "e0 | e2 | e3 | e4");
    assert_solutions(scene, "Position, { Power || Mark }", "e0 | e1 | e2 | e4 | e5");
    assert_solutions(
        scene, "Mark($x), Position", "e0 x=e0 | e1 x=e0 | e2 x=e0 | e3 x=e0 | e4 x=e0 | e5 x=e0");
    assert_solutions(scene, "Mark(_)", ".");
    assert_solutions(scene, "Mark(*)", ".");
    assert_solutions(scene, "Power($x), Tag($x)", ". x=e1 | . x=e5");
}

static void they_are_found_above(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_sparse(scene);
    add(scene, "e1.child", "Position");
    add(scene, "e1.child.grandchild", "Position");
    add(scene, "e0.child", "Position");
    assert_solutions(scene, "Power(up)", "child | grandchild");
    assert_solutions(scene, "Power(self|up), Position", "child | e1 | e2 | e4 | e5 | grandchild");
    assert_solutions(scene, "!Power(up), Position", "child | e0 | e1 | e2 | e3 | e4 | e5");
    ecs_query_t *q = query_expr(scene, "Power(up)");
    ecs_iter_t it;
    assert_true(ecs_query_has(q, ecs_lookup(world, "e1.child.grandchild"), &it));
    assert_int_equal(ecs_field_src(&it, 0), find(scene, "e1"));
    assert_int_equal(it.up_fields, 1);
    assert_int_equal(ecs_field_at(&it, Power, 0, 0)->value, 10);
    ecs_iter_fini(&it);
    ecs_query_fini(q);
    ecs_entity_t base = make(world, "base", "Prefab");
    ecs_set(world, base, Power, { 99 });
    ecs_set_name(world, ecs_new_w_pair(world, EcsIsA, base), "inst");
    q = query_expr(scene, "Power, !Position");
    it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it));
    assert_string_equal(ecs_get_name(world, it.entities[0]), "inst");
    assert_int_equal(ecs_field_at(&it, Power, 0, 0)->value, 99);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// ---- unions ----

static void make_moving(scene_t *scene) {
    make_sparse(scene);
    add(scene, "e0", "(Movement, Walking)");
    add(scene, "e1", "(Movement, Running)");
    add(scene, "e2", "(Movement, Running)");
    add(scene, "e3", "(Movement, Walking)");
}

// UNI-04, UNI-05, UNI-06
static void unions_match_by_their_present_target(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_moving(scene);
    ecs_query_t *walking = query_expr(scene, "(Movement, Walking)"),
                *moving = query_expr(scene, "(Movement, *)");
    assert_results(walking, "e0: (Movement,Walking) | e3: (Movement,Walking)");
    assert_results(moving, "e0: (Movement,Walking) | e1: (Movement,Running) | "
                           "e2: (Movement,Running) | e3: (Movement,Walking)");
    ecs_table_t *table = ecs_get_table(world, find(scene, "e0"));
    add(scene, "e0", "(Movement, Flying)");
    assert_ptr_equal(ecs_get_table(world, find(scene, "e0")), table);
    assert_results(walking, "e3: (Movement,Walking)");
    ecs_iter_t it = ecs_query_iter(world, moving);
    assert_true(ecs_query_next(&it));
    assert_int_equal(ecs_field_target(&it, 0, 0), find(scene, "Flying"));
    assert_int_equal(
        ecs_field_id(&it, 0), ecs_pair(find(scene, "Movement"), find(scene, "Flying")));
    ecs_iter_fini(&it);
    ecs_remove_pair(world, find(scene, "e3"), find(scene, "Movement"), EcsWildcard);
    assert_results(walking, "");
    ecs_query_fini(walking);
    ecs_query_fini(moving);
}

// UNI-09
static void variables_take_targets_of_unions(void **state) {
    scene_t *scene = *state;
    make_moving(scene);
    assert_solutions(
        scene, "(Movement, $m)", "e0 m=Walking | e1 m=Running | e2 m=Running | e3 m=Walking");
    assert_solutions(scene, "Position, Movement($this, $m), Tag", "e1 m=Running | e3 m=Walking");
    assert_solutions(scene, "Movement($x, Running)", ". x=e1 | . x=e2");
    assert_solutions(scene, "Movement(e1, $m)", ". m=Running");
    assert_solutions(scene, "Movement(e1, $m), Movement($this, $m)", "e1 m=Running | e2 m=Running");
    assert_solutions(scene, "$r($this, Walking)", "e0 r=Movement | e3 r=Movement");
    assert_solutions(scene, "(*, Walking)", "e0 | e3");
    ecs_query_t *q = query_expr(scene, "(Movement, $m)");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    ecs_iter_set_var(&it, ecs_query_find_var(q, "m"), find(scene, "Running"));
    assert_lines(&it, "e1 m=Running | e2 m=Running");
    ecs_query_fini(q);
}

// UNI-09, Q-NEW-13: queries for any relationship that are older than what is beside tables
static void older_queries_find_targets_too(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Union Walking e");
    ecs_add_id(scene->world, find(scene, "Union"), EcsUnion);
    ecs_query_t *q = query_expr(scene, "(*, Walking)"),
                *not = query_expr(scene, "Tag, !(*, Walking)");
    add(scene, "e", "Tag");
    ecs_iter_t it = ecs_query_iter(scene->world, not );
    assert_lines(&it, "e");
    ecs_add_pair(scene->world, find(scene, "e"), find(scene, "Union"), find(scene, "Walking"));
    it = ecs_query_iter(scene->world, q);
    assert_lines(&it, "e");
    it = ecs_query_iter(scene->world, not );
    assert_lines(&it, "");
    ecs_query_fini(q);
    ecs_query_fini(not );
}

// UNI-10
static void unions_accept_operators(void **state) {
    scene_t *scene = *state;
    make_moving(scene);
    assert_solutions(scene, "Position, !(Movement, Walking)", "e1 | e2 | e4 | e5");
    assert_solutions(scene, "Position, !(Movement, *)", "e4 | e5");
    assert_solutions(scene, "Position, !(Movement, _)", "e4 | e5");
    assert_query(scene, "Tag, ?(Movement, Running)",
        "e5: Tag, -(Movement,Running) | e1: Tag, (Movement,Running) | e3: Tag, -(Movement,Running)");
    assert_query(scene, "Tag, ?(Movement, *)",
        "e5: Tag, -(Movement,*) | e1: Tag, (Movement,Running) | e3: Tag, (Movement,Walking)");
    assert_solutions(scene, "(Movement, Running) || Tag", "e1 | e2 | e3 | e5");
    assert_solutions(scene, "(Movement, _) || Tag", "e0 | e1 | e2 | e3 | e5");
    assert_solutions(scene, "(Movement, Running) || (Movement, Walking)", "e0 | e1 | e2 | e3");
    assert_solutions(scene, "Position, !{ (Movement, Running) }", "e0 | e3 | e4 | e5");
}

// SPR-03, SPR-08
static void presence_is_a_matter_of_tables(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_moving(scene);
    ecs_query_t *q = query_expr(scene, "Position, (Movement, _)");
    ecs_iter_t it = ecs_query_iter(world, q);
    int rows = 0, results = 0;
    for (; ecs_query_next(&it); results++) {
        assert_int_equal(ecs_field_id(&it, 1), ecs_pair(find(scene, "Movement"), EcsWildcard));
        for (int i = 0; i < it.count; i++, rows++) {
            assert_int_equal(ecs_field_target(&it, 1, i),
                ecs_get_target(world, it.entities[i], find(scene, "Movement"), 0));
        }
    }
    assert_int_equal(rows, 4);
    assert_int_equal(results, 2); // tables with and without Tag
    ecs_query_fini(q);
    q = query_expr(scene, "Position, !(Movement, _)");
    if (scene->kind == EcsQueryCacheAuto) assert_int_equal(q->cache_kind, EcsQueryCacheAll);
    ecs_query_fini(q);
}

// UNI-09, UNI-10, SPR-03, ENT-12: types have the id of a relationship with its generation.
static void a_relationship_may_have_the_id_of_a_dead_entity(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_delete(world, ecs_new(world));
    ecs_entity_t movement = make(world, "Movement", "Union");
    assert_int_equal(ecs_get_version(movement), 1);
    make_all(world, "Walking Running");
    add(scene, "Ann", "Tag, (Movement, Walking)");
    add(scene, "Bob", "Tag");
    assert_true(ecs_has_id(world, find(scene, "Ann"), movement));
    assert_solutions(scene, "Movement", "Ann");
    assert_solutions(scene, "Tag, (Movement, _)", "Ann");
    assert_solutions(scene, "Tag, !(Movement, _)", "Bob");
    assert_solutions(scene, "Tag, !(Movement, *)", "Bob");
    ecs_add_pair(world, find(scene, "Bob"), movement, find(scene, "Running"));
    ecs_remove_pair(world, find(scene, "Ann"), movement, EcsWildcard);
    assert_solutions(scene, "Tag, !(Movement, *)", "Ann");
    ecs_delete(world, movement);
    assert_type(world, find(scene, "Bob"), "Tag, (Identifier,Name)");
}

// UNI-12
static void unions_can_be_walked_up(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_sparse(scene);
    ecs_entity_t reports = make(world, "Reports", NULL);
    ecs_add_id(world, reports, EcsUnion);
    ecs_add_id(world, reports, EcsTraversable);
    add(scene, "boss", "Npc");
    add(scene, "lead", "(Reports, boss)");
    add(scene, "dev", "Tag, (Reports, lead)");
    add(scene, "loner", "Tag");
    assert_solutions(scene, "Npc(up Reports)", "dev | lead");
    assert_solutions(scene, "Npc(self|up Reports)", "boss | dev | lead");
    assert_solutions(scene, "Tag, !Npc(up Reports), !Position", "loner");
    ecs_query_t *q = query_expr(scene, "Npc(up Reports), Tag");
    assert_results(q, "dev: Npc@boss, Tag");
    ecs_add_pair(world, find(scene, "lead"), reports, find(scene, "loner"));
    assert_results(q, "");
    ecs_add_id(world, find(scene, "loner"), find(scene, "Npc"));
    assert_results(q, "dev: Npc@loner, Tag");
    ecs_query_fini(q);
    assert_solutions(scene, "Npc(cascade Reports)", "dev | lead");
}

static void transitive_relationships_may_lie_beside_tables(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t in = make(world, "In", NULL);
    ecs_add_id(world, in, EcsDontFragment);
    ecs_add_id(world, in, EcsTransitive);
    make_all(world, "usa");
    add(scene, "ny", "(In, usa)");
    add(scene, "park", "(In, ny)");
    add(scene, "bob", "(In, park), Npc");
    assert_solutions(scene, "(In, usa)", "bob | ny | park");
    assert_solutions(scene, "(In, usa), Npc", "bob");
    assert_solutions(
        scene, "Npc, In($this, $where)", "bob where=ny | bob where=park | bob where=usa");
    assert_solutions(scene, "In($x, ny)", ". x=bob | . x=park");
}

// ---- relationships by descriptor ----

// SPR-04, SPR-06, SPR-08, TCS-12
static void sparse_relationships_offer_targets_and_data_per_row(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_sparse(scene);
    typedef struct Follows {
        float delay;
    } Follows;
    ecs_entity_t type = ecs_component(world,
        { .entity = ecs_entity(world, { .name = "FollowsData" }), .type = { sizeof(Follows), 4 } });
    ecs_entity_t follows = ecs_relationship(
        world, { .name = "Follows", .type = type, .sparse = true, .defaults = &(Follows){ 0.5f } });
    ecs_entity_t e[6];
    for (int i = 0; i < 6; i++) {
        char name[16];
        snprintf(name, sizeof(name), "e%d", i);
        e[i] = find(scene, name);
    }
    for (int i = 1; i < 6; i++) {
        Follows data = { (float)i };
        ecs_set_id(world, e[i], ecs_pair(follows, e[i - 1]), sizeof(data), &data);
    }
    ecs_add_pair(world, e[5], follows, e[0]);
    ecs_query_t *any = query_expr(scene, "Position, (Follows, _)"),
                *all = query_expr(scene, "Position, (Follows, *)"),
                *one = query_expr(scene, "(Follows, e0)"),
                *none = query_expr(scene, "Position, !(Follows, _)");
    ecs_iter_t it = ecs_query_iter(world, any);
    while (ecs_query_next(&it)) {
        const Position *p = ecs_field(&it, Position, 0);
        for (int i = 0; i < it.count; i++) {
            const Follows *data = ecs_field_at_w_size(&it, sizeof(Follows), 1, i);
            ecs_entity_t target = ecs_field_target(&it, 1, i);
            assert_ptr_equal(data, ecs_get_id(world, it.entities[i], ecs_pair(follows, target)));
            if (p[i].x < 5) assert_int_equal(target, e[(int)p[i].x - 1]);
        }
    }
    int edges = 0;
    it = ecs_query_iter(world, all);
    for (; ecs_query_next(&it); edges++) {
        assert_int_equal(it.count, 1);
        const Follows *data = ecs_field_at_w_size(&it, sizeof(Follows), 1, 0);
        bool is_default = ecs_field_target(&it, 1, 0) == e[0] && it.entities[0] == e[5];
        assert_near(data->delay, is_default ? 0.5f : ecs_field(&it, Position, 0)->x, 0);
    }
    assert_int_equal(edges, 6);
    assert_results(one, "e1: (Follows,e0) | e5: (Follows,e0)");
    assert_results(none, "e0: Position, -(Follows,*)");
    ecs_remove_pair(world, e[5], follows, e[0]);
    assert_int_equal(ecs_query_count(any).entities, 5);
    ecs_remove_pair(world, e[5], follows, e[4]);
    assert_int_equal(ecs_query_count(any).entities, 4); // its last edge
    assert_int_equal(ecs_query_count(all).entities, 4);
    assert_results(one, "e1: (Follows,e0)");
    ecs_query_fini(any);
    ecs_query_fini(all);
    ecs_query_fini(one);
    ecs_query_fini(none);
}

// ---- without query ----

static void assert_each(scene_t *scene, ecs_id_t id, const char *expected) {
    ecs_iter_t it = ecs_each_id(scene->world, id);
    assert_iter(&it, expected);
}

static void ids_and_children_are_iterated_without_query(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_moving(scene);
    ecs_entity_t movement = find(scene, "Movement"), running = find(scene, "Running");
    assert_each(scene, ecs_id(Power), "e1: Power | e2: Power | e4: Power | e5: Power");
    assert_each(
        scene, ecs_pair(movement, running), "e1: (Movement,Running) | e2: (Movement,Running)");
    assert_each(scene, ecs_pair(movement, EcsWildcard),
        "e0: (Movement,Walking) | e1: (Movement,Running) | e2: (Movement,Running) | e3: (Movement,Walking)");
    add(scene, "eater", "(Eats, Running)");
    assert_each(scene, ecs_pair(EcsWildcard, running),
        "eater: (Eats,Running) | e1: (Movement,Running) | e2: (Movement,Running)");
    ecs_iter_t it = ecs_each_id(world, ecs_id(Power));
    assert_true(ecs_each_next(&it));
    assert_int_equal(ecs_field_at(&it, Power, 0, 0)->value, 10);
    ecs_iter_fini(&it);
    it = ecs_children_w_rel(world, movement, running);
    assert_iter(&it, "e1: (Movement,Running) | e2: (Movement,Running)");
    int roots = 0;
    it = ecs_children_w_rel(world, movement, 0);
    while (ecs_children_next(&it)) {
        for (int i = 0; i < it.count; i++, roots++)
            assert_false(ecs_has_pair(world, it.entities[i], movement, EcsWildcard));
    }
    assert_true(roots > 2);
}

// Tables close the gaps that others left behind while their rows are gone through.
static void roots_beside_tables_come_once_each(void **state) {
    ecs_world_t *world = ((scene_t *)*state)->world;
    ecs_entity_t near = make(world, "Near", NULL), target = ecs_new(world), all[200];
    ecs_add_id(world, near, EcsDontFragment);
    for (int i = 0; i < 200; i++) {
        all[i] = ecs_new_w_id(world, ecs_new(world));
        if (i % 20 == 0) ecs_add_pair(world, all[i], near, target);
    }
    int seen[200] = { 0 };
    ecs_iter_t it = ecs_children_w_rel(world, near, 0);
    while (ecs_children_next(&it)) {
        assert_int_equal(it.count, 1);
        int i = 0;
        while (i < 200 && all[i] != it.entities[0]) i++;
        if (i == 200) continue;
        seen[i]++;
        if (i != 150) continue;
        for (int k = 0; k < 150; k++) ecs_delete(world, all[k]);
        for (int times = 0; times < 4; times++)
            ecs_delete_empty_tables(
                world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    }
    for (int i = 0; i < 200; i++) assert_int_equal(seen[i], i % 20 != 0);
}

// ---- systems ----

static int64_t power_sum;
static void SumPower(ecs_iter_t *it) {
    for (int i = 0; i < it->count; i++) power_sum += ecs_field_at(it, Power, 1, i)->value;
}

static void systems_visit_them(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_id(Position) = ecs_id(Power) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Power);
    ecs_add_id(world, ecs_id(Power), EcsDontFragment);
    ecs_entity_t at_update = ecs_entity(world, { .add = ecs_ids(ecs_dependson(EcsOnUpdate)) });
    ecs_system(world, { .entity = at_update,
                          .query.terms = { { ecs_id(Position) }, { ecs_id(Power) } },
                          .callback = SumPower });
    for (int i = 0; i < 100; i++) {
        ecs_entity_t e = ecs_new_w(world, Position);
        if (i % 2) ecs_set(world, e, Power, { i });
    }
    ecs_set_threads(world, 2);
    ecs_progress(world, 0);
    assert_int_equal(power_sum, 2500);
    ecs_fini(world);
}

// Q-WC-04, Q-WC-05
static void stars_find_what_is_beside_tables_later(void **state) {
    scene_t *scene = *state;
    ecs_entity_t e = make(scene->world, "e", "Tag, (Likes, Apples)");
    ecs_query_t *plain = query_expr(scene, "*, Tag"), *pairs = query_expr(scene, "(*, Apples)");
    assert_results(plain, "e: Tag, Tag");
    assert_results(pairs, "e: (Likes,Apples)");
    ecs_add_id(scene->world, make(scene->world, "Mark", NULL), EcsDontFragment);
    ecs_add_id(scene->world, make(scene->world, "Wants", NULL), EcsDontFragment);
    ecs_add_id(scene->world, e, find(scene, "Mark"));
    ecs_add_pair(scene->world, e, find(scene, "Wants"), find(scene, "Apples"));
    assert_results(plain, "e: Tag, Tag | e: Mark, Tag");
    assert_results(pairs, "e: (Likes,Apples) | e: (Wants,Apples)");
    ecs_query_fini(plain);
    ecs_query_fini(pairs);
}

// The same if the next who looks is a job.
static void readers_find_what_is_beside_tables_later(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t e = make(world, "e", "Tag"), mark = make(world, "Mark", NULL);
    ecs_add_id(world, mark, EcsDontFragment);
    ecs_query_t *q = query_expr(scene, "*, Tag");
    for (int is_marked = 0; is_marked < 2; is_marked++) {
        if (is_marked) ecs_add_id(world, e, mark);
        ecs_readonly_begin(world, true);
        ecs_iter_t it = ecs_query_iter(ecs_get_stage(world, 0), q);
        assert_iter(&it, is_marked ? "e: Tag, Tag | e: Mark, Tag" : "e: Tag, Tag");
        ecs_readonly_end(world);
    }
    ecs_query_fini(q);
}

static void assert_counts(ecs_query_t *query, int results, int entities) {
    ecs_iter_t it = ecs_query_iter(query->world, query);
    while (ecs_query_next(&it)) {
        results--;
        entities -= it.count;
    }
    assert_int_equal(results, 0);
    assert_int_equal(entities, 0);
}

// Q-WC-04, Q-WC-05: what types tell is found table by table as long as nothing that `*` may stand for is beside tables.
static void stars_go_by_tables_if_types_tell_all(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_add_id(world, ecs_id(Velocity), EcsSparse);
    ecs_entity_t e[3], mark = make(world, "Mark", NULL), wants = make(world, "Wants", NULL);
    for (int i = 0; i < 3; i++) {
        e[i] = make(world, NULL, "Tag, (Likes, Apples)");
        ecs_set(world, e[i], Velocity, { (float)i, 1 });
    }
    ecs_query_t *plain = query_expr(scene, "*, Tag"), *pairs = query_expr(scene, "(*, Apples)");
    assert_counts(plain, 2, 6);
    assert_counts(pairs, 1, 3);
    ecs_iter_t it = ecs_query_iter(world, plain);
    assert_true(ecs_query_next(&it));
    assert_id_equal(world, ecs_field_id(&it, 0), ecs_id(Velocity));
    for (int i = 0; i < 3; i++) assert_true(ecs_field_at(&it, Velocity, 0, i)->x == (float)i);
    ecs_iter_fini(&it);

    ecs_add_id(world, mark, EcsDontFragment);
    ecs_add_id(world, wants, EcsDontFragment);
    ecs_add_id(world, e[1], mark);
    assert_counts(plain, 7, 7);
    assert_counts(pairs, 1, 3);
    ecs_add_pair(world, e[1], wants, find(scene, "Apples"));
    assert_counts(pairs, 4, 4);
    ecs_delete(world, mark);
    assert_counts(plain, 2, 6);
    assert_counts(pairs, 4, 4);
    ecs_query_fini(plain);
    ecs_query_fini(pairs);
}

// ---- row by row ----

// What came of six rows of one table, a character each: with which state they came, '.': not at all. While the second one is shown, others
// change beside the table.
static void assert_rows(const scene_t *scene, const char *expr, const char *expected) {
    ecs_world_t *world = scene->world;
    ecs_entity_t row = find(scene, "Row"), rows[6], running = find(scene, "Running");
    ecs_entity_t mark = find(scene, "Mark"), movement = find(scene, "Movement");
    for (int i = 0; i < 6; i++) {
        rows[i] = ecs_new_w_id(world, row);
        ecs_add_pair(world, rows[i], movement, find(scene, "Walking"));
        ecs_set(world, rows[i], Power, { i });
    }
    char came[] = "......";
    ecs_query_t *q = query_expr(scene, expr);
    ecs_iter_t it = ecs_query_iter(world, q);
    while (ecs_query_next(&it)) {
        assert_int_equal(it.count, 1);
        int at = it.offset;
        came[at] = !ecs_field_is_set(&it, 1)                                  ? '-'
                   : ecs_field_id(&it, 1) == ecs_make_pair(movement, running) ? 'R'
                                                                              : '+';
        if (it.row_fields && came[at] == '+')
            assert_int_equal(ecs_field_at(&it, Power, 1, 0)->value, at);
        if (at != 1) continue;
        ecs_add_id(world, rows[2], mark);
        ecs_remove(world, rows[3], Power);
        ecs_add_pair(world, rows[4], movement, running);
    }
    ecs_query_fini(q);
    assert_string_equal(came, expected);
    for (int i = 0; i < 6; i++) ecs_delete(world, rows[i]);
}

// UNI-04, UNI-06: nobody has to defer what moves no rows. That somebody has an id for the first time is no exception.
static void rows_are_asked_as_they_are_when_they_come(void **state) {
    scene_t *scene = *state;
    make_sparse(scene);
    make(scene->world, "Row", NULL);
    assert_rows(scene, "Row, !Mark", "--.---");
    assert_rows(scene, "Row, !Mark, Power", "--..--");
    assert_rows(scene, "Row, Power", "+++.++");
    assert_rows(scene, "Row, ?Power", "+++-++");
    assert_rows(scene, "Row, (Movement, Walking)", "++++.+");
    assert_rows(scene, "Row, !(Movement, Running)", "----.-");
    assert_rows(scene, "Row, (Movement, *)", "++++R+");
    assert_rows(scene, "Row, ?(Movement, Running), !Mark", "--.-R-");
}

static void define_inherited_power(ecs_world_t *world) {
    ecs_id(Power) = 0;
    ECS_COMPONENT_DEFINE(world, Power);
    ecs_add_id(world, ecs_id(Power), EcsDontFragment);
    ecs_add_pair(world, ecs_id(Power), EcsOnInstantiate, EcsInherit);
}

// What tables inherit counts as well, next to tables that inherit nothing.
static void rows_of_instances_have_what_their_base_has(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    define_inherited_power(world);
    ecs_add_id(world, make(world, "Mark", NULL), EcsDontFragment);
    ecs_entity_t base = make(world, "base", "Prefab");
    ecs_set(world, base, Power, { 7 });
    make(world, "i0", "Npc, (IsA, base)");
    make(world, "i1", "Npc, Mark, (IsA, base)");
    make(world, "n0", "Npc");
    make(world, "n1", "Npc, Mark");
    ecs_set(world, find(scene, "n1"), Power, { 1 });
    assert_query(scene, "Npc, Power", "n1: Npc, Power | i0: Npc, Power@base | i1: Npc, Power@base");
    assert_query(scene, "Npc, !Power", "n0: Npc, -Power");
    assert_query(scene, "Npc, Power, !Mark", "i0: Npc, Power@base, -Mark");
    assert_query(scene, "Npc, ?Power, Mark", "n1: Npc, Power, Mark | i1: Npc, Power@base, Mark");
}

// Of four instances, the first of which has a power of its own: whose power was shown, while the base gets one as row `when` is shown.
static void assert_powers(const scene_t *scene, const char *expr, int when, const char *expected) {
    ecs_world_t *world = scene->world;
    ecs_entity_t base = make(world, "hatchery", NULL), rows[4];
    for (int i = 0; i < 4; i++) {
        rows[i] = ecs_new_w_id(world, find(scene, "Npc"));
        ecs_add_pair(world, rows[i], EcsIsA, base);
    }
    ecs_set(world, rows[0], Power, { 1 });
    char came[] = "....";
    ecs_query_t *q = query_expr(scene, expr);
    ecs_iter_t it = ecs_query_iter(world, q);
    while (ecs_query_next(&it)) {
        const int at = it.offset;
        came[at] = !ecs_field_is_set(&it, 1) ? '-' : ecs_field_src(&it, 1) ? 'b' : 'o';
        if (at == when) ecs_set(world, base, Power, { 7 });
    }
    ecs_query_fini(q);
    assert_string_equal(came, expected);
    for (int i = 0; i < 4; i++) ecs_delete(world, rows[i]);
    ecs_delete(world, base);
}

// ISA-04: what a base has beside its table its instances have from then on.
static void bases_may_get_it_meanwhile(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    define_inherited_power(world);
    make(world, "Npc", NULL);
    assert_powers(scene, "Npc, Power", 0, "obbb");
    assert_powers(scene, "Npc, ?Power", 0, "obbb");
    assert_powers(scene, "Npc, ?Power", 1, "o-bb");
    assert_powers(scene, "Npc, ?Power", 3, "o---");
}

// ---- who has it ----

// Which of five entities of different tables came, while others change, go and come as the first is shown.
static void holders_are_asked_as_they_are_when_they_come(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_sparse(scene);
    ecs_remove_all(world, ecs_id(Power));
    ecs_entity_t holders[5];
    static const char *const ids[] = { "", "Tag", "Position", "Tag, Position", "Npc" };
    make(world, "Npc", NULL);
    for (int i = 0; i < 5; i++) {
        holders[i] = make(world, (char[]){ 'h', (char)('0' + i), 0 }, ids[i]);
        ecs_set(world, holders[i], Power, { i });
    }
    ecs_entity_t late = make(world, "late", "Npc");
    char came[] = ".....";
    ecs_query_t *q = query_expr(scene, "Power, !Mark");
    ecs_iter_t it = ecs_query_iter(world, q);
    for (int i = 0; ecs_query_next(&it); i++) {
        assert_int_equal(it.count, 1);
        const int at = ecs_field_at(&it, Power, 0, 0)->value;
        assert_int_equal(it.entities[0], holders[at]);
        assert_ptr_equal(it.table, ecs_get_table(world, holders[at]));
        came[at] = (char)('0' + i);
        if (i) continue;
        ecs_delete(world, holders[1]);
        ecs_remove(world, holders[2], Power);
        ecs_add_id(world, holders[3], find(scene, "Mark"));
        ecs_set(world, late, Power, { 1 });
    }
    ecs_query_fini(q);
    assert_string_equal(came, "0...1");
}

// UNI-09: several targets come one after the other, and those of bases behind them.
static void variables_take_each_target(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t trusts = make(world, "Trusts", NULL);
    ecs_add_id(world, trusts, EcsDontFragment);
    make_all(world, "ann bob cid");
    make(world, "one", "Npc, (Trusts, ann)");
    make(world, "two", "Npc, (Trusts, ann), (Trusts, bob)");
    make(world, "none", "Npc");
    make(world, "ann", "(Trusts, bob)");
    assert_solutions(scene, "Trusts($this, $x)", "ann x=bob | one x=ann | two x=ann | two x=bob");
    assert_solutions(scene, "Npc, Trusts($this, $x)", "one x=ann | two x=ann | two x=bob");
    assert_solutions(
        scene, "Trusts($this, $x), Trusts($x, $y)", "one x=ann y=bob | two x=ann y=bob");
    assert_solutions(scene, "Npc, Trusts($this, $x), !Trusts($x, bob)", "two x=bob");
    assert_solutions(
        scene, "Npc, ?Trusts($this, $x)", "none x=- | one x=ann | two x=ann | two x=bob");
    ecs_add_pair(world, find(scene, "two"), EcsIsA, make(world, "base", "(Trusts, cid)"));
    assert_solutions(
        scene, "Npc, Trusts($this, $x)", "one x=ann | two x=ann | two x=bob | two x=cid");
}

// TRT-08: whether anything is beside tables does not matter for what bases pass on.
static void what_is_not_inherited_stays_so_beside_tables(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t beside = ecs_new_w_id(world, EcsDontFragment);
    ecs_entity_t root = ecs_new_w_id(world, EcsPrefab),
                 base = ecs_new_w_pair(world, EcsChildOf, root);
    ecs_new_w_pair(world, EcsChildOf, base);
    ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, base),
                 parent = ecs_new_w_pair(world, ecs_new_w_id(world, EcsDontInherit), root);
    ecs_new_w_pair(world, EcsChildOf, parent);
    for (int i = 0; i < 2; i++) {
        ecs_query_desc_t desc = {
            .terms = { { .id = ecs_pair(EcsWildcard, root), .src.id = EcsUp, .trav = EcsChildOf } }
        };
        desc.cache_kind = scene->kind;
        ecs_query_t *q = ecs_query_init(world, &desc);
        assert_int_equal(ecs_query_count(q).entities, 0);
        ecs_query_fini(q);
        ecs_add_pair(world, instance, beside, ecs_new(world));
    }
}

enum { FANS = 40, STARS = 6 };

typedef struct fans_t {
    ecs_entity_t likes, fears, tag, fans[FANS], stars[STARS];
} fans_t;

static int32_t star_of(const fans_t *f, ecs_entity_t star) {
    int32_t i = 0;
    while (i < STARS && f->stars[i] != star) i++;
    return i;
}

static void change_edges(ecs_world_t *world, const fans_t *f, random_t *random) {
    const ecs_entity_t fan = f->fans[random_below(random, FANS)],
                       star = f->stars[random_below(random, STARS)],
                       rel = random_below(random, 2) ? f->likes : f->fears;
    if (random_below(random, 3))
        ecs_add_pair(world, fan, rel, star);
    else
        ecs_remove_pair(world, fan, rel, star);
    if (!random_below(random, 5)) ecs_add_id(world, fan, f->tag);
}

// The pairs of `to` that a fan has, as bits; of what is optional, and nowhere, a bit of its own.
static uint32_t stars_of(
    ecs_world_t *world, const fans_t *f, ecs_entity_t fan, ecs_entity_t to, bool maybe) {
    uint32_t bits = 0;
    for (int32_t i = 0; i < STARS; i++)
        bits |= (uint32_t)ecs_has_pair(world, fan, to, f->stars[i]) << i;
    return bits || !maybe ? bits : 1u << STARS;
}

// Each fan comes with all combinations of what he likes and fears, in order, and then no more. `drops`: he fears nobody any more when he
// comes first.
static void assert_combinations(
    scene_t *scene, const fans_t *f, const char *expr, bool tagged, bool maybe, bool drops) {
    ecs_world_t *world = scene->world;
    ecs_query_t *q = query_expr(scene, expr);
    int32_t expected = 0, found = 0;
    for (int32_t i = 0; i < FANS; i++) {
        if (tagged && !ecs_has_id(world, f->fans[i], f->tag)) continue;
        const int32_t likes = __builtin_popcount(stars_of(world, f, f->fans[i], f->likes, false));
        const uint32_t fears = stars_of(world, f, f->fans[i], f->fears, maybe);
        expected += likes * (drops ? fears != 0 : __builtin_popcount(fears));
    }
    ecs_entity_t last = 0;
    int32_t last_way = -1;
    ecs_iter_t it = ecs_query_iter(world, q);
    for (; ecs_query_next(&it); found++) {
        const ecs_entity_t fan = it.entities[0];
        const int8_t at = (int8_t)(it.field_count - 2);
        const ecs_id_t likes = ecs_field_id(&it, at), fears = ecs_field_id(&it, (int8_t)(at + 1));
        const int32_t way = star_of(f, ecs_pair_second(world, likes)) * 10 +
                            star_of(f, ecs_pair_second(world, fears));
        assert_int_equal(it.count, 1);
        assert_true(ecs_has_id(world, fan, likes));
        assert_int_equal(ecs_field_is_set(&it, (int8_t)(at + 1)), ecs_has_id(world, fan, fears));
        assert_true(fan != last || way > last_way);
        last = fan;
        last_way = way;
        if (drops) ecs_remove_pair(world, fan, f->fears, EcsWildcard);
    }
    if (!drops) assert_int_equal(found, expected);
    ecs_query_fini(q);
}

// SPR-07: one by one, from the sets.
static void several_targets_come_in_all_combinations(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    random_t random = random_init(random_seed());
    fans_t f = { make(world, "Likes2", NULL), make(world, "Fears2", NULL), make(world, "Fan", NULL),
        { 0 }, { 0 } };
    ecs_add_id(world, f.likes, EcsDontFragment);
    ecs_add_id(world, f.fears, EcsDontFragment);
    for (int32_t i = 0; i < STARS; i++) f.stars[i] = ecs_new(world);
    for (int32_t i = 0; i < FANS; i++) f.fans[i] = ecs_new_w(world, Position);
    for (int32_t i = 0, tries = random_tries(60); i < tries; i++) {
        for (int32_t k = 0; k < 20; k++) change_edges(world, &f, &random);
        assert_combinations(scene, &f, "(Likes2, *), (Fears2, *)", false, false, false);
        assert_combinations(scene, &f, "Fan, (Likes2, *), (Fears2, *)", true, false, false);
        assert_combinations(scene, &f, "(Likes2, $x), (Fears2, $y)", false, false, false);
        assert_combinations(scene, &f, "Fan, (Likes2, $x), (Fears2, $y)", true, false, false);
        assert_combinations(scene, &f, "Fan, (Likes2, $x), ?(Fears2, *)", true, true, false);
        if (i % 5) continue;
        ecs_delete(world, f.stars[i % STARS]); /* and its edges */
        f.stars[i % STARS] = ecs_new(world);
        assert_combinations(scene, &f, "(Likes2, $x), (Fears2, $y)", false, false, true);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(several_targets_come_in_all_combinations),
        BOTH(sparse_components_are_fields_of_rows),
        BOTH(what_is_excluded_is_no_field_of_rows),
        BOTH(pairs_of_sparse_components_are_fields_of_rows),
        BOTH(components_beside_tables_match_entity_by_entity),
        BOTH(fields_without_access_show_values),
        BOTH(alternatives_and_scopes_see_them),
        BOTH(they_are_found_above),
        BOTH(unions_match_by_their_present_target),
        BOTH(variables_take_targets_of_unions),
        BOTH(older_queries_find_targets_too),
        BOTH(unions_accept_operators),
        BOTH(presence_is_a_matter_of_tables),
        BOTH(a_relationship_may_have_the_id_of_a_dead_entity),
        BOTH(unions_can_be_walked_up),
        BOTH(transitive_relationships_may_lie_beside_tables),
        BOTH(sparse_relationships_offer_targets_and_data_per_row),
        BOTH(ids_and_children_are_iterated_without_query),
        BOTH(roots_beside_tables_come_once_each),
        BOTH(stars_find_what_is_beside_tables_later),
        BOTH(readers_find_what_is_beside_tables_later),
        BOTH(stars_go_by_tables_if_types_tell_all),
        BOTH(rows_are_asked_as_they_are_when_they_come),
        BOTH(rows_of_instances_have_what_their_base_has),
        BOTH(bases_may_get_it_meanwhile),
        BOTH(holders_are_asked_as_they_are_when_they_come),
        BOTH(variables_take_each_target),
        cmocka_unit_test(systems_visit_them),
        BOTH(what_is_not_inherited_stays_so_beside_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
