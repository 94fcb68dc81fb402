// SPDX-License-Identifier: MIT
// Components, tags and singletons: features.md area CMP.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Game {
    int level;
} Game;
// A value that owns memory: leaks and double frees show in every test that uses it.
typedef struct Text {
    char *value;
} Text;

static ECS_COMPONENT_DECLARE(Text);

ECS_CTOR(Text, ptr, { ptr->value = ecs_os_strdup("new"); })
ECS_DTOR(Text, ptr, { ecs_os_free(ptr->value); })
ECS_COPY(Text, dst, src, { ecs_os_strset(&dst->value, src->value); })
ECS_MOVE(Text, dst, src, {
    ecs_os_free(dst->value);
    dst->value = src->value;
    src->value = NULL;
})

static void register_text(ecs_world_t *world) {
    ecs_id(Text) = 0;
    ECS_COMPONENT_DEFINE(world, Text);
    ecs_set_hooks(world, Text,
        { .ctor = ecs_ctor(Text),
            .dtor = ecs_dtor(Text),
            .copy = ecs_copy(Text),
            .move = ecs_move(Text) });
}

// CMP-01, CMP-07
static void a_component_is_a_named_entity_with_size_and_alignment(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    const EcsComponent *component = ecs_get(world, ecs_id(Position), EcsComponent);
    assert_int_equal(component->size, sizeof(Position));
    assert_int_equal(component->alignment, _Alignof(Position));
    assert_id_equal(world, ecs_lookup(world, "Position"), ecs_id(Position));
    assert_string_equal(ecs_get_symbol(world, ecs_id(Position)), "Position");
    assert_true(ecs_id(Position) < FLECS_HI_COMPONENT_ID);
    for (int i = 0; i < 300; i++) {
        ecs_entity_t c = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
        ecs_entity_t e = ecs_new(world);
        ecs_set_id(world, e, c, 4, &i);
        assert_int_equal(*(const int *)ecs_get_id(world, e, c), i);
    }
}

// CMP-02, CMP-03
static void a_tag_is_a_named_entity_without_data(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Npc);
    assert_id_equal(world, ecs_lookup(world, "Npc"), Npc);
    ecs_entity_t e = ecs_new_w(world, Npc);
    assert_int_equal(ecs_table_column_count(ecs_get_table(world, e)), 0);
    ECS_QUERY(world, q, Npc);
    ecs_iter_t it = ecs_query_iter(world, q);
    assert_true(ecs_query_next(&it));
    assert_null(ecs_field_w_size(&it, 0, 0));
    ecs_iter_fini(&it);
    ecs_query_fini(q);
    expect_abort_saying(ECS_INVALID_PARAMETER, "is a tag", ecs_set_id(world, e, Npc, 4, &e));
}

// GNU C gives it no size, but an alignment.
static void a_struct_without_members_is_a_tag(void **state) {
    ecs_world_t *world = *state;
    __extension__ typedef struct Empty {
    } Empty;
    ECS_COMPONENT(world, Empty);
    assert_null(ecs_get_type_info(world, ecs_id(Empty)));
    assert_true(ecs_has(world, ecs_new_w(world, Empty), Empty));
}

// CMP-04, CMP-05
static void set_adds_and_get_reads(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t e = ecs_new(world), base = ecs_new(world),
                 instance = ecs_new_w_pair(world, EcsIsA, base);
    assert_null(ecs_get(world, e, Position));
    assert_null(ecs_get_mut(world, e, Position));
    ecs_set(world, e, Position, { 10, 20 });
    assert_near(ecs_get(world, e, Position)->y, 20, 0);
    ecs_set(world, base, Position, { 1, 2 });
    assert_ptr_equal(ecs_get(world, instance, Position), ecs_get(world, base, Position));
    assert_null(ecs_get_mut(world, instance, Position)); /* owned only */
    Position *own = ecs_ensure(world, instance, Position);
    assert_near(own->y, 2, 0); /* overridden with the inherited value */
    assert_ptr_not_equal(own, ecs_get(world, base, Position));
    expect_abort(ECS_INVALID_COMPONENT_SIZE, ecs_set_id(world, e, ecs_id(Position), 4, own));
    expect_abort(
        ECS_INVALID_PARAMETER, ecs_set_id(world, e, ecs_id(Position), sizeof(Position), NULL));
}

// CMP-06
static void components_can_be_made_at_run_time(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t target = ecs_new(world);
    ecs_query_t *q = ecs_query(
        world, { .terms = { { ecs_pair(EcsWildcard, target) } }, .cache_kind = EcsQueryCacheAuto });
    ecs_entity_t c =
        ecs_component(world, { .type = { .size = 8, .alignment = 8, .name = "Runtime" } });
    assert_id_equal(world, ecs_lookup(world, "Runtime"), c);
    double value = 0.5;
    ecs_entity_t e = ecs_new(world);
    ecs_set_id(world, e, c, sizeof value, &value);
    ecs_set_id(world, e, ecs_pair(c, target), sizeof value, &value);
    assert_near(*(const double *)ecs_get_id(world, e, c), 0.5, 0);
    assert_int_equal(ecs_query_count(q).entities, 1);
    ecs_query_fini(q);
}

// CMP-08
static void a_singleton_is_held_by_itself(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Game);
    ecs_singleton_set(world, Game, { 3 });
    assert_true(ecs_has_id(world, ecs_id(Game), ecs_id(Game)));
    assert_int_equal(ecs_singleton_get(world, Game)->level, 3);
    ecs_singleton_ensure(world, Game)->level = 4;
    ecs_singleton_modified(world, Game);
    assert_int_equal(ecs_singleton_get_mut(world, Game)->level, 4);
    ecs_singleton_remove(world, Game);
    assert_null(ecs_singleton_get(world, Game));
    ecs_singleton_add(world, Game);
    assert_int_equal(ecs_singleton_get(world, Game)->level, 0);
}

static void a_singleton_by_trait_belongs_to_itself_only(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Game);
    ecs_add_id(world, ecs_id(Game), EcsSingleton);
    ecs_singleton_set(world, Game, { 1 });
    ecs_entity_t e = ecs_new(world);
    expect_abort_saying(ECS_CONSTRAINT_VIOLATED, "singleton", ecs_set(world, e, Game, { 2 }));
}

// CMP-09, CMP-10
static void remove_all_takes_an_id_from_everybody(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Archer);
    ECS_TAG(world, Likes);
    ecs_entity_t e[4];
    for (int i = 0; i < 4; i++) e[i] = ecs_new_w(world, Archer);
    ecs_add_pair(world, e[0], Archer, Likes);
    ecs_add_pair(world, e[1], Likes, Archer);
    ecs_remove_all(world, Archer);
    assert_int_equal(ecs_count(world, Archer), 0);
    ecs_remove_all(world, ecs_pair(Archer, EcsWildcard));
    assert_type(world, e[0], "");
    ecs_remove_all(world, ecs_pair(EcsWildcard, Archer));
    for (int i = 0; i < 4; i++) {
        assert_true(ecs_is_alive(world, e[i]));
        assert_type(world, e[i], "");
    }
}

static int added, set, removed;
static void on_add(ecs_iter_t *it) {
    assert_true(it->event == EcsOnAdd && it->event_id == ecs_field_id(it, 0));
    added += it->count;
}
static void on_set(ecs_iter_t *it) { set += it->count; }
static void on_remove(ecs_iter_t *it) {
    const Position *p = ecs_field(it, Position, 0);
    for (int i = 0; i < it->count; i++) assert_near(p[i].x, 1, 0); /* still readable */
    removed += it->count;
}

// CMP-11
static void hooks_fire_for_every_change(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ECS_TAG(world, Likes);
    ecs_set_hooks(world, Position, { .on_add = on_add, .on_set = on_set, .on_remove = on_remove });
    added = set = removed = 0;
    ecs_entity_t e = ecs_new(world), parent = ecs_new(world);
    ecs_set(world, e, Position, { 1, 1 });
    ecs_set(world, e, Position, { 1, 2 });
    assert_true(added == 1 && set == 2 && removed == 0);
    ecs_remove(world, e, Position);
    assert_true(added == 1 && set == 2 && removed == 1);
    Position values[] = { { 1, 0 }, { 1, 0 }, { 1, 0 } };
    void *data[] = { values };
    ecs_bulk_init(
        world, &(ecs_bulk_desc_t){ .count = 3, .ids = { ecs_id(Position) }, .data = data });
    assert_true(added == 4 && set == 5);
    ecs_add_pair(world, e, EcsChildOf, parent);
    ecs_set(world, e, Position, { 1, 3 });
    ecs_delete(world, parent); /* and its child */
    assert_int_equal(removed, 2);
    ecs_delete_with(world, ecs_id(Position));
    assert_int_equal(removed, 5);
}

static void hooks_may_be_set_while_entities_have_the_component(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t e = ecs_insert(world, ecs_value(Position, { 1, 2 }));
    added = set = removed = 0;
    ecs_set_hooks(world, Position, { .on_set = on_set, .on_remove = on_remove });
    ecs_modified(world, e, Position);
    ecs_remove(world, e, Position);
    assert_true(set == 1 && removed == 1);
    ecs_set(world, e, Position, { 1, 2 });
    expect_abort_saying(ECS_ALREADY_IN_USE, "already have it",
        ecs_set_hooks(world, Position, { .ctor = flecs_default_ctor }));
    /* nor may what builtin components do: without it, a Parent would be no parent */
    expect_abort(ECS_INVALID_OPERATION, ecs_set_hooks(world, EcsParent, { .on_set = on_set }));
    expect_abort(
        ECS_INVALID_OPERATION, ecs_set_hooks(world, EcsParent, { .on_remove = on_remove }));
    ecs_set_hooks(world, EcsParent, { .on_add = on_add });
}

static void no_dtor(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)ptr, (void)count, (void)type;
}

// CMP-11: nor while commands bring values that were made without them.
static void hooks_of_values_that_wait_stay(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_set_stage_count(world, 2);
    for (int how = 0; how < 4; how++) {
        ecs_world_t *stage = ecs_get_stage(world, how & 1);
        ecs_entity_t e = ecs_new(world);
        ecs_readonly_begin(world, false);
        if (how & 2)
            ecs_emplace(stage, e, Position, NULL);
        else
            ecs_set(stage, e, Position, { 1, 2 });
        expect_abort_saying(ECS_ALREADY_IN_USE, "commands that wait",
            ecs_set_hooks(world, Position, { .dtor = no_dtor }));
        ecs_set_hooks(world, Position, { .on_set = on_set });
        ecs_readonly_end(world);
        ecs_delete(world, e);
    }
    ecs_set_hooks(world, Position, { .dtor = no_dtor });
}

static ecs_entity_t heard, number;
static void MakeTwo(ecs_iter_t *it) {
    ecs_add_id(it->world, ecs_new(it->world), heard);
    ecs_set_id(it->world, ecs_new(it->world), number, sizeof(int), &(int){ 1 });
}
static void set_dtor(ecs_iter_t *it) {
    ecs_set_hooks_id(it->world, number, &(ecs_type_hooks_t){ .dtor = no_dtor });
}

// CMP-11: those of jobs wait while what they did is told.
static void hooks_of_values_that_jobs_set_stay(void **state) {
    ecs_world_t *world = *state;
    heard = ecs_new(world);
    number = ecs_component(world, { .type = { sizeof(int), 4 } });
    ecs_observer(
        world, { .query.terms = { { heard } }, .events = { EcsOnAdd }, .callback = set_dtor });
    ecs_system(world, { .callback = MakeTwo, .phase = EcsOnUpdate, .multi_threaded = true });
    expect_abort_saying(ECS_ALREADY_IN_USE, "commands that wait", ecs_progress(world, 1));
    ecs_new_w_id(world, heard);
    assert_true(ecs_get_hooks_id(world, number)->dtor == no_dtor);
}

static int moves;
static void move_text(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    moves += count;
    ecs_move(Text)(dst, src, count, type);
}

// CMP-11: values that do not know where they are go on to another row as bytes, if their type says so.
static void values_that_own_memory_may_move_as_bytes(void **state) {
    ecs_world_t *world = *state;
    register_text(world);
    ecs_set_hooks(world, Text, { .move = move_text, .flags = ECS_TYPE_HOOK_MOVES_AS_BYTES });
    for (int by_bytes = 1; by_bytes >= 0; by_bytes--) {
        ecs_entity_t tag = ecs_new(world), es[3];
        for (int i = 0; i < 3; i++) es[i] = ecs_insert(world, ecs_value(Text, { "text" }));
        moves = 0;
        ecs_add_id(world, es[0], tag); /* and another fills its place */
        ecs_remove_id(world, es[0], tag);
        assert_int_equal(moves == 0, by_bytes);
        for (int i = 0; i < 3; i++) {
            assert_string_equal(ecs_get(world, es[i], Text)->value, "text");
            ecs_delete(world, es[i]);
        }
        ecs_set_hooks(world, Text, { .move = move_text });
    }
}

static void free_one(void *ctx) { *(int *)ctx += 1; }
static void free_two(void *ctx) { *(int *)ctx += 2; }

// api/01 §9: who frees a context is the last one that was given with it.
static void a_context_may_get_another_who_frees_it(void **state) {
    (void)state;
    ecs_world_t *world = ecs_mini();
    ECS_COMPONENT(world, Position);
    int freed = 0;
    ecs_set_hooks(world, Position, { .ctx = &freed, .ctx_free = free_one });
    ecs_set_hooks(world, Position, { .ctx = &freed });
    ecs_set_hooks(world, Position, { .ctx = &freed, .ctx_free = free_two });
    assert_int_equal(freed, 0);
    ecs_fini(world);
    assert_int_equal(freed, 2);
}

static void values_that_own_memory_survive_all_moves(void **state) {
    ecs_world_t *world = *state;
    register_text(world);
    ECS_TAG(world, Npc);
    ecs_entity_t e = ecs_new_w(world, Text), copy;
    assert_string_equal(ecs_get(world, e, Text)->value, "new");
    char text[] = "hello";
    ecs_set(world, e, Text, { text });
    ecs_add(world, e, Npc);
    for (int i = 0; i < 100; i++) ecs_new_w(world, Text); /* the columns grow */
    assert_string_equal(ecs_get(world, e, Text)->value, "hello");
    copy = ecs_clone(world, 0, e, true);
    ecs_delete(world, e);
    assert_string_equal(ecs_get(world, copy, Text)->value, "hello");
    ecs_set_pair(world, copy, Text, Npc, { text });
    ecs_remove(world, copy, Text);
    assert_string_equal(ecs_get_pair(world, copy, Text, Npc)->value, "hello");
    bool is_new;
    Text *raw = ecs_emplace(world, copy, Text, &is_new);
    assert_true(is_new && raw->value == NULL); /* not constructed */
    raw->value = ecs_os_strdup("emplaced");
    assert_ptr_equal(ecs_emplace(world, copy, Text, &is_new), raw);
    assert_false(is_new);
    ecs_defer_begin(world);
    ecs_set(world, copy, Text, { text });
    ecs_ensure(world, ecs_new(world), Text);
    ecs_delete(world, copy);
    ecs_defer_end(world);
}

static bool positive(ecs_world_t *world, ecs_entity_t entity, void *ptr) {
    (void)world;
    (void)entity;
    return ((Position *)ptr)->x > 0;
}
static float replaced[2];
static void on_replace(ecs_iter_t *it) {
    replaced[0] = ecs_field(it, Position, 0)->x;
    replaced[1] = ecs_field(it, Position, 1)->x;
}

static void validation_and_replacement_are_seen(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_set_hooks(
        world, Position, { .on_set = on_set, .on_validate = positive, .on_replace = on_replace });
    set = 0;
    ecs_entity_t e = ecs_new(world);
    ecs_set(world, e, Position, { -1, 0 });
    assert_int_equal(set, 0);
    assert_near(ecs_get(world, e, Position)->x, -1, 0); /* stays assigned */
    ecs_set(world, e, Position, { 2, 0 });
    assert_int_equal(set, 1);
    assert_true(replaced[0] == -1 && replaced[1] == 2);
    expect_abort(ECS_INVALID_OPERATION, (void)ecs_get_mut(world, e, Position));
    expect_abort(ECS_INVALID_OPERATION, (void)ecs_ensure(world, e, Position));
}

static void how_values_are_stored_cannot_change_while_there_are_some(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t kinds[] = { EcsTrait, EcsSparse, EcsDontFragment }; /* Trait: in tables */
    for (int i = 0; i < 3; i++) {
        ecs_entity_t e = ecs_new(world), c = ecs_component(world, { .type = { 8, 8 } });
        ecs_entity_t tag = ecs_new(world), rel = ecs_new(world);
        ecs_add_id(world, c, kinds[i]);
        ecs_add_id(world, tag, kinds[i]);
        ecs_add_id(world, rel, kinds[i]);
        ecs_type_hooks_t hooks = { .ctor = flecs_default_ctor };
        const ecs_id_t held[] = { c, ecs_pair(rel, c), tag };
        for (int k = 0; k < 3; k++) {
            ecs_entity_t owner = k < 2 ? c : tag;
            ecs_add_id(world, e, held[k]);
            if (k < 2) expect_abort(ECS_ALREADY_IN_USE, ecs_set_hooks_id(world, c, &hooks));
            expect_abort(ECS_ALREADY_IN_USE, ecs_set(world, owner, EcsComponent, { 16, 4 }));
            ecs_remove_id(world, e, held[k]);
        }
        ecs_set(world, c, EcsComponent, { 16, 4 });
        ecs_set(world, tag, EcsComponent, { 4, 4 });
        ecs_set_hooks_id(world, c, &hooks);
        ecs_add_id(world, e, ecs_pair(rel, c));
        assert_non_null(ecs_get_id(world, e, ecs_pair(rel, c)));
    }
}

static void components_can_be_made_while_one_thread_reads(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), e = ecs_new_w_id(world, tag);
    ecs_readonly_begin(world, false);
    ECS_COMPONENT(world, Position);
    ecs_entity_t made = ecs_component(world, { .type = { .size = 8, .alignment = 4 } });
    assert_int_equal(ecs_get_type_info(world, ecs_id(Position))->size, sizeof(Position));
    assert_string_equal(ecs_get_type_info(world, ecs_id(Position))->name, "Position");
    assert_non_null(ecs_get_type_info(world, made));
    ecs_set(ecs_get_stage(world, 0), e, Position, { 1, 2 });
    ecs_readonly_end(world);
    assert_string_equal(ecs_get_name(world, ecs_id(Position)), "Position");
    assert_near(ecs_get(world, e, Position)->y, 2, 0);
    ecs_readonly_begin(world, true);
    expect_abort(ECS_INVALID_WHILE_READONLY,
        ecs_component(world, { .type = { .size = 8, .alignment = 4 } }));
    ecs_readonly_end(world);
    expect_abort_saying(ECS_INVALID_PARAMETER, "it is a tag", ecs_get_id(world, e, tag));
    expect_abort_saying(ECS_INVALID_PARAMETER, "it is a tag", ecs_get_mut_id(world, e, tag));
    ecs_entity_t other = ecs_new(world);
    expect_abort_saying(ECS_INVALID_PARAMETER, "it is a tag", ecs_get_id(world, other, tag));
    expect_abort_saying(ECS_INVALID_PARAMETER, "it is a tag", ecs_get_mut_id(world, other, tag));
    assert_null(ecs_get_id(world, other, ecs_pair(tag, e))); /* PDT-08 */
    assert_null(ecs_get(world, other, EcsTimer));            /* this world has no timers, */
    assert_null(ecs_get_id(world, other, 4000));             /* and nothing of this id */
}

static void registering_twice_needs_the_same_type(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    assert_id_equal(world,
        ecs_component(world, { .entity = ecs_id(Position), .type = { .size = 8, .alignment = 4 } }),
        ecs_id(Position));
    expect_abort(ECS_INVALID_COMPONENT_SIZE,
        ecs_component(
            world, { .entity = ecs_id(Position), .type = { .size = 4, .alignment = 4 } }));
    ecs_entity_t tag = ecs_component(world, { .type.name = "Tag" });
    assert_id_equal(world, ecs_component(world, { .entity = tag }), tag);
    expect_abort_saying(ECS_INVALID_COMPONENT_SIZE, "with 0 bytes, not 4",
        ecs_component(world, { .entity = tag, .type = { .size = 4, .alignment = 4 } }));
    expect_abort(ECS_INVALID_COMPONENT_ALIGNMENT,
        ecs_component(world, { .type = { .size = 12, .alignment = 3 } }));
    expect_abort(ECS_INVALID_COMPONENT_ALIGNMENT,
        ecs_component(
            world, { .entity = ecs_id(Position), .type = { .size = 8, .alignment = 8 } }));
}

static void go_on(void) {}

// CMP-06: what is refused leaves the description as it was, also where checks go on.
static void descriptions_that_fit_nothing_are_refused(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t e = ecs_new_w(world, Position);
    ecs_os_api_abort_t before = ecs_os_api.abort_;
    ecs_os_api.abort_ = go_on;
    expect_error(ECS_INVALID_COMPONENT_SIZE, "size", ecs_set(world, e, EcsComponent, { -4, 4 }));
    expect_error(ECS_INVALID_COMPONENT_SIZE, "size", ecs_set(world, e, EcsComponent, { 8, 0 }));
    expect_error(
        ECS_INVALID_COMPONENT_ALIGNMENT, "powers", ecs_set(world, e, EcsComponent, { 8, 3 }));
    expect_error(ECS_ALREADY_IN_USE, "already have it",
        ecs_set(world, ecs_id(Position), EcsComponent, { 16, 4 }));
    const ecs_entity_t tag = ecs_new(world);
    ecs_add_id(world, e, tag);
    expect_error(ECS_ALREADY_IN_USE, "already have it",
        assert_int_equal(ecs_component(world, { .entity = tag, .type = { 8, 8 } }), 0));
    expect_error(
        ECS_ALREADY_IN_USE, "already have it", ecs_set(world, tag, EcsComponent, { 8, 8 }));
    ecs_defer_begin(world);
    ecs_set(world, tag, EcsComponent, { 8, 8 });
    expect_error(ECS_ALREADY_IN_USE, "already have it", ecs_defer_end(world));
    ecs_os_api.abort_ = before;
    const EcsComponent *given = ecs_get(world, e, EcsComponent); /* unless it was checked before */
    assert_true((!given || !given->size) && !ecs_get_type_info(world, e));
    assert_int_equal(ecs_get(world, tag, EcsComponent)->size, 0); /* by the command */
    assert_null(ecs_get_type_info(world, tag));
    assert_int_equal(ecs_get(world, ecs_id(Position), EcsComponent)->size, sizeof(Position));
}

// CMP-06: what entities have stays a component, whatever would end that; values of it are found under its pairs, too.
static void components_in_use_stay_components(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t rel = ecs_new(world);
    ecs_entity_t e = ecs_new_w_id(world, rel);
    ecs_os_api_abort_t before = ecs_os_api.abort_;
    ecs_os_api.abort_ = go_on;
    for (int way = 0; way < 8; way++) {
        const ecs_id_t id = way & 4 ? ecs_pair(rel, ecs_id(Position)) : ecs_id(Position);
        ecs_set_id(world, e, id, sizeof(Position), &(Position){ 1, 2 });
        if (way & 1) ecs_defer_begin(world);
        if (way & 2)
            ecs_clear(world, ecs_id(Position));
        else
            ecs_remove(world, ecs_id(Position), EcsComponent);
        if (way & 1) expect_error(ECS_ALREADY_IN_USE, "already have it", ecs_defer_end(world));
        assert_int_equal(
            ecs_get(world, ecs_id(Position), EcsComponent)->size, (int)sizeof(Position));
        assert_near(((const Position *)ecs_get_id(world, e, id))->y, 2, 0);
        ecs_remove_id(world, e, id);
    }
    ecs_os_api.abort_ = before;
    ecs_remove(world, ecs_id(Position), EcsComponent);
    assert_null(ecs_get_type_info(world, ecs_id(Position)));
}

// CMP-06, CMP-02: whoever goes through a table without rows would find other columns, or those who come to it later none.
static void tables_in_use_keep_their_columns(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t tag = ecs_new(world), ids[] = { tag, ecs_id(Position), ecs_pair(tag, tag) };
    for (int i = 0; i < 3; i++) {
        ecs_entity_t e = ecs_new_w_id(world, ids[i]), component = ids[i] == ids[1] ? ids[1] : tag;
        ecs_table_t *table = ecs_get_table(world, e);
        ecs_delete(world, e);
        ecs_table_lock(world, table);
        expect_abort_saying(
            ECS_ALREADY_IN_USE, "is in use", ecs_set(world, component, EcsComponent, { 16, 4 }));
        if (i == 1)
            expect_abort_saying(
                ECS_ALREADY_IN_USE, "is in use", ecs_remove(world, component, EcsComponent));
        ecs_table_unlock(world, table);
    }
    ecs_set(world, tag, EcsComponent, { 16, 4 });
    ecs_remove(world, ecs_id(Position), EcsComponent);
    ecs_entity_t e = ecs_new_w_id(world, tag);
    ecs_add(world, e, Position);
    assert_int_equal(ecs_table_column_count(ecs_get_table(world, e)), 1);
}

static void set_both(ecs_world_t *world, ecs_entity_t e, ecs_entity_t position, int how) {
    if (how & 1) ecs_add_id(world, e, position); /* it comes with others */
    if (how & 2) ecs_add_pair(world, e, ecs_id(Text), position);
    ecs_set_id(world, e, position, sizeof(Position), &(Position){ 1, 2 });
    ecs_set(world, e, Text, { "text" });
    ecs_set_pair(world, e, Text, position, { "of a pair" });
}

// A command that sets a value says nothing once there are no such values: in a system it would be refused.
static void a_value_that_waits_is_dropped_with_its_type(void **state) {
    ecs_world_t *world = *state;
    enum { MANY = 100 };
    for (int how = 0; how < 16; how++) {
        ecs_entity_t es[MANY], position = ecs_new(world);
        ecs_component(world, { .entity = position, .type = { sizeof(Position), 4 } });
        register_text(world);
        if (how & 8) ecs_add_id(world, position, EcsSparse);
        if (how & 8) ecs_add_id(world, ecs_id(Text), EcsDontFragment);
        const int count = how & 4 ? MANY : 1;
        for (int i = 0; i < count; i++) es[i] = ecs_new(world);
        ecs_defer_begin(world);
        ecs_set(world, position, EcsComponent, { 512, 4 });
        ecs_remove(world, ecs_id(Text), EcsComponent);
        for (int i = 0; i < count; i++) set_both(world, es[i], position, how);
        ecs_defer_end(world);
        assert_int_equal(ecs_get_type_info(world, position)->size, 512);
        assert_null(ecs_get_type_info(world, ecs_id(Text)));
        for (int i = 0; i < count; i++) {
            assert_true(ecs_has_id(world, es[i], position) == (how & 1));
            assert_false(ecs_has(world, es[i], Text));
            ecs_delete(world, es[i]);
        }
        ecs_delete(world, ecs_id(Text));
    }
}

// TRT-04, TRT-05
static void components_are_final(void **state) {
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Position);
    ecs_entity_t e = ecs_new(world), thing = ecs_new(world);
    expect_abort_saying(
        ECS_CONSTRAINT_VIOLATED, "final", ecs_add_pair(world, e, EcsIsA, ecs_id(Position)));
    assert_type(world, e, "");
    ecs_add_pair(world, e, EcsIsA, thing); /* plain entities are not */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(a_component_is_a_named_entity_with_size_and_alignment),
        mini_world_test(a_tag_is_a_named_entity_without_data),
        mini_world_test(a_struct_without_members_is_a_tag),
        mini_world_test(set_adds_and_get_reads),
        mini_world_test(components_can_be_made_at_run_time),
        mini_world_test(components_can_be_made_while_one_thread_reads),
        mini_world_test(a_singleton_is_held_by_itself),
        mini_world_test(a_singleton_by_trait_belongs_to_itself_only),
        mini_world_test(remove_all_takes_an_id_from_everybody),
        mini_world_test(hooks_fire_for_every_change),
        mini_world_test(hooks_may_be_set_while_entities_have_the_component),
        mini_world_test(hooks_of_values_that_wait_stay),
        world_test(hooks_of_values_that_jobs_set_stay),
        mini_world_test(values_that_own_memory_may_move_as_bytes),
        cmocka_unit_test(a_context_may_get_another_who_frees_it),
        mini_world_test(values_that_own_memory_survive_all_moves),
        mini_world_test(validation_and_replacement_are_seen),
        mini_world_test(how_values_are_stored_cannot_change_while_there_are_some),
        mini_world_test(registering_twice_needs_the_same_type),
        mini_world_test(descriptions_that_fit_nothing_are_refused),
        mini_world_test(components_in_use_stay_components),
        mini_world_test(tables_in_use_keep_their_columns),
        mini_world_test(a_value_that_waits_is_dropped_with_its_type),
        mini_world_test(components_are_final),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
