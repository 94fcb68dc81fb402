// SPDX-License-Identifier: MIT
// text: entities, results and worlds to text and back.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

enum { MOST_TEXT = 1024, MOST_TO_READ = 200000 };

// ---- Writing ----

static bool is_even(const ecs_world_t *world, ecs_entity_t component) {
    (void)world;
    return component % 2 == 0;
}

static ecs_entity_to_json_desc_t draw_entity_writing(void) {
    ecs_entity_to_json_desc_t desc = { 0 };
    const int flags = input_byte();
    desc.serialize_entity_id = flags & 1;
    desc.serialize_doc = flags & 2;
    desc.serialize_full_paths = flags & 4;
    desc.serialize_inherited = flags & 8;
    desc.serialize_values = flags & 16;
    desc.serialize_builtin = flags & 32;
    desc.serialize_type_info = flags & 64;
    desc.serialize_matches = flags & 128;
    if (!input_below(4)) desc.serialize_refs = draw_relationship();
    if (!input_below(6)) desc.component_filter = is_even;
    return desc;
}

static ecs_iter_to_json_desc_t draw_writing(void) {
    ecs_iter_to_json_desc_t desc = { 0 };
    const int flags = input_byte() | input_byte() << 8;
    desc.serialize_entity_ids = flags & 1;
    desc.serialize_values = flags & 2;
    desc.serialize_builtin = flags & 4;
    desc.serialize_doc = flags & 8;
    desc.serialize_full_paths = flags & 16;
    desc.serialize_fields = flags & 32;
    desc.serialize_inherited = flags & 64;
    desc.serialize_table = flags & 128;
    desc.serialize_type_info = flags & 256;
    desc.serialize_field_info = flags & 512;
    desc.serialize_query_info = flags & 1024;
    desc.serialize_query_plan = flags & 2048;
    desc.serialize_query_profile = flags & 4096;
    desc.serialize_matches = flags & 8192;
    desc.serialize_parents_before_children = flags & 16384;
    desc.dont_serialize_results = !input_below(8);
    if (!input_below(4)) desc.serialize_refs = draw_relationship();
    if (!input_below(6)) desc.component_filter = is_even;
    if (!input_below(4)) desc.query = cast.queries[input_below(QUERIES)];
    return desc;
}

CALL(write_entity) {
    const ecs_entity_to_json_desc_t desc = draw_entity_writing();
    ecs_os_free(ecs_entity_to_json(call->world, call->entity, input_below(4) ? &desc : NULL));
    ecs_strbuf_t text = ECS_STRBUF_INIT;
    ecs_entity_to_json_buf(call->world, draw_type(), &text, &desc);
    ecs_strbuf_reset(&text);
}

CALL(write_results) {
    const ecs_query_t *query = cast.queries[input_below(QUERIES)];
    const ecs_iter_to_json_desc_t desc = draw_writing();
    ecs_iter_t it;
    if (cast.depth > 1) return;
    switch (input_below(4)) {
    case 0: it = ecs_each_id(call->world, call->id); break;
    case 1: it = ecs_children(call->world, call->entity); break;
    default:
        if (!query) return;
        it = ecs_query_iter(call->world, query);
        if (!input_below(3)) ecs_iter_set_var(&it, input_below(4) - 1, draw_entity());
    }
    ecs_strbuf_t text = ECS_STRBUF_INIT;
    ecs_iter_to_json_buf(&it, &text, input_below(5) ? &desc : NULL);
    ecs_strbuf_reset(&text);
}

// ---- Reading ----

/* About numbers and tags: what these texts describe nothing else can be in. */
static const char *draw_entity_text(void) {
    static const char *const texts[] = { "{}", "{\"name\":\"a\"}",
        "{\"name\":\"b\", \"parent\":\"a\"}",
        "{\"name\":\"a\", \"tags\":[\"t0\", \"flecs.core.Disabled\"]}", "{\"id\":500}",
        "{\"pairs\":{\"ChildOf\":\"a\"}}", "{\"pairs\":{\"r0\":[\"a\",\"b\"], \"IsA\":\"a\"}}",
        "{\"components\":{\"Point\":{\"x\":1}, \"All\":{\"v\":[1], \"s\":\"q\"}}}",
        "{\"components\":{\"(Point,a)\":{\"x\":1}, \"(r0,Point)\":{\"x\":1}}}",
        "{\"components\":{\"c0\":null, \"Ints\":[1,2]}}",
        "{\"doc\":{\"label\":\"x\", \"brief\":\"y\"}}",
        "{\"components\":{\"flecs.core.Parent\":{\"value\":\"a\"}}}",
        "{\"named\":\"z\", \"id\":77}", "{\"alias\":\"x\", \"symbol\":\"y\"}",
        "{\"tags\":[\"auto_override|Point\", \"toggle|t2\"]}",
        "{\"components\":{\"flecs.core.Parent\":null}}", "{\"id\":4294967295}", "{\"id\":-1}",
        "{\"components\":{\"flecs.meta.Type\":{\"kind\":\"x\"}}}", "{\"children\":[\"b\",\"a\"]}",
        "{\"components\":{\"flecs.meta.TypeSerializer\":null, \"flecs.meta.Struct\":null}}",
        "{\"components\":{\"flecs.core.Component\":{\"size\":-4, \"alignment\":3}}}", "{", "[]",
        "{\"components\":{\"flecs.core.Component\":{\"size\":4, \"alignment\":4}}}",
        "{\"components\":{\"flecs.meta.Primitive\":{\"kind\":\"I32\"}}}", "",
        "{\"components\":{\"flecs.meta.Member\":{\"type\":\"flecs.meta.f32\"}}}",
        "{\"components\":{\"flecs.meta.Unit\":{\"symbol\":\"q\"}}}", "{\"tags\":[3]}",
        "{\"tags\":[\"*\", \"_\", \"$x\", \"\", \"a.b.c\"]}",
        "{\"pairs\":{\"*\":\"*\", \"\":\"a\"}}", "{\"components\":[]}", "{\"name\":3}",
        "{\"parent\":\"nobody.x\", \"name\":\"q\"}",
        "{\"name\":\"self\", \"alive_count\":3, \"has_alerts\":true}" };
    return texts[input_below(sizeof texts / sizeof *texts)];
}

/* Parts of two texts in one, most of the time. */
static int add_entity_text(char *text, size_t size) {
    const char *first = draw_entity_text(), *second = draw_entity_text();
    const size_t length = strlen(first);
    if (length <= 2 || strlen(second) <= 2 || !input_below(4))
        return snprintf(text, size, "%s", first);
    return snprintf(text, size, "%.*s, %s", (int)length - 1, first, second + 1);
}

CALL(read_entity) {
    static char text[MOST_TEXT];
    const ecs_from_json_desc_t desc = draw_reading();
    const bool is_there = input_below(16);
    add_entity_text(text, sizeof text);
    ecs_entity_from_json(
        call->world, call->entity, is_there ? text : NULL, input_flag() ? &desc : NULL);
}

CALL(read_world) {
    static char text[4 * MOST_TEXT];
    const ecs_from_json_desc_t desc = draw_reading();
    int length = snprintf(text, sizeof text, "{\"results\":[");
    for (int i = input_below(4); i > 0; i--) {
        length += add_entity_text(text + length, MOST_TEXT);
        if (i > 1) text[length++] = ',';
    }
    snprintf(text + length, MOST_TEXT, "]}");
    ecs_world_from_json(call->world, text, input_flag() ? &desc : NULL);
}

static void read_into_other_world(const char *text) {
    ecs_world_t *other = ecs_init();
    ecs_world_from_json(other, text, NULL);
    if (!ecs_world_verify(other)) {
        fprintf(stderr, "fuzz_calls: a loaded world is not consistent\n");
        abort();
    }
    ecs_os_free(ecs_world_to_json(other, NULL));
    ecs_fini(other);
}

CALL(write_world) {
    const ecs_world_to_json_desc_t desc = { input_flag(), input_flag() };
    char *text = ecs_world_to_json(call->world, input_flag() ? &desc : NULL);
    const size_t length = text ? strlen(text) : 0;
    if (length && length < MOST_TO_READ && !input_below(4)) {
        const size_t at = (size_t)(input_byte() << 8 | input_byte()) % length;
        if (input_flag()) text[at] = "{}[],:\"0a#."[input_below(11)];
        if (input_flag())
            ecs_world_from_json(call->world, text, NULL);
        else
            read_into_other_world(text);
    }
    ecs_os_free(text);
}

CALL(read_file) { ecs_world_from_json_file(call->world, input_flag() ? "/nobody" : "/", NULL); }
CALL(load_expr) { ecs_load_expr(call->world, draw_expr()); }

const call_kind_t text_calls[] = { { "write_entity", write_entity }, { "write_world", write_world },
    { "write_results", write_results }, { "write_results", write_results },
    { "read_entity", read_entity }, { "read_entity", read_entity }, { "read_world", read_world },
    { "read_world", read_world }, { "read_file", read_file }, { "load_expr", load_expr }, { 0 } };
