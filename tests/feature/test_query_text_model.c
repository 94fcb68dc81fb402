// SPDX-License-Identifier: MIT
// Random texts of nearly all the language over random worlds with trees, bases, switches, values beside tables and a transitive
// relationship: cached and uncached results equal each other and those of naive_query.h, where that knows the terms. Q-CAC-07, Q-VAR-09.
#include <string.h>

#include "naive_query.h"
#include "random.h"
#include "shrink.h"
#include "texts.h"

enum { ENTITIES = 6, RUNS = 40, QUERIES = 250, TEXT = 512 };

typedef struct model_t {
    ecs_world_t *world;
    random_t random;
    ecs_entity_t entities[ENTITIES];
    char text[TEXT];
    unsigned bound; /* variables that terms before bind for certain: 1 = $x, 2 = $y */
} model_t;

static int below(model_t *m, int count) { return (int)random_below(&m->random, (uint32_t)count); }

// ---- texts ----

static const char *const tags[] = { "T0", "T1", "Off", "Loose" };
static const char *const relations[] = { "R0", "R1", "Mood", "In", "Far" };
static const char *const variables[] = { "$this", "$x", "$y" };

static void put(model_t *m, const char *format, const char *a, const char *b, const char *c) {
    size_t length = strlen(m->text);
    snprintf(m->text + length, TEXT - length, format, a, b, c);
}

static const char *any_entity(model_t *m) {
    static const char *const names[ENTITIES] = { "e0", "e1", "e2", "e3", "e4", "e5" };
    return names[below(m, ENTITIES)];
}

static const char *any_source(model_t *m, bool certain) {
    int which = below(m, 10);
    if (which > 3) return "$this";
    if (which == 3) return any_entity(m);
    int var = 1 + which % 2;
    if (certain) m->bound |= 1u << (var - 1);
    return variables[var];
}

static const char *any_target(model_t *m, bool certain) {
    int which = below(m, 12);
    if (which < 4) return any_entity(m);
    if (which == 4) return "_";
    if (which == 5) return "*";
    if (which == 6) return "$this";
    int var = 1 + which % 2;
    if (certain) m->bound |= 1u << (var - 1);
    return variables[var];
}

static const char *any_walk(model_t *m) {
    static const char *const walks[] = { "|self", "|up P", "|self|up P", "|down P", "|self|down P",
        "|up(P, 1)", "|up(P, 2, 3)", "|self|up(P, 2)", "|down(P, 1)" };
    return below(m, 4) ? "" : walks[below(m, 9)];
}

static void put_term(model_t *m, const char *source, bool certain) {
    const char *walk = any_walk(m);
    if (below(m, 2))
        put(m, "%s(%s%s)", tags[below(m, 4)], source, walk);
    else {
        const char *target = any_target(m, certain);
        put(m, "%s(%s%s, ", relations[below(m, 5)], source, walk);
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
        put(m, "%s|%s", from[below(m, 3)], any_entity(m), "");
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
    static const char *const names[] = { "T0", "T1", "Off", "Loose", "R0", "R1", "Mood", "In",
        "Far", "P" };
    static const char *const traits[] = { NULL, NULL, "EcsCanToggle", "EcsDontFragment", NULL, NULL,
        "EcsUnion", "EcsTransitive", "EcsDontFragment", "EcsTraversable, EcsExclusive" };
    char name[16];
    m->world = ecs_mini();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) make(m->world, names[i], traits[i]);
    for (int i = 0; i < ENTITIES; i++) {
        snprintf(name, sizeof name, "e%d", i);
        m->entities[i] = make(m->world, name, NULL);
    }
}

static ecs_entity_t named(const model_t *m, const char *name) { return ecs_lookup(m->world, name); }

// Along trees, bases and places targets come earlier in the list: no cycles.
static void edit(model_t *m) {
    int i = below(m, ENTITIES), which = below(m, 16);
    ecs_entity_t e = m->entities[i], other = m->entities[below(m, ENTITIES)];
    ecs_entity_t earlier = i ? m->entities[below(m, i)] : 0;
    ecs_id_t id = named(m, tags[below(m, 4)]);
    if (which < 6)
        id = ecs_pair(named(m, relations[below(m, 3)]), other);
    else if (which < 11 && which != 7 && !earlier)
        return;
    else if (which == 6)
        id = ecs_pair(named(m, "In"), earlier);
    else if (which == 7)
        id = ecs_pair(named(m, "Far"), other);
    else if (which < 10)
        id = ecs_pair(named(m, "P"), earlier);
    else if (which == 10)
        id = ecs_isa(earlier);
    if (which == 15 && ecs_owns_id(m->world, e, named(m, "Off")))
        ecs_enable_id(m->world, e, named(m, "Off"), below(m, 2));
    else if (below(m, 3))
        ecs_add_id(m->world, e, id);
    else
        ecs_remove_id(m->world, e, id);
}

// ---- comparison ----

static char *results_once(const ecs_query_t *q) {
    static lines_t lines;
    lines.count = 0;
    ecs_iter_t it = ecs_query_iter(q->world, q);
    while (ecs_iter_next(&it)) {
        for (int i = 0; i < it.count; i++) {
            add_line(&lines, &it, it.entities[i]);
        }
    }
    return unique_lines(&lines);
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
        char *a = results_once(uncached), *b = results_once(cached);
        char *naive = naive_results(uncached, m->entities, ENTITIES);
        expect_equal(m, "uncached and cached results differ:", a, b);
        if (naive) expect_equal(m, "found, and naive results differ:", a, naive);
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
