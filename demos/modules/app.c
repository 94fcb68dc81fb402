// SPDX-License-Identifier: MIT
// modules: a farm made of two modules, which are linked in, or shared libraries that are found when the program runs.
//
// The app knows no type of theirs: it makes instances of prefabs that it looks up by name, and reads members by their description, so it
// is the same program with both (FARM_IS_LOADED). It imports farm.crops, which brings farm.weather.
//
// Verified: rain is what grew and what is in the soil, plot by plot; a plot grows by its thirst as long as there is rain for it, so
// cactus and wheat are known on each day and rice lives from hand to mouth; without the weather, which is switched off as a module,
// only what is in the soil is drunk; and with a module all goes that is in it.
#include <muster.h>

#include "support/demo.h"
#include "support/tail.h"

#ifndef FARM_IS_LOADED
#include "modules/crops.h"
#endif

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { KINDS = 3, WEEK = 3, SHOWER = 6 }; // days; litres on one day of a week

static const char *const kinds[KINDS] = { "farm.crops.Cactus", "farm.crops.Wheat",
    "farm.crops.Rice" };

typedef struct {
    int64_t thirst, water, grown;
} plot_t;

static ecs_entity_t import_farm(ecs_world_t *world) {
#ifdef FARM_IS_LOADED
    return ecs_import_from_library(world, "farm.crops", NULL);
#else
    return ECS_IMPORT(world, FarmCrops);
#endif
}

static int64_t member_of(
    const ecs_world_t *world, ecs_entity_t type, const void *value, const char *name) {
    ecs_meta_cursor_t cursor = ecs_meta_cursor(world, type, (void *)(uintptr_t)value);
    ecs_meta_push(&cursor);
    ecs_meta_member(&cursor, name);
    return ecs_meta_get_int(&cursor);
}

static plot_t plot_of(const ecs_world_t *world, ecs_entity_t type, ecs_entity_t entity) {
    const void *value = ecs_get_id(world, entity, type);
    return (plot_t){ member_of(world, type, value, "thirst"),
        member_of(world, type, value, "water"), member_of(world, type, value, "grown") };
}

static ecs_entity_t *make_plots(ecs_world_t *world, int32_t count) {
    ecs_entity_t *plots = demo_alloc((size_t)count, sizeof *plots);
    for (int32_t i = 0; i < count; i++)
        plots[i] = ecs_new_w_pair(world, EcsIsA, ecs_lookup(world, kinds[i % KINDS]));
    return plots;
}

static void run_days(ecs_world_t *world, int32_t days, double *seconds) {
    double start = demo_now();
    for (int32_t i = 0; i < days; i++) tail_progress(world, 1);
    *seconds += demo_now() - start;
}

// What a plot has drunk after whole weeks of rain, and days without.
static int64_t grown_after(int64_t thirst, int64_t rainy, int64_t dry) {
    int64_t rain = rainy / WEEK * SHOWER;
    int64_t drunk = thirst * rainy < rain ? thirst * rainy : rain;
    return drunk + thirst * dry < rain ? drunk + thirst * dry : rain;
}

static int verify_plots(const ecs_world_t *world, const ecs_entity_t *plots, int32_t count,
    int64_t rainy, int64_t dry) {
    ecs_entity_t type = ecs_lookup(world, "farm.crops.Plot");
    for (int32_t i = 0; i < count; i++) {
        plot_t plot = plot_of(world, type, plots[i]);
        int64_t grown = grown_after(plot.thirst, rainy, dry), rain = rainy / WEEK * SHOWER;
        if (plot.thirst != i % KINDS + 1 || plot.grown != grown || plot.grown + plot.water != rain)
            return demo_wrong("a plot of thirst %" PRId64 " has drunk %" PRId64 " and %" PRId64
                              " is in the soil, where %" PRId64 " of %" PRId64 " can be drunk",
                plot.thirst, plot.grown, plot.water, grown, rain);
    }
    return 0;
}

// The type, the system and the prefabs go; plots stay, as bare entities; and the other module.
static int verify_end(const ecs_world_t *world, const ecs_entity_t *plots, int32_t count) {
    static const char *const gone[] = { "farm.crops", "farm.crops.Plot", "farm.crops.Grow",
        "farm.crops.Cactus" };
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        if (ecs_lookup(world, gone[i])) return demo_wrong("%s is still there", gone[i]);
    for (int32_t i = 0; i < count; i++)
        if (ecs_get_type(world, plots[i])->count) return demo_wrong("a plot still has something");
    return ecs_lookup(world, "farm.weather.Weather") ? 0 : demo_wrong("the weather has gone, too");
}

static int run_farm(const demo_setup_t *setup, demo_result_t *result) {
    ecs_world_t *world = ecs_init();
    ecs_set_threads(world, setup->workers);
    ecs_entity_t crops = import_farm(world);
    if (!crops || import_farm(world) != crops) return demo_wrong("the farm cannot be imported");
    int32_t rainy = setup->ticks / 2 / WEEK * WEEK, dry = setup->ticks - rainy;
    ecs_entity_t *plots = make_plots(world, setup->entities);
    run_days(world, rainy, &result->seconds);
    int status = verify_plots(world, plots, setup->entities, rainy, 0);
    ecs_enable(world, ecs_lookup(world, "farm.weather"), false);
    run_days(world, dry, &result->seconds);
    if (!status) status = verify_plots(world, plots, setup->entities, rainy, dry);
    result->entities = setup->entities;
    result->entity_ticks = (int64_t)setup->entities * setup->ticks;
    result->checksum = ecs_world_hash(world);
    ecs_delete(world, crops);
    if (!status) status = verify_end(world, plots, setup->entities);
    snprintf(result->verdict, sizeof result->verdict,
        "after %d days with rain and %d without, each plot has drunk what it could; the module went with all "
        "that was in it",
        (int)rainy, (int)dry);
    free(plots);
    ecs_fini(world);
    return status;
}

static const demo_scene_t scenes[] = { { "A farm", run_farm, 300000, 300, NULL }, { 0 } };
static const demo_scene_t checks[] = { { "A farm", run_farm, 3000, 100, NULL }, { 0 } };

int main(int argc, char **argv) {
    static const demo_t demo = {
        .name = "modules",
        .about = "a farm of two modules, linked in or loaded as shared libraries",
        .scenes = scenes,
        .checks = checks,
    };
    return demo_main(&demo, argc, argv);
}
