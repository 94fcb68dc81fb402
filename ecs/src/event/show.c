// SPDX-License-Identifier: MIT
#include "event/show.h"

#include "query/iter/result.h"
#include "world/state.h"

// ---- fields ----

bool ecs__show_once(ecs_iter_t *it) {
    return !(it->flags & EcsIterNoResults) && it->priv_.position++ == 0;
}

void ecs__show_begin(ecs_iter_t *it, const ecs__observer_t *observer, const ecs__notice_t *notice) {
    const ecs_query_t *query = observer->pub.query;
    ecs__iter_begin_bare(it, notice->caller, query->field_count);
    ecs__iter_make_arrays(it);
    it->query = query;
    it->table = notice->table;
    it->other_table = ECS_CONST_CAST(ecs_table_t *, notice->other);
    it->row_fields = query->row_fields;
    it->event = notice->event;
    it->event_id = notice->id;
    it->param = notice->param;
    it->next = ecs__show_once;
    it->flags = ECS__SHOWN;
}

void ecs__show_rows(ecs_iter_t *it, int32_t row, int32_t count) {
    it->offset = row;
    it->count = count;
    it->entities = count ? &it->table->entities[row] : NULL;
}

// A value in a set is that of one row.
static void set_sparse(ecs_iter_t *it, int32_t f, const ecs_table_t *table, int32_t row) {
    const ecs__store_t *store = table->store;
    const ecs_component_record_t *record =
        store->has_sparse ? ecs__id_record_get(store, it->ids[f]) : NULL;
    if (!ecs__id_has_sparse_values(record)) return;
    it->row_fields |= FIELD_BIT(f);
    it->ref_fields |= FIELD_BIT(f);
    ((ecs_size_t *)(uintptr_t)it->sizes)[f] = record->type_info->size;
    it->ptrs[f] = ecs__sparse_get(record, table->entities[row]);
}

// Where a value is now; the entity may have moved since a match was made.
void ecs__show_field(ecs_iter_t *it, int32_t f, ecs_id_t id, ecs_entity_t source, int32_t row) {
    const ecs_table_t *table = it->table;
    it->ids[f] = id;
    it->sources[f] = source;
    it->set_fields |= FIELD_BIT(f);
    if (source) {
        const ecs__spot_t spot = ecs__entity_find(&it->real_world->store.entities, source);
        it->ref_fields |= FIELD_BIT(f);
        table = spot.table;
        row = spot.row;
    }
    int32_t column = table && !ecs__id_is_wildcard(id) ? ecs__table_column(table, id) : -1;
    ((int16_t *)(uintptr_t)it->columns)[f] = (int16_t)(source ? -1 : column);
    ((ecs_size_t *)(uintptr_t)it->sizes)[f] = column < 0 ? 0 : table->columns[column].size;
    it->ptrs[f] = column < 0 || !table->count ? NULL : ecs__table_cell(table, column, row);
    if (column < 0 && table && table->count) set_sparse(it, f, table, row);
}

void ecs__show_no_field(ecs_iter_t *it, int32_t f, ecs_id_t id, ecs_entity_t source) {
    it->ids[f] = id;
    it->sources[f] = source;
    it->ptrs[f] = NULL;
    ((int16_t *)(uintptr_t)it->columns)[f] = -1;
    ((ecs_size_t *)(uintptr_t)it->sizes)[f] = it->query->sizes[f];
}

void ecs__show_begin_one(ecs_iter_t *it, ecs_world_t *world, ecs_entity_t event, ecs_table_t *table,
    const ecs_table_t *other) {
    if (it->field_count != 1) {
        ecs__iter_begin_bare(it, world, 1);
        ecs__iter_make_arrays(it);
        it->next = ecs__show_once;
        it->set_fields = 1;
        it->sources[0] = 0;
    }
    it->table = table;
    it->other_table = ECS_CONST_CAST(ecs_table_t *, other);
    it->event = event;
    it->event_id = 0;
    it->param = NULL;
}

// ---- what was found ----

void ecs__show_found(ecs_iter_t *it, const ecs__eval_t *eval, int32_t row) {
    for (int32_t f = 0; f < it->field_count; f++) {
        const ecs__field_found_t *found = &eval->fields[f];
        if (found->table)
            ecs__show_field(it, f, found->id, found->source, row);
        else
            ecs__show_no_field(it, f, found->id, found->source);
    }
    it->set_fields = eval->set_fields;
    it->up_fields = eval->up_fields;
}

// A wildcard could match several ids; what counts is the one that triggers.
static void show_trigger(ecs_iter_t *it, const ecs__notice_t *notice, int32_t term_index) {
    const ecs_term_t *term = &it->query->terms[term_index];
    it->term_index = term->field_index;
    if (notice->is_inverted) {
        const bool is_parent = notice->id == Ecs__Parent; /* it stands for a pair */
        it->ids[term->field_index] = it->event_id = is_parent ? term->id : notice->id;
    } else if (ecs__id_is_wildcard(term->id)) {
        ecs__show_field(it, term->field_index, notice->id, notice->source, notice->row);
    }
}

void ecs__show(ecs_iter_t *it, const ecs__waiter_t *waiter, const ecs__notice_t *notice,
    const ecs__eval_t *eval) {
    ecs__show_begin(it, waiter->observer, notice);
    ecs__show_found(it, eval, notice->row);
    if (!waiter->is_unsaid) show_trigger(it, notice, waiter->term);
}

bool ecs__show_is_about(
    const ecs_id_t *ids, const ecs__notice_t *notice, const ecs__waiter_t *waiter) {
    const ecs_term_t *term = &waiter->observer->pub.query->terms[waiter->term];
    bool is_open = term->second.id & EcsIsVariable || ecs__id_is_wildcard(term->id);
    if (term->flags_ & (EcsTermIsMember | EcsTermMatchAny)) return true;
    if (waiter->by_set || waiter->in_scope || !is_open || notice->source || notice->is_inverted)
        return true;
    return ids[term->field_index] == notice->id;
}

// What is shown cannot go on, and has memory of its own.
ecs_iter_t ecs__show_copy(const ecs_iter_t *result, ecs_entity_t event, ecs_id_t id) {
    ecs_iter_t it = *result;
    ecs__iter_open(&it);
    it.event = event;
    it.event_id = id;
    it.next = ecs__show_once;
    it.priv_.position = 0;
    it.priv_.source = it.priv_.heap = it.priv_.cursor = NULL;
    it.priv_.vars = NULL;
    return it;
}

ecs_iter_t ecs__show_result(
    const ecs_iter_t *result, const ecs__notice_t *notice, const ecs_term_t *term) {
    ecs_iter_t it = ecs__show_copy(result, notice->event, notice->id);
    it.param = notice->param;
    it.term_index = term->field_index;
    return it;
}

// ---- call ----

static void invoke(const ecs__observer_t *observer, ecs_iter_t *it) {
    const ecs_observer_t *pub = &observer->pub;
    it->system = pub->entity;
    it->ctx = pub->ctx;
    it->callback_ctx = pub->callback_ctx;
    it->run_ctx = pub->run_ctx;
    it->callback = pub->callback;
    if (pub->run)
        pub->run(it);
    else
        pub->callback(it);
}

void ecs__show_call(const ecs__observer_t *observer, ecs_iter_t *it) {
    ecs_stage_t *stage = ecs__stage_of(it->world);
    ecs__events_t *events = &it->real_world->events;
    int32_t defer = ecs__defer_hold(stage);
    events->calls++;
    invoke(observer, it);
    events->calls--;
    ecs__defer_release(stage, defer);
}

static bool has_value(const ecs_iter_t *it, bool shared) {
    for (int32_t f = 0; f < it->field_count; f++) {
        if (it->ptrs[f] && (it->sources[f] != 0) == shared) return true;
    }
    return false;
}

void ecs__show_call_rows(
    const ecs__observer_t *observer, ecs_iter_t *it, int32_t row, int32_t count) {
    bool by_row = count > 1 && !ecs__query_of(it->query)->instanced && has_value(it, true) &&
                  has_value(it, false);
    int32_t step = by_row ? 1 : count;
    for (int32_t at = row; at < row + count; at += step) {
        it->priv_.position = 0;
        it->flags = ECS__SHOWN | (it->flags & EcsIterKept);
        ecs__show_rows(it, at, step);
        ecs__show_call(observer, it);
        for (int32_t f = 0; by_row && f < it->field_count; f++) {
            if (it->columns[f] >= 0)
                it->ptrs[f] = ecs__table_cell(it->table, it->columns[f], at + step);
        }
    }
}
