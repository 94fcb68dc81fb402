// SPDX-License-Identifier: MIT
#include "system/matches.h"

#include <stdlib.h>

static void add_match(rt_matches_t *matches, ecs_table_t *table, int32_t match) {
    rt_match_t *last = matches->count ? &matches->list[matches->count - 1] : NULL;
    if (last && last->table == table) {
        last->count++;
        return;
    }
    uint64_t number = ecs_ext_table_number(table);
    if (last && last->number >= number) matches->sorted = false;
    RT_ROOM(matches->list, matches->count, matches->size);
    matches->list[matches->count++] = (rt_match_t){ table, number, match, 1, 0 };
}

static int compare_numbers(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool has_number(const rt_matches_t *matches, uint64_t number) {
    return bsearch(&number, matches->numbers, (size_t)matches->number_count, sizeof(uint64_t),
        compare_numbers);
}

// The same tables, each of which is in the list once.
static bool are_numbers_right(const rt_matches_t *matches) {
    bool are = matches->listed && matches->count == matches->number_count;
    for (int32_t i = 0; i < matches->count && are; i++)
        are = has_number(matches, matches->list[i].number);
    return are;
}

static void list_numbers(rt_matches_t *matches) {
    if (matches->count > matches->number_size) {
        matches->number_size = matches->size;
        matches->numbers = ecs_os_realloc_n(matches->numbers, uint64_t, matches->number_size);
    }
    matches->number_count = matches->count;
    for (int32_t i = 0; i < matches->count; i++) matches->numbers[i] = matches->list[i].number;
    if (!matches->sorted && matches->count)
        qsort(matches->numbers, (size_t)matches->count, sizeof(uint64_t), compare_numbers);
}

// True if rows of a table may show the value of a base: they have none of their own, or who has one the table cannot tell.
static bool may_inherit(
    const ecs_world_t *world, const rt_access_item_t *item, const ecs_table_t *table) {
    if (item->scope != RT_SCOPE_ROWS_OR_UP || ecs_table_has_id(world, table, item->id))
        return false;
    if (rt__item_has_kinds(world, item) || ecs_id_get_flags(world, item->id) & EcsIdDontFragment)
        return true;
    return ecs_search_relation(world, table, 0, item->id, EcsIsA, EcsUp, NULL, NULL, NULL) >= 0;
}

static uint64_t inherited_items(
    const ecs_world_t *world, const rt_access_t *access, const ecs_table_t *table) {
    uint64_t items = 0;
    if (!ecs_table_has_flags(ECS_CONST_CAST(ecs_table_t *, table), EcsTableHasIsA)) return 0;
    for (int32_t k = 0; k < access->count; k++)
        items |= (uint64_t)may_inherit(world, &access->items[k], table) << k;
    return items;
}

// Only what is shown counts: entities pass through such tables when they get a base first and their own values then.
static void find_up_items(rt_matches_t *matches) {
    if (matches->up_items == matches->may_be_up) return;
    for (int32_t i = 0; i < matches->count; i++) {
        const rt_match_t *match = &matches->list[i];
        if (match->inherited && (matches->shows_empty || ecs_table_count(match->table)))
            matches->up_items |= match->inherited;
    }
}

static void find_inherited(
    rt_matches_t *matches, const rt_access_t *access, const ecs_world_t *world) {
    matches->up_items = matches->may_be_up = 0;
    for (int32_t i = 0; i < matches->count; i++) {
        rt_match_t *match = &matches->list[i];
        match->inherited = inherited_items(world, access, match->table);
        matches->may_be_up |= match->inherited;
    }
}

// Where tables come by depth, the order may be another in each tick: that of their numbers is chance.
static bool has_cascade(const ecs_query_t *query) {
    bool has = false;
    for (int32_t i = 0; i < query->term_count; i++)
        has |= (query->terms[i].src.id & EcsCascade) != 0;
    return has;
}

static void find_reach(rt_matches_t *matches, const rt_access_t *access) {
    matches->stays_in_rows = true;
    for (int32_t i = 0; i < access->count; i++) {
        const uint8_t scope = access->items[i].scope;
        const bool is_up = (matches->up_items >> i) & 1;
        matches->stays_in_rows &=
            scope == RT_SCOPE_ROWS || (scope == RT_SCOPE_ROWS_OR_UP && !is_up);
    }
}

static void list_matches(rt_matches_t *matches, const ecs_query_t *query) {
    const bool was_sorted = matches->sorted;
    const int32_t before = matches->total;
    matches->count = 0;
    matches->sorted = !has_cascade(query);
    matches->shows_empty = query->flags & EcsQueryMatchEmptyTables;
    matches->total = ecs_ext_query_match_count(query);
    for (int32_t i = 0; i < matches->total; i++) {
        ecs_table_t *table = ecs_ext_query_match_table(query, i);
        if (table) add_match(matches, table, i);
    }
    const bool is_same = matches->sorted == was_sorted && (before < 0) == (matches->total < 0) &&
                         are_numbers_right(matches);
    matches->listed++;
    if (is_same) return;
    matches->version++;
    list_numbers(matches);
}

void rt__matches_update(
    rt_matches_t *matches, const rt_access_t *access, const ecs_query_t *query) {
    ecs_ext_query_update(query);
    const uint64_t stamp = ecs_ext_query_stamp(query), up_items = matches->up_items;
    const uint64_t listed = matches->listed;
    if (!matches->listed || stamp != matches->stamp) {
        matches->stamp = stamp;
        list_matches(matches, query);
        find_inherited(matches, access, query->real_world);
    }
    find_up_items(matches);
    if (matches->up_items != up_items) matches->version++;
    if (matches->listed != listed || matches->up_items != up_items) find_reach(matches, access);
}

void rt__matches_fini(rt_matches_t *matches) {
    ecs_os_free(matches->list);
    ecs_os_free(matches->numbers);
    *matches = (rt_matches_t){ 0 };
}

int32_t rt__matches_common(const rt_matches_t *a, const rt_matches_t *b, int32_t limit) {
    int32_t common = 0;
    for (int32_t i = 0, k = 0; i < a->count && k < b->count && common < limit;) {
        if (a->numbers[i] < b->numbers[k])
            i++;
        else if (a->numbers[i] > b->numbers[k])
            k++;
        else
            common++, i++, k++;
    }
    return common;
}
