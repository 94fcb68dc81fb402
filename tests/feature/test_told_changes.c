// SPDX-License-Identifier: MIT
// What hooks and observers are told does not depend on how short the way of a change is: an entity with ordered children changes in the
// general way, others mostly in shorter ones.
#include "support/test.h"

#include <string.h>

#include <muster.h>

#include "support/random.h"

enum { KINDS = 7, TEAMS = 4, STEPS = 4000, LONGEST = 64 };
enum { GENERAL, PARENT, ALONE, WAYS };
enum { BYTES, CALLED, APART, APART_CALLED, BESIDE, BESIDE_CALLED, TAG };

typedef struct {
    ecs_entity_t event, id;
    int64_t value;         // -1: none
    uint32_t has, is_hook; // kinds that the entity had then
} told_t;

typedef struct {
    told_t told[LONGEST];
    int32_t count;
} log_t;

typedef struct {
    ecs_world_t *world;
    ecs_entity_t ids[KINDS], teams[TEAMS][WAYS];
    ecs_entity_t observers[KINDS];
    log_t log;
    bool hears_nothing;
} scene_t;

static random_t dice;
static int32_t below(int32_t limit) { return random_below(&dice, limit); }

static bool is_tag(int32_t kind) { return kind == TAG; }

static uint32_t kinds_of(const scene_t *scene, ecs_entity_t e) {
    uint32_t has = 0;
    for (int32_t k = 0; k < KINDS; k++)
        has |= (uint32_t)ecs_has_id(scene->world, e, scene->ids[k]) << k;
    return has;
}

static const int32_t *value_in(const scene_t *scene, ecs_iter_t *it, ecs_entity_t id, int32_t row) {
    if (id == scene->ids[TAG]) return NULL;
    if (it->row_fields & 1) return ecs_field_at_w_size(it, 4, 0, row);
    return (const int32_t *)ecs_field_w_size(it, 4, 0) + row;
}

static void note(scene_t *scene, ecs_iter_t *it, ecs_entity_t id, bool is_hook) {
    for (int32_t i = 0; i < it->count && !scene->hears_nothing; i++) {
        const int32_t *value = value_in(scene, it, id, i);
        assert_true(scene->log.count < LONGEST);
        scene->log.told[scene->log.count++] = (told_t){ it->event, id, value ? *value : -1,
            kinds_of(scene, it->entities[i]), is_hook };
    }
}

static void hear_hook(ecs_iter_t *it) { note(it->ctx, it, ecs_field_id(it, 0), true); }
static void hear(ecs_iter_t *it) { note(it->ctx, it, it->event_id, false); }

static ecs_entity_t component(scene_t *scene, int32_t kind) {
    ecs_entity_t id = ecs_component(scene->world, { .type = { .size = 4, .alignment = 4 } });
    if (kind == APART || kind == APART_CALLED) ecs_add_id(scene->world, id, EcsSparse);
    if (kind == BESIDE || kind == BESIDE_CALLED) ecs_add_id(scene->world, id, EcsDontFragment);
    if (kind == CALLED || kind == APART_CALLED || kind == BESIDE_CALLED) {
        ecs_type_hooks_t hooks = {
            .on_add = hear_hook, .on_set = hear_hook, .on_remove = hear_hook
        };
        hooks.ctx = scene;
        ecs_set_hooks_id(scene->world, id, &hooks);
    }
    return id;
}

static void make_team(scene_t *scene, int32_t team) {
    ecs_world_t *world = scene->world;
    for (int32_t w = 0; w < WAYS; w++) scene->teams[team][w] = ecs_new(world);
    ecs_add_id(world, scene->teams[team][GENERAL], EcsOrderedChildren);
    ecs_new_w_pair(world, EcsChildOf, scene->teams[team][PARENT]);
}

static void make(scene_t *scene) {
    ecs_world_t *world = scene->world = ecs_mini();
    for (int32_t k = 0; k < KINDS; k++)
        scene->ids[k] = is_tag(k) ? ecs_new(world) : component(scene, k);
    for (int32_t i = 0; i < TEAMS; i++) make_team(scene, i);
}

static void watch(scene_t *scene) {
    const int32_t kind = below(KINDS);
    if (scene->observers[kind]) {
        ecs_delete(scene->world, scene->observers[kind]);
        scene->observers[kind] = 0;
        return;
    }
    ecs_observer_desc_t desc = {
        .query.terms = { { scene->ids[kind] } }, .callback = hear, .ctx = scene
    };
    desc.events[0] = EcsOnAdd;
    desc.events[1] = EcsOnRemove;
    if (!is_tag(kind)) desc.events[2] = EcsOnSet;
    scene->observers[kind] = ecs_observer_init(scene->world, &desc);
}

typedef enum { ADD, REMOVE, SET, MODIFY, DISABLE, WHATS } what_t;

static void change(scene_t *scene, ecs_entity_t e, int32_t kind, what_t what, int32_t value) {
    ecs_world_t *world = scene->world;
    const ecs_id_t id = scene->ids[kind];
    if (is_tag(kind) && (what == SET || what == MODIFY)) what = ADD;
    if (what == MODIFY && !ecs_has_id(world, e, id)) what = REMOVE;
    switch (what) {
    case ADD: ecs_add_id(world, e, id); break;
    case REMOVE: ecs_remove_id(world, e, id); break;
    case SET: ecs_set_id(world, e, id, 4, &value); break;
    case MODIFY:
        *(int32_t *)ecs_get_mut_id(world, e, id) = value;
        ecs_modified_id(world, e, id);
        break;
    default: ecs_enable(world, e, !ecs_has_id(world, e, EcsDisabled));
    }
}

static void check_alike(scene_t *scene, ecs_entity_t a, ecs_entity_t b) {
    assert_int_equal(kinds_of(scene, a), kinds_of(scene, b));
    for (int32_t k = 0; k < KINDS; k++) {
        if (is_tag(k) || !ecs_has_id(scene->world, a, scene->ids[k])) continue;
        assert_int_equal(*(const int32_t *)ecs_get_id(scene->world, a, scene->ids[k]),
            *(const int32_t *)ecs_get_id(scene->world, b, scene->ids[k]));
    }
}

// Some are looked at as users see them, so that their rows are known elsewhere, too.
static void look(scene_t *scene, ecs_entity_t e) {
    assert_ptr_equal(ecs_record_find(scene->world, e)->table, ecs_get_table(scene->world, e));
}

static void step(scene_t *scene, bool deferred) {
    const ecs_entity_t *team = scene->teams[below(TEAMS)];
    int32_t kinds[4], values[4], count = deferred ? 1 + below(4) : 1;
    what_t whats[4];
    for (int32_t i = 0; i < count; i++) {
        kinds[i] = below(KINDS);
        values[i] = below(1000);
        whats[i] = (what_t)below(deferred ? MODIFY : WHATS);
    }
    log_t general = { 0 };
    for (int32_t way = 0; way < WAYS; way++) {
        scene->log.count = 0;
        if (deferred) ecs_defer_begin(scene->world);
        for (int32_t i = 0; i < count; i++) change(scene, team[way], kinds[i], whats[i], values[i]);
        if (deferred) ecs_defer_end(scene->world);
        if (way == GENERAL) general = scene->log;
        assert_int_equal(scene->log.count, general.count);
        assert_memory_equal(scene->log.told, general.told, sizeof(told_t) * (size_t)general.count);
        check_alike(scene, team[GENERAL], team[way]);
        if (!below(200)) look(scene, team[way]);
    }
}

// Of some that die another takes the row.
static void replace(scene_t *scene) {
    const int32_t team = below(TEAMS);
    scene->hears_nothing = true;
    for (int32_t way = 0; way < WAYS; way++) ecs_delete(scene->world, scene->teams[team][way]);
    scene->hears_nothing = false;
    make_team(scene, team);
}

// OBS-01, OBS-02, CMP-11, STO-06, DEF-01
static void short_ways_tell_the_same(void **state) {
    (void)state;
    scene_t scene = { 0 };
    dice = random_init(random_seed());
    make(&scene);
    for (int32_t s = 0; s < random_tries(STEPS); s++) {
        if (s % 40 == 0) watch(&scene);
        if (s % 100 == 0) replace(&scene);
        step(&scene, s / 10 % 2);
        if (s % 200 == 0) assert_true(ecs_world_verify(scene.world));
    }
    scene.hears_nothing = true;
    ecs_fini(scene.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_ways_tell_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
