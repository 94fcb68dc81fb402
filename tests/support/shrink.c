// SPDX-License-Identifier: MIT
// shrink: see shrink.h.
#include "support/shrink.h"

#include "support/test.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef bool (*drop_t)(const shrink_t *s, int part);

static bool drop_term(const shrink_t *s, int part) { return s->drop_term(s->example, part); }

static bool drop_id(const shrink_t *s, int part) {
    ecs_entity_t e = s->entities[part / s->id_count];
    ecs_id_t id = s->ids[part % s->id_count];
    if (!ecs_owns_id(s->world, e, id)) return false;
    ecs_remove_id(s->world, e, id);
    return true;
}

static bool drop_entity(const shrink_t *s, int part) {
    bool dropped = false;
    for (int i = 0; i < s->id_count; i++) dropped |= drop_id(s, part * s->id_count + i);
    return dropped;
}

static bool differs_without(const shrink_t *s, drop_t drop, int part) {
    pid_t child = fork();
    if (!child) {
        alarm(10); // a world that is broken by now may not come to an end
        _exit(drop(s, part) && s->differs(s->example) ? 0 : 1);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

// From the last part to the first, so that the numbers of those still to try stay the same.
static int drop_all(const shrink_t *s, drop_t drop, int count) {
    int dropped = 0;
    for (int part = count; part-- > 0;) {
        if (differs_without(s, drop, part)) dropped += drop(s, part);
    }
    return dropped;
}

void shrink(const shrink_t *s) {
    int terms = s->term_count, dropped;
    do {
        dropped = drop_all(s, drop_term, terms);
        terms -= dropped;
        dropped += drop_all(s, drop_entity, s->entity_count);
        dropped += drop_all(s, drop_id, s->entity_count * s->id_count);
    } while (dropped);
}

static void print_owned(char *text, const char *before) {
    print_error("%s%s", before, text);
    ecs_os_free(text);
}

void shrink_print_world(const shrink_t *s) {
    for (int i = 0; i < s->entity_count; i++) {
        int count = 0;
        ecs_entity_t e = s->entities[i];
        for (int k = 0; k < s->id_count; k++) {
            if (!ecs_owns_id(s->world, e, s->ids[k])) continue;
            if (!count++) print_owned(ecs_get_path(s->world, e), "  ");
            const char *off = ecs_is_enabled_id(s->world, e, s->ids[k]) ? "" : "-";
            print_error("%s%s", count == 1 ? ": " : ", ", off);
            print_owned(ecs_id_str(s->world, s->ids[k]), "");
        }
        if (count) print_error("\n");
    }
}
