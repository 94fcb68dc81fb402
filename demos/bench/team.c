// SPDX-License-Identifier: MIT
// team: see team.h.
//
// A call is published by counting `call` up; members count `working` down when they are done. The
// release store to either pairs with the acquire load of whoever waits for it. In the kind that
// sleeps, both are guarded by `mutex` instead.
#define _GNU_SOURCE
#include "team.h"

#include "bench.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SPINS_BEFORE_YIELD = 1000, // with more members than processors all would wait for one
    WARM_UP_NS = 3000000       // until members have spread over processors
};

typedef struct {
    team_t *team;
    int32_t index;
    pthread_t thread;
} member_t;

struct team_t {
    // constant
    member_t *members;
    int32_t count;
    bool spins;
    // of the present call
    team_fn fn; // NULL: go home
    void *ctx;
    pthread_mutex_t mutex;
    pthread_cond_t start, end;
    _Alignas(64) _Atomic int32_t call;
    _Alignas(64) _Atomic int32_t working;
};

static void spin_until(_Atomic int32_t *value, int32_t wanted) {
    for (int32_t i = 1; atomic_load_explicit(value, memory_order_acquire) != wanted; i++) {
        team_pause();
        if (i % SPINS_BEFORE_YIELD == 0) sched_yield();
    }
}

// Wait for call number `call`; the number of the last one that the member took part in is one less.
static void await_call(team_t *team, int32_t call) {
    if (team->spins) {
        spin_until(&team->call, call);
        return;
    }
    pthread_mutex_lock(&team->mutex);
    while (team->call != call) pthread_cond_wait(&team->start, &team->mutex);
    pthread_mutex_unlock(&team->mutex);
}

static void report_done(team_t *team) {
    if (team->spins) {
        atomic_fetch_sub_explicit(&team->working, 1, memory_order_release);
        return;
    }
    pthread_mutex_lock(&team->mutex);
    if (--team->working == 0) pthread_cond_signal(&team->end);
    pthread_mutex_unlock(&team->mutex);
}

static void *serve(void *arg) {
    const member_t *member = arg;
    team_t *team = member->team;
    for (int32_t call = 1;; call++) {
        await_call(team, call);
        if (!team->fn) return NULL;
        team->fn(team->ctx, member->index);
        report_done(team);
    }
}

static void publish(team_t *team, team_fn fn, void *ctx) {
    if (!team->spins) pthread_mutex_lock(&team->mutex);
    team->fn = fn;
    team->ctx = ctx;
    atomic_store_explicit(&team->working, team->count - 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&team->call, 1, memory_order_release);
    if (!team->spins) {
        pthread_cond_broadcast(&team->start);
        pthread_mutex_unlock(&team->mutex);
    }
}

static void await_members(team_t *team) {
    if (team->spins) {
        spin_until(&team->working, 0);
        return;
    }
    pthread_mutex_lock(&team->mutex);
    while (team->working) pthread_cond_wait(&team->end, &team->mutex);
    pthread_mutex_unlock(&team->mutex);
}

void team_run(team_t *team, team_fn fn, void *ctx) {
    publish(team, fn, ctx);
    fn(ctx, 0);
    await_members(team);
}

static void do_nothing(void *ctx, int32_t member) { (void)ctx, (void)member; }

team_t *team_create(int32_t members, bool spins) {
    team_t *team = bench_array(1, sizeof *team);
    team->members = bench_array((size_t)members, sizeof(member_t));
    team->count = members;
    team->spins = spins;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->start, NULL);
    pthread_cond_init(&team->end, NULL);
    for (int32_t i = 1; i < members; i++) {
        member_t *member = &team->members[i];
        *member = (member_t){ .team = team, .index = i };
        if (pthread_create(&member->thread, NULL, serve, member)) {
            fprintf(stderr, "bench: thread %d of %d cannot be started\n", (int)i, (int)members);
            exit(1);
        }
    }
    double begin = bench_now();
    while (bench_now() - begin < WARM_UP_NS) team_run(team, do_nothing, NULL);
    return team;
}

void team_destroy(team_t *team) {
    publish(team, NULL, NULL);
    for (int32_t i = 1; i < team->count; i++) pthread_join(team->members[i].thread, NULL);
    pthread_cond_destroy(&team->end);
    pthread_cond_destroy(&team->start);
    pthread_mutex_destroy(&team->mutex);
    free(team->members);
    free(team);
}
