// SPDX-License-Identifier: MIT
// Reflection: types made from descriptors and C text, values of run-time types, doc texts (sheet 07).
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;

typedef struct Named {
    char *name;
} Named;

static char *expr(const ecs_world_t *world, ecs_entity_t type, const void *ptr) {
    static char text[512];
    char *result = ecs_ptr_to_expr(world, type, ptr);
    snprintf(text, sizeof text, "%s", result ? result : "(none)");
    ecs_os_free(result);
    return text;
}

// ---- Structs ----

static ecs_entity_t make_point(ecs_world_t *world) {
    return ecs_struct(world, { .entity = ecs_entity(world, { .name = "Point" }),
                                 .members = { { .name = "x", .type = ecs_id(ecs_f32_t) },
                                     { .name = "y", .type = ecs_id(ecs_f64_t) },
                                     { .name = "c", .type = ecs_id(ecs_char_t) } } });
}

static void a_struct_is_laid_out_like_c_does(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = make_point(world);
    assert_true(type != 0);
    const EcsComponent *component = ecs_get(world, type, EcsComponent);
    assert_int_equal(component->size, 24);
    assert_int_equal(component->alignment, 8);
    assert_int_equal(ecs_struct_get_member(world, type, "y")->offset, 8);
    assert_int_equal(ecs_struct_get_nth_member(world, type, 2)->offset, 16);
    assert_null(ecs_struct_get_member(world, type, "z"));
    assert_int_equal(ecs_get(world, type, EcsType)->kind, EcsStructType);
    assert_false(ecs_get(world, type, EcsType)->existing);
}

static void operations_list_members_and_nested_structs_in_line(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t point = make_point(world);
    ecs_entity_t line =
        ecs_struct(world, { .members = { { .name = "from", .type = point },
                                { .name = "ids", .type = ecs_id(ecs_i32_t), .count = 3 } } });
    const EcsTypeSerializer *serializer = ecs_get(world, line, EcsTypeSerializer);
    const ecs_meta_op_t *ops = ecs_vec_first(&serializer->ops);
    const ecs_meta_op_kind_t kinds[] = { EcsOpPushStruct, EcsOpPushStruct, EcsOpF32, EcsOpF64,
        EcsOpChar, EcsOpPop, EcsOpPushArray, EcsOpForward, EcsOpPop, EcsOpPop };
    assert_int_equal(ecs_vec_count(&serializer->ops), 10);
    for (int i = 0; i < 10; i++) assert_int_equal(ops[i].kind, kinds[i]);
    assert_string_equal(ops[1].name, "from");
    assert_int_equal(ops[3].offset, 8);
    assert_int_equal(ops[6].offset, 24);
    assert_int_equal(ecs_meta_op_get_elem_count(&ops[6], NULL), 3);
    char *text = ecs_meta_serializer_to_str(world, line);
    assert_non_null(strstr(text, "PushStruct 'from'"));
    ecs_os_free(text);
}

static void wrong_structs_are_refused_and_leave_nothing(void **state) {
    ecs_world_t *world = *state;
    ecs_log_set_level(-4);
    ecs_entity_t e = ecs_entity(world, { .name = "E" }), tag = ecs_new(world);
    uint64_t before = ecs_world_hash(world);
    assert_int_equal(ecs_struct(world, { .entity = e }), 0);
    assert_int_equal(ecs_struct(world, { .entity = e, .members = { { .name = "a" } } }), 0);
    assert_int_equal(
        ecs_struct(world, { .entity = e, .members = { { "", ecs_id(ecs_i32_t) } } }), 0);
    assert_int_equal(ecs_struct(world, { .entity = e,
                                           .members = { { "#1", ecs_id(ecs_i32_t) } },
                                           .create_member_entities = true }),
        0);
    assert_int_equal(ecs_enum(world, { .entity = e, .constants = { { "#1" } } }), 0);
    assert_int_equal(ecs_enum(world, { .entity = e, .constants = { { "" } } }), 0);
    assert_int_equal(
        ecs_struct(world, { .entity = e, .members = { { .name = "a", .type = tag } } }), 0);
    assert_int_equal(
        ecs_struct(world, { .entity = e, .members = { { .name = "a", .type = e } } }), 0);
    assert_int_equal(ecs_struct(world, { .entity = e,
                                           .members = { { .name = "a", .type = ecs_id(ecs_i8_t) },
                                               { .name = "a", .type = ecs_id(ecs_i8_t) } } }),
        0);
    assert_int_equal(
        ecs_struct(world, { .entity = e,
                              .members = { { .name = "a", .type = ecs_id(ecs_i32_t) },
                                  { .name = "b", .type = ecs_id(ecs_i32_t), .offset = -4 } } }),
        0);
    assert_int_equal(
        ecs_struct(
            world, { .entity = e,
                       .members = { { .name = "a", .type = ecs_id(ecs_i32_t) },
                           { .name = "b", .type = ecs_id(ecs_i32_t), .offset = INT32_MAX - 1 } } }),
        0);
    assert_int_equal(
        ecs_struct(world, { .entity = e, .members = { { "a", ecs_id(ecs_i32_t), .count = -1 } } }),
        0);
    assert_int_equal(ecs_array(world, { .entity = e, .type = tag, .count = 1 }), 0);
    assert_int_equal(ecs_array(world, { .entity = e, .type = ecs_id(ecs_i8_t) }), 0);
    assert_int_equal(ecs_vector(world, { .entity = e }), 0);
    assert_int_equal(ecs_map_type(world,
                         { .entity = e, .key_type = ecs_id(ecs_f32_t), .type = ecs_id(ecs_i8_t) }),
        0);
    assert_int_equal(ecs_enum(world, { .entity = e,
                                         .constants = { { .name = "A", .value = 1 },
                                             { .name = "B", .value = 1 } } }),
        0);
    assert_int_equal(ecs_primitive(world, { .entity = e }), 0);
    assert_hash_equal(ecs_world_hash(world), before);
    ecs_log_set_level(-1);
}

// Structs list the members of those inside.
static void structs_nest_up_to_a_size(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = ecs_id(ecs_i8_t);
    for (int depth = 0; depth < 3; depth++) {
        ecs_struct_desc_t desc = { 0 };
        char names[ECS_MEMBER_DESC_CACHE_SIZE][4];
        for (int i = 0; i < ECS_MEMBER_DESC_CACHE_SIZE; i++) {
            snprintf(names[i], sizeof names[i], "%d", i);
            desc.members[i] = (ecs_member_t){ .name = names[i], .type = type };
        }
        if (depth < 2)
            assert_true((type = ecs_struct_init(world, &desc)) != 0);
        else
            expect_error(ECS_INVALID_PARAMETER, "too many members", ecs_struct_init(world, &desc));
    }
}

// Those of a union may; what one of two owns would be lost, or freed twice.
static void members_that_own_memory_lie_apart(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t text = ecs_id(ecs_string_t), number = ecs_id(ecs_i64_t);
    ecs_entity_t texts = ecs_array(world, { .type = text, .count = 2 });
    ecs_entity_t list = ecs_vector(world, { .type = number });
    ECS_COMPONENT(world, Named);
    ecs_struct(world, { .entity = ecs_id(Named), .members = { { .name = "name", .type = text } } });
    const ecs_entity_t types[][2] = { { text, text }, { text, number }, { number, text },
        { list, list }, { texts, number }, { ecs_id(Named), number } };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        ecs_struct_desc_t desc = { .members = {
                                       { .name = "a", .type = types[i][0], .use_offset = true },
                                       { .name = "b", .type = types[i][1], .use_offset = true } } };
        expect_error(
            ECS_INVALID_PARAMETER, "overlap", assert_int_equal(ecs_struct_init(world, &desc), 0));
        desc.members[1].offset = 64;
        assert_true(ecs_struct_init(world, &desc));
    }
    assert_true(ecs_struct(
        world, { .members = { { .name = "a", .type = number, .use_offset = true },
                     { .name = "b", .type = ecs_id(ecs_f64_t), .use_offset = true } } }));
    ecs_member_t member = { .name = "a", .type = number, .unit = number };
    expect_error(ECS_INVALID_PARAMETER, "unit of member 'a'",
        assert_int_equal(ecs_struct(world, { .members = { member } }), 0));
}

static void members_of_packed_structs_lie_anywhere(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t pair = ecs_struct(
        world, { .members = { { "e", ecs_id(ecs_entity_t) }, { "f", ecs_id(ecs_f32_t) } } });
    const ecs_struct_desc_t desc = {
        .members = { { "a", ecs_id(ecs_u8_t) }, { "d", ecs_id(ecs_f64_t), .offset = 1 },
            { "n", ecs_id(ecs_i64_t), .offset = 9, .count = 2 },
            { "i", ecs_id(ecs_id_t), .offset = 25 }, { "p", pair, .offset = 33 } }
    };
    ecs_entity_t type = ecs_struct_init(world, &desc);
    assert_int_equal(ecs_get_type_info(world, type)->size, 49);
    assert_int_equal(ecs_get_type_info(world, type)->alignment, 1);
    char *value = ecs_ptr_new(world, type), *other = ecs_ptr_new(world, type);
    const char *json =
        "{\"a\":1, \"d\":2.5, \"n\":[-3, 4], \"i\":[\"flecs\"], \"p\":{\"e\":\"flecs\", \"f\":0.5}}";
    assert_non_null(ecs_ptr_from_json(world, type, value, json, NULL));
    char *text = ecs_ptr_to_json(world, type, value);
    assert_string_equal(text, json);
    ecs_os_free(text);
    ecs_meta_cursor_t c = ecs_meta_cursor(world, type, value);
    ecs_meta_push(&c);
    ecs_meta_member(&c, "d");
    assert_near(ecs_meta_get_float(&c), 2.5, 0);
    ecs_meta_member(&c, "i");
    assert_id_equal(world, ecs_meta_get_id(&c), EcsFlecs);
    ecs_value_t a = { type, value }, b = { type, other };
    assert_int_equal(ecs_value_compare(world, &a, &b), 1);
    ecs_ptr_free(world, type, value);
    ecs_ptr_free(world, type, other);
    ecs_entity_t packed = ecs_component(world, { .type = { .size = 9, .alignment = 1 } });
    assert_id_equal(world, packed,
        ecs_struct(
            world, { .entity = packed,
                       .members = { { "d", ecs_id(ecs_f64_t) }, { "a", ecs_id(ecs_u8_t) } } }));
    ecs_entity_t text_first = ecs_component(world, { .type = { .size = 9, .alignment = 1 } });
    const ecs_entity_t owner = ecs_vector(world, { .type = type });
    expect_error(ECS_INVALID_PARAMETER, "aligned",
        assert_int_equal(ecs_struct(world, { .entity = text_first,
                                               .members = { { "s", ecs_id(ecs_string_t) } } }),
            0));
    expect_error(ECS_INVALID_PARAMETER, "aligned",
        assert_int_equal(ecs_struct(world, { .members = { { "v", owner, .offset = 4 } } }), 0));
    ecs_entity_t whole = ecs_component(world, { .type = { .size = 8, .alignment = 1 } });
    assert_id_equal(world, whole,
        ecs_struct(world, { .entity = whole, .members = { { "s", ecs_id(ecs_string_t) } } }));
}

static void a_description_covers_a_part_of_a_component_or_all(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_log_set_level(-4);
    assert_int_equal(ecs_struct(world, { .entity = ecs_id(Position),
                                           .members = { { .name = "x", .type = ecs_id(ecs_f64_t) },
                                               { .name = "y", .type = ecs_id(ecs_f64_t) } } }),
        0);
    ecs_log_set_level(-1);
    assert_true(ecs_struct(world,
        { .entity = ecs_id(Position), .members = { { .name = "x", .type = ecs_id(ecs_f32_t) } } }));
    assert_true(ecs_get(world, ecs_id(Position), EcsType)->partial);
    assert_true(ecs_get(world, ecs_id(Position), EcsType)->existing);
    assert_true(ecs_struct(world, { .entity = ecs_id(Position),
                                      .members = { { .name = "x", .type = ecs_id(ecs_f32_t) },
                                          { .name = "y", .type = ecs_id(ecs_f32_t) } } }));
    assert_false(ecs_get(world, ecs_id(Position), EcsType)->partial);
    assert_string_equal(expr(world, ecs_id(Position), &(Position){ 1, 2.5f }), "{x: 1, y: 2.5}");
}

static void members_are_added_one_by_one(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = ecs_entity(world, { .name = "T" });
    assert_int_equal(ecs_struct_add_member(
                         world, type, &(ecs_member_t){ .name = "a", .type = ecs_id(ecs_i8_t) }),
        0);
    assert_int_equal(ecs_struct_add_member(
                         world, type, &(ecs_member_t){ .name = "b", .type = ecs_id(ecs_i32_t) }),
        0);
    assert_int_equal(ecs_get(world, type, EcsComponent)->size, 8);
    assert_int_equal(ecs_struct_get_member(world, type, "b")->offset, 4);
}

static void setting_member_on_children_makes_a_struct(void **state) {
    ecs_world_t *world = *state;
    for (int deferred = 0; deferred < 2; deferred++) {
        ecs_entity_t type = ecs_entity(world, { .name = deferred ? "Later" : "Now" });
        ecs_entity_t x = ecs_entity(world, { .name = "x", .parent = type });
        ecs_entity_t y = ecs_entity(world, { .name = "y", .parent = type });
        if (deferred) ecs_defer_begin(world);
        ecs_set(world, x, EcsMember, { .type = ecs_id(ecs_i32_t) });
        ecs_set(world, y, EcsMember, { .type = ecs_id(ecs_i32_t), .count = 2 });
        if (deferred) ecs_defer_end(world);
        assert_int_equal(ecs_get(world, type, EcsComponent)->size, 12);
        assert_string_equal(expr(world, type, (int[]){ 1, 2, 3 }), "{x: 1, y: [2, 3]}");
        assert_id_equal(world, ecs_struct_get_member(world, type, "y")->member, y);
    }
}

static void check_type(ecs_world_t *world, ecs_entity_t type, const char *expected, int line) {
    char *json = ecs_type_info_to_json(world, type);
    if (strcmp(json, expected) != 0) {
        print_error("got      %s\nexpected %s\n", json, expected);
        _fail(__FILE__, line);
    }
    ecs_os_free(json);
}
#define CHECK_TYPE(type, expected) check_type(world, type, expected, __LINE__)

// The type follows where it could be described like this; else the component stays as it was.
static void members_follow_their_entities(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t f32 = ecs_id(ecs_f32_t), f64 = ecs_id(ecs_f64_t);
    ecs_entity_t m =
        ecs_unit(world, { .entity = ecs_entity(world, { .name = "M" }), .symbol = "m" });
    ecs_entity_t type = ecs_struct(
        world, { .entity = ecs_entity(world, { .name = "S" }),
                   .create_member_entities = true,
                   .members = { { .name = "x", .type = f32 }, { .name = "y", .type = f32 } } });
    ecs_entity_t x = ecs_lookup(world, "S.x"), y = ecs_lookup(world, "S.y");
    ecs_set(world, x, EcsMemberRanges, { .value = { 0, 1 } });
    ecs_set(world, x, EcsMember, { .type = f32, .unit = m });
    CHECK_TYPE(type,
        "{\"x\":[\"float\", {\"unit\":\"M\", \"symbol\":\"m\", \"range\":[0, 1]}], \"y\":[\"float\"]}");
    ecs_set(world, x, EcsMember, { .type = f64 });
    assert_int_equal(ecs_get(world, type, EcsComponent)->size, 16);
    assert_int_equal(ecs_struct_get_member(world, type, "y")->offset, 8);
    assert_int_equal(ecs_get(world, y, EcsMember)->offset, 8);
    ecs_entity_t e = ecs_new_w_id(world, type);
    expect_error(ECS_INVALID_PARAMETER, "have S already",
        ecs_set(world, y, EcsMember, { .type = f64, .count = 2 }));
    assert_id_equal(world, ecs_get(world, y, EcsMember)->type, f32);
    ecs_delete(world, e);
    assert_true(ecs_struct(world, { .members = { { .name = "part", .type = type } } }));
    expect_error(ECS_INVALID_PARAMETER, "part of",
        ecs_set(world, x, EcsMember, { .type = ecs_id(ecs_i64_t) }));
    assert_id_equal(world, ecs_get(world, x, EcsMember)->type, f64);
    CHECK_TYPE(type, "{\"x\":[\"float\", {\"range\":[0, 1]}], \"y\":[\"float\"]}");
}

static void ranges_may_come_before_their_member(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = ecs_entity(world, { .name = "T" });
    ecs_entity_t a = ecs_entity(world, { .name = "a", .parent = type });
    ecs_set(world, a, EcsMemberRanges, { .value = { 0, 1 }, .error = { 2, 3 } });
    ecs_set(world, a, EcsMember, { .type = ecs_id(ecs_f32_t) });
    CHECK_TYPE(type, "{\"a\":[\"float\", {\"range\":[0, 1], \"error_range\":[2, 3]}]}");
    ecs_set(world, a, EcsMemberRanges, { .warning = { 4, 5 } });
    CHECK_TYPE(type, "{\"a\":[\"float\", {\"warning_range\":[4, 5]}]}");
}

static void member_entities_are_children_with_member(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = ecs_struct(
        world, { .entity = ecs_entity(world, { .name = "T" }),
                   .create_member_entities = true,
                   .members = { { .name = "a", .type = ecs_id(ecs_i8_t), .range = { 0, 10 } },
                       { .name = "b", .type = ecs_id(ecs_i32_t) } } });
    ecs_entity_t b = ecs_lookup(world, "T.b");
    assert_true(b != 0);
    assert_id_equal(world, ecs_struct_get_member(world, type, "b")->member, b);
    assert_int_equal(ecs_get(world, b, EcsMember)->offset, 4);
    assert_true(ecs_get(world, ecs_lookup(world, "T.a"), EcsMemberRanges)->value.max == 10);
    assert_false(ecs_has(world, b, EcsMemberRanges));
    assert_int_equal(ecs_struct_add_member(
                         world, type, &(ecs_member_t){ .name = "c", .type = ecs_id(ecs_i8_t) }),
        0);
    ecs_entity_t c = ecs_lookup(world, "T.c");
    assert_true(c != 0);
    assert_id_equal(world, ecs_struct_get_member(world, type, "c")->member, c);
}

// Described again, a struct leaves some members out, and tells the others what they are now.
static void member_entities_follow_the_struct(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t i8 = ecs_id(ecs_i8_t), i64 = ecs_id(ecs_i64_t);
    for (int i = 0; i < 2; i++) {
        ecs_entity_t type = ecs_struct(
            world, { .entity = ecs_entity(world, { .name = i ? "A" : "B" }),
                       .create_member_entities = true,
                       .members = { { "a", i8, .range = { 0, 9 } }, { "b", i8 }, { "c", i8 } } });
        ecs_entity_t a = ecs_struct_get_member(world, type, "a")->member,
                     b = ecs_struct_get_member(world, type, "b")->member,
                     c = ecs_struct_get_member(world, type, "c")->member;
        ecs_struct(
            world, { .entity = type,
                       .create_member_entities = i,
                       .members = { { "c", i64, .count = 2, .range = { 1, 2 } }, { "a", i8 } } });
        assert_true(ecs_get(world, c, EcsMemberRanges)->value.max == 2);
        assert_false(ecs_has(world, a, EcsMemberRanges));
        assert_id_equal(world, ecs_struct_get_member(world, type, "c")->member, c);
        assert_id_equal(world, ecs_get(world, c, EcsMember)->type, i64);
        assert_int_equal(ecs_get(world, c, EcsMember)->count, 2);
        assert_int_equal(ecs_get(world, a, EcsMember)->offset, 16);
        assert_false(ecs_has(world, b, EcsMember));
        ecs_set(world, b, EcsMember, { i64 }); /* comes again, behind them */
        assert_int_equal(ecs_struct_get_nth_member(world, type, 2)->offset, 24);
    }
}

// What entities have is stored as it was when they got it.
static void types_in_use_keep_their_size_and_hooks(void **state) {
    ecs_world_t *world = *state;
    const ecs_member_t x = { .name = "x", .type = ecs_id(ecs_u64_t) };
    const ecs_member_t y = { .name = "y", .type = ecs_id(ecs_i8_t) };
    const ecs_member_t z = { .name = "z", .type = ecs_id(ecs_i8_t) };
    const ecs_member_t text = { .name = "x", .type = ecs_id(ecs_string_t) };
    ecs_entity_t type = ecs_struct(world, { .entity = ecs_new(world), .members = { x } });
    ecs_entity_t tag = ecs_new(world), rel = ecs_new(world), padded;
    ecs_new_w_id(world, type);
    ecs_new_w_id(world, tag);
    ecs_new_w_pair(world, rel, ecs_new(world));
    padded = ecs_struct(world, { .members = { x, y } });
    ecs_new_w_id(world, padded);
    uint64_t before = ecs_world_hash(world);
#define REFUSED(call) \
    expect_error(ECS_INVALID_PARAMETER, "have", assert_int_equal((int64_t)(call), 0))
    REFUSED(ecs_struct_add_member(world, type, &y) + 1);
    REFUSED(ecs_struct(world, { .entity = type, .members = { x, y } }));
    REFUSED(ecs_struct(world, { .entity = type, .members = { text } })); /* as large, but owned */
    REFUSED(ecs_struct(world, { .entity = tag, .members = { x } }));
    REFUSED(ecs_struct(world, { .entity = rel, .members = { x } }));
    REFUSED(ecs_enum(world, { .entity = tag, .constants = { { .name = "A" } } }));
    REFUSED(ecs_bitmask(world, { .entity = tag, .constants = { { .name = "A" } } }));
    REFUSED(ecs_array(world, { .entity = tag, .type = ecs_id(ecs_i8_t), .count = 2 }));
    REFUSED(ecs_vector(world, { .entity = tag, .type = ecs_id(ecs_i8_t) }));
    REFUSED(ecs_map_type(
        world, { .entity = tag, .key_type = ecs_id(ecs_i8_t), .type = ecs_id(ecs_i8_t) }));
    REFUSED(ecs_primitive(world, { .entity = tag, .kind = EcsI8 }));
    REFUSED(ecs_meta_from_desc(world, tag, EcsStructType, "{ int x; }") + 1);
#undef REFUSED
    assert_hash_equal(ecs_world_hash(world), before);
    assert_int_equal(ecs_struct_add_member(world, padded, &z), 0); /* there is room for it */
    assert_id_equal(world, ecs_struct(world, { .entity = type, .members = { x } }), type);
}

// ---- Values of run-time types own what is in them ----

static void values_of_run_time_types_are_copied_moved_and_ended(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t strings = ecs_vector(world, { .type = ecs_id(ecs_string_t) });
    ecs_entity_t table = ecs_map_type(world, { .key_type = ecs_id(ecs_i32_t), .type = strings });
    ecs_entity_t type = ecs_struct(
        world, { .members = { { .name = "name", .type = ecs_id(ecs_string_t) },
                     { .name = "pair", .type = ecs_id(ecs_string_t), .count = 2 },
                     { .name = "list", .type = strings }, { .name = "map", .type = table } } });
    assert_null(ecs_get_hooks_id(world, type)->ctor_move_dtor); /* as bytes, like descriptions: */
    assert_null(ecs_get_hooks_id(world, ecs_id(EcsDocDescription))->ctor_move_dtor);
    void *value = ecs_ptr_new(world, type);
    ecs_meta_cursor_t c = ecs_meta_cursor(world, type, value);
    assert_int_equal(ecs_meta_push(&c), 0);
    ecs_meta_set_string(&c, "one");
    ecs_meta_dotmember(&c, "pair[1]");
    ecs_meta_set_string(&c, "two");
    ecs_meta_member(&c, "list");
    ecs_meta_push(&c);
    ecs_meta_set_string(&c, "and");
    ecs_meta_pop(&c);
    ecs_meta_dotmember(&c, "list[1]"); /* what is there stays */
    ecs_meta_set_string(&c, "three");
    ecs_meta_member(&c, "map");
    ecs_meta_push(&c);
    int32_t key = 7;
    ecs_meta_key(&c, &(ecs_value_t){ ecs_id(ecs_i32_t), &key });
    ecs_meta_push(&c);
    ecs_meta_set_string(&c, "four");
    const char *text =
        "{name: \"one\", pair: [null, \"two\"], list: [\"and\", \"three\"], map: {7: [\"four\"]}}";
    assert_string_equal(expr(world, type, value), text);

    ecs_entity_t e = ecs_new(world), f = ecs_new(world);
    size_t size = (size_t)ecs_get(world, type, EcsComponent)->size;
    ecs_set_id(world, e, type, size, value);
    ecs_defer_begin(world);
    ecs_set_id(world, f, type, size, value);
    ecs_defer_end(world);
    ecs_ptr_free(world, type, value);
    ecs_add_id(world, e, ecs_new(world)); // moves
    assert_string_equal(expr(world, type, ecs_get_id(world, e, type)), text);
    ecs_entity_t copy = ecs_clone(world, 0, f, true);
    ecs_delete(world, f);
    assert_string_equal(expr(world, type, ecs_get_id(world, copy, type)), text);
    ecs_set_id(world, copy, type, size, ecs_get_id(world, copy, type)); /* itself */
    assert_string_equal(expr(world, type, ecs_get_id(world, copy, type)), text);
}

// Maps have no order, but may be equal.
// Also where the part that forbids something has no hooks.
static void what_a_part_forbids_is_forbidden_for_the_whole(void **state) {
    ecs_world_t *world = *state;
    const ecs_flags32_t forbidden[] = { ECS_TYPE_HOOK_CTOR_ILLEGAL, ECS_TYPE_HOOK_DTOR_ILLEGAL,
        ECS_TYPE_HOOK_COPY_ILLEGAL, ECS_TYPE_HOOK_MOVE_ILLEGAL, ECS_TYPE_HOOK_COPY_CTOR_ILLEGAL };
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        ecs_entity_t part = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
        ecs_set_hooks_id(world, part, &(ecs_type_hooks_t){ .flags = forbidden[i] });
        ecs_struct(world, { .entity = part, .members = { { "v", ecs_id(ecs_i32_t) } } });
        ecs_entity_t whole = ecs_struct(world, { .members = { { "part", part } } });
        ecs_entity_t both = ecs_struct(
            world, { .members = { { "whole", whole }, { "text", ecs_id(ecs_string_t) } } });
        ecs_entity_t array = ecs_array(world, { .type = whole, .count = 2 });
        assert_true(ecs_get_hooks_id(world, whole)->flags & forbidden[i]);
        assert_true(ecs_get_hooks_id(world, both)->flags & forbidden[i]);
        assert_true(ecs_get_hooks_id(world, array)->flags & forbidden[i]);
    }
}

static void equal_values_compare_as_equal(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t map =
        ecs_map_type(world, { .key_type = ecs_id(ecs_i32_t), .type = ecs_id(ecs_string_t) });
    ecs_value_t a = ecs_value_new(world, map), b = ecs_value_new(world, map);
    ecs_meta_cursor_t c = ecs_meta_cursor(world, map, a.ptr);
    ecs_meta_push(&c);
    ecs_meta_key(&c, &(ecs_value_t){ ecs_id(ecs_i32_t), &(int32_t){ 7 } });
    ecs_meta_set_string(&c, "x");
    assert_true(ecs_value_compare(world, &a, &b) != 0);
    ecs_value_copy(world, &b, &a);
    assert_true(ecs_value_equals(world, &a, &b));
    assert_int_equal(ecs_value_compare(world, &a, &b), 0);
    ecs_value_fini(world, &a);
    ecs_value_fini(world, &b);
}

static void values_compare_member_by_member(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t ints = ecs_vector(world, { .type = ecs_id(ecs_i32_t) });
    ecs_entity_t type =
        ecs_struct(world, { .members = { { .name = "s", .type = ecs_id(ecs_string_t) },
                                { .name = "v", .type = ints } } });
    ecs_value_t a = ecs_value_new(world, type), b = ecs_value_new(world, type);
    assert_int_equal(ecs_value_compare(world, &a, &b), 0);
    ecs_meta_cursor_t c = ecs_meta_cursor(world, type, b.ptr);
    ecs_meta_push(&c);
    ecs_meta_set_string(&c, "x");
    assert_true(ecs_value_compare(world, &a, &b) < 0);
    ecs_value_copy(world, &a, &b);
    assert_true(ecs_value_equals(world, &a, &b));
    ecs_meta_member(&c, "v");
    ecs_meta_push(&c);
    ecs_meta_set_int(&c, -1);
    assert_true(ecs_value_compare(world, &a, &b) < 0);
    assert_false(ecs_value_equals(world, &a, &b));
    ecs_value_move(world, &a, &b);
    assert_null(b.ptr);
    ecs_value_fini(world, &a);
}

typedef struct Inner {
    int32_t a;
} Inner;
typedef struct Outer {
    Inner i;
    double d;
} Outer;

static void c_components_compare_when_asked_to(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Inner);
    ECS_COMPONENT(world, Outer);
    ecs_struct(world,
        { .entity = ecs_id(Inner), .members = { { .name = "a", .type = ecs_id(ecs_i32_t) } } });
    ecs_struct(world, { .entity = ecs_id(Outer),
                          .members = { { .name = "i", .type = ecs_id(Inner) },
                              { .name = "d", .type = ecs_id(ecs_f64_t) } } });
    assert_null(ecs_get_hooks(world, Outer)->cmp);
    assert_int_equal(ecs_set_rtt_compare(world, ecs_id(Outer)), 0);
    assert_int_equal(ecs_set_rtt_equals(world, ecs_id(Outer)), 0);
    const ecs_type_info_t *info = ecs_get_type_info(world, ecs_id(Outer));
    Outer a = { { -5 }, 2 }, b = { { 1 }, 1 };
    assert_true(info->hooks.cmp(&a, &b, info) < 0);
    a.i.a = 1;
    assert_true(info->hooks.cmp(&a, &b, info) > 0);
    a.d = 1;
    assert_true(info->hooks.equals(&a, &b, info));
    ecs_log_set_level(-4);
    assert_int_equal(ecs_set_rtt_compare(world, ecs_new(world)), -1);
    ecs_log_set_level(-1);
}

typedef enum { Cold, Warm } Heat;
typedef struct Oven {
    Inner shelves[2];
    Heat heat;
} Oven;

static void c_components_compare_by_arrays_and_constants(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Inner);
    ECS_COMPONENT(world, Heat);
    ECS_COMPONENT(world, Oven);
    ecs_struct(world,
        { .entity = ecs_id(Inner), .members = { { .name = "a", .type = ecs_id(ecs_i32_t) } } });
    ecs_enum(
        world, { .entity = ecs_id(Heat), .constants = { { .name = "Cold" }, { .name = "Warm" } } });
    ecs_struct(world, { .entity = ecs_id(Oven),
                          .members = { { .name = "shelves", .type = ecs_id(Inner), .count = 2 },
                              { .name = "heat", .type = ecs_id(Heat) } } });
    assert_int_equal(ecs_set_rtt_equals(world, ecs_id(Oven)), 0);
    assert_int_equal(ecs_set_rtt_compare(world, ecs_id(Oven)), 0);
    const ecs_type_info_t *info = ecs_get_type_info(world, ecs_id(Oven));
    Oven a = { { { 1 }, { 2 } }, Cold }, b = a;
    assert_true(info->hooks.equals(&a, &b, info));
    b.heat = Warm;
    assert_true(info->hooks.cmp(&a, &b, info) < 0);
    b.shelves[1].a = 1;
    assert_true(info->hooks.cmp(&a, &b, info) > 0);
    assert_false(info->hooks.equals(&a, &b, info));
    ecs_entity_t map = ecs_map_type(world, { .key_type = ecs_id(ecs_u8_t), .type = ecs_id(Oven) });
    expect_error(ECS_INVALID_PARAMETER, "cannot be compared", ecs_set_rtt_compare(world, map));
}

// ---- Enums and bitmasks ----

static void constants_count_up_and_are_entities(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t color =
        ecs_enum(world, { .entity = ecs_entity(world, { .name = "Color" }),
                            .constants = { { .name = "Red" }, { .name = "Green" },
                                { .name = "Blue", .value = 7 }, { .name = "Grey" } } });
    ecs_entity_t grey = ecs_lookup(world, "Color.Grey");
    assert_true(ecs_has_id(world, grey, EcsConstant));
    assert_int_equal(*ecs_get_pair_second(world, grey, EcsConstant, ecs_i32_t), 8);
    assert_string_equal(expr(world, color, &(int32_t){ 1 }), "Green");
    const EcsConstants *constants = ecs_get(world, color, EcsConstants);
    assert_int_equal(ecs_map_count(constants->constants), 4);
    assert_string_equal(
        ecs_vec_get_t(&constants->ordered_constants, ecs_enum_constant_t, 2)->name, "Blue");
    ecs_entity_t bits =
        ecs_bitmask(world, { .constants = { { .name = "A" }, { .name = "B" }, { .name = "C" } } });
    assert_string_equal(expr(world, bits, &(uint32_t){ 5 }), "A|C");
    assert_string_equal(expr(world, bits, &(uint32_t){ 0 }), "0");
    char *text = "say \"A\"", *as_it_is = ecs_ptr_to_str(world, ecs_id(ecs_string_t), &text);
    assert_string_equal(as_it_is, text);
    ecs_os_free(as_it_is);
    ecs_log_set_level(-4);
    assert_null(ecs_ptr_to_expr(world, bits, &(uint32_t){ 8 }));
    assert_null(ecs_ptr_to_expr(world, color, &(int32_t){ 99 }));
    assert_int_equal(ecs_enum(world, { .underlying_type = ecs_id(ecs_i8_t),
                                         .constants = { { .name = "X", .value = 128 } } }),
        0);
    assert_int_equal(ecs_enum(world, { .constants = { { .name = "X" }, { .name = "X" } } }), 0);
    assert_int_equal(ecs_bitmask(world, { .constants = { { .name = "X" }, { .name = "X" } } }), 0);
    ecs_log_set_level(-1);
    ecs_entity_t small =
        ecs_enum(world, { .underlying_type = ecs_id(ecs_u8_t),
                            .constants = { { .name = "X", .value_unsigned = 255 } } });
    assert_int_equal(ecs_get(world, small, EcsComponent)->size, 1);
}

static void constants_do_not_count_beyond_the_largest_number(void **state) {
    ecs_world_t *world = *state;
    const struct {
        ecs_entity_t type;
        uint64_t largest;
    } rows[] = { { ecs_id(ecs_u8_t), UINT8_MAX }, { ecs_id(ecs_i64_t), INT64_MAX },
        { ecs_id(ecs_iptr_t), INTPTR_MAX }, { ecs_id(ecs_u64_t), UINT64_MAX } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ecs_enum_constant_t last = { .name = "Last", .value_unsigned = rows[i].largest };
        ecs_enum_desc_t desc = { .underlying_type = rows[i].type, .constants = { last } };
        desc.entity = ecs_new(world);
        assert_id_equal(world, ecs_enum_init(world, &desc), desc.entity);
        expect_error(ECS_INVALID_PARAMETER, "out of range",
            ecs_entity(
                world, { .parent = desc.entity, .name = "ByHand", .add = ecs_ids(EcsConstant) }));
        assert_int_equal(ecs_map_count(ecs_get(world, desc.entity, EcsConstants)->constants), 1);
        desc.constants[1].name = "Next";
        desc.entity = ecs_new(world);
        expect_error(
            ECS_INVALID_PARAMETER, "'Next'", assert_int_equal(ecs_enum_init(world, &desc), 0));
        desc.constants[1].value = 1;
        desc.constants[2].name = "Then";
        assert_id_equal(world, ecs_enum_init(world, &desc), desc.entity);
    }
}

static ecs_entity_t constant(ecs_world_t *world, ecs_entity_t type, const char *name) {
    return ecs_entity(world, { .parent = type, .name = name, .add = ecs_ids(EcsConstant) });
}

// QL-15
static void constants_are_numbers_in_queries(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t color = ecs_enum(world,
        { .entity = ecs_entity(world, { .name = "Color" }),
            .constants = { { .name = "Red", .value = 3 }, { .name = "Odd", .value = -1 } } });
    ecs_entity_t paint = ecs_entity(world, { .name = "Paint" });
    ecs_entity_t e = ecs_new_w_id(world, ecs_value_pair(paint, 3));
    ecs_add_id(world, e, ecs_value_pair(color, 3));
    ecs_query_t *q = ecs_query(world, { .expr = "(Color, @Red), Paint($this, @Color.Red)" });
    assert_int_equal(ecs_query_count(q).entities, 1);
    char *text = ecs_query_str(q);
    assert_non_null(strstr(text, "@3), Paint("));
    ecs_os_free(text);
    ecs_query_fini(q);
    assert_true(ecs_id_from_str(world, "(Color, @Red)") == ecs_value_pair(color, 3));
    static const char *const bad[] = { "(Paint, @Red)", "(Color, @Odd)", "(Paint, @Color)" };
    ecs_log_set_level(-4);
    for (int i = 0; i < 3; i++) assert_null(ecs_query(world, { .expr = bad[i] }));
    ecs_log_set_level(-1);
}

static void constants_may_be_made_by_hand(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t color = ecs_entity(world, { .name = "Color" });
    ecs_set(world, color, EcsEnum, { 0 });
    ecs_entity_t red = constant(world, color, "Red"), green = constant(world, color, "Green");
    assert_int_equal(*ecs_get_pair_second(world, red, EcsConstant, ecs_i32_t), 0);
    assert_int_equal(*ecs_get_pair_second(world, green, EcsConstant, ecs_i32_t), 1);
    assert_string_equal(expr(world, color, &(int32_t){ 1 }), "Green");

    ecs_entity_t blue = ecs_entity(world, { .parent = color, .name = "Blue" });
    ecs_set_pair_second(world, blue, EcsConstant, ecs_i32_t, { 10 });
    assert_true(ecs_has_id(world, blue, EcsConstant));
    assert_string_equal(expr(world, color, &(int32_t){ 10 }), "Blue");
    ecs_set_pair_second(world, green, EcsConstant, ecs_i32_t, { 5 }); /* another value */
    assert_string_equal(expr(world, color, &(int32_t){ 5 }), "Green");
    constant(world, color, "Grey");
    assert_string_equal(expr(world, color, &(int32_t){ 6 }), "Grey");
    assert_int_equal(ecs_map_count(ecs_get(world, color, EcsConstants)->constants), 4);

    ecs_log_set_level(-4);
    assert_null(ecs_ptr_to_expr(world, color, &(int32_t){ 1 }));
    ecs_entity_t same = ecs_entity(world, { .parent = color, .name = "Same" });
    ecs_set_pair_second(world, same, EcsConstant, ecs_i32_t, { 10 });
    ecs_set_pair_second(world, blue, EcsConstant, ecs_i32_t, { 5 }); /* Green has it */
    assert_string_equal(expr(world, color, &(int32_t){ 5 }), "Green");
    assert_string_equal(expr(world, color, &(int32_t){ 10 }), "Blue");
    assert_int_equal(*ecs_get_pair_second(world, blue, EcsConstant, ecs_i32_t), 10);
    ecs_delete(world, blue);
    assert_null(ecs_ptr_to_expr(world, color, &(int32_t){ 10 }));
    ecs_log_set_level(-1);
    int32_t value = 0;
    assert_non_null(ecs_ptr_from_json(world, color, &value, "\"Grey\"", NULL));
    assert_int_equal(value, 6);
    constant(world, 0, "Alone"); /* of no type */
    ecs_delete(world, color);
}

static void constants_of_bitmasks_may_be_made_by_hand(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t bits = ecs_bitmask(world, { .entity = ecs_entity(world, { .name = "Bits" }),
                                               .constants = { { .name = "A", .value = 4 } } });
    ecs_defer_begin(world);
    ecs_entity_t b = ecs_entity(world, { .parent = bits, .name = "B" });
    ecs_add_id(world, b, EcsConstant);
    ecs_entity_t c = ecs_entity(world, { .parent = bits, .name = "C" });
    ecs_set_pair_second(world, c, EcsConstant, ecs_u32_t, { 1 });
    ecs_defer_end(world);
    assert_int_equal(*ecs_get_pair_second(world, b, EcsConstant, ecs_u32_t), 8);
    assert_string_equal(expr(world, bits, &(uint32_t){ 13 }), "A|B|C");
    /* Described again, with others. */
    ecs_bitmask(world, { .entity = bits, .constants = { { .name = "B", .value = 1 } } });
    assert_string_equal(expr(world, bits, &(uint32_t){ 1 }), "B");
    assert_int_equal(ecs_map_count(ecs_get(world, bits, EcsConstants)->constants), 1);
    assert_true(ecs_has_id(world, b, EcsConstant));
    assert_false(ecs_has_id(world, c, EcsConstant));
    assert_false(ecs_has_pair(world, c, EcsConstant, EcsWildcard));
}

// The value stands once, as what it is now.
static void constants_have_the_underlying_type_of_their_enum(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t types[] = { ecs_id(ecs_i32_t), ecs_id(ecs_u8_t), ecs_id(ecs_i64_t) };
    ecs_entity_t type = ecs_entity(world, { .name = "Level" });
    for (int i = 0; i < 3; i++) {
        if (i < 2)
            ecs_enum(world, { .entity = type,
                                .constants = { { "Low", 3 }, { "High" } },
                                .underlying_type = types[i] });
        else
            ecs_set(world, type, EcsEnum, { types[i] });
        ecs_entity_t high = ecs_lookup(world, "Level.High");
        assert_id_equal(world, ecs_get_target(world, high, EcsConstant, 0), types[i]);
        assert_int_equal(ecs_get_target(world, high, EcsConstant, 1), 0);
        assert_int_equal(
            *(const char *)ecs_get_id(world, high, ecs_pair(EcsConstant, types[i])), 4);
    }
}

static void copies_of_vectors_are_as_long_as_the_original(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = ecs_vector(world, { .type = ecs_id(ecs_string_t) });
    static const char *const texts[] = { "[\"a\", \"b\", \"c\"]", "[\"d\"]", "[]",
        "[\"e\", \"f\"]" };
    ecs_value_t copy = ecs_value_new(world, type);
    for (int i = 0; i < 4; i++) {
        ecs_value_t value = ecs_value_new(world, type);
        assert_non_null(ecs_ptr_from_json(world, type, value.ptr, texts[i], NULL));
        assert_int_equal(ecs_value_copy(world, &copy, &value), 0);
        assert_true(ecs_value_equals(world, &copy, &value));
        assert_int_equal(ecs_vec_count(copy.ptr), ecs_vec_count(value.ptr));
        ecs_value_fini(world, &value);
    }
    ecs_value_fini(world, &copy);
}

static void a_bitmask_may_be_set_like_any_value(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t bits = ecs_entity(world, { .name = "Bits" });
    ecs_set(world, bits, EcsBitmask, { 0 });
    assert_int_equal(ecs_get(world, bits, EcsComponent)->size, 4);
    ecs_add_id(world, ecs_entity(world, { .parent = bits, .name = "A" }), EcsConstant);
    ecs_add_id(world, ecs_entity(world, { .parent = bits, .name = "B" }), EcsConstant);
    assert_string_equal(expr(world, bits, &(uint32_t){ 3 }), "A|B");
}

// What describes a type may be set again, as with a descriptor: the type changes, or what is refused is put back.
static void set_or_queue(ecs_world_t *world, ecs_entity_t type, ecs_entity_t component, size_t size,
    const void *value, bool deferred) {
    if (deferred) ecs_defer_begin(world);
    ecs_set_id(world, type, component, size, value);
    if (deferred) ecs_defer_end(world);
}
#define set_again(world, type, T, deferred, ...) \
    set_or_queue(world, type, ecs_id(T), sizeof(T), &(T)__VA_ARGS__, deferred)

static void what_describes_a_type_is_true_whoever_sets_it(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t number = ecs_id(ecs_i32_t);
    for (int deferred = 0; deferred < 2; deferred++) {
        ecs_entity_t array = ecs_array(world, { .type = number, .count = 2 });
        set_again(world, array, EcsArray, deferred, { number, 3 });
        assert_int_equal(ecs_get_type_info(world, array)->size, 12);
        assert_string_equal(expr(world, array, (int32_t[]){ 1, 2, 3 }), "[1, 2, 3]");
        expect_error(ECS_INVALID_PARAMETER, "are the array",
            set_again(world, array, EcsArray, deferred, { array, 3 }));
        assert_id_equal(world, ecs_get(world, array, EcsArray)->type, number);
        ecs_entity_t owner = ecs_struct(world, { .members = { { .name = "a", .type = array } } });
        expect_error(ECS_INVALID_PARAMETER, "is part of",
            set_again(world, array, EcsArray, deferred, { number, 4 }));
        assert_int_equal(ecs_get(world, array, EcsArray)->count, 3);
        expect_error(ECS_INVALID_PARAMETER, "is a type already",
            set_again(world, owner, EcsVector, deferred, { number }));
        assert_false(ecs_has(world, owner, EcsVector));

        ecs_entity_t vector = ecs_vector(world, { .type = number });
        expect_error(ECS_INVALID_PARAMETER, "cannot change",
            set_again(world, vector, EcsVector, deferred, { ecs_id(ecs_f64_t) }));
        assert_id_equal(world, ecs_get(world, vector, EcsVector)->type, number);
        ecs_entity_t map = ecs_map_type(world, { .key_type = number, .type = number });
        expect_error(ECS_INVALID_PARAMETER, "keys of",
            set_again(world, map, EcsMap, deferred, { ecs_id(ecs_bool_t), number }));
        assert_id_equal(world, ecs_get(world, map, EcsMap)->key_type, number);
        ecs_entity_t other = ecs_primitive(world, { .kind = EcsU8 });
        set_again(world, other, EcsPrimitive, deferred, { EcsBool });
        assert_string_equal(expr(world, other, &(bool){ true }), "true");
    }
}

// Hooks of a map would read its bits as entries.
static void types_keep_their_kind(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t number = ecs_id(ecs_i32_t);
    ecs_entity_t map = ecs_map_type(world, { .key_type = number, .type = number });
    expect_error(ECS_INVALID_PARAMETER, "of another kind",
        assert_int_equal(
            ecs_bitmask(world, { .entity = map, .constants = { { .name = "A" } } }), 0));
    ecs_entity_t text = ecs_primitive(world, { .kind = EcsString });
    expect_error(ECS_INVALID_PARAMETER, "of another kind",
        assert_int_equal(ecs_primitive(world, { .entity = text, .kind = EcsI32 }), 0));
    static const ecs_size_t sizes[] = { sizeof(ecs_map_t), sizeof(char *) };
    for (int i = 0; i < 2; i++) {
        ecs_value_t value = ecs_value_new(world, i ? text : map);
        assert_int_equal(ecs_get_type_info(world, i ? text : map)->size, sizes[i]);
        ecs_value_fini(world, &value);
    }
}

static void what_is_refused_by_hand_is_taken_off(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t none = ecs_entity(world, { .name = "None" });
    expect_error(ECS_INVALID_PARAMETER, "has none", ecs_set(world, none, EcsArray, { none, 2 }));
    assert_false(ecs_has(world, none, EcsArray));
    expect_error(ECS_INVALID_PARAMETER, "has none",
        ecs_struct(world, { .members = { { .name = "m", .type = none } } }));
    ecs_entity_t type =
        ecs_struct(world, { .entity = ecs_entity(world, { .name = "T" }),
                              .create_member_entities = true,
                              .members = { { .name = "a", .type = ecs_id(ecs_i8_t) } } });
    ecs_entity_t a = ecs_lookup(world, "T.a"), b = ecs_entity(world, { .name = "T.b" });
    for (int i = 0; i < 2; i++) {
        if (i) ecs_defer_begin(world);
        expect_error(ECS_INVALID_PARAMETER, "has no type", ecs_set(world, b, EcsMember, { 0 });
                     if (i) ecs_defer_end(world));
        assert_false(ecs_has(world, b, EcsMember));
    }
    expect_error(ECS_INVALID_PARAMETER, "elements",
        ecs_set(world, a, EcsMember, { ecs_id(ecs_i8_t), .count = -1 }));
    assert_int_equal(ecs_get(world, a, EcsMember)->count, 0);
    ecs_set(world, b, EcsMember, { ecs_id(ecs_i8_t) });
    assert_id_equal(world, ecs_struct_get_member(world, type, "b")->member, b);
}

static void enums_keep_their_constants_when_they_are_set_again(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t color =
        ecs_enum(world, { .constants = { { .name = "Red", .value = 7 }, { .name = "Blue" } } });
    ecs_set(world, color, EcsEnum, { ecs_id(ecs_u8_t) });
    assert_int_equal(ecs_get_type_info(world, color)->size, 1);
    assert_string_equal(expr(world, color, &(uint8_t){ 8 }), "Blue");
    EcsEnum *value = ecs_ensure(world, color, EcsEnum);
    value->underlying_type = ecs_id(ecs_string_t);
    expect_error(ECS_INVALID_PARAMETER, "no integer", ecs_modified(world, color, EcsEnum));
    assert_id_equal(world, ecs_get(world, color, EcsEnum)->underlying_type, ecs_id(ecs_u8_t));
    ecs_entity_t bits = ecs_bitmask(world, { .constants = { { .name = "A" }, { .name = "B" } } });
    ecs_set(world, bits, EcsBitmask, { 1 });
    assert_string_equal(expr(world, bits, &(uint32_t){ 3 }), "A|B");
}

// Whoever describes knows best: an id of old is made again.
static void entities_that_ended_may_become_types(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = ecs_new(world);
    ecs_delete(world, type);
    ecs_entity_t made =
        ecs_struct(world, { .entity = type, .members = { { "x", ecs_id(ecs_i32_t) } } });
    assert_true(made == type && ecs_is_alive(world, type));
}

static void constants_that_are_left_keep_their_order(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t bits = ecs_bitmask(world,
        { .entity = ecs_entity(world, { .name = "Bits" }),
            .constants = { { .name = "A" }, { .name = "B" }, { .name = "C" }, { .name = "D" } } });
    ecs_delete(world, ecs_lookup(world, "Bits.A"));
    assert_string_equal(expr(world, bits, &(uint32_t){ 14 }), "B|C|D");
    ecs_entity_t mood = ecs_enum(
        world, { .entity = ecs_entity(world, { .name = "Mood" }),
                   .constants = { { .name = "Sad" }, { .name = "Calm" }, { .name = "Glad" } } });
    ecs_delete(world, ecs_lookup(world, "Mood.Sad"));
    const EcsConstants *left = ecs_get(world, mood, EcsConstants);
    ecs_map_iter_t it = ecs_map_iter(left->constants);
    for (int32_t i = 0; ecs_map_next(&it); i++) {
        const ecs_enum_constant_t *listed =
            ecs_vec_get_t(&left->ordered_constants, ecs_enum_constant_t, i);
        assert_int_equal(ecs_map_key(&it), listed->value);
    }
}

// What vectors and maps hold is not told by their hooks.
static void elements_of_collections_keep_their_type(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t vector = ecs_vector(world, { .type = ecs_id(ecs_i64_t) }), e = ecs_new(world);
    ecs_entity_t map =
        ecs_map_type(world, { .key_type = ecs_id(ecs_i32_t), .type = ecs_id(ecs_i64_t) });
    ecs_vec_t *values = ecs_ensure_id(world, e, vector, sizeof(ecs_vec_t));
    assert_non_null(ecs_ptr_from_json(world, vector, values, "[1, 2]", NULL));
    ecs_log_set_level(-4);
    assert_int_equal(ecs_vector(world, { .entity = vector, .type = ecs_id(ecs_string_t) }), 0);
    ecs_entity_t array = ecs_array(world, { .type = ecs_id(ecs_i64_t), .count = 2 });
    assert_int_equal(ecs_array(world, { .entity = array, .type = array, .count = 2 }), 0);
    assert_int_equal(
        ecs_map_type(
            world, { .entity = map, .key_type = ecs_id(ecs_i32_t), .type = ecs_id(ecs_string_t) }),
        0);
    assert_int_equal(
        ecs_map_type(
            world, { .entity = map, .key_type = ecs_id(ecs_u8_t), .type = ecs_id(ecs_i64_t) }),
        0);
    assert_int_equal(
        ecs_map_type(
            world, { .entity = map, .key_type = ecs_id(ecs_i32_t), .type = ecs_id(ecs_i64_t) }),
        map);
    ecs_log_set_level(-1);
    assert_int_equal(ecs_vector(world, { .entity = vector, .type = ecs_id(ecs_i64_t) }), vector);
    char *json = ecs_ptr_to_json(world, vector, ecs_get_id(world, e, vector));
    assert_string_equal(json, "[1, 2]");
    ecs_os_free(json);
}

// A module may describe again what others use; what these are laid out by does not change.
static void parts_of_types_stay_as_they_were(void **state) {
    ecs_world_t *world = *state;
    struct {
        int32_t x;
        struct {
            int32_t x;
        } more[2];
    } value = { 1, { { 2 }, { 3 } } };
    const ecs_struct_desc_t desc = { .entity = ecs_new(world),
        .members = { { .name = "x", .type = ecs_id(ecs_i32_t) } } };
    ecs_entity_t part = ecs_struct_init(world, &desc);
    ecs_entity_t type = ecs_struct(world, { .members = { { .name = "a", .type = part },
                                                { .name = "b", .type = part, .count = 2 } } });
    assert_int_equal(ecs_struct_init(world, &desc), part);
    assert_string_equal(expr(world, type, &value), "{a: {x: 1}, b: [{x: 2}, {x: 3}]}");
    ecs_log_set_level(-4);
    const ecs_member_t y = { .name = "y", .type = ecs_id(ecs_i32_t) };
    assert_int_equal(ecs_struct_add_member(world, part, &y), -1);
    assert_int_equal(ecs_struct(world, { .entity = part, .members = { y } }), 0);
    ecs_log_set_level(-1);
    assert_int_equal(ecs_get_type_info(world, part)->size, 4);
    assert_string_equal(expr(world, type, &value), "{a: {x: 1}, b: [{x: 2}, {x: 3}]}");
    ecs_delete(world, part);
    value.x = 5;
    ecs_meta_cursor_t c = ecs_meta_cursor(world, type, &value);
    ecs_meta_push(&c);
    assert_int_equal(ecs_meta_dotmember(&c, "a.x"), 0);
    assert_int_equal(ecs_meta_get_int(&c), 5);
    const char *text = "{ ecs_vec(ecs_i32_t) list; }";
    part = ecs_new(world);
    assert_int_equal(ecs_meta_from_desc(world, part, EcsStructType, text), 0);
    assert_true(ecs_struct(world, { .members = { { .name = "p", .type = part } } }));
    assert_int_equal(ecs_meta_from_desc(world, part, EcsStructType, text), 0);
}

static bool is_part(const ecs_world_t *world, ecs_entity_t type) {
    return ecs_get(world, type, EcsTypeSerializer)->is_part;
}

// Only for those a change looks at all other types.
static void types_know_whether_others_have_parts_of_them(void **state) {
    ecs_world_t *world = *state;
    const ecs_member_t x = { .name = "x", .type = ecs_id(ecs_i32_t) };
    ecs_entity_t element = ecs_struct(world, { .members = { x } });
    ecs_entity_t part = ecs_struct(world, { .members = { x } });
    assert_false(is_part(world, element) || is_part(world, part));
    ecs_entity_t list = ecs_vector(world, { .type = element });
    ecs_entity_t type = ecs_struct(world, { .members = { { "a", part }, { "b", list } } });
    assert_true(is_part(world, element) && is_part(world, part) && is_part(world, list));
    assert_false(is_part(world, type));
    const ecs_member_t y = { .name = "y", .type = ecs_id(ecs_i32_t) };
    assert_int_equal(ecs_struct_add_member(world, element, &y), 0); /* nobody has values */
    assert_true(is_part(world, element));
}

static void values_may_hold_more_of_their_kind(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t node =
        ecs_struct(world, { .members = { { .name = "name", .type = ecs_id(ecs_string_t) } } });
    ecs_member_t list = { .name = "list", .type = ecs_vector(world, { .type = node }) };
    assert_int_equal(ecs_struct_add_member(world, node, &list), 0);
    void *value = ecs_ptr_new(world, node);
    ecs_meta_cursor_t c = ecs_meta_cursor(world, node, value);
    ecs_meta_push(&c);
    ecs_meta_dotmember(&c, "list[1].list[0].name");
    ecs_meta_set_string(&c, "deep");
    assert_string_equal(expr(world, node, value),
        "{name: null, list: [{name: null, list: []}, {name: null, list: [{name: \"deep\", list: []}]}]}");
    ecs_ptr_free(world, node, value);
}

// Elements lie behind each other, or one by one, in the size that their type had.
static void elements_that_entities_have_stay_as_they_are(void **state) {
    ecs_world_t *world = *state;
    const ecs_member_t x = { .name = "x", .type = ecs_id(ecs_i32_t) },
                       y = { .name = "y", .type = ecs_id(ecs_i32_t) };
    ecs_entity_t part =
        ecs_struct(world, { .entity = ecs_entity(world, { .name = "Part" }), .members = { x } });
    ecs_entity_t row = ecs_vector(world, { .type = part });
    ecs_entity_t rows = ecs_map_type(world, { .key_type = ecs_id(ecs_i32_t), .type = row });
    ecs_entity_t box = ecs_struct(world, { .members = { { .name = "rows", .type = rows } } });
    ecs_entity_t e = ecs_new_w_id(world, box),
                 child = ecs_entity(world, { .parent = part, .name = "y" });
    const char *text = "{\"rows\":{\"1\":[{\"x\":1}, {\"x\":2}]}}";
    assert_non_null(ecs_ptr_from_json(world, box, ecs_get_mut_id(world, e, box), text, NULL));
#define REFUSED(call) \
    expect_error(ECS_INVALID_PARAMETER, "with Part in them", assert_int_equal((int64_t)(call), 0))
    REFUSED(ecs_struct_add_member(world, part, &y) + 1);
    REFUSED(ecs_struct(world, { .entity = part, .members = { x, y } }));
    REFUSED((ecs_set(world, child, EcsMember, { .type = ecs_id(ecs_i32_t) }), 0));
#undef REFUSED
    assert_id_equal(world, ecs_struct(world, { .entity = part, .members = { x } }), part);
    assert_string_equal(
        expr(world, box, ecs_get_id(world, e, box)), "{rows: {1: [{x: 1}, {x: 2}]}}");
    ecs_delete(world, e);
    assert_int_equal(ecs_struct_add_member(world, part, &y), 0);
}

// Values on the heap are as large as their type was when they were made.
static void owned_values_stay_as_they_are(void **state) {
    ecs_world_t *world = *state;
    const ecs_member_t x = { .name = "x", .type = ecs_id(ecs_i64_t) },
                       y = { .name = "y", .type = ecs_id(ecs_i64_t) };
    ecs_entity_t part = ecs_struct(world, { .members = { x } });
    ecs_entity_t row = ecs_vector(world, { .type = part });
    ecs_value_t value = ecs_value_new(world, part), rows = ecs_value_new(world, row), copy;
    ecs_value_copy_ctor(world, &copy, &value);
    void *ptr = ecs_ptr_new(world, part);
#define REFUSED(text) \
    expect_error(     \
        ECS_INVALID_PARAMETER, text, assert_int_equal(ecs_struct_add_member(world, part, &y), -1))
    REFUSED("have");
    ecs_ptr_free(world, part, ptr);
    ecs_value_move(world, &copy, &value);
    REFUSED("have");
    ecs_value_set(world, &copy, ecs_id(ecs_i32_t), NULL);
    REFUSED("in them");
    ecs_value_fini(world, &rows);
    assert_int_equal(ecs_struct_add_member(world, part, &y), 0);
    ecs_value_fini(world, &copy);
    ecs_value_t any = ecs_value_new(world, ecs_id(ecs_value_t));
    assert_int_equal(ecs_value_set(world, any.ptr, part, NULL), 0);
    expect_error(ECS_INVALID_PARAMETER, "have",
        assert_int_equal(ecs_struct(world, { .entity = part, .members = { x } }), 0));
    ecs_value_fini(world, &any);
    assert_int_equal(ecs_struct(world, { .entity = part, .members = { x } }), part);
#undef REFUSED
}

// Vectors and maps of what had an order, and has only equality now, or not even that.
static void elements_may_lose_their_order(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t map =
        ecs_map_type(world, { .key_type = ecs_id(ecs_i32_t), .type = ecs_id(ecs_i32_t) });
    ecs_entity_t part =
        ecs_struct(world, { .members = { { .name = "x", .type = ecs_id(ecs_i32_t) } } });
    ecs_entity_t vector = ecs_vector(world, { .type = part });
    assert_int_equal(
        ecs_struct_add_member(world, part, &(ecs_member_t){ .name = "map", .type = map }), 0);
    ecs_value_t a = ecs_value_new(world, vector), b = ecs_value_new(world, vector);
    const char *const one = "[{\"x\":1, \"map\":{\"1\":2}}]", *const two = "[{\"x\":2}]";
    assert_non_null(ecs_ptr_from_json(world, vector, a.ptr, one, NULL));
    assert_non_null(ecs_ptr_from_json(world, vector, b.ptr, one, NULL));
    assert_int_equal(ecs_value_compare(world, &a, &b), 0);
    assert_non_null(ecs_ptr_from_json(world, vector, b.ptr, two, NULL));
    assert_true(ecs_value_compare(world, &a, &b) * ecs_value_compare(world, &b, &a) < 0);
    assert_false(ecs_value_equals(world, &a, &b));
    ecs_value_fini(world, &a);
    ecs_value_fini(world, &b);
}

static void types_in_use_may_be_deleted(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t color =
        ecs_enum(world, { .constants = { { .name = "Red" }, { .name = "Blue" } } });
    ecs_entity_t text =
        ecs_struct(world, { .members = { { .name = "s", .type = ecs_id(ecs_string_t) } } });
    ecs_entity_t texts = ecs_vector(world, { .type = text });
    ecs_entity_t type = ecs_struct(
        world, { .members = { { .name = "c", .type = color }, { .name = "v", .type = texts } } });
    ecs_entity_t e = ecs_new_w_id(world, type);
    ecs_meta_cursor_t c = ecs_meta_cursor(world, type, ecs_get_mut_id(world, e, type));
    ecs_meta_push(&c);
    ecs_meta_member(&c, "v");
    ecs_meta_push(&c);
    ecs_meta_push(&c);
    ecs_meta_set_string(&c, "text");
    ecs_delete(world, color);
    ecs_delete(world, text);
    ecs_log_set_level(-4);
    assert_null(ecs_ptr_to_expr(world, type, ecs_get_id(world, e, type)));
    c = ecs_meta_cursor(world, type, ecs_get_mut_id(world, e, type));
    assert_int_equal(ecs_meta_push(&c), 0);
    assert_int_equal(ecs_meta_set_string(&c, "Red"), -1);
    ecs_meta_member(&c, "v");
    assert_int_equal(ecs_meta_push(&c), -1);
    ecs_log_set_level(-1);
    ecs_delete(world, e);
    assert_true(ecs_struct(world, { .members = { { .name = "whole", .type = type } } }));
}

// Their ids come back as those of other types.
static void values_outlive_their_types(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t text = ecs_struct(world,
        { .entity = ecs_new(world), .members = { { .name = "s", .type = ecs_id(ecs_string_t) } } });
    ecs_value_t value = ecs_value_new(world, text), copy = { 0 };
    assert_non_null(ecs_ptr_from_json(world, text, value.ptr, "{\"s\":\"text\"}", NULL));
    ecs_entity_t e = ecs_new(world);
    ecs_set_ptr(world, e, ecs_value_t, &value);
    ecs_delete(world, text);
    ecs_entity_t other = ecs_struct(world,
        { .entity = ecs_new(world), .members = { { .name = "n", .type = ecs_id(ecs_u64_t) } } });
    assert_int_equal((uint32_t)other, (uint32_t)text);
    ecs_log_set_level(-4);
    assert_null(ecs_value_new(world, text).ptr);
    ecs_log_set_level(-1);
    assert_int_equal(ecs_value_copy(world, &copy, &value), 0);
    assert_true(ecs_value_equals(world, &copy, ecs_get(world, e, ecs_value_t)));
    assert_string_equal(*(char **)copy.ptr, "text");
    assert_int_equal(ecs_value_fini(world, &copy) || ecs_value_fini(world, &value), 0);
    ecs_entity_t component = ecs_component(world, { .type = { 4, 4 } }); /* ends with its type */
    value = ecs_value_new(world, ecs_id(EcsDocDescription));
    ecs_set_ptr(world, component, ecs_value_t, &value);
    ecs_value_fini(world, &value);
    value = ecs_value_new(world, other);
    ecs_remove(world, other, EcsComponent); /* the entity stays */
    assert_int_equal(ecs_value_fini(world, &value), 0);
}

// ---- C text ----

ECS_ENUM(Shade, { Dark, Light = 4, Bright });
ECS_BITMASK(Toppings, { Bacon = 1, Lettuce = 1 << 1, Tomato = 4 });
ECS_STRUCT(Point, {
    float x;
    float y;
});
ECS_STRUCT(Mixed, {
    bool flag;
    const char *name; // a comment
    unsigned long long big;
    int16_t small[3];
    Point where;
    Shade shade;
    Toppings toppings;
    ecs_entity_t target;
    void *pointer;
    ecs_vec(Point) path;
    ecs_map(ecs_i32_t, Shade) shades;
    ECS_PRIVATE
    struct Mixed *next;
});

ECS_STRUCT(Words, {
    short a;
    unsigned short int b;
    signed int c;
    signed char d;
    long e;
    unsigned long int f, g[2];
    signed short h;
    int long long i;
    unsigned j;
    const size_t k;
    ptrdiff_t const l;
    _Bool m;
    struct Unknown *const_p;
});

// However C spells an integer, and whatever begins like a keyword.
static void integers_have_many_names_in_c(void **state) {
    ecs_world_t *world = *state;
    ECS_META_COMPONENT(world, Words);
    const Words words = { -1, 65535, -2, -3, -4, 5, { 6, 7 }, -8, -9, 4294967295u, 10, -11, true,
        NULL };
    assert_string_equal(expr(world, ecs_id(Words), &words),
        "{a: -1, b: 65535, c: -2, d: -3, e: -4, f: 5, g: [6, 7], h: -8, i: -9, j: 4294967295, "
        "k: 10, l: -11, m: true, const_p: 0}");
    assert_false(ecs_get(world, ecs_id(Words), EcsType)->partial);
}

static void c_definitions_are_understood(void **state) {
    ecs_world_t *world = *state;
    ECS_META_COMPONENT(world, Shade);
    ECS_META_COMPONENT(world, Toppings);
    ECS_META_COMPONENT(world, Point);
    ECS_META_COMPONENT(world, Mixed);
    Mixed value = { .flag = true,
        .name = "x\"y",
        .big = 1ull << 63,
        .small = { -1, 2, 3 },
        .where = { 1, 2 },
        .shade = Bright,
        .toppings = Lettuce,
        .target = EcsFlecs };
    assert_int_equal(
        offsetof(Mixed, shades), ecs_struct_get_member(world, ecs_id(Mixed), "shades")->offset);
    assert_null(ecs_struct_get_member(world, ecs_id(Mixed), "next"));
    assert_string_equal(expr(world, ecs_id(Mixed), &value),
        "{flag: true, name: \"x\\\"y\", big: 9223372036854775808, small: [-1, 2, 3], "
        "where: {x: 1, y: 2}, shade: Bright, toppings: Lettuce, target: flecs, pointer: 0, "
        "path: [], shades: {}}");
}

ECS_STRUCT(Timer, {
    ecs_ftime_t left;
    ecs_float_t speed;
    ecs_flags8_t kind;
    ecs_flags16_t sides;
    ecs_flags32_t flags;
    ecs_flags64_t bits;
    ecs_size_t size;
});

// Those of floats are as a build chose them.
static void types_of_the_library_are_understood(void **state) {
    ecs_world_t *world = *state;
    ECS_META_COMPONENT(world, Timer);
    const Timer value = { 1.5f, 2, 3, 4, 5, 6, 7 };
    assert_string_equal(expr(world, ecs_id(Timer), &value),
        "{left: 1.5, speed: 2, kind: 3, sides: 4, flags: 5, bits: 6, size: 7}");
}

// One expression, whatever is around it.
static void c_definitions_are_registered_anywhere(void **state) {
    ecs_world_t *world = *state;
    ecs_world_t *worlds[] = { world, NULL }, **at = worlds;
    const int alive = ecs_get_entities(world).alive_count;
    if (!world)
        ECS_META_COMPONENT(world, Shade);
    else
        assert_int_equal(ecs_get_entities(world).alive_count, alive);
    assert_int_equal(ECS_META_COMPONENT(*at++, Shade), 0);
    assert_ptr_equal(at, &worlds[1]);
}

static void c_text_may_have_comments_characters_and_arrays(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = ecs_new(world), kind = ecs_new(world);
    assert_int_equal(ecs_meta_from_desc(world, kind, EcsEnumType, "{ A = 'a', B }"), 0);
    assert_int_equal(ecs_meta_from_desc(world, type, EcsStructType,
                         "{ // numbers\n int x; /* and */ ecs_array(uint8_t, 3) list; }"),
        0);
    struct {
        int32_t x;
        uint8_t list[3];
    } value = { 1, { 2, 3, 4 } };
    assert_string_equal(expr(world, type, &value), "{x: 1, list: [2, 3, 4]}");
    assert_string_equal(expr(world, kind, &(int32_t){ 'b' }), "B");
    type = ecs_new(world);
    assert_int_equal(
        ecs_meta_from_desc(world, type, EcsStructType, "{ signed char a; unsigned char b; }"), 0);
    assert_string_equal(expr(world, type, &(uint8_t[]){ 255, 255 }), "{a: -1, b: 255}");
    type = ecs_new(world);
    assert_int_equal(
        ecs_meta_from_desc(world, type, EcsStructType, "{ ecs_map(ecs_char_t, ecs_i32_t) m; }"), 0);
    void *map = ecs_ptr_new(world, type);
    ecs_meta_cursor_t c = ecs_meta_cursor(world, type, map);
    char key = 'a';
    ecs_meta_push(&c);
    ecs_meta_push(&c);
    assert_int_equal(ecs_meta_key(&c, &(ecs_value_t){ ecs_id(ecs_char_t), &key }), 0);
    ecs_meta_set_int(&c, 1);
    assert_string_equal(expr(world, type, map), "{m: {a: 1}}");
    ecs_ptr_free(world, type, map);
}

// Only one pointer to char is a string, whatever of it is constant.
static void c_text_tells_strings_from_other_pointers(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = ecs_new(world);
    const char *text =
        "{ char *const a; char const *const b; const char *const *c; char *const *d; "
        "char **e; ecs_vec(const char *const *) f; }";
    assert_int_equal(ecs_meta_from_desc(world, type, EcsStructType, text), 0);
    CHECK_TYPE(type, "{\"a\":[\"text\"], \"b\":[\"text\"], \"c\":[\"int\"], \"d\":[\"int\"], "
                     "\"e\":[\"int\"], \"f\":[\"vector\", [\"int\"]]}");
}

static void c_text_may_declare_several_members_at_once(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = ecs_new(world);
    const char *text = "{ int16_t x, y[2], *z; char *s, c; ecs_vec(float) v, w; }";
    assert_int_equal(ecs_meta_from_desc(world, type, EcsStructType, text), 0);
    CHECK_TYPE(type, "{\"x\":[\"int\"], \"y\":[\"array\", [\"int\"], 2], \"z\":[\"int\"], "
                     "\"s\":[\"text\"], \"c\":[\"text\"], \"v\":[\"vector\", [\"float\"]], "
                     "\"w\":[\"vector\", [\"float\"]]}");
    assert_id_equal(world, ecs_struct_get_member(world, type, "z")->type, ecs_id(ecs_uptr_t));
}

// Descriptors hold 32 members or constants, texts any number.
static void c_text_may_list_many(void **state) {
    ecs_world_t *world = *state;
    enum { MANY = 100 };
    ecs_strbuf_t members = ECS_STRBUF_INIT, constants = ECS_STRBUF_INIT;
    for (int i = 0; i < MANY; i++) {
        ecs_strbuf_append(&members, "%s int m%d;", i ? "" : "{", i);
        ecs_strbuf_append(&constants, "%s C%d,", i ? "" : "{", i);
    }
    ecs_strbuf_appendstr(&members, " }");
    ecs_strbuf_appendstr(&constants, " }");
    char *text = ecs_strbuf_get(&members);
    ecs_entity_t type = ecs_new(world);
    assert_int_equal(ecs_meta_from_desc(world, type, EcsStructType, text), 0);
    assert_int_equal(ecs_struct_get_nth_member(world, type, MANY - 1)->offset, 4 * (MANY - 1));
    ecs_os_free(text);
    text = ecs_strbuf_get(&constants);
    type = ecs_new(world);
    assert_int_equal(ecs_meta_from_desc(world, type, EcsEnumType, text), 0);
    assert_string_equal(expr(world, type, &(int32_t){ MANY - 1 }), "C99");
    ecs_os_free(text);
}

static void c_text_may_calculate_constants(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t bits = ecs_new(world), numbers = ecs_new(world);
    const char *text = "{ None = 0, A = 0x1u, B = (1 << 4), C = A << 1 | 1 << 3, D = None | 64 }";
    assert_int_equal(ecs_meta_from_desc(world, bits, EcsBitmaskType, text), 0);
    CHECK_TYPE(bits, "[\"bitmask\", \"A\", \"B\", \"C\", \"D\"]");
    assert_string_equal(expr(world, bits, &(uint32_t){ 0x0a }), "C");
    assert_string_equal(expr(world, bits, &(uint32_t){ 0x50 }), "B|D");
    text = "{ A = 1, AB = A | 2, BC = 6 }"; /* constants may share bits */
    ecs_entity_t shared = ecs_new(world);
    assert_int_equal(ecs_meta_from_desc(world, shared, EcsBitmaskType, text), 0);
    for (uint32_t value = 3; value <= 7; value += value == 3 ? 3 : 1) {
        uint32_t read = 0;
        ecs_meta_cursor_t c = ecs_meta_cursor(world, shared, &read);
        assert_int_equal(ecs_meta_set_string(&c, expr(world, shared, &value)), 0);
        assert_int_equal(read, value);
    }
    text = "{ A = - 5, B = A + 2, C, D = 'c' - (1 - 2), E = (D) }";
    expect_error(ECS_INVALID_PARAMETER, "same value", /* as in a descriptor */
        assert_int_equal(ecs_meta_from_desc(world, ecs_new(world), EcsEnumType, text), -1));
    text = "{ A = - 5, B = A + 2, C, D = 'c' - (1 - 2) }";
    assert_int_equal(ecs_meta_from_desc(world, numbers, EcsEnumType, text), 0);
    const char *const names[] = { "A", "B", "C", "D" };
    for (int i = 0; i < 4; i++)
        assert_string_equal(expr(world, numbers, &(int32_t[]){ -5, -3, -2, 'd' }[i]), names[i]);
}

// How large a C enum is depends on the compiler, its options and its constants.
static void c_enums_keep_their_size(void **state) {
    ecs_world_t *world = *state;
    const struct {
        ecs_size_t size;
        const char *text;
        int64_t value;
        ecs_entity_t underlying;
    } rows[] = { { 1, "{ A, B = -7 }", -7, ecs_id(ecs_i8_t) },
        { 1, "{ B = 200 }", 200, ecs_id(ecs_u8_t) }, { 2, "{ B = 300 }", 300, ecs_id(ecs_i16_t) },
        { 2, "{ B = 0x8000 }", 0x8000, ecs_id(ecs_u16_t) },
        { 4, "{ B = 0xfffffff0 }", 0xfffffff0, ecs_id(ecs_u32_t) },
        { 8, "{ A = 1, B = 0x100000000 }", 0x100000000, ecs_id(ecs_i64_t) } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ecs_size_t size = rows[i].size;
        ecs_entity_t type = ecs_component(world, { .type = { .size = size, .alignment = size } });
        ecs_entity_t bits = ecs_component(world, { .type = { .size = size, .alignment = size } });
        assert_int_equal(ecs_meta_from_desc(world, type, EcsEnumType, rows[i].text), 0);
        assert_id_equal(world, ecs_get(world, type, EcsEnum)->underlying_type, rows[i].underlying);
        assert_string_equal(expr(world, type, &rows[i].value), "B");
        ecs_entity_t third = constant(world, type, "C");
        assert_true(ecs_has_pair(world, third, EcsConstant, rows[i].underlying));
        if (rows[i].value < 0) continue;
        assert_int_equal(ecs_meta_from_desc(world, bits, EcsBitmaskType, rows[i].text), 0);
        assert_string_equal(expr(world, bits, &rows[i].value), "B");
        int64_t read = 0;
        ecs_meta_cursor_t c = ecs_meta_cursor(world, bits, &read);
        assert_int_equal(ecs_meta_set_string(&c, "B"), 0);
        assert_true(read == rows[i].value);
    }
    ecs_entity_t small = ecs_component(world, { .type = { .size = 1, .alignment = 1 } });
    assert_id_equal(world, small, ecs_enum(world, { .entity = small, .constants = { { "A" } } }));
    ecs_entity_t odd = ecs_component(world, { .type = { .size = 3, .alignment = 1 } });
    expect_error(ECS_INVALID_PARAMETER, "3 bytes",
        assert_int_equal(ecs_meta_from_desc(world, odd, EcsEnumType, "{ A }"), -1));
}

static void describing_again_changes_nothing(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = ecs_new(world);
    const char *text =
        "{ ecs_vec(int32_t) v; ecs_map(int32_t, ecs_vec(float)) m; ecs_vec(int32_t) w; "
        "ecs_array(int8_t, 2) a; ecs_array(int8_t, 3) b; ecs_map(int8_t, int32_t) n; }";
    assert_int_equal(ecs_meta_from_desc(world, type, EcsStructType, text), 0);
    const uint64_t hash = ecs_world_hash(world);
    const int alive = ecs_get_entities(world).alive_count;
    assert_int_equal(ecs_meta_from_desc(world, type, EcsStructType, text), 0);
    assert_int_equal(ecs_get_entities(world).alive_count, alive);
    assert_hash_equal(ecs_world_hash(world), hash);
    assert_int_equal(ecs_struct_get_member(world, type, "b")->size, 3);
    assert_id_equal(world, ecs_struct_get_member(world, type, "v")->type,
        ecs_struct_get_member(world, type, "w")->type);
}

static void c_text_that_cannot_be_described_is_refused(void **state) {
    ecs_world_t *world = *state;
    static const char *const structs[] = { "{ Unknown x; }", "{ float x }", "{ float x[]; }",
        "float x", "{ float x; ", "{ float; }", "{ float x[0]; }", "{ }", "{ float x,; }",
        "{ ecs_array(float, 0x100000001) x; }", "{ ecs_array(float) x; }",
        "{ ecs_array(float, 3 x; }", "{ ecs_map(int) x; }", "{ ecs_map(int, Nope) x; }",
        "{ ecs_map(float, int) x; }", "{ ecs_vec x; }", "{ ecs_vec(int x; }", "{ long double x; }",
        "{ int x; int x; }", "{ int 3x; }", "{ int x[2; }", "{ int x[1 < 2]; }", "{ int x; /* }" };
    ecs_log_set_level(-4);
    for (size_t i = 0; i < sizeof structs / sizeof *structs; i++) {
        if (!ecs_meta_from_desc(world, ecs_new(world), EcsStructType, structs[i]))
            fail_msg("accepted: %s", structs[i]);
    }
    ecs_strbuf_t text = ECS_STRBUF_INIT;
    ecs_strbuf_appendstr(&text, "{ ");
    for (int i = 0; i < 200000; i++) ecs_strbuf_appendstr(&text, "ecs_vec(");
    char *deep = ecs_strbuf_get(&text);
    assert_int_equal(ecs_meta_from_desc(world, ecs_new(world), EcsStructType, deep), -1);
    ecs_os_free(deep);
    assert_int_equal(ecs_meta_from_desc(world, ecs_new(world), EcsArrayType, "{ }"), -1);
    assert_int_equal(ecs_meta_from_desc(world, ecs_new(world), EcsBitmaskType, "{ A, B }"), -1);
    static const char *const enums[] = { "", "{ A, A }", "{ A = 1, B = 1 }", "{ A = '\\'' }",
        "{ A = 1 < 2 }", "{ A = 99999999999999999999 }", "{ A,, B }", "{ A = x }", "{ A = A }",
        "{ A = 1 | }", "{ A = (1 }", "{ A = 1 << 64 }", "{ A = -", "{ A = 1 || 0 }", "{ A B }",
        "{ A" };
    for (size_t i = 0; i < sizeof enums / sizeof *enums; i++) {
        if (!ecs_meta_from_desc(world, ecs_new(world), EcsEnumType, enums[i]))
            fail_msg("accepted: %s", enums[i]);
    }
    static char nested[200000] = "{ A = ";
    memset(&nested[6], '(', sizeof nested - 7);
    assert_int_equal(ecs_meta_from_desc(world, ecs_new(world), EcsEnumType, nested), -1);
    ecs_entity_t type = ecs_new(world);
    const int alive = ecs_get_entities(world).alive_count;
    const char *half = "{ ecs_vec(ecs_vec(int32_t)) v; ecs_vec(Nope) n; }";
    assert_int_equal(ecs_meta_from_desc(world, type, EcsStructType, half), -1);
    assert_int_equal(ecs_get_entities(world).alive_count, alive);
    ecs_log_set_level(-1);
}

// The hash of a world tells what it holds, not what was on the stack when that was set.
static void padding_of_descriptions_is_no_state(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = ecs_new(world), list = ecs_new(world);
    ecs_entity_t record = ecs_struct(
        world, { .create_member_entities = true, .members = { { "a", ecs_id(ecs_i32_t) } } });
    ecs_entity_t member = ecs_struct_get_nth_member(world, record, 0)->member;
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        EcsType value;
        memset(&value, i == 1 ? 0xff : 0, sizeof value);
        value.kind = EcsStructType;
        value.existing = false;
        value.partial = i == 2;
        ecs_set_ptr(world, type, EcsType, &value);
        EcsArray array;
        memset(&array, i == 1 ? 0xff : 0, sizeof array);
        array.type = ecs_id(ecs_i32_t);
        array.count = 3;
        ecs_set_ptr(world, list, EcsArray, &array);
        EcsMember described;
        memset(&described, i == 1 ? 0xff : 0, sizeof described);
        described.type = ecs_id(ecs_i32_t);
        described.unit = 0;
        described.count = described.offset = 0;
        described.use_offset = false;
        ecs_set_ptr(world, member, EcsMember, &described);
        hash[i] = ecs_world_hash(world);
    }
    assert_hash_equal(hash[1], hash[0]);
    assert_true(hash[2] != hash[0]);
}

// ---- Opaque types, units, doc ----

typedef struct Text {
    char *value;
} Text;

static int write_text(const ecs_serializer_t *ser, const void *src) {
    return ser->value(ser, ecs_id(ecs_string_t), &((const Text *)src)->value);
}
static void assign_text(void *dst, const char *value) {
    ecs_os_strset(&((Text *)dst)->value, value);
}

// ---- Opaque collections ----

typedef struct Numbers {
    int32_t values[3];
    int32_t count; /* of a list */
} Numbers;

static int write_list(const ecs_serializer_t *ser, const void *src) {
    const Numbers *numbers = src;
    for (int i = 0; i < numbers->count; i++)
        ser->value(ser, ecs_id(ecs_i32_t), &numbers->values[i]);
    return 0;
}
static void clear_list(void *dst) { ((Numbers *)dst)->count = 0; }
static void *number_at(void *dst, size_t index) { return &((Numbers *)dst)->values[index]; }
static void *list_at(void *dst, size_t index) {
    ((Numbers *)dst)->count = (int32_t)index + 1;
    return number_at(dst, index);
}

static void opaque_collections_begin_empty_or_have_their_length(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Numbers);
    ecs_entity_t list = ecs_component(world, { .type = { sizeof(Numbers), 4 } });
    ecs_opaque(world, { .entity = list,
                          .type = { .as_type = ecs_vector(world, { .type = ecs_id(ecs_i32_t) }),
                              .serialize = write_list,
                              .clear = clear_list,
                              .ensure_element = list_at } });
    ecs_opaque(
        world, { .entity = ecs_id(Numbers),
                   .type = { .as_type = ecs_array(world, { .type = ecs_id(ecs_i32_t), .count = 3 }),
                       .serialize = write_list,
                       .ensure_element = number_at } });
    Numbers numbers = { { 7, 8, 9 }, 3 };
    assert_non_null(ecs_ptr_from_json(world, list, &numbers, "[1]", NULL));
    assert_int_equal(numbers.count, 1);
    assert_non_null(ecs_ptr_from_json(world, ecs_id(Numbers), &numbers, "[4, 5]", NULL));
    assert_int_equal(numbers.values[0] * 100 + numbers.values[1] * 10 + numbers.values[2], 459);
    ecs_log_set_level(-5);
    assert_null(ecs_ptr_from_json(world, ecs_id(Numbers), &numbers, "[1, 2, 3, 4]", NULL));
    ecs_log_set_level(-1);
}

static void opaque_values_are_read_and_written_by_their_functions(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Text);
    ecs_opaque(world, { .entity = ecs_id(Text),
                          .type = { .as_type = ecs_id(ecs_string_t),
                              .serialize = write_text,
                              .assign_string = assign_text } });
    ecs_entity_t type = ecs_struct(world, { .members = { { .name = "t", .type = ecs_id(Text) } } });
    Text value = { 0 };
    ecs_meta_cursor_t c = ecs_meta_cursor(world, type, &value);
    ecs_meta_push(&c);
    assert_int_equal(ecs_meta_set_string(&c, "hello"), 0);
    assert_string_equal(expr(world, type, &value), "{t: \"hello\"}");
    ecs_os_free(value.value);
    ecs_entity_t other = ecs_component(world, { .type = { 8, 8 } });
    ecs_opaque(world, { .entity = other, .type = { .as_type = ecs_id(Text) } });
    expect_error(ECS_INVALID_PARAMETER, "looks like itself",
        ecs_opaque(world, { .entity = ecs_id(Text), .type = { .as_type = other } }));
    expect_error(ECS_INVALID_PARAMETER, "looks like itself",
        ecs_opaque(world, { .entity = other, .type = { .as_type = other } }));
    ecs_entity_t dead = ecs_new(world);
    ecs_delete(world, dead);
    expect_error(ECS_INVALID_PARAMETER, "no description",
        assert_int_equal(
            ecs_opaque(world, { .entity = ecs_id(Text), .type = { .as_type = dead } }), 0));
}

static void units_combine_symbols(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t kilo = ecs_unit_prefix(world, { .symbol = "k", .translation = { 10, 3 } });
    ecs_entity_t length = ecs_quantity(world, { .name = "Length" });
    ecs_entity_t metre = ecs_unit(world, { .symbol = "m", .quantity = length });
    ecs_entity_t second = ecs_unit(world, { .symbol = "s" });
    ecs_entity_t speed = ecs_unit(world, { .base = metre, .over = second, .prefix = kilo });
    assert_string_equal(ecs_get(world, speed, EcsUnit)->symbol, "km/s");
    assert_int_equal(ecs_get(world, speed, EcsUnit)->translation.power, 3);
    ecs_entity_t km = ecs_unit(world, { .base = metre, .prefix = kilo });
    assert_true(ecs_has_pair(world, km, EcsQuantity, length));
    ecs_entity_t count = ecs_quantity(world, { .name = "Count" });
    assert_id_equal(world, ecs_unit(world, { .entity = count, .symbol = "n" }), count);
    assert_true(ecs_has_pair(world, count, EcsQuantity, count));
    expect_error(ECS_INVALID_PARAMETER, "needs a base", ecs_unit(world, { .prefix = kilo }));
    expect_error(ECS_INVALID_PARAMETER, "prefix", ecs_unit(world, { .prefix = metre }));
    expect_error(ECS_INVALID_PARAMETER, "is no unit", ecs_unit(world, { .base = kilo }));
    expect_error(ECS_INVALID_PARAMETER, "not that of its prefix",
        ecs_unit(world, { .base = metre, .prefix = kilo, .translation = { 10, 4 } }));
    ecs_entity_t dead = ecs_new(world);
    ecs_delete(world, dead);
    const ecs_unit_desc_t descs[] = { { .base = dead }, { .base = metre, .over = dead },
        { .base = metre, .prefix = dead }, { .quantity = dead }, { .quantity = metre } };
    static const char *const texts[] = { "is no unit", "is no unit", "prefix", "quantity",
        "quantity" };
    int64_t alive = ecs_get_entities(world).alive_count;
    for (int i = 0; i < 5; i++) {
        expect_error(
            ECS_INVALID_PARAMETER, texts[i], assert_int_equal(ecs_unit_init(world, &descs[i]), 0));
    }
    assert_int_equal(ecs_get_entities(world).alive_count, alive);
}

static void doc_texts_are_kept_apart_from_names(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_entity(world, { .name = "e" });
    assert_string_equal(ecs_doc_get_name(world, e), "e");
    ecs_doc_set_name(world, e, "A nice name");
    ecs_doc_set_brief(world, e, "brief");
    ecs_doc_set_color(world, e, "#ff0000");
    ecs_doc_set_detail(world, e, "more");
    ecs_doc_set_uuid(world, e, "0-1");
    assert_string_equal(ecs_doc_get_name(world, e), "A nice name");
    assert_string_equal(ecs_get_name(world, e), "e");
    assert_string_equal(ecs_doc_get_brief(world, e), "brief");
    assert_string_equal(ecs_doc_get_color(world, e), "#ff0000");
    assert_string_equal(ecs_doc_get_detail(world, e), "more");
    assert_string_equal(ecs_doc_get_uuid(world, e), "0-1");
    assert_null(ecs_doc_get_link(world, e));
    ecs_doc_set_link(world, e, "there");
    assert_string_equal(ecs_doc_get_link(world, e), "there");
    ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, e);
    assert_null(ecs_doc_get_brief(world, instance));
    ecs_doc_set_brief(world, e, NULL);
    assert_null(ecs_doc_get_brief(world, e));
}

static void mini_worlds_import_reflection_when_asked(void **state) {
    ecs_world_t *world = *state;
    assert_false(ecs_is_alive(world, ecs_id(EcsType)));
    FlecsMetaImport(world);
    FlecsMetaImport(world);
    assert_true(make_point(world) != 0);
    const ecs_entity_t tag = ecs_new(world);
    ecs_defer_begin(world);
    ecs_set_with(world, tag);
    FlecsDocImport(world);
    assert_id_equal(world, ecs_set_with(world, 0), tag);
    assert_false(ecs_has_id(world, EcsDocBrief, tag));
    assert_true(ecs_has(world, ecs_id(EcsDocDescription), EcsStruct));
    ecs_defer_end(world);
    ecs_world_t *other = ecs_mini(); /* by a stage of one's own */
    ecs_set_stage_count(other, 2);
    FlecsDocImport(ecs_get_stage(other, 1));
    assert_true(ecs_has_id(other, ecs_lookup(other, "flecs.meta"), EcsModule));
    ecs_fini(other);
}

static void types_are_made_at_once_also_while_deferred(void **state) {
    ecs_world_t *world = *state;
    ecs_defer_begin(world);
    ecs_entity_t type = make_point(world);
    assert_true(type != 0);
    ecs_entity_t length = ecs_quantity(world, { .name = "Length" });
    assert_true(ecs_unit(world, { .symbol = "m", .quantity = length }) != 0);
    ecs_entity_t e = ecs_new_w_id(world, type);
    assert_int_equal(ecs_struct_get_nth_member(world, type, 1)->offset, 8);
    ecs_defer_end(world);
    assert_string_equal(expr(world, type, ecs_get_id(world, e, type)), "{x: 0, y: 0, c: \"\"}");
}

static const char *text_of(ecs_world_t *world, ecs_entity_t type, const void *value) {
    static char text[128];
    char *json = ecs_ptr_to_json(world, type, value);
    snprintf(text, sizeof text, "%s", json ? json : "none");
    ecs_os_free(json);
    return text;
}

// Parts are named after their entities from when their value is set again.
static void parts_follow_their_entities(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type =
        ecs_struct(world, { .entity = ecs_entity(world, { .name = "Pair" }),
                              .members = { { .name = "a", .type = ecs_id(ecs_i32_t) },
                                  { .name = "b", .type = ecs_id(ecs_entity_t) } },
                              .create_member_entities = true });
    const ecs_entity_t a = ecs_lookup(world, "Pair.a"), b = ecs_lookup(world, "Pair.b");
    ecs_set_name(world, a, "count");
    ecs_set_ptr(world, a, EcsMember, ecs_get(world, a, EcsMember));
    uint64_t value[2] = { 7 };
    assert_string_equal(text_of(world, type, value), "{\"count\":7, \"b\":\"#0\"}");
    // Another entity of the old name is another member; one of a name that is taken is refused.
    const ecs_entity_t other = ecs_entity(world, { .parent = type, .name = "a" });
    ecs_set(world, other, EcsMember, { .type = ecs_id(ecs_u8_t) });
    assert_int_equal(ecs_struct_get_member(world, type, "a")->member, other);
    assert_int_equal(ecs_struct_get_member(world, type, "count")->member, a);
    // A member whose entity ends, or is no member any more, stays, and gets another one.
    ecs_delete(world, b);
    assert_int_equal(ecs_struct_get_member(world, type, "b")->member, 0);
    ecs_query_t *query = ecs_query(world, { .expr = "Pair.b($this, $x)" });
    assert_non_null(query);
    ecs_query_fini(query);
    assert_true(ecs_is_alive(world, ecs_struct_get_member(world, type, "b")->member));
    ecs_remove(world, a, EcsMember);
    assert_int_equal(ecs_struct_get_member(world, type, "count")->member, 0);
    // So does one whose entity is moved; that is no part of another struct before it is set there.
    ecs_entity_t next =
        ecs_struct(world, { .members = { { .name = "q", .type = ecs_id(ecs_i8_t) } } });
    ecs_add_pair(world, ecs_lookup(world, "Pair.b"), EcsChildOf, next);
    query = ecs_query(world, { .expr = "Pair.b($this, $x)" });
    assert_non_null(query);
    ecs_query_fini(query);
    ecs_entity_t moved = ecs_lookup_child(world, next, "b");
    ecs_set(world, other, EcsMember, { .type = ecs_id(ecs_u64_t), .count = 4 });
    assert_int_equal(ecs_get(world, next, EcsStruct)->members.count, 1);
    ecs_set_ptr(world, moved, EcsMember, ecs_get(world, moved, EcsMember));
    assert_id_equal(world, ecs_struct_get_member(world, next, "b")->member, moved);
    ecs_delete(world, type);

    ecs_entity_t mood =
        ecs_enum(world, { .entity = ecs_entity(world, { .name = "Temper" }),
                            .constants = { { .name = "Sad" }, { .name = "Mad" } } });
    const ecs_entity_t sad = ecs_lookup(world, "Temper.Sad");
    int32_t number = 0;
    ecs_set_name(world, sad, "Blue");
    ecs_set_pair_second(world, sad, EcsConstant, ecs_i32_t, { 0 });
    assert_string_equal(text_of(world, mood, &number), "\"Blue\"");
    ecs_set_name(world, sad, "Low");
    ecs_set_pair_second(world, sad, EcsConstant, ecs_i32_t, { number = 5 });
    assert_string_equal(text_of(world, mood, &number), "\"Low\"");
    assert_non_null(ecs_ptr_from_json(world, mood, &number, "\"Mad\"", NULL));
    assert_int_equal(number, 1);
    // One that was moved elsewhere leaves nothing when it ends.
    const ecs_entity_t mad = ecs_lookup(world, "Temper.Mad");
    ecs_add_pair(world, mad, EcsChildOf, ecs_new(world));
    ecs_remove_id(world, mad, EcsConstant);
    assert_int_equal(ecs_get(world, mood, EcsConstants)->ordered_constants.count, 1);
    ecs_remove_pair(world, sad, EcsChildOf, EcsWildcard);
    ecs_delete(world, sad);
    assert_int_equal(ecs_get(world, mood, EcsConstants)->ordered_constants.count, 0);
}

// What is written can be read.
static void names_of_bits_do_not_split_their_text(void **state) {
    ecs_world_t *world = *state;
    static const char *const names[] = { "A|B", "A B", " ", "|" };
    for (int i = 0; i < 4; i++)
        expect_error(ECS_INVALID_PARAMETER, "without '|'",
            assert_int_equal(ecs_bitmask(world, { .constants = { { .name = names[i] } } }), 0));
    ecs_entity_t bits = ecs_bitmask(world, { .constants = { { .name = "A" } } });
    const ecs_entity_t a = ecs_lookup_child(world, bits, "A");
    ecs_set_name(world, a, "A|B");
    expect_error(ECS_INVALID_PARAMETER, "without '|'",
        ecs_set_pair_second(world, a, EcsConstant, ecs_u32_t, { 4 }));
    uint32_t value = 4;
    assert_string_equal(text_of(world, bits, &value), "\"A\"");
    assert_non_null(ecs_ptr_from_json(world, bits, &value, "\"A\"", NULL));
}

// Members and inline arrays lie in columns, which are aligned; vectors and maps have memory of the heap.
static void elements_of_the_heap_need_no_more_alignment_than_it_has(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t wide = ecs_component(world, { .entity = ecs_entity(world, { .name = "Wide" }),
                                                 .type = { .size = 64, .alignment = 64 } });
    ecs_struct(world,
        { .entity = wide, .members = { { .name = "x", .type = ecs_id(ecs_f32_t), .count = 16 } } });
    expect_error(ECS_INVALID_PARAMETER, "aligned to 64",
        assert_int_equal(ecs_vector(world, { .type = wide }), 0));
    expect_error(ECS_INVALID_PARAMETER, "aligned to 64",
        assert_int_equal(ecs_map_type(world, { .key_type = ecs_id(ecs_u8_t), .type = wide }), 0));
    ecs_entity_t list = ecs_array(world, { .type = wide, .count = 2 });
    assert_int_equal(ecs_get(world, list, EcsComponent)->alignment, 64);
    assert_true(ecs_struct(world, { .members = { { .name = "w", .type = wide } } }));
}

// Forms of C that have no description are refused with what to write instead, where they stand.
static void forms_of_c_that_cannot_be_described_are_told(void **state) {
    ecs_world_t *world = *state;
    static const struct {
        const char *text, *says;
        int column;
    } rows[] = {
        { "{ float m[4][4]; }", "array of a struct that has the inner one", 12 },
        { "{ uint32_t low : 4; }", "bit fields", 15 },
        { "{ unsigned : 4; }", "bit fields", 11 },
        { "{ struct { int a; } x; }", "ECS_STRUCT", 2 },
        { "{ int a; enum Kind { A } kind; }", "ECS_ENUM", 9 },
        { "{ union { int a; float b; }; }", "unions", 2 },
        { "{ void (*call)(int); }", "functions", 7 },
        { "{ char *(*name)(void); }", "functions", 8 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ecs_log_start_capture(false);
        assert_int_equal(
            ecs_meta_from_desc(world, ecs_new(world), EcsStructType, rows[i].text), -1);
        char *log = ecs_log_stop_capture(), place[32];
        snprintf(place, sizeof place, "column %d:", rows[i].column + 1);
        if (!strstr(log, rows[i].says) || !strstr(log, place))
            print_error("%s: %s", rows[i].text, log);
        assert_non_null(strstr(log, rows[i].says));
        assert_non_null(strstr(log, place));
        ecs_os_free(log);
    }
    assert_int_equal(ecs_meta_from_desc(world, ecs_new(world), EcsStructType,
                         "{ const struct ecs_i32_t a; enum  ecs_i32_t b; }"),
        0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(parts_follow_their_entities),
        world_test(forms_of_c_that_cannot_be_described_are_told),
        world_test(names_of_bits_do_not_split_their_text),
        world_test(elements_of_the_heap_need_no_more_alignment_than_it_has),
        world_test(a_struct_is_laid_out_like_c_does),
        world_test(operations_list_members_and_nested_structs_in_line),
        world_test(wrong_structs_are_refused_and_leave_nothing),
        world_test(structs_nest_up_to_a_size),
        world_test(members_that_own_memory_lie_apart),
        world_test(members_of_packed_structs_lie_anywhere),
        world_test(a_description_covers_a_part_of_a_component_or_all),
        world_test(members_are_added_one_by_one),
        world_test(setting_member_on_children_makes_a_struct),
        world_test(member_entities_are_children_with_member),
        world_test(member_entities_follow_the_struct),
        world_test(members_follow_their_entities),
        world_test(ranges_may_come_before_their_member),
        world_test(types_in_use_keep_their_size_and_hooks),
        world_test(values_of_run_time_types_are_copied_moved_and_ended),
        world_test(what_a_part_forbids_is_forbidden_for_the_whole),
        world_test(equal_values_compare_as_equal),
        world_test(values_compare_member_by_member),
        world_test(c_components_compare_when_asked_to),
        world_test(c_components_compare_by_arrays_and_constants),
        world_test(constants_count_up_and_are_entities),
        world_test(constants_do_not_count_beyond_the_largest_number),
        world_test(constants_are_numbers_in_queries),
        world_test(constants_may_be_made_by_hand),
        world_test(constants_of_bitmasks_may_be_made_by_hand),
        world_test(constants_have_the_underlying_type_of_their_enum),
        world_test(copies_of_vectors_are_as_long_as_the_original),
        world_test(a_bitmask_may_be_set_like_any_value),
        world_test(what_describes_a_type_is_true_whoever_sets_it),
        world_test(types_keep_their_kind),
        world_test(what_is_refused_by_hand_is_taken_off),
        world_test(enums_keep_their_constants_when_they_are_set_again),
        world_test(entities_that_ended_may_become_types),
        world_test(constants_that_are_left_keep_their_order),
        world_test(elements_of_collections_keep_their_type),
        world_test(parts_of_types_stay_as_they_were),
        world_test(types_know_whether_others_have_parts_of_them),
        world_test(values_may_hold_more_of_their_kind),
        world_test(elements_that_entities_have_stay_as_they_are),
        world_test(owned_values_stay_as_they_are),
        world_test(elements_may_lose_their_order),
        world_test(types_in_use_may_be_deleted),
        world_test(values_outlive_their_types),
        world_test(c_definitions_are_understood),
        world_test(integers_have_many_names_in_c),
        world_test(types_of_the_library_are_understood),
        world_test(c_definitions_are_registered_anywhere),
        world_test(c_text_may_have_comments_characters_and_arrays),
        world_test(c_text_tells_strings_from_other_pointers),
        world_test(c_text_may_declare_several_members_at_once),
        world_test(c_text_may_list_many),
        world_test(c_text_may_calculate_constants),
        world_test(c_enums_keep_their_size),
        world_test(describing_again_changes_nothing),
        world_test(c_text_that_cannot_be_described_is_refused),
        world_test(opaque_values_are_read_and_written_by_their_functions),
        world_test(opaque_collections_begin_empty_or_have_their_length),
        world_test(units_combine_symbols),
        world_test(padding_of_descriptions_is_no_state),
        world_test(doc_texts_are_kept_apart_from_names),
        mini_world_test(mini_worlds_import_reflection_when_asked),
        world_test(types_are_made_at_once_also_while_deferred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
