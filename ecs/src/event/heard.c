// SPDX-License-Identifier: MIT
#include "event/heard.h"

static void file(ecs__heard_t *heard, int32_t i) {
    ecs__told_t *told = ecs_vec_get_t(&heard->list, ecs__told_t, i);
    ecs_map_val_t *at = ecs_map_ensure(&heard->at, ecs__heard_key(told->observer, told->table));
    told->before = (int32_t)*at - 1;
    *at = (ecs_map_val_t)i + 1;
}

void ecs__heard_add(ecs__heard_t *heard, ecs__told_t told) {
    const int32_t i = heard->list.count++;
    told.before = i - 1;
    *ecs_vec_get_t(&heard->list, ecs__told_t, i) = told;
    if (i < ECS__HEARD_FEW) return;
    for (int32_t n = i == ECS__HEARD_FEW ? 0 : i; n <= i; n++) file(heard, n);
}

void ecs__heard_clear(ecs__heard_t *heard) {
    if (heard->list.count > ECS__HEARD_FEW) ecs_map_clear(&heard->at);
    heard->list.count = 0;
}
