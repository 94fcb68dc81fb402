// SPDX-License-Identifier: MIT
// park: how workers sleep and who wakes them. Knows events and bit masks, not workers or jobs.
//
// Each worker has an event of its own, because waking an event wakes everybody who sleeps on it.
// Workers who sleep are bits of a mask; whoever clears the bit owes the wake-up.
//
//     sleeper                                   waker
//     1 key = value(event)                      a publish work
//     2 set own bit in mask                     b fence
//     3 fence                                   c is a bit set in mask?
//     4 work to be seen? clear own bit, leave   d clear it; if it was set: event += 1, wake
//     5 sleep while value(event) == key
//
// No wake-up is lost. The fences at 3 and b order store before load on either side, so at least one
// of the two sees the other: either 4 sees the work published at a, or c sees the bit set at 2. In
// the second case d adds to the event after 1 was read, so 5 does not sleep or is woken. Without
// either fence both may look away at the same time, even on x86 (store buffers).
//
// A sleeper that leaves at 4 may find its bit cleared: then an event increment is under way that
// nobody waits for. It makes one later sleep end early, which is harmless because every caller
// looks for work again. Modelled in tests/model/park.pml; with the fences removed the model finds
// the lost wake-up.
#ifndef SCHED_PARK_H
#define SCHED_PARK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sched__event_t {
    uint32_t counter; /* a ck_ec32; the top bit says that somebody sleeps */
} sched__event_t;

void sched__event_init(sched__event_t *event);

/* Steps 1 to 5 of a sleeper whose bit is `bit`. stay_awake is step 4. Returns whether it slept. */
bool sched__park(
    uint64_t *mask, uint64_t bit, sched__event_t *event, bool (*stay_awake)(void *ctx), void *ctx);

/* Steps c and d of a waker, who has done a and b. Returns whether this call woke the sleeper. */
bool sched__unpark(uint64_t *mask, uint64_t bit, sched__event_t *event);

#endif
