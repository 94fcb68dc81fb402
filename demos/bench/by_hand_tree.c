// SPDX-License-Identifier: MIT
// by_hand_tree: see by_hand_tree.h.
#include "by_hand_tree.h"

#include <stdlib.h>
#include <string.h>

hand_tree_t *hand_tree_create(void) {
    hand_tree_t *tree = bench_array(1, sizeof *tree);
    tree->hand = hand_create(0, 0);
    hand_tree_add(tree, 0); // index 0
    return tree;
}

void hand_tree_free(hand_tree_t *tree) {
    hand_free(tree->hand);
    free(tree->links);
    free(tree);
}

static void make_room(hand_tree_t *tree) {
    hand_link_t *links = bench_array(tree->hand->room, sizeof *links);
    if (tree->links) memcpy(links, tree->links, tree->room * sizeof *links);
    free(tree->links);
    tree->links = links;
    tree->room = tree->hand->room;
}

hand_entity_t hand_tree_add(hand_tree_t *tree, hand_entity_t parent) {
    if (!hand_find(tree->hand, parent) && parent) return 0;
    hand_entity_t entity = hand_new(tree->hand, 0, 0);
    if (tree->room < tree->hand->room) make_room(tree);
    uint32_t index = (uint32_t)entity, above = (uint32_t)parent;
    hand_link_t *links = tree->links;
    links[index] = (hand_link_t){ .parent = above, .next = above ? links[above].first : 0 };
    if (links[index].next) links[links[index].next].previous = index;
    if (above) links[above].first = index;
    return entity;
}

// From the leaves up. Whoever calls cuts the tree off.
static void delete_below(hand_tree_t *tree, uint32_t index) {
    for (uint32_t child = tree->links[index].first, next; child; child = next) {
        next = tree->links[child].next;
        delete_below(tree, child);
    }
    const hand_record_t *record = &tree->hand->records[index];
    hand_delete(tree->hand, (uint64_t)record->generation << 32 | index, 0, 0);
}

void hand_tree_delete(hand_tree_t *tree, hand_entity_t entity) {
    uint32_t index = (uint32_t)entity;
    if (!hand_find(tree->hand, entity)) return;
    hand_link_t link = tree->links[index];
    if (link.next) tree->links[link.next].previous = link.previous;
    if (link.previous)
        tree->links[link.previous].next = link.next;
    else if (link.parent)
        tree->links[link.parent].first = link.next;
    delete_below(tree, index);
}

int64_t hand_tree_walk(const hand_tree_t *tree, uint32_t index) {
    int64_t count = 0;
    for (uint32_t child = tree->links[index].first; child; child = tree->links[child].next) {
        count += 1 + hand_tree_walk(tree, child);
    }
    return count;
}
