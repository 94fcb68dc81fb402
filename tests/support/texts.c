// SPDX-License-Identifier: MIT
// texts: see texts.h.
#include "support/texts.h"

bool texts_add(texts_t *texts, const char *text) {
    uint64_t hash = 0xCBF29CE484222325ull;
    for (; *text; text++) hash = (hash ^ (uint8_t)*text) * 0x100000001B3ull;
    if (!ecs_map_is_init(&texts->hashes)) ecs_map_init(&texts->hashes, NULL);
    if (ecs_map_get(&texts->hashes, hash)) return false;
    ecs_map_insert(&texts->hashes, hash, 1);
    return true;
}

int texts_fini(texts_t *texts) {
    int count = texts->hashes.count;
    ecs_map_fini(&texts->hashes);
    return count;
}
