// SPDX-License-Identifier: MIT
// names: root of rank 3: which entity has which name in which scope, and which symbol and alias.
//
// One multi-map: (kind, parent, text) -> entity. Names are keyed by the parent (0 = root); symbols
// and aliases are global (parent 0). The component value EcsIdentifier in pair (Identifier,
// Name|Symbol|Alias) is what the user sees; the index follows it through the component's hooks and
// owns a copy of the text, so that it is right at any moment between a value being written and its
// hook being called. Several siblings may have one name: the entity named last is found, and when
// it goes the one before is found again. Equal keys lie in a bucket last one first; finding, adding and
// removing one of them is O(1), however many there are.
// Invariant: every node is filed under the hash of its text, kind and parent, and under its
// (entity, kind).
// Threads: written by the main thread while no system runs on several threads; read by anyone.
#ifndef ECS_NAME_NAMES_H
#define ECS_NAME_NAMES_H

#include <muster/ecs/ds/map.h>
#include <muster/ecs/ds/vec.h>
#include <muster/ecs/name.h>

typedef enum ecs__name_kind_t { ECS__NAME, ECS__SYMBOL, ECS__ALIAS } ecs__name_kind_t;

typedef struct ecs__names_t {
    struct ecs__name_node_t *nodes; /* pool; freed nodes are chained */
    int32_t node_size, node_count;  /* allocated; ever used */
    int32_t free_node;              /* -1 = none */
    int32_t live;                   /* nodes in use */
    int32_t *buckets;               /* first node of each chain, -1 = none */
    int32_t bucket_count;           /* power of two, 0 until the first name */
    int32_t aliases;                /* of the nodes in use */
    ecs_map_t owners;               /* entity << 2 | kind -> node + 1 */
    int32_t pending; /* nodes of entities whose identifier is still in a command queue */
    int32_t longest; /* bytes of a text, so far */
} ecs__names_t;

void ecs__names_init(ecs__names_t *names);
void ecs__names_fini(ecs__names_t *names);
/** Free the texts of names that are gone, whose memory others would take. */
void ecs__names_shrink(ecs__names_t *names);

/** Fill in the type info of EcsIdentifier: size, alignment, lifecycle hooks, and the hooks that
 * keep the index right. Called by the bootstrap after the builtin entities are placed and before
 * the first of them gets a name. */
void ecs__names_bootstrap(ecs_world_t *world);

/** Check the index against itself and against the identifiers of all entities in it. */
bool ecs__names_verify(const ecs_world_t *world);

/** File `entity` under a text (NULL: forget it). `parent` counts for names only. */
void ecs__names_on_set(ecs_world_t *world, ecs_entity_t entity, ecs__name_kind_t kind,
    ecs_entity_t parent, const char *text);

/** A name, symbol or alias waits in the queue of a stage that defers: lookups find it at once. The index keeps
 * it until the queued value arrives or the entity is deleted. If others use the world beside the stage, only
 * the stage finds it until then. */
void ecs__names_announce(ecs_world_t *poly, ecs_entity_t entity, ecs__name_kind_t kind,
    ecs_entity_t parent, const char *text);

/** What was announced to one stage (NULL: nothing): the entity that is to get this text, 0 if there is none. */
ecs_entity_t ecs__names_noted(const ecs__names_t *noted, ecs__name_kind_t kind, ecs_entity_t parent,
    const char *text, size_t length);
bool ecs__names_is_noted(const ecs__names_t *noted, ecs_entity_t entity, ecs__name_kind_t kind);
/** After names were given: an entity that has one of them, of the kind *out, beside the noted one; 0 if there is none. Names of the
 * kind ECS__NAME count if `with_names`. */
ecs_entity_t ecs__names_double(
    const ecs_world_t *world, const ecs__names_t *noted, bool with_names, ecs__name_kind_t *out);
/** Their memory stays. */
void ecs__names_forget_noted(ecs__names_t *noted);
void ecs__names_drop_noted(ecs__names_t **noted);
/** Before the queue of a stage is applied: an abort in every build, if somebody else has a symbol or alias by now that was noted. */
void ecs__names_check_noted(const ecs_world_t *world, const ecs__names_t *noted);

/** The entity's ChildOf pair changed: its name moves to the scope of its present parent. Called by
 * mutate after the move to the new table, for entities whose tables have EcsTableHasName. */
void ecs__names_on_reparent(ecs_world_t *world, ecs_entity_t entity);

/** The entity is about to be deleted. What hooks know of is gone already; this drops names that
 * never arrived. Costs one comparison when there are none. */
void ecs__names_on_delete(ecs_world_t *world, ecs_entity_t entity);

/** A queue was applied: names that others in it took away never arrive, and are dropped. Costs one comparison when none are awaited. */
void ecs__names_settle(ecs_world_t *world);

/** Of all that have the entity's name and parent, another one is found from now on: who was before the entity was named. */
void ecs__names_yield(ecs_world_t *world, ecs_entity_t entity);

/** The entity has another generation now. */
void ecs__names_rename(ecs_world_t *world, ecs_entity_t before, ecs_entity_t after);

/** The living entity with this name among the children of `parent` (0 = root), or this symbol or
 * alias; 0 if none. O(1). */
ecs_entity_t ecs__names_find(const ecs_world_t *world, ecs__name_kind_t kind, ecs_entity_t parent,
    const char *text, size_t length);

/** Bytes of the longest text that there was; no longer one is found. */
int32_t ecs__names_longest(const ecs_world_t *world);

/** Call `visit` for every living entity with a name in the scope `parent`, in unspecified order
 * (used for suggestions, where the best candidate is chosen by a total order). O(names). */
void ecs__names_each(const ecs_world_t *world, ecs_entity_t parent,
    void (*visit)(void *ctx, ecs_entity_t entity, const char *name), void *ctx);

/** True if the entity has a name that is not this one (NULL: none), and keeps it: those of builtins. */
bool ecs__name_is_fixed(const ecs_world_t *world, ecs_entity_t entity, const char *name);

/** Who has a symbol or alias, or is to get it by what this stage has queued; 0 if nobody. */
ecs_entity_t ecs__names_owner(const ecs_world_t *world, ecs__name_kind_t kind, const char *text);

/** May the entity (0: one that is to be made) get this symbol or alias? False, after an abort in every build, if another one has it. */
bool ecs__names_check_unique(
    const ecs_world_t *world, ecs_entity_t entity, ecs__name_kind_t kind, const char *text);

/** The pair whose value is the entity's name, symbol or alias. */
ecs_id_t ecs__identifier_id(ecs__name_kind_t kind);
/** A value that owns a copy of a text, which may be NULL. */
EcsIdentifier ecs__identifier_make(const char *text);
/** The value itself, or NULL. Accepts dead entities. */
const EcsIdentifier *ecs__identifier_get(
    const ecs_world_t *world, ecs_entity_t entity, ecs__name_kind_t kind);
/** Parent in whose scope the entity is named: the target of ChildOf, or 0. */
ecs_entity_t ecs__name_scope(const ecs_world_t *world, ecs_entity_t entity);

/** Hash of the text of an EcsIdentifier value, for ecs_world_hash: its bytes hold an address. */
uint64_t ecs__identifier_hash(const void *identifier);

#endif
