// SPDX-License-Identifier: MIT
// id_reserve: entity ids for jobs, without coordination and without depending on who runs what.
//
// Before a stretch of the schedule every slot (system x quantum) gets a slice of the free stack as long as what it used lately
// plus a margin, and a share of what is free beyond that. When the slice is used up, it goes on with its part of the rest of the stack, so
// that slots whose need jumps, now and then, do not take new ids while old ones lie idle: ids would go on for ever. Nobody looks at the
// rest otherwise. Behind that slot s of S continues in overflow blocks that double in size (B = 16 ids):
//     block 0:      base + s*B                          … + B
//     block k > 0:  upper + S*B*(2^k - 2) + s*B*2^k     … + B*2^k
// Blocks of all slots are disjoint and a pure function of (s, k). `base` is in a gap of never-issued ids if one is long enough,
// else the end of the id space; `upper` is the end of the id space. After the stretch, what was not used goes back in slot order.
// Threads: begin and end on the main thread; take by whichever worker runs the slot, one at a time.
#ifndef ECS_STORAGE_ID_RESERVE_H
#define ECS_STORAGE_ID_RESERVE_H

#include "base/assert.h"
#include "storage/entity_index.h"

typedef struct ecs__id_slot_t {
    int32_t begin, next, end;       /* slice of free_ids: taken from next downwards */
    int32_t rest;                   /* how many were taken from its part of the rest */
    int32_t want;                   /* how many ids the slice should hold next time */
    uint32_t block_next, block_end; /* rest of the current overflow block */
    int32_t block_count;            /* overflow blocks begun */
} ecs__id_slot_t;

/** The slots of a stretch. Slices and the place of overflow blocks hold until a slot takes or wants ids, or others than slots took or
 * gave back some. */
typedef struct ecs__id_slots_t {
    ecs__id_slot_t *array; /* zeroed when new */
    ecs__entity_index_t *index;
    int32_t count;        /* of slots in the last stretch */
    int32_t free_count;   /* of the stack that slices were cut from */
    int32_t total;        /* ids in all slices */
    int32_t part;         /* of what is below them, for each slot: that of the first one on top */
    int32_t wanted;       /* sum of what slots want */
    uint32_t base, upper; /* where overflow blocks lie, see above */
    uint32_t high;        /* of the index then */
    bool is_cut;          /* the above is right */
} ecs__id_slots_t;

/** Cut slices for `count` slots. */
void ecs__id_reserve_cut(ecs__id_slots_t *slots, ecs__entity_index_t *index, int32_t count);
/** The same if need be. O(slots + ids pulled from gaps), O(1) if what was cut for the last stretch still holds. */
static inline void ecs__id_reserve_begin(
    ecs__id_slots_t *slots, ecs__entity_index_t *index, int32_t count) {
    bool holds = slots->is_cut && slots->count == count &&
                 slots->free_count == index->pool.free_count && !index->pool.free_holes &&
                 slots->high == index->pool.high && !index->pool.gaps.count;
    if (!holds) ecs__id_reserve_cut(slots, index, count);
}

/** A fresh id for a slot; its record is not touched. */
ecs_entity_t ecs__id_reserve_take(const ecs__id_slots_t *slots, int32_t slot);

/** True if the slot gave out any id since begin. */
static inline bool ecs__id_slot_used(const ecs__id_slot_t *slot) {
    return slot->next != slot->end || slot->block_count;
}
static inline bool ecs__id_slots_used(const ecs__id_slots_t *slots) {
    bool used = false;
    for (int32_t s = 0; s < slots->count; s++) used |= ecs__id_slot_used(&slots->array[s]);
    return used;
}

/** What is to be done by that, below, if slots took or want ids. */
void ecs__id_reserve_settle(ecs__id_slots_t *slots);
/** Return what was not used; called before the commands that place the taken ids are applied. `used` tells whether any slot may have
 * taken an id. O(slots), O(1) if none took or wanted any. */
static inline void ecs__id_reserve_end(ecs__id_slots_t *slots, bool used) {
    ecs__assert(used || !ecs__id_slots_used(slots), "slots that take ids are said to be used");
    if (used || slots->wanted) ecs__id_reserve_settle(slots);
}

#endif
