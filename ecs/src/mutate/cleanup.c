// SPDX-License-Identifier: MIT
// cleanup: what happens to entities that refer to a deleted one.
//
//   mark     walk from the deleted entity to all tables whose rows die with it (policy EcsDelete),
//            depth first, so that tables come out before the tables their rows depend on: children
//            before parents. EcsPanic ends it here.
//   remove   take ids and pairs of the dying out of entities that stay (policy EcsRemove)
//   delete   the marked tables, then the entity itself
//   drop     tables and id records with dead ids, and type infos of dead components
//
// Entities that refer to a deleted one beside their table are marked one by one and deleted in the same order.
// A table or entity is marked once, so cycles end. The walk keeps its own stack: depth is limited by memory
// only.
#include "mutate/cleanup.h"

#include "base/push.h"
#include "event/emit.h"
#include "mutate/delete.h"
#include "mutate/edge.h"
#include "mutate/mutate.h"
#include "mutate/plain.h"
#include "mutate/report.h"
#include "mutate/sparse.h"
#include "storage/table_bulk.h"
#include "world/state.h"

// Either an entity, whose dependent tables are walked, or a table, whose rows are.
typedef struct frame_t {
    ecs_table_t *table; /* NULL for an entity */
    ecs_entity_t entity;
    ecs_component_record_t *record; /* whose tables are walked */
    int32_t step;                   /* 0: id, 1: (id, *), 2: the ring of (*, id), 3: end */
    int32_t at;                     /* next row, or next table of the record */
    int32_t holder;                 /* next holder of the record, if it is kept beside tables */
    bool is_marked;                 /* an entity to be deleted by itself */
} frame_t;

// What is deleted at once: a table, or one entity.
typedef struct victim_t {
    ecs_table_t *table; /* NULL for an entity */
    ecs_entity_t entity;
} victim_t;

typedef struct cleanup_t {
    ecs_world_t *world;
    ecs_vec_t stack;   /* frame_t */
    ecs_vec_t victims; /* victim_t: marked, in the order in which they are deleted */
    ecs_map_t marked;  /* entities marked one by one */
    ecs_vec_t dying;   /* ecs_entity_t: those that are ids or targets */
    ecs_entity_t root;
    ecs_id_t refused_by;  /* id whose policy is EcsPanic */
    ecs_entity_t refused; /* and the entity it protects */
} cleanup_t;

static cleanup_t begin(ecs_world_t *world) {
    ecs__cleanup_spare_t *spare = &world->spare_cleanup;
    return (cleanup_t){ .world = world,
        .marked = ecs__spare_take_map(&spare->marked),
        .stack = ecs__spare_take(&spare->stack),
        .victims = ecs__spare_take(&spare->victims),
        .dying = ecs__spare_take(&spare->dying) };
}

static frame_t *top(cleanup_t *cleanup) { return ecs_vec_last_t(&cleanup->stack, frame_t); }

static ecs_component_record_t *record_of(const cleanup_t *cleanup, ecs_id_t id) {
    return ecs__id_record_get(&cleanup->world->store, id);
}

// ---- mark ----

static void push_entity(cleanup_t *cleanup, ecs_entity_t entity) {
    *ecs__vec_push_t(&cleanup->dying, ecs_entity_t) = entity;
    *ecs__vec_push_t(&cleanup->stack, frame_t) = (frame_t){ .entity = entity, .step = -1 };
}

static void push_table(cleanup_t *cleanup, ecs_table_t *table) {
    table->flags |= EcsTableMarkedForDelete;
    *ecs__vec_push_t(&cleanup->stack, frame_t) = (frame_t){ .table = table };
}

static bool is_protected(const cleanup_t *cleanup, const ecs_table_t *table) {
    return !(cleanup->world->flags & EcsWorldFini) &&
           ecs__table_has(table, ECS__MAKE_PAIR(Ecs__OnDelete, Ecs__Panic));
}

static bool is_marked(const cleanup_t *cleanup, ecs_entity_t entity) {
    const ecs__spot_t spot = ecs__entity_spot(&cleanup->world->store.entities, entity);
    if (entity == cleanup->root || spot.table->flags & EcsTableMarkedForDelete) return true;
    return ecs_map_get(&cleanup->marked, (uint32_t)entity);
}

static void push_victim(cleanup_t *cleanup, victim_t victim) {
    *ecs__vec_push_t(&cleanup->victims, victim_t) = victim;
}

static bool ends(const ecs__ending_t *ending, ecs_entity_t entity) {
    for (; ending; ending = ending->outer)
        if (ending->cleanup ? is_marked(ending->cleanup, entity) : ending->entity == entity)
            return true;
    return false;
}

bool ecs__is_told_of_end(const ecs_world_t *poly, ecs_entity_t entity) {
    const ecs__ending_t *ending = ecs__world_of(poly)->ending;
    return ending && !ecs__stage_defers(ecs__stage_of(poly)) && ends(ending, entity);
}

// One entity that dies because of what it has beside its table.
static void push_holder(cleanup_t *cleanup, ecs_entity_t entity) {
    *ecs_map_ensure(&cleanup->marked, (uint32_t)entity) = 1;
    const ecs__entity_index_t *index = &cleanup->world->store.entities;
    if (is_protected(cleanup, ecs__entity_spot(index, entity).table)) cleanup->refused = entity;
    if (ecs__entity_marks(index, entity) & (EcsEntityIsId | EcsEntityIsTarget)) {
        push_entity(cleanup, entity);
        top(cleanup)->is_marked = true;
    } else {
        push_victim(cleanup, (victim_t){ .entity = entity });
    }
}

// The next id record with a policy for the entity of a frame; NULL at the end.
static ecs_component_record_t *next_record(cleanup_t *cleanup, frame_t *frame) {
    ecs_entity_t entity = frame->entity;
    while (frame->step < 3) {
        ecs_component_record_t *record = NULL;
        if (frame->step < 2) {
            frame->step++;
            frame->record = NULL;
        }
        if (frame->step == 0) {
            record = record_of(cleanup, entity);
        } else if (frame->step == 1) {
            record = record_of(cleanup, ECS__MAKE_PAIR(entity, Ecs__Wildcard));
        } else {
            const ecs_component_record_t *ring =
                record_of(cleanup, ECS__MAKE_PAIR(Ecs__Wildcard, entity));
            record = ring ? ecs__id_record_next_second(ring, frame->record) : NULL;
            if (!record) frame->step = 3;
        }
        if (!record) continue;
        frame->record = record;
        frame->at = frame->holder = 0;
        return record;
    }
    return NULL;
}

static bool has_rows(const ecs_component_record_t *record) {
    int32_t from = 0;
    return ecs__id_record_next_table(record, &from, false) || ecs__sparse_count(record);
}

// True if the record's tables die with the entity. Notes a refusal; an id with (OnDelete, Panic) is protected itself.
static bool dies(cleanup_t *cleanup, const frame_t *frame, const ecs_component_record_t *record) {
    if (frame->step < 2) return record->flags & EcsIdOnDeleteDelete;
    if (record->flags & EcsIdOnDeleteTargetPanic && !(cleanup->world->flags & EcsWorldFini) &&
        has_rows(record)) {
        cleanup->refused_by = record->id;
        cleanup->refused = frame->entity;
    }
    return record->flags & EcsIdOnDeleteTargetDelete;
}

// Mark the next table or holder of the record of a frame. False if there is none.
static bool mark_next(cleanup_t *cleanup, frame_t *frame) {
    ecs_component_record_t *record = frame->record;
    ecs_table_t *table;
    while ((table = ecs__id_record_next_table(record, &frame->at, false))) {
        if (table->flags & EcsTableMarkedForDelete) continue;
        push_table(cleanup, table);
        return true;
    }
    while (ecs__id_may_be_beside(record) && frame->holder < ecs__sparse_count(record)) {
        ecs_entity_t holder = ecs__sparse_holders(record)[frame->holder++].entity;
        if (is_marked(cleanup, holder)) continue;
        push_holder(cleanup, holder);
        return true;
    }
    return false;
}

// One step for the entity on top of the stack: descend into one table, or done.
static void walk_entity(cleanup_t *cleanup) {
    frame_t *frame = top(cleanup);
    for (;;) {
        bool has_record = frame->step >= 0 && frame->record;
        if (has_record && dies(cleanup, frame, frame->record) && mark_next(cleanup, frame)) return;
        if (cleanup->refused) return;
        if (next_record(cleanup, frame)) continue;
        if (frame->is_marked) push_victim(cleanup, (victim_t){ .entity = frame->entity });
        cleanup->stack.count--;
        return;
    }
}

static void walk_table(cleanup_t *cleanup) {
    frame_t *frame = top(cleanup);
    ecs_table_t *table = frame->table;
    if (table->count && is_protected(cleanup, table)) {
        cleanup->refused = table->entities[0];
        return;
    }
    const ecs__entity_index_t *index = &cleanup->world->store.entities;
    for (int32_t row = frame->at; row < table->count; row++) {
        ecs_entity_t entity = table->entities[row];
        if (!(ecs__entity_marks(index, entity) & (EcsEntityIsId | EcsEntityIsTarget))) continue;
        if (entity == cleanup->root) continue;
        frame->at = row + 1;
        push_entity(cleanup, entity);
        return;
    }
    push_victim(cleanup, (victim_t){ .table = table });
    cleanup->stack.count--;
}

static inline void unmark(cleanup_t *cleanup) {
    const victim_t *victims = cleanup->victims.array;
    for (int32_t i = 0; i < cleanup->victims.count; i++) {
        if (victims[i].table) victims[i].table->flags &= ~EcsTableMarkedForDelete;
    }
    frame_t *frames = cleanup->stack.array;
    for (int32_t i = 0; i < cleanup->stack.count; i++) {
        if (frames[i].table) frames[i].table->flags &= ~EcsTableMarkedForDelete;
    }
}

static bool walk(cleanup_t *cleanup) {
    while (cleanup->stack.count && !cleanup->refused) {
        if (top(cleanup)->table)
            walk_table(cleanup);
        else
            walk_entity(cleanup);
    }
    return !cleanup->refused;
}

static inline bool mark_entity(cleanup_t *cleanup, ecs_entity_t entity) {
    const ecs_table_t *table = ecs__entity_spot(&cleanup->world->store.entities, entity).table;
    cleanup->root = entity;
    if (is_protected(cleanup, table)) {
        cleanup->refused = entity;
        return false;
    }
    push_entity(cleanup, entity);
    return walk(cleanup);
}

static bool mark_beside(cleanup_t *cleanup, ecs_id_t id) {
    const ecs__store_t *store = &cleanup->world->store;
    const ecs_component_record_t *record;
    int32_t cover = 0;
    while ((record = ecs__sparse_next_cover(store, id, &cover))) {
        for (int32_t i = 0; i < ecs__sparse_count(record); i++) {
            ecs_entity_t holder = ecs__sparse_holders(record)[i].entity;
            const ecs_table_t *table = ecs__entity_spot(&store->entities, holder).table;
            if (table->flags & EcsTableIsPrefab || is_marked(cleanup, holder)) continue;
            push_holder(cleanup, holder);
            if (!walk(cleanup)) return false;
        }
    }
    return true;
}

static bool mark_holders(cleanup_t *cleanup, ecs_id_t id) {
    const ecs_component_record_t *record = record_of(cleanup, id);
    ecs_table_t *table;
    int32_t from = 0;
    while (record && (table = ecs__id_record_next_table(record, &from, false))) {
        if (table->flags & (EcsTableMarkedForDelete | EcsTableIsPrefab)) continue;
        push_table(cleanup, table);
        if (!walk(cleanup)) return false;
    }
    return mark_beside(cleanup, id);
}

// ---- remove ----

static bool is_dying(void *ctx, ecs_entity_t entity) {
    const cleanup_t *cleanup = ctx;
    return entity != cleanup->root && is_marked(cleanup, entity);
}

// The same as one by one, from the last to the first, if it concerns nobody else.
static bool remove_together(const ecs_world_t *world, ecs_table_t *table, ecs_id_t id) {
    enum { TOGETHER = 256 };
    ecs__walk_t walk = ecs__walk_find(world, table->entities[0], id);
    if (!ecs__walk_is_all(world, walk) || !ecs__walk_is_bytes(world, walk.hop, 0) ||
        table->traversable_count || world->store.has_sparse)
        return false;
    ecs_table_t *dst = walk.hop->edge->target;
    while (table->count) {
        int32_t rows[TOGETHER], fillers[3 * TOGETHER], count = ECS_MIN(table->count, TOGETHER);
        for (int32_t i = 0; i < count; i++) rows[i] = table->count - 1 - i;
        ecs__bulk_t bulk = {
            .src = table, .dst = dst, .rows = rows, .fillers = fillers, .count = count
        };
        ecs__bulk_begin(&bulk);
        ecs__bulk_part(&bulk, 0, count);
        ecs__bulk_end(&bulk);
    }
    return true;
}

// Entities that are deleted themselves tell of everything then. The other ends of symmetric pairs may leave, or come, meanwhile.
// True if an entity left.
static bool remove_from_rows(
    ecs_world_t *world, ecs_table_t *table, ecs_id_t id, cleanup_t *cleanup) {
    ecs_table_t *dst = ecs__table_after_remove(table, id);
    bool may_die = cleanup && ecs_map_count(&cleanup->marked), left = false;
    if (table->count && !may_die && remove_together(world, table, id)) return true;
    for (int32_t row = table->count - 1; row >= 0; row = ECS_MIN(row, table->count) - 1) {
        ecs_entity_t entity = table->entities[row];
        if (may_die && is_dying(cleanup, entity)) continue;
        if (!ecs__walk_change(world, entity, ecs__walk_find(world, entity, id), false))
            ecs__transition(world, entity, dst, NULL, 0);
        if (ecs__entity_table(&world->store.entities, entity) == table) break; /* locked */
        left = true;
    }
    return left;
}

// The other ends of symmetric pairs may come to tables that were passed, too.
static inline void remove_from_tables(
    ecs_world_t *world, ecs_id_t id, ecs_flags32_t skip_flags, cleanup_t *cleanup) {
    const ecs_component_record_t *record = ecs__id_record_get(&world->store, id);
    for (bool again = record != NULL; again;) {
        ecs_table_t *table;
        int32_t from = 0;
        again = false;
        while ((table = ecs__id_record_next_table(record, &from, false))) {
            if (table->flags & skip_flags) continue;
            bool left = remove_from_rows(world, table, id, cleanup);
            again |= left && table->flags & ECS__TABLE_HAS_SYMMETRIC;
        }
    }
}

void ecs__remove_from_tables(ecs_world_t *world, ecs_id_t id, ecs_flags32_t skip_flags) {
    remove_from_tables(world, id, skip_flags, NULL);
}

// An id occurs bare and with marks.
static const ecs_id_t marks[] = { 0, ECS__AUTO_OVERRIDE, ECS__TOGGLE };

// How many of them to ask for.
static int32_t count_marks(const cleanup_t *cleanup) {
    return cleanup->world->store.ids.has_marked ? sizeof(marks) / sizeof(marks[0]) : 1;
}

static void remove_dying(cleanup_t *cleanup) {
    const ecs_entity_t *dying = cleanup->dying.array;
    const int32_t mark_count = count_marks(cleanup);
    for (int32_t i = cleanup->dying.count - 1; i >= 0; i--) {
        const ecs_id_t ids[] = { dying[i], ECS__MAKE_PAIR(dying[i], Ecs__Wildcard),
            ECS__MAKE_PAIR(Ecs__Wildcard, dying[i]) };
        for (int32_t k = 0; k < 3 * mark_count; k++) {
            ecs_id_t id = marks[k / 3] | ids[k % 3];
            remove_from_tables(cleanup->world, id, EcsTableMarkedForDelete, cleanup);
            if (!marks[k / 3]) ecs__aside_remove_all(cleanup->world, id, 0, is_dying, cleanup);
        }
        if (mark_count == 1) continue;
        remove_from_tables(cleanup->world, ECS__AND | dying[i], EcsTableMarkedForDelete, cleanup);
        remove_from_tables(cleanup->world, ECS__OR | dying[i], EcsTableMarkedForDelete, cleanup);
    }
}

// ---- delete ----

static void delete_alive(ecs_world_t *world, ecs_entity_t entity) {
    if (ecs__entity_is_alive(&world->store.entities, entity)) ecs__delete_row(world, entity);
}

// Whoever is told and suspends deferring may move some out of the way: they lose what they have of the dead.
static void delete_marked(cleanup_t *cleanup) {
    ecs_world_t *world = cleanup->world;
    const uint64_t emitted = world->events.emitted;
    const victim_t *victims = cleanup->victims.array;
    for (int32_t i = 0; i < cleanup->victims.count; i++) {
        if (victims[i].table)
            ecs__delete_rows(world, victims[i].table);
        else
            delete_alive(world, victims[i].entity);
    }
    if (world->events.emitted != emitted) remove_dying(cleanup);
    if (cleanup->root) delete_alive(world, cleanup->root);
    unmark(cleanup);
}

// ---- drop ----

// From the last to the first, since the list of the record gets shorter from its end.
void ecs__drop_tables(ecs_world_t *world, ecs_id_t id) {
    const ecs_component_record_t *record = ecs__id_record_get(&world->store, id);
    for (int32_t i = record ? record->table_count - 1 : -1; i >= 0; i--) {
        if (i >= record->table_count) continue;
        ecs_table_t *table = ecs__id_record_table(record, i);
        if (table && !table->count)
            ecs__table_delete(table); /* else it was locked, which was reported */
    }
}

// Queries may still know a record: it stays then, as the record of an id without type and traits. True if it does.
static bool drop_record(ecs__store_t *store, ecs_component_record_t *record) {
    if (!record) return false;
    bool is_head = record->first_next != record || record->second_next != record;
    bool is_wildcard = ecs__id_is_wildcard(record->id);
    bool is_used = record->table_live || record->listeners.count || record->query_count;
    if (!ecs__sparse_count(record)) ecs__sparse_set_fini(store, record);
    bool stays = is_used || (is_wildcard && is_head);
    if (stays)
        ecs__id_record_refresh(store, record);
    else
        ecs__id_record_delete(store, record);
    return stays;
}

// No entity that dies ends the record of all pairs with a number.
static bool drop_record_of_pair(ecs__store_t *store, ecs_component_record_t *pair) {
    const ecs_id_t id = pair->id;
    bool stays = drop_record(store, pair);
    if (ECS_IS_VALUE_PAIR(ecs__id_bare(id)))
        drop_record(store, ecs__id_record_get(store, ecs__id_target_key(id)));
    return stays;
}

static bool drop_pairs(ecs__store_t *store, ecs_id_t wildcard, bool by_first) {
    ecs_component_record_t *head = ecs__id_record_get(store, wildcard), *pair, *next;
    if (!head) return false;
    const bool is_wildcard = ecs__id_is_wildcard(head->id); /* else it is the only pair */
    bool stays = false;
    pair =
        by_first ? ecs__id_record_next_first(head, NULL) : ecs__id_record_next_second(head, NULL);
    for (; pair; pair = next) {
        next = by_first ? ecs__id_record_next_first(head, pair)
                        : ecs__id_record_next_second(head, pair);
        stays |= drop_record_of_pair(store, pair);
    }
    return is_wildcard ? drop_record(store, head) : stays;
}

static void drop_ids(cleanup_t *cleanup, ecs_entity_t dead, ecs_id_t mark) {
    ecs__store_t *store = &cleanup->world->store;
    ecs_id_t as_first = mark | ECS__MAKE_PAIR(dead, Ecs__Wildcard);
    ecs_id_t as_second = mark | ECS__MAKE_PAIR(Ecs__Wildcard, dead);
    ecs__drop_tables(cleanup->world, mark | dead);
    ecs__drop_tables(cleanup->world, as_first);
    ecs__drop_tables(cleanup->world, as_second);
    if (!mark) ecs__edge_kind_delete(cleanup->world, dead);
    if (!mark) ecs__type_info_delete(store, dead);
    if (!mark) ecs__children_end(store, dead);
    bool is_known = drop_pairs(store, as_first, true);
    is_known |= drop_pairs(store, as_second, false);
    is_known |= drop_record(store, ecs__id_record_get(store, mark | dead));
    if (is_known) ecs__entity_hold(&store->entities, (uint32_t)dead);
}

static void drop_dead(cleanup_t *cleanup) {
    const ecs_entity_t *dead = cleanup->dying.array;
    for (int32_t i = cleanup->dying.count - 1; i >= 0; i--) {
        if (ecs__entity_is_alive(&cleanup->world->store.entities, dead[i])) continue;
        for (int32_t k = count_marks(cleanup) - 1; k >= 0; k--)
            drop_ids(cleanup, dead[i], marks[k]);
    }
}

// ---- all of it ----

static void fini(cleanup_t *cleanup) {
    ecs__cleanup_spare_t *spare = &cleanup->world->spare_cleanup;
    ecs__spare_give(&spare->stack, cleanup->stack);
    ecs__spare_give(&spare->victims, cleanup->victims);
    ecs__spare_give(&spare->dying, cleanup->dying);
    ecs__spare_give_map(&spare->marked, cleanup->marked);
}

void ecs__cleanup_shrink(ecs_world_t *world) {
    ecs__cleanup_spare_t *spare = &world->spare_cleanup;
    ecs_map_fini(&spare->marked);
    ecs_map_fini(&spare->doomed_set);
    ecs__spare_free(&spare->stack);
    ecs__spare_free(&spare->victims);
    ecs__spare_free(&spare->dying);
    ecs__spare_free(&spare->doomed);
}

static bool refuse(cleanup_t *cleanup) {
    ecs_world_t *world = cleanup->world;
    ecs_entity_t refused = cleanup->refused;
    ecs_id_t by = cleanup->refused_by;
    unmark(cleanup);
    fini(cleanup);
    if (!by) {
        return ecs__refuse(world, ECS_CONSTRAINT_VIOLATED,
            "cannot delete %s: it has (OnDelete,Panic)", ECS__TEXT(world, refused));
    }
    return ecs__refuse(world, ECS_CONSTRAINT_VIOLATED,
        "cannot delete %s: entities have %s, whose cleanup policy is Panic; remove it first",
        ECS__TEXT(world, refused), ECS__TEXT(world, by));
}

static void tell_of_targets(const cleanup_t *cleanup) {
    const ecs_entity_t *dying = cleanup->dying.array;
    for (int32_t i = cleanup->dying.count - 1; i >= 0; i--)
        ecs__emit_on_delete_target(cleanup->world, dying[i]);
}

static bool is_iterated(const ecs_table_t *table) { return table->lock && table->count; }

// Of those that have it beside their tables, some leave them when they lose it.
static const ecs_table_t *find_locked_beside(const cleanup_t *cleanup, ecs_id_t id) {
    const ecs__store_t *store = &cleanup->world->store;
    const ecs_component_record_t *record;
    int32_t cover = 0;
    while ((record = ecs__sparse_next_cover(store, id, &cover))) {
        for (int32_t i = 0; i < ecs__sparse_count(record); i++) {
            ecs_entity_t holder = ecs__sparse_holders(record)[i].entity;
            const ecs_table_t *table = ecs__entity_spot(&store->entities, holder).table;
            if (is_iterated(table) && ecs__aside_is_last(cleanup->world, holder, record))
                return table;
        }
    }
    return NULL;
}

static const ecs_table_t *find_locked_with(const cleanup_t *cleanup, ecs_id_t id) {
    const ecs_component_record_t *record = record_of(cleanup, id);
    const ecs_table_t *table = NULL;
    int32_t from = 0;
    while (record && (table = ecs__id_record_next_table(record, &from, false)) &&
           !is_iterated(table)) {}
    return table ? table : find_locked_beside(cleanup, id);
}

// A table whose rows would die or lose an id though it is being iterated, or NULL.
static const ecs_table_t *find_locked(const cleanup_t *cleanup) {
    const ecs__entity_index_t *index = &cleanup->world->store.entities;
    const ecs_table_t *table = NULL;
    for (int32_t i = 0; i < cleanup->victims.count; i++) {
        const victim_t *victim = ecs_vec_get_t(&cleanup->victims, victim_t, i);
        table = victim->table ? victim->table : ecs__entity_spot(index, victim->entity).table;
        if (is_iterated(table)) return table;
    }
    table = cleanup->root ? ecs__entity_spot(index, cleanup->root).table : NULL;
    if (table && is_iterated(table)) return table;
    for (int32_t i = 0; i < cleanup->dying.count; i++) {
        const ecs_entity_t dead = *ecs_vec_get_t(&cleanup->dying, ecs_entity_t, i);
        if ((table = find_locked_with(cleanup, dead)) ||
            (table = find_locked_with(cleanup, ECS__MAKE_PAIR(dead, Ecs__Wildcard))) ||
            (table = find_locked_with(cleanup, ECS__MAKE_PAIR(Ecs__Wildcard, dead))))
            return table;
    }
    return NULL;
}

// ---- monitors ----

typedef struct doom_t {
    ecs_vec_t entities; /* ecs_entity_t, in the order in which they end */
    ecs_map_t set;      /* of these */
} doom_t;

// Who refers to itself comes twice.
static void add_doomed(doom_t *doom, ecs_entity_t entity) {
    ecs_map_val_t *is_known = ecs_map_ensure(&doom->set, entity);
    if (!*is_known) *ecs__vec_push_t(&doom->entities, ecs_entity_t) = entity;
    *is_known = 1;
}

// False if nothing ends but one entity, or nobody has to be told. The outermost cleanup tells.
static bool begin_doom(const cleanup_t *cleanup, doom_t *doom) {
    ecs_world_t *world = cleanup->world;
    const victim_t *victims = cleanup->victims.array;
    if (!cleanup->victims.count || world->events.doomed || !ecs__emit_may_doom(world)) return false;
    doom->entities = ecs__spare_take(&world->spare_cleanup.doomed);
    doom->set = ecs__spare_take_map(&world->spare_cleanup.doomed_set);
    for (int32_t i = 0; i < cleanup->victims.count; i++) {
        const ecs_table_t *table = victims[i].table;
        if (!table) add_doomed(doom, victims[i].entity);
        for (int32_t row = 0; table && row < table->count; row++)
            add_doomed(doom, table->entities[row]);
    }
    if (cleanup->root) add_doomed(doom, cleanup->root);
    ecs__emit_doom(world, doom->entities.array, doom->entities.count, &doom->set);
    return true;
}

static void end_doom(ecs_world_t *world, doom_t *doom) {
    ecs__emit_end_doom(world);
    ecs__spare_give_map(&world->spare_cleanup.doomed_set, doom->set);
    ecs__spare_give(&world->spare_cleanup.doomed, doom->entities);
}

// ---- the order of all ----

static bool apply(cleanup_t *cleanup) {
    ecs_world_t *world = cleanup->world;
    const ecs_table_t *locked = ECS__CHECKS ? find_locked(cleanup) : NULL;
    if (locked) {
        unmark(cleanup);
        fini(cleanup);
        return ecs__check_unlocked(world, locked, locked->entities[0]);
    }
    const ecs__ending_t ending = { world->ending, 0, cleanup };
    world->leaving++;
    if (ECS__CHECKS) world->ending = &ending;
    tell_of_targets(cleanup);
    world->deleting++; /* type infos of dying components are still needed */
    doom_t doom = { 0 };
    const bool is_told = begin_doom(cleanup, &doom);
    remove_dying(cleanup);
    delete_marked(cleanup);
    if (is_told) end_doom(world, &doom);
    world->deleting--;
    if (ECS__CHECKS) world->ending = ending.outer;
    world->leaving--;
    drop_dead(cleanup);
    fini(cleanup);
    return true;
}

bool ecs__cleanup_check(ecs_world_t *world, ecs_entity_t entity) {
    cleanup_t cleanup = begin(world);
    if (!mark_entity(&cleanup, entity)) return refuse(&cleanup);
    unmark(&cleanup);
    fini(&cleanup);
    return true;
}

bool ecs__cleanup_entity(ecs_world_t *world, ecs_entity_t entity) {
    cleanup_t cleanup = begin(world);
    return mark_entity(&cleanup, entity) ? apply(&cleanup) : refuse(&cleanup);
}

static ecs_entity_t find_builtin(const cleanup_t *cleanup) {
    for (int32_t i = 0; i < cleanup->victims.count; i++) {
        const victim_t *victim = ecs_vec_get_t(&cleanup->victims, victim_t, i);
        const ecs_table_t *table = victim->table;
        const ecs_entity_t *dying = table ? table->entities : &victim->entity;
        for (int32_t row = 0; row < (table ? table->count : 1); row++) {
            if (ecs__is_builtin(dying[row])) return dying[row];
        }
    }
    return 0;
}

static bool refuse_builtin(cleanup_t *cleanup, ecs_entity_t builtin) {
    unmark(cleanup);
    fini(cleanup);
    return ecs__refuse(cleanup->world, ECS_INVALID_OPERATION, "cannot delete the builtin entity %s",
        ECS__TEXT(cleanup->world, builtin));
}

bool ecs__cleanup_holders(ecs_world_t *world, ecs_id_t id) {
    cleanup_t cleanup = begin(world);
    if (!mark_holders(&cleanup, id)) return refuse(&cleanup);
    const ecs_entity_t builtin = ECS__CHECKS ? find_builtin(&cleanup) : 0;
    return builtin ? refuse_builtin(&cleanup, builtin) : apply(&cleanup);
}
