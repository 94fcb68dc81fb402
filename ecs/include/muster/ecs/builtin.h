// SPDX-License-Identifier: MIT
// builtin: ids that exist in every world: traits, relationships, events, phases and wildcards.
//
// The constants are objects, not integer constant expressions. Numbers and names come from src/id/builtin.def.
#ifndef MUSTER_ECS_BUILTIN_H
#define MUSTER_ECS_BUILTIN_H

#include <muster/ecs/id.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EcsFirstUserComponentId (8)
#define EcsFirstUserEntityId (FLECS_HI_COMPONENT_ID + 128)
#define EcsLastInternalComponentId (ecs_id(EcsTreeSpawner))

/* Components. (EcsIdentifier, EcsName), … are names of an entity, (EcsPoly, EcsQuery), … the object that belongs to it. Nothing here
 * reads EcsDefaultChildComponent, which is for editors, and EcsTreeSpawner. */
ECS_API extern const ecs_entity_t ecs_id(EcsComponent); /**< of components: size and alignment */
ECS_API extern const ecs_entity_t ecs_id(EcsIdentifier);
ECS_API extern const ecs_entity_t EcsName;
ECS_API extern const ecs_entity_t EcsSymbol;
ECS_API extern const ecs_entity_t EcsAlias;
ECS_API extern const ecs_entity_t ecs_id(EcsPoly);
ECS_API extern const ecs_entity_t EcsQuery;
ECS_API extern const ecs_entity_t EcsObserver;
ECS_API extern const ecs_entity_t EcsSystem; /**< and the tag of systems */
ECS_API extern const ecs_entity_t ecs_id(EcsPipeline);
ECS_API extern const ecs_entity_t ecs_id(EcsTickSource); /**< said whether it ticks now */
ECS_API extern const ecs_entity_t ecs_id(EcsTimer);
ECS_API extern const ecs_entity_t ecs_id(EcsRateFilter);
ECS_API extern const ecs_entity_t ecs_id(EcsFixedStep);
ECS_API extern const ecs_entity_t ecs_id(EcsDefaultChildComponent);
ECS_API extern const ecs_entity_t ecs_id(EcsTreeSpawner);

/* Places. */
ECS_API extern const ecs_entity_t EcsWorld;     /**< the world itself */
ECS_API extern const ecs_entity_t EcsFlecs;     /**< scope of what comes with the library */
ECS_API extern const ecs_entity_t EcsFlecsCore; /**< scope of what is declared here */

/* In queries: any value, with one result each; any, with one; the entity that is found; the mark of variables. */
ECS_API extern const ecs_entity_t EcsWildcard; /**< * */
ECS_API extern const ecs_entity_t EcsAny;      /**< _ */
ECS_API extern const ecs_entity_t EcsThis;     /**< $this */
ECS_API extern const ecs_entity_t EcsVariable; /**< $ */

/* Tags of entities. */
ECS_API extern const ecs_entity_t EcsModule; /**< and of all above it */
ECS_API extern const ecs_entity_t EcsPrefab; /**< has instances; queries find it only if asked to */
ECS_API extern const ecs_entity_t EcsDisabled;        /**< queries find it only if asked to */
ECS_API extern const ecs_entity_t EcsNotQueryable;    /**< never found */
ECS_API extern const ecs_entity_t EcsEmpty;           /**< of cached queries that match no table */
ECS_API extern const ecs_entity_t EcsPhase;           /**< a step of the tick */
ECS_API extern const ecs_entity_t EcsConstant;        /**< of an enum or bitmask */
ECS_API extern const ecs_entity_t EcsOrderedChildren; /**< of parents: children keep their order */

/* Relationships. */
ECS_API extern const ecs_entity_t EcsChildOf;        /**< below its target, and deleted with it */
ECS_API extern const ecs_entity_t ecs_id(EcsParent); /**< the same, as a component */
ECS_API extern const ecs_entity_t EcsParentDepth;    /**< of such children: (EcsParentDepth, @n) */
ECS_API extern const ecs_entity_t EcsIsA;            /**< a source has what its target has */
ECS_API extern const ecs_entity_t EcsDependsOn;      /**< a source comes after its target */
ECS_API extern const ecs_entity_t EcsSlotOf; /**< child of a prefab to which instances lead */

/* Traits: of components and relationships, added before these are used. docs/relationships.md tells more. */
ECS_API extern const ecs_entity_t EcsExclusive;   /**< one target; another replaces it */
ECS_API extern const ecs_entity_t EcsSymmetric;   /**< (R, Y) on X brings (R, X) on Y */
ECS_API extern const ecs_entity_t EcsAcyclic;     /**< cycles are refused */
ECS_API extern const ecs_entity_t EcsTraversable; /**< and queries look along it (up, cascade) */
ECS_API extern const ecs_entity_t EcsTransitive;  /**< queries take R(X, Y), R(Y, Z) as R(X, Z) */
ECS_API extern const ecs_entity_t EcsReflexive;   /**< queries take R(X, X) as true */
ECS_API extern const ecs_entity_t EcsWith;        /**< (EcsWith, O): who gets it gets O */
ECS_API extern const ecs_entity_t EcsOneOf; /**< targets are children of it; (EcsOneOf, G): of G */
ECS_API extern const ecs_entity_t EcsRelationship; /**< only first element of pairs */
ECS_API extern const ecs_entity_t EcsTarget;       /**< only second element */
ECS_API extern const ecs_entity_t EcsTrait;        /**< may have relationships as targets */
ECS_API extern const ecs_entity_t EcsPairIsTag;    /**< pairs have no value */
ECS_API extern const ecs_entity_t EcsFinal;        /**< nothing is an instance of it */
ECS_API extern const ecs_entity_t EcsInheritable;  /**< terms find its kinds, too */
ECS_API extern const ecs_entity_t EcsSingleton;    /**< only on itself */
ECS_API extern const ecs_entity_t EcsCanToggle;    /**< can be switched off and on */
ECS_API extern const ecs_entity_t EcsSparse;       /**< values are kept beside tables */
ECS_API extern const ecs_entity_t EcsDontFragment; /**< all of it is kept beside tables */
ECS_API extern const ecs_entity_t EcsUnion;        /**< exclusive and beside tables */

/* What instances get of a base: (EcsOnInstantiate, …) on a component or relationship. */
ECS_API extern const ecs_entity_t EcsOnInstantiate;
ECS_API extern const ecs_entity_t EcsOverride;    /**< a copy */
ECS_API extern const ecs_entity_t EcsInherit;     /**< the same value; the default */
ECS_API extern const ecs_entity_t EcsDontInherit; /**< nothing */

/* What becomes of those who have an id that is deleted, or whose target is: (EcsOnDelete, …), (EcsOnDeleteTarget, …) on it.
 * EcsOnDelete and EcsOnDeleteTarget are events, too. */
ECS_API extern const ecs_entity_t EcsOnDelete;
ECS_API extern const ecs_entity_t EcsOnDeleteTarget;
ECS_API extern const ecs_entity_t EcsRemove; /**< they lose it; the default */
ECS_API extern const ecs_entity_t EcsDelete; /**< they are deleted */
ECS_API extern const ecs_entity_t EcsPanic;  /**< it is refused */

/* Events; docs/events.md tells who hears of which. */
ECS_API extern const ecs_entity_t EcsOnAdd;
ECS_API extern const ecs_entity_t EcsOnRemove;
ECS_API extern const ecs_entity_t EcsOnSet;
ECS_API extern const ecs_entity_t EcsMonitor; /**< an entity begins, or ceases, to match */
ECS_API extern const ecs_entity_t EcsOnTableCreate;
ECS_API extern const ecs_entity_t EcsOnTableDelete;
ECS_API extern const ecs_entity_t EcsOnTableEmpty; /**< the last entity went */
ECS_API extern const ecs_entity_t EcsOnTableFill;  /**< the first one came */

/* Operators of query terms, as first element; in text: ==, ~=, !=, { and }. */
ECS_API extern const ecs_entity_t EcsPredEq;
ECS_API extern const ecs_entity_t EcsPredMatch;
ECS_API extern const ecs_entity_t EcsPredLookup; /**< == with a name */
ECS_API extern const ecs_entity_t EcsPredNeq;
ECS_API extern const ecs_entity_t EcsScopeOpen;
ECS_API extern const ecs_entity_t EcsScopeClose;

/* Phases, in this order; those of EcsOnStart run once, before the first tick. */
ECS_API extern const ecs_entity_t EcsOnStart;
ECS_API extern const ecs_entity_t EcsPreFrame;
ECS_API extern const ecs_entity_t EcsOnLoad;
ECS_API extern const ecs_entity_t EcsPostLoad;
ECS_API extern const ecs_entity_t EcsPreUpdate;
ECS_API extern const ecs_entity_t EcsOnUpdate;
ECS_API extern const ecs_entity_t EcsOnValidate;
ECS_API extern const ecs_entity_t EcsPostUpdate;
ECS_API extern const ecs_entity_t EcsPreStore;
ECS_API extern const ecs_entity_t EcsOnStore;
ECS_API extern const ecs_entity_t EcsPostFrame;

/** Trait of relationships that snapshots leave out. */
ECS_API extern const ecs_entity_t EcsTransient;
/** Older spellings: EcsTag is EcsPairIsTag, EcsThrow is EcsPanic. */
ECS_API extern const ecs_entity_t EcsTag;
ECS_API extern const ecs_entity_t EcsThrow;

#ifdef __cplusplus
}
#endif

#endif
