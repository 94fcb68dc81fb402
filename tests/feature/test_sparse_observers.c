// SPDX-License-Identifier: MIT
// Observers and monitors over what entities have beside their tables: TCS-14.
#include "support/world.h"

#include "support/check.h"

static ecs_entity_t Union, Several, Beside, Tag, a, b;
static int entered[3], left[3], told;
static ecs_id_t last_id;

static void on_monitor(ecs_iter_t *it) {
    int *index = it->ctx;
    assert_int_equal(it->count, 1);
    if (it->event == EcsOnAdd)
        entered[*index]++;
    else
        left[*index]++;
}

static void expect(int index, int in, int out) {
    assert_int_equal(entered[index], in);
    assert_int_equal(left[index], out);
    entered[index] = left[index] = 0;
}

static void expect_quiet(void) {
    for (int i = 0; i < 3; i++) expect(i, 0, 0);
}

static void monitor(ecs_world_t *world, const char *expr, int index) {
    static int indices[] = { 0, 1, 2 };
    assert_true(ecs_observer(world, { .query.expr = expr,
                                        .events = { EcsMonitor },
                                        .callback = on_monitor,
                                        .ctx = &indices[index] }) != 0);
}

static void use(ecs_world_t *world) {
    memset(entered, 0, sizeof entered);
    memset(left, 0, sizeof left);
    told = 0;
    Union = ecs_entity(world, { .name = "Union" });
    Several = ecs_relationship(world, { .name = "Several", .sparse = true });
    Beside = ecs_entity(world, { .name = "Beside" });
    Tag = ecs_entity(world, { .name = "Tag" });
    ecs_add_id(world, Union, EcsUnion);
    ecs_add_id(world, Beside, EcsDontFragment);
    a = ecs_entity(world, { .name = "a" });
    b = ecs_entity(world, { .name = "b" });
}

// OBS-02 UNI-10 Q-WC-08: `_` asks whether there is a target, whichever.
static void monitors_of_any_target_hear_of_the_first_and_the_last(void **state) {
    ecs_world_t *world = *state;
    use(world);
    monitor(world, "(Union, _)", 0);
    monitor(world, "Tag, (Several, _)", 1);
    monitor(world, "Tag, !(Union, _)", 2);
    ecs_entity_t e = ecs_new_w_id(world, Tag);
    expect(2, 1, 0);
    ecs_add_pair(world, e, Union, a);
    ecs_add_pair(world, e, Several, a);
    expect(0, 1, 0);
    expect(1, 1, 0);
    expect(2, 0, 1);
    ecs_add_pair(world, e, Union, b);
    ecs_add_pair(world, e, Several, b);
    ecs_remove_pair(world, e, Union, a); /* not its target any more */
    ecs_remove_pair(world, e, Several, a);
    expect_quiet();
    ecs_remove_pair(world, e, Union, EcsWildcard);
    ecs_remove_pair(world, e, Several, b);
    expect(0, 0, 1);
    expect(1, 0, 1);
    expect(2, 1, 0);
    ecs_add_pair(world, e, Union, b);
    ecs_add_pair(world, e, Several, b);
    ecs_delete(world, b);
    expect(0, 1, 1);
    expect(1, 1, 1);
    expect(2, 1, 1);
    ecs_add_pair(world, e, Union, a);
    ecs_delete(world, e);
    expect(0, 1, 1);
    expect(2, 0, 1);
}

static void count_told(ecs_iter_t *it) { told += it->count; }

// OBS-02 UNI-10: the first target and the last come and go in one step; nobody sees the entity in between.
static void nobody_sees_half_of_a_first_target(void **state) {
    ecs_world_t *world = *state;
    use(world);
    monitor(world, "_, !(Union, b)", 0);
    monitor(world, "_, (Union, _)", 1);
    ecs_observer(world, { .query.expr = "_, !(Union, b)",
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = count_told });
    ecs_entity_t e = ecs_new(world);
    told = entered[0] = 0; /* of observers */
    ecs_add_pair(world, e, Union, b);
    expect(0, 0, 0);
    expect(1, 1, 0);
    assert_int_equal(told, 0);
    ecs_remove_pair(world, e, Union, b);
    expect(0, 0, 0);
    expect(1, 0, 1);
    assert_int_equal(told, 0);
    ecs_add_pair(world, e, Union, a);
    expect(0, 1, 0);
    assert_int_equal(told, 1);
    ecs_remove_id(world, e, Union); /* with its target */
    expect(0, 0, 1);
    expect(1, 1, 1);
    assert_int_equal(told, 2);
}

// OBS-01: what an entity loses at once is one event, however many are told of it.
static void many_hear_once_of_all_that_goes(void **state) {
    enum { MANY = 40 };
    ecs_world_t *world = *state;
    use(world);
    for (int i = 0; i < MANY; i++)
        ecs_observer(world, { .query.expr = "(Several, *), ?Tag",
                                .events = { EcsOnRemove },
                                .callback = count_told });
    ecs_entity_t pair[] = { ecs_new(world), ecs_new(world) };
    for (int i = 0; i < MANY; i++) {
        ecs_entity_t target = ecs_new(world);
        for (int k = 0; k < 2; k++) ecs_add_pair(world, pair[k], Several, target);
    }
    ecs_clear(world, pair[0]);
    assert_int_equal(told, MANY);
    ecs_delete(world, pair[1]);
    assert_int_equal(told, 2 * MANY);
}

static void monitors_judge_single_entities(void **state) {
    ecs_world_t *world = *state;
    use(world);
    monitor(world, "Tag, (Union, *)", 0);
    monitor(world, "Tag, (Several, *)", 1);
    monitor(world, "Tag, !Beside", 2);
    ecs_entity_t e = ecs_new(world), other = ecs_new(world);
    ecs_add_pair(world, e, Union, a);
    ecs_add_id(world, e, Tag);
    ecs_add_id(world, other, Tag); /* in another table, without a target */
    expect(0, 1, 0);
    expect(1, 0, 0);
    expect(2, 2, 0);
    ecs_add_pair(world, e, Several, b);
    expect(1, 1, 0);
    ecs_add_pair(world, e, Several, a); /* one more changes nothing */
    ecs_remove_pair(world, e, Several, b);
    expect_quiet();
    ecs_remove_pair(world, e, Several, a);
    expect(1, 0, 1);
    ecs_add_id(world, e, Beside);
    expect(2, 0, 1);
    ecs_remove_id(world, e, Beside);
    expect(2, 1, 0);
    ecs_add_id(world, e, ecs_new(world));
    expect_quiet();
    ecs_delete(world, a); /* the target */
    expect(0, 0, 1);
    ecs_delete(world, e);
    expect(2, 0, 1);
    expect_quiet();
}

static void on_event(ecs_iter_t *it) {
    told++;
    last_id = ecs_field_id(it, 1);
}

static void events_are_told_about_what_triggered(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_add_id(world, a, Beside);
    ecs_observer(world, { .query.expr = "Tag, (Several, $x), Beside($x)",
                            .events = { EcsOnAdd },
                            .callback = on_event });
    ecs_entity_t e = ecs_new_w_id(world, Tag);
    ecs_add_pair(world, e, Several, b);
    assert_int_equal(told, 0);
    ecs_add_pair(world, e, Several, a);
    assert_int_equal(told, 1);
    assert_id_equal(world, last_id, ecs_pair(Several, a));
    ecs_add_id(world, b, Beside); /* not on the entity itself */
    ecs_remove_id(world, e, Tag);
    ecs_add_id(world, e, Tag);
    assert_int_equal(told, 2);
}

static void on_delete(ecs_iter_t *it) {
    told += it->count;
    assert_true(ecs_has_id(it->world, it->entities[0], it->event_id));
}

static void deletions_are_told(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_observer(world,
        { .query.terms = { { .id = Beside } }, .events = { EcsOnDelete }, .callback = on_delete });
    ecs_observer(world, { .query.terms = { { .id = ecs_pair(Several, EcsWildcard) } },
                            .events = { EcsOnDeleteTarget },
                            .callback = on_delete });
    ecs_entity_t e = ecs_new_w_id(world, Beside), f = ecs_new_w_pair(world, Several, a);
    ecs_add_pair(world, e, Several, a);
    ecs_add_pair(world, e, Several, b);
    ecs_delete(world, a);
    assert_int_equal(told, 2);
    ecs_delete(world, f);
    ecs_remove_id(world, e, Beside);
    ecs_add_id(world, e, Beside);
    assert_int_equal(told, 2);
    ecs_delete(world, e);
    assert_int_equal(told, 3);
}

// OBS-02, CLN-02: rows of one table die together, whichever of them lose something beside it first.
static void who_dies_together_leaves_once(void **state) {
    ecs_world_t *world = *state;
    use(world);
    monitor(world, "Beside, Tag", 0);
    for (int which = 0; which < 8; which++) {
        int count = 0;
        for (int i = 0; i < 3; i++) {
            ecs_entity_t e = ecs_new_w_id(world, Tag);
            if (!(which & 1 << i)) continue;
            ecs_add_id(world, e, Beside);
            count++;
        }
        expect(0, count, 0);
        ecs_delete_with(world, Tag);
        expect(0, 0, count);
    }
}

// ---- what is inherited, and what is seen above, is told whatever the storage ----

typedef struct Weight {
    float value;
} Weight, Cargo;

static char story[2048];

static void note(const char *line) { strncat(story, line, sizeof story - strlen(story) - 1); }

static void tell(ecs_iter_t *it) {
    char line[64];
    for (int i = 0; i < it->count; i++) {
        const char *event = it->event == EcsOnAdd   ? "add"
                            : it->event == EcsOnSet ? "set"
                                                    : "remove";
        const char *named = ecs_get_name(it->world, it->entities[i]),
                   *name = named ? named : "clone";
        ecs_entity_t source = ecs_field_src(it, 0);
        snprintf(line, sizeof line, "%s %s%s%s; ", event, name, source ? " of " : "",
            source ? ecs_get_name(it->world, source) : "");
        note(line);
    }
}

static void run_story(ecs_entity_t trait) {
    ecs_world_t *world = ecs_mini();
    ECS_COMPONENT(world, Weight);
    if (trait) ecs_add_id(world, ecs_id(Weight), trait);
    ecs_entity_t parent = ecs_entity(world, { .name = "parent" });
    ecs_entity_t child = ecs_entity(world, { .name = "child", .parent = parent });
    ecs_entity_t base = ecs_entity(world, { .name = "base" });
    ecs_entity_t one = ecs_entity(world, { .name = "one" }),
                 two = ecs_entity(world, { .name = "two" });
    const ecs_entity_t events[] = { EcsOnAdd, EcsOnSet, EcsOnRemove };
    ecs_observer_desc_t desc = { .query.terms = { { .id = ecs_id(Weight) } }, .callback = tell };
    memcpy(desc.events, events, sizeof events);
    ecs_observer_init(world, &desc);
    desc.query.terms[0].src.id = EcsUp;
    desc.query.terms[0].trav = EcsChildOf;
    ecs_observer_init(world, &desc);
    story[0] = '\0';
    ecs_set(world, base, Weight, { 1 });
    ecs_add_pair(world, one, EcsIsA, base);
    ecs_add_pair(world, two, EcsIsA, base);
    ecs_set(world, base, Weight, { 2 });
    ecs_set(world, one, Weight, { 3 });
    ecs_set(world, base, Weight, { 4 });
    ecs_remove(world, one, Weight);
    ecs_remove_pair(world, one, EcsIsA, base);
    ecs_set(world, parent, Weight, { 5 });
    ecs_remove_pair(world, child, EcsChildOf, parent);
    ecs_add_pair(world, child, EcsChildOf, parent);
    ecs_remove(world, parent, Weight);
    ecs_remove(world, base, Weight);

    note("parents that inherit: ");
    ecs_set(world, base, Weight, { 6 });
    ecs_add_pair(world, child, EcsChildOf, two);
    assert_true(ecs_get_target_for(world, child, EcsChildOf, Weight) == base);
    ecs_remove_pair(world, two, EcsIsA, base);
    ecs_add_pair(world, two, EcsIsA, base);
    ecs_set(world, two, Weight, { 7 });
    ecs_remove(world, two, Weight);
    ecs_remove(world, base, Weight);

    note("owned from the start: ");
    ECS_COMPONENT(world, Cargo);
    if (trait) ecs_add_id(world, ecs_id(Cargo), trait);
    ecs_add_pair(world, ecs_id(Cargo), EcsOnInstantiate, EcsOverride);
    desc.query.terms[0] = (ecs_term_t){ .id = ecs_id(Cargo) };
    ecs_observer_init(world, &desc);
    ecs_set(world, base, Cargo, { 8 });
    ecs_add_pair(world, one, EcsIsA, base);
    ecs_entity_t clone = ecs_clone(world, 0, one, false);
    assert_float_equal(ecs_get(world, clone, Cargo)->value, 8, 0);

    note("marked: ");
    ecs_remove(world, base, Cargo);
    ecs_set(world, base, Weight, { 9 });
    ecs_add_id(world, base, ECS_AUTO_OVERRIDE | ecs_id(Weight));
    ecs_add_pair(world, child, EcsChildOf, parent);
    ecs_add_pair(world, parent, EcsIsA, base);
    ecs_entity_t variant = ecs_entity(world, { .name = "variant", .add = ecs_ids(ecs_isa(base)) });
    ecs_entity_t third = ecs_entity(world, { .name = "third" });
    ecs_add_pair(world, third, EcsIsA, variant);
    ecs_add_pair(world, third, EcsIsA, base); // owned already
    const ecs_entity_t last[] = { third, one, clone, base, two, variant, parent, child };
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) ecs_delete(world, last[i]);
    ecs_fini(world);
}

static void the_story_does_not_depend_on_storage(void **state) {
    (void)state;
    run_story(0);
    char expected[sizeof story];
    memcpy(expected, story, sizeof story);
    assert_non_null(strstr(expected, "set one of base; "));
    assert_non_null(strstr(expected, "add child of parent; "));
    assert_non_null(strstr(expected, "remove child of base; add two of base; add child of base; "));
    assert_non_null(strstr(expected, "remove child of two; add child of base; "));
    assert_non_null(strstr(expected, "add one; set one; add clone; set clone; "));
    assert_non_null(strstr(expected, "add variant; set variant; add third; set third; "));
    run_story(EcsSparse);
    assert_string_equal(story, expected);
    run_story(EcsDontFragment);
    assert_string_equal(story, expected);
}

// OBS-06: whoever is below the child sees the same all the time, first past it, then through it.
static void bases_that_change_nothing_below_are_not_told(void **state) {
    (void)state;
    const ecs_entity_t traits[] = { 0, EcsSparse, EcsDontFragment };
    for (int i = 0; i < 3; i++) {
        ecs_world_t *world = ecs_mini();
        ECS_COMPONENT(world, Weight);
        if (traits[i]) ecs_add_id(world, ecs_id(Weight), traits[i]);
        ecs_add_pair(world, ecs_id(Weight), EcsOnInstantiate, EcsInherit);
        ecs_entity_t base = ecs_entity(world, { .name = "base", .add = ecs_ids(EcsPrefab) });
        ecs_set(world, base, Weight, { 1 });
        ecs_entity_t parent = ecs_entity(world, { .name = "parent" });
        ecs_entity_t child = ecs_entity(world, { .name = "child", .parent = parent });
        ecs_entity(world, { .name = "last", .parent = child });
        ecs_observer(world, { .query.expr = "Weight(up ChildOf)",
                                .events = { EcsOnAdd, EcsOnRemove },
                                .callback = tell });
        story[0] = '\0';
        ecs_add_pair(world, parent, EcsIsA, base);
        ecs_add_pair(world, child, EcsIsA, base);
        ecs_remove_pair(world, child, EcsIsA, base);
        ecs_remove_pair(world, parent, EcsIsA, base);
        assert_string_equal(story,
            "add child of base; add last of base; remove child of base; remove last of base; ");
        ecs_fini(world);
    }
}

// OBS-06: whoever moves below an entity sees what it has got since others moved so, be it that it had something before.
static void what_comes_above_is_seen_by_who_moves_later(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        ecs_world_t *world = ecs_mini();
        ecs_entity_t id = ecs_new(world), of = ecs_new(world), other = ecs_new(world);
        if (i) ecs_add_id(world, i == 1 ? id : of, i == 1 ? EcsDontFragment : EcsUnion);
        if (i == 2) id = ecs_pair(of, id);
        ecs_entity_t parent = ecs_entity(world, { .name = "parent" }),
                     child = ecs_entity(world, { .name = "child" });
        ecs_observer(world, { .query.terms = { { .id = id, .src.id = EcsUp, .trav = EcsChildOf } },
                                .events = { EcsOnAdd, EcsOnRemove },
                                .callback = tell });
        ecs_add_id(world, parent, id);
        if (i == 2)
            ecs_add_pair(world, parent, of, other);
        else
            ecs_remove_id(world, parent, id);
        story[0] = '\0';
        for (int n = 0; n < 4; n++) {
            ecs_add_pair(world, child, EcsChildOf, parent);
            ecs_remove_pair(world, child, EcsChildOf, parent);
        }
        assert_string_equal(story, "");
        ecs_add_id(world, parent, id);
        ecs_add_pair(world, child, EcsChildOf, parent);
        assert_string_equal(story, "add child of parent; ");
        ecs_fini(world);
    }
}

// ---- and so is what one change brings ----

static void tell_value(ecs_iter_t *it) {
    char line[64];
    const int *value = ecs_get_id(it->world, it->entities[0], it->event_id);
    const char *name = ecs_get_name(it->world, it->event_id);
    if (it->event == EcsOnAdd)
        snprintf(line, sizeof line, "add %s; ", name);
    else
        snprintf(line, sizeof line, "set %s %d; ", name, *value);
    note(line);
}

static ecs_entity_t make_told(
    ecs_world_t *world, const char *name, ecs_entity_t trait, ecs_entity_t policy) {
    ecs_entity_t id = ecs_component(world,
        { .entity = ecs_entity(world, { .name = name }), .type = { sizeof(int), _Alignof(int) } });
    if (trait) ecs_add_id(world, id, trait);
    ecs_add_pair(world, id, EcsOnInstantiate, policy);
    ecs_observer(world, { .query.terms = { { .id = id, .src.id = EcsSelf } },
                            .events = { EcsOnAdd, EcsOnSet },
                            .callback = tell_value });
    return id;
}

// Of P and Q, and an entity that has both.
typedef void (*change_t)(ecs_world_t *world, ecs_entity_t P, ecs_entity_t Q, ecs_entity_t base);

static void expect_alike(change_t change, ecs_entity_t policy, const char *expected) {
    const ecs_entity_t traits[] = { 0, EcsSparse, EcsDontFragment };
    for (int i = 0; i < 3; i++) {
        ecs_world_t *world = ecs_mini();
        ecs_entity_t P = make_told(world, "P", traits[i], policy),
                     Q = make_told(world, "Q", traits[i], policy);
        ecs_entity_t base = ecs_new_w_id(world, EcsPrefab);
        ecs_set_id(world, base, P, sizeof(int), &(int){ 1 });
        ecs_set_id(world, base, Q, sizeof(int), &(int){ 2 });
        story[0] = '\0';
        change(world, P, Q, base);
        assert_string_equal(story, expected);
        ecs_fini(world);
    }
}

static void come_with_base(ecs_world_t *world, ecs_entity_t P, ecs_entity_t Q, ecs_entity_t base) {
    ecs_entity(world, { .add = ecs_ids(ecs_isa(base), P, Q) });
    ecs_bulk_init(world, &(ecs_bulk_desc_t){ .count = 1, .ids = { ecs_isa(base), P, Q } });
}

static void come_by_base(ecs_world_t *world, ecs_entity_t P, ecs_entity_t Q, ecs_entity_t base) {
    ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, base);
    int values[] = { 5, 6 };
    void *data[] = { NULL, &values[0], &values[1] };
    ecs_bulk_desc_t desc = { .count = 1, .ids = { ecs_isa(base), P, Q }, .data = data };
    ecs_bulk_init(world, &desc);
    ecs_entity_t other = ecs_new_w_id(world, EcsPrefab);
    ecs_add_id(world, other, ECS_AUTO_OVERRIDE | P);
    ecs_remove_id(world, e, P);
    ecs_add_pair(world, e, EcsIsA, other);
}

// OBS-01, OBS-05: all that comes is told before its values, which are told once; not those that were in sight before.
static void what_comes_at_once_is_told_alike(void **state) {
    (void)state;
    expect_alike(come_with_base, EcsInherit,
        "add P; add Q; set P 1; set Q 2; add P; add Q; set P 1; set Q 2; ");
    expect_alike(come_by_base, EcsOverride,
        "add P; add Q; set P 1; set Q 2; add P; add Q; set P 5; set Q 6; add P; ");
}

static void be_cloned(ecs_world_t *world, ecs_entity_t P, ecs_entity_t Q, ecs_entity_t base) {
    ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, base);
    ecs_set_id(world, e, P, sizeof(int), &(int){ 8 });
    ecs_remove_id(world, e, Q);
    note("clones: ");
    for (int copies = 0; copies < 2; copies++) {
        ecs_entity_t clone = ecs_clone(world, 0, e, copies);
        assert_int_equal(*(const int *)ecs_get_id(world, clone, P), copies ? 8 : 1);
        assert_false(ecs_owns_id(world, clone, Q));
    }
}

// OBS-01: they get what the original has, and no value before that.
static void clones_are_told_alike(void **state) {
    (void)state;
    expect_alike(be_cloned, EcsOverride,
        "add P; add Q; set P 1; set Q 2; set P 8; clones: add P; set P 1; add P; set P 8; ");
}

// OBS-01: whoever else hears of it, and however often.
static void look_at_value(ecs_iter_t *it) {
    if (it->event_id != *(const ecs_id_t *)it->ctx) return;
    assert_int_equal(it->row_fields, 1);
    assert_int_equal(*ecs_field_at(it, int, 0, 0), ++told);
}

static void observers_of_everything_see_values_in_sets(void **state) {
    ecs_world_t *world = *state;
    use(world);
    ecs_entity_t set = ecs_component(world, { .type = { sizeof(int), _Alignof(int) } });
    ecs_add_id(world, set, EcsSparse);
    ecs_observer(world, { .query.terms = { { EcsWildcard } },
                            .events = { EcsOnSet },
                            .callback = look_at_value,
                            .ctx = &set });
    ecs_entity_t e = ecs_new_w_id(world, set);
    for (int i = 1; i < 4; i++) {
        ecs_set_id(world, e, set, sizeof i, &i);
        assert_int_equal(told, i);
    }
    ecs_delete(world, set);
}

static void count(ecs_iter_t *it) { told += it->count; }

// OBS-02: an entity leaves once, however it ends, and whatever of what it has beside its table is looked at.
static void who_ends_with_the_world_leaves_once(void **state) {
    (void)state;
    for (int way = 0; way < 3; way++) {
        ecs_world_t *world = ecs_mini();
        ecs_entity_t R = ecs_entity(world, { .name = "R" }), T = ecs_entity(world, { .name = "T" });
        ecs_add_id(world, R, EcsDontFragment);
        ecs_add_id(world, T, EcsDontFragment);
        told = 0;
        ecs_entity_t event = way == 2 ? EcsMonitor : EcsOnRemove;
        ecs_observer(world,
            { .query.expr = way ? "(R,*), T" : "R, T", .events = { event }, .callback = count });
        ecs_entity_t e = ecs_new_w_id(world, T);
        if (way)
            ecs_add_pair(world, e, R, T);
        else
            ecs_add_id(world, e, R);
        assert_int_equal(told, way == 2);
        told = 0;
        ecs_fini(world);
        assert_int_equal(told, 1);
    }
}

// OBS-05: the own value hid that of the base, which comes into sight when it goes, as any value that is set. Nobody waits for anything but
// that.
static void what_an_own_value_hid_is_set(void **state) {
    typedef struct {
        int32_t left;
    } Fuel;
    ecs_world_t *world = *state;
    ECS_COMPONENT(world, Fuel);
    ecs_add_id(world, ecs_id(Fuel), EcsDontFragment);
    ecs_add_pair(world, ecs_id(Fuel), EcsOnInstantiate, EcsInherit);
    ecs_observer(
        world, { .query.expr = "Fuel(self|up IsA)", .events = { EcsOnSet }, .callback = count });
    ecs_entity_t base = ecs_new(world);
    ecs_set(world, base, Fuel, { 1 });
    ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, base);
    ecs_set(world, e, Fuel, { 2 });
    told = 0;
    ecs_remove(world, e, Fuel);
    assert_int_equal(told, 1);
    assert_int_equal(ecs_get(world, e, Fuel)->left, 1);
}

// OBS-05: a mark on the base is for new instances, which own the id then: not for clones, nor for those whose own value goes.
static void marks_hide_bases_from_new_instances_only(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t traits[] = { 0, EcsSparse, EcsDontFragment };
    for (int i = 0; i < 3; i++) {
        ecs_entity_t id = ecs_component(world, { .type = { sizeof(int), _Alignof(int) } });
        if (traits[i]) ecs_add_id(world, id, traits[i]);
        ecs_add_pair(world, id, EcsOnInstantiate, EcsInherit);
        ecs_entity_t base = ecs_new_w_id(world, EcsPrefab), e = ecs_new_w_pair(world, EcsIsA, base);
        ecs_add_id(world, base, ECS_AUTO_OVERRIDE | id);
        ecs_set_id(world, base, id, sizeof(int), &(int){ 1 });
        ecs_observer(world, { .query.terms = { { .id = id } },
                                .events = { EcsOnAdd, EcsOnSet },
                                .callback = count });
        told = 0;
        ecs_clone(world, 0, e, true);
        assert_int_equal(told, 2);
        ecs_set_id(world, e, id, sizeof(int), &(int){ 2 });
        ecs_remove_id(world, e, id);
        assert_int_equal(told, 5);
        ecs_new_w_pair(world, EcsIsA, base);
        assert_int_equal(told, 7);
    }
}

// OBS-06: what is not passed on is not seen from below, also when the nearest goes.
static void what_is_not_passed_on_is_not_revealed(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t traits[] = { EcsTraversable, EcsSparse, EcsDontFragment };
    for (int i = 0; i < 3; i++) {
        ecs_entity_t id = ecs_new_w_id(world, traits[i]);
        ecs_add_pair(world, id, EcsOnInstantiate, EcsDontInherit);
        ecs_observer(
            world, { .query.terms = { { .id = id, .src.id = EcsSelf | EcsUp, .trav = EcsChildOf } },
                       .events = { EcsOnAdd },
                       .callback = count });
        told = 0;
        ecs_entity_t parent = ecs_new_w_id(world, id),
                     child = ecs_new_w_pair(world, EcsChildOf, parent);
        ecs_new_w_pair(world, EcsChildOf, child);
        ecs_add_id(world, child, id);
        ecs_remove_id(world, child, id);
        assert_int_equal(told, 2);
    }
}

// OBS-05: who changes the value of an edge changes nothing that is seen along it.
static void values_of_edges_are_told_of_alone(void **state) {
    ecs_world_t *world = *state;
    const ecs_entity_t traits[] = { 0, EcsSparse, EcsDontFragment };
    for (int i = 0; i < 3; i++) {
        ecs_entity_t rel = ecs_component(world, { .type = { sizeof(int), _Alignof(int) } });
        ecs_add_id(world, rel, EcsTraversable);
        if (traits[i]) ecs_add_id(world, rel, traits[i]);
        ecs_entity_t tag = ecs_new(world), target = ecs_new_w_id(world, tag), e = ecs_new(world);
        ecs_observer(world, { .query.terms = { { .id = tag, .src.id = EcsUp, .trav = rel } },
                                .events = { EcsOnAdd, EcsOnSet, EcsOnRemove },
                                .callback = count });
        told = 0;
        for (int value = 0; value < 3; value++)
            ecs_set_id(world, e, ecs_pair(rel, target), sizeof value, &value);
        assert_int_equal(told, 1);
        ecs_remove_id(world, e, ecs_pair(rel, target));
        assert_int_equal(told, 2);
    }
}

static int heard;
static void on_heard(ecs_iter_t *it) { heard += it->count; }

// OBS-03: what is remembered of the observers of an id goes by which kinds are beside tables.
static void the_first_pair_beside_tables_opens_routes(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world), beside = ecs_new_w_id(world, EcsDontFragment),
                 target = ecs_new(world), e = ecs_new(world);
    heard = 0;
    ecs_observer(
        world, { .query.terms = { { tag } }, .events = { EcsOnAdd }, .callback = on_heard });
    ecs_observer(world, { .query.terms = { { tag }, { ecs_pair(EcsWildcard, target) } },
                            .events = { EcsOnAdd },
                            .callback = on_heard });
    for (int i = 0; i < 2; i++) ecs_add_id(world, ecs_new(world), tag);
    assert_int_equal(heard, 2);
    ecs_add_pair(world, e, beside, target);
    assert_true(ecs_world_verify(world));
    ecs_add_id(world, e, tag);
    assert_int_equal(heard, 4);
}

typedef struct Config {
    int value;
} Config;

// Which values are left is asked while the world ends.
static void observers_with_singletons_hear_of_the_end(void **state) {
    (void)state;
    ecs_world_t *world = ecs_mini();
    ECS_COMPONENT(world, Config);
    ecs_add_id(world, ecs_id(Config), EcsSingleton);
    ecs_singleton_set(world, Config, { 1 });
    ecs_entity_t aside = ecs_new_w_id(world, EcsDontFragment);
    heard = 0;
    ecs_observer(world, { .query.terms = { { aside }, { ecs_id(Config) } },
                            .events = { EcsOnRemove },
                            .callback = on_heard });
    ecs_new_w_id(world, aside);
    ecs_fini(world);
    assert_int_equal(heard, 1);
}

static int number_seen;

static void on_number(ecs_iter_t *it) {
    number_seen = number_seen * 10 + *(const int *)ecs_field_at_w_size(it, sizeof(int), 0, 0);
}

// OBS-01: a value emplaced while deferred is there when its coming is told, be it the first or another one.
static void emplaced_values_are_there_when_they_are_told(void **state) {
    ecs_world_t *world = *state;
    for (int exclusive = 0; exclusive < 2; exclusive++) {
        ecs_entity_t rel = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
        ecs_add_id(world, rel, EcsDontFragment);
        if (exclusive) ecs_add_id(world, rel, EcsExclusive);
        ecs_set_hooks_id(world, rel, &(ecs_type_hooks_t){ .on_add = on_number });
        ecs_observer(world, { .query.terms = { { exclusive ? ecs_pair(rel, EcsWildcard) : rel } },
                                .events = { EcsOnAdd },
                                .callback = on_number });
        ecs_entity_t e = ecs_new(world), targets[] = { ecs_new(world), ecs_new(world) };
        for (int i = 0; i <= exclusive; i++) {
            number_seen = 0;
            ecs_defer_begin(world);
            ecs_id_t id = exclusive ? ecs_pair(rel, targets[i]) : rel;
            *(int *)ecs_emplace_id(world, e, id, sizeof(int), NULL) = i + 4;
            ecs_defer_end(world);
            assert_int_equal(number_seen, (i + 4) * 11);
            assert_int_equal(*(const int *)ecs_get_id(world, e, id), i + 4);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(emplaced_values_are_there_when_they_are_told),
        cmocka_unit_test(who_ends_with_the_world_leaves_once),
        mini_world_test(monitors_of_any_target_hear_of_the_first_and_the_last),
        mini_world_test(nobody_sees_half_of_a_first_target),
        mini_world_test(many_hear_once_of_all_that_goes),
        mini_world_test(monitors_judge_single_entities),
        mini_world_test(events_are_told_about_what_triggered),
        mini_world_test(deletions_are_told),
        mini_world_test(who_dies_together_leaves_once),
        mini_world_test(observers_of_everything_see_values_in_sets),
        mini_world_test(what_an_own_value_hid_is_set),
        mini_world_test(marks_hide_bases_from_new_instances_only),
        mini_world_test(what_is_not_passed_on_is_not_revealed),
        mini_world_test(values_of_edges_are_told_of_alone),
        cmocka_unit_test(what_comes_at_once_is_told_alike),
        cmocka_unit_test(clones_are_told_alike),
        cmocka_unit_test(what_comes_above_is_seen_by_who_moves_later),
        cmocka_unit_test(bases_that_change_nothing_below_are_not_told),
        cmocka_unit_test(the_story_does_not_depend_on_storage),
        mini_world_test(the_first_pair_beside_tables_opens_routes),
        cmocka_unit_test(observers_with_singletons_hear_of_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
