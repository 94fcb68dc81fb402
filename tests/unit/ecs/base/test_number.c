// SPDX-License-Identifier: MIT
// number: numbers are read alike in every locale.
#include "support/test.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/number.h"
#include "support/random.h"

// The rest of the text is what is not read.
static void expect(const char *text, double value, const char *rest) {
    const char *end;
    double got = ecs__number_parse(text, &end);
    assert_true(got == value && !signbit(got) == !signbit(value));
    assert_string_equal(end, rest);
}

static void expect_all(void) {
    expect("1.5", 1.5, "");
    expect("-0.25e2,", -25, ",");
    expect("+.5E-1x", 0.05, "x");
    expect("1.", 1, "");
    expect("1.e2", 100, "");
    expect("2.5e", 2.5, "e");
    expect("12", 12, "");
    expect("-0.0", -0.0, "");
    expect("1.7976931348623157e308", 1.7976931348623157e308, "");
    expect("1.5e999999999999", HUGE_VAL, "");
    expect("1.5e-999999999999", 0, "");
    expect(".", 0, ".");
    expect("-", 0, "-");
    expect("x", 0, "x");
    expect("inf", HUGE_VAL, "");
    expect("0x1F", 31, "");
    expect("1,5", 1, ",5");
    expect("-0,5", -0.0, ",5");
    expect("1e2,5", 100, ",5");
    expect(",5", 0, ",5");
}

static void points_are_read_alike_in_every_locale(void **state) {
    (void)state;
    expect_all();
    static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (setlocale(LC_NUMERIC, names[i])) expect_all(); /* where it is installed */
    }
    setlocale(LC_NUMERIC, "C");
}

// Correctly rounded, as strtod does it.
static void numbers_are_those_of_strtod(void **state) {
    (void)state;
    random_t random = random_init(random_seed());
    for (int i = 0; i < 20000; i++) {
        char text[400];
        uint64_t bits = random_next(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        snprintf(text, sizeof text, i % 8 ? "%.17g" : "%.12f", value);
        expect(text, strtod(text, NULL), "");
    }
}

// Few digits and small powers of ten take a short way, up to a limit that these stand on either side of.
static void short_numbers_are_those_of_strtod(void **state) {
    (void)state;
    random_t random = random_init(random_seed());
    for (int i = 0; i < 50000; i++) {
        char text[64];
        const int whole = (int)(random_next(&random) % 10),
                  digits = (int)(random_next(&random) % 8);
        const int exponent = (int)(random_next(&random) % 70) - 35;
        snprintf(text, sizeof text, "%s%0*llu.%0*llue%d", i % 3 ? "" : "-", whole,
            (unsigned long long)(random_next(&random) >> (31 + random_next(&random) % 33)), digits,
            (unsigned long long)(random_next(&random) >> (40 + random_next(&random) % 24)),
            exponent);
        expect(text, strtod(text, NULL), "");
    }
}

// The fewest of 15 digits, as printf writes them.
static void check_decimal(double value) {
    char expected[64], text[64];
    int64_t digits;
    int places;
    if (!ecs__number_decimal(value, &digits, &places)) return;
    snprintf(expected, sizeof expected, "%.15g", value);
    const uint64_t scale = (uint64_t)pow(10, places),
                   all = (uint64_t)(digits < 0 ? -digits : digits);
    snprintf(text, sizeof text, places ? "%s%llu.%0*llu" : "%s%llu", digits < 0 ? "-" : "",
        (unsigned long long)(all / scale), places, (unsigned long long)(all % scale));
    assert_string_equal(text, expected);
    assert_true(strtod(text, NULL) == value);
}

static void decimals_are_those_of_printf(void **state) {
    (void)state;
    random_t random = random_init(random_seed());
    int64_t digits;
    int places;
    assert_true(ecs__number_decimal(-0.05, &digits, &places) && digits == -5 && places == 2);
    assert_true(ecs__number_decimal(0.0001, &digits, &places) && digits == 1 && places == 4);
    assert_false(ecs__number_decimal(0.1 + 0.2, &digits, &places));
    assert_false(ecs__number_decimal(-0.0, &digits, &places));
    assert_false(ecs__number_decimal(NAN, &digits, &places));
    assert_false(ecs__number_decimal(HUGE_VAL, &digits, &places));
    for (int i = 0; i < 100000; i++) {
        const int64_t whole = (int64_t)random_next(&random) >> (13 + random_next(&random) % 50);
        const double value = (double)whole / pow(10, (double)(random_next(&random) % 19));
        check_decimal(value);
        check_decimal(value * 1.1);
    }
}

// As the first of 6 to 8 digits that reads as the same float.
static void floats_have_the_fewest_digits(void **state) {
    (void)state;
    random_t random = random_init(random_seed());
    for (int i = 0; i < 200000; i++) {
        uint32_t bits = (uint32_t)random_next(&random);
        float value;
        double decimal;
        memcpy(&value, &bits, sizeof value);
        if (i % 2) value = (float)((double)(bits % 1000000) / pow(10, bits % 7));
        if (!ecs__number_shorten(value, &decimal)) continue;
        char text[32];
        int count = 6;
        do snprintf(text, sizeof text, "%.*g", count, (double)value);
        while (strtof(text, NULL) != value && ++count < 9);
        assert_true(count < 9 && (float)decimal == value && strtod(text, NULL) == decimal);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_read_alike_in_every_locale),
        cmocka_unit_test(numbers_are_those_of_strtod),
        cmocka_unit_test(short_numbers_are_those_of_strtod),
        cmocka_unit_test(decimals_are_those_of_printf),
        cmocka_unit_test(floats_have_the_fewest_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
