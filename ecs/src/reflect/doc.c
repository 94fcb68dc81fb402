// SPDX-License-Identifier: MIT
// doc: names and descriptions of entities for people.
#include <muster/ecs/doc.h>

#include "reflect/describe.h"

const ecs_entity_t ecs_id(EcsDocDescription) = 372;
const ecs_entity_t EcsDocBrief = 373;
const ecs_entity_t EcsDocDetail = 374;
const ecs_entity_t EcsDocLink = 375;
const ecs_entity_t EcsDocColor = 376;
const ecs_entity_t EcsDocUuid = 264;
static const ecs_entity_t doc_module = 262;

// ---- Set-up of a world ----

static void make(ecs_world_t *world, ecs_entity_t id, ecs_entity_t parent, const char *name) {
    ecs_make_alive(world, id);
    ecs_entity(world, { .id = id, .parent = parent, .name = name });
}

static bool is_imported(const ecs_world_t *world) {
    return ecs_is_alive(world, doc_module) && ecs_owns_id(world, doc_module, EcsModule);
}

void FlecsDocImport(ecs_world_t *world) {
    const ecs_entity_t ids[] = { ecs_id(EcsDocDescription), EcsDocBrief, EcsDocDetail, EcsDocLink,
        EcsDocColor, EcsDocUuid };
    if (is_imported(world) || !ecs__may_import(world, ids, sizeof ids / sizeof *ids)) return;
    FlecsMetaImport(world);
    if (!ecs_is_alive(world, ecs_id(EcsType))) return; /* refused */
    ecs__immediate_t state = ecs__immediate_begin(world);
    world = state.world;
    make(world, doc_module, EcsFlecs, "doc");
    ecs_add_id(world, doc_module, EcsModule);
    if (!is_imported(world)) goto end; /* new entities are being iterated */
    make(world, ecs_id(EcsDocDescription), doc_module, "Description");
    ecs_component(world, { .entity = ecs_id(EcsDocDescription),
                             .type = { .size = ECS_SIZEOF(EcsDocDescription),
                                 .alignment = (ecs_size_t)ECS_ALIGNOF(EcsDocDescription),
                                 .hooks = ecs__owned_text_hooks } });
    ecs_add_pair(world, ecs_id(EcsDocDescription), EcsOnInstantiate, EcsDontInherit);
    ecs_struct(world, { .entity = ecs_id(EcsDocDescription),
                          .members = { { .name = "value", .type = ecs_id(ecs_string_t) } } });
    make(world, EcsDocBrief, doc_module, "Brief");
    make(world, EcsDocDetail, doc_module, "Detail");
    make(world, EcsDocLink, doc_module, "Link");
    make(world, EcsDocColor, doc_module, "Color");
    make(world, EcsDocUuid, doc_module, "Uuid");
end:
    ecs__immediate_end(&state);
}

// ---- Texts of an entity ----

static void set(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t kind, const char *text) {
    if (text) {
        ecs_set_pair(world, entity, EcsDocDescription, kind, { ECS_CONST_CAST(char *, text) });
    } else {
        ecs_remove_pair(world, entity, ecs_id(EcsDocDescription), kind);
    }
}

static const char *get(const ecs_world_t *world, ecs_entity_t entity, ecs_entity_t kind) {
    const EcsDocDescription *text = ecs_get_pair(world, entity, EcsDocDescription, kind);
    return text ? text->value : NULL;
}

void ecs_doc_set_uuid(ecs_world_t *world, ecs_entity_t entity, const char *uuid) {
    set(world, entity, EcsDocUuid, uuid);
}
void ecs_doc_set_name(ecs_world_t *world, ecs_entity_t entity, const char *name) {
    set(world, entity, EcsName, name);
}
void ecs_doc_set_brief(ecs_world_t *world, ecs_entity_t entity, const char *brief) {
    set(world, entity, EcsDocBrief, brief);
}
void ecs_doc_set_detail(ecs_world_t *world, ecs_entity_t entity, const char *detail) {
    set(world, entity, EcsDocDetail, detail);
}
void ecs_doc_set_link(ecs_world_t *world, ecs_entity_t entity, const char *link) {
    set(world, entity, EcsDocLink, link);
}
void ecs_doc_set_color(ecs_world_t *world, ecs_entity_t entity, const char *color) {
    set(world, entity, EcsDocColor, color);
}

const char *ecs_doc_get_uuid(const ecs_world_t *world, ecs_entity_t entity) {
    return get(world, entity, EcsDocUuid);
}
const char *ecs_doc_get_name(const ecs_world_t *world, ecs_entity_t entity) {
    const char *name = get(world, entity, EcsName);
    return name ? name : ecs_get_name(world, entity);
}
const char *ecs_doc_get_brief(const ecs_world_t *world, ecs_entity_t entity) {
    return get(world, entity, EcsDocBrief);
}
const char *ecs_doc_get_detail(const ecs_world_t *world, ecs_entity_t entity) {
    return get(world, entity, EcsDocDetail);
}
const char *ecs_doc_get_link(const ecs_world_t *world, ecs_entity_t entity) {
    return get(world, entity, EcsDocLink);
}
const char *ecs_doc_get_color(const ecs_world_t *world, ecs_entity_t entity) {
    return get(world, entity, EcsDocColor);
}
