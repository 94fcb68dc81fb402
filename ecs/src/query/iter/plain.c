// SPDX-License-Identifier: MIT
// plain: results of uncached queries that ask for ids of the table itself and nothing else.
//
// The lists of tables of all ids are gone through side by side: they are in the same order, and say where an id is in a table, so that
// no table is read before all have it. The list of the rarest id leads. Of private members of the iterator:
//
//   source    the record that leads
//   position  place in its list of the first bit of a word of its bitset
//   bits      what is left of that word: tables that may have rows, still to come
//   last      end of its list
//   listed    place in the list of each field
//   copied    structure stamp of the world for which these are right
#include "query/iter/iter.h"

#include "query/query.h"
#include "world/state.h"

/* Tables of one list that others lack are mostly few: those through which entities came, id by id. */
#define NEAR 4

static const ecs__plan_t *plan_of(const ecs_iter_t *it) { return &ecs__query_of(it->query)->plan; }

// The next word of the bitset with a table, from a position on.
static bool next_word(ecs_iter_t *it, int32_t at) {
    ecs_iter_private_t *priv = &it->priv_;
    const ecs_component_record_t *lead = priv->source;
    for (; at < priv->last; at += 64) {
        priv->bits = lead->non_empty.words[at >> 6];
        if (priv->last - at < 64) priv->bits &= ~(~0ull << (priv->last - at));
        priv->position = at;
        if (priv->bits) return true;
    }
    return false;
}

static void begin(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    const ecs__op_t *ops = plan_of(it)->ops;
    for (int32_t f = 0; f < it->field_count; f++) priv->listed[f] = ops[f + 1].record->listed;
    priv->copied = it->real_world->store.structure_stamp;
    priv->last = ((const ecs_component_record_t *)priv->source)->table_count;
    priv->position = -64;
    priv->bits = 0;
}

// Tables changed, and lists may lie elsewhere. Go on behind the present table, up to those that there were in the beginning.
static void find_place(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    const ecs_component_record_t *lead = priv->source;
    int32_t at = ecs__id_record_find(lead, 0, it->table->id + 1);
    begin(it);
    priv->last = ecs__id_record_find(lead, at, priv->table_limit);
    priv->position = (at & ~63) - 64;
    if (next_word(it, at & ~63) && priv->position < at) priv->bits &= ~0ull << (at & 63);
}

// The entry of a table in the list of a field, or one behind. Mostly it is near.
static const ecs__listed_t *look_for(
    const ecs_component_record_t *record, const ecs__listed_t *from, uint64_t number) {
    if (from > record->listed && ecs__listed_number(from - 1) == number) return from - 1;
    for (int32_t k = 0; k < NEAR; k++, from++) {
        if (ecs__listed_number(from) >= number) return from;
    }
    return &record->listed[ecs__id_record_find(record, (int32_t)(from - record->listed), number)];
}

static bool find_fields(ecs_iter_t *it, uint64_t number) {
    const ecs__op_t *ops = plan_of(it)->ops;
    for (int32_t f = 0; f < it->field_count; f++) {
        const ecs__listed_t **listed = &it->priv_.listed[f];
        *listed = look_for(ops[f + 1].record, *listed, number);
        if (ecs__listed_number(*listed) != number) return false;
    }
    return true;
}

// Pointers to the values of all fields. False if the table is not near in the list of one.
static inline bool show_fields(ecs_iter_t *it, const ecs_table_t *table, uint64_t number) {
    ecs_iter_private_t *priv = &it->priv_;
    for (int32_t f = 0, count = it->field_count; f < count; f++) {
        const ecs__listed_t *found = priv->listed[f];
        if (RARELY(ecs__listed_number(found) != number)) {
            for (int32_t k = 0; k < NEAR && ecs__listed_number(found) < number; k++) found++;
            if (ecs__listed_number(found) != number) return false;
        }
        priv->listed[f] = found + 1;
        int16_t column = ecs__listed_column(found);
        priv->ptrs[f] = column < 0 ? NULL : table->data[column];
    }
    return true;
}

static inline bool show(ecs_iter_t *it, ecs_table_t *table) {
    it->table = table;
    it->frame_offset += it->count;
    it->count = table->count;
    it->entities = table->entities;
    it->flags &= ~EcsIterSkip;
    ecs__iter_lock(it);
    return true;
}

static inline const ecs__listed_t *first_of(const ecs_iter_t *it, uint64_t bits) {
    const ecs_component_record_t *lead = it->priv_.source;
    return &lead->listed[it->priv_.position + __builtin_ctzll(bits)];
}

// What is needed of a table that will be shown soon, if it is one.
static inline __attribute__((always_inline)) void fetch(const ecs_table_t *table) {
    __builtin_prefetch((const void *)((uintptr_t)table + offsetof(ecs_table_t, low)));
}

static inline bool is_shown(const ecs_iter_t *it, const ecs_table_t *table) {
    return table->count && !(table->flags & plan_of(it)->skip);
}

// What is rare: the beginning, the next word of bits, gaps, changes in between, the end.
static COLD bool next_in_general(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    if (!it->ptrs) {
        begin(it);
        it->ptrs = priv->ptrs;
        it->set_fields = it->query->set_fields;
        it->flags |= EcsIterIsValid;
    } else if (priv->copied != it->real_world->store.structure_stamp) {
        find_place(it);
    }
    while (priv->bits || next_word(it, priv->position + 64)) {
        const ecs__listed_t *first = first_of(it, priv->bits);
        ecs_table_t *table = first->table;
        uint64_t number = ecs__listed_number(first);
        priv->bits &= priv->bits - 1;
        bool has_all = find_fields(it, number) && show_fields(it, table, number);
        if (has_all && is_shown(it, table)) return show(it, table);
    }
    return ecs__iter_end(it);
}

HOT bool ecs__iter_next_plain(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    ecs__iter_unlock(it);
    if (it->flags & EcsIterProfile) { // operations are counted where they are run
        it->flags &= ~EcsIterTrivialSearch;
        return ecs_query_next(it);
    }
    if (priv->copied != it->real_world->store.structure_stamp) return next_in_general(it);
    uint64_t bits = priv->bits;
    if (!bits) return next_in_general(it);
    const ecs__listed_t *first = first_of(it, bits);
    ecs_table_t *table = first->table;
    fetch(first[ECS__LISTED_AHEAD].table);
    if (!show_fields(it, table, ecs__listed_number(first)) || !is_shown(it, table))
        return next_in_general(it);
    priv->bits = bits & (bits - 1);
    return show(it, table);
}
