// SPDX-License-Identifier: MIT
// battle: two armies fight, soldier by soldier; nothing is modelled but who shoots at whom, and who is hit.
//
// Shows relationships, prefabs, events, observers and cleanup. A company is an instance of a prefab with a hundred soldiers, who
// inherit their accuracy and own their health. (Aims, enemy) lies beside tables, so that everyone may have a target of his own; with
// the target goes the pair. A hit is an event: workers enqueue it, an observer wounds or deletes the soldier at the merge, another
// counts him out of his company and army, and a company that nobody is left of goes, too.
//
//     OnLoad     RollCall  the list of an army's soldiers  <- children of its companies
//     PreUpdate  Aim       (Aims, enemy)                   <- the other army's list, for those who aim at nobody
//                -- merge: everyone has a target --
//     OnUpdate   Shoot     Hit                             -> the target
//                -- merge: hits are told; the dead go, and so do the aims at them --
//
// In the second scene nobody aims: Shell hits anyone of the list made at the start, who may be dead long since.
//
// Verified: what observers counted, and Lanchester's laws (1916). If all aim, an army's losses go with the number of its enemies:
// reds^2 - blues^2 stays what it was. If shells fall anywhere, they go with both numbers: r reds - b blues stays, r and b
// being the numbers at the start.
#include <muster.h>

#include "support/demo.h"
#include "support/system.h"
#include "support/tail.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    float chance; // that a shot hits
} Accuracy;

typedef struct {
    int32_t hits; // until death
} Health;

typedef struct {
    int32_t soldiers; // left in a company
} Strength;

typedef struct {
    int64_t index;    // of the list of its soldiers
    int64_t soldiers; // left
} Army;

typedef struct {
    int32_t hits;
} Hit; // an event

ECS_COMPONENT_DECLARE(Accuracy);
ECS_COMPONENT_DECLARE(Health);
ECS_COMPONENT_DECLARE(Strength);
ECS_COMPONENT_DECLARE(Army);
ECS_COMPONENT_DECLARE(Hit);

enum { REDS, BLUES, ARMIES };
enum { COMPANY = 100 };    // soldiers
#define CHANCE 0.005       // so small that hardly anyone is hit twice in a tick
#define BLUES_PER_RED 0.75 // companies

// Plain memory; access to it is declared as access to Army.
typedef struct {
    ecs_entity_t *soldiers[ARMIES];
    int32_t count[ARMIES];
    ecs_entity_t army[ARMIES], aims;
    int32_t at_first[ARMIES]; // soldiers
} battle_t;

// ---- Systems ----

static void RollCall(ecs_iter_t *it) {
    battle_t *battle = it->ctx;
    battle->count[REDS] = battle->count[BLUES] = 0;
    while (ecs_query_next(it)) {
        int64_t army = ecs_field(it, Army, 1)->index;
        for (int32_t i = 0; i < it->count; i++)
            battle->soldiers[army][battle->count[army]++] = it->entities[i];
    }
}

static ecs_entity_t random_enemy(const ecs_iter_t *it, int32_t row, int64_t army) {
    const battle_t *battle = it->ctx;
    int64_t other = ARMIES - 1 - army;
    if (!battle->count[other]) return 0;
    return battle->soldiers[other][ecs_iter_random(it, row) % (uint64_t)battle->count[other]];
}

static void Aim(ecs_iter_t *it) {
    const battle_t *battle = it->ctx;
    const Army *army = ecs_field(it, Army, 1);
    for (int32_t i = 0; i < it->count; i++) {
        ecs_entity_t enemy = random_enemy(it, i, army->index);
        if (enemy) ecs_add_pair(it->world, it->entities[i], battle->aims, enemy);
    }
}

static void shoot(const ecs_iter_t *it, int32_t row, float chance, ecs_entity_t target) {
    if ((float)(ecs_iter_random(it, row) >> 40) * (1.0f / (1 << 24)) >= chance) return;
    ecs_enqueue(it->world, &(ecs_event_desc_t){ .event = ecs_id(Hit),
                               .entity = target,
                               .ids = &(ecs_type_t){ .array = &ecs_id(Health), .count = 1 },
                               .const_param = &(Hit){ 1 } });
}

static void Shoot(ecs_iter_t *it) {
    const Accuracy *accuracy = ecs_field(it, Accuracy, 0);
    ecs_entity_t target = ecs_pair_second(it->world, ecs_field_id(it, 1));
    for (int32_t i = 0; i < it->count; i++) shoot(it, i, accuracy->chance, target);
}

static void Shell(ecs_iter_t *it) {
    const Accuracy *accuracy = ecs_field(it, Accuracy, 0);
    const Army *army = ecs_field(it, Army, 1);
    for (int32_t i = 0; i < it->count; i++) {
        ecs_entity_t target = random_enemy(it, i, army->index);
        if (ecs_is_alive(it->world, target)) shoot(it, i, accuracy->chance, target);
    }
}

// ---- Observers ----

static void Wound(ecs_iter_t *it) {
    Health *health = ecs_field(it, Health, 0);
    const Hit *hit = it->param;
    if (health->hits <= 0) return; // hit twice in one tick
    health->hits -= hit->hits;
    if (health->hits <= 0) ecs_delete(it->world, it->entities[0]);
}

static void CountOut(ecs_iter_t *it) {
    Strength *company = ecs_field(it, Strength, 1);
    Army *army = ecs_field(it, Army, 2);
    company->soldiers -= it->count;
    army->soldiers -= it->count;
    if (!company->soldiers) ecs_delete(it->world, ecs_field_src(it, 1));
}

// ---- The armies ----

static ecs_entity_t make_prefabs(ecs_world_t *world) {
    ecs_add_pair(world, ecs_id(Health), EcsOnInstantiate, EcsOverride);
    ecs_add_pair(world, ecs_id(Strength), EcsOnInstantiate, EcsOverride);
    ecs_entity_t soldier = ecs_entity(world, { .name = "Soldier", .add = ecs_ids(EcsPrefab) });
    ecs_set(world, soldier, Accuracy, { (float)CHANCE });
    ecs_set(world, soldier, Health, { 1 });
    ecs_entity_t company = ecs_entity(world, { .name = "Company", .add = ecs_ids(EcsPrefab) });
    ecs_set(world, company, Strength, { COMPANY });
    for (int32_t i = 0; i < COMPANY; i++) {
        ecs_entity_t member = ecs_new_w_pair(world, EcsChildOf, company);
        ecs_add_pair(world, member, EcsIsA, soldier);
    }
    return company;
}

static void make_army(
    ecs_world_t *world, battle_t *battle, int32_t index, ecs_entity_t company, int32_t companies) {
    int32_t soldiers = companies * COMPANY;
    battle->soldiers[index] = demo_alloc((size_t)soldiers, sizeof(ecs_entity_t));
    battle->at_first[index] = soldiers;
    battle->army[index] = ecs_entity(world, { .name = index == REDS ? "Reds" : "Blues" });
    ecs_set(world, battle->army[index], Army, { index, soldiers });
    for (int32_t i = 0; i < companies; i++) {
        ecs_entity_t made = ecs_new_w_pair(world, EcsChildOf, battle->army[index]);
        ecs_add_pair(world, made, EcsIsA, company);
    }
}

static ecs_entity_t add_roll_call(ecs_world_t *world, battle_t *battle) {
    return ecs_system(world, { .entity = ecs_entity(world, { .name = "RollCall" }),
                                 .phase = EcsOnLoad,
                                 .query.expr = "[in] Health, [inout] Army(up ChildOf)",
                                 .run = RollCall,
                                 .ctx = battle });
}

static void make_battle(
    battle_t *battle, const demo_setup_t *setup, ecs_world_t *world, bool aimed) {
    ecs_set_threads(world, setup->workers);
    ecs_set_seed(world, setup->seed);
    ECS_COMPONENT_DEFINE(world, Accuracy);
    ECS_COMPONENT_DEFINE(world, Health);
    ECS_COMPONENT_DEFINE(world, Strength);
    ECS_COMPONENT_DEFINE(world, Army);
    ECS_COMPONENT_DEFINE(world, Hit);
    int32_t reds = (int32_t)((double)setup->entities / (COMPANY * (1 + BLUES_PER_RED)));
    if (reds < 4) reds = 4; // else there may be as many blues, and the laws say nothing
    int32_t blues = (int32_t)(reds * BLUES_PER_RED);
    ecs_entity_t company = make_prefabs(world);
    make_army(world, battle, REDS, company, reds);
    make_army(world, battle, BLUES, company, blues);
    ecs_observer(world, { .query.expr = "Health", .events = { ecs_id(Hit) }, .callback = Wound });
    ecs_observer(world, { .query.expr = "Health, Strength(up ChildOf), Army(up ChildOf)",
                            .events = { EcsOnRemove },
                            .callback = CountOut });
    ecs_entity_t roll_call = add_roll_call(world, battle);
    if (!aimed) {
        ecs_run(world, roll_call, 0, NULL);
        ecs_delete(world, roll_call);
        demo_system(
            world, "Shell", EcsOnUpdate, Shell, "[in] Accuracy, [in] Army(up ChildOf)", battle);
        return;
    }
    battle->aims = ecs_entity(
        world, { .name = "Aims", .add = ecs_ids(EcsExclusive, EcsDontFragment, EcsPairIsTag) });
    demo_system(world, "Aim", EcsPreUpdate, Aim,
        "[in] Health, [in] Army(up ChildOf), !Aims($this, *), [out] Aims(#0, *)", battle);
    demo_system(world, "Shoot", EcsOnUpdate, Shoot, "[in] Accuracy, Aims($this, *)", battle);
}

// ---- What must come out ----

// The soldiers that are there, not what observers counted.
static int64_t soldiers_of(ecs_world_t *world, ecs_entity_t army) {
    int64_t count = 0;
    ecs_iter_t companies = ecs_children(world, army);
    while (ecs_children_next(&companies)) {
        for (int32_t i = 0; i < companies.count; i++)
            count += ecs_count_id(world, ecs_childof(companies.entities[i]));
    }
    return count;
}

// Nobody aims at the dead, and everyone at one at most.
static int verify_aims(ecs_world_t *world) {
    ecs_query_t *query = ecs_query(world, { .expr = "Health, Aims($this, *)" });
    ecs_iter_t it = ecs_query_iter(world, query);
    int64_t aims = 0, dead = 0;
    while (ecs_query_next(&it)) {
        aims += it.count;
        ecs_entity_t target = ecs_pair_second(world, ecs_field_id(&it, 1));
        dead += !target || !ecs_is_alive(world, target);
    }
    ecs_query_fini(query);
    int32_t soldiers = ecs_count(world, Health);
    if (!dead && aims <= soldiers) return 0;
    return demo_wrong(
        "%d soldiers aim at %" PRId64 ", %" PRId64 " of them dead", soldiers, aims, dead);
}

static int verify_counts(ecs_world_t *world, const battle_t *battle) {
    for (int32_t i = 0; i < ARMIES; i++) {
        int64_t there = soldiers_of(world, battle->army[i]);
        int64_t counted = ecs_get(world, battle->army[i], Army)->soldiers;
        if (there != counted) {
            return demo_wrong("%s have %" PRId64 " soldiers, of whom observers left %" PRId64,
                ecs_get_name(world, battle->army[i]), there, counted);
        }
    }
    return battle->aims ? verify_aims(world) : 0;
}

// What a law says does not change, and how far chance may have moved it: the squares of its steps, summed.
typedef struct {
    double at_first, variation;
    double left[ARMIES]; // soldiers, when it was looked at last
} law_t;

static double law_of(const battle_t *battle, const double left[ARMIES]) {
    if (battle->aims) return left[REDS] * left[REDS] - left[BLUES] * left[BLUES];
    return battle->at_first[REDS] * left[REDS] - battle->at_first[BLUES] * left[BLUES];
}

static law_t begin_law(const battle_t *battle) {
    law_t law = { .left = { battle->at_first[REDS], battle->at_first[BLUES] } };
    law.at_first = law_of(battle, law.left);
    return law;
}

// After a tick.
static void follow_law(law_t *law, const battle_t *battle, const ecs_world_t *world) {
    for (int32_t i = 0; i < ARMIES; i++) {
        double left = (double)ecs_get(world, battle->army[i], Army)->soldiers;
        double step = battle->aims ? 2 * left : (double)battle->at_first[i]; // per soldier lost
        law->variation += (law->left[i] - left) * step * step;
        law->left[i] = left;
    }
}

// Chance may move it by five standard deviations. Ticks are no infinitely small times, and some are hit twice in one: both move the
// law by CHANCE^2 of itself per tick.
static int verify_law(const law_t *law, const battle_t *battle, int32_t ticks) {
    double off = law_of(battle, law->left) - law->at_first;
    double allowed = 5 * sqrt(law->variation) + ticks * 2 * CHANCE * CHANCE * law->at_first;
    if (law->variation <= 0) return demo_wrong("nobody fell");
    if (fabs(off) <= allowed) return 0;
    return demo_wrong("%.0f and %.0f soldiers are left: off the law by %.3g where %.3g may be",
        law->left[REDS], law->left[BLUES], off, allowed);
}

static int run_battle(const demo_setup_t *setup, demo_result_t *result, bool aimed) {
    battle_t battle = { 0 };
    ecs_world_t *world = ecs_init();
    make_battle(&battle, setup, world, aimed);
    law_t law = begin_law(&battle);
    for (int32_t tick = 0; tick < setup->ticks; tick++) {
        double start = demo_now();
        tail_progress(world, 1.0f);
        result->seconds += demo_now() - start;
        follow_law(&law, &battle, world);
        result->entity_ticks += (int64_t)(law.left[REDS] + law.left[BLUES]);
    }
    int status = verify_counts(world, &battle);
    if (!status) status = verify_law(&law, &battle, setup->ticks);
    result->entities = (int64_t)(law.left[REDS] + law.left[BLUES]);
    result->checksum = ecs_world_hash(world);
    snprintf(result->verdict, sizeof result->verdict,
        "%d reds and %d blues fought until %.0f and %.0f were left, %.2f %% off Lanchester's %s law",
        battle.at_first[REDS], battle.at_first[BLUES], law.left[REDS], law.left[BLUES],
        100 * (law_of(&battle, law.left) / law.at_first - 1), aimed ? "square" : "linear");
    ecs_fini(world);
    for (int32_t i = 0; i < ARMIES; i++) free(battle.soldiers[i]);
    return status;
}

static int run_aimed(const demo_setup_t *setup, demo_result_t *result) {
    return run_battle(setup, result, true);
}

static int run_shells(const demo_setup_t *setup, demo_result_t *result) {
    return run_battle(setup, result, false);
}

static const demo_scene_t scenes[] = {
    { "Everyone aims at somebody", run_aimed, 100000, 300, NULL },
    { "Shells fall anywhere", run_shells, 100000, 300, NULL },
    { 0 },
};

static const demo_scene_t checks[] = {
    { "Everyone aims at somebody", run_aimed, 7000, 120, NULL },
    { "Shells fall anywhere", run_shells, 7000, 200, NULL },
    { 0 },
};

int main(int argc, char **argv) {
    static const demo_t demo = {
        .name = "battle",
        .about = "two armies shoot at each other: events, observers, prefabs, relationships",
        .scenes = scenes,
        .checks = checks,
    };
    return demo_main(&demo, argc, argv);
}
