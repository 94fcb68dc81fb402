// SPDX-License-Identifier: MIT
// Who is to be told of a change is worked out once and remembered; where time is measured, each event is judged anew. Two worlds that
// differ in nothing else tell the same, also of what is seen above, while that changes.
#include "support/test.h"

#include <muster.h>

#include "support/random.h"

enum {
    PARENTS = 3,
    CHILDREN = 14,
    FILLERS = 4,
    OBSERVERS = 13,
    BASES = 2,
    STEPS = 30000,
    LONGEST = 512
};

typedef struct {
    ecs_entity_t observer, entity, event, source;
    ecs_id_t id;
    int64_t own, shared, param; // -1: none; without gaps, as this is compared as memory
} told_t;

typedef struct {
    ecs_world_t *world;
    ecs_entity_t lives, own, shared, tag, mark, signal; // Own and Shared have values
    ecs_entity_t bases[BASES], parents[PARENTS], children[CHILDREN], fillers[FILLERS];
    ecs_entity_t observers[OBSERVERS];
    told_t told[LONGEST];
    int32_t told_count;
} scene_t;

static random_t dice;
static int32_t below(int32_t limit) { return random_below(&dice, limit); }

static void hear(ecs_iter_t *it) {
    scene_t *scene = it->ctx;
    const int32_t *own = NULL, *shared = NULL;
    ecs_entity_t source = 0;
    for (int8_t f = 0; f < it->field_count; f++) {
        if (!ecs_field_is_set(it, f) || !ecs_field_size(it, f)) continue;
        if (!ecs_field_is_self(it, f)) source = ecs_field_src(it, f);
        *(ecs_field_is_self(it, f) ? &own : &shared) = ecs_field_w_size(it, 4, f);
    }
    for (int32_t i = 0; i < it->count; i++) {
        assert_true(scene->told_count < LONGEST);
        scene->told[scene->told_count++] = (told_t){ it->system, it->entities[i], it->event, source,
            it->event_id, own ? own[i] : -1, shared ? *shared : -1,
            it->param ? *(const int32_t *)it->param : -1 };
    }
}

// Events inside others.
static void hear_and_signal(ecs_iter_t *it) {
    const scene_t *scene = it->ctx;
    const ecs_type_t type = { &it->event_id, 1 };
    hear(it);
    if (it->event != EcsOnSet) return;
    ecs_emit(it->world, &(ecs_event_desc_t){ .event = scene->signal,
                            .ids = &type,
                            .entity = it->entities[0],
                            .const_param = &it->count });
}

static void make(scene_t *scene, bool measures) {
    *scene = (scene_t){ .world = ecs_init() };
    ecs_world_t *world = scene->world;
    ecs_measure_system_time(world, measures);
    scene->lives = ecs_new_w_id(world, EcsTraversable);
    ecs_add_id(world, scene->lives, EcsExclusive);
    scene->own = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
    scene->shared = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
    scene->tag = ecs_new(world);
    scene->mark = ecs_new(world);
    scene->signal = ecs_new(world);
    ecs_add_pair(world, scene->shared, EcsOnInstantiate, EcsInherit);
    ecs_add_pair(world, scene->mark, EcsOnInstantiate, EcsInherit);
    for (int i = 0; i < BASES; i++) scene->bases[i] = ecs_new(world);
}

static ecs_entity_t watch(scene_t *scene, int32_t number) {
    const ecs_term_t own = { .id = scene->own };
    const ecs_term_t above = { .id = scene->shared, .src.id = EcsUp, .trav = scene->lives };
    const ecs_term_t mark = { .id = scene->mark, .src.id = EcsUp, .trav = scene->lives };
    ecs_term_t maybe = above, no_mark = mark, either = mark, near = above;
    maybe.oper = EcsOptional;
    no_mark.oper = EcsNot;
    either.oper = EcsOr;
    near.src.id |= EcsSelf;
    const ecs_term_t terms[OBSERVERS][3] = { { own, above }, { own, above }, { own, near },
        { { .id = scene->tag }, above }, { above }, { own, no_mark }, { own, maybe },
        { own, either, { .id = scene->tag } }, { own, above, mark }, { own },
        { own, { .id = scene->shared } },
        { { .id = scene->tag }, { .id = scene->mark, .oper = EcsNot } },
        { own, { .id = scene->shared }, mark } };
    ecs_observer_desc_t desc = { .callback = number == 9 ? hear_and_signal : hear, .ctx = scene };
    for (int i = 0; i < 3; i++) desc.query.terms[i] = terms[number][i];
    const ecs_entity_t events[] = { EcsOnAdd, scene->signal, EcsOnRemove, EcsOnSet };
    for (int i = 0; i < (number == 5 ? 2 : number == 3 ? 3 : 4); i++) desc.events[i] = events[i];
    if (number == 1) desc.events[0] = EcsMonitor, desc.events[1] = 0;
    return ecs_observer_init(scene->world, &desc);
}

typedef struct {
    int32_t what, child, parent, filler, observer, value;
} step_t;

static void make_child(scene_t *scene, const step_t *step) {
    ecs_entity_t *child = &scene->children[step->child];
    if (*child && ecs_is_alive(scene->world, *child)) ecs_delete(scene->world, *child);
    *child = ecs_new(scene->world);
    if (scene->parents[step->parent])
        ecs_add_pair(scene->world, *child, scene->lives, scene->parents[step->parent]);
    ecs_set_id(scene->world, *child, scene->own, 4, &step->value);
}

// The last row of a table takes the place of another.
static void make_filler(scene_t *scene, const step_t *step) {
    ecs_entity_t *filler = &scene->fillers[step->filler];
    if (*filler) ecs_delete(scene->world, *filler);
    *filler = ecs_new(scene->world);
    ecs_set_id(scene->world, *filler, scene->shared, 4, &(int32_t){ -7 });
}

static void toggle(const scene_t *scene, ecs_entity_t entity, ecs_id_t id) {
    if (ecs_owns_id(scene->world, entity, id))
        ecs_remove_id(scene->world, entity, id);
    else
        ecs_add_id(scene->world, entity, id);
}

static void change_base(const scene_t *scene, const step_t *step) {
    const ecs_entity_t base = scene->bases[step->parent % BASES];
    switch (step->value % 3) {
    case 0: ecs_set_id(scene->world, base, scene->shared, 4, &step->value); break;
    case 1: ecs_remove_id(scene->world, base, scene->shared); break;
    default: toggle(scene, base, scene->mark);
    }
}

static void change_parent(scene_t *scene, const step_t *step) {
    ecs_world_t *world = scene->world;
    ecs_entity_t *parent = &scene->parents[step->parent];
    if (!*parent) *parent = ecs_new(world);
    switch (step->value % 5) {
    case 0: ecs_set_id(world, *parent, scene->shared, 4, &step->value); break;
    case 1: ecs_remove_id(world, *parent, scene->shared); break;
    case 2: toggle(scene, *parent, scene->mark); break;
    case 3:
        ecs_delete(world, *parent);
        *parent = 0;
        break;
    default:
        if (*parent && step->parent && scene->parents[0])
            ecs_add_pair(world, *parent, scene->lives, scene->parents[0]);
    }
}

static void signal_it(const scene_t *scene, ecs_entity_t entity, const step_t *step) {
    ecs_id_t ids[] = { scene->own, scene->tag, scene->shared };
    const ecs_type_t type = { &ids[step->value % 3],
        1 + step->value % 5 / 4 * (step->value % 3 < 2) };
    ecs_emit(scene->world, &(ecs_event_desc_t){ .event = scene->signal,
                               .ids = step->value % 7 ? &type : NULL,
                               .entity = entity,
                               .const_param = &step->value });
}

// Sometimes there is only one.
static void change_observer(scene_t *scene, const step_t *step) {
    for (int32_t i = 0; step->value % 4 == 0 && i < OBSERVERS; i++) {
        if (scene->observers[i]) ecs_delete(scene->world, scene->observers[i]);
        scene->observers[i] = 0;
    }
    ecs_entity_t *observer = &scene->observers[step->observer];
    if (*observer) ecs_delete(scene->world, *observer);
    *observer = *observer ? 0 : watch(scene, step->observer);
}

static void change(scene_t *scene, const step_t *step) {
    const ecs_entity_t child = scene->children[step->child];
    ecs_world_t *world = scene->world;
    if (step->what >= 97) {
        change_observer(scene, step);
    } else if (step->what >= 95) {
        change_base(scene, step);
    } else if (step->what >= 91) {
        change_parent(scene, step);
        if (scene->parents[step->parent]) signal_it(scene, scene->parents[step->parent], step);
    } else if (step->what >= 88) {
        make_filler(scene, step);
    } else if (step->what >= 84 || !child || !ecs_is_alive(world, child)) {
        make_child(scene, step);
    } else if (step->what >= 78) {
        if (scene->parents[step->parent])
            ecs_add_pair(world, child, scene->lives, scene->parents[step->parent]);
    } else if (step->what >= 75) {
        toggle(scene, child, scene->shared);
    } else if (step->what >= 71) {
        toggle(scene, child, ecs_pair(EcsIsA, scene->bases[step->parent % BASES]));
    } else if (step->what >= 40) {
        toggle(scene, child, scene->tag);
    } else if (step->what >= 30) {
        toggle(scene, child, scene->own);
    } else if (step->what >= 15) {
        signal_it(scene, child, step);
    } else {
        ecs_set_id(world, child, scene->own, 4, &step->value);
    }
}

static step_t roll(void) {
    return (step_t){ below(100), below(CHILDREN), below(PARENTS), below(FILLERS), below(OBSERVERS),
        below(1000) };
}

// OBS-01 to OBS-03, OBS-06
static void what_is_remembered_is_what_would_be_found_out(void **state) {
    (void)state;
    static scene_t scenes[2];
    dice = random_init(random_seed());
    for (int w = 0; w < 2; w++) make(&scenes[w], w);
    const int32_t steps = random_tries(STEPS);
    int32_t told = 0;
    for (int32_t s = 0; s < steps; s++) {
        const step_t step = roll();
        for (int w = 0; w < 2; w++) {
            scenes[w].told_count = 0;
            change(&scenes[w], &step);
        }
        told += scenes[0].told_count;
        assert_int_equal(scenes[0].told_count, scenes[1].told_count);
        assert_memory_equal(
            scenes[0].told, scenes[1].told, sizeof(told_t) * (size_t)scenes[0].told_count);
        if (s % 500 == 0) assert_true(ecs_world_verify(scenes[0].world));
    }
    assert_true(told > steps / 4);
    for (int w = 0; w < 2; w++) ecs_fini(scenes[w].world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_remembered_is_what_would_be_found_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
