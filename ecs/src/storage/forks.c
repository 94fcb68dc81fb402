// SPDX-License-Identifier: MIT
#include "storage/forks.h"

void ecs__forks_push(ecs__forks_t *forks, ecs__fork_t fork) {
    if (forks->count == forks->size) {
        ecs__fork_t *all = ecs_os_malloc_n(ecs__fork_t, forks->size *= 2);
        ecs_os_memcpy_n(all, forks->all, ecs__fork_t, forks->count);
        ecs__forks_fini(forks);
        forks->all = all;
    }
    forks->all[forks->count++] = fork;
}
