// SPDX-License-Identifier: MIT
#include "base/kept.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "base/hide.h"

static size_t class_of(size_t size) { return size <= 24 ? 0 : (size - 9) / 16; }

// But for the chain, so that who looks for leaks finds what is kept.
static void hide(void **block, size_t size) { ECS__HIDE(block + 1, size - sizeof *block); }
static void show(void **block, size_t size) { ECS__SHOW(block + 1, size - sizeof *block); }

static size_t size_of(size_t class) { return 24 + 16 * class; }

static void *take_free(ecs__kept_t *kept, size_t class) {
    void *block = kept->free[class];
    if (!block) return NULL;
    kept->free[class] = *(void **)block;
    show(block, size_of(class));
    return block;
}

void *ecs__kept_take(ecs__kept_t *kept, size_t size) {
    const size_t class = class_of(size);
    if (class >= ECS__KEPT_SIZES) return ecs_os_malloc((ecs_size_t)size);
    void *block = take_free(kept, class);
    return block ? block : ecs_os_malloc((ecs_size_t)size_of(class));
}

void ecs__kept_give(ecs__kept_t *kept, void *block, size_t size) {
    const size_t class = class_of(size);
    if (!block || class >= ECS__KEPT_SIZES) {
        ecs_os_free(block);
        return;
    }
    *(void **)block = kept->free[class];
    kept->free[class] = block;
    hide(block, size_of(class));
}

void *ecs__kept_resize(ecs__kept_t *kept, void *block, size_t from, size_t to) {
    if (class_of(ECS_MIN(from, to)) >= ECS__KEPT_SIZES)
        return ecs_os_realloc(block, (ecs_size_t)to);
    void *other = ecs__kept_take(kept, to);
    if (block) memcpy(other, block, ECS_MIN(from, to));
    ecs__kept_give(kept, block, from);
    return other;
}

void ecs__kept_free(ecs__kept_t *kept) {
    for (size_t i = 0; i < ECS__KEPT_SIZES; i++) {
        for (void *block; (block = take_free(kept, i));) ecs_os_free(block);
    }
}
