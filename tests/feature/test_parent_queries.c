// SPDX-License-Identifier: MIT
// Queries and systems about children by the component EcsParent: results are those of pairs (ChildOf, parent).
#include "support/world.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/random.h"

static ecs_entity_t child_of(ecs_world_t *world, ecs_entity_t parent) {
    return ecs_insert(world, ecs_value(EcsParent, { parent }));
}

typedef struct Position {
    float x, y;
} Position;

static ECS_COMPONENT_DECLARE(Position);

static int compare_ids(const void *a, const void *b) {
    ecs_entity_t left = *(const ecs_entity_t *)a, right = *(const ecs_entity_t *)b;
    return (left > right) - (left < right);
}

static int32_t find_all(ecs_world_t *world, const ecs_query_t *q, ecs_entity_t *out) {
    int32_t count = 0;
    for (ecs_iter_t it = ecs_query_iter(world, q); ecs_query_next(&it);) {
        for (int32_t i = 0; i < it.count; i++) out[count++] = it.entities[i];
    }
    qsort(out, (size_t)count, sizeof(ecs_entity_t), compare_ids);
    return count;
}

#define check_query(world, q, ...)                                                                 \
    do {                                                                                           \
        ecs_entity_t found_[64], expected_[] = { __VA_ARGS__ };                                    \
        int32_t count_ = sizeof(expected_) / sizeof(expected_[0]);                                 \
        qsort(expected_, (size_t)count_, sizeof(ecs_entity_t), compare_ids);                       \
        assert_int_equal(find_all(world, q, found_), count_);                                      \
        for (int32_t i_ = 0; i_ < count_; i_++) assert_id_equal(world, found_[i_], expected_[i_]); \
    } while (0)

typedef struct family_t {
    ecs_entity_t a, b;       /* parents */
    ecs_entity_t p1, c1, c2; /* of a: by a pair, and by component */
    ecs_entity_t other;      /* of b */
} family_t;

typedef struct questions_t {
    ecs_query_t *of_a, *any, *up, *not, *var;
} questions_t;

static void make_children(ecs_world_t *world, family_t *family) {
    family->p1 = ecs_new_w_pair(world, EcsChildOf, family->a);
    family->c1 = child_of(world, family->a);
    family->c2 = child_of(world, family->a);
    family->other = child_of(world, family->b);
    ecs_entity_t es[] = { family->p1, family->c2, family->other };
    for (int i = 0; i < 3; i++) ecs_set(world, es[i], Position, { 5, 0 });
}

static questions_t make_questions(ecs_world_t *world, ecs_entity_t a, ecs_query_cache_kind_t kind) {
    const ecs_term_t position = { ecs_id(Position) };
    return (questions_t){
        .of_a = ecs_query(world, { .terms = { { ecs_childof(a) } }, .cache_kind = kind }),
        .any = ecs_query(
            world, { .terms = { position, { ecs_childof(EcsWildcard) } }, .cache_kind = kind }),
        .up = ecs_query(
            world, { .terms = { { ecs_id(Position), .src.id = EcsUp, .trav = EcsChildOf } },
                       .cache_kind = kind }),
        .not = ecs_query(world,
            { .terms = { position, { ecs_childof(a), .oper = EcsNot } }, .cache_kind = kind }),
        .var = ecs_query(world, { .expr = "ChildOf($this, $p), Position($p)", .cache_kind = kind }),
    };
}

static void check_fields(ecs_world_t *world, const questions_t *ask, ecs_entity_t a) {
    ecs_iter_t it = ecs_query_iter(world, ask->of_a);
    while (ecs_query_next(&it)) assert_id_equal(world, ecs_field_id(&it, 0), ecs_childof(a));
    it = ecs_query_iter(world, ask->up);
    while (ecs_query_next(&it)) {
        assert_id_equal(world, ecs_field_src(&it, 0), a);
        assert_near(ecs_field(&it, Position, 0)->x, 1, 0);
    }
}

// The queries are made before or after the first child by component.
static void ask_for_children(ecs_world_t *world, ecs_query_cache_kind_t kind, bool early) {
    family_t of = { ecs_new(world), ecs_new(world) };
    questions_t ask = { 0 };
    ecs_set(world, of.a, Position, { 1, 0 });
    if (early) ask = make_questions(world, of.a, kind);
    make_children(world, &of);
    if (!early) ask = make_questions(world, of.a, kind);
    check_query(world, ask.of_a, of.p1, of.c1, of.c2);
    check_query(world, ask.any, of.p1, of.c2, of.other);
    check_query(world, ask.up, of.p1, of.c1, of.c2);
    check_query(world, ask.not, of.a, of.other);
    check_query(world, ask.var, of.p1, of.c1, of.c2);
    check_fields(world, &ask, of.a);
    ecs_set(world, of.c1, EcsParent, { of.b }); /* results follow */
    ecs_remove(world, of.c2, EcsParent);
    check_query(world, ask.of_a, of.p1);
    check_query(world, ask.up, of.p1);
    check_query(world, ask.any, of.p1, of.other);
    check_query(world, ask.not, of.a, of.c2, of.other);
    ecs_query_t *const queries[] = { ask.of_a, ask.any, ask.up, ask.not, ask.var };
    for (int i = 0; i < 5; i++) ecs_query_fini(queries[i]);
    ecs_entity_t roots[] = { of.a, of.b, of.c2 };
    for (int i = 0; i < 3; i++) ecs_delete(world, roots[i]);
}

static void queries_find_children_of_either_kind(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Position) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    for (int i = 0; i < 4; i++)
        ask_for_children(world, i & 1 ? EcsQueryCacheAuto : EcsQueryCacheNone, i & 2);
}

// Q-NEW-12: the query was made before the first child, so it looked for tables of the pair.
static void queries_leave_children_behind(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_new(world);
    ecs_query_t *q = ecs_query(world, { .terms = { { ecs_childof(parent) } } });
    ecs_entity_t child = child_of(world, parent);
    ecs_query_fini(q);
    assert_true(ecs_world_verify(world));
    assert_true(ecs_has_pair(world, child, EcsChildOf, parent));
    assert_int_equal(ecs_count_id(world, ecs_childof(parent)), 1);
    ecs_delete(world, parent);
    assert_false(ecs_is_alive(world, child));
}

static void cascades_and_groups_order_by_depth(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Position) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ecs_query_t *before = ecs_query(
        world, { .expr = "Position, ?Position(cascade)", .cache_kind = EcsQueryCacheAuto });
    ecs_entity_t root = ecs_insert(world, ecs_value(Position, { 1, 0 }));
    ecs_entity_t deep = ecs_insert(world, ecs_value(Position, { 3, 0 }));
    ecs_entity_t mid = ecs_insert(world, ecs_value(Position, { 2, 0 }));
    ecs_set(world, mid, EcsParent, { root });
    ecs_set(world, deep, EcsParent, { mid });
    ecs_query_t *after = ecs_query(
        world, { .expr = "Position, ?Position(cascade)", .cache_kind = EcsQueryCacheAuto });
    ecs_query_t *queries[] = { before, after };
    for (int q = 0; q < 2; q++) {
        float last = 0;
        int32_t count = 0;
        for (ecs_iter_t it = ecs_query_iter(world, queries[q]); ecs_query_next(&it); count++) {
            const Position *own = ecs_field(&it, Position, 0);
            bool has_parent = ecs_field_is_set(&it, 1);
            assert_near(own->x, last + 1, 0);
            assert_true(has_parent == (last > 0));
            if (has_parent) assert_near(ecs_field(&it, Position, 1)->x, last, 0);
            last = own->x;
        }
        assert_int_equal(count, 3);
    }
    ecs_query_t *groups =
        ecs_query(world, { .terms = { { ecs_id(Position) }, { ecs_id(EcsParent) } },
                             .group_by = EcsParentDepth,
                             .cache_kind = EcsQueryCacheAuto });
    uint64_t group = 1;
    for (ecs_iter_t it = ecs_query_iter(world, groups); ecs_query_next(&it);)
        assert_int_equal(ecs_iter_get_group(&it), group++);
    assert_int_equal(group, 3);
    ecs_query_fini(before);
    ecs_query_fini(after);
    ecs_query_fini(groups);
}

static void roots_have_no_parent_of_either_kind(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Position) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ecs_entity_t root = ecs_insert(world, ecs_value(Position, { 1, 0 }));
    ecs_entity_t child = child_of(world, root);
    ecs_set(world, child, Position, { 2, 0 });
    ecs_query_t *q = ecs_query(world, { .expr = "Position, !ChildOf(this, _)" });
    check_query(world, q, root);
    ecs_query_fini(q);
    q = ecs_query(world, { .expr = "Position, ChildOf(this, _)" });
    check_query(world, q, child);
    ecs_query_fini(q);
    ecs_iter_t it = ecs_children(world, 0);
    while (ecs_children_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) assert_true(it.entities[i] != child);
    }
}

typedef struct Size {
    int32_t value;
} Size;
typedef struct Total {
    int32_t value;
} Total;

static void add_up(ecs_iter_t *it) {
    Total *totals = ecs_field(it, Total, 0);
    const Size *sizes = ecs_field(it, Size, 1);
    bool is_own = ecs_field_is_self(it, 1);
    for (int32_t i = 0; i < it->count; i++) totals[i].value += sizes[is_own ? i : 0].value;
}

// Workers share the children, whichever way these have their parents.
static void systems_about_parents_are_split(void **state) {
    ecs_world_t *world = *state;
    enum { PARENTS = 50, CHILDREN = 20000 };
    ECS_COMPONENT(world, Size);
    ECS_COMPONENT(world, Total);
    ecs_entity_t parents[PARENTS];
    for (int i = 0; i < PARENTS; i++) parents[i] = ecs_insert(world, ecs_value(Size, { i }));
    ecs_entity_t first = 0, child = 0;
    for (int i = 0; i < CHILDREN; i++) {
        child = i % 3 ? child_of(world, parents[i % PARENTS])
                      : ecs_new_w_pair(world, EcsChildOf, parents[i % PARENTS]);
        ecs_set(world, child, Total, { i });
        if (!first) first = child;
    }
    ecs_system(world,
        { .entity = ecs_entity(world, { .name = "s", .add = ecs_ids(ecs_dependson(EcsOnUpdate)) }),
            .query.expr = "Total, [in] Size(up ChildOf)",
            .callback = add_up,
            .multi_threaded = true });
    ecs_set_threads(world, 2);
    for (int i = 0; i < 3; i++) ecs_progress(world, 0);
    char *schedule = ecs_schedule_str(world, ecs_get_pipeline(world));
    assert_null(strstr(schedule, "not split"));
    ecs_os_free(schedule);
    assert_int_equal(ecs_get(world, first, Total)->value, 0);
    int32_t last = CHILDREN - 1;
    assert_int_equal(ecs_get(world, child, Total)->value, last + 3 * (last % PARENTS));
}

// Targets of unions above are found along parents of either kind.
static void unions_are_seen_above_children(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), onion = ecs_new_w_id(world, EcsUnion);
    ecs_entity_t parent = ecs_new_w_pair(world, onion, tag), child = child_of(world, parent);
    ecs_add_id(world, child, tag);
    const ecs_entity_t any[] = { EcsWildcard, EcsAny, tag };
    for (int i = 0; i < 6; i++) {
        ecs_query_t *q =
            ecs_query(world, { .terms = { { tag }, { .first.id = onion,
                                                       .second.id = any[i / 2],
                                                       .src.id = EcsUp,
                                                       .oper = i % 2 ? EcsNot : EcsAnd } } });
        assert_non_null(q);
        assert_int_equal(ecs_query_count(q).entities, !(i % 2));
        ecs_query_fini(q);
    }
}

enum { NODES = 60, IDS = 4 };

static ecs_entity_t nearest_with(
    ecs_world_t *world, ecs_entity_t node, ecs_id_t id, int32_t max_depth) {
    ecs_entity_t above = ecs_get_parent(world, node);
    while (above && !ecs_owns_id(world, above, id) && --max_depth)
        above = ecs_get_parent(world, above);
    return above && ecs_owns_id(world, above, id) ? above : 0;
}

static void check_above(ecs_world_t *world, ecs_query_t *q, const ecs_entity_t *nodes, ecs_id_t id,
    bool is_found, int32_t max_depth) {
    ecs_entity_t found[NODES] = { 0 };
    for (ecs_iter_t it = ecs_query_iter(world, q); ecs_query_next(&it);) {
        for (int32_t i = 0; i < it.count; i++) {
            int32_t n = 0;
            while (nodes[n] != it.entities[i]) n++;
            assert_int_equal(found[n], 0);
            found[n] = ecs_field_src(&it, 1);
            const Position *value = id == ecs_id(Position) ? ecs_field(&it, Position, 1) : NULL;
            if (value) assert_ptr_equal(value, ecs_get(world, found[n], Position));
        }
    }
    for (int32_t n = 0; n < NODES; n++)
        assert_id_equal(
            world, found[n], is_found ? nearest_with(world, nodes[n], id, max_depth) : 0);
}

// Q-TRV-07, Q-TRV-08: whether the first above has the id, one behind it or none; and whose children are of which kind.
static void the_nearest_above_is_found_among_both_kinds(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Position) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ecs_entity_t node = ecs_new(world), rel = ecs_new(world), hidden = ecs_new(world);
    ecs_add_pair(world, hidden, EcsOnInstantiate, EcsDontInherit);
    const ecs_id_t ids[IDS] = { ecs_id(Position), ecs_pair(rel, node), hidden,
        ecs_pair(rel, EcsWildcard) };
    random_t random = random_init(random_seed());
    ecs_entity_t nodes[NODES];
    for (int32_t n = 0; n < NODES; n++) {
        nodes[n] = ecs_new_w_id(world, node);
        for (int32_t i = 0; i < 3; i++)
            if (!random_below(&random, 3)) ecs_add_id(world, nodes[n], ids[i]);
        const ecs_entity_t parent = n ? nodes[random_below(&random, n)] : 0;
        if (parent && random_below(&random, 3))
            ecs_set(world, nodes[n], EcsParent, { parent });
        else if (parent)
            ecs_add_pair(world, nodes[n], EcsChildOf, parent);
    }
    for (int32_t i = 0; i < IDS * 12; i++) {
        const int32_t max_depth = i / IDS % 3;
        const ecs_id_t id = ids[i % IDS];
        ecs_query_t *q = ecs_query(
            world, { .terms = { { node }, { .id = id,
                                              .src.id = EcsUp | (i / (IDS * 6) ? EcsCascade : 0),
                                              .max_depth = (int16_t)max_depth } },
                       .cache_kind = i / (IDS * 3) % 2 ? EcsQueryCacheAuto : EcsQueryCacheNone });
        assert_non_null(q);
        check_above(world, q, nodes, id, id != hidden, max_depth);
        ecs_query_fini(q);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(queries_find_children_of_either_kind),
        world_test(queries_leave_children_behind),
        world_test(cascades_and_groups_order_by_depth),
        world_test(roots_have_no_parent_of_either_kind),
        world_test(systems_about_parents_are_split),
        world_test(unions_are_seen_above_children),
        world_test(the_nearest_above_is_found_among_both_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
