// SPDX-License-Identifier: MIT
// Deferral, readonly mode and stages: features.md area DEF and the table of worked expectations for commands.
#include "support/test.h"

#include <muster.h>

#include "support/abort.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);

// What hooks saw, in order.
static struct {
    ecs_entity_t event;
    float x;
} seen[64];
static int seen_count;

static void log_hook(ecs_iter_t *it) {
    bool is_array = !(it->row_fields & 1);
    const Position *p = is_array ? ecs_field(it, Position, 0) : NULL;
    for (int i = 0; i < it->count && seen_count < 64; i++) {
        seen[seen_count].event = it->event;
        seen[seen_count++].x = is_array ? p[i].x : ecs_field_at(it, Position, 0, i)->x;
    }
}

static int setup(void **state) {
    ecs_world_t *world = ecs_mini();
    ecs_id(Position) = ecs_id(Velocity) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ecs_set_hooks(
        world, Position, { .on_add = log_hook, .on_set = log_hook, .on_remove = log_hook });
    seen_count = 0;
    *state = world;
    return 0;
}

static int teardown(void **state) { return ecs_fini(*state); }

static void assert_seen(int index, ecs_entity_t event, float x) {
    assert_true(index < seen_count);
    assert_true(seen[index].event == event);
    assert_float_equal(seen[index].x, x, 0);
}

// Values written after a queued removal last, though something in between cannot be folded.
static void values_written_after_a_queued_removal_last(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e[4];
    for (int i = 0; i < 4; i++) e[i] = ecs_insert(world, ecs_value(Position, { 1, 1 }));
    bool is_new = true;
    ecs_defer_begin(world);
    for (int i = 0; i < 3; i++) ecs_remove(world, e[i], Position);
    for (int i = 0; i < 3; i++) ecs_enable(world, e[i], false);
    ecs_set(world, e[0], Position, { 5, 0 });
    ecs_ensure(world, e[1], Position)->x = 5;
    ecs_emplace(world, e[2], Position, &is_new)->x = 5;
    ecs_remove_all(world, ecs_id(Position));
    ecs_set(world, e[3], Position, { 5, 0 });
    assert_false(is_new);
    ecs_defer_end(world);
    for (int i = 0; i < 3; i++) assert_false(ecs_has(world, e[i], Position));
    for (int i = 0; i < 3; i++) assert_true(ecs_has_id(world, e[i], EcsDisabled));
    assert_float_equal(ecs_get(world, e[3], Position)->x, 5, 0);

    for (int i = 0; i < 3; i++) ecs_set(world, e[i], Position, { 1, 1 });
    ecs_defer_begin(world);
    for (int i = 0; i < 3; i++) ecs_remove(world, e[i], Position);
    for (int i = 0; i < 3; i++) ecs_enable(world, e[i], true);
    ecs_set(world, e[0], Position, { 5, 0 });
    ecs_ensure(world, e[1], Position)->x = 5;
    ecs_emplace(world, e[2], Position, &is_new)->x = 5;
    ecs_defer_end(world);
    for (int i = 0; i < 3; i++) assert_float_equal(ecs_get(world, e[i], Position)->x, 5, 0);
}

// DEF-02
static void changes_are_invisible_until_the_end(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    assert_true(ecs_defer_begin(world));
    assert_true(ecs_is_deferred(world));
    ecs_add(world, e, Velocity);
    assert_false(ecs_has(world, e, Velocity));
    assert_true(ecs_defer_end(world));
    assert_true(ecs_has(world, e, Velocity));
    assert_false(ecs_is_deferred(world));
}

// DEF-06
static void nested_brackets_flush_once_at_the_outermost_end(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    assert_true(ecs_defer_begin(world));
    assert_false(ecs_defer_begin(world));
    ecs_add(world, e, Velocity);
    assert_false(ecs_defer_end(world));
    assert_false(ecs_has(world, e, Velocity));
    assert_true(ecs_defer_end(world));
    assert_true(ecs_has(world, e, Velocity));
}

// DEF-07: commands of one entity apply in the order given.
static void the_last_set_wins_and_each_set_is_told(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    ecs_defer_begin(world);
    ecs_set(world, e, Position, { 1, 0 });
    ecs_set(world, e, Position, { 2, 0 });
    ecs_defer_end(world);
    assert_float_equal(ecs_get(world, e, Position)->x, 2, 0);
    assert_int_equal(seen_count, 3);
    assert_seen(0, EcsOnAdd, 2);
    assert_seen(1, EcsOnSet, 2);
    assert_seen(2, EcsOnSet, 2);
}

static void a_single_set_runs_like_the_immediate_one(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    ecs_defer_begin(world);
    ecs_set(world, e, Position, { 1, 0 });
    ecs_defer_end(world);
    assert_int_equal(seen_count, 2);
    assert_seen(0, EcsOnAdd, 0);
    assert_seen(1, EcsOnSet, 1);
}

static void add_then_remove_nets_out_without_hooks(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    ecs_defer_begin(world);
    ecs_add(world, e, Position);
    ecs_remove(world, e, Position);
    ecs_defer_end(world);
    assert_false(ecs_has(world, e, Position));
    assert_int_equal(seen_count, 0);
}

static void remove_then_add_keeps_the_value_without_hooks(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    ecs_set(world, e, Position, { 7, 0 });
    seen_count = 0;
    ecs_defer_begin(world);
    ecs_remove(world, e, Position);
    ecs_add(world, e, Position);
    ecs_defer_end(world);
    assert_float_equal(ecs_get(world, e, Position)->x, 7, 0);
    for (int i = 0; i < seen_count; i++) assert_true(seen[i].event != EcsOnRemove);
}

// Also where others, of whom no command speaks, end in between, however many ids the commands name.
static void the_end_of_others_ends_no_folding(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world), other = ecs_new(world), tags[200];
    for (int i = 0; i < 200; i++) tags[i] = ecs_new(world);
    ecs_set(world, e, Position, { 7, 0 });
    seen_count = 0;
    ecs_defer_begin(world);
    for (int i = 0; i < 200; i++) ecs_add_id(world, ecs_new(world), tags[i]);
    ecs_remove(world, e, Position);
    ecs_delete(world, other);
    ecs_add(world, e, Position);
    ecs_defer_end(world);
    assert_float_equal(ecs_get(world, e, Position)->x, 7, 0);
    for (int i = 0; i < seen_count; i++) assert_true(seen[i].event != EcsOnRemove);
}

static void set_then_remove_leaves_nothing(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    ecs_defer_begin(world);
    ecs_set(world, e, Position, { 1, 0 });
    ecs_remove(world, e, Position);
    ecs_defer_end(world);
    assert_false(ecs_has(world, e, Position));
    assert_int_equal(seen_count, 0);
}

// So does a pair whose place another took for a while.
static void an_exclusive_pair_that_comes_again_has_no_old_value(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t rel = ecs_component_init(
        world, &(ecs_component_desc_t){ .type = { .size = ECS_SIZEOF(float), .alignment = 4 } });
    ecs_add_id(world, rel, EcsExclusive);
    ecs_id_t a = ecs_pair(rel, ecs_new(world)), b = ecs_pair(rel, ecs_new(world));
    for (int deferred = 0; deferred < 2; deferred++) {
        ecs_entity_t e = ecs_new(world);
        if (deferred) ecs_defer_begin(world);
        ecs_set_id(world, e, a, sizeof(float), &(float){ 1 });
        ecs_set_id(world, e, b, sizeof(float), &(float){ 2 });
        ecs_add_id(world, e, a);
        if (deferred) ecs_defer_end(world);
        assert_false(ecs_has_id(world, e, b));
        assert_float_equal(*(const float *)ecs_get_id(world, e, a), 0, 0);
    }
}

static void set_and_renew(ecs_world_t *stage, ecs_entity_t e, bool clears) {
    ecs_set(stage, e, Position, { 5, 0 });
    if (clears)
        ecs_clear(stage, e);
    else
        ecs_remove(stage, e, Position);
    ecs_add(stage, e, Position);
}

static void renew_on(ecs_world_t *world, ecs_entity_t e, bool on_a_stage, bool clears) {
    ecs_world_t *stage = on_a_stage ? ecs_stage_new(world) : world;
    ecs_defer_begin(stage);
    set_and_renew(stage, e, clears);
    ecs_defer_end(stage);
    if (!on_a_stage) return;
    ecs_merge(stage);
    ecs_stage_free(stage);
}

// DEF-07: what is there when it is removed and added stays, with the value last set; an override begins again.
static void what_is_renewed_keeps_the_set_before(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t base = ecs_insert(world, ecs_value(Position, { 3, 0 }));
    for (int way = 0; way < 8; way++) {
        ecs_entity_t e = ecs_new(world);
        const bool is_instance = way & 4, clears = way & 2;
        if (is_instance) ecs_add_pair(world, e, EcsIsA, base);
        ecs_set(world, e, Position, { 4, 0 });
        renew_on(world, e, way & 1, clears);
        const float expected =
            is_instance && !clears ? 3 : 5; /* without its base it is one no more */
        assert_float_equal(ecs_get(world, e, Position)->x, expected, 0);
    }
}

// The same for values that are there already, of any kind: each set is told in its place, unless the value does not last.
static void sets_of_values_that_are_there_are_told_in_their_place(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t sparse = ecs_component(world, { .type = { .size = 8, .alignment = 4 } });
    ecs_add_id(world, sparse, EcsSparse);
    ecs_id_t ids[] = { ecs_id(Position), ecs_id(Velocity), sparse,
        ecs_pair(ecs_id(Velocity), ecs_new(world)) };
    for (int i = 0; i < 4; i++) {
        if (i) /* Position has hooks */
            ecs_observer(world,
                { .query.terms = { { ids[i] } }, .events = { EcsOnSet }, .callback = log_hook });
        ecs_entity_t e = ecs_new(world), other = ecs_new(world);
        Position v[] = { { 1, 0 }, { 2, 0 }, { 3, 0 } };
        ecs_set_id(world, e, ids[i], sizeof *v, &v[0]);
        ecs_set_id(world, other, ids[i], sizeof *v, &v[0]);
        seen_count = 0;
        ecs_defer_begin(world);
        ecs_set_id(world, e, ids[i], sizeof *v, &v[1]);
        ecs_set_id(world, other, ids[i], sizeof *v, &v[1]);
        ecs_set_id(world, e, ids[i], sizeof *v, &v[2]);
        ecs_defer_end(world);
        assert_int_equal(seen_count, 3);
        assert_seen(0, EcsOnSet, 3);
        assert_seen(1, EcsOnSet, 2);
        assert_seen(2, EcsOnSet, 3);
        seen_count = 0;
        ecs_defer_begin(world);
        ecs_set_id(world, e, ids[i], sizeof *v, &v[1]);
        ecs_remove_id(world, e, ids[i]);
        ecs_defer_end(world);
        assert_false(ecs_has_id(world, e, ids[i]));
        for (int at = 0; at < seen_count; at++) assert_true(seen[at].event != EcsOnSet);
    }
}

static void ensure_writes_arrive_and_only_modified_tells(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t silent = ecs_new(world), told = ecs_new(world);
    ecs_defer_begin(world);
    ecs_ensure(world, silent, Position)->x = 3;
    ecs_ensure(world, told, Position)->x = 4;
    ecs_modified(world, told, Position);
    ecs_defer_end(world);
    assert_float_equal(ecs_get(world, silent, Position)->x, 3, 0);
    assert_float_equal(ecs_get(world, told, Position)->x, 4, 0);
    int sets = 0;
    for (int i = 0; i < seen_count; i++) sets += seen[i].event == EcsOnSet;
    assert_int_equal(sets, 1);
}

// DEF-07: what is removed elsewhere, or of another kind, takes no value away: they are ensured where they are, again and again.
static void ensured_values_stay_live_while_others_are_removed(void **state) {
    ecs_world_t *world = *state;
    enum { OTHERS = 300 };
    const ecs_entity_t likes = ecs_new(world), e = ecs_new_w(world, Position);
    ecs_set(world, e, Velocity, { 1, 1 });
    ecs_entity_t others[OTHERS];
    for (int i = 0; i < OTHERS; i++) {
        others[i] = ecs_new_w(world, Velocity);
        ecs_add_pair(world, others[i], likes, e);
    }
    for (int way = 0; way < 6; way++) {
        const int count = way ? 30 : OTHERS;
        ecs_set(world, e, Position, { 0, 0 });
        ecs_defer_begin(world);
        for (int i = 0; i < count; i++) {
            switch (way) {
            case 0: ecs_remove(world, others[i], Velocity); break;
            case 1: ecs_remove(world, others[i], Position); break;
            case 2: ecs_remove(world, e, Velocity); break;
            case 3: ecs_remove_id(world, others[i], ecs_pair(likes, EcsWildcard)); break;
            case 4: ecs_remove_all(world, ecs_id(Velocity)); break;
            default: ecs_clear(world, others[i]);
            }
            ecs_ensure(world, e, Position)->x++;
        }
        assert_float_equal(ecs_get(world, e, Position)->x, count, 0);
        ecs_defer_end(world);
        assert_float_equal(ecs_get(world, e, Position)->x, count, 0);
    }
}

// But what is taken from the entity itself comes again with what was ensured last.
static void ensured_values_outlast_their_removal(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t parent = ecs_new(world), e = ecs_new_w(world, Position);
    for (int way = 0; way < 5; way++) {
        ecs_set_pair(world, e, Position, parent, { 1, 1 });
        ecs_set(world, e, Position, { 1, 1 });
        const ecs_id_t ids[] = { ecs_id(Position), EcsWildcard, ecs_id(Position),
            ecs_pair(ecs_id(Position), EcsWildcard), ecs_pair(EcsWildcard, parent) };
        const ecs_id_t id = way < 3 ? ids[0] : ecs_pair_t(Position, parent);
        ecs_defer_begin(world);
        if (way == 1)
            ecs_clear(world, e);
        else if (way == 2)
            ecs_remove_all(world, ids[way]);
        else
            ecs_remove_id(world, e, ids[way]);
        ((Position *)ecs_ensure_id(world, e, id, sizeof(Position)))->x = 7;
        ecs_defer_end(world);
        assert_float_equal(((const Position *)ecs_get_id(world, e, id))->x, 7, 0);
    }
}

static void emplace_hands_out_memory_that_becomes_the_value(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    ecs_defer_begin(world);
    bool is_new = false;
    Position *p = ecs_emplace(world, e, Position, &is_new);
    assert_true(is_new);
    *p = (Position){ 5, 6 };
    ecs_defer_suspend(world);
    ecs_set(world, e, Position, { 7, 8 }); /* there by then, and replaced */
    ecs_defer_resume(world);
    ecs_defer_end(world);
    assert_float_equal(ecs_get(world, e, Position)->y, 6, 0);
}

static void delete_drops_later_commands(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    ecs_defer_begin(world);
    ecs_delete(world, e);
    ecs_set(world, e, Position, { 1, 0 });
    ecs_add(world, e, Velocity);
    ecs_defer_end(world);
    assert_false(ecs_is_alive(world, e));
    assert_int_equal(seen_count, 0);
    assert_int_equal(ecs_get_world_info(world)->cmd.discard_count, 2);
}

static void adds_before_a_delete_are_executed(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    ecs_defer_begin(world);
    ecs_add(world, e, Position);
    ecs_add(world, e, Velocity);
    ecs_delete(world, e);
    ecs_defer_end(world);
    assert_int_equal(seen_count, 2);
    assert_seen(0, EcsOnAdd, 0);
    assert_seen(1, EcsOnRemove, 0);
}

// DEF-10
static void clear_then_add_leaves_only_what_was_added(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    ecs_set(world, e, Position, { 1, 0 });
    ecs_defer_begin(world);
    ecs_clear(world, e);
    ecs_add(world, e, Velocity);
    ecs_defer_end(world);
    assert_false(ecs_has(world, e, Position));
    assert_true(ecs_has(world, e, Velocity));
    assert_seen(seen_count - 1, EcsOnRemove, 1);
}

typedef enum step_t {
    SET_A,
    SET_B,
    SET_PAIR,
    REMOVE_A,
    REMOVE_PAIRS,
    REMOVE_ALL,
    CLEAR,
    STEPS
} step_t;

static void take_step(
    ecs_world_t *world, ecs_entity_t entity, ecs_entity_t target, step_t step, float value) {
    switch (step) {
    case SET_A: ecs_set(world, entity, Position, { value, 0 }); break;
    case SET_B: ecs_set(world, entity, Velocity, { value, 0 }); break;
    case SET_PAIR: ecs_set_pair(world, entity, Position, target, { value, 0 }); break;
    case REMOVE_A: ecs_remove(world, entity, Position); break;
    case REMOVE_PAIRS: ecs_remove_pair(world, entity, ecs_id(Position), EcsWildcard); break;
    case REMOVE_ALL: ecs_remove_id(world, entity, EcsWildcard); break;
    default: ecs_clear(world, entity); break;
    }
}

static void assert_same_value(
    const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t other, ecs_id_t id) {
    const float *value = ecs_get_id(world, entity, id), *same = ecs_get_id(world, other, id);
    assert_int_equal(value != NULL, same != NULL);
    if (value) assert_float_equal(*value, *same, 0);
}

// DEF-07, DEF-10: a value is there if nothing behind it takes it away, in any order.
static void values_come_and_go_as_if_at_once(void **state) {
    enum { LENGTH = 4, ALL = STEPS * STEPS * STEPS * STEPS };
    ecs_world_t *world = *state;
    ecs_entity_t target = ecs_new(world), e[2];
    for (int32_t n = 0; n < ALL; n++) {
        for (int32_t deferred = 0; deferred < 2; deferred++) {
            e[deferred] = ecs_new(world);
            if (deferred) ecs_defer_begin(world);
            for (int32_t i = 0, rest = n; i < LENGTH; i++, rest /= STEPS)
                take_step(world, e[deferred], target, (step_t)(rest % STEPS), (float)i + 1);
            if (deferred) ecs_defer_end(world);
        }
        assert_same_value(world, e[0], e[1], ecs_id(Position));
        assert_same_value(world, e[0], e[1], ecs_id(Velocity));
        assert_same_value(world, e[0], e[1], ecs_pair(ecs_id(Position), target));
        ecs_delete(world, e[0]);
        ecs_delete(world, e[1]);
    }
}

// DEF-08
static void a_new_entity_is_a_target_at_once(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t rel = ecs_new(world), e = ecs_new(world);
    ecs_defer_begin(world);
    ecs_entity_t target = ecs_new(world);
    assert_true(ecs_is_alive(world, target));
    ecs_add_pair(world, e, rel, target);
    ecs_add_pair(world, target, EcsChildOf, e);
    ecs_defer_end(world);
    assert_true(ecs_has_pair(world, e, rel, target));
    assert_true(ecs_has_pair(world, target, EcsChildOf, e));
}

// DEF-08, DEF-01: also while the table that new entities start in is iterated; into others they do not come
static void new_entities_are_made_during_any_iteration(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), made = 0;
    ecs_entity_t first = ecs_new(world);
    const ecs_query_cache_kind_t kinds[] = { EcsQueryCacheNone, EcsQueryCacheAuto };
    for (int i = 0; i < 2; i++) {
        ecs_query_t *q = ecs_query(
            world, { .terms = { { .id = tag, .oper = EcsNot } }, .cache_kind = kinds[i] });
        int32_t before = ecs_table_count(ecs_get_table(world, first)), visits = 0;
        ecs_defer_begin(world);
        ecs_iter_t it = ecs_query_iter(world, q);
        while (ecs_query_next(&it)) {
            for (int32_t row = 0; it.table == ecs_get_table(world, first) && row < it.count;
                 row++) {
                for (int k = 0; k < 20; k++) made = ecs_new(world);
                assert_ptr_equal(ecs_get_table(world, it.entities[row]), it.table);
                assert_int_not_equal(it.entities[row], made);
                visits++;
            }
        }
        ecs_defer_end(world);
        assert_int_equal(visits, before);
        ecs_query_fini(q);
    }
    ecs_entity_t tagged = ecs_new_w_id(world, tag);
    ecs_table_lock(world, ecs_get_table(world, tagged));
    expect_abort(ECS_LOCKED_STORAGE, ecs_new_w_id(world, tag));
    ecs_table_unlock(world, ecs_get_table(world, tagged));
}

static void commands_that_name_a_deleted_target_follow_its_policy(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t rel = ecs_new(world), target = ecs_new(world);
    ecs_entity_t keeps = ecs_new(world), dies = ecs_new(world);
    ecs_defer_begin(world);
    ecs_delete(world, target);
    ecs_add_pair(world, keeps, rel, target);
    ecs_add_pair(world, dies, EcsChildOf, target);
    ecs_defer_end(world);
    assert_true(ecs_is_alive(world, keeps));
    assert_int_equal(ecs_get_type(world, keeps)->count, 0);
    assert_false(ecs_is_alive(world, dies));
}

static ecs_entity_t replacement;
static void MakeReplacement(ecs_iter_t *it) { replacement = ecs_new(it->world); }

// DEF-07, DEF-10, ENT-12: not even when an observer gets the next id while commands are applied, whoever recorded them.
static void commands_never_mean_who_takes_the_place_of_a_target(void **state) {
    ecs_world_t *world = *state;
    ECS_TAG(world, Likes);
    ECS_TAG(world, Trigger);
    ecs_observer(world,
        { .query.terms = { { Trigger } }, .events = { EcsOnAdd }, .callback = MakeReplacement });
    ecs_set_stage_count(world, 2);
    for (int on_stages = 0; on_stages < 2; on_stages++) {
        ecs_entity_t target = ecs_new(world), fan = ecs_new(world), child = ecs_new(world);
        ecs_entity_t old = ecs_new(world);
        ecs_world_t *first = world, *second = world;
        ecs_delete(world, old);
        if (on_stages) {
            ecs_readonly_begin(world, false);
            first = ecs_get_stage(world, 0);
            second = ecs_get_stage(world, 1);
        } else {
            ecs_defer_begin(world);
        }
        ecs_delete(first, target);
        ecs_add_id(first, fan, Trigger);
        ecs_add_pair(second, fan, Likes, target);
        ecs_add_pair(second, child, EcsChildOf, target);
        if (on_stages)
            ecs_readonly_end(world);
        else
            ecs_defer_end(world);
        assert_int_equal((uint32_t)replacement, (uint32_t)old);
        assert_false(ecs_has_pair(world, fan, Likes, EcsWildcard));
        assert_false(ecs_is_alive(world, child));
        ecs_entity_t next = ecs_new(world),
                     last = ecs_new(world); /* both are there to be used again */
        assert_true((uint32_t)next == (uint32_t)target || (uint32_t)last == (uint32_t)target);
        assert_true(ecs_world_verify(world));
    }
}

// DEF-10
static void everything_with_an_id_goes_at_the_end(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new_w(world, Velocity), other = ecs_new(world);
    ecs_defer_begin(world);
    ecs_delete_with(world, ecs_id(Velocity));
    ecs_add(world, other, Velocity);
    assert_true(ecs_is_alive(world, e));
    ecs_defer_end(world);
    assert_false(ecs_is_alive(world, e));
    assert_true(ecs_has(world, other, Velocity));
}

// DEF-07: what an entity gets after everybody with an id lost it, or ended, is not ahead of that.
static void what_comes_after_everything_went_stays(void **state) {
    ecs_world_t *world = *state;
    void (*const ends[])(ecs_world_t *, ecs_id_t) = { ecs_delete_with, ecs_remove_all };
    for (int i = 0; i < 2; i++) {
        ecs_entity_t a = ecs_new(world), b = ecs_new(world);
        ecs_defer_begin(world);
        ecs_set(world, a, Position, { 1, 2 });
        ecs_set(world, b, Position, { 3, 4 });
        ends[i](world, ecs_id(Velocity));
        ecs_add(world, b, Velocity); /* beside its other command, and apart from it */
        ecs_add(world, a, Velocity);
        ecs_add_pair(world, b, EcsChildOf, a);
        ecs_defer_end(world);
        assert_true(ecs_has(world, a, Velocity) && ecs_get(world, a, Position)->y == 2);
        assert_true(ecs_has(world, b, Velocity) && ecs_get(world, b, Position)->y == 4);
        assert_true(ecs_get_parent(world, b) == a);
    }
}

// Also if nothing has had a pair with it yet.
static void dead_targets_follow_the_policy_of_their_relationship(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t policies[] = { EcsRemove, EcsDelete, EcsPanic };
    for (int i = 0; i < 6; i++) {
        ecs_entity_t rel = ecs_new_w_pair(world, EcsOnDeleteTarget, policies[i % 3]);
        ecs_entity_t target = ecs_new(world), e = ecs_new(world);
        if (i >= 3) ecs_add_pair(world, ecs_new(world), rel, e);
        if (policies[i % 3] == EcsPanic) {
            expect_abort(ECS_CONSTRAINT_VIOLATED, ecs_defer_begin(world); ecs_delete(world, target);
                         ecs_add_pair(world, e, rel, target); ecs_defer_end(world));
            continue;
        }
        ecs_defer_begin(world);
        ecs_delete(world, target);
        ecs_add_pair(world, e, rel, target);
        ecs_defer_end(world);
        assert_int_equal(ecs_is_alive(world, e), policies[i % 3] == EcsRemove);
    }
}

static void a_dead_first_command_does_not_stop_the_rest_of_a_batch(void **state) {
    ecs_world_t *world = *state;
    for (int i = 0; i < 2; i++) {
        ecs_entity_t rel = ecs_new(world), target = ecs_new(world), e = ecs_new(world);
        ecs_defer_begin(world);
        ecs_delete(world, i ? rel : target);
        ecs_add_pair(world, e, rel, target);
        ecs_set(world, e, Position, { 1, 2 });
        ecs_add(world, e, Velocity);
        ecs_defer_end(world);
        assert_int_equal(ecs_get_type(world, e)->count, 2);
        assert_float_equal(ecs_get(world, e, Position)->y, 2, 0);
        assert_true(ecs_has(world, e, Velocity));
    }
}

// DEF-07: what a removal of any relationship means for others is not ahead of their commands.
static void removals_that_others_follow_are_applied_in_their_place(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t friend = ecs_new(world), a = ecs_new(world), b = ecs_new(world);
    ecs_add_id(world, friend, EcsSymmetric);
    ecs_add_pair(world, a, friend, b);
    ecs_defer_begin(world);
    ecs_add(world, a, Velocity);
    ecs_add_pair(world, b, friend, a);
    ecs_remove_pair(world, a, EcsWildcard, b);
    ecs_defer_end(world);
    assert_false(ecs_has_pair(world, a, friend, b));
    assert_false(ecs_has_pair(world, b, friend, a));
}

// DEF-07: `_` takes away what `*` does, also what is beside the table, and among other commands of the entity.
static void all_that_is_meant_by_any_goes(void **state) {
    ecs_world_t *world = *state;
    for (int way = 0; way < 4; way++) {
        ecs_entity_t tag = ecs_new(world), beside = ecs_new(world), e = ecs_new(world);
        ecs_add_id(world, beside, EcsDontFragment);
        ecs_add_id(world, e, tag);
        ecs_add_id(world, e, beside);
        if (way % 2) ecs_defer_begin(world);
        ecs_remove_id(world, e, way / 2 ? EcsWildcard : EcsAny);
        ecs_add(world, e, Velocity);
        if (way % 2) ecs_defer_end(world);
        assert_false(ecs_has_id(world, e, tag));
        assert_false(ecs_has_id(world, e, beside));
        assert_true(ecs_has(world, e, Velocity));
    }
}

static void add_tag(ecs_iter_t *it) {
    const ecs_entity_t *tag = it->ctx;
    for (int i = 0; i < it->count; i++) ecs_add_id(it->world, it->entities[i], *tag);
}

// OBS-01: what is made at once while the world is read is told at once, to whom may issue commands.
static void who_is_told_of_what_is_made_in_a_readonly_world_may_queue(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), parent = ecs_new(world);
    ecs_observer(world, { .query.terms = { { ecs_childof(parent) } },
                            .events = { EcsOnAdd },
                            .callback = add_tag,
                            .ctx = &tag });
    ecs_observer(world, { .query.terms = { { ecs_id(EcsComponent) } },
                            .events = { EcsOnSet },
                            .callback = add_tag,
                            .ctx = &tag });
    ecs_observer(world, { .query.terms = { { EcsQuery } },
                            .events = { EcsOnAdd },
                            .callback = add_tag,
                            .ctx = &tag });
    ecs_readonly_begin(world, false);
    ecs_world_t *stage = ecs_get_stage(world, 0);
    ecs_entity_t with_query = ecs_new(stage);
    ecs_query_t *query =
        ecs_query(stage, { .entity = with_query, .terms = { { ecs_id(Velocity) } } });
    assert_non_null(query);
    ecs_query_fini(query);
    ecs_entity_t child = ecs_new_w_parent(stage, parent, "child");
    ecs_entity_t component =
        ecs_component(stage, { .entity = ecs_entity(stage, { .name = "Component4" }),
                                 .type = { .size = 4, .alignment = 4 } });
    assert_true(ecs_stage_is_readonly(world));
    assert_false(ecs_has_id(stage, child, tag));
    ecs_readonly_end(world);
    assert_true(ecs_has_id(world, child, tag));
    assert_true(ecs_has_id(world, component, tag));
    assert_false(ecs_is_alive(world, with_query));
}

// ENT-01: an entity of a table exists at once, and is in it at the end.
static void a_new_entity_of_a_table_joins_it_later(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), target = ecs_new(world);
    ecs_id_t ids[] = { ecs_id(Velocity), tag, ecs_pair(tag, target) };
    ecs_table_t *table = ecs_table_find(world, ids, 3);
    ecs_defer_begin(world);
    ecs_entity_t e = ecs_new_w_table(world, table);
    assert_true(ecs_is_alive(world, e));
    assert_false(ecs_has_id(world, e, tag));
    ecs_defer_end(world);
    assert_ptr_equal(ecs_get_table(world, e), table);
}

// DEF-07, TRT-07: instances and clones are made from what the other entity has then, neither sooner nor later.
static void what_is_asked_of_others_is_asked_in_its_place(void **state) {
    ecs_world_t *world = *state;
    for (int deferred = 0; deferred < 2; deferred++) {
        ecs_entity_t own[3], mark = ecs_new(world), base = ecs_new(world), e = ecs_new(world);
        for (int i = 0; i < 3; i++) own[i] = ecs_new_w_pair(world, EcsOnInstantiate, EcsOverride);
        ecs_entity_t prefab = ecs_new_w_id(world, EcsPrefab), part = ecs_new(world);
        ecs_entity_t twin = ecs_new(world);
        if (deferred) ecs_defer_begin(world);
        ecs_add_id(world, e, mark);
        ecs_add_id(world, base, own[0]);
        ecs_add_id(world, prefab, mark);
        ecs_add_pair(world, part, EcsChildOf, prefab);
        ecs_add_pair(world, e, EcsIsA, base);
        ecs_add_pair(world, e, EcsIsA, prefab);
        ecs_add_id(world, base, own[1]);
        ecs_clone(world, twin, base, false);
        ecs_add_id(world, base, own[2]);
        if (deferred) ecs_defer_end(world);
        assert_true(ecs_owns_id(world, e, own[0]) && ecs_owns_id(world, twin, own[1]));
        assert_false(ecs_owns_id(world, e, own[1]) || ecs_owns_id(world, twin, own[2]));
        assert_int_equal(ecs_count_id(world, ecs_childof(e)), 1);
    }
}

// DEF-07: a parent that becomes a prefab among many children tags those behind it, too.
static void children_of_a_new_prefab_are_tagged(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t parent = ecs_new(world), there = ecs_new_w(world, Position), e[4];
    ecs_new_w_id(world, EcsPrefab);
    ecs_add_pair(world, there, EcsChildOf, parent);
    ecs_add_id(world, ecs_clone(world, 0, there, false), EcsPrefab);
    ecs_delete(world, there);
    for (int i = 0; i < 4; i++) e[i] = ecs_new(world);
    ecs_defer_begin(world);
    for (int i = 0; i < 4; i++) {
        ecs_set(world, e[i], Position, { 1, 2 });
        ecs_add_pair(world, e[i], EcsChildOf, parent);
        if (i == 1) ecs_add_id(world, parent, EcsPrefab);
    }
    ecs_defer_end(world);
    for (int i = 0; i < 4; i++) assert_true(ecs_has_id(world, e[i], EcsPrefab));
}

// DEF-10: also where many say the same
static void a_clear_takes_what_others_brought_before(void **state) {
    ecs_world_t *world = *state;
    enum { MANY = 9 };
    ecs_entity_t friend = ecs_new_w_id(world, EcsSymmetric), a[MANY], b = ecs_new(world);
    for (int i = 0; i < MANY; i++) a[i] = ecs_new(world);
    for (int count = 1; count <= MANY; count += MANY - 1) {
        ecs_defer_begin(world);
        for (int i = 0; i < count; i++) ecs_add(world, a[i], Velocity);
        for (int i = 0; i < count; i++) ecs_add_pair(world, b, friend, a[i]);
        for (int i = 0; i < count; i++) ecs_clear(world, a[i]);
        ecs_defer_end(world);
        for (int i = 0; i < count; i++) assert_int_equal(ecs_get_type(world, a[i])->count, 0);
        assert_false(ecs_has_pair(world, b, friend, EcsWildcard));
    }
}

static ecs_entity_t hook_adds_to;
static void add_velocity(ecs_iter_t *it) {
    hook_adds_to = it->entities[0];
    assert_true(ecs_is_deferred(it->world));
    ecs_add(it->world, it->entities[0], Velocity);
    assert_false(ecs_has(it->world, it->entities[0], Velocity));
}

static void what_a_hook_issues_is_done_before_the_call_returns(void **state) {
    ecs_world_t *world = *state;
    ecs_set_hooks(world, Position, { .on_add = add_velocity });
    ecs_entity_t e = ecs_new(world);
    ecs_add(world, e, Position);
    assert_true(hook_adds_to == e);
    assert_true(ecs_has(world, e, Velocity));
}

static void clear_in_hook(ecs_iter_t *it) {
    assert_true(ecs_is_deferred(it->world));
    for (int i = 0; i < it->count; i++) ecs_clear(it->world, it->entities[i]);
}

// DEF-06: rows do not move under hooks of suspended worlds; what these do follows at the end.
static void hooks_of_suspended_worlds_defer(void **state) {
    ecs_world_t *world = *state;
    ecs_set_hooks(world, Position, { .on_add = clear_in_hook, .on_remove = clear_in_hook });
    ecs_entity_t e = ecs_new(world), tag = ecs_new(world);
    for (int i = 0; i < 2; i++) {
        ecs_defer_begin(world);
        ecs_add_id(world, e, tag);
        ecs_defer_suspend(world);
        ecs_set(world, e, Position, { 1, 2 });
        assert_true(ecs_has(world, e, Position));
        if (i) ecs_remove(world, e, Position);
        assert_true(ecs_world_verify(world));
        ecs_defer_resume(world);
        ecs_defer_end(world);
        assert_int_equal(ecs_get_type(world, e)->count, 0);
    }
}

static void suspended_deferral_applies_at_once_and_keeps_the_queue(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t queued = ecs_new(world), direct = ecs_new(world);
    ecs_defer_begin(world);
    ecs_add(world, queued, Velocity);
    ecs_defer_suspend(world);
    assert_true(ecs_is_defer_suspended(world));
    assert_false(ecs_is_deferred(world));
    ecs_add(world, direct, Velocity);
    assert_true(ecs_has(world, direct, Velocity));
    assert_false(ecs_has(world, queued, Velocity));
    assert_false(ecs_defer_begin(world)); /* brackets mean nothing meanwhile */
    ecs_remove(world, direct, Velocity);
    assert_false(ecs_has(world, direct, Velocity));
    assert_false(ecs_defer_end(world));
    ecs_defer_resume(world);
    assert_true(ecs_is_deferred(world));
    ecs_defer_end(world);
    assert_true(ecs_has(world, queued, Velocity));
}

static void stages_of_a_readonly_world_merge_in_their_order(void **state) {
    ecs_world_t *world = *state;
    ecs_set_stage_count(world, 3);
    ecs_entity_t e = ecs_new(world);
    assert_true(!ecs_stage_is_readonly(world) && ecs_stage_is_readonly(ecs_get_stage(world, 1)));
    assert_false(ecs_readonly_begin(world, false));
    assert_true(ecs_readonly_begin(world, false)); /* it is already, and ends once */
    assert_true(ecs_stage_is_readonly(world));
    for (int i = 2; i >= 0; i--) {
        ecs_world_t *stage = ecs_get_stage(world, i);
        assert_int_equal(ecs_stage_get_id(stage), i);
        assert_false(ecs_stage_is_readonly(stage));
        ecs_set(stage, e, Position, { (float)i, 0 });
        assert_false(ecs_has(stage, e, Position));
        ecs_entity_t named = ecs_entity(stage, { .name = "named" });
        assert_true(named == ecs_lookup(world, "named"));
    }
    ecs_readonly_end(world);
    assert_float_equal(ecs_get(world, e, Position)->x, 2, 0);
    ecs_world_t *own = ecs_stage_new(world);
    ecs_entity_t late = ecs_entity(own, { .name = "late" });
    assert_true(late == ecs_entity(own, { .name = "late" }));
    assert_int_equal(ecs_lookup(world, "late"), 0);
    ecs_merge(own);
    assert_true(late == ecs_lookup(world, "late"));
    assert_false(ecs_defer_begin(own));
    assert_false(ecs_defer_end(own));
    expect_abort(ECS_INVALID_OPERATION, ecs_defer_end(own));
    expect_abort(ECS_INVALID_OPERATION, ecs_defer_suspend(own));
    ecs_stage_free(own);
}

// DEF-08, DEF-10: what a new id means is said before it is used, whatever its user was told before.
static void traits_come_before_what_is_said_of_their_id(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), other = ecs_new(world), e = ecs_new(world);
    ecs_defer_begin(world);
    ecs_add_id(world, e, tag);
    ecs_entity_t kind = ecs_new(world), beside = ecs_new(world);
    ecs_add_id(world, kind, EcsExclusive);
    ecs_add_pair(world, e, kind, tag);
    ecs_add_id(world, beside, EcsDontFragment);
    ecs_add_pair(world, e, kind, other);
    ecs_add_id(world, e, beside);
    ecs_defer_end(world);
    assert_true(ecs_get_target(world, e, kind, 0) == other);
    assert_int_equal(ecs_get_target(world, e, kind, 1), 0);
    assert_true(ecs_has_id(world, e, tag) && ecs_has_id(world, e, beside));
    assert_false(ecs_table_has_id(world, ecs_get_table(world, e), beside));
}

static void stages_defer_inside_brackets_and_in_readonly_mode_only(void **state) {
    ecs_world_t *world = *state;
    ecs_set_stage_count(world, 2);
    ecs_entity_t e = ecs_new(world);
    for (int i = 0; i < 2; i++) {
        ecs_world_t *stage = ecs_get_stage(world, i);
        assert_false(ecs_is_deferred(stage));
        assert_true(ecs_defer_begin(stage));
        assert_true(ecs_is_deferred(stage));
        assert_false(ecs_defer_begin(stage));
        ecs_set(stage, e, Position, { (float)i, 0 });
        assert_false(ecs_defer_end(stage));
        assert_int_equal(ecs_has(world, e, Position), i);
        assert_true(ecs_defer_end(stage));
        assert_float_equal(ecs_get(world, e, Position)->x, i, 0);
        assert_false(ecs_is_deferred(stage));
        ecs_readonly_begin(world, false);
        assert_true(ecs_is_deferred(stage));
        assert_false(ecs_defer_begin(stage));
        assert_false(ecs_defer_end(stage));
        ecs_readonly_end(world);
        assert_false(ecs_is_deferred(stage));
    }
}

static void stages_that_end_apply_what_waits(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world), tag = ecs_new(world);
    ecs_set_stage_count(world, 2);
    ecs_world_t *stage = ecs_get_stage(world, 1);
    ecs_defer_begin(stage);
    ecs_add_id(stage, e, tag);
    assert_false(ecs_has_id(world, e, tag));
    ecs_set_stage_count(world, 1);
    assert_true(ecs_has_id(world, e, tag));
}

static void a_stage_of_the_user_is_applied_by_merge(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    ecs_world_t *stage = ecs_stage_new(world);
    assert_int_equal(ecs_stage_get_id(stage), -1);
    assert_true(ecs_is_deferred(stage));
    ecs_set(stage, e, Position, { 9, 0 });
    assert_false(ecs_has(world, e, Position));
    ecs_merge(stage);
    assert_float_equal(ecs_get(world, e, Position)->x, 9, 0);
    ecs_set(stage, e, Velocity, { 1, 1 });
    ecs_stage_free(stage);
    assert_false(ecs_has(world, e, Velocity));
}

static int alive_values;
static void count_ctor(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)ptr;
    (void)type;
    alive_values += count;
}
static void count_dtor(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)ptr;
    (void)type;
    alive_values -= count;
}

static void a_value_whose_component_died_before_it_is_destructed(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t type = ecs_component(world, { .type = { .size = 8, .alignment = 4 } });
    ecs_set_hooks_id(world, type, &(ecs_type_hooks_t){ .ctor = count_ctor, .dtor = count_dtor });
    ecs_entity_t e = ecs_new(world);
    alive_values = 0;
    ecs_defer_begin(world);
    ecs_delete(world, type);
    ecs_set_id(world, e, type, 8, &(int64_t){ 5 });
    ecs_defer_end(world);
    assert_int_equal(alive_values, 0);
    assert_int_equal(ecs_get_type(world, e)->count, 0);
}

static int copied_values;
static void count_copy(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    ecs_os_memcpy(dst, src, count * type->size);
    copied_values += count;
}

// DEF-07: values of one component are recorded in the same way until that component is another. (Of a stage of one's own the world does not
// know that they wait.)
static void values_recorded_after_hooks_were_set_are_copied_by_them(void **state) {
    ecs_world_t *world = *state, *own = ecs_stage_new(world);
    ecs_entity_t e[5];
    for (int i = 0; i < 5; i++) e[i] = ecs_new(world);
    copied_values = 0;
    for (int i = 0; i < 3; i++) ecs_set(own, e[i], Velocity, { (float)i, 0 });
    assert_int_equal(copied_values, 0);
    ecs_set_hooks(world, Velocity, { .copy = count_copy });
    for (int i = 3; i < 5; i++) ecs_set(own, e[i], Velocity, { (float)i, 0 });
    assert_int_equal(copied_values, 2);
    ecs_merge(own);
    ecs_stage_free(own);
    for (int i = 0; i < 5; i++) assert_float_equal(ecs_get(world, e[i], Velocity)->x, (float)i, 0);
}

static void bulk_creation_while_deferred_makes_ids_at_once(void **state) {
    ecs_world_t *world = *state;
    ecs_defer_begin(world);
    const ecs_entity_t *entities = ecs_bulk_new(world, Velocity, 10);
    ecs_entity_t last = entities[9];
    assert_true(ecs_is_alive(world, last));
    assert_false(ecs_has(world, last, Velocity));
    expect_abort(ECS_INVALID_PARAMETER, ecs_bulk_new_w_id(world, EcsWildcard, 2));
    expect_abort(ECS_INVALID_PARAMETER, ecs_bulk_new_w_id(world, ecs_pair(last, EcsWildcard), 2));
    ecs_defer_end(world);
    assert_true(ecs_has(world, last, Velocity));
    assert_int_equal(ecs_count(world, Velocity), 10);
    ecs_defer_begin(world);
    last = ecs_bulk_new_w_id(world, 0, 3)[2];
    ecs_defer_end(world);
    assert_true(ecs_is_alive(world, last) && !ecs_get_type(world, last)->count);
}

// DEF-03
static void deferred_adds_during_iteration_visit_every_entity_once(void **state) {
    ecs_world_t *world = *state;
    for (int i = 0; i < 100; i++) ecs_set(world, ecs_new(world), Position, { (float)i, 0 });
    ecs_query_t *q = ecs_query(world, { .terms = { { ecs_id(Position) } } });
    ecs_defer_begin(world);
    ecs_iter_t it = ecs_query_iter(world, q);
    int visited = 0;
    while (ecs_query_next(&it)) {
        for (int i = 0; i < it.count; i++, visited++) ecs_add(world, it.entities[i], Velocity);
    }
    ecs_defer_end(world);
    assert_int_equal(visited, 100);
    assert_int_equal(ecs_count(world, Velocity), 100);
    ecs_query_fini(q);
}

// DEF-04, DEF-05
static void writing_values_needs_no_deferral_and_the_lock_ends_with_the_iteration(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t e = ecs_new(world);
    ecs_set(world, e, Position, { 1, 0 });
    ecs_query_t *q = ecs_query(world, { .terms = { { ecs_id(Position) } } });
    ecs_iter_t it = ecs_query_iter(world, q);
    while (ecs_query_next(&it)) ecs_set(world, e, Position, { 2, 0 });
    assert_float_equal(ecs_get(world, e, Position)->x, 2, 0);
    ecs_add(world, e, Velocity);
    assert_true(ecs_has(world, e, Velocity));
    ecs_query_fini(q);
}

// DEF-10: with a target goes what is said of it before, not after
static void commands_are_not_folded_past_the_end_of_a_target(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t rel = ecs_new_w_id(world, EcsExclusive), tag = ecs_new(world);
    for (int deferred = 0; deferred < 2; deferred++) {
        ecs_entity_t parent = ecs_new(world), other = ecs_new(world), old = ecs_new(world);
        ecs_entity_t child = ecs_new(world), orphan = ecs_new_w_pair(world, EcsChildOf, old);
        ecs_entity_t first = ecs_new(world), second = ecs_new(world), e = ecs_new(world);
        if (deferred) ecs_defer_begin(world);
        ecs_add_pair(world, child, EcsChildOf, parent);
        ecs_add_id(world, orphan, tag);
        ecs_add_pair(world, e, rel, first);
        ecs_delete(world, parent);
        ecs_delete(world, old);
        ecs_delete(world, second);
        if (deferred) {
            ecs_add_pair(world, child, EcsChildOf, other);
            ecs_add_pair(world, orphan, EcsChildOf, other);
            ecs_add_pair(world, e, rel, second);
            ecs_defer_end(world);
        }
        assert_false(ecs_is_alive(world, child));
        assert_false(ecs_is_alive(world, orphan));
        assert_true(ecs_has_pair(world, e, rel, first));
    }
}

// The same for a relationship whose holders go with it.
static void commands_are_not_folded_past_the_end_of_a_relationship(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t target = ecs_new(world), e = ecs_new(world), rel = ecs_new(world);
    ecs_add_pair(world, rel, EcsOnDelete, EcsDelete);
    ecs_defer_begin(world);
    ecs_add_pair(world, e, rel, target);
    ecs_delete(world, rel);
    ecs_remove_pair(world, e, rel, target);
    ecs_defer_end(world);
    assert_false(ecs_is_alive(world, e));
}

// Stages are applied one after the other: what the first one takes away, the second one has asked for. SYNC-06.
static void ensured_values_outlast_what_other_stages_remove(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t traits[] = { 0, EcsSparse, EcsDontFragment };
    ecs_set_stage_count(world, 2);
    for (int i = 0; i < 6; i++) {
        bool is_new = true;
        ecs_entity_t id = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
        if (traits[i % 3]) ecs_add_id(world, id, traits[i % 3]);
        ecs_entity_t e = ecs_new_w_id(world, id);
        ecs_readonly_begin(world, false);
        ecs_world_t *first = ecs_get_stage(world, 0), *second = ecs_get_stage(world, 1);
        ecs_remove_id(first, e, id);
        int32_t *value =
            i < 3 ? ecs_ensure_id(second, e, id, 4) : ecs_emplace_id(second, e, id, 4, &is_new);
        assert_true(i < 3 || !is_new);
        *value = 5;
        ecs_readonly_end(world);
        assert_true(ecs_has_id(world, e, id));
    }
}

static void many_commands_survive_block_growth_and_reuse(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t entities[500];
    for (int i = 0; i < 500; i++) entities[i] = ecs_new(world);
    ecs_set_hooks(world, Position, { .on_add = NULL });
    for (int round = 0; round < 20; round++) {
        ecs_defer_begin(world);
        for (int i = 0; i < 500; i++) {
            seen_count = 0;
            ecs_set(world, entities[i], Velocity, { (float)i, (float)round });
            if (i % 2) ecs_remove(world, entities[i], Velocity);
        }
        ecs_defer_end(world);
        for (int i = 0; i < 500; i++) {
            const Velocity *v = ecs_get(world, entities[i], Velocity);
            if (i % 2)
                assert_null(v);
            else
                assert_float_equal(v->y, (float)round, 0);
        }
    }
}

int main(void) {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(changes_are_invisible_until_the_end),
        T(all_that_is_meant_by_any_goes),
        T(a_new_entity_of_a_table_joins_it_later),
        T(who_is_told_of_what_is_made_in_a_readonly_world_may_queue),
        T(nested_brackets_flush_once_at_the_outermost_end),
        T(dead_targets_follow_the_policy_of_their_relationship),
        T(the_last_set_wins_and_each_set_is_told),
        T(a_single_set_runs_like_the_immediate_one),
        T(add_then_remove_nets_out_without_hooks),
        T(remove_then_add_keeps_the_value_without_hooks),
        T(the_end_of_others_ends_no_folding),
        T(set_then_remove_leaves_nothing),
        T(what_is_renewed_keeps_the_set_before),
        T(an_exclusive_pair_that_comes_again_has_no_old_value),
        T(values_written_after_a_queued_removal_last),
        T(sets_of_values_that_are_there_are_told_in_their_place),
        T(ensure_writes_arrive_and_only_modified_tells),
        T(ensured_values_stay_live_while_others_are_removed),
        T(ensured_values_outlast_their_removal),
        T(emplace_hands_out_memory_that_becomes_the_value),
        T(delete_drops_later_commands),
        T(values_come_and_go_as_if_at_once),
        T(adds_before_a_delete_are_executed),
        T(clear_then_add_leaves_only_what_was_added),
        T(a_new_entity_is_a_target_at_once),
        T(new_entities_are_made_during_any_iteration),
        T(commands_that_name_a_deleted_target_follow_its_policy),
        T(commands_never_mean_who_takes_the_place_of_a_target),
        T(everything_with_an_id_goes_at_the_end),
        T(what_comes_after_everything_went_stays),
        T(a_dead_first_command_does_not_stop_the_rest_of_a_batch),
        T(removals_that_others_follow_are_applied_in_their_place),
        T(what_is_asked_of_others_is_asked_in_its_place),
        T(children_of_a_new_prefab_are_tagged),
        T(a_clear_takes_what_others_brought_before),
        T(what_a_hook_issues_is_done_before_the_call_returns),
        T(hooks_of_suspended_worlds_defer),
        T(suspended_deferral_applies_at_once_and_keeps_the_queue),
        T(stages_of_a_readonly_world_merge_in_their_order),
        T(stages_defer_inside_brackets_and_in_readonly_mode_only),
        T(traits_come_before_what_is_said_of_their_id),
        T(stages_that_end_apply_what_waits),
        T(a_stage_of_the_user_is_applied_by_merge),
        T(a_value_whose_component_died_before_it_is_destructed),
        T(values_recorded_after_hooks_were_set_are_copied_by_them),
        T(bulk_creation_while_deferred_makes_ids_at_once),
        T(deferred_adds_during_iteration_visit_every_entity_once),
        T(writing_values_needs_no_deferral_and_the_lock_ends_with_the_iteration),
        T(commands_are_not_folded_past_the_end_of_a_target),
        T(commands_are_not_folded_past_the_end_of_a_relationship),
        T(ensured_values_outlast_what_other_stages_remove),
        T(many_commands_survive_block_growth_and_reuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
