// SPDX-License-Identifier: MIT
// relationship: implements muster/ecs/relationship.h.
#include <muster/ecs/relationship.h>

#include <muster/ecs/extend.h>

#include <muster/ecs/component.h>
#include <muster/ecs/log.h>
#include <muster/ecs/name.h>
#include <muster/ecs/os.h>
#include <muster/ecs/table.h>

#include "mutate/edge.h"
#include "world/state.h"
#include "world/write.h"

// What the descriptor says about storage, as traits of the relationship.
#define IS_SPARSE ECS__MAKE_PAIR(Ecs__Relationship, Ecs__Sparse)
#define HAS_SOURCES ECS__MAKE_PAIR(Ecs__Relationship, Ecs__Target)

// ---- the descriptor ----

// Why the descriptor is wrong, or NULL.
static const char *wrong(const ecs_world_t *world, const ecs_relationship_desc_t *desc) {
    bool has_name = desc->name && *desc->name;
    if (desc->_canary) return "the descriptor was not initialised to zero";
    if (desc->entity && !ecs_is_alive(world, desc->entity)) return "the entity is not alive";
    if (!has_name && !(desc->entity && ecs_get_name(world, desc->entity))) return "it needs a name";
    if (desc->defaults && !desc->type) return "defaults need a data type";
    if (desc->init && !desc->type) return "an init hook needs a data type";
    if (desc->type && !ecs_get_type_info(world, desc->type)) return "the data type is no component";
    if (desc->cascade_delete && !(desc->exclusive && desc->reverse_index))
        return "cascade_delete needs exclusive and reverse_index";
    return NULL;
}

static bool check_desc(const ecs_world_t *world, const ecs_relationship_desc_t *desc) {
    const char *name = desc->name ? desc->name : "";
    const char *reason = wrong(world, desc);
    if (!reason) return true;
    ecs_err_code(ECS_INVALID_PARAMETER, "cannot make relationship \"%s\": %s", name, reason);
    return false;
}

static bool check_unused(const ecs_world_t *world, ecs_entity_t rel) {
    if (ecs__is_builtin(rel)) {
        ecs_err_code(ECS_ALREADY_IN_USE, "%s is builtin; it stays the relationship that it is",
            ECS__TEXT(world, rel));
        return false;
    }
    if (!ecs__id_has_tables(world, rel)) return true;
    ecs_err_code(ECS_ALREADY_IN_USE, "%s is in use; a relationship is described before it is used",
        ECS__TEXT(world, rel));
    return false;
}

// A component keeps its size.
static bool check_type(const ecs_world_t *world, ecs_entity_t rel, ecs_entity_t type) {
    const EcsComponent *own = ecs_get_id(world, rel, Ecs__Component);
    const ecs_type_info_t *edge = type ? ecs_get_type_info(world, type) : NULL;
    if (!own || !edge || (own->size == edge->size && own->alignment == edge->alignment))
        return true;
    ecs_err_code(ECS_INVALID_PARAMETER,
        "%s cannot have edges of type %s: it is a component of another size or alignment",
        ECS__TEXT(world, rel), ECS__TEXT(world, type));
    return false;
}

// The relationship has the type of its edges: its own, or that of another component. False, after a sentence, if that was refused.
static bool set_type(ecs_world_t *world, ecs_entity_t rel, ecs_entity_t type) {
    const ecs_type_info_t *info = ecs_get_type_info(world, type);
    if (type == rel || !info) return info != NULL;
    ecs_type_info_t edge = {
        .size = info->size, .alignment = info->alignment, .hooks = info->hooks
    };
    edge.hooks.ctx_free = edge.hooks.binding_ctx_free = edge.hooks.lifecycle_ctx_free = NULL;
    ecs_component_init(world, &(ecs_component_desc_t){ .entity = rel, .type = edge });
    if (!ecs_get_type_info(world, rel)) return false;
    const ecs_ext_reflection_t *reflection = ecs__world_of(world)->reflection;
    if (reflection) reflection->describe_like(world, rel, type);
    return true;
}

// Traits come all or none: the first is Relationship.
static bool become(ecs_world_t *world, ecs_entity_t rel, ecs_entity_t type) {
    return ecs_is_alive(world, rel) && ecs_owns_id(world, rel, Ecs__Relationship) &&
           (!type || set_type(world, rel, type)) && ecs_is_alive(world, rel);
}

// Ends with 0.
static void list_traits(const ecs_relationship_desc_t *desc, ecs_id_t *out) {
    *out++ = Ecs__Relationship;
    if (!desc->type) *out++ = Ecs__PairIsTag;
    if (desc->exclusive) *out++ = Ecs__Exclusive;
    if (desc->sparse) *out++ = IS_SPARSE;
    if (desc->sparse && desc->reverse_index) *out++ = HAS_SOURCES;
    if (desc->transient) *out++ = Ecs__Transient;
    if (desc->cascade_delete) *out++ = ECS__MAKE_PAIR(Ecs__OnDeleteTarget, Ecs__Delete);
    *out = 0;
}

ecs_entity_t ecs_relationship_init(ecs_world_t *world, const ecs_relationship_desc_t *desc) {
    ECS__NEED_OR(desc, 0);
    ECS__CHECK(ecs__check_immediate(world, "make a relationship"));
    ecs_world_t *real = ecs__world_of(world);
    if (!check_desc(world, desc)) return 0;
    ecs_entity_t rel = desc->entity
                           ? desc->entity
                           : ecs_lookup_path_w_sep(world, 0, desc->name, NULL, NULL, false);
    if (rel && !(check_unused(real, rel) && check_type(real, rel, desc->type))) return 0;
    ecs_id_t traits[8];
    list_traits(desc, traits);
    const bool is_new = !rel, is_named = rel && ecs_get_name(world, rel);
    rel = ecs_entity_init(world,
        &(ecs_entity_desc_t){
            .id = rel, .name = is_named ? NULL : desc->name, .use_low_id = true, .add = traits });
    if (!rel) return 0;
    if (!become(world, rel, desc->type)) {
        if (is_new) ecs_delete(world, rel);
        return 0;
    }
    ecs__edge_kind_set(real, rel, desc);
    return rel;
error:
    return 0;
}

// ---- edges ----

static ecs_world_t *writable(const ecs_world_t *world) {
    return ECS_CONST_CAST(ecs_world_t *, world);
}

static bool check_alive(const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t rel) {
    if (entity && rel && ecs_is_alive(world, entity) && ecs_is_alive(world, rel)) return true;
    ecs_err_code(ECS_INVALID_PARAMETER, "cannot walk along entity %u from entity %u: not alive",
        (uint32_t)rel, (uint32_t)entity);
    return false;
}

// Dense relationships have their sources in the id index, unions in any case.
static bool check_sources(const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t rel) {
    if (!check_alive(world, entity, rel)) return false;
    if (!ecs_has_id(world, rel, IS_SPARSE) || ecs_has_id(world, rel, HAS_SOURCES)) return true;
    ecs_err_code(ECS_INVALID_OPERATION,
        "cannot walk along %s: it is sparse and was made without reverse_index",
        ECS__TEXT(world, rel));
    return false;
}

static const ecs_component_record_t *sources_of(
    const ecs_world_t *world, ecs_entity_t target, ecs_entity_t rel) {
    return ecs__id_record_get(&ecs__world_of(world)->store, ECS__MAKE_PAIR(rel, target));
}

// Others may read at the same time when a stage is used, and nobody writes.
static void lock(const ecs_world_t *poly, ecs__sparse_set_t *set, int32_t by) {
    if (!ecs__is_stage(poly)) set->lock += by;
}

static int32_t each_holder(const ecs_world_t *world, const ecs_component_record_t *record,
    ecs_source_action_t action, void *ctx) {
    int32_t count = ecs__sparse_count(record);
    if (count) lock(world, record->sparse, 1);
    for (int32_t i = 0; i < count; i++) {
        action(writable(world), ecs__sparse_holders(record)[i].entity, ctx);
    }
    if (count) lock(world, record->sparse, -1);
    return count;
}

int32_t ecs_each_source(const ecs_world_t *world, ecs_entity_t target, ecs_entity_t rel,
    ecs_source_action_t action, void *ctx) {
    ECS__NEED_OR(action, -1);
    if (!check_sources(world, target, rel)) return -1;
    const ecs_component_record_t *record = sources_of(world, target, rel);
    ecs_table_t *table;
    int32_t from = 0, count = 0;
    while (record && (table = ecs__id_record_next_table(record, &from, false))) {
        ecs_table_lock(writable(world), table);
        for (int32_t i = 0; i < table->count; i++, count++)
            action(writable(world), table->entities[i], ctx);
        ecs_table_unlock(writable(world), table);
    }
    if (ecs__id_may_be_beside(record)) count += each_holder(world, record, action, ctx);
    return count;
}

// What a system may access of an edge.
static void *shown_value(const ecs_world_t *world, ecs_entity_t source, ecs_id_t id, void *value) {
    ECS__CHECK(!value || ecs__may_access(world, source, id, false, "ecs_each_edge"));
    return value;
error:
    return NULL;
}

static int32_t each_sparse_edge(const ecs_world_t *world, ecs_entity_t source,
    const ecs_component_record_t *any, ecs_edge_action_t action, void *ctx) {
    ecs__sparse_edges_t edges = ecs__sparse_edges(any, source);
    lock(world, any->sparse, 1);
    for (int32_t i = 0; i < edges.count; i++) {
        const ecs__sparse_edge_t *edge = &edges.items[i];
        ecs_entity_t target = ecs__sparse_edge_target(&ecs__world_of(world)->store, edge);
        void *value = shown_value(world, source, edge->id, ecs__sparse_edge_value(edge));
        action(writable(world), target, value, ctx);
    }
    lock(world, any->sparse, -1);
    return edges.count;
}

int32_t ecs_each_edge(const ecs_world_t *world, ecs_entity_t source, ecs_entity_t rel,
    ecs_edge_action_t action, void *ctx) {
    ECS__NEED_OR(action, -1);
    if (!check_alive(world, source, rel)) return -1;
    const ecs__spot_t spot = ecs__spot_of(world, source);
    if (!spot.table) return 0; /* made by a job, not placed yet */
    ecs_table_t *table = spot.table;
    const ecs_component_record_t *any =
        ecs__id_record_get(table->store, ECS__MAKE_PAIR(rel, Ecs__Wildcard));
    if (ecs__sparse_edges(any, source).count)
        return each_sparse_edge(world, source, any, action, ctx);
    const ecs__table_record_t *found = ecs__table_record(table, ECS__MAKE_PAIR(rel, Ecs__Wildcard));
    const ecs__table_record_t edges = found ? *found : (ecs__table_record_t){ 0 }; // it may move
    ecs_table_lock(writable(world), table);
    for (int32_t i = 0; i < edges.count; i++) {
        ecs_id_t id = table->type.array[ecs__table_nth(table, &edges, i)];
        void *value = shown_value(world, source, id, ecs__value_of(spot, id));
        action(writable(world), ecs__table_target(table, rel, i), value, ctx);
    }
    ecs_table_unlock(writable(world), table);
    return edges.count;
}

// The first one that an edge leads to, or 0. Numbers are behind all others.
static ecs_entity_t above_of(const ecs__store_t *store, ecs_entity_t entity, ecs_entity_t rel) {
    const ecs_entity_t target = ecs__target_of(store, entity, rel, 0);
    const ecs__spot_t spot = ecs__entity_find(&store->entities, entity);
    return target && ecs__has_own(spot, ECS__MAKE_PAIR(rel, target)) ? target : 0;
}

int32_t ecs_walk_up(const ecs_world_t *world, ecs_entity_t from, ecs_entity_t rel,
    ecs_walk_action_t action, void *ctx, int32_t max_depth) {
    ECS__NEED_OR(action, -1);
    if (!check_sources(world, from, rel)) return -1;
    const ecs__store_t *store = &ecs__world_of(world)->store;
    int32_t limit = max_depth > 0 ? max_depth : 100;
    for (int32_t depth = 1;; depth++) {
        ecs_entity_t above = above_of(store, from, rel);
        if (!above) return depth - 1;
        if (depth > limit) {
            ecs_err_code(ECS_CYCLE_DETECTED, "%s has more than %d levels of %s above it",
                ECS__TEXT(world, from), limit, ECS__TEXT(world, rel));
            return -1;
        }
        if (!action(writable(world), above, depth, ctx)) return depth;
        from = above;
    }
}

// ---- walking down ----

// The sources of one entity that are still to come.
typedef struct frame_t {
    const ecs_component_record_t *record;
    ecs_table_t *table;
    int32_t from, row;
    int32_t holder; /* next one beside tables */
} frame_t;

ecs_traverse_t ecs_traverse(const ecs_world_t *world, ecs_entity_t root, ecs_entity_t rel) {
    ecs_traverse_t walk = { .world = world, .rel = rel, .depth = -1 };
    ecs_vec_init_t(NULL, &walk.stack, frame_t, 0);
    if (check_sources(world, root, rel)) walk.entity = root;
    return walk;
}

void ecs_traverse_fini(ecs_traverse_t *walk) {
    ECS__NEED(walk);
    ecs_vec_fini_t(NULL, &walk->stack, frame_t);
    walk->entity = 0;
}

static ecs_entity_t next_source(frame_t *frame) {
    const bool may_be_beside = ecs__id_may_be_beside(frame->record);
    if (may_be_beside && frame->holder < ecs__sparse_count(frame->record))
        return ecs__sparse_holders(frame->record)[frame->holder++].entity;
    while (frame->record) {
        if (frame->table && frame->row < frame->table->count)
            return frame->table->entities[frame->row++];
        frame->table = ecs__id_record_next_table(frame->record, &frame->from, false);
        if (!frame->table) return 0;
        frame->row = 0;
    }
    return 0;
}

static bool end_of_cycle(ecs_traverse_t *walk) {
    int32_t alive = ecs__world_of(walk->world)->store.entities.alive_count;
    if (walk->depth <= alive) return false;
    ecs_err_code(ECS_CYCLE_DETECTED, "there is a cycle of %s below %s",
        ECS__TEXT(walk->world, walk->rel), ECS__TEXT(walk->world, walk->entity));
    return true;
}

bool ecs_traverse_next(ecs_traverse_t *walk) {
    ECS__NEED_OR(walk, false);
    if (!walk->entity) {
        ecs_traverse_fini(walk);
        return false;
    }
    if (walk->depth < 0) {
        walk->depth = 0;
        return true;
    }
    *ecs_vec_append_t(NULL, &walk->stack, frame_t) =
        (frame_t){ .record = sources_of(walk->world, walk->entity, walk->rel) };
    int32_t count;
    while ((count = ecs_vec_count(&walk->stack)) && !end_of_cycle(walk)) {
        ecs_entity_t source = next_source(ecs_vec_get_t(&walk->stack, frame_t, count - 1));
        walk->depth = count;
        if (source) {
            walk->entity = source;
            return true;
        }
        ecs_vec_remove_last(&walk->stack);
    }
    ecs_traverse_fini(walk);
    return false;
}
