// SPDX-License-Identifier: MIT
// ref: the parts of a term: names, variables and numbers, and the flags behind them.
//
//   ref   = path | "$" name | integer | "#" integer | "*" | "_"
//   flags = word { "|" word } [ relationship ]
//   word  = "self" | "desc" | "all" | ( "up" | "down" | "cascade" | … ) [ depths ]
//   depths = "(" relationship [ "," [ min "," ] max ] ")"
//
// Older spellings are read here too: `This` and `$This`; variables written `X` or `_Name` while no
// entity has that name; `super`, `superset`, `sub`, `subset` (over IsA unless said otherwise) and
// `parent`.
#include <errno.h>
#include <stdlib.h>

#include <muster/ecs/name.h>
#include "id/builtin.h"
#include "name/lookup.h"
#include "query/parse/parser.h"

// ---- Names, variables, numbers ----

bool ecs__keeps_backslash(const char *name, const char *ptr) {
    if (ptr[1] == '.' || ptr[1] == ':') return true;
    if (ptr != name) return false;
    bool is_number = ptr[1] == '#' && ptr[2] >= '0' && ptr[2] <= '9';
    return is_number || ptr[1] == '$' || ptr[1] == '@';
}

const char *ecs__name_in_ref(const char *name) {
    size_t slashes = strspn(name, "\\");
    bool is_mark = name[slashes] == '$' || name[slashes] == '@';
    bool is_for_lookup = ecs__protected_at(name, strlen(name)) != SIZE_MAX;
    return slashes && is_mark && !is_for_lookup ? name + 1 : name;
}

// The name of a token, without the backslashes that are not needed any more.
static char *keep_name(const ecs__parser_t *parser, const ecs__token_t *token) {
    char *name = ecs__parser_keep(parser, token->start, token->length);
    if (!name) return NULL;
    char *out = name;
    for (const char *ptr = name; *ptr; ptr++) {
        bool is_escape = *ptr == '\\';
        if (is_escape && ecs__keeps_backslash(name, ptr)) *out++ = *ptr;
        ptr += is_escape;
        *out++ = *ptr;
    }
    *out = '\0';
    return name;
}

static bool is_known(const ecs__parser_t *parser, const char *name) {
    return parser->world && ecs_lookup_symbol(parser->world, name, true, true) != 0;
}

// Letters, digits and '_' only: what can be written behind a '$' again.
static bool is_word(const char *name) {
    for (; *name; name++) {
        bool is_letter = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z');
        if (!is_letter && !(*name >= '0' && *name <= '9') && *name != '_') return false;
    }
    return true;
}

// The variable that an older spelling stands for: `X`, `_Name`, `__hidden`. NULL if it is an
// ordinary name. Data has no variables, so a capital names an entity there.
static const char *as_old_variable(const ecs__parser_t *parser, const char *name) {
    bool is_letter = name[0] >= 'A' && name[0] <= 'Z' && !name[1];
    bool is_underscored = name[0] == '_' && name[1] && is_word(name);
    if (parser->facts || (!is_letter && !is_underscored) || is_known(parser, name)) return NULL;
    return name + is_underscored;
}

static void set_variable(ecs_term_ref_t *ref, const char *name) {
    bool is_this = !strcmp(name, "this") || !strcmp(name, "This");
    *ref = is_this ? (ecs_term_ref_t){ .id = Ecs__This | EcsIsVariable }
                   : (ecs_term_ref_t){ .id = EcsIsVariable, .name = name };
}

static bool parse_name(ecs__parser_t *parser, ecs_term_ref_t *out) {
    const char *name = keep_name(parser, &parser->token);
    if (!name) return false;
    const char *variable = as_old_variable(parser, name);
    if (!strcmp(name, "*")) {
        out->id = Ecs__Wildcard;
    } else if (!strcmp(name, "_")) {
        out->id = Ecs__Any;
    } else if (variable) {
        set_variable(out, variable);
    } else if (!parser->facts && !strcmp(name, "This") && !is_known(parser, name)) {
        set_variable(out, name);
    } else {
        out->name = name;
    }
    return true;
}

bool ecs__read_integer(const char *digits, uint64_t max, uint64_t *out) {
    bool is_binary = digits[0] == '0' && digits[1] == 'b';
    bool is_hex = digits[0] == '0' && digits[1] == 'x';
    char *end;
    errno = 0;
    *out = strtoull(digits + (is_binary ? 2 : 0), &end, is_binary ? 2 : is_hex ? 16 : 10);
    return digits[0] >= '0' && digits[0] <= '9' && !*end && !errno && *out <= max;
}

static bool read_token(const ecs__token_t *token, uint64_t max, uint64_t *out) {
    char digits[ECS_MAX_TOKEN_SIZE];
    memcpy(digits, token->start, (size_t)token->length);
    digits[token->length] = '\0';
    return ecs__read_integer(digits, max, out);
}

static bool parse_number_ref(ecs__parser_t *parser, ecs_term_ref_t *out) {
    uint64_t value;
    if (!read_token(&parser->token, ECS_COMPONENT_MASK, &value)) {
        return ecs__parser_fail(parser, parser->token.start,
            "'%.*s' is not the number of an entity", parser->token.length, parser->token.start);
    }
    char text[24];
    int32_t length = snprintf(text, sizeof text, "#%llu", (unsigned long long)value);
    out->name = ecs__parser_keep(parser, text, length);
    return out->name != NULL;
}

static bool parse_variable(ecs__parser_t *parser, ecs_term_ref_t *out) {
    const char *name = ecs__parser_keep(parser, parser->token.start, parser->token.length);
    if (name) set_variable(out, name);
    return name != NULL;
}

bool ecs__parse_ref(ecs__parser_t *parser, ecs_term_ref_t *out) {
    *out = (ecs_term_ref_t){ 0 };
    bool ok;
    switch (parser->token.kind) {
    case ECS__TOK_NAME: ok = parse_name(parser, out); break;
    case ECS__TOK_NUMBER: ok = parse_number_ref(parser, out); break;
    case ECS__TOK_VARIABLE:
        if (!parser->token.length)
            return ecs__parser_fail(parser, parser->token.start - 1, "a '$' needs a name here");
        ok = parse_variable(parser, out);
        break;
    default: return ecs__parser_expected(parser, "a name");
    }
    if (ok) ecs__parser_next(parser);
    return ok;
}

bool ecs__parse_string(ecs__parser_t *parser, const char **out) {
    if (parser->token.kind != ECS__TOK_STRING)
        return ecs__parser_expected(parser, "a text in quotes");
    char *text = ecs__parser_keep(parser, parser->token.start + 1, parser->token.length - 2);
    if (!text) return false;
    char *to = text;
    for (const char *from = text; *from;) {
        from = *from == '\\' ? flecs_chrparse(from, to++) : (*to++ = *from, from + 1);
        if (!from)
            return ecs__parser_fail(
                parser, parser->token.start, "this string has an unknown escape sequence");
    }
    *to = '\0';
    *out = text;
    ecs__parser_next(parser);
    return true;
}

// ---- Traversal ----

typedef struct word_t {
    char text[12];
    uint64_t flags;
    ecs_entity_t relationship; /* when none is named; 0: the word walks nowhere */
} word_t;

static const word_t words[] = {
    { "self", EcsSelf, 0 },
    { "up", EcsUp, Ecs__ChildOf },
    { "cascade", EcsCascade | EcsUp, Ecs__ChildOf },
    { "desc", EcsDesc, 0 },
    { "down", EcsDown, Ecs__ChildOf },
    { "all", EcsAll, 0 },
    { "parent", EcsUp, Ecs__ChildOf },
    { "super", EcsUp, Ecs__IsA },
    { "superset", EcsUp, Ecs__IsA },
    { "sub", EcsDown, Ecs__IsA },
    { "subset", EcsDown, Ecs__IsA },
};

static const word_t *find_word(const ecs__token_t *token) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (ecs__token_is(token, words[i].text)) return &words[i];
    }
    return NULL;
}

bool ecs__is_walk(const ecs__token_t *token) { return find_word(token) != NULL; }

// A term walks one relationship, however often it is named.
static bool set_relationship(ecs__parser_t *parser, ecs__draft_t *draft) {
    if (parser->token.kind != ECS__TOK_NAME) return ecs__parser_expected(parser, "a relationship");
    const char *name = keep_name(parser, &parser->token);
    if (!name) return false;
    if (draft->text.trav && strcmp(draft->text.trav, name)) {
        return ecs__parser_fail(parser, parser->token.start,
            "a term can traverse one relationship: '%s' or '%s'", draft->text.trav, name);
    }
    draft->text.trav = name;
    ecs__parser_next(parser);
    return true;
}

static bool parse_depth(ecs__parser_t *parser, int16_t *out) {
    uint64_t value;
    if (parser->token.kind != ECS__TOK_NUMBER) return ecs__parser_expected(parser, "a depth");
    if (!read_token(&parser->token, INT16_MAX, &value) || !value) {
        return ecs__parser_fail(
            parser, parser->token.start, "a depth is a whole number from 1 to %d", INT16_MAX);
    }
    *out = (int16_t)value;
    ecs__parser_next(parser);
    return true;
}

// "(" relationship [ "," [ min "," ] max ] ")"
static bool parse_relationship_args(ecs__parser_t *parser, ecs__draft_t *draft) {
    ecs_term_t *term = &draft->term;
    if (!set_relationship(parser, draft)) return false;
    if (ecs__parser_take(parser, ECS__TOK_COMMA)) {
        if (!parse_depth(parser, &term->max_depth)) return false;
        if (ecs__parser_take(parser, ECS__TOK_COMMA)) {
            term->min_depth = term->max_depth;
            const char *at = parser->token.start;
            if (!parse_depth(parser, &term->max_depth)) return false;
            if (term->min_depth > term->max_depth) {
                return ecs__parser_fail(parser, at, "the depth limits are in the wrong order");
            }
        }
    }
    return ecs__parser_need(parser, ECS__TOK_CLOSE, "')'");
}

bool ecs__parse_traversal(ecs__parser_t *parser, ecs__draft_t *draft, ecs_term_ref_t *ref) {
    bool walks = false;
    do {
        const word_t *word = find_word(&parser->token);
        if (!word)
            return ecs__parser_expected(
                parser, "'self', 'up', 'cascade' or another word of traversal");
        if (ref->id & word->flags & EcsCascade)
            return ecs__parser_fail(parser, parser->token.start, "a term cascades once");
        ecs__parser_next(parser);
        ref->id |= word->flags;
        if (!word->relationship) continue;
        walks = true;
        if (draft->term.trav != Ecs__IsA) draft->term.trav = word->relationship;
        if (ecs__parser_take(parser, ECS__TOK_OPEN) && !parse_relationship_args(parser, draft))
            return false;
    } while (ecs__parser_take(parser, ECS__TOK_BAR));
    bool has_name = parser->token.kind == ECS__TOK_NAME && !parser->token.after_newline;
    return !walks || !has_name || set_relationship(parser, draft);
}

bool ecs__parse_ref_flags(ecs__parser_t *parser, ecs__draft_t *draft, ecs_term_ref_t *ref) {
    if (ecs__parser_take(parser, ECS__TOK_BAR)) return ecs__parse_traversal(parser, draft, ref);
    if (parser->token.after_newline || !ecs__parser_take(parser, ECS__TOK_OPEN_ACCESS)) return true;
    return ecs__parse_traversal(parser, draft, ref) &&
           ecs__parser_need(parser, ECS__TOK_CLOSE_ACCESS, "']'");
}
