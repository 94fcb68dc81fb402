// SPDX-License-Identifier: MIT
#include "storage/entity_index.h"

#include <muster/ecs/log.h>
#include <muster/ecs/os.h>

#include "base/apart.h"
#include "base/assert.h"
#include "base/atomics.h"
#include "base/bisect.h"
#include "base/os_posix.h"
#include "storage/id_range.h"

// Records get memory so many at a time.
#define PAGE_IDS ((uint64_t)1 << FLECS_ENTITY_PAGE_BITS)
#define FIRST_RECORDS ((size_t)8 << 10)
#define FIRST_LINES ((size_t)64 << 10)
#define LARGE_LINES ((size_t)16 << 20) /* of less, the last huge page would be too large a part */
#define HUGE_PAGE ((size_t)2 << 20)

// Bytes of addresses that the worlds of this process have; a hint, so that nothing pairs with it.
static uint64_t reserved_by_all;

// ---- addresses ----

// For so many ids: lines, as many as records can name unless ids are few, records, marks, and what is shown. All parts are whole pages, and
// records begin a huge one.
static size_t lines_of(uint64_t ids) { return (size_t)ECS_MIN(4 * ids, 64 * ECS__RECORD_LINES); }
static size_t addresses_of(uint64_t ids) {
    const size_t each = sizeof(ecs__record_t) + sizeof(uint8_t) + sizeof(ecs_record_t);
    return lines_of(ids) + HUGE_PAGE + (size_t)ids * each;
}

// For all ids, 100 GB, or for fewer in a process that has hundreds of worlds or not so many addresses: worlds of each size take this part
// of the 128 TB that there mostly are, and none takes more than an eighth of what is left in one piece. A thread sanitizer leaves 1.5 TB,
// of which a random start may take one.
#define ADDRESS_SHARE ((uint64_t)16 << 40)
#ifdef __SANITIZE_THREAD__
#define PIECES 2
#else
#define PIECES 8
#endif

static void reserve(ecs__entity_index_t *index) {
    uint64_t ids = (uint64_t)1 << 32, limit = ADDRESS_SHARE;
    for (; ids >= 2 * PAGE_IDS && !index->reserved; ids /= 8, limit += ADDRESS_SHARE) {
        size_t size = addresses_of(ids);
        if (ecs__load_64(&reserved_by_all) + size > limit) continue;
        index->reserved = ecs__os_reserve(PIECES * size);
        index->reserved_size = size;
        index->reserved_ids = ids;
    }
    if (!index->reserved) ecs_os_out_of_memory_((ecs_size_t)sizeof(ecs__record_t));
    ecs__os_release(
        (char *)index->reserved + index->reserved_size, (PIECES - 1) * index->reserved_size);
    ecs__add_64(&reserved_by_all, index->reserved_size);
}

// Tables hold addresses of what lies on the heap.
static void show_lines(const ecs__entity_index_t *index, bool is_shown) {
    char *begin = (char *)index->records - index->lines_size;
    ecs__os_show_to_checkers(begin, index->lines_size, is_shown);
}

static void divide(ecs__entity_index_t *index) {
    const uint64_t ids = index->reserved_ids;
    index->lines_size = lines_of(ids);
    char *at = (char *)index->reserved + index->lines_size;
    at = (char *)ECS_ALIGN((uintptr_t)at, HUGE_PAGE);
    index->records = (ecs__record_t *)(void *)at;
    index->shown = (ecs_record_t *)(void *)(index->records + ids);
    index->marks = (uint8_t *)(index->shown + ids);
}

static void commit(void *begin, size_t size) {
    if (!ecs__os_commit(begin, size)) ecs_os_out_of_memory_((ecs_size_t)ECS_MIN(size, INT32_MAX));
}

// Only while nobody else runs: `made` is read without synchronisation.
void ecs__entity_make_records(ecs__entity_index_t *index, uint32_t id) {
    const uint32_t most = ecs__entity_most_ids(index);
    if (id >= most) {
        ecs_abort(ECS_OUT_OF_RANGE,
            "entity id %u is too high: this process has addresses for ids up to %u", id, most - 1);
    }
    uint64_t ids = ECS_MIN(ECS_ALIGN(id + 1ull, PAGE_IDS), index->reserved_ids);
    size_t size = sizeof(ecs__record_t) * (size_t)ids;
    commit(index->records, size);
    if (ids > PAGE_IDS) ecs__os_advise_huge(index->records, size); /* small worlds do without */
    index->made = ECS_MIN(ids, most);
}

// What every world needs lies together: the system is asked once.
static void make_first(ecs__entity_index_t *index) {
    commit((char *)index->records - FIRST_LINES, FIRST_LINES + sizeof(ecs__record_t) * PAGE_IDS);
    ecs__os_touch(index->records, FIRST_RECORDS);
    index->lines_made = FIRST_LINES;
    index->made = PAGE_IDS;
}

const char *ecs__entity_refusal(const ecs__entity_index_t *index, ecs_entity_t entity) {
    const uint32_t id = (uint32_t)entity;
    if (!id || id >= ecs__entity_most_ids(index) || !ecs__id_is_entity(entity))
        return "it is the number of no entity";
    return ecs__entity_living_table(index, id) ? "its id is in use with another generation" : NULL;
}

// ---- lines ----

static bool make_lines(ecs__entity_index_t *index, size_t wanted) {
    size_t size = ECS_MIN(2 * index->lines_made, index->lines_size);
    while (size < wanted && size < index->lines_size) size = ECS_MIN(2 * size, index->lines_size);
    char *begin = (char *)index->records - size;
    if (size < wanted || !ecs__os_commit(begin, size)) return false;
    if (size >= LARGE_LINES) ecs__os_advise_huge(begin, size);
    index->lines_made = size;
    return true;
}

void *ecs__entity_index_take(ecs__entity_index_t *index, size_t size) {
    size_t used = index->lines_used + ECS_ALIGN(size, 64);
    if (used > index->lines_made && !make_lines(index, used)) return NULL;
    char *begin = (char *)index->records - used;
    ecs__os_touch(begin, used - index->lines_used);
    index->lines_used = used;
    return begin;
}

int64_t ecs__entity_index_line(const ecs__entity_index_t *index, const ecs_table_t *table) {
    uintptr_t end = (uintptr_t)index->records, line = (uintptr_t)&table->low_end;
    bool is_below = line < end && line >= end - index->lines_used;
    const uint64_t number = (end - line) / 64 - 1;
    return is_below ? (int64_t)(number << ECS__RECORD_LINE | ECS__RECORD_NEAR) : 0;
}

// The table without ids and rows takes the first line. It has one place for a low id, in which there is none.
static void make_nothing(ecs__entity_index_t *index) {
    ecs__entity_index_take(index, 64 + offsetof(ecs_table_t, low_end) + sizeof(ecs__low_t));
    ecs__record_near(index, &(ecs__record_t){ 0 })->low_least = (uint64_t)-1;
}

void ecs__entity_index_init(ecs__entity_index_t *index) {
    ecs_os_zeromem(index);
    reserve(index);
    divide(index);
    show_lines(index, true);
    make_first(index);
    make_nothing(index);
    index->near_rows = ECS__ROW_NOWHERE;
    index->pool.high = (uint32_t)ECS__FIRST_USER_ENTITY;
    index->pool.limit = UINT32_MAX;
    index->last_low_id = ECS__FIRST_USER_COMPONENT - 1;
}

void ecs__entity_index_fini(ecs__entity_index_t *index) {
    show_lines(index, false);
    ecs__os_release(index->reserved, index->reserved_size);
    ecs__add_64(&reserved_by_all, -(uint64_t)index->reserved_size);
    ecs__id_ranges_fini(index);
    ecs_os_free(index->pool.free_ids);
    ecs__id_gaps_fini(&index->pool.gaps);
    ecs_os_free(index->list);
    ecs_os_zeromem(index);
}

// ---- spots ----

static uint32_t id_of(const ecs__entity_index_t *index, const ecs__record_t *record) {
    return (uint32_t)(record - index->records);
}

ecs__spot_t ecs__record_far_spot(const ecs__entity_index_t *index, const ecs__record_t *record) {
    if (ecs__record_near_row(record) != ECS__ROW_FAR) return (ecs__spot_t){ NULL, 0 };
    const ecs_record_t *shown = &index->shown[id_of(index, record)];
    return (ecs__spot_t){ shown->table, ECS_RECORD_TO_ROW(shown->row) };
}

ecs__spot_t ecs__entity_find_far(const ecs__entity_index_t *index, ecs_entity_t entity) {
    if ((uint32_t)entity >= index->made) return (ecs__spot_t){ NULL, 0 };
    const ecs__record_t *record = ecs__record_of(index, entity);
    if (ecs__record_generation(record) != entity >> 32) return (ecs__spot_t){ NULL, 0 };
    return ecs__record_spot(index, record);
}

// `made` may be raised meanwhile by nobody: either this is the main thread, or that waits.
void ecs__entity_make_shown(ecs__entity_index_t *index) {
    if (index->shown_made == index->made) return;
    commit(index->shown, sizeof(ecs_record_t) * (size_t)index->made);
    index->shown_made = index->made;
}

static ecs_record_t *shown_at(ecs__entity_index_t *index, uint32_t id) {
    if (id >= index->shown_made) ecs__entity_make_shown(index);
    return &index->shown[id];
}

static void fill_in(ecs_record_t *shown, ecs__spot_t spot, uint32_t flags, uint64_t generation) {
    shown->table = spot.table;
    shown->row = (uint32_t)spot.row | flags;
    shown->generation = (uint32_t)generation;
}

static uint32_t flags_of(uint32_t marks) { return marks & ECS_ROW_FLAGS_MASK; }

void ecs__entity_put(
    ecs__entity_index_t *index, ecs_entity_t entity, ecs_table_t *table, int32_t row) {
    ecs__record_t *record = ecs__record_of(index, entity);
    const uint64_t mark = record->bits & ECS__RECORD_MARKED;
    const uint32_t marks = mark ? ecs__entity_marks(index, entity) : 0;
    const uint64_t line = ecs__table_line(table);
    const uint64_t at = line ? (uint32_t)row : ECS__ROW_FAR;
    record->bits = entity >> 32 | line | mark | at << ECS__RECORD_ROW;
    if (mark && !table->has_marks) table->has_marks = true; /* not by threads, see table_bulk.c */
    if (line && !(marks & ECS__ENTITY_SHOWN)) return;
    if (line && ecs__table_is_short(table)) ecs__table_lengthen(table, ECS__LINE_SHOWN);
    fill_in(shown_at(index, (uint32_t)entity), (ecs__spot_t){ table, row }, flags_of(marks),
        entity >> 32);
}

void ecs__entity_mark(ecs__entity_index_t *index, uint32_t id, uint32_t marks) {
    if ((ecs__entity_marks(index, id) & marks) == marks) return;
    if (id >= index->marks_made) {
        commit(index->marks, (size_t)index->made);
        index->marks_made = index->made;
    }
    const ecs__spot_t spot = ecs__record_spot(index, &index->records[id]);
    index->records[id].bits |= ECS__RECORD_MARKED;
    index->marks[id] |= (uint8_t)(marks >> 28 << 4 | (marks & ECS__ENTITY_MARKS));
    spot.table->has_marks = true;
    if (!ecs__record_is_near(&index->records[id]) || index->marks[id] & ECS__ENTITY_SHOWN)
        ecs__entity_put(index, ecs__entity_alive_id(index, id), spot.table, spot.row);
}

// Whoever comes later sees what the first has filled in, by the lock.
ecs_record_t *ecs__entity_show(ecs__entity_index_t *index, ecs_entity_t entity, bool keep) {
    while (!ecs__cas_32(&index->showing, 0, 1)) ecs__stall(); /* pairs with the store below */
    if (keep && !(ecs__entity_marks(index, entity) & ECS__ENTITY_SHOWN))
        ecs__entity_mark(index, (uint32_t)entity, ECS__ENTITY_SHOWN);
    ecs_record_t *shown = shown_at(index, (uint32_t)entity);
    const ecs__spot_t spot = ecs__entity_spot(index, entity);
    const uint32_t row = (uint32_t)spot.row | flags_of(ecs__entity_marks(index, entity));
    if (shown->table != spot.table || shown->row != row || shown->generation != entity >> 32)
        fill_in(shown, spot, row & ECS_ROW_FLAGS_MASK, entity >> 32);
    ecs__store_32(&index->showing, 0); /* pairs with the exchange above */
    return shown;
}

ecs_entity_t ecs__entity_alive_id(const ecs__entity_index_t *index, uint32_t id) {
    if (!ecs__entity_living_table(index, id)) return 0;
    return (uint64_t)ecs__record_generation(&index->records[id]) << 32 | id;
}

uint32_t ecs__entity_generation(const ecs__entity_index_t *index, uint32_t id) {
    return id < index->made ? ecs__record_generation(&index->records[id]) : 0;
}

// ---- free ids ----

static void grow_free(ecs__entity_index_t *index) {
    index->pool.free_size = ECS_MAX(index->pool.free_size * 2, 64);
    index->pool.free_ids = ecs_os_realloc_n(index->pool.free_ids, uint64_t, index->pool.free_size);
}

// Position in the free stack of an id that is not alive, or ECS__ROW_NOWHERE and ECS__ROW_HELD.
static uint32_t position_of(const ecs__entity_index_t *index, uint32_t id) {
    uint32_t row = ecs__record_near_row(&index->records[id]);
    return row == ECS__ROW_FAR ? index->shown[id].row : row;
}

// It is not alive, and has no marks.
static inline void set_position(
    ecs__entity_index_t *index, ecs_entity_t entity, uint32_t position, bool is_near) {
    uint64_t row = is_near ? position : ECS__ROW_FAR;
    ecs__record_of(index, entity)->bits = (uint16_t)(entity >> 32) | row << ECS__RECORD_ROW;
    if (__builtin_expect(!is_near, 0))
        fill_in(shown_at(index, (uint32_t)entity), (ecs__spot_t){ NULL, (int32_t)position }, 0,
            entity >> 32);
}

void ecs__entity_set_free(ecs__entity_index_t *index, ecs_entity_t entity, uint32_t position) {
    set_position(index, entity, position, position < index->near_rows);
}

static void push_free(ecs__entity_index_t *index, ecs_entity_t entity) {
    if (index->pool.free_count == index->pool.free_size) grow_free(index);
    ecs__entity_set_free(index, entity, (uint32_t)index->pool.free_count);
    index->pool.free_ids[index->pool.free_count++] = entity;
}

// The range that is active may be another by now.
static int32_t usable_count(const ecs__entity_index_t *index) {
    return index->spared ? ECS_MIN(index->usable, index->pool.free_count) : index->pool.free_count;
}

// From below those that are spared, of which the last one closes the gap.
static ecs_entity_t pop_below(ecs__entity_index_t *index) {
    ecs__id_pool_t *pool = &index->pool;
    while ((index->usable = usable_count(index))) {
        int32_t at = --index->usable, last = --pool->free_count;
        ecs_entity_t entity = pool->free_ids[at], moved = pool->free_ids[last];
        pool->free_ids[at] = moved;
        if (at != last && moved) ecs__entity_set_free(index, moved, (uint32_t)at);
        if (entity) return entity;
        pool->free_holes--;
    }
    return 0;
}

static ecs_entity_t pop_free(ecs__entity_index_t *index) {
    if (index->spared) return pop_below(index);
    while (index->pool.free_count) {
        ecs_entity_t entity = index->pool.free_ids[--index->pool.free_count];
        if (entity) return entity;
        index->pool.free_holes--;
    }
    return 0;
}

uint32_t ecs__id_pool_next(const ecs__id_pool_t *pool, uint32_t id) {
    if (id >= pool->high) return pool->limit;
    const ecs__id_gap_t gap = ecs__id_gaps_find(&pool->gaps, id);
    const bool was_issued = !gap.end || gap.begin > id;
    return was_issued ? id : gap.end;
}

static ecs_entity_t take_never_issued(ecs__entity_index_t *index) {
    if (index->pool.gaps.count) return ecs__id_gaps_take(&index->pool.gaps);
    if (index->pool.high >= index->pool.limit)
        ecs_abort(ECS_OUT_OF_RANGE, "all entity ids up to %u are in use", index->pool.limit - 1);
    return index->pool.high++;
}

static ECS__APART ecs_entity_t issue_new(ecs__entity_index_t *index) {
    ecs_entity_t entity = take_never_issued(index);
    ecs__entity_issue(index, (uint32_t)entity);
    return entity;
}

ecs_entity_t ecs__entity_new(ecs__entity_index_t *index) {
    ecs_entity_t entity = pop_free(index);
    return entity ? entity : issue_new(index);
}

void ecs__entity_new_many(ecs__entity_index_t *index, ecs_entity_t *out, int32_t count) {
    int32_t i = 0, free_count = index->pool.free_count;
    bool in_order = !index->pool.free_holes && !index->spared;
    int32_t popped = in_order ? ECS_MIN(count, free_count) : 0;
    for (; i < popped; i++) out[i] = index->pool.free_ids[free_count - 1 - i];
    index->pool.free_count -= popped;
    for (; i < count; i++) out[i] = ecs__entity_new(index);
}

ecs_entity_t ecs__entity_new_low(ecs__entity_index_t *index) {
    while (index->last_low_id + 1 < FLECS_HI_COMPONENT_ID) {
        ecs_entity_t id = ++index->last_low_id;
        ecs__entity_issue(index, (uint32_t)id);
        bool was_used = ecs__entity_generation(index, (uint32_t)id);
        if (!was_used && !ecs__entity_living_table(index, (uint32_t)id)) return id;
    }
    return 0;
}

void ecs__entity_mark_issued(ecs__entity_index_t *index, uint32_t begin, uint32_t end) {
    if (begin < index->pool.high) {
        ecs__id_gaps_cut(&index->pool.gaps, begin, end);
        return;
    }
    ecs__id_gaps_append(&index->pool.gaps, index->pool.high, begin);
    index->pool.high = end;
}

// In order, so that ids come as they would have with holes.
static void close_holes(ecs__entity_index_t *index) {
    ecs__id_pool_t *pool = &index->pool;
    int32_t kept = 0, usable = 0;
    for (int32_t i = 0; i < pool->free_count; i++) {
        const ecs_entity_t entity = pool->free_ids[i];
        if (!entity) continue;
        usable += i < index->usable;
        ecs__entity_set_free(index, entity, (uint32_t)kept);
        pool->free_ids[kept++] = entity;
    }
    index->usable = usable;
    pool->free_count = kept;
    pool->free_holes = 0;
}

// False if the id is not on the stack. Where there are more holes than ids, closing them costs no more than making them did.
static bool take_from_stack(ecs__entity_index_t *index, uint32_t id) {
    uint32_t at = position_of(index, id);
    if (at >= (uint32_t)index->pool.free_count || (uint32_t)index->pool.free_ids[at] != id || !id)
        return false;
    index->pool.free_ids[at] = 0;
    index->pool.free_holes++;
    if (index->pool.free_holes > index->pool.free_count / 2) close_holes(index);
    return true;
}

// The entity that an id which is not alive stands for next.
static ecs_entity_t next_entity(const ecs__entity_index_t *index, uint32_t id) {
    return (uint64_t)ecs__record_generation(&index->records[id]) << 32 | id;
}

void ecs__entity_hold(ecs__entity_index_t *index, uint32_t id) {
    int32_t active = ecs__id_ranges_enter(index, id);
    if (!ecs__entity_living_table(index, id) && take_from_stack(index, id))
        set_position(index, next_entity(index, id), ECS__ROW_HELD, true);
    ecs__id_ranges_leave(index, active);
}

bool ecs__entity_is_held(const ecs__entity_index_t *index, uint32_t id) {
    if (id >= index->made || ecs__record_is_near(&index->records[id])) return false;
    return ecs__record_near_row(&index->records[id]) == ECS__ROW_HELD;
}

void ecs__entity_let_go(ecs__entity_index_t *index, uint32_t id) {
    int32_t active = ecs__id_ranges_enter(index, id);
    push_free(index, next_entity(index, id));
    ecs__id_ranges_leave(index, active);
}

void ecs__entity_claim(ecs__entity_index_t *index, ecs_entity_t entity) {
    uint32_t id = (uint32_t)entity;
    ecs__entity_issue(index, id);
    ecs__assert(!ecs__entity_living_table(index, id), "an id that is alive cannot be claimed");
    int32_t active = ecs__id_ranges_enter(index, id);
    bool was_free = take_from_stack(index, id);
    if (!was_free && id >= ECS__FIRST_USER_ENTITY && id < index->pool.limit)
        ecs__entity_mark_issued(index, id, id + 1);
    ecs__id_ranges_leave(index, active);
    set_position(index, entity, ECS__ROW_NOWHERE, true);
}

static bool is_on_stack(const ecs__entity_index_t *index, uint32_t id) {
    if (id >= index->made || ecs__entity_living_table(index, id)) return false;
    const uint32_t at = position_of(index, id);
    return at < (uint32_t)usable_count(index) && (uint32_t)index->pool.free_ids[at] == id;
}

// Ids that jobs took and that are not placed yet are neither free nor never issued.
static bool is_never_issued(const ecs__entity_index_t *index, uint32_t id) {
    if (id >= index->pool.high) return id < index->pool.limit;
    const ecs__id_gap_t gap = ecs__id_gaps_find(&index->pool.gaps, id);
    return gap.end && gap.begin <= id;
}

// While enough ids wait to be used again, no others are issued: who makes and deletes as many would go on to new ones for ever.
static bool may_issue(const ecs__entity_index_t *index) {
    return index->pool.free_count - index->pool.free_holes <= index->alive_count / 4;
}

ecs_entity_t ecs__entity_new_at(ecs__entity_index_t *index, uint32_t id) {
    if (!is_on_stack(index, id) && !(may_issue(index) && is_never_issued(index, id))) return 0;
    ecs__entity_issue(index, id);
    ecs_entity_t entity = next_entity(index, id);
    ecs__entity_claim(index, entity);
    return entity;
}

void ecs__entity_give_back(ecs__entity_index_t *index, ecs_entity_t entity) {
    index->alive_count++;
    ecs__entity_free(index, entity);
}

// Its marks end with it, and whoever looks at its record sees that it is not alive. Returns the entity that its id stands for next.
static inline ecs_entity_t retire(ecs__entity_index_t *index, ecs_entity_t entity) {
    const uint32_t id = (uint32_t)entity;
    const ecs_entity_t next = (uint64_t)(uint16_t)((entity >> 32) + 1) << 32 | id;
    if (__builtin_expect(ecs__record_of(index, entity)->bits & ECS__RECORD_MARKED, 0)) {
        if (index->marks[id] & ECS__ENTITY_SHOWN)
            fill_in(&index->shown[id], (ecs__spot_t){ NULL, 0 }, 0, next >> 32);
        index->marks[id] = 0;
    }
    return next;
}

void ecs__entity_free(ecs__entity_index_t *index, ecs_entity_t entity) {
    ecs_entity_t next = retire(index, entity);
    index->alive_count--;
    if ((uint32_t)entity < ECS__FIRST_USER_ENTITY) {
        set_position(index, next, ECS__ROW_NOWHERE, true);
        return;
    }
    if (!index->user_ranges) {
        push_free(index, next);
        return;
    }
    int32_t active = ecs__id_ranges_enter(index, (uint32_t)entity);
    push_free(index, next);
    ecs__id_ranges_leave(index, active);
}

static bool is_any_low(const ecs_entity_t *entities, int32_t count) {
    bool is_low = false;
    for (int32_t i = 0; i < count; i++) is_low |= (uint32_t)entities[i] < ECS__FIRST_USER_ENTITY;
    return is_low;
}

int32_t ecs__entity_free_begin(
    ecs__entity_index_t *index, const ecs_entity_t *entities, int32_t count) {
    if (index->user_ranges || is_any_low(entities, count)) return -1;
    while (index->pool.free_size - index->pool.free_count < count) grow_free(index);
    int32_t at = index->pool.free_count;
    if ((uint32_t)(at + count) > index->near_rows) ecs__entity_make_shown(index);
    index->pool.free_count += count;
    index->alive_count -= count;
    return at;
}

void ecs__entity_free_part(
    ecs__entity_index_t *index, const ecs_entity_t *entities, int32_t count, int32_t at) {
    ecs_entity_t *free_ids = index->pool.free_ids + at;
    const bool is_near = (uint32_t)(at + count) <= index->near_rows;
    for (int32_t i = 0; i < count; i++) {
        free_ids[i] = retire(index, entities[i]);
        set_position(index, free_ids[i], (uint32_t)(at + i), is_near);
    }
}

void ecs__entity_free_many(
    ecs__entity_index_t *index, const ecs_entity_t *entities, int32_t count) {
    int32_t at = count > 1 ? ecs__entity_free_begin(index, entities, count) : -1;
    if (at >= 0) ecs__entity_free_part(index, entities, count, at);
    for (int32_t i = 0; at < 0 && i < count; i++) ecs__entity_free(index, entities[i]);
}

void ecs__entity_make_issued(ecs__entity_index_t *index) {
    if (index->pool.high > index->made) ecs__entity_make_records(index, index->pool.high - 1);
}

void ecs__entity_fill_free(ecs__entity_index_t *index, int32_t wanted, int32_t hoped) {
    if (index->pool.free_holes) close_holes(index);
    while (index->pool.free_count < wanted ||
           (index->pool.free_count < hoped && index->pool.gaps.count)) {
        ecs_entity_t entity = take_never_issued(index);
        ecs__entity_issue(index, (uint32_t)entity);
        push_free(index, entity);
    }
}

void ecs__entity_index_shrink(ecs__entity_index_t *index) {
    const int32_t ranges = ecs__id_ranges_count(index);
    for (int32_t i = 0; i < ranges; i++) {
        const int32_t active = ecs__id_ranges_select(index, i);
        ecs__id_pool_t *pool = &index->pool;
        close_holes(index);
        pool->free_size = ECS_MAX(pool->free_count, 1);
        pool->free_ids = ecs_os_realloc_n(pool->free_ids, uint64_t, pool->free_size);
        ecs__id_ranges_leave(index, active);
    }
}

static int32_t list_free(const ecs__entity_index_t *index, ecs_entity_t *out) {
    int32_t count = 0;
    for (int32_t i = index->pool.free_count - 1; i >= 0; i--) {
        if (index->pool.free_ids[i]) out[count++] = index->pool.free_ids[i];
    }
    return count;
}

const ecs_entity_t *ecs__entity_list(
    ecs__entity_index_t *index, int32_t *count, int32_t *alive_count) {
    int32_t ranges = ecs__id_ranges_count(index), wanted = index->alive_count;
    for (int32_t i = 0; i < ranges; i++) {
        int32_t active = ecs__id_ranges_select(index, i);
        wanted += index->pool.free_count;
        ecs__id_ranges_leave(index, active);
    }
    if (wanted > index->list_size) {
        index->list = ecs_os_realloc_n(index->list, ecs_entity_t, wanted);
        index->list_size = wanted;
    }
    int32_t alive = 0;
    for (uint32_t id = 0, high = ecs__id_ranges_high(index); id < high; id++) {
        ecs_entity_t entity = ecs__entity_alive_id(index, id);
        if (entity)
            index->list[alive++] = entity;
        else
            id = ecs__id_ranges_next(index, id + 1) - 1;
    }
    ecs__assert(alive == index->alive_count, "every living entity has a record");
    *alive_count = alive;
    for (int32_t i = 0; i < ranges; i++) {
        int32_t active = ecs__id_ranges_select(index, i);
        alive += list_free(index, &index->list[alive]);
        ecs__id_ranges_leave(index, active);
    }
    *count = alive;
    return index->list;
}

bool ecs__entity_index_verify(const ecs__entity_index_t *index) {
    int32_t alive = 0, holes = 0;
    for (uint32_t id = 0, high = ecs__id_ranges_high(index); id < high; id++) {
        bool is_alive = ecs__entity_living_table(index, id);
        alive += is_alive;
        if (!is_alive) id = ecs__id_ranges_next(index, id + 1) - 1;
    }
    for (int32_t i = 0; i < index->pool.free_count; i++) {
        ecs_entity_t entity = index->pool.free_ids[i];
        holes += !entity;
        if (!entity) continue;
        const uint32_t id = (uint32_t)entity;
        if (id >= index->made || ecs__entity_living_table(index, id)) return false;
        if (position_of(index, id) != (uint32_t)i || next_entity(index, id) != entity) return false;
    }
    if (!ecs__id_gaps_verify(&index->pool.gaps, index->pool.high)) return false;
    return alive == index->alive_count && holes == index->pool.free_holes;
}
