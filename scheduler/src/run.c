// SPDX-License-Identifier: MIT
// run: one run of a plan.
//
// If the estimate says that other workers would not help, the caller runs the nodes one after the
// other in serial order and touches nothing that is shared. Otherwise:
//
// - A node is released by whoever completes its last predecessor (pending reaches 0; each decrement
//   releases what the predecessor wrote and acquires what the others did). Releasing means: cheap
//   and empty nodes go to the releaser's own list and run there at once; nodes for the caller get a
//   bit in caller_ready; all others are opened for claims (claim.h) and get a bit in ready.
// - Whoever finishes the last units of a node completes it: counts down its successors, releases
//   those that reach 0. A node without successors is a sink and counts down sinks_left; every node
//   leads to a sink, so at 0 the run is over. That is the last write of the run; the finisher has
//   read the owner before.
// - pending is reset on release, by the releaser: no pass over the nodes is needed between runs.
//
// Lifetime: sched_plan_run returns without waiting for workers that still look for work in the
// plan. They hurt nobody: they find no bits, or claim from the next run like everybody. But before
// the plan is freed or moved to another pool they must be gone:
//
//     idle worker                              owner
//     1 visits = plan                          a slot->plan = NULL (end of the run)
//     2 fence                                  b fence (wait_for_visitors)
//     3 slot->plan still plan? else leave      c wait while visits == plan
//
// Either 3 sees a, or c sees 1. Workers that wait for a job never look into other plans, and a
// worker inside a job keeps the plan alive by not having finished it, so one `visits` per worker is
// enough. Modelled in tests/model/complete.pml.
#include "plan.h"

// Unsplit nodes of plans that run often are measured one by one in some runs only: in the first,
// then ever more seldom.
#define MOST_RUNS_BETWEEN_SAMPLES 1024
// Where nodes are small, most of what they seem to take in a shared run may be the way of their data
// from worker to worker. Plans that take less than this are measured on one worker alone.
// Once they are known, only if that is not to be noticed.
#define MEASURED_ALONE_NS 1000000
#define KNOWN_ALONE_NS 50000
// Deciding who runs a plan costs as much as a small node. For plans that should take less its user
// may do without, so many times in a row.
#define SMALL_NS 20000
#define UNSEEN_RUNS 31

// One worker's part in a run.
typedef struct run_t {
    sched__worker_t *worker;
    sched_plan_t *plan;
    bool is_owner;
    bool has_inline;
    uint32_t first, last; /* list of nodes to run inline, in order of release */
    uint32_t opened;      /* units opened since others were last told */
} run_t;

// ---- releasing and completing ----

static void append_inline(run_t *run, uint32_t position) {
    if (run->has_inline) {
        run->plan->nodes[run->last].next = position;
    } else {
        run->first = position;
    }
    run->last = position;
    run->has_inline = true;
}

static uint32_t take_inline(run_t *run) {
    uint32_t position = run->first;
    run->has_inline = position != run->last;
    run->first = run->plan->nodes[position].next;
    return position;
}

static void set_bit(uint64_t *bits, uint32_t position) {
    sched__set_bits_64(&bits[position / 64], UINT64_C(1) << position % 64);
}

static void hand_to_caller(run_t *run, uint32_t position) {
    sched_plan_t *plan = run->plan;
    sched__slot_t *slot = &run->worker->pool->slots[sched__load_32(&plan->slot)];
    set_bit(plan->caller_ready, position);
    sched__add_32(&slot->caller_work, 1);
    if (!run->is_owner) sched__notify_owner(run->worker, sched__load_32(&plan->owner));
}

static void open_node(run_t *run, uint32_t position) {
    sched_plan_t *plan = run->plan;
    sched__node_t *node = &plan->nodes[position];
    sched_pool_t *pool = run->worker->pool;
    bool is_for_all = plan->offers_all && sched__node_can_split(node);
    sched__range_prepare(&node->range, is_for_all ? pool->count : node->lanes);
    run->opened += node->range.lanes;
    sched__add_32(&pool->slots[sched__load_32(&plan->slot)].work, 1);
    set_bit(plan->ready, position);
    sched__range_fill(&node->range);
}

static void release(run_t *run, uint32_t position) {
    sched_plan_t *plan = run->plan;
    sched__node_t *node = &plan->nodes[position];
    bool is_callers = node->flags & SCHED_NODE_CALLER;
    bool is_inline = node->is_cheap && !plan->offers_all && (run->is_owner || !is_callers);
    sched__store_32(&node->pending, node->in_degree);
    if (is_inline || !sched__node_has_work(node) || sched_plan_is_cancelled(plan)) {
        append_inline(run, position);
    } else if (is_callers) {
        hand_to_caller(run, position);
    } else {
        open_node(run, position);
    }
}

static void complete(run_t *run, uint32_t position) {
    sched_plan_t *plan = run->plan;
    const sched__node_t *node = &plan->nodes[position];
    for (uint32_t i = 0; i < node->successor_count; i++) {
        sched__node_t *next = &plan->nodes[node->successors[i]];
        if (next->in_degree == 1 || sched__add_32(&next->pending, UINT32_MAX) == 1) {
            release(run, node->successors[i]);
        }
    }
    if (node->successor_count) return;
    uint32_t owner = sched__load_32(&plan->owner);
    if (sched__add_32(&plan->sinks_left, UINT32_MAX) == 1 && !run->is_owner) {
        sched__notify_owner(run->worker, owner);
    }
}

// ---- running nodes ----

static void call_whole(sched__worker_t *worker, const sched__node_t *node) {
    node->range.fn(node->range.ctx, 0, node->range.count, (int32_t)worker->index);
}

static void run_whole(run_t *run, uint32_t position) {
    sched_plan_t *plan = run->plan;
    sched__node_t *node = &plan->nodes[position];
    if (sched__node_has_work(node) && !sched_plan_is_cancelled(plan)) {
        bool measures = plan->samples || !node->is_cheap;
        uint64_t start = measures ? sched__ticks() : 0;
        uint32_t outer = run->worker->slot;
        run->worker->slot = sched__load_32(&plan->slot);
        call_whole(run->worker, node);
        run->worker->slot = outer;
        if (measures) {
            double ticks = (double)(sched__ticks() - start);
            sched__node_learn(plan, node, ticks * run->worker->pool->ns_per_tick);
        }
    }
    complete(run, position);
}

static bool try_node(run_t *run, uint32_t position) {
    sched_plan_t *plan = run->plan;
    sched__node_t *node = &plan->nodes[position];
    sched__job_t job = { .range = &node->range, .plan = plan, .position = position };
    job.generation = sched__range_generation(&node->range);
    sched__outcome_t outcome = sched__work(run->worker, &job);
    if (outcome == SCHED__FINISHED) {
        double ns = (double)sched__range_spent(&node->range) * run->worker->pool->ns_per_tick;
        if (!sched_plan_is_cancelled(plan)) sched__node_learn(plan, node, ns);
        complete(run, position);
    }
    return outcome != SCHED__NOTHING;
}

// Claim from the first node in serial order that has something left; in any order when shuffled.
static bool try_ready(run_t *run) {
    sched_plan_t *plan = run->plan;
    uint64_t *rng = sched__worker_rng(run->worker);
    uint32_t start = rng ? (uint32_t)(sched__shuffle_next(rng) % plan->words) : 0;
    uint32_t most = plan->count < 64 ? plan->count : 64;
    for (uint32_t i = 0; i < plan->words; i++) {
        uint32_t word = (start + i) % plan->words;
        uint64_t bits = sched__load_acquire_64(&plan->ready[word]);
        uint64_t later = rng ? ~UINT64_C(0) << sched__shuffle_next(rng) % most : bits;
        for (uint64_t part = bits & later; part; part &= part - 1) {
            if (try_node(run, word * 64 + sched__first_bit(part))) return true;
        }
        for (uint64_t part = bits & ~later; part; part &= part - 1) {
            if (try_node(run, word * 64 + sched__first_bit(part))) return true;
        }
    }
    return false;
}

// A node that waits for the caller, who is the only one to clear these bits.
static bool try_caller_node(run_t *run) {
    sched_plan_t *plan = run->plan;
    sched__slot_t *slot = &run->worker->pool->slots[sched__load_32(&plan->slot)];
    if (!sched__load_acquire_32(&slot->caller_work)) return false;
    uint32_t word = 0;
    while (!sched__load_acquire_64(&plan->caller_ready[word])) word++;
    uint64_t bits = sched__load_64(&plan->caller_ready[word]);
    sched__clear_bits_64(&plan->caller_ready[word], bits & (0 - bits));
    sched__add_32(&slot->caller_work, UINT32_MAX);
    run_whole(run, word * 64 + sched__first_bit(bits));
    return true;
}

// Tell others about units opened, less the one we take ourselves unless we are busy.
static void tell_others(run_t *run) {
    if (!run->opened) return;
    uint32_t index = sched__load_32(&run->plan->slot);
    const sched__slot_t *slot = &run->worker->pool->slots[index];
    bool is_busy = run->has_inline || (run->is_owner && sched__load_32(&slot->caller_work));
    sched__notify(run->worker, index, is_busy ? run->opened : run->opened - 1);
    run->opened = 0;
}

// Do whatever can be done in the plan now. Returns whether that was anything.
static bool advance(run_t *run) {
    bool has_run = false;
    for (;; has_run = true) {
        tell_others(run);
        if (run->has_inline) {
            run_whole(run, take_inline(run));
        } else if (!(run->is_owner && try_caller_node(run)) && !try_ready(run)) {
            return has_run;
        }
    }
}

bool sched__help_plan(sched__worker_t *worker, uint32_t index) {
    sched__slot_t *slot = &worker->pool->slots[index];
    sched_plan_t *plan = sched__load_acquire_ptr(&slot->plan);
    if (!plan) return false;
    bool has_run = false;
    sched__store_release_ptr(&worker->visits, plan);
    sched__fence();
    if (sched__load_ptr(&slot->plan) == plan) {
        run_t run = { .worker = worker, .plan = plan };
        has_run = advance(&run);
    }
    sched__store_release_ptr(&worker->visits, NULL);
    return has_run;
}

// ---- the caller ----

static bool run_is_done(void *plan) {
    return sched__load_acquire_32(&((sched_plan_t *)plan)->sinks_left) == 0;
}

static void run_shared(sched__worker_t *worker, sched_plan_t *plan, uint32_t slot) {
    run_t run = { .worker = worker, .plan = plan, .is_owner = true };
    uint32_t outer = worker->slot;
    worker->slot = slot;
    plan->offers_all = sched__worker_rng(worker) != NULL;
    sched__store_32(&plan->owner, worker->index);
    sched__store_32(&plan->slot, slot);
    sched__store_release_32(&plan->sinks_left, plan->sink_count);
    for (uint32_t i = 0; i < plan->root_count; i++) release(&run, plan->roots[i]);
    for (sched__search_t search = { 0 };;) {
        bool has_run = advance(&run);
        if (run_is_done(plan)) break;
        if (has_run || sched__help_below(worker, slot)) {
            search = (sched__search_t){ 0 };
        } else {
            sched__wait_step(worker, slot, &search, run_is_done, plan);
        }
    }
    worker->slot = outer;
    sched__slot_release(worker->pool, slot);
}

static void run_serial_measured(sched__worker_t *worker, sched_plan_t *plan) {
    uint64_t last = sched__ticks();
    for (uint32_t i = 0; i < plan->count; i++) {
        sched__node_t *node = &plan->nodes[i];
        if (!sched__node_has_work(node)) continue;
        if (sched_plan_is_cancelled(plan)) return;
        call_whole(worker, node);
        uint64_t now = sched__ticks();
        sched__node_learn_alone(plan, node, (double)(now - last) * worker->pool->ns_per_tick);
        last = now;
    }
}

static void call_all(sched__worker_t *worker, const sched_plan_t *plan) {
    if (plan->serial) {
        if (!sched_plan_is_cancelled(plan))
            plan->serial(plan->serial_ctx, 0, plan->count, (int32_t)worker->index);
        return;
    }
    for (uint32_t i = 0; i < plan->count; i++) {
        const sched__node_t *node = &plan->nodes[i];
        if (!sched__node_has_work(node)) continue;
        if (sched_plan_is_cancelled(plan)) return;
        call_whole(worker, node);
    }
}

static void run_serial(sched__worker_t *worker, sched_plan_t *plan) {
    uint64_t start = sched__ticks();
    call_all(worker, plan);
    /* Far slower than expected: find out which nodes it was in the next run. */
    double ns = (double)(sched__ticks() - start) * worker->pool->ns_per_tick;
    if (ns > 2 * plan->total_ns + 5000) plan->runs_to_sample = 0;
}

static bool is_measured_alone(const sched_plan_t *plan) {
    bool is_known = plan->sample_interval == MOST_RUNS_BETWEEN_SAMPLES;
    return plan->samples && plan->total_ns < (is_known ? KNOWN_ALONE_NS : MEASURED_ALONE_NS);
}

// The slot in which to run the plan shared, or NO_SLOT to run it serially.
static uint32_t choose_slot(sched__worker_t *worker, sched_plan_t *plan) {
    sched_pool_t *pool = worker->pool;
    bool shuffles = sched__worker_rng(worker);
    if (pool->count == 1 && !shuffles) return SCHED__NO_SLOT;
    sched__plan_estimate(plan, pool->count, pool->inline_ns);
    if (is_measured_alone(plan) && !shuffles) return SCHED__NO_SLOT;
    bool wakes = plan->saving_ns >= pool->wake_ns || shuffles;
    bool is_shared = wakes || (plan->saving_ns >= pool->inline_ns && sched__has_awake_helper(pool));
    if (!is_shared || !plan->sink_count) return SCHED__NO_SLOT;
    return sched__plan_attach(plan, pool) ? sched__slot_take(worker, plan, wakes) : SCHED__NO_SLOT;
}

static void begin_run(sched_plan_t *plan) {
    plan->is_running = true;
    plan->samples = plan->runs_to_sample == 0;
    if (!plan->samples) {
        plan->runs_to_sample--;
        return;
    }
    plan->runs_to_sample = plan->sample_interval;
    plan->sample_interval = 2 * plan->sample_interval + 1;
    if (plan->sample_interval > MOST_RUNS_BETWEEN_SAMPLES)
        plan->sample_interval = MOST_RUNS_BETWEEN_SAMPLES;
}

int32_t sched_plan_spare_runs(const sched_pool_t *pool, const sched_plan_t *plan) {
    bool is_small = plan->total_ns < SMALL_NS && plan->saving_ns < pool->inline_ns;
    bool is_known = plan->estimated_for == pool->count && !sched__load_32(&plan->is_stale);
    return is_small && is_known && !sched__load_64(&pool->seed) ? UNSEEN_RUNS : 0;
}

int sched_plan_run(sched_pool_t *pool, sched_plan_t *plan) {
    sched__worker_t *worker = sched__worker_self(pool, "sched_plan_run");
    if (!worker) return -1;
    if (plan->is_running) {
        sched__host_abort(&pool->host, "sched_plan_run: the plan is running already");
        return -1;
    }
    begin_run(plan);
    uint32_t slot = choose_slot(worker, plan);
    if (slot != SCHED__NO_SLOT) {
        run_shared(worker, plan, slot);
    } else if (plan->samples) {
        run_serial_measured(worker, plan);
    } else {
        run_serial(worker, plan);
    }
    plan->is_running = false;
    if (!sched_plan_is_cancelled(plan)) return 0;
    sched__store_32(&plan->cancelled, 0);
    return -1;
}
