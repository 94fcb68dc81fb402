// SPDX-License-Identifier: MIT
// NULL for a pointer that is needed is misuse: a sentence in debug builds, whatever the function.
#include "support/world.h"

#include "support/abort.h"

typedef struct Position {
    float x, y;
} Position;

#define REFUSED(...) expect_abort_saying(ECS_INVALID_PARAMETER, "", (void)__VA_ARGS__)

static void worlds_and_what_is_in_them_are_needed(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t e = ecs_insert(world, ecs_value(Position, { 1, 2 }));
    ecs_id_t id = ecs_id(Position);
    REFUSED(ecs_new(NULL));
    REFUSED(ecs_get_id(NULL, e, id));
    REFUSED((ecs_add_id(NULL, e, id), 0));
    REFUSED(ecs_progress(NULL, 1));
    REFUSED((ecs_merge(NULL), 0));
    REFUSED(ecs_get_world(NULL));
    REFUSED(ecs_bulk_init(world, NULL));
    REFUSED(ecs_system_init(world, NULL));
    REFUSED(ecs_table_count(NULL));
    REFUSED(ecs_table_get_id(world, NULL, id, 0));
    REFUSED(ecs_ref_get_id(world, NULL, id));
    REFUSED(ecs_record_get_id(world, NULL, id));
    REFUSED(ecs_lookup_child(world, 0, NULL));
    REFUSED(ecs_app_run(world, NULL));
    REFUSED((ecs_world_stats_get(world, NULL), 0));
}

static void queries_and_iterators_are_needed(void **state) {
    ecs_world_t *world = *state;
    ecs_query_t *q = ecs_query(world, { .expr = "Disabled" });
    REFUSED(ecs_query_iter(world, NULL).count);
    REFUSED(ecs_query_str(NULL));
    REFUSED(ecs_query_count(NULL).results);
    REFUSED(ecs_query_find_var(q, NULL));
    REFUSED(ecs_query_has(q, EcsDisabled, NULL));
    REFUSED(ecs_query_next(NULL));
    REFUSED(ecs_iter_count(NULL));
    REFUSED((ecs_iter_fini(NULL), 0));
    REFUSED(ecs_field_id(NULL, 0));
    REFUSED(ecs_page_iter(NULL, 0, 1).count);
    expect_abort(ECS_OUT_OF_RANGE, ecs_iter_get_var(NULL, 0));
    ecs_query_fini(NULL); /* as free */
    ecs_query_fini(q);
}

static void values_and_containers_are_needed(void **state) {
    ecs_world_t *world = *state;
    REFUSED(ecs_struct_init(world, NULL));
    REFUSED(ecs_unit_init(world, NULL));
    REFUSED(ecs_meta_next(NULL));
    REFUSED(ecs_meta_get_int(NULL));
    REFUSED(ecs_value_copy(world, &(ecs_value_t){ 0 }, NULL));
    REFUSED(ecs_iter_to_json(NULL, NULL));
    REFUSED((ecs_strbuf_append(NULL, "x"), 0));
    REFUSED(ecs_vec_append_t(NULL, NULL, int));
    REFUSED(ecs_map_ensure(NULL, 1));
    REFUSED(flecs_sparse_count(NULL));
}

static void types_and_values_of_types_are_needed(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t type = ecs_id(Position);
    ecs_struct(
        world, { .entity = type, .members = { { .name = "x", .type = ecs_id(ecs_f32_t) } } });
    Position value = { 1, 2 };
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    REFUSED((ecs_set_hooks_id(world, type, NULL), 0));
    REFUSED(ecs_value_set(world, NULL, type, &value));
    REFUSED(ecs_ptr_to_expr(world, type, NULL));
    REFUSED(ecs_ptr_to_expr_buf(world, type, NULL, &buf));
    REFUSED(ecs_ptr_to_expr_buf(world, type, &value, NULL));
    REFUSED(ecs_ptr_to_str(world, type, NULL));
    REFUSED(ecs_ptr_to_json(world, type, NULL));
    REFUSED(ecs_ptr_to_json_buf(world, type, &value, NULL));
    REFUSED(ecs_array_to_json(world, type, NULL, 2));
    REFUSED(ecs_struct_get_member(world, type, NULL));
    REFUSED(ecs_meta_ptr_to_float(EcsF32, NULL));
    ecs_log_set_level(-4);
    assert_null(
        ecs_ptr_from_json(world, type, &value, NULL, NULL)); /* text is not needed: it is empty */
    ecs_log_set_level(-1);
}

static void descriptors_texts_and_callbacks_are_needed(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    REFUSED(ecs_pipeline_update(world, ecs_get_pipeline(world), NULL));
    REFUSED((ecs_set_child_order(world, e, NULL, 2), 0));
    REFUSED(ecs_load_expr(world, NULL));
    REFUSED(ecs_relationship_init(world, NULL));
    REFUSED(ecs_each_source(world, e, EcsChildOf, NULL, NULL));
    REFUSED(ecs_each_edge(world, e, EcsChildOf, NULL, NULL));
    REFUSED(ecs_walk_up(world, e, EcsChildOf, NULL, NULL, 0));
    REFUSED(ecs_import(world, FlecsMetaImport, NULL));
    REFUSED(ecs_import(world, NULL, "flecs.meta"));
    REFUSED(ecs_import_c(world, FlecsMetaImport, NULL));
    REFUSED(ecs_module_init(world, NULL, &(ecs_component_desc_t){ 0 }));
    REFUSED(ecs_module_init(world, "Tools", NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(worlds_and_what_is_in_them_are_needed),
        world_test(queries_and_iterators_are_needed),
        world_test(values_and_containers_are_needed),
        world_test(types_and_values_of_types_are_needed),
        world_test(descriptors_texts_and_callbacks_are_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
