// SPDX-License-Identifier: MIT
// Modules, and the main loop of executables.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Mass {
    float value;
} Mass;

static ECS_COMPONENT_DECLARE(Mass);
static int32_t imports, ticks;

static void Weigh(ecs_iter_t *it) { ticks += it->count; }

static void PhysicsBodiesImport(ecs_world_t *world) {
    ECS_MODULE(world, PhysicsBodies);
    imports++;
    ecs_set_name_prefix(world, "Ma");
    ecs_id(Mass) = 0;
    ECS_COMPONENT_DEFINE(world, Mass);
    ECS_SYSTEM(world, Weigh, EcsOnUpdate, [in] Mass);
}

static void EmptyImport(ecs_world_t *world) { (void)world; }

static void importing_makes_a_scope_once(void **state) {
    ecs_world_t *world = *state;
    imports = ticks = 0;
    ecs_entity_t scope = ecs_new(world);
    ecs_set_scope(world, scope);
    ecs_entity_t module = ECS_IMPORT(world, PhysicsBodies);
    assert_id_equal(world, ecs_get_scope(world), scope);
    assert_null(ecs_get_world_info(world)->name_prefix);
    ecs_set_scope(world, 0);
    assert_id_equal(world, ecs_lookup(world, "physics.bodies"), module);
    assert_true(ecs_has_id(world, module, EcsModule));
    assert_true(ecs_has_id(world, ecs_lookup(world, "physics"), EcsModule));
    assert_true(ecs_has_pair(world, EcsModule, EcsWith, EcsSingleton));
    assert_true(ecs_has_id(world, module, EcsSingleton));
    assert_true(ecs_has_id(world, ecs_lookup(world, "physics"), EcsSingleton));
    assert_id_equal(world, ecs_get_parent(world, ecs_id(Mass)), module);
    assert_id_equal(world, ECS_IMPORT(world, PhysicsBodies), module);
    assert_int_equal(imports, 1);
    ecs_insert(world, ecs_value(Mass, { 1 }));
    ecs_progress(world, 1);
    assert_int_equal(ticks, 1);
    ecs_enable(world, module, false);
    ecs_progress(world, 1);
    assert_int_equal(ticks, 1);
    expect_abort(ECS_MODULE_UNDEFINED, ECS_IMPORT(world, Empty));
}

static void PhysicsImport(ecs_world_t *world) {
    ECS_MODULE(world, Physics);
    imports++;
    ecs_entity(world, { .name = "gravity" });
}

static void ByHandImport(ecs_world_t *world) {
    imports++;
    ecs_entity(world, { .name = "by.hand", .add = ecs_ids(EcsModule) });
}

// "physics" is there as the scope of "physics.bodies", but nobody imported it.
static void modules_around_others_are_imported_too(void **state) {
    ecs_world_t *world = *state;
    imports = 0;
    ecs_entity_t bodies = ECS_IMPORT(world, PhysicsBodies), physics = ECS_IMPORT(world, Physics);
    assert_int_equal(imports, 2);
    assert_id_equal(world, ecs_lookup(world, "physics"), physics);
    assert_id_equal(world, ecs_get_parent(world, bodies), physics);
    assert_int_not_equal(ecs_lookup(world, "physics.gravity"), 0);
    assert_id_equal(world, ECS_IMPORT(world, Physics), physics);
    ecs_set_name(world, bodies, "things");
    assert_id_equal(world, ECS_IMPORT(world, PhysicsBodies), bodies);
    assert_int_equal(imports, 2);
    ecs_entity_t by_hand = ECS_IMPORT(world, ByHand);
    assert_id_equal(world, ECS_IMPORT(world, ByHand), by_hand);
    assert_string_equal(ecs_get_symbol(world, by_hand), "by.hand");
    assert_int_equal(imports, 3);
}

static void ImportAll(ecs_iter_t *it) {
    ECS_IMPORT(it->world, PhysicsBodies);
    ECS_IMPORT(it->world, Physics);
    ECS_IMPORT(it->world, ByHand);
}

// api/06 §8: import twice, and what is there is returned.
static void modules_that_wait_in_a_queue_are_imported_once(void **state) {
    ecs_world_t *world = *state;
    imports = 0;
    ecs_defer_begin(world);
    ecs_entity_t bodies = ECS_IMPORT(world, PhysicsBodies), physics = ECS_IMPORT(world, Physics);
    ecs_entity_t by_hand = ECS_IMPORT(world, ByHand);
    assert_id_equal(world, ECS_IMPORT(world, PhysicsBodies), bodies);
    assert_id_equal(world, ECS_IMPORT(world, Physics), physics);
    assert_id_equal(world, ECS_IMPORT(world, ByHand), by_hand);
    assert_int_equal(imports, 3);
    ecs_defer_end(world);
    assert_id_equal(world, ECS_IMPORT(world, Physics), physics);
    assert_id_equal(world, ECS_IMPORT(world, ByHand), by_hand);
    assert_int_equal(imports, 3);
    assert_true(ecs_has_id(world, physics, EcsModule));
}

static void observers_import_modules_once(void **state) {
    ecs_world_t *world = *state;
    imports = 0;
    ECS_TAG(world, Start);
    ecs_observer(world,
        { .query.terms = { { .id = Start } }, .events = { EcsOnAdd }, .callback = ImportAll });
    ecs_defer_begin(world);
    ecs_new_w_id(world, Start);
    ecs_new_w_id(world, Start);
    ECS_IMPORT(world, Physics);
    ecs_defer_end(world);
    assert_int_equal(imports, 3);
    assert_true(ecs_has_id(world, ecs_lookup(world, "physics.bodies"), EcsModule));
}

static void libraries_that_are_missing_are_an_error(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t module = 1;
    expect_error(ECS_OPERATION_FAILED, "cannot open library",
        module = ecs_import_from_library(world, "no.such.thing", NULL));
    assert_true(module == 0);
    ecs_log_start_capture(false);
    ecs_import_from_library(world, "no.such.thing", NULL);
    char *messages = ecs_log_stop_capture();
    assert_non_null(strstr(messages, "No such file")); /* and why */
    ecs_os_free(messages);
}

static ecs_os_dl_t open_library(const char *path) { return strstr(path, "rigid") ? 1 : 0; }
static ecs_os_proc_t find_function(ecs_os_dl_t library, const char *name) {
    (void)library;
    return strcmp(name, "PhysicsBodiesImport") ? NULL : (ecs_os_proc_t)PhysicsBodiesImport;
}
static int32_t closed;
static void close_library(ecs_os_dl_t library) { closed += (int32_t)library; }

// api/06 8: the name of a module, with dots or underscores, is that of its function.
static void modules_come_from_libraries(void **state) {
    ecs_world_t *world = *state;
    const ecs_os_api_t before = ecs_os_api;
    ecs_os_api.dlopen_ = open_library;
    ecs_os_api.dlproc_ = find_function;
    ecs_os_api.dlclose_ = close_library;
    ecs_entity_t module = 1;
    closed = 0;
    expect_error(ECS_MISSING_SYMBOL, "has no function 'RigidImport'",
        module = ecs_import_from_library(world, "rigid", NULL));
    assert_true(module == 0 && closed == 1);
    module = ecs_import_from_library(world, "rigid", "physics.bodies");
    assert_id_equal(world, module, ecs_lookup(world, "physics.bodies"));
    imports = 0;
    assert_id_equal(world, ecs_import_from_library(world, "rigid", "physics.bodies"), module);
    assert_int_equal(imports, 0);
    ecs_os_api.dlopen_ = NULL;
    expect_error(ECS_MISSING_OS_API, "no functions for shared libraries",
        module = ecs_import_from_library(world, "rigid", NULL));
    assert_true(module == 0);
    ecs_os_api = before;
}

static void the_runtime_can_be_added_to_a_small_world(void **state) {
    (void)state;
    ecs_world_t *world = ecs_mini();
    ECS_IMPORT(world, FlecsSystem);
    ECS_IMPORT(world, FlecsPipeline);
    ECS_IMPORT(world, FlecsTimer);
    assert_true(ecs_get_pipeline(world) != 0);
    assert_true(ecs_progress(world, 1));
    ecs_fini(world);
}

static int init_calls;
static int init(ecs_world_t *world) {
    init_calls++;
    ECS_IMPORT(world, PhysicsBodies);
    return 0;
}

static void an_app_runs_the_frames_it_is_told_to(void **state) {
    ecs_world_t *world = *state;
    init_calls = 0;
    assert_int_equal(
        ecs_app_run(
            world, &(ecs_app_desc_t){ .frames = 5, .delta_time = 1, .init = init, .threads = 2 }),
        0);
    assert_int_equal(init_calls, 1);
    assert_int_equal(ecs_get_world_info(world)->frame_count_total, 5);
    assert_true(ecs_should_quit(world));
}

static void QuitThird(ecs_iter_t *it) {
    if (ecs_get_world_info(it->world)->frame_count_total == 2) ecs_quit(it->world);
}

// api/06 §9: only a number above 0 limits it.
static void an_app_without_a_number_of_frames_runs_until_it_quits(void **state) {
    ecs_world_t *world = *state;
    ecs_system(world, { .phase = EcsOnUpdate, .callback = QuitThird });
    assert_int_equal(ecs_app_run(world, &(ecs_app_desc_t){ .frames = -1, .delta_time = 1 }), 0);
    assert_int_equal(ecs_get_world_info(world)->frame_count_total, 3);
}

// What only looks at an application is no reason not to run it (api/06 §9).
static void an_app_that_asks_for_rest_runs_without(void **state) {
    ecs_world_t *world = *state;
    ecs_log_start_capture(true);
    int result =
        ecs_app_run(world, &(ecs_app_desc_t){ .enable_rest = true, .frames = 2, .delta_time = 1 });
    char *said = ecs_log_stop_capture();
    assert_int_equal(result, 0);
    assert_int_equal(ecs_get_world_info(world)->frame_count_total, 2);
    assert_non_null(said);
    assert_non_null(strstr(said, "REST"));
    ecs_os_free(said);
}

static int frame_of_host(ecs_world_t *world, const ecs_app_desc_t *desc) {
    return ecs_progress(world, 2 * desc->delta_time) &&
                   ecs_get_world_info(world)->frame_count_total < 3
               ? 0
               : 7;
}
static int loop_of_host(ecs_world_t *world, ecs_app_desc_t *desc) {
    int result = 0;
    while (!result) result = ecs_app_run_frame(world, desc);
    return result + 1;
}

static int init_badly(ecs_world_t *world) {
    (void)world;
    return 5;
}

// The last test: what is set stays for the process. api/06 §9: init is called whoever runs the frames.
static void a_host_may_bring_a_loop_of_its_own(void **state) {
    ecs_world_t *world = *state;
    assert_int_equal(ecs_app_set_frame_action(frame_of_host), 0);
    assert_int_equal(ecs_app_run(world, &(ecs_app_desc_t){ .delta_time = 1 }), 7);
    assert_int_equal(ecs_app_set_run_action(loop_of_host), 0);
    init_calls = 0;
    assert_int_equal(ecs_app_run(world, &(ecs_app_desc_t){ .delta_time = 1, .init = init }), 8);
    assert_int_equal(init_calls, 1);
    assert_int_equal(ecs_app_run(world, &(ecs_app_desc_t){ .init = init_badly }), 5);
    assert_near(ecs_get_world_info(world)->world_time_total, 8, 0);
    assert_int_equal(ecs_app_set_run_action(loop_of_host), 0);
    assert_int_equal(ecs_app_set_run_action(NULL), -1);
    assert_int_equal(ecs_app_set_frame_action(NULL), -1);
}

typedef struct Settings {
    int value;
} Settings;

// NAM-15, CMP-08
static void a_module_with_a_value_is_a_singleton(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t ecs_id(Settings) = ecs_module_init(world, "MySettings",
        &(ecs_component_desc_t){
            .type = { .size = ECS_SIZEOF(Settings), .alignment = ECS_ALIGNOF(Settings) } });
    ecs_singleton_set(world, Settings, { 3 });
    ecs_query_t *q = ecs_query(world, { .expr = "my.settings" });
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it));
    assert_id_equal(world, ecs_field_src(&it, 0), ecs_id(Settings));
    assert_int_equal(ecs_field(&it, Settings, 0)->value, 3);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(importing_makes_a_scope_once),
        world_test(modules_around_others_are_imported_too),
        world_test(modules_that_wait_in_a_queue_are_imported_once),
        world_test(observers_import_modules_once),
        world_test(libraries_that_are_missing_are_an_error),
        world_test(modules_come_from_libraries),
        world_test(a_module_with_a_value_is_a_singleton),
        cmocka_unit_test(the_runtime_can_be_added_to_a_small_world),
        world_test(an_app_runs_the_frames_it_is_told_to),
        world_test(an_app_without_a_number_of_frames_runs_until_it_quits),
        world_test(an_app_that_asks_for_rest_runs_without),
        world_test(a_host_may_bring_a_loop_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
