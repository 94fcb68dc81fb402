// SPDX-License-Identifier: MIT
// Observers and events: features.md area OBS, TCS-14, CLN-13, CLN-14, TDN-02, TDN-05.
#include "support/world.h"

#include "support/abort.h"
#include "support/check.h"
#include "support/event_log.h"

typedef struct Node {
    int value;
} Node;
typedef struct Size {
    int value;
} Size;
typedef struct Message {
    int value;
} Message;

static ECS_COMPONENT_DECLARE(Node);
static ECS_COMPONENT_DECLARE(Size);
static ECS_COMPONENT_DECLARE(Message);
static ECS_TAG_DECLARE(Foo);
static ECS_TAG_DECLARE(Bar);
static ECS_TAG_DECLARE(Rel);

static ecs_world_t *begin(void **state) {
    ecs_world_t *world = *state;
    ecs_id(Node) = ecs_id(Size) = ecs_id(Message) = 0;
    Foo = Bar = Rel = 0;
    ECS_COMPONENT_DEFINE(world, Node);
    ECS_COMPONENT_DEFINE(world, Size);
    ECS_COMPONENT_DEFINE(world, Message);
    ECS_TAG_DEFINE(world, Foo);
    ECS_TAG_DEFINE(world, Bar);
    ECS_TAG_DEFINE(world, Rel);
    log_clear();
    return world;
}

static ecs_entity_t observe(ecs_world_t *world, const char *expr, ecs_entity_t event) {
    return ecs_observer(world, { .query.expr = expr, .events = { event }, .callback = log_values });
}

static ecs_entity_t observe_all(ecs_world_t *world, const char *expr) {
    return ecs_observer(world, { .query.expr = expr,
                                   .events = { EcsOnAdd, EcsOnSet, EcsOnRemove },
                                   .callback = log_values });
}

static ecs_entity_t named(ecs_world_t *world, const char *name) {
    return ecs_entity(world, { .name = name });
}

// ---- single terms ----

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

// OBS-04
static void a_value_is_readable_while_it_is_removed(void **state) {
    ecs_world_t *world = begin(state);
    observe(world, "Node", EcsOnRemove);
    ecs_entity_t e[3];
    for (int i = 0; i < 3; i++) {
        e[i] = ecs_new(world);
        ecs_set(world, e[i], Node, { i });
    }
    ecs_remove(world, e[0], Node);
    ecs_clear(world, e[1]);
    ecs_delete(world, e[2]);
    assert_log("OnRemove Node=0; OnRemove Node=1; OnRemove Node=2");
    ecs_set(world, e[0], Node, { 9 });
    log_clear();
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

// OBS-10, TCS-14
static void deleting_a_target_tells_every_source(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t target = named(world, "T");
    for (int i = 0; i < 3; i++) ecs_new_w_pair(world, Rel, target);
    observe(world, "(Rel, *)", EcsOnRemove);
    ecs_delete(world, target);
    assert_log("OnRemove (Rel,T); OnRemove (Rel,T); OnRemove (Rel,T)");
}

// OBS-08; QL-21: the macro takes an expression
static void Seen(ecs_iter_t *it) { log_event(it); }
static void the_macro_makes_an_observer_named_as_its_function(void **state) {
    ecs_world_t *world = begin(state);
    ECS_OBSERVER(world, Seen, EcsOnAdd, Node, Size);
    assert_string_equal(ecs_get_name(world, ecs_id(Seen)), "Seen");
    assert_ptr_equal(ecs_observer_get(world, ecs_id(Seen))->callback, Seen);
    assert_null(ecs_observer_get(world, Foo));
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

static int freed;
static void count_free(void *ctx) { freed += *(int *)ctx; }
static void contexts_are_freed_once(void **state) {
    ecs_world_t *world = begin(state);
    int one = 1, ten = 10, hundred = 100;
    freed = 0;
    ecs_entity_t o = ecs_observer(world, { .query.expr = "Node",
                                             .events = { EcsOnAdd },
                                             .callback = log_event,
                                             .ctx = &one,
                                             .ctx_free = count_free,
                                             .callback_ctx = &ten,
                                             .callback_ctx_free = count_free });
    ecs_observer_update(
        world, o, &(ecs_observer_desc_t){ .ctx = &hundred, .ctx_free = count_free });
    assert_int_equal(freed, 1);
    ecs_delete(world, o);
    assert_int_equal(freed, 111);
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

static void count_observed(ecs_iter_t *it) { *(int *)it->ctx += it->count; }
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

// ---- several terms ----

static void all_terms_must_match(void **state) {
    ecs_world_t *world = begin(state);
    observe_all(world, "Node, Size");
    ecs_entity_t e = ecs_new(world);
    ecs_set(world, e, Node, { 1 });
    assert_log("");
    ecs_set(world, e, Size, { 2 });
    assert_log("OnAdd Size=1=0; OnSet Size=1=2");
    ecs_set(world, e, Node, { 3 });
    assert_log("OnSet Node=3=2");
    ecs_remove(world, e, Node);
    assert_log("OnRemove Node=3=2");
    ecs_remove(world, e, Size);
    assert_log("");
}

static void one_operation_is_told_once(void **state) {
    ecs_world_t *world = begin(state);
    observe_all(world, "Node, Size");
    ecs_defer_begin(world);
    ecs_entity_t e = ecs_new(world);
    ecs_add(world, e, Node);
    ecs_add(world, e, Size);
    ecs_defer_end(world);
    assert_log("OnAdd Node=0=0");
    ecs_delete(world, e);
    assert_log("OnRemove Node=0=0");
}

static void filter_terms_do_not_trigger(void **state) {
    ecs_world_t *world = begin(state);
    observe(world, "Node, [filter] Size", EcsOnSet);
    ecs_entity_t e = ecs_new(world);
    ecs_set(world, e, Node, { 1 });
    ecs_set(world, e, Size, { 2 });
    assert_log("");
    ecs_set(world, e, Node, { 3 });
    assert_log("OnSet Node=3=2");
}

// OBS-03, Q-NEW-14
static void losing_an_id_of_a_not_term_is_an_add(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(world, { .query.expr = "Node, !Size",
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = log_event });
    ecs_entity_t e = ecs_new(world);
    ecs_add(world, e, Node);
    assert_log("OnAdd Node");
    ecs_add(world, e, Size);
    assert_log("OnRemove Size");
    ecs_remove(world, e, Size);
    assert_log("OnAdd Size");
    ecs_delete(world, e);
    assert_log("OnRemove Node");
}

// OBS-03
static void optional_terms_do_not_trigger_unless_alone(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t o = observe(world, "Node, ?Size", EcsOnSet);
    ecs_entity_t e = ecs_new(world);
    ecs_set(world, e, Size, { 2 });
    assert_log("");
    ecs_set(world, e, Node, { 1 });
    assert_log("OnSet Node=1=2");
    ecs_delete(world, o);
    ecs_observer(world, { .query.expr = "?Size", .events = { EcsOnAdd }, .callback = log_event });
    ecs_new_w(world, Foo);
    assert_log("OnAdd Foo");
}

// OBS-03
static void each_alternative_of_a_chain_triggers(void **state) {
    ecs_world_t *world = begin(state);
    observe(world, "Node, Foo || Bar", EcsOnAdd);
    ecs_entity_t e = ecs_new_w(world, Node);
    assert_log("");
    ecs_add(world, e, Bar);
    assert_log("OnAdd Bar=0");
}

// OBS-03, Q-FRM-11
static void each_id_of_a_list_triggers(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t list = named(world, "List"), inner = named(world, "Inner");
    ecs_add(world, list, Foo);
    ecs_add(world, list, Node);
    observe(world, "and|List", EcsOnAdd);
    observe(world, "Size, or|List", EcsOnSet);
    observe(world, "Size, not|List", EcsOnAdd);
    ecs_entity_t e = ecs_new_w(world, Foo);
    ecs_add(world, e, Rel);
    assert_log("");
    ecs_set(world, e, Node, { 1 });
    assert_log("OnAdd Node");
    ecs_add(world, e, Size);
    assert_log("");
    ecs_set(world, e, Node, { 2 });
    assert_log("OnSet Node=0");
    ecs_remove(world, e, Node);
    ecs_remove(world, e, Rel);
    assert_log("");
    ecs_remove(world, e, Foo);
    assert_log("OnAdd Foo=0");
    ecs_add(world, inner, Bar);
    ecs_add_id(world, list, ECS_AND | inner); /* what a list names may change */
    ecs_add(world, e, Node);
    ecs_add(world, e, Foo);
    assert_log("");
    ecs_add(world, e, Bar);
    assert_log("OnAdd Bar");
}

static int32_t seen_count, seen_term;
static void note_shape(ecs_iter_t *it) {
    seen_count = it->count;
    seen_term = it->term_index;
    log_event(it);
}
static void constants_are_observed_without_entities(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(
        world, { .query.expr = "Node(Node)", .events = { EcsOnSet }, .callback = note_shape });
    ecs_set(world, ecs_new(world), Node, { 1 });
    assert_log("");
    ecs_singleton_set(world, Node, { 2 });
    assert_log("OnSet Node x0 ^Node");
    ecs_observer(
        world, { .query.expr = "Size, Foo", .events = { EcsOnAdd }, .callback = note_shape });
    ecs_add(world, ecs_new_w(world, Size), Foo);
    assert_int_equal(seen_term, 1);
    assert_int_equal(seen_count, 1);
    log_clear();
}

// OBS-02
static void a_monitor_tells_of_entering_and_leaving(void **state) {
    ecs_world_t *world = begin(state);
    observe(world, "Node, Size", EcsMonitor);
    ecs_entity_t e = ecs_new_w(world, Node);
    assert_log("");
    ecs_add(world, e, Size);
    assert_log("OnAdd Size=0=0");
    ecs_set(world, e, Node, { 4 });
    ecs_add(world, e, Foo);
    ecs_remove(world, e, Foo);
    assert_log("");
    ecs_remove(world, e, Node);
    assert_log("OnRemove Node=4=0");
    ecs_add(world, e, Node);
    log_clear();
    ecs_delete(world, e);
    assert_log("OnRemove Node=0=0");
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

// ---- what callbacks do ----

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

// ---- events of one's own ----

static void custom_events_reach_observers_of_their_ids(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t event = named(world, "Event");
    observe(world, "Node", event);
    ecs_observer(world, { .query.terms = { { .id = EcsAny } },
                            .events = { event },
                            .callback = log_event,
                            .ctx = (void *)"any " });
    ecs_entity_t e = ecs_new_w(world, Node), other = ecs_new_w(world, Foo);
    ecs_type_t ids = { (ecs_id_t[]){ ecs_id(Node) }, 1 };
    ecs_emit(world, &(ecs_event_desc_t){ .event = event, .ids = &ids, .entity = e });
    assert_log("any Event Node; Event Node=0");
    ecs_emit(world, &(ecs_event_desc_t){ .event = event, .ids = &ids, .entity = other });
    assert_log("");
    ecs_emit(world, &(ecs_event_desc_t){ .event = event, .entity = other });
    assert_log("any Event _");
    ecs_bulk_new(world, Size, 3);
    ecs_table_t *table = ecs_get_table(world, e);
    ecs_new_w(world, Node);
    ecs_emit(world, &(ecs_event_desc_t){ .event = event, .ids = &ids, .table = table });
    assert_log("any Event Node x2; Event Node x2=0");
    ecs_emit(
        world, &(ecs_event_desc_t){ .event = event, .ids = &ids, .table = table, .offset = 1 });
    assert_log("any Event Node; Event Node=0");
}

static void events_may_be_about_one_entity_whatever_it_has(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t event = named(world, "Event"), e = named(world, "Button"), other = ecs_new(world);
    ecs_observer(world, { .query.terms = { { .id = EcsAny, .src.id = e } },
                            .events = { event },
                            .callback = note_shape });
    ecs_emit(world, &(ecs_event_desc_t){ .event = event, .entity = e });
    assert_log("Event _ x0 ^Button");
    ecs_emit(world, &(ecs_event_desc_t){ .event = event, .entity = other });
    assert_log("");
    ecs_entity_t bare = ecs_new(world);
    ecs_observer(world, { .query.terms = { { .id = EcsAny, .src.id = bare } },
                            .events = { event, EcsOnAdd },
                            .callback = log_event });
    ecs_defer_begin(world);
    ecs_enqueue(world, &(ecs_event_desc_t){ .event = event, .entity = bare });
    ecs_add_pair(world, bare, Rel, e);
    ecs_defer_end(world);
    assert_log("Event _ x0 ^?; OnAdd (Rel,Button) x0 ^?");
}

static void log_param(ecs_iter_t *it) { log_write("message %d", ((Message *)it->param)->value); }
static void queued_events_keep_their_place_among_commands(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(
        world, { .query.expr = "Foo", .events = { ecs_id(Message) }, .callback = log_param });
    observe(world, "Node", EcsOnSet);
    ecs_entity_t e = ecs_new_w(world, Foo), dead = ecs_new_w(world, Foo);
    ecs_event_desc_t desc = {
        .event = ecs_id(Message), .ids = &(ecs_type_t){ &Foo, 1 }, .entity = e
    };
    desc.const_param = &(Message){ 1 };
    ecs_enqueue(world, &desc);
    assert_log("message 1");
    ecs_defer_begin(world);
    ecs_set(world, e, Node, { 1 });
    desc.const_param = &(Message){ 2 };
    ecs_enqueue(world, &desc);
    ecs_set(world, e, Node, { 3 });
    desc.entity = dead;
    ecs_enqueue(world, &desc);
    ecs_delete(world, dead);
    ecs_enqueue(world, &desc);
    assert_log("");
    desc.entity = e;
    ecs_emit(world, &desc);
    assert_log("message 2");
    ecs_defer_end(world);
    assert_log("OnSet Node=1; message 2; OnSet Node=3; message 2");
}

static const ecs_table_t *seen_other;
static void note_other(ecs_iter_t *it) { seen_other = it->other_table; }

// The other table is told if it still is there. api/05 5
static void queued_events_keep_the_other_table(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(
        world, { .query.expr = "Foo", .events = { ecs_id(Message) }, .callback = note_other });
    ecs_entity_t e = ecs_new_w(world, Foo), tag = ecs_new(world), other = ecs_new_w_id(world, tag);
    ecs_event_desc_t desc = {
        .event = ecs_id(Message), .ids = &(ecs_type_t){ &Foo, 1 }, .entity = e
    };
    for (int i = 0; i < 2; i++) {
        desc.other_table = ecs_get_table(world, i ? ecs_new(world) : other);
        ecs_defer_begin(world);
        ecs_enqueue(world, &desc);
        ecs_defer_end(world);
        assert_ptr_equal(seen_other, desc.other_table);
    }
    desc.other_table = ecs_get_table(world, other);
    ecs_defer_begin(world);
    ecs_delete(world, tag);
    ecs_enqueue(world, &desc);
    ecs_defer_end(world);
    assert_null(seen_other);
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
    ecs_log_set_level(-4);
    assert_int_equal(observe(world, "Missing", EcsOnAdd), 0);
    ecs_log_set_level(-1);
    (void)e;
}

static void emit_again(ecs_iter_t *it) {
    ++*(int *)it->ctx;
    ecs_emit(it->world, &(ecs_event_desc_t){ .event = it->event,
                            .entity = it->entities[0],
                            .ids = &(ecs_type_t){ &it->event_id, 1 } });
}
static void events_inside_each_other_end(void **state) {
    ecs_world_t *world = begin(state);
    int count = 0;
    ecs_entity_t event = named(world, "Event"), e = ecs_new_w(world, Foo);
    ecs_observer(
        world, { .query.expr = "Foo", .events = { event }, .callback = emit_again, .ctx = &count });
    ecs_log_set_level(-4);
    ecs_emit(
        world, &(ecs_event_desc_t){ .event = event, .entity = e, .ids = &(ecs_type_t){ &Foo, 1 } });
    ecs_log_set_level(-1);
    assert_int_equal(count, ECS_MAX_RECURSION);
}

static void log_table(ecs_iter_t *it) {
    assert_int_equal(it->count, 0);
    char *type = ecs_table_str(it->world, it->table);
    log_write("%s %s", ecs_get_name(it->world, it->event), type);
    ecs_os_free(type);
}
static void tables_that_match_are_told(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(world, { .query.expr = "Node, Foo",
                            .events = { EcsOnTableCreate, EcsOnTableDelete },
                            .callback = log_table });
    ecs_entity_t e = ecs_new_w(world, Node);
    assert_log("");
    ecs_add(world, e, Foo);
    assert_log("OnTableCreate Node, Foo");
    ecs_delete(world, e);
    ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    ecs_delete_empty_tables(world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    assert_log("OnTableDelete Node, Foo");
}

static void tables_that_fill_and_empty_are_told(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(world, { .query.expr = "Node",
                            .events = { EcsOnTableFill, EcsOnTableEmpty },
                            .callback = log_table });
    ecs_entity_t a = ecs_new_w(world, Node);
    assert_log("OnTableFill Node");
    ecs_entity_t b = ecs_new_w(world, Node);
    ecs_delete(world, a);
    assert_log("");
    ecs_add(world, b, Foo);
    assert_log("OnTableFill Node, Foo; OnTableEmpty Node");
    ecs_defer_begin(world);
    ecs_remove(world, b, Foo);
    ecs_defer_end(world);
    assert_log("OnTableFill Node; OnTableEmpty Node, Foo");
    ecs_delete(world, Foo);
    ecs_delete(world, b);
    assert_log("OnTableEmpty Node");
}

// Also those that entities passed through before somebody heard of it.
static void tables_that_entities_pass_through_are_told(void **state) {
    ecs_world_t *world = begin(state);
    for (int i = 0; i < 3; i++) ecs_add(world, ecs_new_w(world, Node), Foo);
    ecs_observer(world, { .query.expr = "Node",
                            .events = { EcsOnTableFill, EcsOnTableEmpty },
                            .callback = log_table });
    for (int i = 0; i < 3; i++) {
        ecs_entity_t e = ecs_new_w(world, Node);
        assert_log("OnTableFill Node");
        ecs_add(world, e, Foo);
        assert_log("OnTableEmpty Node");
    }
}

static void entities_that_are_deleted_are_told_before_they_lose_anything(void **state) {
    ecs_world_t *world = begin(state);
    observe(world, "Node", EcsOnDelete);
    observe(world, "Node", EcsOnRemove);
    ecs_entity_t e = ecs_new(world), parent = ecs_new(world);
    ecs_set(world, e, Node, { 1 });
    ecs_remove(world, e, Node);
    assert_log("OnRemove Node=1");
    ecs_set(world, e, Node, { 2 });
    ecs_delete(world, e);
    assert_log("OnDelete Node=2; OnRemove Node=2");
    for (int i = 0; i < 2; i++)
        ecs_set(world, ecs_new_w_pair(world, EcsChildOf, parent), Node, { i });
    ecs_defer_begin(world);
    ecs_delete(world, parent);
    ecs_defer_end(world);
    assert_log("OnDelete Node x2=0; OnRemove Node x2=0");
}

static void sources_are_told_of_the_deletion_of_their_target(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t bob = named(world, "Bob"), eve = named(world, "Eve"), e = named(world, "E");
    observe(world, "(Rel, *)", EcsOnDeleteTarget);
    observe(world, "(Rel, *)", EcsOnRemove);
    ecs_add_pair(world, e, Rel, bob);
    ecs_add_pair(world, e, Rel, eve);
    ecs_remove_pair(world, e, Rel, eve);
    assert_log("OnRemove (Rel,Eve)");
    ecs_add_pair(world, eve, Rel, bob);
    ecs_delete(world, bob);
    assert_log("OnDeleteTarget (Rel,Bob) x2; OnRemove (Rel,Bob); OnRemove (Rel,Bob)");
    assert_true(ecs_is_alive(world, e));
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

// ---- through others ----

// OBS-06
static void children_are_told_of_what_their_parent_gets(void **state) {
    ecs_world_t *world = begin(state);
    observe_all(world, "Node(up ChildOf)");
    ecs_entity_t parent = named(world, "P"), child = ecs_new_w_pair(world, EcsChildOf, parent);
    ecs_entity_t grandchild = ecs_new_w_pair(world, EcsChildOf, child);
    assert_log("");
    ecs_set(world, parent, Node, { 3 });
    assert_log("OnAdd Node ^P=0; OnAdd Node ^P=0; OnSet Node ^P=3; OnSet Node ^P=3");
    ecs_remove(world, parent, Node);
    assert_log("OnRemove Node ^P=3; OnRemove Node ^P=3");
    ecs_set(world, child, Node, { 4 });
    log_clear();
    ecs_set(world, parent, Node, { 5 });
    assert_log("OnAdd Node ^P=0; OnSet Node ^P=5");
    (void)grandchild;
}

// OBS-06
static void a_new_parent_brings_what_it_has(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t p = named(world, "P"), q = named(world, "Q"), child = ecs_new(world);
    ecs_set(world, p, Node, { 1 });
    ecs_set(world, q, Node, { 2 });
    observe_all(world, "Node(up ChildOf)");
    ecs_add_pair(world, child, EcsChildOf, p);
    assert_log("OnAdd Node ^P=1");
    ecs_add_pair(world, child, EcsChildOf, q);
    assert_log("OnRemove Node ^P=1; OnAdd Node ^Q=2");
    ecs_delete(world, q);
    assert_log("OnRemove Node ^Q=2");
}

// OBS-05
static void values_of_prefabs_are_told_to_instances_without_override(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t prefab = ecs_entity(world, { .name = "P", .add = ecs_ids(EcsPrefab) });
    ecs_set(world, prefab, Node, { 1 });
    observe_all(world, "Node");
    ecs_entity_t a = ecs_new_w_pair(world, EcsIsA, prefab),
                 b = ecs_new_w_pair(world, EcsIsA, prefab);
    assert_log("OnAdd Node ^P=1; OnSet Node ^P=1; OnAdd Node ^P=1; OnSet Node ^P=1");
    ecs_set(world, prefab, Node, { 2 });
    assert_log("OnSet Node x2 ^P=2");
    ecs_add(world, b, Node);
    assert_log("OnAdd Node=2");
    ecs_set(world, prefab, Node, { 3 });
    assert_log("OnSet Node ^P=3");
    ecs_remove(world, b, Node);
    assert_log("OnRemove Node=2; OnSet Node ^P=3");
    ecs_remove_pair(world, a, EcsIsA, prefab);
    assert_log("OnRemove Node ^P=3");
}

// OBS-07
static void events_stay_where_a_relationship_cannot_be_traversed(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t target = named(world, "T");
    observe_all(world, "Node");
    ecs_new_w_pair(world, Rel, target);
    ecs_set(world, target, Node, { 1 });
    assert_log("OnAdd Node=0; OnSet Node=1");
}

static void diamonds_are_told_once(void **state) {
    ecs_world_t *world = begin(state);
    ecs_add_id(world, Rel, EcsTraversable);
    ecs_entity_t top = named(world, "Top"), left = ecs_new_w_pair(world, Rel, top),
                 right = ecs_new_w_pair(world, Rel, top);
    ecs_entity_t bottom = ecs_new_w_pair(world, Rel, left);
    ecs_add_pair(world, bottom, Rel, right);
    observe(world, "Node(up Rel)", EcsOnSet);
    ecs_set(world, top, Node, { 6 });
    assert_log("OnSet Node x2 ^Top=6; OnSet Node ^Top=6");
}

static void several_terms_see_through_parents_too(void **state) {
    ecs_world_t *world = begin(state);
    observe(world, "Foo, Node(up ChildOf)", EcsOnSet);
    observe(world, "Foo, Node(up ChildOf)", EcsMonitor);
    ecs_entity_t p = named(world, "P"), child = ecs_new_w_pair(world, EcsChildOf, p);
    ecs_add(world, child, Foo);
    assert_log("");
    ecs_set(world, p, Node, { 1 });
    assert_log("OnAdd Node ^P=0; OnSet Node ^P=1");
    ecs_remove(world, p, Node);
    assert_log("OnRemove Node ^P=1");
}

static void children_of_instances_see_what_prefabs_get(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t base = named(world, "Base"), parent = ecs_new_w_pair(world, EcsIsA, base);
    ecs_new_w_pair(world, EcsChildOf, parent);
    observe(world, "Node(up ChildOf)", EcsOnSet);
    ecs_set(world, base, Node, { 8 });
    assert_log("OnSet Node ^Base=8");
}

// OBS-06: what a base of a parent's base shows or hides, children see.
static void children_of_instances_see_what_bases_of_prefabs_have(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t far = named(world, "Far"), near = ecs_new_w_pair(world, EcsIsA, far);
    ecs_entity_t parent = ecs_new_w_pair(world, EcsIsA, near), child = named(world, "child");
    ecs_set_name(world, near, "Near");
    ecs_set(world, far, Node, { 1 });
    ecs_set(world, near, Node, { 2 });
    ecs_set(world, child, EcsParent, { parent });
    observe_all(world, "Node(up ChildOf)");
    ecs_add(world, child, Foo);
    observe(world, "!Node(up ChildOf), Foo", EcsMonitor);
    ecs_remove(world, near, Node);
    assert_log("OnRemove Node ^Near=2; OnAdd Node ^Far=1");
    ecs_remove_pair(world, near, EcsIsA, far);
    assert_log("OnRemove Node ^Far=1; OnAdd Node");
    ecs_add_pair(world, near, EcsIsA, far);
    assert_log("OnRemove Node; OnAdd Node ^Far=1");
}

// OBS-02: an entity that is disabled, or becomes a prefab, is none for the query.
static void monitors_tell_of_entities_that_queries_pass_over(void **state) {
    ecs_world_t *world = begin(state);
    observe(world, "Foo", EcsMonitor);
    observe(world, "Node, !Foo, (Rel, $x)", EcsMonitor);
    observe(world, "Bar, ?Disabled", EcsMonitor);
    ecs_entity_t e = ecs_new_w(world, Foo), other = ecs_new(world);
    log_clear();
    ecs_enable(world, e, false);
    assert_log("OnRemove Disabled");
    ecs_enable(world, e, true);
    assert_log("OnAdd Disabled");
    ecs_add_id(world, e, EcsPrefab);
    assert_log("OnRemove Prefab");
    ecs_delete(world, e);
    assert_log("");
    ecs_enable(world, other, false);
    ecs_add(world, other, Bar);
    assert_log("OnAdd Bar");
    ecs_set(world, other, Node, { 1 });
    ecs_add_pair(world, other, Rel, Foo);
    assert_log("");
    ecs_enable(world, other, true);
    assert_log("OnAdd Disabled=1");
    ecs_delete(world, other);
    assert_log("OnRemove Node=1; OnRemove Bar");
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

// OBS-02, OBS-03: another parent is one change, whatever terms are concerned.
static void another_parent_is_told_once(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t p = ecs_new_w(world, Foo), q = ecs_new_w(world, Bar);
    ecs_entity_t child = ecs_new_w_parent(world, p, "child");
    observe(world, "Foo(up ChildOf), !Bar(up ChildOf)", EcsMonitor);
    ecs_observer(world, { .query.expr = "Foo(up ChildOf), !Bar(up ChildOf)",
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = log_event,
                            .ctx = "observer " });
    ecs_set(world, child, EcsParent, { q });
    ecs_set(world, child, EcsParent, { p });
    const char *told = log_take();
    assert_true(strstr(told, "observer OnRemove") && strstr(told, "observer OnAdd"));
    int entries = 1;
    while ((told = strchr(told, ';'))) told++, entries++;
    assert_int_equal(entries, 4);
}

static void monitors_follow_entities_to_other_parents(void **state) {
    ecs_world_t *world = begin(state);
    observe(world, "Foo, Node(up ChildOf)", EcsMonitor);
    ecs_entity_t p = named(world, "P"), q = named(world, "Q"), child = ecs_new_w(world, Foo);
    ecs_set(world, p, Node, { 1 });
    ecs_add_pair(world, child, EcsChildOf, p);
    assert_log("OnAdd Node ^P=1");
    ecs_add_pair(world, child, EcsChildOf, q);
    assert_log("OnRemove Node ^P=1");
    ecs_set(world, q, Node, { 2 });
    assert_log("OnAdd Node ^Q=0");
    ecs_add_pair(world, child, EcsChildOf, p);
    assert_log("");
}

static void deep_trees_are_walked_to_the_end(void **state) {
    ecs_world_t *world = begin(state);
    int count = 0;
    ecs_observer(world, { .query.expr = "Node(up ChildOf)",
                            .events = { EcsOnSet },
                            .callback = count_observed,
                            .ctx = &count });
    ecs_entity_t root = ecs_new(world), last = root;
    for (int i = 0; i < 20000; i++) last = ecs_new_w_pair(world, EcsChildOf, last);
    ecs_set(world, root, Node, { 1 });
    assert_int_equal(count, 20000);
}

static void events_follow_custom_relationships_too(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t event = named(world, "Event"), p = named(world, "P");
    ecs_set(world, p, Node, { 1 });
    ecs_new_w_pair(world, EcsDependsOn, p);
    observe(world, "Node(up DependsOn)", event);
    ecs_emit(world, &(ecs_event_desc_t){
                        .event = event, .entity = p, .ids = &(ecs_type_t){ &ecs_id(Node), 1 } });
    assert_log("Event Node ^P=1");
}

// ---- hooks, cleanup, end ----

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

static void log_names(ecs_iter_t *it) {
    for (int i = 0; i < it->count; i++) log_write("%s", ecs_get_name(it->world, it->entities[i]));
}
// CLN-13
static void children_are_told_before_their_parents(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(world, { .query.expr = "Foo", .events = { EcsOnRemove }, .callback = log_names });
    ecs_entity_t parent = named(world, "P"), child = named(world, "C"),
                 grandchild = named(world, "G");
    ecs_add_pair(world, child, EcsChildOf, parent);
    ecs_add_pair(world, grandchild, EcsChildOf, child);
    ecs_add(world, parent, Foo);
    ecs_add(world, child, Foo);
    ecs_add(world, grandchild, Foo);
    ecs_delete(world, parent);
    assert_log("G; C; P");
}

// CLN-14
static void deleting_a_component_tells_each_holder_once(void **state) {
    ecs_world_t *world = begin(state);
    int count = 0;
    ecs_observer(world, { .query.expr = "Node",
                            .events = { EcsOnRemove },
                            .callback = count_observed,
                            .ctx = &count });
    for (int i = 0; i < 5; i++) {
        ecs_entity_t e = ecs_new_w(world, Node);
        if (i & 1) ecs_add(world, e, Foo);
    }
    ecs_delete(world, ecs_id(Node));
    assert_int_equal(count, 5);
}

static int told_at_end, sum_at_end;
static void sum_nodes(ecs_iter_t *it) {
    const Node *node = ecs_field(it, Node, 0);
    told_at_end += it->count;
    for (int i = 0; i < it->count; i++) sum_at_end += node[i].value;
}
// TDN-02, TDN-05
static void at_the_end_each_value_is_told_once(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t last = 0;
    for (int i = 1; i <= 10; i++) {
        ecs_entity_t e = ecs_new(world);
        ecs_set(world, e, Node, { i });
        if (last && i & 1) ecs_add_pair(world, e, EcsChildOf, last);
        last = e;
    }
    told_at_end = sum_at_end = freed = 0;
    static int one = 1;
    ecs_observer(world, { .query.expr = "Node",
                            .events = { EcsOnRemove },
                            .callback = sum_nodes,
                            .ctx = &one,
                            .ctx_free = count_free });
    ecs_observer(world, { .query.expr = "Node, ?Size",
                            .events = { EcsOnRemove },
                            .callback = sum_nodes,
                            .global_observer = true,
                            .ctx = &one,
                            .ctx_free = count_free });
    observe(world, "Node", EcsOnAdd);
}
static int end_of_the_end(void **state) {
    int result = world_teardown_(state);
    return result || told_at_end != 20 || sum_at_end != 110 || freed != 2;
}

static void at_the_end_yielding_observers_tell_of_all_once(void **state) {
    ecs_world_t *world = begin(state);
    for (int i = 1; i <= 20; i++) ecs_set(world, ecs_new(world), Node, { i < 20 ? 5 : 15 });
    told_at_end = sum_at_end = 0;
    freed = 2;
    ecs_observer(world, { .query.expr = "Node",
                            .events = { EcsOnRemove },
                            .yield_existing = true,
                            .callback = sum_nodes });
}

// What multithreaded systems emit or enqueue is told at the merge, in the order of rows.
static uint64_t heard[2];
static void hear_message(ecs_iter_t *it) {
    uint64_t *sum = it->ctx;
    for (int i = 0; i < it->count; i++) {
        int value = it->param ? ((Message *)it->param)->value : 1;
        *sum = *sum * 31 + (uint64_t)value * it->entities[i];
    }
}
static void Emit(ecs_iter_t *it) {
    ecs_type_t ids = { &ecs_id(Node), 1 };
    const Node *node = ecs_field(it, Node, 0);
    for (int i = 0; i < it->count; i++) {
        Message message = { node[i].value };
        ecs_event_desc_t desc = { .event = ecs_id(Message), .ids = &ids, .param = &message };
        desc.entity = it->entities[i];
        if (node[i].value & 1)
            ecs_emit(it->world, &desc);
        else
            ecs_enqueue(it->world, &desc);
        message.value = -1; /* copied */
    }
    ecs_emit(it->world, &(ecs_event_desc_t){ .event = Foo,
                            .ids = &ids,
                            .table = it->table,
                            .offset = it->offset,
                            .count = it->count });
}
static void emit_with_workers(int workers, uint64_t sums[2]) {
    ecs_world_t *fresh = ecs_init(), *world = begin((void **)&fresh);
    for (int i = 0; i < 9000; i++) ecs_set(world, ecs_new(world), Node, { i });
    heard[0] = heard[1] = 0;
    ecs_observer(world, { .query.expr = "[in] Node",
                            .events = { ecs_id(Message) },
                            .callback = hear_message,
                            .ctx = &heard[0] });
    ecs_observer(world, { .query.expr = "[in] Node",
                            .events = { Foo },
                            .callback = hear_message,
                            .ctx = &heard[1] });
    ecs_system(world, { .query.expr = "[in] Node",
                          .phase = EcsOnUpdate,
                          .callback = Emit,
                          .multi_threaded = true });
    if (workers > 1) ecs_set_threads(world, workers);
    ecs_progress(world, 0);
    ecs_progress(world, 0);
    memcpy(sums, heard, sizeof heard);
    ecs_fini(world);
}
static void events_of_multithreaded_systems_do_not_depend_on_workers(void **state) {
    uint64_t one[2], other[2];
    (void)state;
    emit_with_workers(1, one);
    assert_true(one[0] && one[1]);
    for (int workers = 2; workers <= 8; workers *= 2) {
        emit_with_workers(workers, other);
        assert_memory_equal(one, other, sizeof one);
    }
}

static void Announce(ecs_iter_t *it) {
    for (int i = 0; i < it->count; i++) {
        ecs_type_t ids = { &ecs_id(Node), 1 };
        ecs_emit(
            it->world, &(ecs_event_desc_t){ .event = Foo, .ids = &ids, .entity = it->entities[i] });
        log_write("behind");
    }
}
static void events_of_other_systems_are_told_at_once(void **state) {
    ecs_world_t *world = begin(state);
    ecs_set(world, ecs_new(world), Node, { 1 });
    observe(world, "Node", Foo);
    ecs_system(world, { .query.expr = "Node", .phase = EcsOnUpdate, .callback = Announce });
    ecs_progress(world, 0);
    assert_log("Foo Node=1; behind");
}

static void rows_of_a_table_can_be_queued(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t e[4];
    for (int i = 0; i < 4; i++) ecs_set(world, e[i] = ecs_new(world), Node, { i });
    observe(world, "Node", Foo);
    ecs_type_t ids = { &ecs_id(Node), 1 };
    ecs_event_desc_t desc = { .event = Foo, .ids = &ids, .table = ecs_get_table(world, e[0]) };
    ecs_defer_begin(world);
    ecs_enqueue(world, &desc);
    ecs_defer_end(world);
    assert_log("Foo Node x4=0");
    ecs_defer_begin(world);
    ecs_delete(world, e[1]); /* the last one takes its row */
    ecs_enqueue(world, &desc);
    ecs_defer_end(world);
    assert_log("Foo Node=0; Foo Node=2; Foo Node=3");
    ecs_world_t *stage = ecs_stage_new(world); /* another thread may own it */
    ecs_emit(stage, &(ecs_event_desc_t){ .event = Foo, .ids = &ids, .entity = e[2] });
    assert_log("");
    ecs_merge(stage);
    assert_log("Foo Node=2");
    ecs_stage_free(stage);
}

// api/05 §7
static void events_may_be_about_ids_beside_tables(void **state) {
    ecs_world_t *world = begin(state);
    ecs_add_id(world, Bar, EcsDontFragment);
    ecs_entity_t e = ecs_new(world);
    ecs_add_id(world, e, Bar);
    observe(world, "Bar", Foo);
    ecs_emit(
        world, &(ecs_event_desc_t){ .event = Foo, .ids = &(ecs_type_t){ &Bar, 1 }, .entity = e });
    assert_log("Foo Bar");
}

// ---- what dies meanwhile ----

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

static int living;
static ECS_CTOR(Message, ptr, {
    ptr->value = 0;
    living++;
})
static ECS_DTOR(Message, ptr, { living -= ptr->value > -1; })
static ECS_COPY(Message, dst, src, { dst->value = src->value; })

static void events_whose_event_or_entity_died_are_dropped_with_their_param(void **state) {
    ecs_world_t *world = begin(state);
    ecs_set_hooks(world, Message,
        { .ctor = ecs_ctor(Message), .dtor = ecs_dtor(Message), .copy = ecs_copy(Message) });
    ecs_entity_t e = ecs_new(world), event = ecs_new(world);
    ecs_set(world, e, Node, { 1 });
    observe(world, "Node", event);
    observe(world, "Node", ecs_id(Message));
    ecs_type_t ids = { &ecs_id(Node), 1 };
    ecs_event_desc_t desc = { .event = event, .ids = &ids, .entity = e };
    living = 0;
    ecs_defer_begin(world);
    ecs_delete(world, event);
    ecs_enqueue(world, &desc);
    desc.event = ecs_id(Message);
    desc.const_param = &(Message){ 7 };
    ecs_enqueue(world, &desc);
    ecs_delete(world, e);
    ecs_enqueue(world, &desc);
    ecs_defer_end(world);
    assert_log("Message Node=1");
    assert_int_equal(living, 0);
    e = ecs_new(world);
    ecs_set(world, e, Node, { 2 });
    desc.entity = e;
    ecs_defer_begin(world);
    ecs_delete(world, ecs_id(Message)); /* the type of a param that waits */
    ecs_enqueue(world, &desc);
    ecs_defer_end(world);
    assert_log("");
    assert_int_equal(living, 0);
}

// ---- members ----

typedef struct Unit {
    int number;
    ecs_entity_t leader;
} Unit;

static ecs_entity_t describe_unit(ecs_world_t *world) {
    ecs_entity_t unit = ecs_component(
        world, { .entity = named(world, "Unit"), .type = { sizeof(Unit), ECS_ALIGNOF(Unit) } });
    return ecs_struct(world, { .entity = unit,
                                 .members = { { .name = "number", .type = ecs_id(ecs_i32_t) },
                                     { .name = "leader", .type = ecs_id(ecs_entity_t) } } });
}

static void set_leader(ecs_world_t *world, ecs_entity_t unit, ecs_entity_t e, ecs_entity_t leader) {
    ecs_set_id(world, e, unit, sizeof(Unit), &(Unit){ 1, leader });
}

static void terms_about_members_trigger_when_values_are_set(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t ann = named(world, "Ann"), bob = named(world, "Bob"), e = ecs_new(world);
    ecs_entity_t unit = describe_unit(world);
    const char *exprs[] = { "(Unit.leader, Ann)", "Foo, (Unit.leader, $x)",
        "Foo, !(Unit.leader, Ann)" };
    for (int i = 0; i < 3; i++)
        ecs_observer(world, { .query.expr = exprs[i],
                                .events = { EcsOnSet, EcsOnRemove },
                                .callback = log_event,
                                .ctx = (void *[]){ "is ", "has ", "not " }[i] });
    set_leader(world, unit, e, ann);
    assert_log("is OnSet Unit");
    set_leader(world, unit, e, bob);
    assert_log("");
    ecs_add(world, e, Foo); /* a tag is set by being added */
    assert_log("has OnAdd Foo; not OnAdd Foo");
    set_leader(world, unit, e, ann);
    assert_log("is OnSet Unit; has OnSet Unit");
    set_leader(world, unit, e, bob);
    assert_log("has OnSet Unit; not OnSet Unit");
    ecs_remove_id(world, e, unit);
    assert_log("has OnRemove Unit");
    expect_error(ECS_UNSUPPORTED, "members",
        ecs_observer(world, { .query.expr = "(Unit.leader, Ann)",
                                .events = { EcsMonitor },
                                .callback = log_event }));
}

// OBS-03: an id alone does not say that a target is the entity itself.
static void pairs_with_the_entity_itself_are_told_of_no_others(void **state) {
    ecs_world_t *world = begin(state);
    observe_all(world, "(Rel, $this)");
    ecs_entity_t e = named(world, "e"), other = named(world, "other");
    ecs_add_pair(world, e, Rel, other);
    ecs_remove_pair(world, e, Rel, other);
    assert_log("");
    ecs_add_pair(world, e, Rel, e);
    ecs_remove_pair(world, e, Rel, e);
    assert_log("OnAdd (Rel,e); OnRemove (Rel,e)");
}

static ecs_entity_t variable_value;
static void note_variable(ecs_iter_t *it) {
    variable_value = ecs_iter_get_var(it, ecs_query_find_var(it->query, "x"));
}

// OBS-03: variables have the values of what triggers.
static void variables_of_a_single_term_have_values(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(world, { .query.expr = "(Rel, $x)",
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = note_variable });
    ecs_entity_t e = ecs_new(world), a = ecs_new(world), b = ecs_new(world);
    ecs_add_pair(world, e, Rel, a);
    assert_id_equal(world, variable_value, a);
    ecs_add_pair(world, e, Rel, b);
    assert_id_equal(world, variable_value, b);
    ecs_remove_pair(world, e, Rel, a);
    assert_id_equal(world, variable_value, a);
}

static ecs_id_t any_id;
static int any_count;
static void note_any(ecs_iter_t *it) {
    any_id = ecs_field_id(it, 1);
    any_count++;
}

// OBS-03: `_` next to variables is concerned by all ids, too.
static void any_id_triggers_next_to_variables(void **state) {
    ecs_world_t *world = begin(state);
    any_count = 0;
    ecs_observer(
        world, { .query.expr = "(Rel, $x), _", .events = { EcsOnAdd }, .callback = note_any });
    ecs_entity_t e = ecs_new(world);
    ecs_add_id(world, e, Foo);
    assert_int_equal(any_count, 0);
    ecs_add_pair(world, e, Rel, ecs_new(world));
    any_count = 0;
    ecs_add_id(world, e, Bar);
    assert_int_equal(any_count, 1);
    assert_true(any_id == Bar);
}

// OBS-03: what is too near is not seen, and not told.
static void limits_of_depth_count_for_observers(void **state) {
    ecs_world_t *world = begin(state);
    observe_all(world, "Node(up(ChildOf, 2, 3))");
    ecs_entity_t top = named(world, "top"), middle = named(world, "middle"), e = named(world, "e");
    ecs_add(world, middle, Node);
    ecs_set(world, e, EcsParent, { middle });
    ecs_add_pair(world, e, EcsChildOf, top);
    ecs_set(world, e, EcsParent, { middle });
    assert_log("");
    ecs_add_pair(world, middle, EcsChildOf, top);
    ecs_add(world, top, Node);
    assert_log("");
    ecs_remove(world, middle, Node);
    log_clear();
    ecs_remove(world, top, Node);
    assert_log("OnRemove Node ^top=0");
}

static int enters;
static void count_enters(ecs_iter_t *it) { enters += it->event == EcsOnAdd ? it->count : 100; }

// OBS-02: what asks for nothing matches before and after, also when values beside tables or of bases come.
static void monitors_of_optional_terms_tell_of_nothing_beside_tables(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t loose = named(world, "loose"), base = named(world, "base"), e = named(world, "e");
    ecs_add_id(world, loose, EcsDontFragment);
    ecs_add_pair(world, e, EcsIsA, base);
    enters = 0;
    ecs_observer(
        world, { .query.expr = "?Node", .events = { EcsMonitor }, .callback = count_enters });
    ecs_add_id(world, e, loose);
    ecs_add_id(world, base, loose);
    ecs_add(world, base, Node);
    ecs_add_id(world, base, Foo);
    ecs_remove(world, base, Node);
    ecs_remove_id(world, base, loose);
    ecs_remove_id(world, e, loose);
    assert_int_equal(enters, 0);
}

// OBS-03: what a term stands for is told as what it is.
static void terms_that_stand_for_several_ids_tell_which(void **state) {
    ecs_world_t *world = begin(state);
    ecs_add_id(world, ecs_id(Node), EcsInheritable);
    observe_all(world, "Node");
    ecs_add_pair(world, ecs_id(Size), EcsIsA, ecs_id(Node));
    ecs_entity_t e = named(world, "e"), base = ecs_new(world);
    ecs_set(world, e, Size, { 1 });
    assert_log("OnAdd Size=0; OnSet Size=1");
    ecs_set(world, e, Node, { 2 });
    assert_log("OnAdd Node=0; OnSet Node=2");
    ecs_set(world, e, Size, { 3 });
    assert_log("OnSet Size=3");
    ecs_set(world, e, Message, { 4 });
    ecs_remove(world, e, Size);
    assert_log("OnRemove Size=3");
    ecs_delete(world, e);
    assert_log("OnRemove Node=2");
    ecs_set_name(world, base, "base");
    ecs_set(world, base, Size, { 5 });
    log_clear();
    ecs_add_pair(world, ecs_new(world), EcsIsA, base);
    assert_log("OnAdd Size ^base=5; OnSet Size ^base=5");
}

static void places_and_parents_of_targets_are_told(void **state) {
    ecs_world_t *world = begin(state);
    ecs_add_id(world, Rel, EcsTransitive);
    ecs_entity_t earth = named(world, "earth"), europe = named(world, "europe");
    ecs_entity_t e = ecs_new(world),
                 apple = ecs_entity(world, { .name = "apple", .parent = earth });
    ecs_add_pair(world, europe, Rel, earth);
    observe_all(world, "(Rel, earth)");
    observe_all(world, "Foo, (Bar, earth.apple|self|up)");
    ecs_add_pair(world, e, Rel, europe);
    ecs_add_pair(world, e, Rel, apple);
    assert_log("OnAdd (Rel,europe)");
    ecs_add(world, e, Foo);
    ecs_add_pair(world, e, Bar, earth);
    ecs_add_pair(world, e, Bar, europe);
    assert_log("OnAdd (Bar,earth)");
    ecs_remove_pair(world, e, Rel, europe);
    assert_log("OnRemove (Rel,europe)");
}

// OBS-03: inside a scope that must not hold, only a change of the whole is told.
static void what_is_in_scopes_triggers(void **state) {
    ecs_world_t *world = begin(state);
    observe_all(world, "Node, !{ Foo, Bar }");
    ecs_entity_t e = ecs_new(world);
    ecs_set(world, e, Node, { 1 });
    log_clear();
    ecs_add(world, e, Foo);
    ecs_remove(world, e, Foo);
    assert_log("");
    ecs_add(world, e, Foo);
    ecs_add(world, e, Bar);
    assert_log("OnRemove Bar=1");
    ecs_set(world, e, Node, { 2 });
    assert_log("");
    ecs_remove(world, e, Foo);
    assert_log("OnAdd Foo=2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(adds_sets_and_removes_are_told),
        mini_world_test(a_value_is_readable_while_it_is_removed),
        mini_world_test(a_tag_is_set_by_being_added),
        mini_world_test(wildcards_tell_the_concrete_id),
        mini_world_test(star_is_for_plain_ids_and_any_for_all),
        mini_world_test(the_wildcard_event_is_any_event),
        mini_world_test(replacing_an_exclusive_pair_removes_then_adds),
        mini_world_test(deleting_a_target_tells_every_source),
        mini_world_test(the_macro_makes_an_observer_named_as_its_function),
        mini_world_test(a_deleted_observer_is_not_called),
        mini_world_test(contexts_are_freed_once),
        mini_world_test(a_run_function_gets_an_iterator_of_one_result),
        mini_world_test(observers_can_be_disabled_also_by_their_parents),
        mini_world_test(prefabs_and_disabled_entities_do_not_trigger),
        mini_world_test(observers_run_in_the_order_they_were_made),
        mini_world_test(a_bulk_of_entities_is_one_call),
        mini_world_test(all_terms_must_match),
        mini_world_test(one_operation_is_told_once),
        mini_world_test(filter_terms_do_not_trigger),
        mini_world_test(losing_an_id_of_a_not_term_is_an_add),
        mini_world_test(optional_terms_do_not_trigger_unless_alone),
        mini_world_test(each_alternative_of_a_chain_triggers),
        mini_world_test(each_id_of_a_list_triggers),
        mini_world_test(constants_are_observed_without_entities),
        mini_world_test(a_monitor_tells_of_entering_and_leaving),
        mini_world_test(what_exists_can_be_told_at_creation_and_deletion),
        mini_world_test(changes_of_callbacks_are_applied_before_the_outer_call_returns),
        mini_world_test(an_observer_may_delete_itself_and_make_others),
        mini_world_test(an_observer_made_by_an_observer_hears_of_the_next_event),
        mini_world_test(folded_commands_tell_what_remains),
        mini_world_test(custom_events_reach_observers_of_their_ids),
        mini_world_test(events_may_be_about_one_entity_whatever_it_has),
        mini_world_test(queued_events_keep_their_place_among_commands),
        mini_world_test(queued_events_keep_the_other_table),
        mini_world_test(a_clone_of_an_observer_is_none),
        mini_world_test(misuse_is_named),
        mini_world_test(events_inside_each_other_end),
        mini_world_test(tables_that_match_are_told),
        mini_world_test(tables_that_fill_and_empty_are_told),
        mini_world_test(tables_that_entities_pass_through_are_told),
        mini_world_test(entities_that_are_deleted_are_told_before_they_lose_anything),
        mini_world_test(sources_are_told_of_the_deletion_of_their_target),
        mini_world_test(observers_that_answer_each_other_with_commands_end),
        mini_world_test(children_are_told_of_what_their_parent_gets),
        mini_world_test(a_new_parent_brings_what_it_has),
        mini_world_test(values_of_prefabs_are_told_to_instances_without_override),
        mini_world_test(events_stay_where_a_relationship_cannot_be_traversed),
        mini_world_test(diamonds_are_told_once),
        mini_world_test(several_terms_see_through_parents_too),
        mini_world_test(children_of_instances_see_what_prefabs_get),
        mini_world_test(children_of_instances_see_what_bases_of_prefabs_have),
        mini_world_test(another_parent_is_told_once),
        mini_world_test(monitors_tell_of_entities_that_queries_pass_over),
        mini_world_test(values_beside_columns_have_a_size),
        mini_world_test(monitors_follow_entities_to_other_parents),
        mini_world_test(deep_trees_are_walked_to_the_end),
        mini_world_test(events_follow_custom_relationships_too),
        mini_world_test(hooks_come_first_except_for_removal),
        cmocka_unit_test(events_of_multithreaded_systems_do_not_depend_on_workers),
        world_test(events_of_other_systems_are_told_at_once),
        mini_world_test(rows_of_a_table_can_be_queued),
        mini_world_test(events_may_be_about_ids_beside_tables),
        mini_world_test(an_observer_that_dies_while_others_run_is_passed_over),
        mini_world_test(entities_that_callbacks_delete_are_told_to_the_others_first),
        mini_world_test(what_exists_is_told_before_callbacks_change_it),
        mini_world_test(events_whose_event_or_entity_died_are_dropped_with_their_param),
        world_test(terms_about_members_trigger_when_values_are_set),
        mini_world_test(pairs_with_the_entity_itself_are_told_of_no_others),
        mini_world_test(any_id_triggers_next_to_variables),
        mini_world_test(variables_of_a_single_term_have_values),
        mini_world_test(limits_of_depth_count_for_observers),
        mini_world_test(monitors_of_optional_terms_tell_of_nothing_beside_tables),
        mini_world_test(terms_that_stand_for_several_ids_tell_which),
        mini_world_test(places_and_parents_of_targets_are_told),
        mini_world_test(what_is_in_scopes_triggers),
        mini_world_test(children_are_told_before_their_parents),
        mini_world_test(deleting_a_component_tells_each_holder_once),
        cmocka_unit_test_setup_teardown(
            at_the_end_each_value_is_told_once, mini_world_setup_, end_of_the_end),
        cmocka_unit_test_setup_teardown(
            at_the_end_yielding_observers_tell_of_all_once, mini_world_setup_, end_of_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
