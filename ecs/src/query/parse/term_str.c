// SPDX-License-Identifier: MIT
// term_str: terms to text that parses back to equal terms (QL-19).
//
// Works on checked terms and on terms that still hold names. What names contain beyond letters,
// digits and '_' is protected by backslashes, and so is a name that would be read as a word of the
// language.
#include <muster/ecs/entity.h>
#include <muster/ecs/name.h>

#include "base/assert.h"
#include "id/id.h"
#include "name/lookup.h"
#include "query/parse/parser.h"
#include "query/parse/term.h"

// ---- Names ----

// Words that mean something else where a name could stand.
static bool is_word(const char *name) {
    const ecs__token_t token = {
        .kind = ECS__TOK_NAME, .start = name, .length = ecs_os_strlen(name)
    };
    return ecs__is_walk(&token) || ecs__is_mark(&token);
}

// Length of a <…> that stands as it is: not where a name would have to begin with it, and without
// backslashes that reading takes away.
static size_t plain_brackets(const char *path, const char *at, bool begins_name) {
    size_t length = *at == '<' && !begins_name ? ecs__bracket_length(at) : 0;
    for (size_t i = 0; i < length; i++) {
        if (at[i] != '\\') continue;
        if (!ecs__keeps_backslash(path, at + i)) return 0;
        i++;
    }
    return length;
}

// Length of what stands as it is.
static size_t plain_length(const char *path, const char *at, bool begins_name) {
    if (*at == '.' || ecs__is_name_char(*at)) return 1;
    if (*at == '\\' && ecs__keeps_backslash(path, at)) return 2;
    if (at[0] == ':' && at[1] == ':') return 2;
    return plain_brackets(path, at, begins_name);
}

static size_t number_length(const char *path) {
    size_t length = path[0] == '#' ? strspn(path + 1, "0123456789") : 0;
    return length ? length + 1 : 0;
}

// `path` has its separators protected already.
static void append_path(ecs_strbuf_t *buf, const char *path) {
    bool is_number = path[0] >= '0' && path[0] <= '9', begins_name = true;
    if (is_number || is_word(path)) ecs_strbuf_appendch(buf, '\\');
    for (const char *ptr = path; *ptr;) {
        size_t plain = ptr == path ? number_length(path) : 0;
        if (!plain) plain = plain_length(path, ptr, begins_name);
        if (!plain) ecs_strbuf_appendch(buf, '\\');
        ecs_strbuf_appendstrn(buf, ptr, plain ? (int32_t)plain : 1);
        begins_name = *ptr == '.' || (plain == 2 && *ptr == ':');
        ptr += plain ? plain : 1;
    }
}

// False if others have the name, or no text leads there.
static bool is_found_by_path(const ecs_world_t *world, ecs_entity_t entity) {
    char *path = ecs_get_path_w_sep(world, 0, entity, NULL, "::");
    ecs_entity_t found = ecs_lookup_path_w_sep(world, 0, path, NULL, NULL, false);
    ecs_os_free(path);
    return found == entity;
}

// NULL if there is none that can be read.
static char *name_to_read(const ecs_world_t *world, ecs_entity_t entity) {
    if (!is_found_by_path(world, entity)) return NULL;
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    char *path = ecs_get_path(world, entity);
    char *name = flecs_asprintf("%s%s", ecs__name_in_ref(path) != path ? "\\" : "", path);
    append_path(&buf, name);
    ecs_os_free(name);
    ecs_os_free(path);
    bool is_short = ecs_strbuf_written(&buf) < ECS_MAX_TOKEN_SIZE;
    if (!is_short) ecs_strbuf_reset(&buf);
    return is_short ? ecs_strbuf_get(&buf) : NULL;
}

static void append_entity(const ecs_world_t *world, ecs_entity_t entity, ecs_strbuf_t *buf) {
    if (entity == Ecs__Wildcard || entity == Ecs__Any) {
        ecs_strbuf_appendch(buf, entity == Ecs__Wildcard ? '*' : '_');
        return;
    }
    ecs_entity_t alive = entity ? ecs_get_alive(world, entity) : 0;
    char *name = alive ? name_to_read(world, alive) : NULL;
    if (name)
        ecs_strbuf_appendstr(buf, name);
    else
        ecs_strbuf_append(buf, "#%u", (uint32_t)entity);
    ecs_os_free(name);
}

static void append_quoted(const char *text, ecs_strbuf_t *buf) {
    char *escaped = flecs_astresc('"', text);
    ecs_strbuf_append(buf, "\"%s\"", escaped);
    ecs_os_free(escaped);
}

static void append_ref(const ecs_world_t *world, const ecs_term_ref_t *ref, ecs_strbuf_t *buf) {
    ecs_entity_t id = ECS_TERM_REF_ID(ref);
    if (id == Ecs__This && (ref->id & EcsIsVariable)) {
        ecs_strbuf_appendlit(buf, "$this");
    } else if (id) {
        append_entity(world, id, buf);
    } else if (!ref->name) {
        ecs_strbuf_appendlit(buf, "#0");
    } else if (ref->id & EcsIsVariable) {
        ecs_strbuf_append(buf, "$%s", ref->name + (ref->name[0] == '$'));
    } else if (ref->name[0] == '#' || ref->name[0] == '$' || ref->name[0] == '@') {
        ecs_strbuf_appendstr(buf, ref->name);
    } else {
        append_path(buf, ref->name);
    }
}

// ---- Traversal ----

static void append_depth(const ecs_world_t *world, const ecs_term_t *term, ecs_strbuf_t *buf) {
    ecs_strbuf_appendch(buf, '(');
    append_entity(world, term->trav, buf);
    if (term->min_depth) ecs_strbuf_append(buf, ", %d", term->min_depth);
    ecs_strbuf_append(buf, ", %d)", term->max_depth ? term->max_depth : INT16_MAX);
}

// "|self|up IsA", or nothing for what is the default of the ref.
static void append_flags(
    const ecs_world_t *world, const ecs_term_t *term, uint64_t flags, ecs_strbuf_t *buf) {
    bool has_depth = term->min_depth || term->max_depth;
    bool walks = (flags & (EcsUp | EcsCascade | EcsDown)) != 0;
    if (flags & EcsAll) ecs_strbuf_appendlit(buf, "|all");
    if (flags & EcsSelf) ecs_strbuf_appendlit(buf, "|self");
    if (flags & EcsCascade)
        ecs_strbuf_appendlit(buf, "|cascade");
    else if (flags & EcsUp)
        ecs_strbuf_appendlit(buf, "|up");
    if (flags & EcsDown) ecs_strbuf_appendlit(buf, "|down");
    if (walks && has_depth && term->trav) append_depth(world, term, buf);
    if (flags & EcsDesc) ecs_strbuf_appendlit(buf, "|desc");
    if (walks && !has_depth && term->trav) {
        ecs_strbuf_appendch(buf, ' ');
        append_entity(world, term->trav, buf);
    }
}

// ---- Terms ----

// The parts of a term given by its id alone.
static ecs_term_t with_refs(const ecs_term_t *term) {
    ecs_term_t out = *term;
    ecs_id_t id = term->id & ECS_COMPONENT_MASK;
    if (!id || ecs_term_ref_is_set(&out.first)) return out;
    bool is_pair = (term->id & ECS__PAIR) != 0;
    out.first.id = is_pair ? ecs__id_first(id) : id;
    if (is_pair && !ecs_term_ref_is_set(&out.second))
        out.second.id = ecs__id_second(id) ? ecs__id_second(id) : EcsIsEntity;
    return out;
}

static void append_prefix(const ecs_term_t *term, bool in_chain, ecs_strbuf_t *buf) {
    static const char *const access[] = { [EcsInOutNone] = "[none] ",
        [EcsInOutFilter] = "[filter] ",
        [EcsInOut] = "[inout] ",
        [EcsIn] = "[in] ",
        [EcsOut] = "[out] " };
    bool is_known = term->inout >= 0 && term->inout <= EcsOut && access[term->inout];
    bool is_implied =
        term->inout == EcsInOutNone && (term->oper == EcsNot || ecs__is_from(term->oper));
    if (is_known && !in_chain && !is_implied) ecs_strbuf_appendstr(buf, access[term->inout]);
    switch (term->oper) {
    case EcsNot: ecs_strbuf_appendch(buf, '!'); break;
    case EcsOptional: ecs_strbuf_appendch(buf, '?'); break;
    case EcsAndFrom: ecs_strbuf_appendlit(buf, "and|"); break;
    case EcsOrFrom: ecs_strbuf_appendlit(buf, "or|"); break;
    case EcsNotFrom: ecs_strbuf_appendlit(buf, "not|"); break;
    default: break;
    }
    if ((term->id & ECS__AUTO_OVERRIDE) != 0) ecs_strbuf_appendlit(buf, "AUTO_OVERRIDE|");
    if ((term->id & ECS__TOGGLE) != 0) ecs_strbuf_appendlit(buf, "TOGGLE|");
}

static void append_comparison(const ecs_world_t *world, const ecs_term_t *term, ecs_strbuf_t *buf) {
    ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
    bool is_not = (term->oper == EcsNot) != (first == Ecs__PredNeq);
    append_ref(world, &term->src, buf);
    if (first == Ecs__PredMatch && term->second.name) {
        const char *text = term->second.name;
        ecs_strbuf_appendlit(buf, " ~= ");
        bool is_negated = is_not != (text[0] == '!');
        text += text[0] == '!';
        char *pattern = flecs_astresc('"', text);
        ecs_strbuf_append(buf, "\"%s%s\"", is_negated ? "!" : "", pattern);
        ecs_os_free(pattern);
        return;
    }
    ecs_strbuf_appendstr(buf, is_not ? " != " : " == ");
    if (term->second.id & EcsIsName)
        append_quoted(term->second.name, buf);
    else
        append_ref(world, &term->second, buf);
}

static void append_source(const ecs_world_t *world, const ecs_term_t *term, ecs_strbuf_t *buf) {
    if (ecs_term_ref_is_set(&term->src) &&
        (ECS_TERM_REF_ID(&term->src) || term->src.name || ecs_term_match_0(term))) {
        append_ref(world, &term->src, buf);
    } else {
        ecs_strbuf_appendlit(buf, "$this");
    }
    /* self alone is what ids have that are not inherited */
    uint64_t flags = term->src.id & EcsTraverseFlags;
    bool is_default =
        flags == EcsSelf && (ecs_term_match_0(term) || !ecs__term_is_inheritable(world, term));
    if (!is_default) append_flags(world, term, flags, buf);
}

static void append_term(
    const ecs_world_t *world, const ecs_term_t *raw, bool in_chain, ecs_strbuf_t *buf) {
    ecs_term_t term = with_refs(raw);
    if (ecs__is_comparison_id(ECS_TERM_REF_ID(&term.first))) {
        append_comparison(world, &term, buf);
        return;
    }
    append_prefix(&term, in_chain, buf);
    append_ref(world, &term.first, buf);
    append_flags(world, &term, term.first.id & EcsTraverseFlags, buf);
    ecs_strbuf_appendch(buf, '(');
    bool has_second = ecs_term_ref_is_set(&term.second);
    if (!ecs_term_match_0(&term) || has_second) append_source(world, &term, buf);
    if (has_second) {
        ecs_strbuf_appendch(buf, ',');
        if ((term.id & ECS__VALUE_PAIR) == ECS__VALUE_PAIR && !term.second.name) {
            ecs_strbuf_append(buf, "@%u", ecs__id_second(term.id));
        } else {
            if (term.flags_ & ECS__TERM_IS_VALUE) ecs_strbuf_appendch(buf, '@');
            append_ref(world, &term.second, buf);
        }
        append_flags(world, &term, term.second.id & EcsTraverseFlags, buf);
    }
    ecs_strbuf_appendch(buf, ')');
}

char *ecs_term_str(const ecs_world_t *world, const ecs_term_t *term) {
    ECS__NEED_OR(term, NULL);
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    append_term(world, term, false, &buf);
    return ecs_strbuf_get(&buf);
}

char *ecs_query_str(const ecs_query_t *query) {
    ECS__NEED_OR(query, NULL);
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    bool needs_separator = false, in_chain = false;
    for (int32_t i = 0; i < query->term_count; i++) {
        const ecs_term_t *term = &query->terms[i];
        ecs_entity_t first = ECS_TERM_REF_ID(&term->first);
        bool closes = first == Ecs__ScopeClose, opens = first == Ecs__ScopeOpen;
        if (needs_separator && !closes) ecs_strbuf_appendstr(&buf, in_chain ? " || " : ", ");
        if (closes) {
            ecs_strbuf_appendlit(&buf, " }");
        } else if (opens) {
            ecs_strbuf_appendstr(&buf, term->oper == EcsNot        ? "!{ "
                                       : term->oper == EcsOptional ? "?{ "
                                                                   : "{ ");
        } else {
            append_term(query->world, term, in_chain, &buf);
        }
        needs_separator = !opens;
        in_chain = term->oper == EcsOr;
    }
    char *text = ecs_strbuf_get(&buf);
    return text ? text : ecs_os_strdup("0"); /* no terms */
}
