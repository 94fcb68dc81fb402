// SPDX-License-Identifier: MIT
// c_decl: descriptions read from the text of C definitions.
//
// The text is what stands between the braces of a struct or enum. It was compiled once, so that
// only what can be described needs to be understood: names of types, pointers, arrays of constant
// size, and the forms ecs_vec(T), ecs_vector(T), ecs_array(T, n) and ecs_map(K, V).
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "reflect/type.h"

typedef struct reader_t {
    ecs_world_t *world;
    ecs_entity_t type; /* what is described */
    const char *text, *at;
    bool failed;
    char word[ECS_MAX_TOKEN_SIZE];
    int32_t depth;       /* of collections whose elements are read, and of parts of expressions */
    ecs_vec_t made;      /* ecs_entity_t: these collections */
    ecs_vec_t constants; /* ecs_enum_constant_t: those read so far */
} reader_t;

static bool fail(reader_t *r, const char *what) {
    if (!r->failed) {
        char name[128];
        ecs_parser_error(
            ecs__entity_text(r->world, r->type, name), r->text, r->at - r->text, "%s", what);
    }
    r->failed = true;
    return false;
}

// ---- Words ----

static void skip_blank(reader_t *r) {
    for (;;) {
        while (isspace((unsigned char)*r->at)) r->at++;
        if (r->at[0] == '/' && r->at[1] == '/') {
            while (*r->at && *r->at != '\n') r->at++;
        } else if (r->at[0] == '/' && r->at[1] == '*') {
            const char *end = strstr(r->at + 2, "*/");
            r->at = end ? end + 2 : r->at + strlen(r->at);
        } else {
            return;
        }
    }
}

static bool is_next(reader_t *r, char ch) {
    skip_blank(r);
    return *r->at == ch;
}

static bool accept(reader_t *r, char ch) {
    if (!is_next(r, ch)) return false;
    r->at++;
    return true;
}

static bool expect(reader_t *r, char ch) {
    char message[] = "'?' expected";
    message[1] = ch;
    return accept(r, ch) || fail(r, message);
}

static bool read_word(reader_t *r) {
    skip_blank(r);
    size_t length = 0;
    while (isalnum((unsigned char)r->at[length]) || r->at[length] == '_') length++;
    if (!length || isdigit((unsigned char)*r->at)) return fail(r, "name expected");
    if (length >= sizeof r->word) return fail(r, "name is too long");
    ecs_os_memcpy(r->word, r->at, length);
    r->word[length] = '\0';
    r->at += length;
    return true;
}

static bool accept_word(reader_t *r, const char *word) {
    skip_blank(r);
    size_t length = strlen(word);
    bool is_it = !strncmp(r->at, word, length) && !isalnum((unsigned char)r->at[length]) &&
                 r->at[length] != '_';
    if (is_it) r->at += length;
    return is_it;
}

// ---- Integers ----

static bool read_integer(reader_t *r, int64_t *value);

static bool read_known(reader_t *r, int64_t *value) {
    if (!read_word(r)) return false;
    for (int32_t i = 0; i < r->constants.count; i++) {
        const ecs_enum_constant_t *known = ecs_vec_get_t(&r->constants, ecs_enum_constant_t, i);
        if (strcmp(known->name, r->word) != 0) continue;
        *value = known->value;
        return true;
    }
    return fail(r, "integer constant expected");
}

static bool read_number(reader_t *r, int64_t *value) {
    char *end;
    errno = 0;
    *value = (int64_t)strtoull(r->at, &end, 0);
    if (end == r->at || errno) return fail(r, "integer constant expected");
    r->at = end + strspn(end, "uUlL");
    return true;
}

static bool read_operand(reader_t *r, int64_t *value) {
    if (r->depth >= ECS_META_MAX_SCOPE_DEPTH) return fail(r, "parentheses are nested too deeply");
    r->depth++;
    bool success = true;
    if (accept(r, '(')) {
        success = read_integer(r, value) && expect(r, ')');
    } else if (accept(r, '-')) {
        success = read_operand(r, value);
        *value = (int64_t)(0 - (uint64_t)*value);
    } else if (*r->at == '\'' && r->at[1] && r->at[2] == '\'') {
        *value = r->at[1];
        r->at += 3;
    } else {
        success = isdigit((unsigned char)*r->at) ? read_number(r, value) : read_known(r, value);
    }
    r->depth--;
    return success;
}

// How tightly an operator binds; 0: there is none.
static int binding(const char *at) {
    if (at[0] == '|' && at[1] != '|') return 1;
    if (at[0] == '<' && at[1] == '<') return 2;
    return *at == '+' || *at == '-' ? 3 : 0;
}

static bool apply(reader_t *r, char op, int64_t *value, int64_t right) {
    const uint64_t a = (uint64_t)*value, b = (uint64_t)right;
    if (op == '<' && b > 63) return fail(r, "a shift goes from 0 to 63");
    *value = (int64_t)(op == '<' ? a << b : op == '|' ? a | b : op == '+' ? a + b : a - b);
    return true;
}

static bool read_operators(reader_t *r, int loosest, int64_t *value) {
    if (!read_operand(r, value)) return false;
    for (skip_blank(r); binding(r->at) >= loosest; skip_blank(r)) {
        const char op = *r->at;
        const int tighter = binding(r->at) + 1;
        int64_t right = 0;
        r->at += op == '<' ? 2 : 1;
        if (!read_operators(r, tighter, &right) || !apply(r, op, value, right)) return false;
    }
    return true;
}

// An integer, of numbers, characters and earlier constants: "A | 1 << 3".
static bool read_integer(reader_t *r, int64_t *value) {
    *value = 0;
    return read_operators(r, 1, value);
}

static bool read_size(reader_t *r, int32_t *count) {
    int64_t value;
    if (!read_integer(r, &value)) return false;
    if (value <= 0 || value > INT32_MAX) return fail(r, "invalid size of an array");
    *count = (int32_t)value;
    return true;
}

// ---- Types ----

// Floats whose type a build may choose.
#define FLOAT_TYPE(T) (sizeof(T) == sizeof(float) ? &ecs_id(ecs_f32_t) : &ecs_id(ecs_f64_t))

static const struct {
    const char *c_name;
    const ecs_entity_t *type;
} c_types[] = {
    { "bool", &ecs_id(ecs_bool_t) },
    { "_Bool", &ecs_id(ecs_bool_t) },
    { "char", &ecs_id(ecs_char_t) },
    { "unsigned char", &ecs_id(ecs_byte_t) },
    { "signed char", &ecs_id(ecs_i8_t) },
    { "short", &ecs_id(ecs_i16_t) },
    { "unsigned short", &ecs_id(ecs_u16_t) },
    { "int", &ecs_id(ecs_i32_t) },
    { "unsigned int", &ecs_id(ecs_u32_t) },
    { "long long", &ecs_id(ecs_i64_t) },
    { "unsigned long long", &ecs_id(ecs_u64_t) },
    { "int8_t", &ecs_id(ecs_i8_t) },
    { "int16_t", &ecs_id(ecs_i16_t) },
    { "int32_t", &ecs_id(ecs_i32_t) },
    { "int64_t", &ecs_id(ecs_i64_t) },
    { "uint8_t", &ecs_id(ecs_u8_t) },
    { "uint16_t", &ecs_id(ecs_u16_t) },
    { "uint32_t", &ecs_id(ecs_u32_t) },
    { "uint64_t", &ecs_id(ecs_u64_t) },
    { "size_t", &ecs_id(ecs_uptr_t) },
    { "uintptr_t", &ecs_id(ecs_uptr_t) },
    { "intptr_t", &ecs_id(ecs_iptr_t) },
    { "ptrdiff_t", &ecs_id(ecs_iptr_t) },
    { "float", &ecs_id(ecs_f32_t) },
    { "double", &ecs_id(ecs_f64_t) },
    { "ecs_float_t", FLOAT_TYPE(ecs_float_t) },
    { "ecs_ftime_t", FLOAT_TYPE(ecs_ftime_t) },
    { "ecs_size_t", &ecs_id(ecs_i32_t) },
    { "ecs_flags8_t", &ecs_id(ecs_u8_t) },
    { "ecs_flags16_t", &ecs_id(ecs_u16_t) },
    { "ecs_flags32_t", &ecs_id(ecs_u32_t) },
    { "ecs_flags64_t", &ecs_id(ecs_u64_t) },
    { "ecs_entity_t", &ecs_id(ecs_entity_t) },
    { "ecs_id_t", &ecs_id(ecs_id_t) },
};

static ecs_entity_t find_type(const ecs_world_t *world, const char *name) {
    for (size_t i = 0; i < sizeof c_types / sizeof *c_types; i++) {
        if (!strcmp(c_types[i].c_name, name)) return *c_types[i].type;
    }
    ecs_entity_t type = ecs_lookup_symbol(world, name, true, true);
    return type ? type : ecs_lookup(world, name);
}

static bool is_c_word(const char *word) {
    static const char *const words[] = { "unsigned", "signed", "short", "long", "int", "char" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!strcmp(words[i], word)) return true;
    }
    return false;
}

// "unsigned long int" has one name in the table: "unsigned long long", by size.
static bool read_type_name(reader_t *r, char name[ECS_MAX_TOKEN_SIZE]) {
    if (!read_word(r)) return false;
    ecs_os_strcpy(name, r->word);
    if (!is_c_word(name)) return true;
    bool is_unsigned = false, is_signed = false;
    const char *base = "int";
    int longs = 0;
    for (bool more = true; more;) {
        if (!strcmp(r->word, "unsigned")) is_unsigned = true;
        if (!strcmp(r->word, "signed")) is_signed = true;
        if (!strcmp(r->word, "char")) base = "char";
        if (!strcmp(r->word, "short")) base = "short";
        if (!strcmp(r->word, "long")) longs++;
        const char *before = r->at;
        skip_blank(r);
        more = (isalpha((unsigned char)*r->at)) && read_word(r) && is_c_word(r->word);
        if (!more) r->at = before;
    }
    if (longs) base = longs > 1 || sizeof(long) == 8 ? "long long" : "int";
    bool say_signed = is_signed && !strcmp(base, "char");
    ecs_os_snprintf(name, ECS_MAX_TOKEN_SIZE, "%s%s",
        is_unsigned  ? "unsigned "
        : say_signed ? "signed "
                     : "",
        base);
    return true;
}

static bool read_type(reader_t *r, ecs_entity_t *type);

// A type without a name, that ecs_vec(T), ecs_array(T, n) or ecs_map(K, V) asks for.
typedef struct collection_t {
    ecs_type_kind_t kind;
    ecs_entity_t key, element;
    int32_t count;
} collection_t;

static bool is_same(const ecs_world_t *world, ecs_entity_t type, const collection_t *c) {
    const EcsMap *map = ECS__TYPE_GET(world, type, EcsMap);
    const EcsArray *array = ECS__TYPE_GET(world, type, EcsArray);
    const EcsVector *vector = ECS__TYPE_GET(world, type, EcsVector);
    switch (c->kind) {
    case EcsMapType: return map && map->key_type == c->key && map->type == c->element;
    case EcsArrayType: return array && array->type == c->element && array->count == c->count;
    default: return vector && vector->type == c->element;
    }
}

static ecs_entity_t element_of(const ecs_world_t *world, ecs_entity_t type) {
    const ecs_meta_op_t *op = ecs__type_op(world, type);
    return op && op->kind >= EcsOpPushArray && op->kind <= EcsOpPushMap ? op[1].type : 0;
}

// A struct that is described again as it is goes on with the types it has.
static ecs_entity_t find_collection(const reader_t *r, const collection_t *c) {
    const EcsStruct *before = ECS__TYPE_GET(r->world, r->type, EcsStruct);
    for (int32_t i = 0; before && i < before->members.count; i++) {
        ecs_entity_t type = ecs_vec_get_t(&before->members, ecs_member_t, i)->type;
        for (int depth = 0; type && depth < ECS_META_MAX_SCOPE_DEPTH; depth++) {
            if (is_same(r->world, type, c)) return type;
            type = element_of(r->world, type);
        }
    }
    for (int32_t i = 0; i < r->made.count; i++) {
        ecs_entity_t type = *ecs_vec_get_t(&r->made, ecs_entity_t, i);
        if (is_same(r->world, type, c)) return type;
    }
    return 0;
}

static ecs_entity_t make_collection(reader_t *r, const collection_t *c) {
    ecs_entity_t type = 0;
    switch (c->kind) {
    case EcsMapType:
        type = ecs_map_type(r->world, { .key_type = c->key, .type = c->element });
        break;
    case EcsArrayType: type = ecs_array(r->world, { .type = c->element, .count = c->count }); break;
    default: type = ecs_vector(r->world, { .type = c->element }); break;
    }
    if (type) *ecs_vec_append_t(NULL, &r->made, ecs_entity_t) = type;
    return type;
}

static bool read_collection(reader_t *r, const char *form, ecs_entity_t *type) {
    collection_t c = { .kind = EcsVectorType };
    if (r->depth >= ECS_META_MAX_SCOPE_DEPTH) return fail(r, "collections are nested too deeply");
    r->depth++;
    if (!expect(r, '(') || !read_type(r, &c.element)) return false;
    r->depth--;
    if (!strcmp(form, "ecs_map")) {
        c.kind = EcsMapType;
        c.key = c.element;
        if (!expect(r, ',') || !read_type(r, &c.element)) return false;
    } else if (!strcmp(form, "ecs_array")) {
        c.kind = EcsArrayType;
        if (!expect(r, ',') || !read_size(r, &c.count)) return false;
    }
    *type = find_collection(r, &c);
    if (!*type) *type = make_collection(r, &c);
    return expect(r, ')') && (*type || fail(r, "not a collection"));
}

// What several declarators share.
typedef struct base_t {
    char name[ECS_MAX_TOKEN_SIZE];
    const char *begin;
    ecs_entity_t collection; /* 0: what has the name */
} base_t;

// What C allows and a description does not is told with what to write instead.
static bool read_keyword(reader_t *r) {
    skip_blank(r);
    const char *begin = r->at;
    if (accept_word(r, "union")) {
        r->at = begin;
        return fail(r, "unions cannot be described: put them behind ECS_PRIVATE");
    }
    const bool has_one = accept_word(r, "struct") || accept_word(r, "enum");
    skip_blank(r);
    const char *name = r->at;
    if (has_one && *name != '{' && !read_word(r)) return false;
    if (has_one && is_next(r, '{')) {
        r->at = begin;
        return fail(r,
            "a type inside of another needs a description of its own: define it before, with ECS_STRUCT or ECS_ENUM");
    }
    r->at = name;
    return true;
}

static bool read_base(reader_t *r, base_t *base) {
    accept_word(r, "const");
    if (!read_keyword(r)) return false;
    base->begin = r->at;
    base->collection = 0;
    if (!read_type_name(r, base->name)) return false;
    const char *name = base->name;
    bool is_collection = !strcmp(name, "ecs_vec") || !strcmp(name, "ecs_vector") ||
                         !strcmp(name, "ecs_array") || !strcmp(name, "ecs_map");
    if (is_collection && is_next(r, '(')) return read_collection(r, name, &base->collection);
    accept_word(r, "const");
    return true;
}

// The type of one declarator, whose name follows.
static bool read_pointers(reader_t *r, const base_t *base, ecs_entity_t *type) {
    int pointers = 0;
    for (; accept(r, '*'); pointers++)
        while (accept_word(r, "const")) {}
    if (pointers) {
        bool is_string = pointers == 1 && !strcmp(base->name, "char");
        *type = is_string ? ecs_id(ecs_string_t) : ecs_id(ecs_uptr_t);
        return true;
    }
    *type = base->collection ? base->collection : find_type(r->world, base->name);
    if (*type) return true;
    r->at = base->begin;
    return fail(r, "unknown type");
}

static bool read_type(reader_t *r, ecs_entity_t *type) {
    base_t base;
    return read_base(r, &base) && read_pointers(r, &base, type);
}

// ---- Structs ----

#define NO_BITS "bit fields cannot be described: use whole integers, or put them behind ECS_PRIVATE"
#define NO_ROWS \
    "arrays of arrays cannot be described: use one dimension, or an array of a struct that has the inner one"

static bool read_declarator(reader_t *r, const base_t *base, ecs_vec_t *members) {
    ecs_member_t member = { 0 };
    if (is_next(r, '(') || !read_pointers(r, base, &member.type) || is_next(r, '('))
        return fail(r, "functions cannot be described: put them behind ECS_PRIVATE");
    if (is_next(r, ':')) return fail(r, NO_BITS);
    if (!read_word(r)) return false;
    member.name = ecs_os_strdup(r->word);
    *ecs_vec_append_t(NULL, members, ecs_member_t) = member;
    if (accept(r, '[')) {
        int32_t *count = &ecs_vec_get_t(members, ecs_member_t, members->count - 1)->count;
        if (is_next(r, ']')) return fail(r, "arrays need a size");
        if (!read_size(r, count) || !expect(r, ']')) return false;
        return !is_next(r, '[') || fail(r, NO_ROWS);
    }
    return !is_next(r, ':') || fail(r, NO_BITS);
}

static bool read_members(reader_t *r, ecs_vec_t *members) {
    base_t base;
    if (!read_base(r, &base)) return false;
    do {
        if (!read_declarator(r, &base, members)) return false;
    } while (accept(r, ','));
    return expect(r, ';');
}

static bool read_struct(reader_t *r) {
    ecs_vec_t members = { 0 };
    bool success = true;
    while (success && !is_next(r, '}') && *r->at && !accept_word(r, "ECS_PRIVATE")) {
        success = read_members(r, &members);
    }
    success = success && (*r->at || fail(r, "'}' expected")) &&
              ecs__struct_define(r->world, r->type, &members);
    for (int32_t i = 0; i < members.count; i++)
        ecs_os_free(ECS_CONST_CAST(char *, ecs_vec_get_t(&members, ecs_member_t, i)->name));
    ecs_vec_fini_t(NULL, &members, ecs_member_t);
    return success;
}

// ---- Enums and bitmasks ----

static bool read_constant(reader_t *r, bool is_bitmask, ecs_enum_constant_t *constant) {
    if (!read_word(r)) return false;
    constant->name = ecs_os_strdup(r->word);
    if (accept(r, '=')) return read_integer(r, &constant->value);
    return !is_bitmask || fail(r, "constants of bitmasks need a value");
}

// A constant is none of those that its own value may name.
static bool read_list(reader_t *r, bool is_bitmask) {
    ecs_enum_constant_t constant = { 0 };
    while (!is_next(r, '}')) {
        bool success = read_constant(r, is_bitmask, &constant);
        if (constant.name) *ecs_vec_append_t(NULL, &r->constants, ecs_enum_constant_t) = constant;
        if (!success) return false;
        if (!accept(r, ',') && !is_next(r, '}')) return fail(r, "',' expected");
        constant.name = NULL;
        constant.value = (int64_t)((uint64_t)constant.value + 1);
    }
    return true;
}

static void free_constants(reader_t *r) {
    for (int32_t i = 0; i < r->constants.count; i++)
        ecs_os_free(
            ECS_CONST_CAST(char *, ecs_vec_get_t(&r->constants, ecs_enum_constant_t, i)->name));
    ecs_vec_fini_t(NULL, &r->constants, ecs_enum_constant_t);
}

static bool read_kind(reader_t *r, ecs_type_kind_t kind) {
    switch (kind) {
    case EcsStructType: return read_struct(r);
    case EcsEnumType:
    case EcsBitmaskType:
        return read_list(r, kind == EcsBitmaskType) &&
               ecs__constants_define(r->world, r->type, kind == EcsBitmaskType, &r->constants);
    default:
        ecs__type_fail("only structs, enums and bitmasks are described by C text");
        return false;
    }
}

int ecs_meta_from_desc(
    ecs_world_t *world, ecs_entity_t component, ecs_type_kind_t kind, const char *desc) {
    ECS__NEED_OR(desc, -1);
    ecs_check(component, ECS_INVALID_PARAMETER, "a C text needs a component that it describes");
    reader_t r = { .world = world, .type = component, .text = desc, .at = desc };
    const bool success = expect(&r, '{') && read_kind(&r, kind);
    for (int32_t i = r.made.count - 1; i >= 0 && !success; i--)
        ecs_delete(world, *ecs_vec_get_t(&r.made, ecs_entity_t, i));
    ecs_vec_fini_t(NULL, &r.made, ecs_entity_t);
    free_constants(&r);
    return success ? 0 : -1;
error:
    return -1;
}
