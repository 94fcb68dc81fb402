// SPDX-License-Identifier: MIT
#include "storage/id_index.h"

#include <muster/ecs/os.h>
#include <muster/ecs/world.h>

#include "base/apart.h"
#include "base/assert.h"
#include "base/bisect.h"
#include "storage/store.h"

// ---- listeners ----

void ecs__listener_add(
    ecs__store_t *store, ecs__listener_list_t *list, ecs__table_listener_t *listener) {
    if (!list->count) {
        list->place = ecs_vec_count(&store->listened);
        *ecs_vec_append_t(NULL, &store->listened, ecs__listener_list_t *) = list;
        store->above_stamp++; /* see ECS__ASCENT_LISTENED */
    }
    if (list->count == list->size) {
        list->size = list->size ? list->size * 2 : 4;
        list->items = ecs_os_realloc_n(list->items, ecs__table_listener_t *, list->size);
    }
    listener->position = list->count;
    list->items[list->count++] = listener;
}

void ecs__listener_remove(
    ecs__store_t *store, ecs__listener_list_t *list, ecs__table_listener_t *listener) {
    ecs__assert(list->items[listener->position] == listener, "a listener knows its position");
    ecs__table_listener_t *last = list->items[--list->count];
    last->position = listener->position;
    list->items[listener->position] = last;
    if (list->count) return;
    ecs__listener_list_t **lists = ecs_vec_first_t(&store->listened, ecs__listener_list_t *);
    ecs__listener_list_t *moved = lists[ecs_vec_count(&store->listened) - 1];
    moved->place = list->place;
    lists[list->place] = moved;
    ecs_vec_remove_last(&store->listened);
}

// ---- traits ----

#define ON_INSTANTIATE_MASK \
    (EcsIdOnInstantiateInherit | EcsIdOnInstantiateOverride | EcsIdOnInstantiateDontInherit)

static ecs_flags32_t default_on_instantiate(const ecs__store_t *store) {
    if (store->on_instantiate == Ecs__Override) return EcsIdOnInstantiateOverride;
    if (store->on_instantiate == Ecs__DontInherit) return EcsIdOnInstantiateDontInherit;
    return EcsIdOnInstantiateInherit;
}

// Pairs that have a presence id are kept beside tables; the presence id itself is not.
// What is in types stays there: only slots get such a trait late.
static ecs_flags32_t resolve_storage(const ecs__store_t *store, ecs_id_t id, ecs_flags32_t flags) {
    if (!(flags & (ECS__ID_PRESENCE | EcsIdDontFragment))) return flags;
    const ecs_flags32_t beside = EcsIdDontFragment | EcsIdSparse;
    if (flags & ECS__ID_PRESENCE) /* what pairs bring, they bring with their targets */
        return ECS_IS_PAIR(id) ? flags | beside : flags & ~(beside | EcsIdWith);
    ecs_id_t all = ECS_IS_PAIR(id) ? ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard) : id;
    const ecs_component_record_t *record = ecs__id_record_get(store, all);
    return record && record->table_live ? flags & ~beside : flags;
}

#define PAIR(first, second) ECS__MAKE_PAIR(Ecs__##first, Ecs__##second)

static ecs_flags32_t trait_flag(ecs_id_t id) {
    switch (id) {
    case Ecs__Exclusive: return EcsIdExclusive;
    case Ecs__Traversable:
    case Ecs__Acyclic: /* D-18: a relationship marked only acyclic may be traversed */
        return EcsIdTraversable;
    case Ecs__PairIsTag: return EcsIdPairIsTag;
    case Ecs__CanToggle: return EcsIdCanToggle;
    case Ecs__Transitive: return EcsIdIsTransitive;
    case Ecs__Symmetric: return ECS__ID_SYMMETRIC;
    case Ecs__Inheritable: return EcsIdInheritable;
    case Ecs__Sparse: return EcsIdSparse;
    case Ecs__DontFragment: return EcsIdDontFragment | EcsIdSparse;
    case Ecs__Union: return EcsIdExclusive | ECS__ID_PRESENCE;
    case PAIR(Relationship, Sparse): return ECS__ID_PRESENCE;
    case Ecs__OrderedChildren: return EcsIdOrderedChildren;
    case Ecs__Singleton: return EcsIdSingleton;
    case Ecs__DontInherit:
    case PAIR(OnInstantiate, DontInherit): return EcsIdOnInstantiateDontInherit;
    case PAIR(OnInstantiate, Inherit): return EcsIdOnInstantiateInherit;
    case PAIR(OnInstantiate, Override): return EcsIdOnInstantiateOverride;
    case PAIR(OnDelete, Remove): return EcsIdOnDeleteRemove;
    case PAIR(OnDelete, Delete): return EcsIdOnDeleteDelete;
    case PAIR(OnDelete, Panic): return EcsIdOnDeletePanic;
    case PAIR(OnDeleteTarget, Remove): return EcsIdOnDeleteTargetRemove;
    case PAIR(OnDeleteTarget, Delete): return EcsIdOnDeleteTargetDelete;
    case PAIR(OnDeleteTarget, Panic): return EcsIdOnDeleteTargetPanic;
    default: return ECS_IS_PAIR(id) && ecs__id_first(id) == Ecs__With ? EcsIdWith : 0;
    }
}

static ecs_flags32_t resolve_flags(const ecs__store_t *store, ecs_id_t id) {
    if (ecs__id_marks(id)) return EcsIdOnInstantiateDontInherit; /* marks are for the base alone */
    ecs_flags32_t flags = 0;
    const ecs_table_t *table = ecs__entity_living_table(&store->entities, ecs__id_trait_owner(id));
    for (int32_t i = 0; table && i < table->type.count; i++)
        flags |= trait_flag(table->type.array[i]);
    if (!(flags & ON_INSTANTIATE_MASK)) flags |= default_on_instantiate(store);
    return resolve_storage(store, id, flags);
}

static bool is_sized(const ecs__store_t *store, uint32_t component) {
    const ecs_type_info_t *info = ecs__type_info_get(store, component);
    return info && info->size;
}

ecs_entity_t ecs__id_typeid(const ecs__store_t *store, ecs_id_t id) {
    if (!ECS_IS_PAIR(id)) {
        bool is_plain = !(id & ECS_ID_FLAGS_MASK);
        return is_plain && is_sized(store, (uint32_t)id) ? id : 0;
    }
    uint32_t first = ecs__id_first(id), second = ecs__id_second(id);
    const ecs_table_t *table = ecs__entity_living_table(&store->entities, first);
    if (table && ecs__table_has(table, Ecs__PairIsTag)) return 0;
    if (is_sized(store, first)) return ecs__entity_alive_id(&store->entities, first);
    if (ECS_IS_VALUE_PAIR(id) || !is_sized(store, second)) return 0;
    return ecs__entity_alive_id(&store->entities, second);
}

static void set_traits(ecs__store_t *store, ecs_component_record_t *record, ecs_flags32_t flags) {
    if (record->table_count) store->plain_stamp += ECS__PLAIN_STEP;
    record->flags = (flags & ~ECS__ID_MIXED) | (record->flags & ECS__ID_MIXED);
    store->has_sparse |= (record->flags & EcsIdSparse) != 0;
    if (record->sparse) ecs__sparse_note_kinds(store);
    record->type_info = NULL;
    if (ecs__id_is_wildcard(record->id)) return;
    if (ecs__id_is_presence(record)) return; /* the values are those of the pairs */
    if (ECS_IS_PAIR(record->id) && flags & EcsIdPairIsTag) return;
    ecs_entity_t type = ecs__id_typeid(store, record->id);
    if (type) record->type_info = ecs__type_info_get(store, type);
}

static void resolve(ecs__store_t *store, ecs_component_record_t *record) {
    set_traits(store, record, resolve_flags(store, record->id));
}

void ecs__id_record_refresh(ecs__store_t *store, ecs_component_record_t *record) {
    resolve(store, record);
    if (ECS_IS_PAIR(record->id)) return;
    ecs_component_record_t *wildcard =
        ecs__id_record_get(store, ECS__MAKE_PAIR(record->id, Ecs__Wildcard));
    if (!wildcard) return;
    resolve(store, wildcard);
    ecs_component_record_t *pair = NULL;
    while ((pair = ecs__id_record_next_first(wildcard, pair))) resolve(store, pair);
}

// ---- records ----

void ecs__id_index_init(ecs__store_t *store) {
    ecs__id_index_t *index = &store->ids;
    index->low = ecs_os_calloc_n(ecs_component_record_t *, FLECS_HI_ID_RECORD_ID);
    ecs_map_init(&index->high, NULL);
}

static size_t bytes_of_tables(int32_t size) { return (size_t)size * sizeof(int32_t); }

// Of the list beside so many tables.
static size_t bytes_of_listed(int32_t size) {
    return (size_t)(size + 1 + ECS__LISTED_AHEAD) * sizeof(ecs__listed_t);
}

static inline void end_record(ecs__store_t *store, ecs_component_record_t *record) {
    const int32_t size = record->table_size;
    ecs__sparse_set_fini(store, record);
    if (record->tables != &record->first_table)
        ecs__kept_give(&store->kept, record->tables, bytes_of_tables(size));
    if (record->non_empty.words != &record->first_non_empty) ecs__bitset_fini(&record->non_empty);
    ecs__kept_give(&store->kept, record->listed, bytes_of_listed(size));
    ecs_os_free(record->listeners.items);
}

void ecs__id_index_fini(ecs__store_t *store) {
    ecs__id_index_t *index = &store->ids;
    ecs__sparse_sets_fini(store);
    for (int32_t i = 0; i < FLECS_HI_ID_RECORD_ID; i++) {
        if (index->low[i]) end_record(store, index->low[i]);
    }
    ecs_os_free(index->low);
    ecs_map_iter_t it = ecs_map_iter(&index->high);
    ecs_component_record_t *record;
    while ((record = ecs__id_record_next_high(&it))) end_record(store, record);
    ecs_map_fini(&index->high);
    ecs__chunks_fini(&index->chunks);
    ecs_os_free(index->all);
}

static uint32_t recent_place(ecs_id_t id) { return (uint32_t)(id ^ id >> 32) % ECS__IDS_RECENT; }

ecs_component_record_t *ecs__id_record_get(const ecs__store_t *store, ecs_id_t id) {
    id = ecs__id_any_to_wildcard(id);
    if (id < FLECS_HI_ID_RECORD_ID) return store->ids.low[id];
    return ecs_map_get_deref(&store->ids.high, ecs_component_record_t, id);
}

// The traits of all pairs are those of their relationship.
static ecs_flags32_t first_flags(const ecs__store_t *store, ecs_id_t id) {
    const ecs_component_record_t *any = NULL;
    if (ECS_IS_PAIR(id) && !ecs__id_marks(id))
        any = ecs__id_record_get(store, ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard));
    return any ? any->flags : resolve_flags(store, id);
}

ecs_flags32_t ecs__id_flags(const ecs__store_t *store, ecs_id_t id) {
    id = ecs__id_any_to_wildcard(id);
    const ecs_component_record_t *record = ecs__id_record_itself(store, id);
    return record ? record->flags : first_flags(store, id);
}

ecs_component_record_t *ecs__id_record_next_high(ecs_map_iter_t *it) {
    while (ecs_map_next(it)) {
        ecs_component_record_t *record = ecs_map_ptr(it);
        if (record->id == ecs_map_key(it)) return record;
    }
    return NULL;
}

static void link_first(ecs_component_record_t *head, ecs_component_record_t *record) {
    record->first_prev = head->first_prev;
    record->first_next = head;
    head->first_prev->first_next = record;
    head->first_prev = record;
}

static void link_second(ecs_component_record_t *head, ecs_component_record_t *record) {
    record->second_prev = head->second_prev;
    record->second_next = head;
    head->second_prev->second_next = record;
    head->second_prev = record;
}

#define FIRST_RECORDS 64 /* as many as a new world needs, and some */

// Freed ones are used again, and keep their numbers.
static ecs_component_record_t *take_record(ecs__id_index_t *index) {
    ecs_component_record_t *record = index->free;
    if (record) {
        index->free = record->first_next;
        *record = (ecs_component_record_t){ .number = record->number };
        return record;
    }
    if (!index->all_size)
        ecs__chunks_add(&index->chunks, FIRST_RECORDS * sizeof(*record), sizeof(void *));
    if (index->all_count == index->all_size) {
        index->all_size = index->all_size ? index->all_size * 2 : FIRST_RECORDS;
        index->all =
            ecs_os_realloc_n(index->all, ecs_component_record_t *, (ecs_size_t)index->all_size);
    }
    record = ecs__chunks_take(&index->chunks, sizeof(*record), sizeof(void *));
    *record = (ecs_component_record_t){ .number = index->all_count };
    index->all[index->all_count++] = record;
    return record;
}

static void count_record(
    ecs__store_t *store, const ecs_component_record_t *record, int32_t change) {
    ecs_world_info_t *info = store->info;
    if (!info) return;
    if (ECS_IS_PAIR(record->id))
        info->pair_id_count += change;
    else if (record->type_info)
        info->component_id_count += change;
    else
        info->tag_id_count += change;
}

static ecs_component_record_t *new_record(ecs__store_t *store, ecs_id_t id, ecs_flags32_t flags) {
    ecs_component_record_t *record = take_record(&store->ids);
    record->id = id;
    record->bloom = ecs__id_bloom_covers(id);
    record->store = store;
    record->tables = &record->first_table;
    record->table_size = 1;
    record->non_empty.words = &record->first_non_empty;
    record->non_empty.capacity = 1;
    record->first_next = record->first_prev = record;
    record->second_next = record->second_prev = record;
    set_traits(store, record, flags);
    store->ids.has_marked |= ecs__id_marks(id) != 0;
    if (id < FLECS_HI_ID_RECORD_ID) {
        store->ids.low[id] = record;
    } else {
        ecs_map_insert_ptr(&store->ids.high, id, record);
    }
    count_record(store, record, 1);
    return record;
}

// A pair ceases to stand for (*, T). Tables of the new record come in the same order.
static ecs_component_record_t *make_target(
    ecs__store_t *store, ecs_id_t key, ecs_component_record_t *pair) {
    ecs_map_remove(&store->ids.high, key);
    ecs_component_record_t *target = new_record(store, key, first_flags(store, key));
    target->traverse_stamp = pair->traverse_stamp;
    link_second(target, pair);
    for (int32_t i = 0; i < pair->table_count; i++) {
        ecs_table_t *table = ecs__id_record_table(pair, i);
        if (table) ecs__table_add_wildcard(table, target, pair->id);
    }
    return target;
}

static void add_to_target(ecs__store_t *store, ecs_component_record_t *pair) {
    const ecs_id_t key = ecs__id_target_key(pair->id);
    ecs_component_record_t *target = ecs__id_record_get(store, key);
    if (!target) {
        ecs_map_insert_ptr(&store->ids.high, key, pair);
        return;
    }
    if (target->id != key) target = make_target(store, key, target);
    link_second(target, pair);
}

static ECS__APART ecs_component_record_t *ensure(ecs__store_t *store, ecs_id_t id) {
    ecs_component_record_t *record = ecs__id_record_get(store, id);
    if (record) return record->id == id ? record : make_target(store, id, record);
    ecs_id_t marks = ecs__id_marks(id), bare = ecs__id_bare(id);
    if (!ECS_IS_PAIR(bare) || ecs__id_is_wildcard(id))
        return new_record(store, id, first_flags(store, id));
    ecs_component_record_t *first =
        ecs__id_record_ensure(store, marks | ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard));
    record = new_record(store, id, marks ? resolve_flags(store, id) : first->flags);
    link_first(first, record);
    add_to_target(store, record);
    return record;
}

ecs_component_record_t *ecs__id_record_ensure(ecs__store_t *store, ecs_id_t id) {
    id = ecs__id_any_to_wildcard(id);
    ecs_component_record_t **recent = &store->ids.recent[recent_place(id)];
    if (!*recent || (*recent)->id != id) *recent = ensure(store, id);
    return *recent;
}

void ecs__id_record_delete(ecs__store_t *store, ecs_component_record_t *record) {
    ecs__assert(!record->table_live, "a record with tables is in use");
    ecs__assert(!record->listeners.count, "a record with listeners is in use");
    bool stands_for_target = ECS_IS_PAIR(ecs__id_bare(record->id)) &&
                             !ecs__id_is_wildcard(record->id) && ecs__id_record_is_only(record);
    if (stands_for_target) ecs_map_remove(&store->ids.high, ecs__id_target_key(record->id));
    record->first_prev->first_next = record->first_next;
    record->first_next->first_prev = record->first_prev;
    record->second_prev->second_next = record->second_next;
    record->second_next->second_prev = record->second_prev;
    ecs_component_record_t **recent = &store->ids.recent[recent_place(record->id)];
    if (*recent == record) *recent = NULL;
    if (record->id < FLECS_HI_ID_RECORD_ID) {
        store->ids.low[record->id] = NULL;
    } else {
        ecs_map_remove(&store->ids.high, record->id);
    }
    count_record(store, record, -1);
    end_record(store, record);
    record->first_next = store->ids.free;
    store->ids.free = record;
}

// Children by component and the like are no tables, but holders of a set.
static bool is_used(const ecs_component_record_t *record) {
    return record->query_count || record->table_live || record->listeners.count || record->sparse;
}

static bool is_single_pair(ecs_id_t id) {
    return ECS_IS_PAIR(ecs__id_bare(id)) && !ecs__id_is_wildcard(id);
}

static void drop_alone(ecs__store_t *store, ecs_id_t id) {
    ecs_component_record_t *record = ecs__id_record_get(store, id);
    if (!record || is_used(record)) return;
    if (record->first_next == record && record->second_next == record)
        ecs__id_record_delete(store, record);
}

// A pair's record hangs in the rings of its wildcards, which came with it and go with it.
bool ecs__id_record_drop(ecs__store_t *store, ecs_component_record_t *record) {
    const ecs_id_t id = record->id;
    if (is_used(record)) return false;
    if (!is_single_pair(id)) {
        drop_alone(store, id);
        return true;
    }
    ecs__id_record_delete(store, record);
    drop_alone(store, ecs__id_marks(id) | ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard));
    drop_alone(store, ecs__id_target_key(id));
    return true;
}

void ecs__id_records_drop_pairs(ecs__store_t *store) {
    ecs_vec_t pairs; /* ecs_component_record_t* */
    ecs_vec_init_t(NULL, &pairs, ecs_component_record_t *, 0);
    ecs_map_iter_t it = ecs_map_iter(&store->ids.high);
    while (ecs_map_next(&it)) {
        ecs_component_record_t *record = ecs_map_ptr(&it);
        const bool is_own = record->id == ecs_map_key(&it); /* else it stands for its target */
        if (is_own && is_single_pair(record->id) && !is_used(record))
            *ecs_vec_append_t(NULL, &pairs, ecs_component_record_t *) = record;
    }
    for (int32_t i = 0; i < pairs.count; i++)
        ecs__id_record_drop(store, *ecs_vec_get_t(&pairs, ecs_component_record_t *, i));
    ecs_vec_fini_t(NULL, &pairs, ecs_component_record_t *);
}

ecs_component_record_t *ecs__id_record_next_first(
    const ecs_component_record_t *wildcard, const ecs_component_record_t *previous) {
    ecs_component_record_t *next = (previous ? previous : wildcard)->first_next;
    return next == wildcard ? NULL : next;
}

ecs_component_record_t *ecs__id_record_next_second(
    const ecs_component_record_t *wildcard, const ecs_component_record_t *previous) {
    if (!ecs__id_is_wildcard(wildcard->id))
        return previous ? NULL : ECS_CONST_CAST(ecs_component_record_t *, wildcard);
    ecs_component_record_t *next = (previous ? previous : wildcard)->second_next;
    return next == wildcard ? NULL : next;
}

// ---- tables of a record ----

// Where there is no table, lists have one without rows: then nobody has to ask.
static const ecs_table_t no_table;
static const ecs__listed_t no_entry = { ECS_CONST_CAST(ecs_table_t *, &no_table), UINT64_MAX };

// Behind the end there are none: searches find it by its number, and readers look ahead.
static void end_listed(ecs_component_record_t *record, int32_t old_end) {
    for (int32_t i = record->table_count; record->listed && i < old_end; i++)
        record->listed[i] = no_entry;
}

static void resize_listed(ecs_component_record_t *record, int32_t from) {
    ecs__store_t *store = ECS_CONST_CAST(ecs__store_t *, record->store);
    record->listed = ecs__kept_resize(
        &store->kept, record->listed, bytes_of_listed(from), bytes_of_listed(record->table_size));
    end_listed(record, record->table_size + 1 + ECS__LISTED_AHEAD);
}

static void grow_tables(ecs__store_t *store, ecs_component_record_t *record) {
    const int32_t from = record->table_size;
    bool is_first = record->tables == &record->first_table;
    record->table_size = is_first ? 4 : from + from / 2;
    record->tables = ecs__kept_resize(&store->kept, is_first ? NULL : record->tables,
        bytes_of_tables(from), bytes_of_tables(record->table_size));
    if (is_first) record->tables[0] = record->first_table;
    if (record->listed) resize_listed(record, from);
}

static ecs__listed_t list_entry(ecs_table_t *table, int32_t column) {
    return (ecs__listed_t){ table, table->id << 16 | (uint16_t)column };
}

// It keeps the number, so that the list still rises, and has no column.
static ecs__listed_t hole_at(uint64_t place) {
    return (ecs__listed_t){ no_entry.table, place | UINT16_MAX };
}

// The first word of the bitset is in the record.
static void grow_bits(ecs_component_record_t *record) {
    ecs__bitset_t *bits = &record->non_empty;
    if (record->table_count == 64 && bits->words == &record->first_non_empty) {
        bits->words = ecs_os_calloc_n(uint64_t, 2);
        bits->words[0] = record->first_non_empty;
        bits->capacity = 2;
    }
    if (record->table_count < bits->capacity * 64)
        bits->count = ECS_MAX(bits->count, record->table_count + 1);
    else
        ecs__bitset_ensure(bits, record->table_count + 1);
}

// Queries look for instances of the base from now on, if they ask for it.
static bool makes_kinds(const ecs__store_t *store, ecs_id_t id) {
    return ECS_IS_PAIR(id) && ecs__id_first(id) == Ecs__IsA &&
           ecs__entity_marks(&store->entities, ecs__id_second(id)) & ECS__ENTITY_IS_ASKED;
}

int32_t ecs__id_record_add_table(
    ecs_component_record_t *record, ecs_table_t *table, int16_t column) {
    if (record->table_count == record->table_size) grow_tables(table->store, record);
    record->tables[record->table_count] = table->index;
    if (record->listed) record->listed[record->table_count] = list_entry(table, column);
    if (!record->table_live && makes_kinds(table->store, record->id))
        ecs__store_raise_kinds(table->store);
    record->table_live++;
    grow_bits(record);
    record->table_count++;
    return record->table_count - 1;
}

// Closes holes without changing the order; the tables learn their new positions.
static void compact(ecs_component_record_t *record) {
    int32_t kept = 0, count = record->table_count;
    for (int32_t i = 0; i < record->table_count; i++) {
        const ecs_table_t *table = ecs__id_record_table(record, i);
        if (!table) continue;
        ECS_CONST_CAST(ecs__table_record_t *, ecs__table_record(table, record->id))->position =
            kept;
        record->tables[kept] = table->index;
        if (record->listed) record->listed[kept] = record->listed[i];
        ecs__id_record_set_empty(record, i, true);
        ecs__id_record_set_empty(record, kept++, !ecs__table_may_have_rows(table));
    }
    record->table_count = kept;
    end_listed(record, count);
}

void ecs__id_record_remove_table(ecs_component_record_t *record, int32_t position) {
    int32_t count = record->table_count;
    record->tables[position] = -1;
    if (record->listed) record->listed[position] = hole_at(record->listed[position].place);
    record->table_live--;
    ecs__id_record_set_empty(record, position, true);
    while (record->table_count && record->tables[record->table_count - 1] < 0)
        record->table_count--;
    end_listed(record, count);
    if (record->table_count > 2 * record->table_live + 16) compact(record);
}

// Holes that there are already get the number of the table before them.
void ecs__id_record_list(ecs_component_record_t *record) {
    if (record->listed) return;
    resize_listed(record, record->table_size);
    uint64_t place = 0;
    for (int32_t i = 0; i < record->table_count; i++) {
        ecs_table_t *table = ecs__id_record_table(record, i);
        record->listed[i] =
            table ? list_entry(table, ecs__table_column(table, record->id)) : hole_at(place);
        place = record->listed[i].place;
    }
}

int32_t ecs__id_record_find(const ecs_component_record_t *record, int32_t from, uint64_t number) {
    ecs__bisect_t search = ecs__gallop(from, record->table_count);
    while (ecs__bisect_asks(&search))
        ecs__bisect_answer(&search, ecs__listed_number(&record->listed[search.at]) < number);
    return search.low;
}

ecs_table_t *ecs__id_record_table(const ecs_component_record_t *record, int32_t position) {
    int32_t index = record->tables[position];
    return index < 0 ? NULL : record->store->tables[index];
}

// The first position from `at` on that is no hole, or `end`.
static int32_t behind_holes(const ecs_component_record_t *record, int32_t at, int32_t end) {
    while (at < end && record->tables[at] < 0) at++;
    return at;
}

static int32_t next_position(const ecs_component_record_t *record, int32_t at, bool with_empty) {
    if (!with_empty) return ecs__bitset_next(&record->non_empty, at);
    at = behind_holes(record, at, record->table_count);
    return at < record->table_count ? at : -1;
}

ecs_table_t *ecs__id_record_next_table(
    const ecs_component_record_t *record, int32_t *from, bool with_empty) {
    for (int32_t at = *from;; at++) {
        at = next_position(record, at, with_empty);
        if (at < 0) return NULL;
        ecs_table_t *table = record->store->tables[record->tables[at]];
        if (!with_empty && !table->count) continue;
        *from = at + 1;
        return table;
    }
}

// A hole is as the table behind it.
int32_t ecs__id_record_seek(const ecs_component_record_t *record, uint64_t number) {
    ecs__bisect_t search = ecs__bisect(0, record->table_count);
    while (ecs__bisect_asks(&search)) {
        const int32_t at = behind_holes(record, search.at, search.high);
        ecs__bisect_answer(
            &search, at < search.high && ecs__id_record_table(record, at)->id < number);
    }
    return behind_holes(record, search.low, record->table_count);
}

// ---- verify ----

static bool verify_listed(const ecs_component_record_t *record, int32_t i) {
    if (!record->listed) return true;
    const ecs__listed_t *listed = &record->listed[i];
    if (i && listed[-1].place >> 16 > ecs__listed_number(listed)) return false;
    ecs_table_t *table = ecs__id_record_table(record, i);
    if (!table) return listed->table == &no_table && ecs__listed_column(listed) < 0;
    int32_t column = ecs__table_column(table, record->id);
    return listed->place == list_entry(table, column).place && listed->table == table;
}

static bool verify_end(const ecs_component_record_t *record) {
    if (!record->listed) return true;
    for (int32_t i = record->table_count; i <= record->table_size + ECS__LISTED_AHEAD; i++) {
        if (record->listed[i].table != &no_table || record->listed[i].place != UINT64_MAX)
            return false;
    }
    return true;
}

static bool verify_record(const ecs__store_t *store, const ecs_component_record_t *record) {
    int32_t live = 0;
    for (int32_t i = 0; i < record->table_count; i++) {
        const ecs_table_t *table = ecs__id_record_table(record, i);
        bool is_set = ecs__bitset_get(&record->non_empty, i);
        if (!verify_listed(record, i)) return false;
        if (!table) {
            if (is_set) return false;
            continue;
        }
        live++;
        const ecs__table_record_t *in_table = ecs__table_record(table, record->id);
        if (!in_table || store->ids.all[in_table->number] != record || in_table->position != i)
            return false;
        if (is_set != ecs__table_may_have_rows(table)) return false;
    }
    return live == record->table_live && verify_end(record) &&
           ecs__sparse_set_verify(store, record);
}

bool ecs__id_index_verify(const ecs__store_t *store) {
    for (int32_t i = 0; i < FLECS_HI_ID_RECORD_ID; i++) {
        if (store->ids.low[i] && !verify_record(store, store->ids.low[i])) return false;
    }
    ecs_map_iter_t it = ecs_map_iter(&store->ids.high);
    while (ecs_map_next(&it)) {
        const ecs_component_record_t *record = ecs_map_ptr(&it);
        bool stands_for_target = ecs_map_key(&it) != record->id;
        if (!stands_for_target && !verify_record(store, record)) return false;
        if (stands_for_target &&
            (ecs_map_key(&it) != ecs__id_target_key(record->id) || !ecs__id_record_is_only(record)))
            return false;
    }
    for (uint32_t i = 0; i < ECS__IDS_RECENT; i++) {
        const ecs_component_record_t *recent = store->ids.recent[i];
        if (recent && ecs__id_record_get(store, recent->id) != recent) return false;
    }
    return true;
}
