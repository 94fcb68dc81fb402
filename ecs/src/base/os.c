// SPDX-License-Identifier: MIT
// os: the table of OS functions, the defaults that need libc only, and helpers built on the table.
//
// os_posix.c supplies the members that need the operating system. Initialisation is counted,
// because every world asks for it; while the count is above zero the table cannot be replaced as a
// whole. Threads: ecs_os_init, ecs_os_fini and the heap from any; what replaces the table from one.
#include <stdlib.h>
#include "base/apart.h"
#include "base/assert.h"
#include "base/atomics.h"
#include "base/log.h"
#include "base/os_posix.h"

int64_t ecs_os_api_malloc_count;
int64_t ecs_os_api_realloc_count;
int64_t ecs_os_api_calloc_count;
int64_t ecs_os_api_free_count;

static uint32_t init_count;

static void count_call(int64_t *counter) { ecs__add_64((uint64_t *)counter, 1); }

// libc may answer NULL to 0. What is below was too much to be counted, see ecs_os_bytes_.
static size_t heap_size(ecs_size_t size) { return size ? (size_t)size : 1; }

static void *default_malloc(ecs_size_t size) {
    count_call(&ecs_os_api_malloc_count);
    return size < 0 ? NULL : malloc(heap_size(size));
}

// Apart, so that compilers do not see a calloc in it.
static ECS__APART void *zeroed(void *ptr, size_t size) { return ptr ? memset(ptr, 0, size) : NULL; }

// The calloc of glibc goes past the cache that each thread has of small blocks; large ones it gets from the system as zeros.
static void *default_calloc(ecs_size_t size) {
    count_call(&ecs_os_api_calloc_count);
    if (size < 0) return NULL;
    const size_t bytes = heap_size(size);
    return bytes <= 1024 ? zeroed(malloc(bytes), bytes) : calloc(1, bytes);
}

static void *default_realloc(void *ptr, ecs_size_t size) {
    if (!ptr) {
        return default_malloc(size);
    }
    count_call(&ecs_os_api_realloc_count);
    return size < 0 ? NULL : realloc(ptr, heap_size(size));
}

static void default_free(void *ptr) {
    if (ptr) {
        count_call(&ecs_os_api_free_count);
        free(ptr);
    }
}

static char *default_strdup(const char *str) {
    return str ? (char *)ecs_os_memdup(str, ecs_os_strlen(str) + 1) : NULL;
}

static void default_abort(void) {
    fflush(stdout);
    abort();
}

// A macro, so that the table in use is right before the first call into the library.
#define DEFAULT_API                                                                                \
    {                                                                                              \
        .malloc_ = default_malloc, .realloc_ = default_realloc, .calloc_ = default_calloc,         \
        .free_ = default_free, .strdup_ = default_strdup, .thread_new_ = ecs__os_thread_new,       \
        .thread_join_ = ecs__os_thread_join, .thread_self_ = ecs__os_thread_self,                  \
        .task_new_ = ecs__os_thread_new, .task_join_ = ecs__os_thread_join, .ainc_ = ecs__os_ainc, \
        .adec_ = ecs__os_adec, .lainc_ = ecs__os_lainc, .ladec_ = ecs__os_ladec,                   \
        .mutex_new_ = ecs__os_mutex_new, .mutex_free_ = ecs__os_mutex_free,                        \
        .mutex_lock_ = ecs__os_mutex_lock, .mutex_unlock_ = ecs__os_mutex_unlock,                  \
        .cond_new_ = ecs__os_cond_new, .cond_free_ = ecs__os_cond_free,                            \
        .cond_signal_ = ecs__os_cond_signal, .cond_broadcast_ = ecs__os_cond_broadcast,            \
        .cond_wait_ = ecs__os_cond_wait, .sleep_ = ecs__os_sleep, .now_ = ecs__os_now,             \
        .get_time_ = ecs__os_get_time, .log_ = ecs__log_write, .abort_ = default_abort,            \
        .dlopen_ = ecs__os_dlopen, .dlproc_ = ecs__os_dlproc, .dlclose_ = ecs__os_dlclose,         \
        .module_to_dl_ = ecs__os_module_to_dl, .module_to_etc_ = ecs__os_module_to_etc,            \
        .fopen_ = fopen, .fclose_ = fclose, .fread_ = fread, .log_level_ = -1,                     \
    }

ecs_os_api_t ecs_os_api = DEFAULT_API;
static const ecs_os_api_t default_api = DEFAULT_API;

// Copy the members from offset `first` up to, not including, offset `end`.
static void copy_defaults(size_t first, size_t end) {
    memcpy((char *)&ecs_os_api + first, (const char *)&default_api + first, end - first);
}

void ecs_os_set_api_defaults(void) {
    if (!ecs__load_32(&init_count)) {
        copy_defaults(0, offsetof(ecs_os_api_t, log_level_));
    }
}

void ecs_set_os_api_impl(void) {
    copy_defaults(offsetof(ecs_os_api_t, thread_new_), offsetof(ecs_os_api_t, log_));
    copy_defaults(offsetof(ecs_os_api_t, dlopen_), offsetof(ecs_os_api_t, fopen_));
}

void ecs_os_set_api(ecs_os_api_t *os_api) {
    if (!ecs__load_32(&init_count)) {
        ecs_os_api = *os_api;
    }
}

ecs_os_api_t ecs_os_get_api(void) { return ecs_os_api; }

void ecs_os_init(void) {
    if (ecs__faa_32(&init_count, 1) == 0) {
        ecs_always_assert(ecs_os_has_heap() && ecs_os_api.strdup_ && ecs_os_api.abort_,
            ECS_MISSING_OS_API,
            "ecs_os_api lacks heap, strdup_ or abort_: begin with ecs_os_get_api()");
        if (ecs_os_api.init_) {
            ecs_os_api.init_();
        }
    }
}

void ecs_os_fini(void) {
    uint32_t count = ecs__faa_32(&init_count, UINT32_MAX);
    ecs_assert(count, ECS_INVALID_OPERATION, "ecs_os_fini without ecs_os_init");
    if (count == 1 && ecs_os_api.fini_) {
        ecs_os_api.fini_();
    }
}

bool ecs_os_has_heap(void) {
    return ecs_os_api.malloc_ && ecs_os_api.realloc_ && ecs_os_api.calloc_ && ecs_os_api.free_;
}

bool ecs_os_has_threading(void) {
    return ecs_os_api.thread_new_ && ecs_os_api.thread_join_ && ecs_os_api.mutex_new_ &&
           ecs_os_api.mutex_free_ && ecs_os_api.mutex_lock_ && ecs_os_api.mutex_unlock_ &&
           ecs_os_api.cond_new_ && ecs_os_api.cond_free_ && ecs_os_api.cond_wait_ &&
           ecs_os_api.cond_signal_ && ecs_os_api.cond_broadcast_;
}

bool ecs_os_has_task_support(void) { return ecs_os_api.task_new_ && ecs_os_api.task_join_; }

bool ecs_os_has_time(void) { return ecs_os_api.get_time_ && ecs_os_api.now_ && ecs_os_api.sleep_; }

bool ecs_os_has_logging(void) { return ecs_os_api.log_ != NULL; }

bool ecs_os_has_dl(void) { return ecs_os_api.dlopen_ && ecs_os_api.dlproc_ && ecs_os_api.dlclose_; }

bool ecs_os_has_modules(void) { return ecs_os_api.module_to_dl_ && ecs_os_api.module_to_etc_; }

void ecs_os_out_of_memory_(ecs_size_t size) {
    static _Thread_local bool is_reporting; /* a message may need memory itself */
    if (!is_reporting) {
        is_reporting = true;
        ecs_err_code(ECS_OUT_OF_MEMORY, "cannot allocate %u bytes%s", (uint32_t)size,
            size < 0 ? ": the limit is 2 GB" : "");
        is_reporting = false;
    }
    ecs_os_abort();
    abort(); /* the hook returned, but nobody can go on without the memory */
}

void *ecs_os_memdup(const void *src, ecs_size_t size) {
    return src ? memcpy(ecs_os_malloc(size), src, (size_t)size) : NULL;
}

void ecs_os_strset(char **str, const char *value) {
    char *old = *str; /* may contain `value` */
    *str = ecs_os_strdup(value);
    ecs_os_free(old);
}

static char *read_all(FILE *file) {
    char *text = NULL;
    size_t length = 0, size = 0, count;
    do {
        if (size - length <= 1) {
            size = size ? size * 2 : 4096;
            char *more = size < INT32_MAX ? ecs_os_try_realloc(text, (ecs_size_t)size) : NULL;
            if (!more) {
                ecs_os_free(text);
                return NULL;
            }
            text = more;
        }
        count = ecs_os_fread(text + length, 1, size - length - 1, file);
        text[length += count] = '\0';
    } while (count);
    if (!ferror(file)) return text;
    ecs_os_free(text);
    return NULL;
}

FILE *ecs_os_open_file(const char *path, const char *mode) {
    const bool may_read = ecs_os_api.fread_ || *mode != 'r';
    if (ecs_os_api.fopen_ && ecs_os_api.fclose_ && may_read) return ecs_os_fopen(path, mode);
    ecs_err_code(ECS_MISSING_OS_API,
        "%s cannot be opened: ecs_os_api has no fopen_, fread_ or fclose_", path);
    return NULL;
}

char *ecs_os_read_file(const char *path) {
    FILE *file = ecs_os_open_file(path, "rb");
    char *text = file ? read_all(file) : NULL;
    if (file) ecs_os_fclose(file);
    return text;
}

const char *ecs_os_strerror(int err) { return strerror(err); }

static void log_text(int32_t level, const char *file, int32_t line, const char *msg) {
    ecs_log_(level, file, line, "%s", msg);
}

void ecs_os_dbg(const char *file, int32_t line, const char *msg) { log_text(1, file, line, msg); }

void ecs_os_trace(const char *file, int32_t line, const char *msg) { log_text(0, file, line, msg); }

void ecs_os_warn(const char *file, int32_t line, const char *msg) { log_text(-2, file, line, msg); }

void ecs_os_err(const char *file, int32_t line, const char *msg) { log_text(-3, file, line, msg); }

void ecs_os_fatal(const char *file, int32_t line, const char *msg) {
    log_text(-4, file, line, msg);
}

static bool has_function(bool is_there, const char *name) {
    if (!is_there) ecs_err_code(ECS_MISSING_OS_API, "ecs_os_api has no %s", name);
    return is_there;
}

void ecs_sleepf(double seconds) {
    if (seconds > 0 && has_function(ecs_os_api.sleep_ != NULL, "sleep_")) {
        int32_t whole = (int32_t)seconds;
        ecs_os_sleep(whole, (int32_t)((seconds - whole) * 1e9));
    }
}

ecs_time_t ecs_time_sub(ecs_time_t a, ecs_time_t b) {
    bool borrow = a.nanosec < b.nanosec;
    return (ecs_time_t){
        .sec = a.sec - b.sec - borrow,
        .nanosec = a.nanosec + (borrow ? 1000000000u : 0) - b.nanosec,
    };
}

double ecs_time_to_double(ecs_time_t t) { return t.sec + t.nanosec / 1e9; }

double ecs_time_measure(ecs_time_t *start) {
    ECS__GIVEN(start);
    if (!has_function(ecs_os_api.get_time_ != NULL, "get_time_")) return 0;
    ecs_time_t now;
    ecs_os_get_time(&now);
    ecs_time_t passed = ecs_time_sub(now, *start);
    *start = now;
    return ecs_time_to_double(passed);
}
