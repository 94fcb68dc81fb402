// SPDX-License-Identifier: MIT
// checker: the state shared by the steps of checking, and how they report what is wrong.
#ifndef ECS_QUERY_CHECK_CHECKER_H
#define ECS_QUERY_CHECK_CHECKER_H

#include "id/id.h"
#include "query/check/check.h"
#include "query/parse/term.h"

typedef struct ecs__checker_t {
    const ecs_world_t *world;     /* as given: a stage has its own scope */
    const ecs_query_desc_t *desc; /* NULL for ids as text */
    ecs_query_t *query;           /* NULL for ids as text */
    ecs__terms_t *terms;
    const char *name; /* what messages call the text, or NULL */
    bool silent;
} ecs__checker_t;

/** Report what is wrong with a term (-1: with the query). `word` is the piece of the text to point
 * at, NULL: the term. False. */
bool ecs__check_fail(const ecs__checker_t *checker, int32_t term, const char *word, const char *fmt,
    ...) ECS_PRINTF_LIKE(4, 5);
/** The same of what would make sense, but is not supported (ECS_UNSUPPORTED). */
bool ecs__check_unsupported(const ecs__checker_t *checker, int32_t term, const char *sentence);

#endif
