// SPDX-License-Identifier: MIT
#include "query/cache/group.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "base/bisect.h"
#include "base/ctx.h"
#include "world/state.h"

// ---- what groups are made by ----

static uint64_t by_target(ecs_world_t *world, ecs_table_t *table, ecs_id_t id, void *ctx) {
    (void)world, (void)ctx;
    ecs_entity_t relationship = ECS_IS_PAIR(id) ? ECS_PAIR_FIRST(id) : id;
    return ecs__table_target(table, relationship, 0);
}

static uint64_t by_depth(ecs_world_t *world, ecs_table_t *table, ecs_id_t id, void *ctx) {
    (void)world, (void)ctx;
    return (uint64_t)ecs__table_depth(table, id);
}

static ecs__groups_t *groups_of_cascade(const ecs__plan_t *plan) {
    ecs__groups_t *groups = ecs_os_calloc_t(ecs__groups_t);
    groups->id = plan->cascade;
    groups->group_by = by_depth;
    groups->descending = plan->descending;
    return groups;
}

static ecs__groups_t *groups_of_desc(const ecs_query_desc_t *desc) {
    ecs__groups_t *groups = ecs_os_calloc_t(ecs__groups_t);
    groups->id = desc->group_by;
    groups->group_by = desc->group_by_callback ? desc->group_by_callback : by_target;
    groups->on_create = desc->on_group_create;
    groups->on_delete = desc->on_group_delete;
    groups->ctx = desc->group_by_ctx;
    groups->ctx_free = desc->group_by_ctx_free;
    groups->descending = desc->flags & EcsQueryGroupByDesc;
    return groups;
}

ecs__groups_t *ecs__groups_new(
    ecs_world_t *world, const ecs_query_desc_t *desc, const ecs__plan_t *plan) {
    ecs__groups_t *groups;
    if (plan->cascade)
        groups = groups_of_cascade(plan);
    else if (desc->group_by || desc->group_by_callback)
        groups = groups_of_desc(desc);
    else
        return NULL;
    groups->world = world;
    groups->news_end = &groups->news;
    ecs_map_init(&groups->by_id, NULL);
    return groups;
}

ecs__groups_t *ecs__groups_pass_on(ecs__groups_t *groups) {
    ecs__groups_t *next = ecs_os_memdup(groups, ECS_SIZEOF(ecs__groups_t));
    ecs_map_init(&next->by_id, NULL);
    next->sorted = NULL;
    next->size = 0;
    next->ended = next->news = NULL;
    next->news_end = &next->news;
    next->is_telling = false;
    next->before = groups;
    return next;
}

// ---- groups ----

int32_t ecs__groups_seek(const ecs__groups_t *groups, uint64_t id) {
    ecs__bisect_t search = ecs__bisect(0, groups->by_id.count);
    while (ecs__bisect_asks(&search))
        ecs__bisect_answer(
            &search, ecs__groups_before(groups, groups->sorted[search.at]->info.id, id));
    return search.low;
}

static ecs__group_t *get_memory(ecs__groups_t *groups) {
    ecs__group_t *group = groups->ended;
    if (!group) return ecs_os_calloc_t(ecs__group_t);
    groups->ended = group->next;
    *group = (ecs__group_t){ 0 };
    return group;
}

static void note(ecs__groups_t *groups, ecs__group_t *group) {
    group->next = NULL;
    *groups->news_end = group;
    groups->news_end = &group->next;
}

static ecs__group_t *new_group(ecs__groups_t *groups, uint64_t id) {
    ecs__group_t *group = get_memory(groups);
    int32_t at = ecs__groups_seek(groups, id), count = groups->by_id.count;
    if (count == groups->size) {
        groups->size = groups->size ? 2 * groups->size : 4;
        groups->sorted = ecs_os_realloc_n(groups->sorted, ecs__group_t *, groups->size);
    }
    memmove(&groups->sorted[at + 1], &groups->sorted[at], (size_t)(count - at) * sizeof(void *));
    groups->sorted[at] = group;
    group->begin = group->end = at ? groups->sorted[at - 1]->end : 0;
    ecs_map_insert(&groups->by_id, id, (ecs_map_val_t)(uintptr_t)group);
    group->info.id = id;
    const ecs__group_t *before = groups->before ? ecs__groups_get(groups->before, id) : NULL;
    group->is_new = !before || before->is_new;
    if (group->is_new)
        note(groups, group);
    else
        group->info.ctx = before->info.ctx;
    return group;
}

static void end_group(ecs__groups_t *groups, ecs__group_t *group) {
    int32_t at = ecs__groups_seek(groups, group->info.id);
    ecs_map_remove(&groups->by_id, group->info.id);
    memmove(&groups->sorted[at], &groups->sorted[at + 1],
        (size_t)(groups->by_id.count - at) * sizeof(void *));
    group->has_ended = true;
    if (!group->is_new) note(groups, group);
}

// Who is told may end the group that is told of.
static void tell_of(ecs__groups_t *groups, ecs__group_t *group) {
    const uint64_t id = group->info.id;
    if (group->is_new && !group->has_ended) {
        if (groups->on_create) group->info.ctx = groups->on_create(groups->world, id, groups->ctx);
        group->is_new = false;
        if (group->has_ended) note(groups, group);
        return;
    }
    if (!group->is_new && groups->on_delete)
        groups->on_delete(groups->world, id, group->info.ctx, groups->ctx);
    group->next = groups->ended;
    groups->ended = group;
}

bool ecs__groups_tell(ecs__groups_t *groups) {
    if (groups->is_telling || !groups->news) return false;
    groups->is_telling = true;
    for (ecs__group_t *group; (group = groups->news);) {
        groups->news = group->next;
        if (!groups->news) groups->news_end = &groups->news;
        tell_of(groups, group);
    }
    groups->is_telling = false;
    return true;
}

ecs__group_t *ecs__groups_get(const ecs__groups_t *groups, uint64_t id) {
    const ecs_map_val_t *found = ecs_map_get(&groups->by_id, id);
    return found ? (ecs__group_t *)(uintptr_t)*found : NULL;
}

ecs__group_t *ecs__groups_of(ecs__groups_t *groups, ecs_table_t *table) {
    const ecs_world_t *before = ecs__ask(groups->world);
    const uint64_t id = groups->group_by(groups->world, table, groups->id, groups->ctx);
    ecs__ask(before);
    ecs__group_t *group = ecs__groups_get(groups, id);
    return group ? group : new_group(groups, id);
}

void ecs__group_join(ecs__group_t *group) {
    group->info.table_count++;
    group->info.match_count++;
}

void ecs__group_leave(ecs__groups_t *groups, ecs__group_t *group) {
    group->info.match_count++;
    if (!--group->info.table_count) end_group(groups, group);
}

void ecs__groups_take_over(ecs__groups_t *groups) {
    ecs__groups_t *before = groups->before;
    for (int32_t i = 0; i < before->by_id.count; i++) {
        const ecs__group_t *group = before->sorted[i];
        if (group->is_new || ecs__groups_get(groups, group->info.id)) continue;
        ecs__group_t *gone = get_memory(groups);
        *gone = (ecs__group_t){ .info = group->info, .has_ended = true };
        note(groups, gone);
    }
    before->on_create = NULL;
    before->on_delete = NULL;
    before->ctx_free = NULL;
    groups->before = NULL;
}

void ecs__groups_free(ecs__groups_t *groups) {
    if (!groups) return;
    while (groups->by_id.count) end_group(groups, groups->sorted[groups->by_id.count - 1]);
    ecs__groups_tell(groups);
    for (ecs__group_t *group = groups->ended, *next; group; group = next) {
        next = group->next;
        ecs_os_free(group);
    }
    ecs__ctx_free(groups->ctx, groups->ctx_free);
    ecs_map_fini(&groups->by_id);
    ecs_os_free(groups->sorted);
    ecs_os_free(groups);
}
