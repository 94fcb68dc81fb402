// SPDX-License-Identifier: MIT
// Values outside of entities (sheet 07): made, copied, moved, compared, hashed, and converted by cursors.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Item {
    char *name;
    int32_t size;
} Item;

static ecs_entity_t make_item(ecs_world_t *world) {
    return ecs_struct(world, { .entity = ecs_entity(world, { .name = "Item" }),
                                 .members = { { .name = "name", .type = ecs_id(ecs_string_t) },
                                     { .name = "size", .type = ecs_id(ecs_i32_t) } } });
}

static void memory_of_the_caller_is_constructed_moved_and_ended(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = make_item(world);
    Item a, b, raw;
    assert_int_equal(ecs_ptr_init(world, type, &a), 0);
    assert_int_equal(ecs_ptr_init(world, type, &b), 0);
    assert_null(a.name);
    a = (Item){ ecs_os_strdup("box"), 3 };
    assert_int_equal(ecs_ptr_move(world, type, &b, &a), 0);
    assert_null(a.name);
    assert_int_equal(ecs_ptr_move_ctor(world, type, &raw, &b), 0);
    assert_null(b.name);
    assert_string_equal(raw.name, "box");
    ecs_ptr_fini(world, type, &a);
    ecs_ptr_fini(world, type, &b);
    ecs_ptr_fini(world, type, &raw);
    Item *made = ecs_ptr_new_w_type_info(world, ecs_get_type_info(world, type));
    assert_null(made->name);
    assert_int_equal(ecs_ptr_free(world, type, made), 0);
    assert_int_equal(ecs_ptr_free(world, type, NULL), 0);
    expect_error(ECS_INVALID_PARAMETER, "is no component", ecs_ptr_init(world, ecs_new(world), &a));
}

static void values_own_their_memory_and_compare(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = make_item(world);
    char name[] = "box";
    ecs_value_t a = ecs_value_init(world, type, &(Item){ name, 3 }), b;
    assert_int_equal(ecs_value_copy_ctor(world, &b, &a), 0);
    assert_true(((Item *)a.ptr)->name != name && ((Item *)b.ptr)->name != ((Item *)a.ptr)->name);
    assert_true(ecs_value_equals(world, &a, &b));
    assert_int_equal(ecs_value_compare(world, &a, &b), 0);
    ((Item *)b.ptr)->size = 4;
    assert_false(ecs_value_equals(world, &a, &b));
    assert_true(ecs_value_compare(world, &a, &b) < 0);
    assert_int_equal(ecs_value_set(world, &b, ecs_id(ecs_i32_t), &(int32_t){ 7 }), 0);
    assert_false(ecs_value_equals(world, &a, &b));
    assert_int_equal(ecs_value_move(world, &a, &b), 0);
    assert_int_equal(*(int32_t *)a.ptr, 7);
    assert_true(ecs_value_equals(world, &b, &(ecs_value_t){ 0 }));
    ecs_value_fini(world, &a);
}

static void a_value_goes_to_another_place(void **state) {
    ecs_world_t *world = *state;
    ecs_value_t from = ecs_value_init(world, make_item(world), &(Item){ NULL, 3 }), to;
    const void *ptr = from.ptr;
    assert_int_equal(ecs_value_move_ctor(world, &to, &from), 0);
    assert_ptr_equal(to.ptr, ptr);
    assert_null(from.ptr);
    ecs_value_fini(world, &to);
}

// Not by where their text is.
static void names_are_equal_as_texts(void **state) {
    ecs_world_t *world = *state;
    char text[] = "box";
    EcsIdentifier names[] = { { .value = text }, { .value = "box" }, { .value = "bag" }, { 0 } };
    for (int i = 0; i < 4; i++) {
        const ecs_value_t a = { ecs_id(EcsIdentifier), &names[0] },
                          b = { ecs_id(EcsIdentifier), &names[i] };
        assert_int_equal(ecs_value_equals(world, &a, &b), i < 2);
    }
}

// A box of any value, and the copy of what is in it.
static void values_are_replaced_by_parts_of_their_own(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t item = make_item(world);
    ecs_entity_t box =
        ecs_struct(world, { .members = { { .name = "content", .type = ecs_id(ecs_value_t) } } });
    char name[] = "sword";
    for (int32_t way = 0; way < 4; way++) {
        const bool is_nested = way == 3;
        ecs_value_t value = ecs_value_new(world, box), *content = value.ptr, inner;
        *content = ecs_value_init(world, item, &(Item){ name, 3 });
        if (is_nested) {
            inner = value;
            value = ecs_value_new(world, box);
            *(content = value.ptr) = inner;
        }
        assert_int_equal(way == 0   ? ecs_value_move(world, &value, content)
                         : way == 1 ? ecs_value_set(world, &value, item, content->ptr)
                                    : ecs_value_copy(world, &value, content),
            0);
        if (is_nested) ecs_value_move(world, &value, value.ptr);
        assert_id_equal(world, value.type, item);
        assert_string_equal(((Item *)value.ptr)->name, "sword");
        assert_int_equal(((Item *)value.ptr)->size, 3);
        ecs_value_fini(world, &value);
    }
}

// Each time there is one more around it.
static void a_value_goes_into_itself(void **state) {
    ecs_world_t *world = *state;
    ecs_value_t value = ecs_value_init(world, ecs_id(ecs_i32_t), &(int32_t){ 5 });
    for (int i = 0; i < 3; i++)
        assert_int_equal(ecs_value_set(world, &value, ecs_id(ecs_value_t), &value), 0);
    const ecs_value_t *inner = &value;
    for (int i = 0; i < 3; i++) {
        assert_id_equal(world, inner->type, ecs_id(ecs_value_t));
        inner = inner->ptr;
    }
    assert_int_equal(*(const int32_t *)inner->ptr, 5);
    ecs_value_fini(world, &value);
}

// With a struct in between every other time.
static void values_in_values_are_copied_to_a_depth(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t box =
        ecs_struct(world, { .members = { { .name = "content", .type = ecs_id(ecs_value_t) } } });
    ecs_value_t value = ecs_value_init(world, ecs_id(ecs_i32_t), &(int32_t){ 5 }), copy = { 0 };
    int result = 0, depth = 1;
    while (depth < 100 && !result) {
        result = ecs_value_set(world, &value, depth % 2 ? box : ecs_id(ecs_value_t), &value);
        depth += !result;
        if (depth == ECS_META_MAX_SCOPE_DEPTH) ecs_log_set_level(-5);
    }
    ecs_log_set_level(-1);
    assert_int_equal(depth, ECS_META_MAX_SCOPE_DEPTH);
    assert_int_equal(ecs_value_copy(world, &copy, &value), 0);
    assert_true(ecs_value_equals(world, &copy, &value));
    ecs_value_t outer = ecs_value_new(world, ecs_id(ecs_value_t));
    ecs_value_move(world, outer.ptr, &value); /* moves go on */
    expect_error(ECS_OUT_OF_RANGE, "32 levels deep",
        assert_int_equal(ecs_value_copy(world, &copy, &outer), -1));
    assert_true(copy.ptr && ecs_value_equals(world, &copy, outer.ptr));
    ecs_value_fini(world, &outer);
    ecs_value_fini(world, &copy);
}

// ---- C components without hooks ----

typedef struct Tile {
    char kind;
    int32_t height; /* behind padding */
} Tile;

typedef enum Side { Left = -1, Right = 1 } Side;

typedef struct Level {
    const char *name;
    double scale;
    Tile tiles[2];
    ecs_vec_t path;  /* Tile */
    ecs_map_t exits; /* Tile */
    Side side;
} Level;

static ecs_entity_t describe_level(ecs_world_t *world) {
    ECS_COMPONENT(world, Tile);
    ECS_COMPONENT(world, Level);
    ECS_COMPONENT(world, Side);
    ecs_struct(world, { .entity = ecs_id(Tile),
                          .members = { { .name = "kind", .type = ecs_id(ecs_char_t) },
                              { .name = "height", .type = ecs_id(ecs_i32_t) } } });
    ecs_enum(world,
        { .entity = ecs_id(Side),
            .constants = { { .name = "Left", .value = -1 }, { .name = "Right", .value = 1 } } });
    ecs_entity_t path = ecs_vector(world, { .type = ecs_id(Tile) });
    ecs_entity_t exits =
        ecs_map_type(world, { .key_type = ecs_id(ecs_i32_t), .type = ecs_id(Tile) });
    return ecs_struct(
        world, { .entity = ecs_id(Level),
                   .members = { { .name = "name", .type = ecs_id(ecs_string_t) },
                       { .name = "scale", .type = ecs_id(ecs_f64_t) },
                       { .name = "tiles", .type = ecs_id(Tile), .count = 2 },
                       { .name = "path", .type = path }, { .name = "exits", .type = exits },
                       { .name = "side", .type = ecs_id(Side) } } });
}

static int compare(const ecs_world_t *world, ecs_entity_t type, const void *a, const void *b) {
    const ecs_value_t x = { type, ECS_CONST_CAST(void *, a) };
    const ecs_value_t y = { type, ECS_CONST_CAST(void *, b) };
    int order = ecs_value_compare(world, &x, &y), back = ecs_value_compare(world, &y, &x);
    assert_int_equal(order > 0, back < 0);
    assert_int_equal(order<0, back> 0);
    assert_int_equal(ecs_value_equals(world, &x, &y), !order);
    return order;
}

// By the hooks of a type, or else by what it is made of: not by addresses of text, nor by padding.
static void c_components_compare_by_what_they_are_made_of(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = describe_level(world);
    assert_null(ecs_get_hooks_id(world, type)->cmp);
    char one[] = "level", other[] = "level";
    Level a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0x7f, sizeof b);
    a.name = one, a.scale = -0.0, a.side = Right;
    b.name = other, b.scale = 0, b.side = Right;
    for (int i = 0; i < 2; i++) b.tiles[i].kind = 0, b.tiles[i].height = 0;
    memset(&b.path, 0, sizeof b.path);
    memset(&b.exits, 0, sizeof b.exits);
    assert_int_equal(compare(world, type, &a, &b), 0);
    a.name = NULL;
    assert_true(compare(world, type, &a, &b) < 0);
    a.name = "lever";
    assert_true(compare(world, type, &a, &b) > 0);
    a.name = one, a.scale = -1;
    assert_true(compare(world, type, &a, &b) < 0);
    a.scale = 0, a.tiles[1].height = 2, b.tiles[1].height = 256;
    assert_true(compare(world, type, &a, &b) < 0);
    a.tiles[1].height = 256, a.side = Left;
    assert_true(compare(world, type, &a, &b) < 0);
    a.side = Right;
    *ecs_vec_append_t(NULL, &b.path, Tile) = (Tile){ 'x', 1 };
    assert_true(compare(world, type, &a, &b) < 0); /* shorter */
    *ecs_vec_append_t(NULL, &a.path, Tile) = (Tile){ 'x', 256 };
    assert_true(compare(world, type, &a, &b) > 0);
    ecs_vec_get_t(&a.path, Tile, 0)->height = 1;
    assert_int_equal(compare(world, type, &a, &b), 0);
    assert_non_null(ecs_ptr_from_json(
        world, type, &a, "{\"exits\":{\"5\":{\"kind\":\"x\", \"height\":1}}}", NULL));
    assert_true(compare(world, type, &a, &b) != 0);
    assert_non_null(ecs_ptr_from_json(
        world, type, &b, "{\"exits\":{\"5\":{\"kind\":\"x\", \"height\":1}}}", NULL));
    assert_int_equal(compare(world, type, &a, &b), 0);
    ecs_map_fini(&a.exits);
    ecs_map_fini(&b.exits);
    ecs_vec_fini_t(NULL, &a.path, Tile);
    ecs_vec_fini_t(NULL, &b.path, Tile);
}

typedef int32_t Row[3];

// What is asked for is what values without hooks do.
static void collections_of_c_compare_with_and_without_hooks(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Row);
    ECS_COMPONENT(world, Side);
    ecs_array(world, { .entity = ecs_id(Row), .type = ecs_id(ecs_i32_t), .count = 3 });
    ecs_enum(world, { .entity = ecs_id(Side), .constants = { { "Left", -1 }, { "Right", 1 } } });
    const Row a = { 1, 256, -1 }, b = { 1, 256, 1 };
    const Side left = Left, right = Right;
    for (int i = 0; i < 2; i++) {
        assert_true(compare(world, ecs_id(Row), a, b) < 0);
        assert_int_equal(compare(world, ecs_id(Row), a, (Row){ 1, 256, -1 }), 0);
        assert_true(compare(world, ecs_id(Side), &left, &right) < 0);
        assert_int_equal(compare(world, ecs_id(Side), &right, &right), 0);
        assert_int_equal(ecs_set_rtt_compare(world, ecs_id(Row)), 0);
        assert_int_equal(ecs_set_rtt_equals(world, ecs_id(Row)), 0);
        assert_int_equal(ecs_set_rtt_compare(world, ecs_id(Side)), 0);
    }
}

// Of the same keys and elements, in whatever order they came.
static void maps_are_equal_or_not(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type =
        ecs_map_type(world, { .key_type = ecs_id(ecs_i32_t), .type = ecs_id(ecs_string_t) });
    static const char *const texts[] = { "{\"1\":\"a\", \"2\":\"b\"}", "{\"2\":\"b\", \"1\":\"a\"}",
        "{\"1\":\"a\", \"2\":\"c\"}", "{\"1\":\"a\", \"3\":\"b\"}", "{\"1\":\"a\"}", "{}" };
    ecs_value_t a = ecs_value_new(world, type), b = ecs_value_new(world, type);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        for (size_t j = 0; j < sizeof texts / sizeof *texts; j++) {
            assert_non_null(ecs_ptr_from_json(world, type, a.ptr, texts[i], NULL));
            assert_non_null(ecs_ptr_from_json(world, type, b.ptr, texts[j], NULL));
            const bool is_equal = i == j || i + j == 1;
            assert_int_equal(ecs_value_equals(world, &a, &b), is_equal);
            assert_int_equal(ecs_value_compare(world, &a, &b) == 0, is_equal);
        }
    }
    assert_int_equal(ecs_value_copy(world, &a, &(ecs_value_t){ 0 }), 0);
    assert_null(a.ptr);
    ecs_value_fini(world, &b);
}

// A description that covers a part does not say whether the rest is equal.
static void what_is_not_described_compares_by_bytes(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Tile);
    Tile a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    for (int i = 0; i < 3; i++) {
        b.height = 1;
        assert_true(compare(world, ecs_id(Tile), &a, &b) != 0);
        b.height = 0;
        assert_int_equal(compare(world, ecs_id(Tile), &a, &b), 0);
        if (i) ecs_opaque(world, { .entity = ecs_id(Tile), .type.as_type = ecs_id(ecs_i32_t) });
        if (!i)
            ecs_struct(world, { .entity = ecs_id(Tile),
                                  .members = { { .name = "kind", .type = ecs_id(ecs_char_t) } } });
    }
}

static void a_cursor_enters_a_value_of_any_type(void **state) {
    ecs_world_t *world = *state;
    ecs_value_t any = { 0 };
    int32_t number = 5;
    ecs_meta_cursor_t c = ecs_meta_cursor(world, ecs_id(ecs_value_t), &any);
    expect_error(ECS_INVALID_OPERATION, "no parts", ecs_meta_push(&c));
    assert_int_equal(ecs_meta_set_value(&c, &(ecs_value_t){ ecs_id(ecs_i32_t), &number }), 0);
    assert_int_equal(ecs_meta_push(&c), 0);
    assert_id_equal(world, ecs_meta_get_type(&c), ecs_id(ecs_i32_t));
    assert_int_equal(ecs_meta_get_int(&c), 5);
    assert_int_equal(ecs_meta_set_int(&c, 6), 0);
    assert_int_equal(ecs_meta_pop(&c), 0);
    assert_int_equal(*(int32_t *)any.ptr, 6);
    ecs_value_t same = ecs_value_init(world, ecs_id(ecs_value_t), &any);
    const ecs_type_info_t *info = ecs_get_type_info(world, ecs_id(ecs_value_t));
    assert_int_equal(info->hooks.cmp(same.ptr, &any, info), 0);
    // A value of the same type is copied, as everywhere, and does not end up inside.
    ecs_meta_cursor_t to_same = ecs_meta_cursor(world, ecs_id(ecs_value_t), same.ptr);
    *(int32_t *)any.ptr = 7;
    assert_int_equal(ecs_meta_set_value(&to_same, &(ecs_value_t){ ecs_id(ecs_value_t), &any }), 0);
    assert_int_equal(info->hooks.cmp(same.ptr, &any, info), 0);
    ecs_value_fini(world, &same);
    assert_int_equal(ecs_meta_set_null(&c), 0);
    assert_null(any.ptr);
}

// ---- Reading ----

typedef struct All {
    bool b;
    char c;
    uint32_t u;
    float f;
    ecs_entity_t e;
    char *s;
} All;

static void numbers_text_and_entities_are_read_as_each_other(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t unit = ecs_unit(world, { .symbol = "m" });
    ecs_entity_t type =
        ecs_struct(world, { .create_member_entities = true,
                              .members = { { .name = "b", .type = ecs_id(ecs_bool_t) },
                                  { .name = "c", .type = ecs_id(ecs_char_t) },
                                  { .name = "u", .type = ecs_id(ecs_u32_t) },
                                  { .name = "f", .type = ecs_id(ecs_f32_t), .unit = unit },
                                  { .name = "e", .type = ecs_id(ecs_entity_t) },
                                  { .name = "s", .type = ecs_id(ecs_string_t) } } });
    char text[] = "12";
    All all = { true, 'x', 7, 2.5f, EcsFlecs, text };
    static const struct {
        const char *member;
        bool as_bool;
        char as_char;
        uint64_t as_uint;
        double as_float;
    } reads[] = { { "b", true, 1, 1, 1 }, { "c", true, 'x', 'x', 'x' }, { "u", true, 7, 7, 7 },
        { "f", true, 2, 2, 2.5 }, { "s", false, '1', 12, 12 } };
    ecs_meta_cursor_t c = ecs_meta_cursor(world, type, &all);
    ecs_meta_push(&c);
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        ecs_meta_member(&c, reads[i].member);
        assert_int_equal(ecs_meta_get_bool(&c), reads[i].as_bool);
        assert_int_equal(ecs_meta_get_char(&c), reads[i].as_char);
        assert_int_equal(ecs_meta_get_uint(&c), reads[i].as_uint);
        assert_near(ecs_meta_get_float(&c), reads[i].as_float, 0);
        expect_error(ECS_INVALID_CONVERSION, "is no entity", ecs_meta_get_entity(&c));
        expect_error(ECS_INVALID_CONVERSION, "is no id", ecs_meta_get_id(&c));
    }
    ecs_meta_member(&c, "f");
    assert_id_equal(world, ecs_meta_get_unit(&c), unit);
    assert_string_equal(ecs_get_name(world, ecs_meta_get_member_id(&c)), "f");
    ecs_meta_member(&c, "e");
    assert_id_equal(world, ecs_meta_get_entity(&c), EcsFlecs);
    assert_int_equal(ecs_meta_get_uint(&c), EcsFlecs);
    assert_true(ecs_meta_get_bool(&c));
    expect_error(ECS_INVALID_CONVERSION, "is no number", ecs_meta_get_float(&c));
    expect_error(ECS_INVALID_CONVERSION, "is no string", ecs_meta_get_string(&c));
    assert_int_equal(ecs_meta_set_null(&c), 0);
    assert_int_equal(all.e, 0);
}

// ---- Opaque values ----

// What was assigned, and by which function.
typedef struct Seen {
    char by;
    double value;
} Seen;

static void seen_bool(void *dst, bool value) { *(Seen *)dst = (Seen){ 'b', value }; }
static void seen_char(void *dst, char value) { *(Seen *)dst = (Seen){ 'c', value }; }
static void seen_uint(void *dst, uint64_t value) { *(Seen *)dst = (Seen){ 'u', (double)value }; }
static void seen_float(void *dst, double value) { *(Seen *)dst = (Seen){ 'f', value }; }
static void seen_null(void *dst) { *(Seen *)dst = (Seen){ 'n', 0 }; }
static void seen_entity(void *dst, ecs_world_t *world, ecs_entity_t entity) {
    (void)world;
    *(Seen *)dst = (Seen){ 'e', (double)entity };
}

static void opaque_values_are_given_what_they_have_a_function_for(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Seen);
    Seen seen = { 0 };
    ecs_opaque(world, { .entity = ecs_id(Seen),
                          .type = { .as_type = ecs_id(ecs_f64_t),
                              .assign_bool = seen_bool,
                              .assign_char = seen_char,
                              .assign_float = seen_float,
                              .assign_entity = seen_entity,
                              .assign_null = seen_null } });
    ecs_meta_cursor_t c = ecs_meta_cursor(world, ecs_id(Seen), &seen);
#define ASSERT_SEEN(call, function, number) \
    assert_int_equal(call, 0);              \
    assert_int_equal(seen.by, function);    \
    assert_near(seen.value, number, 0)
    ASSERT_SEEN(ecs_meta_set_bool(&c, true), 'b', 1);
    ASSERT_SEEN(ecs_meta_set_char(&c, 'x'), 'c', 'x');
    ASSERT_SEEN(ecs_meta_set_float(&c, 1.5), 'f', 1.5);
    ASSERT_SEEN(ecs_meta_set_int(&c, -3), 'f', -3);
    ASSERT_SEEN(ecs_meta_set_entity(&c, EcsFlecs), 'e', EcsFlecs);
    ASSERT_SEEN(ecs_meta_set_null(&c), 'n', 0);
    ASSERT_SEEN(ecs_meta_set_string(&c, "2.5"), 'f', 2.5);
    expect_error(ECS_INVALID_CONVERSION, "cannot become",
        ecs_meta_set_id(&c, ecs_pair(EcsChildOf, EcsFlecs)));
    ecs_set(world, ecs_id(Seen), EcsOpaque, { ecs_id(ecs_u64_t), .assign_uint = seen_uint });
    ASSERT_SEEN(ecs_meta_set_int(&c, 3), 'u', 3);
    expect_error(ECS_OUT_OF_RANGE, "range", ecs_meta_set_int(&c, -3));
#undef ASSERT_SEEN
    char *text = NULL;
    expect_error(ECS_INVALID_PARAMETER, "no function that serializes",
        text = ecs_ptr_to_expr(world, ecs_id(Seen), &seen));
    assert_null(text);
    expect_error(ECS_INVALID_PARAMETER, "no component",
        ecs_opaque(world, { .type = { .as_type = ecs_id(ecs_f64_t) } }));
}

// ---- Hashes ----

static void hashes_follow_what_maps_and_units_hold(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type =
        ecs_map_type(world, { .key_type = ecs_id(ecs_u8_t), .type = ecs_id(ecs_i64_t) });
    ecs_entity_t e = ecs_new(world);
    ecs_map_t *map = ecs_ensure_id(world, e, type, sizeof(ecs_map_t));
    ecs_map_init(map, NULL);
    ecs_map_insert(map, 1, 10);
    ecs_map_insert(map, 2, 20);
    uint64_t hash = ecs_world_hash(world);
    *ecs_map_get(map, 2) = 21;
    assert_true(ecs_world_hash(world) != hash);
    *ecs_map_get(map, 2) = 20;
    assert_hash_equal(ecs_world_hash(world), hash);
    ecs_map_clear(map);
    ecs_map_insert(map, 2, 20);
    ecs_map_insert(map, 1, 10);
    assert_hash_equal(ecs_world_hash(world), hash); /* whatever the order */
    ecs_entity_t kilo = ecs_unit_prefix(world, { .symbol = "k", .translation = { 10, 3 } });
    ecs_entity_t metre = ecs_unit(world, { .symbol = "m" });
    hash = ecs_world_hash(world);
    ecs_unit(world, { .entity = metre, .symbol = "metre" });
    assert_true(ecs_world_hash(world) != hash);
    ecs_unit(world, { .entity = metre, .symbol = "m" });
    assert_hash_equal(ecs_world_hash(world), hash);
    ecs_unit_prefix(world, { .entity = kilo, .symbol = "k", .translation = { 2, 10 } });
    assert_true(ecs_world_hash(world) != hash);
}

// Without a function that writes them, opaque values are their bytes.
static void hashes_see_opaque_parts(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t hidden = ecs_component(world, { .type = { 4, 4 } });
    ecs_opaque(world, { .entity = hidden, .type = { .as_type = ecs_id(ecs_i32_t) } });
    ecs_entity_t type = ecs_struct(world, { .members = { { .name = "h", .type = hidden } } });
    ecs_entity_t e = ecs_new(world);
    int32_t value = 1;
    ecs_set_id(world, e, type, sizeof value, &value);
    const uint64_t hash = ecs_world_hash(world);
    value = 2;
    ecs_set_id(world, e, type, sizeof value, &value);
    assert_true(ecs_world_hash(world) != hash);
}

// What a value owns is copied with it, and what was there is freed, though the type has no hooks.
static void a_cursor_copies_what_c_types_own(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Item);
    ecs_struct(world, { .entity = ecs_id(Item),
                          .members = { { .name = "name", .type = ecs_id(ecs_string_t) },
                              { .name = "size", .type = ecs_id(ecs_i32_t) } } });
    Item a = { ecs_os_strdup("box"), 1 }, b = { ecs_os_strdup("bag"), 2 };
    ecs_meta_cursor_t c = ecs_meta_cursor(world, ecs_id(Item), &a);
    assert_int_equal(ecs_meta_set_value(&c, &(ecs_value_t){ ecs_id(Item), &b }), 0);
    assert_int_equal(ecs_meta_set_value(&c, &(ecs_value_t){ ecs_id(Item), &a }), 0);
    assert_int_equal(
        ecs_ptr_from_json(world, ecs_id(Item), &a, "{\"name\":\"new\"}", NULL) != NULL, 1);
    assert_string_equal(b.name, "bag");
    assert_int_equal(a.size, 2);
    ecs_os_free(a.name);
    ecs_os_free(b.name);
}

// Of what owns its parts by hooks, and of what is C.
static void a_cursor_puts_a_part_in_place_of_the_whole(void **state) {
    ecs_world_t *world = *state;
    typedef struct Node {
        ecs_vec_t list; /* Node */
        char *name;
    } Node;
    ECS_COMPONENT(world, Node);
    ecs_entity_t made = ecs_new(world);
    for (int i = 0; i < 2; i++) {
        const ecs_entity_t type = i ? ecs_id(Node) : made;
        ecs_struct(world, { .entity = type,
                              .members = { { .name = "name",
                                  .type = ecs_id(ecs_string_t),
                                  .offset = offsetof(Node, name) } } });
        ecs_member_t list = {
            .name = "list", .type = ecs_vector(world, { .type = type }), .use_offset = true
        };
        assert_int_equal(ecs_struct_add_member(world, type, &list), 0);
        Node node = { .name = NULL };
        const char *json =
            "{\"name\":\"a\", \"list\":[{\"name\":\"b\", \"list\":[{\"name\":\"c\"}]}]}";
        assert_non_null(ecs_ptr_from_json(world, type, &node, json, NULL));
        ecs_meta_cursor_t c = ecs_meta_cursor(world, type, &node);
        assert_int_equal(ecs_meta_set_value(&c, &(ecs_value_t){ type, node.list.array }), 0);
        char *text = ecs_ptr_to_expr(world, type, &node);
        assert_string_equal(text, "{name: \"b\", list: [{name: \"c\", list: []}]}");
        ecs_os_free(text);
        Node none = { .name = NULL };
        assert_int_equal(ecs_meta_set_value(&c, &(ecs_value_t){ type, &none }), 0);
    }
}

typedef struct Bag {
    ecs_vec_t items; /* Item */
    ecs_map_t by_key;
} Bag;

static const char *name_of(const Bag *bag) { return ecs_vec_first_t(&bag->items, Item)->name; }

// Elements of C types without hooks own their strings, too: none is lost when they are replaced, nor shared with a copy.
static void elements_of_c_types_are_dropped_and_copied_as_a_whole(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Item);
    ECS_COMPONENT(world, Bag);
    ecs_struct(world, { .entity = ecs_id(Item),
                          .members = { { .name = "name", .type = ecs_id(ecs_string_t) },
                              { .name = "size", .type = ecs_id(ecs_i32_t) } } });
    ecs_entity_t list = ecs_vector(world, { .type = ecs_id(Item) });
    ecs_entity_t map = ecs_map_type(world, { .key_type = ecs_id(ecs_i32_t), .type = ecs_id(Item) });
    ecs_struct(world,
        { .entity = ecs_id(Bag),
            .members = { { .name = "items", .type = list }, { .name = "by_key", .type = map } } });
    const ecs_entity_t e = ecs_entity(world, { .name = "e" });
    const char *const text = "{\"components\":{\"Bag\":{\"items\":[{\"name\":\"sword\"}, "
                             "{\"name\":\"rope\"}], \"by_key\":{\"1\":{\"name\":\"key\"}}}}}";
    for (int i = 0; i < 2; i++) assert_non_null(ecs_entity_from_json(world, e, text, NULL));
    Bag copy = { 0 }, none = { 0 }, *bag = ecs_get_mut(world, e, Bag);
    ecs_meta_cursor_t to_copy = ecs_meta_cursor(world, ecs_id(Bag), &copy);
    assert_int_equal(ecs_meta_set_value(&to_copy, &(ecs_value_t){ ecs_id(Bag), bag }), 0);
    assert_true(name_of(&copy) != name_of(bag));
    assert_string_equal(name_of(&copy), "sword");
    assert_string_equal(ecs_map_get_deref(&copy.by_key, Item, 1)->name, "key");
    assert_int_equal(ecs_meta_set_value(&to_copy, &(ecs_value_t){ ecs_id(Bag), &none }), 0);
    assert_int_equal(ecs_meta_push(&to_copy), 0); /* a part alone */
    assert_int_equal(ecs_meta_set_value(&to_copy, &(ecs_value_t){ list, &bag->items }), 0);
    assert_true(name_of(&copy) != name_of(bag));
    assert_int_equal(ecs_meta_set_value(&to_copy, &(ecs_value_t){ list, &none.items }), 0);
    ecs_meta_cursor_t to_bag = ecs_meta_cursor(world, ecs_id(Bag), bag);
    assert_int_equal(ecs_meta_set_value(&to_bag, &(ecs_value_t){ ecs_id(Bag), &none }), 0);
}

// A list of values that know where they are.
typedef struct Anchor {
    const struct Anchor *self;
    int32_t x;
} Anchor;

static void anchor(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    for (Anchor *it = ptr; it < (Anchor *)ptr + count; it++) it->self = it;
}
static void leave(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    for (Anchor *it = ptr; it < (Anchor *)ptr + count; it++) assert_ptr_equal(it->self, it);
}
static void copy_anchors(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    for (int32_t i = 0; i < count; i++) ((Anchor *)dst)[i].x = ((const Anchor *)src)[i].x;
}
static void move_anchors(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    leave(src, count, type);
    anchor(dst, count, type);
    copy_anchors(dst, src, count, type);
}

static void elements_move_as_their_hooks_want(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Anchor);
    ecs_set_hooks(world, Anchor,
        { .ctor = anchor, .dtor = leave, .copy = copy_anchors, .ctor_move_dtor = move_anchors });
    ecs_struct(world,
        { .entity = ecs_id(Anchor),
            .members = {
                { .name = "x", .type = ecs_id(ecs_i32_t), .offset = offsetof(Anchor, x) } } });
    ecs_entity_t type = ecs_vector(world, { .type = ecs_id(Anchor) });
    static const char *const texts[] = { "[{\"x\":1}]", "[]",
        "[{\"x\":1}, {\"x\":2}, {\"x\":3}, {\"x\":4}, {\"x\":5}]", "[{\"x\":6}, {\"x\":7}]" };
    void *list = ecs_ptr_new(world, type), *copy = ecs_ptr_new(world, type);
    for (int i = 0; i < 4; i++) {
        assert_non_null(ecs_ptr_from_json(world, type, list, texts[i], NULL));
        assert_int_equal(ecs_ptr_copy(world, type, copy, list), 0); /* longer, and shorter */
        char *json = ecs_ptr_to_json(world, type, copy);
        assert_string_equal(json, texts[i]);
        ecs_os_free(json);
    }
    ecs_ptr_free(world, type, list);
    ecs_ptr_free(world, type, copy);
}

// A component that is a string and has no hooks: its description says who owns the text.
static void strings_of_c_are_dropped_and_copied(void **state) {
    ecs_world_t *world = *state;
    typedef char *Title;
    typedef struct Page {
        Title title;
        int32_t number;
    } Page;
    ECS_COMPONENT(world, Title);
    ECS_COMPONENT(world, Page);
    ecs_primitive(world, { .entity = ecs_id(Title), .kind = EcsString });
    ecs_struct(world, { .entity = ecs_id(Page),
                          .members = { { .name = "title", .type = ecs_id(Title) },
                              { .name = "number", .type = ecs_id(ecs_i32_t) } } });
    Page a = { ecs_os_strdup("old"), 1 }, b = { ecs_os_strdup("new"), 2 };
    ecs_meta_cursor_t c = ecs_meta_cursor(world, ecs_id(Page), &a);
    assert_int_equal(ecs_meta_set_value(&c, &(ecs_value_t){ ecs_id(Page), &b }), 0);
    assert_true(a.title != b.title && a.number == 2);
    assert_string_equal(a.title, "new");
    ecs_os_free(a.title);
    ecs_os_free(b.title);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(memory_of_the_caller_is_constructed_moved_and_ended),
        world_test(values_own_their_memory_and_compare),
        world_test(a_value_goes_to_another_place),
        world_test(names_are_equal_as_texts),
        world_test(values_are_replaced_by_parts_of_their_own),
        world_test(a_value_goes_into_itself),
        world_test(values_in_values_are_copied_to_a_depth),
        world_test(c_components_compare_by_what_they_are_made_of),
        world_test(collections_of_c_compare_with_and_without_hooks),
        world_test(maps_are_equal_or_not),
        world_test(what_is_not_described_compares_by_bytes),
        world_test(a_cursor_enters_a_value_of_any_type),
        world_test(numbers_text_and_entities_are_read_as_each_other),
        world_test(opaque_values_are_given_what_they_have_a_function_for),
        world_test(hashes_follow_what_maps_and_units_hold),
        world_test(hashes_see_opaque_parts),
        world_test(a_cursor_copies_what_c_types_own),
        world_test(a_cursor_puts_a_part_in_place_of_the_whole),
        world_test(elements_of_c_types_are_dropped_and_copied_as_a_whole),
        world_test(elements_move_as_their_hooks_want),
        world_test(strings_of_c_are_dropped_and_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
