// SPDX-License-Identifier: MIT
// arena: reuse, alignment, order of release.
#include <pthread.h>

#include "support/test.h"

#include <muster/ecs/log.h>
#include "base/arena.h"

static int64_t allocation_count(void) {
    return ecs_os_api_malloc_count + ecs_os_api_calloc_count + ecs_os_api_realloc_count;
}

static void *ask_for_a_cursor(void *arena) { return ecs__arena_cursor(arena); }

static void *answer_of_another_thread(ecs__arena_t *arena) {
    pthread_t thread;
    void *answer;
    pthread_create(&thread, NULL, ask_for_a_cursor, arena);
    pthread_join(thread, &answer);
    return answer;
}

static void one_thread_at_a_time_has_cursors(void **state) {
    (void)state;
    ecs__arena_t arena = { 0 };
    ecs__arena_cursor_t *outer = ecs__arena_cursor(&arena), *inner = ecs__arena_cursor(&arena);
    ecs__arena_restore(&arena, inner);
    assert_null(answer_of_another_thread(&arena));
    ecs__arena_restore(&arena, outer);
    ecs__arena_cursor_t *other = answer_of_another_thread(&arena);
    assert_non_null(other);
    assert_null(ecs__arena_cursor(&arena));
    ecs__arena_restore(&arena, other);
    ecs__arena_fini(&arena);
}

static void arena_restores_in_reverse_order(void **state) {
    (void)state;
    ecs__arena_t arena = { 0 };
    ecs__arena_cursor_t *outer = ecs__arena_cursor(&arena);
    void *a = ecs__arena_push(&arena, 10);
    ecs__arena_cursor_t *inner = ecs__arena_cursor(&arena);
    void *b = ecs__arena_push(&arena, 100000); /* more than a page */
    assert_int_equal((uintptr_t)a % 16, 0);
    assert_int_equal((uintptr_t)b % 16, 0);
    ecs__arena_restore(&arena, inner);
    ecs__arena_cursor_t *again = ecs__arena_cursor(&arena);
    assert_ptr_equal(again, inner);
    ecs__arena_restore(&arena, again);
    ecs__arena_restore(&arena, outer);
    assert_null(arena.top);
    ecs__arena_fini(&arena);
}

static void arena_early_restore_waits_for_the_cursors_above(void **state) {
    (void)state;
    ecs__arena_t arena = { 0 };
    ecs__arena_cursor_t *outer = ecs__arena_cursor(&arena);
    ecs__arena_cursor_t *inner = ecs__arena_cursor(&arena);
    int *value = ecs__arena_push_t(&arena, int);
    *value = 42;
    ecs__arena_restore(&arena, outer);
    int *other = ecs__arena_push_t(&arena, int);
    *other = 7;
    assert_int_equal(*value, 42);
    ecs__arena_restore(&arena, inner);
    assert_null(arena.top);
    assert_null(arena.page);
    ecs__arena_fini(&arena);
}

// What a tick of nested iterators does.
static void use(ecs__arena_t *arena) {
    for (int i = 0; i < 3; i++) {
        ecs__arena_cursor_t *a = ecs__arena_cursor(arena);
        memset(ecs__arena_push(arena, 3000), 1, 3000);
        ecs__arena_cursor_t *b = ecs__arena_cursor(arena);
        memset(ecs__arena_push(arena, 9000), 2, 9000);
        memset(ecs__arena_push(arena, 2000), 3, 2000);
        ecs__arena_restore(arena, b);
        memset(ecs__arena_push(arena, 2500), 4, 2500);
        ecs__arena_restore(arena, a);
    }
}

static void arena_allocates_nothing_in_a_steady_state(void **state) {
    (void)state;
    ecs__arena_t arena = { 0 };
    use(&arena);
    use(&arena);
    int64_t before = allocation_count();
    for (int i = 0; i < 100; i++) {
        use(&arena);
    }
    assert_int_equal(allocation_count(), before);
    ecs__arena_fini(&arena);
}

#ifdef FLECS_DEBUG
static jmp_buf after_abort;

static void leave(void) { longjmp(after_abort, 1); }

static void arena_reports_what_was_not_returned(void **state) {
    (void)state;
    ecs_log_set_level(-5);
    ecs_os_api_abort_t previous = ecs_os_api.abort_;
    ecs_os_api.abort_ = leave;
    ecs__arena_t arena = { 0 };
    ecs__arena_cursor_t *cursor = ecs__arena_cursor(&arena);
    if (!setjmp(after_abort)) {
        ecs__arena_fini(&arena);
        fail();
    }
    assert_int_equal(ecs_log_last_error(), ECS_LEAK_DETECTED);
    ecs__arena_restore(&arena, cursor);
    ecs__arena_fini(&arena);
    ecs_os_api.abort_ = previous;
    ecs_log_set_level(-1);
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_at_a_time_has_cursors),
        cmocka_unit_test(arena_restores_in_reverse_order),
        cmocka_unit_test(arena_early_restore_waits_for_the_cursors_above),
        cmocka_unit_test(arena_allocates_nothing_in_a_steady_state),
#ifdef FLECS_DEBUG
        cmocka_unit_test(arena_reports_what_was_not_returned),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
