// SPDX-License-Identifier: MIT
// constants: enums and bitmasks.
//
// EcsConstants owns the constants: copies with names in the map, and the list in order of
// declaration. Operations point to the map, which stays where it is as long as the type.
// A constant's entity is a child of its type with EcsConstant and its value in the pair
// (EcsConstant, underlying type).
#include "reflect/describe.h"

// Both kinds of constants begin with a name and their value.
typedef struct constant_t {
    const char *name;
    uint64_t value;
    uint64_t value_unsigned;
    ecs_entity_t constant;
} constant_t;

_Static_assert(sizeof(constant_t) == sizeof(ecs_enum_constant_t) &&
                   sizeof(constant_t) == sizeof(ecs_bitmask_constant_t) &&
                   offsetof(constant_t, constant) == offsetof(ecs_enum_constant_t, constant) &&
                   offsetof(constant_t, constant) == offsetof(ecs_bitmask_constant_t, constant),
    "constants of enums and bitmasks are laid out alike");

// ---- EcsConstants owns its constants ----

static void free_constants(EcsConstants *value) {
    if (!value->constants) return;
    ecs_map_iter_t it = ecs_map_iter(value->constants);
    while (ecs_map_next(&it)) {
        constant_t *constant = ecs_map_ptr(&it);
        ecs_os_free(ECS_CONST_CAST(char *, constant->name));
        ecs_os_free(constant);
    }
    ecs_map_fini(value->constants);
    ecs_os_free(value->constants);
    ecs_vec_fini_t(NULL, &value->ordered_constants, constant_t);
}

static void destruct(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    for (int32_t i = 0; i < count; i++) free_constants(&((EcsConstants *)ptr)[i]);
}

const ecs_type_hooks_t ecs__constants_hooks = {
    .dtor = destruct, .move = ecs__move_owned, .flags = ECS_TYPE_HOOK_COPY_ILLEGAL
};

// ---- Making ----

// A type with constants that is being made.
typedef struct build_t {
    ecs_world_t *world;
    ecs_entity_t type;
    ecs_entity_t underlying;
    const ecs_meta_op_t *underlying_op;
    EcsConstants constants;
    bool is_bitmask;
    uint64_t next; /* value of a constant that has none */
    bool is_full;  /* there is no next one */
} build_t;

// 4 bytes unless there is a type of that size.
static ecs_entity_t integer_type(ecs_size_t size, bool is_signed) {
    switch (size) {
    case 1: return is_signed ? ecs_id(ecs_i8_t) : ecs_id(ecs_u8_t);
    case 2: return is_signed ? ecs_id(ecs_i16_t) : ecs_id(ecs_u16_t);
    case 8: return is_signed ? ecs_id(ecs_i64_t) : ecs_id(ecs_u64_t);
    default: return is_signed ? ecs_id(ecs_i32_t) : ecs_id(ecs_u32_t);
    }
}

static bool begin(
    build_t *b, ecs_world_t *world, ecs_entity_t type, ecs_entity_t underlying, bool is_bitmask) {
    *b = (build_t){ world, type, underlying, .is_bitmask = is_bitmask, .next = is_bitmask };
    b->underlying_op = ecs__type_op(world, b->underlying);
    const ecs_meta_op_t *op = b->underlying_op;
    if (!op || !(ecs__op_is_signed(op->kind) || ecs__op_is_unsigned(op->kind))) {
        return ecs__type_fail(
            "the underlying type of enum %s is no integer type", ECS__NAME(world, type));
    }
    b->constants.constants = ecs_os_calloc_t(ecs_map_t);
    ecs_map_init(b->constants.constants, NULL);
    return true;
}

static bool is_named(const ecs_map_t *constants, const char *name) {
    ecs_map_iter_t it = ecs_map_iter(constants);
    while (ecs_map_next(&it)) {
        const constant_t *constant = ecs_map_ptr(&it);
        if (!strcmp(constant->name, name)) return true;
    }
    return false;
}

static bool out_of_range(const build_t *b, const constant_t *constant) {
    return ecs__type_fail("the value of constant '%s' of %s is out of range", constant->name,
        ECS__NAME(b->world, b->type));
}

static void go_on_after(build_t *b, uint64_t value) {
    uint64_t last = ecs__op_is_signed(b->underlying_op->kind) ? INT64_MAX : UINT64_MAX;
    b->is_full = !b->is_bitmask && value == last;
    b->next = b->is_bitmask ? ECS_MAX(b->next, value << 1) : value + 1;
}

static bool take_next(const build_t *b, constant_t *constant) {
    constant->value = b->next;
    return !b->is_full || out_of_range(b, constant);
}

// The text of a bitmask is split where its names end.
static bool may_be_named(const build_t *b, const char *name) {
    if (!ecs__type_check_name(b->world, b->type, name)) return false;
    if (b->is_bitmask && strpbrk(name, "| ")) {
        return ecs__type_fail(
            "constant '%s' of bitmask %s needs a name without '|' and blanks, which stand between constants",
            name, ECS__NAME(b->world, b->type));
    }
    return !is_named(b->constants.constants, name) ||
           ecs__type_fail("%s has two constants '%s'", ECS__NAME(b->world, b->type), name);
}

static bool add(build_t *b, const constant_t *constant) {
    ecs_map_t *map = b->constants.constants;
    if (!may_be_named(b, constant->name)) return false;
    const constant_t *same = ecs_map_get_deref(map, constant_t, constant->value);
    if (same) {
        return ecs__type_fail("constants '%s' and '%s' of %s have the same value", same->name,
            constant->name, ECS__NAME(b->world, b->type));
    }
    if (!ecs__op_holds(b->underlying_op->kind, constant->value)) return out_of_range(b, constant);
    constant_t *copy = ecs_map_insert_alloc_t(map, constant_t, constant->value);
    *copy = *constant;
    copy->name = ecs_os_strdup(constant->name);
    copy->value_unsigned = b->is_bitmask ? 0 : constant->value;
    go_on_after(b, constant->value);
    return true;
}

// What a description lists. Constants without value get the next, unless values are `exact`: then bitmasks leave out the one for
// nothing.
typedef struct given_t {
    const void *constants; /* constant_t */
    int32_t count;
    bool exact;
} given_t;

static bool add_all(build_t *b, const given_t *given) {
    for (int32_t i = 0; i < given->count; i++) {
        constant_t constant = ((const constant_t *)given->constants)[i];
        if (!b->is_bitmask && constant.value_unsigned) constant.value = constant.value_unsigned;
        bool has_value = constant.value || given->exact;
        if (b->is_bitmask && has_value && !constant.value) continue;
        if (!has_value && !take_next(b, &constant)) return false;
        if (!add(b, &constant)) return false;
    }
    return true;
}

// Entities that are marked now are known: see "Constants made by hand".
static _Thread_local bool is_marking;

// EcsConstant and the value; the entity stands for the constant from now on.
static void mark(const build_t *b, const constant_t *constant) {
    bool before = is_marking;
    is_marking = true;
    uint64_t value = 0;
    ecs__op_write_integer(b->underlying_op->kind, &value, constant->value);
    const ecs_id_t pair = ecs_pair(EcsConstant, b->underlying);
    if (!ecs_has_id(b->world, constant->constant, pair))
        ecs_remove_pair(b->world, constant->constant, EcsConstant, EcsWildcard);
    ecs_add_id(b->world, constant->constant, EcsConstant);
    if (ecs_is_alive(b->world, constant->constant)) /* who hears of it may end it */
        ecs_set_id(b->world, constant->constant, pair, (size_t)b->underlying_op->elem_size, &value);
    is_marking = before;
}

static void name_constants(build_t *b) {
    ecs_map_iter_t it = ecs_map_iter(b->constants.constants);
    while (ecs_map_next(&it) && ecs_is_alive(b->world, b->type)) {
        constant_t *constant = ecs_map_ptr(&it);
        constant->constant =
            ecs_entity(b->world, { .parent = b->type, .name = constant->name, .sep = "" });
        if (constant->constant) mark(b, constant);
        *ecs_vec_append_t(NULL, &b->constants.ordered_constants, constant_t) = *constant;
    }
}

static constant_t *find_constant(const EcsConstants *constants, ecs_entity_t entity) {
    constant_t *list = ecs_vec_first_t(&constants->ordered_constants, constant_t);
    for (int32_t i = 0; i < ecs_vec_count(&constants->ordered_constants); i++) {
        if (list[i].constant == entity) return &list[i];
    }
    return NULL;
}

// Entities of constants that are left out now are none.
static void unmark(const build_t *b, const EcsConstants *before) {
    for (int32_t i = 0; i < before->ordered_constants.count; i++) {
        const ecs_entity_t entity =
            ecs_vec_get_t(&before->ordered_constants, constant_t, i)->constant;
        if (find_constant(&b->constants, entity) || !ecs_is_alive(b->world, entity)) continue;
        ecs_remove_id(b->world, entity, EcsConstant);
        ecs_remove_pair(b->world, entity, EcsConstant, EcsWildcard);
    }
}

// The map of a type that is made again keeps its place.
static bool commit_constants(build_t *b) {
    EcsConstants *value =
        ecs_is_alive(b->world, b->type) ? ecs_ensure(b->world, b->type, EcsConstants) : NULL;
    if (!value) return false; /* who heard of the type ended it */
    EcsConstants before = *value;
    *value = b->constants;
    if (before.constants) {
        ecs_map_t content = *before.constants;
        *before.constants = *value->constants;
        *value->constants = content;
        value->constants = before.constants;
        before.constants = b->constants.constants;
        unmark(b, &before);
        free_constants(&before);
    }
    b->constants = (EcsConstants){ 0 };
    ecs_modified(b->world, b->type, EcsConstants);
    return ecs_is_alive(b->world, b->type);
}

static bool define(build_t *b) {
    const ecs_type_info_t *info = ecs_get_type_info(b->world, b->underlying);
    const ecs_type_hooks_t hooks = { .cmp = info->hooks.cmp,
        .equals = info->hooks.equals,
        .lifecycle_ctx = info->hooks.lifecycle_ctx };
    ecs__type_def_t def = { .kind = b->is_bitmask ? EcsBitmaskType : EcsEnumType,
        .size = info->size,
        .alignment = info->alignment,
        .hooks = &hooks,
        .source = b->is_bitmask ? ecs_id(EcsBitmask) : ecs_id(EcsEnum) };
    const EcsBitmask bitmask = { 0 };
    const EcsEnum enumeration = { b->underlying };
    def.source_value = b->is_bitmask ? (const void *)&bitmask : &enumeration;
    ecs_meta_op_kind_t kind = b->is_bitmask ? EcsOpBitmask : EcsOpEnum;
    ecs_meta_op_t *op = ecs__ops_add(&def.ops, kind, b->type, NULL);
    const EcsConstants *before = ecs_get(b->world, b->type, EcsConstants);
    op->elem_size = info->size;
    op->underlying_kind = b->underlying_op->kind;
    op->is.constants = before && before->constants ? before->constants : b->constants.constants;
    if (!ecs__type_define(b->world, b->type, &def)) return false;
    name_constants(b);
    return commit_constants(b);
}

static void observe_constants(ecs_world_t *world);

static bool build(ecs_world_t *world, ecs_entity_t type, ecs_entity_t underlying, bool is_bitmask,
    const given_t *given) {
    build_t b;
    bool success =
        begin(&b, world, type, underlying, is_bitmask) && add_all(&b, given) && define(&b);
    if (!success) free_constants(&b.constants);
    if (success) observe_constants(world);
    return success;
}

// Values of C are as large as C made them, and have a sign unless a constant leaves no room for it.
static ecs_entity_t choose_underlying(
    const ecs_world_t *world, ecs_entity_t type, bool is_bitmask, const given_t *given) {
    const ecs_size_t size = ecs__c_size(world, type);
    bool is_signed = !is_bitmask;
    for (int32_t i = 0; i < given->count && size && size < 8; i++) {
        const int64_t value = (int64_t)((const constant_t *)given->constants)[i].value;
        if (value >> (size * 8 - 1) > 0) is_signed = false;
    }
    return integer_type(size, is_signed);
}

// Described by hand: with the constants that there are.
static given_t known_constants(const ecs_world_t *world, ecs_entity_t type) {
    const EcsConstants *known = ecs_get(world, type, EcsConstants);
    if (!known) return (given_t){ 0 };
    return (given_t){ known->ordered_constants.array, known->ordered_constants.count, true };
}

bool ecs__enum_define(ecs_world_t *world, ecs_entity_t type, const void *enumeration) {
    const given_t known = known_constants(world, type);
    ecs_entity_t underlying = ((const EcsEnum *)enumeration)->underlying_type;
    if (!underlying) underlying = choose_underlying(world, type, false, &known);
    return build(world, type, underlying, false, &known);
}

bool ecs__bitmask_define(ecs_world_t *world, ecs_entity_t type, const void *bitmask) {
    (void)bitmask;
    const given_t known = known_constants(world, type);
    return build(world, type, choose_underlying(world, type, true, &known), true, &known);
}

static ecs_entity_t init(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t underlying,
    bool is_bitmask, const given_t *given) {
    ecs__describe_t describe;
    if (!ecs__describe_begin(&describe, world, entity)) return 0;
    if (!underlying)
        underlying = choose_underlying(describe.world, describe.entity, is_bitmask, given);
    bool success = build(describe.world, describe.entity, underlying, is_bitmask, given);
    if (success && is_bitmask) ecs_set(describe.world, describe.entity, EcsBitmask, { 0 });
    if (success && !is_bitmask) ecs_set(describe.world, describe.entity, EcsEnum, { underlying });
    return ecs__describe_end(&describe, success);
}

// Constants of a descriptor: up to the first without name.
static given_t listed(const void *constants) {
    const constant_t *constant = constants;
    given_t given = { .constants = constants };
    while (given.count < ECS_MEMBER_DESC_CACHE_SIZE && constant[given.count].name) given.count++;
    return given;
}

ecs_entity_t ecs_enum_init(ecs_world_t *world, const ecs_enum_desc_t *desc) {
    ECS__NEED_OR(desc, 0);
    const given_t given = listed(desc->constants);
    return init(world, desc->entity, desc->underlying_type, false, &given);
}

ecs_entity_t ecs_bitmask_init(ecs_world_t *world, const ecs_bitmask_desc_t *desc) {
    ECS__NEED_OR(desc, 0);
    const given_t given = listed(desc->constants);
    return init(world, desc->entity, 0, true, &given);
}

bool ecs__constants_define(
    ecs_world_t *world, ecs_entity_t type, bool is_bitmask, const ecs_vec_t *constants) {
    const given_t given = { constants->array, constants->count, .exact = true };
    return init(world, type, 0, is_bitmask, &given) != 0;
}

// ---- Constants made by hand ----
//
// A named child of an enum or bitmask that gets EcsConstant, or a value in the pair, becomes a constant; one that loses the tag is
// none any more. Without a value it has the next one.

// False if it is no type with constants.
static bool open_type(build_t *b, ecs_world_t *world, ecs_entity_t type) {
    const EcsConstants *constants = ECS__TYPE_GET(world, type, EcsConstants);
    const ecs_meta_op_t *op = ecs__type_op(world, type);
    if (!op || !constants || !constants->constants) return false;
    const EcsEnum *described = ecs_get(world, type, EcsEnum);
    *b = (build_t){ .world = world, .type = type, .constants = *constants };
    b->next = b->is_bitmask = op->kind == EcsOpBitmask;
    b->underlying = described && described->underlying_type
                        ? described->underlying_type
                        : integer_type(op->elem_size, ecs__op_is_signed(op->underlying_kind));
    b->underlying_op = ecs__type_op(world, b->underlying);
    return b->underlying_op != NULL;
}

static bool take_next_of_all(build_t *b, constant_t *constant) {
    const ecs_vec_t *list = &b->constants.ordered_constants;
    for (int32_t i = 0; i < list->count; i++)
        go_on_after(b, ecs_vec_get_t(list, constant_t, i)->value);
    return take_next(b, constant);
}

// A map that loses a key changes its order: it is filled anew, so that texts and hashes, which go through it, have that of the list.
static void keep_order(EcsConstants *constants) {
    ecs_map_t before = *constants->constants;
    ecs_map_init(constants->constants, NULL);
    for (int32_t i = 0; i < constants->ordered_constants.count; i++) {
        uint64_t value = ecs_vec_get_t(&constants->ordered_constants, constant_t, i)->value;
        ecs_map_insert_ptr(constants->constants, value, ecs_map_get_ptr(&before, value));
    }
    ecs_map_fini(&before);
}

static void drop_constant(build_t *b, constant_t *constant) {
    constant_t *copy = ecs_map_get_deref(b->constants.constants, constant_t, constant->value);
    ecs_os_free(ECS_CONST_CAST(char *, copy->name));
    ecs_map_remove_free(b->constants.constants, constant->value);
    const constant_t *first = ecs_vec_first_t(&b->constants.ordered_constants, constant_t);
    ecs_vec_remove_ordered_t(
        &b->constants.ordered_constants, constant_t, (int32_t)(constant - first));
    keep_order(&b->constants);
}

static void rename_constant(const build_t *b, constant_t *known, const char *name) {
    if (!strcmp(known->name, name) || !may_be_named(b, name)) return;
    constant_t *copy = ecs_map_get_deref(b->constants.constants, constant_t, known->value);
    ecs_os_strset(ECS_CONST_CAST(char **, &copy->name), name);
    known->name = copy->name;
}

static void follow_constant(ecs_world_t *world, ecs_entity_t entity) {
    build_t b;
    const char *name = ecs_get_name(world, entity);
    if (!name || !open_type(&b, world, ecs_get_parent(world, entity))) return;
    const void *given = ecs_get_id(world, entity, ecs_pair(EcsConstant, b.underlying));
    constant_t *known = find_constant(&b.constants, entity);
    if (known) rename_constant(&b, known, name);
    constant_t constant = { .name = name, .constant = entity };
    if (given)
        constant.value = ecs__op_read_integer(b.underlying_op->kind, given);
    else if (known || !take_next_of_all(&b, &constant))
        return;
    if (known && known->value == constant.value) return;
    const bool is_known = known != NULL;
    const uint64_t before = known ? known->value : 0;
    char *kept =
        ecs_os_strdup(known ? known->name : name); /* the old one, if the new one was refused */
    constant.name = kept;
    if (is_known) drop_constant(&b, known);
    bool is_added = add(&b, &constant);
    if (!is_added && is_known) { /* what is refused is put back */
        constant.value = before;
        is_added = add(&b, &constant);
    }
    if (is_added) {
        *ecs_vec_append_t(NULL, &b.constants.ordered_constants, constant_t) =
            *ecs_map_get_deref(b.constants.constants, constant_t, constant.value);
        mark(&b, &constant);
    }
    ecs_os_free(kept);
    *ecs_get_mut(world, b.type, EcsConstants) = b.constants;
}

static void constant_came(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count && !is_marking; i++)
        follow_constant(it->world, it->entities[i]);
}

static bool drop_of(ecs_world_t *world, ecs_entity_t type, ecs_entity_t entity) {
    build_t b;
    constant_t *known = open_type(&b, world, type) ? find_constant(&b.constants, entity) : NULL;
    if (!known) return false;
    drop_constant(&b, known);
    *ecs_get_mut(world, type, EcsConstants) = b.constants;
    return true;
}

// The type that has a constant which was moved elsewhere; 0: none. All are looked at.
static ecs_entity_t find_left_type(const ecs_world_t *world, ecs_entity_t entity) {
    ecs_entity_t type = 0;
    ecs_iter_t it = ecs_each(world, EcsConstants);
    while (ecs_each_next(&it)) {
        const EcsConstants *all = ecs_field(&it, EcsConstants, 0);
        for (int32_t i = 0; i < it.count; i++)
            if (find_constant(&all[i], entity)) type = it.entities[i];
    }
    return type;
}

static void constant_went(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) {
        const ecs_entity_t entity = it->entities[i];
        if (!drop_of(it->world, ecs_get_parent(it->world, entity), entity))
            drop_of(it->world, find_left_type(it->world, entity), entity);
    }
}

// Worlds without such types have no observers, whose presence everything that changes ids or values would ask for.
static void observe_constants(ecs_world_t *world) {
    const struct {
        ecs_id_t id;
        ecs_entity_t event;
        ecs_iter_action_t callback;
    } parts[] = { { EcsConstant, EcsOnAdd, constant_came },
        { ecs_pair(EcsConstant, EcsWildcard), EcsOnSet, constant_came },
        { EcsConstant, EcsOnRemove, constant_went } };
    if (ecs_lookup(world, "flecs.meta.constants")) return;
    ecs_entity_t first =
        ecs_entity(world, { .parent = ecs_lookup(world, "flecs.meta"), .name = "constants" });
    for (int32_t i = 0; i < 3; i++) {
        ecs_observer(world, { .entity = i ? 0 : first,
                                .query.terms = { { parts[i].id, .src.id = EcsSelf } },
                                .events = { parts[i].event },
                                .callback = parts[i].callback,
                                .global_observer = true });
    }
}
