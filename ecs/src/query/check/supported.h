// SPDX-License-Identifier: MIT
// supported: what queries can mean but the engine cannot evaluate yet (WLD-02).
#ifndef ECS_QUERY_CHECK_SUPPORTED_H
#define ECS_QUERY_CHECK_SUPPORTED_H

#include "query/check/checker.h"

/** Fail for the first term, or the descriptor, that needs a missing feature. Called on valid
 * queries. */
bool ecs__check_supported(const ecs__checker_t *checker);

#endif
