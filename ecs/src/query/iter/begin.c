// SPDX-License-Identifier: MIT
// begin: how iterators over queries begin and end, and where their memory comes from.
//
// A beginning is worked out once and kept by the query while tables stay as they are; then it only is
// copied. What only general paths need is made valid by ecs__iter_open. Memory comes from the stage.
// Threads: while nobody writes, any number may begin, also with the world instead of a stage.
#include <muster/ecs/os.h>

#include "base/apart.h"
#include "base/atomics.h"
#include "query/iter/iter.h"
#include "query/query.h"
#include "storage/watch.h"
#include "world/state.h"

// ---- begin ----

bool ecs__iter_is_concurrent(const ecs_world_t *real_world) {
    return real_world->flags & (EcsWorldReadonly | EcsWorldMultiThreaded);
}

static ecs__cache_t *usable_cache(const ecs__program_t *program, ecs_world_t *real_world) {
    ecs__cache_t *cache = program->cache;
    if (!cache) return NULL;
    if (ecs__iter_is_concurrent(real_world) || ecs__asks(real_world)) {
        // An order exists only in the cache; otherwise a search gives the same results.
        return cache->order || ecs__cache_is_current(cache) ? cache : NULL;
    }
    if (!ecs__cache_is_current(cache)) ecs__cache_update(cache);
    ecs__cache_visit(cache);
    return cache;
}

static ecs_flags32_t mode_flags(const ecs__program_t *program, ecs__cache_t *cache) {
    const ecs_world_t *real_world = program->query->base.real_world;
    ecs_flags32_t flags = program->iter_flags;
    if (flags & EcsIterNoResults) return flags;
    bool is_watched = real_world->store.watch.tables || program->detect;
    if (is_watched && ecs__iter_has_listeners(program, cache)) flags |= EcsIterSync;
    if (cache) flags |= EcsIterCached;
    if (flags & EcsIterGraph) return flags;
    if (cache) {
        bool is_quick = program->is_small && !(flags & EcsIterSync);
        if (is_quick && ecs__cache_is_simple(cache))
            return flags | EcsIterTrivialCached | (cache->rows_ahead ? EcsIterRowsAhead : 0);
        return flags | (is_quick && ecs__cache_has_copies(cache) ? EcsIterCopied : 0);
    }
    bool is_plain = program->is_listed && ecs__plan_is_plain_now(&program->plan);
    return is_plain ? flags | EcsIterTrivialSearch : flags;
}

// The cache has copies, or NULL. Those of few fields are shown without a look at it or at empty tables,
// unless rows are to be fetched.
static void begin_copies(ecs_iter_t *it, const ecs__cache_t *cache) {
    ecs_iter_private_t *priv = &it->priv_;
    bool has_few =
        (it->flags & (EcsIterTrivialCached | EcsIterRowsAhead)) == EcsIterTrivialCached &&
        it->field_count <= ECS__COPY_FEW;
    priv->quick = cache ? cache->snapshot | (has_few ? ECS_ITER_FRESH : ECS_ITER_SLOW) : 0;
    priv->copy = cache ? cache->copies : NULL;
    if (cache && has_few) priv->copy = ecs__copies_with_rows(priv->copy, ECS__COPY_FEW_BYTES);
}

// Into an iterator that is zero but for what was written here before.
static void write_begin(
    ecs_iter_t *it, ecs__program_t *program, ecs__cache_t *cache, bool with_copies) {
    const ecs_query_t *base = &program->query->base;
    const ecs__plan_t *plan = &program->plan;
    it->flags = mode_flags(program, cache);
    it->query = base;
    it->real_world = base->real_world;
    it->field_count = base->field_count;
    it->row_fields = base->row_fields;
    it->ids = plan->ids;
    it->sources = plan->sources;
    it->sizes = base->sizes;
    it->ctx = base->ctx;
    it->binding_ctx = base->binding_ctx;
    it->next = ecs_query_next;
    ecs_iter_private_t *priv = &it->priv_;
    priv->source = program;
    begin_copies(it, with_copies ? cache : NULL);
    if (it->flags & EcsIterTrivialSearch)
        priv->copy = (const char *)plan->ops[ecs__plan_rarest(plan, false)].record;
    priv->table_limit = base->real_world->store.next_table_id;
}

// Another one whenever one of these rises.
static inline uint64_t begin_stamp(const ecs__store_t *store) {
    return store->structure_stamp + store->traverse_stamp;
}

// The query keeps it, if copies are not still to come, its results are not sorted, and nobody is
// told of the iteration; and it cannot while others read.
static const char *find_begin(ecs__query_t *query) {
    static _Thread_local ecs_iter_t fresh;
    ecs_world_t *real_world = query->base.real_world;
    uint64_t stamp = begin_stamp(&real_world->store);
    if (query->begin_stamp == stamp) return (const char *)query->begin; /* by another thread */
    ecs__program_t *program = ecs__query_program(&query->base);
    ecs__cache_t *cache = usable_cache(program, real_world);
    bool with_copies = cache && ecs__cache_has_copies(cache);
    write_begin(&fresh, program, cache, with_copies);
    bool may_copy = cache && !with_copies && ecs__cache_can_copy(cache);
    bool is_sorted = cache && cache->sort; // values can change the order
    if (may_copy || is_sorted || fresh.flags & EcsIterSync || ecs__iter_is_concurrent(real_world))
        return (const char *)&fresh;
    memcpy(query->begin, &fresh, ECS__ITER_BEGIN);
    ecs__fence_release();
    ecs__store_64(&query->begin_stamp, stamp);
    return (const char *)query->begin;
}

// Constants are watched where they are when the iteration begins.
static uint64_t look(const ecs_iter_t *it) {
    ecs__detect_t *detect = ecs__program_of(it)->detect;
    if (detect && it->query->fixed_fields && !ecs__iter_is_concurrent(it->real_world))
        ecs__detect_follow(detect);
    return ecs__watch_look(&it->real_world->store.watch);
}

void ecs__iter_open(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    if (it->flags & EcsIterOpen) return;
    it->flags |= EcsIterOpen;
    priv->eval = priv->rows = priv->heap = priv->cursor = NULL;
    priv->vars = NULL;
    priv->bound_table = NULL;
    priv->group = 0;
    priv->stamp = ECS_ITER_NOWHERE;
    priv->copied = it->real_world->store.structure_stamp; /* no values yet that could move */
    priv->began = it->flags & EcsIterSync ? look(it) : 0;
    priv->position = priv->begin = priv->last_row = -1;
    priv->first_row = priv->begin_row = priv->row = priv->row_end = 0;
}

// Stores are what a beginning costs, so there are few and large ones. Compilers build `it` in the
// caller's memory, and leave the room for fields alone, as long as its address is taken for copies
// of such sizes only, and what is written last is not read again.
#define WRITE_AT(at, end, what)               \
    if ((at) + 16 <= (end))                   \
        memcpy((char *)&it + (at), what, 16); \
    else if ((at) < (end))                    \
    memcpy((char *)&it + (at), what, 8)
#define WRITE_32(at, end, from, step)          \
    WRITE_AT(at, end, (from) + (step) * (at)); \
    WRITE_AT((at) + 16, end, (from) + (step) * ((at) + 16))
#define WRITE_128(at, end, from, step)    \
    WRITE_32(at, end, from, step);        \
    WRITE_32((at) + 32, end, from, step); \
    WRITE_32((at) + 64, end, from, step); \
    WRITE_32((at) + 96, end, from, step); \
    _Static_assert((end) - (at) <= 128 && ((end) - (at)) % 8 == 0, "size of a part")
#define PTRS ((int)offsetof(ecs_iter_t, ptrs))
#define COLUMNS ((int)offsetof(ecs_iter_t, columns))
#define WORLD ((int)offsetof(ecs_iter_t, world))
#define PRIV ((int)offsetof(ecs_iter_t, priv_))

static inline __attribute__((always_inline)) ecs_iter_t copy_begin(
    const ecs_world_t *world, const char *begin) {
    ecs_iter_t it;
    const char zero[16] = { 0 };
    WRITE_128(0, PTRS, zero, 0);
    WRITE_128(PTRS, COLUMNS, begin, 1);
    WRITE_128(COLUMNS, WORLD, zero, 0);
    memcpy((char *)&it + WORLD, (const void *[2]){ world, NULL }, 16);
    WRITE_128(PRIV, (int)ECS__ITER_BEGIN, begin, 1);
#ifdef FLECS_DEBUG
    it.priv_.locked = NULL;
#endif
    return it;
}

// Who only reads may do so in several threads, also if the world was not told. What queries keep is
// brought up to date by one of them. False if that is the caller: sorting may call users who iterate.
static bool enter(ecs__store_t *store) {
    static _Thread_local char self;
    if (ecs__load_ptr(&store->beginner) == &self) return false;
    while (!ecs__cas_ptr(&store->beginner, NULL, &self)) ecs__stall();
    return true;
}

static void leave(ecs__store_t *store) {
    ecs__fence_release();
    ecs__store_ptr(&store->beginner, NULL);
}

static ECS__APART ecs_iter_t begin_anew(const ecs_world_t *world, ecs__query_t *query) {
    ecs__store_t *store = &query->base.real_world->store;
    const bool has_entered = !ecs__iter_is_concurrent(query->base.real_world) && enter(store);
    const ecs_iter_t it = copy_begin(world, find_begin(query));
    if (has_entered) leave(store);
    return it;
}

// Atomic for threads that begin at the same time: they may lose a count, that is all.
static inline void count_begin(ecs_query_t *query, ecs_world_info_t *info) {
    uint32_t *of_query = (uint32_t *)&query->eval_count;
    uint64_t *of_world = (uint64_t *)&info->queries_ran_total;
    ecs__store_32(of_query, ecs__load_32(of_query) + 1);
    ecs__store_64(of_world, ecs__load_64(of_world) + 1);
}

bool ecs__check_may_ask(const ecs_query_t *query) {
    const ecs__cache_t *cache = ecs__query_of(query)->program->cache;
    (void)cache;
    ecs_check(!cache || !(cache->sort || cache->groups) || !ecs__asks(query->real_world),
        ECS_INVALID_OPERATION,
        "a function that sorts or groups the results of a query can ask those only whose results are neither");
    return true;
error:
    return false;
}

static inline bool check_begin(const ecs_world_t *world, const ecs_query_t *base) {
#ifdef ECS_CHECK_LEVEL_
    ecs__check_reader(world);
    if (!ecs__check_may_ask(base)) return false;
    if (ecs__query_of(base)->is_observers) return true;
    /* Jobs ask with the world, too: ecs_query_has takes no stage. */
    const ecs_stage_t *stage =
        ecs__is_stage(world) ? ecs__stage_of(world) : ecs__stage_noted(world);
    ecs__may_query((const ecs_world_t *)(const void *)stage, base);
    return true;
#else
    (void)world, (void)base;
    return true;
#endif
}

static ECS__APART ecs_iter_t no_results(const ecs_world_t *world, const ecs_query_t *query) {
    return (ecs_iter_t){ .query = query,
        .world = ECS_CONST_CAST(ecs_world_t *, world),
        .real_world = ecs__world_of(world),
        .next = ecs_query_next,
        .flags = EcsIterNoResults };
}

HOT ecs_iter_t ecs_query_iter(const ecs_world_t *world, const ecs_query_t *base) {
    ecs__query_t *query = (ecs__query_t *)(uintptr_t)base;
    ecs_world_t *real_world = ecs__world_of(world);
    ecs_check(base != NULL, ECS_INVALID_PARAMETER, "ecs_query_iter: the query is NULL");
    ecs_check(base->real_world == real_world, ECS_INVALID_PARAMETER,
        "ecs_query_iter: the query belongs to another world");
    if (!check_begin(world, base)) return no_results(world, base);
    if (!ecs__iter_is_concurrent(real_world)) count_begin(&query->base, &real_world->info);
    const uint64_t stamp = ecs__load_64(&query->begin_stamp);
    ecs__fence_acquire();
    if (RARELY(stamp != begin_stamp(&real_world->store))) return begin_anew(world, query);
    return copy_begin(world, (const char *)query->begin);
error:
    return no_results(world, NULL);
}

// Nobody will go through the matches, so nothing is prepared for that. But rows may have to be in groups.
static void write_for_rows(ecs_iter_t *it, ecs__program_t *program, bool is_watched) {
    const ecs_query_t *base = &program->query->base;
    ecs_world_t *real_world = base->real_world;
    ecs__cache_t *cache = program->cache;
    const bool is_grouped = cache && cache->groups && !ecs__iter_is_concurrent(real_world);
    if (is_grouped && !ecs__cache_is_current(cache)) ecs__cache_update(cache);
    ecs_os_memset_t(it, 0, ecs_iter_t);
    it->world = base->world;
    write_begin(it, program, is_watched ? cache : NULL, false);
}

void ecs__iter_begin_for_rows(ecs_iter_t *it, const ecs_query_t *base) {
    const ecs__query_t *query = ecs__query_of(base);
    ecs_world_t *real_world = base->real_world;
    ecs__store_t *store = &real_world->store;
    if (!check_begin(base->world, base)) {
        *it = no_results(base->world, base);
        return;
    }
    const ecs__program_t *known = query->program;
    const bool is_watched = store->watch.tables || known->detect;
    const bool is_current = query->kinds_seen == store->kinds_stamp;
    bool has_entered = false;
    if (!ecs__iter_is_concurrent(real_world)) {
        const bool is_grouped = known->cache && known->cache->groups;
        count_begin((ecs_query_t *)(uintptr_t)base, &real_world->info);
        has_entered = (is_watched || is_grouped || !is_current) && enter(store);
    }
    write_for_rows(it, ecs__query_program(base), is_watched);
    if (has_entered) leave(store);
}

// ---- memory ----

// A thread without a stage of its own (ecs_query_has takes none) shares the arena of stage 0. Blocks
// are for whom finds it in use, and for what observers are shown, which may stay for the next ones;
// they are chained through their first 16 bytes.
static void *alloc_block(ecs_iter_t *it, ecs_size_t size) {
    char *block = ecs_os_malloc(size + 16);
    *(void **)(void *)block = it->priv_.heap;
    it->priv_.heap = block;
    return block + 16;
}

static void free_blocks(ecs_iter_t *it) {
    while (it->priv_.heap) {
        void *block = it->priv_.heap;
        it->priv_.heap = *(void **)block;
        ecs_os_free(block);
    }
    it->priv_.eval = NULL;
}

void *ecs__iter_alloc(ecs_iter_t *it, ecs_size_t size) {
    ecs__iter_open(it);
    ecs__arena_t *arena = &ecs__stage_of(it->world)->arena;
    if (!it->priv_.cursor && !it->priv_.heap && !(it->flags & EcsIterKept))
        it->priv_.cursor = ecs__arena_cursor(arena);
    return it->priv_.cursor ? ecs__arena_push(arena, size) : alloc_block(it, size);
}

void ecs__iter_make_arrays(ecs_iter_t *it) {
    ecs_iter_private_t *priv = &it->priv_;
    if (it->field_count <= ECS_ITER_INLINE_FIELDS) {
        it->ptrs = priv->ptrs;
        it->ids = priv->ids;
        it->sources = priv->sources;
        it->sizes = priv->sizes;
        it->columns = priv->columns;
        return;
    }
    int32_t count = it->field_count;
    it->ptrs = ecs__iter_alloc(it, count * ECS_SIZEOF(void *));
    it->ids = ecs__iter_alloc(it, count * ECS_SIZEOF(ecs_id_t));
    it->sources = ecs__iter_alloc(it, count * ECS_SIZEOF(ecs_entity_t));
    it->sizes = ecs__iter_alloc(it, count * ECS_SIZEOF(ecs_size_t));
    it->columns = ecs__iter_alloc(it, count * ECS_SIZEOF(int16_t));
}

// ---- end ----

void ecs__iter_free(ecs_iter_t *it) {
    if (it->priv_.cursor) {
        ecs__arena_restore(&ecs__stage_of(it->world)->arena, it->priv_.cursor);
        it->priv_.cursor = NULL;
        it->priv_.eval = NULL;
    }
    if (it->priv_.heap) free_blocks(it);
}

static void release(ecs_iter_t *it) {
    if (it->flags & EcsIterGraph) ecs__iter_free_solver(it);
    ecs__iter_free(it);
}

ECS__APART bool ecs__iter_end(ecs_iter_t *it) {
    ecs__iter_unlock(it);
    if (it->flags & EcsIterOpen) release(it);
    ecs__iter_leave_trivial(it);
    it->flags = (it->flags & ~EcsIterIsValid) | EcsIterNoResults;
    it->count = 0;
    it->table = NULL;
    return false;
}

void ecs_iter_fini(ecs_iter_t *it) {
    ECS__NEED(it);
    if (it->flags & EcsIterNoResults) return;
    if (it->fini) it->fini(it);
    if (it->event) /* whoever called the hook or observer goes on with it */
        it->flags = (it->flags & ~EcsIterIsValid) | EcsIterNoResults;
    else
        ecs__iter_end(it);
}
