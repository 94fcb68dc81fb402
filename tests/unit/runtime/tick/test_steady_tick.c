// SPDX-License-Identifier: MIT
// A tick in which nothing structural changes, or only as much as before, asks the heap for nothing.
#include "support/world.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Life {
    int32_t left, born;
} Life;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);
static ECS_COMPONENT_DECLARE(Life);

static void use(ecs_world_t *world) {
    ecs_id(Position) = ecs_id(Velocity) = ecs_id(Life) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ECS_COMPONENT_DEFINE(world, Life);
}

static void Move(ecs_iter_t *it) {
    Position *p = ecs_field(it, Position, 0);
    const Velocity *v = ecs_field(it, Velocity, 1);
    for (int32_t i = 0; i < it->count; i++) {
        p[i].x += v[i].x + (float)(ecs_iter_random(it, i) & 1);
        p[i].y += v[i].y;
    }
}

// All entities change table in each tick, and back in the next.
static void Switch(ecs_iter_t *it) {
    const Life *life = ecs_field(it, Life, 0);
    for (int32_t i = 0; i < it->count; i++) {
        if (ecs_field_is_set(it, 1))
            ecs_remove(it->world, it->entities[i], Velocity);
        else
            ecs_set(it->world, it->entities[i], Velocity, { (float)life[i].left, 0 });
    }
}

static void Nothing(ecs_iter_t *it) { (void)it; }

static void build(ecs_world_t *world) {
    use(world);
    for (int32_t i = 0; i < 20000; i++) {
        ecs_insert(world, ecs_value(Position, { 0, 0 }), ecs_value(Velocity, { 1, (float)i }));
    }
    ecs_system(world, { .query.expr = "Position, [in] Velocity",
                          .phase = EcsOnUpdate,
                          .callback = Move,
                          .multi_threaded = true });
    ecs_system(
        world, { .query.expr = "Position, [in] Velocity", .phase = EcsOnUpdate, .callback = Move });
    ecs_system(world, { .query.expr = "Position",
                          .phase = EcsPostUpdate,
                          .callback = Nothing,
                          .immediate = true });
    ecs_set_interval(world, 0, 3);
}

static void build_moves(ecs_world_t *world) {
    build(world);
    for (int32_t i = 0; i < 1000; i++) {
        ecs_insert(world, ecs_value(Life, { i, 0 }), ecs_value(Position, { 0, 0 }));
    }
    ecs_system(world, { .query.expr = "Life, ?Velocity",
                          .phase = EcsOnUpdate,
                          .callback = Switch,
                          .multi_threaded = true });
}

static void build_steps(ecs_world_t *world) {
    build_moves(world);
    ecs_entity_t step = ecs_set_fixed_step(world, 0, 0.4f, 8); /* two or three in a tick */
    ecs_iter_t it = ecs_each_id(world, ecs_dependson(EcsOnUpdate));
    while (ecs_each_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) {
            if (ecs_system_get(world, it.entities[i]))
                ecs_set_tick_source(world, it.entities[i], step);
        }
    }
}

// What changes is told to many, or to few because of what is around it.
static void Change(ecs_iter_t *it) {
    const ecs_entity_t *ids =
        it->ctx; /* a relationship, a place, an entity in it, and what all depend on */
    if (ecs_get_world_info(it->world)->frame_count_total & 1) {
        ecs_add_pair(it->world, ids[2], ids[0], ids[1]);
        ecs_set(it->world, ids[3], Velocity, { 1, 2 });
    } else {
        ecs_remove_pair(it->world, ids[2], ids[0], ids[1]);
        ecs_remove(it->world, ids[3], Velocity);
    }
}

static void build_told(ecs_world_t *world) {
    static ecs_entity_t ids[4];
    use(world);
    for (int32_t i = 0; i < 4; i++) ids[i] = ecs_new(world);
    ecs_add_id(world, ids[0], EcsTransitive);
    for (int32_t i = 0; i < 50; i++) {
        ecs_new_w_pair(world, ids[0], ids[2]);
        ecs_entity_t instance = ecs_new_w_pair(world, EcsIsA, ids[3]);
        ecs_new_w_pair(world, EcsChildOf, i % 2 ? instance : ids[3]);
    }
    static const char *const exprs[] = { "Velocity", "Velocity(up)", "Velocity(up ChildOf)" };
    for (int32_t i = 0; i < 3; i++) {
        ecs_observer(world, { .query.expr = exprs[i],
                                .events = { EcsOnAdd, EcsOnSet, EcsOnRemove },
                                .callback = Nothing });
    }
    ecs_observer(world, { .query.terms = { { ecs_pair(ids[0], ids[1]) } },
                            .events = { EcsMonitor },
                            .callback = Nothing });
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Change, .ctx = ids });
}

// What is added and removed is seen in all the ways that terms can see it.
enum { CHANGED = 5 };

typedef struct changed_t {
    ecs_id_t ids[8];
    int32_t count;
    ecs_entity_t entities[CHANGED], event;
} changed_t;

static void Toggle(ecs_iter_t *it) {
    const changed_t *changed = it->ctx;
    const bool adds = ecs_get_world_info(it->world)->frame_count_total & 1;
    for (int32_t e = 0; e < CHANGED; e++) {
        const ecs_entity_t entity = changed->entities[e];
        for (int32_t i = 0; i < changed->count; i++) {
            if (adds)
                ecs_add_id(it->world, entity, changed->ids[i]);
            else
                ecs_remove_id(it->world, entity, changed->ids[i]);
        }
        ecs_set(it->world, entity, Position, { 1, 2 });
        ecs_enable_id(it->world, entity, ecs_id(Life), adds);
    }
}

// Below whom others are, too.
static void Emit(ecs_iter_t *it) {
    const changed_t *changed = it->ctx;
    ecs_id_t id = ecs_id(Position);
    for (int32_t i = 0; i < it->count; i++)
        ecs_emit(it->world, &(ecs_event_desc_t){ .event = changed->event,
                                .entity = it->entities[i],
                                .ids = &(ecs_type_t){ &id, 1 } });
}

static ecs_entity_t named(ecs_world_t *world, const char *name, ecs_id_t id) {
    return ecs_entity(world, { .name = name, .add = ecs_ids(id) });
}

static void watch(ecs_world_t *world, changed_t *changed) {
    static const char *const exprs[] = { "Unit", "Unit, Position", "Unit(up)", "(In, Earth)", "Foo",
        "Foo, Velocity", "Position, Foo(Constant)", "Life", "or|List", "or|List(up)" };
    for (int32_t i = 0; i < 20; i++) {
        ecs_observer_desc_t desc = { .query.expr = exprs[i / 2], .callback = Nothing };
        desc.events[0] = i % 2 ? EcsMonitor : EcsOnAdd;
        desc.events[1] = i % 2 ? 0 : EcsOnRemove;
        ecs_observer_init(world, &desc);
    }
    static const char *const set[] = { "Position", "Position(up ChildOf)" };
    for (int32_t i = 0; i < 2; i++)
        ecs_observer(world,
            { .query.expr = set[i], .events = { EcsOnSet }, .callback = Emit, .ctx = changed });
    ecs_observer(world, { .query.expr = "?Foo, Position(up ChildOf)",
                            .events = { changed->event },
                            .callback = Nothing });
}

static void build_seen(ecs_world_t *world) {
    static changed_t changed;
    use(world);
    ecs_add_id(world, ecs_id(Life), EcsCanToggle);
    ecs_entity_t unit = named(world, "Unit", 0), in = named(world, "In", EcsTransitive);
    ecs_entity_t earth = named(world, "Earth", 0);
    ecs_entity_t europe = named(world, "Europe", ecs_pair(in, earth));
    ecs_entity_t archer = named(world, "Archer", ecs_pair(EcsIsA, unit));
    ecs_entity_t inside = named(world, "Inside", ecs_pair(EcsIsA, in));
    ecs_entity_t foo = named(world, "Foo", ecs_pair(EcsOnInstantiate, EcsInherit));
    ecs_entity_t list = named(world, "List", foo), constant = named(world, "Constant", 0);
    ecs_add_id(world, list, archer);
    changed = (changed_t){ { foo, archer, ecs_pair(in, europe), ecs_pair(inside, europe) }, 4 };
    changed.event = ecs_new(world);
    for (int32_t i = 0; i < CHANGED; i++) {
        ecs_entity_t entity = changed.entities[i] = i ? ecs_new_w(world, Life) : constant;
        ecs_add(world, entity, Life);
        for (int32_t n = 0; i == 1 && n < 40; n++) ecs_add_id(world, entity, ecs_new(world));
        ecs_entity_t child = ecs_new_w_pair(world, EcsChildOf, entity);
        ecs_set(world, child, Position, { 1, 2 });
        ecs_new_w_pair(world, EcsChildOf, child);
        ecs_add(world, ecs_new_w_pair(world, EcsIsA, entity), Velocity);
    }
    watch(world, &changed);
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Toggle, .ctx = &changed });
}

static void Beget(ecs_iter_t *it) {
    const ecs_entity_t mother = ecs_new_w(it->world, Life);
    for (int32_t i = 0; i < 4; i++) {
        ecs_entity_t child = ecs_new_w(it->world, Position);
        ecs_set(it->world, child, EcsParent, { mother });
    }
}

static void EndAll(ecs_iter_t *it) {
    for (int32_t i = 0; i < it->count; i++) ecs_delete(it->world, it->entities[i]);
}

// Other parents have other lists of children.
static void build_families(ecs_world_t *world) {
    use(world);
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Beget });
    ecs_system(world, { .query.expr = "Life", .phase = EcsPostUpdate, .callback = EndAll });
}

// Monitors hear of all who end together before one of them does.
static void build_watched_families(ecs_world_t *world) {
    build_families(world);
    ecs_observer(world, { .query.expr = "Position, !Life(up ChildOf)",
                            .events = { EcsMonitor },
                            .callback = Nothing });
}

static void Make(ecs_iter_t *it) {
    const ecs_id_t *beside = it->ctx;
    for (int32_t i = 0; i < 20; i++) ecs_new_w_id(it->world, i % 2 ? *beside : ecs_id(Life));
}

static void End(ecs_iter_t *it) {
    const ecs_id_t *beside = it->ctx;
    ecs_delete_with(it->world, ecs_id(Life));
    ecs_delete_with(it->world, *beside);
}

static void build_ends(ecs_world_t *world) {
    use(world);
    static ecs_id_t beside;
    beside =
        ecs_pair(ecs_relationship(world, { .name = "Beside", .sparse = true }), ecs_new(world));
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Make, .ctx = &beside });
    ecs_system(world, { .phase = EcsPostUpdate, .callback = End, .ctx = &beside });
}

static void after(ecs_world_t *world, void *ctx) { (void)world, (void)ctx; }

static void Ask(ecs_iter_t *it) { ecs_run_post_frame(it->world, after, NULL); }

static void build_asks(ecs_world_t *world) {
    build(world);
    ecs_system(world, { .query.expr = "Position",
                          .phase = EcsOnUpdate,
                          .callback = Ask,
                          .multi_threaded = true });
}

static void RunOther(ecs_iter_t *it) { ecs_run(it->world, *(ecs_entity_t *)it->ctx, 1, NULL); }

// Draws numbers, and so does the system that it runs.
static void MoveAndRunOther(ecs_iter_t *it) {
    Move(it);
    RunOther(it);
}

static void build_runs_by_hand(ecs_world_t *world) {
    static ecs_entity_t move, outer;
    build(world);
    move = ecs_system(world, { .query.expr = "Position, [in] Velocity", .callback = Move });
    outer = ecs_system(world,
        { .query.expr = "Position, [in] Velocity", .callback = MoveAndRunOther, .ctx = &move });
    ecs_system(world, { .phase = EcsOnUpdate, .callback = RunOther, .ctx = &outer });
}

static void UseNextGroup(ecs_iter_t *it) {
    const ecs_entity_t *ids = it->ctx; /* a system, and the groups that it has by turns */
    const int64_t frame = ecs_get_world_info(it->world)->frame_count_total;
    ecs_system_set_group(it->world, ids[0], ids[1 + frame % 2]);
}

static void build_groups(ecs_world_t *world) {
    static ecs_entity_t ids[3];
    build(world);
    ecs_entity_t place = ecs_new(world);
    for (int32_t i = 1; i < 3; i++) {
        ids[i] = ecs_new(world);
        for (int32_t k = 0; k < i; k++) {
            ecs_entity_t e = ecs_insert(world, ecs_value(Life, { 0, 0 }));
            ecs_add_pair(world, e, place, ids[i]);
        }
    }
    ecs_system(world, { .phase = EcsOnUpdate, .callback = UseNextGroup, .ctx = ids });
    ids[0] = ecs_system(world, { .query = { .expr = "Life", .group_by = place },
                                   .phase = EcsPostUpdate,
                                   .callback = Nothing });
}

// Of pairs beside tables, one entity has some in every other tick.
static void Link(ecs_iter_t *it) {
    const ecs_entity_t *ids = it->ctx; /* a relationship, who has it, and targets */
    const bool adds = ecs_get_world_info(it->world)->frame_count_total & 1;
    for (int32_t i = 2; i < 30; i++) {
        if (adds)
            ecs_add_pair(it->world, ids[1], ids[0], ids[i]);
        else
            ecs_remove_pair(it->world, ids[1], ids[0], ids[i]);
    }
}

static void build_links(ecs_world_t *world) {
    static ecs_entity_t ids[30];
    ids[0] = ecs_relationship(world, { .name = "Linked", .sparse = true, .reverse_index = true });
    for (int32_t i = 1; i < 30; i++) ids[i] = ecs_new(world);
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Link, .ctx = ids });
}

// Targets of pairs beside tables come and go.
static void Aim(ecs_iter_t *it) {
    ecs_entity_t *ids = it->ctx; /* a relationship, five who have it, and targets */
    for (int32_t i = 6; i < 14; i++) {
        if (ids[i]) ecs_delete(it->world, ids[i]);
        ids[i] = ecs_new(it->world);
        for (int32_t k = 1; k < 6; k++) ecs_add_pair(it->world, ids[k], ids[0], ids[i]);
    }
}

static void build_aims(ecs_world_t *world) {
    static ecs_entity_t ids[14];
    memset(ids, 0, sizeof ids);
    ids[0] = ecs_relationship(world, { .name = "AimsAt", .sparse = true, .reverse_index = true });
    for (int32_t i = 1; i < 6; i++) ids[i] = ecs_new(world);
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Aim, .ctx = ids });
}

// What has a name, or children, goes to another parent.
static void HandOver(ecs_iter_t *it) {
    const ecs_entity_t *parents = it->ctx;
    const int64_t turn = ecs_get_world_info(it->world)->frame_count_total;
    for (int32_t i = 0; i < it->count; i++) {
        if (ecs_has(it->world, it->entities[i], EcsParent))
            ecs_set(it->world, it->entities[i], EcsParent, { parents[turn & 1] });
        else
            ecs_add_pair(it->world, it->entities[i], EcsChildOf, parents[turn & 1]);
    }
}

static void build_named(ecs_world_t *world) {
    static ecs_entity_t parents[2];
    use(world);
    for (int32_t i = 0; i < 2; i++) parents[i] = ecs_new(world);
    for (int32_t i = 0; i < 20; i++) {
        char name[] = "item_a";
        name[5] = (char)('a' + i);
        ecs_set(world, ecs_entity(world, { .name = name, .parent = parents[0] }), Position, { 1 });
    }
    ecs_add_pair(world, parents[1], EcsChildOf, ecs_new(world)); /* deeper than the other one */
    ecs_entity_t bag =
        ecs_insert(world, ecs_value(EcsParent, { parents[0] }), ecs_value(Position, { 1 }));
    ecs_insert(world, ecs_value(EcsParent, { bag }));
    ecs_system(world,
        { .query.expr = "Position", .phase = EcsOnUpdate, .callback = HandOver, .ctx = parents });
}

// What has values beside its table is copied, and others are made in bulk.
static void Copy(ecs_iter_t *it) {
    const ecs_entity_t *ids = it->ctx; /* what copies have, and the original */
    for (int32_t i = 0; i < 10; i++)
        ecs_add_id(it->world, ecs_clone(it->world, 0, ids[1], true), ids[0]);
    ecs_bulk_new_w_id(it->world, ids[0], 10);
}

static void build_copies(ecs_world_t *world) {
    static ecs_entity_t ids[2];
    use(world);
    ecs_add_id(world, ecs_id(Life), EcsDontFragment);
    ids[0] = ecs_entity(world, { .name = "Copy" });
    ids[1] = ecs_insert(world, ecs_value(Life, { 3, 4 }));
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Copy, .ctx = ids });
    ecs_system(world, { .query.expr = "Copy", .phase = EcsPostUpdate, .callback = EndAll });
}

// The upper of two families goes below the other one, and back in the next tick.
static void Rehang(ecs_iter_t *it) {
    const ecs_entity_t *ends = it->ctx;
    if (ecs_has_pair(it->world, ends[0], EcsChildOf, ends[1]))
        ecs_remove_pair(it->world, ends[0], EcsChildOf, ends[1]);
    else
        ecs_add_pair(it->world, ends[0], EcsChildOf, ends[1]);
}

static void build_cascade(ecs_world_t *world) {
    static ecs_entity_t ends[2];
    build(world);
    ecs_entity_t tops[2];
    for (int32_t i = 0; i < 2; i++) {
        tops[i] = ecs_insert(world, ecs_value(Position, { 0, 0 }));
        ends[i] = ecs_new_w_pair(world, EcsChildOf, tops[i]);
        ecs_set(world, ends[i], Position, { 0, 0 });
    }
    ends[0] = tops[0];
    ecs_system(world, { .phase = EcsOnUpdate, .callback = Rehang, .ctx = ends });
    for (int32_t i = 0; i < 2; i++)
        ecs_system(world, { .query.expr = "[in] Position, [in] ?Position(cascade)",
                              .phase = EcsPostUpdate,
                              .callback = Nothing,
                              .multi_threaded = true });
}

static ecs_entity_t stems[8], shoot;

static void build_tree(ecs_world_t *world) {
    use(world);
    for (int32_t i = 0; i < 8; i++) {
        stems[i] = ecs_insert(world, ecs_value(Position, { 0, 0 }));
        if (i) ecs_add_pair(world, stems[i], EcsChildOf, stems[i - 1]);
    }
    shoot = 0;
}

static void build_watched_tree(ecs_world_t *world) {
    static const char *const exprs[] = { "Position, [in] ?Position(cascade)", "[in] Position" };
    build_tree(world);
    for (int32_t i = 0; i < 4; i++)
        ecs_system(world, { .query.expr = exprs[i % 2],
                              .phase = EcsOnUpdate,
                              .callback = Nothing,
                              .multi_threaded = true });
}

// Each parent has a table of its children.
static void regrow(ecs_world_t *world, int32_t tick) {
    if (shoot) ecs_delete(world, shoot);
    shoot = ecs_insert(world, ecs_value(Position, { 0, 0 }));
    ecs_add_pair(world, shoot, EcsChildOf, stems[tick % 8]);
    ecs_add(world, ecs_new_w_pair(world, EcsChildOf, shoot), Position);
}

static int64_t calls_of_ticks(
    void (*build_world)(ecs_world_t *), int32_t workers, int32_t warm, int32_t ticks) {
    ecs_world_t *world = ecs_init();
    build_world(world);
    ecs_set_threads(world, workers);
    for (int32_t i = 0; i < warm; i++) ecs_progress(world, 1);
    int64_t before = memory_calls();
    for (int32_t i = 0; i < ticks; i++) ecs_progress(world, 1);
    int64_t calls = memory_calls() - before;
    ecs_fini(world);
    return calls;
}

// What the program does before each tick.
typedef void (*between_t)(ecs_world_t *world, int32_t tick);

static int64_t calls_between(
    void (*build_world)(ecs_world_t *), between_t between, int32_t workers, int32_t warm) {
    ecs_world_t *world = ecs_init();
    build_world(world);
    ecs_set_threads(world, workers);
    int64_t before = 0;
    for (int32_t i = 0; i < warm + 20; i++) {
        if (i == warm) before = memory_calls();
        between(world, i);
        ecs_progress(world, 1);
    }
    int64_t calls = memory_calls() - before;
    ecs_fini(world);
    return calls;
}

static ecs_entity_t switched[2];
static void build_switched(ecs_world_t *world) {
    build(world);
    for (int32_t i = 0; i < 2; i++)
        switched[i] = ecs_system(world, { .query.expr = "Position, [in] Velocity",
                                            .phase = EcsOnUpdate,
                                            .callback = Move,
                                            .multi_threaded = i == 0 });
}
static void switch_one(ecs_world_t *world, int32_t tick) {
    ecs_enable(world, switched[0], tick % 2);
}
static void switch_two(ecs_world_t *world, int32_t tick) {
    for (int32_t i = 0; i < 2; i++) ecs_enable(world, switched[i], tick % 3 == i);
}

// SYNC-08: three schedules come again and again.
static void switching_systems_allocates_nothing(void **state) {
    (void)state;
    for (int32_t workers = 1; workers <= 3; workers += 2) {
        assert_int_equal(calls_between(build_switched, switch_one, workers, 8), 0);
        assert_int_equal(calls_between(build_switched, switch_two, workers, 8), 0);
    }
}

static ecs_entity_t prefab;
static void build_prefab(ecs_world_t *world) {
    build(world);
    prefab = ecs_new_w_id(world, EcsPrefab);
    ecs_entity_t first = ecs_new_w_pair(world, EcsChildOf, prefab);
    for (int32_t i = 0; i < 2; i++) ecs_new_w_pair(world, EcsChildOf, prefab);
    ecs_delete(world, first); /* rows are not in the order of ids then */
}
static void make_many(ecs_world_t *world, int32_t tick) {
    (void)tick;
    ecs_entity_t made[10];
    memcpy(made, ecs_bulk_new(world, Position, 10), sizeof made);
    for (int32_t i = 0; i < 10; i++) ecs_delete(world, made[i]);
    ecs_entity_t instances[2];
    for (int32_t i = 0; i < 2; i++) instances[i] = ecs_new_w_pair(world, EcsIsA, prefab);
    for (int32_t i = 0; i < 2; i++) ecs_delete(world, instances[i]);
}

static void making_as_many_as_before_allocates_nothing(void **state) {
    (void)state;
    assert_int_equal(calls_between(build_prefab, make_many, 1, 100), 0);
}

static void a_steady_tick_allocates_nothing(void **state) {
    (void)state;
    for (int32_t workers = 1; workers <= 4; workers++) {
        assert_int_equal(calls_of_ticks(build, workers, 3, 50), 0);
    }
}

static void moving_as_much_as_before_allocates_nothing(void **state) {
    (void)state;
    for (int32_t workers = 1; workers <= 3; workers += 2) {
        assert_int_equal(calls_of_ticks(build_moves, workers, 8, 20), 0);
        assert_int_equal(calls_of_ticks(build_steps, workers, 8, 20), 0);
    }
}

static void telling_as_many_as_before_allocates_nothing(void **state) {
    (void)state;
    assert_int_equal(calls_of_ticks(build_told, 1, 8, 20), 0);
    assert_int_equal(calls_of_ticks(build_seen, 1, 200, 20), 0);
}

static void deleting_as_many_as_before_allocates_nothing(void **state) {
    (void)state;
    assert_int_equal(calls_of_ticks(build_ends, 1, 8, 20), 0);
    assert_int_equal(
        calls_of_ticks(build_watched_families, 1, 8, 20), calls_of_ticks(build_families, 1, 8, 20));
}

static void asking_for_as_much_after_frames_allocates_nothing(void **state) {
    (void)state;
    assert_int_equal(calls_of_ticks(build_asks, 1, 3, 20), 0);
}

static void moving_and_copying_as_many_as_before_allocates_nothing(void **state) {
    (void)state;
    assert_int_equal(calls_of_ticks(build_named, 1, 8, 20), 0);
    assert_int_equal(calls_of_ticks(build_copies, 1, 8, 20), 0);
}

static void running_systems_by_hand_allocates_nothing(void **state) {
    (void)state;
    assert_int_equal(calls_of_ticks(build_runs_by_hand, 1, 3, 20), 0);
}

static void changing_the_group_of_a_system_allocates_nothing(void **state) {
    (void)state;
    assert_int_equal(calls_of_ticks(build_groups, 1, 3, 20), 0);
    assert_int_equal(calls_of_ticks(build_groups, 3, 3, 20), 0);
}

// What a cascade shows comes in another order each time.
static void changing_the_order_of_a_system_allocates_nothing(void **state) {
    (void)state;
    assert_int_equal(calls_of_ticks(build_cascade, 1, 8, 20), 0);
    assert_int_equal(calls_of_ticks(build_cascade, 3, 8, 20), 0);
}

// Other tables of the same systems are made, and planned, in the memory of those before, but for what grows now and then.
static void changing_the_tables_of_a_system_allocates_next_to_nothing(void **state) {
    (void)state;
    for (int32_t workers = 1; workers <= 3; workers += 2)
        assert_in_range(calls_between(build_watched_tree, regrow, workers, 40), 0, 5);
}

static void linking_as_many_as_before_allocates_nothing(void **state) {
    (void)state;
    assert_int_equal(calls_of_ticks(build_links, 1, 8, 20), 0);
    assert_int_equal(calls_of_ticks(build_aims, 1, 8, 20), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_tick_allocates_nothing),
        cmocka_unit_test(moving_as_much_as_before_allocates_nothing),
        cmocka_unit_test(asking_for_as_much_after_frames_allocates_nothing),
        cmocka_unit_test(switching_systems_allocates_nothing),
        cmocka_unit_test(making_as_many_as_before_allocates_nothing),
        cmocka_unit_test(running_systems_by_hand_allocates_nothing),
        cmocka_unit_test(changing_the_group_of_a_system_allocates_nothing),
        cmocka_unit_test(changing_the_order_of_a_system_allocates_nothing),
        cmocka_unit_test(changing_the_tables_of_a_system_allocates_next_to_nothing),
        cmocka_unit_test(moving_and_copying_as_many_as_before_allocates_nothing),
        cmocka_unit_test(linking_as_many_as_before_allocates_nothing),
        cmocka_unit_test(telling_as_many_as_before_allocates_nothing),
        cmocka_unit_test(deleting_as_many_as_before_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
