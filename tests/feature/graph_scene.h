// SPDX-License-Identifier: MIT
// graph_scene: results of queries with variables as text, one line per entity, sorted, since their order is not promised:
//   "Bob food=Pizza | Carol food=-"  : the entity ("." if there is none), then each named variable with its value ("-" if it has none).
#ifndef TEST_GRAPH_SCENE_H
#define TEST_GRAPH_SCENE_H

#include "query_scene.h"

enum { LINES = 4096, LINE = 160 };

typedef struct lines_t {
    char array[LINES][LINE];
    int count;
} lines_t;

static inline const char *short_name(const ecs_world_t *world, ecs_entity_t e) {
    const char *name = e ? ecs_get_name(world, e) : "-";
    return name ? name : "?";
}

static inline void add_line(lines_t *lines, ecs_iter_t *it, ecs_entity_t e) {
    assert_true(lines->count < LINES);
    char *line = lines->array[lines->count++];
    int length = snprintf(line, LINE, "%s", e ? short_name(it->world, e) : ".");
    for (int v = 1; v < it->query->var_count; v++) {
        const char *name = ecs_iter_get_var_name(it, v);
        if (!name) continue;
        ecs_entity_t value = ecs_iter_get_var(it, v);
        length += snprintf(
            line + length, (size_t)(LINE - length), " %s=%s", name, short_name(it->world, value));
    }
}

static inline int compare_lines(const void *a, const void *b) { return strcmp(a, b); }

static inline char *lines_of(ecs_iter_t *it) {
    static lines_t lines;
    lines.count = 0;
    while (ecs_iter_next(it)) {
        for (int i = 0; i < it->count; i++) add_line(&lines, it, it->entities[i]);
        if (!it->count) add_line(&lines, it, 0);
    }
    qsort(lines.array, (size_t)lines.count, LINE, compare_lines);
    ecs_strbuf_t out = ECS_STRBUF_INIT;
    for (int i = 0; i < lines.count; i++)
        ecs_strbuf_append(&out, "%s%s", i ? " | " : "", lines.array[i]);
    char *text = ecs_strbuf_get(&out);
    return text ? text : ecs_os_strdup("");
}

#define assert_lines(it, expected) assert_lines_(it, expected, __FILE__, __LINE__)
static inline void assert_lines_(ecs_iter_t *it, const char *expected, const char *file, int line) {
    char *text = lines_of(it);
    bool is_equal = !strcmp(text, expected);
    if (!is_equal) print_error("results are  %s\nexpected     %s\n", text, expected);
    ecs_os_free(text);
    if (!is_equal) _fail(file, line);
}

/** Results of a query made for the purpose. */
#define assert_solutions(scene, text, expected) \
    assert_solutions_(scene, text, expected, __FILE__, __LINE__)
static inline void assert_solutions_(
    const scene_t *scene, const char *expr, const char *expected, const char *file, int line) {
    ecs_query_t *q = query_expr(scene, expr);
    ecs_iter_t it = ecs_query_iter(scene->world, q);
    assert_lines_(&it, expected, file, line);
    ecs_query_fini(q);
}

/** Entities without ids, made in the order of their names in a text. */
static inline void make_all(ecs_world_t *world, const char *names) {
    char copy[512];
    snprintf(copy, sizeof(copy), "%s", names);
    for (char *name = strtok(copy, " "); name; name = strtok(NULL, " ")) make(world, name, NULL);
}

static inline ecs_entity_t find(const scene_t *scene, const char *name) {
    ecs_entity_t e = ecs_lookup(scene->world, name);
    assert_true(e != 0);
    return e;
}

#endif
