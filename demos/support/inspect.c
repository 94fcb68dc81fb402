// SPDX-License-Identifier: MIT
// inspect: see inspect.h. A command is a row of `commands` at the end of this file.
#define _POSIX_C_SOURCE 200809L // strdup
#include "inspect.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 24 }; // results, rows of a table; of more only the number is said

typedef struct {
    const char *name, *arguments, *about;
    bool (*run)(
        inspect_t *inspect, char *rest); // `rest`: what is behind the name, to be cut up at will
} command_t;

// ---- Text ----

static bool refuse(const inspect_t *inspect, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool refuse(const inspect_t *inspect, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vfprintf(inspect->out, format, args);
    va_end(args);
    fputc('\n', inspect->out);
    return false;
}

// Takes a text of the library; lines come indented, with one newline at the end.
static void put_text(const inspect_t *inspect, char *text) {
    for (char *line = text; line && *line;) {
        size_t length = strcspn(line, "\n");
        fprintf(inspect->out, "  %.*s\n", (int)length, line);
        line += length + (line[length] != '\0');
    }
    ecs_os_free(text);
}

static void put_owned(const inspect_t *inspect, char *text) {
    fputs(text ? text : "?", inspect->out);
    ecs_os_free(text);
}

// The next word of `*rest`, or "" if there is none.
static char *take_word(char **rest) {
    char *word = *rest + strspn(*rest, " \t");
    char *end = word + strcspn(word, " \t");
    *rest = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static ecs_entity_t take_entity(const inspect_t *inspect, char **rest) {
    const char *name = take_word(rest);
    ecs_entity_t entity = *name ? ecs_lookup(inspect->world, name) : 0;
    if (!*name) refuse(inspect, "this needs the name of an entity");
    if (*name && !entity) refuse(inspect, "there is no entity '%s'", name);
    return entity;
}

// A whole number from 1 to `limit`, `none` if there is no word; 0 after a sentence.
static int32_t take_count(const inspect_t *inspect, char **rest, int32_t none, int32_t limit) {
    const char *word = take_word(rest);
    char *end;
    long count = *word ? strtol(word, &end, 10) : none;
    if (!*word) return none;
    if (!*end && count >= 1 && count <= limit) return (int32_t)count;
    refuse(inspect, "'%s' is not a whole number from 1 to %d", word, limit);
    return 0;
}

static void put_path(const inspect_t *inspect, ecs_entity_t entity) {
    put_owned(inspect, ecs_get_path(inspect->world, entity));
}

static void put_value(const inspect_t *inspect, ecs_id_t id, const void *value) {
    ecs_entity_t type = ecs_get_typeid(inspect->world, id);
    if (!type || !value) return;
    fputc(' ', inspect->out);
    if (ecs_has(inspect->world, type, EcsTypeSerializer)) {
        put_owned(inspect, ecs_ptr_to_expr(inspect->world, type, value));
    } else {
        fprintf(inspect->out, "<%d bytes>", ecs_get_type_info(inspect->world, type)->size);
    }
}

// ---- Queries ----

static const void *value_of(const ecs_iter_t *it, int8_t field, int32_t row) {
    size_t size = ecs_field_size(it, field);
    if (!size) return NULL;
    if (it->row_fields & (1u << field)) return ecs_field_at_w_size(it, size, field, row);
    const char *values = ecs_field_w_size(it, size, field);
    return values && ecs_field_is_self(it, field) ? values + size * (size_t)row : values;
}

static void put_field(
    const inspect_t *inspect, const ecs_iter_t *it, int8_t field, int32_t row, bool joined) {
    fputs(joined ? ", " : "  ", inspect->out);
    if (!ecs_field_is_set(it, field)) {
        fputc('-', inspect->out);
        return;
    }
    put_owned(inspect, ecs_id_str(inspect->world, ecs_field_id(it, field)));
    put_value(inspect, ecs_field_id(it, field), value_of(it, field, row));
    if (ecs_field_is_self(it, field)) return;
    fputs(" of ", inspect->out);
    put_path(inspect, ecs_field_src(it, field));
}

static void put_variables(const inspect_t *inspect, ecs_iter_t *it) {
    for (int32_t i = 1; i < ecs_iter_get_var_count(it); i++) {
        const char *name = ecs_iter_get_var_name(it, i);
        ecs_entity_t value = ecs_iter_get_var(it, i);
        if (!name || !value || !isalpha((unsigned char)*name) || strchr(name, '.')) continue;
        fprintf(inspect->out, "  $%s=", name);
        put_path(inspect, value);
    }
}

static void put_row(const inspect_t *inspect, ecs_iter_t *it, int32_t row) {
    fputs("  ", inspect->out);
    if (it->count) put_path(inspect, it->entities[row]);
    for (int8_t i = 0; i < it->field_count; i++) put_field(inspect, it, i, row, i > 0);
    put_variables(inspect, it);
    fputc('\n', inspect->out);
}

static void put_count(const inspect_t *inspect, int32_t found, const char *what) {
    if (found > SHOWN) fprintf(inspect->out, "  ... %d more\n", found - SHOWN);
    fprintf(inspect->out, "%d %s%s\n", found, what, found == 1 ? "" : "s");
}

// Results, then the program with how often each of its steps was tried and held for them.
static bool show_query(inspect_t *inspect, char *rest) {
    ecs_query_t *query = ecs_query_new(inspect->world, rest);
    if (!query) return false;
    int32_t found = 0;
    ecs_iter_t it = ecs_query_iter(inspect->world, query);
    it.flags |= EcsIterProfile;
    put_text(inspect, ecs_query_str(query));
    fputs("finds\n", inspect->out);
    while (ecs_query_next(&it)) {
        int32_t rows = it.count ? it.count : 1;
        for (int32_t i = 0; i < rows; i++)
            if (found++ < SHOWN) put_row(inspect, &it, i);
    }
    put_count(inspect, found, "result");
    fputs("by\n", inspect->out);
    put_text(inspect, ecs_query_plan_w_profile(query, &it));
    ecs_query_fini(query);
    return true;
}

// For a query without $this: does it hold at all?
static bool holds(const ecs_query_t *query, ecs_entity_t entity) {
    if (!(query->flags & EcsQueryMatchThis)) return ecs_query_is_true(query);
    ecs_iter_t it;
    bool matches = ecs_query_has(query, entity, &it);
    if (matches) ecs_iter_fini(&it);
    return matches;
}

// Cuts the first condition off a canonical text: commas in scopes and names belong to them.
static char *take_condition(char **rest) {
    char *condition = *rest, *at = condition;
    bool is_quoted = false;
    for (int depth = 0; *at && (is_quoted || depth || *at != ','); at++) {
        is_quoted ^= *at == '"';
        depth += (*at == '(' || *at == '{') - (*at == ')' || *at == '}');
    }
    *rest = *at ? at + 1 + strspn(at + 1, " ") : at;
    *at = '\0';
    return condition;
}

static bool put_condition(inspect_t *inspect, ecs_entity_t entity, const char *condition) {
    ecs_query_desc_t alone = { .expr = condition,
        .flags = EcsQueryMatchPrefab | EcsQueryMatchDisabled };
    ecs_query_t *query = ecs_query_init(inspect->world, &alone);
    bool is_held = query && holds(query, entity);
    fprintf(inspect->out, "  %-3s  %s\n", is_held ? "yes" : "NO", condition);
    ecs_query_fini(query);
    return is_held;
}

// Why does a query find an entity, or not: each condition asked alone.
static bool show_why(inspect_t *inspect, char *rest) {
    ecs_entity_t entity = take_entity(inspect, &rest);
    ecs_query_t *query = entity ? ecs_query_new(inspect->world, rest) : NULL;
    if (!query) return false;
    bool is_found = holds(query, entity), all = true;
    char *text = ecs_query_str(query);
    for (char *at = text; *at;) all &= put_condition(inspect, entity, take_condition(&at));
    fprintf(inspect->out, "%s%s\n", is_found ? "found" : "not found",
        is_found || !all                                ? ""
        : ecs_has_id(inspect->world, entity, EcsPrefab) ? ": a prefab, which queries leave out"
        : ecs_has_id(inspect->world, entity, EcsDisabled)
            ? ": it is disabled"
            : ": no values of variables suit them all");
    ecs_os_free(text);
    ecs_query_fini(query);
    return true;
}

// ---- What is stored ----

static bool is_of_library(const inspect_t *inspect, ecs_entity_t entity) {
    while (entity && entity != EcsFlecs) entity = ecs_get_parent(inspect->world, entity);
    return entity == EcsFlecs;
}

static void put_table(const inspect_t *inspect, const ecs_table_t *table) {
    fprintf(
        inspect->out, "  %3" PRIu64 "  %6d rows  ", flecs_table_id(table), ecs_table_count(table));
    put_owned(inspect, ecs_table_str(inspect->world, table));
    fputc('\n', inspect->out);
}

// All tables that have rows.
static ecs_query_t *query_tables(const inspect_t *inspect) {
    return ecs_query(
        inspect->world, { .expr = "_", .flags = EcsQueryMatchPrefab | EcsQueryMatchDisabled });
}

static bool show_tables(inspect_t *inspect, char *rest) {
    (void)rest;
    ecs_query_t *query = query_tables(inspect);
    ecs_iter_t it = ecs_query_iter(inspect->world, query);
    while (ecs_query_next(&it))
        if (!is_of_library(inspect, it.entities[0])) put_table(inspect, it.table);
    ecs_query_fini(query);
    fprintf(inspect->out, "and those of the library, and those without rows: %d tables in all\n",
        ecs_get_world_info(inspect->world)->table_count);
    return true;
}

static ecs_table_t *take_table(const inspect_t *inspect, char **rest) {
    int32_t number = take_count(inspect, rest, 0, INT32_MAX);
    ecs_table_t *table = NULL;
    ecs_query_t *query = query_tables(inspect);
    ecs_iter_t it = ecs_query_iter(inspect->world, query);
    while (ecs_query_next(&it))
        if (flecs_table_id(it.table) == (uint64_t)number) table = it.table;
    ecs_query_fini(query);
    if (!table) refuse(inspect, "this needs the number of a table; see tables");
    return table;
}

// Everything an entity has itself, beside its table too.
static void put_own(const inspect_t *inspect, ecs_entity_t entity) {
    ecs_query_t *query = ecs_query(inspect->world,
        { .expr = "* || (*, *)", .flags = EcsQueryMatchPrefab | EcsQueryMatchDisabled });
    ecs_iter_t it = ecs_query_iter(inspect->world, query);
    ecs_iter_set_var(&it, 0, entity);
    bool joined = false;
    while (ecs_query_next(&it)) {
        if (ECS_PAIR_FIRST(ecs_field_id(&it, 0)) == ecs_id(EcsIdentifier))
            continue; // the path tells
        put_field(inspect, &it, 0, 0, joined);
        joined = true;
    }
    fputc('\n', inspect->out);
    ecs_query_fini(query);
}

static bool show_table(inspect_t *inspect, char *rest) {
    ecs_table_t *table = take_table(inspect, &rest);
    if (!table) return false;
    put_table(inspect, table);
    const ecs_entity_t *entities = ecs_table_entities(table);
    for (int32_t i = 0; i < ecs_table_count(table) && i < SHOWN; i++) {
        fputs("  ", inspect->out);
        put_path(inspect, entities[i]);
        put_own(inspect, entities[i]);
    }
    put_count(inspect, ecs_table_count(table), "row");
    fprintf(inspect->out, "%" PRId64 " bytes\n", ecs_table_memory_get(table));
    return true;
}

// Which systems see an entity: the first question when one of them seems to do nothing.
static void put_systems_of(const inspect_t *inspect, ecs_entity_t entity) {
    int32_t count = 0;
    ecs_iter_t it = ecs_each_id(inspect->world, EcsSystem);
    while (ecs_each_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) {
            const ecs_query_t *query = ecs_system_get(inspect->world, it.entities[i])->query;
            if (!(query->flags & EcsQueryMatchThis) || !holds(query, entity)) continue;
            fputs(count++ ? ", " : "  seen by ", inspect->out);
            put_path(inspect, it.entities[i]);
        }
    }
    fputs(count ? "\n" : "  seen by no system\n", inspect->out);
}

static void put_system(const inspect_t *inspect, const ecs_query_t *query) {
    ecs_query_count_t found = ecs_query_count(query);
    put_text(inspect, ecs_query_str(query));
    put_text(inspect, ecs_query_plans(query));
    fprintf(inspect->out, "  finds %d entities, %d tables, %d results\n", found.entities,
        found.tables, found.results);
}

static bool show_entity(inspect_t *inspect, char *rest) {
    ecs_entity_t entity = take_entity(inspect, &rest);
    if (!entity) return false;
    fprintf(inspect->out, "#%" PRIu64 " ", entity);
    put_path(inspect, entity);
    fprintf(inspect->out, " in table %" PRIu64 "\n",
        flecs_table_id(ecs_get_table(inspect->world, entity)));
    put_own(inspect, entity);
    put_systems_of(inspect, entity);
    const ecs_system_t *system = ecs_system_get(inspect->world, entity);
    if (system) put_system(inspect, system->query);
    return true;
}

static bool show_json(inspect_t *inspect, char *rest) {
    if (!*rest) {
        put_text(inspect, ecs_world_to_json(inspect->world, NULL));
        return true;
    }
    ecs_entity_t entity = take_entity(inspect, &rest);
    if (!entity) return false;
    ecs_entity_to_json_desc_t all = ECS_ENTITY_TO_JSON_INIT;
    all.serialize_inherited = true;
    put_text(inspect, ecs_entity_to_json(inspect->world, entity, &all));
    return true;
}

// ---- Changes ----

static bool set_value(inspect_t *inspect, char *rest) {
    ecs_world_t *world = inspect->world;
    ecs_entity_t entity = take_entity(inspect, &rest);
    const char *name = take_word(&rest);
    if (!entity) return false;
    ecs_id_t id = ecs_id_from_str(world, name);
    ecs_entity_t type = id ? ecs_get_typeid(world, id) : 0;
    if (!type) return refuse(inspect, "'%s' is no component", name);
    const ecs_type_info_t *info = ecs_get_type_info(world, type);
    void *value =
        ecs_ptr_new(world, type); // a mistake in the text is found before anything changes
    const void *old = ecs_get_id(world, entity, id);
    if (old) ecs_ptr_copy(world, type, value, old);
    bool is_read = ecs_ptr_from_json(world, type, value, rest, NULL) != NULL;
    if (is_read) ecs_set_id(world, entity, id, (size_t)info->size, value);
    ecs_ptr_free(world, type, value);
    return is_read;
}

static bool load(inspect_t *inspect, char *rest) {
    return ecs_load_expr(inspect->world, rest) == 0;
}

static bool delete_entity(inspect_t *inspect, char *rest) {
    ecs_entity_t entity = take_entity(inspect, &rest);
    ecs_delete(inspect->world, entity);
    return entity != 0;
}

static bool set_enabled(inspect_t *inspect, char *rest, bool enabled) {
    ecs_entity_t entity = take_entity(inspect, &rest);
    if (entity) ecs_enable(inspect->world, entity, enabled);
    return entity != 0;
}

static bool enable(inspect_t *inspect, char *rest) { return set_enabled(inspect, rest, true); }

static bool disable(inspect_t *inspect, char *rest) { return set_enabled(inspect, rest, false); }

static void tell(ecs_iter_t *it) {
    const inspect_t *inspect = it->ctx;
    for (int32_t i = 0; i < it->count; i++) {
        fprintf(inspect->out, "  %s ", ecs_get_name(it->world, it->event));
        put_row(inspect, it, i);
    }
}

// From now on, each change that concerns what matches is written down as it happens.
static bool watch(inspect_t *inspect, char *rest) {
    ecs_observer_desc_t observer = { .query.expr = rest,
        .events = { EcsOnAdd, EcsOnRemove, EcsOnSet },
        .callback = tell,
        .ctx = inspect };
    return ecs_observer_init(inspect->world, &observer) != 0;
}

// ---- Ticks ----

static bool tick(inspect_t *inspect, char *rest) {
    int32_t count = take_count(inspect, &rest, 1, 1000000);
    for (int32_t i = 0; i < count; i++) ecs_progress(inspect->world, inspect->delta_time);
    if (!count) return false;
    const ecs_world_info_t *info = ecs_get_world_info(inspect->world);
    fprintf(inspect->out, "tick %" PRId64 ", time %g, state %016" PRIx64 "\n",
        info->frame_count_total, info->world_time_total, ecs_world_hash(inspect->world));
    return true;
}

static bool set_threads(inspect_t *inspect, char *rest) {
    int32_t count = take_count(inspect, &rest, 1, 64);
    if (count) ecs_set_threads(inspect->world, count);
    return count != 0;
}

static bool show_schedule(inspect_t *inspect, char *rest) {
    (void)rest;
    put_text(inspect, ecs_schedule_str(inspect->world, 0));
    return true;
}

static bool show_dot(inspect_t *inspect, char *rest) {
    (void)rest;
    put_text(inspect, ecs_schedule_dot(inspect->world, 0));
    return true;
}

// Since the command was given last; times are measured from the first one on.
static bool show_cost(inspect_t *inspect, char *rest) {
    (void)rest;
    ecs_work_span_t span = ecs_work_span(inspect->world);
    fprintf(inspect->out,
        "  a tick, us: work %.2f, span %.2f, burden %.2f; with 1, 2, 4, 8 workers",
        1e6 * span.work_s, 1e6 * span.span_s, 1e6 * span.burden_s);
    for (int32_t workers = 1; workers <= 8; workers *= 2)
        fprintf(inspect->out, " %.2f", 1e6 * ecs_predict_tick(inspect->world, workers));
    fputc('\n', inspect->out);
    ecs_iter_t it = ecs_each_id(inspect->world, EcsSystem);
    while (ecs_each_next(&it)) {
        for (int32_t i = 0; i < it.count; i++) {
            const ecs_system_t *system = ecs_system_get(inspect->world, it.entities[i]);
            if (system->time_spent <= 0) continue;
            fprintf(inspect->out, "  %12.2f us in all  ", 1e6 * (double)system->time_spent);
            put_path(inspect, it.entities[i]);
            fputc('\n', inspect->out);
        }
    }
    ecs_measure_system_time(inspect->world, true);
    return true;
}

static bool show_stats(inspect_t *inspect, char *rest) {
    (void)rest;
    ecs_world_stats_t *stats = ecs_os_calloc_t(ecs_world_stats_t);
    int level = ecs_log_set_level(0); // it comes out as messages do
    ecs_world_stats_get(inspect->world, stats);
    ecs_world_stats_log(inspect->world, stats);
    ecs_log_set_level(level);
    ecs_os_free(stats);
    return true;
}

static bool trace(inspect_t *inspect, char *rest) {
    const char *path = take_word(&rest);
    if (!*path) return refuse(inspect, "this needs the name of a file");
    int32_t count = take_count(inspect, &rest, 10, 1000);
    if (!count) return false;
    ecs_trace_begin(inspect->world);
    for (int32_t i = 0; i < count; i++) ecs_progress(inspect->world, inspect->delta_time);
    if (ecs_trace_end(inspect->world, path)) return false;
    fprintf(inspect->out, "%d ticks are in %s: open it in https://ui.perfetto.dev\n", count, path);
    return true;
}

static bool verify(inspect_t *inspect, char *rest) {
    (void)rest;
    bool is_sound = ecs_world_verify(inspect->world);
    fputs(is_sound ? "all invariants hold\n" : "an invariant is broken\n", inspect->out);
    return is_sound;
}

static bool quit(inspect_t *inspect, char *rest) {
    (void)rest;
    return inspect->is_over = true;
}

// ---- Commands ----

static bool show_help(inspect_t *inspect, char *rest);

static const command_t commands[] = {
    { "query", "TERMS", "canonical text, results, and the program with how often its steps held",
        show_query },
    { "why", "ENTITY TERMS", "which of the conditions hold for an entity", show_why },
    { "tables", "", "ids, rows", show_tables },
    { "table", "NUMBER", "what is in it", show_table },
    { "entity", "NAME",
        "its ids and values, and the systems that see it; what a system finds, and how",
        show_entity },
    { "json", "[NAME]", "an entity, or the world, as JSON", show_json },
    { "set", "ENTITY COMPONENT JSON", "give a component, or some of its members, a value",
        set_value },
    { "load", "TEXT", "make what the text says: Position(Bob), (Likes, Apples)(Bob)", load },
    { "delete", "ENTITY", "", delete_entity },
    { "enable", "ENTITY", "also systems and phases", enable },
    { "disable", "ENTITY", "", disable },
    { "watch", "TERMS", "tell of each change of what matches, as it happens", watch },
    { "tick", "[NUMBER]", "", tick },
    { "threads", "NUMBER", "results do not depend on it", set_threads },
    { "schedule", "", "what a tick runs in which order, what waits for what, and why",
        show_schedule },
    { "dot", "", "the same for Graphviz", show_dot },
    { "cost", "", "what ticks took since the last time, and would take on more cores", show_cost },
    { "stats", "", "counters", show_stats },
    { "trace", "FILE [TICKS]", "ticks on a time line, for Perfetto", trace },
    { "verify", "", "check all invariants of the world", verify },
    { "help", "", "this", show_help },
    { "quit", "", "", quit },
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static bool show_help(inspect_t *inspect, char *rest) {
    (void)rest;
    for (int32_t i = 0; i < COMMANDS; i++) {
        fprintf(inspect->out, "  %-8s %-22s %s\n", commands[i].name, commands[i].arguments,
            commands[i].about);
    }
    return true;
}

static bool run_command(inspect_t *inspect, const char *name, char *rest) {
    for (int32_t i = 0; i < COMMANDS; i++)
        if (!strcmp(commands[i].name, name)) return commands[i].run(inspect, rest);
    return refuse(inspect, "there is no command '%s'; see help", name);
}

bool inspect_line(inspect_t *inspect, const char *line) {
    char *copy = strdup(line), *rest = copy;
    char *name = take_word(&rest);
    bool is_done = true;
    if (*name && *name != '#') {
        ecs_log_start_capture(false);
        is_done = run_command(inspect, name, rest + strspn(rest, " \t"));
        put_text(inspect, ecs_log_stop_capture());
    }
    free(copy);
    return is_done;
}
