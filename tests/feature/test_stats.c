// SPDX-License-Identifier: MIT
// What pipelines tell about themselves, and small promises of systems.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;

static int calls;
static void count(ecs_iter_t *it) {
    (void)it;
    calls++;
}

static void count_rows(ecs_iter_t *it) { calls += it->count; }

static ecs_entity_t new_system(ecs_world_t *world, const char *expr, bool immediate) {
    return ecs_system(
        world, { .entity = ecs_entity(world, { .add = ecs_ids(ecs_dependson(EcsOnUpdate)) }),
                   .query.expr = expr,
                   .callback = count,
                   .immediate = immediate });
}

static void a_pipeline_tells_its_systems_and_merges(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Nobody);
    ecs_insert(world, ecs_value(Position, { 1, 2 }));
    ecs_entity_t a = new_system(world, "[inout] Position", false);
    ecs_entity_t b = new_system(world, NULL, true), c = new_system(world, "Position", false);
    new_system(world, "Nobody", false);
    ecs_pipeline_stats_t stats = { 0 };
    assert_true(ecs_pipeline_stats_get(world, ecs_get_pipeline(world), &stats));
    assert_false(ecs_pipeline_stats_get(world, a, &stats));
    assert_int_equal(stats.active_system_count, 3);
    const ecs_entity_t *ids = ecs_vec_first_t(&stats.systems, ecs_entity_t);
    ecs_entity_t expected[] = { a, 0, b, 0, c, 0 };
    assert_int_equal(ecs_vec_count(&stats.systems), 6);
    assert_memory_equal(ids, expected, sizeof expected);
    assert_int_equal(ecs_vec_count(&stats.sync_points), 3);
    const ecs_sync_stats_t *points = ecs_vec_first_t(&stats.sync_points, ecs_sync_stats_t);
    assert_true(points[1].immediate && points[1].system_count == 1 && !points[0].immediate);
    assert_true(ecs_pipeline_stats_get(world, 0, &stats)); /* again, with the same memory */
    assert_int_equal(ecs_vec_count(&stats.systems), 6);
    ecs_pipeline_stats_fini(&stats);
}

static void queries_without_matches_are_tagged(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Somebody);
    ecs_entity_t system = new_system(world, "Somebody", false);
    assert_true(ecs_has_id(world, system, EcsEmpty));
    ecs_entity_t query = ecs_new(world);
    ecs_query(world, { .entity = query, .expr = "Somebody(up), !Prefab" });
    assert_true(ecs_has_id(world, query, EcsEmpty));
    ecs_defer_begin(world);
    ecs_entity_t parent = ecs_new_w(world, Somebody);
    assert_true(ecs_has_id(world, system, EcsEmpty));
    ecs_defer_end(world);
    assert_false(ecs_has_id(world, system, EcsEmpty)); /* the first match takes it away */
    assert_true(ecs_has_id(world, query, EcsEmpty));
    ecs_entity_t child = ecs_new_w_pair(world, EcsChildOf, parent);
    assert_false(ecs_has_id(world, query, EcsEmpty));
    ecs_entity_t late = new_system(world, "Somebody", false);
    ecs_run_aperiodic(world, EcsAperiodicEmptyQueries); /* matches from the start on count, too */
    assert_false(ecs_has_id(world, late, EcsEmpty));
    ecs_delete(world, child);
    ecs_delete(world, parent);
    ecs_shrink(world); /* deletes the tables */
    ecs_run_aperiodic(world, 0);
    assert_false(ecs_has_id(world, late, EcsEmpty));
    ecs_run_aperiodic(world, EcsAperiodicEmptyQueries);
    assert_true(ecs_has_id(world, late, EcsEmpty) && ecs_has_id(world, query, EcsEmpty));
    ecs_query_update(world, query, &(ecs_query_desc_t){ .expr = "Somebody" });
    assert_true(ecs_has_id(world, query, EcsEmpty));
    ecs_query_update(world, query, &(ecs_query_desc_t){ .terms = { { ecs_id(EcsComponent) } } });
    assert_false(ecs_has_id(world, query, EcsEmpty)); /* nor is it left by the query before */
}

// Q-CIN-01, Q-CAC-08: one that looks for kinds by now has no cache that could be empty.
static void queries_that_find_kinds_are_not_tagged(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Vehicle);
    ecs_entity_t system = new_system(world, "Vehicle", false);
    assert_true(ecs_has_id(world, system, EcsEmpty));
    ecs_new_w_id(world, ecs_new_w_pair(world, EcsIsA, Vehicle));
    ecs_progress(world, 0);
    assert_false(ecs_has_id(world, system, EcsEmpty));
    ecs_run_aperiodic(world, EcsAperiodicEmptyQueries);
    assert_false(ecs_has_id(world, system, EcsEmpty));
}

static void delete_all(ecs_iter_t *it) {
    for (int i = 0; i < it->count; i++) ecs_delete(it->world, it->entities[i]);
}

// Q-CAC-08: an observer may clear away queries that match nothing (sanitizers tell if one is looked at later).
static void queries_without_matches_may_be_deleted(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), kept = ecs_new_w_id(world, tag), queries[4];
    for (int i = 0; i < 4; i++) {
        queries[i] = ecs_new(world);
        ecs_query(world, { .entity = queries[i], .terms = { { tag } } });
    }
    ecs_entity_t observer = ecs_observer(
        world, { .query.terms = { { EcsEmpty } }, .events = { EcsOnAdd }, .callback = delete_all });
    ecs_run_aperiodic(world, EcsAperiodicEmptyQueries);
    for (int i = 0; i < 4; i++) assert_true(ecs_is_alive(world, queries[i]));
    ecs_delete(world, kept);
    ecs_shrink(world);
    ecs_run_aperiodic(world, EcsAperiodicEmptyQueries);
    for (int i = 0; i < 4; i++) assert_false(ecs_is_alive(world, queries[i]));
    ecs_delete(world, observer);
}

static void parts_of_a_system_exist(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t task = ecs_system(world, { .callback = count, .multi_threaded = true });
    calls = 0;
    for (int i = 0; i < 3; i++) ecs_run_worker(world, task, i, 3, 0, NULL);
    assert_int_equal(calls, 1); /* nothing to share */
    ECS_TAG(world, Somebody);
    for (int i = 0; i < 7; i++) ecs_new_w(world, Somebody);
    ecs_entity_t rows = ecs_system(
        world, { .query.expr = "Somebody", .callback = count_rows, .multi_threaded = true });
    for (int i = calls = 0, before = 0; i < 3; i++, before = calls) {
        ecs_run_worker(world, rows, i, 3, 0, NULL);
        assert_true(calls > before);
    }
    assert_int_equal(calls, 7);
    expect_abort(ECS_OUT_OF_RANGE, ecs_run_worker(world, task, 3, 3, 0, NULL));
    expect_abort(ECS_OUT_OF_RANGE, ecs_run_worker(world, task, 0, 0, 0, NULL));
    ecs_iter_t it = ecs_each_id(world, EcsModule);
    assert_true(ecs_each_next(&it));
    expect_abort(ECS_INVALID_OPERATION, ecs_iter_random(&it, 0));
    ecs_iter_fini(&it);
}

// ---- Samples ----

static double newest(const ecs_metric_t *metric, int32_t t) { return (double)metric->gauge.avg[t]; }

static void samples_of_a_world_tell_its_numbers(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    static ecs_world_stats_t stats;
    stats = (ecs_world_stats_t){ 0 };
    ecs_progress(world, 1);            /* ends what only runs at the start */
    ecs_delete(world, ecs_new(world)); /* leaves an id */
    ecs_world_stats_get(world, &stats);
    assert_int_equal(stats.t, 1);
    double entities = newest(&stats.entities.count, 1), tables = newest(&stats.tables.count, 1);
    double free_ids = newest(&stats.entities.not_alive_count, 1);
    double systems = newest(&stats.queries.system_count, 1);
    double made = stats.components.create_count.counter.value[1];
    assert_true(entities > 100 && tables > 10 && made > 0);
    assert_near(stats.components.create_count.counter.rate.avg[1], made, 0);

    const ecs_entity_t *ids = ecs_bulk_new(world, Position, 7);
    ecs_delete(world, ids[0]);
    new_system(world, "Position", false);
    ecs_query_t *q = ecs_query(world, { .expr = "Position" });
    ecs_defer_begin(world);
    ecs_set(world, ecs_new(world), Position, { 1, 2 });
    ecs_defer_end(world);
    ecs_progress(world, 0.5f);
    ecs_world_stats_get(world, &stats);
    assert_int_equal(stats.t, 2);
    assert_near(newest(&stats.entities.count, 2), entities + 7 - 1 + 2, 0);
    assert_near(newest(&stats.entities.not_alive_count, 2), free_ids - 1, 0); /* used again */
    assert_near(newest(&stats.queries.system_count, 2), systems + 1, 0);
    assert_true(newest(&stats.queries.query_count, 2) >= 2);
    assert_near(stats.commands.set_count.counter.value[2], 1, 0);
    assert_near(stats.frame.frame_count.counter.value[2], 2, 0);
    assert_near(stats.performance.world_time.counter.value[2], 1.5, 0);
    assert_near(stats.performance.fps.gauge.avg[2], 2, 0);
    assert_near(stats.components.delete_count.counter.rate.avg[2], 1, 0);
    assert_true(newest(&stats.memory.outstanding_alloc_count, 2) > 0);
    for (int i = 0; i < ECS_STAT_WINDOW; i++) ecs_world_stats_get(world, &stats);
    assert_int_equal(stats.t, 2); /* once around */
    assert_near(stats.frame.frame_count.counter.rate.avg[2], 0, 0);
    ecs_query_fini(q);
}

static void samples_of_queries_and_systems_tell_what_they_match(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Npc);
    ecs_bulk_new(world, Position, 3);
    ecs_add_id(world, ecs_new_w(world, Position), Npc);
    ecs_entity_t system = new_system(world, "Position", false);
    ecs_entity_t task = ecs_system(world, { .callback = count });
    static ecs_system_stats_t stats;
    stats = (ecs_system_stats_t){ 0 };
    assert_false(ecs_system_stats_get(world, Npc, &stats));
    assert_true(ecs_system_stats_get(world, system, &stats));
    assert_int_equal(stats.query.t, 1);
    assert_false(stats.task);
    assert_near(stats.query.matched_entity_count.gauge.avg[1], 4, 0);
    assert_near(stats.query.matched_table_count.gauge.max[1], 2, 0);
    assert_near(stats.query.result_count.gauge.min[1], 2, 0);
    assert_near(stats.time_spent.counter.value[1], 0, 0);
    ecs_measure_system_time(world, true);
    ecs_progress(world, 1);
    assert_true(ecs_system_stats_get(world, system, &stats));
    assert_true(stats.time_spent.counter.rate.avg[2] > 0);
    assert_true(ecs_system_stats_get(world, task, &stats));
    assert_true(stats.task);
    assert_near(stats.query.result_count.gauge.avg[3], 0, 0);
}

static void counting_does_not_change_what_queries_notice(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_bulk_new(world, Position, 3);
    ecs_query_t *q = ecs_query(world, { .expr = "[in] Position", .flags = EcsQueryDetectChanges });
    static ecs_query_stats_t stats;
    stats = (ecs_query_stats_t){ 0 };
    ecs_query_t *writes = ecs_query(world, { .expr = "Position" });
    while (ecs_query_changed(q)) {
        ecs_iter_t it = ecs_query_iter(world, q);
        while (ecs_query_next(&it)) {}
    }
    ecs_query_stats_get(world, writes, &stats);
    assert_false(ecs_query_changed(q));
    ecs_query_fini(q);
    ecs_query_fini(writes);
}

static void windows_are_reduced(void **state) {
    (void)state;
    static ecs_query_stats_t second, minute;
    second = minute = (ecs_query_stats_t){ 0 };
    for (int i = 0; i < ECS_STAT_WINDOW; i++) {
        ecs_metric_t *metric = &second.result_count;
        second.t = (second.t + 1) % ECS_STAT_WINDOW;
        metric->gauge.avg[second.t] = (float)i;
        metric->gauge.min[second.t] = (float)i - 1;
        metric->gauge.max[second.t] = (float)i + 1;
        metric->counter.value[second.t] = 100 + i;
    }
    ecs_query_stats_reduce(&minute, &second);
    assert_int_equal(minute.t, 1);
    assert_near(minute.result_count.gauge.avg[1], 29.5, 1e-4);
    assert_near(minute.result_count.gauge.min[1], -1, 0);
    assert_near(minute.result_count.gauge.max[1], 60, 0);
    assert_near(minute.result_count.counter.value[1], 159, 0);
    ecs_query_stats_reduce_last(&minute, &second, 1); /* the newest: 59 */
    assert_near(minute.result_count.gauge.avg[1], 44.25, 1e-4);
    assert_near(minute.result_count.gauge.max[1], 60, 0);
    ecs_query_stats_repeat_last(&minute);
    assert_int_equal(minute.t, 2);
    assert_near(minute.result_count.gauge.avg[2], 44.25, 1e-4);
    ecs_query_stats_copy_last(&minute, &second);
    assert_near(minute.result_count.gauge.avg[2], 59, 0);
    assert_near(minute.result_count.gauge.avg[1], 44.25, 1e-4);
}

// Systems move with the window of their query; worlds as queries do.
static void windows_of_systems_and_worlds_are_reduced(void **state) {
    (void)state;
    static ecs_system_stats_t second, minute;
    static ecs_world_stats_t world_second, world_minute;
    for (int i = 0; i < ECS_STAT_WINDOW; i++) {
        second.time_spent.gauge.avg[i] = world_second.tables.count.gauge.avg[i] = (float)i;
        second.query.result_count.gauge.avg[i] = (float)i;
    }
    second.query.t = world_second.t = ECS_STAT_WINDOW - 1;
    second.task = true;
    ecs_system_stats_reduce(&minute, &second);
    ecs_world_stats_reduce(&world_minute, &world_second);
    assert_true(minute.task);
    assert_int_equal(minute.query.t, 1);
    ecs_system_stats_reduce_last(&minute, &second, 1); /* the newest: 59 */
    ecs_world_stats_reduce_last(&world_minute, &world_second, 1);
    ecs_system_stats_repeat_last(&minute);
    ecs_world_stats_repeat_last(&world_minute);
    assert_int_equal(minute.query.t, 2);
    assert_near(minute.time_spent.gauge.avg[2], 44.25, 1e-4);
    assert_near(minute.query.result_count.gauge.avg[2], 44.25, 1e-4);
    assert_near(world_minute.tables.count.gauge.avg[2], 44.25, 1e-4);
    ecs_system_stats_copy_last(&minute, &second);
    ecs_world_stats_copy_last(&world_minute, &world_second);
    assert_near(minute.time_spent.gauge.avg[2], 59, 0);
    assert_near(world_minute.tables.count.gauge.avg[2], 59, 0);
}

// api/06: emit_time_total, rematch_count_total, rematch_time_total
static void observers_and_rematches_are_measured_on_request(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Tag);
    calls = 0;
    ecs_observer(world,
        { .query.terms = { { ecs_id(Position) } }, .events = { EcsOnSet }, .callback = count });
    ecs_query_t *q = ecs_query(world, { .expr = "Tag(up)", .cache_kind = EcsQueryCacheAuto });
    ecs_entity_t parent = ecs_new(world), child = ecs_new_w_pair(world, EcsChildOf, parent);
    ecs_set(world, child, Position, { 1, 2 });
    const ecs_world_info_t *info = ecs_get_world_info(world);
    for (int i = 0; i < 3; i++) { /* the second time they are measured */
        const ecs_ftime_t emit = info->emit_time_total, rematch = info->rematch_time_total;
        const int64_t rematches = info->rematch_count_total;
        ecs_measure_system_time(world, i == 1);
        ecs_set(world, child, Position, { 3, 4 });
        ecs_add(world, parent, Tag);
        assert_int_equal(ecs_query_count(q).entities, 1);
        ecs_remove(world, parent, Tag);
        assert_int_equal(ecs_query_count(q).entities, 0);
        assert_true((info->emit_time_total > emit) == (i == 1));
        assert_true((info->rematch_time_total > rematch) == (i == 1));
        assert_int_equal(info->rematch_count_total, rematches + 2);
    }
    assert_int_equal(calls, 4);
    ecs_query_fini(q);
}

static void iterations_are_counted(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Tag);
    ecs_query_t *q = ecs_query(world, { .terms = { { Tag } } });
    const int64_t ran = ecs_get_world_info(world)->queries_ran_total;
    for (int i = 0; i < 3; i++) {
        ecs_iter_t it = ecs_query_iter(world, q);
        assert_false(ecs_query_next(&it));
    }
    assert_int_equal(ecs_get_world_info(world)->queries_ran_total - ran, 3);
    assert_int_equal(q->eval_count, 3);
    ecs_query_fini(q);
}

static void a_sample_is_printed_one_number_per_line(void **state) {
    ecs_world_t *world = *state;
    static ecs_world_stats_t stats;
    stats = (ecs_world_stats_t){ 0 };
    ecs_progress(world, 1);
    ecs_world_stats_get(world, &stats);
    ecs_log_start_capture(true);
    ecs_world_stats_log(world, &stats);
    char *text = ecs_log_stop_capture();
    assert_non_null(strstr(text, "living entities"));
    assert_non_null(strstr(text, "frames "));
    ecs_os_free(text);
}

static void a_world_tells_what_memory_it_needs(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Beside);
    ecs_add_id(world, Beside, EcsDontFragment);
    ecs_world_memory_t before = ecs_world_memory_get(world);
    assert_true(before.entities > 0 && before.tables > 0 && before.ids > 0);
    ecs_bulk_new(world, Position, 10000);
    ecs_world_memory_t after = ecs_world_memory_get(world);
    assert_int_equal(after.rows_used - before.rows_used, 10000 * (8 + 8));
    assert_true(after.rows >= after.rows_used && after.entities > before.entities);
    for (int i = 0; i < 100; i++) ecs_new_w(world, Beside);
    ecs_world_memory_t beside = ecs_world_memory_get(world);
    assert_true(beside.sparse - after.sparse >= 100 * (16 + 32)); /* lists, and where each is */
    assert_true(ecs_memory_get(world) > 10000 * 32);
    ecs_entity_t e = ecs_new_w(world, Position);
    assert_true(ecs_table_memory_get(ecs_get_table(world, e)) >= 10001 * 16);
}

static uint64_t fake_ns, fake_step;
static uint64_t fake_now(void) { return fake_ns += fake_step; }
static void fake_time(ecs_time_t *time) {
    fake_now();
    *time = (ecs_time_t){ (uint32_t)(fake_ns / 1000000000), (uint32_t)(fake_ns % 1000000000) };
}

// Whatever shows times, what takes microseconds counts also behind half an hour.
static void times_add_up_for_any_length(void **state) {
    ecs_world_t *world = *state;
    const ecs_os_api_t before = ecs_os_api;
    ecs_os_api.now_ = fake_now;
    ecs_os_api.get_time_ = fake_time;
    fake_ns = fake_step = 1800ull * 1000000000;
    ECS_TAG(world, Npc);
    ecs_observer(world, { .query.terms = { { Npc } }, .events = { EcsOnAdd }, .callback = count });
    ecs_entity_t systems[2];
    for (int i = 0; i < 2; i++)
        systems[i] = ecs_system(
            world, { .callback = count, .phase = EcsOnUpdate, .multi_threaded = i == 1 });
    ecs_measure_system_time(world, true);
    ecs_measure_frame_time(world, true);
    ecs_progress(world, 1);
    ecs_new_w(world, Npc);
    const ecs_world_info_t *info = ecs_get_world_info(world), first = *info;
    const ecs_system_t *main = ecs_system_get(world, systems[0]),
                       *shared = ecs_system_get(world, systems[1]);
    const double spent[] = { (double)main->time_spent, (double)shared->time_spent };
    fake_step = 20000;
    for (int i = 0; i < 10000; i++) {
        ecs_progress(world, 1);
        ecs_new_w(world, Npc);
    }
    assert_true(first.system_time_total > 3500 && first.emit_time_total > 1700);
    assert_near(info->system_time_total - first.system_time_total, 0.4, 0.01);
    assert_near(info->merge_time_total - first.merge_time_total, 0.4, 0.01);
    assert_near(info->emit_time_total - first.emit_time_total, 0.2, 0.01);
    assert_true(info->frame_time_total - first.frame_time_total > 1);
    assert_near((double)main->time_spent - spent[0], 0.2, 0.01);
    assert_near((double)shared->time_spent - spent[1], 0.2, 0.01);
    ecs_os_api = before;
}

static uint64_t numbers[4];
static ecs_entity_t inner;
static void ask_once(ecs_iter_t *it) { numbers[3] = ecs_iter_random(it, 0); }
static void ask_around_another(ecs_iter_t *it) {
    numbers[0] = ecs_iter_random(it, 0);
    numbers[1] = ecs_iter_random(it, 0);
    ecs_run(it->world, inner, 1, NULL);
    numbers[2] = ecs_iter_random(it, 0);
}

// api/08: a number depends on how often the row asked, also if the system runs another one in between.
static void random_numbers_go_on_behind_another_system(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_new_w(world, Position);
    inner = ecs_system(world, { .query.expr = "Position", .callback = ask_once });
    ecs_system(
        world, { .query.expr = "Position", .callback = ask_around_another, .phase = EcsOnUpdate });
    ecs_progress(world, 1);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < i; k++) assert_true(numbers[i] != numbers[k]);
}

static ecs_entity_t asks_for;
static void ask_for_one(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) {
        if (it->entities[i] == asks_for)
            numbers[ecs_pair_second(it->world, ecs_field_id(it, 0)) != EcsFlecs] =
                ecs_iter_random(it, i);
    }
    if (!it->count) numbers[numbers[0] != 0] = ecs_iter_random(it, 0);
}

// The numbers of an entity with two pairs, in a world with so many of its kind.
static void ask_among(int32_t count) {
    ecs_world_t *world = ecs_init();
    ECS_TAG(world, R);
    ECS_TAG(world, Other);
    ecs_entity_t all[600];
    for (int32_t i = 0; i < count; i++) {
        all[i] = ecs_new_w_pair(world, R, EcsFlecs);
        ecs_add_pair(world, all[i], R, Other);
    }
    asks_for = all[0];
    ecs_system(world, { .query.expr = "R(*)",
                          .callback = ask_for_one,
                          .phase = EcsOnUpdate,
                          .multi_threaded = true });
    for (int32_t i = 0; i < 3; i++) ecs_progress(world, 1);
    ecs_fini(world);
}

// api/08: a number depends on the ids of the result, however many rows are beside it.
static void random_numbers_depend_on_the_ids_of_a_result(void **state) {
    ask_among(1);
    uint64_t alone[] = { numbers[0], numbers[1] };
    ask_among(600);
    assert_true(numbers[0] == alone[0] && numbers[1] == alone[1]);

    ecs_world_t *world = *state;
    ECS_TAG(world, R);
    ecs_entity_t a = ecs_entity(world, { .name = "a" }), b = ecs_entity(world, { .name = "b" }),
                 bob = ecs_entity(world, { .name = "Bob" });
    ecs_add_pair(world, bob, R, a);
    ecs_add_pair(world, bob, R, b);
    ecs_entity_t system = ecs_system(world, { .query.expr = "R(Bob, *)", .callback = ask_for_one });
    numbers[0] = 0;
    ecs_run(world, system, 1, NULL);
    uint64_t second = numbers[1];
    ecs_remove_pair(world, bob, R, a);
    numbers[0] = 0;
    ecs_run(world, system, 1, NULL);
    assert_true(numbers[0] == second);
}

static void churn(ecs_iter_t *it) {
    ecs_entity_t tag = *(ecs_entity_t *)it->ctx;
    for (int32_t i = 0; i < it->count; i++) {
        uint64_t dice = ecs_iter_random(it, i);
        if (dice % 5 == 0) ecs_delete(it->world, it->entities[i]);
        if (dice % 3 == 0) ecs_add_id(it->world, it->entities[i], tag);
        if (dice % 3 == 1) ecs_remove_id(it->world, it->entities[i], tag);
        if (dice % 4 == 0) ecs_new_w_id(it->world, ecs_field_id(it, 0));
        if (dice % 7 == 0) ecs_add_id(it->world, ecs_new(it->world), tag);
    }
}

// What a world counts in twenty ticks of changes by systems and observers.
static ecs_world_info_t count_churn(int32_t workers) {
    ecs_world_t *world = ecs_init();
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Npc);
    ecs_bulk_new(world, Position, 3000);
    ecs_observer(world,
        { .query.terms = { { Npc } }, .events = { EcsOnAdd, EcsOnRemove }, .callback = count });
    for (int i = 0; i < 2; i++)
        ecs_system(world, { .query.terms = { { ecs_id(Position) } },
                              .callback = churn,
                              .ctx = &Npc,
                              .phase = EcsOnUpdate,
                              .multi_threaded = true });
    ecs_set_threads(world, workers);
    for (int i = 0; i < 20; i++) ecs_progress(world, 1);
    ecs_world_info_t info = *ecs_get_world_info(world);
    ecs_fini(world);
    return info;
}

static void counters_do_not_depend_on_workers(void **state) {
    (void)state;
    const ecs_world_info_t one = count_churn(1);
    assert_true(one.cmd.delete_count > 1000 && one.observers_ran_total > 1000);
    for (int32_t workers = 2; workers <= 4; workers++) {
        const ecs_world_info_t many = count_churn(workers);
        assert_memory_equal(&many.cmd, &one.cmd, sizeof one.cmd);
        assert_int_equal(many.merge_count_total, one.merge_count_total);
        assert_int_equal(many.systems_ran_total, one.systems_ran_total);
        assert_int_equal(many.observers_ran_total, one.observers_ran_total);
        assert_int_equal(many.id_create_total, one.id_create_total);
        assert_int_equal(many.id_delete_total, one.id_delete_total);
        assert_int_equal(many.table_create_total, one.table_create_total);
        assert_int_equal(many.pipeline_build_count_total, one.pipeline_build_count_total);
        assert_int_equal(many.table_count, one.table_count);
    }
}

// ---- The module ----

static void a_module_keeps_windows(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t system = new_system(world, "Position", false);
    ecs_entity_t gone = new_system(world, NULL, false);
    ecs_bulk_new(world, Position, 5);
    ecs_entity_t module = ECS_IMPORT(world, FlecsStats);
    assert_id_equal(world, module, ecs_id(FlecsStats));
    assert_id_equal(world, ECS_IMPORT(world, FlecsStats), module);
    for (int i = 0; i < 60; i++) ecs_progress(world, 1.0f / 60);
    const EcsWorldStats *second = ecs_get_pair(world, EcsWorld, EcsWorldStats, EcsPeriod1s);
    assert_int_equal(second->stats->t, 0); /* once around */
    assert_near(second->stats->frame.frame_count.counter.value[0], 60, 0);
    const EcsWorldStats *minute = ecs_get_pair(world, EcsWorld, EcsWorldStats, EcsPeriod1m);
    assert_int_equal(minute->stats->t, 1);
    assert_near(minute->stats->frame.frame_count.counter.rate.avg[1], 1, 1e-6);

    ecs_delete(world, gone);
    for (int i = 0; i < 59; i++) ecs_progress(world, 1); /* each stands for a second */
    const EcsSystemStats *systems = ecs_get_pair(world, EcsWorld, EcsSystemStats, EcsPeriod1m);
    const ecs_system_stats_t *stats =
        ecs_map_get_deref(&systems->stats, ecs_system_stats_t, system);
    assert_near(stats->query.matched_entity_count.gauge.avg[stats->query.t], 5, 0);
    systems = ecs_get_pair(world, EcsWorld, EcsSystemStats, EcsPeriod1s);
    assert_null(ecs_map_get_deref(&systems->stats, ecs_system_stats_t, gone));
    const EcsWorldStats *hour = ecs_get_pair(world, EcsWorld, EcsWorldStats, EcsPeriod1h);
    assert_int_equal(hour->stats->t, 1);
    const EcsPipelineStats *pipelines =
        ecs_get_pair(world, EcsWorld, EcsPipelineStats, EcsPeriod1s);
    const ecs_pipeline_stats_t *pipeline =
        ecs_map_get_deref(&pipelines->stats, ecs_pipeline_stats_t, ecs_get_pipeline(world));
    assert_int_equal(pipeline->active_system_count, 1);

    const EcsWorldSummary *sum = ecs_get(world, EcsWorld, EcsWorldSummary);
    assert_int_equal(sum->frame_count, 119);
    assert_int_equal(sum->systems_ran_last, 1);
    assert_true(sum->fps == 1 && sum->frame_time_total > 0 && sum->system_time_last > 0);
#ifdef FLECS_JSON
    char *json = ecs_ptr_to_json(world, ecs_id(EcsWorldSummary), sum);
    assert_non_null(strstr(json, "\"frame_count\":119"));
    ecs_os_free(json);
#endif
    ecs_remove_pair(world, EcsWorld, ecs_id(EcsWorldStats), EcsPeriod1s);
    ecs_progress(world, 1); /* goes on without */
}

// What ended, or is only left as an entity.
static void a_module_forgets_what_is_gone(void **state) {
    ecs_world_t *world = *state;
    ECS_IMPORT(world, FlecsStats);
    ecs_entity_t system = new_system(world, NULL, false);
    ecs_entity_t first = ecs_get_pipeline(world),
                 last = ecs_pipeline(world, { .query.terms = { { EcsSystem } } });
    ecs_set_pipeline(world, last);
    ecs_progress(world, 1);
    const EcsSystemStats *systems = ecs_get_pair(world, EcsWorld, EcsSystemStats, EcsPeriod1s);
    const EcsPipelineStats *pipelines =
        ecs_get_pair(world, EcsWorld, EcsPipelineStats, EcsPeriod1s);
    assert_non_null(ecs_map_get(&systems->stats, system));
    assert_non_null(ecs_map_get(&pipelines->stats, last));
    ecs_set_pipeline(world, first);
    ecs_delete(world, last);
    ecs_remove_pair(world, system, ecs_id(EcsPoly), EcsSystem);
    ecs_progress(world, 1);
    assert_null(ecs_map_get(&systems->stats, system));
    assert_null(ecs_map_get(&pipelines->stats, last));
    assert_non_null(ecs_map_get(&pipelines->stats, first));
}

// Each kind of sample, of each period, may be left out.
static void what_is_removed_is_not_sampled(void **state) {
    (void)state;
    for (int32_t i = 0; i < 6; i++) {
        ecs_world_t *world = ecs_init();
        ECS_IMPORT(world, FlecsStats);
        const ecs_entity_t kinds[] = { ecs_id(EcsWorldStats), ecs_id(EcsSystemStats),
            ecs_id(EcsPipelineStats) };
        const ecs_entity_t periods[] = { EcsPeriod1s, EcsPeriod1m };
        ecs_remove_pair(world, EcsWorld, kinds[i % 3], periods[i / 3]);
        if (i == 5) ecs_remove(world, EcsWorld, EcsWorldSummary);
        ecs_entity_t system = new_system(world, NULL, false);
        for (int32_t frame = 0; frame < 130; frame++) ecs_progress(world, 1.0f / 60);
        const EcsSystemStats *minute = ecs_get_pair(world, EcsWorld, EcsSystemStats, EcsPeriod1m);
        const bool has = minute && ecs_map_get(&minute->stats, system);
        assert_true(has == (i != 0 && i != 1 && i != 4)); /* a minute is made of seconds */
        ecs_fini(world);
    }
}

static void worlds_have_modules_of_their_own(void **state) {
    ecs_world_t *world = *state, *other = ecs_mini();
    ECS_IMPORT(world, FlecsStats);
    ECS_IMPORT(other, FlecsStats); /* brings the runtime in */
    for (int i = 0; i < 3; i++) ecs_progress(world, 1);
    ecs_progress(other, 1);
    assert_int_equal(ecs_get(world, EcsWorld, EcsWorldSummary)->frame_count, 3);
    assert_int_equal(ecs_get(other, EcsWorld, EcsWorldSummary)->frame_count, 1);
    ecs_fini(other);
}

static void samples_of_a_module_allocate_nothing(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    new_system(world, "Position", false);
    ECS_IMPORT(world, FlecsStats);
    for (int i = 0; i < 3700; i++) ecs_progress(world, i < 120 ? 1.0f / 60 : 1);
    int64_t before = ecs_os_api_malloc_count + ecs_os_api_calloc_count + ecs_os_api_realloc_count;
    for (int i = 0; i < 100; i++) ecs_progress(world, 1.0f / 30);
    assert_int_equal(
        ecs_os_api_malloc_count + ecs_os_api_calloc_count + ecs_os_api_realloc_count, before);
}

static void a_module_that_comes_too_late_is_refused(void **state) {
    ecs_world_t *world = *state;
    while (ecs_new_low_id(world) < FLECS_HI_COMPONENT_ID - 1) {}
    ecs_log_set_level(-4);
    FlecsStatsImport(world);
    ecs_log_set_level(-1);
    assert_int_equal(ecs_log_last_error(), ECS_ALREADY_IN_USE);
    assert_true(ecs_progress(world, 1));
}

static void a_module_that_was_deleted_can_come_again(void **state) {
    ecs_world_t *world = *state;
    ecs_delete(world, ECS_IMPORT(world, FlecsStats));
    assert_false(ecs_is_alive(world, ecs_id(EcsWorldSummary)));
    assert_true(ecs_progress(world, 1));
    ECS_IMPORT(world, FlecsStats);
    assert_true(ecs_progress(world, 1));
    assert_int_equal(ecs_get(world, EcsWorld, EcsWorldSummary)->frame_count, 2);
    assert_non_null(ecs_get_pair(world, EcsWorld, EcsWorldStats, EcsPeriod1s));
}

static void an_app_can_ask_for_statistics(void **state) {
    ecs_world_t *world = *state;
    assert_int_equal(
        ecs_app_run(world, &(ecs_app_desc_t){ .frames = 3, .delta_time = 1, .enable_stats = true }),
        0);
    assert_int_equal(ecs_get(world, EcsWorld, EcsWorldSummary)->frame_count, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(a_pipeline_tells_its_systems_and_merges),
        world_test(queries_without_matches_are_tagged),
        world_test(queries_that_find_kinds_are_not_tagged),
        world_test(queries_without_matches_may_be_deleted),
        world_test(parts_of_a_system_exist),
        world_test(samples_of_a_world_tell_its_numbers),
        world_test(samples_of_queries_and_systems_tell_what_they_match),
        world_test(counting_does_not_change_what_queries_notice),
        cmocka_unit_test(windows_are_reduced),
        cmocka_unit_test(windows_of_systems_and_worlds_are_reduced),
        world_test(observers_and_rematches_are_measured_on_request),
        world_test(iterations_are_counted),
        world_test(a_sample_is_printed_one_number_per_line),
        world_test(a_world_tells_what_memory_it_needs),
        world_test(times_add_up_for_any_length),
        world_test(random_numbers_go_on_behind_another_system),
        world_test(random_numbers_depend_on_the_ids_of_a_result),
        cmocka_unit_test(counters_do_not_depend_on_workers),
        world_test(a_module_keeps_windows),
        world_test(a_module_forgets_what_is_gone),
        world_test(what_is_removed_is_not_sampled),
        world_test(worlds_have_modules_of_their_own),
        world_test(samples_of_a_module_allocate_nothing),
        world_test(a_module_that_comes_too_late_is_refused),
        world_test(a_module_that_was_deleted_can_come_again),
        world_test(an_app_can_ask_for_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
