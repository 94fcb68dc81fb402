// SPDX-License-Identifier: MIT
// hash: one 64-bit hash of bytes and one mixer of integers.
//
// Results depend on the bytes and the seed alone, on every machine, so that they may decide an
// order or become part of a world's checksum.
#ifndef ECS_BASE_HASH_H
#define ECS_BASE_HASH_H

#include <muster/ecs/base.h>

/** Hash of `size` bytes. Every bit of the result depends on every bit of data and seed. */
uint64_t ecs__hash_bytes(const void *data, size_t size, uint64_t seed);

/** Bijective mix of an integer: close inputs get unrelated results. */
static inline uint64_t ecs__hash_u64(uint64_t value) {
    value ^= value >> 32;
    value *= 0xD6E8FEB86659FD93ull;
    value ^= value >> 32;
    value *= 0xD6E8FEB86659FD93ull;
    return value ^ (value >> 32);
}

#endif
