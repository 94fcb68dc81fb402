// SPDX-License-Identifier: MIT
// os: counters, the replaceable table, threads, time, out of memory.
#include "support/test.h"

#include <muster/ecs/log.h>
#include <stdlib.h>
#include "base/atomics.h"
#include "base/os_posix.h"
#include "support/memory.h"

static int setup(void **state) {
    (void)state;
    ecs_os_set_api_defaults();
    return 0;
}

static void a_backtrace_goes_to_a_file(void **state) {
    (void)state;
    FILE *file = tmpfile();
    flecs_dump_backtrace(file);
    assert_true(fseek(file, 0, SEEK_END) == 0 && ftell(file) >= 0);
    fclose(file);
}

static void os_counts_every_allocation(void **state) {
    (void)state;
    int64_t mallocs = ecs_os_api_malloc_count, reallocs = ecs_os_api_realloc_count;
    int64_t callocs = ecs_os_api_calloc_count, frees = ecs_os_api_free_count;
    int *a = ecs_os_malloc_t(int);
    int *b = ecs_os_calloc_n(int, 10);
    assert_int_equal(b[9], 0);
    b = ecs_os_realloc_n(b, int, 20);
    void *c = ecs_os_realloc(NULL, 5); /* counts as malloc */
    char *d = ecs_os_strdup("text");
    int *e = ecs_os_memdup_n(b, int, 3);
    void *f = ecs_os_malloc(0);
    assert_non_null(f);
    ecs_os_strset(&d, "other");
    assert_string_equal(d, "other");
    assert_int_equal(ecs_os_api_malloc_count - mallocs, 6);
    assert_int_equal(ecs_os_api_realloc_count - reallocs, 1);
    assert_int_equal(ecs_os_api_calloc_count - callocs, 1);
    ecs_os_free(a);
    ecs_os_free(b);
    ecs_os_free(c);
    ecs_os_free(e);
    ecs_os_free(f);
    ecs_os_free(NULL);
    ecs_os_strset(&d, NULL);
    assert_null(d);
    assert_int_equal(ecs_os_api_free_count - frees, 7);
    assert_null(ecs_os_strdup(NULL));
    assert_null(ecs_os_memdup(NULL, 4));
}

static int malloc_calls;

static void *my_malloc(ecs_size_t size) {
    malloc_calls++;
    return malloc((size_t)size);
}

static int init_calls, fini_calls;

static void my_init(void) { init_calls++; }

static void my_fini(void) { fini_calls++; }

static void os_table_can_be_replaced_until_it_is_in_use(void **state) {
    (void)state;
    ecs_os_api_t api = ecs_os_get_api();
    api.malloc_ = my_malloc;
    api.init_ = my_init;
    api.fini_ = my_fini;
    ecs_os_set_api(&api);
    ecs_os_free(ecs_os_malloc(4));
    assert_int_equal(malloc_calls, 1);
    ecs_os_init();
    ecs_os_init();
    assert_int_equal(init_calls, 1);
    api.malloc_ = NULL;
    ecs_os_set_api(&api);
    ecs_os_set_api_defaults();
    assert_ptr_equal(ecs_os_api.malloc_, my_malloc);
    ecs_os_fini();
    assert_int_equal(fini_calls, 0);
    ecs_os_fini();
    assert_int_equal(fini_calls, 1);
    ecs_os_set_api_defaults();
    assert_ptr_not_equal(ecs_os_api.malloc_, my_malloc);
    assert_null(ecs_os_api.init_);
}

static void os_impl_restores_threads_and_leaves_the_heap(void **state) {
    (void)state;
    ecs_os_api.malloc_ = my_malloc;
    ecs_os_api.mutex_new_ = NULL;
    ecs_os_api.dlopen_ = NULL;
    assert_false(ecs_os_has_threading());
    assert_false(ecs_os_has_dl());
    ecs_set_os_api_impl();
    assert_true(ecs_os_has_threading() && ecs_os_has_dl() && ecs_os_has_heap());
    assert_true(ecs_os_has_time() && ecs_os_has_logging() && ecs_os_has_task_support());
    assert_true(ecs_os_has_modules());
    assert_ptr_equal(ecs_os_api.malloc_, my_malloc);
}

static ecs_os_mutex_t mutex;
static ecs_os_cond_t cond;
static int32_t atomic_count;
static int64_t atomic_count_64;
static int32_t guarded_count;

static void *count_up(void *arg) {
    for (int i = 0; i < 10000; i++) {
        ecs_os_ainc(&atomic_count);
        ecs_os_lainc(&atomic_count_64);
    }
    ecs_os_mutex_lock(mutex);
    guarded_count++;
    ecs_os_cond_signal(cond);
    ecs_os_mutex_unlock(mutex);
    return arg;
}

static void os_threads_share_atomics_mutexes_and_conditions(void **state) {
    (void)state;
    mutex = ecs_os_mutex_new();
    cond = ecs_os_cond_new();
    ecs_os_thread_t threads[4];
    int args[4];
    for (int i = 0; i < 4; i++) {
        threads[i] = ecs_os_thread_new(count_up, &args[i]);
        assert_int_not_equal(threads[i], 0);
    }
    ecs_os_mutex_lock(mutex);
    while (guarded_count < 4) {
        ecs_os_cond_wait(cond, mutex);
    }
    ecs_os_mutex_unlock(mutex);
    for (int i = 0; i < 4; i++) {
        assert_ptr_equal(ecs_os_thread_join(threads[i]), &args[i]);
    }
    assert_int_equal(atomic_count, 40000);
    assert_int_equal(atomic_count_64, 40000);
    assert_int_equal(ecs_os_adec(&atomic_count), 39999);
    assert_int_equal(ecs_os_ladec(&atomic_count_64), 39999);
    ecs_os_cond_broadcast(cond);
    ecs_os_cond_free(cond);
    ecs_os_mutex_free(mutex);
}

static uint32_t word_32;
static uint64_t word_64;
static void *word_ptr;

static void os_without_log_is_silent(void **state) {
    (void)state;
    ecs_os_api.log_ = NULL;
    ecs_os_init();
    assert_false(ecs_os_has_logging());
    ecs_err_code(ECS_INVALID_PARAMETER, "nobody reads this");
    assert_int_equal(ecs_log_last_error(), ECS_INVALID_PARAMETER);
    ecs_os_fini();
}

static void *race(void *arg) {
    for (int i = 0; i < 10000; i++) {
        ecs__add_32(&word_32, 1);
        ecs__faa_64(&word_64, 2);
        for (void *old = ecs__load_ptr(&word_ptr);
             !ecs__cas_ptr(&word_ptr, old, (void *)((uintptr_t)old + 1));
             old = ecs__load_ptr(&word_ptr)) {
            ecs__stall();
        }
    }
    return arg;
}

static void os_atomics_lose_nothing(void **state) {
    (void)state;
    ecs_os_thread_t other = ecs_os_task_new(race, NULL);
    race(NULL);
    ecs_os_task_join(other);
    assert_int_equal(ecs__load_32(&word_32), 20000);
    assert_int_equal(ecs__load_64(&word_64), 40000);
    assert_int_equal((uintptr_t)word_ptr, 20000);
    assert_false(ecs__cas_32(&word_32, 1, 2));
    assert_true(ecs__cas_32(&word_32, 20000, 2));
    assert_true(ecs__cas_64(&word_64, 40000, 3));
    ecs__store_32(&word_32, 7);
    ecs__store_64(&word_64, 8);
    ecs__store_ptr(&word_ptr, NULL);
    ecs__fence_acquire();
    ecs__fence_release();
    assert_int_equal(ecs__faa_32(&word_32, 1), 7);
    assert_int_equal(word_64, 8);
    assert_null(word_ptr);
}

static void os_time_advances(void **state) {
    (void)state;
    ecs_time_t start;
    ecs_os_get_time(&start);
    uint64_t now = ecs_os_now();
    ecs_sleepf(0.002);
    ecs_sleepf(-1);
    ecs_os_sleep(0, 1000);
    assert_true(ecs_os_now() - now >= 2000000);
    double seconds = ecs_time_measure(&start);
    assert_true(seconds >= 0.002 && seconds < 10);
    ecs_time_t a = { 5, 100 }, b = { 3, 200 };
    ecs_time_t diff = ecs_time_sub(a, b);
    assert_int_equal(diff.sec, 1);
    assert_int_equal(diff.nanosec, 999999900);
    assert_true(ecs_time_to_double((ecs_time_t){ 2, 500000000 }) == 2.5);
}

static void os_module_ids_become_paths(void **state) {
    (void)state;
    char *dl = ecs_os_module_to_dl("my.module"), *etc = ecs_os_module_to_etc("my.module");
    assert_non_null(strstr(dl, "libmy_module."));
    assert_string_equal(etc, "my-module/etc");
    ecs_os_free(dl);
    ecs_os_free(etc);
    assert_int_equal(ecs_os_dlopen("/does/not/exist.so"), 0);
    ecs_os_dl_t self = ecs_os_dlopen(NULL);
    assert_int_not_equal(self, 0);
    assert_null(ecs_os_dlproc(self, "there_is_no_such_symbol"));
    ecs_os_dlclose(self);
}

static jmp_buf after_abort;

static void leave(void) { longjmp(after_abort, 1); }

static void *no_memory(ecs_size_t size) {
    (void)size;
    return NULL;
}

static void os_out_of_memory_ends_in_the_abort_hook(void **state) {
    (void)state;
    int previous = ecs_log_set_level(-4);
    ecs_os_api.abort_ = leave;
    ecs_os_api.malloc_ = no_memory;
    assert_null(ecs_os_try_malloc(8));
    if (!setjmp(after_abort)) {
        void *ptr = ecs_os_malloc(8);
        ecs_os_free(ptr);
        fail();
    }
    assert_int_equal(ecs_log_last_error(), ECS_OUT_OF_MEMORY);
    ecs_log_set_level(previous);
}

// More than sizes can say is no small block.
static void os_out_of_memory_is_also_what_exceeds_the_limit(void **state) {
    (void)state;
    int32_t *volatile kept = ecs_os_malloc_n(int32_t, 4);
    int previous = ecs_log_set_level(-4);
    ecs_os_api.abort_ = leave;
    kept[3] = 3;
    for (volatile int i = 0; i < 3; i++) {
        ecs_log_last_error();
        if (setjmp(after_abort)) {
            assert_int_equal(ecs_log_last_error(), ECS_OUT_OF_MEMORY);
            continue;
        }
        if (i == 0) ecs_os_free(ecs_os_malloc_n(int64_t, 1 << 30));
        if (i == 1) ecs_os_free(ecs_os_calloc_n(int32_t, 1 << 29));
        if (i == 2) kept = ecs_os_realloc_n(kept, int32_t, 1 << 30);
        fail();
    }
    assert_int_equal(kept[3], 3);
    ecs_os_free(kept);
    ecs_log_set_level(previous);
}

static char *no_copy(const char *str) {
    (void)str;
    return NULL;
}

static void os_strdup_that_fails_is_out_of_memory(void **state) {
    (void)state;
    int previous = ecs_log_set_level(-4);
    ecs_os_api.abort_ = leave;
    ecs_os_api.strdup_ = no_copy;
    assert_null(ecs_os_strdup(NULL));
    if (!setjmp(after_abort)) {
        ecs_os_free(ecs_os_strdup("text"));
        fail();
    }
    assert_int_equal(ecs_log_last_error(), ECS_OUT_OF_MEMORY);
    ecs_log_set_level(previous);
}

static void os_huge_pages_are_a_harmless_hint(void **state) {
    (void)state;
    ecs_size_t size = 9 * 1024 * 1024;
    char *ptr = ecs_os_malloc(size);
    ecs__os_advise_huge(ptr, (size_t)size);
    memset(ptr, 1, (size_t)size);
    ecs__os_advise_huge(ptr, 100);
    assert_int_equal(ptr[size - 1], 1);
    ecs__os_drop_huge(ptr, 100);
    ecs__os_drop_huge(ptr + 100, (size_t)size - 200);
    for (int i = 0; i < 100; i++) assert_int_equal(ptr[i] + ptr[size - 1 - i], 2);
    memset(ptr, 3, (size_t)size);
    assert_int_equal(ptr[size / 2], 3);
    ecs_os_free(ptr);
}

static void os_reserved_addresses_get_memory_from_the_front(void **state) {
    (void)state;
    size_t size = (size_t)4 << 30, part = 1 << 20;
    assert_null(ecs__os_reserve(SIZE_MAX / 2));
    char *ptr = ecs__os_reserve(size);
    assert_non_null(ptr);
    assert_true(ecs__os_commit(ptr, part));
    memset(ptr, 1, part);
    assert_true(ecs__os_commit(ptr, 2 * part));
    for (size_t i = 0; i < part; i++) assert_int_equal(ptr[i] - ptr[part + i], 1);
    ecs__os_release(ptr, size);
}

static void read_large_file(void *ctx, bool will_fail) {
    char *text = ecs_os_read_file(ctx);
    assert_true(!text == will_fail);
    if (text) assert_int_equal(strlen(text), 10000);
    ecs_os_free(text);
}

static void os_reads_files(void **state) {
    (void)state;
    char path[] = "test_os_file";
    for (int size = 0; size <= 10000; size += size < 4094 || size > 4096 ? 4094 : 1) {
        FILE *file = fopen(path, "wb");
        for (int i = 0; i < size; i++) fputc('a' + i % 7, file);
        fclose(file);
        char *text = ecs_os_read_file(path);
        assert_int_equal(strlen(text), size);
        for (int i = 0; i < size; i++) assert_int_equal(text[i], 'a' + i % 7);
        ecs_os_free(text);
    }
    FILE *file = fopen(path, "wb");
    for (int i = 0; i < 10000; i++) fputc(' ', file);
    fclose(file);
    assert_int_equal(memory_fault_sweep(read_large_file, path, 10), 3);
    remove(path);
    assert_null(ecs_os_read_file(path));
    assert_null(ecs_os_read_file("."));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_backtrace_goes_to_a_file, setup),
        cmocka_unit_test_setup(os_counts_every_allocation, setup),
        cmocka_unit_test_setup(os_table_can_be_replaced_until_it_is_in_use, setup),
        cmocka_unit_test_setup(os_impl_restores_threads_and_leaves_the_heap, setup),
        cmocka_unit_test_setup(os_threads_share_atomics_mutexes_and_conditions, setup),
        cmocka_unit_test_setup(os_without_log_is_silent, setup),
        cmocka_unit_test_setup(os_atomics_lose_nothing, setup),
        cmocka_unit_test_setup(os_time_advances, setup),
        cmocka_unit_test_setup(os_module_ids_become_paths, setup),
        cmocka_unit_test_setup(os_out_of_memory_ends_in_the_abort_hook, setup),
        cmocka_unit_test_setup(os_out_of_memory_is_also_what_exceeds_the_limit, setup),
        cmocka_unit_test_setup(os_strdup_that_fails_is_out_of_memory, setup),
        cmocka_unit_test_setup(os_huge_pages_are_a_harmless_hint, setup),
        cmocka_unit_test_setup(os_reserved_addresses_get_memory_from_the_front, setup),
        cmocka_unit_test_setup(os_reads_files, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
