// SPDX-License-Identifier: MIT
// json_load: entities and worlds from JSON.
//
// The text is gone through up to three times: first dry, to find mistakes before anything changes;
// then for what must be there before anything is used: traits, and entities with a name or id; then to apply it.
// A saved entity has what it had: its bases give it nothing.
#include <stdlib.h>

#include <muster/ecs/extend.h>
#include <muster/ecs/hierarchy.h>
#include <muster/ecs/json.h>

#include "base/aligned.h"
#include "command/record.h"
#include "mutate/check.h"
#include "mutate/mutate.h"
#include "mutate/parent.h"
#include "mutate/report.h"
#include "mutate/traits.h"
#include "name/lookup.h"
#include "name/names.h"
#include "reflect/lifecycle.h"
#include "reflect/text.h"
#include "serialize/json_entity.h"
#include "serialize/json_names.h"
#include "serialize/json_order.h"
#include "serialize/json_value.h"
#include "world/state.h"
#include "world/write.h"

// An entity that gets a name at the end, as others may have it, too.
typedef struct double_t {
    ecs_entity_t entity;
    char *name;
} double_t;

typedef struct loader_t {
    ecs_world_t *world;
    ecs__json_t json;
    ecs__json_names_t names;
    ecs_vec_t switched;   /* ids to switch off when its end is read; on, with ECS_TOGGLE */
    ecs_entity_t parent;  /* of the present entity, as the text says, */
    char *parent_path;    /* by this path; NULL: the root */
    ecs_vec_t waiting;    /* ids of the present entity that a queue has, not the entity */
    ecs_vec_t listed;     /* worlds: the entities of the text, in its order */
    ecs_vec_t doubles;    /* double_t */
    ecs_vec_t no_prefabs; /* saved children without the tag that those of a prefab get */
    bool is_saved;        /* the present entity of a world has an id, */
    bool is_prefab;       /* and this tag */
    bool has_early;       /* something in the text must be there before anything is used */
    bool early_only;      /* the pass for that */
} loader_t;

// What an object says about who it is.
typedef struct identity_t {
    char *name, *parent, *named;
    uint64_t id;
} identity_t;

// ---- Tags and pairs ----

static bool is_made_up(ecs_id_t id) {
    if (!ECS_IS_PAIR(id)) return (id & ECS_COMPONENT_MASK) == EcsAny;
    return ECS_PAIR_FIRST(id) == EcsAny || ECS_PAIR_SECOND(id) == EcsAny;
}

// Hooks and observers may delete an entity while it is read. The rest of its object is passed over.
static bool is_gone(const loader_t *l, ecs_entity_t entity) {
    return !l->names.dry && !ecs_is_alive(l->world, entity);
}

// Presence ids, which tell of pairs beside the table, count as little as wildcards do.
static bool has(const loader_t *l, ecs_entity_t entity, ecs_id_t id) {
    const ecs_component_record_t *record = ecs__id_record_get(&ecs__world_of(l->world)->store, id);
    const bool is_presence = record && ecs__id_is_presence(record);
    return !is_presence && !ecs_id_is_wildcard(id) && ecs_owns_id(l->world, entity, id);
}

// Mistakes that show before anything changes are errors. What turns out to be one only then (ids of
// the text that exclude each other, say) is left out, after a sentence.
static bool may_add(loader_t *l, ecs_entity_t entity, ecs_id_t id) {
    if (l->names.dry && (entity == EcsAny || is_made_up(id))) return true;
    if (is_gone(l, entity)) return false;
    if (has(l, entity, id) || ecs_ext_may_add(l->world, entity, id)) return true;
    return l->names.dry && ecs__json_fail(&l->json, "this cannot be added, see above");
}

// SlotOf makes a relationship of a kind as well.
static bool is_trait(const ecs_world_t *world, ecs_entity_t entity) {
    bool exists = entity && ecs_is_alive(world, entity);
    if (entity == EcsSlotOf) return true;
    return exists && entity != EcsIsA && entity != EcsChildOf && entity != EcsOrderedChildren &&
           ecs_has_id(world, entity, EcsTrait);
}

// In the early pass, other names are passed over.
static bool is_due(const loader_t *l, const char *name) {
    return !l->early_only || is_trait(l->world, ecs__json_lookup(l->world, name));
}

static bool is_listed(const ecs_vec_t *ids, ecs_id_t id) {
    int32_t i = 0;
    while (i < ids->count && *ecs_vec_get_t(ids, ecs_id_t, i) != id) i++;
    return i < ids->count;
}

// List an id and what would come with it that is not there.
static void list_implied(const loader_t *l, ecs_entity_t entity, ecs_id_t id, ecs_vec_t *ids) {
    ecs_id_t implied;
    *ecs_vec_append_t(NULL, ids, ecs_id_t) = id;
    for (int32_t n = 0; (implied = ecs__id_implied(&ecs__world_of(l->world)->store, id, n)); n++) {
        if (!has(l, entity, implied) && !is_listed(&l->waiting, implied) &&
            !is_listed(ids, implied))
            list_implied(l, entity, implied, ids);
    }
}

static void add_base(ecs_world_t *world, ecs_entity_t entity, ecs_id_t is_a) {
    const bool as_input = ecs__refuse_as_input(true);
    const bool is_allowed = ecs__check_add(world, entity, is_a);
    ecs__refuse_as_input(as_input);
    if (!is_allowed) return;
    ecs_defer_begin(world);
    ecs__add_exactly(world, entity, is_a);
    ecs_defer_end(world);
}

// While deferred it is judged when it is applied, as what it is: of a text.
static void add_input(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    ecs_stage_t *stage = ecs__stage_of(world);
    if (ecs__stage_defers(stage)) {
        ECS__CHECK(ecs__check_change_id(world, entity, id, "add an id to"));
        ecs__record_add_input(stage, entity, id);
    } else {
        ecs_add_id(world, entity, id);
    }
error:
    return;
}

// A saved entity says itself which of the ids that come with this one it had, and what of its bases. In one step: nobody hears of the
// others.
static void add_alone(loader_t *l, ecs_entity_t entity, ecs_id_t id) {
    if (l->is_saved && ecs_is_deferred(l->world))
        *ecs_vec_append_t(NULL, &l->waiting, ecs_id_t) = id;
    if (l->is_saved && ECS_IS_PAIR(id) && ecs_pair_first(l->world, id) == EcsIsA) {
        ecs_ext_act(l->world, entity, add_base, id);
        return;
    }
    ecs_vec_t ids = { 0 };
    if (l->is_saved && ecs__id_implied(&ecs__world_of(l->world)->store, id, 0))
        list_implied(l, entity, id, &ids);
    if (ids.count) ecs_defer_begin(l->world);
    add_input(l->world, entity, id);
    for (int32_t i = 1; i < ids.count; i++)
        ecs_remove_id(l->world, entity, *ecs_vec_get_t(&ids, ecs_id_t, i));
    if (ids.count) ecs_defer_end(l->world);
    ecs_vec_fini_t(NULL, &ids, ecs_id_t);
}

static bool add(loader_t *l, ecs_entity_t entity, ecs_id_t id) {
    bool allowed = may_add(l, entity, id);
    ecs_entity_t first = ECS_IS_PAIR(id) ? ecs_pair_first(l->world, id) : id & ECS_COMPONENT_MASK;
    l->has_early |= l->names.dry && is_trait(l->world, first);
    if (allowed && !l->names.dry && !has(l, entity, id)) add_alone(l, entity, id);
    return !l->json.failed;
}

static bool read_tag(loader_t *l, ecs_entity_t entity) {
    char *text = ecs__json_string(&l->json), *name = text;
    if (!text) return false;
    if (!is_due(l, text)) {
        ecs_os_free(text);
        return true;
    }
    bool is_on = !strncmp(name, ECS__JSON_ENABLED, strlen(ECS__JSON_ENABLED));
    if (is_on) name += strlen(ECS__JSON_ENABLED);
    ecs_id_t id, mark = ecs__text_read_marks(&name);
    bool success = ecs__json_resolve_id(&l->names, name, &id);
    ecs_os_free(text);
    if (!success) return false;
    l->is_prefab |= id == EcsPrefab;
    if (!is_on && mark != ECS_TOGGLE) return add(l, entity, mark | id);
    *ecs_vec_append_t(NULL, &l->switched, ecs_id_t) = is_on ? id | ECS_TOGGLE : id;
    return true;
}

static bool read_tags(loader_t *l, ecs_entity_t entity) {
    if (!ecs__json_expect(&l->json, '[')) return false;
    for (bool first = true; ecs__json_element(&l->json, first); first = false) {
        if (!read_tag(l, entity)) return false;
    }
    return !l->json.failed;
}

static bool read_target(loader_t *l, ecs_entity_t entity, ecs_entity_t relationship) {
    ecs_id_t pair;
    char *name = ecs__json_string(&l->json);
    bool success =
        name && ecs__json_resolve_pair(&l->names, relationship, name, ECS__TEXT_SECOND, &pair);
    ecs_os_free(name);
    return success && add(l, entity, pair);
}

static bool read_targets(loader_t *l, ecs_entity_t entity, ecs_entity_t relationship) {
    if (!ecs__json_accept(&l->json, '[')) return read_target(l, entity, relationship);
    for (bool first = true; ecs__json_element(&l->json, first); first = false) {
        if (!read_target(l, entity, relationship)) return false;
    }
    return !l->json.failed;
}

static bool read_pairs(loader_t *l, ecs_entity_t entity) {
    char *name;
    if (!ecs__json_expect(&l->json, '{')) return false;
    for (bool first = true; (name = ecs__json_member(&l->json, first)); first = false) {
        ecs_entity_t relationship;
        bool due = is_due(l, name),
             success = due && ecs__json_resolve(&l->names, name, &relationship);
        ecs_os_free(name);
        if (due ? !success || !read_targets(l, entity, relationship) : !ecs__json_skip(&l->json))
            return false;
    }
    return !l->json.failed;
}

// ---- Components ----

static bool read_to(loader_t *l, ecs_entity_t type, void *ptr) {
    ecs_meta_cursor_t cursor = ecs_meta_cursor(l->world, type, ptr);
    cursor.lookup_action = ecs__json_find;
    cursor.lookup_ctx = &l->names;
    return ecs__json_value(&l->json, &cursor);
}

// True if a copy of a value would share what it owns.
static bool is_shallow(const loader_t *l, const ecs_type_info_t *info) {
    return !info->hooks.copy && !ecs__is_plain(l->world, info);
}

// The entity's value, or a queued one while deferred. An override of a shallow one leaves to the base what the base's value owns.
// NULL: the id was refused, or taken again.
static void *ensure(loader_t *l, ecs_entity_t entity, ecs_id_t id, const ecs_type_info_t *info) {
    const bool is_new = !ecs_owns_id(l->world, entity, id), waits = ecs_is_deferred(l->world);
    if (is_new && (!waits || l->is_saved)) add_alone(l, entity, id);
    if (is_gone(l, entity) || !(waits || ecs_owns_id(l->world, entity, id))) return NULL;
    void *value = ecs_ensure_id(l->world, entity, id, (size_t)info->size);
    if (value && is_new && is_shallow(l, info)) memset(value, 0, (size_t)info->size);
    return value;
}

// While the world is readonly, or from a stage of one's own, others may look at what is there.
static bool is_looked_at(
    const loader_t *l, ecs_entity_t entity, ecs_id_t id, const ecs_type_info_t *info) {
    const bool is_readonly = ecs__world_of(l->world)->flags & EcsWorldReadonly;
    return (is_readonly || ecs_stage_get_id(l->world) != 0) &&
           !(info->hooks.flags & ECS_TYPE_HOOK_COPY_ILLEGAL) && ecs_owns_id(l->world, entity, id);
}

// A copy of `present`, or a default value.
static void *value_like(const loader_t *l, const ecs_type_info_t *info, const void *present) {
    void *value = ecs__aligned_calloc(info->size, info->alignment);
    if (present)
        ecs__value_copy_new(l->world, info, value, present);
    else
        flecs_type_info_ctor(value, 1, info);
    return value;
}

// To a value beside the entity, which is then set (hooks see what it replaces), or dropped. What a shallow one owns goes with its bytes.
static bool read_apart(
    loader_t *l, ecs_entity_t entity, ecs_id_t id, ecs_entity_t type, bool sets) {
    const ecs_type_info_t *info = ecs_get_type_info(l->world, type);
    const bool has_value = sets && ecs_owns_id(l->world, entity, id);
    const void *present = has_value ? ecs_get_id(l->world, entity, id) : NULL;
    void *value = value_like(l, info, present);
    const bool success = read_to(l, type, value);
    if (success && sets && !has_value) add_alone(l, entity, id);
    sets = sets && success && !is_gone(l, entity);
    if (sets) ecs_set_id(l->world, entity, id, (size_t)info->size, value);
    if (!sets)
        ecs__value_drop(l->world, info, value);
    else if (!is_shallow(l, info))
        flecs_type_info_dtor(value, 1, info);
    ecs__aligned_free(value, info->alignment);
    return success;
}

// The value stays where it is until it is read, whatever observers do about entities that it names first.
static bool read_in_place(
    loader_t *l, ecs_entity_t entity, ecs_id_t id, ecs_entity_t type, void *value) {
    const bool waits = ecs_is_deferred(l->world);
    ecs_defer_begin(l->world);
    const bool success = read_to(l, type, value);
    ecs_defer_end(l->world);
    if (!is_gone(l, entity) && (waits || ecs_owns_id(l->world, entity, id)))
        ecs_modified_id(l->world, entity, id);
    return success;
}

static bool read_value(loader_t *l, ecs_entity_t entity, ecs_id_t id, ecs_entity_t type) {
    const ecs_type_info_t *info = ecs_get_type_info(l->world, type);
    const bool allowed = may_add(l, entity, id) && !l->names.dry;
    if (l->json.failed) return false;
    if (allowed && (info->hooks.on_replace || is_looked_at(l, entity, id, info)))
        return read_apart(l, entity, id, type, true);
    void *value = allowed ? ensure(l, entity, id, info) : NULL;
    return value ? read_in_place(l, entity, id, type, value)
                 : read_apart(l, entity, id, type, false);
}

static void set_parent(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent) {
    const bool as_input = ecs__refuse_as_input(true);
    const bool is_allowed = ecs__parent_check(world, entity, parent);
    ecs__refuse_as_input(as_input);
    if (is_allowed) ecs_set(world, entity, EcsParent, { parent });
}

// The child that "parent" made becomes one by component.
static bool read_parent(loader_t *l, ecs_entity_t entity) {
    const bool may_set = !l->names.dry && l->parent && !is_gone(l, entity);
    if (may_set && !ecs_owns(l->world, entity, EcsParent))
        ecs_ext_act(l->world, entity, set_parent, l->parent);
    return ecs__json_skip(&l->json);
}

static bool read_component(loader_t *l, ecs_entity_t entity, char *name) {
    ecs_id_t id;
    if (!ecs__json_resolve_id(&l->names, name, &id)) return false;
    if (id == ecs_id(EcsParent)) return read_parent(l, entity);
    if (ecs__json_is_builtin(id)) return ecs__json_skip(&l->json);
    if (ecs__json_accept_word(&l->json, "null")) {
        return add(l, entity, id);
    }
    ecs_entity_t type = id == EcsAny ? 0 : ecs_get_typeid(l->world, id);
    if (type && ecs__type_ops(l->world, type)) return read_value(l, entity, id, type);
    if (l->names.desc->strict) {
        return ecs__json_fail(
            &l->json, "the value cannot be read: its component has no description");
    }
    return ecs__json_skip(&l->json);
}

static bool read_components(loader_t *l, ecs_entity_t entity) {
    char *name;
    if (!ecs__json_expect(&l->json, '{')) return false;
    for (bool first = true; (name = ecs__json_member(&l->json, first)); first = false) {
        bool success = read_component(l, entity, name);
        ecs_os_free(name);
        if (!success) return false;
    }
    return !l->json.failed;
}

// ---- Entities ----

static bool read_identity_member(loader_t *l, const char *key, identity_t *identity) {
    char **text = !strcmp(key, "name")     ? &identity->name
                  : !strcmp(key, "parent") ? &identity->parent
                  : !strcmp(key, "named")  ? &identity->named
                                           : NULL;
    if (text) {
        ecs_os_free(*text);
        return (*text = ecs__json_string(&l->json)) != NULL;
    }
    if (strcmp(key, "id") != 0) return ecs__json_skip(&l->json);
    ecs__json_number_t number;
    if (!ecs__json_number(&l->json, &number)) return false;
    if (number.kind != ECS__JSON_UINT) return ecs__json_fail(&l->json, "an id is a number");
    identity->id = number.as.u;
    return true;
}

// Looks ahead through the whole object.
static bool read_identity(loader_t *l, identity_t *identity) {
    const char *at = l->json.at;
    char *key;
    if (!ecs__json_expect(&l->json, '{')) return false;
    for (bool first = true; (key = ecs__json_member(&l->json, first)); first = false) {
        bool success = read_identity_member(l, key, identity);
        ecs_os_free(key);
        if (!success) return false;
    }
    if (!l->json.failed) l->json.at = at;
    return !l->json.failed;
}

static bool is_named(const identity_t *identity) {
    return identity->name && identity->name[0] && !ecs__json_is_unnamed(identity->name);
}

// Of an entity without name; 0: nothing else in the text can mean it.
static uint64_t number_of(const identity_t *identity) {
    const bool has_name = identity->name && identity->name[0];
    return has_name ? strtoull(identity->name + 1, NULL, 10) : identity->id;
}

static void forget_parent(loader_t *l) {
    ecs_os_free(l->parent_path);
    l->parent_path = NULL;
    l->parent = 0;
}

// Siblings follow each other.
static bool is_parent_known(const loader_t *l, const char *path) {
    return path && l->parent_path && !strcmp(path, l->parent_path) && !is_gone(l, l->parent);
}

static bool find_parent(loader_t *l, identity_t *identity) {
    if (is_parent_known(l, identity->parent)) return true;
    forget_parent(l);
    const char *path = l->parent_path = identity->parent;
    identity->parent = NULL;
    if (path && (!strcmp(path, "*") || !strcmp(path, "_")))
        return ecs__json_fail(&l->json, "'%s' cannot be a parent", path);
    return !path || ecs__json_resolve(&l->names, path, &l->parent);
}

// A child by component stays one.
static bool add_parent(loader_t *l, ecs_entity_t entity) {
    return !l->parent || is_gone(l, entity) || ecs_get_parent(l->world, entity) == l->parent ||
           add(l, entity, ecs_childof(l->parent));
}

// Whoever named it before its object comes said no more than a builtin's name, "0", or its number.
static bool must_be_early(const loader_t *l, const identity_t *identity) {
    return ecs_lookup_path_w_sep(l->world, EcsFlecsCore, identity->name, "", NULL, false) ||
           !strcmp(identity->name, "0") || ecs_map_get(&l->names.ahead, identity->id);
}

// The entity of an object of a world; EcsAny if it is to be made.
static bool find_identity(loader_t *l, identity_t *identity, ecs_entity_t *entity) {
    if (!find_parent(l, identity)) return false;
    if (l->parent && is_gone(l, l->parent)) {
        *entity = l->parent; /* and so is all that would be below it */
        return true;
    }
    if (!is_named(identity)) {
        const uint64_t number = number_of(identity);
        if (l->names.dry) ecs__json_note_number(&l->names, number, 0);
        *entity = number         ? ecs__json_find_number(&l->names, number)
                  : l->names.dry ? EcsAny
                                 : ecs_new(l->world);
        return add_parent(l, *entity);
    }
    const char *name = identity->name;
    if (!l->names.dry)
        *entity = ecs_add_path_w_sep(l->world, 0, l->parent, name, "", NULL);
    else if (l->parent == EcsAny)
        *entity = EcsAny;
    else
        *entity = ecs_lookup_path_w_sep(l->world, l->parent, name, "", NULL, false);
    ecs__json_note_number(&l->names, identity->id, l->names.dry ? 0 : *entity);
    l->has_early |= l->names.dry && l->is_saved && must_be_early(l, identity);
    if (!*entity) *entity = EcsAny;
    return true;
}

// A given entity gets name and parent.
static bool set_identity(loader_t *l, ecs_entity_t entity, identity_t *identity) {
    if (!find_parent(l, identity) || !add_parent(l, entity)) return false;
    if (!is_named(identity) || is_gone(l, entity)) return true;
    char *name = ecs__path_unescape(identity->name, strlen(identity->name), "");
    const bool is_fixed = ecs__name_is_fixed(l->world, entity, name);
    if (is_fixed)
        ecs__json_fail(&l->json, "%s is a builtin entity: it cannot be renamed to \"%s\"",
            ecs_get_name(l->world, entity), name);
    else if (!l->names.dry)
        ecs_set_name(l->world, entity, name);
    ecs_os_free(name);
    return !is_fixed;
}

static void switch_bits(loader_t *l, ecs_entity_t entity) {
    for (int32_t i = 0; !l->names.dry && !is_gone(l, entity) && i < l->switched.count; i++) {
        ecs_id_t bit = *ecs_vec_get_t(&l->switched, ecs_id_t, i), id = bit & ~ECS_TOGGLE;
        ecs_entity_t first = ECS_IS_PAIR(id) ? ecs_pair_first(l->world, id) : id;
        if (first && ecs_id_is_valid(l->world, id) && ecs_has_id(l->world, first, EcsCanToggle))
            ecs_enable_id(l->world, entity, id, id != bit);
        else
            ecs_warn("%s cannot be switched on or off", ECS__NAME(l->world, first));
    }
    ecs_vec_clear(&l->switched);
}

// An alias that another entity has already stays there.
static bool read_alias(loader_t *l, ecs_entity_t entity) {
    char *alias = ecs__json_string(&l->json);
    if (!alias) return false;
    ecs_entity_t owner = ecs__names_owner(l->world, ECS__ALIAS, alias);
    if (l->names.dry || l->early_only || is_gone(l, entity)) owner = entity;
    if (!owner)
        ecs_set_alias(l->world, entity, alias);
    else if (owner != entity)
        ecs_warn("alias \"%s\" belongs to %s", alias, ECS__NAME(l->world, owner));
    ecs_os_free(alias);
    return true;
}

static bool read_body(loader_t *l, ecs_entity_t entity) {
    char *key;
    if (!ecs__json_expect(&l->json, '{')) return false;
    for (bool first = true; (key = ecs__json_member(&l->json, first)); first = false) {
        bool success = !strcmp(key, "tags")                           ? read_tags(l, entity)
                       : !strcmp(key, "pairs")                        ? read_pairs(l, entity)
                       : !strcmp(key, "alias")                        ? read_alias(l, entity)
                       : !strcmp(key, "components") && !l->early_only ? read_components(l, entity)
                                                                      : ecs__json_skip(&l->json);
        ecs_os_free(key);
        if (!success) return false;
    }
    switch_bits(l, entity);
    return !l->json.failed;
}

// What the library makes is in every world, and stays as it is.
static bool is_builtin(ecs_entity_t entity) {
    return entity != EcsAny && ecs__is_builtin((uint32_t)entity);
}

// Also if its parent became a prefab afterwards, or will at the merge.
static void take_tags_of_parents(const loader_t *l) {
    const bool waits = ecs_is_deferred(l->world);
    for (int32_t i = 0; i < l->no_prefabs.count; i++) {
        const ecs_entity_t entity = *ecs_vec_get_t(&l->no_prefabs, ecs_entity_t, i);
        if (ecs_is_alive(l->world, entity) && (waits || ecs_owns_id(l->world, entity, EcsPrefab)))
            ecs_remove_id(l->world, entity, EcsPrefab);
    }
}

static void yield_name(ecs_world_t *world, ecs_entity_t entity, uint64_t none) {
    (void)none;
    ecs__names_yield(ecs__world_of(world), entity);
}

// Others that have the name are found by it as before.
static void name_doubles(const loader_t *l) {
    for (int32_t i = 0; i < l->doubles.count; i++) {
        const double_t *it = ecs_vec_get_t(&l->doubles, double_t, i);
        if (ecs_is_alive(l->world, it->entity)) {
            ecs_set_name(l->world, it->entity, it->name);
            ecs_ext_act(l->world, it->entity, yield_name, 0);
        }
        ecs_os_free(it->name);
    }
}

// `entity` 0: the one the object is about.
static bool read_entity(loader_t *l, ecs_entity_t entity) {
    identity_t identity = { 0 };
    bool success = read_identity(l, &identity), is_given = entity != 0;
    l->is_saved = !is_given && identity.id;
    const bool is_over = l->early_only && !is_named(&identity) && !number_of(&identity);
    if (is_over)
        success = success && ecs__json_skip(&l->json);
    else if (is_given)
        success = success && set_identity(l, entity, &identity);
    else
        success = success && find_identity(l, &identity, &entity);
    const bool is_meant = success && !is_over;
    const bool is_left_out = is_meant && !is_given && (is_builtin(entity) || is_gone(l, entity));
    const bool is_made = is_meant && !is_given && !is_left_out && !l->names.dry && !l->early_only;
    if (is_made && identity.named) {
        *ecs_vec_append_t(NULL, &l->doubles, double_t) = (double_t){ entity, identity.named };
        identity.named = NULL;
    }
    ecs_os_free(identity.name);
    ecs_os_free(identity.parent);
    ecs_os_free(identity.named);
    if (!is_meant) return success;
    if (is_left_out) return ecs__json_skip(&l->json);
    if (is_made) *ecs_vec_append_t(NULL, &l->listed, ecs_entity_t) = entity;
    l->is_prefab = false;
    ecs_vec_clear(&l->waiting);
    success = read_body(l, entity);
    if (l->is_saved && l->parent && !l->is_prefab && !l->names.dry && !l->early_only)
        *ecs_vec_append_t(NULL, &l->no_prefabs, ecs_entity_t) = entity;
    return success;
}

static bool read_results(loader_t *l) {
    if (!ecs__json_expect(&l->json, '[')) return false;
    for (bool first = true; ecs__json_element(&l->json, first); first = false) {
        if (!read_entity(l, 0)) return false;
    }
    return !l->json.failed;
}

static bool read_world(loader_t *l) {
    char *key;
    if (!ecs__json_expect(&l->json, '{')) return false;
    for (bool first = true; (key = ecs__json_member(&l->json, first)); first = false) {
        bool success = !strcmp(key, "results") ? read_results(l) : ecs__json_skip(&l->json);
        ecs_os_free(key);
        if (!success) return false;
    }
    return !l->json.failed;
}

// ---- Passes ----

static bool pass(loader_t *l, ecs_entity_t entity, const char *text) {
    const ecs_from_json_desc_t *desc = l->names.desc;
    l->json =
        (ecs__json_t){ .name = desc->name, .text = desc->expr ? desc->expr : text, .at = text };
    forget_parent(l);
    return entity ? read_entity(l, entity) : read_world(l);
}

// Names are paths from the root, whatever the caller has set. What turns out to be a mistake while it is applied is one of the text.
static const char *load(ecs_world_t *world, ecs_entity_t entity, const char *text,
    const ecs_from_json_desc_t *desc, ecs_map_t *numbers) {
    static const ecs_from_json_desc_t none;
    loader_t loader = { .world = world }, *l = &loader;
    l->names = (ecs__json_names_t){
        .world = world, .json = &l->json, .desc = desc ? desc : &none, .numbers = numbers
    };
    if (!text) text = "";
    ecs_entity_t scope = ecs_set_scope(l->world, 0);
    ecs_id_t with = ecs_set_with(l->world, 0);
    const bool as_input = ecs__refuse_as_input(true);
    l->names.dry = true;
    bool success = pass(l, entity, text);
    l->names.dry = false;
    l->early_only = !entity && l->has_early;
    if (success && l->early_only) success = pass(l, entity, text);
    l->early_only = false;
    success = success && pass(l, entity, text);
    take_tags_of_parents(l);
    name_doubles(l);
    if (!ecs_is_deferred(l->world)) ecs__json_restore_orders(l->world, &l->listed);
    ecs__refuse_as_input(as_input);
    ecs_set_with(l->world, with);
    ecs_set_scope(l->world, scope);
    forget_parent(l);
    ecs_map_fini(&l->names.ahead);
    ecs_vec_fini_t(NULL, &l->switched, ecs_id_t);
    ecs_vec_fini_t(NULL, &l->waiting, ecs_id_t);
    ecs_vec_fini_t(NULL, &l->listed, ecs_entity_t);
    ecs_vec_fini_t(NULL, &l->doubles, double_t);
    ecs_vec_fini_t(NULL, &l->no_prefabs, ecs_entity_t);
    return success ? l->json.at : NULL;
}

const char *ecs_entity_from_json(
    ecs_world_t *world, ecs_entity_t entity, const char *json, const ecs_from_json_desc_t *desc) {
    ecs_check(entity && ecs_is_alive(world, entity), ECS_INVALID_PARAMETER,
        "only an entity that is alive can be read from JSON");
    return load(world, entity, json, desc, NULL);
error:
    return NULL;
}

const char *ecs_world_from_json(
    ecs_world_t *world, const char *json, const ecs_from_json_desc_t *desc) {
    ecs_map_t numbers = { 0 };
    const char *end = load(world, 0, json, desc, &numbers);
    ecs_map_fini(&numbers);
    return end;
}

const char *ecs_world_from_json_file(
    ecs_world_t *world, const char *filename, const ecs_from_json_desc_t *desc) {
    char *text = ecs_os_read_file(filename);
    if (!text) {
        ecs_err_code(ECS_INVALID_PARAMETER, "cannot read file '%s'", filename);
        return NULL;
    }
    ecs_from_json_desc_t with_name = desc ? *desc : (ecs_from_json_desc_t){ 0 };
    if (!with_name.name) with_name.name = filename;
    const char *end = ecs_world_from_json(world, text, &with_name);
    ecs_os_free(text);
    return end ? "" : NULL; // the text is gone
}
