// SPDX-License-Identifier: MIT
#include "query/eval/rows.h"

#include "storage/search.h"

// ---- bits ----

static uint64_t word_of(const ecs__toggle_t *toggle, int32_t word) {
    if (!toggle || word >= (toggle->off.count + 63) >> 6) return 0;
    return toggle->off.words[word];
}

static const ecs__toggle_t *toggle_of(const ecs__rows_t *rows, ecs_id_t id) {
    bool is_kept = rows->home == rows->table || ecs__toggle_get(rows->table, id);
    return is_kept ? ecs__toggle_get(rows->home, id) : NULL;
}

// Which of 64 rows have the id, or all ids that it covers, switched off.
static uint64_t off_word(const ecs__rows_t *rows, const ecs__row_test_t *test, int32_t word) {
    if (test->toggle || !ecs__id_is_wildcard(test->id)) return word_of(test->toggle, word);
    uint64_t off = ~0ull;
    const ecs_type_t *type = &rows->table->type;
    for (int32_t i = 0; (i = ecs__type_match(type, i, test->id)) >= 0; i++) {
        off &= word_of(toggle_of(rows, type->array[i]), word);
    }
    return off;
}

static bool is_off(const ecs__rows_t *rows, const ecs__row_test_t *test, int32_t row) {
    return off_word(rows, test, row >> 6) >> (row & 63) & 1;
}

static bool table_is_on(const ecs_table_t *table, int32_t row, ecs_id_t id) {
    const ecs__rows_t rows = { .table = table, .home = table };
    const ecs__row_test_t test = { .toggle = ecs__toggle_get(table, id), .id = id };
    return !table->toggles || !is_off(&rows, &test, row);
}

bool ecs__id_is_on(const ecs__store_t *store, ecs_entity_t entity, ecs_id_t id) {
    const ecs__spot_t spot = ecs__entity_find(&store->entities, entity);
    return !spot.table || table_is_on(spot.table, spot.row, id);
}

// ---- conditions ----

void ecs__rows_begin(ecs__rows_t *rows, const ecs_table_t *table, int32_t row, int32_t end) {
    ecs__rows_begin_as(rows, table, table, row, end);
}

void ecs__rows_begin_as(ecs__rows_t *rows, const ecs_table_t *table, const ecs_table_t *home,
    int32_t row, int32_t end) {
    rows->table = table;
    rows->home = home;
    rows->next = row;
    rows->end = end;
    rows->absent = rows->unset = 0;
    rows->count = 0;
}

static void add_test(ecs__rows_t *rows, const ecs__op_t *op, ecs_id_t id) {
    const ecs__toggle_t *toggle = toggle_of(rows, id);
    rows->tests[rows->count++] = (ecs__row_test_t){ toggle, id, op->code, op->field };
}

// The nearest one that has the id decides.
static bool find_excluded(const ecs_table_t *table, const ecs__op_t *op, ecs__found_t *found) {
    return ecs__search_up(
        table, op->id, op->trav, op->self, op->trav != 0, op->min_depth, op->max_depth, found);
}

ecs_entity_t ecs__rows_excluded_by(const ecs_table_t *table, const ecs__op_t *op) {
    ecs__found_t found;
    return op->trav && find_excluded(table, op, &found) ? found.source : 0;
}

static bool add_without(ecs__rows_t *rows, const ecs__op_t *op) {
    const ecs_table_t *table = rows->table;
    ecs__found_t found;
    if (!find_excluded(table, op, &found)) return true;
    if (found.source) return !ecs__id_is_on(table->store, found.source, op->id);
    add_test(rows, op, op->id);
    return true;
}

static bool add(ecs__rows_t *rows, const ecs__op_t *op, ecs_id_t id, ecs_entity_t source) {
    if (op->code == ECS__OP_WITHOUT) return add_without(rows, op);
    if (!source) {
        if (rows->table->toggles && ecs__table_has(rows->table, id)) add_test(rows, op, id);
        return true;
    }
    if (ecs__id_is_on(rows->table->store, source, id)) return true;
    rows->absent |= FIELD_BIT(op->field);
    return op->code == ECS__OP_OPTIONAL;
}

bool ecs__rows_add_all(
    ecs__rows_t *rows, const ecs__plan_t *plan, const ecs_id_t *ids, const ecs_entity_t *sources) {
    for (int32_t i = plan->scan + 1; i < plan->count; i = plan->ops[i].next) {
        const ecs__op_t *op = &plan->ops[i];
        if (op->by_row && !add(rows, op, ids[op->field], sources[op->field])) return false;
    }
    return true;
}

// ---- runs ----

// Rows of a word that fail; with `like`, those too that lack other fields than that row.
static uint64_t failing(const ecs__rows_t *rows, int32_t word, int32_t like) {
    uint64_t bad = 0;
    for (int32_t t = 0; t < rows->count; t++) {
        const ecs__row_test_t *test = &rows->tests[t];
        uint64_t off = off_word(rows, test, word);
        if (test->code == ECS__OP_WITH)
            bad |= off;
        else if (test->code == ECS__OP_WITHOUT)
            bad |= ~off;
        else if (like >= 0)
            bad |= is_off(rows, test, like) ? ~off : off;
    }
    return bad;
}

// First row at or behind `from` that fails, or that does not.
static int32_t find(const ecs__rows_t *rows, int32_t from, int32_t like, bool fails) {
    for (int32_t word = from >> 6; word << 6 < rows->end; word++, from = word << 6) {
        uint64_t found = failing(rows, word, like);
        if (!fails) found = ~found;
        found &= ~0ull << (from & 63);
        if (found) return ECS_MIN((word << 6) + __builtin_ctzll(found), rows->end);
    }
    return rows->end;
}

static ecs_termset_t lacking(const ecs__rows_t *rows, int32_t row) {
    ecs_termset_t fields = rows->absent;
    for (int32_t t = 0; t < rows->count; t++) {
        const ecs__row_test_t *test = &rows->tests[t];
        if (test->code == ECS__OP_OPTIONAL && is_off(rows, test, row))
            fields |= FIELD_BIT(test->field);
    }
    return fields;
}

bool ecs__rows_next(ecs__rows_t *rows) {
    rows->row = find(rows, rows->next, -1, false);
    if (rows->row >= rows->end) return false;
    rows->unset = lacking(rows, rows->row);
    rows->row_end = rows->next = find(rows, rows->row, rows->row, true);
    return true;
}
