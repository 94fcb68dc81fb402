// SPDX-License-Identifier: MIT
#include "storage/table.h"

#include <stdlib.h>
#include <string.h>

#include <muster/ecs/log.h>
#include <muster/ecs/os.h>
#include <muster/ecs/world.h>

#include "base/apart.h"
#include "base/assert.h"
#include "base/atomics.h"
#include "base/slots.h"
#include "id/type_info.h"
#include "storage/bases.h"
#include "storage/search.h"
#include "storage/store.h"
#include "storage/toggle.h"
#include "storage/watch.h"

// ---- what a table is registered under ----

// An id or wildcard with the positions it covers, while a table is being made.
typedef struct entry_t {
    ecs_id_t id;
    ecs_component_record_t *record;
    int16_t index, count;
} entry_t;

// Ids are sorted, so that what covers pairs of one relationship comes in a row.
static void add_entry(entry_t *entries, int32_t first, int32_t *count, ecs_id_t id, int16_t index) {
    for (int32_t i = *count - 1; i >= first && i >= *count - 3; i--) {
        if (entries[i].id == id) {
            entries[i].count++;
            return;
        }
    }
    entries[(*count)++] = (entry_t){ id, NULL, index, 1 };
}

static int compare_entries(const void *a, const void *b) {
    const entry_t *x = a, *y = b;
    return x->id == y->id ? x->index - y->index : x->id < y->id ? -1 : 1;
}

static void insert_entries(entry_t *entries, int32_t count) {
    for (int32_t i = 1; i < count; i++) {
        entry_t entry = entries[i];
        int32_t at = i;
        for (; at > 0 && entries[at - 1].id > entry.id; at--) entries[at] = entries[at - 1];
        entries[at] = entry;
    }
}

// Sorts them and makes one of those with an id in common. Returns how many are left.
static int32_t merge_entries(entry_t *entries, int32_t count) {
    if (count <= 32)
        insert_entries(entries, count);
    else
        qsort(entries, (size_t)count, sizeof(entry_t), compare_entries);
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        if (kept && entries[kept - 1].id == entries[i].id)
            entries[kept - 1].count = (int16_t)(entries[kept - 1].count + entries[i].count);
        else
            entries[kept++] = entries[i];
    }
    return kept;
}

// Ids in type order, then the wildcards that cover any of them in id order. At most 3 wildcards per pair.
static int32_t list_entries(
    ecs__store_t *store, const ecs_id_t *ids, int32_t id_count, entry_t *entries) {
    int32_t count = id_count;
    for (int32_t i = 0; i < id_count; i++)
        entries[i] = (entry_t){ ids[i], ecs__id_record_ensure(store, ids[i]), (int16_t)i, 1 };
    for (int32_t i = 0; i < id_count; i++) {
        ecs_id_t id = ids[i];
        int16_t index = (int16_t)i;
        ecs_id_t marks = ecs__id_marks(id);
        if (ECS_IS_PAIR(ecs__id_bare(id))) {
            add_entry(entries, id_count, &count,
                marks | ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard), index);
            if (!ecs__id_record_is_only(entries[i].record))
                add_entry(entries, id_count, &count, ecs__id_target_key(id), index);
            if (marks) continue; /* nobody asks for all marked pairs */
            add_entry(
                entries, id_count, &count, ECS__MAKE_PAIR(Ecs__Wildcard, Ecs__Wildcard), index);
        } else if (!(id & ECS_ID_FLAGS_MASK)) {
            add_entry(entries, id_count, &count, Ecs__Wildcard, index);
        }
    }
    count = id_count + merge_entries(entries + id_count, count - id_count);
    for (int32_t i = id_count; i < count; i++)
        entries[i].record = ecs__id_record_ensure(store, entries[i].id);
    return count;
}

// ---- creation ----

static ecs_flags32_t id_flags(ecs_id_t id) {
    switch (id) {
    case Ecs__Prefab: return EcsTableIsPrefab;
    case Ecs__Disabled: return EcsTableIsDisabled;
    case Ecs__NotQueryable: return EcsTableNotQueryable;
    case Ecs__Module: return EcsTableHasModule;
    case Ecs__Parent: return EcsTableHasParent | EcsTableHasBuiltins;
    case ECS__MAKE_PAIR(Ecs__Identifier, Ecs__Name): return EcsTableHasName | EcsTableHasPairs;
    default: break;
    }
    if (id & ECS__TOGGLE) return EcsTableHasToggle;
    if (id & ECS__AUTO_OVERRIDE) return EcsTableHasOverrides;
    if (!ECS_IS_PAIR(id)) return id <= Ecs__TreeSpawner ? EcsTableHasBuiltins : 0;
    if (ecs__id_first(id) == Ecs__IsA) return EcsTableHasIsA | EcsTableHasPairs;
    if (ecs__id_first(id) == Ecs__ChildOf) return EcsTableHasChildOf | EcsTableHasPairs;
    return EcsTableHasPairs;
}

#define HOOK_FLAGS                                                                                \
    (EcsTableHasCtors | EcsTableHasDtors | EcsTableHasCopy | EcsTableHasMove | EcsTableHasOnAdd | \
        EcsTableHasOnRemove | EcsTableHasOnSet)

static ecs_flags32_t hook_flags(const ecs_type_hooks_t *hooks) {
    ecs_flags32_t flags = 0;
    if (hooks->ctor) flags |= EcsTableHasCtors;
    if (hooks->dtor) flags |= EcsTableHasDtors;
    if (hooks->copy) flags |= EcsTableHasCopy;
    if (hooks->move) flags |= EcsTableHasMove;
    if (hooks->on_add) flags |= EcsTableHasOnAdd;
    if (hooks->on_remove) flags |= EcsTableHasOnRemove;
    if (hooks->on_set) flags |= EcsTableHasOnSet;
    return flags;
}

static void refresh_low(ecs_table_t *table, int32_t column) {
    const ecs__column_t *meta = &table->columns[column];
    const ecs__low_t *low = ecs__table_low(table, table->type.array[meta->type_index]);
    if (!low) return;
    const ecs_type_hooks_t *hooks = &meta->type_info->hooks;
    bool is_told = ecs__hooks_see_values(hooks) || table->watch;
    bool is_plain = !meta->has_hooks && !is_told && meta->size <= UINT8_MAX;
    *ECS_CONST_CAST(ecs__low_t *, low) =
        (ecs__low_t){ .place = (ecs__low_place_t)(is_plain ? column : meta->type_index),
            .size = is_plain ? (uint8_t)meta->size : 0 };
}

static void refresh_hooks(ecs_table_t *table) {
    table->flags &= ~HOOK_FLAGS;
    table->moves_as_bytes = true;
    for (int32_t c = 0; c < table->column_count; c++) {
        const ecs_type_info_t *type = table->columns[c].type_info;
        table->flags |= hook_flags(&type->hooks);
        table->columns[c].has_hooks = !ecs__type_is_plain(type);
        table->moves_as_bytes &= ecs__type_moves_as_bytes(type);
        refresh_low(table, c);
    }
}

void ecs__table_refresh_hooks(ecs_table_t *table) {
    table->store->plain_stamp += ECS__PLAIN_STEP;
    refresh_hooks(table);
}

// Ids are sorted, so the low ones come first. At least one, since minus that is what ids are compared with.
static uint64_t count_low(const ecs_id_t *ids, int32_t count) {
    int32_t low = 0;
    while (low < count && ids[low] < FLECS_HI_COMPONENT_ID) low++;
    return low ? ids[low - 1] - ids[0] + 1 : 1;
}

// Columns, type, records and low ids lie before the header, in the order of their alignment, and with it are one allocation.
// So much before it that `low_end` begins a line of memory. Searches read that line alone, of one table after the other, and if these are
// an even number of lines apart they share half of a cache or less: each seventh has a line more.
static size_t total_of(uint64_t number, size_t header, int32_t column_count) {
    size_t total = header + offsetof(ecs_table_t, data) + (size_t)column_count * sizeof(void *);
    return number % 7 ? total : total + ECS__BLOCK_ALIGNMENT;
}

static ecs_table_t *allocate(ecs__store_t *store, int32_t id_count, int32_t column_count,
    int32_t record_count, uint64_t low_count) {
    const uint64_t number = store->next_table_id++;
    const size_t type = (size_t)column_count * sizeof(ecs__column_t);
    const size_t records = type + (size_t)id_count * sizeof(ecs_id_t);
    const size_t end = records + (size_t)record_count * sizeof(ecs__table_record_t) +
                       (size_t)low_count * sizeof(ecs__low_t);
    const size_t line = offsetof(ecs_table_t, low_end);
    const size_t header = ECS_ALIGN(end + line, ECS__BLOCK_ALIGNMENT) - line;
    const size_t total = total_of(number, header, column_count);
    char *base = memset(ecs__block_take(&store->table_blocks, total), 0, total);
    ecs_table_t *table = (ecs_table_t *)(void *)(base + header);
    table->columns = (ecs__column_t *)(void *)base;
    table->type.array = (ecs_id_t *)(void *)(base + type);
    table->records = (ecs__table_record_t *)(void *)(base + records);
    table->type.count = id_count;
    table->low_least = -low_count;
    table->column_count = (int16_t)column_count;
    table->record_count = (int16_t)record_count;
    table->store = store;
    table->id = number;
    table->line = ecs__entity_index_line(&store->entities, table);
    return table;
}

static void free_records(ecs_table_t *table) {
    void *behind_type = table->type.array + table->type.count;
    if (table->records != behind_type) ecs_os_free(table->records);
}

static void deallocate(ecs_table_t *table) {
    const size_t header = (size_t)((char *)table - (char *)table->columns);
    for (ecs__shown_t *shown = table->shown, *before; shown; shown = before) {
        before = shown->before;
        ecs_os_free(shown);
    }
    free_records(table);
    ecs__block_give(&table->store->table_blocks, table->columns,
        total_of(table->id, header, table->column_count));
}

static bool has_column(const ecs_component_record_t *record) {
    return record->type_info && !ecs__id_is_sparse(record);
}

static int32_t count_columns(const entry_t *entries, int32_t id_count) {
    int32_t columns = 0;
    for (int32_t i = 0; i < id_count; i++) columns += has_column(entries[i].record);
    return columns;
}

static void init_column(
    ecs_table_t *table, int32_t index, int32_t type_index, const ecs_type_info_t *type) {
    table->columns[index] =
        (ecs__column_t){ .type_info = type, .size = type->size, .type_index = (int16_t)type_index };
    table->records[type_index].column = (int16_t)index;
    table->has_words &= type->size == 8;
}

static void init_low(ecs_table_t *table) {
    const ecs_id_t *ids = table->type.array;
    const uint64_t count = ecs__table_low_count(table);
    ecs__low_t *low = (ecs__low_t *)(void *)table - count;
    for (uint64_t k = 0; k < count; k++) low[k].place = ECS__NO_PLACE;
    int32_t i = 0;
    for (; i < table->type.count && ids[i] < FLECS_HI_COMPONENT_ID; i++)
        low[ids[i] - ids[0]].place = (ecs__low_place_t)i;
    table->low_end = i ? ids[0] + count : 0;
}

static void init_columns(ecs_table_t *table, const entry_t *entries) {
    int32_t column = 0;
    table->has_words = true;
    for (int32_t i = 0; i < table->type.count; i++) {
        const ecs_component_record_t *record = entries[i].record;
        ecs_flags32_t flags = id_flags(entries[i].id);
        if (table->flags & flags & EcsTableHasIsA) flags |= EcsTableHasMultiIsA;
        table->flags |= flags;
        table->records[i].column = -1;
        if (has_column(record))
            init_column(table, column++, i, record->type_info);
        else if (record->type_info)
            table->flags |= EcsTableHasSparse;
        else if (ecs__id_is_presence(record))
            table->flags |= EcsTableHasDontFragment;
    }
    init_low(table);
    refresh_hooks(table); /* no edge leads here yet */
}

static void register_records(ecs_table_t *table, const entry_t *entries) {
    for (int32_t i = 0; i < table->record_count; i++) {
        ecs_component_record_t *record = entries[i].record;
        ecs__table_record_t *in_table = &table->records[i];
        in_table->number = record->number;
        in_table->count = entries[i].count;
        if (i >= table->type.count) in_table->first = entries[i].index;
        const int16_t column = ecs__table_column_at(table, entries[i].index);
        in_table->position = ecs__id_record_add_table(record, table, column);
        table->bloom |= ecs__id_bloom(entries[i].id);
        if (i < table->type.count && ECS_IS_PAIR(ecs__id_bare(entries[i].id)))
            table->bloom |= ecs__id_bloom(ecs__id_target_key(entries[i].id));
    }
}

// ---- tables of the store ----

static uint32_t tag_of(const ecs_id_t *ids, int32_t count) {
    return (uint32_t)(ecs__type_hash(ids, count) >> 32);
}

static void grow(ecs__store_t *store) {
    const uint32_t bits = store->table_size ? 33 - store->table_slots.shift : 7;
    ecs_map_slots_t slots;
    ecs__slots_use(&slots, ecs_os_calloc_n(uint64_t, 1 << bits), bits);
    ecs__slots_rehash(&slots, &store->table_slots);
    ecs_os_free(store->table_slots.array);
    store->table_slots = slots;
    store->table_size = ecs__slots_limit(1u << bits);
    store->tables = ecs_os_realloc_n(store->tables, ecs_table_t *, store->table_size);
}

static void add_to_store(ecs__store_t *store, ecs_table_t *table, uint32_t tag) {
    if (store->table_count == store->table_size) grow(store);
    table->index = store->table_count;
    store->tables[store->table_count++] = table;
    ecs__slots_add(&store->table_slots, tag, table->index);
    store->table_live++;
    store->table_stamp++;
    store->structure_stamp++;
    if (store->info) {
        store->info->table_count++;
        store->info->table_create_total++;
    }
}

static void set_index(ecs_table_t *table, int32_t index) {
    ecs__store_t *store = table->store;
    const uint32_t tag = tag_of(table->type.array, table->type.count);
    ecs__slots_move(&store->table_slots, tag, table->index, index);
    for (int32_t i = 0; i < table->record_count; i++)
        ecs__table_cr(table, i)->tables[table->records[i].position] = index;
    table->index = index;
    store->tables[index] = table;
}

// Holes keep the creation order of the rest; they are closed when they are more than the tables.
static void close_holes(ecs__store_t *store) {
    int32_t kept = 0;
    for (int32_t i = 0; i < store->table_count; i++) {
        ecs_table_t *table = store->tables[i];
        if (!table) continue;
        set_index(table, kept++);
    }
    store->table_count = kept;
}

static void remove_from_store(ecs__store_t *store, ecs_table_t *table) {
    ecs_map_slots_t *slots = &store->table_slots;
    ecs__slots_remove(
        slots, ecs__slots_find(slots, tag_of(table->type.array, table->type.count), table->index));
    store->tables[table->index] = NULL;
    store->table_live--;
    store->table_stamp++;
    store->structure_stamp++;
    if (store->info) {
        store->info->table_count--;
        store->info->table_delete_total++;
    }
    if (store->table_count > 2 * store->table_live + 64) close_holes(store);
}

// ---- telling queries ----

typedef void (*notify_t)(ecs__table_listener_t *listener, ecs_table_t *table);

static void notify_create(ecs__table_listener_t *listener, ecs_table_t *table) {
    listener->on_create(listener, table);
}
static void notify_delete(ecs__table_listener_t *listener, ecs_table_t *table) {
    listener->on_delete(listener, table);
}

// Listeners ahead of the one that is told of a table are fetched, with what lies behind them. Whoever hears of a group may end queries:
// the last listener takes the place of one that ends.
#define AHEAD 4

static ECS__APART void notify_some(
    const ecs__listener_list_t *list, ecs_table_t *table, notify_t notify) {
    for (int32_t i = list->count - 1; i >= 0; i = ECS_MIN(i, list->count) - 1) {
        const char *soon = (const char *)list->items[ECS_MAX(i - AHEAD, 0)];
        __builtin_prefetch(soon);
        __builtin_prefetch(soon + 64);
        notify(list->items[i], table);
    }
}

static inline void notify_list(
    const ecs__listener_list_t *list, ecs_table_t *table, notify_t notify) {
    if (list->count) notify_some(list, table, notify);
}

// Queries keyed on an id that the table only inherits hear of it through the tables of its bases; some may hear twice.
static bool is_listened(void *ctx, ecs_entity_t base, const ecs_table_t *of_base) {
    (void)ctx, (void)base;
    for (int32_t i = 0; i < of_base->record_count; i++) {
        if (ecs__table_cr(of_base, i)->listeners.count) return true;
    }
    return false;
}

static bool notify_through_base(void *ctx, ecs_entity_t base, const ecs_table_t *of_base) {
    ecs_table_t *table = ctx;
    (void)base;
    for (int32_t i = 0; i < of_base->record_count; i++) {
        ecs_component_record_t *record = ecs__table_cr(of_base, i);
        if (!record->listeners.count || ecs__table_record(table, record->id)) continue;
        notify_list(&record->listeners, table, notify_create);
    }
    return false;
}

static void notify_through_bases(ecs_table_t *table) {
    const ecs__ascent_t question = { .kind = ECS__ASCENT_LISTENED };
    ecs__bases_that(table, question, is_listened, notify_through_base, table);
}

// What the bases own may have changed since the table was made, so all queries hear of the end of an instance table.
static void notify_all_of_delete(ecs_table_t *table) {
    const ecs__store_t *store = table->store;
    for (int32_t i = 0; i < ecs_vec_count(&store->listened); i++) {
        const ecs__listener_list_t *list =
            *ecs_vec_get_t(&store->listened, ecs__listener_list_t *, i);
        if (list != &store->listeners) notify_list(list, table, notify_delete);
    }
}

static void notify_own(ecs_table_t *table, notify_t notify) {
    for (int32_t i = 0; i < table->record_count; i++) {
        notify_list(&ecs__table_cr(table, i)->listeners, table, notify);
    }
    notify_list(&table->store->listeners, table, notify);
}

// ---- finding and making ----

static inline ecs_table_t *find(
    const ecs__store_t *store, const ecs_id_t *ids, int32_t count, uint32_t tag) {
    const ecs_map_slots_t *slots = &store->table_slots;
    if (!store->table_count) return NULL;
    const size_t bytes = (size_t)count * sizeof(ecs_id_t);
    for (uint32_t i = tag >> slots->shift; slots->array[i]; i = (i + 1) & slots->mask) {
        if ((uint32_t)(slots->array[i] >> 32) != tag) continue;
        ecs_table_t *table = store->tables[(uint32_t)slots->array[i] - 1];
        if (table->type.count == count && (!count || !memcmp(table->type.array, ids, bytes)))
            return table;
    }
    return NULL;
}

ecs_table_t *ecs__table_find(const ecs__store_t *store, const ecs_id_t *ids, int32_t count) {
    return find(store, ids, count, tag_of(ids, count));
}

static ecs_table_t *make(
    ecs__store_t *store, const ecs_id_t *ids, int32_t count, uint32_t tag, entry_t *entries) {
    int32_t entry_count = list_entries(store, ids, count, entries);
    ecs_table_t *table =
        allocate(store, count, count_columns(entries, count), entry_count, count_low(ids, count));
    ecs__table_graph_init(table);
    if (count) ecs_os_memcpy_n(table->type.array, ids, ecs_id_t, count);
    init_columns(table, entries);
    if (table->flags & EcsTableHasToggle) ecs__toggles_init(table);
    add_to_store(store, table, tag);
    register_records(table, entries);
    return table;
}

ecs_table_t *ecs__table_ensure(ecs__store_t *store, const ecs_id_t *ids, int32_t count) {
    const uint32_t tag = tag_of(ids, count);
    ecs_table_t *table = find(store, ids, count, tag);
    if (table) return table;
    ecs_assert(count < INT16_MAX / 4, ECS_OUT_OF_RANGE, "a table cannot have %d ids", count);
    entry_t few[64], *entries = few;
    bool is_long = count * 4 + 1 > 64;
    if (is_long) entries = ecs_os_malloc_n(entry_t, count * 4 + 1);
    table = make(store, ids, count, tag, entries);
    if (is_long) ecs_os_free(entries);
    notify_own(table, notify_create);
    notify_through_bases(table);
    if (store->on_table) store->on_table(store, table, true);
    return table;
}

void ecs__table_lengthen(ecs_table_t *table, int64_t line) {
    table->line = line ? table->line | line : 0;
    table->store->plain_stamp += ECS__PLAIN_STEP; /* moves along its edges are plain no more */
}

// ---- deletion ----

void ecs__table_delete(ecs_table_t *table) {
    ecs__assert(!table->count, "a table with rows cannot be deleted");
    /* Whoever is told may make queries, which find it still. */
    if (table->store->on_table) table->store->on_table(table->store, table, false);
    notify_own(table, notify_delete);
    ecs__passage_forget(table);
    if (table->flags & EcsTableHasIsA) notify_all_of_delete(table);
    ecs__table_graph_remove(table);
    for (int32_t i = 0; i < table->record_count; i++) {
        ecs__id_record_remove_table(ecs__table_cr(table, i), table->records[i].position);
    }
    ecs__table_free_rows(table);
    remove_from_store(table->store, table);
    ecs__toggles_fini(table);
    ecs__table_unwatch(table);
    deallocate(table);
}

// ---- searching ----

// Of an id, or of a wildcard for which its only pair stands.
static ECS__APART const ecs__table_record_t *record_of_id(const ecs_table_t *table, ecs_id_t id) {
    const int32_t at = ecs__type_match(&table->type, 0, id);
    return at < 0 ? NULL : &table->records[at];
}

static inline const ecs__table_record_t *record_of_wildcard(const ecs_table_t *table, ecs_id_t id) {
    ecs_component_record_t *const *all = table->store->ids.all;
    const ecs__table_record_t *low = &table->records[table->type.count];
    for (int32_t count = table->record_count - table->type.count; count > 0;) {
        const int32_t half = count / 2;
        const ecs_id_t found = all[low[half].number]->id;
        if (found == id) return &low[half];
        if (found < id) low += half + 1;
        count = found < id ? count - half - 1 : half;
    }
    return ecs__id_first(id) == Ecs__Wildcard ? record_of_id(table, id) : NULL;
}

int32_t ecs__table_search(const ecs_table_t *table, ecs_id_t id) {
    if (id < FLECS_HI_COMPONENT_ID) {
        const ecs__low_t *low = ecs__table_low(table, id);
        if (!low || low->place == ECS__NO_PLACE) return -1;
        return low->size ? table->columns[low->place].type_index : low->place;
    }
    if (!(table->bloom & ecs__id_bloom(id))) {
        id = ecs__id_any_to_wildcard(id);
        if (!(table->bloom & ecs__id_bloom(id))) return -1;
    }
    if (ecs__id_is_wildcard(id)) {
        const ecs__table_record_t *record = record_of_wildcard(table, ecs__id_any_to_wildcard(id));
        return record ? ecs__table_first(table, record) : -1;
    }
    int32_t at = ecs__type_find(&table->type, id);
    return at < 0 ? -1 : at;
}

const ecs__table_record_t *ecs__table_record(const ecs_table_t *table, ecs_id_t id) {
    id = ecs__id_any_to_wildcard(id);
    if (!(table->bloom & ecs__id_bloom(id))) return NULL;
    return ecs__id_is_wildcard(id) ? record_of_wildcard(table, id) : record_of_id(table, id);
}

ecs_table_record_t ecs__table_shown(const ecs_table_t *table, const ecs__table_record_t *record) {
    const int32_t first = ecs__table_first(table, record);
    ecs_component_record_t *cr = table->store->ids.all[record->number];
    return (ecs_table_record_t){ .hdr = { cr, ECS_CONST_CAST(ecs_table_t *, table) },
        .index = (int16_t)first,
        .count = record->count,
        .column = ecs__table_column_at(table, first) };
}

static ecs__shown_t *make_shown(const ecs_table_t *table, ecs__shown_t *before) {
    ecs__shown_t *shown = ecs_os_malloc(
        ECS_SIZEOF(ecs__shown_t) + table->record_count * ECS_SIZEOF(ecs_table_record_t));
    shown->before = before;
    for (int32_t i = 0; i < table->record_count; i++)
        shown->records[i] = ecs__table_shown(table, &table->records[i]);
    return shown;
}

const ecs_table_record_t *ecs__table_show(const ecs_table_t *table) {
    ecs__shown_t **place = &((ecs_table_t *)(uintptr_t)table)->shown;
    ecs__shown_t *shown = ecs__load_ptr((void *const *)place);
    if (shown || !table->record_count) return shown ? shown->records : NULL;
    shown = make_shown(table, NULL);
    ecs__fence_release();
    if (ecs__cas_ptr((void **)place, NULL, shown)) return shown->records;
    ecs_os_free(shown);
    shown = ecs__load_ptr((void *const *)place);
    return shown->records;
}

void ecs__table_add_wildcard(ecs_table_t *table, ecs_component_record_t *wildcard, ecs_id_t id) {
    const int32_t count = table->record_count;
    int32_t at = count;
    while (at > table->type.count && ecs__table_cr(table, at - 1)->id > wildcard->id) at--;
    const int32_t first = ecs__table_search(table, id);
    ecs__table_record_t *records = ecs_os_malloc_n(ecs__table_record_t, count + 1);
    ecs_os_memcpy_n(records, table->records, ecs__table_record_t, at);
    ecs_os_memcpy_n(&records[at + 1], &table->records[at], ecs__table_record_t, count - at);
    records[at] =
        (ecs__table_record_t){ .number = wildcard->number, .first = (int16_t)first, .count = 1 };
    records[at].position =
        ecs__id_record_add_table(wildcard, table, ecs__table_column_at(table, first));
    ecs__id_record_set_empty(wildcard, records[at].position, !ecs__table_may_have_rows(table));
    free_records(table);
    table->records = records;
    table->record_count++;
    if (table->shown) table->shown = make_shown(table, table->shown);
}

bool ecs__table_check_unlocked(const ecs_table_t *table) {
    ecs_check(!table->lock, ECS_LOCKED_STORAGE,
        "a table that is being iterated cannot change; wrap the change in ecs_defer_begin and ecs_defer_end");
    return true;
error:
    return false;
}

bool ecs__table_verify(const ecs_table_t *table) {
    for (int32_t i = 1; i < table->type.count; i++) {
        if (table->type.array[i - 1] >= table->type.array[i]) return false;
    }
    for (int32_t row = 0; row < table->count; row++) {
        const ecs__spot_t spot = ecs__entity_find(&table->store->entities, table->entities[row]);
        if (spot.table != table || spot.row != row) return false;
        const uint32_t marks = ecs__entity_marks(&table->store->entities, table->entities[row]);
        if (marks && !table->has_marks) return false;
        if (marks & ECS__ENTITY_SHOWN && ecs__table_is_short(table)) return false;
    }
    for (int32_t c = 0; c < table->column_count; c++) {
        const ecs__column_t *column = &table->columns[c];
        bool is_short = column->size * table->size < 32;
        uintptr_t alignment = is_short ? (uintptr_t)column->type_info->alignment : 64;
        if (table->size && (uintptr_t)table->data[c] % alignment) return false;
    }
    return !table->no_data && table->count <= table->size;
}
