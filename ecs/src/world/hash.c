// SPDX-License-Identifier: MIT
// hash: one number for the state of a world.
//
// A sum over entities, so that tables, rows and history do not matter; within an entity ids come in
// type order, then those beside the table in theirs.
#include "base/hash.h"

#include <muster/ecs/ds/map.h>
#include <muster/ecs/entity.h>
#include <muster/ecs/extend.h>
#include <muster/ecs/world.h>

#include "storage/search.h"
#include "storage/toggle.h"
#include "world/state.h"

// By what a value is made of, if that is known. Values of builtins that hold addresses are hashed by
// what they mean, or not at all.
static uint64_t hash_value(
    const ecs_world_t *world, const ecs_type_info_t *type, const void *value, uint64_t hash) {
    const ecs_ext_reflection_t *reflection = world->reflection;
    if (reflection && reflection->hash_value(world, type->component, value, &hash)) return hash;
    if (type->component == Ecs__Poly) return hash;
    if (type->component == Ecs__Identifier)
        return ecs__hash_u64(hash ^ ecs__identifier_hash(value));
    return ecs__hash_bytes(value, (size_t)type->size, hash);
}

static uint64_t hash_beside(const ecs_world_t *world, ecs_entity_t entity, uint64_t hash) {
    const ecs__store_t *store = &world->store;
    ecs__sparse_iter_t iter = ecs__sparse_iter(store, entity, 0);
    const ecs_component_record_t *found;
    while ((found = ecs__sparse_next(&iter))) {
        const void *value = ecs__sparse_get(found, entity);
        hash = ecs__hash_u64(hash ^ found->id);
        if (value) hash = hash_value(world, found->type_info, value, hash);
    }
    return hash;
}

static uint64_t hash_row(const ecs_world_t *world, const ecs_table_t *table, int32_t row) {
    ecs_entity_t entity = table->entities[row];
    const ecs__spot_t spot = ecs__entity_spot(&table->store->entities, entity);
    uint64_t hash = ecs__hash_u64(entity);
    for (int32_t i = 0; i < table->type.count; i++) {
        hash = ecs__hash_u64(hash ^ table->type.array[i]);
        const ecs__toggle_t *toggle = ecs__toggle_get(table, table->type.array[i]);
        if (toggle && ecs__bitset_get(&toggle->off, row)) hash = ecs__hash_u64(hash);
        const ecs_type_info_t *type = ecs__table_cr(table, i)->type_info;
        const void *value = type ? ecs__value_of(spot, table->type.array[i]) : NULL;
        if (value) hash = hash_value(world, type, value, hash);
    }
    bool has_beside = ecs__entity_marks(&table->store->entities, entity) & EcsEntityHasDontFragment;
    return has_beside ? hash_beside(world, entity, hash) : hash;
}

#define SHORT 8 /* ways that are gone again */

// What the library makes for itself below its scope, as pipelines and timers, changes as it runs. `known` are parents of which it was
// asked before: hierarchies may be deep. Callbacks of a flush may see cycles, which are judged at its end.
static bool is_of_library(const ecs_world_t *world, const ecs_table_t *table, ecs_map_t *known) {
    const ecs_entity_t first = ecs__table_target(table, Ecs__ChildOf, 0);
    const ecs_map_val_t *answer = NULL;
    ecs_entity_t above = first;
    int32_t steps = 0;
    const int32_t most = ecs__world_of(world)->store.entities.alive_count;
    for (; above && above != Ecs__Flecs && !(answer = ecs_map_get(known, above)) && steps < most;
         steps++)
        above = ecs_get_parent(world, above);
    const bool is_of = answer ? *answer : above == Ecs__Flecs;
    for (ecs_entity_t entity = first; steps > SHORT && entity != above;
         entity = ecs_get_parent(world, entity))
        ecs_map_insert(known, entity, is_of);
    return is_of;
}

uint64_t ecs_world_hash(const ecs_world_t *world) {
    const ecs__store_t *store = &ecs__world_of(world)->store;
    world = ecs__world_of(world);
    ecs_map_t known = { 0 };
    uint64_t sum = 0;
    for (int32_t t = 0; t < store->table_count; t++) {
        const ecs_table_t *table = store->tables[t];
        if (!table || !table->count || is_of_library(world, table, &known)) continue;
        for (int32_t row = 0; row < table->count; row++) {
            if (!ecs__is_builtin((uint32_t)table->entities[row]))
                sum += hash_row(world, table, row);
        }
    }
    ecs_map_fini(&known);
    return sum;
}
