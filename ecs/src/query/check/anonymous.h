// SPDX-License-Identifier: MIT
// anonymous: variables whose name begins with '_' (`$_x`).
//
// They constrain like others, but have no value that could be read, so their values make no results
// of their own. One that is mentioned once is what `_` is, and becomes it; results in which the
// others are equal come once (graph.h, `hidden`).
#ifndef ECS_QUERY_CHECK_ANONYMOUS_H
#define ECS_QUERY_CHECK_ANONYMOUS_H

#include "query/check/checker.h"

/** True if a variable has such a name. */
static inline bool ecs__is_anonymous(const char *name) { return name && name[0] == '_'; }

/** Replace those that are mentioned once. Terms are valid; false if one is to give values. */
bool ecs__check_anonymous(const ecs__checker_t *checker);

#endif
