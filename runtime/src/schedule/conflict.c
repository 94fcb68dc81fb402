// SPDX-License-Identifier: MIT
#include "schedule/conflict.h"

static bool looks_beyond_rows(const rt_system_t *system, int32_t index) {
    const rt_access_item_t *item = &system->access.items[index];
    if (item->scope == RT_SCOPE_ROWS) return false;
    if (item->scope == RT_SCOPE_ROWS_OR_UP) return (system->matches.up_items >> index) & 1;
    return true;
}

// A system without a list of matches may touch any table.
static bool share_a_table(const rt_system_t *a, const rt_system_t *b) {
    if (a->matches.total < 0 || b->matches.total < 0) return true;
    return rt__matches_common(&a->matches, &b->matches, 1) > 0;
}

static rt_conflict_kind_t items_conflict(
    const rt_system_t *a, int32_t i, const rt_system_t *b, int32_t k) {
    const rt_access_item_t *x = &a->access.items[i], *y = &b->access.items[k];
    if ((!x->write && !y->write) || !rt__items_overlap(a->rt->world, x, y)) return RT_CONFLICT_NONE;
    bool x_beyond = looks_beyond_rows(a, i), y_beyond = looks_beyond_rows(b, k);
    if (!x_beyond && !y_beyond) {
        return a == b || share_a_table(a, b) ? RT_CONFLICT_ROWS : RT_CONFLICT_NONE;
    }
    /* One entity against rows: it may be among them, now or after it moved. */
    bool apart =
        x->scope == RT_SCOPE_ENTITY && y->scope == RT_SCOPE_ENTITY && x->source != y->source;
    return apart ? RT_CONFLICT_NONE : RT_CONFLICT_FULL;
}

rt_conflict_t rt__conflict(const rt_system_t *a, const rt_system_t *b) {
    rt_conflict_t found = { RT_CONFLICT_NONE, 0, false, false };
    const rt_access_t *x = &a->access, *y = &b->access;
    if (!(x->writes & y->reads) && !(x->reads & y->writes)) return found;
    bool may_be_full = !a->matches.stays_in_rows || !b->matches.stays_in_rows;
    for (int32_t i = 0; i < x->count; i++) {
        for (int32_t k = 0; k < y->count; k++) {
            rt_conflict_kind_t kind = items_conflict(a, i, b, k);
            if (kind <= found.kind) continue;
            found = (rt_conflict_t){ kind, x->items[i].id, x->items[i].write, y->items[k].write };
            if (kind == RT_CONFLICT_FULL || !may_be_full) return found;
        }
    }
    return found;
}

bool rt__conflicts_with_itself(const rt_system_t *system) {
    return rt__conflict(system, system).kind == RT_CONFLICT_FULL;
}
