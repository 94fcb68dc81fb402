// SPDX-License-Identifier: MIT
// c_api: typed macros over the functions that take ids. No behaviour of its own.
//
// `T` is a C type registered as a component, or a tag or entity declared with the macros below:
// ecs_id(T) is its id. Where a macro takes a value it is written in braces: ecs_set(world, e,
// Position, {10, 20}). First, Second: the element of a pair that is a type name. Everything works
// in C11 and C++17.
#ifndef MUSTER_ECS_C_API_H
#define MUSTER_ECS_C_API_H

#include <muster/ecs/command.h>
#include <muster/ecs/entity.h>
#include <muster/ecs/iter.h>
#include <muster/ecs/name.h>
#include <muster/ecs/observer.h>
#include <muster/ecs/query.h>
#include <muster/ecs/world.h>

/* ECS_TEMP_: address of a temporary object {…} of type T. ECS_TEMP_ARRAY_: address of the first
 * element of a temporary array. Both live until the end of the block (C) or of the full expression
 * (C++). */
#ifdef __cplusplus
#include <initializer_list>
template <typename T> inline T *ecs_temp_(const T &value) { return const_cast<T *>(&value); }
template <typename T> inline T *ecs_temp_array_(std::initializer_list<T> values) {
    return const_cast<T *>(values.begin());
}
#define ECS_TEMP_(T, ...) ecs_temp_<T>(T __VA_ARGS__)
#define ECS_TEMP_ARRAY_(T, ...) ecs_temp_array_<T>({ __VA_ARGS__ })
#define ECS_VALUE_(T, type, ptr) (T{ type, ptr })
#else
#define ECS_TEMP_(T, ...) (&(T)__VA_ARGS__)
#define ECS_TEMP_ARRAY_(T, ...) ((T[]){ __VA_ARGS__ })
#define ECS_VALUE_(T, type, ptr) ((T){ type, ptr })
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Functions behind the macros of the next section. `id` is the id to use if it is not 0. */
ECS_API ecs_entity_t ecs_c_component_(
    ecs_world_t *world, ecs_entity_t id, const char *name, ecs_size_t size, int64_t alignment);
ECS_API ecs_entity_t ecs_c_entity_(
    ecs_world_t *world, ecs_entity_t id, const char *name, ecs_id_t add, const char *add_expr);

#ifdef __cplusplus
}
#endif

/* ---- Declaring and registering ----
 *
 * All is made in the current scope, with its C name. Components have that as symbol, too, by which queries find them in any scope; tags,
 * entities and prefabs have none: from the scope of another module they are named by their path.
 *
 * X_DECLARE declares the variable at file scope (`extern X_DECLARE(…)` in a header), X_DEFINE
 * registers and fills it, X does both in a function. */

#define ECS_COMPONENT_DECLARE(T) ecs_entity_t ecs_id(T)
#define ECS_COMPONENT_DEFINE(world, T) \
    (ecs_id(T) = ecs_c_component_(world, ecs_id(T), #T, ECS_SIZEOF(T), ECS_ALIGNOF(T)))
#define ECS_COMPONENT(world, T)     \
    ecs_entity_t ecs_id(T) = 0;     \
    ECS_COMPONENT_DEFINE(world, T); \
    (void)ecs_id(T)

#define ECS_DECLARE(Name) ecs_entity_t Name, ecs_id(Name)
#define ECS_ENTITY_DECLARE ECS_DECLARE
#define ECS_TAG_DECLARE ECS_DECLARE
#define ECS_PREFAB_DECLARE ECS_DECLARE

/* The rest of the arguments is the text of ids to add: ECS_ENTITY(world, Bob, Npc, (Likes,
 * Alice)). */
#define ECS_ENTITY_DEFINE(world, Name, ...) \
    (Name = ecs_id(Name) = ecs_c_entity_(world, Name, #Name, 0, #__VA_ARGS__))
#define ECS_ENTITY(world, Name, ...)             \
    ecs_entity_t Name = 0, ecs_id(Name) = 0;     \
    ECS_ENTITY_DEFINE(world, Name, __VA_ARGS__); \
    (void)Name;                                  \
    (void)ecs_id(Name)

#define ECS_TAG_DEFINE(world, Name) ECS_ENTITY_DEFINE(world, Name, 0)
#define ECS_TAG(world, Name) ECS_ENTITY(world, Name, 0)

#define ECS_PREFAB_DEFINE(world, Name, ...) \
    (Name = ecs_id(Name) = ecs_c_entity_(world, Name, #Name, EcsPrefab, #__VA_ARGS__))
#define ECS_PREFAB(world, Name, ...)             \
    ecs_entity_t Name = 0, ecs_id(Name) = 0;     \
    ECS_PREFAB_DEFINE(world, Name, __VA_ARGS__); \
    (void)Name;                                  \
    (void)ecs_id(Name)

#define ECS_QUERY_DECLARE(name) ecs_query_t *name
#define ECS_QUERY_DEFINE(world, name, ...)                      \
    do {                                                        \
        ecs_query_desc_t ecs_desc_ = ecs_query_desc_t_empty_(); \
        ecs_desc_.expr = #__VA_ARGS__;                          \
        name = ecs_query_init(world, &ecs_desc_);               \
    } while (0)
#define ECS_QUERY(world, name, ...)             \
    ecs_query_t *name = NULL;                   \
    ECS_QUERY_DEFINE(world, name, __VA_ARGS__); \
    (void)name

/* An observer named as its callback; `...` is the text of its query. */
#define ECS_OBSERVER_DECLARE(fn) ecs_entity_t ecs_id(fn)
#define ECS_OBSERVER_DEFINE(world, fn, event, ...) \
    (ecs_id(fn) = ecs_observer_define_(world, ecs_id(fn), #fn, fn, event, #__VA_ARGS__))
#define ECS_OBSERVER(world, fn, event, ...)             \
    ecs_entity_t ecs_id(fn) = 0;                        \
    ECS_OBSERVER_DEFINE(world, fn, event, __VA_ARGS__); \
    (void)ecs_id(fn)

static inline ecs_query_desc_t ecs_query_desc_t_empty_(void) {
    ecs_query_desc_t desc;
    memset(ECS_CAST(void *, &desc), 0, sizeof desc);
    return desc;
}

static inline ecs_entity_t ecs_insert_(ecs_world_t *world, const ecs_value_t *values) {
    ecs_entity_desc_t desc;
    memset(ECS_CAST(void *, &desc), 0, sizeof desc);
    desc.set = values;
    return ecs_entity_init(world, &desc);
}

/** True if the id is inherited and not owned. */
static inline bool ecs_shares_id(const ecs_world_t *world, ecs_entity_t entity, ecs_id_t id) {
    return ecs_has_id(world, entity, id) && !ecs_owns_id(world, entity, id);
}

static inline void ecs_set_override_(
    ecs_world_t *world, ecs_entity_t entity, ecs_id_t id, size_t size, const void *ptr) {
    ecs_add_id(world, entity, ECS_AUTO_OVERRIDE | id);
    ecs_set_id(world, entity, id, size, ptr);
}

/* ---- Descriptors as arguments ---- */

#define ecs_entity(world, ...) ecs_entity_init(world, ECS_TEMP_(ecs_entity_desc_t, __VA_ARGS__))
#define ecs_component(world, ...) \
    ecs_component_init(world, ECS_TEMP_(ecs_component_desc_t, __VA_ARGS__))
#define ecs_query(world, ...) ecs_query_init(world, ECS_TEMP_(ecs_query_desc_t, __VA_ARGS__))
#define ecs_observer(world, ...) \
    ecs_observer_init(world, ECS_TEMP_(ecs_observer_desc_t, __VA_ARGS__))
#define ecs_set_hooks(world, T, ...) \
    ecs_set_hooks_id(world, ecs_id(T), ECS_TEMP_(ecs_type_hooks_t, __VA_ARGS__))
#define ecs_get_hooks(world, T) ecs_get_hooks_id(world, ecs_id(T))

/** A 0-terminated array of ids. */
#define ecs_ids(...) ECS_TEMP_ARRAY_(ecs_id_t, __VA_ARGS__, 0)
/** An array of ecs_value(…), ended by an empty one. */
#define ecs_values(...) ECS_TEMP_ARRAY_(ecs_value_t, __VA_ARGS__, { 0, NULL })
#define ecs_value(T, ...) ECS_VALUE_(ecs_value_t, ecs_id(T), ECS_TEMP_(T, __VA_ARGS__))
#define ecs_value_ptr(T, ptr) ECS_VALUE_(ecs_value_t, ecs_id(T), ptr)
#define ecs_pair_value(First, second, ...) \
    ECS_VALUE_(ecs_value_t, ecs_pair_t(First, second), ECS_TEMP_(First, __VA_ARGS__))
#define ecs_pair_value_2nd(first, Second, ...) \
    ECS_VALUE_(ecs_value_t, ecs_pair(first, ecs_id(Second)), ECS_TEMP_(Second, __VA_ARGS__))
/** A new entity with values: ecs_insert(world, ecs_value(Position, {1, 2}), …). */
#define ecs_insert(world, ...) ecs_insert_(world, ecs_values(__VA_ARGS__))

/* ---- Entities and ids ---- */

#define ecs_new_w(world, T) ecs_new_w_id(world, ecs_id(T))
#define ecs_new_w_pair(world, first, second) ecs_new_w_id(world, ecs_pair(first, second))
#define ecs_bulk_new(world, T, count) ecs_bulk_new_w_id(world, ecs_id(T), count)

#define ecs_add(world, entity, T) ecs_add_id(world, entity, ecs_id(T))
#define ecs_add_pair(world, entity, first, second) \
    ecs_add_id(world, entity, ecs_pair(first, second))
#define ecs_remove(world, entity, T) ecs_remove_id(world, entity, ecs_id(T))
#define ecs_remove_pair(world, entity, first, second) \
    ecs_remove_id(world, entity, ecs_pair(first, second))
#define ecs_has(world, entity, T) ecs_has_id(world, entity, ecs_id(T))
#define ecs_has_pair(world, entity, first, second) \
    ecs_has_id(world, entity, ecs_pair(first, second))
#define ecs_owns(world, entity, T) ecs_owns_id(world, entity, ecs_id(T))
#define ecs_owns_pair(world, entity, first, second) \
    ecs_owns_id(world, entity, ecs_pair(first, second))
#define ecs_shares(world, entity, T) ecs_shares_id(world, entity, ecs_id(T))
#define ecs_shares_pair(world, entity, first, second) \
    ecs_shares_id(world, entity, ecs_pair(first, second))
#define ecs_count(world, T) ecs_count_id(world, ecs_id(T))
#define ecs_get_target_for(world, entity, rel, T) \
    ecs_get_target_for_id(world, entity, rel, ecs_id(T))

/* ---- Values ---- */

#define ecs_get(world, entity, T) (ECS_CAST(const T *, ecs_get_id(world, entity, ecs_id(T))))
#define ecs_get_pair(world, entity, First, second) \
    (ECS_CAST(const First *, ecs_get_id(world, entity, ecs_pair_t(First, second))))
#define ecs_get_pair_second(world, entity, first, Second) \
    (ECS_CAST(const Second *, ecs_get_id(world, entity, ecs_pair(first, ecs_id(Second)))))

#define ecs_get_mut(world, entity, T) (ECS_CAST(T *, ecs_get_mut_id(world, entity, ecs_id(T))))
#define ecs_get_mut_pair(world, entity, First, second) \
    (ECS_CAST(First *, ecs_get_mut_id(world, entity, ecs_pair_t(First, second))))
#define ecs_get_mut_pair_second(world, entity, first, Second) \
    (ECS_CAST(Second *, ecs_get_mut_id(world, entity, ecs_pair(first, ecs_id(Second)))))

#define ecs_ensure(world, entity, T) \
    (ECS_CAST(T *, ecs_ensure_id(world, entity, ecs_id(T), sizeof(T))))
#define ecs_ensure_pair(world, entity, First, second) \
    (ECS_CAST(First *, ecs_ensure_id(world, entity, ecs_pair_t(First, second), sizeof(First))))
#define ecs_ensure_pair_second(world, entity, first, Second) \
    (ECS_CAST(                                               \
        Second *, ecs_ensure_id(world, entity, ecs_pair(first, ecs_id(Second)), sizeof(Second))))

#define ecs_emplace(world, entity, T, is_new) \
    (ECS_CAST(T *, ecs_emplace_id(world, entity, ecs_id(T), sizeof(T), is_new)))
#define ecs_emplace_pair(world, entity, First, second, is_new) \
    (ECS_CAST(                                                 \
        First *, ecs_emplace_id(world, entity, ecs_pair_t(First, second), sizeof(First), is_new)))

#define ecs_modified(world, entity, T) ecs_modified_id(world, entity, ecs_id(T))
#define ecs_modified_pair(world, entity, first, second) \
    ecs_modified_id(world, entity, ecs_pair(first, second))

#define ecs_set(world, entity, T, ...) \
    ecs_set_id(world, entity, ecs_id(T), sizeof(T), ECS_TEMP_(T, __VA_ARGS__))
#define ecs_set_ptr(world, entity, T, ptr) ecs_set_id(world, entity, ecs_id(T), sizeof(T), ptr)
#define ecs_set_pair(world, entity, First, second, ...) \
    ecs_set_id(                                         \
        world, entity, ecs_pair_t(First, second), sizeof(First), ECS_TEMP_(First, __VA_ARGS__))
#define ecs_set_pair_second(world, entity, first, Second, ...)                 \
    ecs_set_id(world, entity, ecs_pair(first, ecs_id(Second)), sizeof(Second), \
        ECS_TEMP_(Second, __VA_ARGS__))

#define ecs_enable_component(world, entity, T, enabled) \
    ecs_enable_id(world, entity, ecs_id(T), enabled)
#define ecs_enable_pair(world, entity, First, second, enabled) \
    ecs_enable_id(world, entity, ecs_pair_t(First, second), enabled)
#define ecs_is_enabled(world, entity, T) ecs_is_enabled_id(world, entity, ecs_id(T))
#define ecs_is_enabled_pair(world, entity, First, second) \
    ecs_is_enabled_id(world, entity, ecs_pair_t(First, second))

/* What instances of the entity own. */
#define ecs_auto_override_id(world, entity, id) ecs_add_id(world, entity, ECS_AUTO_OVERRIDE | (id))
#define ecs_auto_override(world, entity, T) ecs_auto_override_id(world, entity, ecs_id(T))
#define ecs_auto_override_pair(world, entity, first, second) \
    ecs_auto_override_id(world, entity, ecs_pair(first, second))
#define ecs_set_override(world, entity, T, ...) \
    ecs_set_override_(world, entity, ecs_id(T), sizeof(T), ECS_TEMP_(T, __VA_ARGS__))

/* A singleton is a component (or tag) that its own entity has. */
#define ecs_singleton_add(world, T) ecs_add(world, ecs_id(T), T)
#define ecs_singleton_remove(world, T) ecs_remove(world, ecs_id(T), T)
#define ecs_singleton_get(world, T) ecs_get(world, ecs_id(T), T)
#define ecs_singleton_get_mut(world, T) ecs_get_mut(world, ecs_id(T), T)
#define ecs_singleton_set(world, T, ...) ecs_set(world, ecs_id(T), T, __VA_ARGS__)
#define ecs_singleton_set_ptr(world, T, ptr) ecs_set_ptr(world, ecs_id(T), T, ptr)
#define ecs_singleton_ensure(world, T) ecs_ensure(world, ecs_id(T), T)
#define ecs_singleton_emplace(world, T, is_new) ecs_emplace(world, ecs_id(T), T, is_new)
#define ecs_singleton_modified(world, T) ecs_modified(world, ecs_id(T), T)

#define ecs_ref_init(world, entity, T) ecs_ref_init_id(world, entity, ecs_id(T))
#define ecs_ref_get(world, ref, T) (ECS_CAST(T *, ecs_ref_get_id(world, ref, ecs_id(T))))

#define ecs_record_get(world, record, T) \
    (ECS_CAST(const T *, ecs_record_get_id(world, record, ecs_id(T))))
#define ecs_record_get_pair(world, record, First, second) \
    (ECS_CAST(const First *, ecs_record_get_id(world, record, ecs_pair_t(First, second))))
#define ecs_record_get_pair_second(world, record, first, Second) \
    (ECS_CAST(const Second *, ecs_record_get_id(world, record, ecs_pair(first, ecs_id(Second)))))
#define ecs_record_ensure(world, record, T) \
    (ECS_CAST(T *, ecs_record_ensure_id(world, record, ecs_id(T))))
#define ecs_record_ensure_pair(world, record, First, second) \
    (ECS_CAST(First *, ecs_record_ensure_id(world, record, ecs_pair_t(First, second))))
#define ecs_record_ensure_pair_second(world, record, first, Second) \
    (ECS_CAST(Second *, ecs_record_ensure_id(world, record, ecs_pair(first, ecs_id(Second)))))
#define ecs_record_has(world, record, T) ecs_record_has_id(world, record, ecs_id(T))
#define ecs_record_has_pair(world, record, First, second) \
    ecs_record_has_id(world, record, ecs_pair_t(First, second))
#define ecs_record_has_pair_second(world, record, first, Second) \
    ecs_record_has_id(world, record, ecs_pair(first, ecs_id(Second)))

#define ecs_table_get(world, table, T, offset) \
    (ECS_CAST(T *, ecs_table_get_id(world, table, ecs_id(T), offset)))
#define ecs_table_get_pair(world, table, First, second, offset) \
    (ECS_CAST(First *, ecs_table_get_id(world, table, ecs_pair_t(First, second), offset)))
#define ecs_table_get_pair_second(world, table, first, Second, offset) \
    (ECS_CAST(Second *, ecs_table_get_id(world, table, ecs_pair(first, ecs_id(Second)), offset)))

/* ---- Iterating ---- */

/** Field `index` as an array of T, or a single T if it is shared (ecs_field_is_self tells); NULL if
 * it is not set. */
#define ecs_field(it, T, index) (ECS_CAST(T *, ECS_FIELD_PTR_(it, sizeof(T), index)))
/** The same for values that the entities own [chk]. */
#define ecs_field_self(it, T, index) (ECS_CAST(T *, ecs_field_self_w_size(it, sizeof(T), index)))
/** One value of a field that is stored apart from its table [chk]. */
#define ecs_field_at(it, T, index, row) \
    (ECS_CAST(T *, ecs_field_at_w_size(it, sizeof(T), index, row)))
#define ecs_each(world, T) ecs_each_id(world, ecs_id(T))
#define ecs_each_pair(world, first, second) ecs_each_id(world, ecs_pair(first, second))
#define ecs_each_pair_t(world, First, second) ecs_each_id(world, ecs_pair_t(First, second))

/* ---- Hooks ----
 *
 * ECS_CTOR(Name, ptr, {…}) defines the function ecs_ctor(Name) that runs the body with `Name *ptr`
 * for each value, for use in ecs_set_hooks(world, Name, { .ctor = ecs_ctor(Name) }). The others
 * alike. */

#define ecs_ctor(T) T##_ctor
#define ecs_dtor(T) T##_dtor
#define ecs_copy(T) T##_copy
#define ecs_move(T) T##_move
#define ecs_on_add(T) T##_on_add
#define ecs_on_set(T) T##_on_set
#define ecs_on_remove(T) T##_on_remove
#define ecs_compare(T) T##_compare
#define ecs_sort_table(T) T##_sort_table

#define ECS_CTOR(T, ptr, ...) ECS_XTOR_HOOK_(T, ecs_ctor(T), ptr, __VA_ARGS__)
#define ECS_DTOR(T, ptr, ...) ECS_XTOR_HOOK_(T, ecs_dtor(T), ptr, __VA_ARGS__)
#define ECS_COPY(T, dst, src, ...) ECS_COPY_HOOK_(T, ecs_copy(T), const, dst, src, __VA_ARGS__)
#define ECS_MOVE(T, dst, src, ...) ECS_COPY_HOOK_(T, ecs_move(T), , dst, src, __VA_ARGS__)
#define ECS_ON_ADD(T, ptr, ...) ECS_EVENT_HOOK_(T, ecs_on_add(T), ptr, __VA_ARGS__)
#define ECS_ON_SET(T, ptr, ...) ECS_EVENT_HOOK_(T, ecs_on_set(T), ptr, __VA_ARGS__)
#define ECS_ON_REMOVE(T, ptr, ...) ECS_EVENT_HOOK_(T, ecs_on_remove(T), ptr, __VA_ARGS__)

/* ---- Sorting ----
 *
 * ECS_COMPARE(T, {…}) defines ecs_compare(T) for ecs_query_desc_t.order_by_callback; the body has `e1`, `e2` and `const T *ptr1, *ptr2`
 * and returns which comes first. ECS_SORT_TABLE(T, static) defines ecs_sort_table(T) for order_by_table_callback: a quick sort with
 * calls of ecs_compare(T) that a compiler can see through. ECS_SORT_TABLE_WITH_COMPARE gives the names. */

#define ECS_COMPARE(T, ...)                                                                       \
    int ecs_compare(T)(ecs_entity_t e1, const void *ptr1, ecs_entity_t e2, const void *ptr2);     \
    static inline int T##_compare_values_(                                                        \
        ecs_entity_t e1, const T *ptr1, ecs_entity_t e2, const T *ptr2);                          \
    int ecs_compare(T)(ecs_entity_t e1, const void *ptr1, ecs_entity_t e2, const void *ptr2) {    \
        return T##_compare_values_(e1, ECS_CAST(const T *, ptr1), e2, ECS_CAST(const T *, ptr2)); \
    }                                                                                             \
    static inline int T##_compare_values_(ECS_UNUSED_ ecs_entity_t e1, ECS_UNUSED_ const T *ptr1, \
        ECS_UNUSED_ ecs_entity_t e2, ECS_UNUSED_ const T *ptr2) __VA_ARGS__

#define ECS_SORT_TABLE(T, ...) \
    ECS_SORT_TABLE_WITH_COMPARE(T, ecs_sort_table(T), ecs_compare(T), __VA_ARGS__)

#if defined(__GNUC__)
#define ECS_UNUSED_ __attribute__((unused))
#else
#define ECS_UNUSED_
#endif

/* Row numbers a and b, of a table whose column begins at ptr. */
#define ECS_COMPARE_ROWS_(compare_fn, a, b)                                              \
    compare_fn(entities[a], ECS_OFFSET(ptr, ECS_CAST(int64_t, size) * (a)), entities[b], \
        ECS_OFFSET(ptr, ECS_CAST(int64_t, size) * (b)))

/* The middle row divides the others, and waits at the end meanwhile. The smaller part is sorted first, so that calls do not nest deep. */
#define ECS_SORT_TABLE_WITH_COMPARE(T, op_name, compare_fn, ...)                             \
    __VA_ARGS__ void op_name(ecs_world_t *world, ecs_table_t *table, ecs_entity_t *entities, \
        void *ptr, int32_t size, int32_t lo, int32_t hi, ecs_order_by_action_t order_by);    \
    __VA_ARGS__ void op_name(ecs_world_t *world, ecs_table_t *table, ecs_entity_t *entities, \
        void *ptr, int32_t size, int32_t lo, int32_t hi, ecs_order_by_action_t order_by) {   \
        (void)order_by;                                                                      \
        while (lo < hi) {                                                                    \
            int32_t ecs_at_ = lo;                                                            \
            ecs_table_swap_rows(world, table, lo + (hi - lo) / 2, hi);                       \
            for (int32_t ecs_i_ = lo; ecs_i_ < hi; ecs_i_++) {                               \
                if (ECS_COMPARE_ROWS_(compare_fn, ecs_i_, hi) >= 0) continue;                \
                ecs_table_swap_rows(world, table, ecs_i_, ecs_at_++);                        \
            }                                                                                \
            ecs_table_swap_rows(world, table, ecs_at_, hi);                                  \
            if (ecs_at_ - lo < hi - ecs_at_) {                                               \
                op_name(world, table, entities, ptr, size, lo, ecs_at_ - 1, order_by);       \
                lo = ecs_at_ + 1;                                                            \
            } else {                                                                         \
                op_name(world, table, entities, ptr, size, ecs_at_ + 1, hi, order_by);       \
                hi = ecs_at_ - 1;                                                            \
            }                                                                                \
        }                                                                                    \
    }

/* Each definition follows a declaration, so that users need not declare what they define. */
#define ECS_XTOR_HOOK_(T, name, var, ...)                                             \
    void name(void *ecs_ptr_, int32_t ecs_count_, const ecs_type_info_t *type_info);  \
    void name(void *ecs_ptr_, int32_t ecs_count_, const ecs_type_info_t *type_info) { \
        (void)type_info;                                                              \
        for (int32_t ecs_i_ = 0; ecs_i_ < ecs_count_; ecs_i_++) {                     \
            T *var = &(ECS_CAST(T *, ecs_ptr_))[ecs_i_];                              \
            (void)var;                                                                \
            __VA_ARGS__                                                               \
        }                                                                             \
    }

#define ECS_COPY_HOOK_(T, name, qualifier, dst_var, src_var, ...)                \
    void name(void *ecs_dst_, qualifier void *ecs_src_, int32_t ecs_count_,      \
        const ecs_type_info_t *type_info);                                       \
    void name(void *ecs_dst_, qualifier void *ecs_src_, int32_t ecs_count_,      \
        const ecs_type_info_t *type_info) {                                      \
        (void)type_info;                                                         \
        for (int32_t ecs_i_ = 0; ecs_i_ < ecs_count_; ecs_i_++) {                \
            T *dst_var = &(ECS_CAST(T *, ecs_dst_))[ecs_i_];                     \
            qualifier T *src_var = &(ECS_CAST(qualifier T *, ecs_src_))[ecs_i_]; \
            (void)dst_var;                                                       \
            (void)src_var;                                                       \
            __VA_ARGS__                                                          \
        }                                                                        \
    }

#define ECS_EVENT_HOOK_(T, name, var, ...)                       \
    void name(ecs_iter_t *it);                                   \
    void name(ecs_iter_t *it) {                                  \
        for (int32_t ecs_i_ = 0; ecs_i_ < it->count; ecs_i_++) { \
            ecs_entity_t entity = it->entities[ecs_i_];          \
            T *var = &ecs_field(it, T, 0)[ecs_i_];               \
            (void)entity;                                        \
            (void)var;                                           \
            __VA_ARGS__                                          \
        }                                                        \
    }

#endif
