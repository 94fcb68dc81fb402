// SPDX-License-Identifier: MIT
// relationships: relationships made from a descriptor, walks along edges, and children in their order.
#include "calls.h"

// ---- Relationships ----

static bool begin_edge(
    ecs_world_t *world, ecs_entity_t source, ecs_entity_t target, void *edge, void *ctx) {
    (void)world;
    (void)edge;
    (void)ctx;
    return source % 4 || target % 2;
}

CALL(make_relationship) {
    ecs_relationship_desc_t desc = { .name = draw_name() };
    const int flags = input_byte();
    if (input_flag()) desc.entity = call->entity;
    if (input_flag()) desc.type = cast.components[input_below(COMPONENTS)];
    if (!input_below(3)) desc.type = draw_type();
    if (desc.type && input_flag()) desc.defaults = zero_value(desc.type);
    if (!input_below(3)) desc.init = begin_edge;
    desc.exclusive = flags & 1;
    desc.sparse = flags & 2;
    desc.reverse_index = flags & 4;
    desc.cascade_delete = (flags & 24) == 24;
    desc.transient = flags & 32;
    ecs_entity_t *made = &cast.relationships[input_below(RELATIONSHIPS)];
    const ecs_entity_t relationship = ecs_relationship_init(call->world, &desc);
    if (relationship && input_flag()) *made = relationship;
    join(relationship);
}

// ---- Walks; who is called may only queue changes ----

static void queue_some(ecs_world_t *world) {
    ecs_defer_begin(world);
    make_some(world);
    ecs_defer_end(world);
}

static void on_source(ecs_world_t *world, ecs_entity_t source, void *ctx) {
    (void)source;
    (void)ctx;
    make_some(world);
}

static void on_edge(ecs_world_t *world, ecs_entity_t target, void *edge, void *ctx) {
    (void)target;
    (void)edge;
    (void)ctx;
    make_some(world);
}

static bool on_ancestor(ecs_world_t *world, ecs_entity_t ancestor, int32_t depth, void *ctx) {
    (void)ancestor;
    (void)ctx;
    make_some(world);
    return depth < 5;
}

CALL(walk_edges) {
    const ecs_entity_t relationship = draw_relationship();
    ecs_defer_begin(call->world);
    switch (input_below(3)) {
    case 0: ecs_each_source(call->world, call->entity, relationship, on_source, NULL); break;
    case 1: ecs_each_edge(call->world, call->entity, relationship, on_edge, NULL); break;
    default:
        ecs_walk_up(call->world, call->entity, relationship, on_ancestor, NULL, input_below(4) - 1);
    }
    ecs_defer_end(call->world);
}

CALL(traverse) {
    ecs_traverse_t walk = ecs_traverse(call->world, call->entity, draw_relationship());
    int steps = input_below(20);
    ecs_defer_begin(call->world);
    while (steps-- > 0 && ecs_traverse_next(&walk)) queue_some(call->world);
    ecs_traverse_fini(&walk);
    ecs_defer_end(call->world);
}

// ---- Parents and children ----

CALL(set_parent) {
    if (input_flag())
        ecs_set(call->world, call->entity, EcsParent, { call->other });
    else
        ecs_set_pair(call->world, call->entity, EcsParent, call->other, { 0 });
}

CALL(order_children) {
    ecs_entity_t children[4];
    int32_t count = 0;
    const ecs_entities_t present = ecs_get_ordered_children(call->world, call->entity);
    const bool is_fit = input_flag();
    while (count < (is_fit ? ECS_MIN(present.count, 4) : 3)) {
        children[count] = is_fit ? present.ids[present.count - 1 - count] : draw_entity();
        count++;
    }
    ecs_set_child_order(call->world, call->entity, children, count);
}

// ---- Prefabs ----

/* A prefab of children, one of them a slot, and an instance of it. */
CALL(make_prefab) {
    ecs_world_t *world = call->world;
    const ecs_entity_t prefab = ecs_new_w_id(world, EcsPrefab);
    if (!prefab) return;
    join(prefab);
    if (input_flag()) ecs_add_pair(world, prefab, EcsIsA, call->entity);
    if (!input_below(4)) ecs_add_id(world, prefab, EcsOrderedChildren);
    for (int i = input_below(4); i > 0; i--) {
        const ecs_entity_t child = input_flag() ? ecs_new_w_parent(world, prefab, draw_name())
                                                : ecs_new_w_pair(world, EcsChildOf, prefab);
        if (!child) continue;
        join(child);
        if (input_flag()) ecs_add_id(world, child, call->id);
        if (!input_below(3)) ecs_add_pair(world, child, EcsSlotOf, prefab);
    }
    if (input_flag()) ecs_add_id(world, prefab, ECS_AUTO_OVERRIDE | call->id);
    join(ecs_new_w_pair(world, EcsIsA, prefab));
}

CALL(instantiate) { ecs_add_pair(call->world, call->entity, EcsIsA, call->other); }

CALL(give_trait) {
    static const ecs_entity_t *const traits[] = { &EcsSparse, &EcsDontFragment, &EcsCanToggle,
        &EcsExclusive, &EcsSymmetric, &EcsTransitive, &EcsReflexive, &EcsAcyclic, &EcsTraversable,
        &EcsUnion, &EcsFinal, &EcsInheritable, &EcsPairIsTag, &EcsRelationship, &EcsTarget,
        &EcsTrait, &EcsSingleton, &EcsOrderedChildren, &EcsPrefab, &EcsModule };
    const ecs_entity_t trait = *traits[input_below(sizeof traits / sizeof *traits)];
    if (input_below(4))
        ecs_add_id(call->world, call->entity, trait);
    else
        ecs_remove_id(call->world, call->entity, trait);
}

const call_kind_t relationship_calls[] = { { "make_relationship", make_relationship },
    { "walk_edges", walk_edges }, { "traverse", traverse }, { "set_parent", set_parent },
    { "set_parent", set_parent }, { "order_children", order_children },
    { "make_prefab", make_prefab }, { "instantiate", instantiate }, { "give_trait", give_trait },
    { 0 } };
