// SPDX-License-Identifier: MIT
// fuzz_world: bytes become operations on one world. What must hold between any two of them is
// checked: the world's own invariants, cached against uncached queries, what observers were told
// against what matches, values against the number of their constructions, and memory at the end.
//
// MUSTER_FUZZ_TRACE=1 prints each operation. world/scene.h tells how misuse is avoided.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/memory.h"
#include "world/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

scene_t scene;
static bool is_traced;

void fail(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fprintf(stderr, "fuzz_world: ");
    vfprintf(stderr, fmt, args);
    fprintf(stderr, "\n");
    abort();
}

void say(const char *fmt, ...) {
    if (!is_traced) return;
    va_list args;
    va_start(args, fmt);
    vfprintf(stderr, fmt, args);
    fprintf(stderr, "\n");
    va_end(args);
}

void say_id(const char *what, ecs_entity_t entity, ecs_id_t id) {
    if (!is_traced) return;
    char *of = entity ? ecs_id_str(scene.world, entity) : NULL;
    char *text = id ? ecs_id_str(scene.world, id) : NULL;
    say("%s %s%s%s", what, text ? text : "", of && text ? " of " : "", of ? of : "");
    ecs_os_free(of);
    ecs_os_free(text);
}

void operate(void) {
    // The more often it stands here, the more often it happens.
    static void (*const operations[])(void) = { change_add, change_add, change_add, change_add,
        change_add, change_remove, change_remove, change_set, change_set, change_set, change_new,
        change_new, change_new, change_delete, change_many, change_switch, change_switch,
        change_name, change_prefab, query_make, query_make, query_end, query_iterate, query_iterate,
        watcher_switch, watcher_switch, mode_defer, mode_defer, mode_suspend, mode_readonly,
        mode_own_stage, mode_rest };
    operations[input_byte() % (sizeof operations / sizeof *operations)]();
}

static void check(void) {
    if (!ecs_world_verify(scene.world)) fail("the world is not consistent");
    queries_check();
    watchers_check();
}

static void examine(const uint8_t *data, size_t size) {
    scene = (scene_t){ .at = data, .end = data + size };
    scene_begin();
    for (int i = 1; scene.at < scene.end; i++) {
        operate();
        if (is_immediate() && (i % 8 == 0 || is_traced)) check();
    }
    modes_end();
    check();
    queries_end();
    watchers_end();
    say("end");
    ecs_fini(scene.world);
    watchers_expect_none();
    values_expect_none();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    is_traced = getenv("MUSTER_FUZZ_TRACE") != NULL;
    ecs_log_set_level(is_traced ? -1 : -4);
    int64_t before = memory_live();
    examine(data, size);
    if (memory_live() != before)
        fail("%lld blocks of memory are left", (long long)(memory_live() - before));
    return 0;
}
