// SPDX-License-Identifier: MIT
// bisect: all positions in ranges of all small sizes, and how often is asked on the way there.
#include "support/test.h"
#include "base/bisect.h"

static int32_t questions;

// Where [low, high) stops being below `place`, a position in or outside of it.
static int32_t find(ecs__bisect_t search, int32_t place) {
    const int32_t low = search.low, high = search.high;
    for (questions = 0; ecs__bisect_asks(&search); questions++) {
        assert_in_range(search.at, low, high - 1);
        ecs__bisect_answer(&search, search.at < place);
    }
    return search.low;
}

static void every_position_is_found(void **state) {
    (void)state;
    for (int32_t low = 0; low < 4; low++) {
        for (int32_t high = low; high < 70; high++) {
            for (int32_t place = low; place <= high; place++) {
                assert_int_equal(find(ecs__bisect(low, high), place), place);
                assert_true(questions <= 7);
                assert_int_equal(find(ecs__gallop(low, high), place), place);
                assert_true(questions <= 13);
            }
            assert_int_equal(find(ecs__bisect(low, high), high + 1), high);
            assert_int_equal(find(ecs__gallop(low, high), high + 1), high);
        }
    }
}

static void large_ranges_do_not_overflow(void **state) {
    (void)state;
    const int32_t places[] = { 0, 1, 1000, 1 << 30, INT32_MAX - 1, INT32_MAX };
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        assert_int_equal(find(ecs__bisect(0, INT32_MAX), places[i]), places[i]);
        assert_int_equal(find(ecs__gallop(0, INT32_MAX), places[i]), places[i]);
    }
}

static void a_gallop_asks_little_about_what_is_near(void **state) {
    (void)state;
    find(ecs__gallop(0, 1 << 30), 0);
    assert_int_equal(questions, 1);
    find(ecs__gallop(0, 1 << 30), 5);
    assert_true(questions <= 6);
    find(ecs__gallop(0, 1 << 30), 1000);
    assert_true(questions <= 20);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_position_is_found),
        cmocka_unit_test(large_ranges_do_not_overflow),
        cmocka_unit_test(a_gallop_asks_little_about_what_is_near) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
