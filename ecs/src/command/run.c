// SPDX-License-Identifier: MIT
#include "command/run.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "base/apart.h"
#include "command/change.h"
#include "command/flush.h"
#include "world/state.h"

// Shorter runs are applied one by one just as fast.
#define FEWEST 4
// Where a run was not as plain as it looked, the next ones are not either. Commands.
#define SHORTEST_PAUSE 16
#define LONGEST_PAUSE 1024

void ecs__run_fini(ecs__run_t *run) {
    ecs_os_free(run->cmds);
    ecs_os_free(run->rows);
    ecs_os_free(run->entities);
    ecs_os_free(run->fillers);
    *run = (ecs__run_t){ 0 };
}

// ---- who may be part ----

static bool ends(const ecs__cmd_t *cmd) {
    ecs__cmd_kind_t kind = ecs__cmd_what(cmd)->kind;
    return kind == ECS__CMD_DELETE || kind == ECS__CMD_CLEAR;
}

// Marks of entities that concern others when they move, or when they end.
static uint32_t refused_marks(const ecs__cmd_t *head) {
    uint32_t refused = EcsEntityIsTraversable;
    for (const ecs__cmd_t *cmd = head; cmd; cmd = cmd->next) {
        if (ends(cmd)) refused |= cmd == head ? UINT32_MAX : EcsEntityHasDontFragment;
    }
    return refused;
}

ecs__asked_t ecs__asked(
    const ecs__entity_index_t *index, const ecs__cmd_t *head, const ecs_table_t *table) {
    const uint64_t key = table ? ecs__table_key(table) : 0;
    return (ecs__asked_t){ index, table, key, refused_marks(head) };
}

ECS__APART int32_t ecs__asked_find_any(const ecs__asked_t *asked, ecs_entity_t entity) {
    const ecs__spot_t spot = ecs__entity_find(asked->index, entity);
    bool may_be =
        spot.table == asked->table && !(ecs__entity_marks(asked->index, entity) & asked->refused);
    return may_be ? spot.row : -1;
}

// ---- collecting ----

static ECS__APART void grow(ecs__run_t *run, int32_t size) {
    run->size = size;
    run->cmds = ecs_os_realloc_n(run->cmds, ecs__cmd_t *, size);
    run->rows = ecs_os_realloc_n(run->rows, int32_t, size);
    run->entities = ecs_os_realloc_n(run->entities, ecs_entity_t, size);
    run->fillers = ecs_os_realloc_n(run->fillers, int32_t, 3 * size);
}

void ecs__run_reserve(ecs__run_t *run, int32_t size) {
    if (run->size < size) grow(run, ECS_MAX(size, 2 * run->size));
}

// A single add or remove needs nothing but rows.
void ecs__run_begin(ecs__run_t *run, const ecs__cmd_t *head) {
    ecs__cmd_kind_t kind = ecs__cmd_what(head)->kind;
    run->count = 0;
    run->keeps_entities = kind == ECS__CMD_DELETE;
    run->keeps_cmds = head->next || kind == ECS__CMD_NEW || ecs__cmd_holds_value(head);
}

// There is room.
static inline void put(ecs__run_t *run, int32_t at, ecs__cmd_t *cmd, int32_t row) {
    int32_t *rows = run->rows;
    if (run->keeps_cmds) run->cmds[at] = cmd;
    if (run->keeps_entities) run->entities[at] = cmd->entity;
    rows[at] = row;
}

static ECS__APART bool is_alike_long(const ecs__cmd_t *a, const ecs__cmd_t *b, int32_t left) {
    if (ecs__cmd_is(b, ECS__CMD_FOLDED | ECS__CMD_AHEAD)) return false;
    for (; a && b && left; a = a->next, b = b->next, left--) {
        const ecs__cmd_what_t *x = ecs__cmd_what(a), *y = ecs__cmd_what(b);
        if (x != y && (x->kind != y->kind || x->id != y->id)) return false;
    }
    return a == b;
}

// The commands of two entities, in order. Mostly it was said in the same words. Each command may begin what is left of its chain: of a long
// one, which is no change, not all is gone through each time.
bool ecs__run_is_alike(const ecs__cmd_t *a, const ecs__cmd_t *b) {
    int32_t left = ECS__CHANGE_LONGEST;
    for (; a->what == b->what; a = a->next, b = b->next) {
        if (!a->next || !b->next) return a->next == b->next;
        if (!--left) return false;
    }
    return is_alike_long(a, b, left);
}

// The next chain like that of `head`, or NULL. What was applied ahead is passed over.
static inline ecs__cmd_t *peek_alike(const ecs__cmd_t *head, ecs__queue_iter_t *iter) {
    ecs__cmd_t *cmd;
    while ((cmd = ecs__queue_peek(iter)) && !ecs__run_is_alike(head, cmd)) {
        if (!ecs__cmd_is(cmd, ECS__CMD_AHEAD)) return NULL;
        ecs__queue_pass(iter, cmd);
    }
    return cmd;
}

static inline int32_t find(const ecs__asked_t *asked, ecs_entity_t entity, bool is_placed) {
    return is_placed ? ecs__asked_find(asked, entity) : 0;
}

// The end of a chain, if the rest of it lies behind `at` and says the same as that of `head`; else NULL.
static inline char *pass_rest(const ecs__cmd_t *head, const ecs__cmd_t *cmd, char *at) {
    while ((head = head->next)) {
        if ((char *)cmd->next != at) return NULL;
        cmd = cmd->next;
        if (cmd->what != head->what) return NULL;
        at += ecs__cmd_what(head)->size;
    }
    return cmd->next ? NULL : at;
}

// Chains that lie next to each other in what is left of a block, as long as there is room.
static inline __attribute__((always_inline)) void collect_beside(ecs__run_t *run,
    const ecs__asked_t *asked, const ecs__cmd_t *head, ecs__queue_iter_t *iter, bool is_placed) {
    const uintptr_t what = head->what;
    const uint32_t size = ecs__cmd_what(head)->size;
    char *at = iter->at, *behind;
    int32_t count = run->count;
    for (; at != iter->block_end && count < run->size; at = behind) {
        ecs__cmd_t *cmd = (ecs__cmd_t *)(void *)at;
        if (cmd->what != what || !(behind = pass_rest(head, cmd, at + size))) break;
        const int32_t row = find(asked, cmd->entity, is_placed);
        if (row < 0) break;
        put(run, count++, cmd, row);
    }
    run->count = count;
    iter->at = at;
}

// Entities that are to be would be in the root table until their next command.
static inline __attribute__((always_inline)) void collect_kind(ecs__run_t *run,
    const ecs__asked_t *asked, const ecs__cmd_t *head, ecs__queue_iter_t *iter, int32_t limit,
    bool is_placed) {
    ecs__cmd_t *cmd;
    while (run->count < limit && (cmd = peek_alike(head, iter))) {
        const int32_t row = find(asked, cmd->entity, is_placed);
        ecs__queue_iter_t end = *iter;
        if (row < 0 || !(ecs__chain_pass(cmd, &end, ECS__CHANGE_LONGEST) || is_placed)) return;
        *iter = end;
        if (run->count == run->size) grow(run, ECS_MAX(64, 2 * run->size));
        put(run, run->count++, cmd, row);
        /* Another queue says the same in words of its own. */
        if (limit == INT32_MAX) collect_beside(run, asked, cmd, iter, is_placed);
    }
}

void ecs__run_collect(ecs__run_t *run, const ecs__entity_index_t *index, const ecs__cmd_t *head,
    const ecs_table_t *table, ecs__queue_iter_t *iter, int32_t limit) {
    const ecs__asked_t asked = ecs__asked(index, head, table);
    if (table)
        collect_kind(run, &asked, head, iter, limit, true);
    else
        collect_kind(run, &asked, head, iter, limit, false);
}

bool ecs__run_rises(const ecs__run_t *run) {
    bool falls = false;
    for (int32_t i = 1; i < run->count; i++) falls |= run->rows[i] <= run->rows[i - 1];
    return !falls;
}

// How many there are before one that is there already, at least: 0 if they are too far from each other to tell.
static int32_t count_distinct(const ecs__run_t *run) {
    if (ecs__run_rises(run)) return run->count;
    int32_t least = INT32_MAX, most = 0;
    for (int32_t i = 0; i < run->count; i++) {
        least = ECS_MIN(least, run->rows[i]);
        most = ECS_MAX(most, run->rows[i]);
    }
    uint64_t *seen = (uint64_t *)(void *)run->fillers; /* not needed yet */
    const int32_t words = (most - least) / 64 + 1;
    if (words > 3 * run->size / 2) return 0;
    memset(seen, 0, (size_t)words * sizeof *seen);
    for (int32_t i = 0; i < run->count; i++) {
        const int32_t row = run->rows[i] - least;
        const uint64_t bit = 1ull << (row & 63);
        if (seen[row / 64] & bit) return i;
        seen[row / 64] |= bit;
    }
    return run->count;
}

// ---- the whole ----

bool ecs__run_apply(ecs_world_t *world, ecs__run_t *run, ecs__queue_iter_t *iter) {
    ecs__cmd_t *head = ecs__queue_peek(iter);
    ecs__cmd_kind_t kind = ecs__cmd_what(head)->kind;
    if (ecs__cmd_is(head, ECS__CMD_FOLDED)) return false;
    const ecs__entity_index_t *index = &world->store.entities;
    ecs__queue_iter_t end = *iter;
    ecs__chain_pass(head, &end, ECS__CHANGE_LONGEST);
    if (!peek_alike(head, &end)) return false; /* mostly tells that there is no run */
    ecs_table_t *table = ecs__entity_table(index, head->entity);
    if (!table == (kind != ECS__CMD_NEW)) return false;
    end = *iter;
    ecs__run_begin(run, head);
    ecs__run_collect(run, index, head, table, &end, FEWEST);
    if (run->count < FEWEST) return false;
    ecs__change_t change;
    if (!ecs__change_find(world, head, table, false, &change)) {
        ecs__tries_pause(&run->tries, SHORTEST_PAUSE, LONGEST_PAUSE);
        return false;
    }
    ecs__run_collect(run, index, head, table, &end, INT32_MAX);
    const int32_t distinct = change.ends_chains && table ? count_distinct(run) : run->count;
    if (distinct < FEWEST) {
        ecs__tries_pause(&run->tries, SHORTEST_PAUSE, LONGEST_PAUSE);
        return false;
    }
    if (distinct < run->count) {
        end = *iter;
        ecs__run_begin(run, head);
        ecs__run_collect(run, index, head, table, &end, distinct);
    }
    run->tries.pause = 0;
    ecs__change_carry_out(world, &change, run);
    *iter = end;
    return true;
}
