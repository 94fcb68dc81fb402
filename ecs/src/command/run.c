// SPDX-License-Identifier: MIT
#include "command/run.h"

#include <muster/ecs/os.h>

#include "base/apart.h"
#include "command/flush.h"
#include "command/quiet.h"
#include "mutate/plain.h"
#include "storage/table_bulk.h"

// Shorter runs are applied one by one just as fast.
#define FEWEST 4
// Where a run was not as plain as it looked, the next ones are not either; each time the pause is twice as long.
#define SHORTEST_PAUSE 16
#define LONGEST_PAUSE 1024

// Values of so many entities are written before those of the next ones.
#define PART 1024

void ecs__run_fini(ecs__run_t *run) {
    ecs_os_free(run->cmds);
    ecs_os_free(run->rows);
    ecs_os_free(run->entities);
    *run = (ecs__run_t){ 0 };
}

// ---- collecting ----

static ECS__APART void grow(ecs__run_t *run, int32_t wanted) {
    run->size = ECS_MAX(wanted, run->size ? run->size * 2 : 64);
    run->cmds = ecs_os_realloc_n(run->cmds, ecs__cmd_t *, run->size);
    run->rows = ecs_os_realloc_n(run->rows, int32_t, run->size);
    run->entities = ecs_os_realloc_n(run->entities, ecs_entity_t, run->size);
}

static inline void make_room(ecs__run_t *run, int32_t more) {
    if (run->size - run->count < more) grow(run, run->count + more);
}

// A single add or remove needs nothing but rows.
static void begin(ecs__run_t *run, const ecs__cmd_t *head) {
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

static ECS__APART bool is_alike_long(const ecs__cmd_t *a, const ecs__cmd_t *b) {
    if (ecs__cmd_is(b, ECS__CMD_FOLDED | ECS__CMD_AHEAD)) return false;
    for (; a && b; a = a->next, b = b->next) {
        const ecs__cmd_what_t *x = ecs__cmd_what(a), *y = ecs__cmd_what(b);
        if (x != y && (x->kind != y->kind || x->id != y->id)) return false;
    }
    return a == b;
}

// The commands of two entities, in order. Mostly it was said in the same words.
static inline bool is_alike(const ecs__cmd_t *a, const ecs__cmd_t *b) {
    for (; a->what == b->what; a = a->next, b = b->next) {
        if (!a->next || !b->next) return a->next == b->next;
    }
    return is_alike_long(a, b);
}

// Marks of entities that concern others when they move, or when they end.
static uint32_t refused_marks(const ecs__cmd_t *head) {
    ecs__cmd_kind_t kind = ecs__cmd_what(head)->kind;
    bool ends = kind == ECS__CMD_DELETE || kind == ECS__CMD_CLEAR;
    return ends ? UINT32_MAX : EcsEntityIsTraversable | EcsEntityHasDontFragment;
}

// Go on behind those commands of a chain that follow at once; true if all do.
static inline bool pass_chain(const ecs__cmd_t *head, ecs__queue_iter_t *iter) {
    const ecs__cmd_t *cmd = head;
    do {
        ecs__queue_pass(iter, cmd);
        cmd = cmd->next;
    } while (cmd && ecs__queue_peek(iter) == cmd);
    return !cmd;
}

// The next chain like that of `head`, or NULL. What was applied ahead is passed over.
static inline ecs__cmd_t *peek_alike(const ecs__cmd_t *head, ecs__queue_iter_t *iter) {
    ecs__cmd_t *cmd;
    while ((cmd = ecs__queue_peek(iter)) && !is_alike(head, cmd)) {
        if (!ecs__cmd_is(cmd, ECS__CMD_AHEAD)) return NULL;
        ecs__queue_pass(iter, cmd);
    }
    return cmd;
}

// Who may be part of a run.
typedef struct asked_t {
    const ecs__entity_index_t *index;
    const ecs_table_t *table; /* NULL: entities that are to be */
    uint64_t key;             /* of the table */
    uint32_t refused;         /* marks */
} asked_t;

static ECS__APART int32_t find_any(const asked_t *asked, ecs_entity_t entity) {
    const ecs__spot_t spot = ecs__entity_find(asked->index, entity);
    bool may_be =
        spot.table == asked->table && !(ecs__entity_marks(asked->index, entity) & asked->refused);
    return may_be ? spot.row : -1;
}

// The row of the entity, or -1 if it may not be part. Mostly neither is the entity marked, nor are places far.
static inline int32_t find_placed(const asked_t *asked, ecs_entity_t entity) {
    if ((uint32_t)entity >= asked->index->made) return -1;
    const ecs__record_t *record = ecs__record_of(asked->index, entity);
    bool is_same = ecs__record_key(record, entity) == asked->key;
    return is_same ? (int32_t)ecs__record_near_row(record) : find_any(asked, entity);
}

static inline int32_t find(const asked_t *asked, ecs_entity_t entity, bool is_placed) {
    return is_placed ? find_placed(asked, entity) : 0;
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

// Chains that lie next to each other in what is left of a block.
static inline __attribute__((always_inline)) void collect_beside(ecs__run_t *run,
    const asked_t *asked, const ecs__cmd_t *head, ecs__queue_iter_t *iter, bool is_placed) {
    const uintptr_t what = head->what;
    const uint32_t size = ecs__cmd_what(head)->size;
    char *at = iter->at, *behind;
    make_room(run, (int32_t)((iter->block_end - at) / ECS_SIZEOF(ecs__cmd_t)));
    int32_t count = run->count;
    for (; at != iter->block_end; at = behind) {
        ecs__cmd_t *cmd = (ecs__cmd_t *)(void *)at;
        if (cmd->what != what || !(behind = pass_rest(head, cmd, at + size))) break;
        const int32_t row = find(asked, cmd->entity, is_placed);
        if (row < 0) break;
        put(run, count++, cmd, row);
    }
    run->count = count;
    iter->at = at;
}

// Chains like that of `head`, until there are `limit`. Entities that are to be would be in the root table until their next command.
static inline __attribute__((always_inline)) void collect_kind(ecs__run_t *run,
    const asked_t *asked, const ecs__cmd_t *head, ecs__queue_iter_t *iter, int32_t limit,
    bool is_placed) {
    ecs__cmd_t *cmd;
    while (run->count < limit && (cmd = peek_alike(head, iter))) {
        const int32_t row = find(asked, cmd->entity, is_placed);
        ecs__queue_iter_t end = *iter;
        if (row < 0 || !(pass_chain(cmd, &end) || is_placed)) return;
        *iter = end;
        make_room(run, 1);
        put(run, run->count++, cmd, row);
        /* Another queue says the same in words of its own. */
        if (limit == INT32_MAX) collect_beside(run, asked, cmd, iter, is_placed);
    }
}

static void collect(ecs_world_t *world, const ecs__cmd_t *head, const ecs_table_t *table,
    ecs__queue_iter_t *iter, int32_t limit) {
    const uint64_t key = table ? ecs__table_key(table) : 0;
    const asked_t asked = { &world->store.entities, table, key, refused_marks(head) };
    if (table)
        collect_kind(&world->flush->run, &asked, head, iter, limit, true);
    else
        collect_kind(&world->flush->run, &asked, head, iter, limit, false);
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
    return ecs__id_is_quiet(world, ecs__cmd_what(cmd)->id) &&
           !is_heard(world, ecs__cmd_what(cmd)->id, true) &&
           ecs__id_record_get(&world->store, ecs__cmd_what(cmd)->id)->table_live &&
           !(ecs__cmd_what(cmd)->kind == ECS__CMD_SET &&
               ecs__events_hear_set(&world->events, &world->store, ecs__cmd_what(cmd)->id));
}

static bool is_plain(const ecs_table_t *table, ecs_flags32_t refused) {
    bool has_hooks = false;
    for (int32_t c = 0; c < table->column_count; c++) has_hooks |= table->columns[c].has_hooks;
    return !has_hooks && !(table->flags & refused) && !table->lock;
}

static bool may_end(const ecs_world_t *world, const ecs_table_t *table) {
    if (world->names.pending || !is_plain(table, ECS__TABLE_ENDS_MORE)) return false;
    return !ecs__emit_concerns_delete(&world->events, table);
}

static bool plan_command(ecs_world_t *world, const ecs__cmd_t *cmd, plan_t *plan) {
    switch (ecs__cmd_what(cmd)->kind) {
    case ECS__CMD_NEW:
        if (plan->src || plan->dst) return false;
        plan->dst = world->store.root;
        return is_plain(plan->dst, ECS__TABLE_MOVES_MORE);
    case ECS__CMD_SET:
    case ECS__CMD_ENSURE: plan->has_values = true; /* fall through */
    case ECS__CMD_ADD:
        if (!is_free_to_add(world, cmd)) return false;
        plan->dst = ecs__table_after_add(world, plan->dst, ecs__cmd_what(cmd)->id);
        return true;
    case ECS__CMD_REMOVE:
        if (plan->has_values || !ecs__id_is_quiet(world, ecs__cmd_what(cmd)->id)) return false;
        if (is_heard(world, ecs__cmd_what(cmd)->id, false)) return false;
        plan->dst = ecs__table_after_remove(plan->dst, ecs__cmd_what(cmd)->id);
        return true;
    case ECS__CMD_CLEAR:
        if (plan->has_values || !plan->src || !may_end(world, plan->src)) return false;
        if (ecs__emit_concerns_loss(&world->events, plan->src)) return false;
        if (!ecs__clear_is_quiet(world)) return false;
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
        if (ecs__cmd_what(cmd)->kind == ECS__CMD_DELETE && cmd != head) return false;
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
        if (ecs__cmd_holds_value(cmd))
            given |= ecs__column_bit(ecs__table_column(dst, ecs__cmd_what(cmd)->id));
    }
    return given;
}

static int32_t make_rows(ecs_world_t *world, ecs_table_t *dst, ecs__column_set_t given) {
    const ecs__run_t *run = &world->flush->run;
    int32_t row = ecs__rows_append(dst, run->count, given);
    for (int32_t i = 0; i < run->count; i++) {
        ecs_entity_t entity = dst->entities[row + i] = run->cmds[i]->entity;
        ecs__entity_issue(&world->store.entities, entity);
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
static void move_rows(ecs_world_t *world, const plan_t *plan, const ecs__cmd_t *head) {
    const ecs__run_t *run = &world->flush->run;
    if (plan->src == plan->dst) return;
    if (!plan->dst) {
        end_rows(world, plan->src);
        return;
    }
    ecs__column_set_t given = plan->has_values ? given_columns(head, plan->dst) : 0;
    int32_t row = plan->src ? ecs__rows_move(plan->dst, plan->src, run->rows, run->count, given)
                            : make_rows(world, plan->dst, given);
    for (int32_t i = 0; plan->has_values && i < run->count; i++) run->rows[i] = row + i;
}

// A part of a run whose commands stay in the cache while they are gone through.
typedef struct part_t {
    ecs__cmd_t **cmds;
    const int32_t *rows;
    int32_t count;
} part_t;

#define WRITE(bytes)                          \
    for (int32_t i = 0; i < part->count; i++) \
    memcpy(data + (size_t)part->rows[i] * (bytes), ecs__cmd_payload(part->cmds[i]), bytes)

static void write_values(const part_t *part, char *data, size_t size) {
    switch (size) {
    case 4: WRITE(4); break;
    case 8: WRITE(8); break;
    case 12: WRITE(12); break;
    case 16: WRITE(16); break;
    default: WRITE(size);
    }
}

// Commands at one place of each chain are done; go on to the next place.
static void go_on(const part_t *part) {
    for (int32_t i = 0; i < part->count; i++) {
        part->cmds[i] = part->cmds[i]->next;
        part->cmds[i]->what |= ECS__CMD_AHEAD;
    }
}

static void finish(const part_t *part, const ecs_table_t *dst, const ecs__cmd_t *head) {
    for (const ecs__cmd_t *cmd = head; cmd; cmd = cmd->next) {
        if (cmd != head) go_on(part);
        if (!ecs__cmd_holds_value(cmd)) continue;
        int32_t column = ecs__table_column(dst, ecs__cmd_what(cmd)->id);
        write_values(part, dst->data[column], (size_t)dst->columns[column].size);
    }
}

static void carry_out(ecs_world_t *world, const plan_t *plan, const ecs__cmd_t *head) {
    ecs__run_t *run = &world->flush->run;
    int32_t folded = 0;
    run->total += run->count;
    move_rows(world, plan, head);
    for (int32_t at = 0; run->keeps_cmds && at < run->count; at += PART) {
        part_t part = { run->cmds + at, run->rows + at, ECS_MIN(run->count - at, PART) };
        finish(&part, plan->dst, head);
    }
    for (const ecs__cmd_t *cmd = head; cmd; cmd = cmd->next) {
        folded += ecs__cmd_what(cmd)->kind != ECS__CMD_NEW;
        ecs__cmd_count(world, cmd, run->count);
    }
    if (folded < 2) return;
    world->info.cmd.batched_entity_count += run->count;
    world->info.cmd.batched_command_count += (int64_t)folded * run->count;
}

// ---- the whole ----

static void pause(ecs__run_t *run) {
    int32_t twice = ECS_MIN(2 * run->pause, LONGEST_PAUSE);
    run->rest = run->pause = ECS_MAX(twice, SHORTEST_PAUSE);
}

bool ecs__run_apply(ecs_world_t *world, ecs__run_t *run, ecs__queue_iter_t *iter) {
    ecs__cmd_t *head = ecs__queue_peek(iter);
    ecs__cmd_kind_t kind = ecs__cmd_what(head)->kind;
    if (ecs__cmd_is(head, ECS__CMD_FOLDED)) return false;
    ecs_table_t *table = ecs__entity_table(&world->store.entities, head->entity);
    plan_t plan = { .src = table, .dst = table };
    if (!plan.src == (kind != ECS__CMD_NEW)) return false;
    ecs__queue_iter_t end = *iter;
    begin(run, head);
    collect(world, head, table, &end, FEWEST);
    if (run->count < FEWEST) return false;
    if (!make_plan(world, head, &plan)) {
        pause(run);
        return false;
    }
    run->pause = 0;
    collect(world, head, table, &end, INT32_MAX);
    carry_out(world, &plan, head);
    *iter = end;
    return true;
}
