// SPDX-License-Identifier: MIT
// log: where messages end up when nobody replaces ecs_os_api.log_, and what errors say beside their sentence.
#ifndef ECS_BASE_LOG_H
#define ECS_BASE_LOG_H

#include <muster/ecs/ds/strbuf.h>
#include <muster/ecs/log.h>

/** Write one message as a line "level: [file: line: ]message" to log_out_, stderr or stdout. */
void ecs__log_write(int32_t level, const char *file, int32_t line, const char *msg);

/** What ecs_log_last_error will return. */
void ecs__log_set_last_error(int32_t code);

/** What errors of a thread end with: who is at work, for what. */
typedef struct ecs__log_note_t {
    void (*write)(const void *who, ecs_strbuf_t *text); /* NULL: nothing */
    const void *who;
} ecs__log_note_t;

/** Set the note of this thread; returns the previous one. */
ecs__log_note_t ecs__log_note(ecs__log_note_t note);
/** The note of this thread. */
ecs__log_note_t ecs__log_noted(void);

/** How often a failed check called the abort hook, which may have jumped away from what ran. Any thread. */
uint32_t ecs__log_aborts(void);

#endif
