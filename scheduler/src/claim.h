// SPDX-License-Identifier: MIT
// claim: dividing one range among workers; the only place that splits ranges.
//
// A range of `count` items is `units` units of `unit` items (a multiple of the grain). Units are
// laid out in lanes, one per worker that may take part, each with a cell of its own on its own
// cache line:
//
//     lane 0                lane 1                lane 2
//     [ 0 ........ 33 )     [ 33 ....... 66 )     [ 66 ...... 100 )
//       next →      end       next →      end
//
// The word of a cell is {generation, next, end}. Worker w starts at the front of lane w, so it
// touches the same items in each run; when its lane is empty it takes from the back of the next
// lane, farthest from where that lane's worker is. A claim is one compare-and-swap.
//
// Opening, by one thread:  1 fields  2 generation + 1  3 unclaimed = remaining = units
//                          4 caller announces the range  5 cells
// Claiming, by anybody:    a read generation  b read cell: same generation and not empty?
//                          c swap the cell  d read fields
//                          e unclaimed -= k; at 0: retract the announcement
// Finishing:               f remaining -= units run, before any look at another lane; whoever
//                            reaches 0 has finished the range
//
// Memory outlives ranges, and a late worker may look at a cell at any time. It is safe because
// - c succeeds only if the word is unchanged, so units [next, next + k) belong to the range that is
//   open now, and until they are finished it stays open: the fields read at d are its own.
//   (c acquires what the opener released at 5; swaps by others in between continue that release.)
// - a claim whose generation was read before some check about the range (is it part of what I wait
//   for?) proves at c that the check was about this range.
// - cells not used by a range are empty, whatever number of lanes a late worker believes in.
// - after f the range may be over, and open anew: who goes on claiming is like a late worker.
// - 4 precedes 5, so e comes after 4 and the announcement is retracted exactly once, before f can
//   reach 0.
// Modelled in tests/model/claim.pml.
#ifndef SCHED_CLAIM_H
#define SCHED_CLAIM_H

#include "atomics.h"

#include <muster/scheduler/pool.h>

/* Units of one range; more are merged. Keeps three numbers in one word. */
#define SCHED__MAX_UNITS ((UINT32_C(1) << 22) - 1)

typedef struct sched__cell_t {
    _Alignas(SCHED_CACHE_LINE) uint64_t word;
} sched__cell_t;

typedef struct sched__range_t {
    /* Written while closed; read by the opener, and by others after a claim. */
    sched_range_fn fn;
    void *ctx;
    int64_t count, grain, unit;
    double item_ns; /* expected; negative if unknown */
    /* Written while closed, also read before a claim; `cells` never changes while others look. */
    sched__cell_t *cells;
    uint32_t lanes;
    uint32_t units;
    /* Shared. One line, because whoever claims also finishes. */
    _Alignas(SCHED_CACHE_LINE) uint32_t generation;
    uint32_t unclaimed;
    uint64_t tally; /* units remaining in the low bits; above, ticks in callbacks, of all workers */
} sched__range_t;

/* One worker's stay at one range. */
typedef struct sched__visit_t {
    sched__range_t *range;
    uint64_t *rng;       /* state of the shuffle; NULL: off */
    double unit_ns;      /* measured or expected; negative if unknown */
    uint32_t generation; /* low bits, as in cells */
    uint32_t lanes, home, lane, lanes_left;
    uint32_t begin, end; /* the claim, in units */
    uint32_t units;      /* claimed, but not yet counted in the range's tally */
    uint64_t ticks;      /* spent on them */
    bool all;       /* claim whole lanes: the run was cancelled, there is only bookkeeping to do */
    bool exhausted; /* this claim was the last one of the range */
    bool finished;  /* the last units of the range were counted here */
} sched__visit_t;

/* Number of units of a range as its fields are now; also sets unit. */
uint32_t sched__range_measure(sched__range_t *range);

/* How long units that take `ns` on one of `workers` take if they are divided, should that be worth it;
 * sets among how many, at least 1. `inline_ns` is what is not worth handing over. */
double sched__range_share_ns(
    uint32_t units, double ns, double inline_ns, uint32_t workers, uint32_t *lanes);

/* Steps 1 to 3, and 5, of opening. `lanes` is at most the number of cells. */
void sched__range_prepare(sched__range_t *range, uint32_t lanes);
void sched__range_fill(sched__range_t *range);

/* Step a. */
uint32_t sched__range_generation(const sched__range_t *range);

/* Begin a stay; `generation` as read before. Workers without a lane begin it a little later. */
sched__visit_t sched__visit_begin(
    sched__range_t *range, uint32_t generation, uint32_t worker, uint64_t *rng);

/* Steps b to e, and f for earlier claims. Returns false if there is nothing left to claim; then all
 * claims of the visit have been counted. */
bool sched__visit_claim(sched__visit_t *visit);

/* Learn from `ns` spent on the claim. */
void sched__visit_learn(sched__visit_t *visit, double ns);

/* Have all units run? Acquires what they wrote. */
bool sched__range_is_done(const sched__range_t *range);

/* Ticks spent in callbacks, of a range that is done. */
uint64_t sched__range_spent(const sched__range_t *range);

/* A new expectation from an old one and a measurement, both for the same work, in nanoseconds. A
 * single measurement may be far too long (the thread was interrupted), never far too short. */
double sched__blend_ns(double expected, double measured);

/* Next number of a worker's shuffle. */
uint64_t sched__shuffle_next(uint64_t *rng);

/* NULL, or what is wrong with a closed range. `cells` is how many it has. */
const char *sched__range_verify(const sched__range_t *range, uint32_t cells);

#endif
