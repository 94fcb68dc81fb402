// SPDX-License-Identifier: MIT
// The scheduler alone, without the rest of Muster: a parallel-for, then a graph run frame after
// frame. Built and run by the tests. By hand: cc example.c -lmuster -lck -lpthread
#include <muster/scheduler/scheduler.h>
#include <stdio.h>

enum { COUNT = 100000, FRAMES = 10 };

typedef struct balls_t {
    float height[COUNT], speed[COUNT];
    double sums[SCHED_MAX_WORKERS]; /* one per worker, so that no lock is needed */
    int frames_drawn;
} balls_t;

static void drop(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)worker;
    balls_t *balls = ctx;
    for (int64_t i = begin; i < end; i++) balls->height[i] = (float)(i % 100);
}

static void move(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)worker;
    balls_t *balls = ctx;
    for (int64_t i = begin; i < end; i++) {
        balls->speed[i] -= 0.01f;
        balls->height[i] += balls->speed[i];
        if (balls->height[i] < 0) balls->speed[i] = -balls->speed[i];
    }
}

static void sum(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    balls_t *balls = ctx;
    for (int64_t i = begin; i < end; i++) balls->sums[worker] += balls->height[i];
}

static void draw(void *ctx, int64_t begin, int64_t end, int32_t worker) {
    (void)begin, (void)end, (void)worker;
    ((balls_t *)ctx)
        ->frames_drawn++; /* a real program would talk to the screen: main thread only */
}

int main(void) {
    static balls_t balls;
    sched_pool_t *pool =
        sched_pool_create(NULL); /* one worker per processor, this thread included */
    if (!pool) return 1;
    sched_parallel_for(pool, COUNT, 64, drop, &balls);

    sched_graph_t *graph = sched_graph_create(NULL);
    sched_node_desc_t nodes[] = {
        { .name = "move", .fn = move, .ctx = &balls, .count = COUNT, .grain = 64 },
        { .name = "sum", .fn = sum, .ctx = &balls, .count = COUNT, .grain = 64 },
        { .name = "draw", .fn = draw, .ctx = &balls, .flags = SCHED_NODE_CALLER },
    };
    for (int32_t i = 0; i < 3; i++) sched_graph_node(graph, &nodes[i]);
    sched_graph_edge(graph, 0, 1); /* sum and draw need what move wrote; */
    sched_graph_edge(graph, 0, 2); /* between the two there is no order, so they may overlap */
    sched_plan_t *plan = sched_graph_freeze(graph, NULL);
    sched_graph_destroy(graph);

    for (int frame = 0; plan && frame < FRAMES; frame++) sched_plan_run(pool, plan);
    double total = 0;
    for (int32_t i = 0; i < sched_pool_worker_count(pool); i++) total += balls.sums[i];
    printf("%d frames, mean height %.3f\n", balls.frames_drawn, total / COUNT / FRAMES);

    sched_plan_destroy(plan);
    sched_pool_destroy(pool);
    return balls.frames_drawn == FRAMES && total > 40.0 * COUNT * FRAMES ? 0 : 1;
}
