// SPDX-License-Identifier: MIT
#include "tick/inbox.h"

#include <ck_stack.h>
#include <muster/runtime/frame.h>
#include <stdlib.h>

typedef struct item_t {
    ck_stack_entry_t entry; /* first */
    uint64_t producer, sequence;
    ecs_submit_action_t action;
    void *ctx;
    ecs_ctx_free_t ctx_free;
} item_t;

struct rt_inbox_t {
    ck_stack_t stack;
    item_t **taken; /* main thread: items of this tick, in order */
    int32_t count, size;
};

static uint64_t producers; /* threads that ever submitted */
static _Thread_local uint64_t own_producer, own_sequence;

rt_inbox_t *rt__inbox_new(void) {
    rt_inbox_t *inbox = ecs_os_calloc_t(rt_inbox_t);
    ck_stack_init(&inbox->stack);
    return inbox;
}

// ---- any thread ----

int ecs_submit(ecs_world_t *world, ecs_submit_action_t action, void *ctx, ecs_ctx_free_t ctx_free) {
    rt_t *rt = rt__of(world);
    ecs_check(rt, ECS_INVALID_OPERATION, "ecs_submit needs a world made with ecs_init");
    ecs_check(action, ECS_INVALID_PARAMETER, "there is nothing to submit: the function is NULL");
    item_t *item = ecs_os_malloc_t(item_t);
    if (!own_producer) own_producer = ck_pr_faa_64(&producers, 1) + 1;
    *item = (item_t){ .producer = own_producer,
        .sequence = own_sequence++,
        .action = action,
        .ctx = ctx,
        .ctx_free = ctx_free };
    ck_stack_push_upmc(&rt->inbox->stack, &item->entry);
    return 0;
error:
    return -1;
}

// ---- main thread ----

static int compare(const void *a, const void *b) {
    const item_t *x = *(item_t *const *)a, *y = *(item_t *const *)b;
    if (x->producer != y->producer) return x->producer < y->producer ? -1 : 1;
    return x->sequence < y->sequence ? -1 : 1;
}

static void take(rt_inbox_t *inbox) {
    inbox->count = 0;
    ck_stack_entry_t *entry = ck_stack_batch_pop_upmc(&inbox->stack);
    for (; entry; entry = CK_STACK_NEXT(entry)) {
        RT_ROOM(inbox->taken, inbox->count, inbox->size);
        inbox->taken[inbox->count++] = (item_t *)entry;
    }
    if (inbox->count > 1) qsort(inbox->taken, (size_t)inbox->count, sizeof *inbox->taken, compare);
}

static void release(item_t *item) {
    if (item->ctx_free) item->ctx_free(item->ctx);
    ecs_os_free(item);
}

void rt__inbox_run(rt_inbox_t *inbox, ecs_world_t *world) {
    if (!ck_pr_load_ptr(&inbox->stack.head)) return; /* with the push of ecs_submit */
    take(inbox);
    for (int32_t i = 0; i < inbox->count; i++) {
        inbox->taken[i]->action(world, inbox->taken[i]->ctx);
        release(inbox->taken[i]);
    }
}

void rt__inbox_free(rt_inbox_t *inbox) {
    take(inbox);
    for (int32_t i = 0; i < inbox->count; i++) release(inbox->taken[i]);
    ecs_os_free(inbox->taken);
    ecs_os_free(inbox);
}
