// SPDX-License-Identifier: MIT
#include "base/chunks.h"

#include <muster/ecs/os.h>

#include "base/os_posix.h"

#define HUGE_PAGE ((size_t)2 << 20)
#define LAST_CHUNK ((size_t)16 << 20)

// A chunk begins with a pointer to the one before it.
void ecs__chunks_add(ecs__chunks_t *chunks, size_t least, size_t align) {
    bool is_huge = chunks->total >= HUGE_PAGE;
    if (is_huge) align = HUGE_PAGE;
    size_t size = ECS_MAX(ECS_MIN(chunks->total / 2, LAST_CHUNK), least);
    size = ECS_ALIGN(size, align);
    char *base = ecs_os_malloc((ecs_size_t)(sizeof(void *) + align + size));
    *(void **)(void *)base = chunks->first;
    chunks->first = base;
    chunks->next = (char *)ECS_ALIGN((uintptr_t)base + sizeof(void *), align);
    chunks->end = chunks->next + size;
    chunks->total += size;
    if (is_huge) ecs__os_advise_huge(chunks->next, size);
}

void ecs__chunks_fini(ecs__chunks_t *chunks) {
    for (void *chunk = chunks->first, *next; chunk; chunk = next) {
        next = *(void **)chunk;
        ecs_os_free(chunk);
    }
    ecs_os_zeromem(chunks);
}
