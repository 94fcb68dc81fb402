// SPDX-License-Identifier: MIT
// calls: public functions with arguments of all kinds, also such as nobody should give.
//
// A kind of call draws what else it needs from the input, so that each input is one program. Whatever is given, a call
// answers: it does what it says, or is refused and leaves the world as it was. Left out is only what no function can
// see: memory that is no longer there, sizes that do not fit the memory given, values of builtin components that hold
// addresses. So is what headers say to end the program.
#ifndef FUZZ_CALLS_H
#define FUZZ_CALLS_H

#include <muster.h>

enum {
    POOL = 48,
    COMPONENTS = 10,
    TAGS = 6,
    RELATIONSHIPS = 8,
    TYPES = 24,
    QUERIES = 6,
    VALUES = 6,
};
enum { DEEPEST = 3 }; /* callbacks and brackets in each other */

/* What entities were made to be, of which a world keeps the last ones apart, so that calls find them. */
typedef enum part_t { OBSERVERS, SYSTEMS, PIPELINES, TIMERS, PARTS } part_t;
enum { OF_PART = 8 };

/* Who takes part in a world. Any of them may have been deleted, or become something else. */
typedef struct cast_t {
    const uint8_t *at, *end;    /* what is left of the input */
    ecs_world_t *world, *stage; /* stage: of one's own, or NULL */
    ecs_entity_t pool[POOL], components[COMPONENTS], tags[TAGS], relationships[RELATIONSHIPS];
    ecs_entity_t parts[PARTS][OF_PART]; /* 0: none yet */
    ecs_entity_t types[TYPES];          /* described */
    uint8_t was_described[1024];   /* by number: values of what once was a type are none of C */
    ecs_value_t values[VALUES];    /* owned */
    ecs_query_t *queries[QUERIES]; /* without entity; NULL: none */
    int oddness;                   /* of 256 choices so many are odd */
    int depth;                     /* callbacks and brackets around the present call */
    int told;                      /* of these, those amid a change or a loop */
    int left;                      /* calls that may be made within this one */
    bool is_worker;                /* a job has a copy of its own, see make_some_in_job */
} cast_t;

extern _Thread_local cast_t cast;

typedef struct call_t {
    ecs_world_t *world; /* or a stage */
    ecs_entity_t entity, other;
    ecs_id_t id;
} call_t;

typedef struct call_kind_t {
    const char *name; /* NULL: the end of the list */
    void (*make)(const call_t *call);
} call_kind_t;

#define CALL(name) static void name(const call_t *call)

extern const call_kind_t entity_calls[], value_calls[], name_calls[], query_calls[],
    iterator_calls[], observer_calls[], table_calls[], system_calls[], pipeline_calls[],
    timer_calls[], tick_calls[], module_calls[], recording_calls[], stats_calls[], mode_calls[],
    text_calls[], type_calls[], cursor_calls[], relationship_calls[], structure_calls[],
    range_calls[];
/** What jobs may call, too. */
extern const call_kind_t job_calls[];

/* Input. At its end everything is 0. */
static inline uint8_t input_byte(void) { return cast.at < cast.end ? *cast.at++ : 0; }
static inline int input_below(int count) { return input_byte() % count; }
static inline bool input_flag(void) { return input_byte() & 1; }
static inline uint32_t input_word(void) {
    uint32_t high = input_byte();
    return high << 24 | input_byte();
}

/* Choices. */
bool is_odd(void);
ecs_entity_t draw_entity(void);
ecs_entity_t draw_part(part_t part);
ecs_entity_t draw_builtin(void); /* one that the runtime lives of */
ecs_entity_t draw_relationship(void);
ecs_id_t draw_id(void);
const char *draw_name(void); /* may be NULL */
/** Text of a query; good until the next one at this depth. */
const char *draw_expr(void);
int32_t draw_number(void);
ecs_ftime_t draw_time(void);
/** A context that must not be freed twice. */
void *draw_context(void);
void free_context(void *ctx);
void draw_query(ecs_query_desc_t *desc);
ecs_table_t *draw_table(void); /* NULL: none was found */
/** A value of `id`, as may_give says; of none, 64 bytes. */
const void *draw_value(ecs_id_t id);
/** One that stays one if the type is described anew before it is taken. */
const void *zero_value(ecs_id_t id);
/** The size of a value of `id`, or sometimes another one. */
size_t draw_size(ecs_id_t id);
/** May any bytes be written to its values? */
bool is_raw(ecs_id_t id);
/** Is there a value to be given? Not of builtin components, which hold addresses. */
bool may_give(ecs_id_t id);
const char *draw_new_symbol(void); /* that nobody has: else the program ends */

/* Types. */
bool knows_types(void);
ecs_entity_t draw_type(void);
/** Who is to become a type, or to be changed as one; 0: a new one. */
ecs_entity_t draw_described(void);
bool was_described(ecs_entity_t entity);
const char *draw_member(void);
ecs_from_json_desc_t draw_reading(void);
/** The types that are there from the start, if the world knows types. */
void make_types(void);
ecs_entity_t *make_opaque_types(ecs_entity_t *types, ecs_entity_t ints, ecs_entity_t pair);

/* Components whose values own memory. */
void own_memory(ecs_entity_t component);
/** Owned values of the cast. */
void end_values(void);

/** A call returned this entity, or 0: it takes part. */
void join(ecs_entity_t entity);
void join_as(part_t part, ecs_entity_t entity);
/** Some calls, in callbacks and between others. */
void make_some(ecs_world_t *world);
/** The same where somebody is told of a change, or in a loop over results. */
void make_some_told(ecs_world_t *world);
void call_back(ecs_iter_t *it);
void call_back_all(ecs_iter_t *it); /* for each result */
/** Ask an iterator about its present result, if there is any, in fitting and in odd ways. */
void look_at(ecs_iter_t *it);
/** End the iterators that calls keep, and with them what uses queries. */
void end_iterators(void);
/** Delete what recordings and traces were written to. */
void end_files(void);
bool is_iterated(const ecs_query_t *query);
/** Take part with other bytes of the input, which only `number` chooses; for callbacks of jobs. */
void make_some_in_job(ecs_world_t *stage, uint64_t number);
/** Print what is done, if MUSTER_FUZZ_TRACE is set. */
void say(const char *fmt, ...) ECS_PRINTF_LIKE(1, 2);

#endif
