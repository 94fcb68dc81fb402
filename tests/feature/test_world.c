// SPDX-License-Identifier: MIT
// Worlds and their end: features.md areas WLD and TDN.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Node {
    int id;
} Node;

static ECS_COMPONENT_DECLARE(Node);

static void register_node(ecs_world_t *world) {
    ecs_id(Node) = 0;
    ECS_COMPONENT_DEFINE(world, Node);
}

// WLD-01
static void a_world_leaves_no_memory_behind(void **state) {
    (void)state;
    int64_t before = memory_live();
    ecs_world_t *world = ecs_mini();
    assert_true(ecs_world_verify(world));
    assert_false(ecs_is_fini(world));
    assert_int_equal(ecs_fini(world), 0);
    assert_int_equal(memory_live(), before);
}

// WLD-01: every builtin has an id of its own, and nothing fails on the way.
static void making_a_world_says_nothing(void **state) {
    (void)state;
    ecs_log_start_capture(true);
    ecs_world_t *world = ecs_init();
    ecs_fini(world);
    char *said = ecs_log_stop_capture();
    assert_true(!said || !said[0]);
    ecs_os_free(said);
}

// WLD-04
static void a_failed_query_leaves_the_world_as_it_was(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Npc);
    uint64_t hash = ecs_world_hash(world);
    ecs_entity_t high = ecs_get_max_id(world);
    ecs_log_set_level(-4);
    assert_null(ecs_query(world, { .expr = "Npc, Unknown" }));
    assert_null(ecs_query(world, { .expr = "Npc,, (" }));
    ecs_log_set_level(-1);
    assert_hash_equal(ecs_world_hash(world), hash);
    assert_int_equal(ecs_get_max_id(world), high);
    ECS_QUERY(world, q, Npc);
    assert_non_null(q);
    ecs_query_fini(q);
}

static void worlds_are_independent(void **state) {
    ecs_world_t *world = *state, *other = ecs_mini();
    register_node(world);
    ecs_entity_t id = ecs_id(Node);
    ecs_new_low_id(other);
    ECS_COMPONENT_DEFINE(other, Node); /* same variable: same id */
    assert_true(ecs_id(Node) == id);
    ecs_set(other, ecs_new(other), Node, { 1 });
    assert_int_equal(ecs_count(world, Node), 0);
    assert_int_equal(ecs_count(other, Node), 1);
    ecs_fini(other);
}

static void equal_states_have_equal_hashes(void **state) {
    ecs_world_t *world = *state, *other = ecs_mini();
    ecs_world_t *worlds[] = { world, other };
    uint64_t hash[2];
    for (int w = 0; w < 2; w++) {
        register_node(worlds[w]);
        ecs_entity_t a = ecs_new(worlds[w]), b = ecs_new(worlds[w]), tag = ecs_new(worlds[w]);
        if (w) { /* another history, other tables and rows */
            ecs_add_id(worlds[w], b, tag);
            ecs_set(worlds[w], b, Node, { 2 });
        }
        ecs_set(worlds[w], a, Node, { 1 });
        ecs_set(worlds[w], b, Node, { 2 });
        ecs_remove_id(worlds[w], b, tag);
        ecs_set_name(worlds[w], a, "a");
        hash[w] = ecs_world_hash(worlds[w]);
    }
    assert_hash_equal(hash[0], hash[1]);
    ecs_entity_t a = ecs_lookup(world, "a");
    ecs_set(world, a, Node, { 3 });
    assert_true(ecs_world_hash(world) != hash[0]);
    ecs_set(world, a, Node, { 1 });
    assert_hash_equal(ecs_world_hash(world), hash[0]);
    ecs_set_name(world, a, "b");
    assert_true(ecs_world_hash(world) != hash[0]);
    ecs_fini(other);
}

static int freed;
static void count_free(void *ctx) { freed += *(int *)ctx; }

static void contexts_are_kept_and_freed_at_the_end(void **state) {
    (void)state;
    ecs_world_t *world = ecs_mini();
    register_node(world);
    int one = 1, ten = 10, hundred = 100;
    ecs_set_ctx(world, &one, count_free);
    ecs_set_binding_ctx(world, &ten, count_free);
    ecs_set_hooks(world, Node, { .ctx = &hundred, .ctx_free = count_free });
    assert_ptr_equal(ecs_get_ctx(world), &one);
    assert_ptr_equal(ecs_get_binding_ctx(world), &ten);
    freed = 0;
    ecs_fini(world);
    assert_int_equal(freed, 111);
}

static char order[32];
static int order_count;
static void note(ecs_iter_t *it) {
    const Node *node = ecs_field(it, Node, 0);
    for (int i = 0; i < it->count; i++) {
        assert_true(ecs_is_alive(it->world, it->entities[i]));
        order[order_count++] = (char)node[i].id;
    }
}
static void note_fini(ecs_world_t *world, void *ctx) {
    assert_true(ecs_is_fini(world));
    order[order_count++] = *(char *)ctx;
}

static ecs_entity_t node(ecs_world_t *world, char id, ecs_entity_t parent) {
    ecs_entity_t e = ecs_new(world);
    if (parent) ecs_add_pair(world, e, EcsChildOf, parent);
    ecs_set(world, e, Node, { id });
    return e;
}

// TDN-01, TDN-02, TDN-03, TDN-04, TDN-05, TDN-06
static void the_end_comes_in_order(void **state) {
    (void)state;
    ecs_world_t *world = ecs_mini();
    register_node(world);
    ecs_set_hooks(world, Node, { .on_remove = note });
    order_count = 0;
    node(world, 'l', 0); /* lonely root: after the trees */
    ecs_entity_t module = node(world, 'm', 0), root = node(world, 'r', 0);
    ecs_add_id(world, module, EcsModule);
    node(world, 'n', module);
    ecs_entity_t child = node(world, 'c', root);
    node(world, 'g', child);
    ecs_add_pair(world, root, EcsOnDelete, EcsPanic); /* no policy stops the end */
    char action = '!';
    ecs_atfini(world, note_fini, &action);
    ecs_fini(world);
    order[order_count] = 0;
    assert_string_equal(order, "gcr!lnm");
}

static void ask_for_more(ecs_iter_t *it) { ecs_atfini(it->world, note_fini, "late"); }

// What is left ends when the actions have run: others would never run.
static void actions_come_before_the_last_ones_end(void **state) {
    (void)state;
    ecs_world_t *world = ecs_mini();
    register_node(world);
    ecs_set_hooks(world, Node, { .on_remove = ask_for_more });
    ecs_entity_t parent = node(world, 'p', 0);
    node(world, 'c', parent); /* ends before them */
    order_count = 0;
    ecs_fini(world);
    assert_memory_equal(order, "ll", 2);
    expect_abort_saying(ECS_INVALID_OPERATION, "too late", world = ecs_mini(); register_node(world);
                        ecs_set_hooks(world, Node, { .on_remove = ask_for_more });
                        ecs_singleton_set(world, Node, { 1 }); ecs_fini(world));
}

static void use_builtins(ecs_iter_t *it) {
    for (int i = 0; i < it->count; i++) {
        ecs_entity_t e = ecs_new(it->world);
        assert_false(ecs_has_id(it->world, it->entities[i], EcsPrefab));
        ecs_new_w_pair(it->world, EcsIsA, ecs_new_w_pair(it->world, EcsChildOf, e));
        ecs_add_id(it->world, e, EcsDisabled);
        order_count++;
    }
}

// TDN-02, TDN-05: the holder is a component, which goes last.
static void hooks_of_the_last_ones_may_use_what_is_built_in(void **state) {
    (void)state;
    ecs_world_t *world = ecs_mini();
    register_node(world);
    ecs_set_hooks(world, Node, { .on_remove = use_builtins });
    ecs_singleton_set(world, Node, { 1 });
    order_count = 0;
    ecs_fini(world);
    assert_int_equal(order_count, 1);
}

static void misuse_at_the_end_is_refused(void **state) {
    ecs_world_t *world = *state;
    expect_abort(ECS_INVALID_OPERATION, {
        ecs_defer_begin(world);
        ecs_fini(world);
    });
    expect_abort(ECS_INVALID_WHILE_READONLY, {
        ecs_readonly_begin(world, false);
        ecs_fini(world);
    });
    expect_abort(ECS_INVALID_PARAMETER, ecs_fini(ecs_get_stage(world, 0)));
}

static void values_queued_at_the_end_are_dropped(void **state) {
    (void)state;
    int64_t before = memory_live();
    ecs_world_t *world = ecs_mini();
    register_node(world);
    ecs_entity_t e = ecs_new_w(world, Node);
    ecs_world_t *stage = ecs_stage_new(world);
    ecs_set(stage, e, Node, { 1 });
    ecs_set_name(stage, e, "queued");
    ecs_stage_free(stage);
    ecs_fini(world);
    assert_int_equal(memory_live(), before);
}

static void shrink_at_once(ecs_iter_t *it) {
    ecs_defer_suspend(it->world);
    if (it->ctx)
        ecs_delete_empty_tables(
            it->world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    else
        ecs_shrink(it->world);
    ecs_defer_resume(it->world);
}

// Tables that are empty may be about to get who others are told of.
static void tables_stay_while_others_are_told(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Tag);
    ecs_entity_t e = ecs_new_w(world, Tag);
    for (int way = 0; way < 2; way++) {
        ecs_entity_t observer = ecs_observer(world, { .query.terms = { { Tag } },
                                                        .events = { EcsOnRemove },
                                                        .ctx = way ? world : NULL,
                                                        .callback = shrink_at_once });
        expect_abort_saying(ECS_INVALID_OPERATION, "on the way", ecs_remove(world, e, Tag));
        ecs_delete(world, observer);
    }
}

static void the_world_tells_about_itself(void **state) {
    ecs_world_t *world = *state;
    const ecs_build_info_t *build = ecs_get_build_info();
    assert_string_equal(build->version, FLECS_VERSION);
    assert_true(build->version_major == FLECS_VERSION_MAJOR && build->compiler && build->addons[0]);
    const ecs_world_info_t *info = ecs_get_world_info(world);
    int64_t created = info->id_create_total, deleted = info->id_delete_total;
    int32_t tables = info->table_count;
    ecs_entity_t e = ecs_new(world);
    ecs_add_id(world, e, e);
    ecs_delete(world, e);
    assert_int_equal(info->id_create_total, created + 1);
    assert_int_equal(info->id_delete_total, deleted + 1);
    assert_int_equal(info->table_count, tables); /* made, and deleted with its id */
    assert_ptr_equal(ecs_get_world(ecs_get_stage(world, 0)), world);
}

static void empty_tables_age_and_go(void **state) {
    ecs_world_t *world = *state;
    register_node(world);
    ecs_shrink(world);
    ecs_entity_t e = ecs_new_w(world, Node);
    const ecs_world_info_t *info = ecs_get_world_info(world);
    int32_t tables = info->table_count;
    ecs_delete(world, e);
    ecs_delete_empty_tables_desc_t desc = { .delete_generation = 2 };
    for (int i = 0; i < 2; i++) assert_int_equal(ecs_delete_empty_tables(world, &desc), 0);
    assert_int_equal(info->table_count, tables);
    ecs_table_t *used = ecs_table_add_id(world, NULL, ecs_id(Node));
    ecs_table_lock(world, used); /* it stays, and grows no older */
    ecs_delete_empty_tables(world, &desc);
    ecs_shrink(world);
    assert_ptr_equal(ecs_table_add_id(world, NULL, ecs_id(Node)), used);
    ecs_table_unlock(world, used);
    ecs_delete_empty_tables(world, &desc);
    assert_true(info->table_count < tables);
    ecs_dim(world, 1000);
    e = ecs_new_w(world, Node);
    assert_true(ecs_has(world, e, Node));
}

static void tables_in_use_between_passes_do_not_age(void **state) {
    ecs_world_t *world = *state;
    register_node(world);
    ecs_entity_t tag = ecs_new(world);
    ecs_shrink(world);
    ecs_add_id(world, ecs_new_w(world, Node), tag);
    int32_t tables = ecs_get_world_info(world)->table_count;
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 2; k++) ecs_add_id(world, ecs_new_w(world, Node), tag);
        ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 2 });
        assert_int_equal(ecs_get_world_info(world)->table_count, tables);
    }
}

static void defaults_are_set_before_the_first_component(void **state) {
    ecs_world_t *world = *state, *other = ecs_mini();
    assert_true(ecs_get_defaults(world)->on_instantiate == EcsInherit);
    ecs_set_defaults(
        other, &(ecs_defaults_t){ .on_instantiate = EcsDontInherit, .instanced = true });
    assert_true(ecs_get_defaults(other)->instanced);
    ecs_entity_t tag = ecs_new(other), base = ecs_new_w_id(other, tag);
    assert_false(ecs_has_id(other, ecs_new_w_pair(other, EcsIsA, base), tag));
    ecs_set_defaults(other, &(ecs_defaults_t){ .instanced = true });
    assert_true(ecs_get_defaults(other)->on_instantiate == EcsInherit);
    ecs_fini(other);
    register_node(world);
    expect_abort(ECS_INVALID_OPERATION, ecs_set_defaults(world, &(ecs_defaults_t){ 0 }));
}

static void memory_of_empty_tables_is_given_back_before_they_are(void **state) {
    ecs_world_t *world = *state;
    register_node(world);
    ecs_entity_t e = ecs_new_w(world, Node);
    ecs_table_t *table = ecs_get_table(world, e);
    ecs_delete(world, e);
    int32_t tables = ecs_get_world_info(world)->table_count;
    ecs_delete_empty_tables_desc_t desc = { .clear_generation = 1 };
    assert_true(ecs_table_size(table) > 0);
    for (int i = 0; i < 2; i++) ecs_delete_empty_tables(world, &desc);
    assert_int_equal(ecs_table_size(table), 0);
    assert_int_equal(ecs_get_world_info(world)->table_count, tables);
    desc = (ecs_delete_empty_tables_desc_t){ .delete_generation = 1, .time_budget_seconds = 1e-12 };
    int32_t calls = 1;
    while ((desc.offset = ecs_delete_empty_tables(world, &desc))) calls++;
    assert_true(calls > 1);
}

static int32_t count_ids(const ecs_world_t *world) {
    const ecs_world_info_t *info = ecs_get_world_info(world);
    return info->tag_id_count + info->component_id_count + info->pair_id_count;
}

// STO-09: also a component that nobody ever had.
static void ids_that_are_gone_leave_nothing(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t score = ecs_new(world), kind = ecs_new(world), target = ecs_new(world);
    ecs_shrink(world);
    const int32_t before = count_ids(world);
    for (int i = 0; i < 100; i++) {
        ecs_delete(world, ecs_component(world, { .type = { .size = 4, .alignment = 4 } }));
        ecs_delete(world, ecs_new_w_id(world, ecs_value_pair(score, i)));
    }
    ecs_delete(world, ecs_new_w_pair(world, kind, target));
    assert_true(count_ids(world) > before + 100);
    ecs_shrink(world);
    assert_int_equal(count_ids(world), before);
    assert_null(flecs_components_get(world, ecs_pair(kind, target)));
    ecs_query_t *q = ecs_query(world, { .terms = { { ecs_pair(kind, target) } } });
    ecs_shrink(world);
    assert_non_null(flecs_components_get(world, ecs_pair(kind, target)));
    ecs_entity_t e = ecs_new_w_pair(world, kind, target);
    assert_int_equal(ecs_query_count(q).entities, 1);
    assert_id_equal(world, ecs_get_target(world, e, kind, 0), target);
    ecs_query_fini(q);
}

static void queries_begin_with_the_flags_of_the_world(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world);
    ecs_add_id(world, ecs_new_w_id(world, tag), EcsDisabled);
    ecs_set_default_query_flags(world, EcsQueryMatchDisabled);
    ecs_query_t *q = ecs_query(
        world, { .entity = ecs_entity(world, { .name = "Q" }), .terms = { { .id = tag } } });
    assert_true(q->flags & EcsQueryMatchDisabled);
    assert_int_equal(ecs_query_count(q).entities, 1);
    assert_id_equal(world, ecs_get_entity(q), ecs_lookup(world, "Q"));
    assert_int_equal(ecs_get_entity(world), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_leaves_no_memory_behind),
        cmocka_unit_test(making_a_world_says_nothing),
        mini_world_test(tables_stay_while_others_are_told),
        mini_world_test(a_failed_query_leaves_the_world_as_it_was),
        mini_world_test(worlds_are_independent),
        mini_world_test(equal_states_have_equal_hashes),
        cmocka_unit_test(contexts_are_kept_and_freed_at_the_end),
        cmocka_unit_test(the_end_comes_in_order),
        cmocka_unit_test(actions_come_before_the_last_ones_end),
        cmocka_unit_test(hooks_of_the_last_ones_may_use_what_is_built_in),
        mini_world_test(misuse_at_the_end_is_refused),
        cmocka_unit_test(values_queued_at_the_end_are_dropped),
        mini_world_test(the_world_tells_about_itself),
        mini_world_test(empty_tables_age_and_go),
        mini_world_test(tables_in_use_between_passes_do_not_age),
        mini_world_test(defaults_are_set_before_the_first_component),
        mini_world_test(memory_of_empty_tables_is_given_back_before_they_are),
        mini_world_test(ids_that_are_gone_leave_nothing),
        mini_world_test(queries_begin_with_the_flags_of_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
