// SPDX-License-Identifier: MIT
// identifier: the component EcsIdentifier (its lifecycle and hooks) and the functions that read and
// write it.
//
// Setting a name is setting a component; the hooks below tell the index (names.c). Nothing here has
// a second path for deferral.
#include <muster/ecs/command.h>
#include <muster/ecs/entity.h>
#include <muster/ecs/iter.h>
#include "base/assert.h"
#include "base/hash.h"
#include "name/names.h"
#include "world/state.h"

// ---- Lifecycle ----

static void construct(void *ptr, int32_t count, const ecs_type_info_t *type_info) {
    (void)type_info;
    memset(ptr, 0, sizeof(EcsIdentifier) * (size_t)count);
}

static void destruct(void *ptr, int32_t count, const ecs_type_info_t *type_info) {
    (void)type_info;
    EcsIdentifier *values = ptr;
    for (int32_t i = 0; i < count; i++) {
        ecs_os_free(values[i].value);
        values[i] = (EcsIdentifier){ 0 };
    }
}

EcsIdentifier ecs__identifier_make(const char *text) {
    if (!text) return (EcsIdentifier){ 0 };
    ecs_size_t length = ecs_os_strlen(text);
    return (EcsIdentifier){ .value = ecs_os_strdup(text),
        .length = length,
        .hash = ecs__hash_bytes(text, (size_t)length, 0) };
}

static void copy(void *dst, const void *src, int32_t count, const ecs_type_info_t *type_info) {
    (void)type_info;
    EcsIdentifier *to = dst;
    const EcsIdentifier *from = src;
    for (int32_t i = 0; i < count; i++) {
        EcsIdentifier made = ecs__identifier_make(from[i].value); /* first: both may be one text */
        ecs_os_free(to[i].value);
        to[i] = made;
    }
}

static void copy_construct(
    void *dst, const void *src, int32_t count, const ecs_type_info_t *type_info) {
    (void)type_info;
    EcsIdentifier *to = dst;
    const EcsIdentifier *from = src;
    for (int32_t i = 0; i < count; i++) to[i] = ecs__identifier_make(from[i].value);
}

static void move_construct(void *dst, void *src, int32_t count, const ecs_type_info_t *type_info) {
    (void)type_info;
    memcpy(dst, src, sizeof(EcsIdentifier) * (size_t)count);
    memset(src, 0, sizeof(EcsIdentifier) * (size_t)count);
}

static void move(void *dst, void *src, int32_t count, const ecs_type_info_t *type_info) {
    destruct(dst, count, type_info);
    move_construct(dst, src, count, type_info);
}

static bool equal(const void *a, const void *b, const ecs_type_info_t *type_info) {
    (void)type_info;
    const char *left = ((const EcsIdentifier *)a)->value,
               *right = ((const EcsIdentifier *)b)->value;
    return left && right ? !strcmp(left, right) : left == right;
}

// ---- Hooks ----

// False for a pair with another second element than the three known ones: it is no name of
// anything.
static bool kind_of(ecs_id_t id, ecs__name_kind_t *out) {
    switch (ecs__id_second(id)) {
    case Ecs__Name: *out = ECS__NAME; return true;
    case Ecs__Symbol: *out = ECS__SYMBOL; return true;
    case Ecs__Alias: *out = ECS__ALIAS; return true;
    default: return false;
    }
}

static void on_set_identifier(ecs_iter_t *it) {
    ecs__name_kind_t kind;
    if (!kind_of(it->event_id, &kind)) return;
    const EcsIdentifier *identifiers = it->ptrs[0];
    ecs_world_t *world = ecs__world_of(it->real_world);
    for (int32_t i = 0; i < it->count; i++) {
        ecs_entity_t scope = ecs__name_scope(world, it->entities[i]);
        ecs__names_on_set(world, it->entities[i], kind, scope, identifiers[i].value);
    }
}

static void on_remove_identifier(ecs_iter_t *it) {
    ecs__name_kind_t kind;
    if (!kind_of(it->event_id, &kind)) return;
    ecs_world_t *world = ecs__world_of(it->real_world);
    for (int32_t i = 0; i < it->count; i++)
        ecs__names_on_set(world, it->entities[i], kind, 0, NULL);
}

void ecs__names_bootstrap(ecs_world_t *world) {
    ecs_type_info_t *type_info =
        ecs__type_info_declare_t(&world->store, Ecs__Identifier, EcsIdentifier);
    type_info->hooks = (ecs_type_hooks_t){ .ctor = construct,
        .dtor = destruct,
        .copy = copy,
        .move = move,
        .copy_ctor = copy_construct,
        .move_ctor = move_construct,
        .move_dtor = move,
        .equals = equal,
        .flags = (ECS_TYPE_HOOKS & ~(ECS_TYPE_HOOK_CMP | ECS_TYPE_HOOK_CTOR_MOVE_DTOR)) |
                 ECS_TYPE_HOOK_CMP_ILLEGAL,
        .on_set = on_set_identifier,
        .on_remove = on_remove_identifier };
}

uint64_t ecs__identifier_hash(const void *identifier) {
    return ((const EcsIdentifier *)identifier)->hash;
}

// ---- Public functions ----

static const char *get_text(const ecs_world_t *world, ecs_entity_t entity, ecs__name_kind_t kind) {
    ECS__CHECK(ecs__check_reader(world));
    ecs_check(!entity || ecs_is_alive(world, entity), ECS_INVALID_PARAMETER,
        "cannot get the name of entity %u: it is not alive", (uint32_t)entity);
    const EcsIdentifier *identifier = ecs__identifier_get(world, entity, kind);
    return identifier ? identifier->value : NULL;
error:
    return NULL;
}

static void set_text(
    ecs_world_t *world, ecs_entity_t entity, ecs__name_kind_t kind, const char *text) {
    ecs_id_t id = ecs__identifier_id(kind);
    if (!text) {
        ecs_remove_id(world, entity, id);
        return;
    }
    const EcsIdentifier value = { .value = (char *)(uintptr_t)text, .length = ecs_os_strlen(text) };
    ecs_set_id(world, entity, id, sizeof value, &value);
}

const char *ecs_get_name(const ecs_world_t *world, ecs_entity_t entity) {
    return get_text(world, entity, ECS__NAME);
}

const char *ecs_get_symbol(const ecs_world_t *world, ecs_entity_t entity) {
    return get_text(world, entity, ECS__SYMBOL);
}

// EcsWorld is named after the application.
bool ecs__name_is_fixed(const ecs_world_t *world, ecs_entity_t entity, const char *name) {
    if (!ecs__is_builtin(entity) || entity == Ecs__World) return false;
    const char *old = ecs_get_name(world, entity);
    return old && (!name || strcmp(old, name) != 0);
}

// Commands that are recorded already may take away what is set now.
static bool may_change_until(const ecs_world_t *world) { return ecs_is_deferred(world); }

ecs_entity_t ecs_set_name(ecs_world_t *world, ecs_entity_t entity, const char *name) {
    if (!entity) return ecs_entity_init(world, &(ecs_entity_desc_t){ .name = name });
    ecs_check(ecs_is_alive(world, entity), ECS_INVALID_PARAMETER,
        "cannot name entity %u \"%s\": it is not alive", (uint32_t)entity, name ? name : "");
    const char *old = ecs_get_name(world, entity);
    bool is_same = old && name && !strcmp(old, name);
    ecs_check(!ecs__name_is_fixed(world, entity, name), ECS_INVALID_OPERATION,
        "cannot rename %s to \"%s\": it is a builtin entity", old, name ? name : "");
    if (!is_same || may_change_until(world)) set_text(world, entity, ECS__NAME, name);
    return entity;
error:
    return 0;
}

ecs_entity_t ecs__names_owner(const ecs_world_t *world, ecs__name_kind_t kind, const char *text) {
    ecs_entity_t owner = ecs__names_find(world, kind, 0, text, strlen(text));
    if (owner) return owner;
    return ecs__names_noted(ecs__stage_of(world)->queue->named, kind, 0, text, strlen(text));
}

bool ecs__names_check_unique(
    const ecs_world_t *world, ecs_entity_t entity, ecs__name_kind_t kind, const char *text) {
    ecs_entity_t owner = text ? ecs__names_owner(world, kind, text) : 0;
    if (!owner || owner == entity) return true;
    const char *name = ecs_get_name(world, owner);
    ecs_abort(ECS_ALREADY_DEFINED, "%s \"%s\" already belongs to entity %u (%s)",
        kind == ECS__SYMBOL ? "symbol" : "alias", text, (uint32_t)owner, name ? name : "unnamed");
    return false;
}

void ecs__names_check_noted(const ecs_world_t *world, const ecs__names_t *noted) {
    ecs__name_kind_t kind;
    ecs_entity_t owner = ecs__names_double(world, noted, false, &kind);
    if (!owner) return;
    const char *name = ecs_get_name(world, owner);
    ecs_abort(ECS_ALREADY_DEFINED,
        "a stage gave an entity a symbol, or alias, that belongs to entity %u (%s) by now",
        (uint32_t)owner, name ? name : "unnamed");
}

static void set_unique(
    ecs_world_t *world, ecs_entity_t entity, ecs__name_kind_t kind, const char *text) {
    ecs_check(ecs_is_alive(world, entity), ECS_INVALID_PARAMETER,
        "cannot give entity %u the %s \"%s\": it is not alive", (uint32_t)entity,
        kind == ECS__SYMBOL ? "symbol" : "alias", text ? text : "");
    bool is_same = text && ecs__names_find(world, kind, 0, text, strlen(text)) == entity;
    if (!is_same || may_change_until(world)) set_text(world, entity, kind, text);
    if (ecs_is_deferred(world)) ecs__names_announce(world, entity, kind, 0, text);
error:
    return;
}

ecs_entity_t ecs_set_symbol(ecs_world_t *world, ecs_entity_t entity, const char *symbol) {
    if (!ecs__names_check_unique(world, entity, ECS__SYMBOL, symbol)) return entity;
    if (!entity) entity = ecs_new(world);
    set_unique(world, entity, ECS__SYMBOL, symbol);
    return entity;
}

void ecs_set_alias(ecs_world_t *world, ecs_entity_t entity, const char *alias) {
    if (ecs__names_check_unique(world, entity, ECS__ALIAS, alias))
        set_unique(world, entity, ECS__ALIAS, alias);
}
