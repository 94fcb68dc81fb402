// SPDX-License-Identifier: MIT
// Cursors: walking through values and converting what is assigned to them (sheet 07, section 5).
#include <math.h>

#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Line {
    int32_t from[2];
    struct {
        double z;
        bool on;
    } end;
} Line;

static ecs_entity_t make_line(ecs_world_t *world) {
    ecs_entity_t end = ecs_struct(world, { .members = { { .name = "z", .type = ecs_id(ecs_f64_t) },
                                               { .name = "on", .type = ecs_id(ecs_bool_t) } } });
    return ecs_struct(
        world, { .entity = ecs_entity(world, { .name = "Line" }),
                   .members = { { .name = "from", .type = ecs_id(ecs_i32_t), .count = 2 },
                       { .name = "end", .type = end } } });
}

static void a_value_is_written_part_by_part(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = make_line(world);
    Line line = { 0 };
    ecs_meta_cursor_t c = ecs_meta_cursor(world, type, &line);
    assert_id_equal(world, ecs_meta_get_type(&c), type);
    assert_ptr_equal(ecs_meta_get_ptr(&c), &line);
    assert_int_equal(ecs_meta_push(&c), 0);
    assert_string_equal(ecs_meta_get_member(&c), "from");
    assert_int_equal(ecs_meta_push(&c), 0);
    assert_true(ecs_meta_is_collection(&c));
    assert_int_equal(ecs_meta_set_int(&c, 1), 0);
    assert_int_equal(ecs_meta_next(&c), 0);
    assert_int_equal(ecs_meta_set_int(&c, 2), 0);
    ecs_log_set_level(-4);
    assert_int_equal(ecs_meta_next(&c), -1);
    ecs_log_set_level(-1);
    assert_int_equal(ecs_meta_pop(&c), 0);
    assert_int_equal(ecs_meta_next(&c), 0);
    assert_int_equal(ecs_meta_push(&c), 0);
    assert_int_equal(ecs_meta_set_float(&c, 2.5), 0);
    assert_int_equal(ecs_meta_next(&c), 0);
    assert_int_equal(ecs_meta_set_bool(&c, true), 0);
    ecs_log_set_level(-4);
    assert_int_equal(ecs_meta_next(&c), -1);
    assert_int_equal(ecs_meta_pop(&c), 0);
    assert_int_equal(ecs_meta_pop(&c), 0);
    assert_int_equal(ecs_meta_pop(&c), -1);
    assert_int_equal(ecs_meta_next(&c), -1);
    ecs_log_set_level(-1);
    assert_int_equal(line.from[0] * 10 + line.from[1], 12);
    assert_true(line.end.z == 2.5 && line.end.on);
}

static void members_are_found_by_name_and_path(void **state) {
    ecs_world_t *world = *state;
    Line line = { 0 };
    ecs_entity_t type = make_line(world);
    ecs_meta_cursor_t c = ecs_meta_cursor(world, type, &line);
    ecs_log_start_capture(true);
    assert_int_equal(ecs_meta_member(&c, "from"), -1);
    char *said = ecs_log_stop_capture();
    assert_non_null(
        strstr(said, "in no struct")); /* the struct has the member, but was not entered */
    ecs_os_free(said);
    ecs_meta_push(&c);
    assert_int_equal(ecs_meta_dotmember(&c, "from[1]"), 0);
    ecs_meta_set_int(&c, 5);
    assert_int_equal(ecs_meta_dotmember(&c, "end.z"), 0); /* from where the other one began */
    ecs_meta_set_int(&c, 6);
    assert_int_equal(ecs_meta_pop(&c), 0);
    assert_id_equal(world, ecs_meta_get_type(&c), type);
    assert_int_equal(ecs_meta_push(&c), 0);
    ecs_log_last_error();
    assert_int_equal(ecs_meta_try_member(&c, "nope"), -1);
    const char *const none[] = { "end.nope", "from[2]", "from[x]", "end[0]", "end.z.x", "nope.z",
        "from[-4294967295]", "from[-99999999999999999999]", "from[4294967297]" };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(ecs_meta_try_dotmember(&c, none[i]), -1);
    assert_int_equal(ecs_log_last_error(), 0);
    ecs_log_set_level(-4);
    assert_int_equal(ecs_meta_member(&c, "nope"), -1);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_int_equal(ecs_meta_dotmember(&c, none[i]), -1);
        assert_int_not_equal(ecs_log_last_error(), 0);
    }
    ecs_log_set_level(-1);
    assert_int_equal(ecs_meta_member(&c, "end"), 0);
    assert_int_equal(line.from[1], 5);
    assert_true(line.end.z == 6);
}

static void a_primitive_is_entered_once(void **state) {
    ecs_world_t *world = *state;
    int32_t value = 0;
    ecs_meta_cursor_t c = ecs_meta_cursor(world, ecs_id(ecs_i32_t), &value);
    assert_int_equal(ecs_meta_push(&c), 0);
    assert_int_equal(ecs_meta_set_int(&c, 10), 0);
    ecs_log_set_level(-4);
    assert_int_equal(ecs_meta_push(&c), -1);
    ecs_log_set_level(-1);
    assert_int_equal(ecs_meta_pop(&c), 0);
    assert_int_equal(value, 10);
}

static void entering_a_vector_empties_it_and_elements_appear(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = ecs_vector(world, { .type = ecs_id(ecs_i32_t) });
    ecs_vec_t vec = { 0 };
    ecs_meta_cursor_t c = ecs_meta_cursor(world, type, &vec);
    for (int round = 0; round < 2; round++) {
        ecs_meta_push(&c);
        ecs_meta_set_int(&c, 1 + round);
        ecs_meta_next(&c);
        ecs_meta_set_int(&c, 2);
        ecs_meta_pop(&c);
        assert_int_equal(ecs_vec_count(&vec), 2);
        assert_int_equal(*ecs_vec_get_t(&vec, int32_t, 0), 1 + round);
    }
    ecs_meta_push(&c);
    ecs_log_set_level(-4);
    assert_int_equal(ecs_meta_elem(&c, INT32_MAX), -1); /* more than memory goes to */
    assert_int_equal(ecs_meta_elem(&c, INT32_MAX / 4), -1);
    assert_int_equal(ecs_meta_elem(&c, -1), -1);
    ecs_log_set_level(-1);
    ecs_meta_pop(&c);
    assert_int_equal(ecs_vec_count(&vec), 0);
    ecs_vec_fini_t(NULL, &vec, int32_t);
}

static void maps_are_written_by_key(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t line = make_line(world);
    ecs_entity_t type = ecs_map_type(world, { .key_type = ecs_id(ecs_u8_t), .type = line });
    ecs_map_t map = { 0 };
    ecs_meta_cursor_t c = ecs_meta_cursor(world, type, &map);
    ecs_meta_push(&c);
    assert_true(ecs_meta_is_map(&c));
    char *text = "200";
    int32_t number = 300;
    assert_int_equal(ecs_meta_key(&c, &(ecs_value_t){ ecs_id(ecs_string_t), &text }), 0);
    ecs_log_set_level(-4);
    assert_int_equal(ecs_meta_key(&c, &(ecs_value_t){ ecs_id(ecs_i32_t), &number }), -1);
    ecs_log_set_level(-1);
    const ecs_value_t empty[] = { { 0 }, { ecs_id(ecs_u8_t), NULL } };
    for (int i = 0; i < 2; i++) {
        expect_error(ECS_INVALID_CONVERSION, "empty value",
            assert_int_equal(ecs_meta_key(&c, &empty[i]), -1));
    }
    ecs_meta_push(&c);
    ecs_meta_dotmember(&c, "end.on");
    ecs_meta_set_bool(&c, true);
    assert_int_equal(ecs_map_count(&map), 1);
    assert_true(ecs_map_get_deref(&map, Line, 200)->end.on);
    ecs_os_free(ecs_map_get_ptr(&map, 200));
    ecs_map_fini(&map);
}

static void elements_of_maps_need_a_key_each(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type =
        ecs_map_type(world, { .key_type = ecs_id(ecs_i32_t), .type = ecs_id(ecs_i32_t) });
    const ecs_value_t key = { ecs_id(ecs_i32_t), &(int32_t){ 3 } };
    ecs_map_t map = { 0 };
    ecs_meta_cursor_t c = ecs_meta_cursor(world, type, &map);
    ecs_log_set_level(-4);
    assert_int_equal(ecs_meta_key(&c, &key), -1); /* outside */
    ecs_meta_push(&c);
    assert_int_equal(ecs_meta_set_int(&c, 4), -1);
    assert_int_equal(ecs_meta_elem(&c, 0), -1);
    assert_int_equal(ecs_meta_key(&c, &key), 0);
    assert_int_equal(ecs_meta_set_int(&c, 4), 0);
    assert_int_equal(ecs_meta_next(&c), 0);
    assert_int_equal(ecs_meta_set_int(&c, 5), -1);
    assert_int_equal(ecs_meta_pop(&c), 0);
    ecs_log_set_level(-1);
    assert_int_equal(ecs_meta_op_get_elem_count(&(ecs_meta_op_t){ .kind = EcsOpPushMap }, &map), 1);
    assert_int_equal(*(int32_t *)ecs_map_get(&map, 3), 4);
    ecs_map_fini(&map);
}

// ---- Conversions ----

static void check_int(ecs_world_t *world, ecs_entity_t type, int64_t value, bool fits) {
    uint64_t storage = 0;
    ecs_meta_cursor_t c = ecs_meta_cursor(world, type, &storage);
    int result = ecs_meta_set_int(&c, value);
    if (result != (fits ? 0 : -1)) {
        char *name = ecs_get_path(world, type);
        fail_msg("%lld in %s: %d", (long long)value, name, result);
    }
    if (fits) assert_true(ecs_meta_get_int(&c) == value);
}

static void integers_are_checked_against_their_range(void **state) {
    ecs_world_t *world = *state;
    ecs_log_set_level(-4);
    check_int(world, ecs_id(ecs_i8_t), -128, true);
    check_int(world, ecs_id(ecs_i8_t), 128, false);
    check_int(world, ecs_id(ecs_u8_t), 255, true);
    check_int(world, ecs_id(ecs_u8_t), 256, false);
    check_int(world, ecs_id(ecs_byte_t), -1, false);
    check_int(world, ecs_id(ecs_i16_t), 32768, false);
    check_int(world, ecs_id(ecs_u16_t), 65535, true);
    check_int(world, ecs_id(ecs_i32_t), INT32_MIN, true);
    check_int(world, ecs_id(ecs_i32_t), 1ll << 31, false);
    check_int(world, ecs_id(ecs_u32_t), UINT32_MAX, true);
    check_int(world, ecs_id(ecs_u64_t), -1, false);
    check_int(world, ecs_id(ecs_i64_t), INT64_MIN, true);
    check_int(world, ecs_id(ecs_uptr_t), -1, false);
    check_int(world, ecs_id(ecs_char_t), 'a', true);
    check_int(world, ecs_id(ecs_char_t), 1000, false);
    check_int(world, ecs_id(ecs_f64_t), -3, true);
    check_int(world, ecs_id(ecs_string_t), 10, false);
    int64_t signed_value = 0;
    ecs_meta_cursor_t c = ecs_meta_cursor(world, ecs_id(ecs_i64_t), &signed_value);
    assert_int_equal(ecs_meta_set_uint(&c, UINT64_MAX), -1);
    assert_int_equal(ecs_meta_set_float(&c, 1e30), -1);
    assert_int_equal(ecs_meta_set_float(&c, -2), 0);
    assert_int_equal(signed_value, -2);
    assert_int_equal(ecs_meta_set_float(&c, -0x1p63), 0);
    assert_true(signed_value == INT64_MIN);
    float number = 0;
    c = ecs_meta_cursor(world, ecs_id(ecs_f32_t), &number);
    assert_int_equal(ecs_meta_set_float(&c, 1e300), -1);
    assert_int_equal(ecs_meta_set_float(&c, INFINITY), 0);
    assert_true(isinf(number));
    ecs_log_set_level(-1);
}

typedef struct text_case_t {
    ecs_entity_t type;
    const char *text, *expected; /* NULL: refused */
} text_case_t;

static void text_becomes_what_it_names(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t color =
        ecs_enum(world, { .constants = { { .name = "Red" }, { .name = "Blue" } } });
    ecs_entity_t bits = ecs_bitmask(world, { .constants = { { .name = "A" }, { .name = "B" } } });
    ecs_entity(world, { .name = "parent.child" });
    const text_case_t cases[] = {
        { ecs_id(ecs_bool_t), "true", "true" },
        { ecs_id(ecs_bool_t), "false", "false" },
        { ecs_id(ecs_bool_t), "maybe", NULL },
        { ecs_id(ecs_char_t), "a", "\"a\"" },
        { ecs_id(ecs_char_t), "ab", NULL },
        { ecs_id(ecs_i32_t), "-12", "-12" },
        { ecs_id(ecs_i32_t), "12x", NULL },
        { ecs_id(ecs_i32_t), "", NULL },
        { ecs_id(ecs_u64_t), "18446744073709551615", "18446744073709551615" },
        { ecs_id(ecs_u64_t), "0xFFFFFFFFFFFFFFF1", "18446744073709551601" },
        { ecs_id(ecs_i64_t), "-9007199254740993", "-9007199254740993" },
        { ecs_id(ecs_i64_t), "-9223372036854775808", "-9223372036854775808" },
        { ecs_id(ecs_i64_t), "-9223372036854775809", NULL },
        { ecs_id(ecs_i64_t), "9223372036854775808", NULL },
        { ecs_id(ecs_u64_t), "18446744073709551616", NULL },
        { ecs_id(ecs_f64_t), "-9223372036854775809", "\"-9.223372036854776e18\"" },
        { ecs_id(ecs_i8_t), "-129", NULL },
        { ecs_id(ecs_u8_t), "-1", NULL },
        { ecs_id(ecs_u8_t), "256", NULL },
        { ecs_id(ecs_f32_t), "2.5", "2.5" },
        { ecs_id(ecs_f64_t), "1e3", "1000" },
        { color, "Blue", "Blue" },
        { color, "1", "Blue" },
        { color, "Green", NULL },
        { bits, "A|B", "A|B" },
        { bits, "A | B", "A|B" },
        { bits, "2", "B" },
        { bits, "A|C", NULL },
        { bits, "A|", NULL },
        { ecs_id(ecs_entity_t), "parent.child", "parent.child" },
        { ecs_id(ecs_entity_t), "#0", "0" },
        { ecs_id(ecs_entity_t), "nobody", NULL },
        { ecs_id(ecs_id_t), "(ChildOf, parent)", "(ChildOf,parent)" },
        { ecs_id(ecs_id_t), "#0", "0" },
        { ecs_id(ecs_id_t), "nobody", NULL },
    };
    ecs_log_set_level(-4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t storage = 0;
        ecs_meta_cursor_t c = ecs_meta_cursor(world, cases[i].type, &storage);
        int result = ecs_meta_set_string(&c, cases[i].text);
        char *got = result ? NULL : ecs_ptr_to_expr(world, cases[i].type, &storage);
        bool same = cases[i].expected ? got && !strcmp(got, cases[i].expected) : !got;
        if (!same) fail_msg("case %d, '%s': %s", (int)i, cases[i].text, got ? got : "(refused)");
        ecs_os_free(got);
    }
    ecs_log_set_level(-1);
}

// Conversions have one result everywhere. api/07 5
static void numbers_are_read_as_the_nearest_integer(void **state) {
    const struct {
        double number;
        int64_t as_int;
        uint64_t as_uint;
    } cases[] = { { -2.5, -2, -(uint64_t)2 }, { 1e30, INT64_MAX, UINT64_MAX },
        { -1e30, INT64_MIN, 1ull << 63 }, { 0x1p63, INT64_MAX, 1ull << 63 }, { NAN, 0, 0 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double number = cases[i].number;
        ecs_meta_cursor_t c = ecs_meta_cursor(*state, ecs_id(ecs_f64_t), &number);
        assert_true(ecs_meta_get_int(&c) == cases[i].as_int);
        assert_true(ecs_meta_get_uint(&c) == cases[i].as_uint);
    }
}

static bool is_true(const ecs_world_t *world, ecs_entity_t type, void *ptr) {
    ecs_meta_cursor_t c = ecs_meta_cursor(ECS_CONST_CAST(ecs_world_t *, world), type, ptr);
    return ecs_meta_get_bool(&c);
}

static void what_is_not_zero_is_true(void **state) {
    ecs_world_t *world = *state;
    assert_true(is_true(world, ecs_id(ecs_f64_t), &(double){ 0.25 }));
    assert_false(is_true(world, ecs_id(ecs_f64_t), &(double){ -0.0 }));
    assert_true(is_true(world, ecs_id(ecs_u64_t), &(uint64_t){ 1ull << 63 }));
    assert_false(is_true(world, ecs_id(ecs_i8_t), &(int8_t){ 0 }));
    assert_true(is_true(world, ecs_id(ecs_bool_t), &(bool){ true }));
    assert_true(is_true(world, ecs_id(ecs_id_t), &(ecs_id_t){ ecs_pair(EcsChildOf, EcsFlecs) }));
    assert_false(is_true(world, ecs_id(ecs_entity_t), &(ecs_entity_t){ 0 }));
}

static void strings_entities_and_null(void **state) {
    ecs_world_t *world = *state;
    char *text = NULL;
    ecs_meta_cursor_t c = ecs_meta_cursor(world, ecs_id(ecs_string_t), &text);
    assert_int_equal(ecs_meta_set_string_literal(&c, "\"a\\nb\""), 0);
    assert_string_equal(text, "a\nb");
    ecs_log_set_level(-4);
    const char *const unquoted[] = { "", "\"", "a", "\"a", "a\"", "\"a\\\"", "\"\\q\"" };
    for (size_t i = 0; i < sizeof unquoted / sizeof *unquoted; i++)
        assert_int_equal(ecs_meta_set_string_literal(&c, unquoted[i]), -1);
    ecs_log_set_level(-1);
    assert_string_equal(text, "a\nb");
    assert_int_equal(ecs_meta_set_char(&c, 'x'), 0);
    assert_string_equal(ecs_meta_get_string(&c), "x");
    assert_int_equal(ecs_meta_set_null(&c), 0);
    assert_null(text);
    ecs_entity_t e = ecs_new(world), id = 0;
    c = ecs_meta_cursor(world, ecs_id(ecs_id_t), &id);
    assert_int_equal(ecs_meta_set_entity(&c, e), 0);
    assert_id_equal(world, ecs_meta_get_id(&c), e);
    assert_int_equal(ecs_meta_set_value(&c, &(ecs_value_t){ ecs_id(ecs_entity_t), &e }), 0);
    c = ecs_meta_cursor(world, ecs_id(ecs_entity_t), &id);
    ecs_log_set_level(-4);
    assert_int_equal(ecs_meta_set_id(&c, ecs_pair(EcsChildOf, e)), -1);
    assert_int_equal(ecs_meta_set_bool(&c, true), -1);
    c = ecs_meta_cursor(world, ecs_new(world), &id);
    assert_false(c.valid);
    assert_int_equal(ecs_meta_set_int(&c, 1), -1);
    assert_int_equal(ecs_meta_push(&c), -1);
    assert_int_equal(ecs_meta_next(&c), -1);
    assert_int_equal(ecs_meta_member(&c, "x"), -1);
    ecs_log_set_level(-1);
}

// A value of every kind in place of every other one: what has room is taken, all else is refused and changes nothing.
static void values_become_values_of_other_types(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t line = make_line(world);
    char text[] = "1";
    const ecs_value_t ones[] = { { ecs_id(ecs_bool_t), &(bool){ true } },
        { ecs_id(ecs_i8_t), &(int8_t){ 1 } }, { ecs_id(ecs_u64_t), &(uint64_t){ 1 } },
        { ecs_id(ecs_f32_t), &(float){ 1 } }, { ecs_id(ecs_f64_t), &(double){ 1 } },
        { ecs_id(ecs_string_t), &(char *){ text } } };
    const ecs_value_t others[] = { { ecs_id(ecs_id_t), &(ecs_id_t){ EcsFlecs } },
        { ecs_id(ecs_entity_t), &(ecs_entity_t){ EcsFlecs } }, { ecs_id(ecs_char_t), "x" },
        { ecs_id(ecs_i16_t), &(int16_t){ -1 } }, { ecs_id(ecs_string_t), &(char *){ NULL } },
        { ecs_id(ecs_i32_t), NULL }, { line, &(Line){ .from = { 1 } } } };
    int8_t number = 0;
    ecs_meta_cursor_t c = ecs_meta_cursor(world, ecs_id(ecs_i8_t), &number);
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++, number = 0) {
        assert_int_equal(ecs_meta_set_value(&c, &ones[i]), 0);
        assert_int_equal(number, 1);
    }
    assert_int_equal(ecs_meta_set_value(&c, &others[2]), 0);
    assert_int_equal(number, 'x');
    assert_int_equal(ecs_meta_set_value(&c, &others[3]), 0);
    assert_int_equal(number, -1);
    double real = 0;
    c = ecs_meta_cursor(world, ecs_id(ecs_f64_t), &real);
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++, real = 0) {
        assert_int_equal(ecs_meta_set_value(&c, &ones[i]), 0);
        assert_true(real == 1);
    }
    uint16_t index = 0;
    c = ecs_meta_cursor(world, ecs_id(ecs_u16_t), &index);
    assert_int_equal(ecs_meta_set_value(&c, &others[0]), 0);
    assert_int_equal(index, EcsFlecs);
    int16_t is_signed = 0;
    c = ecs_meta_cursor(world, ecs_id(ecs_i16_t), &is_signed);
    assert_int_equal(ecs_meta_set_value(&c, &others[1]), 0);
    assert_int_equal(is_signed, EcsFlecs);
    ecs_log_set_level(-4);
    assert_int_equal(ecs_meta_set_id(&c, ecs_pair(EcsChildOf, EcsFlecs)), -1);
    Line value = { .from = { 3, 4 } }, before = value;
    c = ecs_meta_cursor(world, line, &value);
    assert_int_equal(ecs_meta_push(&c), 0);
    assert_int_equal(ecs_meta_set_value(&c, &ones[1]), -1); /* an array of numbers */
    assert_int_equal(
        ecs_meta_set_value(&c, &(ecs_value_t){ ecs_id(ecs_i32_t), &(int32_t){ 1 } }), -1);
    assert_int_equal(ecs_meta_dotmember(&c, "end.z"), 0);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const bool is_number = i == 2 || i == 3;
        assert_int_equal(ecs_meta_set_value(&c, &others[i]), is_number ? 0 : -1);
        value.end.z = 0;
    }
    ecs_log_set_level(-1);
    assert_memory_equal(&value, &before, sizeof value);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(a_value_is_written_part_by_part),
        world_test(members_are_found_by_name_and_path),
        world_test(a_primitive_is_entered_once),
        world_test(entering_a_vector_empties_it_and_elements_appear),
        world_test(maps_are_written_by_key),
        world_test(elements_of_maps_need_a_key_each),
        world_test(integers_are_checked_against_their_range),
        world_test(text_becomes_what_it_names),
        world_test(numbers_are_read_as_the_nearest_integer),
        world_test(what_is_not_zero_is_true),
        world_test(strings_entities_and_null),
        world_test(values_become_values_of_other_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
