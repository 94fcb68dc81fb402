// SPDX-License-Identifier: MIT
// config: limits and switches fixed when Muster and its user are compiled.
//
// Every limit but ECS_MAX_COMPONENT_ID may be overridden with -D, with the same value for the library and for its users.
// FLECS_DEBUG decides about checks only, never about a layout: a release library works with a debug
// user and the other way round.
#ifndef MUSTER_ECS_CONFIG_H
#define MUSTER_ECS_CONFIG_H

/** Level of the C vocabulary that this API speaks (not the version of Muster). */
#define FLECS_VERSION_MAJOR 4
#define FLECS_VERSION_MINOR 1
#define FLECS_VERSION_PATCH 6
#define FLECS_VERSION "4.1.6"

/* Debug or release. FLECS_SANITIZE adds checks that walk whole structures. */
#ifdef FLECS_SANITIZE
#ifndef FLECS_DEBUG
#define FLECS_DEBUG
#endif
#endif
#if !defined(FLECS_DEBUG) && !defined(FLECS_NDEBUG)
#ifdef NDEBUG
#define FLECS_NDEBUG
#else
#define FLECS_DEBUG
#endif
#endif
#if defined(FLECS_DEBUG) && defined(FLECS_NDEBUG)
#error "FLECS_DEBUG and FLECS_NDEBUG exclude each other (FLECS_SANITIZE implies FLECS_DEBUG)."
#endif
#if defined(FLECS_DEBUG) && !defined(FLECS_EXCLUSIVE_ACCESS)
/** Calls from a thread that does not own the world are detected. */
#define FLECS_EXCLUSIVE_ACCESS
#endif
/* FLECS_SOFT_ASSERT: a failed ecs_check logs and returns an error value instead of aborting.
 * FLECS_KEEP_ASSERT: checks stay in release builds. */

/* FLECS_DEFAULT_TO_UNCACHED_QUERIES, given to the compiler of the library: queries are not cached for having an entity, only if
 * their descriptor asks for it or needs it. Those of systems are. */

/* FLECS_CUSTOM_BUILD leaves out what can be left out and is not named: -DFLECS_CUSTOM_BUILD -DFLECS_QUERY_DSL.
 * Given to the compiler of the library (CMAKE_C_FLAGS) and to that of its users. */
#ifdef FLECS_CUSTOM_BUILD
#if !defined(FLECS_QUERY_DSL) && !defined(FLECS_PARSER) && !defined(FLECS_NO_QUERY_DSL)
#define FLECS_NO_QUERY_DSL
#endif
#if !defined(FLECS_META) && !defined(FLECS_DOC) && !defined(FLECS_JSON) && !defined(FLECS_NO_META)
#define FLECS_NO_META
#endif
#if !defined(FLECS_JSON) && !defined(FLECS_NO_JSON)
#define FLECS_NO_JSON
#endif
#endif

/* Parts of the library that are always built. */
#ifndef FLECS_APP
#define FLECS_APP
#endif
#ifndef FLECS_LOG
#define FLECS_LOG
#endif
#ifndef FLECS_MODULE
#define FLECS_MODULE
#endif
#ifndef FLECS_OS_API_IMPL
#define FLECS_OS_API_IMPL
#endif
#ifndef FLECS_PIPELINE
#define FLECS_PIPELINE
#endif
#ifndef FLECS_STATS
#define FLECS_STATS
#endif
#ifndef FLECS_SYSTEM
#define FLECS_SYSTEM
#endif
#ifndef FLECS_TIMER
#define FLECS_TIMER
#endif
/* The query language may be left out: -DFLECS_NO_QUERY_DSL. */
#ifndef FLECS_NO_QUERY_DSL
#ifndef FLECS_QUERY_DSL
#define FLECS_QUERY_DSL
#endif
#ifndef FLECS_PARSER
#define FLECS_PARSER
#endif
#endif

/* Reflection may be left out: -DFLECS_NO_META, and JSON, which builds on it: -DFLECS_NO_JSON. The build's switches
 * MUSTER_REFLECT and MUSTER_JSON say so for the library and its users; they follow what CMAKE_C_FLAGS leave out. */
#ifndef FLECS_NO_META
#ifndef FLECS_META
#define FLECS_META
#endif
#ifndef FLECS_DOC
#define FLECS_DOC
#endif
#ifndef FLECS_NO_JSON
#ifndef FLECS_JSON
#define FLECS_JSON
#endif
#endif
#endif

/* Precision. */
#ifndef ecs_float_t
#define ecs_float_t float
#endif
#ifndef ecs_ftime_t
#define ecs_ftime_t ecs_float_t
#endif

/** Ids below this are reserved for components; they get the fastest lookups. At least 32. */
#ifndef FLECS_HI_COMPONENT_ID
#define FLECS_HI_COMPONENT_ID 256
#endif
/** Component records of ids below this are found by index instead of by hash. At least FLECS_HI_COMPONENT_ID. */
#ifndef FLECS_HI_ID_RECORD_ID
#define FLECS_HI_ID_RECORD_ID 1024
#endif
/** Ids in an entity, bulk or table descriptor. */
#ifndef FLECS_ID_DESC_MAX
#define FLECS_ID_DESC_MAX 32
#endif
/** Events in an observer descriptor. */
#ifndef FLECS_EVENT_DESC_MAX
#define FLECS_EVENT_DESC_MAX 8
#endif
/** Terms in a query, at most 64. */
#ifndef FLECS_TERM_COUNT_MAX
#define FLECS_TERM_COUNT_MAX 32
#endif
/** Arguments of a term in the query language. */
#ifndef FLECS_TERM_ARG_COUNT_MAX
#define FLECS_TERM_ARG_COUNT_MAX 16
#endif
/** Variables in a query, at most 64. */
#ifndef FLECS_QUERY_VARIABLE_COUNT_MAX
#define FLECS_QUERY_VARIABLE_COUNT_MAX 64
#endif
/** Scopes of a query nest less deep. */
#ifndef FLECS_QUERY_SCOPE_NESTING_MAX
#define FLECS_QUERY_SCOPE_NESTING_MAX 8
#endif
/** Levels of nested prefabs on which the owner of a slot is looked for; relationship graphs may be deeper. */
#ifndef FLECS_DAG_DEPTH_MAX
#define FLECS_DAG_DEPTH_MAX 128
#endif
/** Log2 of the elements in a page of a sparse set. */
#ifndef FLECS_SPARSE_PAGE_BITS
#define FLECS_SPARSE_PAGE_BITS 6
#endif
/** Log2 of the entities for which the entity index asks for memory at once: 1 MB of records. */
#ifndef FLECS_ENTITY_PAGE_BITS
#define FLECS_ENTITY_PAGE_BITS 17
#endif
/* These two limit nothing, and are there for programs that name them: there are no scripts, and tree spawners keep no
 * tables by depth. */
#ifndef FLECS_VARIABLE_COUNT_MAX
#define FLECS_VARIABLE_COUNT_MAX 64
#endif
#ifndef FLECS_TREE_SPAWNER_DEPTH_CACHE_SIZE
#define FLECS_TREE_SPAWNER_DEPTH_CACHE_SIZE 6
#endif
/** Observers that emit events inside each other before an event is dropped with an error. */
#ifndef ECS_MAX_RECURSION
#define ECS_MAX_RECURSION 512
#endif
/** Bytes of a token in the query language, with the terminating zero. */
#ifndef ECS_MAX_TOKEN_SIZE
#define ECS_MAX_TOKEN_SIZE 256
#endif
/** Highest id that fits the first element of a pair. */
#define ECS_MAX_COMPONENT_ID 0x0FFFFFFF

#if FLECS_HI_COMPONENT_ID < 32
#error "FLECS_HI_COMPONENT_ID is at least 32: some of the ids below it are built in."
#endif
#if FLECS_HI_ID_RECORD_ID < FLECS_HI_COMPONENT_ID
#error "FLECS_HI_ID_RECORD_ID is at least FLECS_HI_COMPONENT_ID: components are found by index."
#endif
#if FLECS_QUERY_VARIABLE_COUNT_MAX > 64
#error \
    "FLECS_QUERY_VARIABLE_COUNT_MAX is at most 64: the variables of a query are bits of one integer."
#endif
#if FLECS_TERM_COUNT_MAX > 64
#error "FLECS_TERM_COUNT_MAX is at most 64: the fields of a query are bits of one integer."
#endif

/** Exported from the library; everything else is hidden. */
#ifndef ECS_API
#if defined(__GNUC__)
#define ECS_API __attribute__((visibility("default")))
#else
#define ECS_API
#endif
#endif

/** Called when something is wrong, or to find out: what leads there is laid out apart and for size. */
#if defined(__GNUC__)
#define ECS_COLD __attribute__((cold))
#else
#define ECS_COLD
#endif

/** The compiler checks arguments `first_arg`... against the printf format in argument `fmt_arg`. */
#if defined(__GNUC__)
#define ECS_PRINTF_LIKE(fmt_arg, first_arg) __attribute__((format(printf, fmt_arg, first_arg)))
#else
#define ECS_PRINTF_LIKE(fmt_arg, first_arg)
#endif

#ifdef __cplusplus
#define ECS_BEGIN_DECLS extern "C" {
#define ECS_END_DECLS }
#else
#define ECS_BEGIN_DECLS
#define ECS_END_DECLS
#endif

#endif
