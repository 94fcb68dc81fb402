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

static bool is_kind_of(const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t base) {
    ecs_entity_t target = 0;
    for (int32_t n = 0; (target = ecs_get_target(world, entity, EcsIsA, n)); n++) {
        if (target == base || is_kind_of(world, target, base)) return true;
    }
    return false;
}

static ecs_entity_t element_of(const ecs_world_t *world, ecs_id_t id) {
    return ECS_IS_PAIR(id) ? ecs_pair_first(world, id) : id;
}

// True if the values of `id` are among those of the kinds that an item covers.
static bool covers_kind(const ecs_world_t *world, const rt_access_item_t *item, ecs_id_t id) {
    if (!item->has_kinds || ECS_IS_PAIR(item->id) != ECS_IS_PAIR(id)) return false;
    if (ECS_IS_PAIR(id) && !elements_overlap(ECS_PAIR_SECOND(id), ECS_PAIR_SECOND(item->id)))
        return false;
    ecs_entity_t kind = element_of(world, id), base = element_of(world, item->id);
    return kind && base && is_kind_of(world, kind, base);
}

bool rt__item_overlaps(const ecs_world_t *world, const rt_access_item_t *item, ecs_id_t id) {
    return rt__ids_overlap(item->id, id) || covers_kind(world, item, id);
}

bool rt__items_overlap(
    const ecs_world_t *world, const rt_access_item_t *a, const rt_access_item_t *b) {
    if (rt__item_overlaps(world, a, b->id) || covers_kind(world, b, a->id)) return true;
    bool are_pairs = ECS_IS_PAIR(a->id) || ECS_IS_PAIR(b->id);
    return a->has_kinds && b->has_kinds && !are_pairs; /* something may be a kind of both */
}

ecs_inout_kind_t rt__term_inout(const ecs_term_t *term) {
    if (term->inout != EcsInOutDefault) return (ecs_inout_kind_t)term->inout;
    if (ecs_term_match_0(term)) return EcsInOutNone;
    if (!ecs_term_match_this(term) || !(term->src.id & EcsSelf)) return EcsIn;
    return EcsInOut;
}

static rt_scope_t scope_of(const ecs_term_t *term) {
    const bool is_this = ecs_term_match_this(term), goes_up = term->src.id & EcsUp;
    const bool over_isa = (term->src.id & EcsSelf) && term->trav == EcsIsA;
    if (term->src.id & EcsDown || (goes_up && !over_isa)) return RT_SCOPE_ANYWHERE;
    if (is_this) return goes_up ? RT_SCOPE_ROWS_OR_UP : RT_SCOPE_ROWS;
    if (ecs_term_match_0(term) || term->src.id & EcsIsVariable) return RT_SCOPE_ANYWHERE;
    return goes_up ? RT_SCOPE_ENTITY_OR_UP : RT_SCOPE_ENTITY;
}

// Bytes of a value, 0 if the id certainly has none. A pair with a wildcard may have any: its
// relationship decides if it is a component or never has values, else we assume a small value.
static ecs_size_t value_size(const ecs_world_t *world, ecs_id_t id) {
    const ecs_type_info_t *info = ecs_get_type_info(world, id);
    if (info) return info->size;
    return ecs_id_is_wildcard(id) && !ecs_id_is_tag(world, id) ? 8 : 0;
}

bool rt__item_is_wide(const rt_access_item_t *item) {
    return ecs_id_is_wildcard(item->id) || item->has_kinds;
}

static uint64_t id_bits(const rt_access_item_t *item) {
    if (rt__item_is_wide(item)) return UINT64_MAX;
    return 1ull << ((item->id * 0x9E3779B97F4A7C15ull) >> 58);
}

// Kinds may come at any time, unless the component is final.
static bool may_have_kinds(const ecs_world_t *world, const ecs_term_t *term) {
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
    if (!(term->first.id & EcsIsEntity) || term->first.id & EcsSelf) return false;
    return ecs_has_id(world, first, EcsInheritable) || !ecs_has_id(world, first, EcsFinal);
}

bool rt__term_has_kinds(const ecs_world_t *world, const ecs_term_t *term) {
    const ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
    return may_have_kinds(world, term) && ecs_id_in_use(world, ecs_isa(first));
}

ecs_id_t rt__term_id(const ecs_world_t *world, const ecs_term_t *term) {
    bool is_member = term->flags_ & EcsTermIsMember;
    return is_member ? ecs_get_parent(world, ECS_TERM_REF_ID(&term->first)) : term->id;
}

bool rt__term_covers(const ecs_world_t *world, const ecs_term_t *term, ecs_id_t id) {
    const rt_access_item_t item = { .id = rt__term_id(world, term),
        .has_kinds = rt__term_has_kinds(world, term) };
    return rt__item_overlaps(world, &item, id);
}

static rt_access_item_t *add_item(
    rt_access_t *access, const ecs_world_t *world, const ecs_term_t *term, ecs_id_t id) {
    const rt_scope_t scope = scope_of(term);
    const bool is_entity = scope == RT_SCOPE_ENTITY || scope == RT_SCOPE_ENTITY_OR_UP;
    rt_access_item_t *item = &access->items[access->count++];
    *item = (rt_access_item_t){ .id = id,
        .source = is_entity ? ECS_TERM_REF_ID(&term->src) : 0,
        .size = value_size(world, id),
        .scope = (uint8_t)scope };
    return item;
}

static void add_term(rt_access_t *access, const ecs_world_t *world, const ecs_term_t *term) {
    if (term->flags_ & EcsTermIsMember) { /* it is compared: read, whatever the term says */
        access->reads |= id_bits(add_item(access, world, term, rt__term_id(world, term)));
        return;
    }
    ecs_inout_kind_t inout = rt__term_inout(term);
    if (inout == EcsInOutNone || inout == EcsInOutFilter) return;
    if (term->oper != EcsAnd && term->oper != EcsOr && term->oper != EcsOptional) return;
    bool staged = ecs_term_match_0(term);
    if ((staged && inout == EcsOut) || !value_size(world, term->id)) return;
    rt_access_item_t *item = add_item(access, world, term, term->id);
    item->has_kinds = may_have_kinds(world, term);
    item->write = inout != EcsIn && !staged;
    access->reads |= id_bits(item);
    if (item->write) access->writes |= id_bits(item);
}

void rt__access_init(rt_access_t *access, const ecs_world_t *world, const ecs_query_t *query) {
    *access = (rt_access_t){ 0 };
    if (!query->term_count) return;
    access->items = ecs_os_calloc_n(rt_access_item_t, query->term_count);
    int32_t depth = 0; /* terms in scopes are conditions */
    for (int32_t i = 0; i < query->term_count; i++) {
        ecs_entity_t first = ECS_TERM_REF_ID(&query->terms[i].first);
        depth += (first == EcsScopeOpen) - (first == EcsScopeClose);
        if (!depth || query->terms[i].flags_ & EcsTermIsMember)
            add_term(access, world, &query->terms[i]);
    }
}

void rt__access_fini(rt_access_t *access) {
    ecs_os_free(access->items);
    *access = (rt_access_t){ 0 };
}
