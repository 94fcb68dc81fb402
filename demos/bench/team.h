// SPDX-License-Identifier: MIT
// team: threads that do one thing together, as one would write them by hand. What our worker pool is
// compared with.
//
// Two kinds: members that sleep on a condition variable between calls, and members that spin on an
// atomic. The creating thread is member 0. Threads: one caller.
#ifndef BENCH_TEAM_H
#define BENCH_TEAM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct team_t team_t;

/** What each member does in a call; `member` is 0 for the caller. */
typedef void (*team_fn)(void *ctx, int32_t member);

team_t *team_create(int32_t members, bool spins);
void team_destroy(team_t *team);

/** Let all members call `fn` and return when all have. */
void team_run(team_t *team, team_fn fn, void *ctx);

/** Tell the processor that this is a loop that waits. */
static inline void team_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __asm__ volatile("pause");
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#ifdef __cplusplus
}
#endif
#endif
