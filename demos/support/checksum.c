// SPDX-License-Identifier: MIT
// checksum: see checksum.h.
#include "checksum.h"

uint64_t checksum_add(uint64_t sum, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return sum;
}
