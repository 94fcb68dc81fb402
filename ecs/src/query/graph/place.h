// SPDX-License-Identifier: MIT
// place: where the type of a table has one id, or the first pair of a relationship. Neighbouring tables mostly have it at the same
// place, which is looked at first (`hint`).
#ifndef ECS_QUERY_GRAPH_PLACE_H
#define ECS_QUERY_GRAPH_PLACE_H

#include "storage/table.h"

/** Of a pair, with its flags: ids with the same are one behind the other in a type. */
static inline uint32_t ecs__pair_relationship(ecs_id_t id) { return (uint32_t)(id >> 32); }

/** The place of an id, or -1. */
static inline int32_t ecs__place_of(const ecs_table_t *table, ecs_id_t id, int32_t hint) {
    bool is_there = hint < table->type.count && table->type.array[hint] == id;
    return is_there ? hint : ecs__table_search(table, id);
}

/** True if the first pair with the relationship of (R, *) is here. */
static inline bool ecs__is_first_pair(const ecs_table_t *table, ecs_id_t any, int32_t at) {
    const ecs_id_t *ids = table->type.array;
    return at < table->type.count &&
           ecs__pair_relationship(ids[at]) == ecs__pair_relationship(any) &&
           (!at || ecs__pair_relationship(ids[at - 1]) != ecs__pair_relationship(any));
}

/** Its place, or -1. Pairs with numbers do not count, which have other flags. */
static inline int32_t ecs__first_pair(const ecs_table_t *table, ecs_id_t any, int32_t hint) {
    if (ecs__is_first_pair(table, any, hint)) return hint;
    if (!(table->bloom & ecs__id_bloom(any))) return -1;
    const int32_t at = ecs__type_lower_bound(&table->type, any & ~(ecs_id_t)UINT32_MAX);
    return ecs__is_first_pair(table, any, at) ? at : -1;
}

#endif
