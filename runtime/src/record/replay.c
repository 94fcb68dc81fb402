// SPDX-License-Identifier: MIT
// replay: reads a log line by line, and runs a tick for each.
//
// A line is read as a whole before its tick begins, so a mistake leaves the world as the ticks before left it. What it says of the inbox
// is submitted as other threads would.
#include <inttypes.h>
#include <math.h>
#include <muster/runtime/frame.h>
#include <muster/runtime/record.h>
#include <stdio.h>
#include "record/record.h"
#include "tick/background.h"
#include "tick/inbox.h"

typedef struct reader_t {
    rt_t *rt;
    ecs_from_json_desc_t desc; /* where the text comes from, and all of it, for messages */
    const char *at;
    ecs_vec_t ids; /* of the present event */
    bool warned;   /* of functions */
} reader_t;

static bool fail(const reader_t *reader, const char *fmt, ...) ECS_PRINTF_LIKE(2, 3);
static bool fail(const reader_t *reader, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    ecs_parser_errorv(
        reader->desc.name, reader->desc.expr, reader->at - reader->desc.expr, fmt, args);
    va_end(args);
    return false;
}

static bool accept(reader_t *reader, const char *text) {
    size_t length = strlen(text);
    if (strncmp(reader->at, text, length) != 0) return false;
    reader->at += length;
    return true;
}

static bool expect(reader_t *reader, const char *text) {
    return accept(reader, text) || fail(reader, "'%s' expected", text);
}

// A value of a described type.
static bool read_value(reader_t *reader, ecs_entity_t type, void *value) {
    const char *end = ecs_ptr_from_json(reader->rt->world, type, value, reader->at, &reader->desc);
    if (end) reader->at = end;
    return end != NULL;
}

static bool read_number(reader_t *reader, const char *name, int64_t *number) {
    return expect(reader, name) && read_value(reader, ecs_id(ecs_i64_t), number);
}

static bool read_time(reader_t *reader, const char *name, ecs_ftime_t *time) {
    return expect(reader, name) && read_value(reader, RT_TIME_TYPE, time);
}

static bool end_line(reader_t *reader) {
    return expect(reader, "}") &&
           (accept(reader, "\n") || fail(reader, "the line should end here"));
}

// The last member of a line.
static bool read_hash(reader_t *reader, const char *of_what) {
    char own[24];
    snprintf(own, sizeof own, "\"%016" PRIx64 "\"", ecs_world_hash(reader->rt->world));
    if (!expect(reader, ",\"hash\":")) return false;
    return accept(reader, own) ? end_line(reader) : fail(reader, "%s, now it is %s", of_what, own);
}

// ---- The inbox of a tick ----

// Whom an event is about may be made by one before it, or have been gone.
static bool read_entity(reader_t *reader, const char *name, bool is_alive, ecs_entity_t *entity) {
    if (!expect(reader, name)) return false;
    const char *at = reader->at;
    if (!read_value(reader, ecs_id(ecs_entity_t), entity)) return false;
    bool is_good = is_alive ? ecs_is_valid(reader->rt->world, *entity) : *entity != 0;
    if (is_good && *entity != EcsWildcard) return true;
    reader->at = at;
    return fail(reader, "there is no such entity");
}

// What stands between brackets, the first of which is read.
static bool read_list(reader_t *reader, bool (*read_element)(reader_t *reader)) {
    for (bool first = true; !accept(reader, "]"); first = false) {
        if ((!first && !expect(reader, ",")) || !read_element(reader)) return false;
    }
    return true;
}

static bool read_id(reader_t *reader) {
    ecs_id_t *id = ecs_vec_append_t(NULL, &reader->ids, ecs_id_t);
    return read_value(reader, ecs_id(ecs_id_t), id);
}

static bool read_bytes(reader_t *reader, uint8_t *bytes, ecs_size_t size) {
    static const char digits[] = "0123456789abcdef";
    if (!expect(reader, "\"")) return false;
    for (ecs_size_t i = 0; i < size * 2; i++) {
        const char *digit = *reader->at ? strchr(digits, *reader->at) : NULL;
        if (!digit) return fail(reader, "%d bytes in hexadecimal expected", size);
        bytes[i / 2] = (uint8_t)(bytes[i / 2] << 4 | (digit - digits));
        reader->at++;
    }
    return expect(reader, "\"");
}

static bool read_param(reader_t *reader, ecs_event_desc_t *event, ecs_size_t *size) {
    bool is_value = accept(reader, ",\"value\":");
    if (!is_value && !accept(reader, ",\"bytes\":")) return true;
    const ecs_type_info_t *type = rt__event_type(reader->rt->world, event->event);
    if (!type) return fail(reader, "this event cannot have a param, see above");
    if (is_value && !ecs_has(reader->rt->world, event->event, EcsTypeSerializer))
        return fail(reader, "\"bytes\" expected: the values of this event are not described");
    *size = type->size;
    event->param = ecs_os_calloc(type->size);
    return is_value ? read_value(reader, event->event, event->param)
                    : read_bytes(reader, event->param, type->size);
}

static bool read_event(reader_t *reader) {
    ecs_event_desc_t event = { 0 };
    ecs_size_t size = 0;
    ecs_vec_clear(&reader->ids);
    bool success = read_entity(reader, "{\"event\":", true, &event.event) &&
                   read_entity(reader, ",\"entity\":", false, &event.entity) &&
                   (!accept(reader, ",\"ids\":[") || read_list(reader, read_id)) &&
                   read_param(reader, &event, &size) && expect(reader, "}");
    ecs_type_t ids = { reader->ids.array, reader->ids.count };
    event.ids = &ids;
    success = success && !rt__inbox_put_event(reader->rt->world, &event, (size_t)size, true);
    ecs_os_free(event.param);
    return success;
}

static bool read_job(reader_t *reader) {
    rt_t *rt = reader->rt;
    int64_t number;
    if (!read_number(reader, "{\"job\":", &number)) return false;
    if (!rt__job_wait(rt, number)) return fail(reader, "there is no such job in the background");
    rt_item_t *item = rt__inbox_new_job(rt->inbox, number, true);
    if (!item) return fail(reader, "there is no memory for it");
    rt__inbox_put(rt->inbox, item);
    return expect(reader, "}");
}

static bool read_input(reader_t *reader) {
    if (!strncmp(reader->at, "{\"job\":", 7)) return read_job(reader);
    if (!accept(reader, "\"function\"")) return read_event(reader);
    if (!reader->warned)
        ecs_warn("%s: what functions of ecs_submit did then is not known", reader->desc.name);
    return reader->warned = true;
}

// ---- Lines ----

static bool read_tick(reader_t *reader, ecs_ftime_t *delta) {
    ecs_world_info_t *info = reader->rt->info;
    ecs_ftime_t scale;
    const char *at = reader->at;
    int64_t tick;
    if (!read_number(reader, "{\"tick\":", &tick)) return false;
    if (tick != info->frame_count_total) {
        reader->at = at;
        return fail(reader, "tick %" PRId64 " expected", info->frame_count_total);
    }
    if (!read_time(reader, ",\"scale\":", &scale)) return false;
    if (!(scale >= 0) || !isfinite(scale)) return fail(reader, "a time scale is not negative");
    if (!expect(reader, ",\"inbox\":[") || !read_list(reader, read_input)) return false;
    if (!read_time(reader, ",\"delta\":", delta)) return false;
    if (*delta == 0 || !isfinite(*delta)) return fail(reader, "a tick simulates some time");
    if (!end_line(reader)) return false;
    info->time_scale = scale;
    return true;
}

static bool read_header(reader_t *reader) {
    const rt_t *rt = reader->rt;
    int64_t version, tick;
    uint64_t seed;
    if (!read_number(reader, "{\"muster\":\"log\",\"version\":", &version)) return false;
    if (version != RT_RECORD_VERSION) return fail(reader, "version %d expected", RT_RECORD_VERSION);
    if (!read_number(reader, ",\"tick\":", &tick)) return false;
    if (tick != rt->info->frame_count_total)
        return fail(reader, "the world was at another tick, now it is at %" PRId64,
            rt->info->frame_count_total);
    if (!expect(reader, ",\"seed\":") || !read_value(reader, ecs_id(ecs_u64_t), &seed))
        return false;
    if (seed != rt->seed)
        return fail(reader, "the seed was another one, now it is %" PRIu64, rt->seed);
    return read_hash(reader, "the world was in another state");
}

static bool read_end(reader_t *reader, int64_t ticks) {
    int64_t count;
    if (!read_number(reader, "{\"ticks\":", &count)) return false;
    if (count != ticks) return fail(reader, "%" PRId64 " ticks were there", ticks);
    return read_hash(reader, "the world ended in another state") &&
           (!*reader->at || fail(reader, "nothing expected behind the end"));
}

// The number of ticks, or -1.
static int64_t run(reader_t *reader) {
    ecs_ftime_t delta;
    bool quits = false;
    if (!read_header(reader)) return -1;
    for (int64_t ticks = 0;; ticks++) {
        if (!*reader->at) {
            ecs_warn("%s: the recording was not ended: how the world was then is not known",
                reader->desc.name);
            return ticks;
        }
        if (!strncmp(reader->at, "{\"ticks\":", 9)) return read_end(reader, ticks) ? ticks : -1;
        if (quits) return ticks;
        if (!read_tick(reader, &delta)) return -1;
        quits = !ecs_progress(reader->rt->world, delta);
    }
}

int64_t ecs_replay(ecs_world_t *world, const char *path) {
    rt_t *rt = rt__of_recordable(world);
    if (!rt) return -1;
    RT_GIVEN(path);
    char *text = ecs_os_read_file(path);
    if (!text) {
        ecs_err_code(ECS_INVALID_PARAMETER, "nothing can be replayed: %s cannot be read", path);
        return -1;
    }
    reader_t reader = { .rt = rt, .desc = { .name = path, .expr = text }, .at = text };
    ecs_vec_init_t(NULL, &reader.ids, ecs_id_t, 0);
    rt->replays = true;
    int64_t ticks = run(&reader);
    rt->replays = false;
    rt__background_resume(rt);
    ecs_vec_fini_t(NULL, &reader.ids, ecs_id_t);
    ecs_os_free(text);
    return ticks;
}
