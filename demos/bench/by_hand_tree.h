// SPDX-License-Identifier: MIT
// by_hand_tree: trees of entities as one writes them by hand: by_hand.h with links to parent, children and siblings.
#ifndef BENCH_BY_HAND_TREE_H
#define BENCH_BY_HAND_TREE_H

#include "by_hand.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    uint32_t parent, first, next, previous; // indices of records; 0: none
} hand_link_t;

typedef struct {
    hand_t *hand; // all in table 0, without columns; nobody lives at index 0
    hand_link_t *links;
    uint32_t room;
} hand_tree_t;

hand_tree_t *hand_tree_create(void);
void hand_tree_free(hand_tree_t *tree);
/** A new child, or a root if the parent is 0; 0 if the parent does not live. */
hand_entity_t hand_tree_add(hand_tree_t *tree, hand_entity_t parent);
/** Delete an entity and all below it. */
void hand_tree_delete(hand_tree_t *tree, hand_entity_t entity);
/** How many are below the record with this index; each is visited. */
int64_t hand_tree_walk(const hand_tree_t *tree, uint32_t index);

#ifdef __cplusplus
}
#endif
#endif
