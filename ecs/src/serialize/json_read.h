// SPDX-License-Identifier: MIT
// json_read: JSON text as a stream of tokens. Knows nothing of entities.
//
// Written here instead of taken from a library because values are read by their type as they come:
// 64-bit unsigned numbers are exact, no tree is built, errors have a position, and text after the
// value is the caller's.
// The first failure is logged; all calls after it fail silently.
#ifndef ECS_SERIALIZE_JSON_READ_H
#define ECS_SERIALIZE_JSON_READ_H

#include <muster/ecs/ds/strbuf.h>

typedef struct ecs__json_t {
    const char *name; /* for messages, may be NULL */
    const char *text; /* for messages: the whole */
    const char *at;
    bool failed;
    int32_t depth; /* of values that tell their type */
} ecs__json_t;

typedef struct ecs__json_number_t {
    enum { ECS__JSON_INT, ECS__JSON_UINT, ECS__JSON_FLOAT, ECS__JSON_BIG } kind;
    union {
        int64_t i;
        uint64_t u;
        double f; /* also of BIG: whole, but not in 64 bits */
    } as;
} ecs__json_number_t;

/** Report what is wrong at the present position. False. */
bool ecs__json_fail(ecs__json_t *json, const char *fmt, ...) ECS_PRINTF_LIKE(2, 3);
/** The next character that is no blank, or 0 at the end. */
char ecs__json_peek(ecs__json_t *json);
/** Read a character if it is next. */
bool ecs__json_accept(ecs__json_t *json, char ch);
bool ecs__json_expect(ecs__json_t *json, char ch);
/** Read a word (true, false, null) if it is next. */
bool ecs__json_accept_word(ecs__json_t *json, const char *word);
/** Read a string; the caller frees it. NULL on failure. */
char *ecs__json_string(ecs__json_t *json);
bool ecs__json_number(ecs__json_t *json, ecs__json_number_t *number);
/** Read the name of the next member and the colon, after '{' or a member. The caller frees it. NULL at
 * the end of the object, which is read, or on failure. `first` tells whether it is the first. */
char *ecs__json_member(ecs__json_t *json, bool first);
/** Go to the next element, after '[' or an element. False at the end of the array, which is read, or
 * on failure. */
bool ecs__json_element(ecs__json_t *json, bool first);
/** Read a value of any kind and forget it. */
bool ecs__json_skip(ecs__json_t *json);

#endif
