// SPDX-License-Identifier: MIT
// orbits: see orbits.h.
#include "orbits.h"

#define PI 3.14159265358979323846

double orbits_angle(vec_t a, vec_t b) {
    vec_t cross = { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
    return atan2(sqrt(vec_dot(cross, cross)), vec_dot(a, b));
}

double orbits_period(state_t state, double gm) {
    double distance = sqrt(vec_dot(state.position, state.position));
    double inverse_axis = 2 / distance - vec_dot(state.velocity, state.velocity) / gm;
    return inverse_axis > 0 ? 2 * PI * sqrt(pow(inverse_axis, -3) / gm) : 0;
}

// Accelerations relative to the planet, which falls towards each moon meanwhile.
static void accelerate(const state_t *moons, const double *gms, int32_t count, double planet_gm,
    vec_t *accelerations) {
    vec_t of_planet = { 0 };
    for (int32_t i = 0; i < count; i++) {
        of_planet = vec_add(of_planet, orbits_attraction(gms[i], moons[i].position));
    }
    for (int32_t i = 0; i < count; i++) {
        vec_t sum = orbits_attraction(planet_gm, vec_scale(-1, moons[i].position));
        for (int32_t k = 0; k < count; k++) {
            if (k != i) {
                vec_t offset = vec_sub(moons[k].position, moons[i].position);
                sum = vec_add(sum, orbits_attraction(gms[k], offset));
            }
        }
        accelerations[i] = vec_sub(sum, of_planet);
    }
}

static void kick(state_t *moons, const vec_t *accelerations, int32_t count, double time_s) {
    for (int32_t i = 0; i < count; i++) {
        moons[i].velocity = vec_add(moons[i].velocity, vec_scale(time_s, accelerations[i]));
    }
}

static void drift(state_t *moons, int32_t count, double time_s) {
    for (int32_t i = 0; i < count; i++) {
        moons[i].position = vec_add(moons[i].position, vec_scale(time_s, moons[i].velocity));
    }
}

// From the planet to the centre of mass, and how fast that moves relative to the planet.
static state_t centre_of(const state_t *moons, const double *gms, int32_t count, double planet_gm) {
    double total = planet_gm;
    state_t centre = { { 0, 0, 0 }, { 0, 0, 0 } };
    for (int32_t i = 0; i < count; i++) {
        total += gms[i];
    }
    for (int32_t i = 0; i < count; i++) {
        double share = gms[i] / total;
        centre.position = vec_add(centre.position, vec_scale(share, moons[i].position));
        centre.velocity = vec_add(centre.velocity, vec_scale(share, moons[i].velocity));
    }
    return centre;
}

void orbits_move_family(state_t *moons, const double *gms, int32_t count, state_t *planet,
    double planet_gm, double time_s, int32_t steps) {
    vec_t accelerations[ORBITS_MOONS_LIMIT];
    double step_s = time_s / steps;
    state_t before = centre_of(moons, gms, count, planet_gm);
    accelerate(moons, gms, count, planet_gm, accelerations);
    for (int32_t step = 0; step < steps; step++) {
        kick(moons, accelerations, count, step_s / 2);
        drift(moons, count, step_s);
        accelerate(moons, gms, count, planet_gm, accelerations);
        kick(moons, accelerations, count, step_s / 2);
    }
    // Relative to where the planet would be alone, the centre went straight on from where it was.
    state_t after = centre_of(moons, gms, count, planet_gm);
    vec_t straight_on = vec_add(before.position, vec_scale(time_s, before.velocity));
    planet->position = vec_add(planet->position, vec_sub(straight_on, after.position));
    planet->velocity = vec_add(planet->velocity, vec_sub(before.velocity, after.velocity));
}
