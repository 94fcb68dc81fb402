// SPDX-License-Identifier: MIT
// entity_init: an entity from a descriptor: found by name or id, or made, then given what the
// descriptor lists.
//
// Everything that can be wrong with the input is found before anything changes.
#include <muster/ecs/c_api.h>
#include <muster/ecs/entity.h>
#include <muster/ecs/hierarchy.h>
#include <muster/ecs/log.h>
#include <muster/ecs/name.h>
#include <muster/ecs/os.h>

#include <ctype.h>
#include <string.h>

#include "mutate/edge.h"
#include "mutate/parent.h"
#include "mutate/sparse.h"
#include "name/lookup.h"
#include "query/check/check.h"
#include "world/make.h"
#include "world/path.h"
#include "world/state.h"
#include "world/write.h"

// ---- lists of ids ----

// Mostly there is room for all of them.
typedef struct ids_t {
    ecs_id_t *array; /* `room` or memory of its own */
    int32_t count, size;
    int32_t given; /* of these are no input; the others are those of a text */
    ecs_id_t room[16];
} ids_t;

static void ids_begin(ids_t *ids) {
    ids->array = ids->room;
    ids->count = ids->given = 0;
    ids->size = (int32_t)(sizeof ids->room / sizeof ids->room[0]);
}

static void ids_end(ids_t *ids) {
    if (ids->array != ids->room) ecs_os_free(ids->array);
}

static void grow(ids_t *ids) {
    ecs_id_t *array = ecs_os_malloc_n(ecs_id_t, 2 * ids->size);
    memcpy(array, ids->array, (size_t)ids->count * sizeof(ecs_id_t));
    ids_end(ids);
    ids->array = array;
    ids->size *= 2;
}

static void append_id(ids_t *ids, ecs_id_t id) {
    if (ids->count == ids->size) grow(ids);
    ids->array[ids->count++] = id;
}

// What traits forbid is refused before there is an entity (0); while deferred, when commands are applied, which may make it right.
static bool may_add(ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    const ecs_stage_t *stage = ecs__stage_of(world);
    return ecs__stage_defers(stage) || ecs__check_add(stage->world, entity, id);
}

static bool append_from_text(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, const char *expr, ids_t *ids) {
    if (!ecs_id_is_valid(world, id)) {
        ecs_err_code(ECS_INVALID_PARAMETER, "%s in \"%s\" is no id that can be added",
            ECS__TEXT(world, id), expr);
        return false;
    }
    append_id(ids, id);
    const bool as_input = ecs__refuse_as_input(true);
    const bool is_allowed = may_add(world, entity, id);
    ecs__refuse_as_input(as_input);
    return is_allowed;
}

static bool append_ids_from_text(
    ecs_world_t *world, ecs_entity_t entity, const char *expr, ids_t *ids) {
    ids->given = ids->count;
    if (!expr) return true;
    ecs_vec_t list = { 0 };
    bool is_right = ecs__ids_parse(world, expr, false, false, &list);
    for (int32_t i = 0; is_right && i < list.count; i++)
        is_right = append_from_text(world, entity, *ecs_vec_get_t(&list, ecs_id_t, i), expr, ids);
    ecs_vec_fini_t(NULL, &list, ecs_id_t);
    return is_right;
}

// ---- finding ----

// "MyPosition" with prefix "My" is "Position"; "my_position" with "my" is "position".
static const char *strip_prefix(const ecs_world_t *world, const char *name) {
    const char *prefix = ecs__world_of(world)->info.name_prefix;
    size_t length = prefix ? strlen(prefix) : 0;
    if (!length || strncmp(name, prefix, length) != 0) return name;
    if (name[length] == '_') return name[length + 1] ? name + length + 1 : name;
    return isupper((unsigned char)name[length]) ? name + length : name;
}

static bool is_hash_id(const char *name, ecs_entity_t *out) {
    return name && ecs__parse_hash_id(name, strlen(name), out);
}

// Where the name of the descriptor leads on from, which is cut down to the rest. Scopes are for new entities only.
static ecs_entity_t start_of(const ecs_world_t *world, const ecs_entity_desc_t *desc,
    ecs_entity_t found, const char **name) {
    ecs_entity_t parent = desc->parent;
    if (!parent) parent = found ? ecs_get_parent(world, found) : ecs_get_scope(world);
    return ecs__path_start(world, parent, name, desc->sep, desc->root_sep);
}

// Below a parent, "*" and the like, and aliases, are names as others are.
static ecs_entity_t find_name(
    const ecs_world_t *world, const ecs_entity_desc_t *desc, const char *name) {
    if (!desc->parent || *name == '#')
        return ecs_lookup_path_w_sep(world, desc->parent, name, desc->sep, desc->root_sep, false);
    const ecs_entity_t start = start_of(world, desc, 0, &name);
    return ecs__lookup_below(world, start, name, desc->sep);
}

// A number may be of whom there is none yet, and who can be made: it fits, and nobody has it with another generation.
static bool check_number(const ecs_world_t *world, ecs_entity_t number, const char *name) {
    const char *refusal = ecs_is_alive(world, number)
                              ? NULL
                              : ecs__entity_refusal(&ecs__world_of(world)->store.entities, number);
    if (refusal)
        ecs_err_code(ECS_INVALID_PARAMETER, "there is no entity \"%s\": %s", name, refusal);
    return !refusal;
}

// The names of an entity with an id and those of the descriptor must agree.
static bool check_name(const ecs_world_t *world, const ecs_entity_desc_t *desc, const char *name) {
    if (!name || !ecs_is_alive(world, desc->id) || !ecs_get_name(world, desc->id)) return true;
    bool is_full = desc->root_sep && !strncmp(name, desc->root_sep, strlen(desc->root_sep));
    ecs_entity_t from = is_full ? 0 : desc->parent ? desc->parent : ecs_get_scope(world);
    if (find_name(world, desc, name) == desc->id) return true;
    char *path =
        ecs_get_path_w_sep(world, from, desc->id, desc->sep, is_full ? desc->root_sep : NULL);
    bool is_same = !strcmp(path, name);
    if (!is_same) {
        ecs_err_code(ECS_INCONSISTENT_NAME, "entity %u cannot be named \"%s\": it is \"%s\"",
            (uint32_t)desc->id, name, path);
    }
    ecs_os_free(path);
    return is_same;
}

// Whom the descriptor is about.
typedef struct subject_t {
    ecs_entity_t id;    /* wanted, or 0 */
    const char *name;   /* without the prefix of the world, or NULL */
    ecs_entity_t found; /* 0: to be made */
    ecs_entity_t start; /* where the name leads on from, */
    const char *rest;   /* and what is left of it */
} subject_t;

// A name is made only of parts that are names; an entity with an id can take it only where nobody has it.
static bool check_place(
    const ecs_world_t *world, const ecs_entity_desc_t *desc, subject_t *subject) {
    if (!subject->name || (subject->found && ecs_get_name(world, subject->found))) return true;
    if (subject->found && !subject->id) return true;
    if (!ecs__path_check(subject->name, desc->sep, desc->root_sep)) return false;
    if (!subject->id) return true;
    if (subject->start == subject->id && subject->id != desc->parent) {
        ecs_err_code(ECS_INCONSISTENT_NAME, "entity %u cannot be named \"%s\", below itself",
            (uint32_t)subject->id, subject->name);
        return false;
    }
    const ecs_entity_t other = ecs__lookup_below(world, subject->start, subject->rest, desc->sep);
    if (!other || other == subject->id) return true;
    ecs_err_code(ECS_INCONSISTENT_NAME, "entity %u cannot be named \"%s\": entity %u is",
        (uint32_t)subject->id, subject->name, (uint32_t)other);
    return false;
}

static bool check_symbol(const ecs_world_t *world, ecs_entity_t found, const char *symbol) {
    const char *old = symbol && found ? ecs_get_symbol(world, found) : NULL;
    if (!old || !strcmp(old, symbol))
        return ecs__names_check_unique(world, found, ECS__SYMBOL, symbol);
    ecs_abort(ECS_INCONSISTENT_NAME, "entity %s has symbol \"%s\" and cannot get symbol \"%s\"",
        ECS__TEXT(world, found), old, symbol);
    return false;
}

static bool check_id(const ecs_world_t *world, ecs_id_t id, const char *what) {
    (void)world;
    (void)what;
    ecs_check(ecs_id_is_valid(world, id), ECS_INVALID_PARAMETER,
        "cannot %s %s: the id is not valid", what, ECS__TEXT(world, id));
    return true;
error:
    return false;
}

static bool check_desc(const ecs_world_t *world, const ecs_entity_desc_t *desc) {
    (void)world;
    ecs_check(desc && !desc->_canary, ECS_INVALID_PARAMETER,
        "ecs_entity_desc_t was not initialised to zero before its members were set");
    ecs_check(ecs__id_is_entity(desc->id), ECS_INVALID_PARAMETER,
        "cannot create %s: it is no entity", ECS__TEXT(world, desc->id));
    ecs_check(!desc->parent || ecs_is_valid(world, desc->parent), ECS_INVALID_PARAMETER,
        "cannot create an entity with parent %u: it is not alive", (uint32_t)desc->parent);
    ECS__CHECK(!desc->parent || check_id(world, ecs_childof(desc->parent), "add"));
    for (const ecs_id_t *id = desc->add; id && *id; id++) {
        ecs_check(!ECS_IS_PAIR(*id) || ecs__id_first(*id) != Ecs__ChildOf, ECS_INVALID_PARAMETER,
            "use the member parent instead of adding %s", ECS__TEXT(world, *id));
        ECS__CHECK(check_id(world, *id, "add"));
    }
    for (const ecs_value_t *value = desc->set; value && value->type; value++) {
        ECS__CHECK(check_id(world, value->type, "set"));
        ecs_check(!value->ptr || ecs_get_type_info(world, value->type), ECS_INVALID_PARAMETER,
            "cannot set %s: it is a tag", ECS__TEXT(world, value->type));
    }
    ecs_id_t with = ecs_get_with(world);
    ECS__CHECK(!with || check_id(world, with, "add what ecs_set_with says,"));
    return ecs__check_scope(world);
error:
    return false;
}

static ecs_entity_t find(
    const ecs_world_t *world, const ecs_entity_desc_t *desc, const subject_t *subject) {
    if (subject->id) return ecs_is_alive(world, subject->id) ? subject->id : 0;
    return subject->name ? find_name(world, desc, subject->name) : 0;
}

static bool identify(const ecs_world_t *world, const ecs_entity_desc_t *desc, subject_t *out) {
    const char *name = desc->name && *desc->name ? strip_prefix(world, desc->name) : NULL;
    ecs_entity_t hash_id;
    *out = (subject_t){ .id = desc->id, .name = name };
    if (is_hash_id(name, &hash_id)) {
        const ecs_entity_t alive = ecs__alive_entity(world, hash_id);
        if (alive) hash_id = alive; /* the generation was left out */
        if (!check_number(world, hash_id, name)) return false;
        if (desc->id && desc->id != hash_id) {
            ecs_err_code(ECS_INCONSISTENT_NAME, "name \"%s\" does not agree with id %u", name,
                (uint32_t)desc->id);
            return false;
        }
        *out = (subject_t){ .id = hash_id };
    }
    out->found = find(world, desc, out);
    out->rest = out->name;
    if (out->name) out->start = start_of(world, desc, out->found, &out->rest);
    return (!out->id || check_name(world, desc, out->name)) && check_place(world, desc, out);
}

static bool check_values(ecs_world_t *world, const ecs_entity_desc_t *desc, ecs_entity_t entity) {
    const ecs_stage_t *stage = ecs__stage_of(world);
    for (const ecs_value_t *value = desc->set; value && value->type; value++) {
        if (value->type != Ecs__Parent || !value->ptr || ecs__stage_defers(stage)) continue;
        const EcsParent *parent = value->ptr;
        if (!ecs__parent_check(stage->world, entity, parent->value)) return false;
    }
    return true;
}

static bool check_ids(ecs_world_t *world, const ecs_entity_desc_t *desc, ecs_entity_t entity) {
    ecs_id_t with = entity ? 0 : ecs_get_with(world);
    if (with && !may_add(world, entity, with)) return false;
    if (desc->parent && !may_add(world, entity, ecs_childof(desc->parent))) return false;
    for (const ecs_id_t *id = desc->add; id && *id; id++) {
        if (!may_add(world, entity, *id)) return false;
    }
    for (const ecs_value_t *value = desc->set; value && value->type; value++) {
        if (!may_add(world, entity, value->type)) return false;
    }
    return true;
}

// ---- making ----

static ecs_entity_t make(ecs_world_t *world, const ecs_entity_desc_t *desc, ecs_entity_t id) {
    if (!id) return desc->use_low_id ? ecs_new_low_id(world) : ecs_new(world);
    ecs_make_alive(world, id);
    return ecs_is_alive(world, id) ? id : 0; /* 0: it was refused */
}

// Who was found by name is in its place.
static void set_place(ecs_world_t *world, const ecs_entity_desc_t *desc, ecs_entity_t entity,
    const subject_t *subject) {
    if (subject->found && !subject->id) return;
    if (subject->name && !ecs_get_name(world, entity)) {
        ecs__place_path(
            world, entity, subject->start, subject->rest, desc->sep, desc->parent, NULL);
        return;
    }
    ecs_entity_t parent = desc->parent ? desc->parent : !subject->found ? ecs_get_scope(world) : 0;
    if (!parent || (!ecs_is_deferred(world) && ecs_has_pair(world, entity, EcsChildOf, parent)))
        return; /* it may be a child by component, and stay one */
    ecs_add_id(world, entity, ECS__MAKE_PAIR(Ecs__ChildOf, parent));
}

static void set_symbol(ecs_world_t *world, ecs_entity_t entity, const char *symbol) {
    if (symbol && !ecs_get_symbol(world, entity)) ecs_set_symbol(world, entity, symbol);
}

// Hooks and observers of those above, of name and parent may have deleted some.
static void keep_valid(ecs_world_t *world, ecs_entity_t entity, ids_t *ids) {
    ecs_id_t *array = ids->array;
    int32_t count = 0, given = 0;
    for (int32_t i = 0; i < ids->count; i++) {
        const bool is_valid = ecs_id_is_valid(world, array[i]) && may_add(world, entity, array[i]);
        if (is_valid) array[count++] = array[i];
        if (i < ids->given) given = count;
    }
    ids->count = count;
    ids->given = given;
}

// What has a value comes behind bases, with whose values it begins, as it does at once.
static void record_ids(ecs_stage_t *stage, ecs_entity_t entity, const ids_t *ids, bool typed) {
    for (int32_t i = 0; i < ids->count; i++) {
        const bool has_value = ecs_get_type_info(stage->world, ids->array[i]) != NULL;
        if (has_value != typed) continue;
        if (i < ids->given)
            ecs__record_add(stage, entity, ids->array[i]);
        else
            ecs__record_add_input(stage, entity, ids->array[i]);
    }
}

// All ids in one move when nothing is deferred, but for what goes apart.
static void add_ids(ecs_world_t *world, ecs_entity_t entity, ids_t *ids) {
    ecs_stage_t *stage = ecs__stage_of(world);
    keep_valid(world, entity, ids);
    if (!ids->count) return;
    if (ecs__defer_bracket_begin(stage)) {
        record_ids(stage, entity, ids, false);
        record_ids(stage, entity, ids, true);
        return;
    }
    ecs__give(stage->world, entity, ids->array, ids->count);
    ecs__defer_bracket_end(stage);
}

// NULL for tags and what is only to be added.
static const ecs_type_info_t *type_to_set(const ecs_world_t *world, const ecs_value_t *value) {
    return value->ptr ? ecs_get_type_info(world, value->type) : NULL;
}

// The entity has got what is to be set, unless that waits in the queue.
static void set_values(ecs_world_t *world, ecs_entity_t entity, const ecs_value_t *values) {
    bool is_there = !ecs_is_deferred(world);
    (void)is_there;
    for (; values && values->type && ecs_is_alive(world, entity); values++) {
        const ecs_type_info_t *type = type_to_set(world, values);
        if (!type || !ecs_id_is_valid(world, values->type)) continue;
        if (is_there && ecs__edge_is_judged(ecs__world_of(world), values->type) &&
            !ecs_owns_id(world, entity, values->type))
            continue; /* it was refused, which was reported, or another replaced it */
        ecs_check(!is_there || ecs_owns_id(world, entity, values->type), ECS_INVALID_OPERATION,
            "cannot set %s of %s: a hook or observer removed it while the entity was made",
            ECS__TEXT(world, values->type), ECS__TEXT(world, entity));
        ecs_set_id(world, entity, values->type, (size_t)type->size, values->ptr);
    }
error:
    return;
}

// What the descriptor adds, besides name and parent. Nothing is changed. A command that sets a value needs no other that adds it.
static bool list_ids(
    ecs_world_t *world, const ecs_entity_desc_t *desc, ecs_entity_t entity, ids_t *ids) {
    const bool is_deferred = ecs_is_deferred(world);
    if (!entity && ecs_get_with(world)) append_id(ids, ecs_get_with(world));
    for (const ecs_id_t *id = desc->add; id && *id; id++) append_id(ids, *id);
    for (const ecs_value_t *value = desc->set; value && value->type; value++) {
        if (!is_deferred || !type_to_set(world, value)) append_id(ids, value->type);
    }
    return append_ids_from_text(world, entity, desc->add_expr, ids);
}

// At each step a hook or observer may delete it.
static ecs_entity_t make_step_by_step(
    ecs_world_t *world, const ecs_entity_desc_t *desc, const subject_t *subject, ids_t *ids) {
    ecs_entity_t entity = subject->found ? subject->found : make(world, desc, subject->id);
    if (!entity) return 0;
    set_place(world, desc, entity, subject);
    if (ecs_is_alive(world, entity)) set_symbol(world, entity, desc->symbol);
    if (ecs_is_alive(world, entity)) add_ids(world, entity, ids);
    return entity;
}

// A new entity with a name, and with ids that leave it in its place.
static bool is_made_whole(const ecs_world_t *world, const subject_t *subject, const ids_t *ids) {
    bool is_whole = subject->name && !subject->found && !ecs__stage_defers(ecs__stage_of(world));
    for (int32_t i = 0; is_whole && i < ids->count; i++) {
        const ecs_id_t id = ids->array[i];
        is_whole = id != Ecs__Parent && !(ECS_IS_PAIR(id) && ecs__id_first(id) == Ecs__ChildOf);
    }
    return is_whole;
}

static ecs_entity_t make_whole(
    ecs_world_t *world, const ecs_entity_desc_t *desc, const subject_t *subject, ids_t *ids) {
    ecs_entity_t entity = make(world, desc, subject->id), parent = subject->start;
    const char *rest = subject->rest;
    if (!entity) return 0;
    if (!ecs__make_way(world, &parent, &rest, desc->sep, NULL) || !ecs_is_alive(world, entity) ||
        (parent && parent != desc->parent && !may_add(world, entity, ecs_childof(parent)))) {
        ecs_delete(world, entity);
        return 0;
    }
    keep_valid(world, entity, ids);
    ecs__make_element(world, entity, parent, rest, strlen(rest), desc->sep, ids->array, ids->count);
    if (ecs_is_alive(world, entity)) set_symbol(world, entity, desc->symbol);
    return entity;
}

// Nobody can find it before it is whole.
static bool is_anonymous(const ecs_world_t *world, const ecs_entity_desc_t *desc) {
    return !desc->id && !(desc->name && *desc->name) && !desc->symbol && !desc->use_low_id &&
           !ecs__stage_defers(ecs__stage_of(world));
}

static ecs_entity_t make_anonymous(ecs_world_t *world, const ecs_entity_desc_t *desc, ids_t *ids) {
    ecs_entity_t parent = desc->parent ? desc->parent : ecs_get_scope(world);
    if (parent) append_id(ids, ecs_childof(parent));
    if (!list_ids(world, desc, 0, ids) || !check_values(world, desc, 0)) return 0;
    return ids->count ? ecs__make(ecs__stage_of(world), ids->array, ids->count) : ecs_new(world);
}

static ecs_entity_t find_or_make(ecs_world_t *world, const ecs_entity_desc_t *desc, ids_t *ids) {
    subject_t subject;
    if (!identify(world, desc, &subject) || !check_ids(world, desc, subject.found) ||
        !check_values(world, desc, subject.found) ||
        !check_symbol(world, subject.found, desc->symbol))
        return 0;
    if (!list_ids(world, desc, subject.found, ids)) return 0;
    return is_made_whole(world, &subject, ids) ? make_whole(world, desc, &subject, ids)
                                               : make_step_by_step(world, desc, &subject, ids);
}

ecs_entity_t ecs_entity_init(ecs_world_t *world, const ecs_entity_desc_t *desc) {
    ECS__CHECK(ecs__check_caller(world, "create entities"));
    ECS__CHECK(check_desc(world, desc));
    ids_t ids;
    ids_begin(&ids);
    ecs_entity_t entity = is_anonymous(world, desc) ? make_anonymous(world, desc, &ids)
                                                    : find_or_make(world, desc, &ids);
    if (entity) set_values(world, entity, desc->set);
    ids_end(&ids);
    return entity;
error:
    return 0;
}

// ---- behind the macros of c_api.h ----

// Structs without members have a size in C++ only; an alignment they have everywhere.
ecs_entity_t ecs_c_component_(
    ecs_world_t *world, ecs_entity_t id, const char *name, ecs_size_t size, int64_t alignment) {
    if (!size) alignment = 0;
    world = ecs__writer_of(world);
    ecs_entity_t entity = ecs_entity_init(
        world, &(ecs_entity_desc_t){ .id = id, .name = name, .symbol = name, .use_low_id = true });
    if (!entity) return 0;
    return ecs_component_init(
        world, &(ecs_component_desc_t){ .entity = entity,
                   .type = { .size = size, .alignment = (ecs_size_t)alignment, .name = name } });
}

ecs_entity_t ecs_c_entity_(
    ecs_world_t *world, ecs_entity_t id, const char *name, ecs_id_t add, const char *add_expr) {
    ecs_id_t ids[] = { add, 0 };
    return ecs_entity_init(
        world, &(ecs_entity_desc_t){ .id = id, .name = name, .add = ids, .add_expr = add_expr });
}
