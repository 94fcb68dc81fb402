// SPDX-License-Identifier: MIT
#include "storage/children.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "base/assert.h"
#include "storage/store.h"

ecs_component_record_t *ecs__children_record(const ecs__store_t *store, ecs_entity_t parent) {
    return ecs__id_record_get(store, ECS__MAKE_PAIR(Ecs__ChildOf, parent));
}

bool ecs__has_children(const ecs__store_t *store, ecs_entity_t parent) {
    const ecs_component_record_t *record = ecs__children_record(store, parent);
    int32_t from = 0;
    return record && (ecs__sparse_count(record) || ecs__id_record_next_table(record, &from, false));
}

static ecs__children_t *find(const ecs__store_t *store, ecs_entity_t parent) {
    return ecs_map_get_deref(&store->children, ecs__children_t, (uint32_t)parent);
}

static size_t bytes_of_block(int32_t size) {
    return sizeof(ecs__children_block_t) + sizeof(ecs_entity_t) * (size_t)size;
}

static void grow(ecs__store_t *store, ecs__children_t *list, int32_t size) {
    ecs__children_block_t *block = ecs__kept_take(&store->kept, bytes_of_block(size));
    if (list->count) memcpy(block->ids, list->ids, sizeof(ecs_entity_t) * (size_t)list->count);
    block->before = list->blocks;
    block->size = size;
    list->blocks = block;
    list->ids = block->ids;
}

static void append(
    ecs__store_t *store, ecs__children_t *list, const ecs_entity_t *ids, int32_t count) {
    if (!count) return;
    const int32_t size = list->blocks ? list->blocks->size : 0;
    if (list->count + count > size)
        grow(store, list, ECS_MAX(ECS_MAX(size * 2, 4), list->count + count));
    memcpy(&list->ids[list->count], ids, sizeof(ecs_entity_t) * (size_t)count);
    list->count += count;
    list->doubled |= list->stale || list->lost_count;
}

// ---- settling ----

static bool is_child(const ecs__store_t *store, ecs_entity_t entity, ecs_id_t child_of) {
    const ecs__spot_t spot = ecs__entity_find(&store->entities, entity);
    return spot.table && ecs__has_own(spot, child_of);
}

static void drop_others(const ecs__store_t *store, ecs__children_t *list) {
    ecs_id_t child_of = ECS__MAKE_PAIR(Ecs__ChildOf, list->parent);
    int32_t kept = 0;
    for (int32_t i = 0; i < list->count; i++) {
        if (is_child(store, list->ids[i], child_of)) list->ids[kept++] = list->ids[i];
    }
    list->count = kept;
}

// From the end, so that the last place counts; what is kept gathers there.
static void drop_doubles(ecs__children_t *list) {
    int32_t kept = list->count;
    ecs_map_t seen;
    ecs_map_init(&seen, NULL);
    for (int32_t i = list->count - 1; i >= 0; i--) {
        ecs_map_val_t *count = ecs_map_ensure(&seen, list->ids[i]);
        if (!(*count)++) list->ids[--kept] = list->ids[i];
    }
    ecs_map_fini(&seen);
    list->count -= kept;
    memmove(list->ids, &list->ids[kept], sizeof(ecs_entity_t) * (size_t)list->count);
}

static void drop_lost(ecs__children_t *list) {
    for (int32_t i = 0; i < list->lost_count; i++) {
        int32_t at = 0;
        while (at < list->count && list->ids[at] != list->lost[i]) at++;
        ecs__assert(at < list->count, "who left was listed");
        const int32_t rest = --list->count - at;
        memmove(&list->ids[at], &list->ids[at + 1], sizeof(ecs_entity_t) * (size_t)rest);
    }
}

static void settle(const ecs__store_t *store, ecs__children_t *list) {
    if (!list->stale) {
        drop_lost(list);
    } else {
        drop_others(store, list);
        if (list->doubled) drop_doubles(list);
    }
    list->lost_count = 0;
    list->stale = list->doubled = false;
}

void ecs__children_settle(ecs__store_t *store) {
    if (!store->children_stale) return;
    ecs_map_iter_t it = ecs_map_iter(&store->children);
    while (ecs_map_next(&it)) settle(store, ecs_map_ptr(&it));
    store->children_stale = false;
}

const ecs__children_t *ecs__children_get(ecs__store_t *store, ecs_entity_t parent) {
    ecs__children_t *list = find(store, parent);
    if (list && (list->stale || list->lost_count)) settle(store, list);
    return list;
}

// ---- begin and end ----

static void mark_tables(ecs__store_t *store, ecs_entity_t parent, ecs__children_t *list) {
    const ecs_component_record_t *record = ecs__children_record(store, parent);
    ecs_table_t *table;
    int32_t from = 0;
    while (record && (table = ecs__id_record_next_table(record, &from, true))) {
        table->flags &= ~(ecs_flags32_t)EcsTableHasOrderedChildren;
        if (!list) continue;
        table->flags |= EcsTableHasOrderedChildren;
        append(store, list, table->entities, table->count);
    }
}

void ecs__children_begin(ecs__store_t *store, ecs_entity_t parent) {
    if (find(store, parent)) return;
    ecs__children_t *list = ecs__kept_take(&store->kept, sizeof *list);
    *list = (ecs__children_t){ .parent = parent };
    ecs__store_raise_kinds(store); /* queries for its children have another order now */
    store->plain_stamp += ECS__PLAIN_STEP;
    ecs_map_insert_ptr(&store->children, (uint32_t)parent, list);
    mark_tables(store, parent, list);
}

static void free_list(ecs__store_t *store, ecs__children_t *list) {
    for (ecs__children_block_t *block = list->blocks, *before; block; block = before) {
        before = block->before;
        ecs__kept_give(&store->kept, block, bytes_of_block(block->size));
    }
    ecs__kept_give(&store->kept, list, sizeof *list);
}

void ecs__children_end(ecs__store_t *store, ecs_entity_t parent) {
    ecs__children_t *list = ecs_map_remove_ptr(&store->children, (uint32_t)parent);
    if (!list) return;
    mark_tables(store, parent, NULL);
    free_list(store, list);
}

void ecs__children_fini(ecs__store_t *store) {
    ecs_map_iter_t it = ecs_map_iter(&store->children);
    while (ecs_map_next(&it)) free_list(store, ecs_map_ptr(&it));
    ecs_map_fini(&store->children);
}

// ---- changes ----

// Of the parent that a table has.
static ecs__children_t *find_list(const ecs_table_t *table) {
    const ecs_id_t any = ECS__MAKE_PAIR(Ecs__ChildOf, Ecs__Wildcard);
    return find(table->store, ecs__id_second(ecs__table_id_like(table, any)));
}

static ecs__children_t *list_of(const ecs_table_t *table) {
    return table && table->flags & EcsTableHasOrderedChildren ? find_list(table) : NULL;
}

void ecs__children_mark_table(ecs_table_t *table) {
    if (ecs_map_count(&table->store->children) && find_list(table))
        table->flags |= EcsTableHasOrderedChildren;
}

static void lose(
    ecs__store_t *store, ecs__children_t *list, const ecs_entity_t *ids, int32_t count) {
    store->children_stale = true;
    if (list->stale || list->lost_count + count > ECS__CHILDREN_FEW) {
        list->stale = true;
        return;
    }
    memcpy(&list->lost[list->lost_count], ids, sizeof(ecs_entity_t) * (size_t)count);
    list->lost_count += count;
}

void ecs__children_follow(const ecs_table_t *before, const ecs_table_t *after,
    const ecs_entity_t *entities, int32_t count) {
    ecs__children_t *from = list_of(before), *to = list_of(after);
    if (from == to) return;
    if (from) lose(before->store, from, entities, count);
    if (to) append(after->store, to, entities, count);
}

void ecs__children_append(ecs__store_t *store, ecs_entity_t parent, ecs_entity_t child) {
    ecs__children_t *list = find(store, parent);
    if (list) append(store, list, &child, 1);
}

void ecs__children_lose(ecs__store_t *store, ecs_entity_t parent, ecs_entity_t child) {
    ecs__children_t *list = find(store, parent);
    if (list) lose(store, list, &child, 1);
}

void ecs__children_rename(ecs__store_t *store, ecs_entity_t before, ecs_entity_t after) {
    ecs__children_t *list = find(store, ecs__parent_of(store, after));
    for (int32_t i = 0; list && i < list->count; i++) {
        if (list->ids[i] == before) list->ids[i] = after;
    }
    for (int32_t i = 0; list && i < list->lost_count; i++) {
        if (list->lost[i] == before) list->lost[i] = after;
    }
}

void ecs__children_reorder(
    ecs__store_t *store, ecs_entity_t parent, int32_t first, const ecs_entity_t *ids) {
    ecs__children_t *list = find(store, parent);
    if (list->count > first)
        memcpy(&list->ids[first], ids, sizeof(ecs_entity_t) * (size_t)(list->count - first));
}

// ---- verify ----

static int32_t count_children(const ecs__store_t *store, ecs_entity_t parent) {
    const ecs_component_record_t *record = ecs__children_record(store, parent);
    ecs_table_t *table;
    int32_t from = 0, count = ecs__sparse_count(record);
    while (record && (table = ecs__id_record_next_table(record, &from, false))) {
        if (!(table->flags & EcsTableHasOrderedChildren)) return -1;
        count += table->count;
    }
    return count;
}

bool ecs__children_verify(const ecs__store_t *store) {
    ecs_map_iter_t it = ecs_map_iter(&store->children);
    while (ecs_map_next(&it)) {
        const ecs__children_t *list = ecs_map_ptr(&it);
        int32_t count = count_children(store, list->parent);
        const bool is_settled = !list->stale && !list->lost_count;
        if (list->stale ? count > list->count : count != list->count - list->lost_count)
            return false;
        ecs_id_t child_of = ECS__MAKE_PAIR(Ecs__ChildOf, list->parent);
        for (int32_t i = 0; is_settled && i < list->count; i++) {
            if (!is_child(store, list->ids[i], child_of)) return false;
        }
    }
    return true;
}
