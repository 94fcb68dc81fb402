// SPDX-License-Identifier: MIT
// json_value: values from JSON, in the middle of a text.
#ifndef ECS_SERIALIZE_JSON_VALUE_H
#define ECS_SERIALIZE_JSON_VALUE_H

#include <muster/ecs/cursor.h>

#include "serialize/json_read.h"

/** Read a value to where the cursor is. */
bool ecs__json_value(ecs__json_t *json, ecs_meta_cursor_t *cursor);

#endif
