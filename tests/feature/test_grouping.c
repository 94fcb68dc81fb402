// SPDX-License-Identifier: MIT
// Grouping: features.md area Q-GRP.
#include "query_scene.h"

typedef struct regions_t {
    ecs_entity_t rel, first, second, third;
} regions_t;

// Regions are made in order, units in another: u2 and u5 in the second, u1 and u4 in the first, u3
// in none. Each has a tag or component of its own, so that tables are many.
static regions_t make_regions(ecs_world_t *world) {
    regions_t r = { make(world, "Region", NULL), make(world, "R1", NULL), make(world, "R2", NULL),
        make(world, "R3", NULL) };
    ecs_add_pair(world, make(world, "u2", "Position"), r.rel, r.second);
    ecs_add_pair(world, make(world, "u1", "Position"), r.rel, r.first);
    make(world, "u3", "Position");
    ecs_add_pair(world, make(world, "u4", "Position, Velocity"), r.rel, r.first);
    ecs_add_pair(world, make(world, "u5", "Position, Mass"), r.rel, r.second);
    return r;
}

static ecs_query_t *grouped(const scene_t *scene, ecs_query_desc_t desc) {
    desc.cache_kind = scene->kind;
    ecs_query_t *q = ecs_query_init(scene->world, &desc);
    assert_non_null(q);
    assert_int_equal(q->cache_kind == EcsQueryCacheNone, scene->kind == EcsQueryCacheNone);
    return q;
}

static void assert_group(ecs_query_t *q, uint64_t group, const char *expected) {
    ecs_iter_t it = ecs_query_iter(q->world, q);
    ecs_iter_set_group(&it, group);
    assert_iter(&it, expected);
}

// Q-GRP-01, Q-GRP-02, Q-GRP-04, Q-GRP-07, Q-GRP-11
static void groups_come_in_order_of_their_ids(void **state) {
    scene_t *scene = *state;
    regions_t r = make_regions(scene->world);
    ecs_query_t *q = grouped(scene, (ecs_query_desc_t){ .expr = "Position", .group_by = r.rel });
    assert_results(q, "u3: Position | u1: Position | u4: Position | u2: Position | u5: Position");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    const uint64_t expected[] = { 0, r.first, r.first, r.second, r.second };
    for (int i = 0; ecs_query_next(&it); i++)
        assert_int_equal(ecs_iter_get_group(&it), expected[i]);
    ecs_query_fini(q);
}

typedef struct calls_t {
    ecs_id_t fresh, base; /* both of them has the table that is counted */
    int count;
} calls_t;

static uint64_t count_calls(ecs_world_t *world, ecs_table_t *table, ecs_id_t id, void *ctx) {
    (void)id;
    calls_t *calls = ctx;
    calls->count +=
        ecs_table_has_id(world, table, calls->fresh) && ecs_table_has_id(world, table, calls->base);
    return 0;
}

// Q-GRP-03: also after something became a kind of what the query names
static void a_new_table_is_asked_once_for_its_group(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    calls_t calls = { make(world, "Fresh", NULL), make(world, "Base", NULL), 0 };
    ecs_query_t *q = grouped(scene,
        (ecs_query_desc_t){
            .expr = "Position, Base", .group_by_callback = count_calls, .group_by_ctx = &calls });
    ecs_add_pair(world, make(world, "Kind", NULL), EcsIsA, calls.base);
    assert_results(q, "");
    ecs_entity_t e = make(world, "e", "Fresh, Position");
    ecs_add_id(world, e, calls.base);
    assert_results(q, "e: Position, Base");
    assert_int_equal(calls.count, 1);
    ecs_query_fini(q);
}

// Q-GRP-02
static void groups_come_descending_on_request(void **state) {
    scene_t *scene = *state;
    regions_t r = make_regions(scene->world);
    ecs_query_t *q = grouped(scene, (ecs_query_desc_t){ .expr = "Position",
                                        .group_by = r.rel,
                                        .flags = EcsQueryGroupByOrdered | EcsQueryGroupByDesc });
    assert_results(q, "u2: Position | u5: Position | u1: Position | u4: Position | u3: Position");
    assert_group(q, r.first, "u1: Position | u4: Position");
    ecs_query_fini(q);
}

// Q-GRP-05, Q-VAR-12: the group and $this, whichever is set first.
static void groups_and_this_limit_results_together(void **state) {
    scene_t *scene = *state;
    regions_t r = make_regions(scene->world);
    ecs_entity_t u4 = ecs_lookup(scene->world, "u4");
    static const char *const exprs[] = { "Position", "Position, Region($this, $x)",
        "Position, !{ Tag, Likes($this, $x) }" };
    for (size_t i = 0; i < 4 * (sizeof(exprs) / sizeof(exprs[0])); i++) {
        ecs_query_t *q =
            grouped(scene, (ecs_query_desc_t){ .expr = exprs[i / 4], .group_by = r.rel });
        ecs_entity_t group = i & 1 ? r.first : r.second;
        ecs_iter_t it = ecs_query_iter(scene->world, q);
        if (i & 2) ecs_iter_set_group(&it, group);
        ecs_iter_set_var(&it, 0, u4);
        if (!(i & 2)) ecs_iter_set_group(&it, group);
        assert_int_equal(ecs_iter_first(&it), i & 1 ? u4 : 0);
        ecs_query_fini(q);
    }
}

static uint64_t by_target(ecs_world_t *world, ecs_table_t *table, ecs_id_t id, void *ctx) {
    ecs_id_t match = 0;
    ++*(int *)ctx;
    bool has = ecs_search(world, table, ecs_pair(id, EcsWildcard), &match) != -1;
    return has ? ecs_pair_second(world, match) : 0;
}

static int freed;
static void count_free(void *ctx) { freed += ctx != NULL; }

// Q-GRP-03
static void a_callback_names_the_group_of_each_table_once(void **state) {
    scene_t *scene = *state;
    regions_t r = make_regions(scene->world);
    int calls = 0;
    freed = 0;
    ecs_query_t *q = grouped(scene, (ecs_query_desc_t){ .expr = "Position",
                                        .group_by = r.rel,
                                        .group_by_callback = by_target,
                                        .group_by_ctx = &calls,
                                        .group_by_ctx_free = count_free });
    assert_results(q, "u3: Position | u1: Position | u4: Position | u2: Position | u5: Position");
    int before = calls;
    assert_group(q, r.second, "u2: Position | u5: Position");
    assert_int_equal(calls, before);
    ecs_query_fini(q);
    assert_int_equal(freed, 1);
}

// Q-GRP-05, Q-GRP-06
static void a_group_iterator_visits_its_group_only(void **state) {
    scene_t *scene = *state;
    regions_t r = make_regions(scene->world);
    ecs_query_t *q = grouped(scene, (ecs_query_desc_t){ .expr = "Position", .group_by = r.rel });
    assert_group(q, r.first, "u1: Position | u4: Position");
    assert_group(q, r.second, "u2: Position | u5: Position");
    assert_group(q, 0, "u3: Position");
    assert_group(q, r.third, "");
    assert_group(q, 4711, "");
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    ecs_iter_set_group(&it, r.first);
    ecs_iter_t page = ecs_page_iter(&it, 1, 1);
    assert_iter(&page, "u4: Position");
    ecs_query_fini(q);
}

static int by_entity(ecs_entity_t a, const void *x, ecs_entity_t b, const void *y) {
    (void)x, (void)y;
    return (a > b) - (a < b);
}

// Q-GRP-05: also if matches move before its first result
static void a_group_iterator_may_wait_for_its_turn(void **state) {
    scene_t *scene = *state;
    regions_t r = make_regions(scene->world);
    for (int is_sorted = 0; is_sorted < 2; is_sorted++) {
        ecs_query_t *q = grouped(scene, (ecs_query_desc_t){ .expr = "Position",
                                            .group_by = r.rel,
                                            .order_by_callback = is_sorted ? by_entity : NULL });
        const uint64_t groups[] = { 0, r.first, r.second };
        ecs_iter_t iters[3];
        for (int i = 0; i < 3; i++) {
            iters[i] = ecs_query_iter(scene->world, q);
            ecs_iter_set_group(&iters[i], groups[i]);
            iters[i].priv_.table_number = UINT64_MAX; /* of no match yet */
        }
        ecs_entity_t e = make(scene->world, is_sorted ? "new2" : "new1", "Position");
        ecs_add_pair(scene->world, e, r.rel, r.third);
        assert_int_equal(ecs_query_count(q).entities, 6 + is_sorted);
        for (int i = 0; i < 3; i++) assert_int_equal(ecs_iter_count(&iters[i]), i ? 2 : 1);
        ecs_query_fini(q);
    }
}

// Q-GRP-08
static void two_queries_group_the_same_tables_differently(void **state) {
    scene_t *scene = *state;
    regions_t r = make_regions(scene->world);
    ecs_entity_t likes = ecs_lookup(scene->world, "Likes");
    ecs_add_pair(
        scene->world, ecs_lookup(scene->world, "u4"), likes, ecs_lookup(scene->world, "Apples"));
    ecs_query_t *a = grouped(scene, (ecs_query_desc_t){ .expr = "Position", .group_by = r.rel });
    ecs_query_t *b = grouped(scene, (ecs_query_desc_t){ .expr = "Position", .group_by = likes });
    assert_results(a, "u3: Position | u1: Position | u4: Position | u2: Position | u5: Position");
    assert_results(b, "u3: Position | u2: Position | u1: Position | u5: Position | u4: Position");
    ecs_query_fini(a);
    assert_results(b, "u3: Position | u2: Position | u1: Position | u5: Position | u4: Position");
    ecs_query_fini(b);
}

typedef struct log_t {
    int created, deleted;
    uint64_t last;
} log_t;

static void *on_create(ecs_world_t *world, uint64_t id, void *ctx) {
    log_t *log = ctx;
    assert_non_null(world);
    log->created++;
    log->last = id;
    return (void *)(uintptr_t)(id + 1);
}

static void on_delete(ecs_world_t *world, uint64_t id, void *group_ctx, void *ctx) {
    log_t *log = ctx;
    assert_non_null(world);
    assert_int_equal((uintptr_t)group_ctx, id + 1);
    log->deleted++;
    log->last = id;
}

// Q-GRP-10
static void groups_begin_with_their_first_table_and_end_with_the_last(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    regions_t r = make_regions(world);
    log_t log = { 0, 0, 0 };
    ecs_query_t *q = grouped(scene, (ecs_query_desc_t){ .expr = "Position, (Region, *)",
                                        .group_by = r.rel,
                                        .on_group_create = on_create,
                                        .on_group_delete = on_delete,
                                        .group_by_ctx = &log });
    assert_int_equal(log.created, 2);
    assert_int_equal(ecs_query_get_groups(q)->count, 2);
    assert_int_equal(ecs_query_get_group_info(q, r.first)->table_count, 2);
    assert_int_equal((uintptr_t)ecs_query_get_group_ctx(q, r.first), r.first + 1);
    assert_null(ecs_query_get_group_info(q, r.third));
    assert_null(ecs_query_get_group_ctx(q, r.third));

    ecs_entity_t u6 = make(world, "u6", "Position");
    ecs_add_pair(world, u6, r.rel, r.third);
    assert_int_equal(log.created, 3);
    assert_int_equal(log.last, r.third);
    assert_group(q, r.third, "u6: Position, (Region,R3)");
    ecs_add_pair(world, ecs_lookup(world, "u4"), r.rel, r.third);
    assert_int_equal(log.created, 3);
    // Both regions of u4 are in the first one's group.
    assert_results(q, "u1: Position, (Region,R1) | u4: Position, (Region,R1) | "
                      "u4: Position, (Region,R3) | u2: Position, (Region,R2) | "
                      "u5: Position, (Region,R2) | u6: Position, (Region,R3)");

    ecs_delete(world, r.second);
    ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    assert_int_equal(log.deleted, 1);
    assert_int_equal(log.last, r.second);
    assert_results(q, "u1: Position, (Region,R1) | u4: Position, (Region,R1) | "
                      "u4: Position, (Region,R3) | u6: Position, (Region,R3)");
    ecs_query_fini(q);
    assert_int_equal(log.deleted, log.created);
}

static void *make_member(ecs_world_t *world, uint64_t id, void *ctx) {
    const ecs_entity_t *rel = ctx, member = ecs_entity(world, { .add_expr = "Tag" });
    if (id) ecs_add_pair(world, member, *rel, id);
    ecs_add(world, member, Position);
    return NULL;
}

// Q-GRP-10, Q-CAC-02: whoever is told of a group may make entities that are in one, when the query is made, too.
static void tables_made_for_a_new_group_are_found(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    regions_t r = make_regions(world);
    ecs_query_t *plain = query_expr(scene, "Position");
    ecs_query_t *q = grouped(scene, (ecs_query_desc_t){ .expr = "Position",
                                        .group_by = r.rel,
                                        .on_group_create = make_member,
                                        .group_by_ctx = &r.rel });
    assert_int_equal(ecs_query_count(q).entities, 8);
    for (int i = 0; i < 40; i++) {
        const ecs_entity_t region = ecs_new(world), unit = ecs_new_w_pair(world, r.rel, region);
        if (i % 3) ecs_add(world, unit, Velocity);
        ecs_add(world, unit, Position);
    }
    assert_int_equal(ecs_query_count(q).entities, 88);
    assert_int_equal(ecs_query_count(plain).entities, 88);
    assert_true(ecs_world_verify(world));
    ecs_query_fini(q);
    ecs_query_fini(plain);
}

typedef struct curious_t {
    const ecs_query_t *query;
    int32_t entities, times;
} curious_t;

static void ask(curious_t *curious) {
    if (!curious->query) return;
    curious->times++;
    curious->entities = ecs_query_count(curious->query).entities;
}

static void *ask_of_new(ecs_world_t *world, uint64_t id, void *ctx) {
    curious_t *curious = ctx;
    (void)world;
    if (curious->query) assert_non_null(ecs_query_get_group_info(curious->query, id));
    ask(curious);
    return NULL;
}

static void ask_of_gone(ecs_world_t *world, uint64_t id, void *group_ctx, void *ctx) {
    (void)world, (void)id, (void)group_ctx;
    ask(ctx);
}

// Q-GRP-10: whoever is told of a group may ask the query, whether the group came with a table or with what is above it.
static void who_is_told_of_groups_may_ask(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    regions_t r = make_regions(world);
    curious_t curious = { NULL, 0, 0 };
    ecs_entity_t parent = make(world, "p", NULL), child = make(world, "c", NULL);
    ecs_add_pair(world, child, EcsChildOf, parent);
    ecs_add_pair(world, child, r.rel, r.third);
    ecs_query_t *q = grouped(scene, (ecs_query_desc_t){ .expr = "Position(self|up)",
                                        .group_by = r.rel,
                                        .on_group_create = ask_of_new,
                                        .on_group_delete = ask_of_gone,
                                        .group_by_ctx = &curious });
    const int32_t before = ecs_query_count(q).entities;
    curious.query = q;
    ecs_add(world, parent, Position); /* in no group, the child in the third */
    assert_int_equal(ecs_query_count(q).entities, before + 2);
    assert_true(curious.times > 0);
    assert_int_equal(curious.entities, before + 2);
    ecs_entity_t last = make(world, "last", NULL), region = make(world, "R4", NULL);
    ecs_add_pair(world, last, r.rel, region);
    curious.times = 0;
    ecs_add(world, last, Position);
    assert_int_equal(curious.times, 1);
    ecs_remove(world, parent, Position);
    ecs_delete(world, region);
    ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    assert_int_equal(ecs_query_count(q).entities, before + 1);
    assert_true(curious.times >= 3);
    assert_true(ecs_world_verify(world));
    curious.query = NULL;
    ecs_query_fini(q);
}

typedef struct others_t {
    ecs_query_t *queries[3];
    bool is_due;
} others_t;

static void *end_others(ecs_world_t *world, uint64_t id, void *ctx) {
    others_t *others = ctx;
    (void)world, (void)id;
    for (int i = 0; others->is_due && i < 3; i += 2) ecs_query_fini(others->queries[i]);
    others->is_due = false;
    return NULL;
}

// Q-GRP-10: or end other queries, which were to hear of the table next (sanitizers tell if one is looked at later).
static void who_is_told_of_groups_may_end_queries(void **state) {
    scene_t *scene = *state;
    others_t others;
    for (int i = 0; i < 3; i++) others.queries[i] = query_expr(scene, "Position");
    others.is_due = true;
    ecs_query_t *q = grouped(scene, (ecs_query_desc_t){ .expr = "Position",
                                        .group_by = EcsChildOf,
                                        .on_group_create = end_others,
                                        .group_by_ctx = &others });
    make(scene->world, "e", "Position");
    assert_false(others.is_due);
    assert_int_equal(ecs_query_count(q).entities, 1);
    assert_int_equal(ecs_query_count(others.queries[1]).entities, 1);
    assert_true(ecs_world_verify(scene->world));
    ecs_query_fini(q);
    ecs_query_fini(others.queries[1]);
}

static uint64_t by_first_tag(ecs_world_t *world, ecs_table_t *table, ecs_id_t id, void *ctx) {
    (void)id, (void)ctx;
    return ecs_table_has_id(world, table, ecs_lookup(world, "Tag")) ? 1 : 0;
}

// A subtree that inherits other things is matched anew; groups that stay are not made again.
static void rematching_keeps_groups(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    log_t log = { 0, 0, 0 };
    ecs_entity_t a = make(world, "a", "Position"), b = make(world, "b", NULL);
    ecs_entity_t x = make(world, "x", NULL), y = make(world, "y", "Tag");
    ecs_add_pair(world, x, EcsChildOf, a);
    ecs_add_pair(world, y, EcsChildOf, b);
    ecs_query_t *q = grouped(scene, (ecs_query_desc_t){ .expr = "Position(up)",
                                        .group_by_callback = by_first_tag,
                                        .on_group_create = on_create,
                                        .on_group_delete = on_delete,
                                        .group_by_ctx = &log });
    assert_results(q, "a.x: Position@a");
    ecs_add(world, b, Position);
    assert_results(q, "a.x: Position@a | b.y: Position@b");
    assert_int_equal(log.created, 2);
    assert_int_equal(log.deleted, 0);
    ecs_remove(world, a, Position);
    assert_results(q, "b.y: Position@b");
    assert_int_equal(log.deleted, 1);
    ecs_query_fini(q);
}

// A grouped query may ask about variables.
static void joins_come_by_group(void **state) {
    scene_t *scene = *state;
    regions_t r = make_regions(scene->world);
    ecs_query_t *q = grouped(
        scene, (ecs_query_desc_t){ .expr = "Position, Region($this, $r)", .group_by = r.rel });
    assert_results(q, "u1: Position, (Region,R1) | u4: Position, (Region,R1) | "
                      "u2: Position, (Region,R2) | u5: Position, (Region,R2)");
    assert_group(q, r.second, "u2: Position, (Region,R2) | u5: Position, (Region,R2)");
    ecs_query_fini(q);
}

static void tables_made_while_iterated_wait_for_the_next_time(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    regions_t r = make_regions(world);
    ecs_query_t *q = grouped(scene, (ecs_query_desc_t){ .expr = "Position", .group_by = r.rel });
    int32_t results = 0;
    ecs_iter_t it = ecs_query_iter(world, q);
    for (; ecs_query_next(&it); results++) {
        ecs_entity_t fresh = ecs_new(world); // has a table that nobody iterates
        ecs_add_id(world, fresh, ecs_new(world));
        ecs_add(world, fresh, Position);
    }
    assert_int_equal(results, 5);
    assert_int_equal(ecs_query_count(q).entities, 10);
    ecs_query_fini(q);
}

// Whoever asks the query meanwhile puts its results in order again.
static void searches_go_on_where_groups_come_and_go(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    enum { COUNT = 20 };
    const ecs_entity_t rel = ecs_new(world);
    ecs_entity_t e[COUNT];
    for (int i = 0; i < COUNT; i++) {
        e[i] = ecs_new_w_pair(world, rel, ecs_new(world));
        ecs_add(world, e[i], Position);
        ecs_add_pair(
            world, e[i], ecs_lookup(world, "Likes"), ecs_lookup(world, i % 2 ? "Cats" : "Dogs"));
    }
    ecs_query_t *q =
        grouped(scene, (ecs_query_desc_t){ .expr = "Position, Likes($this, $x)", .group_by = rel });
    int found = 0;
    ecs_iter_t it = ecs_query_iter(world, q);
    for (; ecs_query_next(&it); found++) {
        assert_true(it.entities[0] == e[found]);
        if (found) ecs_delete(world, e[found - 1]);
        ecs_entity_t fresh = ecs_new_w_pair(world, rel, ecs_new(world));
        ecs_add_id(world, fresh, ecs_new(world));
        ecs_add(world, fresh, Position);
        ecs_add_pair(world, fresh, ecs_lookup(world, "Likes"), ecs_lookup(world, "Cats"));
        ecs_shrink(world);
        assert_int_equal(ecs_query_count(q).entities, COUNT + 1);
    }
    assert_int_equal(found, COUNT);
    ecs_query_fini(q);
}

static void other_queries_have_no_groups(void **state) {
    scene_t *scene = *state;
    ecs_query_t *q = ecs_query_init(
        scene->world, &(ecs_query_desc_t){ .expr = "Position", .cache_kind = scene->kind });
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    expect_abort(ECS_INVALID_PARAMETER, ecs_iter_set_group(&it, 1));
    expect_abort(ECS_INVALID_PARAMETER, ecs_iter_get_group(&it));
    expect_abort(ECS_INVALID_PARAMETER, ecs_query_get_groups(q));
    expect_abort(ECS_INVALID_PARAMETER, ecs_query_get_group_info(q, 1));
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

// PRF-06: what a group iterator does depends on its group alone.
// Q-GRP-04: what is kept beside tables groups none of them; a callback may
static void targets_beside_tables_are_refused(void **state) {
    scene_t *scene = *state;
    static const ecs_entity_t *traits[] = { &EcsUnion, &EcsDontFragment };
    for (int i = 0; i < 2; i++) {
        ecs_entity_t rel = ecs_new_w_id(scene->world, *traits[i]);
        ecs_query_desc_t desc = { .terms = { { ecs_id(Position) } }, .group_by = rel };
        desc.cache_kind = scene->kind;
        expect_error(
            ECS_UNSUPPORTED, "beside tables", assert_null(ecs_query_init(scene->world, &desc)));
        desc.group_by_callback = by_target;
        ecs_query_fini(grouped(scene, desc));
    }
}

static void a_group_is_found_among_many(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    ecs_entity_t rel = make(world, "Cell", NULL), cells[200];
    for (int i = 0; i < 200; i++) {
        cells[i] = ecs_new(world);
        for (int k = 0; k < 3; k++) {
            ecs_entity_t e = ecs_new(world);
            ecs_add(world, e, Position);
            if (k) ecs_add_id(world, e, ecs_lookup(world, k == 1 ? "Tag" : "Other"));
            ecs_add_pair(world, e, rel, cells[i]);
        }
    }
    ecs_query_t *q = grouped(scene, (ecs_query_desc_t){ .expr = "Position", .group_by = rel });
    for (int i = 0; i < 200; i++) {
        ecs_iter_t it = ecs_query_iter(world, q);
        ecs_iter_set_group(&it, cells[i]);
        int32_t results = 0;
        for (; ecs_query_next(&it); results++) assert_int_equal(ecs_iter_get_group(&it), cells[i]);
        assert_int_equal(results, 3);
    }
    ecs_query_fini(q);
}

// Q-GRP-05: also of what comes from above, and goes, without anybody iterating.
static void groups_know_what_is_above(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    regions_t r = make_regions(world);
    ecs_entity_t base = make(world, "base", "Tag"),
                 instance = make(world, "instance", "(IsA, base)");
    ecs_add_pair(world, instance, r.rel, r.third);
    ecs_query_t *q = grouped(scene, (ecs_query_desc_t){ .expr = "Mass", .group_by = r.rel });
    assert_null(ecs_query_get_group_info(q, r.third));
    ecs_add(world, base, Mass);
    assert_non_null(ecs_query_get_group_info(q, r.third));
    assert_int_equal(ecs_map_count(ecs_query_get_groups(q)), 3);
    ecs_remove(world, base, Mass);
    assert_null(ecs_query_get_group_info(q, r.third));
    assert_int_equal(ecs_map_count(ecs_query_get_groups(q)), 2); /* the base had a table */
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(a_new_table_is_asked_once_for_its_group),
        BOTH(groups_come_in_order_of_their_ids),
        BOTH(groups_come_descending_on_request),
        BOTH(a_callback_names_the_group_of_each_table_once),
        BOTH(a_group_iterator_visits_its_group_only),
        BOTH(a_group_iterator_may_wait_for_its_turn),
        BOTH(groups_and_this_limit_results_together),
        BOTH(two_queries_group_the_same_tables_differently),
        BOTH(groups_begin_with_their_first_table_and_end_with_the_last),
        BOTH(tables_made_for_a_new_group_are_found),
        BOTH(who_is_told_of_groups_may_ask),
        BOTH(who_is_told_of_groups_may_end_queries),
        BOTH(rematching_keeps_groups),
        BOTH(joins_come_by_group),
        BOTH(tables_made_while_iterated_wait_for_the_next_time),
        BOTH(searches_go_on_where_groups_come_and_go),
        BOTH(other_queries_have_no_groups),
        BOTH(targets_beside_tables_are_refused),
        BOTH(a_group_is_found_among_many),
        BOTH(groups_know_what_is_above),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
