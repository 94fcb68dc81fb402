// SPDX-License-Identifier: MIT
// Variables that take what entities, or those above them, have beside their tables, joined with tables and with more of that: compared
// with loops over all entities that ask ecs_has, while the world changes between iterations and within them.
#include "support/random.h"
#include "support/test.h"
#include "support/world.h"

typedef struct {
    int32_t number;
} Number;

#define MOST 40

typedef struct scene_t {
    ecs_world_t *world;
    random_t random;
    ecs_entity_t number, heat, fuel; /* values: in columns, in a set, beside tables */
    ecs_entity_t targets, likes, in, frozen, shield, base;
    bool has_components; /* some parents are told by component */
    ecs_entity_t all[MOST];
} scene_t;

static bool has(const scene_t *scene, ecs_entity_t entity, ecs_id_t id) {
    return ecs_has_id(scene->world, entity, id);
}
static bool points(
    const scene_t *scene, ecs_entity_t a, ecs_entity_t relationship, ecs_entity_t b) {
    return has(scene, a, ecs_pair(relationship, b));
}

// The nearest above that has an id; 0: nobody.
static ecs_entity_t above(const scene_t *scene, ecs_entity_t entity, ecs_id_t id) {
    do entity = ecs_get_parent(scene->world, entity);
    while (entity && !ecs_has_id(scene->world, entity, id));
    return entity;
}
// ---- queries ----

typedef bool (*holds_t)(const scene_t *scene, ecs_entity_t self, ecs_entity_t x, ecs_entity_t y);

typedef struct case_t {
    const char *expr;
    holds_t holds;
    int32_t vars; /* but $this */
} case_t;

#define CASE(name, condition)                                                               \
    static bool name(const scene_t *s, ecs_entity_t self, ecs_entity_t x, ecs_entity_t y) { \
        (void)y;                                                                            \
        return condition;                                                                   \
    }
CASE(aims, has(s, self, s->number) && points(s, self, s->targets, x) && has(s, x, s->number))
CASE(likes_some, points(s, self, s->likes, x) && has(s, x, s->number))
CASE(aims_at_liked, points(s, self, s->likes, x) && points(s, self, s->targets, x))
CASE(is_liked_back, points(s, self, s->likes, x) && points(s, x, s->likes, self))
CASE(is_not_liked_back, points(s, self, s->likes, x) && !points(s, x, s->likes, self))
CASE(moves, has(s, self, s->number) && points(s, self, s->targets, x) && !has(s, x, s->frozen))
CASE(is_aimed_at, has(s, self, s->number) && points(s, x, s->targets, self))
CASE(likes_who_likes,
    points(s, self, s->likes, x) && points(s, x, s->likes, y) && has(s, y, s->number))
CASE(likes_neighbour, has(s, self, s->number) && points(s, self, s->in, y) &&
                          points(s, self, s->likes, x) && points(s, x, s->in, y))
CASE(is_safe, has(s, self, s->shield) && points(s, self, s->likes, x) && has(s, x, s->shield))
CASE(aims_with_parent,
    has(s, self, s->number) && above(s, self, ecs_pair(s->targets, x)) && has(s, x, s->number))
CASE(is_below_number, above(s, self, s->number) && points(s, self, s->likes, x))
CASE(is_below_heat, above(s, self, s->heat) && points(s, self, s->likes, x))
CASE(is_below_fuel, above(s, self, s->fuel) && points(s, self, s->likes, x) && has(s, x, s->fuel))
CASE(is_covered, above(s, self, s->shield) && points(s, self, s->likes, x))
CASE(is_not_covered, !above(s, self, s->shield) && points(s, self, s->likes, x))
CASE(is_child_of_aiming,
    has(s, self, s->number) && points(s, self, EcsChildOf, x) && points(s, x, s->targets, y))
CASE(likes_sibling,
    points(s, self, s->likes, y) && points(s, self, EcsChildOf, x) && points(s, y, EcsChildOf, x))

static const case_t cases[] = {
    { "Number, (Targets,$x), Number($x)", aims, 1 },
    { "(Likes,$x), Number($x)", likes_some, 1 },
    { "(Likes,$x), (Targets,$x)", aims_at_liked, 1 },
    { "(Likes,$x), Likes($x,$this)", is_liked_back, 1 },
    { "(Likes,$x), !Likes($x,$this)", is_not_liked_back, 1 },
    { "Number, ?Frozen, (Targets,$x), !Frozen($x)", moves, 1 },
    { "Targets($x,$this), Number", is_aimed_at, 1 },
    { "(Likes,$x), Likes($x,$y), Number($y)", likes_who_likes, 2 },
    { "Number, (In,$y), (Likes,$x), In($x,$y)", likes_neighbour, 2 },
    { "Shield, (Likes,$x), Shield($x)", is_safe, 1 },
    { "Number, Targets(up ChildOf,$x), Number($x)", aims_with_parent, 1 },
    { "Number(up ChildOf), (Likes,$x)", is_below_number, 1 },
    { "Heat(up ChildOf), (Likes,$x)", is_below_heat, 1 },
    { "Fuel(up ChildOf), (Likes,$x), Fuel($x)", is_below_fuel, 1 },
    { "(Likes,$x), Shield(up ChildOf)", is_covered, 1 },
    { "(Likes,$x), !Shield(up ChildOf)", is_not_covered, 1 },
    { "Number, (ChildOf,$x), Targets($x,$y)", is_child_of_aiming, 2 },
    { "(Likes,$y), (ChildOf,$x), ChildOf($y,$x)", likes_sibling, 2 },
};
enum { CASES = sizeof cases / sizeof cases[0] };

// ---- results ----

static uint64_t key(ecs_entity_t self, ecs_entity_t x, ecs_entity_t y) {
    const uint64_t mixed = (uint64_t)(uint32_t)self * 0x9e3779b97f4a7c15u ^
                           (uint64_t)(uint32_t)x * 0xbf58476d1ce4e5b9u ^
                           (uint32_t)y * 0x94d049bb13u;
    return mixed ^ mixed >> 29;
}

static uint64_t expected(const scene_t *scene, const case_t *c) {
    uint64_t sum = 0;
    for (int32_t i = 0; i < MOST; i++) {
        for (int32_t k = 0; k < MOST; k++) {
            for (int32_t m = 0; m < (c->vars > 1 ? MOST : 1); m++) {
                const ecs_entity_t self = scene->all[i], x = scene->all[k], y = scene->all[m];
                if (c->holds(scene, self, x, y)) sum += key(self, x, c->vars > 1 ? y : 0);
            }
        }
    }
    return sum;
}

// Values of fields are those of their sources, and what is optional is set where it is there.
static void check_fields(const scene_t *scene, const ecs_iter_t *it, int32_t row) {
    for (int8_t f = 0; f < it->field_count; f++) {
        const ecs_id_t id = ecs_field_id(it, f);
        const ecs_entity_t src = ecs_field_src(it, f), holder = src ? src : it->entities[row];
        if (it->query->terms[f].oper == EcsNot) continue;
        assert_true(ecs_field_is_set(it, f) == has(scene, holder, id));
        if (id != scene->number && id != scene->heat && id != scene->fuel) continue;
        const Number *value = id == scene->number
                                  ? &((const Number *)ecs_field(it, Number, f))[src ? 0 : row]
                                  : ecs_field_at(it, Number, f, row);
        assert_ptr_equal(value, ecs_get_id(scene->world, holder, id));
    }
}

static uint64_t found(const scene_t *scene, ecs_query_t *query, const case_t *c) {
    const int32_t x = ecs_query_find_var(query, "x"),
                  y = c->vars > 1 ? ecs_query_find_var(query, "y") : -1;
    uint64_t sum = 0;
    ecs_iter_t it = ecs_query_iter(scene->world, query);
    while (ecs_query_next(&it)) {
        for (int32_t row = 0; row < it.count; row++) {
            check_fields(scene, &it, row);
            sum += key(
                it.entities[row], ecs_iter_get_var(&it, x), y < 0 ? 0 : ecs_iter_get_var(&it, y));
        }
    }
    return sum;
}

// ---- changes ----

static ecs_entity_t any(scene_t *scene) { return scene->all[random_below(&scene->random, MOST)]; }

// Who comes later is below.
static void change_parent(scene_t *scene) {
    const int32_t child = 1 + random_below(&scene->random, MOST - 1);
    const ecs_entity_t parent = scene->all[random_below(&scene->random, child)];
    const bool by_component = scene->has_components && random_below(&scene->random, 2);
    if (by_component)
        ecs_set(scene->world, scene->all[child], EcsParent, { parent });
    else
        ecs_add_pair(scene->world, scene->all[child], EcsChildOf, parent);
}

static void change(scene_t *scene) {
    ecs_world_t *world = scene->world;
    const ecs_entity_t entity = any(scene), other = any(scene);
    if (!random_below(&scene->random, 6)) change_parent(scene);
    const ecs_id_t ids[] = { scene->number, scene->heat, scene->fuel, scene->frozen, scene->shield,
        ecs_isa(scene->base), ecs_pair(scene->targets, other), ecs_pair(scene->likes, other),
        ecs_pair(scene->likes, other), ecs_pair(scene->likes, other),
        ecs_pair(scene->in, scene->all[random_below(&scene->random, 4)]) };
    const ecs_id_t id = ids[random_below(&scene->random, sizeof ids / sizeof ids[0])];
    if (ecs_has_id(world, entity, id) && random_below(&scene->random, 3))
        ecs_remove_id(world, entity, id);
    else
        ecs_add_id(world, entity, id);
    if (random_below(&scene->random, 40)) return;
    ecs_delete(world, entity); // with all below
    for (int32_t i = 0; i < MOST; i++)
        if (!ecs_is_alive(world, scene->all[i])) scene->all[i] = ecs_new(world);
}

// What was found of a result may be gone when it comes with more; the search finds its way all the same.
static void change_within(scene_t *scene, ecs_query_t *query) {
    ecs_iter_t it = ecs_query_iter(scene->world, query);
    ecs_defer_begin(scene->world);
    while (ecs_query_next(&it)) {
        if (random_below(&scene->random, 4)) continue;
        ecs_defer_suspend(scene->world);
        ecs_add_pair(scene->world, any(scene), scene->likes, any(scene));
        ecs_remove_pair(scene->world, any(scene), scene->likes, any(scene));
        ecs_defer_resume(scene->world);
    }
    ecs_defer_end(scene->world);
}

// ---- all ----

static void begin(scene_t *scene, uint64_t seed) {
    *scene = (scene_t){ .world = ecs_mini(), .random = random_init(seed) };
    ecs_world_t *world = scene->world;
    ECS_COMPONENT(world, Number);
    scene->number = ecs_id(Number);
    scene->heat = ecs_component(world, { .entity = ecs_entity(world, { .name = "Heat" }),
                                           .type = { sizeof(Number), ECS_ALIGNOF(Number) } });
    scene->fuel = ecs_component(world, { .entity = ecs_entity(world, { .name = "Fuel" }),
                                           .type = { sizeof(Number), ECS_ALIGNOF(Number) } });
    ecs_add_id(world, scene->heat, EcsSparse);
    ecs_add_id(world, scene->fuel, EcsDontFragment);
    ECS_ENTITY(world, Targets, DontFragment, Exclusive);
    ECS_ENTITY(world, Likes, DontFragment);
    ECS_ENTITY(world, In, Exclusive);
    ECS_ENTITY(world, Frozen, DontFragment);
    ECS_ENTITY(world, Shield, DontFragment, (OnInstantiate, Inherit));
    ECS_PREFAB(world, Base, Shield);
    scene->targets = Targets, scene->likes = Likes;
    scene->in = In, scene->frozen = Frozen, scene->shield = Shield, scene->base = Base;
    for (int32_t i = 0; i < MOST; i++) scene->all[i] = ecs_new(world);
}

// Q-VAR-01, Q-VAR-02, Q-VAR-07, Q-VAR-08, Q-VAR-17, Q-ITR-01
static void joins_are_what_loops_find(void **state) {
    (void)state;
    const uint64_t seed = random_seed();
    for (int32_t try = 0, tries = random_tries(12); try < tries; try++) {
        scene_t scene;
        begin(&scene, seed + (uint64_t)try);
        scene.has_components = try & 1;
        ecs_query_t *queries[CASES][2];
        for (int32_t i = 0; i < CASES; i++) {
            queries[i][0] = ecs_query(scene.world, { .expr = cases[i].expr });
            queries[i][1] =
                ecs_query(scene.world, { .expr = cases[i].expr, .cache_kind = EcsQueryCacheAuto });
        }
        for (int32_t round = 0; round < 12; round++) {
            for (int32_t n = round ? 12 : 150; n; n--) change(&scene);
            for (int32_t i = 0; i < CASES; i++) {
                const uint64_t sum = expected(&scene, &cases[i]);
                for (int32_t k = 0; k < 2; k++)
                    if (found(&scene, queries[i][k], &cases[i]) != sum)
                        fail_msg("try %d, round %d: %s", try, round, cases[i].expr);
            }
            change_within(&scene, queries[random_below(&scene.random, CASES)][round & 1]);
        }
        for (int32_t i = 0; i < CASES; i++)
            for (int32_t k = 0; k < 2; k++) ecs_query_fini(queries[i][k]);
        ecs_fini(scene.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(joins_are_what_loops_find) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
