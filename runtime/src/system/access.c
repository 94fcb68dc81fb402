// SPDX-License-Identifier: MIT
#include "system/access.h"

static bool is_wildcard(ecs_id_t element) {
    return (uint32_t)element == (uint32_t)EcsWildcard || (uint32_t)element == (uint32_t)EcsAny;
}

static bool is_lone_wildcard(ecs_id_t id) { return id == EcsWildcard || id == EcsAny; }

static bool is_kind_of(const ecs_world_t *world, ecs_id_t element, ecs_id_t base) {
    const ecs_entity_t kind = ecs_get_alive(world, element), of = ecs_get_alive(world, base);
    return kind && of && ecs_has_pair(world, kind, EcsIsA, of);
}

// A component or tag, or one of the two of a pair.
typedef struct element_t {
    ecs_id_t id;
    bool has_kinds; /* that count, at present */
} element_t;

static element_t element_of(const ecs_world_t *world, ecs_id_t id, bool may_have_kinds) {
    return (element_t){ id, may_have_kinds && ecs_id_in_use(world, ecs_isa(id)) };
}

static element_t first_of(const ecs_world_t *world, const rt_access_item_t *item) {
    const ecs_id_t id = item->id;
    return element_of(world, ECS_IS_PAIR(id) ? ECS_PAIR_FIRST(id) : id, item->has_kinds);
}

static element_t second_of(const ecs_world_t *world, const rt_access_item_t *item) {
    return element_of(world, ECS_PAIR_SECOND(item->id), item->has_target_kinds);
}

// The same, or one is a kind of the other, or something may be of both.
static bool elements_overlap(const ecs_world_t *world, element_t a, element_t b) {
    if ((uint32_t)a.id == (uint32_t)b.id || is_wildcard(a.id) || is_wildcard(b.id)) return true;
    if (a.has_kinds && b.has_kinds) return true;
    return (a.has_kinds && is_kind_of(world, b.id, a.id)) ||
           (b.has_kinds && is_kind_of(world, a.id, b.id));
}

bool rt__items_overlap(
    const ecs_world_t *world, const rt_access_item_t *a, const rt_access_item_t *b) {
    if (a->id == b->id || is_lone_wildcard(a->id) || is_lone_wildcard(b->id)) return true;
    if (ECS_IS_PAIR(a->id) != ECS_IS_PAIR(b->id)) return false;
    return elements_overlap(world, first_of(world, a), first_of(world, b)) &&
           (!ECS_IS_PAIR(a->id) ||
               elements_overlap(world, second_of(world, a), second_of(world, b)));
}

bool rt__item_has_kinds(const ecs_world_t *world, const rt_access_item_t *item) {
    return first_of(world, item).has_kinds || second_of(world, item).has_kinds;
}

bool rt__item_overlaps(const ecs_world_t *world, const rt_access_item_t *item, ecs_id_t id) {
    return rt__items_overlap(world, item, &(rt_access_item_t){ .id = id });
}

bool rt__ids_overlap(ecs_id_t a, ecs_id_t b) {
    return rt__item_overlaps(NULL, &(rt_access_item_t){ .id = a }, b);
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
    return ecs_id_is_wildcard(item->id) || item->has_kinds || item->has_target_kinds;
}

static uint64_t id_bits(const rt_access_item_t *item) {
    if (rt__item_is_wide(item)) return UINT64_MAX;
    return 1ull << ((item->id * 0x9E3779B97F4A7C15ull) >> 58);
}

// Kinds may come at any time, unless the element is final. A target may be none, or gone.
static bool may_have_kinds(const ecs_world_t *world, const ecs_term_ref_t *element) {
    const ecs_entity_t entity = ECS_TERM_REF_ID(element);
    if (!(element->id & EcsIsEntity) || element->id & EcsSelf) return false;
    if (!entity || !ecs_is_alive(world, entity)) return false;
    return ecs_has_id(world, entity, EcsInheritable) || !ecs_has_id(world, entity, EcsFinal);
}

ecs_id_t rt__term_id(const ecs_world_t *world, const ecs_term_t *term) {
    bool is_member = term->flags_ & EcsTermIsMember;
    return is_member ? ecs_get_parent(world, ECS_TERM_REF_ID(&term->first)) : term->id;
}

static rt_access_item_t item_of(const ecs_world_t *world, const ecs_term_t *term) {
    return (rt_access_item_t){ .id = rt__term_id(world, term),
        .has_kinds = may_have_kinds(world, &term->first),
        .has_target_kinds = may_have_kinds(world, &term->second) };
}

bool rt__term_has_kinds(const ecs_world_t *world, const ecs_term_t *term) {
    const rt_access_item_t item = item_of(world, term);
    return rt__item_has_kinds(world, &item);
}

bool rt__term_covers(const ecs_world_t *world, const ecs_term_t *term, ecs_id_t id) {
    const rt_access_item_t item = item_of(world, term);
    return rt__item_overlaps(world, &item, id);
}

// A member that is compared is read, whatever the term says.
static void add_term(rt_access_t *access, const ecs_world_t *world, const ecs_term_t *term) {
    const bool is_member = term->flags_ & EcsTermIsMember, staged = ecs_term_match_0(term);
    const ecs_inout_kind_t inout = is_member ? EcsIn : rt__term_inout(term);
    if (inout == EcsInOutNone || inout == EcsInOutFilter || (staged && inout == EcsOut)) return;
    if (term->oper != EcsAnd && term->oper != EcsOr && term->oper != EcsOptional && !is_member)
        return;
    rt_access_item_t item = item_of(world, term);
    item.size = value_size(world, item.id);
    if (!item.size) return;
    const rt_scope_t scope = scope_of(term);
    const bool is_entity = scope == RT_SCOPE_ENTITY || scope == RT_SCOPE_ENTITY_OR_UP;
    item.source = is_entity ? ECS_TERM_REF_ID(&term->src) : 0;
    item.scope = (uint8_t)scope;
    item.write = inout != EcsIn && !staged;
    access->reads |= id_bits(&item);
    if (item.write) access->writes |= id_bits(&item);
    access->items[access->count++] = item;
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
