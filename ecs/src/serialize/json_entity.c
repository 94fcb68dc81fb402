// SPDX-License-Identifier: MIT
// json_entity: entities to JSON.
#include "serialize/json_entity.h"

#include <stdlib.h>

#include <muster/ecs/doc.h>
#include <muster/ecs/extend.h>
#include <muster/ecs/query.h>

#include "base/assert.h"
#include "name/lookup.h"
#include "serialize/json_names.h"

void ecs__json_name(ecs_strbuf_t *buf, const char *name) {
    ecs_strbuf_list_next(buf);
    ecs__text_string(buf, name);
    ecs_strbuf_appendch(buf, ':');
}

void ecs__json_open(ecs_strbuf_t *buf, const char *name, const char *open) {
    ecs__json_name(buf, name);
    ecs_strbuf_list_push(buf, open, ", ");
}

// ---- Names ----

static void write_path(const ecs__entity_json_t *json, ecs_strbuf_t *buf, ecs_entity_t entity) {
    const char *name =
        entity && ecs_is_alive(json->world, entity) ? ecs_get_name(json->world, entity) : NULL;
    if (name && !json->desc->serialize_full_paths)
        ecs_strbuf_appendstr(buf, name);
    else if (entity == EcsWildcard || entity == EcsAny)
        ecs_strbuf_appendch(buf, entity == EcsAny ? '_' : '*');
    else
        ecs__text_path(json->world, buf, entity);
}

// A path with a backslash in front of what would not be read as part of a name.
static void write_part(
    const ecs__entity_json_t *json, ecs_strbuf_t *buf, ecs_entity_t entity, const char *marks) {
    ecs_strbuf_t path = ECS_STRBUF_INIT;
    write_path(json, &path, entity);
    ecs__text_protect(buf, &path, marks);
}

static void write_target(
    const ecs__entity_json_t *json, ecs_strbuf_t *buf, ecs_id_t pair, const char *marks) {
    if (ECS_IS_VALUE_PAIR(pair))
        ecs_strbuf_append(buf, "@%u", ECS_PAIR_SECOND(pair));
    else
        write_part(json, buf, ecs_pair_second(json->world, pair), marks);
}

static void write_id(const ecs__entity_json_t *json, ecs_strbuf_t *buf, ecs_id_t id) {
    id = ecs__text_marks(buf, id);
    if (ECS_IS_PAIR(id)) {
        ecs_strbuf_appendch(buf, '(');
        ecs_entity_t first = ecs_get_alive(json->world, ECS_PAIR_FIRST(id));
        write_part(json, buf, first, ECS__JSON_FIRST);
        ecs_strbuf_appendch(buf, ',');
        write_target(json, buf, id, ECS__JSON_SECOND);
        ecs_strbuf_appendch(buf, ')');
    } else {
        write_part(json, buf, id, ECS__JSON_ID);
    }
}

static void quote(ecs_strbuf_t *buf, ecs_strbuf_t *word) {
    ecs__text_string(buf, ecs_strbuf_str(word));
    ecs_strbuf_reset(word);
}

void ecs__entity_json_ref(const ecs__entity_json_t *json, ecs_entity_t entity) {
    ecs_strbuf_t word = ECS_STRBUF_INIT;
    write_path(json, &word, entity);
    quote(json->buf, &word);
}

void ecs__entity_json_id(const ecs__entity_json_t *json, ecs_id_t id) {
    ecs_strbuf_t word = ECS_STRBUF_INIT;
    write_id(json, &word, id);
    quote(json->buf, &word);
}

static void write_pair_target(const ecs__entity_json_t *json, ecs_id_t pair) {
    ecs_strbuf_t word = ECS_STRBUF_INIT;
    write_target(json, &word, pair, ECS__TEXT_SECOND);
    quote(json->buf, &word);
}

// ---- Head ----

static void write_doc(const ecs__entity_json_t *json, ecs_entity_t entity) {
    const struct {
        const char *key, *value;
    } texts[] = {
        { "label", ecs_doc_get_name(json->world, entity) },
        { "brief", ecs_doc_get_brief(json->world, entity) },
        { "detail", ecs_doc_get_detail(json->world, entity) },
        { "link", ecs_doc_get_link(json->world, entity) },
        { "color", ecs_doc_get_color(json->world, entity) },
    };
    ecs__json_open(json->buf, "doc", "{");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!texts[i].value) continue;
        ecs__json_name(json->buf, texts[i].key);
        ecs__text_string(json->buf, texts[i].value);
    }
    ecs_strbuf_list_pop(json->buf, "}");
}

static void write_alias(const ecs__entity_json_t *json, ecs_entity_t entity) {
    const EcsIdentifier *alias = ecs_get_pair(json->world, entity, EcsIdentifier, EcsAlias);
    if (!alias || !alias->value) return;
    ecs__json_name(json->buf, "alias");
    ecs__text_string(json->buf, alias->value);
}

void ecs__entity_json_head(const ecs__entity_json_t *json, ecs_entity_t entity) {
    const ecs_entity_t parent = ecs_get_parent(json->world, entity);
    const char *name = json->is_saved ? ecs_get_name(json->world, entity) : NULL;
    ecs_strbuf_t path = ECS_STRBUF_INIT;
    if (parent) {
        ecs__json_name(json->buf, "parent");
        ecs__text_quoted_path(json->world, json->buf, parent);
    }
    ecs__json_name(json->buf, "name");
    if (json->is_saved)
        ecs__path_exact(json->world, parent, entity, "", &path);
    else
        ecs_get_path_w_sep_buf(json->world, parent, entity, "", NULL, &path, false);
    const bool is_double = name && *name && ecs__json_is_unnamed(ecs_strbuf_str(&path));
    quote(json->buf, &path);
    if (is_double) {
        ecs__json_name(json->buf, "named");
        ecs__text_string(json->buf, name);
    }
    if (json->desc->serialize_entity_id)
        ecs_strbuf_list_append(json->buf, "\"id\":%u", (uint32_t)entity);
    if (json->is_saved) write_alias(json, entity);
    if (json->desc->serialize_doc) write_doc(json, entity);
}

// ---- Ids of an entity ----

// Ids that other members say, or that describe what code knows.
bool ecs__json_is_builtin(ecs_id_t id) {
    ecs_id_t first = ECS_IS_PAIR(id) ? ECS_PAIR_FIRST(id) : id & ECS_COMPONENT_MASK;
    if (ECS_IS_PAIR(id)) {
        return first == EcsChildOf || first == EcsParentDepth || first == ecs_id(EcsIdentifier) ||
               first == ecs_id(EcsPoly);
    }
    bool is_meta =
        (first >= ecs_id(EcsType) && first <= ecs_id(EcsConstants)) || first == ecs_id(EcsMap);
    return first == ecs_id(EcsComponent) || first == ecs_id(EcsParent) || is_meta;
}

static bool is_transient(const ecs__entity_json_t *json, ecs_id_t pair) {
    return ecs_has_id(json->world, ecs_get_alive(json->world, ECS_PAIR_FIRST(pair)), EcsTransient);
}

static bool is_shown(const ecs__entity_json_t *json, ecs_id_t id) {
    if (id & ECS_TOGGLE) return false; // see is_switched
    if (json->is_saved && id == ecs_id(EcsParent)) return true;
    if (!json->desc->serialize_builtin && ecs__json_is_builtin(id)) return false;
    if (json->is_saved && ECS_IS_PAIR(id) && is_transient(json, id)) return false;
    bool (*filter)(const ecs_world_t *, ecs_entity_t) = json->desc->component_filter;
    if (!filter) return true;
    id &= ~(ECS_ID_FLAGS_MASK & ~ECS_PAIR);
    return filter(json->world, ECS_IS_PAIR(id) ? ecs_pair_first(json->world, id) : id);
}

typedef enum part_t { PART_TAG, PART_PAIR, PART_COMPONENT } part_t;

static part_t part_of(const ecs_world_t *world, ecs_id_t id) {
    if (id & ECS_AUTO_OVERRIDE) return PART_TAG;
    if (ecs_get_typeid(world, id)) return PART_COMPONENT;
    return ECS_IS_PAIR(id) ? PART_PAIR : PART_TAG;
}

typedef struct ids_t {
    const ecs__entity_json_t *json;
    ecs_entity_t entity;   /* whose ids */
    ecs_entity_t instance; /* who inherits them; 0: nobody */
    ecs_vec_t all;         /* ecs_id_t */
} ids_t;

static ecs_id_t id_at(const ids_t *ids, int32_t index) {
    return *ecs_vec_get_t(&ids->all, ecs_id_t, index);
}

// Pairs of one relationship next to each other; types have those with numbers behind all others.
static int compare_pairs(const void *a_ptr, const void *b_ptr) {
    ecs_id_t a = *(const ecs_id_t *)a_ptr, b = *(const ecs_id_t *)b_ptr;
    ecs_id_t number = ECS_VALUE_PAIR & ~ECS_PAIR;
    if ((a | number) >> 32 != (b | number) >> 32) return (a | number) < (b | number) ? -1 : 1;
    return (a > b) - (a < b);
}

static ids_t list_ids(const ecs__entity_json_t *json, ecs_entity_t entity, ecs_entity_t instance) {
    ids_t ids = { json, entity, instance, { 0 } };
    ecs_ext_entity_ids(json->world, entity, &ids.all);
    bool has_numbers = false;
    for (int32_t i = 0; i < ids.all.count; i++) has_numbers |= ECS_IS_VALUE_PAIR(id_at(&ids, i));
    if (has_numbers) qsort(ids.all.array, (size_t)ids.all.count, sizeof(ecs_id_t), compare_pairs);
    return ids;
}

static void free_ids(ids_t *ids) { ecs_vec_fini_t(NULL, &ids->all, ecs_id_t); }

// An instance shares what its base has, unless it has it itself or it is not inherited.
static bool is_shared(const ids_t *ids, ecs_id_t id) {
    const ecs_world_t *world = ids->json->world;
    if (id & ECS_AUTO_OVERRIDE || ECS_HAS_RELATION(id, EcsIsA)) return false;
    return ecs_has_id(world, ids->instance, id) && !ecs_owns_id(world, ids->instance, id);
}

// Components are final by themselves; slots are relationships of a kind.
static bool is_implied(const ids_t *ids, ecs_id_t id) {
    const ecs_world_t *world = ids->json->world;
    if (ids->json->desc->serialize_builtin) return false;
    if (id == EcsFinal) return ecs_owns_id(world, ids->entity, ecs_id(EcsComponent));
    return (id == EcsExclusive || id == EcsDontFragment) &&
           ecs_has_pair(world, ids->entity, EcsSlotOf, EcsWildcard);
}

// The next id of a part that is shown, from `from` on; -1 at the end.
static int32_t next_id(const ids_t *ids, int32_t from, part_t part) {
    for (int32_t i = from; i < ids->all.count; i++) {
        ecs_id_t id = id_at(ids, i);
        if (part_of(ids->json->world, id) == part && is_shown(ids->json, id) &&
            !is_implied(ids, id) && (!ids->instance || is_shared(ids, id)))
            return i;
    }
    return -1;
}

// Something may be off before it is there. Who makes an entity again wants to know what is on by a bit, too.
static bool is_switched(const ids_t *ids, ecs_id_t id, bool on) {
    if (ids->instance || !(id & ECS_TOGGLE) || (on && !ids->json->is_saved)) return false;
    id &= ~ECS_TOGGLE;
    return is_shown(ids->json, id) && ecs_is_enabled_id(ids->json->world, ids->entity, id) == on;
}

// Opens "tags" for its first element.
static void begin_tag(ecs_strbuf_t *buf, bool *is_open) {
    if (!*is_open) {
        ecs__json_open(buf, "tags", "[");
        *is_open = true;
    }
    ecs_strbuf_list_next(buf);
}

static void write_tags(const ids_t *ids) {
    ecs_strbuf_t *buf = ids->json->buf;
    bool is_open = false;
    for (int32_t i = 0; (i = next_id(ids, i, PART_TAG)) >= 0; i++) {
        begin_tag(buf, &is_open);
        ecs__entity_json_id(ids->json, id_at(ids, i));
    }
    for (int32_t i = 0; i < ids->all.count; i++) {
        ecs_id_t id = id_at(ids, i);
        bool is_on = is_switched(ids, id, true);
        if (!is_on && !is_switched(ids, id, false)) continue;
        ecs_strbuf_t word = ECS_STRBUF_INIT;
        begin_tag(buf, &is_open);
        if (is_on) ecs_strbuf_appendlit(&word, ECS__JSON_ENABLED);
        write_id(ids->json, &word, is_on ? id & ~ECS_TOGGLE : id); // "toggle|Position"
        quote(buf, &word);
    }
    if (is_open) ecs_strbuf_list_pop(buf, "]");
}

// Pairs of one relationship stand next to each other in a type.
static int32_t write_relationship(const ids_t *ids, int32_t first) {
    ecs_strbuf_t *buf = ids->json->buf;
    uint32_t relationship = ECS_PAIR_FIRST(id_at(ids, first));
    int32_t next = next_id(ids, first + 1, PART_PAIR);
    bool has_more = next >= 0 && ECS_PAIR_FIRST(id_at(ids, next)) == relationship;
    ecs_strbuf_list_next(buf);
    ecs__entity_json_ref(ids->json, ecs_get_alive(ids->json->world, relationship));
    ecs_strbuf_appendch(buf, ':');
    if (!has_more) {
        write_pair_target(ids->json, id_at(ids, first));
        return next;
    }
    ecs_strbuf_list_push(buf, "[", ", ");
    for (next = first; next >= 0 && ECS_PAIR_FIRST(id_at(ids, next)) == relationship;
         next = next_id(ids, next + 1, PART_PAIR)) {
        ecs_strbuf_list_next(buf);
        write_pair_target(ids->json, id_at(ids, next));
    }
    ecs_strbuf_list_pop(buf, "]");
    return next;
}

static void write_pairs(const ids_t *ids) {
    int32_t i = next_id(ids, 0, PART_PAIR);
    if (i < 0) return;
    ecs__json_open(ids->json->buf, "pairs", "{");
    while (i >= 0) i = write_relationship(ids, i);
    ecs_strbuf_list_pop(ids->json->buf, "}");
}

bool ecs__json_value_of(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id,
    const void *value, ecs_strbuf_t *buf) {
    if (!ecs_ptr_to_json_buf(world, ecs_get_typeid(world, id), value, buf)) return true;
    char *component = ecs_id_str(world, id), *path = ecs_get_path(world, entity);
    ecs__type_fail("that is the value of %s of entity %s", component, path);
    ecs_os_free(component);
    ecs_os_free(path);
    return false;
}

static bool write_value(const ids_t *ids, ecs_id_t id) {
    const ecs_world_t *world = ids->json->world;
    ecs_entity_t type = ecs_get_typeid(world, id);
    const void *value = ecs_get_id(world, ids->entity, id);
    if (!ids->json->desc->serialize_values || !value || !ecs__type_ops(world, type)) {
        ecs_strbuf_appendlit(ids->json->buf, "null");
        return true;
    }
    return ecs__json_value_of(world, ids->entity, id, value, ids->json->buf);
}

static bool write_components(const ids_t *ids) {
    ecs_strbuf_t *buf = ids->json->buf;
    bool success = true;
    int32_t i = next_id(ids, 0, PART_COMPONENT);
    if (i < 0) return true;
    ecs__json_open(buf, "components", "{");
    for (; success && i >= 0; i = next_id(ids, i + 1, PART_COMPONENT)) {
        ecs_strbuf_list_next(buf);
        ecs__entity_json_id(ids->json, id_at(ids, i));
        ecs_strbuf_appendch(buf, ':');
        success = write_value(ids, id_at(ids, i));
    }
    ecs_strbuf_list_pop(buf, "}");
    return success;
}

// ---- What is inherited, base by base ----

// `seen`: bases that are written already.
static bool write_bases(const ids_t *of, ecs_map_t *seen) {
    const ecs__entity_json_t *json = of->json;
    bool success = true;
    for (int32_t i = 0; success && i < of->all.count; i++) {
        if (!ECS_HAS_RELATION(id_at(of, i), EcsIsA)) continue;
        ecs_entity_t base = ecs_pair_second(json->world, id_at(of, i));
        if ((*ecs_map_ensure(seen, base))++) continue;
        ids_t ids = list_ids(json, base, of->instance ? of->instance : of->entity);
        if (ecs_map_count(seen) == 1) ecs__json_open(json->buf, "inherited", "{");
        ecs_strbuf_list_next(json->buf);
        ecs__entity_json_ref(json, base);
        ecs_strbuf_appendch(json->buf, ':');
        ecs_strbuf_list_push(json->buf, "{", ", ");
        write_tags(&ids);
        write_pairs(&ids);
        success = write_components(&ids);
        ecs_strbuf_list_pop(json->buf, "}");
        success = success && write_bases(&ids, seen);
        free_ids(&ids);
    }
    return success;
}

static bool write_inherited(const ids_t *ids) {
    ecs_map_t seen = { 0 };
    bool success = write_bases(ids, &seen);
    if (ecs_map_count(&seen)) ecs_strbuf_list_pop(ids->json->buf, "}");
    ecs_map_fini(&seen);
    return success;
}

// ---- Who refers to it, and which queries match ----

static void write_sources(
    const ecs__entity_json_t *json, ecs_entity_t relationship, ecs_entity_t target) {
    ecs_iter_t it = ecs_each_id(json->world, ecs_pair(relationship, target));
    bool is_open = false;
    while (ecs_each_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) {
            if (!is_open) {
                ecs_strbuf_list_next(json->buf);
                ecs__entity_json_ref(json, relationship);
                ecs_strbuf_appendch(json->buf, ':');
                ecs_strbuf_list_push(json->buf, "[", ", ");
                is_open = true;
            }
            ecs_strbuf_list_next(json->buf);
            ecs__entity_json_ref(json, it.entities[i]);
        }
    }
    if (is_open) ecs_strbuf_list_pop(json->buf, "]");
}

// Relationships with pairs to the target, each once.
static void write_all_sources(const ecs__entity_json_t *json, ecs_entity_t target) {
    ecs_map_t seen = { 0 };
    ecs_iter_t it = ecs_each_id(json->world, ecs_pair(EcsWildcard, target));
    while (ecs_each_next(&it)) *ecs_map_ensure(&seen, ECS_PAIR_FIRST(it.ids[0])) = 1;
    ecs_map_iter_t relationships = ecs_map_iter(&seen);
    while (ecs_map_next(&relationships)) {
        write_sources(json, ecs_get_alive(json->world, ecs_map_key(&relationships)), target);
    }
    ecs_map_fini(&seen);
}

static void write_refs(const ecs__entity_json_t *json, ecs_entity_t entity) {
    ecs__json_open(json->buf, "refs", "{");
    if (json->desc->serialize_refs == EcsWildcard)
        write_all_sources(json, entity);
    else
        write_sources(json, json->desc->serialize_refs, entity);
    ecs_strbuf_list_pop(json->buf, "}");
}

static bool matches(const ecs_world_t *world, ecs_entity_t holder, ecs_entity_t entity) {
    const ecs_query_t *query = ecs_query_get(world, holder);
    ecs_iter_t it;
    if (!query || !(query->flags & EcsQueryMatchThis) || !ecs_query_has(query, entity, &it))
        return false;
    ecs_iter_fini(&it);
    return true;
}

static void write_matches(const ecs__entity_json_t *json, ecs_entity_t entity) {
    ecs__json_open(json->buf, "matches", "[");
    ecs_iter_t it = ecs_each_id(json->world, ecs_pair(ecs_id(EcsPoly), EcsQuery));
    while (ecs_each_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) {
            if (!matches(json->world, it.entities[i], entity)) continue;
            ecs_strbuf_list_next(json->buf);
            ecs__entity_json_ref(json, it.entities[i]);
        }
    }
    ecs_strbuf_list_pop(json->buf, "]");
}

// ---- Whole entities ----

bool ecs__entity_json_body(const ecs__entity_json_t *json, ecs_entity_t entity) {
    ids_t ids = list_ids(json, entity, 0);
    write_tags(&ids);
    write_pairs(&ids);
    bool success = !json->desc->serialize_inherited || write_inherited(&ids);
    success = success && write_components(&ids);
    free_ids(&ids);
    return success;
}

void ecs__entity_json_tail(const ecs__entity_json_t *json, ecs_entity_t entity) {
    if (json->desc->serialize_refs) write_refs(json, entity);
    if (json->desc->serialize_matches) write_matches(json, entity);
}

static void write_type_info(const ecs__entity_json_t *json, ecs_entity_t entity) {
    ids_t ids = list_ids(json, entity, 0);
    ecs__json_open(json->buf, "type_info", "{");
    for (int32_t i = 0; (i = next_id(&ids, i, PART_COMPONENT)) >= 0; i++) {
        ecs_strbuf_list_next(json->buf);
        ecs__entity_json_id(json, id_at(&ids, i));
        ecs_strbuf_appendch(json->buf, ':');
        ecs_type_info_to_json_buf(
            json->world, ecs_get_typeid(json->world, id_at(&ids, i)), json->buf);
    }
    ecs_strbuf_list_pop(json->buf, "}");
    free_ids(&ids);
}

bool ecs__entity_json(const ecs__entity_json_t *json, ecs_entity_t entity) {
    ecs_strbuf_list_push(json->buf, "{", ", ");
    if (json->desc->serialize_type_info) write_type_info(json, entity);
    ecs__entity_json_head(json, entity);
    bool success = ecs__entity_json_body(json, entity);
    if (success) ecs__entity_json_tail(json, entity);
    ecs_strbuf_list_pop(json->buf, "}");
    return success;
}

int ecs_entity_to_json_buf(const ecs_world_t *world, ecs_entity_t entity, ecs_strbuf_t *buf,
    const ecs_entity_to_json_desc_t *desc) {
    ECS__NEED_OR(buf, -1);
    const ecs_entity_to_json_desc_t defaults = ECS_ENTITY_TO_JSON_INIT;
    const ecs__entity_json_t json = { world, buf, desc ? desc : &defaults, false };
    ecs_check(entity && ecs_is_alive(world, entity), ECS_INVALID_PARAMETER,
        "an entity that is not alive cannot be written as JSON");
    return ecs__entity_json(&json, entity) ? 0 : -1;
error:
    return -1;
}

char *ecs_entity_to_json(
    const ecs_world_t *world, ecs_entity_t entity, const ecs_entity_to_json_desc_t *desc) {
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    return ecs__text_take(&buf, ecs_entity_to_json_buf(world, entity, &buf, desc));
}
