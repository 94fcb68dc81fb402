// SPDX-License-Identifier: MIT
#include "command/single.h"

#include "command/flush.h"
#include "mutate/hooks.h"
#include "storage/plain_rows.h"
#include "storage/table_rows.h"
#include "world/state.h"

void ecs__singles_forget(ecs__singles_t *singles) {
    for (int32_t i = 0; i < ECS__SINGLE_KINDS; i++) singles->kinds[i].change.head = NULL;
}

static ecs__single_t *kind_of(
    ecs__singles_t *singles, const ecs__cmd_t *head, const ecs_table_t *src) {
    const ecs_id_t id = ecs__cmd_what(head->next ? head->next : head)->id;
    const uint64_t key = (id ^ id >> 32) + (src ? src->id : 0);
    return &singles->kinds[key % ECS__SINGLE_KINDS];
}

static bool is_known(const ecs_world_t *world, const ecs__single_t *single, const ecs__cmd_t *head,
    const ecs_table_t *src) {
    const ecs__change_t *change = &single->change;
    return change->head && change->src == src && single->plain_stamp == world->store.plain_stamp &&
           single->table_stamp == world->store.table_stamp && ecs__run_is_alike(change->head, head);
}

// A lone value comes after the hook on what is added, which those that were folded do not.
static bool is_alone(const ecs__cmd_t *head) {
    const ecs__cmd_t *next = ecs__cmd_what(head)->kind == ECS__CMD_NEW ? head->next : head;
    return next && !next->next;
}

// What instances get depends on more than these stamps tell.
static bool may_be_kept(const ecs__cmd_t *head, const ecs__change_t *change) {
    const ecs_table_t *dst = change->dst;
    if (!dst || (change->tells && is_alone(head) && dst->flags & EcsTableHasOnAdd)) return false;
    return !(dst->flags & EcsTableHasIsA) && !(change->src && change->src->flags & EcsTableHasIsA);
}

static void find_out(
    ecs_world_t *world, ecs__single_t *single, const ecs__cmd_t *head, ecs_table_t *src) {
    ecs__change_t *change = &single->change;
    single->is_quiet =
        ecs__change_find(world, head, src, true, change) && may_be_kept(head, change);
    change->head = head;
    change->src = src;
    single->plain_stamp = world->store.plain_stamp;
    single->table_stamp = world->store.table_stamp;
}

static void write_values(const ecs__change_t *change, ecs__cmd_t *cmd, int32_t row) {
    const ecs_table_t *table = change->dst;
    for (int32_t i = 0; cmd; cmd = cmd->next, i++) {
        const int32_t column = change->columns[i];
        if (column >= 0)
            ecs__copy_plain(ecs__table_cell(table, column, row), ecs__cmd_payload(cmd),
                (size_t)table->columns[column].size);
    }
}

static int32_t move(ecs_world_t *world, const ecs__change_t *change, ecs_entity_t entity) {
    ecs__entity_index_t *index = &world->store.entities;
    if (!change->src) {
        ecs__entity_issue(index, entity);
        return ecs__plain_row_begin(change->dst, entity);
    }
    const int32_t row = ecs__entity_spot(index, entity).row;
    return change->src == change->dst ? row
                                      : ecs__table_move_row(change->dst, change->src, row, false);
}

static void name_current(ecs_world_t *world, const ecs__cmd_t *cmd) {
    world->flush->current = cmd;
    world->stages[0]->system = ecs__cmd_what(cmd)->system;
}

// What comes first, then each value that was set, as after folding: to a new entity all comes in the root table. Callbacks may record
// commands, or end the entity if they suspend that, and what is known of others may be forgotten meanwhile.
static void tell(ecs_world_t *world, const ecs__cmd_t *head, const ecs_table_t *src,
    ecs_table_t *dst, int32_t row) {
    const ecs__cmd_t *first = src ? head : head->next;
    name_current(world, first);
    if (src != dst) ecs__hooks_on_add(world, dst, src ? src : world->store.root, row, 1);
    for (const ecs__cmd_t *cmd = first; cmd; cmd = cmd->next) {
        name_current(world, cmd);
        if (!ecs__entity_is_alive(&world->store.entities, cmd->entity)) return;
        if (ecs__cmd_what(cmd)->kind == ECS__CMD_SET) ecs__cmd_tell(world, cmd);
    }
}

// Marked entities concern others.
static bool is_simple(const ecs_world_t *world, const ecs__cmd_t *cmd, ecs_table_t **src) {
    *src = NULL;
    if (ecs__cmd_what(cmd)->kind == ECS__CMD_NEW) return true;
    const ecs__entity_index_t *index = &world->store.entities;
    const ecs__record_t *record = ecs__entity_near(index, cmd->entity);
    if (!record || record->bits & ECS__RECORD_MARKED) return false;
    *src = ecs__record_near(index, record);
    return !ecs__cmd_is(cmd, ECS__CMD_FOLDED);
}

// Checked builds count locks, and refuse to move rows there.
static bool is_locked(const ecs_world_t *world, const ecs__change_t *change) {
    const ecs_table_t *src = change->src ? change->src : world->store.root;
    return src != change->dst && (src->lock || change->dst->lock);
}

int32_t ecs__single_apply(ecs_world_t *world, ecs__singles_t *singles, ecs__queue_iter_t *iter) {
    ecs__cmd_t *head = ecs__queue_peek(iter);
    ecs__queue_iter_t end = *iter;
    ecs_table_t *src;
    if (!is_simple(world, head, &src) || ecs_vec_count(&world->suspects)) return 0;
    if (!ecs__chain_pass(head, &end, ECS__CHANGE_LONGEST)) return 0;
    ecs__single_t *single = kind_of(singles, head, src);
    if (!is_known(world, single, head, src)) find_out(world, single, head, src);
    const ecs__change_t *change = &single->change;
    if (!single->is_quiet || is_locked(world, change)) return 0;
    const int32_t length = change->length, row = move(world, change, head->entity);
    if (change->has_values) write_values(change, head, row);
    ecs__change_count(world, change, 1);
    singles->total++;
    *iter = end;
    if (change->tells) tell(world, head, change->src, change->dst, row);
    return length;
}
