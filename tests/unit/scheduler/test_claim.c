// SPDX-License-Identifier: MIT
#include "support/test.h"

#include "claim.h"

typedef struct fixture_t {
    sched__cell_t cells[8];
    sched__range_t range;
} fixture_t;

static void open_range(fixture_t *f, int64_t count, int64_t grain, uint32_t lanes) {
    f->range.cells = f->cells;
    f->range.count = count;
    f->range.grain = grain;
    sched__range_prepare(&f->range, lanes);
    sched__range_fill(&f->range);
}

static sched__visit_t visit(fixture_t *f, uint32_t worker, uint64_t *rng) {
    return sched__visit_begin(&f->range, sched__range_generation(&f->range), worker, rng);
}

static void units_are_whole_grains_and_bounded(void **unused) {
    (void)unused;
    static const struct {
        int64_t count, grain;
        uint32_t units;
        int64_t unit;
    } cases[] = {
        { 0, 1, 0, 0 },
        { -5, 1, 0, 0 },
        { 1, 0, 1, 1 },
        { 10, 3, 4, 3 },
        { 12, 3, 4, 3 },
        { 10, 100, 1, 10 },
        { 10, INT64_MAX, 1, 10 },
        { SCHED__MAX_UNITS, 1, SCHED__MAX_UNITS, 1 },
        { SCHED__MAX_UNITS + 1ll, 1, (SCHED__MAX_UNITS + 1) / 2, 2 },
        { INT64_MAX, 1, 4194303, 2199023779840 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sched__range_t range = { .count = cases[i].count, .grain = cases[i].grain };
        uint32_t units = sched__range_measure(&range);
        assert_in_range(units, 0, SCHED__MAX_UNITS);
        if (cases[i].count < INT64_MAX) {
            assert_int_equal(units, cases[i].units);
            assert_int_equal(range.unit, cases[i].unit);
        } else { /* covers the range, without one unit too many */
            assert_true(range.unit > INT64_MAX / units - range.unit);
            assert_true(range.unit * (int64_t)(units - 1) < INT64_MAX);
        }
    }
}

static void check_coverage(int64_t count, int64_t grain, uint32_t lanes, uint64_t seed) {
    static fixture_t f;
    uint8_t ran[1000] = { 0 };
    uint64_t rng = seed;
    open_range(&f, count, grain, lanes);
    sched__visit_t visits[3];
    uint32_t exhausted = 0, finished = 0;
    for (uint32_t i = 0; i < 3; i++) visits[i] = visit(&f, i, seed ? &rng : NULL);
    for (bool any = true; any;) {
        any = false;
        for (uint32_t i = 0; i < 3; i++) {
            if (!sched__visit_claim(&visits[i])) continue;
            any = true;
            exhausted += visits[i].exhausted;
            for (uint32_t unit = visits[i].begin; unit < visits[i].end; unit++) ran[unit]++;
            sched__visit_learn(&visits[i], 100);
        }
    }
    for (uint32_t i = 0; i < 3; i++) finished += visits[i].finished;
    assert_int_equal(exhausted, f.range.units > 0);
    assert_int_equal(finished, f.range.units > 0);
    for (uint32_t i = 0; i < f.range.units; i++) assert_int_equal(ran[i], 1);
    assert_null(sched__range_verify(&f.range, 8));
}

static void interleaved_visits_cover_each_unit_once(void **unused) {
    (void)unused;
    for (uint64_t seed = 0; seed < 5; seed++) {
        check_coverage(1000, 1, 3, seed);
        check_coverage(1000, 7, 3, seed);
        check_coverage(2, 1, 3, seed);
        check_coverage(1, 1, 3, seed);
        check_coverage(500, 1, 8, seed);
        check_coverage(0, 1, 3, seed);
    }
}

static void worker_starts_at_the_front_of_its_home(void **unused) {
    (void)unused;
    static fixture_t f;
    for (uint32_t worker = 0; worker < 4; worker++) {
        open_range(&f, 400, 1, 4);
        sched__visit_t v = visit(&f, worker, NULL);
        assert_true(sched__visit_claim(&v));
        assert_int_equal(v.begin, worker * 100);
    }
}

static void helper_takes_from_the_back_of_other_lanes(void **unused) {
    (void)unused;
    static fixture_t f;
    open_range(&f, 200, 1, 2);
    sched__visit_t v = visit(&f, 0, NULL);
    while (sched__visit_claim(&v) && v.begin < 100) {}
    assert_int_equal(v.end, 200);
}

static void claims_shrink_towards_the_end_of_a_lane(void **unused) {
    (void)unused;
    static fixture_t f;
    open_range(&f, 100000, 1, 1);
    sched__visit_t v = visit(&f, 0, NULL);
    v.unit_ns = 100; /* 300 units make 30 us, 20 make 2 us */
    uint32_t last = UINT32_MAX, claims = 0;
    while (sched__visit_claim(&v)) {
        uint32_t units = v.end - v.begin;
        assert_true(units <= last && units <= 300);
        assert_true(units >= 19 || v.exhausted);
        last = units;
        claims++;
    }
    assert_in_range(claims, 333, 360);
}

static void late_visit_claims_nothing_of_a_later_range(void **unused) {
    (void)unused;
    static fixture_t f;
    open_range(&f, 10, 1, 2);
    sched__visit_t late = visit(&f, 1, NULL), v = visit(&f, 0, NULL);
    while (sched__visit_claim(&v)) {}
    open_range(&f, 10, 1, 2);
    assert_false(sched__visit_claim(&late));
}

static void visit_that_believes_in_more_lanes_finds_them_empty(void **unused) {
    (void)unused;
    static fixture_t f;
    open_range(&f, 80, 1, 8);
    sched__visit_t v = visit(&f, 0, NULL);
    while (sched__visit_claim(&v)) {}
    open_range(&f, 80, 1, 2);
    sched__visit_t late = visit(&f, 5, NULL);
    late.home = late.lane = 5;
    late.lanes = late.lanes_left = 8;
    assert_false(sched__visit_claim(&late));
    v = visit(&f, 5, NULL);
    uint32_t units = 0;
    while (sched__visit_claim(&v)) units += v.end - v.begin;
    assert_int_equal(units, 80);
}

// Who looked while cells are being filled would take their lines from the opener.
static void cells_that_are_not_filled_yet_are_left_alone(void **unused) {
    (void)unused;
    static fixture_t f;
    open_range(&f, 80, 1, 2);
    sched__visit_t v = visit(&f, 0, NULL);
    while (sched__visit_claim(&v)) {}
    sched__range_prepare(&f.range, 2);
    v = visit(&f, 1, NULL);
    assert_false(sched__visit_claim(&v));
    assert_int_equal(v.lane, (v.home + 1) % 2); /* did not go round */
    assert_int_equal(v.lanes_left, 0);
    sched__range_fill(&f.range);
    v = visit(&f, 1, NULL);
    assert_true(sched__visit_claim(&v));
    assert_int_equal(v.begin, 40);
}

// Whoever waits for a range need not wait until its last worker has looked everywhere for more.
static void units_are_counted_before_the_next_lane_is_tried(void **unused) {
    (void)unused;
    static fixture_t f;
    open_range(&f, 2, 1, 2);
    sched__visit_t first = visit(&f, 0, NULL), second = visit(&f, 1, NULL);
    assert_true(sched__visit_claim(&first));
    assert_true(sched__visit_claim(&second));
    assert_false(sched__visit_claim(&first));
    assert_int_equal(first.lane, 0); /* nothing is left anywhere: it did not look */
    assert_int_equal(visit(&f, 2, NULL).lanes_left, 0); /* nor does who comes now */
    assert_false(first.finished);
    assert_false(sched__range_is_done(&f.range));
    second.ticks = 7;
    assert_false(sched__visit_claim(&second));
    assert_true(second.finished);
    assert_true(sched__range_is_done(&f.range));
    assert_int_equal(sched__range_spent(&f.range), 7);
}

static void one_interrupted_measurement_changes_little(void **unused) {
    (void)unused;
    assert_true(sched__blend_ns(-1, 123) == 123);
    assert_true(sched__blend_ns(100, 1e9) <= 500);
    assert_true(sched__blend_ns(0, 1e9) <= 250);
    assert_true(sched__blend_ns(1000, 1000) == 1000);
    assert_true(sched__blend_ns(1e6, 0) == 5e5);
}

// Virtual time: whichever worker is done first claims next, and a unit takes as long as a function
// says.
static double linear(uint32_t unit, uint32_t units) { return 200.0 * unit / units; }

static double last_tenth_is_heavy(uint32_t unit, uint32_t units) {
    return unit >= units / 10 * 9 ? 1000 : 100;
}

static double even(uint32_t unit, uint32_t units) {
    (void)unit, (void)units;
    return 50;
}

static double one_in_a_hundred_is_huge(uint32_t unit, uint32_t units) {
    (void)units;
    return unit % 100 == 50 ? 5000 : 20;
}

static double speed_up(uint32_t workers, uint32_t units, double (*cost)(uint32_t, uint32_t)) {
    static fixture_t f;
    sched__visit_t visits[8];
    double clocks[8] = { 0 }, total = 0, end = 0;
    open_range(&f, units, 1, workers);
    for (uint32_t i = 0; i < workers; i++) visits[i] = visit(&f, i, NULL);
    for (;;) {
        uint32_t next = 0;
        for (uint32_t i = 1; i < workers; i++) next = clocks[i] < clocks[next] ? i : next;
        if (!sched__visit_claim(&visits[next])) break;
        double ns = 0;
        for (uint32_t i = visits[next].begin; i < visits[next].end; i++) ns += cost(i, units);
        clocks[next] += ns + 50; /* what a claim costs */
        total += ns;
        sched__visit_learn(&visits[next], ns);
    }
    for (uint32_t i = 0; i < workers; i++) end = clocks[i] > end ? clocks[i] : end;
    return total / end;
}

// performance.md rows 27 to 29
static void skewed_work_is_balanced(void **unused) {
    (void)unused;
    double (*const costs[])(
        uint32_t, uint32_t) = { linear, last_tenth_is_heavy, even, one_in_a_hundred_is_huge };
    for (int i = 0; i < 4; i++) {
        assert_true(speed_up(2, 100000, costs[i]) > 1.97);
        assert_true(speed_up(2, 5000, costs[i]) > 1.9);
        assert_true(speed_up(8, 100000, costs[i]) > 7.6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_whole_grains_and_bounded),
        cmocka_unit_test(interleaved_visits_cover_each_unit_once),
        cmocka_unit_test(worker_starts_at_the_front_of_its_home),
        cmocka_unit_test(helper_takes_from_the_back_of_other_lanes),
        cmocka_unit_test(claims_shrink_towards_the_end_of_a_lane),
        cmocka_unit_test(late_visit_claims_nothing_of_a_later_range),
        cmocka_unit_test(visit_that_believes_in_more_lanes_finds_them_empty),
        cmocka_unit_test(cells_that_are_not_filled_yet_are_left_alone),
        cmocka_unit_test(units_are_counted_before_the_next_lane_is_tried),
        cmocka_unit_test(skewed_work_is_balanced),
        cmocka_unit_test(one_interrupted_measurement_changes_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
