// SPDX-License-Identifier: MIT
#include "mutate/report.h"

#include <muster/ecs/log.h>
#include <muster/ecs/os.h>

#include "world/state.h"

static _Thread_local bool is_input;

bool ecs__refuse_as_input(bool on) {
    bool before = is_input;
    is_input = on;
    return before;
}

bool ecs__refuses_input(void) { return is_input; }

#ifdef ECS_CHECK_LEVEL_
static void fail(ecs_stage_t *stage, int32_t code, const char *sentence) {
    int32_t defer = stage->defer;
    if (defer == 1) stage->defer = 0;
    ecs_assert_failed_(ECS_CHECK_LEVEL_, code, NULL, NULL, 0, "%s", sentence);
    stage->defer = defer;
}
#endif

bool ecs__refuse(ecs_world_t *world, int32_t code, const char *fmt, ...) {
    char sentence[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(sentence, sizeof(sentence), fmt, args);
    va_end(args);
    ecs__check_undo(world);
#ifdef ECS_CHECK_LEVEL_
    if (!is_input) fail(world->stages[0], code, sentence);
    if (!is_input) return false;
#endif
    ecs_err_code_(code, NULL, 0, "%s", sentence); // its place in the sources would be here
    return false;
}

const char *ecs__text(const ecs_world_t *world, ecs_id_t id) {
    enum { TEXTS = 4, SIZE = 128 };
    static _Thread_local char texts[TEXTS][SIZE];
    static _Thread_local uint32_t last;
    char *buffer = texts[++last % TEXTS], *text = ecs_id_str(world, id);
    snprintf(buffer, SIZE, "%s", text);
    ecs_os_free(text);
    return buffer;
}

bool ecs__check_stayed(ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *table) {
    return ecs__entity_table(&world->store.entities, entity) == table ||
           ecs__refuse(world, ECS_LOCKED_STORAGE,
               "%s was moved, or deleted, by a hook or observer that was told what it loses, which it does not now; do not suspend "
               "deferring for that",
               ECS__TEXT(world, entity));
}
