// SPDX-License-Identifier: MIT
// memory: see memory.h.
#include "support/memory.h"

#include "support/test.h"

#include <muster/ecs/os.h>

static struct {
    ecs_os_api_malloc_t malloc_;
    ecs_os_api_realloc_t realloc_;
    ecs_os_api_calloc_t calloc_;
} heap; // what the fault stands in front of
static int64_t calls_left;

int64_t memory_live(void) {
    return ecs_os_api_malloc_count + ecs_os_api_calloc_count - ecs_os_api_free_count;
}

int64_t memory_calls(void) {
    return ecs_os_api_malloc_count + ecs_os_api_calloc_count + ecs_os_api_realloc_count;
}

static bool is_the_one(void) { return __atomic_sub_fetch(&calls_left, 1, __ATOMIC_RELAXED) == 0; }

static void *faulty_malloc(ecs_size_t size) { return is_the_one() ? NULL : heap.malloc_(size); }

static void *faulty_calloc(ecs_size_t size) { return is_the_one() ? NULL : heap.calloc_(size); }

static void *faulty_realloc(void *ptr, ecs_size_t size) {
    return is_the_one() ? NULL : heap.realloc_(ptr, size);
}

void memory_fault_begin(int64_t n) {
    assert_null(heap.malloc_); // one fault at a time
    heap.malloc_ = ecs_os_api.malloc_;
    heap.realloc_ = ecs_os_api.realloc_;
    heap.calloc_ = ecs_os_api.calloc_;
    calls_left = n;
    ecs_os_api.malloc_ = faulty_malloc;
    ecs_os_api.realloc_ = faulty_realloc;
    ecs_os_api.calloc_ = faulty_calloc;
}

bool memory_fault_end(void) {
    ecs_os_api.malloc_ = heap.malloc_;
    ecs_os_api.realloc_ = heap.realloc_;
    ecs_os_api.calloc_ = heap.calloc_;
    heap.malloc_ = NULL;
    return calls_left <= 0;
}

int64_t memory_fault_sweep(void (*attempt)(void *ctx, bool will_fail), void *ctx, int64_t limit) {
    memory_fault_begin(INT64_MAX);
    attempt(ctx, false);
    int64_t needed = INT64_MAX - calls_left;
    memory_fault_end();
    if (needed > limit) fail_msg("one attempt takes %lld allocations", (long long)needed);

    for (int64_t n = 1; n <= needed; n++) {
        int64_t live = memory_live();
        memory_fault_begin(n);
        attempt(ctx, true);
        memory_fault_end();
        if (memory_live() != live) {
            fail_msg("with allocation %lld of %lld failing, %lld blocks stay behind", (long long)n,
                (long long)needed, (long long)(memory_live() - live));
        }
    }
    return needed;
}
