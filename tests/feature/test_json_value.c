// SPDX-License-Identifier: MIT
// JSON of values and types: exact formats, and what is read back (sheet 07, sections 7 and 10).
#include <stdlib.h>

#include "support/world.h"

#include "support/check.h"
#include "support/memory.h"

static void assert_json(char *json, const char *expected, int line) {
    if (!json || strcmp(json, expected) != 0) {
        print_error("got      %s\nexpected %s\n", json ? json : "(none)", expected);
        _fail(__FILE__, line);
    }
    ecs_os_free(json);
}
#define check_json(json, expected) assert_json(json, expected, __LINE__)
#define check_ptr(type, ptr, expected) \
    assert_json(ecs_ptr_to_json(world, type, ptr), expected, __LINE__)

static void primitives_are_written(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_entity(world, { .name = "parent" });
    ecs_entity_t child = ecs_entity(world, { .name = "child", .parent = parent });
    ecs_entity_t rel = ecs_entity(world, { .name = "Rel" }), zero = 0;
    ecs_id_t pair = ecs_pair(rel, child), number = ecs_value_pair(rel, 10);
    check_ptr(ecs_id(ecs_bool_t), &(bool){ true }, "true");
    check_ptr(ecs_id(ecs_char_t), &(char){ 'a' }, "\"a\"");
    check_ptr(ecs_id(ecs_char_t), &(char){ 0 }, "\"\"");
    check_ptr(ecs_id(ecs_char_t), &(char){ '"' }, "\"\\\"\"");
    check_ptr(ecs_id(ecs_byte_t), &(uint8_t){ 200 }, "200");
    check_ptr(ecs_id(ecs_i8_t), &(int8_t){ -5 }, "-5");
    check_ptr(ecs_id(ecs_u64_t), &(uint64_t){ UINT64_MAX }, "18446744073709551615");
    check_ptr(ecs_id(ecs_i64_t), &(int64_t){ INT64_MIN }, "-9223372036854775808");
    check_ptr(ecs_id(ecs_f32_t), &(float){ 10.5f }, "10.5");
    check_ptr(ecs_id(ecs_f32_t), &(float){ 10 }, "10");
    check_ptr(ecs_id(ecs_f32_t), &(float){ 0.1f }, "0.1");
    check_ptr(ecs_id(ecs_f32_t), &(float){ -0.0f }, "-0");
    check_ptr(ecs_id(ecs_f32_t), &(float){ 16777217.0f / 3 }, "5592405.5");
    check_ptr(ecs_id(ecs_f32_t), &(float){ 1e30f }, "\"1e30\"");
    check_ptr(ecs_id(ecs_f32_t), &(float){ -INFINITY }, "\"-Inf\"");
    check_ptr(ecs_id(ecs_f64_t), &(double){ 0.1 + 0.2 }, "0.30000000000000004");
    check_ptr(ecs_id(ecs_f64_t), &(double){ NAN }, "\"NaN\"");
    check_ptr(ecs_id(ecs_f64_t), &(double){ INFINITY }, "\"Inf\"");
    check_ptr(ecs_id(ecs_string_t), &(char *){ "a\n\"b\\" }, "\"a\\n\\\"b\\\\\"");
    check_ptr(ecs_id(ecs_string_t), &(char *){ NULL }, "null");
    check_ptr(ecs_id(ecs_entity_t), &child, "\"parent.child\"");
    check_ptr(ecs_id(ecs_entity_t), &zero, "\"#0\"");
    check_ptr(ecs_id(ecs_id_t), &pair, "[\"Rel\",\"parent.child\"]");
    check_ptr(ecs_id(ecs_id_t), &number, "[\"Rel\",\"@10\"]");
    check_ptr(ecs_id(ecs_id_t), &rel, "[\"Rel\"]");
    check_ptr(ecs_id(ecs_id_t), &(ecs_id_t){ EcsChildOf }, "[\"flecs.core.ChildOf\"]");
    check_ptr(ecs_id(ecs_id_t), &zero, "\"#0\"");
    ecs_entity_t unnamed = ecs_new(world);
    char expected[32];
    snprintf(expected, sizeof expected, "\"#%u\"", (unsigned)unnamed);
    check_ptr(ecs_id(ecs_entity_t), &unnamed, expected);
}

typedef struct Point {
    int32_t x, y;
} Point;

static ecs_entity_t make_point(ecs_world_t *world) {
    return ecs_struct(world, { .entity = ecs_entity(world, { .name = "Point" }),
                                 .members = { { .name = "x", .type = ecs_id(ecs_i32_t) },
                                     { .name = "y", .type = ecs_id(ecs_i32_t) } } });
}

static void values_with_parts_are_written(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t point = make_point(world);
    ecs_entity_t color =
        ecs_enum(world, { .constants = { { .name = "Red" }, { .name = "Blue" } } });
    ecs_entity_t bits = ecs_bitmask(world, { .constants = { { .name = "A" }, { .name = "B" } } });
    ecs_entity_t array = ecs_array(world, { .type = ecs_id(ecs_i32_t), .count = 2 });
    ecs_entity_t points = ecs_vector(world, { .type = point });
    ecs_entity_t map = ecs_map_type(world, { .key_type = color, .type = ecs_id(ecs_i32_t) });
    Point two[] = { { 10, 20 }, { 30, 40 } };
    check_ptr(point, two, "{\"x\":10, \"y\":20}");
    check_json(
        ecs_array_to_json(world, point, two, 2), "[{\"x\":10, \"y\":20}, {\"x\":30, \"y\":40}]");
    check_json(ecs_array_to_json(world, point, two, 0), "{\"x\":10, \"y\":20}");
    check_ptr(array, two, "[10, 20]");
    check_ptr(color, &(int32_t){ 1 }, "\"Blue\"");
    check_ptr(bits, &(uint32_t){ 3 }, "\"A|B\"");
    check_ptr(bits, &(uint32_t){ 0 }, "0");
    ecs_vec_t vec = { two, 2, 2 };
    check_ptr(points, &vec, "[{\"x\":10, \"y\":20}, {\"x\":30, \"y\":40}]");
    check_ptr(points, &(ecs_vec_t){ 0 }, "[]");
    ecs_map_t values = { 0 };
    memcpy(ecs_map_ensure(&values, 1), &(int32_t){ 7 }, sizeof(int32_t));
    check_ptr(map, &values, "{\"Blue\":7}");
    *ecs_map_ensure(&values, 9) = 7;
    ecs_log_set_level(-4);
    assert_null(ecs_ptr_to_json(world, map, &values));
    assert_null(ecs_ptr_to_json(world, color, &(int32_t){ 5 }));
    assert_null(ecs_ptr_to_json(world, bits, &(uint32_t){ 5 }));
    assert_null(ecs_ptr_to_json(world, ecs_new(world), two));
    ecs_log_set_level(-1);
    ecs_map_fini(&values);
}

// Equal maps have equal texts, whatever came first.
static void maps_are_written_in_order_of_keys(void **state) {
    ecs_world_t *world = *state;
    const struct {
        ecs_entity_t key;
        const char *text;
    } kinds[] = { { ecs_id(ecs_i32_t), "{\"-300\":1, \"-1\":1, \"0\":1, \"7\":1, \"900\":1}" },
        { ecs_id(ecs_u64_t), "{\"0\":1, \"7\":1, \"900\":1, \"18446744073709551316\":1, "
                             "\"18446744073709551615\":1}" } };
    const int64_t keys[] = { 900, -1, 7, 0, -300 };
    for (int32_t k = 0; k < 2; k++) {
        ecs_entity_t map =
            ecs_map_type(world, { .key_type = kinds[k].key, .type = ecs_id(ecs_i32_t) });
        for (int32_t begin = 0; begin < 5; begin++) {
            ecs_map_t values = { 0 };
            for (int32_t i = 0; i < 5; i++)
                *ecs_map_ensure(&values, (uint64_t)keys[(begin + i) % 5]) = 1;
            check_ptr(map, &values, kinds[k].text);
            ecs_map_fini(&values);
        }
    }
}

// Names of members are text: an id that is more than a plain name is its JSON as text, so that odd names keep their meaning.
static void ids_are_keys_whatever_their_names(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type =
        ecs_map_type(world, { .key_type = ecs_id(ecs_id_t), .type = ecs_id(ecs_i32_t) });
    static const char *const names[] = { "plain", "do.t", "#5", "q\"uote", "br(a", "com,ma",
        "back\\slash", "pi|pe", "sp ace", "$x", "*", "_", "@3", "toggle|x", "(x,y)", "12", "up",
        "[in]" };
    ecs_entity_t parent = ecs_entity(world, { .name = "Par" });
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ecs_entity_t e = ecs_new(world), child = ecs_new_w_pair(world, EcsChildOf, parent);
        ecs_set_name(world, e, names[i]);
        ecs_set_name(world, child, names[i]);
        const ecs_id_t ids[] = { e, child, ecs_pair(e, parent), ecs_pair(parent, child),
            child | ECS_TOGGLE, ecs_value_pair(e, 7) };
        for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
            ecs_map_t *map = ecs_ptr_new(world, type), *again = ecs_ptr_new(world, type);
            ecs_map_init_if(map, NULL);
            *ecs_map_ensure(map, ids[k]) = 7;
            char *text = ecs_ptr_to_json(world, type, map);
            assert_non_null(ecs_ptr_from_json(world, type, again, text, NULL));
            assert_non_null(ecs_map_get(again, ids[k]));
            assert_int_equal(ecs_map_count(again), 1);
            ecs_os_free(text);
            ecs_ptr_free(world, type, map);
            ecs_ptr_free(world, type, again);
        }
        ecs_delete(world, e);
        ecs_delete(world, child);
    }
}

static void what_was_written_is_read(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t point = make_point(world);
    ecs_entity_t kind = ecs_enum(world, { .constants = { { .name = "Red" }, { .name = "Blue" } } });
    ecs_entity_t list = ecs_vector(world, { .type = point });
    ecs_entity_t map = ecs_map_type(world, { .key_type = ecs_id(ecs_entity_t), .type = list });
    ecs_entity_t type = ecs_struct(
        world, { .members = { { .name = "b", .type = ecs_id(ecs_bool_t) },
                     { .name = "c", .type = ecs_id(ecs_char_t) },
                     { .name = "u", .type = ecs_id(ecs_u64_t), .count = 2 },
                     { .name = "d", .type = ecs_id(ecs_f64_t) },
                     { .name = "s", .type = ecs_id(ecs_string_t) },
                     { .name = "n", .type = ecs_id(ecs_string_t) }, { .name = "k", .type = kind },
                     { .name = "e", .type = ecs_id(ecs_entity_t) },
                     { .name = "i", .type = ecs_id(ecs_id_t) }, { .name = "m", .type = map },
                     { .name = "v", .type = ecs_id(ecs_value_t) } } });
    ecs_entity(world, { .name = "some.thing" });
    const char *text =
        "{\"b\":true, \"c\":\"\", \"u\":[18446744073709551615, 0], \"d\":-1.5, "
        "\"s\":\"\\u0001\\n\xC3\xA4\", \"n\":null, \"k\":\"Blue\", \"e\":\"some.thing\", "
        "\"i\":[\"flecs.core.ChildOf\",\"some\"], \"m\":{\"some.thing\":[], \"some\":[{\"x\":1, \"y\":2}]}, "
        "\"v\":{\"type\":\"Point\", \"value\":{\"x\":3, \"y\":4}}}";
    void *value = ecs_ptr_new(world, type);
    const char *end = ecs_ptr_from_json(world, type, value, text, NULL);
    assert_non_null(end);
    assert_int_equal(*end, 0);
    check_ptr(type, value, text);
    assert_non_null(
        ecs_ptr_from_json(world, type, value, " { \"s\" : \"\\ud83d\\ude00\\/\" } tail", NULL));
    char *again = ecs_ptr_to_json(world, type, value);
    assert_non_null(strstr(again, "\"b\":true")); // what is left out stays
    assert_non_null(strstr(again, "\xF0\x9F\x98\x80/"));
    ecs_os_free(again);
    ecs_ptr_free(world, type, value);
}

static void ids_keep_their_flags(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t rel = ecs_entity(world, { .name = "Rel" });
    ecs_entity_t deep = ecs_entity(world, { .name = "some.thing" });
    ecs_entity_t four = ecs_entity(world, { .name = "@4" }),
                 or = ecs_entity(world, { .name = "or|a" });
    const struct {
        ecs_id_t id;
        const char *json;
    } cases[] = { { ECS_AUTO_OVERRIDE | deep, "[\"auto_override|some.thing\"]" },
        { ECS_TOGGLE | ecs_pair(rel, deep), "[\"toggle|Rel\",\"some.thing\"]" },
        { ECS_AUTO_OVERRIDE | ecs_value_pair(rel, 3), "[\"auto_override|Rel\",\"@3\"]" },
        { ECS_AUTO_OVERRIDE | ECS_TOGGLE | rel, "[\"auto_override|toggle|Rel\"]" },
        { ECS_AND | rel, "[\"and|Rel\"]" }, { ECS_OR | rel, "[\"or|Rel\"]" },
        { ecs_pair(rel, EcsAny), "[\"Rel\",\"_\"]" },
        { ecs_pair(rel, four), "[\"Rel\",\"\\\\@4\"]" },
        { ECS_TOGGLE | ecs_pair(or, or), "[\"toggle|or\\\\|a\",\"or|a\"]" }, { four, "[\"@4\"]" } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ecs_id_t id = 0;
        check_ptr(ecs_id(ecs_id_t), &cases[i].id, cases[i].json);
        assert_non_null(ecs_ptr_from_json(world, ecs_id(ecs_id_t), &id, cases[i].json, NULL));
        assert_true(id == cases[i].id);
    }
}

static void a_name_may_be_a_zero(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = 1, zero = ecs_new(world);
    assert_non_null(ecs_ptr_from_json(world, ecs_id(ecs_entity_t), &e, "\"0\"", NULL));
    assert_int_equal(e, 0);
    ecs_set_name(world, zero, "0");
    assert_non_null(ecs_ptr_from_json(world, ecs_id(ecs_entity_t), &e, "\"0\"", NULL));
    assert_id_equal(world, e, zero);
    check_ptr(ecs_id(ecs_entity_t), &e, "\"0\"");
}

typedef struct read_case_t {
    const char *type, *json;
    const char *expected; /* NULL: refused */
} read_case_t;

// What was written is read, and is no other entity, whether somebody has its place by now or not.
static void handles_of_the_dead_are_read_as_such(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t dead = ecs_new(world);
    ecs_delete(world, dead);
    for (int is_reused = 0; is_reused < 2; is_reused++) {
        if (is_reused) assert_int_equal((uint32_t)ecs_new(world), (uint32_t)dead);
        ecs_entity_t read = 0;
        char *text = ecs_ptr_to_json(world, ecs_id(ecs_entity_t), &dead);
        assert_non_null(ecs_ptr_from_json(world, ecs_id(ecs_entity_t), &read, text, NULL));
        assert_true(read && !ecs_is_alive(world, read));
        assert_int_equal((uint32_t)read, (uint32_t)dead);
        ecs_os_free(text);
    }
}

static void mistakes_are_found_with_their_position(void **state) {
    ecs_world_t *world = *state;
    make_point(world);
    ecs_vector(
        world, { .entity = ecs_entity(world, { .name = "List" }), .type = ecs_id(ecs_i32_t) });
    ecs_array(world,
        { .entity = ecs_entity(world, { .name = "Two" }), .type = ecs_id(ecs_i32_t), .count = 2 });
    ecs_struct(world, { .entity = ecs_entity(world, { .name = "Any" }),
                          .members = { { .name = "v", .type = ecs_id(ecs_value_t) } } });
    ecs_bitmask(world, { .entity = ecs_entity(world, { .name = "Bits" }),
                           .constants = { { "AB", 3 }, { "A", 1 }, { "B", 2 | 8 } } });
    static const read_case_t cases[] = {
        { "flecs.meta.i32", "10", "10" },
        { "flecs.meta.i32", "\"10\"", "10" },
        { "flecs.meta.i32", "{10}", NULL },
        { "flecs.meta.i32", "{}", NULL },
        { "flecs.meta.i32", "-2147483649", NULL },
        { "flecs.meta.i32", "", NULL },
        { "flecs.meta.i32", "tru", NULL },
        { "flecs.meta.i32", "-", NULL },
        { "flecs.meta.f64", "1e", NULL },
        { "flecs.meta.f64", "1e2", "100" },
        { "flecs.meta.f64", "1e400", NULL },
        { "flecs.meta.f64", "\"-Inf\"", "\"-Inf\"" },
        { "flecs.meta.f32", "-1e300", NULL },
        { "flecs.meta.f32", "\"Inf\"", "\"Inf\"" },
        { "flecs.meta.i64", "-9.223372036854775808e18", "-9223372036854775808" },
        { "Any", "{\"v\":{\"type\":\"flecs.meta.i32\", \"value\":3}}",
            "{\"v\":{\"type\":\"flecs.meta.i32\", \"value\":3}}" },
        { "Any", "{\"v\":{\"type\":\"flecs.meta.i32\", \"valu\":3}}", NULL },
        { "Any", "{\"v\":{\"type\":\"flecs.meta.i32\"}}", NULL },
        { "Any", "{\"v\":{\"type\":\"Nope\", \"value\":3}}", NULL },
        { "Any", "{\"v\":{\"type\":\"flecs.core.Prefab\", \"value\":3}}", NULL },
        { "Any", "{\"v\":{\"type\":\"flecs.core.Component\", \"value\":3}}", NULL },
        { "Any", "{\"v\":[1]}", NULL },
        { "Any", "{\"v\":1}", NULL },
        { "flecs.meta.id", "[]", NULL },
        { "flecs.meta.id", "[1]", NULL },
        { "flecs.meta.id", "[\"Nope\"]", NULL },
        { "flecs.meta.id", "[\"Point\",\"Nope\"]", NULL },
        { "flecs.meta.id", "[\"Point\",\"List\",\"Two\"]", NULL },
        { "flecs.meta.id", "[\"Point\",\"@4294967295\"]", "[\"Point\",\"@4294967295\"]" },
        { "flecs.meta.id", "[\"Point\",\"@4294967296\"]", NULL },
        { "flecs.meta.id", "[\"Point\",\"@1x\"]", NULL },
        { "flecs.meta.id", "[\"Point\",\"@\"]", NULL },
        { "flecs.meta.f64", "-0", "-0" },
        { "flecs.meta.f64", "\"-0\"", "-0" },
        { "flecs.meta.i32", "-0", "0" },
        { "flecs.meta.i32", "\"010\"", "10" },
        { "flecs.meta.i32", "\"0x10\"", "16" },
        { "flecs.meta.f64", "\"NaN\"", "\"NaN\"" },
        { "flecs.meta.u32", "-0.5", "0" },
        { "flecs.meta.u32", "-1", NULL },
        { "flecs.meta.bool", "\"true\"", "true" },
        { "flecs.meta.bool", "\r\n\tfalse", "false" },
        { "flecs.meta.bool", "0.5", "true" },
        { "flecs.meta.bool", "2", "true" },
        { "flecs.meta.bool", "0", "false" },
        { "flecs.meta.f32", "true", "1" },
        { "Bits", "\"A|AB\"", "\"AB\"" },
        { "Bits", "\" A | B\"", "\"AB|B\"" },
        { "Bits", "\"B\"", "\"B\"" },
        { "Bits", "\"A B\"", NULL },
        { "Bits", "\"A|\"", NULL },
        { "Bits", "12", NULL },
        { "flecs.meta.string", "\"\\ud83d\\ude00\\u00E9\\u20ac\"",
            "\"\xF0\x9F\x98\x80\xC3\xA9\xE2\x82\xAC\"" },
        { "flecs.meta.string", "\"\\ud800x\"", NULL },
        { "flecs.meta.string", "\"\\ud800\\u0041\"", NULL },
        { "flecs.meta.string", "\"\\ud800\\ue000\"", NULL },
        { "flecs.meta.string", "\"\\udc00\"", NULL },
        { "flecs.meta.string", "\"\\\"", NULL },
        { "flecs.meta.string", "\"a", NULL },
        { "flecs.meta.string", "\"\\x\"", NULL },
        { "flecs.meta.string", "\"\\ud800\"", NULL },
        { "flecs.meta.string", "\"\\u12g4\"", NULL },
        { "flecs.meta.string", "\"a\\u0000b\"", NULL },
        { "Point", "{}", "{\"x\":0, \"y\":0}" },
        { "Point", "{\"y\":2}", "{\"x\":0, \"y\":2}" },
        { "Point", "{\"z\":2}", NULL },
        { "Point", "{\"x\":2", NULL },
        { "Point", "{\"x\" 2}", NULL },
        { "Point", "{\"x\":2,}", NULL },
        { "Point", "[1, 2]", NULL },
        { "Point", "10", NULL },
        { "List", "[]", "[]" },
        { "List", "[1, 2, 3]", "[1, 2, 3]" },
        { "List", "[1, ]", NULL },
        { "List", "[1 2]", NULL },
        { "List", "{\"a\":1}", NULL },
        { "List", "{}", NULL },
        { "Two", "{}", NULL },
        { "Two", "[1]", "[1, 0]" },
        { "Two", "[1, 2, 3]", NULL },
    };
    ecs_log_set_level(-4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ecs_entity_t type = ecs_lookup(world, cases[i].type);
        void *value = ecs_ptr_new(world, type);
        const char *end = ecs_ptr_from_json(world, type, value, cases[i].json, NULL);
        char *got = end ? ecs_ptr_to_json(world, type, value) : NULL;
        bool same = cases[i].expected ? got && !strcmp(got, cases[i].expected) : !got;
        if (!same) fail_msg("%s of %s: %s", cases[i].json, cases[i].type, got ? got : "(refused)");
        ecs_os_free(got);
        ecs_ptr_free(world, type, value);
    }
    ecs_log_set_level(-1);
    Point point;
    ecs_log_start_capture(true);
    ecs_from_json_desc_t desc = { .name = "file.json" };
    assert_null(
        ecs_ptr_from_json(world, ecs_lookup(world, "Point"), &point, "{\"x\":1, \"q\":2}", &desc));
    char *log = ecs_log_stop_capture();
    assert_non_null(strstr(log, "file.json"));
    assert_non_null(strstr(log, "'q'"));
    ecs_os_free(log);
}

// Whole numbers are exact or refused, in quotes as well. api/07 5, 7
static void numbers_have_a_place_in_their_type(void **state) {
    ecs_world_t *world = *state;
    const struct {
        ecs_entity_t type;
        const char *json;
        bool fits;
    } cases[] = {
        { ecs_id(ecs_i64_t), "-9223372036854775808", true },
        { ecs_id(ecs_i64_t), "-9223372036854775809", false },
        { ecs_id(ecs_i64_t), "9223372036854775807", true },
        { ecs_id(ecs_i64_t), "9223372036854775808", false },
        { ecs_id(ecs_u64_t), "18446744073709551615", true },
        { ecs_id(ecs_u64_t), "18446744073709551616", false },
        { ecs_id(ecs_u64_t), "-1", false },
        { ecs_id(ecs_i8_t), "-129", false },
        { ecs_id(ecs_u8_t), "256", false },
        { ecs_id(ecs_f64_t), "-9223372036854775809", true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *quoted = flecs_asprintf("\"%s\"", cases[i].json);
        uint64_t value = 0;
        ecs_log_start_capture(false);
        bool fits = ecs_ptr_from_json(world, cases[i].type, &value, cases[i].json, NULL);
        bool fits_quoted = ecs_ptr_from_json(world, cases[i].type, &value, quoted, NULL);
        char *log = ecs_log_stop_capture();
        if (fits != cases[i].fits || fits_quoted != fits) fail_msg("%s", cases[i].json);
        if (!fits) assert_non_null(strstr(log, "out of the range"));
        ecs_os_free(quoted);
        ecs_os_free(log);
    }
}

static ecs_entity_t nested_type(ecs_world_t *world, int levels) {
    ecs_entity_t type = ecs_id(ecs_i32_t);
    for (int i = 0; i < levels; i++)
        type = i % 2 ? ecs_array(world, { .type = type, .count = 1 })
                     : ecs_struct(world, { .members = { { .name = "m", .type = type } } });
    return type;
}

// What can be read is written, however many lists the caller has open. api/07 7
static void values_nest_as_deep_written_as_read(void **state) {
    ecs_world_t *world = *state;
    enum { DEEPEST = ECS_META_MAX_SCOPE_DEPTH - 1 };
    int32_t value = 7;
    ecs_entity_t deepest = nested_type(world, DEEPEST);
    char *json = ecs_ptr_to_json(world, deepest, &value);
    assert_non_null(json);
    value = 0;
    assert_non_null(ecs_ptr_from_json(world, deepest, &value, json, NULL));
    assert_int_equal(value, 7);
    ecs_os_free(json);
    ecs_entity_t e = ecs_new(world);
    ecs_set_id(world, e, deepest, sizeof value, &value);
    json = ecs_world_to_json(world, NULL);
    assert_non_null(strstr(json, "{\"m\":7}"));
    ecs_os_free(json);
    ecs_log_set_level(-4);
    ecs_entity_t more = nested_type(world, DEEPEST + 1);
    assert_null(ecs_ptr_to_json(world, more, &value));
    ecs_log_set_level(-1);
}

// A value in a value in a value …
static char *nested_values(int32_t depth) {
    ecs_strbuf_t text = ECS_STRBUF_INIT;
    for (int32_t i = 0; i < depth; i++)
        ecs_strbuf_appendstr(&text, "{\"type\":\"flecs.meta.value\", \"value\":");
    ecs_strbuf_appendstr(&text, "{\"type\":\"flecs.meta.i32\", \"value\":1}");
    for (int32_t i = 0; i < depth; i++) ecs_strbuf_appendch(&text, '}');
    return ecs_strbuf_get(&text);
}

static void values_in_values_end_somewhere(void **state) {
    ecs_world_t *world = *state;
    char *some = nested_values(ECS_META_MAX_SCOPE_DEPTH - 1), *many = nested_values(200000);
    ecs_value_t value = { 0 };
    assert_non_null(ecs_ptr_from_json(world, ecs_id(ecs_value_t), &value, some, NULL));
    check_ptr(ecs_id(ecs_value_t), &value, some);
    ecs_log_set_level(-4);
    assert_null(ecs_ptr_from_json(world, ecs_id(ecs_value_t), &value, many, NULL));
    ecs_value_fini(world, &value);
    ecs_os_free(some);
    ecs_os_free(many);
}

static void types_are_described(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t point = make_point(world);
    ecs_entity_t color =
        ecs_enum(world, { .constants = { { .name = "Red" }, { .name = "Blue" } } });
    ecs_entity_t metre =
        ecs_unit(world, { .entity = ecs_entity(world, { .name = "Metre" }), .symbol = "m" });
    ecs_entity_t type = ecs_struct(world,
        { .members = { { .name = "p", .type = point },
              { .name = "a", .type = ecs_id(ecs_string_t), .count = 3 },
              { .name = "l", .type = ecs_id(ecs_f32_t), .unit = metre, .range = { 0, 10 } } } });
    ecs_entity_t length = ecs_struct(
        world, { .members = { { .name = "l", .type = ecs_id(ecs_f32_t), .unit = metre } } });
    check_json(ecs_type_info_to_json(world, point), "{\"x\":[\"int\"], \"y\":[\"int\"]}");
    check_json(ecs_type_info_to_json(world, color), "[\"enum\", \"Red\", \"Blue\"]");
    check_json(ecs_type_info_to_json(world, ecs_id(ecs_f32_t)), "[\"float\"]");
    check_json(ecs_type_info_to_json(world, ecs_id(ecs_byte_t)), "[\"byte\"]");
    check_json(ecs_type_info_to_json(world, ecs_id(ecs_uptr_t)), "[\"int\"]");
    check_json(ecs_type_info_to_json(world, ecs_id(ecs_char_t)), "[\"text\"]");
    check_json(ecs_type_info_to_json(world, ecs_vector(world, { .type = point })),
        "[\"vector\", {\"x\":[\"int\"], \"y\":[\"int\"]}]");
    check_json(ecs_type_info_to_json(
                   world, ecs_map_type(world, { .key_type = ecs_id(ecs_i32_t), .type = color })),
        "[\"map\", [\"int\"], [\"enum\", \"Red\", \"Blue\"]]");
    check_json(ecs_type_info_to_json(world, ecs_array(world, { .type = color, .count = 2 })),
        "[\"array\", [\"enum\", \"Red\", \"Blue\"], 2]");
    check_json(ecs_type_info_to_json(world, type),
        "{\"p\":{\"x\":[\"int\"], \"y\":[\"int\"]}, \"a\":[\"array\", [\"text\"], 3], "
        "\"l\":[\"float\", {\"unit\":\"Metre\", \"symbol\":\"m\", \"range\":[0, 10]}]}");
    ecs_set_name(world, metre, "a \"metre\"");
    check_json(ecs_type_info_to_json(world, length),
        "{\"l\":[\"float\", {\"unit\":\"a \\\"metre\\\"\", \"symbol\":\"m\"}]}");
    check_json(ecs_type_info_to_json(world, ecs_new(world)), "0");
}

// ---- Opaque types ----

typedef struct Pair {
    int32_t first, second;
} Pair;
typedef struct Ints {
    int32_t *values;
    size_t count;
} Ints;

static int write_pair(const ecs_serializer_t *ser, const void *src) {
    const Pair *pair = src;
    ser->member(ser, "first");
    ser->value(ser, ecs_id(ecs_i32_t), &pair->first);
    ser->member(ser, "second");
    return ser->value(ser, ecs_id(ecs_i32_t), &pair->second);
}
static void *pair_member(void *dst, const char *name) {
    Pair *pair = dst;
    return !strcmp(name, "first") ? &pair->first : &pair->second;
}
static int write_ints(const ecs_serializer_t *ser, const void *src) {
    const Ints *ints = src;
    for (size_t i = 0; i < ints->count; i++) ser->value(ser, ecs_id(ecs_i32_t), &ints->values[i]);
    return 0;
}
static void resize_ints(void *dst, size_t count) {
    Ints *ints = dst;
    ints->values = realloc(ints->values, (count ? count : 1) * sizeof(int32_t));
    ints->count = count;
}
static void *ints_element(void *dst, size_t index) {
    Ints *ints = dst;
    if (index >= ints->count) resize_ints(dst, index + 1);
    return &ints->values[index];
}
static int write_half(const ecs_serializer_t *ser, const void *src) {
    int32_t twice = *(const int32_t *)src * 2;
    return ser->value(ser, ecs_id(ecs_i32_t), &twice);
}
static void assign_half(void *dst, int64_t value) { *(int32_t *)dst = (int32_t)(value / 2); }

static int write_key(const ecs_serializer_t *ser, const void *src) {
    return ser->value(ser, ecs_id(ecs_id_t), src);
}
static void assign_key(void *dst, ecs_world_t *world, ecs_id_t id) {
    (void)world;
    *(ecs_id_t *)dst = id;
}

// Arrays are ids where a value is expected, also if it is opaque.
static void types_that_hold_more_of_their_kind_are_described(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t node =
        ecs_struct(world, { .entity = ecs_entity(world, { .name = "Node" }),
                              .members = { { .name = "x", .type = ecs_id(ecs_i32_t) } } });
    ecs_member_t list = { .name = "list", .type = ecs_vector(world, { .type = node }) };
    assert_int_equal(ecs_struct_add_member(world, node, &list), 0);
    check_json(
        ecs_type_info_to_json(world, node), "{\"x\":[\"int\"], \"list\":[\"vector\", \"Node\"]}");
    ecs_entity_t tree = ecs_struct(world, { .members = { { .name = "root", .type = node } } });
    check_json(ecs_type_info_to_json(world, tree),
        "{\"root\":{\"x\":[\"int\"], \"list\":[\"vector\", \"Node\"]}}");
    void *value = ecs_ptr_new(world, node);
    static const char json[] =
        "{\"x\":1, \"list\":[{\"x\":2, \"list\":[]}, {\"x\":3, \"list\":[{\"x\":4, \"list\":[]}]}]}";
    assert_non_null(ecs_ptr_from_json(world, node, value, json, NULL));
    check_ptr(node, value, json);
    ecs_ptr_free(world, node, value);
}

static void types_are_described_as_far_as_lists_nest(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = ecs_id(ecs_i32_t);
    for (int i = 0; i < 60; i++) {
        type = ecs_struct(world, { .members = { { .name = "m", .type = type } } });
        if (i % 2) type = ecs_vector(world, { .type = type });
    }
    char *json = ecs_type_info_to_json(world, type);
    assert_non_null(json);
    assert_non_null(strstr(json, "[\"vector\", {\"m\":{\"m\":[\"vector\""));
    ecs_os_free(json);
}

// What is known of parts whose types were deleted.
static void types_outlive_those_of_their_parts(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t unit = ecs_unit(world, { .symbol = "u" });
    ecs_entity_t part = ecs_struct(
        world, { .members = { { .name = "x", .type = ecs_id(ecs_f32_t), .unit = unit } } });
    ecs_entity_t map =
        ecs_map_type(world, { .key_type = ecs_id(ecs_i32_t), .type = ecs_id(ecs_f32_t) });
    ecs_entity_t opaque = ecs_component(world, { .type = { 4, 4 } });
    ecs_opaque(world, { .entity = opaque, .type = { .as_type = ecs_id(ecs_i32_t) } });
    ecs_entity_t type =
        ecs_struct(world, { .members = { { .name = "p", .type = part },
                                { .name = "m", .type = map }, { .name = "o", .type = opaque } } });
    void *value = ecs_ptr_new(world, type);
    ecs_delete(world, unit);
    check_json(ecs_type_info_to_json(world, part), "{\"x\":[\"float\"]}");
    ecs_delete(world, part);
    ecs_delete(world, map);
    ecs_delete(world, opaque);
    check_json(ecs_type_info_to_json(world, type),
        "{\"p\":{\"x\":[\"float\"]}, \"m\":[\"map\", 0, [\"float\"]], \"o\":[\"opaque\"]}");
    static const char *const texts[] = { "{\"m\":{\"1\":2}}", "{\"o\":1}", "{\"o\":{}}" };
    ecs_log_set_level(-4);
    for (int i = 0; i < 3; i++) assert_null(ecs_ptr_from_json(world, type, value, texts[i], NULL));
    assert_non_null(ecs_ptr_from_json(world, type, value, "{\"p\":{\"x\":1}}", NULL));
    assert_null(ecs_ptr_to_json(world, type, value));
    ecs_log_set_level(-1);
    ecs_ptr_free(world, type, value);
}

static void opaque_values_may_be_ids(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t key = ecs_component(world,
        { .entity = ecs_entity(world, { .name = "Key" }), .type = { .size = 8, .alignment = 8 } });
    ecs_opaque(world,
        { .entity = key,
            .type = {
                .as_type = ecs_id(ecs_id_t), .serialize = write_key, .assign_id = assign_key } });
    ecs_id_t pair = ecs_childof(key), id = 0;
    check_ptr(key, &pair, "[\"flecs.core.ChildOf\",\"Key\"]");
    const char *json = "[\"flecs.core.ChildOf\", \"Key\"]";
    assert_non_null(ecs_ptr_from_json(world, key, &id, json, NULL));
    assert_true(id == pair);
    assert_non_null(ecs_ptr_from_json(world, key, &id, "[\"Key\"]", NULL));
    assert_true(id == key);
    assert_non_null(ecs_ptr_from_json(world, key, &id, "\"#0\"", NULL));
    assert_true(id == 0);
}

static void opaque_values_look_like_their_type(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Pair);
    ECS_COMPONENT(world, Ints);
    ecs_entity_t half = ecs_component(world,
        { .entity = ecs_entity(world, { .name = "Half" }), .type = { .size = 4, .alignment = 4 } });
    ecs_entity_t as_pair =
        ecs_struct(world, { .members = { { .name = "first", .type = ecs_id(ecs_i32_t) },
                                { .name = "second", .type = ecs_id(ecs_i32_t) } } });
    ecs_entity_t as_ints = ecs_vector(world, { .type = ecs_id(ecs_i32_t) });
    ecs_opaque(world,
        { .entity = ecs_id(Pair),
            .type = {
                .as_type = as_pair, .serialize = write_pair, .ensure_member = pair_member } });
    ecs_opaque(world, { .entity = ecs_id(Ints),
                          .type = { .as_type = as_ints,
                              .serialize = write_ints,
                              .ensure_element = ints_element,
                              .resize = resize_ints } });
    ecs_opaque(world, { .entity = half,
                          .type = { .as_type = ecs_id(ecs_i32_t),
                              .serialize = write_half,
                              .assign_int = assign_half } });
    Pair pair = { 1, 2 };
    Ints ints = { 0 };
    int32_t value = 0;
    check_ptr(ecs_id(Pair), &pair, "{\"first\":1, \"second\":2}");
    assert_non_null(
        ecs_ptr_from_json(world, ecs_id(Pair), &pair, "{\"second\":20, \"first\":10}", NULL));
    assert_int_equal(pair.first + pair.second, 30);
    assert_non_null(ecs_ptr_from_json(world, ecs_id(Ints), &ints, "[5, 6, 7]", NULL));
    check_ptr(ecs_id(Ints), &ints, "[5, 6, 7]");
    assert_non_null(ecs_ptr_from_json(world, ecs_id(Ints), &ints, "[8]", NULL));
    check_ptr(ecs_id(Ints), &ints, "[8]");
    assert_non_null(ecs_ptr_from_json(world, half, &value, "10", NULL));
    assert_int_equal(value, 5);
    assert_non_null(ecs_ptr_from_json(world, half, &value, "\"12\"", NULL)); // through i32
    check_ptr(half, &value, "12");
    check_json(ecs_type_info_to_json(world, half), "[\"int\"]");
    ecs_entity_t whole = ecs_struct(world,
        { .members = { { .name = "p", .type = ecs_id(Pair) }, { .name = "i", .type = ecs_id(Ints) },
              { .name = "h", .type = half, .count = 2 } } });
    check_json(ecs_type_info_to_json(world, whole),
        "{\"p\":{\"first\":[\"int\"], \"second\":[\"int\"]}, \"i\":[\"vector\", [\"int\"]], "
        "\"h\":[\"array\", [\"int\"], 2]}");
    free(ints.values);
}

// Strings of the text, with and without escapes.
static void read_under_fault(void *world, bool will_fail) {
    const char *texts[] = { "\"a\"", "\"\\u0061\"" };
    const int level = ecs_log_set_level(-4);
    int read = 0;
    for (int i = 0; i < 2; i++) {
        char value = 0;
        read +=
            ecs_ptr_from_json(world, ecs_id(ecs_char_t), &value, texts[i], NULL) && value == 'a';
    }
    ecs_log_set_level(level);
    assert_int_equal(read, will_fail ? 1 : 2);
    if (will_fail) assert_int_equal(ecs_log_last_error(), ECS_OUT_OF_MEMORY);
}

static void lack_of_memory_is_reported_like_bad_text(void **state) {
    assert_int_equal(memory_fault_sweep(read_under_fault, *state, 4), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(primitives_are_written),
        world_test(values_with_parts_are_written),
        world_test(maps_are_written_in_order_of_keys),
        world_test(ids_are_keys_whatever_their_names),
        world_test(what_was_written_is_read),
        world_test(ids_keep_their_flags),
        world_test(a_name_may_be_a_zero),
        world_test(handles_of_the_dead_are_read_as_such),
        world_test(mistakes_are_found_with_their_position),
        world_test(lack_of_memory_is_reported_like_bad_text),
        world_test(numbers_have_a_place_in_their_type),
        world_test(values_nest_as_deep_written_as_read),
        world_test(values_in_values_end_somewhere),
        world_test(types_are_described),
        world_test(types_that_hold_more_of_their_kind_are_described),
        world_test(types_are_described_as_far_as_lists_nest),
        world_test(types_outlive_those_of_their_parts),
        world_test(opaque_values_may_be_ids),
        world_test(opaque_values_look_like_their_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
