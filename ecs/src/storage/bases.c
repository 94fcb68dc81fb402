// SPDX-License-Identifier: MIT
#include "storage/bases.h"

#include "base/apart.h"
#include "storage/forks.h"
#include "storage/store.h"

typedef struct walk_t {
    const ecs__store_t *store;
    ecs__base_visit_t counts, visit;
    void *ctx;
    ecs__visited_t visited;
    ecs__ascent_t ascent; /* until there are branches */
    ecs__forks_t *forks;
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

// The next base of a place that has a table, which is returned; several come once each. at->next: of the one behind it, 0 if that was
// the last.
static const ecs_table_t *next_base(walk_t *walk, ecs__fork_t *at, ecs_entity_t *base) {
    const ecs_table_t *above = NULL;
    ecs_entity_t next = ecs__table_target(at->table, Ecs__IsA, at->next);
    while (next && !above) {
        *base = next;
        next = ecs__table_target(at->table, Ecs__IsA, ++at->next);
        const bool is_branch = next || at->next > 1;
        if (is_branch)
            ecs__ascent_drop(&walk->ascent, walk->store);
        else if (!(*base = skip(walk, *base, at->depth)))
            return NULL;
        if (!is_branch || ecs__visit(&walk->visited, *base, 1))
            above = ecs__entity_spot(&walk->store->entities, *base).table;
    }
    if (!next) at->next = 0;
    return above;
}

// While commands are applied there may be a cycle, which is undone later: the limit ends it.
static bool visit_way(walk_t *walk, ecs__fork_t at) {
    const int32_t limit = walk->store->entities.alive_count;
    while (at.table->flags & EcsTableHasIsA && at.depth <= limit) {
        ecs_entity_t base;
        const ecs_table_t *above = next_base(walk, &at, &base);
        if (!above) return false;
        if (visit_one(walk, base, above)) return true;
        if (at.next) ecs__forks_push(walk->forks, at);
        at = (ecs__fork_t){ .table = above, .depth = at.depth + 1 };
    }
    return false;
}

static bool visit_bases(walk_t *walk, const ecs_table_t *table) {
    ecs__forks_t forks;
    ecs__fork_t at = { .table = table, .depth = 1 };
    bool found;
    ecs__forks_init(&forks);
    walk->forks = &forks;
    do {
        found = visit_way(walk, at);
    } while (!found && ecs__forks_pop(&forks, &at));
    ecs__forks_fini(&forks);
    return found;
}

static ECS__APART bool visit_those_that(const ecs_table_t *table, const ecs__ascent_t *question,
    ecs__base_visit_t counts, ecs__base_visit_t visit, void *ctx) {
    walk_t walk = {
        .store = table->store, .counts = counts, .visit = visit, .ctx = ctx, .ascent = *question
    };
    walk.ascent.rel = Ecs__IsA;
    bool found = visit_bases(&walk, table);
    leave(&walk, 0);
    ecs__visited_fini(&walk.visited);
    return found;
}

// Most have none.
bool ecs__bases_that(const ecs_table_t *table, ecs__ascent_t question, ecs__base_visit_t counts,
    ecs__base_visit_t visit, void *ctx) {
    return table->flags & EcsTableHasIsA && visit_those_that(table, &question, counts, visit, ctx);
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
