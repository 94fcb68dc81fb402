// SPDX-License-Identifier: MIT
// hide: memory that is kept although nobody uses it. Builds with the address sanitizer tell whoever touches it; others do nothing.
#ifndef ECS_BASE_HIDE_H
#define ECS_BASE_HIDE_H

#ifndef __has_feature
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define ECS__HIDE(at, size) ASAN_POISON_MEMORY_REGION(at, size)
#define ECS__SHOW(at, size) ASAN_UNPOISON_MEMORY_REGION(at, size)
#else
#define ECS__HIDE(at, size) ((void)(at), (void)(size))
#define ECS__SHOW(at, size) ((void)(at), (void)(size))
#endif

#endif
