// SPDX-License-Identifier: MIT
// Creating and ending queries: features.md area Q-NEW, and terms, Q-TRM.
#include "query_scene.h"

// Q-TRM-01, Q-TRM-02, Q-OR-01
static void terms_are_all_required_and_more_ids_do_no_harm(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position");
    make(scene->world, "e2", "Position, Velocity");
    make(scene->world, "e3", "Position, Velocity, Mass");
    assert_query(scene, "Position, Velocity", "e2: Position, Velocity | e3: Position, Velocity");
    assert_query(scene, "Position", "e1: Position | e2: Position | e3: Position");
}

// Q-NEW-04, Q-NEW-08, Q-NEW-09, Q-TRM-03, Q-TRM-04, Q-TRM-07
static void a_term_may_be_an_id_its_elements_or_names(void **state) {
    scene_t *scene = *state;
    ecs_entity_t likes = ecs_lookup(scene->world, "Likes"),
                 apples = ecs_lookup(scene->world, "Apples");
    make(scene->world, "e1", "Position, (Likes, Apples)");
    const char *expected = "e1: Position, (Likes,Apples)";
    ecs_query_desc_t descs[] = {
        { .terms = { { ecs_id(Position) }, { ecs_pair(likes, apples) } } },
        { .terms = { { .first.id = ecs_id(Position) },
              { .first.id = likes, .second.id = apples } } },
        { .terms = { { .first.name = "Position" },
              { .first.name = "Likes", .second.name = "Apples" } } },
    };
    for (int i = 0; i < 3; i++) {
        ecs_query_t *q = query_of(scene, descs[i]);
        assert_results(q, expected);
        ecs_query_fini(q);
    }
}

// Q-NEW-08: $this in the id of a term is the variable, as it is in its elements
static void an_id_may_refer_to_this(void **state) {
    scene_t *scene = *state;
    ecs_entity_t likes = ecs_lookup(scene->world, "Likes");
    ecs_entity_t e = make(scene->world, "e1", "(Likes, Apples)");
    ecs_add_pair(scene->world, e, likes, e);
    ecs_query_desc_t descs[] = {
        { .terms = { { ecs_pair(likes, EcsThis) } } },
        { .terms = { { .first.id = likes, .second.id = EcsThis } } },
    };
    for (int i = 0; i < 2; i++) {
        ecs_query_t *q = query_of(scene, descs[i]);
        assert_results(q, "e1: (Likes,e1)");
        ecs_query_fini(q);
    }
}

// Q-NEW-01: a query outlives the stage that it was made with
static void queries_outlive_the_stage_that_made_them(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position");
    ecs_world_t *own = ecs_stage_new(scene->world);
    ecs_set_stage_count(scene->world, 2);
    ecs_world_t *stages[] = { own, ecs_get_stage(scene->world, 1) };
    ecs_query_t *queries[2];
    for (int i = 0; i < 2; i++) {
        queries[i] = ecs_query(stages[i], { .expr = "Position" });
        assert_ptr_equal(queries[i]->world, stages[i]);
    }
    ecs_stage_free(own);
    ecs_set_stage_count(scene->world, 1);
    for (int i = 0; i < 2; i++) {
        assert_ptr_equal(queries[i]->world, scene->world);
        assert_int_equal(ecs_query_count(queries[i]).entities, 1);
        assert_true(ecs_query_is_true(queries[i]));
        ecs_query_fini(queries[i]);
    }
}

// Q-NEW-05, Q-NEW-06
static void terms_of_the_array_come_before_those_of_the_text(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position, Velocity, Npc");
    ecs_query_desc_t desc = { .terms = { { ecs_id(Velocity) } }, .expr = "Position" };
    desc.terms[1].id = ecs_lookup(scene->world, "Npc");
    ecs_query_t *q = query_of(scene, desc);
    assert_int_equal(q->field_count, 3);
    assert_results(q, "e1: Velocity, Npc, Position");
    ecs_query_fini(q);
}

// Q-NEW-02, Q-NEW-03
static void there_are_short_forms(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position");
    ecs_query_t *q =
        ecs_query(scene->world, { .terms = { { ecs_id(Position) } }, .cache_kind = scene->kind });
    assert_results(q, "e1: Position");
    ecs_query_fini(q);
    q = ecs_query_new(scene->world, "Position");
    assert_results(q, "e1: Position");
    ecs_query_fini(q);
}

// Q-NEW-10, WLD-04
static void a_query_that_fails_leaves_the_world_as_it_was(void **state) {
    scene_t *scene = *state;
    const ecs_world_info_t *info = ecs_get_world_info(scene->world);
    int64_t tables = info->table_create_total;
    int32_t ids = info->tag_id_count + info->pair_id_count + info->component_id_count;
    ecs_query_t *q = NULL;
    expect_error(ECS_INVALID_PARAMETER, "NotThere",
        q = ecs_query_init(scene->world,
            &(ecs_query_desc_t){ .expr = "Position, NotThere", .cache_kind = scene->kind }));
    assert_null(q);
    assert_int_equal(info->table_create_total, tables);
    assert_int_equal(info->tag_id_count + info->pair_id_count + info->component_id_count, ids);
    assert_query(scene, "Position", "");
}

// Q-NEW-17
static void a_query_without_terms_is_refused(void **state) {
    scene_t *scene = *state;
    ecs_log_set_level(-5);
    assert_null(ecs_query_init(scene->world, &(ecs_query_desc_t){ .cache_kind = scene->kind }));
    assert_null(
        ecs_query_init(scene->world, &(ecs_query_desc_t){ .expr = "", .cache_kind = scene->kind }));
    ecs_log_set_level(-1);
}

static void assert_refused(const scene_t *scene, const char *expr) {
    ecs_query_t *q = ecs_query(scene->world, { .expr = expr, .cache_kind = scene->kind });
    if (q) fail_msg("'%s' should make no query", expr);
}

// Q-NEW-04, Q-NEW-08: the terms of a query can be given to another
static void terms_of_a_query_make_an_equal_query(void **state) {
    scene_t *scene = *state;
    make(scene->world, "b", "Apples");
    make(scene->world, "e", "Position, (Likes, Apples), (Likes, b)");
    static const char *const exprs[] = { "Position, (Likes, $x)",
        "?Position, (Likes, _), $y($this)", "Position, !{ (Likes, $x), Apples($x) }",
        "!(ChildOf, _), Position(self)", "Likes($this, Apples) || Likes($this, b)",
        "(Likes, $x), $x != b", "(Likes, *)", "Position, Velocity()", "Likes(e, $x), $x == \"b\"",
        "and|e, Position(up)" };
    for (size_t i = 0; i < sizeof exprs / sizeof *exprs; i++) {
        ecs_query_t *q = query_expr(scene, exprs[i]);
        ecs_query_desc_t desc = { 0 };
        for (int t = 0; t < q->term_count; t++) desc.terms[t] = q->terms[t];
        ecs_query_t *copy = query_of(scene, desc);
        char *text = ecs_query_str(q), *again = ecs_query_str(copy);
        assert_string_equal(text, again);
        assert_int_equal(ecs_query_count(q).results, ecs_query_count(copy).results);
        ecs_os_free(text);
        ecs_os_free(again);
        ecs_query_fini(q);
        ecs_query_fini(copy);
    }
}

// Q-NEW-17: "0" is how an expression says that there is none
static void no_terms_on_purpose_give_no_results(void **state) {
    scene_t *scene = *state;
    ecs_query_t *q = query_expr(scene, "0");
    assert_int_equal(q->term_count, 0);
    assert_results(q, "");
    char *text = ecs_query_str(q);
    assert_string_equal(text, "0");
    ecs_os_free(text);
    ecs_query_fini(q);
}

// Q-NEW-10: an id that names nothing is like such a name, wherever it stands
static void dead_entities_in_terms_are_refused(void **state) {
    scene_t *scene = *state;
    ecs_entity_t dead = ecs_new(scene->world), tag = ecs_lookup(scene->world, "Tag");
    ecs_delete(scene->world, dead);
    const ecs_term_t terms[] = { { dead }, { ecs_pair(tag, dead) }, { tag, .src.id = dead },
        { .first.id = dead }, { .first.id = tag, .second.id = dead },
        { .first.id = EcsPredEq, .second.id = dead }, { .first.id = dead, .second.id = tag },
        { .first.id = dead | EcsIsEntity, .second.id = tag } };
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        const ecs_query_desc_t desc = { .terms = { terms[i] }, .cache_kind = scene->kind };
        expect_error(
            ECS_INVALID_PARAMETER, "not alive", assert_null(ecs_query_init(scene->world, &desc)));
    }
}

// api/03 3: ids have no generations in pairs, and the first user of an index has none either
static void an_index_that_is_used_again_means_its_user(void **state) {
    scene_t *scene = *state;
    ecs_entity_t first = ecs_new(scene->world), tag = ecs_lookup(scene->world, "Tag");
    ecs_delete(scene->world, first);
    const ecs_entity_t user = ecs_new(scene->world);
    assert_int_equal((uint32_t)user, (uint32_t)first);
    const ecs_term_t terms[] = { { ecs_pair(first, tag) }, { .first.id = first, .second.id = tag },
        { .first.id = first | EcsIsEntity, .second.id = tag },
        { ecs_pair(first, tag), .first.id = first } };
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        ecs_query_t *q =
            query_of(scene, (ecs_query_desc_t){ .terms = { terms[i] }, .cache_kind = scene->kind });
        assert_int_equal(ECS_TERM_REF_ID(&q->terms[0].first), user);
        ecs_query_fini(q);
    }
}

// Q-VAR-15, QL-19: descriptors name variables as text does
static void names_that_no_variable_has_are_refused(void **state) {
    scene_t *scene = *state;
    ecs_entity_t tag = ecs_lookup(scene->world, "Tag");
    static const char *const names[] = { "$x.", "$.x", "$x..y", "$x y", "$this." };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const ecs_query_desc_t desc = { .terms = { { tag, .src.name = names[i] } },
            .cache_kind = scene->kind };
        expect_error(ECS_INVALID_PARAMETER, "no name of a variable",
            assert_null(ecs_query_init(scene->world, &desc)));
    }
}

// GRT-12, Q-RFL-02: what cannot be is refused, unless it is written with constants
static void nothing_is_its_own_target_along_an_acyclic_relationship(void **state) {
    scene_t *scene = *state;
    make(scene->world, "Below", "EcsAcyclic");
    ecs_log_set_level(-5);
    assert_refused(scene, "Below($x, $x)");
    assert_refused(scene, "Below($this, $this)");
    assert_refused(scene, "ChildOf($x, $x)");
    ecs_log_set_level(-1);
    assert_query(scene, "Below(Apples, Apples)", "");
    assert_query(scene, "Below(*, *)", "");
    assert_query(scene, "Likes($x, $x)", "");
}

// GRT-07: the target of a query term is one that can be
static void targets_outside_of_oneof_are_refused(void **state) {
    scene_t *scene = *state;
    ecs_entity_t color = make(scene->world, "Color", "EcsOneOf");
    ecs_entity(scene->world, { .name = "Red", .parent = color });
    make(scene->world, "e", "(Color, Color.Red)");
    ecs_log_set_level(-5);
    assert_refused(scene, "(Color, Apples)");
    ecs_log_set_level(-1);
    assert_query(scene, "(Color, Red)", "e: (Color,Color.Red)");
    assert_query(scene, "(Color, *)", "e: (Color,Color.Red)");
    assert_query(scene, "(Color, $x)", "e: (Color,Color.Red)");
}

// The fifth `*` and those behind it are no part of the cache. Q-CAC-07, Q-WC-02
static void any_number_of_wildcards_can_be_cached(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "(Likes, Apples), (Likes, Pears)");
    make(scene->world, "e2", "(Likes, Pears), (Eats, Pears)");
    ecs_query_desc_t descs[] = {
        { .cache_kind = scene->kind },
        { .cache_kind = scene->kind, .flags = EcsQueryDetectChanges },
        { .cache_kind = scene->kind, .group_by = ecs_lookup(scene->world, "Likes") },
    };
    for (size_t i = 0; i < sizeof(descs) / sizeof(descs[0]); i++) {
        descs[i].expr = "(Likes, *), (Likes, *), (Likes, *), (Likes, *), (Likes, *), (*, Pears)";
        ecs_query_t *q = ecs_query_init(scene->world, &descs[i]);
        assert_int_equal(ecs_query_count(q).results, 2 * 2 * 2 * 2 * 2 + 2);
        ecs_query_fini(q);
    }
}

// Any expression may be cached, and tells how much of it is. Q-CAC-07, Q-NEW-07, D-01
static void what_cannot_be_cached_is_accepted_with_every_kind(void **state) {
    scene_t *scene = *state;
    make(scene->world, "Pears", "Tag");
    make(scene->world, "e1", "Position, (Likes, Pears)");
    const struct {
        const char *expr;
        ecs_query_cache_kind_t kind;
    } cases[] = {
        { "Position, (Likes, *)", EcsQueryCacheAll },
        { "Position, (Likes, $x), Tag($x)", EcsQueryCacheAuto },
        { "Position, $this != Pears", EcsQueryCacheAuto },
        { "Position, Tag(Pears)", EcsQueryCacheAuto },
        { "$this == e1", EcsQueryCacheNone },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        ecs_query_t *q =
            ecs_query(scene->world, { .expr = cases[i].expr, .cache_kind = EcsQueryCacheAll });
        assert_int_equal(q->cache_kind, cases[i].kind);
        assert_int_equal(ecs_query_count(q).entities, 1);
        ecs_query_fini(q);
    }
}

// Q-NEW-11
static void a_query_can_live_in_memory_of_the_caller(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position");
    ecs_query_storage_t storage;
    ecs_query_t *q = query_of(scene, (ecs_query_desc_t){ .expr = "Position", .storage = &storage });
    assert_ptr_equal(q, &storage);
    assert_results(q, "e1: Position");
    ecs_query_fini(q);
}

// Q-NEW-12
static void queries_made_ad_hoc_leave_nothing_behind(void **state) {
    scene_t *scene = *state;
    const ecs_world_info_t *info = ecs_get_world_info(scene->world);
    int32_t ids = info->tag_id_count + info->pair_id_count + info->component_id_count;
    for (int i = 0; i < 100; i++) {
        ecs_query_t *q = query_expr(scene, "(Likes, Pears), (Eats, *), Tag, !Other(Apples)");
        assert_results(q, "");
        ecs_query_fini(q);
    }
    assert_int_equal(info->tag_id_count + info->pair_id_count + info->component_id_count, ids);
}

// Q-NEW-13
static void ids_made_at_run_time_can_be_queried(void **state) {
    scene_t *scene = *state;
    ecs_entity_t tag = ecs_new(scene->world);
    ecs_query_t *q = query_of(scene, (ecs_query_desc_t){ .terms = { { tag } } });
    ecs_entity_t e = ecs_new_w_id(scene->world, tag);
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_true(ecs_query_next(&it));
    assert_true(it.entities[0] == e);
    assert_false(ecs_query_next(&it));
    ecs_query_fini(q);
}

// Q-NEW-15
static void has_is_true_for_what_iterating_returns(void **state) {
    scene_t *scene = *state;
    ecs_entity_t e1 = make(scene->world, "e1", "Position, Velocity"),
                 e2 = make(scene->world, "e2", "Position");
    ecs_entity_t e3 = make(scene->world, "e3", "Position, Velocity");
    ecs_set(scene->world, e3, Velocity, { 3, 4 });
    ecs_query_t *q = query_expr(scene, "Velocity");
    ecs_iter_t it;
    assert_true(ecs_query_has(q, e1, &it));
    ecs_iter_fini(&it);
    assert_false(ecs_query_has(q, e2, &it));
    assert_true(ecs_query_has(q, e3, &it));
    assert_int_equal(it.count, 1);
    assert_int_equal(it.offset, 1);
    assert_true(it.entities[0] == e3);
    assert_float_equal(ecs_field(&it, Velocity, 0)->x, 3, 0);
    ecs_iter_fini(&it);
    ecs_query_fini(q);
}

// Q-NEW-16
static void a_query_can_filter_the_results_of_another(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position");
    make(scene->world, "e2", "Position, Velocity");
    make(scene->world, "e3", "Position, Velocity");
    ecs_query_t *all = query_expr(scene, "Position"), *filter = query_expr(scene, "Velocity");
    ecs_iter_t it = ecs_query_iter(scene->world, all);
    int found = 0;
    while (ecs_query_next(&it)) {
        ecs_iter_t filtered;
        ecs_table_range_t range = { it.table, it.offset, it.count };
        if (!ecs_query_has_range(filter, &range, &filtered)) continue;
        found += filtered.count;
        ecs_iter_fini(&filtered);
        range = (ecs_table_range_t){ it.table, 1, 1 };
        assert_true(ecs_query_has_range(filter, &range, &filtered));
        assert_int_equal(filtered.offset, 1);
        ecs_iter_fini(&filtered);
        range = (ecs_table_range_t){ it.table, 1, 2 };
        assert_false(ecs_query_has_range(filter, &range, &filtered));
    }
    assert_int_equal(found, 2);
    ecs_query_fini(all);
    ecs_query_fini(filter);
}

// api/03 1: there are four kinds
static void other_kinds_of_cache_are_misuse(void **state) {
    scene_t *scene = *state;
    ecs_query_desc_t desc = { .expr = "Position", .cache_kind = (ecs_query_cache_kind_t)99 };
    expect_abort_saying(ECS_INVALID_PARAMETER, "99", ecs_query_init(scene->world, &desc));
}

// api/03 2: only ecs_query_has and ecs_query_has_table need a term about $this
static void a_range_can_be_asked_about_others(void **state) {
    scene_t *scene = *state;
    ecs_entity_t e1 = make(scene->world, "e1", "Position"), e2 = make(scene->world, "e2", NULL);
    ecs_table_range_t range = { ecs_get_table(scene->world, e2), 0, 1 };
    ecs_iter_t it;
    ecs_query_t *q = query_expr(scene, "Position(e1)");
    assert_true(ecs_query_has_range(q, &range, &it));
    assert_true(ecs_field_src(&it, 0) == e1);
    ecs_iter_fini(&it);
    ecs_remove(scene->world, e1, Position);
    assert_false(ecs_query_has_range(q, &range, &it));
    expect_abort(ECS_INVALID_PARAMETER, ecs_query_has_table(q, range.table, &it));
    expect_abort(ECS_INVALID_PARAMETER, ecs_query_has(q, e2, &it));
    ecs_query_fini(q);
}

#ifdef FLECS_DEFAULT_TO_UNCACHED_QUERIES
#define OWNED_IS_CACHED false
#else
#define OWNED_IS_CACHED true
#endif

static void an_entity_can_own_a_query(void **state) {
    scene_t *scene = *state;
    ecs_entity_t owner = make(scene->world, "my_query", NULL);
    make(scene->world, "e1", "Position");
    ecs_query_t *q =
        ecs_query_init(scene->world, &(ecs_query_desc_t){ .expr = "Position", .entity = owner });
    assert_ptr_equal(ecs_query_get(scene->world, owner), q);
    assert_true(q->entity == owner);
    assert_ptr_equal(ecs_query_get_cache_query(q), OWNED_IS_CACHED ? q : NULL);
    ecs_query_t *updated =
        ecs_query_update(scene->world, owner, &(ecs_query_desc_t){ .expr = "Velocity" });
    assert_ptr_equal(ecs_query_get(scene->world, owner), updated);
    assert_results(updated, "");
    expect_abort(
        ECS_INVALID_PARAMETER, ecs_query_update(scene->world, owner,
                                   &(ecs_query_desc_t){ .expr = "Position",
                                       .storage = (ecs_query_storage_t *)(void *)updated }));
    ecs_delete(scene->world, owner);
    assert_null(ecs_query_get(scene->world, owner));
    owner = ecs_new(scene->world);
    q = ecs_query_init(scene->world, &(ecs_query_desc_t){ .expr = "Position", .entity = owner });
    ecs_query_fini(q);
    assert_false(ecs_is_alive(scene->world, owner));
    q = ecs_query_init(
        scene->world, &(ecs_query_desc_t){ .expr = "Position", .entity = ecs_new(scene->world) });
    assert_non_null(q); /* left to ecs_fini */
}

static int freed;
static void count_free(void *ctx) {
    assert_non_null(ctx);
    freed++;
}

static ecs_query_desc_t with_contexts(const char *expr, int *ctx) {
    return (ecs_query_desc_t){ .expr = expr,
        .group_by = EcsChildOf,
        .group_by_ctx = ctx,
        .group_by_ctx_free = count_free,
        .ctx = ctx,
        .ctx_free = count_free,
        .binding_ctx = ctx,
        .binding_ctx_free = count_free };
}

// Contexts are freed with the query, or when an update replaces them: once, and not where there is none.
static void a_context_that_an_update_keeps_is_freed_at_the_end(void **state) {
    scene_t *scene = *state;
    int first, second;
    ecs_query_desc_t desc = with_contexts("Position", &first);
    const ecs_entity_t owner = desc.entity = ecs_new(scene->world);
    freed = 0;
    ecs_query_init(scene->world, &desc);
    for (int is_repeated = 0; is_repeated < 2; is_repeated++) {
        desc = with_contexts("Velocity", &first);
        desc.ctx_free = is_repeated ? NULL : count_free;
        assert_non_null(ecs_query_update(scene->world, owner, &desc));
        assert_int_equal(freed, 0);
    }
    desc = with_contexts("Position", &second);
    ecs_query_update(scene->world, owner, &desc);
    assert_int_equal(freed, 3);
    ecs_delete(scene->world, owner);
    assert_int_equal(freed, 6);
    desc = with_contexts("Position", NULL);
    ecs_query_fini(ecs_query_init(scene->world, &desc));
    assert_int_equal(freed, 6);
}

// Q-TRM-05, Q-TRM-06
static void pairs_can_be_required_several_at_a_time(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "(Likes, Apples), (Eats, Apples)");
    make(scene->world, "e2", "(Likes, Apples), (Likes, Pears)");
    assert_query(scene, "(Likes, Apples), (Eats, Apples)", "e1: (Likes,Apples), (Eats,Apples)");
    assert_query(scene, "(Likes, Apples), (Likes, Pears)", "e2: (Likes,Apples), (Likes,Pears)");
}

static void entities_that_should_not_be_seen_are_left_out(void **state) {
    scene_t *scene = *state;
    make(scene->world, "e1", "Position");
    ecs_entity_t e2 = make(scene->world, "e2", "Position"),
                 e3 = make(scene->world, "e3", "Position");
    ecs_add_id(scene->world, e2, EcsPrefab);
    ecs_add_id(scene->world, e3, EcsDisabled);
    assert_query(scene, "Position", "e1: Position");
    assert_query(scene, "Position, Prefab", "e2: Position, Prefab");
    assert_query(scene, "Position, ?Disabled", "e1: Position, -Disabled | e3: Position, Disabled");
    ecs_query_t *q = query_of(scene, (ecs_query_desc_t){ .expr = "Position",
                                         .flags = EcsQueryMatchPrefab | EcsQueryMatchDisabled });
    assert_results(q, "e1: Position | e2: Position | e3: Position");
    ecs_query_fini(q);
}

// What a made query tells of its terms (api/03, flags).
static void flags_tell_how_terms_are_answered(void **state) {
    scene_t *scene = *state;
    ecs_world_t *world = scene->world;
    make(world, "In", "Transitive");
    make(world, "Same", "Reflexive");
    make(world, "Base", "Inheritable");
    make(world, "Switch", "CanToggle");
    const ecs_flags32_t plain = EcsTermIsTrivial | EcsTermIsCacheable;
    const ecs_flags32_t asked = plain | EcsTermTransitive | EcsTermReflexive | EcsTermIdInherited;
    const struct {
        const char *expr;
        ecs_flags32_t first;
    } rows[] = { { "Tag", plain }, { "(Likes, Apples)", plain },
        { "(Likes, *)", EcsTermIsCacheable }, { "!Tag", EcsTermIsCacheable },
        { "Tag || Npc", EcsTermIsCacheable }, { "Switch", EcsTermIsCacheable },
        { "(Likes, $x)", 0 }, { "Tag(Apples)", 0 }, { "Tag($x)", 0 }, { "$this == Apples", 0 },
        { "(In, Apples)", EcsTermTransitive }, { "(In, $x)", EcsTermTransitive },
        { "(In, Apples|self)", plain }, { "(Same, Apples)", EcsTermReflexive },
        { "(IsA, Apples)", EcsTermTransitive | EcsTermReflexive },
        { "Base", plain | EcsTermIdInherited }, { "Base|self", plain } };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        ecs_query_t *q = query_expr(scene, rows[i].expr);
        // trivial terms are self: ids that are passed on to instances are also looked for above
        ecs_flags32_t got = q->terms[0].flags_ & asked, want = rows[i].first & asked;
        if ((got | EcsTermIsTrivial) != (want | EcsTermIsTrivial))
            fail_msg("'%s' has flags %x, not %x", rows[i].expr, got, want);
        assert_int_equal(!!(q->flags & EcsQueryIsCacheable), !!(want & EcsTermIsCacheable));
        assert_int_equal(!!(q->flags & EcsQueryHasTableThisVar), ecs_term_match_this(&q->terms[0]));
        assert_string_equal(q->vars[0], "this");
        ecs_query_fini(q);
    }
    ecs_query_t *q = query_expr(scene, "Tag(self), Npc(self)");
    assert_true(q->flags & EcsQueryIsTrivial && q->terms[0].flags_ & EcsTermIsTrivial);
    ecs_query_fini(q);
    q = query_expr(scene, "Tag(self), Tag(Apples)");
    assert_false(q->flags & (EcsQueryIsTrivial | EcsQueryIsCacheable));
    assert_true(q->flags & EcsQueryHasCacheable);
    ecs_query_fini(q);
}

static void a_plan_can_be_printed(void **state) {
    scene_t *scene = *state;
    ecs_query_t *q = query_expr(scene, "Position, ?Velocity, !Tag, Npc || Other, Mass(Apples)");
    char *plan = ecs_query_plans(q);
    assert_non_null(strstr(plan, "scan"));
    assert_non_null(strstr(plan, "Apples"));
    assert_non_null(strstr(plan, "either"));
    ecs_os_free(plan);
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BOTH(terms_are_all_required_and_more_ids_do_no_harm),
        BOTH(a_term_may_be_an_id_its_elements_or_names),
        BOTH(an_id_may_refer_to_this),
        BOTH(terms_of_the_array_come_before_those_of_the_text),
        BOTH(queries_outlive_the_stage_that_made_them),
        BOTH(there_are_short_forms),
        BOTH(a_query_that_fails_leaves_the_world_as_it_was),
        BOTH(a_query_without_terms_is_refused),
        BOTH(terms_of_a_query_make_an_equal_query),
        BOTH(no_terms_on_purpose_give_no_results),
        BOTH(nothing_is_its_own_target_along_an_acyclic_relationship),
        BOTH(targets_outside_of_oneof_are_refused),
        BOTH(dead_entities_in_terms_are_refused),
        BOTH(an_index_that_is_used_again_means_its_user),
        BOTH(names_that_no_variable_has_are_refused),
        BOTH(any_number_of_wildcards_can_be_cached),
        BOTH(what_cannot_be_cached_is_accepted_with_every_kind),
        BOTH(a_query_can_live_in_memory_of_the_caller),
        BOTH(queries_made_ad_hoc_leave_nothing_behind),
        BOTH(ids_made_at_run_time_can_be_queried),
        BOTH(has_is_true_for_what_iterating_returns),
        BOTH(a_query_can_filter_the_results_of_another),
        BOTH(other_kinds_of_cache_are_misuse),
        BOTH(a_range_can_be_asked_about_others),
        BOTH(an_entity_can_own_a_query),
        BOTH(a_context_that_an_update_keeps_is_freed_at_the_end),
        BOTH(pairs_can_be_required_several_at_a_time),
        BOTH(entities_that_should_not_be_seen_are_left_out),
        BOTH(flags_tell_how_terms_are_answered),
        BOTH(a_plan_can_be_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
