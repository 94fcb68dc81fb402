// SPDX-License-Identifier: MIT
// sifted: results that are the rows of one table, or entities of a list, as far as what is kept beside tables lets them pass
// (graph/sift.h).
//
// The first one comes from the solver. As long as no table changes and nobody has to be told of results, those behind it differ from it in
// their row, the table if they are listed, optional fields, and what `*` stands for.
#include "query/iter/result.h"
#include "world/state.h"

void ecs__sifted_begin(ecs_iter_t *it, const ecs__solver_t *solver) {
    const bool is_last = solver->steps[solver->end - 1].kind == ECS__STEP_SIFT;
    if (!is_last || solver->sift.is_inside) return;
    if (solver->graph->hidden || solver->plan->entity_cascade || it->flags & EcsIterSync) return;
    it->priv_.quick = it->real_world->store.structure_stamp | ECS_ITER_SIFTED;
}

static ECS__APART void show_stars(ecs_iter_t *it, const ecs__sift_t *sift) {
    for (int32_t t = 0; t < sift->count; t++) {
        const ecs__sift_test_t *test = &sift->tests[t];
        if (!test->has_star) continue;
        if (ecs__sift_found(sift, test))
            ecs__iter_set_beside(it, test->field, ecs__sift_edge(sift, test));
        else
            ecs__iter_set_field(it, test->field, test->id, 0, NULL, -1);
    }
}

static inline void show_row(
    ecs_iter_t *it, const ecs__sift_t *sift, const ecs_table_t *table, int32_t row) {
    it->set_fields = (it->set_fields & (ecs_termset_t)~sift->optional) | sift->found;
    if (RARELY(sift->has_star)) show_stars(it, sift);
    it->frame_offset++;
    it->offset = row;
    it->entities = table->entities + row;
    for (int32_t f = 0; f < it->field_count; f++) {
        const int16_t column = it->columns[f];
        if (column >= 0) it->ptrs[f] = ecs__table_cell(table, column, row);
    }
    ecs__iter_lock(it);
}

static bool show_self(ecs_iter_t *it, const ecs__solver_t *solver) {
    const ecs__value_t *self = &solver->values[ECS__VAR_THIS];
    it->table = self->table;
    show_row(it, &solver->sift, self->table, self->row);
    return true;
}

// The present entity once more, another table, or the end.
static ECS__APART bool leave(ecs_iter_t *it) {
    ecs__solver_t *solver = it->priv_.eval;
    if (solver->sift.may_turn)
        return ecs__sift_turn(solver) ? show_self(it, solver) : ecs__sifted_next(it);
    it->priv_.quick = 0;
    return ecs__iter_next_general(it);
}

static ECS__APART bool next_listed(ecs_iter_t *it, ecs__solver_t *solver) {
    return ecs__sift_next_listed(solver) ? show_self(it, solver) : leave(it);
}

HOT bool ecs__sifted_next(ecs_iter_t *it) {
    ecs__solver_t *solver = it->priv_.eval;
    ecs__sift_t *sift = &solver->sift;
    ecs__iter_unlock(it);
    if (RARELY(sift->is_listed)) return next_listed(it, solver);
    if (RARELY(sift->above != solver->store->above_stamp)) return leave(it);
    const int32_t row = ecs__sift_next(sift);
    if (RARELY(row < 0)) return leave(it);
    ecs_table_t *table = sift->all.table;
    if (RARELY(sift->has_star && !ecs__sift_take(solver))) {
        sift->row = row; // once more, in the steps inside
        return leave(it);
    }
    solver->values[ECS__VAR_THIS] = (ecs__value_t){ table->entities[row], table, row, 1 };
    show_row(it, sift, table, row);
    return true;
}
