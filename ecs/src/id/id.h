// SPDX-License-Identifier: MIT
// id: packing, unpacking and matching of ids inside the library, where builtins are compile-time constants.
#ifndef ECS_ID_ID_H
#define ECS_ID_ID_H

#include "id/builtin.h"

static inline uint32_t ecs__id_first(ecs_id_t id) { return ECS_PAIR_FIRST(id); }
static inline uint32_t ecs__id_second(ecs_id_t id) { return ECS_PAIR_SECOND(id); }

/** True for an index with its generation, or without; 0 is one. */
static inline bool ecs__id_is_entity(ecs_id_t id) {
    return !(id & ~(ECS_ENTITY_MASK | ECS_GENERATION_MASK));
}

/** ECS__AND or ECS__OR for an id that stands for a list within a list, else 0. Pairs have other uses for these bits. */
static inline ecs_id_t ecs__id_list(ecs_id_t id) { return id & ECS__PAIR ? 0 : id & ECS__OR; }
/** The marks of an id (auto override, toggle, list), and the id without them. */
static inline ecs_id_t ecs__id_marks(ecs_id_t id) {
    return (id & (ECS__TOGGLE | ECS__AUTO_OVERRIDE)) | ecs__id_list(id);
}
static inline ecs_id_t ecs__id_bare(ecs_id_t id) { return id & ~ecs__id_marks(id); }

/** True for an id that covers others: `*`, `_`, or a pair with one of them. */
static inline bool ecs__id_is_wildcard(ecs_id_t id) {
    id = ecs__id_bare(id);
    if (ECS_IS_PAIR(id)) {
        uint32_t first = ecs__id_first(id), second = ecs__id_second(id);
        if (first == Ecs__Wildcard || first == Ecs__Any) return true;
        return !ECS_IS_VALUE_PAIR(id) && (second == Ecs__Wildcard || second == Ecs__Any);
    }
    return (id & ECS_COMPONENT_MASK) == Ecs__Wildcard || (id & ECS_COMPONENT_MASK) == Ecs__Any;
}

/** Whose traits are those of an id: the relationship of a pair, else the id itself. */
static inline uint32_t ecs__id_trait_owner(ecs_id_t id) {
    return ECS_IS_PAIR(id) ? ecs__id_first(id) : (uint32_t)id;
}

/** True of a pair that leads to an entity, and to no number. */
static inline bool ecs__id_leads(ecs_id_t id) { return ECS_IS_PAIR(id) && !ECS_IS_VALUE_PAIR(id); }

/** The pair of another relationship with the target, or the number, of a pair without marks. */
static inline ecs_id_t ecs__id_with_first(ecs_id_t pair, ecs_id_t first) {
    return (pair & ECS__VALUE_PAIR) | ECS__MAKE_PAIR(first, ecs__id_second(pair));
}

/** The wildcard for all pairs with it. */
static inline ecs_id_t ecs__id_any_first(ecs_id_t pair) {
    return ecs__id_with_first(pair, Ecs__Wildcard);
}

/** The same of a pair that may have marks, which it keeps. */
static inline ecs_id_t ecs__id_target_key(ecs_id_t pair) {
    return ecs__id_marks(pair) | ecs__id_any_first(ecs__id_bare(pair));
}

/** As ecs_id_match, with value pairs among the pairs that (R,*) and (*,*) cover. */
bool ecs__id_covers(ecs_id_t pattern, ecs_id_t id);

/** The same for one that has EcsAny. */
ecs_id_t ecs__id_replace_any(ecs_id_t id);
/** The id with every EcsAny replaced by EcsWildcard: the key of its record. */
static inline ecs_id_t ecs__id_any_to_wildcard(ecs_id_t id) {
    bool may_have = (uint32_t)id == Ecs__Any || ecs__id_first(id) == Ecs__Any;
    return may_have ? ecs__id_replace_any(id) : id;
}

#endif
