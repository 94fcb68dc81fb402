// SPDX-License-Identifier: MIT
// Edges between tables, and those walked last: remembered on both sides of the threshold for low ids, gone with a table.
#include "support/test.h"

#include <muster/ecs/ecs.h>

#include "storage/table_graph.h"
#include "world/state.h"

#define AROUND 40 /* ids on each side of the threshold */

static ecs_world_t *setup_world(ecs_id_t *ids) {
    ecs_world_t *world = ecs_mini();
    for (int i = 0; i < 2 * AROUND; i++) {
        ids[i] = i < AROUND ? FLECS_HI_COMPONENT_ID - 1 - (ecs_id_t)i : ecs_new(world);
        ecs_make_alive(world, ids[i]);
        assert_true((ids[i] < FLECS_HI_COMPONENT_ID) == (i < AROUND));
    }
    return world;
}

// STO-06, STO-07: 256 by default
static void ids_below_and_above_the_threshold_have_edges(void **state) {
    (void)state;
    assert_int_equal(FLECS_HI_COMPONENT_ID, 256);
    ecs_id_t ids[2 * AROUND];
    ecs_table_t *plus[2 * AROUND];
    ecs_world_t *world = setup_world(ids);
    ecs_table_t *root = world->store.root;
    for (int i = 0; i < 2 * AROUND; i++) {
        plus[i] = ecs__table_plus(root, ids[i]);
        assert_null(ecs__table_edge(root, ids[i])); /* the first walk makes the table, */
        assert_ptr_equal(ecs__table_plus(root, ids[i]), plus[i]);
        assert_non_null(ecs__table_edge(root, ids[i])); /* the second one the edge */
    }
    int64_t made = ecs_get_world_info(world)->table_create_total;
    int64_t calls = ecs_os_api_malloc_count + ecs_os_api_calloc_count + ecs_os_api_realloc_count;
    for (int i = 0; i < 2 * AROUND; i++) {
        assert_ptr_equal(ecs__table_plus(root, ids[i]), plus[i]);
        assert_true(ecs__table_has(plus[i], ids[i]));
    }
    assert_int_equal(ecs_get_world_info(world)->table_create_total, made);
    assert_int_equal(
        ecs_os_api_malloc_count + ecs_os_api_calloc_count + ecs_os_api_realloc_count, calls);
    for (int i = 0; i < 2 * AROUND; i++) {
        assert_ptr_equal(ecs__table_minus(plus[i], ids[i]), root);
        assert_ptr_equal(ecs__table_plus(plus[i], ids[i]), plus[i]);
    }
    assert_true(ecs_world_verify(world));
    ecs_fini(world);
}

// There may be as many parents as entities: the root table finds the tables of their children without edges.
static void tables_of_children_are_found_without_edges(void **state) {
    (void)state;
    ecs_world_t *world = ecs_mini();
    ecs_table_t *root = world->store.root, *first[3];
    ecs_entity_t tag = ecs_new(world);
    for (int i = 0; i < 3; i++) {
        const ecs_id_t pair = ecs_childof(ecs_new(world));
        ecs_table_t *tagged = i == 1 ? ecs__table_plus(ecs__table_plus(root, tag), pair) : NULL;
        first[i] = ecs__table_plus(root, pair);
        for (int n = 0; n < 3; n++) assert_ptr_equal(ecs__table_plus(root, pair), first[i]);
        assert_null(ecs__table_edge(root, pair));
        assert_int_equal(first[i]->type.count, 1);
        ecs__table_delete(first[i]);
        first[i] = ecs__table_plus(root, pair); /* the first in the list is another one, or none */
        assert_true(first[i]->type.count == 1 && ecs__table_has(first[i], pair));
        if (tagged) assert_ptr_equal(ecs__table_minus(tagged, tag), first[i]);
    }
    assert_true(ecs_world_verify(world));
    ecs_fini(world);
}

static void edges_to_deleted_tables_are_gone(void **state) {
    (void)state;
    ecs_id_t ids[2 * AROUND];
    ecs_world_t *world = setup_world(ids);
    ecs_table_t *root = world->store.root;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 2 * AROUND; i++) {
            ecs_table_t *table = ecs__table_plus(root, ids[i]);
            assert_ptr_equal(ecs__table_plus(root, ids[i]), table);
            assert_true(ecs__table_has(table, ids[i]));
            assert_int_equal(ecs_table_get_type(table)->count, 1);
            const ecs__hop_t *hop = ecs__hop_find(root, ids[i]);
            assert_true(hop->source == root && hop->edge->target == table);
            assert_ptr_equal(ecs__hop_last(&world->store, ids[i]), hop);
            if ((i + round) % 2) {
                ecs__table_delete(table);
                assert_null(ecs__hop_last(&world->store, ids[i])->source);
            }
        }
        assert_true(ecs_world_verify(world));
    }
    ecs_fini(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_below_and_above_the_threshold_have_edges),
        cmocka_unit_test(tables_of_children_are_found_without_edges),
        cmocka_unit_test(edges_to_deleted_tables_are_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
