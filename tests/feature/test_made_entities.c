// SPDX-License-Identifier: MIT
// Entities that are made alike again and again notice what changes meanwhile: two worlds, in one of which they get one id after the
// other, in the other all at once or by commands. ENT-02, ISA-02, CO-02, DEF-07, DEF-10.
#include "support/test.h"

#include <muster.h>

#include "support/random.h"

enum { COMPONENTS = 3, TAGS = 4, PARENTS = 4, BASES = 3, STEPS = 1500, KEPT = 64 };

typedef struct {
    int64_t value;
} value_t;

typedef struct scene_t {
    ecs_world_t *world;
    ecs_entity_t components[COMPONENTS], tags[TAGS], parents[PARENTS], bases[BASES];
    ecs_entity_t observers[3];
    ecs_entity_t kept[KEPT];
    int32_t hooked, heard[3];
} scene_t;

// What an entity is made of; -1, or a bit that is not set: without.
typedef struct order_t {
    int32_t parent, base;
    uint32_t components, tags, values;
    int64_t value;
    int32_t name; /* a number; -1: none */
} order_t;

static random_t random_state;
static int32_t below(int32_t limit) { return random_below(&random_state, limit); }

static scene_t *scene_of(const ecs_world_t *world) { return ecs_get_ctx(world); }

static void count_hook(ecs_iter_t *it) { scene_of(it->world)->hooked += it->count; }
static void count_heard(ecs_iter_t *it) { *(int32_t *)it->ctx += it->count; }

static ecs_entity_t named(ecs_world_t *world, const char *kind, int32_t number) {
    char name[16];
    snprintf(name, sizeof name, "%s%d", kind, number);
    return ecs_entity(world, { .name = name });
}

// The last tag may be beside tables, the last component is owned by instances. Only parents have tag 2, so that what is below hears of it
// once, whatever comes first.
static void begin(scene_t *scene, int32_t with, bool has_beside) {
    memset(scene, 0, sizeof *scene);
    ecs_world_t *world = scene->world = ecs_init();
    ecs_set_ctx(world, scene, NULL);
    for (int i = 0; i < TAGS; i++) scene->tags[i] = named(world, "tag", i);
    if (has_beside) ecs_add_id(world, scene->tags[TAGS - 1], EcsDontFragment);
    if (with) ecs_add_pair(world, scene->tags[0], EcsWith, scene->tags[with]);
    for (int i = 0; i < COMPONENTS; i++) {
        ecs_type_info_t type = { .size = sizeof(value_t), .alignment = ECS_ALIGNOF(value_t) };
        ecs_entity_t id = named(world, "component", i);
        scene->components[i] = ecs_component(world, { .entity = id, .type = type });
    }
    ecs_add_pair(world, scene->components[COMPONENTS - 1], EcsOnInstantiate, EcsOverride);
    for (int i = 0; i < PARENTS; i++) scene->parents[i] = named(world, "parent", i);
    for (int i = 0; i < BASES; i++) scene->bases[i] = named(world, "base", i);
    ecs_add_id(world, scene->bases[0], EcsPrefab);
}

// ---- making ----

static const char *name_of(const order_t *order, char name[16]) {
    snprintf(name, 16, "e%d", order->name);
    return order->name < 0 ? NULL : name;
}

static ecs_entity_t make_step_by_step(const scene_t *scene, const order_t *order) {
    char name[16];
    ecs_world_t *world = scene->world;
    ecs_entity_t e = ecs_new(world);
    if (order->parent >= 0) ecs_add_pair(world, e, EcsChildOf, scene->parents[order->parent]);
    if (order->name >= 0) ecs_set_name(world, e, name_of(order, name));
    if (order->base >= 0) ecs_add_pair(world, e, EcsIsA, scene->bases[order->base]);
    for (int i = 0; i < TAGS; i++)
        if (order->tags >> i & 1) ecs_add_id(world, e, scene->tags[i]);
    for (int i = 0; i < COMPONENTS; i++)
        if (order->components >> i & 1) ecs_add_id(world, e, scene->components[i]);
    for (int i = 0; i < COMPONENTS; i++)
        if (order->values >> i & 1)
            ecs_set_id(world, e, scene->components[i], sizeof(value_t), &order->value);
    return e;
}

static ecs_entity_t make_by_descriptor(const scene_t *scene, const order_t *order) {
    ecs_id_t ids[1 + TAGS + COMPONENTS + 1];
    ecs_value_t values[COMPONENTS + 1];
    int32_t count = 0, value_count = 0;
    int64_t value = order->value;
    if (order->base >= 0) ids[count++] = ecs_isa(scene->bases[order->base]);
    for (int i = 0; i < TAGS; i++)
        if (order->tags >> i & 1) ids[count++] = scene->tags[i];
    for (int i = 0; i < COMPONENTS; i++)
        if (order->components >> i & 1) ids[count++] = scene->components[i];
    for (int i = 0; i < COMPONENTS; i++)
        if (order->values >> i & 1)
            values[value_count++] = (ecs_value_t){ scene->components[i], &value };
    ids[count] = 0;
    values[value_count] = (ecs_value_t){ 0 };
    char name[16];
    ecs_entity_t parent = order->parent >= 0 ? scene->parents[order->parent] : 0;
    return ecs_entity(scene->world,
        { .parent = parent, .name = name_of(order, name), .add = ids, .set = values });
}

static ecs_entity_t make(const scene_t *scene, const order_t *order, int32_t way) {
    ecs_entity_t entity;
    if (way & 1) ecs_defer_begin(scene->world);
    entity = way & 2 ? make_by_descriptor(scene, order) : make_step_by_step(scene, order);
    if (way & 1) ecs_defer_end(scene->world);
    return entity;
}

// ---- comparing ----

static void check_same(const scene_t *a, ecs_entity_t x, const scene_t *b, ecs_entity_t y) {
    assert_int_equal(!x, !y);
    if (!x) return;
    assert_int_equal(ecs_is_alive(a->world, x), ecs_is_alive(b->world, y));
    if (!ecs_is_alive(a->world, x)) return;
    if (ecs_get_name(a->world, x)) {
        char *path = ecs_get_path(a->world, x);
        assert_true(ecs_lookup(a->world, path) == x);
        assert_true(ecs_lookup(b->world, path) == y);
        ecs_os_free(path);
    }
    char *left = ecs_type_str(a->world, ecs_get_type(a->world, x));
    char *right = ecs_type_str(b->world, ecs_get_type(b->world, y));
    assert_string_equal(left, right);
    ecs_os_free(left);
    ecs_os_free(right);
    for (int i = 0; i < TAGS; i++)
        assert_int_equal(ecs_has_id(a->world, x, a->tags[i]), ecs_has_id(b->world, y, b->tags[i]));
    for (int i = 0; i < COMPONENTS; i++) {
        const value_t *v = ecs_get_id(a->world, x, a->components[i]);
        const value_t *w = ecs_get_id(b->world, y, b->components[i]);
        assert_int_equal(!v, !w);
        if (v) assert_int_equal(v->value, w->value);
    }
}

static void check_children(const scene_t *a, const scene_t *b) {
    for (int i = 0; i < PARENTS; i++) {
        ecs_entities_t x = { 0 }, y = { 0 };
        if (!ecs_has_id(a->world, a->parents[i], EcsOrderedChildren)) continue;
        x = ecs_get_ordered_children(a->world, a->parents[i]);
        y = ecs_get_ordered_children(b->world, b->parents[i]);
        assert_int_equal(x.count, y.count);
        for (int c = 0; c < x.count; c++) check_same(a, x.ids[c], b, y.ids[c]);
    }
}

// ---- what changes meanwhile ----

static void listen(scene_t *scene, int32_t which) {
    static const char *const terms[] = { "tag1(self)", "component1(self)", "tag2(up)" };
    ecs_entity_t *observer = &scene->observers[which];
    if (*observer) {
        ecs_delete(scene->world, *observer);
        *observer = 0;
        return;
    }
    *observer = ecs_observer(scene->world, { .query.expr = terms[which],
                                               .events = { EcsOnAdd },
                                               .callback = count_heard,
                                               .ctx = &scene->heard[which] });
}

enum { FIRST_TO_LISTEN = 8, LAST_TO_LISTEN = 11 };

static void change(scene_t *scene, int32_t what, int32_t which, int64_t value) {
    ecs_world_t *world = scene->world;
    const ecs_entity_t base = scene->bases[which % BASES],
                       id = scene->components[which % COMPONENTS];
    switch (what) {
    case 0: ecs_set_id(world, base, id, sizeof value, &value); break;
    case 1: ecs_remove_id(world, base, id); break;
    case 2: ecs_add_id(world, base, scene->tags[which % 2]); break;
    case 3: ecs_new_w_pair(world, EcsChildOf, scene->bases[0]); break;
    case 4: ecs_add_id(world, scene->parents[which % PARENTS], scene->tags[which % TAGS]); break;
    case 5: ecs_add_id(world, scene->parents[0], EcsPrefab); break;
    case 6: ecs_remove_id(world, scene->parents[0], EcsPrefab); break;
    case 7: ecs_add_id(world, scene->parents[1], EcsOrderedChildren); break;
    case 8: ecs_set_hooks_id(world, id, &(ecs_type_hooks_t){ .on_add = count_hook }); break;
    case 9:
    case 10:
    case 11: listen(scene, what - 9); break;
    case 12: ecs_delete_with(world, ecs_childof(scene->parents[which % PARENTS])); break;
    default: break;
    }
}

// Not where kept ones are parents, or bases.
static void delete_some(scene_t *a, scene_t *b, int32_t which) {
    if (a->kept[which]) ecs_delete(a->world, a->kept[which]);
    if (b->kept[which]) ecs_delete(b->world, b->kept[which]);
}

static order_t next_order(void) {
    order_t order = { .parent = below(2 * PARENTS) - PARENTS, .base = below(2 * BASES) - BASES };
    if (order.parent < 0) order.parent = -1;
    if (order.base < 0) order.base = -1;
    order.components = (uint32_t)below(1 << COMPONENTS);
    order.tags = (uint32_t)(below(1 << TAGS) & below(1 << TAGS) & ~4);
    order.values = (uint32_t)below(1 << COMPONENTS);
    order.value = below(1000);
    return order;
}

static void entities_made_in_any_way_are_the_same(void **state) {
    (void)state;
    scene_t a, b;
    random_state = random_init(random_seed());
    static const int32_t brought[] = { 0, 1, TAGS - 1 };
    const int32_t with = brought[below(3)];
    const bool has_beside = below(2), listens = below(2);
    begin(&a, with, has_beside);
    begin(&b, with, has_beside);
    order_t orders[4] = { next_order(), next_order(), next_order(), next_order() };
    for (int step = 0; step < random_tries(STEPS); step++) {
        const int32_t way = below(4), at = step % KEPT;
        if (!below(6)) orders[below(4)] = next_order();
        order_t order = orders[below(4)];
        order.name = below(2) ? step : -1;
        a.kept[at] = make(&a, &order, 0);
        b.kept[at] = make(&b, &order, way);
        check_same(&a, a.kept[at], &b, b.kept[at]);
        assert_memory_equal(a.heard, b.heard, sizeof a.heard);
        assert_int_equal(a.hooked, b.hooked);
        const int32_t what = below(60), which = below(12), value = below(1000);
        if (listens || what < FIRST_TO_LISTEN || what > LAST_TO_LISTEN) {
            change(&a, what, which, value);
            change(&b, what, which, value);
        }
        if (!below(3)) delete_some(&a, &b, below(KEPT));
        if (step % 50 == 0) check_children(&a, &b);
    }
    for (int i = 0; i < KEPT; i++) check_same(&a, a.kept[i], &b, b.kept[i]);
    assert_true(ecs_world_verify(a.world) && ecs_world_verify(b.world));
    ecs_fini(a.world);
    ecs_fini(b.world);
}

static void find(ecs_iter_t *it) {
    char *path = ecs_get_path(it->world, it->entities[0]);
    assert_true(ecs_lookup(it->world, path) == it->entities[0]);
    assert_string_equal(path, "level.e");
    ecs_os_free(path);
    ++*(int32_t *)it->ctx;
}

// Whoever hears of a new entity, of its parent, too, finds it by its name: it comes with all in one step.
static void observers_find_new_entities_by_name(void **state) {
    (void)state;
    ecs_world_t *world = ecs_init();
    ecs_entity_t tag = ecs_entity(world, { .name = "Tag" });
    ecs_entity_t level = ecs_entity(world, { .name = "level" });
    ecs_entity_t beside = ecs_entity(world, { .name = "Beside", .add = ecs_ids(EcsDontFragment) });
    const ecs_id_t ids[] = { tag, beside, ecs_childof(level),
        ecs_pair(ecs_id(EcsIdentifier), EcsName) };
    int32_t found = 0;
    for (int32_t i = 0; i < 4; i++)
        ecs_observer(world, { .query.terms = { { ids[i] } },
                                .events = { EcsOnAdd },
                                .callback = find,
                                .ctx = &found });
    ecs_observer(world,
        { .query.terms = { { ids[3] } }, .events = { EcsOnSet }, .callback = find, .ctx = &found });
    ecs_delete(
        world, ecs_entity(world, { .parent = level, .name = "e", .add = ecs_ids(tag, beside) }));
    assert_int_equal(found, 5);
    ecs_delete(world, ecs_new_from_path(world, 0, "level.e"));
    assert_int_equal(found, 8);
    assert_int_equal(ecs_lookup(world, "level.e"), 0);
    ecs_set_scope(world, level);
    ecs_delete(world, ecs_entity(world, { .name = "e", .add = ecs_ids(tag) }));
    assert_int_equal(found, 12);
    assert_true(ecs_world_verify(world));
    ecs_fini(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entities_made_in_any_way_are_the_same),
        cmocka_unit_test(observers_find_new_entities_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
