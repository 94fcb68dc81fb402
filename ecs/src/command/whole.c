// SPDX-License-Identifier: MIT
#include "command/whole.h"

#include <muster/ecs/os.h>

#include "base/apart.h"
#include "base/atomics.h"
#include "command/change.h"
#include "command/flush.h"
#include "world/state.h"

#define MOST_GROUPS 8

typedef struct group_t {
    const ecs__cmd_t *head; /* the commands of its first entity */
    ecs_table_t *table;     /* NULL: entities are to be */
    uint32_t kinds;
    int32_t length; /* commands of each entity */
    int32_t begin, count;
} group_t;

typedef struct attempt_t {
    ecs_world_t *world;
    const ecs__cmd_queue_t *queues;
    int32_t count;
    int32_t group_count, total; /* total: entities */
    int64_t commands;
    bool is_heard; /* by somebody */
    uint32_t is_given_up;
    group_t groups[MOST_GROUPS];
} attempt_t;

void ecs__whole_fini(ecs__whole_t *whole) { ecs_os_free(whole->queues); }

// ---- splitting ----

// Values that stay in their rows: see in_place.h.
static bool stays(const group_t *group) {
    const ecs__cmd_t *cmd = group->head;
    while (cmd && group->table && ecs__cmd_has_place(group->table, cmd)) cmd = cmd->next;
    return !cmd;
}

static bool is_of_its_own(const attempt_t *attempt, const ecs_table_t *table) {
    bool is_known = false;
    for (int32_t i = 0; table && i < attempt->group_count; i++)
        is_known |= attempt->groups[i].table == table;
    return !is_known;
}

static group_t *begin_group(attempt_t *attempt, const ecs__cmd_t *head, ecs_table_t *table) {
    bool is_new = ecs__cmd_what(head)->kind == ECS__CMD_NEW;
    if (attempt->group_count == MOST_GROUPS || is_new == (table != NULL)) return NULL;
    if (!is_of_its_own(attempt, table)) return NULL;
    group_t *group = &attempt->groups[attempt->group_count++];
    *group = (group_t){ .head = head, .table = table, .begin = attempt->total };
    for (const ecs__cmd_t *cmd = head; cmd; cmd = cmd->next, group->length++)
        group->kinds |= 1u << ecs__cmd_what(cmd)->kind;
    attempt->is_heard = !ecs__change_is_quiet(attempt->world, head, table);
    return attempt->is_heard || stays(group) ? NULL : group;
}

// Mostly that of the queue before.
static group_t *group_of(attempt_t *attempt, const ecs__cmd_t *head) {
    ecs_table_t *table = ecs__entity_table(&attempt->world->store.entities, head->entity);
    if (attempt->group_count) {
        group_t *last = &attempt->groups[attempt->group_count - 1];
        if (last->table == table && ecs__run_is_alike(last->head, head)) return last;
    }
    return begin_group(attempt, head, table);
}

static bool add_queue(attempt_t *attempt, int32_t number) {
    const ecs__cmd_queue_t *queue = &attempt->queues[number];
    ecs__queue_iter_t iter = ecs__queue_iter(queue, 1);
    group_t *group = group_of(attempt, ecs__queue_peek(&iter));
    if (!group || queue->kinds != group->kinds || queue->count % group->length) return false;
    int32_t count = queue->count / group->length;
    attempt->world->flush->whole.queues[number] =
        (ecs__whole_queue_t){ (int32_t)(group - attempt->groups), attempt->total, count };
    group->count += count;
    attempt->total += count;
    return true;
}

static bool split(attempt_t *attempt) {
    ecs__whole_queue_t *queues = attempt->world->flush->whole.queues;
    for (int32_t i = 0; i < attempt->count; i++) {
        queues[i] = (ecs__whole_queue_t){ 0 };
        if (attempt->queues[i].count && !add_queue(attempt, i)) return false;
    }
    return true;
}

// ---- collecting ----

// Some entities among all, none of them there yet.
static ecs__run_t window(
    const attempt_t *attempt, const group_t *group, int32_t begin, int32_t count) {
    ecs__run_t run = attempt->world->flush->run;
    run.rows += begin;
    run.cmds += begin;
    run.entities += begin;
    run.fillers += 3 * begin;
    run.size = count;
    ecs__run_begin(&run, group->head);
    return run;
}

static bool collect_queue(const attempt_t *attempt, int32_t number) {
    const ecs__whole_queue_t *queue = &attempt->world->flush->whole.queues[number];
    const group_t *group = &attempt->groups[queue->group];
    ecs__run_t run = window(attempt, group, queue->begin, queue->count);
    ecs__queue_iter_t iter = ecs__queue_iter(&attempt->queues[number], 1);
    ecs__run_collect(
        &run, &attempt->world->store.entities, group->head, group->table, &iter, INT32_MAX);
    if (ecs__queue_peek(&iter)) return false;
    return !group->table || ecs__run_rises(&run);
}

static void collect(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    attempt_t *attempt = ctx;
    (void)worker;
    for (int64_t i = begin; i < end && !ecs__load_32(&attempt->is_given_up); i++) {
        if (!attempt->world->flush->whole.queues[i].count) continue;
        if (!collect_queue(attempt, (int32_t)i)) ecs__store_32(&attempt->is_given_up, 1);
    }
}

static bool rises_between(const attempt_t *attempt) {
    const int32_t *rows = attempt->world->flush->run.rows;
    for (int32_t i = 0; i < attempt->count; i++) {
        const ecs__whole_queue_t *queue = &attempt->world->flush->whole.queues[i];
        const group_t *group = &attempt->groups[queue->group];
        if (!queue->count || !group->table || queue->begin == group->begin) continue;
        if (rows[queue->begin] <= rows[queue->begin - 1]) return false;
    }
    return true;
}

static bool collect_all(attempt_t *attempt) {
    ecs__flush_t *flush = attempt->world->flush;
    ecs__run_reserve(&flush->run, attempt->total);
    ecs__flush_share(flush, attempt->commands, attempt->count, collect, attempt);
    return !attempt->is_given_up && rises_between(attempt);
}

// ---- the whole ----

static bool apply(attempt_t *attempt) {
    ecs__change_t changes[MOST_GROUPS];
    for (int32_t i = 0; i < attempt->group_count; i++) {
        const group_t *group = &attempt->groups[i];
        if (!ecs__change_find(attempt->world, group->head, group->table, false, &changes[i]))
            return false;
    }
    for (int32_t i = 0; i < attempt->group_count; i++) {
        const group_t *group = &attempt->groups[i];
        ecs__run_t run = window(attempt, group, group->begin, group->count);
        run.count = group->count;
        ecs__change_carry_out(attempt->world, &changes[i], &run);
    }
    return true;
}

static ECS__APART void grow(ecs__whole_t *whole, int32_t count) {
    whole->size = ECS_MAX(count, 2 * whole->size);
    whole->queues = ecs_os_realloc_n(whole->queues, ecs__whole_queue_t, whole->size);
}

static bool is_worth_it(const attempt_t *attempt, uint32_t kinds) {
    return attempt->commands >= ECS__TRIES_FEWEST && attempt->commands <= INT32_MAX &&
           !(kinds & ~ECS__RUN_KINDS);
}

bool ecs__flush_whole(
    ecs_world_t *world, ecs__tries_t *tries, const ecs__cmd_queue_t *queues, int32_t count) {
    ecs__whole_t *whole = &world->flush->whole;
    attempt_t attempt = { .world = world, .queues = queues, .count = count };
    uint32_t kinds = 0;
    for (int32_t i = 0; i < count; i++) {
        kinds |= queues[i].kinds;
        attempt.commands += queues[i].count;
    }
    if (!is_worth_it(&attempt, kinds)) return false;
    if (ecs__tries_wait(tries)) return false;
    if (count > whole->size) grow(whole, count);
    const bool is_split = split(&attempt);
    const bool is_whole = is_split && collect_all(&attempt) && apply(&attempt);
    int32_t looked = 0;
    whole->total += is_whole;
    const bool is_done = is_whole || (!attempt.is_heard && ecs__flush_mixed(world, queues, count,
                                                               attempt.commands, &looked));
    if (is_done || is_split || looked >= ECS__TRIES_FEWEST) ecs__tries_tell(tries, is_done);
    return is_done;
}
