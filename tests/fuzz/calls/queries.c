// SPDX-License-Identifier: MIT
// queries: calls that make, ask and end queries.
#include <string.h>

#include "calls.h"

// ---- what queries call ----

static int compare(ecs_entity_t a, const void *x, ecs_entity_t b, const void *y) {
    const int by_value = x && y ? *(const uint8_t *)x - *(const uint8_t *)y : 0;
    return by_value ? by_value : (a > b) - (a < b);
}

static int compare_and_call(ecs_entity_t a, const void *x, ecs_entity_t b, const void *y) {
    const int result = compare(a, x, b, y);
    if (!input_below(8)) make_some_told(cast.world);
    return result;
}

static void sort(ecs_world_t *world, ecs_table_t *table, ecs_entity_t *entities, void *ptr,
    int32_t size, int32_t lo, int32_t hi, ecs_order_by_action_t order_by) {
    (void)ptr, (void)size, (void)order_by;
    for (int32_t i = lo; i < hi; i++)
        for (int32_t j = lo; j < hi; j++)
            if (entities[j] > entities[j + 1]) ecs_table_swap_rows(world, table, j, j + 1);
}

static uint64_t group(ecs_world_t *world, ecs_table_t *table, ecs_id_t id, void *ctx) {
    (void)world, (void)id, (void)ctx;
    return (uint64_t)ecs_table_column_count(table) % 3;
}

static uint64_t group_and_call(ecs_world_t *world, ecs_table_t *table, ecs_id_t id, void *ctx) {
    (void)table, (void)id, (void)ctx;
    make_some_told(world);
    return (uint64_t)input_below(3);
}

static void *create_group(ecs_world_t *world, uint64_t id, void *ctx) {
    (void)id, (void)ctx;
    if (!input_below(3)) make_some_told(world);
    return ecs_os_malloc(1);
}

// Calls nobody: a table that ends is still there, and what is made of it or put into it now would be lost.
static void delete_group(ecs_world_t *world, uint64_t id, void *group_ctx, void *ctx) {
    (void)world, (void)id, (void)ctx;
    ecs_os_free(group_ctx);
}

// ---- descriptors ----

static void draw_ref(ecs_term_ref_t *ref) {
    static const char *const names[] = { "$x", "$y", "$", "a", "b", "*", "_", "$this", "", "x y",
        "(r0, a)", "#12", "t0", "c0", "{", "}", "$x.y" };
    static const uint64_t flags[] = { EcsSelf, EcsUp, EcsTrav, EcsCascade, EcsDesc, EcsDown, EcsAll,
        EcsIsVariable, EcsIsEntity, EcsIsName };
    if (!input_below(5)) ref->name = names[input_below(17)];
    if (!input_below(10)) ref->id = draw_entity();
    if (is_odd()) ref->id |= flags[input_below(10)];
    if (is_odd()) ref->id |= flags[input_below(10)];
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
    if (!input_below(5)) term->src.id = EcsSelf | EcsUp;
    if (!input_below(8)) term->src.id = EcsUp | EcsCascade;
    if (!input_below(3)) draw_ref(&term->src);
    if (!input_below(6)) draw_ref(&term->second);
    if (is_odd()) draw_ref(&term->first);
    if (!input_below(8)) term->trav = draw_relationship();
    if (!input_below(12)) term->min_depth = (int16_t)draw_number();
    if (!input_below(12)) term->max_depth = (int16_t)draw_number();
    if (!input_below(6)) term->oper = (int16_t)(input_below(9) - 1);
    if (!input_below(6)) term->inout = (int16_t)(input_below(8) - 1);
    if (is_odd()) term->field_index = (int8_t)input_byte();
    if (is_odd()) term->flags_ = (ecs_flags16_t)input_word();
}

static void draw_order(ecs_query_desc_t *desc) {
    desc->order_by_callback = input_below(4) ? compare : compare_and_call;
    desc->order_by = input_flag() ? cast.components[input_below(COMPONENTS)] : 0;
    if (!input_below(4)) desc->order_by_table_callback = sort;
    if (!is_odd()) return;
    desc->order_by = draw_id();
    if (input_flag()) desc->order_by_callback = NULL;
}

static void draw_groups(ecs_query_desc_t *desc) {
    desc->group_by = input_flag() ? cast.relationships[input_below(RELATIONSHIPS)] : draw_id();
    if (input_flag()) desc->group_by_callback = input_flag() ? group : group_and_call;
    if (input_flag()) desc->on_group_create = create_group;
    if (desc->on_group_create || input_flag()) desc->on_group_delete = delete_group;
    if (is_odd()) desc->group_by = 0;
    if (input_below(4)) return;
    desc->group_by_ctx = draw_context();
    desc->group_by_ctx_free = free_context;
}

void draw_query(ecs_query_desc_t *desc) {
    *desc = (ecs_query_desc_t){ .cache_kind = (ecs_query_cache_kind_t)input_below(4) };
    const int count = is_odd() && input_flag() ? FLECS_TERM_COUNT_MAX : 1 + input_below(4);
    if (input_flag()) desc->expr = draw_expr();
    if (!desc->expr || is_odd())
        for (int i = 0; i < count; i++) draw_term(&desc->terms[i]);
    if (!input_below(8)) desc->flags = 1u << input_below(is_odd() ? 32 : 12);
    if (!input_below(8)) desc->instanced = true;
    if (!input_below(8)) draw_order(desc);
    if (!input_below(8)) draw_groups(desc);
    if (is_odd()) desc->_canary = input_below(2);
    if (is_odd()) desc->cache_kind = (ecs_query_cache_kind_t)(input_below(7) - 1);
}

static void add_contexts(ecs_query_desc_t *desc) {
    if (!input_below(3)) desc->ctx = draw_context();
    if (!input_below(3)) desc->binding_ctx = draw_context();
    desc->ctx_free = desc->binding_ctx_free = free_context;
}

// ---- calls ----

CALL(make_query) {
    static ecs_query_storage_t rooms[QUERIES];
    const int number = input_below(QUERIES);
    ecs_query_t **at = &cast.queries[number];
    ecs_query_desc_t desc;
    draw_query(&desc);
    if (!input_below(4)) desc.entity = call->entity;
    if (!input_below(4)) add_contexts(&desc);
    if (*at) {
        if (!desc.entity) return;
    } else if (!desc.entity && !cast.depth && !input_below(6)) {
        desc.storage = &rooms[number];
        memset(desc.storage, 0xa5, sizeof *desc.storage);
    }
    say("  %s", desc.expr ? desc.expr : "-");
    ecs_query_t *query = ecs_query_init(call->world, &desc);
    if (query && !query->entity) *at = query;
}

CALL(make_and_end) {
    ecs_query_t *query = ecs_query_new(call->world, draw_expr());
    if (!query) return;
    ecs_query_count(query);
    ecs_query_fini(query);
}

CALL(end_query) {
    (void)call;
    ecs_query_t **at = &cast.queries[input_below(QUERIES)], *query = *at;
    if (cast.depth || is_iterated(query)) return;
    *at = NULL;
    ecs_query_fini(query);
}

CALL(update_query) {
    ecs_query_desc_t desc;
    draw_query(&desc);
    if (!input_below(3)) add_contexts(&desc);
    ecs_query_update(call->world, call->entity, &desc);
    ecs_query_get(call->world, call->entity);
}

static ecs_query_t *some_query(void) { return cast.queries[input_below(QUERIES)]; }

CALL(ask_query) {
    (void)call;
    ecs_query_t *query = some_query();
    if (!query) return;
    ecs_query_changed(query);
    ecs_query_count(query);
    ecs_query_is_true(query);
    ecs_query_match_count(query);
    ecs_query_get_cache_query(query);
    ecs_query_get_group_info(query, (uint64_t)input_below(3));
    ecs_query_get_group_ctx(query, (uint64_t)input_below(3));
    ecs_query_get_groups(query);
}

CALL(ask_about) {
    ecs_query_t *query = some_query();
    ecs_iter_t it;
    ecs_table_range_t range = { draw_table(), draw_number(), draw_number() };
    bool has = false;
    if (!query) return;
    switch (input_below(3)) {
    case 0: has = ecs_query_has(query, call->entity, &it); break;
    case 1: has = range.table && ecs_query_has_table(query, range.table, &it); break;
    default: has = range.table && ecs_query_has_range(query, &range, &it);
    }
    if (!has) return;
    look_at(&it);
    if (!input_below(3)) ecs_query_next(&it);
    ecs_iter_fini(&it);
}

CALL(print_query) {
    ecs_query_t *query = some_query();
    if (!query) return;
    ecs_os_free(ecs_query_str(query));
    ecs_os_free(ecs_query_plan(query));
    ecs_os_free(ecs_query_plans(query));
    for (int32_t var = -2; var < 6; var++) {
        ecs_query_var_name(query, var);
        ecs_query_var_is_entity(query, var);
    }
    ecs_query_find_var(query, "x");
    for (int8_t i = 0; i < query->term_count; i++)
        ecs_os_free(ecs_term_str(call->world, &query->terms[i]));
}

CALL(look_at_term) {
    ecs_term_t term = { 0 };
    draw_term(&term);
    ecs_os_free(ecs_term_str(call->world, &term));
    ecs_term_is_initialized(&term);
    ecs_term_ref_is_set(&term.src);
    ecs_term_match_this(&term);
    ecs_term_match_0(&term);
}

CALL(set_defaults) {
    ecs_set_default_query_flags(call->world, is_odd() ? 1u << input_below(32) : 0);
}

const call_kind_t query_calls[] = { { "make_query", make_query }, { "make_query", make_query },
    { "make_query", make_query }, { "make_and_end", make_and_end }, { "end_query", end_query },
    { "update_query", update_query }, { "ask_query", ask_query }, { "ask_about", ask_about },
    { "ask_about", ask_about }, { "print_query", print_query }, { "look_at_term", look_at_term },
    { "set_defaults", set_defaults }, { 0 } };
