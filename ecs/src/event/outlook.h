// SPDX-License-Identifier: MIT
// outlook: which terms that look up a move of rows may matter to.
//
// There may be a thousand of them, of whom a new pair shows something to a few. What can be seen is above one of the two tables, along
// a relationship in whose targets they differ; or the rows had it themselves, and hid it. A bloom filter of that spares the others all
// questions.
#ifndef ECS_EVENT_OUTLOOK_H
#define ECS_EVENT_OUTLOOK_H

#include "event/notice.h"

#define ECS__OUTLOOK_RELS 8

typedef struct ecs__outlook_t {
    uint64_t
        seen; /* bloom of what is above, along relationships that differ, and through bases if those differ */
    uint64_t had;                         /* of the other table */
    ecs_entity_t rels[ECS__OUTLOOK_RELS]; /* that differ, and that terms look up */
    int32_t rel_count;
    bool is_wide; /* more of them, or too much above: anything may be seen */
    bool moves_bases;
    bool
        moves_one_of_several; /* along a relationship of which others may have other targets, too */
} ecs__outlook_t;

/** Rows are in `table`, and come from or go to `other` (NULL: nothing). */
ecs__outlook_t ecs__outlook(
    const ecs__events_t *events, const ecs_table_t *table, const ecs_table_t *other);

/** Of an edge beside the table. */
ecs__outlook_t ecs__outlook_of_edge(ecs__store_t *store, ecs_id_t edge);

/** What it depends on: ECS__BY_*. */
uint32_t ecs__outlook_by(const ecs__outlook_t *outlook);
/** False if no pair of the move shows anything that a term asks for; */
bool ecs__outlook_shows(const ecs__outlook_t *outlook, const ecs__looker_t *looker);
/** if those below the rows see nothing that the rows hid; */
static inline bool ecs__outlook_reveals(
    const ecs__outlook_t *outlook, const ecs__looker_t *looker) {
    const uint64_t seen = outlook->moves_one_of_several ? outlook->seen : 0;
    return looker->rel != Ecs__IsA && looker->bloom & (seen | outlook->had);
}
/** if no value of a base comes into sight. */
static inline bool ecs__outlook_inherits(
    const ecs__outlook_t *outlook, const ecs__looker_t *looker) {
    return looker->rel == Ecs__IsA && looker->bloom & (outlook->seen | outlook->had);
}

#endif
