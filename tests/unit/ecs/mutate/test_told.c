// SPDX-License-Identifier: MIT
// What hooks and observers that suspend deferring do to that which they are told of: changes are complete, given up with a
// sentence, or wait.
#include "support/world.h"

#include "mutate/report.h"
#include "support/abort.h"
#include "support/check.h"
#include "support/random.h"

enum { ENTITIES = 30, TAGS = 6, OPS = 300, CALLS = 2, NESTED = 3 };

typedef struct Plain {
    int value;
} Plain;

typedef struct Owner {
    char *text;
} Owner;

static void owner_ctor(void *ptr, int32_t count, const ecs_type_info_t *type) {
    memset(ptr, 0, (size_t)count * (size_t)type->size);
}
static void owner_dtor(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    for (int32_t i = 0; i < count; i++) ecs_os_free(((Owner *)ptr)[i].text);
}
static void owner_copy(void *dst, const void *src, int32_t count, const ecs_type_info_t *type) {
    owner_dtor(dst, count, type);
    for (int32_t i = 0; i < count; i++)
        ((Owner *)dst)[i].text = ecs_os_strdup(((const Owner *)src)[i].text);
}
static void owner_move(void *dst, void *src, int32_t count, const ecs_type_info_t *type) {
    owner_dtor(dst, count, type);
    memcpy(dst, src, (size_t)count * (size_t)type->size);
    owner_ctor(src, count, type);
}

typedef struct Game {
    ecs_world_t *world;
    random_t random;
    ecs_entity_t plain, owner, beside; /* components */
    ecs_entity_t rel, exclusive;
    ecs_entity_t entities[ENTITIES], tags[TAGS];
    int nested, told;
} Game;

static ecs_entity_t any_of(Game *game, ecs_entity_t *list, int count) {
    ecs_entity_t *one = &list[random_below(&game->random, count)];
    if (!*one || !ecs_is_alive(game->world, *one)) *one = ecs_new(game->world);
    return *one;
}
static ecs_entity_t any_tag(Game *game) { return any_of(game, game->tags, TAGS); }

static ecs_id_t any_id(Game *game) {
    switch (random_below(&game->random, 7)) {
    case 0: return game->plain;
    case 1: return game->owner;
    case 2: return game->beside;
    case 3: return any_tag(game);
    case 4: return ecs_pair(game->rel, any_tag(game));
    case 5: return ecs_pair(game->exclusive, any_tag(game));
    default: return ecs_childof(any_tag(game));
    }
}

static void set_any(Game *game, ecs_entity_t entity) {
    const Plain plain = { 1 };
    const Owner owner = { "a value with memory of its own" };
    switch (random_below(&game->random, 3)) {
    case 0: ecs_set_id(game->world, entity, game->plain, sizeof plain, &plain); break;
    case 1: ecs_set_id(game->world, entity, game->owner, sizeof owner, &owner); break;
    default: ecs_set_id(game->world, entity, game->beside, sizeof owner, &owner); break;
    }
}

static void do_any(Game *game) {
    ecs_world_t *world = game->world;
    const ecs_entity_t entity = any_of(game, game->entities, ENTITIES);
    switch (random_below(&game->random, 16)) {
    case 0:
    case 1:
    case 2: ecs_add_id(world, entity, any_id(game)); break;
    case 3:
    case 4: ecs_remove_id(world, entity, any_id(game)); break;
    case 5:
    case 6: ecs_delete(world, entity); break;
    case 7: ecs_delete(world, any_tag(game)); break;
    case 8: ecs_clear(world, entity); break;
    case 9:
        if (!random_below(&game->random, 4)) ecs_delete_with(world, any_id(game));
        break;
    case 10:
        if (!random_below(&game->random, 4)) ecs_remove_all(world, any_id(game));
        break;
    default: set_any(game, entity); break;
    }
}

static void change_at_once(ecs_iter_t *it) {
    Game *game = it->ctx;
    game->told++;
    if (ecs_is_fini(it->world) || game->nested == NESTED) return;
    if (random_below(&game->random, 3)) return;
    game->nested++;
    ecs_defer_suspend(it->world);
    for (int i = 0; i < CALLS; i++) do_any(game);
    ecs_defer_resume(it->world);
    game->nested--;
}

static void hook(Game *game, ecs_entity_t component, int kinds) {
    ecs_type_hooks_t hooks = *ecs_get_hooks_id(game->world, component);
    if (kinds & 1) hooks.on_add = change_at_once;
    if (kinds & 2) hooks.on_set = change_at_once;
    if (kinds & 4) hooks.on_remove = change_at_once;
    if (kinds & 8) hooks.on_replace = change_at_once;
    hooks.ctx = game;
    ecs_set_hooks_id(game->world, component, &hooks);
}

static void observe(Game *game, ecs_id_t id, ecs_id_t other, ecs_entity_t event) {
    ecs_observer(game->world, { .query.terms = { { id }, { other } },
                                  .events = { event },
                                  .callback = change_at_once,
                                  .ctx = game });
}

static ecs_entity_t make_owner(ecs_world_t *world) {
    ecs_type_hooks_t hooks = {
        .ctor = owner_ctor, .dtor = owner_dtor, .copy = owner_copy, .move = owner_move
    };
    return ecs_component(
        world, { .type = { .size = sizeof(Owner), .alignment = 8, .hooks = hooks } });
}

static void begin(Game *game, ecs_world_t *world, uint64_t seed) {
    *game = (Game){ .world = world, .random = random_init(seed) };
    random_t *random = &game->random;
    game->plain = ecs_component(world, { .type = { .size = sizeof(Plain), .alignment = 4 } });
    game->owner = make_owner(world);
    game->beside = make_owner(world);
    game->rel = ecs_new(world);
    game->exclusive = ecs_new(world);
    ecs_add_id(world, game->exclusive, EcsExclusive);
    if (random_below(random, 3)) ecs_add_id(world, game->beside, EcsSparse);
    if (random_below(random, 3)) ecs_add_id(world, game->beside, EcsDontFragment);
    hook(game, game->plain, random_below(random, 16));
    hook(game, game->owner, random_below(random, 16));
    hook(game, game->beside, random_below(random, 16));
    const ecs_id_t ids[] = { game->plain, game->owner, game->beside,
        ecs_pair(game->rel, EcsWildcard), ecs_childof(EcsWildcard) };
    const ecs_entity_t events[] = { EcsOnAdd, EcsOnRemove, EcsOnSet, EcsOnDelete };
    for (int i = random_below(random, 5); i > 0; i--) {
        const ecs_id_t other = random_below(random, 2) ? 0 : game->owner;
        observe(game, ids[random_below(random, 5)], other, events[random_below(random, 4)]);
    }
}

static void go_on(void) {}

// What is given up, or refused, says so, and does not end the game.
static void random_changes_leave_a_sound_world(void **state) {
    (void)state;
    const uint64_t seed = random_seed();
    const bool before = ecs__refuse_as_input(true);
    const ecs_os_api_abort_t abort_before = ecs_os_api.abort_;
    ecs_os_api.abort_ = go_on;
    const int level = ecs_log_set_level(-5);
    for (int try = 0; try < random_tries(40); try++) {
        const int64_t live = memory_live();
        ecs_world_t *world = ecs_mini();
        Game game;
        begin(&game, world, seed + (uint64_t)try);
        for (int i = 0; i < OPS; i++) {
            const bool defers = !random_below(&game.random, 4) && ecs_defer_begin(world);
            for (int k = defers ? 6 : 1; k > 0; k--) do_any(&game);
            if (defers) ecs_defer_end(world);
            if (!ecs_world_verify(world)) fail_msg("seed %d, step %d", (int)seed + try, i);
        }
        assert_int_equal(ecs_fini(world), 0);
        assert_int_equal(memory_live(), live);
    }
    ecs_log_set_level(level);
    ecs_os_api.abort_ = abort_before;
    ecs__refuse_as_input(before);
}

static ecs_entity_t victim;
static int heard;
static void delete_victim(ecs_iter_t *it) {
    heard++;
    ecs_defer_suspend(it->world);
    ecs_delete(it->world, victim);
    ecs_defer_resume(it->world);
}

// Tables end with an entity that is an id or a target, perhaps the one that is told of: it dies a little later.
static void an_id_dies_when_the_change_is_complete(void **state) {
    ecs_world_t *world = *state;
    for (int as_observer = 0; as_observer < 2; as_observer++) {
        for (int is_removal = 0; is_removal < 2; is_removal++) {
            ecs_entity_t c = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
            ecs_entity_t e = ecs_new_w_id(world, victim = ecs_new(world));
            heard = 0;
            if (is_removal) ecs_add_id(world, e, c);
            if (as_observer) {
                ecs_observer(world, { .query.terms = { { c } },
                                        .events = { is_removal ? EcsOnRemove : EcsOnAdd },
                                        .callback = delete_victim });
            } else if (is_removal) {
                ecs_set_hooks_id(world, c, &(ecs_type_hooks_t){ .on_remove = delete_victim });
            } else {
                ecs_set_hooks_id(world, c, &(ecs_type_hooks_t){ .on_add = delete_victim });
            }
            if (is_removal)
                ecs_remove_id(world, e, c);
            else
                ecs_add_id(world, e, c);
            assert_int_equal(heard, 1);
            assert_false(ecs_is_alive(world, victim));
            assert_int_equal(ecs_has_id(world, e, c), !is_removal);
            assert_int_equal(ecs_get_type(world, e)->count, !is_removal);
            ecs_delete(world, e);
        }
    }
}

static void ignore(ecs_iter_t *it) { (void)it; }
static void add_victim(ecs_iter_t *it) {
    ecs_defer_suspend(it->world);
    ecs_add_id(it->world, it->entities[0], victim);
    ecs_defer_resume(it->world);
}

static void who_moves_what_loses_something_is_told_so(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t c = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
    ecs_set_hooks_id(world, c, &(ecs_type_hooks_t){ .on_remove = add_victim });
    victim = ecs_new(world);
    ecs_entity_t e = ecs_new_w_id(world, c);
    const bool before = ecs__refuse_as_input(true);
    expect_error(ECS_LOCKED_STORAGE, "was moved, or deleted", ecs_remove_id(world, e, c));
    ecs__refuse_as_input(before);
    assert_true(ecs_has_id(world, e, c));
    assert_true(ecs_has_id(world, e, victim));
}

static bool accept(
    ecs_world_t *world, ecs_entity_t source, ecs_entity_t target, void *edge, void *ctx) {
    (void)world, (void)source, (void)target, (void)ctx;
    return edge;
}

// The value of an edge that was to take the place of another ends with the change that was given up.
static void edges_that_do_not_come_leave_nothing(void **state) {
    (void)state;
    const int64_t live = memory_live();
    ecs_world_t *world = ecs_mini();
    const Owner text = { "a value with memory of its own" };
    const ecs_entity_t type = make_owner(world), a = ecs_new(world), b = ecs_new(world);
    const ecs_entity_t rel = ecs_relationship(
        world, { .name = "R", .type = type, .defaults = &text, .init = accept, .exclusive = true });
    const ecs_entity_t e = ecs_new_w_pair(world, rel, a);
    const ecs_type_hooks_t hooks = { .on_remove = add_victim };
    victim = ecs_new(world);
    ecs_set_hooks_id(world, ecs_get_typeid(world, ecs_pair(rel, a)), &hooks);
    const bool before = ecs__refuse_as_input(true);
    expect_error(ECS_LOCKED_STORAGE, "was moved, or deleted", ecs_add_pair(world, e, rel, b));
    assert_true(ecs_has_pair(world, e, rel, a));
    ecs_set_hooks_id(
        world, ecs_get_typeid(world, ecs_pair(rel, a)), &(ecs_type_hooks_t){ .on_remove = ignore });
    ecs_fini(world);
    ecs__refuse_as_input(before);
    assert_int_equal(memory_live(), live);
}

#ifdef FLECS_DEBUG
static struct {
    ecs_entity_t component, other, tag;
    int way;
} dying;

// All that would change what dies, or give it to another.
enum { GIVE_ID, GIVE_TARGET, GIVE_NEW, ADD, SET, NAME, REMOVE, CLEAR, WAYS };
static void change_what_dies(ecs_iter_t *it) {
    ecs_world_t *world = it->world;
    const ecs_entity_t e = it->entities[0], c = dying.component, other = dying.other;
    heard++;
    ecs_defer_suspend(world);
    switch (dying.way) {
    case GIVE_ID: ecs_add_id(world, other, c); break;
    case GIVE_TARGET: ecs_add_pair(world, other, dying.tag, c); break;
    case GIVE_NEW: ecs_new_w_pair(world, dying.tag, c); break;
    case ADD: ecs_add_id(world, e, dying.tag); break;
    case SET: ecs_set_id(world, e, ecs_pair(c, other), 4, &(int){ 1 }); break;
    case NAME: ecs_set_name(world, e, "late"); break;
    case REMOVE: ecs_remove_id(world, e, c); break;
    default: ecs_clear(world, e); break;
    }
    ecs_add_id(world, other, dying.tag); /* others may change */
    ecs_defer_resume(world);
}

enum { DELETE_ROW, DELETE_ID, DELETE_PARENT, DELETE_WITH, ENDS };
static void end_somehow(ecs_world_t *world, ecs_entity_t entity, ecs_entity_t parent, int how) {
    switch (how) {
    case DELETE_ROW: ecs_delete(world, entity); break;
    case DELETE_ID: ecs_delete(world, dying.component); break;
    case DELETE_PARENT: ecs_delete(world, parent); break;
    default: ecs_delete_with(world, ecs_childof(parent)); break;
    }
}

static void refuse_change(ecs_world_t *world, int how) {
    const ecs_entity_t parent = ecs_new(world);
    dying.component = ecs_component(world, { .type = { .size = 4, .alignment = 4 } });
    dying.other = ecs_new(world);
    dying.tag = ecs_new(world);
    ecs_add_pair(world, dying.component, EcsOnDelete, EcsDelete);
    ecs_set_hooks_id(world, dying.component, &(ecs_type_hooks_t){ .on_remove = change_what_dies });
    ecs_entity_t e = ecs_new_w_pair(world, EcsChildOf, parent);
    ecs_add_id(world, e, dying.component);
    heard = 0;
    const int code = dying.way > GIVE_NEW ? ECS_INVALID_OPERATION : ECS_INVALID_PARAMETER;
    expect_error(code, "", end_somehow(world, e, parent, how));
    assert_int_equal(heard, 1);
    assert_false(ecs_is_alive(world, e));
    const ecs_type_t *type = ecs_get_type(world, dying.other);
    assert_true(type->count == 1 && type->array[0] == dying.tag);
    assert_true(ecs_world_verify(world));
    ecs_delete(world, dying.tag);
}

// DEF-07: what dies while it is told of is as dead, whether what is done then waits or not.
static void what_dies_is_as_dead_to_who_is_told(void **state) {
    ecs_world_t *world = *state;
    const ecs_os_api_abort_t before = ecs_os_api.abort_;
    ecs_os_api.abort_ = go_on;
    for (dying.way = 0; dying.way < WAYS; dying.way++) {
        for (int how = 0; how < ENDS; how++) {
            if (dying.way > GIVE_NEW || how == DELETE_ID) refuse_change(world, how);
        }
    }
    ecs_os_api.abort_ = before;
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_that_do_not_come_leave_nothing),
#ifdef FLECS_DEBUG
        world_test(what_dies_is_as_dead_to_who_is_told),
#endif
        world_test(an_id_dies_when_the_change_is_complete),
        world_test(who_moves_what_loses_something_is_told_so),
        cmocka_unit_test(random_changes_leave_a_sound_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
