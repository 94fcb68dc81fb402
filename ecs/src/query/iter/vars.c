// SPDX-License-Identifier: MIT
// vars: variables of an iterator: values that are given before the first result, and those that results have.
#include "query/iter/iter.h"
#include "query/query.h"
#include "world/state.h"

// ---- giving ----

static bool may_set_var(const ecs_iter_t *it, int32_t var) {
    ecs_check(it && it->query && var >= 0 && var < it->query->var_count, ECS_OUT_OF_RANGE,
        "variable %d does not exist in this query", var);
    ecs_check(var || it->query->flags & EcsQueryMatchThis, ECS_INVALID_PARAMETER,
        "no term of this query is about $this");
    ecs_check(!it->event && !it->chain_it, ECS_INVALID_OPERATION,
        "variables are set in the iterator that ecs_query_iter gave, not in a part of it");
    ecs_check(!(it->flags & EcsIterIsValid) && !(it->constrained_vars >> var & 1),
        ECS_INVALID_OPERATION, "variables are set once, before the first result");
    return true;
error:
    return false;
}

// The others stand for one entity.
static void bind_var(ecs_iter_t *it, int32_t var, ecs_table_t *table, int32_t row, int32_t count) {
    if (var == 0) {
        ecs__iter_bind_rows(it, table, row, count);
        return;
    }
    ecs_check(count == 1 && row >= 0 && row < table->count, ECS_INVALID_PARAMETER,
        "variable %d stands for one entity", var);
    it->constrained_vars |= ECS__VAR_BIT(var);
    if (!(it->flags & EcsIterNoResults))
        ecs__solver_bind(ecs__iter_solver(it), var, table, row, count);
error:
    return;
}

void ecs_iter_set_var(ecs_iter_t *it, int32_t var, ecs_entity_t entity) {
    if (!may_set_var(it, var)) return;
    const ecs__spot_t spot = ecs__entity_find(&it->real_world->store.entities, entity);
    ecs_check(
        spot.table != NULL, ECS_INVALID_PARAMETER, "entity %u is not alive", (uint32_t)entity);
    bind_var(it, var, spot.table, spot.row, 1);
error:
    return;
}

void ecs_iter_set_var_as_range(ecs_iter_t *it, int32_t var, const ecs_table_range_t *range) {
    if (!may_set_var(it, var)) return;
    ecs_check(
        range != NULL && range->table != NULL, ECS_INVALID_PARAMETER, "a range needs a table");
    bind_var(it, var, range->table, range->offset, ecs__range_count(range));
error:
    return;
}

void ecs_iter_set_var_as_table(ecs_iter_t *it, int32_t var, const ecs_table_t *table) {
    ecs_iter_set_var_as_range(
        it, var, &(ecs_table_range_t){ .table = (ecs_table_t *)(uintptr_t)table });
}

// ---- reading ----

static bool has_var(const ecs_iter_t *it, int32_t var) {
    ecs_check(it && it->query && var >= 0 && var < it->query->var_count, ECS_OUT_OF_RANGE,
        "variable %d does not exist in this query", var);
    return true;
error:
    return false;
}

// A part of a result has the values of the whole.
static ecs__value_t value_of(const ecs_iter_t *it, int32_t var) {
    while (it->chain_it) it = it->chain_it;
    const ecs_flags32_t has_solver = EcsIterGraph | EcsIterOpen;
    const ecs__solver_t *solver = (it->flags & has_solver) == has_solver ? it->priv_.eval : NULL;
    return solver ? solver->values[var] : (ecs__value_t){ 0 };
}

ecs_entity_t ecs_iter_get_var(ecs_iter_t *it, int32_t var) {
    if (!has_var(it, var)) return 0;
    return var ? value_of(it, var).entity : it->count == 1 ? it->entities[0] : 0;
}

ecs_table_range_t ecs_iter_get_var_as_range(ecs_iter_t *it, int32_t var) {
    if (!has_var(it, var)) return (ecs_table_range_t){ 0 };
    if (!var) return (ecs_table_range_t){ it->table, it->offset, it->count };
    ecs__value_t value = value_of(it, var);
    return (ecs_table_range_t){ value.table, value.row, value.count };
}

ecs_table_t *ecs_iter_get_var_as_table(ecs_iter_t *it, int32_t var) {
    ecs_table_range_t range = ecs_iter_get_var_as_range(it, var);
    return range.table && range.count == range.table->count ? range.table : NULL;
}

bool ecs_iter_var_is_constrained(ecs_iter_t *it, int32_t var) {
    return has_var(it, var) && it->constrained_vars >> var & 1;
}

int32_t ecs_iter_get_var_count(const ecs_iter_t *it) {
    ECS__NEED_OR(it, 0);
    if (!it->query) return 0;
    return it->query->var_count > 1 || it->query->flags & EcsQueryMatchThis ? it->query->var_count
                                                                            : 0;
}

const char *ecs_iter_get_var_name(const ecs_iter_t *it, int32_t var) {
    ECS__NEED_OR(it, NULL);
    return it->query ? ecs_query_var_name(it->query, var) : NULL;
}

ecs_var_t *ecs_iter_get_vars(const ecs_iter_t *it) {
    ECS__NEED_OR(it, NULL);
    int32_t count = ecs_iter_get_var_count(it);
    const ecs_flags32_t ended = it->flags & (EcsIterIsValid | EcsIterNoResults);
    if (!count || ended == EcsIterNoResults) return NULL;
    ecs_iter_t *own = (ecs_iter_t *)(uintptr_t)it;
    ecs__iter_open(own);
    if (!own->priv_.vars) own->priv_.vars = ecs__iter_alloc(own, count * ECS_SIZEOF(ecs_var_t));
    for (int32_t i = 0; i < count; i++) {
        own->priv_.vars[i] = (ecs_var_t){ .range = ecs_iter_get_var_as_range(own, i),
            .entity = ecs_iter_get_var(own, i) };
    }
    return own->priv_.vars;
}
