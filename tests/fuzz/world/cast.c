// SPDX-License-Identifier: MIT
// cast: makes the ids and the first entities of a scene, and draws from them.
#include <stdio.h>
#include <string.h>

#include "scene.h"

static void may_add(ecs_entity_t entity, ecs_id_t id) {
    if (input_flag()) ecs_add_id(scene.world, entity, id);
}

static const char *name(char letter, int number) {
    static char text[8];
    snprintf(text, sizeof text, "%c%d", letter, number);
    return text;
}

static void make_tags(void) {
    ecs_world_t *world = scene.world;
    ecs_entity_t *tags = scene.tags;
    for (int i = 0; i < TAGS; i++) tags[i] = ecs_entity(world, { .name = name('T', i) });
    ecs_add_id(world, tags[TAG_BESIDE], EcsDontFragment);
    ecs_add_id(world, tags[TAG_TOGGLED], EcsCanToggle);
    ecs_add_pair(world, tags[TAG_WITH], EcsWith, tags[TAG_OVERRIDDEN]);
    ecs_add_pair(world, tags[TAG_OVERRIDDEN], EcsOnInstantiate, EcsOverride);
    ecs_add_pair(world, tags[TAG_OWN], EcsOnInstantiate, EcsDontInherit);
    may_add(tags[TAG_OWN], ecs_pair(EcsOnDelete, EcsDelete));
}

static void make_components(void) {
    ecs_world_t *world = scene.world;
    ecs_entity_t *components = scene.components;
    components[C_PLAIN] = make_plain_component("C0");
    for (int i = 1; i < COMPONENTS; i++) {
        components[i] = make_counted_component(name('C', i), i == C_TOLD || i % 3 == 0);
    }
    may_add(components[C_TOLD], EcsSparse);
    ecs_add_id(world, components[C_SPARSE], EcsSparse);
    ecs_add_id(world, components[C_BESIDE], EcsDontFragment);
    ecs_add_id(world, components[C_TOGGLED], EcsCanToggle);
    may_add(components[C_TOGGLED], ecs_pair(EcsOnInstantiate, EcsOverride));
    ecs_add_pair(world, components[C_OVERRIDDEN], EcsOnInstantiate, EcsOverride);
    may_add(components[C_OVERRIDDEN], EcsDontFragment);
    ecs_add_pair(world, components[C_OWN], EcsOnInstantiate, EcsDontInherit);
    may_add(scene.tags[TAG_OWN], ecs_pair(EcsWith, components[C_TOLD]));
    if (input_flag()) {
        ecs_add_id(world, components[C_SPECIAL], EcsSingleton);
    } else {
        may_add(components[C_SPECIAL], ecs_pair(EcsWith, components[C_TOLD]));
    }
}

static ecs_entity_t make_relationship(int which) {
    if (which < R_TRAVERSABLE) return ecs_entity(scene.world, { .name = name('R', which) });
    return make_counted_component(name('R', which), which == R_SPARSE);
}

// One more with a reverse index, or with a mixture of traits.
static ecs_entity_t make_mixed_relationship(void) {
    bool is_union = input_flag(), is_exclusive = input_flag();
    if (input_flag()) {
        return ecs_relationship(scene.world, { .name = "R9",
                                                 .type = scene.components[C_TOLD],
                                                 .sparse = is_union,
                                                 .reverse_index = true,
                                                 .exclusive = is_exclusive });
    }
    ecs_entity_t mixed = make_counted_component("R9", false);
    if (is_union) ecs_add_id(scene.world, mixed, EcsUnion);
    if (is_exclusive) ecs_add_id(scene.world, mixed, EcsExclusive);
    may_add(mixed, ecs_pair(EcsOnInstantiate, EcsDontInherit));
    return mixed;
}

static void make_relationships(void) {
    ecs_world_t *world = scene.world;
    ecs_entity_t *r = scene.relationships;
    for (int i = 0; i < R_MIXED; i++) r[i] = make_relationship(i);
    ecs_add_id(world, r[R_EXCLUSIVE], EcsExclusive);
    may_add(r[R_EXCLUSIVE], EcsSymmetric);
    ecs_add_id(world, r[R_BESIDE], EcsDontFragment);
    may_add(r[R_BESIDE], EcsExclusive);
    ecs_add_id(world, r[R_UNION], EcsUnion);
    ecs_add_id(world, r[R_SYMMETRIC], EcsSymmetric);
    ecs_add_id(world, r[R_TRANSITIVE], EcsTransitive);
    may_add(r[R_TRANSITIVE], EcsReflexive);
    ecs_add_id(world, r[R_TRAVERSABLE], EcsTraversable);
    may_add(r[R_TRAVERSABLE], ecs_pair(EcsOnDeleteTarget, EcsDelete));
    ecs_add_id(world, r[R_SPARSE], EcsSparse);
    may_add(r[R_SPARSE], EcsExclusive);
    ecs_add_id(world, r[R_BESIDE_VALUED], EcsDontFragment);
    may_add(r[R_BESIDE_VALUED], EcsExclusive);
    may_add(r[R_BESIDE_VALUED], ecs_pair(EcsOnInstantiate, EcsOverride));
    may_add(r[R_VALUED], EcsCanToggle);
    may_add(r[R_VALUED], EcsExclusive);
    may_add(r[R_VALUED], ecs_pair(EcsOnInstantiate, EcsOverride));
    r[R_MIXED] = make_mixed_relationship();
}

void scene_begin(void) {
    scene.world = scene.stage = ecs_mini();
    scene.reactions = 40;
    make_tags();
    make_components();
    make_relationships();
    for (int i = 0; i < PREFABS; i++) {
        scene.prefabs[i] =
            ecs_entity(scene.world, { .name = name('P', i), .add = ecs_ids(EcsPrefab) });
        scene.parts[i] =
            ecs_entity(scene.world, { .name = name('p', i), .parent = scene.prefabs[i] });
    }
    scene.last_id = (uint32_t)scene.parts[PREFABS - 1];
    for (int i = 0; i < ENTITIES / 2; i++) scene.entities[i] = ecs_new(scene.world);
}

bool is_immediate(void) {
    return !scene.deferred && !scene.readonly && !scene.own_stage && !scene.iterating;
}

bool is_there(ecs_entity_t entity) { return entity && ecs_is_alive(scene.world, entity); }

bool may_change(const ecs_world_t *world, ecs_entity_t entity) {
    return (uint32_t)entity > scene.last_id &&
           !ecs_has_pair(world, entity, ecs_id(EcsPoly), EcsWildcard);
}

bool may_delete(ecs_entity_t entity) { return rank_of(entity) >= rank_of_place(KEPT); }

int rank_of_place(int place) { return 2 * PREFABS + place; }

int rank_of(ecs_entity_t entity) {
    for (int i = 0; i < PREFABS; i++) {
        if (entity == scene.prefabs[i]) return 2 * i;
        if (entity == scene.parts[i]) return 2 * i + 1;
    }
    for (int i = 0; i < ENTITIES; i++) {
        if (entity == scene.entities[i]) return rank_of_place(i);
    }
    return -1;
}

static ecs_entity_t ranked(int rank) {
    if (rank >= 2 * PREFABS) return scene.entities[rank - 2 * PREFABS];
    return rank % 2 ? scene.parts[rank / 2] : scene.prefabs[rank / 2];
}

static ecs_entity_t pick_ranked(int below) {
    ecs_entity_t entity = below > 0 ? ranked(input_below(below)) : 0;
    return is_there(entity) ? entity : 0;
}

ecs_entity_t pick_entity(void) {
    if (input_byte() % 4 == 0) return pick_ranked(2 * PREFABS);
    ecs_entity_t entity = scene.entities[input_below(ENTITIES)];
    return is_there(entity) ? entity : 0;
}

ecs_entity_t pick_kept(void) { return pick_ranked(2 * PREFABS + KEPT); }

int pick_free(void) {
    int place = input_below(ENTITIES);
    return is_there(scene.entities[place]) ? -1 : place;
}

bool is_singleton(ecs_id_t id) {
    return id == scene.components[C_SPECIAL] && ecs_has_id(scene.world, id, EcsSingleton);
}

static ecs_entity_t pick_base(int rank) {
    if (rank < 2 * PREFABS || input_flag()) {
        int below = rank < 2 * PREFABS ? rank / 2 : PREFABS;
        return below ? scene.prefabs[input_below(below)] : 0;
    }
    ecs_entity_t base = pick_ranked(rank);
    return base && rank_of(base) >= 2 * PREFABS && rank_of(base) % 2 == 0 ? base : 0;
}

static ecs_entity_t pick_parent(int rank) {
    ecs_entity_t parent = rank < 2 * PREFABS ? 0 : pick_ranked(rank);
    return parent && rank_of(parent) >= 2 * PREFABS && rank_of(parent) % 2 == 1 ? parent : 0;
}

static ecs_entity_t pick_target(int rank, ecs_entity_t relationship) {
    if (relationship == EcsIsA) return pick_base(rank);
    if (relationship == EcsChildOf) return pick_parent(rank);
    bool is_acyclic = relationship == scene.relationships[R_TRANSITIVE] ||
                      relationship == scene.relationships[R_TRAVERSABLE] ||
                      relationship == EcsDependsOn;
    if (is_acyclic) return pick_ranked(rank);
    return input_byte() % 8 ? pick_entity() : scene.tags[input_below(TAGS)];
}

static ecs_id_t pick_pair(int rank, ecs_entity_t relationship) {
    ecs_entity_t target = pick_target(rank, relationship);
    return target ? ecs_pair(relationship, target) : 0;
}

static ecs_id_t pick_component(int rank) {
    ecs_id_t id = scene.components[input_below(COMPONENTS)];
    return is_singleton(id) && rank >= 0 ? scene.tags[TAG_A] : id;
}

static ecs_id_t pick_builtin(int rank) {
    switch (input_below(5)) {
    case 0: return EcsPrefab;
    case 1: return EcsOrderedChildren;
    case 2: return pick_pair(rank, EcsDependsOn);
    default: return EcsDisabled;
    }
}

// Ids made of what is usually something else: entities as tags and relationships, components as
// relationships and targets.
static ecs_id_t pick_unusual(int rank) {
    ecs_entity_t entity = pick_entity(), other;
    ecs_id_t component = pick_component(rank);
    if (!entity) return 0;
    switch (input_below(4)) {
    case 0: return entity;
    case 1: return (other = pick_entity()) ? ecs_pair(other, entity) : 0;
    case 2: return ecs_pair(component, entity);
    default: return ecs_pair(scene.tags[input_below(TAGS)], component);
    }
}

ecs_id_t pick_id(int rank) {
    switch (input_below(12)) {
    case 0:
    case 1: return scene.tags[input_below(TAGS)];
    case 2:
    case 3: return pick_component(rank);
    case 4:
    case 5:
    case 6: return pick_pair(rank, scene.relationships[input_below(RELATIONSHIPS)]);
    case 7: return pick_pair(rank, EcsChildOf);
    case 8: return pick_pair(rank, EcsIsA);
    case 9: return pick_builtin(rank);
    case 10:
        return ECS_AUTO_OVERRIDE |
               (input_flag() ? scene.tags[input_below(TAGS)] : pick_component(rank));
    default: return pick_unusual(rank);
    }
}

ecs_id_t pick_valued(int rank) {
    ecs_id_t component = pick_component(rank);
    ecs_entity_t target;
    switch (input_below(4)) {
    case 0:
    case 1: return ecs_get_type_info(scene.world, component) ? component : 0;
    case 2:
        return pick_pair(
            rank, scene.relationships[R_TRAVERSABLE + input_below(RELATIONSHIPS - R_TRAVERSABLE)]);
    default: return (target = pick_entity()) ? ecs_pair(component, target) : 0;
    }
}
