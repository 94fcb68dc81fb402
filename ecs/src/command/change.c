// SPDX-License-Identifier: MIT
#include "command/change.h"

#include "command/flush.h"
#include "command/quiet.h"
#include "id/type_info.h"
#include "mutate/instantiate.h"
#include "mutate/plain.h"
#include "storage/bases.h"
#include "storage/table_bulk.h"

// ---- finding ----

static bool is_heard(const ecs_world_t *world, ecs_id_t id, bool adds) {
    return ecs__events_hear(&world->events, ecs__id_record_get(&world->store, id), adds);
}

// What an exclusive pair replaces is asked for below, and targets live as long as the run lasts.
#define LOOKED_AFTER                                                          \
    (EcsIdExclusive | EcsIdOnDeleteTargetRemove | EcsIdOnDeleteTargetDelete | \
        EcsIdOnDeleteTargetPanic)

/** A chain of commands, as far as it was gone through. */
typedef struct chain_t {
    const ecs_world_t *world;
    const ecs__cmd_t *head;
    const ecs_table_t *src;  /* NULL: new entities */
    const ecs_table_t *base; /* of a base that they get; NULL: none */
    bool may_tell;           /* hooks on what comes and is set are called by who asks, */
    bool tells;              /* and there are some */
    bool has_values;
    bool is_child; /* it gets a parent */
} chain_t;

static bool has_quiet_values(chain_t *chain, const ecs_type_info_t *type, bool adds) {
    if (!ecs__type_is_plain(type)) return false;
    if (ecs__hooks_tell_nobody(&type->hooks)) return true;
    chain->tells = true;
    return chain->may_tell && adds && !type->hooks.on_replace && !type->hooks.on_validate;
}

// It comes to or goes from whoever has it, and that is all.
static bool is_free(chain_t *chain, ecs_id_t id, bool adds) {
    const ecs_world_t *world = chain->world;
    if (!ecs__id_is_harmless(world, id, LOOKED_AFTER) || is_heard(world, id, adds)) return false;
    const ecs_type_info_t *type = ecs__id_record_get(&world->store, id)->type_info;
    return !type || has_quiet_values(chain, type, adds);
}

static bool is_provided(const chain_t *chain, ecs_id_t id) {
    return (chain->src && ecs__bases_provide(chain->src, id)) ||
           (chain->base && ecs__base_provides(chain->base, id));
}

// The same where no base has it.
static bool is_own(chain_t *chain, ecs_id_t id, bool adds) {
    return is_free(chain, id, adds) && !is_provided(chain, id);
}

// An exclusive pair takes the place of that which the table has, and of those that come with the commands before: without their values.
static bool is_free_to_replace(chain_t *chain, const ecs__cmd_t *cmd) {
    if (ecs_vec_count(&chain->world->suspects))
        return false; /* what is refused in the end gives back what it replaced */
    const uint32_t rel = ecs__id_first(ecs__cmd_what(cmd)->id);
    for (const ecs__cmd_t *before = chain->head; before != cmd; before = before->next) {
        if (ecs__cmd_holds_value(before) && ECS_HAS_RELATION(ecs__cmd_what(before)->id, rel))
            return false;
    }
    const ecs_id_t any = ECS__MAKE_PAIR(rel, Ecs__Wildcard);
    const ecs_id_t old = chain->src ? ecs__table_id_like(chain->src, any) : 0;
    return !old || is_own(chain, old, false);
}

// Nobody has to agree either: tables have the id already. A value that is given may take the place of that of a base.
static bool is_free_to_add(chain_t *chain, const ecs__cmd_t *cmd) {
    const ecs_world_t *world = chain->world;
    const ecs_id_t id = ecs__cmd_what(cmd)->id;
    bool sets = ecs__cmd_what(cmd)->kind == ECS__CMD_SET, overrides = sets && !ECS_IS_PAIR(id);
    if (!(overrides ? is_free(chain, id, true) : is_own(chain, id, true))) return false;
    const ecs_component_record_t *record = ecs__id_record_get(&world->store, id);
    if (ecs__cmd_holds_value(cmd) && !ecs__cmd_fits(ecs__cmd_what(cmd), record->type_info))
        return false;
    bool is_told = sets && ecs__events_hear_set(&world->events, &world->store, id);
    bool replaces = record->flags & EcsIdExclusive && ECS_IS_PAIR(id);
    return record->table_live && !is_told && (!replaces || is_free_to_replace(chain, cmd));
}

// New entities become instances before all else. Nobody judges later whether they may, as nobody is an instance of theirs.
static bool is_free_to_inherit(chain_t *chain, const ecs__cmd_t *cmd) {
    const ecs_world_t *world = chain->world;
    const ecs_id_t is_a = ecs__cmd_what(cmd)->id;
    const bool is_first = chain->src ? cmd == chain->head : cmd == chain->head->next;
    if (!is_first || (chain->src && chain->src != world->store.root)) return false;
    if (!ecs__instance_is_plain(world, is_a)) return false;
    chain->base = ecs__entity_living_table(&world->store.entities, ecs__id_second(is_a));
    return true;
}

// Nobody is below an entity whose row moves in a run, and siblings come in no order (see ecs__change_find).
static bool is_free_to_be_child(chain_t *chain, const ecs__cmd_t *cmd) {
    const ecs_world_t *world = chain->world;
    const ecs_id_t child_of = ecs__cmd_what(cmd)->id;
    const ecs_component_record_t *record = ecs__id_record_get(&world->store, child_of);
    if ((chain->src && chain->src != world->store.root) || !record || !record->table_live)
        return false;
    if (!ecs__entity_alive_id(&world->store.entities, ecs__id_second(child_of))) return false;
    chain->is_child = true;
    return !ecs_vec_count(&world->events.rels) && !ecs__events_hear(&world->events, record, true) &&
           is_free_to_replace(chain, cmd);
}

static bool may_move(const ecs_table_t *table) {
    return table->moves_as_bytes && !table->lock &&
           !(table->flags & (ECS__TABLE_MOVES_MORE | EcsTableHasToggle));
}

static bool may_end(const ecs_world_t *world, const ecs_table_t *table) {
    bool has_hooks = false;
    for (int32_t c = 0; c < table->column_count; c++) has_hooks |= table->columns[c].has_hooks;
    return !has_hooks && !(table->flags & ECS__TABLE_ENDS_MORE) && !table->lock &&
           !world->names.pending && !ecs__emit_concerns_delete(&world->events, table);
}

static bool is_quiet(chain_t *chain, const ecs__cmd_t *cmd) {
    const ecs_world_t *world = chain->world;
    const ecs_table_t *src = chain->src;
    const ecs_id_t id = ecs__cmd_what(cmd)->id;
    const bool keeps = chain->has_values || chain->base; /* what comes is not taken away */
    switch (ecs__cmd_what(cmd)->kind) {
    case ECS__CMD_NEW: return !src && may_move(world->store.root);
    case ECS__CMD_ADD:
        if (ECS_HAS_RELATION(id, Ecs__IsA)) return is_free_to_inherit(chain, cmd);
        if (ECS_HAS_RELATION(id, Ecs__ChildOf)) return is_free_to_be_child(chain, cmd);
        return is_free_to_add(chain, cmd);
    case ECS__CMD_SET:
    case ECS__CMD_ENSURE: return is_free_to_add(chain, cmd);
    case ECS__CMD_REMOVE: return !keeps && is_own(chain, id, false);
    case ECS__CMD_CLEAR:
        return !keeps && src && may_end(world, src) && ecs__clear_is_quiet(world) &&
               !ecs__emit_concerns_loss(&world->events, src);
    case ECS__CMD_DELETE: return src && !cmd->next && may_end(world, src);
    default: return false;
    }
}

// What begins or ends an entity is the first command, or the only one.
static bool is_in_place(const ecs__cmd_t *cmd, const ecs__cmd_t *head) {
    ecs__cmd_kind_t kind = ecs__cmd_what(cmd)->kind;
    return cmd == head || !(kind == ECS__CMD_NEW || kind == ECS__CMD_DELETE);
}

static bool is_quiet_chain(chain_t *chain) {
    const ecs_table_t *src = chain->src;
    int32_t length = 0;
    if (chain->world->events.listened & ECS__LISTEN_COUNTS) return false;
    for (const ecs__cmd_t *cmd = chain->head; cmd; cmd = cmd->next) {
        if (length++ == ECS__CHANGE_LONGEST) return false;
        if (!is_in_place(cmd, chain->head) || !is_quiet(chain, cmd)) return false;
        chain->has_values |= ecs__cmd_holds_value(cmd);
    }
    return !src || may_move(src);
}

bool ecs__change_is_quiet(
    const ecs_world_t *world, const ecs__cmd_t *head, const ecs_table_t *src) {
    chain_t chain = { .world = world, .head = head, .src = src };
    return is_quiet_chain(&chain);
}

static ecs_table_t *table_after(ecs_world_t *world, ecs_table_t *table, const ecs__cmd_t *cmd) {
    switch (ecs__cmd_what(cmd)->kind) {
    case ECS__CMD_NEW:
    case ECS__CMD_CLEAR: return world->store.root;
    case ECS__CMD_REMOVE: return ecs__table_after_remove(table, ecs__cmd_what(cmd)->id);
    case ECS__CMD_DELETE: return NULL;
    default: return ecs__table_after_add(world, table, ecs__cmd_what(cmd)->id);
    }
}

static void find_columns(const ecs_world_t *world, ecs__change_t *change) {
    const bool by_death = world->flush->chains.ended_by_death;
    for (const ecs__cmd_t *cmd = change->head; cmd; cmd = cmd->next) {
        bool has_value = ecs__cmd_holds_value(cmd);
        change->has_values |= has_value;
        const bool is_death = by_death && ecs__cmd_what(cmd)->kind == ECS__CMD_DELETE;
        change->ends_chains |= is_death || ecs__chains_end_at(cmd);
        change->columns[change->length++] =
            has_value ? ecs__table_column(change->dst, ecs__cmd_what(cmd)->id) : -1;
    }
}

bool ecs__change_find(ecs_world_t *world, const ecs__cmd_t *head, ecs_table_t *src, bool may_tell,
    ecs__change_t *change) {
    chain_t chain = { .world = world, .head = head, .src = src, .may_tell = may_tell };
    if (!is_quiet_chain(&chain)) return false;
    ecs_table_t *dst = src;
    for (const ecs__cmd_t *cmd = head; cmd; cmd = cmd->next) dst = table_after(world, dst, cmd);
    change->head = head;
    change->src = src;
    change->dst = dst;
    change->tells = chain.tells;
    change->has_values = change->ends_chains = false;
    change->length = 0;
    find_columns(world, change);
    if (chain.is_child && dst && dst->flags & EcsTableHasOrderedChildren) return false;
    return !dst || may_move(dst);
}

// ---- carrying out ----

typedef struct work_t {
    ecs_world_t *world;
    const ecs__change_t *change;
    ecs__run_t *run;
    ecs__bulk_t bulk;
    int32_t freed; /* where the ids of entities that end go; -1: they are freed afterwards */
} work_t;

// Some entities of a run.
typedef struct part_t {
    ecs__cmd_t **cmds;
    const int32_t *rows; /* where values go */
    int32_t count;
} part_t;

// Values that the commands bring; what the columns held before is not needed.
static ecs__column_set_t given_columns(const ecs__change_t *change) {
    ecs__column_set_t given = 0;
    for (int32_t i = 0; i < change->length; i++) {
        if (change->columns[i] >= 0) given |= ecs__column_bit(change->columns[i]);
    }
    return given;
}

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

static void finish(const part_t *part, const ecs__change_t *change) {
    const ecs_table_t *dst = change->dst;
    for (int32_t i = 0; i < change->length; i++) {
        const int32_t column = change->columns[i];
        if (i) go_on(part);
        if (column < 0) continue;
        write_values(part, dst->data[column], (size_t)dst->columns[column].size);
    }
}

static void issue(const work_t *work, int32_t begin, int32_t end) {
    ecs_entity_t *entities = work->change->dst->entities + work->bulk.to;
    for (int32_t i = begin; i < end; i++) {
        entities[i] = work->run->cmds[i]->entity;
        ecs__entity_issue(&work->world->store.entities, entities[i]);
    }
}

static void move(const work_t *work, int32_t begin, int32_t end) {
    const ecs__change_t *change = work->change;
    ecs__run_t *run = work->run;
    if (!change->src) issue(work, begin, end);
    ecs__bulk_part(&work->bulk, begin, end);
    if (!change->dst && work->freed >= 0)
        ecs__entity_free_part(
            &work->world->store.entities, run->entities + begin, end - begin, work->freed + begin);
    for (int32_t i = begin; change->has_values && i < end; i++) run->rows[i] = work->bulk.to + i;
}

// Commands of a part stay in the cache while they are gone through.
static void carry_out_parts(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    const work_t *work = ctx;
    const ecs__run_t *run = work->run;
    const int32_t size = work->world->flush->sharing.part;
    (void)worker;
    for (int32_t part = (int32_t)begin; part < end; part++) {
        int32_t from = part * size, to = ECS_MIN(from + size, run->count);
        if (work->change->src != work->change->dst) move(work, from, to);
        if (!run->keeps_cmds) continue;
        finish(&(part_t){ run->cmds + from, run->rows + from, to - from }, work->change);
    }
}

static void begin(work_t *work) {
    const ecs__run_t *run = work->run;
    const ecs__change_t *change = work->change;
    ecs__entity_index_t *index = &work->world->store.entities;
    work->bulk = (ecs__bulk_t){ .src = change->src,
        .dst = change->dst,
        .given = given_columns(change),
        .rows = run->rows,
        .fillers = run->fillers,
        .count = run->count,
        .leaves_rows = run->leaves_rows };
    if (!change->src) ecs__entity_make_issued(index);
    ecs__bulk_begin(&work->bulk);
    if (!change->dst) work->freed = ecs__entity_free_begin(index, run->entities, run->count);
}

static void end(work_t *work) {
    ecs_world_t *world = work->world;
    const ecs__run_t *run = work->run;
    ecs__bulk_end(&work->bulk);
    if (!work->change->src) {
        world->store.entities.alive_count += run->count;
        world->info.id_create_total += run->count;
    }
    if (!work->change->dst) {
        if (work->freed < 0)
            ecs__entity_free_many(&world->store.entities, run->entities, run->count);
        world->info.id_delete_total += run->count;
    }
}

void ecs__change_count(ecs_world_t *world, const ecs__change_t *change, int32_t count) {
    int32_t folded = 0;
    for (const ecs__cmd_t *cmd = change->head; cmd; cmd = cmd->next) {
        folded += ecs__cmd_what(cmd)->kind != ECS__CMD_NEW;
        ecs__cmd_count(world, cmd, count);
    }
    if (folded < 2) return;
    world->info.cmd.batched_entity_count += count;
    world->info.cmd.batched_command_count += (int64_t)folded * count;
}

void ecs__change_carry_out(ecs_world_t *world, const ecs__change_t *change, ecs__run_t *run) {
    work_t work = { .world = world, .change = change, .run = run };
    const int32_t size = world->flush->sharing.part, parts = (run->count + size - 1) / size;
    const int64_t commands = (int64_t)run->count * change->length;
    ecs__change_count(world, change, run->count);
    run->total += run->count;
    if (change->src != change->dst) begin(&work);
    ecs__flush_share(world->flush, commands, parts, carry_out_parts, &work);
    if (change->src != change->dst) end(&work);
}
