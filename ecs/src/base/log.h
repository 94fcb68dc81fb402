// SPDX-License-Identifier: MIT
// log: where messages end up when nobody replaces ecs_os_api.log_.
#ifndef ECS_BASE_LOG_H
#define ECS_BASE_LOG_H

#include <muster/ecs/log.h>

/** Write one message as a line "level: [file: line: ]message" to log_out_, stderr or stdout. */
void ecs__log_write(int32_t level, const char *file, int32_t line, const char *msg);

#endif
