// SPDX-License-Identifier: MIT
// plan_str: a plan as text, for people.
//
//   0  with      Game            src Bob             field 1
//   1  scan      rarest of 2 conditions
//   2  with      Position        self, up IsA        field 0   tried 3, held 2
#include <inttypes.h>

#include <muster/ecs/name.h>
#include <muster/ecs/os.h>
#include "query/plan/plan.h"

static const char *const op_names[] = {
#define OP(code, name) name,
#include "query/plan/op.def"
#undef OP
};

static void append_owned(ecs_strbuf_t *out, char *text) {
    ecs_strbuf_appendstr(out, text);
    ecs_os_free(text);
}

static void append_source(const ecs__op_t *op, const ecs_world_t *world, ecs_strbuf_t *out) {
    if (op->source) {
        ecs_strbuf_appendlit(out, "  src ");
        append_owned(out, ecs_get_path(world, op->source));
    }
    if (!op->trav) return;
    ecs_strbuf_appendstr(out, op->self ? "  self, up " : "  up ");
    append_owned(out, ecs_id_str(world, op->trav));
    if (op->min_depth || op->max_depth) {
        ecs_strbuf_append(out, " %d..%d", op->min_depth, op->max_depth);
    }
}

static void append_scan(const ecs__plan_t *plan, ecs_strbuf_t *out) {
    int32_t rarest = ecs__plan_rarest(plan, false);
    if (rarest < 0)
        ecs_strbuf_appendlit(out, "  all tables");
    else
        ecs_strbuf_append(out, "  tables of %d", rarest);
}

void ecs__tally_str(const ecs__tally_t *tally, ecs_strbuf_t *out) {
    ecs_strbuf_append(out, "  tried %" PRId64 ", held %" PRId64, tally->tried, tally->held);
}

static void append_op(const ecs__plan_t *plan, int32_t at, const ecs__tally_t *tallies,
    const ecs_world_t *world, ecs_strbuf_t *out) {
    const ecs__op_t *op = &plan->ops[at];
    ecs_strbuf_append(out, "%2d  %-8s", at, op_names[op->code]);
    if (op->code == ECS__OP_SCAN) append_scan(plan, out);
    if (op->code == ECS__OP_EITHER) ecs_strbuf_append(out, "  of the next %d", op->count);
    if (op->id) {
        ecs_strbuf_appendlit(out, "  ");
        append_owned(out, ecs_id_str(world, op->id));
        if (op->once) ecs_strbuf_appendlit(out, " once");
        if (op->by_row) ecs_strbuf_appendlit(out, " by row");
    }
    append_source(op, world, out);
    if (op->field >= 0) ecs_strbuf_append(out, "  field %d", op->field);
    if (tallies) ecs__tally_str(&tallies[at], out);
    ecs_strbuf_appendch(out, '\n');
}

void ecs__plan_str(const ecs__plan_t *plan, const ecs__tally_t *tallies, const ecs_world_t *world,
    ecs_strbuf_t *out) {
    if (plan->nothing) ecs_strbuf_appendlit(out, "nothing\n");
    for (int32_t i = 0; i < plan->count; i++) append_op(plan, i, tallies, world, out);
    ecs_entity_t cascade = plan->cascade ? plan->cascade : plan->entity_cascade;
    if (cascade) {
        char *trav = ecs_id_str(world, cascade);
        ecs_strbuf_append(out, "by depth of %s%s, %s\n", trav, plan->cascade ? "" : " of entities",
            plan->descending ? "descending" : "ascending");
        ecs_os_free(trav);
    }
}
