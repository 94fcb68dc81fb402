// SPDX-License-Identifier: MIT
// chain: the way up along a relationship where each entity has one target, as most have. No list is kept of those that were passed.
#ifndef ECS_QUERY_GRAPH_CHAIN_H
#define ECS_QUERY_GRAPH_CHAIN_H

#include "storage/store.h"

typedef enum ecs__chain_t {
    ECS__CHAIN_ENDS,  /* without who is wanted */
    ECS__CHAIN_FINDS, /* that one */
    ECS__CHAIN_FORKS  /* not known: there are several targets, or it is long */
} ecs__chain_t;

/** Go from a table along `any`, (R, *), whose pairs are in tables only, to the entity with the index `wanted`. `hint` is the place of
 * the pair in the last table. */
ecs__chain_t ecs__follow_chain(const ecs__store_t *store, const ecs_table_t *table, ecs_id_t any,
    bool in_one_step, uint32_t wanted, int32_t *hint);

#endif
