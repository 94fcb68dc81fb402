// SPDX-License-Identifier: MIT
// order: which goal comes next.
//
// A goal can be placed when nothing that is still to come should bind its variables first: conditions (Not, scopes, comparisons) wait for
// all who can, Optionals and alternatives for goals that must hold. Of those that can be placed, the one with the fewest candidates comes
// next; few candidates count alike (cost.h), plain terms come first then, and others by position. A variable is dependent when only Optionals
// and alternatives connect it to $this or a constant, and one of them is the first that may give it a value: then goals that must
// hold wait for those, and are skipped where it got no value; so are those that use what a skipped one would be the first to find.
// Terms that nothing connects to $this or a constant do not depend on the others: the first of them that must hold begins there.
#include "base/assert.h"
#include "query/graph/cost.h"

typedef struct unit_t {
    int16_t first, last; /* terms; more than one: chain, or a scope */
    bool is_plan, is_chain;
    bool is_condition; /* binds nothing */
    bool is_inner;     /* a scope that has to hold */
    bool is_optional;
    uint64_t vars, sources, entities;
    uint64_t must; /* have to be known before */
} unit_t;

typedef struct order_t {
    ecs__solver_t *solver;
    unit_t units[FLECS_TERM_COUNT_MAX + 1];
    int32_t count;
    uint64_t bound, maybe;
    uint64_t rows; /* $this, while it stands for several rows */
    /* Step that takes these apart for the sake of their order alone; -1: none. */
    int32_t sorted_each;
    uint64_t dependent;
    ecs__step_t steps[3 * (FLECS_TERM_COUNT_MAX + 1)];
    int32_t step_count;
} order_t;

// ---- units ----

// Inside a scope rows are not taken apart.
static void describe_scope(ecs__solver_t *solver, const ecs__goal_t *goal, unit_t *unit) {
    const ecs__goal_t *goals = solver->graph->goals;
    for (const ecs__goal_t *inner = goal + 1; inner < goals + goal->end; inner++) {
        if (ecs__goal_is_by_entity(solver, inner))
            unit->entities |= ecs__ref_bit(&inner->src) & ECS__THIS_BIT;
    }
    unit->is_condition = true;
    unit->is_inner = goal->term->oper == EcsAnd;
    unit->must |= goal->vars & ECS__THIS_BIT;
}

static void describe_goal(ecs__solver_t *solver, const ecs__goal_t *goal, unit_t *unit) {
    const ecs_term_t *term = goal->term;
    bool is_not = term->oper == EcsNot;
    unit->vars |= goal->vars;
    unit->entities |= goal->entities;
    if (ecs__goal_is_by_entity(solver, goal)) unit->entities |= ecs__ref_bit(&goal->src);
    unit->must |= is_not ? goal->lookups & ECS__THIS_BIT : goal->lookups;
    switch ((ecs__goal_kind_t)goal->kind) {
    case ECS__GOAL_ID:
    case ECS__GOAL_MEMBER:
        unit->is_condition = is_not;
        unit->is_optional = term->oper == EcsOptional;
        if (is_not || unit->is_optional) unit->must |= goal->vars & ECS__THIS_BIT;
        if (!is_not) unit->sources |= goal->sources;
        if (!is_not) unit->must |= goal->vars & ~goal->sources;
        return;
    case ECS__GOAL_EQUAL:
        unit->is_condition = is_not;
        unit->sources |= goal->sources;
        if (is_not) unit->must |= goal->vars;
        return;
    case ECS__GOAL_SCOPE: describe_scope(solver, goal, unit); return;
    default: unit->is_condition = true; unit->must |= goal->vars;
    }
}

static void describe_chain(ecs__solver_t *solver, unit_t *unit) {
    const ecs__graph_t *graph = solver->graph;
    bool finds_this = true;
    for (int32_t i = unit->first; i <= unit->last; i++) {
        const ecs__goal_t *goal = &graph->goals[i];
        unit_t one = { 0 };
        describe_goal(solver, goal, &one);
        unit->vars |= one.vars;
        unit->sources |= one.sources;
        unit->entities |= one.entities;
        unit->must |= one.must;
        bool is_equal = goal->kind == ECS__GOAL_EQUAL;
        if (!(one.sources & ECS__THIS_BIT) || (one.entities & ECS__THIS_BIT && !is_equal))
            finds_this = false;
        if (goal->kind == ECS__GOAL_SCOPE) i = goal->end;
    }
    if (!finds_this) unit->must |= unit->vars & ECS__THIS_BIT;
    unit->sources &= ~unit->must;
}

static void list_units(order_t *order, int32_t first, int32_t last) {
    const ecs__graph_t *graph = order->solver->graph;
    for (int32_t i = first; i <= last; i++) {
        const ecs__goal_t *goal = &graph->goals[i];
        if (goal->kind == ECS__GOAL_NONE) continue;
        unit_t *unit = &order->units[order->count];
        *unit = (unit_t){ .first = (int16_t)i, .last = goal->end };
        if (goal->chain > goal->end && goal->chain <= last) {
            unit->last = goal->chain;
            unit->is_chain = true;
            describe_chain(order->solver, unit);
        } else {
            describe_goal(order->solver, goal, unit);
        }
        bool is_idle = goal->kind == ECS__GOAL_ID && goal->src.kind == ECS__REF_NONE;
        if (!is_idle) order->count++;
        i = unit->last;
    }
}

static bool must_hold(const unit_t *unit) {
    return !unit->is_condition && !unit->is_optional && !unit->is_chain;
}

static bool has_constant(const ecs__graph_t *graph, const unit_t *unit) {
    int32_t i = unit->is_plan ? unit->last + 1 : unit->first;
    while (i <= unit->last && graph->goals[i].src.kind != ECS__REF_ENTITY) i++;
    return i <= unit->last;
}

// What is the first to use a variable, unless it is conditional.
static uint64_t used_by(const unit_t *unit) {
    if (unit->is_inner) return unit->vars;
    return must_hold(unit) ? unit->sources : 0;
}

// A goal that must hold, but is skipped where a dependent variable has no value: what it is the first to mention depends on it in turn.
static bool is_dependent(const order_t *order, const unit_t *unit) {
    return must_hold(unit) && unit->vars & order->dependent;
}

static void spread_dependence(order_t *order, uint64_t used) {
    for (int32_t i = 0; i < order->count && order->dependent; i++) {
        const unit_t *unit = &order->units[i];
        if (is_dependent(order, unit)) order->dependent |= unit->sources & ~used;
        used |= used_by(unit);
    }
}

// What goals connect with `known`: those that must hold, or (`by_any`) all that may give values.
static uint64_t connect(const order_t *order, uint64_t known, bool by_any) {
    uint64_t before;
    do {
        before = known;
        for (int32_t i = 0; i < order->count; i++) {
            const unit_t *unit = &order->units[i];
            const bool connects = by_any ? !unit->is_condition : must_hold(unit);
            if (connects && unit->vars & known) known |= unit->vars;
        }
    } while (before != known);
    return known;
}

// What neither $this nor a constant is connected with in any way stands for itself: the first goal there that must hold begins.
static uint64_t begin_apart(const order_t *order, uint64_t connected, uint64_t reached) {
    for (int32_t i = 0; i < order->count; i++) {
        const unit_t *unit = &order->units[i];
        reached = connect(order, reached | connected, true);
        if (must_hold(unit) && !(unit->vars & reached)) connected |= unit->vars;
    }
    return connect(order, connected, false);
}

static void find_dependents(order_t *order) {
    uint64_t connected = 0, reached = 0, open = 0, used = 0;
    for (int32_t i = 0; i < order->count; i++) {
        const unit_t *unit = &order->units[i];
        connected |= unit->vars & (order->bound | ECS__THIS_BIT);
        if (unit->is_optional || unit->is_chain) open |= unit->vars & ~used;
        used |= used_by(unit);
        if (unit->is_condition || !has_constant(order->solver->graph, unit)) continue;
        reached |= unit->vars;
        if (must_hold(unit)) connected |= unit->vars;
    }
    order->dependent = 0;
    if (!open) return;
    connected = begin_apart(order, connected, reached);
    order->dependent = open & ~connected;
    spread_dependence(order, connected);
}

// ---- choosing ----

static uint64_t unknown(const order_t *order, uint64_t vars) {
    return vars & ~(order->bound | order->maybe);
}

// A scope that has to hold does so for any value of what is mentioned later only.
static bool comes_before(const unit_t *scope, const unit_t *other) {
    return scope->is_inner && scope->first < other->first;
}

// A goal that is skipped where an optional term found nothing.
static bool may_be_skipped(const order_t *order, const unit_t *unit) {
    return must_hold(unit) && unit->vars & order->maybe;
}

static uint64_t bound_by_others(const order_t *order, const unit_t *unit, bool by_any) {
    uint64_t sources = 0;
    for (int32_t i = 0; i < order->count; i++) {
        const unit_t *other = &order->units[i];
        if (other == unit || (!by_any && may_be_skipped(order, other))) continue;
        if (by_any) sources |= other->must; // goes through everything, if need be
        if (must_hold(other)) sources |= other->must & ~order->dependent;
        if (other->is_condition) continue;
        uint64_t found = other->sources;
        if (other->is_optional || other->is_chain) {
            if (!by_any || comes_before(unit, other)) continue;
        } else if (!by_any) {
            found &= ~order->dependent;
        }
        sources |= found;
    }
    return sources;
}

// Equality needs one side, a reflexive relationship one end.
static bool needs_one_end(const order_t *order, const unit_t *unit) {
    if (unit->is_chain || unit->is_plan) return false;
    const ecs__goal_t *goal = &order->solver->graph->goals[unit->first];
    bool is_equal = goal->kind == ECS__GOAL_EQUAL;
    if (!is_equal && !(goal->kind == ECS__GOAL_ID && goal->reflexive)) return false;
    bool is_open = goal->src.kind == ECS__REF_ANY || unknown(order, ecs__ref_bit(&goal->src));
    return is_open && unknown(order, ecs__ref_bit(&goal->second));
}

static bool may_leave_unset(const order_t *order, const unit_t *unit) {
    return unit->is_optional || unit->is_chain || is_dependent(order, unit);
}

// What one leaves unset, those behind it take as unset: they come in the order in which they are written.
static bool waits_for_values(const order_t *order, const unit_t *unit, uint64_t open) {
    open &= order->dependent;
    for (int32_t i = 0; i < order->count && open; i++) {
        const unit_t *other = &order->units[i];
        bool is_before = may_leave_unset(order, other) && other->first < unit->first;
        if (is_before && other->sources & open) return true;
    }
    return false;
}

static bool waits_for_scopes(const order_t *order, const unit_t *unit) {
    for (int32_t i = 0; i < order->count; i++) {
        const unit_t *other = &order->units[i];
        if (comes_before(other, unit) && other->vars & unit->vars & ~ECS__THIS_BIT) return true;
    }
    return false;
}

static bool can_be_placed(const order_t *order, const unit_t *unit) {
    uint64_t open = unknown(order, unit->vars);
    if (unit->is_plan) return true;
    if (unknown(order, unit->must)) return false;
    if (unit->is_condition) return !(open & bound_by_others(order, unit, true));
    if (waits_for_values(order, unit, open)) return false;
    if (unit->is_optional || unit->is_chain)
        return !waits_for_scopes(order, unit) &&
               !(open & ~order->dependent & bound_by_others(order, unit, false));
    if (may_be_skipped(order, unit) && open & bound_by_others(order, unit, false)) return false;
    return !(open & ~unit->sources) && !needs_one_end(order, unit);
}

// Who is found by an id beside tables costs as much as so many rows that are sifted for it (sift.h).
#define SIFTED_ROWS 64

static int64_t sources_of(const order_t *order, const ecs__goal_t *goal) {
    const int64_t sources = ecs__cost_of_sources(order->solver, goal);
    bool finds_tables = false;
    for (int32_t i = 0; i < order->count; i++) finds_tables |= order->units[i].is_plan;
    return finds_tables && ecs__sift_can_ask(goal) ? sources * SIFTED_ROWS : sources;
}

// Twice as many sources of a target count as one more, so that no order hangs on a few.
static int64_t cost_of_finding(const order_t *order, const ecs__goal_t *goal) {
    int64_t sources = ecs__cost_of_target(order->solver, goal), cost = 20;
    for (sources = ecs__cost_beyond_few(sources); sources && cost < 49; sources /= 2) cost++;
    return cost;
}

// Lower comes first; below 20, what needs no search.
static int64_t cost_of(const order_t *order, const unit_t *unit) {
    const ecs__solver_t *solver = order->solver;
    uint64_t open = unknown(order, unit->vars);
    if (unit->is_plan) {
        if (ecs__solver_goes_by_table(solver)) return -3;
        if (!open) return 1;
        return 90 + ecs__cost_beyond_few(solver->graph->has_beside ? ecs__cost_of_rows(solver)
                                                                   : ecs__cost_of_tables(solver));
    }
    if (unit->is_condition) return open ? 3 : 0;
    if (unit->is_chain) return open & ECS__THIS_BIT ? 5000 : 50;
    if (unit->is_optional) return 60;
    const ecs__goal_t *goal = &solver->graph->goals[unit->first];
    if (!open) return 1;
    if (goal->is_ordered && open & ECS__THIS_BIT) return -2;
    if (goal->kind == ECS__GOAL_EQUAL) return goal->term->second.id & EcsIsName ? 90 : 2;
    const bool has_source = !(open & ecs__ref_bit(&goal->src));
    if (has_source) return 4;
    // No index has values: all are looked at, so better once than for each way of others.
    if (goal->kind == ECS__GOAL_MEMBER) return 100;
    uint64_t known = unit->vars & ~open;
    return known ? cost_of_finding(order, goal)
                 : 100 + ecs__cost_beyond_few(sources_of(order, goal));
}

// ---- steps ----

static ecs__step_t *add_step(order_t *order, ecs__step_kind_t kind) {
    ecs__step_t *step = &order->steps[order->step_count++];
    *step = (ecs__step_t){ .kind = (uint8_t)kind };
    return step;
}

static void add_each(order_t *order, uint64_t entities) {
    if (entities & ECS__THIS_BIT && order->sorted_each >= 0)
        order->steps[order->sorted_each].with_empty = false;
    if (!(entities & order->rows)) return;
    ecs__step_t *step = add_step(order, ECS__STEP_EACH);
    step->uses = step->binds = ECS__THIS_BIT;
    order->rows = 0;
}

// Rows that are sorted have their ways one row after the other, lest the order begins again with each way.
static void add_sorted_each(order_t *order) {
    const ecs__cache_t *cache = order->solver->cache;
    if (!cache || !cache->sort || !order->rows) return;
    add_each(order, ECS__THIS_BIT);
    order->sorted_each = order->step_count - 1;
    order->steps[order->sorted_each].with_empty = order->solver->with_empty;
}

// Nothing to find, or the one target of an exclusive relationship.
static bool has_one_way(const order_t *order, const unit_t *unit) {
    const ecs__goal_t *goal = &order->solver->graph->goals[unit->first];
    uint64_t open = unknown(order, unit->vars);
    if (unit->is_chain || ecs__goal_has_ways(goal)) return false;
    if (!open) return true;
    const ecs_component_record_t *pairs = ecs__id_record_get(order->solver->store, goal->id);
    return goal->is_direct && open == ecs__ref_bit(&goal->second) &&
           !(goal->term->src.id & EcsUp) && pairs && pairs->flags & EcsIdExclusive;
}

static void bind_this(order_t *order, const unit_t *unit, uint64_t open) {
    if (!(open & ECS__THIS_BIT)) return;
    bool is_one = !unit->is_plan && unit->entities & ECS__THIS_BIT;
    order->rows = is_one ? 0 : ECS__THIS_BIT;
}

// An alternative before is about one of the rows that this one finds. Returns the end of its steps.
static int16_t add_each_of(ecs__solver_t *solver) {
    solver->steps[solver->step_count++] =
        (ecs__step_t){ .kind = ECS__STEP_EACH, .uses = ECS__THIS_BIT, .binds = ECS__THIS_BIT };
    return (int16_t)solver->step_count;
}

static bool may_be_skipped_whole(const ecs__step_t *alternatives, int32_t count) {
    while (count && alternatives[count - 1].maybe) count--;
    return !count;
}

static void add_chain(order_t *order, const unit_t *unit) {
    ecs__solver_t *solver = order->solver;
    const ecs__graph_t *graph = solver->graph;
    ecs__step_t alternatives[FLECS_TERM_COUNT_MAX];
    int32_t count = 0;
    uint64_t always = ~0ull, open = unknown(order, unit->vars), sometimes = 0;
    const bool was_in_chain = solver->in_chain;
    bool has_equal = false;
    solver->in_chain = true;
    for (int32_t i = unit->first; i <= unit->last; i = graph->goals[i].end + 1) {
        const ecs__goal_t *goal = &graph->goals[i];
        ecs__step_t *step = &alternatives[count++];
        *step = (ecs__step_t){
            .kind = ECS__STEP_SCOPE, .goal = (int16_t)i, .maybe = goal->vars & order->maybe
        };
        ecs__solver_order(solver, i, goal->end, order->bound, order->maybe, order->rows,
            &step->begin, &step->end);
        if (has_equal && open & ECS__THIS_BIT) step->end = add_each_of(solver);
        has_equal |= goal->kind == ECS__GOAL_EQUAL;
        step->binds = goal->kind == ECS__GOAL_SCOPE ? 0 : goal->vars & open;
        always &= step->binds;
        sometimes |= step->binds;
    }
    solver->in_chain = was_in_chain;
    ecs__step_t *chain = add_step(order, ECS__STEP_CHAIN);
    chain->goal = unit->first;
    chain->begin = (int16_t)solver->step_count;
    for (int32_t i = 0; i < count; i++) solver->steps[solver->step_count++] = alternatives[i];
    chain->end = (int16_t)solver->step_count;
    if (open & ECS__THIS_BIT) order->rows = ECS__THIS_BIT;
    if (may_be_skipped_whole(alternatives, count)) always = 0;
    order->bound |= always;
    order->maybe |= sometimes & ~always;
}

static void add_scope(order_t *order, const unit_t *unit) {
    ecs__solver_t *solver = order->solver;
    const ecs__goal_t *goal = &solver->graph->goals[unit->first];
    int16_t begin, end;
    ecs__solver_order(solver, unit->first + 1, goal->end - 1, order->bound, order->maybe,
        order->rows, &begin, &end);
    ecs__step_t *step = add_step(order, ECS__STEP_SCOPE);
    step->goal = unit->first;
    step->maybe = unit->vars & order->maybe;
    step->begin = begin;
    step->end = end;
    step->is_test = true;
}

// A variable takes what the source has itself and what it finds above, which takes a longer search,
// if there is someone above who has such pairs.
static bool may_find_above(
    const ecs__store_t *store, const ecs__goal_t *goal, const ecs__step_t *step) {
    const ecs_term_t *term = goal->term;
    if (!step->is_open || !(term->src.id & EcsUp)) return false;
    const ecs_component_record_t *pairs =
                                     ecs__id_record_get(store, ecs__id_any_to_wildcard(term->id)),
                                 *above = ecs__id_record_get(
                                     store, ECS__MAKE_PAIR(term->trav, Ecs__Wildcard));
    return ecs__id_is_above(pairs) && above && above->table_live;
}

// Which goals are run in which way.
static void set_kind(const ecs__store_t *store, ecs__step_t *step, const ecs__goal_t *goal,
    uint64_t open, bool in_chain, bool by_entity) {
    step->is_open = open & ecs__ref_bit(&goal->second);
    bool is_direct = goal->is_direct && !step->maybe && !in_chain && !by_entity &&
                     !may_find_above(store, goal, step),
         finds_source = open & ecs__ref_bit(&goal->src);
    step->is_asked = is_direct && !finds_source;
    if (goal->term->oper == EcsNot) {
        step->kind = ECS__STEP_NOT;
        step->is_test = true;
    } else if (goal->term->oper == EcsOptional) {
        step->kind = ECS__STEP_OPTIONAL;
    } else if (is_direct) {
        if (step->is_asked) step->kind = ECS__STEP_ASK;
        step->is_found = finds_source;
        step->is_test = !open;
    }
}

// Nobody below whom the name is found makes it hold: a scope that goes through all values.
static void add_not_by_name(order_t *order, const unit_t *unit, uint64_t open) {
    ecs__solver_t *solver = order->solver;
    const uint64_t lookups = open & solver->graph->goals[unit->first].lookups;
    ecs__step_t *scope = add_step(order, ECS__STEP_SCOPE);
    scope->goal = unit->first;
    scope->maybe = unit->vars & order->maybe;
    scope->is_test = true;
    scope->begin = (int16_t)solver->step_count;
    for (uint64_t vars = lookups; vars; vars &= vars - 1)
        solver->steps[solver->step_count++] = (ecs__step_t){
            .kind = ECS__STEP_ALL, .var = (int8_t)__builtin_ctzll(vars), .binds = vars & -vars
        };
    solver->steps[solver->step_count++] = (ecs__step_t){
        .kind = ECS__STEP_GOAL, .goal = unit->first, .uses = unit->vars, .binds = open & ~lookups
    };
    scope->end = (int16_t)solver->step_count;
}

static void add_goal(order_t *order, const unit_t *unit) {
    const ecs__goal_t *goal = &order->solver->graph->goals[unit->first];
    uint64_t open = unknown(order, unit->vars);
    if (goal->term->oper == EcsNot && open & goal->lookups) {
        add_not_by_name(order, unit, open);
        return;
    }
    ecs__step_t *step = add_step(order, ECS__STEP_GOAL);
    step->goal = unit->first;
    step->maybe = unit->vars & order->maybe;
    const ecs__solver_t *solver = order->solver;
    set_kind(solver->store, step, goal, open, solver->in_chain, solver->instead.entity);
    if (unit->is_condition) return;
    bind_this(order, unit, open);
    if (unit->is_optional || step->maybe)
        order->maybe |= open;
    else
        order->bound |= open;
}

// A list of the tables that match is worth going through if it is the order of results, or much shorter than that of the rarest id.
static bool prefers_cache(const order_t *order) {
    const ecs__cache_t *cache = order->solver->cache;
    return ecs__solver_goes_by_table(order->solver) ||
           (cache && 2 * (int64_t)cache->now.count < ecs__cost_of_tables(order->solver));
}

static void add_plan_step(order_t *order) {
    const ecs__solver_t *solver = order->solver;
    const bool is_open = unknown(order, ECS__THIS_BIT);
    ecs__step_t *step = add_step(order, ECS__STEP_PLAN);
    step->is_plain = ecs__plan_is_plain_now(solver->plan) && !(is_open && prefers_cache(order));
    step->is_test = step->is_plain && !is_open;
}

static void place(order_t *order, int32_t at) {
    unit_t unit = order->units[at];
    for (int32_t i = at + 1; i < order->count; i++) order->units[i - 1] = order->units[i];
    order->count--;
    const uint64_t before = order->bound | order->maybe;
    bool has_ways = !unit.is_plan && !unit.is_condition && !has_one_way(order, &unit);
    if (!unit.is_plan) add_each(order, unit.entities);
    if (has_ways) add_sorted_each(order);
    if (unit.is_plan) {
        add_plan_step(order);
        bind_this(order, &unit, unknown(order, ECS__THIS_BIT));
        order->bound |= ECS__THIS_BIT;
    } else if (unit.is_chain) {
        add_chain(order, &unit);
    } else if (order->solver->graph->goals[unit.first].kind == ECS__GOAL_SCOPE) {
        add_scope(order, &unit);
    } else {
        add_goal(order, &unit);
    }
    ecs__step_t *step = &order->steps[order->step_count - 1];
    step->uses = unit.vars;
    step->binds = (order->bound | order->maybe) & ~before;
    if (step->kind == ECS__STEP_PLAN && !step->is_test)
        step->binds = ECS__THIS_BIT; // takes rows apart
}

// Nobody can find a variable that is needed: it goes through everything. $this first; what only
// conditions mention may have any value there.
static void add_all(order_t *order) {
    uint64_t open = 0;
    for (int32_t i = 0; i < order->count; i++) open |= unknown(order, order->units[i].must);
    for (int32_t i = 0; i < order->count && !open; i++) {
        if (!order->units[i].is_condition) open = unknown(order, order->units[i].vars);
    }
    for (int32_t i = 0; i < order->count && !open; i++) open = unknown(order, order->units[i].vars);
    ecs__assert(open != 0, "the goals of a query wait for each other");
    int8_t var = (int8_t)__builtin_ctzll(open);
    add_sorted_each(order);
    ecs__step_t *step = add_step(order, ECS__STEP_ALL);
    step->var = var;
    step->binds = ECS__VAR_BIT(var);
    order->bound |= ECS__VAR_BIT(var);
    if (var == ECS__VAR_THIS) order->rows = ECS__THIS_BIT;
}

static int32_t choose(const order_t *order) {
    int32_t best = -1;
    int64_t best_cost = INT64_MAX;
    for (int32_t i = 0; i < order->count; i++) {
        if (!can_be_placed(order, &order->units[i])) continue;
        int64_t cost = cost_of(order, &order->units[i]);
        if (cost >= best_cost) continue;
        best = i;
        best_cost = cost;
    }
    return best;
}

// The outermost sequence has the plain terms too.
static void add_plan(order_t *order) {
    const ecs__plan_t *plan = order->solver->plan;
    if (plan->scan) add_step(order, ECS__STEP_FIXED);
    bool needs_tables = ecs__plan_finds_tables(plan) || ecs__solver_goes_by_table(order->solver);
    if (!needs_tables || plan->scan == plan->count) return;
    order->units[order->count++] = (unit_t){
        .first = -1, .last = -1, .is_plan = true, .vars = ECS__THIS_BIT, .sources = ECS__THIS_BIT
    };
}

void ecs__solver_order(ecs__solver_t *solver, int32_t first, int32_t last, uint64_t bound,
    uint64_t maybe, uint64_t rows, int16_t *begin, int16_t *end) {
    order_t order; // large: what is not counted yet is left as it is
    order.solver = solver;
    order.count = order.step_count = 0;
    order.bound = bound;
    order.maybe = maybe;
    order.rows = rows;
    order.sorted_each = -1;
    bool is_outermost = !solver->has_begun;
    solver->has_begun = true;
    if (is_outermost) add_plan(&order);
    list_units(&order, first, last);
    find_dependents(&order);
    while (order.count) {
        int32_t next = choose(&order);
        if (next < 0)
            add_all(&order);
        else
            place(&order, next);
    }
    *begin = (int16_t)solver->step_count;
    for (int32_t i = 0; i < order.step_count; i++)
        solver->steps[solver->step_count++] = order.steps[i];
    *end = (int16_t)solver->step_count;
}
