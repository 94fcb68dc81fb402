// SPDX-License-Identifier: MIT
#include "mutate/report.h"

#include <muster/ecs/log.h>
#include <muster/ecs/os.h>

static _Thread_local bool is_input;

bool ecs__refuse_as_input(bool on) {
    bool before = is_input;
    is_input = on;
    return before;
}

bool ecs__refuse(int32_t code, const char *fmt, ...) {
    char sentence[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(sentence, sizeof(sentence), fmt, args);
    va_end(args);
#ifdef ECS_CHECK_LEVEL_
    if (!is_input) ecs_assert_failed_(ECS_CHECK_LEVEL_, code, NULL, NULL, 0, "%s", sentence);
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
