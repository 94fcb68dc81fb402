// SPDX-License-Identifier: MIT
// values: components and calls that read and write their values.
#include <string.h>

#include "calls.h"

// ---- Values to give ----

/* A value that owns a block: whoever forgets to construct, copy or end it is found out. */
typedef struct {
    int32_t *block;
} Owner;

static int32_t *new_block(int32_t value) {
    int32_t *block = ecs_os_malloc(sizeof *block);
    *block = value;
    return block;
}

static ECS_CTOR(Owner, owner, { owner->block = new_block(0); })
static ECS_DTOR(Owner, owner, { ecs_os_free(owner->block); })
static ECS_COPY(Owner, to, from, { *to->block = *from->block; })
static ECS_MOVE(Owner, to, from, {
    int32_t *block = to->block;
    to->block = from->block;
    from->block = block;
})

void own_memory(ecs_entity_t component) {
    ecs_set_hooks_id(cast.world, component,
        &(ecs_type_hooks_t){ .ctor = ecs_ctor(Owner),
            .dtor = ecs_dtor(Owner),
            .copy = ecs_copy(Owner),
            .move = ecs_move(Owner) });
}

static bool owns_block(ecs_id_t id) {
    const ecs_type_info_t *type = ecs_get_type_info(cast.world, id);
    return type && type->hooks.dtor == ecs_dtor(Owner);
}

static _Thread_local uint8_t bytes[4096];

bool may_give(ecs_id_t id) {
    const ecs_type_info_t *type = ecs_get_type_info(cast.world, id);
    return !type || ((uint32_t)type->component >= (uint32_t)cast.components[0] &&
                        type->size <= (ecs_size_t)sizeof bytes);
}

const void *zero_value(ecs_id_t id) {
    static int32_t block;
    static Owner owner = { &block };
    if (owns_block(id)) return &owner;
    return memset(bytes, 0, sizeof bytes);
}

// Whoever hears that it comes may make lists, or texts, of it.
const void *draw_value(ecs_id_t id) {
    const int byte = input_below(3);
    const bool is_any = is_raw(id) && !knows_types();
    return is_any ? memset(bytes, byte, sizeof bytes) : zero_value(id);
}

// ---- Components ----

static void hear(ecs_iter_t *it) { make_some_told(it->world); }

static bool judge(ecs_world_t *world, ecs_entity_t entity, void *value) {
    (void)value;
    make_some_told(world);
    return entity % 2;
}

static ecs_type_hooks_t draw_hooks(void) {
    ecs_type_hooks_t hooks = { 0 };
    if (input_flag()) hooks.on_add = hear;
    if (input_flag()) hooks.on_set = hear;
    if (input_flag()) hooks.on_remove = hear;
    if (!input_below(6)) hooks.on_replace = hear;
    if (!input_below(6)) hooks.on_validate = judge;
    if (!input_below(12)) hooks.flags = 1u << input_below(24);
    return hooks;
}

// Another layout for one that has values ends the program.
CALL(make_component) {
    ecs_component_desc_t desc = { .type = {
                                      .size = input_below(20), .alignment = input_below(9) } };
    if (input_below(4)) desc.entity = call->entity;
    if (!input_below(3)) desc.type.hooks = draw_hooks();
    const bool is_alive = desc.entity && ecs_is_alive(call->world, desc.entity);
    if (is_alive && ecs_get(call->world, desc.entity, EcsComponent)) return;
    join(ecs_component_init(call->world, &desc));
}

/* As the macros of C do. What has a name has one size. */
CALL(declare) {
    const char *name = draw_name();
    const ecs_entity_t known = name ? ecs_lookup(cast.world, name) : 0;
    if (input_flag())
        join(ecs_c_entity_(call->world, call->entity, name, call->id, draw_expr()));
    else if (!known || !ecs_get(cast.world, known, EcsComponent))
        join(ecs_c_component_(call->world, 0, name, name ? (ecs_size_t)strlen(name) * 4 : 4, 4));
}

CALL(set_hooks) {
    ecs_type_hooks_t hooks = draw_hooks();
    ecs_set_hooks_id(call->world, call->entity, &hooks);
    ecs_get_hooks_id(call->world, call->entity);
}

CALL(number_component) {
    static int32_t number;
    if (!number) number = flecs_component_ids_index_get();
    if (!(ecs_world_get_flags(cast.world) & EcsWorldReadonly))
        flecs_component_ids_set(call->world, number, call->entity);
    flecs_component_ids_get(call->world, number);
    flecs_component_ids_get_alive(call->world, number);
}

// ---- Values ----

CALL(get) {
    ecs_get_id(call->world, call->entity, call->id);
    ecs_get_mut_id(call->world, call->entity, call->id);
    ecs_get_sparse_id(call->world, call->entity, call->id, draw_size(call->id));
}

CALL(set) {
    if (may_give(call->id))
        ecs_set_id(call->world, call->entity, call->id, draw_size(call->id), draw_value(call->id));
}

CALL(move_in) {
    ecs_bulk_desc_t desc = { .count = 1 + input_below(4), .ids = { call->id } };
    const ecs_type_info_t *type = ecs_get_type_info(cast.world, call->id);
    if (!type || !may_give(call->id)) return;
    void *values = ecs_os_calloc(type->size * desc.count);
    flecs_type_info_ctor(values, desc.count, type);
    desc.data = &values;
    const ecs_type_hooks_t hooks = type->hooks;
    const ecs_entity_t *made = ecs_bulk_init(call->world, &desc);
    if (made) join(made[0]);
    if (hooks.move || !made) hooks.dtor ? hooks.dtor(values, desc.count, type) : (void)0;
    ecs_os_free(values);
}

static void write_to(void *value, ecs_id_t id, size_t size) {
    if (value && size && size <= 64 && is_raw(id)) memcpy(value, draw_value(id), size);
}

CALL(ensure) {
    const size_t size = draw_size(call->id);
    write_to(ecs_ensure_id(call->world, call->entity, call->id, size), call->id, size);
}

CALL(emplace) {
    const size_t size = draw_size(call->id);
    bool is_new;
    if (!is_raw(call->id)) return;
    bool *out = input_flag() ? &is_new : NULL;
    write_to(ecs_emplace_id(call->world, call->entity, call->id, size, out), call->id, size);
}

/* A copy that instances of it have, too. Whoever hears of the mark may make something else of the type, so the value is drawn behind. */
CALL(set_override) {
    if (!may_give(call->id) || call->id & ECS_AUTO_OVERRIDE) return;
    ecs_auto_override_id(call->world, call->entity, call->id);
    set(call);
}

CALL(modified) { ecs_modified_id(call->world, call->entity, call->id); }

CALL(refer) {
    ecs_ref_t ref = ecs_ref_init_id(call->world, call->entity, call->id);
    if (!ref.entity) return;
    make_some(call->world);
    ecs_ref_get_id(call->world, &ref, call->id);
    ecs_ref_update(call->world, &ref, call->id);
}

CALL(use_record) {
    ecs_record_t *record = ecs_record_find(call->world, call->entity);
    if (!record) return;
    ecs_record_get_id(call->world, record, call->id);
    ecs_record_has_id(call->world, record, call->id);
    ecs_record_get_entity(record);
    ecs_record_get_by_column(record, input_below(3) - 1, draw_size(call->id));
    ecs_record_ensure_id(call->world, record, call->id);
}

CALL(guard) {
    const ecs_record_t *read = ecs_read_begin(call->world, call->entity);
    if (read) ecs_read_end(read);
    ecs_record_t *written = ecs_write_begin(call->world, call->entity);
    if (written) ecs_write_end(written);
}

const call_kind_t value_calls[] = { { "make_component", make_component }, { "declare", declare },
    { "set_hooks", set_hooks }, { "get", get }, { "set", set }, { "set", set }, { "set", set },
    { "ensure", ensure }, { "ensure", ensure }, { "emplace", emplace }, { "move_in", move_in },
    { "set_override", set_override }, { "number_component", number_component },
    { "modified", modified }, { "refer", refer }, { "use_record", use_record }, { "guard", guard },
    { 0 } };
