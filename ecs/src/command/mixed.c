// SPDX-License-Identifier: MIT
#include "command/mixed.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "base/apart.h"
#include "base/atomics.h"
#include "command/change.h"
#include "command/flush.h"
#include "storage/table_bulk.h"
#include "world/state.h"

#define MOST_COMMANDS (INT32_MAX / 16) /* room for all is counted in 32 bits */
#define NONE (-1)
#define REFUSED (-2)

/** A table of which something is said. */
typedef struct source_t {
    ecs_table_t *table;
    int32_t begin, count;    /* who leaves it or, if some leave, comes, among those of all */
    int32_t leavers, comers; /* of these */
} source_t;

typedef struct way_t {
    const ecs__cmd_t *head; /* the commands of its first entity */
    ecs__asked_t asked;
    int32_t source;       /* of its entities; -1: they are to be */
    int32_t goal;         /* the source to which they come; -1: another table, or none */
    int32_t begin, count; /* its entities, among those of all */
    int32_t first, last;  /* queues */
    ecs__change_t change;
} way_t;

struct ecs__mixed_queue_t {
    ecs__queue_iter_t iter; /* how far it was scanned */
    bool is_scanned;
    int32_t begin, count;               /* its chains, among those of all */
    int32_t of_way[ECS__MIXED_WAYS];    /* chains; then where the next one goes */
    int32_t by_source[ECS__MIXED_WAYS]; /* who leaves or comes; then where the next one goes */
    int32_t first[ECS__MIXED_WAYS], last[ECS__MIXED_WAYS]; /* rows of a source */
    int32_t ending; /* entities; then where the next one goes */
};

typedef struct attempt_t {
    ecs_world_t *world;
    const ecs__cmd_queue_t *queues;
    int32_t count, from; /* queues; the first one that is left to others */
    int64_t commands;
    int32_t way_count, source_count, ending; /* ending: entities */
    uint32_t is_given_up; /* by any thread in scan_some(), for the others there */
    way_t ways[ECS__MIXED_WAYS];
    source_t sources[ECS__MIXED_WAYS];
} attempt_t;

void ecs__mixed_fini(ecs__mixed_t *mixed) {
    ecs_os_free(mixed->heads);
    ecs_os_free(mixed->rows);
    ecs_os_free(mixed->ways);
    ecs_os_free(mixed->passing);
    ecs_os_free(mixed->fillers);
    ecs_os_free(mixed->queues);
}

static ecs__mixed_t *scratch(const attempt_t *attempt) { return &attempt->world->flush->mixed; }

// ---- ways ----

static bool is_new(const ecs__cmd_t *head) { return ecs__cmd_what(head)->kind == ECS__CMD_NEW; }

static int32_t find_source(const attempt_t *attempt, const ecs_table_t *table) {
    int32_t s = 0;
    while (s < attempt->source_count && attempt->sources[s].table != table) s++;
    return s < attempt->source_count ? s : NONE;
}

static int32_t source_of(attempt_t *attempt, ecs_table_t *table) {
    const int32_t known = table ? find_source(attempt, table) : NONE;
    if (!table || known != NONE) return known;
    attempt->sources[attempt->source_count] = (source_t){ .table = table };
    return attempt->source_count++;
}

static int32_t add_way(
    attempt_t *attempt, const ecs__cmd_t *head, ecs_table_t *table, int32_t queue) {
    if (attempt->way_count == ECS__MIXED_WAYS || is_new(head) == (table != NULL)) return REFUSED;
    if (!ecs__change_is_quiet(attempt->world, head, table)) return REFUSED;
    attempt->ways[attempt->way_count] = (way_t){ .head = head,
        .asked = ecs__asked(&attempt->world->store.entities, head, table),
        .source = source_of(attempt, table),
        .first = queue };
    return attempt->way_count++;
}

static int32_t find_way(
    const attempt_t *attempt, const ecs__cmd_t *head, const ecs_table_t *table) {
    for (int32_t w = 0; w < attempt->way_count; w++) {
        const way_t *way = &attempt->ways[w];
        if (way->asked.table == table && ecs__run_is_alike(way->head, head)) return w;
    }
    return NONE;
}

// ---- scanning ----

/** Chains of a queue that were seen lately, by what they say and of which table. */
#define SEEN 32
typedef struct seen_t {
    const ecs__cmd_t *head;
    uint64_t key;
    int32_t way;
} seen_t;

static inline seen_t *seen_place(seen_t *seen, const ecs__cmd_t *head, uint64_t key) {
    const uintptr_t says = head->what + (head->next ? 3 * head->next->what : 0);
    return &seen[((says ^ key >> 32) * 0x9E3779B97F4A7C15u) >> 59];
}

static inline bool is_same(const ecs__cmd_t *a, const ecs__cmd_t *b) {
    return (a->what == b->what && !a->next && !b->next) || ecs__run_is_alike(a, b);
}

typedef struct scan_t {
    attempt_t *attempt;
    int32_t number; /* of the queue */
    bool may_add;   /* ways: main thread only */
    seen_t seen[SEEN];
} scan_t;

// The row of the entity, if it may change in this way.
static int32_t row_in(const attempt_t *attempt, int32_t way, ecs_entity_t entity) {
    const ecs__asked_t *asked = &attempt->ways[way].asked;
    return asked->table ? ecs__asked_find(asked, entity) : 0;
}

static ECS__APART int32_t ask_way(
    scan_t *scan, const ecs__cmd_t *head, seen_t *seen, uint64_t key, int32_t *row) {
    attempt_t *attempt = scan->attempt;
    ecs_table_t *table =
        is_new(head) ? NULL : ecs__entity_table(&attempt->world->store.entities, head->entity);
    int32_t way = find_way(attempt, head, table);
    if (way == NONE && scan->may_add) way = add_way(attempt, head, table, scan->number);
    if (way < 0) return way;
    *row = row_in(attempt, way, head->entity);
    if (*row < 0) return REFUSED;
    if (key == attempt->ways[way].asked.key) *seen = (seen_t){ head, key, way };
    return way;
}

// Mostly neither is the entity marked, nor are places far.
static inline int32_t way_of(scan_t *scan, const ecs__cmd_t *head, int32_t *row) {
    const ecs__entity_index_t *index = &scan->attempt->world->store.entities;
    const ecs__record_t *record = NULL;
    if (!is_new(head)) {
        if ((uint32_t)head->entity >= index->made) return REFUSED;
        record = ecs__record_of(index, head->entity);
    }
    const uint64_t key = record ? ecs__record_key(record, head->entity) : 0;
    seen_t *seen = seen_place(scan->seen, head, key);
    if (!seen->head || seen->key != key || !is_same(seen->head, head))
        return ask_way(scan, head, seen, key, row);
    *row = record ? (int32_t)ecs__record_near_row(record) : 0;
    return seen->way;
}

// Rows of a table rise.
static inline bool note_row(ecs__mixed_queue_t *queue, int32_t source, int32_t row) {
    if (queue->last[source] < 0) queue->first[source] = row;
    if (row <= queue->last[source]) return false;
    queue->last[source] = row;
    return true;
}

// Stops before a chain of which no way is known; false if all is of no use.
static bool scan_queue(attempt_t *attempt, int32_t number, bool may_add) {
    const ecs__mixed_t *mixed = scratch(attempt);
    ecs__mixed_queue_t *queue = &mixed->queues[number];
    scan_t scan = { .attempt = attempt, .number = number, .may_add = may_add };
    ecs__queue_iter_t iter = queue->iter;
    ecs__cmd_t *head;
    int32_t row = 0, way = 0;
    while ((head = ecs__queue_peek(&iter))) {
        way = way_of(&scan, head, &row);
        if (way < 0) {
            queue->iter = iter;
            return way == NONE;
        }
        if (!ecs__chain_pass(head, &iter, ECS__CHANGE_LONGEST)) return false;
        const int32_t source = attempt->ways[way].source, at = queue->begin + queue->count++;
        if (source >= 0 && !note_row(queue, source, row)) return false;
        mixed->heads[at] = head;
        mixed->rows[at] = row;
        mixed->ways[at] = (uint8_t)way;
        queue->of_way[way]++;
    }
    queue->is_scanned = true;
    return true;
}

static void scan_some(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    attempt_t *attempt = ctx;
    (void)worker;
    for (int64_t i = begin; i < end && !ecs__load_32(&attempt->is_given_up); i++) {
        const int32_t number = attempt->from + (int32_t)i;
        if (scratch(attempt)->queues[number].is_scanned) continue;
        if (!scan_queue(attempt, number, false)) ecs__store_32(&attempt->is_given_up, 1);
    }
}

static void begin_scan(const attempt_t *attempt) {
    int32_t chains = 0;
    for (int32_t i = 0; i < attempt->count; i++) {
        ecs__mixed_queue_t *queue = &scratch(attempt)->queues[i];
        *queue = (ecs__mixed_queue_t){ .iter = ecs__queue_iter(&attempt->queues[i], 1),
            .is_scanned = !attempt->queues[i].count,
            .begin = chains };
        memset(queue->last, -1, sizeof queue->last);
        chains += attempt->queues[i].count; /* or less */
    }
}

// Ways are found in the order in which they come first, as their tables have to be made in it.
static bool scan_all(attempt_t *attempt) {
    begin_scan(attempt);
    for (int32_t i = 0; i < attempt->count; i++) {
        if (scratch(attempt)->queues[i].is_scanned) continue;
        if (!scan_queue(attempt, i, true)) return false;
        attempt->from = i + 1;
        ecs__flush_share(attempt->world->flush, attempt->commands, attempt->count - attempt->from,
            scan_some, attempt);
        if (attempt->is_given_up) return false;
    }
    return true;
}

// ---- who leaves and comes ----

static bool moves(const way_t *way) { return way->change.src != way->change.dst; }

static bool leaves(const way_t *way) { return way->change.src && moves(way); }

static bool rises_between(const attempt_t *attempt, int32_t source) {
    int32_t last = -1;
    for (int32_t i = 0; i < attempt->count; i++) {
        const ecs__mixed_queue_t *queue = &scratch(attempt)->queues[i];
        if (queue->last[source] < 0) continue;
        if (queue->first[source] <= last) return false;
        last = queue->last[source];
    }
    return true;
}

// False also if nobody moves: values that stay in their rows are left to in_place.h.
static bool find_changes(attempt_t *attempt) {
    bool any_moves = false;
    for (int32_t w = 0; w < attempt->way_count; w++) {
        way_t *way = &attempt->ways[w];
        ecs_table_t *src = (ecs_table_t *)way->asked.table;
        if (!ecs__change_find(attempt->world, way->head, src, false, &way->change)) return false;
        way->goal = moves(way) ? find_source(attempt, way->change.dst) : NONE;
        any_moves |= moves(way);
    }
    return any_moves;
}

static void count_queue(attempt_t *attempt, ecs__mixed_queue_t *queue, way_t *way, int32_t count) {
    if (leaves(way)) {
        queue->by_source[way->source] += count;
        attempt->sources[way->source].leavers += count;
    }
    if (way->goal >= 0) {
        queue->by_source[way->goal] += count;
        attempt->sources[way->goal].comers += count;
    }
    if (!way->change.dst) queue->ending += count;
}

// Where each queue puts its chains among those of a way.
static void find_places(attempt_t *attempt) {
    int32_t begin = 0;
    for (int32_t w = 0; w < attempt->way_count; w++) {
        way_t *way = &attempt->ways[w];
        way->begin = begin;
        for (int32_t i = 0; i < attempt->count; i++) {
            ecs__mixed_queue_t *queue = &scratch(attempt)->queues[i];
            const int32_t count = queue->of_way[w];
            if (count) way->last = i;
            queue->of_way[w] = begin;
            begin += count;
            count_queue(attempt, queue, way, count);
        }
        way->count = begin - way->begin;
    }
}

// And who leaves among those of a table, and who ends among all.
static void find_more_places(attempt_t *attempt) {
    int32_t begin = 0;
    for (int32_t s = 0; s < attempt->source_count; s++) {
        source_t *source = &attempt->sources[s];
        source->begin = begin;
        for (int32_t i = 0; i < attempt->count; i++) {
            int32_t *place = &scratch(attempt)->queues[i].by_source[s], count = *place;
            *place = begin;
            begin += count;
        }
        source->count = begin - source->begin;
    }
    for (int32_t i = 0; i < attempt->count; i++) {
        int32_t *place = &scratch(attempt)->queues[i].ending, count = *place;
        *place = attempt->ending;
        attempt->ending += count;
    }
}

// Who comes to a table comes way by way.
static bool may_go_by_ways(const attempt_t *attempt) {
    for (int32_t b = 0; b < attempt->way_count; b++) {
        const way_t *y = &attempt->ways[b];
        for (int32_t a = 0; a < b && y->change.dst && moves(y); a++) {
            const way_t *x = &attempt->ways[a];
            if (moves(x) && x->change.dst == y->change.dst && x->last >= y->first) return false;
        }
    }
    return true;
}

// ---- sorting ----

static void sort_queue(const attempt_t *attempt, int32_t number) {
    const ecs__mixed_t *mixed = scratch(attempt);
    const ecs__run_t *run = &attempt->world->flush->run;
    ecs__mixed_queue_t *queue = &mixed->queues[number];
    for (int32_t i = queue->begin; i < queue->begin + queue->count; i++) {
        const way_t *way = &attempt->ways[mixed->ways[i]];
        const int32_t at = queue->of_way[mixed->ways[i]]++;
        run->rows[at] = mixed->rows[i];
        run->cmds[at] = mixed->heads[i];
        if (leaves(way)) mixed->passing[queue->by_source[way->source]++] = mixed->rows[i];
        if (way->goal >= 0) mixed->passing[queue->by_source[way->goal]++] = ECS__BULK_COMES;
        if (!way->change.dst) run->entities[queue->ending++] = mixed->heads[i]->entity;
    }
}

static void sort_some(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)worker;
    for (int64_t i = begin; i < end; i++) sort_queue(ctx, (int32_t)i);
}

// ---- changing ----

static void change(const attempt_t *attempt, const way_t *way) {
    if (!way->change.dst) {
        ecs__change_count(attempt->world, &way->change, way->count);
        return;
    }
    ecs__run_t run = attempt->world->flush->run;
    run.rows += way->begin;
    run.cmds += way->begin;
    ecs__run_begin(&run, way->head);
    run.leaves_rows = true;
    run.count = way->count;
    ecs__change_carry_out(attempt->world, &way->change, &run);
}

typedef struct leave_t {
    const attempt_t *attempt;
    ecs__bulk_t bulk;
} leave_t;

static void leave_parts(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    const leave_t *leave = ctx;
    const int32_t size = leave->attempt->world->flush->sharing.part;
    (void)worker;
    ecs__bulk_part(&leave->bulk, (int32_t)begin * size,
        (int32_t)ECS_MIN(end * size, (int64_t)leave->bulk.count));
}

static void share_parts(const attempt_t *attempt, int32_t count, ecs_ext_part_t part, void *ctx) {
    const ecs__flush_t *flush = attempt->world->flush;
    const int32_t size = flush->sharing.part;
    ecs__flush_share(flush, count, (count + size - 1) / size, part, ctx);
}

static void leave(const attempt_t *attempt, const source_t *source) {
    leave_t leave = { .attempt = attempt,
        .bulk = { .src = source->table,
            .rows = scratch(attempt)->passing + source->begin,
            .fillers = scratch(attempt)->fillers + 3 * source->begin,
            .count = source->count,
            .comers = source->comers } };
    ecs__bulk_begin(&leave.bulk);
    share_parts(attempt, source->count, leave_parts, &leave);
    ecs__bulk_end(&leave.bulk);
}

typedef struct freeing_t {
    const attempt_t *attempt;
    int32_t at; /* where the first id goes */
} freeing_t;

static void free_parts(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    const freeing_t *freeing = ctx;
    ecs_world_t *world = freeing->attempt->world;
    const int32_t size = world->flush->sharing.part, from = (int32_t)begin * size,
                  to = (int32_t)ECS_MIN(end * size, (int64_t)freeing->attempt->ending);
    (void)worker;
    ecs__entity_free_part(
        &world->store.entities, world->flush->run.entities + from, to - from, freeing->at + from);
}

static void free_ids(const attempt_t *attempt) {
    ecs_world_t *world = attempt->world;
    const ecs_entity_t *entities = world->flush->run.entities;
    ecs__entity_index_t *index = &world->store.entities;
    freeing_t freeing = { attempt, ecs__entity_free_begin(index, entities, attempt->ending) };
    if (freeing.at < 0)
        ecs__entity_free_many(index, entities, attempt->ending);
    else
        share_parts(attempt, attempt->ending, free_parts, &freeing);
    world->info.id_delete_total += attempt->ending;
}

// What stays in its row is written before the row may be copied or take another place, and all are copied before that.
static void apply(attempt_t *attempt) {
    ecs__flush_share(attempt->world->flush, attempt->commands, attempt->count, sort_some, attempt);
    for (int32_t moving = 0; moving < 2; moving++) {
        for (int32_t w = 0; w < attempt->way_count; w++)
            if (moves(&attempt->ways[w]) == moving) change(attempt, &attempt->ways[w]);
    }
    for (int32_t s = 0; s < attempt->source_count; s++)
        if (attempt->sources[s].leavers) leave(attempt, &attempt->sources[s]);
    if (attempt->ending) free_ids(attempt);
}

// ---- the whole ----

static ECS__APART void grow(ecs__mixed_t *mixed, int32_t size) {
    mixed->size = ECS_MAX(size, 2 * mixed->size);
    mixed->heads = ecs_os_realloc_n(mixed->heads, ecs__cmd_t *, mixed->size);
    mixed->rows = ecs_os_realloc_n(mixed->rows, int32_t, mixed->size);
    mixed->ways = ecs_os_realloc_n(mixed->ways, uint8_t, mixed->size);
    mixed->passing = ecs_os_realloc_n(mixed->passing, int32_t, 2 * mixed->size);
    mixed->fillers = ecs_os_realloc_n(mixed->fillers, int32_t, 6 * mixed->size);
}

static void make_room(const attempt_t *attempt) {
    ecs__mixed_t *mixed = scratch(attempt);
    if (mixed->size < attempt->commands) grow(mixed, (int32_t)attempt->commands);
    ecs__run_reserve(&attempt->world->flush->run, (int32_t)attempt->commands);
    if (mixed->queues_size >= attempt->count) return;
    mixed->queues_size = ECS_MAX(attempt->count, 2 * mixed->queues_size);
    mixed->queues = ecs_os_realloc_n(mixed->queues, ecs__mixed_queue_t, mixed->queues_size);
}

static bool is_mixed(attempt_t *attempt) {
    if (!scan_all(attempt)) return false;
    for (int32_t s = 0; s < attempt->source_count; s++) {
        if (!rises_between(attempt, s)) return false;
    }
    if (!find_changes(attempt)) return false;
    find_places(attempt);
    find_more_places(attempt);
    return may_go_by_ways(attempt);
}

bool ecs__flush_mixed(ecs_world_t *world, const ecs__cmd_queue_t *queues, int32_t count,
    int64_t commands, int32_t *looked) {
    attempt_t attempt = { .world = world, .queues = queues, .count = count, .commands = commands };
    *looked = 0;
    if (commands > MOST_COMMANDS) return false;
    make_room(&attempt);
    const bool is = is_mixed(&attempt);
    for (int32_t i = 0; i < count; i++) *looked += world->flush->mixed.queues[i].count;
    if (!is) return false;
    apply(&attempt);
    world->flush->mixed.total++;
    return true;
}

#define ASKED 16

static bool is_varied(const ecs__cmd_queue_t *queue) {
    ecs__queue_iter_t iter = ecs__queue_iter(queue, 1);
    const ecs__cmd_t *head, *previous = NULL;
    int32_t others = 0;
    for (int32_t i = 0; i < ASKED && (head = ecs__queue_peek(&iter)); i++, previous = head) {
        if (!ecs__chain_pass(head, &iter, ECS__CHANGE_LONGEST)) return false;
        others += previous && !is_same(previous, head);
    }
    return others > ASKED / 4;
}

bool ecs__flush_varied(ecs_world_t *world, ecs__tries_t *tries, const ecs__cmd_queue_t *queue) {
    if (queue->count < ECS__TRIES_FEWEST || queue->kinds & ~ECS__RUN_KINDS) return false;
    if (ecs_vec_count(&world->suspects) || !is_varied(queue) || ecs__tries_wait(tries))
        return false;
    int32_t looked;
    const bool is_done = ecs__flush_mixed(world, queue, 1, queue->count, &looked);
    ecs__tries_tell(tries, is_done);
    return is_done;
}
