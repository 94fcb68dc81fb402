// SPDX-License-Identifier: MIT
// Code written for the C vocabulary: it recovers from checked errors, meets clear refusals where a feature is missing, and may look
// at id records (features.md rows STO-02 … STO-05, D-19, WLD-02).
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;

static ECS_COMPONENT_DECLARE(Position);

static void register_position(ecs_world_t *world) {
    ecs_id(Position) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
}

#ifdef FLECS_DEBUG
static jmp_buf out;
static int aborts;

static void come_back(void) {
    aborts++;
    longjmp(out, 1);
}

static ecs_os_api_abort_t old_abort;

// Until end_misuse, a failed check comes back to setjmp(out), without a word. The hook may be set at any time, ecs_os_set_api only
// before the first world.
static void begin_misuse(void) {
    old_abort = ecs_os_api.abort_;
    ecs_os_api.abort_ = come_back;
    ecs_log_set_level(-5);
    aborts = 0;
}

static void end_misuse(void) {
    ecs_log_set_level(-1);
    ecs_os_api.abort_ = old_abort;
}

static void a_program_can_go_on_after_a_failed_check(void **state) {
    ecs_world_t *world = *state;
    register_position(world);
    ecs_entity_t e = ecs_new(world);
    begin_misuse();
    if (!setjmp(out)) ecs_add_id(world, e, 0);
    if (!setjmp(out)) ecs_delete(world, 0);
    if (!setjmp(out)) ecs_query(world, { ._canary = 1, .expr = "Position" });
    if (!setjmp(out)) ecs_system(world, { .query.expr = "Position" });
    if (!setjmp(out)) ecs_defer_end(world);
    end_misuse();

    assert_int_equal(aborts, 5);
    assert_false(ecs_is_deferred(world));
    ecs_set(world, e, Position, { 1, 2 });
    assert_true(ecs_progress(world, 1));
    assert_int_equal(ecs_count(world, Position), 1);
    (void)e;
}

// What is refused half-way through an operation, too: nothing stays deferred when the hook jumps away. GRT-11 TRT-04 DEF-04
static void a_refused_change_leaves_nothing_deferred(void **state) {
    ecs_world_t *world = *state;
    register_position(world);
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), last = ecs_new(world),
                 child = ecs_new(world);
    ecs_add_id(world, last, EcsFinal);
    ecs_add_pair(world, b, EcsIsA, a);
    ecs_set(world, b, EcsParent, { a });
    ecs_set(world, child, Position, { 1, 2 });
    begin_misuse();
    if (!setjmp(out)) ecs_add_pair(world, a, EcsIsA, b);
    if (!setjmp(out)) ecs_add_pair(world, a, EcsChildOf, a);
    if (!setjmp(out)) ecs_add_pair(world, a, EcsIsA, last);
    if (!setjmp(out)) ecs_set(world, a, EcsParent, { b });
    if (!setjmp(out)) ecs_set(world, child, EcsParent, { 0 });
    if (!setjmp(out)) ecs_add_id(world, ecs_id(Position), EcsSparse);
    if (!setjmp(out)) ecs_remove_id(world, EcsChildOf, EcsTraversable);
    ecs_table_lock(world, ecs_get_table(world, child));
    if (!setjmp(out)) ecs_add_id(world, child, a);
    if (!setjmp(out)) ecs_delete(world, child);
    ecs_table_unlock(world, ecs_get_table(world, child));
    end_misuse();

    assert_int_equal(aborts, 9);
    assert_false(ecs_is_deferred(world));
    assert_false(ecs_has(world, child, EcsParent));
    ecs_add_id(world, child, a);
    assert_true(ecs_owns_id(world, child, a));
}

static void a_refused_reader_leaves_the_table_to_its_writer(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    ecs_record_t *write = ecs_write_begin(world, e);
    begin_misuse();
    if (!setjmp(out)) ecs_read_begin(world, e);
    end_misuse();

    assert_int_equal(aborts, 1);
    ecs_write_end(write);
    ecs_read_end(ecs_read_begin(world, e));
    ecs_write_end(ecs_write_begin(world, e));
}

// What a flush refuses is undone before the hook that may jump away hears of it, and not tried again. U-07 GRT-07 GRT-12 TRT-04
static void what_a_flush_refuses_is_never_applied(void **state) {
    ecs_world_t *world = *state;
    register_position(world);
    ecs_entity_t last = ecs_new(world), food = ecs_new(world), part = ecs_new(world);
    ecs_add_id(world, last, EcsFinal);
    ecs_add_id(world, food, EcsOneOf);
    ecs_add_id(world, part, EcsAcyclic);
    ecs_entity_t a = ecs_new(world), b = ecs_new_w_pair(world, part, a);
    ecs_id_t refused[] = { ecs_pair(part, b), ecs_pair(food, b), ecs_isa(last), ecs_childof(a) };
    begin_misuse();
    for (int i = 0; i < 4; i++) {
        aborts = 0;
        if (!setjmp(out)) {
            ecs_defer_begin(world);
            ecs_add_id(world, a, refused[i]);
            ecs_defer_end(world);
        }
        assert_int_equal(aborts, 1);
        assert_false(ecs_is_deferred(world));
        assert_false(ecs_has_id(world, a, refused[i]));
        ecs_defer_begin(world);
        ecs_set(world, a, Position, { 1, (float)i });
        ecs_defer_end(world);
        assert_int_equal(aborts, 1);
        assert_int_equal((int)ecs_get(world, a, Position)->y, i);
    }
    end_misuse();
}

typedef struct Share {
    int value;
} Share;

// Queues adds of ids that may not be used to two entities, and comes back.
static void queue_refused(ecs_world_t *world, const ecs_entity_t *entities, ecs_id_t id) {
    if (setjmp(out)) return;
    ecs_defer_begin(world);
    for (int i = 0; i < 2; i++) ecs_add_id(world, entities[i], id);
    ecs_defer_end(world);
}

// Nobody gets the id, neither by this flush nor by the next one, and what exclusive pairs would have replaced stays. U-07 GRT-01 GRT-07
static void what_a_flush_refuses_replaces_nothing(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t storages[] = { EcsTrait, EcsExclusive, EcsUnion, EcsDontFragment,
        EcsSparse };
    begin_misuse();
    for (int i = 0; i < 5; i++) {
        ecs_entity_t food = ecs_new_w_id(world, EcsOneOf), fork = ecs_new(world);
        ecs_add_id(world, food, storages[i]);
        ecs_entity_t apples = ecs_new_w_pair(world, EcsChildOf, food);
        ecs_entity_t e[] = { ecs_new_w_pair(world, food, apples),
            ecs_new_w_pair(world, food, apples) };
        for (int k = 0; k < 2; k++) {
            aborts = 0;
            queue_refused(world, e, ecs_pair(food, fork));
            assert_int_equal(aborts, 1);
            for (int n = 0; n < 2; n++) {
                assert_false(ecs_has_pair(world, e[n], food, fork));
                assert_true(ecs_has_pair(world, e[n], food, apples));
            }
        }
        assert_false(ecs_id_in_use(world, ecs_pair(food, fork)));
        aborts = 0;
        if (!setjmp(out)) ecs_add_pair(world, e[0], food, fork);
        assert_int_equal(aborts, 1);
    }
    end_misuse();
}

// A single command is judged before it is applied, so that values stay, too. U-07 GRT-01
static void what_is_refused_last_keeps_the_value_in_its_place(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Share);
    ecs_add_id(world, ecs_id(Share), EcsExclusive);
    ecs_add_id(world, ecs_id(Share), EcsAcyclic);
    ecs_entity_t a = ecs_new(world), b = ecs_new_w_pair(world, ecs_id(Share), a),
                 c = ecs_new(world);
    ecs_set_pair(world, a, Share, c, { 7 });
    begin_misuse();
    if (!setjmp(out)) {
        ecs_defer_begin(world);
        ecs_add_pair(world, a, ecs_id(Share), b);
        ecs_defer_end(world);
    }
    end_misuse();
    assert_int_equal(aborts, 1);
    assert_int_equal(ecs_get_pair(world, a, Share, c)->value, 7);
}

// Of what makes a cycle together the last one goes, and a parent stays. U-07 GRT-12
static void the_last_command_of_a_cycle_is_refused(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t root = ecs_new(world), e[3];
    for (int i = 0; i < 3; i++) e[i] = ecs_new_w_pair(world, EcsChildOf, root);
    begin_misuse();
    if (!setjmp(out)) {
        ecs_defer_begin(world);
        for (int i = 0; i < 3; i++) ecs_add_pair(world, e[i], EcsChildOf, e[(i + 1) % 3]);
        ecs_set_name(world, root, "root"); /* not the last one in the queue */
        ecs_defer_end(world);
    }
    end_misuse();
    assert_int_equal(aborts, 1);
    for (int i = 0; i < 3; i++)
        assert_id_equal(world, ecs_get_parent(world, e[i]), i < 2 ? e[i + 1] : root);
}

// What a descriptor asks for is judged before anything is made. GRT-07 TRT-04 TCS-08
static void a_refused_descriptor_makes_nothing(void **state) {
    ecs_world_t *world = *state;
    register_position(world);
    ecs_entity_t last = ecs_new(world), food = ecs_new(world), one = ecs_new(world);
    ecs_add_id(world, last, EcsFinal);
    ecs_add_id(world, food, EcsOneOf);
    ecs_add_id(world, one, EcsSingleton);
    ecs_query_t *query = ecs_query(world, { .terms = { { last } } });
    int32_t before = ecs_get_entities(world).alive_count;
    const ecs_entity_desc_t descs[] = {
        { .name = "New", .add = ecs_ids(ecs_isa(last)) },
        { .name = "New", .add = ecs_ids(ecs_pair(food, last)) },
        { .name = "New", .add = ecs_ids(one) },
        { .name = "New", .set = ecs_values({ last, &before }) },
        { .name = "New", .set = ecs_values(ecs_value(EcsParent, { 0 })) },
        { .id = EcsFlecs, .set = ecs_values(ecs_value(EcsParent, { last })) },
        { .name = "New", .parent = EcsWildcard },
        { .name = "New", .parent = EcsAny },
        { .id = food, .name = "New", .parent = food },
    };
    const int count = sizeof descs / sizeof *descs;
    begin_misuse();
    for (volatile int i = 0; i < count; i++) {
        if (!setjmp(out)) ecs_entity_init(world, &descs[i]);
    }
    if (!setjmp(out)) ecs_relationship(world, { .entity = last, .name = "New", .exclusive = true });
    end_misuse();

    assert_int_equal(aborts, count + 1);
    assert_int_equal(ecs_get_entities(world).alive_count, before);
    assert_int_equal(ecs_lookup(world, "New"), 0);
    assert_type(world, last, "Final");
    ecs_query_fini(query);
}

static ecs_entity_t dead;

static void misuse(ecs_iter_t *it) { ecs_add_id(it->world, it->entities[0], dead); }

static void misuse_in_observer(ecs_world_t *world, ecs_entity_t tag) {
    ecs_observer(world, { .query.terms = { { tag } }, .events = { EcsOnAdd }, .callback = misuse });
    ecs_defer_begin(world);
    ecs_add_id(world, ecs_new(world), tag);
    ecs_set(world, ecs_new(world), Position, { 1, 2 });
    ecs_defer_end(world);
}

static void misuse_in_system(ecs_world_t *world, ecs_entity_t tag) {
    ecs_system(world, { .query.terms = { { tag } }, .callback = misuse, .phase = EcsOnUpdate });
    ecs_add_id(world, ecs_new(world), tag);
    ecs_progress(world, 1);
}

static void misuse_in_readonly(ecs_world_t *world, ecs_entity_t tag) {
    ecs_readonly_begin(world, false);
    ecs_set(ecs_get_stage(world, 0), tag, Position, { 1, 2 });
    ecs_add_id(world, tag, tag);
}

// However deep in callbacks a check failed: the world can end when the hook jumped away.
static void a_world_ends_after_a_jump_out_of_callbacks(void **state) {
    (void)state;
    void (*const cases[])(
        ecs_world_t *, ecs_entity_t) = { misuse_in_observer, misuse_in_system, misuse_in_readonly };
    begin_misuse();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ecs_world_t *world = ecs_init();
        register_position(world);
        ecs_entity_t tag = ecs_new(world);
        dead = ecs_new(world);
        ecs_delete(world, dead);
        aborts = 0;
        if (!setjmp(out)) cases[i](world, tag);
        assert_int_equal(aborts, 1);
        assert_int_equal(ecs_fini(world), 0);
    }
    end_misuse();
}
#endif

// STO-02 STO-03 STO-04
static void id_records_tell_where_ids_are(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Npc);
    ECS_TAG(world, Likes);
    ECS_TAG(world, Eats);
    ECS_TAG(world, Apples);
    ECS_TAG(world, Pears);
    ECS_TAG(world, Bananas);
    ecs_entity_t e = ecs_new_w(world, Npc);
    ecs_add_pair(world, e, Likes, Apples);
    ecs_add_pair(world, e, Likes, Pears);
    ecs_add_pair(world, e, Likes, Bananas);
    ecs_add_pair(world, e, Eats, Apples);
    ecs_add_pair(world, e, Eats, Pears);
    ecs_table_t *table = ecs_get_table(world, e);

    static const int16_t expected[][2] = { { 0, 1 }, { 1, 1 }, { 1, 3 }, { 2, 2 }, { 1, 5 },
        { 4, 2 } };
    ecs_id_t ids[] = { Npc, ecs_pair(Likes, Apples), ecs_pair(Likes, EcsWildcard),
        ecs_pair(EcsWildcard, Pears), ecs_pair(EcsWildcard, EcsWildcard),
        ecs_pair(Eats, EcsWildcard) };
    for (int i = 0; i < 6; i++) {
        ecs_component_record_t *cr = flecs_components_get(world, ids[i]);
        assert_non_null(cr);
        assert_id_equal(world, flecs_component_get_id(cr), ids[i]);
        const ecs_table_record_t *in_table = flecs_component_get_table(cr, table);
        assert_ptr_equal(in_table->hdr.table, table);
        assert_int_equal(in_table->index, expected[i][0]);
        assert_int_equal(in_table->count, expected[i][1]);
    }
    assert_null(flecs_components_get(world, ecs_pair(Apples, Likes)));
    assert_null(
        flecs_component_get_table(flecs_components_get(world, Npc), ecs_get_table(world, Npc)));
}

// STO-02 STO-08
static void id_records_list_their_tables(void **state) {
    ecs_world_t *world = *state;
    register_position(world);
    ECS_TAG(world, Npc);
    ecs_entity_t a = ecs_new_w(world, Position), b = ecs_new_w(world, Position);
    ecs_add(world, b, Npc);
    ecs_component_record_t *cr = flecs_components_get(world, ecs_id(Position));
    assert_int_equal(flecs_component_get_type_info(cr)->size, sizeof(Position));

    ecs_table_cache_iter_t it;
    assert_true(flecs_component_iter(cr, &it));
    assert_ptr_equal(flecs_component_next(&it)->hdr.table, ecs_get_table(world, a));
    assert_ptr_equal(flecs_component_next(&it)->hdr.table, ecs_get_table(world, b));
    assert_null(flecs_component_next(&it));

    ecs_delete(world, a); /* the empty table is passed over */
    assert_true(flecs_component_iter(cr, &it));
    assert_ptr_equal(flecs_component_next(&it)->hdr.table, ecs_get_table(world, b));
    assert_null(flecs_component_next(&it));
    assert_false(flecs_component_iter(NULL, &it));
    assert_null(flecs_component_next(&it));
    a = ecs_new(world);
    ecs_add_pair(world, b, Npc, a); /* the only pair stands for its target until somebody asks */
    for (int reads = 1; reads >= 0; reads--) {
        const ecs_id_t all = ecs_pair(EcsWildcard, a);
        if (reads) ecs_readonly_begin(world, false);
        cr = flecs_components_get(world, all);
        if (reads) ecs_readonly_end(world);
        assert_id_equal(world, flecs_component_get_id(cr), reads ? ecs_pair(Npc, a) : all);
        assert_true(flecs_component_iter(cr, &it));
    }
}

static void id_records_count_children_by_component(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t a = ecs_new(world), b = ecs_new(world);
    ecs_entity_t child = ecs_new_w_parent(world, a, NULL), of_b = ecs_new_w_parent(world, b, NULL);
    ecs_table_t *table = ecs_get_table(world, child);
    assert_ptr_equal(ecs_get_table(world, of_b), table);
    ecs_component_record_t *cr = flecs_components_get(world, ecs_childof(a));
    const ecs_parent_record_t *one = flecs_component_get_parent_record(cr, table);
    assert_int_equal(one->count, 1);
    assert_int_equal(one->entity, (uint32_t)child);
    ecs_entity_t other = ecs_new_w_parent(world, a, NULL);
    const ecs_parent_record_t *two = flecs_component_get_parent_record(cr, table);
    assert_int_equal(two->count, 2);
    assert_int_equal(two->entity, 0);
    assert_int_equal(one->count, 1); /* still there */
    assert_null(flecs_component_get_parent_record(cr, ecs_get_table(world, a)));
    ecs_delete(world, child);
    ecs_delete(world, other);
    assert_null(flecs_component_get_parent_record(cr, table));
}

static void tables_tell_their_records(void **state) {
    ecs_world_t *world = *state;
    register_position(world);
    ECS_TAG(world, Npc);
    ecs_entity_t parent = ecs_new_w(world, Npc);
    ecs_table_t *table = ecs_get_table(world, parent);
    assert_int_equal(flecs_table_observed_count(table), 0);
    ecs_new_w_pair(world, EcsChildOf, parent);
    assert_int_equal(flecs_table_observed_count(table), 1);
    assert_true(flecs_table_flags(table) & EcsTableHasTraversable);
    ecs_add(world, parent, Position);
    table = ecs_get_table(world, parent);
    ecs_table_records_t records = flecs_table_records(table);
    assert_ptr_equal(flecs_table_records(table).array, records.array);
    assert_true(records.count >= 2);
    assert_id_equal(world, flecs_component_get_id(records.array[0].hdr.cr), ecs_id(Position));
    assert_id_equal(world, flecs_component_get_id(records.array[1].hdr.cr), Npc);
    assert_int_equal(records.array[0].column, 0);
    assert_int_equal(records.array[1].column, -1);
}

static void ids_of_components_have_numbers_in_all_worlds(void **state) {
    ecs_world_t *world = *state, *other = ecs_mini();
    register_position(world);
    int32_t first = flecs_component_ids_index_get(), second = flecs_component_ids_index_get();
    assert_true(first > 0 && second == first + 1);
    assert_int_equal(flecs_component_ids_get(world, second), 0);
    ecs_entity_t tag = ecs_new(world);
    flecs_component_ids_set(world, first, ecs_id(Position));
    flecs_component_ids_set(world, second, tag);
    assert_int_equal(flecs_component_ids_get(world, first), ecs_id(Position));
    assert_int_equal(flecs_component_ids_get(other, first), 0);
    ecs_delete(world, tag);
    assert_int_equal(flecs_component_ids_get(world, second), tag);
    assert_int_equal(flecs_component_ids_get_alive(world, second), 0);
    ecs_fini(other);
}

static void readonly_mode_can_be_suspended(void **state) {
    ecs_world_t *world = *state;
    register_position(world);
    ecs_entity_t e = ecs_new(world);
    ecs_suspend_readonly_state_t was;
    ecs_readonly_begin(world, false);
    ecs_world_t *stage = ecs_get_stage(world, 0);
    ecs_entity_t tag = ecs_new(world);
    ecs_add_id(stage, e, tag); /* stays queued */
    assert_ptr_equal(flecs_suspend_readonly(stage, &was), world);
    ecs_set(world, e, Position, { 1, 2 });
    assert_near(ecs_get(world, e, Position)->y, 2, 0);
    assert_false(ecs_has_id(world, e, tag));
    flecs_resume_readonly(world, &was);
    assert_true(ecs_world_get_flags(world) & EcsWorldReadonly);
    assert_true(ecs_is_deferred(stage));
    ecs_readonly_end(world);
    assert_true(ecs_has_id(world, e, tag));

    ecs_defer_begin(world);
    flecs_suspend_readonly(world, &was);
    ecs_remove(world, e, Position);
    assert_false(ecs_has(world, e, Position));
    flecs_resume_readonly(world, &was);
    assert_true(ecs_defer_end(world));

    flecs_suspend_readonly(world, &was); /* nothing to suspend */
    flecs_resume_readonly(world, &was);
    assert_false(ecs_is_deferred(world));
}

static void move_meanwhile(ecs_iter_t *it) {
    ecs_suspend_readonly_state_t was;
    ecs_world_t *world = flecs_suspend_readonly(it->world, &was);
    ecs_add_id(world, it->entities[0], *(const ecs_id_t *)it->ctx);
    flecs_resume_readonly(world, &was);
}

// U-04: what is about to lose something does not move.
static void what_is_told_of_stays_while_readonly_mode_is_suspended(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t lost = ecs_new(world), other = ecs_new(world), e[3];
    for (int i = 0; i < 3; i++) e[i] = ecs_new_w_id(world, lost);
    ecs_entity_t observer = ecs_observer(world, { .query.terms = { { lost } },
                                                    .events = { EcsOnRemove },
                                                    .callback = move_meanwhile,
                                                    .ctx = &other });
    expect_abort(ECS_LOCKED_STORAGE, ecs_remove_id(world, e[2], lost));
    for (int i = 0; i < 2; i++) ecs_add_id(world, e[i], other);
    for (int i = 0; i < 2; i++) ecs_remove_id(world, e[i], lost); /* the same way again */
    expect_abort(ECS_LOCKED_STORAGE, ecs_remove_id(world, e[2], lost));
    ecs_delete(world, observer);
}

static void objects_are_values_of_pairs(void **state) {
    ecs_world_t *world = *state;
    register_position(world);
    ecs_entity_t e = ecs_new(world);
    ecs_query_t *q = ecs_query(world, { .entity = e, .expr = "Position" });
    assert_true(flecs_poly_id(EcsQuery) == ecs_pair(ecs_id(EcsPoly), EcsQuery));
    assert_ptr_equal(ecs_get_pair(world, e, EcsPoly, EcsQuery)->poly, q);
    ecs_entity_t hinted = ecs_insert(world, ecs_value(EcsDefaultChildComponent, { e }));
    assert_true(ecs_get(world, hinted, EcsDefaultChildComponent)->component == e);
}

static int heard;
static void hear(ecs_iter_t *it) { heard += it->count; }

static void observers_hear_of_prefabs_if_they_say_so(void **state) {
    ecs_world_t *world = *state;
    register_position(world);
    ecs_observer(world, { .query.terms = { { ecs_id(Position) } },
                            .events = { EcsOnAdd },
                            .callback = hear,
                            .flags_ = EcsObserverMatchPrefab });
    ecs_observer(world,
        { .query.terms = { { ecs_id(Position) } }, .events = { EcsOnAdd }, .callback = hear });
    heard = 0;
    ecs_entity_t prefab = ecs_new_w_id(world, EcsPrefab);
    ecs_add(world, prefab, Position);
    assert_int_equal(heard, 1);
}

static void objects_tell_their_type(void **state) {
    ecs_world_t *world = *state;
    register_position(world);
    ecs_query_t *q = ecs_query(world, { .expr = "Position" });
    assert_true(flecs_poly_is(world, ecs_world_t));
    assert_true(flecs_poly_is(ecs_get_stage(world, 0), ecs_stage_t));
    assert_true(flecs_poly_is(q, ecs_query_t));
    assert_false(flecs_poly_is(q, ecs_world_t));
    ecs_query_fini(q);
}

// WLD-02
static void what_is_missing_is_refused_and_changes_nothing(void **state) {
    ecs_world_t *world = *state;
    register_position(world);
    ecs_entity_t e = ecs_new_w(world, Position);
    ecs_query_t *q = ecs_query(world, { .expr = "Position" });
    expect_abort(ECS_INVALID_OPERATION, ecs_enable_component(world, e, Position, false));
    assert_true(ecs_is_enabled(world, e, Position));
    assert_null(ecs_entity_range_get(world));
    ecs_query_fini(q);
    assert_type(world, e, "Position");
}

static int by_nothing(ecs_entity_t a, const void *x, ecs_entity_t b, const void *y) {
    (void)a, (void)x, (void)b, (void)y;
    return 0;
}

// WLD-02
static void what_queries_cannot_do_has_a_code_of_its_own(void **state) {
    ecs_world_t *world = *state;
    register_position(world);
    ECS_TAG(world, Away);
    ecs_add_id(world, Away, EcsDontFragment);
    ecs_id_t sparse =
        ecs_component_init(world, &(ecs_component_desc_t){ .type = { .size = 4, .alignment = 4 } });
    ecs_add_id(world, sparse, EcsSparse);
    const ecs_query_desc_t descs[] = {
        { .terms = { { sparse } }, .order_by = sparse, .order_by_callback = by_nothing },
        { .terms = { { ecs_id(Position) } },
            .order_by = ecs_id(Position),
            .order_by_callback = by_nothing,
            .flags = EcsQueryDetectChanges },
        { .terms = { { ecs_id(Position) } }, .group_by = Away },
        { .expr = "Position(cascade), Away(cascade)" },
        { .expr = "Position(cascade) || Away" },
    };
    ecs_query_t *q = NULL;
    for (size_t i = 0; i < sizeof descs / sizeof *descs; i++) {
        expect_error(ECS_UNSUPPORTED, "", q = ecs_query_init(world, &descs[i]));
        assert_null(q);
    }
    expect_error(ECS_INVALID_PARAMETER, "callback",
        q = ecs_query(world, { .terms = { { ecs_id(Position) } }, .order_by = ecs_id(Position) }));
    assert_null(q);
}

// D-19
static void the_defaults_can_be_those_of_the_vocabulary(void **state) {
    ecs_world_t *world = *state;
    ecs_set_defaults(world, &(ecs_defaults_t){ .on_instantiate = EcsOverride, .instanced = true });
    register_position(world);
    ECS_TAG(world, Npc);
    ecs_entity_t base = ecs_new_w_id(world, EcsPrefab);
    ecs_add_pair(world, Npc, EcsOnInstantiate, EcsInherit);
    ecs_add(world, base, Npc);
    ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, base);
    assert_true(ecs_has(world, instance, Npc));
    assert_false(ecs_owns(world, instance, Npc));

    ecs_query_t *q = ecs_query(world, { .expr = "Position, Npc" });
    char *text = ecs_query_str(q);
    assert_string_equal(text, "Position($this), Npc($this|self|up IsA)");
    ecs_os_free(text);
    ecs_query_fini(q);

    ecs_set(world, base, Position, { 1, 2 });
    ecs_entity_t copy = ecs_new_w_pair(world, EcsIsA, base);
    assert_true(ecs_owns(world, copy, Position));
    assert_near(ecs_get(world, copy, Position)->y, 2, 0);
}

static void a_component_that_queries_ask_for_is_not_deleted(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Npc);
    ecs_query_t *q = ecs_query(world, { .terms = { { .id = Npc } } });
    expect_abort_saying(ECS_INVALID_OPERATION, "in use by queries", ecs_delete(world, Npc));
    ecs_query_fini(q);
    ecs_delete(world, Npc);
    assert_false(ecs_is_alive(world, Npc));
}

static void tags_have_no_value_to_get(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Npc);
    ecs_entity_t e = ecs_new_w(world, Npc);
    expect_abort(ECS_INVALID_PARAMETER, ecs_get_id(world, e, Npc));
    (void)e;
}

static void a_world_is_named_after_its_program(void **state) {
    (void)state;
    char *args[] = { (char[]){ "/usr/bin/game" }, NULL };
    ecs_world_t *world = ecs_init_w_args(1, args);
    assert_string_equal(ecs_get_name(world, EcsWorld), "game");
    ecs_fini(world);
}

static void ids_that_are_no_entities_are_refused(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    expect_abort(ECS_INVALID_PARAMETER, ecs_set_version(world, ecs_pair(e, EcsWildcard)));
    expect_abort(ECS_INVALID_PARAMETER, ecs_new_w_parent(world, EcsWildcard, NULL));
    expect_abort(ECS_INVALID_PARAMETER, ecs_set(world, e, EcsParent, { EcsAny }));
    assert_int_equal(ecs_get_parent(world, e), 0);
}

static void a_locked_world_makes_no_entities(void **state) {
    ecs_world_t *world = *state;
    ecs_exclusive_access_begin(world, "main");
    ecs_entity_t e = ecs_new(world);
    ecs_exclusive_access_end(world, true);
    assert_true(ecs_is_alive(world, e));
    expect_abort(ECS_ACCESS_VIOLATION, ecs_new(world));
    ecs_exclusive_access_begin(world, "main");
    ecs_exclusive_access_end(world, false);
    ecs_delete(world, e);
}

static void do_nothing(ecs_iter_t *it) { (void)it; }

// api/00 §9: systems and timers are written to, too, and frames write.
static void a_locked_world_stands_still(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t timer = ecs_set_interval(world, 0, 1);
    ecs_entity_t system = ecs_system(world, { .callback = do_nothing });
    ecs_exclusive_access_begin(world, "main");
    ecs_run(world, system, 1, NULL);
    ecs_exclusive_access_end(world, true);
#define LOCKED(call) expect_abort_saying(ECS_ACCESS_VIOLATION, "locked", call)
    LOCKED(ecs_stop_timer(world, timer));
    LOCKED(ecs_start_timer(world, timer));
    LOCKED(ecs_reset_timer(world, timer));
    LOCKED(ecs_randomize_timers(world));
    LOCKED(ecs_set_tick_source(world, system, timer));
    LOCKED(ecs_run(world, system, 1, NULL));
    LOCKED(ecs_run_pipeline(world, 0, 1));
    LOCKED(ecs_progress(world, 1));
    LOCKED(ecs_set_pipeline(world, ecs_get_pipeline(world)));
    LOCKED(ecs_set_time_scale(world, 2));
    LOCKED(ecs_set_threads(world, 2));
    LOCKED(ecs_set_stage_count(world, 2));
    LOCKED(ecs_set_with(world, timer));
    LOCKED(ecs_set_name_prefix(world, "Ecs"));
#undef LOCKED
    ecs_exclusive_access_end(world, false);
    assert_true(ecs_progress(world, 1));
}

static ecs_os_thread_id_t another_thread(void) { return 7; }

// Writing and reading.
static void an_owned_world_is_used_by_one_thread(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), e = ecs_new_w_id(world, tag);
    ecs_query_t *q = ecs_query(world, { .terms = { { tag } } });
    ecs_exclusive_access_begin(world, "main");
    assert_true(ecs_has_id(world, e, tag));
#define REFUSED(call) \
    expect_abort(ECS_ACCESS_VIOLATION, ecs_os_api.thread_self_ = another_thread; call)
    REFUSED(ecs_add_id(world, e, tag));
    REFUSED(ecs_make_alive(world, 5000));
    REFUSED(ecs_defer_begin(world));
    REFUSED(ecs_has_id(world, e, tag));
    REFUSED(ecs_owns_id(world, e, tag));
    REFUSED(ecs_is_alive(world, e));
    REFUSED(ecs_get_table(world, e));
    REFUSED(ecs_get_target(world, e, tag, 0));
    REFUSED(ecs_count_id(world, tag));
    REFUSED(ecs_get_name(world, e));
    REFUSED(ecs_lookup(world, "x"));
    REFUSED(ecs_lookup_symbol(world, "x", false, false));
    REFUSED(ecs_get_ordered_children(world, e));
    REFUSED(ecs_each_id(world, tag));
    REFUSED(ecs_children(world, 0));
    REFUSED(ecs_query_iter(world, q));
    REFUSED(ecs_query(world, { .terms = { { tag } } }));
    REFUSED(ecs_exclusive_access_end(world, false));
#undef REFUSED
    ecs_exclusive_access_end(world, true);
    assert_true(ecs_has_id(world, e, tag)); /* locked: anyone may read */
    expect_abort(ECS_ACCESS_VIOLATION, ecs_query_fini(q));
    ecs_exclusive_access_end(world, false);
    ecs_query_fini(q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
#ifdef FLECS_DEBUG
        world_test(a_program_can_go_on_after_a_failed_check),
        world_test(a_refused_change_leaves_nothing_deferred),
        world_test(a_refused_reader_leaves_the_table_to_its_writer),
        world_test(what_a_flush_refuses_is_never_applied),
        mini_world_test(what_a_flush_refuses_replaces_nothing),
        mini_world_test(what_is_refused_last_keeps_the_value_in_its_place),
        mini_world_test(the_last_command_of_a_cycle_is_refused),
        world_test(a_refused_descriptor_makes_nothing),
        cmocka_unit_test(a_world_ends_after_a_jump_out_of_callbacks),
#endif
        world_test(id_records_tell_where_ids_are),
        world_test(id_records_list_their_tables),
        world_test(id_records_count_children_by_component),
        world_test(tables_tell_their_records),
        world_test(an_owned_world_is_used_by_one_thread),
        world_test(ids_of_components_have_numbers_in_all_worlds),
        world_test(readonly_mode_can_be_suspended),
        world_test(what_is_told_of_stays_while_readonly_mode_is_suspended),
        world_test(objects_are_values_of_pairs),
        world_test(observers_hear_of_prefabs_if_they_say_so),
        world_test(objects_tell_their_type),
        world_test(what_is_missing_is_refused_and_changes_nothing),
        world_test(what_queries_cannot_do_has_a_code_of_its_own),
        world_test(the_defaults_can_be_those_of_the_vocabulary),
        world_test(a_component_that_queries_ask_for_is_not_deleted),
        world_test(tags_have_no_value_to_get),
        cmocka_unit_test(a_world_is_named_after_its_program),
        world_test(ids_that_are_no_entities_are_refused),
        world_test(a_locked_world_makes_no_entities),
        world_test(a_locked_world_stands_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
