// SPDX-License-Identifier: MIT
// args: values of variables given as text.
#include <muster/ecs/entity.h>
#include <muster/ecs/log.h>
#include <muster/ecs/name.h>
#include "name/lookup.h"
#include "query/check/resolve.h"
#include "query/iter/iter.h"

#define ARGS_MAX 512

typedef struct args_t {
    ecs_query_t *query;
    ecs_iter_t *it;
    const char *text, *at;
} args_t;

static const char *fail(const args_t *args, const char *what, const char *word) {
    ecs_parser_error(NULL, args->text, args->at - args->text, "%s '%s'", what, word);
    return NULL;
}

static void skip_space(args_t *args) { args->at += strspn(args->at, " \t\n"); }

// A word up to one of the characters in `end`, without the space around it.
static bool read_word(args_t *args, const char *end, char *word) {
    skip_space(args);
    const char *begin = args->at;
    size_t length = strcspn(begin, end);
    args->at += length;
    while (length && strchr(" \t\n", begin[length - 1])) length--;
    memcpy(word, begin, length);
    word[length] = '\0';
    return length > 0;
}

static ecs_entity_t find_value(const args_t *args, const char *name) {
    ecs_entity_t number;
    if (!ecs__parse_hash_id(name, strlen(name), &number))
        return ecs__resolve_name(args->query->world, name);
    return ecs_get_alive(args->query->world, number);
}

static const char *set_var(args_t *args) {
    char name[ARGS_MAX + 1], value[ARGS_MAX + 1];
    const char *begin = args->at;
    if (!read_word(args, ":,)", name) || *args->at != ':')
        return fail(args, "expected 'variable: value' at", name);
    args->at++;
    ecs_entity_t entity = read_word(args, ",)", value) ? find_value(args, value) : 0;
    const char *end = args->at;
    args->at = begin;
    int32_t var = ecs_query_find_var(args->query, name[0] == '$' ? name + 1 : name);
    if (var < 0) return fail(args, "the query has no variable", name);
    if (!entity) return fail(args, "there is no entity", value);
    if (ecs_iter_var_is_constrained(args->it, var))
        return fail(args, "a variable takes one value; there is one already for", name);
    ecs_iter_set_var(args->it, var, entity);
    return args->at = end;
}

const char *ecs_query_args_parse(ecs_query_t *query, ecs_iter_t *it, const char *expr) {
    ecs_check(query != NULL && it != NULL && expr != NULL, ECS_INVALID_PARAMETER,
        "values of variables need a query, an iterator of it and a text");
    ecs_check(it->query == query, ECS_INVALID_PARAMETER,
        "the iterator that gets values of variables is one of another query");
    if (strlen(expr) > ARGS_MAX) {
        ecs_err_code(ECS_INVALID_PARAMETER,
            "values of variables have at most %d characters, not %d", ARGS_MAX, (int)strlen(expr));
        return NULL;
    }
    args_t args = { query, it, expr, expr };
    skip_space(&args);
    bool in_parentheses = *args.at == '(';
    args.at += in_parentheses;
    skip_space(&args);
    while (*args.at && *args.at != ')') {
        if (!set_var(&args)) return NULL;
        args.at += *args.at == ',';
        skip_space(&args);
    }
    if (in_parentheses && *args.at != ')') return fail(&args, "expected ')' after", expr);
    return args.at + in_parentheses;
error:
    return NULL;
}
