// SPDX-License-Identifier: MIT
// inspector: a small living world, and a prompt to ask what is in it, what a tick does, and why.
//
//     $ inspector
//     > why Alba Fuel, (Docked, $port), !(BoundFor, *)
//     > tick 20
//     > schedule
//
// Without arguments it reads commands from the standard input (see help, and support/inspect.h); with flags it plays a session
// that is written down, data/inspector.txt or that of --input, and compares every answer.
//
// Freighters, and couriers that are freighters with a better engine, fly between three ports and burn fuel. (Docked, port) is part of
// their tables, (BoundFor, port) is kept beside them.
//
//     OnUpdate   Depart  -Docked +BoundFor      <- docked, tank full
//                -- merge --
//                Fly     Position, Fuel, Log    -> -BoundFor +Docked
//                -- merge --
//                Refuel  Fuel, Log              <- docked
//                Alarm   +Stranded              <- under way, tank empty
//                Rescue  Fuel, Log              <- stranded, which nobody is
//
// Verified: the answers, with any number of workers; and that what ships took in is what they burned and what is in their tanks.
#define _POSIX_C_SOURCE 200809L // getline, open_memstream, isatty
#include "support/checksum.h"
#include "support/demo.h"
#include "support/inspect.h"
#include "support/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ECS_STRUCT(Position, {
    float x;
    float y;
});

ECS_STRUCT(Engine, {
    float speed;
    float burn;
});

ECS_STRUCT(Fuel, { float amount; });

ECS_STRUCT(Log, {
    float flown;
    float taken;
});

static ECS_TAG_DECLARE(Port);
static ECS_TAG_DECLARE(Stranded);
static ECS_TAG_DECLARE(Docked);
static ECS_TAG_DECLARE(BoundFor);

enum { PORTS = 3 };
#define TANK 100.0f
#define PUMP 8.0f // fuel per second

static const struct {
    const char *name;
    Position at;
} ports[PORTS] = { { "Earth", { 0, 0 } }, { "Mars", { 60, 0 } }, { "Ceres", { 0, 80 } } };

static const struct {
    const char *name, *kind;
    int32_t port;
} ships[] = { { "Alba", "Freighter", 0 }, { "Bora", "Freighter", 1 }, { "Cora", "Freighter", 2 },
    { "Dora", "Courier", 0 }, { "Edda", "Courier", 1 } };

// ---- Systems ----

static void Depart(ecs_iter_t *it) {
    const ecs_entity_t *all = it->ctx;
    const Fuel *fuel = ecs_field(it, Fuel, 0);
    ecs_entity_t here = ecs_field_target(it, 1, 0);
    for (int32_t i = 0; i < it->count; i++) {
        if (fuel[i].amount < TANK) continue;
        ecs_entity_t there = all[ecs_iter_random(it, i) % PORTS];
        if (there == here) continue; // stays a while
        ecs_remove_pair(it->world, it->entities[i], Docked, here);
        ecs_add_pair(it->world, it->entities[i], BoundFor, there);
    }
}

// Moves a ship as far as it gets in a step; true if it is there.
static bool fly(Position *at, const Position *to, const Engine *engine, Fuel *fuel, float seconds,
    float *flown) {
    float x = to->x - at->x, y = to->y - at->y, left = sqrtf(x * x + y * y);
    float step = fminf(engine->speed * seconds, fuel->amount / engine->burn);
    *flown = fminf(step, left);
    fuel->amount -= *flown * engine->burn;
    if (left <= step) {
        *at = *to;
        return true;
    }
    at->x += x / left * step;
    at->y += y / left * step;
    return false;
}

static void Fly(ecs_iter_t *it) {
    Position *at = ecs_field(it, Position, 0);
    Fuel *fuel = ecs_field(it, Fuel, 1);
    Log *log = ecs_field(it, Log, 2);
    const Engine *engine = ecs_field(it, Engine, 3);
    ecs_entity_t port = ecs_field_target(it, 4, 0);
    const Position *to = ecs_field(it, Position, 5);
    for (int32_t i = 0; i < it->count; i++) {
        float flown;
        bool is_there = fly(&at[i], to, engine, &fuel[i], it->delta_time, &flown);
        log[i].flown += flown;
        if (!is_there) continue;
        ecs_remove_pair(it->world, it->entities[i], BoundFor, port);
        ecs_add_pair(it->world, it->entities[i], Docked, port);
    }
}

static void Refuel(ecs_iter_t *it) {
    Fuel *fuel = ecs_field(it, Fuel, 0);
    Log *log = ecs_field(it, Log, 1);
    for (int32_t i = 0; i < it->count; i++) {
        float taken = fminf(PUMP * it->delta_time, TANK - fuel[i].amount);
        fuel[i].amount += taken;
        log[i].taken += taken;
    }
}

static void Alarm(ecs_iter_t *it) {
    const Fuel *fuel = ecs_field(it, Fuel, 0);
    for (int32_t i = 0; i < it->count; i++)
        if (fuel[i].amount <= 0) ecs_add(it->world, it->entities[i], Stranded);
}

static void Rescue(ecs_iter_t *it) {
    Fuel *fuel = ecs_field(it, Fuel, 0);
    Log *log = ecs_field(it, Log, 1);
    for (int32_t i = 0; i < it->count; i++) {
        log[i].taken += TANK - fuel[i].amount;
        fuel[i].amount = TANK;
        ecs_remove(it->world, it->entities[i], Stranded);
    }
}

// ---- The world ----

static void define_types(ecs_world_t *world) {
    ECS_META_COMPONENT(world, Position);
    ECS_META_COMPONENT(world, Engine);
    ECS_META_COMPONENT(world, Fuel);
    ECS_META_COMPONENT(world, Log);
    ECS_TAG_DEFINE(world, Port);
    ECS_TAG_DEFINE(world, Stranded);
    ECS_TAG_DEFINE(world, Docked);
    ECS_TAG_DEFINE(world, BoundFor);
    ecs_add_id(world, Docked, EcsExclusive);
    ecs_add_id(world, Docked, EcsPairIsTag);
    ecs_add_id(world, BoundFor, EcsExclusive);
    // Else systems might write values of such pairs, and are not split.
    ecs_add_id(world, BoundFor, EcsPairIsTag);
    ecs_add_id(world, BoundFor, EcsDontFragment);
}

static void make_kinds(ecs_world_t *world) {
    ecs_add_pair(world, ecs_id(Fuel), EcsOnInstantiate, EcsOverride);
    ecs_add_pair(world, ecs_id(Log), EcsOnInstantiate, EcsOverride);
    ecs_entity_t freighter = ecs_entity(world, { .name = "Freighter", .add = ecs_ids(EcsPrefab) });
    ecs_set(world, freighter, Engine, { .speed = 5, .burn = 0.5f });
    ecs_set(world, freighter, Fuel, { TANK });
    ecs_set(world, freighter, Log, { 0 });
    ecs_entity_t courier = ecs_entity(world, { .name = "Courier", .add = ecs_ids(EcsPrefab) });
    ecs_add_pair(world, courier, EcsIsA, freighter);
    ecs_set(world, courier, Engine, { .speed = 12, .burn = 0.9f });
}

static void make_things(ecs_world_t *world, ecs_entity_t *made) {
    make_kinds(world);
    ecs_entity_t sun = ecs_entity(world, { .name = "Sun" });
    for (int32_t i = 0; i < PORTS; i++) {
        made[i] = ecs_entity(world, { .name = ports[i].name, .parent = sun, .add = ecs_ids(Port) });
        ecs_set_ptr(world, made[i], Position, &ports[i].at);
    }
    for (size_t i = 0; i < sizeof ships / sizeof *ships; i++) {
        ecs_entity_t ship = ecs_entity(world, { .name = ships[i].name });
        ecs_add_pair(world, ship, EcsIsA, ecs_lookup(world, ships[i].kind));
        ecs_add_pair(world, ship, Docked, made[ships[i].port]);
        ecs_set_ptr(world, ship, Position, &ports[ships[i].port].at);
    }
}

static ecs_world_t *make_world(const demo_setup_t *setup, ecs_entity_t *made) {
    ecs_world_t *world = ecs_init();
    ecs_set_seed(world, setup->seed);
    ecs_set_threads(world, setup->workers);
    define_types(world);
    make_things(world, made);
    demo_system(world, "Depart", EcsOnUpdate, Depart,
        "[in] Fuel, Docked($this, *), [out] Docked(#0, *), [out] BoundFor(#0, *)", made);
    demo_system(world, "Fly", EcsOnUpdate, Fly,
        "Position, Fuel, Log, [in] Engine, BoundFor($this, $port), [in] Position($port), "
        "[out] Docked(#0, *), [out] BoundFor(#0, *)",
        NULL);
    demo_system(world, "Refuel", EcsOnUpdate, Refuel, "Fuel, Log, Docked($this, *)", NULL);
    demo_system(world, "Alarm", EcsOnUpdate, Alarm,
        "[in] Fuel, BoundFor($this, *), [out] Stranded()", NULL);
    demo_system(world, "Rescue", EcsOnUpdate, Rescue, "Fuel, Log, Stranded", NULL);
    return world;
}

// ---- What must come out ----

// What was in the tank at first and came in is what was burned and what is left, and everyone is somewhere.
static int verify(ecs_world_t *world) {
    int status = 0;
    ecs_query_t *query =
        ecs_query(world, { .expr = "[in] Fuel, [in] Log, [in] Engine, ?Docked($this, *), "
                                   "?BoundFor($this, *)" });
    ecs_iter_t it = ecs_query_iter(world, query);
    while (ecs_query_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) {
            float left = ecs_field(&it, Fuel, 0)[i].amount, burn = ecs_field(&it, Engine, 2)->burn;
            const Log *log = &ecs_field(&it, Log, 1)[i];
            float off = TANK + log->taken - log->flown * burn - left;
            const char *name = ecs_get_name(world, it.entities[i]);
            if (fabsf(off) > 1e-5f * (TANK + log->taken))
                status = demo_wrong("%s has lost %g of its fuel", name, (double)off);
            if (ecs_field_is_set(&it, 3) == ecs_field_is_set(&it, 4))
                status = demo_wrong("%s is in a port and under way, or neither", name);
        }
    }
    ecs_query_fini(query);
    return status;
}

// ---- A session that is written down ----

// A line that begins with "> " is a command, the lines up to the next one are the answer; "..." stands for any text.
typedef struct {
    const char *name;
    int32_t line, commands;
    uint64_t checksum; // of the answers that are written down in full
} session_t;

static const char *next_line(session_t *session, const char *at) {
    session->line++;
    at += strcspn(at, "\n");
    return *at ? at + 1 : at;
}

static const char *skip_answer(session_t *session, const char *at) {
    while (*at && strncmp(at, "> ", 2) != 0) at = next_line(session, at);
    return at;
}

// What is behind a gap is looked for from where the gap began, one character later each time it does not fit.
static bool matches(const char *text, const char *pattern) {
    const char *behind_gap = NULL, *from = NULL;
    while (*text || *pattern) {
        if (strncmp(pattern, "...", 3) == 0) {
            behind_gap = pattern += 3;
            from = text;
        } else if (*text && *text == *pattern) {
            text++, pattern++;
        } else if (behind_gap && *from) {
            pattern = behind_gap;
            text = ++from;
        } else {
            return false;
        }
    }
    return true;
}

static char *ask(inspect_t *inspect, const char *command) {
    char *answer = NULL;
    size_t size;
    inspect->out = open_memstream(&answer, &size);
    inspect_line(inspect, command);
    fclose(inspect->out);
    return answer;
}

static int compare(session_t *session, int32_t line, const char *command, const char *answer,
    const char *expected) {
    if (!strstr(expected, "..."))
        session->checksum = checksum_add(session->checksum, answer, strlen(answer));
    session->commands++;
    if (matches(answer, expected)) return 0;
    return demo_wrong(
        "%s:%d: '%s' gave\n%sinstead of\n%s", session->name, (int)line, command, answer, expected);
}

static int play_command(session_t *session, inspect_t *inspect, const char **at) {
    int32_t line = session->line;
    const char *command = *at + 2, *expected = next_line(session, *at);
    *at = skip_answer(session, expected);
    char *asked = strndup(command, strcspn(command, "\n"));
    char *wanted = strndup(expected, (size_t)(*at - expected));
    char *answer = ask(inspect, asked);
    int status = compare(session, line, asked, answer, wanted);
    free(asked);
    free(wanted);
    free(answer);
    return status;
}

static int play(const demo_setup_t *setup, session_t *session, inspect_t *inspect) {
    session->name = setup->input ? setup->input : setup->data;
    char *text = ecs_os_read_file(session->name);
    if (!text) return demo_bad_input("%s cannot be read", session->name);
    int status = 0;
    session->line = 1;
    for (const char *at = skip_answer(session, text); *at && !status;)
        status = play_command(session, inspect, &at);
    ecs_os_free(text);
    return status;
}

static int run_session(const demo_setup_t *setup, demo_result_t *result) {
    ecs_entity_t made[PORTS];
    session_t session = { .checksum = CHECKSUM_START };
    inspect_t inspect = { .world = make_world(setup, made), .delta_time = 1 };
    double start = demo_now();
    int status = play(setup, &session, &inspect);
    if (!status) status = verify(inspect.world);
    result->seconds = demo_now() - start;
    result->entities = sizeof ships / sizeof *ships;
    int64_t ticks = ecs_get_world_info(inspect.world)->frame_count_total;
    result->entity_ticks = result->entities * ticks;
    uint64_t hash = ecs_world_hash(inspect.world);
    result->checksum = checksum_add(session.checksum, &hash, sizeof hash);
    snprintf(result->verdict, sizeof result->verdict,
        "%d commands answered as written down, %d ticks; fuel taken in is fuel burned and left",
        session.commands, (int)ticks);
    ecs_fini(inspect.world);
    return status;
}

// ---- The prompt ----

static int run_prompt(void) {
    ecs_entity_t made[PORTS];
    bool is_typed = isatty(STDIN_FILENO), all_done = true;
    inspect_t inspect = { .world = make_world(&(demo_setup_t){ .workers = 1, .seed = 1 }, made),
        .out = stdout,
        .delta_time = 1 };
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    if (is_typed) printf("five ships between three ports; try help\n> ");
    while (!inspect.is_over && (length = getline(&line, &size, stdin)) > 0) {
        line[strcspn(line, "\n")] = '\0';
        if (!is_typed) printf("> %s\n", line);
        all_done &= inspect_line(&inspect, line);
        if (is_typed && !inspect.is_over) printf("> ");
        fflush(stdout);
    }
    free(line);
    ecs_fini(inspect.world);
    return is_typed || all_done ? 0 : 2;
}

static const demo_scene_t scenes[] = { { "A session", run_session, 5, 70, "inspector.txt" },
    { 0 } };

int main(int argc, char **argv) {
    static const demo_t demo = {
        .name = "inspector",
        .about =
            "a prompt that shows a small world, and why it does what it does. Without flags it "
            "reads commands;\nwith them it plays a session and compares the answers",
        .scenes = scenes,
        .checks = scenes,
        .takes_input = true,
    };
    return argc == 1 ? run_prompt() : demo_main(&demo, argc, argv);
}
