// SPDX-License-Identifier: MIT
// compared: a comparison with a variable needs another term to give that one a value, or it would go through all the world.
#include "query/graph/compared.h"

#include <muster/ecs/log.h>
#include <muster/ecs/os.h>

static bool compares_variables(const ecs__goal_t *goal) {
    return goal->kind == ECS__GOAL_EQUAL && goal->second.kind == ECS__REF_VAR;
}

// The left side gets its value from the right one. Conditions and scopes give values to $this alone, which stands for everyone.
static uint64_t found_by(const ecs__goal_t *goal, uint64_t found) {
    if (goal->kind == ECS__GOAL_NONE) return 0;
    const int16_t oper = goal->term->oper;
    const bool is_condition = oper == EcsNot || oper == EcsNotFrom || goal->kind == ECS__GOAL_SCOPE;
    if (!compares_variables(goal)) return is_condition ? goal->vars & ECS__THIS_BIT : goal->vars;
    const bool is_found = !is_condition && found & ECS__VAR_BIT(goal->second.var);
    return is_found ? goal->vars : 0;
}

static uint64_t find(const ecs__graph_t *graph, bool in_scope) {
    uint64_t found = graph->plan_fields ? ECS__THIS_BIT : 0, before;
    do {
        before = found;
        for (const ecs__goal_t *goal = graph->goals; goal < graph->goals + graph->count; goal++)
            if (in_scope || !goal->in_scope) found |= found_by(goal, found);
    } while (before != found);
    return found;
}

static bool refuse(const ecs_world_t *world, const ecs__graph_t *graph, const ecs__goal_t *goal) {
    char *text = ecs_term_str(world, goal->term);
    ecs_err_code(ECS_INVALID_PARAMETER, "%s: no other term gives $%s a value to compare with", text,
        graph->names[goal->second.var]);
    ecs_os_free(text);
    return false;
}

bool ecs__graph_check_compared(const ecs_world_t *world, const ecs__graph_t *graph) {
    const uint64_t outside = find(graph, false), inside = find(graph, true);
    for (const ecs__goal_t *goal = graph->goals; goal < graph->goals + graph->count; goal++) {
        if (!compares_variables(goal)) continue;
        const uint64_t found = goal->in_scope ? inside : outside;
        if (!(found & ECS__VAR_BIT(goal->second.var))) return refuse(world, graph, goal);
    }
    return true;
}
