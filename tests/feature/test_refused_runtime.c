// SPDX-License-Identifier: MIT
// What the runtime refuses leaves the world as before, where failed checks do not abort.
#include "support/world.h"

#include "support/abort.h"

static void Nothing(ecs_iter_t *it) { (void)it; }
static void count_call(void *ctx) { ++*(int32_t *)ctx; }

static bool has_runtime(const ecs_world_t *world) { return ecs_get_pipeline(world) != 0; }

static void the_runtime_is_imported_where_it_can_be_made(void **state) {
    ecs_world_t *world = *state;
    ecs_readonly_begin(world, true);
    expect_refused(
        ECS_INVALID_WHILE_READONLY, "parts of the runtime cannot", FlecsSystemImport(world));
    expect_refused(
        ECS_INVALID_WHILE_READONLY, "parts of the runtime cannot", FlecsStatsImport(world));
    ecs_readonly_end(world);
    expect_refused(
        ECS_INVALID_PARAMETER, "not into a stage", FlecsTimerImport(ecs_get_stage(world, 0)));
    ecs_table_t *table = ecs_get_table(world, ecs_new(world));
    ecs_table_lock(world, table);
    expect_refused(ECS_LOCKED_STORAGE, "being iterated", FlecsSystemImport(world));
    ecs_table_unlock(world, table);
    assert_false(has_runtime(world));
    FlecsPipelineImport(world);
    assert_true(has_runtime(world));
    ecs_readonly_begin(world, false);
    expect_refused(
        ECS_INVALID_WHILE_READONLY, "parts of the runtime cannot", FlecsStatsImport(world));
    ecs_readonly_end(world);
    assert_false(ecs_is_alive(world, ecs_id(FlecsStats)));
    FlecsStatsImport(world);
    assert_true(ecs_progress(world, 1));
}

static void the_runtime_takes_ids_that_were_used_before(void **state) {
    ecs_world_t *world = *state;
    ecs_delete(world, ecs_new(world));
    FlecsSystemImport(world);
    char *path = ecs_get_path(world, EcsSystem);
    assert_string_equal(path, "flecs.system.System");
    ecs_os_free(path);
}

#ifdef FLECS_EXCLUSIVE_ACCESS
static void ModuleImport(ecs_world_t *world) { ECS_MODULE(world, Module); }

static void locked_worlds_import_nothing(void **state) {
    ecs_world_t *world = *state;
    ecs_exclusive_access_begin(world, "test");
    ecs_exclusive_access_end(world, true);
    expect_refused(ECS_ACCESS_VIOLATION, "is locked", FlecsStatsImport(world));
    expect_refused(ECS_ACCESS_VIOLATION, "is locked",
        assert_int_equal(ecs_import_c(world, ModuleImport, "Module"), 0));
    ecs_exclusive_access_begin(world, "test");
    ecs_exclusive_access_end(world, false);
    assert_false(has_runtime(world));
    assert_true(ecs_import_c(world, ModuleImport, "Module"));
}
#endif

// Without the runtime its components are tags.
static void components_that_are_used_as_tags_get_no_values(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t timer = ecs_new_w_id(world, ecs_id(EcsTimer));
    expect_error(ECS_ALREADY_IN_USE, "have Timer as a tag", FlecsSystemImport(world));
    expect_error(ECS_ALREADY_IN_USE, "import it earlier", FlecsStatsImport(world));
    assert_false(has_runtime(world));
    ecs_delete(world, timer);
    FlecsSystemImport(world);
    assert_true(has_runtime(world));
    assert_true(ecs_set_interval(world, 0, 1));
    assert_true(ecs_progress(world, 1));
}

static void what_new_entities_get_is_not_for_builtin_ones(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world);
    ecs_set_with(world, tag);
    FlecsStatsImport(world);
    assert_int_equal(ecs_get_with(world), tag);
    assert_int_equal(ecs_count_id(world, tag), 0);
    ecs_set_with(world, 0);
}

static void worlds_without_runtime_have_no_background(void **state) {
    ecs_world_t *world = *state;
    expect_refused(
        ECS_INVALID_OPERATION, "made with ecs_init", ecs_set_background_threads(world, 2));
    expect_refused(ECS_INVALID_OPERATION, "made with ecs_init",
        assert_int_equal(ecs_run_in_background(world, count_call, NULL, NULL, NULL), -1));
}

// ---- Systems and pipelines that cannot be ----

static ecs_entity_t make_system(ecs_world_t *world, ecs_entity_t entity) {
    return ecs_system(world, { .entity = entity, .callback = Nothing, .phase = EcsOnUpdate });
}

static ecs_entity_t make_pipeline(ecs_world_t *world, ecs_entity_t entity) {
    return ecs_pipeline(world, { .entity = entity, .query.terms = { { EcsSystem } } });
}

static void nothing_is_made_without_an_entity(void **state) {
    ecs_world_t *world = *state;
    int32_t systems = ecs_count_id(world, EcsSystem);
    ecs_entity_t tag = ecs_new(world);
    ecs_set_with(world, tag);
    ecs_delete(world, tag);
    expect_refused(
        ECS_INVALID_PARAMETER, "ecs_set_with", assert_int_equal(make_system(world, 0), 0));
    expect_refused(
        ECS_INVALID_PARAMETER, "ecs_set_with", assert_int_equal(make_pipeline(world, 0), 0));
    ecs_set_with(world, 0);
    assert_int_equal(ecs_count_id(world, EcsSystem), systems);
}

static void entities_of_locked_tables_become_nothing(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t entity = ecs_new_w_id(world, ecs_new(world));
    ecs_table_t *table = ecs_get_table(world, entity);
    ecs_table_lock(world, table);
    expect_refused(ECS_LOCKED_STORAGE, "", assert_int_equal(make_system(world, entity), 0));
    expect_refused(ECS_LOCKED_STORAGE, "", assert_int_equal(make_pipeline(world, entity), 0));
    ecs_table_unlock(world, table);
    assert_true(ecs_progress(world, 1));
}

static void Delete(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) ecs_delete(it->world, it->entities[i]);
}

// Whatever tells of the system first.
static void systems_that_are_ended_while_they_are_made_are_none(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t own = ecs_new(world);
    const ecs_id_t ids[] = { ecs_pair(ecs_id(EcsPoly), EcsQuery),
        ecs_pair(ecs_id(EcsPoly), EcsSystem), EcsSystem, own, EcsOnUpdate,
        ecs_dependson(EcsOnUpdate), ecs_id(EcsTimer) };
    int32_t systems = ecs_count_id(world, EcsSystem), freed = 0, made = 0;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        ecs_entity_t observer = ecs_observer(
            world, { .query.terms = { { ids[i] } }, .events = { EcsOnAdd }, .callback = Delete });
        ecs_entity_t entity = ecs_new(world);
        ecs_system_desc_t desc = { .entity = entity,
            .query.terms = { { .id = own, .src.id = entity } },
            .callback = Nothing,
            .phase = EcsOnUpdate,
            .interval = 1,
            .ctx = &freed,
            .ctx_free = count_call };
        made += ecs_system_init(world, &desc) != 0;
        assert_false(ecs_is_alive(world, entity));
        ecs_delete(world, observer);
    }
    assert_true(made <= 1); /* with its timer it is whole */
    assert_true(freed <= 7);
    assert_int_equal(ecs_count_id(world, EcsSystem), systems);
    assert_true(ecs_progress(world, 1));
}

static void pipelines_that_are_ended_while_they_are_made_are_none(void **state) {
    ecs_world_t *world = *state;
    const ecs_id_t ids[] = { ecs_pair(ecs_id(EcsPoly), EcsQuery),
        ecs_pair(ecs_id(EcsPoly), ecs_id(EcsPipeline)), ecs_id(EcsPipeline) };
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        ecs_entity_t observer = ecs_observer(
            world, { .query.terms = { { ids[i] } }, .events = { EcsOnAdd }, .callback = Delete });
        assert_int_equal(make_pipeline(world, 0), 0);
        ecs_delete(world, observer);
    }
    assert_true(make_pipeline(world, 0));
}

// ---- The rest ----

static void Begin(ecs_iter_t *it) {
    ecs_world_t *world = ECS_CONST_CAST(ecs_world_t *, ecs_get_world(it->world));
    expect_refused(ECS_INVALID_OPERATION, "a frame cannot begin in systems",
        assert_false(ecs_progress(world, 1)));
}

static void frames_do_not_begin_in_systems(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world);
    ecs_new_w_id(world, tag);
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Begin });
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Begin, .immediate = true });
    ecs_system(world, { .phase = EcsOnUpdate,
                          .callback = Begin,
                          .multi_threaded = true,
                          .query.terms = { { tag } } });
    ecs_run_pipeline(world, 0, 1);
    assert_int_equal(ecs_get_world_info(world)->frame_count_total, 0);
}

static void Submitted(ecs_world_t *world, void *ctx) {
    ++*(int32_t *)ctx;
    expect_refused(ECS_INVALID_OPERATION, "a frame cannot end", ecs_frame_end(world));
}

// It took the rest with it.
static void frames_do_not_end_while_they_begin(void **state) {
    ecs_world_t *world = *state;
    int32_t done = 0;
    for (int32_t i = 0; i < 3; i++) assert_int_equal(ecs_submit(world, Submitted, &done, NULL), 0);
    assert_true(ecs_progress(world, 1));
    assert_int_equal(done, 3);
    assert_int_equal(ecs_get_world_info(world)->frame_count_total, 1);
}

static void RunSuspended(ecs_iter_t *it) {
    ecs_defer_suspend(it->world);
    expect_refused(ECS_INVALID_OPERATION, "in the middle of ecs_defer_begin",
        assert_false(ecs_progress(it->world, 1)));
    expect_refused(
        ECS_INVALID_OPERATION, "cannot be run by a system", ecs_run_pipeline(it->world, 0, 1));
    expect_refused(ECS_INVALID_OPERATION, "between ticks",
        assert_int_equal(ecs_recording_begin(it->world, "none"), -1));
    assert_true(ecs_is_defer_suspended(it->world));
    ecs_defer_resume(it->world);
}

// A change is under way, which systems and their merges would come across.
static void hooks_that_suspend_deferring_run_no_ticks(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t tag = ecs_new(world);
    ecs_observer(
        world, { .query.terms = { { tag } }, .events = { EcsOnRemove }, .callback = RunSuspended });
    ecs_delete(world, ecs_new_w_id(world, tag));
    assert_int_equal(ecs_get_world_info(world)->frame_count_total, 0);
}

static void MergeAgain(ecs_iter_t *it) {
    expect_refused(ECS_INVALID_OPERATION, "while commands are applied",
        ecs_merge(ecs_get_stage(it->world, 0)));
}

static void AddTag(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++)
        ecs_add_id(it->world, it->entities[i], *(ecs_entity_t *)it->ctx);
}

// The merge of what jobs recorded is no other than that of a stage.
static void merges_of_jobs_are_not_nested(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), other = ecs_new(world);
    ecs_bulk_new_w_id(world, tag, 3);
    ecs_observer(
        world, { .query.terms = { { other } }, .events = { EcsOnAdd }, .callback = MergeAgain });
    ecs_system(world, { .phase = EcsOnUpdate,
                          .callback = AddTag,
                          .ctx = &other,
                          .multi_threaded = true,
                          .query.terms = { { tag } } });
    assert_true(ecs_progress(world, 1));
    assert_int_equal(ecs_count_id(world, other), 3);
}

static void DeleteAny(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) ecs_delete(it->world, it->entities[i]);
}

// Whoever hears of a new entity may delete it: then nothing is bound to it.
static void observers_whose_entity_is_deleted_at_once_are_none(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t scope = ecs_new(world), tag = ecs_new(world);
    ecs_observer(world, { .query.terms = { { ecs_childof(scope) } },
                            .events = { EcsOnAdd },
                            .callback = DeleteAny });
    ecs_set_scope(world, scope);
    assert_int_equal(
        ecs_observer(
            world, { .query.terms = { { tag } }, .events = { EcsOnAdd }, .callback = Nothing }),
        0);
    ecs_set_scope(world, 0);
    assert_true(ecs_world_verify(world));
}

static void applications_run_without_statistics_if_there_is_no_place_for_them(void **state) {
    ecs_world_t *world = *state;
    ecs_make_alive(world, FLECS_HI_COMPONENT_ID - 3);
    expect_error(ECS_ALREADY_IN_USE, "FlecsStats needs",
        assert_int_equal(
            ecs_app_run(
                world, &(ecs_app_desc_t){ .frames = 1, .delta_time = 1, .enable_stats = true }),
            0));
    assert_int_equal(ecs_get_world_info(world)->frame_count_total, 1);
}

static void many_samples_can_be_summed_up(void **state) {
    (void)state;
    static ecs_system_stats_t stats, sample;
    stats.time_spent.gauge.avg[0] = 1;
    ecs_system_stats_reduce_last(&stats, &sample, INT32_MAX);
    assert_float_equal(stats.time_spent.gauge.avg[0], 1, 1e-6f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(the_runtime_is_imported_where_it_can_be_made),
        mini_world_test(the_runtime_takes_ids_that_were_used_before),
#ifdef FLECS_EXCLUSIVE_ACCESS
        mini_world_test(locked_worlds_import_nothing),
#endif
        mini_world_test(components_that_are_used_as_tags_get_no_values),
        mini_world_test(what_new_entities_get_is_not_for_builtin_ones),
        mini_world_test(worlds_without_runtime_have_no_background),
        world_test(nothing_is_made_without_an_entity),
        world_test(entities_of_locked_tables_become_nothing),
        world_test(systems_that_are_ended_while_they_are_made_are_none),
        world_test(pipelines_that_are_ended_while_they_are_made_are_none),
        world_test(frames_do_not_begin_in_systems),
        world_test(frames_do_not_end_while_they_begin),
        world_test(hooks_that_suspend_deferring_run_no_ticks),
        world_test(merges_of_jobs_are_not_nested),
        world_test(observers_whose_entity_is_deleted_at_once_are_none),
        world_test(applications_run_without_statistics_if_there_is_no_place_for_them),
        cmocka_unit_test(many_samples_can_be_summed_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
