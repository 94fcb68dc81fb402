// SPDX-License-Identifier: MIT
#include "system/access.h"

static bool elements_overlap(uint32_t a, uint32_t b) {
    return a == b || a == (uint32_t)EcsWildcard || b == (uint32_t)EcsWildcard ||
           a == (uint32_t)EcsAny || b == (uint32_t)EcsAny;
}

static bool is_lone_wildcard(ecs_id_t id) { return id == EcsWildcard || id == EcsAny; }

bool rt__ids_overlap(ecs_id_t a, ecs_id_t b) {
    if (a == b || is_lone_wildcard(a) || is_lone_wildcard(b)) return true;
    if (!ECS_IS_PAIR(a) || !ECS_IS_PAIR(b)) return false;
    return elements_overlap(ECS_PAIR_FIRST(a), ECS_PAIR_FIRST(b)) &&
           elements_overlap(ECS_PAIR_SECOND(a), ECS_PAIR_SECOND(b));
}

ecs_inout_kind_t rt__term_inout(const ecs_term_t *term) {
    if (term->inout != EcsInOutDefault) return (ecs_inout_kind_t)term->inout;
    if (ecs_term_match_0(term)) return EcsInOutNone;
    if (!ecs_term_match_this(term) || !(term->src.id & EcsSelf)) return EcsIn;
    return EcsInOut;
}

static rt_scope_t scope_of(const ecs_term_t *term) {
    if (ecs_term_match_this(term)) {
        if (!(term->src.id & EcsUp)) return RT_SCOPE_ROWS;
        bool over_isa = (term->src.id & EcsSelf) && term->trav == EcsIsA;
        return over_isa ? RT_SCOPE_ROWS_OR_UP : RT_SCOPE_ANYWHERE;
    }
    bool is_entity = !ecs_term_match_0(term) && !(term->src.id & (EcsIsVariable | EcsUp));
    return is_entity ? RT_SCOPE_ENTITY : RT_SCOPE_ANYWHERE;
}

/* Bytes of a value, 0 if the id certainly has none. A pair with a wildcard may have any: its
 * relationship decides if it is a component, else we assume a small value. */
static ecs_size_t value_size(const ecs_world_t *world, ecs_id_t id) {
    const ecs_type_info_t *info = ecs_get_type_info(world, id);
    if (info) return info->size;
    return ecs_id_is_wildcard(id) ? 8 : 0;
}

static uint64_t id_bits(ecs_id_t id) {
    if (ecs_id_is_wildcard(id)) return UINT64_MAX;
    return 1ull << ((id * 0x9E3779B97F4A7C15ull) >> 58);
}

/* A member that is compared is read, whatever the term says. */
static void add_member(rt_access_t *access, const ecs_world_t *world, const ecs_term_t *term) {
    ecs_entity_t component = ecs_get_parent(world, ECS_TERM_REF_ID(&term->first));
    rt_access_item_t *item = &access->items[access->count++];
    *item = (rt_access_item_t){
        .id = component, .size = value_size(world, component), .scope = (uint8_t)scope_of(term)
    };
    if (item->scope == RT_SCOPE_ENTITY) item->source = ECS_TERM_REF_ID(&term->src);
    access->reads |= id_bits(item->id);
}

static void add_term(rt_access_t *access, const ecs_world_t *world, const ecs_term_t *term) {
    if (term->flags_ & EcsTermIsMember) {
        add_member(access, world, term);
        return;
    }
    ecs_inout_kind_t inout = rt__term_inout(term);
    if (inout == EcsInOutNone || inout == EcsInOutFilter) return;
    if (term->oper != EcsAnd && term->oper != EcsOr && term->oper != EcsOptional) return;
    bool staged = ecs_term_match_0(term);
    if (staged && inout == EcsOut) return;
    ecs_size_t size = value_size(world, term->id);
    if (!size) return;
    rt_access_item_t *item = &access->items[access->count++];
    *item = (rt_access_item_t){
        .id = term->id,
        .size = size,
        .scope = (uint8_t)scope_of(term),
        .write = inout != EcsIn && !staged,
    };
    if (item->scope == RT_SCOPE_ENTITY) item->source = ECS_TERM_REF_ID(&term->src);
    access->reads |= id_bits(item->id);
    if (item->write) access->writes |= id_bits(item->id);
}

void rt__access_init(rt_access_t *access, const ecs_world_t *world, const ecs_query_t *query) {
    *access = (rt_access_t){ 0 };
    if (!query || !query->term_count) return;
    access->items = ecs_os_calloc_n(rt_access_item_t, query->term_count);
    for (int32_t i = 0; i < query->term_count; i++) add_term(access, world, &query->terms[i]);
}

void rt__access_fini(rt_access_t *access) {
    ecs_os_free(access->items);
    *access = (rt_access_t){ 0 };
}
