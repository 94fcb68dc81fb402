// SPDX-License-Identifier: MIT
// orbits: motion that is known in closed form.
#include "support/test.h"

// The physics belongs to the demos, which need not be built for the tests to run.
#include "../../../demos/support/orbits.c"

// cmocka's own comparison rounds to float.
static void assert_close(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g is not within %g of %.17g", value, tolerance, expected);
    }
}

#define PLANET_GM 4e5
#define MOON_GM 5e3
#define DISTANCE 4e5

// A moon on a circle around a planet at rest in the origin.
static state_t circular_moon(void) {
    double speed = sqrt((PLANET_GM + MOON_GM) / DISTANCE);
    return (state_t){ { DISTANCE, 0, 0 }, { 0, speed, 0 } };
}

static void the_angle_between_opposite_directions_is_pi(void **state) {
    (void)state;
    assert_close(orbits_angle((vec_t){ 1, 0, 0 }, (vec_t){ -2, 0, 0 }), PI, 1e-12);
    assert_close(orbits_angle((vec_t){ 1, 0, 0 }, (vec_t){ 0, 0, 5 }), PI / 2, 1e-12);
    assert_close(orbits_angle((vec_t){ 1, 2, 3 }, (vec_t){ 1, 2, 3 }), 0, 1e-7);
}

static void the_period_is_keplers(void **state) {
    (void)state;
    double gm = PLANET_GM + MOON_GM;
    double expected = 2 * PI * sqrt(DISTANCE * DISTANCE * DISTANCE / gm);
    assert_close(orbits_period(circular_moon(), gm) / expected, 1, 1e-12);
}

static void what_is_faster_than_escape_has_no_period(void **state) {
    (void)state;
    state_t moon = circular_moon();
    moon.velocity = vec_scale(1.5, moon.velocity);
    assert_close(orbits_period(moon, PLANET_GM + MOON_GM), 0, 0);
}

static void a_moon_comes_back_after_one_period(void **state) {
    (void)state;
    state_t moon = circular_moon(), planet = { { 0, 0, 0 }, { 0, 0, 0 } };
    double gm = MOON_GM, period_s = orbits_period(moon, PLANET_GM + MOON_GM);
    orbits_move_family(&moon, &gm, 1, &planet, PLANET_GM, period_s, 2000);
    double off = orbits_angle(moon.position, (vec_t){ 1, 0, 0 });
    assert_true(off < 1e-4);
    assert_close(sqrt(vec_dot(moon.position, moon.position)) / DISTANCE, 1, 1e-5);
}

// The second order: half the step, a quarter of the error.
static void errors_shrink_with_the_square_of_the_step(void **state) {
    (void)state;
    double off[2];
    for (int32_t i = 0; i < 2; i++) {
        state_t moon = circular_moon(), planet = { { 0, 0, 0 }, { 0, 0, 0 } };
        double gm = MOON_GM, period_s = orbits_period(moon, PLANET_GM + MOON_GM);
        orbits_move_family(&moon, &gm, 1, &planet, PLANET_GM, period_s, i ? 1000 : 500);
        off[i] = orbits_angle(moon.position, (vec_t){ 1, 0, 0 });
    }
    assert_close(off[0] / off[1], 4, 0.05);
}

// The planet must recoil so that the family, seen from outside, moves as if nothing turned in it.
static void the_centre_of_mass_moves_in_a_straight_line(void **state) {
    (void)state;
    state_t moons[2] = { circular_moon(), { { 0, 0, -8e5 }, { 0.7, 0, 0 } } };
    double gms[2] = { MOON_GM, 3e3 };
    state_t planet = { { 1e8, 2e8, 0 }, { 3, -4, 5 } };
    state_t before = centre_of(moons, gms, 2, PLANET_GM);
    vec_t start = vec_add(planet.position, before.position);
    vec_t velocity = vec_add(planet.velocity, before.velocity);

    double time_s = 86400;
    planet.position = vec_add(planet.position, vec_scale(time_s, planet.velocity));
    orbits_move_family(moons, gms, 2, &planet, PLANET_GM, time_s, 10);

    state_t after = centre_of(moons, gms, 2, PLANET_GM);
    vec_t expected = vec_add(start, vec_scale(time_s, velocity));
    vec_t position_off = vec_sub(vec_add(planet.position, after.position), expected);
    vec_t velocity_off = vec_sub(vec_add(planet.velocity, after.velocity), velocity);
    assert_true(sqrt(vec_dot(position_off, position_off)) < 1e-6);
    assert_true(sqrt(vec_dot(velocity_off, velocity_off)) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_angle_between_opposite_directions_is_pi),
        cmocka_unit_test(the_period_is_keplers),
        cmocka_unit_test(what_is_faster_than_escape_has_no_period),
        cmocka_unit_test(a_moon_comes_back_after_one_period),
        cmocka_unit_test(errors_shrink_with_the_square_of_the_step),
        cmocka_unit_test(the_centre_of_mass_moves_in_a_straight_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
