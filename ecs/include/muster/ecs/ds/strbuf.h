// SPDX-License-Identifier: MIT
// strbuf: builds a string piece by piece; and a few helpers for strings.
//
// Short strings stay inside the struct; longer ones move to the heap and grow geometrically. A
// zeroed ecs_strbuf_t (ECS_STRBUF_INIT) is empty. Lists put a separator between elements:
//
//   ecs_strbuf_list_push(&buf, "[", ", ");
//   ecs_strbuf_list_append(&buf, "%d", 1);
//   ecs_strbuf_list_append(&buf, "%d", 2);
//   ecs_strbuf_list_pop(&buf, "]");                   // [1, 2]
//
// Threads: one at a time.
#ifndef MUSTER_ECS_DS_STRBUF_H
#define MUSTER_ECS_DS_STRBUF_H

#include <muster/ecs/log.h>

ECS_BEGIN_DECLS

#define ECS_STRBUF_SMALL_STRING_SIZE 512
#define ECS_STRBUF_MAX_LIST_DEPTH 32

typedef struct ecs_strbuf_list_elem {
    const char *separator; /* borrowed until the list is popped */
    int32_t count;
} ecs_strbuf_list_elem;

typedef struct ecs_strbuf_t {
    char *content;  /* NULL while small_string is in use */
    int32_t length; /* without the terminating zero, which is always there */
    int32_t size;   /* bytes of content */
    int32_t list_sp;
    ecs_strbuf_list_elem list_stack[ECS_STRBUF_MAX_LIST_DEPTH + 1];
    char small_string[ECS_STRBUF_SMALL_STRING_SIZE];
} ecs_strbuf_t;

#ifdef __cplusplus
#define ECS_STRBUF_INIT (ecs_strbuf_t{})
#else
#define ECS_STRBUF_INIT ((ecs_strbuf_t){ .content = NULL })
#endif

/** Append printf-formatted text. */
ECS_API void ecs_strbuf_append(ecs_strbuf_t *buf, const char *fmt, ...) ECS_PRINTF_LIKE(2, 3);
ECS_API void ecs_strbuf_vappend(ecs_strbuf_t *buf, const char *fmt, va_list args)
    ECS_PRINTF_LIKE(2, 0);
ECS_API void ecs_strbuf_appendstr(ecs_strbuf_t *buf, const char *str);
/** Append `n` bytes. */
ECS_API void ecs_strbuf_appendstrn(ecs_strbuf_t *buf, const char *str, int32_t n);
ECS_API void ecs_strbuf_appendch(ecs_strbuf_t *buf, char ch);
ECS_API void ecs_strbuf_appendint(ecs_strbuf_t *buf, int64_t v);
/** Append as many of 15, 16 or 17 digits as it takes to read `v` back, without zeros at the end.
 *
 * @param nan_delim  Put around NaN, Inf and exponent forms, such as the quotes of JSON; 0 for none.
 */
ECS_API void ecs_strbuf_appendflt(ecs_strbuf_t *buf, double v, char nan_delim);
/** Append true or false. */
ECS_API void ecs_strbuf_appendbool(ecs_strbuf_t *buf, bool v);
/** Append what is in `src`, which is reset. */
ECS_API void ecs_strbuf_mergebuff(ecs_strbuf_t *buf, ecs_strbuf_t *src);
/** Append a string literal. */
#define ecs_strbuf_appendlit(buf, literal) \
    ecs_strbuf_appendstrn(buf, literal, ECS_SIZEOF(literal) - 1)

/** Open a list: appends `list_open`; `separator` goes between elements. At most 32 deep [chk]. */
ECS_API void ecs_strbuf_list_push(ecs_strbuf_t *buf, const char *list_open, const char *separator);
/** Close the innermost list: appends `list_close`. */
ECS_API void ecs_strbuf_list_pop(ecs_strbuf_t *buf, const char *list_close);
/** Begin an element: appends the separator, unless it is the first. */
ECS_API void ecs_strbuf_list_next(ecs_strbuf_t *buf);
/* Begin an element and append. */
ECS_API void ecs_strbuf_list_append(ecs_strbuf_t *buf, const char *fmt, ...) ECS_PRINTF_LIKE(2, 3);
ECS_API void ecs_strbuf_list_appendstr(ecs_strbuf_t *buf, const char *str);
ECS_API void ecs_strbuf_list_appendstrn(ecs_strbuf_t *buf, const char *str, int32_t n);
ECS_API void ecs_strbuf_list_appendch(ecs_strbuf_t *buf, char ch);
#define ecs_strbuf_list_appendlit(buf, literal) \
    ecs_strbuf_list_appendstrn(buf, literal, ECS_SIZEOF(literal) - 1)

/** The string, or NULL if nothing was appended; resets the buffer. The caller frees it. */
ECS_API char *ecs_strbuf_get(ecs_strbuf_t *buf);
/** The string, which must fit ECS_STRBUF_SMALL_STRING_SIZE [chk]; resets the buffer.
 * It lives in the buffer until the next append. */
ECS_API char *ecs_strbuf_get_small(ecs_strbuf_t *buf);
/** The string so far, "" if nothing was appended; valid until the next change. */
ECS_API const char *ecs_strbuf_str(const ecs_strbuf_t *buf);
/** Drop everything and free memory. */
ECS_API void ecs_strbuf_reset(ecs_strbuf_t *buf);
/** Bytes appended so far. */
ECS_API int32_t ecs_strbuf_written(const ecs_strbuf_t *buf);

/** printf into a new string; the caller frees it. NULL if the format is invalid. */
ECS_API char *flecs_asprintf(const char *fmt, ...) ECS_PRINTF_LIKE(1, 2);
ECS_API char *flecs_vasprintf(const char *fmt, va_list args) ECS_PRINTF_LIKE(1, 0);
/** Write `in` as it would stand in source code (\n, \", …); returns the end of what was written.
 *
 * @param out        At least 5 bytes.
 * @param delimiter  This character is escaped too; 0 for none.
 */
ECS_API char *flecs_chresc(char *out, char in, char delimiter);
/** Read one character, which may be an escape sequence; returns what follows, NULL if invalid. */
ECS_API const char *flecs_chrparse(const char *in, char *out);
/** Escape a string.
 *
 * @param out   Buffer of `size` bytes, or NULL to count only. Always terminated if size > 0.
 * @return      Length of the whole escaped string; what does not fit is left out.
 */
ECS_API ecs_size_t flecs_stresc(char *out, ecs_size_t size, char delimiter, const char *in);
/** Escape a string into a new one, which the caller frees; NULL for NULL. */
ECS_API char *flecs_astresc(char delimiter, const char *in);
/** "MyModule" to "my_module"; the caller frees the result. */
ECS_API char *flecs_to_snake_case(const char *str);
/** "MyModule" to "my.module"; the caller frees the result. */
ECS_API char *flecs_module_path_from_c(const char *c_name);

ECS_END_DECLS

#endif
