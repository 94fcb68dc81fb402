// SPDX-License-Identifier: MIT
// opaque: types of which only functions know the layout: a number, a list of numbers, a pair of them.
#include <string.h>

#include "calls.h"

enum { MOST_ELEMENTS = 10000 };

typedef struct {
    int32_t value;
} Number;
typedef struct {
    ecs_vec_t numbers;
} List;
typedef struct {
    int32_t a, b;
} Two;

// ---- Number ----

static int write_number(const ecs_serializer_t *to, const void *number) {
    enum { UNTOLD = 7 };
    return ((const Number *)number)->value == UNTOLD ? -1
                                                     : to->value(to, ecs_id(ecs_i32_t), number);
}

static void assign(void *number, int32_t value) { ((Number *)number)->value = value; }
static void assign_int(void *number, int64_t value) { assign(number, (int32_t)value); }
static void assign_bool(void *number, bool value) { assign(number, value); }
static void assign_float(void *number, double value) { assign(number, value > 0); }
static void assign_string(void *number, const char *text) { assign(number, text ? text[0] : 0); }
static void assign_null(void *number) { assign(number, 0); }
static void assign_entity(void *number, ecs_world_t *world, ecs_entity_t entity) {
    assign(number, (int32_t)((uint32_t)entity % 100));
    ecs_add_id(world, entity, cast.tags[0]);
}

// ---- List ----

static int write_list(const ecs_serializer_t *to, const void *list) {
    const ecs_vec_t *numbers = &((const List *)list)->numbers;
    for (int32_t i = 0; i < numbers->count; i++)
        if (to->value(to, ecs_id(ecs_i32_t), ecs_vec_get_t(numbers, int32_t, i))) return -1;
    return 0;
}

static void *ensure_number(void *list, size_t index) {
    ecs_vec_t *numbers = &((List *)list)->numbers;
    if (index >= MOST_ELEMENTS) return NULL;
    ecs_vec_set_min_count_zeromem_t(NULL, numbers, int32_t, (int32_t)index + 1);
    return ecs_vec_get_t(numbers, int32_t, (int32_t)index);
}

static size_t count_numbers(const void *list) {
    return (size_t)((const List *)list)->numbers.count;
}
static void clear_list(void *list) { ecs_vec_clear(&((List *)list)->numbers); }
static void resize_list(void *list, size_t count) {
    if (count < MOST_ELEMENTS)
        ecs_vec_set_min_count_zeromem_t(NULL, &((List *)list)->numbers, int32_t, (int32_t)count);
}

static ECS_CTOR(List, list, { *list = (List){ 0 }; })
static ECS_DTOR(List, list, { ecs_vec_fini_t(NULL, &list->numbers, int32_t); })
static ECS_MOVE(List, to, from, {
    if (to == from) continue;
    ecs_vec_fini_t(NULL, &to->numbers, int32_t);
    *to = *from;
    *from = (List){ 0 };
})
static ECS_COPY(List, to, from, {
    if (to == from) continue;
    ecs_vec_fini_t(NULL, &to->numbers, int32_t);
    to->numbers = ecs_vec_copy_t(NULL, &from->numbers, int32_t);
})

// ---- Two ----

static int write_two(const ecs_serializer_t *to, const void *pair) {
    const Two *two = pair;
    return to->member(to, "a") || to->value(to, ecs_id(ecs_i32_t), &two->a) ||
           to->member(to, "b") || to->value(to, ecs_id(ecs_i32_t), &two->b);
}

static void *ensure_part(void *pair, const char *name) {
    Two *two = pair;
    return strcmp(name, "a") == 0 ? &two->a : strcmp(name, "b") == 0 ? &two->b : NULL;
}

ecs_entity_t *make_opaque_types(ecs_entity_t *types, ecs_entity_t ints, ecs_entity_t pair) {
    ecs_world_t *world = cast.world;
    ECS_COMPONENT(world, Number);
    ECS_COMPONENT(world, List);
    ECS_COMPONENT(world, Two);
    *types++ = ecs_opaque(world, { ecs_id(Number), { .as_type = ecs_id(ecs_i32_t),
                                                       .serialize = write_number,
                                                       .assign_int = assign_int,
                                                       .assign_bool = assign_bool,
                                                       .assign_float = assign_float,
                                                       .assign_string = assign_string,
                                                       .assign_null = assign_null,
                                                       .assign_entity = assign_entity } });
    ecs_set_hooks(world, List,
        { .ctor = ecs_ctor(List),
            .dtor = ecs_dtor(List),
            .move = ecs_move(List),
            .copy = ecs_copy(List) });
    *types++ = ecs_opaque(world, { ecs_id(List), { .as_type = ints,
                                                     .serialize = write_list,
                                                     .ensure_element = ensure_number,
                                                     .count = count_numbers,
                                                     .clear = clear_list,
                                                     .resize = resize_list } });
    *types++ = ecs_opaque(world,
        { ecs_id(Two), { .as_type = pair, .serialize = write_two, .ensure_member = ensure_part } });
    return types;
}
