// SPDX-License-Identifier: MIT
// Routes of events through the public functions: what is remembered must never be out of date.
#include "support/world.h"

#include "support/random.h"
#include "world/state.h"

typedef struct Node {
    int value;
} Node;
static ECS_COMPONENT_DECLARE(Node);

static ecs_world_t *begin(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Node) = 0;
    ECS_COMPONENT_DEFINE(world, Node);
    return world;
}

static void count(ecs_iter_t *it) { *(int *)it->ctx += it->count; }

static ecs_entity_t listen(ecs_world_t *world, ecs_id_t id, ecs_entity_t event, int *told) {
    return ecs_observer(
        world, { .query.terms = { { id } }, .events = { event }, .callback = count, .ctx = told });
}

static void observers_that_come_and_go_change_the_next_event(void **state) {
    ecs_world_t *world = begin(state);
    int first = 0, second = 0;
    ecs_entity_t one = listen(world, ecs_id(Node), EcsOnAdd, &first);
    ecs_delete(world, ecs_new_w(world, Node));
    ecs_entity_t two = listen(world, ecs_id(Node), EcsOnAdd, &second);
    ecs_delete(world, ecs_new_w(world, Node));
    ecs_enable(world, one, false);
    ecs_delete(world, ecs_new_w(world, Node));
    ecs_delete(world, two);
    ecs_enable(world, one, true);
    ecs_new_w(world, Node);
    assert_int_equal(first, 3);
    assert_int_equal(second, 2);
}

// More pairs of tables than there are places, in changing order.
static void many_tables_do_not_confuse_routes(void **state) {
    enum { TAGS = 700 };
    ecs_world_t *world = begin(state);
    int added = 0, removed = 0, set = 0;
    listen(world, ecs_id(Node), EcsOnAdd, &added);
    listen(world, ecs_id(Node), EcsOnRemove, &removed);
    listen(world, ecs_id(Node), EcsOnSet, &set);
    ecs_entity_t entities[TAGS];
    for (int i = 0; i < TAGS; i++) entities[i] = ecs_new_w_id(world, ecs_new(world));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < TAGS; i++) {
            ecs_set(world, entities[i * 3 % TAGS], Node, { i });
            if (i % 2) ecs_remove(world, entities[i * 3 % TAGS], Node);
        }
        ecs_remove_all(world, ecs_id(Node));
    }
    assert_int_equal(added, 3 * TAGS);
    assert_int_equal(removed, 3 * TAGS);
    assert_int_equal(set, 3 * TAGS);
}

// A table that is made where a deleted one was is not taken for it.
static void new_tables_have_routes_of_their_own(void **state) {
    ecs_world_t *world = begin(state);
    int told = 0;
    ecs_entity_t wanted = ecs_new(world);
    listen(world, wanted, EcsOnAdd, &told);
    for (int i = 0; i < 100; i++) {
        ecs_entity_t e = ecs_new_w_id(world, ecs_new(world));
        if (i % 2) ecs_add_id(world, e, wanted);
        ecs_delete(world, e);
        ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    }
    assert_int_equal(told, 50);
}

// Events from nothing cost nothing: nobody's route is ever worked out.
static void without_observers_nothing_is_worked_out(void **state) {
    ecs_world_t *world = begin(state);
    for (int i = 0; i < 100; i++) {
        ecs_entity_t e = ecs_new_w(world, Node);
        ecs_set(world, e, Node, { i });
        ecs_add_pair(world, e, EcsChildOf, ecs_new(world));
        ecs_delete(world, e);
    }
    assert_null(world->events.routes);
    assert_int_equal(world->info.observers_ran_total, 0);
}

// ---- observers inside observers ----

typedef struct nest_t {
    ecs_entity_t chain[8];
    int at, values[8];
} nest_t;

// Tells of the next entity while it is being told of one, then looks at its own again.
static void tell_of_next(ecs_iter_t *it) {
    nest_t *nest = it->ctx;
    const Node *node = ecs_field(it, Node, 0);
    int me = nest->at++;
    if (me < 7) {
        ecs_defer_suspend(it->world);
        ecs_modified(it->real_world, nest->chain[me + 1], Node);
        ecs_defer_resume(it->world);
    }
    assert_true(it->entities[0] == nest->chain[me]);
    nest->values[me] = node[0].value;
}

static void an_iterator_stays_what_it_was_while_others_are_told(void **state) {
    ecs_world_t *world = begin(state);
    nest_t nest = { .at = 0 };
    for (int i = 0; i < 8; i++) {
        nest.chain[i] = ecs_new(world);
        ecs_set(world, nest.chain[i], Node, { i });
    }
    ecs_observer(world, { .query.terms = { { ecs_id(Node) } },
                            .events = { EcsOnSet },
                            .callback = tell_of_next,
                            .ctx = &nest });
    ecs_modified(world, nest.chain[0], Node);
    assert_int_equal(nest.at, 8);
    for (int i = 0; i < 8; i++) assert_int_equal(nest.values[i], i);
}

static void listen_too(ecs_iter_t *it) {
    int *told = it->ctx;
    if (told[0]++ < 20) listen(it->real_world, ecs_id(Node), EcsOnAdd, &told[1]);
}

static void observers_made_while_others_are_told_hear_the_next_event(void **state) {
    ecs_world_t *world = begin(state);
    int told[2] = { 0 };
    ecs_observer(world, { .query.terms = { { ecs_id(Node) } },
                            .events = { EcsOnAdd },
                            .callback = listen_too,
                            .ctx = told });
    for (int i = 0; i < 5; i++) ecs_new_w(world, Node);
    assert_int_equal(told[0], 5);
    assert_int_equal(told[1], 0 + 1 + 2 + 3 + 4);
}

typedef struct {
    ecs_entity_t tag;
    int told;
} change_t;

static void change_what_is_told_of(ecs_iter_t *it) {
    change_t *change = it->ctx;
    ecs_add_id(it->world, it->entities[0], change->tag);
    assert_false(ecs_has_id(it->world, it->entities[0], change->tag)); /* rows stay */
    change->told++;
}

// What an observer changes waits, also while deferring is suspended.
static void rows_stay_under_observers_of_a_suspended_world(void **state) {
    ecs_world_t *world = begin(state);
    change_t change = { ecs_new(world), 0 };
    ecs_observer(world, { .query.terms = { { ecs_id(Node) } },
                            .events = { EcsOnAdd, EcsOnSet },
                            .callback = change_what_is_told_of,
                            .ctx = &change });
    for (int round = 0; round < 3; round++) {
        ecs_entity_t before = ecs_new(world), entity = ecs_new(world);
        ecs_add(world, before, Node);
        ecs_defer_begin(world);
        ecs_defer_suspend(world);
        ecs_add(world, entity, Node);
        ecs_defer_resume(world);
        ecs_defer_end(world);
        assert_true(ecs_has_id(world, before, change.tag));
        assert_true(ecs_has_id(world, entity, change.tag));
        ecs_remove_id(world, before, change.tag);
        ecs_remove_id(world, entity, change.tag);
        ecs_set(world, before, Node, { 1 });
        ecs_defer_begin(world);
        ecs_defer_suspend(world);
        ecs_set(world, entity, Node, { 2 });
        ecs_defer_resume(world);
        ecs_defer_end(world);
        assert_int_equal(change.told, 4 * (round + 1));
    }
}

typedef struct {
    ecs_entity_t event, entity;
} last_t;

static void note_last(ecs_iter_t *it) {
    *(last_t *)it->ctx = (last_t){ it->event, it->entities[0] };
    assert_true(it->event_id == ecs_id(Node) && ecs_field(it, Node, 0));
}

static void events_that_alternate_are_told_as_what_they_are(void **state) {
    ecs_world_t *world = begin(state);
    last_t last = { 0, 0 };
    ecs_observer(world, { .query.terms = { { ecs_id(Node) } },
                            .events = { EcsOnAdd, EcsOnSet, EcsOnRemove },
                            .callback = note_last,
                            .ctx = &last });
    for (int i = 0; i < 10; i++) {
        ecs_entity_t entity = ecs_new(world);
        ecs_add(world, entity, Node);
        assert_true(last.event == EcsOnAdd && last.entity == entity);
        ecs_set(world, entity, Node, { i });
        assert_true(last.event == EcsOnSet && last.entity == entity);
        ecs_remove(world, entity, Node);
        assert_true(last.event == EcsOnRemove && last.entity == entity);
    }
}

// ---- observers of several terms ----

typedef struct {
    ecs_entity_t tag, other;
    int told;
} several_t;

static void count_several(ecs_iter_t *it) { ((several_t *)it->ctx)->told += it->count; }

// An observer of changes of Node, of entities that have the tag, too.
static several_t *wait_for_both(
    ecs_world_t *world, several_t *several, ecs_entity_t event, ecs_iter_action_t callback) {
    *several = (several_t){ .tag = ecs_new(world), .other = ecs_new(world) };
    ecs_observer(world, { .query.terms = { { ecs_id(Node) }, { several->tag } },
                            .events = { event },
                            .callback = callback,
                            .ctx = several });
    return several;
}

// How many are told when the entity gets another value.
static int told_of_set(ecs_world_t *world, several_t *several, ecs_entity_t entity) {
    several->told = 0;
    ecs_set(world, entity, Node, { 1 });
    return several->told;
}

static void what_becomes_a_kind_is_found_by_who_is_told_already(void **state) {
    ecs_world_t *world = begin(state);
    several_t several;
    wait_for_both(world, &several, EcsOnSet, count_several);
    ecs_entity_t entity = ecs_new_w_id(world, several.other);
    assert_int_equal(told_of_set(world, &several, entity), 0);
    ecs_add_pair(world, several.other, EcsIsA, several.tag);
    assert_int_equal(told_of_set(world, &several, entity), 1);
}

// The table of an instance stays what it is while its base changes.
static void what_a_base_has_is_asked_again(void **state) {
    ecs_world_t *world = begin(state);
    several_t several, entered;
    wait_for_both(world, &several, EcsOnSet, count_several);
    ecs_entity_t base = ecs_new_w_id(world, EcsPrefab);
    ecs_entity_t entity = ecs_new_w_pair(world, EcsIsA, base);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(told_of_set(world, &several, entity), 0);
        ecs_add_id(world, base, several.tag);
        assert_int_equal(told_of_set(world, &several, entity), 1);
        ecs_remove_id(world, base, several.tag);
    }
    wait_for_both(world, &entered, EcsMonitor, count_several);
    for (int round = 0; round < 3; round++) {
        ecs_add_id(world, entity, entered.tag);
        ecs_add_id(world, base, entered.tag);
        ecs_remove_id(world, entity, entered.tag); /* it has that of its base */
        assert_int_equal(entered.told, 2 * round + 1);
        ecs_remove_id(world, base, entered.tag);
        assert_int_equal(entered.told, 2 * round + 2);
    }
}

// A term about what may have kinds waits for all ids.
static void what_a_term_does_not_ask_for_tells_nobody(void **state) {
    ecs_world_t *world = begin(state);
    several_t several;
    ecs_add_id(world, ecs_id(Node), EcsInheritable);
    wait_for_both(world, &several, EcsOnSet, count_several);
    ecs_entity_t other = ecs_component(world, { .type = { 4, 4 } });
    ecs_entity_t entity = ecs_new_w_id(world, several.tag);
    assert_int_equal(told_of_set(world, &several, entity), 1);
    ecs_set_id(world, entity, other, 4, &(int){ 7 });
    assert_int_equal(several.told, 1);
}

// Makes entities in the table that is being told of.
static void make_more(ecs_iter_t *it) {
    several_t *several = it->ctx;
    several->told += it->count;
    ecs_defer_suspend(it->world);
    for (int i = 0; i < 100; i++) {
        ecs_entity_t entity = ecs_new_w_id(it->world, several->tag);
        ecs_add(it->world, entity, Node);
    }
    ecs_defer_resume(it->world);
}

static void see_value(ecs_iter_t *it) {
    assert_ptr_equal(ecs_field(it, Node, 0), ecs_get(it->world, it->entities[0], Node));
    count_several(it);
}

// Rows lie elsewhere once others have been made beside them.
static void who_comes_next_sees_rows_where_they_are(void **state) {
    ecs_world_t *world = begin(state);
    several_t first, second;
    wait_for_both(world, &first, EcsOnSet, make_more);
    wait_for_both(world, &second, EcsOnSet, see_value);
    ecs_entity_t entity = ecs_new_w_id(world, first.tag);
    ecs_observer(world, { .query.terms = { { ecs_id(Node) } },
                            .events = { EcsOnSet },
                            .callback = see_value,
                            .ctx = &second });
    ecs_observer(world, { .query.terms = { { ecs_id(Node) }, { first.tag } },
                            .events = { EcsOnSet },
                            .callback = see_value,
                            .ctx = &second });
    for (int i = 0; i < 5; i++) assert_int_equal(told_of_set(world, &first, entity), 1);
    assert_int_equal(second.told, 10);
}

static void see_sparse(ecs_iter_t *it) {
    const Node *beside = ecs_get_id(it->world, it->entities[0], it->ids[1]);
    assert_non_null(beside);
    assert_ptr_equal(it->ptrs[1], beside);
    count_several(it);
}

// What a wildcard stands for may be stored apart from the table.
static void values_apart_from_tables_are_those_of_each_row(void **state) {
    ecs_world_t *world = begin(state);
    several_t several = { 0 };
    ecs_entity_t target = ecs_new(world), sparse = ecs_component(world, { .type = { 4, 4 } });
    ecs_add_id(world, sparse, EcsSparse);
    ecs_observer(world, { .query.terms = { { ecs_id(Node) }, { ecs_pair(EcsWildcard, target) } },
                            .events = { EcsOnSet },
                            .callback = see_sparse,
                            .ctx = &several });
    for (int i = 0; i < 3; i++) {
        ecs_entity_t entity = ecs_new_w_id(world, ecs_pair(sparse, target));
        assert_int_equal(told_of_set(world, &several, entity), 1);
    }
}

static void end_the_other(ecs_iter_t *it) {
    several_t *several = it->ctx;
    several->told += it->count;
    ecs_defer_suspend(it->world);
    ecs_delete(it->real_world, several->other);
    ecs_defer_resume(it->world);
}

static void who_ends_while_others_are_told_is_not(void **state) {
    ecs_world_t *world = begin(state);
    several_t first, second;
    wait_for_both(world, &first, EcsOnSet, end_the_other);
    ecs_entity_t entity = ecs_new_w_id(world, first.tag);
    first.other = ecs_observer(world, { .query.terms = { { ecs_id(Node) }, { first.tag } },
                                          .events = { EcsOnSet },
                                          .callback = count_several,
                                          .ctx = &second });
    second.told = 0;
    assert_int_equal(told_of_set(world, &first, entity), 1);
    assert_int_equal(second.told, 0);
}

// ---- what each observer sees ----

enum { HEARD = 4, ONES = 12, STEPS = 4000 };

typedef struct {
    ecs_entity_t self;
    ecs_id_t wanted, beside; /* 0: one term */
} one_t;
static int seen, seen_several;

static random_t random_state;
static int32_t below(int32_t limit) { return random_below(&random_state, limit); }

static void see_oneself(ecs_iter_t *it) {
    one_t *one = it->ctx;
    const ecs_entity_t entity = it->entities[0];
    assert_true(it->system == one->self && it->callback_ctx == one);
    assert_ptr_equal(it->query, ecs_observer_get(it->world, one->self)->query);
    assert_true(it->event_id == it->ids[it->term_index]);
    assert_true(ecs_id_match(it->event_id, it->term_index ? one->beside : one->wanted));
    const ecs_record_t *record = ecs_record_find(it->world, entity);
    assert_ptr_equal(record->table, it->table);
    assert_int_equal(ECS_RECORD_TO_ROW(record->row), it->offset);
    for (int f = 0; f < it->field_count; f++) {
        bool has_value =
            ecs_has_id(it->world, entity, it->ids[f]) && ecs_get_typeid(it->world, it->ids[f]);
        const void *value = has_value ? ecs_get_id(it->world, entity, it->ids[f]) : NULL;
        assert_ptr_equal(it->ptrs[f], value);
    }
    seen++;
    seen_several += one->beside != 0;
}

static void see_all(ecs_iter_t *it) {
    while (ecs_iter_next(it)) it->callback(it);
}

static void replace_one(ecs_world_t *world, one_t *one, const ecs_id_t *ids) {
    static const ecs_entity_t *const events[] = { &EcsOnAdd, &EcsOnRemove, &EcsOnSet, &EcsMonitor };
    static const int16_t opers[] = { EcsAnd, EcsAnd, EcsAnd, EcsNot, EcsOptional };
    if (one->self) ecs_delete(world, one->self);
    *one = (one_t){ ecs_new(world), below(3) ? ids[below(HEARD)] : EcsWildcard,
        below(2) ? ids[below(HEARD)] : 0 };
    ecs_observer(world, { .entity = one->self,
                            .query.terms = { { one->wanted, .oper = below(8) ? EcsAnd : EcsNot },
                                { one->beside, .oper = opers[below(5)] } },
                            .events = { *events[below(4)] },
                            .run = below(3) ? NULL : see_all,
                            .callback = see_oneself,
                            .ctx = one,
                            .callback_ctx = one });
}

// OBS-01, OBS-04, OBS-11: many observers of few ids, so that routes have one stop or several, of one id or several.
static void observers_see_themselves_whoever_was_told_before(void **state) {
    ecs_world_t *world = begin(state);
    static one_t ones[ONES]; /* observers hear of the end of the world, too */
    memset(ones, 0, sizeof ones);
    ecs_id_t ids[HEARD] = { ecs_id(Node), ecs_component(world, { .type = { 16, 8 } }),
        ecs_new(world), ecs_new(world) };
    ecs_entity_t entities[6];
    random_state = random_init(random_seed());
    for (int i = 0; i < 6; i++) entities[i] = ecs_new(world);
    for (int step = 0; step < STEPS; step++) {
        const char value[16] = { 0 };
        ecs_entity_t entity = entities[below(6)];
        int c = below(HEARD);
        if (!below(40)) replace_one(world, &ones[below(ONES)], ids);
        bool batch = !below(4);
        if (batch) ecs_defer_begin(world);
        for (int n = batch ? 3 : 1; n; n--, c = below(HEARD)) {
            if (below(2))
                ecs_remove_id(world, entity, ids[c]);
            else if (c < 2)
                ecs_set_id(world, entity, ids[c], c ? 16 : sizeof(Node), value);
            else
                ecs_add_id(world, entity, ids[c]);
        }
        if (batch) ecs_defer_end(world);
        if (!(step % 8)) assert_true(ecs_world_verify(world));
    }
    assert_true(seen > STEPS && seen_several > STEPS / 4);
}

// ---- who is below ----

static int count_set(ecs_world_t *world, ecs_entity_t entity, int *told) {
    *told = 0;
    ecs_set(world, entity, Node, { 1 });
    return *told;
}

static int count_moves(ecs_world_t *world, ecs_entity_t entity, int *told) {
    *told = 0;
    ecs_remove(world, entity, Node);
    ecs_add(world, entity, Node);
    return *told;
}

// OBS-05: a parent is told alone, until somebody below it sees what it has.
static void who_is_below_is_told_once_it_is_there(void **state) {
    ecs_world_t *world = begin(state);
    int set = 0, added = 0;
    listen(world, ecs_id(Node), EcsOnSet, &set);
    listen(world, ecs_id(Node), EcsOnAdd, &added);
    ecs_entity_t parent = ecs_new_w(world, Node);
    for (int i = 0; i < 3; i++) ecs_new_w_pair(world, EcsChildOf, parent);
    assert_int_equal(count_set(world, parent, &set), 1);
    assert_int_equal(count_set(world, parent, &set), 1);
    assert_int_equal(count_moves(world, parent, &added), 1);
    assert_int_equal(count_moves(world, parent, &added), 1);
    ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, parent);
    assert_int_equal(count_set(world, parent, &set), 2);
    assert_int_equal(count_moves(world, parent, &added), 2);
    ecs_delete(world, instance);
    assert_int_equal(count_set(world, parent, &set), 1);
    ecs_observer(world, { .query.terms = { { ecs_id(Node), .src.id = EcsUp, .trav = EcsChildOf } },
                            .events = { EcsOnSet },
                            .callback = count,
                            .ctx = &set });
    assert_int_equal(count_set(world, parent, &set), 4);
    int64_t before = memory_calls();
    assert_int_equal(count_set(world, parent, &set), 4);
    assert_int_equal(memory_calls(), before);
    ecs_delete_with(world, ecs_childof(parent));
    assert_int_equal(count_set(world, parent, &set), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(observers_that_come_and_go_change_the_next_event),
        mini_world_test(many_tables_do_not_confuse_routes),
        mini_world_test(new_tables_have_routes_of_their_own),
        mini_world_test(without_observers_nothing_is_worked_out),
        mini_world_test(an_iterator_stays_what_it_was_while_others_are_told),
        mini_world_test(observers_made_while_others_are_told_hear_the_next_event),
        mini_world_test(rows_stay_under_observers_of_a_suspended_world),
        mini_world_test(events_that_alternate_are_told_as_what_they_are),
        mini_world_test(what_becomes_a_kind_is_found_by_who_is_told_already),
        mini_world_test(what_a_base_has_is_asked_again),
        mini_world_test(what_a_term_does_not_ask_for_tells_nobody),
        mini_world_test(who_comes_next_sees_rows_where_they_are),
        mini_world_test(values_apart_from_tables_are_those_of_each_row),
        mini_world_test(who_ends_while_others_are_told_is_not),
        mini_world_test(observers_see_themselves_whoever_was_told_before),
        mini_world_test(who_is_below_is_told_once_it_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
