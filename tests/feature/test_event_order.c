// SPDX-License-Identifier: MIT
// What hooks and observers see, operation by operation: the lines of the table in ecs/docs/events.md.
#include "support/world.h"

#include "support/event_log.h"

typedef struct Node {
    int value;
} Node;

static ECS_COMPONENT_DECLARE(Node);
static ECS_TAG_DECLARE(Foo);

static void hook(const char *name, ecs_iter_t *it, int field) {
    const Node *node = it->ptrs[field];
    log_write("%s %d", name, node->value);
}
static void hook_add(ecs_iter_t *it) { hook("on_add", it, 0); }
static void hook_set(ecs_iter_t *it) { hook("on_set", it, 0); }
static void hook_remove(ecs_iter_t *it) { hook("on_remove", it, 0); }
static void hook_replace(ecs_iter_t *it) {
    log_write("on_replace %d %d", ((Node *)it->ptrs[0])->value, ((Node *)it->ptrs[1])->value);
}

static void observer(ecs_iter_t *it) {
    bool is_apart = it->row_fields & 1;
    const Node *node = is_apart ? ecs_field_at(it, Node, 0, 0) : ecs_field(it, Node, 0);
    log_write("%s %d", ecs_get_name(it->world, it->event), node->value);
}

typedef struct scene_t {
    ecs_world_t *world;
    ecs_entity_t empty; /* has nothing */
    ecs_entity_t node;  /* has Node 1 */
    ecs_entity_t base;  /* has Node 2 */
    ecs_entity_t kind;  /* instance of base */
} scene_t;

static void add(scene_t *s) { ecs_add(s->world, s->empty, Node); }
static void add_again(scene_t *s) { ecs_add(s->world, s->node, Node); }
static void set_new(scene_t *s) { ecs_set(s->world, s->empty, Node, { 5 }); }
static void set_again(scene_t *s) { ecs_set(s->world, s->node, Node, { 5 }); }
static void ensure(scene_t *s) { ecs_ensure(s->world, s->empty, Node)->value = 5; }
static void emplace(scene_t *s) {
    bool is_new;
    ecs_emplace(s->world, s->empty, Node, &is_new)->value = 5;
}
static void modified(scene_t *s) { ecs_modified(s->world, s->node, Node); }
static void remove_it(scene_t *s) { ecs_remove(s->world, s->node, Node); }
static void clear(scene_t *s) { ecs_clear(s->world, s->node); }
static void delete_it(scene_t *s) { ecs_delete(s->world, s->node); }
static void clone(scene_t *s) { ecs_clone(s->world, 0, s->node, false); }
static void clone_value(scene_t *s) { ecs_clone(s->world, 0, s->node, true); }
static void bulk(scene_t *s) {
    int values[] = { 5, 6 };
    ecs_bulk_init(s->world,
        &(ecs_bulk_desc_t){ .count = 2, .ids = { ecs_id(Node) }, .data = (void *[]){ values } });
}
static void remove_all(scene_t *s) {
    ecs_delete(s->world, s->base);
    log_clear();
    ecs_remove_all(s->world, ecs_id(Node));
}
static void delete_with(scene_t *s) {
    ecs_delete(s->world, s->base);
    log_clear();
    ecs_delete_with(s->world, ecs_id(Node));
}
static void delete_component(scene_t *s) {
    ecs_delete(s->world, s->base);
    log_clear();
    ecs_delete(s->world, ecs_id(Node));
}
static void instance(scene_t *s) { ecs_new_w_pair(s->world, EcsIsA, s->base); }
static void set_base(scene_t *s) { ecs_set(s->world, s->base, Node, { 5 }); }
static void override_value(scene_t *s) { ecs_add(s->world, s->kind, Node); }
static void remove_override(scene_t *s) {
    ecs_set(s->world, s->kind, Node, { 7 });
    log_clear();
    ecs_remove(s->world, s->kind, Node);
}
static void remove_base(scene_t *s) { ecs_remove_pair(s->world, s->kind, EcsIsA, s->base); }

static void queue_add_set(scene_t *s) {
    ecs_add(s->world, s->empty, Node);
    ecs_set(s->world, s->empty, Node, { 5 });
}
static void queue_two_sets(scene_t *s) {
    ecs_set(s->world, s->empty, Node, { 5 });
    ecs_set(s->world, s->empty, Node, { 6 });
}
static void queue_add_remove(scene_t *s) {
    ecs_add(s->world, s->empty, Node);
    ecs_remove(s->world, s->empty, Node);
}
static void queue_set_delete(scene_t *s) {
    ecs_set(s->world, s->empty, Node, { 5 });
    ecs_delete(s->world, s->empty);
}
static void queue_event(scene_t *s) {
    ecs_set(s->world, s->empty, Node, { 5 });
    ecs_enqueue(
        s->world, &(ecs_event_desc_t){
                      .event = Foo, .entity = s->empty, .ids = &(ecs_type_t){ &ecs_id(Node), 1 } });
    ecs_remove(s->world, s->empty, Node);
}
static void end_world(scene_t *s) {
    ecs_delete(s->world, s->base);
    log_clear();
    ecs_fini(s->world);
    s->world = NULL;
}

typedef struct line_t {
    const char *operation;
    void (*run)(scene_t *scene);
    const char *seen;
    bool has_replace, is_queued, is_beside;
} line_t;

static const line_t lines[] = {
    { "add", add, "on_add 0; OnAdd 0", false, false },
    { "add what is there", add_again, "", false, false },
    { "set", set_new, "on_add 0; OnAdd 0; on_set 5; OnSet 5", false, false },
    { "set what is there", set_again, "on_set 5; OnSet 5", false, false },
    { "set with on_replace", set_again, "on_replace 1 5; on_set 5; OnSet 5", true, false },
    { "ensure", ensure, "on_add 0; OnAdd 0", false, false },
    { "emplace", emplace, "on_add 0; OnAdd 0", false, false },
    { "modified", modified, "on_set 1; OnSet 1", false, false },
    { "remove", remove_it, "OnRemove 1; on_remove 1", false, false },
    { "clear", clear, "OnRemove 1; on_remove 1", false, false },
    { "delete", delete_it, "OnRemove 1; on_remove 1", false, false },
    { "clone without values", clone, "on_add 0; OnAdd 0", false, false },
    { "clone with values", clone_value, "on_add 0; OnAdd 0; on_set 1; OnSet 1", false, false },
    { "bulk with values", bulk, "on_add 5; OnAdd 5; on_set 5; OnSet 5", false, false },
    { "bulk with values beside tables", bulk,
        "on_add 5; OnAdd 5; on_add 6; OnAdd 6; on_set 5; OnSet 5; on_set 6; OnSet 6", false, false,
        true },
    { "remove from all", remove_all, "OnRemove 1; on_remove 1", false, false },
    { "delete with", delete_with, "OnRemove 1; on_remove 1", false, false },
    { "delete the component", delete_component, "OnRemove 1; on_remove 1", false, false },
    { "add (IsA, base)", instance, "OnAdd 2; OnSet 2", false, false },
    { "set the value of a base", set_base, "on_set 5; OnSet 5; OnSet 5", false, false },
    { "add an override", override_value, "on_add 2; OnAdd 2; on_set 2", false, false },
    { "remove an override", remove_override, "OnRemove 7; on_remove 7; OnSet 2", false, false },
    { "remove (IsA, base)", remove_base, "OnRemove 2", false, false },
    { "deferred: add, set", queue_add_set, "on_add 5; OnAdd 5; on_set 5; OnSet 5", false, true },
    { "deferred: add, set beside tables", queue_add_set, "on_add 0; OnAdd 0; on_set 5; OnSet 5",
        false, true, true },
    { "deferred: set, set", queue_two_sets,
        "on_add 6; OnAdd 6; on_set 6; OnSet 6; on_set 6; OnSet 6", false, true },
    { "deferred: set, set with on_replace", queue_two_sets,
        "on_add 0; OnAdd 0; on_replace 0 5; on_set 5; OnSet 5; on_replace 5 6; on_set 6; OnSet 6",
        true, true },
    { "deferred: add, remove", queue_add_remove, "", false, true },
    { "deferred: set, delete", queue_set_delete,
        "on_add 0; OnAdd 0; on_set 5; OnSet 5; OnRemove 5; on_remove 5", false, true },
    { "deferred: set, enqueue Foo, remove", queue_event,
        "on_add 0; OnAdd 0; on_set 5; OnSet 5; Foo 5; OnRemove 5; on_remove 5", false, true },
    { "end of the world", end_world, "OnRemove 1; on_remove 1", false, false },
};
#define LINE_COUNT (sizeof lines / sizeof lines[0])

static void begin(scene_t *scene, const line_t *line) {
    ecs_world_t *world = scene->world = ecs_mini();
    ecs_id(Node) = Foo = 0;
    ECS_COMPONENT_DEFINE(world, Node);
    ECS_TAG_DEFINE(world, Foo);
    if (line->is_beside) ecs_add_id(world, ecs_id(Node), EcsDontFragment);
    scene->empty = ecs_new(world);
    scene->node = ecs_insert(world, ecs_value(Node, { 1 }));
    scene->base = ecs_insert(world, ecs_value(Node, { 2 }));
    scene->kind = ecs_new_w_pair(world, EcsIsA, scene->base);
    ecs_set_hooks(world, Node,
        { .on_add = hook_add,
            .on_set = hook_set,
            .on_remove = hook_remove,
            .on_replace = line->has_replace ? hook_replace : NULL });
    ecs_observer(world, { .query.expr = "Node",
                            .events = { EcsOnAdd, EcsOnSet, EcsOnRemove, Foo },
                            .callback = observer });
    log_clear();
}

static void check_line(void **state) {
    const line_t *line = *state;
    scene_t scene;
    begin(&scene, line);
    if (line->is_queued) ecs_defer_begin(scene.world);
    line->run(&scene);
    if (line->is_queued) {
        assert_log("");
        ecs_defer_end(scene.world);
    }
    assert_log(line->seen);
    if (scene.world) ecs_fini(scene.world);
}

int main(void) {
    struct CMUnitTest tests[LINE_COUNT];
    for (size_t i = 0; i < LINE_COUNT; i++) {
        tests[i] = (struct CMUnitTest){ .name = lines[i].operation,
            .test_func = check_line,
            .initial_state = (void *)(uintptr_t)&lines[i] };
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
