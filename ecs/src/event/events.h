// SPDX-License-Identifier: MIT
// events: root of rank 5: who wants to know what.
//
// For each event a map from ids to the terms of observers that wait for them. Ids may be wildcards:
// an event on (R, T) asks the keys `_`, (R, T), (*, T), (R, *) and (*, *). A bloom filter of the
// keys rules out most tables without a lookup, and `listened` tells in one word whether anybody
// listens at all.
// Invariants: lists are in order of creation. While observers run (`depth` > 0), and while the
// world ends, nothing is taken out of lists or freed: dead observers wait, and are passed over. Of
// many observers, some have to be gone before lists are gone through.
// Threads: written by the main thread while the world is not readonly; read by anyone.
#ifndef ECS_EVENT_EVENTS_H
#define ECS_EVENT_EVENTS_H

#include <muster/ecs/ds/map.h>
#include <muster/ecs/ds/vec.h>
#include <muster/ecs/observer.h>
#include "base/atomics.h"
#include "base/spare.h"
#include "event/heard.h"
#include "event/waiters.h"
#include "storage/store.h"

typedef struct ecs__routes_t ecs__routes_t;
typedef struct ecs__route_t ecs__route_t;

typedef struct ecs__event_t {
    ecs_entity_t id;
    ecs_map_t wanted;   /* id -> ecs__wanted_t* */
    ecs_vec_t above[2]; /* ecs__looker_t: all terms that look up, for an id, for its absence */
    uint64_t bloom;     /* of ids that are waited for; all ones for `_` */
    uint64_t bloom_not; /* of those that want absence */
    int32_t count;      /* entries */
    /* Moves: a table whose bloom filter has none of these bits, and another with none of those, concern nobody. */
    uint64_t concerned, concerned_not;
    const ecs__route_t *shown; /* see event/route.h */
    ecs_iter_t *teller;        /* shows it; made when first needed */
} ecs__event_t;

/* ecs__events_t.listened */
#define ECS__LISTEN_SET (1u << 2)
#define ECS__LISTEN_INHERITED (1u << 3) /* values that come into sight, as OnSet */
#define ECS__LISTEN_TABLES (1u << 4)
#define ECS__LISTEN_ANY (1u << 5)    /* there are observers */
#define ECS__LISTEN_COUNTS (1u << 6) /* tables that get their first, or lose their last, row */
#define ECS__LISTEN_DELETE (1u << 7)
#define ECS__LISTEN_DELETE_TARGET (1u << 8)

/** What an entity that loses everything had beside its table. */
typedef struct ecs__lost_t {
    ecs_entity_t entity;
    const ecs_component_record_t *record;
} ecs__lost_t;

/** An edge beside the table of an entity that comes or goes together with a move, or takes the place of another. */
typedef struct ecs__swap_t {
    ecs_entity_t entity;
    ecs_component_record_t *from, *to; /* NULL: none, unless its type has the pair */
    const ecs_table_t *before, *after; /* where it is; often the same */
} ecs__swap_t;

#define ECS__BUILTIN_EVENTS 10

typedef struct ecs__events_t {
    ecs_world_t *world;
    ecs_flags32_t listened;
    union {
        struct {
            ecs__event_t on_add, on_remove, on_set, on_delete, on_delete_target;
            ecs__event_t on_table_create, on_table_delete, on_table_empty, on_table_fill;
            ecs__event_t wildcard;
        };
        ecs__event_t builtin[ECS__BUILTIN_EVENTS]; /* the same */
    };
    uint64_t set_low[(FLECS_HI_COMPONENT_ID + 63) / 64]; /* bit per low id: values are awaited */
    ecs_map_t custom;                                    /* event -> ecs__event_t* */
    ecs_vec_t rels; /* ecs_entity_t: relationships that terms look up */
    ecs__observer_t *first, *last;
    int32_t observer_count;
    uint64_t made;         /* observers, ever */
    ecs__observer_t *dead; /* not ended yet */
    ecs__observer_t *gone; /* ended, but still in lists */
    int32_t gone_count;
    uint64_t stamp;        /* advances when waiters come or go */
    uint64_t kinds_seen;   /* store->kinds_stamp when observers last followed kinds */
    ecs__routes_t *routes; /* made when first needed */
    uint64_t around_seen;  /* observers made and kinds_stamp, summed up (0: none), and */
    uint64_t around_kinds; /* kinds_stamp alone, for which the next is right: */
    bool looks_around;     /* some monitor has terms as event/around.h is about, */
    uint64_t lists;        /* and a bit for the low ones of each list that monitors name */
    uint64_t doom_seen;    /* stamp and kinds_stamp, summed up, for which the next is right: */
    bool hears_doom;       /* some monitor hears first of those that end together */
    int32_t switch_count;  /* monitors that have terms as event/switch.h is about */
    int32_t depth;         /* observers that run, one inside the other */
    uint64_t began;        /* when the outermost did; 0: time is not measured */
    ecs__swap_t swap;      /* under way; no entity: none */
    /* An entity (0: all of the table) that loses all it has: what is removed is one event. */
    const ecs_table_t *losing;
    ecs_entity_t loser;
    bool dies;
    /* Entities that end together, some of them before others that refer to them; NULL: none. Monitors were told of all of them. */
    const ecs_map_t *doomed;
    ecs_entity_t copy;    /* gets what another has, and nothing from bases; 0: none */
    ecs_entity_t joined;  /* events of this kind count as one, as `joint` remembers; 0: none */
    uint64_t joined_from; /* `emitted` when they began */
    uint64_t emitted;     /* events, calls of hooks, and beginnings of joined events, ever */
    ecs_vec_t lost;       /* ecs__lost_t */
    /* Memory that stays from one event to the next: */
    ecs__spare_t steps;   /* of a walk, see event/below.c, */
    ecs_map_t visited;    /* and of where it was, or of who was looked at; */
    ecs__spare_t heard;   /* ecs__told_t: of an event that many are told of; see heard_at; */
    ecs__spare_t found;   /* ecs_entity_t: of those who match, */
    ecs_map_t matched;    /* and of monitors they were told to; */
    ecs__spare_t ids;     /* ecs_id_t: that come or go, or that a term stands for; */
    ecs__spare_t changes; /* of a switch, see event/switch.c */
    ecs_vec_t due;        /* ecs__observer_t*: about to be told of tables, one inside the other */
    void (*tell_later)(ecs_world_t *world); /* records a call of ecs__table_events_tell_counts */
    /* ecs_table_t*: became empty, or no longer are; told when the change is complete */
    ecs_vec_t counted;
    int64_t *ran; /* counts calls of observers */
    /* While the world ends: tables whose rows are told in their own turn, whatever is above them; else NULL. */
    bool (*ends)(const ecs_table_t *table);
    bool looks_past; /* some term ever did; see below */
    int32_t calls;   /* hooks and observers that run, but for those on routes */
    /* Behind what is in use all the time. */
    ecs_map_t heard_at; /* where to find what is in `heard` */
    ecs__heard_t joint;
} ecs__events_t;

// Levels below a minimum depth do not count; an entity's own is level 0.
static inline bool ecs__term_asks_self(const ecs_term_t *term) {
    return term->src.id & EcsSelf && term->min_depth <= 0;
}

/** A term that looks up sees something behind an entity that has the id, too: all there is, or what is far enough. */
static inline bool ecs__term_looks_past(const ecs_term_t *term) {
    return term->src.id & EcsAll || term->min_depth > 1;
}

/** True if a hook or observer runs, which may suspend deferring. Tables that it is shown have to outlast it. */
static inline bool ecs__events_callback_runs(const ecs__events_t *events) {
    return events->calls || events->depth;
}

/** True for tables whose rows are told in their own turn. */
static inline bool ecs__events_end_alone(const ecs__events_t *events, const ecs_table_t *table) {
    return events->ends && events->ends(table);
}

void ecs__events_init(ecs__events_t *events, ecs_world_t *world);
/** End those that are left: global ones, and those that have died. */
void ecs__events_end_observers(ecs__events_t *events);
/** Free what is left, while the store and queries still work. */
void ecs__events_fini(ecs__events_t *events);
ECS_COLD bool ecs__events_verify(const ecs__events_t *events);

/** Where waiters for an event are, or NULL; `ensure` makes a place for them. */
ecs__event_t *ecs__event_get(ecs__events_t *events, ecs_entity_t event);
ecs__event_t *ecs__event_ensure(ecs__events_t *events, ecs_entity_t event);
/** False if nobody waits for an event, whatever it is about. */
bool ecs__event_is_awaited(ecs__events_t *events, ecs_entity_t event);

/** Add a term to those that wait for an id. */
void ecs__event_add(ecs__events_t *events, ecs__event_t *event, ecs_id_t id, ecs__reach_t reach,
    ecs__waiter_t waiter);
/** End dead observers, and take them out of all lists if they are many; unless observers run or the world ends. */
void ecs__events_sweep(ecs__events_t *events);
/** What is kept of who waits for what is not right any more. */
void ecs__events_outdate(ecs__events_t *events);
/** Bring `listened` up to date. */
void ecs__events_recount(ecs__events_t *events);

/** Free memory that stays between events. */
void ecs__events_shrink(ecs__events_t *events);

/** Observers begin to run; when the outermost end, the dead are swept. */
void ecs__events_enter(ecs__events_t *events);
void ecs__events_leave(ecs__events_t *events);

/** Rows of a table (one entity, or 0: all) begin to lose everything: OnRemove is one event until they
 * have, and OnAdd of what that brings until the end. */
void ecs__events_begin_loss(
    ecs__events_t *events, const ecs_table_t *table, ecs_entity_t entity, bool dies);
void ecs__events_have_lost(ecs__events_t *events);
void ecs__events_end_loss(ecs__events_t *events);
/** The same of an edge beside a table that changes together with something else. */
void ecs__events_begin_swap(ecs__events_t *events, ecs__swap_t swap);
void ecs__events_end_swap(ecs__events_t *events);
static inline bool ecs__events_is_losing(
    const ecs__events_t *events, const ecs_table_t *table, ecs_entity_t entity) {
    return events->losing == table && (!events->loser || events->loser == entity);
}

/* ecs_component_record_t.heard: these, and the stamp for which they are right */
#define ECS__HEARD_ADD (1u << 0)
#define ECS__HEARD_REMOVE (1u << 1)
#define ECS__HEARD_SET (1u << 2)
#define ECS__HEARD_BITS 3

/** Which events of an id somebody waits for; an absence waits for the opposite event. Kept by the record. Threads: any, while nobody
 * comes or goes. */
ecs_flags32_t ecs__events_ask(const ecs__events_t *events, ecs_component_record_t *id);
static inline bool ecs__events_heard(
    const ecs__events_t *events, const ecs_component_record_t *id, ecs_flags32_t heard) {
    uint64_t known = ecs__load_64(&id->heard);
    if (known >> ECS__HEARD_BITS != events->stamp)
        known = ecs__events_ask(events, (ecs_component_record_t *)(uintptr_t)id);
    return known & heard;
}

/** True if somebody wants to hear that one id was added or removed, and nothing is seen through it. */
static inline bool ecs__events_hear(
    const ecs__events_t *events, const ecs_component_record_t *id, bool adds) {
    if (!events->listened) return false;
    if (events->listened & ECS__LISTEN_COUNTS) return true;
    const ecs__event_t *direct = adds ? &events->on_add : &events->on_remove;
    const ecs__event_t *opposite = adds ? &events->on_remove : &events->on_add;
    return (direct->concerned & id->bloom || opposite->concerned_not & id->bloom) &&
           ecs__events_heard(events, id, adds ? ECS__HEARD_ADD : ECS__HEARD_REMOVE);
}

/** A quick test whether somebody may want to hear that a value of an id was set; exact for low ids. */
static inline bool ecs__events_may_hear_set(const ecs__events_t *events, ecs_id_t id) {
    if (!(events->listened & ECS__LISTEN_SET)) return false;
    return id >= FLECS_HI_COMPONENT_ID || events->set_low[id >> 6] >> (id & 63) & 1;
}

/** The same, exactly. */
static inline bool ecs__events_hear_set(
    const ecs__events_t *events, const ecs__store_t *store, ecs_id_t id) {
    if (!ecs__events_may_hear_set(events, id)) return false;
    if (id < FLECS_HI_COMPONENT_ID) return true;
    if (!(events->on_set.concerned & ecs__id_bloom_covers(id))) return false;
    const ecs_component_record_t *record = ecs__id_record_get(store, id);
    return record && ecs__events_heard(events, record, ECS__HEARD_SET);
}

/** Those who want an id (exactly this key), or NULL. */
static inline const ecs__wanted_t *ecs__event_wanted(const ecs__event_t *event, ecs_id_t key) {
    return (const ecs__wanted_t *)ecs_map_get_ptr(&event->wanted, key);
}

#define ECS__EVENT_KEYS 5
/** The keys under which waiters for an id may be, each once, in the order in which they are served.
 * Returns their number. */
int32_t ecs__event_keys(ecs_id_t id, ecs_id_t keys[ECS__EVENT_KEYS]);

#endif
