// SPDX-License-Identifier: MIT
// bulk: many entities with the same ids in one step.
#include <muster/ecs/entity.h>
#include <muster/ecs/log.h>
#include <muster/ecs/os.h>

#include "mutate/sparse.h"
#include "world/state.h"
#include "world/write.h"

static int32_t count_ids(const ecs_bulk_desc_t *desc) {
    int32_t count = 0;
    while (count < FLECS_ID_DESC_MAX && desc->ids[count]) count++;
    return count;
}

static ecs_table_t *table_of(ecs_world_t *world, const ecs_bulk_desc_t *desc) {
    if (desc->table && !ecs__check_table(world, desc->table)) return NULL;
    if (desc->table) return ecs__table_without_presence(desc->table, NULL);
    ecs_table_t *table = world->store.root;
    for (int32_t i = 0, count = count_ids(desc); i < count; i++) {
        if (!ecs__check_add(world, 0, desc->ids[i])) return NULL;
        table = ecs__table_after_add(world, table, desc->ids[i]);
    }
    return table;
}

static bool check_data(
    const ecs_world_t *world, const ecs_table_t *table, ecs_id_t id, const void *data) {
    (void)world;
    bool has_values = ecs__table_has(table, id) || ecs__store_beside(table->store, id);
    ecs_check(!data || (has_values && ecs_get_type_info(world, id)), ECS_INVALID_PARAMETER,
        "no values can be given for %s, which is a tag or was replaced", ECS__TEXT(world, id));
    return true;
error:
    return false;
}

// The values per position of the table's type; NULL if there are none.
static bool order_data(const ecs_world_t *world, const ecs_bulk_desc_t *desc,
    const ecs_table_t *table, void **ordered) {
    int32_t count = desc->table ? desc->table->type.count : count_ids(desc);
    for (int32_t i = 0; i < count; i++) {
        ecs_id_t id = desc->table ? desc->table->type.array[i] : desc->ids[i];
        ECS__CHECK(check_data(world, table, id, desc->data[i]));
        int32_t index = ecs__table_search(table, id); /* -1: kept beside tables */
        if (index >= 0) ordered[index] = desc->data[i];
    }
    return true;
error:
    return false;
}

static bool check_free(const ecs_world_t *world, ecs_entity_t entity, ecs_map_t *seen) {
    const ecs__entity_index_t *index = &world->store.entities;
    const bool is_alive = ecs__entity_is_alive(index, entity);
    const bool is_again = (*ecs_map_ensure(seen, (uint32_t)entity))++;
    const char *refusal = is_alive   ? "it is alive"
                          : is_again ? "it is given twice"
                                     : ecs__entity_refusal(index, entity);
    ecs_check(!refusal, ECS_INVALID_PARAMETER, "entity %u (%s) cannot be created: %s",
        (uint32_t)entity, ECS__TEXT(world, entity), refusal);
    return true;
error:
    return false;
}

// Given ids must be free, and differ.
static bool check_entities(const ecs_world_t *world, const ecs_bulk_desc_t *desc) {
    ecs_map_t seen;
    bool is_free = true;
    ecs_map_init(&seen, NULL);
    for (int32_t i = 0; desc->entities && is_free && i < desc->count; i++)
        is_free = check_free(world, desc->entities[i], &seen);
    ecs_map_fini(&seen);
    return is_free;
}

static bool check_id(const ecs_world_t *world, ecs_id_t id) {
    (void)world;
    ecs_check(ecs_id_is_valid(world, id), ECS_INVALID_PARAMETER,
        "cannot create entities with %s: the id is not valid", ECS__TEXT(world, id));
    return true;
error:
    return false;
}

static bool check_desc(const ecs_world_t *world, const ecs_bulk_desc_t *desc) {
    ecs_check(desc && !desc->_canary, ECS_INVALID_PARAMETER,
        "ecs_bulk_desc_t was not initialised to zero before its members were set");
    ecs_check(desc->count >= 0, ECS_INVALID_PARAMETER, "cannot create %d entities", desc->count);
    ECS__CHECK(check_entities(world, desc));
    for (int32_t i = 0, count = count_ids(desc); i < count; i++)
        ECS__CHECK(check_id(world, desc->ids[i]));
    return true;
error:
    return false;
}

// What tables cannot hold.
static void list_beside(ecs_world_t *world, const ecs_bulk_desc_t *desc, ecs__given_t *out) {
    for (int32_t i = 0, count = count_ids(desc); i < count && !desc->table; i++) {
        ecs_component_record_t *record = ecs__store_beside(&world->store, desc->ids[i]);
        if (record) *out++ = (ecs__given_t){ record, desc->data ? desc->data[i] : NULL };
    }
    *out = (ecs__given_t){ 0 };
}

// Ids at once, in the root table; what they are to have is added when the queue is applied.
static const ecs_entity_t *new_deferred(
    ecs_stage_t *stage, const ecs_entity_t *entities, int32_t count) {
    ecs_check(!(stage->world->flags & EcsWorldMultiThreaded), ECS_INVALID_FROM_WORKER,
        "cannot create entities on a stage of a world that several threads read");
    ecs_world_t *world = stage->world;
    return ecs__create_many(world, world->store.root, entities, count, NULL, &(ecs__given_t){ 0 });
error:
    return NULL;
}

static void record_id(
    ecs_stage_t *stage, ecs_entity_t entity, ecs_id_t id, char *values, int32_t i) {
    const ecs_type_info_t *type = values ? ecs_get_type_info(stage->world, id) : NULL;
    if (!type) {
        ecs__record_add(stage, entity, id);
        return;
    }
    void *value = ecs__record_ensure(stage, entity, id, NULL, type);
    ecs__value_take(type, value, values + i * type->size, 1);
    ecs__record_modified(stage, entity, id);
}

static void record_ids(ecs_stage_t *stage, ecs_entity_t entity, const ecs_bulk_desc_t *desc,
    const ecs_table_t *table, int32_t i, bool typed) {
    const ecs_id_t *ids = desc->table ? desc->table->type.array : desc->ids;
    int32_t count = desc->table ? desc->table->type.count : count_ids(desc);
    for (int32_t n = 0; n < count; n++) {
        const bool has_value = ecs_get_type_info(stage->world, ids[n]) != NULL;
        if (has_value != typed) continue;
        if (desc->table && !ecs__table_has(table, ids[n])) continue; /* a presence id */
        record_id(stage, entity, ids[n], desc->data ? desc->data[n] : NULL, i);
    }
}

// Entity by entity, so that they come to their parent, or anywhere else, in order, whatever folds. What has a value comes behind bases,
// with whose values it begins, as it does at once.
static const ecs_entity_t *bulk_init_deferred(
    ecs_stage_t *stage, const ecs_bulk_desc_t *desc, const ecs_table_t *table) {
    const ecs_entity_t *made = new_deferred(stage, desc->entities, desc->count);
    for (int32_t i = 0; made && i < desc->count; i++) {
        record_ids(stage, made[i], desc, table, i, false);
        record_ids(stage, made[i], desc, table, i, true);
    }
    return made;
}

static const ecs_entity_t *bulk_init_now(
    ecs_world_t *world, const ecs_bulk_desc_t *desc, ecs_table_t *table, void *const *data) {
    ecs__given_t beside[FLECS_ID_DESC_MAX + 1];
    list_beside(world, desc, beside);
    ecs__defer_bracket_begin(world->stage);
    const ecs_entity_t *made =
        ecs__create_many(world, table, desc->entities, desc->count, data, beside);
    ecs_vec_t list = world->bulk_ids; /* what was recorded may make others in bulk */
    world->bulk_ids = (ecs_vec_t){ 0 };
    ecs__defer_bracket_end(world->stage);
    ecs_vec_fini_t(NULL, &world->bulk_ids, ecs_entity_t);
    world->bulk_ids = list;
    return made;
}

const ecs_entity_t *ecs_bulk_init(ecs_world_t *world, const ecs_bulk_desc_t *desc) {
    ECS__CHECK(ecs__check_caller(world, "create entities in bulk"));
    ecs_check(!ecs__is_stage(world), ECS_INVALID_PARAMETER,
        "entities in bulk are made for a world, not a stage");
    ECS__CHECK(check_desc(world, desc));
    bool defers = ecs__stage_defers(world->stage);
    ecs__kept_t *kept = &world->store.kept;
    ecs_table_t *table = table_of(world, desc);
    if (!table || (!defers && !ecs__table_check_unlocked(table))) return NULL;
    if (!desc->count) return desc->entities;
    const size_t size = (size_t)(table->type.count + 1) * sizeof(void *);
    void **data = desc->data ? memset(ecs__kept_take(kept, size), 0, size) : NULL;
    const ecs_entity_t *result = NULL;
    if (!data || order_data(world, desc, table, data))
        result = defers ? bulk_init_deferred(world->stage, desc, table)
                        : bulk_init_now(world, desc, table, data);
    ecs__kept_give(kept, data, size);
    return result;
error:
    return NULL;
}

const ecs_entity_t *ecs_bulk_new_w_id(ecs_world_t *world, ecs_id_t id, int32_t count) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ECS__CHECK(ecs__check_caller(world, "create entities in bulk"));
    ecs_check(count >= 0, ECS_INVALID_PARAMETER, "cannot create %d entities", count);
    ECS__CHECK(!id || check_id(world, id));
    if (!ecs__stage_defers(stage))
        return ecs_bulk_init(stage->world, &(ecs_bulk_desc_t){ .count = count, .ids = { id } });
    if (stage->in_slot) return ecs__record_new_many(stage, id, count);
    const ecs_entity_t *made = count ? new_deferred(stage, NULL, count) : NULL;
    for (int32_t i = 0; made && id && i < count; i++) ecs__record_add(stage, made[i], id);
    return made;
error:
    return NULL;
}
