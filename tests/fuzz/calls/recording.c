// SPDX-License-Identifier: MIT
// recording: what ticks are given, written and read, and what they cost.
#include <stdio.h>
#include <unistd.h>

#include "calls.h"

static const char *own_path(void) {
    static char path[40];
    snprintf(path, sizeof path, "fuzz_calls.%d", (int)getpid());
    return path;
}

static const char *draw_path(void) {
    static const char *const odd[] = { "/nonexistent/x", "", "/", "/dev/null", "/dev/full" };
    return is_odd() ? odd[input_below(5)] : own_path();
}

void end_files(void) { remove(own_path()); }

CALL(begin_recording) { ecs_recording_begin(call->world, draw_path()); }
CALL(end_recording) { ecs_recording_end(call->world); }

CALL(record) {
    const char *path = draw_path();
    if (cast.depth) return;
    ecs_recording_begin(call->world, path);
    ecs_progress(call->world, 1);
    make_some(call->world);
    ecs_progress(call->world, 1);
    ecs_recording_end(call->world);
}

CALL(replay) { ecs_replay(call->world, draw_path()); }

// Whatever was written last.
CALL(end_file) {
    (void)call;
    end_files();
}

CALL(begin_trace) { ecs_trace_begin(call->world); }

CALL(end_trace) { ecs_trace_end(call->world, input_flag() ? NULL : draw_path()); }

CALL(predict) {
    ecs_work_span(call->world);
    ecs_predict_tick(call->world, draw_number());
}

const call_kind_t recording_calls[] = { { "begin_recording", begin_recording },
    { "end_recording", end_recording }, { "record", record }, { "replay", replay },
    { "end_file", end_file }, { "begin_trace", begin_trace }, { "end_trace", end_trace },
    { "predict", predict }, { 0 } };
