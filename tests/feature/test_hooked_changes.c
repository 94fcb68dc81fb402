// SPDX-License-Identifier: MIT
// Rows with values that have hooks, names, toggles and bases move along edges like plain ones; a model tells what has to be there.
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <muster.h>

#include "support/random.h"

/** Ways in which values of a component are more than bytes. */
typedef enum {
    PLAIN,
    OWNER,   /* owns memory, and is moved as bytes */
    PINNED,  /* knows where it is, and so wants to be told of moves */
    WATCHED, /* tells who gets and loses it */
    TOGGLED,
    TAG,
    KINDS
} kind_t;

enum { ENTITIES = 24, BASE = ENTITIES - 1, STEPS = 6000, BATCH = 12 };

static random_t dice;
static int32_t below(int32_t limit) { return random_below(&dice, limit); }
static int32_t live, come, gone; // values that own something or are pinned; calls about WATCHED

typedef struct owner_t {
    int32_t *number; // 0: nothing was set
} owner_t;

typedef struct pinned_t {
    struct pinned_t *self;
    int32_t number;
} pinned_t;

// ---- hooks ----

static void construct_owners(void *ptr, int32_t count, const ecs_type_info_t *type) {
    memset(ptr, 0, (size_t)type->size * (size_t)count);
    live += count;
}

static void destruct_owners(void *ptr, int32_t count, const ecs_type_info_t *type) {
    owner_t *owners = ptr;
    (void)type;
    for (int32_t i = 0; i < count; i++) free(owners[i].number);
    live -= count;
}

static void copy_owners(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    owner_t *to = dst;
    const owner_t *from = src;
    (void)type;
    for (int32_t i = 0; i < count; i++) {
        free(to[i].number);
        to[i].number = from[i].number ? malloc(sizeof(int32_t)) : NULL;
        if (to[i].number) *to[i].number = *from[i].number;
    }
}

static void construct_pinned(void *ptr, int32_t count, const ecs_type_info_t *type) {
    pinned_t *pinned = ptr;
    (void)type;
    for (int32_t i = 0; i < count; i++) pinned[i] = (pinned_t){ &pinned[i], 0 };
    live += count;
}

static void destruct_pinned(void *ptr, int32_t count, const ecs_type_info_t *type) {
    const pinned_t *pinned = ptr;
    (void)type;
    for (int32_t i = 0; i < count; i++) assert_ptr_equal(pinned[i].self, &pinned[i]);
    live -= count;
}

static void copy_pinned(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    for (int32_t i = 0; i < count; i++)
        ((pinned_t *)dst)[i].number = ((const pinned_t *)src)[i].number;
}

static void move_pinned(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    copy_pinned(dst, src, count, type);
}

static void count_come(ecs_iter_t *it) { come += it->count; }
static void count_gone(ecs_iter_t *it) { gone += it->count; }

// ---- the scene and its model ----

/** The last entity is the base of others. */
typedef struct model_t {
    bool is_instance;
    bool has[KINDS];
    int32_t number[KINDS];
    bool is_off;
} model_t;

typedef struct scene_t {
    ecs_world_t *world;
    ecs_entity_t ids[KINDS], entities[ENTITIES], observers[KINDS];
    model_t models[ENTITIES];
    int32_t come, gone, told; /* as they should be */
} scene_t;

static int32_t told;

static void count_told(ecs_iter_t *it) { told += it->count; }

static ecs_entity_t component(ecs_world_t *world, size_t size) {
    return ecs_component(world, { .type = { .size = (ecs_size_t)size, .alignment = 4 } });
}

static void make(scene_t *scene) {
    *scene = (scene_t){ .world = ecs_mini() };
    ecs_world_t *world = scene->world;
    const size_t sizes[KINDS] = { 4, sizeof(owner_t), sizeof(pinned_t), 12, 4, 0 };
    for (int k = 0; k < KINDS; k++)
        scene->ids[k] = sizes[k] ? component(world, sizes[k]) : ecs_new(world);
    ecs_set_hooks_id(world, scene->ids[OWNER],
        &(ecs_type_hooks_t){
            .ctor = construct_owners, .dtor = destruct_owners, .copy = copy_owners });
    ecs_set_hooks_id(world, scene->ids[PINNED],
        &(ecs_type_hooks_t){ .ctor = construct_pinned,
            .dtor = destruct_pinned,
            .copy = copy_pinned,
            .move = move_pinned });
    ecs_set_hooks_id(world, scene->ids[WATCHED],
        &(ecs_type_hooks_t){ .on_add = count_come, .on_remove = count_gone });
    ecs_add_id(world, scene->ids[TOGGLED], EcsCanToggle);
    for (int i = 0; i < ENTITIES; i++) {
        const char name[] = { 'e', (char)('a' + i), 0 };
        scene->entities[i] = ecs_entity(world, { .name = i % 3 ? NULL : name });
    }
    for (int i = 0; i < BASE; i += 2) {
        ecs_add_pair(world, scene->entities[i], EcsIsA, scene->entities[BASE]);
        scene->models[i].is_instance = true;
    }
}

// ---- changes ----

static void set(scene_t *scene, int32_t i, kind_t kind, int32_t number) {
    ecs_world_t *world = scene->world;
    const ecs_entity_t entity = scene->entities[i], id = scene->ids[kind];
    const int32_t plain[3] = { number, 0, 0 };
    switch (kind) {
    case OWNER: ecs_set_id(world, entity, id, sizeof(owner_t), &(owner_t){ &number }); break;
    case PINNED:
        ecs_set_id(world, entity, id, sizeof(pinned_t), &(pinned_t){ .number = number });
        break;
    case WATCHED: ecs_set_id(world, entity, id, sizeof plain, plain); break;
    case TAG: ecs_add_id(world, entity, id); break;
    default: ecs_set_id(world, entity, id, 4, plain);
    }
}

// What comes begins as it is in the base.
static void note(scene_t *scene, int32_t i, kind_t kind, bool has) {
    model_t *model = &scene->models[i];
    const model_t *base = &scene->models[BASE];
    bool changes = model->has[kind] != has;
    model->has[kind] = has;
    if (changes)
        model->number[kind] = has && model->is_instance && base->has[kind] ? base->number[kind] : 0;
    if (changes && kind == WATCHED) *(has ? &scene->come : &scene->gone) += 1;
    if (changes && scene->observers[kind]) scene->told++;
}

static void change(scene_t *scene, int32_t i, kind_t kind, int32_t what, int32_t number) {
    model_t *model = &scene->models[i];
    if (what == 0 && kind == TOGGLED && model->has[kind]) {
        ecs_enable_id(scene->world, scene->entities[i], scene->ids[kind], model->is_off);
        model->is_off = !model->is_off;
    } else if (what < 3) {
        ecs_remove_id(scene->world, scene->entities[i], scene->ids[kind]);
        note(scene, i, kind, false);
    } else if (what == 3) {
        ecs_add_id(scene->world, scene->entities[i], scene->ids[kind]);
        note(scene, i, kind, true);
    } else {
        set(scene, i, kind, number);
        note(scene, i, kind, true);
        if (kind != TAG) model->number[kind] = number;
    }
}

// One entity, or a batch that says the same of several.
static void step(scene_t *scene) {
    const int32_t count = below(3) ? 1 : BATCH, first = below(ENTITIES), what = below(8);
    const kind_t kind = (kind_t)below(KINDS);
    const bool deferred = count > 1 || below(2);
    if (deferred) ecs_defer_begin(scene->world);
    for (int32_t n = 0; n < count; n++) {
        const int32_t i = (first + n) % ENTITIES;
        if (count == 1 || i != BASE) change(scene, i, kind, what, 1 + below(1000));
    }
    if (deferred) ecs_defer_end(scene->world);
}

static void watch(scene_t *scene) {
    const int32_t kind = below(KINDS);
    if (scene->observers[kind]) {
        ecs_delete(scene->world, scene->observers[kind]);
        scene->observers[kind] = 0;
        return;
    }
    scene->observers[kind] =
        ecs_observer(scene->world, { .query.terms = { { scene->ids[kind], .src.id = EcsSelf } },
                                       .events = { EcsOnAdd, EcsOnRemove },
                                       .callback = count_told });
}

// ---- checks ----

static int32_t number_of(const void *value, int32_t kind) {
    switch (kind) {
    case OWNER: return ((const owner_t *)value)->number ? *((const owner_t *)value)->number : 0;
    case PINNED:
        assert_ptr_equal(((const pinned_t *)value)->self, value);
        return ((const pinned_t *)value)->number;
    default: return *(const int32_t *)value;
    }
}

static void check(const scene_t *scene, int32_t i) {
    const ecs_entity_t entity = scene->entities[i];
    for (int k = 0; k < KINDS; k++) {
        const bool has = scene->models[i].has[k];
        assert_true(ecs_owns_id(scene->world, entity, scene->ids[k]) == has);
        if (!has || k == TAG) continue;
        const void *value = ecs_get_id(scene->world, entity, scene->ids[k]);
        assert_int_equal(number_of(value, k), scene->models[i].number[k]);
    }
    if (scene->models[i].has[TOGGLED])
        assert_true(ecs_is_enabled_id(scene->world, entity, scene->ids[TOGGLED]) ==
                    !scene->models[i].is_off);
    const char *name = ecs_get_name(scene->world, entity);
    assert_true(!name == !!(i % 3));
    if (name) assert_true(ecs_lookup(scene->world, name) == entity);
}

static void check_totals(const scene_t *scene) {
    int32_t values = 0;
    for (int i = 0; i < ENTITIES; i++) {
        values += scene->models[i].has[OWNER] + scene->models[i].has[PINNED];
        check(scene, i);
    }
    assert_int_equal(live, values);
    assert_int_equal(come, scene->come);
    assert_int_equal(gone, scene->gone);
    assert_int_equal(told, scene->told);
    assert_true(ecs_world_verify(scene->world));
}

// CMP-11, STO-06, OBS-01, ISA-02
static void hooked_values_follow_their_entity(void **state) {
    (void)state;
    scene_t scene;
    dice = random_init(random_seed());
    live = come = gone = told = 0;
    make(&scene);
    for (int s = 0; s < random_tries(STEPS); s++) {
        if (s % 50 == 0) watch(&scene);
        step(&scene);
        check(&scene, below(ENTITIES));
        if (s % 100 == 0) check_totals(&scene);
    }
    check_totals(&scene);
    ecs_fini(scene.world);
    assert_int_equal(live, 0);
}

// A destructor may ask for changes: they wait until the row is where it belongs.
static ecs_world_t *ended_world;
static ecs_entity_t ended;

static void delete_other(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)ptr, (void)count, (void)type;
    if (ended) ecs_delete(ended_world, ended);
    ended = 0;
}

// CMP-11
static void what_destructors_change_waits(void **state) {
    (void)state;
    ecs_world_t *world = ended_world = ecs_mini();
    ecs_entity_t c = component(world, 8), d = component(world, 8), e[3];
    ecs_set_hooks_id(world, c, &(ecs_type_hooks_t){ .dtor = delete_other });
    for (uint64_t i = 0; i < 3; i++) {
        ecs_set_id(world, e[i] = ecs_new(world), d, 8, &(uint64_t){ i });
        ecs_add_id(world, e[i], c);
    }
    ecs_remove_id(world, e[1], c);
    ended = e[2]; // in the row that takes the place of what goes
    ecs_remove_id(world, e[0], c);
    assert_false(ecs_is_alive(world, e[2]));
    for (uint64_t i = 0; i < 2; i++) {
        assert_false(ecs_has_id(world, e[i], c));
        assert_int_equal(*(const uint64_t *)ecs_get_id(world, e[i], d), i);
    }
    assert_true(ecs_world_verify(world));
    ecs_fini(world);
}

// ---- what hooks are shown ----

typedef struct {
    int32_t depth, calls;
    ecs_entity_t other; // changed by the hook, at once, while it runs for another
} shown_t;

static void look(ecs_iter_t *it) {
    shown_t *shown = it->ctx;
    const ecs_entity_t entity = it->entities[0];
    const ecs_id_t id = ecs_field_id(it, 0);
    const int32_t number = *(const int32_t *)ecs_field_w_size(it, 4, 0);
    assert_int_equal(it->event_id, id);
    shown->calls++;
    if (shown->depth++ == 0 && shown->other) {
        ecs_defer_suspend(it->world);
        ecs_set_id(it->world, shown->other, id, 4, &(int32_t){ 1000 + number });
        ecs_defer_resume(it->world);
    }
    shown->depth--;
    assert_int_equal(it->count, 1);
    assert_ptr_equal(it->entities[0], entity);
    assert_ptr_equal(it->table, ecs_get_table(it->world, entity));
    assert_int_equal(ecs_field_id(it, 0), id);
    assert_int_equal(*(const int32_t *)ecs_field_w_size(it, 4, 0), number);
    assert_ptr_equal(ecs_field_w_size(it, 4, 0), ecs_get_id(it->world, entity, id));
}

// CMP-11: hooks that run for one component and table after the other, and inside others, in rows and in sets; as last set.
static void hooks_are_shown_what_they_are_called_for(void **state) {
    (void)state;
    ecs_world_t *world = ecs_mini();
    shown_t shown[3] = { { 0 } };
    ecs_entity_t ids[3], tag = ecs_new(world), e[6];
    for (int i = 0; i < 3; i++) {
        ids[i] = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
        if (i == 2) ecs_add_id(world, ids[i], EcsSparse);
        ecs_set_hooks_id(world, ids[i], &(ecs_type_hooks_t){ .on_set = look, .ctx = &shown[i] });
    }
    for (int i = 0; i < 6; i++) e[i] = i & 1 ? ecs_new_w_id(world, tag) : ecs_new(world);
    for (int32_t n = 0; n < 72; n++) {
        const ecs_entity_t entity = e[n / 3 % 6];
        const int c = n % 3;
        shown[c].other = n < 36 || n % 5 ? 0 : e[(n / 3 + 2) % 6]; // in the same table
        ecs_set_id(world, entity, ids[c], 4, &n);
        assert_int_equal(*(const int32_t *)ecs_get_id(world, entity, ids[c]), n);
        if (!shown[c].other) continue;
        assert_int_equal(*(const int32_t *)ecs_get_id(world, shown[c].other, ids[c]), 1000 + n);
    }
    assert_int_equal(shown[0].calls + shown[1].calls + shown[2].calls, 72 + 7);
    shown_t later = { 0 };
    ecs_set_hooks_id(world, ids[0], &(ecs_type_hooks_t){ .on_set = look, .ctx = &later });
    ecs_set_id(world, e[0], ids[0], 4, &(int32_t){ 7 });
    assert_int_equal(later.calls, 1);
    ecs_fini(world);
}

static bool accept(ecs_world_t *world, ecs_entity_t entity, void *value) {
    (void)world;
    (void)entity;
    (void)value;
    told++;
    return true;
}

// CMP-11: each value that is set, wherever it is kept, at once or queued, on the world or in a readonly one.
static void each_value_that_is_set_is_told(void **state) {
    (void)state;
    const ecs_entity_t kept[] = { 0, EcsSparse, EcsDontFragment };
    const ecs_type_hooks_t hooks[] = { { .on_set = count_told }, { .on_replace = count_told },
        { .on_validate = accept } };
    for (int n = 0; n < 3 * 3 * 3; n++) {
        ecs_world_t *world = ecs_mini();
        const int way = n / 9;
        ecs_entity_t id = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
        if (n % 3) ecs_add_id(world, id, kept[n % 3]);
        ecs_set_hooks_id(world, id, &hooks[n / 3 % 3]);
        ecs_entity_t e = ecs_new(world);
        told = 0;
        for (int32_t i = 0; i < 4; i++) {
            if (way == 1) ecs_defer_begin(world);
            if (way == 2) ecs_readonly_begin(world, false);
            ecs_set_id(way == 2 ? ecs_get_stage(world, 0) : world, e, id, 4, &i);
            if (way == 1) ecs_defer_end(world);
            if (way == 2) ecs_readonly_end(world);
            assert_int_equal(told, i + 1);
            assert_int_equal(*(const int32_t *)ecs_get_id(world, e, id), i);
        }
        ecs_fini(world);
    }
}

static void rename_it(ecs_iter_t *it) {
    ecs_defer_suspend(it->world);
    ecs_set_name(it->world, it->entities[0], "Joe");
    ecs_defer_resume(it->world);
}

// NAM-04: a name that is given while it is about to go is nobody's afterwards. Pairs of this component are told behind names.
static void names_that_come_as_they_go_are_gone(void **state) {
    (void)state;
    ecs_world_t *world = ecs_mini();
    ecs_entity_t id = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
    ecs_set_hooks_id(world, id, &(ecs_type_hooks_t){ .on_remove = rename_it });
    ecs_entity_t e = ecs_entity(world, { .name = "Ann" });
    ecs_add_pair(world, e, id, ecs_new(world));
    ecs_clear(world, e);
    assert_null(ecs_get_name(world, e));
    assert_int_equal(ecs_lookup(world, "Ann"), 0);
    assert_int_equal(ecs_lookup(world, "Joe"), 0);
    assert_true(ecs_world_verify(world));
    ecs_fini(world);
}

static void end_somebody(ecs_iter_t *it) {
    const ecs_entity_t *whom = it->ctx;
    ecs_defer_suspend(it->world);
    ecs_delete(it->world, *whom ? *whom : it->entities[0]);
    ecs_defer_resume(it->world);
}

// The clone, or the original, ends while what is copied is told, in its table and beside it.
static void clones_may_end_as_they_are_made(void **state) {
    (void)state;
    for (int32_t n = 0; n < 4; n++) {
        for (int32_t ends_original = 0; ends_original < 2; ends_original++) {
            ecs_world_t *world = ecs_mini();
            ecs_entity_t tag = ecs_new(world), thin = ecs_new_w_id(world, EcsDontFragment);
            ecs_entity_t toggle = ecs_new_w_id(world, EcsCanToggle), whom = 0;
            ecs_entity_t value = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
            const ecs_id_t ids[] = { tag, thin, toggle, value };
            ecs_entity_t e = ecs_new(world);
            for (int32_t i = 0; i < 4; i++) ecs_add_id(world, e, ids[i]);
            ecs_enable_id(world, e, toggle, false);
            ecs_observer(world, { .query.terms = { { .id = ids[n] } },
                                    .events = { n == 3 ? EcsOnSet : EcsOnAdd },
                                    .callback = end_somebody,
                                    .ctx = &whom });
            if (ends_original) whom = e;
            ecs_entity_t clone = ecs_clone(world, 0, e, true);
            assert_true(ecs_is_alive(world, clone) == ends_original);
            assert_true(ecs_is_alive(world, e) == !ends_original);
            assert_true(ecs_world_verify(world));
            ecs_fini(world);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hooked_values_follow_their_entity),
        cmocka_unit_test(what_destructors_change_waits),
        cmocka_unit_test(hooks_are_shown_what_they_are_called_for),
        cmocka_unit_test(each_value_that_is_set_is_told),
        cmocka_unit_test(names_that_come_as_they_go_are_gone),
        cmocka_unit_test(clones_may_end_as_they_are_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
