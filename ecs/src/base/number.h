// SPDX-License-Identifier: MIT
// number: text to floating point, in whatever locale the program is.
#ifndef ECS_BASE_NUMBER_H
#define ECS_BASE_NUMBER_H

/** Like strtod, but the decimal point is a point. `*end` is `text` if it is no number. */
double ecs__number_parse(const char *text, const char **end);

#endif
