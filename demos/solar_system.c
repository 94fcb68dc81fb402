// SPDX-License-Identifier: MIT
// solar_system: the Sun, its planets, seven large moons, and as many asteroids as you like.
//
// Shows a hierarchy: moons are children of planets and planets of the Sun; each body knows where
// it is relative to its parent (Local), and a cascade composes that to places in space (Global).
//
// A tick is half a day, and symplectic: energy errors stay bounded instead of piling up. Forces
// within a family (a planet and its moons) change fast, those between families slowly. So a tick
// kicks everyone with the slow forces for half the time, lets each family go its way in many
// small steps, and kicks again:
//
//     PreUpdate   KickFirst    Local velocity  <- Pull of oneself minus that of the parent
//     OnUpdate    Drift        Local position  <- velocity (Sun, planets, asteroids)
//                 Orbit        Local of moons  <- their planet and each other; the planet recoils
//     PostUpdate  Compose      Global          <- Local and Global of the parent, parents first
//                 Gather       Sources         <- Global of everything with mass
//     PreStore    Attract      Pull            <- Sources of other families
//     OnStore     KickLast     as KickFirst
//                 CountTurns   Turns           <- Local
//
// Verified: the total energy, and the periods of planets and moons against published ones.
// Masses are points and forces Newtonian. Lengths are km, times s, angles radians.
#include <muster.h>

#include "support/bodies.h"
#include "support/checksum.h"
#include "support/demo.h"
#include "support/tail.h"
#include "support/orbits.h"

#include <math.h>
#include <stdio.h>

typedef state_t Local; // relative to the parent
typedef vec_t Global;  // position relative to the centre of mass of everything
typedef vec_t Pull;    // acceleration by everything outside the own family
typedef double Mass;   // gm; asteroids have none

typedef struct {
    ecs_entity_t head; // planet of a family, the Sun for itself, 0 for asteroids
} Family;

typedef struct {
    int64_t steps; // on a planet: into how many steps Orbit divides a tick
} Moons;

// How often a body went around its parent.
typedef struct {
    vec_t last;         // where it was a tick ago
    double turns, days; // since the start
    double whole_turns, whole_days;
} Turns;

typedef struct {
    vec_t position;
    double gm;
    ecs_entity_t family;
} source_t;

// Singleton: everything that attracts, side by side for Attract.
typedef struct {
    source_t at[BODIES_LIMIT];
    int64_t count;
} Sources;

ECS_COMPONENT_DECLARE(Local);
ECS_COMPONENT_DECLARE(Global);
ECS_COMPONENT_DECLARE(Pull);
ECS_COMPONENT_DECLARE(Mass);
ECS_COMPONENT_DECLARE(Family);
ECS_COMPONENT_DECLARE(Moons);
ECS_COMPONENT_DECLARE(Turns);
ECS_COMPONENT_DECLARE(Sources);

#define DAY_S 86400.0
#define TICK_S (0.5 * DAY_S)
#define AU_KM 149597870.7
#define PI 3.14159265358979323846
#define STEPS_PER_ORBIT 200 // of the innermost moon: its period is then right to 0.05 %
#define TICKS_PER_CHECK 60  // of the energy
#define ENERGY_BOUND 2e-6   // relative; Mercury's tick of half a day makes 7e-7 of it
#define PERIOD_BOUND 1e-3   // relative
#define YEARS(n) ((int32_t)((n)*365.25 * DAY_S / TICK_S))

// ---- Systems ----

// Local velocities are relative to the parent, so they change by the difference of the two pulls.
static void Kick(ecs_iter_t *it) {
    Local *locals = ecs_field(it, Local, 0);
    const Pull *pulls = ecs_field(it, Pull, 1);
    const Pull *parent = ecs_field(it, Pull, 2);
    vec_t of_parent = parent ? *parent : (vec_t){ 0, 0, 0 };
    for (int32_t i = 0; i < it->count; i++) {
        vec_t kick = vec_scale(TICK_S / 2, vec_sub(pulls[i], of_parent));
        locals[i].velocity = vec_add(locals[i].velocity, kick);
    }
}

static void Drift(ecs_iter_t *it) {
    Local *locals = ecs_field(it, Local, 0);
    for (int32_t i = 0; i < it->count; i++) {
        locals[i].position = vec_add(locals[i].position, vec_scale(TICK_S, locals[i].velocity));
    }
}

// The moons of one planet have the same components and the same parent, so they share a table: one
// result is one family.
static void Orbit(ecs_iter_t *it) {
    Local *moons = ecs_field(it, Local, 0);
    const Mass *masses = ecs_field(it, Mass, 1);
    Local *planet = ecs_field(it, Local, 2);
    const Mass *planet_mass = ecs_field(it, Mass, 3);
    int32_t steps = (int32_t)ecs_field(it, Moons, 4)->steps;
    orbits_move_family(moons, masses, it->count, planet, *planet_mass, TICK_S, steps);
}

static void Compose(ecs_iter_t *it) {
    const Local *locals = ecs_field(it, Local, 0);
    Global *globals = ecs_field(it, Global, 1);
    const Global *parent = ecs_field(it, Global, 2);
    vec_t origin = parent ? *parent : (vec_t){ 0, 0, 0 };
    for (int32_t i = 0; i < it->count; i++) {
        globals[i] = vec_add(origin, locals[i].position);
    }
}

// A run callback sees all results of the query, so it can start with an empty list.
static void Gather(ecs_iter_t *it) {
    int64_t count = 0;
    while (ecs_iter_next(it)) {
        const Mass *masses = ecs_field(it, Mass, 0);
        const Global *globals = ecs_field(it, Global, 1);
        const Family *families = ecs_field(it, Family, 2);
        Sources *sources = ecs_field(it, Sources, 3);
        for (int32_t i = 0; i < it->count; i++) {
            sources->at[count++] = (source_t){ globals[i], masses[i], families[i].head };
        }
        sources->count = count;
    }
}

static void Attract(ecs_iter_t *it) {
    const Global *globals = ecs_field(it, Global, 0);
    const Family *families = ecs_field(it, Family, 1);
    Pull *pulls = ecs_field(it, Pull, 2);
    const Sources *sources = ecs_field(it, Sources, 3);
    for (int32_t i = 0; i < it->count; i++) {
        vec_t sum = { 0, 0, 0 };
        for (int64_t k = 0; k < sources->count; k++) {
            const source_t *source = &sources->at[k];
            if (source->family != families[i].head) {
                vec_t offset = vec_sub(source->position, globals[i]);
                sum = vec_add(sum, orbits_attraction(source->gm, offset));
            }
        }
        pulls[i] = sum;
    }
}

static void CountTurns(ecs_iter_t *it) {
    const Local *locals = ecs_field(it, Local, 0);
    Turns *turns = ecs_field(it, Turns, 1);
    for (int32_t i = 0; i < it->count; i++) {
        Turns *t = &turns[i];
        double turn = orbits_angle(t->last, locals[i].position) / (2 * PI);
        t->last = locals[i].position;
        t->turns += turn;
        t->days += TICK_S / DAY_S;
        if (floor(t->turns) > t->whole_turns) {
            t->whole_turns = floor(t->turns);
            t->whole_days = t->days - (t->turns - t->whole_turns) / turn * (TICK_S / DAY_S);
        }
    }
}

static void add_system(ecs_world_t *world, const char *name, ecs_entity_t phase,
    ecs_iter_action_t callback, const char *terms) {
    ecs_system_desc_t system = {
        .entity = ecs_entity(world, { .name = name }),
        .phase = phase,
        .query.expr = terms,
        .query.instanced = true, // a family in one result, not a moon at a time
        .callback = callback,
        .multi_threaded = callback != Orbit && callback != Compose,
    };
    ecs_system_init(world, &system);
}

static void add_systems(ecs_world_t *world) {
    const char *kick = "Local, [in] Pull, [in] ?Pull(up)";
    add_system(world, "KickFirst", EcsPreUpdate, Kick, kick);
    add_system(world, "Drift", EcsOnUpdate, Drift, "Local, !Moons(up)");
    add_system(world, "Orbit", EcsOnUpdate, Orbit,
        "Local, [in] Mass, [inout] Local(up), [in] Mass(up), [in] Moons(up)");
    add_system(world, "Compose", EcsPostUpdate, Compose,
        "[in] Local, [out] Global, [in] ?Global(cascade)");
    ecs_system_desc_t gather = {
        .entity = ecs_entity(world, { .name = "Gather" }),
        .phase = EcsPostUpdate,
        .query.expr = "[in] Mass, [in] Global, [in] Family, [inout] Sources(Sources)",
        .query.instanced = true,
        .run = Gather,
    };
    ecs_system_init(world, &gather);
    add_system(world, "Attract", EcsPreStore, Attract,
        "[in] Global, [in] Family, [out] Pull, [in] Sources(Sources)");
    add_system(world, "KickLast", EcsOnStore, Kick, kick);
    add_system(world, "CountTurns", EcsOnStore, CountTurns, "[in] Local, Turns");
}

static ecs_world_t *make_world(int32_t workers) {
    ecs_world_t *world = ecs_init();
    ecs_set_threads(world, workers);
    ECS_COMPONENT_DEFINE(world, Local);
    ECS_COMPONENT_DEFINE(world, Global);
    ECS_COMPONENT_DEFINE(world, Pull);
    ECS_COMPONENT_DEFINE(world, Mass);
    ECS_COMPONENT_DEFINE(world, Family);
    ECS_COMPONENT_DEFINE(world, Moons);
    ECS_COMPONENT_DEFINE(world, Turns);
    ECS_COMPONENT_DEFINE(world, Sources);
    ecs_singleton_set(world, Sources, { .count = 0 });
    add_systems(world);
    return world;
}

// ---- Bodies ----

static vec_t vec_from(const double v[3]) { return (vec_t){ v[0], v[1], v[2] }; }

static void place(ecs_world_t *world, ecs_entity_t body, Local local, ecs_entity_t family) {
    ecs_set_ptr(world, body, Local, &local);
    ecs_set(world, body, Global, { 0, 0, 0 });
    ecs_set(world, body, Pull, { 0, 0, 0 });
    ecs_set(world, body, Family, { family });
}

// Orbit takes as many steps as the fastest moon needs. Fewer than one turn per tick must be left.
static int add_moon(ecs_world_t *world, const body_t *moon, const body_t *planet, Local local,
    ecs_entity_t entity) {
    double period_s = orbits_period(local, planet->gm_km3_s2 + moon->gm_km3_s2);
    if (!(period_s > 2 * TICK_S)) {
        return demo_bad_input(
            "%s does not orbit %s, or does so in less than two ticks", moon->name, planet->name);
    }
    int64_t steps = (int64_t)ceil(STEPS_PER_ORBIT * TICK_S / period_s);
    const Moons *moons = ecs_get(world, entity, Moons);
    if (!moons || moons->steps < steps) {
        ecs_set(world, entity, Moons, { steps });
    }
    return 0;
}

static int place_body(
    ecs_world_t *world, const bodies_t *bodies, int32_t index, ecs_entity_t *entities) {
    const body_t *body = &bodies->at[index];
    bool is_root = body->parent<0, is_moon = body->parent> 0;
    ecs_entity_t parent = is_root ? 0 : entities[body->parent];
    ecs_entity_t entity = ecs_entity(world, { .name = body->name, .parent = parent });
    Local local = { vec_from(body->position_km), vec_from(body->velocity_km_s) };
    place(world, entity, local, is_moon ? parent : entity);
    ecs_set(world, entity, Mass, { body->gm_km3_s2 });
    if (!is_root) {
        ecs_set(world, entity, Turns, { .last = local.position });
    }
    entities[index] = entity;
    return is_moon ? add_moon(world, body, &bodies->at[body->parent], local, parent) : 0;
}

static int load(const demo_setup_t *setup, bodies_t *bodies) {
    input_t input;
    int status = 0;
    if (!input_open(&input, setup->input ? setup->input : setup->data) ||
        !bodies_read(&input, bodies)) {
        status = demo_bad_input("%s", input.error);
    }
    input_close(&input);
    if (!status) {
        bodies_centre(bodies);
    }
    return status;
}

// Nearly circular orbits between Mars and Jupiter.
static void place_asteroids(
    ecs_world_t *world, const demo_setup_t *setup, ecs_entity_t sun, double sun_gm) {
    uint64_t state = setup->seed;
    for (int32_t i = 0; i < setup->entities; i++) {
        double distance = AU_KM * (2.1 + 1.2 * demo_random(&state));
        double angle = 2 * PI * demo_random(&state), tilt = 0.2 * demo_random(&state);
        double speed = sqrt(sun_gm / distance) * (0.95 + 0.1 * demo_random(&state));
        Local local = { { distance * cos(angle), distance * sin(angle), 0 },
            { -speed * sin(angle) * cos(tilt), speed * cos(angle) * cos(tilt),
                speed * sin(tilt) } };
        place(world, ecs_new_w_pair(world, EcsChildOf, sun), local, 0);
    }
}

// Systems end a tick with fresh pulls and begin it with those of the tick before.
static void compute_first_pulls(ecs_world_t *world) {
    static const char *const systems[] = { "Compose", "Gather", "Attract" };
    for (int32_t i = 0; i < 3; i++) {
        ecs_run(world, ecs_lookup(world, systems[i]), 0, NULL);
    }
}

// ---- What must come out ----

static vec_t velocity_of(const ecs_world_t *world, ecs_entity_t body) {
    vec_t velocity = { 0, 0, 0 };
    for (; body; body = ecs_get_parent(world, body)) {
        velocity = vec_add(velocity, ecs_get(world, body, Local)->velocity);
    }
    return velocity;
}

// Energy of everything with mass, times the gravitational constant.
static double energy_of(const ecs_world_t *world, const ecs_entity_t *bodies, int32_t count) {
    double energy = 0;
    for (int32_t i = 0; i < count; i++) {
        double gm = *ecs_get(world, bodies[i], Mass);
        vec_t position = *ecs_get(world, bodies[i], Global);
        vec_t velocity = velocity_of(world, bodies[i]);
        energy += 0.5 * gm * vec_dot(velocity, velocity);
        for (int32_t k = 0; k < i; k++) {
            vec_t offset = vec_sub(*ecs_get(world, bodies[k], Global), position);
            energy -= gm * *ecs_get(world, bodies[k], Mass) / sqrt(vec_dot(offset, offset));
        }
    }
    return energy;
}

// Largest relative difference to a published period; negative after saying what is wrong.
static double compare_periods(const ecs_world_t *world, const bodies_t *bodies,
    const ecs_entity_t *entities, int32_t *compared) {
    double worst = 0;
    for (int32_t i = 1; i < bodies->count; i++) {
        const body_t *body = &bodies->at[i];
        const Turns *turns = ecs_get(world, entities[i], Turns);
        if (body->period_d > 0 && turns->whole_turns > 0) {
            double period = turns->whole_days / turns->whole_turns;
            double off = fabs(period / body->period_d - 1);
            if (!(off <= PERIOD_BOUND)) {
                demo_wrong("%s took %.6g days for an orbit, %.6g are published", body->name, period,
                    body->period_d);
                return -1;
            }
            worst = fmax(worst, off);
            ++*compared;
        }
    }
    return worst;
}

static int verify_asteroids(ecs_world_t *world) {
    ecs_query_t *query = ecs_query(world, { .expr = "[in] Local, !Mass" });
    ecs_iter_t it = ecs_query_iter(world, query);
    int64_t strays = 0;
    while (ecs_query_next(&it)) {
        const Local *locals = ecs_field(&it, Local, 0);
        for (int32_t i = 0; i < it.count; i++) {
            double distance = sqrt(vec_dot(locals[i].position, locals[i].position)) / AU_KM;
            strays += !(distance > 1.6 && distance < 4.2);
        }
    }
    ecs_query_fini(query);
    return strays ? demo_wrong("%lld asteroids left the belt", (long long)strays) : 0;
}

static int run_ticks(ecs_world_t *world, const demo_setup_t *setup, const bodies_t *bodies,
    const ecs_entity_t *entities, demo_result_t *result) {
    double before = energy_of(world, entities, bodies->count), drift = 0;
    for (int32_t tick = 1; tick <= setup->ticks; tick++) {
        double start = demo_now();
        tail_progress(world, (ecs_ftime_t)TICK_S);
        result->seconds += demo_now() - start;
        if (tick % TICKS_PER_CHECK == 0 || tick == setup->ticks) {
            double off = fabs(energy_of(world, entities, bodies->count) / before - 1);
            drift = off <= drift ? drift : off; // not fmax, which hides a nan
        }
    }
    if (!(drift <= ENERGY_BOUND)) {
        return demo_wrong("the energy drifted by %.2g, %.2g is the bound", drift, ENERGY_BOUND);
    }
    int32_t compared = 0;
    double worst = 0;
    if (setup->ticks >= YEARS(100)) { // before that, periods are not yet means
        worst = compare_periods(world, bodies, entities, &compared);
    }
    int used = snprintf(result->verdict, sizeof result->verdict, "%.1f years, energy within %.1e",
        setup->ticks * TICK_S / DAY_S / 365.25, drift);
    if (compared > 0) {
        snprintf(result->verdict + used, sizeof result->verdict - (size_t)used,
            ", %d periods within %.1e of the published ones", (int)compared, worst);
    }
    result->checksum = checksum_add(result->checksum, &drift, sizeof drift);
    return worst < 0 ? 1 : verify_asteroids(world);
}

static int run_solar_system(const demo_setup_t *setup, demo_result_t *result) {
    bodies_t bodies;
    ecs_entity_t entities[BODIES_LIMIT];
    int status = load(setup, &bodies);
    if (status) {
        return status;
    }
    ecs_world_t *world = make_world(setup->workers);
    for (int32_t i = 0; i < bodies.count && !status; i++) {
        status = place_body(world, &bodies, i, entities);
    }
    if (!status) {
        place_asteroids(world, setup, entities[0], bodies.at[0].gm_km3_s2);
        compute_first_pulls(world);
        status = run_ticks(world, setup, &bodies, entities, result);
    }
    result->entities = ecs_count(world, Local);
    result->entity_ticks = result->entities * setup->ticks;
    uint64_t hash = ecs_world_hash(world);
    result->checksum = checksum_add(result->checksum, &hash, sizeof hash);
    ecs_fini(world);
    return status;
}

static const demo_scene_t scenes[] = {
    { "Asteroid belt", run_solar_system, 20000, 300, "solar_system.csv" },
    { "Planets and moons", run_solar_system, 0, YEARS(170), "solar_system.csv" },
    { 0 },
};

static const demo_scene_t checks[] = {
    { "Asteroid belt", run_solar_system, 2000, 50, "solar_system.csv" },
    { "Planets and moons", run_solar_system, 0, YEARS(170), "solar_system.csv" },
    { 0 },
};

int main(int argc, char **argv) {
    static const demo_t demo = {
        .name = "solar_system",
        .about = "planets, moons and asteroids in a hierarchy; --input reads a CSV file",
        .scenes = scenes,
        .checks = checks,
        .takes_input = true,
    };
    return demo_main(&demo, argc, argv);
}
