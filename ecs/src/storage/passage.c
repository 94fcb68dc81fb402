// SPDX-License-Identifier: MIT
#include "storage/passage.h"

#include "storage/store.h"

static void tell_records(const ecs_table_t *table) {
    for (int32_t i = 0; i < table->record_count; i++) {
        ecs__id_record_set_empty(
            table->records[i].hdr.cr, table->record_positions[i], !table->count);
    }
}

static void end(ecs_table_t **place) {
    ecs_table_t *table = *place;
    *place = NULL;
    if (!table) return;
    table->flags &= ~ECS__TABLE_IS_PASSAGE;
    if (!table->count) tell_records(table);
}

static void begin(ecs_table_t *table) {
    ecs__passages_t *passages = &table->store->passages;
    ecs_table_t **place = &passages->tables[passages->next++ % ECS__PASSAGES];
    end(place);
    *place = table;
    table->flags |= ECS__TABLE_IS_PASSAGE;
}

void ecs__passage_note(ecs_table_t *table) {
    if (table->flags & ECS__TABLE_IS_PASSAGE) return;
    if (table->count || table->store->on_count)
        tell_records(table);
    else
        begin(table);
}

void ecs__passage_forget(ecs_table_t *table) {
    ecs__passages_t *passages = &table->store->passages;
    if (!(table->flags & ECS__TABLE_IS_PASSAGE)) return;
    for (uint32_t i = 0; i < ECS__PASSAGES; i++) {
        if (passages->tables[i] == table) end(&passages->tables[i]);
    }
}

void ecs__passages_end(ecs__store_t *store) {
    for (uint32_t i = 0; i < ECS__PASSAGES; i++) end(&store->passages.tables[i]);
}
