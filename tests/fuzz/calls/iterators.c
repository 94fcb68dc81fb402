// SPDX-License-Identifier: MIT
// iterators: going through results, and what iterators tell of them.
#include "calls.h"

enum { MOST_RESULTS = 20, HELD = 6 };

typedef bool (*next_t)(ecs_iter_t *it);

static next_t some_next(void) {
    static const next_t all[] = { ecs_query_next, ecs_iter_next, ecs_each_next, ecs_children_next,
        ecs_page_next, ecs_worker_next };
    return all[input_below(6)];
}

static ecs_query_t *some_query(void) { return cast.queries[input_below(QUERIES)]; }

// ---- results ----

static void read_all(const void *values, const ecs_iter_t *it, int8_t field) {
    const volatile uint8_t *bytes = values;
    const bool is_array = ecs_field_is_self(it, field) && !(it->ref_fields >> field & 1);
    int64_t size = it->sizes[field];
    if (is_array) size *= it->count;
    for (int64_t i = 0; i < size; i++) (void)bytes[i];
}

static void look_at_values(const ecs_iter_t *it, int8_t field) {
    const bool is_known = field >= 0 && field < it->field_count;
    const size_t size =
        is_known && it->sizes && !is_odd() ? (size_t)it->sizes[field] : (size_t)input_below(20);
    const int32_t row = draw_number();
    switch (input_below(4)) {
    case 0: ecs_field_self_w_size(it, size, field); break;
    case 1: ecs_field_at_w_size(it, size, field, row); break;
    default: {
        const void *values = input_flag() ? ecs_field_w_size(it, size, field)
                                          : ecs_field_mut_w_size(it, size, field);
        if (values && is_known && it->sizes && it->event != EcsOnRemove)
            read_all(values, it, field);
    }
    }
}

static void look_at_field(const ecs_iter_t *it) {
    const int8_t field = (int8_t)(is_odd() ? input_byte() : input_below(it->field_count + 1));
    switch (input_below(6)) {
    case 0: ecs_field_is_set(it, field); break;
    case 1:
        ecs_field_id(it, field);
        ecs_field_src(it, field);
        ecs_field_is_self(it, field);
        break;
    case 2:
        ecs_field_size(it, field);
        ecs_field_column(it, field);
        ecs_field_is_readonly(it, field);
        ecs_field_is_writeonly(it, field);
        break;
    case 3: ecs_field_target(it, field, draw_number()); break;
    default: look_at_values(it, field);
    }
}

static void look_at_vars(ecs_iter_t *it) {
    const int32_t var = draw_number();
    ecs_iter_get_vars(it);
    ecs_iter_get_var(it, var);
    ecs_iter_get_var_as_table(it, var);
    ecs_iter_get_var_as_range(it, var);
    ecs_iter_get_var_count(it);
    ecs_iter_get_var_name(it, var);
    ecs_iter_var_is_constrained(it, var);
}

static void constrain(ecs_iter_t *it) {
    static const char *const args[] = { "x: a", "this: b", "(x: a, y: b)", "x:", "$x: #300",
        "(this:a", "z: a", "x: a, x: b", " ", ")", "this: t0", ":a", "x: 'a'" };
    ecs_table_range_t range = { draw_table(), draw_number(), draw_number() };
    ecs_query_t *query = ECS_CONST_CAST(ecs_query_t *, it->query);
    switch (input_below(7)) {
    case 0: ecs_iter_set_var(it, draw_number(), draw_entity()); break;
    case 1: ecs_iter_set_var_as_table(it, input_below(3) - 1, range.table); break;
    case 2: ecs_iter_set_var_as_range(it, input_below(3) - 1, &range); break;
    case 3: ecs_iter_set_group(it, input_flag() ? (uint64_t)input_below(3) : draw_entity()); break;
    case 4:
        if (query) ecs_query_args_parse(query, it, args[input_below(13)]);
        break;
    case 5: it->flags |= input_flag() ? EcsIterProfile : EcsIterInstanced; break;
    default:
        if (query) ecs_iter_set_var(it, ecs_query_find_var(query, "x"), draw_entity());
    }
}

static void ask(ecs_iter_t *it) {
    switch (input_below(8)) {
    case 0: ecs_os_free(ecs_iter_str(it)); break;
    case 1: ecs_iter_changed(it); break;
    case 2: ecs_iter_skip(it); break;
    case 3: ecs_iter_get_group(it); break;
    case 4: ecs_iter_random(it, is_odd() ? draw_number() : 0); break;
    case 5:
        if (it->query) ecs_os_free(ecs_query_plan_w_profile(it->query, it));
        break;
    case 6:
        if (is_odd()) constrain(it);
        break;
    default:
        if (is_odd()) some_next()(it);
    }
}

void look_at(ecs_iter_t *it) {
    for (int i = input_below(4); i > 0; i--) {
        switch (input_below(4)) {
        case 0: ask(it); break;
        case 1: look_at_vars(it); break;
        default: look_at_field(it);
        }
    }
}

// ---- iteration ----

static void go_through(ecs_world_t *world, ecs_iter_t *it, next_t next, bool calls) {
    if (input_flag()) next = ecs_iter_next;
    if (is_odd()) next = some_next();
    if (is_odd()) look_at(it);
    for (int results = 0; next(it); results++) {
        look_at(it);
        if (calls) make_some_told(world);
        if (results < MOST_RESULTS && input_below(10)) continue;
        ecs_iter_fini(it);
        break;
    }
    if (is_odd()) {
        look_at(it);
        next(it);
    }
    ecs_iter_fini(it); /* `next` may have been one of other iterators */
}

static next_t cut(ecs_iter_t *part, const ecs_iter_t *it) {
    if (input_flag()) {
        *part = ecs_page_iter(it, draw_number(), draw_number());
        return ecs_page_next;
    }
    const int32_t count = is_odd() ? draw_number() : 1 + input_below(3);
    *part = ecs_worker_iter(it, count > 0 && !is_odd() ? input_below(count) : draw_number(), count);
    return ecs_worker_next;
}

static void finish(ecs_iter_t *it) {
    switch (input_below(4)) {
    case 0: ecs_iter_count(it); break;
    case 1: ecs_iter_first(it); break;
    case 2: ecs_iter_is_true(it); break;
    default: ecs_os_free(ecs_iter_to_json(it, NULL));
    }
}

static void go(ecs_world_t *world, ecs_iter_t *it, next_t next, bool calls) {
    ecs_iter_t part, smaller;
    switch (input_below(8)) {
    case 0:
    case 1: finish(it); break;
    case 2:
        next = cut(&part, it);
        if (!input_below(3)) {
            next = cut(&smaller, &part);
            go_through(world, &smaller, next, calls);
            ecs_iter_fini(&part);
        } else {
            go_through(world, &part, next, calls);
        }
        ecs_iter_fini(it);
        break;
    default: go_through(world, it, next, calls);
    }
}

static void iterate(ecs_world_t *world, const ecs_query_t *query) {
    ecs_iter_t it = ecs_query_iter(world, query);
    if (input_flag()) constrain(&it);
    if (!input_below(4)) constrain(&it);
    const bool defers = input_flag();
    if (defers) ecs_defer_begin(world);
    go(world, &it, ecs_query_next, defers || is_odd());
    if (defers) ecs_defer_end(world);
}

CALL(iterate_query) {
    const ecs_query_t *query = some_query();
    if (query && cast.depth < DEEPEST - 1) iterate(call->world, query);
}

// The query may be another one, or none, when commands are applied.
CALL(iterate_owned) {
    if (cast.depth >= DEEPEST - 1) return;
    ecs_defer_begin(call->world);
    const ecs_query_t *query = ecs_query_get(call->world, call->entity);
    if (query && ecs_is_deferred(cast.world)) iterate(call->world, query);
    ecs_defer_end(call->world);
}

CALL(iterate_id) {
    ecs_iter_t it = ecs_each_id(call->world, call->id);
    go(call->world, &it, ecs_each_next, input_flag());
}

CALL(iterate_children) {
    ecs_iter_t it = input_flag()
                        ? ecs_children(call->world, call->entity)
                        : ecs_children_w_rel(call->world, draw_relationship(), call->entity);
    go(call->world, &it, ecs_children_next, input_flag());
}

// ---- iterators that stay while others calls are made ----

static struct {
    ecs_iter_t it;
    const ecs_query_t *query; /* NULL: of none */
    int results;
    bool is_used;
} held[HELD];

bool is_iterated(const ecs_query_t *query) {
    for (int i = 0; i < HELD; i++)
        if (held[i].is_used && query && held[i].query == query) return true;
    return false;
}

static void end_iterator(int number) {
    if (held[number].is_used) ecs_iter_fini(&held[number].it);
    held[number].is_used = false;
}

void end_iterators(void) {
    for (int i = 0; i < HELD; i++) end_iterator(i);
}

CALL(hold) {
    const int number = input_below(HELD);
    if (call->world != cast.world || held[number].is_used) return;
    held[number].query = input_below(4) ? some_query() : NULL;
    held[number].results = 0;
    if (held[number].query) {
        held[number].it = ecs_query_iter(call->world, held[number].query);
        if (input_flag()) constrain(&held[number].it);
    } else {
        held[number].it = input_flag() ? ecs_each_id(call->world, call->id)
                                       : ecs_children(call->world, call->entity);
    }
    held[number].is_used = true;
}

CALL(go_on) {
    (void)call;
    const int number = input_below(HELD);
    if (!held[number].is_used) return;
    const bool goes_on = input_below(6) && held[number].results++ < MOST_RESULTS;
    if (goes_on && ecs_iter_next(&held[number].it))
        look_at(&held[number].it);
    else
        end_iterator(number);
}

const call_kind_t iterator_calls[] = { { "iterate_query", iterate_query },
    { "iterate_query", iterate_query }, { "iterate_query", iterate_query },
    { "iterate_owned", iterate_owned }, { "iterate_id", iterate_id },
    { "iterate_children", iterate_children }, { "hold", hold }, { "go_on", go_on },
    { "go_on", go_on }, { 0 } };
