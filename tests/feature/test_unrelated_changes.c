// SPDX-License-Identifier: MIT
// What a query does not ask for makes no difference to its results, in the middle of an iteration neither: between two of them tables,
// edges and sets come and go, and the same query is asked. Random queries over random worlds, with all that a search can be made of.
// Q-ITR-01, Q-VAR-09, Q-CAC-07
#include "support/world.h"

#include <string.h>

#include "support/random.h"

enum { COUNT = 8, WORLDS = 10, QUERIES = 20, EDITS = 200, STRANGERS = 64, LINES = 120, LINE = 160 };

// Flags; relationships, their targets are among all; and entities.
enum { FOO, BAR, THIN, THIN_VALUE, NODE, FLAGS };
enum { REL = FLAGS, BESIDE, OTHER_BESIDE, UNION, PLACE, NAMES };
static const char *const names[NAMES] = { "Foo", "Bar", "Thin", "ThinValue", "Node", "Rel",
    "Beside", "OtherBeside", "Union", "Place" };

typedef struct results_t {
    char lines[LINES][LINE];
    int count;
} results_t;

static ecs_world_t *world;
static ecs_entity_t ids[NAMES], entities[COUNT], strangers[STRANGERS];
static int strange; /* ids that were used */
static random_t dice;

static int below(int limit) { return random_below(&dice, limit); }

// ---- queries ----

static void write_term(char *out) {
    static const char *const targets[] = { "*", "_", "$x", "$y", "$_z", "e1", "e2" };
    static const char *const sources[] = { "$this", "$this", "$this", "$x", "$y", "$_z", "e3" };
    static const char *const ways[] = { "self|up IsA", "up ChildOf", "down ChildOf",
        "all|up ChildOf" };
    const char *source = sources[below(7)];
    const char *rel = names[below(2) ? BESIDE + below(2) : FLAGS + below(NAMES - FLAGS)];
    if (!below(6))
        sprintf(out, "%s($this|%s)", names[below(FLAGS)], ways[below(4)]);
    else if (below(5) < 2)
        sprintf(out, "%s(%s)", names[below(FLAGS)], source);
    else
        sprintf(out, "%s(%s, %s)", rel, source, targets[below(7)]);
}

static void write_query(char *out) {
    static const char *const opers[] = { "", "", "!", "?" };
    *out = 0;
    for (int i = 0, count = 1 + below(4); i < count; i++) {
        char a[80], b[80];
        write_term(a);
        write_term(b);
        const char *separator = i ? ", " : "";
        out += strlen(out);
        switch (below(8)) {
        case 0: sprintf(out, "%s%s || %s", separator, a, b); break;
        case 1: sprintf(out, "%s!{ %s, %s }", separator, a, b); break;
        default: sprintf(out, "%s%s%s", separator, i ? opers[below(4)] : "", a);
        }
    }
}

// ---- the world ----

static void edit(void) {
    const int e = below(COUNT), other = below(COUNT);
    const ecs_entity_t entity = entities[e], target = entities[other];
    const ecs_entity_t rel =
        ids[FLAGS + below(NAMES - FLAGS - 1)]; /* all but places, which go up */
    switch (below(8)) {
    case 0:
        if (other < e) ecs_add_pair(world, entity, ids[PLACE], target);
        break;
    case 1:
        if (other < e) ecs_add_pair(world, entity, EcsIsA, target);
        break;
    case 2:
        if (other < e) ecs_add_pair(world, entity, EcsChildOf, target);
        break;
    case 3: ecs_remove_id(world, entity, ids[below(FLAGS)]); break;
    case 4: ecs_add_id(world, entity, ids[below(FLAGS)]); break;
    default: ecs_add_pair(world, entity, rel, target); break;
    }
}

static void make_world(void) {
    static const ecs_id_t traits[NAMES] = { 0, 0, 1, 1, 0, 0, 1, 1 };
    world = ecs_mini();
    for (int i = 0; i < NAMES; i++) {
        ids[i] = ecs_entity(world, { .name = names[i] });
        if (i == THIN_VALUE || i == NODE) ecs_set(world, ids[i], EcsComponent, { 4, 4 });
        if (traits[i]) ecs_add_id(world, ids[i], EcsDontFragment);
    }
    ecs_add_id(world, ids[UNION], EcsUnion);
    ecs_add_id(world, ids[PLACE], EcsTransitive);
    if (below(2)) ecs_add_id(world, ids[PLACE], EcsReflexive);
    for (int i = 0; i < COUNT; i++) {
        char name[8];
        snprintf(name, sizeof name, "e%d", i);
        entities[i] = ecs_entity(world, { .name = name });
    }
    for (int i = 0; i < STRANGERS; i++) strangers[i] = ecs_new_w_id(world, EcsNotQueryable);
    for (int i = 0; i < EDITS; i++) edit();
    strange = 0;
}

// ---- unrelated changes ----

// An id that nobody has had.
static ecs_id_t strange_id(void) {
    const int i = strange++;
    return ecs_pair(strangers[i % STRANGERS], strangers[i / STRANGERS % STRANGERS]);
}

static void change(ecs_query_t *query) {
    if (strange > STRANGERS * (STRANGERS - 1)) return;
    const ecs_entity_t stranger = ecs_new_w_id(world, strange_id());
    const ecs_entity_t ways[] = { EcsIsA, EcsChildOf };
    ecs_iter_t it;
    switch (below(4)) {
    case 0: ecs_new_w_id(world, ecs_pair(ways[below(2)], stranger)); break;
    case 1: ecs_delete(world, stranger); break;
    case 2:
        it = ecs_query_iter(world, query);
        if (ecs_query_next(&it)) ecs_iter_fini(&it);
        break;
    default: break;
    }
}

// ---- comparing ----

static bool is_stranger(ecs_entity_t entity) {
    return entity && (uint32_t)entity >= (uint32_t)strangers[0];
}

static void add_line(results_t *results, const ecs_iter_t *it, ecs_entity_t self) {
    char *line = results->lines[results->count];
    bool counts = !is_stranger(self);
    int length = snprintf(line, LINE, "%u:", (uint32_t)self);
    for (int v = 1; v < it->query->var_count; v++) {
        const ecs_entity_t value = ecs_iter_get_var((ecs_iter_t *)(uintptr_t)it, v);
        counts = counts && !is_stranger(value);
        length += snprintf(line + length, (size_t)(LINE - length), " %u", (uint32_t)value);
    }
    for (int8_t f = 0; f < it->field_count; f++) {
        const bool is_set = ecs_field_is_set(it, f);
        length += snprintf(line + length, (size_t)(LINE - length), " %llx@%u",
            is_set ? (unsigned long long)ecs_field_id(it, f) : 0,
            is_set ? (uint32_t)ecs_field_src(it, f) : 0);
    }
    results->count += counts && results->count < LINES - 1; /* of many results the first */
}

static void find(ecs_query_t *query, results_t *results, bool changes) {
    results->count = 0;
    ecs_iter_t it = ecs_query_iter(world, query);
    while (ecs_query_next(&it)) {
        if (results->count == LINES - 1) {
            ecs_iter_fini(&it);
            break;
        }
        for (int i = 0; i < it.count; i++) add_line(results, &it, it.entities[i]);
        if (!it.count) add_line(results, &it, 0);
        if (changes && below(2)) change(query);
    }
}

static void compare(const char *text, ecs_query_cache_kind_t kind) {
    static results_t quiet, noisy;
    ecs_query_t *query = ecs_query(world, { .expr = text, .cache_kind = kind });
    if (!query) return; /* some texts ask for what cannot be */
    find(query, &quiet, false);
    find(query, &noisy, true);
    for (int i = 0; i < quiet.count || i < noisy.count; i++) {
        const char *a = i < quiet.count ? quiet.lines[i] : "nothing";
        const char *b = i < noisy.count ? noisy.lines[i] : "nothing";
        if (strcmp(a, b) != 0) fail_msg("'%s': result %d is %s, with changes %s", text, i, a, b);
    }
    ecs_query_fini(query);
}

static void unrelated_changes_between_results_are_not_noticed(void **state) {
    (void)state;
    const uint64_t seed = random_seed();
    ecs_log_set_level(-4);
    for (int try = 0; try < random_tries(WORLDS); try++) {
        dice = random_init(seed + (uint64_t)try);
        make_world();
        for (int i = 0; i < QUERIES; i++) {
            char text[1024];
            write_query(text);
            compare(text, EcsQueryCacheNone);
            compare(text, EcsQueryCacheAuto);
        }
        assert_true(ecs_world_verify(world));
        assert_int_equal(ecs_fini(world), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(
        unrelated_changes_between_results_are_not_noticed) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
