// SPDX-License-Identifier: MIT
// id: implements the public id predicates.
#include "id/id.h"

#include <muster/ecs/log.h>

ecs_id_t ecs__id_replace_any(ecs_id_t id) {
    if (!ECS_IS_PAIR(ecs__id_bare(id))) {
        return (id & ECS_COMPONENT_MASK) == Ecs__Any ? (id & ECS_ID_FLAGS_MASK) | Ecs__Wildcard
                                                     : id;
    }
    uint64_t first = ecs__id_first(id), second = ecs__id_second(id);
    if (first == Ecs__Any) first = Ecs__Wildcard;
    if (second == Ecs__Any && !ECS_IS_VALUE_PAIR(ecs__id_bare(id))) second = Ecs__Wildcard;
    return (id & ECS_ID_FLAGS_MASK) | (first << 32) | second;
}

ecs_id_t ecs_make_pair(ecs_entity_t first, ecs_entity_t second) {
    ecs_check(!ECS_IS_PAIR(first) && !ECS_IS_PAIR(second), ECS_INVALID_PARAMETER,
        "a pair cannot be an element of a pair");
    return ECS__MAKE_PAIR(first, second);
error:
    return 0;
}

static bool element_matches(uint32_t element, uint32_t pattern) {
    return pattern == Ecs__Wildcard || element == pattern;
}

bool ecs_id_match(ecs_id_t id, ecs_id_t pattern) {
    if (id == pattern) return true;
    if ((id ^ pattern) & ECS_ID_FLAGS_MASK) return false;
    if (ECS_IS_PAIR(ecs__id_bare(pattern))) {
        return element_matches(ecs__id_first(id), ecs__id_first(pattern)) &&
               element_matches(ecs__id_second(id), ecs__id_second(pattern));
    }
    return (pattern & ECS_COMPONENT_MASK) == Ecs__Wildcard;
}

bool ecs__id_covers(ecs_id_t pattern, ecs_id_t id) {
    if (ECS_IS_VALUE_PAIR(ecs__id_bare(id)) && ECS_IS_PAIR(ecs__id_bare(pattern)) &&
        ecs__id_second(pattern) == Ecs__Wildcard)
        id &= ~(ECS__VALUE_PAIR ^ ECS__PAIR);
    return ecs_id_match(id, pattern);
}

bool ecs_id_is_pair(ecs_id_t id) { return ECS_IS_PAIR(id); }
bool ecs_id_is_wildcard(ecs_id_t id) { return ecs__id_is_wildcard(id); }

bool ecs_id_is_any(ecs_id_t id) {
    if (!ECS_IS_PAIR(id)) return (id & ECS_COMPONENT_MASK) == Ecs__Any;
    return ecs__id_first(id) == Ecs__Any ||
           (!ECS_IS_VALUE_PAIR(id) && ecs__id_second(id) == Ecs__Any);
}

const char *ecs_id_flag_str(uint64_t flag) {
    if (flag == ECS__VALUE_PAIR) return "VALUE_PAIR";
    if (flag == ECS__PAIR) return "PAIR";
    if (flag == ECS__TOGGLE) return "TOGGLE";
    if (flag == ECS__AUTO_OVERRIDE) return "AUTO_OVERRIDE";
    if (flag == ECS__AND) return "AND";
    if (flag == ECS__OR) return "OR";
    return "UNKNOWN";
}

ecs_id_t ecs_strip_generation(ecs_entity_t entity) {
    return entity & ECS_ID_FLAGS_MASK ? entity : (uint32_t)entity;
}

uint32_t ecs_get_version(ecs_entity_t entity) { return (uint32_t)ECS_GENERATION(entity); }
