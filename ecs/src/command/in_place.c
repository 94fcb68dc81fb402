// SPDX-License-Identifier: MIT
#include "command/in_place.h"

#include "base/atomics.h"
#include "command/quiet.h"
#include "event/emit.h"
#include "storage/bases.h"
#include "storage/id_range.h"
#include "storage/watch.h"
#include "world/state.h"

// Commands of a queue that are asked whether one sets what may be there.
#define ASKED 256

#define KIND(kind) (1u << ECS__CMD_##kind)
#define KINDS_ALLOWED (ECS__RUN_KINDS | KIND(MODIFIED))

typedef struct attempt_t {
    ecs_world_t *world;
    ecs__cmd_queue_t *queues;
    bool is_shared; /* several threads may be at it */
    bool is_once;   /* no entity has two commands: nobody has to claim any */
    uint32_t high;  /* no index at or above was issued, in any range */
    uint32_t is_given_up;
} attempt_t;

// What was found out about an id, and about its column in the table it was seen in last.
typedef struct fact_t {
    ecs_id_t id;
    bool is_quiet;
    int32_t column; /* in the table, if values are plain; else -1 */
    const ecs_table_t *table;
} fact_t;

// Commands mostly say of other entities what was said lately.
#define FACTS 4
typedef struct memo_t {
    fact_t facts[FACTS];
    ecs__chain_page_t *page; /* of the last claim, and its number */
    uint32_t page_number;
} memo_t;

// ---- claims ----

// Not NULL, and different for each queue.
static void *mark_of(int32_t queue) { return (void *)((uintptr_t)queue + 2); }
static void *const nobodys = (void *)(uintptr_t)1;

static void **word_of(const attempt_t *attempt, ecs_entity_t entity, memo_t *memo) {
    uint32_t id = (uint32_t)entity, number = id >> ECS__CHAIN_PAGE_BITS;
    if (!memo->page || memo->page_number != number) {
        memo->page = ecs__chain_page(&attempt->world->flush->chains, id);
        memo->page_number = number;
    }
    return (void **)(void *)&memo->page->ends[id & (ECS__CHAIN_PAGE_SIZE - 1)];
}

static void claim(const attempt_t *attempt, ecs_entity_t entity, void *mark, memo_t *memo) {
    void **word = word_of(attempt, entity, memo), *now = ecs__load_ptr(word);
    if (now == mark || now == nobodys) return;
    if (now)
        ecs__store_ptr(word, nobodys);
    else if (!attempt->is_shared)
        *word = mark;
    else if (!ecs__cas_ptr(word, NULL, mark))
        ecs__store_ptr(word, nobodys);
}

// ---- look ----

static bool is_heard(const ecs_world_t *world, ecs_id_t id) {
    const ecs_component_record_t *record = ecs__id_record_get(&world->store, id);
    return world->events.listened && ecs__events_heard(&world->events, record,
                                         ECS__HEARD_ADD | ECS__HEARD_REMOVE | ECS__HEARD_SET);
}

static fact_t *fact_of(const attempt_t *attempt, ecs_id_t id, memo_t *memo) {
    fact_t *fact = &memo->facts[id % FACTS];
    if (fact->id != id) {
        bool is_quiet = ecs__id_is_quiet(attempt->world, id) && !is_heard(attempt->world, id);
        *fact = (fact_t){ .id = id, .is_quiet = is_quiet };
    }
    return fact;
}

#define OWN_TRAITS_OF_TABLES                                                                      \
    (EcsTableHasCtors | EcsTableHasDtors | EcsTableHasCopy | EcsTableHasMove | EcsTableHasOnSet | \
        EcsTableHasToggle | ECS__TABLE_IS_PASSAGE)

// Does losing everything concern this entity alone?
static bool may_go(const attempt_t *attempt, ecs_entity_t entity) {
    const ecs__entity_index_t *index = &attempt->world->store.entities;
    const ecs_table_t *table = ecs__entity_table(index, entity);
    if (!table) return true;
    if (ecs__emit_concerns_loss(&attempt->world->events, table)) return false;
    return !(ecs__entity_marks(index, entity) & ECS_ROW_FLAGS_MASK) &&
           !(table->flags & ~OWN_TRAITS_OF_TABLES);
}

// What is added to an instance begins as what its base has, which may be about to be set.
static bool starts_as_base(const attempt_t *attempt, const ecs__cmd_t *cmd) {
    const ecs__store_t *store = &attempt->world->store;
    const ecs_id_t id = ecs__cmd_what(cmd)->id;
    const ecs_table_t *table = ecs__entity_table(&store->entities, cmd->entity);
    return table && table->flags & EcsTableHasIsA && ecs__id_record_get(store, id)->type_info &&
           ecs__bases_provide(table, id);
}

static bool is_harmless(const attempt_t *attempt, const ecs__cmd_t *cmd, memo_t *memo) {
    const ecs__cmd_what_t *what = ecs__cmd_what(cmd);
    if (what->kind == ECS__CMD_NEW) return true;
    if (what->kind == ECS__CMD_CLEAR || what->kind == ECS__CMD_DELETE)
        return may_go(attempt, cmd->entity);
    return fact_of(attempt, what->id, memo)->is_quiet &&
           !(what->kind == ECS__CMD_ADD && starts_as_base(attempt, cmd));
}

static int32_t plain_column(
    const attempt_t *attempt, ecs_table_t *table, ecs_id_t id, memo_t *memo) {
    fact_t *fact = fact_of(attempt, id, memo);
    if (fact->table == table) return fact->column;
    int32_t column = fact->is_quiet ? ecs__table_column(table, id) : -1;
    if (column >= 0 && table->columns[column].has_hooks) column = -1;
    /* Nobody hears of it; that the column changes is noted. */
    if (column >= 0) ecs__table_touch_values(table, column, 0, 0);
    fact->table = table;
    return fact->column = column;
}

// Where the value of a set goes, if it goes where a plain value is already.
static void *find_place(const attempt_t *attempt, const ecs__cmd_t *cmd, memo_t *memo) {
    if (ecs__cmd_what(cmd)->kind != ECS__CMD_SET) return NULL;
    const ecs__spot_t spot = ecs__entity_find(&attempt->world->store.entities, cmd->entity);
    if (!spot.table) return NULL;
    int32_t column = plain_column(attempt, spot.table, ecs__cmd_what(cmd)->id, memo);
    if (column < 0) return NULL;
    return ecs__table_cell(spot.table, column, spot.row);
}

static bool look_at(const attempt_t *attempt, ecs__cmd_t *cmd, void *mark, memo_t *memo) {
    if ((uint32_t)cmd->entity >= attempt->high) return true; /* never was */
    void *place = find_place(attempt, cmd, memo);
    if (!place && !is_harmless(attempt, cmd, memo)) return false;
    if (place) {
        cmd->what |= ECS__CMD_AHEAD;
        cmd->next = place;
    }
    if (!attempt->is_once) claim(attempt, cmd->entity, place ? mark : nobodys, memo);
    return true;
}

static void look(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    attempt_t *attempt = ctx;
    (void)worker;
    for (int64_t i = begin; i < end && !ecs__load_32(&attempt->is_given_up); i++) {
        memo_t memo = { 0 };
        ecs__queue_iter_t iter = ecs__queue_iter(&attempt->queues[i], 1);
        ecs__cmd_t *cmd;
        while ((cmd = ecs__queue_next(&iter))) {
            if (look_at(attempt, cmd, mark_of((int32_t)i), &memo)) continue;
            ecs__store_32(&attempt->is_given_up, 1);
            break;
        }
    }
}

// ---- write ----

// Whether the entity is that of one queue alone; if so, the claim ends.
static inline bool is_own(const attempt_t *attempt, ecs_entity_t entity, memo_t *memo) {
    if (attempt->is_once) return true;
    void **word = word_of(attempt, entity, memo);
    if (ecs__load_ptr(word) == nobodys) return false;
    ecs__store_ptr(word, NULL); /* nobody else asks for it */
    return true;
}

// True if the command is done with.
static bool write_one(const attempt_t *attempt, ecs__cmd_t *cmd, memo_t *memo) {
    if (!(ecs__cmd_is(cmd, ECS__CMD_AHEAD))) return false;
    void *place = cmd->next;
    cmd->next = NULL;
    if (!is_own(attempt, cmd->entity, memo)) {
        cmd->what &= ~(uintptr_t)ECS__CMD_AHEAD;
        return false;
    }
    ecs__copy_plain(place, ecs__cmd_payload(cmd), (size_t)ecs__cmd_what(cmd)->as.type_info->size);
    return true;
}

static void write(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    const attempt_t *attempt = ctx;
    (void)worker;
    for (int64_t i = begin; i < end; i++) {
        ecs__cmd_queue_t *queue = &attempt->queues[i];
        memo_t memo = { 0 };
        ecs__queue_iter_t iter = ecs__queue_iter(queue, 1);
        ecs__cmd_t *cmd;
        int32_t done = 0;
        while ((cmd = ecs__queue_next(&iter))) done += write_one(attempt, cmd, &memo);
        queue->done = done;
    }
}

// ---- the whole ----

// The words are wanted for chains now, and what is left is joined again: places took the room of links.
static void unclaim(const attempt_t *attempt, ecs__cmd_queue_t *queue, bool gives_up) {
    if (attempt->is_once && !gives_up) return;
    memo_t memo = { 0 };
    ecs__queue_iter_t iter = ecs__queue_iter(queue, 1);
    ecs__cmd_t none = { 0 }, *previous = &none, *cmd;
    while ((cmd = ecs__queue_next(&iter))) {
        if (ecs__cmd_is(cmd, ECS__CMD_AHEAD) && gives_up) {
            cmd->what &= ~(uintptr_t)ECS__CMD_AHEAD;
            cmd->next = NULL;
        }
        if (ecs__cmd_is(cmd, ECS__CMD_AHEAD)) continue;
        if (!attempt->is_once) *word_of(attempt, cmd->entity, &memo) = NULL;
        if (ecs__cmd_what(cmd)->kind == ECS__CMD_MODIFIED) continue;
        ecs__cmd_join(previous, cmd);
        previous = cmd;
    }
}

// Sets mostly come early, and those of entities to be have no place yet.
static bool sets_placed(const ecs__entity_index_t *index, const ecs__cmd_queue_t *queue) {
    ecs__queue_iter_t iter = ecs__queue_iter(queue, 1);
    const ecs__cmd_t *cmd;
    for (int32_t i = 0; i < ASKED && (cmd = ecs__queue_next(&iter)); i++) {
        if (ecs__cmd_what(cmd)->kind == ECS__CMD_SET && ecs__entity_is_alive(index, cmd->entity))
            return true;
    }
    return false;
}

static bool is_worth_it(
    const ecs_world_t *world, const ecs__cmd_queue_t *queues, int32_t count, int64_t *commands) {
    uint32_t kinds = 0;
    *commands = 0;
    for (int32_t i = 0; i < count; i++) {
        kinds |= queues[i].count ? queues[i].kinds : 0;
        *commands += queues[i].count;
    }
    if (*commands < ECS__TRIES_FEWEST || !(kinds & KIND(SET)) || kinds & ~KINDS_ALLOWED)
        return false;
    if (world->events.listened & ECS__LISTEN_COUNTS) return false;
    for (int32_t i = 0; i < count; i++) {
        if (queues[i].kinds & KIND(SET) && sets_placed(&world->store.entities, &queues[i]))
            return true;
    }
    return false;
}

void ecs__flush_in_place(ecs_world_t *world, ecs__cmd_queue_t *queues, int32_t count) {
    ecs__flush_t *flush = world->flush;
    int64_t commands;
    if (!is_worth_it(world, queues, count, &commands)) return;
    attempt_t attempt = { world, queues, ecs__flush_shares(flush, commands),
        !ecs__chains_order(queues, count), ecs__id_ranges_high(&world->store.entities), 0 };
    ecs__chains_reserve(&flush->chains, attempt.high);
    ecs__flush_share(flush, commands, count, look, &attempt);
    if (!attempt.is_given_up) ecs__flush_share(flush, commands, count, write, &attempt);
    for (int32_t i = 0; i < count; i++) {
        world->info.cmd.set_count += queues[i].done;
        if (queues[i].done < queues[i].count) unclaim(&attempt, &queues[i], attempt.is_given_up);
    }
}
