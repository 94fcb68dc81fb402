// SPDX-License-Identifier: MIT
// chain: the commands of an entity one after the other, wherever they are in the queues.
//
// Most entities are named once in a flush, or several times in a row: neighbours are joined when they are recorded. Where indices of
// entities rise, as in tables that are filled in order, that is all. Otherwise linking marks which entities there are, a bit for each;
// only where that finds an entity in several places there is a second pass for those, which remembers the end of each chain. Nothing is
// left behind but memory.
// Threads: main thread, except where noted.
#ifndef ECS_COMMAND_CHAIN_H
#define ECS_COMMAND_CHAIN_H

#include "command/queue.h"
#include "storage/entity_index.h"

#define ECS__CHAIN_PAGE_BITS 12
#define ECS__CHAIN_PAGE_SIZE (1u << ECS__CHAIN_PAGE_BITS)

/** What is known about so many entities, by index. */
typedef struct ecs__chain_page_t {
    struct ecs__chain_page_t *next; /* page with marks */
    bool has_marks;
    uint32_t ended; /* `ends` are those behind so many commands that end all chains */
    uint64_t once[ECS__CHAIN_PAGE_SIZE / 64];  /* marks */
    uint64_t again[ECS__CHAIN_PAGE_SIZE / 64]; /* of those in several places */
    uint64_t open[ECS__CHAIN_PAGE_SIZE / 64];  /* of those that have an end */
    uint64_t named[ECS__CHAIN_PAGE_SIZE / 64]; /* of those that ids of commands consist of */
    ecs__cmd_t *ends[ECS__CHAIN_PAGE_SIZE];    /* last command seen; or a claim, see in_place.h */
} ecs__chain_page_t;

typedef struct ecs__chains_t {
    ecs__chain_page_t **pages;
    uint32_t page_count;
    ecs__chain_page_t *marked; /* pages with marks */
    const ecs__entity_index_t *entities;
    uint64_t mentioned;  /* of all queues, see queue.h */
    bool knows_named;    /* pages tell who is */
    bool ended_by_death; /* of an entity that others depend on, or may by then */
} ecs__chains_t;

void ecs__chains_fini(ecs__chains_t *chains);
/** Make room for pages of all indices below `end`. */
void ecs__chains_reserve(ecs__chains_t *chains, uint32_t end);
/** The page of an entity index. Threads: any, for indices below what was reserved. */
ecs__chain_page_t *ecs__chain_page(ecs__chains_t *chains, uint32_t entity);

/** How entities follow each other from the first queue to the last, as in one of them. 0: no entity has two commands that are linked. */
uint32_t ecs__chains_order(const ecs__cmd_queue_t *queues, int32_t count);
/** No chain that begins before a command goes on behind it, but for commands of one entity that follow each other. */
bool ecs__chains_end_at(const ecs__cmd_t *cmd);
/** Go on behind those commands of a chain that follow at once, up to `most`; true if these are all. */
static inline bool ecs__chain_pass(const ecs__cmd_t *head, ecs__queue_iter_t *iter, int32_t most) {
    const ecs__cmd_t *cmd = head;
    do {
        ecs__queue_pass(iter, cmd);
        cmd = cmd->next;
    } while (cmd && --most && ecs__queue_peek(iter) == cmd);
    return !cmd;
}
/** Link each command of the queues to the next one of its entity. Some have no effect on what others of the entity see (modified), or
 * no entity, or are done: these have no links. But for commands of one entity that follow each other, no link goes past a change of
 * everybody with an id (delete with, remove from all, the end of a target) or a command that asks what another entity has (clone, an
 * instance, …), an event about rows of a table, or a command that says what an id means (a trait). */
void ecs__chains_link(ecs__chains_t *chains, const ecs__entity_index_t *entities,
    const ecs__cmd_queue_t *queues, int32_t count);

#endif
