// SPDX-License-Identifier: MIT
// json_type: what types are made of, as JSON.
#include <muster/ecs/json.h>

#include "base/assert.h"
#include "reflect/text.h"

// Opaque values look like those of another type.
static const ecs_meta_op_t *look_of(const ecs_world_t *world, const ecs_meta_op_t *op) {
    const EcsOpaque *opaque =
        ecs__op_is_opaque(op->kind) ? ECS__TYPE_GET(world, op->type, EcsOpaque) : NULL;
    const ecs_meta_op_t *as = opaque ? ecs__type_op(world, opaque->as_type) : NULL;
    return as ? look_of(world, as) : op;
}

static void write_word(ecs_strbuf_t *buf, const char *word) {
    ecs_strbuf_list_next(buf);
    ecs__text_string(buf, word);
}

static const char *primitive_name(ecs_meta_op_kind_t kind) {
    if (kind == EcsOpByte) return "byte";
    if (ecs__op_is_float(kind)) return "float";
    if (ecs__op_is_signed(kind) || ecs__op_is_unsigned(kind)) return "int";
    switch (kind) {
    case EcsOpBool: return "bool";
    case EcsOpChar:
    case EcsOpString: return "text";
    case EcsOpEntity: return "entity";
    case EcsOpId: return "id";
    default: return "opaque";
    }
}

static void write_constants(const ecs_world_t *world, const ecs_meta_op_t *op, ecs_strbuf_t *buf) {
    write_word(buf, op->kind == EcsOpEnum ? "enum" : "bitmask");
    ecs_map_iter_t it = ecs_map_iter(ecs__op_constants(world, op));
    while (ecs_map_next(&it)) {
        // Constants of both kinds begin with their name.
        write_word(buf, ((const ecs_enum_constant_t *)ecs_map_ptr(&it))->name);
    }
}

// Lists that may be open before the next part; one may open some.
enum { MAX_DEPTH = ECS_STRBUF_MAX_LIST_DEPTH - 4 };

// Types inside of which another is being written.
typedef struct around_t {
    ecs_entity_t type;
    const struct around_t *next;
} around_t;

static void write_whole(
    const ecs_world_t *world, ecs_entity_t type, const around_t *around, ecs_strbuf_t *buf);

static bool is_around(const around_t *around, ecs_entity_t type) {
    while (around && around->type != type) around = around->next;
    return around;
}

// Values may hold more of their kind: there the name stands for what is known, and for what is nested too deeply.
static void write_element(
    const ecs_world_t *world, ecs_entity_t type, const around_t *around, ecs_strbuf_t *buf) {
    ecs_strbuf_list_next(buf);
    if (is_around(around, type) || buf->list_sp > MAX_DEPTH)
        ecs__text_quoted_path(world, buf, type);
    else
        write_whole(world, type, around, buf);
}

// What is in the brackets of a value that is no struct.
static void write_words(
    const ecs_world_t *world, const ecs_meta_op_t *op, const around_t *around, ecs_strbuf_t *buf) {
    const EcsMap *map;
    switch (op->kind) {
    case EcsOpEnum:
    case EcsOpBitmask: write_constants(world, op, buf); return;
    case EcsOpPushArray:
        write_word(buf, "array");
        write_element(world, op[1].type, around, buf);
        ecs_strbuf_list_append(buf, "%d", op->is.elem_count);
        return;
    case EcsOpPushVector:
        write_word(buf, "vector");
        write_element(world, op[1].type, around, buf);
        return;
    case EcsOpPushMap:
        map = ECS__TYPE_GET(world, op->type, EcsMap);
        write_word(buf, "map");
        write_element(world, map ? map->key_type : 0, around, buf);
        write_element(world, op[1].type, around, buf);
        return;
    case EcsOpPushValue: write_word(buf, "value"); return;
    default: write_word(buf, primitive_name(op->kind));
    }
}

// ---- Units and ranges of members ----

static void write_range(
    ecs_strbuf_t *buf, const char *name, const ecs_member_value_range_t *range) {
    if (range->min == 0 && range->max == 0) return;
    ecs_strbuf_list_append(buf, "\"%s\":[", name);
    ecs_strbuf_appendflt(buf, range->min, '"');
    ecs_strbuf_appendlit(buf, ", ");
    ecs_strbuf_appendflt(buf, range->max, '"');
    ecs_strbuf_appendch(buf, ']');
}

static void write_path(
    const ecs_world_t *world, ecs_strbuf_t *buf, const char *name, ecs_entity_t entity) {
    ecs_strbuf_list_append(buf, "\"%s\":", name);
    ecs__text_quoted_path(world, buf, entity);
}

static void write_unit(const ecs_world_t *world, ecs_strbuf_t *buf, ecs_entity_t entity) {
    const EcsUnit *unit = ecs_get(world, entity, EcsUnit);
    write_path(world, buf, "unit", entity);
    if (unit->symbol) {
        ecs_strbuf_list_appendlit(buf, "\"symbol\":");
        ecs__text_string(buf, unit->symbol);
    }
    ecs_entity_t quantity = ecs_get_target(world, entity, EcsQuantity, 0);
    if (quantity) write_path(world, buf, "quantity", quantity);
}

static bool has_range(const ecs_member_t *member) {
    const ecs_member_value_range_t none = { 0, 0 };
    return memcmp(&member->range, &none, sizeof none) != 0 ||
           memcmp(&member->error_range, &none, sizeof none) != 0 ||
           memcmp(&member->warning_range, &none, sizeof none) != 0;
}

static void write_extras(const ecs_world_t *world, ecs_strbuf_t *buf, const ecs_member_t *member) {
    bool has_unit = ECS__TYPE_GET(world, member->unit, EcsUnit);
    if (!has_unit && !has_range(member)) return;
    ecs_strbuf_list_next(buf);
    ecs_strbuf_list_push(buf, "{", ", ");
    if (has_unit) write_unit(world, buf, member->unit);
    write_range(buf, "range", &member->range);
    write_range(buf, "error_range", &member->error_range);
    write_range(buf, "warning_range", &member->warning_range);
    ecs_strbuf_list_pop(buf, "}");
}

// ---- Structs ----

static void write_struct(
    const ecs_world_t *world, const ecs_meta_op_t *op, const around_t *around, ecs_strbuf_t *buf) {
    const EcsStruct *type = ECS__TYPE_GET(world, op->type, EcsStruct);
    const around_t inside = { op->type, around };
    ecs_strbuf_list_push(buf, "{", ", ");
    for (int32_t i = 1; i < op->op_count - 1; i += op[i].op_count) {
        ecs_strbuf_list_next(buf);
        ecs__text_string(buf, op[i].name);
        ecs_strbuf_appendch(buf, ':');
        const ecs_meta_op_t *member = look_of(world, &op[i]);
        if (member->kind == EcsOpPushStruct) {
            if (buf->list_sp > MAX_DEPTH)
                ecs__text_quoted_path(world, buf, member->type);
            else
                write_struct(world, member, &inside, buf);
            continue;
        }
        ecs_strbuf_list_push(buf, "[", ", ");
        write_words(world, member, &inside, buf);
        if (type && op[i].member_index < type->members.count)
            write_extras(
                world, buf, ecs_vec_get_t(&type->members, ecs_member_t, op[i].member_index));
        ecs_strbuf_list_pop(buf, "]");
    }
    ecs_strbuf_list_pop(buf, "}");
}

static void write_whole(
    const ecs_world_t *world, ecs_entity_t type, const around_t *around, ecs_strbuf_t *buf) {
    const ecs_meta_op_t *op = ecs__type_op(world, type);
    const around_t inside = { type, around };
    if (!op) {
        ecs_strbuf_appendch(buf, '0');
        return;
    }
    op = look_of(world, op);
    if (op->kind == EcsOpPushStruct) {
        write_struct(world, op, &inside, buf);
        return;
    }
    ecs_strbuf_list_push(buf, "[", ", ");
    write_words(world, op, &inside, buf);
    ecs_strbuf_list_pop(buf, "]");
}

int ecs_type_info_to_json_buf(const ecs_world_t *world, ecs_entity_t type, ecs_strbuf_t *buf) {
    ECS__NEED_OR(buf, -1);
    write_whole(world, type, NULL, buf);
    return 0;
}

char *ecs_type_info_to_json(const ecs_world_t *world, ecs_entity_t type) {
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    ecs_type_info_to_json_buf(world, type, &buf);
    return ecs_strbuf_get(&buf);
}
