// SPDX-License-Identifier: MIT
// Entities and ids: features.md area ENT.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;

// ENT-01
static void a_new_entity_is_alive_and_has_nothing(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_new(world), b = ecs_new(world);
    assert_true(a && b && a != b);
    assert_true(ecs_is_alive(world, a) && ecs_is_valid(world, a) && ecs_exists(world, a));
    assert_int_equal(ecs_get_type(world, a)->count, 0);
    assert_non_null(ecs_get_table(world, a));
}

// ENT-02
static void ordinary_ids_stay_above_the_component_range(void **state) {
    ecs_world_t *world = *state;
    for (int i = 0; i < 100; i++) assert_true(ecs_new(world) >= EcsFirstUserEntityId);
    ecs_entity_t low = ecs_new_low_id(world);
    assert_true(low >= EcsFirstUserComponentId && low < FLECS_HI_COMPONENT_ID);
}

// ENT-03, ENT-04, ENT-05
static void new_entities_can_begin_with_an_id(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Npc);
    ECS_TAG(world, Likes);
    ecs_entity_t apples = ecs_new(world), unit = ecs_new(world);
    assert_true(ecs_has_id(world, ecs_new_w_id(world, Npc), Npc));
    assert_true(ecs_has_pair(world, ecs_new_w_pair(world, Likes, apples), Likes, apples));
    assert_true(ecs_has_pair(world, ecs_new_w_pair(world, EcsIsA, unit), EcsIsA, unit));
    assert_true(ecs_owns(world, ecs_new_w(world, Position), Position));
}

// ENT-06
static void a_tag_comes_and_goes(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), e = ecs_new(world);
    assert_false(ecs_has_id(world, e, tag));
    ecs_add_id(world, e, tag);
    assert_true(ecs_has_id(world, e, tag));
    ecs_remove_id(world, e, tag);
    assert_false(ecs_has_id(world, e, tag));
}

// ENT-07, ENT-08
static void adding_what_is_there_changes_nothing(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t e = ecs_new(world);
    ecs_add(world, e, Position);
    ecs_set(world, e, Position, { 10, 20 });
    ecs_table_t *table = ecs_get_table(world, e);
    ecs_add_id(world, e, ecs_id(Position));
    assert_ptr_equal(ecs_get_table(world, e), table);
    assert_int_equal(ecs_get_type(world, e)->count, 1);
    assert_near(ecs_get(world, e, Position)->x, 10, 0);
}

// ENT-09
static void any_entity_can_be_a_tag_of_another(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Npc);
    ECS_ENTITY(world, Platoon_01, 0);
    ecs_entity_t e = ecs_new_w(world, Npc);
    ecs_new_w(world, Npc);
    ecs_add_id(world, e, Platoon_01);
    ECS_QUERY(world, q, Npc, Platoon_01);
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_id_equal(world, ecs_iter_first(&it), e);
    it = ecs_query_iter(world, q);
    assert_int_equal(ecs_iter_count(&it), 1);
    ecs_query_fini(q);
}

// ENT-10
static void a_type_lists_every_pair(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Npc);
    ECS_TAG(world, Likes);
    ECS_TAG(world, Eats);
    ecs_entity_t apples = ecs_new(world), e = ecs_new_w(world, Npc);
    ecs_add_pair(world, e, Likes, apples);
    ecs_add_pair(world, e, Eats, apples);
    const ecs_type_t *type = ecs_get_type(world, e);
    int pairs = 0;
    for (int i = 0; i < type->count; i++) {
        if (!ECS_IS_PAIR(type->array[i])) continue;
        pairs++;
        assert_id_equal(world, ecs_pair_second(world, type->array[i]), apples);
        ecs_entity_t first = ecs_pair_first(world, type->array[i]);
        assert_true(first == Likes || first == Eats);
    }
    assert_int_equal(pairs, 2);
}

// ENT-11
static void a_deleted_entity_is_nowhere(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Npc);
    ecs_entity_t e = ecs_entity(world, { .name = "Bob" });
    ecs_add(world, e, Npc);
    ECS_QUERY(world, q, Npc);
    ecs_delete(world, e);
    assert_false(ecs_is_alive(world, e));
    assert_int_equal(ecs_lookup(world, "Bob"), 0);
    assert_int_equal(ecs_query_count(q).entities, 0);
    assert_int_equal(ecs_count(world, Npc), 0);
    ecs_query_fini(q);
    ecs_delete(world, e); /* not alive: nothing happens */
}

// ENT-12
static void a_stale_handle_stays_dead_when_its_id_returns(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Likes);
    ecs_entity_t old = ecs_new(world), e = ecs_new(world);
    ecs_add_pair(world, e, Likes, old);
    ecs_delete(world, old);
    ecs_entity_t again = ecs_new(world);
    assert_int_equal((uint32_t)again, (uint32_t)old);
    assert_true(again != old && ecs_get_version(again) == 1);
    assert_false(ecs_is_alive(world, old));
    assert_id_equal(
        world, ecs_get_alive(world, old), again); /* without generation: the living one */
    assert_false(ecs_has_pair(world, e, Likes, again));
    assert_int_equal(ecs_get_target(world, e, Likes, 0), 0);
}

static int named_calls;
static void count_named(ecs_iter_t *it) { named_calls += it->count; }

// ENT-12: an id that queries name is used again when the last of them ends.
static void a_query_that_names_the_dead_finds_no_successor(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Likes);
    for (int kind = 0; kind < 3; kind++) {
        ecs_entity_t old = ecs_new(world), e = ecs_new(world);
        ecs_query_cache_kind_t cache = kind == 1 ? EcsQueryCacheAuto : EcsQueryCacheNone;
        ecs_id_t ids[] = { ecs_pair(Likes, old), ecs_pair(old, EcsWildcard), ecs_childof(old) };
        ecs_query_t *query = ecs_query(world, { .terms = { { ids[kind] } }, .cache_kind = cache });
        ecs_entity_t observer = ecs_observer(world,
            { .query.terms = { { ids[kind] } }, .events = { EcsOnAdd }, .callback = count_named });
        named_calls = 0;
        ecs_delete(world, old);
        for (int i = 0; i < 5; i++) {
            ecs_entity_t other = ecs_new(world);
            assert_true((uint32_t)other != (uint32_t)old);
            ecs_add_pair(world, e, Likes, other);
            ecs_add_pair(world, e, other, Likes);
            ecs_add_pair(world, e, EcsChildOf, other);
        }
        assert_int_equal(named_calls, 0);
        assert_int_equal(ecs_query_count(query).entities, 0);
        ecs_query_fini(query);
        assert_true((uint32_t)ecs_new(world) != (uint32_t)old);
        ecs_delete(world, observer);
        ecs_entity_t freed[] = { ecs_new(world), ecs_new(world), ecs_new(world) };
        int again = 0;
        for (int i = 0; i < 3; i++) again += (uint32_t)freed[i] == (uint32_t)old;
        assert_int_equal(again, 1);
    }
}

// ENT-12, UNI-09, GRT-09, GRT-10: nor does one about what is beside tables, or follows from other pairs.
static void a_goal_that_names_the_dead_finds_no_successor(void **state) {
    ecs_world_t *world = *state;
    const ecs_id_t traits[] = { EcsDontFragment, EcsUnion, EcsTransitive, EcsReflexive };
    for (int i = 0; i < 8; i++) {
        ecs_entity_t likes = ecs_new_w_id(world, traits[i / 2]), old = ecs_new(world);
        ecs_query_t *query =
            ecs_query(world, { .terms = { { ecs_pair(likes, old) } },
                                 .cache_kind = i % 2 ? EcsQueryCacheAuto : EcsQueryCacheNone });
        ecs_delete(world, old);
        ecs_entity_t other = ecs_new(world), e = ecs_new_w_pair(world, likes, other);
        assert_true((uint32_t)other != (uint32_t)old);
        assert_int_equal(ecs_query_count(query).entities, 0);
        ecs_iter_t it;
        assert_false(ecs_query_has(query, e, &it));
        ecs_query_fini(query);
        assert_int_equal((uint32_t)ecs_new(world), (uint32_t)old);
    }
}

// ENT-13
static void equal_ids_share_a_table(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Npc);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world);
    ecs_add(world, a, Position);
    ecs_add(world, a, Npc);
    ecs_add(world, b, Npc);
    ecs_add(world, b, Position);
    assert_ptr_equal(ecs_get_table(world, a), ecs_get_table(world, b));
    ecs_remove(world, b, Npc);
    assert_ptr_not_equal(ecs_get_table(world, a), ecs_get_table(world, b));
}

// ENT-14, ENT-15
static void searching_a_table_visits_each_match(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Eats);
    ECS_ENTITY(world, Apples, 0);
    ECS_ENTITY(world, Pears, 0);
    ecs_entity_t bob = ecs_new(world);
    ecs_add_pair(world, bob, Eats, Pears);
    ecs_add_pair(world, bob, Eats, Apples);
    ecs_table_t *table = ecs_get_table(world, bob);
    ecs_id_t found = 0, pattern = ecs_pair(Eats, EcsWildcard);
    int32_t at = ecs_search(world, table, pattern, &found);
    assert_int_equal(at, 0);
    assert_id_equal(world, found, ecs_pair(Eats, Apples));
    at = ecs_search_offset(world, table, at + 1, pattern, &found);
    assert_int_equal(at, 1);
    assert_id_equal(world, found, ecs_pair(Eats, Pears));
    assert_int_equal(ecs_search_offset(world, table, at + 1, pattern, NULL), -1);
    assert_int_equal(ecs_search(world, table, Apples, NULL), -1);
}

// ENT-16
static void a_column_can_be_read_without_being_a_field(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_COMPONENT(world, Velocity);
    ecs_entity_t e =
        ecs_insert(world, ecs_value(Position, { 1, 2 }), ecs_value(Velocity, { 3, 4 }));
    ECS_QUERY(world, q, Position);
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it));
    assert_id_equal(world, it.entities[0], e);
    const Velocity *v = ecs_table_get_id(world, it.table, ecs_id(Velocity), it.offset);
    assert_near(v->x, 3, 0);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

static int set_calls;
static void count_set(ecs_iter_t *it) { set_calls += it->count; }

// ENT-17
static void ensure_is_silent_until_modified(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_set_hooks(world, Position, { .on_set = count_set });
    ecs_entity_t e = ecs_new(world);
    set_calls = 0;
    Position *p = ecs_ensure(world, e, Position);
    assert_near(p->x, 0, 0);
    p->x = 5;
    assert_ptr_equal(ecs_get_mut(world, e, Position), p);
    assert_int_equal(set_calls, 0);
    ecs_modified(world, e, Position);
    assert_int_equal(set_calls, 1);
}

// ENT-18
static void a_ref_follows_its_entity(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Npc);
    ecs_entity_t e = ecs_new(world);
    ecs_ref_t ref = ecs_ref_init(world, e, Position);
    assert_null(ecs_ref_get(world, &ref, Position)); /* not there yet */
    ecs_set(world, e, Position, { 1, 2 });
    assert_ptr_equal(ecs_ref_get(world, &ref, Position), ecs_get(world, e, Position));
    ecs_add(world, e, Npc);
    assert_ptr_equal(ecs_ref_get(world, &ref, Position), ecs_get(world, e, Position));
    assert_near(ecs_ref_get(world, &ref, Position)->y, 2, 0);
    ecs_remove(world, e, Npc);
    ecs_ref_t ahead = ref; /* looks now */
    ecs_ref_update(world, &ahead, ecs_id(Position));
    assert_true(ahead.table_id != ref.table_id);
    ecs_ref_get(world, &ref, Position);
    assert_true(ahead.table_id == ref.table_id && ahead.column == ref.column);
    ecs_shrink(world);
    assert_near(ecs_ref_get(world, &ref, Position)->y, 2, 0);
    ecs_delete(world, e);
    ecs_new_w(world, Position); /* the id is in use again */
    assert_null(ecs_ref_get(world, &ref, Position));
}

static void clear_removes_everything_and_the_entity_lives(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t parent = ecs_new(world);
    ecs_entity_t e = ecs_entity(world,
        { .name = "Bob", .parent = parent, .set = ecs_values(ecs_value(Position, { 1, 2 })) });
    ecs_clear(world, e);
    assert_true(ecs_is_alive(world, e));
    assert_type(world, e, "");
    assert_int_equal(ecs_lookup_child(world, parent, "Bob"), 0);
}

static void a_clone_has_the_ids_and_optionally_the_values(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Likes);
    ecs_entity_t parent = ecs_entity(world, { .name = "P" });
    ecs_entity_t e = ecs_entity(world,
        { .name = "Bob", .parent = parent, .set = ecs_values(ecs_value(Position, { 1, 2 })) });
    ecs_add_pair(world, e, Likes, parent);
    ecs_entity_t copy = ecs_clone(world, 0, e, true), blank = ecs_clone(world, 0, e, false);
    assert_type(world, copy, "Position, (ChildOf,P), (Likes,P)");
    assert_near(ecs_get(world, copy, Position)->y, 2, 0);
    assert_near(ecs_get(world, blank, Position)->y, 0, 0);
    assert_null(ecs_get_name(world, copy));
    assert_id_equal(world, ecs_lookup(world, "P.Bob"), e);
}

// What is there when the clone is made, be it by a command before it.
static void a_clone_takes_the_place_of_nothing(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Npc);
    ecs_entity_t e = ecs_new_w(world, Position), used = ecs_new_w(world, Npc), dst = ecs_new(world);
    expect_abort_saying(
        ECS_INVALID_PARAMETER, "it has components", ecs_clone(world, used, e, true));
    expect_abort_saying(ECS_INVALID_PARAMETER, "it has components", ecs_defer_begin(world);
                        ecs_clone(world, used, e, true); ecs_defer_end(world));
    expect_abort_saying(ECS_INVALID_PARAMETER, "it has components", ecs_defer_begin(world);
                        ecs_add(world, dst, Npc); ecs_clone(world, dst, e, true);
                        ecs_defer_end(world));
    ecs_entity_t beside = ecs_new(world), has_beside = ecs_new(world);
    ecs_add_id(world, beside, EcsDontFragment);
    ecs_add_id(world, has_beside, beside);
    expect_abort_saying(
        ECS_INVALID_PARAMETER, "it has components", ecs_clone(world, has_beside, e, true));
    ecs_remove_id(world, has_beside, beside);
    assert_id_equal(world, ecs_clone(world, has_beside, e, true), has_beside);
    ecs_defer_begin(world);
    ecs_clear(world, used);
    ecs_clone(world, used, e, true);
    ecs_defer_end(world);
    assert_type(world, used, "Position");
}

static void many_entities_come_in_one_step(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Npc);
    Position values[] = { { 1, 0 }, { 2, 0 }, { 3, 0 } };
    void *data[] = { NULL, values };
    const ecs_entity_t *made = ecs_bulk_init(
        world, &(ecs_bulk_desc_t){ .count = 3, .ids = { Npc, ecs_id(Position) }, .data = data });
    for (int i = 0; i < 3; i++) {
        assert_true(ecs_has(world, made[i], Npc));
        assert_near(ecs_get(world, made[i], Position)->x, i + 1, 0);
    }
    ecs_bulk_desc_t most = { .count = 2 };
    for (int i = 0; i < FLECS_ID_DESC_MAX; i++) most.ids[i] = ecs_new(world);
    assert_int_equal(ecs_get_type(world, ecs_bulk_init(world, &most)[1])->count, FLECS_ID_DESC_MAX);
    made = ecs_bulk_new(world, Position, 1000);
    assert_near(ecs_get(world, made[999], Position)->x, 0, 0);
    assert_int_equal(ecs_count(world, Position), 1003);
    ecs_entity_t wanted[] = { 5000, 6000 };
    assert_ptr_equal(
        ecs_bulk_init(world, &(ecs_bulk_desc_t){ .entities = wanted, .count = 2 }), wanted);
    assert_true(ecs_is_alive(world, 5000) && ecs_is_alive(world, 6000));
    ecs_bulk_desc_t none = { .ids = { ecs_id(Position) }, .data = (void *[]){ values } };
    ecs_bulk_init(world, &none);
    assert_int_equal(ecs_count(world, Position), 1003);
    ecs_entity_t twice[] = { 7000, 7000 };
    ecs_bulk_desc_t wrong = { .entities = twice, .count = 2 };
    expect_abort_saying(ECS_INVALID_PARAMETER, "given twice", ecs_bulk_init(world, &wrong));
    for (int deferred = 0; deferred < 2; deferred++) {
        if (deferred) ecs_defer_begin(world);
        expect_abort_saying(
            ECS_INVALID_PARAMETER, "-3 entities", ecs_bulk_new_w_id(world, EcsDisabled, -3));
        if (deferred) ecs_defer_end(world);
    }
    ecs_set_name(world, 5000, "there");
    expect_abort_saying(
        ECS_INVALID_PARAMETER, "(there)", twice[0] = 5000, ecs_bulk_init(world, &wrong));
}

// 00 section 7: the ids are good until entities are made or deleted; rows that move do not matter.
static void ids_of_a_bulk_outlast_moves(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Npc);
    for (int deferred = 0; deferred < 2; deferred++) {
        if (deferred) ecs_defer_begin(world);
        const ecs_entity_t *made = ecs_bulk_new(world, Position, 100);
        if (deferred) ecs_defer_end(world);
        for (int i = 0; i < 50; i++) ecs_add(world, made[i], Npc);
        for (int i = 0; i < 100; i++) assert_int_equal(ecs_has(world, made[i], Npc), i < 50);
    }
    assert_int_equal(ecs_count(world, Npc), 100);
}

static void exact_ids_and_generations_can_be_made_alive(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = 2000 | (7ull << 32);
    ecs_make_alive(world, e);
    assert_true(ecs_is_alive(world, e));
    assert_id_equal(world, ecs_get_alive(world, 2000), e);
    ecs_make_alive(world, e); /* it is: nothing happens */
    ecs_set_version(world, 2000 | (9ull << 32));
    assert_false(ecs_is_alive(world, e));
    assert_true(ecs_is_alive(world, 2000 | (9ull << 32)));
    for (int i = 0; i < 3000; i++) assert_true((uint32_t)ecs_new(world) != 2000);
    ecs_entities_t all = ecs_get_entities(world);
    assert_true(all.alive_count > 3000 && all.count == all.alive_count);
    expect_abort(ECS_INVALID_PARAMETER, ecs_make_alive(world, ecs_pair(e, e)));
    expect_abort(ECS_INVALID_PARAMETER, ecs_make_alive(world, e));
}

static void a_new_generation_keeps_name_children_and_values(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t e = ecs_entity(world, { .name = "e", .symbol = "symbol" });
    ecs_entity_t child = ecs_entity(world, { .name = "child", .parent = e });
    ecs_set(world, e, Position, { 1, 2 });
    ecs_set_alias(world, e, "alias");
    ecs_entity_t other = ecs_new_w_parent(world, e, "other child");
    ecs_entity_t renewed = e + (5ull << 32);
    ecs_set_version(world, renewed);
    assert_id_equal(world, ecs_get(world, other, EcsParent)->value, renewed);
    assert_id_equal(world, ecs_lookup_child(world, renewed, "other child"), other);
    assert_id_equal(world, ecs_lookup(world, "e"), renewed);
    assert_id_equal(world, ecs_lookup(world, "alias"), renewed);
    assert_id_equal(world, ecs_lookup_symbol(world, "symbol", false, false), renewed);
    assert_id_equal(world, ecs_lookup(world, "e.child"), child);
    assert_id_equal(world, ecs_get_parent(world, child), renewed);
    assert_near(ecs_get(world, renewed, Position)->y, 2, 0);
    ecs_set_name(world, renewed, "other");
    assert_true(ecs_lookup(world, "e") == 0 && ecs_lookup(world, "other.child") == child);
    ecs_delete(world, renewed);
    assert_false(ecs_is_alive(world, child));
}

static void assert_found_above(ecs_world_t *world, ecs_query_t *query, ecs_entity_t above) {
    ecs_iter_t it = ecs_query_iter(world, query);
    assert_true(ecs_query_next(&it));
    assert_int_equal(it.count, 1);
    assert_id_equal(world, ecs_field_src(&it, 1), above);
    ecs_iter_fini(&it);
}

// Also above long chains, whose answers are remembered.
static void a_new_generation_is_found_above_others(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Leaf);
    const ecs_query_cache_kind_t kinds[] = { EcsQueryCacheNone, EcsQueryCacheAuto };
    for (int way = 0; way < 6; way++) {
        ecs_entity_t above = ecs_new(world), leaf = above;
        ecs_set(world, above, Position, { 1, 2 });
        for (int depth = way < 3 ? 1 : 50; depth; depth--) {
            if (way % 3 == 2)
                leaf = ecs_new_w_parent(world, leaf, NULL);
            else
                leaf = ecs_new_w_pair(world, way % 3 ? EcsIsA : EcsChildOf, leaf);
        }
        ecs_entity_t rel = way % 3 == 1 ? EcsIsA : EcsChildOf;
        ecs_add(world, leaf, Leaf);
        ecs_query_t *queries[2];
        for (int i = 0; i < 2; i++) {
            queries[i] = ecs_query(
                world, { .terms = { { Leaf }, { ecs_id(Position), .src.id = EcsUp, .trav = rel } },
                           .cache_kind = kinds[i] });
            assert_found_above(world, queries[i], above);
        }
        assert_id_equal(world, ecs_get_target_for(world, leaf, rel, Position), above);
        ecs_set_version(world, above += UINT64_C(3) << 32);
        assert_id_equal(world, ecs_get_target_for(world, leaf, rel, Position), above);
        for (int i = 0; i < 2; i++) {
            assert_found_above(world, queries[i], above);
            ecs_query_fini(queries[i]);
        }
        ecs_delete(world, leaf);
    }
}

static void delete_all(ecs_iter_t *it) {
    for (int i = 0; i < it->count; i++) ecs_delete(it->world, it->entities[i]);
}

static void an_entity_may_be_deleted_while_it_is_made(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t full = ecs_new(world), unwanted = ecs_new(world), tag = ecs_new(world);
    ecs_id_t ids[] = { ecs_childof(full), unwanted };
    for (int i = 0; i < 2; i++) {
        ecs_observer(world,
            { .query.terms = { { ids[i] } }, .events = { EcsOnAdd }, .callback = delete_all });
    }
    const char *names[] = { NULL, "child", "way.to.child" };
    for (int i = 0; i < 3; i++) {
        ecs_entity_t child =
            ecs_entity(world, { .parent = full, .name = names[i], .add = ecs_ids(tag) });
        if (i < 2) assert_false(ecs_is_alive(world, child));
        assert_int_equal(ecs_lookup_child(world, full, "child"), 0);
    }
    assert_int_equal(ecs_new_from_path(world, full, "way.to.child"), 0);
    assert_int_equal(ecs_lookup_child(world, full, "way"), 0);
    ecs_entity_t e = ecs_entity(world, { .symbol = "Symbol",
                                           .add = ecs_ids(tag, unwanted),
                                           .set = ecs_values(ecs_value(Position, { 1, 2 })) });
    assert_false(ecs_is_alive(world, e));
    assert_int_equal(ecs_count(world, Position), 0);
}

static void delete_it(ecs_iter_t *it) {
    ecs_entity_t *goes = it->ctx;
    if (*goes) ecs_delete(it->world, *goes);
    *goes = 0;
}

// CLN-10: what is deleted when the entity gets its parent, or its first id, is not among what it has in the end.
static void what_goes_meanwhile_is_not_added(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_new(world), tag = ecs_new(world), goes = 0;
    ecs_entity_t rel = ecs_new(world), sparse = ecs_new(world);
    ecs_add_id(world, sparse, EcsUnion);
    const ecs_id_t first[] = { ecs_childof(parent), tag, ecs_pair(sparse, parent) };
    for (int i = 0; i < 3; i++) {
        ecs_observer(world, { .query.terms = { { first[i] } },
                                .events = { EcsOnAdd },
                                .callback = delete_it,
                                .ctx = &goes });
    }
    for (int i = 0; i < 8; i++) {
        ecs_entity_t target = goes = ecs_new(world);
        ecs_id_t added[] = { i / 3 ? first[i / 3] : tag, target, ecs_pair(rel, target),
            ecs_pair(sparse, target) };
        ecs_id_t last = added[1 + i % 3];
        ecs_entity_t e =
            ecs_entity(world, { .parent = i / 3 ? 0 : parent, .add = ecs_ids(added[0], last) });
        assert_false(ecs_is_alive(world, target));
        assert_false(ecs_has_pair(world, e, rel, EcsWildcard));
        assert_true(i / 3 || ecs_has_pair(world, e, EcsChildOf, parent));
        assert_int_equal(ecs_get_type(world, e)->count, i / 3 ? 1 : 2);
    }
    ECS_COMPONENT(world, Position);
    for (int i = 0; i < 2; i++) { /* of one that is there, to be set */
        ecs_entity_t there = ecs_new_w_id(world, tag);
        goes = ecs_component(world, { .type = { sizeof(int), 4 } });
        ecs_value_t values[] = { { goes, i ? &(int){ 1 } : NULL },
            { ecs_id(Position), &(Position){ 1, 2 } }, { 0 } };
        ecs_entity(world, { .id = there, .parent = parent, .set = values });
        assert_int_equal(goes, 0);
        assert_int_equal(ecs_get_type(world, there)->count, 3);
        assert_near(ecs_get(world, there, Position)->y, 2, 0);
    }
}

// NAM-12, CLN-10: nothing comes to have what is dead.
static void scope_and_with_must_live_on(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t scope = ecs_new(world), with = ecs_new(world);
    ecs_set_scope(world, scope);
    ecs_set_with(world, with);
    ecs_delete(world, with);
    expect_abort_saying(ECS_INVALID_PARAMETER, "ecs_set_with", ecs_entity(world, { .name = "x" }));
    ecs_set_with(world, 0);
    ecs_delete(world, scope);
    expect_abort_saying(ECS_INVALID_PARAMETER, "scope", ecs_entity(world, { .name = "x" }));
    expect_abort_saying(ECS_INVALID_PARAMETER, "scope", ecs_new_w_id(world, 0));
    ecs_defer_begin(world);
    expect_abort_saying(ECS_INVALID_PARAMETER, "scope", ecs_new_w_id(world, 0));
    ecs_defer_end(world);
    ecs_set_scope(world, 0);
    ecs_value_t values[] = { { .type = with }, { 0 } };
    expect_abort(ECS_INVALID_PARAMETER, ecs_entity(world, { .name = "x", .set = values }));
}

static void disabled_entities_are_not_matched(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Npc);
    ecs_entity_t e = ecs_new_w(world, Npc);
    ECS_QUERY(world, q, Npc);
    ecs_enable(world, e, false);
    assert_true(ecs_has_id(world, e, EcsDisabled));
    assert_int_equal(ecs_query_count(q).entities, 0);
    ecs_enable(world, e, true);
    assert_int_equal(ecs_query_count(q).entities, 1);
    ecs_query_fini(q);
}

// A prefab stands for what it gives to instances, at once and deferred; pairs and what it keeps for itself are left alone.
static void a_prefab_is_disabled_by_its_ids(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t listed = ecs_new(world), kept = ecs_new(world), target = ecs_new(world);
    ecs_add_pair(world, kept, EcsOnInstantiate, EcsDontInherit);
    ecs_entity_t list = ecs_new_w_id(world, EcsPrefab);
    ecs_add_id(world, list, listed);
    ecs_add_id(world, list, kept);
    ecs_add_pair(world, list, ecs_new(world), target);
    for (int deferred = 0; deferred < 2; deferred++) {
        for (int enabled = 0; enabled < 2; enabled++) {
            if (deferred) ecs_defer_begin(world);
            ecs_enable(world, list, enabled);
            if (deferred) ecs_defer_end(world);
            assert_int_equal(ecs_has_id(world, listed, EcsDisabled), !enabled);
            assert_false(ecs_has_id(world, list, EcsDisabled));
            assert_false(ecs_has_id(world, kept, EcsDisabled));
            assert_false(ecs_has_id(world, target, EcsDisabled));
            assert_false(ecs_has_id(world, EcsPrefab, EcsDisabled));
        }
    }
}

static void remove_mass(ecs_iter_t *it) {
    ecs_remove_id(it->world, it->entities[0], *(ecs_id_t *)it->ctx);
}

static void what_hooks_took_away_is_not_set_after_all(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t mass = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
    ecs_set_hooks(world, Position, { .on_add = remove_mass, .ctx = &mass });
    float heavy = 3;
    ecs_value_t values[] = { ecs_value(Position, { 1, 2 }), { mass, &heavy }, { 0 } };
    expect_abort_saying(ECS_INVALID_OPERATION, "removed it",
        ecs_entity_init(world, &(ecs_entity_desc_t){ .set = values }));
}

// QL-15: text that traits forbid is bad input, as text that cannot be read is.
static void ids_from_text_are_input(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t single = ecs_entity(world, { .name = "Single", .add = ecs_ids(EcsSingleton) });
    ecs_entity(world, { .name = "Last", .add = ecs_ids(EcsFinal) });
    const struct {
        const char *text, *sentence;
        int32_t code;
    } rows[] = {
        { "Position, toggle|Position", "Position for a new entity", ECS_INVALID_OPERATION },
        { "SlotOf", "as the relationship of a pair", ECS_CONSTRAINT_VIOLATED },
        { "Single", "Single to a new entity", ECS_CONSTRAINT_VIOLATED },
        { "(IsA, Last)", "a new entity cannot be an instance", ECS_CONSTRAINT_VIOLATED },
        { "(ChildOf, *)", "no id that can be added", ECS_INVALID_PARAMETER },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int32_t count = ecs_get_entities(world).alive_count;
        ecs_entity_t e = 1;
        expect_error(rows[i].code, rows[i].sentence,
            e = ecs_entity(world, { .name = "e", .add_expr = rows[i].text }));
        assert_int_equal(e, 0);
        expect_error(
            rows[i].code, rows[i].sentence, e = ecs_entity(world, { .add_expr = rows[i].text }));
        assert_int_equal(e, 0);
        assert_int_equal(ecs_get_entities(world).alive_count, count);
    }
    expect_abort(
        ECS_CONSTRAINT_VIOLATED, ecs_entity(world, { .add = ecs_ids(single) })); /* no text */
}

// api/01 §2: "#number" is whoever has the id, or who is to have it; a number that nobody can have is bad input.
static void numbers_as_names_are_input(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t e = 2000 | (7ull << 32), new = 2001 | (7ull << 32);
    ecs_make_alive(world, e);
    static const char *const none[] = { "#500429497297967297", "#281479271678000", "#4294967296",
        "#281474976710657", "#9223372036854776320", "#4294967295" };
    const int32_t count = ecs_get_entities(world).count;
    char name[32];
    ecs_entity_t found = 1;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        expect_error(ECS_INVALID_PARAMETER, "is the number of no entity",
            found = ecs_entity(world, { .name = none[i] }));
        assert_int_equal(found, 0);
    }
    snprintf(name, sizeof name, "#%llu", (unsigned long long)(2000 | (8ull << 32)));
    expect_error(ECS_INVALID_PARAMETER, "in use with another generation",
        found = ecs_entity(world, { .name = name }));
    assert_int_equal(found, 0);
    expect_error(ECS_INVALID_PARAMETER, "in use with another generation",
        found = ecs_entity(world, { .name = "#4294967297" }));
    assert_int_equal(found, 0);
    assert_int_equal(ecs_get_entities(world).count, count);

    assert_id_equal(world, ecs_entity(world, { .name = "#2000" }), e);
    assert_id_equal(world, ecs_entity(world, { .id = e, .name = "#2000" }), e);
    snprintf(name, sizeof name, "#%llu", (unsigned long long)new);
    assert_id_equal(world, ecs_entity(world, { .name = name }), new);
    expect_abort(ECS_INVALID_PARAMETER, ecs_make_alive(world, 2002 | (1ull << 48)));
    expect_abort(ECS_INVALID_PARAMETER, ecs_entity(world, { .id = 2002 | (1ull << 55) }));
}

// QL-15: the same in a queue, in which commands before may allow it, or commands behind make it wrong.
static void ids_from_text_are_input_of_queues(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Walking);
    ecs_entity_t e = ecs_entity(world, { .name = "E" });
    ecs_entity(world, { .name = "Single", .add = ecs_ids(EcsSingleton) });
    ecs_entity(world, { .name = "Last", .add = ecs_ids(EcsFinal) });
    const struct {
        const char *text;
        int32_t code;
    } rows[] = {
        { "toggle|Position", ECS_INVALID_OPERATION },
        { "SlotOf", ECS_CONSTRAINT_VIOLATED },
        { "Single", ECS_CONSTRAINT_VIOLATED },
        { "(IsA, Last)", ECS_CONSTRAINT_VIOLATED },
        { "(ChildOf, E)", ECS_CYCLE_DETECTED },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ecs_defer_begin(world);
        assert_int_equal(ecs_entity(world, { .id = e, .add_expr = rows[i].text }), e);
        ecs_add(world, e, Walking);
        expect_error(rows[i].code, "", ecs_defer_end(world));
        assert_true(ecs_has(world, e, Walking));
        assert_int_equal(ecs_get_type(world, e)->count, 2);
        ecs_remove(world, e, Walking);
    }
    ecs_entity_t color = ecs_entity(world, { .name = "Color", .add = ecs_ids(EcsOneOf) });
    ecs_defer_begin(world);
    ecs_entity_t red = ecs_entity(world, { .name = "Color.Red" });
    ecs_entity(world, { .id = e, .add_expr = "(Color, Color.Red)" });
    ecs_defer_end(world);
    assert_true(ecs_has_pair(world, e, color, red));
    ecs_entity_t single = ecs_lookup(world, "Single");
    expect_abort(ECS_CONSTRAINT_VIOLATED,
        (ecs_defer_begin(world), ecs_add_id(world, e, single), ecs_defer_end(world))); /* no text */
}

static void misuse_names_what_is_wrong(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world), dead = ecs_new(world);
    ecs_delete(world, dead);
    expect_abort(ECS_INVALID_PARAMETER, ecs_add_id(world, 0, e));
    expect_abort_saying(ECS_INVALID_PARAMETER, "not alive", ecs_add_id(world, dead, e));
    expect_abort(ECS_INVALID_PARAMETER, ecs_add_id(world, e, 0));
    expect_abort(ECS_INVALID_PARAMETER, ecs_add_id(world, e, dead));
    expect_abort(ECS_INVALID_PARAMETER, ecs_add_id(world, e, EcsWildcard));
    expect_abort_saying(ECS_INVALID_PARAMETER, "-1", ecs_table_find(world, &e, -1));
    expect_abort(ECS_INVALID_PARAMETER, ecs_add_pair(world, e, e, EcsAny));
    expect_abort(ECS_INVALID_PARAMETER, ecs_is_alive(world, 0));
    expect_abort(ECS_INVALID_PARAMETER, ecs_get_type(world, dead));
    expect_abort(ECS_INVALID_PARAMETER, ecs_get_name(world, dead));
    expect_abort(ECS_INVALID_PARAMETER, ecs_get_symbol(world, dead));
    expect_abort(ECS_INVALID_PARAMETER, ecs_lookup_child(world, dead, "x"));
    expect_abort(ECS_INVALID_PARAMETER, ecs_lookup_from(world, dead, "x"));
    expect_abort(ECS_INVALID_PARAMETER, ecs_new_from_path(world, dead, "x"));
    expect_abort(ECS_INVALID_PARAMETER, ecs_children(world, dead));
    assert_null(ecs_get_name(world, 0));
    expect_abort(ECS_INVALID_PARAMETER, ecs_delete(world, 0));
    expect_abort(ECS_INVALID_OPERATION, ecs_delete(world, EcsChildOf));
    expect_abort(ECS_INVALID_OPERATION, ecs_add_id(world, e, ECS_TOGGLE | e));
}

static void elements_of_ids_can_be_made_alive(void **state) {
    ecs_world_t *world = *state;
    ecs_make_alive_id(world, 700000);
    ecs_make_alive_id(world, ecs_make_pair(700001, 700002));
    ecs_make_alive_id(world, ecs_value_pair(700003, 700004));
    ecs_make_alive_id(world, ecs_make_pair(700001, 700002));
    for (ecs_entity_t id = 700000; id < 700004; id++) assert_true(ecs_is_alive(world, id));
    assert_false(ecs_is_alive(world, 700004));
}

static void ids_tell_what_they_are(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world), t = ecs_new(world);
    ecs_delete(world, e);
    ecs_entity_t again = ecs_new(world);
    assert_true(ecs_strip_generation(again) == (uint32_t)again && again != (uint32_t)again);
    assert_true(ecs_strip_generation(ecs_pair(t, t)) == ecs_pair(t, t));
    assert_true(ecs_id_is_any(EcsAny) && ecs_id_is_any(ecs_pair(EcsAny, t)));
    assert_true(ecs_id_is_any(ecs_pair(t, EcsAny)) && !ecs_id_is_any(ecs_pair(t, EcsWildcard)));
    const uint64_t flags[] = { ECS_VALUE_PAIR, ECS_PAIR, ECS_TOGGLE, ECS_AUTO_OVERRIDE, ECS_AND,
        ECS_OR, 1 };
    const char *names[] = { "VALUE_PAIR", "PAIR", "TOGGLE", "AUTO_OVERRIDE", "AND", "OR",
        "UNKNOWN" };
    for (int i = 0; i < 7; i++) assert_string_equal(ecs_id_flag_str(flags[i]), names[i]);
    ecs_delete(world, again);
    assert_false(ecs_is_alive(world, again) || !ecs_exists(world, again));
    assert_false(ecs_exists(world, 700000));
    assert_false(ecs_id_is_valid(world, ecs_pair(again, t)));
    assert_true(ecs_id_is_tag(world, ecs_pair(EcsIsA, EcsWildcard)));
    assert_false(ecs_id_is_tag(world, ecs_pair(EcsAny, t)));
}

// ENT-14, PAIR-08: which of its ids has another, or the first target.
static void who_has_an_id_is_found(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t kind = ecs_new(world), tag = ecs_new(world), e = ecs_new_w_id(world, tag);
    ecs_entity_t target = ecs_new_w_id(world, kind);
    ecs_add_pair(world, e, tag, target);
    assert_int_equal(ecs_get_target_for_id(world, e, 0, kind), 0);
    assert_id_equal(world, ecs_get_target_for_id(world, e, tag, 0), target);
    ecs_add_id(world, tag, kind);
    assert_id_equal(world, ecs_get_target_for_id(world, e, 0, kind), tag);
}

// ENT-03: what is only to be added needs no value, at once and later.
static void descriptors_name_what_they_do_not_set(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t tag = ecs_new(world);
    for (int deferred = 0; deferred < 2; deferred++) {
        ecs_value_t values[] = { { tag, NULL }, { ecs_id(Position), NULL }, { 0 } };
        if (deferred) ecs_defer_begin(world);
        ecs_entity_t e = ecs_entity(world, { .name = "e", .set = values });
        ecs_entity_t none = ecs_new_w_id(world, 0);
        if (deferred) ecs_defer_end(world);
        assert_true(ecs_owns(world, e, Position) && ecs_owns_id(world, e, tag));
        assert_type(world, none, "");
        ecs_delete(world, e);
    }
}

static void a_component_may_be_made_of_an_id_that_is_not_alive(void **state) {
    ecs_world_t *world = *state;
    ecs_component_desc_t desc = { .entity = 700000, .type = { .size = 4, .alignment = 4 } };
    assert_id_equal(world, ecs_component_init(world, &desc), 700000);
    assert_int_equal(ecs_get_type_info(world, 700000)->size, 4);
}

// As where memory ends, in all builds; also if the rows that are there make them too many to count.
static void more_rows_than_memory_has_room_for_are_refused(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world);
    static const int32_t counts[] = { 268435457, 1073741824, INT32_MAX };
    for (int i = 0; i < 3; i++) {
        expect_abort(ECS_OUT_OF_MEMORY, ecs_bulk_new_w_id(world, tag, counts[i]));
        ecs_new_w_id(world, tag);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(a_new_entity_is_alive_and_has_nothing),
        mini_world_test(what_hooks_took_away_is_not_set_after_all),
        mini_world_test(ordinary_ids_stay_above_the_component_range),
        mini_world_test(new_entities_can_begin_with_an_id),
        mini_world_test(a_tag_comes_and_goes),
        mini_world_test(adding_what_is_there_changes_nothing),
        mini_world_test(any_entity_can_be_a_tag_of_another),
        mini_world_test(a_type_lists_every_pair),
        mini_world_test(a_deleted_entity_is_nowhere),
        mini_world_test(a_stale_handle_stays_dead_when_its_id_returns),
        mini_world_test(a_query_that_names_the_dead_finds_no_successor),
        mini_world_test(a_goal_that_names_the_dead_finds_no_successor),
        mini_world_test(equal_ids_share_a_table),
        mini_world_test(searching_a_table_visits_each_match),
        mini_world_test(a_column_can_be_read_without_being_a_field),
        mini_world_test(ensure_is_silent_until_modified),
        mini_world_test(a_ref_follows_its_entity),
        mini_world_test(clear_removes_everything_and_the_entity_lives),
        mini_world_test(a_clone_has_the_ids_and_optionally_the_values),
        mini_world_test(a_clone_takes_the_place_of_nothing),
        mini_world_test(many_entities_come_in_one_step),
        mini_world_test(ids_of_a_bulk_outlast_moves),
        mini_world_test(exact_ids_and_generations_can_be_made_alive),
        mini_world_test(a_new_generation_keeps_name_children_and_values),
        mini_world_test(a_new_generation_is_found_above_others),
        mini_world_test(an_entity_may_be_deleted_while_it_is_made),
        mini_world_test(what_goes_meanwhile_is_not_added),
        mini_world_test(scope_and_with_must_live_on),
        mini_world_test(disabled_entities_are_not_matched),
        mini_world_test(a_prefab_is_disabled_by_its_ids),
        mini_world_test(ids_from_text_are_input),
        mini_world_test(numbers_as_names_are_input),
        mini_world_test(ids_from_text_are_input_of_queues),
        mini_world_test(misuse_names_what_is_wrong),
        mini_world_test(elements_of_ids_can_be_made_alive),
        mini_world_test(ids_tell_what_they_are),
        mini_world_test(who_has_an_id_is_found),
        mini_world_test(descriptors_name_what_they_do_not_set),
        mini_world_test(more_rows_than_memory_has_room_for_are_refused),
        mini_world_test(a_component_may_be_made_of_an_id_that_is_not_alive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
