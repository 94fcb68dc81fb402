// SPDX-License-Identifier: MIT
// batch: folding the add, remove, clear, set and ensure commands of one entity into one move between tables.
//
// What is folded reaches from the head of the chain to the first command that must see the result. The id set is computed
// command by command, so add + remove nets out, and so does remove + add of what was there: its value stays, also one that the batch set
// before, unless it begins again as that of a base. Other values are dropped when a later command of the batch takes their id away. on_set
// of a folded set runs later, at the command's own position (flush.c).
#include "base/push.h"
#include "command/flush.h"
#include "command/quiet.h"
#include "mutate/check.h"
#include "mutate/edge.h"
#include "mutate/override.h"
#include "mutate/traits.h"
#include "world/state.h"

// A child of a prefab gets its tag: until then it may be one no more.
static bool is_below_prefab(const ecs__store_t *store, ecs_id_t id) {
    const ecs_table_t *parent = ecs__entity_living_table(&store->entities, ecs__id_second(id));
    return parent && parent->flags & EcsTableIsPrefab;
}

// What changes other entities too, is kept beside tables, may be refused when it is too late for another, or brings such ids is applied in
// its place among other commands.
static bool stays_in_place(ecs_world_t *world, ecs_id_t id) {
    ecs__store_t *store = &world->store;
    if (id == Ecs__Parent || id == Ecs__Prefab) return true;
    if (ecs__id_marks(id) || (!ECS_IS_PAIR(id) && !store->has_sparse)) return false;
    const uint32_t owner = ecs__id_trait_owner(ecs__id_any_to_wildcard(id));
    if (owner == Ecs__Wildcard || ecs__store_beside(store, id)) return true;
    if (ECS_HAS_RELATION(id, Ecs__ChildOf)) return is_below_prefab(store, id);
    const ecs_table_t *table = ecs__entity_living_table(&store->entities, owner);
    if (!table || !(table->flags & ECS__TABLE_HAS_TRAITS)) return false;
    if (ECS_IS_PAIR(id) && ecs__table_has(table, Ecs__Symmetric)) return true;
    if (ecs__edge_goes_alone(world, id)) return true;
    ecs_id_t implied;
    for (int32_t n = 0; (implied = ecs__id_implied(store, id, n)); n++) {
        if (stays_in_place(world, implied)) return true;
    }
    return false;
}

static bool is_foldable(ecs_world_t *world, const ecs__cmd_t *cmd) {
    const ecs__cmd_what_t *what = ecs__cmd_what(cmd);
    switch (what->kind) {
    case ECS__CMD_ADD:
    case ECS__CMD_WRITTEN:
    case ECS__CMD_REMOVE: return !stays_in_place(world, what->id);
    case ECS__CMD_CLEAR: {
        const uint32_t marks = ecs__entity_marks(&world->store.entities, cmd->entity);
        return !(marks & EcsEntityHasDontFragment) && ecs__clear_is_quiet(world);
    }
    case ECS__CMD_SET:
    case ECS__CMD_ENSURE:
        return !what->as.type_info->hooks.on_replace && !stays_in_place(world, what->id);
    default: return false;
    }
}

// Values before it are not needed: what takes their ids away is noted with its position in the batch, under 0 if it takes all.
static void note_taken(ecs__flush_t *flush, ecs_id_t id, uint64_t position) {
    *ecs_map_ensure(&flush->taken, ecs__id_any_to_wildcard(id)) = position;
}

static bool is_taken_behind(const ecs__flush_t *flush, ecs_id_t id, uint64_t position) {
    if (!ecs_map_count(&flush->taken)) return false;
    bool is_pair = ECS_IS_PAIR(ecs__id_bare(id));
    ecs_id_t any = is_pair ? ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard) : Ecs__Wildcard;
    const ecs_id_t keys[] = { id, ecs__id_marks(id) | any, 0 };
    for (int32_t i = 0; i < 3; i++) {
        const ecs_map_val_t *taken = ecs_map_get(&flush->taken, keys[i]);
        if (taken && *taken > position) return true;
    }
    return false;
}

// What was there never leaves its row.
static bool begins_again(
    ecs_world_t *world, const ecs_table_t *src, const ecs_table_t *dst, ecs_id_t id) {
    return !ecs__table_has(src, id) ||
           ecs__override_value(dst, ecs__id_record_get(&world->store, id));
}

// Nor has an exclusive pair that was replaced later in the batch a column to move its value to.
static void drop_values(ecs_world_t *world, ecs__cmd_t *head, const ecs__cmd_t *end,
    const ecs_table_t *src, const ecs_table_t *dst) {
    uint64_t position = 0;
    for (ecs__cmd_t *cmd = head; cmd != end; cmd = cmd->next, position++) {
        if (!ecs__cmd_holds_value(cmd)) continue;
        const ecs_id_t id = ecs__cmd_what(cmd)->id;
        if (!ecs__table_has(dst, id) ||
            (is_taken_behind(world->flush, id, position) && begins_again(world, src, dst, id)))
            cmd->what |= ECS__CMD_DROPPED;
    }
}

// An exclusive pair that takes the place of another takes its value away, too: that one may come again, without it.
static ecs_table_t *fold_in(
    ecs_world_t *world, ecs_table_t *table, const ecs__cmd_t *cmd, uint64_t position) {
    const ecs_id_t id = ecs__cmd_what(cmd)->id;
    ecs_table_t *after = ecs__table_after_add(world, table, id);
    const bool is_in_place = after != table && after->type.count <= table->type.count;
    if (is_in_place && position)
        note_taken(world->flush, ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard), position);
    return after;
}

static ecs_table_t *fold_out(
    ecs_world_t *world, ecs_table_t *table, const ecs__cmd_t *cmd, uint64_t position) {
    const bool is_all = ecs__cmd_what(cmd)->kind == ECS__CMD_CLEAR;
    if (position) note_taken(world->flush, is_all ? 0 : ecs__cmd_what(cmd)->id, position);
    if (is_all) return world->store.root;
    if (!ecs__check_remove(world, cmd->entity, ecs__cmd_what(cmd)->id)) return table;
    return ecs__table_after_remove(table, ecs__cmd_what(cmd)->id);
}

static bool takes_away(const ecs__cmd_t *cmd) {
    return ecs__cmd_what(cmd)->kind == ECS__CMD_REMOVE ||
           ecs__cmd_what(cmd)->kind == ECS__CMD_CLEAR;
}

static bool is_instance(const ecs__cmd_t *cmd) {
    return !takes_away(cmd) && ECS_HAS_RELATION(ecs__cmd_what(cmd)->id, Ecs__IsA);
}

// A child by component has the pair beside its table (mutate/parent.h).
static bool takes_parent(const ecs__cmd_t *cmd, const ecs_table_t *table) {
    return table->flags & EcsTableHasParent && ecs__cmd_what(cmd)->kind == ECS__CMD_REMOVE &&
           ECS_HAS_RELATION(ecs__cmd_what(cmd)->id, Ecs__ChildOf);
}

// Commands of one entity that are looked through for others among them; more than these are not folded with what is behind.
#define MOST_BETWEEN 32

// Siblings that keep an order come in that of the commands: others may be said to come between the head and this one, and who left and
// comes back is the last. `table`: where the entity is by then.
static bool is_late_sibling(const ecs_world_t *world, const ecs_table_t *src,
    const ecs_table_t *table, const ecs__cmd_t *head, const ecs__cmd_t *cmd) {
    const ecs_id_t id = ecs__cmd_what(cmd)->id;
    if (cmd == head || takes_away(cmd) || !ECS_HAS_RELATION(id, Ecs__ChildOf)) return false;
    const ecs_table_t *parent =
        ecs__entity_living_table(&world->store.entities, ecs__id_second(id));
    if (!parent || !ecs__table_has(parent, Ecs__OrderedChildren)) return false;
    if (ecs__table_has(src, id)) return !ecs__table_has(table, id);
    ecs__queue_iter_t iter = *world->flush->rest; /* behind the head */
    const ecs__cmd_t *next = ecs__queue_next(&iter);
    for (int32_t left = MOST_BETWEEN; left && next && next != cmd; left--)
        next = next->entity == cmd->entity ? ecs__queue_next(&iter) : NULL;
    return next != cmd;
}

// Where the entity ends up. Stops at the first command that cannot be part of the batch, which is returned in `end`. The first two can.
static ecs_table_t *fold_chain(
    ecs_world_t *world, ecs_table_t *table, ecs__cmd_t *head, ecs__cmd_t **end, bool *has_values) {
    ecs__cmd_t *cmd = head, *second = head->next;
    const ecs_table_t *src = table;
    const bool instantiates = is_instance(head);
    uint64_t position = 0;
    for (; cmd; cmd = cmd->next, position++) {
        if (cmd != head && cmd != second && !is_foldable(world, cmd)) break;
        world->flush->current = cmd;
        if (takes_away(cmd) && instantiates) break; /* what the base gives stays */
        if (is_instance(cmd) && cmd != head) break; /* what came before begins without it */
        if (takes_parent(cmd, table) || is_late_sibling(world, src, table, head, cmd)) break;
        if (takes_away(cmd)) {
            table = fold_out(world, table, cmd, *has_values ? position : 0);
        } else {
            const bool has_place = ecs__cmd_has_place(table, cmd);
            if (!has_place && cmd != head && !ecs__cmd_names_living(world, cmd))
                break; /* it may be by then */
            ecs__id_fate_t fate = has_place ? ECS__ID_OK : ecs__cmd_id_fate(world, cmd, table);
            if (fate == ECS__ID_DELETE_ENTITY) break;
            if (fate == ECS__ID_OK)
                table = fold_in(world, table, cmd, *has_values ? position : 0);
            else
                cmd->what |= ECS__CMD_DROPPED;
            *has_values |= ecs__cmd_holds_value(cmd);
        }
        cmd->what |= ECS__CMD_FOLDED;
        world->info.cmd.batched_command_count++;
    }
    world->flush->current = head;
    *end = cmd;
    return table;
}

static void collect_values(ecs_world_t *world, ecs__cmd_t *head, const ecs__cmd_t *end) {
    for (ecs__cmd_t *cmd = head; cmd != end; cmd = cmd->next) {
        if (!ecs__cmd_holds_value(cmd)) continue;
        if (ecs__cmd_is(cmd, ECS__CMD_DROPPED))
            ecs__cmd_discard(world, cmd);
        else
            *ecs__vec_push_t(&world->flush->values, ecs__pending_value_t) =
                (ecs__pending_value_t){ .id = ecs__cmd_what(cmd)->id,
                    .ptr = ecs__cmd_payload(cmd) };
    }
}

static void reset_taken(ecs_world_t *world, const ecs__cmd_t *cmd, const ecs_table_t *table) {
    const ecs_vec_t *values = &world->flush->values;
    const bool is_all = ecs__cmd_what(cmd)->kind == ECS__CMD_CLEAR;
    for (int32_t i = 0; i < table->type.count; i++) {
        const ecs_id_t id = table->type.array[i];
        if ((is_all || ecs__id_covers(ecs__cmd_what(cmd)->id, id)) &&
            !ecs__pending_find(values->array, values->count, id))
            ecs__override_reset(world, cmd->entity, id);
    }
}

// What an instance loses and gains in one batch stays in its row, but begins again with the value of its base.
static void reset_overrides(
    ecs_world_t *world, const ecs__cmd_t *head, const ecs__cmd_t *end, const ecs_table_t *table) {
    for (const ecs__cmd_t *cmd = head; cmd != end; cmd = cmd->next) {
        if (takes_away(cmd)) reset_taken(world, cmd, table);
    }
}

// Sets of what is there already: no row moves.
static bool fold_in_row(ecs_world_t *world, ecs__spot_t spot, ecs__cmd_t *head) {
    for (const ecs__cmd_t *cmd = head; cmd; cmd = cmd->next) {
        if (!ecs__cmd_has_place(spot.table, cmd)) return false;
    }
    for (ecs__cmd_t *cmd = head; cmd; cmd = cmd->next) {
        ecs__cmd_put(spot, cmd);
        cmd->what |= ECS__CMD_FOLDED;
        world->info.cmd.batched_command_count++;
    }
    world->info.cmd.batched_entity_count++;
    return true;
}

bool ecs__batch_fold(ecs_world_t *world, ecs__cmd_t *head) {
    if (!head->next || ecs__cmd_what(head)->kind == ECS__CMD_NEW) return false;
    const ecs__spot_t spot = ecs__entity_spot(&world->store.entities, head->entity);
    if (fold_in_row(world, spot, head)) return true;
    if (!is_foldable(world, head) || !is_foldable(world, head->next)) return false;
    ecs_table_t *table = spot.table;
    ecs__cmd_t *end;
    bool has_values = false;
    ecs_map_clear(&world->flush->taken);
    table = fold_chain(world, table, head, &end, &has_values);
    if (end == head) return false;

    ecs_vec_t *values = &world->flush->values;
    ecs_vec_clear(values);
    if (has_values) {
        drop_values(world, head, end, spot.table, table);
        collect_values(world, head, end);
    }
    world->info.cmd.batched_entity_count++;
    ecs__transition(world, head->entity, table, values->array, values->count);
    if (table->flags & EcsTableHasIsA) reset_overrides(world, head, end, table);
    return true;
}
