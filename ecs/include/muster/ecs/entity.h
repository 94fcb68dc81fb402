// SPDX-License-Identifier: MIT
// entity: creating and deleting entities, liveliness, adding and removing ids, and what an entity
// has.
//
// Functions that change something are queued while the world or stage is deferred; creating ids is
// immediate. `world` may be a stage. Errors common to all: [chk] the entity is alive, the id is
// valid, the world may be written by the caller. Threads: see world.h.
#ifndef MUSTER_ECS_ENTITY_H
#define MUSTER_ECS_ENTITY_H

#include <muster/ecs/component.h>
#include <muster/ecs/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What ecs_entity_init() is to make or find. Strings and arrays are only read during the call. */
typedef struct ecs_entity_desc_t {
    int32_t _canary;
    ecs_entity_t id;        /**< use this id (made alive if needed); 0 = find by name or make one */
    ecs_entity_t parent;    /**< instead of the current scope */
    const char *name;       /**< path relative to the parent; "#123" is an id; "" = no name */
    const char *sep;        /**< separator of the path; NULL = ".", "" = do not split */
    const char *root_sep;   /**< prefix of a path from the root */
    const char *symbol;     /**< unique name of the C identifier */
    bool use_low_id;        /**< prefer an id below FLECS_HI_COMPONENT_ID */
    const ecs_id_t *add;    /**< ids to add, 0-terminated */
    const ecs_value_t *set; /**< values to set, ended by a value with type 0 */
    const char *add_expr;   /**< ids to add as text: "Position, (Likes, Apples)" */
} ecs_entity_desc_t;

/** Many entities with the same ids. */
typedef struct ecs_bulk_desc_t {
    int32_t _canary;
    ecs_entity_t *entities; /**< ids to use, not alive; NULL = make ids */
    int32_t count;
    ecs_id_t ids[FLECS_ID_DESC_MAX]; /**< 0-terminated */
    void **data;        /**< per id an array of `count` values, moved out of it; NULL for none */
    ecs_table_t *table; /**< instead of ids; `data` then follows the type of the table */
} ecs_bulk_desc_t;

/** A new entity without ids. Ignores scope and `with`. Never deferred. O(1). */
ECS_API ecs_entity_t ecs_new(ecs_world_t *world);
/** A new entity with an id below FLECS_HI_COMPONENT_ID while there are some; such ids are not
 * recycled. */
ECS_API ecs_entity_t ecs_new_low_id(ecs_world_t *world);
/** A new entity with an id (0 = none), below the current scope (see ecs_set_scope). The entity exists
 * at once; while deferred the id is added later. */
ECS_API ecs_entity_t ecs_new_w_id(ecs_world_t *world, ecs_id_t id);
/** A new entity placed directly in a table; 0 if that fails. The entity exists at once; while deferred the ids are added later.
 * [chk] the table is not locked; a new entity may have what is in it (not the singleton of another, nor a base that is final). */
ECS_API ecs_entity_t ecs_new_w_table(ecs_world_t *world, ecs_table_t *table);
/** Find or make an entity as described.
 *
 * A name that exists in the parent (or scope) gives that entity. Scope and `with` apply to new
 * entities only. Below a parent, "*", "_", "$" and aliases are names as others are. All ids are added in one step, that of who is new
 * with its name and place; then come its symbol, and the values in order.
 *
 * @return         The entity, or 0 with a logged sentence: conflicting name, or one with an empty part ("a."), "#number" that is no
 *                 entity's, text of ids that is wrong or, unless deferred, not allowed. It may be deleted already, by a hook or observer.
 * Errors:         [chk] canary, dead parent, `(ChildOf, x)` among the ids, id alive with another
 *                 generation, or with more than index and generation.
 * Deferred:       id and name take effect at once, ids and values when the queue is applied; ids of a text that are not allowed then
 *                 are left out, with a logged sentence. In multithreaded systems and on stages
 *                 of ecs_stage_new, new names are found by the same job or stage only; [chk] two jobs do not make the same one.
 */
ECS_API ecs_entity_t ecs_entity_init(ecs_world_t *world, const ecs_entity_desc_t *desc);
/** Read text as data: each term gives an entity an id.
 *
 *   ecs_load_expr(world, "Position(Game.Player), Likes(Bob, Apples), (Likes, Apples)(Alice)");
 *
 * Entities that are given something are made if no entity has their name, in the current scope;
 * all other names must be known, or be among those. Values start as they do with ecs_add_id.
 * Variables, wildcards, operators other than "," and traversal have no meaning here.
 *
 * @return         0; -1 with a logged sentence, position and caret for text that cannot be read, an
 *                 unknown name or an id that traits forbid. The world is as it was before then; only
 *                 of facts that contradict each other some traces stay: traits that are in use by then,
 *                 children of an instance, the value of an exclusive pair that was replaced.
 * Errors:         [chk] not deferred, not readonly.
 * Complexity:     O(terms), and a table move for each. */
ECS_API int ecs_load_expr(ecs_world_t *world, const char *expr);
/** Make many entities in one step. While the world defers, in observers and hooks too, the entities are made at once, and get their ids
 * and values by commands.
 *
 * @return         The given array of ids, or one owned by the world, valid until entities are made in bulk again, or ecs_shrink().
 * Errors:         [chk] world only, not readonly; given entities are not alive; no data for tags.
 * Ownership:      values are moved out of `data` with their move hooks. The arrays stay the caller's, with what the hooks left in
 *                 them; bytes of types without a move hook are taken, and not to be destructed any more.
 */
ECS_API const ecs_entity_t *ecs_bulk_init(ecs_world_t *world, const ecs_bulk_desc_t *desc);
/** `count` new entities with an id (0 = none). The array is valid as long as that of ecs_bulk_init(), in a job until its commands are
 * applied. While deferred, the entities exist at once and the id is added later. */
ECS_API const ecs_entity_t *ecs_bulk_new_w_id(ecs_world_t *world, ecs_id_t id, int32_t count);
/** Add to `dst` (0 = new) everything `src` has except its name, symbol and alias; with copies of the
 * values, or default values. Returns `dst`, or 0 if a check fails. [chk] both are alive. Refused, for commands when they are
 * carried out: `dst` has ids by then, or would come to be above itself (it is the parent of `src`, for one); `src` is a singleton
 * that has itself, or a value that cannot be copied (that of a query, observer, system or described type) is to be. */
ECS_API ecs_entity_t ecs_clone(
    ecs_world_t *world, ecs_entity_t dst, ecs_entity_t src, bool copy_value);
/** Delete an entity; nothing happens if it is not alive.
 *
 * Whatever refers to it follows the cleanup policies (OnDelete, OnDeleteTarget); children go before
 * their parents. Hooks run for its values, then the id becomes free. [chk] not protected by
 * EcsPanic, not in use by a query. */
ECS_API void ecs_delete(ecs_world_t *world, ecs_entity_t entity);
/** Delete all entities with an id (wildcards allowed), prefabs excepted. Errors: [chk] a builtin entity has it, as for (ChildOf, *). */
ECS_API void ecs_delete_with(ecs_world_t *world, ecs_id_t id);
/** Remove an id (wildcards allowed) from all entities, prefabs excepted. */
ECS_API void ecs_remove_all(ecs_world_t *world, ecs_id_t id);
/** Remove everything from an entity, with hooks and observers as for each id; it stays alive. [chk] it is not builtin. */
ECS_API void ecs_clear(ecs_world_t *world, ecs_entity_t entity);

/** True for a living entity id without flags. Accepts anything. */
ECS_API bool ecs_is_valid(const ecs_world_t *world, ecs_entity_t entity);
/** True if the entity is alive with this generation. [chk] not 0. */
ECS_API bool ecs_is_alive(const ecs_world_t *world, ecs_entity_t entity);
/** True if the index of this id was ever issued, whatever the generation. */
ECS_API bool ecs_exists(const ecs_world_t *world, ecs_entity_t entity);
/** The living entity with the index of this id: itself, or with its generation added when it has
 * none; else 0. */
ECS_API ecs_entity_t ecs_get_alive(const ecs_world_t *world, ecs_entity_t entity);
/** Make exactly this id alive, as if it had been returned by ecs_new. Never deferred. [chk] not
 * alive with another generation, nothing beside index and generation. */
ECS_API void ecs_make_alive(ecs_world_t *world, ecs_entity_t entity);
/** Make an id, or both elements of a pair, alive. */
ECS_API void ecs_make_alive_id(ecs_world_t *world, ecs_id_t id);
/** Change the generation of a living entity. [chk] not deferred; nothing has or had it as an id, nor a query as a term;
 * it is no component, query, observer, system or pipeline. O(children of its parent) where that keeps them in order: as it has the trait
 * OrderedChildren, or children by component. Queries go on with the new id, but groups of tables that are called after the entity (group_by)
 * keep theirs. */
ECS_API void ecs_set_version(ecs_world_t *world, ecs_entity_t entity);

/** Add an id: a tag, a component (default value) or a pair. Nothing happens if the entity has
 * it. */
ECS_API void ecs_add_id(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);
/** Remove an id; wildcards remove all that they cover. Nothing happens if there is none. */
ECS_API void ecs_remove_id(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);
/** True if the entity owns the id or inherits it over IsA. Wildcards allowed. */
ECS_API bool ecs_has_id(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);
/** True if the entity itself has the id. */
ECS_API bool ecs_owns_id(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);
/** Disable (add EcsDisabled) or enable an entity. A prefab stands for its ids: those that are no pairs and that instances get are
 * disabled or enabled instead of it. */
ECS_API void ecs_enable(ecs_world_t *world, ecs_entity_t entity, bool enabled);
/** Switch an id of one entity on or off. The entity keeps the id and its value; queries for the id
 * skip it. The id (of pairs: the relationship) has the trait EcsCanToggle, [chk] else. The entity
 * need not have the id. Deferred like an add. Monitors are told of who begins, or ceases, to match.
 * O(ids of the entity that were ever switched) once this one was, if no monitor asks for it. */
ECS_API void ecs_enable_id(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, bool enabled);
/** Whether the id is switched on; of ids that were never switched: whether the entity has it. */
ECS_API bool ecs_is_enabled_id(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id);
/** Number of entities that own an id. With wildcards every pair that matches counts. O(tables with
 * the id). */
ECS_API int32_t ecs_count_id(const ecs_world_t *world, ecs_id_t id);

/** The ids of an entity; valid until it changes. Never NULL for a living entity. */
ECS_API const ecs_type_t *ecs_get_type(const ecs_world_t *world, ecs_entity_t entity);
/** The table of an entity. Never NULL for a living entity. */
ECS_API ecs_table_t *ecs_get_table(const ecs_world_t *world, ecs_entity_t entity);
/** Target number `index` of a relationship in id order, own ones first, then inherited ones, each once; 0 if
 * there is none. With a prefab's child by component (EcsParent) as relationship: the copy of it that
 * the instance has. */
ECS_API ecs_entity_t ecs_get_target(
    const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t rel, int32_t index);
/** The target of ChildOf, or 0. */
ECS_API ecs_entity_t ecs_get_parent(const ecs_world_t *world, ecs_entity_t entity);
/** The entity that has `id`: the entity itself or the first found by going up `rel`. With id 0 the
 * first target of `rel`; with rel 0 the first id of the entity's type that has `id`. 0 if there is
 * none. */
ECS_API ecs_entity_t ecs_get_target_for_id(
    const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t rel, ecs_id_t id);
/** Number of steps up `rel` to a root. [chk] rel is Acyclic. */
ECS_API int32_t ecs_get_depth(const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t rel);

/** True if the id can be added: it is not 0, covers nothing else, and its elements are alive, and not about to die where deferring is
 * suspended to be told so. */
ECS_API bool ecs_id_is_valid(const ecs_world_t *world, ecs_id_t id);
/** True if the id carries no data. */
ECS_API bool ecs_id_is_tag(const ecs_world_t *world, ecs_id_t id);
/** True if a table with the id exists, or an entity has it beside tables. Wildcards allowed. */
ECS_API bool ecs_id_in_use(const ecs_world_t *world, ecs_id_t id);
/** EcsId* bits: the traits of the id, or of the relationship of a pair. */
ECS_API ecs_flags32_t ecs_id_get_flags(const ecs_world_t *world, ecs_id_t id);

#ifdef __cplusplus
}
#endif

#endif
