// SPDX-License-Identifier: MIT
// relationship: relationships made from a descriptor, and walking along edges.
//
// An edge is a pair (relationship, target) on a source. It may carry a value. Edges are made with
// ecs_add_pair (default value) or ecs_set_pair, and removed with ecs_remove_pair. The functions
// that walk work for every relationship: sources of a target come from the id index. Of a sparse
// relationship, ecs_each_source, ecs_traverse and ecs_walk_up need reverse_index.
//
// While a callback runs, or a traverse is under way, change structure only while deferred. Threads: see world.h.
#ifndef MUSTER_ECS_RELATIONSHIP_H
#define MUSTER_ECS_RELATIONSHIP_H

#include <muster/ecs/c_api.h>
#include <muster/ecs/ds/vec.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Called for a new edge when it has its default value; false refuses it, and nothing is added.
 * Must not change the world other than by the edge; commands may be deferred. */
typedef bool (*ecs_edge_init_t)(
    ecs_world_t *world, ecs_entity_t source, ecs_entity_t target, void *edge, void *ctx);

typedef struct ecs_relationship_desc_t {
    int32_t _canary;
    ecs_entity_t entity;     /**< the relationship; 0: find or make it by name */
    const char *name;        /**< of `entity` too; required unless that has one, which it keeps */
    ecs_entity_t type;       /**< component whose type the value of an edge has; 0: no value */
    const void *defaults;    /**< first value of an edge, copied; needs `type` */
    ecs_edge_init_t init;    /**< needs `type` */
    void *ctx;               /**< for init */
    ecs_ctx_free_t ctx_free; /**< called with ctx when the relationship ends, or gets another */
    bool exclusive;          /**< a source has one edge at most */
    bool sparse;             /**< edges are kept beside tables: any number of targets needs one
                                   table, and changing them moves nothing */
    bool reverse_index;      /**< allow walks over sources; always there unless sparse */
    bool cascade_delete;     /**< sources are deleted with their target; needs exclusive and
                                   reverse_index */
    bool transient;          /**< snapshots leave it out */
} ecs_relationship_desc_t;

/** Make a relationship, or say what an entity that is neither builtin nor in use yet is as a
 * relationship. A component that is one already keeps its size. Defaults, init and ctx replace those of an earlier description.
 * @return The relationship; 0, with a sentence and nothing changed, if the descriptor is wrong. */
ECS_API ecs_entity_t ecs_relationship_init(ecs_world_t *world, const ecs_relationship_desc_t *desc);
#define ecs_relationship(world, ...) \
    ecs_relationship_init(world, ECS_TEMP_(ecs_relationship_desc_t, __VA_ARGS__))

typedef void (*ecs_source_action_t)(ecs_world_t *world, ecs_entity_t source, void *ctx);
typedef void (*ecs_edge_action_t)(ecs_world_t *world, ecs_entity_t target, void *edge, void *ctx);
/** False stops the walk. */
typedef bool (*ecs_walk_action_t)(
    ecs_world_t *world, ecs_entity_t ancestor, int32_t depth, void *ctx);

/** Call back for each source with an edge to the target. O(sources).
 * @return How many; -1 if target or relationship are not alive. */
ECS_API int32_t ecs_each_source(const ecs_world_t *world, ecs_entity_t target, ecs_entity_t rel,
    ecs_source_action_t action, void *ctx);
/** Call back for each own edge of a source, in id order of the targets; `edge` is NULL for edges
 * without value. @return How many; -1 if source or relationship are not alive. */
ECS_API int32_t ecs_each_edge(const ecs_world_t *world, ecs_entity_t source, ecs_entity_t rel,
    ecs_edge_action_t action, void *ctx);

/** A walk over everything below a root, depth first. */
typedef struct ecs_traverse_t {
    ecs_entity_t entity; /**< where the walk is */
    int32_t depth;       /**< 0 is the root */
    const ecs_world_t *world;
    ecs_entity_t rel;
    ecs_vec_t stack;
} ecs_traverse_t;

/** Begin at `root`, which is the first entity. Sources with several targets come once per way.
 * @return A walk to be ended by ecs_traverse_next giving false, or by ecs_traverse_fini. */
ECS_API ecs_traverse_t ecs_traverse(const ecs_world_t *world, ecs_entity_t root, ecs_entity_t rel);
/** Go on. A cycle ends the walk with an error sentence. */
ECS_API bool ecs_traverse_next(ecs_traverse_t *walk);
/** End a walk early. Harmless after its end. */
ECS_API void ecs_traverse_fini(ecs_traverse_t *walk);

/** Call back for each ancestor from the nearest (depth 1) on; of several targets, the first counts.
 * @param max_depth Levels that may be; 0 means 100.
 * @return How many were visited; -1, with a sentence, if there are more levels or `from` or the
 * relationship are not alive. */
ECS_API int32_t ecs_walk_up(const ecs_world_t *world, ecs_entity_t from, ecs_entity_t rel,
    ecs_walk_action_t action, void *ctx, int32_t max_depth);

#ifdef __cplusplus
}
#endif

#endif
