// SPDX-License-Identifier: MIT
#include "event/waiters.h"

#include <muster/ecs/os.h>

#include "event/observer.h"

// ---- lists ----

static void append(ecs_vec_t *list, ecs__waiter_t waiter) {
    *ecs_vec_append_t(NULL, list, ecs__waiter_t) = waiter;
}

static int32_t sweep(ecs_vec_t *list) {
    ecs__waiter_t *items = list->array;
    int32_t kept = 0, count = list->count;
    for (int32_t i = 0; i < count; i++) {
        if (!items[i].observer->is_dead) items[kept++] = items[i];
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
    ecs_vec_t **list =
        ecs_map_ensure_ref(&fixed->by_source, ecs_vec_t, ecs__waiter_source(&waiter));
    if (!*list) *list = ecs_os_calloc_t(ecs_vec_t);
    append(*list, waiter);
}

static void clear_index(ecs__fixed_t *fixed) {
    ecs_map_iter_t it = ecs_map_iter(&fixed->by_source);
    while (ecs_map_next(&it)) {
        ecs_vec_t *list = ecs_map_ptr(&it);
        ecs_vec_fini_t(NULL, list, ecs__waiter_t);
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
    ecs_vec_fini_t(NULL, &fixed->all, ecs__waiter_t);
    ecs_os_free(fixed);
}

static int32_t sweep_fixed(ecs__fixed_t *fixed) {
    int32_t dead = fixed ? sweep(&fixed->all) : 0;
    if (!dead) return 0;
    clear_index(fixed);
    for (int32_t i = 0; i < fixed->all.count; i++)
        index_source(fixed, *ecs_vec_get_t(&fixed->all, ecs__waiter_t, i));
    return dead;
}

// ---- an id ----

ecs__wanted_t *ecs__wanted_new(ecs_id_t id) {
    ecs__wanted_t *wanted = ecs_os_calloc_t(ecs__wanted_t);
    wanted->id = id;
    return wanted;
}

void ecs__wanted_free(ecs__wanted_t *wanted) {
    for (int32_t r = 0; r < ECS__REACH_COUNT; r++) {
        ecs_vec_fini_t(NULL, &wanted->lists[r], ecs__waiter_t);
        free_fixed(wanted->fixed[r]);
    }
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

static const ecs_vec_t *fixed_for(const ecs__fixed_t *fixed, ecs_entity_t entity) {
    if (!fixed || !entity) return fixed ? &fixed->all : NULL;
    return ecs_map_get_deref(&fixed->by_source, ecs_vec_t, entity);
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
    if (asking->other < asking->other_count)
        other = ecs_vec_get_t(asking->others, ecs__waiter_t, asking->other);
    if (asking->fixed_at < asking->fixed_count)
        fixed = ecs_vec_get_t(asking->fixed, ecs__waiter_t, asking->fixed_at);
    if (!other && !fixed) return false;
    bool is_fixed = fixed && (!other || is_before(fixed, other));
    *waiter = is_fixed ? *fixed : *other;
    *(is_fixed ? &asking->fixed_at : &asking->other) += 1;
    return true;
}
