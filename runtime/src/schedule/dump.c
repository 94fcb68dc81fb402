// SPDX-License-Identifier: MIT
// dump: schedules as text and as Graphviz graphs. Says for every merge and every edge why it is
// there.
#include "pipeline/pipeline.h"
#include "schedule/schedule.h"
#include "system/run.h"

static const char *kind_str(rt_kind_t kind) {
    switch (kind) {
    case RT_KIND_MAIN: return "main thread";
    case RT_KIND_IMMEDIATE: return "immediate";
    case RT_KIND_WORKERS: return "workers";
    }
    return "";
}

static void append_merge(ecs_strbuf_t *text, const ecs_world_t *world, const rt_merge_t *merge) {
    switch (merge->kind) {
    case RT_MERGE_END: ecs_strbuf_appendstr(text, "the pipeline ends"); break;
    case RT_MERGE_READ:
        ecs_id_str_buf(world, merge->reader, text);
        ecs_strbuf_appendstr(text, " uses ");
        ecs_id_str_buf(world, merge->id, text);
        ecs_strbuf_appendstr(text, ", which ");
        ecs_id_str_buf(world, merge->writer, text);
        ecs_strbuf_appendstr(text, " queues");
        break;
    case RT_MERGE_KIND:
        ecs_id_str_buf(world, merge->reader, text);
        ecs_strbuf_appendstr(text, " runs on other threads than ");
        ecs_id_str_buf(world, merge->writer, text);
        break;
    case RT_MERGE_IMMEDIATE: ecs_strbuf_appendstr(text, "immediate systems run alone"); break;
    case RT_MERGE_SORT:
        ecs_id_str_buf(world, merge->reader, text);
        ecs_strbuf_appendstr(text, " is sorted after ");
        ecs_id_str_buf(world, merge->writer, text);
        break;
    case RT_MERGE_STEP:
        ecs_id_str_buf(world, merge->reader, text);
        ecs_strbuf_appendstr(text, " runs in other steps than ");
        ecs_id_str_buf(world, merge->writer, text);
        break;
    }
}

char *rt__merge_str(const rt_merge_t *merge, const ecs_world_t *world) {
    ecs_strbuf_t text = ECS_STRBUF_INIT;
    append_merge(&text, world, merge);
    return ecs_strbuf_get(&text);
}

// Any target may be a component, which gives its value to pairs of a relationship that has none.
void rt__append_hint_of_pairs(ecs_strbuf_t *text, const ecs_world_t *world, ecs_id_t id) {
    if (!ECS_IS_PAIR(id) || ECS_PAIR_SECOND(id) != EcsWildcard) return;
    const ecs_entity_t relation = ecs_pair_first(world, id);
    if (relation == EcsWildcard || ecs_get_type_info(world, relation) || ecs_id_is_tag(world, id))
        return;
    ecs_strbuf_appendstr(text, "; if its pairs hold no values, say [none], or give ");
    ecs_id_str_buf(world, relation, text);
    ecs_strbuf_appendstr(text, " the trait PairIsTag");
}

// Tables do not tell who of their rows has what is kept beside them: the rest may show the value of a base, also of one that gets it later.
static void append_hint_of_bases(
    ecs_strbuf_t *text, const rt_system_t *system, const rt_conflict_t *conflict) {
    const ecs_world_t *world = system->rt->world;
    const rt_access_t *access = &system->access;
    for (int32_t i = 0; i < access->count; i++) {
        const rt_access_item_t *item = &access->items[i];
        if (item->id != conflict->id || item->scope != RT_SCOPE_ROWS_OR_UP) continue;
        if (!(ecs_id_get_flags(world, item->id) & EcsIdDontFragment)) return;
        ecs_strbuf_appendstr(text, "; if bases have none, ask for that of $this|self, or give ");
        ecs_id_str_buf(
            world, ECS_IS_PAIR(item->id) ? ecs_pair_first(world, item->id) : item->id, text);
        ecs_strbuf_appendstr(text, " (OnInstantiate, DontInherit)");
        return;
    }
}

static void append_conflict(ecs_strbuf_t *text, const ecs_world_t *world,
    const rt_stretch_t *stretch, const rt_edge_t *edge) {
    const rt_conflict_t *conflict = &edge->conflict;
    ecs_id_str_buf(world, stretch->systems[edge->to_system]->id, text);
    ecs_strbuf_appendstr(text, conflict->second_writes ? " writes " : " reads ");
    ecs_id_str_buf(world, conflict->id, text);
    ecs_strbuf_appendstr(text, ", which ");
    ecs_id_str_buf(world, stretch->systems[edge->from_system]->id, text);
    ecs_strbuf_appendstr(text, conflict->first_writes ? " writes" : " reads");
    if (conflict->kind == RT_CONFLICT_FULL) {
        ecs_strbuf_appendstr(text, ", beyond its own rows");
        rt__append_hint_of_pairs(text, world, conflict->id);
        return;
    }
    const rt_matches_t *a = &stretch->systems[edge->from_system]->matches;
    const rt_matches_t *b = &stretch->systems[edge->to_system]->matches;
    if (a->total < 0 || b->total < 0)
        ecs_strbuf_appendstr(text, ", in any table");
    else
        ecs_strbuf_append(text, ", in %d tables", rt__matches_common(a, b, INT32_MAX));
    rt__append_hint_of_pairs(text, world, conflict->id);
}

static void append_node(
    ecs_strbuf_t *text, const ecs_world_t *world, const rt_stretch_t *stretch, int32_t index) {
    const rt_node_t *node = &stretch->graph.nodes[index];
    for (int32_t i = 0; i < node->count; i++) {
        if (i) ecs_strbuf_appendstr(text, " + ");
        ecs_id_str_buf(world, stretch->systems[node->first + i]->id, text);
    }
}

// Why a system that asks for it is not split; those with any_thread never are.
static void append_whole(ecs_strbuf_t *text, const ecs_world_t *world, const rt_system_t *system) {
    ecs_strbuf_appendstr(text, ", not split");
    if (!system->pub.multi_threaded) return;
    rt_conflict_t conflict = rt__conflict(system, system);
    if (!system->has_this)
        ecs_strbuf_appendstr(text, ": no term is about $this");
    else if (system->pub.group_id_set)
        ecs_strbuf_appendstr(text, ": it has one group only");
    else if (conflict.kind == RT_CONFLICT_FULL) {
        ecs_strbuf_appendstr(text, ": writes ");
        ecs_id_str_buf(world, conflict.id, text);
        ecs_strbuf_appendstr(text, ", and looks beyond its own rows");
        rt__append_hint_of_pairs(text, world, conflict.id);
        append_hint_of_bases(text, system, &conflict);
    } else
        ecs_strbuf_appendstr(text, ": the results of its query cannot be cut");
}

static void append_graph(
    ecs_strbuf_t *text, const ecs_world_t *world, const rt_stretch_t *stretch) {
    const rt_graph_t *graph = &stretch->graph;
    for (int32_t n = 0; n < graph->node_count; n++) {
        const rt_group_t *group = &graph->groups[graph->nodes[n].group];
        ecs_strbuf_append(text, "  node %d: ", n);
        append_node(text, world, stretch, n);
        if (!group->split)
            append_whole(text, world, stretch->systems[group->first]);
        else
            ecs_strbuf_append(text, ", %d quanta", group->quanta);
        if (group->fused) ecs_strbuf_appendstr(text, ", fused");
        ecs_strbuf_appendstr(text, "\n");
        for (int32_t e = 0; e < graph->edge_count; e++) {
            if (graph->edges[e].to != n) continue;
            ecs_strbuf_append(text, "    after node %d: ", graph->edges[e].from);
            append_conflict(text, world, stretch, &graph->edges[e]);
            ecs_strbuf_appendstr(text, "\n");
        }
    }
}

static void append_systems(
    ecs_strbuf_t *text, const ecs_world_t *world, const rt_stretch_t *stretch) {
    for (int32_t i = 0; i < stretch->count; i++) {
        ecs_strbuf_appendstr(text, "  ");
        ecs_id_str_buf(world, stretch->systems[i]->id, text);
        ecs_strbuf_appendstr(text, "\n");
    }
}

// Timers and the like, which users did not make.
static bool is_of_library(const ecs_world_t *world, ecs_entity_t system) {
    while (system && system != EcsFlecs) system = ecs_get_parent(world, system);
    return system != 0;
}

// What disables a system: itself, something it depends on, or a module; 0: nothing.
static ecs_entity_t find_disabled(const ecs_world_t *world, ecs_entity_t system) {
    ecs_entity_t found = ecs_get_target_for_id(world, system, EcsDependsOn, EcsDisabled);
    return found ? found : ecs_get_target_for_id(world, system, EcsChildOf, EcsDisabled);
}

// NULL: the tick source ticks, now and then. `*other` is it, or what it counts, if that does not.
static const char *why_no_tick(const ecs_world_t *world, ecs_entity_t source, ecs_entity_t *other) {
    for (int32_t i = 0; i < RT_MOST_RATES && source; i++) {
        if (!ecs_is_alive(world, source)) return "its tick source was deleted";
        *other = source;
        if (!ecs_has(world, source, EcsTickSource)) return " is no tick source";
        if (ecs_has_id(world, source, EcsDisabled)) return " is disabled";
        const EcsTimer *timer = ecs_get(world, source, EcsTimer);
        if (timer && !timer->active) return " is stopped";
        const EcsRateFilter *filter = ecs_get(world, source, EcsRateFilter);
        source = filter ? filter->src : 0;
    }
    return NULL;
}

// NULL: it runs, or another pipeline takes it. `*other` is what the reason is about instead of the system itself, or 0.
static const char *why_idle(
    const rt_pipeline_t *pipeline, ecs_entity_t system, ecs_entity_t *other) {
    const ecs_world_t *world = pipeline->rt->world;
    for (int32_t i = 0; i < pipeline->count; i++) {
        if (pipeline->places[i].id != system) continue;
        if (!pipeline->list[i].active) return "nothing matches";
        if (!rt__system_is_called(pipeline->list[i].system))
            return "all its terms are without source, which gives no result to call it for; use .run";
        ecs_entity_t source = pipeline->main_only ? 0 : pipeline->list[i].system->pub.tick_source;
        return why_no_tick(world, source, other);
    }
    ecs_entity_t disabled = find_disabled(world, system);
    *other = disabled != system ? disabled : 0;
    if (disabled) return *other ? " is disabled" : "it is disabled";
    if (ecs_has_id(world, system, EcsPrefab)) return "it is a prefab";
    if (pipeline->depth_over != EcsDependsOn) return NULL; // a query that asks for something else
    if (ecs_get_target_for_id(world, system, EcsDependsOn, ecs_dependson(EcsOnStart)))
        return "OnStart runs once, before the first tick";
    if (ecs_get_target_for_id(world, system, EcsDependsOn, EcsPhase)) return NULL;
    return ecs_get_target(world, system, EcsDependsOn, 0) ? "it depends on what is no phase"
                                                          : "it has no phase";
}

static void append_idle(ecs_strbuf_t *text, const rt_pipeline_t *pipeline) {
    const ecs_world_t *world = pipeline->rt->world;
    ecs_iter_t it = ecs_each_id(world, EcsSystem);
    while (ecs_each_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) {
            ecs_entity_t other = 0;
            const char *why = why_idle(pipeline, it.entities[i], &other);
            if (!why || is_of_library(world, it.entities[i])) continue;
            ecs_strbuf_appendstr(text, "not run: ");
            ecs_id_str_buf(world, it.entities[i], text);
            ecs_strbuf_appendstr(text, ", ");
            if (*why == ' ') ecs_id_str_buf(world, other, text);
            ecs_strbuf_append(text, "%s\n", why);
        }
    }
}

static bool begins_block(const rt_schedule_t *schedule, int32_t s) {
    const rt_stretch_t *stretch = &schedule->stretches[s];
    return stretch->fixed_step && (!s || stretch[-1].fixed_step != stretch->fixed_step);
}

static void append_block(
    ecs_strbuf_t *text, const ecs_world_t *world, const rt_stretch_t *stretch) {
    const EcsFixedStep *fixed = ecs_get(world, stretch->fixed_step, EcsFixedStep);
    ecs_strbuf_appendstr(text, "each step of ");
    ecs_id_str_buf(world, stretch->fixed_step, text);
    ecs_strbuf_append(
        text, " (%g s, at most %d in a frame)", (double)fixed->step, fixed->max_steps);
}

char *rt__schedule_str(const rt_pipeline_t *pipeline, const char *title) {
    const rt_schedule_t *schedule = pipeline->schedule;
    const ecs_world_t *world = pipeline->rt->world;
    ecs_strbuf_t text = ECS_STRBUF_INIT;
    ecs_strbuf_append(
        &text, "%s: %d systems, %d stretches\n", title, schedule->count, schedule->stretch_count);
    for (int32_t i = 0; i < schedule->stretch_count; i++) {
        const rt_stretch_t *stretch = &schedule->stretches[i];
        if (begins_block(schedule, i)) {
            append_block(&text, world, stretch);
            ecs_strbuf_append(&text, ": %d stretches\n", stretch->part_end - i);
        }
        ecs_strbuf_append(&text, "stretch %d: %s\n", i, kind_str(stretch->kind));
        if (stretch->kind == RT_KIND_WORKERS)
            append_graph(&text, world, stretch);
        else
            append_systems(&text, world, stretch);
        ecs_strbuf_appendstr(&text, "merge: ");
        append_merge(&text, world, &stretch->merge);
        ecs_strbuf_appendstr(&text, "\n");
    }
    append_idle(&text, pipeline);
    return ecs_strbuf_get(&text);
}

// ---- Graphviz ----

// Within a stretch that is no graph the systems form a chain.
static int32_t node_count(const rt_stretch_t *stretch) {
    return stretch->kind == RT_KIND_WORKERS ? stretch->graph.node_count : stretch->count;
}

// Names may hold anything. Ends `text`.
static void append_dot_string(ecs_strbuf_t *dot, ecs_strbuf_t *text) {
    char *str = ecs_strbuf_get(text);
    ecs_strbuf_appendch(dot, '"');
    for (const char *c = str; *c; c++) {
        if (*c == '"' || *c == '\\') ecs_strbuf_appendch(dot, '\\');
        if (*c == '\n')
            ecs_strbuf_appendstr(dot, "\\n");
        else
            ecs_strbuf_appendch(dot, *c);
    }
    ecs_strbuf_appendch(dot, '"');
    ecs_os_free(str);
}

static void append_dot_node(ecs_strbuf_t *dot, const ecs_world_t *world,
    const rt_stretch_t *stretch, int32_t s, int32_t n) {
    ecs_strbuf_t label = ECS_STRBUF_INIT;
    if (stretch->kind == RT_KIND_WORKERS) {
        append_node(&label, world, stretch, n);
        const rt_group_t *group = &stretch->graph.groups[stretch->graph.nodes[n].group];
        if (group->split) ecs_strbuf_append(&label, "\n%d quanta", group->quanta);
    } else {
        ecs_id_str_buf(world, stretch->systems[n]->id, &label);
    }
    ecs_strbuf_append(dot, "    n%d_%d [label=", s, n);
    append_dot_string(dot, &label);
    ecs_strbuf_appendstr(dot, "];\n");
}

static void append_dot_edges(
    ecs_strbuf_t *dot, const ecs_world_t *world, const rt_stretch_t *stretch, int32_t s) {
    if (stretch->kind != RT_KIND_WORKERS) {
        for (int32_t n = 1; n < stretch->count; n++) {
            ecs_strbuf_append(dot, "    n%d_%d -> n%d_%d;\n", s, n - 1, s, n);
        }
        return;
    }
    for (int32_t e = 0; e < stretch->graph.edge_count; e++) {
        const rt_edge_t *edge = &stretch->graph.edges[e];
        ecs_strbuf_t label = ECS_STRBUF_INIT;
        append_conflict(&label, world, stretch, edge);
        ecs_strbuf_append(dot, "    n%d_%d -> n%d_%d [label=", s, edge->from, s, edge->to);
        append_dot_string(dot, &label);
        ecs_strbuf_appendstr(dot, "];\n");
    }
}

// A way back from the last stretch of a block to the first.
static void append_dot_block(
    ecs_strbuf_t *dot, const ecs_world_t *world, const rt_stretch_t *stretch, int32_t s) {
    int32_t last = stretch->part_end - 1;
    ecs_strbuf_t label = ECS_STRBUF_INIT;
    append_block(&label, world, stretch);
    ecs_strbuf_append(dot,
        "  n%d_0 -> n%d_0 [ltail=cluster_%d, lhead=cluster_%d, style=dashed, label=", last, s, last,
        s);
    append_dot_string(dot, &label);
    ecs_strbuf_appendstr(dot, "];\n");
}

char *rt__schedule_dot(const rt_pipeline_t *pipeline, const char *title) {
    const rt_schedule_t *schedule = pipeline->schedule;
    const ecs_world_t *world = pipeline->rt->world;
    ecs_strbuf_t dot = ECS_STRBUF_INIT;
    ecs_strbuf_t label = ECS_STRBUF_INIT;
    ecs_strbuf_appendstr(&label, title);
    ecs_strbuf_appendstr(&dot, "digraph ");
    append_dot_string(&dot, &label);
    ecs_strbuf_appendstr(&dot, " {\n  compound=true;\n  node [shape=box];\n");
    for (int32_t s = 0; s < schedule->stretch_count; s++) {
        const rt_stretch_t *stretch = &schedule->stretches[s];
        ecs_strbuf_append(
            &dot, "  subgraph cluster_%d {\n    label=\"%s\";\n", s, kind_str(stretch->kind));
        for (int32_t n = 0; n < node_count(stretch); n++)
            append_dot_node(&dot, world, stretch, s, n);
        append_dot_edges(&dot, world, stretch, s);
        ecs_strbuf_appendstr(&dot, "  }\n");
        if (begins_block(schedule, s)) append_dot_block(&dot, world, stretch, s);
        if (!s) continue;
        ecs_strbuf_append(&dot,
            "  n%d_0 -> n%d_0 [ltail=cluster_%d, lhead=cluster_%d, style=bold, label=", s - 1, s,
            s - 1, s);
        ecs_strbuf_appendstr(&label, "merge: ");
        append_merge(&label, world, &schedule->stretches[s - 1].merge);
        append_dot_string(&dot, &label);
        ecs_strbuf_appendstr(&dot, "];\n");
    }
    ecs_strbuf_appendstr(&dot, "}\n");
    return ecs_strbuf_get(&dot);
}
