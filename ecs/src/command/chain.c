// SPDX-License-Identifier: MIT
#include "command/chain.h"

#include <string.h>

#include <muster/ecs/os.h>

#include "base/apart.h"
#include "base/atomics.h"
#include "mutate/traits.h"

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

static bool is_linked(const ecs__cmd_t *cmd) {
    return !ecs__cmd_is(cmd, ECS__CMD_AHEAD) && ecs__cmd_what(cmd)->kind != ECS__CMD_MODIFIED;
}

static bool is_trait(ecs_id_t id) {
    const uint32_t first = ECS_IS_PAIR(id) ? ecs__id_first(id) : (uint32_t)id;
    return ecs__is_builtin(first) && ecs__trait_kind(id) != ECS__NO_TRAIT;
}

// Whoever has an id is changed, or it is asked what others have: what is said later, of any entity, is not folded with what was said before.
// Whoever hears of rows of a table sees them as they are by then. Instances are made as their base is, children of a prefab get its tag, and
// what an id means is said before it is used.
bool ecs__chains_end_at(const ecs__cmd_t *cmd) {
    const ecs__cmd_what_t *what = ecs__cmd_what(cmd);
    switch (what->kind) {
    case ECS__CMD_DELETE_WITH:
    case ECS__CMD_REMOVE_ALL:
    case ECS__CMD_CLONE: return true;
    case ECS__CMD_CALL: return what->flag && !cmd->entity; /* an event about rows */
    default:
        return ECS_HAS_RELATION(what->id, Ecs__IsA) || what->id == Ecs__Prefab ||
               is_trait(what->id);
    }
}

typedef struct marker_t {
    ecs__chains_t *chains;
    ecs__cmd_t *nobody, *previous;
    bool found_again; /* an entity is in several places */
} marker_t;

static ECS__APART void mark_again(marker_t *marker, ecs__chain_page_t *page, uint32_t entity) {
    page->again[place_of(entity) / 64] |= 1ull << (entity & 63);
    marker->found_again = true;
}

static ECS__APART ecs__chain_page_t *page_to_mark(ecs__chains_t *chains, uint32_t entity) {
    ecs__chain_page_t *page = ecs__chain_page(chains, entity);
    if (page->has_marks) return page;
    page->has_marks = true;
    page->next = chains->marked;
    return chains->marked = page;
}

// Mostly an entity is near the one before, and what is said is what was said before.
static void mark_block(marker_t *marker, char *at, const char *end) {
    ecs__cmd_t *previous = marker->previous;
    ecs__chain_page_t *page = NULL;
    uint32_t number = UINT32_MAX, size = 0;
    uintptr_t what = ECS__CMD_MARKS; /* nothing yet */
    bool is_passed = false;
    for (; at != end; at += size) {
        ecs__cmd_t *cmd = (ecs__cmd_t *)(void *)at;
        if (cmd->what != what) {
            what = cmd->what;
            size = what ? ecs__cmd_what(cmd)->size : (uint32_t)sizeof(ecs__cmd_said_t);
            is_passed = !what || !is_linked(cmd);
        }
        if (is_passed) continue;
        if (!cmd->entity) {
            if (ecs__chains_end_at(cmd)) previous = marker->nobody;
            continue;
        }
        if (previous->entity == cmd->entity) {
            previous->next = cmd;
        } else {
            uint32_t entity = (uint32_t)cmd->entity;
            if (number != number_of(entity)) page = page_to_mark(marker->chains, entity);
            number = number_of(entity);
            uint64_t *word = &page->once[place_of(entity) / 64], bit = 1ull << (entity & 63);
            if (*word & bit) mark_again(marker, page, entity);
            *word |= bit;
        }
        previous = cmd;
    }
    marker->previous = previous;
}

// Marks entities and links commands that follow each other in different queues. True if there is more to link.
static bool mark_all(ecs__chains_t *chains, const ecs__cmd_queue_t *queues, int32_t count) {
    ecs__queue_iter_t iter = ecs__queue_iter(queues, count);
    ecs__cmd_t none = { 0 };
    marker_t marker = { chains, &none, &none, false };
    while (ecs__queue_next_block(&iter)) mark_block(&marker, iter.at, iter.block_end);
    return marker.found_again;
}

static void forget_ends(ecs__chain_page_t *page) {
    for (uint32_t i = 0; i < ECS__CHAIN_PAGE_SIZE / 64; i++) {
        for (; page->open[i]; page->open[i] &= page->open[i] - 1)
            page->ends[64 * i + (uint32_t)__builtin_ctzll(page->open[i])] = NULL;
    }
}

static void name(ecs__chains_t *chains, uint32_t entity) {
    page_to_mark(chains, entity)->named[place_of(entity) / 64] |= 1ull << (entity & 63);
}

static void name_all(ecs__chains_t *chains, const ecs__cmd_queue_t *queues, int32_t count) {
    ecs__queue_iter_t iter = ecs__queue_iter(queues, count);
    ecs_id_t named = 0;
    for (const ecs__cmd_t *cmd; (cmd = ecs__queue_next(&iter));) {
        const ecs_id_t id = ecs__cmd_what(cmd)->id;
        if (!id || id == named) continue;
        named = id;
        name(chains, ecs__id_trait_owner(id));
        if (ECS_IS_PAIR(id) && !ECS_IS_VALUE_PAIR(id)) name(chains, ecs__id_second(id));
    }
    chains->knows_named = true;
}

// What the queues know of whom their ids mention are but a few bits.
static bool is_named(
    ecs__chains_t *chains, const ecs__cmd_queue_t *queues, int32_t count, ecs_entity_t entity) {
    if (!(chains->mentioned & ecs__queue_whom(entity))) return false;
    if (!chains->knows_named) name_all(chains, queues, count);
    const ecs__chain_page_t *page = ecs__chain_page(chains, (uint32_t)entity);
    return page->named[place_of((uint32_t)entity) / 64] >> (entity & 63) & 1;
}

// With a target or an id, others go, or change.
static bool ends_others(
    ecs__chains_t *chains, const ecs__cmd_queue_t *queues, int32_t count, const ecs__cmd_t *cmd) {
    if (ecs__cmd_what(cmd)->kind != ECS__CMD_DELETE) return false;
    if (is_named(chains, queues, count, cmd->entity)) return true;
    return ecs__entity_find(chains->entities, cmd->entity).table &&
           ecs__entity_marks(chains->entities, cmd->entity) & (EcsEntityIsTarget | EcsEntityIsId);
}

static void link_scattered(ecs__chains_t *chains, const ecs__cmd_queue_t *queues, int32_t count) {
    ecs__queue_iter_t iter = ecs__queue_iter(queues, count);
    uint32_t ended = 0; /* how often all chains were */
    for (ecs__cmd_t *cmd; (cmd = ecs__queue_peek(&iter)); ecs__queue_pass(&iter, cmd)) {
        const bool is_death = ends_others(chains, queues, count, cmd);
        chains->ended_by_death |= is_death;
        ended += is_death || ecs__chains_end_at(cmd);
        if (!cmd->entity || !is_linked(cmd)) continue;
        uint32_t entity = (uint32_t)cmd->entity, place = place_of(entity);
        ecs__chain_page_t *page = chains->pages[number_of(entity)];
        if (!(page->again[place / 64] >> (entity & 63) & 1)) continue;
        if (page->ended != ended) forget_ends(page);
        page->ended = ended;
        ecs__cmd_t **end = &page->ends[place];
        if (!*end)
            page->open[place / 64] |= 1ull << (entity & 63);
        else if ((*end)->entity == cmd->entity)
            (*end)->next = cmd;
        *end = cmd;
    }
}

static void forget_marks(ecs__chains_t *chains, bool has_ends) {
    ecs__chain_page_t *next;
    for (ecs__chain_page_t *page = chains->marked; page; page = next) {
        if (has_ends) forget_ends(page);
        next = page->next;
        memset(page, 0, offsetof(ecs__chain_page_t, ends));
    }
    chains->marked = NULL;
}

static const ecs__cmd_t *first_linked(const ecs__cmd_queue_t *queue) {
    ecs__queue_iter_t iter = ecs__queue_iter(queue, 1);
    const ecs__cmd_t *cmd = ecs__queue_next(&iter);
    while (cmd && !is_linked(cmd)) cmd = ecs__queue_next(&iter);
    return cmd;
}

uint32_t ecs__chains_order(const ecs__cmd_queue_t *queues, int32_t count) {
    uint32_t order = 0, latest = 0;
    for (int32_t i = 0; i < count; i++) {
        const ecs__cmd_t *first = first_linked(&queues[i]);
        if (!first) continue;
        order |= queues[i].order;
        if ((uint32_t)first->entity <= latest) order |= ECS__CMD_FALLS;
        latest = queues[i].latest_index;
    }
    return order;
}

void ecs__chains_link(ecs__chains_t *chains, const ecs__entity_index_t *entities,
    const ecs__cmd_queue_t *queues, int32_t count) {
    chains->entities = entities;
    chains->ended_by_death = chains->knows_named = false;
    chains->mentioned = 0;
    for (int32_t i = 0; i < count; i++) chains->mentioned |= queues[i].mentioned;
    if (!(ecs__chains_order(queues, count) & ECS__CMD_FALLS)) return;
    bool has_ends = mark_all(chains, queues, count);
    if (has_ends) link_scattered(chains, queues, count);
    forget_marks(chains, has_ends);
}
