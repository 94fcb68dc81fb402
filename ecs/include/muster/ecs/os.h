// SPDX-License-Identifier: MIT
// os: the operating system as the library sees it, replaceable function by function.
//
// All memory, threads, clocks, messages and aborts go through the table `ecs_os_api`. It starts
// with working defaults; replace members before the first world is made (ecs_os_set_api), or assign
// to the global table at any time no other thread is using it. The members are called as they are,
// so they must be safe from every thread that uses a world or scheduler. One thing is not theirs: a world
// reserves addresses for the records of all entities and for tables (100 GB; less if there are hundreds of worlds, or
// few addresses) and asks the system for the memory behind them: 8 bytes per entity, and what describes the first 128 MB of tables.
//
// Out of memory: the ecs_os_malloc family, and ecs_os_strdup of a string, never return NULL. They log ECS_OUT_OF_MEMORY
// and call abort_; should that return, the process ends. Code that can report the failure like bad input
// uses the ecs_os_try_* forms, which return NULL: what reads files, the text and terms of queries, JSON strings, ids from text, and
// begins background jobs. What makes entities, tables, values, names, plans and caches does not.
#ifndef MUSTER_ECS_OS_H
#define MUSTER_ECS_OS_H

#include <muster/ecs/base.h>
#include <stdarg.h>
#include <stdio.h>

ECS_BEGIN_DECLS

typedef struct ecs_time_t {
    uint32_t sec;
    uint32_t nanosec;
} ecs_time_t;

typedef uintptr_t ecs_os_thread_t;
typedef uintptr_t ecs_os_mutex_t;
typedef uintptr_t ecs_os_cond_t;
typedef uintptr_t ecs_os_dl_t;
typedef uint64_t ecs_os_thread_id_t;
typedef void (*ecs_os_proc_t)(void);

typedef void (*ecs_os_api_init_t)(void);
typedef void (*ecs_os_api_fini_t)(void);
/* Return NULL when there is no memory; memory is aligned for any standard type. */
typedef void *(*ecs_os_api_malloc_t)(ecs_size_t size);
typedef void *(*ecs_os_api_realloc_t)(void *ptr, ecs_size_t size);
typedef void *(*ecs_os_api_calloc_t)(ecs_size_t size);
typedef void (*ecs_os_api_free_t)(void *ptr);
typedef char *(*ecs_os_api_strdup_t)(const char *str);
typedef void *(*ecs_os_thread_callback_t)(void *arg);
/* Return 0 when the thread cannot be made. */
typedef ecs_os_thread_t (*ecs_os_api_thread_new_t)(ecs_os_thread_callback_t callback, void *arg);
typedef void *(*ecs_os_api_thread_join_t)(ecs_os_thread_t thread);
typedef ecs_os_thread_id_t (*ecs_os_api_thread_self_t)(void);
/* Return the new value. */
typedef int32_t (*ecs_os_api_ainc_t)(int32_t *value);
typedef int64_t (*ecs_os_api_lainc_t)(int64_t *value);
typedef ecs_os_mutex_t (*ecs_os_api_mutex_new_t)(void);
typedef void (*ecs_os_api_mutex_free_t)(ecs_os_mutex_t mutex);
typedef void (*ecs_os_api_mutex_lock_t)(ecs_os_mutex_t mutex);
typedef void (*ecs_os_api_mutex_unlock_t)(ecs_os_mutex_t mutex);
typedef ecs_os_cond_t (*ecs_os_api_cond_new_t)(void);
typedef void (*ecs_os_api_cond_free_t)(ecs_os_cond_t cond);
typedef void (*ecs_os_api_cond_signal_t)(ecs_os_cond_t cond);
typedef void (*ecs_os_api_cond_broadcast_t)(ecs_os_cond_t cond);
typedef void (*ecs_os_api_cond_wait_t)(ecs_os_cond_t cond, ecs_os_mutex_t mutex);
typedef void (*ecs_os_api_sleep_t)(int32_t sec, int32_t nanosec);
/* Monotonic nanoseconds from an arbitrary start. */
typedef uint64_t (*ecs_os_api_now_t)(void);
typedef void (*ecs_os_api_get_time_t)(ecs_time_t *time_out);
/* One message, without newline; `file` may be NULL. */
typedef void (*ecs_os_api_log_t)(int32_t level, const char *file, int32_t line, const char *msg);
typedef void (*ecs_os_api_abort_t)(void);
/* Return 0 when the library cannot be opened. */
typedef ecs_os_dl_t (*ecs_os_api_dlopen_t)(const char *libname);
typedef ecs_os_proc_t (*ecs_os_api_dlproc_t)(ecs_os_dl_t lib, const char *procname);
typedef void (*ecs_os_api_dlclose_t)(ecs_os_dl_t lib);
/* Path of the library or data folder of a module ("my.module"); the caller frees it. */
typedef char *(*ecs_os_api_module_to_path_t)(const char *module_id);
typedef FILE *(*ecs_os_api_fopen_t)(const char *path, const char *mode);
typedef int (*ecs_os_api_fclose_t)(FILE *file);
typedef size_t (*ecs_os_api_fread_t)(void *out, size_t size, size_t count, FILE *file);
typedef void (*ecs_os_api_perf_trace_t)(const char *filename, size_t line, const char *name);

/* Bits of ecs_os_api_t::flags_. */
#define EcsOsApiHighResolutionTimer (1u << 0)
#define EcsOsApiLogWithColors (1u << 1)
#define EcsOsApiLogWithTimeStamp (1u << 2)
#define EcsOsApiLogWithTimeDelta (1u << 3)

typedef struct ecs_os_api_t {
    ecs_os_api_init_t init_;
    ecs_os_api_fini_t fini_;
    ecs_os_api_malloc_t malloc_;
    ecs_os_api_realloc_t realloc_;
    ecs_os_api_calloc_t calloc_;
    ecs_os_api_free_t free_;
    ecs_os_api_strdup_t strdup_;
    ecs_os_api_thread_new_t thread_new_;
    ecs_os_api_thread_join_t thread_join_;
    ecs_os_api_thread_self_t thread_self_;
    ecs_os_api_thread_new_t task_new_;
    ecs_os_api_thread_join_t task_join_;
    ecs_os_api_ainc_t ainc_;
    ecs_os_api_ainc_t adec_;
    ecs_os_api_lainc_t lainc_;
    ecs_os_api_lainc_t ladec_;
    ecs_os_api_mutex_new_t mutex_new_;
    ecs_os_api_mutex_free_t mutex_free_;
    ecs_os_api_mutex_lock_t mutex_lock_;
    ecs_os_api_mutex_unlock_t mutex_unlock_;
    ecs_os_api_cond_new_t cond_new_;
    ecs_os_api_cond_free_t cond_free_;
    ecs_os_api_cond_signal_t cond_signal_;
    ecs_os_api_cond_broadcast_t cond_broadcast_;
    ecs_os_api_cond_wait_t cond_wait_;
    ecs_os_api_sleep_t sleep_;
    ecs_os_api_now_t now_;
    ecs_os_api_get_time_t get_time_;
    ecs_os_api_log_t log_;
    ecs_os_api_abort_t abort_;
    ecs_os_api_dlopen_t dlopen_;
    ecs_os_api_dlproc_t dlproc_;
    ecs_os_api_dlclose_t dlclose_;
    ecs_os_api_module_to_path_t module_to_dl_;
    ecs_os_api_module_to_path_t module_to_etc_;
    ecs_os_api_fopen_t fopen_;
    ecs_os_api_fclose_t fclose_;
    ecs_os_api_fread_t fread_;
    ecs_os_api_perf_trace_t perf_trace_push_; /* NULL: nobody traces */
    ecs_os_api_perf_trace_t perf_trace_pop_;
    int32_t log_level_;          /* messages above it are dropped; -1 shows warnings and errors */
    int32_t log_indent_;         /* depth of ecs_log_push */
    int32_t log_last_error_;     /* see ecs_log_last_error */
    int64_t log_last_timestamp_; /* seconds, for time deltas; 0 = none yet */
    ecs_flags32_t flags_;
    void *log_out_; /* FILE *; NULL: errors and warnings to stderr, others to stdout */
} ecs_os_api_t;

/** The table in use. */
ECS_API extern ecs_os_api_t ecs_os_api;

/* Calls of the default heap so far, from all threads. ecs_os_free(NULL) does not count and realloc
 * of NULL counts as malloc, so malloc + calloc - free is the number of live blocks. */
ECS_API extern int64_t ecs_os_api_malloc_count;
ECS_API extern int64_t ecs_os_api_realloc_count;
ECS_API extern int64_t ecs_os_api_calloc_count;
ECS_API extern int64_t ecs_os_api_free_count;

/** Begin using the table; every world does it once. The first call runs init_. A heap, strdup_ and abort_ have to be there; without log_ nothing is
 * printed, and what needs others that are missing is refused when it is asked for. */
ECS_API void ecs_os_init(void);
/** Undo one ecs_os_init. The last call runs fini_. */
ECS_API void ecs_os_fini(void);
/** Replace the table. Ignored between the first ecs_os_init and the last ecs_os_fini. */
ECS_API void ecs_os_set_api(ecs_os_api_t *os_api);
/** A copy of the table in use. */
ECS_API ecs_os_api_t ecs_os_get_api(void);
/** Put the default functions back; levels and other settings of the log stay as they are. Ignored
 * between the first ecs_os_init and the last ecs_os_fini. */
ECS_API void ecs_os_set_api_defaults(void);
/** Put the default threads, clocks, atomics and libraries back; heap, log and abort stay. */
ECS_API void ecs_set_os_api_impl(void);

/** True if ecs_os_api has all functions of a kind: memory, threads with mutexes and condition variables, tasks, clock and sleep,
 * log, shared libraries, names of libraries of modules. Any thread. */
ECS_API bool ecs_os_has_heap(void);
ECS_API bool ecs_os_has_threading(void);
ECS_API bool ecs_os_has_task_support(void);
ECS_API bool ecs_os_has_time(void);
ECS_API bool ecs_os_has_logging(void);
ECS_API bool ecs_os_has_dl(void);
ECS_API bool ecs_os_has_modules(void);

/** Logs that `size` bytes could not be had and ends the program through abort_. */
ECS_API void ecs_os_out_of_memory_(ecs_size_t size);

/** Bytes of `n` elements, or -1, which no heap has, if that is more than 2 GB. */
static inline ecs_size_t ecs_os_bytes_(int64_t size, int64_t n) {
    const int64_t bytes = size * n;
    return bytes < 0 || bytes > INT32_MAX ? -1 : ECS_CAST(ecs_size_t, bytes);
}

/* Memory. Sizes in bytes; `T` is a type and `n` a number of elements. */
#define ecs_os_try_malloc(size) ecs_os_api.malloc_(size)
#define ecs_os_try_realloc(ptr, size) ecs_os_api.realloc_(ptr, size)
#define ecs_os_try_calloc(size) ecs_os_api.calloc_(size)
#define ecs_os_malloc(size) ecs_os_malloc_(size)
#define ecs_os_realloc(ptr, size) ecs_os_realloc_(ptr, size)
#define ecs_os_calloc(size) ecs_os_calloc_(size)
#define ecs_os_free(ptr) ecs_os_api.free_(ptr)
#define ecs_os_strdup(str) ecs_os_strdup_(str)
#define ecs_os_alloca(size) __builtin_alloca(ECS_CAST(size_t, size))

#define ecs_os_malloc_t(T) (ECS_CAST(T *, ecs_os_malloc(ECS_SIZEOF(T))))
#define ecs_os_malloc_n(T, n) (ECS_CAST(T *, ecs_os_malloc(ecs_os_bytes_(ECS_SIZEOF(T), n))))
#define ecs_os_calloc_t(T) (ECS_CAST(T *, ecs_os_calloc(ECS_SIZEOF(T))))
#define ecs_os_calloc_n(T, n) (ECS_CAST(T *, ecs_os_calloc(ecs_os_bytes_(ECS_SIZEOF(T), n))))
#define ecs_os_realloc_t(ptr, T) (ECS_CAST(T *, ecs_os_realloc(ptr, ECS_SIZEOF(T))))
#define ecs_os_realloc_n(ptr, T, n) \
    (ECS_CAST(T *, ecs_os_realloc(ptr, ecs_os_bytes_(ECS_SIZEOF(T), n))))
#define ecs_os_alloca_t(T) (ECS_CAST(T *, ecs_os_alloca(ECS_SIZEOF(T))))
#define ecs_os_alloca_n(T, n) (ECS_CAST(T *, ecs_os_alloca(ECS_SIZEOF(T) * (n))))

#define ecs_os_memcpy(dst, src, size) memcpy(dst, src, ECS_CAST(size_t, size))
#define ecs_os_memcpy_t(dst, src, T) ecs_os_memcpy(dst, src, ECS_SIZEOF(T))
#define ecs_os_memcpy_n(dst, src, T, n) ecs_os_memcpy(dst, src, ECS_SIZEOF(T) * ECS_CAST(size_t, n))
#define ecs_os_memmove(dst, src, size) memmove(dst, src, ECS_CAST(size_t, size))
#define ecs_os_memmove_t(dst, src, T) ecs_os_memmove(dst, src, ECS_SIZEOF(T))
#define ecs_os_memmove_n(dst, src, T, n) \
    ecs_os_memmove(dst, src, ECS_SIZEOF(T) * ECS_CAST(size_t, n))
#define ecs_os_memset(ptr, value, size) memset(ptr, value, ECS_CAST(size_t, size))
#define ecs_os_memset_t(ptr, value, T) ecs_os_memset(ptr, value, ECS_SIZEOF(T))
#define ecs_os_memset_n(ptr, value, T, n) \
    ecs_os_memset(ptr, value, ECS_SIZEOF(T) * ECS_CAST(size_t, n))
#define ecs_os_memcmp(a, b, size) memcmp(a, b, ECS_CAST(size_t, size))
#define ecs_os_zeromem(ptr) ecs_os_memset(ptr, 0, ECS_SIZEOF(*(ptr)))
#define ecs_os_memdup_t(src, T) (ECS_CAST(T *, ecs_os_memdup(src, ECS_SIZEOF(T))))
#define ecs_os_memdup_n(src, T, n) (ECS_CAST(T *, ecs_os_memdup(src, ECS_SIZEOF(T) * (n))))

#define ecs_os_strlen(str) (ECS_CAST(ecs_size_t, strlen(str)))
#define ecs_os_strcmp(a, b) strcmp(a, b)
#define ecs_os_strncmp(a, b, n) strncmp(a, b, ECS_CAST(size_t, n))
#define ecs_os_strcat(dst, src) strcat(dst, src)
#define ecs_os_strcpy(dst, src) strcpy(dst, src)
#define ecs_os_strncpy(dst, src, n) strncpy(dst, src, ECS_CAST(size_t, n))
#define ecs_os_snprintf(dst, size, ...) snprintf(dst, ECS_CAST(size_t, size), __VA_ARGS__)
#define ecs_os_vsnprintf(dst, size, fmt, args) vsnprintf(dst, ECS_CAST(size_t, size), fmt, args)

/* Threads, atomics, time, libraries: see the typedefs above. */
#define ecs_os_thread_new(callback, arg) ecs_os_api.thread_new_(callback, arg)
#define ecs_os_thread_join(thread) ecs_os_api.thread_join_(thread)
#define ecs_os_thread_self() ecs_os_api.thread_self_()
#define ecs_os_task_new(callback, arg) ecs_os_api.task_new_(callback, arg)
#define ecs_os_task_join(thread) ecs_os_api.task_join_(thread)
#define ecs_os_ainc(value) ecs_os_api.ainc_(value)
#define ecs_os_adec(value) ecs_os_api.adec_(value)
#define ecs_os_lainc(value) ecs_os_api.lainc_(value)
#define ecs_os_ladec(value) ecs_os_api.ladec_(value)
#define ecs_os_mutex_new() ecs_os_api.mutex_new_()
#define ecs_os_mutex_free(mutex) ecs_os_api.mutex_free_(mutex)
#define ecs_os_mutex_lock(mutex) ecs_os_api.mutex_lock_(mutex)
#define ecs_os_mutex_unlock(mutex) ecs_os_api.mutex_unlock_(mutex)
#define ecs_os_cond_new() ecs_os_api.cond_new_()
#define ecs_os_cond_free(cond) ecs_os_api.cond_free_(cond)
#define ecs_os_cond_signal(cond) ecs_os_api.cond_signal_(cond)
#define ecs_os_cond_broadcast(cond) ecs_os_api.cond_broadcast_(cond)
#define ecs_os_cond_wait(cond, mutex) ecs_os_api.cond_wait_(cond, mutex)
#define ecs_os_sleep(sec, nanosec) ecs_os_api.sleep_(sec, nanosec)
#define ecs_os_now() ecs_os_api.now_()
#define ecs_os_get_time(time_out) ecs_os_api.get_time_(time_out)
#define ecs_os_abort() ecs_os_api.abort_()
#define ecs_os_dlopen(libname) ecs_os_api.dlopen_(libname)
#define ecs_os_dlproc(lib, procname) ecs_os_api.dlproc_(lib, procname)
#define ecs_os_dlclose(lib) ecs_os_api.dlclose_(lib)
#define ecs_os_module_to_dl(module_id) ecs_os_api.module_to_dl_(module_id)
#define ecs_os_module_to_etc(module_id) ecs_os_api.module_to_etc_(module_id)
#define ecs_os_fopen(path, mode) ecs_os_api.fopen_(path, mode)
#define ecs_os_fclose(file) ecs_os_api.fclose_(file)
#define ecs_os_fread(out, size, count, file) ecs_os_api.fread_(out, size, count, file)
#define ecs_os_perf_trace_push(name) ecs_os_perf_trace_push_(__FILE__, __LINE__, name)
#define ecs_os_perf_trace_pop(name) ecs_os_perf_trace_pop_(__FILE__, __LINE__, name)

/** A heap copy of `size` bytes, or NULL if `src` is NULL. */
ECS_API void *ecs_os_memdup(const void *src, ecs_size_t size);
/** Replace the string at `*str`: frees the old one, stores a copy of `value` (NULL allowed). */
ECS_API void ecs_os_strset(char **str, const char *value);
/** A file that fopen_ opens; NULL if it cannot, and with an error if ecs_os_api lacks fopen_, fclose_ or, to read, fread_. */
ECS_API FILE *ecs_os_open_file(const char *path, const char *mode);
/** The content of a file, with a zero behind it; the caller frees it. NULL if it cannot be read, or there is no memory for it. */
ECS_API char *ecs_os_read_file(const char *path);
/** Text of an errno value; valid until the thread's next call. */
ECS_API const char *ecs_os_strerror(int err);
/** Print the functions that are being called, as for an abort_ of one's own, to `stream`, a FILE *. Prints nothing where the C library
 * cannot tell. */
ECS_API void flecs_dump_backtrace(void *stream);

/* Send one finished message to log_, if the log level shows it. */
ECS_API void ecs_os_dbg(const char *file, int32_t line, const char *msg);
ECS_API void ecs_os_trace(const char *file, int32_t line, const char *msg);
ECS_API void ecs_os_warn(const char *file, int32_t line, const char *msg);
ECS_API void ecs_os_err(const char *file, int32_t line, const char *msg);
ECS_API void ecs_os_fatal(const char *file, int32_t line, const char *msg);

/** Sleep for `seconds`; 0 and less return at once, as does, with an error, everything without sleep_. */
ECS_API void ecs_sleepf(double seconds);
/** Seconds since `*start`, which is set to now. A zeroed start counts from the clock's zero. Without get_time_ an error
 * is logged, nothing is set, and no time passes. */
ECS_API double ecs_time_measure(ecs_time_t *start);
/** `a` - `b`; `a` must not be before `b`. */
ECS_API ecs_time_t ecs_time_sub(ecs_time_t a, ecs_time_t b);
ECS_API double ecs_time_to_double(ecs_time_t t);

static inline void *ecs_os_malloc_(ecs_size_t size) {
    void *ptr = ecs_os_api.malloc_(size);
    if (!ptr) {
        ecs_os_out_of_memory_(size);
    }
    return ptr;
}

static inline void *ecs_os_realloc_(void *ptr, ecs_size_t size) {
    void *result = ecs_os_api.realloc_(ptr, size);
    if (!result) {
        ecs_os_out_of_memory_(size);
    }
    return result;
}

static inline void *ecs_os_calloc_(ecs_size_t size) {
    void *ptr = ecs_os_api.calloc_(size);
    if (!ptr) {
        ecs_os_out_of_memory_(size);
    }
    return ptr;
}

static inline char *ecs_os_strdup_(const char *str) {
    char *copy = ecs_os_api.strdup_(str);
    if (!copy && str) {
        ecs_os_out_of_memory_(ecs_os_strlen(str) + 1);
    }
    return copy;
}

static inline void ecs_os_perf_trace_push_(const char *file, size_t line, const char *name) {
    if (ecs_os_api.perf_trace_push_) {
        ecs_os_api.perf_trace_push_(file, line, name);
    }
}

static inline void ecs_os_perf_trace_pop_(const char *file, size_t line, const char *name) {
    if (ecs_os_api.perf_trace_pop_) {
        ecs_os_api.perf_trace_pop_(file, line, name);
    }
}

ECS_END_DECLS

#endif
