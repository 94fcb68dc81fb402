// SPDX-License-Identifier: MIT
// factory: plants that make cars from ore, coal and latex, machine by machine.
//
// Shows relationships that carry values, variables in queries, transitive relationships and a singleton. What a product is made of is
// (Needs, part) with a number; what a machine has got so far is (Has, part). Machines stand in halls, halls are in plants, plants in
// countries: (In, place) is transitive, so that `In($this, $plant), Plant($plant)` finds the plant from the machine and all machines
// from the country. Which store a machine takes a part from is no pointer that someone keeps, but what a query finds.
//
//     OnUpdate   Work    Machine
//                Unload  Machine -> Stock of what it makes, Books
//                Ship    Stock of cars -> Plant, Books
//                Load    Stock -> (Has, part)                          each machine and part
//                Use     (Has, part)                                   machines that have all parts
//                Begin   Machine                                       the same
//
// Verified: mass, exactly: what was dug is in stores, in machines or shipped. And the law of the bottleneck: a plant ships as many cars
// as the product allows whose machines could make it for the fewest cars, be it the ore; the parts of a car are counted
// by going through the recipes, apart from all queries. What is part of a car, in the end, a transitive query has to know as well.
#include <muster.h>

#include "support/demo.h"
#include "support/tail.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int32_t ticks, left;   // for one piece; of the present one, 0 = none
    int32_t parts, filled; // kinds of parts: that it needs, that it has in full
    bool is_done;          // the piece is to be unloaded
} Machine;

typedef struct {
    int32_t count, limit; // pieces
} Stock;

typedef struct {
    int32_t count; // of a part, for one piece
} Needs, Has;

typedef struct {
    int64_t grams; // of a piece
} Mass;

typedef struct {
    int64_t cars; // shipped
} Plant;

typedef struct {
    int64_t dug, shipped; // grams
} Books;

ECS_COMPONENT_DECLARE(Machine);
ECS_COMPONENT_DECLARE(Stock);
ECS_COMPONENT_DECLARE(Needs);
ECS_COMPONENT_DECLARE(Has);
ECS_COMPONENT_DECLARE(Mass);
ECS_COMPONENT_DECLARE(Plant);
ECS_COMPONENT_DECLARE(Books);
static ECS_TAG_DECLARE(Raw);
static ECS_TAG_DECLARE(In);
static ECS_TAG_DECLARE(Of);
static ECS_TAG_DECLARE(Makes);
static ECS_TAG_DECLARE(PartOf);

enum { ORE, COAL, LATEX, IRON, WHEEL, FRAME, ENGINE, CAR, PRODUCTS };
enum { PARTS = 3, LIMIT = 12, COUNTRIES = 3 };
enum { MACHINES = 50 }; // of a plant, on average
enum { WARM_UP = 300 }; // ticks until stores are as full as they get
#define FEW 8           // cars

static const struct {
    const char *name;
    int32_t grams;    // of raw material
    int32_t ticks;    // for one piece
    int32_t machines; // of a plant, times 1 to 4 by chance
    struct {
        int32_t product, count;
    } parts[PARTS];
} products[PRODUCTS] = {
    [ORE] = { "Ore", 900, 1, 4, { { 0 } } },
    [COAL] = { "Coal", 400, 1, 3, { { 0 } } },
    [LATEX] = { "Latex", 700, 1, 2, { { 0 } } },
    [IRON] = { "Iron", 0, 2, 5, { { ORE, 2 }, { COAL, 1 } } },
    [WHEEL] = { "Wheel", 0, 3, 3, { { IRON, 1 }, { LATEX, 2 } } },
    [FRAME] = { "Frame", 0, 4, 1, { { IRON, 3 } } },
    [ENGINE] = { "Engine", 0, 6, 1, { { IRON, 2 } } },
    [CAR] = { "Car", 0, 5, 1, { { WHEEL, 4 }, { FRAME, 1 }, { ENGINE, 1 } } },
};

typedef struct {
    ecs_entity_t entity;
    int32_t machines[PRODUCTS];
    int64_t cars_before; // warmed up
} plant_t;

typedef struct {
    ecs_world_t *world;
    ecs_entity_t product[PRODUCTS];
    ecs_entity_t countries[COUNTRIES];
    plant_t *plants;
    int32_t count;
} factory_t;

// ---- Systems ----

static void Work(ecs_iter_t *it) {
    Machine *machine = ecs_field(it, Machine, 0);
    for (int32_t i = 0; i < it->count; i++)
        if (machine[i].left && !--machine[i].left) machine[i].is_done = true;
}

static bool is_blocked(const Machine *machine, const Stock *stock) {
    return !machine->is_done || stock->count >= stock->limit;
}

static void Unload(ecs_iter_t *it) {
    Machine *machine = ecs_field(it, Machine, 0);
    Stock *stock = ecs_field(it, Stock, 4);
    Books *books = ecs_field(it, Books, 7);
    int64_t grams = ecs_field(it, Mass, 8)->grams;
    for (int32_t i = 0; i < it->count; i++) {
        if (is_blocked(&machine[i], stock)) continue;
        machine[i].is_done = false;
        stock->count++;
        if (!machine[i].parts) books->dug += grams;
    }
}

static void Ship(ecs_iter_t *it) {
    Stock *stock = ecs_field(it, Stock, 0);
    Plant *plant = ecs_field(it, Plant, 3);
    ecs_field(it, Books, 4)->shipped += stock->count * ecs_field(it, Mass, 5)->grams;
    plant->cars += stock->count;
    stock->count = 0;
}

// One result for each machine and part.
static void Load(ecs_iter_t *it) {
    Machine *machine = ecs_field(it, Machine, 0);
    const Needs *needs = ecs_field(it, Needs, 2);
    Has *has = ecs_field(it, Has, 3);
    Stock *stock = ecs_field(it, Stock, 6);
    for (int32_t i = 0; i < it->count; i++) {
        int32_t lacks = needs->count - has[i].count;
        int32_t taken = lacks < stock->count ? lacks : stock->count;
        if (!taken) continue;
        stock->count -= taken;
        has[i].count += taken;
        machine[i].filled += taken == lacks;
    }
}

static bool is_ready(const Machine *machine) {
    return !machine->left && !machine->is_done && machine->filled == machine->parts;
}

// One result for each machine and part.
static void Use(ecs_iter_t *it) {
    const Machine *machine = ecs_field(it, Machine, 0);
    Has *has = ecs_field(it, Has, 1);
    for (int32_t i = 0; i < it->count; i++)
        if (is_ready(&machine[i])) has[i].count = 0;
}

static void Begin(ecs_iter_t *it) {
    Machine *machine = ecs_field(it, Machine, 0);
    for (int32_t i = 0; i < it->count; i++) {
        if (!is_ready(&machine[i])) continue;
        machine[i].left = machine[i].ticks;
        machine[i].filled = 0;
    }
}

// ---- The factory ----

static void define_types(ecs_world_t *world) {
    ECS_COMPONENT_DEFINE(world, Machine);
    ECS_COMPONENT_DEFINE(world, Stock);
    ECS_COMPONENT_DEFINE(world, Needs);
    ECS_COMPONENT_DEFINE(world, Has);
    ECS_COMPONENT_DEFINE(world, Mass);
    ECS_COMPONENT_DEFINE(world, Plant);
    ECS_COMPONENT_DEFINE(world, Books);
    ECS_TAG_DEFINE(world, Raw);
    ECS_TAG_DEFINE(world, In);
    ECS_TAG_DEFINE(world, Of);
    ECS_TAG_DEFINE(world, Makes);
    ECS_TAG_DEFINE(world, PartOf);
    ecs_add_id(world, ecs_id(Books), EcsSingleton);
    ecs_add_id(world, In, EcsTransitive);
    ecs_add_id(world, PartOf, EcsTransitive);
    ecs_entity_t tags[] = { In, Of, Makes, PartOf };
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        ecs_add_id(world, tags[i], EcsPairIsTag);
}

static void make_products(factory_t *factory) {
    ecs_world_t *world = factory->world;
    for (int32_t i = 0; i < PRODUCTS; i++) {
        ecs_entity_t made = ecs_entity(world, { .name = products[i].name });
        int64_t grams = products[i].grams;
        if (grams) ecs_add_id(world, made, Raw);
        for (int32_t k = 0; k < PARTS && products[i].parts[k].count; k++) {
            ecs_entity_t part = factory->product[products[i].parts[k].product];
            int32_t count = products[i].parts[k].count;
            ecs_set_pair(world, made, Needs, part, { count });
            ecs_add_pair(world, part, PartOf, made);
            grams += count * ecs_get(world, part, Mass)->grams;
        }
        ecs_set(world, made, Mass, { grams });
        factory->product[i] = made;
    }
}

static ecs_entity_t make_place(ecs_world_t *world, ecs_entity_t in) {
    ecs_entity_t place = ecs_new(world);
    ecs_add_pair(world, place, In, in);
    return place;
}

static void make_machine(const factory_t *factory, int32_t product, ecs_entity_t hall) {
    ecs_world_t *world = factory->world;
    ecs_entity_t machine = make_place(world, hall);
    int32_t parts = 0;
    ecs_add_pair(world, machine, Makes, factory->product[product]);
    for (; parts < PARTS && products[product].parts[parts].count; parts++) {
        ecs_entity_t part = factory->product[products[product].parts[parts].product];
        ecs_set_pair(world, machine, Has, part, { 0 });
    }
    ecs_set(world, machine, Machine, { .ticks = products[product].ticks, .parts = parts });
}

// A foundry for raw materials and iron, and a hall where the rest is made.
static void make_plant(
    const factory_t *factory, plant_t *plant, ecs_entity_t country, uint64_t *random) {
    ecs_world_t *world = factory->world;
    plant->entity = make_place(world, country);
    ecs_set(world, plant->entity, Plant, { 0 });
    ecs_entity_t foundry = make_place(world, plant->entity);
    ecs_entity_t assembly = make_place(world, plant->entity);
    for (int32_t i = 0; i < PRODUCTS; i++) {
        ecs_entity_t store = make_place(world, plant->entity);
        ecs_add_pair(world, store, Of, factory->product[i]);
        ecs_set(world, store, Stock, { .limit = LIMIT });
        plant->machines[i] = products[i].machines * (1 + (int32_t)(demo_random(random) * 4));
        for (int32_t k = 0; k < plant->machines[i]; k++)
            make_machine(factory, i, i <= IRON ? foundry : assembly);
    }
}

static void add_system(ecs_world_t *world, const char *name, ecs_iter_action_t callback,
    const char *terms, bool shared) {
    ecs_system_desc_t system = {
        .entity = ecs_entity(world, { .name = name }),
        .phase = EcsOnUpdate,
        .query = { .expr = terms, .instanced = true },
        .callback = callback,
        .multi_threaded = shared,
    };
    ecs_system_init(world, &system);
}

static void add_systems(ecs_world_t *world) {
    add_system(world, "Work", Work, "Machine", true);
    add_system(world, "Unload", Unload,
        "Machine, Makes($this, $product), In($this, $plant), [in] Plant($plant), "
        "[inout] Stock($out), Of($out, $product), In($out, $plant), [inout] Books, [in] Mass($product)",
        false);
    add_system(world, "Ship", Ship,
        "Stock, Of($this, Car), In($this, $plant), [inout] Plant($plant), [inout] Books, [in] Mass(Car)",
        false);
    add_system(world, "Load", Load,
        "Machine, Makes($this, $product), [in] Needs($product, $part), Has($this, $part), "
        "In($this, $plant), [in] Plant($plant), [inout] Stock($in), Of($in, $part), In($in, $plant)",
        false);
    add_system(world, "Use", Use, "[in] Machine, Has($this, *)", true);
    add_system(world, "Begin", Begin, "Machine", true);
}

static void make_factory(factory_t *factory, const demo_setup_t *setup) {
    ecs_world_t *world = factory->world = ecs_init();
    uint64_t random = setup->seed;
    ecs_set_threads(world, setup->workers);
    define_types(world);
    make_products(factory);
    ecs_singleton_set(world, Books, { 0 });
    factory->count = setup->entities / MACHINES;
    if (factory->count < 1) factory->count = 1;
    factory->plants = demo_alloc((size_t)factory->count, sizeof *factory->plants);
    for (int32_t i = 0; i < COUNTRIES; i++) factory->countries[i] = ecs_new(world);
    for (int32_t i = 0; i < factory->count; i++)
        make_plant(factory, &factory->plants[i], factory->countries[i % COUNTRIES], &random);
    add_systems(world);
}

// ---- What must come out ----

// How many pieces of each product are in one of `product`, by going through the recipes.
static void count_parts(int32_t product, int64_t count, int64_t counts[PRODUCTS]) {
    counts[product] += count;
    for (int32_t k = 0; k < PARTS && products[product].parts[k].count; k++)
        count_parts(
            products[product].parts[k].product, count * products[product].parts[k].count, counts);
}

// Number of results of a query with one variable given.
static int64_t count_results(
    const factory_t *factory, const char *expr, const char *variable, ecs_entity_t value) {
    int64_t count = 0;
    ecs_query_t *query = ecs_query_new(factory->world, expr);
    ecs_iter_t it = ecs_query_iter(factory->world, query);
    ecs_iter_set_var(&it, ecs_query_find_var(query, variable), value);
    while (ecs_query_next(&it)) count += it.count;
    ecs_query_fini(query);
    return count;
}

static int verify_parts(const factory_t *factory) {
    for (int32_t i = 0; i < PRODUCTS; i++) {
        int64_t counts[PRODUCTS] = { 0 }, kinds = -1;
        count_parts(i, 1, counts);
        for (int32_t k = 0; k < PRODUCTS; k++) kinds += counts[k] > 0;
        int64_t found =
            count_results(factory, "PartOf($this, $whole)", "whole", factory->product[i]);
        if (found != kinds)
            return demo_wrong("a query finds %" PRId64 " kinds of parts in %s, which has %" PRId64,
                found, products[i].name, kinds);
    }
    return 0;
}

static int verify_places(const factory_t *factory) {
    for (int32_t i = 0; i < COUNTRIES; i++) {
        int64_t machines = 0;
        for (int32_t k = i; k < factory->count; k += COUNTRIES)
            for (int32_t p = 0; p < PRODUCTS; p++) machines += factory->plants[k].machines[p];
        int64_t found = count_results(
            factory, "Machine, In($this, $country)", "country", factory->countries[i]);
        if (found != machines)
            return demo_wrong(
                "a query finds %" PRId64 " machines in a country with %" PRId64, found, machines);
    }
    return 0;
}

static int64_t mass_in_stores(ecs_world_t *world) {
    int64_t grams = 0;
    ecs_query_t *query =
        ecs_query_new(world, "[in] Stock, Of($this, $product), [in] Mass($product)");
    ecs_iter_t it = ecs_query_iter(world, query);
    while (ecs_query_next(&it))
        for (int32_t i = 0; i < it.count; i++)
            grams += ecs_field(&it, Stock, 0)[i].count * ecs_field(&it, Mass, 2)->grams;
    ecs_query_fini(query);
    return grams;
}

// What machines have got so far, and what they are working on.
static int64_t mass_in_machines(ecs_world_t *world) {
    int64_t grams = 0;
    ecs_query_t *query = ecs_query_new(world, "[in] Has($this, $part), [in] Mass($part)");
    ecs_iter_t it = ecs_query_iter(world, query);
    while (ecs_query_next(&it))
        for (int32_t i = 0; i < it.count; i++)
            grams += ecs_field(&it, Has, 0)[i].count * ecs_field(&it, Mass, 1)->grams;
    ecs_query_fini(query);
    query = ecs_query_new(world, "[in] Machine, Makes($this, $product), [in] Mass($product)");
    it = ecs_query_iter(world, query);
    while (ecs_query_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) {
            const Machine *machine = &ecs_field(&it, Machine, 0)[i];
            bool works = machine->parts && (machine->left || machine->is_done);
            if (works) grams += ecs_field(&it, Mass, 2)->grams;
        }
    }
    ecs_query_fini(query);
    return grams;
}

static int verify_mass(ecs_world_t *world) {
    const Books *books = ecs_singleton_get(world, Books);
    int64_t left = mass_in_stores(world) + mass_in_machines(world);
    if (books->dug && books->dug == books->shipped + left) return 0;
    return demo_wrong("%" PRId64 " g were dug, %" PRId64 " shipped, and %" PRId64 " are there",
        books->dug, books->shipped, left);
}

// Cars per tick.
static double bottleneck(const plant_t *plant) {
    int64_t counts[PRODUCTS] = { 0 };
    double rate = HUGE_VAL;
    count_parts(CAR, 1, counts);
    for (int32_t i = 0; i < PRODUCTS; i++) {
        double pieces = (double)plant->machines[i] / products[i].ticks;
        rate = fmin(rate, pieces / (double)counts[i]);
    }
    return rate;
}

// Between two moments stores may fill or empty by what makes a few cars, here and there.
static int verify_cars(const factory_t *factory, int32_t ticks, double *by_law, int64_t *cars) {
    for (int32_t i = 0; i < factory->count; i++) {
        const plant_t *plant = &factory->plants[i];
        int64_t made = ecs_get(factory->world, plant->entity, Plant)->cars - plant->cars_before;
        double expected = bottleneck(plant) * (ticks - WARM_UP);
        *by_law += expected;
        *cars += made;
        if (fabs((double)made - expected) > FEW)
            return demo_wrong("a plant shipped %" PRId64 " cars where its bottleneck allows %.1f",
                made, expected);
    }
    if (fabs((double)*cars - *by_law) <= FEW + 0.005 * *by_law) return 0;
    return demo_wrong("%" PRId64 " cars were shipped where bottlenecks allow %.1f", *cars, *by_law);
}

static void note_cars(factory_t *factory) {
    for (int32_t i = 0; i < factory->count; i++) {
        plant_t *plant = &factory->plants[i];
        plant->cars_before = ecs_get(factory->world, plant->entity, Plant)->cars;
    }
}

static int run_factory(const demo_setup_t *setup, demo_result_t *result) {
    factory_t factory = { 0 };
    make_factory(&factory, setup);
    double start = demo_now(), by_law = 0;
    int64_t cars = 0;
    for (int32_t tick = 0; tick < setup->ticks; tick++) {
        if (tick == WARM_UP) note_cars(&factory);
        tail_progress(factory.world, 1);
    }
    result->seconds = demo_now() - start;
    int status = verify_parts(&factory);
    if (!status) status = verify_places(&factory);
    if (!status) status = verify_mass(factory.world);
    if (!status && setup->ticks > WARM_UP)
        status = verify_cars(&factory, setup->ticks, &by_law, &cars);
    result->entities = ecs_count(factory.world, Machine);
    result->entity_ticks = result->entities * setup->ticks;
    result->checksum = ecs_world_hash(factory.world);
    snprintf(result->verdict, sizeof result->verdict,
        "%d plants shipped %" PRId64 " cars, bottlenecks allow %.1f; no gram of %" PRId64
        " t is lost",
        (int)factory.count, cars, by_law, ecs_singleton_get(factory.world, Books)->dug / 1000000);
    ecs_fini(factory.world);
    free(factory.plants);
    return status;
}

static const demo_scene_t scenes[] = { { "Cars", run_factory, 2000, 1000, NULL }, { 0 } };
static const demo_scene_t checks[] = { { "Cars", run_factory, 400, 600, NULL }, { 0 } };

int main(int argc, char **argv) {
    static const demo_t demo = {
        .name = "factory",
        .about =
            "plants make cars: values of relationships, variables, transitive queries, a singleton",
        .scenes = scenes,
        .checks = checks,
    };
    return demo_main(&demo, argc, argv);
}
