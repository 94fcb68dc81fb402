// SPDX-License-Identifier: MIT
// life: Conway's Game of Life on an unbounded plane, one entity per live cell.
//
// Shows births and deaths through command queues: systems that run on all workers create and delete
// entities, and ids, rows and the order of hooks are the same for any number of workers.
//
//            OnUpdate                 PostUpdate                 end of tick
//     Look:  plane -> Outlook   Change: Outlook -> commands   merge -> hooks -> plane
//
// The plane is an index from coordinates to cells, kept by the hooks of Cell. Hooks run while
// commands are merged, one after the other on one thread; systems only read the plane. So nothing
// in this file needs an atomic or a lock.
//
// To run many cells, the pattern is repeated. Nothing travels faster than one cell per generation,
// so copies that are 2 x ticks apart never meet, and each must end like a lonely one.
#include <muster.h>

#include "support/checksum.h"
#include "support/demo.h"
#include "support/rle.h"
#include "support/system.h"
#include "support/tail.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A live cell. Its entity exists as long as the cell lives.
typedef struct {
    int32_t x, y;
} Cell;

// What a cell sees around it: filled in by Look, acted on by Change.
typedef struct {
    uint8_t neighbours; // 0 to 8
    uint8_t births;     // bit k: this cell gives birth at around[k]
} Outlook;

ECS_COMPONENT_DECLARE(Cell);
ECS_COMPONENT_DECLARE(Outlook);

static const Cell around[8] = { { -1, -1 }, { 0, -1 }, { 1, -1 }, { -1, 0 }, { 1, 0 }, { -1, 1 },
    { 0, 1 }, { 1, 1 } };

// ---- The plane: square pages of one byte per cell, found by hashing their corner ----

enum {
    PAGE_SIDE = 64,
    COUNT_MASK = 0x0f, // how many of the eight neighbours live
    ALIVE = 0x80
};

typedef struct {
    Cell corner;
    uint8_t cells[PAGE_SIDE * PAGE_SIDE];
} page_t;

typedef struct {
    page_t **pages; // open addressing; capacity is a power of two, at most half full
    uint32_t capacity, page_count;
    int64_t population, births, deaths;
    int64_t clashes; // births on live cells and deaths of dead ones; must stay 0
} plane_t;

static Cell corner_of(int32_t x, int32_t y) {
    return (Cell){ x & ~(PAGE_SIDE - 1), y & ~(PAGE_SIDE - 1) };
}

static uint32_t cell_in_page(int32_t x, int32_t y) {
    return (uint32_t)(y & (PAGE_SIDE - 1)) * PAGE_SIDE + (uint32_t)(x & (PAGE_SIDE - 1));
}

// The slot that holds the page, or the empty slot where it belongs.
static page_t **find_slot(const plane_t *plane, Cell corner) {
    uint64_t key = ((uint64_t)(uint32_t)corner.y << 32 | (uint32_t)corner.x) / PAGE_SIDE;
    uint32_t slot = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    for (;; slot++) {
        page_t **page = &plane->pages[slot & (plane->capacity - 1)];
        if (!*page || ((*page)->corner.x == corner.x && (*page)->corner.y == corner.y)) {
            return page;
        }
    }
}

static void grow(plane_t *plane) {
    plane_t old = *plane;
    plane->capacity = old.capacity ? 2 * old.capacity : 64;
    plane->pages = demo_alloc(plane->capacity, sizeof *plane->pages);
    for (uint32_t i = 0; i < old.capacity; i++) {
        if (old.pages[i]) {
            *find_slot(plane, old.pages[i]->corner) = old.pages[i];
        }
    }
    free(old.pages);
}

static uint8_t *cell_for_writing(plane_t *plane, int32_t x, int32_t y) {
    if (2 * (plane->page_count + 1) > plane->capacity) {
        grow(plane);
    }
    page_t **page = find_slot(plane, corner_of(x, y));
    if (!*page) {
        *page = demo_alloc(1, sizeof **page);
        (*page)->corner = corner_of(x, y);
        plane->page_count++;
    }
    return &(*page)->cells[cell_in_page(x, y)];
}

static void free_plane(plane_t *plane) {
    for (uint32_t i = 0; i < plane->capacity; i++) {
        free(plane->pages[i]);
    }
    free(plane->pages);
}

static void turn(plane_t *plane, Cell cell, bool on) {
    uint8_t *here = cell_for_writing(plane, cell.x, cell.y);
    plane->clashes += on == ((*here & ALIVE) != 0);
    *here ^= ALIVE;
    for (int32_t k = 0; k < 8; k++) {
        uint8_t *there = cell_for_writing(plane, cell.x + around[k].x, cell.y + around[k].y);
        *there = (uint8_t)(on ? *there + 1 : *there - 1);
    }
}

// Reads of one system run: neighbours are mostly on the page that was used last.
typedef struct {
    const plane_t *plane;
    const page_t *page;
} view_t;

static uint8_t see(view_t *view, int32_t x, int32_t y) {
    Cell corner = corner_of(x, y);
    if (!view->page || view->page->corner.x != corner.x || view->page->corner.y != corner.y) {
        const page_t *page = *find_slot(view->plane, corner);
        if (!page) {
            return 0;
        }
        view->page = page;
    }
    return view->page->cells[cell_in_page(x, y)];
}

// ---- Hooks: the plane follows the entities ----

static void CellSet(ecs_iter_t *it) {
    plane_t *plane = it->ctx;
    const Cell *cells = ecs_field(it, Cell, 0);
    for (int32_t i = 0; i < it->count; i++) {
        turn(plane, cells[i], true);
    }
    plane->population += it->count;
    plane->births += it->count;
}

static void CellRemoved(ecs_iter_t *it) {
    plane_t *plane = it->ctx;
    const Cell *cells = ecs_field(it, Cell, 0);
    for (int32_t i = 0; i < it->count; i++) {
        turn(plane, cells[i], false);
    }
    plane->population -= it->count;
    plane->deaths += it->count;
}

// ---- Systems ----

// Of the three parents of a newborn, the first one in reading order gives birth. Everyone can tell
// from the plane alone who that is, so no two workers create the same cell.
static bool is_mother(view_t *view, Cell me, int32_t x, int32_t y) {
    for (int32_t k = 0; k < 8; k++) {
        Cell other = { x + around[k].x, y + around[k].y };
        if (other.x == me.x && other.y == me.y) {
            return true;
        }
        if (see(view, other.x, other.y) & ALIVE) {
            return false;
        }
    }
    return false;
}

static Outlook look_around(view_t *view, Cell me) {
    Outlook outlook = { .neighbours = see(view, me.x, me.y) & COUNT_MASK };
    for (int32_t k = 0; k < 8; k++) {
        int32_t x = me.x + around[k].x, y = me.y + around[k].y;
        if (see(view, x, y) == 3 && is_mother(view, me, x, y)) { // dead, with three neighbours
            outlook.births |= (uint8_t)(1u << k);
        }
    }
    return outlook;
}

static void Look(ecs_iter_t *it) {
    const Cell *cells = ecs_field(it, Cell, 0);
    Outlook *outlooks = ecs_field(it, Outlook, 1);
    view_t view = { .plane = it->ctx };
    for (int32_t i = 0; i < it->count; i++) {
        outlooks[i] = look_around(&view, cells[i]);
    }
}

static void Change(ecs_iter_t *it) {
    const Cell *cells = ecs_field(it, Cell, 0);
    const Outlook *outlooks = ecs_field(it, Outlook, 1);
    for (int32_t i = 0; i < it->count; i++) {
        for (int32_t k = 0; k < 8; k++) {
            if (outlooks[i].births & (1u << k)) {
                ecs_entity_t newborn = ecs_new(it->world);
                ecs_set(it->world, newborn, Cell,
                    { cells[i].x + around[k].x, cells[i].y + around[k].y });
                ecs_set(it->world, newborn, Outlook, { 0 });
            }
        }
        if (outlooks[i].neighbours < 2 || outlooks[i].neighbours > 3) {
            ecs_delete(it->world, it->entities[i]);
        }
    }
}

static ecs_world_t *make_world(plane_t *plane, int32_t workers) {
    ecs_world_t *world = ecs_init();
    ecs_set_threads(world, workers);
    ECS_COMPONENT_DEFINE(world, Cell);
    ECS_COMPONENT_DEFINE(world, Outlook);
    ecs_set_hooks(world, Cell, { .on_set = CellSet, .on_remove = CellRemoved, .ctx = plane });
    demo_system(world, "Look", EcsOnUpdate, Look, "[in] Cell, [out] Outlook", plane);
    // The terms without a source say what is queued: cells appear and vanish at the next merge.
    demo_system(world, "Change", EcsPostUpdate, Change,
        "[in] Cell, [in] Outlook, [out] Cell(), [out] Outlook()", NULL);
    return world;
}

// ---- The scene ----

static int load(const demo_setup_t *setup, rle_pattern_t *pattern) {
    input_t input;
    int status = 0;
    if (!input_open(&input, setup->input ? setup->input : setup->data) ||
        !rle_read(&input, pattern)) {
        status = demo_bad_input("%s", input.error);
    } else if (pattern->count == 0) {
        status = demo_bad_input("%s has no live cell", input.name);
    }
    input_close(&input);
    return status;
}

// As many copies as bring the number of cells to about setup->entities; 0 if they do not fit.
static int32_t place_copies(
    ecs_world_t *world, const rle_pattern_t *pattern, const demo_setup_t *setup) {
    int32_t copies = setup->entities / pattern->count, side = 1;
    copies = copies > 0 ? copies : 1;
    while ((int64_t)side * side < copies) {
        side++;
    }
    int64_t size = pattern->width > pattern->height ? pattern->width : pattern->height;
    int64_t pitch = size + 2 * ((int64_t)setup->ticks + 1);
    if (side * pitch > INT32_MAX / 2) {
        return 0;
    }
    for (int32_t copy = 0; copy < copies; copy++) {
        int32_t left = (int32_t)(pitch * (copy % side)), top = (int32_t)(pitch * (copy / side));
        for (int32_t i = 0; i < pattern->count; i++) {
            ecs_entity_t cell = ecs_new(world);
            ecs_set(world, cell, Cell, { left + pattern->cells[i].x, top + pattern->cells[i].y });
            ecs_set(world, cell, Outlook, { 0 });
        }
    }
    return copies;
}

// Known populations of the patterns that come with this demo; -1 where there is none to compare
// with.
static int64_t known_population(const demo_setup_t *setup, int32_t generation) {
    const char *slash = setup->input ? NULL : strrchr(setup->data, '/');
    const char *pattern = slash ? slash + 1 : "";
    if (strcmp(pattern, "rpentomino.rle") == 0 && generation == 1103) {
        return 116;
    }
    if (strcmp(pattern, "acorn.rle") == 0 && generation == 5206) {
        return 633;
    }
    if (strcmp(pattern, "gosper_gun.rle") == 0 && generation % 30 == 0) {
        return 36 + 5 * (generation / 30); // the gun and one glider per period
    }
    return -1;
}

// Recount the neighbours of each cell from the cells alone.
static int verify_plane(ecs_world_t *world, const plane_t *plane) {
    if (plane->clashes || plane->population != ecs_count(world, Cell)) {
        return demo_wrong("%d cells are entities, %" PRId64 " are on the plane, %" PRId64
                          " clashed",
            ecs_count(world, Cell), plane->population, plane->clashes);
    }
    view_t view = { .plane = plane };
    ecs_iter_t it = ecs_each(world, Cell);
    int status = 0;
    while (ecs_each_next(&it)) {
        const Cell *cells = ecs_field(&it, Cell, 0);
        for (int32_t i = 0; i < it.count && !status; i++) {
            int32_t count = 0;
            for (int32_t k = 0; k < 8; k++) {
                count += see(&view, cells[i].x + around[k].x, cells[i].y + around[k].y) >> 7;
            }
            if (see(&view, cells[i].x, cells[i].y) != (ALIVE | count)) {
                status = demo_wrong("the plane is wrong at (%d, %d)", cells[i].x, cells[i].y);
            }
        }
    }
    return status;
}

static int tick(ecs_world_t *world, const demo_setup_t *setup, const plane_t *plane, int32_t copies,
    demo_result_t *result) {
    int32_t compared = 0;
    for (int32_t generation = 1; generation <= setup->ticks; generation++) {
        result->entity_ticks += plane->population;
        double start = demo_now();
        tail_progress(world, 1.0f);
        result->seconds += demo_now() - start;
        int64_t known = known_population(setup, generation);
        if (known >= 0 && plane->population != known * copies) {
            return demo_wrong("%" PRId64 " cells after %d generations; known are %" PRId64
                              " for each of %d copies",
                plane->population, generation, known, copies);
        }
        compared += known >= 0;
    }
    snprintf(result->verdict, sizeof result->verdict, "%" PRId64 " cells in %d cop%s, %s",
        plane->population, copies, copies == 1 ? "y" : "ies",
        compared ? "as known" : "the plane agrees with the entities");
    return 0;
}

static int run_life(const demo_setup_t *setup, demo_result_t *result) {
    rle_pattern_t pattern;
    int status = load(setup, &pattern);
    if (status) {
        return status;
    }
    plane_t plane = { 0 };
    ecs_world_t *world = make_world(&plane, setup->workers);
    int32_t copies = place_copies(world, &pattern, setup);
    status = copies ? tick(world, setup, &plane, copies, result)
                    : demo_bad_input("so many copies for so many ticks do not fit on the plane");
    if (!status) {
        status = verify_plane(world, &plane);
    }
    result->entities = plane.population;
    result->checksum = checksum_add(ecs_world_hash(world), &plane.births, sizeof plane.births);
    ecs_fini(world); // removes the remaining cells, so the plane must outlive it
    free_plane(&plane);
    rle_free(&pattern);
    return status;
}

static const demo_scene_t scenes[] = {
    { "One pattern many times, far apart", run_life, 300, 1103, "rpentomino.rle" },
    { 0 },
};

static const demo_scene_t checks[] = {
    { "R-pentomino", run_life, 5, 1103, "rpentomino.rle" },
    { "Acorn", run_life, 7, 5206, "acorn.rle" },
    { "Gosper gun", run_life, 36, 600, "gosper_gun.rle" },
    { 0 },
};

int main(int argc, char **argv) {
    static const demo_t demo = {
        .name = "life",
        .about = "Conway's Game of Life, one entity per live cell; --input reads an RLE file",
        .scenes = scenes,
        .checks = checks,
        .takes_input = true,
    };
    return demo_main(&demo, argc, argv);
}
