// SPDX-License-Identifier: MIT
// lookup: taking paths apart and finding entities by them.
//
// A separator of NULL stands for both "." and "::". `\` takes the separator character behind it
// literally, and <…> protects everything inside. A name that would be read as something else ("#12",
// "*", "_", "$") has a `\` in front.
// Threads: readers only.
#ifndef ECS_NAME_LOOKUP_H
#define ECS_NAME_LOOKUP_H

#include "name/names.h"

/** Length of a balanced <…> at the start of a text, 0 if it never closes. */
size_t ecs__bracket_length(const char *text);
/** Length of the first element of a path; *rest is what follows its separator, NULL if it was the
 * last. */
size_t ecs__path_element(const char *path, const char *sep, const char **rest);

/** Length of the separator at the start of `text`, 0 if there is none. */
size_t ecs__path_separator(const char *text, const char *sep);

/** True if a backslash in front of `c` is there to protect a separator. */
bool ecs__path_is_escaped(char c, const char *sep);

/** Backslashes in front of what would be read as an id or a wildcard: writers add one, readers take
 * one away. SIZE_MAX if the text is nothing like that. */
size_t ecs__protected_at(const char *text, size_t length);

/** A copy of an element without the backslashes that protect it; the caller frees it. */
char *ecs__path_unescape(const char *element, size_t length, const char *sep);

/** Child of `parent` named by an escaped element, 0 if there is none. */
ecs_entity_t ecs__lookup_element(const ecs_world_t *world, ecs_entity_t parent, const char *element,
    size_t length, const char *sep);

/** The parts of a path; 0, with a sentence, if nothing can be made there: a separator at an end, or behind another one, leaves a part
 * empty. */
int32_t ecs__path_check(const char *path, const char *sep, const char *prefix);

/** From where a path is made, which is cut down to the rest: the root, the living entity of "#id" in front, or else `parent`. */
ecs_entity_t ecs__path_start(const ecs_world_t *world, ecs_entity_t parent, const char **path,
    const char *sep, const char *prefix);

/** The entity at a path below `parent` (0 = root), and nowhere else; 0 if there is none. */
ecs_entity_t ecs__lookup_below(
    const ecs_world_t *world, ecs_entity_t parent, const char *path, const char *sep);

/** The path below `parent` (0 = root) that leads to an entity and to no other: who is not found by its name, as a sibling has it, too, is
 * "#id" in it. */
void ecs__path_exact(const ecs_world_t *world, ecs_entity_t parent, ecs_entity_t entity,
    const char *sep, ecs_strbuf_t *buf);

/** True if `text` is '#' and digits, of which *out is the value. */
bool ecs__parse_hash_id(const char *text, size_t length, ecs_entity_t *out);

/** The living entity with an id whose generation may have been left out; 0 if there is none. */
ecs_entity_t ecs__alive_entity(const ecs_world_t *world, ecs_entity_t id);

#endif
