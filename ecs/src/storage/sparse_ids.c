// SPDX-License-Identifier: MIT
#include "storage/sparse_ids.h"

#include <string.h>

#include <muster/ecs/ds/vec.h>
#include <muster/ecs/os.h>

#include "base/assert.h"
#include "base/bisect.h"
#include "id/type_info.h"
#include "storage/store.h"

typedef ecs__sparse_set_t set_t;
typedef ecs__sparse_slot_t slot_t;
typedef ecs__sparse_edge_t edge_t;

#define PAGE_BITS ECS__SPARSE_PAGE_BITS
#define PAGE_SIZE (1 << PAGE_BITS)

static bool is_home(const ecs_component_record_t *record) {
    return !ECS_IS_PAIR(record->id) || ecs__id_is_wildcard(record->id);
}

ecs_id_t ecs__presence_of(const ecs__store_t *store, uint32_t relationship) {
    return ecs__entity_alive_id(&store->entities, relationship);
}

// ---- memory of lists ----

// There is room for powers of two. Memory of each such size that is not in use begins with a pointer to more of it: what comes and goes
// in each tick does not ask the heap.
static int32_t logarithm(int32_t size) { return __builtin_ctz((uint32_t)size); }

static void *take_spare(void **spare) {
    void *memory = *spare;
    if (memory) *spare = *(void **)memory;
    return memory;
}

static void give_spare(void **spare, void *memory) {
    *(void **)memory = *spare;
    *spare = memory;
}

void ecs__sparse_shrink(ecs__store_t *store) {
    for (int32_t i = 0; i < ECS__LIST_SIZES; i++) {
        while (store->spare_edges[i]) ecs_os_free(take_spare(&store->spare_edges[i]));
        while (store->spare_holders[i]) ecs_os_free(take_spare(&store->spare_holders[i]));
    }
}

// ---- slots ----

// A zeroed array instead of realloc: of a large one, which entities with high ids need, parts that nobody touches cost no memory.
static void grow_pages(set_t *home, int32_t least) {
    const int32_t count = ECS_MAX(least, home->page_count * 2);
    slot_t **pages = ecs_os_calloc_n(slot_t *, count);
    if (home->page_count) memcpy(pages, home->pages, (size_t)home->page_count * sizeof(slot_t *));
    ecs_os_free(home->pages);
    home->pages = pages;
    home->page_count = count;
}

static slot_t *ensure_slot(set_t *home, ecs_entity_t entity) {
    int32_t page = (int32_t)((uint32_t)entity >> PAGE_BITS);
    if (page >= home->page_count) grow_pages(home, page + 1);
    if (!home->pages[page]) home->pages[page] = ecs_os_calloc_n(slot_t, PAGE_SIZE);
    return &home->pages[page][(uint32_t)entity & (PAGE_SIZE - 1)];
}

static edge_t *edges_of(slot_t *slot) {
    return slot->count > 1 ? slot->edges.many : &slot->edges.one;
}

// First edge whose id is at least `id`.
static int32_t lower_bound(const edge_t *edges, int32_t count, ecs_id_t id) {
    ecs__bisect_t search = ecs__bisect(0, count);
    while (ecs__bisect_asks(&search)) ecs__bisect_answer(&search, edges[search.at].id < id);
    return search.low;
}

static edge_t *find_edge(const ecs_component_record_t *record, ecs_entity_t entity) {
    slot_t *slot = record->sparse ? ecs__sparse_slot(record->sparse->home->sparse, entity) : NULL;
    if (!slot) return NULL;
    if (slot->count == 1) return slot->edges.one.record == record ? &slot->edges.one : NULL;
    edge_t *edges = edges_of(slot);
    int32_t at = lower_bound(edges, slot->count, record->id);
    return at < slot->count && edges[at].record == record ? &edges[at] : NULL;
}

// ---- edges of a slot ----

// Where they are more than one, their number rounded up to a power of two fits.
static edge_t *take_edges(ecs__store_t *store, int32_t size) {
    void *spare = take_spare(&store->spare_edges[logarithm(size)]);
    return spare ? spare : ecs_os_malloc_n(edge_t, size);
}

static void give_edges(ecs__store_t *store, edge_t *edges, int32_t size) {
    give_spare(&store->spare_edges[logarithm(size)], edges);
}

static bool is_power_of_two(int32_t count) { return !(count & (count - 1)); }

// To another size, whichever of them is 1.
static edge_t *resize_edges(ecs__store_t *store, slot_t *slot, int32_t from, int32_t to) {
    edge_t one, *old = from > 1 ? slot->edges.many : &one;
    if (from == 1) one = slot->edges.one;
    edge_t *edges = to > 1 ? slot->edges.many = take_edges(store, to) : &slot->edges.one;
    memcpy(edges, old, (size_t)ECS_MIN(from, to) * sizeof(edge_t));
    if (from > 1) give_edges(store, old, from);
    return edges;
}

static edge_t *insert_edge(ecs__store_t *store, slot_t *slot, ecs_component_record_t *record) {
    edge_t *edges = edges_of(slot);
    const int32_t at = lower_bound(edges, slot->count, record->id), count = slot->count++;
    if (count && is_power_of_two(count)) edges = resize_edges(store, slot, count, count * 2);
    memmove(&edges[at + 1], &edges[at], (size_t)(count - at) * sizeof(edge_t));
    edges[at] = (edge_t){ record->id, record, 0 };
    return &edges[at];
}

static void remove_edge(ecs__store_t *store, slot_t *slot, edge_t *edge) {
    edge_t *edges = edges_of(slot);
    const int32_t at = (int32_t)(edge - edges), rest = --slot->count;
    memmove(&edges[at], &edges[at + 1], (size_t)(rest - at) * sizeof(edge_t));
    if (rest && is_power_of_two(rest)) resize_edges(store, slot, rest * 2, rest);
}

// ---- homes that an entity is in ----

// So few are asked one by one.
#define FEW_HOMES 32

// An entity comes to a home, or leaves it: `joined` has an edge for each, without a position.
static void join_home(ecs__store_t *store, ecs_component_record_t *home, ecs_entity_t entity) {
    if (!store->joined) return;
    slot_t *slot = ensure_slot(store->joined, entity);
    insert_edge(store, slot, home);
    slot->position = 1;
}

static void leave_home(
    ecs__store_t *store, const ecs_component_record_t *home, ecs_entity_t entity) {
    if (!store->joined) return;
    slot_t *slot = ecs__sparse_slot(store->joined, entity);
    edge_t *edges = edges_of(slot);
    remove_edge(store, slot, &edges[lower_bound(edges, slot->count, home->id)]);
    if (!slot->count) *slot = (slot_t){ 0 };
}

static void keep_joined(ecs__store_t *store) {
    if (store->joined || store->home_count <= FEW_HOMES) return;
    store->joined = ecs_os_calloc_t(set_t);
    for (int32_t i = 0; i < store->home_count; i++) {
        const set_t *set = store->homes[i]->sparse;
        for (int32_t n = 0; n < set->count; n++)
            join_home(store, store->homes[i], set->holders[n].entity);
    }
}

// Homes in the order of ids: of an entity, or all.
typedef struct homes_t {
    ecs_component_record_t **all;
    const edge_t *joined; /* instead of `all` */
    int32_t count;
} homes_t;

static homes_t homes_of(const ecs__store_t *store, ecs_entity_t entity) {
    if (!store->joined) return (homes_t){ store->homes, NULL, store->home_count };
    slot_t *slot = ecs__sparse_slot(store->joined, entity);
    return slot ? (homes_t){ NULL, edges_of(slot), slot->count } : (homes_t){ 0 };
}

static const ecs_component_record_t *home_of(const homes_t *homes, int32_t at) {
    return homes->joined ? homes->joined[at].record : homes->all[at];
}

// ---- sets ----

static uint8_t beside_kind_of(const ecs_component_record_t *record) {
    return ecs__id_may_be_beside(record) ? ecs__beside_kind(record->id) : 0;
}

static void set_kinds(ecs__store_t *store, uint8_t kinds) {
    if (kinds == store->beside) return;
    store->beside = kinds;
    ecs__store_raise_kinds(store); /* queries for any id look here now, or do no longer, */
    store->structure_stamp++;      /* and what they begin with is another */
}

// Position of the first home whose id is at least `id`.
static int32_t home_at(const ecs__store_t *store, ecs_id_t id) {
    ecs__bisect_t search = ecs__bisect(0, store->home_count);
    while (ecs__bisect_asks(&search)) ecs__bisect_answer(&search, store->homes[search.at]->id < id);
    return search.low;
}

// From the last on, since many that go together mostly go from the first on.
static bool is_any_beside(const ecs__store_t *store, int32_t begin, int32_t end) {
    while (end > begin && !ecs__id_may_be_beside(store->homes[end - 1])) end--;
    return end > begin;
}

void ecs__sparse_note_kinds(ecs__store_t *store) {
    const int32_t pairs = home_at(store, ECS__PAIR);
    uint8_t kinds = is_any_beside(store, 0, pairs) ? ecs__beside_kind(0) : 0;
    if (is_any_beside(store, pairs, store->home_count)) kinds |= ecs__beside_kind(ECS__PAIR);
    set_kinds(store, kinds);
}

static void add_home(ecs__store_t *store, ecs_component_record_t *record) {
    if (store->home_count == store->home_size) {
        store->home_size = store->home_size ? store->home_size * 2 : 8;
        store->homes = ecs_os_realloc_n(store->homes, ecs_component_record_t *, store->home_size);
    }
    ecs_component_record_t **place = &store->homes[home_at(store, record->id)];
    memmove(
        place + 1, place, (size_t)(&store->homes[store->home_count++] - place) * sizeof(*place));
    *place = record;
    set_kinds(store, store->beside | beside_kind_of(record));
}

// Whether it was the last of its kind, its neighbours mostly tell.
static void remove_home(ecs__store_t *store, const ecs_component_record_t *record) {
    int32_t at = home_at(store, record->id), count = --store->home_count;
    ecs_component_record_t **homes = store->homes;
    memmove(&homes[at], &homes[at + 1], (size_t)(count - at) * sizeof(*homes));
    const uint8_t kind = ecs__beside_kind(record->id);
    bool is_near = (at && beside_kind_of(homes[at - 1]) == kind) ||
                   (at < count && beside_kind_of(homes[at]) == kind);
    if (!is_near) ecs__sparse_note_kinds(store);
}

static set_t *ensure_set(ecs__store_t *store, ecs_component_record_t *record) {
    if (record->sparse) return record->sparse;
    set_t *set = record->sparse = ecs__pool_take(&store->sparse_sets);
    store->structure_stamp++; /* who looked for it looks again */
    set->home = record;
    if (is_home(record)) {
        add_home(store, record);
        keep_joined(store);
    } else {
        ecs_id_t any = ECS__MAKE_PAIR(ecs__id_first(record->id), Ecs__Wildcard);
        set->home = ecs__id_record_ensure(store, any);
        ensure_set(store, set->home);
    }
    return set;
}

static void give_holders(ecs__store_t *store, const set_t *set) {
    if (set->size) give_spare(&store->spare_holders[logarithm(set->size)], set->holders);
}

// Many have one holder only.
static void grow_holders(ecs__store_t *store, set_t *set) {
    const int32_t size = set->size == 1 ? 4 : ECS_MAX(set->size * 2, 1);
    ecs__holder_t *spare = take_spare(&store->spare_holders[logarithm(size)]);
    if (spare && set->count) memcpy(spare, set->holders, (size_t)set->count * sizeof *spare);
    if (spare) give_holders(store, set);
    set->holders = spare ? spare : ecs_os_realloc_n(set->holders, ecs__holder_t, size);
    set->size = size;
}

static int32_t append_holder(ecs__store_t *store, set_t *set, ecs_entity_t entity, void *value) {
    ecs_assert(!set->lock, ECS_LOCKED_STORAGE, "an id that is being iterated cannot be added");
    if (set->count == set->size) grow_holders(store, set);
    set->holders[set->count] = (ecs__holder_t){ entity, value };
    return set->count++;
}

#define AHEAD 4

// The last holder takes the place that is left. Returns it, or 0 if there was none to move.
static ecs_entity_t drop_holder(set_t *set, int32_t position) {
    ecs_assert(!set->lock, ECS_LOCKED_STORAGE, "an id that is being iterated cannot be removed");
    int32_t last = --set->count;
    if (last >= AHEAD) ecs__sparse_fetch(set->home->sparse, set->holders[last - AHEAD].entity);
    if (last == position) return 0;
    set->holders[position] = set->holders[last];
    return set->holders[position].entity;
}

static void remove_from_set(set_t *set, ecs_component_record_t *record, int32_t position) {
    ecs_entity_t moved = drop_holder(set, position);
    if (!moved) return;
    if (set->home == record) ecs__sparse_slot(set, moved)->position = position + 1;
    edge_t *edge = find_edge(record, moved);
    if (edge) edge->position = position; /* (R,*) is not an edge */
}

// Edges of a relationship with data have equal values, which share a pool: an edge can get another target in place.
static ecs__pool_t *pool_of(const ecs__store_t *store, const ecs_component_record_t *record) {
    bool shares = ECS_IS_PAIR(record->id) &&
                  record->type_info == ecs__type_info_get(store, ecs__id_first(record->id));
    return shares ? &record->sparse->home->sparse->values : &record->sparse->values;
}

static void *take_value(const ecs__store_t *store, const ecs_component_record_t *record) {
    const ecs_type_info_t *type = record->type_info;
    if (!type) return NULL;
    ecs__pool_t *pool = pool_of(store, record), fresh;
    ecs__pool_init(&fresh, type->size, type->alignment);
    if (pool->size != fresh.size || pool->align != fresh.align) { /* first use */
        ecs__pool_fini(pool);
        *pool = fresh;
    }
    return ecs__pool_take(pool);
}

// ---- changes ----

// Who relies on what is above others looks again, as after a move between tables.
static void mark_holder(ecs__store_t *store, ecs_entity_t entity) {
    const uint32_t before = ecs__entity_marks(&store->entities, entity);
    if (!(before & EcsEntityHasDontFragment))
        ecs__entity_mark(&store->entities, (uint32_t)entity, EcsEntityHasDontFragment);
    if (before & EcsEntityIsTraversable) ecs__store_raise_above(store, true);
}

void ecs__sparse_expect(ecs__store_t *store, ecs_component_record_t *record) {
    ensure_set(store, record);
}

void *ecs__sparse_add(ecs__store_t *store, ecs_component_record_t *record, ecs_entity_t entity) {
    ecs__assert(!ecs__id_is_wildcard(record->id), "entities have concrete ids");
    set_t *set = ensure_set(store, record), *home = set->home->sparse;
    void *value = take_value(store, record);
    int32_t position = append_holder(store, set, entity, value);
    slot_t *slot = ensure_slot(home, entity);
    insert_edge(store, slot, record)->position = position;
    if (!slot->position) {
        slot->position = 1 + (home == set ? position : append_holder(store, home, entity, NULL));
        join_home(store, set->home, entity);
    }
    if (ecs__id_may_be_beside(record)) mark_holder(store, entity);
    return value;
}

void ecs__sparse_remove(ecs__store_t *store, ecs_component_record_t *record, ecs_entity_t entity) {
    set_t *set = record->sparse, *home = set->home->sparse;
    slot_t *slot = ecs__sparse_slot(home, entity);
    edge_t *edge = find_edge(record, entity);
    int32_t position = edge->position;
    void *value = record->type_info ? set->holders[position].value : NULL;
    if (value) ecs__pool_give(pool_of(store, record), value);
    remove_from_set(set, record, position);
    remove_edge(store, slot, edge);
    if (slot->count) return;
    if (home != set) remove_from_set(home, set->home, slot->position - 1);
    *slot = (slot_t){ 0 };
    leave_home(store, set->home, entity);
}

void ecs__sparse_retarget(ecs__store_t *store, ecs_component_record_t *from,
    ecs_component_record_t *to, ecs_entity_t entity) {
    edge_t *edge = find_edge(from, entity);
    void *value = from->type_info ? from->sparse->holders[edge->position].value : NULL;
    ecs__assert(from->type_info == to->type_info, "values of both pairs are alike");
    ecs__assert(!value || pool_of(store, from) != &from->sparse->values, "and share a pool");
    set_t *set = ensure_set(store, to);
    remove_from_set(from->sparse, from, edge->position);
    *edge = (edge_t){ to->id, to, append_holder(store, set, entity, value) };
    mark_holder(store, entity);
}

static void free_pages(set_t *set) {
    for (int32_t p = 0; p < set->page_count; p++) {
        for (int32_t i = 0; set->pages[p] && i < PAGE_SIZE; i++) {
            if (set->pages[p][i].count > 1) ecs_os_free(set->pages[p][i].edges.many);
        }
        ecs_os_free(set->pages[p]);
    }
    ecs_os_free(set->pages);
}

void ecs__sparse_set_fini(ecs__store_t *store, ecs_component_record_t *record) {
    set_t *set = record->sparse;
    if (!set) return;
    for (int32_t i = 0; record->type_info && i < set->count; i++) {
        ecs__value_dtor(record->type_info, set->holders[i].value, 1);
    }
    for (int32_t i = 0; set->home == record && i < set->count; i++)
        leave_home(store, record, set->holders[i].entity);
    free_pages(set);
    if (is_home(record)) remove_home(store, record);
    ecs__pool_fini(&set->values);
    give_holders(store, set);
    ecs__pool_give(&store->sparse_sets, set);
    record->sparse = NULL;
    store->structure_stamp++;
}

// Values of pairs may be in the pool of their home, so pairs go first.
void ecs__sparse_sets_fini(ecs__store_t *store) {
    if (store->joined) free_pages(store->joined);
    ecs_os_free(store->joined);
    store->joined = NULL;
    while (store->home_count) {
        ecs_component_record_t *home = store->homes[store->home_count - 1], *pair = NULL;
        while ((pair = ecs__id_record_next_first(home, pair))) ecs__sparse_set_fini(store, pair);
        ecs__sparse_set_fini(store, home);
    }
    ecs__sparse_shrink(store);
}

void ecs__sparse_rename(ecs__store_t *store, ecs_entity_t from, ecs_entity_t to) {
    const homes_t homes = homes_of(store, from);
    for (int32_t i = 0; i < homes.count; i++) {
        set_t *home = home_of(&homes, i)->sparse;
        slot_t *slot = ecs__sparse_slot(home, from);
        if (!slot) continue;
        home->holders[slot->position - 1].entity = to;
        for (int32_t n = 0; n < slot->count; n++) {
            const edge_t *edge = &edges_of(slot)[n];
            edge->record->sparse->holders[edge->position].entity = to;
        }
    }
}

// ---- questions ----

bool ecs__sparse_has(const ecs_component_record_t *record, ecs_entity_t entity) {
    if (!record || !record->sparse) return false;
    if (is_home(record)) return ecs__sparse_slot(record->sparse, entity) != NULL;
    return find_edge(record, entity) != NULL;
}

ecs__sparse_edges_t ecs__sparse_edges(const ecs_component_record_t *any, ecs_entity_t entity) {
    const slot_t *slot = any && any->sparse ? ecs__sparse_slot(any->sparse, entity) : NULL;
    return slot ? ecs__sparse_slot_edges(slot) : (ecs__sparse_edges_t){ 0 };
}

void *ecs__sparse_get(const ecs_component_record_t *record, ecs_entity_t entity) {
    if (!record || !record->sparse) return NULL;
    if (!ECS_IS_PAIR(record->id)) {
        const slot_t *slot = ecs__sparse_slot(record->sparse, entity);
        return slot ? record->sparse->holders[slot->position - 1].value : NULL;
    }
    if (!is_home(record)) {
        const edge_t *edge = find_edge(record, entity);
        return edge ? ecs__sparse_edge_value(edge) : NULL;
    }
    ecs__sparse_edges_t edges = ecs__sparse_edges(record, entity);
    return edges.count ? ecs__sparse_edge_value(&edges.items[0]) : NULL;
}

static ecs_entity_t entity_at(ecs__spot_t spot) { return spot.table->entities[spot.row]; }

// False of what is not alive.
static bool has_beside(const ecs__store_t *store, ecs_entity_t entity) {
    const ecs__entity_index_t *index = &store->entities;
    return (uint32_t)entity < index->made &&
           ecs__entity_marks(index, entity) & EcsEntityHasDontFragment;
}

// Of low ids it is known at once that no table has a column.
void *ecs__value_of(ecs__spot_t spot, ecs_id_t id) {
    const ecs__store_t *store = spot.table->store;
    const ecs_component_record_t *low = id < FLECS_HI_ID_RECORD_ID ? store->ids.low[id] : NULL;
    if (ecs__id_is_sparse(low)) return ecs__sparse_get(low, entity_at(spot));
    int32_t column = ecs__table_column(spot.table, id);
    if (column >= 0) return ecs__table_cell(spot.table, column, spot.row);
    const ecs_entity_t entity = entity_at(spot);
    if (!(spot.table->flags & EcsTableHasSparse || has_beside(store, entity))) return NULL;
    return ecs__sparse_get(ecs__id_record_get(store, id), entity);
}

bool ecs__has_own(ecs__spot_t spot, ecs_id_t id) {
    if (ecs__table_has(spot.table, id)) return true;
    const ecs__store_t *store = spot.table->store;
    const ecs_entity_t entity = entity_at(spot);
    return has_beside(store, entity) && ecs__sparse_find(store, entity, id);
}

ecs_entity_t ecs__sparse_edge_target(const ecs__store_t *store, const edge_t *edge) {
    if (ECS_IS_VALUE_PAIR(edge->id)) return ecs__target_number(edge->record, edge->id);
    return ecs__entity_alive_id(&store->entities, ecs__id_second(edge->id));
}

ecs_entity_t ecs__sparse_target(
    const ecs__store_t *store, const ecs_component_record_t *any, ecs_entity_t entity, int32_t n) {
    ecs__sparse_edges_t edges = ecs__sparse_edges(any, entity);
    return n >= 0 && n < edges.count ? ecs__sparse_edge_target(store, &edges.items[n]) : 0;
}

// ---- walking ----

// A number leads nowhere.
static uint32_t end_of(const edge_t *edge) {
    return ECS_IS_VALUE_PAIR(edge->id) ? 0 : ecs__id_second(edge->id);
}

static bool reaches_in_branches(const ecs_component_record_t *any, uint32_t from, ecs_entity_t to) {
    ecs_vec_t open; /* uint32_t, each once */
    ecs_map_t seen;
    bool found = false;
    ecs_vec_init_t(NULL, &open, uint32_t, 0);
    ecs_map_init(&seen, NULL);
    *ecs_vec_append_t(NULL, &open, uint32_t) = from;
    for (int32_t i = 0; !found && i < ecs_vec_count(&open); i++) {
        uint32_t entity = *ecs_vec_get_t(&open, uint32_t, i);
        ecs__sparse_edges_t edges = ecs__sparse_edges(any, entity);
        for (int32_t n = 0; n < edges.count; n++) {
            uint32_t next = end_of(&edges.items[n]);
            found |= next == (uint32_t)to;
            if ((*ecs_map_ensure(&seen, next))++) continue;
            *ecs_vec_append_t(NULL, &open, uint32_t) = next;
        }
    }
    ecs_map_fini(&seen);
    ecs_vec_fini_t(NULL, &open, uint32_t);
    return found;
}

// Where each has one target, which most have, nothing is to be remembered. Around a cycle are no more entities than have one.
bool ecs__sparse_reaches(const ecs_component_record_t *any, uint32_t from, ecs_entity_t to) {
    int32_t left = ecs__sparse_count(any);
    ecs__sparse_edges_t edges = ecs__sparse_edges(any, from);
    for (; edges.count == 1 && left; left--) {
        from = end_of(&edges.items[0]);
        if (from == (uint32_t)to) return true;
        edges = ecs__sparse_edges(any, from);
    }
    return edges.count > 1 && reaches_in_branches(any, from, to);
}

ecs_component_record_t *ecs__sparse_home(const ecs__store_t *store, int32_t index) {
    return index < store->home_count ? store->homes[index] : NULL;
}

// Where ids that match begin; all homes are visited if the first element is open.
static ecs_id_t first_home(ecs_id_t id) {
    if (!ECS_IS_PAIR(id)) return id == Ecs__Wildcard ? 0 : id;
    if (ecs__id_first(id) == Ecs__Wildcard) return ECS__PAIR;
    return ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard);
}

ecs__sparse_iter_t ecs__sparse_iter(const ecs__store_t *store, ecs_entity_t entity, ecs_id_t id) {
    ecs__sparse_iter_t iter = { .store = store, .entity = entity };
    iter.id = ecs__id_any_to_wildcard(id);
    iter.home = has_beside(store, entity) ? first_home(iter.id) : UINT64_MAX;
    return iter;
}

static bool ends_with(const ecs__sparse_iter_t *iter, ecs_id_t home) {
    ecs_id_t id = iter->id;
    if (!id) return false;
    if (ECS_IS_PAIR(id)) return ecs__id_first(id) != Ecs__Wildcard && home != first_home(id);
    return id == Ecs__Wildcard ? ECS_IS_PAIR(home) : home != id;
}

// The next edge of the slot behind the last one that matches.
static const edge_t *next_edge(const ecs__sparse_iter_t *iter, slot_t *slot) {
    const edge_t *edges = edges_of(slot);
    const bool is_one = iter->id && !ecs__id_is_wildcard(iter->id);
    const ecs_id_t from = ECS_MAX(iter->last + 1, is_one ? iter->id : 0);
    for (int32_t i = lower_bound(edges, slot->count, from); i < slot->count; i++) {
        if (!iter->id || ecs__id_covers(iter->id, edges[i].id)) return &edges[i];
        if (is_one) break; /* there may be many others */
    }
    return NULL;
}

ecs_component_record_t *ecs__sparse_next(ecs__sparse_iter_t *iter) {
    const homes_t homes = homes_of(iter->store, iter->entity);
    int32_t at = homes.joined ? lower_bound(homes.joined, homes.count, iter->home)
                              : home_at(iter->store, iter->home);
    for (; at < homes.count; at++) {
        const ecs_component_record_t *home = home_of(&homes, at);
        if (!ecs__id_may_be_beside(home)) continue;
        if (ends_with(iter, home->id)) break;
        if (home->id != iter->home) iter->last = 0;
        slot_t *slot = ecs__sparse_slot(home->sparse, iter->entity);
        const edge_t *edge = slot ? next_edge(iter, slot) : NULL;
        if (!edge) continue;
        iter->home = home->id;
        iter->last = edge->id;
        return edge->record;
    }
    iter->home = UINT64_MAX;
    return NULL;
}

ecs_component_record_t *ecs__sparse_find(
    const ecs__store_t *store, ecs_entity_t entity, ecs_id_t id) {
    if (!has_beside(store, entity)) return NULL;
    if (!ecs__id_is_wildcard(id)) {
        ecs_component_record_t *record = ecs__id_record_get(store, id);
        return ecs__id_may_be_beside(record) && ecs__sparse_has(record, entity) ? record : NULL;
    }
    ecs__sparse_iter_t iter = ecs__sparse_iter(store, entity, id);
    return ecs__sparse_next(&iter);
}

ecs_component_record_t *ecs__sparse_next_cover(
    const ecs__store_t *store, ecs_id_t id, int32_t *at) {
    id = ecs__id_any_to_wildcard(id);
    bool is_pair = ECS_IS_PAIR(id), is_open = ecs__id_first(id) == Ecs__Wildcard;
    if (is_pair ? !is_open : id != Ecs__Wildcard) {
        ecs_component_record_t *record = (*at)++ ? NULL : ecs__id_record_get(store, id);
        return ecs__id_may_be_beside(record) && record->sparse ? record : NULL;
    }
    if (is_pair && !*at) *at = home_at(store, ECS__PAIR);
    while (*at < store->home_count) {
        ecs_component_record_t *home = store->homes[(*at)++];
        if (!is_pair && ECS_IS_PAIR(home->id)) break;
        if (!ecs__id_may_be_beside(home)) continue;
        if (!is_pair || ecs__id_second(id) == Ecs__Wildcard) return home;
        ecs_component_record_t *record =
            ecs__id_record_get(store, ecs__id_with_first(id, ecs__id_first(home->id)));
        if (record && record->sparse) return record;
    }
    return NULL;
}

// ---- verify ----

static bool verify_holder(
    const ecs__store_t *store, const ecs_component_record_t *record, int32_t position) {
    const set_t *set = record->sparse;
    ecs__holder_t holder = set->holders[position];
    if (!ecs__entity_is_alive(&store->entities, holder.entity)) return false;
    slot_t *slot = ecs__sparse_slot(set->home->sparse, holder.entity);
    if (!slot || !slot->count) return false;
    if (is_home(record) && slot->position != position + 1) return false;
    if (ecs__id_is_wildcard(record->id)) return true;
    const edge_t *edge = find_edge(record, holder.entity);
    return edge && edge->position == position && !holder.value == !record->type_info;
}

// Tables have the presence id of a relationship just for entities with edges.
static bool verify_presence(const ecs__store_t *store, const ecs_component_record_t *any) {
    const ecs_component_record_t *presence = ecs__id_record_get(store, ecs__id_presence(any));
    const ecs_table_t *table;
    int32_t from = 0, count = 0;
    while (presence && (table = ecs__id_record_next_table(presence, &from, false))) {
        count += table->count;
        for (int32_t row = 0; row < table->count; row++) {
            if (!ecs__sparse_slot(any->sparse, table->entities[row])) return false;
        }
    }
    return count == any->sparse->count;
}

// Each home of each entity is known, and no other.
static bool verify_joined(const ecs__store_t *store) {
    const set_t *joined = store->joined;
    int64_t balance = 0;
    for (int32_t i = 0; i < store->home_count; i++) {
        const set_t *set = store->homes[i]->sparse;
        balance += set->count;
        for (int32_t n = 0; n < set->count; n++) {
            slot_t *slot = ecs__sparse_slot(joined, set->holders[n].entity);
            if (!slot) return false;
            int32_t at = lower_bound(edges_of(slot), slot->count, store->homes[i]->id);
            if (at == slot->count || edges_of(slot)[at].record != store->homes[i]) return false;
        }
    }
    for (int32_t p = 0; p < joined->page_count; p++) {
        for (int32_t i = 0; joined->pages[p] && i < PAGE_SIZE; i++)
            balance -= joined->pages[p][i].count;
    }
    return !balance;
}

bool ecs__sparse_verify(const ecs__store_t *store) {
    uint8_t kinds = 0;
    if (store->joined && !verify_joined(store)) return false;
    for (int32_t i = 0; i < store->home_count; i++) {
        if (i && store->homes[i - 1]->id >= store->homes[i]->id) return false;
        kinds |= beside_kind_of(store->homes[i]);
    }
    return kinds == store->beside;
}

bool ecs__sparse_set_verify(const ecs__store_t *store, const ecs_component_record_t *record) {
    const set_t *set = record->sparse;
    for (int32_t i = 0; set && i < set->count; i++) {
        if (!verify_holder(store, record, i)) return false;
    }
    bool is_any = ECS_IS_PAIR(record->id) && is_home(record);
    return !set || !is_any || !ecs__id_presence(record) || verify_presence(store, record);
}
