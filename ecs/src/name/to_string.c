// SPDX-License-Identifier: MIT
// to_string: text of ids, types, tables and entities.
#include "name/lookup.h"
#include "world/state.h"

// An element of a pair, or a whole id without flags: generation restored, then its path.
static void append_element(const ecs_world_t *world, ecs_entity_t element, ecs_strbuf_t *buf) {
    ecs_entity_t alive = ecs__alive_entity(world, element);
    ecs_get_path_w_sep_buf(world, 0, alive ? alive : element, NULL, NULL, buf, false);
}

void ecs_id_str_buf(const ecs_world_t *world, ecs_id_t id, ecs_strbuf_t *buf) {
    ECS__NEED(buf);
    bool is_pair = (id & ECS__PAIR) != 0;
    if (id & ECS__AUTO_OVERRIDE) ecs_strbuf_appendlit(buf, "AUTO_OVERRIDE|");
    if (id & ECS__TOGGLE) ecs_strbuf_appendlit(buf, "TOGGLE|");
    if (!is_pair) {
        if (ecs__id_list(id))
            ecs_strbuf_appendstr(buf, ecs__id_list(id) == ECS__OR ? "OR|" : "AND|");
        append_element(world, ecs__id_bare(id), buf);
        return;
    }
    ecs_strbuf_appendch(buf, '(');
    append_element(world, ecs__id_first(id), buf);
    ecs_strbuf_appendch(buf, ',');
    if ((id & ECS__VALUE_PAIR) == ECS__VALUE_PAIR) {
        ecs_strbuf_append(buf, "@%u", ecs__id_second(id));
    } else {
        append_element(world, ecs__id_second(id), buf);
    }
    ecs_strbuf_appendch(buf, ')');
}

char *ecs_id_str(const ecs_world_t *world, ecs_id_t id) {
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    ecs_id_str_buf(world, id, &buf);
    return ecs_strbuf_get(&buf);
}

static void append_type(const ecs_world_t *world, const ecs_type_t *type, ecs_strbuf_t *buf) {
    for (int32_t i = 0; type && i < type->count; i++) {
        if (i) ecs_strbuf_appendlit(buf, ", ");
        ecs_id_str_buf(world, type->array[i], buf);
    }
}

char *ecs_type_str(const ecs_world_t *world, const ecs_type_t *type) {
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    append_type(world, type, &buf);
    char *text = ecs_strbuf_get(&buf);
    return text ? text : ecs_os_strdup("");
}

char *ecs_table_str(const ecs_world_t *world, const ecs_table_t *table) {
    return table ? ecs_type_str(world, &table->type) : NULL;
}

char *ecs_entity_str(const ecs_world_t *world, ecs_entity_t entity) {
    ecs_strbuf_t buf = ECS_STRBUF_INIT;
    append_element(world, entity, &buf);
    const ecs__spot_t spot = ecs__spot_of(world, entity);
    ecs_strbuf_appendlit(&buf, " [");
    append_type(world, spot.table ? &spot.table->type : NULL, &buf);
    ecs_strbuf_appendch(&buf, ']');
    return ecs_strbuf_get(&buf);
}
