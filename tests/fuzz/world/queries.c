// SPDX-License-Identifier: MIT
// queries: each is made with and without cache, and both must give the same.
#include <string.h>

#include "scene.h"

enum { QUERIES = 6, MANY_RESULTS = 2000 };

typedef struct pair_t {
    ecs_query_t *cached, *uncached; /* one may be missing: not every query can be had both ways */
    ecs_query_desc_t desc;
} pair_t;

static pair_t pairs[QUERIES];

static ecs_id_t pick_term_id(void) {
    ecs_entity_t relationship = scene.relationships[input_below(RELATIONSHIPS)];
    ecs_entity_t kept = pick_kept(), tag = scene.tags[input_below(TAGS)];
    switch (input_below(12)) {
    case 0:
    case 1: return tag;
    case 2:
    case 3: return scene.components[input_below(COMPONENTS)];
    case 4: return kept ? ecs_pair(relationship, kept) : tag;
    case 5: return ecs_pair(relationship, EcsWildcard);
    case 6: return ecs_pair(relationship, EcsAny);
    case 7: return kept ? ecs_pair(EcsChildOf, kept) : ecs_pair(EcsChildOf, EcsWildcard);
    case 8: return kept ? ecs_pair(EcsIsA, kept) : ecs_pair(EcsIsA, EcsWildcard);
    case 9: return kept ? ecs_pair(EcsWildcard, kept) : EcsPrefab;
    case 10: return kept ? kept : EcsDisabled;
    default: return ecs_pair(EcsChildOf, EcsWildcard);
    }
}

static void make_source(ecs_term_t *term, bool only_this) {
    ecs_entity_t kept = pick_kept();
    uint64_t self = input_flag() ? EcsSelf : 0;
    switch (input_below(12)) {
    case 0: term->src.id = self | EcsUp; break;
    case 1: term->src.id = self | EcsUp, term->trav = EcsIsA; break;
    case 2: term->src.id = self | EcsUp, term->trav = scene.relationships[R_TRAVERSABLE]; break;
    case 3: term->src.id = self | EcsCascade; break;
    case 4: term->src.id = EcsSelf; break;
    case 5:
        if (!only_this) term->src.id = kept;
        break;
    case 6:
        if (!only_this) term->src.name = "$x";
        break;
    default: break;
    }
}

static void make_operator(ecs_term_t *term, bool is_last, bool is_or) {
    static const int16_t operators[] = { EcsAnd, EcsAnd, EcsAnd, EcsNot, EcsOptional, EcsOr };
    int16_t oper = operators[input_below(6)];
    if (is_or && oper != EcsOr) oper = EcsAnd;
    term->oper = is_last && oper == EcsOr ? EcsAnd : oper;
}

void make_terms(ecs_query_desc_t *desc, bool only_this) {
    static const int16_t access[] = { EcsInOutDefault, EcsIn, EcsInOutNone };
    int count = 1 + input_below(3);
    for (int i = 0; i < count; i++) {
        ecs_term_t *term = &desc->terms[i];
        if (!only_this && input_byte() % 8 == 0) {
            term->first.id = scene.relationships[input_below(RELATIONSHIPS)];
            term->second.name = input_flag() ? "$x" : "$y";
        } else {
            term->id = pick_term_id();
        }
        make_operator(term, i == count - 1, i && desc->terms[i - 1].oper == EcsOr);
        make_source(term, only_this);
        term->inout = access[input_below(3)];
    }
}

static int by_entity(ecs_entity_t a, const void *a_value, ecs_entity_t b, const void *b_value) {
    (void)a_value, (void)b_value;
    return (a > b) - (a < b);
}

static int by_number(ecs_entity_t a, const void *a_value, ecs_entity_t b, const void *b_value) {
    (void)a, (void)b;
    int32_t x = a_value ? *(const int32_t *)a_value : 0,
            y = b_value ? *(const int32_t *)b_value : 0;
    return (x > y) - (x < y);
}

static uint64_t by_tag(ecs_world_t *world, ecs_table_t *table, ecs_id_t id, void *ctx) {
    (void)id, (void)ctx;
    return ecs_table_has_id(world, table, scene.tags[TAG_B]);
}

static bool has_cascade(const ecs_query_desc_t *desc) {
    for (int i = 0; i < FLECS_TERM_COUNT_MAX; i++) {
        if (desc->terms[i].src.id & EcsCascade) return true;
    }
    return false;
}

// What changes the order of results only.
static void make_order(ecs_query_desc_t *desc) {
    switch (input_below(8)) {
    case 0: desc->order_by_callback = by_entity; break;
    case 1: desc->order_by_callback = by_number, desc->order_by = scene.components[C_PLAIN]; break;
    case 2: desc->group_by = scene.relationships[input_below(RELATIONSHIPS)]; break;
    case 3: desc->group_by = EcsChildOf; break;
    case 4: desc->group_by = scene.tags[TAG_A], desc->group_by_callback = by_tag; break;
    case 5: desc->flags |= EcsQueryDetectChanges; break;
    default: break;
    }
}

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t hash_result(const ecs_iter_t *it, int32_t row) {
    uint64_t hash = mix(0, it->count ? it->entities[row] : 0);
    for (int8_t field = 0; field < it->field_count; field++) {
        hash = mix(hash, ecs_field_id(it, field));
        hash = mix(hash, ecs_field_src(it, field) * 2 + ecs_field_is_set(it, field));
    }
    for (int i = 1; i < ecs_iter_get_var_count((ecs_iter_t *)it); i++) {
        if (ecs_query_var_name(it->query, i)[0] != '_')
            hash = mix(hash, ecs_iter_get_var((ecs_iter_t *)it, i));
    }
    return hash;
}

typedef struct results_t {
    uint64_t sum; /* of hashes, so that order is no matter */
    int count;
    bool is_open; /* one is for any entity: all terms for $this depend on what was not found */
    bool is_there[ENTITIES]; /* entities of the cast that are among them */
} results_t;

static void add_result(results_t *results, const ecs_iter_t *it, int32_t row) {
    results->sum += hash_result(it, row);
    results->count++;
    int rank = it->count ? rank_of(it->entities[row]) : -1;
    if (rank >= rank_of_place(0)) results->is_there[rank - rank_of_place(0)] = true;
}

// False if there are too many.
static bool collect(const ecs_query_t *query, results_t *results) {
    *results = (results_t){ 0 };
    ecs_iter_t it = ecs_query_iter(scene.world, query);
    while (ecs_query_next(&it)) {
        check_fields(&it);
        if (results->count > MANY_RESULTS) {
            ecs_iter_fini(&it);
            return false;
        }
        if (!it.count && (query->flags & EcsQueryMatchThis)) results->is_open = true;
        for (int32_t row = 0; row < (it.count ? it.count : 1); row++) add_result(results, &it, row);
    }
    return true;
}

static void print_results(const ecs_query_t *query) {
    ecs_iter_t it = ecs_query_iter(scene.world, query);
    while (ecs_query_next(&it)) {
        char *text = ecs_iter_str(&it);
        say("    %s", text);
        ecs_os_free(text);
    }
}

static _Noreturn void fail_of(const char *what, const ecs_query_t *query) {
    char *text = ecs_query_str(query);
    say("  results:");
    print_results(query);
    fail("%s: %s", text, what);
}

static void check_has(const ecs_query_t *query, const results_t *results) {
    if (!(query->flags & EcsQueryMatchThis) || results->is_open) return;
    for (int i = 0; i < ENTITIES; i++) {
        ecs_iter_t it;
        bool has = is_there(scene.entities[i]) && ecs_query_has(query, scene.entities[i], &it);
        if (has) ecs_iter_fini(&it);
        if (has != results->is_there[i]) {
            say_id("  not the same for", scene.entities[i], 0);
            fail_of("ecs_query_has and results differ", query);
        }
    }
}

static void check_order(const pair_t *pair) {
    if (!pair->cached || pair->desc.order_by_callback != by_entity) return;
    ecs_entity_t last = 0;
    ecs_iter_t it = ecs_query_iter(scene.world, pair->cached);
    while (ecs_query_next(&it)) {
        for (int32_t row = 0; row < it.count; row++) {
            if (it.entities[row] < last) fail_of("results are out of order", pair->cached);
            last = it.entities[row];
        }
    }
}

static void check_pair(const pair_t *pair) {
    results_t cached, uncached;
    bool has_both = pair->cached && pair->uncached;
    if (pair->cached && !collect(pair->cached, &cached)) return;
    if (pair->uncached && !collect(pair->uncached, &uncached)) return;
    if (pair->cached) check_has(pair->cached, &cached);
    if (pair->uncached) check_has(pair->uncached, &uncached);
    if (has_both && !uncached.is_open && cached.sum != uncached.sum) {
        say("  cached %d, uncached %d", cached.count, uncached.count);
        print_results(pair->uncached);
        fail_of("cached and uncached results differ", pair->cached);
    }
    check_order(pair);
}

// Its text is a query with the same results.
static void check_text(const ecs_query_t *query) {
    char *text = ecs_query_str(query);
    if (!strchr(text, '#')) { /* numbers of entities that may be gone */
        ecs_query_t *again =
            ecs_query(scene.world, { .expr = text, .cache_kind = EcsQueryCacheNone });
        if (!again) fail_of("its text does not read back", query);
        results_t results, read_back;
        if (collect(query, &results) && collect(again, &read_back) && results.sum != read_back.sum)
            fail_of("read back, it is another query", query);
        ecs_query_fini(again);
    }
    ecs_os_free(text);
}

static void end_pair(pair_t *pair) {
    ecs_query_fini(pair->cached);
    ecs_query_fini(pair->uncached);
    *pair = (pair_t){ 0 };
}

void query_make(void) {
    if (!is_immediate()) return;
    pair_t *pair = &pairs[input_below(QUERIES)];
    end_pair(pair);
    ecs_query_desc_t *desc = &pair->desc;
    make_terms(desc, false);
    if (input_flag()) desc->flags |= EcsQueryMatchPrefab;
    if (input_flag()) desc->flags |= EcsQueryMatchDisabled;
    desc->cache_kind = EcsQueryCacheNone;
    pair->uncached = ecs_query_init(scene.world, desc);
    desc->cache_kind = EcsQueryCacheAuto;
    if (!has_cascade(desc)) make_order(desc);
    pair->cached = ecs_query_init(scene.world, desc);
    const ecs_query_t *query = pair->uncached ? pair->uncached : pair->cached;
    if (!query) return;
    char *text = ecs_query_str(query);
    say("query %s", text);
    ecs_os_free(text);
    if (pair->uncached && !desc->flags) check_text(pair->uncached);
    check_pair(pair);
}

void query_end(void) {
    if (is_immediate()) end_pair(&pairs[input_below(QUERIES)]);
}

// Operations while results are visited are deferred.
static void operate_within(const ecs_query_t *query) {
    bool may_end = input_flag();
    ecs_defer_begin(scene.world);
    scene.iterating++;
    say("iterate {");
    ecs_iter_t it = ecs_query_iter(scene.world, query);
    for (int i = 0; ecs_query_next(&it); i++) {
        check_fields(&it);
        if (i < 3) operate();
        if (may_end && i == 3) {
            ecs_iter_fini(&it);
            break;
        }
    }
    say("}");
    scene.iterating--;
    ecs_defer_end(scene.world);
}

static int64_t count_rows(ecs_iter_t it) {
    int64_t count = 0;
    while (ecs_iter_next(&it)) {
        check_fields(&it);
        count += it.count;
    }
    return count;
}

static int64_t count_all(const ecs_query_t *query) {
    return count_rows(ecs_query_iter(scene.world, query));
}

static void check_parts(const ecs_query_t *query) {
    int64_t all = count_all(query), offset = input_below(4), shared = 0;
    int64_t paged = all > offset + 2 ? 2 : all > offset ? all - offset : 0;
    ecs_iter_t it = ecs_query_iter(scene.world, query);
    if (count_rows(ecs_page_iter(&it, (int32_t)offset, 2)) != paged)
        fail_of("a page is not what was asked for", query);
    for (int32_t share = 0; share < 2; share++) {
        it = ecs_query_iter(scene.world, query);
        shared += count_rows(ecs_worker_iter(&it, share, 2));
    }
    if (shared != all) fail_of("shares are not the whole", query);
}

static void check_groups(const pair_t *pair) {
    if (!pair->cached || !pair->desc.group_by || pair->desc.order_by_callback) return;
    int64_t grouped = 0;
    ecs_map_iter_t group = ecs_map_iter(ecs_query_get_groups(pair->cached));
    while (ecs_map_next(&group)) {
        ecs_iter_t it = ecs_query_iter(scene.world, pair->cached);
        ecs_iter_set_group(&it, ecs_map_key(&group));
        grouped += count_rows(it);
    }
    if (count_all(pair->cached) != grouped) fail_of("groups are not the whole", pair->cached);
}

void query_iterate(void) {
    const pair_t *pair = &pairs[input_below(QUERIES)];
    const ecs_query_t *query =
        pair->cached && (input_flag() || !pair->uncached) ? pair->cached : pair->uncached;
    if (!query || scene.iterating || scene.readonly || scene.own_stage) return;
    switch (input_below(5)) {
    case 0: check_parts(query); break;
    case 1: check_groups(pair); break;
    case 2:
        if (pair->cached && (pair->desc.flags & EcsQueryDetectChanges))
            ecs_query_changed(pair->cached);
        break;
    default: operate_within(query); break;
    }
}

void queries_check(void) {
    for (int i = 0; i < QUERIES; i++) check_pair(&pairs[i]);
}

void queries_end(void) {
    for (int i = 0; i < QUERIES; i++) end_pair(&pairs[i]);
}
