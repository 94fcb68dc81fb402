// SPDX-License-Identifier: MIT
#include "record/record.h"

#include <inttypes.h>
#include <muster/runtime/record.h>
#include <stdio.h>

struct rt_recording_t {
    rt_t *rt;
    FILE *file;
    char *path;
    int64_t ticks;
    ecs_strbuf_t line; /* of the present tick */
    bool failed;       /* not all could be written */
    bool has_functions;
};

// Written line by line, so that the log of a program that ended unexpectedly tells what led there.
static void end_line(rt_recording_t *recording) {
    ecs_strbuf_appendch(&recording->line, '\n');
    recording->failed |= fputs(ecs_strbuf_str(&recording->line), recording->file) < 0;
    recording->failed |= fflush(recording->file) != 0;
    ecs_strbuf_reset(&recording->line);
}

static void put_time(rt_recording_t *recording, ecs_ftime_t time) {
    recording->failed |=
        ecs_ptr_to_json_buf(recording->rt->world, RT_TIME_TYPE, &time, &recording->line) != 0;
}

// ---- Values ----

// That a path leads nowhere, from what is dead, is no mistake.
static ecs_entity_t find_quietly(ecs_world_t *world, const char *path, void *ctx) {
    ecs_entity_t entity = ecs_lookup(world, path);
    (void)ctx;
    return entity ? entity : EcsAny;
}

// As JSON, if reading that gives the same bytes.
static bool put_json(
    rt_recording_t *recording, ecs_entity_t type, const void *value, ecs_size_t size) {
    const ecs_world_t *world = recording->rt->world;
    const ecs_from_json_desc_t desc = { .lookup_action = find_quietly };
    char *text = ecs_ptr_to_json(world, type, value);
    void *back = ecs_os_calloc(size);
    bool is_same = text && ecs_ptr_from_json(world, type, back, text, &desc) &&
                   !ecs_os_memcmp(back, value, size);
    if (is_same) ecs_strbuf_appendstr(&recording->line, text);
    ecs_os_free(back);
    ecs_os_free(text);
    return is_same;
}

static void put_bytes(rt_recording_t *recording, const uint8_t *bytes, ecs_size_t size) {
    ecs_strbuf_appendch(&recording->line, '"');
    for (ecs_size_t i = 0; i < size; i++) ecs_strbuf_append(&recording->line, "%02x", bytes[i]);
    ecs_strbuf_appendch(&recording->line, '"');
}

static void put_id(rt_recording_t *recording, ecs_entity_t type, ecs_id_t id) {
    if (!put_json(recording, type, &id, ECS_SIZEOF(id)))
        ecs_strbuf_append(&recording->line, "%" PRIu64, id);
}

// ---- Ticks ----

void rt__recording_tick(rt_recording_t *recording) {
    const ecs_world_info_t *info = recording->rt->info;
    ecs_strbuf_append(
        &recording->line, "{\"tick\":%" PRId64 ",\"scale\":", info->frame_count_total);
    put_time(recording, info->time_scale);
    ecs_strbuf_list_push(&recording->line, ",\"inbox\":[", ",");
}

void rt__recording_delta(rt_recording_t *recording) {
    ecs_strbuf_list_pop(&recording->line, "],\"delta\":");
    put_time(recording, recording->rt->info->delta_time_raw);
    ecs_strbuf_appendch(&recording->line, '}');
    end_line(recording);
    recording->ticks++;
}

static void put_param(
    rt_recording_t *recording, ecs_entity_t event, const void *param, ecs_size_t size) {
    bool is_described = ecs_has(recording->rt->world, event, EcsTypeSerializer);
    ecs_strbuf_t *line = &recording->line;
    int32_t before = line->length;
    ecs_strbuf_appendlit(line, ",\"value\":");
    if (is_described && put_json(recording, event, param, size)) return;
    line->length = before;
    ecs_strbuf_appendlit(line, ",\"bytes\":");
    put_bytes(recording, param, size);
}

void rt__recording_event(
    rt_recording_t *recording, const ecs_event_desc_t *event, ecs_size_t size) {
    ecs_strbuf_t *line = &recording->line;
    ecs_strbuf_list_appendlit(line, "{\"event\":");
    put_id(recording, ecs_id(ecs_entity_t), event->event);
    ecs_strbuf_appendlit(line, ",\"entity\":");
    put_id(recording, ecs_id(ecs_entity_t), event->entity);
    if (event->ids->count) {
        ecs_strbuf_list_push(line, ",\"ids\":[", ",");
        for (int32_t i = 0; i < event->ids->count; i++) {
            ecs_strbuf_list_next(line);
            put_id(recording, ecs_id(ecs_id_t), event->ids->array[i]);
        }
        ecs_strbuf_list_pop(line, "]");
    }
    if (size) put_param(recording, event->event, event->param, size);
    ecs_strbuf_appendch(line, '}');
}

void rt__recording_function(rt_recording_t *recording) {
    ecs_strbuf_list_appendlit(&recording->line, "\"function\"");
    if (recording->has_functions) return;
    recording->has_functions = true;
    ecs_warn("what functions of ecs_submit do cannot be recorded: use ecs_submit_event for what a "
             "replay needs");
}

void rt__recording_job(rt_recording_t *recording, int64_t number) {
    ecs_strbuf_list_append(&recording->line, "{\"job\":%" PRId64 "}", number);
}

// ---- Begin and end ----

rt_t *rt__of_recordable(ecs_world_t *world) {
    rt_t *rt = rt__of(world);
    ecs_check(rt && !rt->running && !rt->frame_begun && !rt__is_amid_changes(rt->world),
        ECS_INVALID_OPERATION,
        "recordings and replays begin and end between ticks, in a world made with ecs_init");
    ecs_check(ecs_is_valid(rt->world, ecs_id(EcsTypeSerializer)), ECS_INVALID_OPERATION,
        "recordings and replays need FlecsMetaImport");
    return rt;
error:
    return NULL;
}

static void free_recording(rt_recording_t *recording) {
    ecs_strbuf_reset(&recording->line);
    ecs_os_free(recording->path);
    ecs_os_free(recording);
}

int ecs_recording_begin(ecs_world_t *world, const char *path) {
    rt_t *rt = rt__of_recordable(world);
    if (!rt) return -1;
    RT_GIVEN(path);
    if (rt->recording) {
        ecs_err_code(ECS_INVALID_OPERATION, "there is a recording already: end it before the next");
        return -1;
    }
    FILE *file = ecs_os_open_file(path, "w");
    if (!file) {
        ecs_err_code(ECS_INVALID_PARAMETER, "nothing can be recorded: %s cannot be opened", path);
        return -1;
    }
    rt_recording_t *recording = rt->recording = ecs_os_calloc_t(rt_recording_t);
    *recording = (rt_recording_t){ .rt = rt, .file = file, .path = ecs_os_strdup(path) };
    ecs_strbuf_append(&recording->line,
        "{\"muster\":\"log\",\"version\":%d,\"tick\":%" PRId64 ",\"seed\":%" PRIu64
        ",\"hash\":\"%016" PRIx64 "\"}",
        RT_RECORD_VERSION, rt->info->frame_count_total, rt->seed, ecs_world_hash(rt->world));
    end_line(recording);
    return 0;
}

bool rt__recording_end(rt_t *rt) {
    rt_recording_t *recording = rt->recording;
    if (!recording) return true;
    rt->recording = NULL;
    ecs_strbuf_append(&recording->line, "{\"ticks\":%" PRId64 ",\"hash\":\"%016" PRIx64 "\"}",
        recording->ticks, ecs_world_hash(rt->world));
    end_line(recording);
    bool failed = recording->failed;
    failed |= ecs_os_fclose(recording->file) != 0;
    if (failed) ecs_err("the recording could not be written to %s", recording->path);
    free_recording(recording);
    return !failed;
}

int ecs_recording_end(ecs_world_t *world) {
    rt_t *rt = rt__of_recordable(world);
    if (!rt) return -1;
    if (!rt->recording) {
        ecs_err_code(
            ECS_INVALID_OPERATION, "there is no recording to end: call ecs_recording_begin before");
        return -1;
    }
    return rt__recording_end(rt) ? 0 : -1;
}
