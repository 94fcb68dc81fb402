// SPDX-License-Identifier: MIT
// bodies: reads a table of celestial bodies: masses, state vectors, and who goes around whom.
//
// One row per body, a parent before its children. The root has no parent; its children are planets,
// their children moons. See data/solar_system.csv.
#ifndef DEMO_BODIES_H
#define DEMO_BODIES_H

#include "input.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BODIES_LIMIT 64
#define BODIES_COLUMNS "name,parent,gm_km3_s2,x_km,y_km,z_km,vx_km_s,vy_km_s,vz_km_s,period_d"

typedef struct {
    char name[32];
    int32_t parent;        // index of the parent in the list, -1 for the root
    double gm_km3_s2;      // gravitational constant times mass
    double position_km[3]; // relative to the parent
    double velocity_km_s[3];
    double period_d; // published sidereal period in days; 0: none to compare with
} body_t;

typedef struct {
    body_t at[BODIES_LIMIT];
    int32_t count;
} bodies_t;

/** Read a table. On false `input->error` says what is wrong and where. */
bool bodies_read(input_t *input, bodies_t *bodies);

/** Put the root where the centre of mass of all bodies is at rest at the origin. */
void bodies_centre(bodies_t *bodies);

#ifdef __cplusplus
}
#endif
#endif
