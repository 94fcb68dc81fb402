// SPDX-License-Identifier: MIT
// structures: vectors, maps, sparse sets and strings, which need no world.
#include <limits.h>

#include "calls.h"

static int32_t draw_small(void) { return input_below(12) - 2; }

CALL(use_vec) {
    (void)call;
    ecs_vec_t vec = { 0 };
    for (int i = input_below(12); i > 0; i--) {
        const int32_t n = draw_small();
        switch (input_below(14)) {
        case 0: ecs_vec_set_size_t(NULL, &vec, int32_t, n); break;
        case 1: ecs_vec_set_min_size_t(NULL, &vec, int32_t, n); break;
        case 2: ecs_vec_set_min_count_t(NULL, &vec, int32_t, n); break;
        case 3: ecs_vec_set_min_count_zeromem_t(NULL, &vec, int32_t, n); break;
        case 4: ecs_vec_reclaim_t(NULL, &vec, int32_t); break;
        case 5:
            input_flag() ? ecs_vec_clear(&vec) : (void)ecs_vec_reset_t(NULL, &vec, int32_t);
            break;
        case 6: ecs_vec_remove_t(&vec, int32_t, n); break;
        case 7: ecs_vec_remove_ordered_t(&vec, int32_t, n); break;
        case 8: ecs_vec_remove_last(&vec); break;
        case 9: {
            ecs_vec_t copy = input_flag() ? ecs_vec_copy_t(NULL, &vec, int32_t)
                                          : ecs_vec_copy_shrink_t(NULL, &vec, int32_t);
            ecs_vec_fini_t(NULL, &copy, int32_t);
            break;
        }
        case 10: ecs_vec_grow_t(NULL, &vec, int32_t, n); break;
        case 11: ecs_vec_set_count_t(NULL, &vec, int32_t, n); break;
        default: *ecs_vec_append_t(NULL, &vec, int32_t) = n;
        }
    }
    ecs_vec_last_t(&vec, int32_t);
    ecs_vec_fini_t(NULL, &vec, int32_t);
}

CALL(use_map) {
    (void)call;
    ecs_map_t map = { 0 };
    ecs_map_init_if(&map, NULL);
    for (int i = input_below(24); i > 0; i--) {
        const ecs_map_key_t key = (ecs_map_key_t)input_below(9) << input_below(60);
        switch (input_below(8)) {
        case 0:
        case 1: *ecs_map_ensure(&map, key) = key; break;
        case 2: ecs_map_insert(&map, key, 1); break;
        case 3:
        case 4: ecs_map_remove(&map, key); break;
        case 5: input_flag() ? ecs_map_reclaim(&map) : ecs_map_clear(&map); break;
        case 6: {
            ecs_map_t copy = { 0 };
            ecs_map_copy(&copy, &map);
            ecs_map_fini(&copy);
            break;
        }
        default:
            for (ecs_map_iter_t it = ecs_map_iter(&map); ecs_map_next(&it);)
                if (input_flag()) ecs_map_remove(&map, input_below(8) ? ecs_map_key(&it) : key);
        }
    }
    ecs_map_fini(&map);
}

CALL(use_map_of_blocks) {
    (void)call;
    ecs_map_t map;
    ecs_map_init(&map, NULL);
    for (int i = input_below(12); i > 0; i--) {
        const ecs_map_key_t key = (ecs_map_key_t)input_below(4);
        switch (input_below(3)) {
        case 0: *ecs_map_ensure_alloc_t(&map, int32_t, key) = 1; break;
        case 1: ecs_map_insert_alloc_t(&map, int32_t, key); break;
        default: ecs_map_remove_free(&map, key);
        }
    }
    for (ecs_map_iter_t it = ecs_map_iter(&map); ecs_map_next(&it);) ecs_os_free(ecs_map_ptr(&it));
    ecs_map_fini(&map);
}

CALL(use_sparse) {
    (void)call;
    ecs_sparse_t set;
    ecs_sparse_init_t(&set, int64_t);
    for (int i = input_below(24); i > 0; i--) {
        const uint64_t id = (uint64_t)input_byte() | (uint64_t)input_below(3)
                                                         << (input_flag() ? 32 : 14);
        switch (input_below(11)) {
        case 0:
        case 1: flecs_sparse_ensure_t(&set, int64_t, id, NULL); break;
        case 2: flecs_sparse_insert_t(&set, int64_t, id); break;
        case 3:
        case 4: flecs_sparse_remove_t(&set, int64_t, id); break;
        case 5: flecs_sparse_remove_w_gen(&set, sizeof(int64_t), id); break;
        case 6: ecs_sparse_get_t(&set, int64_t, id); break;
        case 7: ecs_sparse_get_dense_t(&set, int64_t, draw_small()); break;
        case 8: input_below(4) ? flecs_sparse_shrink(&set) : flecs_sparse_clear(&set); break;
        case 9: flecs_sparse_ensure_fast_t(&set, int64_t, (uint32_t)id); break;
        default: ecs_sparse_add_t(&set, int64_t);
        }
    }
    ecs_sparse_last_id(&set);
    flecs_sparse_fini(&set);
}

CALL(use_strbuf) {
    (void)call;
    ecs_strbuf_t buf = ECS_STRBUF_INIT, other = ECS_STRBUF_INIT;
    for (int i = input_below(40); i > 0; i--) {
        const char *text = draw_name();
        switch (input_below(14)) {
        case 0: ecs_strbuf_append(&buf, "%d %s", i, text ? text : ""); break;
        case 1: ecs_strbuf_appendch(&buf, (char)input_byte()); break;
        case 12: ecs_strbuf_appendint(&buf, INT64_MIN + i); break;
        case 2: ecs_strbuf_appendflt(&buf, 1.0 / input_below(3), '"'); break;
        case 3: ecs_strbuf_appendbool(&buf, input_flag()); break;
        case 4: ecs_strbuf_list_push(&buf, "[", ", "); break;
        case 5: ecs_strbuf_list_pop(&buf, "]"); break;
        case 6: ecs_strbuf_list_append(&buf, "%c", 'a' + i); break;
        case 7: ecs_strbuf_list_appendstr(&buf, text ? text : "b"); break;
        case 8:
            ecs_strbuf_appendstr(&other, text ? text : "c");
            ecs_strbuf_mergebuff(&buf, &other);
            break;
        case 9: ecs_strbuf_get_small(&buf); break;
        case 10: ecs_os_free(ecs_strbuf_get(&buf)); break;
        default: ecs_strbuf_appendstrn(&buf, "0123456789", input_below(11));
        }
    }
    ecs_strbuf_str(&buf);
    ecs_strbuf_reset(&buf);
}

CALL(use_text) {
    (void)call;
    char out[8], one;
    const char *text = draw_name();
    if (!text) return;
    flecs_chresc(out, (char)input_byte(), '"');
    flecs_chrparse(text, &one);
    flecs_stresc(out, input_below(8), '"', text);
    ecs_os_free(flecs_astresc('\'', text));
    ecs_os_free(flecs_to_snake_case(text));
    ecs_os_free(flecs_module_path_from_c(text));
}

CALL(use_id) {
    const ecs_id_t id = input_flag() ? call->id : (ecs_id_t)input_byte() << input_below(57);
    ecs_make_pair(call->entity, call->other);
    ecs_id_match(id, call->id);
    ecs_id_match(call->id, id);
    ecs_id_is_pair(id);
    ecs_id_is_wildcard(id);
    ecs_id_is_any(id);
    ecs_id_flag_str(id);
    ecs_strip_generation(id);
    ecs_get_version(id);
    ecs_os_free(ecs_id_str(call->world, id));
    ecs_pair_first(call->world, id);
    ecs_pair_second(call->world, id);
}

const call_kind_t structure_calls[] = { { "use_vec", use_vec }, { "use_map", use_map },
    { "use_map_of_blocks", use_map_of_blocks }, { "use_sparse", use_sparse },
    { "use_strbuf", use_strbuf }, { "use_text", use_text }, { "use_id", use_id }, { 0 } };
