// SPDX-License-Identifier: MIT
// Traversal that goes down, does not stop, or starts from elements: Q-TRV-18 to Q-TRV-22.
#include "graph_scene.h"

static void make_tree(scene_t *scene) {
    make_all(scene->world, "Pos");
    make(scene->world, "root", "Pos");
    make(scene->world, "mid", "(ChildOf, root), Pos");
    make(scene->world, "leaf", "(ChildOf, root.mid), Tag");
}

// Q-TRV-18, Q-TRV-20
static void all_gives_every_ancestor(void **state) {
    scene_t *scene = *state;
    make_tree(scene);
    assert_query(scene, "Tag, Pos(all|up ChildOf)",
        "root.mid.leaf: Tag, Pos@root.mid | root.mid.leaf: Tag, Pos@root");
    assert_query(scene, "Tag, Pos(up ChildOf)", "root.mid.leaf: Tag, Pos@root.mid");
}

// Q-TRV-19, Q-TRV-20
static void down_finds_a_descendant(void **state) {
    scene_t *scene = *state;
    make_tree(scene);
    assert_query(scene, "Pos, Tag(down ChildOf)",
        "root: Pos, Tag@root.mid.leaf | root.mid: Pos, Tag@root.mid.leaf");
    assert_query(scene, "Tag(root|down ChildOf)", ": Tag@root.mid.leaf");
}

// Q-TRV-21
static void the_target_can_be_traversed_from(void **state) {
    scene_t *scene = *state;
    make_tree(scene);
    make(scene->world, "x", "(Likes, root)");
    make(scene->world, "y", "(Likes, root.mid)");
    make(scene->world, "z", "(Likes, root.mid.leaf)");
    assert_solutions(scene, "(Likes, root.mid.leaf|up ChildOf)", "x | y");
    assert_solutions(scene, "(Likes, root.mid|self|up ChildOf)", "x | y");
    assert_solutions(scene, "(Likes, root|down ChildOf)", "y | z");
}

// Q-TRV-22
static void the_id_can_be_traversed_from(void **state) {
    scene_t *scene = *state;
    make_all(scene->world, "Artwork");
    make(scene->world, "Painting", "(IsA, Artwork)");
    make(scene->world, "MonaLisa", "Painting");
    make(scene->world, "Thing", "Artwork");
    assert_solutions(scene, "Artwork[self|all|subset]", "MonaLisa | Thing");
    assert_solutions(scene, "Artwork|down IsA", "MonaLisa");
    assert_solutions(scene, "(IsA, Artwork[self|all|subset])", "Artwork | Painting"); /* D-21 */
}

int main(void) {
    const struct CMUnitTest tests[] = { BOTH(all_gives_every_ancestor),
        BOTH(down_finds_a_descendant), BOTH(the_target_can_be_traversed_from),
        BOTH(the_id_can_be_traversed_from) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
