// SPDX-License-Identifier: MIT
// checksum: folds a world hash and what a demo measured into one number (FNV-1a, 64 bits).
#ifndef DEMO_CHECKSUM_H
#define DEMO_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CHECKSUM_START UINT64_C(0xcbf29ce484222325)

/** The checksum of what `sum` covers followed by these bytes. Hand in no padding. */
uint64_t checksum_add(uint64_t sum, const void *data, size_t size);

#ifdef __cplusplus
}
#endif
#endif
