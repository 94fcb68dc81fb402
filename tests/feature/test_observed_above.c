// SPDX-License-Identifier: MIT
// Events that reach entities through their parents and bases: OBS-05 to OBS-07.
#include "observer_scene.h"

#include "support/random.h"

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

// OBS-06: relationships whose ids differ by a multiple of a power of two are told apart
static void each_of_two_relationships_is_followed(void **state) {
    ecs_world_t *world = begin(state);
    const ecs_entity_t rels[] = { 5000, 5000 + (1 << 17) };
    ecs_entity_t parent = named(world, "P");
    for (int i = 0; i < 2; i++) {
        ecs_make_alive(world, rels[i]);
        ecs_add_id(world, rels[i], EcsTraversable);
        ecs_observer(
            world, { .query.terms = { { .id = ecs_id(Node), .src.id = EcsUp, .trav = rels[i] } },
                       .events = { EcsOnAdd },
                       .callback = log_values });
    }
    for (int i = 0; i < 8; i++) {
        ecs_id_t tag = ecs_new(world);
        for (int r = 0; r < 2; r++)
            ecs_bulk_init(
                world, &(ecs_bulk_desc_t){ .count = 1, .ids = { ecs_pair(rels[r], parent), tag } });
    }
    int64_t before = ecs_get_world_info(world)->observers_ran_total;
    ecs_add(world, parent, Node);
    assert_int_equal(ecs_get_world_info(world)->observers_ran_total - before, 16);
}

// OBS-06: two terms hear of one event, each entity of it once, also where it is told of in many tables
static void each_of_many_tables_is_told_once(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t parent = named(world, "P"), a = named(world, "A"), b = named(world, "B");
    ecs_observer(world, { .query.expr = "A(up ChildOf), B(up ChildOf)",
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = log_values });
    ecs_observer(
        world, { .query.expr = "A(up ChildOf)", .events = { EcsMonitor }, .callback = log_values });
    for (int i = 0; i < 100; i++) {
        ecs_entity_t child = ecs_new_w_pair(world, EcsChildOf, parent);
        if (i % 3) ecs_add_id(world, child, ecs_new(world)); /* a table of its own */
    }
    int64_t before = ecs_get_world_info(world)->observers_ran_total;
    ecs_entity(world, { .id = parent, .add = ecs_ids(a, b) });
    assert_int_equal(ecs_get_world_info(world)->observers_ran_total - before, 2 * 67);
    ecs_clear(world, parent);
    assert_int_equal(ecs_get_world_info(world)->observers_ran_total - before, 4 * 67);
}

// OBS-05, OBS-06: of several bases of a parent, the one that provides the value
static void children_of_instances_see_one_base(void **state) {
    ecs_world_t *world = begin(state);
    ecs_add_pair(world, ecs_id(Node), EcsOnInstantiate, EcsInherit);
    ecs_entity_t first = named(world, "First"), second = named(world, "Second");
    ecs_entity_t parent = ecs_new_w_pair(world, EcsIsA, first);
    ecs_add_pair(world, parent, EcsIsA, second);
    ecs_new_w_pair(world, EcsChildOf, parent);
    observe_all(world, "Node(up ChildOf)");
    ecs_set(world, first, Node, { 1 });
    assert_log("OnAdd Node ^First=0; OnSet Node ^First=1");
    ecs_set(world, second, Node, { 2 });
    ecs_remove(world, second, Node);
    assert_log("");
    ecs_remove(world, first, Node);
    assert_log("OnRemove Node ^First=1");
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

// OBS-02, OBS-03: a pair takes the place of a parent by component.
static void monitors_of_absence_follow_entities_to_parents_of_the_other_kind(void **state) {
    ecs_world_t *world = begin(state);
    observe(world, "Foo, !Node(up ChildOf)", EcsMonitor);
    ecs_entity_t p = named(world, "P"), q = named(world, "Q"), child = ecs_new(world);
    ecs_set(world, p, Node, { 1 });
    ecs_set(world, child, EcsParent, { q });
    ecs_add(world, child, Foo);
    assert_log("OnAdd Foo");
    ecs_add_pair(world, child, EcsChildOf, p);
    assert_log("OnRemove Node");
    ecs_set(world, child, EcsParent, { q });
    assert_log("OnAdd Node");
}

static void count_sides(ecs_iter_t *it) { ((int *)it->ctx)[it->event == EcsOnRemove] += it->count; }

// OBS-02: what a monitor was told last is what is so, whatever kinds of parents show a component before and after.
static void monitors_of_absence_are_told_of_both_parents(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t parents[] = { named(world, "P"), named(world, "Q") };
    ecs_entity_t child = ecs_new_w(world, Foo);
    static int sides[2]; /* the end of the world is told, too */
    ecs_observer(world, { .query.expr = "Foo, !Node(up ChildOf)",
                            .events = { EcsMonitor },
                            .yield_existing = true,
                            .callback = count_sides,
                            .ctx = sides });
    ecs_set(world, parents[0], Node, { 1 });
    ecs_set(world, parents[1], Node, { 2 });
    for (int i = 0; i < 16; i++) {
        ecs_entity_t parent = parents[(i >> 1 ^ i >> 3) & 1];
        if (i & 1)
            ecs_add_pair(world, child, EcsChildOf, parent);
        else
            ecs_set(world, child, EcsParent, { parent });
        assert_int_equal(sides[0] - sides[1], 0);
    }
    ecs_remove_pair(world, child, EcsChildOf, EcsWildcard);
    assert_int_equal(sides[0] - sides[1], 1);
}

// OBS-06: what an own value hid is told to those below, wherever edges are kept.
static void a_farther_source_is_told_when_a_nearer_one_goes(void **state) {
    const ecs_entity_t traits[][3] = { { EcsExclusive }, { EcsUnion },
        { EcsDontFragment, EcsExclusive }, { EcsDontFragment } };
    for (int kind = 0; kind < 4; kind++) {
        ecs_world_t *world = begin(state);
        ecs_entity_t at = ecs_new(world), middle = ecs_new(world), top = named(world, "Top");
        ecs_add_id(world, at, EcsTraversable);
        for (int i = 0; traits[kind][i]; i++) ecs_add_id(world, at, traits[kind][i]);
        ecs_add_pair(world, middle, at, top);
        ecs_new_w_pair(world, at, middle);
        ecs_set(world, top, Node, { 1 });
        ecs_set(world, middle, Node, { 2 });
        ecs_set_name(world, at, "At");
        observe(world, "Node(up At)", EcsOnAdd);
        ecs_remove(world, middle, Node);
        assert_log("OnAdd Node ^Top=1");
    }
}

// OBS-06: terms that only look up see the value of the base again below the one that had its own, wherever values are kept.
static void a_base_is_told_when_a_nearer_one_loses_its_value(void **state) {
    ecs_world_t *world = begin(state);
    ecs_add_id(world, ecs_id(Size), EcsSparse);
    ecs_entity_t top = named(world, "Top"), middle = ecs_new_w_pair(world, EcsIsA, top);
    ecs_new_w_pair(world, EcsIsA, middle);
    ecs_set(world, top, Node, { 1 });
    ecs_set(world, middle, Node, { 2 });
    ecs_set(world, top, Size, { 3 });
    ecs_set(world, middle, Size, { 4 });
    ecs_add(world, top, Foo);
    ecs_add(world, middle, Foo);
    observe(world, "Node(up IsA)", EcsOnSet);
    observe(world, "Size(up IsA)", EcsOnSet);
    observe(world, "Foo(up IsA)", EcsOnSet);
    ecs_remove(world, middle, Node);
    assert_log("OnSet Node ^Top=1");
    ecs_remove(world, middle, Size);
    assert_log("OnSet Size ^Top=3");
    ecs_remove(world, middle, Foo);
    assert_log("");
}

// OBS-06, Q-TRV-09: a term sees what the first target leads to, wherever edges are kept.
static void another_target_is_told_of_if_it_is_the_first(void **state) {
    for (int kind = 0; kind < 2; kind++) {
        ecs_world_t *world = begin(state);
        ecs_delete(world, ecs_new(world)); /* the relationship gets an id that somebody had */
        ecs_entity_t at = named(world, kind ? "Beside" : "InTable"), a = named(world, "A"),
                     b = named(world, "B"), c = named(world, "C"), e = ecs_new(world);
        ecs_add_id(world, at, EcsTraversable);
        if (kind) ecs_add_id(world, at, EcsDontFragment);
        ecs_entity_t targets[] = { a, b, c };
        for (int i = 0; i < 3; i++) ecs_set(world, targets[i], Node, { i + 1 });
        observe_all(world, kind ? "Node(up Beside)" : "Node(up InTable)");
        ecs_add_pair(world, e, at, b);
        assert_log("OnAdd Node ^B=2");
        ecs_add_pair(world, e, at, c);
        assert_log("");
        ecs_add_pair(world, e, at, a);
        assert_log("OnRemove Node ^B=2; OnAdd Node ^A=1");
        ecs_remove_pair(world, e, at, b);
        assert_log("");
        ecs_remove_pair(world, e, at, a);
        assert_log("OnRemove Node ^A=1; OnAdd Node ^C=3");
        ecs_remove_pair(world, e, at, c);
        assert_log("OnRemove Node ^C=3");
    }
}

// OBS-06, Q-TRV-09: so is another if the first has nothing any more, or does not lead to it; along IsA of its value alone.
static void another_target_is_told_of_when_the_first_shows_nothing(void **state) {
    static const char *const exprs[] = { "Node(up InTable)", "Node(up Beside)", "Node(up IsA)" };
    static const char *const told[] = { "OnRemove Node ^A=1; OnAdd Node ^B=2",
        "OnRemove Node ^A=1; OnAdd Node ^B=2", "OnRemove Node ^A=1; OnSet Node ^B=2" };
    static const char *const told_of_edge[] = {
        "OnRemove Node ^Top=3; OnRemove Node ^Top=3; OnAdd Node ^B=2",
        "OnRemove Node ^Top=3; OnRemove Node ^Top=3; OnAdd Node ^B=2",
        "OnRemove Node ^Top=3; OnRemove Node ^Top=3; OnSet Node ^B=2"
    };
    ecs_world_t *world = begin(state);
    ecs_entity_t beside = named(world, "Beside"), top = named(world, "Top");
    ecs_entity_t a = named(world, "A"), b = named(world, "B");
    ecs_set(world, top, Node, { 3 });
    ecs_entity_t rels[] = { named(world, "InTable"), beside, EcsIsA };
    ecs_add_id(world, beside, EcsDontFragment);
    for (int i = 0; i < 3; i++) {
        ecs_add_id(world, rels[i], EcsTraversable);
        ecs_entity_t e = ecs_new(world);
        ecs_add_pair(world, e, rels[i], a);
        ecs_add_pair(world, e, rels[i], b);
        ecs_set(world, a, Node, { 1 });
        ecs_set(world, b, Node, { 2 });
        ecs_entity_t observer = observe_all(world, exprs[i]);
        ecs_remove(world, a, Node);
        assert_log(told[i]);
        ecs_set(world, a, Node, { 1 });
        log_clear();
        ecs_remove(world, b, Node);
        assert_log("");
        ecs_set(world, b, Node, { 2 });
        ecs_remove(world, a, Node);
        ecs_add_pair(world, a, rels[i], top);
        log_clear();
        ecs_remove_pair(world, a, rels[i], top);
        assert_log(told_of_edge[i]);
        ecs_delete(world, observer);
        ecs_delete(world, e);
    }
}

// OBS-06: targets without any other id, whoever listens to what; and those below who see it through others.
static void another_base_is_told_of_whoever_listens(void **state) {
    const ecs_entity_t events[] = { EcsOnRemove, EcsOnSet };
    static const char *const told[] = { "OnRemove Node ^?=1; OnRemove Node ^?=1",
        "OnSet Node ^?=2; OnSet Node ^?=2" };
    for (int i = 0; i < 2; i++) {
        ecs_world_t *world = begin(state);
        ecs_entity_t a = ecs_new_w(world, Node), b = ecs_new_w(world, Node), e = ecs_new(world);
        ecs_add_pair(world, e, EcsIsA, a);
        ecs_add_pair(world, e, EcsIsA, b);
        ecs_new_w_pair(world, EcsIsA, e);
        ecs_set(world, a, Node, { 1 });
        ecs_set(world, b, Node, { 2 });
        ecs_entity_t observer = observe(world, "Node(up IsA)", events[i]);
        ecs_remove(world, a, Node);
        assert_log(told[i]);
        ecs_delete(world, observer);
    }
}

// OBS-06
static void a_farther_parent_by_component_is_told_when_a_nearer_one_loses_the_value(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t top = named(world, "Top"), middle = ecs_new_w_parent(world, top, NULL);
    ecs_new_w_parent(world, middle, NULL);
    ecs_set(world, top, Node, { 1 });
    ecs_set(world, middle, Node, { 2 });
    observe(world, "Node(up ChildOf)", EcsOnAdd);
    ecs_remove(world, middle, Node);
    assert_log("OnAdd Node ^Top=1");
}

// OBS-03, OBS-06: what is above an entity is not above its instances, nor above what is below these
static void absences_below_instances_end_with_what_bases_get(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t top = named(world, "top"), base = named(world, "base");
    ecs_add(world, top, Node);
    ecs_add_pair(world, base, EcsChildOf, top);
    ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, base), child = ecs_new_w(world, Foo);
    ecs_add_pair(world, child, EcsChildOf, instance);
    ecs_observer(world, { .query.expr = "Foo, !Node(up ChildOf)",
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = log_values });
    ecs_observer(world, { .query.expr = "Foo, !Node(up ChildOf)",
                            .events = { EcsMonitor },
                            .callback = log_values });
    ecs_add_pair(world, base, EcsIsA, top); /* the child of the base saw it before */
    assert_log("OnRemove Node; OnRemove Node");
    ecs_remove_pair(world, base, EcsIsA, top);
    assert_log("OnAdd Node; OnAdd Node");
}

// OBS-06, Q-TRV-16: the parent of an entity becomes its base, too: those below it see the same nearer
static void a_base_is_in_reach_of_more_than_a_parent(void **state) {
    ecs_world_t *world = begin(state);
    for (int kind = 0; kind < 2; kind++) {
        ecs_entity_t top = ecs_new_w(world, Foo), middle = ecs_new(world), e = ecs_new(world);
        ecs_add_pair(world, e, EcsChildOf, middle);
        if (kind)
            ecs_set(world, middle, EcsParent, { top });
        else
            ecs_add_pair(world, middle, EcsChildOf, top);
        ecs_entity_t observer =
            ecs_observer(world, { .query.expr = "Foo(up(ChildOf, 1)), !Foo(self)",
                                    .events = { EcsOnAdd, EcsOnRemove },
                                    .callback = log_values });
        ecs_add_pair(world, middle, EcsIsA, top);
        ecs_remove_pair(world, middle, EcsIsA, top);
        ecs_delete(world, observer);
    }
    assert_log("OnAdd Foo ^?; OnRemove Foo ^?; OnAdd Foo ^?; OnRemove Foo ^?");
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
    assert_log("");
    ecs_add(world, top, Node); /* past the one in the middle */
    assert_log("OnAdd Node ^top=0");
    ecs_remove(world, middle, Node);
    assert_log("");
    ecs_remove(world, top, Node);
    assert_log("OnRemove Node ^top=0");
}

// Q-TRV-17, OBS-06: whatever is too near hides nothing, until it is far enough.
static void what_is_too_near_hides_nothing(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t a = named(world, "a"), b = named(world, "b"), c = named(world, "c"),
                 d = named(world, "d");
    ecs_add_pair(world, b, EcsChildOf, a);
    ecs_add_pair(world, c, EcsChildOf, b);
    ecs_add_pair(world, d, EcsChildOf, c);
    ecs_set(world, b, Node, { 1 });
    observe_all(world, "Node(up(ChildOf, 2, 3))");
    ecs_set(world, a, Node, { 2 }); /* c sees past b; d sees b, which is two above it */
    assert_log("OnAdd Node ^a=0; OnSet Node ^a=2");
    ecs_remove(world, b, Node); /* d sees a now, and c did before */
    assert_log("OnRemove Node ^b=1; OnAdd Node ^a=2");
    ecs_set(world, a, Node, { 3 });
    assert_log("OnSet Node ^a=3; OnSet Node ^a=3");
}

// Q-TRV-16, OBS-02: of several targets beside tables, one may lead to what is too far, another to the same at less.
static void limits_of_depth_count_for_each_target(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t rel = named(world, "Rel");
    ecs_add_id(world, rel, EcsTraversable);
    ecs_add_id(world, rel, EcsDontFragment);
    ecs_entity_t source = named(world, "s"), near = named(world, "n"), far = named(world, "f");
    ecs_add(world, source, Node);
    ecs_add_pair(world, near, rel, source);
    ecs_add_pair(world, far, rel, near);
    observe_all(world, "Node(up(Rel, 1, 2))");
    ecs_observer(world,
        { .query.expr = "Node(up(Rel, 1, 2))", .events = { EcsMonitor }, .callback = log_values });
    ecs_entity_t e = ecs_new(world);
    ecs_add_pair(world, e, rel, far);
    assert_log("");
    ecs_add_pair(world, e, rel, near);
    assert_log("OnAdd Node ^s=0; OnAdd Node ^s=0");
    ecs_add_pair(world, e, rel, source);
    ecs_remove_pair(world, e, rel, near);
    ecs_remove_pair(world, e, rel, far);
    assert_log("");
    ecs_remove_pair(world, e, rel, source);
    assert_log("OnRemove Node ^s=0; OnRemove Node ^s=0");
}

enum { LEVELS = 10, CHANGES = 600 };

static ecs_entity_t leveled[LEVELS];

static void count_of_each(ecs_iter_t *it) {
    int(*told)[2] = it->ctx;
    for (int i = 0; i < it->count; i++)
        for (int e = 0; e < LEVELS; e++)
            if (it->entities[i] == leveled[e]) told[e][it->event == EcsOnRemove]++;
}

// Q-TRV-16, Q-TRV-17, OBS-02: also where pairs, or ids, or both are beside tables.
static void limits_of_depth_are_the_same_beside_tables(void **state) {
    ecs_world_t *world = begin(state);
    static const char *const limits[] = { "1, 1", "1, 2", "2, 3" };
    static int told[4][3][LEVELS][2]; /* until the world ends */
    ecs_entity_t rels[] = { named(world, "Rel"), named(world, "ThinRel") };
    ecs_entity_t ids[] = { named(world, "Fat"), named(world, "Thin") };
    random_t random = random_init(random_seed());
    memset(told, 0, sizeof told);
    ecs_add_id(world, ids[1], EcsDontFragment);
    for (int r = 0; r < 2; r++) {
        ecs_add_id(world, rels[r], EcsTraversable);
        ecs_add_id(world, rels[r], EcsExclusive);
        if (r) ecs_add_id(world, rels[r], EcsDontFragment);
    }
    for (int k = 0; k < 12; k++) {
        char expr[64];
        snprintf(expr, sizeof expr, "%s(up(%s, %s))", k & 1 ? "Thin" : "Fat",
            k & 2 ? "ThinRel" : "Rel", limits[k / 4]);
        ecs_observer(world, { .query.expr = expr,
                                .events = { EcsMonitor },
                                .callback = count_of_each,
                                .ctx = told[k & 3][k / 4] });
    }
    for (int e = 0; e < LEVELS; e++) leveled[e] = ecs_new(world);
    for (int change = 0; change < CHANGES; change++) {
        const int e = random_below(&random, LEVELS), above = random_below(&random, LEVELS);
        const int kind = random_below(&random, 5);
        for (int r = 0; r < 2; r++) {
            if (kind < 3 && above < e) ecs_add_pair(world, leveled[e], rels[r], leveled[above]);
            if (kind == 3) ecs_remove_pair(world, leveled[e], rels[r], EcsWildcard);
        }
        for (int i = 0; i < 2; i++) {
            if (kind == 4 && e & 1) ecs_add_id(world, leveled[above], ids[i]);
            if (kind == 4 && !(e & 1)) ecs_remove_id(world, leveled[above], ids[i]);
        }
        for (int k = 1; k < 4; k++) assert_memory_equal(told[0], told[k], sizeof told[0]);
    }
}

// Q-TRV-18
static void nothing_hides_from_who_looks_at_all(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t a = named(world, "a"), b = named(world, "b"), c = named(world, "c");
    ecs_add_pair(world, b, EcsChildOf, a);
    ecs_add_pair(world, c, EcsChildOf, b);
    ecs_set(world, b, Node, { 1 });
    observe_all(world, "Node(all|up)");
    ecs_set(world, a, Node, { 2 });
    assert_log("OnAdd Node ^a=0; OnAdd Node ^a=0; OnSet Node ^a=2; OnSet Node ^a=2");
    ecs_remove(world, b, Node);
    assert_log("OnRemove Node ^b=1");
}

// Q-TRV-18, OBS-05: of several in sight each is told of, but an instance shows its own value instead of its base's
static void overrides_hide_bases_from_who_looks_at_all(void **state) {
    ecs_world_t *world = begin(state);
    ecs_entity_t base = named(world, "base"), own = named(world, "own");
    ecs_set(world, base, Node, { 1 });
    ecs_entity_t heir = ecs_new_w_pair(world, EcsIsA, base);
    ecs_add_pair(world, own, EcsIsA, base);
    ecs_set(world, own, Node, { 2 });
    ecs_add_pair(world, own, EcsChildOf, heir);
    ecs_new_w_pair(world, EcsChildOf, own);
    observe_all(world, "Node(all|up)");
    ecs_set(world, own, Node, { 3 });
    assert_log("OnSet Node ^own=3");
    ecs_set(world, base, Node, { 4 }); /* both see it, through the heir */
    assert_log("OnSet Node ^base=4; OnSet Node ^base=4");
    ecs_remove_pair(world, own, EcsChildOf, heir);
    log_clear();
    ecs_set(world, base, Node, { 5 });
    assert_log("");
}

// TRT-09
static void what_is_not_passed_on_is_not_told_below(void **state) {
    ecs_world_t *world = begin(state);
    ecs_add_pair(world, ecs_id(Node), EcsOnInstantiate, EcsDontInherit);
    ecs_entity_t a = named(world, "a"), b = named(world, "b");
    ecs_add_pair(world, b, EcsChildOf, a);
    observe_all(world, "Node(up)");
    observe_all(world, "Node(all|up)");
    ecs_set(world, a, Node, { 2 });
    assert_log("");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(each_of_two_relationships_is_followed),
        mini_world_test(what_is_too_near_hides_nothing),
        mini_world_test(limits_of_depth_count_for_each_target),
        mini_world_test(limits_of_depth_are_the_same_beside_tables),
        mini_world_test(nothing_hides_from_who_looks_at_all),
        mini_world_test(overrides_hide_bases_from_who_looks_at_all),
        mini_world_test(what_is_not_passed_on_is_not_told_below),
        mini_world_test(children_are_told_of_what_their_parent_gets),
        mini_world_test(each_of_many_tables_is_told_once),
        mini_world_test(children_of_instances_see_one_base),
        mini_world_test(a_new_parent_brings_what_it_has),
        mini_world_test(values_of_prefabs_are_told_to_instances_without_override),
        mini_world_test(events_stay_where_a_relationship_cannot_be_traversed),
        mini_world_test(diamonds_are_told_once),
        mini_world_test(several_terms_see_through_parents_too),
        mini_world_test(children_of_instances_see_what_prefabs_get),
        mini_world_test(children_of_instances_see_what_bases_of_prefabs_have),
        mini_world_test(another_parent_is_told_once),
        mini_world_test(monitors_follow_entities_to_other_parents),
        mini_world_test(monitors_of_absence_follow_entities_to_parents_of_the_other_kind),
        mini_world_test(monitors_of_absence_are_told_of_both_parents),
        mini_world_test(a_farther_source_is_told_when_a_nearer_one_goes),
        mini_world_test(a_base_is_told_when_a_nearer_one_loses_its_value),
        mini_world_test(another_target_is_told_of_if_it_is_the_first),
        mini_world_test(another_target_is_told_of_when_the_first_shows_nothing),
        mini_world_test(another_base_is_told_of_whoever_listens),
        mini_world_test(a_farther_parent_by_component_is_told_when_a_nearer_one_loses_the_value),
        mini_world_test(absences_below_instances_end_with_what_bases_get),
        mini_world_test(a_base_is_in_reach_of_more_than_a_parent),
        mini_world_test(deep_trees_are_walked_to_the_end),
        mini_world_test(limits_of_depth_count_for_observers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
