// SPDX-License-Identifier: MIT
// iter_str: a result as text.
//
//   id:  Position,(Likes,Apples)
//   src: 0,Bob
//   set: true,true
//   var: food=Apples
//   this:
//       - e1
#include <muster/ecs/ds/strbuf.h>
#include <muster/ecs/name.h>
#include "world/state.h"

static void append_owned(ecs_strbuf_t *out, char *text) {
    ecs_strbuf_list_appendstr(out, text);
    ecs_os_free(text);
}

static void append_fields(const ecs_iter_t *it, ecs_strbuf_t *out) {
    ecs_strbuf_list_push(out, "id:  ", ",");
    for (int8_t f = 0; f < it->field_count; f++)
        append_owned(out, ecs_id_str(it->world, it->ids[f]));
    ecs_strbuf_list_pop(out, "\n");
    ecs_strbuf_list_push(out, "src: ", ",");
    for (int8_t f = 0; f < it->field_count; f++) {
        ecs_entity_t source = it->sources ? it->sources[f] : 0;
        if (source)
            append_owned(out, ecs_get_path(it->world, source));
        else
            ecs_strbuf_list_appendlit(out, "0");
    }
    ecs_strbuf_list_pop(out, "\n");
    ecs_strbuf_list_push(out, "set: ", ",");
    for (int8_t f = 0; f < it->field_count; f++) {
        ecs_strbuf_list_appendstr(out, it->set_fields >> f & 1 ? "true" : "false");
    }
    ecs_strbuf_list_pop(out, "\n");
}

// Variables with a name that stand for one entity.
static void append_vars(const ecs_iter_t *it, ecs_strbuf_t *out) {
    bool has_any = false;
    for (int32_t i = 1; i < ecs_iter_get_var_count(it); i++) {
        const char *name = ecs_iter_get_var_name(it, i);
        ecs_entity_t value = ecs_iter_get_var((ecs_iter_t *)(uintptr_t)it, i);
        if (!name || !value) continue;
        char *path = ecs_get_path(it->world, value);
        ecs_strbuf_append(out, "%s%s=%s", has_any ? "," : "var: ", name, path);
        ecs_os_free(path);
        has_any = true;
    }
    if (has_any) ecs_strbuf_appendch(out, '\n');
}

char *ecs_iter_str(const ecs_iter_t *it) {
    ECS__NEED_OR(it, NULL);
    if (!(it->flags & EcsIterIsValid)) return NULL;
    ecs_strbuf_t out = ECS_STRBUF_INIT;
    if (it->field_count) append_fields(it, &out);
    append_vars(it, &out);
    if (it->count) ecs_strbuf_appendlit(&out, "this:\n");
    for (int32_t i = 0; i < it->count; i++) {
        char *path = ecs_get_path(it->world, it->entities[i]);
        ecs_strbuf_append(&out, "    - %s\n", path);
        ecs_os_free(path);
    }
    return ecs_strbuf_get(&out);
}
