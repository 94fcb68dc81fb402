// SPDX-License-Identifier: MIT
// names: the index behind lookups: a multi-map that follows identifiers and parents.
//
// See names.h for the picture. Nodes live in a pool and are addressed by position, so growing the
// pool moves no links.
#include "name/names.h"

#include "base/hash.h"
#include "world/state.h"

#define KIND_BITS 2
#define NONE (-1)

typedef struct ecs__name_node_t {
    char *text;          /* own copy; a free node keeps the room for the next one */
    uint64_t hash;       /* of kind, parent and text */
    ecs_entity_t entity; /* 0: the node is free */
    uint32_t parent;
    int32_t length, room; /* of the text */
    int32_t next;         /* in the bucket, or in the chain of free nodes */
    int32_t previous;     /* in the bucket */
    uint8_t kind;
    bool pending; /* no identifier has arrived for it yet */
} name_node_t;

// ---- The multi-map ----

void ecs__names_init(ecs__names_t *names) {
    *names = (ecs__names_t){ .free_node = NONE };
    ecs_map_init(&names->owners, NULL);
}

void ecs__names_fini(ecs__names_t *names) {
    for (int32_t i = 0; i < names->node_count; i++) ecs_os_free(names->nodes[i].text);
    ecs_os_free(names->nodes);
    ecs_os_free(names->buckets);
    ecs_map_fini(&names->owners);
    *names = (ecs__names_t){ .free_node = NONE };
}

void ecs__names_shrink(ecs__names_t *names) {
    for (int32_t i = names->free_node; i != NONE; i = names->nodes[i].next) {
        ecs_os_free(names->nodes[i].text);
        names->nodes[i].text = NULL;
        names->nodes[i].room = 0;
    }
}

static uint64_t hash_key(ecs__name_kind_t kind, uint32_t parent, const char *text, int32_t length) {
    return ecs__hash_bytes(text, (size_t)length, ((uint64_t)parent << KIND_BITS) | (uint64_t)kind);
}

static ecs_map_key_t owner_key(ecs_entity_t entity, ecs__name_kind_t kind) {
    return (entity << KIND_BITS) | (ecs_map_key_t)kind;
}

static int32_t *bucket_of(const ecs__names_t *names, uint64_t hash) {
    return &names->buckets[hash & (uint64_t)(names->bucket_count - 1)];
}

// In front: of equal keys the one that was named last is found.
static void link_node(ecs__names_t *names, int32_t index) {
    int32_t *bucket = bucket_of(names, names->nodes[index].hash);
    if (*bucket != NONE) names->nodes[*bucket].previous = index;
    names->nodes[index].next = *bucket;
    names->nodes[index].previous = NONE;
    *bucket = index;
}

static void unlink_node(ecs__names_t *names, const name_node_t *node) {
    if (node->next != NONE) names->nodes[node->next].previous = node->previous;
    if (node->previous != NONE)
        names->nodes[node->previous].next = node->next;
    else
        *bucket_of(names, node->hash) = node->next;
}

// From the end of each bucket, so that the order of equal keys stays.
static void grow_buckets(ecs__names_t *names) {
    int32_t *old = names->buckets, old_count = names->bucket_count;
    names->bucket_count = ECS_MAX(64, old_count * 2);
    names->buckets = ecs_os_malloc_n(int32_t, names->bucket_count);
    for (int32_t i = 0; i < names->bucket_count; i++) names->buckets[i] = NONE;
    for (int32_t i = 0; i < old_count; i++) {
        int32_t at = old[i];
        while (at != NONE && names->nodes[at].next != NONE) at = names->nodes[at].next;
        while (at != NONE) {
            const int32_t before = names->nodes[at].previous;
            link_node(names, at);
            at = before;
        }
    }
    ecs_os_free(old);
}

static int32_t take_node(ecs__names_t *names) {
    int32_t index = names->free_node;
    if (index != NONE) {
        names->free_node = names->nodes[index].next;
        return index;
    }
    if (names->node_count == names->node_size) {
        names->node_size = ECS_MAX(64, names->node_size * 2);
        names->nodes = ecs_os_realloc_n(names->nodes, name_node_t, names->node_size);
    }
    names->nodes[names->node_count] = (name_node_t){ 0 };
    return names->node_count++;
}

// In no bucket yet.
static int32_t add_node(ecs__names_t *names, ecs_entity_t entity, ecs__name_kind_t kind) {
    if (names->live >= names->bucket_count) grow_buckets(names);
    const int32_t index = take_node(names);
    names->nodes[index].entity = entity;
    names->nodes[index].kind = (uint8_t)kind;
    names->live++;
    names->aliases += kind == ECS__ALIAS;
    *ecs_map_ensure(&names->owners, owner_key(entity, kind)) = (ecs_map_val_t)index + 1;
    return index;
}

static void set_pending(ecs__names_t *names, name_node_t *node, bool pending) {
    names->pending += pending - node->pending;
    node->pending = pending;
}

static void remove_node(ecs__names_t *names, int32_t index) {
    name_node_t *node = &names->nodes[index];
    unlink_node(names, node);
    set_pending(names, node, false);
    ecs_map_remove(&names->owners, owner_key(node->entity, (ecs__name_kind_t)node->kind));
    names->live--;
    names->aliases -= node->kind == ECS__ALIAS;
    node->entity = 0;
    node->next = names->free_node;
    names->free_node = index;
}

// Position of an entity's node, or NONE.
static int32_t node_of(const ecs__names_t *names, ecs_entity_t entity, ecs__name_kind_t kind) {
    const ecs_map_val_t *value = ecs_map_get(&names->owners, owner_key(entity, kind));
    return value ? (int32_t)*value - 1 : NONE;
}

static void set_text(ecs__names_t *names, name_node_t *node, const char *text, int32_t length) {
    if (length >= node->room) {
        ecs_os_free(node->text);
        node->room = ECS_ALIGN(length + 1, 8);
        node->text = ecs_os_malloc(node->room);
    }
    memcpy(node->text, text, (size_t)length + 1);
    node->length = length;
    names->longest = ECS_MAX(names->longest, length);
}

static void file_name(ecs__names_t *names, ecs_entity_t entity, ecs__name_kind_t kind,
    uint32_t parent, const char *text, bool pending) {
    int32_t index = node_of(names, entity, kind);
    const bool is_new = index == NONE;
    if (!text) {
        if (!is_new) remove_node(names, index);
        return;
    }
    if (is_new) index = add_node(names, entity, kind);
    name_node_t *node = &names->nodes[index];
    const bool is_same = !is_new && !strcmp(node->text, text);
    if (is_same && node->parent == parent) {
        set_pending(names, node, node->pending && pending);
        return;
    }
    if (!is_new) unlink_node(names, node);
    if (!is_same) set_text(names, node, text, ecs_os_strlen(text));
    set_pending(names, node, pending);
    node->parent = parent;
    node->hash = hash_key(kind, parent, node->text, node->length);
    link_node(names, index);
}

static ecs_entity_t find(const ecs__names_t *names, ecs__name_kind_t kind, ecs_entity_t parent,
    const char *text, size_t length) {
    if (!names->live || length > (size_t)names->longest) return 0;
    if (kind == ECS__ALIAS && !names->aliases) return 0;
    uint64_t hash = hash_key(kind, (uint32_t)parent, text, (int32_t)length);
    for (int32_t i = *bucket_of(names, hash); i != NONE; i = names->nodes[i].next) {
        const name_node_t *node = &names->nodes[i];
        if (node->hash != hash || node->kind != kind || node->parent != (uint32_t)parent) continue;
        if (node->length == (int32_t)length && !memcmp(node->text, text, length))
            return node->entity;
    }
    return 0;
}

ecs_entity_t ecs__names_find(const ecs_world_t *poly, ecs__name_kind_t kind, ecs_entity_t parent,
    const char *text, size_t length) {
    return find(&ecs__world_of(poly)->names, kind, parent, text, length);
}

int32_t ecs__names_longest(const ecs_world_t *poly) {
    const ecs__names_t *noted = ecs__stage_of(poly)->queue->named;
    return ECS_MAX(ecs__world_of(poly)->names.longest, noted ? noted->longest : 0);
}

void ecs__names_each(const ecs_world_t *poly, ecs_entity_t parent,
    void (*visit)(void *ctx, ecs_entity_t entity, const char *name), void *ctx) {
    const ecs_world_t *world = ecs__world_of(poly);
    for (int32_t i = 0; i < world->names.node_count; i++) {
        const name_node_t *node = &world->names.nodes[i];
        if (!node->entity || node->kind != ECS__NAME || node->parent != (uint32_t)parent) continue;
        visit(ctx, node->entity, node->text);
    }
}

// ---- Following the world ----

ecs_id_t ecs__identifier_id(ecs__name_kind_t kind) {
    static const ecs_entity_t tags[] = { Ecs__Name, Ecs__Symbol, Ecs__Alias };
    return ECS__MAKE_PAIR(Ecs__Identifier, tags[kind]);
}

const EcsIdentifier *ecs__identifier_get(
    const ecs_world_t *poly, ecs_entity_t entity, ecs__name_kind_t kind) {
    const ecs_world_t *world = ecs__world_of(poly);
    const ecs__spot_t spot = ecs__entity_find(&world->store.entities, entity);
    if (!spot.table) return NULL;
    int32_t column = ecs__table_column(spot.table, ecs__identifier_id(kind));
    if (column == -1) return NULL;
    return ecs__table_cell(spot.table, column, spot.row);
}

ecs_entity_t ecs__name_scope(const ecs_world_t *poly, ecs_entity_t entity) {
    const ecs_world_t *world = ecs__world_of(poly);
    const ecs__spot_t spot = ecs__entity_find(&world->store.entities, entity);
    if (!spot.table || !(spot.table->flags & (EcsTableHasChildOf | EcsTableHasParent))) return 0;
    return ecs__parent_of(&world->store, entity);
}

void ecs__names_on_set(ecs_world_t *world, ecs_entity_t entity, ecs__name_kind_t kind,
    ecs_entity_t parent, const char *text) {
    file_name(&world->names, entity, kind, kind == ECS__NAME ? (uint32_t)parent : 0, text, false);
}

static ecs__names_t *noted_by(ecs_stage_t *stage) {
    ecs__names_t **noted = &stage->queue->named;
    if (!*noted) {
        *noted = ecs_os_malloc_t(ecs__names_t);
        ecs__names_init(*noted);
    }
    return *noted;
}

void ecs__names_announce(ecs_world_t *poly, ecs_entity_t entity, ecs__name_kind_t kind,
    ecs_entity_t parent, const char *text) {
    ecs_world_t *world = ecs__world_of(poly);
    ecs_stage_t *stage = ecs__stage_of(poly);
    bool is_alone = stage->id >= 0 && !(world->flags & EcsWorldMultiThreaded);
    ecs__names_t *names = is_alone ? &world->names : noted_by(stage);
    file_name(names, entity, kind, (uint32_t)parent, text, true);
}

ecs_entity_t ecs__names_noted(const ecs__names_t *noted, ecs__name_kind_t kind, ecs_entity_t parent,
    const char *text, size_t length) {
    return noted ? find(noted, kind, parent, text, length) : 0;
}

bool ecs__names_is_noted(const ecs__names_t *noted, ecs_entity_t entity, ecs__name_kind_t kind) {
    return noted && node_of(noted, entity, kind) != NONE;
}

ecs_entity_t ecs__names_double(
    const ecs_world_t *world, const ecs__names_t *noted, bool with_names, ecs__name_kind_t *out) {
    for (int32_t i = 0; noted && i < noted->node_count; i++) {
        const name_node_t *node = &noted->nodes[i];
        if (!node->entity || (!with_names && node->kind == ECS__NAME)) continue;
        *out = (ecs__name_kind_t)node->kind;
        ecs_entity_t found =
            ecs__names_find(world, *out, node->parent, node->text, (size_t)node->length);
        if (found && found != node->entity) return found;
    }
    return 0;
}

void ecs__names_forget_noted(ecs__names_t *noted) {
    if (!noted || !noted->live) return;
    for (int32_t i = 0; i < noted->node_count; i++) {
        name_node_t *node = &noted->nodes[i];
        node->entity = 0;
        node->pending = false;
        node->next = i + 1 < noted->node_count ? i + 1 : NONE;
    }
    for (int32_t i = 0; i < noted->bucket_count; i++) noted->buckets[i] = NONE;
    ecs_map_clear(&noted->owners);
    noted->live = noted->aliases = noted->pending = noted->longest = 0;
    noted->free_node = 0;
}

void ecs__names_drop_noted(ecs__names_t **noted) {
    if (!*noted) return;
    ecs__names_fini(*noted);
    ecs_os_free(*noted);
    *noted = NULL;
}

void ecs__names_on_reparent(ecs_world_t *world, ecs_entity_t entity) {
    ecs__names_on_set(world, entity, ECS__NAME, ecs__name_scope(world, entity),
        ecs__identifier_get(world, entity, ECS__NAME)->value);
}

void ecs__names_on_delete(ecs_world_t *world, ecs_entity_t entity) {
    if (!world->names.pending) return;
    for (int32_t kind = ECS__NAME; kind <= ECS__ALIAS; kind++) {
        int32_t node = node_of(&world->names, entity, (ecs__name_kind_t)kind);
        if (node != NONE) remove_node(&world->names, node);
    }
}

static bool is_any_queued(const ecs_world_t *world) {
    for (int32_t i = 0; i < world->stage_count; i++) {
        if (world->stages[i]->queue->count) return true;
    }
    return false;
}

void ecs__names_settle(ecs_world_t *world) {
    ecs__names_t *names = &world->names;
    if (!names->pending || is_any_queued(world)) return;
    for (int32_t i = 0; i < names->node_count; i++) {
        const name_node_t node = names->nodes[i];
        if (!node.entity || !node.pending) continue;
        ecs__name_kind_t kind = (ecs__name_kind_t)node.kind;
        const EcsIdentifier *given = ecs__identifier_get(world, node.entity, kind);
        ecs__names_on_set(world, node.entity, kind, ecs__name_scope(world, node.entity),
            given ? given->value : NULL);
    }
}

void ecs__names_yield(ecs_world_t *world, ecs_entity_t entity) {
    ecs__names_t *names = &world->names;
    const int32_t index = node_of(names, entity, ECS__NAME);
    if (index == NONE) return;
    const name_node_t *node = &names->nodes[index];
    unlink_node(names, node);
    const ecs_entity_t other =
        ecs__names_find(world, ECS__NAME, node->parent, node->text, (size_t)node->length);
    const int32_t found = other ? node_of(names, other, ECS__NAME) : NONE;
    link_node(names, index);
    if (found == NONE) return;
    unlink_node(names, &names->nodes[found]);
    link_node(names, found);
}

void ecs__names_rename(ecs_world_t *world, ecs_entity_t before, ecs_entity_t after) {
    ecs__names_t *names = &world->names;
    for (int32_t kind = ECS__NAME; kind <= ECS__ALIAS; kind++) {
        int32_t index = node_of(names, before, (ecs__name_kind_t)kind);
        if (index == NONE) continue;
        ecs_map_remove(&names->owners, owner_key(before, (ecs__name_kind_t)kind));
        ecs_map_insert(
            &names->owners, owner_key(after, (ecs__name_kind_t)kind), (ecs_map_val_t)index + 1);
        names->nodes[index].entity = after;
    }
}

// ---- Verify ----

static bool verify_node(const ecs_world_t *world, int32_t index) {
    const ecs__names_t *names = &world->names;
    const name_node_t *node = &names->nodes[index];
    ecs__name_kind_t kind = (ecs__name_kind_t)node->kind;
    if (!ecs__entity_is_alive(&world->store.entities, node->entity)) return false;
    if (node->hash != hash_key(kind, node->parent, node->text, node->length)) return false;
    if (node_of(names, node->entity, kind) != index) return false;
    const int32_t from =
        node->previous == NONE ? *bucket_of(names, node->hash) : names->nodes[node->previous].next;
    if (from != index || (node->next != NONE && names->nodes[node->next].previous != index))
        return false;
    const EcsIdentifier *identifier = ecs__identifier_get(world, node->entity, kind);
    if (!identifier || !identifier->value) return node->pending;
    return node->pending ||
           (!strcmp(identifier->value, node->text) &&
               node->parent ==
                   (kind == ECS__NAME ? (uint32_t)ecs__name_scope(world, node->entity) : 0));
}

bool ecs__names_verify(const ecs_world_t *poly) {
    const ecs_world_t *world = ecs__world_of(poly);
    int32_t live = 0, pending = 0, aliases = 0;
    for (int32_t i = 0; i < world->names.node_count; i++) {
        const name_node_t *node = &world->names.nodes[i];
        if (!node->entity) continue;
        if (!verify_node(world, i)) {
            ecs_err("the index has \"%s\" for entity %u, which is not what the entity says",
                node->text, (uint32_t)node->entity);
            return false;
        }
        live++;
        pending += node->pending;
        aliases += node->kind == ECS__ALIAS;
        if (node->length > world->names.longest) return false;
    }
    return live == world->names.live && aliases == world->names.aliases &&
           live == ecs_map_count(&world->names.owners) && pending == world->names.pending;
}
