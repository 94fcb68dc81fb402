// SPDX-License-Identifier: MIT
// bodies: see bodies.h. The fields are csv's business, their meaning is checked here.
#include "bodies.h"

#include "csv.h"

#include <string.h>

static int32_t find_body(const bodies_t *bodies, const char *name) {
    for (int32_t i = 0; i < bodies->count; i++) {
        if (strcmp(bodies->at[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static bool read_vector(input_t *input, const char *const columns[3], double vector[3]) {
    return csv_number(input, columns[0], &vector[0]) && csv_number(input, columns[1], &vector[1]) &&
           csv_number(input, columns[2], &vector[2]);
}

static bool read_fields(input_t *input, body_t *body, char *parent, size_t size) {
    static const char *const position[] = { "x_km", "y_km", "z_km" };
    static const char *const velocity[] = { "vx_km_s", "vy_km_s", "vz_km_s" };
    return csv_text(input, "name", body->name, sizeof body->name) &&
           csv_text(input, "parent", parent, size) &&
           csv_number(input, "gm_km3_s2", &body->gm_km3_s2) &&
           read_vector(input, position, body->position_km) &&
           read_vector(input, velocity, body->velocity_km_s) &&
           csv_number(input, "period_d", &body->period_d) && csv_end(input);
}

// What is wrong with a body that could be read, or NULL.
static const char *find_problem(const bodies_t *bodies, const body_t *body, const char *parent) {
    const double *p = body->position_km;
    bool is_root = parent[0] == '\0';
    if (!body->name[0]) {
        return "the name is empty";
    }
    if (find_body(bodies, body->name) >= 0) {
        return "there is a body of this name already";
    }
    if (is_root && bodies->count > 0) {
        return "only the first body can be without a parent";
    }
    if (!is_root && body->parent < 0) {
        return "the parent is not among the rows above";
    }
    if (!is_root && bodies->at[body->parent].parent > 0) {
        return "moons have no moons here";
    }
    if (!(body->gm_km3_s2 > 0) || body->period_d < 0) {
        return "gm_km3_s2 must be positive and period_d not negative";
    }
    if (!is_root && p[0] == 0 && p[1] == 0 && p[2] == 0) {
        return "the body lies in the centre of its parent";
    }
    return NULL;
}

bool bodies_read(input_t *input, bodies_t *bodies) {
    bodies->count = 0;
    if (!csv_header(input, BODIES_COLUMNS)) {
        return false;
    }
    while (csv_row(input)) {
        int32_t line = input->line;
        body_t body = { .parent = -1 };
        char parent[sizeof body.name];
        if (bodies->count == BODIES_LIMIT) {
            return input_fail(input, "there are more than %d bodies", BODIES_LIMIT);
        }
        if (!read_fields(input, &body, parent, sizeof parent)) {
            return false;
        }
        body.parent = find_body(bodies, parent);
        const char *problem = find_problem(bodies, &body, parent);
        if (problem) {
            return input_fail_at(input, line, 1, "%s: %s", body.name, problem);
        }
        bodies->at[bodies->count++] = body;
    }
    return !input->error[0] &&
           (bodies->count > 0 || input_fail(input, "there is no body in this file"));
}

void bodies_centre(bodies_t *bodies) {
    double total = 0, position[3] = { 0 }, velocity[3] = { 0 };
    for (int32_t i = 0; i < bodies->count; i++) {
        total += bodies->at[i].gm_km3_s2;
    }
    for (int32_t i = 1; i < bodies->count; i++) {
        double share = bodies->at[i].gm_km3_s2 / total;
        for (int32_t body = i; body > 0; body = bodies->at[body].parent) {
            for (int32_t k = 0; k < 3; k++) {
                position[k] -= share * bodies->at[body].position_km[k];
                velocity[k] -= share * bodies->at[body].velocity_km_s[k];
            }
        }
    }
    memcpy(bodies->at[0].position_km, position, sizeof position);
    memcpy(bodies->at[0].velocity_km_s, velocity, sizeof velocity);
}
