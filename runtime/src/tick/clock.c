// SPDX-License-Identifier: MIT
#include "tick/clock.h"

#include <math.h>
#include <muster/runtime/frame.h>

// Sleeping may take this much longer than asked for; the rest of the wait is spent looking at
// the clock.
#define SLEEP_SLACK_NS 200000u
// A clock that shows the same so often only goes on while somebody sleeps, if at all.
#define MOST_LOOKS 1000

// Never 0: that stands for no time.
static uint64_t now_ns(void) {
    ecs_time_t now;
    ecs_os_get_time(&now);
    return (uint64_t)now.sec * 1000000000u + now.nanosec + 1;
}

static void sleep_ns(uint64_t ns) {
    ecs_os_sleep((int32_t)(ns / 1000000000u), (int32_t)(ns % 1000000000u));
}

// False if the clock shows the same whenever one looks. It may also be set back: nobody waits for longer than a period.
static bool look_until(uint64_t target_ns, uint64_t period_ns) {
    uint64_t last = now_ns();
    for (int32_t looks = 0; last < target_ns && looks < MOST_LOOKS; looks++) {
        if (target_ns - last > period_ns) return true;
        uint64_t now = now_ns();
        if (now > last) looks = 0;
        last = now;
    }
    return last >= target_ns;
}

static void wait_for_period(uint64_t start_ns, uint64_t period_ns) {
    uint64_t now = now_ns(), target = ECS_MIN(start_ns, now) + period_ns;
    if (now + SLEEP_SLACK_NS < target) sleep_ns(target - now - SLEEP_SLACK_NS);
    if (!look_until(target, period_ns)) sleep_ns(ECS_MIN(period_ns, SLEEP_SLACK_NS));
}

// Seconds since the previous frame began; waits before if frames come too fast.
static ecs_ftime_t measure_frame(rt_t *rt) {
    ecs_ftime_t fps = rt->info->target_fps;
    uint64_t period_ns = fps > 0 ? (uint64_t)(1e9 / (double)fps) : 0;
    if (period_ns && rt->frame_start_ns) wait_for_period(rt->frame_start_ns, period_ns);
    uint64_t now = now_ns();
    uint64_t passed = now > rt->frame_start_ns ? now - rt->frame_start_ns : 0;
    if (!rt->frame_start_ns) passed = period_ns ? period_ns : 1000000000u / 60;
    rt->frame_start_ns = now;
    return (ecs_ftime_t)((double)ECS_MAX(passed, 1) * 1e-9); /* 0 would ask to measure */
}

ecs_ftime_t rt__clock_begin(rt_t *rt, ecs_ftime_t delta_time) {
    ecs_world_info_t *info = rt->info;
    if (delta_time == 0 || rt->measure_frames) {
        ecs_ftime_t measured = measure_frame(rt);
        if (delta_time == 0) delta_time = measured;
        if (rt->measure_frames) info->world_time_total_raw += (double)measured;
    } else {
        rt->frame_start_ns = 0;
    }
    info->delta_time_raw = delta_time;
    info->delta_time = delta_time * info->time_scale;
    info->world_time_total += (double)info->delta_time;
    return info->delta_time;
}

void rt__clock_end(rt_t *rt) {
    if (!rt->measure_frames || !rt->frame_start_ns) return; /* or from the next frame on */
    rt__add_time(
        &rt->frame_time, &rt->info->frame_time_total, (int64_t)(now_ns() - rt->frame_start_ns));
}

static rt_t *rt_of_writable(ecs_world_t *world) {
    rt_t *rt = rt__of(world);
    ecs_check(rt, ECS_INVALID_OPERATION, "the clock needs a world made with ecs_init");
    RT_CHECK_WRITER(world);
    ecs_check(!(ecs_world_get_flags(world) & EcsWorldReadonly), ECS_INVALID_WHILE_READONLY,
        "the clock cannot be set while systems run");
    return rt;
error:
    return NULL;
}

void ecs_set_time_scale(ecs_world_t *world, ecs_ftime_t scale) {
    rt_t *rt = rt_of_writable(world);
    ecs_check(scale >= 0 && isfinite(scale), ECS_INVALID_PARAMETER,
        "the time scale is %g: at least 0, and finite", (double)scale);
    if (rt) rt->info->time_scale = scale;
error:
    return;
}

void ecs_reset_clock(ecs_world_t *world) {
    rt_t *rt = rt_of_writable(world);
    if (!rt) return;
    rt->info->world_time_total = 0;
    rt->info->world_time_total_raw = 0;
}

void ecs_measure_frame_time(ecs_world_t *world, bool enable) {
    rt_t *rt = rt_of_writable(world);
    ecs_check(!enable || ecs_os_api.get_time_, ECS_MISSING_OS_API,
        "frames cannot be measured: ecs_os_api has no get_time_");
    if (!rt || (!enable && rt->info->target_fps > 0)) return; /* the target rate needs it */
    rt->measure_frames = enable;
    ecs_ext_world_flags(
        world, enable ? EcsWorldMeasureFrameTime : 0, enable ? 0 : EcsWorldMeasureFrameTime);
error:
    return;
}

void ecs_measure_system_time(ecs_world_t *world, bool enable) {
    rt_t *rt = rt_of_writable(world);
    ecs_check(!enable || ecs_os_api.now_, ECS_MISSING_OS_API,
        "systems cannot be measured: ecs_os_api has no now_");
    if (!rt) return;
    rt->measure_systems = enable;
    ecs_ext_world_flags(
        world, enable ? EcsWorldMeasureSystemTime : 0, enable ? 0 : EcsWorldMeasureSystemTime);
error:
    return;
}

void ecs_set_target_fps(ecs_world_t *world, ecs_ftime_t fps) {
    rt_t *rt = rt_of_writable(world);
    ecs_check(fps >= 0 && isfinite(fps), ECS_INVALID_PARAMETER,
        "the target rate is %g: at least 0, and finite", (double)fps);
    ecs_check(fps == 0 || (ecs_os_api.get_time_ && ecs_os_api.sleep_), ECS_MISSING_OS_API,
        "frames cannot be waited for: ecs_os_api has no get_time_, or no sleep_");
    if (!rt) return;
    rt->info->target_fps = fps;
    ecs_measure_frame_time(world, true);
error:
    return;
}
