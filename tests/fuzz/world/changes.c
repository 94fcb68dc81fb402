// SPDX-License-Identifier: MIT
// changes: operations on entities, immediate or not.
#include <stdio.h>
#include <string.h>

#include "scene.h"

void change_add(void) {
    ecs_entity_t entity = pick_entity();
    ecs_id_t id = entity ? pick_id(rank_of(entity)) : 0;
    if (!id) return;
    say_id("add", entity, id);
    ecs_add_id(scene.stage, entity, id);
}

static ecs_id_t pick_wildcard(void) {
    ecs_entity_t entity = pick_entity();
    switch (input_below(5)) {
    case 0: return ecs_pair(EcsIsA, EcsWildcard);
    case 1: return ecs_pair(EcsChildOf, EcsWildcard);
    case 2: return entity ? ecs_pair(EcsWildcard, entity) : 0;
    default: return ecs_pair(scene.relationships[input_below(RELATIONSHIPS)], EcsWildcard);
    }
}

// Slots of prefabs need what they are below; children by the component Parent are always ordered.
static bool must_stay(ecs_entity_t entity, ecs_id_t id) {
    bool is_place = ECS_HAS_RELATION(id, EcsChildOf) || ECS_HAS_RELATION(id, EcsIsA) ||
                    ECS_HAS_RELATION(id, EcsWildcard);
    return id == EcsOrderedChildren || (is_place && rank_of(entity) < 2 * PREFABS);
}

void change_remove(void) {
    ecs_entity_t entity = pick_entity();
    if (!entity) return;
    ecs_id_t id = input_byte() % 4 ? pick_id(rank_of(entity)) : pick_wildcard();
    if (!id || must_stay(entity, id)) return;
    say_id("remove", entity, id);
    ecs_remove_id(scene.stage, entity, id);
}

static void write_in_place(ecs_entity_t entity, ecs_id_t id, int32_t number, void *value) {
    if (!value) return;
    if (is_counted(id)) {
        value_check(value);
        ((value_t *)value)->number = number;
    } else {
        *(int32_t *)value = number;
    }
    ecs_modified_id(scene.stage, entity, id);
}

static void set_and_read(ecs_entity_t entity, ecs_id_t id, int32_t number) {
    set_value(scene.stage, entity, id, number);
    if (!is_immediate() || scene.reacting) return;
    const void *value = ecs_get_id(scene.world, entity, id);
    if (!value || get_number(id, value) != number) fail("a value is another one than set");
}

void change_set(void) {
    ecs_entity_t entity = pick_entity();
    ecs_id_t id = entity ? pick_valued(rank_of(entity)) : 0;
    if (!id || !ecs_get_type_info(scene.world, id)) return;
    size_t size = is_counted(id) ? sizeof(value_t) : sizeof(int32_t);
    int32_t number = input_byte();
    say_id("set", entity, id);
    switch (number % 4) {
    case 0: write_in_place(entity, id, number, ecs_ensure_id(scene.stage, entity, id, size)); break;
    case 1:
        if (ecs_owns_id(scene.world, entity, id)) {
            write_in_place(entity, id, number, ecs_get_mut_id(scene.stage, entity, id));
        }
        break;
    default: set_and_read(entity, id, number); break;
    }
}

static ecs_entity_t new_with(int rank) {
    ecs_id_t id = pick_id(rank);
    return id ? ecs_new_w_id(scene.stage, id) : 0;
}

static ecs_entity_t new_child(int rank) {
    ecs_entity_t parent = scene.entities[input_below(ENTITIES) | 1];
    if (!is_there(parent) || rank_of(parent) >= rank) return 0;
    char name[8];
    snprintf(name, sizeof name, "n%d", input_below(4));
    bool has_name = input_flag();
    if (input_flag() && is_immediate())
        return ecs_new_w_parent(scene.world, parent, has_name ? name : NULL);
    return ecs_entity(scene.stage, { .name = has_name ? name : NULL, .parent = parent });
}

// With ids and values by descriptor.
static ecs_entity_t new_described(int rank) {
    ecs_id_t add[4] = { 0 };
    for (int i = 0, count = 0; i < 3; i++) {
        ecs_id_t id = pick_id(rank);
        if (id && !ECS_HAS_RELATION(id, EcsChildOf)) add[count++] = id;
    }
    int32_t number = 4;
    value_t value;
    value_begin(&value, 9);
    ecs_value_t set[] = { { scene.components[C_PLAIN], &number },
        { scene.components[C_TOLD + input_below(C_SPECIAL - C_TOLD)], &value }, { 0 } };
    if (scene.reacting)
        set[0] = set[1] = (ecs_value_t){ 0 }; /* hooks and observers may remove them */
    ecs_entity_t entity = ecs_entity(scene.stage, { .add = add, .set = set });
    value_end(&value);
    return entity;
}

static ecs_entity_t new_clone(int rank) {
    ecs_entity_t original = scene.entities[input_below(ENTITIES)];
    if (!is_there(original) || rank_of(original) >= rank) return 0;
    scene.clone_waits = scene.deferred > 0;
    return ecs_clone(scene.stage, 0, original, input_flag());
}

void change_new(void) {
    int place = pick_free(), rank = rank_of_place(place);
    if (place < 0) return;
    ecs_entity_t entity = 0;
    switch (input_below(7)) {
    case 0:
    case 1: entity = ecs_new(scene.stage); break;
    case 2: entity = new_with(rank); break;
    case 3: entity = new_child(rank); break;
    case 4:
        entity = ecs_new_w_pair(scene.stage, EcsIsA, scene.prefabs[input_below(PREFABS)]);
        break;
    case 5: entity = new_described(rank); break;
    case 6: entity = new_clone(rank); break;
    }
    if (entity && rank_of(entity) < 0) scene.entities[place] = entity;
    say_id("new", entity, 0);
}

void change_delete(void) {
    ecs_entity_t entity = pick_entity();
    if (!entity) return;
    if (may_delete(entity) && input_flag()) {
        say_id("delete", entity, 0);
        ecs_delete(scene.stage, entity);
        if (is_immediate() && ecs_is_alive(scene.world, entity)) fail("alive after its end");
    } else if (rank_of(entity) >= 2 * PREFABS) {
        say_id("clear", entity, 0);
        ecs_clear(scene.stage, entity);
    }
}

static void add_many(void) {
    ecs_bulk_desc_t desc = { .count = 1 + input_below(4) };
    void *data[2] = { NULL };
    int32_t numbers[4] = { 1, 2, 3, 4 };
    ecs_id_t id = pick_id(rank_of_place(0));
    desc.ids[0] = scene.components[C_PLAIN];
    if (input_flag()) data[0] = numbers;
    if (id != desc.ids[0] && !(id & ECS_AUTO_OVERRIDE)) desc.ids[1] = id;
    desc.data = data;
    say_id("many", 0, id);
    const ecs_entity_t *entities = ecs_bulk_init(scene.world, &desc);
    int place = pick_free();
    if (entities && place >= 0 && is_there(entities[0])) scene.entities[place] = entities[0];
}

void change_many(void) {
    ecs_id_t tag = scene.tags[input_below(TAGS)], id = 0;
    switch (input_below(4)) {
    case 0:
    case 1:
        if (is_immediate()) add_many();
        break;
    case 2:
        id = input_flag() ? tag
                          : ecs_pair(scene.relationships[input_below(RELATIONSHIPS)], EcsWildcard);
        say_id("remove all", 0, id);
        ecs_remove_all(scene.stage, id);
        break;
    case 3: /* only those after the target have this pair */
        id = scene.entities[KEPT + input_below(ENTITIES - KEPT)];
        if (!is_there(id)) break;
        id = ecs_pair(scene.relationships[R_TRANSITIVE], id);
        say_id("delete with", 0, id);
        ecs_delete_with(scene.stage, id);
        break;
    }
}

static void change_parent(ecs_entity_t entity) {
    ecs_entity_t parent = scene.entities[input_below(ENTITIES) | 1];
    if (rank_of(entity) < 2 * PREFABS) return;
    if (input_flag() || !is_there(parent) || rank_of(parent) >= rank_of(entity)) {
        ecs_remove(scene.stage, entity, EcsParent);
    } else {
        say_id("parent", entity, parent);
        ecs_set(scene.stage, entity, EcsParent, { parent });
    }
}

static void reverse_children(ecs_entity_t entity) {
    if (!is_immediate() || !ecs_owns_id(scene.world, entity, EcsOrderedChildren)) return;
    ecs_entities_t children = ecs_get_ordered_children(scene.world, entity);
    ecs_entity_t order[64];
    if (!children.count || children.count > 64) return;
    for (int i = 0; i < children.count; i++) order[i] = children.ids[children.count - 1 - i];
    ecs_set_child_order(scene.world, entity, order, children.count);
}

void change_switch(void) {
    ecs_entity_t entity = pick_entity(), target = pick_entity();
    if (!entity) return;
    bool on = input_flag();
    say_id("switch", entity, 0);
    switch (input_below(7)) {
    case 0: ecs_enable(scene.stage, entity, on); break;
    case 1: ecs_enable_id(scene.stage, entity, scene.components[C_TOGGLED], on); break;
    case 2: ecs_enable_id(scene.stage, entity, scene.tags[TAG_TOGGLED], on); break;
    case 3:
        if (target && ecs_has_id(scene.world, scene.relationships[R_VALUED], EcsCanToggle)) {
            ecs_enable_id(scene.stage, entity, ecs_pair(scene.relationships[R_VALUED], target), on);
        }
        break;
    case 4: change_parent(entity); break;
    case 5: reverse_children(entity); break;
    case 6:
        if (!is_immediate() || !is_singleton(scene.components[C_SPECIAL])) break;
        if (on)
            set_value(scene.world, scene.components[C_SPECIAL], scene.components[C_SPECIAL], 1);
        else
            ecs_remove_id(scene.world, scene.components[C_SPECIAL], scene.components[C_SPECIAL]);
        break;
    }
}

void change_name(void) {
    ecs_entity_t entity = pick_entity();
    if (!entity || rank_of(entity) < 2 * PREFABS) return;
    char name[8];
    snprintf(name, sizeof name, "n%d", input_below(4));
    switch (input_below(4)) {
    case 0: ecs_set_name(scene.stage, entity, name); break;
    case 1: ecs_set_name(scene.stage, entity, NULL); break;
    case 2: ecs_lookup_child(scene.stage, entity, name); break;
    case 3: ecs_os_free(ecs_get_path(scene.stage, entity)); break;
    }
    say_id("name", entity, 0);
}

// New parts of prefabs: named with or without slot, nameless, and below parts.
void change_prefab(void) {
    int which = input_below(PREFABS);
    ecs_entity_t prefab = scene.prefabs[which], part = 0;
    char name[8];
    snprintf(name, sizeof name, "g%d", input_below(4));
    switch (input_below(3)) {
    case 0:
        if (!is_immediate()) break;
        part = ecs_entity(scene.world, { .name = name, .parent = prefab });
        if (part && input_flag()) ecs_add_pair(scene.world, part, EcsSlotOf, prefab);
        break;
    case 1: part = ecs_new_w_pair(scene.stage, EcsChildOf, prefab); break;
    case 2: part = ecs_new_w_pair(scene.stage, EcsChildOf, scene.parts[which]); break;
    }
    if (part && input_flag()) set_value(scene.stage, part, scene.components[C_TOLD], 5);
    say_id("part", part, 0);
}

void react(ecs_world_t *world, ecs_entity_t entity, uint8_t how) {
    if (!may_change(world, entity) || scene.reactions-- <= 0) return;
    say_id("  reacts", entity, 0);
    ecs_entity_t other = scene.entities[how % ENTITIES];
    if (!other || !ecs_is_alive(world, other)) other = 0;
    ecs_id_t tag = scene.tags[how / 16 % TAGS], component = scene.components[how / 16 % C_SPECIAL];
    ecs_entity_t relationship = scene.relationships[how / 16 % R_TRANSITIVE];
    switch (how % 13) {
    case 0: ecs_add_id(world, entity, tag); break;
    case 1: ecs_remove_id(world, entity, tag); break;
    case 2: set_value(world, entity, component, how); break;
    case 3: ecs_remove_id(world, entity, component); break;
    case 4: ecs_remove_pair(world, entity, relationship, EcsWildcard); break;
    case 5: ecs_enable(world, entity, how & 16); break;
    case 6: ecs_enable_id(world, entity, scene.components[C_TOGGLED], how & 16); break;
    case 7:
        if (rank_of(entity) >= rank_of_place(KEPT)) ecs_delete(world, entity);
        break;
    case 8: ecs_new_w_id(world, tag); break;
    case 9: ecs_new_w_pair(world, EcsIsA, scene.prefabs[how / 16 % PREFABS]); break;
    case 10:
        if (other) ecs_add_pair(world, entity, relationship, other);
        break;
    case 11:
        if (other) set_value(world, other, component, how);
        break;
    case 12:
        if (other && may_delete(other)) ecs_delete(world, other);
        break;
    }
}
