// SPDX-License-Identifier: MIT
#include "tick/inbox.h"

#include <ck_stack.h>
#include <muster/runtime/frame.h>
#include <stdlib.h>
#include "record/record.h"
#include "tick/background.h"
#include "tick/workers.h"

struct rt_item_t {
    ck_stack_entry_t entry; /* first */
    uint64_t producer, sequence;
    enum { FUNCTION, EVENT, JOB } kind; /* EVENT: an event_t */
    bool from_log;                      /* of the replay that runs */
    bool is_kept;                       /* of those that are used again */
    int64_t job;
    ecs_submit_action_t action;
    void *ctx;
    ecs_ctx_free_t ctx_free;
};

// Followed by the param, aligned to 16 bytes, and the ids.
typedef struct event_t {
    rt_item_t item; /* first */
    ecs_event_desc_t desc;
    ecs_type_t ids;
    ecs_size_t size; /* of the param */
} event_t;

#define PARAM_AT ECS_ALIGN(sizeof(event_t), 16)
#define KEPT_SIZE (PARAM_AT + 128) /* larger events, with their ids, are never kept */

// Items of systems are used again. Whoever runs a system takes one by counting down; they come back at the beginning of a tick, when none runs.
struct rt_inbox_t {
    ck_stack_t stack;
    rt_item_t **taken; /* main thread: items of this tick, in order */
    int32_t count, size;
    rt_item_t **kept;
    int32_t kept_size;
    uint64_t kept_left; /* below 0 if more were asked for */
};

static uint64_t producers; /* threads that ever submitted */
static _Thread_local uint64_t own_producer, own_sequence;

rt_inbox_t *rt__inbox_new(void) {
    rt_inbox_t *inbox = ecs_os_calloc_t(rt_inbox_t);
    ck_stack_init(&inbox->stack);
    return inbox;
}

// ---- any thread ----

// NULL if there is no memory.
static rt_item_t *new_item(rt_inbox_t *inbox, size_t size, bool is_kept) {
    is_kept = is_kept && size <= KEPT_SIZE;
    const int64_t left = is_kept ? (int64_t)ck_pr_faa_64(&inbox->kept_left, UINT64_MAX) : 0;
    rt_item_t *item = left > 0 ? inbox->kept[left - 1]
                               : ecs_os_try_malloc((ecs_size_t)(is_kept ? KEPT_SIZE : size));
    if (item) *item = (rt_item_t){ .is_kept = is_kept };
    return item;
}

// Other threads may come with the world.
static rt_item_t *new_item_of(const ecs_world_t *stage, size_t size) {
    const rt_t *rt = rt__of(stage);
    return new_item(rt->inbox, size, rt__workers_is_own(rt, stage));
}

void rt__inbox_put(rt_inbox_t *inbox, rt_item_t *item) {
    if (!own_producer) own_producer = ck_pr_faa_64(&producers, 1) + 1;
    item->producer = own_producer;
    item->sequence = own_sequence++;
    ck_stack_push_upmc(&inbox->stack, &item->entry);
}

static void submit_late(ecs_world_t *world, void *item) {
    rt__inbox_put(rt__of(world)->inbox, item);
}

// What workers submit waits until the run is over, so that it comes in the order of one worker.
static void submit_from(const ecs_world_t *stage, rt_item_t *item) {
    rt_t *rt = rt__of(stage);
    if (rt__workers_in_job(rt, stage))
        rt__workers_add_post(rt, stage, submit_late, item);
    else
        rt__inbox_put(rt->inbox, item);
}

int ecs_submit(ecs_world_t *world, ecs_submit_action_t action, void *ctx, ecs_ctx_free_t ctx_free) {
    ecs_check(rt__of(world), ECS_INVALID_OPERATION, "ecs_submit needs a world made with ecs_init");
    ecs_check(action, ECS_INVALID_PARAMETER, "there is nothing to submit: the function is NULL");
    rt_item_t *item = new_item_of(world, sizeof(rt_item_t));
    if (!item) ecs_os_out_of_memory_(ECS_SIZEOF(rt_item_t));
    item->action = action;
    item->ctx = ctx;
    item->ctx_free = ctx_free;
    submit_from(world, item);
    return 0;
error:
    return -1;
}

static const void *param_of(const ecs_event_desc_t *desc) {
    return desc->param ? desc->param : desc->const_param;
}

static event_t *new_event(const ecs_world_t *stage, const ecs_event_desc_t *desc, size_t size) {
    int32_t id_count = desc->ids ? desc->ids->count : 0;
    size_t ids_at = PARAM_AT + ECS_ALIGN(size, 16), ids_size = (size_t)id_count * sizeof(ecs_id_t);
    bool fits = size < INT32_MAX / 2 && ids_size < INT32_MAX / 4;
    event_t *event = fits ? (event_t *)new_item_of(stage, ids_at + ids_size) : NULL;
    if (!event) return NULL;
    *event = (event_t){ .item = event->item,
        .desc = { .event = desc->event, .entity = desc->entity },
        .ids = { ECS_OFFSET(event, ids_at), id_count },
        .size = (ecs_size_t)size };
    event->desc.ids = &event->ids;
    if (size) event->desc.param = memcpy(ECS_OFFSET(event, PARAM_AT), param_of(desc), size);
    if (id_count) memcpy(event->ids.array, desc->ids->array, ids_size);
    return event;
}

int rt__inbox_put_event(
    const ecs_world_t *stage, const ecs_event_desc_t *desc, size_t size, bool from_log) {
    event_t *event = new_event(stage, desc, size);
    if (!event) {
        ecs_err_code(ECS_OUT_OF_MEMORY, "there is no memory for an event with %zu bytes", size);
        return -1;
    }
    event->item.kind = EVENT;
    event->item.from_log = from_log;
    submit_from(stage, &event->item);
    return 0;
}

rt_item_t *rt__inbox_new_job(rt_inbox_t *inbox, int64_t number, bool from_log) {
    rt_item_t *item = new_item(inbox, sizeof(rt_item_t), true);
    if (!item) return NULL;
    item->kind = JOB;
    item->from_log = from_log;
    item->job = number;
    return item;
}

int ecs_submit_event(ecs_world_t *world, const ecs_event_desc_t *desc, size_t size) {
    ecs_check(
        rt__of(world), ECS_INVALID_OPERATION, "ecs_submit_event needs a world made with ecs_init");
    ecs_check(desc && desc->event, ECS_INVALID_PARAMETER, "an event must be named: event is 0");
    ecs_check(desc->event != EcsWildcard, ECS_INVALID_PARAMETER,
        "`*` is any event; it cannot be submitted");
    ecs_check(desc->entity && !desc->table && !desc->other_table, ECS_INVALID_PARAMETER,
        "an event that is submitted is about an entity: tables belong to the thread of the world");
    ecs_check(!desc->param || !desc->const_param, ECS_INVALID_PARAMETER,
        "an event has param or const_param, not both");
    ecs_check(!size == !param_of(desc), ECS_INVALID_PARAMETER,
        "an event has a param and its size, or neither");
    return rt__inbox_put_event(world, desc, size, false);
error:
    return -1;
}

// ---- main thread ----

static int compare(const void *a, const void *b) {
    const rt_item_t *x = *(rt_item_t *const *)a, *y = *(rt_item_t *const *)b;
    if (x->producer != y->producer) return x->producer < y->producer ? -1 : 1;
    return x->sequence < y->sequence ? -1 : 1;
}

static void take(rt_inbox_t *inbox) {
    inbox->count = 0;
    ck_stack_entry_t *entry = ck_stack_batch_pop_upmc(&inbox->stack);
    for (; entry; entry = CK_STACK_NEXT(entry)) {
        RT_ROOM(inbox->taken, inbox->count, inbox->size);
        inbox->taken[inbox->count++] = (rt_item_t *)entry;
    }
    if (inbox->count > 1) qsort(inbox->taken, (size_t)inbox->count, sizeof *inbox->taken, compare);
}

static void keep(rt_inbox_t *inbox, rt_item_t *item) {
    int32_t count = (int32_t)ECS_MAX((int64_t)inbox->kept_left, 0);
    RT_ROOM(inbox->kept, count, inbox->kept_size);
    inbox->kept[count] = item;
    inbox->kept_left = (uint64_t)count + 1;
}

void rt__inbox_drop(rt_inbox_t *inbox, rt_item_t *item) {
    ecs_ext_ctx_free(item->ctx, item->ctx_free);
    if (item->is_kept)
        keep(inbox, item);
    else
        ecs_os_free(item);
}

const ecs_type_info_t *rt__event_type(const ecs_world_t *world, ecs_entity_t event) {
    const ecs_flags32_t harmless = ECS_TYPE_HOOK_CTOR | ECS_TYPE_HOOK_CMP | ECS_TYPE_HOOK_EQUALS |
                                   ECS_TYPE_HOOK_CMP_ILLEGAL | ECS_TYPE_HOOK_EQUALS_ILLEGAL;
    const ecs_type_info_t *type = ecs_get_type_info(world, event);
    if (!type || !type->size) {
        ecs_err_code(ECS_INVALID_PARAMETER,
            "event %u (%s) was submitted with a param, but has no values: it is a tag",
            RT_CALLED(world, event));
        return NULL;
    }
    if (type->hooks.flags & (ECS_TYPE_HOOKS | ECS_TYPE_HOOKS_ILLEGAL) & ~harmless) {
        ecs_err_code(ECS_INVALID_PARAMETER,
            "event %u (%s) was submitted with a param, but its values have hooks that copy, move or "
            "end them: other threads can submit plain bytes only",
            RT_CALLED(world, event));
        return NULL;
    }
    return type;
}

// That an event is gone by now is no mistake. Whom it is about may be made by what is done before.
static bool is_event_due(const ecs_world_t *world, const event_t *event) {
    ecs_entity_t id = event->desc.event;
    if (!ecs_is_valid(world, id)) return false;
    const ecs_type_info_t *type = event->size ? rt__event_type(world, id) : NULL;
    if (!type || type->size == event->size) return type || !event->size;
    ecs_err_code(ECS_INVALID_PARAMETER,
        "event %u (%s) was submitted with a param of %d bytes, its values have %d",
        RT_CALLED(world, id), event->size, type->size);
    return false;
}

// A replay listens to its log only, but for functions: what they do, no log knows.
static bool is_due(rt_t *rt, const rt_item_t *item) {
    if (item->kind == FUNCTION) return true;
    if (item->from_log != rt->replays) return false;
    return item->kind == JOB ? rt__job_is_due(rt, item->job)
                             : is_event_due(rt->world, (const event_t *)item);
}

// Keeps the items that are due.
static void sift(rt_t *rt) {
    rt_inbox_t *inbox = rt->inbox;
    int32_t kept = 0;
    for (int32_t i = 0; i < inbox->count; i++) {
        rt_item_t *item = inbox->taken[i];
        if (is_due(rt, item))
            inbox->taken[kept++] = item;
        else
            rt__inbox_drop(inbox, item);
    }
    inbox->count = kept;
}

static void write_down(rt_recording_t *recording, const rt_item_t *item) {
    const event_t *event = (const event_t *)item;
    switch (item->kind) {
    case FUNCTION: rt__recording_function(recording); break;
    case EVENT: rt__recording_event(recording, &event->desc, event->size); break;
    case JOB: rt__recording_job(recording, item->job); break;
    }
}

// Whom an event is about may be gone, perhaps by what was done before.
static void emit(ecs_world_t *world, ecs_event_desc_t *desc) {
    if (ecs_is_valid(world, desc->event) && ecs_is_valid(world, desc->entity))
        ecs_emit(world, desc);
}

static void run(rt_t *rt, rt_item_t *item) {
    switch (item->kind) {
    case FUNCTION: item->action(rt->world, item->ctx); break;
    case EVENT: emit(rt->world, &((event_t *)item)->desc); break;
    case JOB: rt__job_done(rt, item->job); break;
    }
}

void rt__inbox_run(rt_t *rt) {
    rt_inbox_t *inbox = rt->inbox;
    if (!ck_pr_load_ptr(&inbox->stack.head)) return; /* with the push of rt__inbox_put */
    take(inbox);
    sift(rt);
    for (int32_t i = 0; rt->recording && i < inbox->count; i++)
        write_down(rt->recording, inbox->taken[i]);
    for (int32_t i = 0; i < inbox->count; i++) {
        run(rt, inbox->taken[i]);
        rt__inbox_drop(inbox, inbox->taken[i]);
    }
}

// They would have been submitted after the frame.
void rt__inbox_take_late(rt_t *rt) {
    for (int32_t i = 0; i < rt->workers->count; i++) {
        const rt_post_actions_t *post = &rt->workers->list[i].post;
        for (int32_t k = 0; k < post->count; k++) {
            if (post->items[k].action == submit_late) rt__inbox_put(rt->inbox, post->items[k].ctx);
        }
    }
}

void rt__inbox_free(rt_inbox_t *inbox) {
    take(inbox);
    for (int32_t i = 0; i < inbox->count; i++) rt__inbox_drop(inbox, inbox->taken[i]);
    for (int64_t i = 0; i < (int64_t)inbox->kept_left; i++) ecs_os_free(inbox->kept[i]);
    ecs_os_free(inbox->kept);
    ecs_os_free(inbox->taken);
    ecs_os_free(inbox);
}
