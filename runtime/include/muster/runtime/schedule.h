// SPDX-License-Identifier: MIT
// schedule: looking at the order in which a pipeline runs and why, and the seeds of a world.
//
// A pipeline is compiled into stretches with a merge after each. A stretch is run by the main
// thread alone, or is a graph of nodes (a system, or a fused group of systems) whose ranges of rows
// workers take. Edges exist where one node writes what another accesses and both match a common
// table.
// Threads: the thread that owns the world, between ticks, unless stated.
#ifndef MUSTER_RUNTIME_SCHEDULE_H
#define MUSTER_RUNTIME_SCHEDULE_H

#include <muster/ecs/ecs.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Text of a schedule (0 = of the current pipeline): stretches, nodes, quanta, fused groups,
 * every edge and merge with its reason; then systems of the program that do not run, and why. The caller frees it with ecs_os_free(). NULL if the
 * entity is no pipeline. */
ECS_API char *ecs_schedule_str(ecs_world_t *world, ecs_entity_t pipeline);
/** The same as a Graphviz graph. */
ECS_API char *ecs_schedule_dot(ecs_world_t *world, ecs_entity_t pipeline);

/** Debug builds: report what systems access without saying so in a term: values read with ecs_get(), ecs_record_get(), ecs_table_get() or
 * ecs_each_edge(), written through ecs_get_mut(), references, ecs_record_ensure(), or ecs_ensure() where it gives the value itself, taken
 * from results of ecs_each_id() with ecs_field(), and queries they iterate beside their own, or their own once more if it is shared out. (Columns taken from a table, ecs_table_get_column(), tell of no system.) Only declared access keeps systems apart that run at the same time, so the rest is a race, even if it happens not to hurt on this machine. Values of other
 * entities are declared by a term on them, or by one without source: `[in] Velocity()`; `[inout] Velocity()` allows to write them in
 * place in systems that run alone, in others it announces commands. Built-in components may be read by all. Off at first; nothing is checked in other builds. [chk] between ticks. */
ECS_API void ecs_set_access_checks(ecs_world_t *world, bool enabled);

/** Run legal but shuffled orders of work, for tests: results must not change. 0 = off. */
ECS_API void ecs_set_schedule_seed(ecs_world_t *world, uint64_t seed);

/** Seed of ecs_iter_random() and ecs_randomize_timers(); 0 at first. */
ECS_API void ecs_set_seed(ecs_world_t *world, uint64_t seed);
/** A random number for one row of the current result of a system.
 *
 * A pure function of the seed, the frame, the system, the entity, the ids of the result and of
 * how often this row asked while the result was current; hence the same at any number of workers
 * and in any order. In a fixed step its number counts instead of the frame's.
 *
 * @param row      0 … it->count - 1; 0 for results without entities.
 * Threads:        inside a system, any worker.
 */
ECS_API uint64_t ecs_iter_random(const ecs_iter_t *it, int32_t row);

#ifdef __cplusplus
}
#endif

#endif
