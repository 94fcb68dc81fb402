// SPDX-License-Identifier: MIT
// Random queries of which a variable is set before the iteration begins: they find just those results
// in which it has that value anyway. $this is set to an entity, a table, or rows of one, others to an
// entity. Q-VAR-11, Q-VAR-12, Q-NEW-16.
#include "query_scene.h"
#include "random.h"

enum {
    ENTITIES = 14,
    TAGS = 4,
    RELATIONS = 3,
    EDITS = 60,
    RUNS = 8,
    QUERIES = 60,
    STEPS = 12,
    TRIES = 6,
    TERMS = 4,
    LINES = 2048
};

// Terms, and which variables each binds, if any. "?": others depend on whether it does.
static const struct {
    const char *text, *binds;
} templates[] = {
    { "T0", NULL },
    { "T1", NULL },
    { "T2", NULL },
    { "T3", NULL },
    { "!T1", NULL },
    { "!T2", NULL },
    { "?T0", NULL },
    { "?T2", NULL },
    { "T0 || T1", NULL },
    { "T2 || T3", NULL },
    { "Position", NULL },
    { "Velocity", NULL },
    { "?Position", NULL },
    { "!Velocity", NULL },
    { "Position(up)", NULL },
    { "Velocity(self|up)", NULL },
    { "T1(up)", NULL },
    { "?T0(up)", NULL },
    { "!T3(self|up)", NULL },
    { "T2(self|up IsA)", NULL },
    { "(R0, *)", NULL },
    { "(R1, *)", NULL },
    { "(R2, *)", NULL },
    { "(R0, _)", NULL },
    { "(R2, _)", NULL },
    { "(*, e1)", NULL },
    { "?(R0, *)", NULL },
    { "!(R1, _)", NULL },
    { "(R0, e1)", NULL },
    { "(R1, e0)", NULL },
    { "(ChildOf, e0)", NULL },
    { "(ChildOf, *)", NULL },
    { "(IsA, e1)", NULL },
    { "T0(e1)", NULL },
    { "?T1(e0)", NULL },
    { "R0($this, $x)", "x" },
    { "R1($this, $x)", "x" },
    { "R2($this, $x)", "x" },
    { "R1($this, $y)", "y" },
    { "R0($x, $this)", "x" },
    { "R1($x, $y)", "xy" },
    { "R0($x, $y)", "xy" },
    { "T1($x)", "x" },
    { "T2($x)", "x" },
    { "Position($x)", "x" },
    { "T2($y)", "y" },
    { "!T3($x)", NULL },
    { "ChildOf($this, $x)", "x" },
    { "IsA($this, $y)", "y" },
    { "ChildOf($x, $y)", "xy" },
    { "$x($this, e1)", "x" },
    { "!R1($this, $x)", NULL },
    { "!R0($x, $this)", NULL },
    { "?R2($this, $x)", "?" },
    { "$x != e2", NULL },
    { "$this != e3", NULL },
    { "$this != $x", NULL },
    { "$this == e4", NULL },
    { "!{ T0, T1 }", NULL },
    { "!{ R1($this, $x), T1($x) }", NULL },
    { "T1($x|up)", "x" },
};

typedef struct model_t {
    ecs_world_t *world;
    random_t random;
    ecs_entity_t tags[TAGS], relations[RELATIONS], entities[ENTITIES];
} model_t;

static int below(model_t *m, int count) { return random_below(&m->random, count); }
static ecs_entity_t any_entity(model_t *m) { return m->entities[below(m, ENTITIES)]; }

// ---- random worlds and queries ----

static void edit(model_t *m) {
    const int i = below(m, ENTITIES);
    const ecs_entity_t e = m->entities[i];
    const bool add = below(m, 3) != 0;
    const ecs_id_t components[] = { ecs_id(Position), ecs_id(Velocity), m->tags[below(m, TAGS)] };
    ecs_id_t id = components[below(m, 3)];
    const ecs_entity_t earlier = m->entities[below(m, i ? i : 1)];
    switch (below(m, 8)) {
    case 0: id = ecs_pair(EcsChildOf, i ? earlier : EcsWildcard); break;
    case 1: id = ecs_pair(EcsIsA, i ? earlier : EcsWildcard); break;
    case 2:
    case 3: id = ecs_pair(m->relations[below(m, RELATIONS)], any_entity(m)); break;
    case 4:
        if (ecs_has_id(m->world, m->tags[0], EcsCanToggle))
            ecs_enable_id(m->world, e, m->tags[0], below(m, 2));
        return;
    default: break;
    }
    if (add && !ecs_id_is_wildcard(id))
        ecs_add_id(m->world, e, id);
    else
        ecs_remove_id(m->world, e, id);
}

static ecs_entity_t make_numbered(ecs_world_t *world, char letter, int number) {
    char name[] = { letter, (char)('a' + number), '\0' };
    if (number < 10) name[1] = (char)('0' + number);
    return make(world, name, NULL);
}

static void make_things(model_t *m) {
    ECS_COMPONENT_DEFINE(m->world, Position);
    ECS_COMPONENT_DEFINE(m->world, Velocity);
    for (int i = 0; i < TAGS; i++) m->tags[i] = make_numbered(m->world, 'T', i);
    for (int i = 0; i < RELATIONS; i++) m->relations[i] = make_numbered(m->world, 'R', i);
    for (int i = 0; i < ENTITIES; i++) m->entities[i] = make_numbered(m->world, 'e', i);
    const int kind = below(m, 4);
    if (kind) ecs_add_id(m->world, m->tags[0], EcsCanToggle);
    if (kind > 1) ecs_add_id(m->world, m->tags[3], EcsDontFragment);
    if (kind > 1) ecs_add_id(m->world, m->relations[2], EcsDontFragment);
    if (kind > 2) ecs_add_id(m->world, m->relations[2], EcsExclusive);
    if (kind > 2) ecs_add_id(m->world, ecs_id(Velocity), EcsSparse);
}

// An expression, and the variables of which each result has a value: what stands in Not or Optional alone may mean something else when it
// is set.
typedef struct expr_t {
    char text[512];
    bool binds_x, binds_y;
} expr_t;

static expr_t make_expr(model_t *m) {
    expr_t expr = { .text = "" };
    const int count = 1 + below(m, TERMS);
    bool is_open = false;
    for (int i = 0; i < count; i++) {
        const int t = below(m, sizeof(templates) / sizeof(templates[0]));
        const size_t length = strlen(expr.text);
        snprintf(expr.text + length, sizeof(expr.text) - length, "%s%s", i ? ", " : "",
            templates[t].text);
        const char *binds = templates[t].binds ? templates[t].binds : "";
        expr.binds_x |= strchr(binds, 'x') != NULL;
        expr.binds_y |= strchr(binds, 'y') != NULL;
        is_open |= *binds == '?';
    }
    if (is_open) expr.binds_x = expr.binds_y = false;
    return expr;
}

// ---- results, one line per entity ----

typedef struct line_t {
    ecs_entity_t entity, x, y;
    ecs_table_t *table;
    int32_t row;
    char text[256];
} line_t;

typedef struct lines_t {
    line_t array[LINES];
    int count;
} lines_t;

static int compare(const void *a, const void *b) {
    return strcmp(((const line_t *)a)->text, ((const line_t *)b)->text);
}

static void add_line(lines_t *lines, ecs_iter_t *it, int i) {
    if (lines->count == LINES) return;
    line_t *line = &lines->array[lines->count++];
    const int32_t x = ecs_query_find_var(it->query, "x"), y = ecs_query_find_var(it->query, "y");
    *line = (line_t){
        .entity = it->count ? it->entities[i] : 0, .table = it->table, .row = it->offset + i
    };
    if (x > 0) line->x = ecs_iter_get_var(it, x);
    if (y > 0) line->y = ecs_iter_get_var(it, y);
    char *at = line->text, *const end = at + sizeof(line->text);
    at += snprintf(at, (size_t)(end - at), "%u x%u y%u", (unsigned)line->entity, (unsigned)line->x,
        (unsigned)line->y);
    for (int8_t f = 0; f < it->field_count; f++) {
        const ecs_id_t id = ecs_field_id(it, f);
        at += snprintf(at, (size_t)(end - at), " %s%u.%u@%u", ecs_field_is_set(it, f) ? "" : "-",
            (unsigned)(id >> 32), (unsigned)id, (unsigned)ecs_field_src(it, f));
    }
}

static void run_to_end(lines_t *lines, ecs_iter_t *it) {
    lines->count = 0;
    while (ecs_iter_next(it)) {
        for (int i = 0; i < (it->count ? it->count : 1); i++) add_line(lines, it, i);
    }
    qsort(lines->array, (size_t)lines->count, sizeof(line_t), compare);
}

// ---- what is set ----

typedef struct limit_t {
    const char *var;
    ecs_entity_t entity;
    ecs_table_range_t range; /* if there is no entity */
    bool is_table;
} limit_t;

static bool is_within(const line_t *line, const limit_t *limit) {
    if (!strcmp(limit->var, "x")) return line->x == limit->entity;
    if (!strcmp(limit->var, "y")) return line->y == limit->entity;
    if (limit->entity) return line->entity == limit->entity;
    const int32_t end = limit->range.count ? limit->range.offset + limit->range.count : INT32_MAX;
    return line->table == limit->range.table && line->row >= limit->range.offset && line->row < end;
}

static limit_t make_limit(model_t *m, const char *var) {
    limit_t limit = { .var = var, .entity = any_entity(m) };
    if (strcmp(var, "this") || !below(m, 3)) return limit;
    ecs_table_t *table = ecs_get_table(m->world, limit.entity);
    limit.entity = 0;
    limit.range.table = table;
    limit.is_table = !below(m, 3);
    if (limit.is_table || !below(m, 4)) return limit;
    const int32_t count = ecs_table_count(table);
    limit.range.offset = below(m, count);
    limit.range.count = 1 + below(m, count - limit.range.offset);
    return limit;
}

static void set(ecs_iter_t *it, const limit_t *limit) {
    const int32_t var = ecs_query_find_var(it->query, limit->var);
    if (limit->entity)
        ecs_iter_set_var(it, var, limit->entity);
    else if (limit->is_table)
        ecs_iter_set_var_as_table(it, var, limit->range.table);
    else
        ecs_iter_set_var_as_range(it, var, &limit->range);
    assert_true(ecs_iter_var_is_constrained(it, var));
}

static bool has(ecs_query_t *q, const limit_t *limit) {
    ecs_iter_t it;
    bool found;
    ecs_table_range_t range = limit->range;
    if (limit->entity)
        found = ecs_query_has(q, limit->entity, &it);
    else if (limit->is_table)
        found = ecs_query_has_table(q, range.table, &it);
    else
        found = ecs_query_has_range(q, &range, &it);
    if (found) ecs_iter_fini(&it);
    return found;
}

static void fail_with(const lines_t *found, const lines_t *wanted, const ecs_query_t *q,
    const expr_t *expr, const limit_t *limit) {
    print_error("'%s' (%s), $%s set to %s%u, rows from %d, %d:\nfound\n", expr->text,
        q->cache_kind == EcsQueryCacheNone ? "uncached" : "cached", limit->var,
        limit->is_table ? "table " : "", (unsigned)limit->entity, limit->range.offset,
        limit->range.count);
    for (int i = 0; i < found->count; i++) print_error("  %s\n", found->array[i].text);
    print_error("wanted\n");
    for (int i = 0; i < wanted->count; i++) print_error("  %s\n", wanted->array[i].text);
    fail();
}

static void check_limit(model_t *m, ecs_query_t *q, const expr_t *expr, const limit_t *limit) {
    static lines_t all, found, wanted;
    ecs_iter_t it = ecs_query_iter(m->world, q);
    run_to_end(&all, &it);
    if (all.count == LINES) return; /* too many to look at each */
    wanted.count = 0;
    for (int i = 0; i < all.count; i++) {
        if (is_within(&all.array[i], limit)) wanted.array[wanted.count++] = all.array[i];
    }
    it = ecs_query_iter(m->world, q);
    set(&it, limit);
    run_to_end(&found, &it);
    bool is_equal = found.count == wanted.count;
    for (int i = 0; is_equal && i < found.count; i++)
        is_equal = !strcmp(found.array[i].text, wanted.array[i].text);
    if (!is_equal) fail_with(&found, &wanted, q, expr, limit);
    if (!strcmp(limit->var, "this") && has(q, limit) != (wanted.count > 0))
        fail_msg("ecs_query_has* of '%s'", expr->text);
}

static void check(model_t *m, ecs_query_t *q, const expr_t *expr) {
    static const char *const vars[] = { "this", "x", "y" };
    for (int i = 0; i < TRIES; i++) {
        const char *var = vars[below(m, 3)];
        const bool is_known = *var == 'x'   ? expr->binds_x
                              : *var == 'y' ? expr->binds_y
                                            : q->flags & EcsQueryMatchThis;
        if (!is_known) continue;
        limit_t limit = make_limit(m, var);
        check_limit(m, q, expr, &limit);
    }
}

static void run(uint64_t seed) {
    model_t m = { .world = ecs_mini(), .random = random_init(seed) };
    ecs_id(Position) = ecs_id(Velocity) = 0;
    make_things(&m);
    for (int i = 0; i < EDITS; i++) edit(&m);
    for (int i = 0; i < QUERIES; i++) {
        const expr_t expr = make_expr(&m);
        ecs_log_set_level(-5);
        ecs_query_desc_t desc = { .expr = expr.text, .cache_kind = EcsQueryCacheNone };
        ecs_query_t *uncached = ecs_query_init(m.world, &desc);
        desc.cache_kind = EcsQueryCacheAuto;
        ecs_query_t *cached = ecs_query_init(m.world, &desc);
        ecs_log_set_level(-1);
        assert_int_equal(!uncached, !cached);
        for (int k = 0; cached && k < STEPS; k++) {
            edit(&m);
            check(&m, uncached, &expr);
            check(&m, cached, &expr);
        }
        if (cached) ecs_query_fini(cached);
        if (uncached) ecs_query_fini(uncached);
    }
    assert_int_equal(ecs_fini(m.world), 0);
}

static void set_variables_find_the_results_that_have_these_values(void **state) {
    (void)state;
    uint64_t seed = random_seed();
    for (int i = 0; i < random_tries(RUNS); i++) run(seed + (uint64_t)i);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(
        set_variables_find_the_results_that_have_these_values) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
