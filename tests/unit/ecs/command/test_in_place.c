// SPDX-License-Identifier: MIT
// Values applied in place, by a crew of any size and order, against the same commands applied one by one in the order of slots.
#include "support/world.h"

#include <string.h>
#include "crew.h"
#include "support/random.h"

enum { SLOTS = 12, SUBJECTS = 2400, COMMANDS = 400 };

typedef struct value_t {
    int64_t number;
    int32_t more;
} value_t;

typedef struct told_t {
    int32_t a;
} told_t;

/** What the commands are about; the same ids in each world. */
typedef struct scene_t {
    ecs_world_t *world;
    ecs_ext_slots_t *slots;
    ecs_entity_t value, small, tag, told, subjects[SUBJECTS];
    int32_t told_count;
} scene_t;

// ---- scenes ----

static void count_told(ecs_iter_t *it) { ((scene_t *)it->ctx)->told_count += it->count; }

static ecs_entity_t component(ecs_world_t *world, ecs_size_t size) {
    return ecs_component(world, { .type = { .size = size, .alignment = 4 } });
}

// Whoever wants to know of tables that fill keeps everything in order: the reference. Others are about what is never changed.
static void make(scene_t *scene, bool is_reference) {
    *scene = (scene_t){ .world = ecs_mini() };
    ecs_world_t *world = scene->world;
    scene->slots = ecs_ext_slots_new();
    scene->value = component(world, sizeof(value_t));
    scene->small = component(world, 4);
    scene->told = component(world, sizeof(told_t));
    scene->tag = ecs_new(world);
    ecs_entity_t unused = component(world, 4), observer = ecs_new(world);
    for (int i = 0; i < SUBJECTS; i++) {
        scene->subjects[i] = ecs_new_w_id(world, scene->small);
        if (i % 3) ecs_add_id(world, scene->subjects[i], scene->value);
        if (i % 5 == 0) ecs_add_id(world, scene->subjects[i], scene->tag);
    }
    ecs_observer_init(world, &(ecs_observer_desc_t){ .entity = observer,
                                 .query.terms = { { .id = unused } },
                                 .events = { EcsOnSet, EcsOnAdd, EcsOnRemove,
                                     is_reference ? EcsOnTableFill : EcsOnTableDelete },
                                 .callback = count_told,
                                 .ctx = scene });
}

static void end(scene_t *scene) {
    ecs_ext_slots_free(scene->slots);
    assert_true(ecs_world_verify(scene->world));
    ecs_fini(scene->world);
}

typedef enum { SETS, MIXED, LOUD, RISING, REPEATED } what_t;

static bool rises(what_t what) { return what == RISING || what == REPEATED; }

static void record(
    scene_t *scene, random_t *random, ecs_world_t *stage, ecs_entity_t subject, what_t what) {
    int32_t choice = what == SETS ? 0 : random_below(random, 20);
    value_t value;
    memset(&value, 0, sizeof value); /* values are compared with their padding */
    value.number = (int64_t)random_next(random);
    value.more = random_below(random, 100);
    switch (choice) {
    case 1: ecs_add_id(stage, subject, scene->tag); break;
    case 2: ecs_remove_id(stage, subject, scene->tag); break;
    case 3: ecs_remove_id(stage, subject, scene->value); break;
    case 4:
        if (!rises(what)) ecs_delete(stage, subject);
        break;
    case 5: ecs_clear(stage, subject); break;
    case 6: ecs_modified_id(stage, subject, scene->small); break;
    case 7:
        if (!rises(what)) subject = ecs_new(stage);
        ecs_set_id(stage, subject, scene->value, sizeof(value_t), &value);
        break;
    case 8:
        if (what == LOUD) ecs_set_id(stage, subject, scene->told, sizeof(told_t), &value);
        break;
    case 9: ecs_set_id(stage, subject, scene->small, 4, &value.more); break;
    default: ecs_set_id(stage, subject, scene->value, sizeof(value_t), &value);
    }
}

// Of rising entities each has one command, or a few; else most are about subjects of the slot, and some about those of others.
static void record_slot(
    scene_t *scene, random_t *random, ecs_world_t *stage, int32_t slot, what_t what) {
    const int32_t count = SUBJECTS / SLOTS;
    for (int32_t i = 0; i < (rises(what) ? count : COMMANDS); i++) {
        int32_t own = slot * count + (rises(what) ? i : random_below(random, count));
        bool is_own = rises(what) || random_below(random, 40);
        int32_t subject = is_own ? own : random_below(random, SUBJECTS);
        int32_t times = what == REPEATED ? 1 + random_below(random, 3) : 1;
        while (times--) record(scene, random, stage, scene->subjects[subject], what);
    }
}

// One stretch: every slot records, the same in every world.
static void stretch(scene_t *scene, uint64_t seed, what_t what, const ecs_ext_crew_t *crew) {
    random_t random = random_init(seed);
    ecs_stage_t *stage = ecs_ext_stage(scene->world, 0);
    ecs_ext_slots_begin(scene->world, scene->slots, SLOTS);
    for (int32_t slot = 0; slot < SLOTS; slot++) {
        ecs_ext_slot_open(stage, scene->slots, slot, 0);
        record_slot(scene, &random, ecs_get_stage(scene->world, 0), slot, what);
        ecs_ext_slot_close(stage);
    }
    ecs_ext_slots_merge(scene->world, scene->slots, crew);
    for (int i = 0; i < SUBJECTS; i++) {
        if (!ecs_is_alive(scene->world, scene->subjects[i]))
            scene->subjects[i] = ecs_new_w_id(scene->world, scene->small);
    }
}

static void assert_equal_values(const scene_t *a, const scene_t *b, ecs_id_t id, size_t size) {
    ecs_iter_t x = ecs_each_id(a->world, id), y = ecs_each_id(b->world, id);
    bool more;
    while ((more = ecs_each_next(&x))) {
        assert_true(ecs_each_next(&y));
        assert_int_equal(x.count, y.count);
        assert_memory_equal(x.entities, y.entities, (size_t)x.count * sizeof(ecs_entity_t));
        if (size)
            assert_memory_equal(ecs_field_w_size(&x, size, 0), ecs_field_w_size(&y, size, 0),
                (size_t)x.count * size);
    }
    assert_false(ecs_each_next(&y));
}

static void assert_equal_scenes(const scene_t *a, const scene_t *b) {
    assert_memory_equal(a->subjects, b->subjects, sizeof a->subjects);
    assert_equal_values(a, b, a->value, sizeof(value_t));
    assert_equal_values(a, b, a->small, 4);
    assert_equal_values(a, b, a->told, sizeof(told_t));
    assert_equal_values(a, b, a->tag, 0);
    assert_int_equal(
        ecs_get_world_info(a->world)->cmd.set_count, ecs_get_world_info(b->world)->cmd.set_count);
    assert_int_equal(a->told_count, b->told_count);
}

// ---- tests ----

// performance.md row 31; THR-04: merging does not depend on who does it.
static void compare(what_t what, uint64_t seed) {
    scene_t scenes[4];
    static const crew_kind_t kinds[] = { NOBODY, NOBODY, ALONE_BACKWARDS, FOUR_THREADS };
    crew_t crews[4];
    for (int i = 0; i < 4; i++) make(&scenes[i], i == 0);
    for (int i = 0; i < 4 && what == LOUD; i++) {
        ecs_set_hooks_id(scenes[i].world, scenes[i].told,
            &(ecs_type_hooks_t){ .on_set = count_told, .ctx = &scenes[i] });
    }
    int32_t called = 0;
    for (uint64_t tick = 0; tick < 6; tick++) {
        for (int i = 0; i < 4; i++) {
            stretch(&scenes[i], seed + tick, what, crew_begin(&crews[i], kinds[i]));
            called += crews[i].calls;
        }
        for (int i = 1; i < 4; i++) assert_equal_scenes(&scenes[0], &scenes[i]);
    }
    assert_int_equal(called, 2 * (what == LOUD ? 6 : 12)); /* loud: given up after looking */
    for (int i = 0; i < 4; i++) end(&scenes[i]);
}

static void sets_give_what_they_give_in_order(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 4; i++) compare(SETS, random_seed() + 100 * i);
}

static void other_commands_of_an_entity_keep_its_sets_in_order(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 4; i++) compare(MIXED, random_seed() + 100 * i);
}

static void entities_that_rise_need_no_claims(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 4; i++) compare(RISING, random_seed() + 100 * i);
}

static void commands_of_an_entity_in_a_row_need_no_search(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 4; i++) compare(REPEATED, random_seed() + 100 * i);
}

// DEF-07: also where a value of the entity looked as if it could be applied ahead
static void what_is_left_of_an_entity_is_folded(void **state) {
    (void)state;
    enum { CHANGED = 3 * 32 };
    scene_t scene;
    make(&scene, false);
    ecs_stage_t *stage = ecs_ext_stage(scene.world, 0);
    ecs_world_t *poly = ecs_get_stage(scene.world, 0);
    value_t value = { 1, 2 };
    ecs_ext_slots_begin(scene.world, scene.slots, 1);
    ecs_ext_slot_open(stage, scene.slots, 0, 0);
    for (int i = 0; i < SUBJECTS; i++) {
        ecs_set_id(poly, scene.subjects[i], scene.small, 4, &i);
        bool is_changed = i < CHANGED && i % 3;
        if (is_changed) ecs_set_id(poly, scene.subjects[i], scene.value, sizeof value, &value);
        if (is_changed) ecs_add_id(poly, scene.subjects[i], scene.tag);
    }
    ecs_ext_slot_close(stage);
    ecs_ext_slots_merge(scene.world, scene.slots, NULL);
    const ecs_world_info_t *info = ecs_get_world_info(scene.world);
    assert_int_equal(info->cmd.batched_entity_count, CHANGED / 3 * 2);
    assert_int_equal(info->cmd.batched_command_count, CHANGED / 3 * 2 * 3);
    assert_int_equal(info->cmd.set_count, SUBJECTS + CHANGED / 3 * 2);
    end(&scene);
}

static void note_value(ecs_iter_t *it) {
    scene_t *scene = it->ctx;
    const value_t *value = ecs_get_id(scene->world, scene->subjects[1], scene->value);
    assert_int_equal(value->number, 0);
    scene->told_count += it->count;
}

// DEF-07: what an entity loses as a whole is told before later values are written, those of others too.
static void observers_of_a_loss_see_what_was_there_before(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        scene_t scene;
        make(&scene, false);
        ecs_world_t *world = scene.world, *poly = ecs_get_stage(world, 0);
        ecs_stage_t *stage = ecs_ext_stage(world, 0);
        ecs_entity_t observer = ecs_observer(world, { .query.terms = { { .id = scene.tag } },
                                                        .events = { EcsOnRemove },
                                                        .callback = note_value,
                                                        .ctx = &scene });
        ecs_ext_slots_begin(world, scene.slots, 1);
        ecs_ext_slot_open(stage, scene.slots, 0, 0);
        if (i)
            ecs_delete(poly, scene.subjects[0]);
        else
            ecs_clear(poly, scene.subjects[0]);
        for (int s = 1; s < SUBJECTS; s++)
            ecs_set_id(poly, scene.subjects[s], scene.value, sizeof(value_t), &(value_t){ 1, 2 });
        ecs_ext_slot_close(stage);
        ecs_ext_slots_merge(world, scene.slots, NULL);
        assert_int_equal(scene.told_count, 1);
        ecs_delete(world, observer);
        end(&scene);
    }
}

// One entity gets its own value, then its base gets another, as the last of many sets.
static void change_instance_and_base(
    scene_t *scene, ecs_entity_t instance, ecs_entity_t base, ecs_id_t added) {
    ecs_world_t *world = scene->world, *poly = ecs_get_stage(world, 0);
    ecs_stage_t *stage = ecs_ext_stage(world, 0);
    ecs_ext_slots_begin(world, scene->slots, 1);
    ecs_ext_slot_open(stage, scene->slots, 0, 0);
    ecs_add_id(poly, instance, added);
    for (int i = 0; i < SUBJECTS; i++)
        ecs_set_id(poly, scene->subjects[i], scene->small, 4, &(int32_t){ i });
    ecs_set_id(poly, base, scene->value, sizeof(value_t), &(value_t){ 2, 2 });
    ecs_ext_slot_close(stage);
    ecs_ext_slots_merge(world, scene->slots, NULL);
}

// DEF-07: what an instance adds begins as its base is then, not as it is set later.
static void what_instances_add_is_of_the_base_before(void **state) {
    (void)state;
    scene_t scene;
    make(&scene, false);
    ecs_entity_t base = ecs_new(scene.world);
    ecs_set_id(scene.world, base, scene.value, sizeof(value_t), &(value_t){ 1, 1 });
    ecs_entity_t instance = ecs_new_w_pair(scene.world, EcsIsA, base);
    change_instance_and_base(&scene, instance, base, scene.value);
    const value_t *own = ecs_get_id(scene.world, instance, scene.value);
    assert_int_equal(own->number, 1);
    own = ecs_get_id(scene.world, base, scene.value);
    assert_int_equal(own->number, 2);
    end(&scene);
}

// The same of an entity whose id is above all of the active range.
static void entities_of_other_ranges_are_looked_at(void **state) {
    (void)state;
    scene_t scene;
    make(&scene, false);
    ecs_world_t *world = scene.world;
    const ecs_entity_range_t *server = ecs_entity_range_new(world, 100000, 0),
                             *local = ecs_entity_range_get(world);
    ecs_entity_range_set(world, server);
    ecs_entity_t instance = ecs_new(world);
    ecs_entity_range_set(world, local);
    ecs_entity_t base = ecs_new(world);
    ecs_set_id(world, base, scene.value, sizeof(value_t), &(value_t){ 1, 1 });
    ecs_auto_override_id(world, base, scene.value);
    change_instance_and_base(&scene, instance, base, ecs_pair(EcsIsA, base));
    const value_t *own = ecs_get_id(world, instance, scene.value);
    assert_int_equal(own->number, 1);
    end(&scene);
}

static void hooks_see_what_they_see_in_order(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 4; i++) compare(LOUD, random_seed() + 100 * i);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_give_what_they_give_in_order),
        cmocka_unit_test(other_commands_of_an_entity_keep_its_sets_in_order),
        cmocka_unit_test(entities_that_rise_need_no_claims),
        cmocka_unit_test(commands_of_an_entity_in_a_row_need_no_search),
        cmocka_unit_test(what_is_left_of_an_entity_is_folded),
        cmocka_unit_test(observers_of_a_loss_see_what_was_there_before),
        cmocka_unit_test(what_instances_add_is_of_the_base_before),
        cmocka_unit_test(entities_of_other_ranges_are_looked_at),
        cmocka_unit_test(hooks_see_what_they_see_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
