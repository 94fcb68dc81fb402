// SPDX-License-Identifier: MIT
// cover: which ids concern a term that stands for several: kinds, transitive targets, what is around an element, lists.
//
// Such a term waits for a key that covers all of them, and each event is asked. (Kinds count for terms whose element had some, or was
// declared inheritable, when the observer was made.)
#ifndef ECS_EVENT_COVER_H
#define ECS_EVENT_COVER_H

#include "event/observer.h"

/** The key of a term; that of its id alone, if it stands for just that. */
ecs_id_t ecs__cover_key(const ecs__observer_t *observer, const ecs_term_t *term);
/** True if the term is about all that is its id, and nothing else: whatever its key lets through. */
bool ecs__cover_is_key(const ecs__observer_t *observer, const ecs_term_t *term);
/** List ids, or patterns of them, for which such a term looks elsewhere (ecs_id_t; memory of events->ids). */
void ecs__cover_ids(const ecs__observer_t *observer, int32_t term, ecs_vec_t *out);
/** True if the term is about an id that its key has let through. */
bool ecs__cover_has(const ecs__observer_t *observer, int32_t term, ecs_id_t id);

/** True if which ids concern the term depends on what its elements are kinds of, or lead to. */
bool ecs__cover_is_open(const ecs__observer_t *observer, int32_t term);
/** True if it depends on pairs of a relationship, given by its index. */
bool ecs__cover_follows(const ecs__observer_t *observer, int32_t term, uint32_t rel);
/** True if it depends on the ids of an entity: a list that it names, or one within that. */
bool ecs__cover_lists(const ecs__observer_t *observer, int32_t term, ecs_entity_t list);
/** True if the term names an entity that is its own target. */
bool ecs__cover_is_reflexive(const ecs__observer_t *observer, int32_t term, ecs_entity_t target);

#endif
