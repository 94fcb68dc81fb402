// SPDX-License-Identifier: MIT
#include "mutate/edge.h"

#include <muster/ecs/log.h>

#include "base/aligned.h"
#include "base/ctx.h"
#include "id/type_info.h"
#include "mutate/override.h"
#include "mutate/report.h"
#include "world/state.h"

typedef struct kind_t {
    void *defaults; /* a constructed value, or NULL */
    const ecs_type_info_t *type;
    ecs_edge_init_t init;
    void *ctx;
    ecs_ctx_free_t ctx_free;
    bool has_say; /* about edges; else only the context is kept */
} kind_t;

// ---- kinds ----

static kind_t *kind_of(const ecs_world_t *world, ecs_id_t id) {
    if (!ecs__id_leads(id) || !ecs_map_count(&world->edge_kinds)) return NULL;
    kind_t *kind = ecs_map_get_deref(&world->edge_kinds, kind_t, ecs__id_first(id));
    return kind && kind->has_say ? kind : NULL;
}

bool ecs__edge_is_known(const ecs_world_t *world, ecs_id_t id) { return kind_of(world, id); }

bool ecs__edge_is_judged(const ecs_world_t *world, ecs_id_t id) {
    const kind_t *kind = kind_of(world, id);
    return kind && kind->init;
}

bool ecs__edge_goes_alone(ecs_world_t *world, ecs_id_t id) {
    if (!ecs__edge_is_judged(world, id) || ecs__store_beside(&world->store, id)) return false;
    const ecs_table_t *table = ecs__entity_living_table(&world->store.entities, ecs__id_first(id));
    return table && ecs__table_has(table, Ecs__Exclusive);
}

const void *ecs__edge_defaults(const ecs_world_t *world, ecs_id_t id) {
    const kind_t *kind = kind_of(world, id);
    return kind ? kind->defaults : NULL;
}

static void free_kind(kind_t *kind) {
    if (kind->defaults) ecs__value_dtor(kind->type, kind->defaults, 1);
    ecs__aligned_free(kind->defaults, kind->type ? kind->type->alignment : 0);
    ecs__ctx_free(kind->ctx, kind->ctx_free);
    ecs_os_free(kind);
}

static kind_t *make_kind(
    const ecs_type_info_t *type, const ecs_relationship_desc_t *desc, ecs_ctx_free_t ctx_free) {
    kind_t *kind = ecs_os_calloc_t(kind_t);
    *kind = (kind_t){ .type = type, .init = desc->init, .ctx = desc->ctx, .ctx_free = ctx_free };
    kind->has_say = desc->init || desc->defaults;
    if (desc->defaults) {
        kind->defaults = ecs__aligned_calloc(type->size, type->alignment);
        ecs__value_copy_ctor(type, kind->defaults, desc->defaults, 1);
    }
    return kind;
}

void ecs__edge_kind_set(ecs_world_t *world, ecs_entity_t rel, const ecs_relationship_desc_t *desc) {
    kind_t *old = ecs_map_remove_ptr(&world->edge_kinds, (uint32_t)rel), *kind = NULL;
    ecs_ctx_free_t ctx_free = desc->ctx_free;
    if (old) ecs__ctx_pass_on(old->ctx, &old->ctx_free, desc->ctx, &ctx_free);
    if (desc->init || desc->defaults || (desc->ctx && ctx_free))
        kind = make_kind(ecs__type_info_get(&world->store, rel), desc, ctx_free);
    if (kind) {
        ecs_map_insert_ptr(&world->edge_kinds, (uint32_t)rel, kind);
        ecs__entity_mark(
            &world->store.entities, (uint32_t)rel, EcsEntityIsId); /* a cleanup ends it */
    }
    if (old) free_kind(old);
}

void ecs__edge_kind_delete(ecs_world_t *world, ecs_entity_t rel) {
    kind_t *kind = ecs_map_remove_ptr(&world->edge_kinds, (uint32_t)rel);
    if (kind) free_kind(kind);
}

void ecs__edge_kinds_fini(ecs_world_t *world) {
    ecs_map_iter_t it = ecs_map_iter(&world->edge_kinds);
    while (ecs_map_next(&it)) free_kind(ecs_map_ptr(&it));
    ecs_map_fini(&world->edge_kinds);
}

// ---- new edges ----

static void *make_value(const kind_t *kind, const void *of_base) {
    void *value = ecs__aligned_calloc(kind->type->size, kind->type->alignment);
    const void *start = of_base ? of_base : kind->defaults;
    if (start)
        ecs__value_copy_ctor(kind->type, value, start, 1);
    else
        ecs__value_ctor(kind->type, value, 1);
    return value;
}

static void drop_value(const kind_t *kind, void *value) {
    ecs__value_dtor(kind->type, value, 1);
    ecs__aligned_free(value, kind->type->alignment);
}

static bool judge(
    ecs_world_t *world, const kind_t *kind, ecs_entity_t entity, ecs_id_t id, void *value) {
    ecs_entity_t target = ecs__entity_alive_id(&world->store.entities, ecs__id_second(id));
    if (!kind->init || kind->init(world, entity, target, value, kind->ctx)) return true;
    ecs_err_code(ECS_CONSTRAINT_VIOLATED, "%s cannot be added to %s: its init hook refused it",
        ECS__TEXT(world, id), ECS__TEXT(world, entity));
    return false;
}

bool ecs__edge_make(
    ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *table, ecs_id_t id, void **value) {
    const kind_t *kind = kind_of(world, id);
    *value = NULL;
    if (!kind) return true;
    const ecs_component_record_t *record = ecs__id_record_get(&world->store, id);
    *value = make_value(kind, ecs__override_value(table, record));
    const bool is_right = judge(world, kind, entity, id, *value);
    if (is_right && record->type_info) return true;
    drop_value(kind, *value); /* pairs of the relationship may have become tags */
    *value = NULL;
    return is_right;
}

static ecs_table_t *without(ecs_table_t *dst, const ecs_table_t *src, ecs_id_t id) {
    bool exclusive = ecs__id_record_get(dst->store, id)->flags & EcsIdExclusive;
    const ecs_id_t any = ECS__MAKE_PAIR(ecs__id_first(id), Ecs__Wildcard);
    const ecs_id_t old = exclusive ? ecs__table_id_like(src, any) : 0;
    dst = ecs__table_minus(dst, id);
    return old ? ecs__table_plus(dst, old) : dst;
}

ecs_table_t *ecs__edges_begin(ecs_world_t *world, ecs_entity_t entity, const ecs_table_t *src,
    ecs_table_t *dst, ecs__edges_t *out) {
    const ecs_table_t *wanted = dst;
    for (int32_t i = 0; i < wanted->type.count; i++) {
        ecs_id_t id = wanted->type.array[i];
        void *value;
        if (!kind_of(world, id) || ecs__table_has(src, id)) continue;
        if (!ecs__edge_make(world, entity, wanted, id, &value)) {
            dst = without(dst, src, id);
            continue;
        }
        if (!value) continue;
        out->values = ecs_os_realloc_n(out->values, ecs__pending_value_t, out->count + 1);
        out->values[out->count++] = (ecs__pending_value_t){ .id = id, .ptr = value };
    }
    return dst;
}

void ecs__edges_add_alone(
    ecs_world_t *world, ecs_entity_t entity, const ecs_id_t *ids, int32_t count) {
    for (int32_t i = 0; ecs_map_count(&world->edge_kinds) && i < count; i++) {
        if (ecs__edge_goes_alone(world, ids[i]) &&
            ecs__entity_is_alive(&world->store.entities, entity) &&
            ecs__check_add(world, entity, ids[i]))
            ecs__add(world, entity, ids[i]);
    }
}

void ecs__edges_end(ecs_world_t *world, ecs_table_t *table, int32_t row, ecs__edges_t *edges,
    const ecs__pending_value_t *others, int32_t other_count) {
    for (int32_t i = 0; i < edges->count; i++) {
        const ecs__pending_value_t *value = &edges->values[i],
                                   *other = ecs__pending_find(others, other_count, value->id);
        const bool is_raw = other && other->construct;
        void *place =
            is_raw || !table ? NULL : ecs__value_of((ecs__spot_t){ table, row }, value->id);
        const kind_t *kind = kind_of(world, value->id);
        if (place)
            ecs__value_move_dtor(kind->type, place, value->ptr, 1);
        else
            ecs__value_dtor(kind->type, value->ptr, 1);
        ecs__aligned_free(value->ptr, kind->type->alignment);
    }
    ecs_os_free(edges->values);
}

ecs_table_t *ecs__edges_without(ecs_world_t *world, ecs_table_t *table) {
    const ecs_table_t *wanted = table;
    for (int32_t i = 0; i < wanted->type.count; i++) {
        if (kind_of(world, wanted->type.array[i]))
            table = ecs__table_minus(table, wanted->type.array[i]);
    }
    return table;
}
