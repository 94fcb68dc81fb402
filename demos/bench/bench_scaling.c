// SPDX-License-Identifier: MIT
// bench_scaling: how much faster workers are when there is something to compute.
//
// Entities with Work, of which each row costs some rounds; systems take one step in each row. By hand
// the same is done by a team of spinning threads that claim pieces of the same rows.
#include "bench.h"
#include "scene.h"
#include "team.h"

#include <stdatomic.h>
#include <stdlib.h>

typedef enum {
    EVEN,     // each row costs the same
    TAIL,     // the last tenth costs ten times as much
    LINEAR,   // from nothing to twice the mean
    READERS,  // any_thread systems that read, each as a whole
    RECORDER, // one system that sets a component in each row, through commands
} shape_t;

typedef struct {
    shape_t shape;
    int32_t tables, rows, systems, rounds;
} plan_t;

// Numbers that threads write next to each other would share cache lines.
typedef struct {
    _Alignas(64) uint64_t value;
} padded_t;

typedef struct {
    Work *at;
    int32_t count;
} span_t;

typedef struct {
    ecs_world_t *world;
    plan_t plan;
    int32_t workers;
    int64_t ticks, hand_ticks;
    padded_t *sums; // of the readers, one per system
    span_t *spans;  // pieces of tables, claimed by hand
    int32_t span_count, claim;
    _Atomic int32_t claimed;
} scaling_t;

enum { PIECE = 512 };

static const plan_t plans[] = {
    { EVEN, 1, 10000, 100, 4 },
    { EVEN, 1, 1000000, 1, 20 },
    { EVEN, 10000, 100, 1, 20 },
    { TAIL, 1, 1000000, 1, 10 },
    { LINEAR, 1, 1000000, 1, 20 },
    { EVEN, 20000, 1, 1, 400 },
    { READERS, 1, 10000, 50, 4 },
    { RECORDER, 1, 100000, 1, 20 },
};

// ---- Systems ----

static void Step(ecs_iter_t *it) { scene_work(ecs_field(it, Work, 0), it->count); }

static uint64_t read_all(const Work *work, int32_t count, uint64_t sum) {
    for (int32_t i = 0; i < count; i++) {
        Work copy = work[i];
        scene_work(&copy, 1);
        sum += copy.value;
    }
    return sum;
}

static void Read(ecs_iter_t *it) {
    padded_t *sum = it->ctx;
    sum->value = read_all(ecs_field(it, Work, 0), it->count, 0);
}

static void Record(ecs_iter_t *it) {
    Work *work = ecs_field(it, Work, 0);
    scene_work(work, it->count);
    for (int32_t i = 0; i < it->count; i++) {
        ecs_set(it->world, it->entities[i], Position, { (float)work[i].steps, 0 });
    }
}

static void add_system(const scaling_t *state, int32_t index) {
    shape_t shape = state->plan.shape;
    ecs_system(state->world, { .query.expr = shape == READERS    ? "[in] Work"
                                             : shape == RECORDER ? "Work, [out] Position()"
                                                                 : "Work",
                                 .callback = shape == READERS    ? Read
                                             : shape == RECORDER ? Record
                                                                 : Step,
                                 .ctx = &state->sums[index],
                                 .phase = EcsOnUpdate,
                                 .any_thread = shape == READERS,
                                 .multi_threaded = shape != READERS });
}

// ---- Rows ----

static int32_t rounds_of(const plan_t *plan, int32_t row) {
    if (plan->shape == TAIL) return row >= plan->rows / 10 * 9 ? 10 * plan->rounds : plan->rounds;
    if (plan->shape == LINEAR) {
        return 1 + (int32_t)((int64_t)2 * plan->rounds * row / plan->rows);
    }
    return plan->rounds;
}

static void add_rows(const scaling_t *state) {
    const plan_t *plan = &state->plan;
    Work *work = bench_array((size_t)plan->rows, sizeof *work);
    Position *positions = bench_array((size_t)plan->rows, sizeof *positions);
    for (int32_t i = 0; i < plan->rows; i++) {
        work[i] = (Work){ .value = (uint64_t)i + 1, .rounds = rounds_of(plan, i) };
    }
    for (int32_t t = 0; t < plan->tables; t++) {
        ecs_entity_t tag = ecs_new(state->world);
        ecs_bulk_init(state->world, &(ecs_bulk_desc_t){ .count = plan->rows,
                                        .ids = { ecs_id(Work), ecs_id(Position), tag },
                                        .data = (void *[]){ work, positions, NULL } });
    }
    free(positions);
    free(work);
}

static void add_pieces(scaling_t *state, Work *work, int32_t count) {
    for (int32_t row = 0; row < count; row += PIECE) {
        int32_t rest = count - row;
        state->spans[state->span_count++] = (span_t){ work + row, rest < PIECE ? rest : PIECE };
    }
}

// Pieces of the columns themselves, so that placement in memory is the same.
static void find_pieces(scaling_t *state) {
    const plan_t *plan = &state->plan;
    int32_t most = plan->tables * (plan->rows / PIECE + 1);
    state->spans = bench_array((size_t)most, sizeof(span_t));
    ecs_iter_t it = ecs_each(state->world, Work);
    while (ecs_each_next(&it)) add_pieces(state, ecs_field(&it, Work, 0), it.count);
}

static void set_up(bench_run_t *run) {
    scaling_t *state = run->state = bench_array(1, sizeof *state);
    state->plan = plans[run->bench->size];
    state->world = scene_world();
    state->workers = 1;
    plan_t *plan = &state->plan;
    if (plan->tables > 1) {
        plan->tables = bench_scale(run, plan->tables);
    } else {
        plan->rows = bench_scale(run, plan->rows);
    }
    state->sums = bench_array((size_t)plan->systems, sizeof(padded_t));
    for (int32_t i = 0; i < plan->systems; i++) add_system(state, i);
    add_rows(state);
    find_pieces(state);
}

// ---- Checks ----

static void check_row(bench_run_t *run, const Work *work, int32_t row, int32_t steps) {
    Work expected = { .value = (uint64_t)row + 1, .rounds = work->rounds };
    bool sample = row < 10; // the others took as many steps, computed by the same loop
    for (int32_t i = 0; sample && i < steps; i++) scene_work(&expected, 1);
    if (work->steps != steps || (sample && work->value != expected.value)) {
        bench_wrong(run, "row %d took %d steps instead of %d, or computed something else", (int)row,
            (int)work->steps, (int)steps);
    }
}

static void check(bench_run_t *run) {
    scaling_t *state = run->state;
    const plan_t *plan = &state->plan;
    int64_t steps = (state->ticks + state->hand_ticks) * plan->systems;
    steps = plan->shape == READERS ? 0 : steps;
    ecs_iter_t it = ecs_each(state->world, Work);
    while (ecs_each_next(&it)) {
        const Work *work = ecs_field(&it, Work, 0);
        for (int32_t i = 0; i < it.count; i++) check_row(run, &work[i], i, (int32_t)steps);
        if (plan->shape != READERS) continue;
        uint64_t expected = read_all(work, it.count, 0);
        for (int32_t s = 0; s < plan->systems; s++) {
            if (state->sums[s].value != expected)
                bench_wrong(run, "system %d read wrongly", (int)s);
        }
    }
    if (plan->shape != RECORDER) return;
    it = ecs_each(state->world, Position);
    while (ecs_each_next(&it)) {
        const Position *p = ecs_field(&it, Position, 0);
        for (int32_t i = 0; i < it.count; i++) {
            if (p[i].x != (float)steps) bench_wrong(run, "a recorded value was not set");
        }
    }
}

static void tear_down(bench_run_t *run) {
    scaling_t *state = run->state;
    check(run);
    ecs_fini(state->world);
    free(state->spans);
    free(state->sums);
    free(state);
}

// ---- Measuring ----

static double tick_ns(bench_run_t *run) {
    scaling_t *state = run->state;
    scene_set_workers(state->world, run->workers, &state->workers, &state->ticks);
    return scene_tick(state->world, 2, &state->ticks) * 1e-6;
}

static void step_claimed(void *ctx, int32_t member) {
    scaling_t *state = ctx;
    int32_t begin;
    (void)member;
    while ((begin = atomic_fetch_add(&state->claimed, state->claim)) < state->span_count) {
        int32_t end = begin + state->claim;
        for (int32_t i = begin; i < end && i < state->span_count; i++) {
            scene_work(state->spans[i].at, state->spans[i].count);
        }
    }
}

static void read_claimed(void *ctx, int32_t member) {
    scaling_t *state = ctx;
    int32_t system;
    (void)member;
    while ((system = atomic_fetch_add(&state->claimed, 1)) < state->plan.systems) {
        uint64_t sum = 0;
        for (int32_t i = 0; i < state->span_count; i++) {
            sum = read_all(state->spans[i].at, state->spans[i].count, sum);
        }
        state->sums[system].value = sum;
    }
}

static void tick_by_hand(scaling_t *state, team_t *team) {
    bool readers = state->plan.shape == READERS;
    for (int32_t i = 0; i < (readers ? 1 : state->plan.systems); i++) {
        atomic_store(&state->claimed, 0);
        team_run(team, readers ? read_claimed : step_claimed, state);
    }
    state->hand_ticks++;
}

static double tick_by_hand_ns(bench_run_t *run) {
    scaling_t *state = run->state;
    team_t *team = team_create(run->workers, true);
    state->claim = state->span_count / (run->workers * 32) + 1;
    tick_by_hand(state, team);
    double start = bench_now();
    for (int32_t i = 0; i < 2; i++) tick_by_hand(state, team);
    double time_ns = bench_now() - start;
    team_destroy(team);
    return time_ns / 2 * 1e-6;
}

#define SCALING(name_, row_, plan_, goal_, about_)                                            \
    {                                                                                         \
        .name = "scaling/" name_, .row = row_, .unit = "ms/tick", .about = about_,            \
        .limit_is = "spinning threads that claim pieces of rows", .goal_kind = GOAL_SPEED_UP, \
        .goal = goal_, .setup = set_up, .ours = tick_ns, .limit = tick_by_hand_ns,            \
        .teardown = tear_down, .with_workers = true, .size = plan_                            \
    }

const bench_t bench_scaling[] = {
    SCALING("100_systems", "26", 0, 1.85, "100 multithreaded systems over 10 000 entities"),
    SCALING("1_table", "27", 1, 1.95, "1 000 000 entities that compute, in one table"),
    SCALING("10000_tables", "27", 2, 1.95, "1 000 000 entities that compute, in 10 000 tables"),
    SCALING(
        "skewed_tail", "28", 3, 1.93, "1 000 000 entities, the last tenth costs ten times more"),
    SCALING("skewed_linear", "28", 4, 1.90, "1 000 000 entities, cost grows from first to last"),
    SCALING("lone_entities", "29", 5, 1.9, "20 000 tables of one heavy entity"),
    SCALING("50_readers", "30", 6, 1.85, "50 unsplit systems that read the same 10 000 entities"),
    { .name = "scaling/recording",
        .row = "31",
        .unit = "ms/tick",
        .about = "a multithreaded system that records 100 000 sets, with their merge",
        .goal_kind = GOAL_SPEED_UP,
        .goal = 1.7,
        .setup = set_up,
        .ours = tick_ns,
        .teardown = tear_down,
        .with_workers = true,
        .size = 7 },
    { 0 },
};
