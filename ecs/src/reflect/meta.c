// SPDX-License-Identifier: MIT
// meta: ids of types and their components, and how a world comes to know them.
#include "reflect/answers.h"
#include "reflect/describe.h"
#include "reflect/primitive.h"

#define PRIMITIVE(T, kind, number, name) const ecs_entity_t ecs_id(T) = (number);
#define COMPONENT(T, number) const ecs_entity_t ecs_id(T) = (number);
#include "reflect/meta.def"
#undef PRIMITIVE
#undef COMPONENT
const ecs_entity_t EcsQuantity = 368;
const ecs_entity_t ecs_id(ecs_value_t) = 379;
static const ecs_entity_t meta_module = 377;

// ---- EcsTypeSerializer owns its operations ----

static void destruct(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    for (int32_t i = 0; i < count; i++) ecs__serializer_fini(&((EcsTypeSerializer *)ptr)[i]);
}

// ---- Set-up of a world ----

static void name(ecs_world_t *world, ecs_entity_t id, ecs_entity_t parent, const char *text,
    const char *symbol) {
    ecs_make_alive(world, id);
    ecs_entity(world, { .id = id, .parent = parent, .name = text, .symbol = symbol });
}

static void make_components(ecs_world_t *world) {
#define PRIMITIVE(T, kind, id, text)
#define COMPONENT(T, id)                                                                          \
    name(world, ecs_id(T), meta_module, &#T[3], #T);                                              \
    ecs_component(                                                                                \
        world, { .entity = ecs_id(T),                                                             \
                   .type = { .size = ECS_SIZEOF(T), .alignment = (ecs_size_t)ECS_ALIGNOF(T) } }); \
    ecs_add_pair(world, ecs_id(T), EcsOnInstantiate, EcsDontInherit);
#include "reflect/meta.def"
#undef PRIMITIVE
#undef COMPONENT
    name(world, EcsQuantity, meta_module, "Quantity", "EcsQuantity");
}

static void free_map(void *map) {
    ecs_map_fini(map);
    ecs_os_free(map);
}

static void set_hooks(ecs_world_t *world) {
    ecs_map_t *lost_types = ecs_os_calloc_t(ecs_map_t);
    ecs_map_init(lost_types, NULL);
    const ecs_type_hooks_t serializer = { .dtor = destruct,
        .move = ecs__move_owned,
        .flags = ECS_TYPE_HOOK_COPY_ILLEGAL,
        .on_remove = ecs__serializer_on_remove,
        .ctx = lost_types,
        .ctx_free = free_map };
    ecs_set_hooks_id(world, ecs_id(EcsTypeSerializer), &serializer);
    ecs_set_hooks_id(world, ecs_id(EcsStruct), &ecs__struct_hooks);
    ecs_set_hooks_id(world, ecs_id(EcsConstants), &ecs__constants_hooks);
    ecs_set_hooks_id(world, ecs_id(EcsUnit), &ecs__owned_text_hooks);
    ecs_set_hooks_id(world, ecs_id(EcsUnitPrefix), &ecs__owned_text_hooks);
    ecs_set_hooks_id(world, ecs_id(EcsMember),
        &(ecs_type_hooks_t){ .on_set = ecs__member_on_set, .on_remove = ecs__member_on_remove });
    ecs_set_hooks_id(
        world, ecs_id(EcsMemberRanges), &(ecs_type_hooks_t){ .on_set = ecs__member_ranges_on_set });
    ecs__describe_by_hand(world);
}

static void make_primitives(ecs_world_t *world) {
#define PRIMITIVE(T, primitive, id, text)          \
    name(world, ecs_id(T), meta_module, text, #T); \
    ecs_primitive(world, { .entity = ecs_id(T), .kind = Ecs##primitive });
#define COMPONENT(T, id)
#include "reflect/meta.def"
#undef PRIMITIVE
#undef COMPONENT
    name(world, ecs_id(ecs_value_t), meta_module, "value", "ecs_value_t");
    ecs__value_type_init(world);
}

static bool is_imported(const ecs_world_t *world) {
    return ecs_is_alive(world, meta_module) && ecs_owns_id(world, meta_module, EcsModule);
}

void FlecsMetaImport(ecs_world_t *world) {
    const ecs_entity_t ids[] = {
#define PRIMITIVE(T, kind, id, text) id,
#define COMPONENT(T, id) id,
#include "reflect/meta.def"
#undef PRIMITIVE
#undef COMPONENT
        EcsQuantity, ecs_id(ecs_value_t)
    };
    if (is_imported(world) || !ecs__may_import(world, ids, sizeof ids / sizeof *ids)) return;
    ecs__immediate_t state = ecs__immediate_begin(world);
    world = state.world;
    name(world, meta_module, EcsFlecs, "meta", NULL);
    ecs_add_id(world, meta_module, EcsModule);
    if (is_imported(world)) { /* else new entities are being iterated */
        make_components(world);
        set_hooks(world);
        make_primitives(world);
        ecs_ext_set_reflection(world, &ecs__reflection);
    }
    ecs__immediate_end(&state);
}
