// SPDX-License-Identifier: MIT
// What ticks tell about themselves: traces for viewers, work and span, predictions.
#include "support/world.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Mass {
    float value;
} Mass;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Mass);

static void burn(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    for (int32_t i = 0; i < it->count; i++) {
        for (int k = 0; k < 20; k++) p[i].x = p[i].x * 0.5f + 1;
    }
}

static void nothing(ecs_iter_t *it) { (void)it; }

static void spawn(ecs_iter_t *it) { ecs_new_w_id(it->world, ecs_id(Mass)); }

static ecs_entity_t add_system(
    ecs_world_t *world, const char *name, const char *expr, ecs_iter_action_t run, bool threads) {
    return ecs_system(world,
        { .entity = ecs_entity(world, { .name = name, .add = ecs_ids(ecs_dependson(EcsOnUpdate)) }),
            .query.expr = expr,
            .callback = run,
            .multi_threaded = threads });
}

static void set_up(ecs_world_t *world, int32_t rows) {
    ecs_id(Position) = ecs_id(Mass) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Mass);
    ecs_bulk_new(world, Position, rows);
    add_system(world, "Burn \"hot\"", "Position", burn, true);
    add_system(world, "Spawn", NULL, spawn, false);
    add_system(world, "Weigh", "[in] Mass", nothing, false);
}

// ---- A reader of JSON that only knows what is well formed, and counts ----

typedef struct reader_t {
    const char *at;
    int32_t objects;
    bool broken;
} reader_t;

static void skip_space(reader_t *reader) {
    while (*reader->at == ' ' || *reader->at == '\n') reader->at++;
}

static void expect_char(reader_t *reader, char c) {
    skip_space(reader);
    if (*reader->at == c)
        reader->at++;
    else
        reader->broken = true;
}

static void read_text(reader_t *reader) {
    expect_char(reader, '"');
    while (!reader->broken && *reader->at != '"') {
        if (*reader->at == '\\') reader->at++;
        if ((unsigned char)*reader->at < 0x20) reader->broken = true;
        reader->at++;
    }
    expect_char(reader, '"');
}

static void read_value(reader_t *reader);

static void read_list(reader_t *reader, char close, bool has_keys) {
    reader->at++;
    skip_space(reader);
    while (!reader->broken && *reader->at != close) {
        if (has_keys) {
            read_text(reader);
            expect_char(reader, ':');
        }
        read_value(reader);
        skip_space(reader);
        if (*reader->at != close) expect_char(reader, ',');
    }
    expect_char(reader, close);
}

static void read_value(reader_t *reader) {
    skip_space(reader);
    if (reader->broken || !*reader->at) {
        reader->broken = true;
    } else if (*reader->at == '{') {
        reader->objects++;
        read_list(reader, '}', true);
    } else if (*reader->at == '[') {
        read_list(reader, ']', false);
    } else if (*reader->at == '"') {
        read_text(reader);
    } else {
        char *end;
        strtod(reader->at, &end);
        reader->broken = end == reader->at;
        reader->at = end;
    }
}

static void assert_json(const char *text) {
    reader_t reader = { .at = text };
    read_value(&reader);
    skip_space(&reader);
    assert_false(reader.broken);
    assert_int_equal(*reader.at, 0);
    assert_true(reader.objects > 4);
}

static int32_t count_of(const char *text, const char *what) {
    int32_t count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what)) count++;
    return count;
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = ecs_os_calloc(1 << 20);
    size_t size = fread(text, 1, (1 << 20) - 1, file);
    assert_true(size < (1 << 20) - 1);
    fclose(file);
    return text;
}

// ---- Traces ----

static char *take_trace(ecs_world_t *world, int32_t ticks) {
    const char *path = "muster_test_trace.json";
    ecs_trace_begin(world);
    for (int32_t i = 0; i < ticks; i++) ecs_progress(world, 1);
    assert_int_equal(ecs_trace_end(world, path), 0);
    char *text = read_file(path);
    remove(path);
    return text;
}

static void a_trace_shows_ticks_systems_and_merges(void **state) {
    ecs_world_t *world = *state;
    set_up(world, 20000);
    for (int32_t workers = 1; workers <= 3; workers++) {
        ecs_set_threads(world, workers);
        ecs_progress(world, 1);
        char *text = take_trace(world, 3);
        assert_json(text);
        assert_int_equal(count_of(text, "\"name\":\"tick\""), 3);
        assert_int_equal(count_of(text, "\"name\":\"Spawn\""), 3);
        assert_int_equal(count_of(text, "\"name\":\"Weigh\""), 3);
        int32_t quanta = count_of(text, "\"name\":\"Burn \\\"hot\\\"\"");
        assert_true(quanta >= 6 && quanta % 3 == 0);
        assert_int_equal(count_of(text, "\"quantum\":0"), 3);
        assert_int_equal(count_of(text, "\"name\":\"merge: "), 6);
        assert_int_equal(count_of(text, "Spawn runs on other threads than Burn"), 3);
        assert_int_equal(count_of(text, "\"thread_name\""), workers);
        ecs_os_free(text);
    }
}

static void a_trace_shows_fixed_steps(void **state) {
    ecs_world_t *world = *state;
    set_up(world, 10);
    ecs_entity_t step =
        ecs_set_fixed_step(world, ecs_entity(world, { .name = "Physics" }), 0.25f, 8);
    ecs_set_tick_source(world, ecs_lookup(world, "Spawn"), step);
    char *text = take_trace(world, 2);
    assert_json(text);
    assert_int_equal(count_of(text, "\"name\":\"step of Physics\",\"cat\":\"step\""), 8);
    assert_int_equal(count_of(text, "\"name\":\"Spawn\""), 8);
    ecs_os_free(text);
}

// Names may hold anything, and those of fused systems are one.
static void a_trace_names_fused_systems_together(void **state) {
    ecs_world_t *world = *state;
    set_up(world, 100000);
    ecs_entity_t cool = add_system(world, "Cool\\\t", "Position", burn, true);
    ecs_add_id(world, cool, EcsPreUpdate);
    ecs_remove_pair(world, cool, EcsDependsOn, EcsOnUpdate);
    ecs_add_pair(world, cool, EcsDependsOn, EcsPreUpdate);
    ecs_progress(world, 1);
    char *text = take_trace(world, 1);
    assert_json(text);
    assert_true(count_of(text, "\"name\":\"Cool\\\\\\u0009 + Burn \\\"hot\\\"\"") > 1);
    ecs_os_free(text);
    text = ecs_schedule_dot(world, 0);
    assert_non_null(
        strstr(text, "n1_0 -> n1_1;")); /* those of the main thread, one after the other */
    ecs_os_free(text);
}

static void a_trace_names_systems_that_are_gone(void **state) {
    ecs_world_t *world = *state;
    set_up(world, 10);
    ecs_entity_t gone = add_system(world, "Gone", "Position", nothing, false);
    const char *path = "muster_test_trace.json";
    ecs_trace_begin(world);
    ecs_progress(world, 1);
    ecs_delete(world, gone);
    ecs_progress(world, 1);
    ecs_set_threads(world, 2); /* more workers than when it began */
    ecs_progress(world, 1);
    assert_int_equal(ecs_trace_end(world, path), 0);
    char *text = read_file(path);
    assert_json(text);
    assert_int_equal(count_of(text, "\"name\":\"Gone\""), 1);
    assert_int_equal(count_of(text, "\"name\":\"tick\""), 3);
    ecs_os_free(text);
    remove(path);
}

// The frame began before the trace did: it is no tick of this trace.
static void a_trace_may_begin_again_in_a_frame(void **state) {
    ecs_world_t *world = *state;
    set_up(world, 10);
    const char *path = "muster_test_trace.json";
    ecs_trace_begin(world);
    ecs_frame_begin(world, 1);
    assert_int_equal(ecs_trace_end(world, NULL), 0);
    ecs_trace_begin(world);
    ecs_frame_end(world);
    ecs_progress(world, 1);
    assert_int_equal(ecs_trace_end(world, path), 0);
    char *text = read_file(path);
    remove(path);
    assert_json(text);
    assert_int_equal(count_of(text, "\"name\":\"tick\""), 1);
    ecs_os_free(text);
}

static void traces_that_cannot_be_written_are_errors(void **state) {
    ecs_world_t *world = *state;
    set_up(world, 10);
    ecs_log_set_level(-4);
    assert_int_equal(ecs_trace_end(world, "none"), -1); /* none was begun */
    assert_int_equal(ecs_log_last_error(), ECS_INVALID_OPERATION);
    ecs_trace_begin(world);
    ecs_progress(world, 1);
    assert_int_equal(ecs_trace_end(world, "/there/is/no/such/folder"), -1);
    assert_int_equal(ecs_trace_end(world, "none"), -1); /* it is gone */
    ecs_log_set_level(-1);
    ecs_trace_begin(world);
    ecs_trace_begin(world); /* again from the start */
    assert_int_equal(ecs_trace_end(world, NULL), 0);
    ecs_trace_begin(world); /* freed with the world */
    ecs_progress(world, 1);
}

// ---- Work and span ----

static void work_and_span_are_measured(void **state) {
    ecs_world_t *world = *state;
    set_up(world, 100000);
    for (int32_t workers = 1; workers <= 4; workers *= 2) {
        ecs_set_threads(world, workers);
        ecs_work_span(world);
        for (int i = 0; i < 5; i++) ecs_progress(world, 1);
        ecs_work_span_t figures = ecs_work_span(world);
        assert_true(figures.work_s > 1e-5 && figures.work_s < 10);
        assert_true(figures.span_s > 0 && figures.span_s < figures.work_s);
        assert_true(figures.burden_s >= 0);
        /* Nothing has been recorded since; the figures before that stay. */
        double one = ecs_predict_tick(world, 1), many = ecs_predict_tick(world, 64);
        assert_near(one, figures.work_s + figures.burden_s, 1e-9);
        assert_true(many < one && many > figures.span_s);
        ecs_work_span_t none = ecs_work_span(world);
        assert_true(none.work_s == 0 && none.span_s == 0 && none.burden_s == 0);
    }
}

static void first_ticks_are_measured_unasked(void **state) {
    ecs_world_t *world = *state;
    set_up(world, 1000);
    assert_true(ecs_predict_tick(world, 2) == 0);
    ecs_progress(world, 1);
    assert_true(ecs_predict_tick(world, 2) > 0);
    assert_true(ecs_work_span(world).work_s > 0);
}

static void a_chain_that_cannot_be_shared_is_span(void **state) {
    ecs_world_t *world = *state;
    set_up(world, 0);
    add_system(world, "Slow", NULL, spawn, true); /* no rows to split */
    ecs_set_threads(world, 2);
    for (int i = 0; i < 4; i++) ecs_progress(world, 1);
    ecs_work_span_t figures = ecs_work_span(world);
    assert_near(figures.span_s, figures.work_s, 1e-9);
}

#define MANY 50000

static void mark_others(ecs_iter_t *it) {
    const ecs_entity_t *others = it->ctx;
    for (int32_t i = 0; i < MANY; i++) ecs_add_id(it->world, others[i], it->ids[0]);
}

// The system has one row, so the merge is all that workers share.
static void shared_parts_of_merges_are_not_span(void **state) {
    ecs_world_t *world = *state;
    static ecs_entity_t others[MANY];
    ecs_entity_t other = ecs_new(world), mark = ecs_new(world);
    for (int32_t i = 0; i < MANY; i++) others[i] = ecs_new_w_id(world, other);
    ecs_add_id(world, ecs_new(world), mark);
    ecs_system(world, { .entity = ecs_entity(world, { .add = ecs_ids(ecs_dependson(EcsOnUpdate)) }),
                          .query.terms = { { mark } },
                          .callback = mark_others,
                          .ctx = others,
                          .multi_threaded = true });
    ecs_set_threads(world, 2);
    ecs_progress(world, 1);
    assert_true(ecs_has_id(world, others[MANY - 1], mark));
    ecs_work_span_t figures = ecs_work_span(world);
    assert_true(figures.span_s > 0 && figures.span_s < figures.work_s);
}

static void predictions_need_a_worker(void **state) {
    ecs_world_t *world = *state;
    expect_abort(ECS_INVALID_PARAMETER, ecs_predict_tick(world, 0));
    assert_true(world);
}

static void times_of_merges_are_summed(void **state) {
    ecs_world_t *world = *state;
    set_up(world, 10);
    ecs_progress(world, 1);
    assert_true(ecs_get_world_info(world)->merge_time_total == 0);
    ecs_measure_system_time(world, true);
    ecs_progress(world, 1);
    const ecs_world_info_t *info = ecs_get_world_info(world);
    assert_true(info->merge_time_total > 0 && info->system_time_total > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(a_trace_shows_ticks_systems_and_merges),
        world_test(a_trace_shows_fixed_steps),
        world_test(a_trace_names_fused_systems_together),
        world_test(a_trace_names_systems_that_are_gone),
        world_test(a_trace_may_begin_again_in_a_frame),
        world_test(traces_that_cannot_be_written_are_errors),
        world_test(work_and_span_are_measured),
        world_test(first_ticks_are_measured_unasked),
        world_test(a_chain_that_cannot_be_shared_is_span),
        world_test(shared_parts_of_merges_are_not_span),
        world_test(predictions_need_a_worker),
        world_test(times_of_merges_are_summed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
