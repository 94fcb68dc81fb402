// SPDX-License-Identifier: MIT
#include "event/below.h"

#include "storage/instead.h"
#include "world/state.h"

#define ID_BIT(i) (1ull << (i))

// An entity whose dependents along `rel` are to be told of some of the ids.
typedef struct step_t {
    ecs_entity_t rel, entity;
    uint64_t ids;    /* bit per id of the walk */
    uint64_t behind; /* of these: a nearer one hides the source, but for terms that look past it */
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
    int32_t revealed; /* depth of `changed`, which hid the source until now; 0: it did not */
    /* `changed`, as it was when those below saw an id of it: they are told of what they see now, each of its source; NULL: of one source. */
    const ecs__instead_t *then;
} walk_t;

// ---- who waits ----

// Whether what a term that looks past nearer ones sees from the rows is the source.
static bool sees_past(const walk_t *walk, const ecs__notice_t *notice, const ecs_term_t *term) {
    if (term->src.id & EcsAll || notice->is_inverted) return true;
    const ecs__instead_t as_it_is = { 0 };
    return ecs__instead_above(walk->store, &as_it_is, notice->table->entities[notice->row],
               notice->id, term->trav, term->min_depth, term->max_depth) == walk->source;
}

// Who looked past the one that hid the source from others saw it before.
static bool is_news(const walk_t *walk, const step_t *step, const ecs_term_t *term) {
    return !walk->revealed || !ecs__term_looks_past(term) ||
           (!(term->src.id & EcsAll) && step->depth - walk->revealed >= term->min_depth);
}

static bool is_in_range(const step_t *step, const ecs_term_t *term) {
    return term->trav == step->rel && step->depth >= term->min_depth &&
           (!term->max_depth || step->depth <= term->max_depth);
}

static void tell_wanted(walk_t *walk, const ecs__wanted_t *wanted, int32_t reach,
    const step_t *step, const ecs__notice_t *notice, bool is_hidden) {
    ecs__asking_t asking = ecs__wanted_ask(wanted, (ecs__reach_t)reach, ecs__notice_entity(notice));
    ecs__waiter_t waiter;
    while (ecs__asking_next(&asking, &waiter)) {
        const ecs__waiter_t *only = walk->only;
        if (only && (only->observer != waiter.observer || only->term != waiter.term)) continue;
        if (waiter.observer->is_dead) continue;
        const ecs_term_t *term = ecs__waiter_term(&waiter);
        if (!is_in_range(step, term) || !is_news(walk, step, term)) continue;
        if (ecs__term_looks_past(term) ? sees_past(walk, notice, term) : !is_hidden)
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

// Who wants to hear of the keys: for each of them the event, then any.
static const ecs__wanted_t *wanted_at(
    const ecs__emission_t *emission, const ecs_id_t *keys, int32_t i) {
    const ecs__event_t *event = emission->waiting[i % 2];
    return event ? ecs__event_wanted(event, keys[i / 2]) : NULL;
}

// Rows that the source is hidden from, and those that have the id themselves.
typedef struct view_t {
    bool is_hidden, has_own;
} view_t;

static void tell_rows(walk_t *walk, const step_t *step, ecs_table_t *table, int32_t row,
    int32_t rows, ecs_id_t id, view_t view) {
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
    notice.lacks = 0;
    notice.row = row;
    notice.count = rows;
    ecs_id_t keys[ECS__EVENT_KEYS];
    int32_t count = ecs__event_keys(id, keys);
    for (int32_t i = 0; i < 2 * count; i++) {
        const ecs__wanted_t *wanted = wanted_at(walk->emission, keys, i);
        if (!wanted) continue;
        tell_wanted(walk, wanted, self_up, step, &notice, view.is_hidden || view.has_own);
        tell_wanted(walk, wanted, up, step, &notice, view.is_hidden);
    }
}

// Entities with an id beside the table hide it for themselves alone.
static void tell_table(
    walk_t *walk, const step_t *step, ecs_table_t *table, ecs_id_t id, view_t view) {
    const ecs_component_record_t *record = ecs__id_record_get(walk->store, id);
    if (view.has_own || !ecs__id_is_beside(record)) {
        tell_rows(walk, step, table, 0, table->count, id, view);
        return;
    }
    for (int32_t row = 0; row < table->count; row++) {
        view.has_own = ecs__sparse_has(record, table->entities[row]);
        tell_rows(walk, step, table, row, 1, id, view);
    }
}

static bool wants_above(const ecs__emission_t *emission, ecs_id_t id) {
    int32_t up = reach_up(emission), self_up = reach_self_up(emission);
    ecs_id_t keys[ECS__EVENT_KEYS];
    int32_t count = ecs__event_keys(id, keys);
    for (int32_t i = 0; i < 2 * count; i++) {
        const ecs__wanted_t *wanted = wanted_at(emission, keys, i);
        if (wanted && (ecs__wanted_count_at(wanted, (ecs__reach_t)self_up) ||
                          ecs__wanted_count_at(wanted, (ecs__reach_t)up)))
            return true;
    }
    return false;
}

// ---- whether anybody is ----

// Instances show what they inherit to those below them.
static bool has_below(const ecs__events_t *events, uint64_t rels, ecs_entity_t entity) {
    const ecs__store_t *store = &events->world->store;
    bool found = ecs__is_target(store, Ecs__IsA, entity);
    for (int32_t r = 0; !found && r < ecs_vec_count(&events->rels); r++) {
        if (rels >> ECS_MIN(r, ECS__BELOW_RELS - 1) & 1)
            found = ecs__is_target(store, *ecs_vec_get_t(&events->rels, ecs_entity_t, r), entity);
    }
    return found;
}

bool ecs__below_any(const ecs__events_t *events, uint64_t rels, const ecs_table_t *table,
    int32_t row, int32_t count) {
    const ecs_entity_t *entities = &table->entities[row];
    bool found = false;
    for (int32_t i = 0; rels && table->traversable_count && !found && i < count; i++)
        found = has_below(events, rels, entities[i]);
    return found;
}

// ---- the walk ----

static void push(walk_t *walk, ecs_entity_t rel, ecs_entity_t entity, uint64_t ids, uint64_t behind,
    int32_t depth) {
    *ecs_vec_append_t(NULL, &walk->steps, step_t) = (step_t){ rel, entity, ids, behind, depth };
}

// Relationships have 28 bits in pairs, too.
static bool visit(walk_t *walk, uint64_t place, ecs_entity_t rel) {
    if (!walk->has_visited) walk->visited = ecs__spare_take_map(&walk->emission->events->visited);
    walk->has_visited = true;
    const uint64_t key = place << 28 | (rel & 0x0FFFFFFFull);
    ecs_map_val_t *seen = ecs_map_ensure(&walk->visited, key);
    return !(*seen)++;
}

// False if an entity saw nothing, or the same, before the change, or sees nothing now.
static bool sees_another(
    walk_t *walk, const step_t *step, const ecs_table_t *table, int32_t row, ecs_id_t id) {
    if (row >= table->count) return false;
    const ecs_entity_t entity = table->entities[row];
    const ecs_entity_t then =
        ecs__instead_above(walk->store, walk->then, entity, id, step->rel, 0, 0);
    walk->source = ecs__search_above(walk->store, entity, id, step->rel);
    return walk->source && then && then != walk->source;
}

// With several targets the nearest source may be another one. `one`: the entity in that place, 0: all of its table.
static bool is_seen_from(
    walk_t *walk, const step_t *step, ecs__spot_t at, ecs_entity_t one, ecs_id_t id) {
    if (walk->then) return sees_another(walk, step, at.table, at.row, id);
    if (walk->emission->notice.is_inverted) return true; /* there should be nothing to see */
    if (one) return ecs__search_above(walk->store, one, id, step->rel) == walk->source;
    if (ecs__sparse_matters(walk->store, id, step->rel))
        return ecs__search_above_table(at.table, id, step->rel) == walk->source;
    ecs__found_t found;
    return ecs__search_up(at.table, id, step->rel, false, true, 0, 0, &found) &&
           found.source == walk->source;
}

ecs_entity_t ecs__below_shown_base(const ecs_table_t *table, ecs_id_t id) {
    return table->flags & EcsTableHasIsA && ecs__id_is_inherited(table->store, id)
               ? ecs__search_above_table(table, id, Ecs__IsA)
               : 0;
}

// What an entity has beside its table hides what is above.
static uint64_t hidden_by(const walk_t *walk, ecs_entity_t entity, uint64_t ids) {
    uint64_t hidden = 0;
    for (uint64_t left = walk->store->has_sparse ? ids : 0; left; left &= left - 1) {
        ecs_id_t id = walk->ids[__builtin_ctzll(left)];
        if (ecs__sparse_find(walk->store, entity, id)) hidden |= left & -left;
    }
    return hidden;
}

// Ids of which those below are told.
static uint64_t told_behind(const walk_t *walk, const step_t *step, uint64_t behind) {
    return walk->emission->events->looks_past ? step->ids : step->ids & ~behind;
}

// `hides`: ids of the step that are hidden by what the table of the entity has, or inherits.
static void walk_below_entity(
    walk_t *walk, const step_t *step, ecs_entity_t entity, uint64_t hides) {
    if (!(ecs__entity_marks(&walk->store->entities, entity) & EcsEntityIsTraversable)) return;
    const uint64_t behind = step->behind | hides | hidden_by(walk, entity, step->ids & ~hides);
    const uint64_t ids = told_behind(walk, step, behind);
    if (!ids) return;
    push(walk, step->rel, entity, ids, behind, step->depth + 1);
    /* What an instance has itself nobody below it sees of its base. */
    const uint64_t shown = ids & ~behind;
    const ecs_vec_t *rels = &walk->emission->events->rels;
    for (int32_t r = 0; step->rel == Ecs__IsA && shown && r < ecs_vec_count(rels); r++) {
        ecs_entity_t rel = *ecs_vec_get_t(rels, ecs_entity_t, r);
        if (rel != Ecs__IsA) push(walk, rel, entity, shown, 0, 1);
    }
}

static void walk_below(walk_t *walk, const step_t *step, const ecs_table_t *table, uint64_t hides) {
    if (!table->traversable_count || !told_behind(walk, step, step->behind | hides)) return;
    for (int32_t row = 0; row < table->count; row++)
        walk_below_entity(walk, step, table->entities[row], hides);
}

static bool hides_by_base(const step_t *step, const ecs_table_t *table, ecs_id_t id) {
    return step->rel != Ecs__IsA && table->traversable_count && ecs__below_shown_base(table, id);
}

// The rows of a table; or `one` entity, whose edge is beside its table.
static void walk_rows(
    walk_t *walk, const step_t *step, ecs_table_t *table, ecs_entity_t one, bool is_exclusive) {
    const uint64_t place = one ? (uint64_t)(uint32_t)one << 1 | 1 : table->id << 1;
    if (ecs__events_end_alone(walk->emission->events, table)) return;
    if (!is_exclusive && !visit(walk, place, step->rel)) return;
    uint64_t hides = 0;
    for (uint64_t left = step->ids; left; left &= left - 1) {
        const ecs_id_t id = walk->ids[__builtin_ctzll(left)];
        const ecs__spot_t at =
            one ? ecs__entity_spot(&walk->store->entities, one) : (ecs__spot_t){ table, 0 };
        view_t view = { step->behind & left & -left,
            one ? ecs__has_own(at, id) : ecs__table_has(table, id) };
        if (view.has_own || hides_by_base(step, at.table, id)) hides |= left & -left;
        if (!is_exclusive) view.is_hidden |= !is_seen_from(walk, step, at, one, id);
        if (view.is_hidden && step->rel == Ecs__IsA && !walk->then) hides |= left & -left;
        if (view.is_hidden && !walk->emission->events->looks_past) continue;
        if (one)
            tell_rows(walk, step, at.table, at.row, 1, id, view);
        else if (table->count)
            tell_table(walk, step, table, id, view);
    }
    if (one)
        walk_below_entity(walk, step, one, hides);
    else
        walk_below(walk, step, table, hides);
}

static void walk_step(walk_t *walk, const step_t *step) {
    const ecs_component_record_t *record =
        ecs__id_record_get(walk->store, ECS__MAKE_PAIR(step->rel, step->entity));
    if (!record) return;
    bool is_exclusive = record->flags & EcsIdExclusive && !walk->then;
    ecs_table_t *table;
    int32_t from = 0;
    while ((table = ecs__id_record_next_table(record, &from, false)))
        walk_rows(walk, step, table, 0, is_exclusive);
    for (int32_t i = 0; ecs__id_may_be_beside(record) && i < ecs__sparse_count(record); i++) {
        const ecs_entity_t one = ecs__sparse_holders(record)[i].entity;
        table = ecs__entity_spot(&walk->store->entities, one).table;
        walk_rows(walk, step, table, one, is_exclusive);
    }
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
    ecs__events_t *events = walk->emission->events;
    for (int32_t i = 0; i < ecs_vec_count(&walk->steps); i++) {
        step_t step = *ecs_vec_get_t(&walk->steps, step_t, i);
        walk_step(walk, &step);
    }
    ecs__spare_give(&events->steps, walk->steps);
    if (walk->has_visited) ecs__spare_give_map(&events->visited, walk->visited);
}

static void walk_from(walk_t *walk, ecs_entity_t entity, uint64_t ids) {
    walk->source = walk->changed = entity;
    walk->has_visited = false;
    walk->steps = ecs__spare_take(&walk->emission->events->steps);
    const ecs_vec_t *rels = &walk->emission->events->rels;
    for (int32_t r = 0; r < ecs_vec_count(rels); r++) {
        ecs_entity_t rel = *ecs_vec_get_t(rels, ecs_entity_t, r);
        if (rel != Ecs__IsA) push(walk, rel, entity, ids, 0, 1);
    }
    // Children of instances see what instances inherit, also when nobody looks up IsA itself.
    uint64_t inherited = inherited_only(walk, ids);
    if (inherited) push(walk, Ecs__IsA, entity, inherited, 0, 1);
    walk_steps(walk);
}

// ---- who begins one ----

// Up to 64 ids at a time.
static void propagate_some(ecs__emission_t *emission, const ecs_id_t *ids, int32_t count) {
    const ecs__notice_t *notice = &emission->notice;
    walk_t walk = { .emission = emission, .store = &emission->events->world->store, .ids = ids };
    uint64_t wanted = 0;
    for (int32_t i = 0; i < count; i++) {
        if (ids[i] == Ecs__Any || !wants_above(emission, ids[i])) continue;
        if (ecs__id_is_found_along(walk.store, ids[i], Ecs__ChildOf)) wanted |= ID_BIT(i);
    }
    if (!wanted) return;
    for (int32_t row = notice->row; row < notice->row + notice->count; row++) {
        ecs_entity_t entity = notice->table->entities[row];
        if (ecs__entity_marks(&walk.store->entities, entity) & EcsEntityIsTraversable)
            walk_from(&walk, entity, wanted);
    }
}

void ecs__below_tell(ecs__emission_t *emission) {
    if (!ecs_vec_count(&emission->events->rels)) return;
    for (int32_t i = 0; i < emission->id_count; i += 64) {
        propagate_some(emission, emission->ids + i, ECS_MIN(64, emission->id_count - i));
    }
}

// Those below an entity see the source through it. Instances inherit what a base shows, and those below them see it.
static void walk_from_viewer(walk_t *walk, const ecs__waiter_t *waiter, ecs_entity_t entity,
    const ecs__notice_t *notice, int32_t depth, bool only_heirs) {
    const ecs_entity_t rel = ecs__waiter_term(waiter)->trav;
    walk->store = &walk->emission->events->world->store;
    walk->ids = &notice->id;
    walk->source = notice->source;
    walk->changed = entity;
    walk->only = waiter;
    if (!(ecs__entity_marks(&walk->store->entities, entity) & EcsEntityIsTraversable)) return;
    walk->steps = ecs__spare_take(&walk->emission->events->steps);
    if (!only_heirs) push(walk, rel, entity, 1, 0, depth + 1);
    bool is_inherited = !depth && ecs__id_is_inherited(walk->store, notice->id);
    if (is_inherited && rel != Ecs__IsA) push(walk, Ecs__IsA, entity, 1, 0, 1);
    walk_steps(walk);
}

// Unless something nearer hides it; who looks past that finds out.
void ecs__below_tell_one(ecs__emission_t *emission, const ecs__waiter_t *waiter,
    const ecs__notice_t *notice, int32_t depth, bool is_revealed) {
    const ecs_table_t *table = notice->table;
    const ecs_term_t *term = ecs__waiter_term(waiter);
    if (!table->traversable_count) return;
    const bool is_hidden =
        ecs__table_has(table, notice->id) ||
        (depth && term->trav != Ecs__IsA && ecs__below_shown_base(table, notice->id));
    if (is_hidden && !ecs__term_looks_past(term)) return;
    for (int32_t row = notice->row; row < notice->row + notice->count; row++) {
        walk_t walk = { .emission = emission, .revealed = is_revealed ? depth : 0 };
        walk_from_viewer(&walk, waiter, table->entities[row], notice, depth, false);
    }
}

void ecs__below_tell_heirs(
    ecs__emission_t *emission, const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    for (int32_t row = notice->row; row < notice->row + notice->count; row++) {
        walk_t walk = { .emission = emission };
        walk_from_viewer(&walk, waiter, notice->table->entities[row], notice, 0, true);
    }
}

void ecs__below_tell_besides(
    ecs__emission_t *emission, const ecs__waiter_t *waiter, const ecs__notice_t *notice) {
    const ecs_term_t *term = ecs__waiter_term(waiter);
    const ecs__store_t *store = notice->table->store;
    if (!notice->table->traversable_count || term->max_depth || ecs__term_looks_past(term)) return;
    if (ecs__id_is_wildcard(notice->id) || !ecs__id_is_found_along(store, notice->id, term->trav))
        return;
    for (int32_t row = notice->row; row < notice->row + notice->count; row++) {
        const ecs_entity_t entity = notice->table->entities[row];
        const ecs__instead_t then = ecs__notice_instead(notice, entity);
        walk_t walk = { .emission = emission, .then = &then };
        walk_from_viewer(&walk, waiter, entity, notice, 0, ecs__has_one_target(store, term->trav));
    }
}
