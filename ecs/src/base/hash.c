// SPDX-License-Identifier: MIT
// hash: hash of bytes, built from 64 x 64 -> 128 bit products whose halves are folded together.
//
// Sixteen bytes per step; a tail is read so that it overlaps what came before. Byte order of the
// machine does not matter: words are read as little endian.
#include "base/hash.h"

#define KEY_0 0xA0761D6478BD642Full
#define KEY_1 0xE7037ED1A0B428DBull
#define KEY_2 0x8EBC6AF09C88C6E3ull

static uint64_t fold(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    uint64_t a_lo = (uint32_t)a, a_hi = a >> 32, b_lo = (uint32_t)b, b_hi = b >> 32;
    uint64_t lo = a_lo * b_lo, mid = a_hi * b_lo + (lo >> 32), mid2 = a_lo * b_hi + (uint32_t)mid;
    return ((mid2 << 32) | (uint32_t)lo) ^ (a_hi * b_hi + (mid >> 32) + (mid2 >> 32));
#endif
}

static uint64_t read_64(const unsigned char *p) {
    uint64_t word;
    memcpy(&word, p, sizeof(word));
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static uint64_t read_32(const unsigned char *p) {
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24;
}

uint64_t ecs__hash_bytes(const void *data, size_t size, uint64_t seed) {
    const unsigned char *p = data;
    uint64_t hash = seed ^ fold(seed ^ KEY_0, KEY_1);
    uint64_t a = 0, b = 0;
    size_t left = size;
    for (; left > 16; left -= 16, p += 16) {
        hash = fold(read_64(p) ^ KEY_1, read_64(p + 8) ^ hash);
    }
    if (left >= 8) {
        a = read_64(p);
        b = read_64(p + left - 8);
    } else if (left >= 4) {
        a = read_32(p);
        b = read_32(p + left - 4);
    } else if (left) {
        a = (uint64_t)p[0] << 16 | (uint64_t)p[left >> 1] << 8 | p[left - 1];
    }
    return fold(KEY_2 ^ size, fold(a ^ KEY_1, b ^ hash) ^ KEY_0);
}
