// SPDX-License-Identifier: MIT
// apart: functions kept out of line, so that the common path around their calls stays small. Unlike ECS_COLD ones they may run often.
#ifndef ECS_BASE_APART_H
#define ECS_BASE_APART_H

#if __has_attribute(noclone)
#define ECS__APART __attribute__((noinline, noclone))
#else
#define ECS__APART __attribute__((noinline))
#endif

#endif
