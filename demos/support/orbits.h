// SPDX-License-Identifier: MIT
// orbits: Newtonian motion of point masses: vectors, attraction, and one planet with its moons.
//
// Lengths are km, times s. A mass is given as gravitational constant times mass (gm, km3/s2),
// which is what orbits measure; the constant by itself is known far less precisely.
#ifndef DEMO_ORBITS_H
#define DEMO_ORBITS_H

#include <math.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ORBITS_MOONS_LIMIT 64

typedef struct {
    double x, y, z;
} vec_t;

typedef struct {
    vec_t position, velocity;
} state_t;

static inline vec_t vec_add(vec_t a, vec_t b) { return (vec_t){ a.x + b.x, a.y + b.y, a.z + b.z }; }

static inline vec_t vec_sub(vec_t a, vec_t b) { return (vec_t){ a.x - b.x, a.y - b.y, a.z - b.z }; }

static inline vec_t vec_scale(double s, vec_t a) { return (vec_t){ s * a.x, s * a.y, s * a.z }; }

static inline double vec_dot(vec_t a, vec_t b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/** Acceleration of a body towards a mass that lies at `offset` from it. */
static inline vec_t orbits_attraction(double gm, vec_t offset) {
    double squared = vec_dot(offset, offset);
    return vec_scale(gm / (squared * sqrt(squared)), offset);
}

/** Angle between two directions, 0 to pi. */
double orbits_angle(vec_t a, vec_t b);

/** Period of the ellipse a body follows around a mass, in s; 0 if it is not bound. */
double orbits_period(state_t state, double gm);

/** Move a family by `time_s`, in `steps` symplectic steps of the second order (leapfrog).
 *
 * @param moons   `count` states relative to the planet, count <= ORBITS_MOONS_LIMIT.
 * @param gms     Their masses; they attract each other and the planet.
 * @param planet  State of the planet, which was moved already as if it had no moons; corrected so
 * that
 *                the centre of mass of the family moves in a straight line.
 */
void orbits_move_family(state_t *moons, const double *gms, int32_t count, state_t *planet,
    double planet_gm, double time_s, int32_t steps);

#ifdef __cplusplus
}
#endif
#endif
