/* SPDX-License-Identifier: MIT
 * claim: the protocol of scheduler/src/claim.h. One opener opens the same range twice; another worker,
 * as late as it likes, claims from it three times. Sizes of claims are arbitrary.
 *
 * Checked: each unit of each generation runs exactly once, with the fields of its own generation; the range
 * is announced exactly while it is open; it is done exactly when all units have run, and one claimer learns it.
 *
 * Stores are single steps. A store buffer would only delay the opener's stores in order, which is what other
 * interleavings do, because everything it reads in between is read by atomic read-modify-writes.
 * -DNO_GENERATION leaves the generation out of the cell: a late claim then takes what is not its to take
 * (it checked an older generation), and the model must fail.
 */
#define LANES 2
#define PER_LANE 2
#define UNITS (LANES * PER_LANE)
#define GENERATIONS 2

byte generation, field;               /* field: stands for fn, ctx, count … */
byte cell_generation[LANES], next[LANES], end_[LANES];
byte unclaimed, remaining;
byte announced, finishers;
byte ran[(GENERATIONS + 1) * UNITS];

inline count() {
    if
    :: done > 0 ->
        atomic {
            assert(remaining >= done);
            remaining = remaining - done;
            if
            :: remaining == 0 -> finishers++
            :: else
            fi;
            done = 0
        }
    :: else
    fi
}

inline claim_all(who) {
    /* a */ d_step { seen = generation; lane = (who % LANES); done = 0; tries = 0; last = false };
    do
    :: tries == LANES || last -> break
    :: else ->
        /* b */
        d_step { g = cell_generation[lane]; n = next[lane]; e = end_[lane] };
        if
#ifndef NO_GENERATION
        :: g != seen -> break
        :: g == seen && n == e ->
#else
        :: n == e ->
#endif
            /* f: before the next lane */
            count();
            if
            :: unclaimed == 0 -> break
            :: else -> d_step { tries++; lane = (lane + 1) % LANES }
            fi
#ifndef NO_GENERATION
        :: g == seen && n != e ->
#else
        :: n != e ->
#endif
            /* how many, and from which end */
            /* c; what comes before it here is local */
            atomic {
                size = 1;
                do
                :: size < e - n -> size++
                :: break
                od;
                at = (lane == who % LANES -> n : e - size);
                if
                :: cell_generation[lane] == g && next[lane] == n && end_[lane] == e ->
                    swapped = true;
                    if
                    :: at == n -> next[lane] = n + size
                    :: else -> end_[lane] = at
                    fi
                :: else -> swapped = false
                fi
            };
            if
            :: swapped ->
                /* d */ assert(field == seen);
                /* e */
                atomic { unclaimed = unclaimed - size; last = (unclaimed == 0) };
                if
                :: last -> atomic { assert(announced == 1); announced-- }
                :: else
                fi;
                d_step {
                    done = done + size;
                    do
                    :: size > 0 -> size--; ran[seen * UNITS + at + size]++
                    :: else -> break
                    od
                }
            :: else
            fi
        fi
    od;
    count()
}

proctype worker(byte self) {
    byte seen, lane, done, tries, g, n, e, size, at, visits;
    bool swapped, last;
    do
    :: visits < 3 -> visits++; claim_all(self)
    :: break
    od
}

init {
    byte seen, lane, done, tries, g, n, e, size, at, round, i;
    bool swapped, last;
    run worker(1);
    do
    :: round < GENERATIONS ->
        round++;
        /* 1 2 3 */
        field = round;
        unclaimed = UNITS;
        remaining = UNITS;
        generation = round;
        finishers = 0;
        /* 4 */ atomic { assert(announced == 0); announced++ };
        /* 5 */
        i = 0;
        do
        :: i < LANES ->
            atomic {
                cell_generation[i] = round;
                next[i] = i * PER_LANE;
                end_[i] = (i + 1) * PER_LANE
            };
            i++
        :: else -> break
        od;
        claim_all(0);
        remaining == 0;
        assert(announced == 0 && finishers == 1);
        i = 0;
        do
        :: i < UNITS -> assert(ran[round * UNITS + i] == 1); i++
        :: else -> break
        od
    :: else -> break
    od
}
