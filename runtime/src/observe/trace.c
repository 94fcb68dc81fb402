// SPDX-License-Identifier: MIT
#include "observe/trace.h"

#include <inttypes.h>
#include <muster/runtime/trace.h>
#include <stdio.h>
#include "tick/random.h"

// 128 MiB per worker: hours of small ticks.
#define MOST_SPANS (1 << 22)

typedef struct span_t {
    uint64_t start_ns, end_ns;
    int64_t frame;
    int32_t name, quantum;
} span_t;

typedef struct log_t {
    span_t *spans;
    int32_t count, size;
    int64_t dropped;
} log_t;

typedef struct name_t {
    char *text;
    const char *category;
} name_t;

struct rt_trace_t {
    rt_t *rt;
    uint64_t start_ns;
    log_t **logs; /* each its own piece of memory: workers write side by side */
    int32_t worker_count;
    name_t *names;
    int32_t name_count, name_size;
    ecs_map_t by_key; /* what a name is about -> its number + 1 */
};

// ---- Recording ----

static rt_trace_t *new_trace(rt_t *rt) {
    rt_trace_t *trace = ecs_os_calloc_t(rt_trace_t);
    trace->rt = rt;
    trace->start_ns = ecs_os_now();
    ecs_map_init(&trace->by_key, NULL);
    return trace;
}

void rt__trace_free(rt_trace_t *trace) {
    if (!trace) return;
    for (int32_t i = 0; i < trace->worker_count; i++) {
        ecs_os_free(trace->logs[i]->spans);
        ecs_os_free(trace->logs[i]);
    }
    for (int32_t i = 0; i < trace->name_count; i++) ecs_os_free(trace->names[i].text);
    ecs_os_free(trace->logs);
    ecs_os_free(trace->names);
    ecs_map_fini(&trace->by_key);
    ecs_os_free(trace);
}

void rt__trace_reserve(rt_trace_t *trace, int32_t workers) {
    if (workers <= trace->worker_count) return;
    trace->logs = ecs_os_realloc_n(trace->logs, log_t *, workers);
    while (trace->worker_count < workers)
        trace->logs[trace->worker_count++] = ecs_os_calloc(ECS_MAX(ECS_SIZEOF(log_t), 64));
}

void rt__trace_add(rt_trace_t *trace, int32_t worker, int32_t name, int64_t quantum,
    uint64_t start_ns, uint64_t end_ns) {
    log_t *log = trace->logs[worker];
    if (log->count == MOST_SPANS) {
        log->dropped++;
        return;
    }
    RT_ROOM(log->spans, log->count, log->size);
    log->spans[log->count++] =
        (span_t){ start_ns, end_ns, trace->rt->info->frame_count_total, name, (int32_t)quantum };
}

// ---- Names ----

static uint64_t mix(uint64_t key, uint64_t value) { return rt__mix(key ^ value); }

// The number of a name that has one already, else -1 and a place in the map to put one.
static int32_t find_name(rt_trace_t *trace, uint64_t key, ecs_map_val_t **place) {
    *place = ecs_map_ensure(&trace->by_key, key);
    return (int32_t) * *place - 1;
}

static int32_t add_name(rt_trace_t *trace, ecs_map_val_t *place, char *text, const char *category) {
    RT_ROOM(trace->names, trace->name_count, trace->name_size);
    trace->names[trace->name_count++] = (name_t){ text, category };
    *place = (ecs_map_val_t)trace->name_count;
    return trace->name_count - 1;
}

int32_t rt__trace_name(rt_trace_t *trace, rt_system_t *const *systems, int32_t count) {
    uint64_t key = 1;
    for (int32_t i = 0; i < count; i++) key = mix(key, systems[i]->id);
    ecs_map_val_t *place;
    int32_t number = find_name(trace, key, &place);
    if (number >= 0) return number;
    ecs_strbuf_t text = ECS_STRBUF_INIT;
    for (int32_t i = 0; i < count; i++) {
        if (i) ecs_strbuf_appendstr(&text, " + ");
        ecs_id_str_buf(trace->rt->world, systems[i]->id, &text);
    }
    return add_name(trace, place, ecs_strbuf_get(&text), "system");
}

int32_t rt__trace_merge(rt_trace_t *trace, const rt_merge_t *merge) {
    uint64_t key = mix(mix(mix(2, (uint64_t)merge->kind), merge->id), merge->reader);
    ecs_map_val_t *place;
    int32_t number = find_name(trace, mix(key, merge->writer), &place);
    if (number >= 0) return number;
    char *why = rt__merge_str(merge, trace->rt->world);
    char *text = flecs_asprintf("merge: %s", why);
    ecs_os_free(why);
    return add_name(trace, place, text, "merge");
}

void rt__trace_tick(rt_trace_t *trace, uint64_t start_ns) {
    ecs_map_val_t *place;
    int32_t name = find_name(trace, 3, &place);
    if (name < 0) name = add_name(trace, place, ecs_os_strdup("tick"), "tick");
    rt__trace_reserve(trace, 1);
    rt__trace_add(trace, 0, name, -1, start_ns, ecs_os_now());
}

void rt__trace_step(rt_trace_t *trace, ecs_entity_t fixed_step, uint64_t start_ns) {
    ecs_map_val_t *place;
    int32_t name = find_name(trace, mix(4, fixed_step), &place);
    if (name < 0) {
        char *source = ecs_id_str(trace->rt->world, fixed_step);
        name = add_name(trace, place, flecs_asprintf("step of %s", source), "step");
        ecs_os_free(source);
    }
    rt__trace_add(trace, 0, name, -1, start_ns, ecs_os_now());
}

// ---- Export ----

static void write_string(FILE *file, const char *text) {
    fputc('"', file);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(file, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            fprintf(file, "\\u%04x", (unsigned)*c);
        else
            fputc(*c, file);
    }
    fputc('"', file);
}

// Viewers count in microseconds.
static void write_us(FILE *file, const char *key, uint64_t ns) {
    fprintf(file, ",\"%s\":%" PRIu64 ".%03u", key, ns / 1000, (unsigned)(ns % 1000));
}

static void write_span(FILE *file, const rt_trace_t *trace, int32_t worker, const span_t *span) {
    const name_t *name = &trace->names[span->name];
    fprintf(file, ",\n{\"name\":");
    write_string(file, name->text);
    fprintf(file, ",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":1,\"tid\":%d", name->category, worker);
    write_us(file, "ts", span->start_ns - trace->start_ns);
    write_us(file, "dur", span->end_ns - span->start_ns);
    fprintf(file, ",\"args\":{\"tick\":%" PRId64, span->frame);
    if (span->quantum >= 0) fprintf(file, ",\"quantum\":%d", span->quantum);
    fprintf(file, "}}");
}

static void write_trace(FILE *file, const rt_trace_t *trace) {
    fprintf(file,
        "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n"
        "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"muster\"}}");
    for (int32_t w = 0; w < trace->worker_count; w++) {
        fprintf(file,
            ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":%d,"
            "\"args\":{\"name\":\"worker %d\"}}",
            w, w);
        const log_t *log = trace->logs[w];
        for (int32_t i = 0; i < log->count; i++) write_span(file, trace, w, &log->spans[i]);
        if (log->dropped) {
            ecs_warn(
                "the trace is full: %" PRId64 " spans of worker %d are missing", log->dropped, w);
        }
    }
    fprintf(file, "\n]}\n");
}

static int export_trace(const rt_trace_t *trace, const char *path) {
    FILE *file = ecs_os_open_file(path, "w");
    if (!file) {
        ecs_err_code(
            ECS_INVALID_PARAMETER, "the trace cannot be written: %s cannot be opened", path);
        return -1;
    }
    write_trace(file, trace);
    bool failed = ferror(file) != 0;
    if (ecs_os_fclose(file) || failed) {
        ecs_err("the trace could not be written to %s", path);
        return -1;
    }
    return 0;
}

void ecs_trace_begin(ecs_world_t *world) {
    rt_t *rt = rt__of(world);
    ecs_check(rt && !rt->running, ECS_INVALID_OPERATION,
        "a trace begins between ticks, in a world made with ecs_init");
    ecs_check(ecs_os_api.now_, ECS_MISSING_OS_API, "there are no times: ecs_os_api has no now_");
    rt__trace_free(rt->trace);
    rt->trace = new_trace(rt);
    rt->traced_since_ns = 0; /* of a frame that began before it */
error:
    return;
}

int ecs_trace_end(ecs_world_t *world, const char *path) {
    rt_t *rt = rt__of(world);
    ecs_check(rt && !rt->running, ECS_INVALID_OPERATION,
        "a trace ends between ticks, in a world made with ecs_init");
    if (!rt->trace) {
        ecs_err_code(
            ECS_INVALID_OPERATION, "there is no trace to end: call ecs_trace_begin before");
        return -1;
    }
    int result = path ? export_trace(rt->trace, path) : 0;
    rt__trace_free(rt->trace);
    rt->trace = NULL;
    return result;
error:
    return -1;
}
