// SPDX-License-Identifier: MIT
// validate: rules that terms, and the terms of a query together, have to keep. Nothing is rewritten
// here.
#ifndef ECS_QUERY_CHECK_VALIDATE_H
#define ECS_QUERY_CHECK_VALIDATE_H

#include "query/check/checker.h"

/** Judge resolved and finalized terms. */
bool ecs__validate_terms(const ecs__checker_t *checker);

#endif
