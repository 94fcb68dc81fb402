// SPDX-License-Identifier: MIT
// check: assertions that print the values and names a reader needs to see.
#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <muster/ecs/ecs.h>

/** Two entities, components or pairs are the same; prints their names. */
#define assert_id_equal(world, actual, expected) \
    check_id_(world, actual, expected, #actual, __FILE__, __LINE__)

/** The ids of an entity, as ecs_type_str prints them. */
#define assert_type(world, entity, expected) \
    check_type_(world, entity, expected, #entity, __FILE__, __LINE__)

/** |actual - expected| is at most `tolerance`; NaN equals nothing. */
#define assert_near(actual, expected, tolerance) \
    check_near_(                                 \
        (double)(actual), (double)(expected), (double)(tolerance), #actual, __FILE__, __LINE__)

/** Two states (world hashes) are the same; prints them in hexadecimal. */
#define assert_hash_equal(actual, expected) \
    check_hash_(actual, expected, #actual, __FILE__, __LINE__)

static inline void check_id_(const ecs_world_t *world, ecs_id_t actual, ecs_id_t expected,
    const char *what, const char *file, int line) {
    if (actual == expected) return;
    char *got = ecs_id_str(world, actual), *want = ecs_id_str(world, expected);
    print_error("%s is %s (%#llx), expected %s (%#llx)\n", what, got, (unsigned long long)actual,
        want, (unsigned long long)expected);
    ecs_os_free(got);
    ecs_os_free(want);
    _fail(file, line);
}

static inline void check_type_(const ecs_world_t *world, ecs_entity_t entity, const char *expected,
    const char *what, const char *file, int line) {
    char *got = ecs_type_str(world, ecs_get_type(world, entity));
    bool same = got && strcmp(got, expected) == 0;
    if (!same) print_error("%s has [%s], expected [%s]\n", what, got ? got : "", expected);
    ecs_os_free(got);
    if (!same) _fail(file, line);
}

static inline void check_near_(double actual, double expected, double tolerance, const char *what,
    const char *file, int line) {
    if (fabs(actual - expected) <= tolerance) return;
    print_error("%s is %.17g, expected %.17g within %g\n", what, actual, expected, tolerance);
    _fail(file, line);
}

static inline void check_hash_(
    uint64_t actual, uint64_t expected, const char *what, const char *file, int line) {
    if (actual == expected) return;
    print_error("%s is %016llx, expected %016llx\n", what, (unsigned long long)actual,
        (unsigned long long)expected);
    _fail(file, line);
}

#endif
