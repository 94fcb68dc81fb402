// SPDX-License-Identifier: MIT
// world/table.c: looking at tables and changing them as a whole.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;

static void a_table_describes_itself(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t tag = ecs_new(world), parent = ecs_new(world);
    ecs_entity_t e = ecs_entity(world, { .parent = parent,
                                           .add = ecs_ids(tag),
                                           .set = ecs_values(ecs_value(Position, { 1, 2 })) });
    ecs_table_t *table = ecs_get_table(world, e);
    assert_int_equal(ecs_table_count(table), 1);
    assert_true(ecs_table_size(table) >= 1);
    assert_id_equal(world, ecs_table_entities(table)[0], e);
    assert_int_equal(ecs_table_column_count(table), 1);
    assert_int_equal(ecs_table_get_type_index(world, table, tag), 1);
    assert_int_equal(ecs_table_get_column_index(world, table, tag), -1);
    assert_int_equal(ecs_table_type_to_column_index(table, 0), 0);
    assert_int_equal(ecs_table_column_to_type_index(table, 0), 0);
    assert_int_equal(ecs_table_get_column_size(table, 0), sizeof(Position));
    assert_near(((Position *)ecs_table_get_column(table, 0, 0))->y, 2, 0);
    assert_near(ecs_table_get(world, table, Position, 0)->x, 1, 0);
    assert_null(ecs_table_get_id(world, table, tag, 0));
    assert_true(ecs_table_has_id(world, table, ecs_pair(EcsChildOf, EcsWildcard)));
    assert_id_equal(world, ecs_table_get_target(world, table, EcsChildOf, 0), parent);
    assert_int_equal(ecs_table_get_depth(world, table, EcsChildOf), 1);
    assert_true(ecs_table_has_flags(table, EcsTableHasChildOf | EcsTableHasPairs));
    expect_abort(ECS_COLUMN_INDEX_OUT_OF_RANGE, ecs_table_get_column(table, 1, 0));
    const ecs_record_t *record = ecs_record_find(world, e);
    assert_near(ecs_record_get(world, record, Position)->x, 1, 0);
    assert_true(ecs_record_has(world, record, Position));
    assert_ptr_equal(
        ecs_record_get_by_column(record, 0, sizeof(Position)), ecs_get(world, e, Position));
    ecs_add_pair(world, e, ecs_id(Position), tag);
    assert_true(ecs_record_has_pair(world, record, Position, tag));
    assert_false(ecs_record_has_pair_second(world, record, tag, Position));
    ecs_add_pair(world, e, tag, ecs_id(Position));
    assert_true(ecs_record_has_pair_second(world, record, tag, Position));
}

// ENT-11
static void a_record_of_the_dead_has_nothing(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t e = ecs_insert(world, ecs_value(Position, { 1, 2 }));
    ecs_record_t *record = ecs_record_find(world, e);
    ecs_delete(world, e);
    assert_int_equal(ecs_record_get_entity(record), 0);
    assert_false(ecs_record_has(world, record, Position));
    assert_null(ecs_record_get(world, record, Position));
    assert_null(ecs_record_ensure(world, record, Position));
    assert_null(ecs_record_get_by_column(record, 0, sizeof(Position)));
}

// ENT-16, ENT-13: with and without memory for rows.
static void empty_tables_have_no_values(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_table_t *table = ecs_table_add_id(world, NULL, ecs_id(Position));
    for (int i = 0; i < 2; i++) {
        assert_null(ecs_table_get_column(table, 0, 0));
        assert_null(ecs_table_get_id(world, table, ecs_id(Position), 0));
        ecs_delete(world, ecs_new_w_table(world, table));
    }
}

static void flags_tell_what_tables_hold(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, ecs_new(world));
    assert_false(ecs_table_has_flags(ecs_get_table(world, e), EcsTableHasMultiIsA));
    ecs_add_pair(world, e, EcsIsA, ecs_new(world));
    ecs_table_t *table = ecs_get_table(world, e);
    assert_true(ecs_table_has_flags(table, EcsTableHasMultiIsA | EcsTableNotEmpty));
    assert_false(ecs_table_has_flags(table, EcsTableHasBuiltins));
    assert_false(ecs_table_has_flags(table, EcsTableEmpty));
    ecs_delete(world, e);
    assert_true(ecs_table_has_flags(table, EcsTableEmpty));
    assert_false(ecs_table_has_flags(table, EcsTableNotEmpty));
    assert_true(ecs_table_has_flags(ecs_get_table(world, ecs_id(Position)), EcsTableHasBuiltins));
}

static void neighbours_are_made_when_needed(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), e = ecs_new(world);
    ecs_table_t *only_a = ecs_table_add_id(world, NULL, a),
                *both = ecs_table_add_id(world, only_a, b);
    assert_ptr_equal(ecs_table_add_id(world, both, a), both);
    assert_ptr_equal(ecs_table_remove_id(world, both, b), only_a);
    assert_ptr_equal(ecs_table_find(world, (ecs_id_t[]){ a, b }, 2), both);
    expect_abort(ECS_INVALID_PARAMETER, ecs_table_find(world, (ecs_id_t[]){ b, a }, 2));
    ecs_entity_t rel = ecs_new_w_id(world, EcsRelationship);
    expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_table_find(world, &rel, 1)); /* alone */
    ecs_entity_t beside = ecs_new(world), links = ecs_new(world);
    ecs_add_id(world, beside, EcsDontFragment);
    ecs_add_id(world, links, EcsDontFragment);
    ecs_entity_t holder = ecs_new_w_id(world, beside);
    ecs_add_pair(world, holder, links, a);
    expect_abort_saying(ECS_INVALID_PARAMETER, "beside", ecs_table_find(world, &beside, 1));
    ecs_id_t pair = ecs_pair(links, a);
    expect_abort_saying(ECS_INVALID_PARAMETER, "beside", ecs_table_find(world, &pair, 1));
    ecs_entity_t one = ecs_new_w_id(world, EcsExclusive);
    const ecs_id_t two[][2] = { { ecs_pair(one, a), ecs_pair(one, b) },
        { ecs_childof(a), ecs_childof(b) }, { ecs_pair(one, a), ecs_value_pair(one, 7) } };
    for (int i = 0; i < 3; i++) /* GRT-01, GRT-02 */
        expect_abort_saying(ECS_INVALID_PARAMETER, "exclusive", ecs_table_find(world, two[i], 2));
    assert_non_null(ecs_table_find(world, two[0], 1));
    assert_ptr_equal(ecs_table_add_id(world, only_a, beside), only_a);
    assert_true(ecs_commit(world, e, NULL, both, NULL, NULL));
    assert_false(ecs_commit(world, e, NULL, both, NULL, NULL));
    assert_true(ecs_has_id(world, e, b));
    ecs_table_clear_entities(world, both);
    assert_false(ecs_is_alive(world, e));
}

// GRT-12: as for an add; who gets all that another has would bring itself, or be below itself.
static void a_commit_asks_what_may_be_added(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t rels[] = { EcsWith, EcsIsA, EcsChildOf };
    for (int i = 0; i < 3; i++) {
        ecs_entity_t a = ecs_new(world), b = ecs_new_w_pair(world, rels[i], a);
        ecs_entity_t c = ecs_new_w_pair(world, rels[i], b);
        ecs_table_t *table = ecs_get_table(world, c);
        expect_abort(ECS_CYCLE_DETECTED, ecs_commit(world, a, NULL, table, NULL, NULL));
        expect_abort(ECS_CYCLE_DETECTED, ecs_commit(world, b, NULL, table, NULL, NULL));
    }
    ecs_entity_t used = ecs_new(world), e = ecs_new_w_id(world, used);
    ecs_entity_t other = ecs_new_w_id(world, EcsExclusive);
    expect_abort(ECS_INVALID_OPERATION,
        ecs_commit(world, used, NULL, ecs_get_table(world, other), NULL, NULL));
    assert_true(ecs_commit(world, other, NULL, ecs_get_table(world, e), NULL, NULL));
    assert_true(ecs_has_id(world, other, used));
}

static void a_table_may_go_with_its_entities(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), others[2] = { ecs_new_w_id(world, tag), 0 };
    ecs_add_id(world, tag, tag); /* its table ends with it */
    others[1] = ecs_new_w_id(world, tag);
    ecs_table_clear_entities(world, ecs_get_table(world, tag));
    assert_false(ecs_is_alive(world, tag));
    for (int i = 0; i < 2; i++) {
        if (ecs_is_alive(world, others[i]))
            assert_int_equal(ecs_get_type(world, others[i])->count, 0);
    }
}

static void searching_goes_up_a_relationship(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), root = ecs_new_w_id(world, tag);
    ecs_entity_t middle = ecs_new_w_pair(world, EcsChildOf, root),
                 leaf = ecs_new_w_pair(world, EcsChildOf, middle);
    ecs_entity_t found = 1;
    ecs_id_t id;
    struct ecs_table_record_t *record;
    ecs_table_t *table = ecs_get_table(world, leaf);
    assert_int_equal(
        ecs_search_relation(world, table, 0, tag, EcsChildOf, EcsUp, &found, &id, &record), 0);
    assert_id_equal(world, found, root);
    assert_id_equal(world, id, tag);
    assert_ptr_equal(record->hdr.table, ecs_get_table(world, root));
    assert_int_equal(
        ecs_search_relation(world, table, 0, tag, EcsChildOf, EcsSelf, &found, NULL, NULL), -1);
    assert_int_equal(found, 0);
    ecs_add_id(world, leaf, tag);
    ecs_search_relation(
        world, ecs_get_table(world, leaf), 0, tag, EcsChildOf, 0, &found, NULL, NULL);
    assert_int_equal(found, 0); /* itself */
}

static void rows_can_be_swapped_but_not_while_locked(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t a = ecs_insert(world, ecs_value(Position, { 1, 0 })),
                 b = ecs_insert(world, ecs_value(Position, { 2, 0 }));
    ecs_table_t *table = ecs_get_table(world, a);
    ecs_table_swap_rows(world, table, 0, 1);
    assert_id_equal(world, ecs_table_entities(table)[0], b);
    assert_near(ecs_get(world, a, Position)->x, 1, 0);
    const ecs_type_info_t wide = { .size = 1000, .alignment = 8 };
    ecs_entity_t component = ecs_component(world, { .type = wide }), c, d;
    char text[1000] = { 0 }; /* no room for it on the stack */
    c = ecs_new(world), d = ecs_new(world);
    ecs_set_id(world, c, component, 1000, memset(text, 'c', 999));
    ecs_set_id(world, d, component, 1000, memset(text, 'd', 999));
    ecs_table_swap_rows(world, ecs_get_table(world, c), 0, 1);
    assert_string_equal(ecs_get_id(world, d, component), text);
    assert_string_equal(ecs_get_id(world, c, component), memset(text, 'c', 999));
    ecs_readonly_begin(world, true);
    expect_abort(
        ECS_INVALID_WHILE_READONLY, ecs_table_swap_rows(ecs_get_stage(world, 0), table, 0, 1));
    ecs_readonly_end(world);
    ecs_table_lock(world, table);
    expect_abort(ECS_LOCKED_STORAGE, ecs_table_swap_rows(world, table, 0, 1));
    expect_abort_saying(ECS_LOCKED_STORAGE, "iterated", ecs_delete(world, a));
    expect_abort(ECS_LOCKED_STORAGE, ecs_remove(world, a, Position));
    ecs_set(world, a, Position, { 3, 0 }); /* values may change */
    ecs_table_unlock(world, table);
    ecs_delete(world, a);
}

static void searching_may_begin_with_an_entity(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), root = ecs_new_w_id(world, tag), found = 0;
    ecs_entity_t leaf = ecs_new_w_pair(world, EcsChildOf, root);
    ecs_id_t id = 0, parents = ecs_pair(EcsChildOf, EcsWildcard);
    assert_true(ecs_search_relation_for_entity(
                    world, leaf, tag, parents, true, NULL, &found, &id, NULL) >= 0);
    assert_id_equal(world, found, root);
    assert_id_equal(world, id, tag);
    ecs_add_id(world, leaf, tag);
    ecs_search_relation_for_entity(world, leaf, tag, parents, false, NULL, &found, NULL, NULL);
    assert_id_equal(world, found, root);
    ecs_component_record_t *record = flecs_components_ensure(world, ecs_pair(tag, root));
    assert_true(flecs_component_get_id(record) == ecs_pair(tag, root));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(a_table_describes_itself),
        mini_world_test(a_record_of_the_dead_has_nothing),
        mini_world_test(empty_tables_have_no_values),
        mini_world_test(flags_tell_what_tables_hold),
        mini_world_test(neighbours_are_made_when_needed),
        mini_world_test(a_commit_asks_what_may_be_added),
        mini_world_test(a_table_may_go_with_its_entities),
        mini_world_test(searching_goes_up_a_relationship),
        mini_world_test(rows_can_be_swapped_but_not_while_locked),
        mini_world_test(searching_may_begin_with_an_entity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
