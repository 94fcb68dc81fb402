// SPDX-License-Identifier: MIT
// Uncached queries for ids of the entity itself go through the lists of tables of all their ids side by side: what they find, also
// while tables come, go, fill up and run empty, beside a look at every entity.
#include "support/random.h"
#include "support/world.h"

enum { IDS = 8, ENTITIES = 400, QUERIES = 12, ID_COUNT_MAX = 3 };

typedef struct scene_t {
    ecs_world_t *world;
    random_t random;
    ecs_id_t ids[IDS]; /* half of them tags */
    ecs_entity_t entities[ENTITIES];
    ecs_query_t *queries[QUERIES];
} scene_t;

static ecs_query_t *random_query(scene_t *scene) {
    ecs_query_desc_t desc = { .cache_kind = EcsQueryCacheNone };
    int32_t count = 1 + random_below(&scene->random, ID_COUNT_MAX);
    for (int32_t i = 0; i < count; i++) {
        desc.terms[i].id = scene->ids[random_below(&scene->random, IDS)];
        if (desc.terms[i].id == scene->ids[0]) desc.terms[i].inout = EcsIn;
    }
    ecs_query_t *query = ecs_query_init(scene->world, &desc);
    assert_non_null(query);
    return query;
}

static ecs_entity_t random_entity(scene_t *scene) {
    return scene->entities[random_below(&scene->random, ENTITIES)];
}

// Ids give few tables or many, so that lists are short and long.
static void change(scene_t *scene) {
    ecs_entity_t entity = random_entity(scene);
    ecs_id_t id = scene->ids[random_below(&scene->random, IDS)];
    switch (random_below(&scene->random, 8)) {
    case 0:
    case 1:
    case 2: ecs_add_id(scene->world, entity, id); break;
    case 3:
    case 4: ecs_remove_id(scene->world, entity, id); break;
    case 5: ecs_add_pair(scene->world, entity, scene->ids[0], random_entity(scene)); break;
    case 6: ecs_remove_pair(scene->world, entity, scene->ids[0], EcsWildcard); break;
    default: ecs_clear(scene->world, entity);
    }
}

static void scene_begin(scene_t *scene, ecs_world_t *world) {
    *scene = (scene_t){ .world = world, .random = random_init(random_seed()) };
    for (int32_t i = 0; i < IDS; i++) {
        ecs_entity_t id = ecs_new(world);
        scene->ids[i] =
            i & 1 ? ecs_component(world, { .entity = id, .type = { .size = 4, .alignment = 4 } })
                  : id;
    }
    for (int32_t i = 0; i < ENTITIES; i++) scene->entities[i] = ecs_new(world);
    for (int32_t i = 0; i < 1000; i++) change(scene); /* some tables are older than the queries */
    for (int32_t i = 0; i < QUERIES; i++) scene->queries[i] = random_query(scene);
}

static void scene_end(scene_t *scene) {
    for (int32_t i = 0; i < QUERIES; i++) ecs_query_fini(scene->queries[i]);
}

static bool matches(const scene_t *scene, const ecs_query_t *query, ecs_entity_t entity) {
    for (int32_t t = 0; t < query->term_count; t++) {
        if (!ecs_has_id(scene->world, entity, query->terms[t].id)) return false;
    }
    return true;
}

static void check_result(const scene_t *scene, const ecs_iter_t *it) {
    assert_true(it->count > 0);
    assert_int_equal(it->count, ecs_table_count(it->table));
    for (int32_t f = 0; f < it->field_count; f++) {
        ecs_id_t id = it->query->terms[f].id;
        const void *values = ecs_table_get_id(scene->world, it->table, id, 0);
        assert_ptr_equal(it->ptrs[f], values);
        assert_true(ecs_field_is_set(it, (int8_t)f));
    }
    for (int32_t i = 0; i < it->count; i++) assert_true(matches(scene, it->query, it->entities[i]));
}

static int32_t count_matching(const scene_t *scene, const ecs_query_t *query) {
    int32_t count = 0;
    for (int32_t i = 0; i < ENTITIES; i++) count += matches(scene, query, scene->entities[i]);
    return count;
}

static void check_query(const scene_t *scene, const ecs_query_t *query) {
    int32_t found = 0;
    ecs_iter_t it = ecs_query_iter(scene->world, query);
    while (ecs_query_next(&it)) {
        check_result(scene, &it);
        assert_int_equal(it.frame_offset, found);
        found += it.count;
    }
    assert_int_equal(found, count_matching(scene, query));
    assert_false(ecs_query_next(&it));
}

static void lists_side_by_side_find_what_a_look_at_every_entity_does(void **state) {
    scene_t scene;
    scene_begin(&scene, *state);
    for (int32_t round = 0; round < 300; round++) {
        for (int32_t i = random_below(&scene.random, 60); i > 0; i--) change(&scene);
        if (round % 7 == 0)
            ecs_delete_empty_tables(
                scene.world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
        for (int32_t i = 0; i < QUERIES; i++) check_query(&scene, scene.queries[i]);
        if (round % 20 == 0) {
            ecs_query_fini(scene.queries[0]);
            scene.queries[0] = random_query(&scene);
        }
    }
    assert_true(ecs_world_verify(scene.world));
    scene_end(&scene);
}

// Entities that no change touches are found once each, whatever becomes of other tables meanwhile.
static int32_t seen_of(const ecs_entity_t *seen, int32_t count, ecs_entity_t entity) {
    int32_t times = 0;
    for (int32_t i = 0; i < count; i++) times += seen[i] == entity;
    return times;
}

static void check_while_changing(scene_t *scene, const ecs_query_t *query) {
    static ecs_entity_t seen[ENTITIES * 4];
    int32_t count = 0, changed_count = 0;
    bool was_changed[ENTITIES] = { false }, was_there[ENTITIES];
    for (int32_t i = 0; i < ENTITIES; i++) was_there[i] = matches(scene, query, scene->entities[i]);
    ecs_iter_t it = ecs_query_iter(scene->world, query);
    while (ecs_query_next(&it)) {
        check_result(scene, &it);
        for (int32_t i = 0; i < it.count && count < ENTITIES * 4; i++)
            seen[count++] = it.entities[i];
        int32_t index = random_below(&scene->random, ENTITIES);
        ecs_entity_t entity = scene->entities[index];
        ecs_id_t id = scene->ids[random_below(&scene->random, IDS)];
        ecs_table_t *before = ecs_get_table(scene->world, entity);
        bool adds = random_next(&scene->random) & 1;
        ecs_table_t *after = adds ? ecs_table_add_id(scene->world, before, id)
                                  : ecs_table_remove_id(scene->world, before, id);
        if (before == it.table || after == it.table) continue; /* it is in use */
        if (adds)
            ecs_add_id(scene->world, entity, id);
        else
            ecs_remove_id(scene->world, entity, id);
        was_changed[index] = true;
        changed_count++;
    }
    for (int32_t i = 0; i < ENTITIES; i++) {
        if (!was_changed[i])
            assert_int_equal(seen_of(seen, count, scene->entities[i]), was_there[i]);
    }
}

static void what_stays_is_found_once_while_tables_change(void **state) {
    scene_t scene;
    scene_begin(&scene, *state);
    for (int32_t round = 0; round < 100; round++) {
        for (int32_t i = 0; i < 30; i++) change(&scene);
        check_while_changing(&scene, scene.queries[round % QUERIES]);
        if (round % 5 == 0)
            ecs_delete_empty_tables(
                scene.world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
    }
    scene_end(&scene);
}

// More tables than a word of the bitset has bits, all but a few in one list only.
static void an_id_in_few_tables_leads_over_one_in_many(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t common = ecs_new(world), rare = ecs_new(world);
    for (int32_t i = 0; i < 1000; i++) {
        ecs_entity_t entity = ecs_new_w_id(world, common);
        ecs_add_id(world, entity, ecs_new(world));
        if (i % 321 == 7) ecs_add_id(world, entity, rare);
    }
    for (int32_t order = 0; order < 2; order++) {
        ecs_query_t *query = ecs_query(world,
            { .terms = { { .id = order ? rare : common }, { .id = order ? common : rare } } });
        ecs_iter_t it = ecs_query_iter(world, query);
        assert_int_equal(ecs_iter_count(&it), 4);
        ecs_query_fini(query);
    }
}

static void tables_made_meanwhile_are_not_visited(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t tag = ecs_new(world);
    ecs_query_t *query = ecs_query(world, { .terms = { { .id = tag } } });
    for (int32_t i = 0; i < 3; i++) ecs_add_id(world, ecs_new_w_id(world, tag), ecs_new(world));
    int32_t found = 0;
    ecs_iter_t it = ecs_query_iter(world, query);
    while (ecs_query_next(&it)) {
        for (int32_t i = 0; i < 70; i++)
            ecs_add_id(world, ecs_new_w_id(world, ecs_new(world)), tag);
        found += it.count;
    }
    assert_int_equal(found, 3);
    it = ecs_query_iter(world, query);
    assert_int_equal(ecs_iter_count(&it), 213);
    ecs_query_fini(query);
}

// CMP-06: also a pair whose relationship becomes a component.
static void ids_that_get_a_type_when_they_are_queried_show_values(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t id = ecs_new(world), tag = ecs_new(world), relationship = ecs_new(world);
    ecs_id_t pair = ecs_pair(relationship, tag);
    ecs_query_t *query = ecs_query(world, { .terms = { { id }, { tag }, { pair } } });
    ecs_component(world, { .entity = id, .type = { .size = 8, .alignment = 8 } });
    ecs_component(world, { .entity = relationship, .type = { .size = 8, .alignment = 8 } });
    ecs_entity_t entity = ecs_new_w_id(world, tag);
    ecs_add_id(world, entity, id);
    ecs_add_id(world, entity, pair);
    ecs_iter_t it = ecs_query_iter(world, query);
    assert_true(ecs_query_next(&it));
    assert_ptr_equal(it.ptrs[0], ecs_get_id(world, entity, id));
    assert_null(it.ptrs[1]);
    assert_ptr_equal(it.ptrs[2], ecs_get_id(world, entity, pair));
    assert_false(ecs_query_next(&it));
    ecs_query_fini(query);
}

static void assert_same_fields(const ecs_iter_t *a, const ecs_iter_t *b) {
    assert_ptr_equal(a->table, b->table);
    assert_ptr_equal(a->entities, b->entities);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->set_fields, b->set_fields);
    assert_int_equal(a->up_fields, b->up_fields);
    assert_int_equal(a->ref_fields, b->ref_fields);
    for (int8_t f = 0; f < a->field_count; f++) {
        assert_int_equal(ecs_field_id(a, f), ecs_field_id(b, f));
        assert_int_equal(ecs_field_src(a, f), ecs_field_src(b, f));
        assert_int_equal(ecs_field_size(a, f), ecs_field_size(b, f));
        assert_int_equal(ecs_field_column(a, f), ecs_field_column(b, f));
        assert_ptr_equal(a->ptrs[f], b->ptrs[f]);
    }
}

static void inherit_from_an_earlier_one(scene_t *scene) {
    int32_t heir = 1 + random_below(&scene->random, ENTITIES - 1);
    int32_t base = random_below(&scene->random, heir); /* so that there is no cycle */
    ecs_add_pair(scene->world, scene->entities[heir], EcsIsA, scene->entities[base]);
}

// Some base has an id, so that tables inherit it or have it themselves.
static void heirs_and_owners_are_found_as_in_a_cache(void **state) {
    scene_t scene;
    scene_begin(&scene, *state);
    for (int32_t i = 0, tries = random_tries(300); i < tries; i++) {
        inherit_from_an_earlier_one(&scene);
        for (int32_t k = 0; k < 5; k++) change(&scene);
        for (int32_t q = 0; q < QUERIES; q++) {
            ecs_query_desc_t desc = { .cache_kind = EcsQueryCacheAuto };
            for (int32_t t = 0; t < scene.queries[q]->term_count; t++)
                desc.terms[t].id = scene.queries[q]->terms[t].id;
            ecs_query_t *cached = ecs_query_init(scene.world, &desc);
            ecs_iter_t a = ecs_query_iter(scene.world, scene.queries[q]),
                       b = ecs_query_iter(scene.world, cached);
            while (ecs_query_next(&a)) {
                assert_true(ecs_query_next(&b));
                assert_same_fields(&a, &b);
            }
            assert_false(ecs_query_next(&b));
            ecs_query_fini(cached);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(heirs_and_owners_are_found_as_in_a_cache),
        mini_world_test(lists_side_by_side_find_what_a_look_at_every_entity_does),
        mini_world_test(what_stays_is_found_once_while_tables_change),
        mini_world_test(an_id_in_few_tables_leads_over_one_in_many),
        mini_world_test(tables_made_meanwhile_are_not_visited),
        mini_world_test(ids_that_get_a_type_when_they_are_queried_show_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
