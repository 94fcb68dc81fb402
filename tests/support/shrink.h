// SPDX-License-Identifier: MIT
// shrink: makes a counterexample of a model test small, and prints it.
//
// Drops one part after the other for as long as the difference remains: terms of the expression, then
// entities, then ids of entities. Each drop is tried in a child process first, so one that loses the
// difference (or crashes) leaves no trace, also where the difference depends on what a cached query
// went through.
#ifndef TEST_SHRINK_H
#define TEST_SHRINK_H

#include <stdbool.h>

#include <muster/ecs/ecs.h>

typedef struct shrink_t {
    void *example; /* passed to the functions below */
    bool (*differs)(void *example);
    int term_count;
    bool (*drop_term)(void *example, int term); /* false: it cannot go */
    ecs_world_t *world;
    const ecs_entity_t *entities;
    const ecs_id_t *ids; /* all that entities of the test can have */
    int entity_count, id_count;
} shrink_t;

void shrink(const shrink_t *s);

/** Prints each entity that has ids as "name: id, id"; "-" marks those that are switched off. */
void shrink_print_world(const shrink_t *s);

#endif
