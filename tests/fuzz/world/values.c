// SPDX-License-Identifier: MIT
// values: a value knows where it is, so what is moved without its hooks, used after its end, or
// constructed twice is found when it is touched next; what is left over, at the end of the world.
#include <string.h>

#include "scene.h"

static int live, added; /* values constructed and not destructed; on_add less on_remove */

void value_begin(value_t *value, int32_t number) {
    *value = (value_t){ value, number };
    live++;
}

void value_end(value_t *value) {
    value_check(value);
    memset(value, 0xDD, sizeof *value);
    live--;
}

void value_check(const value_t *value) {
    if (value->self != value) fail("a value is not where it was made");
}

static void ctor(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    for (value_t *v = ptr; v < (value_t *)ptr + count; v++) value_begin(v, 0);
}

static void dtor(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    for (value_t *v = ptr; v < (value_t *)ptr + count; v++) value_end(v);
}

static void copy(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    value_t *to = dst;
    const value_t *from = src;
    for (int32_t i = 0; i < count; i++) {
        value_check(&from[i]);
        value_check(&to[i]);
        to[i].number = from[i].number;
    }
}

static void move(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    copy(dst, src, count, type);
    for (value_t *v = src; v < (value_t *)src + count; v++) v->number = -1;
}

static void copy_ctor(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    ctor(dst, count, type);
    copy(dst, src, count, type);
}

static void move_ctor(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    ctor(dst, count, type);
    move(dst, src, count, type);
}

static void move_dtor(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    move(dst, src, count, type);
    dtor(src, count, type);
}

static void ctor_move_dtor(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    move_ctor(dst, src, count, type);
    dtor(src, count, type);
}

static void on_change(ecs_iter_t *it) {
    check_fields(it);
    added += it->event == EcsOnAdd ? it->count : it->event == EcsOnRemove ? -it->count : 0;
    uint8_t how = (uint8_t)(uintptr_t)it->ctx;
    if (how && it->event != EcsOnRemove && !ecs_is_fini(it->world))
        react(it->world, it->entities[0], how);
}

ecs_entity_t make_plain_component(const char *name) {
    return ecs_component(scene.world, { .entity = ecs_entity(scene.world, { .name = name }),
                                          .type = { .size = 4, .alignment = 4 } });
}

ecs_entity_t make_counted_component(const char *name, bool is_told) {
    ecs_type_hooks_t hooks = { .ctor = ctor, .dtor = dtor, .copy = copy, .move = move };
    if (input_flag()) {
        hooks.copy_ctor = copy_ctor, hooks.move_ctor = move_ctor;
        hooks.move_dtor = move_dtor, hooks.ctor_move_dtor = ctor_move_dtor;
    }
    if (is_told) {
        uint8_t how = input_flag() ? input_byte() : 0;
        hooks.on_add = hooks.on_set = hooks.on_remove = on_change;
        hooks.ctx = (void *)(uintptr_t)how;
        scene.reacting += how != 0;
    }
    return ecs_component(scene.world,
        { .entity = ecs_entity(scene.world, { .name = name }),
            .type = { .size = sizeof(value_t), .alignment = _Alignof(value_t), .hooks = hooks } });
}

bool is_counted(ecs_id_t id) {
    const ecs_type_info_t *type = ecs_get_type_info(scene.world, id);
    return type && type->hooks.ctor == ctor;
}

void set_value(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, int32_t number) {
    if (!is_counted(id)) {
        ecs_set_id(world, entity, id, sizeof number, &number);
        return;
    }
    value_t value;
    value_begin(&value, number);
    ecs_set_id(world, entity, id, sizeof value, &value);
    value_end(&value);
}

int32_t get_number(ecs_id_t id, const void *value) {
    if (!is_counted(id)) return *(const int32_t *)value;
    value_check(value);
    return ((const value_t *)value)->number;
}

static void check_field(const ecs_iter_t *it, int8_t field) {
    bool is_self = ecs_field_is_self(it, field);
    for (int32_t row = 0; row < (is_self ? it->count : 1); row++) {
        bool by_row = it->row_fields & (1u << field);
        const value_t *value =
            by_row ? ecs_field_at(it, value_t, field, row) : ecs_field(it, value_t, field);
        if (value) value_check(by_row ? value : value + row);
    }
}

void check_fields(ecs_iter_t *it) {
    for (int8_t field = 0; field < it->field_count; field++) {
        if (ecs_field_is_set(it, field) && is_counted(ecs_field_id(it, field)))
            check_field(it, field);
    }
}

void values_expect_none(void) {
    if (live) fail("%d values are left", live);
    if (added) fail("on_add was called for %d values more than on_remove", added);
}
