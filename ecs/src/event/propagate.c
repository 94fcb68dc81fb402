// SPDX-License-Identifier: MIT
#include "event/propagate.h"

#include <muster/ecs/os.h>

#include "world/state.h"

#define ID_BIT(i) (1ull << (i))

// An entity whose dependents along `rel` are to be told of some of the ids.
typedef struct step_t {
    ecs_entity_t rel, entity;
    uint64_t ids; /* bit per id of the walk */
    int32_t depth;
} step_t;

// A walk down from one entity, breadth first, so that nearer ones are told before farther ones and depth is no matter.
typedef struct walk_t {
    ecs__emission_t *emission;
    ecs__store_t *store;
    const ecs_id_t *ids;          /* at most 64 */
    ecs_entity_t source, changed; /* who has the ids; who changes */
    ecs_vec_t steps;              /* step_t */
    ecs_map_t visited;            /* tables reached along relationships with several targets */
    bool has_visited;
    const ecs__waiter_t *only; /* tell this one; NULL: all who wait */
} walk_t;

// ---- who waits ----

static void tell_list(
    walk_t *walk, const ecs__waiters_t *list, const step_t *step, const ecs__notice_t *notice) {
    int32_t count = list->count;
    for (int32_t i = 0; i < count; i++) {
        ecs__waiter_t waiter = list->items[i];
        const ecs__waiter_t *only = walk->only;
        if (only && (only->observer != waiter.observer || only->term != waiter.term)) continue;
        const ecs_term_t *term = &waiter.observer->pub.query->terms[waiter.term];
        bool in_range =
            step->depth >= term->min_depth && (!term->max_depth || step->depth <= term->max_depth);
        if (term->trav == step->rel && in_range)
            ecs__emission_tell(walk->emission, &waiter, notice);
    }
}

// Where those wait who look up for an id, or for its absence, also if they have it themselves.
static int32_t reach_up(const ecs__emission_t *emission) {
    return emission->notice.is_inverted ? ECS__REACH_NOT_UP : ECS__REACH_UP;
}

static int32_t reach_self_up(const ecs__emission_t *emission) {
    return emission->notice.is_inverted ? ECS__REACH_NOT_SELF_UP : ECS__REACH_SELF_UP;
}

static void tell_rows(walk_t *walk, const step_t *step, ecs_table_t *table, int32_t row,
    int32_t rows, ecs_id_t id, bool is_hidden) {
    int32_t up = reach_up(walk->emission), self_up = reach_self_up(walk->emission);
    ecs__notice_t notice = walk->emission->notice;
    notice.id = id;
    notice.source = walk->source;
    notice.table = table;
    if (!notice.instead.entity) {
        bool is_bare = walk->emission->events->losing == walk->emission->notice.table;
        notice.instead = (ecs__instead_t){ walk->changed, notice.other, .is_bare = is_bare };
    }
    notice.other = NULL;
    notice.row = row;
    notice.count = rows;
    ecs_id_t keys[ECS__EVENT_KEYS];
    int32_t count = ecs__event_keys(id, keys);
    for (int32_t k = 0; k < count; k++) {
        for (int32_t w = 0; w < 2; w++) {
            const ecs__event_t *event = walk->emission->waiting[w];
            const ecs__wanted_t *wanted = event ? ecs__event_wanted(event, keys[k]) : NULL;
            if (!wanted) continue;
            if (!is_hidden) tell_list(walk, &wanted->lists[self_up], step, &notice);
            tell_list(walk, &wanted->lists[up], step, &notice);
        }
    }
}

// Entities with an id beside the table hide it for themselves alone.
static void tell_table(
    walk_t *walk, const step_t *step, ecs_table_t *table, ecs_id_t id, bool is_hidden) {
    const ecs_component_record_t *record = ecs__id_record_get(walk->store, id);
    if (is_hidden || !ecs__id_is_beside(record)) {
        tell_rows(walk, step, table, 0, table->count, id, is_hidden);
        return;
    }
    for (int32_t row = 0; row < table->count; row++) {
        bool has_own = ecs__sparse_has(record, table->entities[row]);
        tell_rows(walk, step, table, row, 1, id, has_own);
    }
}

static bool wants_above(const ecs__emission_t *emission, ecs_id_t id) {
    ecs_id_t keys[ECS__EVENT_KEYS];
    int32_t count = ecs__event_keys(id, keys);
    for (int32_t k = 0; k < count; k++) {
        for (int32_t w = 0; w < 2; w++) {
            const ecs__event_t *event = emission->waiting[w];
            const ecs__wanted_t *wanted = event ? ecs__event_wanted(event, keys[k]) : NULL;
            if (!wanted) continue;
            if (wanted->lists[reach_self_up(emission)].count) return true;
            if (wanted->lists[reach_up(emission)].count) return true;
        }
    }
    return false;
}

// ---- down ----

static void push(walk_t *walk, ecs_entity_t rel, ecs_entity_t entity, uint64_t ids, int32_t depth) {
    *ecs_vec_append_t(NULL, &walk->steps, step_t) = (step_t){ rel, entity, ids, depth };
}

static bool visit(walk_t *walk, uint64_t place, ecs_entity_t rel) {
    if (!walk->has_visited) ecs_map_init(&walk->visited, NULL);
    walk->has_visited = true;
    ecs_map_val_t *seen = ecs_map_ensure(&walk->visited, place << 16 ^ rel);
    return !(*seen)++;
}

// The nearest source above a table of an id that may be beside tables, or 0.
static ecs_entity_t source_above(const ecs_table_t *table, ecs_id_t id, ecs_entity_t rel) {
    ecs_entity_t target, found = 0;
    for (int32_t n = 0; !found && (target = ecs__table_target(table, rel, n)); n++) {
        found = ecs__search_from(table->store, target, id, rel);
    }
    return found;
}

// With several targets the nearest source may be another one.
static bool is_seen_from(
    const walk_t *walk, const step_t *step, const ecs_table_t *table, ecs_id_t id) {
    if (walk->emission->notice.is_inverted) return true; /* there should be nothing to see */
    if (ecs__sparse_matters(walk->store, id, step->rel))
        return source_above(table, id, step->rel) == walk->source;
    ecs__found_t found;
    return ecs__search_up(table, id, step->rel, false, true, 0, 0, &found) &&
           found.source == walk->source;
}

static ecs_entity_t source_of(
    const ecs__store_t *store, ecs_entity_t entity, ecs_id_t id, ecs_entity_t rel) {
    ecs_entity_t target, found = 0;
    for (int32_t n = 0; !found && (target = ecs__target_of(store, entity, rel, n)); n++)
        found = ecs__search_from(store, target, id, rel);
    return found;
}

// The base that rows of a table show instead of what is above them, or 0.
static ecs_entity_t shown_base(const ecs_table_t *table, ecs_id_t id) {
    bool may_show = table && table->flags & EcsTableHasIsA;
    return may_show && ecs__id_is_inherited(table->store, id) ? source_above(table, id, Ecs__IsA)
                                                              : 0;
}

// What an entity has beside its table hides what is above.
static uint64_t without_hidden(const walk_t *walk, ecs_entity_t entity, uint64_t ids) {
    uint64_t kept = ids;
    for (uint64_t left = walk->store->has_sparse ? ids : 0; left; left &= left - 1) {
        ecs_id_t id = walk->ids[__builtin_ctzll(left)];
        if (ecs__sparse_find(walk->store, entity, id)) kept &= ~(left & -left);
    }
    return kept;
}

static void walk_below_entity(walk_t *walk, const step_t *step, ecs_entity_t entity, uint64_t ids) {
    const ecs_record_t *record = ecs__entity_get(&walk->store->entities, entity);
    if (!(record->row & EcsEntityIsTraversable)) return;
    if (!(ids = without_hidden(walk, entity, ids))) return;
    push(walk, step->rel, entity, ids, step->depth + 1);
    const ecs_vec_t *rels = &walk->emission->events->rels;
    for (int32_t r = 0; step->rel == Ecs__IsA && r < ecs_vec_count(rels); r++) {
        ecs_entity_t rel = *ecs_vec_get_t(rels, ecs_entity_t, r);
        if (rel != Ecs__IsA) push(walk, rel, entity, ids, 1);
    }
}

static void walk_below(walk_t *walk, const step_t *step, const ecs_table_t *table, uint64_t ids) {
    if (!table->traversable_count || !ids) return;
    for (int32_t row = 0; row < table->count; row++)
        walk_below_entity(walk, step, table->entities[row], ids);
}

static bool hides_by_base(const step_t *step, const ecs_table_t *table, ecs_id_t id) {
    return step->rel != Ecs__IsA && table->traversable_count && shown_base(table, id);
}

static void walk_table(walk_t *walk, const step_t *step, ecs_table_t *table, bool is_exclusive) {
    if (!is_exclusive && !visit(walk, table->id << 1, step->rel)) return;
    uint64_t below = 0;
    for (uint64_t left = step->ids; left; left &= left - 1) {
        int32_t i = __builtin_ctzll(left);
        bool is_hidden = ecs__table_has(table, walk->ids[i]);
        if (!is_hidden && !hides_by_base(step, table, walk->ids[i])) below |= ID_BIT(i);
        if (!is_exclusive && !is_seen_from(walk, step, table, walk->ids[i])) continue;
        if (table->count) tell_table(walk, step, table, walk->ids[i], is_hidden);
    }
    walk_below(walk, step, table, below);
}

// An entity whose edge is beside its table.
static void walk_entity(walk_t *walk, const step_t *step, ecs_entity_t entity, bool is_exclusive) {
    if (!is_exclusive && !visit(walk, entity << 1 | 1, step->rel)) return;
    const ecs_record_t *record = ecs__entity_get(&walk->store->entities, entity);
    uint64_t below = 0;
    for (uint64_t left = step->ids; left; left &= left - 1) {
        ecs_id_t id = walk->ids[__builtin_ctzll(left)];
        bool is_hidden = ecs__has_own(walk->store, record, id);
        if (!is_hidden && !hides_by_base(step, record->table, id)) below |= left & -left;
        bool is_seen = is_exclusive || walk->emission->notice.is_inverted ||
                       source_of(walk->store, entity, id, step->rel) == walk->source;
        if (is_seen)
            tell_rows(walk, step, record->table, ECS_RECORD_TO_ROW(record->row), 1, id, is_hidden);
    }
    if (below) walk_below_entity(walk, step, entity, below);
}

static void walk_step(walk_t *walk, const step_t *step) {
    const ecs_component_record_t *record =
        ecs__id_record_get(walk->store, ECS__MAKE_PAIR(step->rel, step->entity));
    if (!record) return;
    bool is_exclusive = record->flags & EcsIdExclusive;
    ecs_table_t *table;
    int32_t from = 0;
    while ((table = ecs__id_record_next_table(record, &from, false)))
        walk_table(walk, step, table, is_exclusive);
    for (int32_t i = 0; ecs__id_may_be_beside(record) && i < ecs__sparse_count(record); i++)
        walk_entity(walk, step, ecs__sparse_holders(record)[i].entity, is_exclusive);
}

static uint64_t inherited_only(const walk_t *walk, uint64_t ids) {
    uint64_t kept = 0;
    for (uint64_t left = ids; left; left &= left - 1) {
        int32_t i = __builtin_ctzll(left);
        if (ecs__id_is_inherited(walk->store, walk->ids[i])) kept |= ID_BIT(i);
    }
    return kept;
}

static void walk_steps(walk_t *walk) {
    for (int32_t i = 0; i < ecs_vec_count(&walk->steps); i++) {
        step_t step = *ecs_vec_get_t(&walk->steps, step_t, i);
        walk_step(walk, &step);
    }
    ecs_vec_fini_t(NULL, &walk->steps, step_t);
    if (walk->has_visited) ecs_map_fini(&walk->visited);
}

static void walk_from(walk_t *walk, ecs_entity_t entity, uint64_t ids) {
    walk->source = walk->changed = entity;
    walk->has_visited = false;
    ecs_vec_init_t(NULL, &walk->steps, step_t, 0);
    const ecs_vec_t *rels = &walk->emission->events->rels;
    bool has_isa = false;
    for (int32_t r = 0; r < ecs_vec_count(rels); r++) {
        ecs_entity_t rel = *ecs_vec_get_t(rels, ecs_entity_t, r);
        has_isa |= rel == Ecs__IsA;
        uint64_t along = rel == Ecs__IsA ? inherited_only(walk, ids) : ids;
        if (along) push(walk, rel, entity, along, 1);
    }
    // Children of instances see what instances inherit, also when nobody looks up IsA itself.
    uint64_t inherited = has_isa ? 0 : inherited_only(walk, ids);
    if (inherited) push(walk, Ecs__IsA, entity, inherited, 1);
    walk_steps(walk);
}

// Up to 64 ids at a time.
static void propagate_some(ecs__emission_t *emission, const ecs_id_t *ids, int32_t count) {
    const ecs__notice_t *notice = &emission->notice;
    walk_t walk = { .emission = emission, .store = &emission->events->world->store, .ids = ids };
    uint64_t wanted = 0;
    for (int32_t i = 0; i < count; i++) {
        if (ids[i] != Ecs__Any && wants_above(emission, ids[i])) wanted |= ID_BIT(i);
    }
    if (!wanted) return;
    for (int32_t row = notice->row; row < notice->row + notice->count; row++) {
        ecs_entity_t entity = notice->table->entities[row];
        const ecs_record_t *record = ecs__entity_get(&walk.store->entities, entity);
        if (record->row & EcsEntityIsTraversable) walk_from(&walk, entity, wanted);
    }
}

void ecs__propagate_down(ecs__emission_t *emission) {
    if (!ecs_vec_count(&emission->events->rels)) return;
    for (int32_t i = 0; i < emission->id_count; i += 64) {
        propagate_some(emission, emission->ids + i, ECS_MIN(64, emission->id_count - i));
    }
}

// ---- forward ----

static bool sees(const ecs_table_t *table, const ecs_term_t *term, ecs__found_t *found) {
    return table && ecs__search_up(table, term->id, term->trav, false, true, term->min_depth,
                        term->max_depth, found);
}

static bool owns(const ecs_table_t *table, const ecs_term_t *term) {
    return table && term->src.id & EcsSelf && ecs__table_has(table, term->id);
}

// Those below the rows see the source through them, unless something nearer hides it; at depth 0 it is a base of the rows.
static void tell_below(ecs__emission_t *emission, const ecs__waiter_t *waiter,
    const ecs__notice_t *notice, int32_t depth) {
    const ecs_table_t *table = notice->table;
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    if (!table->traversable_count || ecs__table_has(table, notice->id)) return;
    if (depth && term->trav != Ecs__IsA && shown_base(table, notice->id)) return;
    ecs__store_t *store = &emission->events->world->store;
    for (int32_t row = notice->row; row < notice->row + notice->count; row++) {
        ecs_entity_t entity = table->entities[row];
        if (!(ecs__entity_get(&store->entities, entity)->row & EcsEntityIsTraversable)) continue;
        walk_t walk = { .emission = emission,
            .store = store,
            .ids = &notice->id,
            .source = notice->source,
            .changed = entity,
            .only = waiter };
        ecs_vec_init_t(NULL, &walk.steps, step_t, 0);
        push(&walk, term->trav, entity, 1, depth + 1);
        walk_steps(&walk);
    }
}

typedef enum told_t { TOLD_ALL, TOLD_VALUES, TOLD_BELOW /* not the rows themselves */ } told_t;

// Every id of the source that the term covers.
static void tell_of_source(ecs__emission_t *emission, const ecs__waiter_t *waiter,
    const ecs__found_t *found, told_t told) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    ecs_id_t pattern = ecs__id_any_to_wildcard(term->id);
    ecs__notice_t notice = emission->notice;
    notice.source = found->source;
    int32_t index = found->index;
    for (; index >= 0; index = ecs__type_match(&found->table->type, index + 1, pattern)) {
        notice.id = found->table->type.array[index];
        if (told == TOLD_VALUES && !found->table->records[index].cr->type_info) continue;
        if (!ecs__id_is_found_along(found->table->store, notice.id, term->trav)) continue;
        if (told != TOLD_BELOW) ecs__emission_tell(emission, waiter, &notice);
        tell_below(emission, waiter, &notice, found->depth);
    }
}

// Every id beside the table of the source that `pattern` covers, to the rows that have none themselves.
static void tell_of_beside(ecs__emission_t *emission, const ecs__waiter_t *waiter,
    ecs_entity_t source, ecs_id_t pattern, told_t told) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    ecs__notice_t notice = emission->notice;
    const ecs__store_t *store = notice.table->store;
    ecs__sparse_iter_t iter = ecs__sparse_iter(store, source, pattern);
    const ecs_component_record_t *record;
    notice.source = source;
    notice.count = 1;
    while ((record = ecs__sparse_next(&iter))) {
        if (told == TOLD_VALUES && !record->type_info) continue;
        if (!ecs__id_is_found_along(store, record->id, term->trav)) continue;
        notice.id = record->id;
        for (int32_t i = 0; i < emission->notice.count; i++) {
            notice.row = emission->notice.row + i;
            ecs_entity_t entity = notice.table->entities[notice.row];
            bool has_own = ecs__sparse_find(store, entity, term->id);
            if (!has_own || !(term->src.id & EcsSelf))
                ecs__emission_tell(emission, waiter, &notice);
            if (!has_own) tell_below(emission, waiter, &notice, 1);
        }
    }
}

static void tell_of_all(
    ecs__emission_t *emission, const ecs__waiter_t *waiter, ecs_entity_t source, told_t told) {
    const ecs__store_t *store = emission->notice.table->store;
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    const ecs_table_t *table = ecs__entity_get(&store->entities, source)->table;
    int32_t index = ecs__type_match(&table->type, 0, ecs__id_any_to_wildcard(term->id));
    if (index >= 0) {
        ecs__found_t found = { .source = source, .table = table, .index = index, .depth = 1 };
        tell_of_source(emission, waiter, &found, told);
    }
    tell_of_beside(emission, waiter, source, term->id, told);
}

// The same where ids or targets may be beside tables.
static void forward_by_entity(ecs__emission_t *emission, const ecs__waiter_t *waiter, told_t told) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    const ecs_table_t *table = emission->notice.table, *other = emission->notice.other;
    if (owns(table, term) || owns(other, term)) return;
    ecs_entity_t now = source_above(table, term->id, term->trav);
    ecs_entity_t then = other ? source_above(other, term->id, term->trav) : 0;
    if (!emission->notice.is_inverted && now && now != then)
        tell_of_all(emission, waiter, now, told);
    if (emission->notice.is_inverted && then && !now) tell_of_all(emission, waiter, then, told);
}

static bool is_by_entity(const ecs__emission_t *emission, const ecs__waiter_t *waiter) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    return ecs__sparse_matters(emission->notice.table->store, term->id, term->trav);
}

static void forward_term(ecs__emission_t *emission, const ecs__waiter_t *waiter) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    const ecs_table_t *table = emission->notice.table, *other = emission->notice.other;
    ecs__found_t now, then;
    if (is_by_entity(emission, waiter)) {
        forward_by_entity(emission, waiter, TOLD_ALL);
        return;
    }
    if (owns(table, term) || owns(other, term) || !sees(table, term, &now)) return;
    if (sees(other, term, &then) && then.source == now.source) return;
    tell_of_source(emission, waiter, &now, TOLD_ALL);
}

// What was in sight hid that there is nothing now.
static void forward_absence(ecs__emission_t *emission, const ecs__waiter_t *waiter) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    const ecs_table_t *table = emission->notice.table, *other = emission->notice.other;
    ecs__found_t now, then;
    if (is_by_entity(emission, waiter)) {
        forward_by_entity(emission, waiter, TOLD_ALL);
        return;
    }
    if (owns(table, term) || owns(other, term) || sees(table, term, &now)) return;
    if (sees(other, term, &then)) tell_of_source(emission, waiter, &then, TOLD_ALL);
}

// What those below rows of a table see through them that the rows have not themselves.
static bool shows(const ecs_table_t *table, const ecs_term_t *term, ecs__found_t *found) {
    bool is_inherited =
        table && ecs__search_up(table, term->id, Ecs__IsA, false, true, 0, 0, found);
    if (is_inherited) found->depth = 0;
    return is_inherited || sees(table, term, found);
}

static void reveal_by_entity(ecs__emission_t *emission, const ecs__waiter_t *waiter) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    ecs__notice_t notice = emission->notice;
    const ecs_table_t *table = notice.table;
    ecs_entity_t base = shown_base(table, term->id);
    if (notice.event == Ecs__OnRemove && !base) return;
    int32_t end = notice.row + notice.count;
    notice.id = term->id;
    notice.count = 1;
    for (; notice.row < end; notice.row++) {
        ecs_entity_t entity = table->entities[notice.row];
        if (ecs__sparse_find(table->store, entity, term->id)) continue;
        notice.source = base ? base : source_of(table->store, entity, term->id, term->trav);
        if (notice.source) tell_below(emission, waiter, &notice, !base);
    }
}

// What the rows had, themselves or from a base, hid a farther one from those below; or they have it from another base.
// (Along IsA that is told as OnSet.)
static void reveal_term(ecs__emission_t *emission, const ecs__waiter_t *waiter) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    const ecs_table_t *table = emission->notice.table, *other = emission->notice.other;
    bool is_removal = emission->notice.event == Ecs__OnRemove;
    if (term->trav == Ecs__IsA || !other || ecs__table_has(table, term->id)) return;
    bool had_own = ecs__table_has(other, term->id);
    if (had_own && is_removal) return;
    if (is_by_entity(emission, waiter)) {
        if (had_own || shown_base(table, term->id) != shown_base(other, term->id))
            reveal_by_entity(emission, waiter);
        return;
    }
    ecs__found_t now, then;
    if (!shows(table, term, &now) || (is_removal && now.depth)) return;
    bool saw = shows(other, term, &then);
    bool is_by_base = !now.depth || (saw && !then.depth);
    if (had_own || (is_by_base && !(saw && then.source == now.source)))
        tell_of_source(emission, waiter, &now, TOLD_BELOW);
}

static void reveal_beside(ecs__emission_t *emission, const ecs__waiter_t *waiter) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    bool is_covered = ecs_id_match(*emission->ids, ecs__id_any_to_wildcard(term->id));
    if (term->trav != Ecs__IsA && is_covered) reveal_by_entity(emission, waiter);
}

static void inherit_term(ecs__emission_t *emission, const ecs__waiter_t *waiter) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    const ecs_table_t *table = emission->notice.table, *other = emission->notice.other;
    ecs__found_t now, then;
    if (term->trav != Ecs__IsA) return;
    if (is_by_entity(emission, waiter)) {
        forward_by_entity(emission, waiter, TOLD_VALUES);
        return;
    }
    if (owns(table, term) || !sees(table, term, &now)) return;
    if (!owns(other, term) && sees(other, term, &then) && then.source == now.source) return;
    tell_of_source(emission, waiter, &now, TOLD_VALUES);
}

static void for_each_above(
    ecs__emission_t *emission, void (*action)(ecs__emission_t *, const ecs__waiter_t *)) {
    for (int32_t w = 0; w < 2; w++) {
        if (!emission->waiting[w]) continue;
        const ecs__waiters_t *above = &emission->waiting[w]->above[emission->notice.is_inverted];
        int32_t count = above->count;
        for (int32_t i = 0; i < count; i++) {
            ecs__waiter_t waiter = above->items[i];
            action(emission, &waiter);
        }
    }
}

void ecs__propagate_forward(ecs__emission_t *emission) {
    for_each_above(emission, emission->notice.is_inverted ? forward_absence : forward_term);
}

// ---- edges beside tables ----

static bool reads_from(
    const ecs__store_t *store, ecs_entity_t target, const ecs_term_t *term, ecs_entity_t *source) {
    *source = target ? ecs__search_from(store, target, term->id, term->trav) : 0;
    return *source != 0;
}

// Whatever the other targets of the entity lead to is seen all the same.
static bool sees_besides(const ecs__store_t *store, ecs_entity_t entity, const ecs_term_t *term,
    ecs_entity_t except, ecs_entity_t source) {
    ecs_entity_t target, found;
    for (int32_t n = 0; (target = ecs__target_of(store, entity, term->trav, n)); n++) {
        if (target != except && reads_from(store, target, term, &found) && found == source)
            return true;
    }
    return false;
}

// What is seen through the edge that takes, or gave up, the place of this one.
static ecs_entity_t source_by_swap(const ecs__emission_t *emission, const ecs_term_t *term) {
    const ecs__store_t *store = emission->notice.table->store;
    const ecs__instead_t *instead = &emission->notice.instead;
    if (!instead->without || !instead->with) return 0;
    ecs_entity_t source,
        target = ecs__entity_alive_id(&store->entities, ecs__id_second(instead->with->id));
    return reads_from(store, target, term, &source) ? source : 0;
}

static void forward_edge(ecs__emission_t *emission, const ecs__waiter_t *waiter) {
    const ecs__notice_t *notice = &emission->notice;
    const ecs__store_t *store = notice->table->store;
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    ecs_entity_t source, entity = notice->table->entities[notice->row];
    ecs_entity_t target = ecs__entity_alive_id(&store->entities, ecs__id_second(*emission->ids));
    if (term->trav != ecs__id_first(*emission->ids)) return;
    if (!reads_from(store, target, term, &source)) return;
    const ecs_record_t *record = ecs__entity_get(&store->entities, entity);
    if (term->src.id & EcsSelf && ecs__has_own(store, record, term->id)) return;
    ecs_entity_t other = notice->is_inverted ? 0 : source_by_swap(emission, term);
    if (other != source && !sees_besides(store, entity, term, target, source))
        tell_of_all(emission, waiter, source, TOLD_ALL);
}

void ecs__propagate_edge(ecs__emission_t *emission) { for_each_above(emission, forward_edge); }

void ecs__propagate_revealed(ecs__emission_t *emission) {
    if (emission->notice.table->traversable_count) for_each_above(emission, reveal_term);
}

void ecs__propagate_revealed_beside(ecs__emission_t *emission) {
    for_each_above(emission, reveal_beside);
}

void ecs__propagate_inherited(ecs__emission_t *emission) { for_each_above(emission, inherit_term); }

static void regain_term(ecs__emission_t *emission, const ecs__waiter_t *waiter) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    ecs_id_t id = *emission->ids;
    bool is_covered = ecs_id_match(id, ecs__id_any_to_wildcard(term->id));
    if (term->trav != Ecs__IsA || !is_covered) return;
    ecs_entity_t base = source_above(emission->notice.table, id, Ecs__IsA);
    if (base) tell_of_beside(emission, waiter, base, id, TOLD_VALUES);
}

void ecs__propagate_regained(ecs__emission_t *emission) { for_each_above(emission, regain_term); }
