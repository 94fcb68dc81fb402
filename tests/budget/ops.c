// SPDX-License-Identifier: MIT
// ops: the hottest operations, for counting instructions. Run by run.sh under callgrind, which
// counts between COUNT_FROM_HERE and COUNT_TO_HERE only; each count is one dump named after the
// operation and the number of times it was done. Run by itself it does the same and counts nothing.
#include <muster.h>

#include <stdio.h>
#include <valgrind/callgrind.h>

enum { MANY = 2000 };

typedef struct {
    float x, y;
} Position;
typedef struct {
    float x, y;
} Velocity;
static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);
static ECS_TAG_DECLARE(Tag);

static ecs_world_t *world;
static ecs_entity_t entities[MANY];
static float sum;

#define COUNT_FROM_HERE           \
    do {                          \
        CALLGRIND_ZERO_STATS;     \
        CALLGRIND_TOGGLE_COLLECT; \
    } while (0)

static void count_to_here(const char *name, int32_t times) {
    char text[64];
    CALLGRIND_TOGGLE_COLLECT;
    snprintf(text, sizeof text, "%s %d", name, (int)times);
    CALLGRIND_DUMP_STATS_AT(text);
}

// `body` is done twice to get warm (queries take copies in the second iteration), then counted.
#define MEASURE(name, times, body)                \
    do {                                          \
        for (int warm_ = 0; warm_ < 3; warm_++) { \
            if (warm_ == 2) COUNT_FROM_HERE;      \
            body;                                 \
        }                                         \
        count_to_here(name, times);               \
    } while (0)

#define EACH(statement) \
    for (int32_t i = 0; i < MANY; i++) statement

// ---- Entities ----

static void measure_entities(void) {
    MEASURE("get", MANY, EACH(sum += ecs_get(world, entities[i], Position)->x));
    MEASURE("set", MANY, EACH(ecs_set(world, entities[i], Position, { 1, 2 })));
    MEASURE("is_alive", MANY, EACH(sum += (float)ecs_is_alive(world, entities[i])));
    MEASURE("add_and_remove", 2 * MANY, {
        EACH(ecs_add(world, entities[i], Velocity));
        EACH(ecs_remove(world, entities[i], Velocity));
    });
    MEASURE("create_and_delete", MANY, EACH({
        ecs_entity_t entity = ecs_new_w(world, Position);
        ecs_delete(world, entity);
    }));
    MEASURE("create_by_adding", MANY, EACH({
        ecs_entity_t entity = ecs_new(world);
        ecs_add(world, entity, Position);
        ecs_add(world, entity, Velocity);
        ecs_delete(world, entity);
    }));
}

enum { IDS = 16 };

// More components than usual, one after the other.
static void measure_many_adds(void) {
    ecs_entity_t ids[IDS];
    for (int32_t c = 0; c < IDS; c++)
        ids[c] = ecs_component(world, { .type = { .size = 8, .alignment = 8 } });
    MEASURE("create_by_adding_many", MANY, EACH({
        ecs_entity_t entity = ecs_new(world);
        for (int32_t c = 0; c < IDS; c++) ecs_add_id(world, entity, ids[c]);
        ecs_delete(world, entity);
    }));
}

// With an edge kept beside the table, whose place in a type stays.
static void measure_with_union(void) {
    ecs_entity_t state = ecs_new(world), idle = ecs_new(world);
    ecs_add_id(world, state, EcsUnion);
    EACH(ecs_add_pair(world, entities[i], state, idle));
    MEASURE("add_and_remove_with_union", 2 * MANY, {
        EACH(ecs_add(world, entities[i], Velocity));
        EACH(ecs_remove(world, entities[i], Velocity));
    });
    ecs_entity_t busy = ecs_new(world);
    MEASURE("switch_union", 2 * MANY, {
        EACH(ecs_add_pair(world, entities[i], state, busy));
        EACH(ecs_add_pair(world, entities[i], state, idle));
    });
    MEASURE("merge_switch_union", 2 * MANY, {
        ecs_defer_begin(world);
        EACH(ecs_add_pair(world, entities[i], state, busy));
        ecs_defer_end(world);
        ecs_defer_begin(world);
        EACH(ecs_add_pair(world, entities[i], state, idle));
        ecs_defer_end(world);
    });
    MEASURE("add_and_remove_union", 2 * MANY, {
        EACH(ecs_remove_pair(world, entities[i], state, idle));
        EACH(ecs_add_pair(world, entities[i], state, idle));
    });
    EACH(ecs_remove_pair(world, entities[i], state, idle));
}

static void on_change(ecs_iter_t *it) { sum += (float)it->count; }

// Instances take a value of their own, which hooks are told of, and give it back.
static void measure_overrides(void) {
    ecs_entity_t hooked = ecs_component(world, { .type = { .size = 8, .alignment = 8 } });
    ecs_set_hooks_id(
        world, hooked, &(ecs_type_hooks_t){ .on_add = on_change, .on_set = on_change });
    ecs_entity_t base = ecs_new_w_id(world, hooked);
    EACH(ecs_add_pair(world, entities[i], EcsIsA, base));
    MEASURE("override_and_remove", 2 * MANY, {
        EACH(ecs_add_id(world, entities[i], hooked));
        EACH(ecs_remove_id(world, entities[i], hooked));
    });
    EACH(ecs_remove_pair(world, entities[i], EcsIsA, base));
}

static ecs_entity_t rel, target;

static void ask_for_pairs(const char *name) {
    MEASURE(name, 3 * MANY, EACH({
        sum += (float)ecs_has_pair(world, entities[0], rel, target);
        sum += (float)ecs_has_pair(world, entities[0], rel, EcsWildcard);
        sum += ecs_get_target(world, entities[0], rel, 0) == target;
    }));
}

// The same questions in a small world and in one with many pairs.
static void measure_pairs(void) {
    rel = ecs_new(world);
    target = ecs_new(world);
    MEASURE("add_and_remove_pair", 2 * MANY, {
        EACH(ecs_add_pair(world, entities[i], rel, target));
        EACH(ecs_remove_pair(world, entities[i], rel, target));
    });
    ecs_add_pair(world, entities[0], rel, target);
    ask_for_pairs("ask_for_pairs");
    EACH(ecs_new_w_pair(world, rel, ecs_new(world)));
    ask_for_pairs("ask_for_pairs_among_many");
    ecs_remove_pair(world, entities[0], rel, target);
}

static void hear(ecs_iter_t *it) { sum += (float)it->count; }

static void measure_observer(void) {
    ecs_entity_t observer = ecs_observer(
        world, { .query.terms = { { Tag } }, .events = { EcsOnAdd }, .callback = hear });
    MEASURE("add_and_remove_observed", 2 * MANY, {
        EACH(ecs_add(world, entities[i], Tag));
        EACH(ecs_remove(world, entities[i], Tag));
    });
    ecs_delete(world, observer);
    observer = ecs_observer(world,
        { .query.terms = { { ecs_id(Position) } }, .events = { EcsOnSet }, .callback = hear });
    MEASURE("set_observed", MANY, EACH(ecs_set(world, entities[i], Position, { 1, 2 })));
    ecs_delete(world, observer);
}

static void measure_changes_of_base(void) {
    ecs_entity_t base = ecs_new(world);
    MEASURE("merge_add_then_change_base", 4 * MANY, {
        ecs_defer_begin(world);
        EACH(ecs_add(world, entities[i], Velocity));
        EACH(ecs_add_pair(world, entities[i], EcsIsA, base)); /* each ends the chains of all */
        ecs_defer_end(world);
        ecs_defer_begin(world);
        EACH(ecs_remove(world, entities[i], Velocity));
        EACH(ecs_remove_pair(world, entities[i], EcsIsA, base));
        ecs_defer_end(world);
    });
}

static void ignore(ecs_iter_t *it) { (void)it; }

// All are in tables of their own.
static void measure_observer_above(void) {
    ecs_entity_t parent = ecs_new(world),
                 observer = ecs_observer(
                     world, { .query = { .terms = { { .id = Tag },
                                             { .id = ecs_id(Velocity), .src.id = EcsUp } } },
                                .events = { EcsOnAdd },
                                .callback = ignore });
    EACH({
        ecs_entity_t child = ecs_new_w_pair(world, EcsChildOf, parent);
        ecs_add(world, child, Tag);
        ecs_add_pair(world, child, Tag, entities[i]);
    });
    MEASURE("add_observed_above", MANY, {
        ecs_add(world, parent, Velocity);
        ecs_remove(world, parent, Velocity);
    });
    ecs_delete(world, observer);
    ecs_delete(world, parent);
}

static void measure_commands(void) {
    MEASURE("merge_set_existing", MANY, {
        ecs_defer_begin(world);
        EACH(ecs_set(world, entities[i], Position, { 1, 2 }));
        ecs_defer_end(world);
    });
    MEASURE("merge_add_and_remove", 2 * MANY, {
        ecs_defer_begin(world);
        EACH(ecs_add(world, entities[i], Velocity));
        ecs_defer_end(world);
        ecs_defer_begin(world);
        EACH(ecs_remove(world, entities[i], Velocity));
        ecs_defer_end(world);
    });
    MEASURE("merge_set_and_remove_all", MANY, {
        ecs_defer_begin(world);
        EACH(ecs_set(world, entities[i], Velocity, { 1, 2 }));
        ecs_defer_end(world);
        ecs_remove_all(world, ecs_id(Velocity));
    });
    MEASURE("merge_new_with_two_sets", MANY, {
        ecs_defer_begin(world);
        EACH({
            ecs_entity_t entity = ecs_new(world);
            ecs_set(world, entity, Position, { 1, 2 });
            ecs_set(world, entity, Velocity, { 1, 2 });
        });
        ecs_defer_end(world);
        ecs_delete_with(world, ecs_id(Velocity));
    });
}

// ---- Queries ----

static void move_all(ecs_query_t *query) {
    ecs_iter_t it = ecs_query_iter(world, query);
    while (ecs_query_next(&it)) {
        Position *p = ecs_field(&it, Position, 0);
        const Velocity *v = ecs_field(&it, Velocity, 1);
        for (int32_t i = 0; i < it.count; i++) p[i].x += v[i].x;
    }
}

static ecs_query_t *movers(ecs_query_cache_kind_t kind) {
    return ecs_query(
        world, { .terms = { { ecs_id(Position) }, { ecs_id(Velocity), .inout = EcsIn } },
                   .cache_kind = kind });
}

static void count_each(ecs_id_t id) {
    ecs_iter_t it = ecs_each_id(world, id);
    while (ecs_each_next(&it)) sum += (float)it.count;
}

// One entity in each of MANY tables.
static void measure_queries(void) {
    ecs_query_t *cached = movers(EcsQueryCacheAuto), *uncached = movers(EcsQueryCacheNone);
    MEASURE("iterate_nothing_cached", MANY, EACH(move_all(cached)));
    MEASURE("iterate_nothing_uncached", MANY, EACH(move_all(uncached)));
    ecs_entity_t kind = ecs_entity(world, { .name = "Kind" });
    EACH({
        ecs_entity_t entity = ecs_new_w_pair(world, kind, ecs_new(world));
        ecs_add(world, entity, Position);
        ecs_add(world, entity, Velocity);
    });
    MEASURE("iterate_tables_cached", MANY, move_all(cached));
    MEASURE("iterate_tables_uncached", MANY, move_all(uncached));
    MEASURE("each_table", MANY, count_each(ecs_id(Position)));
}

static void count_all(ecs_query_t *query) {
    ecs_iter_t it = ecs_query_iter(world, query);
    while (ecs_query_next(&it)) sum += (float)it.count;
}

// Those tables again, from each to what its entity has a pair with.
static void measure_joins(void) {
    ecs_query_t *own = ecs_query(world, { .expr = "Position(self), Kind($this|self, $x)" });
    ecs_query_t *any = ecs_query(world, { .expr = "Position, Kind($this, $x), !Tag($x)" });
    MEASURE("join_tables", MANY, count_all(own));
    ecs_new_w_pair(world, EcsIsA, entities[0]);
    MEASURE("join_tables_or_inherit", MANY, count_all(any));
    ecs_query_t *moving = movers(EcsQueryCacheNone);
    MEASURE("iterate_tables_beside_heir", MANY, move_all(moving));
    ecs_query_fini(moving);
}

// ---- Ticks ----

static void do_nothing(ecs_iter_t *it) { sum += (float)it->count; }

enum { SYSTEMS = 100, TICKS = 20 };

static void tick(void) {
    for (int32_t i = 0; i < TICKS; i++) ecs_progress(world, 1);
}

static void add_systems(ecs_entity_t id, bool multi_threaded) {
    for (int32_t i = 0; i < SYSTEMS; i++) {
        ecs_system(world, { .query.terms = { { id } },
                              .callback = do_nothing,
                              .phase = EcsOnUpdate,
                              .multi_threaded = multi_threaded });
    }
    tick();
}

static void measure_ticks(void) {
    ecs_entity_t lonely = ecs_new(world);
    ecs_new_w_id(world, lonely);
    add_systems(lonely, false);
    MEASURE("tick_per_system", SYSTEMS * TICKS, tick());
    ecs_delete_with(world, EcsSystem);
    add_systems(lonely, true);
    MEASURE("tick_per_job", SYSTEMS * TICKS, tick());
}

// Around each run of systems that are not multithreaded: stages that nobody used are not looked at.
static void read_only(void) {
    ecs_readonly_begin(world, false);
    ecs_readonly_end(world);
}

static void measure_many_stages(void) {
    ecs_set_stage_count(world, 64);
    MEASURE("readonly_mode_64_stages", MANY, EACH(read_only()));
    ecs_set_stage_count(world, 1);
}

// ---- Structure ----

// A parent with three children, which are deleted with it.
static void make_and_delete_family(void) {
    ecs_entity_t parent = ecs_new(world);
    for (int32_t i = 0; i < 3; i++) ecs_new_w_pair(world, EcsChildOf, parent);
    ecs_delete(world, parent);
}

// Each of them begins where one with another parent did before, 32 times.
static void make_children_by_turns(const ecs_entity_t *parents) {
    for (int32_t i = 0; i < MANY; i++) ecs_new_w_pair(world, EcsChildOf, parents[i % 32]);
}

static void measure_children(void) {
    ecs_entity_t parents[32];
    for (int32_t i = 0; i < 32; i++) parents[i] = ecs_new(world);
    MEASURE("make_children_by_turns", MANY, make_children_by_turns(parents));
    for (int32_t i = 0; i < 32; i++) ecs_delete(world, parents[i]);
}

static void make_and_end_query(void) {
    ecs_query_fini(
        ecs_query(world, { .terms = { { ecs_id(Position) }, { ecs_id(Velocity) }, { Tag } },
                             .cache_kind = EcsQueryCacheAuto }));
}

static void measure_structure(void) {
    MEASURE("make_and_delete_family", MANY, EACH(make_and_delete_family()));
    MEASURE("make_and_end_query", MANY, EACH(make_and_end_query()));
}

// Entities are found by their sets, and rows of tables asked for what is beside them.
static void measure_beside(void) {
    ecs_entity_t mark = ecs_new_w_id(world, EcsDontFragment),
                 kind = ecs_new_w_id(world, EcsDontFragment);
    ecs_query_t *holders = ecs_query(world, { .terms = { { mark } } }),
                *rows = ecs_query(world, { .terms = { { Tag }, { mark } } }),
                *targets = ecs_query(world, { .terms = { { ecs_pair(kind, EcsWildcard) } } });
    EACH({
        ecs_entity_t entity = ecs_new_w(world, Tag);
        ecs_add_id(world, entity, mark);
        ecs_add_pair(world, entity, kind, entities[i]);
    });
    MEASURE("iterate_beside", MANY, count_all(holders));
    MEASURE("iterate_rows_beside", MANY, count_all(rows));
    MEASURE("iterate_targets_beside", MANY, count_all(targets));
    ecs_iter_t it = ecs_query_iter(world, rows);
    while (ecs_query_next(&it)) ecs_add_pair(world, it.entities[0], kind, mark);
    MEASURE("iterate_two_targets_beside", 2 * MANY, count_all(targets));
}

int main(void) {
    world = ecs_init();
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ECS_TAG_DEFINE(world, Tag);
    EACH(entities[i] = ecs_new_w(world, Position));
    measure_entities();
    measure_many_adds();
    measure_pairs();
    measure_observer();
    measure_commands();
    measure_queries();
    measure_ticks();
    measure_many_stages();
    measure_joins();
    measure_structure();
    measure_beside();
    measure_with_union();
    measure_overrides();
    measure_observer_above();
    measure_changes_of_base();
    measure_children();
    return ecs_fini(world) || sum == 0;
}
