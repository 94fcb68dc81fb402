// SPDX-License-Identifier: MIT
// Random queries with variables, Not, Or and scopes over random worlds: cached and uncached results equal those of a naive evaluator,
// which tries every value for every variable and asks ecs_has_id. No two queries are alike; some live through several edits. Q-VAR-09, Q-VAR-17, Q-SCP-15.
#include <string.h>

#include "query_scene.h"
#include "random.h"
#include "shrink.h"
#include "texts.h"

enum {
    ENTITIES = 7,
    TAGS = 3,
    RELATIONS = 2,
    VARS = 4,
    TERMS = 5,
    RUNS = 30,
    QUERIES = 1000,
    EDITS = 5, /* and comparisons, of each eighth query; others see one */
    TUPLES = ENTITIES * ENTITIES * ENTITIES * ENTITIES
};

// Variables: 0 = $this, 1.. = $x, $y, $z.
typedef struct term_t {
    bool is_not, is_or, is_pair;
    int source, target; /* target < 0: the entity ~target */
    int first;          /* number of a tag or relation */
} term_t;

typedef struct scope_t {
    term_t terms[TERMS];
    int count;
} scope_t;

typedef struct query_t {
    scope_t outer, inner; /* inner: !{ … }, if it has terms */
    char text[1024];
    ecs_query_t *cached, *uncached;
} query_t;

// How often each tuple of values of the variables is a result; last, how often a value is missing.
typedef struct results_t {
    unsigned char counts[TUPLES + 1];
} results_t;

typedef struct model_t {
    ecs_world_t *world;
    random_t random;
    ecs_entity_t entities[ENTITIES], tags[TAGS], relations[RELATIONS];
    query_t query;
    bool has_tag[ENTITIES][TAGS], has_pair[ENTITIES][RELATIONS][ENTITIES];
} model_t;

static int below(model_t *m, int count) { return (int)random_below(&m->random, (uint32_t)count); }

// ---- naive evaluation ----

// Asks ecs_has_id once for all that the evaluator looks at.
static void look(model_t *m) {
    for (int e = 0; e < ENTITIES; e++) {
        ecs_entity_t entity = m->entities[e];
        for (int i = 0; i < TAGS; i++) m->has_tag[e][i] = ecs_has_id(m->world, entity, m->tags[i]);
        for (int i = 0; i < RELATIONS * ENTITIES; i++) {
            ecs_id_t id = ecs_pair(m->relations[i / ENTITIES], m->entities[i % ENTITIES]);
            m->has_pair[e][i / ENTITIES][i % ENTITIES] = ecs_has_id(m->world, entity, id);
        }
    }
}

static bool has(const model_t *m, const term_t *term, const int *values) {
    int source = values[term->source];
    if (!term->is_pair) return m->has_tag[source][term->first];
    int target = term->target < 0 ? ~term->target : values[term->target];
    return m->has_pair[source][term->first][target];
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
    char *first = ecs_get_path(m->world, (term->is_pair ? m->relations : m->tags)[term->first]);
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
    term.first = term.is_pair ? below(m, RELATIONS) : below(m, TAGS);
    if (term.is_pair) term.target = below(m, 4) ? below(m, VARS) : ~below(m, ENTITIES);
    return term;
}

// Alternatives mention only what other terms of the query bind: what else they mean is tested with dependent variables.
static void add_chain(model_t *m, scope_t *scope) {
    if (scope->count + 2 > TERMS || below(m, 3)) return;
    for (int i = 0; i < 2; i++) {
        scope->terms[scope->count++] = (term_t){ .is_or = i == 0, .first = below(m, TAGS) };
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

static void write_query(const model_t *m, query_t *q) {
    q->text[0] = '\0';
    append_scope(m, &q->outer, q->text, sizeof(q->text));
    if (!q->inner.count) return;
    strcat(q->text, ", !{ ");
    append_scope(m, &q->inner, q->text, sizeof(q->text));
    strcat(q->text, " }");
}

static void make_query(model_t *m, query_t *q) {
    do {
        *q = (query_t){ 0 };
        int count = 1 + below(m, 3);
        while (q->outer.count < count) q->outer.terms[q->outer.count++] = make_term(m);
    } while (!has_positive(&q->outer, 0));
    add_chain(m, &q->outer);
    if (below(m, 3)) return;
    int count = 1 + below(m, 3);
    while (q->inner.count < count) q->inner.terms[q->inner.count++] = make_term(m);
    add_chain(m, &q->inner);
}

static bool begin_query(const model_t *m, query_t *q) {
    write_query(m, q);
    ecs_query_desc_t desc = { .expr = q->text, .cache_kind = EcsQueryCacheNone };
    q->uncached = ecs_query_init(m->world, &desc);
    desc.cache_kind = EcsQueryCacheAuto;
    q->cached = ecs_query_init(m->world, &desc);
    return q->uncached && q->cached;
}

static void end_query(query_t *q) {
    ecs_query_fini(q->cached);
    ecs_query_fini(q->uncached);
}

// ---- comparison ----

static int index_of(const model_t *m, ecs_entity_t e) {
    for (int i = 0; i < ENTITIES; i++) {
        if (m->entities[i] == e) return i;
    }
    return -1;
}

static void count_result(
    const model_t *m, const ecs_iter_t *it, ecs_entity_t e, unsigned vars, results_t *out) {
    int values[VARS] = { index_of(m, e) };
    for (int v = 1; v < VARS; v++) {
        int32_t var = ecs_query_find_var(it->query, var_names[v]);
        values[v] = var < 0 ? 0 : index_of(m, ecs_iter_get_var((ecs_iter_t *)it, var));
    }
    for (int v = 0; v < VARS; v++) {
        if (vars >> v & 1 && values[v] < 0) {
            out->counts[TUPLES]++;
            return;
        }
    }
    out->counts[number_of(values, vars)]++;
}

static results_t results(const model_t *m, const query_t *q, ecs_query_t *query) {
    results_t out = { 0 };
    ecs_iter_t it = ecs_query_iter(m->world, query);
    while (ecs_query_next(&it)) {
        for (int i = 0; i < it.count; i++)
            count_result(m, &it, it.entities[i], positive_vars(&q->outer), &out);
    }
    return out;
}

static results_t naive_results(model_t *m, const query_t *q) {
    look(m);
    results_t out = { 0 };
    int values[VARS] = { 0 };
    unsigned vars = positive_vars(&q->outer);
    evaluate(m, q, vars, vars, values, out.counts);
    return out;
}

static bool differs(void *model) {
    model_t *m = model;
    results_t naive = naive_results(m, &m->query);
    results_t uncached = results(m, &m->query, m->query.uncached);
    if (memcmp(&naive, &uncached, sizeof(naive))) return true;
    results_t cached = results(m, &m->query, m->query.cached);
    return memcmp(&naive, &cached, sizeof(naive));
}

// ---- a small counterexample ----

static bool drop_term(void *model, int i) {
    model_t *m = model;
    query_t *q = &m->query, smaller = *q;
    bool is_inner = i >= q->outer.count;
    scope_t *scope = is_inner ? &smaller.inner : &smaller.outer;
    if (is_inner) i -= q->outer.count;
    if (i && !scope->terms[i].is_or) scope->terms[i - 1].is_or = false;
    scope->count--;
    memmove(&scope->terms[i], &scope->terms[i + 1], sizeof(term_t) * (size_t)(scope->count - i));
    if (!has_positive(&smaller.outer, 0)) return false;
    end_query(q);
    *q = smaller;
    return begin_query(m, q);
}

static void print_results(const query_t *q, const char *title, const results_t *r) {
    unsigned vars = positive_vars(&q->outer);
    print_error("%s:", title);
    for (int i = 0; i < TUPLES; i++) {
        int left = i, values[VARS];
        for (int v = VARS; v-- > 0; left /= ENTITIES) values[v] = left % ENTITIES;
        for (int v = 0; r->counts[i] && v < VARS; v++) {
            if (vars >> v & 1) print_error(" $%s=e%d", var_names[v], values[v]);
        }
        if (r->counts[i]) print_error(" (%dx);", r->counts[i]);
    }
    print_error(" %d without a value\n", r->counts[TUPLES]);
}

static void fail_small(model_t *m) {
    query_t *q = &m->query;
    ecs_id_t ids[TAGS + RELATIONS * ENTITIES];
    int count = 0;
    for (int i = 0; i < TAGS; i++) ids[count++] = m->tags[i];
    for (int i = 0; i < RELATIONS * ENTITIES; i++)
        ids[count++] = ecs_pair(m->relations[i / ENTITIES], m->entities[i % ENTITIES]);
    shrink_t s = { m, differs, q->outer.count + q->inner.count, drop_term, m->world, m->entities,
        ids, ENTITIES, count };
    shrink(&s);
    print_error("'%s'\n", q->text);
    shrink_print_world(&s);
    results_t naive = naive_results(m, q), cached = results(m, q, q->cached),
              uncached = results(m, q, q->uncached);
    print_results(q, "cached  ", &cached);
    print_results(q, "uncached", &uncached);
    print_results(q, "naive   ", &naive);
    fail();
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

static void make_fresh_query(model_t *m, texts_t *texts) {
    do {
        make_query(m, &m->query);
        write_query(m, &m->query);
    } while (!texts_add(texts, m->query.text));
    if (!begin_query(m, &m->query)) fail_msg("'%s' is no query", m->query.text);
}

// Tables become many, so a world does not live for ever.
static void run(uint64_t seed, texts_t *texts) {
    model_t m = { .world = ecs_mini(), .random = random_init(seed) };
    make_things(&m);
    for (int i = 0; i < 30; i++) edit(&m);
    for (int i = 0; i < QUERIES; i++) {
        make_fresh_query(&m, texts);
        for (int k = i % 8 ? EDITS - 1 : 0; k < EDITS; k++) {
            edit(&m);
            if (differs(&m)) fail_small(&m);
        }
        end_query(&m.query);
    }
    assert_int_equal(ecs_fini(m.world), 0);
}

static void results_equal_those_of_a_naive_evaluator(void **state) {
    (void)state;
    uint64_t seed = random_seed();
    texts_t texts = { 0 };
    for (int i = 0; i < random_tries(RUNS); i++) run(seed + (uint64_t)i, &texts);
    print_message("%d queries, no two alike\n", texts_fini(&texts));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(
        results_equal_those_of_a_naive_evaluator) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
