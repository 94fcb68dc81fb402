// SPDX-License-Identifier: MIT
#include "query/graph/chain.h"

#include "query/graph/place.h"

#define STEPS 32

ecs__chain_t ecs__follow_chain(const ecs__store_t *store, const ecs_table_t *table, ecs_id_t any,
    bool in_one_step, uint32_t wanted, int32_t *hint) {
    for (int32_t step = 0; step < STEPS; step++) {
        const int32_t at = ecs__first_pair(table, any, *hint);
        if (at < 0) return ECS__CHAIN_ENDS;
        *hint = at;
        const ecs_id_t *pair = &table->type.array[at];
        const bool is_last = at + 1 == table->type.count ||
                             ecs__pair_relationship(pair[1]) != ecs__pair_relationship(any);
        if (!is_last) return ECS__CHAIN_FORKS;
        const uint32_t target = ecs__id_second(*pair);
        if (target == wanted) return ECS__CHAIN_FINDS;
        table = in_one_step ? NULL : ecs__entity_living_table(&store->entities, target);
        if (!table) return ECS__CHAIN_ENDS;
    }
    return ECS__CHAIN_FORKS;
}
