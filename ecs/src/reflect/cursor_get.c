// SPDX-License-Identifier: MIT
// cursor_get: reading the value a cursor stands on.
#include <stdlib.h>

#include "reflect/cursor_at.h"

// Members of packed structs begin anywhere.
static float read_f32(const void *ptr) {
    float value;
    ecs_os_memcpy_t(&value, ptr, float);
    return value;
}

static double read_f64(const void *ptr) {
    double value;
    ecs_os_memcpy_t(&value, ptr, double);
    return value;
}

double ecs_meta_ptr_to_float(ecs_primitive_kind_t kind, const void *ptr) {
    ECS__NEED_OR(ptr, 0);
    ecs_meta_op_kind_t op = (ecs_meta_op_kind_t)((int)EcsOpPrimitive + (int)kind);
    switch (kind) {
    case EcsF32: return read_f32(ptr);
    case EcsF64: return read_f64(ptr);
    case EcsString: {
        const char *text = *(char *const *)ptr;
        return text ? atof(text) : 0;
    }
    default: break;
    }
    uint64_t bits = ecs__op_read_integer(op, ptr);
    return ecs__op_is_signed(op) || kind == EcsChar ? (double)(int64_t)bits : (double)bits;
}

static void refuse(const ecs_meta_cursor_t *cursor, const ecs_meta_op_t *op, const char *what) {
    ecs__cursor_fail(ECS_INVALID_CONVERSION, "a value of type %s is no %s",
        ECS__NAME(cursor->world, op->type), what);
}

static bool is_id(const ecs__place_t *at) {
    return at->op->kind == EcsOpEntity || at->op->kind == EcsOpId;
}

// The present value if it is a number, or text of one.
static bool number_at(
    const ecs_meta_cursor_t *cursor, ecs__place_t *at, const char *what, bool or_id) {
    if (!ecs__cursor_at(cursor, at)) return false;
    if (at->op->kind >= EcsOpEnum && (or_id || !is_id(at))) return true;
    refuse(cursor, at->op, what);
    return false;
}

static double float_of(const ecs__place_t *at) {
    return ecs_meta_ptr_to_float(
        (ecs_primitive_kind_t)(at->op->underlying_kind - EcsOpPrimitive), at->ptr);
}

static const char *text_of(const void *ptr) {
    const char *text = *(char *const *)ptr;
    return text ? text : "";
}

// What 64 bits do not hold becomes the nearest that they do, as it does in text; NaN becomes 0.
static int64_t nearest_int(double value) {
    if (value >= 0x1p63) return INT64_MAX;
    if (value < -0x1p63) return INT64_MIN;
    return value == value ? (int64_t)value : 0;
}

static uint64_t nearest_uint(double value) {
    if (value >= 0x1p64) return UINT64_MAX;
    return value >= 0x1p63 ? (uint64_t)value : (uint64_t)nearest_int(value);
}

double ecs_meta_get_float(const ecs_meta_cursor_t *cursor) {
    ecs__place_t at;
    return number_at(cursor, &at, "number", false) ? float_of(&at) : 0;
}

int64_t ecs_meta_get_int(const ecs_meta_cursor_t *cursor) {
    ecs__place_t at;
    if (!number_at(cursor, &at, "integer", false)) return 0;
    ecs_meta_op_kind_t kind = at.op->underlying_kind;
    if (ecs__op_is_float(kind)) return nearest_int(float_of(&at));
    if (kind == EcsOpString) return strtoll(text_of(at.ptr), NULL, 10);
    return (int64_t)ecs__op_read_integer(kind, at.ptr);
}

uint64_t ecs_meta_get_uint(const ecs_meta_cursor_t *cursor) {
    ecs__place_t at;
    if (!number_at(cursor, &at, "integer", true)) return 0;
    ecs_meta_op_kind_t kind = at.op->underlying_kind;
    if (ecs__op_is_float(kind)) return nearest_uint(float_of(&at));
    if (kind == EcsOpString) return strtoull(text_of(at.ptr), NULL, 10);
    return ecs__op_read_integer(kind, at.ptr);
}

bool ecs_meta_get_bool(const ecs_meta_cursor_t *cursor) {
    ecs__place_t at;
    if (!number_at(cursor, &at, "bool", true)) return false;
    return at.op->kind == EcsOpString ? !strcmp(text_of(at.ptr), "true") : float_of(&at) != 0;
}

char ecs_meta_get_char(const ecs_meta_cursor_t *cursor) {
    ecs__place_t at;
    if (!ecs__cursor_at(cursor, &at)) return 0;
    if (at.op->kind == EcsOpString) return text_of(at.ptr)[0];
    return (char)ecs_meta_get_int(cursor);
}

const char *ecs_meta_get_string(const ecs_meta_cursor_t *cursor) {
    ecs__place_t at;
    if (!ecs__cursor_at(cursor, &at)) return NULL;
    if (at.op->kind == EcsOpString) return *(char *const *)at.ptr;
    refuse(cursor, at.op, "string");
    return NULL;
}

ecs_entity_t ecs_meta_get_entity(const ecs_meta_cursor_t *cursor) {
    ecs__place_t at;
    if (!ecs__cursor_at(cursor, &at)) return 0;
    if (at.op->kind == EcsOpEntity) return ecs__op_read_integer(at.op->kind, at.ptr);
    refuse(cursor, at.op, "entity");
    return 0;
}

ecs_id_t ecs_meta_get_id(const ecs_meta_cursor_t *cursor) {
    ecs__place_t at;
    if (!ecs__cursor_at(cursor, &at)) return 0;
    if (is_id(&at)) return ecs__op_read_integer(at.op->kind, at.ptr);
    refuse(cursor, at.op, "id");
    return 0;
}
