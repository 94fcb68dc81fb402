// SPDX-License-Identifier: MIT
// NULL for a pointer that is needed is misuse: a sentence in debug builds, whatever the function.
#include "support/world.h"

#include "support/abort.h"

typedef struct Position {
    float x, y;
} Position;

#define REFUSED(...) expect_abort_saying(ECS_INVALID_PARAMETER, "", (void)__VA_ARGS__)
/* and with soft asserts the function returns */
#define ANSWERED(...)                                                               \
    do {                                                                            \
        REFUSED(__VA_ARGS__);                                                       \
        expect_refused(ECS_INVALID_PARAMETER, "NULL was given", (void)__VA_ARGS__); \
    } while (0)

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
    ANSWERED(ecs_ref_get_id(world, NULL, id));
    ANSWERED((ecs_ref_update(world, NULL, id), 0));
    ANSWERED(ecs_record_get_id(world, NULL, id));
    ANSWERED(ecs_record_has_id(world, NULL, id));
    ANSWERED(ecs_record_ensure_id(world, NULL, id));
    ANSWERED(ecs_record_get_entity(NULL));
    ANSWERED(ecs_record_get_by_column(NULL, 0, 4));
    ANSWERED(ecs_lookup_child(world, 0, NULL));
    REFUSED(ecs_app_run(world, NULL));
    REFUSED((ecs_world_stats_get(world, NULL), 0));
}

static void queries_and_iterators_are_needed(void **state) {
    ecs_world_t *world = *state;
    ecs_query_t *q = ecs_query(world, { .expr = "Disabled" });
    ecs_iter_t it;
    REFUSED(ecs_query_iter(world, NULL).count);
    ANSWERED(ecs_query_str(NULL));
    ANSWERED(ecs_query_plan(NULL));
    ANSWERED(ecs_query_plan_w_profile(NULL, NULL));
    ANSWERED(ecs_query_plans(NULL));
    ANSWERED(ecs_query_count(NULL).results);
    ANSWERED(ecs_query_is_true(NULL));
    ANSWERED(ecs_query_match_count(NULL));
    ANSWERED(ecs_query_get_cache_query(NULL));
    ANSWERED(ecs_query_get_group_info(NULL, 0));
    ANSWERED(ecs_query_get_groups(NULL));
    ANSWERED(ecs_query_find_var(q, NULL));
    ANSWERED(ecs_query_var_name(NULL, 0));
    ANSWERED(ecs_query_var_is_entity(NULL, 0));
    ANSWERED(ecs_query_has(q, EcsDisabled, NULL));
    ANSWERED(ecs_query_has_table(NULL, NULL, &it));
    ANSWERED(ecs_query_has_range(q, NULL, &it));
    ANSWERED(ecs_query_next(NULL));
    ANSWERED(ecs_each_next(NULL));
    ANSWERED(ecs_children_next(NULL));
    ANSWERED(ecs_page_next(NULL));
    ANSWERED(ecs_worker_next(NULL));
    ANSWERED(ecs_iter_count(NULL));
    ANSWERED(ecs_iter_str(NULL));
    ANSWERED((ecs_iter_skip(NULL), 0));
    ANSWERED(ecs_iter_get_group(NULL));
    ANSWERED((ecs_iter_set_group(NULL, 0), 0));
    ANSWERED(ecs_iter_get_var_count(NULL));
    ANSWERED(ecs_iter_get_var_name(NULL, 0));
    ANSWERED(ecs_iter_get_vars(NULL));
    ANSWERED((ecs_iter_fini(NULL), 0));
    ANSWERED(ecs_term_str(world, NULL));
    ANSWERED(ecs_term_is_initialized(NULL));
    ANSWERED(ecs_term_ref_is_set(NULL));
    ANSWERED(ecs_term_match_this(NULL));
    ANSWERED(ecs_term_match_0(NULL));
    REFUSED(ecs_field_id(NULL, 0));
    ANSWERED(ecs_page_iter(NULL, 0, 1).count);
    ANSWERED(ecs_worker_iter(NULL, 0, 1).count);
    expect_abort(ECS_OUT_OF_RANGE, ecs_iter_get_var(NULL, 0));
    ecs_query_fini(NULL); /* as free */
    ecs_query_fini(q);
}

static void tables_are_needed(void **state) {
    ecs_world_t *world = *state;
    ecs_table_cache_iter_t it = { 0 };
    ANSWERED(ecs_table_get_type(NULL));
    ANSWERED(ecs_table_count(NULL));
    ANSWERED(ecs_table_size(NULL));
    ANSWERED(ecs_table_entities(NULL));
    ANSWERED(ecs_table_column_count(NULL));
    ANSWERED(flecs_table_id(NULL));
    ANSWERED(flecs_table_flags(NULL));
    ANSWERED(flecs_table_observed_count(NULL));
    ANSWERED(flecs_table_records(NULL).count);
    ANSWERED(ecs_table_get_type_index(world, NULL, EcsPrefab));
    ANSWERED(ecs_table_get_column_index(world, NULL, EcsPrefab));
    ANSWERED(ecs_table_type_to_column_index(NULL, 0));
    ANSWERED(ecs_table_column_to_type_index(NULL, 0));
    ANSWERED(ecs_table_get_column(NULL, 0, 0));
    ANSWERED(ecs_table_get_column_size(NULL, 0));
    ANSWERED(ecs_table_get_id(world, NULL, EcsPrefab, 0));
    ANSWERED(ecs_table_has_id(world, NULL, EcsPrefab));
    ANSWERED(ecs_table_get_target(world, NULL, EcsIsA, 0));
    ANSWERED(ecs_table_get_depth(world, NULL, EcsChildOf));
    ANSWERED(ecs_table_has_traversable(NULL));
    ANSWERED((ecs_table_clear_entities(world, NULL), 0));
    ANSWERED((ecs_table_swap_rows(world, NULL, 0, 1), 0));
    ANSWERED(ecs_table_find(world, NULL, 1));
    ANSWERED(flecs_component_get_id(NULL));
    ANSWERED(flecs_component_get_type_info(NULL));
    ANSWERED(flecs_component_get_table(NULL, NULL));
    ANSWERED(flecs_component_iter(NULL, NULL));
    ANSWERED(flecs_component_next(NULL));
    assert_false(flecs_component_iter(NULL, &it));
}

static void values_and_containers_are_needed(void **state) {
    ecs_world_t *world = *state;
    ANSWERED(ecs_struct_init(world, NULL));
    ANSWERED(ecs_unit_init(world, NULL));
    ANSWERED(ecs_meta_next(NULL));
    ANSWERED(ecs_meta_get_int(NULL));
    ANSWERED(ecs_value_copy(world, &(ecs_value_t){ 0 }, NULL));
    ANSWERED(ecs_iter_to_json(NULL, NULL));
    ANSWERED((ecs_strbuf_append(NULL, "x"), 0));
    ANSWERED(ecs_vec_append_t(NULL, NULL, int));
    ANSWERED(ecs_map_ensure(NULL, 1));
    ANSWERED(flecs_sparse_count(NULL));
}

static void containers_are_needed(void **state) {
    (void)state;
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    ecs_vec_t vec = { 0 };
    char out[8];
    ANSWERED((ecs_vec_init(NULL, NULL, 4, 1), 0));
    ANSWERED((ecs_vec_init_if(NULL, 4), 0));
    ANSWERED((ecs_vec_fini(NULL, NULL, 4), 0));
    ANSWERED(ecs_vec_reset(NULL, NULL, 4));
    ANSWERED((ecs_vec_clear(NULL), 0));
    ANSWERED((ecs_vec_remove(NULL, 4, 0), 0));
    ANSWERED((ecs_vec_remove_ordered(NULL, 4, 0), 0));
    ANSWERED((ecs_vec_remove_last(NULL), 0));
    ANSWERED(ecs_vec_copy(NULL, NULL, 4).count);
    ANSWERED(ecs_vec_copy_shrink(NULL, NULL, 4).count);
    ANSWERED((ecs_vec_reclaim(NULL, NULL, 4), 0));
    ANSWERED((ecs_vec_set_size(NULL, NULL, 4, 1), 0));
    ANSWERED((ecs_vec_set_min_size(NULL, NULL, 4, 1), 0));
    ANSWERED((ecs_vec_set_min_count(NULL, NULL, 4, 1), 0));
    ANSWERED((ecs_vec_set_min_count_zeromem(NULL, NULL, 4, 1), 0));
    ANSWERED((ecs_vec_set_count(NULL, NULL, 4, 1), 0));
    ANSWERED(ecs_vec_grow(NULL, NULL, 4, 1));
    ANSWERED((ecs_map_init(NULL, NULL), 0));
    ANSWERED((ecs_map_init_if(NULL, NULL), 0));
    ANSWERED((ecs_map_fini(NULL), 0));
    ANSWERED(ecs_map_ensure_alloc(NULL, 4, 1));
    ANSWERED((ecs_map_insert(NULL, 1, 1), 0));
    ANSWERED(ecs_map_insert_alloc(NULL, 4, 1));
    ANSWERED(ecs_map_remove(NULL, 1));
    ANSWERED((ecs_map_remove_free(NULL, 1), 0));
    ANSWERED((ecs_map_clear(NULL), 0));
    ANSWERED((ecs_map_copy(NULL, NULL), 0));
    ANSWERED((ecs_map_reclaim(NULL), 0));
    ANSWERED(ecs_map_next(NULL));
    ANSWERED((flecs_sparse_init(NULL, NULL, NULL, 4), 0));
    ANSWERED((flecs_sparse_fini(NULL), 0));
    ANSWERED((flecs_sparse_clear(NULL), 0));
    ANSWERED(flecs_sparse_add(NULL, 4));
    ANSWERED(flecs_sparse_last_id(NULL));
    ANSWERED(flecs_sparse_new_id(NULL));
    ANSWERED(flecs_sparse_remove(NULL, 4, 1));
    ANSWERED(flecs_sparse_remove_w_gen(NULL, 4, 1));
    ANSWERED(flecs_sparse_is_alive(NULL, 1));
    ANSWERED(flecs_sparse_get(NULL, 4, 1));
    ANSWERED(flecs_sparse_get_dense(NULL, 4, 0));
    ANSWERED(flecs_sparse_has(NULL, 1));
    ANSWERED(flecs_sparse_insert(NULL, 4, 1));
    ANSWERED(flecs_sparse_ensure(NULL, 4, 1, NULL));
    ANSWERED(flecs_sparse_ensure_fast(NULL, 4, 1));
    ANSWERED(flecs_sparse_ids(NULL));
    ANSWERED((flecs_sparse_shrink(NULL), 0));
    ANSWERED((ecs_sparse_init(NULL, 4), 0));
    ANSWERED(ecs_sparse_add(NULL, 4));
    ANSWERED(ecs_sparse_last_id(NULL));
    ANSWERED(ecs_sparse_count(NULL));
    ANSWERED(ecs_sparse_get(NULL, 4, 1));
    ANSWERED(ecs_sparse_get_dense(NULL, 4, 0));
    ANSWERED((ecs_strbuf_appendstr(&buf, NULL), 0));
    ANSWERED((ecs_strbuf_appendstr(NULL, "x"), 0));
    ANSWERED((ecs_strbuf_appendstrn(NULL, "x", 1), 0));
    ANSWERED((ecs_strbuf_appendch(NULL, 'x'), 0));
    ANSWERED((ecs_strbuf_appendint(NULL, 1), 0));
    ANSWERED((ecs_strbuf_appendflt(NULL, 1, 0), 0));
    ANSWERED((ecs_strbuf_appendbool(NULL, true), 0));
    ANSWERED((ecs_strbuf_mergebuff(NULL, &buf), 0));
    ANSWERED((ecs_strbuf_mergebuff(&buf, NULL), 0));
    ANSWERED((ecs_strbuf_list_push(NULL, "[", ", "), 0));
    ANSWERED((ecs_strbuf_list_pop(NULL, "]"), 0));
    ANSWERED((ecs_strbuf_list_next(NULL), 0));
    ANSWERED((ecs_strbuf_list_append(NULL, "x"), 0));
    ANSWERED((ecs_strbuf_list_appendstr(NULL, "x"), 0));
    ANSWERED((ecs_strbuf_list_appendch(NULL, 'x'), 0));
    ANSWERED(ecs_strbuf_get(NULL));
    ANSWERED(ecs_strbuf_get_small(NULL));
    ANSWERED(ecs_strbuf_str(NULL));
    ANSWERED(ecs_strbuf_written(NULL));
    ANSWERED((ecs_strbuf_reset(NULL), 0));
    ANSWERED(flecs_chresc(NULL, 'x', 0));
    ANSWERED(flecs_chrparse(NULL, out));
    ANSWERED(flecs_chrparse("x", NULL));
    ANSWERED(flecs_stresc(out, 8, 0, NULL));
    ANSWERED(flecs_to_snake_case(NULL));
    ANSWERED(flecs_module_path_from_c(NULL));
    ecs_vec_fini(NULL, &vec, 4);
    ecs_strbuf_reset(&buf);
}

static void cursors_are_needed(void **state) {
    ecs_world_t *world = *state;
    ecs_meta_cursor_t cursor = ecs_meta_cursor(world, ecs_id(ecs_i32_t), &(int32_t){ 0 });
    ANSWERED(ecs_meta_get_ptr(NULL));
    ANSWERED(ecs_meta_push(NULL));
    ANSWERED(ecs_meta_pop(NULL));
    ANSWERED(ecs_meta_elem(NULL, 0));
    ANSWERED(ecs_meta_member(NULL, "x"));
    ANSWERED(ecs_meta_member(&cursor, NULL));
    ANSWERED(ecs_meta_try_member(&cursor, NULL));
    ANSWERED(ecs_meta_dotmember(&cursor, NULL));
    ANSWERED(ecs_meta_try_dotmember(&cursor, NULL));
    ANSWERED(ecs_meta_key(NULL, &(ecs_value_t){ 0 }));
    ANSWERED(ecs_meta_is_collection(NULL));
    ANSWERED(ecs_meta_is_map(NULL));
    ANSWERED(ecs_meta_get_type(NULL));
    ANSWERED(ecs_meta_get_unit(NULL));
    ANSWERED(ecs_meta_get_member(NULL));
    ANSWERED(ecs_meta_get_member_id(NULL));
    ANSWERED(ecs_meta_set_bool(NULL, true));
    ANSWERED(ecs_meta_set_char(NULL, 'x'));
    ANSWERED(ecs_meta_set_int(NULL, 1));
    ANSWERED(ecs_meta_set_uint(NULL, 1));
    ANSWERED(ecs_meta_set_float(NULL, 1));
    ANSWERED(ecs_meta_set_string(NULL, "x"));
    ANSWERED(ecs_meta_set_string_literal(NULL, "\"x\""));
    ANSWERED(ecs_meta_set_entity(NULL, 1));
    ANSWERED(ecs_meta_set_id(NULL, 1));
    ANSWERED(ecs_meta_set_null(NULL));
    ANSWERED(ecs_meta_set_value(&cursor, NULL));
    ANSWERED(ecs_meta_set_value(NULL, &(ecs_value_t){ 0 }));
    ANSWERED(ecs_meta_get_bool(NULL));
    ANSWERED(ecs_meta_get_char(NULL));
    ANSWERED(ecs_meta_get_uint(NULL));
    ANSWERED(ecs_meta_get_float(NULL));
    ANSWERED(ecs_meta_get_string(NULL));
    ANSWERED(ecs_meta_get_entity(NULL));
    ANSWERED(ecs_meta_get_id(NULL));
    ANSWERED(ecs_meta_op_get_elem_count(NULL, &(int32_t){ 0 }));
}

static void types_and_values_of_types_are_needed(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t type = ecs_id(Position);
    ecs_struct(
        world, { .entity = type, .members = { { .name = "x", .type = ecs_id(ecs_f32_t) } } });
    Position value = { 1, 2 };
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    ANSWERED((ecs_set_hooks_id(world, type, NULL), 0));
    ANSWERED(ecs_value_set(world, NULL, type, &value));
    ANSWERED(ecs_ptr_to_expr(world, type, NULL));
    ANSWERED(ecs_ptr_to_expr_buf(world, type, NULL, &buf));
    ANSWERED(ecs_ptr_to_expr_buf(world, type, &value, NULL));
    ANSWERED(ecs_ptr_to_str(world, type, NULL));
    ANSWERED(ecs_ptr_to_json(world, type, NULL));
    ANSWERED(ecs_ptr_to_json_buf(world, type, &value, NULL));
    ANSWERED(ecs_array_to_json(world, type, NULL, 2));
    ANSWERED(ecs_struct_get_member(world, type, NULL));
    ANSWERED(ecs_meta_ptr_to_float(EcsF32, NULL));
    ANSWERED(ecs_primitive_init(world, NULL));
    ANSWERED(ecs_enum_init(world, NULL));
    ANSWERED(ecs_bitmask_init(world, NULL));
    ANSWERED(ecs_array_init(world, NULL));
    ANSWERED(ecs_vector_init(world, NULL));
    ANSWERED(ecs_map_type_init(world, NULL));
    ANSWERED(ecs_opaque_init(world, NULL));
    ANSWERED(ecs_unit_prefix_init(world, NULL));
    ANSWERED(ecs_struct_add_member(world, type, NULL));
    ANSWERED(ecs_meta_from_desc(world, type, EcsStructType, NULL));
    ANSWERED(ecs_ptr_init(world, type, NULL));
    ANSWERED(ecs_ptr_copy(world, type, &value, NULL));
    ANSWERED(ecs_ptr_copy(world, type, NULL, &value));
    ANSWERED(ecs_ptr_move(world, type, &value, NULL));
    ANSWERED(ecs_ptr_move_ctor(world, type, NULL, &value));
    ANSWERED(ecs_ptr_new_w_type_info(world, NULL));
    ANSWERED(ecs_value_fini(world, NULL));
    ANSWERED(ecs_value_copy(world, NULL, &(ecs_value_t){ 0 }));
    ANSWERED(ecs_value_copy_ctor(world, &(ecs_value_t){ 0 }, NULL));
    ANSWERED(ecs_value_move(world, &(ecs_value_t){ 0 }, NULL));
    ANSWERED(ecs_value_move_ctor(world, NULL, &(ecs_value_t){ 0 }));
    ANSWERED(ecs_value_compare(world, NULL, &(ecs_value_t){ 0 }));
    ANSWERED(ecs_value_equals(world, &(ecs_value_t){ 0 }, NULL));
    ANSWERED(ecs_type_info_to_json_buf(world, type, NULL));
    ANSWERED(ecs_entity_to_json_buf(world, type, NULL, NULL));
    ANSWERED(ecs_world_to_json_buf(world, NULL, NULL));
    ANSWERED((ecs_id_str_buf(world, type, NULL), 0));
    ANSWERED((flecs_type_info_ctor(NULL, 1, ecs_get_type_info(world, type)), 0));
    ANSWERED((flecs_type_info_dtor(&value, 1, NULL), 0));
    ANSWERED((flecs_type_info_copy(&value, NULL, 1, ecs_get_type_info(world, type)), 0));
    ANSWERED(flecs_type_info_cmp(&value, NULL, ecs_get_type_info(world, type)));
    ANSWERED(flecs_type_info_equals(&value, &value, NULL));
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
    ANSWERED(ecs_relationship_init(world, NULL));
    ANSWERED(ecs_each_source(world, e, EcsChildOf, NULL, NULL));
    ANSWERED(ecs_each_edge(world, e, EcsChildOf, NULL, NULL));
    ANSWERED(ecs_walk_up(world, e, EcsChildOf, NULL, NULL, 0));
    ANSWERED(ecs_traverse_next(NULL));
    ANSWERED((ecs_traverse_fini(NULL), 0));
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
        world_test(tables_are_needed),
        world_test(values_and_containers_are_needed),
        world_test(containers_are_needed),
        world_test(cursors_are_needed),
        world_test(types_and_values_of_types_are_needed),
        world_test(descriptors_texts_and_callbacks_are_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
