// SPDX-License-Identifier: MIT
// make: new entities that begin with a list of ids.
//
// Games make many of a kind: for some lists it is remembered where they lead to (recipes, found by first and last id). That holds as
// long as there are the same tables, what is above is the same, and so is what changes mean (store->plain_stamp).
#include "world/make.h"

#include <string.h>

#include "mutate/sparse.h"
#include "storage/plain_rows.h"
#include "world/state.h"
#include "world/write.h"

// ---- recipes ----

static ecs__recipe_t *recipe_for(ecs_world_t *world, const ecs_id_t *ids, int32_t count) {
    if (!count || count > ECS__RECIPE_IDS) return NULL;
    const uint64_t mixed = (ids[0] ^ ids[count - 1] << 1) * 0x9E3779B97F4A7C15u;
    return &world->recipes[mixed >> 32 & (ECS__RECIPES - 1)];
}

// Each part only grows.
static uint64_t present_stamp(const ecs_world_t *world) {
    return world->store.table_stamp + world->store.traverse_stamp + world->store.plain_stamp;
}

static ecs_table_t *recall(
    const ecs_world_t *world, const ecs__recipe_t *recipe, const ecs_id_t *ids, int32_t count) {
    if (!recipe || recipe->count != count || recipe->stamp != present_stamp(world)) return NULL;
    for (int32_t i = 0; i < count; i++) {
        if (recipe->ids[i] != ids[i]) return NULL;
    }
    return recipe->table;
}

static void keep(const ecs_world_t *world, ecs__recipe_t *recipe, const ecs_id_t *ids,
    int32_t count, ecs_table_t *table) {
    if (!recipe) return;
    recipe->stamp = present_stamp(world);
    recipe->table = table;
    recipe->is_plain = ecs__create_is_plain(world, table);
    recipe->count = count;
    memcpy(recipe->ids, ids, (size_t)count * sizeof(ecs_id_t));
}

// ---- making ----

static bool may_have(ecs_world_t *world, const ecs_id_t *ids, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (!ecs__check_add(world, 0, ids[i])) return false;
    }
    return true;
}

// Of those that are in tables. Returns how many are not.
static int32_t find_table(
    ecs_world_t *world, const ecs_id_t *ids, int32_t count, ecs_table_t **table) {
    int32_t beside = 0;
    *table = world->store.root;
    for (int32_t i = 0; i < count; i++) {
        if (ecs__store_beside(&world->store, ids[i]))
            beside++;
        else
            *table = ecs__table_after_add(world, *table, ids[i]);
    }
    return beside;
}

static void add_beside(
    ecs_world_t *world, ecs_entity_t entity, const ecs_id_t *ids, int32_t count) {
    ecs__arrivals_t arrivals = { .world = world };
    for (int32_t i = 0; i < count; i++) {
        ecs_component_record_t *record = ecs__store_beside(&world->store, ids[i]);
        if (record) ecs__aside_arrive(&arrivals, entity, record);
    }
    ecs__arrivals_tell(&arrivals);
}

// Debug check. The root table may grow while it is iterated, others may not.
static bool may_grow(const ecs_world_t *world, const ecs_table_t *table) {
    return table == world->store.root || ecs__table_check_unlocked(table);
}

ecs_entity_t ecs__make(ecs_stage_t *stage, const ecs_id_t *ids, int32_t count) {
    ecs_world_t *world = stage->world;
    ecs__recipe_t *recipe = recipe_for(world, ids, count);
    ecs_table_t *known = recall(world, recipe, ids, count), *table = known;
    int32_t beside = 0;
    if (!known) {
        if (!may_have(world, ids, count)) return 0;
        beside = find_table(world, ids, count, &table);
        if (!beside) keep(world, recipe, ids, count, table);
    }
    if (!may_grow(world, table)) return 0;
    const bool plain = known && recipe->is_plain;
    if (plain && !(table->flags & EcsTableHasIsA)) return ecs__plain_row_new(table);
    ecs__defer_bracket_begin(stage);
    ecs_entity_t entity = plain ? ecs__create_plain(world, table) : ecs__create(world, table);
    if (beside) add_beside(world, entity, ids, count);
    ecs__defer_bracket_end(stage);
    return entity;
}
