// SPDX-License-Identifier: MIT
#include "storage/passage.h"

#include "storage/store.h"

static void tell_records(const ecs_table_t *table, bool is_empty) {
    for (int32_t i = 0; i < table->record_count; i++)
        ecs__id_record_set_empty(ecs__table_cr(table, i), table->records[i].position, is_empty);
}

// What was in the place is a passage no more.
static void put(ecs_table_t **place, ecs_table_t *table) {
    ecs_table_t *before = *place;
    *place = table;
    if (table) table->flags |= ECS__TABLE_IS_PASSAGE;
    if (!before) return;
    before->flags &= ~ECS__TABLE_IS_PASSAGE;
    if (!before->count) tell_records(before, true);
}

void ecs__passage_note(ecs_table_t *table) {
    ecs__passages_t *passages = &table->store->passages;
    if (table->flags & ECS__TABLE_IS_PASSAGE) return;
    if (table->count || table->store->on_count)
        tell_records(table, !table->count);
    else
        put(&passages->tables[passages->next++ % ECS__PASSAGES], table);
}

void ecs__passage_forget(ecs_table_t *table) {
    ecs__passages_t *passages = &table->store->passages;
    if (!(table->flags & ECS__TABLE_IS_PASSAGE)) return;
    uint32_t i = 0;
    while (passages->tables[i] != table) i++;
    put(&passages->tables[i], NULL);
}

void ecs__passages_end(ecs__store_t *store) {
    for (uint32_t i = 0; i < ECS__PASSAGES; i++) put(&store->passages.tables[i], NULL);
}
