// SPDX-License-Identifier: MIT
// unit: units of measure of members: metres, kilometres, metres per second.
#include "reflect/describe.h"

static const char *symbol_of(const ecs_world_t *world, ecs_entity_t unit) {
    const EcsUnit *value = unit ? ecs_get(world, unit, EcsUnit) : NULL;
    return value && value->symbol ? value->symbol : "";
}

// "km/h" of prefix, base and over; the symbol of a dimensionless unit may be empty.
static char *make_symbol(const ecs_world_t *world, const ecs_unit_desc_t *desc) {
    if (desc->symbol) return ecs_os_strdup(desc->symbol);
    if (!desc->base) return NULL;
    const EcsUnitPrefix *prefix = desc->prefix ? ecs_get(world, desc->prefix, EcsUnitPrefix) : NULL;
    return flecs_asprintf("%s%s%s%s", prefix && prefix->symbol ? prefix->symbol : "",
        symbol_of(world, desc->base), desc->over ? "/" : "", symbol_of(world, desc->over));
}

static bool is_unit(const ecs_world_t *world, ecs_entity_t entity) {
    return !entity || ECS__TYPE_GET(world, entity, EcsUnit);
}

static bool is_quantity(const ecs_world_t *world, ecs_entity_t entity) {
    return ecs_is_alive(world, entity) && ecs_has_id(world, entity, EcsQuantity);
}

static bool is_prefix_of(const ecs_unit_translation_t *a, const ecs_unit_translation_t *b) {
    return (!a->factor && !a->power) || (a->factor == b->factor && a->power == b->power);
}

static bool check_unit(const ecs_world_t *world, ecs_entity_t unit, const ecs_unit_desc_t *desc) {
    const EcsUnitPrefix *prefix = ECS__TYPE_GET(world, desc->prefix, EcsUnitPrefix);
    if (desc->prefix && !prefix)
        return ecs__type_fail("the prefix of unit %s is none", ECS__NAME(world, unit));
    if (!is_unit(world, desc->base) || !is_unit(world, desc->over))
        return ecs__type_fail("unit %s is based on what is no unit", ECS__NAME(world, unit));
    if (desc->quantity && !is_quantity(world, desc->quantity))
        return ecs__type_fail("the quantity of unit %s is none", ECS__NAME(world, unit));
    if ((desc->prefix || desc->over || desc->translation.factor) && !desc->base)
        return ecs__type_fail("unit %s needs a base", ECS__NAME(world, unit));
    if (prefix && !is_prefix_of(&desc->translation, &prefix->translation))
        return ecs__type_fail(
            "the translation of unit %s is not that of its prefix", ECS__NAME(world, unit));
    return true;
}

static void set_unit(ecs_world_t *world, ecs_entity_t unit, const ecs_unit_desc_t *desc) {
    EcsUnit value = { make_symbol(world, desc), desc->prefix, desc->base, desc->over,
        desc->translation };
    if (desc->prefix) value.translation = ecs_get(world, desc->prefix, EcsUnitPrefix)->translation;
    ecs_set_ptr(world, unit, EcsUnit, &value);
    ecs_os_free(value.symbol);
    if (!ecs_is_alive(world, unit)) return; /* who heard of it ended it */
    ecs_remove_pair(world, unit, EcsQuantity, EcsWildcard);
    ecs_entity_t quantity = desc->quantity;
    if (!quantity && desc->base && !desc->over)
        quantity = ecs_get_target(world, desc->base, EcsQuantity, 0);
    if (!quantity && ecs_has_id(world, unit, EcsQuantity)) quantity = unit;
    if (quantity) ecs_add_pair(world, unit, EcsQuantity, quantity);
}

ecs_entity_t ecs_unit_init(ecs_world_t *world, const ecs_unit_desc_t *desc) {
    ECS__NEED_OR(desc, 0);
    ecs__describe_t describe;
    if (!ecs__describe_begin(&describe, world, desc->entity)) return 0;
    bool success = check_unit(describe.world, describe.entity, desc);
    if (success) set_unit(describe.world, describe.entity, desc);
    return ecs__describe_end(&describe, success);
}

ecs_entity_t ecs_unit_prefix_init(ecs_world_t *world, const ecs_unit_prefix_desc_t *desc) {
    ECS__NEED_OR(desc, 0);
    ecs__describe_t describe;
    if (!ecs__describe_begin(&describe, world, desc->entity)) return 0;
    ecs_set(describe.world, describe.entity, EcsUnitPrefix,
        { ECS_CONST_CAST(char *, desc->symbol), desc->translation });
    return ecs__describe_end(&describe, true);
}

ecs_entity_t ecs_quantity_init(ecs_world_t *world, const ecs_entity_desc_t *desc) {
    if (!ecs__may_describe(world)) return 0;
    ecs_entity_t quantity = ecs_entity_init(world, desc);
    if (!quantity) return 0;
    ecs__immediate_t state = ecs__immediate_begin(world);
    ecs_add_id(state.world, quantity, EcsQuantity);
    ecs__immediate_end(&state);
    return quantity;
}
