// SPDX-License-Identifier: MIT
#include "world/component.h"

#include <muster/ecs/entity.h>
#include <muster/ecs/extend.h>
#include <muster/ecs/iter.h>
#include <muster/ecs/log.h>
#include <muster/ecs/os.h>

#include "base/ctx.h"
#include "command/flush.h"
#include "id/type_info.h"
#include "mutate/check.h"
#include "mutate/traits.h"
#include "storage/typed.h"
#include "world/state.h"
#include "world/write.h"

// ---- lifecycle operations of a type, for users ----

void flecs_default_ctor(void *ptr, int32_t count, const ecs_type_info_t *type_info) {
    ECS__NEED(ptr && type_info);
    ecs_os_memset(ptr, 0, type_info->size * count);
}
void flecs_type_info_ctor(void *ptr, int32_t count, const ecs_type_info_t *type_info) {
    ecs__value_ctor(type_info, ptr, count);
}
void flecs_type_info_dtor(void *ptr, int32_t count, const ecs_type_info_t *type_info) {
    ecs__value_dtor(type_info, ptr, count);
}
void flecs_type_info_copy(
    void *dst, const void *src, int32_t count, const ecs_type_info_t *type_info) {
    ecs__value_copy(type_info, dst, src, count);
}
void flecs_type_info_move(void *dst, void *src, int32_t count, const ecs_type_info_t *type_info) {
    ecs__value_move(type_info, dst, src, count);
}
void flecs_type_info_copy_ctor(
    void *dst, const void *src, int32_t count, const ecs_type_info_t *type_info) {
    ecs__value_copy_ctor(type_info, dst, src, count);
}
static void default_move_ctor(
    void *dst, void *src, int32_t count, const ecs_type_info_t *type_info) {
    ecs__value_ctor(type_info, dst, count);
    ecs__value_move(type_info, dst, src, count);
}

void flecs_type_info_move_ctor(
    void *dst, void *src, int32_t count, const ecs_type_info_t *type_info) {
    ECS__NEED(dst && src && type_info);
    ecs_move_t move_ctor = type_info->hooks.move_ctor;
    (move_ctor ? move_ctor : default_move_ctor)(dst, src, count, type_info);
}
void flecs_type_info_ctor_move_dtor(
    void *dst, void *src, int32_t count, const ecs_type_info_t *type_info) {
    ecs__value_ctor_move_dtor(type_info, dst, src, count);
}
void flecs_type_info_move_dtor(
    void *dst, void *src, int32_t count, const ecs_type_info_t *type_info) {
    ecs__value_move_dtor(type_info, dst, src, count);
}

int flecs_type_info_cmp(const void *a, const void *b, const ecs_type_info_t *type_info) {
    ECS__NEED_OR(a && b && type_info, 0);
    ecs_cmp_t cmp = type_info->hooks.cmp;
    return cmp ? cmp(a, b, type_info) : memcmp(a, b, (size_t)type_info->size);
}
bool flecs_type_info_equals(const void *a, const void *b, const ecs_type_info_t *type_info) {
    ECS__NEED_OR(a && b && type_info, false);
    ecs_equals_t equals = type_info->hooks.equals;
    return equals ? equals(a, b, type_info) : !flecs_type_info_cmp(a, b, type_info);
}

// ---- hooks ----

static void default_copy_ctor(
    void *dst, const void *src, int32_t count, const ecs_type_info_t *type_info) {
    ecs__value_ctor(type_info, dst, count);
    ecs__value_copy(type_info, dst, src, count);
}

static bool default_equals(const void *a, const void *b, const ecs_type_info_t *type_info) {
    return !type_info->hooks.cmp(a, b, type_info);
}

static void default_ctor_move_dtor(
    void *dst, void *src, int32_t count, const ecs_type_info_t *type_info) {
    flecs_type_info_move_ctor(dst, src, count, type_info);
    ecs__value_dtor(type_info, src, count);
}

static void default_move_dtor(
    void *dst, void *src, int32_t count, const ecs_type_info_t *type_info) {
    bool has_move = type_info->hooks.move;
    if (has_move) ecs__value_move(type_info, dst, src, count);
    ecs__value_dtor(type_info, has_move ? src : dst, count);
    if (!has_move) ecs_os_memcpy(dst, src, type_info->size * count);
}

// The hooks that say how values are stored, for lists below.
// clang-format off
#define LIFECYCLE_HOOKS(X) \
    X(ctor, CTOR) \
    X(dtor, DTOR) \
    X(copy, COPY) \
    X(move, MOVE) \
    X(copy_ctor, COPY_CTOR) \
    X(move_ctor, MOVE_CTOR) \
    X(ctor_move_dtor, CTOR_MOVE_DTOR) \
    X(move_dtor, MOVE_DTOR)
// clang-format on

// Members that are not set keep their value; storage hooks that follow from others are filled in, unless they are illegal.
static void merge_hooks(ecs_type_hooks_t *to, const ecs_type_hooks_t *from) {
    const bool had_default_row_move = to->ctor_move_dtor == default_ctor_move_dtor;
    if (from->move || from->move_ctor) to->flags &= ~ECS_TYPE_HOOK_MOVES_AS_BYTES;
    to->flags |= from->flags & (ECS_TYPE_HOOKS_ILLEGAL | ECS_TYPE_HOOK_MOVES_AS_BYTES);
    const bool by_bytes = to->flags & ECS_TYPE_HOOK_MOVES_AS_BYTES;
#define X(name, NAME)                                 \
    if (from->name) {                                 \
        to->name = from->name;                        \
        to->flags &= ~ECS_TYPE_HOOK_##NAME##_ILLEGAL; \
    }
    LIFECYCLE_HOOKS(X)
    X(cmp, CMP)
    X(equals, EQUALS)
#undef X
    if ((to->dtor || to->copy || to->move) && !to->ctor) to->ctor = flecs_default_ctor;
    bool is_move_new = from->move || from->move_ctor || had_default_row_move;
    if (is_move_new && !from->ctor_move_dtor)
        to->ctor_move_dtor = by_bytes ? NULL : default_ctor_move_dtor;
    bool needs_move_dtor = from->move || (to->dtor && !to->move_dtor);
    if (needs_move_dtor && !from->move_dtor) to->move_dtor = default_move_dtor;
    if (to->copy && !to->copy_ctor) to->copy_ctor = default_copy_ctor;
    if (to->move && !to->move_ctor) to->move_ctor = default_move_ctor;
    if (from->cmp && !to->equals && !(from->flags & ECS_TYPE_HOOK_EQUALS_ILLEGAL)) {
        to->equals = default_equals;
        to->flags &= ~ECS_TYPE_HOOK_EQUALS_ILLEGAL;
    }
    to->flags &= ~ECS_TYPE_HOOKS;
#define X(name, NAME)                                                \
    if (to->flags & ECS_TYPE_HOOK_##NAME##_ILLEGAL) to->name = NULL; \
    to->flags |= to->name ? ECS_TYPE_HOOK_##NAME : 0;
    LIFECYCLE_HOOKS(X)
    X(cmp, CMP)
    X(equals, EQUALS)
#undef X
    if (!to->cmp) to->flags |= ECS_TYPE_HOOK_CMP_ILLEGAL;
    if (!to->equals && !to->cmp) to->flags |= ECS_TYPE_HOOK_EQUALS_ILLEGAL;
    if (from->on_add) to->on_add = from->on_add;
    if (from->on_set) to->on_set = from->on_set;
    if (from->on_remove) to->on_remove = from->on_remove;
    if (from->on_replace) to->on_replace = from->on_replace;
    if (from->on_validate) to->on_validate = from->on_validate;
}

// A context is freed when it is replaced. The same one may be given another who frees it.
static void merge_ctx(
    void **ctx, ecs_ctx_free_t *ctx_free, void *new_ctx, ecs_ctx_free_t new_free) {
    const bool is_same = new_ctx == *ctx;
    if (!new_ctx || (is_same && !new_free)) return;
    if (!is_same) ecs__ctx_free(*ctx, *ctx_free);
    *ctx = new_ctx;
    *ctx_free = new_free;
}

static bool changes_storage(const ecs_type_hooks_t *set, const ecs_type_hooks_t *wanted) {
#define X(name, NAME) \
    if (wanted->name && wanted->name != set->name) return true;
    LIFECYCLE_HOOKS(X)
#undef X
    return false;
}

static bool is_another(ecs_iter_action_t set, ecs_iter_action_t wanted) {
    return set && wanted && set != wanted;
}

// What the library does when values of its own components come, change or go makes them what they are.
static bool replaces_builtin(const ecs_type_info_t *type, const ecs_type_hooks_t *wanted) {
    const ecs_type_hooks_t *set = &type->hooks;
    return ecs__is_builtin(type->component) &&
           (is_another(set->on_add, wanted->on_add) || is_another(set->on_set, wanted->on_set) ||
               is_another(set->on_remove, wanted->on_remove));
}

static bool contradicts_itself(const ecs_type_hooks_t *hooks) {
#define X(name, NAME) \
    if (hooks->name && hooks->flags & ECS_TYPE_HOOK_##NAME##_ILLEGAL) return true;
    LIFECYCLE_HOOKS(X)
    X(cmp, CMP)
    X(equals, EQUALS)
#undef X
    return false;
}

static void refresh_table(ecs_table_t *table, void *ctx) {
    (void)ctx;
    ecs__table_refresh_hooks(table);
}

static bool is_queued(ecs__queue_iter_t iter, const ecs_type_info_t *type) {
    const ecs__cmd_t *cmd;
    while ((cmd = ecs__queue_next(&iter))) {
        const ecs__cmd_what_t *what = ecs__cmd_what(cmd);
        const bool is_value = ecs__cmd_holds_value(cmd) || what->kind == ECS__CMD_EMPLACE;
        if (is_value && what->as.type_info == type) return true;
    }
    return false;
}

// Commands that wait, but for those in stages of one's own, bring values of the type. What jobs recorded is being applied then.
static bool is_awaited(const ecs_world_t *world, const ecs_type_info_t *type) {
    bool found = world->flush->rest && is_queued(*world->flush->rest, type);
    for (int32_t i = 0; !found && i < world->stage_count; i++) {
        found = is_queued(ecs__queue_iter(world->stages[i]->own, 2), type);
    }
    return found;
}

// Entities have values of it, or somebody owns some.
// Also of a component that was none in between.
static bool is_owned(const ecs__store_t *store, ecs_entity_t component) {
    const ecs_type_info_t *type = ecs__type_info_get(store, component);
    bool has_values = type && type->values;
    for (int32_t i = 0; !type && !has_values && i < store->retired_count; i++)
        has_values = store->retired[i]->component == component && store->retired[i]->values;
    return has_values;
}

static bool has_values(ecs_world_t *world, ecs_entity_t component) {
    return is_owned(&world->store, component) || ecs__has_values(&world->store, component);
}

static bool is_in_use(ecs_world_t *world, ecs_entity_t component) {
    const ecs_type_info_t *type = ecs__type_info_get(&world->store, component);
    return has_values(world, component) || (type && is_awaited(world, type));
}

void ecs_set_hooks_id(ecs_world_t *world, ecs_entity_t component, const ecs_type_hooks_t *hooks) {
    ECS__NEED(hooks);
    ECS__CHECK(ecs__check_writer(world));
    ecs_world_t *real = ecs__world_of(world);
    ecs_type_info_t *type = ecs__type_info_get(&real->store, component);
    ecs_check(!(real->flags & EcsWorldMultiThreaded), ECS_INVALID_WHILE_READONLY,
        "cannot set hooks of %s while systems run on several threads", ECS__TEXT(world, component));
    ecs_check(type && type->size, ECS_INVALID_PARAMETER,
        "cannot set hooks of %s: it is no component with a size", ECS__TEXT(world, component));
    ecs_check(!contradicts_itself(hooks), ECS_INVALID_PARAMETER,
        "hooks of %s: a hook is both set and marked as illegal", ECS__TEXT(world, component));
    ecs_check(!replaces_builtin(type, hooks), ECS_INVALID_OPERATION,
        "cannot replace a hook of %s, which is builtin; use an observer",
        ECS__TEXT(world, component));
    ecs_check(!changes_storage(&type->hooks, hooks) || !is_in_use(real, component),
        ECS_ALREADY_IN_USE,
        "cannot set hooks of %s: entities, owned values, or commands that wait, already have it, or a table with it is in use",
        ECS__TEXT(world, component));
    merge_ctx(&type->hooks.ctx, &type->hooks.ctx_free, hooks->ctx, hooks->ctx_free);
    merge_ctx(&type->hooks.binding_ctx, &type->hooks.binding_ctx_free, hooks->binding_ctx,
        hooks->binding_ctx_free);
    merge_ctx(&type->hooks.lifecycle_ctx, &type->hooks.lifecycle_ctx_free, hooks->lifecycle_ctx,
        hooks->lifecycle_ctx_free);
    merge_hooks(&type->hooks, hooks);
    ecs__each_table_of_type(&real->store, component, refresh_table, NULL);
error:
    return;
}

const ecs_type_hooks_t *ecs_get_hooks_id(const ecs_world_t *world, ecs_entity_t component) {
    const ecs_type_info_t *type = ecs__type_info_get(&ecs__world_of(world)->store, component);
    return type ? &type->hooks : NULL;
}

// ---- EcsComponent ----

static void delete_table(ecs_table_t *table, void *ctx) {
    (void)ctx;
    ecs__table_delete(table);
}

// Those made before (or after) the entity was a component have other columns: none may be left. There are no values.
static void drop_tables(ecs_world_t *world, ecs_entity_t component) {
    ecs__each_table_of_type(&world->store, component, delete_table, NULL);
}

bool ecs_ext_may_store(const ecs_world_t *poly, ecs_entity_t component, const ecs_type_info_t *as) {
    ecs_world_t *world = ecs__world_of(poly);
    const ecs_type_info_t *type = ecs__type_info_get(&world->store, component);
    bool is_same = type && type->size == as->size && type->alignment == as->alignment &&
                   !changes_storage(&type->hooks, &as->hooks);
    return is_same || !is_in_use(world, component);
}

// Ids that carry the component's values: its own and its pairs.
static void refresh_ids(ecs_world_t *world, ecs_entity_t component) {
    ecs__store_t *store = &world->store;
    ecs_component_record_t *own = ecs__id_record_ensure(store, component);
    bool is_queried = ecs__is_queried(world, component);
    ecs__traits_mark_id(store, own); /* it ends with the component */
    ecs__id_record_refresh(store, own);
    const ecs_component_record_t *targets =
        ecs__id_record_get(store, ECS__MAKE_PAIR(Ecs__Wildcard, component));
    ecs_component_record_t *pair = NULL;
    while (targets && (pair = ecs__id_record_next_second(targets, pair))) {
        ecs__id_record_refresh(store, pair);
        is_queried |= pair->query_count > 0;
    }
    if (!is_queried) return;
    ecs__queries_follow_types(&world->queries);
    world->types_stamp++;
}

// Says so if no column can hold such values.
static bool check_layout(ecs_world_t *world, int32_t size, int32_t alignment) {
    if (size < 0 || (size == 0) != (alignment == 0)) {
        return ecs__refuse(world, ECS_INVALID_COMPONENT_SIZE,
            "a component has a size and an alignment, or neither: not %d and %d", size, alignment);
    }
    bool is_aligned = !(alignment & (alignment - 1)) && alignment <= 64;
    return is_aligned ||
           ecs__refuse(world, ECS_INVALID_COMPONENT_ALIGNMENT,
               "columns are aligned to powers of two up to 64 bytes, not to %d", alignment);
}

static bool check_described(ecs_world_t *world, ecs_entity_t entity, const EcsComponent *wanted) {
    const ecs_ext_reflection_t *reflection = world->reflection;
    return !reflection || reflection->may_resize(world, entity, wanted->size, wanted->alignment) ||
           ecs__refuse(world, ECS_ALREADY_DEFINED,
               "cannot give values of %s %d bytes, aligned to %d: it, or a type that it is part of, is described with others",
               ECS__TEXT(world, entity), wanted->size, wanted->alignment);
}

bool ecs__component_check(ecs_world_t *world, ecs_entity_t entity, const EcsComponent *wanted) {
    const ecs_type_info_t *type = ecs__type_info_get(&world->store, entity);
    const EcsComponent present =
        type ? (EcsComponent){ type->size, type->alignment } : (EcsComponent){ 0 };
    if (present.size == wanted->size && present.alignment == wanted->alignment) return true;
    if (!check_layout(world, wanted->size, wanted->alignment)) return false;
    if (ecs_id_is_wildcard(entity)) { /* its pairs stand for others, which have values or not */
        return ecs__refuse(world, ECS_INVALID_PARAMETER, "%s is a wildcard, which has no values",
            ECS__TEXT(world, entity));
    }
    if (!check_described(world, entity, wanted)) return false;
    return !has_values(world, entity) ||
           ecs__refuse(world, ECS_ALREADY_IN_USE,
               "cannot %s %s: entities, or owned values, already have it, or a table with it is in use",
               type ? "change the size of" : "make a component of", ECS__TEXT(world, entity));
}

// What is refused is put back before it is.
static void register_type(ecs_world_t *world, ecs_entity_t entity, EcsComponent *value) {
    ecs_type_info_t *type = ecs__type_info_get(&world->store, entity);
    const EcsComponent wanted = *value;
    *value = type ? (EcsComponent){ type->size, type->alignment } : (EcsComponent){ 0 };
    if (value->size == wanted.size && value->alignment == wanted.alignment) return;
    if (!ecs__component_check(world, entity, &wanted)) return;
    drop_tables(world, entity);
    *value = wanted;
    type = ecs__type_info_declare(&world->store, entity, value->size, value->alignment);
    if (!type->name) {
        const char *name = ecs_get_name(world, entity);
        type->name = name ? ecs_os_strdup(name) : NULL;
    }
    refresh_ids(world, entity);
}

static void on_set_component(ecs_iter_t *it) {
    if (it->event_id != Ecs__Component) return; /* pairs with it say nothing */
    EcsComponent *values = it->ptrs[0];
    for (int32_t i = 0; i < it->count; i++)
        register_type(it->real_world, it->entities[i], &values[i]);
}

// Deleting a component takes its type info when the last table is gone (cleanup); here it only
// stops being one. mutate/check refuses that while entities have values of it; who suspends deferring may have given it to some
// since. Owned values outlive it.
static void on_remove_component(ecs_iter_t *it) {
    if (it->event_id != Ecs__Component) return;
    ecs_world_t *world = it->real_world;
    if (world->deleting || world->flags & EcsWorldFini) return;
    for (int32_t i = 0; i < it->count; i++) {
        ecs_entity_t entity = it->entities[i];
        if (!ecs__type_info_get(&world->store, entity)) continue;
        if (ecs__has_values(&world->store, entity)) continue;
        drop_tables(world, entity);
        ecs__type_info_delete(&world->store, entity);
        refresh_ids(world, entity);
    }
}

void ecs__component_bootstrap(ecs_world_t *world) {
    ecs_type_info_t *type = ecs__type_info_declare_t(&world->store, Ecs__Component, EcsComponent);
    type->hooks.on_set = on_set_component;
    type->hooks.on_remove = on_remove_component;
}

// ---- registration ----

static void check_same_type(const ecs_world_t *world, ecs_entity_t entity, const EcsComponent *set,
    const ecs_type_info_t *wanted) {
    if (set->size != wanted->size) {
        ecs_abort(ECS_INVALID_COMPONENT_SIZE, "component %s is registered with %d bytes, not %d",
            ECS__TEXT(world, entity), set->size, wanted->size);
    } else if (set->alignment != wanted->alignment) {
        ecs_abort(ECS_INVALID_COMPONENT_ALIGNMENT,
            "component %s is registered with alignment %d, not %d", ECS__TEXT(world, entity),
            set->alignment, wanted->alignment);
    }
}

static bool any_hook(const ecs_type_hooks_t *hooks) {
    static const ecs_type_hooks_t none;
    return memcmp(hooks, &none, sizeof(none)) != 0;
}

static void apply_registration(
    ecs_world_t *world, ecs_entity_t entity, const ecs_type_info_t *type) {
    EcsComponent value = { type->size, type->alignment };
    const ecs__at_once_t at_once = ecs__at_once_begin(world);
    ecs__set_copy(world, entity, Ecs__Component, &value);
    ecs_type_info_t *own = ecs__type_info_get(&world->store, entity);
    if (own && !own->name && type->name)
        own->name = ecs_os_strdup(type->name); /* that of its entity may wait */
    if (type->size) ecs__add(world, entity, Ecs__Final);
    ecs__at_once_end(world, at_once);
}

ecs_entity_t ecs_component_init(ecs_world_t *world, const ecs_component_desc_t *desc) {
    ecs_world_t *real = ecs__world_of(world);
    const ecs_type_info_t *type = desc ? &desc->type : NULL;
    ecs_check(type && !desc->_canary, ECS_INVALID_PARAMETER,
        "ecs_component_desc_t was not initialised to zero before its members were set");
    ecs_check(!(real->flags & EcsWorldMultiThreaded), ECS_INVALID_WHILE_READONLY,
        "cannot register components in multithreaded mode");
    ECS__CHECK(ecs__check_writer(world));
    if (!check_layout(real, type->size, type->alignment)) return 0;
    world = ecs__writer_of(world);
    ecs_entity_t entity = desc->entity;
    if (!entity) {
        entity =
            ecs_entity_init(world, &(ecs_entity_desc_t){ .name = type->name, .use_low_id = true });
    } else if (!ecs_is_alive(world, entity)) {
        ecs_make_alive(world, entity);
    }
    if (!ecs_is_alive(world, entity)) return 0; /* it was refused */
    const EcsComponent *set = ecs_get_id(world, entity, Ecs__Component);
    if (set) {
        check_same_type(world, entity, set, type);
    } else {
        if (!ecs__component_check(real, entity, &(EcsComponent){ type->size, type->alignment }))
            return 0;
        apply_registration(real, entity, type);
    }
    if (any_hook(&type->hooks)) ecs_set_hooks_id(world, entity, &type->hooks);
    return entity;
error:
    return 0;
}

// ---- ids by number ----

int32_t flecs_component_ids_index_get(void) {
    static uint32_t last;
    return (int32_t)ecs__faa_32(&last, 1) + 1;
}

void flecs_component_ids_set(ecs_world_t *poly, int32_t index, ecs_entity_t component) {
    ecs_world_t *world = ecs__world_of(poly);
    ecs_check(index > 0, ECS_INVALID_PARAMETER,
        "%d is no number that flecs_component_ids_index_get gave out", index);
    ecs_check(!(world->flags & EcsWorldMultiThreaded), ECS_INVALID_WHILE_READONLY,
        "cannot remember ids of components in multithreaded mode");
    ecs_vec_set_min_count_zeromem(NULL, &world->component_ids, ECS_SIZEOF(ecs_entity_t), index + 1);
    *ecs_vec_get_t(&world->component_ids, ecs_entity_t, index) = component;
error:
    return;
}

ecs_entity_t flecs_component_ids_get(const ecs_world_t *poly, int32_t index) {
    const ecs_vec_t *ids = &ecs__world_of(poly)->component_ids;
    if (index < 0 || index >= ecs_vec_count(ids)) return 0;
    return *ecs_vec_get_t(ids, ecs_entity_t, index);
}

ecs_entity_t flecs_component_ids_get_alive(const ecs_world_t *world, int32_t index) {
    ecs_entity_t component = flecs_component_ids_get(world, index);
    return component && ecs_is_alive(world, component) ? component : 0;
}
