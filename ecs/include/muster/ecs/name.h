// SPDX-License-Identifier: MIT
// name: names, symbols, aliases, paths, lookup, scopes, and the text form of ids, types, tables and
// entities.
//
// A name is unique by intention, not by force, among the children of one parent. A path joins names
// from the root down: "Sun.Earth.Moon". Paths may be written with '.' or with '::'; printed paths
// use '.'. In a path `\.` is a dot that belongs to a name, text inside <…> is never split, and
// "#123" stands for the entity with id 123.
//
// Threads: lookups and text forms may be called by any thread while nothing changes the world; each
// thread passes its own stage, through which also what it is about to name is found. Functions that
// change something follow the rules of ecs_set: immediate, or queued while deferred.
// Returned `char *` belong to the caller (ecs_os_free), returned `const char *` belong
// to the world and are valid until the value is changed.
#ifndef MUSTER_ECS_NAME_H
#define MUSTER_ECS_NAME_H

#include <muster/ecs/builtin.h>
#include <muster/ecs/ds/strbuf.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Value of the pairs (EcsIdentifier, EcsName), (EcsIdentifier, EcsSymbol) and (EcsIdentifier,
 * EcsAlias). */
typedef struct EcsIdentifier {
    char *value;       /**< text; owned by the component value */
    ecs_size_t length; /**< bytes without the terminating zero */
    uint64_t hash;     /**< of the text */
} EcsIdentifier;

/* ---- Names, symbols, aliases ---- */

/** Name of an entity, or NULL (also for 0). Never inherited. [chk] not a dead entity. O(ids of the table). */
ECS_API const char *ecs_get_name(const ecs_world_t *world, ecs_entity_t entity);
/** Symbol of an entity (usually the C name of a type), or NULL. */
ECS_API const char *ecs_get_symbol(const ecs_world_t *world, ecs_entity_t entity);

/** Name an entity.
 *
 * @param entity   Entity to name; 0 finds the entity of that name in the current scope or creates
 *                 it (ecs_entity_init rules).
 * @param name     Copied. Dots are literal, not separators. NULL removes the name.
 * @return         The entity, 0 on failure.
 *
 * Errors:      [chk] entity not alive; renaming a builtin entity. A name that a sibling has is
 *              accepted: lookups find the entity named last.
 * Deferred:    queued; an entity that has a name already gets the new text at once, lookups follow
 *              at the flush.
 */
ECS_API ecs_entity_t ecs_set_name(ecs_world_t *world, ecs_entity_t entity, const char *name);
/** Give an entity (0: a new one) a symbol. A symbol of another entity, also one that waits in the same queue, aborts with
 * ECS_ALREADY_DEFINED, and so does the merge if two jobs give the same one. NULL removes it. Deferred: lookups find it, or no more, at once. */
ECS_API ecs_entity_t ecs_set_symbol(ecs_world_t *world, ecs_entity_t entity, const char *symbol);
/** Give an entity a second, global name that lookups try first, by the rules of symbols. */
ECS_API void ecs_set_alias(ecs_world_t *world, ecs_entity_t entity, const char *alias);

/* ---- Lookup: 0 when nothing is found; [chk] the parent is alive ---- */

/** The entity at a path, searched from the current scope upwards to the root and then in the lookup
 * path. O(path length) in each of them. */
ECS_API ecs_entity_t ecs_lookup(const ecs_world_t *world, const char *path);
/** The child of `parent` (0 = root) with exactly this name; no path is parsed, but "#id" is
 * understood. O(1). */
ECS_API ecs_entity_t ecs_lookup_child(
    const ecs_world_t *world, ecs_entity_t parent, const char *name);

/** The entity at a path.
 *
 * Aliases and the names ".", "*", "_" and "$" (This, Wildcard, Any, Variable) come first. Then the
 * path is walked from the root if it starts with `prefix`, else from `parent`, or from the current
 * scope if `parent` is 0. `\` in front of a separator makes it a part of a name, in front of such a
 * name or a number ("\*", "\#12") an ordinary name. ecs_get_path writes both. A number in front ("#12.child") is the entity itself.
 *
 * @param sep        Separator; NULL means "." or "::", "" means that the whole text is one name.
 * @param prefix     Text that marks a path from the root, or NULL.
 * @param recursive  If not found, try the parents of the start up to the root, then the lookup path
 *                   from last to first entry.
 * @return           The entity; the start itself when the path is empty; 0 if there is none, as at paths with empty parts ("a.").
 *                   NULL path: 0.
 */
ECS_API ecs_entity_t ecs_lookup_path_w_sep(const ecs_world_t *world, ecs_entity_t parent,
    const char *path, const char *sep, const char *prefix, bool recursive);

/** The entity with a symbol. If there is none and `lookup_as_path`, the text is looked up as a path
 * ("recursive" as above). O(1). */
ECS_API ecs_entity_t ecs_lookup_symbol(
    const ecs_world_t *world, const char *symbol, bool lookup_as_path, bool recursive);

/** Path from `parent`, recursive. */
#define ecs_lookup_from(world, parent, path) \
    ecs_lookup_path_w_sep(world, parent, path, NULL, NULL, true)
/** Path from `parent`, not recursive. */
#define ecs_lookup_path(world, parent, path) \
    ecs_lookup_path_w_sep(world, parent, path, NULL, NULL, false)
/** Older spelling of ecs_lookup. */
#define ecs_lookup_fullpath(world, path) ecs_lookup(world, path)

/* ---- Paths ---- */

/** Path of `child` below `parent` (0 = root).
 *
 * @param sep     Separator; NULL means ".".
 * @param prefix  Written in front when the chain reaches a root entity, or NULL. Without prefix the
 *                scope of the builtins is left out, so that EcsChildOf reads "ChildOf".
 * @return        Text owned by the caller. Unnamed and dead entities read "#123"; `child == parent`
 *                reads "". Never NULL.
 *
 * Complexity:  O(depth).
 */
ECS_API char *ecs_get_path_w_sep(const ecs_world_t *world, ecs_entity_t parent, ecs_entity_t child,
    const char *sep, const char *prefix);
/** The same, appended to `buf`; with `escape`, quotes and backslashes are escaped for use in a
 * quoted string. */
ECS_API void ecs_get_path_w_sep_buf(const ecs_world_t *world, ecs_entity_t parent,
    ecs_entity_t child, const char *sep, const char *prefix, ecs_strbuf_t *buf, bool escape);

#define ecs_get_path(world, entity) ecs_get_path_w_sep(world, 0, entity, NULL, NULL)
#define ecs_get_path_from(world, parent, child) ecs_get_path_w_sep(world, parent, child, NULL, NULL)
#define ecs_get_path_buf(world, entity, buf) \
    ecs_get_path_w_sep_buf(world, 0, entity, NULL, NULL, buf, false)

/** Put an entity at a path below `parent` (0 = current scope, or the root), creating what is missing on the way. It leaves the parent
 * that it had.
 *
 * @param entity  The entity to put there; 0: the entity that is there, or a new one.
 * @param path    As in lookups; a number in front that nobody has is a name. NULL: just make `entity` (or a new entity) a child of `parent`.
 * @return        The entity at the path; 0 with a logged sentence if a part of it is empty, as in "a." or "a..b".
 *
 * Deferred:    new ids are created at once, names and parents are queued; the names are found by
 *              lookups at once on the main thread.
 */
ECS_API ecs_entity_t ecs_add_path_w_sep(ecs_world_t *world, ecs_entity_t entity,
    ecs_entity_t parent, const char *path, const char *sep, const char *prefix);
/** ecs_add_path_w_sep without an entity of one's own. */
ECS_API ecs_entity_t ecs_new_from_path_w_sep(
    ecs_world_t *world, ecs_entity_t parent, const char *path, const char *sep, const char *prefix);

#define ecs_add_path(world, entity, parent, path) \
    ecs_add_path_w_sep(world, entity, parent, path, NULL, NULL)
#define ecs_add_fullpath(world, entity, path) ecs_add_path_w_sep(world, entity, 0, path, NULL, NULL)
#define ecs_new_from_path(world, parent, path) \
    ecs_new_from_path_w_sep(world, parent, path, NULL, NULL)
#define ecs_new_from_fullpath(world, path) ecs_new_from_path_w_sep(world, 0, path, NULL, NULL)

/* ---- What a stage applies to new entities and to lookups ---- */
/* Each stage has its own. Systems begin with what the main stage has, whichever thread runs them, and what they set ends with the rows
 * that they are given: results do not depend on the number of workers. */

/** Parent of entities made from now on by ecs_entity_init and ecs_new_w_id, and start of lookups, unless it died.
 * 0 = root. Returns the previous one. */
ECS_API ecs_entity_t ecs_set_scope(ecs_world_t *world, ecs_entity_t scope);
/** The scope of this stage; 0 = root. */
ECS_API ecs_entity_t ecs_get_scope(const ecs_world_t *world);
/** Id added to entities made from now on by ecs_entity_init. 0 = none. Returns the previous one. */
ECS_API ecs_id_t ecs_set_with(ecs_world_t *world, ecs_id_t id);
/** That id; 0 = none. */
ECS_API ecs_id_t ecs_get_with(const ecs_world_t *world);
/** Scopes searched last by ecs_lookup, the last entry first; ends with 0. The array is borrowed
 * until it is replaced. NULL: the default, which is EcsFlecsCore. Returns the previous array. */
ECS_API ecs_entity_t *ecs_set_lookup_path(ecs_world_t *world, const ecs_entity_t *path);
/** The array in use. */
ECS_API ecs_entity_t *ecs_get_lookup_path(const ecs_world_t *world);
/** Prefix stripped from names given by descriptors and macros ("My" makes MyPosition "Position").
 * Borrowed; NULL = none. Returns the previous one. World only. */
ECS_API const char *ecs_set_name_prefix(ecs_world_t *world, const char *prefix);

/* ---- Text forms ---- */

/** Text of an id: "Position", "(Likes,Apples)", "TOGGLE|Position", "(Score,@10)", "*", "#500"; 0 is
 * "#0". */
ECS_API char *ecs_id_str(const ecs_world_t *world, ecs_id_t id);
/** The same, appended to `buf`. */
ECS_API void ecs_id_str_buf(const ecs_world_t *world, ecs_id_t id, ecs_strbuf_t *buf);
/** The id of which this is the text, as ecs_id_str writes it, or else the one that a text of the query language stands for
 * ("Position", "(Likes, *)", "toggle|Position"); there, terms after the first are ignored. 0, silently, if it is no id or names
 * something that does not exist. */
ECS_API ecs_id_t ecs_id_from_str(const ecs_world_t *world, const char *text);
/** Ids of a type joined by ", "; "" for NULL. */
ECS_API char *ecs_type_str(const ecs_world_t *world, const ecs_type_t *type);
/** Type of a table; NULL for a NULL table. */
ECS_API char *ecs_table_str(const ecs_world_t *world, const ecs_table_t *table);
/** Path and type of an entity: "Sun.Earth [Position, (ChildOf,Sun)]". */
ECS_API char *ecs_entity_str(const ecs_world_t *world, ecs_entity_t entity);

#ifdef __cplusplus
}
#endif

#endif
