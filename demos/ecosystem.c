// SPDX-License-Identifier: MIT
// ecosystem: rabbits and foxes in many valleys. Nothing is modelled but who breeds, who meets whom, and who dies.
//
// Shows fixed steps in frames of any length, timers and rates, groups, and a state that is kept beside tables. Animals live in a valley,
// (Lives, valley). Rabbits graze by day and hide at night, (Doing, Grazing) or (Doing, Hiding): all change at once, and no table does.
// Foxes find rabbits that graze; who catches one is told by an event. Hunters go from county to county: a system that is limited
// to one group of its query.
//
//     PreUpdate   MoveOn  the group of Hunt              when a timer fires
//     Simulate    each step, some in a frame:
//                 Clock   what rabbits do from now on    in each 12th step
//                 Turn    (Doing, ...)                   the same
//                 -- merge: all do what suits the time of day --
//                 Census  Valley, lists of foxes
//                 Breed   +rabbit
//                 Prey    -rabbit, Meal -> a fox         <- who grazes
//                 Starve  -fox
//                 Hunt    -rabbit -fox                   in one county
//                 -- merge: foxes eat, and breed --
//
// Verified: biomass, exactly: what went into living bodies and did not leave them is there. And Volterra's laws (1926): the logarithm of
// the number of rabbits grows by their births less what the foxes that are there take, that of foxes by the rabbits that are there less
// their deaths. So the foxes there are on average follow from how rabbits breed, and the rabbits from how foxes die, however
// far both swing; and hunting both makes rabbits more, and foxes fewer.
#include <muster.h>

#include "support/demo.h"
#include "support/tail.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int32_t grams; // of a fox: what it ate
} Biomass;

typedef struct {
    int64_t taken, returned; // biomass, into and out of living bodies
    int32_t index;
} Valley;

typedef struct {
    bool breeds;
} Meal; // an event

ECS_COMPONENT_DECLARE(Biomass);
ECS_COMPONENT_DECLARE(Valley);
ECS_COMPONENT_DECLARE(Meal);
static ECS_TAG_DECLARE(Rabbit);
static ECS_TAG_DECLARE(Fox);
static ECS_TAG_DECLARE(Lives);
static ECS_TAG_DECLARE(Doing);
static ECS_TAG_DECLARE(Grazing);
static ECS_TAG_DECLARE(Hiding);

// Chances per step.
#define BIRTH 0.02  // of a rabbit
#define CATCH 2e-4  // that a fox meets a certain rabbit that grazes
#define LITTER 0.2  // that a fox breeds after a meal
#define DEATH 0.016 // of a fox
#define SHOT 0.02   // of anybody where hunters are

enum { RABBITS = 800, FOXES = 200 }; // in a valley, where they would stay as many
enum { HALF_DAY = 12, MOST_STEPS = 8, COUNTIES = 5 };
#define HUNT_TIME 40.0f // in one county

// How the number of animals of one kind in one valley should change, and did.
typedef struct {
    double count, growth, variance; // at the last census; of the next step
    double off,
        variation; // of the logarithm of the count from what was expected; the variance of that
    double others; // what the other kind was expected to add to the logarithm, or take
    double seen;   // counts of all steps
} law_t;

// Plain memory; access to it is declared as access to Valley.
typedef struct {
    ecs_entity_t entity, *foxes; // those of the last census
    int32_t rabbit_count, fox_count, room;
    law_t rabbits_law, foxes_law;
} valley_t;

typedef struct {
    valley_t *valleys;
    int32_t count, county; // where hunters are; -1: nowhere
    ecs_entity_t doing, simulate, step, hunt;
    int64_t steps;
} land_t;

// ---- Laws ----

static void compare(law_t *law, int32_t count) {
    law->seen += count;
    if (law->count > 0 && count) {
        law->off += log(count / law->count) - log(law->growth) + law->variance / 2;
        law->variation += law->variance;
    }
    law->count = law->count < 0 || law->count > 0 ? count : 0; // who has died out stays so
}

// Per head: how many come, by which chance one goes, and what of both is the work of the other kind.
static void expect(law_t *law, double come, double go, double others) {
    law->growth = 1 + come - go;
    law->variance = (come + go * (1 - go)) / (law->growth * law->growth * fmax(1, law->count));
    law->others += fabs(others);
}

static double caught(const land_t *land, const valley_t *valley) {
    return land->doing == Grazing ? fmin(1, CATCH * valley->fox_count) : 0;
}

static double shot(const land_t *land, const valley_t *valley) {
    return (valley - land->valleys) % COUNTIES == land->county ? SHOT : 0;
}

static void follow_laws(const land_t *land, valley_t *valley) {
    double prey = caught(land, valley), hunt = shot(land, valley);
    double meals = valley->fox_count ? prey * valley->rabbit_count / valley->fox_count : 0;
    compare(&valley->rabbits_law, valley->rabbit_count);
    compare(&valley->foxes_law, valley->fox_count);
    expect(&valley->rabbits_law, BIRTH, 1 - (1 - prey) * (1 - hunt), prey);
    expect(&valley->foxes_law, LITTER * meals, 1 - (1 - DEATH) * (1 - hunt), LITTER * meals);
}

// ---- Systems ----

static bool happens(const ecs_iter_t *it, int32_t row, double chance) {
    return (double)(ecs_iter_random(it, row) >> 11) * 0x1p-53 < chance;
}

static void MoveOn(ecs_iter_t *it) {
    land_t *land = it->ctx;
    land->county = (land->county + 1) % COUNTIES;
    ecs_system_set_group(it->real_world, land->hunt, (uint64_t)land->county);
}

static void Clock(ecs_iter_t *it) {
    land_t *land = it->ctx;
    land->doing = land->doing == Grazing ? Hiding : Grazing;
}

static void Turn(ecs_iter_t *it) {
    const land_t *land = it->ctx;
    for (int32_t i = 0; i < it->count; i++)
        ecs_add_pair(it->world, it->entities[i], Doing, land->doing);
}

static void list_foxes(valley_t *valley, const ecs_entity_t *foxes, int32_t count) {
    if (valley->room < count) {
        free(valley->foxes);
        valley->foxes = demo_alloc((size_t)count * 2, sizeof(ecs_entity_t));
        valley->room = count * 2;
    }
    memcpy(valley->foxes, foxes, (size_t)count * sizeof *foxes);
    valley->fox_count = count;
}

static void Census(ecs_iter_t *it) {
    land_t *land = it->ctx;
    for (int32_t i = 0; i < land->count; i++)
        land->valleys[i].rabbit_count = land->valleys[i].fox_count = 0;
    while (ecs_query_next(it)) {
        valley_t *valley = &land->valleys[ecs_field(it, Valley, 1)->index];
        if (ecs_field_is_set(it, 2))
            list_foxes(valley, it->entities, it->count);
        else
            valley->rabbit_count = it->count; // each kind of a valley is one table
    }
    for (int32_t i = 0; i < land->count; i++) follow_laws(land, &land->valleys[i]);
    land->steps++;
}

static ecs_entity_t make_animal(
    ecs_world_t *world, ecs_entity_t kind, ecs_entity_t valley, int32_t grams) {
    ecs_entity_t animal = ecs_new_w_pair(world, Lives, valley);
    ecs_add_id(world, animal, kind);
    ecs_set(world, animal, Biomass, { grams });
    return animal;
}

static ecs_entity_t make_rabbit(ecs_world_t *world, const land_t *land, ecs_entity_t valley) {
    ecs_entity_t rabbit = make_animal(world, Rabbit, valley, 1);
    ecs_add_pair(world, rabbit, Doing, land->doing);
    return rabbit;
}

static void Breed(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++)
        if (happens(it, i, BIRTH)) make_rabbit(it->world, it->ctx, ecs_field_src(it, 1));
}

static void be_caught(const ecs_iter_t *it, int32_t row, const valley_t *valley) {
    ecs_enqueue(it->world,
        &(ecs_event_desc_t){ .event = ecs_id(Meal),
            .entity = valley->foxes[ecs_iter_random(it, row) % (uint64_t)valley->fox_count],
            .ids = &(ecs_type_t){ .array = &ecs_id(Biomass), .count = 1 },
            .const_param = &(Meal){ happens(it, row, LITTER) } });
    ecs_delete(it->world, it->entities[row]);
}

static void Prey(ecs_iter_t *it) {
    const land_t *land = it->ctx;
    const valley_t *valley = &land->valleys[ecs_field(it, Valley, 2)->index];
    double chance = caught(land, valley);
    for (int32_t i = 0; i < it->count; i++)
        if (happens(it, i, chance)) be_caught(it, i, valley);
}

static void die(const ecs_iter_t *it, double chance) {
    for (int32_t i = 0; i < it->count; i++)
        if (happens(it, i, chance)) ecs_delete(it->world, it->entities[i]);
}

static void Starve(ecs_iter_t *it) { die(it, DEATH); }

static void Hunt(ecs_iter_t *it) { die(it, SHOT); }

// ---- Observers ----

static void Eat(ecs_iter_t *it) {
    const Meal *meal = it->param;
    ecs_field(it, Biomass, 0)->grams++;
    ecs_field(it, Valley, 1)->taken++;
    if (meal->breeds) make_animal(it->world, Fox, ecs_field_src(it, 1), 0);
}

static void Weigh(ecs_iter_t *it) {
    const Biomass *biomass = ecs_field(it, Biomass, 0);
    Valley *valley = ecs_field(it, Valley, 1);
    int64_t *side = it->event == EcsOnRemove ? &valley->returned : &valley->taken;
    for (int32_t i = 0; i < it->count; i++) *side += biomass[i].grams;
}

// ---- The land ----

static uint64_t county_of(ecs_world_t *world, ecs_table_t *table, ecs_id_t lives, void *ctx) {
    (void)ctx;
    ecs_entity_t valley = ecs_table_get_target(world, table, lives, 0);
    return (uint64_t)ecs_get(world, valley, Valley)->index % COUNTIES;
}

static void define_types(ecs_world_t *world) {
    ECS_COMPONENT_DEFINE(world, Biomass);
    ECS_COMPONENT_DEFINE(world, Valley);
    ECS_COMPONENT_DEFINE(world, Meal);
    ECS_TAG_DEFINE(world, Rabbit);
    ECS_TAG_DEFINE(world, Fox);
    ECS_TAG_DEFINE(world, Lives);
    ECS_TAG_DEFINE(world, Doing);
    ECS_TAG_DEFINE(world, Grazing);
    ECS_TAG_DEFINE(world, Hiding);
    ecs_add_id(world, Lives, EcsTraversable); // Valley(up Lives)
    ecs_add_id(world, Lives, EcsExclusive);
    ecs_add_id(world, Lives, EcsPairIsTag);
    ecs_add_id(world, Doing, EcsUnion);
    ecs_add_id(world, Doing, EcsPairIsTag);
}

static void make_valley(ecs_world_t *world, land_t *land, int32_t index) {
    ecs_entity_t valley = ecs_new(world);
    ecs_set(world, valley, Valley, { .index = index });
    land->valleys[index] =
        (valley_t){ .entity = valley, .rabbits_law.count = -1, .foxes_law.count = -1 };
    for (int32_t i = 0; i < RABBITS * 3 / 2; i++) make_rabbit(world, land, valley);
    for (int32_t i = 0; i < FOXES; i++) make_animal(world, Fox, valley, 0);
}

static ecs_entity_t add_system(
    ecs_world_t *world, land_t *land, const char *name, ecs_system_desc_t system) {
    system.entity = ecs_entity(world, { .name = name });
    system.ctx = land;
    if (!system.phase) system.phase = land->simulate;
    if (!system.tick_source) system.tick_source = land->step;
    return ecs_system_init(world, &system);
}

static void add_steps(ecs_world_t *world, land_t *land) {
    land->step = ecs_set_fixed_step(world, 0, 1, MOST_STEPS);
    land->simulate = ecs_entity(
        world, { .name = "Simulate", .add = ecs_ids(EcsPhase, ecs_dependson(EcsOnUpdate)) });
    add_system(world, land, "Clock", (ecs_system_desc_t){ .callback = Clock, .rate = HALF_DAY });
    add_system(world, land, "Turn",
        (ecs_system_desc_t){ .callback = Turn,
            .rate = HALF_DAY,
            .query.expr = "[in] Rabbit, [out] Doing(#0, *)",
            .multi_threaded = true });
    add_system(world, land, "Census",
        (ecs_system_desc_t){ .run = Census,
            .query.expr = "[in] Biomass, [inout] Valley(up Lives), ?Fox",
            .query.instanced = true });
    add_system(world, land, "Breed",
        (ecs_system_desc_t){ .callback = Breed,
            .query.expr = "[in] Rabbit, [in] Valley(up Lives)",
            .multi_threaded = true });
    add_system(world, land, "Prey",
        (ecs_system_desc_t){ .callback = Prey,
            .query.expr = "[in] Rabbit, Doing($this, Grazing), [in] Valley(up Lives)",
            .multi_threaded = true });
    add_system(world, land, "Starve",
        (ecs_system_desc_t){
            .callback = Starve, .query.expr = "[in] Fox", .multi_threaded = true });
}

static void add_hunters(ecs_world_t *world, land_t *land) {
    land->hunt = add_system(world, land, "Hunt",
        (ecs_system_desc_t){ .callback = Hunt,
            .query = { .expr = "[in] Biomass, Lives($this, *)",
                .group_by = Lives,
                .group_by_callback = county_of },
            .multi_threaded = true });
    ecs_system_set_group(world, land->hunt, 0);
    add_system(world, land, "MoveOn",
        (ecs_system_desc_t){ .callback = MoveOn,
            .phase = EcsPreUpdate,
            .tick_source = ecs_set_interval(world, 0, HUNT_TIME),
            .immediate = true });
}

static void make_land(land_t *land, const demo_setup_t *setup, ecs_world_t *world, bool hunted) {
    ecs_set_threads(world, setup->workers);
    ecs_set_seed(world, setup->seed);
    define_types(world);
    ecs_observer(world, { .query.expr = "Biomass, Valley(up Lives)",
                            .events = { EcsOnSet, EcsOnRemove },
                            .callback = Weigh });
    ecs_observer(world,
        { .query.expr = "Biomass, Valley(up Lives)", .events = { ecs_id(Meal) }, .callback = Eat });
    land->count = setup->entities / (RABBITS + FOXES);
    if (land->count < COUNTIES) land->count = COUNTIES;
    land->valleys = demo_alloc((size_t)land->count, sizeof *land->valleys);
    land->doing = Grazing;
    land->county = hunted ? 0 : -1;
    for (int32_t i = 0; i < land->count; i++) make_valley(world, land, i);
    add_steps(world, land);
    if (hunted) add_hunters(world, land);
}

// ---- What must come out ----

static int verify_biomass(const ecs_world_t *world, const land_t *land) {
    int64_t taken = 0, returned = 0, living = 0;
    for (int32_t i = 0; i < land->count; i++) {
        const Valley *valley = ecs_get(world, land->valleys[i].entity, Valley);
        taken += valley->taken;
        returned += valley->returned;
    }
    ecs_iter_t it = ecs_each(world, Biomass);
    while (ecs_each_next(&it)) {
        const Biomass *biomass = ecs_field(&it, Biomass, 0);
        for (int32_t i = 0; i < it.count; i++) living += biomass[i].grams;
    }
    if (taken - returned == living) return 0;
    return demo_wrong("%" PRId64 " g went into bodies, %" PRId64 " out of them, and %" PRId64
                      " are there",
        taken, returned, living);
}

// Chance may move a logarithm by five standard deviations.
static int verify_law(const law_t *law, const char *whose) {
    double allowed = 5 * sqrt(law->variation);
    if (law->variation <= 0) return demo_wrong("nothing happened to %s", whose);
    if (fabs(law->off) <= allowed) return 0;
    return demo_wrong("the logarithm of the number of %s is %.3g off, where %.3g may be", whose,
        law->off, allowed);
}

// In each valley, and in all of them together, where chance counts less.
static int verify_laws(const land_t *land, bool foxes, const char *whose, law_t *sum) {
    int status = 0;
    *sum = (law_t){ 0 };
    for (int32_t i = 0; i < land->count && !status; i++) {
        const law_t *law = foxes ? &land->valleys[i].foxes_law : &land->valleys[i].rabbits_law;
        status = verify_law(law, whose);
        sum->off += law->off;
        sum->variation += law->variation;
        sum->others += law->others;
        sum->seen += law->seen;
    }
    return status ? status : verify_law(sum, whose);
}

// All time that passed was made into steps.
static int verify_steps(const land_t *land, double time) {
    if (fabs((double)land->steps - floor(time)) <= 1) return 0;
    return demo_wrong("%" PRId64 " steps in a time of %.1f", land->steps, time);
}

static void fill_in(demo_result_t *result, const ecs_world_t *world, const land_t *land,
    const law_t *rabbits, const law_t *foxes) {
    double censuses = (double)land->steps * land->count;
    result->entities = ecs_count(world, Biomass);
    result->entity_ticks = (int64_t)(rabbits->seen + foxes->seen);
    result->checksum = ecs_world_hash(world);
    snprintf(result->verdict, sizeof result->verdict,
        "%" PRId64
        " steps; %.0f rabbits and %.0f foxes in a valley on average, %.2f and %.2f %% off "
        "Volterra's laws; no biomass lost",
        land->steps, rabbits->seen / censuses, foxes->seen / censuses,
        100 * foxes->off / foxes->others, 100 * rabbits->off / rabbits->others);
}

static int run_land(const demo_setup_t *setup, demo_result_t *result, bool hunted) {
    land_t land = { 0 };
    ecs_world_t *world = ecs_init();
    uint64_t random = setup->seed;
    double time = 0;
    make_land(&land, setup, world, hunted);
    for (int32_t tick = 0; tick < setup->ticks; tick++) {
        ecs_ftime_t frame = (ecs_ftime_t)(4 * demo_random(&random));
        double start = demo_now();
        tail_progress(world, frame);
        result->seconds += demo_now() - start;
        time += (double)frame;
    }
    law_t rabbits, foxes;
    int status = verify_steps(&land, time);
    if (!status) status = verify_biomass(world, &land);
    if (!status) status = verify_laws(&land, false, "rabbits", &rabbits);
    if (!status) status = verify_laws(&land, true, "foxes", &foxes);
    if (!status) fill_in(result, world, &land, &rabbits, &foxes);
    ecs_fini(world);
    for (int32_t i = 0; i < land.count; i++) free(land.valleys[i].foxes);
    free(land.valleys);
    return status;
}
static int run_alone(const demo_setup_t *setup, demo_result_t *result) {
    return run_land(setup, result, false);
}

static int run_hunted(const demo_setup_t *setup, demo_result_t *result) {
    return run_land(setup, result, true);
}

static const demo_scene_t scenes[] = {
    { "Left alone", run_alone, 50000, 200, NULL },
    { "With hunters", run_hunted, 50000, 200, NULL },
    { 0 },
};

static const demo_scene_t checks[] = {
    { "Left alone", run_alone, 5000, 150, NULL },
    { "With hunters", run_hunted, 5000, 150, NULL },
    { 0 },
};

int main(int argc, char **argv) {
    static const demo_t demo = {
        .name = "ecosystem",
        .about = "rabbits and foxes: fixed steps, timers, groups, states beside tables",
        .scenes = scenes,
        .checks = checks,
    };
    return demo_main(&demo, argc, argv);
}
