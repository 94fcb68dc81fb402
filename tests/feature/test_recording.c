// SPDX-License-Identifier: MIT
// Events as input from other threads, the log of what ticks are given, and replaying it (tests/determinism/test_replay.c: with threads).
#include "support/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/abort.h"
#include "support/check.h"
#include "support/random.h"

static const char log_path[] = "test_recording.log", copy_path[] = "test_recording_copy.log";

typedef struct Jump {
    float height;
    int32_t feet;
    ecs_entity_t onto;
} Jump;
typedef struct Raw {
    int32_t x, y;
} Raw;
typedef struct Score {
    double value;
} Score;

static ECS_COMPONENT_DECLARE(Jump);
static ECS_COMPONENT_DECLARE(Raw);
static ECS_COMPONENT_DECLARE(Score);
static ecs_entity_t Ping, Likes, ann, bob, unnamed, dotted, hidden;

// Each event changes the state in its own way, and the order of events shows.
static void on_jump(ecs_iter_t *it) {
    const Jump *jump = it->param;
    Score *score = ecs_get_mut(it->world, it->entities[0], Score);
    score->value = score->value * 1.5 + (double)jump->height + jump->feet;
    score->value += (double)(jump->onto % 1000003);
    ecs_set(it->world, ecs_new(it->world), Score, { score->value });
}

static void on_raw(ecs_iter_t *it) {
    const Raw *raw = it->param;
    Score *score = ecs_get_mut(it->world, it->entities[0], Score);
    score->value = score->value * 3 + (raw ? raw->x - raw->y : 0.125);
}

// A pause key.
static void on_ping(ecs_iter_t *it) {
    ecs_set_time_scale(it->world, ecs_get_world_info(it->world)->time_scale > 0 ? 0 : 1);
}

static void Count(ecs_iter_t *it) {
    Score *score = ecs_field(it, Score, 0);
    for (int32_t i = 0; i < it->count; i++) score[i].value += (double)it->delta_time;
}

static void build(ecs_world_t *world) {
    ecs_id(Jump) = ecs_id(Raw) = ecs_id(Score) = 0;
    ECS_COMPONENT_DEFINE(world, Jump);
    ECS_COMPONENT_DEFINE(world, Raw);
    ECS_COMPONENT_DEFINE(world, Score);
    ecs_struct(world, { .entity = ecs_id(Jump),
                          .members = { { "height", ecs_id(ecs_f32_t) },
                              { "feet", ecs_id(ecs_i32_t) }, { "onto", ecs_id(ecs_entity_t) } } });
    Ping = ecs_entity(world, { .name = "Ping" });
    Likes = ecs_entity(world, { .name = "Likes" });
    ann = ecs_entity(world, { .name = "Ann" });
    bob = ecs_entity(world, { .name = "Bob", .parent = ann });
    unnamed = ecs_new(world);
    dotted = ecs_entity(world, { .name = "*a.b \"\n", .sep = "/" });
    hidden = ecs_entity(world, { .name = "Inner", .parent = unnamed });
    ecs_set(world, dotted, Score, { 4 });
    ecs_set(world, hidden, Score, { 5 });
    ecs_set(world, ann, Score, { 1 });
    ecs_set(world, bob, Score, { 2 });
    ecs_set(world, unnamed, Score, { 3 });
    ecs_observer(
        world, { .query.terms = { { EcsAny } }, .events = { ecs_id(Jump) }, .callback = on_jump });
    ecs_observer(world,
        { .query.terms = { { ecs_id(Score) } }, .events = { ecs_id(Raw) }, .callback = on_raw });
    ecs_observer(world, { .query.terms = { { EcsAny } }, .events = { Ping }, .callback = on_ping });
    ecs_system(world, { .query.expr = "Score", .phase = EcsOnUpdate, .callback = Count });
}

static int submit(
    ecs_world_t *world, ecs_entity_t event, ecs_entity_t entity, const void *param, size_t size) {
    ecs_type_t ids = { &ecs_id(Score), event == ecs_id(Raw) };
    return ecs_submit_event(world,
        &(ecs_event_desc_t){ .event = event, .ids = &ids, .entity = entity, .const_param = param },
        size);
}

static int submit_jump(ecs_world_t *world, ecs_entity_t entity, Jump jump) {
    return submit(world, ecs_id(Jump), entity, &jump, sizeof jump);
}

static int submit_raw(ecs_world_t *world, ecs_entity_t entity, Raw raw) {
    return submit(world, ecs_id(Raw), entity, &raw, sizeof raw);
}

static double score_of(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs_get(world, entity, Score)->value;
}

// ---- Events ----

static void triple(ecs_world_t *world, void *ctx) {
    (void)ctx;
    ecs_get_mut(world, ann, Score)->value *= 3;
}

static void events_are_told_when_the_next_tick_begins_in_their_order(void **state) {
    ecs_world_t *world = *state;
    build(world);
    Jump jump = { 0.5f, 2, 0 };
    assert_int_equal(submit_jump(world, ann, jump), 0);
    ecs_submit(world, triple, NULL, NULL);
    assert_int_equal(submit_raw(world, ann, (Raw){ 7, 4 }), 0);
    assert_int_equal(submit(world, ecs_id(Raw), ann, NULL, 0), 0);
    assert_near(score_of(world, ann), 1, 0);
    ecs_progress(world, 0.25f);
    assert_near(score_of(world, ann), ((1 * 1.5 + 2.5) * 3 * 3 + 3) * 3 + 0.125 + 0.25, 0);
    ecs_progress(world, 0.25f);
    assert_near(score_of(world, ann), ((1 * 1.5 + 2.5) * 3 * 3 + 3) * 3 + 0.125 + 0.5, 0);
}

static void delete_bob(ecs_world_t *world, void *ctx) {
    (void)ctx;
    ecs_delete(world, bob);
}

static void nobody_is_told_of_what_is_gone(void **state) {
    ecs_world_t *world = *state;
    build(world);
    submit_raw(world, bob, (Raw){ 1, 0 });
    submit(world, Ping, ann, NULL, 0);
    ecs_delete(world, bob);
    ecs_delete(world, Ping);
    ecs_progress(world, 1);
    bob = ecs_insert(world, ecs_value(Score, { 2 }));
    ecs_submit(world, delete_bob, NULL, NULL);
    submit_raw(world, bob, (Raw){ 1, 0 });
    ecs_progress(world, 1);
    assert_near(ecs_get_world_info(world)->time_scale, 1, 0);
}

enum { LATER = 5000 };
static int32_t heard;
static void make_later(ecs_iter_t *it) { ecs_make_alive(it->world, LATER); }
static void hear(ecs_iter_t *it) {
    heard++;
    ecs_set(it->world, it->entities[0], Score, { 5 });
}

static void build_for_later(ecs_world_t *world) {
    build(world);
    heard = 0;
    ecs_observer(world,
        { .query.terms = { { EcsAny } }, .events = { ecs_id(Raw) }, .callback = make_later });
    ecs_observer(world, { .query.terms = { { EcsAny } }, .events = { Ping }, .callback = hear });
}

static void who_is_made_by_an_event_hears_of_the_next(void **state) {
    ecs_world_t *world = *state, *again = ecs_init();
    build_for_later(world);
    assert_int_equal(ecs_recording_begin(world, log_path), 0);
    submit(world, Ping, LATER, NULL, 0); /* not yet */
    submit_raw(world, ann, (Raw){ 1, 0 });
    submit(world, Ping, LATER, NULL, 0);
    ecs_progress(world, 1);
    assert_int_equal(ecs_recording_end(world), 0);
    assert_int_equal(heard, 1);

    build_for_later(again);
    assert_int_equal(ecs_replay(again, log_path), 1);
    assert_int_equal(heard, 1);
    ecs_fini(again);
    assert_int_equal(remove(log_path), 0);
}

static void params_that_are_no_plain_values_are_refused_by_the_tick(void **state) {
    ecs_world_t *world = *state;
    build(world);
    ecs_entity_t Text = ecs_struct(world, { .entity = ecs_entity(world, { .name = "Text" }),
                                              .members = { { "text", ecs_id(ecs_string_t) } } });
    submit(world, ecs_id(Raw), ann, "123", 4);
    expect_error(ECS_INVALID_PARAMETER,
        "(Raw) was submitted with a param of 4 bytes, its values have 8", ecs_progress(world, 1));
    submit(world, Ping, ann, "123", 4);
    expect_error(ECS_INVALID_PARAMETER, "(Ping) was submitted with a param, but has no values",
        ecs_progress(world, 1));
    submit(world, Text, ann, &(char *){ NULL }, sizeof(char *));
    expect_error(ECS_INVALID_PARAMETER,
        "(Text) was submitted with a param, but its values have hooks", ecs_progress(world, 1));
    assert_near(score_of(world, ann), 4, 0);
}

static void incomplete_events_are_misuse(void **state) {
    ecs_world_t *world = *state;
    build(world);
    int32_t x = 0;
    ecs_event_desc_t none = { .entity = ann }, any = { .event = EcsWildcard, .entity = ann };
    ecs_event_desc_t table = { .event = Ping, .table = ecs_get_table(world, ann) };
    ecs_event_desc_t nobody = { .event = Ping }, ping = { .event = Ping, .entity = ann };
    ecs_event_desc_t both = { .event = Ping, .entity = ann, .param = &x, .const_param = &x };
    ecs_event_desc_t unsized = { .event = Ping, .entity = ann, .param = &x };
    expect_abort(ECS_INVALID_PARAMETER, ecs_submit_event(world, NULL, 0));
    expect_abort_saying(ECS_INVALID_PARAMETER, "named", ecs_submit_event(world, &none, 0));
    expect_abort_saying(ECS_INVALID_PARAMETER, "any event", ecs_submit_event(world, &any, 0));
    expect_abort_saying(ECS_INVALID_PARAMETER, "entity", ecs_submit_event(world, &table, 0));
    expect_abort_saying(ECS_INVALID_PARAMETER, "entity", ecs_submit_event(world, &nobody, 0));
    expect_abort_saying(ECS_INVALID_PARAMETER, "not both", ecs_submit_event(world, &both, 4));
    expect_abort_saying(ECS_INVALID_PARAMETER, "neither", ecs_submit_event(world, &unsized, 0));
    expect_abort_saying(ECS_INVALID_PARAMETER, "neither", ecs_submit_event(world, &ping, 4));
}

static void events_without_memory_are_refused(void **state) {
    ecs_world_t *world = *state;
    build(world);
    Raw raw = { 1, 1 };
    expect_error(ECS_OUT_OF_MEMORY, "no memory for an event with 2147483647 bytes",
        assert_int_equal(submit(world, ecs_id(Raw), ann, &raw, INT32_MAX), -1));
    ecs_log_set_level(-4);
    memory_fault_begin(1);
    assert_int_equal(submit_raw(world, ann, raw), -1);
    assert_true(memory_fault_end());
    ecs_log_set_level(-1);
    ecs_progress(world, 1);
    assert_near(score_of(world, ann), 2, 0);
}

static void events_that_were_never_told_are_released(void **state) {
    ecs_world_t *world = *state;
    build(world);
    submit_raw(world, ann, (Raw){ 1, 0 });
}

// ---- What a recording looks like ----

static void assert_file(const char *path, const char *expected) {
    char *text = ecs_os_read_file(path);
    if (!text || strcmp(text, expected)) print_error("got\n%s\nexpected\n%s\n", text, expected);
    assert_non_null(text);
    assert_string_equal(text, expected);
    ecs_os_free(text);
}

static void assert_same_files(const char *path, const char *other) {
    char *text = ecs_os_read_file(other);
    assert_file(path, text);
    ecs_os_free(text);
}

static void write_file(const char *path, const char *text, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void nothing(ecs_world_t *world, void *ctx) { (void)world, (void)ctx; }

static void a_recording_is_a_line_per_tick(void **state) {
    ecs_world_t *world = *state;
    build(world);
    ecs_set_seed(world, UINT64_MAX);
    ecs_progress(world, 1);
    char expected[2048];
    unsigned long long begin = ecs_world_hash(world), dead = ecs_new(world), end;
    ecs_delete(world, dead);
    ecs_id_t ids[] = { ecs_id(Score), ecs_pair(Likes, bob), ecs_pair(Likes, EcsWildcard),
        ECS_TOGGLE | Likes, 123456789 };
    assert_int_equal(ecs_recording_begin(world, log_path), 0);
    ecs_progress(world, 0.1f);
    submit_jump(world, bob, (Jump){ 0.1f, -3, unnamed });
    submit_raw(world, unnamed, (Raw){ 1, -1 });
    ecs_progress(world, 1e10f);
    ecs_set_time_scale(world, 0.5f);
    submit_jump(world, ann, (Jump){ 0, 0, dead });
    ecs_submit(world, nothing, NULL, NULL);
    ecs_submit_event(world,
        &(ecs_event_desc_t){ .event = Ping, .entity = ann, .ids = &(ecs_type_t){ ids, 5 } }, 0);
    expect_error(0, "cannot be recorded: use ecs_submit_event", ecs_progress(world, 1));
    end = ecs_world_hash(world);
    assert_int_equal(ecs_recording_end(world), 0);
    snprintf(expected, sizeof expected,
        "{\"muster\":\"log\",\"version\":1,\"tick\":1,\"seed\":18446744073709551615,\"hash\":\"%016llx\"}\n"
        "{\"tick\":1,\"scale\":1,\"inbox\":[],\"delta\":0.1}\n"
        "{\"tick\":2,\"scale\":1,\"inbox\":["
        "{\"event\":\"Jump\",\"entity\":\"Ann.Bob\",\"value\":{\"height\":0.1, \"feet\":-3, \"onto\":\"#%u\"}},"
        "{\"event\":\"Raw\",\"entity\":\"#%u\",\"ids\":[[\"Score\"]],\"bytes\":\"01000000ffffffff\"}"
        "],\"delta\":10000000000}\n"
        "{\"tick\":3,\"scale\":0.5,\"inbox\":["
        "{\"event\":\"Jump\",\"entity\":\"Ann\",\"bytes\":\"0000000000000000%02x%02x000000000000\"},"
        "\"function\","
        "{\"event\":\"Ping\",\"entity\":\"Ann\",\"ids\":[[\"Score\"],[\"Likes\",\"Ann.Bob\"],[\"Likes\",\"*\"],[\"toggle|Likes\"],123456789]}"
        "],\"delta\":1}\n"
        "{\"ticks\":3,\"hash\":\"%016llx\"}\n",
        begin, (unsigned)unnamed, (unsigned)unnamed, (unsigned)dead & 255, (unsigned)dead >> 8,
        end);
    assert_file(log_path, expected);
}

// ---- Replaying ----

typedef void (*play_t)(ecs_world_t *world);

// Records, then replays in a world of its own; there, recording writes the same again.
static void assert_replays(play_t play, int64_t ticks) {
    ecs_world_t *world = ecs_init();
    build(world);
    assert_int_equal(ecs_recording_begin(world, log_path), 0);
    play(world);
    uint64_t hash = ecs_world_hash(world);
    assert_int_equal(ecs_recording_end(world), 0);
    ecs_fini(world);

    world = ecs_init();
    build(world);
    assert_int_equal(ecs_recording_begin(world, copy_path), 0);
    assert_int_equal(ecs_replay(world, log_path), ticks);
    assert_int_equal(ecs_recording_end(world), 0);
    assert_hash_equal(ecs_world_hash(world), hash);
    ecs_fini(world);
    assert_same_files(copy_path, log_path);
}

static void play_events(ecs_world_t *world) {
    for (int32_t tick = 0; tick < 50; tick++) {
        for (int32_t i = 0; i < tick % 4; i++) {
            submit_jump(world, i & 1 ? ann : bob, (Jump){ 0.1f * (float)tick, i, i & 2 ? bob : 0 });
            submit_raw(world, i & 1 ? unnamed : ann, (Raw){ tick, i });
        }
        ecs_progress(world, 0.016f + 0.001f * (float)tick);
    }
}

static void play_measured(ecs_world_t *world) {
    for (int32_t tick = 0; tick < 20; tick++) ecs_progress(world, 0);
}

// By the program, and by an observer.
static void play_pauses(ecs_world_t *world) {
    for (int32_t tick = 0; tick < 20; tick++) {
        if (tick == 5) ecs_set_time_scale(world, 0.3f);
        if (tick % 7 == 0) submit(world, Ping, ann, NULL, 0);
        ecs_progress(world, 0.1f);
    }
}

// Values that JSON cannot say; what nothing leads back to; times of all kinds.
static void play_odd(ecs_world_t *world) {
    ecs_entity_t odd[] = { dotted, hidden, EcsWildcard, EcsAny, EcsChildOf };
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        submit_jump(world, dotted, (Jump){ NAN, 1, odd[i] });
        submit_jump(world, hidden, (Jump){ INFINITY, 1, odd[i] });
        submit_jump(world, ann, (Jump){ -0.0f, 1, odd[i] | (1ull << 40) });
        ecs_progress(world, (float[]){ 1e-30f, 1.0f / 3, 1e30f, -1, 16777216 }[i]);
    }
}

static void play_nothing(ecs_world_t *world) { (void)world; }

static void a_replay_is_the_same_again(void **state) {
    (void)state;
    assert_replays(play_nothing, 0);
    assert_replays(play_events, 50);
    assert_replays(play_measured, 20);
    assert_replays(play_pauses, 20);
    assert_replays(play_odd, 5);
}

static void Quit(ecs_iter_t *it) {
    if (ecs_get_world_info(it->world)->frame_count_total == 3) ecs_quit(it->world);
}

static ecs_world_t *begin_game(void) {
    ecs_world_t *world = ecs_init();
    build(world);
    return world;
}

static ecs_world_t *begin_game_that_quits(void) {
    ecs_world_t *world = begin_game();
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Quit });
    return world;
}

// Leaves a log of events in log_path.
static void record(ecs_world_t *world) {
    build(world);
    ecs_recording_begin(world, log_path);
    play_events(world);
    ecs_recording_end(world);
}

static void a_tick_that_quits_is_the_last(void **state) {
    record(*state);
    ecs_world_t *own = begin_game_that_quits(), *other = begin_game_that_quits();
    ecs_recording_begin(own, copy_path);
    while (ecs_progress(own, 1)) {}
    ecs_recording_end(own);
    ecs_fini(own);
    assert_int_equal(ecs_replay(other, copy_path), 4);
    ecs_fini(other);
    ecs_world_t *quitting = begin_game();
    ecs_submit(quitting, nothing, NULL, NULL);
    ecs_quit(quitting);
    assert_int_equal(ecs_replay(quitting, log_path), 1);
    ecs_fini(quitting);
}

static void count_call(ecs_world_t *world, void *ctx) {
    (void)world;
    ++*(int *)ctx;
}

// The recording has the events of then; what functions do is the program's business.
static void events_of_now_do_not_disturb_a_replay(void **state) {
    ecs_world_t *world = *state;
    record(world);
    ecs_world_t *other = begin_game();
    int calls = 0;
    submit_raw(other, ann, (Raw){ 1000, 0 });
    ecs_submit(other, count_call, &calls, NULL);
    assert_int_equal(ecs_replay(other, log_path), 50);
    assert_int_equal(calls, 1);
    assert_hash_equal(ecs_world_hash(other), ecs_world_hash(world));
    submit_raw(other, ann, (Raw){ 1, 0 });
    double before = score_of(other, ann);
    ecs_progress(other, 1);
    assert_near(score_of(other, ann), before * 3 + 1 + 1, 0);
    ecs_fini(other);
}

// A program that ends unexpectedly leaves a log, and the end of the world ends one.
static void recordings_without_end(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    build(world);
    ecs_recording_begin(world, log_path);
    play_events(world);
    char *text = ecs_os_read_file(log_path);
    write_file(copy_path, text, strlen(text));
    ecs_os_free(text);
    uint64_t hash = ecs_world_hash(world);
    ecs_fini(world);

    world = begin_game();
    expect_error(0, "was not ended", assert_int_equal(ecs_replay(world, copy_path), 50));
    assert_hash_equal(ecs_world_hash(world), hash);
    ecs_fini(world);

    world = begin_game();
    assert_int_equal(ecs_replay(world, log_path), 50);
    ecs_fini(world);
}

// ---- Mistakes ----

static void recordings_that_cannot_be_written(void **state) {
    ecs_world_t *world = *state;
    expect_error(ECS_INVALID_PARAMETER, "cannot be opened",
        assert_int_equal(ecs_recording_begin(world, "no/such/folder"), -1));
    expect_error(ECS_INVALID_OPERATION, "no recording to end",
        assert_int_equal(ecs_recording_end(world), -1));
    ecs_recording_begin(world, log_path);
    expect_error(ECS_INVALID_OPERATION, "a recording already",
        assert_int_equal(ecs_recording_begin(world, copy_path), -1));
    assert_int_equal(ecs_recording_end(world), 0);
    if (ecs_recording_begin(world, "/dev/full")) return;
    ecs_progress(world, 1);
    expect_error(ECS_OPERATION_FAILED, "could not be written to /dev/full",
        assert_int_equal(ecs_recording_end(world), -1));
}

static void Record(ecs_iter_t *it) { ecs_recording_begin(it->world, log_path); }

static void recordings_begin_between_ticks(void **state) {
    ecs_world_t *world = *state, *mini = ecs_mini();
    expect_abort(ECS_INVALID_OPERATION, ecs_recording_begin(mini, log_path));
    expect_abort(ECS_INVALID_OPERATION, ecs_replay(mini, log_path));
    FlecsPipelineImport(mini);
    expect_abort_saying(
        ECS_INVALID_OPERATION, "FlecsMetaImport", ecs_recording_begin(mini, log_path));
    ecs_fini(mini);
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Record });
    expect_abort(ECS_INVALID_OPERATION, ecs_progress(world, 1));
    expect_abort(ECS_INVALID_PARAMETER, ecs_recording_begin(world, NULL));
    expect_abort(ECS_INVALID_PARAMETER, ecs_replay(world, NULL));
    ecs_frame_begin(world, 1);
    expect_abort(ECS_INVALID_OPERATION, ecs_replay(world, log_path));
    ecs_frame_end(world);
}

static void a_replay_refuses_what_was_recorded_elsewhere(void **state) {
    ecs_world_t *world = *state;
    build(world);
    ecs_recording_begin(world, log_path);
    ecs_recording_end(world);
    expect_error(ECS_INVALID_PARAMETER, "cannot be read",
        assert_int_equal(ecs_replay(world, "no such file"), -1));
    ecs_set_seed(world, 5);
    expect_error(ECS_INVALID_PARAMETER, "the seed was another one, now it is 5",
        assert_int_equal(ecs_replay(world, log_path), -1));
    ecs_set_seed(world, 0);
    ecs_set(world, ann, Score, { 17 });
    expect_error(ECS_INVALID_PARAMETER, "the world was in another state, now it is",
        assert_int_equal(ecs_replay(world, log_path), -1));
    ecs_set(world, ann, Score, { 1 });
    assert_int_equal(ecs_replay(world, log_path), 0);
    ecs_progress(world, 1);
    expect_error(ECS_INVALID_PARAMETER, "the world was at another tick, now it is at 1",
        assert_int_equal(ecs_replay(world, log_path), -1));
}

static void one_more(ecs_world_t *world, void *ctx) {
    (void)ctx;
    ecs_new(world);
}

static void a_replay_that_ends_elsewhere_says_so(void **state) {
    ecs_world_t *world = *state;
    record(world);
    world = begin_game();
    ecs_submit(world, one_more, NULL, NULL);
    expect_error(ECS_INVALID_PARAMETER, "line 52, column 20: the world ended in another state",
        assert_int_equal(ecs_replay(world, log_path), -1));
    ecs_fini(world);
}

// A log of two ticks with `line` as the second one.
typedef struct mistake_t {
    const char *line, *message;
} mistake_t;

#define TICK(inbox) "{\"tick\":1,\"scale\":1,\"inbox\":[" inbox "],\"delta\":1}"
#define EVENT(rest) TICK("{\"event\":" rest "}")
#define RAW(rest) EVENT("\"Raw\",\"entity\":\"Ann\"" rest)

static const mistake_t mistakes[] = {
    { "{\"tick\":2,\"scale\":1,\"inbox\":[],\"delta\":1}", "column 1: tick 1 expected" },
    { "{\"tick\":1e400,\"scale\":1,\"inbox\":[],\"delta\":1}", "column 9: " },
    { "{\"tick\":18446744073709551617,\"scale\":1,\"inbox\":[],\"delta\":1}", "column 9: " },
    { "{\"tick\":x", "column 9: value expected" },
    { "{\"Tick\":1", "column 1: '{\"tick\":' expected" },
    { "", "column 1: '{\"tick\":' expected" },
    { "{\"tick\":1,\"scale\":-1,\"inbox\":[],\"delta\":1}", "a time scale is not negative" },
    { "{\"tick\":1,\"scale\":1,\"inbox\":[],\"delta\":\"NaN\"}", "a tick simulates some time" },
    { "{\"tick\":1,\"scale\":\"NaN\",\"inbox\":[],\"delta\":1}", "a time scale is not negative" },
    { "{\"tick\":1,\"scale\":[],\"inbox\":[],\"delta\":1}", "column 19: " },
    { "{\"tick\":1,\"scale\":1,\"inbox\":[],\"delta\":0}", "a tick simulates some time" },
    { "{\"tick\":1,\"scale\":1,\"inbox\":[],\"delta\":1", "column 41: '}' expected" },
    { "{\"tick\":1,\"scale\":1,\"inbox\":[],\"delta\":1} ", "column 42: the line should end here" },
    { "{\"tick\":1,\"scale\":1,\"inbox\":[,\"delta\":1", "'{\"event\":' expected" },
    { "{\"tick\":1,\"scale\":1,\"inbox\":[", "'{\"event\":' expected" },
    { TICK("\"function\"\"function\""), "',' expected" },
    { TICK("{\"job\":1}"), "there is no such job in the background" },
    { TICK("{\"job\":1e99}"), "column 37: " },
    { EVENT("\"Nobody\""), "there is no entity 'Nobody'" },
    { EVENT("\"*\""), "column 39: there is no such entity" },
    { EVENT("0"), "there is no such entity" },
    { EVENT("99999999999"), "there is no such entity" },
    { EVENT("9223373763431629204"), "there is no such entity" },
    { EVENT("\"Raw\",\"entity\":\"*\""), "there is no such entity" },
    { EVENT("\"Raw\",\"entity\":\"Ann\",\"ids\":[[]]"), "an id has one or two names" },
    { EVENT("\"Raw\",\"entity\":\"Ann\",\"ids\":[\"Score\""), "',' expected" },
    { EVENT("\"Ping\",\"entity\":\"Ann\",\"bytes\":\"00\""), "cannot have a param, see above" },
    { RAW(",\"value\":{\"x\":1}"), "\"bytes\" expected" },
    { RAW(",\"bytes\":\"0102\""), "8 bytes in hexadecimal expected" },
    { RAW(",\"bytes\":\"000000000000000G\""), "8 bytes in hexadecimal expected" },
    { RAW(",\"bytes\":\"0000000000000000ff\""), "'\"' expected" },
    { EVENT("\"Jump\",\"entity\":\"Ann\",\"value\":{\"heigth\":1}"), "heigth" },
    { EVENT("\"Jump\",\"entity\":\"Ann\",\"value\":{\"feet\":1e30}"), "column 77: " },
    { "{\"ticks\":2,\"hash\":\"0123456789abcdef\"}", "1 ticks were there" },
    { "{\"ticks\":1,\"hash\":0}", "the world ended in another state" },
};

static void a_mistake_in_a_log_is_told_with_its_place(void **state) {
    ecs_world_t *world = *state;
    build(world);
    char head[256], text[1024];
    snprintf(head, sizeof head,
        "{\"muster\":\"log\",\"version\":1,\"tick\":0,\"seed\":0,\"hash\":\"%016llx\"}\n"
        "{\"tick\":0,\"scale\":1,\"inbox\":[],\"delta\":1}\n",
        (unsigned long long)ecs_world_hash(world));
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        ecs_world_t *other = ecs_init();
        build(other);
        int length = snprintf(text, sizeof text, "%s%s\n", head, mistakes[i].line);
        write_file(log_path, text, (size_t)length);
        ecs_log_start_capture(true);
        int64_t ticks = ecs_replay(other, log_path);
        char *messages = ecs_log_stop_capture();
        bool is_told = messages && strstr(messages, mistakes[i].message) &&
                       strstr(messages, "test_recording.log: line 3, column ");
        if (ticks != -1 || !is_told) print_error("%s\ngave %s\n", mistakes[i].line, messages);
        assert_int_equal(ticks, -1);
        assert_true(is_told);
        assert_near(score_of(other, ann), 2, 0);
        assert_int_equal(ecs_get_world_info(other)->frame_count_total, 1);
        ecs_os_free(messages);
        ecs_fini(other);
    }
    static const mistake_t heads[] = { { "", "'{\"muster\":" }, { "{}", "'{\"muster\":" },
        { "{\"muster\":\"log\",\"version\":2", "column 28: version 1 expected" },
        { "{\"muster\":\"log\",\"version\":1}", "',\"tick\":' expected" },
        { "{\"muster\":\"log\",\"version\":1,\"tick\":0,\"seed\":-1", "column 45: " } };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        write_file(log_path, heads[i].line, strlen(heads[i].line));
        expect_error(ECS_INVALID_PARAMETER, heads[i].message,
            assert_int_equal(ecs_replay(world, log_path), -1));
    }
}

// ---- Damage ----

static char *record_events(size_t *length) {
    ecs_world_t *world = ecs_init();
    build(world);
    ecs_recording_begin(world, log_path);
    submit_jump(world, bob, (Jump){ 0.5f, 1, ann });
    ecs_progress(world, 0.5f);
    submit_raw(world, unnamed, (Raw){ 2, 1 });
    ecs_progress(world, 0.5f);
    ecs_recording_end(world);
    ecs_fini(world);
    char *text = ecs_os_read_file(log_path);
    *length = strlen(text);
    return text;
}

// Whatever the file says: an answer, and a world in order.
static int64_t replay_text(const char *text, size_t length) {
    write_file(log_path, text, length);
    ecs_world_t *world = ecs_init();
    build(world);
    ecs_log_start_capture(true);
    int64_t ticks = ecs_replay(world, log_path);
    ecs_os_free(ecs_log_stop_capture());
    assert_true(ecs_world_verify(world));
    ecs_progress(world, 1);
    ecs_fini(world);
    return ticks;
}

static void a_log_may_be_cut_off_anywhere(void **state) {
    (void)state;
    size_t length;
    char *text = record_events(&length);
    int64_t ticks = -1;
    for (size_t cut = 0; cut < length; cut++) {
        bool is_line = cut && text[cut - 1] == '\n';
        ticks += is_line;
        assert_int_equal(replay_text(text, cut), is_line ? ticks : -1);
    }
    assert_int_equal(ticks, 2);
    assert_int_equal(replay_text(text, length), 2);
    ecs_os_free(text);
}

static void a_log_may_be_damaged_anywhere(void **state) {
    (void)state;
    static const char digits[] = "0123456789{}[]\",:.eE-+#*\\ \n";
    size_t length;
    char *text = record_events(&length);
    char *damaged = malloc(length + 64);
    random_t random = random_init(random_seed());
    for (int i = random_tries(500); i > 0; i--) {
        memcpy(damaged, text, length);
        size_t size = length;
        for (int changes = 1 + random_below(&random, 3); changes > 0; changes--) {
            size_t at = (size_t)random_below(&random, (int32_t)size);
            size_t to = (size_t)random_below(&random, (int32_t)size);
            size_t part = (size_t)random_below(&random, (int32_t)(size - (at > to ? at : to))) % 16;
            switch (random_below(&random, 4)) {
            case 0: damaged[at] = (char)random_next(&random); break;
            case 1: damaged[at] = digits[random_below(&random, sizeof digits - 1)]; break;
            case 2:
                memmove(damaged + at, text + to, part);
                break; /* some part instead of another */
            default:   /* a part twice */
                memmove(damaged + at + part, damaged + at, size - at);
                size += part;
                break;
            }
        }
        replay_text(damaged, size);
    }
    free(damaged);
    ecs_os_free(text);
}

static void end_quietly(void) { _exit(ecs_log_last_error() == ECS_OUT_OF_MEMORY ? 1 : 3); }

// Whichever allocation fails, the replay tells, or the program ends for lack of memory.
static void a_replay_without_memory_ends_in_order(void **state) {
    ecs_world_t *world = *state;
    size_t length;
    ecs_os_free(record_events(&length));
    build(world);
    for (int n = 1, status = 0; WEXITSTATUS(status) != 2; n++) {
        fflush(NULL);
        if (!fork()) {
            ecs_os_api.abort_ = end_quietly;
            ecs_log_set_level(-5);
            memory_fault_begin(n);
            int64_t ticks = ecs_replay(world, log_path);
            if (!memory_fault_end()) _exit(ticks == 2 ? 2 : 3);
            _exit(ecs_world_verify(world) ? 0 : 3);
        }
        assert_true(wait(&status) > 0 && WIFEXITED(status));
        assert_true(WEXITSTATUS(status) < 3);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(events_are_told_when_the_next_tick_begins_in_their_order),
        world_test(nobody_is_told_of_what_is_gone),
        world_test(who_is_made_by_an_event_hears_of_the_next),
        world_test(params_that_are_no_plain_values_are_refused_by_the_tick),
        world_test(incomplete_events_are_misuse),
        world_test(events_without_memory_are_refused),
        world_test(events_that_were_never_told_are_released),
        world_test(a_recording_is_a_line_per_tick),
        cmocka_unit_test(a_replay_is_the_same_again),
        world_test(a_tick_that_quits_is_the_last),
        world_test(events_of_now_do_not_disturb_a_replay),
        cmocka_unit_test(recordings_without_end),
        world_test(recordings_that_cannot_be_written),
        world_test(recordings_begin_between_ticks),
        world_test(a_replay_refuses_what_was_recorded_elsewhere),
        world_test(a_replay_that_ends_elsewhere_says_so),
        world_test(a_mistake_in_a_log_is_told_with_its_place),
        cmocka_unit_test(a_log_may_be_cut_off_anywhere),
        cmocka_unit_test(a_log_may_be_damaged_anywhere),
        world_test(a_replay_without_memory_ends_in_order),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove(log_path);
    remove(copy_path);
    return failed;
}
