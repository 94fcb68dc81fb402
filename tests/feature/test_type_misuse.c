// SPDX-License-Identifier: MIT
// Types: what nobody can mean is refused, and leaves the world, and types that are there, as they were (sheet 07).
// Checks go on here, as they do with soft asserts.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

static ecs_entity_t make_pair_of_floats(ecs_world_t *world) {
    return ecs_struct(world, { .members = { { .name = "x", .type = ecs_id(ecs_f32_t) },
                                   { .name = "y", .type = ecs_id(ecs_f32_t) } } });
}

static ecs_entity_t make_with(ecs_world_t *world, ecs_entity_t part) {
    return ecs_struct(world, { .members = { { .name = "part", .type = part, .count = 2 } } });
}

// ---- Values that cannot be copied ----

static void descriptions_are_not_copied(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t type = make_pair_of_floats(world), e = ecs_new(world);
    const EcsStruct *value = ecs_get(world, type, EcsStruct);
    (void)value; /* where nothing is checked */
    expect_refused(
        ECS_INVALID_OPERATION, "cannot be copied", ecs_set_ptr(world, e, EcsStruct, value));
    expect_refused(
        ECS_INVALID_OPERATION, "cannot be copied", ecs_set_ptr(world, type, EcsStruct, value));
    assert_false(ecs_has(world, e, EcsStruct));
    assert_string_equal(ecs_struct_get_nth_member(world, type, 1)->name, "y");
    ecs_defer_begin(world);
    expect_refused(
        ECS_INVALID_OPERATION, "cannot be copied", ecs_set_ptr(world, e, EcsStruct, value));
    ecs_defer_end(world);
    assert_false(ecs_has(world, e, EcsStruct));
    expect_refused(ECS_INVALID_OPERATION, "cannot be copied",
        assert_null(ecs_value_init(world, ecs_id(EcsStruct), value).ptr));
    EcsStruct other = { 0 };
    expect_refused(ECS_INVALID_OPERATION, "cannot be copied",
        assert_int_equal(ecs_ptr_copy(world, ecs_id(EcsStruct), &other, value), -1));
    assert_int_equal(other.members.count, 0);
}

static void a_described_type_is_not_cloned_with_its_values(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t type = make_pair_of_floats(world), e = ecs_new(world);
    expect_refused(ECS_INVALID_OPERATION, "cannot clone",
        assert_int_equal(ecs_clone(world, 0, type, true), 0));
    expect_refused(ECS_INVALID_OPERATION, "cannot clone",
        assert_int_equal(ecs_clone(world, e, type, true), 0));
    assert_int_equal(ecs_get_type(world, e)->count, 0);
    ecs_defer_begin(world);
    ecs_clone(world, e, type, true);
    expect_refused(ECS_INVALID_OPERATION, "cannot clone", ecs_defer_end(world));
    if (ecs_is_deferred(world)) ecs_defer_end(world);
    assert_false(ecs_has(world, e, EcsType));
}

// Without values it has the components of a type, which describe nothing.
static void a_clone_without_values_has_no_description(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t type = make_pair_of_floats(world), clone = ecs_clone(world, 0, type, false);
    assert_true(ecs_has(world, clone, EcsTypeSerializer));
    expect_error(ECS_INVALID_PARAMETER, "description",
        assert_false(ecs_meta_cursor(world, clone, &(double){ 0 }).valid));
    expect_error(
        ECS_INVALID_PARAMETER, "description", assert_int_equal(make_with(world, clone), 0));
}

// ---- Pairs with components that say what their entity is say nothing ----

static void set_zeroes(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    const ecs_type_info_t *type = ecs_get_type_info(world, id);
    const uint8_t zeroes[512] = { 0 };
    assert_true((size_t)type->size <= sizeof zeroes);
    ecs_set_id(world, entity, id, (size_t)type->size, zeroes);
}

static void pairs_say_nothing_of_their_entity(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t tag = ecs_new(world), parent = ecs_new(world), other = ecs_new(world);
    const ecs_entity_t components[] = { ecs_id(EcsPrimitive), ecs_id(EcsEnum), ecs_id(EcsBitmask),
        ecs_id(EcsArray), ecs_id(EcsVector), ecs_id(EcsMap), ecs_id(EcsOpaque), ecs_id(EcsMember),
        ecs_id(EcsMemberRanges) };
    const ecs_entity_t e = ecs_new_w_pair(world, EcsChildOf, make_pair_of_floats(world));
    for (size_t i = 0; i < sizeof components / sizeof *components; i++) {
        set_zeroes(world, e, ecs_pair(components[i], tag));
        set_zeroes(world, e, ecs_pair(tag, components[i]));
        ecs_remove_pair(world, e, components[i], tag);
    }
    assert_false(ecs_has(world, e, EcsType));
    ecs_set_pair(world, e, EcsComponent, tag, { 8, 8 });
    assert_null(ecs_get_type_info(world, e));

    const ecs_entity_t child = ecs_new_w_parent(world, parent, "child");
    ecs_set_pair(world, child, EcsParent, other, { tag });
    ecs_remove_pair(world, child, ecs_id(EcsParent), other);
    assert_id_equal(world, ecs_get_parent(world, child), parent);
    ecs_delete(world, parent);
    assert_false(ecs_is_alive(world, child));
}

// ---- Imports ----

static void types_are_not_imported_where_there_is_no_place(void **state) {
    ecs_world_t *world = *state;
    void (*const import[])(ecs_world_t *) = { FlecsMetaImport, FlecsDocImport };
    ecs_table_t *const root = ecs_get_table(world, ecs_new(world));
    for (int i = 0; i < 2; i++) {
        const uint64_t before = ecs_world_hash(world);
        ecs_readonly_begin(world, false);
        expect_refused(ECS_INVALID_WHILE_READONLY, "readonly", import[i](world));
        ecs_readonly_end(world);
        ecs_table_lock(world, root);
        expect_refused(ECS_LOCKED_STORAGE, "being iterated", import[i](world));
        ecs_table_unlock(world, root);
        assert_false(ecs_is_alive(world, ecs_id(EcsType)));
        assert_true(ecs_world_hash(world) == before);
    }
    FlecsDocImport(world);
    assert_int_equal(ecs_id(ecs_i32_t), ecs_lookup(world, "flecs.meta.i32"));
    assert_true(ecs_has_id(world, ecs_lookup(world, "flecs.doc"), EcsModule));
}

static void types_are_not_imported_over_others(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t e = ecs_new(world);
    ecs_make_alive(world, ecs_id(EcsTypeSerializer));
    ecs_add_id(world, e, ecs_id(EcsTypeSerializer));
    expect_error(ECS_ALREADY_IN_USE, "somebody else has #356", FlecsMetaImport(world));
    expect_error(ECS_ALREADY_IN_USE, "somebody else has #356", FlecsDocImport(world));
    assert_int_equal(ecs_lookup(world, "flecs.meta"), 0);
    assert_int_equal(ecs_lookup(world, "flecs.doc"), 0);
}

// ---- Who cannot become a type ----

static ecs_entity_t as_struct(ecs_world_t *world, ecs_entity_t entity) {
    return ecs_struct(
        world, { .entity = entity, .members = { { .name = "x", .type = ecs_id(ecs_f32_t) } } });
}
static ecs_entity_t as_enum(ecs_world_t *world, ecs_entity_t entity) {
    return ecs_enum(world, { .entity = entity, .constants = { { .name = "A" } } });
}
static ecs_entity_t as_bitmask(ecs_world_t *world, ecs_entity_t entity) {
    return ecs_bitmask(world, { .entity = entity, .constants = { { .name = "A" } } });
}
static ecs_entity_t as_array(ecs_world_t *world, ecs_entity_t entity) {
    return ecs_array(world, { .entity = entity, .type = ecs_id(ecs_f32_t), .count = 2 });
}
static ecs_entity_t as_vector(ecs_world_t *world, ecs_entity_t entity) {
    return ecs_vector(world, { .entity = entity, .type = ecs_id(ecs_f32_t) });
}
static ecs_entity_t as_map(ecs_world_t *world, ecs_entity_t entity) {
    return ecs_map_type(
        world, { .entity = entity, .key_type = ecs_id(ecs_i32_t), .type = ecs_id(ecs_f32_t) });
}
static ecs_entity_t as_primitive(ecs_world_t *world, ecs_entity_t entity) {
    return ecs_primitive(world, { .entity = entity, .kind = EcsI32 });
}
static ecs_entity_t as_unit(ecs_world_t *world, ecs_entity_t entity) {
    return ecs_unit(world, { .entity = entity, .symbol = "u" });
}
static ecs_entity_t as_unit_prefix(ecs_world_t *world, ecs_entity_t entity) {
    return ecs_unit_prefix(world, { .entity = entity, .symbol = "u" });
}

static ecs_entity_t (*const describe[])(ecs_world_t *world, ecs_entity_t entity) = { as_struct,
    as_enum, as_bitmask, as_array, as_vector, as_map, as_primitive, as_unit, as_unit_prefix };
enum { KINDS = sizeof describe / sizeof *describe };

static void a_world_without_types_says_so(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t e = ecs_new(world);
    for (int i = 0; i < KINDS; i++) {
        for (int given = 0; given < 2; given++) {
            expect_error(ECS_INVALID_PARAMETER, "FlecsMetaImport",
                assert_int_equal(describe[i](world, given ? e : 0), 0));
        }
    }
    const ecs_member_t member = { .name = "x", .type = ecs_id(ecs_f32_t) };
    expect_error(ECS_INVALID_PARAMETER, "FlecsMetaImport",
        assert_int_equal(ecs_struct_add_member(world, e, &member), -1));
    expect_error(ECS_INVALID_PARAMETER, "FlecsMetaImport",
        assert_int_equal(ecs_quantity(world, { .name = "Length" }), 0));
    assert_int_equal(ecs_lookup(world, "Length"), 0);
    assert_int_equal(ecs_get_type(world, e)->count, 0);
}

static void a_locked_world_describes_nothing(void **state) {
    ecs_world_t *world = *state, *stage = ecs_get_stage(world, 0);
    const ecs_entity_t e = ecs_new(world), type = make_with(world, ecs_id(ecs_string_t));
    ecs_exclusive_access_begin(world, "one");
    ecs_exclusive_access_end(world, true);
    const ecs_member_t member = { .name = "x", .type = ecs_id(ecs_f32_t) };
    for (int with_stage = 0; with_stage < 2; with_stage++) {
        ecs_world_t *by = with_stage ? stage : world;
        for (int i = 0; i < KINDS; i++) {
            expect_refused(ECS_ACCESS_VIOLATION, "locked", assert_int_equal(describe[i](by, e), 0));
            expect_refused(ECS_ACCESS_VIOLATION, "locked", assert_int_equal(describe[i](by, 0), 0));
        }
        expect_refused(ECS_ACCESS_VIOLATION, "locked",
            assert_int_equal(ecs_struct_add_member(by, type, &member), -1));
    }
    ecs_exclusive_access_begin(world, "one");
    ecs_exclusive_access_end(world, false);
    assert_int_equal(ecs_get_type(world, e)->count, 0);
    assert_int_equal(ecs_get(world, type, EcsStruct)->members.count, 1);
}

static void what_cannot_be_alive_becomes_no_type(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t e = ecs_new(world);
    const ecs_entity_t none[] = { UINT32_MAX, e | 5ull << 32, ECS_TOGGLE | e, ecs_pair(e, e) };
    for (int i = 0; i < KINDS; i++) {
        for (int j = 0; j < 4; j++) {
            (void)none[j];
            expect_refused(j ? ECS_INVALID_PARAMETER : ECS_OUT_OF_RANGE, "alive",
                assert_int_equal(describe[i](world, none[j]), 0));
        }
    }
    expect_refused(ECS_INVALID_PARAMETER, "alive",
        assert_int_equal(ecs_component(world, { .entity = none[1], .type = { 4, 4 } }), 0));
    expect_refused(ECS_INVALID_PARAMETER, "not alive",
        assert_int_equal(ecs_struct_add_member(world, none[1],
                             &(ecs_member_t){ .name = "x", .type = ecs_id(ecs_f32_t) }),
            -1));
    assert_int_equal(ecs_get_type(world, e)->count, 0);
}

static void a_c_text_describes_somebody(void **state) {
    ecs_world_t *world = *state;
    const int32_t before = ecs_count(world, EcsComponent);
    expect_refused(ECS_INVALID_PARAMETER, "component",
        assert_int_equal(ecs_meta_from_desc(world, 0, EcsStructType, "{ float x; }"), -1));
    assert_int_equal(ecs_count(world, EcsComponent), before);
}

// Ids that are given come to life for their description, and end with one that is wrong.
static void who_came_to_life_for_nothing_ends(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t given = 5000;
    expect_error(ECS_INVALID_PARAMETER, "count",
        assert_int_equal(
            ecs_struct(
                world, { .entity = given, .members = { { .name = "count", .type = given + 1 } } }),
            0));
    assert_false(ecs_is_alive(world, given));
    assert_int_equal(as_struct(world, given), given);
}

static void end_it(ecs_iter_t *it) { ecs_delete(it->world, it->entities[0]); }

static void who_hears_of_a_type_may_end_it(void **state) {
    const ecs_entity_t parts[] = { ecs_id(EcsComponent), ecs_id(EcsType),
        ecs_id(EcsTypeSerializer) };
    ecs_world_t *world = *state;
    for (int i = 0; i < 3; i++) {
        const ecs_entity_t observer = ecs_observer(
            world, { .query.terms = { { parts[i] } }, .events = { EcsOnSet }, .callback = end_it });
        for (int j = 0; j < KINDS - 2; j++) {
            const ecs_entity_t e = ecs_new(world);
            expect_error(ECS_INVALID_PARAMETER, "", assert_int_equal(describe[j](world, e), 0));
            assert_false(ecs_is_alive(world, e));
        }
        ecs_delete(world, observer);
    }
}

static void who_hears_of_a_description_may_end_it(void **state) {
    ecs_world_t *world = *state;
    const ecs_id_t parts[] = { ecs_id(EcsStruct), ecs_id(EcsEnum), ecs_id(EcsBitmask),
        ecs_id(EcsArray), ecs_id(EcsVector), ecs_id(EcsMap), ecs_id(EcsPrimitive), ecs_id(EcsUnit),
        ecs_id(EcsUnitPrefix), ecs_id(EcsConstants) };
    for (int i = 0; i < KINDS + 1; i++) {
        ecs_observer(
            world, { .query.terms = { { parts[i] } }, .events = { EcsOnSet }, .callback = end_it });
    }
    for (int i = 0; i < KINDS; i++) {
        const ecs_entity_t e = ecs_new(world);
        assert_int_equal(describe[i](world, e), 0);
        assert_int_equal(describe[i](world, 0), 0);
        assert_false(ecs_is_alive(world, e));
    }
}

static void end_parent(ecs_iter_t *it) {
    ecs_delete(it->world, ecs_get_parent(it->world, it->entities[0]));
}

static void who_hears_of_a_member_or_constant_may_end_the_type(void **state) {
    ecs_world_t *world = *state;
    const ecs_id_t parts[] = { ecs_id(EcsMember), EcsConstant };
    for (int i = 0; i < 2; i++) {
        ecs_observer(world, { .query.terms = { { parts[i] } },
                                .events = { i ? EcsOnAdd : EcsOnSet },
                                .callback = end_parent });
    }
    const ecs_entity_t e = ecs_new(world);
    ecs_struct(world, { .entity = e,
                          .members = { { .name = "x", .type = ecs_id(ecs_f32_t) },
                              { .name = "y", .type = ecs_id(ecs_f32_t) } },
                          .create_member_entities = true });
    assert_false(ecs_is_alive(world, e));
    const ecs_entity_t type = ecs_new(world);
    ecs_log_start_capture(true);
    assert_int_equal(as_enum(world, type), 0);
    ecs_os_free(ecs_log_stop_capture());
    assert_false(ecs_is_alive(world, type));
}

// ---- Parts of a description that are taken away ----

static void a_part_that_lost_its_description_cannot_be_another(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t part = make_pair_of_floats(world), owner = make_with(world, part);
    ecs_value_t value = ecs_value_new(world, owner);
    for (int i = 0; i < 2; i++) {
        i ? ecs_clear(world, part) : ecs_remove(world, part, EcsTypeSerializer);
        expect_error(ECS_INVALID_PARAMETER, "is part of",
            assert_int_equal(
                ecs_struct(world,
                    { .entity = part,
                        .members = { { .name = "x", .type = ecs_id(ecs_f64_t), .count = 9 } } }),
                0));
    }
    expect_error(ECS_INVALID_PARAMETER, "description",
        assert_null(ecs_ptr_to_json(world, owner, value.ptr)));
    ecs_value_fini(world, &value);
    ecs_delete(world, owner);
    assert_int_equal(as_struct(world, part), part);
}

// Hooks of what it was would read what it is now.
static void a_type_that_lost_its_description_may_be_of_another_kind(void **state) {
    ecs_world_t *world = *state;
    for (int i = 0; i < 3; i++) {
        const ecs_entity_t type = as_vector(world, ecs_new(world));
        if (i != 1) ecs_remove(world, type, EcsTypeSerializer);
        if (i) ecs_remove(world, type, EcsType);
        if (i == 1) ecs_remove(world, type, EcsTypeSerializer);
        if (i == 2) ecs_add(world, type, EcsTypeSerializer); /* an empty one */
        assert_int_equal(
            ecs_struct(
                world, { .entity = type,
                           .members = { { .name = "x", .type = ecs_id(ecs_i64_t), .count = 2 } } }),
            type);
        ecs_value_t value = ecs_value_new(world, type);
        assert_non_null(ecs_ptr_from_json(world, type, value.ptr, "{\"x\":[7, 8]}", NULL));
        ecs_value_t copy = ecs_value_init(world, type, value.ptr);
        assert_true(ecs_value_equals(world, &value, &copy));
        ecs_value_fini(world, &copy);
        ecs_value_fini(world, &value);
    }
}

static void *no_member(void *dst, const char *name) {
    (void)name;
    return dst;
}

static void an_opaque_type_looks_like_what_its_type_was(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t as = make_pair_of_floats(world);
    const ecs_entity_t type = ecs_component(world, { .type = { 8, 8 } });
    ecs_opaque(world, { .entity = type, .type = { .as_type = as, .ensure_member = no_member } });
    ecs_clear(world, as);
    assert_int_equal(as_enum(world, as), as);
    ecs_meta_cursor_t cursor = ecs_meta_cursor(world, type, &(int64_t){ 0 });
    expect_error(ECS_INVALID_OPERATION, "no parts", assert_int_equal(ecs_meta_push(&cursor), -1));
}

static void a_struct_with_no_members_any_more_is_shown(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t type = make_pair_of_floats(world);
    ecs_remove(world, type, EcsStruct);
    ecs_add(world, type, EcsStruct);
    char *text = ecs_type_info_to_json(world, type);
    assert_string_equal(text, "{\"x\":[\"float\"], \"y\":[\"float\"]}");
    ecs_os_free(text);
}

static void a_type_without_its_kind_is_hashed(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t type = make_pair_of_floats(world);
    ecs_add_id(world, ecs_new(world), type);
    const uint64_t before = ecs_world_hash(world);
    ecs_remove(world, type, EcsType);
    assert_true(ecs_world_hash(world) != before);
}

static void values_of_a_described_type_keep_their_size(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t type = make_pair_of_floats(world), owner = make_with(world, type);
    expect_refused(ECS_ALREADY_DEFINED, "described", ecs_set(world, type, EcsComponent, { 2, 2 }));
    assert_int_equal(ecs_get(world, type, EcsComponent)->size, type ? 8 : 0);
    ecs_remove(world, type, EcsTypeSerializer);
    expect_refused(ECS_ALREADY_DEFINED, "described", ecs_set(world, type, EcsComponent, { 64, 8 }));
    assert_int_equal(ecs_get_type_info(world, type)->size, 8);
    assert_int_equal(ecs_get_type_info(world, owner)->size, 16);
}

// Owned values outlive their type, and are ended as what they were.
static void owned_values_keep_their_type_from_becoming_another(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t type = as_array(world, ecs_new(world));
    ecs_value_t value = ecs_value_new(world, type);
    ecs_clear(world, type);
    expect_error(ECS_INVALID_PARAMETER, "owned values", assert_int_equal(as_map(world, type), 0));
    expect_refused(
        ECS_ALREADY_IN_USE, "owned values", ecs_set(world, type, EcsComponent, { 4, 4 }));
    assert_false(ecs_get_type_info(world, type) != NULL);
    ecs_value_fini(world, &value);
    assert_int_equal(as_map(world, type), type);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(descriptions_are_not_copied),
        world_test(a_described_type_is_not_cloned_with_its_values),
        world_test(a_clone_without_values_has_no_description),
        world_test(pairs_say_nothing_of_their_entity),
        mini_world_test(types_are_not_imported_where_there_is_no_place),
        mini_world_test(types_are_not_imported_over_others),
        mini_world_test(a_world_without_types_says_so),
        world_test(a_locked_world_describes_nothing),
        world_test(what_cannot_be_alive_becomes_no_type),
        world_test(a_c_text_describes_somebody),
        world_test(who_came_to_life_for_nothing_ends),
        world_test(who_hears_of_a_type_may_end_it),
        world_test(who_hears_of_a_description_may_end_it),
        world_test(who_hears_of_a_member_or_constant_may_end_the_type),
        world_test(a_part_that_lost_its_description_cannot_be_another),
        world_test(a_type_that_lost_its_description_may_be_of_another_kind),
        world_test(an_opaque_type_looks_like_what_its_type_was),
        world_test(a_struct_with_no_members_any_more_is_shown),
        world_test(a_type_without_its_kind_is_hashed),
        world_test(values_of_a_described_type_keep_their_size),
        world_test(owned_values_keep_their_type_from_becoming_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
