// SPDX-License-Identifier: MIT
// types: described types, made, changed and taken apart in all the ways there are.
#include <limits.h>

#include "calls.h"

// ---- Who takes part ----

bool knows_types(void) { return ecs_is_alive(cast.world, ecs_id(EcsType)); }

static uint8_t *mark_of(ecs_entity_t entity) {
    return &cast.was_described[(uint32_t)entity % sizeof cast.was_described];
}

bool was_described(ecs_entity_t entity) {
    return *mark_of(entity) || (knows_types() && ecs_is_alive(cast.world, entity) &&
                                   ecs_has(cast.world, entity, EcsType));
}

static void keep_type(ecs_entity_t type) {
    if (!type) return;
    *mark_of(type) = 1;
    cast.types[input_below(TYPES)] = type;
    if (input_flag()) join(type);
}

static ecs_entity_t number(void) {
    return ecs_id(ecs_u8_t) +
           (ecs_entity_t)input_below((int)(ecs_id(ecs_uptr_t) - ecs_id(ecs_u8_t)));
}

static ecs_entity_t any_type(void) {
    switch (input_below(8)) {
    case 0: return ecs_id(ecs_bool_t) + (ecs_entity_t)input_below(EcsPrimitiveKindLast);
    case 1: return ecs_id(EcsType) + (ecs_entity_t)input_below(24);
    case 2: return input_flag() ? ecs_id(ecs_value_t) : cast.components[input_below(COMPONENTS)];
    case 3: return draw_entity();
    default: return cast.types[input_below(TYPES)];
    }
}

ecs_entity_t draw_type(void) {
    ecs_entity_t type = any_type();
    for (int tries = 0; tries < 3 && knows_types(); tries++) {
        if (type && ecs_is_alive(cast.world, type) && ecs_has(cast.world, type, EcsType)) break;
        type = any_type();
    }
    return type;
}

// A component of C that had other values than its description says: nobody can know.
static bool would_lie(ecs_entity_t entity) {
    if (!entity || !ecs_is_alive(cast.world, entity) || *mark_of(entity)) return false;
    const ecs_type_info_t *type = ecs_get_type_info(cast.world, entity);
    return type && type->size;
}

static ecs_entity_t to_describe(ecs_entity_t entity) {
    if (would_lie(entity)) return 0;
    if (entity) *mark_of(entity) = 1;
    return entity;
}

// Amid a change a new one: what is given for an old one is drawn already.
ecs_entity_t draw_described(void) {
    if (cast.told) return 0;
    switch (input_below(5)) {
    case 0: return 0;
    case 1: return to_describe(cast.types[input_below(TYPES)]);
    case 2: return to_describe(draw_type());
    default: return to_describe(draw_entity());
    }
}

const char *draw_member(void) {
    static const char *const names[] = { "x", "y", "z", "a", "b", "A", "B", "value", "x.y", "",
        "#1", "a|b", "x y", "\xc3\xa4" };
    return names[input_below(input_below(4) ? 7 : sizeof names / sizeof *names)];
}

static int32_t draw_count(void) { return input_below(4) ? 0 : input_below(5) - 1; }

// ---- By descriptor ----

static ecs_member_t draw_whole_member(void) {
    ecs_member_t member = { .name = draw_member(), .type = draw_type(), .count = draw_count() };
    if (!input_below(6)) member.offset = input_below(40) - 4;
    if (!input_below(6)) member.unit = draw_entity();
    if (!input_below(6)) member.range = (ecs_member_value_range_t){ -1, 1 };
    if (!input_below(8)) member.use_offset = true;
    if (!input_below(16)) member.member = draw_entity();
    return member;
}

CALL(make_struct) {
    ecs_struct_desc_t desc = { draw_described(), .create_member_entities = !input_below(3) };
    for (int i = input_below(5) - 1; i >= 0; i--) desc.members[i] = draw_whole_member();
    keep_type(ecs_struct_init(call->world, &desc));
}

// What a component of C holds may be read as numbers.
CALL(describe_component) {
    ecs_struct_desc_t desc = { cast.components[input_below(8)],
        .create_member_entities = input_flag() };
    for (int i = input_below(3); i >= 0; i--)
        desc.members[i] =
            (ecs_member_t){ .name = draw_member(), .type = number(), .count = draw_count() };
    ecs_struct_init(call->world, &desc);
}

CALL(add_member) {
    ecs_member_t member = draw_whole_member();
    if (!input_below(10)) member.name = NULL;
    ecs_struct_add_member(call->world, draw_described(), &member);
}

CALL(find_member) {
    const ecs_entity_t type = draw_type();
    ecs_struct_get_member(call->world, type, draw_member());
    ecs_struct_get_nth_member(call->world, type, input_below(4) - 1);
    ecs_os_free(ecs_meta_serializer_to_str(call->world, type));
    ecs_os_free(ecs_type_info_to_json(call->world, type));
    ecs_meta_ptr_to_float((ecs_primitive_kind_t)(input_below(22) - 1), &(uint64_t){ 0 });
}

CALL(make_enum) {
    ecs_enum_desc_t desc = { draw_described() };
    for (int i = input_below(5) - 1; i >= 0; i--) {
        desc.constants[i] = (ecs_enum_constant_t){ .name = draw_member() };
        if (input_flag()) desc.constants[i].value = input_byte() - 20;
        if (!input_below(5)) desc.constants[i].value_unsigned = input_byte();
    }
    if (!input_below(3)) desc.underlying_type = draw_type();
    keep_type(ecs_enum_init(call->world, &desc));
}

CALL(make_bitmask) {
    ecs_bitmask_desc_t desc = { draw_described() };
    for (int i = input_below(5) - 1; i >= 0; i--) {
        desc.constants[i] = (ecs_bitmask_constant_t){ .name = draw_member() };
        if (input_flag()) desc.constants[i].value = (uint64_t)input_byte() << input_below(60);
    }
    keep_type(ecs_bitmask_init(call->world, &desc));
}

CALL(make_collection) {
    const ecs_entity_t entity = draw_described(), type = draw_type();
    static const int32_t counts[] = { 2, 1, 3, 0, -1, 99, INT32_MAX };
    switch (input_below(3)) {
    case 0: keep_type(ecs_array(call->world, { entity, type, counts[input_below(7)] })); break;
    case 1: keep_type(ecs_vector(call->world, { entity, type })); break;
    default: keep_type(ecs_map_type(call->world, { entity, draw_type(), type }));
    }
}

CALL(make_primitive) {
    const ecs_primitive_kind_t kind = (ecs_primitive_kind_t)(input_below(22) - 1);
    keep_type(ecs_primitive(call->world, { draw_described(), kind }));
}

CALL(make_unit) {
    ecs_unit_desc_t unit = { .entity = draw_described() };
    if (input_flag()) unit.symbol = draw_name();
    if (!input_below(3)) unit.quantity = draw_entity();
    if (input_flag()) unit.base = draw_entity();
    if (!input_below(3)) unit.over = draw_entity();
    if (!input_below(3)) unit.prefix = draw_entity();
    if (!input_below(4))
        unit.translation = (ecs_unit_translation_t){ input_byte(), input_below(4) };
    join(ecs_unit_init(call->world, &unit));
}

CALL(make_prefix) {
    ecs_unit_prefix_desc_t desc = { draw_described(), draw_name(),
        { input_below(11), input_below(3) } };
    join(ecs_unit_prefix_init(call->world, &desc));
}

CALL(make_quantity) {
    ecs_entity_desc_t desc = { .id = draw_described() };
    if (input_flag()) desc.name = draw_name();
    if (!input_below(4)) desc.parent = call->other;
    join(ecs_quantity_init(call->world, &desc));
}

// ---- By text ----

CALL(read_definition) {
    static const char *const texts[] = { "{ float x; float y; }", "{ char *s; int32_t n; }",
        "{ A, B, C }", "{ A = 1, B = 2 }", "{ A = 1, B = 1 }", "{ A = 1 << 3, B = A | 2 }",
        "{ Point p[2]; }", "{ Nobody q; }", "{", "{ float x }", "{ float x[0]; }",
        "{ float x[-1]; }", "{ ecs_vec(float) v; ecs_map(ecs_i32_t, float) m; }",
        "{ A = 99999999999999999999 }", "{ float x; float x; }",
        "{ ecs_entity_t e; ecs_id_t i; void *p; }", "{ struct a b; }", "{ A = B }",
        "{ float x; ECS_PRIVATE int y; }", "{ ecs_vec(ecs_vec(float)) v; }", "}", "{ A, A }",
        "{ const char *a; unsigned long long b; }", "{;}", "{ float *x[3]; }", "{ x: y }", "" };
    const char *text = texts[input_below(sizeof texts / sizeof *texts)];
    const ecs_entity_t type = draw_described();
    if (!ecs_meta_from_desc(call->world, type, (ecs_type_kind_t)input_below(10), text))
        keep_type(type);
}

// ---- By components ----

static void set_description(ecs_world_t *world, ecs_entity_t entity) {
    const ecs_entity_t type = draw_type();
    switch (input_below(17)) {
    case 0:
        ecs_set(world, entity, EcsPrimitive, { (ecs_primitive_kind_t)(input_below(22) - 1) });
        break;
    case 1: ecs_set(world, entity, EcsEnum, { type }); break;
    case 2: ecs_set(world, entity, EcsBitmask, { 0 }); break;
    case 3: ecs_set(world, entity, EcsArray, { type, input_below(5) - 1 }); break;
    case 4: ecs_set(world, entity, EcsVector, { type }); break;
    case 5: ecs_set(world, entity, EcsMap, { draw_type(), type }); break;
    case 6: ecs_set(world, entity, EcsOpaque, { .as_type = type }); break;
    case 7:
    case 8:
        ecs_set(world, entity, EcsMember,
            { type, draw_count(), input_below(4) ? 0 : draw_entity(),
                input_below(4) ? 0 : input_below(20) - 2, !input_below(6) });
        break;
    case 9: ecs_set(world, entity, EcsMemberRanges, { { 0, 1 } }); break;
    case 10:
        ecs_set(world, entity, EcsUnit, { "q", draw_entity(), draw_entity(), 0, { 1, 2 } });
        break;
    case 11: ecs_set(world, entity, EcsUnitPrefix, { "k", { 10, 1 } }); break;
    case 12:
        ecs_set(world, entity, EcsType, { (ecs_type_kind_t)input_below(9), input_flag() });
        break;
    case 13: ecs_set(world, entity, EcsTypeSerializer, { 0 }); break;
    case 14: ecs_set(world, entity, EcsStruct, { 0 }); break;
    case 15: ecs_set(world, entity, EcsConstants, { 0 }); break;
    default: ecs_set(world, entity, EcsComponent, { input_below(20) - 1, 1 << input_below(4) });
    }
}

CALL(describe) {
    const ecs_entity_t entity = draw_described();
    if (knows_types() && entity) set_description(call->world, entity);
}

/* In a pair it says nothing about the entity. */
CALL(describe_pair) {
    static const EcsComponent component = { 4, 4 };
    static const EcsPrimitive primitive = { EcsI32 };
    static const EcsMemberRanges ranges = { { -1, 1 } };
    const EcsMember member = { draw_type() };
    const EcsArray array = { draw_type(), 2 };
    const EcsParent parent = { call->other };
    const ecs_value_t values[] = { { ecs_id(EcsComponent), (void *)&component },
        { ecs_id(EcsParent), (void *)&parent }, { ecs_id(EcsPrimitive), (void *)&primitive },
        { ecs_id(EcsMember), (void *)&member }, { ecs_id(EcsArray), (void *)&array },
        { ecs_id(EcsMemberRanges), (void *)&ranges } };
    const ecs_value_t *value = &values[input_below(sizeof values / sizeof *values)];
    const ecs_id_t id = input_flag() ? ecs_pair(value->type, call->other)
                                     : ecs_pair(draw_relationship(), value->type);
    const ecs_type_info_t *type = ecs_get_type_info(cast.world, id);
    if (type && type->component == value->type)
        ecs_set_id(call->world, call->entity, id, (size_t)type->size, value->ptr);
    if (input_flag()) ecs_remove_id(call->world, call->entity, id);
}

CALL(make_part) {
    const ecs_entity_t type = draw_described();
    const ecs_entity_t part =
        ecs_entity(call->world, { .parent = type, .name = draw_member(), .sep = "" });
    join(part);
    if (!knows_types() || !part) return;
    if (input_flag()) ecs_add_id(call->world, part, EcsConstant);
    if (!to_describe(part)) return;
    if (input_flag())
        ecs_set_pair_second(call->world, part, EcsConstant, ecs_i32_t, { input_below(9) });
    else
        set_description(call->world, part);
}

// Any of the components of types.
static ecs_entity_t draw_aspect(void) {
    return input_below(8) ? ecs_id(EcsType) + (ecs_entity_t)input_below(24) : ecs_id(EcsComponent);
}

CALL(change_aspect) {
    const ecs_entity_t entity = draw_described(), aspect = draw_aspect();
    switch (input_below(8)) {
    case 0:
    case 1: ecs_remove_id(call->world, entity, aspect); break;
    case 2:
    case 3: ecs_add_id(call->world, entity, aspect); break;
    case 4: ecs_modified_id(call->world, entity, aspect); break;
    case 5: ecs_ensure_id(call->world, entity, aspect, draw_size(aspect)); break;
    case 6:
        if (!input_below(8)) ecs_delete_with(call->world, aspect);
        break;
    default:
        if (!input_below(8)) ecs_remove_all(call->world, aspect);
    }
}

CALL(change_type) {
    const ecs_entity_t type = draw_type();
    switch (input_below(6)) {
    case 0: join(ecs_new_w_pair(call->world, EcsIsA, type)); break;
    case 1:
        join(ecs_clone(
            call->world, input_flag() ? 0 : to_describe(call->entity), type, input_flag()));
        break;
    case 2: ecs_set_rtt_compare(call->world, type); break;
    case 3: ecs_set_rtt_equals(call->world, type); break;
    case 4: ecs_clear(call->world, type); break;
    default: ecs_delete(call->world, type);
    }
}

/* Nobody changes in between what is half there. */
CALL(import) {
    const int depth = cast.depth;
    cast.depth = INT_MAX;
    if (input_flag())
        FlecsMetaImport(call->world);
    else
        FlecsDocImport(call->world);
    cast.depth = depth;
}

const call_kind_t type_calls[] = { { "make_struct", make_struct }, { "make_struct", make_struct },
    { "describe_component", describe_component }, { "add_member", add_member },
    { "find_member", find_member }, { "make_enum", make_enum }, { "make_bitmask", make_bitmask },
    { "make_collection", make_collection }, { "make_primitive", make_primitive },
    { "make_unit", make_unit }, { "make_prefix", make_prefix }, { "make_quantity", make_quantity },
    { "read_definition", read_definition }, { "describe", describe }, { "describe", describe },
    { "describe_pair", describe_pair }, { "make_part", make_part },
    { "change_aspect", change_aspect }, { "change_type", change_type }, { "import", import },
    { 0 } };

// ---- Those that are there from the start ----

typedef struct {
    float x, y;
} Point;

void make_types(void) {
    ecs_world_t *world = cast.world;
    if (!knows_types() && !input_below(3)) FlecsMetaImport(world);
    if (!knows_types()) return;
    ecs_entity_t *type = cast.types;
    const ecs_entity_t string = ecs_id(ecs_string_t), i32 = ecs_id(ecs_i32_t);
    const ecs_entity_t point = *type++ = ecs_struct(
        world, { .entity = ecs_component(
                     world, { .entity = ecs_entity(world, { .name = "Point" }), .type = { 8, 4 } }),
                   .members = { { "x", ecs_id(ecs_f32_t) }, { "y", ecs_id(ecs_f32_t) } } });
    const ecs_entity_t colour = *type++ =
        ecs_enum(world, { .entity = ecs_entity(world, { .name = "Colour" }),
                            .constants = { { "Red" }, { "Blue", 7 } } });
    *type++ = ecs_bitmask(world,
        { .entity = ecs_entity(world, { .name = "Bits" }), .constants = { { "L" }, { "M" } } });
    *type++ = ecs_array(world, { ecs_entity(world, { .name = "Texts" }), string, 3 });
    const ecs_entity_t ints = *type++ =
        ecs_vector(world, { ecs_entity(world, { .name = "Ints" }), i32 });
    const ecs_entity_t table = *type++ =
        ecs_map_type(world, { ecs_entity(world, { .name = "Table" }), colour, ints });
    const ecs_entity_t pair = *type++ =
        ecs_struct(world, { .entity = ecs_entity(world, { .name = "Pair" }),
                              .members = { { "a", i32 }, { "b", i32 } } });
    *type++ = ecs_struct(world,
        { .entity = ecs_entity(world, { .name = "All" }),
            .members = { { "x", ecs_id(ecs_f32_t) }, { "s", string }, { "v", ints }, { "m", table },
                { "e", colour }, { "p", point, 2 }, { "o", ecs_id(ecs_entity_t) },
                { "i", ecs_id(ecs_id_t) }, { "any", ecs_id(ecs_value_t) } },
            .create_member_entities = input_flag() });
    type = make_opaque_types(type, ints, pair);
    for (; type > cast.types; type--) *mark_of(type[-1]) = 1;
}
