// SPDX-License-Identifier: MIT
#include "reflect/text.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/number.h"
#include "name/lookup.h"

// What a cursor can enter: all that is written can be read.
enum { MAX_DEPTH = ECS_META_MAX_SCOPE_DEPTH - 1 };

static bool fail(const ecs__text_t *text, ecs_entity_t type, const char *what) {
    return ecs__type_fail("a value of type %s %s", ECS__NAME(text->world, type), what);
}

// ---- Words ----

static void append_special(ecs_strbuf_t *buf, char ch) {
    const char *at = strchr("\bb\ff\nn\rr\tt\\\\\"\"", ch);
    if (at) {
        ecs_strbuf_appendch(buf, '\\');
        ecs_strbuf_appendch(buf, at[1]);
    } else {
        ecs_strbuf_append(buf, "\\u%04x", (unsigned)ch);
    }
}

void ecs__text_string(ecs_strbuf_t *buf, const char *value) {
    ecs_strbuf_appendch(buf, '"');
    for (;; value++) {
        const char *plain = value;
        while ((unsigned char)*value >= ' ' && *value != '"' && *value != '\\') value++;
        ecs_strbuf_appendstrn(buf, plain, (int32_t)(value - plain));
        if (!*value) break;
        append_special(buf, *value);
    }
    ecs_strbuf_appendch(buf, '"');
}

void ecs__text_path(const ecs_world_t *world, ecs_strbuf_t *buf, ecs_entity_t entity) {
    if (entity && ecs_is_alive(world, entity)) {
        ecs__path_exact(world, 0, entity, NULL, buf);
    } else { // what is dead has another number than what lives in its place
        bool is_reused = ecs_get_alive(world, (uint32_t)entity) != 0;
        uint64_t number = (uint32_t)entity | (is_reused ? ECS_GENERATION_MASK : 0);
        ecs_strbuf_append(buf, "#%llu", (unsigned long long)number);
    }
}

void ecs__text_quoted_path(const ecs_world_t *world, ecs_strbuf_t *buf, ecs_entity_t entity) {
    ecs_strbuf_t path = ECS_STRBUF_INIT;
    ecs__text_path(world, &path, entity);
    ecs__text_string(buf, ecs_strbuf_str(&path));
    ecs_strbuf_reset(&path);
}

enum { MARKS = 4 };
typedef struct mark_t {
    const char *text;
    ecs_id_t flags;
} mark_t;

static mark_t mark_at(int i) {
    return (const mark_t[MARKS]){ { "auto_override|", ECS_AUTO_OVERRIDE },
        { "toggle|", ECS_TOGGLE }, { "or|", ECS_OR }, { "and|", ECS_AND } }[i];
}

ecs_id_t ecs__text_marks(ecs_strbuf_t *buf, ecs_id_t id) {
    for (int i = 0; i < MARKS && !ECS_IS_PAIR(id); i++) {
        mark_t mark = mark_at(i);
        if ((id & mark.flags) != mark.flags) continue;
        ecs_strbuf_appendstr(buf, mark.text);
        id &= ~mark.flags;
    }
    return id;
}

ecs_id_t ecs__text_read_marks(char **name) {
    ecs_id_t flags = 0;
    for (int i = 0; i < MARKS; i++) {
        mark_t mark = mark_at(i);
        size_t length = strlen(mark.text);
        if (strncmp(*name, mark.text, length) != 0) continue;
        *name += length;
        flags |= mark.flags;
    }
    return flags;
}

static bool is_protected(const char *marks, char c, bool is_front) {
    return (is_front && (c == marks[0] || (marks[1] && c == marks[2]))) || c == marks[1];
}

void ecs__text_protect(ecs_strbuf_t *buf, ecs_strbuf_t *name, const char *marks) {
    bool is_front = true;
    for (const char *at = ecs_strbuf_str(name); *at; at++) {
        if (is_protected(marks, *at, is_front)) ecs_strbuf_appendch(buf, '\\');
        ecs_strbuf_appendch(buf, *at);
        is_front &= *at == '\\';
    }
    ecs_strbuf_reset(name);
}

void ecs__text_unprotect(char *name, const char *marks) {
    bool is_front = true;
    char *out = name;
    for (const char *at = name; *at; at++) {
        if (is_protected(marks, *at, is_front) && out > name && out[-1] == '\\') out--;
        is_front &= *at == '\\';
        *out++ = *at;
    }
    *out = '\0';
}

bool ecs__text_read_value(const char *text, uint32_t *value) {
    if (text[0] != '@' || !isdigit((unsigned char)text[1])) return false;
    char *end;
    unsigned long long number = strtoull(text + 1, &end, 10);
    *value = (uint32_t)number;
    return !*end && number <= UINT32_MAX;
}

static void append_part(
    const ecs_world_t *world, ecs_strbuf_t *buf, ecs_entity_t entity, const char *marks) {
    ecs_strbuf_t path = ECS_STRBUF_INIT;
    ecs__text_path(world, &path, entity);
    ecs__text_protect(buf, &path, marks);
}

void ecs__text_id(const ecs_world_t *world, ecs_strbuf_t *buf, ecs_id_t id) {
    ecs_strbuf_t first = ECS_STRBUF_INIT, second = ECS_STRBUF_INIT;
    id = ecs__text_marks(&first, id);
    append_part(world, &first, ECS_IS_PAIR(id) ? ecs_get_alive(world, ECS_PAIR_FIRST(id)) : id,
        ECS__TEXT_FIRST);
    if (ECS_IS_VALUE_PAIR(id))
        ecs_strbuf_append(&second, "@%u", ECS_PAIR_SECOND(id));
    else if (ECS_IS_PAIR(id))
        append_part(world, &second, ecs_pair_second(world, id), ECS__TEXT_SECOND);
    ecs_strbuf_appendch(buf, '[');
    ecs__text_string(buf, ecs_strbuf_str(&first));
    if (ECS_IS_PAIR(id)) {
        ecs_strbuf_appendch(buf, ',');
        ecs__text_string(buf, ecs_strbuf_str(&second));
    }
    ecs_strbuf_appendch(buf, ']');
    ecs_strbuf_reset(&first);
    ecs_strbuf_reset(&second);
}

static void write_entity(ecs__text_t *text, ecs_entity_t entity) {
    if (text->json)
        ecs__text_quoted_path(text->world, text->buf, entity);
    else if (!entity)
        ecs_strbuf_appendch(text->buf, '0');
    else
        ecs__text_path(text->world, text->buf, entity);
}

static void write_id(ecs__text_t *text, ecs_id_t id) {
    if (!id) {
        ecs_strbuf_appendstr(text->buf, text->json ? "\"#0\"" : "0");
    } else if (text->json) {
        ecs__text_id(text->world, text->buf, id);
    } else {
        ecs_id_str_buf(text->world, id, text->buf);
    }
}

// ---- Values without parts ----

static void write_word(ecs__text_t *text, const char *word) {
    if (text->json)
        ecs__text_string(text->buf, word);
    else
        ecs_strbuf_appendstr(text->buf, word);
}

static bool write_enum(ecs__text_t *text, const ecs_meta_op_t *op, uint64_t value) {
    const ecs_enum_constant_t *constant =
        ecs_map_get_deref(ecs__op_constants(text->world, op), ecs_enum_constant_t, value);
    if (!constant) return fail(text, op->type, "is none of its constants");
    write_word(text, constant->name);
    return true;
}

static bool write_bitmask(ecs__text_t *text, const ecs_meta_op_t *op, uint64_t value) {
    if (!value) {
        ecs_strbuf_appendch(text->buf, '0');
        return true;
    }
    ecs_strbuf_t names = ECS_STRBUF_INIT;
    const uint64_t all = value;
    ecs_map_iter_t it = ecs_map_iter(ecs__op_constants(text->world, op));
    ecs_strbuf_list_push(&names, "", "|");
    while (ecs_map_next(&it)) {
        uint64_t bits = ecs_map_key(&it);
        if ((all & bits) != bits || !(value & bits)) continue; /* constants may share bits */
        ecs_strbuf_list_appendstr(&names, ((const ecs_bitmask_constant_t *)ecs_map_ptr(&it))->name);
        value &= ~bits;
    }
    ecs_strbuf_list_pop(&names, "");
    if (!value) write_word(text, ecs_strbuf_str(&names));
    ecs_strbuf_reset(&names);
    return !value || fail(text, op->type, "has bits that none of its constants has");
}

static void write_text(ecs__text_t *text, const char *value) {
    if (value)
        ecs__text_string(text->buf, value);
    else
        ecs_strbuf_appendlit(text->buf, "null");
}

// The number with the fewest digits that becomes this float again: 0.1, not 0.10000000149011612.
static double shorten(float value) {
    char digits[32];
    double decimal;
    if (value > -1e6f && value < 1e6f && value == (float)(int32_t)value) return (double)value;
    if (ecs__number_shorten(value, &decimal)) return decimal;
    for (int count = 6; count < 9; count++) {
        snprintf(digits, sizeof digits, "%.*g", count, (double)value);
        if (strtof(digits, NULL) == value) return strtod(digits, NULL);
    }
    return value;
}

static void write_float(ecs__text_t *text, float value) {
    bool is_finite = value - value == 0;
    ecs_strbuf_appendflt(text->buf, is_finite ? shorten(value) : (double)value, '"');
}

static bool write_primitive(ecs__text_t *text, const ecs_meta_op_t *op, const void *ptr) {
    switch (op->kind) {
    case EcsOpEnum: return write_enum(text, op, ecs__op_read_integer(op->underlying_kind, ptr));
    case EcsOpBitmask:
        return write_bitmask(text, op, ecs__op_read_integer(op->underlying_kind, ptr));
    case EcsOpBool: ecs_strbuf_appendbool(text->buf, *(const bool *)ptr); return true;
    case EcsOpChar: write_text(text, (char[]){ *(const char *)ptr, '\0' }); return true;
    case EcsOpString: write_text(text, *(char *const *)ptr); return true;
    case EcsOpEntity: write_entity(text, ecs__op_read_integer(op->kind, ptr)); return true;
    case EcsOpId: write_id(text, ecs__op_read_integer(op->kind, ptr)); return true;
    case EcsOpF32: write_float(text, (float)ecs_meta_ptr_to_float(EcsF32, ptr)); return true;
    case EcsOpF64:
        ecs_strbuf_appendflt(text->buf, ecs_meta_ptr_to_float(EcsF64, ptr), '"');
        return true;
    default: break;
    }
    uint64_t value = ecs__op_read_integer(op->kind, ptr);
    if (ecs__op_is_signed(op->kind))
        ecs_strbuf_appendint(text->buf, (int64_t)value);
    else
        ecs_strbuf_append(text->buf, "%llu", (unsigned long long)value);
    return true;
}

// ---- Values with parts ----

static bool write_op(ecs__text_t *text, const ecs_meta_op_t *op, const void *base);

// Lists nest deeper than buffers remember; whether something is before the next part is all they need to know.
static void open(ecs__text_t *text, const char *bracket) {
    ecs_strbuf_appendstr(text->buf, bracket);
    text->follows = false;
}

static void close(ecs__text_t *text, const char *bracket) {
    ecs_strbuf_appendstr(text->buf, bracket);
    text->follows = true;
}

static void begin_part(ecs__text_t *text) {
    if (text->follows) ecs_strbuf_appendlit(text->buf, ", ");
    text->follows = true;
}

static void begin_member(ecs__text_t *text, const char *name) {
    begin_part(text);
    write_word(text, name);
    ecs_strbuf_appendstr(text->buf, text->json ? ":" : ": ");
}

static bool write_struct(ecs__text_t *text, const ecs_meta_op_t *op, const void *base) {
    open(text, "{");
    bool success = true;
    for (int32_t i = 1; success && i < op->op_count - 1; i += op[i].op_count) {
        begin_member(text, op[i].name);
        success = write_op(text, &op[i], base);
    }
    close(text, "}");
    return success;
}

static bool write_elements(
    ecs__text_t *text, const ecs_meta_op_t *element, const void *array, int32_t count) {
    const ecs_meta_op_t *op = ecs__type_op(text->world, element->type);
    open(text, "[");
    bool success = op || fail(text, element->type, "has no description any more");
    for (int32_t i = 0; success && i < count; i++) {
        begin_part(text);
        success = write_op(text, op, ECS_ELEM(array, element->type_info->size, i));
    }
    close(text, "]");
    return success;
}

// Letters, digits, '_' and dots between names are read as they stand, and so is the number of an entity without name.
static bool is_plain_name(const char *name) {
    const bool is_number = *name == '#';
    if (!is_number && !isalpha((unsigned char)*name)) return false;
    while (is_number ? isdigit((unsigned char)*++name)
                     : isalnum((unsigned char)*++name) || *name == '_' || *name == '.') {}
    return !*name;
}

static bool write_key(ecs__text_t *text, const ecs_meta_op_t *op, uint64_t key) {
    ecs_strbuf_t word = ECS_STRBUF_INIT;
    ecs__text_t bare = { .world = text->world, .buf = &word };
    uint64_t value = 0;
    ecs__op_write_integer(op->underlying_kind, &value, key);
    bool success = op->kind == EcsOpChar || write_primitive(&bare, op, &value);
    if (op->kind == EcsOpChar) ecs_strbuf_appendch(&word, (char)key);
    if (text->json && op->kind == EcsOpId && key && !is_plain_name(ecs_strbuf_str(&word))) {
        ecs_strbuf_reset(&word);
        ecs__text_id(text->world, &word, key); // its JSON is the name of the member
    }
    if (success) begin_member(text, ecs_strbuf_str(&word));
    ecs_strbuf_reset(&word);
    return success;
}

static int compare_keys(const void *a_ptr, const void *b_ptr) {
    const uint64_t a = *(const uint64_t *)a_ptr, b = *(const uint64_t *)b_ptr;
    return (a > b) - (a < b);
}

static int compare_signed_keys(const void *a_ptr, const void *b_ptr) {
    const int64_t a = *(const int64_t *)a_ptr, b = *(const int64_t *)b_ptr;
    return (a > b) - (a < b);
}

// In order, as equal maps may have theirs in different ones.
static void list_keys(const ecs_map_t *map, bool are_signed, ecs_vec_t *keys) {
    ecs_map_iter_t it = ecs_map_iter(map);
    while (ecs_map_next(&it)) *ecs_vec_append_t(NULL, keys, uint64_t) = ecs_map_key(&it);
    if (keys->count)
        qsort(keys->array, (size_t)keys->count, sizeof(uint64_t),
            are_signed ? compare_signed_keys : compare_keys);
}

static bool write_map(ecs__text_t *text, const ecs_meta_op_t *op, const ecs_map_t *map) {
    const EcsMap *type = ECS__TYPE_GET(text->world, op->type, EcsMap);
    const ecs_meta_op_t *element = ecs__type_op(text->world, op[1].type);
    const ecs_meta_op_t *key = type ? ecs__type_op(text->world, type->key_type) : NULL;
    if (!key || !element) return fail(text, op->type, "has no description any more");
    bool success = true;
    ecs_vec_t keys = { 0 };
    list_keys(map, ecs__op_is_signed(key->underlying_kind), &keys);
    open(text, "{");
    for (int32_t i = 0; success && i < keys.count; i++) {
        const uint64_t at = *ecs_vec_get_t(&keys, uint64_t, i);
        success = write_key(text, key, at) &&
                  write_op(text, element, ecs__map_element(ecs_map_get(map, at), op[1].type_info));
    }
    close(text, "}");
    ecs_vec_fini_t(NULL, &keys, uint64_t);
    return success;
}

// A value of any type says which. It is read by a cursor of its own.
static bool write_any(ecs__text_t *text, const ecs_meta_op_t *op, const ecs_value_t *value) {
    if (!value->ptr) {
        ecs_strbuf_appendlit(text->buf, "null");
        return true;
    }
    if (text->values >= ECS_META_MAX_SCOPE_DEPTH)
        return fail(text, op->type, "is nested too deeply");
    const int32_t depth = text->depth;
    text->depth = 0;
    text->values++;
    open(text, "{");
    begin_member(text, "type");
    write_entity(text, value->type);
    begin_member(text, "value");
    bool success = ecs__text_value(text, value->type, value->ptr);
    close(text, "}");
    text->values--;
    text->depth = depth;
    return success;
}

// ---- Opaque values: they call back ----

typedef struct opaque_t {
    ecs__text_t *text;
    bool has_elements;
} opaque_t;

static int on_value(const ecs_serializer_t *serializer, ecs_entity_t type, const void *value) {
    opaque_t *opaque = serializer->ctx;
    if (opaque->has_elements) begin_part(opaque->text);
    return ecs__text_value(opaque->text, type, value) ? 0 : -1;
}

static int on_member(const ecs_serializer_t *serializer, const char *name) {
    begin_member(((opaque_t *)serializer->ctx)->text, name);
    return 0;
}

static bool write_opaque(ecs__text_t *text, const ecs_meta_op_t *op, const void *ptr) {
    const EcsOpaque *type = ECS__TYPE_GET(text->world, op->type, EcsOpaque);
    if (!type || !type->serialize)
        return fail(text, op->type, "has no function that serializes it");
    const EcsType *as = ECS__TYPE_GET(text->world, type->as_type, EcsType);
    opaque_t opaque = { text, false };
    const char *brackets[2] = { NULL };
    if (as && (as->kind == EcsStructType || as->kind == EcsMapType)) {
        brackets[0] = "{", brackets[1] = "}";
    } else if (as && (as->kind == EcsArrayType || as->kind == EcsVectorType)) {
        brackets[0] = "[", brackets[1] = "]";
        opaque.has_elements = true;
    }
    const ecs_serializer_t serializer = {
        .value = on_value, .member = on_member, .world = text->world, .ctx = &opaque
    };
    if (brackets[0]) open(text, brackets[0]);
    bool success = !type->serialize(&serializer, ptr);
    if (brackets[1]) close(text, brackets[1]);
    return success;
}

// ---- All values ----

static bool write_parts(ecs__text_t *text, const ecs_meta_op_t *op, const void *base) {
    const void *ptr = ECS_OFFSET(base, op->offset);
    switch (op->kind) {
    case EcsOpPushStruct: return write_struct(text, op, base);
    case EcsOpPushArray: return write_elements(text, &op[1], ptr, op->is.elem_count);
    case EcsOpPushVector: {
        const ecs_vec_t *vec = ptr;
        return write_elements(text, &op[1], vec->array, vec->count);
    }
    case EcsOpPushMap: return write_map(text, op, ptr);
    default: return write_opaque(text, op, ptr);
    }
}

static bool write_op(ecs__text_t *text, const ecs_meta_op_t *op, const void *base) {
    const void *ptr = ECS_OFFSET(base, op->offset);
    if (op->kind >= EcsOpEnum) return write_primitive(text, op, ptr);
    if (op->kind == EcsOpPushValue) return write_any(text, op, ptr);
    bool is_entered = op->kind != EcsOpOpaqueValue;
    if (text->depth >= MAX_DEPTH + !is_entered) return fail(text, op->type, "is nested too deeply");
    text->depth++;
    bool success = write_parts(text, op, base);
    text->depth--;
    return success;
}

bool ecs__text_value(ecs__text_t *text, ecs_entity_t type, const void *ptr) {
    const ecs_meta_op_t *op = ecs__type_op(text->world, type);
    if (op) return write_op(text, op, ptr);
    return ecs__type_info_of(text->world, type, "writing a value") != NULL;
}

char *ecs__text_take(ecs_strbuf_t *buf, int result) {
    if (!result) return ecs_strbuf_get(buf);
    ecs_strbuf_reset(buf);
    return NULL;
}

// ---- Expressions ----

int ecs_ptr_to_expr_buf(
    const ecs_world_t *world, ecs_entity_t type, const void *ptr, ecs_strbuf_t *buf) {
    ECS__NEED_OR(ptr && buf, -1);
    ecs__text_t text = { .world = world, .buf = buf };
    return ecs__text_value(&text, type, ptr) ? 0 : -1;
}

char *ecs_ptr_to_expr(const ecs_world_t *world, ecs_entity_t type, const void *ptr) {
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    return ecs__text_take(&buf, ecs_ptr_to_expr_buf(world, type, ptr, &buf));
}

char *ecs_ptr_to_str(const ecs_world_t *world, ecs_entity_t type, const void *ptr) {
    ECS__NEED_OR(ptr, NULL);
    const ecs_meta_op_t *op = ecs__type_op(world, type);
    if (!op || op->kind != EcsOpString) return ecs_ptr_to_expr(world, type, ptr);
    const char *text = *(char *const *)ptr;
    return ecs_os_strdup(text ? text : "");
}
