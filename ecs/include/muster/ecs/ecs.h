// SPDX-License-Identifier: MIT
// ecs: all of the entity database in one include.
#ifndef MUSTER_ECS_ECS_H
#define MUSTER_ECS_ECS_H

#include <muster/ecs/base.h>
#include <muster/ecs/builtin.h>
#include <muster/ecs/command.h>
#include <muster/ecs/component.h>
#include <muster/ecs/config.h>
#include <muster/ecs/entity.h>
#include <muster/ecs/hierarchy.h>
#include <muster/ecs/id.h>
#include <muster/ecs/iter.h>
#include <muster/ecs/log.h>
#include <muster/ecs/name.h>
#include <muster/ecs/observer.h>
#include <muster/ecs/os.h>
#include <muster/ecs/query.h>
#include <muster/ecs/relationship.h>
#include <muster/ecs/table.h>
#include <muster/ecs/world.h>
#include <muster/ecs/ds/map.h>
#include <muster/ecs/ds/sparse.h>
#include <muster/ecs/ds/strbuf.h>
#include <muster/ecs/ds/vec.h>
/* Macros over everything above. */
#include <muster/ecs/c_api.h>
/* Optional parts. */
#ifdef FLECS_META
#include <muster/ecs/cursor.h>
#include <muster/ecs/doc.h>
#include <muster/ecs/reflect.h>
#include <muster/ecs/value.h>
#endif
#ifdef FLECS_JSON
#include <muster/ecs/json.h>
#endif

#endif
