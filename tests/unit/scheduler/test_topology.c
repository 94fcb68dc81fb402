// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "support/test.h"

#include "clock.h"
#include "topology.h"

#include <muster/scheduler/pool.h>
#include <sched.h>

static void quota_is_rounded_up_to_processors(void **unused) {
    (void)unused;
    assert_int_equal(sched__quota_of("max 100000\n"), 0);
    assert_int_equal(sched__quota_of("100000 100000\n"), 1);
    assert_int_equal(sched__quota_of("150000 100000\n"), 2);
    assert_int_equal(sched__quota_of("50000 100000\n"), 1);
    assert_int_equal(sched__quota_of("-1 100000"), 0);
    assert_int_equal(sched__quota_of(""), 0);
    assert_int_equal(sched__quota_of("100000"), 0);
    assert_int_equal(sched__quota_of("9223372036854775807 1"), INT32_MAX);
}

static void affinity_mask_limits_usable_processors(void **unused) {
    (void)unused;
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++) {
        if (CPU_ISSET(i, &before)) CPU_SET(i, &one);
    }
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(sched_usable_cpus(), 1);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_in_range(sched_usable_cpus(), 1, CPU_COUNT(&before));
}

static void ticks_follow_the_system_clock(void **unused) {
    (void)unused;
    double ns_per_tick = sched__clock_init();
    assert_true(ns_per_tick == sched__clock_init());
    uint64_t start = sched__ticks(), start_ns = sched__clock_ns(), end_ns;
    do {
        end_ns = sched__clock_ns();
    } while (end_ns - start_ns < 20000000);
    double ratio = (double)(sched__ticks() - start) * ns_per_tick / (double)(end_ns - start_ns);
    assert_true(
        ratio > 0.8 && ratio < 1.25); /* estimates need no more; calibration may be interrupted */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quota_is_rounded_up_to_processors),
        cmocka_unit_test(affinity_mask_limits_usable_processors),
        cmocka_unit_test(ticks_follow_the_system_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
