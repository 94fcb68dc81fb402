// SPDX-License-Identifier: MIT
// text: values as text, in two spellings: JSON and expressions.
//
//   JSON        {"x":10, "kind":"Red", "to":"parent.child", "list":[1, 2]}
//   expression  {x: 10, kind: Red, to: parent.child, list: [1, 2]}
#ifndef ECS_REFLECT_TEXT_H
#define ECS_REFLECT_TEXT_H

#include "reflect/type.h"

typedef struct ecs__text_t {
    const ecs_world_t *world;
    ecs_strbuf_t *buf;
    bool json;
    bool follows;   /* there is a part before the next one in the list that is open */
    int32_t depth;  /* of values with parts */
    int32_t values; /* that tell their type, one in the other */
} ecs__text_t;

/** Write a value. False, with a sentence, if it is none of its type; what was written stays. */
bool ecs__text_value(ecs__text_t *text, ecs_entity_t type, const void *ptr);
/** What was written, for the caller to free. NULL if `result` is not 0: then it is dropped. */
char *ecs__text_take(ecs_strbuf_t *buf, int result);
/** Write text in quotes. */
void ecs__text_string(ecs_strbuf_t *buf, const char *value);
/** Write the path of an entity, from the root; "#123" without a name. */
void ecs__text_path(const ecs_world_t *world, ecs_strbuf_t *buf, ecs_entity_t entity);
/** The same in quotes. */
void ecs__text_quoted_path(const ecs_world_t *world, ecs_strbuf_t *buf, ecs_entity_t entity);
/** Write the marks of an id's flags, each as in "auto_override|"; returns the id without these. */
ecs_id_t ecs__text_marks(ecs_strbuf_t *buf, ecs_id_t id);
/** The flags of the marks before a name; *name becomes what is behind them. */
ecs_id_t ecs__text_read_marks(char **name);
/* What is not read as part of a name where more than a name may stand, as first character and anywhere, unless it has a backslash in
 * front: in the parts of ["first","second"]. */
#define ECS__TEXT_FIRST "||"
#define ECS__TEXT_SECOND "@"
/** Write a name with these backslashes, and end its buffer; take them out again. */
void ecs__text_protect(ecs_strbuf_t *buf, ecs_strbuf_t *name, const char *marks);
void ecs__text_unprotect(char *name, const char *marks);
/** Read "@12", a number as target. False if there is no whole number of 32 bits. */
bool ecs__text_read_value(const char *text, uint32_t *value);
/** Write an id as an array of paths, marks before the first: ["Rel","Tgt"]. */
void ecs__text_id(const ecs_world_t *world, ecs_strbuf_t *buf, ecs_id_t id);

#endif
