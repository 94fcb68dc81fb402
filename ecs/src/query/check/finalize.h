// SPDX-License-Identifier: MIT
// finalize: what a term leaves out, and what follows from all terms together.
#ifndef ECS_QUERY_CHECK_FINALIZE_H
#define ECS_QUERY_CHECK_FINALIZE_H

#include "query/check/checker.h"

/** Fill in a resolved term: first and second from the id or the id from them, source, traversal,
 * access, flags_. */
bool ecs__finalize_term(const ecs__checker_t *checker, int32_t term);

/** Number the fields and fill in the query: counts, ids, sizes, sets of fields and flags. Terms are
 * valid. */
bool ecs__finalize_query(const ecs__checker_t *checker);
/** Ids may have values now that had none, or of another size: what fields are follows. */
void ecs__finalize_data(ecs_query_t *query);

/** What the flags of the terms imply for the query; again when these change. */
void ecs__finalize_flags(ecs_query_t *query);

#endif
