// SPDX-License-Identifier: MIT
// Are terms filled in, numbered and judged as documented, and does a refused query leave the world
// as it was?
#include "support/world.h"

#include "query/check/check.h"
#include "support/abort.h"
#include "support/check.h"
#include "support/memory.h"
#include "world/state.h"

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Game {
    int32_t value;
} Game;

static ECS_COMPONENT_DECLARE(Position);
static ECS_COMPONENT_DECLARE(Velocity);
static ECS_COMPONENT_DECLARE(Game);

static int setup(void **state) {
    if (mini_world_setup_(state)) return -1;
    ecs_world_t *world = *state;
    ecs_id(Position) = ecs_id(Velocity) = ecs_id(Game) = 0;
    ECS_COMPONENT_DEFINE(world, Position);
    ECS_COMPONENT_DEFINE(world, Velocity);
    ECS_COMPONENT_DEFINE(world, Game);
    ecs_add_id(world, ecs_id(Game), EcsSingleton);
    static const char *const names[] = { "Tag", "Likes", "Apples", "Pears", "Bob", "Fixed",
        "Owns" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) ecs_new_from_path(world, 0, names[i]);
    ecs_add_pair(world, ecs_lookup(world, "Fixed"), EcsOnInstantiate, EcsDontInherit);
    ecs_add_id(world, ecs_lookup(world, "Owns"), EcsTraversable);
    return 0;
}

#define check_test(f) cmocka_unit_test_setup_teardown(f, setup, world_teardown_)

typedef struct checked_t {
    ecs_query_t query;
    ecs__terms_t terms;
} checked_t;

static bool check_desc(ecs_world_t *world, ecs_query_desc_t desc, checked_t *out) {
    *out = (checked_t){ .query = { .world = world, .real_world = world, .flags = desc.flags } };
    if (!ecs__query_parse(world, &desc, &out->terms)) return false;
    if (ecs__query_check(world, &desc, &out->query, &out->terms)) return true;
    ecs__terms_fini(&out->terms);
    return false;
}

static checked_t check_text(ecs_world_t *world, const char *expr) {
    checked_t out;
    if (!check_desc(world, (ecs_query_desc_t){ .expr = expr }, &out))
        fail_msg("'%s' is refused", expr);
    return out;
}

static void release(checked_t *checked) {
    ecs_os_free(checked->query.ids);
    ecs_os_free(checked->query.sizes);
    ecs__terms_fini(&checked->terms);
}

// What a text becomes, printed; and that the print becomes the same (QL-19).
static void assert_canonical(ecs_world_t *world, const char *expr, const char *expected) {
    checked_t checked = check_text(world, expr);
    char *text = ecs_query_str(&checked.query);
    assert_string_equal(text, expected);
    checked_t again = check_text(world, text);
    char *same = ecs_query_str(&again.query);
    assert_string_equal(same, text);
    ecs_os_free(same);
    ecs_os_free(text);
    release(&again);
    release(&checked);
}

// ---- Filling in ----

static void what_a_term_leaves_out_is_filled_in(void **state) {
    ecs_world_t *world = *state;
    static const struct {
        const char *text, *canonical;
    } rows[] = {
        { "Position", "Position($this|self|up IsA)" }, /* Q-TRV-06, D-19 */
        { "Position(self)", "Position($this|self)" },
        { "Fixed", "Fixed($this)" },
        { "Prefab", "Prefab($this)" },
        { "(Likes, Apples)", "Likes($this|self|up IsA,Apples)" },
        { "(ChildOf, Bob)", "ChildOf($this,Bob)" },
        { "Position(up)", "Position($this|up ChildOf)" }, /* Q-TRV-01 */
        { "Position(self|up)", "Position($this|self|up ChildOf)" },
        { "Position(cascade|desc)", "Position($this|cascade|desc ChildOf)" },
        { "Position(up(ChildOf, 2, 4))", "Position($this|up(ChildOf, 2, 4))" },
        { "Position(up(Owns, 3))", "Position($this|up(Owns, 3))" },
        { "Position(Bob)", "Position(Bob|self|up IsA)" },
        { "Position(Bob|up Owns)", "Position(Bob|up Owns)" },
        { "Game", "Game(Game|self|up IsA)" }, /* Singleton trait */
        { "Game($this)", "Game($this|self|up IsA)" },
        { "Tag($)", "Tag(Tag|self|up IsA)" },
        { "[out] Velocity()", "[out] Velocity()" },
        { "Likes(#0, Apples)", "Likes(#0,Apples)" },
        { "[in] Position, !Velocity, ?Tag",
            "[in] Position($this|self|up IsA), !Velocity($this|self|up IsA), ?Tag($this|self|up IsA)" },
        { "[in] Position(self) || Velocity(self), Tag(self)",
            "[in] Position($this|self) || Velocity($this|self), Tag($this|self)" },
        { "*, (*, *), _, (Likes, *)",
            "[none] *($this), [none] *($this,*), [none] _($this), Likes($this|self|up IsA,*)" },
        { "!(ChildOf, _)", "ChildOf($this,#0)" },
        { "!(ChildOf, *)", "ChildOf($this,#0)" },
        { "(ChildOf, #0)", "ChildOf($this,#0)" },
        { "Tag|self(self)", "Tag|self($this|self)" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_canonical(world, rows[i].text, rows[i].canonical);
}

static void fields_count_terms_and_chains(void **state) {
    ecs_world_t *world = *state;
    checked_t c = check_text(world, "Position, Velocity || Tag || Game($this), [in] Velocity");
    assert_int_equal(c.query.term_count, 5); /* Q-OR-05 */
    assert_int_equal(c.query.field_count, 3);
    static const int8_t fields[] = { 0, 1, 1, 1, 2 };
    for (int i = 0; i < 5; i++) assert_int_equal(c.query.terms[i].field_index, fields[i]);
    assert_id_equal(world, c.query.ids[0], ecs_id(Position));
    assert_int_equal(c.query.ids[1], 0);
    assert_int_equal(c.query.sizes[0], sizeof(Position));
    assert_int_equal(c.query.sizes[1], 0);
    assert_int_equal(c.query.static_id_fields, 5);
    release(&c);
    c = check_text(world, "Tag, or|Bob, and|Bob, (Likes, *)");
    assert_int_equal(c.query.static_id_fields, 1 | 4);
    release(&c);
}

static void sets_of_fields_tell_what_is_read_and_written(void **state) {
    ecs_world_t *world = *state;
    checked_t c = check_text(world,
        "[in] Position(self), Velocity, Tag, !Velocity, Game, [inout] Game, [none] Velocity, [out] Position(), Position(up), Position(self)");
    /* field:    0                   1         2    3          4     5             6
     * 7                 8             9 */
    assert_int_equal(c.query.field_count, 10);
    assert_int_equal(c.query.data_fields,
        1 << 0 | 1 << 1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 9); /* ACC-07: tags have none */
    assert_int_equal(c.query.write_fields, 1 << 1 | 1 << 5 | 1 << 7 | 1 << 9); /* Q-ACC-02..06 */
    assert_int_equal(c.query.read_fields, 1 << 0 | 1 << 1 | 1 << 4 | 1 << 5 | 1 << 8 | 1 << 9);
    assert_int_equal(c.query.shared_readonly_fields, 1 << 1 | 1 << 4 | 1 << 8);
    assert_int_equal(c.query.fixed_fields, 1 << 4 | 1 << 5);
    assert_int_equal(c.query.set_fields, 0x3FF & ~(1 << 3 | 1 << 7));
    release(&c);
}

static void flags_tell_what_the_terms_imply(void **state) {
    ecs_world_t *world = *state;
    checked_t c = check_text(world, "Position(self), Tag(self)");
    assert_true(c.query.flags & EcsQueryMatchThis);
    assert_true(c.query.flags & EcsQueryMatchOnlyThis);
    assert_true(c.query.flags & EcsQueryMatchOnlySelf);
    assert_true(c.query.flags & EcsQueryIsTrivial);
    assert_false(c.query.flags & (EcsQueryMatchPrefab | EcsQueryHasRefs | EcsQueryMatchWildcards |
                                     EcsQueryHasCondSet));
    release(&c);
    c = check_text(world, "?Prefab, !Disabled, (Likes, *), Position(Bob)");
    assert_true(c.query.flags & EcsQueryMatchPrefab);
    assert_true(c.query.flags & EcsQueryMatchDisabled);
    assert_true(c.query.flags & EcsQueryMatchWildcards);
    assert_true(c.query.flags & EcsQueryHasRefs);
    assert_false(c.query.flags & (EcsQueryMatchOnlyThis | EcsQueryIsTrivial));
    release(&c);
    c = check_text(world, "Position()");
    assert_true(c.query.flags & EcsQueryMatchNothing);
    release(&c);
}

// Q-NEW-04, Q-NEW-08, Q-NEW-09, Q-TRM-04, Q-SRC-04, D-43
static void descriptors_and_text_give_equal_terms(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t likes = ecs_lookup(world, "Likes"), apples = ecs_lookup(world, "Apples"),
                 bob = ecs_lookup(world, "Bob");
    const struct {
        ecs_term_t term;
        const char *text;
    } rows[] = {
        { { ecs_id(Position) }, "Position" }, { { .first.id = ecs_id(Position) }, "Position" },
        { { .first.name = "Position" }, "Position" },
        { { ecs_pair(likes, apples) }, "(Likes, Apples)" },
        { { .first.id = likes, .second.id = apples }, "(Likes, Apples)" },
        { { .first.name = "Likes", .second.name = "Apples" }, "(Likes, Apples)" },
        { { .id = ecs_pair(likes, apples), .first.id = likes }, "(Likes, Apples)" },
        { { likes, .second.name = "*" }, "(Likes, *)" },
        { { ecs_id(Position), .src.id = bob }, "Position(Bob)" },
        { { ecs_id(Position), .src.name = "Bob" }, "Position(Bob)" },
        { { ecs_id(Position), .src.name = "$this" }, "Position" },
        { { ecs_id(Position), .src.id = EcsIsEntity }, "Position()" },
        { { ecs_id(Position), .src.id = EcsSelf }, "Position(self)" },
        { { ecs_id(Position), .src.id = EcsUp, .trav = EcsChildOf }, "Position(up)" },
        { { ecs_id(Position), .trav = EcsIsA }, "Position(self|up IsA)" },
        { { ecs_id(Position), .src.id = EcsCascade }, "Position(cascade)" },
        { { ecs_id(Position), .oper = EcsOr }, "Position" }, /* D-23: tolerated on the last term */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        checked_t a, b = check_text(world, rows[i].text);
        assert_true(check_desc(world, (ecs_query_desc_t){ .terms = { rows[i].term } }, &a));
        char *left = ecs_query_str(&a.query), *right = ecs_query_str(&b.query);
        assert_string_equal(left, right);
        assert_true(a.query.terms->id == b.query.terms->id &&
                    a.query.terms->src.id == b.query.terms->src.id);
        ecs_os_free(left);
        ecs_os_free(right);
        release(&a);
        release(&b);
    }
}

static void targets_are_looked_up_where_oneof_wants_them(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t color = ecs_new_from_path(world, 0, "Color"),
                 red = ecs_new_from_path(world, 0, "Color.Red");
    ecs_new_from_path(world, 0, "Red");
    ecs_add_id(world, color, EcsOneOf);
    checked_t c = check_text(world, "(Color, Red)");
    assert_id_equal(world, c.query.terms->id, ecs_pair(color, red));
    release(&c);
}

static void names_are_printed_so_that_they_read_back(void **state) {
    ecs_world_t *world = *state;
    static const char *const names[] = { "with space", "up", "12", "a.b", "x:y", "a::b",
        "Vec<int, 3>", "x<y", "(odd)", "and", "@33", "#12", "$x", "*", "_", "\\#12" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ecs_entity_t e = ecs_set_name(world, ecs_new(world), names[i]);
        checked_t a;
        assert_true(check_desc(world,
            (ecs_query_desc_t){ .terms = { { ecs_id(Position), .src.id = e }, { e } } }, &a));
        char *text = ecs_query_str(&a.query);
        checked_t b = check_text(world, text);
        assert_id_equal(world, b.query.terms[1].id, e);
        assert_id_equal(world, ECS_TERM_REF_ID(&b.query.terms[0].src), e);
        ecs_os_free(text);
        release(&a);
        release(&b);
    }
}

// ---- Refusals ----

// WLD-04: nothing in the world may differ after a failure.
static void assert_refused(
    ecs_world_t *world, const ecs_query_desc_t *desc, int code, const char *sentence) {
    int32_t ids = ecs_map_count(&world->store.ids.high), tables = world->store.table_live,
            names = world->names.live;
    int32_t alive = world->store.entities.alive_count;
    uint64_t hash = ecs_world_hash(world);
    int64_t memory = memory_live();
    checked_t out;
    bool ok = true;
    expect_error(code, sentence, ok = check_desc(world, *desc, &out));
    if (ok) fail_msg("'%s' is accepted", desc->expr ? desc->expr : "descriptor");
    assert_int_equal(memory_live(), memory);
    assert_int_equal(ecs_map_count(&world->store.ids.high), ids);
    assert_int_equal(world->store.table_live, tables);
    assert_int_equal(world->names.live, names);
    assert_int_equal(world->store.entities.alive_count, alive);
    assert_true(ecs_world_hash(world) == hash);
}

// WLD-02, api/04 §4, Q-TRV-13, Q-NEW-10, Q-FRM-07, Q-EQ-10
static void bad_terms_are_refused_with_a_sentence(void **state) {
    ecs_world_t *world = *state;
    static const struct {
        const char *text, *sentence;
        int code; /* 0: INVALID_PARAMETER */
    } rows[] = {
        { "Position, Nobody", "unresolved identifier 'Nobody'" },
        { "Positon", "did you mean Position?" }, { "VELOCITI", "did you mean Velocity?" },
        { "Childof($this, Bob)", "did you mean ChildOf?" },
        { "(Likes, Apples)(Bob)", "or a source as in Likes(Bob, Apples), instead of 'Bob'" },
        { "Position(up Nothing)", "unresolved traversal relationship 'Nothing'" },
        { "Position(#99999)", "not alive" }, { "Position(up Likes)", "Traversable" },
        { "Fixed(up IsA)", "do not inherit" }, { "Position(desc)", "'desc' needs 'cascade'" },
        { "Position(up|desc)", "'desc' needs 'cascade'" },
        { "Position|cascade ChildOf", "for the source" },
        { "Position(cascade), Velocity(cascade)", "cascade over one term", ECS_UNSUPPORTED },
        { "Position(cascade) || Velocity(cascade)", "part of an OR", ECS_UNSUPPORTED },
        { "Position(self) || Velocity(Bob)", "same source" },
        { "[in] Position || [out] Velocity", "stands before its first term" },
        { "[in] and|Tag", "no values" }, { "and|(Likes, Apples)", "From operators need" },
        { "$this == $this", "both sides" }, { "\\@33", "unresolved identifier" },
        { "(Likes, @99999999999)", "32 bits" }, { "(Likes, @x)", "enum constant" },
        { "", "at least one term" }, /* Q-NEW-17 */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_refused(world, &(ecs_query_desc_t){ .expr = rows[i].text },
            rows[i].code ? rows[i].code : ECS_INVALID_PARAMETER, rows[i].sentence);
    }
}

static void bad_descriptors_are_refused_with_the_term(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t likes = ecs_lookup(world, "Likes"), apples = ecs_lookup(world, "Apples"),
                 dead = ecs_new(world);
    ecs_delete(world, dead);
    const struct {
        ecs_term_t terms[3];
        const char *sentence;
    } rows[] = {
        { { { ecs_id(Position) }, { .first.name = "Nobody" } }, "term 1" },
        { { { ecs_id(Position), .first.id = ecs_id(Velocity) } }, "contradict" },
        { { { .id = ecs_pair(likes, apples), .second.id = likes } }, "contradict" },
        { { { .first = { .id = likes, .name = "Likes" } } }, "has an id and the name" },
        { { { ecs_id(Position), .src = { .id = EcsIsEntity | EcsIsVariable, .name = "x" } } },
            "not both" },
        { { { .second.id = apples } }, "needs an id" },
        { { { dead } }, "not alive" },
        { { { ecs_pair(likes, dead) } }, "not alive" },
        { { { ecs_id(Position), .trav = EcsChildOf } }, "needs 'up'" },
        { { { ecs_id(Position), .max_depth = 2, .src.id = EcsSelf } }, "depth limits" },
        { { { ecs_id(Position), .min_depth = 3, .max_depth = 2, .src.id = EcsUp } },
            "depth limits" },
        { { { ecs_id(Position), .min_depth = -1, .src.id = EcsUp } }, "depth limits" },
        { { { ecs_id(Position), .oper = 42 } }, "no valid value" },
        { { { ecs_id(Position), .inout = -1 } }, "no valid value" },
        { { { ecs_id(Position), .oper = EcsOr }, { ecs_id(Velocity), .oper = EcsNot } },
            "OR expression" },
        { { { ecs_id(Position), .src.name = "$" } }, "needs a name" },
        { { { EcsVariable } }, "needs a name" },
        { { { .first.name = "@3" } }, "target of a term only" },
        { { { ecs_id(Position), .src.id = EcsIsEntity | EcsUp } }, "without source" },
        { { { EcsScopeOpen, .src.id = EcsIsEntity, .oper = EcsNot }, { ecs_id(Position) } },
            "not closed" }, /* Q-SCP-10 */
        { { { ecs_id(Position) }, { EcsScopeClose, .src.id = EcsIsEntity } }, "never opened" },
        { { { EcsScopeOpen, .src.id = EcsIsEntity }, { EcsScopeClose, .src.id = EcsIsEntity } },
            "cannot be empty" },
        { { { .first.id = EcsPredEq, .src.id = apples, .second.id = likes } }, "left side" },
        { { { .first.id = EcsPredEq, .src.name = "*", .second.id = likes } }, "left side" },
        { { { .first.id = EcsPredMatch, .src.name = "$this", .second.id = likes } },
            "text in quotes" },
        { { { .first.id = EcsPredEq, .src.name = "$this" } }, "right side" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ecs_query_desc_t desc = { ._canary = 0 };
        memcpy(desc.terms, rows[i].terms, sizeof rows[i].terms);
        assert_refused(world, &desc, ECS_INVALID_PARAMETER, rows[i].sentence);
    }
}

static void an_element_with_kinds_can_be_meant_itself(void **state) {
    ecs_world_t *world = *state;
    ecs_entity_t unit = ecs_new_from_path(world, 0, "Unit"),
                 melee = ecs_new_from_path(world, 0, "Melee");
    ecs_add_pair(world, melee, EcsIsA, unit);
    assert_canonical(world, "Unit|self", "Unit|self($this|self|up IsA)");
    assert_canonical(world, "(IsA, Unit|self)", "IsA($this,Unit|self)");
}

// QL-17
static void messages_point_at_the_name(void **state) {
    ecs_world_t *world = *state;
    checked_t out;
    ecs_log_start_capture(true);
    check_desc(world, (ecs_query_desc_t){ .expr = "Position, (Likes, Nobody)" }, &out);
    char *messages = ecs_log_stop_capture();
    const char *caret = strchr(messages, '^'), *line = caret;
    while (line[-1] != '\n') line--;
    assert_int_equal(caret - line, 4 + 18);
    ecs_os_free(messages);
}

static void check_under_fault(void *world, bool will_fail) {
    checked_t out;
    const int level = ecs_log_set_level(-4);
    const bool ok = check_desc(
        world, (ecs_query_desc_t){ .expr = "Position, (Likes, $x), !Velocity($x)" }, &out);
    ecs_log_set_level(level);
    if (ok) ecs__terms_fini(&out.terms);
    ecs_os_free(out.query.ids);
    ecs_os_free(out.query.sizes);
    assert_true(ok == !will_fail);
    if (!ok) assert_int_equal(ecs_log_last_error(), ECS_OUT_OF_MEMORY);
}

// QL-17
static void lack_of_memory_is_reported_like_bad_input(void **state) {
    assert_true(memory_fault_sweep(check_under_fault, *state, 50) > 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        check_test(what_a_term_leaves_out_is_filled_in),
        check_test(fields_count_terms_and_chains),
        check_test(sets_of_fields_tell_what_is_read_and_written),
        check_test(flags_tell_what_the_terms_imply),
        check_test(descriptors_and_text_give_equal_terms),
        check_test(targets_are_looked_up_where_oneof_wants_them),
        check_test(names_are_printed_so_that_they_read_back),
        check_test(bad_terms_are_refused_with_a_sentence),
        check_test(bad_descriptors_are_refused_with_the_term),
        check_test(an_element_with_kinds_can_be_meant_itself),
        check_test(messages_point_at_the_name),
        check_test(lack_of_memory_is_reported_like_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
