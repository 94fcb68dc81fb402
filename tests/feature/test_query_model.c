// SPDX-License-Identifier: MIT
// Random queries over random worlds: cached results equal uncached ones, and both contain exactly
// the entities for which a naive evaluator, which looks at one entity and one term at a time, says
// so. The world is edited between iterations. Some ids are switched on and off per entity,
// some are kept beside tables.
#include "query_scene.h"
#include "random.h"
#include "shrink.h"
#include "texts.h"

enum {
    ENTITIES = 24,
    KEPT = 6,
    TAGS = 6,
    RELATIONS = 2,
    QUERIES = 14,
    LASTING = 2, /* of these see many edits, the others one each */
    STEPS = 160,
    TERMS = 4,
    RUNS = 40
};

typedef enum where_t { ON_THIS, UP, SELF_UP, FIXED, SELF } where_t;

typedef struct term_t {
    ecs_oper_kind_t oper;
    ecs_id_t id; /* EcsAny is EcsWildcard here */
    bool is_any; /* written as "_" */
    where_t where;
    ecs_entity_t source;
} term_t;

typedef struct query_t {
    term_t terms[TERMS];
    int count;
    char text[512];
    bool instanced;
    ecs_query_t *cached, *uncached;
} query_t;

typedef struct model_t {
    ecs_world_t *world;
    random_t random;
    ecs_entity_t entities[ENTITIES], tags[TAGS], relations[RELATIONS];
    query_t queries[QUERIES], *differing;
    texts_t *texts; /* no query comes twice */
} model_t;

// ---- naive evaluation ----

static bool owns(const model_t *m, ecs_entity_t e, ecs_id_t id) {
    return ecs_owns_id(m->world, e, id);
}

static bool is_inherited(ecs_id_t id) {
    return !ECS_IS_PAIR(id) || (ECS_PAIR_FIRST(id) != EcsChildOf && ECS_PAIR_FIRST(id) != EcsIsA);
}

// The entity that has an id, or 0: e itself or the nearest base.
static ecs_entity_t base_with(const model_t *m, ecs_entity_t e, ecs_id_t id) {
    if (owns(m, e, id)) return e;
    ecs_entity_t base, found = 0;
    for (int n = 0; is_inherited(id) && (base = ecs_get_target(m->world, e, EcsIsA, n)); n++) {
        if ((found = base_with(m, base, id))) break;
    }
    return found;
}

static ecs_entity_t above_with(const model_t *m, ecs_entity_t e, ecs_id_t id) {
    ecs_entity_t found = 0, up = e;
    while (!found && (up = ecs_get_parent(m->world, up))) found = base_with(m, up, id);
    return found;
}

static ecs_entity_t holder(const model_t *m, const term_t *term, ecs_entity_t e) {
    ecs_entity_t self = owns(m, e, term->id) ? e : 0;
    switch (term->where) {
    case UP: return above_with(m, e, term->id);
    case SELF_UP: return self ? self : above_with(m, e, term->id);
    case SELF: return self;
    case FIXED: e = term->source; break;
    default: break;
    }
    /* Without a relationship no trait says that the pair is passed on. */
    if (ECS_PAIR_FIRST(term->id) == EcsWildcard) return owns(m, e, term->id) ? e : 0;
    return base_with(m, e, term->id);
}

static bool is_on(const model_t *m, ecs_entity_t e, ecs_id_t id) {
    const ecs_type_t *type = ecs_get_type(m->world, e);
    for (int32_t i = 0; i < type->count; i++) {
        if (ecs_id_match(type->array[i], id) && ecs_is_enabled_id(m->world, e, type->array[i]))
            return true;
    }
    return false;
}

static bool can_be_off(const model_t *m, ecs_id_t id) {
    ecs_entity_t first = ECS_IS_PAIR(id) ? ECS_PAIR_FIRST(id) : id;
    return first != EcsWildcard && ecs_has_id(m->world, first, EcsCanToggle);
}

// Alternatives do not look at what is switched off.
static bool holds(const model_t *m, const term_t *term, ecs_entity_t e, bool in_chain) {
    ecs_entity_t found = holder(m, term, e);
    return found && (in_chain || !can_be_off(m, term->id) || is_on(m, found, term->id));
}

static bool matches(const model_t *m, const query_t *q, ecs_entity_t e) {
    for (int i = 0; i < q->count; i++) {
        const term_t *term = &q->terms[i];
        bool in_chain = term->oper == EcsOr, result = holds(m, term, e, in_chain);
        while (q->terms[i].oper == EcsOr) result |= holds(m, &q->terms[++i], e, true);
        if (term->oper == EcsNot && result) return false;
        if (term->oper != EcsNot && term->oper != EcsOptional && !result) return false;
    }
    return true;
}

// ---- random queries ----

static int below(model_t *m, int count) { return random_below(&m->random, count); }
static ecs_entity_t any_kept(model_t *m) { return m->entities[below(m, KEPT)]; }
static ecs_id_t any_tag(model_t *m) { return m->tags[below(m, TAGS)]; }

static ecs_id_t any_component(model_t *m) {
    ecs_id_t ids[] = { ecs_id(Position), ecs_id(Velocity), any_tag(m) };
    return ids[below(m, 3)];
}

static ecs_id_t any_pair(model_t *m) {
    return ecs_pair(m->relations[below(m, RELATIONS)], any_tag(m));
}

static const char *name(const model_t *m, ecs_entity_t e) {
    static char paths[3][128];
    static int next;
    if (e == EcsWildcard) return "*";
    char *path = ecs_get_path(m->world, e), *copy = paths[next++ % 3];
    snprintf(copy, sizeof(paths[0]), "%s", path);
    ecs_os_free(path);
    return copy;
}

static void write_term(const model_t *m, char *out, size_t size, const term_t *term) {
    static const char *const wheres[] = {
        [ON_THIS] = "$this", [UP] = "$this|up", [SELF_UP] = "$this|self|up", [SELF] = "$this|self"
    };
    const char *sign = term->oper == EcsNot ? "!" : term->oper == EcsOptional ? "?" : "";
    const char *source = term->where == FIXED ? name(m, term->source) : wheres[term->where];
    if (!ECS_IS_PAIR(term->id)) {
        snprintf(out, size, "%s%s(%s)", sign, name(m, term->id), source);
        return;
    }
    ecs_entity_t first = ecs_get_alive(m->world, ECS_PAIR_FIRST(term->id));
    ecs_entity_t second = ecs_get_alive(m->world, ECS_PAIR_SECOND(term->id));
    snprintf(out, size, "%s%s(%s, %s)", sign, name(m, first), source,
        term->is_any ? "_" : name(m, second));
}

static void write_query(const model_t *m, query_t *q) {
    q->text[0] = '\0';
    for (int i = 0; i < q->count; i++) {
        if (i) strcat(q->text, q->terms[i - 1].oper == EcsOr ? " || " : ", ");
        size_t length = strlen(q->text);
        write_term(m, q->text + length, sizeof(q->text) - length, &q->terms[i]);
    }
}

static void make_term(model_t *m, query_t *q, bool in_chain) {
    term_t *term = &q->terms[q->count];
    *term = (term_t){ .id = any_component(m) };
    int shape = below(m, 8);
    if (shape == 0) term->id = any_pair(m);
    if (shape == 1) term->id = ecs_pair(m->relations[below(m, RELATIONS)], EcsWildcard);
    if (shape == 2) term->id = ecs_pair(EcsWildcard, any_tag(m));
    if (shape == 3) term->id = ecs_pair(EcsChildOf, below(m, 2) ? any_kept(m) : EcsWildcard);
    if (shape == 1) term->is_any = below(m, 2);
    if (!in_chain) {
        int where = below(m, 9);
        if (where == 0) term->where = FIXED, term->source = any_kept(m);
        if (where == 1) term->where = UP;
        if (where == 2) term->where = SELF_UP;
        if (where == 3) term->where = SELF;
        int oper = below(m, 8);
        if (oper == 0) term->oper = EcsNot;
        if (oper == 1) term->oper = EcsOptional;
        if (oper == 2 && q->count + 1 < TERMS) term->oper = EcsOr, term->where = ON_THIS;
    }
    q->count++;
    if (term->oper == EcsOr) make_term(m, q, true);
}

// At least one term is about $this: entities are compared.
static bool is_about_this(const query_t *q) {
    for (int i = 0; i < q->count; i++) {
        if (q->terms[i].where != FIXED) return true;
    }
    return false;
}

static bool begin_query(const model_t *m, query_t *q) {
    write_query(m, q);
    ecs_query_desc_t desc = {
        .expr = q->text, .instanced = q->instanced, .cache_kind = EcsQueryCacheNone
    };
    q->uncached = ecs_query_init(m->world, &desc);
    desc.cache_kind = EcsQueryCacheAuto;
    q->cached = ecs_query_init(m->world, &desc);
    return q->uncached && q->cached;
}

static void make_query(model_t *m, query_t *q) {
    do {
        *q = (query_t){ 0 };
        int terms = 1 + below(m, TERMS - 1);
        while (q->count < terms) make_term(m, q, false);
        write_query(m, q);
    } while (!is_about_this(q) || !texts_add(m->texts, q->text));
    q->instanced = below(m, 2);
    if (!begin_query(m, q)) fail_msg("'%s' is no query", q->text);
}

static void end_query(query_t *q) {
    ecs_query_fini(q->cached);
    ecs_query_fini(q->uncached);
}

// ---- random edits ----

static void replace_entity(model_t *m) {
    int i = KEPT + below(m, ENTITIES - KEPT);
    ecs_delete(m->world, m->entities[i]);
    for (int k = KEPT; k < ENTITIES; k++) {
        if (ecs_is_alive(m->world, m->entities[k])) continue;
        m->entities[k] = ecs_new(m->world);
    }
}

// Targets come earlier in the list, so that there are no cycles; recreated entities have no targets
// yet.
static void relate(model_t *m, ecs_entity_t relationship, bool add) {
    int i = 1 + below(m, ENTITIES - 1);
    ecs_entity_t source = m->entities[i], target = m->entities[below(m, i)];
    if (add)
        ecs_add_pair(m->world, source, relationship, target);
    else
        ecs_remove_pair(m->world, source, relationship, EcsWildcard);
}

static void switch_id(model_t *m, ecs_entity_t e) {
    ecs_id_t id = below(m, 3) ? any_component(m) : any_pair(m);
    if (can_be_off(m, id)) ecs_enable_id(m->world, e, id, below(m, 2));
}

static void edit(model_t *m) {
    ecs_entity_t e = m->entities[below(m, ENTITIES)];
    bool add = below(m, 3) != 0;
    switch (below(m, 15)) {
    case 0: relate(m, EcsChildOf, add); break;
    case 1: relate(m, EcsIsA, add); break;
    case 2: replace_entity(m); break;
    case 3:
        ecs_delete_empty_tables(
            m->world, &(ecs_delete_empty_tables_desc_t){ .delete_generation = 1 });
        break;
    case 4:
    case 5:
        add ? ecs_add_id(m->world, e, any_pair(m)) : ecs_remove_id(m->world, e, any_pair(m));
        break;
    case 6: ecs_clear(m->world, m->entities[KEPT + below(m, ENTITIES - KEPT)]); break;
    case 12:
    case 13:
    case 14: switch_id(m, e); break;
    default:
        add ? ecs_add_id(m->world, e, any_component(m))
            : ecs_remove_id(m->world, e, any_component(m));
        break;
    }
}

// ---- comparison ----

static char *text_of(const ecs_query_t *q) {
    ecs_iter_t it = ecs_query_iter(q->world, q);
    return results_of(&it);
}

static bool has_all(const model_t *m, const query_t *q, ecs_query_t *query) {
    for (int i = 0; i < ENTITIES; i++) {
        ecs_iter_t it;
        bool found = ecs_query_has(query, m->entities[i], &it);
        if (found) ecs_iter_fini(&it);
        if (found != matches(m, q, m->entities[i])) return false;
    }
    return true;
}

// A plain Optional is set for just the entities that have it.
static bool optionals_are_right(const model_t *m, const query_t *q, const ecs_iter_t *it) {
    for (int t = 0; t < q->count; t++) {
        const ecs_term_t *term = &it->query->terms[t];
        if (term->oper != EcsOptional) continue;
        bool is_set = ecs_field_is_set(it, term->field_index);
        for (int i = 0; i < it->count; i++) {
            if (is_set != holds(m, &q->terms[t], it->entities[i], false)) return false;
        }
    }
    return true;
}

static bool values_are_right(const model_t *m, const ecs_iter_t *it) {
    for (int8_t f = 0; f < it->field_count; f++) {
        ecs_id_t id = ecs_field_id(it, f);
        if (!ecs_field_size(it, f) || !ecs_field_is_set(it, f) || ecs_id_is_wildcard(id)) continue;
        ecs_entity_t source = ecs_field_src(it, f) ? ecs_field_src(it, f) : it->entities[0];
        bool is_row = it->row_fields >> f & 1;
        const void *value = is_row ? ecs_field_at_w_size(it, 0, f, 0) : ecs_field_w_size(it, 0, f);
        if (value != ecs_get_id(m->world, source, id)) return false;
    }
    return true;
}

// Runs to the end: an iterator that is left early would keep the world locked.
static const char *iteration_difference(const model_t *m, const query_t *q) {
    bool seen[ENTITIES] = { false };
    const char *difference = NULL;
    ecs_iter_t it = ecs_query_iter(m->world, q->cached);
    while (ecs_query_next(&it)) {
        for (int i = 0; i < it.count; i++) {
            for (int k = 0; k < ENTITIES; k++) seen[k] |= it.entities[i] == m->entities[k];
        }
        if (!optionals_are_right(m, q, &it)) difference = "an optional field";
        if (!values_are_right(m, &it)) difference = "the address of a value";
    }
    for (int i = 0; i < ENTITIES; i++) {
        if (seen[i] != matches(m, q, m->entities[i])) difference = "cached and naive results";
    }
    return difference;
}

// What differs, or NULL.
static const char *difference(const model_t *m, const query_t *q) {
    char *cached = text_of(q->cached), *uncached = text_of(q->uncached);
    bool is_equal = !strcmp(cached, uncached);
    ecs_os_free(cached);
    ecs_os_free(uncached);
    if (!is_equal) return "cached and uncached results";
    if (!has_all(m, q, q->uncached)) return "ecs_query_has and naive results";
    return iteration_difference(m, q);
}

// ---- a small counterexample ----

static bool differs(void *model) {
    const model_t *m = model;
    return difference(m, m->differing) != NULL;
}

static bool drop_term(void *model, int i) {
    model_t *m = model;
    query_t *q = m->differing, smaller = *q;
    if (i && q->terms[i].oper != EcsOr && q->terms[i - 1].oper == EcsOr)
        smaller.terms[i - 1].oper = EcsAnd;
    smaller.count--;
    memmove(&smaller.terms[i], &q->terms[i + 1], sizeof(term_t) * (size_t)(smaller.count - i));
    if (!is_about_this(&smaller)) return false;
    end_query(q);
    *q = smaller;
    return begin_query(m, q);
}

static void print_results(const model_t *m, const query_t *q) {
    char *cached = text_of(q->cached), *uncached = text_of(q->uncached);
    print_error("cached:   %s\nuncached: %s\nnaive:   ", cached, uncached);
    for (int i = 0; i < ENTITIES; i++) {
        if (matches(m, q, m->entities[i])) print_error(" %s", name(m, m->entities[i]));
    }
    print_error("\n");
    ecs_os_free(cached);
    ecs_os_free(uncached);
}

static int all_ids(const model_t *m, ecs_id_t *ids) {
    int count = 0;
    ids[count++] = ecs_id(Position);
    ids[count++] = ecs_id(Velocity);
    for (int i = 0; i < TAGS; i++) ids[count++] = m->tags[i];
    for (int i = 0; i < TAGS * RELATIONS; i++)
        ids[count++] = ecs_pair(m->relations[i / TAGS], m->tags[i % TAGS]);
    for (int i = 0; i < ENTITIES; i++) {
        ids[count++] = ecs_pair(EcsChildOf, m->entities[i]);
        ids[count++] = ecs_pair(EcsIsA, m->entities[i]);
    }
    return count;
}

static void fail_small(model_t *m, query_t *q) {
    ecs_id_t ids[2 + TAGS + TAGS * RELATIONS + 2 * ENTITIES];
    m->differing = q;
    shrink_t s = { m, differs, q->count, drop_term, m->world, m->entities, ids, ENTITIES,
        all_ids(m, ids) };
    shrink(&s);
    write_query(m, q);
    print_error(
        "'%s'%s: %s differ\n", q->text, q->instanced ? " (instanced)" : "", difference(m, q));
    shrink_print_world(&s);
    print_results(m, q);
    fail();
}

// Which ids are special, and how, differs from run to run.
static void add_traits(model_t *m) {
    ecs_add_id(m->world, m->tags[0], EcsCanToggle);
    ecs_add_id(m->world, m->relations[0], EcsCanToggle);
    ecs_add_id(m->world, ecs_id(Position), EcsCanToggle);
    int kind = below(m, 4);
    if (!kind) return;
    ecs_add_id(m->world, m->tags[1], EcsDontFragment);
    ecs_add_id(m->world, m->relations[1], kind == 1 ? EcsUnion : EcsDontFragment);
    ecs_add_id(m->world, ecs_id(Velocity), kind == 2 ? EcsSparse : EcsDontFragment);
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
    add_traits(m);
    for (int i = 0; i < ENTITIES; i++) {
        snprintf(text, sizeof(text), "e%d", i);
        m->entities[i] = i < KEPT ? make(m->world, text, NULL) : ecs_new(m->world);
    }
}

static void run(uint64_t seed, texts_t *texts) {
    model_t m = { .world = ecs_mini(), .random = random_init(seed), .texts = texts };
    ecs_id(Position) = ecs_id(Velocity) = 0;
    ECS_COMPONENT_DEFINE(m.world, Position);
    ECS_COMPONENT_DEFINE(m.world, Velocity);
    make_things(&m);
    for (int i = 0; i < 60; i++) edit(&m);
    for (int i = 0; i < QUERIES; i++) make_query(&m, &m.queries[i]);
    for (int step = 0; step < STEPS; step++) {
        edit(&m);
        for (int i = step % 40 ? LASTING : 0; i < QUERIES; i++) {
            end_query(&m.queries[i]);
            make_query(&m, &m.queries[i]);
        }
        edit(&m);
        for (int i = 0; i < QUERIES; i++) {
            if (difference(&m, &m.queries[i])) fail_small(&m, &m.queries[i]);
        }
        if (step % 50 == 0) assert_true(ecs_world_verify(m.world));
    }
    for (int i = 0; i < QUERIES; i++) end_query(&m.queries[i]);
    assert_int_equal(ecs_fini(m.world), 0);
}

// Q-NEW-07, Q-NEW-15, Q-CAC-01 to Q-CAC-08, Q-TRV-23, Q-TRV-24
static void cached_uncached_and_naive_results_are_equal(void **state) {
    (void)state;
    uint64_t seed = random_seed();
    texts_t texts = { 0 };
    for (int i = 0; i < random_tries(RUNS); i++) run(seed + (uint64_t)i, &texts);
    print_message("%d queries, no two alike\n", texts_fini(&texts));
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(
        cached_uncached_and_naive_results_are_equal) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
