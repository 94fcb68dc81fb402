// SPDX-License-Identifier: MIT
// Relationships by descriptor, and walking along edges: features.md areas TCS and RIX.
#include "support/follows.h"

#include "support/abort.h"

// TCS-01, TCS-02, TCS-03, TCS-04, TCS-10
static void relationships_without_data_store_targets(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Follows) = 0;
    ECS_COMPONENT_DEFINE(world, Follows);
    ecs_entity_t likes = ecs_relationship(world, { .name = "Likes" });
    ecs_entity_t targets = ecs_relationship(world, { .name = "Targets", .exclusive = true });
    assert_id_equal(world, ecs_lookup(world, "Likes"), likes);
    ecs_entity_t e = ecs_new(world), a = ecs_new(world), b = ecs_new(world);
    ecs_add_pair(world, e, likes, a);
    ecs_add_pair(world, e, likes, b);
    ecs_add_pair(world, e, likes, ecs_id(Follows));
    assert_null(ecs_get_id(world, ecs_id(Follows), ecs_pair(likes, ecs_id(Follows))));
    ecs_add_pair(world, e, targets, a);
    ecs_add_pair(world, e, targets, b);
    assert_true(ecs_has_pair(world, e, targets, b) && !ecs_has_pair(world, e, targets, a));
    ecs_remove_pair(world, e, likes, a);
    assert_true(ecs_has_pair(world, e, likes, b));
    ecs_remove_pair(world, e, likes, EcsWildcard);
    assert_false(ecs_has_pair(world, e, likes, EcsWildcard));
}

// TCS-03, TCS-05, TCS-06, TCS-07, TCS-09, TCS-11
static void edges_begin_with_their_defaults(void **state) {
    ecs_world_t *world = *state;
    follows_use(world, (ecs_relationship_desc_t){ 0 });
    ecs_entity_t e = ecs_new(world), leader = ecs_new(world), other = ecs_new(world);
    ecs_add_pair(world, e, ecs_id(Follows), leader);
    const Follows *edge = ecs_get_pair(world, e, Follows, leader);
    assert_near(edge->delay, 0.5, 0);
    assert_near(edge->max_distance, 100, 0);
    assert_string_equal(edge->note, "default");
    ecs_ensure_pair(world, e, Follows, other)->delay = 0.2;
    edge = ecs_get_pair(world, e, Follows, other);
    assert_near(edge->delay, 0.2, 0);
    assert_near(edge->max_distance, 100, 0);
    ecs_remove_pair(world, e, ecs_id(Follows), other);
    ecs_defer_begin(world);
    ecs_ensure_pair(world, e, Follows, other)->delay = 0.2;
    ecs_defer_end(world);
    edge = ecs_get_pair(world, e, Follows, other);
    assert_near(edge->delay, 0.2, 0);
    assert_near(edge->max_distance, 100, 0);
    char note[] = "own";
    ecs_set_pair(world, e, Follows, other, { 0.2, 50, note });
    assert_near(ecs_get_pair(world, e, Follows, other)->max_distance, 50, 0);
    assert_string_equal(ecs_get_pair(world, e, Follows, leader)->note, "default");
    assert_int_equal(follows_asked, 3);
    assert_int_equal(follows_notes, 3); /* two edges and the default */
    ecs_entity_t born = ecs_new_w_pair(world, ecs_id(Follows), leader);
    assert_string_equal(ecs_get_pair(world, born, Follows, leader)->note, "default");
    const ecs_entity_t *many = ecs_bulk_new_w_id(world, ecs_pair_t(Follows, leader), 5);
    for (int i = 0; i < 5; i++)
        assert_near(ecs_get_pair(world, many[i], Follows, leader)->delay, 0.5, 0);
    assert_int_equal(follows_notes, 9);
    ecs_delete(world, leader);
    assert_int_equal(follows_notes, 2);
    ecs_delete(world, e);
    assert_int_equal(follows_notes, 1);
    ecs_delete(world, ecs_id(Follows));
    assert_int_equal(follows_notes, 0);
}

// TCS-05, TCS-07: also where values are in sets.
static void edges_of_sparse_components_begin_with_their_defaults(void **state) {
    ecs_world_t *world = *state;
    follows_use(world, (ecs_relationship_desc_t){ 0 });
    ecs_add_id(world, ecs_id(Follows), EcsSparse);
    ecs_entity_t e = ecs_new(world), leader = ecs_new(world);
    ecs_add_pair(world, e, ecs_id(Follows), leader);
    assert_string_equal(ecs_get_pair(world, e, Follows, leader)->note, "default");
    ecs_entity_t born = ecs_new_w_pair(world, ecs_id(Follows), leader);
    assert_near(ecs_get_pair(world, born, Follows, leader)->max_distance, 100, 0);
    assert_int_equal(follows_notes, 3);
    ecs_delete(world, leader);
    assert_int_equal(follows_notes, 1);
}

// TCS-05, ISA-02: an own edge of an instance begins as that of its base, as other values do.
static void edges_of_instances_begin_as_those_of_their_base(void **state) {
    ecs_world_t *world = *state;
    for (int sparse = 0; sparse < 2; sparse++) {
        ecs_entity_t type = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
        ecs_entity_t rel = ecs_relationship(world, { .name = sparse ? "Near" : "Far",
                                                       .type = type,
                                                       .defaults = &(int32_t){ 1 },
                                                       .sparse = sparse });
        ecs_entity_t base = ecs_new(world), target = ecs_new(world);
        ecs_id_t edge = ecs_pair(rel, target);
        ecs_set_id(world, base, edge, 4, &(int32_t){ 2 });
        ecs_entity_t added = ecs_new_w_pair(world, EcsIsA, base);
        ecs_add_id(world, added, edge);
        assert_int_equal(*(const int32_t *)ecs_get_id(world, added, edge), 2);
        ecs_entity_t ensured = ecs_new_w_pair(world, EcsIsA, base);
        ecs_defer_begin(world);
        ecs_ensure_id(world, ensured, edge, 4);
        ecs_defer_end(world);
        assert_int_equal(*(const int32_t *)ecs_get_id(world, ensured, edge), 2);
        ecs_add_id(world, base, ECS_AUTO_OVERRIDE | edge);
        ecs_entity_t made = ecs_new_w_pair(world, EcsIsA, base);
        assert_true(ecs_owns_id(world, made, edge));
        assert_int_equal(*(const int32_t *)ecs_get_id(world, made, edge), 2);
    }
}

// TCS-07
static void a_refused_edge_is_not_added(void **state) {
    ecs_world_t *world = *state;
    follows_use(world, (ecs_relationship_desc_t){ 0 });
    ecs_entity_t e = ecs_new(world), tag = ecs_new(world);
    ecs_table_t *before = ecs_get_table(world, e);
    char note[] = "x";
    expect_error(
        ECS_CONSTRAINT_VIOLATED, "refused", ecs_add_pair(world, e, ecs_id(Follows), follows_never));
    expect_error(ECS_CONSTRAINT_VIOLATED, "refused",
        ecs_set_pair(world, e, Follows, follows_never, { 1, 2, note }));
    assert_ptr_equal(ecs_get_table(world, e), before);
    expect_error(ECS_CONSTRAINT_VIOLATED, "refused", ecs_defer_begin(world);
                 ecs_set_pair(world, e, Follows, follows_never, { 1, 2, note });
                 ecs_add_id(world, e, tag); ecs_defer_end(world));
    assert_true(ecs_has_id(world, e, tag) && !ecs_has_pair(world, e, ecs_id(Follows), EcsWildcard));
    expect_error(ECS_CONSTRAINT_VIOLATED, "refused", ecs_defer_begin(world);
                 ecs_set_pair(world, e, Follows, follows_never, { 1, 2, note });
                 ecs_defer_end(world));
    ecs_entity_t born = 0;
    expect_error(ECS_CONSTRAINT_VIOLATED, "refused",
        born = ecs_new_w_pair(world, ecs_id(Follows), follows_never));
    assert_type(world, born, "");
    assert_int_equal(follows_notes, 1);
}

static bool accept_all(
    ecs_world_t *world, ecs_entity_t source, ecs_entity_t target, void *edge, void *ctx) {
    (void)world, (void)source, (void)ctx;
    ((Follows *)edge)->delay = 7;
    return target != follows_never;
}

// TCS-05, TCS-07: without defaults an edge begins as its type constructs it.
static void edges_without_defaults_are_constructed(void **state) {
    ecs_world_t *world = *state;
    follows_use(world, (ecs_relationship_desc_t){ 0 });
    ecs_relationship_init(
        world, &(ecs_relationship_desc_t){
                   .entity = ecs_id(Follows), .type = ecs_id(Follows), .init = accept_all });
    ecs_entity_t e = ecs_new(world), leader = ecs_new(world);
    ecs_add_pair(world, e, ecs_id(Follows), leader);
    const Follows *edge = ecs_get_pair(world, e, Follows, leader);
    assert_string_equal(edge->note, "");
    assert_near(edge->delay, 7, 0);
    assert_int_equal(follows_notes, 1);
}

// TCS-03: in checked builds, too, so that they have the same order of tables as others.
static void a_refused_edge_beside_tables_makes_no_table(void **state) {
    ecs_world_t *world = *state;
    follows_use(world, (ecs_relationship_desc_t){ .sparse = true, .reverse_index = true });
    ecs_entity_t e = ecs_new(world), leader = ecs_new(world);
    const int32_t tables = ecs_get_world_info(world)->table_count;
    follows_never = leader;
    int level = ecs_log_set_level(-4);
    ecs_add_pair(world, e, ecs_id(Follows), leader);
    ecs_log_set_level(level);
    assert_false(ecs_has_pair(world, e, ecs_id(Follows), leader));
    assert_int_equal(ecs_get_world_info(world)->table_count, tables);
}

// TCS-03: the edge that a refused one would have replaced stays.
static void a_refused_exclusive_edge_replaces_nothing(void **state) {
    ecs_world_t *world = *state;
    follows_use(world, (ecs_relationship_desc_t){ .exclusive = true });
    ecs_entity_t e = ecs_new(world), leader = ecs_new(world);
    ecs_add_pair(world, e, ecs_id(Follows), leader);
    expect_error(
        ECS_CONSTRAINT_VIOLATED, "refused", ecs_add_pair(world, e, ecs_id(Follows), follows_never));
    assert_id_equal(world, ecs_get_target(world, e, ecs_id(Follows), 0), leader);
}

// Steps of a batch: a target, with a value or without, to be added or removed.
typedef struct step_t {
    char what; /* + adds, = sets, - removes */
    int target;
} step_t;

static void take_step(
    ecs_world_t *world, ecs_entity_t e, step_t step, const ecs_entity_t *targets) {
    char note[] = "set";
    if (step.what == '+')
        ecs_add_pair(world, e, ecs_id(Follows), targets[step.target]);
    else if (step.what == '=')
        ecs_set_pair(world, e, Follows, targets[step.target], { 99, 9, note });
    else
        ecs_remove_pair(world, e, ecs_id(Follows), targets[step.target]);
}

// TCS-07, DEF-07: commands of one entity do what the same calls one by one do; the last target of each is refused.
static void a_refused_exclusive_edge_undoes_no_other_command(void **state) {
    ecs_world_t *world = *state;
    static const struct {
        bool begins; /* with the first target */
        step_t steps[3];
        int target; /* in the end, -1: none */
        double delay;
    } cases[] = {
        { false, { { '+', 0 }, { '+', 2 } }, 0, 0.5 },
        { false, { { '=', 0 }, { '=', 2 } }, 0, 99 },
        { true, { { '+', 1 }, { '+', 2 } }, 1, 0.5 },
        { true, { { '=', 1 }, { '+', 2 } }, 1, 99 },
        { true, { { '-', 0 }, { '+', 2 } }, -1, 0 },
        { true, { { '+', 2 }, { '+', 1 } }, 1, 0.5 },
        { true, { { '=', 1 }, { '=', 2 }, { '-', 1 } }, -1, 0 },
    };
    follows_use(world, (ecs_relationship_desc_t){ .exclusive = true });
    ecs_entity_t targets[] = { ecs_new(world), ecs_new(world), follows_never },
                 tag = ecs_new(world);
    for (int i = 0; i < 4 * (int)(sizeof cases / sizeof cases[0]); i++) {
        ecs_entity_t e = i & 2 ? 0 : ecs_new(world);
        if (cases[i / 4].begins && e) ecs_add_pair(world, e, ecs_id(Follows), targets[0]);
        if (i & 1) ecs_defer_begin(world);
        if (!e) e = ecs_new(world);
        ecs_add_id(world, e, tag);
        if (cases[i / 4].begins && i & 2) ecs_add_pair(world, e, ecs_id(Follows), targets[0]);
        expect_error(ECS_CONSTRAINT_VIOLATED, "refused",
                     for (int s = 0; s < 3 && cases[i / 4].steps[s].what; s++)
                         take_step(world, e, cases[i / 4].steps[s], targets);
                     if (i & 1) ecs_defer_end(world));
        ecs_entity_t target = ecs_get_target(world, e, ecs_id(Follows), 0);
        assert_id_equal(world, target, cases[i / 4].target < 0 ? 0 : targets[cases[i / 4].target]);
        if (target)
            assert_near(ecs_get_pair(world, e, Follows, target)->delay, cases[i / 4].delay, 0);
        ecs_delete(world, e);
    }
    assert_int_equal(follows_notes, 1);
}

// TCS-07: nor what else a new entity is made with.
static void a_refused_edge_undoes_nothing_of_a_descriptor(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), leader = ecs_new(world);
    for (int i = 0; i < 8; i++) {
        follows_use(world, (ecs_relationship_desc_t){ .exclusive = i & 1, .sparse = i & 2 });
        ecs_id_t edge = ecs_pair_t(Follows, leader), never = ecs_pair_t(Follows, follows_never);
        const char *name = i & 4 ? "named" : NULL;
        char note[] = "set";
        Follows value = { 7, 8, note };
        ecs_entity_t e = 0;
        expect_error(ECS_CONSTRAINT_VIOLATED, "refused",
            e = ecs_entity(world, { .name = name, .add = ecs_ids(edge, never, tag) }));
        assert_true(ecs_has_id(world, e, edge) && !ecs_has_id(world, e, never));
        assert_true(ecs_has_id(world, e, tag));
        ecs_delete(world, e);
        expect_error(ECS_CONSTRAINT_VIOLATED, "refused",
            e = ecs_entity(
                world, { .name = name,
                           .set = (ecs_value_t[]){ { edge, &value }, { never, &value }, { 0 } } }));
        assert_true(ecs_has_id(world, e, edge) && !ecs_has_id(world, e, never));
        assert_near(ecs_get_pair(world, e, Follows, leader)->delay, 7, 0);
        ecs_delete(world, e);
        e = ecs_entity(world, { .name = name, .add = ecs_ids(edge, ecs_pair_t(Follows, tag)) });
        assert_true(ecs_has_pair(world, e, ecs_id(Follows), tag));
        assert_int_equal(ecs_has_id(world, e, edge), !(i & 1));
        ecs_delete(world, e);
        assert_int_equal(follows_notes, 1);
        assert_int_equal(follows_asked, 6);
        ecs_delete(world, ecs_id(Follows));
    }
}

// What is emplaced is constructed by the caller, not by the relationship.
static void an_emplaced_edge_is_not_written_by_its_defaults(void **state) {
    ecs_world_t *world = *state;
    follows_use(world, (ecs_relationship_desc_t){ 0 });
    ecs_entity_t e = ecs_new(world), leader = ecs_new(world);
    for (int deferred = 0; deferred < 2; deferred++) {
        if (deferred) ecs_defer_begin(world);
        ecs_ctor(Follows)(ecs_emplace_pair(world, e, Follows, leader, NULL), 1,
            ecs_get_type_info(world, ecs_id(Follows)));
        if (deferred) ecs_defer_end(world);
        assert_string_equal(ecs_get_pair(world, e, Follows, leader)->note, "");
        assert_int_equal(follows_notes, 2); /* of the edge and of the defaults */
        ecs_remove_pair(world, e, ecs_id(Follows), leader);
    }
}

// TCS-05
static void edges_made_in_bulk_take_their_values(void **state) {
    ecs_world_t *world = *state;
    follows_use(world, (ecs_relationship_desc_t){ 0 });
    ecs_entity_t leader = ecs_new(world);
    Follows values[2];
    for (int i = 0; i < 2; i++) {
        ecs_ctor(Follows)(&values[i], 1, NULL);
        values[i].delay = i;
    }
    ecs_entity_t made[2];
    memcpy(made,
        ecs_bulk_init(world,
            &(ecs_bulk_desc_t){
                .count = 2, .ids = { ecs_pair_t(Follows, leader) }, .data = (void *[]){ values } }),
        sizeof made);
    for (int i = 0; i < 2; i++)
        assert_near(ecs_get_pair(world, made[i], Follows, leader)->delay, i, 0);
    ecs_dtor(Follows)(values, 1, NULL);
    ecs_dtor(Follows)(values + 1, 1, NULL);
}

// TCS-08, RIX-13
static void wrong_descriptors_are_refused(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Follows) = 0;
    ECS_COMPONENT_DEFINE(world, Follows);
    Follows defaults = { 0 };
    ecs_entity_t used = ecs_entity(world, { .name = "Used" }), unnamed = ecs_new(world);
    ecs_add_pair(world, ecs_new(world), used, ecs_new(world));
    const struct {
        ecs_relationship_desc_t desc;
        const char *text;
    } rows[] = {
        { { .exclusive = true }, "needs a name" },
        { { .entity = unnamed }, "needs a name" },
        { { .name = "R", ._canary = 1 }, "zero" },
        { { .name = "R", .entity = 99999 }, "not alive" },
        { { .name = "R", .type = unnamed }, "no component" },
        { { .name = "R", .defaults = &defaults }, "need a data type" },
        { { .name = "R", .init = follows_init }, "needs a data type" },
        { { .name = "R", .cascade_delete = true, .exclusive = true }, "cascade_delete" },
        { { .name = "R", .cascade_delete = true, .reverse_index = true }, "cascade_delete" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_error(ECS_INVALID_PARAMETER, rows[i].text,
            assert_int_equal(ecs_relationship_init(world, &rows[i].desc), 0));
    }
    assert_int_equal(ecs_lookup(world, "R"), 0);
    expect_error(ECS_ALREADY_IN_USE, "in use",
        assert_int_equal(ecs_relationship(world, { .entity = used }), 0));
    ecs_entity_t small = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
    ecs_set_name(world, small, "Small");
    expect_error(ECS_INVALID_PARAMETER, "another size",
        assert_int_equal(ecs_relationship(world, { .entity = small, .type = ecs_id(Follows) }), 0));
    assert_false(ecs_has_id(world, small, EcsRelationship));
}

// TCS-01: also an entity that has no name yet.
static void a_described_entity_gets_the_name(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t likes = ecs_new(world), taken = ecs_new(world);
    assert_id_equal(world, ecs_relationship(world, { .entity = likes, .name = "Likes" }), likes);
    assert_int_equal(ecs_lookup(world, "Likes"), likes);
    ecs_relationship(world, { .entity = likes, .name = "Hates" });
    assert_string_equal(ecs_get_name(world, likes), "Likes");
    expect_error(ECS_INCONSISTENT_NAME, "Likes",
        assert_int_equal(ecs_relationship(world, { .entity = taken, .name = "Likes" }), 0));
    assert_false(ecs_has_id(world, taken, EcsRelationship));
}

static int contexts_freed;
static void count_free(void *ctx) {
    assert_non_null(ctx);
    contexts_freed++;
}

static bool accept_any(
    ecs_world_t *world, ecs_entity_t source, ecs_entity_t target, void *edge, void *ctx) {
    (void)world, (void)source, (void)target, (void)edge;
    return ctx != NULL;
}

// TCS-07: its context is that of the relationship, which may have no use for it.
typedef struct Weight {
    float value;
} Weight;

// Nothing is left of one that could not be made, nor a hook for edges without values.
static void a_relationship_that_is_refused_is_none(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Weight);
    const ecs_entity_t given = ecs_new(world);
    ecs_table_t *const root = ecs_get_table(world, given);
    const Weight one = { 1 };
    ecs_table_lock(world, root);
    for (int with_types = 0; with_types < 2; with_types++) {
        expect_refused(ECS_LOCKED_STORAGE, "being iterated",
            assert_int_equal(
                ecs_relationship(world,
                    { .entity = given, .name = "Near", .type = ecs_id(Weight), .defaults = &one }),
                0));
        expect_refused(ECS_LOCKED_STORAGE, "being iterated",
            assert_int_equal(
                ecs_relationship(world, { .name = "Far", .type = ecs_id(Weight) }), 0));
    }
    ecs_table_unlock(world, root);
    assert_int_equal(ecs_lookup(world, "Far"), 0);
    assert_int_equal(ecs_get_type(world, given)->count, 0);
}

// What it was described as before goes.
static void a_described_component_gets_edges_of_another_type(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t a =
        ecs_struct(world, { .members = { { .name = "x", .type = ecs_id(ecs_string_t) } } });
    const ecs_entity_t b = ecs_primitive(world, { .kind = EcsString });
    ecs_set_name(world, a, "A");
    assert_id_equal(world, ecs_relationship(world, { .entity = a, .type = b }), a);
    char *text = ecs_meta_serializer_to_str(world, a);
    assert_null(strstr(text, "PushStruct"));
    ecs_os_free(text);
}

static void a_context_is_freed_with_its_relationship(void **state) {
    ecs_world_t *world = *state;
    int first, second;
    for (int has_init = 0; has_init < 2; has_init++) {
        ecs_relationship_desc_t desc = { .name = "R", .ctx = &first, .ctx_free = count_free };
        if (has_init) desc.type = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
        if (has_init) desc.init = accept_any;
        contexts_freed = 0;
        ecs_entity_t rel = ecs_relationship_init(world, &desc);
        ecs_relationship_init(world, &desc);
        assert_int_equal(contexts_freed, 0);
        desc.ctx = &second;
        assert_id_equal(world, ecs_relationship_init(world, &desc), rel);
        assert_int_equal(contexts_freed, 1);
        ecs_add_pair(world, ecs_new(world), rel, ecs_new(world));
        ecs_delete(world, rel);
        assert_int_equal(contexts_freed, 2);
        desc.ctx = NULL;
        ecs_delete(world, ecs_relationship_init(world, &desc));
        assert_int_equal(contexts_freed, 2);
        desc.ctx = &first;
        ecs_delete(world, ecs_relationship_init(world, &desc)); /* never used */
        assert_int_equal(contexts_freed, 3);
    }
}

// TCS-01, ISA-01: what the library makes of its relationships holds.
static void builtin_relationships_stay_as_they_are(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t builtin[] = { EcsIsA, EcsChildOf, EcsDependsOn };
    for (int i = 0; i < 3; i++) {
        expect_error(ECS_ALREADY_IN_USE, "is builtin",
            assert_int_equal(ecs_relationship(world, { .entity = builtin[i], .sparse = true }), 0));
        expect_abort_saying(
            ECS_INVALID_OPERATION, "is builtin", ecs_add_id(world, builtin[i], EcsSparse));
        expect_abort_saying(
            ECS_INVALID_OPERATION, "is builtin", ecs_add_id(world, builtin[i], EcsDontFragment));
    }
    expect_error(ECS_ALREADY_IN_USE, "is builtin",
        assert_int_equal(ecs_relationship(world, { .name = "flecs.core.IsA" }), 0));
    ecs_entity_t a = ecs_new(world), base = ecs_new_w_id(world, a);
    assert_true(ecs_has_id(world, ecs_new_w_pair(world, EcsIsA, base), a));
}

// RIX-10, RIX-11, RIX-12, RIX-14, TCS-13
static void sources_are_deleted_with_their_target(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t in = ecs_relationship(
        world, { .name = "In", .exclusive = true, .reverse_index = true, .cascade_delete = true });
    ecs_entity_t a = ecs_new(world), b = ecs_new_w_pair(world, in, a),
                 c = ecs_new_w_pair(world, in, b);
    ecs_entity_t freed = ecs_new_w_pair(world, in, a), moved = ecs_new_w_pair(world, in, a);
    ecs_entity_t other = ecs_new(world);
    ecs_remove_pair(world, freed, in, a);
    ecs_add_pair(world, moved, in, other);
    ecs_delete(world, a);
    assert_false(ecs_is_alive(world, b) || ecs_is_alive(world, c));
    assert_true(ecs_is_alive(world, freed) && ecs_is_alive(world, moved));
}

typedef struct seen_t {
    ecs_entity_t ids[16];
    int32_t depths[16];
    int32_t count, stop;
} seen_t;

static void see_source(ecs_world_t *world, ecs_entity_t source, void *ctx) {
    (void)world;
    seen_t *seen = ctx;
    seen->ids[seen->count++] = source;
}
static void see_edge(ecs_world_t *world, ecs_entity_t target, void *edge, void *ctx) {
    if (edge) assert_near(((Follows *)edge)->delay, 0.5, 0);
    see_source(world, target, ctx);
}
static bool see_ancestor(ecs_world_t *world, ecs_entity_t ancestor, int32_t depth, void *ctx) {
    seen_t *seen = ctx;
    seen->depths[seen->count] = depth;
    see_source(world, ancestor, ctx);
    return seen->count != seen->stop;
}

// RIX-01, RIX-02, RIX-09
static void sources_and_edges_are_visited(void **state) {
    ecs_world_t *world = *state;
    follows_use(world, (ecs_relationship_desc_t){ 0 });
    ecs_entity_t t = ecs_new(world), a = ecs_new(world), b = ecs_new(world);
    seen_t seen = { 0 };
    assert_int_equal(ecs_each_source(world, t, EcsChildOf, see_source, &seen), 0);
    ecs_add_pair(world, a, EcsChildOf, t);
    ecs_add_pair(world, b, EcsChildOf, t);
    ecs_add_id(world, b, EcsDisabled);
    assert_int_equal(ecs_each_source(world, t, EcsChildOf, see_source, &seen), 2);
    assert_true(seen.ids[0] == a && seen.ids[1] == b);
    ecs_add_pair(world, a, EcsChildOf, b);
    ecs_delete(world, b);
    assert_int_equal(ecs_each_source(world, t, EcsChildOf, see_source, &seen), 0);
    ecs_entity_t e = ecs_new(world), u = ecs_new(world);
    ecs_add_pair(world, e, ecs_id(Follows), u);
    ecs_add_pair(world, e, ecs_id(Follows), t);
    seen.count = 0;
    assert_int_equal(ecs_each_edge(world, e, ecs_id(Follows), see_edge, &seen), 2);
    assert_true(seen.ids[0] + seen.ids[1] == t + u);
    seen.count = 0;
    ecs_entity_t child = ecs_new_w_parent(world, t, NULL);
    assert_int_equal(ecs_each_edge(world, child, EcsChildOf, see_edge, &seen), 1);
    assert_id_equal(world, seen.ids[0], t);
    assert_int_equal(ecs_each_edge(world, e, EcsChildOf, see_edge, &seen), 0);
    assert_int_equal(ecs_each_edge(world, e, t, see_edge, &seen), 0);
    expect_error(ECS_INVALID_PARAMETER, "not alive",
        assert_int_equal(ecs_each_source(world, b, EcsChildOf, see_source, &seen), -1));
    expect_error(ECS_INVALID_PARAMETER, "not alive",
        assert_int_equal(ecs_each_edge(world, b, EcsChildOf, see_edge, &seen), -1));
    const ecs_entity_t wrong[][2] = { { 0, t }, { e, 0 }, { e, b } };
    for (int i = 0; i < 3; i++) {
        expect_error(ECS_INVALID_PARAMETER, "not alive",
            ecs_each_edge(world, wrong[i][0], wrong[i][1], see_edge, &seen));
    }
}

// RIX-03 … RIX-07, U-01, U-02
static void trees_are_walked_both_ways(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t root = ecs_new(world), a = ecs_new_w_pair(world, EcsChildOf, root);
    ecs_entity_t aa = ecs_new_w_pair(world, EcsChildOf, a),
                 b = ecs_new_w_pair(world, EcsChildOf, root);
    const ecs_entity_t order[] = { root, a, aa, b };
    const int32_t depths[] = { 0, 1, 2, 1 };
    ecs_traverse_t walk = ecs_traverse(world, root, EcsChildOf);
    for (int i = 0; i < 4; i++) {
        assert_true(ecs_traverse_next(&walk));
        assert_id_equal(world, walk.entity, order[i]);
        assert_int_equal(walk.depth, depths[i]);
    }
    assert_false(ecs_traverse_next(&walk));
    walk = ecs_traverse(world, root, EcsChildOf);
    assert_true(ecs_traverse_next(&walk) && ecs_traverse_next(&walk));
    ecs_traverse_fini(&walk);
    seen_t seen = { .stop = -1 };
    assert_int_equal(ecs_walk_up(world, aa, EcsChildOf, see_ancestor, &seen, 0), 2);
    assert_true(
        seen.ids[0] == a && seen.depths[0] == 1 && seen.ids[1] == root && seen.depths[1] == 2);
    seen = (seen_t){ .stop = 1 };
    assert_int_equal(ecs_walk_up(world, aa, EcsChildOf, see_ancestor, &seen, 0), 1);
    seen = (seen_t){ .stop = -1 };
    expect_error(ECS_CYCLE_DETECTED, "levels",
        assert_int_equal(ecs_walk_up(world, aa, EcsChildOf, see_ancestor, &seen, 1), -1));
    ecs_entity_t near_to = ecs_new(world), x = ecs_new(world),
                 y = ecs_new_w_pair(world, near_to, x);
    ecs_add_pair(world, x, near_to, y);
    walk = ecs_traverse(world, x, near_to);
    expect_error(ECS_CYCLE_DETECTED, "cycle", while (ecs_traverse_next(&walk)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(edges_of_instances_begin_as_those_of_their_base),
        mini_world_test(relationships_without_data_store_targets),
        mini_world_test(edges_begin_with_their_defaults),
        mini_world_test(edges_of_sparse_components_begin_with_their_defaults),
        mini_world_test(a_refused_edge_is_not_added),
        mini_world_test(edges_without_defaults_are_constructed),
        mini_world_test(a_refused_edge_beside_tables_makes_no_table),
        mini_world_test(a_refused_exclusive_edge_replaces_nothing),
        mini_world_test(a_refused_exclusive_edge_undoes_no_other_command),
        mini_world_test(a_refused_edge_undoes_nothing_of_a_descriptor),
        mini_world_test(an_emplaced_edge_is_not_written_by_its_defaults),
        mini_world_test(edges_made_in_bulk_take_their_values),
        mini_world_test(a_described_entity_gets_the_name),
        mini_world_test(wrong_descriptors_are_refused),
        mini_world_test(a_relationship_that_is_refused_is_none),
        world_test(a_described_component_gets_edges_of_another_type),
        mini_world_test(a_context_is_freed_with_its_relationship),
        mini_world_test(builtin_relationships_stay_as_they_are),
        mini_world_test(sources_are_deleted_with_their_target),
        mini_world_test(sources_and_edges_are_visited),
        mini_world_test(trees_are_walked_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
