// SPDX-License-Identifier: MIT
// number: text to floating point and back, in whatever locale the program is.
#ifndef ECS_BASE_NUMBER_H
#define ECS_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/** Like strtod, but the decimal point is a point, and no space comes before. `*end` is `text` if it is no number. */
double ecs__number_parse(const char *text, const char **end);

/** The shortest decimal that reads as this number is digits / 10^places. False if it has more than 15 digits, or is written with an
 * exponent. */
bool ecs__number_decimal(double value, int64_t *digits, int *places);

/** The decimal of the fewest digits, at most eight, that becomes this float again. False if there is none, or `value` is large. */
bool ecs__number_shorten(float value, double *decimal);

#endif
