// SPDX-License-Identifier: MIT
#include "query/eval/scan.h"

// Without tables it adds nothing. False if there are too many.
static bool add_record(ecs__scan_t *scan, const ecs_component_record_t *record) {
    for (int32_t i = 0; i < scan->count; i++) {
        if (scan->records[i] == record) return true;
    }
    if (!record->table_count) return true;
    if (scan->count == ECS__SCAN_RECORDS) return false;
    scan->positions[scan->count] = 0;
    scan->records[scan->count++] = record;
    return true;
}

static bool add_with(ecs__scan_t *scan, const ecs__op_t *op) {
    if (op->code != ECS__OP_WITH) return false;
    if (op->self && !add_record(scan, op->record)) return false;
    return !ecs__op_may_find_above(op) || add_record(scan, op->trav_record);
}

static bool add_op(ecs__scan_t *scan, const ecs__op_t *op) {
    if (op->code != ECS__OP_EITHER) return add_with(scan, op);
    for (int32_t i = 1; i <= op->count; i++) {
        if (!add_with(scan, op + i)) return false;
    }
    return true;
}

static ecs_table_t *next_of(ecs__scan_t *scan, int32_t i) {
    return ecs__id_record_next_table(scan->records[i], &scan->positions[i], scan->with_empty);
}

static void start(ecs__scan_t *scan) {
    if (scan->count < 2) return;
    scan->stamp = scan->store->structure_stamp;
    for (int32_t i = 0; i < scan->count; i++) scan->heads[i] = next_of(scan, i);
}

void ecs__scan_init(
    ecs__scan_t *scan, const ecs__store_t *store, const ecs__plan_t *plan, bool with_empty) {
    scan->store = store;
    scan->count = 0;
    scan->with_empty = with_empty;
    scan->stamp = store->table_stamp;
    scan->last = 0;
    int32_t rarest = ecs__plan_rarest(plan, false);
    bool is_limited = rarest >= 0 && add_op(scan, &plan->ops[rarest]);
    if (!is_limited) scan->count = 0;
    // Nobody has what is asked for: `all tables` is not meant.
    if (is_limited && !scan->count)
        scan->records[scan->count++] =
            plan->ops[plan->ops[rarest].code == ECS__OP_EITHER ? rarest + 1 : rarest].record;
    scan->positions[0] = 0;
    start(scan);
}

// Positions may have moved, or rows come to a table before those that are looked at: go on behind the last table.
static void find_place(ecs__scan_t *scan) {
    scan->stamp = scan->store->table_stamp;
    for (int32_t i = 0; i < scan->count; i++)
        scan->positions[i] = ecs__id_record_seek(scan->records[i], scan->last);
    if (!scan->count) scan->positions[0] = ecs__store_seek(scan->store, scan->last);
    start(scan);
}

static ecs_table_t *next_of_all(ecs__scan_t *scan) {
    const ecs__store_t *store = scan->store;
    while (scan->positions[0] < store->table_count) {
        ecs_table_t *table = store->tables[scan->positions[0]++];
        if (table && (table->count || scan->with_empty)) return table;
    }
    return NULL;
}

// Each record lists its tables in order of creation, so the smallest head is the next of all.
static ecs_table_t *next_of_several(ecs__scan_t *scan) {
    ecs_table_t *first = NULL;
    for (int32_t i = 0; i < scan->count; i++) {
        ecs_table_t *head = scan->heads[i];
        if (head && (!first || head->id < first->id)) first = head;
    }
    if (!first) return NULL;
    for (int32_t i = 0; i < scan->count; i++) {
        if (scan->heads[i] == first) scan->heads[i] = next_of(scan, i);
    }
    return first;
}

ecs_table_t *ecs__scan_next(ecs__scan_t *scan) {
    if (ecs__scan_has_moved(scan)) find_place(scan);
    ecs_table_t *table;
    if (scan->count == 1)
        table = next_of(scan, 0);
    else
        table = scan->count ? next_of_several(scan) : next_of_all(scan);
    if (!table || table->id >= scan->limit) return NULL;
    scan->last = table->id + 1;
    return table;
}
