// SPDX-License-Identifier: MIT
// cursors: values outside of entities: made, copied, written as text, walked part by part.
#include <math.h>

#include "calls.h"

static ecs_value_t *some_value(void) { return &cast.values[input_below(VALUES)]; }

static ecs_entity_t look_up(ecs_world_t *world, const char *name, void *ctx) {
    (void)ctx;
    return name[0] == 'z'   ? 0
           : input_below(4) ? ecs_lookup(world, name)
                            : ecs_entity(world, { .name = name });
}

ecs_from_json_desc_t draw_reading(void) {
    ecs_from_json_desc_t desc = { .strict = !input_below(3) };
    if (input_flag()) desc.name = "text";
    if (!input_below(3)) desc.lookup_action = look_up;
    if (!input_below(6)) desc.expr = "{}";
    return desc;
}

static const char *draw_value_text(void) {
    static const char *const texts[] = { "{}", "[]", "{\"x\":1}", "{\"x\":1, \"y\":2}", "[1,2,3]",
        "1", "-1", "\"Red\"", "\"L|M\"", "null", "true", "\"a\"",
        "{\"s\":\"hi\", \"v\":[1,2], \"m\":{\"Red\":[1]}, \"e\":\"Blue\", \"p\":[{\"x\":1},{\"y\":2}],"
        " \"o\":\"a\", \"i\":[\"r0\",\"a\"]}",
        "{\"any\":{\"type\":\"All\", \"value\":{\"s\":\"x\"}}}",
        "{\"type\":\"Point\", \"value\":{\"x\":3}}",
        "{\"type\":\"Texts\", \"value\":[\"a\",\"b\"]}", "{\"Red\":[1,2], \"Blue\":[3]}",
        "[\"a\",\"b\",\"c\"]", "[\"a\",\"b\",\"c\",\"d\"]", "{\"a\":1, \"b\":2}", "{\"q\":1}",
        "1e400", "99999999999999999999", "\"#12\"", "{", "[1,", "", "\"", "{\"x\":}",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "[{\"a\":1},{\"b\":2}]", "0.5", "\"0x10\"",
        "[\"ChildOf\",\"a\"]", "[\"r0\"]", "\"(r0, a)\"", "{\"type\":\"#0\", \"value\":0}",
        "{\"type\":3, \"value\":0}", "{\"value\":0}", NULL };
    return texts[input_below(sizeof texts / sizeof *texts)];
}

// ---- Walks ----

static void move(ecs_meta_cursor_t *at) {
    static const char *const paths[] = { "x.y", "p[1].x", "v[2]", "m", "[1]", "[-1]", "[99]", "any",
        "any.x", "", "..", "p[", "p[1]x", "[1].a", "s" };
    const char *path = paths[input_below(sizeof paths / sizeof *paths)];
    const int32_t key = input_below(8);
    switch (input_below(12)) {
    case 0:
    case 1:
    case 2: ecs_meta_push(at); break;
    case 3: ecs_meta_pop(at); break;
    case 4: ecs_meta_next(at); break;
    case 5: ecs_meta_elem(at, input_below(6) - 1); break;
    case 6: ecs_meta_member(at, draw_member()); break;
    case 7: ecs_meta_try_member(at, draw_member()); break;
    case 8: ecs_meta_dotmember(at, path); break;
    case 9: ecs_meta_try_dotmember(at, path); break;
    case 10: ecs_meta_key(at, &(ecs_value_t){ ecs_id(ecs_i32_t), (void *)&key }); break;
    default: ecs_meta_key(at, some_value());
    }
}

static void write_part(ecs_meta_cursor_t *at) {
    static const double numbers[] = { 0, 1, -1, 0.5, 1e30, -1e300, 1e19, 4294967296.0, 0 };
    double number = numbers[input_below(8)];
    const char *text = input_flag() ? draw_name() : draw_value_text();
    if (!input_below(8)) number = input_flag() ? INFINITY : (double)NAN;
    switch (input_below(12)) {
    case 0: ecs_meta_set_bool(at, input_flag()); break;
    case 1: ecs_meta_set_char(at, (char)input_byte()); break;
    case 2: ecs_meta_set_int(at, input_below(9) - 4); break;
    case 3: ecs_meta_set_uint(at, (uint64_t)input_byte() << input_below(57)); break;
    case 4: ecs_meta_set_float(at, number); break;
    case 5:
        if (text) ecs_meta_set_string(at, text);
        break;
    case 6:
        ecs_meta_set_string_literal(at, input_flag() ? "\"a\\n\"" : input_flag() ? "\"" : "a");
        break;
    case 7: ecs_meta_set_entity(at, draw_entity()); break;
    case 8: ecs_meta_set_id(at, draw_id()); break;
    case 9: ecs_meta_set_null(at); break;
    default: ecs_meta_set_value(at, some_value());
    }
}

static void read_part(ecs_meta_cursor_t *at) {
    ecs_meta_is_collection(at);
    ecs_meta_is_map(at);
    ecs_meta_get_type(at);
    ecs_meta_get_ptr(at);
    ecs_meta_get_unit(at);
    ecs_meta_get_member(at);
    ecs_meta_get_member_id(at);
    ecs_meta_get_bool(at);
    ecs_meta_get_char(at);
    ecs_meta_get_int(at);
    ecs_meta_get_uint(at);
    ecs_meta_get_float(at);
    ecs_meta_get_string(at);
    ecs_meta_get_entity(at);
    ecs_meta_get_id(at);
}

static void walk(ecs_world_t *world, ecs_entity_t type, void *value) {
    ecs_meta_cursor_t at = ecs_meta_cursor(world, type, value);
    if (!input_below(4)) at.lookup_action = look_up;
    for (int steps = 4 + input_below(12); steps > 0; steps--) {
        switch (input_below(5)) {
        case 0:
        case 1: move(&at); break;
        case 2:
        case 3: write_part(&at); break;
        default: read_part(&at);
        }
    }
}

// ---- Values that are owned ----

CALL(make_value) {
    ecs_value_t *value = some_value();
    ecs_value_fini(call->world, value);
    *value = ecs_value_new(call->world, draw_type());
    if (value->ptr && knows_types())
        ecs_ptr_from_json(call->world, value->type, value->ptr, draw_value_text(), NULL);
}

CALL(pass_value) {
    ecs_value_t *to = some_value(), *from = some_value();
    const ecs_world_t *world = call->world;
    const int way = input_below(8);
    if (way < 2 && to != from) ecs_value_fini(world, to);
    switch (way) {
    case 0:
        if (to != from) ecs_value_copy_ctor(world, to, from);
        break;
    case 1:
        if (to != from) ecs_value_move_ctor(world, to, from);
        break;
    case 2: ecs_value_copy(world, to, from); break;
    case 3: ecs_value_move(world, to, from); break;
    case 4: ecs_value_set(world, to, draw_type(), NULL); break;
    case 5: ecs_value_set(world, to, from->type, from->ptr); break;
    case 6: ecs_value_set(world, to, ecs_id(ecs_value_t), from); break;
    default: ecs_value_compare(world, to, from); ecs_value_equals(world, to, from);
    }
}

CALL(copy_out) {
    const ecs_value_t *from = some_value();
    ecs_value_t copy = ecs_value_init(call->world, from->ptr ? from->type : draw_type(), from->ptr);
    ecs_value_fini(call->world, &copy);
}

CALL(set_value) {
    const ecs_value_t *value = some_value();
    const ecs_type_info_t *type = value->ptr ? ecs_get_type_info(cast.world, value->type) : NULL;
    if (type) ecs_set_id(call->world, call->entity, value->type, (size_t)type->size, value->ptr);
}

CALL(write_value) {
    const ecs_value_t *value = some_value();
    ecs_strbuf_t text = ECS_STRBUF_INIT;
    if (!value->ptr) return;
    ecs_os_free(ecs_ptr_to_json(call->world, value->type, value->ptr));
    ecs_os_free(ecs_ptr_to_expr(call->world, value->type, value->ptr));
    ecs_os_free(ecs_ptr_to_str(call->world, value->type, value->ptr));
    ecs_os_free(ecs_array_to_json(call->world, value->type, value->ptr, input_below(2)));
    ecs_ptr_to_json_buf(call->world, value->type, value->ptr, &text);
    ecs_ptr_to_expr_buf(call->world, value->type, value->ptr, &text);
    ecs_array_to_json_buf(call->world, value->type, value->ptr, 1, &text);
    ecs_strbuf_reset(&text);
}

CALL(read_value) {
    const ecs_value_t *value = some_value();
    const ecs_from_json_desc_t desc = draw_reading();
    if (!value->ptr || !knows_types()) return;
    const ecs_from_json_desc_t *how = input_below(3) ? &desc : NULL;
    ecs_ptr_from_json(call->world, value->type, value->ptr, draw_value_text(), how);
}

CALL(walk_value) {
    const ecs_value_t *value = some_value();
    if (value->ptr) walk(call->world, value->type, value->ptr);
}

CALL(walk_nothing) { walk(call->world, draw_type(), NULL); }

// ---- Memory of one's own ----

CALL(use_heap) {
    ecs_world_t *world = call->world;
    const ecs_entity_t type = draw_type();
    const ecs_type_info_t *info = ecs_get_type_info(world, type);
    void *a = ecs_ptr_new(world, type),
         *b = a && info ? ecs_ptr_new_w_type_info(world, info) : NULL;
    if (b && info) {
        ecs_ptr_from_json(world, type, a, draw_value_text(), NULL);
        walk(world, type, a);
        ecs_ptr_copy(world, type, b, a);
        if (input_flag()) ecs_ptr_move(world, type, b, a);
        if (ecs_ptr_fini(world, type, b) == 0) {
            if (input_flag())
                ecs_ptr_init(world, type, b);
            else
                ecs_ptr_move_ctor(world, type, b, a);
        }
        ecs_ptr_copy_w_type_info(world, info, b, a);
        ecs_ptr_move_w_type_info(world, info, a, b);
        flecs_type_info_dtor(b, 1, info);
        flecs_type_info_ctor_move_dtor(b, a, 1, info);
        ecs_ptr_init_w_type_info(world, info, a);
        flecs_type_info_move_dtor(b, a, 1, info);
        flecs_type_info_move_ctor(a, b, 1, info);
        if (ecs_ptr_fini_w_type_info(world, info, b) == 0)
            ecs_ptr_move_ctor_w_type_info(world, info, b, a);
        flecs_type_info_cmp(a, b, info);
        flecs_type_info_equals(a, b, info);
    }
    ecs_ptr_free(world, type, a);
    ecs_ptr_free(world, type, b);
}

CALL(use_no_type) {
    static uint8_t raw[64];
    const ecs_entity_t type = draw_entity();
    if (ecs_get_type_info(cast.world, type)) return;
    ecs_ptr_init(call->world, type, raw);
    ecs_ptr_fini(call->world, type, raw);
    ecs_ptr_copy(call->world, type, raw, raw);
    ecs_ptr_move(call->world, type, raw, raw);
    ecs_ptr_move_ctor(call->world, type, raw, raw);
    ecs_ptr_free(call->world, type, NULL);
    ecs_value_new(call->world, type);
    ecs_value_init(call->world, type, raw);
    ecs_os_free(ecs_ptr_to_json(call->world, type, raw));
    ecs_ptr_from_json(call->world, type, raw, draw_value_text(), NULL);
}

void end_values(void) {
    for (int i = 0; i < VALUES; i++) ecs_value_fini(cast.world, &cast.values[i]);
}

const call_kind_t cursor_calls[] = { { "make_value", make_value }, { "make_value", make_value },
    { "make_value", make_value }, { "pass_value", pass_value }, { "pass_value", pass_value },
    { "copy_out", copy_out }, { "set_value", set_value }, { "write_value", write_value },
    { "read_value", read_value }, { "walk_value", walk_value }, { "walk_value", walk_value },
    { "walk_nothing", walk_nothing }, { "use_heap", use_heap }, { "use_no_type", use_no_type },
    { 0 } };
