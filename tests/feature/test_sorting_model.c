// SPDX-License-Identifier: MIT
// Sorting against a naive model: random edits, each kind of key: Q-SRT, Q-GRP-09.
#include "query_scene.h"
#include "support/random.h"

typedef struct Mixed {
    double weight;
    int32_t small;
    float fraction;
} Mixed;

static ECS_COMPONENT_DECLARE(Mixed);

static int by_weight(ecs_entity_t e1, const void *v1, ecs_entity_t e2, const void *v2) {
    const Mixed *a = v1, *b = v2;
    (void)e1, (void)e2;
    return (a->weight > b->weight) - (a->weight < b->weight);
}
static int by_fraction_descending(
    ecs_entity_t e1, const void *v1, ecs_entity_t e2, const void *v2) {
    const Mixed *a = v1, *b = v2;
    (void)e1, (void)e2;
    return (a->fraction < b->fraction) - (a->fraction > b->fraction);
}
static int by_small_then_weight(ecs_entity_t e1, const void *v1, ecs_entity_t e2, const void *v2) {
    const Mixed *a = v1, *b = v2;
    if (a->small != b->small) return a->small < b->small ? -1 : 1;
    return by_weight(e1, v1, e2, v2);
}
static int by_small_then_entity(ecs_entity_t e1, const void *v1, ecs_entity_t e2, const void *v2) {
    const Mixed *a = v1, *b = v2;
    if (a->small != b->small) return a->small < b->small ? -1 : 1;
    return (e1 < e2) - (e1 > e2);
}
static int by_absolute(ecs_entity_t e1, const void *v1, ecs_entity_t e2, const void *v2) {
    const Mixed *a = v1, *b = v2;
    (void)e1, (void)e2;
    int32_t x = a->small < 0 ? -a->small : a->small, y = b->small < 0 ? -b->small : b->small;
    return (x > y) - (x < y);
}

static random_t random_state;
static int32_t next_random(int32_t limit) { return random_below(&random_state, limit); }

static Mixed random_value(void) {
    return (Mixed){ (double)next_random(1000) * (next_random(50) ? 1e-3 : 1e9),
        next_random(40) - 20, (float)next_random(500) - 250 };
}

typedef struct model_t {
    ecs_entity_t e[3000];
    int32_t count;
} model_t;

static void edit(ecs_world_t *world, model_t *model) {
    int32_t i = next_random(model->count);
    const ecs_id_t parts[] = { ecs_id(Position), ecs_id(Velocity), ecs_id(Mass) };
    ecs_id_t part = parts[next_random(3)];
    switch (next_random(10)) {
    case 0:
        ecs_delete(world, model->e[i]);
        model->e[i] = model->e[--model->count];
        break;
    case 1:
        if (model->count == 3000) break;
        model->e[model->count] = ecs_new(world);
        ecs_set_ptr(world, model->e[model->count++], Mixed, &(Mixed){ 0 });
        break;
    case 2: ecs_add_id(world, model->e[i], part); break;
    case 3: ecs_remove_id(world, model->e[i], part); break;
    default: {
        Mixed value = random_value();
        ecs_set_ptr(world, model->e[i], Mixed, &value);
    }
    }
}

static void write_all(ecs_world_t *world) {
    ecs_query_t *q = ecs_query_new(world, "Mixed");
    ecs_iter_t it = ecs_query_iter(world, q);
    while (ecs_query_next(&it)) {
        Mixed *m = ecs_field(&it, Mixed, 0);
        for (int i = 0; i < it.count; i++) {
            if (!next_random(30)) m[i] = random_value();
        }
    }
    ecs_query_fini(q);
}

static uint64_t by_velocity(ecs_world_t *world, ecs_table_t *table, ecs_id_t id, void *ctx) {
    (void)ctx;
    return ecs_table_has_id(world, table, id);
}

// Q-GRP-09: groups in order, and each sorted by itself.
static void check_groups(ecs_query_t *q, ecs_order_by_action_t compare, const model_t *model) {
    const Mixed *last = NULL;
    ecs_entity_t last_entity = 0;
    uint64_t group = 0;
    int32_t count = 0;
    ecs_iter_t it = ecs_query_iter(q->world, q);
    while (ecs_query_next(&it)) {
        assert_true(ecs_iter_get_group(&it) >= group);
        if (ecs_iter_get_group(&it) != group) last = NULL;
        group = ecs_iter_get_group(&it);
        assert_int_equal(group, ecs_table_has_id(q->world, it.table, ecs_id(Velocity)));
        const Mixed *m = ecs_field(&it, Mixed, 0);
        for (int i = 0; i < it.count; i++, count++) {
            assert_true(!last || compare(last_entity, last, it.entities[i], &m[i]) <= 0);
            last = &m[i];
            last_entity = it.entities[i];
        }
    }
    assert_int_equal(count, model->count);
}

// Each row once, in order, the value of its entity, and equal ones of a table in the order they had.
static void check(ecs_query_t *q, ecs_order_by_action_t compare, const model_t *model,
    const ecs_map_t *rows_before) {
    const Mixed *last = NULL;
    ecs_entity_t last_entity = 0;
    ecs_table_t *last_table = NULL;
    int32_t count = 0;
    ecs_iter_t it = ecs_query_iter(q->world, q);
    while (ecs_query_next(&it)) {
        const Mixed *m = ecs_field(&it, Mixed, 0);
        for (int i = 0; i < it.count; i++, count++) {
            assert_ptr_equal(ecs_get(q->world, it.entities[i], Mixed), &m[i]);
            int order = last ? compare(last_entity, last, it.entities[i], &m[i]) : -1;
            if (order > 0) fail_msg("wrong order");
            if (!order && last_table == it.table) {
                const ecs_map_val_t *a = ecs_map_get(rows_before, last_entity),
                                    *b = ecs_map_get(rows_before, it.entities[i]);
                assert_true(a && b && *a < *b);
            }
            last = &m[i];
            last_entity = it.entities[i];
            last_table = it.table;
        }
    }
    assert_int_equal(count, model->count);
}

static void note_rows(ecs_world_t *world, const model_t *model, ecs_map_t *rows) {
    ecs_map_clear(rows);
    for (int32_t i = 0; i < model->count; i++) {
        const ecs_record_t *record = ecs_record_find(world, model->e[i]);
        *ecs_map_ensure(rows, model->e[i]) = ECS_RECORD_TO_ROW(record->row);
    }
}

static ecs_query_t *sorted(const scene_t *scene, ecs_query_desc_t desc) {
    desc.expr = "[in] Mixed";
    desc.order_by = ecs_id(Mixed);
    desc.cache_kind = scene->kind;
    ecs_query_t *q = ecs_query_init(scene->world, &desc);
    assert_non_null(q);
    return q;
}

static void random_edits_keep_the_order(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_id(Mixed) = 0;
    ECS_COMPONENT_DEFINE(world, Mixed);
    static const ecs_order_by_action_t callbacks[] = { by_weight, by_fraction_descending,
        by_small_then_weight, by_small_then_entity, by_absolute };
    static model_t model;
    ecs_map_t rows = { 0 };
    for (size_t c = 0; c < sizeof callbacks / sizeof *callbacks; c++) {
        random_state = random_init(random_seed() + c);
        model.count = 0;
        for (int i = 0; i < 2500; i++) {
            model.e[model.count] = ecs_new(world);
            Mixed value = random_value();
            ecs_set_ptr(world, model.e[model.count++], Mixed, &value);
        }
        ecs_query_t *q = sorted(scene, (ecs_query_desc_t){ .order_by_callback = callbacks[c] });
        ecs_query_t *grouped = sorted(scene, (ecs_query_desc_t){ .order_by_callback = callbacks[c],
                                                 .group_by = ecs_id(Velocity),
                                                 .group_by_callback = by_velocity });
        for (int round = 0; round < 60; round++) {
            int32_t edits = next_random(4) ? next_random(30) : next_random(1500);
            for (int32_t i = 0; i < edits; i++) edit(world, &model);
            if (!next_random(8)) write_all(world);
            note_rows(world, &model, &rows);
            check(q, callbacks[c], &model, &rows);
            check_groups(grouped, callbacks[c], &model);
        }
        ecs_query_fini(grouped);
        assert_true(ecs_world_verify(world));
        ecs_query_fini(q);
        for (int32_t i = 0; i < model.count; i++) ecs_delete(world, model.e[i]);
    }
    ecs_map_fini(&rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(random_edits_keep_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
