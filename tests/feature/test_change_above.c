// SPDX-License-Identifier: MIT
// Random forests that are edited above the tables of cached queries: these show what a query that is
// made anew does, in the same order, and tell of each change (Q-TRV-23, Q-TRV-24, Q-CAS-08, Q-GRP-11,
// Q-SRT-13, Q-CHG-15).
#include "query_scene.h"
#include "random.h"

enum { ENTITIES = 40, KINDS = 12, STEPS = 200, RUNS = 8 };

static int by_x(ecs_entity_t a, const void *value_a, ecs_entity_t b, const void *value_b) {
    (void)a, (void)b;
    const Position *p = value_a, *q = value_b;
    return (p->x > q->x) - (p->x < q->x);
}

static uint64_t by_tag(ecs_world_t *world, ecs_table_t *table, ecs_id_t id, void *ctx) {
    (void)id, (void)ctx;
    return ecs_table_has_id(world, table, ecs_lookup(world, "Tag"));
}

static uint64_t by_depth(ecs_world_t *world, ecs_table_t *table, ecs_id_t id, void *ctx) {
    (void)id, (void)ctx;
    return (uint64_t)ecs_table_get_depth(world, table, EcsChildOf);
}

// Queries only read, so that what they show is no change.
static const ecs_query_desc_t descs[] = {
    { .expr = "[in] Position(up)" },
    { .expr = "Tag, [in] ?Position(up)" },
    { .expr = "[in] Position(self|up), !Velocity(up)" },
    { .expr = "Tag || Position(up), [in] Velocity(self|up)" },
    { .expr = "Likes(up, *)" },
    { .expr = "?Likes(up, *), Tag" },
    { .expr = "[in] Position" },
    { .expr = "[in] Position, [in] Velocity(up)" },
    { .expr = "Likes(self|up IsA, *), !Tag(up)" },
    { .expr = "[in] Position(up Near), [in] ?Velocity(up)" },
    { .expr = "Likes(up Near, *)" },
    { .expr = "[in] Position(cascade)" },
    { .expr = "[in] ?Position(cascade|desc), Tag" },
    { .expr = "[in] Position(up)", .group_by_callback = by_tag },
    { .expr = "Likes(up, *)", .group_by_callback = by_depth },
    { .expr = "[in] Position(up), [in] ?Velocity(up)", .order_by_callback = by_x },
    { .expr = "[in] Position(self|up)", .order_by_callback = by_x, .group_by_callback = by_tag },
};
enum { QUERIES = sizeof(descs) / sizeof(descs[0]) };

// That places change is no change of what is there.
static bool has_order(const ecs_query_desc_t *desc) {
    return desc->order_by_callback || desc->group_by_callback || strstr(desc->expr, "cascade");
}

typedef struct model_t {
    ecs_world_t *world;
    random_t random;
    ecs_entity_t entities[ENTITIES], kinds[KINDS], near, likes;
    ecs_query_t *queries[QUERIES], *detecting[QUERIES];
    char *seen[QUERIES]; /* what a detecting query showed last */
    float next_x;
} model_t;

static int below(model_t *m, int count) { return random_below(&m->random, count); }

// ---- queries ----

static ecs_query_t *begin_query(
    const model_t *m, int i, ecs_query_cache_kind_t kind, ecs_flags32_t flags) {
    ecs_query_desc_t desc = descs[i];
    desc.cache_kind = kind;
    desc.flags = flags;
    desc.instanced = true;
    if (desc.order_by_callback) desc.order_by = ecs_id(Position);
    ecs_query_t *q = ecs_query_init(m->world, &desc);
    assert_non_null(q);
    return q;
}

static char *text_of(const ecs_query_t *q) {
    ecs_iter_t it = ecs_query_iter(q->world, q);
    return results_of(&it);
}

// Values of shared fields are where they are now.
static void assert_values(const ecs_query_t *q) {
    ecs_iter_t it = ecs_query_iter(q->world, q);
    while (ecs_query_next(&it)) {
        for (int8_t f = 0; f < it.field_count; f++) {
            if (!ecs_field_is_set(&it, f) || !ecs_field_size(&it, f)) continue;
            ecs_entity_t source = ecs_field_src(&it, f) ? ecs_field_src(&it, f) : it.entities[0];
            const void *value = ecs_get_id(q->world, source, ecs_field_id(&it, f));
            assert_ptr_equal(ecs_field_w_size(&it, 0, f), value);
        }
    }
}

static void assert_groups(const ecs_query_t *q, const ecs_query_t *fresh) {
    const ecs_map_t *groups = ecs_query_get_groups(fresh);
    assert_int_equal(ecs_map_count(ecs_query_get_groups(q)), ecs_map_count(groups));
    ecs_map_iter_t it = ecs_map_iter(groups);
    while (ecs_map_next(&it)) {
        const ecs_query_group_info_t *group = ecs_query_get_group_info(q, ecs_map_key(&it)),
                                     *same = ecs_query_get_group_info(fresh, ecs_map_key(&it));
        assert_non_null(group);
        assert_int_equal(group->table_count, same->table_count);
    }
}

static void assert_like_new(const model_t *m, int i) {
    ecs_query_t *fresh = begin_query(m, i, EcsQueryCacheNone, 0);
    char *text = text_of(m->queries[i]), *expected = text_of(fresh);
    bool is_equal = !strcmp(text, expected);
    if (!is_equal) print_error("%s\nshows     %s\nexpected  %s\n", descs[i].expr, text, expected);
    assert_true(is_equal);
    if (descs[i].group_by_callback) assert_groups(m->queries[i], fresh);
    ecs_os_free(text);
    ecs_os_free(expected);
    ecs_query_fini(fresh);
    assert_values(m->queries[i]);
}

static void assert_tells(model_t *m, int i) {
    ecs_query_t *q = m->detecting[i];
    if (!q) return;
    bool has_changed = ecs_query_changed(q);
    char *text = text_of(q);
    const char *before = m->seen[i] ? m->seen[i] : "";
    bool is_equal = !strcmp(text, before);
    if (!is_equal && !has_changed)
        print_error("%s did not tell\nbefore %s\nnow    %s\n", descs[i].expr, before, text);
    assert_true(is_equal || has_changed);
    assert_false(ecs_query_changed(q));
    ecs_os_free(m->seen[i]);
    m->seen[i] = text;
}

// ---- edits ----

static ecs_entity_t any(model_t *m) { return m->entities[below(m, ENTITIES)]; }

static void give_position(model_t *m, ecs_entity_t e) {
    ecs_set(m->world, e, Position, { m->next_x++, 0 });
}

// Most have a table of their own.
static ecs_entity_t new_entity(model_t *m) {
    ecs_entity_t e = ecs_new_w_id(m->world, m->kinds[below(m, KINDS)]);
    if (!below(m, 3)) ecs_add_id(m->world, e, ecs_lookup(m->world, "Tag"));
    if (!below(m, 4)) give_position(m, e);
    return e;
}

// Targets come earlier in the list, so that there are no cycles.
static void relate(model_t *m, ecs_entity_t rel) {
    int i = 1 + below(m, ENTITIES - 1);
    if (below(m, 4))
        ecs_add_pair(m->world, m->entities[i], rel, m->entities[below(m, i)]);
    else
        ecs_remove_pair(m->world, m->entities[i], rel, EcsWildcard);
}

static void replace_last(model_t *m) {
    int i = ENTITIES / 2 + below(m, ENTITIES / 2);
    ecs_delete(m->world, m->entities[i]);
    for (i = 0; i < ENTITIES; i++) {
        if (!ecs_is_alive(m->world, m->entities[i])) m->entities[i] = new_entity(m);
    }
}

static void toggle(model_t *m, ecs_entity_t e, ecs_id_t id) {
    if (ecs_owns_id(m->world, e, id))
        ecs_remove_id(m->world, e, id);
    else
        ecs_add_id(m->world, e, id);
}

static void edit(model_t *m) {
    ecs_entity_t e = any(m);
    switch (below(m, 14)) {
    case 0:
    case 1: relate(m, EcsChildOf); break;
    case 2: relate(m, EcsIsA); break;
    case 3: relate(m, m->near); break;
    case 4: replace_last(m); break;
    case 5:
        ecs_delete_empty_tables(
            m->world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
        break;
    case 6: toggle(m, e, ecs_pair(m->likes, m->kinds[below(m, 3)])); break;
    case 7: toggle(m, e, ecs_lookup(m->world, "Tag")); break;
    case 8: toggle(m, e, ecs_id(Velocity)); break;
    case 9: toggle(m, e, m->kinds[below(m, KINDS)]); break;
    default:
        if (ecs_owns_id(m->world, e, ecs_id(Position)))
            ecs_remove(m->world, e, Position);
        else
            give_position(m, e);
        break;
    }
}

// ---- the test ----

static void begin(model_t *m, uint64_t seed) {
    m->world = ecs_mini();
    m->random = random_init(seed);
    ecs_id(Position) = ecs_id(Velocity) = 0;
    ECS_COMPONENT_DEFINE(m->world, Position);
    ECS_COMPONENT_DEFINE(m->world, Velocity);
    make_vocabulary(m->world);
    m->likes = ecs_lookup(m->world, "Likes");
    m->near = make(m->world, "Near", "Traversable");
    for (int i = 0; i < KINDS; i++) m->kinds[i] = ecs_new(m->world);
    for (int i = 0; i < ENTITIES; i++) m->entities[i] = new_entity(m);
    for (int i = 0; i < ENTITIES; i++) relate(m, EcsChildOf);
    for (int i = 0; i < QUERIES; i++) {
        m->queries[i] = begin_query(m, i, EcsQueryCacheAuto, 0);
        if (!has_order(&descs[i]))
            m->detecting[i] = begin_query(m, i, EcsQueryCacheAuto, EcsQueryDetectChanges);
    }
}

static void end(model_t *m) {
    for (int i = 0; i < QUERIES; i++) {
        ecs_query_fini(m->queries[i]);
        ecs_query_fini(m->detecting[i]);
        ecs_os_free(m->seen[i]);
    }
    assert_true(ecs_world_verify(m->world));
    ecs_fini(m->world);
}

// Some queries are not asked for long, so that they have much to catch up on.
static void caches_follow_what_changes_above(void **state) {
    (void)state;
    uint64_t seed = random_seed();
    for (int run = 0; run < RUNS; run++) {
        model_t m = { 0 };
        begin(&m, seed + (uint64_t)run);
        for (int step = 0; step < STEPS; step++) {
            for (int edits = below(&m, 4); edits >= 0; edits--) edit(&m);
            for (int i = 0; i < QUERIES; i++) {
                if (below(&m, 4)) assert_like_new(&m, i);
                if (below(&m, 4)) assert_tells(&m, i);
            }
        }
        assert_true(ecs_world_verify(m.world));
        end(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(caches_follow_what_changes_above) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
