// SPDX-License-Identifier: MIT
// os_posix: memory, threads, clocks and libraries of POSIX systems; the only user of pthreads in ecs.
//
// Mutexes and condition variables live on the counted heap, so that a leaked one shows up.
#define _GNU_SOURCE /* mmap, nanosleep and dlopen under -std=c11 */
#include "base/os_posix.h"

#include <dlfcn.h>
#include <errno.h>
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#endif
#include <muster/ecs/ds/strbuf.h>
#include <muster/ecs/log.h>
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>
#include "base/assert.h"
#include "base/atomics.h"

#define HUGE_PAGE ((uintptr_t)2 << 20)

#ifdef __APPLE__
#define DL_SUFFIX ".dylib"
#else
#define DL_SUFFIX ".so"
#endif

ecs_os_thread_t ecs__os_thread_new(ecs_os_thread_callback_t callback, void *arg) {
    pthread_t thread;
    int err = pthread_create(&thread, NULL, callback, arg);
    if (err) {
        ecs_err("cannot create a thread: %s", ecs_os_strerror(err));
        return 0;
    }
    return (ecs_os_thread_t)thread;
}

void *ecs__os_thread_join(ecs_os_thread_t thread) {
    void *result = NULL;
    pthread_join((pthread_t)thread, &result);
    return result;
}

ecs_os_thread_id_t ecs__os_thread_self(void) { return (ecs_os_thread_id_t)pthread_self(); }

int32_t ecs__os_ainc(int32_t *value) { return (int32_t)(ecs__faa_32((uint32_t *)value, 1) + 1); }

int32_t ecs__os_adec(int32_t *value) {
    return (int32_t)(ecs__faa_32((uint32_t *)value, UINT32_MAX) - 1);
}

int64_t ecs__os_lainc(int64_t *value) { return (int64_t)(ecs__faa_64((uint64_t *)value, 1) + 1); }

int64_t ecs__os_ladec(int64_t *value) {
    return (int64_t)(ecs__faa_64((uint64_t *)value, UINT64_MAX) - 1);
}

ecs_os_mutex_t ecs__os_mutex_new(void) {
    pthread_mutex_t *mutex = ecs_os_malloc_t(pthread_mutex_t);
    int err = pthread_mutex_init(mutex, NULL);
    ecs_always_assert(!err, ECS_OPERATION_FAILED, "cannot create a mutex: %s", strerror(err));
    return (ecs_os_mutex_t)mutex;
}

void ecs__os_mutex_free(ecs_os_mutex_t mutex) {
    pthread_mutex_destroy((pthread_mutex_t *)mutex);
    ecs_os_free((void *)mutex);
}

void ecs__os_mutex_lock(ecs_os_mutex_t mutex) {
    int err = pthread_mutex_lock((pthread_mutex_t *)mutex);
    ecs_always_assert(!err, ECS_INVALID_OPERATION, "cannot lock a mutex: %s", strerror(err));
}

void ecs__os_mutex_unlock(ecs_os_mutex_t mutex) {
    int err = pthread_mutex_unlock((pthread_mutex_t *)mutex);
    ecs_always_assert(!err, ECS_INVALID_OPERATION, "cannot unlock a mutex: %s", strerror(err));
}

ecs_os_cond_t ecs__os_cond_new(void) {
    pthread_cond_t *cond = ecs_os_malloc_t(pthread_cond_t);
    int err = pthread_cond_init(cond, NULL);
    ecs_always_assert(
        !err, ECS_OPERATION_FAILED, "cannot create a condition variable: %s", strerror(err));
    return (ecs_os_cond_t)cond;
}

void ecs__os_cond_free(ecs_os_cond_t cond) {
    pthread_cond_destroy((pthread_cond_t *)cond);
    ecs_os_free((void *)cond);
}

void ecs__os_cond_signal(ecs_os_cond_t cond) { pthread_cond_signal((pthread_cond_t *)cond); }

void ecs__os_cond_broadcast(ecs_os_cond_t cond) { pthread_cond_broadcast((pthread_cond_t *)cond); }

void ecs__os_cond_wait(ecs_os_cond_t cond, ecs_os_mutex_t mutex) {
    pthread_cond_wait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex);
}

void ecs__os_sleep(int32_t sec, int32_t nanosec) {
    struct timespec left = { .tv_sec = sec, .tv_nsec = nanosec };
    while (nanosleep(&left, &left) && errno == EINTR) {}
}

uint64_t ecs__os_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void ecs__os_get_time(ecs_time_t *time_out) {
    uint64_t now = ecs__os_now();
    time_out->sec = (uint32_t)(now / 1000000000u);
    time_out->nanosec = (uint32_t)(now % 1000000000u);
}

// Straight to the file: whoever aborts may be out of memory.
void flecs_dump_backtrace(void *stream) {
    ECS__GIVEN(stream);
#if __has_include(<execinfo.h>)
    void *callers[64];
    fflush(stream);
    backtrace_symbols_fd(callers, backtrace(callers, 64), fileno(stream));
#else
    (void)stream;
#endif
}

ecs_os_dl_t ecs__os_dlopen(const char *libname) {
    void *library = dlopen(libname, RTLD_NOW | RTLD_LOCAL);
    if (!library) ecs_warn("%s", dlerror()); /* missing, of another kind, or lacking a symbol */
    return (ecs_os_dl_t)library;
}

ecs_os_proc_t ecs__os_dlproc(ecs_os_dl_t lib, const char *procname) {
    void *symbol = dlsym((void *)lib, procname);
    ecs_os_proc_t proc;
    memcpy(&proc, &symbol, sizeof(proc)); /* C has no cast from data to function pointers */
    return proc;
}

void ecs__os_dlclose(ecs_os_dl_t lib) { dlclose((void *)lib); }

// prefix + module id with dots replaced + suffix
static char *module_path(const char *prefix, const char *module_id, char dot, const char *suffix) {
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    ecs_strbuf_appendstr(&buf, prefix);
    for (const char *ch = module_id; *ch; ch++) {
        ecs_strbuf_appendch(&buf, *ch == '.' ? dot : *ch);
    }
    ecs_strbuf_appendstr(&buf, suffix);
    return ecs_strbuf_get(&buf);
}

char *ecs__os_module_to_dl(const char *module_id) {
    return module_path("lib", module_id, '_', DL_SUFFIX);
}

char *ecs__os_module_to_etc(const char *module_id) {
    return module_path("", module_id, '-', "/etc");
}

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

void *ecs__os_reserve(size_t size) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *ptr = mmap(NULL, size, PROT_NONE, flags, -1, 0);
    return ptr == MAP_FAILED ? NULL : ptr;
}

bool ecs__os_commit(void *ptr, size_t size) { return !mprotect(ptr, size, PROT_READ | PROT_WRITE); }
void ecs__os_release(void *ptr, size_t size) { munmap(ptr, size); }

// The program may be built with a leak checker though the library is not.
#ifdef __linux__
__attribute__((weak)) void __lsan_register_root_region(const void *ptr, size_t size);
__attribute__((weak)) void __lsan_unregister_root_region(const void *ptr, size_t size);
void ecs__os_show_to_checkers(void *ptr, size_t size, bool is_shown) {
    void (*call)(const void *, size_t) =
        is_shown ? __lsan_register_root_region : __lsan_unregister_root_region;
    if (call) call(ptr, size);
}
#else
void ecs__os_show_to_checkers(void *ptr, size_t size, bool is_shown) {
    (void)ptr, (void)size, (void)is_shown;
}
#endif

#ifdef MADV_POPULATE_WRITE
void ecs__os_touch(void *ptr, size_t size) {
    uintptr_t begin = (uintptr_t)ptr & ~(uintptr_t)4095;
    (void)madvise((void *)begin, (uintptr_t)ptr + size - begin, MADV_POPULATE_WRITE);
}
#else
void ecs__os_touch(void *ptr, size_t size) { (void)ptr, (void)size; }
#endif

#ifdef MADV_HUGEPAGE
static void advise(void *ptr, size_t size, int advice) {
    uintptr_t first = ((uintptr_t)ptr + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    uintptr_t end = ((uintptr_t)ptr + size) & ~(HUGE_PAGE - 1);
    if (first < end) (void)madvise((void *)first, end - first, advice); /* a hint: it may fail */
}
#else
#define advise(ptr, size, advice) ((void)(ptr), (void)(size))
#endif

void ecs__os_advise_huge(void *ptr, size_t size) { advise(ptr, size, MADV_HUGEPAGE); }
void ecs__os_drop_huge(void *ptr, size_t size) { advise(ptr, size, MADV_DONTNEED); }
