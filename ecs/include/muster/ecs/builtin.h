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

ECS_API extern const ecs_entity_t ecs_id(EcsComponent);
ECS_API extern const ecs_entity_t ecs_id(EcsIdentifier);
ECS_API extern const ecs_entity_t ecs_id(EcsPoly);
ECS_API extern const ecs_entity_t ecs_id(EcsParent);
ECS_API extern const ecs_entity_t ecs_id(EcsTreeSpawner);
ECS_API extern const ecs_entity_t EcsParentDepth;
ECS_API extern const ecs_entity_t EcsQuery;
ECS_API extern const ecs_entity_t EcsObserver;
ECS_API extern const ecs_entity_t EcsSystem;
ECS_API extern const ecs_entity_t EcsWorld;
ECS_API extern const ecs_entity_t EcsFlecs;
ECS_API extern const ecs_entity_t EcsFlecsCore;
ECS_API extern const ecs_entity_t EcsModule;
ECS_API extern const ecs_entity_t EcsPrefab;
ECS_API extern const ecs_entity_t EcsDisabled;
ECS_API extern const ecs_entity_t EcsNotQueryable;
ECS_API extern const ecs_entity_t EcsSlotOf;
ECS_API extern const ecs_entity_t EcsWildcard;
ECS_API extern const ecs_entity_t EcsAny;
ECS_API extern const ecs_entity_t EcsThis;
ECS_API extern const ecs_entity_t EcsVariable;
ECS_API extern const ecs_entity_t EcsTransitive;
ECS_API extern const ecs_entity_t EcsReflexive;
ECS_API extern const ecs_entity_t EcsSymmetric;
ECS_API extern const ecs_entity_t EcsFinal;
ECS_API extern const ecs_entity_t EcsInheritable;
ECS_API extern const ecs_entity_t EcsSingleton;
ECS_API extern const ecs_entity_t EcsOnInstantiate;
ECS_API extern const ecs_entity_t EcsOverride;
ECS_API extern const ecs_entity_t EcsInherit;
ECS_API extern const ecs_entity_t EcsDontInherit;
ECS_API extern const ecs_entity_t EcsPairIsTag;
ECS_API extern const ecs_entity_t EcsExclusive;
ECS_API extern const ecs_entity_t EcsAcyclic;
ECS_API extern const ecs_entity_t EcsTraversable;
ECS_API extern const ecs_entity_t EcsWith;
ECS_API extern const ecs_entity_t EcsOneOf;
ECS_API extern const ecs_entity_t EcsCanToggle;
ECS_API extern const ecs_entity_t EcsTrait;
ECS_API extern const ecs_entity_t EcsRelationship;
ECS_API extern const ecs_entity_t EcsTarget;
ECS_API extern const ecs_entity_t EcsChildOf;
ECS_API extern const ecs_entity_t EcsIsA;
ECS_API extern const ecs_entity_t EcsDependsOn;
ECS_API extern const ecs_entity_t EcsName;
ECS_API extern const ecs_entity_t EcsSymbol;
ECS_API extern const ecs_entity_t EcsAlias;
ECS_API extern const ecs_entity_t EcsOnAdd;
ECS_API extern const ecs_entity_t EcsOnRemove;
ECS_API extern const ecs_entity_t EcsOnSet;
ECS_API extern const ecs_entity_t EcsOnDelete;
ECS_API extern const ecs_entity_t EcsOnDeleteTarget;
ECS_API extern const ecs_entity_t EcsOnTableCreate;
ECS_API extern const ecs_entity_t EcsOnTableDelete;
ECS_API extern const ecs_entity_t EcsOnTableEmpty;
ECS_API extern const ecs_entity_t EcsOnTableFill;
ECS_API extern const ecs_entity_t ecs_id(EcsTickSource);
ECS_API extern const ecs_entity_t ecs_id(EcsTimer);
ECS_API extern const ecs_entity_t ecs_id(EcsRateFilter);
ECS_API extern const ecs_entity_t EcsRemove;
ECS_API extern const ecs_entity_t EcsDelete;
ECS_API extern const ecs_entity_t EcsPanic;
ECS_API extern const ecs_entity_t EcsSparse;
ECS_API extern const ecs_entity_t EcsDontFragment;
ECS_API extern const ecs_entity_t ecs_id(EcsDefaultChildComponent);
ECS_API extern const ecs_entity_t EcsOrderedChildren;
ECS_API extern const ecs_entity_t EcsPredEq;
ECS_API extern const ecs_entity_t EcsPredMatch;
ECS_API extern const ecs_entity_t EcsPredLookup;
ECS_API extern const ecs_entity_t EcsScopeOpen;
ECS_API extern const ecs_entity_t EcsScopeClose;
ECS_API extern const ecs_entity_t EcsMonitor;
ECS_API extern const ecs_entity_t EcsEmpty;
ECS_API extern const ecs_entity_t ecs_id(EcsPipeline);
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
ECS_API extern const ecs_entity_t EcsPhase;
ECS_API extern const ecs_entity_t EcsConstant;
ECS_API extern const ecs_entity_t EcsUnion;
ECS_API extern const ecs_entity_t EcsPredNeq;
/** Trait of relationships that snapshots leave out. */
ECS_API extern const ecs_entity_t EcsTransient;
/** Older spellings: EcsTag is EcsPairIsTag, EcsThrow is EcsPanic. */
ECS_API extern const ecs_entity_t EcsTag;
ECS_API extern const ecs_entity_t EcsThrow;

#ifdef __cplusplus
}
#endif

#endif
