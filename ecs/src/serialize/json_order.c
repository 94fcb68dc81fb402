// SPDX-License-Identifier: MIT
#include "serialize/json_order.h"

#include <stdlib.h>

#include <muster/ecs/hierarchy.h>

#include "storage/children.h"
#include "world/state.h"

typedef struct place_t {
    ecs_entity_t parent, child;
    int32_t at;
} place_t;

static int compare_places(const void *a_ptr, const void *b_ptr) {
    const place_t *a = a_ptr, *b = b_ptr;
    if (a->parent != b->parent) return a->parent < b->parent ? -1 : 1;
    return a->at - b->at;
}

// Places that children of the text have among the children of their parent go to them as in the text.
static int32_t order_children(ecs_world_t *world, const place_t *places, const ecs_map_t *listed) {
    ecs_entities_t children = ecs_get_ordered_children(world, places->parent);
    ecs_entity_t *ids = ecs_os_memdup_n(children.ids, ecs_entity_t, children.count);
    int32_t next = 0;
    for (int32_t i = 0; i < children.count; i++) {
        if (ecs_map_get(listed, ids[i])) ids[i] = places[next++].child;
    }
    ecs_set_child_order(world, places->parent, ids, children.count);
    ecs_os_free(ids);
    return next;
}

// What names a child before its object comes makes it too early.
void ecs__json_restore_orders(ecs_world_t *world, const ecs_vec_t *loaded) {
    ecs_vec_t places = { 0 };
    ecs_map_t listed = { 0 };
    for (int32_t i = 0; i < loaded->count; i++) {
        ecs_entity_t child = *ecs_vec_get_t(loaded, ecs_entity_t, i);
        if (!ecs_is_alive(world, child)) continue; /* as a hook or observer would have it */
        ecs_entity_t parent = ecs_get_parent(world, child);
        if (!ecs__children_get(&ecs__world_of(world)->store, parent)) continue;
        if ((*ecs_map_ensure(&listed, child))++) continue;
        *ecs_vec_append_t(NULL, &places, place_t) = (place_t){ parent, child, i };
    }
    if (places.count) qsort(places.array, (size_t)places.count, sizeof(place_t), compare_places);
    for (int32_t i = 0; i < places.count;)
        i += order_children(world, ecs_vec_get_t(&places, place_t, i), &listed);
    ecs_map_fini(&listed);
    ecs_vec_fini_t(NULL, &places, place_t);
}
