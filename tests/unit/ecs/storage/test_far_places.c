// SPDX-License-Identifier: MIT
// Places that do not fit into records: a world with room for few of them, beside one with room for all, after the same operations.
#include "support/world.h"

#include "support/check.h"
#include "support/random.h"
#include "world/state.h"

enum { SUBJECTS = 60, IDS = 7, STEPS = 4000 };

typedef struct {
    float x, y;
} Value;

typedef struct {
    ecs_world_t *world;
    ecs_id_t ids
        [IDS]; // two values, a tag, a pair, an exclusive pair, one beside tables, one that is observed
    ecs_entity_t subjects[SUBJECTS];
    ecs_query_t *query, *sorted;
    int32_t told;
} scene_t;

static void count_told(ecs_iter_t *it) { ((scene_t *)it->ctx)->told += it->count; }

static int by_x(ecs_entity_t a, const void *x, ecs_entity_t b, const void *y) {
    const Value *left = x, *right = y;
    if (left->x != right->x) return left->x < right->x ? -1 : 1;
    return (a > b) - (a < b);
}

static void add_queries(scene_t *scene) {
    ecs_world_t *world = scene->world;
    ecs_observer(world, { .query.terms = { { .id = scene->ids[6] } },
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = count_told,
                            .ctx = scene });
    scene->query = ecs_query(
        world, { .terms = { { .id = scene->ids[0] }, { .id = scene->ids[2], .oper = EcsOptional } },
                   .cache_kind = EcsQueryCacheAuto });
    scene->sorted = ecs_query(world, { .terms = { { .id = scene->ids[1] } },
                                         .order_by = scene->ids[1],
                                         .order_by_callback = by_x,
                                         .cache_kind = EcsQueryCacheAuto });
}

static void make(scene_t *scene, bool is_tight) {
    *scene = (scene_t){ .world = ecs_mini() };
    ecs_world_t *world = scene->world;
    if (is_tight) {
        ecs__entity_index_t *index = &world->store.entities;
        index->near_rows = 4;
        index->lines_used = index->lines_size - ((size_t)3 << 10);
    }
    for (int i = 0; i < 2; i++) {
        ecs_entity_desc_t desc = { .use_low_id = true };
        scene->ids[i] = ecs_component(world,
            { .entity = ecs_entity_init(world, &desc), .type = { sizeof(Value), sizeof(float) } });
    }
    ecs_entity_t rel = ecs_new(world), either = ecs_new(world), beside = ecs_new(world);
    ecs_add_id(world, either, EcsExclusive);
    ecs_add_id(world, beside, EcsDontFragment);
    scene->ids[2] = ecs_new(world);
    scene->ids[3] = ecs_pair(rel, ecs_new(world));
    scene->ids[4] = ecs_pair(either, rel);
    scene->ids[5] = beside;
    scene->ids[6] = ecs_new(world);
    add_queries(scene);
    for (int i = 0; i < SUBJECTS; i++) scene->subjects[i] = ecs_new(world);
}

static void step(scene_t *scene, random_t random) {
    ecs_world_t *world = scene->world;
    ecs_entity_t *subject = &scene->subjects[random_below(&random, SUBJECTS)];
    const ecs_entity_t parent = scene->subjects[SUBJECTS - 1];
    const int32_t i = random_below(&random, IDS);
    if (!ecs_is_alive(world, *subject)) *subject = ecs_new(world); /* its parent took it along */
    const Value value = { (float)random_below(&random, 100), (float)i };
    switch (random_below(&random, 9)) {
    case 0:
        ecs_delete(world, *subject);
        *subject = ecs_new(world);
        break;
    case 1: ecs_clear(world, *subject); break;
    case 2: ecs_remove_id(world, *subject, scene->ids[i]); break;
    case 3:
    case 4: ecs_set_id(world, *subject, scene->ids[i % 2], sizeof value, &value); break;
    case 5:
        if (*subject != parent && ecs_is_alive(world, parent))
            ecs_add_pair(world, *subject, EcsChildOf, parent);
        break;
    default: ecs_add_id(world, *subject, scene->ids[i]); break;
    }
}

// All at once: merged as a run.
static void change_all(scene_t *scene, int32_t what) {
    for (int i = 0; i < SUBJECTS; i++) {
        ecs_entity_t *subject = &scene->subjects[i];
        if (!ecs_is_alive(scene->world, *subject)) continue;
        if (what == 0) ecs_add_id(scene->world, *subject, scene->ids[2]);
        if (what == 1) ecs_remove_id(scene->world, *subject, scene->ids[2]);
        if (what == 2) ecs_delete(scene->world, *subject);
    }
}

static void finish(scene_t *scene) {
    ecs_query_fini(scene->query);
    ecs_query_fini(scene->sorted);
    ecs_fini(scene->world);
}

static void compare_sorted(scene_t *a, scene_t *b) {
    ecs_iter_t left = ecs_query_iter(a->world, a->sorted);
    ecs_iter_t right = ecs_query_iter(b->world, b->sorted);
    while (ecs_query_next(&left)) {
        assert_true(ecs_query_next(&right));
        assert_int_equal(left.count, right.count);
        assert_memory_equal(
            left.entities, right.entities, sizeof(ecs_entity_t) * (size_t)left.count);
    }
    assert_false(ecs_query_next(&right));
}

static int32_t count_far(const ecs_world_t *world) {
    int32_t count = 0;
    for (int32_t i = 0; i < world->store.table_count; i++) {
        const ecs_table_t *table = world->store.tables[i];
        if (table && !table->line) count += table->count;
    }
    return count;
}

// ENT-01, CMD-01, STO-06: nothing but where it is written down depends on whether a place fits.
static void worlds_without_room_in_records_are_like_others(void **state) {
    (void)state;
    scene_t wide, tight;
    make(&wide, false);
    make(&tight, true);
    random_t random = random_init(random_seed());
    const int steps = random_tries(STEPS);
    int32_t most_far = 0;
    for (int s = 0; s < steps; s++) {
        const bool defers = random_below(&random, 4) == 0;
        const int32_t count = 1 + random_below(&random, defers ? 8 : 1);
        if (defers) {
            ecs_defer_begin(wide.world);
            ecs_defer_begin(tight.world);
        }
        for (int32_t i = 0; i < count; i++) {
            random_next(&random);
            step(&wide, random);
            step(&tight, random);
        }
        const int32_t what = random_below(&random, 12);
        if (defers) {
            change_all(&wide, what);
            change_all(&tight, what);
            ecs_defer_end(wide.world);
            ecs_defer_end(tight.world);
        }
        if (s % 16) continue;
        most_far = ECS_MAX(most_far, count_far(tight.world));
        assert_true(ecs_world_hash(wide.world) == ecs_world_hash(tight.world));
        compare_sorted(&wide, &tight);
        assert_true(ecs_world_verify(tight.world));
    }
    assert_int_equal(wide.told, tight.told);
    assert_int_equal(count_far(wide.world), 0);
    assert_true(most_far > SUBJECTS / 4);
    finish(&wide);
    finish(&tight);
}

// A table that outgrows records: who was near becomes far.
static void tables_leave_their_line_when_they_grow(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Value);
    world->store.entities.near_rows = 8;
    ecs_entity_t entities[100];
    for (int i = 0; i < 100; i++) {
        entities[i] = ecs_new(world);
        ecs_set(world, entities[i], Value, { (float)i, 0 });
        for (int k = 0; k <= i; k += 7) assert_near(ecs_get(world, entities[k], Value)->x, k, 0);
    }
    const ecs_table_t *table = ecs_get_table(world, entities[0]);
    assert_int_equal(table->line, 0);
    for (int i = 0; i < 100; i += 2) ecs_delete(world, entities[i]);
    for (int i = 1; i < 100; i += 2) assert_near(ecs_get(world, entities[i], Value)->x, i, 0);
    for (int i = 0; i < 100; i++) assert_int_equal(ecs_is_alive(world, entities[i]), i % 2);
    for (int i = 0; i < 50; i++) assert_true(ecs_is_alive(world, ecs_new(world)));
    ecs_make_alive(world, entities[1] + 100000);
}

static void sum_x(ecs_iter_t *it) {
    const Value *values = ecs_field(it, Value, 0);
    for (int32_t i = 0; i < it->count; i++) *(float *)it->ctx += values[i].x;
}

// OBS-01: while who is told looks at the row by which the table outgrew records.
static void observers_are_shown_rows_that_become_far(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Value);
    ECS_TAG(world, Tag);
    float sum = 0;
    ecs_observer(world, { .query.terms = { { .id = ecs_id(Value) }, { .id = Tag } },
                            .events = { EcsOnAdd },
                            .callback = sum_x,
                            .ctx = &sum });
    world->store.entities.near_rows = 8;
    for (int i = 1; i <= 100; i++) {
        ecs_entity_t entity = ecs_insert(world, ecs_value(Value, { (float)i, 0 }));
        ecs_add(world, entity, Tag);
        assert_near(sum, i * (i + 1) / 2, 0);
    }
}

// DEF-01, OBS-01: what is there is written at once while the world defers, and told later, also to nobody.
static void values_far_away_are_overwritten_at_once(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Value);
    ecs_entity_t entities[100];
    float sum = 0;
    world->store.entities.near_rows = 8;
    for (int i = 0; i < 100; i++)
        entities[i] = ecs_insert(world, ecs_value(Value, { (float)i, 0 }));
    for (int heard = 0; heard < 2; heard++) {
        if (heard)
            ecs_observer(world, { .query.terms = { { .id = ecs_id(Value) } },
                                    .events = { EcsOnSet },
                                    .callback = sum_x,
                                    .ctx = &sum });
        ecs_defer_begin(world);
        for (int i = 0; i < 100; i++) {
            ecs_set(world, entities[i], Value, { 1, 2 });
            assert_near(ecs_get(world, entities[i], Value)->y, 2, 0);
            ecs_modified(world, entities[i], Value);
        }
        assert_near(sum, 0, 0);
        ecs_defer_end(world);
        for (int i = 0; i < 100; i++) ecs_modified(world, entities[i], Value);
        assert_near(sum, heard ? 300 : 0, 0);
    }
}

// ENT-13: records of users follow their entities, wherever these are, and end with them.
static void records_follow_entities(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Value);
    ECS_TAG(world, Tag);
    ecs_entity_t first = ecs_insert(world, ecs_value(Value, { 1, 1 }));
    ecs_entity_t second = ecs_insert(world, ecs_value(Value, { 2, 2 }));
    const ecs_record_t *record = ecs_record_find(world, second);
    assert_int_equal(ECS_RECORD_TO_ROW(record->row), 1);
    ecs_delete(world, first); /* the last row takes its place */
    assert_int_equal(ECS_RECORD_TO_ROW(record->row), 0);
    ecs_add(world, second, Tag);
    assert_ptr_equal(record->table, ecs_get_table(world, second));
    assert_near(ecs_record_get(world, record, Value)->x, 2, 0);
    for (int i = 0; i < 4; i++) {
        ecs_entity_t other = ecs_new_w(world, Tag);
        ecs_set(world, other, Value, { 3, 3 });
        ecs_table_swap_rows(world, record->table, 0, ecs_table_count(record->table) - 1);
    }
    assert_near(ecs_record_get(world, record, Value)->x, 2, 0);
    assert_id_equal(world, ecs_record_get_entity(record), second);
    assert_ptr_equal(ecs_record_find(world, second), record);
    ecs_defer_begin(world);
    ecs_remove(world, second, Tag);
    ecs_set(world, second, Value, { 4, 4 });
    ecs_defer_end(world);
    assert_near(ecs_record_get(world, record, Value)->x, 4, 0);
    ecs_delete(world, second);
    assert_null(record->table);
    assert_id_equal(world, ecs_record_get_entity(record), 0);
    assert_null(ecs_record_find(world, second));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worlds_without_room_in_records_are_like_others),
        mini_world_test(tables_leave_their_line_when_they_grow),
        mini_world_test(observers_are_shown_rows_that_become_far),
        mini_world_test(values_far_away_are_overwritten_at_once),
        mini_world_test(records_follow_entities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
