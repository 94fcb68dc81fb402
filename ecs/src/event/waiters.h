// SPDX-License-Identifier: MIT
// waiters: who waits for one id, in order of creation.
//
// Terms about given entities are apart from others: an event about one entity asks only those who
// wait for that one.
#ifndef ECS_EVENT_WAITERS_H
#define ECS_EVENT_WAITERS_H

#include <muster/ecs/ds/map.h>
#include <muster/ecs/ds/vec.h>
#include <muster/ecs/id.h>

typedef struct ecs__observer_t ecs__observer_t;

/** One term of one observer that waits. */
typedef struct ecs__waiter_t {
    ecs__observer_t *observer;
    int16_t term;
    bool by_set;    /* the term stands for several ids: its key covers others, too (cover.h) */
    bool in_scope;  /* it fills no field */
    bool is_unsaid; /* entities with the id are none for the query, whatever its terms say */
    bool in_not; /* a scope around it must not hold: only the whole query tells what that changes */
} ecs__waiter_t;

/** One that looks up. */
typedef struct ecs__looker_t {
    ecs__waiter_t waiter;
    ecs_entity_t rel;
    uint64_t bloom; /* of the key that it waits for; all ones: it may be any */
} ecs__looker_t;

/** How terms look at an entity. */
typedef enum ecs__reach_t {
    ECS__REACH_SELF,    /* itself */
    ECS__REACH_SELF_UP, /* itself, else up */
    ECS__REACH_UP,      /* only up */
    /* The same of terms that want the id not to be there: they wait for the opposite event. */
    ECS__REACH_NOT,
    ECS__REACH_NOT_SELF_UP,
    ECS__REACH_NOT_UP,
    ECS__REACH_TABLES, /* for events on tables as such: those that have the id */
    ECS__REACH_COUNT
} ecs__reach_t;

/** Terms about given entities. */
typedef struct ecs__fixed_t {
    ecs_vec_t all;       /* ecs__waiter_t */
    ecs_map_t by_source; /* entity -> ecs_vec_t*: the same */
} ecs__fixed_t;

typedef struct ecs__wanted_t {
    ecs_id_t id;
    ecs_vec_t lists[ECS__REACH_COUNT];     /* ecs__waiter_t */
    ecs__fixed_t *fixed[ECS__REACH_COUNT]; /* NULL: none */
} ecs__wanted_t;

/** The entity that the term of a waiter is about; 0: any. */
ecs_entity_t ecs__waiter_source(const ecs__waiter_t *waiter);

ecs__wanted_t *ecs__wanted_new(ecs_id_t id);
void ecs__wanted_free(ecs__wanted_t *wanted);
void ecs__wanted_add(ecs__wanted_t *wanted, ecs__reach_t reach, ecs__waiter_t waiter);
/** True if the same term waits already. */
bool ecs__wanted_has(const ecs__wanted_t *wanted, ecs__reach_t reach, const ecs__waiter_t *waiter);
/** Take out entries of dead observers. Returns how many there were. */
int32_t ecs__wanted_sweep(ecs__wanted_t *wanted);
int32_t ecs__wanted_count_at(const ecs__wanted_t *wanted, ecs__reach_t reach);
/** Entries for the id, or for its absence. */
int32_t ecs__wanted_count(const ecs__wanted_t *wanted, bool absence);

/** Those whom an event concerns, in order. Lists may grow meanwhile; who comes later is left out. */
typedef struct ecs__asking_t {
    const ecs_vec_t *others, *fixed;
    int32_t other, fixed_at; /* next of each */
    int32_t other_count, fixed_count;
} ecs__asking_t;
/** `entity`: the only one that the event is about; 0: there are several. */
ecs__asking_t ecs__wanted_ask(const ecs__wanted_t *wanted, ecs__reach_t reach, ecs_entity_t entity);
bool ecs__asking_next(ecs__asking_t *asking, ecs__waiter_t *waiter);

#endif
