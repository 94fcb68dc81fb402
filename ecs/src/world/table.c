// SPDX-License-Identifier: MIT
// table: looking at tables, and the few ways to change them as a whole.
#include <muster/ecs/table.h>

#include <muster/ecs/entity.h>
#include <muster/ecs/log.h>
#include <muster/ecs/query.h>

#include "mutate/delete.h"
#include "mutate/sparse.h"
#include "world/state.h"
#include "world/write.h"

// ---- the table itself ----

const ecs_type_t *ecs_table_get_type(const ecs_table_t *table) {
    ECS__NEED_OR(table, NULL);
    return &table->type;
}
int32_t ecs_table_count(const ecs_table_t *table) {
    ECS__NEED_OR(table, 0);
    return table->count;
}
int32_t ecs_table_size(const ecs_table_t *table) {
    ECS__NEED_OR(table, 0);
    return table->size;
}
const ecs_entity_t *ecs_table_entities(const ecs_table_t *table) {
    ECS__NEED_OR(table, NULL);
    return table->entities;
}
int32_t ecs_table_column_count(const ecs_table_t *table) {
    ECS__NEED_OR(table, 0);
    return table->column_count;
}
uint64_t flecs_table_id(const ecs_table_t *table) {
    ECS__NEED_OR(table, 0);
    return table->id;
}
// What rows decide is not kept as a bit.
ecs_flags32_t flecs_table_flags(const ecs_table_t *table) {
    ECS__NEED_OR(table, 0);
    return table->flags | (table->traversable_count ? EcsTableHasTraversable : 0) |
           (table->count ? EcsTableNotEmpty : EcsTableEmpty);
}
int32_t flecs_table_observed_count(const ecs_table_t *table) {
    ECS__NEED_OR(table, 0);
    return table->traversable_count;
}
ecs_table_records_t flecs_table_records(const ecs_table_t *table) {
    ECS__NEED_OR(table, (ecs_table_records_t){ 0 });
    return (ecs_table_records_t){ ecs__table_show(table), table->record_count };
}

int32_t ecs_table_get_type_index(const ecs_world_t *world, const ecs_table_t *table, ecs_id_t id) {
    ECS__NEED_OR(table, -1);
    (void)world;
    return ecs__table_search(table, id);
}

int32_t ecs_table_get_column_index(
    const ecs_world_t *world, const ecs_table_t *table, ecs_id_t id) {
    ECS__NEED_OR(table, -1);
    (void)world;
    return ecs__table_column(table, id);
}

int32_t ecs_table_type_to_column_index(const ecs_table_t *table, int32_t index) {
    ECS__NEED_OR(table, -1);
    ecs_check(index >= 0 && index < table->type.count, ECS_OUT_OF_RANGE,
        "the type of the table has %d ids, there is no position %d", table->type.count, index);
    return ecs__table_column_at(table, index);
error:
    return -1;
}

int32_t ecs_table_column_to_type_index(const ecs_table_t *table, int32_t index) {
    ECS__NEED_OR(table, -1);
    ecs_check(index >= 0 && index < table->column_count, ECS_COLUMN_INDEX_OUT_OF_RANGE,
        "the table has %d columns, there is no column %d", table->column_count, index);
    return table->columns[index].type_index;
error:
    return -1;
}

void *ecs_table_get_column(const ecs_table_t *table, int32_t index, int32_t offset) {
    ECS__NEED_OR(table, NULL);
    ecs_check(index >= 0 && index < table->column_count, ECS_COLUMN_INDEX_OUT_OF_RANGE,
        "the table has %d columns, there is no column %d", table->column_count, index);
    return table->count ? ecs__table_cell(table, index, offset) : NULL;
error:
    return NULL;
}

size_t ecs_table_get_column_size(const ecs_table_t *table, int32_t column) {
    ECS__NEED_OR(table, 0);
    ecs_check(column >= 0 && column < table->column_count, ECS_COLUMN_INDEX_OUT_OF_RANGE,
        "the table has %d columns, there is no column %d", table->column_count, column);
    return (size_t)table->columns[column].size;
error:
    return 0;
}

void *ecs_table_get_id(
    const ecs_world_t *world, const ecs_table_t *table, ecs_id_t id, int32_t offset) {
    ECS__NEED_OR(table, NULL);
    int32_t column = ecs__table_column(table, id);
    if (column < 0) return NULL;
    ecs_entity_t entity = offset < table->count ? table->entities[offset] : 0;
    ECS__CHECK(!entity || ecs__may_access(world, entity, id, false, "ecs_table_get"));
    return table->count ? ecs__table_cell(table, column, offset) : NULL;
error:
    (void)entity;
    return NULL;
}

bool ecs_table_has_id(const ecs_world_t *world, const ecs_table_t *table, ecs_id_t id) {
    ECS__NEED_OR(table, false);
    (void)world;
    return ecs__table_has(table, id);
}

ecs_entity_t ecs_table_get_target(
    const ecs_world_t *world, const ecs_table_t *table, ecs_entity_t rel, int32_t index) {
    ECS__NEED_OR(table, 0);
    (void)world;
    return ecs__table_target(table, rel, index);
}

int32_t ecs_table_get_depth(const ecs_world_t *world, const ecs_table_t *table, ecs_entity_t rel) {
    ECS__NEED_OR(table, -1);
    ecs_check(ecs_id_get_flags(world, ECS__MAKE_PAIR(rel, Ecs__Wildcard)) & EcsIdTraversable,
        ECS_INVALID_PARAMETER, "cannot get a depth along %s: it is not acyclic",
        ECS__TEXT(world, rel));
    return ecs__table_depth(table, rel);
error:
    return -1;
}

bool ecs_table_has_flags(ecs_table_t *table, ecs_flags32_t flags) {
    return (flecs_table_flags(table) & flags) == flags;
}

bool ecs_table_has_traversable(const ecs_table_t *table) {
    ECS__NEED_OR(table, false);
    return table->traversable_count != 0;
}

// ---- searching ----

int32_t ecs_search(
    const ecs_world_t *world, const ecs_table_t *table, ecs_id_t id, ecs_id_t *id_out) {
    return ecs_search_offset(world, table, 0, id, id_out);
}

int32_t ecs_search_offset(const ecs_world_t *world, const ecs_table_t *table, int32_t offset,
    ecs_id_t id, ecs_id_t *id_out) {
    (void)world;
    if (!table) return -1;
    ecs_check(offset >= 0 && offset <= table->type.count, ECS_OUT_OF_RANGE,
        "the type of the table has %d ids, a search cannot begin at %d", table->type.count, offset);
    int32_t index = offset ? ecs__type_match(&table->type, offset, ecs__id_any_to_wildcard(id))
                           : ecs__table_search(table, id);
    if (index != -1 && id_out) *id_out = table->type.array[index];
    return index;
error:
    return -1;
}

int32_t ecs_search_relation(const ecs_world_t *world, const ecs_table_t *table, int32_t offset,
    ecs_id_t id, ecs_entity_t rel, ecs_flags64_t flags, ecs_entity_t *tgt_out, ecs_id_t *id_out,
    struct ecs_table_record_t **tr_out) {
    bool self = !flags || flags & EcsSelf, up = !flags || flags & EcsUp;
    if (tgt_out) *tgt_out = 0;
    if (!table) return -1;
    ecs__found_t found = { .table = table, .index = -1 };
    if (self) found.index = ecs_search_offset(world, table, offset, id, id_out);
    if (found.index == -1) {
        if (!up || !rel || !ecs__search_up(table, id, rel, false, true, 0, 0, &found)) return -1;
        if (tgt_out) *tgt_out = found.source;
        if (id_out) *id_out = found.id;
    }
    if (tr_out)
        *tr_out = ECS_CONST_CAST(ecs_table_record_t *, ecs__table_show(found.table) + found.index);
    return found.index;
}

int32_t ecs_search_relation_for_entity(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id,
    ecs_id_t rel, bool self, ecs_component_record_t *cr, ecs_entity_t *tgt_out, ecs_id_t *id_out,
    struct ecs_table_record_t **tr_out) {
    (void)cr;
    ecs_entity_t relation = ECS_IS_PAIR(rel) ? ecs_pair_first(world, rel) : rel;
    return ecs_search_relation(world, ecs_get_table(world, entity), 0, id, relation,
        self ? EcsSelf | EcsUp : EcsUp, tgt_out, id_out, tr_out);
}

// ---- id records ----

ecs_component_record_t *flecs_components_get(const ecs_world_t *world, ecs_id_t id) {
    ecs_world_t *real = ecs__world_of(world);
    ecs__store_t *store = ecs__store_of(real);
    ecs_component_record_t *record = ecs__id_record_get(store, id);
    bool is_to_make =
        record && !ecs__id_record_itself(store, id) && !(real->flags & EcsWorldReadonly);
    return is_to_make ? ecs__id_record_ensure(store, id) : record;
}

ecs_component_record_t *flecs_components_ensure(ecs_world_t *world, ecs_id_t id) {
    ecs_world_t *real = ecs__world_of(world);
    ecs_check(!(real->flags & EcsWorldReadonly), ECS_INVALID_WHILE_READONLY,
        "cannot make a record of %s while the world is readonly", ECS__TEXT(world, id));
    return ecs__id_record_ensure(&real->store, id);
error:
    return NULL;
}

ecs_id_t flecs_component_get_id(const ecs_component_record_t *cr) {
    ECS__NEED_OR(cr, 0);
    return cr->id;
}

const ecs_type_info_t *flecs_component_get_type_info(const ecs_component_record_t *cr) {
    ECS__NEED_OR(cr, NULL);
    return cr->type_info;
}

const ecs_table_record_t *flecs_component_get_table(
    const ecs_component_record_t *cr, const ecs_table_t *table) {
    ECS__NEED_OR(cr && table, NULL);
    const ecs__table_record_t *record = ecs__table_record(table, cr->id);
    return record ? ecs__table_show(table) + (record - table->records) : NULL;
}

ecs_parent_record_t *flecs_component_get_parent_record(
    const ecs_component_record_t *cr, const ecs_table_t *table) {
    static _Thread_local ecs_parent_record_t answers[8];
    static _Thread_local uint32_t turn;
    bool is_parent = cr && ECS_PAIR_FIRST(cr->id) == Ecs__ChildOf && !ecs_id_is_wildcard(cr->id);
    ecs_parent_record_t found = { 0 };
    for (int32_t i = 0; is_parent && i < ecs__sparse_count(cr); i++) {
        ecs_entity_t child = ecs__sparse_holders(cr)[i].entity;
        if (ecs__entity_spot(&table->store->entities, child).table != table) continue;
        found.entity = found.count++ ? 0 : (uint32_t)child;
    }
    ecs_parent_record_t *answer = &answers[turn++ % 8];
    *answer = found;
    return found.count ? answer : NULL;
}

bool flecs_component_iter(const ecs_component_record_t *cr, ecs_table_cache_iter_t *it) {
    ECS__NEED_OR(it, false);
    *it = (ecs_table_cache_iter_t){ .cr = cr };
    return cr && cr->table_live;
}

const ecs_table_record_t *flecs_component_next(ecs_table_cache_iter_t *it) {
    ECS__NEED_OR(it, NULL);
    if (!it->cr) return NULL;
    const ecs_table_t *table = ecs__id_record_next_table(it->cr, &it->position, it->with_empty);
    return table ? flecs_component_get_table(it->cr, table) : NULL;
}

// ---- neighbours ----

static bool check_may_make(const ecs_world_t *world) {
    if (!ecs__check_writer(world)) return false;
    ecs_check(!(ecs__world_of(world)->flags & EcsWorldReadonly), ECS_INVALID_WHILE_READONLY,
        "cannot make tables while the world is readonly");
    return true;
error:
    return false;
}

ecs_table_t *ecs_table_add_id(ecs_world_t *world, ecs_table_t *table, ecs_id_t id) {
    ECS__CHECK(check_may_make(world));
    ecs_world_t *real = ecs__world_of(world);
    ecs_check(ecs_id_is_valid(world, id), ECS_INVALID_PARAMETER,
        "cannot add %s: the id is not valid", ECS__TEXT(world, id));
    if (!ecs__check_add(real, 0, id)) return NULL;
    return ecs__table_after_add(real, table ? table : real->store.root, id);
error:
    return NULL;
}

ecs_table_t *ecs_table_remove_id(ecs_world_t *world, ecs_table_t *table, ecs_id_t id) {
    ECS__CHECK(check_may_make(world));
    const ecs_world_t *real = ecs__world_of(world);
    return ecs__table_after_remove(table ? table : real->store.root, id);
error:
    return NULL;
}

// What some table has stays in tables from then on, and who had it beside them would lose it.
static bool check_in_tables(ecs_world_t *world, ecs_id_t id) {
    return !ecs__store_beside(&world->store, id) ||
           ecs__refuse(world, ECS_INVALID_PARAMETER,
               "no table has %s, which is kept beside tables (DontFragment)", ECS__TEXT(world, id));
}

// Of a relationship that has one target at a time no table has two.
static bool check_alone(ecs_world_t *world, const ecs_id_t *ids, int32_t i) {
    if (!ECS_IS_PAIR(ids[i]) || !(ecs__id_flags(&world->store, ids[i]) & EcsIdExclusive))
        return true;
    for (int32_t k = 0; k < i; k++) {
        if (ECS_IS_PAIR(ids[k]) && ecs__id_first(ids[k]) == ecs__id_first(ids[i]))
            return ecs__refuse(world, ECS_INVALID_PARAMETER,
                "no table has both %s and %s: %s is exclusive", ECS__TEXT(world, ids[k]),
                ECS__TEXT(world, ids[i]), ECS__TEXT(world, ecs__id_first(ids[i])));
    }
    return true;
}

ecs_table_t *ecs_table_find(ecs_world_t *world, const ecs_id_t *ids, int32_t id_count) {
    ECS__NEED_OR(ids || !id_count, NULL);
    ECS__CHECK(check_may_make(world));
    ecs_check(id_count >= 0, ECS_INVALID_PARAMETER, "a table has no %d ids", id_count);
    for (int32_t i = 0; i < id_count; i++) {
        ecs_check(ecs_id_is_valid(world, ids[i]), ECS_INVALID_PARAMETER, "id %s is not valid",
            ECS__TEXT(world, ids[i]));
        ecs_check(!i || ids[i - 1] < ids[i], ECS_INVALID_PARAMETER,
            "the ids of a table are sorted and without duplicates; %s is out of place",
            ECS__TEXT(world, ids[i]));
        if (!ecs__check_add(ecs__world_of(world), 0, ids[i])) return NULL;
        if (!check_in_tables(ecs__world_of(world), ids[i])) return NULL;
        if (!check_alone(ecs__world_of(world), ids, i)) return NULL;
    }
    return ecs__table_ensure(&ecs__world_of(world)->store, ids, id_count);
error:
    return NULL;
}

// What is lost is asked by the move.
static bool check_gain(
    ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *src, const ecs_table_t *dst) {
    for (int32_t i = 0; i < dst->type.count; i++) {
        const ecs_id_t id = dst->type.array[i];
        if (!ecs__table_has(src, id) && !ecs__check_add(world, entity, id)) return false;
    }
    return true;
}

bool ecs_commit(ecs_world_t *world, ecs_entity_t entity, ecs_record_t *record, ecs_table_t *table,
    const ecs_type_t *added, const ecs_type_t *removed) {
    (void)added;
    (void)removed;
    ECS__CHECK(ecs__check_immediate(world, "commit an entity to a table"));
    ECS__CHECK(ecs__check_change(world, entity, "commit"));
    ecs_check(table, ECS_INVALID_PARAMETER, "cannot commit %s to no table; ecs_clear empties it",
        ECS__TEXT(world, entity));
    (void)record; /* it follows the entity */
    const ecs_table_t *src = ecs_get_table(world, entity);
    table = ecs__table_without_presence(table, src);
    if (src == table) return false;
    ecs_stage_t *stage = ecs__stage_of(world);
    if (!check_gain(stage->world, entity, src, table)) return false;
    ecs__defer_bracket_begin(stage);
    ecs__transition(stage->world, entity, table, NULL, 0);
    ecs__defer_bracket_end(stage);
    return true;
error:
    return false;
}

// ---- locks and rows ----

void ecs_table_lock(ecs_world_t *world, ecs_table_t *table) {
    ECS__CHECK(ecs__check_thread(world, "lock a table"));
    if (table && !ecs__is_stage(world)) table->lock++;
error:
    return;
}

void ecs_table_unlock(ecs_world_t *world, ecs_table_t *table) {
    ECS__CHECK(ecs__check_thread(world, "unlock a table"));
    if (!table || ecs__is_stage(world)) return;
    ecs_check(table->lock > 0, ECS_INVALID_OPERATION,
        "ecs_table_unlock without a matching ecs_table_lock");
    table->lock--;
error:
    return;
}

void ecs_table_swap_rows(ecs_world_t *world, ecs_table_t *table, int32_t row_1, int32_t row_2) {
    ECS__NEED(table);
    ECS__CHECK(ecs__check_swap(world));
    ecs_check(!(ecs__world_of(world)->flags & EcsWorldMultiThreaded), ECS_INVALID_WHILE_READONLY,
        "cannot swap rows in multithreaded mode");
    ecs_check(row_1 >= 0 && row_1 < table->count && row_2 >= 0 && row_2 < table->count,
        ECS_OUT_OF_RANGE, "the table has %d rows, cannot swap %d and %d", table->count, row_1,
        row_2);
    if (ecs__table_check_unlocked(table)) ecs__table_swap_rows(table, row_1, row_2);
error:
    return;
}

static bool check_end(ecs_world_t *world, ecs_entity_t entity) {
    ecs_check(!ecs__is_builtin(entity), ECS_INVALID_OPERATION,
        "cannot delete the builtin entity %s", ECS__TEXT(world, entity));
    return ecs__check_delete(world, entity);
error:
    return false;
}

void ecs_table_clear_entities(ecs_world_t *world, ecs_table_t *table) {
    ECS__NEED(table);
    ECS__CHECK(ecs__check_immediate(world, "clear a table"));
    ecs_stage_t *stage = ecs__stage_of(world);
    ecs__defer_bracket_begin(stage);
    // The table itself may go with an entity that is an id of it.
    const int32_t count = table->count;
    ecs_entity_t *entities = count ? ecs_os_memdup_n(table->entities, ecs_entity_t, count) : NULL;
    for (int32_t i = count - 1; i >= 0 && check_end(stage->world, entities[i]); i--)
        ecs__delete(stage->world, entities[i]);
    ecs_os_free(entities);
    ecs__defer_bracket_end(stage);
error:
    return;
}
