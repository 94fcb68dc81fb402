// SPDX-License-Identifier: MIT
// storage/plain_rows.c: values that move between tables, by the sizes of their columns.
#include "support/world.h"

#include "support/check.h"
#include "world/state.h"

enum { COMPONENTS = 4, ENTITIES = 40, LARGEST = 40 };

typedef struct {
    const char *about;
    ecs_size_t sizes[COMPONENTS];
} sizes_t;

static const sizes_t cases[] = {
    { "8 bytes each", { 8, 8, 8, 8 } },
    { "the first is smaller", { 4, 8, 8, 8 } },
    { "one between is larger", { 8, 8, 12, 8 } },
    { "the last is larger", { 8, 8, 8, 16 } },
    { "4 bytes each", { 4, 4, 4, 4 } },
    { "all kinds", { 1, 12, 40, 8 } },
};

static const char *value_of(ecs_entity_t entity, int component) {
    static char bytes[LARGEST];
    for (int i = 0; i < LARGEST; i++) bytes[i] = (char)(7 * (int)entity + 3 * i + 50 * component);
    return bytes;
}

static void add_and_set(
    ecs_world_t *world, ecs_entity_t entity, ecs_entity_t id, int component, ecs_size_t size) {
    static const char zeros[LARGEST];
    ecs_add_id(world, entity, id);
    if (memcmp(ecs_get_id(world, entity, id), zeros, (size_t)size))
        fail_msg("a value of %d bytes is not zero at first", (int)size);
    ecs_set_id(world, entity, id, (size_t)size, value_of(entity, component));
}

static void check_values(ecs_world_t *world, const ecs_entity_t *entities, const ecs_entity_t *ids,
    const sizes_t *sizes) {
    for (int e = 0; e < ENTITIES; e++) {
        for (int c = 0; c < COMPONENTS; c++) {
            const void *value = ecs_get_id(world, entities[e], ids[c]);
            if (value && memcmp(value, value_of(entities[e], c), (size_t)sizes->sizes[c]))
                fail_msg("%s: component %d of entity %d has changed", sizes->about, c, e);
        }
    }
}

// Each component comes and goes while the others stay, of entities at the front, in the middle and at the end of tables.
static void values_of_any_size_move_with_their_entities(void **state) {
    ecs_world_t *world = *state;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ecs_entity_t ids[COMPONENTS], entities[ENTITIES];
        for (int c = 0; c < COMPONENTS; c++) {
            ecs_size_t size = cases[k].sizes[c], alignment = size % 4 ? 1 : 4;
            ids[c] = ecs_component(world, { .type = { .size = size, .alignment = alignment } });
        }
        for (int e = 0; e < ENTITIES; e++) {
            entities[e] = ecs_new(world);
            for (int c = 0; c < COMPONENTS; c++)
                add_and_set(world, entities[e], ids[c], c, cases[k].sizes[c]);
        }
        for (int i = 0; i < 50 * ENTITIES; i++) {
            int e = i * 17 % ENTITIES, c = (i + i / ENTITIES) % COMPONENTS;
            if (ecs_has_id(world, entities[e], ids[c]))
                ecs_remove_id(world, entities[e], ids[c]);
            else
                add_and_set(world, entities[e], ids[c], c, cases[k].sizes[c]);
            check_values(world, entities, ids, &cases[k]);
        }
        assert_true(ecs__store_verify(&world->store));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        mini_world_test(values_of_any_size_move_with_their_entities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
