// SPDX-License-Identifier: MIT
#include "storage/id_reserve.h"

#include <muster/ecs/log.h>

#include "base/assert.h"

#define BLOCK 16u
// Free ids a slot gets beyond its margin at most: returning them costs time when the slot uses none.
#define MAX_SHARE 8

// The first gap of never-issued ids that holds one block per slot; reusing them keeps the id space small.
static uint32_t find_base(const ecs__entity_index_t *index, uint64_t length) {
    const ecs__id_gap_t gap = ecs__id_gaps_find_long(&index->pool.gaps, length);
    if (gap.end) return gap.begin;
    return index->pool.high;
}

static int32_t sum_wanted(const ecs__id_slot_t *slots, int32_t count) {
    int32_t wanted = 0;
    for (int32_t i = 0; i < count; i++) wanted += slots[i].want;
    return wanted;
}

// From the top of the stack down: what each slot wants, an equal share of the surplus, and as long as it lasts as much again.
static void cut_slices(ecs__id_slots_t *slots, int32_t free_count) {
    int32_t count = slots->count, surplus = free_count - slots->wanted, top = free_count;
    int32_t share = count && surplus / count < MAX_SHARE ? surplus / count : MAX_SHARE;
    surplus -= share * count;
    for (int32_t i = 0; i < count; i++) {
        ecs__id_slot_t *slot = &slots->array[i];
        int32_t more = slot->want < surplus ? slot->want : surplus;
        surplus -= more;
        slot->end = slot->next = top;
        slot->begin = top -= slot->want + share + more;
        slot->block_next = slot->block_end = 0;
        slot->block_count = slot->rest = 0;
    }
    slots->free_count = free_count;
    slots->total = free_count - top;
    slots->part = count ? top / count : 0;
    slots->is_cut = true;
}

static void set_region(ecs__id_slots_t *slots) {
    uint64_t region = (uint64_t)slots->count * BLOCK;
    slots->high = slots->index->pool.high;
    slots->base = find_base(slots->index, region);
    slots->upper = slots->base == slots->high ? slots->base + (uint32_t)region : slots->high;
}

void ecs__id_reserve_cut(ecs__id_slots_t *slots, ecs__entity_index_t *index, int32_t count) {
    slots->index = index;
    if (!slots->is_cut || slots->count != count) {
        slots->is_cut = false;
        slots->count = count;
        slots->wanted = sum_wanted(slots->array, count);
    }
    ecs__entity_fill_free(index, slots->wanted, 2 * slots->wanted + count * MAX_SHARE);
    if (!slots->is_cut || slots->free_count != index->pool.free_count) {
        cut_slices(slots, index->pool.free_count);
    }
    set_region(slots);
}

static uint64_t block_begin(const ecs__id_slots_t *slots, int32_t slot, int32_t k) {
    uint64_t size = (uint64_t)BLOCK << k, before = (uint64_t)slot * size;
    if (k == 0) return slots->base + before;
    return slots->upper + (uint64_t)slots->count * BLOCK * ((1ull << k) - 2) + before;
}

static void next_block(const ecs__id_slots_t *slots, int32_t slot_index) {
    ecs__id_slot_t *slot = &slots->array[slot_index];
    int32_t k = slot->block_count++;
    uint64_t begin = block_begin(slots, slot_index, k), end = begin + ((uint64_t)BLOCK << k);
    if (end > slots->index->pool.limit) {
        ecs_abort(ECS_OUT_OF_RANGE,
            "no entity ids left for a job that creates more than %d entities", 1 << (k + 4));
    }
    slot->block_next = (uint32_t)begin;
    slot->block_end = (uint32_t)end;
}

// Behind the last of its ids in the part of a slot, in the rest of the stack.
static int32_t rest_end(const ecs__id_slots_t *slots, int32_t slot) {
    return slots->free_count - slots->total - slot * slots->part - slots->array[slot].rest;
}

ecs_entity_t ecs__id_reserve_take(const ecs__id_slots_t *slots, int32_t slot_index) {
    ecs__id_slot_t *slot = &slots->array[slot_index];
    const ecs__id_pool_t *pool = &slots->index->pool;
    if (slot->next > slot->begin) return pool->free_ids[--slot->next];
    if (slot->rest < slots->part) {
        slot->rest++;
        return pool->free_ids[rest_end(slots, slot_index)];
    }
    if (slot->block_next == slot->block_end) next_block(slots, slot_index);
    return slot->block_next++;
}

// Ids [begin, end) of the stack move down to where a hole begins, if there is one. Returns where they end.
static int32_t move_down(ecs__entity_index_t *index, int32_t begin, int32_t end, int32_t to) {
    if (begin == to) return end;
    for (int32_t i = begin; i < end; i++) {
        ecs_entity_t entity = index->pool.free_ids[i];
        index->pool.free_ids[to] = entity;
        ecs__entity_set_free(index, entity, (uint32_t)to++);
    }
    return to;
}

// Slices were cut from the top down, and so were parts of the rest, so walking the slots backwards visits the stack upwards.
static void return_slices(const ecs__id_slots_t *slots) {
    ecs__entity_index_t *index = slots->index;
    const int32_t rest = slots->free_count - slots->total;
    int32_t kept = rest - slots->count * slots->part;
    for (int32_t s = slots->count - 1; s >= 0; s--)
        kept = move_down(index, rest - (s + 1) * slots->part, rest_end(slots, s), kept);
    for (int32_t s = slots->count - 1; s >= 0; s--)
        kept = move_down(index, slots->array[s].begin, slots->array[s].next, kept);
    index->pool.free_count = kept;
}

// Blocks of one size lie in slot order, larger blocks behind smaller ones: marking goes upwards through the ids.
static void mark_blocks(const ecs__id_slots_t *slots, int32_t block_count) {
    for (int32_t k = 0; k < block_count; k++) {
        for (int32_t s = 0; s < slots->count; s++) {
            const ecs__id_slot_t *slot = &slots->array[s];
            if (slot->block_count <= k) continue;
            uint32_t begin = (uint32_t)block_begin(slots, s, k);
            bool is_last = slot->block_count == k + 1;
            uint32_t end = is_last ? slot->block_next : begin + (BLOCK << k);
            ecs__entity_mark_issued(slots->index, begin, end);
        }
    }
}

// What a slot will probably need next time: follows rises at once and falls slowly, so that overflow stays rare.
static int32_t next_want(const ecs__id_slots_t *slots, int32_t s) {
    const ecs__id_slot_t *slot = &slots->array[s];
    int64_t used = slot->end - slot->next + slot->rest;
    if (slot->block_count) {
        used += (int64_t)BLOCK * ((1ll << (slot->block_count - 1)) - 1);
        used += (int64_t)(slot->block_next - block_begin(slots, s, slot->block_count - 1));
    }
    int64_t want = used ? used + used / 8 + 4 : 0;
    int64_t faded = slot->want - (slot->want + 15) / 16;
    return (int32_t)(want > faded ? want : faded);
}

void ecs__id_reserve_settle(ecs__id_slots_t *slots) {
    if (ecs__id_slots_used(slots)) {
        int32_t block_count = 0;
        for (int32_t s = 0; s < slots->count; s++) {
            if (slots->array[s].block_count > block_count)
                block_count = slots->array[s].block_count;
        }
        return_slices(slots);
        mark_blocks(slots, block_count);
        slots->is_cut = false;
    }
    if (slots->is_cut && !slots->wanted) return;
    for (int32_t s = 0; s < slots->count; s++) {
        slots->array[s].want = next_want(slots, s);
    }
    slots->is_cut = false;
}
