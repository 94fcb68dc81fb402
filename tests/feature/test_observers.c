// SPDX-License-Identifier: MIT
// Observers: what they are made of, events of single terms, and what callbacks may do: features.md area OBS.
#include "observer_scene.h"

#include "support/abort.h"

// OBS-01
static void adds_sets_and_removes_are_told(void **state) {
    ecs_world_t *world = begin(state);
    observe(world, "Node", EcsOnAdd);
    observe(world, "Node", EcsOnSet);
    observe(world, "Node", EcsOnRemove);
    ecs_entity_t e = ecs_new(world);
    ecs_add(world, e, Node);
    assert_log("OnAdd Node=0");
    ecs_set(world, e, Node, { 5 });
    assert_log("OnSet Node=5");
    ecs_modified(world, e, Node);
    assert_log("OnSet Node=5");
    ecs_add(world, e, Node);
    ecs_add(world, e, Foo);
    ecs_remove(world, e, Size);
    assert_log("");
    ecs_remove(world, e, Node);
    assert_log("OnRemove Node=5");
    ecs_set(world, e, Node, { 7 });
    assert_log("OnAdd Node=0; OnSet Node=7");
}

static void a_tag_is_set_by_being_added(void **state) {
    ecs_world_t *world = begin(state);
    observe(world, "Foo", EcsOnSet);
    ecs_entity_t both = observe_all(world, "Foo");
    ecs_entity_t e = ecs_new(world);
    ecs_add(world, e, Foo);
    assert_log("OnAdd Foo; OnAdd Foo");
    ecs_delete(world, both);
}

static void wildcards_tell_the_concrete_id(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t a = named(world, "A"), b = named(world, "B");
    observe(world, "(Rel, *)", EcsOnAdd);
    ecs_entity_t e = ecs_new(world);
    ecs_add_pair(world, e, Rel, a);
    ecs_add_pair(world, e, Rel, b);
    ecs_add_pair(world, e, Foo, b);
    assert_log("OnAdd (Rel,A); OnAdd (Rel,B)");
    observe(world, "(*, B)", EcsOnRemove);
    ecs_clear(world, e);
    assert_log("OnRemove (Foo,B); OnRemove (Rel,B)");
}

static void star_is_for_plain_ids_and_any_for_all(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t a = named(world, "A");
    ecs_observer(world, { .query.terms = { { .id = EcsWildcard } },
                            .events = { EcsOnAdd },
                            .callback = log_event,
                            .ctx = (void *)"star " });
    ecs_observer(world, { .query.terms = { { .id = EcsAny } },
                            .events = { EcsOnAdd },
                            .callback = log_event,
                            .ctx = (void *)"any " });
    log_clear();
    ecs_entity_t e = ecs_new(world);
    ecs_add(world, e, Foo);
    assert_log("any OnAdd Foo; star OnAdd Foo");
    ecs_add_pair(world, e, Rel, a);
    assert_log("any OnAdd (Rel,A)");
}

static void the_wildcard_event_is_any_event(void **state) {
    ecs_world_t *world = begin(state);
    observe(world, "Foo", EcsWildcard);
    ecs_entity_t e = ecs_new(world), event = named(world, "Event");
    ecs_add(world, e, Foo);
    ecs_emit(
        world, &(ecs_event_desc_t){ .event = event, .entity = e, .ids = &(ecs_type_t){ &Foo, 1 } });
    ecs_remove(world, e, Foo);
    assert_log("OnAdd Foo; Event Foo; OnRemove Foo");
}

// OBS-09
static void replacing_an_exclusive_pair_removes_then_adds(void **state) {
    ecs_world_t *world = begin(state);
    ecs_add_id(world, Rel, EcsExclusive);
    ecs_entity_t a = named(world, "A"), b = named(world, "B"), e = ecs_new(world);
    ecs_observer(world, { .query.terms = { { .first.id = Rel, .second.id = EcsWildcard } },
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = log_event });
    ecs_observer(world, { .query.terms = { { ecs_pair(Rel, b) } },
                            .events = { EcsOnAdd },
                            .callback = log_event,
                            .ctx = (void *)"exact " });
    ecs_add_pair(world, e, Rel, a);
    log_clear();
    ecs_add_pair(world, e, Rel, b);
    assert_log("OnRemove (Rel,A); exact OnAdd (Rel,B); OnAdd (Rel,B)");
}

// OBS-08; QL-21: the macro takes an expression
static void Seen(ecs_iter_t *it) { log_event(it); }
static void the_macro_makes_an_observer_named_as_its_function(void **state) {
    ecs_world_t *world = begin(state);
    ECS_OBSERVER(world, Seen, EcsOnAdd, Node, Size);
    assert_string_equal(ecs_get_name(world, ecs_id(Seen)), "Seen");
    assert_ptr_equal(ecs_observer_get(world, ecs_id(Seen))->callback, Seen);
    assert_null(ecs_observer_get(world, Foo));
    assert_ptr_equal(ecs_get_world(ecs_observer_get(world, ecs_id(Seen))), world);
    assert_true(ecs_get_entity(ecs_observer_get(world, ecs_id(Seen))) == ecs_id(Seen));
    ecs_entity_t e = ecs_new_w(world, Node);
    ecs_add(world, e, Size);
    assert_log("OnAdd Size");
}

// OBS-11
static void a_deleted_observer_is_not_called(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t observer = observe(world, "Node", EcsOnRemove);
    ecs_entity_t parent = ecs_new(world), child = observe(world, "Node", EcsOnRemove);
    ecs_add_pair(world, child, EcsChildOf, parent);
    ecs_entity_t e = ecs_new_w(world, Node);
    ecs_delete(world, observer);
    ecs_delete(world, parent);
    ecs_delete(world, e);
    assert_log("");
}

// Before anything of the world goes: what is told is still there as a whole.
static void what_exists_is_told_when_the_world_ends(void **state) {
    (void)state;
    ecs_world_t *world = ecs_mini();
    begin((void **)&world);
    for (int i = 0; i < 3; i++)
        ecs_new_w_pair(world, EcsChildOf, ecs_insert(world, ecs_value(Node, { i })));
    ecs_observer(world, { .query.expr = "Node",
                            .events = { EcsOnRemove },
                            .yield_existing = true,
                            .callback = log_values });
    ecs_fini(world);
    assert_log("OnRemove Node x3=0");
}

static int freed;
static void count_free(void *ctx) { freed += *(int *)ctx; }
static void contexts_are_freed_once(void **state) {
    ecs_world_t *world = begin(state);
    int one = 1, ten = 10, hundred = 100, thousand = 1000;
    freed = 0;
    ecs_entity_t o = ecs_observer(world, { .query.expr = "Node",
                                             .events = { EcsOnAdd },
                                             .callback = log_event,
                                             .ctx = &one,
                                             .ctx_free = count_free,
                                             .callback_ctx = &ten,
                                             .run_ctx = &ten });
    ecs_observer_update(ecs_get_stage(world, 0), o, /* of the world, as well */
        &(ecs_observer_desc_t){ .ctx = &hundred,
            .ctx_free = count_free,
            .callback_ctx_free = count_free,
            .run_ctx = &thousand,
            .run_ctx_free = count_free });
    assert_int_equal(freed, 1);
    ecs_observer_update(world, o, &(ecs_observer_desc_t){ .ctx = &one }); /* who frees it stays */
    assert_int_equal(freed, 101);
    ecs_delete(world, o);
    assert_int_equal(freed, 1112);
}

static void delete_it(ecs_iter_t *it) {
    for (int i = 0; i < it->count; i++) ecs_delete(it->world, it->entities[i]);
}

// OBS-01: who hears of an observer may refuse it; it is told of what exists only where that waits.
static void an_observer_may_be_deleted_while_it_is_made(void **state) {
    ecs_world_t *world = begin(state);
    ecs_set(world, ecs_new(world), Node, { 1 });
    int unit = 1;
    ecs_entity_t heard[] = { EcsObserver, ecs_pair(ecs_id(EcsPoly), EcsObserver) };
    for (int i = 0; i < 4; i++) {
        ecs_entity_t refuser = ecs_observer(world, { .query.terms = { { .id = heard[i % 2] } },
                                                       .events = { EcsOnAdd },
                                                       .callback = delete_it });
        ecs_observer_desc_t desc = { .query.expr = "Node",
            .events = { EcsOnAdd },
            .yield_existing = true,
            .callback = log_event,
            .run_ctx = &unit,
            .run_ctx_free = count_free };
        freed = 0;
        if (i > 1) ecs_defer_begin(world);
        ecs_entity_t made = ecs_observer_init(world, &desc);
        if (i > 1) ecs_defer_end(world);
        assert_false(made && ecs_is_alive(world, made));
        assert_int_equal(freed, 1);
        assert_log(i > 1 ? "OnAdd Node" : "");
        ecs_delete(world, refuser);
        assert_true(ecs_world_verify(world));
    }
}

static char order[64];
static void note_letter(ecs_iter_t *it) {
    const char letter[] = { *(char *)it->ctx, 0 };
    strcat(order, letter);
}
static void assert_order(const char *expected) {
    assert_string_equal(order, expected);
    order[0] = 0;
}

static ecs_entity_t observe_source(ecs_world_t *world, ecs_entity_t source, ecs_flags64_t flags,
    char *letter, ecs_ctx_free_t ctx_free) {
    return ecs_observer(world, { .query.terms = { { ecs_id(Node), .src.id = source | flags } },
                                   .events = { EcsOnSet },
                                   .callback = note_letter,
                                   .ctx = letter,
                                   .ctx_free = ctx_free });
}

// PRF-01: those who wait for one entity are asked only about that one, in order with the others.
static void observers_of_given_entities_run_in_order_with_others(void **state) {
    ecs_world_t *world = begin(state);
    static char a = 'a', b = 'b', c = 'c', d = 'd', x = 'x', up = 'u';
    ecs_entity_t e = ecs_new(world), f = ecs_new(world), child = ecs_new(world);
    observe_source(world, e, 0, &a, NULL);
    observe_source(world, EcsThis, EcsIsVariable, &x, NULL);
    observe_source(world, f, 0, &b, NULL);
    observe_source(world, child, EcsSelf | EcsUp, &up, NULL);
    ecs_entity_t third = observe_source(world, e, 0, &c, NULL);
    observe_source(world, e, 0, &d, NULL);
    ecs_set(world, e, Node, { 1 });
    assert_order("axcd");
    ecs_set(world, f, Node, { 1 });
    assert_order("xb");
    const ecs_id_t node = ecs_id(Node);
    ecs_emit(world, &(ecs_event_desc_t){ .event = EcsOnSet,
                        .ids = &(ecs_type_t){ ECS_CONST_CAST(ecs_id_t *, &node), 1 },
                        .table = ecs_get_table(world, e) });
    assert_order("axbcd");
    ecs_add_pair(world, child, EcsChildOf, e);
    ecs_delete(world, third);
    order[0] = 0;
    ecs_set(world, e, Node, { 2 });
    assert_order("axdu");
    ecs_delete(world, e);
    ecs_set(world, ecs_new(world), Node, { 3 });
    assert_order("x");
}

// OBS-11: lists of many observers keep some that are gone; they end at once all the same.
static void one_of_many_observers_ends_when_it_is_deleted(void **state) {
    enum { COUNT = 40 };
    ecs_world_t *world = begin(state);
    static char letters[COUNT];
    static int one = 1;
    ecs_entity_t observers[COUNT], e = ecs_new(world);
    for (int i = 0; i < COUNT; i++) {
        letters[i] = (char)('0' + i);
        observers[i] = observe_source(
            world, i % 2 ? e : EcsThis, i % 2 ? 0 : EcsIsVariable, &letters[i], NULL);
        ecs_observer_update(world, observers[i],
            &(ecs_observer_desc_t){ .callback_ctx = &one, .callback_ctx_free = count_free });
    }
    freed = 0;
    for (int i = 0; i < COUNT; i++) {
        if (i % 10 == 9) continue;
        ecs_delete(world, observers[i]);
        assert_int_equal(freed, i + 1 - (i + 1) / 10);
        order[0] = 0;
        ecs_set(world, e, Node, { i });
        assert_int_equal(strlen(order), COUNT - freed);
        assert_null(strchr(order, letters[i]));
    }
    assert_order("9CMW");
    assert_true(ecs_world_verify(world));
}

static ecs_entity_t updated[2];

static void log_number(ecs_iter_t *it) { log_write("%d", *(int *)it->ctx); }
static void log_negated(ecs_iter_t *it) { log_write("%d", -*(int *)it->ctx); }

static void end_number(void *ctx) { *(int *)ctx = 99; }

static void update_others(ecs_iter_t *it) {
    int *number = it->ctx;
    for (int i = 0; i < 2 && *number; i++) {
        ecs_observer_update(it->world, updated[i],
            &(ecs_observer_desc_t){
                .callback = log_negated, .ctx = &number[i], .ctx_free = end_number });
    }
}

// Those who are told of the same event after the one that changed them: of one term, or several.
static void whoever_is_told_next_is_what_it_was_updated_to(void **state) {
    ecs_world_t *world = begin(state);
    int numbers[] = { 1, 2, 3, 4 }, none = 0;
    ecs_entity_t first = ecs_observer(world,
        { .query.expr = "Node", .events = { EcsOnSet }, .callback = update_others, .ctx = &none });
    for (int several = 0; several < 2; several++) {
        for (int i = 0; i < 2; i++)
            updated[i] = ecs_observer(world, { .query.expr = several && i ? "Node, Foo" : "Node",
                                                 .events = { EcsOnSet },
                                                 .callback = log_number,
                                                 .ctx = &numbers[i],
                                                 .ctx_free = end_number });
        ecs_entity_t e = ecs_new_w(world, Foo);
        for (int i = 0; i < 4; i++) {
            log_clear();
            ecs_set(world, e, Node, { 1 });
        }
        assert_log("1; 2");
        ecs_observer_update(world, first, &(ecs_observer_desc_t){ .ctx = &numbers[2] });
        ecs_set(world, e, Node, { 1 });
        assert_log("-3; -4");
        assert_int_equal(numbers[0], 99);
        ecs_observer_update(world, first, &(ecs_observer_desc_t){ .ctx = &none });
        for (int i = 0; i < 2; i++) ecs_delete(world, updated[i]);
        for (int i = 0; i < 4; i++) numbers[i] = i + 1;
    }
}

static void run_once(ecs_iter_t *it) {
    log_write("run");
    while (ecs_iter_next(it)) it->callback(it);
}
static void a_run_function_gets_an_iterator_of_one_result(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t o = ecs_observer(world,
        { .query.expr = "Node", .events = { EcsOnAdd }, .run = run_once, .callback = log_event });
    ecs_new_w(world, Node);
    assert_log("run; OnAdd Node");
    ecs_observer_update(world, o, &(ecs_observer_desc_t){ .callback = log_event });
    ecs_new_w(world, Node);
    assert_log("OnAdd Node");
}

static void observers_can_be_disabled_also_by_their_parents(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t module = named(world, "Module"), inner = ecs_new_w_pair(world, EcsChildOf, module);
    ecs_entity_t o = observe(world, "Foo", EcsOnAdd);
    ecs_enable(world, o, false);
    ecs_new_w(world, Foo);
    assert_log("");
    ecs_enable(world, o, true);
    ecs_new_w(world, Foo);
    assert_log("OnAdd Foo");
    ecs_add_pair(world, o, EcsChildOf, inner);
    ecs_enable(world, module, false);
    ecs_new_w(world, Foo);
    assert_log("");
    ecs_entity_t other = ecs_new(world);
    ecs_add_pair(world, inner, EcsChildOf, other); // from one parent to another
    ecs_new_w(world, Foo);
    assert_log("OnAdd Foo");
    ecs_add_pair(world, inner, EcsChildOf, module);
    ecs_new_w(world, Foo);
    assert_log("");
    ecs_remove_pair(world, inner, EcsChildOf, EcsWildcard);
    ecs_new_w(world, Foo);
    assert_log("OnAdd Foo");
    ecs_add_pair(world, inner, EcsChildOf, module);
    ecs_enable(world, module, true);
    ecs_new_w(world, Foo);
    assert_log("OnAdd Foo");
    ecs_entity_t disabled = ecs_new_w_id(world, EcsDisabled);
    ecs_observer(world, { .entity = disabled,
                            .query.expr = "Foo",
                            .events = { EcsOnAdd },
                            .callback = log_event,
                            .ctx = (void *)"late " });
    ecs_new_w(world, Foo);
    assert_log("OnAdd Foo");
    ecs_enable(world, disabled, true);
    ecs_new_w(world, Foo);
    assert_log("OnAdd Foo; late OnAdd Foo");
}

// Of the ways from table to table that entities without observers below them went before; also for children by component.
static void parents_can_disable_observers_again_and_again(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t other = ecs_new(world), module = ecs_new(world), inner = ecs_new(world);
    for (int i = 0; i < 4; i++) ecs_enable(world, other, i & 1);
    ecs_add_pair(world, ecs_new(world), EcsChildOf, other);
    ecs_add_pair(world, observe(world, "Foo", EcsOnAdd), EcsChildOf, inner);
    ecs_set(world, inner, EcsParent, { module });
    for (int i = 0; i < 8; i++) {
        ecs_enable(world, i < 4 ? module : inner, i & 1);
        ecs_new_w(world, Foo);
        assert_log(i & 1 ? "OnAdd Foo" : "");
        ecs_enable(world, other, i & 1);
    }
}

static void count_told(ecs_iter_t *it) { *(int *)it->ctx += it->count; }

// As many as are applied together when they are merged.
static void many_observers_can_be_disabled_together(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t observers[20];
    int told = 0;
    for (int i = 0; i < 20; i++)
        observers[i] = ecs_observer(world,
            { .query.expr = "Foo", .events = { EcsOnAdd }, .callback = count_told, .ctx = &told });
    for (int enabled = 0; enabled < 2; enabled++) {
        ecs_defer_begin(world);
        for (int i = 0; i < 20; i++) ecs_enable(world, observers[i], enabled);
        ecs_defer_end(world);
        ecs_new_w(world, Foo);
        assert_int_equal(told, enabled ? 20 : 0);
    }
}

static void prefabs_and_disabled_entities_do_not_trigger(void **state) {
    ecs_world_t *world = begin(state);
    observe(world, "Node", EcsOnAdd);
    ecs_add(world, ecs_new_w_id(world, EcsPrefab), Node);
    ecs_add(world, ecs_new_w_id(world, EcsDisabled), Node);
    assert_log("");
    observe(world, "Node, Prefab", EcsOnAdd);
    ecs_add(world, ecs_new_w_id(world, EcsPrefab), Node);
    assert_log("OnAdd Node=0");
}

static void observers_run_in_the_order_they_were_made(void **state) {
    ecs_world_t *world = begin(state);
    static char names[5][4] = { "a ", "b ", "c ", "d ", "e " };
    ecs_entity_t o[5];
    for (int i = 0; i < 5; i++)
        o[i] = ecs_observer(world, { .query.expr = "Foo",
                                       .events = { EcsOnAdd },
                                       .callback = log_event,
                                       .ctx = names[i] });
    ecs_delete(world, o[1]);
    ecs_new_w(world, Foo);
    assert_log("a OnAdd Foo; c OnAdd Foo; d OnAdd Foo; e OnAdd Foo");
}

static void a_bulk_of_entities_is_one_call(void **state) {
    ecs_world_t *world = begin(state);
    int64_t ran = ecs_get_world_info(world)->observers_ran_total;
    observe_all(world, "Node");
    ecs_bulk_new(world, Node, 10);
    assert_log("OnAdd Node x10=0");
    int values[] = { 3, 4 };
    ecs_bulk_init(world,
        &(ecs_bulk_desc_t){ .count = 2, .ids = { ecs_id(Node) }, .data = (void *[]){ values } });
    assert_log("OnAdd Node x2=3; OnSet Node x2=3");
    assert_int_equal(ecs_get_world_info(world)->observers_ran_total - ran, 3);
    int count = 0;
    ecs_observer(world, { .query.expr = "Node",
                            .events = { EcsOnRemove },
                            .callback = count_observed,
                            .ctx = &count });
    ecs_delete_with(world, ecs_id(Node));
    assert_int_equal(count, 12);
    log_clear();
}

// OBS-02: an entity that matches in several ways matches once.
static void monitors_yield_entities_once(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t e = named(world, "E"), both = ecs_new_w(world, Foo);
    ecs_add_pair(world, e, Rel, Foo);
    ecs_add_pair(world, e, Rel, Bar);
    ecs_add_pair(world, both, Rel, e);
    const char *exprs[] = { "(Rel, *)", "(Rel, $x)" };
    for (int i = 0; i < 2; i++) {
        static int count;
        count = 0;
        ecs_entity_t o = ecs_observer(world, { .query.expr = exprs[i],
                                                 .events = { EcsMonitor },
                                                 .yield_existing = true,
                                                 .callback = count_observed,
                                                 .ctx = &count });
        assert_int_equal(count, 2);
        ecs_delete(world, o);
        assert_int_equal(count, 4);
    }
}

static bool has_grown;
static ecs_entity_t watched;
static int watched_value;
static void watch(ecs_iter_t *it) {
    const int *values = it->ptrs[0];
    for (int i = 0; i < it->count; i++) {
        if (it->entities[i] == watched) watched_value = values[i];
    }
}

static void make_many(ecs_iter_t *it) {
    enum { MANY = 3000 };
    static int values[MANY];
    if (has_grown) return;
    has_grown = true;
    ecs_bulk_desc_t desc = { .count = MANY, .ids = { it->event_id }, .data = (void *[]){ values } };
    const ecs_entity_t *made = ecs_bulk_init(it->real_world, &desc);
    assert_non_null(made);
    assert_false(ecs_has_id(it->world, made[0], it->event_id));
}

// OBS-01: what observers make in bulk comes to tables that others are told of, or that are deleted, when that is done.
static void bulks_in_observers_wait(void **state) {
    ecs_world_t *world = begin(state);
    for (int i = 0; i < 3; i++) {
        ecs_entity_t event = i ? EcsOnRemove : EcsOnSet, o[2];
        watched = ecs_insert(world, ecs_value(Node, { 3 }));
        has_grown = false;
        o[0] = ecs_observer(
            world, { .query.expr = "Node", .events = { event }, .callback = make_many });
        o[1] =
            ecs_observer(world, { .query.expr = "Node", .events = { event }, .callback = watch });
        watched_value = 0;
        if (i == 0) ecs_set(world, watched, Node, { 4 });
        if (i == 1) ecs_delete_with(world, ecs_id(Node));
        if (i == 2) ecs_remove_all(world, ecs_id(Node));
        assert_int_equal(watched_value, i ? 3 : 4);
        assert_true(ecs_world_verify(world));
        assert_int_equal(ecs_count(world, Node), i ? 3000 : 3001);
        ecs_delete(world, o[0]);
        ecs_delete(world, o[1]);
        ecs_delete_with(world, ecs_id(Node));
    }
}

static void add_foo(ecs_iter_t *it) {
    for (int i = 0; i < it->count; i++) ecs_add(it->world, it->entities[i], Foo);
}

// OBS-01: observers move the entities of a bulk, whose ids are returned all the same.
static void bulks_return_what_observers_moved(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(world, { .query.expr = "Node", .events = { EcsOnAdd }, .callback = add_foo });
    const ecs_entity_t *made = ecs_bulk_new(world, Node, 3);
    for (int i = 0; i < 3; i++) {
        assert_true(ecs_is_alive(world, made[i]) && ecs_has(world, made[i], Foo));
        assert_int_equal((int)made[i], (int)made[0] + i);
    }
}

static void make_observer_of_foo(ecs_iter_t *it) { observe(it->real_world, "Foo", EcsOnAdd); }

// OBS-01: whatever the query of an observer is about, and wherever entities are, observers may make others.
static void observers_make_observers(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t thin = ecs_new_w_id(world, EcsDontFragment);
    ecs_observer(world, { .query.terms = { { .id = thin }, { .id = Foo, .oper = EcsNot } },
                            .events = { EcsOnAdd },
                            .callback = make_observer_of_foo });
    ecs_entity_t e = ecs_new(world);
    ecs_add_id(world, e, thin);
    ecs_add(world, e, Foo);
    assert_log("OnAdd Foo");
}

static ecs_entity_t parent_of_many;
static void make_children(ecs_iter_t *it) {
    if (has_grown) return;
    has_grown = true;
    for (int i = 0; i < 3000; i++) ecs_new_w_parent(it->world, parent_of_many, NULL);
}

// OBS-01: children come at once, and the table of who is told of lies elsewhere then.
static void observers_see_values_after_others_made_children(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t other = ecs_new(world);
    parent_of_many = ecs_new(world);
    watched = ecs_new_w_parent(world, parent_of_many, NULL);
    has_grown = false;
    ecs_observer(
        world, { .query.expr = "Parent", .events = { EcsOnSet }, .callback = make_children });
    ecs_observer(world, { .query.expr = "Parent", .events = { EcsOnSet }, .callback = watch });
    ecs_set(world, watched, EcsParent, { other });
    assert_int_equal(watched_value, (int)other);
}

// A tag of another entity has no value that an index could be wrong for.
static void rows_next_to_a_tag_of_another_entity_are_one_call(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t game = named(world, "Game");
    ecs_add(world, game, Foo);
    ecs_add(world, game, Node);
    observe(world, "Size, Foo(Game)", EcsOnAdd);
    ecs_bulk_new(world, Size, 10);
    assert_log("OnAdd Size x10 ^Game=0");
    observe(world, "Size, Bar, Node(Game)", EcsOnAdd);
    int sizes[] = { 3, 4 };
    ecs_bulk_init(
        world, &(ecs_bulk_desc_t){
                   .count = 2, .ids = { ecs_id(Size), Bar }, .data = (void *[]){ sizes, NULL } });
    assert_log("OnAdd Size x2 ^Game=3; OnAdd Size ^Game=3=0; OnAdd Size ^Game=4=0");
}

static void a_known_source_hears_only_of_itself(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t e[3];
    for (int i = 0; i < 3; i++) {
        e[i] = ecs_new(world);
        ecs_set(world, e[i], Node, { i });
    }
    ecs_observer(world, { .query.terms = { { .id = ecs_id(Node), .src.id = e[1] } },
                            .events = { EcsOnSet },
                            .callback = log_event });
    for (int i = 0; i < 3; i++) ecs_modified(world, e[i], Node);
    assert_log("OnSet Node x0 ^?");
}

static void what_exists_can_be_told_at_creation_and_deletion(void **state) {
    ecs_world_t *world = begin(state);
    for (int i = 0; i < 3; i++) {
        ecs_entity_t e = ecs_new(world);
        ecs_set(world, e, Node, { i });
        if (i == 2) ecs_add(world, e, Foo);
    }
    ecs_entity_t o = ecs_observer(world, { .query.expr = "Node",
                                             .events = { EcsOnAdd, EcsOnRemove },
                                             .yield_existing = true,
                                             .callback = log_values });
    assert_log("OnAdd Node x2=0; OnAdd Node=2");
    ecs_delete(world, o);
    assert_log("OnRemove Node x2=0; OnRemove Node=2");
    ecs_entity_t m = ecs_observer(world, { .query.expr = "Node, Foo",
                                             .events = { EcsMonitor },
                                             .yield_existing = true,
                                             .callback = log_values });
    assert_log("OnAdd Node=2");
    ecs_delete(world, m);
    assert_log("OnRemove Node=2");
    ecs_observer_desc_t tags = {
        .query.expr = "Foo", .events = { EcsOnSet }, .yield_existing = true, .callback = log_event
    };
    ecs_observer_init(world, &tags); /* tags have no values to set */
    assert_log("OnAdd Foo");
    tags.events[1] = EcsOnAdd;
    ecs_observer_init(world, &tags);
    assert_log("OnAdd Foo");
}

static void spread_foo(ecs_iter_t *it) {
    log_event(it);
    assert_true(ecs_is_deferred(it->world));
    for (int i = 0; i < it->count; i++) ecs_add(it->world, it->entities[i], Foo);
    assert_false(ecs_has(it->world, it->entities[0], Foo));
}
static void changes_of_callbacks_are_applied_before_the_outer_call_returns(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(world, { .query.expr = "Node", .events = { EcsOnAdd }, .callback = spread_foo });
    observe(world, "Foo", EcsOnAdd);
    ecs_entity_t e = ecs_new_w(world, Node);
    assert_true(ecs_has(world, e, Foo));
    assert_log("OnAdd Node; OnAdd Foo");
}

static void delete_itself(ecs_iter_t *it) {
    log_event(it);
    ecs_delete(it->world, it->system);
}
static void an_observer_may_delete_itself_and_make_others(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(world, { .query.expr = "Foo", .events = { EcsOnAdd }, .callback = delete_itself });
    ecs_new_w(world, Foo);
    ecs_new_w(world, Foo);
    assert_log("OnAdd Foo");
}

static void make_another(ecs_iter_t *it) {
    log_event(it);
    ecs_observer(it->world, { .query.expr = "Foo", .events = { EcsOnAdd }, .callback = log_event });
}
static void an_observer_made_by_an_observer_hears_of_the_next_event(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(world, { .query.expr = "Foo", .events = { EcsOnAdd }, .callback = make_another });
    ecs_new_w(world, Foo);
    assert_log("OnAdd Foo");
    ecs_new_w(world, Foo);
    assert_log("OnAdd Foo; OnAdd Foo");
}

static void folded_commands_tell_what_remains(void **state) {
    ecs_world_t *world = begin(state);
    observe_all(world, "Foo");
    observe_all(world, "Node");
    ecs_entity_t e = ecs_new(world);
    ecs_defer_begin(world);
    ecs_add(world, e, Foo);
    ecs_remove(world, e, Foo);
    ecs_set(world, e, Node, { 1 });
    ecs_set(world, e, Node, { 2 });
    assert_log("");
    ecs_defer_end(world);
    assert_log("OnAdd Node=2; OnSet Node=2; OnSet Node=2");
}

static void go_on(void) {}

// What cannot be copied stays one object, also where checks go on.
static void a_clone_of_an_observer_is_none(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t observer = observe(world, "Foo", EcsOnAdd);
    void (*abort)(void) = ecs_os_api.abort_;
    ecs_os_api.abort_ = go_on;
    expect_error(ECS_INVALID_OPERATION, "copied", ecs_clone(world, 0, observer, true));
    ecs_os_api.abort_ = abort;
    ecs_delete(world, observer);
    ecs_add(world, ecs_new(world), Foo);
    assert_log("");
}

static void misuse_is_named(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t e = ecs_new(world);
    expect_abort_saying(ECS_INVALID_PARAMETER, "callback",
        ecs_observer(world, { .query.expr = "Foo", .events = { EcsOnAdd } }));
    expect_abort_saying(ECS_INVALID_PARAMETER, "event",
        ecs_observer(world, { .query.expr = "Foo", .callback = log_event }));
    expect_abort_saying(ECS_INVALID_PARAMETER, "term",
        ecs_observer(world, { .events = { EcsOnAdd }, .callback = log_event }));
    expect_abort_saying(ECS_INVALID_PARAMETER, "Monitor",
        ecs_observer(world,
            { .query.expr = "Foo", .events = { EcsMonitor, EcsOnAdd }, .callback = log_event }));
    expect_abort_saying(ECS_INVALID_PARAMETER, "event",
        ecs_emit(world, &(ecs_event_desc_t){ .event = EcsWildcard, .entity = e }));
    expect_abort_saying(ECS_INVALID_PARAMETER, "entity or a table",
        ecs_emit(world, &(ecs_event_desc_t){ .event = Foo }));
    expect_abort_saying(ECS_UNSUPPORTED, "trigger", observe(world, "Node($x), Foo($x)", EcsOnAdd));
    ecs_entity_t o = observe(world, "Node", EcsOnAdd);
    expect_abort_saying(ECS_INVALID_PARAMETER, "not initialised",
        ecs_observer_update(world, o, &(ecs_observer_desc_t){ ._canary = 1 }));
    (void)o;
    ecs_log_set_level(-4);
    assert_int_equal(observe(world, "Missing", EcsOnAdd), 0);
    ecs_log_set_level(-1);
    (void)e;
}

static void swap_foo(ecs_iter_t *it) {
    ecs_entity_t e = it->entities[0];
    ++*(int *)it->ctx;
    if (it->event == EcsOnAdd)
        ecs_remove_id(it->world, e, Foo);
    else
        ecs_add_id(it->world, e, Foo);
}
static void observers_that_answer_each_other_with_commands_end(void **state) {
    ecs_world_t *world = begin(state);
    static int told; /* the end of the world tells, too */
    told = 0;
    ecs_observer(world, { .query.expr = "Foo",
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = swap_foo,
                            .ctx = &told });
    ecs_log_set_level(-4);
    ecs_entity_t e = ecs_new_w(world, Foo);
    ecs_log_set_level(-1);
    assert_int_equal(ecs_log_last_error(), ECS_INVALID_OPERATION);
    assert_true(ecs_is_alive(world, e) && told > 1000);
}

static bool has_size;
static void note_size(ecs_iter_t *it) { has_size = ecs_field_size(it, 0) == sizeof(Node); }

// OBS-01: a value in a set has the size of its type.
static void values_beside_columns_have_a_size(void **state) {
    ecs_world_t *world = begin(state);
    ecs_add_id(world, ecs_id(Node), EcsSparse);
    ecs_observer(world, { .query.expr = "Node", .events = { EcsOnSet }, .callback = note_size });
    has_size = false;
    ecs_set(world, ecs_new(world), Node, { 1 });
    assert_true(has_size);
}

static void hooks_come_first_except_for_removal(void **state) {
    ecs_world_t *world = begin(state);
    ecs_set_hooks(world, Node, { .on_add = log_hook, .on_set = log_hook, .on_remove = log_hook });
    observe_all(world, "Node");
    ecs_entity_t e = ecs_new(world);
    ecs_set(world, e, Node, { 1 });
    assert_log("hook OnAdd Node; OnAdd Node=0; hook OnSet Node; OnSet Node=1");
    ecs_remove(world, e, Node);
    assert_log("OnRemove Node=1; hook OnRemove Node");
}

static ecs_entity_t victim;
static void delete_victim_now(ecs_iter_t *it) {
    log_event(it);
    if (!victim) return;
    ecs_defer_suspend(it->world);
    ecs_delete(it->world, victim);
    ecs_defer_resume(it->world);
    victim = 0;
}
static void an_observer_that_dies_while_others_run_is_passed_over(void **state) {
    for (int is_event = 0; is_event < 2; is_event++) { /* along a route, and in the general way */
        ecs_world_t *world = is_event ? *state : begin(state);
        ecs_entity_t event = is_event ? Bar : EcsOnAdd, e = ecs_new(world);
        ecs_entity_t killer = ecs_observer(world, { .query.terms = { { Foo } },
                                                      .events = { event },
                                                      .callback = delete_victim_now,
                                                      .ctx = "killer " });
        victim = observe(world, "Foo", event);
        ecs_entity_t last = observe(world, "Foo", event);
        ecs_add(world, e, Foo);
        ecs_event_desc_t desc = { .event = event, .ids = &(ecs_type_t){ &Foo, 1 }, .entity = e };
        if (is_event) ecs_emit(world, &desc);
        assert_log(is_event ? "killer Bar Foo; Bar Foo" : "killer OnAdd Foo; OnAdd Foo");
        ecs_delete(world, killer);
        ecs_delete(world, last);
    }
}

static void delete_entities(ecs_iter_t *it) {
    log_event(it);
    for (int i = 0; i < it->count; i++) ecs_delete(it->world, it->entities[i]);
}
static void entities_that_callbacks_delete_are_told_to_the_others_first(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(
        world, { .query.expr = "Foo", .events = { EcsOnAdd }, .callback = delete_entities });
    observe_all(world, "Foo");
    observe_all(world, "Node");
    ecs_entity_t a = ecs_new(world), b = ecs_new(world);
    ecs_add(world, a, Foo);
    assert_log("OnAdd Foo; OnAdd Foo; OnRemove Foo");
    ecs_defer_begin(world);
    ecs_set(world, b, Node, { 3 });
    ecs_add(world, b, Foo);
    ecs_defer_end(world);
    assert_log("OnAdd Node=3; OnAdd Foo; OnAdd Foo; OnSet Node=3; OnRemove Node=3; OnRemove Foo");
    assert_false(ecs_is_alive(world, a) || ecs_is_alive(world, b));
}

static void remove_what_is_told(ecs_iter_t *it) {
    log_event(it);
    for (int i = 0; i < it->count; i++) ecs_remove_id(it->world, it->entities[i], it->event_id);
}
static void what_exists_is_told_before_callbacks_change_it(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t e[3];
    for (int i = 0; i < 3; i++) ecs_set(world, e[i] = ecs_new(world), Node, { i });
    ecs_add(world, e[2], Foo);
    ecs_observer(world, { .query.expr = "Node",
                            .events = { EcsOnAdd },
                            .yield_existing = true,
                            .callback = remove_what_is_told });
    assert_log("OnAdd Node x2; OnAdd Node");
    assert_false(ecs_has(world, e[0], Node) || ecs_has(world, e[2], Node));
}

static void run_all(ecs_iter_t *it) {
    while (ecs_iter_next(it)) count_observed(it);
}

static void a_query_is_not_evaluated_if_the_observer_says_so(void **state) {
    ecs_world_t *world = begin(state);
    int told = 0, matched = 0;
    ecs_observer_desc_t desc = {
        .query.expr = "Foo, Bar", .events = { EcsOnAdd }, .run = run_all, .ctx = &matched
    };
    ecs_observer_init(world, &desc);
    desc.flags_ = EcsObserverBypassQuery;
    desc.ctx = &told;
    ecs_observer_init(world, &desc);
    ecs_entity_t e = ecs_new_w_id(world, Foo);
    assert_true(told == 1 && matched == 0);
    ecs_add_id(world, e, Bar);
    assert_true(told == 2 && matched == 1);
}

// What callbacks do is applied after the change they are told of, so a value that is set while it goes comes again. OBS-04 DEF-07 CMP-04
static const Node again = { 77 };
static void set_again(ecs_iter_t *it) {
    ecs_set_id(it->world, it->entities[0], it->event_id, sizeof again, &again);
}
static void ensure_again(ecs_iter_t *it) {
    Node *node = ecs_ensure_id(it->world, it->entities[0], it->event_id, sizeof again);
    *node = again;
}
static void lose(ecs_world_t *world, ecs_entity_t e, ecs_id_t id, bool defers) {
    ecs_set_id(world, e, id, sizeof(Node), &(Node){ 1 });
    if (defers) ecs_defer_begin(world);
    ecs_remove_id(world, e, id);
    if (defers) ecs_defer_end(world);
    const Node *node = ecs_get_id(world, e, id);
    assert_true(node && node->value == 77);
}
static void lose_in_all_ways(ecs_world_t *world, ecs_id_t id) {
    ecs_entity_t e = ecs_new(world);
    lose(world, e, id, false);
    lose(world, e, id, false); /* the same walk */
    lose(world, e, id, true);
    ecs_clear(world, e);
    assert_true(ecs_has_id(world, e, id));
    ecs_delete(world, e);
    assert_false(ecs_is_alive(world, e));
}
static void values_set_while_they_go_come_again(void **state) {
    ecs_world_t *world = begin(state);
    ecs_add_id(world, ecs_id(Size), EcsSparse);
    const ecs_iter_action_t callbacks[] = { set_again, ensure_again };
    for (int i = 0; i < 4; i++) {
        ecs_id_t id = i < 2 ? ecs_id(Node) : ecs_id(Size);
        ecs_entity_t observer = ecs_observer(world,
            { .query.terms = { { id } }, .events = { EcsOnRemove }, .callback = callbacks[i % 2] });
        lose_in_all_ways(world, id);
        ecs_delete(world, observer);
    }
    ecs_set_hooks(world, Message, { .on_remove = set_again });
    lose_in_all_ways(world, ecs_id(Message));
}

// Also a value that a later command of the same flush takes away. DEF-07 CMP-04
static void set_of_context(ecs_iter_t *it) {
    ecs_set_id(it->world, *(ecs_entity_t *)it->ctx, ecs_id(Node), sizeof again, &again);
}
static void values_set_before_they_are_removed_by_the_flush_come_again(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t other = ecs_new_w(world, Node), e = ecs_new(world);
    ecs_observer(world,
        { .query.expr = "Foo", .events = { EcsOnAdd }, .callback = set_of_context, .ctx = &other });
    ecs_defer_begin(world);
    ecs_add(world, e, Foo);
    ecs_remove(world, other, Node);
    ecs_defer_end(world);
    const Node *node = ecs_get(world, other, Node);
    assert_true(node && node->value == 77);
}

static int ends;
static void on_end(ecs_iter_t *it) {
    assert_int_equal(ecs_is_fini(it->world), it->event == EcsOnRemove); /* TDN-05: it has begun */
    if (it->event != EcsOnRemove) return;
    ends += it->count;
    ecs_delete(it->world, it->entities[0]);
}

// What they change while the world ends is told to nobody who was told of the end already.
static void yielding_observers_hear_of_the_end_once(void **state) {
    (void)state;
    ecs_world_t *world = ecs_mini();
    ecs_entity_t tag = ecs_new(world);
    ecs_observer(world, { .query.terms = { { tag } },
                            .events = { EcsMonitor },
                            .yield_existing = true,
                            .callback = on_end });
    ecs_new_w_id(world, tag);
    ends = 0;
    ecs_fini(world);
    assert_int_equal(ends, 1);
}

// 05 section 5: one flag for each of both ends; who is disabled is told of neither.
static void who_yields_when_is_up_to_flags(void **state) {
    ecs_world_t *world = begin(state);
    static const struct {
        ecs_flags32_t flags;
        bool is_disabled;
        const char *made, *deleted;
    } cases[] = { { EcsObserverYieldOnCreate, false, "OnAdd Node=7", "" },
        { EcsObserverYieldOnDelete, false, "", "OnRemove Node=7" },
        { EcsObserverYieldOnCreate | EcsObserverYieldOnDelete, true, "", "" } };
    ecs_set(world, ecs_new(world), Node, { 7 });
    for (int i = 0; i < 6; i++) {
        ecs_observer_desc_t desc = { .query.expr = "Node",
            .events = { EcsOnAdd, EcsOnRemove },
            .flags_ = cases[i / 2].flags,
            .entity = ecs_new(world),
            .callback = log_values };
        if (i & 1) desc.events[0] = EcsMonitor, desc.events[1] = 0;
        ecs_enable(world, desc.entity, !cases[i / 2].is_disabled);
        ecs_observer_init(world, &desc);
        assert_log(cases[i / 2].made);
        ecs_delete(world, desc.entity);
        assert_log(cases[i / 2].deleted);
    }
}

// OBS-03, 05 section 3: whoever waits for any event, or for as many as there may be, hears of absences as others do.
static void any_event_inverts_as_adds_and_removes_do(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t p = named(world, "P"), e = ecs_new(world);
    static const char *const exprs[] = { "Foo, !Bar", "Foo, !Bar(up ChildOf)" };
    for (int i = 0; i < 4; i++) {
        ecs_observer_desc_t desc = { .query.expr = exprs[i / 2], .callback = log_event };
        desc.events[0] = i & 1 ? EcsWildcard : EcsOnAdd;
        if (!(i & 1)) desc.events[7] = EcsOnRemove;
        for (int k = 1; !(i & 1) && k < 7; k++) desc.events[k] = ecs_new(world);
        ecs_observer_init(world, &desc);
    }
    ecs_add(world, e, Foo);
    assert_log("OnAdd Foo; OnAdd Foo; OnAdd Foo; OnAdd Foo");
    ecs_add(world, e, Bar);
    assert_log("OnRemove Bar; OnRemove Bar");
    ecs_remove(world, e, Bar);
    assert_log("OnAdd Bar; OnAdd Bar");
    ecs_add_pair(world, e, EcsChildOf, p);
    ecs_add(world, p, Bar);
    assert_log("OnRemove Bar; OnRemove Bar");
    ecs_remove_pair(world, e, EcsChildOf, p);
    assert_log("OnAdd Bar; OnAdd Bar");
}

// OBS-03: what is optional together tells nobody.
static void optional_scopes_trigger_nothing(void **state) {
    ecs_world_t *world = begin(state);
    observe_all(world, "Node, ?{ Foo, !{ Bar } }");
    ecs_entity_t e = ecs_new_w(world, Foo);
    ecs_set(world, e, Node, { 1 });
    assert_log("OnAdd Node=0; OnSet Node=1");
    ecs_add(world, e, Bar);
    ecs_remove(world, e, Foo);
    ecs_remove(world, e, Bar);
    assert_log("");
    ecs_remove(world, e, Node);
    assert_log("OnRemove Node=1");
}

// D-30: rows with values of their own beside one of a parent come at once where the query is instanced.
static void instanced_observers_are_told_of_rows_together(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t p = named(world, "P");
    ecs_set(world, p, Size, { 3 });
    for (int i = 0; i < 2; i++)
        ecs_observer(world, { .query = { .expr = "Node, Size(up)", .instanced = i },
                                .events = { EcsOnAdd },
                                .callback = log_event });
    ecs_bulk_init(
        world, &(ecs_bulk_desc_t){ .count = 2, .ids = { ecs_id(Node), ecs_pair(EcsChildOf, p) } });
    assert_log("OnAdd Node ^P; OnAdd Node ^P; OnAdd Node x2 ^P");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(adds_sets_and_removes_are_told),
        mini_world_test(a_tag_is_set_by_being_added),
        mini_world_test(wildcards_tell_the_concrete_id),
        mini_world_test(star_is_for_plain_ids_and_any_for_all),
        mini_world_test(the_wildcard_event_is_any_event),
        mini_world_test(replacing_an_exclusive_pair_removes_then_adds),
        mini_world_test(the_macro_makes_an_observer_named_as_its_function),
        mini_world_test(a_deleted_observer_is_not_called),
        mini_world_test(contexts_are_freed_once),
        mini_world_test(an_observer_may_be_deleted_while_it_is_made),
        mini_world_test(observers_of_given_entities_run_in_order_with_others),
        mini_world_test(one_of_many_observers_ends_when_it_is_deleted),
        mini_world_test(a_run_function_gets_an_iterator_of_one_result),
        mini_world_test(observers_can_be_disabled_also_by_their_parents),
        mini_world_test(whoever_is_told_next_is_what_it_was_updated_to),
        mini_world_test(parents_can_disable_observers_again_and_again),
        mini_world_test(many_observers_can_be_disabled_together),
        mini_world_test(prefabs_and_disabled_entities_do_not_trigger),
        mini_world_test(observers_run_in_the_order_they_were_made),
        mini_world_test(a_bulk_of_entities_is_one_call),
        mini_world_test(monitors_yield_entities_once),
        mini_world_test(bulks_in_observers_wait),
        mini_world_test(bulks_return_what_observers_moved),
        mini_world_test(observers_make_observers),
        mini_world_test(observers_see_values_after_others_made_children),
        mini_world_test(rows_next_to_a_tag_of_another_entity_are_one_call),
        mini_world_test(a_known_source_hears_only_of_itself),
        mini_world_test(what_exists_can_be_told_at_creation_and_deletion),
        mini_world_test(what_exists_is_told_when_the_world_ends),
        mini_world_test(changes_of_callbacks_are_applied_before_the_outer_call_returns),
        mini_world_test(an_observer_may_delete_itself_and_make_others),
        mini_world_test(an_observer_made_by_an_observer_hears_of_the_next_event),
        mini_world_test(folded_commands_tell_what_remains),
        mini_world_test(a_clone_of_an_observer_is_none),
        mini_world_test(misuse_is_named),
        mini_world_test(observers_that_answer_each_other_with_commands_end),
        mini_world_test(values_beside_columns_have_a_size),
        mini_world_test(hooks_come_first_except_for_removal),
        mini_world_test(an_observer_that_dies_while_others_run_is_passed_over),
        mini_world_test(entities_that_callbacks_delete_are_told_to_the_others_first),
        mini_world_test(what_exists_is_told_before_callbacks_change_it),
        mini_world_test(a_query_is_not_evaluated_if_the_observer_says_so),
        mini_world_test(who_yields_when_is_up_to_flags),
        mini_world_test(any_event_inverts_as_adds_and_removes_do),
        mini_world_test(optional_scopes_trigger_nothing),
        mini_world_test(instanced_observers_are_told_of_rows_together),
        mini_world_test(values_set_while_they_go_come_again),
        mini_world_test(values_set_before_they_are_removed_by_the_flush_come_again),
        cmocka_unit_test(yielding_observers_hear_of_the_end_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
