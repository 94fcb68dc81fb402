// SPDX-License-Identifier: MIT
// Sparse and non-fragmenting ids outside of queries: values keep their addresses, hooks and observers
// hear of them, and every change includes them.
#include "support/world.h"

#include <stdio.h>
#include <unistd.h>

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Name {
    char *text;
} Name;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Name);
static int live;
static char heard[256];

static ECS_CTOR(Name, ptr, {
    ptr->text = ecs_os_strdup("");
    live++;
})
static ECS_DTOR(Name, ptr, {
    ecs_os_free(ptr->text);
    live--;
})
static ECS_COPY(Name, dst, src, { ecs_os_strset(&dst->text, src->text); })
static ECS_MOVE(Name, dst, src, {
    char *old = dst->text;
    dst->text = src->text;
    src->text = old;
})

static void note(const char *what) { strncat(heard, what, sizeof(heard) - strlen(heard) - 1); }

static void note_event(ecs_iter_t *it, const char *prefix) {
    note(prefix);
    note(it->event == EcsOnAdd ? "add " : it->event == EcsOnSet ? "set " : "remove ");
    assert_int_equal(it->count, 1);
    assert_true(ecs_is_alive(it->world, it->entities[0]));
    assert_non_null(((const Name *)ecs_field_at(it, Name, 0, 0))->text);
}
static void on_hook(ecs_iter_t *it) { note_event(it, "hook-"); }
static void on_event(ecs_iter_t *it) { note_event(it, ""); }

static void assert_heard(const char *expected) {
    assert_string_equal(heard, expected);
    heard[0] = '\0';
}

// Both storages behave alike wherever the type of an entity is not looked at.
static ecs_entity_t storage;

static void use(ecs_world_t *world) {
    ecs_id(Position) = ecs_id(Name) = 0;
    live = 0;
    heard[0] = '\0';
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Name);
    ecs_add_id(world, ecs_id(Position), storage);
    ecs_add_id(world, ecs_id(Name), storage);
    ecs_set_hooks(world, Name,
        { .ctor = ecs_ctor(Name),
            .dtor = ecs_dtor(Name),
            .copy = ecs_copy(Name),
            .move = ecs_move(Name) });
}

static void hear(ecs_world_t *world) {
    ecs_set_hooks(world, Name, { .on_add = on_hook, .on_set = on_hook, .on_remove = on_hook });
    ecs_observer(world, { .query.terms = { { .id = ecs_id(Name) } },
                            .events = { EcsOnAdd, EcsOnSet, EcsOnRemove },
                            .callback = on_event });
}

static int sets;
static void count_set(ecs_iter_t *it) { sets += it->count; }
static void count_sets(ecs_world_t *world) {
    sets = 0;
    ecs_observer(world, { .query.terms = { { .id = ecs_id(Name) } },
                            .events = { EcsOnSet },
                            .callback = count_set });
}

static void values_keep_their_addresses(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t e = ecs_new(world), tag = ecs_new(world);
    ecs_set(world, e, Position, { 1, 2 });
    Position *p = ecs_get_mut(world, e, Position);
    ecs_entity_t others[200];
    for (int i = 0; i < 200; i++) {
        others[i] = ecs_new(world);
        ecs_set(world, others[i], Position, { (float)i, 0 });
    }
    ecs_add_id(world, e, tag);
    assert_ptr_equal(ecs_get(world, e, Position), p);
    assert_ptr_equal(ecs_ensure(world, e, Position), p);
    assert_ptr_equal(ecs_get_sparse_id(world, e, ecs_id(Position), sizeof(Position)), p);
    ecs_ref_t ref = ecs_ref_init(world, e, Position);
    assert_ptr_equal(ecs_ref_get(world, &ref, Position), p);
    assert_ptr_equal(ecs_record_get(world, ecs_record_find(world, e), Position), p);
    for (int i = 0; i < 200; i += 2) ecs_delete(world, others[i]);
    for (int i = 1; i < 200; i += 2) assert_near(ecs_get(world, others[i], Position)->x, i, 0);
    assert_near(p->y, 2, 0);
    assert_int_equal(ecs_count(world, Position), 101);
    assert_true(ecs_has(world, e, Position) && ecs_owns(world, e, Position));
    ecs_remove(world, e, Position);
    assert_false(ecs_has(world, e, Position));
    assert_null(ecs_get(world, e, Position));
    assert_null(ecs_get_sparse_id(world, e, ecs_id(Position), sizeof(Position)));
}

static void the_type_tells_of_sparse_ids_alone(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t e = ecs_new(world);
    ecs_table_t *table = ecs_get_table(world, e);
    ecs_set(world, e, Position, { 1, 2 });
    bool is_beside = storage == EcsDontFragment;
    assert_type(world, e, is_beside ? "" : "Position");
    assert_int_equal(ecs_get_table(world, e) == table, is_beside);
    assert_int_equal(
        ecs_table_has_id(world, ecs_get_table(world, e), ecs_id(Position)), !is_beside);
    assert_int_equal(
        ecs_search(world, ecs_get_table(world, e), ecs_id(Position), NULL), is_beside ? -1 : 0);
    assert_int_equal(ecs_table_column_count(ecs_get_table(world, e)), 0);
    assert_int_equal(
        ecs_table_get_column_index(world, ecs_get_table(world, e), ecs_id(Position)), -1);
    assert_true(ecs_has_id(world, ecs_id(Position), EcsSparse)); /* DontFragment brings it */
}

static void hooks_and_observers_come_in_order(void **state) {
    ecs_world_t *world = *state;
    use(world);
    hear(world);
    ecs_entity_t e = ecs_new(world);
    ecs_set(world, e, Name, { "a" });
    assert_heard("hook-add add hook-set set ");
    ecs_set(world, e, Name, { "b" });
    assert_heard("hook-set set ");
    ecs_modified(world, e, Name);
    assert_heard("hook-set set ");
    ecs_add(world, e, Name);
    assert_heard("");
    ecs_add_id(world, e, ecs_new(world)); /* moves the entity, not the value */
    assert_heard("");
    assert_string_equal(ecs_get(world, e, Name)->text, "b");
    ecs_remove(world, e, Name);
    assert_heard("remove hook-remove ");
    ecs_add(world, e, Name);
    assert_heard("hook-add add ");
    ecs_delete(world, e);
    assert_heard("remove hook-remove ");
    e = ecs_new_w(world, Name);
    assert_heard("hook-add add ");
    ecs_clear(world, e);
    assert_heard("remove hook-remove ");
    assert_int_equal(live, 0);
    ecs_defer_begin(world);
    ecs_set(world, e, Name, { "c" });
    ecs_add_id(world, e, ecs_id(Position));
    assert_false(ecs_has(world, e, Name));
    ecs_defer_end(world);
    assert_heard("hook-add add hook-set set ");
    ecs_remove_id(world, e, EcsWildcard);
    assert_heard("remove hook-remove ");
}

static void values_are_constructed_and_destructed_once(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t e = ecs_new(world), f = ecs_new(world);
    ecs_add(world, e, Name);
    assert_string_equal(ecs_get(world, e, Name)->text, "");
    bool is_new;
    Name *raw = ecs_emplace(world, f, Name, &is_new);
    assert_true(is_new);
    raw->text = ecs_os_strdup("raw");
    live++;
    assert_ptr_equal(ecs_emplace(world, f, Name, &is_new), raw);
    assert_false(is_new);
    ecs_set(world, e, Name, { "x" });
    ecs_entity_t copy = ecs_clone(world, 0, e, true), bare = ecs_clone(world, 0, e, false);
    assert_string_equal(ecs_get(world, copy, Name)->text, "x");
    assert_string_equal(ecs_get(world, bare, Name)->text, "");
    assert_int_equal(live, 4);
    ecs_delete(world, copy);
    ecs_clear(world, bare);
    assert_int_equal(live, 2);
    ecs_defer_begin(world);
    ecs_set(world, bare, Name, { "later" });
    raw = ecs_emplace(world, copy = ecs_new(world), Name, NULL);
    raw->text = ecs_os_strdup("late");
    live++;
    ecs_remove(world, e, Name);
    ecs_set(world, e, Name, { "again" });
    ecs_ensure(world, f, Name);
    ecs_modified(world, f, Name);
    ecs_defer_end(world);
    assert_string_equal(ecs_get(world, bare, Name)->text, "later");
    assert_string_equal(ecs_get(world, copy, Name)->text, "late");
    assert_string_equal(ecs_get(world, e, Name)->text, "again");
    assert_string_equal(ecs_get(world, f, Name)->text, "raw");
    assert_int_equal(live, 4);
    ecs_defer_begin(world);
    ecs_set(world, f, Name, { "lost" });
    ecs_delete(world, f);
    ecs_set(world, f, Name, { "lost" });
    ecs_defer_end(world);
    assert_int_equal(live, 3);
    ecs_remove_all(world, ecs_id(Name));
    assert_int_equal(live, 0);
    assert_true(ecs_is_alive(world, e));
}

static const Name *old_seen;
static void on_replace(ecs_iter_t *it) {
    const Name *before = ecs_field_at(it, Name, 0, 0), *after = ecs_field_at(it, Name, 1, 0);
    old_seen = before;
    note(before->text);
    note(">");
    note(after->text);
    note(" ");
}
static void a_replace_hook_sees_both_values(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_set_hooks(world, Name, { .on_replace = on_replace });
    ecs_entity_t e = ecs_new(world);
    ecs_set(world, e, Name, { "a" });
    ecs_set(world, e, Name, { "b" });
    assert_heard(">a a>b ");
    assert_ptr_equal(old_seen, ecs_get(world, e, Name));
    ecs_defer_begin(world);
    ecs_set(world, e, Name, { "c" });
    ecs_defer_end(world);
    assert_heard("b>c ");
    ecs_defer_begin(world);
    ecs_remove(world, e, Position);
    ecs_set(world, e, Name, { "d" });
    ecs_remove(world, e, Name); /* takes the value away: it is set at the end */
    ecs_set(world, e, Name, { "e" });
    assert_heard("c>d ");
    ecs_defer_end(world);
    assert_heard(">e ");
}

static void deleting_the_component_ends_its_values(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t e = ecs_new(world), f = ecs_new(world);
    ecs_set(world, e, Name, { "a" });
    ecs_set(world, f, Position, { 1, 1 });
    ecs_add_pair(world, ecs_id(Position), EcsOnDelete, EcsDelete);
    ecs_delete(world, ecs_id(Name));
    assert_int_equal(live, 0);
    assert_true(ecs_is_alive(world, e));
    ecs_delete(world, ecs_id(Position));
    assert_false(ecs_is_alive(world, f));
    f = ecs_new(world);
    assert_int_equal(ecs_get_type(world, f)->count, 0);
}

// GRT-05: a value that is given takes the place of one that another id brought.
static void values_in_bulk_go_before_what_others_bring(void **state) {
    ecs_world_t *world = *state;
    const ecs_type_info_t type = { .size = 4, .alignment = 4 };
    ecs_entity_t power = ecs_component(world, { .type = type }),
                 duty = ecs_component(world, { .type = type });
    ecs_add_id(world, power, EcsDontFragment);
    ecs_add_id(world, duty, EcsDontFragment);
    ecs_add_pair(world, power, EcsWith, duty);
    int32_t powers[] = { 1, 2 }, duties[] = { 3, 4 };
    void *data[] = { powers, duties };
    const ecs_entity_t *made = ecs_bulk_init(
        world, &(ecs_bulk_desc_t){ .count = 2, .ids = { power, duty }, .data = data });
    for (int i = 0; i < 2; i++) {
        assert_int_equal(*(const int32_t *)ecs_get_id(world, made[i], power), i + 1);
        assert_int_equal(*(const int32_t *)ecs_get_id(world, made[i], duty), i + 3);
    }
}

static void many_are_made_with_values(void **state) {
    ecs_world_t *world = *state;
    use(world);
    Position positions[3] = { { 1, 0 }, { 2, 0 }, { 3, 0 } };
    Name names[3];
    for (int i = 0; i < 3; i++) names[i].text = ecs_os_strdup("n");
    live = 3;
    ecs_entity_t tag = ecs_new(world),
                 plain = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
    int32_t numbers[] = { 4, 5, 6 };
    void *data[] = { positions, NULL, names, numbers };
    count_sets(world);
    const ecs_entity_t *made = ecs_bulk_init(world,
        &(ecs_bulk_desc_t){
            .count = 3, .ids = { ecs_id(Position), tag, ecs_id(Name), plain }, .data = data });
    assert_int_equal(sets, 3);
    for (int i = 0; i < 3; i++) {
        assert_near(ecs_get(world, made[i], Position)->x, i + 1, 0);
        assert_string_equal(ecs_get(world, made[i], Name)->text, "n");
        assert_true(ecs_has_id(world, made[i], tag));
        assert_int_equal(*(const int32_t *)ecs_get_id(world, made[i], plain), i + 4);
    }
    ecs_dtor(Name)(names, 3, ecs_get_type_info(world, ecs_id(Name))); /* what the moves left */
    assert_int_equal(live, 3);
    made = ecs_bulk_new(world, Name, 2);
    assert_true(ecs_has(world, made[0], Name) && ecs_has(world, made[1], Name));
    ecs_entity_t e = ecs_entity(world, { .name = "e",
                                           .add = ecs_ids(tag, ecs_id(Name)),
                                           .set = ecs_values(ecs_value(Position, { 7, 8 })) });
    assert_true(ecs_has(world, e, Name));
    assert_near(ecs_get(world, e, Position)->y, 8, 0);
    ecs_delete_with(world, ecs_id(Name));
    assert_int_equal(live, 0);
    assert_false(ecs_is_alive(world, e));
}

static void instances_share_or_own_values(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t base = ecs_new_w_id(world, EcsPrefab),
                 child = ecs_new_w_pair(world, EcsChildOf, base);
    ecs_set_name(world, child, "child");
    ecs_set(world, base, Position, { 1, 2 });
    ecs_set(world, child, Name, { "of child" });
    ecs_set(world, child, Position, { 5, 6 });
    ecs_auto_override(world, child, Position);
    count_sets(world);
    ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, base);
    assert_int_equal(sets, 1);
    assert_true(ecs_has(world, e, Position));
    assert_false(ecs_owns(world, e, Position));
    assert_ptr_equal(ecs_get(world, e, Position), ecs_get(world, base, Position));
    assert_null(ecs_get_mut(world, e, Position));
    assert_id_equal(world, ecs_get_target_for(world, e, EcsIsA, Position), base);
    ecs_entity_t copy = ecs_lookup_child(world, e, "child");
    assert_string_equal(ecs_get(world, copy, Name)->text, "of child");
    assert_ptr_not_equal(ecs_get(world, copy, Name), ecs_get(world, child, Name));
    assert_true(ecs_owns(world, copy, Position));
    assert_near(ecs_get(world, copy, Position)->y, 6, 0);
    assert_ptr_not_equal(ecs_get(world, copy, Position), ecs_get(world, child, Position));
    assert_near(ecs_ensure(world, e, Position)->y, 2, 0); /* an override begins as its base */
    assert_true(ecs_owns(world, e, Position));
    ecs_get_mut(world, e, Position)->y = 3;
    assert_near(ecs_get(world, base, Position)->y, 2, 0);
    ecs_remove(world, e, Position);
    assert_near(ecs_get(world, e, Position)->y, 2, 0);
    ecs_auto_override(world, base, Position);
    ecs_entity_t f = ecs_new_w_pair(world, EcsIsA, base);
    assert_true(ecs_owns(world, f, Position));
    assert_near(ecs_get(world, f, Position)->x, 1, 0);
}

static void policies_of_instantiation_count(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_add_pair(world, ecs_id(Position), EcsOnInstantiate, EcsOverride);
    ecs_add_pair(world, ecs_id(Name), EcsOnInstantiate, EcsDontInherit);
    ecs_entity_t base = ecs_new(world);
    ecs_set(world, base, Position, { 1, 2 });
    ecs_set(world, base, Name, { "base" });
    ecs_entity_t e = ecs_new(world);
    ecs_add_pair(world, e, EcsIsA, base);
    assert_true(ecs_owns(world, e, Position));
    assert_near(ecs_get(world, e, Position)->y, 2, 0);
    assert_false(ecs_has(world, e, Name));
    ecs_add(world, e, Name);
    assert_string_equal(ecs_get(world, e, Name)->text, "");
    ecs_entity_t f = ecs_new_w_pair(world, EcsIsA, e);
    assert_near(ecs_get(world, f, Position)->y, 2, 0);
    assert_true(ecs_owns(world, f, Position));
}

static void traits_must_come_before_use(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Tag);
    ecs_entity_t e = ecs_new_w(world, Tag);
    expect_abort(ECS_INVALID_OPERATION, ecs_add_id(world, Tag, storage));
    expect_abort(ECS_INVALID_PARAMETER, ecs_get_sparse_id(world, e, Tag, 0));
}

static void tags_are_kept_too(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Tag);
    ecs_add_id(world, Tag, storage);
    ecs_entity_t e = ecs_new_w(world, Tag);
    assert_true(ecs_has(world, e, Tag));
    ecs_add_pair(world, e, Tag, e);
    assert_true(ecs_has_pair(world, e, Tag, e));
    ecs_remove_pair(world, e, EcsWildcard, e);
    assert_false(ecs_has_pair(world, e, Tag, EcsWildcard));
    assert_true(ecs_has(world, e, Tag));
    ecs_remove(world, e, Tag);
    assert_false(ecs_has(world, e, Tag));
    assert_int_equal(ecs_count(world, Tag), 0);
}

// Far more ids than are asked one by one for what an entity has.
static void one_of_many_ids_is_found(void **state) {
    enum { MANY = 200 };
    ecs_world_t *world = *state;
    ecs_entity_t tags[MANY], target = ecs_new(world), all = ecs_new(world);
    ecs_entity_t early = ecs_new_w_pair(world, EcsChildOf, target);
    for (int32_t i = 0; i < MANY; i++) {
        tags[i] = ecs_new_w_id(world, storage);
        ecs_add_id(world, all, tags[i]);
        ecs_add_pair(world, all, tags[i], target);
        if (i % 50 == 3) ecs_add_id(world, early, tags[i]);
        if (i % 50 == 4) ecs_add_pair(world, early, tags[i], target);
    }
    assert_true(ecs_world_verify(world));
    ecs_entity_t copy = ecs_clone(world, 0, early, true);
    ecs_set_version(world, early += UINT64_C(5) << 32);
    for (int32_t i = 0; i < MANY; i++) {
        assert_int_equal(ecs_has_id(world, copy, tags[i]), i % 50 == 3);
        assert_int_equal(ecs_has_pair(world, early, tags[i], target), i % 50 == 4);
        assert_true(ecs_has_id(world, all, tags[i]));
    }
    ecs_remove_id(world, copy, EcsWildcard);
    assert_false(ecs_has_id(world, copy, tags[3]));
    assert_true(ecs_has_pair(world, copy, EcsWildcard, target));
    ecs_delete(world, tags[4]);
    assert_true(ecs_has_pair(world, copy, tags[54], target));
    ecs_delete(world, early);
    ecs_clear(world, all);
    assert_false(ecs_has_pair(world, all, EcsWildcard, EcsWildcard));
    assert_true(ecs_world_verify(world));
    assert_int_equal(ecs_count_id(world, tags[3]), 0);
    assert_int_equal(ecs_count_id(world, ecs_pair(tags[54], target)), 1);
}

static int64_t resident_kb(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long all = 0, resident = 0;
    const bool is_told = file && fscanf(file, "%lu %lu", &all, &resident) == 2;
    if (file) fclose(file);
    if (!is_told || is_instrumented()) skip();
    return (int64_t)resident * sysconf(_SC_PAGESIZE) / 1024;
}

// Ids may be as high as servers give them to their clients: what is found by index has memory where it is used.
static void high_ids_cost_no_more_memory(void **state) {
    ecs_world_t *world = *state;
    use(world);
    const ecs_entity_t high = 400000000;
    ecs_make_alive(world, high);
    const int64_t before = resident_kb();
    ecs_set(world, high, Position, { 1, 2 });
    assert_true(resident_kb() - before < 8192);
    assert_near(ecs_get(world, high, Position)->y, 2, 0);
    assert_true(ecs_world_verify(world));
}

#define both(f)                            \
    static void f##_sparse(void **state) { \
        storage = EcsSparse;               \
        f(state);                          \
    }                                      \
    static void f##_beside(void **state) { \
        storage = EcsDontFragment;         \
        f(state);                          \
    }

both(values_keep_their_addresses) both(the_type_tells_of_sparse_ids_alone)
    both(hooks_and_observers_come_in_order) both(values_are_constructed_and_destructed_once)
        both(a_replace_hook_sees_both_values) both(deleting_the_component_ends_its_values)
            both(many_are_made_with_values) both(instances_share_or_own_values)
                both(policies_of_instantiation_count) both(traits_must_come_before_use)
                    both(tags_are_kept_too) both(one_of_many_ids_is_found)
                        both(high_ids_cost_no_more_memory)
#define both_tests(f) mini_world_test(f##_sparse), mini_world_test(f##_beside)

                            int main(void) {
    const struct CMUnitTest tests[] = {
        both_tests(values_keep_their_addresses),
        both_tests(the_type_tells_of_sparse_ids_alone),
        both_tests(hooks_and_observers_come_in_order),
        both_tests(values_are_constructed_and_destructed_once),
        both_tests(a_replace_hook_sees_both_values),
        both_tests(deleting_the_component_ends_its_values),
        mini_world_test(values_in_bulk_go_before_what_others_bring),
        both_tests(many_are_made_with_values),
        both_tests(instances_share_or_own_values),
        both_tests(policies_of_instantiation_count),
        both_tests(traits_must_come_before_use),
        both_tests(tags_are_kept_too),
        both_tests(one_of_many_ids_is_found),
        both_tests(high_ids_cost_no_more_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
