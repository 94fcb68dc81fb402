// SPDX-License-Identifier: MIT
// unsupported: see muster/ecs/unsupported.h. Threads: as the functions will be once their features exist.
#include <muster/ecs/unsupported.h>

#include "mutate/report.h"

static void refuse(const char *what) {
    ecs__refuse(ECS_UNSUPPORTED, "this version does not support %s", what);
}

static void refuse_for(const ecs_world_t *world, ecs_entity_t entity, const char *what) {
    ecs__refuse(ECS_UNSUPPORTED, "this version does not support %s: entity %s", what,
        ECS__TEXT(world, entity));
}

ecs_entity_t ecs_new_w_parent(ecs_world_t *world, ecs_entity_t parent, const char *name) {
    (void)name;
    refuse_for(world, parent, "children by the component Parent; use (ChildOf, parent)");
    return 0;
}

void *ecs_get_sparse_id(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size) {
    (void)id, (void)size;
    refuse_for(world, entity, "sparse components");
    return NULL;
}

const char *ecs_query_args_parse(ecs_query_t *query, ecs_iter_t *it, const char *expr) {
    (void)query, (void)it, (void)expr;
    refuse("values of query variables given as text");
    return NULL;
}

ecs_var_t *ecs_iter_get_vars(const ecs_iter_t *it) {
    (void)it;
    refuse("query variables other than $this");
    return NULL;
}

char *ecs_query_plan_w_profile(const ecs_query_t *query, const ecs_iter_t *it) {
    (void)query, (void)it;
    refuse("profiles of query plans");
    return NULL;
}
