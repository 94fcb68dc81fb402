// SPDX-License-Identifier: MIT
// vocabulary: every macro for users once, for check_headers, which compiles this as C and as C++ with all warnings.
#include <muster.h>

typedef struct {
    float x, y;
} Position;

#undef ECS_META_IMPL
#define ECS_META_IMPL EXTERN
ECS_STRUCT(Elsewhere, { float x; });
#undef ECS_META_IMPL // as in a header that is included by those who define it
ECS_STRUCT(Here, {
    float x;
    ecs_vec(float) list;
    ecs_map(int32_t, float) map;
    ECS_PRIVATE void *rest;
});
ECS_ENUM(Mood, { Happy, Sad });
ECS_BITMASK(Toppings, { Bacon = 1, Lettuce = 2 });

extern ECS_COMPONENT_DECLARE(Position); // as in a header
extern ECS_TAG_DECLARE(Tag);
extern ECS_QUERY_DECLARE(Things);
extern ECS_SYSTEM_DECLARE(Move);
extern ECS_OBSERVER_DECLARE(Heard);
extern ECS_PIPELINE_DECLARE(Pipe);
ECS_COMPONENT_DECLARE(Position);
ECS_TAG_DECLARE(Tag);
ECS_ENTITY_DECLARE(Bob);
ECS_PREFAB_DECLARE(Tree);
ECS_QUERY_DECLARE(Things);
ECS_SYSTEM_DECLARE(Move);
ECS_OBSERVER_DECLARE(Heard);
ECS_PIPELINE_DECLARE(Pipe);

void Move(ecs_iter_t *it);
void Move(ecs_iter_t *it) {
    ecs_field(it, Position, 0)->x = it->delta_time;
    ecs_field_self(it, Position, 0)->y = ecs_field_at(it, Position, 1, 0)->y;
}
void Heard(ecs_iter_t *it);
void Heard(ecs_iter_t *it) { (void)it; }
void ToolsImport(ecs_world_t *world);
void ToolsImport(ecs_world_t *world) {
    ECS_MODULE(world, Tools);
    ECS_META_COMPONENT(world, Here);
    ECS_META_COMPONENT(world, Mood);
    ECS_META_COMPONENT(world, Toppings);
}

ECS_CTOR(Position, p, { p->x = 0; })
ECS_DTOR(Position, p, { p->x = 0; })
ECS_COPY(Position, dst, src, { dst->x = src->x; })
ECS_MOVE(Position, dst, src, { dst->x = src->x; })
ECS_ON_ADD(Position, p, { p->x = 0; })
ECS_ON_SET(Position, p, { p->x = 0; })
ECS_ON_REMOVE(Position, p, { p->x = 0; })
ECS_COMPARE(Position, { return (ptr1->x > ptr2->x) - (ptr1->x < ptr2->x); })
ECS_SORT_TABLE(Position, extern)

// Containers and memory.
void contain(void);
void contain(void) {
    ecs_vec_t vec;
    ecs_map_t map;
    ecs_vec_init_t(NULL, &vec, Position, 1);
    ecs_vec_append_t(NULL, &vec, Position)->x = 1;
    ecs_vec_get_t(&vec, Position, 0)->y = ecs_vec_last_t(&vec, Position)->x;
    Position *first = ecs_vec_first_t(&vec, Position), *same = ECS_ELEM_T(first, Position, 0);
    ecs_map_init(&map, NULL);
    ecs_map_insert_ptr(&map, 1, first);
    ecs_map_insert_ptr(&map, 3, NULL);
    ecs_map_ensure_alloc_t(&map, Position, 2)->x = (*ecs_map_get_ref(&map, Position, 1))->y;
    ecs_map_get_deref(&map, Position, 2)->x = same->x;
    ecs_map_iter_t it = ecs_map_iter(&map);
    while (ecs_map_next(&it)) ecs_trace("%p", ecs_map_ptr(&it));
    ecs_map_remove_free(&map, 2);
    ecs_map_fini(&map);
    ecs_vec_fini_t(NULL, &vec, Position);
    Position *copy = ecs_os_calloc_n(Position, 2);
    ecs_os_memcpy_t(copy, ECS_OFFSET(copy, sizeof(Position)), Position);
    ecs_os_free(copy);
}

// Descriptors.
#ifdef __cplusplus
#define NOTHING \
    {}
#else
#define NOTHING \
    { 0 }
#endif
void describe(ecs_world_t *world);
void describe(ecs_world_t *world) {
    ecs_entity(world, NOTHING);
    ecs_component(world, NOTHING);
    ecs_query(world, NOTHING);
    ecs_observer(world, NOTHING);
    ecs_system(world, NOTHING);
    ecs_pipeline(world, NOTHING);
    ecs_relationship(world, NOTHING);
    ecs_primitive(world, NOTHING);
    ecs_struct(world, NOTHING);
    ecs_enum(world, NOTHING);
    ecs_bitmask(world, NOTHING);
    ecs_array(world, NOTHING);
    ecs_vector(world, NOTHING);
    ecs_map_type(world, NOTHING);
    ecs_opaque(world, NOTHING);
    ecs_unit(world, NOTHING);
    ecs_unit_prefix(world, NOTHING);
    ecs_quantity(world, NOTHING);
    ecs_set_hooks(world, Position, NOTHING);
}

int main(void) {
    ecs_world_t *world = ecs_init();
    ECS_IMPORT(world, Tools);
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_TAG_DEFINE(world, Tag);
    ECS_ENTITY_DEFINE(world, Bob, Tag);
    ECS_PREFAB_DEFINE(world, Tree, 0);
    ECS_QUERY_DEFINE(world, Things, Position);
    ECS_SYSTEM_DEFINE(world, Move, EcsOnUpdate, Position, [in] Tag);
    ECS_OBSERVER_DEFINE(world, Heard, EcsOnAdd, Position);
    ECS_PIPELINE_DEFINE(world, Pipe, flecs.system.System);
    ECS_TAG(world, Local);
    ECS_QUERY(world, q, Position, !Local);
    Position value = { 1, 2 };
    bool is_new = false;
    ecs_entity_t e =
        ecs_insert(world, ecs_value(Position, { 1, 2 }), ecs_value_ptr(Position, &value),
            ecs_pair_value(Position, Tag, { 3, 4 }), ecs_pair_value_2nd(Tag, Position, { 5, 6 }));
    ecs_set(world, e, Position, { 1, 2 });
    ecs_set_ptr(world, e, Position, &value);
    ecs_set_pair(world, e, Position, Tag, { 1, 2 });
    ecs_set_pair_second(world, e, Tag, Position, { 1, 2 });
    ecs_set_override(world, e, Position, { 1, 2 });
    ecs_singleton_set(world, Position, { 1, 2 });
    ecs_ensure(world, e, Position)->x = ecs_get(world, e, Position)->y;
    ecs_get_mut_pair(world, e, Position, Tag)->x = ecs_get_pair_second(world, e, Tag, Position)->x;
    ecs_emplace(world, e, Here, &is_new)->x = ecs_singleton_get(world, Position)->x;
    ecs_type_hooks_t hooks = *ecs_get_hooks(world, Position);
    hooks.ctor = ecs_ctor(Position);
    ecs_set_hooks_id(world, ecs_id(Position), &hooks);
    ecs_ref_t ref = ecs_ref_init(world, e, Position);
    ecs_ref_get(world, &ref, Position)->x =
        ecs_table_get(world, ecs_get_table(world, e), Position, 0)->x;
    Position *apart = ecs_ptr_new_t(world, Position);
    apart->x = ECS_CAST(float, ECS_RECORD_TO_ROW(ecs_record_find(world, e)->row));
    ecs_ptr_free(world, ecs_id(Position), apart);
    ecs_entity_to_json_desc_t to_json = ECS_ENTITY_TO_JSON_INIT;
    to_json.serialize_doc = ECS_IS_PAIR(ecs_pair_t(Position, Tag)) && !ECS_EQ(value.x, value.y);
    ecs_os_free(ecs_entity_to_json(world, e, &to_json));
    ecs_strbuf_t text = ECS_STRBUF_INIT;
    ecs_strbuf_appendlit(&text, "x");
    ecs_strbuf_reset(&text);
    ecs_trace("%d", ECS_BIT_IS_SET(ECS_MAX(1, 2), 2));
    ecs_iter_t it = ecs_each(world, Position);
    while (ecs_each_next(&it)) {}
    return ecs_fini(world);
}
