// SPDX-License-Identifier: MIT
#include <muster/ecs/extend.h>

#include "reflect/describe.h"

ecs__immediate_t ecs__immediate_begin(ecs_world_t *world) {
    ecs__immediate_t state = { .world = ECS_CONST_CAST(ecs_world_t *, ecs_get_world(world)) };
    state.resume = ecs_is_deferred(state.world);
    if (state.resume) ecs_defer_suspend(state.world);
    state.scope = ecs_set_scope(state.world, 0);
    state.with = ecs_set_with(state.world, 0);
    state.prefix = ecs_set_name_prefix(state.world, NULL);
    return state;
}

void ecs__immediate_end(const ecs__immediate_t *state) {
    ecs_set_name_prefix(state->world, state->prefix);
    ecs_set_with(state->world, state->with);
    ecs_set_scope(state->world, state->scope);
    if (state->resume) ecs_defer_resume(state->world);
}

bool ecs__may_import(const ecs_world_t *world, const ecs_entity_t *ids, int32_t count) {
    if (!ecs_ext_check_writer(ecs_get_world(world))) goto error; /* changes go past a stage */
    ecs_check(!(ecs_world_get_flags(world) & EcsWorldReadonly), ECS_INVALID_WHILE_READONLY,
        "types cannot be imported while the world is readonly");
    for (int32_t i = 0; i < count; i++) {
        if (!ecs_is_alive(world, ids[i])) continue;
        ecs_err_code(ECS_ALREADY_IN_USE,
            "types cannot be imported: somebody else has #%u, which is one of theirs",
            (uint32_t)ids[i]);
        goto error;
    }
    return true;
error:
    return false;
}

bool ecs__may_describe(const ecs_world_t *world) {
    if (!ecs_ext_check_writer(ecs_get_world(world))) return false;
    if (ecs_world_get_flags(world) & EcsWorldReadonly)
        return ecs__type_fail("types cannot be described while the world is readonly");
    return ecs_is_alive(world, ecs_id(EcsType)) ||
           ecs__type_fail("types cannot be described: the world knows none; call FlecsMetaImport");
}

// 0, with a sentence, if the one given cannot be made alive.
static ecs_entity_t bring_to_life(ecs_world_t *world, ecs_entity_t given) {
    if (!given) return ecs_new_low_id(world);
    ecs_make_alive(world, given);
    return ecs_is_alive(world, given) ? given : 0;
}

bool ecs__describe_begin(ecs__describe_t *describe, ecs_world_t *world, ecs_entity_t given) {
    if (!ecs__may_describe(world)) return false;
    const bool is_new = !given || !ecs_is_alive(world, given);
    *describe = (ecs__describe_t){ .is_new = is_new, .immediate = ecs__immediate_begin(world) };
    describe->world = describe->immediate.world;
    describe->entity = is_new ? bring_to_life(describe->world, given) : given;
    if (!describe->entity) ecs__immediate_end(&describe->immediate);
    return describe->entity != 0;
}

ecs_entity_t ecs__describe_end(const ecs__describe_t *describe, bool success) {
    success = success && ecs_is_alive(describe->world, describe->entity); /* who heard may end it */
    if (!success && describe->is_new) ecs_delete(describe->world, describe->entity);
    ecs__immediate_end(&describe->immediate);
    return success ? describe->entity : 0;
}

// ---- Types that one component describes ----

static const struct {
    const ecs_entity_t *component;
    bool (*define)(ecs_world_t *world, ecs_entity_t type, const void *value);
} kinds[] = {
    { &ecs_id(EcsPrimitive), ecs__primitive_define },
    { &ecs_id(EcsEnum), ecs__enum_define },
    { &ecs_id(EcsBitmask), ecs__bitmask_define },
    { &ecs_id(EcsArray), ecs__array_define },
    { &ecs_id(EcsVector), ecs__vector_define },
    { &ecs_id(EcsMap), ecs__map_define },
    { &ecs_id(EcsOpaque), ecs__opaque_define },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool define(
    ecs_world_t *world, ecs_entity_t type, ecs_entity_t component, const void *value) {
    int kind = 0;
    while (*kinds[kind].component != component) kind++;
    return kinds[kind].define(world, type, value);
}

ecs_entity_t ecs__describe_by(
    ecs_world_t *world, ecs_entity_t given, ecs_entity_t component, const void *value) {
    ecs__describe_t describe;
    if (!ecs__describe_begin(&describe, world, given)) return 0;
    bool success = define(describe.world, describe.entity, component, value);
    if (success) {
        size_t size = (size_t)ecs_get_type_info(describe.world, component)->size;
        ecs_set_id(describe.world, describe.entity, component, size, value);
    }
    return ecs__describe_end(&describe, success);
}

// A type of the same kind has all components of one already, and may change here and now. What is refused is put back.
static void change(ecs_world_t *world, ecs_entity_t type, ecs_entity_t component,
    const void *source, void *value) {
    const size_t size = (size_t)ecs_get_type_info(world, component)->size;
    if (!memcmp(source, value, size)) return;
    ecs__immediate_t state = ecs__immediate_begin(world);
    if (!define(state.world, type, component, value)) memcpy(value, source, size);
    ecs__immediate_end(&state);
}

static bool is_other_type(const ecs_world_t *world, ecs_entity_t type, ecs_entity_t component) {
    if (!ecs_has(world, type, EcsType)) return false;
    ecs__type_fail("%s is a type already, which %s cannot change", ECS__NAME(world, type),
        ECS__NAME(world, component));
    return true;
}

static void follow(ecs_world_t *world, ecs_entity_t type, ecs_entity_t component, void *value) {
    const void *source = ecs__type_source(world, type, component);
    if (source)
        change(world, type, component, source, value);
    else if (is_other_type(world, type, component) || !define(world, type, component, value))
        ecs_remove_id(world, type, component);
}

static void on_set(ecs_iter_t *it) {
    if (ECS_IS_PAIR(it->event_id)) return; /* it describes nothing */
    for (int32_t i = 0; i < it->count; i++) {
        follow(
            it->real_world, it->entities[i], it->event_id, ECS_ELEM(it->ptrs[0], it->sizes[0], i));
    }
}

void ecs__describe_by_hand(ecs_world_t *world) {
    for (int kind = 0; kind < KINDS; kind++) {
        ecs_set_hooks_id(world, *kinds[kind].component, &(ecs_type_hooks_t){ .on_set = on_set });
    }
}
