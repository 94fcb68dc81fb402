// SPDX-License-Identifier: MIT
// save_load: ships trade between ports; half way the game is saved, loaded into a new world, and goes on there.
//
// Shows worlds as JSON. What code makes is made by code in each world: types and systems. All else is in the file: prefabs and
// their instances, the crew as children of ships, relationships in tables (At) and beside them (To), nested structs, arrays, enums and
// entities as values. Chance has to be a part of the state, too, as numbers of ecs_iter_random() count the ticks of a world: each ship has
// dice of its own.
//
//     OnUpdate   Sail    Position              -> -To +At        <- under way
//                -- merge --
//                Trade   Hold, Dice            -> -At +To        <- in port
//                Cheer   Crew                  <- the ship's Hold
//
// Verified: what was loaded is what was saved, and after the same number of ticks the game that was interrupted is the one that was
// not, by hash and by text, entity for entity and bit for bit. A file with any damage is refused, says where, and changes nothing.
#include <muster.h>

#include "support/demo.h"
#include "support/system.h"
#include "support/tail.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ECS_ENUM(Mood, { Content, Bored = 3, Mutinous = 7 });

ECS_STRUCT(Position, {
    float x;
    float y;
});

ECS_STRUCT(Port, { Position at; });

ECS_STRUCT(Hull, {
    double speed;
    ecs_entity_t home;
});

ECS_STRUCT(Hold, {
    int32_t goods[4];
    Position bought_at;
});

ECS_STRUCT(Dice, { uint64_t state; });

ECS_STRUCT(Crew, {
    Mood mood;
    float morale;
});

static ECS_TAG_DECLARE(At);
static ECS_TAG_DECLARE(To);

enum { PORTS = 12, CREW = 2, DAMAGES = 24 };
#define SAVED "demo_save_load.json"

typedef struct {
    ecs_world_t *world;
    ecs_entity_t ports[PORTS];
} game_t;

// ---- Systems ----

static void Sail(ecs_iter_t *it) {
    Position *at = ecs_field(it, Position, 0);
    const Hull *hull = ecs_field(it, Hull, 1);
    for (int32_t i = 0; i < it->count; i++) {
        ecs_entity_t port = ecs_field_target(it, 2, i);
        const Position *to = &ecs_get(it->world, port, Port)->at;
        double x = to->x - at[i].x, y = to->y - at[i].y, far = sqrt(x * x + y * y);
        if (far > hull[i].speed) {
            at[i].x += (float)(x / far * hull[i].speed);
            at[i].y += (float)(y / far * hull[i].speed);
            continue;
        }
        at[i] = *to;
        ecs_remove_pair(it->world, it->entities[i], To, port);
        ecs_add_pair(it->world, it->entities[i], At, port);
    }
}

// Buys or sells each day, until the dice say that it is time to leave: for home, or for anywhere.
static void Trade(ecs_iter_t *it) {
    const game_t *game = it->ctx;
    Hold *hold = ecs_field(it, Hold, 0);
    Dice *dice = ecs_field(it, Dice, 1);
    const Position *at = ecs_field(it, Position, 2);
    const Hull *hull = ecs_field(it, Hull, 3);
    ecs_entity_t here = ecs_field_target(it, 4, 0);
    for (int32_t i = 0; i < it->count; i++) {
        hold[i].goods[(int32_t)(demo_random(&dice[i].state) * 4)] +=
            (int32_t)(demo_random(&dice[i].state) * 21) - 10;
        hold[i].bought_at = at[i];
        double wish = demo_random(&dice[i].state);
        ecs_entity_t there =
            wish < 0.1 ? hull[i].home : game->ports[(int32_t)(demo_random(&dice[i].state) * PORTS)];
        if (wish > 0.3 || there == here) continue;
        ecs_remove_pair(it->world, it->entities[i], At, here);
        ecs_add_pair(it->world, it->entities[i], To, there);
    }
}

static void Cheer(ecs_iter_t *it) {
    Crew *crew = ecs_field(it, Crew, 0);
    const Hold *hold = ecs_field(it, Hold, 1);
    int32_t cargo = 0;
    for (int32_t k = 0; k < 4; k++) cargo += hold->goods[k];
    for (int32_t i = 0; i < it->count; i++) {
        crew[i].morale = 0.99f * crew[i].morale + 0.01f * (float)cargo;
        crew[i].mood = crew[i].morale > 0 ? Content : crew[i].morale > -5 ? Bored : Mutinous;
    }
}

// ---- The game ----

// What code makes in each world: nothing of it is in a file.
static void begin(game_t *game, const demo_setup_t *setup) {
    ecs_world_t *world = game->world = ecs_init();
    ecs_set_threads(world, setup->workers);
    ECS_META_COMPONENT(world, Mood);
    ECS_META_COMPONENT(world, Position);
    ECS_META_COMPONENT(world, Port);
    ECS_META_COMPONENT(world, Hull);
    ECS_META_COMPONENT(world, Hold);
    ECS_META_COMPONENT(world, Dice);
    ECS_META_COMPONENT(world, Crew);
    ECS_TAG_DEFINE(world, At);
    ECS_TAG_DEFINE(world, To);
    ecs_add_id(world, At, EcsExclusive);
    ecs_add_id(world, At, EcsPairIsTag);
    ecs_add_id(world, To, EcsExclusive);
    ecs_add_id(world, To, EcsPairIsTag);
    ecs_add_id(world, To, EcsDontFragment);
    demo_system(world, "Sail", EcsOnUpdate, Sail,
        "Position, [in] Hull, To($this, *), [in] Port(), [out] At(#0, *), [out] To(#0, *)", game);
    demo_system(world, "Trade", EcsOnUpdate, Trade,
        "Hold, Dice, [in] Position, [in] Hull, At($this, *), [out] At(#0, *), [out] To(#0, *)",
        game);
    demo_system(world, "Cheer", EcsOnUpdate, Cheer, "Crew, [in] Hold(up ChildOf)", game);
}

static const char *port_name(int32_t index, char name[16]) {
    snprintf(name, 16, "Port%d", (int)index);
    return name;
}

// Instances of the prefab Sloop that have their own hulls and holds.
static void make_ships(const game_t *game, ecs_entity_t *ships, int32_t count, uint64_t *random) {
    ecs_world_t *world = game->world;
    ecs_entity_t sloop = ecs_entity(world, { .name = "Sloop", .add = ecs_ids(EcsPrefab) });
    ecs_set_override(world, sloop, Hull, { .speed = 2.5 });
    ecs_set_override(world, sloop, Hold, { .goods = { 10, 0, 0, 0 } });
    for (int32_t i = 0; i < count; i++) {
        ecs_entity_t home = game->ports[i % PORTS], ship = ecs_new_w_pair(world, EcsIsA, sloop);
        ecs_get_mut(world, ship, Hull)->home = home;
        ecs_set_ptr(world, ship, Position, &ecs_get(world, home, Port)->at);
        ecs_set(world, ship, Dice, { (uint64_t)(demo_random(random) * 0x1p53) << 11 });
        ecs_add_pair(world, ship, At, home);
        ships[i] = ship;
    }
}

// After all ships: loading makes entities anew, in the order of the file, which has parents first. They get the ids they had, so that
// hashes can be compared, as they are made in that order here, too, and none is ever deleted.
static void make_crews(const game_t *game, const ecs_entity_t *ships, int32_t count) {
    for (int32_t i = 0; i < count * CREW; i++) {
        ecs_entity_t sailor = ecs_new_w_pair(game->world, EcsChildOf, ships[i / CREW]);
        ecs_set(game->world, sailor, Crew, { .morale = 1 });
    }
}

static void make_things(game_t *game, const demo_setup_t *setup) {
    uint64_t random = setup->seed;
    char name[16];
    for (int32_t i = 0; i < PORTS; i++) {
        game->ports[i] = ecs_entity(game->world, { .name = port_name(i, name) });
        ecs_set(game->world, game->ports[i], Port,
            { { (float)demo_random(&random) * 100, (float)demo_random(&random) * 100 } });
    }
    int32_t count = setup->entities / (1 + CREW);
    ecs_entity_t *ships = demo_alloc((size_t)count, sizeof *ships);
    make_ships(game, ships, count, &random);
    make_crews(game, ships, count);
    free(ships);
}

static void run_ticks(const game_t *game, int32_t ticks, double *seconds) {
    double start = demo_now();
    for (int32_t i = 0; i < ticks; i++) tail_progress(game->world, 1);
    *seconds += demo_now() - start;
}

// ---- Saving and loading ----

static int save(const game_t *game, size_t *size) {
    char *text = ecs_world_to_json(game->world, NULL);
    FILE *file = text ? fopen(SAVED, "w") : NULL;
    *size = text ? strlen(text) : 0;
    bool is_written = file && fwrite(text, 1, *size, file) == *size;
    if (file && fclose(file)) is_written = false;
    ecs_os_free(text);
    return is_written ? 0 : demo_wrong("the game could not be saved as %s", SAVED);
}

static int load(game_t *game) {
    char name[16];
    if (!ecs_world_from_json_file(game->world, SAVED, NULL))
        return demo_wrong("the saved game was refused");
    for (int32_t i = 0; i < PORTS; i++) // code looks up what it holds
        game->ports[i] = ecs_lookup(game->world, port_name(i, name));
    return 0;
}

// Ends the text, or takes a bracket away, somewhere.
static void damage(char *text, size_t size, uint64_t *random, bool ends) {
    size_t at = (size_t)(demo_random(random) * (double)size);
    if (!ends) at += strcspn(text + at, "{}[]");
    text[at] = ends ? '\0' : '#';
}

// A sentence with a position, and everything as before.
static int refuse(const game_t *game, const char *text, uint64_t hash) {
    ecs_log_start_capture(true);
    const char *end = ecs_world_from_json(game->world, text, NULL);
    char *message = ecs_log_stop_capture();
    bool is_told = message && strstr(message, "column ");
    ecs_os_free(message);
    if (end) return demo_wrong("a damaged file was loaded");
    if (!is_told) return demo_wrong("a damaged file was refused without saying where");
    if (ecs_world_hash(game->world) == hash) return 0;
    return demo_wrong("a damaged file was refused, but changed the world");
}

static int refuse_damaged(const game_t *game, uint64_t seed) {
    char *text = ecs_os_read_file(SAVED);
    size_t size = strlen(text);
    uint64_t hash = ecs_world_hash(game->world);
    int status = 0;
    for (int32_t i = 0; i < DAMAGES && !status; i++) {
        char *damaged = demo_alloc(size + 1, 1);
        memcpy(damaged, text, size);
        damage(damaged, size, &seed, i % 2);
        status = refuse(game, damaged, hash);
        free(damaged);
    }
    ecs_os_free(text);
    return status;
}

// ---- What must come out ----

static int compare(const game_t *a, const game_t *b, const char *when) {
    if (ecs_world_hash(a->world) != ecs_world_hash(b->world))
        return demo_wrong("%s the worlds have different hashes", when);
    char *a_text = ecs_world_to_json(a->world, NULL), *b_text = ecs_world_to_json(b->world, NULL);
    size_t same = 0;
    while (a_text[same] && a_text[same] == b_text[same]) same++;
    int status = !a_text[same] && !b_text[same]
                     ? 0
                     : demo_wrong("%s one has\n%.80s\nwhere the other has\n%.80s", when,
                           a_text + same, b_text + same);
    ecs_os_free(a_text);
    ecs_os_free(b_text);
    return status;
}

static int run_game(const demo_setup_t *setup, demo_result_t *result) {
    game_t whole = { 0 }, resumed = { 0 };
    int32_t half = setup->ticks / 2;
    size_t size = 0;
    begin(&whole, setup);
    make_things(&whole, setup);
    run_ticks(&whole, half, &result->seconds);
    double start = demo_now();
    int status = save(&whole, &size);
    double saved = demo_now();
    begin(&resumed, setup);
    if (!status) status = load(&resumed);
    double loaded = demo_now();
    if (!status) status = compare(&whole, &resumed, "as loaded,");
    if (!status) status = refuse_damaged(&resumed, setup->seed);
    run_ticks(&whole, setup->ticks - half, &result->seconds);
    run_ticks(&resumed, setup->ticks - half, &result->seconds);
    if (!status) status = compare(&whole, &resumed, "in the end");
    result->entities = ecs_count(whole.world, Dice) + ecs_count(whole.world, Crew);
    result->entity_ticks = result->entities * (2 * setup->ticks - half);
    result->checksum = ecs_world_hash(resumed.world);
    snprintf(result->verdict, sizeof result->verdict,
        "saved at half time in %.1f ms, %.1f MB, loaded in %.1f; the same game in the end; %d damaged files "
        "refused",
        1e3 * (saved - start), 1e-6 * (double)size, 1e3 * (loaded - saved), DAMAGES);
    ecs_fini(whole.world);
    ecs_fini(resumed.world);
    remove(SAVED);
    return status;
}

static const demo_scene_t scenes[] = { { "Trade", run_game, 30000, 400, NULL }, { 0 } };
static const demo_scene_t checks[] = { { "Trade", run_game, 1500, 200, NULL }, { 0 } };

int main(int argc, char **argv) {
    static const demo_t demo = {
        .name = "save_load",
        .about =
            "a game that is saved as JSON, loaded into a new world and goes on as if nothing had happened",
        .scenes = scenes,
        .checks = checks,
    };
    return demo_main(&demo, argc, argv);
}
