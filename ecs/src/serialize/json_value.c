// SPDX-License-Identifier: MIT
// json_value: values to JSON, and back through a cursor.
#include "serialize/json_value.h"

#include <stdlib.h>

#include <muster/ecs/json.h>

#include "reflect/cursor_at.h"
#include "reflect/text.h"

// ---- Writing ----

int ecs_ptr_to_json_buf(
    const ecs_world_t *world, ecs_entity_t type, const void *ptr, ecs_strbuf_t *buf) {
    ECS__NEED_OR(ptr && buf, -1);
    ecs__text_t text = { .world = world, .buf = buf, .json = true };
    return ecs__text_value(&text, type, ptr) ? 0 : -1;
}

int ecs_array_to_json_buf(const ecs_world_t *world, ecs_entity_t type, const void *ptr,
    int32_t count, ecs_strbuf_t *buf) {
    if (!count) return ecs_ptr_to_json_buf(world, type, ptr, buf);
    const ecs_type_info_t *info = ecs__type_info_of(world, type, "writing values");
    if (!info) return -1;
    int result = 0;
    ecs_strbuf_list_push(buf, "[", ", ");
    for (int32_t i = 0; i < count && !result; i++) {
        ecs_strbuf_list_next(buf);
        result = ecs_ptr_to_json_buf(world, type, ECS_ELEM(ptr, info->size, i), buf);
    }
    ecs_strbuf_list_pop(buf, "]");
    return result;
}

char *ecs_array_to_json(
    const ecs_world_t *world, ecs_entity_t type, const void *ptr, int32_t count) {
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    return ecs__text_take(&buf, ecs_array_to_json_buf(world, type, ptr, count, &buf));
}

char *ecs_ptr_to_json(const ecs_world_t *world, ecs_entity_t type, const void *ptr) {
    return ecs_array_to_json(world, type, ptr, 0);
}

// ---- Reading ----

// The cursor has said what is wrong; this says where.
static bool check(ecs__json_t *json, const char *at, int result) {
    if (!result) return true;
    json->at = at;
    return ecs__json_fail(json, "this cannot be read into the value");
}

// The JSON of an id as a name: "[\"Rel\",\"Tgt\"]".
static bool read_id_key(ecs_meta_cursor_t *cursor, const char *name) {
    ecs_id_t id = 0;
    ecs_meta_cursor_t to_id = ecs__cursor_to(cursor, ecs_id(ecs_id_t), &id);
    ecs__json_t json = { .text = name, .at = name };
    return ecs__json_value(&json, &to_id) && !ecs__json_peek(&json) &&
           !ecs_meta_key(cursor, &(ecs_value_t){ ecs_id(ecs_id_t), &id });
}

static bool read_key(ecs__json_t *json, ecs_meta_cursor_t *cursor, char *name, bool is_id) {
    if (is_id && *name == '[') return read_id_key(cursor, name);
    if (ecs_meta_is_map(cursor)) {
        return !ecs_meta_key(cursor, &(ecs_value_t){ ecs_id(ecs_string_t), &name });
    }
    if (!ecs_meta_try_member(cursor, name)) return true;
    return ecs__json_fail(json, "there is no member '%s'", name);
}

static bool has_id_keys(const ecs_world_t *world, const ecs_meta_op_t *op) {
    const EcsMap *map = op->kind == EcsOpPushMap ? ECS__TYPE_GET(world, op->type, EcsMap) : NULL;
    const ecs_meta_op_t *key = map ? ecs__type_op(world, map->key_type) : NULL;
    return key && key->kind == EcsOpId;
}

static bool read_members(ecs__json_t *json, ecs_meta_cursor_t *cursor, bool by_id) {
    char *name;
    for (bool first = true; (name = ecs__json_member(json, first)); first = false) {
        const char *at = json->at;
        bool success = check(json, at, read_key(json, cursor, name, by_id) ? 0 : -1);
        ecs_os_free(name);
        if (!success || !ecs__json_value(json, cursor)) return false;
    }
    return !json->failed;
}

// The member with this name; false, with a sentence, if another one comes.
static bool read_name(ecs__json_t *json, const char *expected, bool first) {
    char *name = ecs__json_member(json, first);
    bool success = name && !strcmp(name, expected);
    ecs_os_free(name);
    return success || ecs__json_fail(json, "\"%s\" expected", expected);
}

// {"type":"Position", "value":{…}}
static bool read_typed(ecs__json_t *json, ecs_meta_cursor_t *cursor, ecs_value_t *value) {
    ecs_entity_t type = 0;
    ecs_meta_cursor_t to_type = ecs__cursor_to(cursor, ecs_id(ecs_entity_t), &type);
    if (!read_name(json, "type", true) || !ecs__json_value(json, &to_type) ||
        !check(json, json->at, ecs_value_set(cursor->world, value, type, NULL)))
        return false;
    ecs_meta_cursor_t to_value = ecs__cursor_to(cursor, type, value->ptr);
    return read_name(json, "value", false) && ecs__json_value(json, &to_value) &&
           ecs__json_expect(json, '}');
}

// Cursors know how deep they are; each of these values has its own.
static bool read_any(ecs__json_t *json, ecs_meta_cursor_t *cursor, ecs_value_t *value) {
    if (json->depth >= ECS_META_MAX_SCOPE_DEPTH)
        return ecs__json_fail(json, "values are nested too deeply");
    json->depth++;
    bool success = read_typed(json, cursor, value);
    json->depth--;
    return success;
}

static bool read_object(ecs__json_t *json, ecs_meta_cursor_t *cursor) {
    const char *at = json->at - 1;
    ecs__place_t place;
    if (!check(json, at, ecs__cursor_at(cursor, &place) ? 0 : -1)) return false;
    if (place.op->kind == EcsOpPushValue) return read_any(json, cursor, place.ptr);
    if (place.op->kind == EcsOpPushMap)
        ecs__map_drop(ecs__cursor_owner(cursor), place.ptr, place.op[1].type_info, true);
    const bool by_id = has_id_keys(cursor->world, place.op);
    if (!check(json, at, ecs_meta_push(cursor))) return false;
    const bool is_list = ecs_meta_is_collection(cursor) && !ecs_meta_is_map(cursor);
    if (is_list || cursor->is_primitive_scope) return check(json, at, -1);
    return read_members(json, cursor, by_id) && check(json, at, ecs_meta_pop(cursor));
}

// One part of an id, as an entity would be read.
static bool read_id_part(
    ecs__json_t *json, const ecs_meta_cursor_t *cursor, char *name, ecs_entity_t *part) {
    ecs_meta_cursor_t to_part = ecs__cursor_to(cursor, ecs_id(ecs_entity_t), part);
    return check(json, json->at - 1, ecs_meta_set_string(&to_part, name));
}

static bool make_id(
    ecs__json_t *json, const ecs_meta_cursor_t *cursor, char *names[2], ecs_id_t *id) {
    char *name = names[0];
    ecs_id_t flags = ecs__text_read_marks(&name);
    ecs_entity_t first = 0, second = 0;
    bool is_value = names[1] && names[1][0] == '@';
    uint32_t value = 0;
    if (is_value && !ecs__text_read_value(names[1], &value))
        return ecs__json_fail(json, "'%s' is no number of 32 bits", names[1]);
    ecs__text_unprotect(name, ECS__TEXT_FIRST);
    if (names[1]) ecs__text_unprotect(names[1], ECS__TEXT_SECOND);
    if (!read_id_part(json, cursor, name, &first)) return false;
    if (names[1] && !is_value && !read_id_part(json, cursor, names[1], &second)) return false;
    *id = flags | (!names[1]     ? first
                      : is_value ? ecs_value_pair(first, value)
                                 : ecs_pair(first, second));
    return true;
}

// ["Rel","Tgt"]: an id.
static bool read_id(ecs__json_t *json, ecs_meta_cursor_t *cursor) {
    char *names[2] = { 0 };
    int32_t count = 0;
    bool more = ecs__json_element(json, true);
    for (; more && count < 2; more = ecs__json_element(json, false))
        names[count++] = ecs__json_string(json);
    ecs_id_t id = 0;
    bool success = !more && !json->failed && count && make_id(json, cursor, names, &id) &&
                   check(json, json->at - 1, ecs_meta_set_id(cursor, id));
    ecs_os_free(names[0]);
    ecs_os_free(names[1]);
    return success || ecs__json_fail(json, "an id has one or two names");
}

static bool read_array(ecs__json_t *json, ecs_meta_cursor_t *cursor) {
    const char *at = json->at - 1;
    ecs__place_t place;
    if (!check(json, at, ecs__cursor_at(cursor, &place) ? 0 : -1)) return false;
    if (place.op->kind == EcsOpId || place.op->kind == EcsOpOpaqueValue)
        return read_id(json, cursor);
    if (!check(json, at, ecs_meta_push(cursor))) return false;
    if (!ecs_meta_is_collection(cursor) || ecs_meta_is_map(cursor)) return check(json, at, -1);
    for (bool first = true; ecs__json_element(json, first); first = false) {
        at = json->at;
        if (!first && !check(json, at, ecs_meta_next(cursor))) return false;
        if (!ecs__json_value(json, cursor)) return false;
    }
    return !json->failed && check(json, json->at, ecs_meta_pop(cursor));
}

static bool read_string(ecs__json_t *json, ecs_meta_cursor_t *cursor) {
    const char *at = json->at;
    char *text = ecs__json_string(json);
    bool success = text && check(json, at, ecs_meta_set_string(cursor, text));
    ecs_os_free(text);
    return success;
}

static bool read_number(ecs__json_t *json, ecs_meta_cursor_t *cursor) {
    const char *at = json->at;
    ecs__json_number_t number;
    if (!ecs__json_number(json, &number)) return false;
    switch (number.kind) {
    case ECS__JSON_INT: return check(json, at, ecs_meta_set_int(cursor, number.as.i));
    case ECS__JSON_UINT: return check(json, at, ecs_meta_set_uint(cursor, number.as.u));
    case ECS__JSON_BIG: return check(json, at, ecs__cursor_set_big(cursor, number.as.f));
    default: return check(json, at, ecs_meta_set_float(cursor, number.as.f));
    }
}

bool ecs__json_value(ecs__json_t *json, ecs_meta_cursor_t *cursor) {
    switch (ecs__json_peek(json)) {
    case '{': json->at++; return read_object(json, cursor);
    case '[': json->at++; return read_array(json, cursor);
    case '"': return read_string(json, cursor);
    default: break;
    }
    const char *at = json->at;
    if (ecs__json_accept_word(json, "null")) return check(json, at, ecs_meta_set_null(cursor));
    if (ecs__json_accept_word(json, "true"))
        return check(json, at, ecs_meta_set_bool(cursor, true));
    if (ecs__json_accept_word(json, "false"))
        return check(json, at, ecs_meta_set_bool(cursor, false));
    return read_number(json, cursor);
}

const char *ecs_ptr_from_json(const ecs_world_t *world, ecs_entity_t type, void *ptr,
    const char *json, const ecs_from_json_desc_t *desc) {
    if (!json) json = "";
    ecs__json_t reader = { .text = json, .at = json };
    ecs_meta_cursor_t cursor = ecs_meta_cursor(world, type, ptr);
    if (!cursor.valid) return NULL;
    if (desc) {
        reader.name = desc->name;
        if (desc->expr) reader.text = desc->expr;
        cursor.lookup_action = desc->lookup_action;
        cursor.lookup_ctx = desc->lookup_ctx;
    }
    return ecs__json_value(&reader, &cursor) ? reader.at : NULL;
}
