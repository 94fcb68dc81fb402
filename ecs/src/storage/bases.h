// SPDX-License-Identifier: MIT
// bases: walks over what a table inherits from, depth first in id order. A base that is reached in several ways may come several times.
#ifndef ECS_STORAGE_BASES_H
#define ECS_STORAGE_BASES_H

#include "storage/ascent.h"

/** True ends the walk and is returned. */
typedef bool (*ecs__base_visit_t)(void *ctx, ecs_entity_t base, const ecs_table_t *table);
/** Visit all bases of a table. */
bool ecs__bases_each(const ecs_table_t *table, ecs__base_visit_t visit, void *ctx);
/** True if a base has the id, or of a pair any of the same relationship: the table has or would have something in its place. */
bool ecs__bases_provide(const ecs_table_t *table, ecs_id_t id);
/** The same of what instances of a base in a table would have. */
bool ecs__base_provides(const ecs_table_t *of_base, ecs_id_t id);
/** Visit those that count; without `visit`, the first of them ends the walk. Whether one does may depend on the question (its kind and
 * id), the base, and what raises store->above_stamp: long chains remember it, so that a walk from each level need not pass them all. */
bool ecs__bases_that(const ecs_table_t *table, ecs__ascent_t question, ecs__base_visit_t counts,
    ecs__base_visit_t visit, void *ctx);
/** Visit those that may have something beside their tables, or have marked what instances get there. */
bool ecs__bases_beside(const ecs_table_t *table, ecs__base_visit_t visit, void *ctx);

#endif
