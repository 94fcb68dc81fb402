// SPDX-License-Identifier: MIT
// Query cases as text: files of query_cases/, and the examples of the pages about queries. Each case runs uncached, cached, and
// against a naive evaluator. A file, or a block of a page between ```cases and ```, describes one world:
//
// Each entity, and each value of a result, is also set before an iteration, which gives the results that have it.
//
//   # comment
//   tags Position Likes Apples      entities without ids
//   Bob: Position, (Likes, Apples)  an entity with ids; again: more ids
//   off Bob: Position               switches ids of an entity off
//   ? Position, (Likes, $food)      a query
//     = Bob food=Apples             its results, sorted: entity ("." if there is none) and variables, between " | "
//     str Position($this), …        its canonical text; otherwise the text it prints is only parsed again
//   ! Position || !Likes            a text that makes no query
#include <stdlib.h>
#include <string.h>

#include "naive_query.h"

#ifndef MUSTER_SOURCE_DIR
#error "the build says where the cases are"
#endif

enum { MAX_ENTITIES = 64, MAX_LINE = 512 };

typedef struct cases_t {
    const char *file;
    int line, checked, second_opinions;
    ecs_world_t *world;
    ecs_entity_t entities[MAX_ENTITIES];
    int count;
    char expr[MAX_LINE];
} cases_t;

// ---- the world ----

static void begin_world(cases_t *c) {
    c->world = ecs_mini();
    c->count = 0;
}

static void end_world(cases_t *c) {
    if (!c->world) return;
    assert_true(ecs_world_verify(c->world));
    assert_int_equal(ecs_fini(c->world), 0);
    c->world = NULL;
}

static void add_entity(cases_t *c, const char *name, const char *ids) {
    ecs_entity_t e = ecs_lookup(c->world, name);
    bool is_new = !e;
    e = ecs_entity_init(c->world, &(ecs_entity_desc_t){ .name = name, .add_expr = ids });
    if (!e) fail_msg("%s:%d: '%s' cannot be made", c->file, c->line, name);
    assert_true(c->count < MAX_ENTITIES);
    if (is_new) c->entities[c->count++] = e;
}

static void add_tags(cases_t *c, char *names) {
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) add_entity(c, name, NULL);
}

static void switch_off(cases_t *c, char *text) {
    char *ids = strstr(text, ": ");
    *ids = '\0';
    ecs_id_t id = ecs_id_from_str(c->world, ids + 2);
    if (!id) fail_msg("%s:%d: '%s' is no id", c->file, c->line, ids + 2);
    ecs_enable_id(c->world, ecs_lookup(c->world, text), id, false);
}

// ---- queries ----

static void expect(const cases_t *c, const char *what, const char *text, const char *expected) {
    if (strcmp(text, expected))
        fail_msg("%s:%d: '%s' %s\ngives    %s\nexpected %s", c->file, c->line, c->expr, what, text,
            expected);
}

static ecs_query_t *make_query(const cases_t *c, const char *expr, ecs_query_cache_kind_t kind) {
    ecs_query_t *q = ecs_query(c->world, { .expr = expr, .cache_kind = kind });
    if (!q) fail_msg("%s:%d: '%s' makes no query", c->file, c->line, expr);
    return q;
}

static char *lines_once(const ecs_query_t *q) {
    static lines_t lines;
    lines.count = 0;
    ecs_iter_t it = ecs_query_iter(q->world, q);
    while (ecs_iter_next(&it)) {
        for (int i = 0; i < it.count; i++) add_line(&lines, &it, it.entities[i]);
        if (!it.count) add_line(&lines, &it, 0);
    }
    return unique_lines(&lines);
}

static void check_naive(cases_t *c, const ecs_query_t *q, const char *once) {
    char *naive = naive_results(q, c->entities, c->count);
    if (naive) expect(c, "evaluated naively", once, naive);
    c->second_opinions += naive != NULL;
    ecs_os_free(naive);
}

// ---- values set before the iteration ----

static bool has_word(const char *line, const char *word) {
    const char *found = strstr(line, word);
    while (found && !((found == line || found[-1] == ' ') && strchr(" ", found[strlen(word)])))
        found = strstr(found + 1, word);
    return found != NULL;
}

static char *lines_with(const char *lines, const char *word) {
    char *copy = ecs_os_strdup(lines);
    ecs_strbuf_t out = ECS_STRBUF_INIT;
    for (char *line = copy, *end; line; line = end ? end + 3 : NULL) {
        if ((end = strstr(line, " | "))) *end = '\0';
        if (has_word(line, word))
            ecs_strbuf_append(&out, "%s%s", ecs_strbuf_written(&out) ? " | " : "", line);
    }
    ecs_os_free(copy);
    char *text = ecs_strbuf_get(&out);
    return text ? text : ecs_os_strdup("");
}

// A word of a line: "Bob" or "food=Apples". Where a variable may have no value, setting it asks something else.
static void check_set(cases_t *c, const ecs_query_t *q, const char *lines, const char *word) {
    char name[MAX_LINE], unset[MAX_LINE + 2];
    const char *equal = strchr(word, '=');
    snprintf(name, sizeof(name), "%.*s", equal ? (int)(equal - word) : 4, equal ? word : "this");
    snprintf(unset, sizeof(unset), "%s=-", name);
    ecs_entity_t value = ecs_lookup(c->world, equal ? equal + 1 : word);
    if (!value || !strcmp(word, ".") || strstr(lines, unset)) return;
    ecs_iter_t it = ecs_query_iter(c->world, q);
    ecs_iter_set_var(&it, ecs_query_find_var(q, name), value);
    char *found = lines_of(&it), *expected = lines_with(lines, word);
    expect(c, word, found, expected);
    ecs_os_free(found);
    ecs_os_free(expected);
}

static void check_all_set(cases_t *c, const ecs_query_t *q, const char *lines) {
    char *copy = ecs_os_strdup(lines);
    for (char *word = strtok(copy, " |"); word; word = strtok(NULL, " |"))
        check_set(c, q, lines, word);
    ecs_os_free(copy);
    for (int i = 0; i < c->count && q->flags & EcsQueryMatchThis; i++)
        check_set(c, q, lines, short_name(c->world, c->entities[i]));
}

static void check_results(cases_t *c, const char *expected) {
    for (int kind = EcsQueryCacheAuto; kind <= EcsQueryCacheNone;
         kind += EcsQueryCacheNone - EcsQueryCacheAuto) {
        ecs_query_t *q = make_query(c, c->expr, kind);
        ecs_iter_t it = ecs_query_iter(c->world, q);
        char *lines = lines_of(&it), *once = lines_once(q);
        expect(c, kind == EcsQueryCacheNone ? "uncached" : "cached", lines, expected);
        check_naive(c, q, once);
        check_all_set(c, q, lines);
        ecs_os_free(lines);
        ecs_os_free(once);
        ecs_query_fini(q);
    }
    c->checked++;
}

// The text of a query makes an equal query.
static void check_text(cases_t *c, const char *expected) {
    ecs_query_t *q = make_query(c, c->expr, EcsQueryCacheNone);
    char *text = ecs_query_str(q);
    if (expected) expect(c, "as text", text, expected);
    ecs_query_t *again = make_query(c, text, EcsQueryCacheNone);
    char *text_again = ecs_query_str(again);
    expect(c, "as text, parsed again,", text_again, text);
    ecs_os_free(text);
    ecs_os_free(text_again);
    ecs_query_fini(q);
    ecs_query_fini(again);
}

static void check_refused(cases_t *c, const char *expr) {
    int level = ecs_log_set_level(-5);
    ecs_query_t *q = ecs_query(c->world, { .expr = expr });
    ecs_log_set_level(level);
    if (q) fail_msg("%s:%d: '%s' should make no query", c->file, c->line, expr);
    c->checked++;
}

// ---- lines ----

static bool begins(const char *line, const char *prefix) {
    return !strncmp(line, prefix, strlen(prefix));
}

static void read_line(cases_t *c, char *line) {
    char *ids = strstr(line, ": ");
    if (!*line || *line == '#') return;
    if (begins(line, "? ")) {
        strcpy(c->expr, line + 2);
        check_text(c, NULL);
    } else if (begins(line, "! ")) {
        check_refused(c, line + 2);
    } else if (begins(line, "  =")) {
        check_results(c, line[3] ? line + 4 : "");
    } else if (begins(line, "  str ")) {
        check_text(c, line + 6);
    } else if (begins(line, "tags ")) {
        add_tags(c, line + 5);
    } else if (begins(line, "off ")) {
        switch_off(c, line + 4);
    } else if (ids) {
        *ids = '\0';
        add_entity(c, line, ids + 2);
    } else {
        fail_msg("%s:%d: '%s' is no case", c->file, c->line, line);
    }
}

// Of a page only its blocks of cases are read.
static void run_file(const char *name) {
    bool is_page = strstr(name, ".md"), is_open = false;
    char path[1024], line[MAX_LINE];
    snprintf(path, sizeof(path), "%s/%s", MUSTER_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s cannot be read", name);
    cases_t c = { .file = name };
    while (fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\n")] = '\0';
        c.line++;
        bool opens = is_page ? !strcmp(line, "```cases") : c.line == 1;
        if (opens) begin_world(&c);
        if (is_page && is_open && !strcmp(line, "```")) end_world(&c), is_open = false;
        if (is_open || (opens && !is_page)) read_line(&c, line);
        is_open |= opens;
    }
    end_world(&c);
    fclose(file);
    assert_true(c.checked > 0);
    print_message("%s: %d cases, %d second opinions\n", name, c.checked, c.second_opinions / 2);
}

static void run_state(void **state) { run_file(*state); }

#define FILE_TEST(path) \
    { path, run_state, NULL, NULL, path }

int main(void) {
    static char operators[] = "tests/feature/query_cases/operators.txt",
                variables[] = "tests/feature/query_cases/variables.txt",
                graphs[] = "tests/feature/query_cases/graphs.txt",
                hidden[] = "tests/feature/query_cases/hidden.txt",
                rows[] = "tests/feature/query_cases/rows.txt",
                children[] = "tests/feature/query_cases/children.txt",
                roots[] = "tests/feature/query_cases/roots.txt",
                any[] = "tests/feature/query_cases/any.txt",
                same[] = "tests/feature/query_cases/same.txt",
                errors[] = "tests/feature/query_cases/errors.txt",
                language[] = "ecs/docs/query_language.md";
    const struct CMUnitTest tests[] = { FILE_TEST(operators), FILE_TEST(variables),
        FILE_TEST(graphs), FILE_TEST(hidden), FILE_TEST(rows), FILE_TEST(children),
        FILE_TEST(roots), FILE_TEST(any), FILE_TEST(same), FILE_TEST(errors), FILE_TEST(language) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
