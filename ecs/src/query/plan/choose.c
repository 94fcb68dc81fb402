// SPDX-License-Identifier: MIT
// choose: where to look for tables.
#include "query/plan/plan.h"

bool ecs__plan_list(const ecs__plan_t *plan) {
    if (!plan->plain || plan->count != plan->field_count + 1) return false;
    for (int32_t i = 1; i < plan->count; i++) {
        if (plan->ops[i].field != i - 1) return false;
        ecs__id_record_list(plan->ops[i].record);
    }
    return true;
}

// That match it now, or may in time.
static int64_t count_tables(const ecs__op_t *op, bool in_time) {
    int64_t tables = 0;
    if (op->code == ECS__OP_EITHER) {
        for (int32_t i = 1; i <= op->count; i++) tables += count_tables(op + i, in_time);
        return tables;
    }
    if (op->self) tables += op->record->table_live;
    if (op->trav_record && (in_time || ecs__op_may_find_above(op)))
        tables += op->trav_record->table_live;
    return tables;
}

// Tables that come to match an operation have its id, or inherit it (storage tells of both), or
// have a pair of its relationship.
static bool has_key(const ecs__op_t *op) {
    if (op->code != ECS__OP_EITHER)
        return op->code == ECS__OP_WITH && (!op->self || ecs__op_is_own_or_isa(op));
    for (int32_t i = 1; i <= op->count; i++) {
        if (!has_key(op + i)) return false;
    }
    return true;
}

static int64_t count_listeners(const ecs__op_t *op) {
    int64_t listeners = 0;
    if (op->code != ECS__OP_EITHER) return ecs__op_key(op)->listeners.count;
    for (int32_t i = 1; i <= op->count; i++) listeners += count_listeners(op + i);
    return listeners;
}

int32_t ecs__plan_rarest(const ecs__plan_t *plan, bool key) {
    int32_t best = -1;
    int64_t best_tables = INT64_MAX;
    for (int32_t i = plan->scan + 1; i < plan->count; i = plan->ops[i].next) {
        const ecs__op_t *op = &plan->ops[i];
        if (op->code != ECS__OP_WITH && op->code != ECS__OP_EITHER) continue;
        if (key && !has_key(op)) continue;
        // Among equals the one with the fewest queries: new tables are then offered to few.
        int64_t tables = count_tables(op, key) << 32;
        if (key) tables += count_listeners(op);
        if (tables >= best_tables) continue;
        best = i;
        best_tables = tables;
    }
    return best;
}

int64_t ecs__plan_candidates(const ecs__plan_t *plan, const ecs__store_t *store) {
    int32_t rarest = ecs__plan_rarest(plan, false);
    return rarest < 0 ? store->table_live : count_tables(&plan->ops[rarest], false);
}

// So many bases are asked that it costs less than what it spares.
static bool some_base_has(const ecs__plan_t *plan, ecs_id_t id, int64_t most) {
    const ecs__entity_index_t *entities = &plan->isa->store->entities;
    ecs_component_record_t *pair = NULL;
    while ((pair = ecs__id_record_next_first(plan->isa, pair))) {
        if (!pair->table_live) continue;
        if (!most--) return true;
        const ecs_table_t *base = ecs__entity_living_table(entities, ecs__id_second(pair->id));
        if (base && ecs__table_has(base, id)) return true;
    }
    return false;
}

bool ecs__plan_may_inherit(const ecs__plan_t *plan) {
    int64_t most = -1;
    for (int32_t i = 1; i < plan->count; i++) {
        const ecs_component_record_t *record = plan->ops[i].record;
        if (!ecs__id_is_above(record)) continue;
        if (most < 0) most = plan->ops[ecs__plan_rarest(plan, false)].record->table_live;
        if (some_base_has(plan, record->id, most)) return true;
    }
    return false;
}
