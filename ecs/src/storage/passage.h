// SPDX-License-Identifier: MIT
// passage: tables that rows only pass through.
//
// An entity that gets its ids one by one leaves each table on its way empty, and the next entity fills it again. To tell that to the
// records of all ids of the table each time would cost more than the moves. So the tables that became empty last stay among those with
// rows, in all bitsets of id records, until as many others became empty after them. Whoever goes through such a bitset looks at the count.
#ifndef ECS_STORAGE_PASSAGE_H
#define ECS_STORAGE_PASSAGE_H

#include "storage/table.h"

#define ECS__PASSAGES 32u

/** In ecs_table_t.flags: id records count it among tables with rows, whether it has some or not. */
#define ECS__TABLE_IS_PASSAGE (1u << 20)

typedef struct ecs__passages_t {
    ecs_table_t *tables[ECS__PASSAGES];
    uint32_t next; /* the place that is given anew, in turn */
} ecs__passages_t;

/** What bitsets of id records tell of a table. */
static inline bool ecs__table_may_have_rows(const ecs_table_t *table) {
    return table->count || table->flags & ECS__TABLE_IS_PASSAGE;
}

/** A table got its first rows or lost its last. Unless it is a passage, its id records have to be told. */
void ecs__passage_note(ecs_table_t *table);
/** A table that is about to be deleted is no passage any more. */
void ecs__passage_forget(ecs_table_t *table);
/** None is a passage any more: id records know exactly which tables have rows, and ecs__passage_note hears of all that change. */
void ecs__passages_end(ecs__store_t *store);

#endif
