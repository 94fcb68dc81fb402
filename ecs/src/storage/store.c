// SPDX-License-Identifier: MIT
#include "storage/store.h"

#include <muster/ecs/os.h>
#include <muster/ecs/world.h>

#include "base/assert.h"
#include "base/bisect.h"
#include "base/ctx.h"

static void *take_lines(void *index, size_t size) { return ecs__entity_index_take(index, size); }

void ecs__store_init(ecs__store_t *store, ecs_world_info_t *info, void *owner) {
    ecs_os_zeromem(store);
    store->info = info;
    store->owner = owner;
    store->on_instantiate = Ecs__Inherit;
    store->next_table_id = 1;
    store->plain_stamp = ECS__PLAIN_STEP;
    store->watch.now = 1;
    store->above_stamp = store->bases_stamp = 1;
    store->touched = ecs_os_calloc_n(ecs__touched_t, ECS__TOUCHED_MAX);
    ecs__entity_index_init(&store->entities);
    store->table_blocks.source = take_lines;
    store->table_blocks.source_ctx = &store->entities;
    ecs__id_index_init(store);
    ecs__pool_init(&store->sparse_sets, ECS_SIZEOF(ecs__sparse_set_t), ECS_SIZEOF(void *));
    ecs_map_init(&store->type_infos, NULL);
    ecs_map_init(&store->children, NULL);
    store->root = ecs__table_ensure(store, NULL, 0);
}

static void free_type(ecs_type_info_t *type) {
    ecs_os_free((char *)(uintptr_t)type->name);
    ecs_os_free(type);
}

// Values of other types may have had parts of this type until now.
static void free_retired(ecs_type_info_t *type) {
    ecs__ctx_free(type->hooks.lifecycle_ctx, type->hooks.lifecycle_ctx_free);
    free_type(type);
}

void ecs__store_fini(ecs__store_t *store) {
    for (int32_t i = store->table_count - 1; i >= 0; i--) {
        if (i >= store->table_count || !store->tables[i]) continue;
        ecs__table_clear_rows(store->tables[i]);
        ecs__table_delete(store->tables[i]);
    }
    ecs__blocks_fini(&store->table_blocks);
    ecs__blocks_fini(&store->row_blocks);
    ecs_os_free(store->tables);
    ecs_os_free(store->listeners.items);
    ecs_vec_fini_t(NULL, &store->listened, ecs__listener_list_t *);
    ecs_os_free(store->table_slots.array);
    ecs__id_index_fini(store);
    ecs__pool_fini(&store->sparse_sets);
    ecs_os_free(store->homes);
    ecs_os_free(store->touched);
    ecs_os_free(store->ascents);
    ecs_map_iter_t it = ecs_map_iter(&store->type_infos);
    while (ecs_map_next(&it)) {
        free_type(ecs_map_ptr(&it));
    }
    ecs_map_fini(&store->type_infos);
    ecs__children_fini(store);
    ecs__kept_free(&store->kept);
    for (int32_t i = 0; i < store->retired_count; i++) free_retired(store->retired[i]);
    ecs_os_free(store->retired);
    ecs__entity_index_fini(&store->entities);
    ecs_os_zeromem(store);
}

bool ecs__store_verify(const ecs__store_t *store) {
    int32_t live = 0, rows = 0;
    for (int32_t i = 0; i < store->table_count; i++) {
        const ecs_table_t *table = store->tables[i];
        if (!table) continue;
        live++;
        rows += table->count;
        if (table->index != i || !ecs__table_verify(table)) return false;
        if (ecs__table_find(store, table->type.array, table->type.count) != table) return false;
    }
    return live == store->table_live && rows == store->entities.alive_count &&
           ecs__entity_index_verify(&store->entities) && ecs__id_index_verify(store) &&
           ecs__sparse_verify(store) && ecs__children_verify(store) && ecs__hops_verify(store);
}

// A hole is as the table behind it.
static int32_t behind_holes(const ecs__store_t *store, int32_t at, int32_t end) {
    while (at < end && !store->tables[at]) at++;
    return at;
}

int32_t ecs__store_seek(const ecs__store_t *store, uint64_t number) {
    ecs__bisect_t search = ecs__bisect(0, store->table_count);
    while (ecs__bisect_asks(&search)) {
        const int32_t at = behind_holes(store, search.at, search.high);
        ecs__bisect_answer(&search, at < search.high && store->tables[at]->id < number);
    }
    return behind_holes(store, search.low, store->table_count);
}

// ---- type infos: keyed by entity index, since pairs know their elements without generation ----

ecs_type_info_t *ecs__type_info_get(const ecs__store_t *store, ecs_entity_t component) {
    return ecs_map_get_deref(&store->type_infos, ecs_type_info_t, (uint32_t)component);
}

ecs_type_info_t *ecs__type_info_declare(
    ecs__store_t *store, ecs_entity_t component, ecs_size_t size, ecs_size_t alignment) {
    ecs_type_info_t *type =
        ecs_map_ensure_alloc_t(&store->type_infos, ecs_type_info_t, (uint32_t)component);
    type->component = component;
    type->size = size;
    type->alignment = alignment;
    return type;
}

void ecs__type_info_delete(ecs__store_t *store, ecs_entity_t component) {
    ecs_type_info_t *type = ecs_map_remove_ptr(&store->type_infos, (uint32_t)component);
    if (!type) return;
    ecs__ctx_free(type->hooks.ctx, type->hooks.ctx_free);
    ecs__ctx_free(type->hooks.binding_ctx, type->hooks.binding_ctx_free);
    if (store->retired_count == store->retired_size) {
        store->retired_size = store->retired_size ? store->retired_size * 2 : 8;
        store->retired = ecs_os_realloc_n(store->retired, ecs_type_info_t *, store->retired_size);
    }
    store->retired[store->retired_count++] = type;
}

// ---- entities ----

int32_t ecs__store_place(
    ecs__store_t *store, ecs_table_t *table, const ecs_entity_t *entities, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        ecs__assert(!ecs__entity_living_table(&store->entities, (uint32_t)entities[i]),
            "an entity is placed once");
    }
    store->entities.alive_count += count;
    if (store->info) store->info->id_create_total += count;
    return ecs__table_append(table, entities, count);
}

// ---- stamps ----

static uint64_t raise_stamps(ecs__store_t *store, const ecs_table_t *table) {
    if (!table) return 0;
    for (int32_t i = 0; i < table->record_count; i++) {
        ecs__table_cr(table, i)->traverse_stamp = store->traverse_stamp;
    }
    return table->bloom;
}

static void note_touched(
    ecs__store_t *store, ecs_entity_t entity, const ecs_table_t *before, const ecs_table_t *after) {
    store->traverse_stamp++;
    uint64_t bloom = raise_stamps(store, before) | raise_stamps(store, after);
    store->touched[store->traverse_stamp % ECS__TOUCHED_MAX] = (ecs__touched_t){ entity, bloom };
}

void ecs__store_move_traversable(
    ecs__store_t *store, ecs_entity_t entity, ecs_table_t *before, ecs_table_t *after) {
    before->traversable_count--;
    after->traversable_count++;
    const bool is_base = ecs__id_record_get(store, ECS__MAKE_PAIR(Ecs__IsA, entity)) != NULL;
    ecs__store_raise_above(store, is_base);
    if (is_base) store->plain_stamp += ECS__PLAIN_STEP; /* it may provide something else */
    note_touched(store, entity, before, after);
}

// Tables keep pairs with what is being deleted while they have no rows.
static bool is_target(const ecs__store_t *store, ecs_entity_t entity) {
    const ecs_component_record_t *any =
        ecs__id_record_get(store, ECS__MAKE_PAIR(Ecs__Wildcard, entity));
    const ecs_component_record_t *pair = any ? ecs__id_record_next_second(any, NULL) : NULL;
    for (; pair; pair = ecs__id_record_next_second(any, pair)) {
        int32_t from = 0;
        if (ecs__id_record_next_table(pair, &from, false) || ecs__sparse_count(pair)) return true;
    }
    return false;
}

void ecs__store_delete_traversable(
    ecs__store_t *store, ecs_entity_t entity, const ecs_table_t *table) {
    if (store->above_is_kept && is_target(store, entity)) ecs__store_raise_above(store, true);
    note_touched(store, entity, table, NULL);
}

void ecs__store_touch_edge(ecs__store_t *store, ecs_entity_t entity) {
    if (ecs__entity_is_alive(&store->entities, entity) &&
        ecs__entity_marks(&store->entities, entity) & EcsEntityIsTraversable)
        ecs__store_raise_above(store, true);
    note_touched(store, 0, NULL, NULL);
}

void ecs__store_add_traversable(ecs__store_t *store, ecs_table_t *table) {
    table->traversable_count++;
    note_touched(store, 0, table, NULL);
}
