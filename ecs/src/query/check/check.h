// SPDX-License-Identifier: MIT
// check: parsed terms to a checked query.
//
// Everything a plan needs to know about terms is decided here: for each term names become ids (resolve.c), and defaults are filled in
// (finalize.c); then the rules are checked (validate.c, anonymous.c), and what follows from all terms together is noted (finalize.c). The
// world is only read, but for members that get their entities as they are named: a query that fails leaves no entity, name or id record
// behind (WLD-04).
#ifndef ECS_QUERY_CHECK_CHECK_H
#define ECS_QUERY_CHECK_CHECK_H

#include <muster/ecs/ds/vec.h>

#include "query/parse/expr.h"

/** Check the terms of a query and fill in what follows from them.
 *
 * In:   query->flags (desc->flags and world defaults), query->cache_kind (desc->cache_kind);
 *       everything else zero. `terms` is what ecs__query_parse returned; it must outlive the query,
 *       which points into it.
 * Out:  query->terms (= terms->array), term_count, field_count, flags (EcsQuery*: what terms
 *       imply), bitmasks of fields, bloom_filter, and `ids` and `sizes`, arrays of field_count
 *       elements that the caller frees with ecs_os_free (NULL without fields).
 *       Per term: id, first, src, second, trav, inout, oper, field_index, flags_.
 * Not decided here: query->cache_kind (policy), vars (graph/graph.h).
 *
 * Returns false after one logged sentence; then only the fields named above may have changed, and
 * nothing is allocated.
 */
bool ecs__query_check(const ecs_world_t *world, const ecs_query_desc_t *desc, ecs_query_t *query,
    ecs__terms_t *terms);

/** Ids written as text ("Position, (Likes, Apples)"): terms without operators and sources.
 *
 * They are put behind those that `ids` (ecs_id_t) holds. Returns false on failure, after one logged
 * sentence unless `silent`. "0" and NULL are no ids. With `first_only` terms behind the first are ignored. */
bool ecs__ids_parse(
    const ecs_world_t *world, const char *text, bool first_only, bool silent, ecs_vec_t *ids);

#endif
