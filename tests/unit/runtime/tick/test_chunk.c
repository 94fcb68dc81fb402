// SPDX-License-Identifier: MIT
// Quanta cover what systems match exactly once, in order, and do not depend on anything but tables.
#include "support/world.h"

#include "support/random.h"
#include "tick/chunk.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Large {
    char bytes[400];
} Large;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Large);
static ecs_entity_t Likes, Tags[6];

static void use(ecs_world_t *world) {
    ecs_id(Position) = ecs_id(Large) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Large);
    Likes = ecs_entity(world, { .name = "Likes" });
    for (int32_t i = 0; i < 6; i++) Tags[i] = ecs_new(world);
}

static void nothing(ecs_iter_t *it) { (void)it; }

static rt_system_t *make_system(ecs_world_t *world, const char *expr) {
    ecs_entity_t entity =
        ecs_system(world, { .query.expr = expr, .callback = nothing, .multi_threaded = true });
    return rt__system_of(world, entity);
}

// Every row of every match of the system lies in exactly one cut. Returns the number of rows.
static int64_t check_system(const rt_layout_t *layout, const rt_system_t *system, int32_t index) {
    const ecs_query_t *query = system->pub.query;
    int32_t match_count = ecs_ext_query_match_count(query), next = 0, row = 0;
    int64_t rows = 0;
    for (int32_t q = 0; q < layout->quantum_count; q++) {
        const rt_cut_t *cut = rt__layout_get(layout, q, index);
        const rt_quantum_t *quantum = &layout->quanta[q];
        if (!cut->count) continue;
        for (; next < cut->first; next++) { /* passed over: nothing is lost */
            assert_int_equal(row, 0);
            assert_int_equal(ecs_table_count(ecs_ext_query_match_table(query, next)), 0);
        }
        assert_int_equal(cut->first, next);
        for (int32_t m = cut->first; m < cut->first + cut->count; m++) {
            const ecs_table_t *table = ecs_ext_query_match_table(query, m);
            bool is_head = m - cut->first < cut->head;
            int32_t begin = is_head ? quantum->first_row : 0;
            int32_t end =
                is_head && quantum->last_row >= 0 ? quantum->last_row : ecs_table_count(table);
            if (is_head) assert_int_equal(begin, row);
            assert_in_range(end - begin, 0, RT_QUANTUM_MAX_ROWS);
            rows += end - begin;
        }
        if (cut->head && quantum->last_row >= 0) {
            const ecs_table_t *table = ecs_ext_query_match_table(query, cut->first);
            assert_int_equal(cut->head, cut->count);
            row = quantum->last_row;
            if (row == ecs_table_count(table)) {
                row = 0;
                next += cut->head;
            }
        } else {
            row = 0;
            next = cut->first + cut->count;
        }
    }
    for (; next < match_count; next++) {
        assert_int_equal(ecs_table_count(ecs_ext_query_match_table(query, next)), 0);
    }
    return rows;
}

static int64_t rows_of(const rt_system_t *system) {
    int64_t rows = 0;
    for (int32_t m = 0; m < ecs_ext_query_match_count(system->pub.query); m++) {
        rows += ecs_table_count(ecs_ext_query_match_table(system->pub.query, m));
    }
    return rows;
}

static void fill(ecs_world_t *world, random_t *random, int32_t tables) {
    for (int32_t t = 0; t < tables; t++) {
        int32_t rows =
            random_below(random, 4) ? random_below(random, 30) : random_below(random, 9000);
        int32_t shape = random_below(random, 1 << 9);
        for (int32_t i = 0; i < rows; i++) {
            ecs_entity_t e = ecs_new_w(world, Position);
            for (int32_t bit = 0; bit < 6; bit++) {
                if (shape >> bit & 1) ecs_add_id(world, e, Tags[bit]);
            }
            if (shape >> 6 & 1) ecs_add(world, e, Large);
            if (shape >> 7 & 1) ecs_add_pair(world, e, Likes, Tags[0]);
            if (shape >> 8 & 1) ecs_add_pair(world, e, Likes, Tags[1]);
        }
    }
}

static void every_row_is_in_one_quantum(void **state) {
    (void)state;
    random_t random = random_init(random_seed());
    for (int32_t round = 0; round < 8; round++) {
        ecs_world_t *world = ecs_init();
        use(world);
        rt_system_t *systems[] = { make_system(world, "Position"),
            make_system(world, "Position, (Likes, *)"), make_system(world, "Large, [in] Position"),
            make_system(world, "Large, ?Position") };
        fill(world, &random, 1 + round * 4);
        for (int32_t first = 0; first < 4; first++) {
            rt_layout_t layout = { 0 };
            int32_t count = 4 - first;
            for (int32_t s = first; s < 4; s++) {
                rt__matches_update(
                    &systems[s]->matches, &systems[s]->access, systems[s]->pub.query);
            }
            rt__layout_list(&layout, world, systems + first, count);
            rt__layout_cut(&layout);
            for (int32_t s = 0; s < count; s++) {
                assert_int_equal(
                    check_system(&layout, systems[first + s], s), rows_of(systems[first + s]));
            }
            rt__layout_fini(&layout);
        }
        ecs_fini(world);
    }
}

static int32_t quanta_of(ecs_world_t *world, const char *expr) {
    rt_system_t *system = make_system(world, expr);
    rt_layout_t layout = { 0 };
    rt__matches_update(&system->matches, &system->access, system->pub.query);
    rt__layout_list(&layout, world, &system, 1);
    rt__layout_cut(&layout);
    check_system(&layout, system, 0);
    int32_t count = layout.quantum_count;
    rt__layout_fini(&layout);
    return count;
}

static void small_tables_share_quanta_and_large_rows_make_small_ones(void **state) {
    ecs_world_t *world = *state;
    use(world);
    assert_int_equal(quanta_of(world, "Position"), 0);
    for (int32_t i = 0; i < 3000; i++) { /* 3000 tables of one row */
        ecs_entity_t e = ecs_new_w(world, Position);
        ecs_add_id(world, e, ecs_new(world));
    }
    int32_t quanta = quanta_of(world, "Position");
    assert_true(quanta >= 40 && quanta <= 60);
    ecs_bulk_new(world, Large, 1024);
    assert_int_equal(quanta_of(world, "Large"), 8);
    ecs_bulk_new(world, Large, 7 * 1024);
    assert_int_equal(quanta_of(world, "Large"), 64);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_in_one_quantum),
        world_test(small_tables_share_quanta_and_large_rows_make_small_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
