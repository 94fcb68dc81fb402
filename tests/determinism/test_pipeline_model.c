// SPDX-License-Identifier: MIT
// Random pipelines against a naive model that runs one system after the other over plain sets.
//
// A scene is a pure function of its number: entities, systems with random terms, kinds, phases and clocks, whose callbacks mix
// what they see into a sum, write it and record commands that follow from it. The model keeps a set of ids and the values of
// each entity. It orders systems by depth and id, lets them see what was there at the last merge, and merges where declared
// reads of staged writes and changes of kind ask for it; commands are done one after the other, systems, then rows. The
// order of rows and the ids of new entities, which no rule tells, are those that Muster had without workers. Each visit must have
// seen what the model sees, each tick must end in its state with as many merges; then any number of workers gives the same world.
//
// MUSTER_TEST_SCALE sets how many scenes are run, MUSTER_TEST_SEED with which it begins, MUSTER_TEST_SHOW prints them.
// SYS-04, SYS-05, SYS-08..10, SYNC-01..07, THR-01..03, DEF-07, DEF-09, DEF-10, D-19, D-37
#include "support/world.h"

#include <stdlib.h>

#include "support/random.h"

typedef uint32_t value_t;

enum {
    A,
    B,
    C,
    D,
    E,
    COMPONENTS,
    T0 = COMPONENTS,
    T1,
    T2,
    DOOM,
    LATE,
    R0,
    R3 = R0 + 3,
    X0,
    X3 = X0 + 3,
    ISA,
    OFF,
    IDS
};
enum { ANY_R = IDS, ANY_X, ALL, PATTERNS }; /* (R, *), (X, *), * */
enum { THIS, SELF, UP, NOWHERE, FIXED };    /* where a term looks */
enum { MAIN, SPLIT, ANY_THREAD, IMMEDIATE };
enum { ANCHORS = 8, PHASES = 6, SOURCES = 4, TERMS = 6, SYSTEMS = 12, TICKS = 6, BEINGS = 1 << 16 };

static const char *const id_names[] = { "A", "B", "C", "D", "E", "T0", "T1", "T2", "DOOM", "LATE",
    "(R, anchor0)", "(R, anchor1)", "(R, anchor2)", "(R, anchor3)", "(X, anchor0)", "(X, anchor1)",
    "(X, anchor2)", "(X, anchor3)", "(IsA, base)", "Disabled", "(R, *)", "(X, *)", "*" };

typedef struct term_t {
    int id, from;
    int16_t oper;
    ecs_inout_kind_t inout;
    bool is_choice; /* of an Or chain, which does not ask if ids are switched on */
} term_t;

typedef struct system_t {
    ecs_entity_t id;
    term_t terms[TERMS];
    int count, kind, phase, source, group, number; /* -1: no source, no group */
    uint64_t rate;                                 /* of commands */
    bool instanced, has_run, alive, enabled;
} system_t;

typedef struct being_t {
    ecs_entity_t id;
    int parent; /* -1: none */
    uint32_t has, seen, seen_in;
    value_t value[COMPONENTS];
    bool alive, is_base, d_is_off;
} being_t;

typedef struct command_t {
    int kind, which;
    ecs_entity_t entity, made;
    value_t value;
} command_t;

/* What a callback without workers saw: one row of one result. */
typedef struct visit_t {
    ecs_entity_t entity, made[2];
    int pair; /* that matched (R, *); -1 without one */
    uint64_t sum;
} visit_t;

static struct {
    ecs_world_t *world;
    ecs_id_t ids[PATTERNS];
    ecs_entity_t R, X, base, anchors[ANCHORS], last_guard, last_anchor, phases[PHASES],
        sources[SOURCES];
    system_t systems[SYSTEMS];
    int system_count;
    int64_t tick;
    uint64_t seed;
    visit_t *visits[SYSTEMS]; /* NULL: nothing is noted */
    int32_t visit_count[SYSTEMS];
} scene;

static const ecs_ftime_t frame_time = 0.25f;

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ull;
    return hash ^ (hash >> 29);
}

// ---- What a visit asks for ----

enum {
    DO_NOTHING,
    SET,
    REMOVE,
    ADD_TAG,
    REMOVE_TAG,
    ADD_R,
    REMOVE_R,
    REMOVE_ALL_R,
    ADD_X,
    REMOVE_X,
    ADD_PARENT,
    REMOVE_PARENT,
    NEW_CHILD,
    NEW_INSTANCE,
    NEW_AND_GONE,
    DELETE,
    DELETE_ANCHOR,
    ENABLE,
    TOGGLE,
    CLEAR,
    ENABLE_SYSTEM,
    DELETE_SYSTEM,
    ENABLE_PHASE,
    ADD_LATE,
    DELETE_WITH,
    REMOVE_ALL,
    KINDS
};

static command_t decide(ecs_entity_t entity, uint64_t random) {
    static const uint8_t settable[] = { A, B, C, E }, tags[] = { T0, T1, T2, DOOM };
    static const uint8_t chance[KINDS] = { [DELETE] = 3,
        [DELETE_ANCHOR] = 40,
        [ENABLE_SYSTEM] = 30,
        [DELETE_SYSTEM] = 90,
        [ENABLE_PHASE] = 60,
        [ADD_LATE] = 60,
        [DELETE_WITH] = 60,
        [REMOVE_ALL] = 60,
        [CLEAR] = 5 };
    command_t c = {
        .kind = (int)(random % KINDS), .entity = entity, .value = (value_t)(random >> 32)
    };
    uint64_t which = random / KINDS;
    if (chance[c.kind] && which / 256 % chance[c.kind]) c.kind = SET;
    switch (c.kind) {
    case SET:
    case REMOVE: c.which = settable[which % 4]; break;
    case ADD_TAG:
    case REMOVE_TAG: c.which = tags[which % 2]; break;
    case NEW_CHILD: c.which = tags[which % 4]; break;
    case ADD_X: c.which = (int)(which % 3); break;
    case DELETE_ANCHOR: c.which = 3; break;
    case ADD_PARENT: c.which = 1 + (int)(which % (ANCHORS - 1)); break;
    case ENABLE_SYSTEM:
    case DELETE_SYSTEM: c.which = (int)(which % (uint64_t)scene.system_count); break;
    case ENABLE_PHASE: c.which = 4 + (int)(which % 2); break;
    default: c.which = (int)(which % 4); break;
    }
    return c;
}

static bool is_written(const term_t *t);

// An immediate system does not set what its fields write: such a set is done at once.
static command_t decide_for(const system_t *s, ecs_entity_t entity, uint64_t random) {
    command_t c = decide(entity, random);
    for (int i = 0; i < s->count && c.kind == SET && s->kind == IMMEDIATE; i++) {
        if (s->terms[i].id == c.which && is_written(&s->terms[i])) c.kind = DO_NOTHING;
    }
    return c;
}

// Some things stay as they are, so that each system goes on matching what it needs to be active. And as commands of one entity may be done
// together, at the place of the first, none is asked for that comes out differently before and behind what others ask for: what may be
// swept away with DOOM or T2 has them from the beginning, and children of what may be deleted stay there.
static bool is_allowed(const command_t *c) {
    bool is_crowd = c->entity > scene.last_anchor;
    if (c->kind >= DELETE_ANCHOR && c->kind != ENABLE && c->kind != TOGGLE && c->kind != CLEAR &&
        c->kind != ADD_LATE)
        return true;
    if (c->entity <= scene.last_guard) return false;
    return is_crowd || (c->kind != ADD_PARENT && c->kind != DELETE && c->kind != CLEAR);
}

// ---- The same in Muster ----

static bool record_new(ecs_world_t *world, command_t *c) {
    ecs_entity_t e = c->entity;
    switch (c->kind) {
    case NEW_CHILD:
        if (ecs_has_pair(world, e, EcsIsA, EcsWildcard)) return true;
        c->made = ecs_new_w_pair(world, EcsChildOf, e);
        ecs_add_id(world, c->made, scene.ids[c->which]);
        ecs_set_id(world, c->made, scene.ids[C], sizeof(value_t), &c->value);
        return true;
    case NEW_INSTANCE:
        c->made = ecs_new_w_pair(world, EcsIsA, scene.base);
        ecs_set_id(world, c->made, scene.ids[E], sizeof(value_t), &c->value);
        return true;
    case NEW_AND_GONE:
        c->made = ecs_new_w_id(world, scene.ids[T1]);
        ecs_set_id(world, c->made, scene.ids[D], sizeof(value_t), &c->value);
        if (c->value % 2) ecs_delete(world, c->made);
        return true;
    default: return false;
    }
}

static void record(ecs_world_t *world, command_t *c) {
    ecs_entity_t e = c->entity, target = scene.anchors[c->which % ANCHORS];
    if (!is_allowed(c) || record_new(world, c)) return;
    ecs_entity_t parent = ecs_get_target(world, e, EcsChildOf, 0);
    switch (c->kind) {
    case SET: ecs_set_id(world, e, scene.ids[c->which], sizeof(value_t), &c->value); break;
    case REMOVE:
    case REMOVE_TAG: ecs_remove_id(world, e, scene.ids[c->which]); break;
    case ADD_TAG: ecs_add_id(world, e, scene.ids[c->which]); break;
    case ADD_R:
        if (ecs_is_alive(world, target)) ecs_add_pair(world, e, scene.R, target);
        break;
    case REMOVE_R:
        if (ecs_is_alive(world, target)) ecs_remove_pair(world, e, scene.R, target);
        break;
    case REMOVE_ALL_R: ecs_remove_pair(world, e, scene.R, EcsWildcard); break;
    case ADD_X:
        if (ecs_is_alive(world, target)) ecs_add_pair(world, e, scene.X, target);
        break;
    case REMOVE_X: ecs_remove_pair(world, e, scene.X, EcsWildcard); break;
    case ADD_PARENT:
        if (parent <= scene.last_anchor && target != scene.anchors[3])
            ecs_add_pair(world, e, EcsChildOf, target);
        break;
    case REMOVE_PARENT:
        if (parent <= scene.last_anchor) ecs_remove_pair(world, e, EcsChildOf, EcsWildcard);
        break;
    case DELETE: ecs_delete(world, e); break;
    case DELETE_ANCHOR:
        if (ecs_is_alive(world, target)) ecs_delete(world, target);
        break;
    case ENABLE: ecs_enable(world, e, c->value % 2); break;
    case TOGGLE:
        if (ecs_owns_id(world, e, scene.ids[D]))
            ecs_enable_id(world, e, scene.ids[D], c->value % 2);
        break;
    case CLEAR:
        if (!ecs_owns_id(world, e, scene.ids[D]) && !ecs_owns_id(world, e, scene.ids[DOOM]) &&
            parent <= scene.last_anchor)
            ecs_clear(world, e);
        break;
    case ENABLE_SYSTEM:
        if (ecs_is_alive(world, scene.systems[c->which].id))
            ecs_enable(world, scene.systems[c->which].id, c->value % 2);
        break;
    case DELETE_SYSTEM:
        if (ecs_is_alive(world, scene.systems[c->which].id))
            ecs_delete(world, scene.systems[c->which].id);
        break;
    case ENABLE_PHASE: ecs_enable(world, scene.phases[c->which], c->value % 2); break;
    case ADD_LATE: ecs_add_id(world, e, scene.ids[LATE]); break;
    case DELETE_WITH: ecs_delete_with(world, scene.ids[DOOM]); break;
    case REMOVE_ALL: ecs_remove_all(world, scene.ids[T2]); break;
    default: break;
    }
}

static bool is_value(const term_t *t) {
    return t->id < COMPONENTS && t->oper != EcsNot && t->inout != EcsInOutNone &&
           t->inout != EcsInOutFilter && t->from != NOWHERE;
}

static bool is_read(const term_t *t) { return is_value(t) && t->inout != EcsOut; }

static bool is_written(const term_t *t) {
    bool is_elsewhere = t->from == UP || t->from == FIXED;
    return is_value(t) && (t->inout == EcsOut || t->inout == EcsInOut ||
                              (t->inout == EcsInOutDefault && !is_elsewhere));
}

static bool looks_around(const term_t *t) {
    return t->from == NOWHERE && t->id < COMPONENTS && (t->inout == EcsIn || t->inout == EcsInOut);
}

static value_t *value_of(ecs_iter_t *it, int8_t field, int32_t row) {
    if (!ecs_field_is_set(it, field)) return NULL;
    if (it->row_fields & 1u << field) return ecs_field_at_w_size(it, sizeof(value_t), field, row);
    value_t *values = ecs_field_w_size(it, sizeof(value_t), field);
    return values ? values + (ecs_field_is_self(it, field) ? row : 0) : NULL;
}

// Alternatives share a field.
static bool has_own_field(const system_t *s, int i) { return !i || s->terms[i - 1].oper != EcsOr; }

static int pair_of(ecs_iter_t *it, const system_t *s) {
    int8_t field = -1;
    for (int i = 0; i < s->count; i++) {
        field += (int8_t)has_own_field(s, i);
        if (s->terms[i].id != ANY_R || s->terms[i].oper != EcsAnd || s->terms[i].from == NOWHERE)
            continue;
        for (int k = 0; k < 4; k++) {
            if (ecs_field_id(it, field) == scene.ids[R0 + k]) return k;
        }
    }
    return -1;
}

static uint64_t begin_sum(
    const system_t *s, ecs_entity_t entity, int pair, ecs_ftime_t system_time) {
    uint64_t sum =
        mix(mix((uint64_t)s->number, entity), (uint64_t)(pair + 1) + (uint64_t)scene.tick * 8);
    return mix(sum, (uint64_t)(system_time * 64));
}

static void visit(ecs_iter_t *it, const system_t *s, ecs_entity_t entity, int32_t row) {
    visit_t seen = { .entity = entity, .pair = it->field_count ? pair_of(it, s) : -1 };
    uint64_t sum = begin_sum(s, entity, seen.pair, it->delta_system_time);
    int8_t field = -1;
    for (int i = 0; i < s->count; i++) {
        const term_t *t = &s->terms[i];
        ecs_entity_t anchor = scene.anchors[(entity + (uint64_t)i) % ANCHORS];
        const value_t *value = NULL;
        field += (int8_t)has_own_field(s, i);
        if (looks_around(t) && ecs_is_alive(it->world, anchor))
            value = ecs_get_id(it->world, anchor, scene.ids[t->id]);
        if (is_read(t) && has_own_field(s, i)) value = value_of(it, field, row);
        if (looks_around(t) || is_read(t)) sum = mix(sum, value ? *value : 1);
    }
    field = -1;
    for (int i = 0; i < s->count; i++) {
        field += (int8_t)has_own_field(s, i);
        if (!is_written(&s->terms[i])) continue;
        bool is_own = ecs_field_src(it, field) == 0 || s->terms[i].from == FIXED;
        value_t *value = is_own ? value_of(it, field, row) : NULL;
        if (value) *value = (value_t)mix(sum, (uint64_t)i);
    }
    for (int k = 0; k < 2; k++) {
        uint64_t random = mix(sum, 1000 + (uint64_t)k);
        ecs_entity_t e = entity ? entity : scene.anchors[1 + random / 3 % 2];
        if (random % s->rate) continue;
        command_t c = decide_for(s, e, random / s->rate);
        record(it->world, &c);
        seen.made[k] = c.made;
    }
    seen.sum = sum;
    if (!scene.visits[0]) return;
    scene.visits[s->number][scene.visit_count[s->number]++] = seen;
}

static void Visit(ecs_iter_t *it) {
    const system_t *s = it->ctx;
    for (int32_t i = 0; i < it->count; i++) visit(it, s, it->entities[i], i);
    if (!s->count) visit(it, s, 0, 0);
}

static void Run(ecs_iter_t *it) {
    while (ecs_iter_next(it)) Visit(it);
}

// ---- The model ----

static struct {
    being_t *beings; /* 0 to ANCHORS - 1: anchors; ANCHORS: the base */
    int32_t count, *by_id;
    command_t *queue;
    int32_t queued, queue_size;
    bool phase_off[PHASES];
    double timer;
    int64_t merges, frame_of_rate[2];
    double elapsed[SOURCES], since[SOURCES];
    bool ticks[SOURCES], was_late;
    uint32_t run; /* number of the system run, for being_t.seen */
} model;

static int find(ecs_entity_t id) {
    int32_t at = model.by_id[(uint32_t)id];
    return model.beings[at].id == id ? at : -1;
}

static int new_being(ecs_entity_t id) {
    assert_true(model.count < BEINGS && (uint32_t)id < BEINGS);
    int at = model.count++;
    model.beings[at] = (being_t){ .id = id, .parent = -1, .alive = true };
    model.by_id[(uint32_t)id] = at;
    return at;
}

static bool fits(int id, int pattern) {
    if (pattern == ANY_R) return (id >= R0 && id <= R3) || id == ANY_R;
    if (pattern == ANY_X) return (id >= X0 && id <= X3) || id == ANY_X;
    return id == pattern || pattern == ALL;
}

static bool overlap(int a, int b) { return fits(a, b) || fits(b, a); }

static void kill_being(int at) {
    being_t *b = &model.beings[at];
    if (!b->alive) return;
    b->alive = false;
    for (int i = 0; i < model.count; i++) {
        if (model.beings[i].parent == at) kill_being(i);
        if (at < 4) model.beings[i].has &= ~(1u << (R0 + at) | 1u << (X0 + at));
    }
}

static void set_value(being_t *b, int id, value_t value) {
    b->has |= 1u << id;
    b->value[id] = value;
}

static void set_bits(uint32_t *bits, uint32_t which, bool on) {
    *bits = on ? *bits | which : *bits & ~which;
}

static void do_new(const command_t *c) {
    if (!c->made) return;
    being_t *b = &model.beings[new_being(c->made)];
    if (c->kind == NEW_CHILD) {
        int parent = find(c->entity);
        if (parent < 0 || !model.beings[parent].alive) {
            b->alive = false;
            return;
        }
        b->parent = parent;
        b->has |= 1u << c->which;
        set_value(b, C, c->value);
    } else if (c->kind == NEW_INSTANCE) {
        b->has = 1u << ISA;
        set_value(b, E, c->value);
    } else {
        b->has = 1u << T1;
        set_value(b, D, c->value);
        b->alive = !(c->value % 2);
    }
}

static void do_wide(const command_t *c) {
    system_t *s = &scene.systems[c->which % SYSTEMS];
    switch (c->kind) {
    case DELETE_ANCHOR: kill_being(c->which); break;
    case ENABLE_SYSTEM: s->enabled = c->value % 2; break;
    case DELETE_SYSTEM: s->alive = false; break;
    case ENABLE_PHASE: model.phase_off[c->which] = !(c->value % 2); break;
    case DELETE_WITH:
        for (int i = 0; i < model.count; i++) {
            if (model.beings[i].alive && model.beings[i].has & 1u << DOOM) kill_being(i);
        }
        break;
    case REMOVE_ALL:
        for (int i = 0; i < model.count; i++) model.beings[i].has &= ~(1u << T2);
        break;
    default: break;
    }
}

static void do_command(const command_t *c) {
    static const uint32_t all_r = 15u << R0, all_x = 15u << X0;
    do_new(c);
    do_wide(c);
    int at = find(c->entity);
    being_t *b = &model.beings[at];
    if (at < 0 || !b->alive) return;
    bool target_lives = model.beings[c->which % ANCHORS].alive;
    switch (c->kind) {
    case SET: set_value(b, c->which, c->value); break;
    case REMOVE:
    case REMOVE_TAG: b->has &= ~(1u << c->which); break;
    case ADD_TAG: b->has |= 1u << c->which; break;
    case ADD_R: b->has |= target_lives ? 1u << (R0 + c->which) : 0; break;
    case REMOVE_R: b->has &= ~(1u << (R0 + c->which)); break;
    case REMOVE_ALL_R: b->has &= ~all_r; break;
    case ADD_X:
        if (target_lives) b->has = (b->has & ~all_x) | 1u << (X0 + c->which);
        break;
    case REMOVE_X: b->has &= ~all_x; break;
    case ADD_PARENT:
        if (target_lives)
            b->parent = c->which;
        else
            kill_being(at);
        break;
    case REMOVE_PARENT: b->parent = -1; break;
    case DELETE: kill_being(at); break;
    case ENABLE: set_bits(&b->has, 1u << OFF, !(c->value % 2)); break;
    case TOGGLE: b->d_is_off = !(c->value % 2); break;
    case CLEAR:
        b->has = 0;
        b->parent = -1;
        break;
    case ADD_LATE:
        b->has |= 1u << LATE;
        model.was_late = true;
        break;
    default: break;
    }
}

// What a system checks when it records, the world being as it is then.
static bool is_recorded(const command_t *c) {
    int at = find(c->entity);
    const being_t *b = &model.beings[at < 0 ? 0 : at];
    bool target_lives = model.beings[c->which % ANCHORS].alive;
    if (!is_allowed(c)) return false;
    switch (c->kind) {
    case ADD_R:
    case REMOVE_R:
    case ADD_X:
    case DELETE_ANCHOR: return target_lives;
    case ADD_PARENT: return b->parent < ANCHORS && c->which != 3;
    case REMOVE_PARENT: return b->parent < ANCHORS;
    case TOGGLE: return b->has & 1u << D;
    case CLEAR: return !(b->has & (1u << D | 1u << DOOM)) && b->parent < ANCHORS;
    case ENABLE_SYSTEM:
    case DELETE_SYSTEM: return scene.systems[c->which].alive;
    default: return true;
    }
}

static bool owns(const being_t *b, int id) {
    if (id == ANY_R) return b->has & 15u << R0;
    if (id == ANY_X) return b->has & 15u << X0;
    if (id == D && b->d_is_off) return false;
    return b->has & 1u << id;
}

// Who has the id that a term asks for; NULL: nobody.
static being_t *holder(being_t *b, const term_t *t) {
    if (t->from == FIXED) return owns(&model.beings[0], t->id) ? &model.beings[0] : NULL;
    if (t->from != UP && owns(b, t->id)) return b;
    if (t->is_choice && b->has & 1u << t->id) return b;
    if (t->from == THIS && b->has & 1u << ISA && owns(&model.beings[ANCHORS], t->id))
        return &model.beings[ANCHORS];
    while (t->from == UP && b->parent >= 0) {
        b = &model.beings[b->parent];
        if (owns(b, t->id)) return b;
    }
    return NULL;
}

static bool matches(const system_t *s, being_t *b) {
    if (!b->alive || b->is_base || b->has & 1u << OFF) return false;
    if (s->group >= 0 && !(b->has & 1u << (X0 + s->group))) return false;
    bool one_of = false;
    for (int i = 0; i < s->count; i++) {
        const term_t *t = &s->terms[i];
        if (t->from == NOWHERE || t->oper == EcsOptional) continue;
        bool holds = holder(b, t) != NULL;
        one_of |= holds;
        if (t->oper == EcsOr) continue;
        if (t->oper == EcsNot ? holds : !(has_own_field(s, i) ? holds : one_of)) return false;
        one_of = false;
    }
    return true;
}

static bool goes_over_pairs(const system_t *s) {
    for (int i = 0; i < s->count; i++) {
        if (s->terms[i].id == ANY_R && s->terms[i].oper == EcsAnd && s->terms[i].from != NOWHERE)
            return true;
    }
    return false;
}

static int32_t results_of(const system_t *s) {
    int32_t results = 0;
    for (int i = 0; i < model.count; i++) {
        if (!matches(s, &model.beings[i])) continue;
        results += goes_over_pairs(s) ? __builtin_popcount(model.beings[i].has & 15u << R0) : 1;
    }
    return results;
}

// What the first alternative that holds gives.
static being_t *holder_of_field(const system_t *s, being_t *b, int i, int *id) {
    being_t *found = NULL;
    do {
        found = holder(b, &s->terms[i]);
        *id = s->terms[i].id;
    } while (!found && s->terms[i++].oper == EcsOr);
    return found;
}

static uint64_t see(const system_t *s, being_t *b, uint64_t sum) {
    for (int i = 0; i < s->count; i++) {
        const term_t *t = &s->terms[i];
        const value_t *value = NULL;
        int id = t->id;
        being_t *from = NULL;
        if (looks_around(t)) {
            from = &model.beings[(b->id + (uint64_t)i) % ANCHORS];
            /* What is switched off is there to be read. */
            if (!from->alive || !(from->has & 1u << id)) from = NULL;
        } else if (is_read(t) && has_own_field(s, i)) {
            from = holder_of_field(s, b, i, &id);
        }
        if (from && id < COMPONENTS) value = &from->value[id]; /* of tags there is none */
        if (looks_around(t) || is_read(t)) sum = mix(sum, value ? *value : 1);
    }
    return sum;
}

static void write_values(const system_t *s, being_t *b, uint64_t sum) {
    for (int i = 0; i < s->count; i++) {
        if (!is_written(&s->terms[i])) continue;
        being_t *of = holder(b, &s->terms[i]);
        if (of && (of == b || s->terms[i].from == FIXED))
            of->value[s->terms[i].id] = (value_t)mix(sum, (uint64_t)i);
    }
}

static void queue_commands(const system_t *s, const visit_t *v, uint64_t sum) {
    for (int k = 0; k < 2; k++) {
        uint64_t random = mix(sum, 1000 + (uint64_t)k);
        if (random % s->rate) continue;
        command_t c = decide_for(
            s, v->entity ? v->entity : scene.anchors[1 + random / 3 % 2], random / s->rate);
        c.made = v->made[k];
        if (!is_recorded(&c)) continue;
        int at = find(c.entity);
        if (c.kind == SET && s->kind == IMMEDIATE && model.beings[at].has & 1u << c.which)
            model.beings[at].value[c.which] = c.value; /* nobody else looks: written at once */
        if (model.queued == model.queue_size) {
            model.queue_size = model.queue_size * 2 + 64;
            model.queue = ecs_os_realloc_n(model.queue, command_t, model.queue_size);
        }
        model.queue[model.queued++] = c;
    }
}

static void merge(void) {
    for (int32_t i = 0; i < model.queued; i++) do_command(&model.queue[i]);
    model.queued = 0;
    model.merges++;
}

static void print_system(const system_t *s) {
    static const char *const kinds[] = { "main", "split", "any thread", "immediate" };
    const ecs_system_t *system =
        ecs_is_alive(scene.world, s->id) ? ecs_system_get(scene.world, s->id) : NULL;
    char *text = system ? ecs_query_str(system->query) : NULL;
    print_message("  system %d: '%s' %s, phase %d, source %d, group %d, rate %d%s%s\n", s->number,
        text ? text : "gone", kinds[s->kind], s->phase, s->source, s->group, (int)s->rate,
        s->instanced ? ", instanced" : "", s->has_run ? ", run" : "");
    ecs_os_free(text);
}

static void print_being(const being_t *b) {
    print_error("  model: %s", b->alive ? "alive" : "dead");
    for (int k = 0; k < IDS; k++) {
        if (b->has & 1u << k) print_error(", %s", id_names[k]);
        if (k < COMPONENTS && b->has & 1u << k) print_error(" %u", b->value[k]);
    }
    print_error(", parent %d\n", b->parent);
    char *text = ecs_is_alive(scene.world, b->id) ? ecs_entity_str(scene.world, b->id) : NULL;
    print_error("  %llu in the world: %s\n", (unsigned long long)b->id, text ? text : "dead");
    for (int k = 0; k < COMPONENTS && text; k++) {
        const value_t *value = ecs_get_id(scene.world, b->id, scene.ids[k]);
        if (value) print_error("  %s %u\n", id_names[k], *value);
    }
    ecs_os_free(text);
}

static void show_scene(void) {
    print_error("scene %llu\n", (unsigned long long)scene.seed);
    for (int i = 0; i < scene.system_count; i++) print_system(&scene.systems[i]);
}

#define MUST(condition, ...)          \
    do {                              \
        if (!(condition)) {           \
            show_scene();             \
            print_error(__VA_ARGS__); \
            fail();                   \
        }                             \
    } while (0)

static void run_task(const system_t *s, ecs_ftime_t time) {
    const visit_t *v = scene.visits[s->number];
    uint64_t sum = begin_sum(s, 0, -1, time);
    MUST(scene.visit_count[s->number] == 1, "tick %d: task %d ran %d times\n", (int)scene.tick,
        s->number, (int)scene.visit_count[s->number]);
    assert_true(v->sum == sum);
    queue_commands(s, v, sum);
}

// A visit that the model has, too, and that was not there before.
static bool is_expected(const system_t *s, const visit_t *v) {
    int at = find(v->entity);
    being_t *b = &model.beings[at];
    if (at < 0 || !matches(s, b)) return false;
    if (v->pair >= 0 && !(b->has & 1u << (R0 + v->pair))) return false;
    uint32_t which = 1u << (v->pair < 0 ? 0 : v->pair);
    if (b->seen_in != model.run) b->seen = 0;
    b->seen_in = model.run;
    bool is_new = !(b->seen & which);
    b->seen |= which;
    return is_new;
}

static void run_rows(const system_t *s, ecs_ftime_t time) {
    int32_t expected = results_of(s), visits = scene.visit_count[s->number];
    model.run++;
    for (int32_t i = 0; i < visits; i++) {
        const visit_t *v = &scene.visits[s->number][i];
        int at = find(v->entity);
        bool is_good = is_expected(s, v);
        uint64_t sum = 0;
        if (is_good) sum = see(s, &model.beings[at], begin_sum(s, v->entity, v->pair, time));
        if (!is_good || sum != v->sum) {
            print_system(s);
            if (at >= 0) print_being(&model.beings[at]);
        }
        MUST(is_good, "tick %d: %llu does not match, or twice\n", (int)scene.tick,
            (unsigned long long)v->entity);
        MUST(sum == v->sum, "tick %d: %llu shows other values\n", (int)scene.tick,
            (unsigned long long)v->entity);
        write_values(s, &model.beings[at], sum);
        queue_commands(s, v, sum);
    }
    for (int i = 0; i < model.count && visits != expected; i++) {
        being_t *b = &model.beings[i];
        if (!matches(s, b) || b->seen_in == model.run) continue;
        print_system(s);
        print_being(b);
        break;
    }
    MUST(visits == expected, "tick %d: %d visits, the model has %d\n", (int)scene.tick, (int)visits,
        (int)expected);
}

static void run_system(system_t *s) {
    bool ticks = s->source < 0 || model.ticks[s->source];
    ecs_ftime_t time = s->source < 0 ? frame_time : (ecs_ftime_t)model.elapsed[s->source];
    if (!ticks) {
        assert_int_equal(scene.visit_count[s->number], 0);
        return;
    }
    if (s->count)
        run_rows(s, time);
    else
        run_task(s, time);
    scene.visit_count[s->number] = 0; /* each is seen once */
}

// ---- The model: order and merges ----

static int depth_of(int phase) {
    static const int depths[PHASES] = { 0, 1, 2, 3, 2,
        3 }; /* own phases begin behind EcsOnUpdate */
    return depths[phase];
}

static bool is_enabled(const system_t *s) {
    bool is_off = model.phase_off[s->phase] || (s->phase == 5 && model.phase_off[4]);
    return s->alive && s->enabled && !is_off;
}

static bool is_active(const system_t *s) {
    return s->count == 0 || s->terms[0].id != LATE || model.was_late;
}

static int place_of(const system_t *s) { return depth_of(s->phase) * SYSTEMS + s->number; }

static system_t *next_after(int place) {
    system_t *next = NULL;
    for (int i = 0; i < scene.system_count; i++) {
        system_t *s = &scene.systems[i];
        if (is_enabled(s) && place_of(s) > place && (!next || place_of(s) < place_of(next)))
            next = s;
    }
    return next;
}

typedef struct staged_t {
    bool any, by_id[PATTERNS];
    int kind;
} staged_t;

static ecs_inout_kind_t inout_of(const term_t *t) {
    if (t->inout != EcsInOutDefault) return t->inout;
    if (t->from == NOWHERE) return EcsInOutNone;
    return t->from == UP || t->from == FIXED ? EcsIn : EcsInOut;
}

static bool needs_merge(const staged_t *staged, const system_t *s) {
    for (int i = 0; i < s->count; i++) {
        const term_t *t = &s->terms[i];
        ecs_inout_kind_t inout = inout_of(t);
        bool is_this = t->from != NOWHERE && t->from != FIXED;
        if (inout == EcsInOutFilter || (!is_this && inout != EcsIn && inout != EcsInOut)) continue;
        for (int id = 0; id < PATTERNS; id++) {
            if (staged->by_id[id] && overlap(id, t->id)) return true;
        }
    }
    if (!staged->any || !is_active(s)) return false;
    bool on_workers = s->kind == SPLIT || s->kind == ANY_THREAD,
         were = staged->kind == SPLIT || staged->kind == ANY_THREAD;
    return on_workers != were || s->kind == IMMEDIATE || staged->kind == IMMEDIATE;
}

static void stage(staged_t *staged, const system_t *s) {
    staged->any = true;
    staged->kind = s->kind;
    for (int i = 0; i < s->count; i++) {
        const term_t *t = &s->terms[i];
        ecs_inout_kind_t inout = inout_of(t);
        bool writes = inout == EcsOut || inout == EcsInOut,
             is_this = t->from != NOWHERE && t->from != FIXED;
        if (writes && (!is_this || (t->oper == EcsNot && inout == EcsOut)))
            staged->by_id[t->id] = true;
    }
}

static void run_model_pipeline(void) {
    staged_t staged = { .any = true, .kind = MAIN }; /* the systems of timers */
    int last = -1, place = -1;
    while (true) {
        system_t *s = next_after(place);
        if ((!s && staged.any) || (s && needs_merge(&staged, s))) {
            merge();
            staged = (staged_t){ 0 };
            place = last; /* those behind may have come, gone or found something */
            continue;
        }
        if (!s) return;
        place = place_of(s);
        if (!is_active(s)) continue;
        run_system(s);
        stage(&staged, s);
        last = place;
    }
}

static void advance_clocks(void) {
    model.timer += (double)frame_time;
    model.ticks[0] = model.timer >= 0.5;
    if (model.ticks[0]) {
        model.elapsed[0] = 0.5;
        model.timer -= 0.5;
    }
    for (int i = 1; i < 3; i++) {
        model.since[i] += (double)frame_time;
        bool counts = i == 1 || model.ticks[0];
        model.frame_of_rate[i - 1] += counts;
        model.ticks[i] = counts && model.frame_of_rate[i - 1] % (i == 1 ? 3 : 2) == 0;
        if (!model.ticks[i]) continue;
        model.elapsed[i] = model.since[i];
        model.since[i] = 0;
    }
    model.ticks[3] = true;
    model.elapsed[3] = (double)frame_time;
}

// ---- Equal states ----

static bool equals(const being_t *b) {
    const ecs_world_t *world = scene.world;
    if (ecs_is_alive(world, b->id) != b->alive) return false;
    if (!b->alive) return true;
    for (int k = 0; k < IDS; k++) {
        if (k >= R0 && k <= X3 && !model.beings[(k - R0) % 4].alive)
            continue; /* the id may be another's now */
        if (ecs_owns_id(world, b->id, scene.ids[k]) != !!(b->has & 1u << k)) return false;
        if (k >= COMPONENTS || !(b->has & 1u << k)) continue;
        if (*(const value_t *)ecs_get_id(world, b->id, scene.ids[k]) != b->value[k]) return false;
    }
    ecs_entity_t parent = ecs_get_target(world, b->id, EcsChildOf, 0);
    if (parent != (b->parent < 0 ? 0 : model.beings[b->parent].id)) return false;
    return !(b->has & 1u << D) || ecs_is_enabled_id(world, b->id, scene.ids[D]) == !b->d_is_off;
}

static void check_state(void) {
    for (int i = 0; i < model.count; i++) {
        if (equals(&model.beings[i])) continue;
        print_being(&model.beings[i]);
        MUST(false, "tick %d: %llu is not as in the model\n", (int)scene.tick,
            (unsigned long long)model.beings[i].id);
    }
}

// ---- Scenes ----

static int below(random_t *random, int count) { return random_below(random, count); }

// Terms of $this name each id once, at most one target of the exclusive X, and exclude no target of R that they ask for.
static bool is_named(const system_t *s, int id, int16_t oper) {
    for (int i = 0; i < s->count; i++) {
        const term_t *t = &s->terms[i];
        bool is_not = oper == EcsNot || t->oper == EcsNot;
        if (t->from > SELF) continue;
        if (t->id == id || (overlap(id, ANY_X) && overlap(t->id, ANY_X))) return true;
        if (is_not && overlap(id, ANY_R) && overlap(t->id, ANY_R)) return true;
    }
    return overlap(id, ANY_X) && s->group >= 0;
}

static int fresh_id(random_t *random, const system_t *s, int count, int16_t oper) {
    for (int tries = 0;; tries++) {
        int id = below(random, tries < 50 ? count : ISA);
        bool is_special = id == DOOM || id == LATE || id == R3 || id == X3;
        if (!is_special && !is_named(s, id, oper)) return id;
    }
}

static ecs_inout_kind_t random_inout(random_t *random, int id) {
    static const ecs_inout_kind_t kinds[] = { EcsInOutDefault, EcsInOutDefault, EcsIn, EcsIn,
        EcsInOut, EcsOut, EcsInOutNone, EcsInOutFilter };
    return id < COMPONENTS ? kinds[below(random, 8)] : EcsInOutDefault;
}

static void add_term(random_t *random, system_t *s) {
    term_t *t = &s->terms[s->count];
    bool last = s->count == TERMS - 1;
    static const uint8_t elsewhere[] = { A, B, C, E };
    static const uint8_t staged[] = { A, B, C, D, E, T0, T1, T2, R0, R0 + 1, X0, ANY_R, ANY_X,
        ALL };
    switch (below(random, 10)) {
    case 0:
    case 1:
    case 2:
        *t = (term_t){ .id = fresh_id(random, s, ISA, EcsAnd), .from = below(random, 2) };
        break;
    case 3: *t = (term_t){ .id = fresh_id(random, s, ISA, EcsNot), .oper = EcsNot }; break;
    case 4:
        *t = (term_t){ .id = fresh_id(random, s, COMPONENTS, EcsAnd), .oper = EcsOptional };
        break;
    case 5:
        *t = (term_t){ .id = elsewhere[below(random, 4)],
            .from = UP,
            .oper = below(random, 2) ? EcsAnd : EcsOptional };
        break;
    case 6: *t = (term_t){ .id = staged[below(random, 14)], .from = NOWHERE }; break;
    case 7: *t = (term_t){ .id = elsewhere[below(random, 4)], .from = FIXED }; break;
    case 8:
        *t = (term_t){ .id = below(random, 2) ? ANY_R : ANY_X,
            .oper = below(random, 3) ? EcsAnd : EcsNot };
        if (is_named(s, t->id, t->oper)) return;
        break;
    default:
        if (last) return;
        *t = (term_t){ .id = fresh_id(random, s, COMPONENTS, EcsAnd),
            .oper = EcsOr,
            .inout = EcsIn,
            .is_choice = true };
        s->count++;
        s->terms[s->count] = (term_t){
            .id = fresh_id(random, s, COMPONENTS, EcsAnd), .inout = EcsIn, .is_choice = true
        };
        s->count++;
        return;
    }
    if (t->oper == EcsNot)
        t->inout = below(random, 3) ? EcsInOutDefault : EcsOut;
    else if (t->from == NOWHERE)
        t->inout = below(random, 3) ? EcsOut : below(random, 2) ? EcsIn : EcsInOut;
    else if (t->from == UP)
        t->inout = below(random, 4) ? EcsIn : EcsInOutDefault;
    else
        t->inout = random_inout(random, t->id);
    s->count++;
}

static void random_system(random_t *random, system_t *s, int number) {
    static const uint64_t rates[] = { 1, 4, 40, 400 };
    static const int kinds[] = { MAIN, MAIN, SPLIT, SPLIT, SPLIT, SPLIT, ANY_THREAD, ANY_THREAD,
        IMMEDIATE };
    *s = (system_t){ .number = number, .source = -1, .group = -1, .alive = true, .enabled = true };
    s->kind = kinds[below(random, 9)];
    s->phase = below(random, PHASES);
    s->rate = rates[below(random, 4)];
    s->instanced = below(random, 2);
    s->has_run = below(random, 2);
    if (!below(random, 4)) s->source = below(random, SOURCES);
    int special = below(random, 12);
    if (special == 0) { /* a task */
        s->rate = 1;
        return;
    }
    if (special == 1) { /* matches nothing at first */
        s->terms[s->count++] = (term_t){ .id = LATE };
        if (below(random, 2)) s->terms[s->count++] = (term_t){ .id = A, .oper = EcsOptional };
        if (below(random, 2))
            s->terms[s->count++] =
                (term_t){ .id = B, .from = NOWHERE, .inout = below(random, 2) ? EcsOut : EcsIn };
    } else {
        int more = below(random, TERMS - 1);
        if (special == 2) s->group = below(random, 3);
        int first = fresh_id(random, s, ISA, EcsAnd);
        s->terms[s->count++] =
            (term_t){ .id = first, .from = below(random, 2), .inout = random_inout(random, first) };
        while (more-- && s->count < TERMS) add_term(random, s);
    }
}

static void give(being_t *b, int id, value_t value) {
    ecs_world_t *world = scene.world;
    if (id == ANY_R || id == ANY_X) id = id == ANY_R ? R0 : X0;
    if (id >= X0 && id <= X3) b->has &= ~(15u << X0);
    if (id < COMPONENTS) {
        set_value(b, id, value);
        ecs_set_id(world, b->id, scene.ids[id], sizeof(value_t), &value);
    } else {
        b->has |= 1u << id;
        ecs_add_id(world, b->id, scene.ids[id]);
    }
}

static void give_parent(being_t *b, int parent) {
    b->parent = parent;
    ecs_add_pair(scene.world, b->id, EcsChildOf, model.beings[parent].id);
}

// One that matches, so that the system is active from the beginning.
static void make_witness(const system_t *s, ecs_entity_t witness) {
    if (!s->count || s->terms[0].id == LATE) return;
    being_t *b = &model.beings[new_being(witness)];
    for (int i = 0; i < s->count; i++) {
        const term_t *t = &s->terms[i];
        if (t->oper == EcsNot || t->oper == EcsOptional || t->from >= NOWHERE) continue;
        if (t->from == UP)
            give_parent(b, 0);
        else
            give(b, t->id, 7);
    }
    if (s->group >= 0) give(b, X0 + s->group, 0);
}

static ecs_entity_t component(const char *name, ecs_id_t trait) {
    ecs_entity_t id =
        ecs_component(scene.world, { .entity = ecs_entity(scene.world, { .name = name }),
                                       .type = { sizeof(value_t), ECS_ALIGNOF(value_t) } });
    if (trait) ecs_add_id(scene.world, id, trait);
    return id;
}

static void make_ids(void) {
    ecs_world_t *world = scene.world;
    const ecs_id_t traits[COMPONENTS] = {
        [B] = EcsSparse, [C] = EcsDontFragment, [D] = EcsCanToggle
    };
    for (int i = 0; i < COMPONENTS; i++) scene.ids[i] = component(id_names[i], traits[i]);
    for (int i = T0; i <= LATE; i++) scene.ids[i] = ecs_entity(world, { .name = id_names[i] });
    scene.R = ecs_entity(world, { .name = "R" });
    scene.X = ecs_entity(world, { .name = "X", .add = ecs_ids(EcsExclusive) });
    scene.ids[OFF] = EcsDisabled;
    scene.ids[ANY_R] = ecs_pair(scene.R, EcsWildcard);
    scene.ids[ANY_X] = ecs_pair(scene.X, EcsWildcard);
    scene.ids[ALL] = EcsWildcard;
    scene.sources[0] = ecs_set_interval(world, 0, 0.5f);
    scene.sources[1] = ecs_set_rate(world, 0, 3, 0);
    scene.sources[2] = ecs_set_rate(world, 0, 2, scene.sources[0]);
    scene.sources[3] = ecs_new(world);
    /* Not by a value, which may have garbage between its members. */
    ecs_add(world, scene.sources[3], EcsTickSource);
    ecs_entity_t own = ecs_entity(world, { .add = ecs_ids(EcsPhase, ecs_dependson(EcsOnUpdate)) });
    const ecs_entity_t phases[PHASES] = { EcsPreUpdate, EcsOnUpdate, EcsOnValidate, EcsPostUpdate,
        own, ecs_entity(world, { .add = ecs_ids(EcsPhase, ecs_dependson(own)) }) };
    memcpy(scene.phases, phases, sizeof phases);
}

static void make_anchors(void) {
    ecs_world_t *world = scene.world;
    ecs_entity_t first = ecs_entity(world, { .name = "anchor0" });
    scene.base = ecs_entity(world, { .name = "base", .add = ecs_ids(EcsPrefab) });
    scene.ids[ISA] = ecs_pair(EcsIsA, scene.base);
    ecs_entity_t others[ANCHORS] = { first };
    ecs_entity_t witnesses[SYSTEMS];
    for (int i = 0; i < SYSTEMS; i++) scene.last_guard = witnesses[i] = ecs_new(world);
    for (int i = 1; i < ANCHORS; i++) {
        char name[] = "anchor0";
        name[6] = (char)('0' + i);
        others[i] = ecs_entity(world, { .name = name });
    }
    scene.last_anchor = others[ANCHORS - 1];
    for (int i = 0; i < ANCHORS; i++) scene.anchors[i] = model.beings[new_being(others[i])].id;
    model.beings[new_being(scene.base)].is_base = true;
    for (int i = 0; i < 4; i++) {
        scene.ids[R0 + i] = ecs_pair(scene.R, others[i]);
        scene.ids[X0 + i] = ecs_pair(scene.X, others[i]);
    }
    const int complete[] = { A, B, C, D, E, T0 };
    for (int i = 0; i < 6; i++) give(&model.beings[0], complete[i], 5);
    give(&model.beings[ANCHORS], A, 3);
    give(&model.beings[ANCHORS], T0, 0);
    for (int i = 0; i < scene.system_count; i++) make_witness(&scene.systems[i], witnesses[i]);
}

static void make_crowd(random_t *random) {
    static const int sizes[] = { 10, 100, 3000 };
    int size = sizes[below(random, 3)], kinds = 1 + below(random, 12);
    uint32_t has[12];
    for (int i = 0; i < kinds; i++)
        has[i] = (uint32_t)random_next(random) & (uint32_t)random_next(random);
    for (int i = 1; i < size + ANCHORS; i++) {
        bool is_anchor = i < ANCHORS;
        being_t *b = &model.beings[is_anchor ? i : new_being(ecs_new(scene.world))];
        for (int id = 0; id < OFF; id++) {
            if (id != LATE && !(is_anchor && (id == ISA || id == DOOM)) &&
                has[i % kinds] & 1u << id)
                give(b, id, (value_t)i);
        }
        if (!is_anchor && has[i % kinds] & 1u << 30) give_parent(b, i % ANCHORS);
    }
}

static void make_system(system_t *s) {
    static const uint64_t flags[] = { [SELF] = EcsSelf, [UP] = EcsUp, [NOWHERE] = EcsIsEntity };
    ecs_system_desc_t desc = { .phase = scene.phases[s->phase],
        .multi_threaded = s->kind == SPLIT,
        .any_thread = s->kind == ANY_THREAD,
        .immediate = s->kind == IMMEDIATE,
        .ctx = s,
        .query.instanced = s->instanced };
    for (int i = 0; i < s->count; i++) {
        const term_t *t = &s->terms[i];
        desc.query.terms[i] =
            (ecs_term_t){ .id = scene.ids[t->id], .oper = t->oper, .inout = (int16_t)t->inout };
        desc.query.terms[i].src.id = t->from == FIXED ? scene.anchors[0] : flags[t->from];
        if (t->from == UP) desc.query.terms[i].trav = EcsChildOf;
    }
    if (s->group >= 0) desc.query.group_by = scene.X;
    if (s->has_run)
        desc.run = Run;
    else
        desc.callback = Visit;
    if (s->source >= 0) desc.tick_source = scene.sources[s->source];
    s->id = ecs_system_init(scene.world, &desc);
    assert_true(s->id != 0);
    if (s->group >= 0) ecs_system_set_group(scene.world, s->id, scene.anchors[s->group]);
}

static void build(uint64_t seed) {
    random_t random = random_init(seed);
    scene.world = ecs_init();
    scene.seed = seed;
    model.count = model.queued = 0;
    memset(model.by_id, 0, BEINGS * sizeof(int32_t));
    memset(model.phase_off, 0, sizeof model.phase_off);
    memset(model.frame_of_rate, 0, sizeof model.frame_of_rate);
    memset(model.since, 0, sizeof model.since);
    model.timer = 0;
    model.was_late = false;
    scene.system_count = 1 + below(&random, SYSTEMS);
    for (int i = 0; i < scene.system_count; i++) random_system(&random, &scene.systems[i], i);
    make_ids();
    make_anchors();
    make_crowd(&random);
    for (int i = 0; i < scene.system_count; i++) make_system(&scene.systems[i]);
}

static uint64_t hashes[TICKS];

static void check_tick(void) {
    int64_t merges = ecs_get_world_info(scene.world)->merge_count_total;
    memset(scene.visit_count, 0, sizeof scene.visit_count);
    ecs_progress(scene.world, frame_time);
    merges = ecs_get_world_info(scene.world)->merge_count_total - merges;
    model.merges = 0;
    advance_clocks();
    run_model_pipeline();
    for (int i = 0; i < scene.system_count; i++) {
        if (scene.visit_count[i]) print_system(&scene.systems[i]);
        MUST(!scene.visit_count[i], "tick %d: the model does not run system %d\n", (int)scene.tick,
            i);
    }
    check_state();
    if (merges != model.merges) {
        char *text = ecs_schedule_str(scene.world, 0);
        print_error("%s", text);
        ecs_os_free(text);
    }
    MUST(merges == model.merges, "tick %d: %d merges, the model has %d\n", (int)scene.tick,
        (int)merges, (int)model.merges);
    hashes[scene.tick] = ecs_world_hash(scene.world);
}

static void check_alone(uint64_t seed) {
    build(seed);
    for (int i = 0; i < SYSTEMS; i++) scene.visits[i] = ecs_os_malloc_n(visit_t, BEINGS * 4);
    for (int i = 0; i < scene.system_count && getenv("MUSTER_TEST_SHOW"); i++)
        print_system(&scene.systems[i]);
    for (scene.tick = 0; scene.tick < TICKS; scene.tick++) check_tick();
    assert_true(ecs_world_verify(scene.world));
    for (int i = 0; i < SYSTEMS; i++) {
        ecs_os_free(scene.visits[i]);
        scene.visits[i] = NULL;
    }
    ecs_fini(scene.world);
}

static void check_workers(uint64_t seed, int32_t workers) {
    build(seed);
    ecs_set_schedule_seed(scene.world, seed * 3 + (uint64_t)workers);
    ecs_set_threads(scene.world, workers);
    for (scene.tick = 0; scene.tick < TICKS; scene.tick++) {
        ecs_progress(scene.world, frame_time);
        MUST(ecs_world_hash(scene.world) == hashes[scene.tick],
            "tick %d: another world with %d workers\n", (int)scene.tick, (int)workers);
    }
    ecs_fini(scene.world);
}

static void pipelines_do_what_the_model_does(void **state) {
    (void)state;
    uint64_t seed = random_seed();
    int scenes = random_tries(30);
    int64_t live = memory_live();
    model.beings = ecs_os_calloc_n(being_t, BEINGS);
    model.by_id = ecs_os_calloc_n(int32_t, BEINGS);
    for (int i = 0; i < scenes; i++, seed++) {
        static const int32_t workers[] = { 1, 2, 4, 7 };
        if (getenv("MUSTER_TEST_SHOW")) print_message("scene %llu\n", (unsigned long long)seed);
        check_alone(seed);
        check_workers(seed, workers[seed % 4]);
    }
    ecs_os_free(model.beings);
    ecs_os_free(model.by_id);
    ecs_os_free(model.queue);
    assert_int_equal(memory_live(), live);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(pipelines_do_what_the_model_does) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
