// SPDX-License-Identifier: MIT
// White-box tests of ecs/src/storage/table*.c, id_index.c and search.c.
#include "support/test.h"

#include <muster/ecs/os.h>

#include "storage/store.h"
#include "support/abort.h"

typedef struct fixture_t {
    ecs__store_t store;
    ecs_entity_t a, b, c, tag, rel, other_rel, t1, t2, t3;
} fixture_t;

static ecs_entity_t make(ecs__store_t *store, ecs_table_t *table) {
    ecs_entity_t entity = ecs__entity_new(&store->entities);
    ecs__store_place(store, table, &entity, 1);
    return entity;
}

static ecs_entity_t component(ecs__store_t *store, ecs_size_t size) {
    ecs_entity_t entity = ecs__entity_new_low(&store->entities);
    ecs__entity_issue(&store->entities, entity);
    ecs__store_place(store, store->root, &entity, 1);
    ecs__type_info_declare(store, entity, size, 4);
    return entity;
}

static int setup(void **state) {
    fixture_t *f = ecs_os_calloc_t(fixture_t);
    ecs__store_init(&f->store, NULL, NULL);
    f->a = component(&f->store, 4);
    f->b = component(&f->store, 8);
    f->c = component(&f->store, 20);
    ecs_entity_t *plain[] = { &f->tag, &f->rel, &f->other_rel, &f->t1, &f->t2, &f->t3 };
    for (int i = 0; i < 6; i++) *plain[i] = make(&f->store, f->store.root);
    *state = f;
    return 0;
}

static int teardown(void **state) {
    fixture_t *f = *state;
    assert_true(ecs__store_verify(&f->store));
    ecs__store_fini(&f->store);
    ecs_os_free(f);
    return 0;
}

// STO-01, ENT-08, ENT-13
static void one_table_per_set_of_ids_whatever_the_order_of_adding(void **state) {
    fixture_t *f = *state;
    ecs_table_t *root = f->store.root;
    ecs_table_t *ab = ecs__table_plus(ecs__table_plus(root, f->a), f->b);
    ecs_table_t *ba = ecs__table_plus(ecs__table_plus(root, f->b), f->a);
    assert_ptr_equal(ab, ba);
    assert_ptr_equal(ecs__table_plus(ab, f->a), ab);
    assert_ptr_equal(ecs__table_minus(ab, f->c), ab);
    ecs_table_t *b = ecs__table_minus(ab, f->a);
    assert_ptr_equal(ecs__table_minus(b, f->b), root);
    // The cached edges for an id lead up from tables without it and down from tables with it.
    assert_ptr_equal(ecs__table_plus(ab, f->a), ab);
    assert_ptr_equal(ecs__table_plus(b, f->b), b);
    assert_ptr_equal(ecs__table_minus(b, f->a), b);
    assert_ptr_equal(ecs__table_plus(b, f->a), ab);
}

// STO-01: also after the list of tables has become longer and shorter.
static void tables_are_found_by_their_ids_while_others_come_and_go(void **state) {
    fixture_t *f = *state;
    ecs__store_t *store = &f->store;
    enum { TABLES = 1000 };
    ecs_table_t *tables[TABLES], *base = ecs__table_plus(store->root, f->a);
    for (int i = 0; i < TABLES; i++) tables[i] = ecs__table_plus(base, make(store, store->root));
    assert_true(ecs__store_verify(store));
    for (int i = 0; i < TABLES; i++) {
        if (i % 9) ecs__table_delete(tables[i]);
    }
    assert_true(ecs__store_verify(store));
    assert_true(store->table_count < TABLES / 3);
    for (int i = 0; i < TABLES; i += 9) {
        ecs_type_t type = tables[i]->type;
        assert_ptr_equal(ecs__table_ensure(store, type.array, type.count), tables[i]);
    }
}

// STO-02, STO-03, STO-04, PAIR-11: the numbers of the seed's example.
static void a_table_is_registered_under_its_ids_and_their_wildcards(void **state) {
    fixture_t *f = *state;
    ecs_id_t ids[] = { f->tag, ECS__MAKE_PAIR(f->rel, f->t1), ECS__MAKE_PAIR(f->rel, f->t2),
        ECS__MAKE_PAIR(f->rel, f->t3), ECS__MAKE_PAIR(f->other_rel, f->t1),
        ECS__MAKE_PAIR(f->other_rel, f->t2) };
    ecs_table_t *table = ecs__table_ensure(&f->store, ids, 6);
    struct {
        ecs_id_t id;
        int index, count;
    } expected[] = {
        { f->tag, 0, 1 },
        { ids[1], 1, 1 },
        { ECS__MAKE_PAIR(f->rel, Ecs__Wildcard), 1, 3 },
        { ECS__MAKE_PAIR(f->other_rel, Ecs__Wildcard), 4, 2 },
        { ECS__MAKE_PAIR(Ecs__Wildcard, f->t2), 2, 2 },
        { ECS__MAKE_PAIR(Ecs__Wildcard, f->t1), 1, 2 },
        { ECS__MAKE_PAIR(Ecs__Wildcard, Ecs__Wildcard), 1, 5 },
        { Ecs__Wildcard, 0, 1 },
    };
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        const ecs_component_record_t *record = ecs__id_record_get(&f->store, expected[i].id);
        assert_non_null(record);
        const ecs__table_record_t *in_table = ecs__table_record(table, expected[i].id);
        assert_non_null(in_table);
        assert_int_equal(in_table->number, record->number);
        assert_int_equal(ecs__table_first(table, in_table), expected[i].index);
        assert_int_equal(in_table->count, expected[i].count);
    }
    assert_int_equal(ecs__table_search(table, ECS__MAKE_PAIR(f->t1, Ecs__Wildcard)), -1);
}

// STO-07: places of low ids end where the header of the table begins, and begin with the first id
static void wildcards_of_many_pairs_count_what_they_cover(void **state) {
    enum { RELS = 40, TARGETS = 5 };
    fixture_t *f = *state;
    ecs_entity_t rels[RELS], targets[TARGETS];
    ecs_table_t *table = f->store.root;
    for (int i = 0; i < TARGETS; i++) targets[i] = make(&f->store, f->store.root);
    for (int i = 0; i < RELS; i++) rels[i] = make(&f->store, f->store.root);
    for (int i = 0, n = 0; i < RELS * TARGETS; i++, n = (n + 7) % (RELS * TARGETS))
        table = ecs__table_plus(table, ECS__MAKE_PAIR(rels[n / TARGETS], targets[n % TARGETS]));
    int pairs = RELS * TARGETS;
    assert_int_equal(
        ecs__table_record(table, ECS__MAKE_PAIR(Ecs__Wildcard, Ecs__Wildcard))->count, pairs);
    int by_first = 0, by_second = 0;
    for (int i = 0; i < RELS; i++)
        by_first += ecs__table_record(table, ECS__MAKE_PAIR(rels[i], Ecs__Wildcard))->count;
    for (int i = 0; i < TARGETS; i++) {
        const ecs__table_record_t *record =
            ecs__table_record(table, ECS__MAKE_PAIR(Ecs__Wildcard, targets[i]));
        ecs_id_t first = table->type.array[ecs__table_first(table, record)];
        assert_int_equal(ecs__id_second(first), (uint32_t)targets[i]);
        by_second += record->count;
    }
    assert_int_equal(by_first, pairs);
    assert_int_equal(by_second, pairs);
}

static void low_ids_have_places_from_the_first_to_the_last(void **state) {
    fixture_t *f = *state;
    ecs_table_t *root = f->store.root;
    assert_true(f->tag >= FLECS_HI_COMPONENT_ID);
    ecs_table_t *none = ecs__table_plus(root, f->tag), *one = ecs__table_plus(none, f->b);
    ecs_table_t *outer = ecs__table_plus(ecs__table_plus(root, f->a), f->c);
    const struct {
        const ecs_table_t *table;
        ecs_id_t first, last;
    } expected[] = { { root, 0, 0 }, { none, 0, 0 }, { one, f->b, f->b }, { outer, f->a, f->c } };
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        const ecs_table_t *table = expected[i].table;
        for (ecs_id_t id = 1; id < FLECS_HI_COMPONENT_ID; id++) {
            bool has = id == expected[i].first || id == expected[i].last;
            assert_true(ecs__table_has(table, id) == has);
            assert_true((ecs__table_column(table, id) == -1) == !has);
        }
        const ecs_id_t strange[] = { 0, FLECS_HI_COMPONENT_ID, INT64_MAX, UINT64_MAX - 1,
            UINT64_MAX };
        for (size_t k = 0; k < 5; k++) {
            assert_null(ecs__table_plain_cell(table, strange[k], 0, 0));
            assert_int_equal(ecs__table_column(table, strange[k]), -1);
        }
    }
    assert_true(ecs__table_has(one, f->tag) && !ecs__table_has(outer, f->tag));
    assert_int_equal(ecs__table_column(outer, f->c), 1);
}

// STO-02: the only pair with a target has the same tables as (*, T), which has a record when there is another pair, or somebody wants it.
static void a_pair_stands_for_its_target_while_it_is_the_only_one(void **state) {
    fixture_t *f = *state;
    ecs__store_t *store = &f->store;
    enum { TABLES = 9 };
    const ecs_id_t first = ECS__MAKE_PAIR(f->rel, f->t1),
                   any = ECS__MAKE_PAIR(Ecs__Wildcard, f->t1);
    ecs_table_t *tables[TABLES], *base = ecs__table_plus(store->root, first);
    for (int i = 0; i < TABLES; i++) tables[i] = ecs__table_plus(base, make(store, store->root));
    for (int i = 0; i < TABLES; i += 2) make(store, tables[i]);
    const int32_t records = tables[0]->record_count;
    assert_ptr_equal(ecs__id_record_get(store, any), ecs__id_record_get(store, first));
    assert_null(ecs__id_record_itself(store, any));
    assert_int_equal(ecs__table_search(tables[0], any), 1);
    const ecs_table_record_t *shown = ecs__table_show(tables[0]);
    ecs__table_delete(tables[1]);

    ecs_table_t *other = ecs__table_plus(base, ECS__MAKE_PAIR(f->other_rel, f->t1));
    const ecs_component_record_t *record = ecs__id_record_get(store, any);
    assert_true(record->id == any);
    assert_int_equal(record->table_live, 1 + TABLES - 1 + 1);
    assert_true(ecs__store_verify(store));
    int32_t from = 0;
    for (int i = 0; i < TABLES; i += 2)
        assert_ptr_equal(ecs__id_record_next_table(record, &from, false), tables[i]);
    assert_null(ecs__id_record_next_table(record, &from, false));
    assert_int_equal(ecs__table_record(other, any)->count, 2);
    assert_int_equal(tables[0]->record_count, records + 1);
    assert_int_equal(ecs__table_record(tables[0], any)->first, 1);
    assert_true(shown[0].hdr.cr == ecs__table_cr(tables[0], 0)); /* users may still look at it */
    assert_true(ecs__table_show(tables[0]) != shown);
    ecs__table_delete(tables[3]);
    ecs__table_delete(other);
}

static void a_record_of_all_pairs_with_a_target_is_made_when_it_is_wanted(void **state) {
    fixture_t *f = *state;
    ecs__store_t *store = &f->store;
    const ecs_id_t pair = ECS__MAKE_PAIR(f->rel, f->t1), any = ECS__MAKE_PAIR(Ecs__Wildcard, f->t1);
    ecs_table_t *table = ecs__table_plus(store->root, pair);
    ecs_component_record_t *only = ecs__id_record_ensure(store, pair);
    assert_ptr_equal(ecs__id_record_next_second(only, NULL), only);
    assert_null(ecs__id_record_next_second(only, only));
    ecs_component_record_t *record = ecs__id_record_ensure(store, any);
    assert_true(record->id == any);
    assert_ptr_equal(ecs__id_record_next_second(record, NULL), only);
    assert_null(ecs__id_record_next_second(record, only));
    assert_int_equal(ecs__table_record(table, any)->number, record->number);
    assert_true(ecs__store_verify(store));
    ecs__table_delete(table);
    ecs__id_record_delete(store, only);
    assert_ptr_equal(ecs__id_record_get(store, any), record);
    ecs__id_record_delete(store, record);
    ecs__id_record_delete(store, ecs__id_record_ensure(store, pair)); /* stands for it again */
    assert_null(ecs__id_record_get(store, any));
}

// STO-08: scanning non-empty tables skips the others and keeps creation order.
static void empty_tables_are_kept_apart_and_order_is_creation_order(void **state) {
    fixture_t *f = *state;
    ecs_table_t *tables[100];
    ecs_table_t *base = ecs__table_plus(f->store.root, f->a);
    for (int i = 0; i < 100; i++) {
        tables[i] = ecs__table_plus(base, make(&f->store, f->store.root));
    }
    for (int i = 97; i > 0; i -= 4) make(&f->store, tables[i]);
    const ecs_component_record_t *record = ecs__id_record_get(&f->store, f->a);
    int32_t from = 0, expected = 1;
    const ecs_table_t *table;
    while ((table = ecs__id_record_next_table(record, &from, false))) {
        assert_ptr_equal(table, tables[expected]);
        expected += 4;
    }
    assert_int_equal(expected, 101);
}

static int32_t count_with_rows(const ecs__store_t *store, ecs_id_t id) {
    const ecs_component_record_t *record = ecs__id_record_get(store, id);
    int32_t from = 0, count = 0;
    while (ecs__id_record_next_table(record, &from, false)) count++;
    return count;
}

static bool is_marked(const ecs_table_t *table) {
    return ecs__bitset_get(&ecs__table_cr(table, 0)->non_empty, table->records[0].position);
}

// STO-08: those that rows only pass through look empty, too, and few of them stay marked.
static void tables_that_rows_passed_through_are_skipped(void **state) {
    fixture_t *f = *state;
    ecs__store_t *store = &f->store;
    enum { TABLES = 3 * ECS__PASSAGES };
    ecs_table_t *tables[TABLES], *base = ecs__table_plus(store->root, f->a);
    for (uint32_t i = 0; i < TABLES; i++)
        tables[i] = ecs__table_plus(base, make(store, store->root));
    ecs_entity_t entity = make(store, base);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < TABLES; i++) {
            ecs_table_t *src = ecs__entity_spot(&store->entities, entity).table;
            ecs__table_move_row(tables[i], src, 0, true);
            assert_int_equal(count_with_rows(store, f->a), 1);
            assert_int_equal(count_with_rows(store, Ecs__Wildcard), 1);
        }
        assert_true(ecs__store_verify(store));
    }
    int32_t marked = 0;
    for (uint32_t i = 0; i < TABLES; i++) marked += is_marked(tables[i]);
    assert_int_equal(marked, ECS__PASSAGES + 1);
    for (uint32_t i = TABLES - 1; i-- > TABLES - 8;) ecs__table_delete(tables[i]);
    assert_true(ecs__store_verify(store));
    ecs__passages_end(store);
    for (uint32_t i = 0; i < TABLES - 8; i++) assert_false(is_marked(tables[i]));
    assert_true(is_marked(tables[TABLES - 1]));
    assert_int_equal(count_with_rows(store, f->a), 1);
}

// By the numbers of tables, also where some are gone.
static void expect_sought(const ecs_component_record_t *record) {
    for (uint64_t number = 0; number <= record->store->next_table_id; number++) {
        int32_t first = 0;
        for (; first < record->table_count; first++) {
            const ecs_table_t *table = ecs__id_record_table(record, first);
            if (table && table->id >= number) break;
        }
        assert_int_equal(ecs__id_record_seek(record, number), first);
    }
}

// STO-01: ids know their tables, in order of creation, also after deleted ones left holes in the store's list that were closed.
static void ids_keep_their_tables_when_most_others_are_deleted(void **state) {
    fixture_t *f = *state;
    ecs__store_t *store = &f->store;
    enum { TABLES = 300 };
    ecs_table_t *tables[TABLES], *base = ecs__table_plus(store->root, f->a);
    for (int32_t i = 0; i < TABLES; i++)
        tables[i] = ecs__table_plus(base, make(store, store->root));
    const int32_t listed = store->table_count;
    for (int32_t i = 0; i < TABLES; i++) {
        if (i % 10) ecs__table_delete(tables[i]);
        if (i % 50 == 0) expect_sought(ecs__id_record_get(store, f->a));
        if (i % 50 == 0) assert_true(ecs__store_verify(store));
    }
    assert_true(store->table_count < listed);
    const ecs_component_record_t *record = ecs__id_record_get(store, f->a);
    int32_t from = 0;
    assert_ptr_equal(ecs__id_record_next_table(record, &from, true), base);
    for (int32_t i = 0; i < TABLES; i += 10)
        assert_ptr_equal(ecs__id_record_next_table(record, &from, true), tables[i]);
    assert_null(ecs__id_record_next_table(record, &from, true));
}

static void values_survive_growth_moves_and_holes(void **state) {
    fixture_t *f = *state;
    ecs__store_t *store = &f->store;
    ecs_table_t *ab = ecs__table_plus(ecs__table_plus(store->root, f->a), f->b);
    ecs_table_t *abc = ecs__table_plus(ab, f->c);
    ecs_entity_t entities[1000];
    for (int i = 0; i < 1000; i++) {
        entities[i] = make(store, ab);
        *(int32_t *)ecs__table_cell(ab, 0, i) = i;
        *(int64_t *)ecs__table_cell(ab, 1, i) = i * 1000;
    }
    for (int i = 0; i < 1000; i += 3) {
        const ecs__spot_t spot = ecs__entity_spot(&store->entities, entities[i]);
        ecs__table_move_row(abc, ab, spot.row, true);
    }
    for (int i = 0; i < 1000; i++) {
        const ecs__spot_t spot = ecs__entity_spot(&store->entities, entities[i]);
        int32_t row = spot.row;
        assert_ptr_equal(spot.table, i % 3 ? ab : abc);
        assert_int_equal(*(int32_t *)ecs__table_cell(spot.table, 0, row), i);
        assert_int_equal(*(int64_t *)ecs__table_cell(spot.table, 1, row), i * 1000);
        static const char zeros[20];
        if (i % 3 == 0) assert_memory_equal(ecs__table_cell(abc, 2, row), zeros, 20);
    }
}

static bool is_aligned(const ecs_table_t *table) {
    bool is_right = true;
    for (int32_t c = 0; c < table->column_count; c++) {
        bool is_long = table->columns[c].size * table->size >= 32;
        uintptr_t wanted = is_long ? 64 : (uintptr_t)table->columns[c].type_info->alignment;
        is_right &= (uintptr_t)table->data[c] % wanted == 0;
    }
    return is_right;
}

// STO-01: what belongs to the entity of a table of one lies in one cache line, and the arrays of many are aligned for vectors.
static void rows_lie_together_if_they_are_few(void **state) {
    fixture_t *f = *state;
    ecs__store_t *store = &f->store;
    ecs_entity_t wide = component(store, 8);
    ecs__type_info_declare(store, wide, 8, 64);
    ecs_table_t *ab = ecs__table_plus(ecs__table_plus(store->root, f->a), f->b);
    ecs_table_t *with_wide = ecs__table_plus(ab, wide);
    make(store, ab);
    assert_int_equal((uintptr_t)ab->entities / 64, (uintptr_t)ab->data[0] / 64);
    assert_int_equal((uintptr_t)ab->entities / 64, ((uintptr_t)ab->data[1] + 7) / 64);
    for (int i = 0; i < 100; i++) {
        make(store, ab);
        make(store, with_wide);
        assert_true(is_aligned(ab));
        assert_true(is_aligned(with_wide));
    }
}

// DEF: a deleted table leaves no edge, record or list entry behind.
static void deleting_tables_leaves_nothing_that_points_at_them(void **state) {
    fixture_t *f = *state;
    ecs__store_t *store = &f->store;
    for (int round = 0; round < 3; round++) {
        ecs_table_t *made[300];
        ecs_table_t *base = ecs__table_plus(store->root, f->a);
        for (int i = 0; i < 300; i++) {
            made[i] = ecs__table_plus(base, make(store, store->root));
            assert_ptr_equal(ecs__table_minus(made[i], f->a) == made[i], false);
        }
        for (int i = 0; i < 300; i += 2) ecs__table_delete(made[i]);
        assert_true(ecs__store_verify(store));
        for (int i = 1; i < 300; i += 2) ecs__table_delete(made[i]);
        assert_true(ecs__store_verify(store));
    }
    const ecs_component_record_t *record = ecs__id_record_get(store, f->a);
    assert_int_equal(record->table_live, 1);
}

static void exclusive_pairs_replace_each_other(void **state) {
    fixture_t *f = *state;
    ecs__store_t *store = &f->store;
    const ecs__spot_t spot = ecs__entity_spot(&store->entities, f->rel);
    ecs_table_t *with_trait = ecs__table_plus(store->root, Ecs__Exclusive);
    ecs__table_move_row(with_trait, store->root, spot.row, true);
    ecs_table_t *one = ecs__table_plus(store->root, ECS__MAKE_PAIR(f->rel, f->t1));
    ecs_table_t *two = ecs__table_plus(one, ECS__MAKE_PAIR(f->rel, f->t2));
    assert_int_equal(two->type.count, 1);
    assert_true(two->type.array[0] == ECS__MAKE_PAIR(f->rel, f->t2));
}

static void upward_search_finds_the_nearest_ancestor_at_any_depth(void **state) {
    fixture_t *f = *state;
    ecs__store_t *store = &f->store;
    ecs_entity_t parent = make(store, ecs__table_plus(store->root, f->tag));
    ecs_entity_t top = parent;
    ecs_table_t *table = NULL;
    for (int i = 0; i < 2000; i++) {
        table = ecs__table_plus(store->root, ECS__MAKE_PAIR(f->rel, parent));
        parent = make(store, table);
    }
    ecs__found_t found;
    assert_true(ecs__search_up(table, f->tag, f->rel, true, true, 0, 0, &found));
    assert_true(found.source == top);
    assert_int_equal(found.depth, 2000);
    assert_false(ecs__search_up(table, f->tag, f->rel, true, true, 0, 1999, &found));
    assert_int_equal(ecs__table_depth(table, f->rel), 2000);
}

// Twice as many would be more than a block can have. None is written.
static void tables_grow_as_far_as_there_is_room(void **state) {
    fixture_t *f = *state;
    ecs_table_t *table = ecs__table_plus(f->store.root, component(&f->store, 1 << 20));
    ecs__table_make_room(table, 1200);
    const int32_t size = table->size;
    assert_in_range(size, 1200, 1300);
    ecs__table_make_room(table, size + 1);
    assert_in_range(table->size, size + 500, 2047); /* and costs of growing stay what they are */
    ecs__table_free_rows(table);
}

// With those that are there they would be more than can be counted.
static void too_many_rows_are_lack_of_memory(void **state) {
    fixture_t *f = *state;
    ecs_table_t *table = ecs__table_plus(f->store.root, f->a);
    const ecs_entity_t entity = make(&f->store, table);
    expect_abort(ECS_OUT_OF_MEMORY, ecs__table_append(table, &entity, INT32_MAX));
    expect_abort(ECS_OUT_OF_MEMORY, ecs__table_append(table, &entity, 1 << 30));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            one_table_per_set_of_ids_whatever_the_order_of_adding, setup, teardown),
        cmocka_unit_test_setup_teardown(
            tables_are_found_by_their_ids_while_others_come_and_go, setup, teardown),
        cmocka_unit_test_setup_teardown(
            a_table_is_registered_under_its_ids_and_their_wildcards, setup, teardown),
        cmocka_unit_test_setup_teardown(
            wildcards_of_many_pairs_count_what_they_cover, setup, teardown),
        cmocka_unit_test_setup_teardown(
            low_ids_have_places_from_the_first_to_the_last, setup, teardown),
        cmocka_unit_test_setup_teardown(
            a_pair_stands_for_its_target_while_it_is_the_only_one, setup, teardown),
        cmocka_unit_test_setup_teardown(
            a_record_of_all_pairs_with_a_target_is_made_when_it_is_wanted, setup, teardown),
        cmocka_unit_test_setup_teardown(
            empty_tables_are_kept_apart_and_order_is_creation_order, setup, teardown),
        cmocka_unit_test_setup_teardown(
            tables_that_rows_passed_through_are_skipped, setup, teardown),
        cmocka_unit_test_setup_teardown(rows_lie_together_if_they_are_few, setup, teardown),
        cmocka_unit_test_setup_teardown(
            ids_keep_their_tables_when_most_others_are_deleted, setup, teardown),
        cmocka_unit_test_setup_teardown(values_survive_growth_moves_and_holes, setup, teardown),
        cmocka_unit_test_setup_teardown(
            deleting_tables_leaves_nothing_that_points_at_them, setup, teardown),
        cmocka_unit_test_setup_teardown(exclusive_pairs_replace_each_other, setup, teardown),
        cmocka_unit_test_setup_teardown(tables_grow_as_far_as_there_is_room, setup, teardown),
        cmocka_unit_test_setup_teardown(too_many_rows_are_lack_of_memory, setup, teardown),
        cmocka_unit_test_setup_teardown(
            upward_search_finds_the_nearest_ancestor_at_any_depth, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
