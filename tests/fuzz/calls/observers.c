// SPDX-License-Identifier: MIT
// observers: who is told of what, and events.
#include "calls.h"

// Not of the end of tables: queries that are made by who hears of it would keep the table.
static ecs_entity_t draw_event(void) {
    static const ecs_entity_t *const events[] = { &EcsOnAdd, &EcsOnRemove, &EcsOnSet, &EcsMonitor,
        &EcsOnTableCreate, &EcsOnTableFill, &EcsOnTableEmpty, &EcsOnDelete, &EcsOnDeleteTarget,
        &EcsWildcard, &EcsAny };
    switch (input_below(8)) {
    case 0: return draw_entity();
    case 1: return *events[input_below(11)];
    case 2: return cast.tags[input_below(TAGS)];
    case 3: return cast.components[input_below(COMPONENTS)];
    default: return *events[input_below(4)];
    }
}

static void draw_observer(ecs_observer_desc_t *desc) {
    *desc = (ecs_observer_desc_t){ .callback = call_back, .yield_existing = !input_below(4) };
    draw_query(&desc->query);
    if (!is_odd()) { /* what no observer can do */
        desc->query.cache_kind = EcsQueryCacheDefault;
        desc->query.flags = 0;
        desc->query.order_by = desc->query.group_by = 0;
        desc->query.order_by_callback = NULL;
        desc->query.order_by_table_callback = NULL;
        desc->query.group_by_callback = NULL;
    }
    for (int i = is_odd() ? input_below(FLECS_EVENT_DESC_MAX + 1) : 1 + input_below(2); i > 0; i--)
        desc->events[i - 1] = draw_event();
    if (!input_below(4)) desc->run = call_back_all;
    if (desc->run || is_odd()) desc->callback = input_flag() ? call_back : NULL;
    if (!input_below(12)) desc->global_observer = true;
    if (!input_below(8)) desc->flags_ = 1u << input_below(12);
    if (is_odd()) desc->query.entity = draw_entity();
    if (is_odd()) desc->_canary = input_below(2);
    if (!input_below(4)) desc->ctx = draw_context();
    if (!input_below(4)) desc->run_ctx = draw_context();
    desc->ctx_free = desc->run_ctx_free = free_context;
}

CALL(observe) {
    ecs_observer_desc_t desc;
    draw_observer(&desc);
    if (!input_below(3)) desc.entity = input_flag() ? call->entity : draw_part(OBSERVERS);
    say("  %s", desc.query.expr ? desc.query.expr : "-");
    join_as(OBSERVERS, ecs_observer_init(call->world, &desc));
}

CALL(observe_anything) {
    ecs_observer_desc_t desc = { .query.terms[0].id = input_flag() ? EcsAny : EcsWildcard,
        .events[0] = EcsWildcard,
        .callback = call_back };
    join_as(OBSERVERS, ecs_observer_init(call->world, &desc));
}

CALL(update_observer) {
    ecs_observer_desc_t desc;
    draw_observer(&desc);
    ecs_observer_update(call->world, draw_part(OBSERVERS), &desc);
}

CALL(ask_observer) {
    const ecs_observer_t *observer = ecs_observer_get(call->world, draw_part(OBSERVERS));
    if (observer) ecs_os_free(ecs_query_str(observer->query));
}

CALL(change_observer) {
    const ecs_entity_t observer = draw_part(OBSERVERS);
    switch (input_below(6)) {
    case 0: ecs_delete(call->world, observer); break;
    case 1: ecs_enable(call->world, observer, input_flag()); break;
    case 2: ecs_clear(call->world, observer); break;
    case 3: ecs_add_pair(call->world, observer, EcsChildOf, call->entity); break;
    case 4: ecs_add_pair(call->world, call->entity, EcsIsA, observer); break;
    default: ecs_remove_pair(call->world, observer, ecs_id(EcsPoly), EcsWildcard);
    }
}

CALL(send) {
    ecs_id_t many[40];
    ecs_type_t ids = { many, is_odd() ? 40 : input_below(4) };
    for (int i = 0; i < ids.count; i++) many[i] = draw_id();
    ecs_event_desc_t desc = { .event = draw_event(), .ids = &ids, .entity = call->entity };
    if (!input_below(4)) desc.ids = NULL;
    if (!input_below(4)) {
        if (!is_odd()) desc.entity = 0;
        desc.table = draw_table();
        desc.offset = draw_number();
        desc.count = draw_number();
    }
    if (!input_below(4)) desc.other_table = draw_table();
    if (!input_below(4)) desc.flags = is_odd() ? input_word() : EcsEventTableOnly;
    const bool is_plain = is_raw(desc.event); /* others are moved, or copied by their bytes */
    if (!input_below(3) && is_plain) desc.const_param = draw_value(desc.event);
    if (is_odd() && is_plain) desc.param = ECS_CONST_CAST(void *, draw_value(desc.event));
    switch (input_below(3)) {
    case 0: ecs_emit(call->world, &desc); break;
    case 1: ecs_enqueue(call->world, &desc); break;
    default: ecs_submit_event(call->world, &desc, desc.const_param ? draw_size(desc.event) : 0);
    }
}

const call_kind_t observer_calls[] = { { "observe", observe }, { "observe", observe },
    { "observe", observe }, { "observe_anything", observe_anything },
    { "update_observer", update_observer }, { "ask_observer", ask_observer },
    { "change_observer", change_observer }, { "send", send }, { "send", send }, { 0 } };
