// SPDX-License-Identifier: MIT
// Numbers of few digits, which most are, take a short way in both directions; for others strtod takes the decimal point of the locale,
// but needs none: "1.25e3" is "125e1".
#include "base/number.h"

#include <ctype.h>
#include <muster/ecs/os.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT = 64, FAR = 100000 /* from the point: 0 or infinity */ };

static int count_digits(const char *text) { return (int)strspn(text, "0123456789"); }

// Returns the end of an exponent, or `text` if there is none.
static const char *parse_exponent(const char *text, long *exponent) {
    *exponent = 0;
    if (*text != 'e' && *text != 'E') return text;
    const char *digits = text + 1 + (text[1] == '-' || text[1] == '+');
    int count = count_digits(digits);
    if (!count) return text;
    *exponent = strtol(text + 1, NULL, 10);
    return digits + count;
}

// Few digits and a small power of ten are exact, so that one operation gives the nearest number (W. D. Clinger, "How to Read Floating
// Point Numbers Accurately", 1990). False if these are not few.
static bool parse_exact(const char *whole, int whole_count, const char *fraction,
    int fraction_count, long exponent, double *value) {
    static const double powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    enum { MOST_DIGITS = 15, LAST_POWER = sizeof powers / sizeof powers[0] - 1 };
    if (whole_count + fraction_count > MOST_DIGITS) return false;
    if (exponent < -LAST_POWER || exponent > LAST_POWER) return false;
    int64_t digits = 0;
    for (int i = 0; i < whole_count; i++) digits = digits * 10 + (whole[i] - '0');
    for (int i = 0; i < fraction_count; i++) digits = digits * 10 + (fraction[i] - '0');
    *value = exponent < 0 ? (double)digits / powers[-exponent] : (double)digits * powers[exponent];
    return true;
}

double ecs__number_parse(const char *text, const char **end) {
    const int sign = *text == '-' || *text == '+', whole = sign + count_digits(text + sign);
    const bool has_point = text[whole] == '.';
    const char *fraction = text + whole + has_point;
    const int count = has_point ? count_digits(fraction) : 0;
    const bool has_digits = whole - sign + count, is_hexadecimal = (text[whole] | 0x20) == 'x';
    if (isalpha((unsigned char)text[sign]) || (has_digits && is_hexadecimal)) {
        char *stop;
        double value = strtod(text, &stop);
        *end = stop;
        return value;
    }
    *end = text;
    if (!has_digits) return 0;
    long exponent;
    *end = parse_exponent(fraction + count, &exponent);
    exponent = ECS_MAX(ECS_MIN(exponent, FAR), -FAR) - count;
    double value;
    if (parse_exact(text + sign, whole - sign, fraction, count, exponent, &value))
        return *text == '-' ? -value : value;
    ecs_size_t size = whole + count + 16;
    char room[SHORT], *digits = size <= SHORT ? room : ecs_os_malloc(size);
    memcpy(digits, text, (size_t)whole);
    memcpy(digits + whole, fraction, (size_t)count);
    snprintf(digits + whole + count, 16, "e%ld", exponent);
    value = strtod(digits, NULL);
    if (digits != room) ecs_os_free(digits);
    return value;
}

// ---- to text ----

// To the nearest whole number, of two the even one. Less than 2^51.
static double round_even(double value) {
    const double shift = 0x1.8p52;
    return value + shift - shift;
}

static bool is_within(double value, double limit) { return value > -limit && value < limit; }

bool ecs__number_decimal(double value, int64_t *digits, int *places) {
    double scale = 1;
    if (!is_within(value, 1e15) || is_within(value, 1e-4)) return false;
    for (*places = 0; is_within(value * scale, 1e15); ++*places, scale *= 10) {
        const double whole = round_even(value * scale);
        *digits = (int64_t)whole;
        if (whole / scale == value) return true;
    }
    return false;
}

bool ecs__number_shorten(float value, double *decimal) {
    for (double scale = 10; is_within(value * scale, 1e8) && scale < 1e9; scale *= 10) {
        *decimal = round_even(value * scale) / scale;
        if ((float)*decimal == value) return true;
    }
    return false;
}
