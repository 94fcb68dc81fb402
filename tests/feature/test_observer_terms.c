// SPDX-License-Identifier: MIT
// What observers of several terms, and of each kind of term, are told: OBS-02, OBS-03, Q-NEW-14, Q-FRM-11.
#include "observer_scene.h"

#include "support/abort.h"
#include "support/check.h"
#include "support/random.h"

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

static void log_names(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++)
        log_write("%s %s%s", (const char *)it->ctx, ecs_get_name(it->world, it->entities[i]),
            it->set_fields & 2 ? "" : " unset");
}

static void observe_names(ecs_world_t *world, const char *expr, ecs_entity_t event) {
    ecs_observer(world, { .query.expr = expr,
                            .events = { event },
                            .callback = log_names,
                            .ctx = ECS_CONST_CAST(char *, expr) });
}

// OBS-03: rows of one table differ in what they have switched off.
static void rows_are_told_whose_ids_are_switched_as_asked(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t on = named(world, "On"), e[4], hit = ecs_new(world);
    ecs_add_id(world, on, EcsCanToggle);
    for (int i = 0; i < 4; i++) {
        e[i] = named(world, (const char *[]){ "a", "b", "c", "d" }[i]);
        ecs_add_id(world, e[i], on);
        ecs_set(world, e[i], Node, { i });
        ecs_enable_id(world, e[i], on, i % 3 == 0);
    }
    ecs_event_desc_t event = { .event = hit,
        .ids = &(ecs_type_t){ .array = (ecs_id_t[]){ ecs_id(Node) }, .count = 1 },
        .table = ecs_get_table(world, e[0]) };
    observe_names(world, "Node, On", hit);
    observe_names(world, "Node, !On", hit);
    observe_names(world, "Node, ?On", hit);
    observe_names(world, "Node, ?(Rel, $x), On", hit);
    observe_names(world, "Node, On", EcsOnSet);
    observe_names(world, "Node, !On", EcsOnSet);
    ecs_emit(world, &event);
    assert_log("Node, On a; Node, On d; Node, !On b unset; Node, !On c unset; Node, ?On a; "
               "Node, ?On b unset; Node, ?On c unset; Node, ?On d; "
               "Node, ?(Rel, $x), On a unset; Node, ?(Rel, $x), On d unset");
    ecs_set(world, e[0], Node, { 5 });
    ecs_set(world, e[1], Node, { 5 });
    assert_log("Node, On a; Node, !On b unset");
    ecs_enable_id(world, e[0], on, false);
    ecs_set(world, e[0], Node, { 6 });
    assert_log("Node, !On a unset");
}

// OBS-03: what is switched off above, or of a constant, does not count either.
static void what_is_switched_off_above_is_not_there(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t on = named(world, "On"), thing = named(world, "Thing"), e = ecs_new(world);
    ecs_add_id(world, on, EcsCanToggle);
    ecs_add_id(world, thing, on);
    ecs_add_pair(world, e, EcsChildOf, thing);
    observe(world, "Node, On(up ChildOf)", EcsOnSet);
    observe(world, "Node, !On(up ChildOf)", EcsOnAdd);
    observe(world, "Node, [filter] On(Thing), ?On", EcsOnRemove);
    for (int i = 0; i < 2; i++) {
        ecs_enable_id(world, thing, on, !i);
        ecs_set(world, e, Node, { i });
        ecs_remove(world, e, Node);
        assert_log(i ? "OnAdd Node=0" : "OnSet Node ^Thing=0; OnRemove Node ^Thing=0");
    }
}

// OBS-01: one id alone is told of whatever happens to it, so that nothing is left behind.
static void a_single_id_is_told_switched_off_or_on(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t on = named(world, "On"), e = ecs_new(world);
    ecs_add_id(world, on, EcsCanToggle);
    ecs_add_id(world, e, on);
    observe_all(world, "On");
    ecs_enable_id(world, e, on, false);
    assert_log("");
    ecs_remove_id(world, e, on);
    ecs_add_id(world, e, on);
    assert_log("OnRemove On; OnAdd On");
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

static void log_entities(ecs_iter_t *it) {
    log_event(it);
    for (int32_t i = 0; i < it->count; i++)
        log_write("%s", ecs_get_name(it->world, it->entities[i]));
}

// OBS-03, OBS-06: also where more than tables decides what matches.
static void constants_are_observed_whatever_else_is_asked(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t beside = named(world, "Beside"), has = named(world, "Has"),
                 lacks = named(world, "Lacks"), owner = named(world, "Owner");
    ecs_add_id(world, beside, EcsDontFragment);
    ecs_add_id(world, has, beside);
    ecs_add_pair(world, has, Rel, lacks);
    ecs_add(world, has, Foo);
    ecs_add(world, lacks, Foo);
    const char *const exprs[] = { "Node(Owner), Beside", "Node(Owner), Foo, !Beside",
        "Node(Owner), Rel($this, $x), Foo($x)", "Node(Owner), Beside(Has)",
        "Node(Owner), Beside(Lacks)" };
    const char *const told[] = { "OnSet Node ^Owner; Has", "OnSet Node ^Owner; Lacks",
        "OnSet Node ^Owner ^Lacks; Has", "OnSet Node x0 ^Owner ^Has", "" };
    for (int i = 0; i < 5; i++) {
        ecs_entity_t o = ecs_observer(
            world, { .query.expr = exprs[i], .events = { EcsOnSet }, .callback = log_entities });
        ecs_set(world, owner, Node, { i });
        assert_log(told[i]);
        ecs_delete(world, o);
    }
    ecs_observer(world, { .query.expr = "Beside(Owner)",
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = log_entities });
    ecs_add_id(world, owner, beside);
    ecs_remove_id(world, owner, beside);
    assert_log("OnAdd Beside x0 ^Owner; OnRemove Beside x0 ^Owner");
    ecs_observer(
        world, { .query.expr = "Node(Has|up)", .events = { EcsOnSet }, .callback = log_entities });
    ecs_add_pair(world, has, EcsChildOf, owner);
    for (int i = 0; i < 2; i++) {
        log_clear();
        ecs_set(world, owner, Node, { 5 });
        assert_log("OnSet Node x0 ^Owner");
        ecs_new_w_parent(world, lacks, NULL); /* now parents may be beside tables */
    }
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
    int64_t live[2];
    for (int i = 0; i < 2; i++) {
        expect_error(ECS_UNSUPPORTED, "members",
            ecs_observer(world, { .query.expr = "(Unit.leader, Ann)",
                                    .events = { EcsMonitor },
                                    .callback = log_event }));
        live[i] = memory_live();
    }
    assert_int_equal(live[0], live[1]); /* nothing is left of what is refused */
}

// Q-FRM-01: a list stands for its ids, not for what those have.
static void lists_of_lists_end_with_plain_ids(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t list = named(world, "List");
    ecs_add(world, list, Foo);
    ecs_add(world, Foo, Bar);
    observe(world, "or|List", EcsOnAdd);
    ecs_entity_t e = ecs_new_w(world, Foo);
    assert_log("OnAdd Foo");
    ecs_add(world, e, Bar);
    assert_log("");
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

typedef struct place_t {
    ecs_entity_t entity;
    int32_t inside, wrong;
} place_t;

static void follow(ecs_iter_t *it) {
    place_t *place = it->ctx;
    for (int32_t i = 0; i < it->count; i++) {
        if (it->entities[i] != place->entity) continue;
        const bool begins = it->event == EcsOnAdd;
        place->wrong += begins == place->inside;
        place->inside = begins;
    }
}

static bool is_in(ecs_query_t *query, ecs_entity_t entity) {
    ecs_iter_t it;
    const bool found = ecs_query_has(query, entity, &it);
    if (found) ecs_iter_fini(&it);
    return found;
}

static void switch_id(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    if (ecs_owns_id(world, entity, id))
        ecs_remove_id(world, entity, id);
    else
        ecs_add_id(world, entity, id);
}

// Observers hear of what is in a scope that must not hold only if the whole changes, as monitors do.
static bool is_told_of_changes(const char *expr) { return !strncmp(expr, "Foo, !{", 7); }

// OBS-02, OBS-03: changes of constants, too, are told if the entity matches then and did not before, and only then.
static void monitors_follow_queries_whatever_constants_do(void **state) {
    static const char *const exprs[] = { "Foo, Bar(a)", "Foo, !Bar(a)", "Foo, Bar(a) || Node(a)",
        "Foo, Bar(a) || Rel(a, x)", "Foo, Rel(a, *)", "Foo, !Rel(a, *)", "Foo, Rel(a, $x)",
        "Foo, Beside(a, *)", "Foo, (Rel, *), Bar(a)", "Foo, $this != a, Bar(a)", "Foo, !{ Bar(a) }",
        "Foo, !{ Bar(a), Node(b) }", "Foo, !{ Bar(a), !Node(b) }", "Foo, !{ Bar(a), Size }",
        "Foo, { Size } || { Bar(a) }", "Foo, !{ !{ Bar(a), Node(b) } }",
        "Foo, Bar(a), !{ Node(a) }" };
    random_t random = random_init(random_seed());
    for (size_t i = 0; i < sizeof exprs / sizeof *exprs; i++) {
        ecs_world_t *world = i ? ecs_mini() : begin(state);
        if (i) begin((void *[]){ world });
        ecs_entity_t s[] = { named(world, "a"), named(world, "b"), named(world, "e") };
        ecs_entity_t base = named(world, "base"), beside = named(world, "Beside");
        ecs_entity_t x = named(world, "x"), y = named(world, "y");
        ecs_add_id(world, beside, EcsDontFragment);
        const ecs_id_t ids[] = { Foo, Bar, ecs_id(Node), ecs_id(Size), ecs_pair(Rel, x),
            ecs_pair(Rel, y), ecs_pair(beside, x), ecs_pair(beside, y), ecs_isa(base) };
        static place_t place, other; /* that they hear at the end of the world is of no interest */
        place = other = (place_t){ s[2], false, 0 };
        ecs_observer(world, { .query.expr = exprs[i],
                                .events = { EcsMonitor },
                                .callback = follow,
                                .ctx = &place });
        ecs_observer(world, { .query.expr = exprs[i],
                                .events = { EcsOnAdd, EcsOnRemove },
                                .callback = follow,
                                .ctx = &other });
        ecs_query_t *query = ecs_query(world, { .expr = exprs[i] });
        for (int n = 0; n < 300; n++) {
            const bool defers = !random_below(&random, 3) && ecs_defer_begin(world);
            if (random_below(&random, 8))
                switch_id(world, s[random_below(&random, 3)], ids[random_below(&random, 9)]);
            else
                switch_id(world, base, Bar);
            if (defers) ecs_defer_end(world);
            if (place.wrong || place.inside != is_in(query, s[2]))
                fail_msg("%s: step %d, wrong %d", exprs[i], n, place.wrong);
            if (is_told_of_changes(exprs[i]) && (other.wrong || other.inside != place.inside))
                fail_msg("observer of %s: step %d, wrong %d", exprs[i], n, other.wrong);
        }
        ecs_query_fini(query);
        if (i) ecs_fini(world);
    }
}

// OBS-02, OBS-03
static void one_of_several_pairs_of_a_constant_is_told(void **state) {
    static const char *const exprs[] = { "Foo, Rel(a, *)", "Rel(a, *)", "Foo, Rel(a, $x)" };
    ecs_world_t *world = begin(state);
    ecs_entity_t a = named(world, "a"), x = named(world, "x"), y = named(world, "y");
    ecs_new_w(world, Foo);
    ecs_add_pair(world, a, Rel, x);
    for (size_t i = 0; i < sizeof exprs / sizeof *exprs; i++) {
        ecs_entity_t observer = observe(world, exprs[i], EcsOnAdd);
        log_clear();
        ecs_add_pair(world, a, Rel, y);
        const char *const log = log_take();
        const char *const expected = i == 1 ? "OnAdd (Rel,y) x0 ^a" : "OnAdd (Rel,y) ^a";
        if (strcmp(log, expected) != 0) fail_msg("%s: %s", exprs[i], log);
        ecs_remove_pair(world, a, Rel, y);
        ecs_delete(world, observer);
    }
}

// The constant gets both ids at once, and loses them.
static void change_at_once(ecs_world_t *world, ecs_entity_t entity, ecs_id_t one, ecs_id_t other) {
    ecs_defer_begin(world);
    switch_id(world, entity, one);
    switch_id(world, entity, other);
    ecs_defer_end(world);
}

// OBS-02, OBS-03: that a constant heard of something itself keeps nobody from hearing what it got, and nobody hears twice.
static void everybody_is_told_once_of_what_a_constant_gets(void **state) {
    static const char *const exprs[] = { "Foo, Bar(a)", "Foo(a), Bar", "Foo, Bar(a), Foo(a)",
        "Foo, Bar(a), Rel(a, *)" };
    static const char *const told[] = {
        "OnAdd Foo ^a; a; OnAdd Bar ^a; e; OnRemove Foo ^a; a; OnRemove Bar ^a; e",
        "OnAdd Foo ^a; e; OnAdd Foo ^a; a; OnRemove Foo ^a; e; OnRemove Foo ^a; a",
        "OnAdd Foo ^a ^a; a; OnAdd Foo ^a ^a; e; OnRemove Foo ^a ^a; a; OnRemove Foo ^a ^a; e",
        "OnAdd Foo ^a ^a; a; OnAdd Bar ^a ^a; e; OnRemove Foo ^a ^a; a; OnRemove Bar ^a ^a; e",
    };
    ecs_world_t *world = begin(state);
    ecs_entity_t a = named(world, "a"), e = named(world, "e"), x = named(world, "x");
    ecs_add_pair(world, a, Rel, x);
    ecs_add(world, e, Foo);
    ecs_add(world, e, Bar);
    for (size_t i = 0; i < sizeof exprs / sizeof *exprs; i++) {
        ecs_entity_t observer = ecs_observer(world, { .query.expr = exprs[i],
                                                        .events = { EcsOnAdd, EcsOnRemove },
                                                        .callback = log_entities });
        log_clear();
        change_at_once(world, a, Foo, Bar);
        change_at_once(world, a, Foo, Bar);
        const char *const log = log_take();
        if (strcmp(log, told[i]) != 0) fail_msg("%s: %s", exprs[i], log);
        ecs_delete(world, observer);
    }
}

// What is set, and events of users, change nobody's match: all who match because of a constant are told, be the value its own or not.
static void values_of_a_constant_are_told_in_negated_scopes(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t event = named(world, "Event"), tag = named(world, "Tag");
    ecs_add_pair(world, ecs_id(Node), EcsOnInstantiate, EcsInherit);
    ecs_add_pair(world, Foo, EcsOnInstantiate, EcsInherit);
    ecs_add_id(world, Foo, EcsDontFragment);
    ecs_entity_t base = named(world, "base"), a = named(world, "a"), e = named(world, "e");
    ecs_set(world, base, Node, { 1 });
    ecs_add(world, base, Foo);
    ecs_add_pair(world, a, EcsIsA, base);
    ecs_add_id(world, a, tag);
    ecs_add_id(world, e, tag);
    int count = 0;
    ecs_observer(world, { .query.expr = "!{ Foo, !{ Node(a) } }, Tag",
                            .events = { EcsOnSet, event },
                            .callback = count_observed,
                            .ctx = &count });
    ecs_set(world, base, Node, { 2 });
    assert_int_equal(count, 2);
    ecs_emit(
        world, &(ecs_event_desc_t){ .event = event,
                   .entity = base,
                   .ids = &(ecs_type_t){ .array = (ecs_id_t[]){ ecs_id(Node) }, .count = 1 } });
    assert_int_equal(count, 4);
    ecs_set(world, a, Node, { 3 });
    assert_int_equal(count, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(values_of_a_constant_are_told_in_negated_scopes),
        mini_world_test(monitors_follow_queries_whatever_constants_do),
        mini_world_test(one_of_several_pairs_of_a_constant_is_told),
        mini_world_test(everybody_is_told_once_of_what_a_constant_gets),
        mini_world_test(all_terms_must_match),
        mini_world_test(one_operation_is_told_once),
        mini_world_test(filter_terms_do_not_trigger),
        mini_world_test(losing_an_id_of_a_not_term_is_an_add),
        mini_world_test(rows_are_told_whose_ids_are_switched_as_asked),
        mini_world_test(what_is_switched_off_above_is_not_there),
        mini_world_test(a_single_id_is_told_switched_off_or_on),
        mini_world_test(optional_terms_do_not_trigger_unless_alone),
        mini_world_test(each_alternative_of_a_chain_triggers),
        mini_world_test(each_id_of_a_list_triggers),
        mini_world_test(constants_are_observed_without_entities),
        mini_world_test(constants_are_observed_whatever_else_is_asked),
        mini_world_test(a_monitor_tells_of_entering_and_leaving),
        mini_world_test(monitors_tell_of_entities_that_queries_pass_over),
        world_test(terms_about_members_trigger_when_values_are_set),
        world_test(lists_of_lists_end_with_plain_ids),
        mini_world_test(pairs_with_the_entity_itself_are_told_of_no_others),
        mini_world_test(variables_of_a_single_term_have_values),
        mini_world_test(any_id_triggers_next_to_variables),
        mini_world_test(monitors_of_optional_terms_tell_of_nothing_beside_tables),
        mini_world_test(terms_that_stand_for_several_ids_tell_which),
        mini_world_test(places_and_parents_of_targets_are_told),
        mini_world_test(what_is_in_scopes_triggers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
