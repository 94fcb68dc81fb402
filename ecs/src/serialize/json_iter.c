// SPDX-License-Identifier: MIT
// json_iter: results of iterators to JSON, one object per entity.
//
// What is the same in each result ("field_info") is not repeated: a result says which fields are
// set if not all are, ids that differ from result to result, and sources that are other entities.
#include <muster/ecs/query.h>

#include "base/assert.h"
#include "serialize/json_entity.h"

typedef struct writer_t {
    ecs__entity_json_t entity;
    const ecs_iter_to_json_desc_t *desc;
    ecs_strbuf_t *buf;
} writer_t;

// Every field of the query, or of an iterator without query, as a set.
static ecs_termset_t all_fields(const ecs_iter_t *it) {
    return it->field_count >= (int)(sizeof(ecs_termset_t) * 8)
               ? ~(ecs_termset_t)0
               : (ecs_termset_t)(((ecs_termset_t)1 << it->field_count) - 1);
}

static bool in_set(ecs_termset_t set, int32_t field) { return (set >> field) & 1; }

static const ecs_term_t *term_of(const ecs_query_t *query, int32_t field) {
    for (int32_t i = 0; query && i < query->term_count; i++) {
        if (query->terms[i].field_index == field) return &query->terms[i];
    }
    return NULL;
}

// Without query only one id can be asked for; fields have theirs from the first result on.
static ecs_id_t asked_for(const ecs_iter_t *it, int32_t field) {
    if (it->query) return it->query->ids[field];
    while (!it->ids && it->chain_it) it = it->chain_it;
    return it->ids ? it->ids[field] : it->event_id;
}

// The id that a field asks for, and the type of its values; 0 if it has none.
static ecs_entity_t type_of(const ecs_iter_t *it, int32_t field, ecs_id_t *id) {
    *id = asked_for(it, field);
    return *id && !ecs_id_is_wildcard(*id) ? ecs_get_typeid(it->world, *id) : 0;
}

// ---- Fields of a result ----

static void write_is_set(writer_t *w, const ecs_iter_t *it) {
    if ((it->set_fields & all_fields(it)) == all_fields(it)) return;
    ecs__json_open(w->buf, "is_set", "[");
    for (int8_t i = 0; i < it->field_count; i++) {
        ecs_strbuf_list_next(w->buf);
        ecs_strbuf_appendbool(w->buf, ecs_field_is_set(it, i));
    }
    ecs_strbuf_list_pop(w->buf, "]");
}

// Comparisons and negations are never set, so there is no id to tell.
static void write_ids(writer_t *w, const ecs_iter_t *it) {
    const ecs_query_t *query = it->query;
    ecs_termset_t fixed = query ? query->static_id_fields | ~query->set_fields : 0;
    if ((fixed & all_fields(it)) == all_fields(it)) return;
    ecs__json_open(w->buf, "ids", "[");
    for (int8_t i = 0; i < it->field_count; i++) {
        ecs_strbuf_list_next(w->buf);
        if (in_set(fixed, i) || !ecs_field_is_set(it, i))
            ecs_strbuf_appendch(w->buf, '0');
        else
            ecs__text_id(it->world, w->buf, ecs_field_id(it, i));
    }
    ecs_strbuf_list_pop(w->buf, "]");
}

static bool has_sources(const ecs_iter_t *it) {
    for (int8_t i = 0; i < it->field_count; i++) {
        bool is_fixed = it->query && in_set(it->query->fixed_fields, i);
        if (!is_fixed && it->sources[i]) return true;
    }
    return false;
}

static void write_sources(writer_t *w, const ecs_iter_t *it) {
    if (!has_sources(it)) return;
    ecs__json_open(w->buf, "sources", "[");
    for (int8_t i = 0; i < it->field_count; i++) {
        ecs_strbuf_list_next(w->buf);
        if (it->sources[i])
            ecs__entity_json_ref(&w->entity, it->sources[i]);
        else
            ecs_strbuf_appendch(w->buf, '0');
    }
    ecs_strbuf_list_pop(w->buf, "]");
}

static bool has_values(const ecs_iter_t *it, int8_t field) {
    const ecs_term_t *term = term_of(it->query, field);
    int16_t access = term ? term->inout : EcsInOutDefault;
    return it->sizes[field] && ecs_field_is_set(it, field) && access != EcsInOutNone &&
           access != EcsInOutFilter && access != EcsOut;
}

// Address of a field's value for a row.
static const void *value_at(const ecs_iter_t *it, int8_t field, int32_t row) {
    size_t size = (size_t)it->sizes[field];
    if (in_set(it->row_fields, field)) return ecs_field_at_w_size(it, size, field, row);
    const void *values = ecs_field_w_size(it, size, field);
    return values && ecs_field_is_self(it, field) ? ECS_ELEM(values, size, row) : values;
}

static bool write_value(writer_t *w, const ecs_iter_t *it, int8_t field, int32_t row) {
    ecs_entity_t type =
        has_values(it, field) ? ecs_get_typeid(it->world, ecs_field_id(it, field)) : 0;
    const void *value = type && ecs__type_ops(it->world, type) ? value_at(it, field, row) : NULL;
    if (value) {
        ecs_entity_t src = ecs_field_src(it, field);
        return ecs__json_value_of(
            it->world, src ? src : it->entities[row], ecs_field_id(it, field), value, w->buf);
    }
    ecs_strbuf_appendch(w->buf, '0');
    return true;
}

static bool write_values(writer_t *w, const ecs_iter_t *it, int32_t row) {
    bool has_any = false, success = true;
    for (int8_t i = 0; i < it->field_count; i++) has_any = has_any || it->sizes[i];
    if (!has_any) return true;
    ecs__json_open(w->buf, "values", "[");
    for (int8_t i = 0; success && i < it->field_count; i++) {
        ecs_strbuf_list_next(w->buf);
        success = write_value(w, it, i, row);
    }
    ecs_strbuf_list_pop(w->buf, "]");
    return success;
}

static bool write_fields(writer_t *w, const ecs_iter_t *it, int32_t row) {
    ecs__json_open(w->buf, "fields", "{");
    write_is_set(w, it);
    write_ids(w, it);
    write_sources(w, it);
    bool success = !w->desc->serialize_values || write_values(w, it, row);
    ecs_strbuf_list_pop(w->buf, "}");
    return success;
}

// ---- Results ----

static void write_vars(writer_t *w, ecs_iter_t *it) {
    bool is_open = false;
    for (int32_t i = 1; i < ecs_iter_get_var_count(it); i++) {
        const char *name = ecs_iter_get_var_name(it, i);
        if (!name || name[0] == '_' || strchr(name, '.')) continue;
        if (!is_open) {
            ecs__json_open(w->buf, "vars", "{");
            is_open = true;
        }
        ecs__json_name(w->buf, name);
        ecs__entity_json_ref(&w->entity, ecs_iter_get_var(it, i));
    }
    if (is_open) ecs_strbuf_list_pop(w->buf, "}");
}

static bool write_result(writer_t *w, ecs_iter_t *it, int32_t row) {
    ecs_entity_t entity = row < it->count ? it->entities[row] : 0;
    bool success = true;
    ecs_strbuf_list_push(w->buf, "{", ", ");
    if (entity) ecs__entity_json_head(&w->entity, entity);
    write_vars(w, it);
    if (w->desc->serialize_table && entity)
        success = ecs__entity_json_body(&w->entity, entity);
    else if (w->desc->serialize_fields)
        success = write_fields(w, it, row);
    if (success && entity) ecs__entity_json_tail(&w->entity, entity);
    ecs_strbuf_list_pop(w->buf, "}");
    return success;
}

// A result that waits for its turn.
typedef struct sorted_t {
    int32_t depth;
    char *text;
} sorted_t;

static bool keep_result(writer_t *w, ecs_iter_t *it, int32_t row, ecs_vec_t *sorted) {
    ecs_strbuf_t *buf = w->buf, result = ECS_STRBUF_INIT;
    w->buf = w->entity.buf = &result;
    bool success = write_result(w, it, row);
    w->buf = w->entity.buf = buf;
    sorted_t *slot = ecs_vec_append_t(NULL, sorted, sorted_t);
    slot->depth = row < it->count ? ecs_get_depth(it->world, it->entities[row], EcsChildOf) : 0;
    slot->text = ecs_strbuf_get(&result);
    return success;
}

static void write_sorted(writer_t *w, ecs_vec_t *sorted, bool success) {
    for (int32_t depth = 0, left = sorted->count; left; depth++) {
        for (int32_t i = 0; i < sorted->count; i++) {
            sorted_t *result = ecs_vec_get_t(sorted, sorted_t, i);
            if (result->depth != depth) continue;
            if (success) ecs_strbuf_list_appendstr(w->buf, result->text);
            ecs_os_free(result->text);
            left--;
        }
    }
    ecs_vec_fini_t(NULL, sorted, sorted_t);
}

static bool write_results(writer_t *w, ecs_iter_t *it) {
    ecs_vec_t sorted = { 0 };
    bool success = true;
    ecs__json_open(w->buf, "results", "[");
    while (success && ecs_iter_next(it)) {
        for (int32_t row = 0; success && row < ECS_MAX(it->count, 1); row++) {
            if (w->desc->serialize_parents_before_children) {
                success = keep_result(w, it, row, &sorted);
            } else {
                ecs_strbuf_list_next(w->buf);
                success = write_result(w, it, row);
            }
        }
        if (!success) ecs_iter_fini(it);
    }
    write_sorted(w, &sorted, success);
    ecs_strbuf_list_pop(w->buf, "]");
    return success;
}

// ---- What all results have in common ----

static void write_type_info(writer_t *w, const ecs_iter_t *it) {
    ecs_map_t seen = { 0 };
    ecs__json_open(w->buf, "type_info", "{");
    for (int32_t i = 0; i < it->field_count; i++) {
        ecs_id_t id;
        ecs_entity_t type = type_of(it, i, &id);
        if (!type || ecs_map_get(&seen, type)) continue;
        ecs_map_insert(&seen, type, 1);
        ecs_strbuf_list_next(w->buf);
        ecs__entity_json_ref(&w->entity, type);
        ecs_strbuf_appendch(w->buf, ':');
        ecs_type_info_to_json_buf(it->world, type, w->buf);
    }
    ecs_strbuf_list_pop(w->buf, "}");
    ecs_map_fini(&seen);
}

static void write_flag(writer_t *w, const char *name, bool value) {
    if (!value) return;
    ecs__json_name(w->buf, name);
    ecs_strbuf_appendlit(w->buf, "true");
}

static void write_one_field_info(writer_t *w, const ecs_iter_t *it, int32_t field) {
    const ecs_term_t *term = term_of(it->query, field);
    ecs_id_t id;
    ecs_entity_t type = type_of(it, field, &id);
    ecs_strbuf_list_next(w->buf);
    ecs_strbuf_list_push(w->buf, "{", ", ");
    ecs__json_name(w->buf, "id");
    if (id)
        ecs__entity_json_id(&w->entity, id);
    else
        ecs_strbuf_appendch(w->buf, '0');
    write_flag(w, "optional", term && term->oper == EcsOptional);
    write_flag(w, "not", term && term->oper == EcsNot);
    const ecs_entity_t relationship = ECS_IS_PAIR(id) ? ecs_pair_first(it->world, id) : 0;
    write_flag(w, "exclusive", relationship && ecs_has_id(it->world, relationship, EcsExclusive));
    if (type) {
        ecs__json_name(w->buf, "type");
        ecs__entity_json_ref(&w->entity, type);
        const char *symbol = ecs_get_symbol(it->world, type);
        if (symbol) {
            ecs__json_name(w->buf, "symbol");
            ecs__text_string(w->buf, symbol);
        }
        if (ecs__type_ops(it->world, type)) {
            ecs__json_name(w->buf, "schema");
            ecs_type_info_to_json_buf(it->world, type, w->buf);
        }
    }
    ecs_strbuf_list_pop(w->buf, "}");
}

static void write_field_info(writer_t *w, const ecs_iter_t *it) {
    ecs__json_open(w->buf, "field_info", "[");
    for (int32_t i = 0; i < it->field_count; i++) write_one_field_info(w, it, i);
    ecs_strbuf_list_pop(w->buf, "]");
}

static void write_text(writer_t *w, const char *name, char *text) {
    ecs__json_name(w->buf, name);
    ecs__text_string(w->buf, text ? text : "");
    ecs_os_free(text);
}

static void write_query_info(writer_t *w, const ecs_query_t *query) {
    ecs__json_open(w->buf, "query_info", "{");
    ecs__json_open(w->buf, "vars", "[");
    for (int32_t i = 0; i < query->var_count; i++) {
        const char *name = ecs_query_var_name(query, i);
        if (!name || name[0] == '_') continue;
        ecs_strbuf_list_next(w->buf);
        ecs__text_string(w->buf, name);
    }
    ecs_strbuf_list_pop(w->buf, "]");
    ecs__json_open(w->buf, "terms", "[");
    for (int32_t i = 0; i < query->term_count; i++) {
        char *text = ecs_term_str(query->real_world, &query->terms[i]);
        ecs_strbuf_list_next(w->buf);
        ecs__text_string(w->buf, text ? text : "");
        ecs_os_free(text);
    }
    ecs_strbuf_list_pop(w->buf, "]");
    ecs_strbuf_list_pop(w->buf, "}");
}

static void write_common(writer_t *w, const ecs_iter_t *it, const ecs_query_t *query) {
    if (w->desc->serialize_type_info) write_type_info(w, it);
    if (w->desc->serialize_query_info && query) write_query_info(w, query);
    if (w->desc->serialize_field_info) write_field_info(w, it);
    if (w->desc->serialize_query_plan && query) write_text(w, "query_plan", ecs_query_plan(query));
}

// ---- Iterators ----

// Of an iterator that is cut up, too.
static void begin_profile(ecs_iter_t *it) {
    for (; it; it = it->chain_it) it->flags |= EcsIterProfile;
}

// Without results, what is counted is found all the same.
static bool run(writer_t *w, ecs_iter_t *it) {
    if (!w->desc->dont_serialize_results) return write_results(w, it);
    if (!w->desc->serialize_query_profile)
        ecs_iter_fini(it);
    else
        while (ecs_iter_next(it)) continue;
    return true;
}

static ecs_entity_to_json_desc_t entity_desc(const ecs_iter_to_json_desc_t *desc) {
    return (ecs_entity_to_json_desc_t){ .serialize_entity_id = desc->serialize_entity_ids,
        .serialize_doc = desc->serialize_doc,
        .serialize_full_paths = desc->serialize_full_paths,
        .serialize_inherited = desc->serialize_inherited,
        .serialize_values = desc->serialize_values,
        .serialize_builtin = desc->serialize_builtin,
        .serialize_refs = desc->serialize_refs,
        .serialize_matches = desc->serialize_matches,
        .component_filter = desc->component_filter };
}

int ecs_iter_to_json_buf(ecs_iter_t *it, ecs_strbuf_t *buf, const ecs_iter_to_json_desc_t *desc) {
    ECS__NEED_OR(it && buf, -1);
    const ecs_iter_to_json_desc_t defaults = ECS_ITER_TO_JSON_INIT;
    if (!desc) desc = &defaults;
    const ecs_entity_to_json_desc_t of_entities = entity_desc(desc);
    writer_t w = { { it->world, buf, &of_entities, false }, desc, buf };
    ecs_strbuf_list_push(buf, "{", ", ");
    const ecs_query_t *query = desc->query ? desc->query : it->query;
    if (desc->serialize_query_profile) begin_profile(it);
    write_common(&w, it, query);
    bool success = run(&w, it);
    if (desc->serialize_query_profile && query)
        write_text(&w, "query_profile", ecs_query_plan_w_profile(query, NULL));
    ecs_strbuf_list_pop(buf, "}");
    return success ? 0 : -1;
}

char *ecs_iter_to_json(ecs_iter_t *it, const ecs_iter_to_json_desc_t *desc) {
    ECS__NEED_OR(it, NULL);
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    return ecs__text_take(&buf, ecs_iter_to_json_buf(it, &buf, desc));
}
