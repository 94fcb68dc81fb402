// SPDX-License-Identifier: MIT
// texts: texts of queries that a test tried, so that none comes twice.
#ifndef TEST_TEXTS_H
#define TEST_TEXTS_H

#include <stdbool.h>

#include <muster/ecs/ecs.h>

typedef struct texts_t {
    ecs_map_t hashes;
} texts_t;

/** True the first time it is called with a text. */
bool texts_add(texts_t *texts, const char *text);
/** Forget them; how many there were. */
int texts_fini(texts_t *texts);

#endif
