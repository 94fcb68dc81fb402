// SPDX-License-Identifier: MIT
// Runs of commands that say the same of many entities, applied together and by crews of any size and order, against the same commands
// applied one by one: tables, rows, values, free ids and counters must be equal.
#include "support/abort.h"
#include "support/world.h"

#include <stdlib.h>
#include <string.h>

#include "command/flush.h"
#include "crew.h"
#include "support/random.h"
#include "world/state.h"

enum {
    SLOTS = 12,
    SUBJECTS = 400,
    PLAIN = 6,
    FIRST_EXCLUSIVE = PLAIN + 5,
    INSTANCE = PLAIN + 10,
    IDS,
    ROUNDS = 60,
    STRETCHES = 5,
    PART = 7
};

static const int32_t sizes[PLAIN] = { 1, 4, 8, 12, 16, 40 };

/** Ids: plain values, a tag, a pair, a pair with values, a value with hooks, an observed tag; three exclusive pairs of one relationship,
 * the last observed, two with values of another; that of instances. Of values, the last plain one and that of the pair are observed too. */
typedef struct scene_t {
    ecs_world_t *world;
    ecs_ext_slots_t *slots;
    ecs_id_t ids[IDS];
    ecs_size_t size[IDS];                        /* 0: no value */
    ecs_entity_t subjects[SUBJECTS], base, last; /* last: of those that stay */
    ecs_entity_t beside; /* every third subject has a value of it, beside its table */
    int32_t told, copies;
    uint64_t calls; /* of hooks: on what, of whom, and what they saw */
    bool has_instances, has_beside, has_hooks;
} scene_t;

static scene_t *told_scene;

static void count_told(ecs_iter_t *it) { ((scene_t *)it->ctx)->told += it->count; }

static void count_copy(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    told_scene->copies += count;
    memcpy(dst, src, (size_t)type->size * (size_t)count);
}

static void fold_call(ecs_iter_t *it) {
    scene_t *scene = it->ctx;
    const uint8_t *value = ecs_field_w_size(it, 0, 0);
    for (int32_t i = 0; i < it->count; i++) {
        const uint64_t call[] = { it->event, it->entities[i],
            value[(size_t)i * (size_t)it->sizes[0]],
            ecs_get_type(it->world, it->entities[i])->count };
        for (int32_t c = 0; c < 4; c++) scene->calls = (scene->calls ^ call[c]) * 0x100000001b3u;
    }
}

static bool is_even(ecs_world_t *world, ecs_entity_t entity, void *value) {
    (void)world;
    (void)entity;
    return !(*(uint8_t *)value & 1);
}

// Hooks on some of the plain values.
static void add_hooks(scene_t *scene) {
    ecs_type_hooks_t comes = { .on_add = fold_call, .on_set = fold_call, .ctx = scene },
                     goes = { .on_set = fold_call, .on_remove = fold_call, .ctx = scene },
                     replaces = { .on_replace = count_told, .ctx = scene };
    scene->has_hooks = true;
    ecs_set_hooks_id(scene->world, scene->ids[0], &replaces); /* so it cannot be ensured */
    ecs_set_hooks_id(scene->world, scene->ids[1], &comes);
    ecs_set_hooks_id(scene->world, scene->ids[3], &(ecs_type_hooks_t){ .on_validate = is_even });
    ecs_set_hooks_id(scene->world, scene->ids[2], &goes);
}

static ecs_entity_t component(ecs_world_t *world, ecs_size_t size) {
    return ecs_component(world, { .type = { .size = size, .alignment = size & 3 ? 1 : 4 } });
}

// Whoever wants to know of tables that fill gets the general way: the reference.
static void make(scene_t *scene, bool is_reference, bool is_observed) {
    *scene = (scene_t){ .world = ecs_mini() };
    ecs_world_t *world = scene->world;
    scene->slots = ecs_ext_slots_new();
    world->flush->sharing.fewest = 1; /* as much as possible is shared */
    world->flush->sharing.part = PART;
    for (int i = 0; i < PLAIN; i++) scene->ids[i] = component(world, scene->size[i] = sizes[i]);
    ecs_entity_t hooked = component(world, 8), data = component(world, 8), either = ecs_new(world),
                 choice = component(world, 8);
    ecs_set_hooks_id(world, hooked, &(ecs_type_hooks_t){ .copy = count_copy });
    ecs_add_id(world, either, EcsExclusive);
    ecs_add_id(world, choice, EcsExclusive);
    ecs_add_pair(world, choice, EcsOnDeleteTarget, EcsDelete);
    scene->base = ecs_new(world);
    ecs_id_t more[] = { ecs_new(world), ecs_pair(ecs_new(world), ecs_new(world)),
        ecs_pair(data, ecs_new(world)), hooked, ecs_new(world), ecs_pair(either, data),
        ecs_pair(either, ecs_new(world)), ecs_pair(either, ecs_new(world)),
        ecs_pair(choice, ecs_new(world)), ecs_pair(choice, ecs_new(world)),
        ecs_pair(EcsIsA, scene->base) };
    memcpy(&scene->ids[PLAIN], more, sizeof more);
    scene->size[PLAIN + 2] = scene->size[PLAIN + 3] = 8;
    scene->size[PLAIN + 8] = scene->size[PLAIN + 9] = 8;
    ecs_entity_t unused = ecs_new(world), observers[] = { ecs_new(world), ecs_new(world) };
    ecs_observer_init(
        world, &(ecs_observer_desc_t){ .entity = observers[0],
                   .query.terms = { { .id = is_observed ? scene->ids[PLAIN + 4] : unused } },
                   .events = { EcsOnAdd, EcsOnRemove },
                   .callback = count_told,
                   .ctx = scene });
    if (is_observed)
        ecs_observer(world, { .query.terms = { { .id = scene->ids[FIRST_EXCLUSIVE + 2] } },
                                .events = { EcsOnRemove },
                                .callback = count_told,
                                .ctx = scene });
    for (int i = 0; is_observed && i < 2; i++)
        ecs_observer(world, { .query.terms = { { .id = scene->ids[i ? PLAIN + 2 : PLAIN - 1] } },
                                .events = { EcsOnSet },
                                .callback = count_told,
                                .ctx = scene });
    ecs_observer_init(world, &(ecs_observer_desc_t){ .entity = observers[1],
                                 .query.terms = { { .id = unused } },
                                 .events = { is_reference ? EcsOnTableFill : EcsOnTableDelete },
                                 .callback = count_told,
                                 .ctx = scene });
    ecs_add_id(world, scene->base, scene->ids[FIRST_EXCLUSIVE]);
    ecs_add_id(world, scene->beside = component(world, 4), EcsDontFragment);
    scene->last = ecs_new(world);
}

static void end(scene_t *scene) {
    ecs_ext_slots_free(scene->slots);
    assert_true(ecs_world_verify(scene->world));
    ecs_fini(scene->world);
}

// ---- recording ----

typedef enum { ADD, SET, ENSURE, REMOVE, CLEAR, DELETE, NEW } kind_t;

typedef struct step_t {
    kind_t kind;
    int32_t id;
    uint64_t value;
} step_t;

// Returns the entity, or the new one.
static ecs_entity_t take(
    const scene_t *scene, ecs_world_t *stage, ecs_entity_t entity, uint64_t number, step_t step) {
    ecs_id_t id = scene->ids[step.id];
    size_t size = (size_t)scene->size[step.id];
    uint64_t value[8] = { step.value, number };
    const bool is_replaced = scene->has_hooks && !step.id && step.kind == ENSURE;
    switch (is_replaced ? SET : step.kind) {
    case ENSURE:
        if (size) memcpy(ecs_ensure_id(stage, entity, id, size), value, size);
        if (size && step.value & 1) ecs_modified_id(stage, entity, id);
        break;
    case SET:
        if (size) ecs_set_id(stage, entity, id, size, value);
        if (size) break; /* fall through */
    case ADD: ecs_add_id(stage, entity, id); break;
    case REMOVE: ecs_remove_id(stage, entity, id); break;
    case CLEAR: ecs_clear(stage, entity); break;
    case DELETE: ecs_delete(stage, entity); break;
    case NEW: return ecs_new(stage);
    }
    return entity;
}

static void take_subject(scene_t *scene, ecs_world_t *stage, int32_t subject, step_t step) {
    ecs_entity_t *entity = &scene->subjects[subject];
    if (step.kind != NEW && !ecs_is_alive(stage, *entity)) return;
    *entity = take(scene, stage, *entity, (uint64_t)subject, step);
}

static step_t any_step(random_t *random, bool begins) {
    static const kind_t kinds[] = { ADD, SET, SET, ENSURE, REMOVE, ADD, SET, REMOVE, CLEAR, DELETE,
        NEW, NEW };
    int32_t limit = begins ? 12 : random_below(random, 8) ? 8 : 10;
    kind_t kind = kinds[random_below(random, limit)];
    int32_t id = random_below(random, random_below(random, 3) ? PLAIN + 3 : IDS);
    if (random_below(random, 6) == 0) id = FIRST_EXCLUSIVE + id % (IDS - FIRST_EXCLUSIVE);
    if (!begins && random_below(random, 8) == 0) return (step_t){ .kind = ADD, .id = INSTANCE };
    return (step_t){ kind, id, random_next(random) };
}

enum { STEPS = 4 };

// Returns how many there are.
static int32_t any_steps(random_t *random, step_t *steps) {
    int32_t count = 1 + random_below(random, STEPS);
    for (int32_t s = 0; s < count; s++) {
        steps[s] = any_step(random, !s);
        if (steps[s].kind == DELETE) count = s + 1; /* the rest would be dropped */
    }
    return count;
}

// Some steps for many subjects: subject by subject or step by step, in any direction, with something else in between now and then.
static void record(scene_t *scene, random_t *random, ecs_world_t *stage) {
    step_t steps[STEPS];
    int32_t count = any_steps(random, steps), many = 1 + random_below(random, 150);
    int32_t from = random_below(random, SUBJECTS), stride = 1 + random_below(random, 3) % 2 * 6;
    bool by_step = random_below(random, 3) == 0, back = random_below(random, 2);
    int32_t outer = by_step ? count : many, inner = by_step ? many : count;
    for (int32_t o = 0; o < outer; o++) {
        for (int32_t i = 0; i < inner; i++) {
            int32_t n = (by_step ? i : o) * stride,
                    subject = (from + (back ? SUBJECTS - n % SUBJECTS : n)) % SUBJECTS;
            take_subject(scene, stage, subject, steps[by_step ? o : i]);
        }
        if (random_below(random, 50)) continue;
        take_subject(scene, stage, random_below(random, SUBJECTS), any_step(random, true));
    }
}

static void record_on_stage(scene_t *scene, random_t *random, const ecs_ext_crew_t *crew) {
    (void)crew;
    ecs_defer_begin(scene->world);
    for (int i = 0; i < STRETCHES; i++) record(scene, random, scene->world);
    ecs_defer_end(scene->world);
}

enum { MIXTURES = 3 };

// One of a few lists of steps for each of many subjects: hardly any two that follow each other say the same.
static void record_mixture(scene_t *scene, random_t *random, ecs_world_t *stage) {
    step_t steps[MIXTURES][STEPS];
    int32_t counts[MIXTURES], many = 20 + random_below(random, 150);
    for (int32_t m = 0; m < MIXTURES; m++) {
        counts[m] = any_steps(random, steps[m]);
        bool is_quiet = random_below(random, 3);
        for (int32_t s = 0; is_quiet && s < counts[m]; s++) steps[m][s].id %= PLAIN - 1;
    }
    for (int32_t i = 0; i < many; i++) {
        const int32_t m = random_below(random, MIXTURES), subject = random_below(random, SUBJECTS);
        for (int32_t s = 0; s < counts[m]; s++) take_subject(scene, stage, subject, steps[m][s]);
        if (random_below(random, 30) == 0)
            take_subject(scene, stage, random_below(random, SUBJECTS), any_step(random, true));
    }
}

static ecs_world_t *open_slot(scene_t *scene, int32_t slot) {
    ecs_ext_slot_open(ecs_ext_stage(scene->world, 0), scene->slots, slot, 0);
    return ecs_get_stage(scene->world, 0);
}
static void close_slot(scene_t *scene) { ecs_ext_slot_close(ecs_ext_stage(scene->world, 0)); }

static void record_in_slots(scene_t *scene, random_t *random, const ecs_ext_crew_t *crew) {
    ecs_ext_slots_begin(scene->world, scene->slots, STRETCHES);
    for (int32_t slot = 0; slot < STRETCHES; slot++) {
        record(scene, random, open_slot(scene, slot));
        close_slot(scene);
    }
    ecs_ext_slots_merge(scene->world, scene->slots, crew);
}

// On the main stage new entities are there at once, in slots they begin with the merge.
static void record_mixtures(scene_t *scene, random_t *random, const ecs_ext_crew_t *crew) {
    (void)crew;
    ecs_defer_begin(scene->world);
    record_mixture(scene, random, scene->world);
    ecs_defer_end(scene->world);
    ecs_ext_slots_begin(scene->world, scene->slots, 2);
    for (int32_t slot = 0; slot < 2; slot++) {
        record_mixture(scene, random, open_slot(scene, slot));
        close_slot(scene);
    }
    ecs_ext_slots_merge(scene->world, scene->slots, NULL);
}

typedef enum { RISING, OVERLAPPING, STEPPING_BACK } way_t;

static void record_row(scene_t *scene, random_t *random, ecs_world_t *stage,
    const ecs_table_t *table, int32_t row, const step_t *steps, int32_t count) {
    ecs_entity_t entity = steps[0].kind == NEW ? 0 : table->entities[row];
    bool stays = entity && (uint32_t)entity <= scene->last;
    if (stays || random_below(random, 8) == 0) return;
    for (int32_t s = 0; s < count; s++)
        entity = take(scene, stage, entity, (uint64_t)row, steps[s]);
}

// What systems mostly do: row by row of a table, slot after slot; or the same with some rows twice.
static void record_rows(scene_t *scene, random_t *random, int32_t slot, int32_t end, way_t way) {
    const ecs_entity_t subject = scene->subjects[random_below(random, SUBJECTS)];
    const ecs_table_t *table = ecs_get_table(scene->world, subject);
    step_t steps[STEPS];
    int32_t count = any_steps(random, steps), from = slot, rows = table ? table->count : 0;
    if (steps[0].kind == NEW) rows = 100;
    bool is_quiet = random_below(random, 4);
    for (int32_t s = 0; is_quiet && s < count; s++) steps[s].id %= PLAIN - 1;
    for (; slot < end; slot++) {
        ecs_world_t *stage = open_slot(scene, slot);
        int32_t row = rows * (slot - from) / (end - from);
        if (way == OVERLAPPING && row) row--;
        for (; row < rows * (slot - from + 1) / (end - from); row++) {
            record_row(scene, random, stage, table, row, steps, count);
            if (way == STEPPING_BACK && row > 1 && random_below(random, 20) == 0)
                record_row(scene, random, stage, table, row - 2, steps, count);
        }
        close_slot(scene);
    }
}

// Now and then something else is said, or of some entities more is said later.
static void record_groups(scene_t *scene, random_t *random, const ecs_ext_crew_t *crew) {
    int32_t groups = 1 + random_below(random, 3);
    ecs_ext_slots_free(scene->slots);
    scene->slots = ecs_ext_slots_new(); /* of which nothing is known */
    ecs_ext_slots_begin(scene->world, scene->slots, SLOTS);
    for (int32_t g = 0; g < groups; g++)
        record_rows(scene, random, g * SLOTS / groups, (g + 1) * SLOTS / groups,
            random_below(random, 4) ? RISING : (way_t)(1 + random_below(random, 2)));
    if (random_below(random, 6) == 0) {
        ecs_world_t *stage = open_slot(scene, random_below(random, SLOTS));
        take_subject(scene, stage, random_below(random, SUBJECTS), any_step(random, true));
        close_slot(scene);
    }
    ecs_ext_slots_merge(scene->world, scene->slots, crew);
}

enum { CHOICES = 4 };

// One change, or more to add, of plain values.
static int32_t any_choice(random_t *random, step_t *steps) {
    static const kind_t kinds[] = { ADD, SET, SET, REMOVE, DELETE, NEW };
    const int32_t count = 1 + random_below(random, STEPS - 1);
    for (int32_t s = 0; s < count; s++) {
        const kind_t kind = kinds[random_below(random, s ? 3 : 6)];
        steps[s] = (step_t){ kind, random_below(random, PLAIN - 1), random_next(random) };
    }
    return steps[0].kind == REMOVE || steps[0].kind == DELETE ? 1 : count;
}

/** Lists of steps, of which each row of a table gets one. */
typedef struct choices_t {
    const ecs_table_t *table;
    step_t steps[CHOICES][STEPS];
    int32_t counts[CHOICES], count, rows;
} choices_t;

// Often others of the same table are made.
static void any_choices(const scene_t *scene, random_t *random, choices_t *choices) {
    const int32_t subject = random_below(random, SUBJECTS);
    choices->table = ecs_get_table(scene->world, scene->subjects[subject]);
    choices->rows = choices->table ? choices->table->count : 0;
    choices->count = 1 + random_below(random, CHOICES);
    for (int32_t c = 0; c < choices->count; c++)
        choices->counts[c] = any_choice(random, choices->steps[c]);
    if (random_below(random, 2)) return;
    choices->steps[0][0] = (step_t){ .kind = NEW };
    choices->steps[0][1] = (step_t){ SET, subject * 4 / SUBJECTS, 1 };
    choices->counts[0] = 2;
}

// Some rows after the other: one of a few things is said of each, or nothing; or others are made.
static void record_some(scene_t *scene, random_t *random, ecs_world_t *stage,
    const choices_t *choices, int32_t row, int32_t end) {
    for (; row < end; row++) {
        const int32_t c = random_below(random, choices->count);
        record_row(
            scene, random, stage, choices->table, row, choices->steps[c], choices->counts[c]);
    }
}

static void record_choices(scene_t *scene, random_t *random, const ecs_ext_crew_t *crew) {
    const int32_t groups = 1 + random_below(random, 3), each = SLOTS / groups;
    ecs_ext_slots_free(scene->slots);
    scene->slots = ecs_ext_slots_new(); /* of which nothing is known */
    ecs_ext_slots_begin(scene->world, scene->slots, SLOTS);
    for (int32_t g = 0; g < groups; g++) {
        choices_t choices;
        any_choices(scene, random, &choices);
        for (int32_t i = 0; i < each; i++) {
            ecs_world_t *stage = open_slot(scene, g * each + i);
            record_some(scene, random, stage, &choices, choices.rows * i / each,
                choices.rows * (i + 1) / each);
            close_slot(scene);
        }
    }
    ecs_ext_slots_merge(scene->world, scene->slots, crew);
}

static void record_choices_on_stage(scene_t *scene, random_t *random, const ecs_ext_crew_t *crew) {
    (void)crew;
    choices_t choices;
    scene->world->stages[0]->tries = (ecs__tries_t){ 0 }; /* nothing is known */
    any_choices(scene, random, &choices);
    ecs_defer_begin(scene->world);
    record_some(scene, random, scene->world, &choices, 0, choices.rows);
    ecs_defer_end(scene->world);
}

// ---- comparing ----

static bool is_own(const scene_t *scene, ecs_id_t id) {
    bool is = false;
    for (int i = 0; i < IDS; i++) is |= scene->ids[i] == id;
    return is;
}

static void assert_equal_tables(const scene_t *scene, const ecs_table_t *a, const ecs_table_t *b) {
    assert_int_equal(!a, !b);
    if (!a) return;
    assert_int_equal(a->type.count, b->type.count);
    assert_memory_equal(a->type.array, b->type.array, sizeof(ecs_id_t) * (size_t)a->type.count);
    assert_int_equal(a->count, b->count);
    if (!a->count) return;
    assert_memory_equal(a->entities, b->entities, sizeof(ecs_entity_t) * (size_t)a->count);
    for (int32_t c = 0; c < a->column_count; c++) {
        ecs_size_t size = a->columns[c].size;
        bool is_builtin = !is_own(scene, a->type.array[a->columns[c].type_index]);
        if (is_builtin) continue; /* may point to something */
        assert_memory_equal(a->data[c], b->data[c], (size_t)size * (size_t)a->count);
    }
}

static void assert_equal_scenes(const scene_t *a, const scene_t *b) {
    const ecs__store_t *x = &a->world->store, *y = &b->world->store;
    assert_memory_equal(a->subjects, b->subjects, sizeof a->subjects);
    assert_int_equal(x->table_count, y->table_count);
    for (int32_t i = 0; i < x->table_count; i++) assert_equal_tables(a, x->tables[i], y->tables[i]);
    assert_int_equal(x->entities.pool.free_count, y->entities.pool.free_count);
    assert_memory_equal(x->entities.pool.free_ids, y->entities.pool.free_ids,
        sizeof(uint64_t) * (size_t)x->entities.pool.free_count);
    assert_int_equal(x->entities.alive_count, y->entities.alive_count);
    for (int32_t i = 0; a->has_beside && i < SUBJECTS; i += 3) {
        if (!ecs_is_alive(a->world, a->subjects[i])) continue;
        const int32_t *p = ecs_get_id(a->world, a->subjects[i], a->beside),
                      *q = ecs_get_id(b->world, b->subjects[i], b->beside);
        assert_int_equal(p ? *p : -1, q ? *q : -1);
    }
    ecs_world_info_t p = a->world->info, q = b->world->info;
    assert_memory_equal(&p.cmd.add_count, &q.cmd.add_count, sizeof(int64_t) * 2);
    assert_int_equal(p.cmd.set_count, q.cmd.set_count);
    assert_int_equal(p.cmd.ensure_count, q.cmd.ensure_count);
    assert_int_equal(p.cmd.delete_count, q.cmd.delete_count);
    assert_int_equal(p.cmd.clear_count, q.cmd.clear_count);
    assert_int_equal(p.cmd.discard_count, q.cmd.discard_count);
    assert_int_equal(p.id_create_total, q.id_create_total);
    assert_int_equal(p.id_delete_total, q.id_delete_total);
}

// What instances do not have themselves, they may have through it; what is added to them begins with its value. Some they own.
static void change_base(const scene_t *scene, random_t *random) {
    const uint64_t value[8] = { random_next(random), 1 };
    const int32_t i = random_below(random, 3) ? random_below(random, INSTANCE) : PLAIN + 4;
    const bool is_marked = i < PLAIN && random_below(random, 3) == 0;
    const ecs_id_t id = is_marked ? ECS_AUTO_OVERRIDE | scene->ids[i] : scene->ids[i];
    if (ecs_owns_id(scene->world, scene->base, id))
        ecs_remove_id(scene->world, scene->base, id);
    else if (scene->size[i] && !is_marked)
        ecs_set_id(scene->world, scene->base, id, (size_t)scene->size[i], value);
    else
        ecs_add_id(scene->world, scene->base, id);
}

// Sometimes all of them begin anew, a few kinds in rows; else only the dead.
static void revive(scene_t *scene, random_t *random) {
    if (scene->has_instances && random_below(random, 4) == 0) change_base(scene, random);
    bool anew = random_below(random, 3) == 0;
    for (int32_t i = 0; i < SUBJECTS; i++) {
        ecs_entity_t subject = scene->subjects[i];
        bool is_alive = subject && ecs_is_alive(scene->world, subject);
        if (is_alive && !anew) continue;
        if (is_alive) ecs_delete(scene->world, subject);
        scene->subjects[i] = ecs_new_w_id(scene->world, scene->ids[i * 4 / SUBJECTS]);
        if (scene->has_instances && i * 4 / SUBJECTS == 3)
            ecs_add_pair(scene->world, scene->subjects[i], EcsIsA, scene->base);
        if (scene->has_beside && i % 3 == 0)
            ecs_set_id(scene->world, scene->subjects[i], scene->beside, sizeof i, &i);
    }
}

// Not in slots: values that are written in place are not folded with anything.
static void assert_equal_batches(const scene_t *a, const scene_t *b) {
    ecs_world_info_t p = a->world->info, q = b->world->info;
    assert_int_equal(p.cmd.batched_entity_count, q.cmd.batched_entity_count);
    assert_int_equal(p.cmd.batched_command_count, q.cmd.batched_command_count);
}

typedef void (*tick_t)(scene_t *scene, random_t *random, const ecs_ext_crew_t *crew);

static void check_totals(const scene_t *scenes, tick_t tick) {
    const ecs__flush_t *reference = scenes[0].world->flush, *flush = scenes[1].world->flush;
    assert_int_equal(reference->run.total, 0);
    assert_int_equal(reference->whole.total, 0);
    assert_int_equal(reference->mixed.total, 0);
    assert_int_equal(reference->singles.total, 0);
    const int64_t total = tick == record_mixtures ? flush->singles.total : flush->run.total;
    const bool is_mixed = tick == record_choices || tick == record_choices_on_stage;
    if (!is_mixed) assert_in_range(total, ROUNDS * 10, INT64_MAX);
    if (tick == record_groups) assert_in_range(flush->whole.total, ROUNDS / 20, INT64_MAX);
    for (int s = 2; s <= CREWS; s++) {
        assert_int_equal(scenes[s].world->flush->run.total, flush->run.total);
        assert_int_equal(scenes[s].world->flush->whole.total, flush->whole.total);
        assert_int_equal(scenes[s].world->flush->mixed.total, flush->mixed.total);
    }
}

static void compare(tick_t tick, uint64_t seed) {
    scene_t scenes[1 + CREWS];
    random_t random = random_init(seed);
    crew_t crew;
    int32_t shared = 0;
    for (int s = 0; s <= CREWS; s++) {
        make(&scenes[s], !s, seed & 1);
        scenes[s].has_instances = seed & 2;
        scenes[s].has_beside = (seed ^ seed >> 1) & 1;
        if (tick == record_mixtures) add_hooks(&scenes[s]);
    }
    for (int round = 0; round < ROUNDS; round++) {
        random_t start = random;
        for (int s = 0; s <= CREWS; s++) {
            random = start;
            told_scene = &scenes[s];
            revive(&scenes[s], &random);
            tick(&scenes[s], &random, crew_begin(&crew, s ? (crew_kind_t)(s - 1) : NOBODY));
            shared += crew.calls;
            assert_true(ecs_world_verify(scenes[s].world));
        }
        for (int s = 1; s <= CREWS; s++) {
            assert_equal_scenes(&scenes[0], &scenes[s]);
            if (tick == record_on_stage) assert_equal_batches(&scenes[0], &scenes[s]);
            assert_int_equal(scenes[0].told, scenes[s].told);
            assert_int_equal(scenes[0].calls, scenes[s].calls);
        }
    }
    check_totals(scenes, tick);
    if (tick == record_in_slots || tick == record_groups || tick == record_choices)
        assert_in_range(shared, ROUNDS, INT32_MAX);
    for (int s = 0; s <= CREWS; s++) end(&scenes[s]);
}

// ---- tests ----

// performance.md rows 20, 21; DEF-07
static void runs_on_a_stage_are_what_they_are_one_by_one(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 4; i++) compare(record_on_stage, random_seed() + i);
}

// the same with ids that jobs take; SYNC-07
static void runs_in_slots_are_what_they_are_one_by_one(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 4; i++) compare(record_in_slots, random_seed() + i);
}

// design.md 6: the same where slots say the same from end to end; THR-04: merging does not depend on who does it.
static void slots_that_are_runs_are_what_they_are_one_by_one(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 4; i++) compare(record_groups, random_seed() + i);
}

// The same where each row is one of a few things, and others are made in between.
static void mixed_commands_are_what_they_are_one_by_one(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 4; i++) {
        compare(record_choices, random_seed() + i);
        compare(record_choices_on_stage, random_seed() + i);
    }
}

// The same where other commands are in between: what became of one entity holds for the next that says the same.
static void singles_are_what_they_are_one_by_one(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 4; i++) compare(record_mixtures, random_seed() + i);
}

// Two slots of a hundred commands each, about the same entities or about others.
static void flip(scene_t *scene, ecs_ext_slots_t *slots, ecs_id_t id, bool adds, bool same) {
    ecs_stage_t *stage = ecs_ext_stage(scene->world, 0);
    ecs_world_t *poly = ecs_get_stage(scene->world, 0);
    ecs_ext_slots_begin(scene->world, slots, 2);
    for (int32_t slot = 0; slot < 2; slot++) {
        const ecs_entity_t *subjects = &scene->subjects[same ? 0 : slot * SUBJECTS / 4];
        ecs_ext_slot_open(stage, slots, slot, 0);
        for (int32_t i = 0; i < SUBJECTS / 4; i++) {
            if (adds)
                ecs_add_id(poly, subjects[i], id);
            else
                ecs_remove_id(poly, subjects[i], id);
        }
        ecs_ext_slot_close(stage);
    }
    ecs_ext_slots_merge(scene->world, slots, NULL);
}

// Slots that are never whole are tried less and less; those of another stretch are not.
static void slots_are_tried_by_their_own_past(void **state) {
    (void)state;
    scene_t scene;
    random_t random = random_init(random_seed());
    make(&scene, false, false);
    revive(&scene, &random);
    ecs_ext_slots_t *others = ecs_ext_slots_new();
    for (int i = 0; i < 2; i++) /* ids in use are known to be harmless */
        ecs_add_id(scene.world, scene.subjects[SUBJECTS - 1], scene.ids[PLAIN + i]);
    for (int32_t round = 1; round <= 10; round++) {
        flip(&scene, others, scene.ids[PLAIN], round & 1, true);
        assert_int_equal(scene.world->flush->whole.total, round - 1);
        flip(&scene, scene.slots, scene.ids[PLAIN + 1], round & 1, false);
        assert_int_equal(scene.world->flush->whole.total, round);
    }
    ecs_ext_slots_free(others);
    end(&scene);
}

// They were applied one by one before: equal results do not show that they are not.
static void exclusive_pairs_and_instances_are_part_of_runs(void **state) {
    (void)state;
    scene_t scene;
    make(&scene, false, false);
    const ecs_id_t ids[] = { scene.ids[PLAIN + 1], scene.ids[FIRST_EXCLUSIVE + 1],
        scene.ids[FIRST_EXCLUSIVE + 2] };
    for (int32_t n = 0; n < 3; n++)
        ecs_new_w_id(scene.world, ids[n]); /* in use: nobody must agree */
    ecs_remove_id(scene.world, scene.base, scene.ids[FIRST_EXCLUSIVE]);
    for (int32_t i = 0; i < SUBJECTS; i++)
        scene.subjects[i] = ecs_new_w_pair(scene.world, EcsIsA, scene.base);
    for (int32_t n = 0; n < 3; n++) {
        ecs_defer_begin(scene.world);
        for (int32_t i = 0; i < SUBJECTS; i++) ecs_add_id(scene.world, scene.subjects[i], ids[n]);
        ecs_defer_end(scene.world);
        assert_int_equal(scene.world->flush->run.total, SUBJECTS * (n + 1));
        assert_int_equal(ecs_count_id(scene.world, ids[n]), SUBJECTS + 1);
    }
    const uint64_t value = 1;
    ecs_set_id(scene.world, scene.base, scene.ids[2], sizeof value, &value);
    ecs_defer_begin(scene.world);
    for (int32_t i = 0; i < SUBJECTS; i++) {
        ecs_entity_t subject = ecs_new_w_pair(scene.world, EcsIsA, scene.base);
        ecs_set_id(scene.world, subject, scene.ids[2], sizeof value, &value);
    }
    ecs_defer_end(scene.world);
    assert_int_equal(scene.world->flush->run.total, SUBJECTS * 4);
    end(&scene);
}

// New entities of two kinds by turns; `between` comes at a third of them.
typedef struct turns_t {
    scene_t scene;
    ecs_world_t *world;
    ecs_id_t value, tag, is_a;    /* is_a: what all get, or 0 */
    ecs_entity_t made[30], other; /* somebody else */
    void (*between)(ecs_world_t *stage, const struct turns_t *turns);
    int32_t heard;
} turns_t;

enum { TURNS = 30, THIRD = TURNS / 3 };

static void hear(ecs_iter_t *it) { ((turns_t *)it->ctx)->heard += it->count; }

static void record_turns(turns_t *turns, ecs_world_t *stage) {
    for (int32_t i = 0; i < TURNS; i++) {
        const int32_t value = i;
        if (i == THIRD) turns->between(stage, turns);
        turns->made[i] = ecs_new(stage);
        if (turns->is_a) ecs_add_id(stage, turns->made[i], turns->is_a);
        ecs_set_id(stage, turns->made[i], turns->value, 4, &value);
        if (i & 1) ecs_add_id(stage, turns->made[i], turns->tag);
    }
}

static turns_t *begin_turns(void (*between)(ecs_world_t *stage, const turns_t *turns)) {
    turns_t *turns = calloc(1, sizeof *turns);
    make(&turns->scene, false, false);
    ecs_world_t *world = turns->world = turns->scene.world;
    turns->value = component(world, 4);
    turns->tag = ecs_new(world);
    ecs_add_id(world, ecs_new_w_id(world, turns->value), turns->tag); /* in use: harmless */
    turns->between = between;
    return turns;
}

static void take_turns(turns_t *turns, bool in_slots) {
    ecs_world_t *world = turns->world;
    if (in_slots) {
        ecs_ext_slots_begin(world, turns->scene.slots, 1);
        record_turns(turns, open_slot(&turns->scene, 0));
        close_slot(&turns->scene);
        ecs_ext_slots_merge(world, turns->scene.slots, NULL);
    } else {
        ecs_defer_begin(world);
        record_turns(turns, world);
        ecs_defer_end(world);
    }
    for (int32_t i = 0; i < TURNS; i++)
        assert_int_equal(*(const int32_t *)ecs_get_id(world, turns->made[i], turns->value), i);
}

static void end_turns(turns_t *turns) {
    end(&turns->scene);
    free(turns);
}

static void listen(turns_t *turns, ecs_id_t id) {
    ecs_observer(turns->world, { .query.terms = { { .id = id } },
                                   .events = { EcsOnAdd },
                                   .callback = hear,
                                   .ctx = turns });
}

static void begin_to_listen(ecs_iter_t *it) { listen(it->ctx, ((turns_t *)it->ctx)->value); }

static void give_cause(ecs_world_t *stage, const turns_t *turns) {
    ecs_add_id(stage, turns->made[THIRD + 1], turns->other);
}

// What becomes of others is found anew when somebody begins to listen.
static void singles_are_heard_as_soon_as_somebody_listens(void **state) {
    (void)state;
    for (int32_t in_slots = 0; in_slots < 2; in_slots++) {
        turns_t *turns = begin_turns(give_cause);
        turns->other = component(turns->world, 4);
        ecs_delete(
            turns->world, ecs_new_w_id(turns->world, turns->other)); /* no table will be new */
        ecs_set_hooks_id(turns->world, turns->other,
            &(ecs_type_hooks_t){ .on_add = begin_to_listen, .ctx = turns });
        listen(turns, ecs_new(turns->world));
        turns->made[THIRD + 1] = ecs_new(turns->world);
        take_turns(turns, in_slots);
        assert_int_equal(turns->heard, TURNS - THIRD);
        assert_int_equal(turns->world->flush->singles.total, THIRD);
        end_turns(turns);
    }
}

static void delete_tag(ecs_world_t *stage, const turns_t *turns) { ecs_delete(stage, turns->tag); }

static void singles_do_not_get_what_died(void **state) {
    (void)state;
    for (int32_t in_slots = 0; in_slots < 2; in_slots++) {
        turns_t *turns = begin_turns(delete_tag);
        take_turns(turns, in_slots);
        for (int32_t i = 0; i < TURNS; i++)
            assert_int_equal(ecs_get_type(turns->world, turns->made[i])->count, 1);
        end_turns(turns);
    }
}

static void make_child(ecs_world_t *stage, const turns_t *turns) {
    ecs_add_id(stage, turns->other, ecs_childof((uint32_t)turns->is_a));
}

// Tables of children of the prefab are there, but nobody is in them.
static void singles_get_the_children_of_their_prefab(void **state) {
    (void)state;
    for (int32_t in_slots = 0; in_slots < 2; in_slots++) {
        turns_t *turns = begin_turns(make_child);
        ecs_entity_t prefab = ecs_new_w_id(turns->world, EcsPrefab);
        turns->is_a = ecs_pair(EcsIsA, prefab);
        turns->other = ecs_new_w_pair(turns->world, EcsChildOf, prefab);
        ecs_remove_pair(turns->world, turns->other, EcsChildOf, prefab);
        ecs_new_w_id(turns->world, turns->is_a); /* in use */
        take_turns(turns, in_slots);
        for (int32_t i = 0; i < TURNS; i++) {
            ecs_iter_t it = ecs_children(turns->world, turns->made[i]);
            assert_int_equal(ecs_iter_count(&it), i >= THIRD);
        }
        end_turns(turns);
    }
}

static void see_root(ecs_iter_t *it) {
    turns_t *turns = it->ctx;
    turns->heard += it->other_table == it->real_world->store.root;
}

// New entities get all at once, but come from the table of those that have nothing.
static void hooks_on_singles_see_where_they_come_from(void **state) {
    (void)state;
    for (int32_t in_slots = 0; in_slots < 2; in_slots++) {
        turns_t *turns = begin_turns(delete_tag);
        turns->value = component(turns->world, 4);
        turns->is_a = ecs_new(turns->world); /* so that there are two to be folded */
        turns->other = turns->tag;
        turns->tag = component(turns->world, 8);
        ecs_entity_t first = ecs_new_w_id(turns->world, turns->value);
        ecs_add_id(turns->world, first, turns->is_a);
        ecs_add_id(turns->world, first, turns->tag);
        ecs_set_hooks_id(
            turns->world, turns->value, &(ecs_type_hooks_t){ .on_add = see_root, .ctx = turns });
        take_turns(turns, in_slots);
        assert_int_equal(turns->heard, TURNS);
        assert_in_range(turns->world->flush->singles.total, 2, TURNS);
        end_turns(turns);
    }
}

static void end_it(ecs_iter_t *it) {
    ecs_defer_suspend(it->world);
    ecs_delete(it->world, it->entities[0]);
    ecs_defer_resume(it->world);
}

// The rest of its commands is dropped.
static void a_hook_may_end_its_entity(void **state) {
    (void)state;
    for (int32_t sets = 0; sets < 2; sets++) {
        scene_t scene;
        make(&scene, false, false);
        ecs_world_t *world = scene.world;
        ecs_type_hooks_t hooks = { .on_set = sets ? end_it : NULL, .on_add = sets ? NULL : end_it };
        ecs_set_hooks_id(world, scene.ids[0], &hooks);
        ecs_set_hooks_id(
            world, scene.ids[1], &(ecs_type_hooks_t){ .on_set = fold_call, .ctx = &scene });
        ecs_entity_t e[2] = { ecs_new(world), ecs_new(world) };
        for (int32_t i = 0; i < 2; i++) ecs_new_w_id(world, scene.ids[i]); /* in use */
        scene.calls = 0;
        ecs_defer_begin(world);
        for (int32_t i = 0; i < 2; i++) {
            ecs_set_id(world, e[i], scene.ids[0], 1, "a");
            ecs_set_id(world, e[i], scene.ids[1], 4, "abc");
        }
        ecs_defer_end(world);
        assert_false(ecs_is_alive(world, e[0]) || ecs_is_alive(world, e[1]));
        assert_int_equal(scene.calls, 0);
        end(&scene);
    }
}

// EVT: one set alone, and a run of them.
static void observers_of_wildcards_hear_recorded_pairs(void **state) {
    (void)state;
    for (int32_t n = 1; n < 10; n += 8) {
        for (int32_t kind = 0; kind < 4; kind++) {
            turns_t *turns = begin_turns(NULL);
            ecs_world_t *world = turns->world;
            ecs_entity_t rel = component(world, 4), target = ecs_new(world), e[9];
            const ecs_id_t ids[] = { ecs_pair(rel, target), ecs_pair(rel, EcsWildcard),
                ecs_pair(EcsWildcard, target), ecs_pair(EcsWildcard, EcsWildcard) };
            ecs_new_w_id(world, ids[0]); /* in use */
            ecs_observer(world, { .query.terms = { { .id = ids[kind] } },
                                    .events = { EcsOnSet },
                                    .callback = hear,
                                    .ctx = turns });
            for (int32_t i = 0; i < n; i++) e[i] = ecs_new(world);
            ecs_defer_begin(world);
            for (int32_t i = 0; i < n; i++) ecs_set_id(world, e[i], ids[0], 4, "abc");
            ecs_defer_end(world);
            assert_int_equal(turns->heard, n);
            end_turns(turns);
        }
    }
}

static void lock_table(ecs_iter_t *it) { ecs_table_lock(it->world, it->ctx); }

static void lock_between(const scene_t *scene, ecs_entity_t cause) {
    ecs_defer_begin(scene->world);
    for (int32_t i = 0; i < 2; i++) {
        const ecs_entity_t e = ecs_new(scene->world);
        ecs_add_id(scene->world, e, scene->ids[2]);
        ecs_add_id(scene->world, e, scene->ids[3]);
        if (!i) ecs_add_id(scene->world, ecs_new(scene->world), cause);
    }
    ecs_defer_end(scene->world);
}

static void singles_do_not_come_to_locked_tables(void **state) {
    (void)state;
    scene_t scene;
    make(&scene, false, false);
    ecs_world_t *world = scene.world;
    ecs_entity_t cause = component(world, 4), first = ecs_new_w_id(world, scene.ids[2]);
    ecs_add_id(world, first, scene.ids[3]);
    ecs_new_w_id(world, cause); /* no table will be new */
    ecs_set_hooks_id(world, cause,
        &(ecs_type_hooks_t){ .on_add = lock_table, .ctx = ecs_get_table(world, first) });
    expect_abort(ECS_LOCKED_STORAGE, lock_between(&scene, cause));
    end(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_on_a_stage_are_what_they_are_one_by_one),
        cmocka_unit_test(runs_in_slots_are_what_they_are_one_by_one),
        cmocka_unit_test(slots_that_are_runs_are_what_they_are_one_by_one),
        cmocka_unit_test(mixed_commands_are_what_they_are_one_by_one),
        cmocka_unit_test(singles_are_what_they_are_one_by_one),
        cmocka_unit_test(singles_are_heard_as_soon_as_somebody_listens),
        cmocka_unit_test(singles_do_not_get_what_died),
        cmocka_unit_test(singles_get_the_children_of_their_prefab),
        cmocka_unit_test(hooks_on_singles_see_where_they_come_from),
        cmocka_unit_test(a_hook_may_end_its_entity),
        cmocka_unit_test(observers_of_wildcards_hear_recorded_pairs),
        cmocka_unit_test(singles_do_not_come_to_locked_tables),
        cmocka_unit_test(slots_are_tried_by_their_own_past),
        cmocka_unit_test(exclusive_pairs_and_instances_are_part_of_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
