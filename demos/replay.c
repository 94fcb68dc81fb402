// SPDX-License-Identifier: MIT
// replay: fleets fly where a player on another thread orders them to, at any time. The game is played once, in ticks of measured time,
// and recorded; then each number of workers replays it, and has to end in the same state.
#include <inttypes.h>
#include <math.h>
#include <muster.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include "support/demo.h"
#include "support/tail.h"

#define FLEETS 16
#define SPEED 400.0f
#define LOG_PATH "demo_replay.log"

typedef struct {
    float x, y;
} Position, Target, Order; // an Order is an event: it is written down as its members

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Target);
static ECS_COMPONENT_DECLARE(Order);

typedef struct {
    ecs_world_t *world;
    ecs_entity_t fleets[FLEETS];
    int32_t orders; // that reached the game
} game_t;

static game_t game;
static atomic_bool over;

// ---- The game ----

static void on_order(ecs_iter_t *it) {
    const Order *order = it->param;
    ecs_set(it->world, it->entities[0], Target, { order->x, order->y });
    game.orders++;
}

static float random_place(const ecs_iter_t *it, int32_t row) {
    return (float)(ecs_iter_random(it, row) % 1000);
}

// A ship that arrives is replaced by one that starts anywhere.
static void Fly(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    const Target *target = ecs_field(it, Target, 1);
    for (int32_t i = 0; i < it->count; i++) {
        float x = target->x - p[i].x, y = target->y - p[i].y, far = sqrtf(x * x + y * y);
        float step = SPEED * it->delta_time;
        if (far > step) {
            p[i].x += x / far * step;
            p[i].y += y / far * step;
            continue;
        }
        ecs_entity_t ship = ecs_new_w_pair(it->world, EcsChildOf, ecs_field_src(it, 1));
        ecs_set(it->world, ship, Position, { random_place(it, i), random_place(it, i) });
        ecs_delete(it->world, it->entities[i]);
    }
}

static void begin_game(const demo_setup_t *setup) {
    ecs_world_t *world = ecs_init();
    ecs_id(Position) = ecs_id(Target) = ecs_id(Order) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Target);
    ECS_COMPONENT_DEFINE(world, Order);
    ecs_struct(world, { .entity = ecs_id(Order),
                          .members = { { "x", ecs_id(ecs_f32_t) }, { "y", ecs_id(ecs_f32_t) } } });
    ecs_observer(world,
        { .query.terms = { { EcsAny } }, .events = { ecs_id(Order) }, .callback = on_order });
    ecs_system(world, { .query.expr = "Position, [in] Target(up ChildOf)",
                          .phase = EcsOnUpdate,
                          .callback = Fly,
                          .multi_threaded = true });
    uint64_t random = setup->seed;
    game = (game_t){ .world = world };
    for (int32_t i = 0; i < FLEETS; i++)
        game.fleets[i] = ecs_insert(world, ecs_value(Target, { 500, 500 }));
    for (int32_t i = 0; i < setup->entities; i++) {
        ecs_entity_t ship = ecs_new_w_pair(world, EcsChildOf, game.fleets[i % FLEETS]);
        ecs_set(world, ship, Position,
            { (float)demo_random(&random) * 1000, (float)demo_random(&random) * 1000 });
    }
    ecs_set_seed(world, setup->seed);
    ecs_set_threads(world, setup->workers);
}

// ---- The player ----

static void *give_orders(void *arg) {
    uint64_t random = *(uint64_t *)arg;
    while (!atomic_load(&over)) {
        Order order = { (float)demo_random(&random) * 1000, (float)demo_random(&random) * 1000 };
        ecs_event_desc_t event = { .event = ecs_id(Order), .const_param = &order };
        event.entity = game.fleets[(int32_t)(demo_random(&random) * FLEETS)];
        ecs_submit_event(game.world, &event, sizeof order);
        ecs_os_sleep(0, (int32_t)(demo_random(&random) * 4e6));
    }
    return NULL;
}

static int play(const demo_setup_t *setup) {
    pthread_t player;
    uint64_t seed = setup->seed;
    begin_game(setup);
    ecs_set_target_fps(game.world, 500);
    int status = ecs_recording_begin(game.world, LOG_PATH);
    atomic_store(&over, false);
    pthread_create(&player, NULL, give_orders, &seed);
    for (int32_t tick = 0; tick < setup->ticks; tick++) ecs_progress(game.world, 0);
    atomic_store(&over, true);
    pthread_join(player, NULL);
    if (!status) status = ecs_recording_end(game.world);
    ecs_fini(game.world);
    return status ? demo_wrong("the game was not recorded") : 0;
}

static int run_game(const demo_setup_t *setup, demo_result_t *result) {
    static bool is_played;
    int status = is_played ? 0 : play(setup);
    if (status) return status;
    is_played = true;
    begin_game(setup);
    double start = demo_now();
    int64_t ticks = ecs_replay(game.world, LOG_PATH);
    result->seconds = demo_now() - start;
    result->entities = ecs_count(game.world, Position);
    result->entity_ticks = result->entities * setup->ticks;
    result->checksum = ecs_world_hash(game.world);
    snprintf(result->verdict, sizeof result->verdict,
        "%d orders of another thread in ticks of measured time, replayed to the same state",
        game.orders);
    ecs_fini(game.world);
    if (ticks != setup->ticks) return demo_wrong("the replay went wrong");
    if (result->entities == setup->entities) return 0;
    return demo_wrong("%" PRId64 " ships of %d are left", result->entities, setup->entities);
}

static const demo_scene_t scenes[] = { { "Orders", run_game, 100000, 300, NULL }, { 0 } };
static const demo_scene_t checks[] = { { "Orders", run_game, 5000, 200, NULL }, { 0 } };

int main(int argc, char **argv) {
    static const demo_t demo = {
        .name = "replay",
        .about =
            "a game with input from another thread: recorded once, replayed with each number of workers",
        .scenes = scenes,
        .checks = checks,
    };
    int status = demo_main(&demo, argc, argv);
    remove(LOG_PATH);
    return status;
}
