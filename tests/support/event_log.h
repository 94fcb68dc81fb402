// SPDX-License-Identifier: MIT
// event_log: what observers and hooks were told, as text that tests compare.
//
// An entry is "Event Id", then " xN" if the count is not 1, " ^source" for each field that is another
// entity's, and with log_values "=value" for each field that has one. Entries are parted by "; ".
#ifndef TEST_EVENT_LOG_H
#define TEST_EVENT_LOG_H

#include <stdarg.h>
#include <stdio.h>

#include <muster/ecs/ecs.h>

static struct {
    char text[4096];
    size_t length;
} event_log_;

static inline void log_clear(void) { event_log_.text[event_log_.length = 0] = '\0'; }

static inline void log_write(const char *fmt, ...) ECS_PRINTF_LIKE(1, 2);
static inline void log_write(const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    size_t room = sizeof event_log_.text - event_log_.length;
    const char *part = event_log_.length ? "; " : "";
    int n = snprintf(event_log_.text + event_log_.length, room, "%s", part);
    event_log_.length += (size_t)n;
    n = vsnprintf(event_log_.text + event_log_.length, room - (size_t)n, fmt, args);
    event_log_.length += (size_t)n;
    va_end(args);
}

/** The text so far, which then starts anew. */
static inline const char *log_take(void) {
    event_log_.length = 0;
    return event_log_.text;
}

#define assert_log(expected)                         \
    do {                                             \
        assert_string_equal(log_take(), (expected)); \
        log_clear();                                 \
    } while (0)

static inline void log_entry(const char *prefix, const ecs_iter_t *it) {
    char entry[256], *id = ecs_id_str(it->real_world, it->event_id);
    const char *event = it->event ? ecs_get_name(it->real_world, it->event) : "?";
    int n = snprintf(entry, sizeof entry, "%s%s %s", prefix, event, id);
    ecs_os_free(id);
    if (it->count != 1) n += snprintf(entry + n, sizeof entry - (size_t)n, " x%d", it->count);
    for (int8_t f = 0; f < it->field_count; f++) {
        ecs_entity_t source = ecs_field_src(it, f);
        const char *name = source ? ecs_get_name(it->real_world, source) : NULL;
        if (source) n += snprintf(entry + n, sizeof entry - (size_t)n, " ^%s", name ? name : "?");
    }
    log_write("%s", entry);
}

/** An observer that logs; its ctx may be a prefix. */
static inline void log_event(ecs_iter_t *it) {
    log_entry(it->ctx ? (const char *)it->ctx : "", it);
}

/** A hook that logs. */
static inline void log_hook(ecs_iter_t *it) { log_entry("hook ", it); }

/** Like log_event, with the int that each field holds. */
static inline void log_values(ecs_iter_t *it) {
    log_event(it);
    for (int8_t f = 0; f < it->field_count; f++) {
        const int *value = ecs_field_is_set(it, f) ? (const int *)it->ptrs[f] : NULL;
        if (value) {
            event_log_.length +=
                (size_t)snprintf(event_log_.text + event_log_.length, 32, "=%d", *value);
        }
    }
}

#endif
