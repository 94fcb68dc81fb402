// SPDX-License-Identifier: MIT
// test: cmocka, with the headers that it needs before it.
#ifndef TEST_TEST_H
#define TEST_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
