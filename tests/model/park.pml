/* SPDX-License-Identifier: MIT
 * park: the protocol of scheduler/src/park.h. Two publishers, one worker that sleeps when it sees nothing.
 *
 * Stores to memory others look at go through a store buffer that drains at any later moment, as on real
 * processors; a fence waits until one's own buffer is empty. A lost wake-up shows as an invalid end state:
 * the sleeper sleeps for ever though work is published.
 *
 * -DNO_FENCE removes both fences, -DNO_WAKER_FENCE and -DNO_SLEEPER_FENCE one of them: each must fail.
 */
#define PUBLISHERS 2

#ifdef NO_FENCE
#define NO_WAKER_FENCE
#define NO_SLEEPER_FENCE
#endif

bool work[PUBLISHERS];          /* in memory */
bool work_buffered[PUBLISHERS]; /* stored, not yet in memory */
bool taken[PUBLISHERS];         /* the sleeper's own notes */
bool mask, mask_buffered;       /* the sleeper's bit */
byte event;

active proctype buffers() {
end:
    do
    :: atomic { work_buffered[0] -> work[0] = true; work_buffered[0] = false }
    :: atomic { work_buffered[1] -> work[1] = true; work_buffered[1] = false }
    :: atomic { mask_buffered -> mask = true; mask_buffered = false }
    od
}

proctype publisher(byte self) {
    bool was_set;
    work_buffered[self] = true;                       /* a publish */
#ifndef NO_WAKER_FENCE
    !work_buffered[self];                             /* b fence */
#endif
    if
    :: mask ->                                        /* c */
        atomic { was_set = mask; mask = false }       /* d read-modify-write */
        if
        :: was_set -> event++
        :: else
        fi
    :: !mask
    fi
}

#define SEES(i) (work[i] && !taken[i])

active proctype sleeper() {
    byte key;
    do
    :: taken[0] && taken[1] -> break
    :: SEES(0) -> taken[0] = true
    :: SEES(1) -> taken[1] = true
    :: !SEES(0) && !SEES(1) && !(taken[0] && taken[1]) ->
        key = event;                                  /* 1 */
        mask_buffered = true;                         /* 2 */
#ifndef NO_SLEEPER_FENCE
        !mask_buffered;                               /* 3 fence */
#endif
        if
        :: SEES(0) || SEES(1)                         /* 4 */
        :: !(SEES(0) || SEES(1)) -> event != key      /* 5 sleep */
        fi;
        atomic { !mask_buffered -> mask = false }
    od
}

init {
    run publisher(0);
    run publisher(1)
}
