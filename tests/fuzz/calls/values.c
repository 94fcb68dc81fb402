// SPDX-License-Identifier: MIT
// values: components and calls that read and write their values.
#include <string.h>

#include "calls.h"

static void hear(ecs_iter_t *it) { make_some(it->world); }

static ecs_type_hooks_t draw_hooks(void) {
    ecs_type_hooks_t hooks = { 0 };
    if (input_flag()) hooks.on_add = hear;
    if (input_flag()) hooks.on_set = hear;
    if (input_flag()) hooks.on_remove = hear;
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

CALL(set_hooks) {
    ecs_type_hooks_t hooks = draw_hooks();
    ecs_set_hooks_id(call->world, call->entity, &hooks);
    ecs_get_hooks_id(call->world, call->entity);
}

CALL(get) {
    ecs_get_id(call->world, call->entity, call->id);
    ecs_get_mut_id(call->world, call->entity, call->id);
    ecs_get_sparse_id(call->world, call->entity, call->id, draw_size(call->id));
}

CALL(set) {
    if (is_raw(call->id))
        ecs_set_id(call->world, call->entity, call->id, draw_size(call->id), draw_value());
}

static void write_to(void *value, ecs_id_t id, size_t size) {
    if (value && size && size <= 64 && is_raw(id)) memcpy(value, draw_value(), size);
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

const call_kind_t value_calls[] = { { "make_component", make_component },
    { "set_hooks", set_hooks }, { "get", get }, { "set", set }, { "set", set }, { "set", set },
    { "ensure", ensure }, { "ensure", ensure }, { "emplace", emplace }, { "modified", modified },
    { "refer", refer }, { "use_record", use_record }, { "guard", guard }, { 0 } };
