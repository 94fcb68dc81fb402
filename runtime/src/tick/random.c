// SPDX-License-Identifier: MIT
// random: numbers for rows, without a stream that would depend on who runs what.
//
// A number is a hash of seed, frame (or fixed step), system, ids of the result, entity, and of how often this row
// asked before. Only the last is state: a counter per row of the present result, forgotten when a
// worker begins another system or quantum. Rows of a result belong to one quantum, so the counters
// do not depend on how quanta are handed out. Threads: each worker uses its own counters, and so does each
// thread that runs a system by hand.
#include <muster/runtime/schedule.h>
#include "tick/random.h"
#include "tick/workers.h"

static _Thread_local rt_own_random_t own_random;

// With whom memory for counters waits from run to run; NULL for threads that are no workers.
static rt_worker_t *keeper_of(const rt_t *rt, const ecs_world_t *stage) {
    rt_worker_t *worker = rt__worker_of(rt, stage);
    return stage == rt->world || stage == worker->world ? worker : NULL;
}

rt_own_random_t rt__random_begin(const rt_t *rt, const ecs_world_t *stage) {
    rt_own_random_t outer = own_random;
    rt_worker_t *keeper = keeper_of(rt, stage);
    own_random = (rt_own_random_t){ .rt = rt };
    if (keeper && keeper->spare_count)
        own_random.random = keeper->spare_randoms[--keeper->spare_count];
    rt__random_forget(&own_random.random);
    return outer;
}

void rt__random_end(const rt_t *rt, const ecs_world_t *stage, rt_own_random_t outer) {
    rt_worker_t *keeper = keeper_of(rt, stage);
    if (!keeper) {
        ecs_os_free(own_random.random.asked);
    } else if (own_random.random.asked) {
        RT_ROOM(keeper->spare_randoms, keeper->spare_count, keeper->spare_size);
        keeper->spare_randoms[keeper->spare_count++] = own_random.random;
    }
    own_random = outer;
}

static rt_random_t *random_of(rt_t *rt, const ecs_world_t *stage) {
    return own_random.rt == rt ? &own_random.random : &rt__worker_of(rt, stage)->random;
}

// The finaliser of splitmix64 (public domain): each input bit changes each output bit with
// probability 1/2.
uint64_t rt__mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

static void begin_system(rt_random_t *random, const rt_t *rt, ecs_entity_t system) {
    int64_t when = rt->fixed_step ? rt->step : rt->info->frame_count_total;
    random->system_key = rt__mix(rt__mix(rt->seed ^ rt__mix((uint64_t)when)) ^ system);
    random->system = system;
    random->id_count = -1;
}

static bool has_same_ids(const rt_random_t *random, const ecs_iter_t *it) {
    if (random->id_count != it->field_count) return false;
    int32_t i = 0;
    while (i < random->id_count && random->ids[i] == it->ids[i]) i++;
    return i == random->id_count;
}

static void find_key(rt_random_t *random, const rt_t *rt, const ecs_iter_t *it) {
    if (random->count < 0 || random->system != it->system) begin_system(random, rt, it->system);
    if (has_same_ids(random, it)) return;
    random->key = random->system_key;
    const int32_t count = it->ids ? it->field_count : 0;
    for (int32_t i = 0; i < count; i++) {
        random->key = rt__mix(random->key ^ it->ids[i]);
        random->ids[i] = it->ids[i];
    }
    random->id_count = count;
}

// Results without entities differ in their ids, if in anything.
static bool is_present_result(const rt_random_t *random, const ecs_iter_t *it) {
    return random->entities == it->entities && random->count == it->count &&
           random->frame_offset == it->frame_offset && random->query == it->query &&
           (it->count || has_same_ids(random, it));
}

void rt__random_reserve(rt_random_t *random, int32_t rows) {
    if (rows <= random->size) return;
    random->size = ECS_MAX(rows, random->size * 2);
    random->asked = ecs_os_realloc_n(random->asked, uint32_t, random->size);
}

static void begin_result(rt_random_t *random, const rt_t *rt, const ecs_iter_t *it) {
    int32_t rows = ECS_MAX(it->count, 1);
    find_key(random, rt, it);
    rt__random_reserve(random, rows);
    random->asked[0] = 0; /* often there is no other */
    if (rows > 1) ecs_os_memset(random->asked, 0, rows * ECS_SIZEOF(uint32_t));
    random->query = it->query;
    random->entities = it->entities;
    random->count = it->count;
    random->frame_offset = it->frame_offset;
}

uint64_t ecs_iter_random(const ecs_iter_t *it, int32_t row) {
    rt_t *rt = it ? rt__of(it->world) : NULL;
    ecs_check(
        rt, ECS_INVALID_PARAMETER, "random numbers need an iterator of a world made with ecs_init");
    ecs_check(it->system, ECS_INVALID_OPERATION,
        "random numbers belong to a system: this iterator is not one of a system's");
    ecs_check(row >= 0 && row < ECS_MAX(it->count, 1), ECS_OUT_OF_RANGE,
        "row %d is not in this result of %d rows", row, it->count);
    rt_random_t *random = random_of(rt, it->world);
    if (!is_present_result(random, it)) begin_result(random, rt, it);
    ecs_entity_t entity = it->count ? it->entities[row] : 0;
    return rt__mix(rt__mix(random->key ^ entity) + random->asked[row]++);
error:
    return 0;
}

void ecs_set_seed(ecs_world_t *world, uint64_t seed) {
    rt_t *rt = rt__of(world);
    ecs_check(rt && !rt->running, ECS_INVALID_OPERATION, "set the seed between ticks");
    rt->seed = seed;
error:
    return;
}
