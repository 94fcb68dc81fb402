// SPDX-License-Identifier: MIT
#include "command/run.h"

#include <muster/ecs/os.h>

#include "command/flush.h"
#include "command/quiet.h"
#include "mutate/plain.h"
#include "storage/table_bulk.h"

/* Shorter runs are applied one by one just as fast. */
#define FEWEST 4
/* Where a run was not as plain as it looked, the next ones are not either. */
#define REST 64

#define KIND(kind) (1u << ECS__CMD_##kind)
#define KINDS_IN_RUNS \
    (KIND(NEW) | KIND(ADD) | KIND(REMOVE) | KIND(SET) | KIND(ENSURE) | KIND(CLEAR) | KIND(DELETE))

void ecs__run_fini(ecs__run_t *run) {
    ecs_os_free(run->cmds);
    ecs_os_free(run->rows);
    ecs_os_free(run->entities);
    *run = (ecs__run_t){ 0 };
}

// ---- collecting ----

static __attribute__((noinline)) void grow(ecs__run_t *run) {
    run->size = run->size ? run->size * 2 : 64;
    run->cmds = ecs_os_realloc_n(run->cmds, ecs__cmd_t *, run->size);
    run->rows = ecs_os_realloc_n(run->rows, int32_t, run->size);
    run->entities = ecs_os_realloc_n(run->entities, ecs_entity_t, run->size);
}

static inline void push(ecs__run_t *run, ecs__cmd_t *cmd, uint32_t row) {
    if (run->count == run->size) grow(run);
    run->cmds[run->count] = cmd;
    run->rows[run->count] = ECS_RECORD_TO_ROW(row);
    run->entities[run->count++] = cmd->entity;
}

// The commands of two entities, in order.
static inline bool is_alike(const ecs__cmd_t *a, const ecs__cmd_t *b) {
    for (; a && b; a = a->next, b = b->next) {
        if (a->kind != b->kind || a->id != b->id) return false;
    }
    return a == b;
}

// What concerns others when the entity moves, or when it ends.
static uint32_t refused_flags(const ecs__cmd_t *head) {
    bool ends = head->kind == ECS__CMD_DELETE || head->kind == ECS__CMD_CLEAR;
    return ends ? ECS_ROW_FLAGS_MASK : EcsEntityIsTraversable | EcsEntityHasDontFragment;
}

// Go on behind those commands of a chain that follow at once; true if all do.
static inline bool pass_chain(const ecs__cmd_t *head, ecs__queue_iter_t *iter) {
    for (const ecs__cmd_t *cmd = head->next; cmd; cmd = cmd->next) {
        ecs__queue_iter_t before = *iter;
        if (ecs__queue_next(iter) == cmd) continue;
        *iter = before;
        return false;
    }
    return true;
}

// Take one more entity in `table`. An entity that is to be (no table) would be in the root table until its next command.
static inline bool take(ecs_world_t *world, ecs__cmd_t *cmd, const ecs_table_t *table,
    uint32_t refused, ecs__queue_iter_t *iter) {
    ecs__run_t *run = &world->flush->run;
    if (!table) {
        if (!pass_chain(cmd, iter)) return false;
        push(run, cmd, 0);
        return true;
    }
    const ecs_record_t *record = ecs__entity_try(&world->store.entities, cmd->entity);
    if (!record || record->table != table || record->row & refused) return false;
    push(run, cmd, record->row);
    pass_chain(cmd, iter);
    return true;
}

// Chains like that of `head`, of entities in `table`, until there are `limit`.
static void collect(ecs_world_t *world, const ecs__cmd_t *head, const ecs_table_t *table,
    ecs__queue_iter_t *iter, int32_t limit) {
    ecs__run_t *run = &world->flush->run;
    const uint32_t refused = refused_flags(head);
    while (run->count < limit) {
        ecs__queue_iter_t before = *iter;
        ecs__cmd_t *cmd = ecs__queue_next(iter);
        if (cmd && cmd->flags & ECS__CMD_AHEAD) continue;
        bool fits = cmd && !(cmd->flags & ECS__CMD_FOLDED) && is_alike(head, cmd);
        if (fits && take(world, cmd, table, refused, iter)) continue;
        *iter = before;
        return;
    }
}

// ---- planning ----

// What becomes of each entity. NULL: it is not there yet, or not any more.
typedef struct plan_t {
    ecs_table_t *src, *dst;
    bool has_values;
} plan_t;

static bool is_heard(const ecs_world_t *world, ecs_id_t id, bool adds) {
    return ecs__events_hear(&world->events, ecs__id_record_get(&world->store, id), adds);
}

// Nobody has to agree either: tables have the id already.
static bool is_free_to_add(const ecs_world_t *world, const ecs__cmd_t *cmd) {
    return ecs__id_is_quiet(world, cmd->id) && !is_heard(world, cmd->id, true) &&
           ecs__id_record_get(&world->store, cmd->id)->table_live &&
           !(cmd->kind == ECS__CMD_SET && ecs__events_hear_set(&world->events, cmd->id));
}

static bool is_plain(const ecs_table_t *table, ecs_flags32_t refused) {
    bool has_hooks = false;
    for (int32_t c = 0; c < table->column_count; c++) has_hooks |= table->columns[c].has_hooks;
    return !has_hooks && !(table->flags & refused) && !table->lock;
}

static bool may_end(const ecs_world_t *world, const ecs_table_t *table) {
    if (world->names.pending || !is_plain(table, ECS__TABLE_ENDS_MORE)) return false;
    return !world->events.listened || !ecs__emit_concerns_delete(world, table);
}

static bool plan_command(ecs_world_t *world, const ecs__cmd_t *cmd, plan_t *plan) {
    switch (cmd->kind) {
    case ECS__CMD_NEW:
        if (plan->src || plan->dst) return false;
        plan->dst = world->store.root;
        return is_plain(plan->dst, ECS__TABLE_MOVES_MORE);
    case ECS__CMD_SET:
    case ECS__CMD_ENSURE: plan->has_values = true; /* fall through */
    case ECS__CMD_ADD:
        if (!is_free_to_add(world, cmd)) return false;
        plan->dst = ecs__table_after_add(world, plan->dst, cmd->id);
        return true;
    case ECS__CMD_REMOVE:
        if (plan->has_values || !ecs__id_is_quiet(world, cmd->id)) return false;
        if (is_heard(world, cmd->id, false)) return false;
        plan->dst = ecs__table_after_remove(world, plan->dst, cmd->id);
        return true;
    case ECS__CMD_CLEAR:
        if (plan->has_values || !plan->src || world->events.listened) return false;
        if (!may_end(world, plan->src)) return false;
        plan->dst = world->store.root;
        return true;
    case ECS__CMD_DELETE:
        plan->dst = NULL;
        return plan->src && !cmd->next && may_end(world, plan->src);
    default: return false;
    }
}

static bool make_plan(ecs_world_t *world, const ecs__cmd_t *head, plan_t *plan) {
    if (world->events.listened & ECS__LISTEN_COUNTS) return false;
    for (const ecs__cmd_t *cmd = head; cmd; cmd = cmd->next) {
        if (cmd->kind == ECS__CMD_DELETE && cmd != head) return false;
        if (!plan_command(world, cmd, plan)) return false;
    }
    return (!plan->src || is_plain(plan->src, ECS__TABLE_MOVES_MORE)) &&
           (!plan->dst || is_plain(plan->dst, ECS__TABLE_MOVES_MORE));
}

// ---- carrying out ----

// Values that the commands bring; what the columns held before is not needed.
static ecs__column_set_t given_columns(const ecs__cmd_t *head, const ecs_table_t *dst) {
    ecs__column_set_t given = 0;
    for (const ecs__cmd_t *cmd = head; cmd; cmd = cmd->next) {
        if (ecs__cmd_holds_value(cmd)) given |= ecs__column_bit(ecs__table_column(dst, cmd->id));
    }
    return given;
}

static int32_t make_rows(ecs_world_t *world, ecs_table_t *dst, ecs__column_set_t given) {
    const ecs__run_t *run = &world->flush->run;
    int32_t row = ecs__rows_append(dst, run->count, given);
    for (int32_t i = 0; i < run->count; i++) {
        dst->entities[row + i] = run->entities[i];
        ecs__entity_issue(&world->store.entities, run->entities[i])->row = 0;
    }
    ecs__rows_settle(dst, row, run->count);
    world->store.entities.alive_count += run->count;
    world->info.id_create_total += run->count;
    return row;
}

static void end_rows(ecs_world_t *world, ecs_table_t *src) {
    const ecs__run_t *run = &world->flush->run;
    ecs__rows_remove(src, run->entities, run->rows, run->count);
    ecs__entity_free_many(&world->store.entities, run->entities, run->count);
    world->info.id_delete_total += run->count;
}

// Afterwards run->rows are the rows where values go.
static void move_rows(ecs_world_t *world, const plan_t *plan) {
    const ecs__run_t *run = &world->flush->run;
    if (plan->src == plan->dst) return;
    if (!plan->dst) {
        end_rows(world, plan->src);
        return;
    }
    ecs__column_set_t given = plan->has_values ? given_columns(run->cmds[0], plan->dst) : 0;
    int32_t row = plan->src ? ecs__rows_move(plan->dst, plan->src, run->rows, run->count, given)
                            : make_rows(world, plan->dst, given);
    for (int32_t i = 0; plan->has_values && i < run->count; i++) run->rows[i] = row + i;
}

#define WRITE(bytes)                         \
    for (int32_t i = 0; i < run->count; i++) \
    memcpy(data + (size_t)run->rows[i] * (bytes), ecs__cmd_payload(run->cmds[i]), bytes)

static void write_values(const ecs__run_t *run, char *data, size_t size) {
    switch (size) {
    case 4: WRITE(4); break;
    case 8: WRITE(8); break;
    case 12: WRITE(12); break;
    case 16: WRITE(16); break;
    default: WRITE(size);
    }
}

// Commands at one place of each chain are done; go on to the next place.
static void finish(ecs_world_t *world, ecs__run_t *run) {
    const ecs__cmd_t *cmd = run->cmds[0];
    ecs__cmd_count(world, cmd, run->count);
    bool is_last = !cmd->next;
    for (int32_t i = 0; i < run->count; i++) {
        run->cmds[i]->flags |= ECS__CMD_AHEAD;
        if (is_last) *ecs__chain_end(world->flush, (uint32_t)run->entities[i]) = NULL;
        run->cmds[i] = run->cmds[i]->next;
    }
}

static void carry_out(ecs_world_t *world, const plan_t *plan) {
    ecs__run_t *run = &world->flush->run;
    int32_t folded = 0;
    run->total += run->count;
    move_rows(world, plan);
    for (const ecs__cmd_t *cmd = run->cmds[0]; cmd; cmd = run->cmds[0]) {
        if (ecs__cmd_holds_value(cmd)) {
            int32_t column = ecs__table_column(plan->dst, cmd->id);
            write_values(run, plan->dst->data[column], (size_t)plan->dst->columns[column].size);
        }
        folded += cmd->kind != ECS__CMD_NEW;
        finish(world, run);
    }
    if (folded < 2) return;
    world->info.cmd.batched_entity_count += run->count;
    world->info.cmd.batched_command_count += (int64_t)folded * run->count;
}

// ---- the whole ----

static bool is_run(
    ecs_world_t *world, ecs__cmd_t *head, const ecs_table_t *table, ecs__queue_iter_t *iter) {
    ecs__run_t *run = &world->flush->run;
    run->count = 0;
    if (!take(world, head, table, refused_flags(head), iter)) return false;
    collect(world, head, table, iter, FEWEST);
    return run->count >= FEWEST;
}

bool ecs__run_apply(ecs_world_t *world, ecs__cmd_t *head, ecs__queue_iter_t *iter) {
    ecs__run_t *run = &world->flush->run;
    if (!(KINDS_IN_RUNS & 1u << head->kind) || head->flags & ECS__CMD_FOLDED) return false;
    if (run->rest && run->rest--) return false;
    const ecs_record_t *record = ecs__entity_try(&world->store.entities, head->entity);
    if (!record == (head->kind != ECS__CMD_NEW)) return false;
    plan_t plan = { .src = record ? record->table : NULL };
    plan.dst = plan.src;
    ecs__queue_iter_t end = *iter;
    if (!is_run(world, head, plan.src, &end)) return false;
    if (!make_plan(world, head, &plan)) {
        run->rest = REST;
        return false;
    }
    collect(world, head, plan.src, &end, INT32_MAX);
    carry_out(world, &plan);
    *iter = end;
    return true;
}
