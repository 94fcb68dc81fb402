/* SPDX-License-Identifier: MIT
 * complete: the protocol of scheduler/src/run.c. A plan  A -> {B, C} -> D  runs twice on the owner and an idle
 * worker that comes and goes, then it is freed. Nodes have one unit each; claiming is claim.pml's matter.
 *
 * Checked: each node runs once per run, after its predecessors; the run ends after the last node; nobody
 * touches the plan after it was freed. `visits` and `slot->plan` go through store buffers.
 * -DNO_FENCE removes the fences of visitor and owner: the model must find the plan used after it was freed.
 */
#define A 0
#define B 1
#define C 2
#define D 3
#define RUNS 2

bool ready[4];
byte pending[4];
byte sinks_left, round;
byte ran[4];
bool freed, over;

bool plan_in_slot, slot_set, slot_clear; /* slot->plan: memory, and the owner's buffered store */
bool visits, visits_set;                 /* the worker's hazard: memory, and its buffered store */

active proctype buffers() {
end:
    do
    :: atomic { slot_set -> plan_in_slot = true; slot_set = false }
    :: atomic { slot_clear -> plan_in_slot = false; slot_clear = false }
    :: atomic { visits_set -> visits = true; visits_set = false }
    od
}

inline release(node, degree) {
    pending[node] = degree; /* reset for the next run */
    ready[node] = true
}

inline count_down(node, degree) {
    atomic { assert(pending[node] > 0); pending[node]--; zero = (pending[node] == 0) };
    if
    :: zero -> release(node, degree)
    :: else
    fi
}

/* Claim, run, complete. */
inline run_node(node) {
    assert(!freed);
    ran[node]++;
    assert(ran[node] == round);
    if
    :: node == A -> count_down(B, 1); count_down(C, 1)
    :: node == B || node == C ->
        assert(ran[A] == round);
        count_down(D, 2)
    :: node == D ->
        assert(ran[B] == round && ran[C] == round);
        sinks_left--
    fi
}

inline take(node) {
    assert(!freed);
    atomic { claimed = ready[node]; ready[node] = false };
    if
    :: claimed -> run_node(node)
    :: else
    fi
}

proctype worker() {
    bool zero, claimed;
    byte looks;
    do
    :: over -> break
    :: plan_in_slot ->
        visits_set = true;               /* 1 */
#ifndef NO_FENCE
        !visits_set;                     /* 2 fence */
#endif
        if
        :: plan_in_slot ->               /* 3 */
            looks = 0;
            do
            :: looks < 2 -> looks++; take(A); take(B); take(C); take(D)
            :: looks > 0 -> break
            od
        :: !plan_in_slot
        fi;
        atomic { !visits_set -> visits = false }
    od
}

init {
    bool zero, claimed;
    pending[B] = 1;
    pending[C] = 1;
    pending[D] = 2;
    run worker();
    do
    :: round < RUNS ->
        round++;
        sinks_left = 1;
        !slot_clear;
        slot_set = true;
        release(A, 0);
        do
        :: sinks_left == 0 -> break
        :: ready[A] -> take(A)
        :: ready[B] -> take(B)
        :: ready[C] -> take(C)
        :: ready[D] -> take(D)
        od;
        assert(ran[A] == round && ran[B] == round && ran[C] == round && ran[D] == round);
        !slot_set;
        slot_clear = true                /* a */
    :: else -> break
    od;
#ifndef NO_FENCE
    !slot_clear;                         /* b fence */
#endif
    !visits;                             /* c */
    freed = true;
    over = true
}
