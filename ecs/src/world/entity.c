// SPDX-License-Identifier: MIT
// entity: liveliness, new and deleted entities.
#include <muster/ecs/entity.h>

#include <muster/ecs/log.h>

#include "base/apart.h"
#include "mutate/parent.h"
#include "mutate/plain.h"
#include "mutate/sparse.h"
#include "world/make.h"
#include "world/state.h"
#include "world/write.h"

// ---- liveliness ----

bool ecs_is_alive(const ecs_world_t *world, ecs_entity_t entity) {
    ECS__CHECK(ecs__check_reader(world));
    ecs_check(entity != 0, ECS_INVALID_PARAMETER, "entity 0 is neither alive nor dead");
    // Mostly the stage need not be found for it.
    if (ecs__entity_near(&ecs__world_of(world)->store.entities, entity)) return true;
    return ecs__has_far(world, entity);
error:
    return false;
}

bool ecs_is_valid(const ecs_world_t *world, ecs_entity_t entity) {
    bool is_entity = entity && ecs__id_is_entity(entity);
    return is_entity && ecs__is_alive(world, entity);
}

bool ecs_exists(const ecs_world_t *world, ecs_entity_t entity) {
    const ecs__entity_index_t *index = &ecs__world_of(world)->store.entities;
    return ecs_get_alive(world, entity) || ecs__entity_living_table(index, (uint32_t)entity) ||
           ecs__entity_generation(index, (uint32_t)entity);
}

ecs_entity_t ecs_get_alive(const ecs_world_t *world, ecs_entity_t entity) {
    if (!entity) return 0;
    if (ecs__is_alive(world, entity)) return entity;
    if (ECS_GENERATION(entity)) return 0;
    return ecs__entity_alive_id(&ecs__world_of(world)->store.entities, (uint32_t)entity);
}

ecs_entity_t ecs_pair_first(const ecs_world_t *world, ecs_id_t pair) {
    return ecs_get_alive(world, ECS_PAIR_FIRST(pair));
}

ecs_entity_t ecs_pair_second(const ecs_world_t *world, ecs_id_t pair) {
    return ecs_get_alive(world, ECS_PAIR_SECOND(pair));
}

static bool check_may_place(const ecs_world_t *poly, const char *what) {
    const ecs_world_t *world = ecs__world_of(poly);
    (void)what;
    (void)world;
    ecs_check(!(world->flags & EcsWorldMultiThreaded), ECS_INVALID_WHILE_READONLY,
        "cannot %s in multithreaded mode, outside of a system", what);
    return true;
error:
    return false;
}

void ecs_make_alive(ecs_world_t *world, ecs_entity_t entity) {
    ecs__store_t *store = &ecs__world_of(world)->store;
    ECS__CHECK(ecs__check_writer(world));
    if (ecs__entity_is_alive(&store->entities, entity)) return;
    ECS__CHECK(check_may_place(world, "make entities alive"));
    ecs_check((uint32_t)entity < ecs__entity_most_ids(&store->entities), ECS_OUT_OF_RANGE,
        "cannot make entity %u alive: ids go up to %u", (uint32_t)entity,
        ecs__entity_most_ids(&store->entities) - 1);
    const char *refusal = ecs__entity_refusal(&store->entities, entity);
    ecs_check(!refusal, ECS_INVALID_PARAMETER, "cannot make %s (generation %u) alive: %s",
        ECS__TEXT(world, entity), ecs_get_version(entity), refusal);
    ecs__create_exact(ecs__world_of(world), entity);
error:
    return;
}

void ecs_make_alive_id(ecs_world_t *world, ecs_id_t id) {
    if (!ECS_IS_PAIR(id)) {
        ecs_make_alive(world, id & ECS_COMPONENT_MASK);
        return;
    }
    if (!ecs_pair_first(world, id)) ecs_make_alive(world, ECS_PAIR_FIRST(id));
    if (ECS_IS_VALUE_PAIR(id)) return;
    if (!ecs_pair_second(world, id)) ecs_make_alive(world, ECS_PAIR_SECOND(id));
}

void ecs_set_version(ecs_world_t *world, ecs_entity_t entity) {
    ECS__CHECK(ecs__check_immediate(world, "change the generation of an entity"));
    ecs__store_t *store = &ecs__world_of(world)->store;
    ecs_check(ecs__id_is_entity(entity), ECS_INVALID_PARAMETER,
        "%s is no entity with a generation to change", ECS__TEXT(world, entity));
    const ecs__spot_t spot = ecs__entity_living(&store->entities, (uint32_t)entity);
    ecs_check(spot.table, ECS_INVALID_PARAMETER,
        "cannot change the generation of entity %u: it is not alive", (uint32_t)entity);
    ecs_check(!(ecs__entity_marks(&store->entities, entity) & EcsEntityIsId), ECS_INVALID_OPERATION,
        "cannot change the generation of entity %u: it is used as an id", (uint32_t)entity);
    ecs_check(!ecs__table_has(spot.table, ECS__MAKE_PAIR(Ecs__Poly, Ecs__Wildcard)),
        ECS_INVALID_OPERATION,
        "cannot change the generation of %s: a query, observer, system or pipeline knows it by it",
        ECS__TEXT(world, spot.table->entities[spot.row]));
    ecs__entity_put(&store->entities, entity, spot.table, spot.row);
    ecs_entity_t *row = &spot.table->entities[spot.row];
    if (spot.table->flags & (EcsTableHasOrderedChildren | EcsTableHasParent))
        ecs__children_rename(store, *row, entity);
    ecs__sparse_rename(store, *row, entity);
    ecs__names_rename(ecs__world_of(world), *row, entity);
    ecs__parent_rename(ecs__world_of(world), entity);
    *row = entity;
    ecs__table_touch_rows(spot.table, spot.row, 1); /* order may depend on it */
    /* Whoever found something above others there knows the former id. */
    if (ecs__entity_marks(&store->entities, entity) & EcsEntityIsTraversable)
        ecs__store_move_traversable(store, entity, spot.table, spot.table);
error:
    return;
}

// ---- new ----

ecs_entity_t ecs_new(ecs_world_t *world) {
    ecs_stage_t *stage = ecs__stage_of(world);
    if (stage->in_slot) {
        ECS__CHECK(ecs__check_caller(world, "create entities"));
        return ecs__record_new(stage);
    }
    ECS__CHECK(ecs__check_writer(world));
    ECS__CHECK(check_may_place(world, "create entities"));
    bool is_plain = ecs__new_is_plain(stage->world);
    return is_plain ? ecs__plain_row_new(stage->world->store.root)
                    : ecs__create(stage->world, NULL);
error:
    return 0;
}

ecs_entity_t ecs_new_low_id(ecs_world_t *world) {
    ecs_stage_t *stage = ecs__stage_of(world);
    if (stage->in_slot) return ecs_new(world);
    ECS__CHECK(ecs__check_writer(world));
    ECS__CHECK(check_may_place(world, "create entities"));
    ecs_entity_t entity = ecs__entity_new_low(&stage->world->store.entities);
    if (!entity) return ecs_new(world);
    ecs__place(stage->world, stage->world->store.root, &entity, 1);
    stage->world->info.last_component_id = entity;
    return entity;
error:
    return 0;
}

static ecs_entity_t new_deferred(ecs_world_t *world, ecs_id_t id) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ecs_entity_t entity = ecs_new(world);
    if (!entity) return 0;
    if (stage->scope.parent)
        ecs__record_add(stage, entity, ECS__MAKE_PAIR(Ecs__ChildOf, stage->scope.parent));
    if (id) ecs__record_add(stage, entity, id);
    return entity;
}

ecs_entity_t ecs_new_w_id(ecs_world_t *world, ecs_id_t id) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ECS__CHECK(ecs__check_caller(world, "create entities"));
    ecs_check(!id || ecs_id_is_valid(world, id), ECS_INVALID_PARAMETER,
        "cannot create an entity with %s: the id is not valid", ECS__TEXT(world, id));
    ECS__CHECK(ecs__check_scope(world));
    if (ecs__stage_defers(stage)) return new_deferred(world, id);
    if (!id && !stage->scope.parent) return ecs_new(world);
    if (!stage->scope.parent) return ecs__make(stage, &id, 1);
    const ecs_id_t ids[] = { ECS__MAKE_PAIR(Ecs__ChildOf, stage->scope.parent), id };
    return ecs__make(stage, ids, id ? 2 : 1);
error:
    return 0;
}

// Without what stands for edges beside the table. What has a value comes behind bases, with whose values it begins, as it does at once.
static ecs_entity_t new_later(ecs_world_t *world, const ecs_table_t *table) {
    const ecs_entity_t entity = ecs_new(world);
    for (int32_t pass = 0; entity && pass < 2; pass++) {
        for (int32_t i = 0; i < table->type.count; i++) {
            const ecs_id_t id = table->type.array[i];
            const bool has_value = ecs_get_type_info(world, id) != NULL;
            if (has_value == pass && !ecs__id_is_presence(ecs__table_cr(table, i)))
                ecs__record_add(ecs__stage_of(world), entity, id);
        }
    }
    return entity;
}

ecs_entity_t ecs_new_w_table(ecs_world_t *world, ecs_table_t *table) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ECS__CHECK(ecs__check_caller(world, "create an entity in a table"));
    ecs_check(table != NULL, ECS_INVALID_PARAMETER, "cannot create an entity in table NULL");
    if (ecs__stage_defers(stage)) return new_later(world, table);
    if (!ecs__table_check_unlocked(table) || !ecs__check_table(stage->world, table)) return 0;
    ecs__defer_bracket_begin(stage);
    ecs_entity_t entity = ecs__create(stage->world, ecs__table_without_presence(table, NULL));
    ecs__defer_bracket_end(stage);
    return entity;
error:
    return 0;
}

// ---- clone, clear, delete ----

ecs_entity_t ecs_clone(ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src, bool copy_value) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ECS__CHECK(ecs__check_change(world, src, "clone"));
    if (dst) ECS__CHECK(ecs__check_change(world, dst, "clone to"));
    if (!ecs__stage_defers(stage) && !ecs__check_clone(stage->world, dst, src, copy_value))
        return 0;
    if (!dst && !(dst = ecs_new(world))) return 0;
    if (ecs__defer_bracket_begin(stage)) {
        ecs__record_clone(stage, dst, src, copy_value);
        return dst;
    }
    ecs__clone(stage->world, dst, src, copy_value);
    ecs__defer_bracket_end(stage);
    return dst;
error:
    return 0;
}

void ecs_clear(ecs_world_t *world, ecs_entity_t entity) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ECS__CHECK(ecs__check_change(world, entity, "clear"));
    ecs_check(!ecs__is_builtin(entity), ECS_INVALID_OPERATION,
        "removing components from builtin entities is not allowed (%s)", ECS__TEXT(world, entity));
    if (ecs__defer_bracket_begin(stage)) {
        ecs__record_clear(stage, entity);
        return;
    }
    ecs__clear(stage->world, entity);
    ecs__defer_bracket_end(stage);
error:
    return;
}

static ECS__APART void delete_any(ecs_world_t *world, ecs_entity_t entity) {
    ecs_stage_t *stage = ecs__stage_of(world);
    if (!ecs__is_alive(world, entity)) return;
    ecs_check(!ecs__is_builtin(entity), ECS_INVALID_OPERATION,
        "cannot delete the builtin entity %s", ECS__TEXT(stage->world, entity));
    if (ecs__stage_defers(stage) || (ecs__events_callback_runs(&stage->world->events) &&
                                        ecs__delete_means_more(stage->world, entity))) {
        ecs__record_delete(stage, entity);
        return;
    }
    ECS__CHECK(ecs__check_delete(stage->world, entity));
    ecs__defer_bracket_begin(stage);
    ecs__delete(stage->world, entity);
    ecs__defer_bracket_end(stage);
error:
    return;
}

void ecs_delete(ecs_world_t *world, ecs_entity_t entity) {
    ECS__CHECK(ecs__check_caller(world, "delete"));
    ecs_check(entity != 0, ECS_INVALID_PARAMETER, "cannot delete entity 0");
    ecs_stage_t *stage = ecs__stage_of(world);
    if (!ecs__stage_defers(stage) && ecs__plain_delete(stage->world, entity)) return;
    delete_any(world, entity);
error:
    return;
}

void ecs_delete_with(ecs_world_t *world, ecs_id_t id) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ECS__CHECK(ecs__check_caller(world, "delete entities"));
    if (ecs__events_callback_runs(&stage->world->events) || ecs__defer_bracket_begin(stage)) {
        ecs__record_delete_with(stage, id);
        return;
    }
    ecs__delete_with(stage->world, id);
    ecs__defer_bracket_end(stage);
error:
    return;
}

void ecs_remove_all(ecs_world_t *world, ecs_id_t id) {
    ecs_stage_t *stage = ecs__stage_of(world);
    ECS__CHECK(ecs__check_caller(world, "remove an id from all entities"));
    if (ecs__defer_bracket_begin(stage)) {
        ecs__record_remove_all(stage, id);
        return;
    }
    ecs__remove_all(stage->world, id);
    ecs__defer_bracket_end(stage);
error:
    return;
}
