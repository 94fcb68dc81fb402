// SPDX-License-Identifier: MIT
#include "command/chain.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "base/atomics.h"

/* Kept out of line, so that what happens again and again stays small. */
#define COLD __attribute__((noinline))

// ---- pages ----

static uint32_t number_of(uint32_t entity) { return entity >> ECS__CHAIN_PAGE_BITS; }
static uint32_t place_of(uint32_t entity) { return entity & (ECS__CHAIN_PAGE_SIZE - 1); }

static void grow(ecs__chains_t *chains, uint32_t wanted) {
    uint32_t count = chains->page_count ? chains->page_count * 2 : 16;
    if (count < wanted) count = wanted;
    chains->pages = ecs_os_realloc_n(chains->pages, ecs__chain_page_t *, (ecs_size_t)count);
    for (uint32_t i = chains->page_count; i < count; i++) chains->pages[i] = NULL;
    chains->page_count = count;
}

void ecs__chains_reserve(ecs__chains_t *chains, uint32_t end) {
    if (number_of(end) >= chains->page_count) grow(chains, number_of(end) + 1);
}

// Two threads may want the same page at once.
static ecs__chain_page_t *make_page(ecs__chain_page_t **place) {
    ecs__chain_page_t *page = ecs_os_calloc_t(ecs__chain_page_t);
    ecs__fence_release();
    if (ecs__cas_ptr((void **)(void *)place, NULL, page)) return page;
    ecs_os_free(page);
    return ecs__load_ptr((void **)(void *)place);
}

ecs__chain_page_t *ecs__chain_page(ecs__chains_t *chains, uint32_t entity) {
    if (number_of(entity) >= chains->page_count) grow(chains, number_of(entity) + 1);
    ecs__chain_page_t **place = &chains->pages[number_of(entity)];
    ecs__chain_page_t *page = ecs__load_ptr((void **)(void *)place);
    return page ? page : make_page(place);
}

void ecs__chains_fini(ecs__chains_t *chains) {
    for (uint32_t i = 0; i < chains->page_count; i++) ecs_os_free(chains->pages[i]);
    ecs_os_free(chains->pages);
    *chains = (ecs__chains_t){ 0 };
}

// ---- linking ----

typedef struct marker_t {
    ecs__chains_t *chains;
    ecs__chain_page_t *page; /* of the command before, and its number */
    uint32_t number;
    ecs__cmd_t *previous;
    bool found_again; /* some entities are in several places */
} marker_t;

static COLD void meet_again(marker_t *marker, uint32_t entity) {
    marker->page->again[place_of(entity) / 64] |= 1ull << (entity & 63);
    marker->found_again = true;
}

static COLD void turn_page(marker_t *marker, uint32_t entity) {
    ecs__chains_t *chains = marker->chains;
    ecs__chain_page_t *page = marker->page = ecs__chain_page(chains, entity);
    marker->number = number_of(entity);
    if (page->has_marks) return;
    page->has_marks = true;
    page->next = chains->marked;
    chains->marked = page;
}

static inline void mark(marker_t *marker, ecs__cmd_t *cmd) {
    uint32_t entity = (uint32_t)cmd->entity;
    ecs__cmd_t *previous = marker->previous;
    marker->previous = cmd;
    if (previous->entity == cmd->entity) {
        previous->next = cmd;
        return;
    }
    if (marker->number != number_of(entity)) turn_page(marker, entity);
    uint64_t *word = &marker->page->once[place_of(entity) / 64], bit = 1ull << (entity & 63);
    if (*word & bit) meet_again(marker, entity);
    *word |= bit;
}

// Commands that say the same as the first one. Returns their end.
static char *mark_alike(marker_t *marker, char *at, const char *end) {
    const uintptr_t what = ((ecs__cmd_t *)(void *)at)->what;
    const size_t size = ecs__cmd_what((ecs__cmd_t *)(void *)at)->size;
    ecs__cmd_t *cmd;
    for (; at != end && (cmd = (ecs__cmd_t *)(void *)at)->what == what; at += size) {
        if (cmd->entity) mark(marker, cmd);
    }
    return at;
}

static void mark_block(marker_t *marker, char *at, const char *end) {
    while (at != end) {
        const ecs__cmd_t *cmd = (ecs__cmd_t *)(void *)at;
        if (!cmd->what)
            at += sizeof(ecs__cmd_said_t);
        else if (ecs__cmd_is_chained(cmd))
            at = mark_alike(marker, at, end);
        else
            at += ecs__cmd_what(cmd)->size;
    }
}

// Marks entities and links commands that follow each other. True if there is more to link.
static bool mark_all(ecs__chains_t *chains, const ecs__cmd_queue_t *queues, int32_t count) {
    ecs__queue_iter_t iter = ecs__queue_iter(queues, count);
    ecs__cmd_t none = { 0 };
    marker_t marker = { .chains = chains, .number = UINT32_MAX, .previous = &none };
    while (ecs__queue_next_block(&iter)) mark_block(&marker, iter.at, iter.block_end);
    return marker.found_again;
}

static void link_scattered(ecs__chains_t *chains, const ecs__cmd_queue_t *queues, int32_t count) {
    ecs__queue_iter_t iter = ecs__queue_iter(queues, count);
    for (ecs__cmd_t *cmd; (cmd = ecs__queue_peek(&iter)); ecs__queue_pass(&iter, cmd)) {
        if (!ecs__cmd_is_chained(cmd)) continue;
        uint32_t entity = (uint32_t)cmd->entity, place = place_of(entity);
        ecs__chain_page_t *page = chains->pages[number_of(entity)];
        if (!(page->again[place / 64] >> (entity & 63) & 1)) continue;
        ecs__cmd_t **end = &page->ends[place];
        if (*end && (*end)->entity == cmd->entity) (*end)->next = cmd;
        *end = cmd;
    }
}

static void forget_ends(ecs__chain_page_t *page) {
    for (uint32_t i = 0; i < ECS__CHAIN_PAGE_SIZE / 64; i++) {
        for (uint64_t left = page->again[i]; left; left &= left - 1)
            page->ends[64 * i + (uint32_t)__builtin_ctzll(left)] = NULL;
    }
}

static void forget_marks(ecs__chains_t *chains, bool has_ends) {
    ecs__chain_page_t *next;
    for (ecs__chain_page_t *page = chains->marked; page; page = next) {
        next = page->next;
        if (has_ends) forget_ends(page);
        memset(page, 0, offsetof(ecs__chain_page_t, ends));
    }
    chains->marked = NULL;
}

void ecs__chains_link(ecs__chains_t *chains, const ecs__cmd_queue_t *queues, int32_t count) {
    if (count == 1 && queues->count == 1) return;
    bool has_ends = mark_all(chains, queues, count);
    if (has_ends) link_scattered(chains, queues, count);
    forget_marks(chains, has_ends);
}
