// SPDX-License-Identifier: MIT
// seen: what a query that is a search has shown, so that it can tell what changed since.
//
// A search leaves no matches that could keep a stamp. Each result is known by what it says: rows of
// $this, values of variables, ids and sources of fields; here is when it was looked at last. It has
// changed if it is new, or if its rows, or values that the query reads in it, changed after that
// look. The query has changed if a result has, or if one is gone: it finds out by searching again.
// Threads: a lock guards the list, as jobs may show parts of the results at the same time.
#ifndef ECS_QUERY_ITER_SEEN_H
#define ECS_QUERY_ITER_SEEN_H

#include <muster/ecs/iter.h>

typedef struct ecs__seen_t ecs__seen_t;

/** What a result of a search says: rows of $this, values of variables, ids and sources of fields. Rows that are shown one after the
 * other belong to one result. */
uint64_t ecs__result_key(const ecs_iter_t *it);

ecs__seen_t *ecs__seen_new(void);
void ecs__seen_free(ecs__seen_t *seen);
/** Something was there that will not be found: changed until the end of the next iteration. */
void ecs__seen_lose(ecs__seen_t *seen);
/** Watch the tables of all results. Main thread, while nobody else runs. */
void ecs__seen_follow(const ecs_query_t *query);
/** The iterator goes on behind its present result, which was looked at now, or skipped; of rows that are shown one after the other, all
 * have to be. */
void ecs__seen_note(ecs_iter_t *it);
/** All results of an iteration begun at `began` were shown: others are gone. */
void ecs__seen_end(ecs__seen_t *seen, uint64_t began);
/** True if the present result of an iterator changed. */
bool ecs__seen_is_changed(const ecs_iter_t *it);
/** True if any result did. */
bool ecs__seen_any_changed(const ecs_query_t *query, ecs__seen_t *seen);

#endif
