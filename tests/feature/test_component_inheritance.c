// SPDX-License-Identifier: MIT
// Component inheritance: Q-CIN-01…09.
#include <string.h>

#include "graph_scene.h"

#include <muster/runtime/runtime.h>

static void make_units(scene_t *scene) {
    make_all(scene->world, "Unit");
    make(scene->world, "Melee", "(IsA, Unit)");
    make(scene->world, "Ranged", "(IsA, Unit)");
    make(scene->world, "Archer", "(IsA, Ranged)");
    make(scene->world, "u", "Unit");
    make(scene->world, "m", "Melee");
    make(scene->world, "a", "Archer");
    make(scene->world, "t", "Tag");
}

// Q-CIN-01, Q-CIN-02, Q-CIN-05
static void kinds_count_as_what_they_are_kinds_of(void **state) {
    scene_t *scene = *state;
    make_units(scene);
    assert_solutions(scene, "Unit", "a | m | u");
    assert_solutions(scene, "Ranged", "a");
    assert_solutions(scene, "Unit|self", "u");
    assert_solutions(scene, "Unit|self($this)", "u");
    assert_solutions(scene, "Tag || Unit", "a | m | t | u");
    assert_solutions(scene, "!Unit, Tag", "t");
}

// Q-TRV-06, Q-TRN-08: where kinds are looked for is one thing, that instances have what their bases have another.
static void spelling_kinds_out_changes_nothing(void **state) {
    scene_t *scene = *state;
    make_units(scene);
    make(scene->world, "i", "(IsA, m)");
    assert_solutions(scene, "Unit", "a | i | m | u");
    assert_solutions(scene, "Unit[self|all|subset]", "a | i | m | u");
    assert_solutions(scene, "Unit|self|all|down IsA", "a | i | m | u");
    assert_solutions(scene, "Unit|self|all|down IsA($this|self)", "a | m | u");
}

static void assert_sources(const scene_t *scene, const char *expr, const char *expected) {
    char found[256] = "";
    ecs_query_t *q = query_expr(scene, expr);
    for (ecs_iter_t it = ecs_query_iter(scene->world, q); ecs_query_next(&it);) {
        const ecs_entity_t source = ecs_field_src(&it, 0);
        for (int32_t i = 0; i < it.count; i++)
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s<%s ",
                ecs_get_name(scene->world, it.entities[i]),
                source ? ecs_get_name(scene->world, source) : "");
    }
    ecs_query_fini(q);
    assert_string_equal(found, expected);
}

// Q-CIN-01, Q-TRV-18: whatever kinds ancestors have, each of them is one result.
static void all_ancestors_with_kinds_are_shown(void **state) {
    scene_t *scene = *state;
    make_units(scene);
    make(scene->world, "In", "Traversable");
    make(scene->world, "w", "Unit, Tag");
    make(scene->world, "x", "Melee, Tag, (In, w)");
    make(scene->world, "y", "Tag, (In, x), (IsA, a)");
    make(scene->world, "z", "Archer, Unit, Tag, (In, y)");
    assert_sources(scene, "Unit(all|up In), Tag", "x<w y<x y<w z<x z<w z<a ");
    assert_sources(scene, "Unit(self|all|up In), Tag", "w< x< x<w y<x y<w z< z<x z<w z<a ");
    assert_sources(scene, "Unit(all|down In), Tag", "w<x w<z x<z y<z ");
    ecs_delete(scene->world, find(scene, "w"));
    assert_sources(scene, "Unit(all|up In), Tag", "y<x z<x z<a ");
}

// Q-CIN-03
static void what_is_a_kind_is_another_question(void **state) {
    scene_t *scene = *state;
    make_units(scene);
    assert_solutions(scene, "(IsA, Unit)", "Archer | Melee | Ranged | Unit");
}

// Q-CIN-04
static void the_field_names_the_kind(void **state) {
    scene_t *scene = *state;
    make_units(scene);
    ecs_query_t *q = query_expr(scene, "Unit");
    ecs_iter_t it;
    assert_true(ecs_query_has(q, find(scene, "a"), &it));
    assert_int_equal(ecs_field_id(&it, 0), find(scene, "Archer"));
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

typedef struct heard_t {
    int adds, removals;
    ecs_id_t last;
} heard_t;

static void Hear(ecs_iter_t *it) {
    heard_t *heard = it->ctx;
    *(it->event == EcsOnRemove ? &heard->removals : &heard->adds) += it->count;
    heard->last = it->event_id;
}

static void assert_heard(const heard_t *heard, int adds, int removals) {
    assert_int_equal(heard->adds, adds);
    assert_int_equal(heard->removals, removals);
}

// Q-CIN-08: also where each step may be of another kind
static void kinds_of_relationships_lead_on(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_all(world, "In Near");
    ecs_entity_t in = find(scene, "In");
    ecs_add_id(world, in, EcsTransitive);
    ecs_add_id(world, find(scene, "Near"), EcsReflexive);
    make(world, "Inside", "(IsA, In)");
    make(world, "City", NULL);
    make(world, "House", "(In, City)");
    make(world, "Room", "(Inside, House)");
    make(world, "chair", "(In, Room)");
    make(world, "bed", "(Inside, Room)");
    make(world, "lone", "(Near, City)");
    assert_solutions(scene, "(In, City)", "House | Room | bed | chair");
    assert_solutions(scene, "(In, House)", "Room | bed | chair");
    assert_solutions(scene, "(Inside, House)", "Room");
    assert_solutions(scene, "In|self($this, City)", "House");
    assert_solutions(
        scene, "(In, $x), $x == City", "House x=City | Room x=City | bed x=City | chair x=City");
    ecs_query_t *q = query_expr(scene, "In(Room, $x)");
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it));
    assert_int_equal(ecs_field_id(&it, 0), ecs_pair(find(scene, "Inside"), find(scene, "House")));
    assert_true(ecs_query_next(&it));
    assert_int_equal(ecs_field_id(&it, 0), ecs_pair(in, find(scene, "City")));
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
    static heard_t heard;
    memset(&heard, 0, sizeof heard);
    ecs_observer(world, { .query.expr = "(In, City)",
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = Hear,
                            .ctx = &heard });
    ecs_entity_t lamp = make(world, "lamp", "(Inside, bed)");
    assert_heard(&heard, 1, 0);
    ecs_add_pair(world, lamp, find(scene, "Near"), find(scene, "bed"));
    assert_heard(&heard, 1, 0);
    ecs_remove_pair(world, lamp, find(scene, "Inside"), find(scene, "bed"));
    assert_heard(&heard, 1, 1);
    make(world, "Beside", "(IsA, Near)");
    make(world, "table", "(Beside, bed)");
    assert_solutions(scene, "(Near, bed)", "bed | lamp | table");
}

// Q-CIN-08
static void kinds_count_in_pairs_too(void **state) {
    scene_t *scene = *state;
    make_units(scene);
    make(scene->world, "x", "(Likes, Archer)");
    make(scene->world, "Loves", "(IsA, Likes)");
    make(scene->world, "y", "(Loves, Melee)");
    assert_solutions(scene, "(Likes, Unit)", "x | y");
    assert_solutions(scene, "Likes|self($this, Unit)", "x");
}

// Q-CIN-01, Q-CIN-04, Q-CIN-08, Q-CIN-09: tables do not tell who has such kinds.
static void kinds_beside_tables_count(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_units(scene);
    ecs_query_t *q = query_expr(scene, "Unit"), *plain = query_expr(scene, "Ranged");
    make(world, "Ghost", "DontFragment, (IsA, Unit)");
    make(world, "Adores", "DontFragment, (IsA, Likes)");
    make(world, "Admires", "EcsUnion, (IsA, Adores)");
    make(world, "g", "Ghost");
    make(world, "h", "Tag, Ghost, Melee");
    make(world, "x", "(Adores, Ghost)");
    make(world, "y", "(Admires, Pears)");
    assert_results(q, "g: Ghost | u: Unit | m: Melee | a: Archer | h: Melee");
    assert_results(plain, "a: Archer");
    assert_solutions(scene, "Unit($x), Tag($x)", ". x=h");
    assert_solutions(scene, "!Unit, Tag", "t");
    assert_solutions(scene, "Tag, ?Unit", "h | t");
    assert_solutions(scene, "Unit|self || Ghost", "g | h | u");
    assert_solutions(scene, "Likes($this, $what)", "x what=Ghost | y what=Pears");
    assert_solutions(scene, "(Likes, Unit)", "x");
    assert_solutions(scene, "Likes|self($this, _)", "");
    ecs_remove_id(world, find(scene, "g"), find(scene, "Ghost"));
    assert_results(q, "u: Unit | m: Melee | a: Archer | h: Melee");
    ecs_query_fini(plain);
    ecs_query_fini(q);
}

// Q-CIN-07
static void kinds_kept_apart_are_read_as_their_base(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t kinds[3];
    static const char *const names[] = { "Apart", "Beside", "Small" };
    ecs_add_id(world, ecs_id(Position), EcsInheritable);
    for (int i = 0; i < 3; i++) {
        ecs_size_t size = i < 2 ? ECS_SIZEOF(Position) : 4;
        kinds[i] =
            ecs_component(world, { .entity = make(world, names[i], NULL), .type = { size, 4 } });
        ecs_add_id(world, kinds[i], i ? EcsDontFragment : EcsSparse);
        ecs_add_pair(world, kinds[i], EcsIsA, ecs_id(Position));
        ecs_set_id(world, make(world, i ? i == 1 ? "b" : "c" : "a", NULL), kinds[i], (size_t)size,
            &(Position){ (float)i, 0 });
    }
    ecs_set(world, make(world, "p", NULL), Position, { 2, 0 });
    ecs_query_t *q = query_expr(scene, "Position");
    ecs_iter_t it = ecs_query_iter(world, q);
    bool seen[3] = { false };
    while (ecs_query_next(&it)) {
        bool is_apart = it.row_fields & 1;
        const Position *p =
            is_apart ? ecs_field_at(&it, Position, 0, 0) : ecs_field(&it, Position, 0);
        assert_int_equal(is_apart, ecs_field_id(&it, 0) != ecs_id(Position));
        assert_int_equal(it.count, 1);
        seen[(int)p->x] = true;
    }
    assert_true(seen[0] && seen[1] && seen[2]);
    assert_solutions(scene, "Position", "a | b | p");
    ecs_query_fini(q);
}

// Q-CIN-07
static void kinds_are_read_as_their_base(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    typedef struct Point {
        int32_t x, y;
    } Point;
    typedef struct Point3 {
        int32_t x, y, z;
    } Point3;
    ECS_COMPONENT(world, Point);
    ECS_COMPONENT(world, Point3);
    ecs_entity_t same = ecs_component(
        world, { .entity = ecs_entity(world, { .name = "Same" }), .type = { sizeof(Point), 4 } });
    ecs_entity_t small = ecs_component(
        world, { .entity = ecs_entity(world, { .name = "Small" }), .type = { 4, 4 } });
    ecs_add_id(world, ecs_id(Point), EcsInheritable);
    ecs_add_pair(world, ecs_id(Point3), EcsIsA, ecs_id(Point));
    ecs_add_pair(world, same, EcsIsA, ecs_id(Point));
    ecs_add_pair(world, small, EcsIsA, ecs_id(Point));
    make(world, "smaller", "Small, Tag"); // does not fit
    for (int i = 0; i < 9; i++) {
        ecs_entity_t e = ecs_new_w_id(world, ecs_lookup(world, "Tag"));
        if (i % 3 == 0) ecs_set(world, e, Point, { i, -i });
        if (i % 3 == 1) ecs_set(world, e, Point3, { i, -i, 7 });
        if (i % 3 == 2) ecs_set_id(world, e, same, sizeof(Point), &(Point){ i, -i });
    }
    for (int instanced = 0; instanced < 2; instanced++) {
        ecs_query_t *q = query_of(
            scene, (ecs_query_desc_t){ .terms = { { ecs_id(Point) } }, .instanced = instanced });
        int sum = 0, count = 0;
        ecs_iter_t it = ecs_query_iter(world, q);
        while (ecs_query_next(&it)) {
            const Point *p = ecs_field(&it, Point, 0);
            for (int i = 0; i < it.count; i++, count++) {
                sum += p[i].x;
                assert_int_equal(p[i].y, -p[i].x);
            }
        }
        assert_int_equal(count, 9);
        assert_int_equal(sum, 36);
        ecs_query_fini(q);
    }
}

static int created, ended;

static void *count_new(ecs_world_t *world, uint64_t id, void *ctx) {
    (void)world, (void)ctx;
    created++;
    return (void *)(uintptr_t)id;
}

static void count_end(ecs_world_t *world, uint64_t id, void *group_ctx, void *ctx) {
    (void)world, (void)ctx;
    assert_true((uint64_t)(uintptr_t)group_ctx == id);
    ended++;
}

static int by_x(ecs_entity_t e1, const void *v1, ecs_entity_t e2, const void *v2) {
    (void)e1, (void)e2;
    float a = ((const Position *)v1)->x, b = ((const Position *)v2)->x;
    return (a > b) - (a < b);
}

// Names of the entities of all results in order.
static void assert_solution_order(const ecs_query_t *q, const char *expected) {
    char names[256] = "";
    ecs_iter_t it = ecs_query_iter(q->world, q);
    while (ecs_query_next(&it)) {
        for (int i = 0; i < it.count; i++) {
            if (*names) strcat(names, " ");
            strcat(names, ecs_get_name(q->world, it.entities[i]));
        }
    }
    assert_string_equal(names, expected);
}

// Q-CIN-09
static void kinds_that_come_later_count(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_all(world, "Unit");
    make(world, "u", "Unit");
    make(world, "t", "Tag");
    ecs_query_t *q = query_expr(scene, "Unit"), *not_unit = query_expr(scene, "Tag, !Unit"),
                *eats = query_expr(scene, "(Eats, Unit)");
    assert_int_equal(ecs_query_count(q).entities, 1);
    ecs_iter_t begun = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&begun));
    make(world, "Melee", "(IsA, Unit)");
    make(world, "m", "Melee, Tag");
    make(world, "e", "(Eats, Melee)");
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_lines(&it, "m | u");
    it = ecs_query_iter(world, not_unit);
    assert_lines(&it, "t");
    it = ecs_query_iter(world, eats);
    assert_lines(&it, "e");
    assert_false(ecs_query_next(&begun)); // goes on as it began
    make(world, "Knight", "(IsA, Melee)");
    make(world, "k", "Knight");
    it = ecs_query_iter(world, q);
    assert_lines(&it, "k | m | u");
    assert_true(ecs_query_has(q, find(scene, "k"), &it));
    ecs_iter_fini(&it);
    ecs_delete(world, find(scene, "Melee"));
    it = ecs_query_iter(world, q);
    assert_lines(&it, "u");
    ecs_query_fini(q);
    ecs_query_fini(not_unit);
    ecs_query_fini(eats);
}

static void Count(ecs_iter_t *it) { *(int32_t *)it->ctx += it->count; }

// Q-CIN-09
static void kinds_of_what_came_back_count(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    const ecs_entity_t unit = make(world, "Unit", NULL), eats = ecs_lookup(world, "Eats");
    int32_t told = 0;
    ecs_query_t *q = query_expr(scene, "(Eats, Unit)");
    ecs_observer(world,
        { .query.expr = "(Eats, Unit)", .events = { EcsOnAdd }, .ctx = &told, .callback = Count });
    ecs_delete(world, unit);
    ecs_make_alive(world, unit);
    ecs_new_w_pair(world, eats, ecs_new_w_pair(world, EcsIsA, unit));
    assert_int_equal(ecs_query_count(q).entities, 1);
    assert_int_equal(told, 1);
    ecs_query_fini(q);
}

static void See(ecs_iter_t *it) { *(const ecs_query_t **)it->ctx = it->query; }

// Q-CIN-09: what users hold of a query stays what it is, and iterators name it
static void a_query_is_one_object_for_life(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_all(world, "Unit");
    make(world, "u", "Unit");
    ecs_query_t *q = query_expr(scene, "Unit");
    static const ecs_query_t *seen; /* outlasts the world */
    ecs_entity_t o = ecs_observer(
        world, { .query.expr = "Unit", .events = { EcsOnAdd }, .callback = See, .ctx = &seen });
    const ecs_term_t *terms = q->terms;
    ecs_iter_t begun = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&begun));
    for (int i = 0; i < 3; i++) {
        char kind[] = "Kind0", member[] = "m0";
        kind[4] = member[1] = (char)('0' + i);
        ecs_iter_t it = ecs_query_iter(world, q);
        assert_ptr_equal(it.query, q);
        ecs_iter_t page = ecs_page_iter(&it, 0, 0);
        assert_true(ecs_page_next(&page));
        assert_ptr_equal(page.query, q);
        ecs_iter_fini(&page);
        assert_ptr_equal(q->terms, terms);
        assert_int_equal(!!(q->terms[0].flags_ & EcsTermIdInherited), i > 0);
        make(world, kind, "(IsA, Unit)");
        make(world, member, kind);
        assert_ptr_equal(seen, ecs_observer_get(world, o)->query);
        assert_int_equal(ecs_query_count(q).entities, 2 + i);
    }
    assert_ptr_equal(begun.query, q);
    assert_false(ecs_query_next(&begun));
    ecs_query_fini(q);
}

// Q-CIN-09: one id loses its kinds, another gets some
static void kinds_of_other_ids_count(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_all(world, "Unit Trade");
    make(world, "Melee", "(IsA, Unit)");
    make(world, "Smith", NULL);
    make(world, "e", "Unit, Smith");
    ecs_query_t *q = query_expr(scene, "Unit, Trade");
    static heard_t heard;
    memset(&heard, 0, sizeof heard);
    ecs_observer(world, { .query.expr = "Unit, Trade",
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = Hear,
                            .ctx = &heard });
    ecs_delete(world, find(scene, "Melee"));
    for (int i = 0; i < 3; i++)
        ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    ecs_add_pair(world, find(scene, "Smith"), EcsIsA, find(scene, "Trade"));
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_lines(&it, "e");
    make(world, "f", "Smith, Unit");
    assert_int_equal(ecs_query_count(q).entities, 2);
    assert_heard(&heard, 1, 0);
    make(world, "Archer", "(IsA, Unit)");
    make(world, "g", "Archer, Trade");
    assert_int_equal(ecs_query_count(q).entities, 3);
    assert_heard(&heard, 2, 0);
    ecs_query_fini(q);
}

// What was planned for them is good for others, too.
static void kinds_that_come_and_go_take_no_more_memory(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_all(world, "Unit Trade");
    static heard_t heard; /* outlasts the world */
    ecs_query_t *q = query_expr(scene, "Tag, ?Unit, ?Trade");
    ecs_observer(world, { .query.expr = "Tag, ?Unit, ?Trade",
                            .events = { EcsOnAdd },
                            .callback = Hear,
                            .ctx = &heard });
    int64_t live = 0;
    for (int i = 0; i < 12; i++) {
        ecs_entity_t kind = ecs_new_w_pair(world, EcsIsA, find(scene, i % 2 ? "Unit" : "Trade"));
        ecs_entity_t e = ecs_new_w_id(world, find(scene, "Tag"));
        assert_int_equal(ecs_query_count(q).entities, 1);
        ecs_delete(world, e);
        ecs_delete(world, kind);
        for (int k = 0; k < 3; k++)
            ecs_delete_empty_tables(
                world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
        if (i == 5) live = memory_live();
    }
    assert_int_equal(memory_live(), live);
    ecs_query_fini(q);
}

// Q-CHG-06
static void types_that_come_after_kinds_count(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_all(world, "Unit Size");
    ecs_entity_t size = find(scene, "Size");
    ecs_query_t *q = query_expr(scene, "Unit, Size"),
                *watcher =
                    ecs_query(world, { .expr = "[in] Size", .cache_kind = EcsQueryCacheAuto });
    make(world, "Melee", "(IsA, Unit)");
    assert_false(ecs_query_is_true(q));
    ecs_set(world, size, EcsComponent, { 4, 4 });
    ecs_entity_t m = make(world, "m", "Melee");
    ecs_set_id(world, m, size, 4, &(int32_t){ 10 });
    assert_true(ecs_query_changed(watcher));
    for (int pass = 0; pass < 2; pass++) {
        ecs_iter_t it = ecs_query_iter(world, pass ? q : watcher);
        while (ecs_query_next(&it)) {}
        assert_int_equal(ecs_query_changed(watcher), pass);
    }
    ecs_query_fini(q);
    ecs_query_fini(watcher);
}

static void matches_of_kinds_are_counted(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_all(world, "Unit");
    ecs_entity_t u = make(world, "u", "Unit, Tag"), m = make(world, "m", "Tag");
    ecs_query_t *q = query_expr(scene, "Unit, Tag");
    ecs_entity_t melee = make(world, "Melee", "(IsA, Unit)");
    assert_true(ecs_query_is_true(q));
    int32_t before = ecs_query_match_count(q), is_cached = q->cache_kind != EcsQueryCacheNone;
    ecs_add_id(world, m, melee);
    assert_int_equal(ecs_query_match_count(q), before + is_cached);
    ecs_add_id(world, u, melee);
    assert_int_equal(ecs_query_match_count(q), before + 2 * is_cached);
    ecs_query_fini(q);
}

// What a query says of its cache is so, too, once it has kinds to look for.
static void queries_without_cache_do_not_claim_one(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_all(world, "Unit");
    ecs_query_t *alone = query_expr(scene, "Unit"), *with = query_expr(scene, "Unit, Tag");
    const bool is_cached = alone->cache_kind != EcsQueryCacheNone;
    make(world, "Melee", "(IsA, Unit)");
    assert_false(ecs_query_is_true(alone) || ecs_query_is_true(with));
    assert_int_equal(alone->cache_kind, EcsQueryCacheNone);
    assert_null(ecs_query_get_cache_query(alone));
    assert_int_equal(with->cache_kind, is_cached ? EcsQueryCacheAuto : EcsQueryCacheNone);
    ecs_query_fini(alone);
    ecs_query_fini(with);
}

static int visits;
static void Visit(ecs_iter_t *it) { visits += it->count; }

static void systems_see_kinds_that_come_later(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t unit = ecs_entity(world, { .name = "Unit" });
    ecs_entity_t at_update = ecs_entity(world, { .add = ecs_ids(ecs_dependson(EcsOnUpdate)) });
    ecs_system(world, { .entity = at_update,
                          .query.terms = { { unit } },
                          .callback = Visit,
                          .multi_threaded = true });
    ecs_set_threads(world, 2);
    ecs_new_w_id(world, unit);
    ecs_progress(world, 0);
    assert_int_equal(visits, 1);
    ecs_entity_t kind = ecs_new_w_pair(world, EcsIsA, unit);
    ecs_new_w_id(world, kind);
    ecs_progress(world, 0);
    assert_int_equal(visits, 3);
    ecs_fini(world);
}

// Q-CIN-09, Q-CIN-08, Q-NEW-14
static void observers_hear_of_kinds_that_come_later(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_all(world, "Unit Eats Tag");
    static heard_t heard[6]; /* outlasts the world */
    memset(heard, 0, sizeof heard);
    static const char *exprs[] = { "Unit", "(Eats, Unit)", "(Unit, Tag)", "Tag, !Unit", "Unit",
        "Tag, Unit(up)" };
    for (int i = 0; i < 6; i++) {
        ecs_observer(
            world, { .query.expr = exprs[i],
                       .events = { i == 4 ? EcsMonitor : EcsOnAdd, i == 4 ? 0 : EcsOnRemove },
                       .callback = Hear,
                       .ctx = &heard[i] });
    }
    make(world, "Melee", "(IsA, Unit)");
    ecs_entity_t melee = find(scene, "Melee"), tag = find(scene, "Tag");
    ecs_entity_t e = make(world, "e", "Melee, (Eats, Melee), (Melee, Tag)");
    assert_heard(&heard[0], 1, 0);
    assert_int_equal(heard[0].last, melee);
    assert_heard(&heard[1], 1, 0);
    assert_heard(&heard[2], 1, 0);
    assert_heard(&heard[4], 1, 0);
    ecs_add_id(world, e, find(scene, "Unit")); /* enters once */
    assert_heard(&heard[0], 2, 0);
    assert_heard(&heard[4], 1, 0);
    ecs_add_id(world, e, tag);
    assert_heard(&heard[3], 0, 0);
    ecs_remove_id(world, e, melee);
    assert_heard(&heard[3], 0, 0);
    assert_heard(&heard[0], 2, 1);
    ecs_remove_id(world, e, find(scene, "Unit"));
    assert_heard(&heard[3], 1, 0);
    assert_heard(&heard[4], 1, 1);
    ecs_entity_t child = make(world, "child", "Tag, (ChildOf, e)");
    assert_heard(&heard[5], 0, 0);
    ecs_add_id(world, e, melee);
    assert_heard(&heard[5], 1, 0);
    ecs_delete(world, child);
    assert_heard(&heard[5], 1, 1);
    assert_heard(&heard[3], 2, 2);
}

// Not the one that was made first. With parents by component, entities are asked one by one.
static void show_nearest_kind(bool has_parents_by_component) {
    ecs_world_t *world = ecs_mini();
    if (has_parents_by_component) ecs_new_w_parent(world, ecs_new(world), NULL);
    ecs_entity_t unit = ecs_entity(world, { .name = "Unit" }), tag = ecs_new(world);
    ecs_entity_t kind = ecs_new_w_pair(world, EcsIsA, unit);
    ecs_entity_t top = ecs_new_w_id(world, unit), middle = ecs_new_w_pair(world, EcsChildOf, top);
    ecs_add_id(world, middle, kind);
    ecs_add_id(world, ecs_new_w_pair(world, EcsChildOf, middle), tag);
    ecs_query_t *q = ecs_query(world, { .terms = { { unit, .src.id = EcsUp }, { tag } } });
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it));
    assert_int_equal(ecs_field_src(&it, 0), middle);
    assert_int_equal(ecs_field_id(&it, 0), kind);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
    ecs_fini(world);
}

// Q-CIN-01, Q-TRV-07
static void the_nearest_kind_above_is_shown(void **state) {
    (void)state;
    show_nearest_kind(false);
    show_nearest_kind(true);
}

// Values of a kind of both are written by both systems.
static void systems_that_may_see_the_same_kind_wait_for_each_other(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    const char *names[] = { "First", "Second" };
    ecs_entity_t kind = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
    for (int i = 0; i < 2; i++) {
        ecs_entity_t c = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
        ecs_add_id(world, c, EcsInheritable);
        ecs_system(world, { .entity = ecs_entity(world,
                                { .name = names[i], .add = ecs_ids(ecs_dependson(EcsOnUpdate)) }),
                              .query.terms = { { c } },
                              .callback = Visit,
                              .multi_threaded = true });
        ecs_add_pair(world, kind, EcsIsA, c);
    }
    ecs_new_w_id(world, kind);
    ecs_progress(world, 0);
    char *schedule = ecs_schedule_str(world, 0);
    assert_non_null(strstr(schedule, "after node 0: Second writes"));
    ecs_os_free(schedule);
    ecs_fini(world);
}

// Q-CIN-09, Q-GRP-05
static void grouped_queries_take_kinds_that_come_later(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make_all(world, "Unit");
    make(world, "u", "Unit, (Likes, Apples)");
    ecs_entity_t likes = find(scene, "Likes"), pears = find(scene, "Pears");
    created = ended = 0;
    ecs_query_t *q = query_of(scene, (ecs_query_desc_t){ .expr = "Unit",
                                         .group_by = likes,
                                         .on_group_create = count_new,
                                         .on_group_delete = count_end });
    void *ctx = ecs_query_get_group_ctx(q, find(scene, "Apples"));
    make(world, "Melee", "(IsA, Unit)");
    make(world, "m", "Melee, (Likes, Pears)");
    make(world, "n", "Melee, (Likes, Apples)");
    assert_solution_order(q, "u n m");
    assert_ptr_equal(ecs_query_get_group_ctx(q, find(scene, "Apples")), ctx);
    assert_non_null(ecs_query_get_group_info(q, pears));
    ecs_iter_t it = ecs_query_iter(world, q);
    ecs_iter_set_group(&it, pears);
    assert_lines(&it, "m");
    ecs_query_fini(q);
    assert_int_equal(created, ended);
}

// Q-CIN-09, Q-SRT-01
static void sorted_queries_take_kinds_that_come_later(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_add_id(world, ecs_id(Position), EcsInheritable);
    ecs_query_t *q = query_of(scene, (ecs_query_desc_t){ .terms = { { ecs_id(Position) } },
                                         .order_by = ecs_id(Position),
                                         .order_by_callback = by_x });
    ecs_set(world, make(world, "b", NULL), Position, { 2, 0 });
    assert_solution_order(q, "b");
    ecs_add_pair(world, ecs_id(Velocity), EcsIsA, ecs_id(Position));
    ecs_set(world, make(world, "c", NULL), Velocity, { 3, 0 });
    ecs_set(world, make(world, "a", NULL), Velocity, { 1, 0 });
    ecs_set(world, make(world, "d", NULL), Position, { 4, 0 });
    assert_solution_order(q, "a b c d");
    ecs_set(world, find(scene, "a"), Velocity, { 5, 0 });
    assert_solution_order(q, "b c d a");
    ecs_query_fini(q);
}

static void count_turns(ecs_iter_t *it) { ((int *)it->ctx)[it->event == EcsOnRemove]++; }

// Q-CIN-01, OBS-02: who has several kinds has one as long as one of them is on, in results, for monitors, and on its own.
static void one_of_several_kinds_may_be_off(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    static int turns[2]; /* until the world ends */
    make(world, "Moving", "CanToggle");
    const ecs_entity_t kinds[] = { make(world, "Flying", "CanToggle, (IsA, Moving)"),
        make(world, "Diving", "CanToggle, (IsA, Moving)") };
    make(world, "a", "Moving");
    ecs_entity_t b = make(world, "b", "Flying, Diving");
    ecs_query_t *q = query_expr(scene, "Moving");
    memset(turns, 0, sizeof turns);
    ecs_observer(world, { .query.expr = "Moving",
                            .events = { EcsMonitor },
                            .callback = count_turns,
                            .ctx = turns });
    ecs_add_id(world, ecs_new(world), ecs_pair(EcsChildOf, b)); /* those below might see it */
    for (int off = 0; off < 4; off++) {
        for (int k = 0; k < 2; k++) ecs_enable_id(world, b, kinds[k], !(off >> k & 1));
        assert_solutions(scene, "Moving", off < 3 ? "a | b" : "a");
        ecs_iter_t it;
        assert_true(ecs_query_has(q, b, &it) == (off < 3));
        if (off < 3) ecs_iter_fini(&it);
        assert_true(turns[0] == 0 && turns[1] == (off == 3));
    }
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = { BOTH(kinds_count_as_what_they_are_kinds_of),
        BOTH(spelling_kinds_out_changes_nothing), BOTH(what_is_a_kind_is_another_question),
        BOTH(the_field_names_the_kind), BOTH(all_ancestors_with_kinds_are_shown),
        BOTH(kinds_count_in_pairs_too), BOTH(kinds_of_relationships_lead_on),
        BOTH(kinds_beside_tables_count), BOTH(kinds_kept_apart_are_read_as_their_base),
        BOTH(kinds_are_read_as_their_base), BOTH(kinds_that_come_later_count),
        BOTH(kinds_of_what_came_back_count), BOTH(a_query_is_one_object_for_life),
        BOTH(kinds_of_other_ids_count), BOTH(kinds_that_come_and_go_take_no_more_memory),
        BOTH(types_that_come_after_kinds_count), BOTH(queries_without_cache_do_not_claim_one),
        BOTH(matches_of_kinds_are_counted), BOTH(grouped_queries_take_kinds_that_come_later),
        BOTH(sorted_queries_take_kinds_that_come_later),
        BOTH(observers_hear_of_kinds_that_come_later), BOTH(one_of_several_kinds_may_be_off),
        cmocka_unit_test(systems_see_kinds_that_come_later),
        cmocka_unit_test(the_nearest_kind_above_is_shown),
        cmocka_unit_test(systems_that_may_see_the_same_kind_wait_for_each_other) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
