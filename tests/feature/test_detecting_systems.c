// SPDX-License-Identifier: MIT
// Systems whose queries detect changes: what they see is the same for any number of workers. Q-CHG-06, Q-CHG-07, Q-CHG-10.
#include "support/world.h"

typedef struct Position {
    float x, y;
} Position;

static ECS_COMPONENT_DECLARE(Position);

#define TABLES 12
#define ROWS 300
#define TICKS 8

static int tick;
static ecs_table_t *tables[TABLES];

static int number_of(const ecs_table_t *table) {
    int i = 0;
    while (tables[i] != table) i++;
    return i;
}

// Writes every table whose number the tick divides.
static void write_some(ecs_iter_t *it) {
    if ((number_of(it->table) + 1) % (tick + 1)) {
        ecs_iter_skip(it);
        return;
    }
    Position *p = ecs_field(it, Position, 0);
    for (int32_t i = 0; i < it->count; i++) p[i].x++;
}

static void note_changes(ecs_iter_t *it) {
    char *seen = it->ctx;
    bool changed = ecs_iter_changed(it);
    if (tick && changed) seen[number_of(it->table)]++; // in the first tick several workers may ask
}

static void do_nothing(ecs_iter_t *it) { (void)it; }

static void make_tables(ecs_world_t *world) {
    for (int i = 0; i < TABLES; i++) {
        ecs_entity_t tag = ecs_new(world), last = 0;
        for (int k = 0; k < ROWS; k++) {
            last = ecs_new_w_id(world, tag);
            ecs_add(world, last, Position);
        }
        tables[i] = ecs_get_table(world, last);
    }
}

static ecs_entity_t add_system(ecs_world_t *world, const char *expr, ecs_flags32_t flags,
    ecs_iter_action_t callback, void *ctx, bool multi_threaded) {
    return ecs_system(world, { .query = { .expr = expr, .flags = flags },
                                 .phase = EcsOnUpdate,
                                 .callback = callback,
                                 .ctx = ctx,
                                 .multi_threaded = multi_threaded });
}

static void run(int workers, bool flagged, bool multi_threaded, char log[TICKS][TABLES]) {
    ecs_world_t *world = ecs_init();
    ecs_id(Position) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    make_tables(world);
    if (workers) ecs_set_threads(world, workers);
    char seen[TABLES];
    add_system(world, "Position", 0, write_some, NULL, true);
    add_system(world, "[in] Position", flagged ? EcsQueryDetectChanges : 0, note_changes, seen,
        multi_threaded);
    add_system(world, "[in] Position", 0, do_nothing, NULL, true);
    for (tick = 0; tick < TICKS; tick++) {
        memset(seen, 0, sizeof seen);
        ecs_progress(world, 1);
        memcpy(log[tick], seen, sizeof seen);
    }
    ecs_fini(world);
}

static void systems_see_what_was_written_before(void **state) {
    (void)state;
    char log[TICKS][TABLES];
    for (int workers = 0; workers <= 4; workers++) {
        for (int multi_threaded = 0; multi_threaded < 2; multi_threaded++) {
            run(workers, true, multi_threaded, log);
            for (int t = 0; t < TICKS; t++) {
                for (int i = 0; i < TABLES; i++)
                    assert_int_equal(log[t][i], t && (i + 1) % (t + 1) == 0);
            }
        }
    }
}

// The first tick asks; in the second all is new that another query may have written to meanwhile.
static void systems_begin_to_detect_after_the_first_question(void **state) {
    (void)state;
    char log[TICKS][TABLES];
    for (int workers = 0; workers <= 3; workers++) {
        run(workers, false, true, log);
        for (int t = 1; t < TICKS; t++) {
            for (int i = 0; i < TABLES; i++)
                assert_int_equal(log[t][i], t == 1 || (i + 1) % (t + 1) == 0);
        }
    }
}

typedef struct asking_t {
    int workers; /* 0: systems are run by hand */
    bool multi_threaded, immediate, iterates;
} asking_t;

#define POKED 1
#define SKIPPED 3

static void look(ecs_iter_t *it) {
    note_changes(it);
    if (number_of(it->table) == SKIPPED) ecs_iter_skip(it);
}
static void look_at_all(ecs_iter_t *it) {
    while (ecs_iter_next(it)) look(it);
}

// A command: it comes after the jobs, also after those that ask.
static void poke(ecs_iter_t *it) {
    const ecs_entity_t first = ecs_table_entities(tables[POKED])[0];
    if (!tick) ecs_set(it->world, first, Position, { 1, 1 });
}

static void move_even_tables(ecs_world_t *world, ecs_id_t tag) {
    for (int i = 0; i < TABLES; i += 2) {
        ecs_entity_t of_table[ROWS];
        memcpy(of_table, ecs_table_entities(tables[i]), sizeof of_table);
        for (int k = 0; k < ROWS; k++) ecs_add_id(world, of_table[k], tag);
        tables[i] = ecs_get_table(world, of_table[0]);
    }
}

static void ask(const asking_t *asking, char log[TICKS][TABLES]) {
    ecs_world_t *world = ecs_init();
    ecs_id(Position) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_TAG(world, Moving);
    make_tables(world);
    move_even_tables(world, Moving);
    if (asking->workers) ecs_set_threads(world, asking->workers);
    ecs_system_desc_t reader = { .phase = EcsOnUpdate,
        .query.expr = "[in] Position",
        .multi_threaded = asking->multi_threaded,
        .immediate = asking->immediate };
    reader.callback = asking->iterates ? NULL : look;
    reader.run = asking->iterates ? look_at_all : NULL;
    char seen[TABLES];
    reader.ctx = seen;
    ecs_entity_t systems[] = { add_system(world, "Position, Moving", 0, do_nothing, NULL, true),
        ecs_system_init(world, &reader), add_system(world, "", 0, poke, NULL, false) };
    for (tick = 0; tick < TICKS; tick++) {
        memset(seen, 0, sizeof seen);
        for (int i = 0; !asking->workers && i < 3; i++) ecs_run(world, systems[i], 1, NULL);
        if (asking->workers) ecs_progress(world, 1);
        memcpy(log[tick], seen, sizeof seen);
    }
    ecs_fini(world);
}

// Q-CHG-01, Q-CHG-11: what was passed when the first question was asked is no news in the second tick.
static void the_first_question_is_a_look(void **state) {
    (void)state;
    char log[TICKS][TABLES];
    for (int way = 0; way < 4 * 8; way++) {
        asking_t asking = { way / 8, way & 1, way & 2, way & 4 };
        ask(&asking, log);
        for (int t = 1; t < TICKS; t++) {
            for (int i = 0; i < TABLES; i++)
                assert_int_equal(log[t][i], i % 2 == 0 || i == SKIPPED || (t == 1 && i == POKED));
        }
    }
}

static void set_all(ecs_iter_t *it) {
    for (int i = 0; i < it->count; i++) ecs_set(it->world, it->entities[i], Position, { 7, 7 });
}

// Q-CHG-01: values that a merge writes where they are, past all else.
static void merged_values_are_noticed(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Position) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    for (int i = 0; i < ROWS; i++) ecs_set(world, ecs_new(world), Position, { 1, 2 });
    ecs_system(world, { .entity = ecs_entity(world, { .add = ecs_ids(ecs_dependson(EcsOnUpdate)) }),
                          .query.expr = "[in] Position",
                          .callback = set_all,
                          .multi_threaded = true });
    ecs_query_t *q = ecs_query(world, { .expr = "[in] Position",
                                          .cache_kind = EcsQueryCacheAuto,
                                          .flags = EcsQueryDetectChanges });
    assert_true(ecs_query_changed(q));
    assert_int_equal(ecs_query_count(q).entities, ROWS);
    ecs_iter_t it = ecs_query_iter(world, q);
    while (ecs_query_next(&it)) {}
    assert_false(ecs_query_changed(q));
    ecs_progress(world, 1);
    assert_true(ecs_query_changed(q));
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(systems_see_what_was_written_before),
        cmocka_unit_test(systems_begin_to_detect_after_the_first_question),
        cmocka_unit_test(the_first_question_is_a_look),
        world_test(merged_values_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
