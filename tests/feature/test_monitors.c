// SPDX-License-Identifier: MIT
// Monitors are told of those who enter what their query matches, and of those who leave it, each once: OBS-02.
#include "observer_scene.h"

#include "support/check.h"
#include "support/random.h"

enum { MOST = 16, MONITORS = 8 };

typedef struct monitor_t {
    ecs_query_t *queries[2]; // uncached, cached
    ecs_entity_t inside[MOST];
    int count, told; // told: since the last check
} monitor_t;

static monitor_t monitors[MONITORS];
static int monitor_count;

static int place_of(const monitor_t *m, ecs_entity_t entity) {
    int i = 0;
    while (i < m->count && m->inside[i] != entity) i++;
    return i;
}

static void follow(ecs_iter_t *it) {
    monitor_t *m = it->ctx;
    for (int i = 0; i < it->count; i++, m->told++) {
        const int place = place_of(m, it->entities[i]);
        assert_int_equal(place == m->count, it->event == EcsOnAdd);
        if (it->event == EcsOnAdd)
            m->inside[m->count++] = it->entities[i];
        else
            m->inside[place] = m->inside[--m->count];
        assert_true(m->count < MOST);
    }
}

static monitor_t *watch(ecs_world_t *world, const char *expr) {
    monitor_t *m = &monitors[monitor_count++];
    assert_true(monitor_count <= MONITORS);
    *m = (monitor_t){ 0 };
    for (int i = 0; i < 2; i++)
        m->queries[i] = ecs_query(
            world, { .expr = expr, .cache_kind = i ? EcsQueryCacheAuto : EcsQueryCacheNone });
    ecs_observer(world, { .query.expr = expr,
                            .events = { EcsMonitor },
                            .yield_existing = true,
                            .callback = follow,
                            .ctx = m,
                            .global_observer = true });
    return m;
}

static void check_one(ecs_world_t *world, monitor_t *m, const ecs_query_t *query) {
    bool seen[MOST] = { false };
    int count = 0;
    for (ecs_iter_t it = ecs_query_iter(world, query); ecs_query_next(&it);) {
        for (int i = 0; i < it.count; i++) {
            const int place = place_of(m, it.entities[i]);
            assert_true(place < m->count);
            count += !seen[place];
            seen[place] = true;
        }
    }
    assert_int_equal(count, m->count);
}

// All monitors know who matches now; `changes` is how much they heard since.
static void check(ecs_world_t *world, int changes) {
    int told = 0;
    for (int k = 0; k < monitor_count; k++) {
        for (int i = 0; i < 2; i++) check_one(world, &monitors[k], monitors[k].queries[i]);
        told += monitors[k].told;
        monitors[k].told = 0;
    }
    assert_int_equal(told, changes);
}

static void unwatch(ecs_world_t *world) {
    check(world, 0);
    for (int k = 0; k < monitor_count; k++) {
        for (int i = 0; i < 2; i++) ecs_query_fini(monitors[k].queries[i]);
    }
}

static ecs_world_t *begin_watching(void **state) {
    monitor_count = 0;
    return begin(state);
}

static void set_parent(ecs_world_t *world, ecs_entity_t child, ecs_entity_t parent, bool by_pair) {
    if (by_pair)
        ecs_add_pair(world, child, EcsChildOf, parent);
    else
        ecs_set(world, child, EcsParent, { parent });
}

// OBS-02: a parent by component and one by pair replace each other in one change, be it the same parent or another.
static void a_change_of_the_kind_of_parent_is_one_change(void **state) {
    ecs_world_t *world = begin_watching(state);
    ecs_entity_t a = named(world, "a"), b = named(world, "b"), child = named(world, "a::child");
    ecs_entity_t below = ecs_new_w_pair(world, EcsChildOf, child);
    ecs_set(world, a, Node, { 1 });
    ecs_set(world, b, Node, { 2 });
    ecs_add_id(world, child, Foo);
    ecs_add_id(world, below, Foo);
    watch(world, "Foo, (ChildOf, *)");
    watch(world, "Foo, (*, *)");
    watch(world, "Foo, Node(up ChildOf)");
    watch(world, "(ChildOf, a)");
    watch(world, "Foo, Node(up ChildOf), !(ChildOf, b)");
    check(world, 2 + 2 + 2 + 1 + 2);
    for (int step = 1; step < 32; step++) {
        const ecs_entity_t parent = step & 8 ? b : a;
        if (step & 2) ecs_defer_begin(world);
        set_parent(world, child, parent, step & 1);
        if (step & 2) ecs_defer_end(world);
        check(world, step % 8 == 0 ? 2 : 0);
        assert_id_equal(world, ecs_get_parent(world, child), parent);
        assert_int_equal(ecs_has(world, child, EcsParent), !(step & 1));
        assert_id_equal(world, ecs_lookup_child(world, parent, "child"), child);
    }
    unwatch(world);
}

// OBS-02: with the component goes the pair beside the table, and the depth in it.
static void losing_a_parent_by_component_is_one_change(void **state) {
    ecs_world_t *world = begin_watching(state);
    ecs_entity_t a = named(world, "a"), child = ecs_new_w_id(world, Foo);
    watch(world, "Foo, (*, *)");
    watch(world, "Foo, Parent, (ChildOf, *)");
    watch(world, "Foo, !Parent, !(ChildOf, a)");
    check(world, 1);
    for (int deferred = 0; deferred < 2; deferred++) {
        ecs_set(world, child, EcsParent, { a });
        check(world, 3);
        if (deferred) ecs_defer_begin(world);
        ecs_remove(world, child, EcsParent);
        if (deferred) ecs_defer_end(world);
        check(world, 3);
    }
    unwatch(world);
}

// OBS-02: the same where nothing was beside tables before.
static void the_first_parent_by_component_is_no_news(void **state) {
    ecs_world_t *world = begin_watching(state);
    ecs_entity_t a = named(world, "a"), child = ecs_new_w_pair(world, EcsChildOf, a);
    watch(world, "(*, a)");
    check(world, 1);
    ecs_set(world, child, EcsParent, { a });
    check(world, 0);
    unwatch(world);
}

// OBS-02: what a base has beside its table is seen by an instance before it owns it, which a mark of the base brings about.
static void instances_enter_that_own_what_their_base_has_marked(void **state) {
    ecs_world_t *world = begin_watching(state);
    ecs_entity_t thin = named(world, "Thin"), base = named(world, "base");
    ecs_add_id(world, thin, EcsDontFragment);
    ecs_add_id(world, base, thin);
    ecs_add_id(world, base, ECS_AUTO_OVERRIDE | thin);
    watch(world, "Thin");
    watch(world, "Thin|self");
    watch(world, "Foo, Thin, !Bar");
    watch(world, "Foo, Thin(up ChildOf)");
    check(world, 2);
    for (int deferred = 0; deferred < 2; deferred++) {
        ecs_entity_t instance = ecs_new_w_id(world, Foo);
        ecs_add_pair(world, ecs_new_w_id(world, Foo), EcsChildOf, instance);
        if (deferred) ecs_defer_begin(world);
        ecs_add_pair(world, instance, EcsIsA, base);
        if (deferred) ecs_defer_end(world);
        assert_true(ecs_owns_id(world, instance, thin));
        check(world, 4);
        ecs_delete(world, instance);
        check(world, 4);
    }
    unwatch(world);
}

// OBS-02: the first edge beside a table brings an id of the table, and is no other news for `_`.
static void the_first_edge_beside_a_table_is_one_change(void **state) {
    ecs_world_t *world = begin_watching(state);
    ecs_entity_t thin = named(world, "Thin"), base = named(world, "base"), e = ecs_new(world);
    ecs_entity_t edge = ecs_relationship(world, { .name = "Edge", .sparse = true });
    ecs_add_id(world, thin, EcsDontFragment);
    ecs_add_id(world, base, thin);
    ecs_add_pair(world, e, EcsIsA, base);
    watch(world, "_, Thin");
    watch(world, "*, Thin");
    watch(world, "Thin, _");
    watch(world, "Thin, _, (Edge, *)");
    check(world, 3); /* the base */
    for (int deferred = 0; deferred < 2; deferred++) {
        if (deferred) ecs_defer_begin(world);
        ecs_add_pair(world, e, edge, base);
        if (deferred) ecs_defer_end(world);
        check(world, 4);
        ecs_add_pair(world, e, edge, thin);
        ecs_remove_pair(world, e, edge, base);
        check(world, 0);
        if (deferred) ecs_defer_begin(world);
        ecs_remove_pair(world, e, edge, thin);
        if (deferred) ecs_defer_end(world);
        check(world, 4);
    }
    unwatch(world);
}

static void switch_pair(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t pair, bool adds, bool deferred) {
    if (deferred) ecs_defer_begin(world);
    if (adds)
        ecs_add_id(world, entity, pair);
    else
        ecs_remove_id(world, entity, pair);
    if (deferred) ecs_defer_end(world);
}

// Q-CIN-08, OBS-02: what a term names may get kinds, or kinds of kinds, and lose them.
static void monitors_follow_what_is_a_kind_of_what(void **state) {
    ecs_world_t *world = begin_watching(state);
    ecs_entity_t bob = named(world, "Bob"), ann = named(world, "Ann"), eve = named(world, "Eve");
    ecs_entity_t unit = named(world, "Unit"), archer = named(world, "Archer");
    ecs_entity_t likes = named(world, "Likes"), e = ecs_new_w_pair(world, likes, eve);
    ecs_add_id(world, e, archer);
    ecs_add_id(world, e, Foo);
    ecs_add_pair(world, eve, EcsIsA, ann);
    watch(world, "(Likes, Bob)");
    watch(world, "Foo, !(Likes, Bob)");
    watch(world, "(Likes, Bob) || Unit");
    watch(world, "Foo, Unit");
    check(world, 1);
    for (int deferred = 0; deferred < 2; deferred++) {
        switch_pair(world, ann, ecs_isa(bob), true, deferred);
        check(world, 3);
        switch_pair(world, archer, ecs_isa(unit), true, deferred);
        check(world, 1);
        switch_pair(world, eve, ecs_isa(ann), false, deferred);
        check(world, 2);
        switch_pair(world, archer, ecs_isa(unit), false, deferred);
        check(world, 2);
        switch_pair(world, ann, ecs_isa(bob), false, deferred);
        switch_pair(world, eve, ecs_isa(ann), true, deferred);
        check(world, 0);
    }
    ecs_add_pair(world, ann, EcsIsA, bob);
    check(world, 3);
    ecs_delete(world, ann);
    check(world, 3);
    unwatch(world);
}

static ecs_entity_t make(ecs_world_t *world, ecs_id_t a, ecs_id_t b) {
    const ecs_entity_t e = ecs_new_w(world, Foo);
    if (a) ecs_add_id(world, e, a);
    if (b) ecs_add_id(world, e, b);
    return e;
}

// OBS-02, Q-FRM-08, Q-FRM-11: what a list has may change, and what lists within it have.
static void monitors_follow_what_lists_have(void **state) {
    ecs_world_t *world = begin_watching(state);
    ecs_entity_t list = named(world, "List"), inner = named(world, "Inner");
    ecs_entity_t a = named(world, "A"), b = named(world, "B"), beside = named(world, "Beside");
    ecs_add_id(world, beside, EcsDontFragment);
    make(world, a, 0);
    make(world, a, b);
    make(world, beside, 0);
    ecs_add_id(world, list, a);
    ecs_add_id(world, inner, a);
    watch(world, "Foo, and|List");
    watch(world, "Foo, or|List");
    watch(world, "Foo, not|List");
    check(world, 5);
    for (int deferred = 0; deferred < 2; deferred++) {
        switch_pair(world, list, b, true, deferred);
        check(world, 1);
        switch_pair(world, list, a, false, deferred);
        check(world, 2);
        switch_pair(world, list, ECS_OR | inner, true, deferred);
        check(world, 2);
        switch_pair(world, inner, a, false, deferred);
        check(world, 3);
        switch_pair(world, inner, a, true, deferred);
        check(world, 3);
        switch_pair(world, list, beside, true, deferred);
        check(world, 3);
        switch_pair(world, list, beside, false, deferred);
        check(world, 3);
        switch_pair(world, list, Foo, true, deferred);
        check(world, 3);
        switch_pair(world, list, Foo, false, deferred);
        check(world, 3);
        switch_pair(world, list, ECS_OR | inner, false, deferred);
        switch_pair(world, list, a, true, deferred);
        check(world, 4);
        switch_pair(world, list, b, false, deferred);
        check(world, 1);
    }
    ecs_clear(world, list);
    check(world, 5);
    ecs_add_id(world, list, b);
    check(world, 4);
    ecs_delete(world, list);
    check(world, 4);
    unwatch(world);
}

// OBS-02, Q-FRM-08: what lists within lists have may come from a base, too.
static void instances_enter_by_lists_within_lists(void **state) {
    ecs_world_t *world = begin_watching(state);
    ecs_entity_t list = named(world, "List"), inner = named(world, "Inner");
    ecs_entity_t a = named(world, "A"), base = named(world, "Base"), e = make(world, 0, 0);
    ecs_add_id(world, list, ECS_OR | inner);
    ecs_add_id(world, inner, a);
    ecs_add_id(world, base, a);
    watch(world, "Foo, and|List");
    watch(world, "Foo, or|List");
    watch(world, "Foo, not|List");
    check(world, 1);
    for (int deferred = 0; deferred < 2; deferred++) {
        switch_pair(world, e, ecs_isa(base), true, deferred);
        check(world, 3);
        switch_pair(world, e, ecs_isa(base), false, deferred);
        check(world, 3);
    }
    unwatch(world);
}

static void switch_id(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, bool enabled, bool deferred) {
    if (deferred) ecs_defer_begin(world);
    ecs_enable_id(world, entity, id, enabled);
    if (deferred) ecs_defer_end(world);
}

// OBS-02: who has switched off what a term names lacks it: here, above, and beside what a variable stands for.
static void monitors_follow_what_is_switched_off(void **state) {
    ecs_world_t *world = begin_watching(state);
    ecs_entity_t on = named(world, "On"), thing = named(world, "Thing"), e = ecs_new(world);
    ecs_add_id(world, on, EcsCanToggle);
    ecs_add_id(world, thing, on);
    ecs_add_id(world, e, Foo);
    ecs_add_id(world, e, on);
    ecs_add_pair(world, e, EcsChildOf, thing);
    ecs_add_pair(world, e, Rel, thing);
    watch(world, "Foo, On");
    watch(world, "Foo, !On");
    watch(world, "Foo, ?On");
    watch(world, "Foo, On, (Rel, $x)");
    watch(world, "Foo, On(up ChildOf)");
    watch(world, "Foo, !On(up ChildOf)");
    watch(world, "Foo, On(Thing)");
    check(world, 5);
    for (int deferred = 0; deferred < 2; deferred++) {
        switch_id(world, e, on, false, deferred);
        check(world, 3);
        switch_id(world, e, on, false, deferred);
        check(world, 0);
        switch_id(world, thing, on, false, deferred);
        check(world, 3);
        switch_pair(world, e, Foo, false, deferred);
        check(world, 3);
        switch_pair(world, e, Foo, true, deferred);
        check(world, 3);
        switch_pair(world, e, on, false, deferred);
        switch_pair(world, e, on, true, deferred);
        switch_pair(world, thing, on, false, deferred);
        switch_pair(world, thing, on, true, deferred);
        check(world, 0);
        switch_id(world, thing, on, true, deferred);
        switch_id(world, e, on, true, deferred);
        check(world, 6);
        switch_pair(world, e, on, false, deferred);
        check(world, 3);
        switch_pair(world, e, on, true, deferred);
        check(world, 3);
    }
    unwatch(world);
}

// OBS-02: who is cleared had nothing that counted, if it was switched off; be something beside its table, too.
static void who_is_cleared_lacked_what_was_switched_off(void **state) {
    ecs_world_t *world = begin_watching(state);
    const ecs_entity_t on = named(world, "On"), bob = named(world, "bob"),
                       beside = named(world, "Beside");
    ecs_add_id(world, on, EcsCanToggle);
    ecs_add_id(world, beside, EcsDontFragment);
    ecs_new_w_id(world, Foo);
    watch(world, "Foo, !On(bob)");
    watch(world, "Bar || Foo, !On");
    check(world, 2);
    for (int k = 0; k < 2; k++) {
        ecs_add_id(world, bob, on);
        check(world, 1);
        ecs_enable_id(world, bob, on, false);
        check(world, 1);
        if (k) ecs_add_id(world, bob, beside);
        ecs_clear(world, bob);
        check(world, 0);
        assert_ptr_equal(ecs_get_table(world, bob), ecs_get_table(world, ecs_new(world)));
    }
    unwatch(world);
}

// OBS-02: a clone has switched off what the original has.
static void clones_leave_with_what_is_switched_off(void **state) {
    ecs_world_t *world = begin_watching(state);
    ecs_entity_t on = named(world, "On"), e = ecs_new_w_id(world, Foo);
    ecs_add_id(world, on, EcsCanToggle);
    ecs_add_id(world, e, on);
    ecs_enable_id(world, e, on, false);
    watch(world, "Foo, On");
    watch(world, "Foo, !On");
    check(world, 1);
    ecs_clone(world, 0, e, false);
    check(world, 1);
    ecs_clone(world, 0, e, true);
    check(world, 1 + 2);
    unwatch(world);
}

static void check_places(ecs_world_t *world, ecs_entity_t trait) {
    ecs_entity_t in = named(world, "In"), earth = named(world, "Earth"), e = ecs_new(world);
    ecs_add_id(world, in, EcsTransitive);
    ecs_add_id(world, in, trait);
    ecs_entity_t europe = named(world, "Europe"), france = named(world, "France");
    ecs_add_pair(world, france, in, europe);
    ecs_add_pair(world, e, in, france);
    ecs_add_id(world, e, Foo);
    watch(world, "(In, Earth)");
    watch(world, "Foo, !(In, Earth)");
    check(world, 1);
    for (int deferred = 0; deferred < 2; deferred++) {
        switch_pair(world, europe, ecs_pair(in, earth), true, deferred);
        check(world, 3 + 1);
        switch_pair(world, france, ecs_pair(in, europe), false, deferred);
        check(world, 2 + 1);
        switch_pair(world, france, ecs_pair(in, europe), true, deferred);
        check(world, 2 + 1);
        switch_pair(world, europe, ecs_pair(in, earth), false, deferred);
        check(world, 3 + 1);
    }
    ecs_add_pair(world, europe, in, earth);
    ecs_delete(world, france);
    check(world, 3 + 1 + 2 + 1);
    unwatch(world);
}

// Q-TRN-01, OBS-02: so does where places are, which tables tell or not.
static void monitors_follow_what_leads_where(void **state) {
    check_places(begin_watching(state), EcsTraversable);
}

static void monitors_follow_what_leads_where_beside_tables(void **state) {
    check_places(begin_watching(state), EcsDontFragment);
}

// Q-RFL-01, OBS-02: who is its own target leaves with it, and nobody twice.
static void reflexive_targets_leave_when_they_are_deleted(void **state) {
    ecs_world_t *world = begin_watching(state);
    for (int deferred = 0; deferred < 2; deferred++) {
        ecs_entity_t tree = named(world, deferred ? "Oak" : "Tree");
        ecs_new_w_pair(world, EcsIsA, ecs_new_w_pair(world, EcsIsA, tree));
        if (deferred) ecs_add_id(world, tree, Foo);
        watch(world, deferred ? "(IsA, Oak)" : "(IsA, Tree)");
        watch(world, deferred ? "(IsA, Oak), ?Foo" : "(IsA, Tree), ?Foo");
        const monitor_t *watching[] = { &monitors[2 * deferred], &monitors[2 * deferred + 1] };
        for (int i = 0; i < 2; i++) assert_int_equal(watching[i]->count, 3);
        if (deferred) ecs_defer_begin(world);
        ecs_delete(world, tree);
        if (deferred) ecs_defer_end(world);
        for (int i = 0; i < 2; i++) assert_true(!watching[i]->count && watching[i]->told == 6);
    }
    for (int k = 0; k < monitor_count; k++) {
        for (int i = 0; i < 2; i++) ecs_query_fini(monitors[k].queries[i]);
    }
}

// OBS-02: whoever is a constant of the query and matches it, too, does not keep others from being told.
static void a_constant_is_one_of_those_that_match(void **state) {
    ecs_world_t *world = begin_watching(state);
    ecs_entity_t thing = named(world, "Thing"), base = ecs_new_w_id(world, Bar), e[2];
    for (int i = 0; i < 2; i++) e[i] = ecs_new_w_id(world, Foo);
    ecs_add_id(world, thing, Foo);
    ecs_add_pair(world, thing, Rel, base);
    watch(world, "Foo, Bar(Thing)");
    watch(world, "Foo, !Bar(Thing)");
    watch(world, "Foo, Bar(Thing), Rel(Thing, $x)");
    check(world, 3);
    for (int deferred = 0; deferred < 2; deferred++) {
        switch_pair(world, thing, Bar, true, deferred);
        check(world, 9);
        switch_pair(world, thing, Bar, false, deferred);
        check(world, 9);
        switch_pair(world, thing, ecs_isa(base), true, deferred);
        check(world, 9);
        switch_pair(world, e[0], Foo, false, deferred);
        switch_pair(world, e[0], Foo, true, deferred);
        check(world, 4);
        switch_pair(world, thing, ecs_isa(base), false, deferred);
        check(world, 9);
    }
    unwatch(world);
}

// OBS-02, TRT-09: of what a wildcard stands for, what is not passed on was not seen before, either.
static void pairs_that_are_not_passed_on_are_not_seen_below(void **state) {
    ecs_world_t *world = begin_watching(state);
    ecs_entity_t a = named(world, "a"), likes = named(world, "Likes");
    ecs_entity_t base = ecs_new_w_pair(world, EcsChildOf, a);
    ecs_entity_t parent = ecs_new_w_pair(world, EcsIsA, base);
    ecs_add_pair(world, ecs_new_w_id(world, Foo), EcsChildOf, parent);
    watch(world, "Foo, *(up ChildOf, a)");
    check(world, 0);
    for (int deferred = 0; deferred < 2; deferred++) {
        switch_pair(world, parent, ecs_pair(likes, a), true, deferred);
        check(world, 1);
        switch_pair(world, parent, ecs_pair(likes, a), false, deferred);
        check(world, 1);
    }
    unwatch(world);
}

// OBS-02: a child sees nothing through a parent that loses its base and its own parent at once, which showed it the same.
static void children_leave_a_parent_that_is_cleared(void **state) {
    ecs_world_t *world = begin_watching(state);
    ecs_entity_t top = named(world, "top");
    ecs_set(world, top, Node, { 1 });
    watch(world, "Foo, Node(up ChildOf)");
    for (int deferred = 0; deferred < 2; deferred++) {
        ecs_entity_t parent = ecs_insert(world, ecs_value(EcsParent, { top }));
        ecs_add_pair(world, parent, EcsIsA, top);
        ecs_add_pair(world, ecs_new_w_id(world, Foo), EcsChildOf, parent);
        check(world, 1);
        if (deferred) ecs_defer_begin(world);
        ecs_clear(world, parent);
        if (deferred) ecs_defer_end(world);
        check(world, 1);
    }
    unwatch(world);
}

// OBS-02: a query passes disabled entities over as results, not as constants.
static void constants_may_be_disabled(void **state) {
    ecs_world_t *world = begin_watching(state);
    ecs_entity_t thing = named(world, "Thing");
    ecs_enable(world, thing, false);
    ecs_new_w_id(world, Foo);
    watch(world, "Foo, Bar(Thing)");
    watch(world, "Foo, !Bar(Thing)");
    check(world, 1);
    for (int deferred = 0; deferred < 2; deferred++) {
        switch_pair(world, thing, Bar, true, deferred);
        check(world, 2);
        switch_pair(world, thing, Bar, false, deferred);
        check(world, 2);
    }
    unwatch(world);
}

// OBS-02: instances inherit what a base of their base shows, be it what is above that already; those below them see it.
static void those_below_instances_see_a_base_that_is_above(void **state) {
    ecs_world_t *world = begin_watching(state);
    ecs_entity_t thin = named(world, "Thin"), top = named(world, "top");
    ecs_add_id(world, thin, EcsDontFragment);
    ecs_set(world, top, Node, { 1 });
    ecs_add_id(world, top, thin);
    ecs_entity_t base = ecs_new_w_pair(world, EcsChildOf, top);
    ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, base);
    ecs_add_pair(world, ecs_new_w_id(world, Foo), EcsChildOf, instance);
    watch(world, "Foo, Node(up ChildOf)");
    watch(world, "Foo, Thin(up ChildOf)");
    check(world, 0);
    for (int deferred = 0; deferred < 2; deferred++) {
        switch_pair(world, base, ecs_isa(top), true, deferred);
        check(world, 2);
        switch_pair(world, base, ecs_isa(top), false, deferred);
        check(world, 2);
    }
    unwatch(world);
}

// OBS-02: a variable is bound to another target of an edge that is inherited; that is no news.
static void another_target_of_an_inherited_edge_is_no_news(void **state) {
    ecs_world_t *world = begin_watching(state);
    ecs_entity_t edge = named(world, "Edge"), base = ecs_new(world), a = ecs_new(world);
    ecs_add_id(world, edge, EcsDontFragment);
    ecs_add_id(world, edge, EcsExclusive);
    ecs_add_pair(world, base, edge, a);
    ecs_add_pair(world, ecs_new_w_id(world, Foo), EcsIsA, base);
    watch(world, "Foo, (Edge, $x)");
    check(world, 1);
    for (int deferred = 0; deferred < 2; deferred++) {
        switch_pair(world, base, ecs_pair(edge, deferred ? a : Bar), true, deferred);
        check(world, 0);
    }
    switch_pair(world, base, ecs_pair(edge, a), false, false);
    check(world, 1);
    unwatch(world);
}

// OBS-02, CLN-10: of those that are deleted together, each leaves, be what it refers to deleted before, and nobody else does.
static void those_that_are_deleted_together_leave_once(void **state) {
    ecs_world_t *world = begin_watching(state);
    watch(world, "Foo, (Rel, $x)");
    watch(world, "Foo, !(Rel, $x)");
    watch(world, "Foo, Node, !Bar(up IsA)");
    watch(world, "(ChildOf, *), Foo");
    for (int deferred = 0; deferred < 2; deferred++) {
        ecs_entity_t parent = ecs_new(world), e[4];
        for (int i = 0; i < 4; i++) {
            e[i] = ecs_new_w_pair(world, EcsChildOf, parent);
            ecs_add_id(world, e[i], Foo);
        }
        ecs_add_pair(world, e[0], Rel, e[1]);
        ecs_add_pair(world, e[1], Rel, e[0]);
        ecs_add_pair(world, e[2], Rel, e[2]);
        ecs_add_id(world, e[3], Bar);
        ecs_entity_t heir = ecs_new_w_pair(world, EcsIsA, e[3]);
        ecs_add_pair(world, heir, EcsChildOf, e[0]);
        ecs_set(world, heir, Node, { 1 });
        for (int k = 0; k < monitor_count; k++) monitors[k].told = 0;
        check(world, 0);
        const int inside = monitors[0].count + monitors[1].count + monitors[3].count;
        assert_int_equal(monitors[2].count, 0);
        if (deferred) ecs_defer_begin(world);
        ecs_delete(world, parent);
        if (deferred) ecs_defer_end(world);
        for (int k = 0; k < monitor_count; k++) assert_int_equal(monitors[k].count, 0);
        check(world, inside);
    }
    unwatch(world);
}

static int left;
static void count_left(ecs_iter_t *it) { left += it->event == EcsOnRemove ? it->count : 0; }

static void count_turns(ecs_iter_t *it) { ((int *)it->ctx)[it->event == EcsOnRemove]++; }

// OBS-02: who asks of constants alone hears of what is switched off, and of ids that become, or cease to be, kinds of others.
static void constants_are_followed_as_others_are(void **state) {
    ecs_world_t *world = begin(state);
    const ecs_entity_t bob = ecs_new(world), toggle = ecs_new(world), fruit = ecs_new(world),
                       apple = ecs_new(world);
    int turns[2][2] = { 0 };
    ecs_add_id(world, toggle, EcsCanToggle);
    ecs_add_id(world, fruit, EcsInheritable);
    for (int k = 0; k < 2; k++)
        ecs_observer(world, { .query.terms = { { k ? fruit : toggle, .src.id = bob } },
                                .events = { EcsMonitor },
                                .callback = count_turns,
                                .ctx = turns[k] });
    ecs_add_id(world, bob, toggle);
    ecs_add_id(world, bob, apple);
    assert_true(turns[0][0] == 1 && !turns[0][1] && !turns[1][0]);
    for (int n = 1; n < 3; n++) {
        ecs_enable_id(world, bob, toggle, false);
        ecs_add_pair(world, apple, EcsIsA, fruit);
        assert_true(turns[0][1] == n && turns[1][0] == n);
        ecs_enable_id(world, bob, toggle, true);
        ecs_remove_pair(world, apple, EcsIsA, fruit);
        assert_true(turns[0][0] == n + 1 && turns[1][1] == n);
    }
    ecs_remove_id(world, bob, apple);
    assert_true(turns[0][1] == 2 && turns[1][1] == 2);
    ecs_delete(world, bob);
    assert_true(turns[0][1] == 3 && turns[1][1] == 2);
}

// OBS-02: of a constant that must have a parent, or none, what counts is whether it gets its first one or loses its last.
static void constants_that_are_roots_are_followed(void **state) {
    ecs_world_t *world = begin_watching(state);
    const ecs_entity_t bob = named(world, "bob"), a = named(world, "a"), b = named(world, "b");
    int turns[2][2] = { 0 };
    const char *exprs[] = { "!ChildOf(bob, *)", "!ChildOf(bob, 0)" };
    for (int k = 0; k < 2; k++)
        ecs_observer(world, { .query.expr = exprs[k],
                                .events = { EcsMonitor },
                                .callback = count_turns,
                                .ctx = turns[k] });
    ecs_new_w_id(world, Foo);
    watch(world, "Foo, !ChildOf(bob, *)");
    watch(world, "Foo, !ChildOf(bob, 0)");
    check(world, 1);
    for (int n = 1; n < 5; n++) {
        set_parent(world, bob, a, n & 1);
        check(world, 2);
        set_parent(world, bob, b, n & 2);
        check(world, 0);
        ecs_remove_pair(world, bob, EcsChildOf, EcsWildcard);
        check(world, 2);
        for (int k = 0; k < 2; k++) assert_true(turns[k][0] == n && turns[k][1] == n);
    }
    unwatch(world);
}

// OBS-02: an edge beside the table that the query does not want neither is, nor was, one that it wants, though the table tells of it first.
static void an_unwanted_edge_is_no_news(void **state) {
    ecs_world_t *world = begin(state);
    const ecs_entity_t bob = named(world, "bob"), a = named(world, "a"), b = named(world, "b"),
                       traits[] = { EcsUnion, ecs_pair(EcsRelationship, EcsSparse) };
    for (int k = 0; k < 2; k++) {
        int turns[2] = { 0 };
        ecs_entity_t rel = ecs_entity(world, { .name = k ? "S" : "U", .add = ecs_ids(traits[k]) });
        ecs_observer(world, { .query.expr = k ? "S(bob, _), !S(bob, b)" : "U(bob, _), !U(bob, b)",
                                .events = { EcsMonitor },
                                .callback = count_turns,
                                .ctx = turns });
        ecs_add_pair(world, bob, rel, b);
        ecs_remove_pair(world, bob, rel, b);
        assert_true(!turns[0] && !turns[1]);
        ecs_add_pair(world, bob, rel, a);
        assert_true(turns[0] == 1 && !turns[1]);
        ecs_add_pair(world, bob, rel, b);
        ecs_remove_pair(world, bob, rel, EcsWildcard);
        assert_true(turns[0] == 1 && turns[1] == 1);
    }
}

// OBS-02: what is above may be switched off, also where another takes its place.
static void those_below_follow_what_is_switched_off_above(void **state) {
    ecs_world_t *world = begin_watching(state);
    const ecs_entity_t toggle = ecs_entity(world, { .name = "T", .add = ecs_ids(EcsCanToggle) });
    ecs_entity_t above[4], moved = ecs_new_w_id(world, Foo);
    for (int i = 0; i < 4; i++) {
        above[i] = ecs_new_w_id(world, toggle);
        ecs_enable_id(world, above[i], toggle, i & 1);
    }
    ecs_add_pair(world, moved, EcsChildOf, above[0]);
    ecs_add_id(world, ecs_new_w_pair(world, EcsChildOf, moved), Foo);
    watch(world, "Foo, !T(up)");
    watch(world, "Foo, T(up)");
    check(world, 2);
    const int places[] = { 2, 1, 3, 0, 2, 3, 0 };
    for (int i = 0, was_on = 0; i < 7; was_on = places[i++] & 1) {
        ecs_add_pair(world, moved, EcsChildOf, above[places[i]]);
        check(world, was_on == (places[i] & 1) ? 0 : 4);
    }
    unwatch(world);
}

// OBS-02, CLN-10: who asks of a constant alone, for something beside its table or by variables, hears of others that are deleted together
// only if that decides about the constant, and once.
static void constants_leave_once_where_others_are_deleted_together(void **state) {
    enum { NEITHER, CONSTANT, TARGET, BOTH, CASES };
    ecs_world_t *world = begin(state);
    for (int deferred = 0; deferred < 2; deferred++) {
        for (int dying = 0; dying < CASES; dying++) {
            const ecs_entity_t bob = ecs_new(world), target = ecs_new_w(world, Foo),
                               beside = ecs_new(world), parent = ecs_new(world);
            int by_variable[2] = { 0 }, by_edge[2] = { 0 };
            ecs_add_id(world, beside, EcsDontFragment);
            ecs_observer_desc_t desc = { .query.terms = { { beside, .src.id = bob } },
                .events = { EcsMonitor },
                .callback = count_turns,
                .ctx = by_edge };
            const ecs_entity_t first = ecs_observer_init(world, &desc);
            desc.query.terms[0] =
                (ecs_term_t){ .first.id = Rel, .src.id = bob, .second = { EcsIsVariable, "x" } };
            desc.query.terms[1] = (ecs_term_t){ Foo, .src = { EcsIsVariable, "x" } };
            desc.ctx = by_variable;
            const ecs_entity_t second = ecs_observer_init(world, &desc);
            ecs_add_id(world, bob, beside);
            ecs_add_pair(world, bob, Rel, target);
            ecs_new_w_pair(world, EcsChildOf, parent);
            if (dying & CONSTANT) ecs_add_pair(world, bob, EcsChildOf, parent);
            if (dying & TARGET) ecs_add_pair(world, target, EcsChildOf, parent);
            assert_true(by_edge[0] == 1 && by_variable[0] == 1);
            if (deferred) ecs_defer_begin(world);
            ecs_delete(world, parent);
            if (deferred) ecs_defer_end(world);
            assert_int_equal(by_edge[1], (dying & CONSTANT) != 0);
            assert_int_equal(by_variable[1], dying != NEITHER);
            ecs_delete(world, bob);
            assert_true(by_edge[0] == 1 && by_edge[1] == 1);
            assert_true(by_variable[0] == 1 && by_variable[1] == 1);
            ecs_delete(world, first);
            ecs_delete(world, second);
        }
    }
}

// OBS-02, TDN-05: at the end of the world each leaves once, be it because of a constant or of what it loses itself.
static void each_leaves_once_at_the_end(void **state) {
    (void)state;
    for (int order = 0; order < 2; order++) {
        ecs_world_t *world = ecs_mini();
        ecs_entity_t foo = named(world, "Foo"), bar = named(world, "Bar");
        ecs_entity_t first = ecs_new_w_id(world, order ? foo : bar);
        ecs_entity_t second = ecs_new_w_id(world, order ? bar : foo);
        ecs_observer(world, { .query.terms = { { foo }, { bar, .src.id = order ? second : first } },
                                .events = { EcsMonitor },
                                .callback = count_left });
        left = 0;
        ecs_fini(world);
        assert_int_equal(left, 1);
    }
}

static void add_foo(ecs_iter_t *it) { ecs_add_id(it->world, *(ecs_entity_t *)it->ctx, Foo); }

// OBS-02: what is changed by whoever hears of a new observer is told as a change, and not as what is there, too.
static void changes_while_an_observer_is_made_are_told_once(void **state) {
    ecs_world_t *world = begin_watching(state);
    for (int deferred = 0; deferred < 2; deferred++) {
        ecs_entity_t e = ecs_new(world), other = ecs_new_w_id(world, Foo);
        ecs_entity_t maker =
            ecs_observer(world, { .query.terms = { { ecs_pair(ecs_id(EcsPoly), EcsObserver) } },
                                    .events = { EcsOnAdd },
                                    .callback = add_foo,
                                    .ctx = &e });
        int told = 0;
        if (deferred) ecs_defer_begin(world);
        ecs_entity_t made = ecs_observer(world, { .query.terms = { { Foo } },
                                                    .events = { EcsOnAdd },
                                                    .yield_existing = true,
                                                    .callback = count_observed,
                                                    .ctx = &told });
        if (deferred) ecs_defer_end(world);
        assert_true(ecs_has_id(world, e, Foo));
        assert_int_equal(told, 2);
        ecs_delete(world, made);
        ecs_delete(world, maker);
        ecs_delete(world, e);
        ecs_delete(world, other);
    }
}

// One of a random kind of change, upwards only, so that nothing goes round.
static void change_at_random(
    ecs_world_t *world, random_t *random, const ecs_entity_t *e, int count) {
    const int low = 1 + (int)(random_next(random) % (uint64_t)(count - 1)),
              high = (int)(random_next(random) % (uint64_t)low);
    const ecs_entity_t rel = random_next(random) % 2 ? EcsChildOf : ecs_lookup(world, "Rel");
    switch (random_next(random) % 5) {
    case 0: ecs_add_id(world, e[random_next(random) % (uint64_t)count], Foo); break;
    case 1: ecs_remove_id(world, e[random_next(random) % (uint64_t)count], Foo); break;
    case 2: ecs_remove_pair(world, e[low], rel, e[high]); break;
    default: ecs_add_pair(world, e[low], rel, e[high]); break;
    }
}

// OBS-02, Q-TRV-16, Q-TRV-17: some see past what others are too near to.
static void monitors_follow_limits_of_depth(void **state) {
    ecs_world_t *world = begin_watching(state);
    random_t random = random_init(random_seed());
    enum { COUNT = 9 };
    ecs_entity_t e[COUNT], rel = named(world, "Rel");
    ecs_add_id(world, rel, EcsTraversable);
    ecs_add_id(world, rel, EcsExclusive);
    for (int i = 0; i < COUNT; i++) e[i] = ecs_new(world);
    static const char *const exprs[MONITORS] = { "Foo(up(ChildOf, 2, 2))", "Foo(up(ChildOf, 2, 4))",
        "Foo(self|up(ChildOf, 2, 3))", "Foo(up(ChildOf, 3, 4))", "Foo(up(ChildOf, 1, 2))",
        "Foo(up(Rel, 2, 3))", "Foo(up(Rel, 2, 2))", "Foo(self|up(Rel, 2))" };
    for (int i = 0; i < MONITORS; i++) watch(world, exprs[i]);
    for (int i = 0; i < 1500; i++) {
        change_at_random(world, &random, e, COUNT);
        for (int k = 0; k < MONITORS; k++) {
            for (int q = 0; q < 2; q++) check_one(world, &monitors[k], monitors[k].queries[q]);
        }
    }
    for (int k = 0; k < MONITORS; k++) monitors[k].told = 0;
    unwatch(world);
}

// OBS-02: of a list that must all hold, one may be off, of the entity or above it; a constant matches or does not, in how many ways ever.
static void lists_and_constants_are_told_once(void **state) {
    ecs_world_t *world = begin(state);
    const ecs_entity_t toggle = ecs_new(world), list = named(world, "List"), e = named(world, "E");
    ecs_add_id(world, toggle, EcsCanToggle);
    ecs_add(world, list, Foo);
    ecs_add_id(world, list, toggle);
    ecs_add(world, e, Foo);
    ecs_add_id(world, e, toggle);
    ecs_add_pair(world, e, Rel, Foo);
    ecs_add_pair(world, e, Rel, Bar);
    ecs_new_w_pair(world, EcsChildOf, e);
    const char *exprs[] = { "(Rel, Foo), AND | List", "AND | List(up ChildOf)", "AND | List(E)",
        "Rel(E, *)" };
    static int turns[4][2]; /* until the world ends */
    memset(turns, 0, sizeof turns);
    for (int i = 0; i < 4; i++)
        ecs_observer(world, { .query.expr = exprs[i],
                                .events = { EcsMonitor },
                                .yield_existing = true,
                                .callback = count_turns,
                                .ctx = turns[i] });
    for (int n = 0; n < 3; n++) {
        for (int i = 0; i < 3; i++)
            assert_true(turns[i][0] == 1 + n / 2 && turns[i][1] == (n + 1) / 2);
        ecs_enable_id(world, e, toggle, n & 1);
    }
    assert_true(turns[3][0] == 1 && turns[3][1] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        world_test(a_change_of_the_kind_of_parent_is_one_change),
        world_test(losing_a_parent_by_component_is_one_change),
        mini_world_test(the_first_parent_by_component_is_no_news),
        world_test(instances_enter_that_own_what_their_base_has_marked),
        world_test(monitors_follow_what_is_a_kind_of_what),
        mini_world_test(monitors_follow_what_lists_have),
        mini_world_test(instances_enter_by_lists_within_lists),
        mini_world_test(the_first_edge_beside_a_table_is_one_change),
        mini_world_test(monitors_follow_what_is_switched_off),
        mini_world_test(who_is_cleared_lacked_what_was_switched_off),
        mini_world_test(lists_and_constants_are_told_once),
        mini_world_test(clones_leave_with_what_is_switched_off),
        world_test(monitors_follow_what_leads_where),
        world_test(monitors_follow_what_leads_where_beside_tables),
        world_test(a_constant_is_one_of_those_that_match),
        world_test(pairs_that_are_not_passed_on_are_not_seen_below),
        world_test(children_leave_a_parent_that_is_cleared),
        world_test(reflexive_targets_leave_when_they_are_deleted),
        world_test(constants_may_be_disabled),
        world_test(those_below_instances_see_a_base_that_is_above),
        world_test(another_target_of_an_inherited_edge_is_no_news),
        world_test(those_that_are_deleted_together_leave_once),
        world_test(constants_are_followed_as_others_are),
        world_test(constants_that_are_roots_are_followed),
        world_test(an_unwanted_edge_is_no_news),
        world_test(those_below_follow_what_is_switched_off_above),
        world_test(constants_leave_once_where_others_are_deleted_together),
        cmocka_unit_test(each_leaves_once_at_the_end),
        world_test(changes_while_an_observer_is_made_are_told_once),
        world_test(monitors_follow_limits_of_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
