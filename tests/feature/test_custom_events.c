// SPDX-License-Identifier: MIT
// Events of one's own, emitted and queued: features.md area OBS.
#include "observer_scene.h"

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

// Keys under which observers wait are asked once each. OBS-09, api/05 8
static void events_about_wildcards_are_told_once(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t e = named(world, "E");
    ecs_add_pair(world, e, Rel, Foo);
    ecs_add(world, e, Bar);
    const ecs_id_t ids[] = { EcsWildcard, ecs_pair(Rel, EcsWildcard), ecs_pair(EcsWildcard, Foo),
        ecs_pair(EcsWildcard, EcsWildcard) };
    for (int i = 0; i < 4; i++)
        ecs_observer(world,
            { .query.terms = { { .id = ids[i] } }, .events = { Foo }, .callback = log_event });
    static const char *const told[] = { "Foo *", "Foo (Rel,*); Foo (Rel,*)",
        "Foo (*,Foo); Foo (*,Foo)", "Foo (*,*)" };
    for (int i = 0; i < 4; i++) {
        ecs_type_t type = { ECS_CONST_CAST(ecs_id_t *, &ids[i]), 1 };
        ecs_emit(world, &(ecs_event_desc_t){ .event = Foo, .ids = &type, .entity = e });
        assert_log(told[i]);
    }
}

// OBS-01: however many ids it is about, an event is one.
static void an_event_about_many_ids_is_told_once(void **state) {
    enum { COUNT = 100 };
    ecs_world_t *world = begin(state);
    ecs_id_t ids[COUNT];
    int told = 0;
    ecs_entity_t event = ecs_new(world), e = ecs_new(world);
    for (int i = 0; i < COUNT; i++) ecs_add_id(world, e, ids[i] = ecs_new(world));
    ecs_observer(world, { .query.terms = { { ids[0] }, { ids[COUNT - 1] } },
                            .events = { event },
                            .callback = count_observed,
                            .ctx = &told });
    for (int n = 0; n < 3; n++) {
        ecs_emit(world,
            &(ecs_event_desc_t){ .event = event, .entity = e, .ids = &(ecs_type_t){ ids, COUNT } });
        assert_int_equal(told, n + 1);
    }
}

static void events_may_be_about_one_entity_whatever_it_has(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t event = named(world, "Event"), e = named(world, "Button"), other = ecs_new(world);
    ecs_observer(world, { .query.terms = { { .id = EcsAny, .src.id = e } },
                            .events = { event },
                            .callback = log_event });
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

// 05: pairs of ChildOf are not looked for in tables, as children by component have none there.
static void events_may_be_about_parents(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t event = named(world, "Event"), p = named(world, "P"), told = ecs_childof(p);
    ecs_entity_t children[] = { ecs_new_w_parent(world, p, "a"),
        ecs_entity(world, { .name = "b", .parent = p }) };
    ecs_observer(
        world, { .query.terms = { { told } }, .events = { event }, .callback = log_event });
    for (int i = 0; i < 2; i++) {
        ecs_emit(
            world, &(ecs_event_desc_t){
                       .event = event, .entity = children[i], .ids = &(ecs_type_t){ &told, 1 } });
        assert_log("Event (ChildOf,P)");
    }
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

// What is said of an entity before and after an event about its row is not folded.
static void queued_events_about_rows_keep_their_place(void **state) {
    ecs_world_t *world = begin(state);
    ecs_observer(
        world, { .query.expr = "Foo, Node", .events = { ecs_id(Message) }, .callback = log_param });
    ecs_entity_t e = ecs_new_w(world, Foo), other = ecs_new_w(world, Foo);
    ecs_defer_begin(world);
    ecs_set(world, e, Node, { 1 });
    ecs_set(world, other, Node, { 2 });
    ecs_enqueue(world, &(ecs_event_desc_t){ .event = ecs_id(Message),
                           .ids = &(ecs_type_t){ &Foo, 1 },
                           .table = ecs_get_table(world, e),
                           .const_param = &(Message){ 1 } });
    ecs_remove_id(world, other, Foo);
    ecs_remove_id(world, e, Foo);
    ecs_defer_end(world);
    assert_log("message 1");
    assert_false(ecs_has_id(world, e, Foo) || ecs_has_id(world, other, Foo));
}

// api/06 §10
static void queued_events_are_counted(void **state) {
    ecs_world_t *world = begin(state);
    const ecs_world_info_t *info = ecs_get_world_info(world);
    const int64_t events = info->cmd.event_count, others = info->cmd.other_count;
    ecs_entity_t e = ecs_new_w(world, Foo);
    ecs_event_desc_t desc = {
        .event = ecs_id(Message), .ids = &(ecs_type_t){ &Foo, 1 }, .entity = e
    };
    ecs_enqueue(world, &desc); /* is no command */
    ecs_defer_begin(world);
    for (int i = 0; i < 3; i++) ecs_enqueue(world, &desc);
    ecs_enable(world, e, true);
    ecs_defer_end(world);
    assert_int_equal(info->cmd.event_count - events, 3);
    assert_int_equal(info->cmd.other_count - others, 1);
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

static void add_param(ecs_iter_t *it) { *(int *)it->ctx += *(const int *)it->param; }

static void emit_number(ecs_world_t *world, ecs_entity_t event, ecs_entity_t entity, int number) {
    const ecs_type_t ids = { &ecs_id(Node), 1 };
    ecs_emit(world, &(ecs_event_desc_t){
                        .event = event, .ids = &ids, .entity = entity, .const_param = &number });
}

// OBS-09: the same event again, while others come to hear of it and go.
static void events_one_after_the_other_are_told_to_who_is_there(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t event = named(world, "Event");
    ecs_entity_t e[2] = { ecs_new_w(world, Node), ecs_new_w(world, Node) };
    int first = 0, second = 0;
    ecs_observer_desc_t desc = { .query.terms = { { ecs_id(Node) } },
        .events = { event },
        .callback = add_param,
        .ctx = &first };
    ecs_entity_t early = ecs_observer_init(world, &desc);
    for (int i = 0; i < 4; i++) emit_number(world, event, e[i % 2], i);
    assert_int_equal(first, 6);
    desc.ctx = &second;
    ecs_entity_t late = ecs_observer_init(world, &desc);
    for (int i = 0; i < 4; i++) emit_number(world, event, e[i % 2], 10);
    assert_int_equal(first, 46);
    assert_int_equal(second, 40);
    ecs_delete(world, early);
    emit_number(world, event, e[0], 100);
    emit_number(world, event, e[0], 200);
    assert_int_equal(first, 46);
    assert_int_equal(second, 340);
    ecs_enable(world, late, false);
    emit_number(world, event, e[0], 1000);
    assert_int_equal(second, 340);
    ecs_enable(world, late, true);
    emit_number(world, event, e[0], 2000);
    assert_int_equal(second, 2340);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(custom_events_reach_observers_of_their_ids),
        mini_world_test(events_one_after_the_other_are_told_to_who_is_there),
        mini_world_test(events_about_wildcards_are_told_once),
        mini_world_test(an_event_about_many_ids_is_told_once),
        mini_world_test(events_may_be_about_one_entity_whatever_it_has),
        mini_world_test(events_may_be_about_parents),
        mini_world_test(queued_events_keep_their_place_among_commands),
        mini_world_test(queued_events_about_rows_keep_their_place),
        mini_world_test(queued_events_are_counted),
        mini_world_test(queued_events_keep_the_other_table),
        mini_world_test(events_inside_each_other_end),
        mini_world_test(events_follow_custom_relationships_too),
        cmocka_unit_test(events_of_multithreaded_systems_do_not_depend_on_workers),
        world_test(events_of_other_systems_are_told_at_once),
        mini_world_test(rows_of_a_table_can_be_queued),
        mini_world_test(events_may_be_about_ids_beside_tables),
        mini_world_test(events_whose_event_or_entity_died_are_dropped_with_their_param),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
