// SPDX-License-Identifier: MIT
#include "storage/search.h"

#include "base/apart.h"
#include "storage/ascent.h"
#include "storage/bases.h"
#include "storage/forks.h"
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
    if (n >= type->count) return 0;
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
    bool has_split;
    ecs__visited_t visited;
    ecs__ascent_t ascent; /* until there are branches */
    ecs__forks_t *forks;
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

typedef enum near_t { FOUND, NOT_FOUND, NOT_KNOWN } near_t;

// Of one of the targets, or of all that is above, if it is known.
static near_t search_target(search_t *search, const ecs_table_t *above, ecs_entity_t target,
    int32_t depth, ecs__found_t *out) {
    bool asks = depth >= search->min_depth && !search->has_split;
    if (asks && ecs__ascent_asks(&search->ascent, target, depth) &&
        ecs__ascent_ask(&search->ascent, above->store, target, depth, out))
        return out->source ? FOUND : NOT_FOUND;
    return search_at(search, above, target, depth, out) ? FOUND : NOT_KNOWN;
}

// Of several, those that count come once.
static ecs_entity_t next_target(
    search_t *search, ecs__fork_t *at, const ecs__table_record_t *record) {
    const bool is_fork = record->count > 1, is_listed = is_fork && at->depth >= search->min_depth;
    search->has_split |= is_fork;
    while (at->next < record->count) {
        const ecs_entity_t target = ecs__table_target(at->table, search->rel, at->next++);
        if (target && (!is_listed || ecs__visit(&search->visited, target, at->depth)))
            return target;
    }
    return 0;
}

// Up from a place, to the end of one way.
static bool search_way(search_t *search, ecs__fork_t at, ecs__found_t *out) {
    const int32_t limit = at.table->store->entities.alive_count;
    const ecs__table_record_t *record;
    while (at.depth <= limit && (record = targets(at.table, search->rel))) {
        if (search->max_depth && at.depth > search->max_depth) return false;
        const ecs_entity_t target = next_target(search, &at, record);
        if (!target) return false;
        const ecs_table_t *above = table_of(at.table, target);
        const near_t near = search_target(search, above, target, at.depth, out);
        if (near != NOT_KNOWN) return near == FOUND;
        if (at.next < record->count) ecs__forks_push(search->forks, at);
        at = (ecs__fork_t){ .table = above, .depth = at.depth + 1 };
    }
    return false;
}

// Whole chain of the first target first.
static bool search_above(search_t *search, const ecs_table_t *table, ecs__found_t *out) {
    ecs__forks_t forks;
    ecs__fork_t at = { .table = table, .depth = 1 };
    bool found;
    ecs__forks_init(&forks);
    search->forks = &forks;
    do {
        found = search_way(search, at, out);
    } while (!found && ecs__forks_pop(&forks, &at));
    ecs__forks_fini(&forks);
    return found;
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
    bool found = search_above(&search, table, out);
    ecs__ascent_end(&search.ascent, table->store, found ? out : NULL);
    ecs__visited_fini(&search.visited);
    return found;
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

#define FEW 64

// Whether one of the targets of a relationship has the id in its table; if they are more than `left`, true.
static bool some_target_has(const ecs_component_record_t *record, ecs_entity_t rel, int32_t *left) {
    const ecs__store_t *store = record->store;
    const ecs_component_record_t *any =
        ecs__id_record_get(store, ECS__MAKE_PAIR((uint32_t)rel, Ecs__Wildcard));
    const ecs_component_record_t *pair = NULL;
    while (any && (pair = ecs__id_record_next_first(any, pair))) {
        if ((*left)-- <= 0) return true;
        if (!pair->table_live && !pair->sparse) continue;
        const ecs_table_t *target =
            ecs__entity_living_table(&store->entities, ecs__id_second(pair->id));
        if (target && ecs__table_has(target, record->id)) return true;
    }
    return false;
}

bool ecs__id_is_above_along(const ecs_component_record_t *record, ecs_entity_t rel) {
    const ecs_table_t *table;
    int32_t at = 0, left = FEW;
    if (!ecs__id_is_above(record)) return false;
    while (left > 0 && (table = ecs__id_record_next_table(record, &at, false))) {
        left -= 1 + table->count;
        if (left > 0 && has_target(table, rel)) return true;
    }
    if (left > 0) return false;
    left = FEW; // many have it: perhaps there are few targets, as prefabs are
    return some_target_has(record, rel, &left) ||
           (rel != Ecs__IsA && some_target_has(record, Ecs__IsA, &left));
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

// ---- depth ----

// Tables of children by component tell their depth.
static int32_t depth_by_component(const ecs_table_t *table, ecs_entity_t rel) {
    if (rel != Ecs__ChildOf || !(table->flags & EcsTableHasParent)) return 0;
    int32_t at = ecs__table_search(table, ECS__MAKE_PAIR(Ecs__ParentDepth, Ecs__Wildcard));
    return at < 0 ? 0 : (int32_t)ecs__id_second(table->type.array[at]);
}

// A way up, to where it splits.
typedef struct way_t {
    ecs__fork_t at;    /* depth: steps to there */
    ecs_entity_t from; /* where it begins; 0: where all do */
    int32_t deepest;   /* of what is above; -1: nothing is */
} way_t;

typedef struct measure_t {
    const ecs__store_t *store;
    const ecs_component_record_t *any; /* (rel, *), for entities */
    ecs_entity_t rel;
    bool by_table;
    ecs__ascent_t ascent; /* until there are branches */
    ecs_map_t known;      /* entity → its depth + 1: branches may meet again */
    ecs_vec_t open;       /* of way_t */
} measure_t;

static ecs__fork_t place_of(const measure_t *measure, ecs_entity_t entity, int32_t depth) {
    const ecs_table_t *table =
        measure->by_table ? ecs__entity_spot(&measure->store->entities, entity).table : NULL;
    return (ecs__fork_t){ .table = table, .entity = entity, .depth = depth };
}

static ecs_entity_t target_from(const measure_t *measure, const ecs__fork_t *at, int32_t n) {
    if (measure->by_table) return ecs__table_target(at->table, measure->rel, n);
    return ecs__target_along(measure->store, measure->any, measure->rel, at->entity, n);
}

// 0 if there are none, or several: *splits.
static ecs_entity_t single_target(
    const measure_t *measure, const ecs_table_t *table, ecs_entity_t entity, bool *splits) {
    if (table) {
        const ecs__table_record_t *record = targets(table, measure->rel);
        *splits = record && record->count > 1;
        return record && !*splits ? ecs__table_target(table, measure->rel, 0) : 0;
    }
    const ecs_component_record_t *any = measure->any;
    ecs_entity_t target = ecs__target_along(measure->store, any, measure->rel, entity, 0);
    if (!target || (any && any->flags & EcsIdExclusive)) return target;
    *splits = ecs__target_along(measure->store, any, measure->rel, entity, 1);
    return *splits ? 0 : target;
}

// To where a way splits. True if it does not, or is known from some place on: at->depth is the depth of it all.
static bool follow_way(measure_t *measure, ecs__fork_t *at) {
    const ecs__store_t *store = measure->store;
    const int32_t limit = store->entities.alive_count;
    ecs__fork_t here = *at;
    ecs__found_t root;
    ecs_entity_t target;
    bool splits = false, is_known = false;
    while (!is_known && here.depth <= limit &&
           (target = single_target(measure, here.table, here.entity, &splits))) {
        here.depth++;
        is_known = !measure->open.count && ecs__ascent_asks(&measure->ascent, target, here.depth) &&
                   ecs__ascent_ask(&measure->ascent, store, target, here.depth, &root);
        here.entity = target;
        if (here.table) here.table = ecs__entity_spot(&store->entities, target).table;
    }
    if (is_known)
        here.depth = root.depth;
    else if (here.depth > limit)
        here.depth = ECS__ENDLESS;
    else if (!splits && here.table)
        here.depth += depth_by_component(here.table, measure->rel);
    *at = here;
    return is_known || !splits;
}

// The next branch that was not measured. One that is being measured ends a cycle.
static ecs_entity_t next_branch(measure_t *measure, way_t *way) {
    ecs_entity_t target;
    while ((target = target_from(measure, &way->at, way->at.next++))) {
        ecs_map_val_t *depth = ecs_map_ensure(&measure->known, target);
        if (!*depth) {
            *depth = 1;
            return target;
        }
        way->deepest = ECS_MAX(way->deepest, (int32_t)*depth - 1);
    }
    return 0;
}

// Depth first, from a place where the way splits.
static int32_t measure_all(measure_t *measure, ecs__fork_t at) {
    way_t way = { .at = at, .deepest = -1 };
    bool is_known = false;
    for (;;) {
        const ecs_entity_t target = is_known ? 0 : next_branch(measure, &way);
        if (target) {
            *ecs_vec_append_t(NULL, &measure->open, way_t) = way;
            way = (way_t){ place_of(measure, target, 0), target, -1 };
            is_known = follow_way(measure, &way.at);
            continue;
        }
        const int32_t depth = way.at.depth + 1 + way.deepest;
        if (!measure->open.count) return depth;
        *ecs_map_ensure(&measure->known, way.from) = (ecs_map_val_t)depth + 1;
        way = *ecs_vec_last_t(&measure->open, way_t);
        ecs_vec_remove_last(&measure->open);
        way.deepest = ECS_MAX(way.deepest, depth);
        is_known = false;
    }
}

static ECS__APART int32_t measure_branches(measure_t *measure, ecs__fork_t at) {
    ecs_map_init(&measure->known, NULL);
    measure->open = (ecs_vec_t){ 0 };
    const int32_t depth = measure_all(measure, at);
    ecs_map_fini(&measure->known);
    ecs_vec_fini_t(NULL, &measure->open, way_t);
    return depth;
}

static int32_t measure_from(const ecs__store_t *store, ecs_entity_t rel, ecs__fork_t at) {
    measure_t measure;
    measure.store = store;
    measure.any = at.table ? NULL : ecs__id_record_get(store, ECS__MAKE_PAIR(rel, Ecs__Wildcard));
    measure.rel = rel;
    measure.by_table = at.table;
    measure.ascent = (ecs__ascent_t){ .rel = rel, .kind = ECS__ASCENT_DEPTH };
    measure.open.count = 0;
    const bool is_known = follow_way(&measure, &at);
    ecs__found_t root = { .depth = is_known ? at.depth : measure_branches(&measure, at) };
    ecs__ascent_end(&measure.ascent, store, &root);
    return root.depth;
}

int32_t ecs__table_depth(const ecs_table_t *table, ecs_entity_t rel) {
    return measure_from(table->store, rel, (ecs__fork_t){ .table = table });
}

int32_t ecs__depth_from(const ecs__store_t *store, ecs_entity_t entity, ecs_entity_t rel) {
    return measure_from(store, rel, (ecs__fork_t){ .entity = entity });
}
