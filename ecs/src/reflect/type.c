// SPDX-License-Identifier: MIT
#include <muster/ecs/extend.h>

#include "reflect/lifecycle.h"

// Without a place in the sources: it would be here.
static void log_error(int32_t code, const char *fmt, va_list args) {
    char *text = flecs_vasprintf(fmt, args);
    ecs_err_code_(code, NULL, 0, "%s", text);
    ecs_os_free(text);
}

bool ecs__type_fail(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    log_error(ECS_INVALID_PARAMETER, fmt, args);
    va_end(args);
    return false;
}

int ecs__cursor_fail(int32_t code, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    log_error(code, fmt, args);
    va_end(args);
    return -1;
}

// ---- Making types ----

const char *ecs__entity_text(const ecs_world_t *world, ecs_entity_t entity, char *buffer) {
    char *path = ecs_is_alive(world, entity) ? ecs_get_path(world, entity)
                                             : flecs_asprintf("#%u", (uint32_t)entity);
    ecs_os_snprintf(buffer, 128, "%s", path);
    ecs_os_free(path);
    return buffer;
}

bool ecs__type_check_name(const ecs_world_t *world, ecs_entity_t type, const char *name) {
    const bool is_number = name[0] == '#' && name[1] && !name[1 + strspn(&name[1], "0123456789")];
    if (name[0] && !is_number) return true;
    return ecs__type_fail(
        "a part of %s needs a name, \"%s\" is none", ECS__NAME(world, type), name);
}

const ecs_type_info_t *ecs__type_info_of(
    const ecs_world_t *world, ecs_entity_t type, const char *what) {
    bool is_alive = type && ecs_is_alive(world, type);
    const ecs_type_info_t *info =
        is_alive && ecs__type_ops(world, type) ? ecs_get_type_info(world, type) : NULL;
    if (info) return info;
    if (!ecs_is_alive(world, ecs_id(EcsType))) {
        ecs__type_fail("%s: the world knows no types; call FlecsMetaImport", what);
        return NULL;
    }
    ecs__type_fail("%s needs a type with a description: %s has none", what,
        is_alive ? ECS__NAME(world, type) : "an entity that is not alive");
    return NULL;
}

// Values that are there stay as they are.
static bool may_store(ecs_world_t *world, ecs_entity_t type, const ecs__type_def_t *def) {
    ecs_type_info_t as = { .size = def->size, .alignment = def->alignment };
    if (def->hooks) {
        as.hooks = *def->hooks;
    } else {
        ecs_vec_t parts = { 0 };
        ecs__parts_find(&def->ops, &parts);
        ecs__storage_hooks(&def->ops, &parts, &as.hooks);
        ecs_vec_fini_t(NULL, &parts, ecs__part_t);
    }
    return ecs_ext_may_store(world, type, &as) ||
           ecs__type_fail("entities, or owned values, have %s already, so it cannot change",
               ECS__NAME(world, type));
}

// Hooks of one kind would read values of another.
static bool keeps_kind(const ecs_world_t *world, ecs_entity_t type, const ecs__type_def_t *def) {
    const EcsTypeSerializer *known = ECS__TYPE_GET(world, type, EcsTypeSerializer);
    const ecs_meta_op_t *before = ecs__type_op(world, type), *after = ecs_vec_first(&def->ops);
    return !before ||
           (known->kind == def->kind &&
               (before->kind == EcsOpString) == (after->kind == EcsOpString)) ||
           ecs__type_fail("%s is a type of another kind already", ECS__NAME(world, type));
}

// True if the size of a component may stay or become that of the description.
static bool fits(ecs_world_t *world, ecs_entity_t type, const ecs__type_def_t *def,
    const EcsComponent *component, bool existing) {
    if (!def->size)
        return ecs__type_fail("type %s has no size: it has no members", ECS__NAME(world, type));
    if (!existing) return keeps_kind(world, type, def) && may_store(world, type, def);
    bool may_be_partial = def->kind == EcsStructType;
    if (def->size == component->size || (may_be_partial && def->size < component->size))
        return true;
    return ecs__type_fail("component %s has %d bytes, its description %d", ECS__NAME(world, type),
        component->size, def->size);
}

// Collections are the same if their elements are, whose operations follow: they need not be of one type.
static bool is_same_op(const ecs_meta_op_t *a, const ecs_meta_op_t *b) {
    if (!a->name != !b->name || (a->name && strcmp(a->name, b->name) != 0)) return false;
    if (a->kind == EcsOpPushArray && a->is.elem_count != b->is.elem_count) return false;
    bool is_collection = a->kind >= EcsOpPushArray && a->kind <= EcsOpPushMap;
    bool is_same_type = a->type == b->type || is_collection || a->kind == EcsOpPop;
    return a->kind == b->kind && a->underlying_kind == b->underlying_kind && is_same_type &&
           a->offset == b->offset && a->elem_size == b->elem_size && a->op_count == b->op_count;
}

static bool are_same_ops(const ecs_vec_t *a, const ecs_vec_t *b) {
    bool same = a->count == b->count;
    for (int32_t i = 0; same && i < a->count; i++)
        same = is_same_op(ecs_vec_get_t(a, ecs_meta_op_t, i), ecs_vec_get_t(b, ecs_meta_op_t, i));
    return same;
}

// True if values have one of `part` inside. Vectors and maps have theirs elsewhere: they may be members of what they hold.
static bool has_inside(const ecs_vec_t *ops, ecs_entity_t part) {
    const ecs_meta_op_t *op = ecs_vec_first(ops);
    for (int32_t i = 0; i < ops->count; i++) {
        if (op[i].type == part) return true;
        if (op[i].kind == EcsOpPushVector || op[i].kind == EcsOpPushMap) i++;
    }
    return false;
}

// Another type that is laid out by this one; 0: none.
static ecs_entity_t find_owner(const ecs_world_t *world, ecs_entity_t type) {
    ecs_entity_t owner = 0;
    ecs_iter_t it = ecs_each(world, EcsTypeSerializer);
    while (ecs_each_next(&it)) {
        const EcsTypeSerializer *types = ecs_field(&it, EcsTypeSerializer, 0);
        for (int32_t i = 0; i < it.count; i++)
            if (it.entities[i] != type && has_inside(&types[i].ops, type)) owner = it.entities[i];
    }
    return owner;
}

static bool mentions(const ecs_vec_t *ops, ecs_entity_t type) {
    int32_t i = 0;
    while (i < ops->count && ecs_vec_get_t(ops, ecs_meta_op_t, i)->type != type) i++;
    return i < ops->count;
}

static bool is_listed(const ecs_vec_t *types, ecs_entity_t type) {
    int32_t i = 0;
    while (i < types->count && *ecs_vec_get_t(types, ecs_entity_t, i) != type) i++;
    return i < types->count;
}

static void list_holders(const ecs_world_t *world, ecs_entity_t type, ecs_vec_t *holders) {
    ecs_iter_t it = ecs_each(world, EcsTypeSerializer);
    while (ecs_each_next(&it)) {
        const EcsTypeSerializer *types = ecs_field(&it, EcsTypeSerializer, 0);
        for (int32_t i = 0; i < it.count; i++) {
            if (mentions(&types[i].ops, type) && !is_listed(holders, it.entities[i]))
                *ecs_vec_append_t(NULL, holders, ecs_entity_t) = it.entities[i];
        }
    }
}

static bool has_values(ecs_world_t *world, ecs_entity_t type) {
    return !ecs_ext_may_store(world, type, &(ecs_type_info_t){ 0 });
}

// Another type, of which there are values, that leads to this one, maybe by way of vectors and maps; 0: none.
static ecs_entity_t find_holder(ecs_world_t *world, ecs_entity_t type) {
    ecs_vec_t holders = { 0 };
    ecs_entity_t found = 0;
    *ecs_vec_append_t(NULL, &holders, ecs_entity_t) = type;
    for (int32_t i = 0; i < holders.count && !found; i++) {
        ecs_entity_t holder = *ecs_vec_get_t(&holders, ecs_entity_t, i);
        if (holder != type && has_values(world, holder)) found = holder;
        list_holders(world, holder, &holders);
    }
    ecs_vec_fini_t(NULL, &holders, ecs_entity_t);
    return found;
}

// ---- Types that lost their description by hand ----

// To each the type info that has hooks for it, unless these are those of a C type, and a bit for parts.
static ecs_map_t *lost_types(const ecs_world_t *world) {
    const ecs_type_hooks_t *hooks = ecs_get_hooks_id(world, ecs_id(EcsTypeSerializer));
    return hooks ? hooks->ctx : NULL;
}

static uintptr_t lost_type(const ecs_world_t *world, ecs_entity_t type) {
    const ecs_map_t *lost = lost_types(world);
    const ecs_map_val_t *value = lost ? ecs_map_get(lost, type) : NULL;
    return value ? (uintptr_t)*value : 0;
}

void ecs__serializer_on_remove(ecs_iter_t *it) {
    if (it->event_id != ecs_id(EcsTypeSerializer)) return;
    const EcsTypeSerializer *types = it->ptrs[0];
    if (ecs_world_get_flags(it->world) & EcsWorldFini) return;
    for (int32_t i = 0; i < it->count; i++) {
        const bool is_made = types[i].ops.count && !types[i].existing;
        const ecs_type_info_t *info =
            is_made ? ecs_get_type_info(it->world, it->entities[i]) : NULL;
        const uintptr_t value = (uintptr_t)info | types[i].is_part;
        if (value) *ecs_map_ensure(lost_types(it->world), it->entities[i]) = value;
    }
}

bool ecs__was_no_part(const ecs_world_t *world, ecs_entity_t type) {
    if (!(lost_type(world, type) & 1)) return true;
    ecs_vec_t holders = { 0 };
    list_holders(world, type, &holders);
    const ecs_entity_t holder = holders.count ? *ecs_vec_get_t(&holders, ecs_entity_t, 0) : 0;
    ecs_vec_fini_t(NULL, &holders, ecs_entity_t);
    return !holder || ecs__type_fail("type %s, as it was, is part of %s, so it cannot be another",
                          ECS__NAME(world, type), ECS__NAME(world, holder));
}

// Types with parts of this one are laid out by what it was, and so are elements that are there.
static bool may_become(ecs_world_t *world, ecs_entity_t type, const ecs_vec_t *ops) {
    const EcsTypeSerializer *known = ECS__TYPE_GET(world, type, EcsTypeSerializer);
    if (!known || !known->ops.count) return ecs__was_no_part(world, type);
    if (!known->is_part || are_same_ops(&known->ops, ops)) return true;
    ecs_entity_t owner = find_owner(world, type), holder = owner ? 0 : find_holder(world, type);
    if (owner) {
        return ecs__type_fail("type %s is part of %s, so it cannot change", ECS__NAME(world, type),
            ECS__NAME(world, owner));
    }
    return !holder || ecs__type_fail("there are values of %s with %s in them, so it cannot change",
                          ECS__NAME(world, holder), ECS__NAME(world, type));
}

void ecs__parts_mark(ecs_world_t *world, ecs_entity_t type, const ecs_vec_t *ops) {
    for (int32_t i = 0; i < ops->count; i++) {
        const ecs_entity_t part = ecs_vec_get_t(ops, ecs_meta_op_t, i)->type;
        const EcsTypeSerializer *known =
            part != type ? ECS__TYPE_GET(world, part, EcsTypeSerializer) : NULL;
        if (known && !known->is_part) ecs_get_mut(world, part, EcsTypeSerializer)->is_part = true;
    }
}

static void *copy_of_source(const ecs_world_t *world, const ecs__type_def_t *def) {
    if (!def->source) return NULL;
    return ecs_os_memdup(def->source_value, ecs_get_type_info(world, def->source)->size);
}

// Who hears of the changes so far may have ended the type.
static bool set_serializer(
    ecs_world_t *world, ecs_entity_t type, ecs__type_def_t *def, bool existing) {
    EcsTypeSerializer *serializer =
        ecs_is_alive(world, type) ? ecs_ensure(world, type, EcsTypeSerializer) : NULL;
    if (!serializer) return false;
    // Cursors may be on their way through operations that stay. Members of structs may have other units.
    if (def->kind != EcsStructType && are_same_ops(&serializer->ops, &def->ops)) {
        const ecs_vec_t known = serializer->ops;
        serializer->ops = def->ops;
        def->ops = known;
    }
    ecs__serializer_fini(serializer);
    *serializer = (EcsTypeSerializer){ def->kind, def->ops, serializer->is_part, existing,
        { def->source, copy_of_source(world, def) } };
    ecs__parts_mark(world, type, &def->ops);
    def->ops = (ecs_vec_t){ 0 };
    ecs_modified(world, type, EcsTypeSerializer);
    return ecs_is_alive(world, type);
}

static bool is_component(
    const ecs_world_t *world, ecs_entity_t type, ecs_size_t size, ecs_size_t alignment) {
    const ecs_type_info_t *info = ecs_is_alive(world, type) ? ecs_get_type_info(world, type) : NULL;
    return info && info->size == size && info->alignment == alignment;
}

// Components that are resized now have their description changed with them.
static _Thread_local bool is_describing;

bool ecs__may_resize(
    const ecs_world_t *world, ecs_entity_t component, ecs_size_t size, ecs_size_t alignment) {
    if (is_describing) return true;
    const ecs_meta_op_t *op = ecs__type_op(world, component);
    if (!op) return ecs__was_no_part(world, component);
    return op->type_info->size == size && op->type_info->alignment == alignment;
}

static bool set_component(ecs_world_t *world, ecs_entity_t type, const ecs__type_def_t *def) {
    const bool before = is_describing;
    if (!ecs_is_alive(world, type)) return false;
    is_describing = true;
    if (ecs_has(world, type, EcsComponent)) {
        ecs_set(world, type, EcsComponent, { def->size, def->alignment });
    } else {
        ecs_component(
            world, { .entity = type, .type = { .size = def->size, .alignment = def->alignment } });
    }
    is_describing = before;
    return is_component(world, type, def->size, def->alignment);
}

ecs_size_t ecs__c_size(const ecs_world_t *world, ecs_entity_t type) {
    const EcsComponent *component = ecs_get(world, type, EcsComponent);
    const EcsTypeSerializer *known = ecs_get(world, type, EcsTypeSerializer);
    if (!component) return 0;
    if (known && known->ops.count) return known->existing ? component->size : 0;
    const ecs_type_info_t *info = ecs_get_type_info(world, type);
    const uintptr_t made = lost_type(world, type) & ~(uintptr_t)1;
    return made && made == (uintptr_t)info ? 0 : component->size;
}

bool ecs__type_define(ecs_world_t *world, ecs_entity_t type, ecs__type_def_t *def) {
    const EcsComponent *component = ecs_get(world, type, EcsComponent);
    bool existing = ecs__c_size(world, type) != 0;
    if (!fits(world, type, def, component, existing) || !may_become(world, type, &def->ops)) {
        ecs__ops_fini(&def->ops);
        return false;
    }
    bool partial = existing && def->size < component->size;
    if (component && component->size && !existing && !ecs__type_op(world, type)) {
        ecs_remove(world, type, EcsComponent); /* with the hooks of the description that it lost */
        component = NULL;
    }
    bool is_same_size =
        component && component->size == def->size && component->alignment == def->alignment;
    if (!existing && !is_same_size && !set_component(world, type, def)) {
        ecs__ops_fini(&def->ops);
        return ecs__type_fail("%s cannot become a component, or was ended by who heard of it",
            ECS__NAME(world, type));
    }
    const ecs_type_info_t *type_info = ecs_get_type_info(world, type);
    for (int32_t i = 0; i < def->ops.count; i++) {
        ecs_meta_op_t *op = ecs_vec_get_t(&def->ops, ecs_meta_op_t, i);
        if (op->type == type) op->type_info = type_info;
    }
    if (!existing && def->hooks) ecs_set_hooks_id(world, type, def->hooks);
    if (!existing && !def->hooks) ecs__type_set_hooks(world, type, &def->ops);
    ecs_set(world, type, EcsType, { def->kind, existing, partial });
    if (set_serializer(world, type, def, existing)) return true;
    ecs__ops_fini(&def->ops);
    return ecs__type_fail("%s was ended by who heard that it is a type", ECS__NAME(world, type));
}

// ---- Operations ----

void ecs__ops_fini(ecs_vec_t *ops) {
    for (int32_t i = 0; i < ops->count; i++)
        ecs_os_free(ECS_CONST_CAST(char *, ecs_vec_get_t(ops, ecs_meta_op_t, i)->name));
    ecs_vec_fini_t(NULL, ops, ecs_meta_op_t);
}

void ecs__serializer_fini(EcsTypeSerializer *serializer) {
    ecs__ops_fini(&serializer->ops);
    ecs_os_free(serializer->source.ptr);
}

ecs_meta_op_t *ecs__ops_add(
    ecs_vec_t *ops, ecs_meta_op_kind_t kind, ecs_entity_t type, const ecs_type_info_t *type_info) {
    ecs_meta_op_t *op = ecs_vec_append_t(NULL, ops, ecs_meta_op_t);
    *op = (ecs_meta_op_t){ .kind = kind,
        .underlying_kind = kind,
        .op_count = 1,
        .type = type,
        .type_info = type_info,
        .elem_size = type_info ? type_info->size : 0 };
    return op;
}

ecs_meta_op_t *ecs__ops_add_collection(ecs_vec_t *ops, ecs_meta_op_kind_t push, ecs_entity_t type,
    const ecs_type_info_t *type_info, ecs_entity_t element, const ecs_type_info_t *element_info) {
    int32_t first = ops->count;
    ecs__ops_add(ops, push, type, type_info);
    ecs__ops_add(ops, EcsOpForward, element, element_info);
    ecs__ops_add(ops, EcsOpPop, type, type_info);
    ecs_meta_op_t *op = ecs_vec_get_t(ops, ecs_meta_op_t, first);
    op->op_count = 3;
    op->elem_size = element_info->size;
    return op;
}

ecs_meta_op_t *ecs__ops_add_type(
    const ecs_world_t *world, ecs_vec_t *ops, ecs_entity_t type, ecs_size_t offset) {
    const ecs_vec_t *from = ecs__type_ops(world, type);
    ecs_meta_op_t *to = ecs_vec_grow_t(NULL, ops, ecs_meta_op_t, from->count);
    ecs_os_memcpy_n(to, from->array, ecs_meta_op_t, from->count);
    for (int32_t i = 0; i < from->count; i++) {
        to[i].offset += offset;
        to[i].name = to[i].name ? ecs_os_strdup(to[i].name) : NULL;
    }
    return to;
}

int32_t ecs_meta_op_get_elem_count(const ecs_meta_op_t *op, const void *ptr) {
    ECS__NEED_OR(op, 0);
    switch (op->kind) {
    case EcsOpPushArray: return op->is.elem_count;
    case EcsOpPushVector: return ecs_vec_count(ptr);
    case EcsOpPushMap: return ecs_map_count(ptr);
    default: return 1;
    }
}

static const char *const op_names[] = { "PushStruct", "PushArray", "PushVector", "PushMap",
    "PushValue", "Pop", "OpaqueStruct", "OpaqueArray", "OpaqueVector", "Forward", "Scope",
    "OpaqueValue", "Enum", "Bitmask", "Primitive", "Bool", "Char", "Byte", "U8", "U16", "U32",
    "U64", "I8", "I16", "I32", "I64", "F32", "F64", "UPtr", "IPtr", "String", "Entity", "Id" };

char *ecs_meta_serializer_to_str(const ecs_world_t *world, ecs_entity_t type) {
    if (!ecs__type_info_of(world, type, "printing operations")) return NULL;
    const ecs_vec_t *ops = ecs__type_ops(world, type);
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    for (int32_t i = 0; i < ops->count; i++) {
        const ecs_meta_op_t *op = ecs_vec_get_t(ops, ecs_meta_op_t, i);
        ecs_strbuf_append(&buf, "%2d: %s", i, op_names[op->kind]);
        if (op->name) ecs_strbuf_append(&buf, " '%s'", op->name);
        if (op->kind != EcsOpPop) {
            ecs_strbuf_append(
                &buf, " offset=%d size=%d ops=%d", op->offset, op->elem_size, op->op_count);
        }
        if (op->kind == EcsOpForward)
            ecs_strbuf_append(&buf, " type=%s", ECS__NAME(world, op->type));
        ecs_strbuf_appendch(&buf, '\n');
    }
    return ecs_strbuf_get(&buf);
}

const ecs_map_t *ecs__op_constants(const ecs_world_t *world, const ecs_meta_op_t *op) {
    static const ecs_map_t none;
    const EcsConstants *value = ECS__TYPE_GET(world, op->type, EcsConstants);
    return value && value->constants ? value->constants : &none;
}

// Members of packed structs begin anywhere.
#define READ(T)                                \
    do {                                       \
        T value;                               \
        ecs_os_memcpy(&value, ptr, sizeof(T)); \
        return (uint64_t)value;                \
    } while (0)

uint64_t ecs__op_read_integer(ecs_meta_op_kind_t kind, const void *ptr) {
    switch (kind) {
    case EcsOpBool: READ(bool);
    case EcsOpChar: READ(char);
    case EcsOpI8: READ(int8_t);
    case EcsOpI16: READ(int16_t);
    case EcsOpI32: READ(int32_t);
    case EcsOpI64: READ(int64_t);
    case EcsOpIPtr: READ(intptr_t);
    case EcsOpByte:
    case EcsOpU8: READ(uint8_t);
    case EcsOpU16: READ(uint16_t);
    case EcsOpU32: READ(uint32_t);
    case EcsOpUPtr: READ(uintptr_t);
    case EcsOpU64:
    case EcsOpEntity:
    case EcsOpId: READ(uint64_t);
    default: return 0;
    }
}

#define WRITE(T)                               \
    do {                                       \
        const T value = (T)bits;               \
        ecs_os_memcpy(ptr, &value, sizeof(T)); \
        return;                                \
    } while (0)

void ecs__op_write_integer(ecs_meta_op_kind_t kind, void *ptr, uint64_t bits) {
    switch (kind) {
    case EcsOpBool: WRITE(bool);
    case EcsOpChar: WRITE(char);
    case EcsOpByte:
    case EcsOpU8: WRITE(uint8_t);
    case EcsOpU16: WRITE(uint16_t);
    case EcsOpU32: WRITE(uint32_t);
    case EcsOpI8: WRITE(int8_t);
    case EcsOpI16: WRITE(int16_t);
    case EcsOpI32: WRITE(int32_t);
    case EcsOpI64: WRITE(int64_t);
    case EcsOpUPtr: WRITE(uintptr_t);
    case EcsOpIPtr: WRITE(intptr_t);
    default: WRITE(uint64_t);
    }
}

bool ecs__op_holds(ecs_meta_op_kind_t kind, uint64_t value) {
    uint64_t stored = 0;
    ecs__op_write_integer(kind, &stored, value);
    return ecs__op_read_integer(kind, &stored) == value;
}

// ---- Values that own memory ----

void ecs__move_owned(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    type->hooks.dtor(dst, count, type);
    ecs_os_memcpy(dst, src, type->size * count);
    ecs_os_memset(src, 0, type->size * count);
}

static void destruct_texts(void *ptr, int32_t count, const ecs_type_info_t *type) {
    for (int32_t i = 0; i < count; i++) ecs_os_free(*(char **)ECS_ELEM(ptr, type->size, i));
}

static void copy_texts(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    const ecs_size_t rest = type->size - ECS_SIZEOF(char *);
    for (int32_t i = 0; i < count; i++) {
        char **to = ECS_ELEM(dst, type->size, i);
        char *const *from = ECS_ELEM(src, type->size, i);
        ecs_os_strset(to, *from);
        ecs_os_memcpy(to + 1, from + 1, rest);
    }
}

const ecs_type_hooks_t ecs__owned_text_hooks = { .dtor = destruct_texts,
    .copy = copy_texts,
    .move = ecs__move_owned,
    .flags = ECS_TYPE_HOOK_MOVES_AS_BYTES };

void *ecs__map_slot(ecs_map_t *map, uint64_t key, const ecs_type_info_t *element) {
    ecs_map_init_if(map, NULL);
    return ecs__map_is_inline(element) ? (void *)ecs_map_ensure(map, key)
                                       : ecs_map_ensure_alloc(map, element->size, key);
}

void *ecs__map_ensure(ecs_map_t *map, uint64_t key, const ecs_type_info_t *element) {
    ecs_map_val_t *value = ecs_map_get(map, key);
    if (value) return ecs__map_element(value, element);
    void *ptr = ecs__map_slot(map, key, element);
    flecs_type_info_ctor(ptr, 1, element);
    return ptr;
}

static void drop_elements(
    const ecs_world_t *world, const ecs_type_info_t *element, void *array, int32_t count) {
    if (!world && count) flecs_type_info_dtor(array, count, element);
    const bool owns = world && count && !ecs__is_plain(world, element);
    for (int32_t i = 0; owns && i < count; i++)
        ecs__value_drop(world, element, ECS_ELEM(array, element->size, i));
}

void ecs__map_drop(
    const ecs_world_t *world, ecs_map_t *map, const ecs_type_info_t *element, bool keep_memory) {
    ecs_map_iter_t it = ecs_map_iter(map);
    while (ecs_map_next(&it)) {
        void *ptr = ecs__map_element(&ecs_map_value(&it), element);
        drop_elements(world, element, ptr, 1);
        if (!ecs__map_is_inline(element)) ecs_os_free(ptr);
    }
    if (keep_memory)
        ecs_map_clear(map);
    else
        ecs_map_fini(map);
}

void ecs__vec_drop(
    const ecs_world_t *world, ecs_vec_t *vec, const ecs_type_info_t *element, bool keep_memory) {
    drop_elements(world, element, vec->array, vec->count);
    if (keep_memory)
        ecs_vec_clear(vec);
    else
        ecs_vec_fini(NULL, vec, element->size);
}

// Make room; values with a hook for moving on may refer to themselves.
static void reserve(ecs_vec_t *vec, const ecs_type_info_t *element, int32_t count) {
    if (count <= vec->size) return;
    if (!element->hooks.ctor_move_dtor) {
        ecs_vec_set_min_size(NULL, vec, element->size, count);
        return;
    }
    ecs_vec_t grown;
    ecs_vec_init(NULL, &grown, element->size, ECS_MAX(count, vec->size * 2));
    ecs_vec_set_count(NULL, &grown, element->size, vec->count);
    if (vec->count) flecs_type_info_ctor_move_dtor(grown.array, vec->array, vec->count, element);
    ecs_vec_fini(NULL, vec, element->size);
    *vec = grown;
}

void ecs__vec_resize(ecs_vec_t *vec, const ecs_type_info_t *element, int32_t count) {
    int32_t had = vec->count;
    if (count < had) {
        flecs_type_info_dtor(ECS_ELEM(vec->array, element->size, count), had - count, element);
    }
    reserve(vec, element, count);
    ecs_vec_set_count(NULL, vec, element->size, count);
    if (count > had) {
        flecs_type_info_ctor(ECS_ELEM(vec->array, element->size, had), count - had, element);
    }
}
