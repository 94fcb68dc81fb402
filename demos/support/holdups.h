// SPDX-License-Identifier: MIT
// holdups: how often the machine takes a processor away unseen.
//
// A virtual machine's host, or firmware, may stop a processor for a millisecond. The kernel counts no
// switch then, but a thread that does nothing but look at the clock sees the gap.
#ifndef DEMO_HOLDUPS_H
#define DEMO_HOLDUPS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Let threads look at the clock for some seconds. How many gaps of at least `gap_s` seconds, in
 * which the kernel says nothing else ran, did they see together? */
int64_t holdups_count(int32_t threads, double seconds, double gap_s);

#ifdef __cplusplus
}
#endif
#endif
