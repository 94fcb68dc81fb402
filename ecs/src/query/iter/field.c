// SPDX-License-Identifier: MIT
// field: what is in the fields of a result.
#include <muster/ecs/entity.h>
#include <muster/ecs/name.h>

#include "storage/sparse_ids.h"
#include "world/state.h"

static bool is_valid(const ecs_iter_t *it, int8_t index) {
    ecs_check(it && it->flags & EcsIterIsValid, ECS_INVALID_PARAMETER,
        "the iterator has no result: call its next function first, and stop when that returns false");
    ecs_check(index >= 0 && index < it->field_count, ECS_COLUMN_INDEX_OUT_OF_RANGE,
        "field %d does not exist, the result has %d", index, it->field_count);
    return true;
error:
    return false;
}

// The name of an id in messages; debug builds only, and never freed before the abort.
static bool has_size(const ecs_iter_t *it, int8_t index, size_t size) {
    ecs_size_t actual = it->sizes ? it->sizes[index] : 0;
    if (!size || !actual || (size_t)actual == size) return true;
#ifdef FLECS_DEBUG
    char *id = ecs_id_str(it->world, it->ids[index]);
    ecs_err_code(ECS_COLUMN_TYPE_MISMATCH, "field %d (%s) has values of %d bytes, not %d", index,
        id, actual, (int)size);
    ecs_os_free(id);
#endif
    return false;
}

// Queries told what they read when they began. An iterator without one, as of ecs_each_id, tells as its values are taken.
static inline bool may_read(const ecs_iter_t *it, int8_t index) {
    if (it->query || !it->next || !it->count || !it->sizes || !it->sizes[index]) return true;
    return ecs__may_access(it->world, it->entities[0], it->ids[index], false, "ecs_field");
}

void *ecs_field_w_size(const ecs_iter_t *it, size_t size, int8_t index) {
    if (!is_valid(it, index) || !may_read(it, index)) return NULL;
    ecs_check(!(it->row_fields >> index & 1) || !it->query, ECS_INVALID_OPERATION,
        "field %d is stored per row: use ecs_field_at", index);
    ecs_check(has_size(it, index, size), ECS_COLUMN_TYPE_MISMATCH,
        "field %d is read as a type of another size (%d bytes)", index, (int)size);
    return it->ptrs ? it->ptrs[index] : NULL;
error:
    return NULL;
}

void *ecs_field_mut_w_size(const ecs_iter_t *it, size_t size, int8_t index) {
    if (!is_valid(it, index)) return NULL;
    ecs_check(!ecs_field_is_readonly(it, index), ECS_ACCESS_VIOLATION,
        "field %d is read-only in this result; write [inout] in its term to change it", index);
    return ecs_field_w_size(it, size, index);
error:
    return NULL;
}

void *ecs_field_self_w_size(const ecs_iter_t *it, size_t size, int8_t index) {
    if (!is_valid(it, index)) return NULL;
    ecs_check(ecs_field_is_self(it, index), ECS_COLUMN_IS_SHARED,
        "field %d holds the value of another entity", index);
    return ecs_field_w_size(it, size, index);
error:
    return NULL;
}

// The entity that has what a field offers for a row.
static ecs_entity_t holder_of(const ecs_iter_t *it, int8_t index, int32_t row) {
    if (it->sources && it->sources[index]) return it->sources[index];
    ecs_check(row >= 0 && row < it->count, ECS_OUT_OF_RANGE, "row %d is not in this result of %d",
        row, it->count);
    return it->entities[row];
error:
    return 0;
}

void *ecs_field_at_w_size(const ecs_iter_t *it, size_t size, int8_t index, int32_t row) {
    if (!is_valid(it, index)) return NULL;
    ecs_check(it->row_fields >> index & 1, ECS_INVALID_OPERATION,
        "field %d is an array, not stored per row: use ecs_field (row %d)", index, row);
    ecs_check(has_size(it, index, size), ECS_COLUMN_TYPE_MISMATCH,
        "field %d is read as a type of another size (%d bytes)", index, (int)size);
    if (!(it->set_fields >> index & 1) || !may_read(it, index)) return NULL;
    if (!it->query && it->ptrs && it->ptrs[index]) return it->ptrs[index]; /* hooks: one row */
    ecs_entity_t entity = holder_of(it, index, row);
    const ecs_component_record_t *record =
        ecs__id_record_get(&it->real_world->store, it->ids[index]);
    return entity ? ecs__sparse_get(record, entity) : NULL;
error:
    return NULL;
}

bool ecs_field_is_set(const ecs_iter_t *it, int8_t index) {
    return is_valid(it, index) && (it->set_fields >> index & 1);
}

ecs_id_t ecs_field_id(const ecs_iter_t *it, int8_t index) {
    return is_valid(it, index) ? it->ids[index] : 0;
}

ecs_entity_t ecs_field_src(const ecs_iter_t *it, int8_t index) {
    return is_valid(it, index) && it->sources ? it->sources[index] : 0;
}

bool ecs_field_is_self(const ecs_iter_t *it, int8_t index) {
    return is_valid(it, index) && (!it->sources || !it->sources[index]);
}

size_t ecs_field_size(const ecs_iter_t *it, int8_t index) {
    return is_valid(it, index) && it->sizes ? (size_t)it->sizes[index] : 0;
}

int32_t ecs_field_column(const ecs_iter_t *it, int8_t index) {
    if (!is_valid(it, index) || !(it->set_fields >> index & 1)) return -1;
    ecs_entity_t source = it->sources ? it->sources[index] : 0;
    const ecs_table_t *table =
        source ? ecs__entity_table(&it->real_world->store.entities, source) : it->table;
    return table ? ecs__table_search(table, it->ids[index]) : -1;
}

// The term of a field; a chain's first speaks for all.
static const ecs_term_t *term_of(const ecs_iter_t *it, int8_t index) {
    if (!it->query) return NULL;
    for (int32_t i = 0; i < it->query->term_count; i++) {
        if (it->query->terms[i].field_index == index) return &it->query->terms[i];
    }
    return NULL;
}

bool ecs_field_is_readonly(const ecs_iter_t *it, int8_t index) {
    const ecs_term_t *term = is_valid(it, index) ? term_of(it, index) : NULL;
    if (!term) return false;
    if (term->inout == EcsInOutDefault) return it->sources[index] != 0;
    return term->inout == EcsIn;
}

bool ecs_field_is_writeonly(const ecs_iter_t *it, int8_t index) {
    const ecs_term_t *term = is_valid(it, index) ? term_of(it, index) : NULL;
    return term && term->inout == EcsOut;
}

// `_` names no particular target: the first one is meant.
ecs_entity_t ecs_field_target(const ecs_iter_t *it, int8_t index, int32_t row) {
    if (!is_valid(it, index) || !ECS_IS_PAIR(it->ids[index])) return 0;
    ecs_id_t id = it->ids[index];
    if (ecs__id_second(id) != Ecs__Wildcard) return ecs_pair_second(it->real_world, id);
    if (!(it->set_fields >> index & 1)) return 0;
    ecs_entity_t entity = holder_of(it, index, row);
    return entity ? ecs_get_target(it->real_world, entity, ecs__id_first(id), 0) : 0;
}
