// SPDX-License-Identifier: MIT
#include "storage/bases.h"

#include "storage/store.h"

typedef struct walk_t {
    const ecs__store_t *store;
    ecs__base_visit_t counts, visit;
    void *ctx;
    ecs__visited_t visited;
    ecs__ascent_t ascent; /* until there are branches */
} walk_t;

// What those that were passed since the last time come to: a base that counts, or 0.
static void leave(walk_t *walk, ecs_entity_t base) {
    ecs__ascent_end(&walk->ascent, walk->store, &(ecs__found_t){ .source = base });
    walk->ascent.known = NULL;
}

static bool visit_one(walk_t *walk, ecs_entity_t base, const ecs_table_t *table) {
    if (!walk->counts(walk->ctx, base, table)) return false;
    leave(walk, base);
    return !walk->visit || walk->visit(walk->ctx, base, table);
}

// The next base that counts, if that is known; else the base itself.
static ecs_entity_t skip(walk_t *walk, ecs_entity_t base, int32_t depth) {
    ecs__found_t known;
    bool is_known = ecs__ascent_asks(&walk->ascent, base, depth) &&
                    ecs__ascent_ask(&walk->ascent, walk->store, base, depth, &known);
    return is_known ? known.source : base;
}

// The chain through last bases is a loop, so that depth is no matter; several bases recurse. While
// commands are applied there may be a cycle, which is undone later: the limit ends it.
static bool visit_bases(walk_t *walk, const ecs_table_t *table, int32_t level) {
    int32_t limit = level < ECS_MAX_RECURSION ? walk->store->entities.alive_count : 0;
    for (int32_t depth = 1; table && table->flags & EcsTableHasIsA && depth <= limit; depth++) {
        const ecs_table_t *above = NULL, *own = table;
        ecs_entity_t base = ecs__table_target(own, Ecs__IsA, 0), next;
        for (int32_t n = 1; base; n++, base = next) {
            next = ecs__table_target(own, Ecs__IsA, n);
            bool is_branch = next || n > 1;
            if (is_branch) {
                ecs__ascent_drop(&walk->ascent, walk->store);
            } else if (!(base = skip(walk, base, depth))) {
                return false;
            }
            bool is_new = !is_branch || ecs__visit(&walk->visited, base, 1);
            above = is_new ? ecs__entity_spot(&walk->store->entities, base).table : NULL;
            if (above && visit_one(walk, base, above)) return true;
            if (above && next && visit_bases(walk, above, level + 1)) return true;
        }
        table = above;
    }
    return false;
}

bool ecs__bases_that(const ecs_table_t *table, ecs__ascent_t question, ecs__base_visit_t counts,
    ecs__base_visit_t visit, void *ctx) {
    if (!(table->flags & EcsTableHasIsA)) return false;
    walk_t walk = {
        .store = table->store, .counts = counts, .visit = visit, .ctx = ctx, .ascent = question
    };
    walk.ascent.rel = Ecs__IsA;
    bool found = visit_bases(&walk, table, 0);
    leave(&walk, 0);
    ecs__visited_fini(&walk.visited);
    return found;
}

// Entities keep their mark; where it is new, ecs__sparse_add raises the stamp.
static bool may_have_beside(void *ctx, ecs_entity_t base, const ecs_table_t *table) {
    (void)ctx;
    const uint32_t marks = ecs__entity_marks(&table->store->entities, base);
    return marks & EcsEntityHasDontFragment || table->flags & EcsTableHasOverrides;
}

bool ecs__bases_beside(const ecs_table_t *table, ecs__base_visit_t visit, void *ctx) {
    return ecs__bases_that(
        table, (ecs__ascent_t){ .kind = ECS__ASCENT_BESIDE }, may_have_beside, visit, ctx);
}

bool ecs__bases_each(const ecs_table_t *table, ecs__base_visit_t visit, void *ctx) {
    return ecs__bases_that(table, (ecs__ascent_t){ .is_off = true }, visit, NULL, ctx);
}

static bool provides(void *id, ecs_entity_t base, const ecs_table_t *table) {
    (void)base;
    return ecs__table_has(table, *(const ecs_id_t *)id);
}

static ecs_id_t any_like(ecs_id_t id) {
    return ECS_IS_PAIR(id) ? ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard) : id;
}

bool ecs__bases_provide(const ecs_table_t *table, ecs_id_t id) {
    id = any_like(id);
    return table->flags & EcsTableHasIsA && ecs__bases_each(table, provides, &id);
}

bool ecs__base_provides(const ecs_table_t *of_base, ecs_id_t id) {
    return ecs__table_has(of_base, any_like(id)) || ecs__bases_provide(of_base, id);
}
