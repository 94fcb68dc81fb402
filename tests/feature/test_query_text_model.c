// SPDX-License-Identifier: MIT
// Random texts of nearly all the language over random worlds with trees, bases, switches, values beside tables and a transitive
// relationship, members, kinds and wildcards as sources: cached and uncached results equal each other and those of naive_query.h, where
// that knows the terms, and have just the entities that ecs_query_has says. Q-CAC-07, Q-VAR-09, Q-NEW-15.
#include <string.h>

#include "naive_query.h"
#include "random.h"
#include "shrink.h"
#include "texts.h"

enum { TOPS = 6, ENTITIES = TOPS + 3, RUNS = 40, QUERIES = 250, TEXT = 512 };

typedef struct Orders {
    ecs_entity_t to, from;
} Orders;
static ECS_COMPONENT_DECLARE(Orders);

typedef struct model_t {
    ecs_world_t *world;
    random_t random;
    ecs_entity_t entities[ENTITIES];
    char text[TEXT];
    unsigned bound; /* variables that terms before bind for certain: 1 = $x, 2 = $y */
} model_t;

static int below(model_t *m, int count) { return (int)random_below(&m->random, (uint32_t)count); }

// ---- texts ----

enum { TAGS = 8, RELATIONS = 7 };
static const char *const tags[TAGS] = { "T0", "T1", "Off", "Loose", "Kind", "SubKind", "LooseKind",
    "Orders" };
static const char *const relations[RELATIONS] = { "R0", "R1", "Mood", "In", "Far", "Near",
    "FarKind" };
static const char *const variables[] = { "$this", "$x", "$y" };

static void put(model_t *m, const char *format, const char *a, const char *b, const char *c) {
    size_t length = strlen(m->text);
    snprintf(m->text + length, TEXT - length, format, a, b, c);
}

static const char *const names[ENTITIES] = { "e0", "e1", "e2", "e3", "e4", "e5", "e0.a", "e1.a",
    "e3.b" };

static const char *any_entity(model_t *m) { return names[below(m, ENTITIES)]; }

// `*` and `_` go through all the world; what they find are no values of variables.
static const char *any_source(model_t *m, bool certain) {
    static const char *const others[] = { "$this.a", "$x.a", "$this.b", "_", "*" };
    int which = below(m, 12);
    if (which == 11) return others[below(m, 5)];
    if (which > 3) return "$this";
    if (which == 3) return any_entity(m);
    int var = 1 + which % 2;
    if (certain) m->bound |= 1u << (var - 1);
    return variables[var];
}

static const char *any_target(model_t *m, bool certain) {
    static const char *const others[] = { "$this.a", "$y.b", "e4|self", "e5|up P", "e4|self|up P",
        "e5|self|up(P, 1)" };
    int which = below(m, 14);
    if (which < 4) return any_entity(m);
    if (which == 4) return "_";
    if (which == 5) return "*";
    if (which == 6) return "$this";
    if (which == 13) return others[below(m, 6)];
    int var = 1 + which % 2;
    if (certain) m->bound |= 1u << (var - 1);
    return variables[var];
}

static const char *any_walk(model_t *m) {
    static const char *const walks[] = { "|self", "|up P", "|self|up P", "|down P", "|self|down P",
        "|up(P, 1)", "|up(P, 2, 3)", "|self|up(P, 2)", "|down(P, 1)", "|up IsA", "|all|up P" };
    return below(m, 4) ? "" : walks[below(m, 11)];
}

// What is no name of a tag or relationship; members and marks look at the source itself.
static void put_rare(model_t *m, const char *source, bool certain) {
    switch (below(m, 4)) {
    case 0: put(m, "toggle|Off(%s)", source, "", ""); break;
    case 1: put(m, "Size(%s, @%s)", source, below(m, 2) ? "1" : "2", ""); break;
    default:
        put(m, "Orders.%s(%s%s, ", below(m, 2) ? "to" : "from", source,
            below(m, 4)   ? ""
            : below(m, 2) ? "|self"
                          : "|up IsA");
        put(m, "%s)", any_target(m, certain), "", "");
    }
}

static void put_term(model_t *m, const char *source, bool certain) {
    const char *walk = any_walk(m);
    if (!below(m, 9)) {
        put_rare(m, source, certain);
    } else if (below(m, 2)) {
        put(m, "%s%s(%s", tags[below(m, TAGS)], below(m, 9) ? "" : "|self", source);
        put(m, "%s)", walk, "", "");
    } else {
        const char *target = any_target(m, certain);
        put(m, "%s(%s%s, ", relations[below(m, RELATIONS)], source, walk);
        put(m, "%s)", target, "", "");
    }
}

static void put_comparison(model_t *m) {
    static const char *const operators[] = { "==", "!=" };
    const char *left = m->bound & 1 && below(m, 2) ? "$x" : "$this";
    switch (below(m, 4)) {
    case 0: put(m, "%s ~= \"%s\"", left, below(m, 2) ? "!1" : "e", ""); break;
    case 1: put(m, "%s %s %s", left, operators[below(m, 2)], any_entity(m)); break;
    case 2: put(m, "%s %s \"%s\"", left, operators[below(m, 2)], any_entity(m)); break;
    default: put(m, "%s %s %s", "$this", "!=", m->bound & 1 ? "$x" : any_entity(m));
    }
}

static void put_scope(model_t *m) {
    put(m, "%s{ ", below(m, 3) ? "!" : "", "", "");
    for (int i = 0, count = 1 + below(m, 2); i < count; i++) {
        if (i) put(m, ", ", "", "", "");
        if (!below(m, 4)) put(m, "!", "", "", "");
        put_term(m, any_source(m, false), false);
    }
    put(m, " }", "", "", "");
}

static void put_unit(model_t *m) {
    static const char *const from[] = { "and", "or", "not" };
    int which = below(m, 16);
    if (which == 0) {
        put_scope(m);
    } else if (which == 1) {
        put_comparison(m);
    } else if (which == 2) {
        put(m, "%s|%s($this%s)", from[below(m, 3)], any_entity(m),
            below(m, 2)   ? ""
            : below(m, 2) ? "|self"
                          : "|self|up P");
    } else if (which < 5) {
        put(m, which == 3 ? "!" : "?", "", "", "");
        put_term(m, any_source(m, false), false);
    } else if (which == 5) {
        const char *source = any_source(m, false);
        put_term(m, source, false);
        put(m, " || ", "", "", "");
        put_term(m, source, false);
    } else {
        put_term(m, any_source(m, true), true);
    }
}

// What binds $this comes first, so that results are among the entities that are tried.
static void make_text(model_t *m) {
    m->text[0] = '\0';
    m->bound = 0;
    put_term(m, "$this", true);
    for (int i = below(m, 4); i > 0; i--) {
        put(m, ", ", "", "", "");
        put_unit(m);
    }
}

// ---- worlds ----

static void make_world(model_t *m) {
    static const char *const things[][2] = { { "T0" }, { "T1" }, { "Off", "CanToggle" },
        { "Loose", "DontFragment" }, { "Kind" }, { "SubKind", "(IsA, Kind)" },
        { "LooseKind", "DontFragment, (IsA, Kind)" }, { "R0" }, { "R1" }, { "Mood", "EcsUnion" },
        { "In", "Transitive" }, { "Far", "DontFragment" }, { "Near", "Reflexive" },
        { "FarKind", "DontFragment, (IsA, R0)" }, { "Size" }, { "P", "Traversable, Exclusive" } };
    m->world = ecs_mini();
    ECS_IMPORT(m->world, FlecsMeta);
    ecs_id(Orders) = 0;
    ECS_COMPONENT_DEFINE(m->world, Orders);
    ecs_struct(m->world, { .entity = ecs_id(Orders),
                             .members = { { .name = "to", .type = ecs_id(ecs_entity_t) },
                                 { .name = "from", .type = ecs_id(ecs_entity_t) } },
                             .create_member_entities = true });
    for (size_t i = 0; i < sizeof things / sizeof *things; i++)
        make(m->world, things[i][0], things[i][1]);
    for (int i = 0; i < ENTITIES; i++) m->entities[i] = make(m->world, names[i], NULL);
}

static ecs_entity_t named(const model_t *m, const char *name) { return ecs_lookup(m->world, name); }

static ecs_id_t random_pair(model_t *m, ecs_entity_t target) {
    return target ? ecs_pair(named(m, relations[below(m, RELATIONS)]), target) : 0;
}

// Along trees, bases and places targets come earlier in the list: no cycles.
static ecs_id_t random_id(model_t *m, int i) {
    ecs_entity_t other = m->entities[below(m, ENTITIES)],
                 earlier = i ? m->entities[below(m, i)] : 0;
    int which = below(m, 15);
    if (which < 4) return named(m, tags[below(m, TAGS)]);
    if (which == 4) return ecs_value_pair(named(m, "Size"), (uint64_t)below(m, 2) + 1);
    if (which == 5) return ecs_pair(named(m, "Far"), other);
    if (which < 9) return ecs_pair(named(m, relations[below(m, 3)]), other);
    if (which < 11) return random_pair(m, earlier);
    if (which == 11) return earlier ? ecs_isa(earlier) : 0;
    return earlier ? ecs_pair(named(m, "P"), earlier) : 0;
}

static void edit(model_t *m) {
    int i = below(m, ENTITIES), which = below(m, 16);
    ecs_entity_t e = m->entities[i];
    ecs_id_t id = random_id(m, i);
    if (which == 15 && ecs_owns_id(m->world, e, named(m, "Off"))) {
        ecs_enable_id(m->world, e, named(m, "Off"), below(m, 2));
    } else if (which == 14) {
        ecs_set(m->world, e, Orders, { m->entities[below(m, ENTITIES)], m->entities[i] });
    } else if (id && below(m, 3)) {
        ecs_add_id(m->world, e, id);
    } else if (id) {
        ecs_remove_id(m->world, e, id);
    }
}

// ---- comparison ----

static bool is_ours(const model_t *m, ecs_entity_t e) {
    bool found = !e;
    for (int i = 0; i < ENTITIES; i++) found |= m->entities[i] == e;
    return found;
}

// Reflexive relationships hold for everything there is.
static bool has_ours(const model_t *m, ecs_iter_t *it, ecs_entity_t e) {
    bool found = is_ours(m, e);
    for (int v = 1; v < it->query->var_count; v++) found &= is_ours(m, ecs_iter_get_var(it, v));
    return found;
}

static char *results_once(const model_t *m, const ecs_query_t *q) {
    static lines_t lines;
    lines.count = 0;
    ecs_iter_t it = ecs_query_iter(q->world, q);
    while (ecs_iter_next(&it)) {
        for (int i = 0; i < it.count; i++) {
            if (lines.count == LINES) keep_unique(&lines);
            if (has_ours(m, &it, it.entities[i])) add_line(&lines, &it, it.entities[i]);
        }
    }
    return unique_lines(&lines);
}

// The entities of results are those that the query has.
static bool has_just_those(const model_t *m, const ecs_query_t *q) {
    bool found[ENTITIES] = { false }, is_equal = true;
    ecs_iter_t it = ecs_query_iter(q->world, q);
    while (ecs_iter_next(&it)) {
        for (int i = 0; i < it.count * ENTITIES; i++)
            found[i % ENTITIES] |= it.entities[i / ENTITIES] == m->entities[i % ENTITIES];
    }
    for (int i = 0; i < ENTITIES && q->flags & EcsQueryMatchThis; i++) {
        bool has = ecs_query_has(q, m->entities[i], &it);
        if (has) ecs_iter_fini(&it);
        is_equal &= has == found[i];
    }
    return is_equal;
}

static void print_world(const model_t *m) {
    for (int i = 0; i < ENTITIES; i++) {
        char *text = ecs_entity_str(m->world, m->entities[i]);
        print_error("  %s\n", text);
        ecs_os_free(text);
    }
}

static void expect_equal(const model_t *m, const char *what, const char *a, const char *b) {
    if (!strcmp(a, b)) return;
    print_error("'%s'\n", m->text);
    print_world(m);
    fail_msg("%s\n  %s\n  %s", what, a, b);
}

static bool check(model_t *m) {
    ecs_query_t *uncached = ecs_query(m->world, { .expr = m->text }),
                *cached = ecs_query(m->world, { .expr = m->text, .cache_kind = EcsQueryCacheAuto });
    bool is_known = false;
    assert_true(!uncached == !cached);
    for (int i = 0; uncached && i < 2; i++) {
        char *a = results_once(m, uncached), *b = results_once(m, cached);
        char *naive = naive_results(uncached, m->entities, ENTITIES);
        expect_equal(m, "uncached and cached results differ:", a, b);
        if (naive) expect_equal(m, "found, and naive results differ:", a, naive);
        if (naive && (!has_just_those(m, uncached) || !has_just_those(m, cached)))
            expect_equal(m, "ecs_query_has differs from:", "", a);
        is_known |= naive != NULL;
        ecs_os_free(a);
        ecs_os_free(b);
        ecs_os_free(naive);
        edit(m);
    }
    if (uncached) ecs_query_fini(uncached);
    if (cached) ecs_query_fini(cached);
    return is_known;
}

static void results_of_texts_are_equal(void **state) {
    (void)state;
    uint64_t seed = random_seed();
    texts_t texts = { 0 };
    int known = 0, level = ecs_log_set_level(-5);
    for (int r = 0; r < random_tries(RUNS); r++) {
        model_t m = { .random = random_init(seed + (uint64_t)r) };
        make_world(&m);
        for (int i = 0; i < 40; i++) edit(&m);
        for (int i = 0; i < QUERIES; i++) {
            do make_text(&m);
            while (!texts_add(&texts, m.text));
            known += check(&m);
        }
        assert_true(ecs_world_verify(m.world));
        assert_int_equal(ecs_fini(m.world), 0);
    }
    ecs_log_set_level(level);
    int tried = texts_fini(&texts);
    print_message("%d queries, no two alike, %d second opinions\n", tried, known);
    assert_true(known > tried / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(results_of_texts_are_equal) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
