// SPDX-License-Identifier: MIT
// expr: query text to terms. Names stay names; check/ turns them into ids.
//
// The world is only read (older spellings depend on whether an entity of a name exists). Bad text:
// one parser error with position and caret line, false, nothing left behind.
#ifndef ECS_QUERY_PARSE_EXPR_H
#define ECS_QUERY_PARSE_EXPR_H

#include <muster/ecs/ds/vec.h>
#include <muster/ecs/query.h>

/** What the text says beside the term itself. */
typedef struct ecs__term_text_t {
    int32_t position; /* byte offset in the text, -1 for terms of a descriptor */
    const char *trav; /* name of the relationship to traverse; NULL: term.trav is final */
} ecs__term_text_t;

/** The entity of a member that had none before a term named it. */
typedef struct ecs__made_member_t {
    ecs_entity_t entity;
    uint64_t first_table; /* tables from this number on were made for it, or later */
} ecs__made_member_t;

/** Terms with the texts they point to. */
typedef struct ecs__terms_t {
    ecs_term_t *array;
    ecs__term_text_t *texts; /* one per term */
    int32_t count, size;
    char **names; /* what the terms' name members point to */
    int32_t name_count, name_size;
    char *expr;        /* copy of the text, for messages; NULL if there was none */
    ecs_vec_t members; /* ecs__made_member_t */
} ecs__terms_t;

/** Terms of a descriptor: those of the array first (names copied), then those of the text. On
 * success `out` is released with ecs__terms_fini; on failure it is empty. */
bool ecs__query_parse(const ecs_world_t *world, const ecs_query_desc_t *desc, ecs__terms_t *out);

/** The terms of a text alone. `name` is what messages call the text (NULL: nothing), `world` may be
 * NULL when no names are known. With `first_only` reading ends behind the first term and what
 * separates it from others. With `silent` nothing is logged. */
bool ecs__expr_parse(const ecs_world_t *world, const char *name, const char *expr, bool first_only,
    bool silent, ecs__terms_t *out);

/** The terms of a text that is data: any number of them, and pairs may have their source behind
 * them, "(Likes, Apples)(Bob)". */
bool ecs__facts_parse(const ecs_world_t *world, const char *expr, ecs__terms_t *out);

void ecs__terms_fini(ecs__terms_t *terms);

#endif
