// SPDX-License-Identifier: MIT
// id: the layout of 64-bit ids. An id is an entity, or a pair of two entities, plus flag bits.
//
//   entity  | flags 63..60 | 0 | dead zone 55..48 | generation 47..32 | index 31..0 |
//   pair    | flags 63..60 | first element 59..32                     | second 31..0 |
//
// Bit 60 makes a pair a value pair, and an entity a list within a list; then bit 59 tells Or from And.
// The elements of a pair carry no generation; ecs_pair_first() and ecs_pair_second() restore it.
// Everything here is a pure function or macro; all of it may be used from any thread.
#ifndef MUSTER_ECS_ID_H
#define MUSTER_ECS_ID_H

#include <muster/ecs/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Marks an id as a pair of two entities. */
ECS_API extern const ecs_id_t ECS_PAIR;
/** Marks an id on a base: instances get their own copy of the id. */
ECS_API extern const ecs_id_t ECS_AUTO_OVERRIDE;
/** Marks an id whose presence can be switched on and off per entity. */
ECS_API extern const ecs_id_t ECS_TOGGLE;
/** Marks a pair whose second element is a number instead of an entity. */
ECS_API extern const ecs_id_t ECS_VALUE_PAIR;
/** Marks an entity, as an id of a list (EcsAndFrom, EcsOrFrom, EcsNotFrom), as a list within it: all
 * of its ids count, or (ECS_OR) one of them. As the id of a term it makes an And-, or OrFrom. */
ECS_API extern const ecs_id_t ECS_AND;
ECS_API extern const ecs_id_t ECS_OR;

#define ECS_ID_FLAGS_MASK (0xFull << 60)
#define ECS_COMPONENT_MASK (~ECS_ID_FLAGS_MASK)
#define ECS_ENTITY_MASK (0xFFFFFFFFull)
#define ECS_GENERATION_MASK (0xFFFFull << 32)
#define ECS_GENERATION(e) (((e)&ECS_GENERATION_MASK) >> 32)
#define ECS_GENERATION_INC(e) \
    (((e) & ~ECS_GENERATION_MASK) | ((0xFFFFull & (ECS_GENERATION(e) + 1)) << 32))

#define ecs_entity_t_lo(value) (ECS_CAST(uint32_t, value))
#define ecs_entity_t_hi(value) (ECS_CAST(uint32_t, (value) >> 32))
#define ecs_entity_t_comb(lo, hi) ((ECS_CAST(uint64_t, hi) << 32) + ECS_CAST(uint32_t, lo))

#define ECS_HAS_ID_FLAG(id, flag) (((id)&ECS_##flag) != 0)
/** True for entity pairs and value pairs without any other flag. */
#define ECS_IS_PAIR(id) ((((id)&ECS_ID_FLAGS_MASK) & ~(1ull << 60)) == (1ull << 63))
#define ECS_IS_VALUE_PAIR(id) (((id)&ECS_ID_FLAGS_MASK) == ((1ull << 63) | (1ull << 60)))
#define ECS_PAIR_FIRST(id) (ecs_entity_t_hi((id)&ECS_COMPONENT_MASK))
#define ECS_PAIR_SECOND(id) (ecs_entity_t_lo(id))
#define ECS_HAS_RELATION(id, rel) (ECS_IS_PAIR(id) && ECS_PAIR_FIRST(id) == ECS_CAST(uint32_t, rel))

/** The pair id of two entities; generations are dropped. */
#define ecs_pair(first, second) (ECS_PAIR | ecs_entity_t_comb(second, (first)&0x0FFFFFFFull))
#define ecs_pair_t(First, second) (ecs_pair(ecs_id(First), second))
/** A pair of a relationship and a 32-bit number. */
#define ecs_value_pair(rel, value) (ECS_VALUE_PAIR | ecs_entity_t_comb(value, (rel)&0x0FFFFFFFull))
#define ecs_pair_relation ecs_pair_first
#define ecs_pair_target ecs_pair_second

#define ecs_isa(e) ecs_pair(EcsIsA, e)
#define ecs_childof(e) ecs_pair(EcsChildOf, e)
#define ecs_dependson(e) ecs_pair(EcsDependsOn, e)
#define ecs_with(e) ecs_pair(EcsWith, e)

/** The variable that holds the id of a C identifier (component type, tag, entity or system). */
#define ecs_id(T) FLECS_ID##T##ID_

/** The living entity that is the first element of a pair, with its generation; 0 if it is dead. */
ECS_API ecs_entity_t ecs_pair_first(const ecs_world_t *world, ecs_id_t pair);
/** The living entity that is the second element of a pair, with its generation; 0 if it is dead. */
ECS_API ecs_entity_t ecs_pair_second(const ecs_world_t *world, ecs_id_t pair);
/** Function form of ecs_pair(); [chk] neither element may be a pair. */
ECS_API ecs_id_t ecs_make_pair(ecs_entity_t first, ecs_entity_t second);

/** True if `id` is covered by `pattern`, in which EcsWildcard stands for anything in its place.
 * A lone EcsWildcard covers every id that is no pair and has equal flags; EcsAny is no wildcard here. */
ECS_API bool ecs_id_match(ecs_id_t id, ecs_id_t pattern);
/** True for entity pairs and value pairs. */
ECS_API bool ecs_id_is_pair(ecs_id_t id);
/** True if the id is, or has an element that is, EcsWildcard or EcsAny. */
ECS_API bool ecs_id_is_wildcard(ecs_id_t id);
/** True if the id is, or has an element that is, EcsAny. */
ECS_API bool ecs_id_is_any(ecs_id_t id);
/** The name of one id flag bit: "PAIR", "TOGGLE", …, "UNKNOWN". */
ECS_API const char *ecs_id_flag_str(uint64_t flag);
/** The id without its generation; unchanged when flag bits are set. */
ECS_API ecs_id_t ecs_strip_generation(ecs_entity_t entity);
/** The generation of an entity id. */
ECS_API uint32_t ecs_get_version(ecs_entity_t entity);

#ifdef __cplusplus
}
#endif

#endif
