// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "host.h"
#include "atomics.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *libc_malloc(size_t size, void *ctx) {
    (void)ctx;
    return malloc(size);
}

static void libc_free(void *ptr, void *ctx) {
    (void)ctx;
    free(ptr);
}

static void stderr_log(const char *sentence, void *ctx) {
    (void)ctx;
    fprintf(stderr, "scheduler: %s\n", sentence);
}

static void libc_abort(const char *sentence, void *ctx) {
    stderr_log(sentence, ctx);
    abort();
}

static uintptr_t start_pthread(void *(*main)(void *), void *arg, void *ctx) {
    (void)ctx;
    pthread_t thread;
    errno = pthread_create(&thread, NULL, main, arg);
    return errno ? 0 : (uintptr_t)thread;
}

static void join_pthread(uintptr_t thread, void *ctx) {
    (void)ctx;
    pthread_join((pthread_t)thread, NULL);
}

sched__host_t sched__host_of(const sched_pool_desc_t *desc) {
    sched__host_t host = { NULL, libc_malloc, libc_free, stderr_log, libc_abort, start_pthread,
        join_pthread };
    if (!desc) return host;
    host.ctx = desc->ctx;
    if (desc->malloc_fn) host.malloc_fn = desc->malloc_fn;
    if (desc->free_fn) host.free_fn = desc->free_fn;
    if (desc->log_fn) host.log_fn = desc->log_fn;
    if (desc->abort_fn) host.abort_fn = desc->abort_fn;
    if (desc->thread_new_fn) host.thread_new_fn = desc->thread_new_fn;
    if (desc->thread_join_fn) host.thread_join_fn = desc->thread_join_fn;
    return host;
}

const char *sched__host_check(const sched_pool_desc_t *desc) {
    if (!desc) return NULL;
    if (desc->workers < 0 || desc->workers > SCHED_MAX_WORKERS) return "workers must be 0 to 64";
    if (!desc->malloc_fn != !desc->free_fn) return "malloc_fn and free_fn must be set together";
    if (!desc->thread_new_fn != !desc->thread_join_fn)
        return "thread_new_fn and thread_join_fn must be set together";
    return NULL;
}

uintptr_t sched__host_start(const sched__host_t *host, void *(*main)(void *), void *arg) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    uintptr_t thread = host->thread_new_fn(main, arg, host->ctx);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return thread;
}

void *sched__host_calloc(const sched__host_t *host, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) return NULL;
    size_t bytes = count * size;
    void *ptr = host->malloc_fn(bytes ? bytes : 1, host->ctx);
    if (ptr) return memset(ptr, 0, bytes);
    sched__host_log(host, "out of memory: %zu bytes were refused", bytes);
    return NULL;
}

void *sched__host_calloc_lines(const sched__host_t *host, size_t count, size_t size, void **raw) {
    *raw = sched__host_calloc(host, 1, count * size + SCHED_CACHE_LINE - 1);
    uintptr_t mask = SCHED_CACHE_LINE - 1;
    return *raw ? (void *)(((uintptr_t)*raw + mask) & ~mask) : NULL;
}

void sched__host_free(const sched__host_t *host, void *ptr) {
    if (ptr) host->free_fn(ptr, host->ctx);
}

void sched__host_log(const sched__host_t *host, const char *format, ...) {
    char sentence[512];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    host->log_fn(sentence, host->ctx);
}

void sched__host_abort(const sched__host_t *host, const char *format, ...) {
    char sentence[512];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    host->abort_fn(sentence, host->ctx);
}

void sched__text_add(sched__text_t *text, const char *format, ...) {
    size_t room = text->length < text->size ? text->size - text->length : 0;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(room ? text->buffer + text->length : NULL, room, format, args);
    va_end(args);
    if (length > 0) text->length += (size_t)length;
}

void sched__text_name(sched__text_t *text, const char *name, uint32_t id) {
    if (name) {
        sched__text_add(text, "%s", name);
    } else {
        sched__text_add(text, "#%u", id);
    }
}
