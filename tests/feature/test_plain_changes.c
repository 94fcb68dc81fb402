// SPDX-License-Identifier: MIT
// Changes that are done in short ways must notice when they are not plain any more.
#include "support/test.h"

#include <muster.h>

#include "support/abort.h"
#include "support/random.h"

static int calls;

static void count_call(ecs_iter_t *it) { calls += it->count; }

// ---- values of all sizes ----

static random_t random_state;
static int32_t below(int32_t limit) { return random_below(&random_state, limit); }

enum { SIZES = 15, ENTITIES = 40, STEPS = 20000 };
static const int32_t sizes[SIZES] = { 1, 2, 3, 4, 7, 8, 12, 16, 17, 20, 33, 64, 255, 256, 300 };

typedef struct {
    ecs_entity_t id; // 0: not alive
    bool is_disabled, has[SIZES];
    uint8_t first[SIZES]; // values are first, first + 1, …
} model_t;

static ecs_entity_t component_of_size(ecs_world_t *world, int32_t size) {
    return ecs_component(world, { .type = { .size = size, .alignment = size & 3 ? 1 : 4 } });
}

static void set(ecs_world_t *world, model_t *model, const ecs_entity_t *components, int32_t c) {
    uint8_t value[300];
    model->first[c] = (uint8_t)below(256);
    model->has[c] = true;
    for (int32_t i = 0; i < sizes[c]; i++) value[i] = (uint8_t)(model->first[c] + i);
    ecs_set_id(world, model->id, components[c], (size_t)sizes[c], value);
}

// Who looks for entities passes over those that are disabled.
static bool is_found(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    bool found = false;
    ecs_query_t *q = ecs_query(world, { .terms = { { id } } });
    ecs_iter_t it = ecs_query_iter(world, q);
    while (ecs_query_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) found |= it.entities[i] == entity;
    }
    ecs_query_fini(q);
    return found;
}

static void check(ecs_world_t *world, const model_t *model, const ecs_entity_t *components) {
    if (model->id && model->has[0])
        assert_int_equal(is_found(world, model->id, components[0]), !model->is_disabled);
    for (int32_t c = 0; model->id && c < SIZES; c++) {
        const uint8_t *value = ecs_get_id(world, model->id, components[c]);
        assert_int_equal(value != NULL, model->has[c]);
        for (int32_t i = 0; value && i < sizes[c]; i++)
            assert_int_equal(value[i], (uint8_t)(model->first[c] + i));
    }
}

static void change(ecs_world_t *world, model_t *model, const ecs_entity_t *components) {
    int32_t c = below(SIZES);
    switch (below(9)) {
    case 8:
        if (!model->id) break;
        ecs_enable(world, model->id, model->is_disabled);
        model->is_disabled = !model->is_disabled;
        break;
    case 0:
        if (model->id) ecs_delete(world, model->id);
        *model = (model_t){ 0 };
        break;
    case 1:
    case 2:
    case 3:
        if (model->id) ecs_remove_id(world, model->id, components[c]);
        model->has[c] = false;
        break;
    default:
        if (!model->id) *model = (model_t){ .id = ecs_new(world) };
        set(world, model, components, c);
    }
}

// STO-06, ENT-01: also of those whose values are in part, or all, in sets.
static void values_of_all_sizes_follow_their_entity(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t components[SIZES];
    model_t models[ENTITIES] = { { 0 } };
    random_state = random_init(random_seed());
    for (int32_t c = 0; c < SIZES; c++) {
        components[c] = component_of_size(world, sizes[c]);
        if (c % 5 == 3) ecs_add_id(world, components[c], EcsSparse);
        if (c % 5 == 4) ecs_add_id(world, components[c], EcsDontFragment);
    }
    for (int32_t step = 0; step < STEPS; step++) {
        change(world, &models[below(ENTITIES)], components);
        check(world, &models[below(ENTITIES)], components);
        if (step % 1000) continue;
        assert_true(ecs_world_verify(world));
        for (int32_t i = 0; i < ENTITIES; i++) check(world, &models[i], components);
    }
    ecs_fini(world);
}

// STO-06, STO-07: one entity with every low id there is, of components and tags, at once and queued.
static void entities_may_have_all_low_ids(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t ids[FLECS_HI_COMPONENT_ID], e = ecs_new(world);
    int32_t count = 0;
    for (; (ids[count] = ecs_new_low_id(world)) < FLECS_HI_COMPONENT_ID; count++) {
        if (count % 3) ecs_set(world, ids[count], EcsComponent, { .size = 8, .alignment = 8 });
        ecs_add_id(world, e, ids[count]);
    }
    assert_true(count > 200);
    for (int queued = 0; queued < 2; queued++) {
        if (queued) ecs_defer_begin(world);
        for (int32_t i = 0; i < count; i++) {
            uint64_t value = (uint64_t)i * 3 + (uint64_t)queued;
            if (i % 3) ecs_set_id(world, e, ids[i], 8, &value);
            if (i % 3) assert_memory_equal(ecs_get_id(world, e, ids[i]), &value, 8);
        }
        if (queued) ecs_defer_end(world);
    }
    const ecs_table_t *table = ecs_get_table(world, e);
    for (int32_t i = count - 1; i >= 0; i--) {
        assert_int_equal(ecs_table_get_type_index(world, table, ids[i]), i);
        assert_true((ecs_table_get_column_index(world, table, ids[i]) >= 0) == (i % 3 != 0));
        uint64_t value = (uint64_t)i * 3 + 1;
        if (i % 3) assert_memory_equal(ecs_get_id(world, e, ids[i]), &value, 8);
    }
    ecs_remove_id(world, e, ids[0]);
    assert_false(ecs_has_id(world, e, ids[0]));
    assert_true(ecs_has_id(world, e, ids[1]) && ecs_has_id(world, e, ids[count - 1]));
    assert_true(ecs_world_verify(world));
    ecs_fini(world);
}

// ---- what makes a change more than plain ----

// The first walk between two tables makes them, the second one their edges.
static void walk(ecs_world_t *world, ecs_entity_t e, ecs_id_t id) {
    for (int i = 0; i < 3; i++) {
        ecs_add_id(world, e, id);
        ecs_remove_id(world, e, id);
    }
}

static void hooks_and_observers_that_come_later_are_told(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t c = component_of_size(world, 8), e = ecs_new(world), f = ecs_new(world);
    walk(world, e, c);
    calls = 0;
    ecs_set_hooks_id(world, c, &(ecs_type_hooks_t){ .on_add = count_call, .on_set = count_call });
    ecs_add_id(world, e, c);
    assert_int_equal(calls, 1);
    ecs_set_id(world, e, c, 8, &(uint64_t){ 1 });
    assert_int_equal(calls, 2);
    ecs_entity_t tag = ecs_new_low_id(world);
    walk(world, f, tag);
    ecs_observer(world, { .query.terms = { { tag } },
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = count_call });
    ecs_add_id(world, f, tag);
    assert_int_equal(calls, 3);
    ecs_delete(world, f);
    assert_int_equal(calls, 4);
    ecs_fini(world);
}

// Moves between tables that were plain are judged again; ecs_world_verify looks.
static void moves_are_more_than_plain_for_those_who_come_later(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t c = component_of_size(world, 8), tag = ecs_new(world), parent = ecs_new(world);
    ecs_entity_t first = ecs_new_w_pair(world, EcsChildOf, parent);
    ecs_entity_t second = ecs_new_w_pair(world, EcsChildOf, parent), e = ecs_new_w_id(world, tag);
    walk(world, first, tag);
    walk(world, e, c);
    ecs_add_id(world, parent, EcsOrderedChildren); // second, first
    walk(world, second, tag);
    assert_true(ecs_world_verify(world));
    ecs_entities_t children = ecs_get_ordered_children(world, parent);
    assert_int_equal(children.count, 2);
    assert_int_equal(children.ids[0], second);
    assert_int_equal(children.ids[1], first);
    ecs_query_t *query = ecs_query(world,
        { .terms = { { tag } }, .flags = EcsQueryDetectChanges, .cache_kind = EcsQueryCacheAuto });
    assert_true(ecs_query_changed(query));
    for (ecs_iter_t it = ecs_query_iter(world, query); ecs_query_next(&it);) {}
    assert_false(ecs_query_changed(query));
    walk(world, e, c);
    assert_true(ecs_query_changed(query));
    assert_true(ecs_world_verify(world));
    ecs_query_fini(query);
    ecs_fini(world);
}

// CMP-09, OBS-01: all rows of tables that were walked before.
static void removals_from_all_are_told_of(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t c = component_of_size(world, 8), tag = ecs_new(world), entities[3];
    for (uint64_t i = 0; i < 3; i++)
        ecs_set_id(world, entities[i] = ecs_new(world), c, 8, &(uint64_t){ i });
    for (int heard = 0; heard < 2; heard++) {
        calls = 0;
        if (heard)
            ecs_observer(world,
                { .query.terms = { { tag } }, .events = { EcsOnRemove }, .callback = count_call });
        for (int i = 0; i < 3; i++) ecs_add_id(world, entities[i], tag);
        ecs_remove_all(world, tag);
        assert_int_equal(calls, 3 * heard);
        assert_int_equal(ecs_count_id(world, tag), 0);
        for (uint64_t i = 0; i < 3; i++)
            assert_int_equal(*(const uint64_t *)ecs_get_id(world, entities[i], c), i);
        assert_true(ecs_world_verify(world));
    }
    ecs_fini(world);
}

// CMP-09: many rows that nobody hears of, beside a parent, and in the order of one by one.
static void many_removals_are_those_of_one_by_one(void **state) {
    (void)state;
    enum { MANY = 700 };
    for (int with_parent = 0; with_parent < 2; with_parent++) {
        ecs_world_t *world = ecs_init();
        ecs_entity_t c = component_of_size(world, 8), d = component_of_size(world, 12);
        ecs_entity_t entities[MANY];
        for (uint64_t i = 0; i < MANY; i++) {
            ecs_set_id(world, entities[i] = ecs_new(world), c, 8, &(uint64_t){ i });
            ecs_add_id(world, entities[i], d);
        }
        if (with_parent) ecs_new_w_pair(world, EcsChildOf, entities[5]);
        ecs_remove_all(world, d);
        assert_int_equal(ecs_count_id(world, d), 0);
        ecs_iter_t it = ecs_each_id(world, c);
        assert_true(ecs_each_next(&it));
        assert_int_equal(it.count, MANY);
        for (int i = 0; i < MANY; i++) {
            assert_true(it.entities[i] == entities[MANY - 1 - i]);
            assert_int_equal(((const uint64_t *)it.ptrs[0])[i], MANY - 1 - i);
        }
        ecs_iter_fini(&it);
        assert_true(ecs_world_verify(world));
        ecs_fini(world);
    }
}

static int32_t count_calls_of_new(ecs_world_t *world, ecs_id_t id, bool adds) {
    calls = 0;
    for (int i = 0; i < 3; i++) {
        if (adds)
            ecs_add_id(world, ecs_new(world), id);
        else
            ecs_new_w_id(world, id);
    }
    return calls;
}

// OBS-01: an entity made with an id is told of as one that gets it.
static void entities_made_with_an_id_are_told_of(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t a = ecs_new(world), b = ecs_new(world), parent = ecs_new_w_id(world, a);
    ecs_id_t child_of = ecs_pair(EcsChildOf, parent);
    const struct {
        ecs_term_t term;
        int32_t told[2]; // of entities with `a`, and of children
    } cases[] = {
        { { .id = b }, { 0, 0 } },
        { { .id = a }, { 3, 0 } },
        { { .id = EcsWildcard }, { 3, 0 } },
        { { .id = ecs_pair(EcsChildOf, EcsWildcard) }, { 0, 3 } },
        { { .id = a, .src.id = EcsUp, .trav = EcsChildOf }, { 0, 3 } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int by_adding = 0; by_adding < 2; by_adding++) {
            assert_int_equal(count_calls_of_new(world, a, by_adding), 0);
            assert_int_equal(count_calls_of_new(world, child_of, by_adding), 0);
        }
        ecs_entity_t observer = ecs_observer(world,
            { .query.terms = { cases[i].term }, .events = { EcsOnAdd }, .callback = count_call });
        for (int by_adding = 0; by_adding < 2; by_adding++) {
            assert_int_equal(count_calls_of_new(world, a, by_adding), cases[i].told[0]);
            assert_int_equal(count_calls_of_new(world, child_of, by_adding), cases[i].told[1]);
        }
        ecs_delete(world, observer);
    }
    ecs_fini(world);
}

// PAIR-04, OBS-09
static void pairs_that_came_before_are_told_to_whoever_waits_for_them(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t r = ecs_new(world), t = ecs_new(world), e = ecs_new(world), f = ecs_new(world);
    const ecs_id_t patterns[] = { ecs_pair(r, t), ecs_pair(r, EcsWildcard),
        ecs_pair(EcsWildcard, t), ecs_pair(EcsWildcard, EcsWildcard) };
    ecs_add_pair(world, f, r, t);
    for (int i = 0; i < 3; i++) {
        ecs_add_pair(world, e, r, t);
        ecs_remove_pair(world, e, r, i < 2 ? t : EcsWildcard);
        assert_false(ecs_has_pair(world, e, r, EcsWildcard));
    }
    for (int i = 0; i < 4; i++) {
        ecs_entity_t observer = ecs_observer(world, { .query.terms = { { patterns[i] } },
                                                        .events = { EcsOnAdd, EcsOnRemove },
                                                        .callback = count_call });
        calls = 0;
        ecs_add_pair(world, e, r, t);
        ecs_add_pair(world, e, r, t);
        assert_int_equal(calls, 1);
        ecs_remove_pair(world, e, r, t);
        ecs_remove_pair(world, e, r, t);
        assert_int_equal(calls, 2);
        ecs_delete(world, observer);
    }
    assert_true(ecs_world_verify(world));
    ecs_fini(world);
}

static ecs_entity_t listen(ecs_world_t *world, ecs_entity_t event, ecs_term_t term) {
    return ecs_observer(
        world, { .query.terms = { term }, .events = { event }, .callback = count_call });
}

static int32_t calls_of_walks(ecs_world_t *world, ecs_entity_t e, ecs_id_t id) {
    calls = 0;
    walk(world, e, id);
    return calls;
}

// OBS-03: who waits for an absence is told that it ends, whoever else was told of the same adds before.
static void ends_of_absences_are_told_besides(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t tag = ecs_new(world), e = ecs_new(world);
    listen(world, EcsOnAdd, (ecs_term_t){ .id = tag });
    assert_int_equal(calls_of_walks(world, e, tag), 3);
    ecs_entity_t absence = listen(world, EcsOnRemove, (ecs_term_t){ .id = tag, .oper = EcsNot });
    assert_int_equal(calls_of_walks(world, e, tag), 6);
    ecs_enable(world, absence, false);
    assert_int_equal(calls_of_walks(world, e, tag), 3);
    ecs_enable(world, absence, true);
    assert_int_equal(calls_of_walks(world, e, tag), 6);
    ecs_add_id(world, e, EcsDisabled); // neither is told of it
    assert_int_equal(calls_of_walks(world, e, tag), 0);
    ecs_remove_id(world, e, EcsDisabled);
    ecs_delete(world, absence);
    assert_int_equal(calls_of_walks(world, e, tag), 3);
    ecs_fini(world);
}

// The first swaps make tables and edges, the next ones go along them.
static void swap(ecs_world_t *world, ecs_entity_t e, ecs_entity_t r, const ecs_entity_t *targets) {
    for (int i = 0; i < 6; i++) {
        ecs_add_pair(world, e, r, targets[i % 2]);
        assert_true(ecs_has_pair(world, e, r, targets[i % 2]));
        assert_false(ecs_has_pair(world, e, r, targets[1 - i % 2]));
    }
    assert_true(ecs_world_verify(world));
}

static int32_t calls_of_swaps(
    ecs_world_t *world, ecs_entity_t e, ecs_entity_t r, const ecs_entity_t *targets) {
    calls = 0;
    swap(world, e, r, targets);
    return calls;
}

// GRT-02, OBS-01: whoever waits for the pair that comes, or for the one that goes, or for what children see.
static void exclusive_pairs_that_take_places_are_told_of(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t r = ecs_new_w_id(world, EcsExclusive), a = ecs_new(world), b = ecs_new(world);
    const ecs_entity_t targets[] = { a, b };
    ecs_entity_t c = component_of_size(world, 12), e = ecs_new(world), parent = ecs_new(world);
    const struct {
        ecs_entity_t event;
        ecs_term_t term;
        int32_t told[2]; // of swaps of `e`, and of the parent
    } cases[] = {
        { EcsOnAdd, { .id = ecs_pair(r, a) }, { 3, 3 } },
        { EcsOnRemove, { .id = ecs_pair(r, a) }, { 3, 3 } },
        { EcsOnAdd, { .id = ecs_pair(r, EcsWildcard) }, { 6, 6 } },
        { EcsOnRemove, { .id = ecs_pair(EcsWildcard, b) }, { 3, 3 } },
        { EcsOnRemove, { .id = ecs_pair(r, a), .oper = EcsNot }, { 3, 3 } },
        { EcsOnAdd, { .id = ecs_pair(r, b), .oper = EcsNot }, { 3, 3 } },
        { EcsOnAdd, { .id = ecs_pair(r, b), .src.id = EcsUp, .trav = EcsChildOf }, { 0, 3 } },
        { EcsOnRemove, { .id = ecs_pair(r, b), .src.id = EcsUp, .trav = EcsChildOf }, { 0, 3 } },
    };
    ecs_set_id(world, e, c, 12, "hello world");
    ecs_new_w_pair(world, EcsChildOf, parent);
    ecs_add_pair(world, e, r, b);
    ecs_add_pair(world, parent, r, b);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(calls_of_swaps(world, e, r, targets), 0);
        assert_int_equal(calls_of_swaps(world, parent, r, targets), 0);
        ecs_entity_t observer = listen(world, cases[i].event, cases[i].term);
        assert_int_equal(calls_of_swaps(world, e, r, targets), cases[i].told[0]);
        assert_int_equal(calls_of_swaps(world, parent, r, targets), cases[i].told[1]);
        ecs_delete(world, observer);
    }
    assert_string_equal(ecs_get_id(world, e, c), "hello world");
    ecs_fini(world);
}

static void count_construction(void *ptr, int32_t count, const ecs_type_info_t *info) {
    memset(ptr, 0, (size_t)count * (size_t)info->size);
    calls += count;
}

static void check_exclusive_pairs_that_mean_more(bool has_set, bool is_in_set) {
    ecs_world_t *world = ecs_init();
    ecs_entity_t c = component_of_size(world, 8), r = ecs_new_w_id(world, EcsExclusive);
    const ecs_entity_t targets[] = { ecs_new(world), c }, tags[] = { targets[0], ecs_new(world) };
    ecs_set_hooks_id(world, c, &(ecs_type_hooks_t){ .ctor = count_construction });
    ecs_add_pair(world, r, EcsOnInstantiate, EcsInherit);
    if (is_in_set) ecs_add_id(world, r, EcsSparse);
    ecs_entity_t e = ecs_new(world), base = ecs_new(world), d = component_of_size(world, 8);
    const ecs_entity_t values[] = { d, component_of_size(world, 8) };
    const ecs_id_t behind = ecs_pair(ecs_new(world), d);
    const ecs_id_t stays = component_of_size(world, 8);
    ecs_add_id(world, stays, EcsSparse);
    ecs_set_id(world, e, behind, 8, "1234567");
    if (has_set) ecs_set_id(world, e, stays, 8, "7654321");
    assert_int_equal(calls_of_swaps(world, e, r, targets), 3); // (R, C) has a value
    assert_non_null(ecs_get_id(world, e, ecs_pair(r, c)));
    assert_int_equal(calls_of_swaps(world, e, r, values), 0);
    assert_int_equal(*(const uint64_t *)ecs_get_id(world, e, ecs_pair(r, values[1])), 0);
    assert_int_equal(calls_of_swaps(world, e, r, tags), 0);
    assert_null(ecs_get_id(world, e, ecs_pair(r, values[1])));
    assert_string_equal(ecs_get_id(world, e, behind), "1234567");
    if (has_set) assert_string_equal(ecs_get_id(world, e, stays), "7654321");
    ecs_add_pair(world, base, r, tags[1]);
    ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, base);
    for (int i = 0; i < 4; i++) {
        ecs_add_pair(world, instance, r, tags[0]);
        assert_true(ecs_owns_pair(world, instance, r, tags[0]));
        assert_ptr_equal(ecs_get_target(world, instance, r, 0), tags[0]);
        ecs_add_pair(world, instance, r, tags[1]);
        assert_true(ecs_owns_pair(world, instance, r, tags[1]));
        assert_false(ecs_owns_pair(world, instance, r, tags[0]));
    }
    assert_true(ecs_world_verify(world));
    ecs_fini(world);
}

// GRT-02: pairs with values, with hooks, and those that a base provides; beside values in sets, and in sets themselves.
static void exclusive_pairs_that_mean_more_take_places(void **state) {
    (void)state;
    check_exclusive_pairs_that_mean_more(false, false);
    check_exclusive_pairs_that_mean_more(true, false);
    check_exclusive_pairs_that_mean_more(true, true);
}

static void children_of_what_became_a_prefab_are_prefabs(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t parent = ecs_new(world);
    ecs_entity_t before = ecs_new_w_pair(world, EcsChildOf, parent);
    assert_false(ecs_has_id(world, before, EcsPrefab));
    ecs_add_id(world, parent, EcsPrefab);
    ecs_entity_t after = ecs_new_w_pair(world, EcsChildOf, parent);
    assert_true(ecs_has_id(world, after, EcsPrefab));
    ecs_delete(world, parent);
    assert_false(ecs_is_alive(world, after));
    assert_true(ecs_world_verify(world));
    ecs_fini(world);
}

static void instances_made_in_a_row_own_what_their_base_got_meanwhile(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t base = ecs_new(world), tag = ecs_new(world);
    ecs_entity_t before = ecs_new_w_pair(world, EcsIsA, base);
    ecs_auto_override_id(world, base, tag);
    ecs_entity_t after = ecs_new_w_pair(world, EcsIsA, base);
    assert_false(ecs_owns_id(world, before, tag));
    assert_true(ecs_owns_id(world, after, tag));
    ecs_fini(world);
}

static void ids_that_became_singletons_are_refused(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t c = component_of_size(world, 8), e = ecs_new(world);
    ecs_delete(world, ecs_new_w_id(world, c));
    walk(world, e, c);
    ecs_add_id(world, c, EcsSingleton);
    expect_abort_saying(ECS_CONSTRAINT_VIOLATED, "singleton", ecs_add_id(world, e, c));
    expect_abort_saying(ECS_CONSTRAINT_VIOLATED, "singleton", ecs_new_w_id(world, c));
    ecs_fini(world);
}

// The entity in the last row takes the place of others, also in a table that nobody with such marks was made in.
static void who_is_referred_to_takes_other_rows(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t c = component_of_size(world, 8), d = component_of_size(world, 8);
    ecs_entity_t likes = ecs_new(world), others[6];
    for (int32_t i = 0; i < 6; i++) others[i] = ecs_new_w_id(world, c);
    ecs_entity_t target = ecs_new_w_id(world, c), fan = ecs_new(world);
    ecs_add_pair(world, fan, likes, target);
    ecs_delete(world, others[0]); // the row is closed
    assert_true(ecs_world_verify(world));
    for (int32_t i = 1; i < 3; i++) ecs_add_id(world, others[i], d);
    ecs_add_id(world, target, d);
    assert_true(ecs_world_verify(world));
    ecs_delete(world, others[1]); // closed in the other table
    assert_true(ecs_world_verify(world));
    ecs_remove_id(world, target, d);
    ecs_delete(world, others[3]);
    ecs_delete(world, target);
    assert_true(ecs_is_alive(world, fan));
    assert_false(ecs_has_pair(world, fan, likes, EcsWildcard));
    assert_true(ecs_world_verify(world));
    ecs_fini(world);
}

static const ecs_record_t *looked_at;
static ecs_entity_t beside;

static void look_at(ecs_iter_t *it) {
    if (!ecs_has_id(it->world, it->entities[0], beside)) return;
    looked_at = ecs_record_find(it->world, it->entities[0]);
    assert_ptr_equal(looked_at->table, it->table);
}

// ENT-01: an entity whose values are in part beside its table is looked at as users see it just before its row moves.
static void records_that_observers_look_at_follow(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t c = component_of_size(world, 8), d = component_of_size(world, 8), e[8];
    beside = component_of_size(world, 4);
    ecs_add_id(world, beside, EcsDontFragment);
    for (int i = 0; i < 8; i++) {
        e[i] = ecs_new_w_id(world, c);
        if (i < 3) walk(world, e[i], d);
        if (i < 3) ecs_add_id(world, e[i], d);
    }
    ecs_set_id(world, e[1], beside, 4, &(int){ 7 });
    ecs_observer(
        world, { .query.terms = { { d } }, .events = { EcsOnRemove }, .callback = look_at });
    ecs_remove_id(world, e[2], d); // so that it is known who is told
    ecs_remove_id(world, e[1], d);
    assert_ptr_equal(looked_at->table, ecs_get_table(world, e[1]));
    assert_int_equal(*(const int *)ecs_get_id(world, e[1], beside), 7);
    assert_true(ecs_world_verify(world));
    ecs_fini(world);
}

static ecs_entity_t neighbour; // whom to look at; 0: nobody

static void look_at_neighbour(ecs_iter_t *it) {
    if (!neighbour) return;
    looked_at = ecs_record_find(it->world, neighbour);
    assert_ptr_equal(looked_at->table, ecs_get_table(it->world, neighbour));
}

// ENT-01: the same of others, in the table that the entity leaves or comes to; by observers and by hooks.
static void rows_may_move_between_records_that_are_looked_at(void **state) {
    (void)state;
    for (int way = 0; way < 4 * 3; way++) {
        ecs_world_t *world = ecs_mini();
        ecs_entity_t c = ecs_new(world), d = component_of_size(world, 8), e[6];
        neighbour = 0;
        if (way >= 8)
            ecs_set_hooks_id(world, d, &(ecs_type_hooks_t){ .on_remove = look_at_neighbour });
        for (int i = 0; i < 6; i++) {
            e[i] = ecs_new_w_id(world, c);
            walk(world, e[i], d);
            ecs_add_id(world, e[i], d);
        }
        const ecs_entity_t others[] = { ecs_new_w_id(world, c), ecs_new_w_id(world, c), e[5],
            e[0] };
        for (int i = 0; i < 2 && i * 4 <= way && way < 8; i++)
            ecs_observer(world, { .query.terms = { { d } },
                                    .events = { EcsOnRemove },
                                    .callback = look_at_neighbour });
        ecs_remove_id(world, e[1], d);
        ecs_remove_id(world, e[2], d);
        neighbour = others[way % 4];
        ecs_remove_id(world, e[3], d);
        assert_true(ecs_world_verify(world));
        assert_ptr_equal(ecs_get_table(world, e[3]), ecs_get_table(world, others[0]));
        assert_ptr_equal(looked_at->table, ecs_get_table(world, neighbour));
        neighbour = 0;
        ecs_fini(world);
    }
}

// ISA-02: what is overridden begins with the value of the base, also along a way that was taken before.
static void overrides_in_sets_begin_with_the_value_of_the_base(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t c = component_of_size(world, 8), base = ecs_new(world);
    uint64_t value = 10;
    ecs_add_id(world, c, EcsSparse);
    ecs_add_pair(world, c, EcsOnInstantiate, EcsInherit);
    ecs_set_id(world, base, c, 8, &value);
    for (int i = 0; i < 4; i++) {
        ecs_entity_t e = ecs_new_w_pair(world, EcsIsA, base);
        ecs_add_id(world, e, c);
        assert_true(ecs_owns_id(world, e, c));
        assert_int_equal(*(const uint64_t *)ecs_get_id(world, e, c), 10);
        ecs_remove_id(world, e, c);
        ecs_entity_t with = ecs_new_w_pair(world, EcsIsA, base);
        value = 11;
        ecs_set_id(world, with, c, 8, &value);
        assert_int_equal(*(const uint64_t *)ecs_get_id(world, with, c), 11);
        assert_int_equal(*(const uint64_t *)ecs_get_id(world, e, c), 10);
    }
    ecs_fini(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_all_sizes_follow_their_entity),
        cmocka_unit_test(entities_may_have_all_low_ids),
        cmocka_unit_test(hooks_and_observers_that_come_later_are_told),
        cmocka_unit_test(moves_are_more_than_plain_for_those_who_come_later),
        cmocka_unit_test(removals_from_all_are_told_of),
        cmocka_unit_test(many_removals_are_those_of_one_by_one),
        cmocka_unit_test(entities_made_with_an_id_are_told_of),
        cmocka_unit_test(pairs_that_came_before_are_told_to_whoever_waits_for_them),
        cmocka_unit_test(ends_of_absences_are_told_besides),
        cmocka_unit_test(exclusive_pairs_that_take_places_are_told_of),
        cmocka_unit_test(exclusive_pairs_that_mean_more_take_places),
        cmocka_unit_test(children_of_what_became_a_prefab_are_prefabs),
        cmocka_unit_test(instances_made_in_a_row_own_what_their_base_got_meanwhile),
        cmocka_unit_test(ids_that_became_singletons_are_refused),
        cmocka_unit_test(who_is_referred_to_takes_other_rows),
        cmocka_unit_test(records_that_observers_look_at_follow),
        cmocka_unit_test(rows_may_move_between_records_that_are_looked_at),
        cmocka_unit_test(overrides_in_sets_begin_with_the_value_of_the_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
