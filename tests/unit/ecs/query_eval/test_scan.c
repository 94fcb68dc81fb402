// SPDX-License-Identifier: MIT
// Candidates in order of creation, also while tables come and go.
#include "support/test.h"

#include <muster/ecs/ecs.h>

#include "query/query.h"
#include "world/state.h"

enum { TABLES = 200 };

typedef struct scene_t {
    ecs_world_t *world;
    ecs_entity_t a, b, entities[TABLES];
    ecs_query_t *query;
} scene_t;

// One table per entity; every second has A, every third has B.
static int setup(void **state) {
    static scene_t scene;
    scene.world = ecs_mini();
    scene.a = ecs_entity_init(scene.world, &(ecs_entity_desc_t){ .name = "A" });
    scene.b = ecs_entity_init(scene.world, &(ecs_entity_desc_t){ .name = "B" });
    for (int i = 0; i < TABLES; i++) {
        scene.entities[i] = ecs_new_w_id(scene.world, ecs_new(scene.world));
        if (i % 2 == 0) ecs_add_id(scene.world, scene.entities[i], scene.a);
        if (i % 3 == 0) ecs_add_id(scene.world, scene.entities[i], scene.b);
    }
    *state = &scene;
    return 0;
}

static int teardown(void **state) {
    scene_t *scene = *state;
    ecs_query_fini(scene->query);
    return ecs_fini(scene->world);
}

static void init_scan(scene_t *scene, ecs__scan_t *scan, const char *expr) {
    scene->query = ecs_query_init(
        scene->world, &(ecs_query_desc_t){ .expr = expr, .cache_kind = EcsQueryCacheNone });
    scan->limit = scene->world->store.next_table_id;
    ecs__scan_init(scan, &scene->world->store, &ecs__query_of(scene->query)->program->plan, false);
}

static bool has(const ecs_table_t *table, ecs_id_t id) { return ecs__table_has(table, id); }

static void tables_of_several_records_come_once_in_order(void **state) {
    scene_t *scene = *state;
    ecs__scan_t scan;
    init_scan(scene, &scan, "A || B");
    uint64_t last = 0;
    int count = 0;
    for (ecs_table_t *table; (table = ecs__scan_next(&scan)); count++) {
        assert_true(table->id > last);
        assert_true(has(table, scene->a) || has(table, scene->b));
        last = table->id;
    }
    assert_int_equal(count, TABLES / 2 + TABLES / 6);
}

static void tables_that_go_meanwhile_do_not_disturb(void **state) {
    scene_t *scene = *state;
    static const char *const exprs[] = { "A", "A || B", "?A, ?B", "!A" };
    for (int k = 0; k < 4; k++) {
        ecs__scan_t scan;
        init_scan(scene, &scan, exprs[k]);
        uint64_t last = 0;
        int seen = 0, gone = 0;
        for (ecs_table_t *table; (table = ecs__scan_next(&scan)); seen++) {
            assert_true(table->id > last || !seen);
            last = table->id;
            if (seen != 5) continue;
            for (int i = 0; i < TABLES / 3; i++, gone++)
                ecs_delete(scene->world, scene->entities[i + k * 10]);
            ecs_delete_empty_tables(
                scene->world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
            ecs_delete_empty_tables(
                scene->world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
        }
        assert_true(seen > 5);
        /* The last table was seen: nothing was skipped by the holes. */
        ecs_table_t *end = ecs_get_table(scene->world, scene->entities[TABLES - 2]);
        assert_true(last >= end->id);
        ecs_query_fini(scene->query);
    }
    scene->query = NULL;
}

static void tables_made_meanwhile_are_left_out(void **state) {
    scene_t *scene = *state;
    ecs__scan_t scan;
    init_scan(scene, &scan, "A");
    int count = 0;
    while (ecs__scan_next(&scan)) {
        count++;
        ecs_add_id(scene->world, ecs_new_w_id(scene->world, ecs_new(scene->world)), scene->a);
    }
    assert_int_equal(count, TABLES / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            tables_of_several_records_come_once_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(tables_that_go_meanwhile_do_not_disturb, setup, teardown),
        cmocka_unit_test_setup_teardown(tables_made_meanwhile_are_left_out, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
