// SPDX-License-Identifier: MIT
// Worker threads: features.md area THR (THR-10 is checked by the demos).
#define _POSIX_C_SOURCE 200809L

#include "support/world.h"

#include <stdlib.h>
#include <time.h>

#include "support/abort.h"
#include "support/check.h"
#include "support/workers.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Visits {
    int32_t count;
} Visits;
typedef struct Game {
    float gravity;
} Game;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);
static ECS_COMPONENT_DECLARE(Visits);
static ECS_COMPONENT_DECLARE(Game);

static void use(ecs_world_t *world) {
    ecs_id(Position) = ecs_id(Velocity) = ecs_id(Visits) = ecs_id(Game) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ECS_COMPONENT_DEFINE(world, Visits);
    ECS_COMPONENT_DEFINE(world, Game);
}

static void Visit(ecs_iter_t *it) {
    Visits *visits = ecs_field(it, Visits, 0);
    for (int32_t i = 0; i < it->count; i++) visits[i].count++;
}

// A few tables of different sizes, the empty one included.
static void make_tables(ecs_world_t *world, int32_t rows, int32_t tables) {
    for (int32_t t = 0; t < tables; t++) {
        ecs_entity_t tag = ecs_new(world);
        for (int32_t i = 0; i < rows; i++) {
            ecs_entity_t e = ecs_new_w(world, Visits);
            ecs_add_id(world, e, tag);
        }
        rows = rows * 2 / 3;
    }
}

static void assert_all_visited(ecs_world_t *world, int32_t times) {
    ecs_iter_t it = ecs_each_id(world, ecs_id(Visits));
    while (ecs_each_next(&it)) {
        const Visits *visits = ecs_field(&it, Visits, 0);
        for (int32_t i = 0; i < it.count; i++) assert_int_equal(visits[i].count, times);
    }
}

// THR-01
static void every_entity_is_processed_exactly_once(void **state) {
    (void)state;
    const int32_t sizes[] = { 0, 1, 2, 7, 63, 64, 65, 1000, 4096, 20000 };
    for_each_worker_count(workers) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            ecs_world_t *world = ecs_init();
            use(world);
            make_tables(world, sizes[s], 6);
            ecs_set_threads(world, *workers);
            ecs_system(world, { .query.expr = "Visits",
                                  .phase = EcsOnUpdate,
                                  .callback = Visit,
                                  .multi_threaded = true });
            ecs_progress(world, 1);
            ecs_progress(world, 1);
            assert_all_visited(world, 2);
            ecs_fini(world);
            if (*workers > 4 && sizes[s] > 1000) break;
        }
    }
}

// THR-01: with several matches per table, each row is processed once per match
static void wildcards_are_processed_once_per_match(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ECS_TAG(world, Likes);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), c = ecs_new(world);
    for (int32_t i = 0; i < 10000; i++) {
        ecs_entity_t e = ecs_new_w(world, Visits);
        ecs_add_pair(world, e, Likes, a);
        ecs_add_pair(world, e, Likes, b);
        if (i < 100) ecs_add_pair(world, e, Likes, c);
    }
    ecs_set_threads(world, 3);
    ecs_system(world, { .query.expr = "Visits, (Likes, *)",
                          .phase = EcsOnUpdate,
                          .callback = Visit,
                          .multi_threaded = true });
    ecs_progress(world, 1);
    ecs_iter_t it = ecs_each_id(world, ecs_id(Visits));
    while (ecs_each_next(&it)) {
        const Visits *visits = ecs_field(&it, Visits, 0);
        int32_t expected = ecs_has_pair(world, it.entities[0], Likes, c) ? 3 : 2;
        for (int32_t i = 0; i < it.count; i++) assert_int_equal(visits[i].count, expected);
    }
}

static void Fall(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    Velocity *v = ecs_field(it, Velocity, 1);
    const Game *game = ecs_field(it, Game, 2);
    assert_true(ecs_field_is_readonly(it, 2)); /* THR-09 */
    for (int32_t i = 0; i < it->count; i++) {
        v[i].y -= game->gravity * it->delta_time;
        p[i].x += v[i].x * it->delta_time;
        p[i].y += v[i].y * it->delta_time;
    }
}

static uint64_t hash_after_falling(int32_t workers) {
    ecs_world_t *world = ecs_init();
    use(world);
    ecs_add_id(world, ecs_id(Game), EcsSingleton);
    ecs_singleton_set(world, Game, { 9.81f });
    for (int32_t i = 0; i < 20000; i++) {
        ecs_insert(
            world, ecs_value(Position, { (float)i, 0 }), ecs_value(Velocity, { 1, (float)i }));
    }
    ecs_set_threads(world, workers);
    ecs_system(world, { .query.expr = "Position, Velocity, Game",
                          .phase = EcsOnUpdate,
                          .callback = Fall,
                          .multi_threaded = true });
    for (int i = 0; i < 5; i++) ecs_progress(world, 0.01f);
    uint64_t hash = ecs_world_hash(world);
    ecs_fini(world);
    return hash;
}

// THR-02, THR-09
static void the_final_state_does_not_depend_on_workers(void **state) {
    (void)state;
    uint64_t expected = hash_after_falling(1);
    for_each_worker_count(workers) assert_hash_equal(hash_after_falling(*workers), expected);
}

static ecs_os_thread_id_t main_thread;
static int32_t main_calls, main_rows;

static void OnMain(ecs_iter_t *it) {
    assert_true(ecs_os_thread_self() == main_thread);
    assert_int_equal(ecs_stage_get_id(it->world), 0);
    main_calls++;
    main_rows += it->count;
}

// THR-03
static void other_systems_run_on_one_thread_over_everything(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_bulk_new(world, Visits, 10000);
    ecs_set_threads(world, 4);
    ecs_system(world, { .query.expr = "Visits", .phase = EcsOnUpdate, .callback = OnMain });
    main_thread = ecs_os_thread_self();
    main_calls = main_rows = 0;
    ecs_progress(world, 1);
    assert_int_equal(main_calls, 1);
    assert_int_equal(main_rows, 10000);
}

// THR-04
static void the_number_of_workers_changes_between_ticks(void **state) {
    ecs_world_t *world = *state;
    use(world);
    make_tables(world, 3000, 4);
    ecs_system(world, { .query.expr = "Visits",
                          .phase = EcsOnUpdate,
                          .callback = Visit,
                          .multi_threaded = true });
    const int32_t counts[] = { 1, 4, 2, 0, 8, 8, 1 };
    for (int32_t i = 0; i < 7; i++) {
        ecs_set_threads(world, counts[i]);
        assert_int_equal(ecs_get_stage_count(world), counts[i] ? counts[i] : 1);
        ecs_progress(world, 1);
        assert_all_visited(world, i + 1);
    }
    assert_false(ecs_using_task_threads(world));
    ecs_set_task_threads(world, 2);
    assert_true(ecs_using_task_threads(world));
    ecs_progress(world, 1);
    assert_all_visited(world, 8);
}

// Find or make, in each row: what the job itself made is found (also half of a path), and with one job that is everything.
static void NameThem(ecs_iter_t *it) {
    ecs_world_t *stage = it->world;
    for (int32_t i = 0; i < it->count; i++) {
        ecs_entity_t squad = ecs_entity(stage, { .name = "Squad" });
        assert_true(squad == ecs_entity(stage, { .name = "Squad" }));
        assert_true(squad == ecs_lookup(stage, "Squad"));
        ecs_entity(stage, { .name = "Squad.Scouts" });
        ecs_entity_t guards = ecs_entity(stage, { .name = "Squad.Guards" });
        assert_true(guards == ecs_lookup_child(stage, squad, "Guards"));
        ecs_set(stage, guards, Visits, { 1 });
    }
}

static void jobs_find_what_they_named(void **state) {
    (void)state;
    for_each_worker_count(workers) {
        ecs_world_t *world = ecs_init();
        use(world);
        ECS_TAG(world, Row);
        ecs_bulk_new_w_id(world, Row, 50);
        ecs_set_threads(world, *workers);
        ecs_system(world, { .query.expr = "Row",
                              .phase = EcsOnUpdate,
                              .callback = NameThem,
                              .multi_threaded = true });
        for (int tick = 0; tick < 2; tick++) ecs_progress(world, 1);
        assert_int_equal(ecs_count(world, Visits), 1);
        assert_int_equal(ecs_count_id(world, ecs_childof(ecs_lookup(world, "Squad"))), 2);
        ecs_fini(world);
    }
    ecs_world_t *world = ecs_init();
    use(world);
    ECS_TAG(world, Row);
    ecs_bulk_new_w_id(world, Row, 50000); /* several jobs */
    ECS_SYSTEM(world, NameThem, EcsOnUpdate, Row);
    ecs_system_update(world, ecs_id(NameThem), &(ecs_system_desc_t){ .multi_threaded = true });
    expect_abort_saying(
        ECS_INVALID_OPERATION, "two jobs made an entity Squad", ecs_progress(world, 1));
    ecs_fini(world);
}

static void GiveSymbol(ecs_iter_t *it) {
    if (!ecs_get_symbol(it->world, it->entities[0]))
        ecs_set_symbol(it->world, it->entities[0], "only");
}

// api/01 §7: a symbol belongs to one entity, whichever jobs give it.
static void jobs_do_not_give_one_symbol(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ECS_TAG(world, Row);
    ecs_bulk_new_w_id(world, Row, 50000); /* several jobs */
    ECS_SYSTEM(world, GiveSymbol, EcsOnUpdate, Row);
    ecs_system_update(world, ecs_id(GiveSymbol), &(ecs_system_desc_t){ .multi_threaded = true });
    expect_abort_saying(ECS_ALREADY_DEFINED, "two jobs gave", ecs_progress(world, 1));
    ecs_fini(world);
}

static ecs_entity_t born[4];
static void EndAmongBirths(ecs_iter_t *it) {
    ecs_delete(it->world, it->entities[0]);
    const ecs_id_t id = ecs_childof(it->entities[0]);
    memcpy(born, ecs_bulk_new_w_id(it->world, id, 4), sizeof born);
}

// CLN-06, DEF-10: children of who is gone by then are gone, too, made in bulk as well as one by one.
static void children_made_in_bulk_end_with_their_parent(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_new_w(world, Visits);
    ECS_SYSTEM(world, EndAmongBirths, EcsOnUpdate, Visits);
    ecs_system_update(
        world, ecs_id(EndAmongBirths), &(ecs_system_desc_t){ .multi_threaded = true });
    ecs_progress(world, 1);
    for (int i = 0; i < 4; i++) assert_false(ecs_is_alive(world, born[i]));
    assert_int_equal(ecs_count(world, Visits), 0);
}

static void workers_keep_their_stages(void **state) {
    ecs_world_t *world = *state;
    ecs_set_threads(world, 3);
    expect_abort(ECS_INVALID_OPERATION, ecs_set_stage_count(world, 2));
    ecs_set_stage_count(world, 4);
    ecs_set_threads(world, 2);
    assert_int_equal(ecs_get_stage_count(world), 2);
    ecs_set_threads(world, 0);
    ecs_set_stage_count(world, 2);
    ecs_set_stage_count(world, 1);
}

static void Advance(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    const Velocity *v = ecs_field(it, Velocity, 1);
    for (int32_t i = 0; i < it->count; i++) p[i].x += v[i].x;
}

static void Hasten(ecs_iter_t *it) {
    const Position *p = ecs_field(it, Position, 0);
    Velocity *v = ecs_field(it, Velocity, 1);
    for (int32_t i = 0; i < it->count; i++) v[i].y = p[i].x;
}

// THR-04: also while tables stay as they are, over which fused systems take turns.
static void the_number_of_workers_changes_between_steady_ticks(void **state) {
    enum { ENTITIES = 100000, TICKS = 12 };
    static const int32_t counts[] = { 1, 4, 2, 8 };
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t e = 0;
    for (int32_t i = 0; i < ENTITIES; i++)
        e = ecs_insert(world, ecs_value(Position, { 0, 0 }), ecs_value(Velocity, { 1, 0 }));
    ecs_system(world, { .query.expr = "Position, [in] Velocity",
                          .callback = Advance,
                          .phase = EcsOnUpdate,
                          .multi_threaded = true });
    ecs_system(world, { .query.expr = "[in] Position, Velocity",
                          .callback = Hasten,
                          .phase = EcsOnUpdate,
                          .multi_threaded = true });
    for (int32_t tick = 0; tick < TICKS; tick++) {
        if (tick % 3 == 0) ecs_set_threads(world, counts[tick / 3]);
        ecs_progress(world, 1);
        assert_int_equal((int32_t)ecs_get(world, e, Velocity)->y, tick + 1);
    }
    ecs_iter_t it = ecs_each(world, Position);
    while (ecs_each_next(&it)) {
        const Position *p = ecs_field(&it, Position, 0);
        for (int32_t i = 0; i < it.count; i++) assert_int_equal((int32_t)p[i].x, TICKS);
    }
}

static void Resize(ecs_iter_t *it) {
    ecs_set_threads(ECS_CONST_CAST(ecs_world_t *, ecs_get_world(it->world)), 2);
}

static void workers_cannot_change_inside_a_tick(void **state) {
    ecs_world_t *world = *state;
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Resize });
    expect_abort(ECS_INVALID_OPERATION, ecs_progress(world, 1));
}

static void *tick_and_change_threads(void *world) {
    for (int i = 0; i < 3; i++) ecs_progress(world, 1);
    ecs_set_threads(world, 4);
    for (int i = 0; i < 3; i++) ecs_progress(world, 1);
    return NULL;
}

static void worlds_may_be_ticked_by_one_thread_after_the_other(void **state) {
    ecs_world_t *world = *state;
    use(world);
    make_tables(world, 20000, 3);
    ecs_set_threads(world, 2);
    ecs_system(world, { .query.expr = "Visits",
                          .phase = EcsOnUpdate,
                          .callback = Visit,
                          .multi_threaded = true });
    ecs_progress(world, 1);
    for (int i = 0; i < 2; i++)
        ecs_os_thread_join(ecs_os_thread_new(tick_and_change_threads, world));
    ecs_progress(world, 1);
    assert_all_visited(world, 14);
}

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// THR-05
static void workers_sleep_between_ticks(void **state) {
    ecs_world_t *world = *state;
    use(world);
    make_tables(world, 20000, 3);
    ecs_set_threads(world, 4);
    ecs_system(world, { .query.expr = "Visits",
                          .phase = EcsOnUpdate,
                          .callback = Visit,
                          .multi_threaded = true });
    ecs_progress(world, 1);
    ecs_os_sleep(0, 20 * 1000 * 1000); /* give them time to fall asleep */
    double before = cpu_seconds();
    ecs_os_sleep(0, 200 * 1000 * 1000);
    assert_true(cpu_seconds() - before < 0.05);
}

// Systems that do not conflict may overlap; those that conflict never do.
static int32_t inside, overlaps;

static void Exclusive(ecs_iter_t *it) {
    (void)it;
    if (ecs_os_ainc(&inside) > 1) ecs_os_ainc(&overlaps);
    ecs_os_sleep(0, 200 * 1000);
    ecs_os_adec(&inside);
}

// Waits for company.
static void Shared(ecs_iter_t *it) {
    (void)it;
    if (ecs_os_ainc(&inside) > 1) ecs_os_ainc(&overlaps);
    for (int i = 0; i < 500 && !__atomic_load_n(&overlaps, __ATOMIC_ACQUIRE); i++) {
        ecs_os_sleep(0, 1000 * 1000);
    }
    ecs_os_adec(&inside);
}

static void any_thread_system(ecs_world_t *world, const char *expr, ecs_iter_action_t callback) {
    ecs_system(world,
        { .query.expr = expr, .phase = EcsOnUpdate, .callback = callback, .any_thread = true });
}

// THR-06
static void systems_that_conflict_never_overlap(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_insert(world, ecs_value(Position, { 0, 0 }), ecs_value(Velocity, { 0, 0 }));
    ecs_set_threads(world, 4);
    any_thread_system(world, "[in] Position", Exclusive);
    any_thread_system(world, "[out] Position, [in] Velocity", Exclusive);
    any_thread_system(world, "[inout] Position", Exclusive);
    any_thread_system(world, "[in] Position, [in] Velocity", Exclusive);
    inside = overlaps = 0;
    ecs_set_schedule_seed(world, 7); /* so that nothing runs inline */
    for (int i = 0; i < 20; i++) ecs_progress(world, 1);
    assert_int_equal(overlaps, 0);
}

// THR-06, Q-CIN-07: values of kinds are read and written through their base, too
static void kinds_of_a_component_conflict_with_it(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_add_id(world, ecs_id(Position), EcsInheritable);
    ecs_add_pair(world, ecs_id(Velocity), EcsIsA, ecs_id(Position));
    ecs_insert(world, ecs_value(Velocity, { 0, 0 }));
    ecs_set_threads(world, 4);
    any_thread_system(world, "[inout] Position", Exclusive);
    any_thread_system(world, "[inout] Velocity", Exclusive);
    any_thread_system(world, "[in] Velocity", Exclusive);
    any_thread_system(world, "[inout] Position", Exclusive);
    inside = overlaps = 0;
    ecs_set_schedule_seed(world, 7);
    for (int i = 0; i < 20; i++) ecs_progress(world, 1);
    assert_int_equal(overlaps, 0);
}

// THR-06
static void systems_without_conflict_overlap(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_insert(world, ecs_value(Position, { 0, 0 }), ecs_value(Velocity, { 0, 0 }));
    ecs_set_threads(world, 2);
    any_thread_system(world, "[in] Position", Shared);
    any_thread_system(world, "[in] Position", Shared);
    inside = overlaps = 0;
    ecs_set_schedule_seed(world, 7);
    ecs_progress(world, 1);
    assert_true(overlaps > 0);
}

// THR-06: the same component in tables that do not meet is no conflict
static void writers_of_different_tables_overlap(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ECS_TAG(world, Red);
    ECS_TAG(world, Blue);
    ecs_add(world, ecs_insert(world, ecs_value(Position, { 0, 0 })), Red);
    ecs_add(world, ecs_insert(world, ecs_value(Position, { 0, 0 })), Blue);
    ecs_set_threads(world, 2);
    any_thread_system(world, "Position, Red", Shared);
    any_thread_system(world, "Position, Blue", Shared);
    inside = overlaps = 0;
    ecs_set_schedule_seed(world, 7);
    ecs_progress(world, 1);
    assert_true(overlaps > 0);
    char *text = ecs_schedule_str(world, 0);
    assert_null(strstr(text, "after node"));
    ecs_os_free(text);
}

// THR-06: relationships that never have values are no conflict, whatever their target
static void systems_that_share_parents_are_not_ordered(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ECS_ENTITY(world, Likes, PairIsTag);
    ecs_entity_t e = ecs_insert(world, ecs_value(Position, { 0, 0 }));
    ecs_add_pair(world, e, EcsChildOf, Likes);
    ecs_add_pair(world, e, Likes, Likes);
    for (int32_t i = 0; i < 2; i++) any_thread_system(world, "(ChildOf, *), (Likes, $x)", Shared);
    char *text = ecs_schedule_str(world, 0);
    assert_null(strstr(text, "after node"));
    ecs_os_free(text);
}

static void Multiply(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) {
        ecs_entity_t e = ecs_new(it->world);
        if (ecs_get_type(it->world, e)->count) continue; /* it begins with nothing */
        ecs_set(it->world, e, Visits, { (int32_t)(it->entities[i] & 0xFFFFFF) });
        ecs_add_pair(it->world, e, EcsChildOf, it->entities[i]);
    }
}

// THR-07, THR-08
static void entities_made_by_workers_are_distinct_and_none_is_lost(void **state) {
    (void)state;
    for_each_worker_count(workers) {
        ecs_world_t *world = ecs_init();
        use(world);
        ecs_bulk_new(world, Position, 3000);
        ecs_set_threads(world, *workers);
        ecs_system(world, { .query.expr = "Position",
                              .phase = EcsOnUpdate,
                              .callback = Multiply,
                              .multi_threaded = true });
        ecs_progress(world, 1);
        ecs_progress(world, 1);
        assert_int_equal(ecs_count(world, Visits), 6000);
        ecs_iter_t it = ecs_each_id(world, ecs_id(Visits));
        while (ecs_each_next(&it)) {
            const Visits *visits = ecs_field(&it, Visits, 0);
            for (int32_t i = 0; i < it.count; i++) {
                ecs_entity_t parent = ecs_get_parent(world, it.entities[i]);
                assert_int_equal(visits[i].count, (int32_t)(parent & 0xFFFFFF));
            }
        }
        assert_true(ecs_world_verify(world));
        ecs_fini(world);
    }
}

static uint32_t rows_with_new_tables;
static void MakeAlike(ecs_iter_t *it) {
    const int64_t tables = ecs_get_world_info(it->world)->table_create_total;
    for (int32_t i = 0; i < it->count; i++) ecs_new_w_table(it->world, it->table);
    if (tables != ecs_get_world_info(it->world)->table_create_total)
        __atomic_fetch_add(&rows_with_new_tables, 1, __ATOMIC_RELAXED);
}

// THR-07: the table of what has edges beside it, and these are not copied.
static void jobs_make_entities_of_a_table_without_making_tables(void **state) {
    (void)state;
    for_each_worker_count(workers) {
        ecs_world_t *world = ecs_init();
        use(world);
        ecs_entity_t likes = ecs_relationship(world, { .name = "Likes", .sparse = true });
        ecs_entity_t target = ecs_new(world);
        for (int i = 0; i < 2000; i++)
            ecs_add_pair(world, ecs_new_w(world, Position), likes, target);
        ecs_shrink(world); /* there is no table without the edges */
        ecs_set_threads(world, *workers);
        ecs_system(world, { .query.expr = "Position, (Likes, _)",
                              .phase = EcsOnUpdate,
                              .callback = MakeAlike,
                              .multi_threaded = true });
        ecs_progress(world, 1);
        assert_int_equal(rows_with_new_tables, 0);
        assert_int_equal(ecs_count(world, Position), 4000);
        assert_int_equal(ecs_count_id(world, ecs_pair(likes, EcsWildcard)), 2000);
        ecs_fini(world);
    }
}

static void ReadGame(ecs_iter_t *it) {
    const Game *game = ecs_get(it->world, ecs_id(Game), Game);
    Position *p = ecs_field(it, Position, 0);
    const Velocity *shared = ecs_field(it, Velocity, 1);
    for (int32_t i = 0; i < it->count; i++) p[i].x = game->gravity + shared->x;
}

// THR-09
// The first entity takes away what the last one asks for.
typedef struct {
    ecs_entity_t first, last, taken_from;
    ecs_id_t id;
} takers_t;

static void TakeAndEnsure(ecs_iter_t *it) {
    const takers_t *takers = it->ctx;
    for (int i = 0; i < it->count; i++) {
        if (it->entities[i] == takers->first)
            ecs_remove_id(it->world, takers->taken_from, takers->id);
        if (it->entities[i] == takers->last)
            *(int32_t *)ecs_ensure_id(it->world, takers->taken_from, takers->id, 4) = 5;
    }
}

// SYNC-06: in order of rows, whichever worker did it.
static void what_a_job_takes_away_stays_for_one_that_asks_later(void **state) {
    (void)state;
    for (int workers = 0; workers <= 3; workers++) {
        for (int split = 0; split < 2; split++) {
            ecs_world_t *world = ecs_init();
            takers_t takers = { .taken_from = ecs_new(world) };
            takers.id = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
            ecs_set_id(world, takers.taken_from, takers.id, 4, &(int32_t){ 1 });
            ECS_TAG(world, Taker);
            for (int i = 0; i < 20000; i++) {
                takers.last = ecs_new_w(world, Taker);
                if (!i) takers.first = takers.last;
            }
            ecs_system(world, { .query.expr = "Taker",
                                  .phase = EcsOnUpdate,
                                  .callback = TakeAndEnsure,
                                  .ctx = &takers,
                                  .multi_threaded = split });
            if (workers) ecs_set_threads(world, workers);
            ecs_progress(world, 1);
            const int32_t *value = ecs_get_id(world, takers.taken_from, takers.id);
            assert_non_null(value);
            assert_int_equal(*value, 5);
            ecs_fini(world);
        }
    }
}

static void shared_values_can_be_read_by_all_workers(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_singleton_set(world, Game, { 2 });
    ecs_entity_t parent = ecs_insert(world, ecs_value(Velocity, { 40, 0 }));
    for (int32_t i = 0; i < 5000; i++) {
        ecs_add_pair(world, ecs_insert(world, ecs_value(Position, { 0, 0 })), EcsChildOf, parent);
    }
    ecs_set_threads(world, 4);
    ecs_system(world, { .query.expr = "Position, [in] Velocity(up ChildOf), [in] Game()",
                          .phase = EcsOnUpdate,
                          .callback = ReadGame,
                          .multi_threaded = true });
    char *text = ecs_schedule_str(world, 0);
    assert_null(strstr(text, "not split"));
    ecs_os_free(text);
    ecs_progress(world, 1);
    ecs_iter_t it = ecs_children(world, parent);
    while (ecs_children_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) {
            assert_near(ecs_get(world, it.entities[i], Position)->x, 42, 0);
        }
    }
}

static void Nothing(ecs_iter_t *it) { (void)it; }

static bool is_split(ecs_world_t *world) {
    char *text = ecs_schedule_str(world, 0);
    bool split = !strstr(text, "not split");
    ecs_os_free(text);
    return split;
}

// THR-02: a value that rows inherit belongs to many of them, so nobody shares those rows out.
static void instances_are_shared_out_unless_they_inherit_what_is_written(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t base = ecs_new_w_id(world, EcsPrefab);
    ecs_set(world, base, Position, { 0, 0 });
    ecs_set(world, base, Velocity, { 1, 1 });
    for (int32_t i = 0; i < 1000;
         i++) { /* a base first, then a value: by way of a table that inherits */
        ecs_set(world, ecs_new_w_pair(world, EcsIsA, base), Position, { 1, 0 });
    }
    ecs_set_threads(world, 2);
    ecs_system(world, { .query.expr = "Position, [in] Velocity",
                          .phase = EcsOnUpdate,
                          .callback = Nothing,
                          .multi_threaded = true });
    ecs_progress(world, 1);
    assert_true(is_split(world));
    ecs_entity_t heir = ecs_new_w_pair(world, EcsIsA, base);
    ecs_progress(world, 1);
    char *text = ecs_schedule_str(world, 0);
    assert_non_null(strstr(text, "not split: writes Position, and looks beyond its own rows\n"));
    ecs_os_free(text);
    ecs_add(world, heir, Position);
    ecs_add(world, heir, Game); /* a table that is new to the system */
    ecs_progress(world, 1);
    assert_true(is_split(world));
}

// THR-02: what is kept beside tables may be a base's, for all a table tells; the schedule says how to write that it is not.
static void the_schedule_says_how_instances_with_values_beside_tables_are_shared_out(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_add_id(world, ecs_id(Velocity), EcsDontFragment);
    const ecs_entity_t base = ecs_new_w_id(world, EcsPrefab), other = ecs_new(world);
    for (int32_t i = 0; i < 1000; i++) {
        const ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, base);
        ecs_set(world, e, Position, { 1, 0 });
        ecs_set_pair(world, e, Velocity, other, { 1, 1 });
    }
    ecs_set_threads(world, 2);
    static const char *const exprs[] = { "[in] Position, Velocity($this, $to)",
        "[in] Position, Velocity($this|self, $to)" };
    for (int32_t i = 0; i < 2; i++) {
        const ecs_entity_t system = ecs_system(world, { .query.expr = exprs[i],
                                                          .phase = EcsOnUpdate,
                                                          .callback = Nothing,
                                                          .multi_threaded = true });
        ecs_progress(world, 1);
        char *text = ecs_schedule_str(world, 0);
        const char *hint = strstr(text, "; if bases have none, ask for that of $this|self, or give "
                                        "Velocity (OnInstantiate, DontInherit)\n");
        assert_int_equal(hint != NULL, i == 0);
        assert_int_equal(strstr(text, "not split") != NULL, i == 0);
        ecs_os_free(text);
        ecs_delete(world, system);
    }
}

// THR-02
static int32_t results;
static void CountResults(ecs_iter_t *it) { results += it->count > 0; }

// D-30, whenever it became a system for many threads, and whether it is shared out or not.
static void systems_for_many_threads_get_whole_tables(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_add_id(world, ecs_id(Game), EcsSingleton);
    ecs_singleton_set(world, Game, { 1 });
    ecs_entity_t base = ecs_insert(world, ecs_value(Velocity, { 1, 2 }));
    for (int32_t i = 0; i < 10; i++) ecs_add(world, ecs_new_w_pair(world, EcsIsA, base), Position);
    const char *const exprs[] = { "Position, [in] Velocity",
        "Position, [in] Velocity, [inout] Game" }; /* the second is not shared out */
    for (int32_t i = 0; i < 2; i++) {
        ecs_entity_t system = ecs_system(
            world, { .query.expr = exprs[i], .phase = EcsOnUpdate, .callback = CountResults });
        results = 0;
        ecs_progress(world, 1);
        assert_int_equal(results, 10);
        ecs_system_update(world, system, &(ecs_system_desc_t){ .multi_threaded = true });
        results = 0;
        for (int32_t tick = 0; tick < 4; tick++) ecs_progress(world, 1);
        assert_int_equal(results, 4);
        ecs_run(world, system, 1, NULL);
        assert_int_equal(results, 5);
        ecs_delete(world, system);
    }
}

static void instances_without_a_value_are_shared_out(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t base = ecs_new_w_id(world, EcsPrefab);
    ecs_set(world, ecs_new_w_pair(world, EcsIsA, base), Position, { 0, 0 });
    ecs_system(world, { .query.expr = "Position, ?Velocity",
                          .phase = EcsOnUpdate,
                          .callback = Nothing,
                          .multi_threaded = true });
    ecs_progress(world, 1);
    assert_true(is_split(world));
    ecs_set(world, base, Velocity, { 1, 1 });
    ecs_progress(world, 1);
    assert_false(is_split(world));
    ecs_remove(world, base, Velocity);
    ecs_progress(world, 1);
    assert_true(is_split(world));
}

// THR-02, Q-CIN-08: what a base has is inherited as what it is a kind of, from when it is one.
static void kinds_that_are_inherited_and_written_keep_rows_together(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t rank = ecs_entity(world, { .name = "Rank" }), major = ecs_new(world);
    ecs_entity_t base = ecs_new_w_id(world, EcsPrefab);
    ecs_set_pair(world, base, Velocity, major, { 1, 1 });
    for (int32_t i = 0; i < 1000; i++)
        ecs_set(world, ecs_new_w_pair(world, EcsIsA, base), Position, { 1, 0 });
    ecs_system(world, { .query.expr = "Position, ?Velocity($this, Rank)",
                          .phase = EcsOnUpdate,
                          .callback = Nothing,
                          .multi_threaded = true });
    ecs_progress(world, 1);
    assert_true(is_split(world));
    ecs_add_pair(world, major, EcsIsA, rank);
    ecs_progress(world, 1);
    assert_false(is_split(world));
}

static void WriteShown(ecs_iter_t *it) {
    assert_int_equal(it->count, 0);
    assert_non_null(ecs_field(it, Velocity, 0));
}

// THR-02: who is shown tables without rows is shown what they inherit.
static void empty_tables_that_are_shown_inherit_as_well(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t base = ecs_new_w_id(world, EcsPrefab);
    ecs_set(world, base, Velocity, { 1, 1 });
    ecs_delete(world, ecs_new_w_pair(world, EcsIsA, base));
    ecs_system(world, { .query = { .expr = "[out] Velocity", .flags = EcsQueryMatchEmptyTables },
                          .phase = EcsOnUpdate,
                          .callback = WriteShown,
                          .multi_threaded = true });
    ecs_progress(world, 1);
    assert_false(is_split(world));
}

static int32_t results_shown[2], rows_shown[2];
static void CountShown(ecs_iter_t *it) {
    const int32_t is_empty = !it->count;
    ecs_os_ainc(&results_shown[is_empty]);
    for (int32_t i = 0; i < it->count; i++) ecs_os_ainc(&rows_shown[is_empty]);
}

// THR-02: as on one thread each of them is shown once, also beside tables that are cut.
static void empty_tables_are_shown_to_one_worker(void **state) {
    ecs_world_t *world = *state;
    use(world);
    for (int32_t i = 0; i < 10000; i++) {
        if (i % 2500 == 0) {
            ecs_entity_t tag = ecs_new(world);
            ecs_entity_t passing = ecs_insert(world, ecs_value(Position, { 0, 0 }));
            ecs_add_id(world, passing, tag);
            ecs_add(world, passing, Velocity);
            ecs_delete(world, passing);
        }
        ecs_insert(world, ecs_value(Position, { 0, 0 }));
    }
    ecs_set_threads(world, 4);
    ecs_system(world, { .query = { .expr = "[in] Position", .flags = EcsQueryMatchEmptyTables },
                          .phase = EcsOnUpdate,
                          .callback = CountShown,
                          .multi_threaded = true });
    for (int32_t i = 0; i < 3; i++) {
        ecs_os_zeromem(&results_shown);
        ecs_os_zeromem(&rows_shown);
        ecs_progress(world, 1);
        assert_int_equal(results_shown[true], 8);
        assert_int_equal(rows_shown[false], 10000);
    }
}

enum { POSTED_MAX = 512 };
static intptr_t posted[POSTED_MAX];
static int32_t posted_count;

static void note_posted(ecs_world_t *world, void *ctx) {
    (void)world;
    if (posted_count < POSTED_MAX) posted[posted_count++] = (intptr_t)ctx;
}

// Each job asks for an action itself, and for one when what it sets is merged.
static void AskForActions(ecs_iter_t *it) {
    ecs_run_post_frame(it->world, note_posted, (void *)(intptr_t)(it->frame_offset + 1));
    ecs_set(it->world, it->entities[0], Velocity, { 1, 2 });
}

static void ask_when_set(ecs_iter_t *it) {
    ecs_run_post_frame(it->world, note_posted, (void *)-(intptr_t)it->entities[0]);
}

static void run_asking(int32_t workers, uint64_t shuffle) {
    ecs_world_t *world = ecs_init();
    use(world);
    ecs_set_hooks(world, Velocity, { .on_set = ask_when_set });
    ecs_bulk_new(world, Visits, 20000);
    ecs_system(world, { .query.expr = "Visits, [out] Velocity()",
                          .callback = AskForActions,
                          .phase = EcsOnUpdate,
                          .multi_threaded = true });
    ecs_set_threads(world, workers);
    ecs_set_schedule_seed(world, shuffle);
    posted_count = 0;
    for (int32_t i = 0; i < 3; i++) ecs_progress(world, 1);
    ecs_fini(world);
}

// THR-08, and the contract of determinism
static void actions_for_after_the_frame_have_the_same_order_for_any_number_of_workers(
    void **state) {
    (void)state;
    intptr_t expected[POSTED_MAX];
    run_asking(1, 0);
    int32_t count = posted_count;
    assert_in_range(count, 10, POSTED_MAX - 1);
    memcpy(expected, posted, sizeof expected);
    for (uint64_t shuffle = 0; shuffle < 8; shuffle++) {
        run_asking(shuffle & 1 ? 2 : 4, shuffle);
        assert_int_equal(posted_count, count);
        assert_memory_equal(posted, expected, (size_t)count * sizeof *posted);
    }
}

static void OnStage(ecs_iter_t *it) {
    assert_int_equal(ecs_stage_get_id(it->world), 0);
    assert_false(ecs_stage_is_readonly(it->world));
    assert_true(ecs_is_deferred(it->world));
    ecs_os_ainc(&main_calls);
}

enum { THROUGH_WORLD = 12 };
static void UseWorld(ecs_iter_t *it) {
    ecs_world_t *world = it->real_world;
    ecs_entity_t e = it->entities[0];
    ecs_event_desc_t event = { .event = e, .entity = e };
    switch (*(const int *)it->ctx) {
    case 0: ecs_new(world); break;
    case 1: ecs_new_low_id(world); break;
    case 2: ecs_emit(world, &event); break;
    case 3: ecs_enqueue(world, &event); break;
    case 4: ecs_set_scope(world, e); break;
    case 5: ecs_set_with(world, e); break;
    case 6: ecs_set_lookup_path(world, NULL); break;
    case 7: ecs_start_timer(world, e); break;
    case 8: ecs_defer_begin(world); break;
    case 9: ecs_defer_end(world); break;
    case 10: ecs_table_lock(world, it->table); break;
    default: ecs_run(world, it->system, 0, NULL); break;
    }
}

// THR-02: a mistake with one worker as with many.
static void multithreaded_systems_use_their_stage(void **state) {
    ecs_world_t *world = *state;
    use(world);
    make_tables(world, 10, 1);
    int action;
    ecs_system(world, { .query.expr = "Visits",
                          .phase = EcsOnUpdate,
                          .callback = UseWorld,
                          .ctx = &action,
                          .multi_threaded = true });
    for (action = 0; action < THROUGH_WORLD; action++)
        expect_abort_saying(ECS_INVALID_WHILE_READONLY, "use the stage", ecs_progress(world, 1));
}

static ecs_entity_t some_observer;
static void post_nothing(ecs_world_t *world, void *ctx) { (void)world, (void)ctx; }
enum { OF_THE_WORLD = 10 };
static void ChangeWorld(ecs_iter_t *it) {
    ecs_world_t *world = it->world;
    switch (*(const int *)it->ctx) {
    case 0: ecs_stage_new(world); break;
    case 1: ecs_observer_update(world, some_observer, &(ecs_observer_desc_t){ 0 }); break;
    case 2: ecs_set_name_prefix(world, "My"); break;
    case 3: ecs_atfini(world, post_nothing, NULL); break;
    case 4: ecs_set_ctx(world, NULL, NULL); break;
    case 5: ecs_set_binding_ctx(world, NULL, NULL); break;
    case 6: ecs_set_default_query_flags(world, 0); break;
    case 7: ecs_dim(world, 100); break;
    case 8: ecs_run_aperiodic(world, EcsAperiodicEmptyQueries); break;
    default: ecs_exclusive_access_begin(world, "job"); break;
    }
}

// THR-02: what the world has one of is not changed by one of several jobs.
static void multithreaded_systems_do_not_change_the_world(void **state) {
    ecs_world_t *world = *state;
    use(world);
    make_tables(world, 10, 1);
    some_observer = ecs_observer(world,
        { .query.terms = { { ecs_id(Visits) } }, .events = { EcsOnSet }, .callback = OnStage });
    int action;
    ecs_system(world, { .query.expr = "Visits",
                          .phase = EcsOnUpdate,
                          .callback = ChangeWorld,
                          .ctx = &action,
                          .multi_threaded = true });
    for (action = 0; action < OF_THE_WORLD; action++)
        expect_abort_saying(ECS_INVALID_WHILE_READONLY, "while systems run on several threads",
            ecs_progress(world, 1));
}

static void EndReadonly(ecs_iter_t *it) { ecs_readonly_end(it->real_world); }

static void systems_do_not_end_readonly_mode(void **state) {
    ecs_world_t *world = *state;
    use(world);
    make_tables(world, 10, 1);
    for (int i = 0; i < 2; i++) {
        ecs_entity_t system = ecs_system(world, { .query.expr = "Visits",
                                                    .phase = EcsOnUpdate,
                                                    .callback = EndReadonly,
                                                    .multi_threaded = i == 1 });
        expect_abort_saying(ECS_INVALID_OPERATION, "until the systems", ecs_progress(world, 1));
        ecs_delete(world, system);
    }
}

static void no_edge(ecs_world_t *world, ecs_entity_t target, void *edge, void *ctx) {
    (void)world, (void)target, (void)edge;
    *(bool *)ctx = true;
}

// Whatever is asked about an entity that is in no table yet.
static void check_has_nothing(ecs_world_t *stage, ecs_entity_t e) {
    const ecs_entity_t rel = EcsDependsOn, id = ecs_id(Visits);
    bool found = false;
    assert_true(ecs_exists(stage, e) && ecs_exists(stage, (uint32_t)e));
    assert_false(ecs_has_id(stage, e, id) || ecs_owns_id(stage, e, id));
    assert_false(ecs_has_pair(stage, e, rel, EcsWildcard) || ecs_is_enabled_id(stage, e, id));
    assert_false(ecs_get_id(stage, e, id) || ecs_get_mut_id(stage, e, id));
    assert_int_equal(ecs_get_type(stage, e)->count, 0);
    assert_int_equal(ecs_table_get_type(ecs_get_table(stage, e))->count, 0);
    assert_int_equal(ecs_get_target(stage, e, rel, 0), 0);
    assert_int_equal(ecs_get_target_for_id(stage, e, EcsIsA, id), 0);
    assert_int_equal(ecs_get_target_for_id(stage, e, 0, id), 0);
    assert_int_equal(ecs_get_depth(stage, e, rel), 0);
    assert_int_equal(ecs_each_edge(stage, e, rel, no_edge, &found), 0);
    ecs_ref_t ref = ecs_ref_init_id(stage, e, id);
    ecs_ref_update(stage, &ref, id);
    assert_null(ecs_ref_get_id(stage, &ref, id));
    assert_null(ecs_record_find(stage, e));
#ifdef FLECS_JSON
    char *json = ecs_entity_to_json(stage, e, NULL);
    assert_true(json && strstr(json, "name") && !strstr(json, "components"));
    ecs_os_free(json);
#endif
    assert_int_equal(ecs_new_w_id(stage, 0) != 0, true);
    assert_false(found);
}

static ecs_entity_t made_by_job;
static void MakeOne(ecs_iter_t *it) {
    ecs_world_t *world = it->real_world;
    ecs_entity_t e = made_by_job = ecs_new(it->world);
    assert_true(ecs_is_alive(it->world, e) && ecs_is_valid(it->world, e));
    assert_true(!ecs_is_alive(world, e) && !ecs_is_valid(world, e));
    assert_int_equal(ecs_get_alive(world, e), 0);
    check_has_nothing(it->world, e);
    ecs_set_scope(it->world, it->entities[0]);
    assert_int_equal(ecs_get_scope(it->world), it->entities[0]);
    assert_int_equal(ecs_get_scope(world), *(const ecs_entity_t *)it->ctx);
}

// THR-02: what is there, and what all jobs begin with, whatever the job on the main stage does.
static void through_the_world_jobs_see_nothing_of_the_main_stage(void **state) {
    ecs_world_t *world = *state;
    use(world);
    make_tables(world, 10, 1);
    ecs_entity_t scope = 0;
    ecs_system(world, { .query.expr = "Visits",
                          .phase = EcsOnUpdate,
                          .callback = MakeOne,
                          .ctx = &scope,
                          .multi_threaded = true });
    ecs_progress(world, 1);
    assert_true(ecs_is_alive(world, made_by_job));
    scope = ecs_new(world);
    ecs_set_scope(world, scope);
    ecs_progress(world, 1);
    assert_int_equal(ecs_get_scope(world), scope);
    ecs_set_scope(world, 0);
}

static ecs_query_t *about_names;
static void NameOne(ecs_iter_t *it) {
    ecs_entity_t e = ecs_entity(it->world, { .name = "one" });
    ecs_query_t *query = about_names;
    assert_int_equal(ecs_lookup(it->world, "one"), e);
    assert_int_equal(ecs_lookup(it->real_world, "one"), 0);
    char *text = ecs_query_str(query); /* looks names up in the world */
    assert_string_equal(text, "Visits($this|self|up IsA)");
    ecs_os_free(text);
}

// THR-02: with one worker, too, the stage of a job is not that of the world.
static void what_a_job_names_is_found_through_its_stage(void **state) {
    ecs_world_t *world = *state;
    use(world);
    make_tables(world, 10, 1);
    about_names = ecs_query(world, { .expr = "Visits" });
    ecs_system(world, { .query.expr = "Visits",
                          .phase = EcsOnUpdate,
                          .callback = NameOne,
                          .multi_threaded = true });
    ecs_progress(world, 1);
    assert_int_not_equal(ecs_lookup(world, "one"), 0);
    ecs_query_fini(about_names);
}

static int32_t rows_changed;
// ---- entities that are made by a system, and named by its commands ----

typedef struct naming_t {
    ecs_entity_t tag, likes, kind; /* kind: exclusive */
    int before, use;
    ecs_entity_t made[2];
} naming_t;

static void say_before(const naming_t *naming, ecs_world_t *world, ecs_entity_t e) {
    switch (naming->before) {
    case 1: ecs_add_id(world, e, naming->tag); break;
    case 2: ecs_set(world, e, Visits, { 1 }); break;
    case 3: ecs_remove(world, e, Position); break;
    case 4: ecs_add_pair(world, e, naming->kind, naming->tag); break;
    default: break;
    }
}

static void NameNew(ecs_iter_t *it) {
    naming_t *naming = it->ctx;
    ecs_world_t *world = it->world;
    const ecs_entity_t e = it->entities[0];
    say_before(naming, world, e);
    const ecs_entity_t a = naming->made[0] = ecs_new_w_id(world, naming->tag);
    const ecs_entity_t b = naming->made[1] = ecs_new(world);
    switch (naming->use) {
    case 0: ecs_add_pair(world, e, naming->likes, a); break;
    case 1: ecs_add_id(world, e, b); break;
    case 2: ecs_add_pair(world, e, b, a); break;
    case 3: ecs_set_pair(world, e, Visits, b, { 7 }); break;
    case 4: ecs_add_pair(world, e, naming->kind, b); break;
    case 5: ecs_add_pair(world, e, EcsChildOf, a); break;
    default: ecs_add_pair(world, a, naming->likes, b); ecs_add_pair(world, b, naming->likes, a);
    }
}

static bool names_new(const naming_t *naming, const ecs_world_t *world, ecs_entity_t e) {
    const ecs_entity_t a = naming->made[0], b = naming->made[1];
    switch (naming->use) {
    case 0: return ecs_has_pair(world, e, naming->likes, a);
    case 1: return ecs_has_id(world, e, b);
    case 2: return ecs_has_pair(world, e, b, a);
    case 3:
        return ecs_get_pair(world, e, Visits, b) && ecs_get_pair(world, e, Visits, b)->count == 7;
    case 4: return ecs_get_target(world, e, naming->kind, 0) == b;
    case 5: return ecs_get_parent(world, e) == a;
    default:
        return ecs_has_pair(world, a, naming->likes, b) && ecs_has_pair(world, b, naming->likes, a);
    }
}

static void check_naming(ecs_world_t *world, naming_t *naming, int way) {
    naming->tag = ecs_new(world);
    naming->likes = ecs_new(world);
    naming->kind = ecs_new_w_id(world, EcsExclusive);
    ecs_entity_t e = ecs_new_w(world, Position);
    ecs_entity_t system = ecs_system(world, { .query.terms = { { .id = ecs_id(Position) } },
                                                .phase = EcsOnUpdate,
                                                .callback = NameNew,
                                                .ctx = naming,
                                                .multi_threaded = way == 1,
                                                .any_thread = way == 2 });
    ecs_progress(world, 1);
    ecs_delete(world, system);
    assert_true(ecs_is_alive(world, naming->made[0]) && ecs_is_alive(world, naming->made[1]));
    if (!names_new(naming, world, e))
        fail_msg("way %d, before %d: use %d is lost", way, naming->before, naming->use);
    ecs_delete(world, e);
}

// DEF-08, THR-07: what is said of an entity before another is made is not applied with what names that one.
static void new_entities_are_named_by_later_commands(void **state) {
    ecs_world_t *world = *state;
    use(world);
    for (int threads = 1; threads <= 2; threads++) {
        ecs_set_threads(world, threads);
        for (int i = 0; i < 3 * 5 * 7; i++) {
            naming_t naming = { .before = i / 3 % 5, .use = i / 15 };
            check_naming(world, &naming, i % 3);
        }
    }
}

static void LookForChanges(ecs_iter_t *it) {
    while (ecs_iter_next(it)) {
        if (ecs_iter_changed(it)) __atomic_add_fetch(&rows_changed, it->count, __ATOMIC_RELAXED);
    }
}
static void RunVisit(ecs_iter_t *it) {
    while (ecs_iter_next(it)) Visit(it);
}

// THR-02, Q-CHG-10, Q-CHG-14: the table is what changed, also for a system that begins to look when others do already: it is not cut then.
static void tables_change_as_a_whole(void **state) {
    ecs_world_t *world = *state;
    use(world);
    make_tables(world, 5000, 1);
    ecs_query_t *query =
        ecs_query(world, { .expr = "[in] Visits", .cache_kind = EcsQueryCacheAuto });
    assert_true(ecs_query_changed(query));
    ecs_set_threads(world, 3);
    ecs_system(world,
        { .query.expr = "Visits", .phase = EcsOnUpdate, .run = RunVisit, .multi_threaded = true });
    ecs_system(world, { .query.expr = "[in] Visits",
                          .phase = EcsOnUpdate,
                          .run = LookForChanges,
                          .multi_threaded = true });
    for (int tick = 0; tick < 4; tick++) {
        rows_changed = 0;
        ecs_progress(world, 1);
        assert_int_equal(rows_changed, 5000);
    }
    ecs_query_fini(query);
}

static void tasks_run_once_on_the_calling_thread(void **state) {
    ecs_world_t *world = *state;
    use(world);
    make_tables(world, 1000, 3);
    ecs_singleton_set(world, Game, { 1 });
    ecs_set_threads(world, 4);
    ecs_set_schedule_seed(world, 7); /* so that nothing runs inline */
    for (int i = 0; i < 4; i++) {
        ecs_system(world, { .query.expr = i % 2 ? "[in] Game(Game)" : "0",
                              .phase = EcsOnUpdate,
                              .callback = OnStage,
                              .multi_threaded = true });
        ecs_system(world, { .query.expr = "Visits",
                              .phase = EcsOnUpdate,
                              .callback = Visit,
                              .multi_threaded = true });
    }
    main_calls = 0;
    for (int i = 0; i < 50; i++) ecs_progress(world, 1);
    assert_int_equal(main_calls, 200);
}

static ecs_os_api_t os;
static int32_t made, joined, tasks_made, tasks_joined;
static ecs_os_thread_t count_new(ecs_os_thread_callback_t callback, void *arg) {
    made++;
    return os.thread_new_(callback, arg);
}
static void *count_join(ecs_os_thread_t thread) {
    joined++;
    return os.thread_join_(thread);
}
static ecs_os_thread_t count_task(ecs_os_thread_callback_t callback, void *arg) {
    tasks_made++;
    return os.task_new_(callback, arg);
}
static void *count_task_join(ecs_os_thread_t thread) {
    tasks_joined++;
    return os.task_join_(thread);
}

// THR-04, THR-05: threads are made by functions that the user may replace
static void threads_are_made_and_joined_by_the_os_api(void **state) {
    (void)state;
    os = ecs_os_get_api();
    ecs_os_api.thread_new_ = count_new;
    ecs_os_api.thread_join_ = count_join;
    ecs_os_api.task_new_ = count_task;
    ecs_os_api.task_join_ = count_task_join;
    ecs_world_t *world = ecs_init();
    use(world);
    make_tables(world, 100, 3);
    ecs_system(world, { .query.expr = "Visits",
                          .phase = EcsOnUpdate,
                          .callback = Visit,
                          .multi_threaded = true });
    ecs_set_threads(world, 4);
    ecs_progress(world, 1);
    assert_int_equal(made, 3);
    assert_int_equal(joined, 0);
    ecs_set_task_threads(world, 3);
    assert_int_equal(joined, 3);
    for (int32_t i = 1; i <= 2; i++) {
        ecs_progress(world, 1);
        assert_int_equal(tasks_made, 2 * i);
        assert_int_equal(tasks_joined, 2 * i);
    }
    assert_all_visited(world, 3);
    ecs_set_threads(world, 3);
    ecs_fini(world);
    assert_int_equal(made, 5);
    assert_int_equal(joined, 5);
    assert_int_equal(tasks_joined, 4);
    ecs_os_api = os;
}

static void ending_a_world_joins_its_workers(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        ecs_world_t *world = ecs_init();
        ecs_set_threads(world, 1 + i % 8);
        if (i % 3) ecs_progress(world, 1);
        ecs_fini(world);
    }
}

static int32_t visited;
static void visit_them(ecs_iter_t *it) {
    __atomic_fetch_add(&visited, it->count, __ATOMIC_RELAXED);
}

// THR-01: what a query asks for may be found in another way from some change on, and again in another; work is shared out anew then.
static void queries_that_change_their_ways_are_shared_out_anew(void **state) {
    (void)state;
    static const char *const exprs[] = { "(*, t)", "T, *($this|up ChildOf, t)",
        "ChildOf(up ChildOf, *), T(up ChildOf) || *(up ChildOf, t)" };
    for (int i = 0; i < 9; i++) {
        ecs_world_t *world = ecs_init();
        ECS_TAG(world, T);
        ECS_TAG(world, R);
        ecs_entity_t t = ecs_entity(world, { .name = "t" }),
                     beside = ecs_new_w_id(world, EcsDontFragment), parent = ecs_new_w(world, T);
        ecs_system(world, { .query.expr = exprs[i / 3],
                              .phase = EcsOnUpdate,
                              .callback = visit_them,
                              .multi_threaded = true });
        for (int k = 0; k < 20; k++) {
            ecs_entity_t e = ecs_new_w_pair(world, EcsChildOf, parent);
            ecs_add_pair(world, e, R, t);
            ecs_add_id(world, e, ecs_new(world));
            ecs_add(world, e, T);
        }
        ecs_set_threads(world, 2);
        for (int step = 0; step < 4; step++) {
            visited = 0;
            ecs_progress(world, 0);
            ecs_query_t *q = ecs_query(world, { .expr = exprs[i / 3] });
            assert_int_equal(visited, ecs_query_count(q).entities);
            ecs_query_fini(q);
            const int way = (i + step) % 3;
            if (way == 0) ecs_new_w_pair(world, EcsIsA, ecs_new_w(world, T));
            if (way == 1) ecs_add_pair(world, ecs_new(world), beside, ecs_new(world));
            if (way == 2) ecs_new_w_parent(world, parent, NULL);
        }
        ecs_fini(world);
    }
}

static int32_t submitted[64], submissions;
static void note_submission(ecs_world_t *world, void *row) {
    (void)world;
    submitted[submissions++ & 63] = (int32_t)(intptr_t)row;
}
static void note_event(ecs_iter_t *it) { note_submission(it->world, *(void **)it->param); }

static void SubmitSome(ecs_iter_t *it) {
    const Visits *visits = ecs_field(it, Visits, 0);
    for (int32_t i = 0; i < it->count; i++) {
        void *row = (void *)(intptr_t)visits[i].count;
        ecs_event_desc_t event = {
            .event = *(ecs_entity_t *)it->ctx, .entity = it->entities[i], .const_param = &row
        };
        if (visits[i].count % 256 == 0) ecs_submit(it->world, note_submission, row, NULL);
        if (visits[i].count % 256 == 128) ecs_submit_event(it->world, &event, sizeof row);
    }
}

// THR-02: also what systems ask for by way of the inbox
static void what_workers_submit_comes_in_the_order_of_one(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t event =
        ecs_component(world, { .type = { ECS_SIZEOF(void *), ECS_ALIGNOF(void *) } });
    ecs_observer(
        world, { .query.terms = { { EcsAny } }, .events = { event }, .callback = note_event });
    for (int32_t i = 0; i < 4096; i++) ecs_insert(world, ecs_value(Visits, { i }));
    ecs_world_t *own = ecs_stage_new(world); /* of another thread, which is no worker */
    ecs_submit(own, note_submission, NULL, NULL);
    ecs_stage_free(own);
    submissions = 0;
    ecs_progress(world, 1);
    assert_int_equal(submissions, 1);
    ecs_system(world, { .query.expr = "[in] Visits",
                          .phase = EcsOnUpdate,
                          .callback = SubmitSome,
                          .ctx = &event,
                          .multi_threaded = true });
    for_each_worker_count(count) {
        ecs_set_threads(world, *count);
        ecs_set_schedule_seed(world, (uint64_t)*count); /* so that nothing runs inline */
        ecs_progress(world, 1);
        submissions = 0;
        ecs_progress(world, 1);
        assert_int_equal(submissions, 32);
        for (int32_t i = 0; i < submissions; i++) assert_int_equal(submitted[i], i * 128);
    }
}

static int32_t turns[8], turn_count;
static void TakeTurn(ecs_iter_t *it) { turns[turn_count++] = *(int32_t *)it->ctx; }

// Results that do not change are no proof if nothing was shuffled.
static void a_seed_shuffles_one_worker_too(void **state) {
    ecs_world_t *world = *state;
    static int32_t numbers[8];
    for (int32_t i = 0; i < 8; i++) {
        numbers[i] = i;
        ecs_system(world,
            { .phase = EcsOnUpdate, .callback = TakeTurn, .ctx = &numbers[i], .any_thread = true });
    }
    int32_t moved = 0;
    for (uint64_t seed = 1; seed < 20; seed++) {
        ecs_set_schedule_seed(world, seed);
        turn_count = 0;
        ecs_progress(world, 1);
        assert_int_equal(turn_count, 8);
        for (int32_t i = 0; i < 8; i++) moved += turns[i] != i;
    }
    assert_true(moved > 40);
}

// THR-06: what an id holds may become known after the systems
static void systems_made_before_their_components_do_not_overlap(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t early = ecs_entity(world, { .name = "Early" });
    any_thread_system(world, "[inout] Early", Exclusive);
    any_thread_system(world, "[inout] Early", Exclusive);
    ecs_progress(world, 1);
    ecs_component(world, { .entity = early, .type = { 4, 4 } });
    ecs_new_w_id(world, early);
    ecs_set_threads(world, 2);
    ecs_set_schedule_seed(world, 7);
    inside = overlaps = 0;
    for (int i = 0; i < 20; i++) ecs_progress(world, 1);
    assert_int_equal(overlaps, 0);
    char *text = ecs_schedule_str(world, 0);
    assert_non_null(strstr(text, "writes Early, which"));
    ecs_os_free(text);
}

typedef struct Owner {
    int *value;
} Owner;

static ECS_COMPONENT_DECLARE(Owner);
static int owned;

ECS_CTOR(Owner, ptr, ptr->value = NULL;)
ECS_DTOR(Owner, ptr, {
    if (ptr->value) __atomic_fetch_sub(&owned, 1, __ATOMIC_RELAXED);
    free(ptr->value);
})
ECS_COPY(Owner, dst, src, {
    if (!dst->value) __atomic_fetch_add(&owned, 1, __ATOMIC_RELAXED);
    if (!dst->value) dst->value = malloc(sizeof(int));
    *dst->value = *src->value;
})
ECS_MOVE(Owner, dst, src, {
    int *value = dst->value;
    dst->value = src->value;
    src->value = value;
})

static void Own(ecs_iter_t *it) {
    const Visits *visits = ecs_field(it, Visits, 0);
    for (int i = 0; i < it->count; i++) {
        int value = visits[i].count;
        ecs_set(it->world, it->entities[i], Owner, { &value });
    }
}

// CMP-04: what jobs set where it is already is copied and freed as elsewhere, if values own something.
static void jobs_set_values_that_own_something(void **state) {
    ecs_world_t *world = *state;
    enum { COUNT = 2000 };
    ecs_id(Owner) = ecs_id(Visits) = 0;
    ECS_COMPONENT_DEFINE(world, Owner);
    ECS_COMPONENT_DEFINE(world, Visits);
    ecs_set_hooks(world, Owner,
        { .ctor = ecs_ctor(Owner),
            .dtor = ecs_dtor(Owner),
            .copy = ecs_copy(Owner),
            .move = ecs_move(Owner) });
    ecs_entity_t es[COUNT];
    owned = 0;
    for (int i = 0; i < COUNT; i++) {
        int old = -1;
        es[i] = ecs_insert(world, ecs_value(Visits, { i }));
        if (i & 7) ecs_set(world, es[i], Owner, { &old });
    }
    ecs_system(world, { .entity = ecs_entity(world, { .add = ecs_ids(ecs_dependson(EcsOnUpdate)) }),
                          .query.expr = "Visits",
                          .callback = Own,
                          .multi_threaded = true });
    ecs_set_threads(world, 3);
    for (int tick = 0; tick < 2; tick++) {
        ecs_progress(world, 1);
        assert_int_equal(owned, COUNT);
        for (int i = 0; i < COUNT; i++) assert_int_equal(*ecs_get(world, es[i], Owner)->value, i);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_entity_is_processed_exactly_once),
        world_test(jobs_set_values_that_own_something),
        world_test(wildcards_are_processed_once_per_match),
        cmocka_unit_test(the_final_state_does_not_depend_on_workers),
        world_test(other_systems_run_on_one_thread_over_everything),
        world_test(the_number_of_workers_changes_between_ticks),
        world_test(the_number_of_workers_changes_between_steady_ticks),
        world_test(workers_cannot_change_inside_a_tick),
        world_test(worlds_may_be_ticked_by_one_thread_after_the_other),
        world_test(workers_sleep_between_ticks),
        world_test(systems_that_conflict_never_overlap),
        world_test(kinds_of_a_component_conflict_with_it),
        world_test(systems_made_before_their_components_do_not_overlap),
        world_test(systems_without_conflict_overlap),
        world_test(writers_of_different_tables_overlap),
        world_test(what_workers_submit_comes_in_the_order_of_one),
        world_test(a_seed_shuffles_one_worker_too),
        world_test(systems_that_share_parents_are_not_ordered),
        cmocka_unit_test(entities_made_by_workers_are_distinct_and_none_is_lost),
        cmocka_unit_test(jobs_make_entities_of_a_table_without_making_tables),
        world_test(systems_for_many_threads_get_whole_tables),
        world_test(instances_without_a_value_are_shared_out),
        world_test(kinds_that_are_inherited_and_written_keep_rows_together),
        world_test(empty_tables_that_are_shown_inherit_as_well),
        world_test(empty_tables_are_shown_to_one_worker),
        world_test(instances_are_shared_out_unless_they_inherit_what_is_written),
        world_test(the_schedule_says_how_instances_with_values_beside_tables_are_shared_out),
        world_test(what_a_job_takes_away_stays_for_one_that_asks_later),
        world_test(shared_values_can_be_read_by_all_workers),
        cmocka_unit_test(actions_for_after_the_frame_have_the_same_order_for_any_number_of_workers),
        world_test(multithreaded_systems_use_their_stage),
        world_test(multithreaded_systems_do_not_change_the_world),
        world_test(systems_do_not_end_readonly_mode),
        world_test(through_the_world_jobs_see_nothing_of_the_main_stage),
        world_test(what_a_job_names_is_found_through_its_stage),
        world_test(new_entities_are_named_by_later_commands),
        world_test(tables_change_as_a_whole),
        world_test(tasks_run_once_on_the_calling_thread),
        cmocka_unit_test(jobs_find_what_they_named),
        cmocka_unit_test(jobs_do_not_give_one_symbol),
        world_test(children_made_in_bulk_end_with_their_parent),
        world_test(workers_keep_their_stages),
        cmocka_unit_test(threads_are_made_and_joined_by_the_os_api),
        cmocka_unit_test(ending_a_world_joins_its_workers),
        cmocka_unit_test(queries_that_change_their_ways_are_shared_out_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
