// SPDX-License-Identifier: MIT
#include "storage/watch.h"

#include <muster/ecs/os.h>

void ecs__table_watch(ecs_table_t *table) {
    if (table->watch) return;
    ecs__store_t *store = table->store;
    size_t bytes = sizeof(ecs__watch_t) + (size_t)table->column_count * sizeof(uint64_t);
    table->watch = ecs_os_malloc((ecs_size_t)bytes);
    table->watch->rows = store->watch.now;
    for (int32_t c = 0; c < table->column_count; c++) table->watch->columns[c] = store->watch.now;
    store->watch.noted = store->watch.now;
    store->watch.tables++;
    ecs__table_refresh_hooks(table); // setting a value is noted
    store
        ->structure_stamp++; // beginnings of iterations that were worked out ahead do not tell of writes
}

void ecs__table_unwatch(ecs_table_t *table) {
    ecs_os_free(table->watch);
    table->watch = NULL;
}
