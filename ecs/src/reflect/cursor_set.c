// SPDX-License-Identifier: MIT
// cursor_set: assigning to the value a cursor stands on.
//
// Whatever is assigned is a given_t first. Its kind and that of the value decide how it converts;
// numbers are checked against the range of the value. Opaque values take what they have a function
// for; else the given is converted to the type they look like, and that is assigned.
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/aligned.h"
#include "base/number.h"
#include "id/type_info.h"
#include "reflect/cursor_at.h"
#include "reflect/lifecycle.h"

typedef enum given_kind_t {
    GIVEN_BOOL,
    GIVEN_CHAR,
    GIVEN_INT,
    GIVEN_UINT,
    GIVEN_FLOAT,
    GIVEN_STRING,
    GIVEN_ENTITY,
    GIVEN_ID,
    GIVEN_NULL
} given_kind_t;

static const char *const given_names[] = { "a bool", "a char", "an integer", "an integer",
    "a number", "text", "an entity", "an id", "null" };

typedef struct given_t {
    given_kind_t kind;
    bool is_big; /* a whole number that 64 bits do not hold, so a float stands for it */
    union {
        bool b;
        int64_t i;  /* also chars */
        uint64_t u; /* also entities and ids */
        double f;
        const char *s;
    } as;
} given_t;

static int assign(ecs_meta_cursor_t *cursor, const ecs__place_t *at, const given_t *given);

static int refuse(const ecs_meta_cursor_t *cursor, const ecs_meta_op_t *op, const given_t *given) {
    return ecs__cursor_fail(ECS_INVALID_CONVERSION, "%s%s%s%s cannot become a value of type %s",
        given_names[given->kind], given->kind == GIVEN_STRING ? " '" : "",
        given->kind == GIVEN_STRING ? given->as.s : "", given->kind == GIVEN_STRING ? "'" : "",
        ECS__NAME(cursor->world, op->type));
}

static int out_of_range(const ecs_meta_cursor_t *cursor, const ecs_meta_op_t *op) {
    return ecs__cursor_fail(ECS_OUT_OF_RANGE, "the number is out of the range of type %s",
        ECS__NAME(cursor->world, op->type));
}

// ---- Numbers ----

static double as_float(const given_t *given) {
    switch (given->kind) {
    case GIVEN_BOOL: return given->as.b;
    case GIVEN_CHAR:
    case GIVEN_INT: return (double)given->as.i;
    case GIVEN_FLOAT: return given->as.f;
    default: return (double)given->as.u;
    }
}

// Bits of an integer; negative ones extended. False if a float has no place in 64 bits.
static bool as_bits(const given_t *given, uint64_t *bits, bool *negative) {
    *negative = (given->kind == GIVEN_INT || given->kind == GIVEN_CHAR) && given->as.i < 0;
    switch (given->kind) {
    case GIVEN_BOOL: *bits = given->as.b; return true;
    case GIVEN_FLOAT:
        *negative = given->as.f < 0;
        if (given->is_big) return false;
        if (!(given->as.f >= -9223372036854775808.0 && given->as.f < 18446744073709551616.0))
            return false;
        *bits = *negative ? (uint64_t)(int64_t)given->as.f : (uint64_t)given->as.f;
        *negative = *negative && *bits;
        return true;
    default: *bits = given->as.u; return true;
    }
}

static int set_integer(ecs_meta_cursor_t *cursor, const ecs__place_t *at, const given_t *given) {
    ecs_meta_op_kind_t kind = at->op->underlying_kind;
    uint64_t bits;
    bool negative;
    if (!as_bits(given, &bits, &negative)) return out_of_range(cursor, at->op);
    if (kind == EcsOpBool) {
        *(bool *)at->ptr = as_float(given) != 0;
        return 0;
    }
    bool is_signed = ecs__op_is_signed(kind) || kind == EcsOpChar;
    bool same_sign = is_signed ? ((int64_t)bits < 0) == negative : !negative;
    if (!ecs__op_holds(kind, bits) || !same_sign) return out_of_range(cursor, at->op);
    ecs__op_write_integer(kind, at->ptr, bits);
    return 0;
}

// Numbers become infinite only if they are.
static int set_float(ecs_meta_cursor_t *cursor, const ecs__place_t *at, double given) {
    float value = (float)given;
    if (isinf(value) && !isinf(given)) return out_of_range(cursor, at->op);
    ecs_os_memcpy_t(at->ptr, &value, float);
    return 0;
}

static int set_double(const ecs__place_t *at, double value) {
    ecs_os_memcpy_t(at->ptr, &value, double);
    return 0;
}

static int set_number(ecs_meta_cursor_t *cursor, const ecs__place_t *at, const given_t *given) {
    switch (at->op->kind) {
    case EcsOpF32: return set_float(cursor, at, as_float(given));
    case EcsOpF64: return set_double(at, as_float(given));
    case EcsOpString:
        if (given->kind != GIVEN_CHAR) return refuse(cursor, at->op, given);
        ecs_os_strset(at->ptr, (char[]){ (char)given->as.i, '\0' });
        return 0;
    case EcsOpEntity:
    case EcsOpId:
        if (given->kind != GIVEN_INT && given->kind != GIVEN_UINT) {
            return refuse(cursor, at->op, given);
        }
        return set_integer(cursor, at, given);
    default: return set_integer(cursor, at, given);
    }
}

// ---- Text ----

// A whole text that is a number. False if it is none.
static bool parse_number(const char *text, given_t *number) {
    if (!*text || isspace((unsigned char)*text)) return false;
    char *end;
    errno = 0;
    if (*text == '-') {
        *number = (given_t){ GIVEN_INT, .as.i = strtoll(text, &end, 10) };
    } else {
        bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
        *number = (given_t){ GIVEN_UINT, .as.u = strtoull(text, &end, is_hex ? 16 : 10) };
    }
    bool is_minus_zero = *text == '-' && !number->as.i, is_integer = !*end;
    if (is_integer && !errno && !is_minus_zero) return true;
    const char *stop;
    *number = (given_t){ GIVEN_FLOAT, is_integer && errno, .as.f = ecs__number_parse(text, &stop) };
    return !*stop;
}

static int set_parsed(ecs_meta_cursor_t *cursor, const ecs__place_t *at, const given_t *text) {
    given_t number;
    if (!parse_number(text->as.s, &number)) return refuse(cursor, at->op, text);
    return set_number(cursor, at, &number);
}

static bool find_constant(
    const ecs_map_t *constants, const char *name, size_t length, uint64_t *value) {
    ecs_map_iter_t it = ecs_map_iter(constants);
    while (ecs_map_next(&it)) {
        // Constants of both kinds begin with their name.
        const char *constant = ((const ecs_enum_constant_t *)ecs_map_ptr(&it))->name;
        if (strncmp(constant, name, length) || constant[length]) continue;
        *value = ecs_map_key(&it);
        return true;
    }
    return false;
}

static int set_enum(ecs_meta_cursor_t *cursor, const ecs__place_t *at, const given_t *text) {
    uint64_t value;
    if (!find_constant(
            ecs__op_constants(cursor->world, at->op), text->as.s, strlen(text->as.s), &value))
        return set_parsed(cursor, at, text);
    ecs__op_write_integer(at->op->underlying_kind, at->ptr, value);
    return 0;
}

// "A|B", blanks allowed.
static int set_bitmask(ecs_meta_cursor_t *cursor, const ecs__place_t *at, const given_t *text) {
    const ecs_map_t *constants = ecs__op_constants(cursor->world, at->op);
    uint64_t bits = 0;
    const char *word = text->as.s;
    for (;;) {
        word += strspn(word, " ");
        size_t length = strcspn(word, "| ");
        const char *next = word + length + strspn(word + length, " ");
        uint64_t value;
        if (!length || (*next && *next != '|') || !find_constant(constants, word, length, &value))
            return set_parsed(cursor, at, text);
        bits |= value;
        if (!*next) break;
        word = next + 1;
    }
    ecs__op_write_integer(at->op->underlying_kind, at->ptr, bits);
    return 0;
}

static int set_bool(ecs_meta_cursor_t *cursor, const ecs__place_t *at, const given_t *text) {
    bool is_true = !strcmp(text->as.s, "true");
    if (!is_true && strcmp(text->as.s, "false") != 0) return set_parsed(cursor, at, text);
    *(bool *)at->ptr = is_true;
    return 0;
}

static int set_char(ecs_meta_cursor_t *cursor, const ecs__place_t *at, const given_t *text) {
    if (text->as.s[0] && text->as.s[1]) return refuse(cursor, at->op, text);
    *(char *)at->ptr = text->as.s[0];
    return 0;
}

static bool is_no_entity(const ecs_world_t *world, const char *name) {
    return !strcmp(name, "#0") || (!strcmp(name, "0") && !ecs_lookup(world, name));
}

// The handle of an entity that had ended when its number was written, or has since; it must not be taken for another one.
static ecs_entity_t handle_of_dead(const char *name) {
    if (name[0] != '#' || !isdigit((unsigned char)name[1])) return 0;
    char *end;
    const uint32_t index = (uint32_t)strtoull(name + 1, &end, 10);
    return *end || !index ? 0 : index | ECS_GENERATION_MASK;
}

static ecs_entity_t find_entity(const ecs_meta_cursor_t *cursor, const char *name) {
    ecs_world_t *world = ECS_CONST_CAST(ecs_world_t *, cursor->world);
    if (cursor->lookup_action) return cursor->lookup_action(world, name, cursor->lookup_ctx);
    const ecs_entity_t entity = ecs_lookup(world, name);
    return entity ? entity : handle_of_dead(name);
}

static int set_entity(ecs_meta_cursor_t *cursor, const ecs__place_t *at, const given_t *text) {
    const char *name = text->as.s;
    const bool is_none = is_no_entity(cursor->world, name);
    const ecs_entity_t entity = is_none ? 0 : find_entity(cursor, name);
    if (!entity && !is_none)
        return ecs__cursor_fail(ECS_INVALID_PARAMETER, "there is no entity '%s'", name);
    ecs__op_write_integer(at->op->kind, at->ptr, entity);
    return 0;
}

// Where others say what names mean, they say it of a name alone, too.
static int set_id(ecs_meta_cursor_t *cursor, const ecs__place_t *at, const given_t *text) {
    const bool is_name = cursor->lookup_action && text->as.s[0] != '(' && !strchr(text->as.s, '|');
    ecs_id_t id = is_name ? 0 : ecs_id_from_str(cursor->world, text->as.s);
    if (!id) return set_entity(cursor, at, text);
    ecs__op_write_integer(at->op->kind, at->ptr, id);
    return 0;
}

static int set_text(ecs_meta_cursor_t *cursor, const ecs__place_t *at, const given_t *text) {
    switch (at->op->kind) {
    case EcsOpString: ecs_os_strset(at->ptr, text->as.s); return 0;
    case EcsOpBool: return set_bool(cursor, at, text);
    case EcsOpChar: return set_char(cursor, at, text);
    case EcsOpEnum: return set_enum(cursor, at, text);
    case EcsOpBitmask: return set_bitmask(cursor, at, text);
    case EcsOpEntity: return set_entity(cursor, at, text);
    case EcsOpId: return set_id(cursor, at, text);
    default: return set_parsed(cursor, at, text);
    }
}

// ---- Entities, ids, null ----

static int set_an_id(ecs_meta_cursor_t *cursor, const ecs__place_t *at, const given_t *given) {
    ecs_meta_op_kind_t kind = at->op->kind;
    bool is_entity = !(given->as.u & ECS_ID_FLAGS_MASK);
    bool fits = kind == EcsOpId || (kind == EcsOpEntity && is_entity) ||
                ecs__op_is_unsigned(kind) || ecs__op_is_signed(kind);
    if (!fits) return refuse(cursor, at->op, given);
    return set_integer(cursor, at, &(given_t){ GIVEN_UINT, .as.u = given->as.u });
}

static int set_nothing(ecs_meta_cursor_t *cursor, const ecs__place_t *at, const given_t *given) {
    switch (at->op->kind) {
    case EcsOpString: ecs_os_strset(at->ptr, NULL); return 0;
    case EcsOpEntity:
    case EcsOpId: ecs__op_write_integer(at->op->kind, at->ptr, 0); return 0;
    default: return refuse(cursor, at->op, given);
    }
}

// ---- Opaque values ----

// Calls the function for just this kind; false if there is none.
static bool assign_directly(
    const EcsOpaque *type, void *dst, ecs_world_t *world, const given_t *given) {
    switch (given->kind) {
    case GIVEN_BOOL: return type->assign_bool ? type->assign_bool(dst, given->as.b), true : false;
    case GIVEN_CHAR:
        return type->assign_char ? type->assign_char(dst, (char)given->as.i), true : false;
    case GIVEN_INT: return type->assign_int ? type->assign_int(dst, given->as.i), true : false;
    case GIVEN_UINT: return type->assign_uint ? type->assign_uint(dst, given->as.u), true : false;
    case GIVEN_FLOAT:
        return type->assign_float ? type->assign_float(dst, given->as.f), true : false;
    case GIVEN_STRING:
        return type->assign_string ? type->assign_string(dst, given->as.s), true : false;
    case GIVEN_ENTITY:
        return type->assign_entity ? type->assign_entity(dst, world, given->as.u), true : false;
    case GIVEN_ID: return type->assign_id ? type->assign_id(dst, world, given->as.u), true : false;
    case GIVEN_NULL: return type->assign_null ? type->assign_null(dst), true : false;
    default: return false;
    }
}

// The same whole number, for a function of another kind of numbers.
static bool assign_number(const EcsOpaque *type, void *dst, const given_t *given) {
    uint64_t bits;
    bool negative;
    if (given->kind >= GIVEN_FLOAT || !as_bits(given, &bits, &negative)) return false;
    if (type->assign_int && (negative || bits <= INT64_MAX)) {
        type->assign_int(dst, (int64_t)bits);
    } else if (type->assign_uint && !negative) {
        type->assign_uint(dst, bits);
    } else if (type->assign_float && given->kind >= GIVEN_INT) {
        type->assign_float(dst, as_float(given));
    } else {
        return false;
    }
    return true;
}

// What is at a place, as something given.
static bool read_given(const ecs_meta_op_t *op, const void *ptr, given_t *given) {
    ecs_meta_op_kind_t kind = op->underlying_kind;
    if (op->kind < EcsOpEnum) return false;
    *given = (given_t){ GIVEN_UINT, .as.u = ecs__op_read_integer(kind, ptr) };
    if (kind == EcsOpBool) *given = (given_t){ GIVEN_BOOL, .as.b = *(const bool *)ptr };
    if (kind == EcsOpChar) given->kind = GIVEN_CHAR;
    if (ecs__op_is_float(kind))
        *given = (given_t){ GIVEN_FLOAT,
            .as.f = ecs_meta_ptr_to_float((ecs_primitive_kind_t)(kind - EcsOpPrimitive), ptr) };
    if (kind == EcsOpEntity) given->kind = GIVEN_ENTITY;
    if (kind == EcsOpId) given->kind = GIVEN_ID;
    if (ecs__op_is_signed(kind)) given->kind = GIVEN_INT;
    if (kind == EcsOpString) {
        const char *text = *(char *const *)ptr;
        *given = text ? (given_t){ GIVEN_STRING, .as.s = text } : (given_t){ GIVEN_NULL };
    }
    return true;
}

// Through a value of the type it looks like.
static int assign_converted(ecs_meta_cursor_t *cursor, const ecs__place_t *at,
    const EcsOpaque *type, const given_t *given) {
    const ecs_meta_op_t *as = ecs__type_op(cursor->world, type->as_type);
    if (!as || as->kind < EcsOpEnum) return refuse(cursor, at->op, given);
    union {
        uint64_t number;
        char *text;
    } storage = { 0 };
    given_t converted;
    int result = assign(cursor, &(ecs__place_t){ as, &storage }, given);
    if (!result && !(read_given(as, &storage, &converted) &&
                       (assign_directly(type, at->ptr, ECS_CONST_CAST(ecs_world_t *, cursor->world),
                            &converted) ||
                           assign_number(type, at->ptr, &converted))))
        result = refuse(cursor, at->op, given);
    if (as->kind == EcsOpString) ecs_os_free(storage.text);
    return result;
}

static int assign_opaque(ecs_meta_cursor_t *cursor, const ecs__place_t *at, const given_t *given) {
    const EcsOpaque *type = ECS__TYPE_GET(cursor->world, at->op->type, EcsOpaque);
    if (!type) return refuse(cursor, at->op, given);
    ecs_world_t *world = ECS_CONST_CAST(ecs_world_t *, cursor->world);
    if (assign_directly(type, at->ptr, world, given) || assign_number(type, at->ptr, given))
        return 0;
    return assign_converted(cursor, at, type, given);
}

// ---- Assigning ----

static int assign(ecs_meta_cursor_t *cursor, const ecs__place_t *at, const given_t *given) {
    ecs_meta_op_kind_t kind = at->op->kind;
    if (ecs__op_is_opaque(kind)) return assign_opaque(cursor, at, given);
    if (kind == EcsOpPushValue && given->kind == GIVEN_NULL)
        return ecs_value_fini(cursor->world, at->ptr);
    if (kind < EcsOpEnum) return refuse(cursor, at->op, given);
    switch (given->kind) {
    case GIVEN_STRING:
        if (!given->as.s) return set_nothing(cursor, at, &(given_t){ GIVEN_NULL });
        return set_text(cursor, at, given);
    case GIVEN_ENTITY:
    case GIVEN_ID: return set_an_id(cursor, at, given);
    case GIVEN_NULL: return set_nothing(cursor, at, given);
    default: return set_number(cursor, at, given);
    }
}

static int set(ecs_meta_cursor_t *cursor, given_t given) {
    ecs__place_t at;
    return ecs__cursor_at(cursor, &at) ? assign(cursor, &at, &given) : -1;
}

int ecs_meta_set_bool(ecs_meta_cursor_t *cursor, bool value) {
    return set(cursor, (given_t){ GIVEN_BOOL, .as.b = value });
}

int ecs_meta_set_char(ecs_meta_cursor_t *cursor, char value) {
    return set(cursor, (given_t){ GIVEN_CHAR, .as.i = value });
}

int ecs_meta_set_int(ecs_meta_cursor_t *cursor, int64_t value) {
    return set(cursor, (given_t){ GIVEN_INT, .as.i = value });
}

int ecs_meta_set_uint(ecs_meta_cursor_t *cursor, uint64_t value) {
    return set(cursor, (given_t){ GIVEN_UINT, .as.u = value });
}

int ecs_meta_set_float(ecs_meta_cursor_t *cursor, double value) {
    return set(cursor, (given_t){ GIVEN_FLOAT, .as.f = value });
}

int ecs__cursor_set_big(ecs_meta_cursor_t *cursor, double value) {
    return set(cursor, (given_t){ GIVEN_FLOAT, true, .as.f = value });
}

int ecs_meta_set_string(ecs_meta_cursor_t *cursor, const char *value) {
    return set(cursor, (given_t){ GIVEN_STRING, .as.s = value });
}

int ecs_meta_set_entity(ecs_meta_cursor_t *cursor, ecs_entity_t value) {
    return set(cursor, (given_t){ GIVEN_ENTITY, .as.u = value });
}

int ecs_meta_set_id(ecs_meta_cursor_t *cursor, ecs_id_t value) {
    return set(cursor, (given_t){ GIVEN_ID, .as.u = value });
}

int ecs_meta_set_null(ecs_meta_cursor_t *cursor) { return set(cursor, (given_t){ GIVEN_NULL }); }

int ecs_meta_set_string_literal(ecs_meta_cursor_t *cursor, const char *value) {
    size_t length = value ? strlen(value) : 0;
    if (length < 2 || value[0] != '"' || value[length - 1] != '"')
        return ecs__cursor_fail(ECS_INVALID_PARAMETER, "the text has no quotes around it");
    char *text = ecs_os_malloc((ecs_size_t)length), *out = text;
    const char *end = value + length - 1, *in = value + 1;
    while (in && in < end) in = flecs_chrparse(in, out++);
    *out = '\0';
    int result = in == end ? ecs_meta_set_string(cursor, text)
                           : ecs__cursor_fail(ECS_INVALID_PARAMETER, "invalid escape in %s", value);
    ecs_os_free(text);
    return result;
}

// What is copied may be a part of what it replaces, which therefore ends last.
static int set_copy(
    const ecs_meta_cursor_t *cursor, ecs_entity_t type, void *dst, const void *src) {
    const ecs_world_t *world = cursor->world, *owner = ecs__cursor_owner(cursor);
    const ecs_type_info_t *info = ecs_get_type_info(world, type);
    if (dst == src) return 0;
    if (!ecs__type_is_copied(info)) {
        return ecs__cursor_fail(
            ECS_INVALID_OPERATION, "values of %s cannot be copied", ECS__NAME(world, type));
    }
    if (ecs__is_plain(world, info)) return ecs_ptr_copy_w_type_info(world, info, dst, src);
    void *copy = ecs__aligned_calloc(info->size, info->alignment);
    if (info->hooks.copy && !owner) {
        flecs_type_info_copy_ctor(copy, src, 1, info);
        flecs_type_info_move_dtor(dst, copy, 1, info);
    } else {
        ecs__value_copy_new(world, info, copy, src);
        ecs__value_drop(world, info, dst);
        flecs_type_info_ctor_move_dtor(dst, copy, 1, info);
    }
    ecs__aligned_free(copy, info->alignment);
    return 0;
}

int ecs_meta_set_value(ecs_meta_cursor_t *cursor, const ecs_value_t *value) {
    ECS__NEED_OR(value, -1);
    ecs__place_t at;
    if (!ecs__cursor_at(cursor, &at)) return -1;
    if (at.op->kind == EcsOpPushValue && value->type != at.op->type)
        return ecs_value_set(cursor->world, at.ptr, value->type, value->ptr);
    if (!value->ptr) {
        return ecs__cursor_fail(ECS_INVALID_CONVERSION, "an empty value cannot become one of %s",
            ECS__NAME(cursor->world, at.op->type));
    }
    bool is_inline_array = at.op->kind == EcsOpPushArray && at.op->type == at.op[1].type;
    if (at.op->type == value->type && !is_inline_array)
        return set_copy(cursor, value->type, at.ptr, value->ptr);
    const ecs_meta_op_t *op = ecs__type_op(cursor->world, value->type);
    given_t given;
    if (!op || !read_given(op, value->ptr, &given)) {
        return ecs__cursor_fail(ECS_INVALID_CONVERSION,
            "a value of type %s cannot become one of %s", ECS__NAME(cursor->world, value->type),
            ECS__NAME(cursor->world, at.op->type));
    }
    return assign(cursor, &at, &given);
}
