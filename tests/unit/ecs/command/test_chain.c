// SPDX-License-Identifier: MIT
// Links between the commands of each entity, against looking for the next one.
#include "command/chain.h"
#include "command/change.h"

#include "support/random.h"
#include "support/world.h"

enum { QUEUES = 3, COMMANDS = 60, ENTITIES = 8, ROUNDS = 400 };

// Neighbours, some in pages far apart, and one of another generation, by index.
static const ecs_entity_t pool[ENTITIES] = { 5, 5 | 1ull << 32, 6, 63, 70, 4095, 4096, 900000 };

// Where commands rise, each is of an entity not below the one before: `last` in the pool.
static void record(ecs__cmd_queue_t *queue, random_t *random, bool rises, int32_t *last) {
    static const ecs__cmd_kind_t kinds[] = { ECS__CMD_ADD, ECS__CMD_SET, ECS__CMD_MODIFIED,
        ECS__CMD_REMOVE, ECS__CMD_CALL, ECS__CMD_CLONE };
    int32_t some = 1 + random_below(random, ENTITIES);
    ecs_entity_t entity = rises ? pool[*last] : 0;
    for (int32_t i = random_below(random, COMMANDS); i > 0; i--) {
        ecs__cmd_kind_t kind = kinds[random_below(random, 6)];
        bool stays = entity && random_below(random, 2);
        if (!stays && rises)
            entity = pool[ *last = ECS_MIN(*last + random_below(random, 2), ENTITIES - 1)];
        else if (!stays)
            entity = pool[random_below(random, some)];
        uint64_t size = kind == ECS__CMD_SET ? ecs__cmd_size(40, 8) : sizeof(ecs__cmd_t);
        bool is_for_none = !rises && kind == ECS__CMD_CALL && random_below(random, 2);
        bool is_for_all = is_for_none && !random_below(random, 3);
        if (is_for_all) kind = random_below(random, 2) ? ECS__CMD_DELETE_WITH : ECS__CMD_REMOVE_ALL;
        ecs__queue_push(queue, ecs__cmd_form(kind, false, 8, size),
            (ecs_id_t)random_below(random, 3), 0, 0, is_for_none ? 0 : entity);
    }
}

static int32_t list(const ecs__cmd_queue_t *queues, ecs__cmd_t **out) {
    ecs__queue_iter_t iter = ecs__queue_iter(queues, QUEUES);
    int32_t count = 0;
    while ((out[count] = ecs__queue_next(&iter))) count++;
    return count;
}

static bool is_chained(const ecs__cmd_t *cmd) {
    return cmd->entity && ecs__cmd_what(cmd)->kind != ECS__CMD_MODIFIED;
}

static bool is_for_all(const ecs__cmd_t *cmd) {
    ecs__cmd_kind_t kind = ecs__cmd_what(cmd)->kind;
    return kind == ECS__CMD_DELETE_WITH || kind == ECS__CMD_REMOVE_ALL;
}

static bool asks_of_others(const ecs__cmd_t *cmd) {
    return ecs__cmd_what(cmd)->kind == ECS__CMD_CLONE;
}

static const ecs__cmd_t *find_next(ecs__cmd_t *const *cmds, int32_t count, int32_t at) {
    bool is_beside = true, is_asked = false; /* neighbours; there is a question between */
    if (!is_chained(cmds[at])) return NULL;
    for (int32_t i = at + 1; i < count && !is_for_all(cmds[i]); i++) {
        if (!is_chained(cmds[i])) continue;
        is_asked |= asks_of_others(cmds[i]);
        if ((uint32_t)cmds[i]->entity == (uint32_t)cmds[at]->entity) {
            bool is_same = cmds[i]->entity == cmds[at]->entity;
            return is_same && (is_beside || !is_asked) ? cmds[i] : NULL;
        }
        is_beside = false;
    }
    return NULL;
}

// DEF-07: what is folded are the commands of an entity, wherever they were recorded
static void each_command_is_linked_to_the_next_of_its_entity(void **state) {
    static const ecs__entity_index_t no_entities; /* nothing is deleted */
    (void)state;
    random_t random = random_init(random_seed());
    ecs__cmd_queue_t queues[QUEUES] = { 0 };
    ecs__chains_t chains = { 0 };
    ecs__cmd_t *cmds[QUEUES * COMMANDS + 1];
    for (int32_t round = 0; round < ROUNDS; round++) {
        int32_t last = 0;
        for (int32_t i = 0; i < QUEUES; i++) record(&queues[i], &random, round % 2, &last);
        ecs__chains_link(&chains, &no_entities, queues, QUEUES);
        int32_t count = list(queues, cmds);
        for (int32_t i = 0; i < count; i++)
            assert_ptr_equal(cmds[i]->next, find_next(cmds, count, i));
        for (int32_t i = 0; i < QUEUES; i++) ecs__queue_clear(&queues[i]);
    }
    for (int32_t i = 0; i < QUEUES; i++) ecs__queue_fini(&queues[i]);
    ecs__chains_fini(&chains);
}

// Each command of a long chain begins what is left of it, and may ask whether that is part of a run: it is told after so many steps.
static void long_chains_are_not_gone_through_for_each_command(void **state) {
    (void)state;
    for (int32_t length = ECS__CHANGE_LONGEST; length <= ECS__CHANGE_LONGEST + 2; length++) {
        const bool is_long = length > ECS__CHANGE_LONGEST;
        ecs__cmd_queue_t queue = { 0 };
        const ecs__cmd_t *heads[2] = { NULL, NULL };
        for (int32_t i = 0; i < 2 * length; i++) {
            const ecs__cmd_kind_t kind = i % length % 3 ? ECS__CMD_ADD : ECS__CMD_ENABLE;
            const ecs__cmd_t *cmd = ecs__queue_push(&queue,
                ecs__cmd_form(kind, false, 8, sizeof(ecs__cmd_t)), 1, 0, 0, pool[i / length]);
            if (!heads[i / length]) heads[i / length] = cmd;
        }
        ecs__queue_iter_t iter = ecs__queue_iter(&queue, 1);
        ecs__queue_peek(&iter);
        assert_true(ecs__chain_pass(heads[0], &iter, ECS__CHANGE_LONGEST) == !is_long);
        if (!is_long) assert_ptr_equal(ecs__queue_peek(&iter), heads[1]);
        ecs__queue_fini(&queue);
    }
}

static void long_chains_are_never_alike(void **state) {
    (void)state;
    ecs__cmd_what_t what[2] = { { .kind = ECS__CMD_ADD }, { .kind = ECS__CMD_ADD } };
    ecs__cmd_t cmds[2][ECS__CHANGE_LONGEST + 1] = { 0 };
    for (int32_t same = 0; same < 2; same++) {
        for (int32_t i = ECS__CHANGE_LONGEST; i >= 0; i--) {
            for (int32_t k = 0; k < 2; k++)
                cmds[k][i] = (ecs__cmd_t){ .what = (uintptr_t)&what[same ? 0 : k],
                    .next = i < ECS__CHANGE_LONGEST ? &cmds[k][i + 1] : NULL };
        }
        assert_true(ecs__run_is_alike(&cmds[0][1], &cmds[1][1]));
        assert_false(ecs__run_is_alike(&cmds[0][0], &cmds[1][0]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_command_is_linked_to_the_next_of_its_entity),
        cmocka_unit_test(long_chains_are_not_gone_through_for_each_command),
        cmocka_unit_test(long_chains_are_never_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
