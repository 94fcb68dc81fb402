// SPDX-License-Identifier: MIT
// flush: applying recorded commands through mutate/.
//
// Any number of queues is applied as one sequence. The commands of each entity are linked first (chain.h), so that at the first one all
// its adds, removes, clears and sets up to the next command that must see their result (delete, emplace, clone, …) are folded into one
// move (batch.c). A single foldable command runs like the immediate call. Commands for dead entities are dropped, their values destructed.
// Threads: main thread, world writable; the caller holds a defer bracket on stage 0.
#ifndef ECS_COMMAND_FLUSH_H
#define ECS_COMMAND_FLUSH_H

#include <muster/ecs/extend.h>
#include "base/log.h"
#include "command/chain.h"
#include "command/mixed.h"
#include "command/run.h"
#include "command/single.h"
#include "command/whole.h"
#include "mutate/mutate.h"

/** Who helps with a flush, and when. Nothing but the time it takes depends on it. */
typedef struct ecs__sharing_t {
    const ecs_ext_crew_t *crew; /* of the present flush; NULL: nobody */
    int32_t fewest;             /* commands: sharing less costs more than it saves */
    int32_t part;               /* entities that are changed by one thread at a time */
} ecs__sharing_t;

/** Scratch memory of linking and folding; one per world, kept between flushes. */
struct ecs__flush_t {
    ecs__chains_t chains;
    ecs__queue_iter_t *rest;   /* what is still to be applied */
    const ecs__cmd_t *current; /* being applied or folded; errors name it */
    ecs_vec_t values;          /* ecs__pending_value_t: of the batch being folded */
    ecs_map_t taken;           /* ids that it takes away */
    ecs__run_t run;
    ecs__singles_t singles;
    ecs__whole_t whole;
    ecs__mixed_t mixed;
    ecs__sharing_t sharing;
};

static inline bool ecs__flush_shares(const ecs__flush_t *flush, int64_t commands) {
    return flush->sharing.crew && commands >= flush->sharing.fewest;
}
/** Have all parts of [0, count) done, which are about so many commands. */
static inline void ecs__flush_share(
    const ecs__flush_t *flush, int64_t commands, int64_t count, ecs_ext_part_t part, void *ctx) {
    const ecs_ext_crew_t *crew = flush->sharing.crew;
    if (ecs__flush_shares(flush, commands))
        crew->share(crew->arg, count, part, ctx);
    else
        part(ctx, 0, count, 0);
}

void ecs__flush_init(ecs__flush_t *flush);
void ecs__flush_fini(ecs__flush_t *flush);
/** Errors of this thread name the command that is applied, until the note that this returns is set again. */
ecs__log_note_t ecs__flush_note(ecs_world_t *world);
/** Apply all commands of the queues, in order. */
void ecs__flush_apply(ecs_world_t *world, const ecs__cmd_queue_t *queues, int32_t count);
/** Destruct all values of a queue that will not be applied, and clear it. */
void ecs__queue_discard(ecs_world_t *world, ecs__cmd_queue_t *queue);

/** Fold the commands of an entity from `head` on (batch.c). False if there is only one to fold: run it by itself. */
bool ecs__batch_fold(ecs_world_t *world, ecs__cmd_t *head);
/** `count` commands of the kind of `cmd` are applied now. */
void ecs__cmd_count(ecs_world_t *world, const ecs__cmd_t *cmd, int32_t count);
/** Release what an unused command owns. */
void ecs__cmd_discard(ecs_world_t *world, ecs__cmd_t *cmd);
/** A set of a value that the table has already: nothing but the value changes, and it was allowed when it was added. The parent is no mere
 * value. */
bool ecs__cmd_has_place(const ecs_table_t *table, const ecs__cmd_t *cmd);
/** Move the value of such a command, if it brings one, into the row of the entity. */
void ecs__cmd_put(ecs__spot_t spot, ecs__cmd_t *cmd);
/** The entity has its value: tell of a set. */
void ecs__cmd_tell(ecs_world_t *world, const ecs__cmd_t *cmd);
/** False if the id names what is not alive: it died, or a command behind makes it, since jobs know ids before there are entities. */
bool ecs__cmd_names_living(const ecs_world_t *world, const ecs__cmd_t *cmd);
/** What the relationship of a pair (or a plain id) says about an id whose parts died since it was recorded. */
typedef enum ecs__id_fate_t { ECS__ID_OK, ECS__ID_SKIP, ECS__ID_DELETE_ENTITY } ecs__id_fate_t;
/** `folded`: the table of the entity as far as it is folded; NULL: the command is applied alone. */
ecs__id_fate_t ecs__cmd_id_fate(
    ecs_world_t *world, const ecs__cmd_t *cmd, const ecs_table_t *folded);

#endif
