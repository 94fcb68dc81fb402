// SPDX-License-Identifier: MIT
// os_posix: memory, threads, clocks and libraries of POSIX systems; the only user of pthreads in ecs.
//
// The functions are the defaults of the members of the same name in ecs_os_api_t; see os.h.
#ifndef ECS_BASE_OS_POSIX_H
#define ECS_BASE_OS_POSIX_H

#include <muster/ecs/os.h>

ecs_os_thread_t ecs__os_thread_new(ecs_os_thread_callback_t callback, void *arg);
void *ecs__os_thread_join(ecs_os_thread_t thread);
ecs_os_thread_id_t ecs__os_thread_self(void);
int32_t ecs__os_ainc(int32_t *value);
int32_t ecs__os_adec(int32_t *value);
int64_t ecs__os_lainc(int64_t *value);
int64_t ecs__os_ladec(int64_t *value);
ecs_os_mutex_t ecs__os_mutex_new(void);
void ecs__os_mutex_free(ecs_os_mutex_t mutex);
void ecs__os_mutex_lock(ecs_os_mutex_t mutex);
void ecs__os_mutex_unlock(ecs_os_mutex_t mutex);
ecs_os_cond_t ecs__os_cond_new(void);
void ecs__os_cond_free(ecs_os_cond_t cond);
void ecs__os_cond_signal(ecs_os_cond_t cond);
void ecs__os_cond_broadcast(ecs_os_cond_t cond);
void ecs__os_cond_wait(ecs_os_cond_t cond, ecs_os_mutex_t mutex);
void ecs__os_sleep(int32_t sec, int32_t nanosec);
uint64_t ecs__os_now(void);
void ecs__os_get_time(ecs_time_t *time_out);
ecs_os_dl_t ecs__os_dlopen(const char *libname);
ecs_os_proc_t ecs__os_dlproc(ecs_os_dl_t lib, const char *procname);
void ecs__os_dlclose(ecs_os_dl_t lib);
char *ecs__os_module_to_dl(const char *module_id);
char *ecs__os_module_to_etc(const char *module_id);

/** Addresses without memory, which cost nothing and must not be read. NULL if there are not so many. */
void *ecs__os_reserve(size_t size);
/** Memory, zeroed, for the first `size` bytes of what was reserved; what they hold already stays. False if there is none. */
bool ecs__os_commit(void *ptr, size_t size);
void ecs__os_release(void *ptr, size_t size);
/** Leak checkers look for addresses in what was reserved, from now on or no longer. */
void ecs__os_show_to_checkers(void *ptr, size_t size, bool is_shown);

/** Get the pages of a block at once, which costs a part of what their first touches do one by one. A hint. */
void ecs__os_touch(void *ptr, size_t size);
/** Ask for the huge pages that fit inside a block: fewer page faults and TLB misses. A hint. */
void ecs__os_advise_huge(void *ptr, size_t size);
/** Give them back until somebody writes to them; what is in them is lost, or not. A hint. */
void ecs__os_drop_huge(void *ptr, size_t size);

#endif
