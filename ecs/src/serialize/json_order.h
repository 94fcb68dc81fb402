// SPDX-License-Identifier: MIT
// json_order: children that keep an order get back the one that they have in a text, whatever order they were made in.
#ifndef ECS_SERIALIZE_JSON_ORDER_H
#define ECS_SERIALIZE_JSON_ORDER_H

#include <muster/ecs/ds/vec.h>

/** Put entities, listed as their objects come in the text, in this order among the children of their parents; other children keep
 * their places. Entities may be listed twice. */
void ecs__json_restore_orders(ecs_world_t *world, const ecs_vec_t *loaded);

#endif
