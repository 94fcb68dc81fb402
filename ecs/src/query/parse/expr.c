// SPDX-License-Identifier: MIT
// expr: query text to terms.
//
//   expr      = [ term { separator term } [ separator ] ] | "0"
//   separator = "," | "||" | line break
//   term      = [ access ] [ "!" | "?" ] ( body | "{" expr "}" )
//   access    = "[" ( "in" | "out" | "inout" | "none" | "filter" | "default" ) "]"
//   body      = [ mark "|" ] ref [ flags ] [ args ]              component form; source first
//             | [ mark "|" ] "(" ref [ flags ] "," targets ")" [ "(" ")" ]
//                                                          pair form; the source is $this, or none
//             | variable ( "==" | "!=" | "~=" ) ( ref | string )
//   mark      = "and" | "or" | "not" | "toggle" | "auto_override"
//   args      = "(" [ source [ "," targets ] ] ")"
//   source    = flags [ ":" ref ] | ref [ flags ] | "$"
//   targets   = target { "||" target } | target { "," target }
//   target    = ref [ flags ] | "$" | "@" ( integer | name | "*" )
//
// `||` binds tighter than `,`: a chain is terms with operator EcsOr and a last one with EcsAnd.
// `R(A, B, C)` is R(A, B), R(B, C); `R($this, A || B)` is R($this, A) || R($this, B). "$" alone
// repeats the id of the term. What stands behind a line break begins a new term wherever it can.
// Refs and flags are read by ref.c.
#include <muster/ecs/name.h>
#include "id/builtin.h"
#include "query/parse/parser.h"

// ---- Terms and their texts ----

void ecs__terms_fini(ecs__terms_t *terms) {
    for (int32_t i = 0; i < terms->name_count; i++) ecs_os_free(terms->names[i]);
    ecs_os_free(terms->names);
    ecs_os_free(terms->array);
    ecs_os_free(terms->texts);
    ecs_os_free(terms->expr);
    ecs_vec_fini_t(NULL, &terms->members, ecs__made_member_t);
    *terms = (ecs__terms_t){ 0 };
}

static bool fail_memory(const ecs__parser_t *parser) {
    if (!parser->silent) ecs_err_code(ECS_OUT_OF_MEMORY, "out of memory while reading a query");
    return false;
}

char *ecs__parser_keep(const ecs__parser_t *parser, const char *text, int32_t length) {
    ecs__terms_t *terms = parser->terms;
    if (terms->name_count == terms->name_size) {
        int32_t size = ECS_MAX(8, terms->name_size * 2);
        char **names = ecs_os_try_realloc(terms->names, size * ECS_SIZEOF(char *));
        if (!names) return fail_memory(parser), NULL;
        terms->names = names;
        terms->name_size = size;
    }
    char *name = ecs_os_try_malloc(length + 1);
    if (!name) return fail_memory(parser), NULL;
    memcpy(name, text, (size_t)length);
    name[length] = '\0';
    terms->names[terms->name_count++] = name;
    return name;
}

static bool reserve_terms(const ecs__parser_t *parser) {
    ecs__terms_t *terms = parser->terms;
    if (terms->count < terms->size) return true;
    int32_t size = ECS_MAX(8, terms->size * 2);
    ecs_term_t *array = ecs_os_try_realloc(terms->array, size * ECS_SIZEOF(ecs_term_t));
    if (!array) return fail_memory(parser);
    terms->array = array;
    ecs__term_text_t *texts = ecs_os_try_realloc(terms->texts, size * ECS_SIZEOF(ecs__term_text_t));
    if (!texts) return fail_memory(parser);
    terms->texts = texts;
    terms->size = size;
    return true;
}

static bool push_term(ecs__parser_t *parser, const ecs__draft_t *draft) {
    ecs__terms_t *terms = parser->terms;
    if (terms->count == FLECS_TERM_COUNT_MAX && parser->is_query) {
        return ecs__parser_fail(
            parser, parser->token.start, "a query has at most %d terms", FLECS_TERM_COUNT_MAX);
    }
    if (!reserve_terms(parser)) return false;
    terms->array[terms->count] = draft->term;
    terms->texts[terms->count++] = draft->text;
    return true;
}

// ---- Reading tokens ----

static bool fail_at(const ecs__parser_t *parser, const char *at, const char *fmt, va_list args) {
    if (!parser->silent)
        ecs_parser_errorv(parser->name, parser->expr, at ? at - parser->expr : -1, fmt, args);
    return false;
}

bool ecs__parser_fail(const ecs__parser_t *parser, const char *at, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fail_at(parser, at, fmt, args);
    va_end(args);
    return false;
}

bool ecs__parser_expected(const ecs__parser_t *parser, const char *what) {
    const ecs__token_t *token = &parser->token;
    if (token->kind == ECS__TOK_ERROR)
        return ecs__parser_fail(parser, token->start, "%s", token->error);
    if (token->kind == ECS__TOK_END)
        return ecs__parser_fail(parser, token->start, "expected %s, but the text ends", what);
    int32_t skip = token->kind == ECS__TOK_VARIABLE;
    return ecs__parser_fail(parser, token->start - skip, "expected %s instead of '%.*s'", what,
        token->length + skip, token->start - skip);
}

void ecs__parser_next(ecs__parser_t *parser) {
    const ecs__token_kind_t kind = parser->token.kind;
    parser->open += (kind == ECS__TOK_OPEN) - (kind == ECS__TOK_CLOSE);
    parser->token = ecs__lex(ecs__token_end(&parser->token));
    if (parser->open) parser->token.after_newline = false; /* ends no term there */
}

bool ecs__parser_take(ecs__parser_t *parser, ecs__token_kind_t kind) {
    if (parser->token.kind != kind) return false;
    ecs__parser_next(parser);
    return true;
}

bool ecs__parser_need(ecs__parser_t *parser, ecs__token_kind_t kind, const char *what) {
    return ecs__parser_take(parser, kind) || ecs__parser_expected(parser, what);
}

// ---- Bodies of terms ----

// Sources and targets of a term, in the order of the text.
typedef struct args_t {
    ecs_term_ref_t refs[FLECS_TERM_ARG_COUNT_MAX + 2];
    int32_t count;
    bool has_or, has_comma; /* what joins the targets */
} args_t;

// A "$" that stands alone means the id of the term.
static bool take_same(ecs__parser_t *parser) {
    return !parser->token.length && ecs__parser_take(parser, ECS__TOK_VARIABLE);
}

static bool parse_source(ecs__parser_t *parser, ecs__draft_t *draft, ecs_term_ref_t *out) {
    if (take_same(parser)) {
        *out = draft->term.first;
    } else if (ecs__is_walk(&parser->token)) {
        *out = (ecs_term_ref_t){ 0 };
        if (!ecs__parse_traversal(parser, draft, out)) return false;
        if (!ecs__parser_take(parser, ECS__TOK_COLON)) return true;
        uint64_t flags = out->id;
        if (!ecs__parse_ref(parser, out)) return false;
        out->id |= flags;
        return true;
    } else if (!ecs__parse_ref(parser, out)) {
        return false;
    }
    return ecs__parse_ref_flags(parser, draft, out);
}

// "@" ( integer | name | "*" ): kept as a name that begins with "@".
static bool parse_value(ecs__parser_t *parser, const char *at, ecs_term_ref_t *out) {
    const ecs__token_t *token = &parser->token;
    if (token->kind != ECS__TOK_NUMBER && token->kind != ECS__TOK_NAME) {
        return ecs__parser_expected(parser, "a number or a name");
    }
    *out = (ecs_term_ref_t){ .name = ecs__parser_keep(
                                 parser, at, (int32_t)(ecs__token_end(token) - at)) };
    ecs__parser_next(parser);
    return out->name != NULL;
}

static bool parse_target(ecs__parser_t *parser, ecs__draft_t *draft, ecs_term_ref_t *out) {
    const char *at = parser->token.start;
    if (ecs__parser_take(parser, ECS__TOK_VALUE)) return parse_value(parser, at, out);
    if (take_same(parser)) {
        *out = draft->term.first;
    } else if (!ecs__parse_ref(parser, out)) {
        return false;
    }
    return ecs__parse_ref_flags(parser, draft, out);
}

// Targets and the closing parenthesis; refs[0] is the source.
static bool parse_targets(ecs__parser_t *parser, ecs__draft_t *draft, args_t *args) {
    for (;;) {
        if (args->count == FLECS_TERM_ARG_COUNT_MAX + 2) {
            return ecs__parser_fail(parser, parser->token.start, "a term has at most %d arguments",
                FLECS_TERM_ARG_COUNT_MAX + 2);
        }
        if (!parse_target(parser, draft, &args->refs[args->count])) return false;
        args->count++;
        const char *at = parser->token.start;
        if (ecs__parser_take(parser, ECS__TOK_CLOSE)) return true;
        if (ecs__parser_take(parser, ECS__TOK_OR)) {
            args->has_or = true;
        } else if (ecs__parser_take(parser, ECS__TOK_COMMA)) {
            args->has_comma = true;
        } else {
            return ecs__parser_expected(parser, "',' or ')'");
        }
        if ((args->has_or && args->has_comma) || draft->term.oper != EcsAnd) {
            return ecs__parser_fail(parser, at, "cannot mix operators in extra term arguments");
        }
    }
}

static bool parse_args(ecs__parser_t *parser, ecs__draft_t *draft, args_t *args) {
    if (ecs__parser_take(parser, ECS__TOK_CLOSE)) {
        args->refs[0] = (ecs_term_ref_t){ .id = EcsIsEntity };
        args->count = 1;
        return true;
    }
    if (!parse_source(parser, draft, &args->refs[0])) return false;
    args->count = 1;
    if (ecs__parser_take(parser, ECS__TOK_CLOSE)) return true;
    return ecs__parser_need(parser, ECS__TOK_COMMA, "',' or ')'") &&
           parse_targets(parser, draft, args);
}

// One term per target: alternatives of a chain, or a path from source to target to target.
static bool push_with_args(ecs__parser_t *parser, ecs__draft_t *draft, const args_t *args) {
    draft->term.src = args->refs[0];
    if (args->count == 1) return push_term(parser, draft);
    for (int32_t i = 1; i < args->count; i++) {
        draft->term.second = args->refs[i];
        draft->term.oper = draft->term.oper == EcsOr ? EcsAnd : draft->term.oper;
        if (args->has_or && i + 1 < args->count) draft->term.oper = EcsOr;
        if (args->has_comma) draft->term.src = args->refs[i - 1];
        if (!push_term(parser, draft)) return false;
    }
    return true;
}

static bool parse_comparison(ecs__parser_t *parser, ecs__draft_t *draft) {
    ecs_term_t *term = &draft->term;
    ecs__token_kind_t kind = parser->token.kind;
    const char *at = parser->token.start;
    if (term->oper != EcsAnd)
        return ecs__parser_fail(parser, at, "cannot mix operator with equality expression");
    if (!(term->first.id & EcsIsVariable)) {
        return ecs__parser_fail(parser, at, "the left side of a comparison has to be a variable");
    }
    ecs__parser_next(parser);
    term->src = term->first;
    term->first = (ecs_term_ref_t){ .id = kind == ECS__TOK_MATCH ? Ecs__PredMatch : Ecs__PredEq };
    if (kind == ECS__TOK_NEQ) term->oper = EcsNot;
    if (kind == ECS__TOK_MATCH || parser->token.kind == ECS__TOK_STRING) {
        term->second.id = EcsIsName;
        if (!ecs__parse_string(parser, &term->second.name)) return false;
    } else if (!ecs__parse_ref(parser, &term->second)) {
        return false;
    }
    return push_term(parser, draft);
}

static bool at_comparison(const ecs__parser_t *parser) {
    ecs__token_kind_t kind = parser->token.kind;
    return kind == ECS__TOK_EQ || kind == ECS__TOK_NEQ || kind == ECS__TOK_MATCH;
}

typedef struct mark_t {
    char text[14];
    int16_t oper;
    ecs_id_t flag;
} mark_t;

static const mark_t marks[] = {
    { "and", EcsAndFrom, 0 },
    { "or", EcsOrFrom, 0 },
    { "not", EcsNotFrom, 0 },
    { "toggle", EcsAnd, ECS__TOGGLE },
    { "auto_override", EcsAnd, ECS__AUTO_OVERRIDE },
};

static const mark_t *find_mark(const ecs__token_t *token) {
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (ecs__token_is(token, marks[i].text)) return &marks[i];
    }
    return NULL;
}

bool ecs__is_mark(const ecs__token_t *token) { return find_mark(token) != NULL; }

// [ mark "|" ]
static bool parse_mark(ecs__parser_t *parser, ecs_term_t *term) {
    const mark_t *mark = find_mark(&parser->token);
    if (!mark || ecs__lex(ecs__token_end(&parser->token)).kind != ECS__TOK_BAR) return true;
    if (mark->oper != EcsAnd && term->oper != EcsAnd)
        return ecs__parser_fail(parser, parser->token.start, "a term has one operator");
    if (mark->oper != EcsAnd) term->oper = mark->oper;
    term->id |= mark->flag;
    ecs__parser_next(parser);
    ecs__parser_next(parser);
    return true;
}

// "(Likes, *)()" has no source; "(Likes, Apples)(Bob)" has one in text as data.
static bool parse_owner(ecs__parser_t *parser, ecs__draft_t *draft, ecs_term_ref_t *out) {
    if (parser->token.after_newline || !ecs__parser_take(parser, ECS__TOK_OPEN)) return true;
    bool is_none = parser->token.kind == ECS__TOK_CLOSE;
    if (is_none) *out = (ecs_term_ref_t){ .id = EcsIsEntity };
    if (!is_none && parser->facts && !parse_source(parser, draft, out)) return false;
    return ecs__parser_need(parser, ECS__TOK_CLOSE,
        parser->facts ? "')'" : "')', or a source as in Likes(Bob, Apples),");
}

static bool parse_body(ecs__parser_t *parser, ecs__draft_t *draft) {
    args_t args = { .count = 1 };
    if (!parse_mark(parser, &draft->term)) return false;
    bool is_pair = ecs__parser_take(parser, ECS__TOK_OPEN);
    if (!ecs__parse_ref(parser, &draft->term.first)) return false;
    if (!is_pair && at_comparison(parser)) return parse_comparison(parser, draft);
    if (!ecs__parse_ref_flags(parser, draft, &draft->term.first)) return false;
    if (is_pair) {
        if (!ecs__parser_need(parser, ECS__TOK_COMMA, "','") ||
            !parse_targets(parser, draft, &args) || !parse_owner(parser, draft, &args.refs[0]))
            return false;
    } else if (!parser->token.after_newline && ecs__parser_take(parser, ECS__TOK_OPEN)) {
        if (!parse_args(parser, draft, &args)) return false;
    }
    return push_with_args(parser, draft, &args);
}

// ---- Terms ----

static bool parse_access(ecs__parser_t *parser, ecs_term_t *term) {
    static const struct {
        char text[8];
        int16_t inout;
    } kinds[] = {
        { "in", EcsIn },
        { "out", EcsOut },
        { "inout", EcsInOut },
        { "none", EcsInOutNone },
        { "filter", EcsInOutFilter },
        { "default", EcsInOutDefault },
    };
    if (!ecs__parser_take(parser, ECS__TOK_OPEN_ACCESS)) return true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!ecs__token_is(&parser->token, kinds[i].text)) continue;
        term->inout = kinds[i].inout;
        ecs__parser_next(parser);
        return ecs__parser_need(parser, ECS__TOK_CLOSE_ACCESS, "']'");
    }
    return ecs__parser_expected(parser, "'in', 'out', 'inout', 'none', 'filter' or 'default'");
}

static bool parse_operator(ecs__parser_t *parser, ecs_term_t *term) {
    if (ecs__parser_take(parser, ECS__TOK_NOT)) {
        term->oper = EcsNot;
    } else if (ecs__parser_take(parser, ECS__TOK_OPTIONAL)) {
        term->oper = EcsOptional;
    }
    bool has_two = parser->token.kind == ECS__TOK_NOT || parser->token.kind == ECS__TOK_OPTIONAL;
    return !has_two || ecs__parser_fail(parser, parser->token.start, "a term has one operator");
}

// Scopes are terms of their own: an opening one, which has the operator, and a closing one.
static bool push_scope(ecs__parser_t *parser, ecs__draft_t *draft, ecs_entity_t id) {
    draft->term.first.id = id;
    draft->term.src.id = EcsIsEntity;
    return push_term(parser, draft);
}

static bool open_scope(ecs__parser_t *parser, ecs__draft_t *draft) {
    const char *at = parser->token.start;
    if (draft->term.inout != EcsInOutDefault)
        return ecs__parser_fail(parser, at, "a scope has no access");
    if (++parser->scope_depth >= FLECS_QUERY_SCOPE_NESTING_MAX) {
        return ecs__parser_fail(
            parser, at, "scopes nest less than %d deep", FLECS_QUERY_SCOPE_NESTING_MAX);
    }
    ecs__parser_next(parser);
    if (parser->token.kind == ECS__TOK_CLOSE_SCOPE) {
        return ecs__parser_fail(parser, parser->token.start, "a scope cannot be empty");
    }
    return push_scope(parser, draft, Ecs__ScopeOpen);
}

static bool close_scope(ecs__parser_t *parser) {
    if (--parser->scope_depth < 0)
        return ecs__parser_fail(parser, parser->token.start, "this '}' has no '{'");
    ecs__draft_t draft = { .text.position = (int32_t)(parser->token.start - parser->expr) };
    ecs__parser_next(parser);
    return push_scope(parser, &draft, Ecs__ScopeClose);
}

// A term up to what separates it from the next. *opens tells that a scope began, which is followed
// by a term at once.
static bool parse_term(ecs__parser_t *parser, bool in_chain, bool *opens) {
    const char *at = parser->token.start - (parser->token.kind == ECS__TOK_VARIABLE);
    ecs__draft_t draft = { .text.position = (int32_t)(at - parser->expr) };
    int32_t first = parser->terms->count;
    if (!parse_access(parser, &draft.term) || !parse_operator(parser, &draft.term)) return false;
    *opens = parser->token.kind == ECS__TOK_OPEN_SCOPE;
    bool ok = *opens ? open_scope(parser, &draft) : parse_body(parser, &draft);
    if (!ok || !in_chain) return ok;
    int16_t oper = parser->terms->array[first].oper;
    return oper == EcsAnd || oper == EcsOr ||
           ecs__parser_fail(parser, at, "cannot mix operators in || expression");
}

// "||" behind a term makes it an alternative of what follows.
static bool continue_chain(ecs__parser_t *parser) {
    ecs_term_t *last = &parser->terms->array[parser->terms->count - 1];
    if (last->oper != EcsAnd) {
        return ecs__parser_fail(
            parser, parser->token.start, "cannot mix operators in || expression");
    }
    last->oper = EcsOr;
    ecs__parser_next(parser);
    return true;
}

// What stands between two terms. *in_chain: it was "||".
static bool parse_separator(ecs__parser_t *parser, bool *in_chain) {
    *in_chain = parser->token.kind == ECS__TOK_OR;
    if (*in_chain) return continue_chain(parser);
    if (ecs__parser_take(parser, ECS__TOK_COMMA)) return true;
    bool ends = parser->token.kind == ECS__TOK_END || parser->token.kind == ECS__TOK_CLOSE_SCOPE;
    return ends || parser->token.after_newline ||
           ecs__parser_expected(parser, "',', '||' or the end of the term");
}

static bool parse_expr(ecs__parser_t *parser, bool first_only) {
    bool in_chain = false;
    while (parser->token.kind != ECS__TOK_END || in_chain) {
        if (parser->token.kind == ECS__TOK_CLOSE_SCOPE && !in_chain) {
            if (!close_scope(parser)) return false;
            if (parser->token.kind != ECS__TOK_OR) {
                ecs__parser_take(parser, ECS__TOK_COMMA); /* optional behind a scope */
                continue;
            }
        } else {
            bool opens;
            if (!parse_term(parser, in_chain, &opens)) return false;
            in_chain = false;
            if (opens) continue;
        }
        if (!parse_separator(parser, &in_chain)) return false;
        if (first_only) return parser->token.kind != ECS__TOK_CLOSE_SCOPE;
    }
    return !parser->scope_depth ||
           ecs__parser_fail(parser, parser->token.start, "a '}' is missing");
}

// ---- Entry points ----

// The text "0" is how macros say that there are no terms. No text at all needs no parser.
static bool is_nothing(const char *expr) {
    ecs__token_t token = ecs__lex(expr);
    if (token.kind == ECS__TOK_END) return true;
    if (token.kind != ECS__TOK_NUMBER || token.length != 1 || *token.start != '0') return false;
    return ecs__lex(ecs__token_end(&token)).kind == ECS__TOK_END;
}

// Reading text may be left out of a build (WLD-03).
#ifdef FLECS_QUERY_DSL
enum { CAN_READ = true };
#else
enum { CAN_READ = false };
#endif

static bool parse_text(ecs__parser_t *parser, const char *expr, bool first_only) {
    if (!expr || is_nothing(expr)) return true;
    if (!CAN_READ && !parser->silent) {
        ecs_err_code(ECS_UNSUPPORTED, "cannot read \"%s\": this build has no query parser", expr);
    }
    if (!CAN_READ) return false;
    parser->expr = expr;
    if (strlen(expr) > INT32_MAX / 2) {
        return ecs__parser_fail(parser, NULL, "this text is too long for a query");
    }
    ecs_size_t size = ecs_os_strlen(expr) + 1;
    parser->terms->expr = ecs_os_try_malloc(size);
    if (!parser->terms->expr) return fail_memory(parser);
    memcpy(parser->terms->expr, expr, (size_t)size);
    parser->token = ecs__lex(expr);
    return parse_expr(parser, first_only);
}

bool ecs__expr_parse(const ecs_world_t *world, const char *name, const char *expr, bool first_only,
    bool silent, ecs__terms_t *out) {
    *out = (ecs__terms_t){ 0 };
    ecs__parser_t parser = { .world = world, .name = name, .terms = out, .silent = silent };
    if (parse_text(&parser, expr, first_only)) return true;
    ecs__terms_fini(out);
    return false;
}

bool ecs__facts_parse(const ecs_world_t *world, const char *expr, ecs__terms_t *out) {
    *out = (ecs__terms_t){ 0 };
    ecs__parser_t parser = { .world = world, .terms = out, .facts = true };
    if (parse_text(&parser, expr, false)) return true;
    ecs__terms_fini(out);
    return false;
}

static bool keep_ref_name(const ecs__parser_t *parser, ecs_term_ref_t *ref) {
    if (!ref->name) return true;
    ref->name = ecs__parser_keep(parser, ref->name, ecs_os_strlen(ref->name));
    return ref->name != NULL;
}

static bool push_array(ecs__parser_t *parser, const ecs_term_t *terms) {
    for (int32_t i = 0; i < FLECS_TERM_COUNT_MAX && ecs_term_is_initialized(&terms[i]); i++) {
        ecs__draft_t draft = { .term = terms[i], .text.position = -1 };
        if (!keep_ref_name(parser, &draft.term.src) || !keep_ref_name(parser, &draft.term.first) ||
            !keep_ref_name(parser, &draft.term.second) || !push_term(parser, &draft)) {
            return false;
        }
    }
    return true;
}

bool ecs__query_parse(const ecs_world_t *world, const ecs_query_desc_t *desc, ecs__terms_t *out) {
    *out = (ecs__terms_t){ 0 };
    ecs__parser_t parser = { .world = world, .terms = out, .is_query = true };
    if (desc->entity && ecs_get_name(world, desc->entity))
        parser.name = ecs_get_name(world, desc->entity);
    if (push_array(&parser, desc->terms) && parse_text(&parser, desc->expr, false)) return true;
    ecs__terms_fini(out);
    return false;
}
