// SPDX-License-Identifier: MIT
#include "query/cache/cache.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "base/bisect.h"
#include "world/state.h"

// ---- matches ----

void ecs__cache_reserve(ecs__cache_t *cache, ecs__matches_t *matches, int32_t count) {
    if (matches->count + count <= matches->size) return;
    matches->size = ECS_MAX(2 * matches->size, ECS_MAX(matches->count + count, 4));
    matches->array = ecs_os_realloc(matches->array, ecs_os_bytes_(cache->stride, matches->size));
    cache->moved++;
}

// Behind the last one, without columns; it counts when matches->count does.
static inline ecs__match_t *begin_match(
    ecs__cache_t *cache, ecs__matches_t *matches, ecs_table_t *table) {
    if (matches->count == matches->size) ecs__cache_reserve(cache, matches, 1);
    ecs__match_t *match = ecs__matches_at(cache, matches, matches->count);
    *match = (ecs__match_t){ .table = table, .number = table->id, .details = -1 };
    return match;
}

ecs__detail_t *ecs__matches_add_details(ecs__matches_t *matches, int32_t field_count) {
    if (matches->detail_count + field_count > matches->detail_size) {
        matches->detail_size = 2 * (matches->detail_size + field_count);
        matches->details = ecs_os_realloc_n(matches->details, ecs__detail_t, matches->detail_size);
    }
    matches->detail_count += field_count;
    return &matches->details[matches->detail_count - field_count];
}

// Operations about constants are not part of the cache: their fields do not count here.
bool ecs__details_are_simple(const ecs__plan_t *plan, const ecs__detail_t *details) {
    for (int32_t f = 0; f < plan->field_count; f++) {
        if (details[f].id != plan->ids[f] || details[f].source != plan->sources[f]) return false;
    }
    return true;
}

// The match before, if it is of the same table: that counts once.
static const ecs__match_t *sibling_of(const ecs__cache_t *cache, int32_t at) {
    if (!at) return NULL;
    const ecs__match_t *previous = ecs__matches_at(cache, &cache->now, at - 1);
    return previous->table == ecs__matches_at(cache, &cache->now, at)->table ? previous : NULL;
}

static void join_group(ecs__cache_t *cache, int32_t at) {
    ecs__match_t *match = ecs__matches_at(cache, &cache->now, at);
    const ecs__match_t *sibling = sibling_of(cache, at);
    ecs__group_t *group = sibling ? sibling->group : ecs__groups_of(cache->groups, match->table);
    ecs__matches_at(cache, &cache->now, at)->group = group;
    if (!sibling) ecs__group_join(group);
}

// Matches from `at` on.
static void join_groups(ecs__cache_t *cache, int32_t at) {
    cache->order_is_stale = true;
    for (; at < cache->now.count; at++) {
        if (!ecs__matches_at(cache, &cache->now, at)->group) join_group(cache, at);
    }
}

void ecs__cache_welcome(ecs__cache_t *cache, ecs__match_t *match) {
    if (cache->detect) ecs__cache_watch_match(cache, match);
    if (cache->sort) {
        ecs__sort_watch(cache, match);
        cache->order_is_stale = true;
    }
    cache->is_watched |= match->table->watch != NULL;
    if (match->details >= 0) cache->watch_stamp = 0; // sources count, too
}

static void welcome_new(ecs__cache_t *cache, ecs__match_t *match) {
    cache->match_count += !sibling_of(cache, cache->now.count - 1);
    ecs__cache_welcome(cache, match);
}

ecs__match_t *ecs__cache_describe(
    ecs__cache_t *cache, ecs__matches_t *matches, const ecs__eval_t *eval) {
    const ecs__plan_t *plan = cache->plan;
    ecs__match_t *match = begin_match(cache, matches, eval->table);
    matches->count++;
    match->set_fields = eval->set_fields;
    match->details = matches->detail_count;
    ecs__detail_t *details = ecs__matches_add_details(matches, plan->field_count);
    for (int32_t f = 0; f < plan->field_count; f++) {
        const ecs__field_found_t *found = &eval->fields[f];
        match->columns[f] = ecs__field_column(found);
        details[f] = (ecs__detail_t){ found->id, found->source, found->table };
    }
    return match;
}

static void append(ecs__cache_t *cache, ecs__eval_t *eval) {
    ecs__matches_t *matches = &cache->now;
    while (ecs__eval_next(eval)) {
        ecs__match_t *match = ecs__cache_describe(cache, matches, eval);
        if (ecs__details_are_simple(cache->plan, &matches->details[match->details])) {
            matches->detail_count = match->details;
            match->details = -1;
        }
        welcome_new(cache, match);
    }
}

int32_t ecs__cache_seek(const ecs__cache_t *cache, int32_t from, uint64_t number) {
    ecs__bisect_t search = ecs__gallop(from, cache->now.count);
    while (ecs__bisect_asks(&search))
        ecs__bisect_answer(
            &search, ecs__matches_at(cache, &cache->now, search.at)->number < number);
    return search.low;
}

ecs__match_t *ecs__cache_find(const ecs__cache_t *cache, const ecs_table_t *table) {
    int32_t at = ecs__cache_seek(cache, 0, table->id);
    if (at == cache->now.count) return NULL;
    ecs__match_t *match = ecs__matches_at(cache, &cache->now, at);
    return match->table == table ? match : NULL;
}

uint64_t ecs__cache_group_of(const ecs__cache_t *cache, const ecs_table_t *table) {
    const ecs__match_t *match = ecs__cache_find(cache, table);
    return match ? ecs__match_group(match) : 0;
}

static int32_t from_in_group(
    const ecs__cache_t *cache, const ecs__group_t *group, uint64_t number) {
    int32_t at = group->begin;
    while (at < group->end && ecs__cache_at(cache, at)->number < number) at++;
    return at;
}

int32_t ecs__cache_from(const ecs__cache_t *cache, uint64_t number, uint64_t group) {
    const ecs__groups_t *groups = cache->groups;
    if (!groups) {
        int32_t last = cache->now.count - 1;
        bool is_end = last < 0 || ecs__matches_at(cache, &cache->now, last)->number < number;
        return is_end ? last + 1 : ecs__cache_seek(cache, 0, number);
    }
    const int32_t at = ecs__groups_seek(groups, group);
    if (at == groups->by_id.count) return cache->order_count;
    const ecs__group_t *next = groups->sorted[at]; // behind the group, if that ended
    return next->info.id == group ? from_in_group(cache, next, number) : next->begin;
}

static bool has_ids(const ecs__cache_t *cache, const ecs__match_t *match, const ecs_id_t *ids,
    ecs_termset_t fields) {
    if (match->details < 0) return true;
    const ecs__detail_t *details = &cache->now.details[match->details];
    for (int32_t f = 0; f < cache->plan->field_count; f++)
        if (fields & FIELD_BIT(f) && details[f].id != ids[f]) return false;
    return true;
}

// A table has its matches one behind the other.
int32_t ecs__cache_behind(const ecs__cache_t *cache, uint64_t number, uint64_t group,
    const ecs_id_t *ids, ecs_termset_t fields) {
    int32_t at = ecs__cache_from(cache, number, group);
    for (; at < ecs__cache_count(cache); at++) {
        const ecs__match_t *match = ecs__cache_at(cache, at);
        if (match->number != number) return at;
        if (has_ids(cache, match, ids, fields)) return at + 1;
    }
    return at;
}

// Details lie in any order, and those of some matches are simple by now.
static void keep_details(ecs__cache_t *cache, ecs__match_t *match, const ecs__detail_t *details) {
    int32_t fields = cache->plan->field_count, at = cache->now.detail_count;
    if (match->details < 0) return;
    details += match->details;
    bool is_simple = ecs__details_are_simple(cache->plan, details);
    match->details = is_simple ? -1 : at;
    if (is_simple) return;
    memcpy(ecs__matches_add_details(&cache->now, fields), details,
        (size_t)fields * sizeof(ecs__detail_t));
}

void ecs__cache_compact(ecs__cache_t *cache) {
    ecs__matches_t *matches = &cache->now, before = cache->now;
    if (!matches->holes) return;
    ecs__cache_drop_copies(cache);
    matches->details = cache->spare.details;
    matches->detail_size = cache->spare.detail_size;
    matches->count = matches->detail_count = matches->holes = 0;
    for (int32_t i = 0; i < before.count; i++) {
        ecs__match_t *match = ecs__matches_at(cache, matches, i);
        if (!match->table) continue;
        keep_details(cache, match, before.details);
        if (matches->count != i)
            memcpy(ecs__matches_at(cache, matches, matches->count), match, (size_t)cache->stride);
        matches->count++;
    }
    cache->spare.details = before.details;
    cache->spare.detail_size = before.detail_size;
    if (cache->groups || cache->sort) ecs__cache_reorder(cache);
    cache->moved++;
    cache->stamp++;
}

void ecs__cache_trim(ecs__cache_t *cache) {
    if (cache->now.holes <= cache->now.count / 2 + 16) return;
    if (cache->order)
        ecs__cache_reorder(cache);
    else
        ecs__cache_compact(cache);
}

// ---- order by group ----

static void grow_order(ecs__cache_t *cache) {
    if (cache->order && cache->now.count <= cache->order_size) return;
    cache->order_size = ECS_MAX(cache->now.size, 4);
    cache->order = ecs_os_realloc_n(cache->order, ecs__place_t, cache->order_size);
}

// Counting sort: groups are in order already, and within one matches stay in order of creation.
void ecs__cache_list_by_group(const ecs__cache_t *cache, ecs__place_t *list) {
    const ecs__matches_t *matches = &cache->now;
    const ecs__groups_t *groups = cache->groups;
    for (int32_t i = 0; i < groups->by_id.count; i++) groups->sorted[i]->behind = 0;
    for (int32_t i = 0; i < matches->count; i++)
        ecs__matches_at(cache, matches, i)->group->behind++;
    for (int32_t i = 0, first = 0; i < groups->by_id.count; i++) {
        ecs__group_t *group = groups->sorted[i];
        group->first = first;
        first += group->behind;
        group->behind = group->first;
    }
    for (int32_t i = 0; i < matches->count; i++) {
        ecs__group_t *group = ecs__matches_at(cache, matches, i)->group;
        list[group->behind++] = (ecs__place_t){ i, 0, INT32_MAX };
    }
}

static void order_by_group(ecs__cache_t *cache) {
    const ecs__groups_t *groups = cache->groups;
    grow_order(cache);
    ecs__cache_list_by_group(cache, cache->order);
    cache->order_count = cache->now.count;
    for (int32_t i = 0; i < groups->by_id.count; i++) {
        ecs__group_t *group = groups->sorted[i];
        group->begin = group->first;
        group->end = group->behind;
    }
}

// A match that came last comes last in its group.
static void place_match(ecs__cache_t *cache, int32_t match) {
    const ecs__groups_t *groups = cache->groups;
    ecs__group_t *group = ecs__matches_at(cache, &cache->now, match)->group;
    ecs__place_t *place = &cache->order[group->end];
    memmove(place + 1, place, (size_t)(cache->order_count - group->end) * sizeof(ecs__place_t));
    *place = (ecs__place_t){ match, 0, INT32_MAX };
    cache->order_count++;
    group->end++;
    for (int32_t i = ecs__groups_seek(groups, group->info.id) + 1; i < groups->by_id.count; i++) {
        groups->sorted[i]->begin++;
        groups->sorted[i]->end++;
    }
}

enum { PLACED_MAX = 8 };

// Few matches are new, and the others stay where they are. Holes stay, too.
static bool can_place(const ecs__cache_t *cache) {
    return !cache->sort && cache->placed && cache->now.count - cache->placed <= PLACED_MAX;
}

static void place_matches(ecs__cache_t *cache) {
    grow_order(cache);
    for (int32_t i = cache->placed; i < cache->now.count; i++) {
        if (ecs__matches_at(cache, &cache->now, i)->table) place_match(cache, i);
    }
}

static void sort(ecs__cache_t *cache) {
    const ecs_world_t *before = ecs__ask(cache->store->owner);
    if (cache->order_is_stale || !ecs__sort_update(cache)) ecs__sort_run(cache);
    ecs__ask(before);
}

static void order_all(ecs__cache_t *cache) {
    ecs__cache_compact(cache);
    if (cache->sort)
        sort(cache);
    else
        order_by_group(cache);
}

static void find_order(ecs__cache_t *cache) {
    ecs__cache_drop_copies(cache);
    if (can_place(cache))
        place_matches(cache);
    else
        order_all(cache);
    cache->placed = cache->now.count;
    cache->order_is_stale = false;
    cache->moved++;
    cache->stamp++;
}

void ecs__cache_update(ecs__cache_t *cache) {
    do {
        if (!cache->plan->own && cache->seen != cache->store->traverse_stamp)
            ecs__cache_rematch(cache);
        bool is_unsorted = cache->sort && !ecs__sort_is_current(cache);
        if (cache->order_is_stale || is_unsorted) find_order(cache);
    } while (cache->groups && ecs__groups_tell(cache->groups)); // who may have changed something
}

// ---- tables that come and go ----

void ecs__cache_tell_matched(const ecs__cache_t *cache) {
    ecs_world_t *world = cache->store->owner;
    if (cache->entity && !ecs__cache_is_empty(cache))
        world->queries.tell_matched(world, cache->entity);
}

// A new table often concerns many queries, most of which only ask for own ids: those need no
// program.
static void append_plain(ecs__cache_t *cache, ecs_table_t *table) {
    const ecs__plan_t *plan = cache->plan;
    ecs__match_t *match = begin_match(cache, &cache->now, table);
    for (int32_t f = 0; f < plan->field_count; f++)
        match->columns[f] = -1; // terms without source have none
    for (int32_t i = 1; i < plan->count; i++) {
        int32_t index = ecs__type_find(&table->type, plan->ops[i].id);
        if (index < 0) return;
        match->columns[plan->ops[i].field] = ecs__table_column_at(table, index);
    }
    match->set_fields = plan->plain_fields;
    cache->now.count++;
    welcome_new(cache, match);
}

static void append_table(ecs__cache_t *cache, ecs_table_t *table) {
    const ecs__plan_t *plan = cache->plan;
    if (plan->plain && !(table->flags & EcsTableHasIsA)) {
        append_plain(cache, table);
        return;
    }
    ecs__eval_t eval;
    ecs__eval_init(&eval, plan, cache->store, plan->scan, plan->count, table, true);
    append(cache, &eval);
}

// Mostly the newest table is the last match; but who hears of one may make others, of which this query hears first.
static void add_table(ecs__cache_t *cache, ecs_table_t *table) {
    const int32_t count = cache->now.count;
    if (count && ecs__matches_at(cache, &cache->now, count - 1)->number > table->id) {
        ecs__cache_insert(cache, table);
        return;
    }
    append_table(cache, table);
    if (cache->groups && cache->now.count > count) join_groups(cache, count);
}

// May be called twice for a table.
static void on_create(ecs__table_listener_t *listener, ecs_table_t *table) {
    ecs__cache_t *cache = (ecs__cache_t *)(void *)listener;
    if (cache->is_followed || !ecs__plan_may_match(cache->plan, table)) return;
    int32_t count = cache->now.count;
    if (count && ecs__matches_at(cache, &cache->now, count - 1)->number == table->id) return;
    bool was_empty = ecs__cache_is_empty(cache);
    add_table(cache, table);
    if (cache->now.count == count) return;
    cache->stamp++;
    if (was_empty) ecs__cache_tell_matched(cache);
    if (cache->groups) ecs__groups_tell(cache->groups);
}

void ecs__cache_retire(ecs__cache_t *cache, ecs__match_t *match) {
    if (cache->detect) ecs__cache_lose(cache, match);
    match->table = NULL;
    match->group = NULL;
    match->seen = match->kept = 0;
    match->was_shown = match->is_sorted = false;
    match->sorted_count = match->waiting = 0;
    cache->now.holes++;
}

static void on_delete(ecs__table_listener_t *listener, ecs_table_t *table) {
    ecs__cache_t *cache = (ecs__cache_t *)(void *)listener;
    int32_t holes = cache->now.holes;
    ecs__group_t *group = NULL;
    for (int32_t i = ecs__cache_seek(cache, 0, table->id); i < cache->now.count; i++) {
        ecs__match_t *match = ecs__matches_at(cache, &cache->now, i);
        if (match->table != table) break;
        group = match->group;
        ecs__cache_retire(cache, match);
    }
    if (cache->now.holes == holes) return;
    if (group) ecs__group_leave(cache->groups, group);
    if (group && cache->sort) ecs__cache_reorder(cache); // groups may have ended
    cache->match_count++;
    cache->stamp++;
    ecs__cache_trim(cache);
    if (group) ecs__groups_tell(cache->groups);
}

// ---- lists of listeners ----

static void ear_on_create(ecs__table_listener_t *listener, ecs_table_t *table) {
    on_create(&((ecs__ear_t *)(void *)listener)->cache->listener, table);
}

static void ear_on_delete(ecs__table_listener_t *listener, ecs_table_t *table) {
    on_delete(&((ecs__ear_t *)(void *)listener)->cache->listener, table);
}

static void listen_to(ecs__cache_t *cache, ecs__listener_list_t *list) {
    cache->list = list;
    cache->listener = (ecs__table_listener_t){ .on_create = on_create, .on_delete = on_delete };
    ecs__listener_add(cache->store, list, &cache->listener);
}

static void listen_also_to(ecs__cache_t *cache, ecs__listener_list_t *list) {
    bool is_known = list == cache->list;
    for (int32_t i = 0; i < cache->ear_count; i++) is_known |= cache->ears[i].list == list;
    if (is_known) return;
    ecs__ear_t *ear = &cache->ears[cache->ear_count++];
    *ear = (ecs__ear_t){ { .on_create = ear_on_create, .on_delete = ear_on_delete }, cache, list };
    ecs__listener_add(cache->store, list, &ear->listener);
}

static void listen(ecs__cache_t *cache) {
    const int32_t key = ecs__plan_rarest(cache->plan, true);
    const ecs__op_t *op = key < 0 ? NULL : &cache->plan->ops[key];
    if (!op) {
        listen_to(cache, &cache->store->listeners);
    } else if (op->code != ECS__OP_EITHER) {
        listen_to(cache, &ecs__op_key(op)->listeners);
    } else {
        listen_to(cache, &ecs__op_key(op + 1)->listeners);
        cache->ears = ecs_os_malloc_n(ecs__ear_t, op->count - 1);
        for (int32_t i = 2; i <= op->count; i++)
            listen_also_to(cache, &ecs__op_key(op + i)->listeners);
    }
}

static void stop_listening(ecs__cache_t *cache) {
    ecs__listener_remove(cache->store, cache->list, &cache->listener);
    for (int32_t i = 0; i < cache->ear_count; i++)
        ecs__listener_remove(cache->store, cache->ears[i].list, &cache->ears[i].listener);
    ecs_os_free(cache->ears);
}

// ---- lifecycle ----

ecs__cache_t *ecs__cache_new(
    const ecs__plan_t *plan, ecs__store_t *store, ecs__groups_t *groups, ecs__sort_t *sort) {
    ecs__cache_t *cache = ecs_os_calloc_t(ecs__cache_t);
    cache->plan = plan;
    cache->store = store;
    cache->sort = sort;
    size_t bytes = sizeof(ecs__match_t) + (size_t)plan->field_count * sizeof(int16_t);
    cache->stride = (int32_t)ECS_ALIGN(bytes, sizeof(void *));
    cache->seen = store->traverse_stamp;
    ecs__eval_t eval;
    ecs__eval_init(&eval, plan, store, plan->scan, plan->count, NULL, true);
    cache->order_is_stale = sort;
    append(cache, &eval);
    listen(cache);
    cache->groups = groups;
    if (groups) join_groups(cache, 0);
    return cache;
}

static void free_matches(ecs__matches_t *matches) {
    ecs_os_free(matches->array);
    ecs_os_free(matches->details);
}

void ecs__cache_free(ecs__cache_t *cache) {
    stop_listening(cache);
    if (cache->sort) ecs__sort_unwatch(cache);
    free_matches(&cache->now);
    free_matches(&cache->spare);
    ecs_vec_fini_t(NULL, &cache->stale, ecs_table_t *);
    ecs__sort_free(cache->sort);
    ecs__groups_free(cache->groups);
    ecs_os_free(cache->copies);
    ecs_os_free(cache->order);
    ecs_os_free(cache);
}

static bool is_in_order(const ecs__cache_t *cache) {
    uint64_t previous = 0;
    for (int32_t i = 0; i < cache->now.count; i++) {
        const ecs__match_t *match = ecs__matches_at(cache, &cache->now, i);
        if (match->number < previous || (match->table && match->table->id != match->number))
            return false;
        previous = match->number;
    }
    return true;
}

// Each match once, in its group, and in order of creation there. Groups that ended left holes between others.
static bool is_grouped(const ecs__cache_t *cache) {
    const ecs__groups_t *groups = cache->groups;
    int32_t holes = cache->order_count, end = 0;
    for (int32_t i = 0; i < groups->by_id.count; i++) {
        const ecs__group_t *group = groups->sorted[i];
        if (group->begin < end) return false;
        end = group->end;
        for (int32_t at = group->begin, previous = -1; at < end; at++) {
            const int32_t match = cache->order[at].match;
            const bool is_hole = !ecs__cache_at(cache, at)->table;
            if (match <= previous || (!is_hole && ecs__cache_at(cache, at)->group != group))
                return false;
            previous = match;
            holes -= !is_hole;
        }
    }
    return end <= cache->order_count && holes <= cache->now.holes &&
           cache->order_count - holes == cache->now.count - cache->now.holes;
}

// Right means: what a fresh search finds, in the same order.
bool ecs__cache_verify(const ecs__cache_t *cache) {
    if (!is_in_order(cache) || !ecs__copies_verify(cache)) return false;
    if (cache->is_followed || !ecs__cache_is_current(cache)) return true;
    if (cache->groups && cache->order && !cache->sort && !is_grouped(cache)) return false;
    ecs__eval_t eval;
    ecs__eval_init(
        &eval, cache->plan, cache->store, cache->plan->scan, cache->plan->count, NULL, true);
    int32_t i = 0;
    while (ecs__eval_next(&eval)) {
        const ecs__match_t *match = NULL;
        while (i < cache->now.count &&
               (match = ecs__matches_at(cache, &cache->now, i++), !match->table)) {}
        if (!match || match->table != eval.table || match->set_fields != eval.set_fields)
            return false;
    }
    while (i < cache->now.count && !ecs__matches_at(cache, &cache->now, i)->table) i++;
    return i == cache->now.count;
}
