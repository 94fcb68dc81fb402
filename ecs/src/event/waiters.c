// SPDX-License-Identifier: MIT
#include "event/waiters.h"

#include <muster/ecs/os.h>

#include "event/observer.h"

// ---- lists ----

static void append(ecs__waiters_t *list, ecs__waiter_t waiter) {
    if (list->count == list->size) {
        list->size = list->size ? list->size * 2 : 4;
        list->items = ecs_os_realloc_n(list->items, ecs__waiter_t, list->size);
    }
    list->items[list->count++] = waiter;
}

static int32_t sweep(ecs__waiters_t *list) {
    int32_t kept = 0, count = list->count;
    for (int32_t i = 0; i < count; i++) {
        if (!list->items[i].observer->is_dead) list->items[kept++] = list->items[i];
    }
    list->count = kept;
    return count - kept;
}

// ---- terms about given entities ----

ecs_entity_t ecs__waiter_source(const ecs__waiter_t *waiter) {
    const ecs_term_t *term = ecs__waiter_term(waiter);
    return waiter->is_unsaid || ecs_term_match_this(term) ? 0 : ECS_TERM_REF_ID(&term->src);
}

static void index_source(ecs__fixed_t *fixed, ecs__waiter_t waiter) {
    ecs__waiters_t **list =
        ecs_map_ensure_ref(&fixed->by_source, ecs__waiters_t, ecs__waiter_source(&waiter));
    if (!*list) *list = ecs_os_calloc_t(ecs__waiters_t);
    append(*list, waiter);
}

static void clear_index(ecs__fixed_t *fixed) {
    ecs_map_iter_t it = ecs_map_iter(&fixed->by_source);
    while (ecs_map_next(&it)) {
        ecs__waiters_t *list = ecs_map_ptr(&it);
        ecs_os_free(list->items);
        ecs_os_free(list);
    }
    ecs_map_clear(&fixed->by_source);
}

static void add_fixed(ecs__fixed_t **fixed, ecs__waiter_t waiter) {
    if (!*fixed) {
        *fixed = ecs_os_calloc_t(ecs__fixed_t);
        ecs_map_init(&(*fixed)->by_source, NULL);
    }
    append(&(*fixed)->all, waiter);
    index_source(*fixed, waiter);
}

static void free_fixed(ecs__fixed_t *fixed) {
    if (!fixed) return;
    clear_index(fixed);
    ecs_map_fini(&fixed->by_source);
    ecs_os_free(fixed->all.items);
    ecs_os_free(fixed);
}

static int32_t sweep_fixed(ecs__fixed_t *fixed) {
    int32_t dead = fixed ? sweep(&fixed->all) : 0;
    if (!dead) return 0;
    clear_index(fixed);
    for (int32_t i = 0; i < fixed->all.count; i++) index_source(fixed, fixed->all.items[i]);
    return dead;
}

// ---- an id ----

ecs__wanted_t *ecs__wanted_new(ecs_id_t id) {
    ecs__wanted_t *wanted = ecs_os_calloc_t(ecs__wanted_t);
    wanted->id = id;
    return wanted;
}

void ecs__wanted_free(ecs__wanted_t *wanted) {
    for (int32_t r = 0; r < ECS__REACH_COUNT; r++) ecs_os_free(wanted->lists[r].items);
    for (int32_t r = 0; r < ECS__REACH_COUNT; r++) free_fixed(wanted->fixed[r]);
    ecs_os_free(wanted);
}

void ecs__wanted_add(ecs__wanted_t *wanted, ecs__reach_t reach, ecs__waiter_t waiter) {
    if (ecs__waiter_source(&waiter))
        add_fixed(&wanted->fixed[reach], waiter);
    else
        append(&wanted->lists[reach], waiter);
}

bool ecs__wanted_has(const ecs__wanted_t *wanted, ecs__reach_t reach, const ecs__waiter_t *waiter) {
    ecs__asking_t asking = ecs__wanted_ask(wanted, reach, ecs__waiter_source(waiter));
    ecs__waiter_t other;
    while (ecs__asking_next(&asking, &other)) {
        if (other.observer == waiter->observer && other.term == waiter->term) return true;
    }
    return false;
}

int32_t ecs__wanted_sweep(ecs__wanted_t *wanted) {
    int32_t dead = 0;
    for (int32_t r = 0; r < ECS__REACH_COUNT; r++)
        dead += sweep(&wanted->lists[r]) + sweep_fixed(wanted->fixed[r]);
    return dead;
}

int32_t ecs__wanted_count_at(const ecs__wanted_t *wanted, ecs__reach_t reach) {
    const ecs__fixed_t *fixed = wanted->fixed[reach];
    return wanted->lists[reach].count + (fixed ? fixed->all.count : 0);
}

int32_t ecs__wanted_count(const ecs__wanted_t *wanted, bool absence) {
    int32_t first = absence ? ECS__REACH_NOT : ECS__REACH_SELF, count = 0;
    for (int32_t r = first; r < first + 3; r++)
        count += ecs__wanted_count_at(wanted, (ecs__reach_t)r);
    return count;
}

// ---- asking ----

static const ecs__waiters_t *fixed_for(const ecs__fixed_t *fixed, ecs_entity_t entity) {
    if (!fixed || !entity) return fixed ? &fixed->all : NULL;
    return ecs_map_get_deref(&fixed->by_source, ecs__waiters_t, entity);
}

ecs__asking_t ecs__wanted_ask(
    const ecs__wanted_t *wanted, ecs__reach_t reach, ecs_entity_t entity) {
    ecs__asking_t asking = { &wanted->lists[reach], fixed_for(wanted->fixed[reach], entity) };
    asking.other_count = asking.others->count;
    asking.fixed_count = asking.fixed ? asking.fixed->count : 0;
    return asking;
}

static bool is_before(const ecs__waiter_t *waiter, const ecs__waiter_t *other) {
    uint64_t a = waiter->observer->number, b = other->observer->number;
    return a < b || (a == b && waiter->term < other->term);
}

bool ecs__asking_next(ecs__asking_t *asking, ecs__waiter_t *waiter) {
    const ecs__waiter_t *other = NULL, *fixed = NULL;
    if (asking->other < asking->other_count) other = &asking->others->items[asking->other];
    if (asking->fixed_at < asking->fixed_count) fixed = &asking->fixed->items[asking->fixed_at];
    if (!other && !fixed) return false;
    bool is_fixed = fixed && (!other || is_before(fixed, other));
    *waiter = is_fixed ? *fixed : *other;
    *(is_fixed ? &asking->fixed_at : &asking->other) += 1;
    return true;
}
