// SPDX-License-Identifier: MIT
#include "command/flush.h"

#include <muster/ecs/log.h>
#include <muster/ecs/name.h>
#include <muster/ecs/os.h>

#include "base/log.h"
#include "command/ahead.h"
#include "event/emit.h"
#include "mutate/check.h"
#include "mutate/hooks.h"
#include "mutate/plain.h"
#include "mutate/report.h"
#include "mutate/sparse.h"
#include "world/state.h"

// Fork and join take some microseconds, a command about ten nanoseconds; a part is what the nearest cache holds.
#define FEWEST_TO_SHARE 2048
#define PART 256

void ecs__flush_init(ecs__flush_t *flush) {
    *flush = (ecs__flush_t){ .sharing = { .fewest = FEWEST_TO_SHARE, .part = PART } };
    ecs_map_init(&flush->taken, NULL);
}

void ecs__flush_fini(ecs__flush_t *flush) {
    ecs__chains_fini(&flush->chains);
    ecs_vec_fini_t(NULL, &flush->values, ecs__pending_value_t);
    ecs_map_fini(&flush->taken);
    ecs__run_fini(&flush->run);
    ecs__whole_fini(&flush->whole);
    ecs__mixed_fini(&flush->mixed);
    *flush = (ecs__flush_t){ 0 };
}

// ---- dead things ----

// Traits may forbid the id by now; the refusal says so. What is applied last, and alone, need not be judged later.
static ecs__id_fate_t fate_of_living(
    ecs_world_t *world, const ecs__cmd_t *cmd, const ecs_table_t *folded) {
    const ecs_id_t id = ecs__cmd_what(cmd)->id;
    bool is_last =
        !folded && !ecs_vec_count(&world->suspects) && !ecs__queue_peek(world->flush->rest);
    bool allowed = is_last ? ecs__check_add(world, cmd->entity, id)
                           : ecs__check_add_queued(world, cmd->entity, id, folded);
    return allowed ? ECS__ID_OK : ECS__ID_SKIP;
}

static ecs__id_fate_t fate_of_input(
    ecs_world_t *world, const ecs__cmd_t *cmd, const ecs_table_t *folded) {
    const bool as_input = ecs__refuse_as_input(true);
    const ecs__id_fate_t fate = fate_of_living(world, cmd, folded);
    ecs__refuse_as_input(as_input);
    return fate;
}

static bool is_input(const ecs__cmd_t *cmd) { return ecs__cmd_what(cmd)->input; }

// Most ids are in use already, and have no traits that could forbid them.
static bool is_always_allowed(const ecs_world_t *world, ecs_id_t id) {
    if (id >= FLECS_HI_COMPONENT_ID || ecs__is_builtin(id)) return false;
    const ecs_component_record_t *record = world->store.ids.low[id];
    return record && record->table_live && !(record->flags & ECS__ID_MEANS_MORE) &&
           ecs__entity_is_alive(&world->store.entities, id);
}

bool ecs__cmd_names_living(const ecs_world_t *world, const ecs__cmd_t *cmd) {
    const ecs__entity_index_t *index = &world->store.entities;
    const ecs_id_t id = ecs__id_bare(ecs__cmd_what(cmd)->id);
    if (is_always_allowed(world, ecs__cmd_what(cmd)->id)) return true;
    if (!ECS_IS_PAIR(id)) return ecs__entity_is_alive(index, id);
    return ecs__entity_alive_id(index, ecs__id_first(id)) &&
           (ECS_IS_VALUE_PAIR(id) || ecs__entity_alive_id(index, ecs__id_second(id)));
}

// The value, if there is one, is still one of the id.
static bool fits(const ecs_world_t *world, const ecs__cmd_t *cmd) {
    const ecs__cmd_what_t *what = ecs__cmd_what(cmd);
    if (!ecs__cmd_holds_value(cmd) && what->kind != ECS__CMD_EMPLACE) return true;
    const ecs_component_record_t *record = ecs__id_record_get(&world->store, what->id);
    return ecs__cmd_fits(what, record ? record->type_info : ecs_get_type_info(world, what->id));
}

ecs__id_fate_t ecs__cmd_id_fate(
    ecs_world_t *world, const ecs__cmd_t *cmd, const ecs_table_t *folded) {
    const bool is_allowed = is_always_allowed(world, ecs__cmd_what(cmd)->id);
    if (is_allowed || ecs__cmd_names_living(world, cmd)) {
        if (!fits(world, cmd)) return ECS__ID_SKIP;
        if (is_allowed) return ECS__ID_OK;
        return is_input(cmd) ? fate_of_input(world, cmd, folded)
                             : fate_of_living(world, cmd, folded);
    }
    const ecs_id_t id = ecs__cmd_what(cmd)->id;
    const bool has_relationship =
        ECS_IS_PAIR(id) && ecs__entity_alive_id(&world->store.entities, ecs__id_first(id));
    if (!has_relationship || id != ecs__id_bare(id))
        return ECS__ID_SKIP; /* marks have no policies */
    const ecs_component_record_t *rel =
        ecs__id_record_ensure(&world->store, ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard));
    if (rel->flags & EcsIdOnDeleteTargetPanic) {
        char *text = ecs_id_str(world, ecs__cmd_what(cmd)->id);
        ecs_err("cannot add %s: its target was deleted and the relationship forbids that", text);
        ecs_os_free(text);
        ecs_assert(false, ECS_CONSTRAINT_VIOLATED,
            "target of a relationship with (OnDeleteTarget, Panic) died");
    }
    return rel->flags & EcsIdOnDeleteTargetDelete ? ECS__ID_DELETE_ENTITY : ECS__ID_SKIP;
}

void ecs__cmd_discard(ecs_world_t *world, ecs__cmd_t *cmd) {
    switch (ecs__cmd_what(cmd)->kind) {
    case ECS__CMD_SET:
    case ECS__CMD_ENSURE:
    case ECS__CMD_EMPLACE:
        ecs__value_dtor(ecs__cmd_what(cmd)->as.type_info, ecs__cmd_payload(cmd), 1);
        break;
    case ECS__CMD_CALL:
        ecs__cmd_what(cmd)->as.call(world, cmd->entity, ecs__cmd_payload(cmd), true);
        break;
    default: break;
    }
}

void ecs__queue_discard(ecs_world_t *world, ecs__cmd_queue_t *queue) {
    ecs__queue_iter_t iter = ecs__queue_iter(queue, 1);
    ecs__cmd_t *cmd;
    while ((cmd = ecs__queue_next(&iter))) {
        ecs__cmd_discard(world, cmd);
        world->info.cmd.discard_count++;
    }
    ecs__queue_clear(queue);
}

// ---- applying ----

static void emplace(ecs_world_t *world, ecs__cmd_t *cmd) {
    const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, cmd->entity);
    if (ecs__has_own(spot, ecs__cmd_what(cmd)->id)) {
        ecs__set_move(world, cmd->entity, ecs__cmd_what(cmd)->id, ecs__cmd_payload(cmd), false);
        return;
    }
    ecs_component_record_t *beside = ecs__store_beside(&world->store, ecs__cmd_what(cmd)->id);
    if (beside) {
        ecs__aside_emplace(world, cmd->entity, beside, ecs__cmd_payload(cmd));
        return;
    }
    ecs_table_t *dst = ecs__table_after_add(world, spot.table, ecs__cmd_what(cmd)->id);
    ecs__pending_value_t value = {
        .id = ecs__cmd_what(cmd)->id, .ptr = ecs__cmd_payload(cmd), .construct = true
    };
    ecs__transition(world, cmd->entity, dst, &value, 1);
}

void ecs__cmd_count(ecs_world_t *world, const ecs__cmd_t *cmd, int32_t count) {
    const ecs__cmd_what_t *what = ecs__cmd_what(cmd);
    switch (what->kind) {
    case ECS__CMD_ADD: world->info.cmd.add_count += count; break;
    case ECS__CMD_REMOVE: world->info.cmd.remove_count += count; break;
    case ECS__CMD_DELETE: world->info.cmd.delete_count += count; break;
    case ECS__CMD_CLEAR: world->info.cmd.clear_count += count; break;
    case ECS__CMD_SET:
    case ECS__CMD_WRITTEN: world->info.cmd.set_count += count; break;
    case ECS__CMD_ENSURE: world->info.cmd.ensure_count += count; break;
    case ECS__CMD_MODIFIED: world->info.cmd.modified_count += count; break;
    default:
        if (what->kind == ECS__CMD_CALL && what->flag)
            world->info.cmd.event_count += count;
        else
            world->info.cmd.other_count += count;
    }
}

// The id of the command is still fit to be added.
static void add_fit(ecs_world_t *world, ecs__cmd_t *cmd) {
    const ecs__cmd_what_t *what = ecs__cmd_what(cmd);
    void *value = ecs__cmd_payload(cmd);
    switch (what->kind) {
    case ECS__CMD_SET: ecs__set_move(world, cmd->entity, what->id, value, true); break;
    case ECS__CMD_ENSURE: ecs__set_move(world, cmd->entity, what->id, value, false); break;
    case ECS__CMD_EMPLACE: emplace(world, cmd); break;
    default: ecs__add(world, cmd->entity, what->id);
    }
}

// Commands that add an id; the id may have died since.
static void apply_adding(ecs_world_t *world, ecs__cmd_t *cmd) {
    switch (ecs__cmd_id_fate(world, cmd, NULL)) {
    case ECS__ID_OK: add_fit(world, cmd); return;
    case ECS__ID_SKIP: break;
    case ECS__ID_DELETE_ENTITY: ecs__delete(world, cmd->entity); break;
    }
    ecs__cmd_discard(world, cmd);
    world->info.cmd.discard_count++;
}

bool ecs__cmd_has_place(const ecs_table_t *table, const ecs__cmd_t *cmd) {
    const ecs__cmd_what_t *what = ecs__cmd_what(cmd);
    bool holds_value = ecs__cmd_holds_value(cmd);
    if (!holds_value && what->kind != ECS__CMD_WRITTEN) return false;
    if (holds_value && (what->as.type_info->hooks.on_replace || what->id == Ecs__Parent))
        return false;
    const int32_t column = ecs__table_column(table, what->id);
    return column >= 0 && (!holds_value || ecs__cmd_fits(what, table->columns[column].type_info));
}

void ecs__cmd_put(ecs__spot_t spot, ecs__cmd_t *cmd) {
    if (!ecs__cmd_holds_value(cmd)) return;
    const ecs_table_t *table = spot.table;
    int32_t column = ecs__table_column(table, ecs__cmd_what(cmd)->id);
    const ecs__column_t *meta = &table->columns[column];
    void *cell = ecs__table_cell(table, column, spot.row);
    if (meta->has_hooks)
        ecs__value_move_dtor(meta->type_info, cell, ecs__cmd_payload(cmd), 1);
    else
        ecs__copy_plain(cell, ecs__cmd_payload(cmd), (size_t)meta->size);
}

// Tell of a value in the row of the entity, of which mostly only observers want to know. False if there is none.
static bool tell_in_row(ecs_world_t *world, const ecs__cmd_t *cmd) {
    ecs_id_t id = ecs__cmd_what(cmd)->id;
    const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, cmd->entity);
    ecs_table_t *table = spot.table;
    int32_t row = spot.row;
    if (ecs__table_plain_cell(table, id, 0, row)) {
        if (ecs__events_may_hear_set(&world->events, id))
            ecs__emit_on_set(world, table, id, row, 1);
        return true;
    }
    int32_t column = ecs__table_column(table, id);
    if (column >= 0) ecs__hooks_on_set(world, table, column, row, 1);
    return column >= 0;
}

void ecs__cmd_tell(ecs_world_t *world, const ecs__cmd_t *cmd) {
    if (ecs__cmd_what(cmd)->id != Ecs__Parent && tell_in_row(world, cmd)) return;
    const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, cmd->entity);
    if (ecs__has_own(spot, ecs__cmd_what(cmd)->id))
        ecs__modified(world, cmd->entity, ecs__cmd_what(cmd)->id);
}

static void apply_written(ecs_world_t *world, ecs__cmd_t *cmd) {
    if (tell_in_row(world, cmd)) return;
    apply_adding(world, cmd);
    if (ecs__entity_is_alive(&world->store.entities, cmd->entity)) ecs__cmd_tell(world, cmd);
}

static void apply_value(ecs_world_t *world, ecs__cmd_t *cmd) {
    const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, cmd->entity);
    if (!ecs__cmd_has_place(spot.table, cmd)) {
        apply_adding(world, cmd);
        return;
    }
    ecs__cmd_put(spot, cmd);
    if (ecs__cmd_what(cmd)->kind == ECS__CMD_SET) tell_in_row(world, cmd);
}

// Each gets the id as by a command of its own.
static void new_many(ecs_world_t *world, ecs__cmd_t *cmd) {
    const ecs_entity_t *entities = ecs__cmd_payload(cmd);
    for (int32_t i = 0; i < (int32_t)ecs__cmd_what(cmd)->as.word; i++) {
        ecs__cmd_t one = { .what = cmd->what, .entity = entities[i] };
        ecs__create_reserved(world, one.entity);
        if (ecs__cmd_what(cmd)->id) apply_adding(world, &one);
    }
}

static void apply_alone(ecs_world_t *world, ecs__cmd_t *cmd) {
    bool flag = ecs__cmd_what(cmd)->flag;
    switch ((ecs__cmd_kind_t)ecs__cmd_what(cmd)->kind) {
    case ECS__CMD_ADD:
    case ECS__CMD_EMPLACE: apply_adding(world, cmd); break;
    case ECS__CMD_SET:
    case ECS__CMD_ENSURE: apply_value(world, cmd); break;
    case ECS__CMD_WRITTEN: apply_written(world, cmd); break;
    case ECS__CMD_REMOVE: ecs__remove(world, cmd->entity, ecs__cmd_what(cmd)->id); break;
    case ECS__CMD_MODIFIED: ecs__cmd_tell(world, cmd); break;
    case ECS__CMD_CLONE:
        if (ecs__entity_is_alive(&world->store.entities, ecs__cmd_what(cmd)->as.other) &&
            ecs__check_clone(world, cmd->entity, ecs__cmd_what(cmd)->as.other, flag)) {
            ecs__clone(world, cmd->entity, ecs__cmd_what(cmd)->as.other, flag);
        }
        break;
    case ECS__CMD_DELETE:
        if (ecs__check_delete(world, cmd->entity)) ecs__delete(world, cmd->entity);
        break;
    case ECS__CMD_CLEAR: ecs__clear(world, cmd->entity); break;
    case ECS__CMD_ENABLE: ecs__enable(world, cmd->entity, flag); break;
    case ECS__CMD_DELETE_WITH: ecs__delete_with(world, ecs__cmd_what(cmd)->id); break;
    case ECS__CMD_REMOVE_ALL: ecs__remove_all(world, ecs__cmd_what(cmd)->id); break;
    case ECS__CMD_CALL:
        ecs__cmd_what(cmd)->as.call(world, cmd->entity, ecs__cmd_payload(cmd), false);
        break;
    case ECS__CMD_NEW: ecs__create_reserved(world, cmd->entity); break;
    case ECS__CMD_NEW_MANY: new_many(world, cmd); break;
    }
}

// The type part of a folded command is done; a set that was not overruled still owes its on_set.
static void apply_folded(ecs_world_t *world, const ecs__cmd_t *cmd) {
    ecs__cmd_kind_t kind = ecs__cmd_what(cmd)->kind;
    bool is_set = kind == ECS__CMD_SET && !ecs__cmd_is(cmd, ECS__CMD_DROPPED);
    if (is_set || kind == ECS__CMD_WRITTEN) ecs__cmd_tell(world, cmd);
}

// All that many commands are: of a living entity, alone, and between tables of which one was reached from the other before, or its end,
// or between targets beside them. That a plain id leads there says that it is alive and may be added.
static bool apply_plainly(ecs_world_t *world, const ecs__cmd_t *cmd) {
    const ecs__cmd_what_t *what = ecs__cmd_what(cmd);
    const bool adds = what->kind == ECS__CMD_ADD;
    if (cmd->next || ecs__cmd_is(cmd, ECS__CMD_FOLDED)) return false;
    if (what->kind == ECS__CMD_DELETE) return ecs__plain_delete(world, cmd->entity);
    if (!(adds || what->kind == ECS__CMD_REMOVE)) return false;
    if (adds && ECS_IS_PAIR(what->id))
        return !is_input(cmd) && ecs__aside_swap_plainly(world, cmd->entity, what->id, true);
    return ecs__walk_change(world, cmd->entity, ecs__walk_find(world, cmd->entity, what->id), adds);
}

static void apply(ecs_world_t *world, ecs__cmd_t *cmd) {
    ecs__cmd_count(world, cmd, 1);
    if (apply_plainly(world, cmd)) return;
    bool needs_alive = cmd->entity && ecs__cmd_what(cmd)->kind != ECS__CMD_NEW;
    if (needs_alive && !ecs__entity_is_alive(&world->store.entities, cmd->entity)) {
        if (!(ecs__cmd_is(cmd, ECS__CMD_FOLDED))) {
            ecs__cmd_discard(world, cmd);
            world->info.cmd.discard_count++;
        }
    } else if (ecs__cmd_is(cmd, ECS__CMD_FOLDED)) {
        apply_folded(world, cmd);
    } else if (ecs__batch_fold(world, cmd)) {
        if (ecs__entity_is_alive(&world->store.entities, cmd->entity)) apply_folded(world, cmd);
    } else {
        apply_alone(world, cmd);
    }
}

// ---- errors name the command ----

static const char *const kind_names[] = {
    [ECS__CMD_NEW] = "new",
    [ECS__CMD_NEW_MANY] = "new",
    [ECS__CMD_ADD] = "add",
    [ECS__CMD_REMOVE] = "remove",
    [ECS__CMD_SET] = "set",
    [ECS__CMD_WRITTEN] = "set",
    [ECS__CMD_ENSURE] = "ensure",
    [ECS__CMD_EMPLACE] = "emplace",
    [ECS__CMD_MODIFIED] = "modified",
    [ECS__CMD_CLONE] = "clone",
    [ECS__CMD_DELETE] = "delete",
    [ECS__CMD_CLEAR] = "clear",
    [ECS__CMD_ENABLE] = "enable",
    [ECS__CMD_DELETE_WITH] = "delete with",
    [ECS__CMD_REMOVE_ALL] = "remove from all",
    [ECS__CMD_CALL] = "call",
};

static void write_command(const ecs_world_t *world, ecs_entity_t system, const char *kind,
    ecs_id_t id, ecs_entity_t entity, ecs_strbuf_t *text) {
    ecs_strbuf_appendlit(text, "; recorded");
    if (system) {
        ecs_strbuf_appendlit(text, " by system ");
        ecs_id_str_buf(world, system, text);
    }
    ecs_strbuf_append(text, ": %s", kind);
    if (id) {
        ecs_strbuf_appendch(text, ' ');
        ecs_id_str_buf(world, id, text);
    }
    if (entity) {
        ecs_strbuf_appendlit(text, " for ");
        ecs_id_str_buf(world, entity, text);
    }
}

static void write_note(const void *who, ecs_strbuf_t *text) {
    const ecs_world_t *world = who;
    const ecs__suspect_t *judged = &world->judged;
    const ecs__cmd_t *cmd = world->flush->current;
    if (cmd)
        write_command(world, ecs__cmd_what(cmd)->system, kind_names[ecs__cmd_what(cmd)->kind],
            ecs__cmd_what(cmd)->id, cmd->entity, text);
    else if (judged->entity)
        write_command(world, judged->system, "add", judged->id, judged->entity, text);
}

ecs__log_note_t ecs__flush_note(ecs_world_t *world) {
    return ecs__log_note((ecs__log_note_t){ write_note, world });
}

static bool any_takes_away(const ecs__cmd_queue_t *queues, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        if (ecs__queue_takes_away(&queues[i])) return true;
    }
    return false;
}

void ecs__flush_apply(ecs_world_t *world, const ecs__cmd_queue_t *queues, int32_t count) {
    ecs__chains_link(&world->flush->chains, &world->store.entities, queues, count);
    ecs__queue_iter_t iter = ecs__queue_iter(queues, count);
    ecs__ahead_t ahead = { .count = 0 };
    world->flush->rest = &iter;
    ecs__singles_forget(&world->flush->singles); /* a flush that was cut short left some */
    ecs_stage_t *stage = world->stages[0];
    ecs__cmd_queue_t *later = stage->queue; /* what callbacks issue comes after all of this */
    uint32_t kinds = later->kinds;
    if (any_takes_away(queues, count)) ecs__queue_lose(later);
    ecs_entity_t system = stage->system;
    ecs__cmd_t *cmd;
    while ((cmd = ecs__queue_peek(&iter))) {
        stage->system = ecs__cmd_what(cmd)->system; /* errors and hooks name who recorded it */
        world->flush->current = cmd;
        bool is_done = ecs__cmd_is(cmd, ECS__CMD_AHEAD);
        if (!is_done && ecs__run_try(world, &world->flush->run, &iter, cmd)) {
            ahead.count = 0;
            continue;
        }
        int32_t applied = is_done ? 0 : ecs__single_try(world, &world->flush->singles, &iter, cmd);
        if (!applied) ecs__queue_pass(&iter, cmd);
        ecs__ahead_go(&ahead, &world->store, &iter, ECS_MAX(applied, 1));
        if (!is_done && !applied) apply(world, cmd);
    }
    ecs__queue_have_lost(later, kinds);
    stage->system = system;
    ecs__singles_forget(&world->flush->singles);
    world->flush->rest = NULL;
    world->flush->current = NULL;
}
