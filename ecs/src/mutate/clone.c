// SPDX-License-Identifier: MIT
// clone: an entity gets what another one has.
#include <muster/ecs/os.h>

#include "event/switch.h"
#include "id/type_info.h"
#include "mutate/sparse.h"
#include "storage/toggle.h"
#include "world/state.h"

// Names, symbols and aliases belong to one entity only; presence ids came with their edges.
static ecs_table_t *table_of_clone(ecs_table_t *table, const ecs_table_t *before) {
    static const ecs_id_t kinds[] = { Ecs__Name, Ecs__Symbol, Ecs__Alias };
    for (int32_t i = 0; i < 3; i++) {
        table = ecs__table_after_remove(table, ECS__MAKE_PAIR(Ecs__Identifier, kinds[i]));
    }
    return ecs__table_without_presence(table, before);
}

// Values to be copied are not to be those of bases before.
static int32_t list_values(const ecs_table_t *table, bool copy_value, ecs__pending_value_t *out) {
    int32_t count = 0;
    for (int32_t i = 0; i < table->type.count; i++) {
        ecs_id_t id = table->type.array[i];
        if (!ecs__table_cr(table, i)->type_info) continue;
        if (copy_value || id == Ecs__Parent) out[count++] = (ecs__pending_value_t){ .id = id };
    }
    return count;
}

// Who is told of the clone may end it, or the original, or change either.
static bool find_both(const ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src, ecs__spot_t *to,
    ecs__spot_t *from) {
    *to = ecs__entity_find(&world->store.entities, dst);
    *from = ecs__entity_find(&world->store.entities, src);
    return to->table && from->table;
}

static void copy_value_of(ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src, ecs_id_t id) {
    ecs__spot_t at, of;
    if (!find_both(world, dst, src, &at, &of)) return;
    const ecs_component_record_t *record = ecs__id_record_get(&world->store, id);
    const ecs_type_info_t *type = record ? record->type_info : NULL;
    const void *from = type ? ecs__value_of(of, id) : NULL;
    void *to = from ? ecs__value_of(at, id) : NULL;
    if (!to) return;
    ecs__value_copy(type, to, from, 1);
    ecs__modified(world, dst, id);
}

static void copy_toggles(ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src) {
    ecs__spot_t to, from;
    for (int32_t i = 0; find_both(world, dst, src, &to, &from) && i < from.table->type.count; i++) {
        const ecs_id_t id = from.table->type.array[i];
        const ecs__toggle_t *toggle = id & ECS__TOGGLE ? ecs__toggle_get(from.table, id) : NULL;
        if (toggle && ecs__toggle_get(to.table, id))
            ecs__switch(world, dst, id & ~ECS__TOGGLE, !ecs__bitset_get(&toggle->off, from.row));
    }
}

static void copy_row(
    ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src, ecs_table_t *table, bool copy_value) {
    ecs__pending_value_t few[16], *values = few;
    if (table->type.count > 16) values = ecs_os_malloc_n(ecs__pending_value_t, table->type.count);
    const int32_t count = list_values(table, copy_value, values);
    ecs__transition_exactly(world, dst, table, values, count);
    if (copy_value) copy_toggles(world, dst, src);
    for (int32_t i = 0; i < count; i++) copy_value_of(world, dst, src, values[i].id);
    if (values != few) ecs_os_free(values);
}

// An instance gets children and slots of its own, which replace those that were copied. The parent is no mere value.
// The original may lose what is exclusive and symmetric.
void ecs__clone(ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src, bool copy_value) {
    ecs__entity_index_t *entities = &world->store.entities;
    ecs_table_t *original = ecs__entity_spot(entities, src).table;
    ecs_vec_t beside = { 0 };
    if (world->store.has_sparse) ecs__aside_copy(world, dst, src, true, &beside);
    const ecs_table_t *before = ecs__entity_table(entities, dst); /* NULL: it was ended */
    if (before) copy_row(world, dst, src, table_of_clone(original, before), copy_value);
    ecs__aside_copy_values(world, dst, src, copy_value, &beside);
}
