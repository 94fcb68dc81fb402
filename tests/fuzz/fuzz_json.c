// SPDX-License-Identifier: MIT
// fuzz_json: any text as value, entity and world. What is read is written and read again with the same
// result; what is refused must leave no trace.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <muster.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static ecs_entity_t value_type;

static void fail(const char *what, const char *text) {
    fprintf(stderr, "%s: %s\n", what, text);
    abort();
}

static ecs_entity_t named(ecs_world_t *world, const char *name) {
    return ecs_entity(world, { .name = name });
}

// A type with parts of every kind.
static ecs_world_t *make_world(void) {
    ecs_world_t *world = ecs_init();
    ecs_log_set_level(-4);
    ecs_entity_t kind = ecs_enum(world,
        { .entity = named(world, "Kind"), .constants = { { .name = "A" }, { .name = "B" } } });
    ecs_entity_t bits = ecs_bitmask(world,
        { .entity = named(world, "Bits"), .constants = { { .name = "X" }, { .name = "Y" } } });
    ecs_entity_t list =
        ecs_vector(world, { .entity = named(world, "List"), .type = ecs_id(ecs_string_t) });
    ecs_entity_t map = ecs_map_type(
        world, { .entity = named(world, "Map"), .key_type = ecs_id(ecs_u8_t), .type = list });
    value_type = ecs_struct(world,
        { .entity = named(world, "T"),
            .members = { { .name = "b", .type = ecs_id(ecs_bool_t) },
                { .name = "c", .type = ecs_id(ecs_char_t) },
                { .name = "i", .type = ecs_id(ecs_i16_t), .count = 2 },
                { .name = "u", .type = ecs_id(ecs_u64_t) },
                { .name = "f", .type = ecs_id(ecs_f64_t) },
                { .name = "s", .type = ecs_id(ecs_string_t) }, { .name = "k", .type = kind },
                { .name = "m", .type = bits }, { .name = "e", .type = ecs_id(ecs_entity_t) },
                { .name = "id", .type = ecs_id(ecs_id_t) }, { .name = "l", .type = list },
                { .name = "map", .type = map }, { .name = "any", .type = ecs_id(ecs_value_t) } } });
    ecs_set_name(world, 0, "e");
    return world;
}

static void read_value(ecs_world_t *world, const char *text) {
    void *value = ecs_ptr_new(world, value_type), *again = ecs_ptr_new(world, value_type);
    if (ecs_ptr_from_json(world, value_type, value, text, NULL)) {
        char *written = ecs_ptr_to_json(world, value_type, value);
        if (written && !ecs_ptr_from_json(world, value_type, again, written, NULL))
            fail("what was written cannot be read", written);
        char *rewritten = ecs_ptr_to_json(world, value_type, again);
        if (written && (!rewritten || strcmp(written, rewritten) != 0))
            fail("the value changes when it is read again", written);
        ecs_os_free(rewritten);
        ecs_os_free(written);
    }
    ecs_ptr_free(world, value_type, value);
    ecs_ptr_free(world, value_type, again);
}

static void read_entities(ecs_world_t *world, const char *text) {
    ecs_entity_t entity = ecs_new(world);
    uint64_t before = ecs_world_hash(world);
    bool is_read = ecs_entity_from_json(world, entity, text, NULL) != NULL;
    if (!is_read && ecs_world_hash(world) != before) fail("the world has changed", text);
    if (is_read) ecs_os_free(ecs_entity_to_json(world, entity, NULL));
    before = ecs_world_hash(world);
    is_read = ecs_world_from_json(world, text, NULL) != NULL;
    if (!is_read && ecs_world_hash(world) != before) fail("the world has changed", text);
    if (is_read) ecs_os_free(ecs_world_to_json(world, NULL));
    if (!ecs_world_verify(world)) fail("the world is broken", text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static ecs_world_t *of_values;
    if (!of_values) of_values = make_world();
    char *text = malloc(size + 1);
    if (!text) return 0;
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    read_value(of_values, text);
    /* Entities of the text may be parents, prefabs and components: each has a world of its own. */
    ecs_world_t *world = make_world();
    read_entities(world, text);
    ecs_fini(world);
    free(text);
    return 0;
}
