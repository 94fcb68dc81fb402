// SPDX-License-Identifier: MIT
// strtod takes the decimal point of the locale, but needs none: "1.25e3" is "125e1".
#include "base/number.h"

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

double ecs__number_parse(const char *text, const char **end) {
    int sign = *text == '-' || *text == '+', whole = sign + count_digits(text + sign);
    const char *fraction = text + whole + 1;
    int count = text[whole] == '.' ? count_digits(fraction) : -1;
    if (count < 0 || whole + count == sign) {
        char *stop;
        double value = strtod(text, &stop);
        *end = stop;
        return value;
    }
    long exponent;
    *end = parse_exponent(fraction + count, &exponent);
    exponent = ECS_MAX(ECS_MIN(exponent, FAR), -FAR) - count;
    ecs_size_t size = whole + count + 16;
    char room[SHORT], *digits = size <= SHORT ? room : ecs_os_malloc(size);
    memcpy(digits, text, (size_t)whole);
    memcpy(digits + whole, fraction, (size_t)count);
    snprintf(digits + whole + count, 16, "e%ld", exponent);
    double value = strtod(digits, NULL);
    if (digits != room) ecs_os_free(digits);
    return value;
}
