// SPDX-License-Identifier: MIT
// chunks: memory that is taken from the front of growing chunks, and given back all at once.
//
// Each chunk is half as large as what there is already: they are few. Larger ones are made of huge pages, since the first touch of a
// page costs more than what is done with most of it; so at most one huge page is in use for nothing. A zeroed ecs__chunks_t is valid. One thread.
#ifndef ECS_BASE_CHUNKS_H
#define ECS_BASE_CHUNKS_H

#include <muster/ecs/base.h>

typedef struct ecs__chunks_t {
    void *first;      /* chain; the first is being used up */
    char *next, *end; /* what is left of it */
    size_t total;     /* bytes of all chunks */
} ecs__chunks_t;

/** Begin a chunk of at least this size and alignment; what is left of the one before is lost. */
void ecs__chunks_add(ecs__chunks_t *chunks, size_t least, size_t align);
/** Uninitialised memory. All that is taken has sizes that are multiples of the alignment. */
static inline void *ecs__chunks_take(ecs__chunks_t *chunks, size_t size, size_t align) {
    if ((size_t)(chunks->end - chunks->next) < size) ecs__chunks_add(chunks, size, align);
    char *taken = chunks->next;
    chunks->next += size;
    return taken;
}
void ecs__chunks_fini(ecs__chunks_t *chunks);

#endif
