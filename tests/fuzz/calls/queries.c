// SPDX-License-Identifier: MIT
// queries: queries, iterators, observers and events.
#include "calls.h"

enum { MOST_RESULTS = 20 };

static int compare(ecs_entity_t a, const void *x, ecs_entity_t b, const void *y) {
    (void)x;
    (void)y;
    return (a > b) - (a < b);
}

static uint64_t group(ecs_world_t *world, ecs_table_t *table, ecs_id_t id, void *ctx) {
    (void)world;
    (void)id;
    (void)ctx;
    return (uint64_t)ecs_table_column_count(table) % 3;
}

static void draw_term(ecs_term_t *term) {
    switch (input_below(3)) {
    case 0: term->id = draw_id(); break;
    case 1:
        term->first.id = draw_relationship();
        term->second.id = draw_entity();
        break;
    default: term->first.name = draw_name();
    }
    if (!input_below(4)) term->src.id = draw_entity();
    if (!input_below(5)) term->src.id = EcsSelf | EcsUp;
    if (!input_below(8)) term->src.id = EcsUp | EcsCascade;
    if (!input_below(8)) term->src.name = draw_name();
    if (!input_below(20)) term->src.id |= (uint64_t)input_byte() << 56;
    if (!input_below(8)) term->second.name = draw_name();
    if (!input_below(8)) term->trav = draw_relationship();
    if (!input_below(6)) term->oper = (int16_t)input_below(8);
    if (!input_below(6)) term->inout = (int16_t)input_below(8);
}

void draw_query(ecs_query_desc_t *desc) {
    *desc = (ecs_query_desc_t){ .cache_kind = (ecs_query_cache_kind_t)input_below(4) };
    if (input_flag())
        desc->expr = draw_expr();
    else
        for (int i = input_below(3); i >= 0; i--) draw_term(&desc->terms[i]);
    if (!input_below(8)) desc->flags = 1u << input_below(12);
    if (!input_below(8)) {
        desc->order_by_callback = compare;
        desc->order_by = input_flag() ? cast.components[input_below(COMPONENTS)] : 0;
    }
    if (!input_below(8)) {
        desc->group_by = draw_id();
        desc->group_by_callback = input_flag() ? group : NULL;
    }
}

// ---- queries ----

CALL(make_query) {
    ecs_query_t **at = &cast.queries[input_below(QUERIES)];
    ecs_query_desc_t desc;
    draw_query(&desc);
    if (!input_below(4)) desc.entity = call->entity;
    ecs_query_t *query = desc.entity || !*at ? ecs_query_init(call->world, &desc) : NULL;
    if (query && !query->entity) *at = query;
}

CALL(end_query) {
    (void)call;
    ecs_query_t **at = &cast.queries[input_below(QUERIES)];
    if (cast.depth || !*at) return;
    ecs_query_fini(*at);
    *at = NULL;
}

CALL(update_query) {
    ecs_query_desc_t desc;
    draw_query(&desc);
    ecs_query_update(call->world, call->entity, &desc);
    ecs_query_get(call->world, call->entity);
}

static ecs_query_t *some_query(void) { return cast.queries[input_below(QUERIES)]; }

CALL(ask_query) {
    ecs_query_t *query = some_query();
    ecs_table_t *table = draw_table();
    ecs_iter_t it;
    if (!query) return;
    if (ecs_query_has(query, call->entity, &it)) ecs_iter_fini(&it);
    if (table && ecs_query_has_table(query, table, &it)) ecs_iter_fini(&it);
    ecs_os_free(ecs_query_str(query));
    ecs_os_free(ecs_query_plan(query));
    ecs_query_changed(query);
    ecs_query_count(query);
    ecs_query_is_true(query);
    ecs_query_match_count(query);
    ecs_query_find_var(query, "x");
    ecs_query_get_group_info(query, 1);
}

// ---- iteration ----

static void look_at(ecs_iter_t *it) {
    for (int8_t i = 0; i < it->field_count; i++) {
        ecs_field_id(it, i);
        ecs_field_src(it, i);
        if (ecs_field_is_set(it, i)) ecs_field_is_self(it, i);
    }
    if (!input_below(4)) ecs_os_free(ecs_iter_str(it));
    if (!input_below(6)) ecs_iter_skip(it);
}

static void constrain(ecs_iter_t *it, ecs_query_t *query) {
    if (!input_below(3)) ecs_iter_set_var(it, input_below(4) - 1, draw_entity());
    if (!input_below(6)) ecs_iter_set_group(it, (uint64_t)input_below(3));
    if (!input_below(8)) ecs_query_args_parse(query, it, input_flag() ? "x: a" : "this: b");
}

static void go_through(
    ecs_world_t *world, ecs_iter_t *it, bool (*next)(ecs_iter_t *), bool defers) {
    for (int32_t results = 0; next(it); results++) {
        look_at(it);
        if (defers) make_some(world);
        if (results < MOST_RESULTS && input_below(10)) continue;
        ecs_iter_fini(it);
        break;
    }
}

CALL(iterate) {
    ecs_query_t *query = some_query();
    if (!query || cast.depth > 1) return;
    ecs_iter_t it = ecs_query_iter(call->world, query), part;
    constrain(&it, query);
    const bool defers = input_flag();
    if (defers) ecs_defer_begin(call->world);
    switch (input_below(8)) {
    case 0: ecs_iter_count(&it); break;
    case 1: ecs_iter_first(&it); break;
    case 2: ecs_iter_is_true(&it); break;
    case 3: ecs_os_free(ecs_iter_to_json(&it, NULL)); break;
    case 4:
        part = ecs_page_iter(&it, input_below(4) - 1, input_below(4));
        go_through(call->world, &part, ecs_page_next, defers);
        break;
    case 5:
        part = ecs_worker_iter(&it, input_below(3), 1 + input_below(3));
        go_through(call->world, &part, ecs_worker_next, defers);
        break;
    default: go_through(call->world, &it, ecs_query_next, defers);
    }
    if (defers) ecs_defer_end(call->world);
}

CALL(iterate_id) {
    ecs_iter_t each = ecs_each_id(call->world, call->id);
    go_through(call->world, &each, ecs_each_next, false);
    ecs_iter_t children = input_flag()
                              ? ecs_children(call->world, call->entity)
                              : ecs_children_w_rel(call->world, draw_relationship(), call->entity);
    go_through(call->world, &children, ecs_children_next, false);
}

// ---- observers and events ----

static ecs_entity_t draw_event(void) {
    static const ecs_entity_t *const events[] = { &EcsOnAdd, &EcsOnRemove, &EcsOnSet, &EcsMonitor,
        &EcsOnTableCreate, &EcsOnTableFill, &EcsOnTableEmpty, &EcsOnDelete };
    return input_below(8) ? *events[input_below(8)] : draw_entity();
}

CALL(observe) {
    ecs_observer_desc_t desc = { .callback = call_back, .yield_existing = !input_below(4) };
    draw_query(&desc.query);
    if (!input_below(3)) desc.entity = call->entity;
    desc.events[0] = draw_event();
    if (!input_below(3)) desc.events[1] = draw_event();
    if (!input_below(4)) desc.run = call_back_all;
    if (input_below(4))
        join(ecs_observer_init(call->world, &desc));
    else
        ecs_observer_update(call->world, call->entity, &desc);
    ecs_observer_get(call->world, call->entity);
}

CALL(send) {
    ecs_type_t ids = { (ecs_id_t[]){ call->id }, 1 };
    ecs_event_desc_t desc = { .event = draw_event(), .ids = &ids, .entity = call->entity };
    if (!input_below(4)) desc.ids = NULL;
    if (!input_below(4)) {
        desc.entity = 0;
        desc.table = draw_table();
        desc.offset = input_below(3) - 1;
        desc.count = input_below(3);
    }
    if (input_flag()) desc.const_param = draw_value(0);
    switch (input_below(3)) {
    case 0: ecs_emit(call->world, &desc); break;
    case 1: ecs_enqueue(call->world, &desc); break;
    default: ecs_submit_event(call->world, &desc, (size_t)input_below(16));
    }
}

const call_kind_t query_calls[] = { { "make_query", make_query }, { "make_query", make_query },
    { "end_query", end_query }, { "update_query", update_query }, { "ask_query", ask_query },
    { "iterate", iterate }, { "iterate", iterate }, { "iterate", iterate },
    { "iterate_id", iterate_id }, { "observe", observe }, { "observe", observe }, { "send", send },
    { 0 } };
