// SPDX-License-Identifier: MIT
#include "storage/search.h"

#include "storage/ascent.h"
#include "storage/bases.h"
#include "storage/store.h"

static const ecs_component_record_t *record_of(
    const ecs_table_t *table, const ecs__table_record_t *record) {
    return table->store->ids.all[record->number];
}

// Pairs with numbers stand behind all others.
int32_t ecs__table_nth(const ecs_table_t *table, const ecs__table_record_t *record, int32_t n) {
    const ecs_id_t *ids = table->type.array;
    int32_t at = record->first + n;
    if (!n) return at;
    if (at < table->type.count && ids[at] >> 32 == ids[record->first] >> 32) return at;
    const ecs_id_t all = record_of(table, record)->id;
    for (at = record->first; n--;) at = ecs__type_match(&table->type, at + 1, all);
    return at;
}

// There are no value pairs, so that all of the relationship follow each other.
static ecs_entity_t target_in_row(const ecs_table_t *table, ecs_entity_t rel, int32_t n) {
    const ecs_type_t *type = &table->type;
    const ecs_id_t first = ECS__MAKE_PAIR(rel, 0);
    ecs_entity_t target = 0;
    for (int32_t at = ecs__type_lower_bound(type, first) + n; !target && at < type->count; at++) {
        if ((type->array[at] ^ first) >> 32) return 0;
        target = ecs__entity_alive_id(&table->store->entities, ecs__id_second(type->array[at]));
    }
    return target;
}

ecs_entity_t ecs__table_target(const ecs_table_t *table, ecs_entity_t rel, int32_t n) {
    const ecs_id_t any = ECS__MAKE_PAIR(rel, Ecs__Wildcard);
    if (n < 0 || !(table->flags & EcsTableHasPairs) || !(table->bloom & ecs__id_bloom(any)))
        return 0;
    if (table->type.array[table->type.count - 1] < ECS__VALUE_PAIR)
        return target_in_row(table, rel, n);
    const ecs__table_record_t *record = ecs__table_record(table, any);
    ecs_entity_t target = 0;
    for (; record && !target && n < record->count; n++) {
        ecs_id_t id = table->type.array[ecs__table_nth(table, record, n)];
        if (ECS_IS_VALUE_PAIR(id)) return ecs__target_number(record_of(table, record), id);
        target = ecs__entity_alive_id(&table->store->entities, ecs__id_second(id));
    }
    return target;
}

int32_t ecs__table_targets(const ecs_table_t *table, ecs_entity_t rel, ecs_entity_t *only) {
    const ecs_type_t *type = &table->type;
    const ecs_id_t first = ECS__MAKE_PAIR(rel, 0);
    if (!(table->bloom & ecs__id_bloom(ECS__MAKE_PAIR(rel, Ecs__Wildcard)))) return 0;
    if (type->array[type->count - 1] >= ECS__VALUE_PAIR) return 2;
    const int32_t at = ecs__type_lower_bound(type, first);
    if (at == type->count || (type->array[at] ^ first) >> 32) return 0;
    if (at + 1 < type->count && !((type->array[at + 1] ^ first) >> 32)) return 2;
    *only = ecs__entity_alive_id(&table->store->entities, ecs__id_second(type->array[at]));
    return *only != 0;
}

bool ecs__id_is_inherited(const ecs__store_t *store, ecs_id_t id) {
    const ecs_component_record_t *record = ecs__id_record_itself(store, id);
    if (record) return record->flags & EcsIdOnInstantiateInherit;
    return store->on_instantiate == Ecs__Inherit;
}

static bool is_builtin(ecs_id_t id) {
    uint32_t entity = ecs__id_trait_owner(id);
    return entity >= FLECS_HI_COMPONENT_ID && entity < ECS__FIRST_USER_ENTITY;
}

bool ecs__id_is_found_along(const ecs__store_t *store, ecs_id_t id, ecs_entity_t rel) {
    if (rel == Ecs__IsA) return ecs__id_is_inherited(store, id);
    if (is_builtin(id) || store->on_instantiate == Ecs__DontInherit) return true;
    const ecs_component_record_t *record = ecs__id_record_itself(store, id);
    return !record || !(record->flags & EcsIdOnInstantiateDontInherit);
}

// One search: what is looked for, and where along which relationship.
typedef struct search_t {
    ecs_id_t id;
    ecs_entity_t rel;
    int32_t min_depth, max_depth;
    bool inherits; /* ancestors are also asked for what they inherit through IsA */
    ecs__visited_t visited;
    ecs__ascent_t ascent; /* until there are branches */
} search_t;

#define STEPS_WITHOUT_LIST 64

bool ecs__visit(ecs__visited_t *visited, ecs_entity_t entity, int32_t depth) {
    if (++visited->steps <= STEPS_WITHOUT_LIST) return true;
    if (visited->steps == STEPS_WITHOUT_LIST + 1) ecs_map_init(&visited->depths, NULL);
    ecs_map_val_t *known = ecs_map_ensure(&visited->depths, (uint32_t)entity);
    if (*known && *known <= (ecs_map_val_t)depth) return false;
    *known = (ecs_map_val_t)depth;
    return true;
}

void ecs__visited_fini(ecs__visited_t *visited) {
    if (visited->steps > STEPS_WITHOUT_LIST) ecs_map_fini(&visited->depths);
}

static bool found_at(const ecs_table_t *table, int32_t index, ecs_entity_t source, int32_t depth,
    ecs__found_t *out) {
    if (index == -1) return false;
    *out = (ecs__found_t){ table, source, index, depth, table->type.array[index] };
    return true;
}

// Of `*` and `(*, T)`, what is there decides whether it is passed on.
static bool found_above(const ecs_table_t *table, ecs_id_t id, ecs_entity_t rel,
    ecs_entity_t source, int32_t depth, ecs__found_t *out) {
    int32_t index = ecs__table_search(table, id);
    if (index >= 0 && ecs__id_is_wildcard(ecs__id_trait_owner(id))) {
        while (index >= 0 && !ecs__id_is_found_along(table->store, table->type.array[index], rel))
            index = ecs__type_match(&table->type, index + 1, id);
    }
    return found_at(table, index, source, depth, out);
}

static const ecs_table_t *table_of(const ecs_table_t *any, ecs_entity_t entity) {
    return ecs__entity_spot(&any->store->entities, entity).table;
}

typedef struct inherited_t {
    ecs_id_t id;
    int32_t depth;
    ecs__found_t *out;
} inherited_t;

static bool found_in_base(void *ctx, ecs_entity_t base, const ecs_table_t *table) {
    const inherited_t *search = ctx;
    return found_above(table, search->id, Ecs__IsA, base, search->depth, search->out);
}

static bool search_at(const search_t *search, const ecs_table_t *table, ecs_entity_t entity,
    int32_t depth, ecs__found_t *out) {
    if (depth < search->min_depth) return false;
    if (found_above(table, search->id, search->rel, entity, depth, out)) return true;
    inherited_t inherited = { search->id, depth, out };
    return search->inherits && ecs__bases_each(table, found_in_base, &inherited);
}

static const ecs__table_record_t *targets(const ecs_table_t *table, ecs_entity_t rel) {
    if (!(table->flags & EcsTableHasPairs)) return NULL;
    return ecs__table_record(table, ECS__MAKE_PAIR(rel, Ecs__Wildcard));
}

// Walks chains of single targets in a loop, so that depth is no matter; branches recurse, whole chain of the first target first.
static bool search_above(
    search_t *search, const ecs_table_t *table, int32_t depth, int32_t level, ecs__found_t *out) {
    int32_t limit = table->store->entities.alive_count;
    for (; depth <= limit && level < ECS_MAX_RECURSION; depth++) {
        if (search->max_depth && depth > search->max_depth) return false;
        const ecs__table_record_t *record = targets(table, search->rel);
        if (!record) return false;
        for (int32_t n = 0; n < record->count; n++) {
            ecs_entity_t target = ecs__table_target(table, search->rel, n);
            if (!target && record->count == 1) return false;
            if (!target) continue;
            const ecs_table_t *above = table_of(table, target);
            bool counts = depth >= search->min_depth, is_branch = counts && record->count > 1;
            if (is_branch && !ecs__visit(&search->visited, target, depth)) continue;
            bool asks = counts && !is_branch && !level;
            if (asks && ecs__ascent_asks(&search->ascent, target, depth) &&
                ecs__ascent_ask(&search->ascent, table->store, target, depth, out))
                return out->source;
            if (search_at(search, above, target, depth, out)) return true;
            if (record->count > 1) {
                if (search_above(search, above, depth + 1, level + 1, out)) return true;
            } else {
                table = above;
            }
        }
        if (record->count > 1) return false;
    }
    return false;
}

#define NEAR_STEPS 4

static ecs_entity_t only_target(const ecs_table_t *table, ecs_entity_t rel) {
    const ecs_type_t *type = &table->type;
    const ecs_id_t first = ECS__MAKE_PAIR(rel, 0);
    const int32_t at = ecs__type_lower_bound(type, first), end = type->count;
    if (at == end || (type->array[at] ^ first) >> 32 || type->array[end - 1] >= ECS__VALUE_PAIR)
        return 0;
    if (at + 1 < end && !((type->array[at + 1] ^ first) >> 32)) return 0;
    return ecs__entity_alive_id(&table->store->entities, ecs__id_second(type->array[at]));
}

typedef enum near_t { FOUND, NOT_FOUND, NOT_KNOWN } near_t;

// Most ways up are short and without branches: nothing has to be remembered there.
static near_t search_near(
    const ecs_table_t *table, ecs_id_t id, ecs_entity_t rel, ecs__found_t *out) {
    const uint64_t any = ecs__id_bloom(ECS__MAKE_PAIR(rel, Ecs__Wildcard));
    for (int32_t depth = 1; depth <= NEAR_STEPS; depth++) {
        if (!(table->bloom & any) || !(table->flags & EcsTableHasPairs)) return NOT_FOUND;
        ecs_entity_t target = only_target(table, rel);
        if (!target) return NOT_KNOWN;
        table = table_of(table, target);
        if (found_at(table, ecs__table_search(table, id), target, depth, out)) return FOUND;
    }
    return NOT_KNOWN;
}

bool ecs__search_up(const ecs_table_t *table, ecs_id_t id, ecs_entity_t rel, bool self, bool up,
    int32_t min_depth, int32_t max_depth, ecs__found_t *out) {
    if (self && min_depth <= 0 && found_at(table, ecs__table_search(table, id), 0, 0, out))
        return true;
    if (!up || !(table->flags & EcsTableHasPairs)) return false;
    bool inherited = ecs__id_is_inherited(table->store, id);
    if (rel == Ecs__IsA && !(table->flags & EcsTableHasIsA)) return false;
    if (!inherited && !ecs__id_is_found_along(table->store, id, rel)) return false;
    bool inherits = inherited && rel != Ecs__IsA;
    if (!inherits && !min_depth && !max_depth && !ecs__id_is_wildcard(id)) {
        near_t near = search_near(table, id, rel, out);
        if (near != NOT_KNOWN) return near == FOUND;
    }
    search_t search = {
        .id = id,
        .rel = rel,
        .min_depth = min_depth,
        .max_depth = max_depth,
        .inherits = inherits,
    };
    search.ascent = (ecs__ascent_t){ .id = id,
        .rel = rel,
        .kind = search.inherits ? ECS__ASCENT_INHERITED : ECS__ASCENT_ID,
        .is_off = max_depth != 0 };
    bool found = search_above(&search, table, 1, 0, out);
    ecs__ascent_end(&search.ascent, table->store, found ? out : NULL);
    ecs__visited_fini(&search.visited);
    return found;
}

// Tables of children by component tell their depth.
static int32_t depth_by_component(const ecs_table_t *table, ecs_entity_t rel) {
    if (rel != Ecs__ChildOf || !(table->flags & EcsTableHasParent)) return 0;
    int32_t at = ecs__table_search(table, ECS__MAKE_PAIR(Ecs__ParentDepth, Ecs__Wildcard));
    return at < 0 ? 0 : (int32_t)ecs__id_second(table->type.array[at]);
}

static int32_t depth_above(
    const ecs_table_t *table, ecs_entity_t rel, int32_t level, ecs_map_t *known);

// Branches may meet again: each table is measured once. One that is being measured ends a cycle.
static int32_t depth_of_branch(
    const ecs_table_t *table, ecs_entity_t rel, int32_t level, ecs_map_t *known) {
    ecs_map_val_t *depth = ecs_map_ensure(known, table->id + 1);
    if (*depth) return (int32_t)*depth - 1;
    *depth = 1;
    int32_t above = depth_above(table, rel, level, known);
    *ecs_map_ensure(known, table->id + 1) = (ecs_map_val_t)above + 1;
    return above;
}

static int32_t depth_along(const ecs_table_t *table, ecs_entity_t rel, int32_t level,
    ecs_map_t *known, ecs__ascent_t *ascent) {
    int32_t depth = 0, limit = table->store->entities.alive_count;
    const ecs__table_record_t *record;
    while ((record = targets(table, rel)) && depth <= limit && level < ECS_MAX_RECURSION) {
        if (record->count == 1) {
            ecs_entity_t target = ecs__table_target(table, rel, 0);
            if (!target) return depth;
            depth++;
            ecs__found_t root;
            if (ecs__ascent_asks(ascent, target, depth) &&
                ecs__ascent_ask(ascent, table->store, target, depth, &root))
                return root.depth;
            table = table_of(table, target);
            continue;
        }
        int32_t deepest = 0;
        for (int32_t n = 0; n < record->count; n++) {
            ecs_entity_t target = ecs__table_target(table, rel, n);
            if (!target) continue;
            int32_t above = 1 + depth_of_branch(table_of(table, target), rel, level + 1, known);
            if (above > deepest) deepest = above;
        }
        return depth + deepest;
    }
    return depth > limit ? ECS__ENDLESS : depth + depth_by_component(table, rel);
}

static int32_t depth_above(
    const ecs_table_t *table, ecs_entity_t rel, int32_t level, ecs_map_t *known) {
    ecs__ascent_t ascent = { .rel = rel, .kind = ECS__ASCENT_DEPTH, .is_off = level > 0 };
    ecs__found_t root = { .depth = depth_along(table, rel, level, known, &ascent) };
    ecs__ascent_end(&ascent, table->store, &root);
    return root.depth;
}

int32_t ecs__table_depth(const ecs_table_t *table, ecs_entity_t rel) {
    ecs_map_t known;
    ecs_map_init(&known, NULL);
    int32_t depth = depth_above(table, rel, 0, &known);
    ecs_map_fini(&known);
    return depth;
}

// ---- beside tables ----

bool ecs__sparse_matters(const ecs__store_t *store, ecs_id_t id, ecs_entity_t rel) {
    if (!store->has_sparse) return false;
    int32_t cover = 0;
    const ecs_component_record_t *any =
        ecs__id_record_get(store, ECS__MAKE_PAIR(rel, Ecs__Wildcard));
    return ecs__id_may_be_beside(any) || (id && ecs__sparse_next_cover(store, id, &cover));
}

ecs_entity_t ecs__target_along(const ecs__store_t *store, const ecs_component_record_t *any,
    ecs_entity_t rel, ecs_entity_t entity, int32_t n) {
    if (ecs__id_may_be_beside(any)) {
        ecs_entity_t target = ecs__sparse_target(store, any, entity, n);
        if (target || ecs__id_is_beside(any)) return target;
    }
    const ecs__spot_t spot = ecs__entity_find(&store->entities, entity);
    return spot.table ? ecs__table_target(spot.table, rel, n) : 0;
}

ecs_entity_t ecs__target_of(
    const ecs__store_t *store, ecs_entity_t entity, ecs_entity_t rel, int32_t n) {
    const ecs_component_record_t *any =
        ecs__id_record_get(store, ECS__MAKE_PAIR(rel, Ecs__Wildcard));
    return ecs__target_along(store, any, rel, entity, n);
}

bool ecs__has_one_target(const ecs__store_t *store, ecs_entity_t rel) {
    const ecs_component_record_t *any =
        ecs__id_record_get(store, ECS__MAKE_PAIR(rel, Ecs__Wildcard));
    return !any || any->flags & EcsIdExclusive;
}

bool ecs__is_target(const ecs__store_t *store, ecs_entity_t rel, ecs_entity_t entity) {
    const ecs_component_record_t *pairs =
        ecs__id_record_get(store, ECS__MAKE_PAIR((uint32_t)rel, (uint32_t)entity));
    return pairs && (pairs->table_live || pairs->sparse);
}

static bool has_target(const ecs_table_t *table, ecs_entity_t rel) {
    bool found = false;
    for (int32_t row = 0; table->traversable_count && !found && row < table->count; row++) {
        const ecs_entity_t entity = table->entities[row];
        found = ecs__is_target(table->store, rel, entity) ||
                ecs__is_target(table->store, Ecs__IsA, entity);
    }
    return found;
}

#define FEW_HOLDERS 64

bool ecs__id_is_above_along(const ecs_component_record_t *record, ecs_entity_t rel) {
    const ecs_table_t *table;
    int32_t at = 0, left = FEW_HOLDERS;
    if (!ecs__id_is_above(record)) return false;
    while (left > 0 && (table = ecs__id_record_next_table(record, &at, false))) {
        left -= 1 + table->count;
        if (left > 0 && has_target(table, rel)) return true;
    }
    return left <= 0;
}

bool ecs__ends_above(const ecs__store_t *store, ecs_entity_t entity, ecs_entity_t rel) {
    const ecs_component_record_t *any =
        ecs__id_record_get(store, ECS__MAKE_PAIR(rel, Ecs__Wildcard));
    ecs__ascent_t ascent = { .rel = rel, .kind = ECS__ASCENT_END };
    ecs__found_t root = { 0 };
    for (int32_t depth = 0; depth <= store->entities.alive_count; depth++) {
        if (ecs__ascent_asks(&ascent, entity, depth) &&
            ecs__ascent_ask(&ascent, store, entity, depth, &root))
            break;
        ecs_entity_t target = ecs__target_along(store, any, rel, entity, 0);
        if (!target) root.source = entity;
        if (!target || ecs__target_along(store, any, rel, entity, 1)) break;
        entity = target;
    }
    ecs__ascent_end(&ascent, store, &root);
    return root.source != 0;
}

bool ecs__is_inside(const ecs__store_t *store, ecs_entity_t entity, ecs_entity_t ancestor) {
    for (int32_t left = store->entities.alive_count; entity && left >= 0; left--) {
        if ((uint32_t)entity == (uint32_t)ancestor) return true;
        entity = ecs__parent_of(store, entity);
    }
    return false;
}

// One search among entities instead of tables.
typedef struct owner_t {
    const ecs__store_t *store;
    ecs_id_t id;
    ecs_entity_t rel;
    bool inherits; /* entities are also asked for what they inherit through IsA */
    ecs_entity_t base;
    ecs__visited_t visited;
    ecs__ascent_t ascent; /* until there are branches */
} owner_t;

static bool is_owner(const owner_t *search, ecs_entity_t entity) {
    return ecs__has_own(ecs__entity_spot(&search->store->entities, entity), search->id);
}

// As found_above, and what is beside the table.
static bool is_owner_along(const owner_t *search, ecs_entity_t entity, ecs_entity_t rel) {
    const ecs__store_t *store = search->store;
    if (!ecs__id_is_wildcard(ecs__id_trait_owner(search->id))) return is_owner(search, entity);
    ecs__found_t found;
    if (found_above(
            ecs__entity_spot(&store->entities, entity).table, search->id, rel, entity, 0, &found))
        return true;
    ecs__sparse_iter_t iter = ecs__sparse_iter(store, entity, search->id);
    const ecs_component_record_t *record;
    while ((record = ecs__sparse_next(&iter))) {
        if (ecs__id_is_found_along(store, record->id, rel)) return true;
    }
    return false;
}

static bool base_is_owner(void *ctx, ecs_entity_t base, const ecs_table_t *table) {
    owner_t *search = ctx;
    (void)table;
    search->base = is_owner_along(search, base, Ecs__IsA) ? base : 0;
    return search->base != 0;
}

// Chains are followed in a loop, branches recurse; a cycle ends at the number of entities.
static ecs_entity_t find_owner(owner_t *search, ecs_entity_t entity, int32_t level) {
    const ecs__store_t *store = search->store;
    for (int32_t depth = 0; depth <= store->entities.alive_count; depth++) {
        ecs__found_t known;
        bool asks = !level && !search->visited.steps;
        if (asks && ecs__ascent_asks(&search->ascent, entity, depth) &&
            ecs__ascent_ask(&search->ascent, store, entity, depth, &known))
            return known.source;
        const ecs_table_t *table = ecs__entity_spot(&store->entities, entity).table;
        if (is_owner_along(search, entity, search->rel)) return entity;
        if (search->inherits && ecs__bases_each(table, base_is_owner, search)) return search->base;
        ecs_entity_t target = ecs__target_of(store, entity, search->rel, 0), next;
        bool is_new = true;
        for (int32_t n = 1; target; n++, target = next) {
            next = ecs__target_of(store, entity, search->rel, n);
            is_new = (!next && n == 1) || ecs__visit(&search->visited, target, 1);
            if (!next) break;
            if (level >= ECS_MAX_RECURSION) return 0;
            ecs_entity_t found = is_new ? find_owner(search, target, level + 1) : 0;
            if (found) return found;
        }
        if (!target || !is_new) return 0;
        entity = target;
    }
    return 0;
}

ecs_entity_t ecs__search_from(
    const ecs__store_t *store, ecs_entity_t entity, ecs_id_t id, ecs_entity_t rel) {
    owner_t search = { .store = store, .id = id, .rel = rel };
    if (!ecs__id_is_found_along(store, id, rel)) return is_owner(&search, entity) ? entity : 0;
    search.inherits = rel != Ecs__IsA && ecs__id_is_inherited(store, id);
    int32_t cover = 0;
    search.ascent = (ecs__ascent_t){ .id = id,
        .rel = rel,
        .kind = search.inherits ? ECS__ASCENT_HEIR : ECS__ASCENT_OWNER,
        .is_off = ecs__sparse_next_cover(store, id, &cover) != NULL };
    ecs_entity_t found = find_owner(&search, entity, 0);
    ecs__ascent_end(&search.ascent, store, &(ecs__found_t){ .source = found });
    ecs__visited_fini(&search.visited);
    return found;
}

ecs_entity_t ecs__search_above(
    const ecs__store_t *store, ecs_entity_t entity, ecs_id_t id, ecs_entity_t rel) {
    ecs_entity_t target, found = 0;
    for (int32_t n = 0; !found && (target = ecs__target_of(store, entity, rel, n)); n++)
        found = ecs__search_from(store, target, id, rel);
    return found;
}

ecs_entity_t ecs__search_above_table(const ecs_table_t *table, ecs_id_t id, ecs_entity_t rel) {
    ecs_entity_t target, found = 0;
    for (int32_t n = 0; !found && (target = ecs__table_target(table, rel, n)); n++)
        found = ecs__search_from(table->store, target, id, rel);
    return found;
}

static int32_t depth_of_entity(const ecs__store_t *store, ecs_entity_t entity, ecs_entity_t rel,
    int32_t level, ecs_map_t *known);

// As depth_of_branch.
static int32_t depth_of_target(const ecs__store_t *store, ecs_entity_t target, ecs_entity_t rel,
    int32_t level, ecs_map_t *known) {
    ecs_map_val_t *depth = ecs_map_ensure(known, target);
    if (*depth) return (int32_t)*depth - 1;
    *depth = 1;
    int32_t above = depth_of_entity(store, target, rel, level, known);
    *ecs_map_ensure(known, target) = (ecs_map_val_t)above + 1;
    return above;
}

static int32_t depth_along_edges(const ecs__store_t *store, ecs_entity_t entity, ecs_entity_t rel,
    int32_t level, ecs_map_t *known, ecs__ascent_t *ascent) {
    int32_t depth = 0, limit = store->entities.alive_count;
    const ecs_component_record_t *any =
        ecs__id_record_get(store, ECS__MAKE_PAIR(rel, Ecs__Wildcard));
    const bool has_one = any && any->flags & EcsIdExclusive;
    ecs_entity_t target;
    while ((target = ecs__target_along(store, any, rel, entity, 0)) && depth <= limit) {
        ecs__found_t root;
        if (!has_one && ecs__target_along(store, any, rel, entity, 1)) break;
        depth++;
        if (ecs__ascent_asks(ascent, target, depth) &&
            ecs__ascent_ask(ascent, store, target, depth, &root))
            return root.depth;
        entity = target;
    }
    if (depth > limit) return ECS__ENDLESS;
    if (!target || level >= ECS_MAX_RECURSION) return depth;
    int32_t deepest = -1;
    for (int32_t n = 0; (target = ecs__target_of(store, entity, rel, n)); n++) {
        int32_t above = depth_of_target(store, target, rel, level + 1, known);
        deepest = ECS_MAX(deepest, above);
    }
    return depth + 1 + deepest;
}

static int32_t depth_of_entity(const ecs__store_t *store, ecs_entity_t entity, ecs_entity_t rel,
    int32_t level, ecs_map_t *known) {
    ecs__ascent_t ascent = { .rel = rel, .kind = ECS__ASCENT_DEPTH, .is_off = level > 0 };
    ecs__found_t root = { .depth = depth_along_edges(store, entity, rel, level, known, &ascent) };
    ecs__ascent_end(&ascent, store, &root);
    return root.depth;
}

int32_t ecs__depth_from(const ecs__store_t *store, ecs_entity_t entity, ecs_entity_t rel) {
    ecs_map_t known;
    ecs_map_init(&known, NULL);
    int32_t depth = depth_of_entity(store, entity, rel, 0, &known);
    ecs_map_fini(&known);
    return depth;
}
