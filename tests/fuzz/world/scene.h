// SPDX-License-Identifier: MIT
// scene: one world under random operations, and who takes part in it.
//
// Everything is drawn from the bytes of the input. So that no operation is misuse, whatever came
// before it and whenever it is merged:
// - Ids in use by queries and observers (tags, components, relationships, prefabs, the first entities)
//   are never deleted; nothing that is deleted has them below it.
// - Acyclic pairs go down the cast: prefabs, then entities by number. Even entities may have instances,
//   odd ones children, so no instance is inside its base.
// All state is in `scene`; inputs are examined one after the other.
#ifndef FUZZ_SCENE_H
#define FUZZ_SCENE_H

#include <muster.h>

enum {
    TAGS = 7,
    COMPONENTS = 8,
    RELATIONSHIPS = 10,
    PREFABS = 3,
    ENTITIES = 12,
    KEPT = 4, /* entities that are never deleted: queries may name them */
};

/* Tags, components and relationships by what is special about them; see cast.c. */
enum { TAG_A, TAG_B, TAG_BESIDE, TAG_TOGGLED, TAG_WITH, TAG_OVERRIDDEN, TAG_OWN };
enum { C_PLAIN, C_TOLD, C_SPARSE, C_BESIDE, C_TOGGLED, C_OVERRIDDEN, C_OWN, C_SPECIAL };
enum { R_EXCLUSIVE, R_BESIDE, R_UNION, R_SYMMETRIC, R_TRANSITIVE }; /* without values */
enum { R_TRAVERSABLE = 5, R_SPARSE, R_BESIDE_VALUED, R_VALUED, R_MIXED };

typedef struct scene_t {
    const uint8_t *at, *end;    /* what is left of the input */
    ecs_world_t *world, *stage; /* stage: where operations go, the world or a stage of it */
    ecs_entity_t tags[TAGS], components[COMPONENTS], relationships[RELATIONSHIPS];
    ecs_entity_t prefabs[PREFABS], parts[PREFABS]; /* a child of each prefab */
    ecs_entity_t entities[ENTITIES];               /* 0 or dead: the place is free */
    uint32_t last_id;        /* the last index that belongs to ids and prefabs */
    int deferred, iterating; /* how deep */
    bool clone_waits;        /* deferred: nothing may be given to what it makes before */
    bool readonly, own_stage;
    int reactions; /* how many more changes hooks and observers may make */
    int reacting;  /* hooks and observers that make changes */
} scene_t;

extern scene_t scene;

/* Input. At its end everything is 0. */
static inline uint8_t input_byte(void) { return scene.at < scene.end ? *scene.at++ : 0; }
static inline int input_below(int count) { return input_byte() % count; }
static inline bool input_flag(void) { return input_byte() & 1; }

/** Print what differs and end the program. */
_Noreturn void fail(const char *fmt, ...) ECS_PRINTF_LIKE(1, 2);

/** Print what is done, if MUSTER_FUZZ_TRACE is set. */
void say(const char *fmt, ...) ECS_PRINTF_LIKE(1, 2);
/** The same, of an entity and an id; either may be 0. */
void say_id(const char *what, ecs_entity_t entity, ecs_id_t id);

/* cast.c: who takes part. Choices are 0 where there is nothing to choose. */
void scene_begin(void);
bool is_immediate(void); /* operations take effect at once */
bool is_there(ecs_entity_t entity);
bool is_singleton(ecs_id_t id);
bool may_change(const ecs_world_t *world, ecs_entity_t entity); /* it is no id and no prefab */
bool may_delete(ecs_entity_t entity);
/* Rank: the place in the cast; acyclic pairs go to lower ones. -1: not in it. */
int rank_of(ecs_entity_t entity);
int rank_of_place(int place);   /* of who is made at this free place */
int pick_free(void);            /* a free place for an entity, -1 if there is none */
ecs_entity_t pick_entity(void); /* an entity, prefab or part */
ecs_entity_t pick_kept(void);   /* one that queries may name */
ecs_id_t pick_id(int rank);     /* an id for who has this rank */
ecs_id_t pick_valued(int rank); /* an id with a value, for who has this rank */

/* values.c: components that count their values. */
typedef struct value_t {
    const struct value_t *self; /* where it was constructed or moved to */
    int32_t number;
} value_t;
ecs_entity_t make_plain_component(const char *name); /* an int32_t */
ecs_entity_t make_counted_component(
    const char *name, bool is_told); /* told: on_add, on_set, on_remove */
bool is_counted(ecs_id_t id);
void value_begin(value_t *value, int32_t number);
void value_end(value_t *value);
void value_check(const value_t *value);
void set_value(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, int32_t number);
int32_t get_number(ecs_id_t id, const void *value);
void check_fields(ecs_iter_t *it); /* reads all values of a result */
void values_expect_none(void);     /* after the end of the world */

/* changes.c: operations on entities. */
void change_add(void);
void change_remove(void);
void change_set(void);
void change_new(void);
void change_delete(void);
void change_many(void);
void change_switch(void);
void change_name(void);
void change_prefab(void);
/** What hooks and observers do with an entity they are told of; `how` is a byte of the input. */
void react(ecs_world_t *world, ecs_entity_t entity, uint8_t how);

/* queries.c */
void make_terms(ecs_query_desc_t *desc, bool only_this);
void query_make(void);
void query_end(void);
void query_iterate(void);
void queries_check(void);
void queries_end(void);

/* watchers.c: observers that keep a list of who they were told of. */
void watcher_switch(void); /* makes one, or ends it */
void watchers_check(void);
void watchers_end(void);
void watchers_expect_none(void); /* after the end of the world */

/* modes.c: when changes take effect, and what must change nothing. */
void mode_defer(void);
void mode_suspend(void);
void mode_readonly(void);
void mode_own_stage(void);
void mode_rest(void);
void modes_end(void);

/** The next operation of the input. */
void operate(void);

#endif
