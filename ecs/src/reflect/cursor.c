// SPDX-License-Identifier: MIT
// cursor: walking through a value.
//
// A scope is what has been entered: it holds the parts of one value. The present part is operation
// `op` of `ops`, at `base` plus its offset. Elements of collections are made when they are first
// looked at, so that an entered vector stays empty until something is put into it. A path enters what
// is on its way only for the present part: the next move begins where the path began (scope `home`).
#include <stdlib.h>

#include "reflect/cursor_at.h"

static ecs_meta_scope_t *scope_of(ecs_meta_cursor_t *cursor) {
    return &cursor->scope[cursor->depth];
}

static const ecs_meta_op_t *op_of(const ecs_meta_cursor_t *cursor) {
    const ecs_meta_scope_t *scope = &cursor->scope[cursor->depth];
    return &scope->ops[scope->op];
}

// Ends a path: what it entered is left. Returns the scope it began in, which most often is the present one.
static ecs_meta_scope_t *go_home(ecs_meta_cursor_t *cursor) {
    int16_t home = scope_of(cursor)->home;
    if (home) cursor->depth = home;
    return scope_of(cursor);
}

// What was looked for and is not there; told if it is needed.
#define MISS(is_needed, ...) ((is_needed) ? ecs__cursor_fail(__VA_ARGS__) : -1)

static bool has_elements(const ecs_meta_scope_t *scope) {
    switch (scope->kind) {
    case EcsOpPushArray:
    case EcsOpPushVector:
    case EcsOpPushMap:
    case EcsOpOpaqueArray:
    case EcsOpOpaqueVector: return true;
    default: return false;
    }
}

// ---- Where parts are ----

static void *ensure_element(ecs_meta_scope_t *scope) {
    switch (scope->kind) {
    case EcsOpPushArray: return ECS_ELEM(scope->container, scope->element_info->size, scope->elem);
    case EcsOpPushVector: {
        ecs_vec_t *vec = scope->container;
        if (scope->elem >= vec->count) ecs__vec_resize(vec, scope->element_info, scope->elem + 1);
        return ecs_vec_get(vec, scope->element_info->size, scope->elem);
    }
    case EcsOpOpaqueArray:
    case EcsOpOpaqueVector:
        if (!scope->opaque->ensure_element) return NULL;
        return scope->opaque->ensure_element(scope->container, (size_t)scope->elem);
    case EcsOpOpaqueStruct:
        if (!scope->opaque->ensure_member) return NULL;
        return scope->opaque->ensure_member(scope->container, scope->ops[scope->op].name);
    default: return NULL; // a map without key
    }
}

// Members of opaque structs are each asked for by name, so that they have no common base.
static void *ptr_of(ecs_meta_cursor_t *cursor) {
    ecs_meta_scope_t *scope = scope_of(cursor);
    if (scope->kind == EcsOpOpaqueStruct) return ensure_element(scope);
    if (!scope->base) scope->base = ensure_element(scope);
    return scope->base ? ECS_OFFSET(scope->base, scope->ops[scope->op].offset) : NULL;
}

bool ecs__cursor_at(const ecs_meta_cursor_t *cursor, ecs__place_t *place) {
    ECS__NEED_OR(cursor, false);
    if (!cursor->valid) return !ecs__cursor_fail(ECS_INVALID_PARAMETER, "the cursor has no value");
    // Elements of vectors are made on the way, which changes nothing that a reader could see.
    place->ptr = ptr_of(ECS_CONST_CAST(ecs_meta_cursor_t *, cursor));
    place->op = op_of(cursor);
    if (place->ptr) return true;
    const ecs_meta_scope_t *scope = &cursor->scope[cursor->depth];
    return !ecs__cursor_fail(ECS_INVALID_OPERATION,
        scope->kind == EcsOpPushMap ? "a key must be chosen before an element of a map"
                                    : "opaque type %s has no function that gives its parts",
        ECS__NAME(cursor->world, scope->type));
}

void *ecs_meta_get_ptr(ecs_meta_cursor_t *cursor) {
    ECS__NEED_OR(cursor, NULL);
    return ptr_of(cursor);
}

// A cursor without a value stands on something that has no type and no parts.
ecs_meta_cursor_t ecs_meta_cursor(const ecs_world_t *world, ecs_entity_t type, void *ptr) {
    static const ecs_meta_op_t nothing;
    ecs_meta_cursor_t cursor;
    ecs_os_memset(&cursor, 0, offsetof(ecs_meta_cursor_t, scope) + sizeof cursor.scope[0]);
    cursor.world = world;
    cursor.depth = 0;
    cursor.is_primitive_scope = false;
    cursor.lookup_action = NULL;
    cursor.lookup_ctx = NULL;
    cursor.valid = ptr && ecs__type_info_of(world, type, "a cursor");
    ecs_meta_scope_t *root = &cursor.scope[0];
    root->kind = EcsOpScope;
    root->op_count = 1;
    root->ops = &nothing;
    if (cursor.valid) {
        root->type = type;
        root->ops = ecs__type_op(world, type);
        root->base = ptr;
    }
    return cursor;
}

ecs_meta_cursor_t ecs__cursor_to(const ecs_meta_cursor_t *cursor, ecs_entity_t type, void *ptr) {
    ecs_meta_cursor_t to = ecs_meta_cursor(cursor->world, type, ptr);
    to.lookup_action = cursor->lookup_action;
    to.lookup_ctx = cursor->lookup_ctx;
    return to;
}

// ---- Entering ----

// Elements of a type, from the first on.
static bool enter_elements(
    const ecs_meta_cursor_t *cursor, ecs_meta_scope_t *scope, ecs_entity_t element) {
    scope->element_info = ecs__type_info_of(cursor->world, element, "a collection");
    scope->ops = ecs__type_op(cursor->world, element);
    scope->op_count = 1;
    return scope->element_info != NULL;
}

static bool enter_struct(ecs_meta_scope_t *scope, const ecs_meta_op_t *push) {
    scope->ops = push + 1;
    scope->op_count = push->op_count - 2;
    return scope->op_count > 0;
}

static ecs_meta_op_kind_t looks_like(ecs_meta_op_kind_t opaque) {
    switch (opaque) {
    case EcsOpOpaqueStruct: return EcsOpPushStruct;
    case EcsOpOpaqueArray: return EcsOpPushArray;
    default: return EcsOpPushVector;
    }
}

static bool enter_opaque(const ecs_meta_cursor_t *cursor, ecs_meta_scope_t *scope, bool keep) {
    scope->opaque = ECS__TYPE_GET(cursor->world, scope->type, EcsOpaque);
    if (!scope->opaque) return false;
    const ecs_meta_op_t *as = ecs__type_op(cursor->world, scope->opaque->as_type);
    if (!as || as->kind != looks_like(scope->kind)) return false; // it was described anew
    if (scope->kind == EcsOpOpaqueStruct) return enter_struct(scope, as);
    const EcsOpaque *opaque = scope->opaque;
    bool empty = scope->kind == EcsOpOpaqueVector && !keep;
    if (empty && opaque->clear)
        opaque->clear(scope->container);
    else if (empty && opaque->resize)
        opaque->resize(scope->container, 0);
    scope->elem_count = scope->kind == EcsOpOpaqueArray ? as->is.elem_count : -1;
    return enter_elements(cursor, scope, as[1].type);
}

static bool enter_value(const ecs_meta_cursor_t *cursor, ecs_meta_scope_t *scope) {
    const ecs_value_t *value = scope->container;
    scope->base = value->ptr;
    scope->ops = value->ptr ? ecs__type_op(cursor->world, value->type) : NULL;
    scope->op_count = 1;
    return scope->ops != NULL;
}

const ecs_world_t *ecs__cursor_owner(const ecs_meta_cursor_t *cursor) {
    const ecs_type_info_t *root = ecs_get_type_info(cursor->world, cursor->scope[0].type);
    return root->hooks.dtor ? NULL : cursor->world;
}

static bool enter(
    const ecs_meta_cursor_t *cursor, ecs_meta_scope_t *scope, const ecs_meta_op_t *op, bool keep) {
    switch (op->kind) {
    case EcsOpPushStruct:
        scope->base = ECS_OFFSET(scope->container, -op->offset);
        return enter_struct(scope, op);
    case EcsOpPushArray:
        scope->elem_count = op->is.elem_count;
        return enter_elements(cursor, scope, op[1].type);
    case EcsOpPushVector:
        scope->elem_count = -1;
        if (!enter_elements(cursor, scope, op[1].type)) return false;
        if (!keep)
            ecs__vec_drop(ecs__cursor_owner(cursor), scope->container, scope->element_info, true);
        return true;
    case EcsOpPushMap: return enter_elements(cursor, scope, op[1].type);
    case EcsOpOpaqueStruct:
    case EcsOpOpaqueArray:
    case EcsOpOpaqueVector: return enter_opaque(cursor, scope, keep);
    case EcsOpPushValue: return enter_value(cursor, scope);
    default: return false;
    }
}

// keep: vectors keep their elements, as those who follow a path into them want one of these.
static int push(ecs_meta_cursor_t *cursor, bool keep, bool is_needed) {
    ecs__place_t at = { 0 };
    if (!ecs__cursor_at(cursor, &at)) return -1;
    if (!cursor->depth && !cursor->is_primitive_scope && at.op->kind > EcsOpScope) {
        cursor->is_primitive_scope = true;
        return 0;
    }
    if (cursor->depth + 1 >= ECS_META_MAX_SCOPE_DEPTH)
        return ecs__cursor_fail(ECS_OUT_OF_RANGE, "values are nested too deeply");
    ecs_meta_scope_t *scope = &cursor->scope[cursor->depth + 1];
    *scope = (ecs_meta_scope_t){ .kind = at.op->kind, .type = at.op->type, .container = at.ptr };
    if (!enter(cursor, scope, at.op, keep)) {
        return MISS(is_needed, ECS_INVALID_OPERATION, "a value of type %s has no parts to enter",
            ECS__NAME(cursor->world, at.op->type));
    }
    cursor->depth++;
    return 0;
}

int ecs_meta_push(ecs_meta_cursor_t *cursor) { return push(cursor, false, true); }

// What was entered and not touched is there all the same, but for vectors.
int ecs_meta_pop(ecs_meta_cursor_t *cursor) {
    ECS__NEED_OR(cursor, -1);
    if (cursor->is_primitive_scope) {
        cursor->is_primitive_scope = false;
        return 0;
    }
    if (!cursor->depth)
        return ecs__cursor_fail(ECS_INVALID_OPERATION, "the cursor is in no value to leave");
    go_home(cursor);
    cursor->depth--;
    return 0;
}

// ---- Among members and elements ----

// Vectors grow, up to 2 GB.
static int go_to_element(ecs_meta_cursor_t *cursor, int32_t elem, bool is_needed) {
    ecs_meta_scope_t *scope = go_home(cursor);
    if (!has_elements(scope) || scope->kind == EcsOpPushMap)
        return MISS(is_needed, ECS_INVALID_OPERATION, "the cursor is in no array or vector");
    int32_t most = scope->elem_count;
    if (most < 0) most = INT32_MAX / scope->element_info->size;
    if (elem < 0 || elem >= most) {
        return MISS(is_needed, ECS_OUT_OF_RANGE, "there is no element %d, there are at most %d",
            elem, most);
    }
    scope->elem = elem;
    scope->base = NULL;
    return 0;
}

int ecs_meta_next(ecs_meta_cursor_t *cursor) {
    ECS__NEED_OR(cursor, -1);
    ecs_meta_scope_t *scope = go_home(cursor);
    if (scope->kind == EcsOpScope || scope->kind == EcsOpPushValue)
        return ecs__cursor_fail(ECS_INVALID_OPERATION, "the cursor is in no struct or collection");
    if (scope->kind == EcsOpPushMap) {
        scope->base = NULL;
        return 0;
    }
    if (has_elements(scope)) return go_to_element(cursor, scope->elem + 1, true);
    int32_t next = scope->op + scope->ops[scope->op].op_count;
    if (next >= scope->op_count) {
        return ecs__cursor_fail(ECS_OUT_OF_RANGE, "struct %s has no further members",
            ECS__NAME(cursor->world, scope->type));
    }
    scope->op = next;
    return 0;
}

int ecs_meta_elem(ecs_meta_cursor_t *cursor, int32_t elem) {
    ECS__NEED_OR(cursor, -1);
    return go_to_element(cursor, elem, true);
}

static bool has_members(const ecs_meta_scope_t *scope) {
    return scope->kind == EcsOpPushStruct || scope->kind == EcsOpOpaqueStruct;
}

// Position of a member among the operations, or -1. Texts name most members in order: the search
// begins where the cursor is.
static int32_t find_member(const ecs_meta_scope_t *scope, const char *name, size_t length) {
    if (!has_members(scope)) return -1;
    int32_t i = scope->op;
    do {
        const char *member = scope->ops[i].name;
        if (!strncmp(member, name, length) && !member[length]) return i;
        i += scope->ops[i].op_count;
        if (i >= scope->op_count) i = 0;
    } while (i != scope->op);
    return -1;
}

static int go_to_member(
    ecs_meta_cursor_t *cursor, const char *name, size_t length, bool is_needed) {
    int32_t op = find_member(go_home(cursor), name, length);
    if (op >= 0) {
        scope_of(cursor)->op = op;
        return 0;
    }
    if (!has_members(scope_of(cursor)))
        return MISS(is_needed, ECS_INVALID_OPERATION,
            "the cursor is in no struct with a member '%.*s': ecs_meta_push() enters one",
            (int)length, name);
    return MISS(is_needed, ECS_INVALID_PARAMETER, "%s has no member '%.*s'",
        ECS__NAME(cursor->world, scope_of(cursor)->type), (int)length, name);
}

int ecs_meta_member(ecs_meta_cursor_t *cursor, const char *name) {
    ECS__NEED_OR(cursor && name, -1);
    return go_to_member(cursor, name, strlen(name), true);
}

int ecs_meta_try_member(ecs_meta_cursor_t *cursor, const char *name) {
    ECS__NEED_OR(cursor && name, -1);
    return go_to_member(cursor, name, strlen(name), false);
}

// One step of a path: "name" or "[1]". Returns what follows, NULL on failure.
static const char *follow(ecs_meta_cursor_t *cursor, const char *path, bool is_needed) {
    if (*path != '[') {
        size_t length = strcspn(path, ".[");
        return go_to_member(cursor, path, length, is_needed) ? NULL : path + length;
    }
    char *end;
    long elem = strtol(path + 1, &end, 10);
    const bool is_element = end > path + 1 && *end == ']' && elem == (int32_t)elem;
    const int result = is_element
                           ? go_to_element(cursor, (int32_t)elem, is_needed)
                           : MISS(is_needed, ECS_INVALID_PARAMETER, "'%s' is no element", path);
    return result ? NULL : end + 1;
}

static int go_along(ecs_meta_cursor_t *cursor, const char *path, bool is_needed) {
    int32_t op = go_home(cursor)->op;
    int16_t home = cursor->depth;
    const char *rest = follow(cursor, path, is_needed);
    while (rest && *rest) {
        rest = push(cursor, true, is_needed) ? NULL : rest + (*rest == '.');
        if (rest) rest = follow(cursor, rest, is_needed);
    }
    if (rest) {
        if (cursor->depth > home) scope_of(cursor)->home = home;
        return 0;
    }
    cursor->depth = home;
    scope_of(cursor)->op = op;
    return -1;
}

int ecs_meta_dotmember(ecs_meta_cursor_t *cursor, const char *path) {
    ECS__NEED_OR(cursor && path, -1);
    return go_along(cursor, path, true);
}

int ecs_meta_try_dotmember(ecs_meta_cursor_t *cursor, const char *path) {
    ECS__NEED_OR(cursor && path, -1);
    return go_along(cursor, path, false);
}

int ecs_meta_key(ecs_meta_cursor_t *cursor, const ecs_value_t *key) {
    ECS__NEED_OR(cursor, -1);
    ecs_meta_scope_t *scope = go_home(cursor);
    if (!ecs_meta_is_map(cursor))
        return ecs__cursor_fail(ECS_INVALID_OPERATION, "the cursor is in no map");
    const EcsMap *map = ECS__TYPE_GET(cursor->world, scope->type, EcsMap);
    if (!map) return ecs__cursor_fail(ECS_INVALID_OPERATION, "the type of the map was deleted");
    // Through a value of the key's type, so that keys convert as values do.
    uint64_t as_key = 0;
    ecs_meta_cursor_t to_key = ecs__cursor_to(cursor, map->key_type, &as_key);
    if (ecs_meta_set_value(&to_key, key)) return -1;
    as_key =
        ecs__op_read_integer(ecs__type_op(cursor->world, map->key_type)->underlying_kind, &as_key);
    scope->base = ecs__map_ensure(scope->container, as_key, scope->element_info);
    return 0;
}

// ---- Asking ----

bool ecs_meta_is_collection(const ecs_meta_cursor_t *cursor) {
    ECS__NEED_OR(cursor, false);
    return has_elements(&cursor->scope[cursor->depth]);
}

bool ecs_meta_is_map(const ecs_meta_cursor_t *cursor) {
    ECS__NEED_OR(cursor, false);
    return cursor->scope[cursor->depth].kind == EcsOpPushMap;
}

ecs_entity_t ecs_meta_get_type(const ecs_meta_cursor_t *cursor) {
    ECS__NEED_OR(cursor, 0);
    return op_of(cursor)->type;
}

ecs_entity_t ecs_meta_get_unit(const ecs_meta_cursor_t *cursor) {
    ECS__NEED_OR(cursor, 0);
    return op_of(cursor)->unit;
}

const char *ecs_meta_get_member(const ecs_meta_cursor_t *cursor) {
    ECS__NEED_OR(cursor, NULL);
    return op_of(cursor)->name;
}

ecs_entity_t ecs_meta_get_member_id(const ecs_meta_cursor_t *cursor) {
    ECS__NEED_OR(cursor, 0);
    const ecs_entity_t member = op_of(cursor)->member;
    return member && ecs_is_alive(cursor->world, member)
               ? member
               : 0; /* types with such parts are not told */
}
