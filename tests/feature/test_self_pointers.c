// SPDX-License-Identifier: MIT
// Values that know where they are: each is constructed once where it lies, and nothing is read that ended.
#include "support/world.h"

#include "support/check.h"

typedef struct Self {
    const struct Self *self;
    int32_t value;
} Self;
static ECS_COMPONENT_DECLARE(Self);
static int32_t live;

static void construct(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    live += count;
    for (Self *s = ptr; count--; s++) *s = (Self){ s, 0 };
}
static void destruct(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    live -= count;
    for (Self *s = ptr; count--; s++) {
        assert_ptr_equal(s->self, s);
        s->self = NULL;
    }
}
static void copy(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    Self *to = dst;
    for (const Self *from = src; count--; from++, to++) {
        assert_ptr_equal(from->self, from);
        assert_ptr_equal(to->self, to);
        to->value = from->value;
    }
}
static void move(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    copy(dst, src, count, type);
}

static void register_self(ecs_world_t *world) {
    live = 0;
    ecs_id(Self) = 0;
    ECS_COMPONENT_DEFINE(world, Self);
    ecs_set_hooks(world, Self, { .ctor = construct, .dtor = destruct, .copy = copy, .move = move });
}

// GRT-02, ISA-04: a symmetric pair of one instance takes that of the original, which moves to another table meanwhile.
static void many_instances_copy_what_moves(void **state) {
    ecs_world_t *world = *state;
    register_self(world);
    ecs_entity_t spouse = ecs_new_w_id(world, EcsExclusive), target = ecs_new(world);
    ecs_add_id(world, spouse, EcsSymmetric);
    ecs_entity_t prefab = ecs_new_w_id(world, EcsPrefab),
                 child = ecs_new_w_pair(world, EcsChildOf, prefab);
    ecs_ensure(world, child, Self)->value = 7;
    ecs_add_pair(world, child, spouse, target);
    const ecs_entity_t *made = ecs_bulk_new_w_id(world, ecs_pair(EcsIsA, prefab), 3);
    for (int i = 0; i < 3; i++) assert_true(ecs_has_pair(world, made[i], EcsIsA, prefab));
    assert_int_equal(ecs_count(world, Self), 4);
    assert_int_equal(live, 4);
}

// GRT-02: also where the remembered way between tables is taken.
static void a_sparse_pair_that_is_replaced_ends(void **state) {
    ecs_world_t *world = *state;
    register_self(world);
    ecs_add_id(world, ecs_id(Self), EcsExclusive);
    ecs_add_id(world, ecs_id(Self), EcsSparse);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), e = 0;
    for (int i = 0; i < 6; i++) {
        e = ecs_new_w_pair(world, ecs_id(Self), a);
        ecs_add_pair(world, e, ecs_id(Self), b);
        assert_int_equal(live, i + 1);
    }
    ecs_add_pair(world, e, ecs_id(Self), a);
    assert_int_equal(live, 6);
    assert_true(ecs_world_verify(world));
}

typedef struct Plain {
    int32_t value;
} Plain;

// CMP-04: a table that was only passed on the way has no memory for rows.
static void a_table_that_was_passed_takes_values(void **state) {
    ecs_world_t *world = *state;
    register_self(world);
    ECS_COMPONENT(world, Plain);
    ecs_entity_t e = ecs_new(world), tag = ecs_new(world);
    ecs_new_w_id(world, tag);
    Self self = { &self, 1 };
    ecs_entity(
        world, { .set = ecs_values({ ecs_id(Plain), &(Plain){ 1 } }, { ecs_id(Self), &self }) });
    ecs_set(world, e, Plain, { 3 });
    assert_int_equal(ecs_get(world, e, Plain)->value, 3);
}

typedef struct Wide {
    _Alignas(64) float lanes[16];
} Wide;
static ECS_COMPONENT_DECLARE(Wide);
static int32_t misaligned;

static void see(const void *ptr) { misaligned += (uintptr_t)ptr % _Alignof(Wide) != 0; }
static void construct_wide(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    see(ptr);
    memset(ptr, 0, sizeof(Wide) * (size_t)count);
}
static void move_wide(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    see(dst);
    see(src);
    memcpy(dst, src, sizeof(Wide) * (size_t)count);
}
static int by_first_lane(ecs_entity_t e1, const void *v1, ecs_entity_t e2, const void *v2) {
    (void)e1, (void)e2;
    const float a = ((const Wide *)v1)->lanes[0], b = ((const Wide *)v2)->lanes[0];
    return (a > b) - (a < b);
}

// CMP-01: also while rows change places, where values wait for a moment in other memory. The heap gives addresses of any remainder.
static void values_are_aligned_wherever_they_wait(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Wide) = 0;
    ECS_COMPONENT_DEFINE(world, Wide);
    ecs_set_hooks(world, Wide, { .ctor = construct_wide, .move = move_wide });
    ecs_query_t *q = ecs_query(world, { .terms = { { .id = ecs_id(Wide) } },
                                          .order_by = ecs_id(Wide),
                                          .order_by_callback = by_first_lane });
    ecs_entity_t e = 0;
    for (int round = 1; round < 12; round++) {
        for (int i = 0; i < round; i++) {
            e = ecs_new(world);
            ecs_set(world, e, Wide, { { (float)(i * 7 % round) } });
        }
        ecs_iter_t it = ecs_query_iter(world, q);
        while (ecs_query_next(&it)) {}
        ecs_set(world, e, Wide, { { (float)round } });
        it = ecs_query_iter(world, q);
        while (ecs_query_next(&it)) {}
        ecs_table_swap_rows(world, ecs_get_table(world, e), 0, ecs_count(world, Wide) - 1);
    }
    assert_int_equal(misaligned, 0);
    ecs_query_fini(q);
}

// What was before stays: new values are read to a copy.
static void replace_wide(ecs_iter_t *it) {
    for (int i = 0; i < 2; i++) see(ecs_field_w_size(it, sizeof(Wide), (int8_t)i));
}
static void copy_wide(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    see(dst);
    memcpy(dst, src, sizeof(Wide) * (size_t)count);
}
static void destruct_wide(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)count, (void)type;
    see(ptr);
}
static bool accept_edge(
    ecs_world_t *world, ecs_entity_t source, ecs_entity_t target, void *edge, void *ctx) {
    (void)world, (void)target, (void)ctx;
    see(edge);
    return source % 2;
}

static void make_edges(ecs_world_t *world, bool is_sparse) {
    const Wide defaults = { { 1 } };
    ecs_entity_t rel = ecs_relationship(world, { .name = is_sparse ? "Beside" : "In",
                                                   .type = ecs_id(Wide),
                                                   .defaults = &defaults,
                                                   .init = accept_edge,
                                                   .sparse = is_sparse });
    const ecs_entity_t target = ecs_new(world);
    for (int i = 0; i < 8; i++) {
        const ecs_entity_t e = ecs_new(world);
        ecs_log_start_capture(false);
        const int level = ecs_log_set_level(-5);
        ecs_add_pair(world, e, rel, target);
        ecs_log_set_level(level);
        ecs_os_free(ecs_log_stop_capture());
        assert_int_equal(ecs_has_pair(world, e, rel, target), e % 2);
    }
}

// CMP-01: values outside of tables, and those that become new edges.
static void values_of_the_heap_are_aligned(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Wide) = 0;
    misaligned = 0;
    ECS_COMPONENT_DEFINE(world, Wide);
    ecs_set_hooks(world, Wide,
        { .ctor = construct_wide,
            .dtor = destruct_wide,
            .copy = copy_wide,
            .move = move_wide,
            .on_replace = replace_wide });
    ecs_struct(
        world, { .entity = ecs_id(Wide),
                   .members = { { .name = "lanes", .type = ecs_id(ecs_f32_t), .count = 16 } } });
    ecs_entity_t e = ecs_new_w(world, Wide);
    void *values[8];
    for (int i = 0; i < 8; i++) {
        values[i] = ecs_ptr_new(world, ecs_id(Wide));
        ecs_value_t value = ecs_value_init(world, ecs_id(Wide), values[i]), copy = { 0 };
        ecs_value_copy(world, &copy, &value);
        ecs_value_fini(world, &value);
        ecs_value_fini(world, &copy);
        ecs_entity_from_json(world, e, "{\"components\":{\"Wide\":{\"lanes\":[1]}}}", NULL);
        ecs_defer_begin(world);
        ecs_set(world, ecs_new(world), Wide, { { 2 } });
        ecs_set(world, e, Wide, { { 2 } });
        ecs_defer_end(world);
    }
    for (int i = 0; i < 8; i++) ecs_ptr_free(world, ecs_id(Wide), values[i]);
    make_edges(world, false);
    make_edges(world, true);
    assert_int_equal(misaligned, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(many_instances_copy_what_moves),
        mini_world_test(a_sparse_pair_that_is_replaced_ends),
        mini_world_test(a_table_that_was_passed_takes_values),
        mini_world_test(values_are_aligned_wherever_they_wait),
        world_test(values_of_the_heap_are_aligned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
