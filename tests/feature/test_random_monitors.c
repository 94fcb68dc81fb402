// SPDX-License-Identifier: MIT
// Monitors and observers of random queries, in random worlds: who matches before and after a change decides who is told (OBS-02, OBS-03).
// Components in tables and beside them, tags that can be switched off, pairs of all kinds of relationships; of $this, of a constant, and
// of what is above.
#include "support/world.h"

#include "support/random.h"

enum {
    COUNT = 6,
    QUERIES = 10,
    STEPS = 60,
    NOBODY = COUNT
}; /* NOBODY: the query is not about $this */

// Flags, of which SPARSE to TOGGLED_VALUE have values; relationships; targets.
enum { FOO, BAR, THIN, TOGGLED, SPARSE, NODE, THIN_VALUE, TOGGLED_VALUE, FLAGS };
enum { SPARSE_VALUES = SPARSE, RELS = FLAGS, ENDS = RELS + 6, NAMES = ENDS + 3 };
static const char *const names[NAMES] = { "Foo", "Bar", "Thin", "Toggled", "Sparse", "Node",
    "ThinValue", "ToggledValue", "Rel", "Only", "Union", "Beside", "Spread", "Value", "A", "B",
    "C" };

typedef int counts_t[COUNT + 1][2]; /* [0]: enters, or is added, [1]: leaves, or is removed */
typedef bool matches_t[COUNT + 1];

typedef struct watch_t {
    char expr[256];
    ecs_query_t *query;
    counts_t monitored, observed;
    matches_t before, after;
} watch_t;

static ecs_world_t *world;
static ecs_entity_t entities[COUNT], ids[NAMES], In; /* a second way up, in tables or beside them */
static watch_t watches[QUERIES];
static random_t dice;
static bool has_tree, has_bases, has_switches;

static int below(int limit) { return random_below(&dice, limit); }
static const char *one_of(const char *const *texts, int count) { return texts[below(count)]; }
static const char *flag(void) { return one_of(names, FLAGS); }
static const char *relationship(void) { return one_of(&names[RELS], ENDS - RELS); }

// ---- queries ----

static const char *end(void) {
    static const char *const ends[] = { "A", "B", "*", "_" };
    return one_of(ends, 4);
}

static void write_own(char *out, const char *oper, bool is_constant) {
    const char *source = is_constant ? "bob" : "$this";
    if (below(2))
        sprintf(out, "%s%s(%s, %s)", oper, relationship(), source, end());
    else
        sprintf(out, "%s%s(%s)", oper, flag(), source);
}

static void write_above(char *out, const char *oper) {
    static const char *const ways[] = { "up", "self|up", "up In", "self|up In" };
    if (below(2))
        sprintf(out, "%s%s(%s, %s)", oper, relationship(), one_of(ways, 4), end());
    else
        sprintf(out, "%s%s(%s)", oper, flag(), one_of(ways, 4));
}

static void write_term(char *out, const char *oper) {
    if (has_tree && !below(3))
        write_above(out, oper);
    else
        write_own(out, oper, !below(3));
}

static void write_more(char *out) {
    static const char *const opers[] = { "", "!", "!", "?" };
    char a[64], b[64];
    if (below(7)) {
        write_term(out, one_of(opers, 4));
        return;
    }
    write_term(a, "");
    write_term(b, one_of(opers, 3));
    sprintf(out, "%s{ %s, %s }", below(2) ? "!" : "", a, b);
}

// What asks for nothing is not told of entities that begin or end without ids: the first term must hold.
static void write_query(char *out) {
    static const char *const opers[] = { "", "", "!" };
    const bool is_constant = !below(4);
    write_own(out, is_constant ? one_of(opers, 3) : "", is_constant);
    if (!is_constant && !below(5)) sprintf(out + strlen(out), " || %s", flag());
    for (int more = below(3); more > 0; more--) {
        char term[160];
        if (is_constant)
            write_own(term, one_of(opers, 3), true);
        else
            write_more(term);
        sprintf(out + strlen(out), ", %s", term);
    }
}

// ---- who matches, and who was told ----

static int index_of(ecs_entity_t entity) {
    int i = 0;
    while (i < COUNT && entities[i] != entity) i++;
    return i;
}

static void hear(ecs_iter_t *it) {
    int(*counts)[2] = it->ctx;
    const bool leaves = it->event == EcsOnRemove;
    if (!it->count) counts[NOBODY][leaves]++;
    for (int i = 0; i < it->count; i++) {
        const int e = index_of(it->entities[i]);
        if (e < COUNT) counts[e][leaves]++;
    }
}

static void find(const ecs_query_t *query, matches_t matches) {
    memset(matches, 0, sizeof(matches_t));
    ecs_iter_t it = ecs_query_iter(world, query);
    while (ecs_query_next(&it)) {
        if (!it.count) matches[NOBODY] = true;
        for (int i = 0; i < it.count; i++) {
            const int e = index_of(it.entities[i]);
            if (e < COUNT) matches[e] = true;
        }
    }
}

static void watch(watch_t *w) {
    *w = (watch_t){ 0 };
    write_query(w->expr);
    w->query = ecs_query(world, { .expr = w->expr });
    assert_non_null(w->query);
    ecs_observer(world,
        { .query.expr = w->expr, .events = { EcsMonitor }, .callback = hear, .ctx = w->monitored });
    ecs_observer(world, { .query.expr = w->expr,
                            .events = { EcsOnAdd, EcsOnRemove },
                            .callback = hear,
                            .ctx = w->observed });
    find(w->query, w->before);
}

static void make_world(void) {
    const ecs_id_t traits[NAMES] = { [THIN] = EcsDontFragment,
        [TOGGLED] = EcsCanToggle,
        [SPARSE] = EcsSparse,
        [THIN_VALUE] = EcsDontFragment,
        [TOGGLED_VALUE] = EcsCanToggle,
        [RELS + 1] = EcsExclusive,
        [RELS + 2] = EcsUnion,
        [RELS + 3] = EcsDontFragment,
        [RELS + 4] = ecs_pair(EcsRelationship, EcsSparse) };
    world = ecs_mini();
    for (int i = 0; i < NAMES; i++) {
        ids[i] = ecs_entity(world, { .name = names[i] });
        if ((i >= SPARSE_VALUES && i < FLAGS) || i == ENDS - 1)
            ecs_set(world, ids[i], EcsComponent, { 4, 4 });
        if (traits[i]) ecs_add_id(world, ids[i], traits[i]);
    }
    const ecs_id_t kinds_of_in[] = { EcsTraversable, EcsDontFragment, EcsUnion };
    In = ecs_entity(world, { .name = "In", .add = ecs_ids(EcsTraversable, kinds_of_in[below(3)]) });
    for (int i = 0; i < COUNT; i++) entities[i] = ecs_new(world);
    ecs_set_name(world, entities[0], "bob");
    for (int q = 0; q < QUERIES; q++) watch(&watches[q]);
}

// ---- changes ----

static ecs_id_t any_id(void) {
    if (below(2)) return ids[below(FLAGS)];
    return ecs_pair(ids[RELS + below(ENDS - RELS)], ids[ENDS + below(NAMES - ENDS)]);
}

static void change_target(ecs_entity_t entity, ecs_entity_t rel, ecs_entity_t target) {
    if (below(3))
        ecs_add_pair(world, entity, rel, target);
    else
        ecs_remove_pair(world, entity, rel, EcsWildcard);
}

// What would be several changes that follow each other is not among them.
static void change(bool is_alone) {
    const int e = below(COUNT), other = below(COUNT);
    const ecs_entity_t entity = entities[e];
    const ecs_id_t value = ids[SPARSE_VALUES + below(FLAGS - SPARSE_VALUES)];
    switch (below(12)) {
    case 0: ecs_set_id(world, entity, value, 4, &(int32_t){ e }); break;
    case 1:
        if (has_tree && other < e) change_target(entity, EcsChildOf, entities[other]);
        break;
    case 2:
        if (has_bases && other < e) change_target(entity, EcsIsA, entities[other]);
        break;
    case 3:
        if (has_switches) ecs_enable_id(world, entity, ids[TOGGLED], below(2));
        break;
    case 4:
        if (e && is_alone && !below(4)) ecs_delete(world, entity);
        break;
    case 5:
        if (e && is_alone) ecs_clear(world, entity);
        break;
    case 6:
        if (has_tree && other < e) change_target(entity, In, entities[other]);
        break;
    case 7:
    case 8:
    case 9: ecs_add_id(world, entity, any_id()); break;
    default: ecs_remove_id(world, entity, any_id()); break;
    }
}

// ---- runs ----

static void check(const watch_t *w, int e, bool is_alone) {
    const bool before = w->before[e], after = w->after[e];
    const int *monitor = w->monitored[e], *observer = w->observed[e];
    bool is_right = before + monitor[0] - monitor[1] == after;
    if (is_alone) is_right &= monitor[0] + monitor[1] == (before != after);
    if (is_alone && !has_switches)
        is_right &= observer[0] >= (after && !before) && observer[1] >= (before && !after) &&
                    (after || !observer[0]) && (before || !observer[1]);
    if (!is_right)
        fail_msg("'%s': %d before, %d after, monitor %d and %d times, observer %d and %d", w->expr,
            before, after, monitor[0], monitor[1], observer[0], observer[1]);
}

static void check_all(bool is_alone) {
    for (int q = 0; q < QUERIES; q++) {
        watch_t *w = &watches[q];
        find(w->query, w->after);
        for (int e = 0; e <= COUNT; e++) check(w, e, is_alone);
        memcpy(w->before, w->after, sizeof w->before);
        memset(w->monitored, 0, sizeof w->monitored);
        memset(w->observed, 0, sizeof w->observed);
    }
}

static void run(bool is_deferred, int changes) {
    for (int step = 0; step < STEPS; step++) {
        if (is_deferred) ecs_defer_begin(world);
        for (int i = 0; i < changes; i++) change(changes == 1);
        if (is_deferred) ecs_defer_end(world);
        check_all(changes == 1);
        for (int i = 0; i < COUNT; i++)
            if (!ecs_is_alive(world, entities[i])) entities[i] = ecs_new(world);
    }
}

// An instance that adds its own switched-off id is no news to monitors: there are bases, or switches.
static void monitors_follow_random_queries(void **state) {
    (void)state;
    const uint64_t seed = random_seed();
    for (int try = 0; try < random_tries(90); try++) {
        dice = random_init(seed + (uint64_t)try);
        has_tree = !below(3);
        has_bases = !below(3);
        has_switches = !has_bases && below(2);
        make_world();
        run(try % 3, try % 3 == 2 ? 4 : 1);
        assert_true(ecs_world_verify(world));
        assert_int_equal(ecs_fini(world), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(monitors_follow_random_queries) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
