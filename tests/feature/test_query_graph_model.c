// SPDX-License-Identifier: MIT
// Random queries with variables, Not, Or and scopes over random worlds: cached and uncached results equal those of a naive evaluator,
// which tries every value for every variable and asks ecs_has_id. Q-VAR-09, Q-VAR-17, Q-SCP-15.
#include <stdlib.h>
#include <string.h>

#include "query_scene.h"
#include "random.h"

enum {
    ENTITIES = 7,
    TAGS = 3,
    RELATIONS = 2,
    VARS = 4,
    TERMS = 5,
    STEPS = 1500,
    TUPLES = ENTITIES * ENTITIES * ENTITIES * ENTITIES
};

/* Variables: 0 = $this, 1.. = $x, $y, $z. */
typedef struct term_t {
    bool is_not, is_or, is_pair;
    int source, target; /* target < 0: the entity ~target */
    ecs_id_t first;
} term_t;

typedef struct scope_t {
    term_t terms[TERMS];
    int count;
} scope_t;

typedef struct query_t {
    scope_t outer, inner; /* inner: !{ … }, if it has terms */
    char text[1024];
} query_t;

typedef struct model_t {
    ecs_world_t *world;
    random_t random;
    ecs_entity_t entities[ENTITIES], tags[TAGS], relations[RELATIONS];
} model_t;

static int below(model_t *m, int count) { return (int)random_below(&m->random, (uint32_t)count); }

// ---- naive evaluation ----

static bool has(const model_t *m, const term_t *term, const int *values) {
    ecs_entity_t source = m->entities[values[term->source]];
    if (!term->is_pair) return ecs_has_id(m->world, source, term->first);
    int target = term->target < 0 ? ~term->target : values[term->target];
    return ecs_has_id(m->world, source, ecs_pair(term->first, m->entities[target]));
}

static unsigned vars_of(const term_t *term) {
    return 1u << term->source | (term->is_pair && term->target >= 0 ? 1u << term->target : 0);
}

static unsigned positive_vars(const scope_t *scope) {
    unsigned vars = 0;
    for (int i = 0; i < scope->count; i++) {
        if (!scope->terms[i].is_not) vars |= vars_of(&scope->terms[i]);
    }
    return vars;
}

// Tries all values of the variables in `open`.
static bool exists(
    const model_t *m, const scope_t *scope, const term_t *term, unsigned open, int *values);

static bool scope_holds(const model_t *m, const scope_t *scope, unsigned bound, int *values) {
    for (int i = 0; i < scope->count; i++) {
        const term_t *term = &scope->terms[i];
        if (term->is_not) {
            if (exists(m, NULL, term, vars_of(term) & ~bound, values)) return false;
            continue;
        }
        bool result = has(m, term, values);
        while (scope->terms[i].is_or) result |= has(m, &scope->terms[++i], values);
        if (!result) return false;
    }
    return true;
}

static bool try_values(const model_t *m, const scope_t *scope, const term_t *term, unsigned left,
    unsigned bound, int *values) {
    if (!left) return term ? has(m, term, values) : scope_holds(m, scope, bound, values);
    int var = __builtin_ctz(left);
    for (values[var] = 0; values[var] < ENTITIES; values[var]++) {
        if (try_values(m, scope, term, left & (left - 1), bound, values)) return true;
    }
    return false;
}

static bool exists(
    const model_t *m, const scope_t *scope, const term_t *term, unsigned open, int *values) {
    int copy[VARS];
    memcpy(copy, values, sizeof(copy));
    return try_values(m, scope, term, open, 0, copy);
}

static bool inner_holds(const model_t *m, const query_t *q, unsigned bound, const int *values) {
    int copy[VARS];
    memcpy(copy, values, sizeof(copy));
    unsigned inner = positive_vars(&q->inner);
    return try_values(m, &q->inner, NULL, inner & ~bound, bound | inner, copy);
}

static int number_of(const int *values, unsigned vars) {
    int number = 0;
    for (int v = 0; v < VARS; v++) number = number * ENTITIES + (vars >> v & 1 ? values[v] : 0);
    return number;
}

static void evaluate(const model_t *m, const query_t *q, unsigned vars, unsigned left, int *values,
    unsigned char *counts) {
    if (left) {
        int var = __builtin_ctz(left);
        for (values[var] = 0; values[var] < ENTITIES; values[var]++)
            evaluate(m, q, vars, left & (left - 1), values, counts);
        return;
    }
    if (!scope_holds(m, &q->outer, vars, values)) return;
    if (q->inner.count && inner_holds(m, q, vars, values)) return;
    counts[number_of(values, vars)]++;
}

// ---- random queries ----

static const char *const var_names[VARS] = { "this", "x", "y", "z" };

static void write_term(const model_t *m, char *out, size_t size, const term_t *term) {
    char *first = ecs_get_path(m->world, term->first);
    char target[64] = "";
    if (term->is_pair && term->target < 0)
        snprintf(target, sizeof(target), ", e%d", ~term->target);
    else if (term->is_pair)
        snprintf(target, sizeof(target), ", $%s", var_names[term->target]);
    snprintf(
        out, size, "%s%s($%s%s)", term->is_not ? "!" : "", first, var_names[term->source], target);
    ecs_os_free(first);
}

static term_t make_term(model_t *m) {
    term_t term = { .is_not = !below(m, 4),
        .is_pair = below(m, 3) > 0,
        .source = below(m, 2) ? 0 : below(m, VARS) };
    term.first = term.is_pair ? m->relations[below(m, RELATIONS)] : m->tags[below(m, TAGS)];
    if (term.is_pair) term.target = below(m, 4) ? below(m, VARS) : ~below(m, ENTITIES);
    return term;
}

// Alternatives mention only what other terms of the query bind: what else they mean is tested with dependent variables.
static void add_chain(model_t *m, scope_t *scope) {
    if (scope->count + 2 > TERMS || below(m, 3)) return;
    for (int i = 0; i < 2; i++) {
        scope->terms[scope->count++] =
            (term_t){ .is_or = i == 0, .first = m->tags[below(m, TAGS)] };
    }
}

static void append_scope(const model_t *m, const scope_t *scope, char *text, size_t size) {
    for (int i = 0; i < scope->count; i++) {
        char term[256];
        write_term(m, term, sizeof(term), &scope->terms[i]);
        const char *separator = !i ? "" : scope->terms[i - 1].is_or ? " || " : ", ";
        size_t length = strlen(text);
        snprintf(text + length, size - length, "%s%s", separator, term);
    }
}

static bool has_positive(const scope_t *scope, int var) { return positive_vars(scope) >> var & 1; }

static void make_query(model_t *m, query_t *q) {
    do {
        *q = (query_t){ 0 };
        int count = 1 + below(m, 3);
        while (q->outer.count < count) q->outer.terms[q->outer.count++] = make_term(m);
    } while (!has_positive(&q->outer, 0));
    add_chain(m, &q->outer);
    append_scope(m, &q->outer, q->text, sizeof(q->text));
    if (below(m, 3)) return;
    int count = 1 + below(m, 3);
    while (q->inner.count < count) q->inner.terms[q->inner.count++] = make_term(m);
    add_chain(m, &q->inner);
    strcat(q->text, ", !{ ");
    append_scope(m, &q->inner, q->text, sizeof(q->text));
    strcat(q->text, " }");
}

// ---- comparison ----

static int index_of(const model_t *m, ecs_entity_t e) {
    for (int i = 0; i < ENTITIES; i++) {
        if (m->entities[i] == e) return i;
    }
    return -1;
}

static void count_result(const model_t *m, ecs_iter_t *it, ecs_entity_t e, unsigned vars,
    unsigned char *counts, const char *text) {
    int values[VARS] = { index_of(m, e) };
    for (int v = 1; v < VARS; v++) {
        int32_t var = ecs_query_find_var(it->query, var_names[v]);
        values[v] = var < 0 ? 0 : index_of(m, ecs_iter_get_var(it, var));
    }
    for (int v = 0; v < VARS; v++) {
        if (vars >> v & 1 && values[v] < 0)
            fail_msg("'%s': variable %s has no value", text, var_names[v]);
    }
    counts[number_of(values, vars)]++;
}

static void compare(const model_t *m, const query_t *q, ecs_query_cache_kind_t kind,
    const unsigned char *expected, unsigned vars) {
    unsigned char counts[TUPLES] = { 0 };
    ecs_query_t *query =
        ecs_query_init(m->world, &(ecs_query_desc_t){ .expr = q->text, .cache_kind = kind });
    if (!query) fail_msg("'%s' is no query", q->text);
    ecs_iter_t it = ecs_query_iter(m->world, query);
    while (ecs_query_next(&it)) {
        for (int i = 0; i < it.count; i++)
            count_result(m, &it, it.entities[i], vars, counts, q->text);
    }
    for (int i = 0; i < TUPLES; i++) {
        if (counts[i] == expected[i]) continue;
        fail_msg("'%s' (%s): tuple %d comes %d times, expected %d", q->text,
            kind == EcsQueryCacheNone ? "uncached" : "cached", i, counts[i], expected[i]);
    }
    ecs_query_fini(query);
}

static void compare_all(const model_t *m, const query_t *q) {
    unsigned char expected[TUPLES] = { 0 };
    int values[VARS] = { 0 };
    unsigned vars = positive_vars(&q->outer);
    evaluate(m, q, vars, vars, values, expected);
    compare(m, q, EcsQueryCacheNone, expected, vars);
    compare(m, q, EcsQueryCacheAuto, expected, vars);
}

static void edit(model_t *m) {
    ecs_entity_t e = m->entities[below(m, ENTITIES)];
    ecs_id_t id = m->tags[below(m, TAGS)];
    if (below(m, 2))
        id = ecs_pair(m->relations[below(m, RELATIONS)], m->entities[below(m, ENTITIES)]);
    if (below(m, 2))
        ecs_add_id(m->world, e, id);
    else
        ecs_remove_id(m->world, e, id);
}

static void make_things(model_t *m) {
    char text[16];
    for (int i = 0; i < TAGS; i++) {
        snprintf(text, sizeof(text), "T%d", i);
        m->tags[i] = make(m->world, text, NULL);
    }
    for (int i = 0; i < RELATIONS; i++) {
        snprintf(text, sizeof(text), "R%d", i);
        m->relations[i] = make(m->world, text, NULL);
    }
    for (int i = 0; i < ENTITIES; i++) {
        snprintf(text, sizeof(text), "e%d", i);
        m->entities[i] = make(m->world, text, NULL);
    }
}

static void results_equal_those_of_a_naive_evaluator(void **state) {
    (void)state;
    model_t m = { .world = ecs_mini(), .random = random_init(random_seed()) };
    make_things(&m);
    for (int i = 0; i < 30; i++) edit(&m);
    for (int step = 0; step < STEPS; step++) {
        query_t q;
        edit(&m);
        make_query(&m, &q);
        compare_all(&m, &q);
    }
    assert_int_equal(ecs_fini(m.world), 0);
}

int main(void) {
    (void)kind_uncached;
    (void)kind_cached;
    const struct CMUnitTest tests[] = { cmocka_unit_test(
        results_equal_those_of_a_naive_evaluator) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
