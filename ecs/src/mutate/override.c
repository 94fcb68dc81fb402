// SPDX-License-Identifier: MIT
#include "mutate/override.h"

#include "id/type_info.h"
#include "mutate/hooks.h"
#include "mutate/sparse.h"
#include "storage/bases.h"
#include "world/state.h"

// ---- what bases have beside their tables ----

typedef struct beside_t {
    ecs_id_t id;
    const ecs_component_record_t *record;
    ecs_entity_t base;
} beside_t;

static bool find_beside(void *ctx, ecs_entity_t entity, const ecs_table_t *base) {
    beside_t *search = ctx;
    ecs__sparse_iter_t iter = ecs__sparse_iter(base->store, entity, search->id);
    const ecs_component_record_t *record;
    while ((record = ecs__sparse_next(&iter))) {
        if (!(record->flags & EcsIdOnInstantiateInherit)) continue;
        search->record = record;
        search->base = entity;
        return true;
    }
    return false;
}

const ecs_component_record_t *ecs__find_inherited(
    const ecs_table_t *table, ecs_id_t id, ecs_entity_t *base) {
    beside_t search = { .id = id };
    if (!table->store->has_sparse || !(table->flags & EcsTableHasIsA)) return NULL;
    bool may_be =
        ecs__id_is_wildcard(id) || ecs__id_may_be_beside(ecs__id_record_get(table->store, id));
    if (!may_be) return NULL;
    ecs__bases_beside(table, find_beside, &search);
    *base = search.base;
    return search.record;
}

// ---- ids ----

typedef struct plus_t {
    ecs_world_t *world;
    ecs_table_t *table;
} plus_t;

// What instances own of position `index` of the base's type, or 0.
static ecs_id_t owned_by_instances(const ecs_table_t *base, int32_t index) {
    ecs_id_t id = base->type.array[index];
    if (id & ECS__AUTO_OVERRIDE) return id & ~ECS__AUTO_OVERRIDE;
    if (ecs__id_is_presence(ecs__table_cr(base, index))) return 0; /* comes with its edges */
    return ecs__table_cr(base, index)->flags & EcsIdOnInstantiateOverride ? id : 0;
}

static bool is_taken(const ecs_table_t *table, ecs_id_t id) {
    if (ecs__table_has(table, id)) return true;
    if (!ECS_IS_PAIR(id)) return false;
    return ecs__id_record_ensure(table->store, id)->flags & EcsIdExclusive &&
           ecs__table_has(table, ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard));
}

static bool has_owned(void *ctx, ecs_entity_t entity, const ecs_table_t *base) {
    (void)ctx, (void)entity;
    for (int32_t i = 0; i < base->type.count; i++) {
        if (owned_by_instances(base, i)) return true;
    }
    return false;
}

static bool add_owned(void *ctx, ecs_entity_t entity, const ecs_table_t *base) {
    plus_t *plus = ctx;
    (void)entity;
    for (int32_t i = 0; i < base->type.count; i++) {
        ecs_id_t id = owned_by_instances(base, i);
        if (!id || is_taken(plus->table, id)) continue;
        plus->table = ecs__table_after_add(plus->world, plus->table, id);
    }
    return false;
}

static bool each_owned(const ecs_table_t *of_base, ecs__base_visit_t visit, void *ctx) {
    const ecs__ascent_t question = { .kind = ECS__ASCENT_OWNED };
    return ecs__bases_that(of_base, question, has_owned, visit, ctx);
}

bool ecs__override_is_due(const ecs_table_t *of_base) {
    return has_owned(NULL, 0, of_base) || each_owned(of_base, NULL, NULL);
}

ecs_table_t *ecs__table_plus_overrides(ecs_world_t *world, ecs_table_t *table, ecs_entity_t base) {
    const ecs_table_t *of_base = ecs__entity_living_table(&world->store.entities, (uint32_t)base);
    if (!of_base) return table;
    plus_t plus = { world, table };
    add_owned(&plus, base, of_base);
    each_owned(of_base, add_owned, &plus);
    return plus.table;
}

bool ecs__is_passed_on(const ecs_table_t *table, const ecs_component_record_t *component) {
    return !(component->flags & EcsIdOnInstantiateDontInherit) ||
           ecs__table_has(table, component->id | ECS__AUTO_OVERRIDE);
}

// ---- values ----

typedef struct search_t {
    ecs_id_t id;
    bool marked_only; /* not passed on, except by bases that have it marked */
    const void *value;
} search_t;

static bool find_value(void *ctx, ecs_entity_t entity, const ecs_table_t *base) {
    search_t *search = ctx;
    if (search->marked_only && !ecs__table_has(base, search->id | ECS__AUTO_OVERRIDE)) return false;
    const ecs__spot_t spot = ecs__entity_spot(&base->store->entities, entity);
    search->value = ecs__value_of(spot, search->id);
    return search->value != NULL;
}

// The value of a base that rows of `table`, which has the component or not, start with; or NULL.
static const void *find_start(const ecs_table_t *table, const ecs_component_record_t *component) {
    search_t search = { .id = component->id };
    search.marked_only = component->flags & EcsIdOnInstantiateDontInherit;
    const ecs__ascent_t question = { .id = component->id,
        .kind = search.marked_only ? ECS__ASCENT_MARKED : ECS__ASCENT_START,
        .is_off = component->flags & EcsIdSparse };
    ecs__bases_that(table, question, find_value, NULL, &search);
    return search.value;
}

const void *ecs__override_value(const ecs_table_t *table, const ecs_component_record_t *component) {
    return table->flags & EcsTableHasIsA ? find_start(table, component) : NULL;
}

// Within a batch of commands an entity may come to be its own base, and so find what it starts with in its own place.
static void start_with(const ecs_type_info_t *type, void *own, const void *value) {
    if (own != value) ecs__value_copy(type, own, value, 1);
}

void ecs__override_reset(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, entity);
    const ecs_component_record_t *component = ecs__id_record_get(&world->store, id);
    void *own = component && component->type_info ? ecs__value_of(spot, id) : NULL;
    const void *value = own ? ecs__override_value(spot.table, component) : NULL;
    if (value) start_with(component->type_info, own, value);
}

static bool is_new(const ecs_table_t *before, ecs_id_t id, const ecs__pending_value_t *values,
    int32_t value_count) {
    if (ecs__pending_find(values, value_count, id)) return false;
    return !before || !ecs__table_has(before, id);
}

void ecs__override_copy(ecs_table_t *table, const ecs_table_t *before, int32_t row, int32_t count,
    const ecs__pending_value_t *values, int32_t value_count) {
    if (!(table->flags & EcsTableHasIsA)) return;
    for (int32_t c = 0; c < table->column_count; c++) {
        if (!is_new(before, ecs__column_id(table, c), values, value_count)) continue;
        const void *value = find_start(table, ecs__table_cr(table, table->columns[c].type_index));
        for (int32_t i = row; value && i < row + count; i++) {
            start_with(table->columns[c].type_info, ecs__table_cell(table, c, i), value);
        }
    }
}

void ecs__override_notify(ecs_world_t *world, ecs_table_t *table, const ecs_table_t *before,
    int32_t row, int32_t count, const ecs__pending_value_t *values, int32_t value_count) {
    if (!(table->flags & EcsTableHasIsA)) return;
    const bool has_sparse = table->flags & EcsTableHasSparse;
    for (int32_t i = 0; i < table->type.count; i++) {
        const int32_t column = ecs__table_column_at(table, i);
        if (column < 0 ? !has_sparse : !ecs__hooks_may_hear_set(world, table, column)) continue;
        const ecs_component_record_t *component = ecs__table_cr(table, i);
        if (!is_new(before, component->id, values, value_count)) continue;
        const void *value = find_start(table, component);
        const bool was_seen = before && ecs__override_value(before, component) == value;
        if (value) ecs__hooks_on_set_at(world, table, i, row, count, !was_seen);
    }
}
