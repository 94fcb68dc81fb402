// SPDX-License-Identifier: MIT
#include "storage/watch.h"

#include <muster/ecs/os.h>

#include "storage/toggle.h"

void ecs__table_watch(ecs_table_t *table) {
    if (table->watch) return;
    ecs__store_t *store = table->store;
    size_t bytes = sizeof(ecs__watch_t) + (size_t)table->column_count * sizeof(uint64_t);
    table->watch = ecs_os_calloc((ecs_size_t)bytes);
    table->watch->log.column = -1;
    if (table->count) table->watch->rows = store->watch.now;
    for (int32_t c = 0; c < table->column_count; c++) table->watch->columns[c] = store->watch.now;
    ecs__toggles_watch(table);
    store->watch.noted = store->watch.now;
    store->watch.tables++;
    table->flags |= ECS__TABLE_IS_WATCHED;
    ecs__table_refresh_hooks(table); // setting a value is noted, and no move is plain
    store
        ->structure_stamp++; // beginnings of iterations that were worked out ahead do not tell of writes
}

void ecs__table_unwatch(ecs_table_t *table) {
    if (!table->watch) return;
    ecs_os_free(table->watch->log.rows);
    ecs_os_free(table->watch);
    table->watch = NULL;
}

// ---- rows that move ----

// Values that are new, or that nobody watched, count as changed just now.
static uint64_t stamp_of(const ecs_table_t *table, ecs_id_t id) {
    const int32_t column = table->watch ? ecs__table_column(table, id) : -1;
    return column < 0 ? table->store->watch.now : table->watch->columns[column];
}

// That the row came is noted by who moves it, in the log, too.
void ecs__watch_carry(ecs_table_t *dst, const ecs_table_t *src) {
    for (int32_t c = 0; c < dst->column_count; c++) {
        uint64_t *stamp = &dst->watch->columns[c];
        const uint64_t carried = stamp_of(src, dst->type.array[dst->columns[c].type_index]);
        *stamp = ECS_MAX(*stamp, carried);
    }
}

// ---- logs of rows ----

void ecs__table_keep_log(ecs_table_t *table, const void *owner, int32_t column) {
    ecs__row_log_t *log = &table->watch->log;
    if (log->owner) return;
    log->owner = owner;
    log->column = (int16_t)column;
    log->is_lost = 1;
    log->count = 0;
}

void ecs__table_drop_log(ecs_table_t *table, const void *owner) {
    ecs__row_log_t *log = &table->watch->log;
    if (log->owner != owner) return;
    ecs_os_free(log->rows);
    *log = (ecs__row_log_t){ .column = -1 };
}

// Beyond a share of the rows, looking at all of them costs less.
static void log_rows(const ecs_table_t *table, ecs__row_log_t *log, int32_t row, int32_t count) {
    if (!log->owner || log->is_lost) return;
    if (log->count + count > 64 + table->count / 8) {
        log->is_lost = 1;
        return;
    }
    if (log->count + count > log->size) {
        log->size = 2 * (log->count + count);
        log->rows = ecs_os_realloc_n(log->rows, int32_t, log->size);
    }
    for (int32_t i = 0; i < count; i++) log->rows[log->count++] = row + i;
}

void ecs__watch_note_rows(ecs_table_t *table, int32_t row, int32_t count) {
    ecs__watch_note(&table->store->watch, &table->watch->rows);
    log_rows(table, &table->watch->log, row, count);
}

void ecs__watch_note_column(ecs_table_t *table, int32_t column) {
    ecs__watch_t *watch = table->watch;
    ecs__watch_note(&table->store->watch, &watch->columns[column]);
    if (watch->log.column == column && !ecs__load_32(&watch->log.is_lost))
        ecs__store_32(&watch->log.is_lost, 1);
}

void ecs__watch_note_values(ecs_table_t *table, int32_t column, int32_t row, int32_t count) {
    if (!count) {
        ecs__watch_note_column(table, column);
        return;
    }
    ecs__watch_t *watch = table->watch;
    ecs__watch_note(&table->store->watch, &watch->columns[column]);
    if (watch->log.column == column) log_rows(table, &watch->log, row, count);
}
