// SPDX-License-Identifier: MIT
// make: new entities that begin with a list of ids.
//
// Games make many of a kind: for some lists it is remembered where they lead to (recipes, found by first and last id). That holds as
// long as there are the same tables, what is above is the same, and so is what changes mean (store->plain_stamp).
#include "world/make.h"

#include "base/apart.h"
#include "event/emit.h"
#include "mutate/edge.h"
#include "mutate/sparse.h"
#include "storage/plain_rows.h"
#include "storage/watch.h"
#include "world/state.h"
#include "world/write.h"

// ---- recipes ----

static inline ecs__recipe_t *recipe_for(ecs_world_t *world, const ecs_id_t *ids, int32_t count) {
    const uint64_t mixed = (ids[0] ^ ids[count - 1] << 1) * 0x9E3779B97F4A7C15u;
    return &world->recipes[mixed >> 32 & (ECS__RECIPES - 1)];
}

// Each part only grows.
static inline uint64_t present_stamp(const ecs_world_t *world) {
    return world->store.table_stamp + world->store.traverse_stamp + world->store.plain_stamp;
}

static inline bool is_for(const ecs__recipe_t *recipe, const ecs_id_t *ids, int32_t count) {
    if (recipe->count != count) return false;
    while (count && recipe->ids[count - 1] == ids[count - 1]) count--;
    return !count;
}

static void keep(const ecs_world_t *world, ecs__recipe_t *recipe, const ecs_id_t *ids,
    int32_t count, ecs_table_t *table, bool is_plain) {
    if (count > ECS__RECIPE_IDS) return;
    recipe->stamp = present_stamp(world);
    recipe->table = table;
    recipe->is_plain = is_plain;
    recipe->is_row = is_plain && !(table->flags & EcsTableHasIsA);
    recipe->count = count;
    for (int32_t i = 0; i < count; i++) recipe->ids[i] = ids[i];
}

// ---- making ----

static bool may_have(ecs_world_t *world, const ecs_id_t *ids, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (!ecs__check_add(world, 0, ids[i])) return false;
    }
    return true;
}

// These do not come in one step with others.
static bool comes_apart(ecs_world_t *world, ecs_id_t id) {
    return ecs__store_beside(&world->store, id) ||
           (ecs_map_count(&world->edge_kinds) && ecs__edge_goes_alone(world, id));
}

// The table goes on to that of those that are in tables, and come together. Returns how many are not.
static int32_t find_table(
    ecs_world_t *world, const ecs_id_t *ids, int32_t count, ecs_table_t **table) {
    int32_t apart = 0;
    for (int32_t i = 0; i < count; i++) {
        if (comes_apart(world, ids[i]))
            apart++;
        else
            *table = ecs__table_after_add(world, *table, ids[i]);
    }
    return apart;
}

// Debug check. The root table may grow while it is iterated, others may not.
static bool may_grow(const ecs_world_t *world, const ecs_table_t *table) {
    return table == world->store.root || ecs__table_check_unlocked(table);
}

// The bracket also ends with what a table recorded that was made for this: queries lose EcsEmpty.
static ECS__APART ecs_entity_t make_in(ecs_stage_t *stage, ecs_table_t *table, bool is_plain) {
    ecs_world_t *world = stage->world;
    if (!may_grow(world, table)) return 0;
    ecs__defer_bracket_begin(stage);
    ecs_entity_t entity = is_plain ? ecs__create_plain(world, table) : ecs__create(world, table);
    ecs__defer_bracket_end(stage);
    return entity;
}

// `before`: the table that an entity was in which is not new.
static void add_apart(ecs_world_t *world, ecs_entity_t entity, const ecs_id_t *ids, int32_t count,
    const ecs_table_t *before) {
    ecs__arrivals_t arrivals = { .world = world, .before = before };
    for (int32_t i = 0; i < count; i++) {
        ecs_component_record_t *record = ecs__store_beside(&world->store, ids[i]);
        if (record) ecs__aside_arrive(&arrivals, entity, record);
    }
    ecs__arrivals_tell(&arrivals);
    ecs__edges_add_alone(world, entity, ids, count);
}

// The table is that of the others.
static ecs_entity_t make_with_some_apart(
    ecs_stage_t *stage, const ecs_id_t *ids, int32_t count, ecs_table_t *table) {
    if (!may_grow(stage->world, table)) return 0;
    ecs__defer_bracket_begin(stage);
    ecs_entity_t entity = ecs__create(stage->world, table);
    add_apart(stage->world, entity, ids, count, NULL);
    ecs__defer_bracket_end(stage);
    return entity;
}

static ECS__APART ecs_entity_t make_first(
    ecs_stage_t *stage, const ecs_id_t *ids, int32_t count, ecs__recipe_t *recipe) {
    ecs_world_t *world = stage->world;
    ecs_table_t *table = world->store.root;
    if (!may_have(world, ids, count)) return 0;
    if (find_table(world, ids, count, &table))
        return make_with_some_apart(stage, ids, count, table);
    const bool is_plain = ecs__create_is_plain(world, table);
    keep(world, recipe, ids, count, table, is_plain);
    return make_in(stage, table, is_plain);
}

// Checked builds count locks, and refuse to add rows.
static inline bool is_open(const ecs_table_t *table) {
#ifdef ECS_CHECK_LEVEL_
    return !table->lock;
#else
    (void)table;
    return true;
#endif
}

ecs_entity_t ecs__make(ecs_stage_t *stage, const ecs_id_t *ids, int32_t count) {
    ecs__recipe_t *recipe = recipe_for(stage->world, ids, count);
    if (recipe->stamp != present_stamp(stage->world) || !is_for(recipe, ids, count))
        return make_first(stage, ids, count, recipe);
    if (recipe->is_row && is_open(recipe->table)) return ecs__plain_row_new(recipe->table);
    return make_in(stage, recipe->table, recipe->is_plain);
}

void ecs__give(ecs_world_t *world, ecs_entity_t entity, const ecs_id_t *ids, int32_t count) {
    ecs_table_t *before = ecs__entity_spot(&world->store.entities, entity).table, *table = before;
    const int32_t apart = find_table(world, ids, count, &table);
    ecs__transition(world, entity, table, NULL, 0);
    if (apart) add_apart(world, entity, ids, count, before);
}

// ---- with a name ----

// It is found by its name before others hear of it.
static void begin_with_name(ecs_world_t *world, ecs_entity_t entity, ecs_table_t *table,
    ecs_entity_t parent, const char *name) {
    const ecs_id_t id = ecs__identifier_id(ECS__NAME);
    EcsIdentifier value = ecs__identifier_make(name);
    const ecs__pending_value_t pending = { .id = id, .ptr = &value, .construct = true };
    ecs__names_on_set(world, entity, ECS__NAME, parent, name);
    ecs__transition(world, entity, table, &pending, 1);
    const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, entity);
    const int32_t column = ecs__table_column(spot.table, id);
    if (column < 0) { /* its table is in use */
        ecs__names_on_set(world, entity, ECS__NAME, 0, NULL);
        return;
    }
    ecs__table_touch_values(spot.table, column, spot.row, 1);
    if (ecs__events_may_hear_set(&world->events, id))
        ecs__emit_on_set(world, spot.table, id, spot.row, 1);
}

ecs_entity_t ecs__make_named(ecs_world_t *poly, ecs_entity_t entity, ecs_entity_t parent,
    const char *name, const ecs_id_t *ids, int32_t count) {
    ecs_stage_t *stage = ecs__stage_of(poly);
    ecs_world_t *world = stage->world;
    const ecs_id_t child_of = ECS__MAKE_PAIR(Ecs__ChildOf, parent);
    ecs_table_t *table = world->store.root;
    if (!entity) entity = ecs_new(poly);
    if (!entity) return 0;
    ecs__defer_bracket_begin(stage);
    if (parent) table = ecs__table_after_add(world, table, child_of);
    table = ecs__table_after_add(world, table, ecs__identifier_id(ECS__NAME));
    const int32_t apart = find_table(world, ids, count, &table);
    begin_with_name(world, entity, table, parent, name);
    if (apart) add_apart(world, entity, ids, count, NULL);
    ecs__defer_bracket_end(stage);
    return entity;
}
