// SPDX-License-Identifier: MIT
// fuzz_query_expr: any text as query. Text that makes a query is iterated, printed and read again;
// the rest must leave no trace.
//
// The world has entities of all names in the seed expressions that are short, so that random
// changes of a seed still resolve.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <muster.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = { "Position", "Velocity", "Mass", "Speed", "NPC", "Npc", "Likes",
    "Eats", "Apples", "Pears", "Alice", "Bob", "Dogs", "Game", "Style", "Transform", "Unit",
    "MyType", "LocatedIn", "SpaceShip", "DockedTo", "Foo", "A", "B", "C", "T" };

static ecs_world_t *world;

static void fail(const char *what, const char *text) {
    fprintf(stderr, "%s: %s\n", what, text);
    abort();
}

static void make_world(void) {
    world = ecs_mini();
    ecs_log_set_level(-4);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ecs_entity(world, { .name = names[i] });
    ecs_entity_t bob = ecs_lookup(world, "Bob"), alice = ecs_lookup(world, "Alice");
    ecs_add_id(world, ecs_lookup(world, "LocatedIn"), EcsTraversable);
    ecs_add_id(world, bob, ecs_lookup(world, "Position"));
    ecs_add_pair(world, bob, ecs_lookup(world, "Likes"), ecs_lookup(world, "Apples"));
    ecs_add_pair(world, bob, EcsChildOf, alice);
    ecs_add_id(world, alice, ecs_lookup(world, "Transform"));
}

// Iterates to the end, unless wildcards make an astronomic number of combinations.
static int count_results(const ecs_query_t *query) {
    ecs_iter_t it = ecs_query_iter(world, query);
    for (int results = 0; results < 1000; results++) {
        if (!ecs_query_next(&it)) return results;
    }
    ecs_iter_fini(&it);
    return 1000;
}

// A cache holds every combination of what wildcards match: too many for more than a few.
static ecs_query_cache_kind_t other_kind(const ecs_query_t *query) {
    int wildcards = 0;
    for (int i = 0; i < query->term_count; i++) wildcards += ecs_id_is_wildcard(query->terms[i].id);
    return wildcards > 2 ? EcsQueryCacheNone : EcsQueryCacheAuto;
}

// Variables that range over everything, and a scope that fails for most of their combinations, take time that grows with every one of
// them. The anonymous ones are not counted by the query.
static bool is_cheap(const ecs_query_t *query, const char *printed) {
    int variables = query->var_count;
    for (const char *at = printed; (at = strstr(at, "$_")); at += 2) variables++;
    return variables <= 4;
}

static void examine(ecs_query_t *query, const char *text) {
    char *printed = ecs_query_str(query);
    ecs_query_t *again = ecs_query(world, { .expr = printed, .cache_kind = other_kind(query) });
    if (!again) fail("printed text makes no query", printed);
    char *reprinted = ecs_query_str(again);
    if (strcmp(printed, reprinted) != 0) fail("printed text changes when read again", printed);
    if (is_cheap(query, printed) && count_results(query) != count_results(again))
        fail("cached and uncached results differ", text);
    ecs_os_free(reprinted);
    ecs_os_free(printed);
    ecs_query_fini(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!world) make_world();
    char *text = malloc(size + 1);
    if (!text) return 0;
    if (size) memcpy(text, data, size);
    text[size] = '\0';

    static uint64_t before; /* no input changes it */
    if (!before) before = ecs_world_hash(world);
    ecs_query_t *query = ecs_query(world, { .expr = text });
    if (query) examine(query, text);
    ecs_query_fini(query);
    ecs_id_t id = ecs_id_from_str(world, text);
    if (id) ecs_os_free(ecs_id_str(world, id));
    if (ecs_world_hash(world) != before) fail("the world has changed", text);
    free(text);
    return 0;
}
