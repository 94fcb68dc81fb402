// SPDX-License-Identifier: MIT
// plain: changes that concern nobody but the entity: its row moves along an edge that was walked before, and that is all.
//
// Most changes are of this kind: an id without traits that say more, and nobody who observes it.
// Each function does the whole change, or nothing and returns false; then it is done in the general way. What a walk along an edge
// means for others is found out once (ecs__walk_is_all) and stays with the edge as long as store->plain_stamp does.
#ifndef ECS_MUTATE_PLAIN_H
#define ECS_MUTATE_PLAIN_H

#include "event/emit.h"
#include "event/tell.h"
#include "mutate/edge.h"
#include "mutate/report.h"
#include "mutate/traits.h"
#include "storage/plain_rows.h"
#include "storage/watch.h"
#include "world/state.h"

/** Where an entity is, and how its row moves when an id comes or goes, as far as that is known. */
typedef struct ecs__walk_t {
    ecs__record_t *record; /* near, if there is a hop */
    const ecs__hop_t *hop;
} ecs__walk_t;

/** Flags of tables whose rows do not move alone: others follow or want to know. Instances do, for what no base provides, and so does who
 * has values or pairs that are not in rows, a place among its siblings, or pairs that mirror each other, as long as these stay. */
#define ECS__TABLE_MOVES_MORE \
    (EcsTableIsPrefab | ECS__TABLE_HAS_TRAITS | ECS__TABLE_HAS_EDGES | ECS__TABLE_IS_WATCHED)
/** The same for the begin of a row. */
#define ECS__TABLE_BEGINS_MORE                                                             \
    (ECS__TABLE_MOVES_MORE | EcsTableHasCtors | EcsTableHasDtors | EcsTableHasCopy |       \
        EcsTableHasMove | EcsTableHasOnAdd | EcsTableHasOnRemove | EcsTableHasToggle |     \
        EcsTableHasIsA | EcsTableHasParent | EcsTableHasSparse | EcsTableHasDontFragment | \
        EcsTableHasOrderedChildren | ECS__TABLE_HAS_SYMMETRIC)
/** The same for its end. */
#define ECS__TABLE_ENDS_MORE (ECS__TABLE_BEGINS_MORE | EcsTableHasName | EcsTableHasChildOf)
/** Flags of ids that bring or forbid something. */
#define ECS__ID_MEANS_MORE                                                                  \
    (EcsIdWith | EcsIdSingleton | EcsIdTraversable | EcsIdDontFragment | ECS__ID_PRESENCE | \
        ECS__ID_SYMMETRIC)

/* What may be added to store->plain_stamp in ecs__edge_t.plain. */
#define ECS__PLAIN_HEARD 1u /* somebody wants to hear of it */
#define ECS__PLAIN_HOOKED \
    2u /* the row is more than bytes: values have hooks, or there are toggles */
#define ECS__PLAIN_STARTS 4u    /* the value begins as that of a base */
#define ECS__PLAIN_NOT 8u       /* more than the row changes */
#define ECS__PLAIN_CALLED 16u   /* the value has a hook for coming or going */
#define ECS__PLAIN_IN_SET 32u   /* the value is not in the row, but in the set of the id */
#define ECS__PLAIN_PRESENCE 64u /* it stands for pairs beside the table, and goes only with these */

/** The walk of the entity that walked along this id before, if it began in the same table and the entity is not marked; else without a
 * hop. */
static inline ecs__walk_t ecs__walk_again(
    const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    const ecs__entity_index_t *index = &world->store.entities;
    if ((uint32_t)entity >= index->made) return (ecs__walk_t){ NULL, NULL };
    ecs__record_t *record = ecs__record_of(index, entity);
    const ecs__hop_t *hop = ecs__hop_last(&world->store, id);
    bool is_same = ecs__record_key(record, entity) == hop->key && id == hop->id;
    return (ecs__walk_t){ record, is_same ? hop : NULL };
}

static inline ecs__walk_t ecs__walk_find(
    const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    ecs__walk_t walk = ecs__walk_again(world, entity, id);
    if (walk.hop) return walk;
    walk.record = ecs__entity_near(&world->store.entities, entity);
    if (!walk.record) return walk;
    walk.hop = ecs__hop_find(ecs__record_near(&world->store.entities, walk.record), id);
    return walk;
}

/** No table is locked; checked builds ask. */
static inline bool ecs__walk_is_open(ecs__walk_t walk) {
#ifdef ECS_CHECK_LEVEL_
    return !walk.hop->source->lock && !walk.hop->edge->target->lock;
#else
    (void)walk;
    return true;
#endif
}

/** Where the entity is, before or after the walk, by which its place may have become far. */
static inline int32_t ecs__walk_row(const ecs_world_t *world, ecs__walk_t walk) {
    return ecs__record_spot(&world->store.entities, walk.record).row;
}

static inline void ecs__walk_go(ecs_entity_t entity, ecs__walk_t walk) {
    if (walk.hop->edge->adds)
        ecs__plain_row_add(walk.record, entity, walk.hop);
    else
        ecs__plain_row_drop(walk.record, entity, walk.hop);
}

/** The same after callbacks ran, which may have looked at records of the tables as users see them: then these are not short any more. */
static inline void ecs__walk_go_on(
    const ecs_world_t *world, ecs_entity_t entity, ecs__walk_t walk) {
    ecs_table_t *src = walk.hop->source, *dst = walk.hop->edge->target;
    if (ecs__table_is_short(src) && ecs__table_is_short(dst))
        ecs__walk_go(entity, walk);
    else
        ecs__table_move_row(dst, src, ecs__walk_row(world, walk), true);
}

/** True if nobody is below the entity. What it has beside its table stays. */
static inline bool ecs__walk_is_free(const ecs_world_t *world, ecs__walk_t walk) {
    if (!walk.hop) return false;
    if (!(walk.record->bits & ECS__RECORD_MARKED)) return true;
    const ecs__entity_index_t *index = &world->store.entities;
    const ecs_entity_t entity = (ecs_entity_t)(walk.record - index->records);
    return !(ecs__entity_marks(index, entity) & EcsEntityIsTraversable);
}

/** It is known that bytes of a row move and nobody hears of it, and that this is all but for `more` (of ECS__PLAIN_*). */
static inline bool ecs__walk_is_bytes(
    const ecs_world_t *world, const ecs__hop_t *hop, uint32_t more) {
    return !((hop->edge->plain - world->store.plain_stamp) & ~(uint64_t)more);
}

/** Add or remove the id of a walk that is free, as those that walk again are, if it is known that this concerns nobody else; others ask
 * ecs__walk_change. */
static inline bool ecs__walk_plainly(
    const ecs_world_t *world, ecs_entity_t entity, ecs__walk_t walk, bool adds) {
    if (!walk.hop || walk.hop->edge->plain != world->store.plain_stamp) return false;
    if (!ecs__walk_is_open(walk)) return false;
    if (walk.hop->edge->adds == adds) ecs__walk_go(entity, walk); /* else it is so */
    return true;
}

/** The route of those who hear of a walk, if it is the one that was told last. No observer runs. */
static inline const ecs__route_t *ecs__walk_route(
    const ecs_world_t *world, const ecs__hop_t *hop, bool adds) {
    const ecs__events_t *events = &world->events;
    const ecs_table_t *src = hop->source, *dst = hop->edge->target;
    return adds ? ecs__route_again(&events->on_add, dst, src->id)
                : ecs__route_again(&events->on_remove, src, dst->id);
}

/** The same for an entity that is not marked, unless it is not known that somebody hears of it, and that this is all. */
static inline const ecs__route_t *ecs__walk_heard(
    const ecs_world_t *world, ecs__walk_t walk, bool adds) {
    bool is_heard = walk.hop && walk.hop->edge->adds == adds &&
                    walk.hop->edge->plain == world->store.plain_stamp + ECS__PLAIN_HEARD;
    return is_heard && ecs__walk_is_open(walk) ? ecs__walk_route(world, walk.hop, adds) : NULL;
}

/** Add or remove the id of a walk and tell those on the route, while stage 0 defers. */
static inline void ecs__walk_along(ecs_world_t *world, ecs_entity_t entity, ecs__walk_t walk,
    const ecs__route_t *route, bool adds) {
    if (adds) {
        const ecs_table_t *dst = walk.hop->edge->target;
        ecs__plain_row_add(walk.record, entity, walk.hop);
        ecs__tell_row(&world->events, route, dst, ecs__walk_row(world, walk), 1);
    } else {
        ecs_table_t *src = walk.hop->source;
        const ecs_id_t id = walk.hop->id;
        ecs__cmd_queue_t *queue = world->stage->queue;
        uint32_t kinds = ecs__queue_lose(queue);
        ecs__tell_row(&world->events, route, src, ecs__walk_row(world, walk), 1);
        ecs__queue_have_lost(queue, kinds);
        const ecs__hop_t *hop = ecs__hop_last(&world->store, id);
        bool is_same = hop->source == src && hop->id == id; /* observers may have walked others */
        if (!is_same && !ecs__check_stayed(world, entity, src)) return;
        walk.hop = is_same ? hop : ecs__hop_find(src, id);
        ecs__walk_go_on(world, entity, walk);
    }
}

/** True if nothing but the row of the entity changes by a walk, and what those below see; walk.hop->edge->plain tells what is to be done
 * beside moving its bytes. */
bool ecs__walk_is_all(const ecs_world_t *world, ecs__walk_t walk);
/** Add or remove the id of a walk if its row is all that changes, and tell whoever wants to hear of it. */
bool ecs__walk_change(ecs_world_t *world, ecs_entity_t entity, ecs__walk_t walk, bool adds);
/** The same of the id that stands for pairs beside tables, with the first one or the last one of an entity. */
bool ecs__walk_presence(ecs_world_t *world, ecs_entity_t entity, ecs_id_t presence, bool adds);
/** What is known of edges is right. */
ECS_COLD bool ecs__walks_verify(const ecs_world_t *world);

/** True if a new entity without ids concerns nobody else. */
static inline bool ecs__new_is_plain(const ecs_world_t *world) {
    return !(world->events.listened & ECS__LISTEN_COUNTS || world->store.root->watch);
}

/** Delete a living entity that nothing refers to. */
static inline bool ecs__plain_delete(ecs_world_t *world, ecs_entity_t entity) {
    if (world->names.pending) return false;
    const ecs__entity_index_t *index = &world->store.entities;
    ecs__record_t *record = ecs__entity_near(index, entity);
    if (!record || record->bits & ECS__RECORD_MARKED) return false;
    ecs_table_t *table = ecs__record_near(index, record);
    if (ecs__emit_may_concern_delete(&world->events, table)) return false;
    if (table->flags & ECS__TABLE_ENDS_MORE) return false;
#ifdef ECS_CHECK_LEVEL_
    if (table->lock || ecs__id_record_get(&world->store, entity)) return false;
#endif
    world->info.id_delete_total++;
    if (table != world->store.deleted_from) world->store.deleted_from = table;
    ecs__plain_row_delete(&world->store, record, entity);
    return true;
}

#endif
