// SPDX-License-Identifier: MIT
// The protocol is in claim.h. Here also: how large a claim is. Claims aim at AIM_NS, measured as
// the worker goes, so that a claim's cost (tens of ns) vanishes; they are at most a quarter of what
// is left in the lane, so that the last ones are small and workers finish together; and at least
// FLOOR_NS, below which splitting costs more than it balances. tests/unit/scheduler/test_claim.c
// simulates what that achieves.
#include "claim.h"

#define AIM_NS 30000.0
#define FLOOR_NS 2000.0

// For about half a microsecond who has no lane leaves the range to those whose data it is.
#define GUEST_STALLS 16

#define UNIT_BITS 22
#define UNIT_MASK ((UINT64_C(1) << UNIT_BITS) - 1)
#define GENERATION_MASK ((UINT32_C(1) << 20) - 1)

static uint64_t pack(uint32_t generation, uint32_t next, uint32_t end) {
    return (uint64_t)generation << (2 * UNIT_BITS) | (uint64_t)next << UNIT_BITS | end;
}

static uint32_t generation_of(uint64_t word) { return (uint32_t)(word >> (2 * UNIT_BITS)); }

static uint32_t next_of(uint64_t word) { return (uint32_t)(word >> UNIT_BITS & UNIT_MASK); }

static uint32_t end_of(uint64_t word) { return (uint32_t)(word & UNIT_MASK); }

uint32_t sched__range_measure(sched__range_t *range) {
    if (range->count <= 0) return 0;
    int64_t grain = range->grain < 1 ? 1 : range->grain;
    if (grain > range->count) grain = range->count; /* keeps the sums below from overflowing */
    int64_t grains = (range->count - 1) / grain + 1;
    int64_t merged = (grains - 1) / SCHED__MAX_UNITS + 1;
    range->unit = grain * merged;
    return (uint32_t)((grains - 1) / merged + 1);
}

// With 2, 4, 8 and 16 workers to hand a range over and wait for it takes 1.1, 1.7, 2.3 and 3.9 us: all
// that are awake come to look, whoever gets something. So the range has a lane for each of them, too,
// if it is divided at all, and each finds the same items at hand that it had the last time.
double sched__range_share_ns(
    uint32_t units, double ns, double inline_ns, uint32_t workers, uint32_t *lanes) {
    uint32_t most = units < workers ? units : workers;
    double share_ns = most ? ns / most + inline_ns * (1 + workers / 6.0) : 0;
    bool pays = most > 1 && share_ns + inline_ns <= ns;
    *lanes = pays ? most : 1;
    return pays ? share_ns : ns;
}

void sched__range_prepare(sched__range_t *range, uint32_t lanes) {
    uint32_t units = sched__range_measure(range);
    range->units = units;
    sched__store_32(&range->lanes, units < lanes ? units : lanes);
    sched__store_32(&range->unclaimed, units);
    sched__store_64(&range->tally, units);
    sched__store_release_32(&range->generation, range->generation + 1);
}

void sched__range_fill(sched__range_t *range) {
    uint32_t generation = range->generation & GENERATION_MASK, lanes = range->lanes, next = 0;
    uint64_t units = range->units;
    sched__cell_t *cells = range->cells;
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t end = (uint32_t)(units * (i + 1) / lanes);
        /* After the last of these stores the range may be open anew: only locals here. */
        sched__store_release_64(&cells[i].word, pack(generation, next, end));
        next = end;
    }
}

uint32_t sched__range_generation(const sched__range_t *range) {
    return sched__load_acquire_32(&range->generation);
}

sched__visit_t sched__visit_begin(
    sched__range_t *range, uint32_t generation, uint32_t worker, uint64_t *rng) {
    uint32_t lanes = sched__load_32(&range->lanes);
    sched__visit_t visit = { .range = range,
        .rng = rng,
        .unit_ns = -1,
        .generation = generation & GENERATION_MASK,
        .lanes = lanes,
        .lanes_left = lanes };
    if (!lanes) return visit;
    if (worker >= lanes && lanes > 1 && !rng) {
        for (int i = 0; i < GUEST_STALLS; i++) sched__stall();
    }
    if (!sched__load_32(&range->unclaimed)) visit.lanes_left = 0;
    visit.home = rng ? (uint32_t)(sched__shuffle_next(rng) % lanes) : worker % lanes;
    visit.lane = visit.home;
    return visit;
}

// How many of `left` units to take.
static uint32_t portion(const sched__visit_t *visit, uint32_t left) {
    if (visit->all) return left;
    if (visit->rng) return 1 + (uint32_t)(sched__shuffle_next(visit->rng) % left);
    if (visit->unit_ns < 0) return 1;
    double quarter = left / 4, aim = AIM_NS / (visit->unit_ns + 1e-3);
    double floor = FLOOR_NS / (visit->unit_ns + 1e-3);
    double units = quarter < aim ? quarter : aim;
    if (units < floor) units = floor;
    return units >= left ? left : units < 1 ? 1 : (uint32_t)units;
}

// Steps b and c.
static bool claim_from(sched__visit_t *visit, sched__cell_t *cell, bool front) {
    uint64_t word = sched__load_acquire_64(&cell->word);
    for (;;) {
        uint32_t next = next_of(word), end = end_of(word);
        if (generation_of(word) != visit->generation) {
            /* We are late, or the opener has yet to come here and must not be disturbed there. */
            visit->lanes_left = 1;
            return false;
        }
        if (next == end) return false;
        uint32_t units = portion(visit, end - next);
        visit->begin = front ? next : end - units;
        visit->end = visit->begin + units;
        uint64_t rest = front ? pack(visit->generation, next + units, end)
                              : pack(visit->generation, next, end - units);
        if (sched__cas_64(&cell->word, &word, rest)) return true;
    }
}

// Step f: one addition to what all workers write, so the ticks (42 bits, half an hour at least) are
// in the same word.
static void count(sched__visit_t *visit) {
    uint64_t delta = (visit->ticks << UNIT_BITS) - visit->units;
    uint64_t before = sched__add_64(&visit->range->tally, delta);
    visit->finished = (before & UNIT_MASK) == visit->units;
    visit->units = 0;
    visit->ticks = 0;
}

bool sched__visit_claim(sched__visit_t *visit) {
    sched__range_t *range = visit->range;
    while (visit->lanes_left && !visit->exhausted) {
        if (claim_from(visit, &range->cells[visit->lane], visit->lane == visit->home)) {
            uint32_t units = visit->end - visit->begin;
            visit->exhausted = sched__add_32(&range->unclaimed, 0 - units) == units;
            visit->units += units;
            return true;
        }
        if (visit->units) count(visit);
        /* Mostly there is nothing anywhere, and the line that says so is at hand. */
        if (!sched__load_32(&range->unclaimed)) return false;
        /* An empty cell stays empty for this generation: never look at it again. */
        if (++visit->lane == visit->lanes) visit->lane = 0;
        visit->lanes_left--;
    }
    if (visit->units) count(visit);
    return false;
}

bool sched__range_is_done(const sched__range_t *range) {
    return !(sched__load_acquire_64(&range->tally) & UNIT_MASK);
}

uint64_t sched__range_spent(const sched__range_t *range) {
    return sched__load_64(&range->tally) >> UNIT_BITS;
}

void sched__visit_learn(sched__visit_t *visit, double ns) {
    double unit_ns = ns / (visit->end - visit->begin);
    visit->unit_ns = visit->unit_ns < 0 ? unit_ns : (visit->unit_ns + unit_ns) / 2;
}

double sched__blend_ns(double expected, double measured) {
    if (expected < 0) return measured;
    double most = 4 * expected + 500;
    return (expected + (measured < most ? measured : most)) / 2;
}

uint64_t sched__shuffle_next(uint64_t *rng) {
    /* splitmix64 */
    uint64_t z = (*rng += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

const char *sched__range_verify(const sched__range_t *range, uint32_t cells) {
    if (sched__load_32(&range->unclaimed)) return "a closed range has units to claim";
    if (!sched__range_is_done(range)) return "a closed range has unfinished units";
    if (range->lanes > cells) return "a range has more lanes than cells";
    for (uint32_t i = 0; i < cells; i++) {
        uint64_t word = sched__load_64(&range->cells[i].word);
        if (next_of(word) != end_of(word)) return "a cell of a closed range is not empty";
    }
    return NULL;
}
