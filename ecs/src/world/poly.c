// SPDX-License-Identifier: MIT
#include "world/poly.h"

#include <muster/ecs/extend.h>
#include <muster/ecs/os.h>

#include "base/ctx.h"
#include "mutate/mutate.h"
#include "world/write.h"

static void end_objects(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    EcsPoly *values = ptr;
    for (int32_t i = 0; i < count; i++) {
        const EcsPoly value = values[i];
        values[i].poly = NULL; /* once, also if a check fails on the way */
        if (value.poly && value.dtor) value.dtor(value.poly);
    }
}

static void construct(void *ptr, int32_t count, const ecs_type_info_t *type) {
    ecs_os_memset(ptr, 0, type->size * count);
}

static void move_over(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    end_objects(dst, count, type);
    ecs_os_memcpy(dst, src, type->size * count);
}

void ecs__poly_bootstrap(ecs_world_t *world) {
    ecs_type_info_t *type = ecs__type_info_declare_t(&world->store, Ecs__Poly, EcsPoly);
    type->hooks.ctor = construct;
    type->hooks.dtor = end_objects;
    type->hooks.move_dtor = move_over;
    type->hooks.flags = ECS_TYPE_HOOK_CTOR | ECS_TYPE_HOOK_DTOR | ECS_TYPE_HOOK_MOVE_DTOR |
                        ECS_TYPE_HOOK_COPY_ILLEGAL | ECS_TYPE_HOOK_COPY_CTOR_ILLEGAL |
                        ECS_TYPE_HOOK_MOVE_ILLEGAL | ECS_TYPE_HOOK_MOVE_CTOR_ILLEGAL;
}

bool ecs_ext_poly_bind(ecs_world_t *poly, ecs_entity_t entity, ecs_entity_t tag, ecs_poly_t *object,
    void (*dtor)(ecs_poly_t *object)) {
    ecs_world_t *world = ecs__world_of(poly);
    if (!ecs__is_alive(world, entity)) { /* whoever was told of it may have deleted it */
        dtor(object);
        return false;
    }
    const ecs__at_once_t at_once = ecs__at_once_begin(world);
    EcsPoly value = { object, dtor };
    ecs__set_move(world, entity, ECS__MAKE_PAIR(Ecs__Poly, tag), &value, false);
    ecs__add(world, entity, tag);
    ecs__at_once_end(world, at_once);
    return ecs_ext_poly_get(world, entity, tag) == object;
}

ecs_poly_t *ecs_ext_poly_get(const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t tag) {
    const ecs__spot_t spot = ecs__spot_of(world, entity);
    if (!spot.table) return NULL;
    int32_t column = ecs__table_column(spot.table, ECS__MAKE_PAIR(Ecs__Poly, tag));
    if (column < 0) return NULL;
    const EcsPoly *value = ecs__table_cell(spot.table, column, spot.row);
    return value->poly;
}

void ecs_ext_ctx_free(void *ctx, ecs_ctx_free_t ctx_free) { ecs__ctx_free(ctx, ctx_free); }

void ecs_ext_ctx_replace(
    void **ctx, ecs_ctx_free_t *ctx_free, void *new_ctx, ecs_ctx_free_t new_free) {
    if (new_ctx && new_ctx != *ctx) {
        ecs__ctx_free(*ctx, *ctx_free);
        *ctx = new_ctx;
    }
    if (new_free) *ctx_free = new_free;
}
