// SPDX-License-Identifier: MIT
// struct: types with members.
//
// EcsStruct owns its members and their names. Where a member has an entity, that is a child of the
// type with EcsMember. Setting EcsMember on a child by hand adds a member, or changes it.
#include "reflect/describe.h"
#include "reflect/lifecycle.h"

// ---- EcsStruct owns names ----

static void free_members(ecs_vec_t *members) {
    for (int32_t i = 0; i < members->count; i++) {
        ecs_os_free(ECS_CONST_CAST(char *, ecs_vec_get_t(members, ecs_member_t, i)->name));
    }
    ecs_vec_fini_t(NULL, members, ecs_member_t);
}

static void destruct(void *ptr, int32_t count, const ecs_type_info_t *type) {
    (void)type;
    for (int32_t i = 0; i < count; i++) free_members(&((EcsStruct *)ptr)[i].members);
}

const ecs_type_hooks_t ecs__struct_hooks = {
    .dtor = destruct, .move = ecs__move_owned, .flags = ECS_TYPE_HOOK_COPY_ILLEGAL
};

// ---- Layout ----

// Member type, size and offset. `end` is where the members before it end.
static bool place(ecs_world_t *world, ecs_entity_t owner, ecs_member_t *member, ecs_size_t end) {
    if (!member->type) {
        return ecs__type_fail(
            "member '%s' of %s has no type", member->name, ECS__NAME(world, owner));
    }
    const ecs_type_info_t *type = ecs__type_info_of(world, member->type, member->name);
    if (!type) return false;
    if (member->count < 0) {
        return ecs__type_fail("member '%s' of %s has %d elements", member->name,
            ECS__NAME(world, owner), member->count);
    }
    int64_t size = (int64_t)type->size * ECS_MAX(member->count, 1);
    bool is_fixed = member->use_offset || member->offset;
    if (!is_fixed) member->offset = ECS_ALIGN(end, type->alignment);
    if (member->offset < 0 || member->offset + size > INT32_MAX / 2) {
        return ecs__type_fail("member '%s' of %s is too large, or begins outside of it",
            member->name, ECS__NAME(world, owner));
    }
    member->size = (ecs_size_t)size;
    return true;
}

static bool is_plain(const ecs_world_t *world, const ecs_member_t *member) {
    return ecs__is_plain(world, ecs_get_type_info(world, member->type));
}

// Members may lie on each other, like those of a union, unless what one owns would be lost, or freed twice.
static bool may_lie(
    const ecs_world_t *world, ecs_entity_t owner, const ecs_vec_t *members, int32_t index) {
    const ecs_member_t *member = ecs_vec_get_t(members, ecs_member_t, index);
    for (int32_t i = 0; i < index; i++) {
        const ecs_member_t *other = ecs_vec_get_t(members, ecs_member_t, i);
        const bool is_apart = member->offset >= other->offset + other->size ||
                              other->offset >= member->offset + member->size;
        if (is_apart || (is_plain(world, member) && is_plain(world, other))) continue;
        return ecs__type_fail("members '%s' and '%s' of %s overlap, and are more than numbers",
            other->name, member->name, ECS__NAME(world, owner));
    }
    return true;
}

// Columns begin aligned. Whether their rows are, the size of a C type tells, whatever alignment was declared; packed structs have any.
static bool keeps_alignment(const ecs_world_t *world, ecs_entity_t type, ecs_size_t alignment) {
    return ecs__c_size(world, type) % alignment == 0;
}

static bool align(
    ecs_world_t *world, ecs_entity_t owner, const ecs_member_t *member, ecs_size_t *alignment) {
    const ecs_type_info_t *type = ecs_get_type_info(world, member->type);
    const bool is_aligned =
        member->offset % type->alignment == 0 && keeps_alignment(world, owner, type->alignment);
    if (!is_aligned && !is_plain(world, member)) {
        return ecs__type_fail("member '%s' of %s is not aligned, and more than numbers",
            member->name, ECS__NAME(world, owner));
    }
    *alignment = ECS_MAX(*alignment, is_aligned ? type->alignment : 1);
    return true;
}

static bool lay_out(
    ecs_world_t *world, ecs_entity_t type, ecs_vec_t *members, ecs__type_def_t *def) {
    ecs_size_t end = 0;
    for (int32_t i = 0; i < members->count; i++) {
        ecs_member_t *member = ecs_vec_get_t(members, ecs_member_t, i);
        if (!place(world, type, member, end) || !align(world, type, member, &def->alignment) ||
            !may_lie(world, type, members, i))
            return false;
        end = member->offset + member->size;
        def->size = ECS_MAX(def->size, end);
    }
    if (def->alignment) def->size = ECS_ALIGN(def->size, def->alignment);
    return true;
}

// True if values of `type` have a value of `part` inside.
static bool contains(const ecs_world_t *world, ecs_entity_t type, ecs_entity_t part) {
    if (type == part) return true;
    const EcsArray *array = ecs__type_source(world, type, ecs_id(EcsArray));
    if (array) return contains(world, array->type, part);
    const EcsStruct *value = ECS__TYPE_GET(world, type, EcsStruct);
    for (int32_t i = 0; value && i < value->members.count; i++) {
        if (contains(world, ecs_vec_get_t(&value->members, ecs_member_t, i)->type, part))
            return true;
    }
    return false;
}

// Members before `from` were asked already.
static bool is_valid(
    ecs_world_t *world, ecs_entity_t type, const ecs_vec_t *members, int32_t from) {
    for (int32_t i = from; i < members->count; i++) {
        const ecs_member_t *member = ecs_vec_get_t(members, ecs_member_t, i);
        if (!ecs__type_check_name(world, type, member->name)) return false;
        for (int32_t j = 0; j < i; j++) {
            if (!strcmp(member->name, ecs_vec_get_t(members, ecs_member_t, j)->name)) {
                return ecs__type_fail(
                    "struct %s has two members '%s'", ECS__NAME(world, type), member->name);
            }
        }
        if (member->unit && !ECS__TYPE_GET(world, member->unit, EcsUnit)) {
            return ecs__type_fail(
                "the unit of member '%s' of %s is none", member->name, ECS__NAME(world, type));
        }
        bool is_alive = member->type && ecs_is_alive(world, member->type);
        if (is_alive && contains(world, member->type, type)) {
            return ecs__type_fail("member '%s' of struct %s contains the struct itself",
                member->name, ECS__NAME(world, type));
        }
    }
    return true;
}

// ---- Operations ----

static void add_member_ops(const ecs_world_t *world, ecs_vec_t *ops, const ecs_member_t *member) {
    int32_t at = ops->count;
    if (member->count) {
        const ecs_type_info_t *info = ecs_get_type_info(world, member->type);
        ecs__ops_add_collection(ops, EcsOpPushArray, member->type, info, member->type, info)
            ->is.elem_count = member->count;
        ecs_vec_get_t(ops, ecs_meta_op_t, at)->offset = member->offset;
    } else {
        ecs__ops_add_type(world, ops, member->type, member->offset);
    }
    ecs_meta_op_t *op = ecs_vec_get_t(ops, ecs_meta_op_t, at);
    op->name = ecs_os_strdup(member->name);
    op->unit = member->unit;
    op->member = member->member;
}

static void make_ops(
    const ecs_world_t *world, ecs_entity_t type, const ecs_vec_t *members, ecs__type_def_t *def) {
    ecs__ops_add(&def->ops, EcsOpPushStruct, type, NULL);
    for (int32_t i = 0; i < members->count; i++) {
        int32_t at = def->ops.count;
        add_member_ops(world, &def->ops, ecs_vec_get_t(members, ecs_member_t, i));
        ecs_vec_get_t(&def->ops, ecs_meta_op_t, at)->member_index = (int16_t)i;
    }
    ecs__ops_add(&def->ops, EcsOpPop, type, NULL);
    ecs_meta_op_t *push = ecs_vec_first(&def->ops);
    push->op_count = (int16_t)def->ops.count;
    push->elem_size = def->size;
}

// ---- Making structs ----

ecs_entity_t ecs__member_below(
    const ecs_world_t *world, ecs_entity_t type, const ecs_member_t *member) {
    const ecs_entity_t entity = member->member;
    const bool is_below =
        entity && ecs_is_alive(world, entity) && ecs_get_parent(world, entity) == type;
    return is_below ? entity : 0;
}

ecs_member_t *ecs__member_of(const ecs_world_t *world, ecs_entity_t entity) {
    const EcsStruct *owner = ECS__TYPE_GET(world, ecs_get_parent(world, entity), EcsStruct);
    for (int32_t i = 0; owner && i < owner->members.count; i++) {
        ecs_member_t *member = ecs_vec_get_t(&owner->members, ecs_member_t, i);
        if (member->member == entity) return member;
    }
    return NULL;
}

// Members of a struct that is described again keep their entities.
static void keep_entities(
    const ecs_world_t *world, ecs_entity_t type, const ecs_vec_t *before, ecs_vec_t *members) {
    for (int32_t i = 0; i < members->count; i++) {
        ecs_member_t *member = ecs_vec_get_t(members, ecs_member_t, i);
        for (int32_t j = 0; j < before->count && !member->member; j++) {
            const ecs_member_t *old = ecs_vec_get_t(before, ecs_member_t, j);
            if (!strcmp(old->name, member->name))
                member->member = ecs__member_below(world, type, old);
        }
    }
}

// Takes over `members`, which are new from `from` on, or frees them.
static bool define(ecs_world_t *world, ecs_entity_t type, ecs_vec_t *members, int32_t from) {
    ecs__type_def_t def = { .kind = EcsStructType };
    bool success = is_valid(world, type, members, from) && lay_out(world, type, members, &def);
    if (success) make_ops(world, type, members, &def);
    if (success && def.ops.count > INT16_MAX) {
        success = ecs__type_fail("struct %s has too many members", ECS__NAME(world, type));
        ecs__ops_fini(&def.ops);
    }
    success = success && ecs__type_define(world, type, &def);
    if (!success) {
        free_members(members);
        return false;
    }
    EcsStruct *value = ecs_is_alive(world, type) ? ecs_ensure(world, type, EcsStruct) : NULL;
    if (!value) { /* who heard of it ended it */
        free_members(members);
        return false;
    }
    free_members(&value->members);
    value->members = *members;
    ecs_modified(world, type, EcsStruct);
    return true;
}

static ecs_vec_t copy_members(const ecs_member_t *members, int32_t count) {
    ecs_vec_t copy = { 0 };
    for (int32_t i = 0; i < count; i++) {
        ecs_member_t *member = ecs_vec_append_t(NULL, &copy, ecs_member_t);
        *member = members[i];
        member->name = ecs_os_strdup(members[i].name);
    }
    return copy;
}

static bool is_range(const ecs_member_value_range_t *range) {
    return !(range->min == 0 && range->max == 0);
}

static EcsMember component_of(const ecs_member_t *member) {
    return (
        EcsMember){ member->type, member->count, member->unit, member->offset, member->use_offset };
}

static void set_member_components(ecs_world_t *world, const ecs_member_t *member) {
    const EcsMember value = component_of(member);
    ecs_set_ptr(world, member->member, EcsMember, &value);
    if (!ecs_is_alive(world, member->member)) return; /* who heard of it ended it */
    if (is_range(&member->range) || is_range(&member->warning_range) ||
        is_range(&member->error_range)) {
        ecs_set(world, member->member, EcsMemberRanges,
            { member->range, member->warning_range, member->error_range });
    } else {
        ecs_remove(world, member->member, EcsMemberRanges);
    }
}

static void note_member_entity(
    ecs_world_t *world, ecs_entity_t type, ecs_member_t *member, ecs_entity_t entity) {
    const ecs_meta_op_t *push = ecs__type_op(world, type);
    const ecs_vec_t *ops =
        push && push->kind == EcsOpPushStruct ? ecs__type_ops(world, type) : NULL;
    for (int32_t i = 1; ops && i < ops->count - 1;) {
        ecs_meta_op_t *op = ecs_vec_get_t(ops, ecs_meta_op_t, i);
        if (!strcmp(op->name, member->name)) op->member = entity;
        i += op->op_count;
    }
    member->member = entity;
}

// A member of a struct that is there; NULL: who heard of what was made for it ended the type.
static ecs_member_t *member_at(const ecs_world_t *world, ecs_entity_t type, int32_t index) {
    const EcsStruct *value = ECS__TYPE_GET(world, type, EcsStruct);
    return value && index < value->members.count
               ? ecs_vec_get_t(&value->members, ecs_member_t, index)
               : NULL;
}

static ecs_entity_t create_member_entity(ecs_world_t *world, ecs_entity_t type, int32_t index) {
    ecs_member_t *member = member_at(world, type, index);
    if (!member) return 0;
    ecs_member_t copy = *member;
    copy.member = ecs_entity(world, { .parent = type, .name = copy.name, .sep = "" });
    member = copy.member ? member_at(world, type, index) : NULL;
    if (!member) return 0;
    note_member_entity(world, type, member, copy.member);
    set_member_components(world, &copy);
    return copy.member;
}

ecs_entity_t ecs__member_entity(ecs_world_t *world, ecs_entity_t type, int32_t index) {
    ecs__immediate_t state = ecs__immediate_begin(world);
    const ecs_entity_t entity = create_member_entity(state.world, type, index);
    ecs__immediate_end(&state);
    return entity;
}

static const ecs_vec_t *members_of(const ecs_world_t *world, ecs_entity_t type) {
    const EcsStruct *value = ecs_get(world, type, EcsStruct);
    if (!value) ecs__type_fail("%s is no struct", ECS__NAME(world, type));
    return value ? &value->members : NULL;
}

void ecs__member_drop(ecs_world_t *world, ecs_entity_t member) {
    ecs__immediate_t state = ecs__immediate_begin(world);
    ecs_delete(state.world, member);
    ecs__immediate_end(&state);
}

// Entities of members that are left out now are none.
static void leave_entities(ecs_world_t *world, const ecs_vec_t *before) {
    for (int32_t i = 0; i < before->count; i++) {
        const ecs_entity_t entity = ecs_vec_get_t(before, ecs_member_t, i)->member;
        if (entity && ecs_is_alive(world, entity) && !ecs__member_of(world, entity))
            ecs_remove(world, entity, EcsMember);
    }
}

static ecs_entity_t init(ecs_world_t *world, ecs_entity_t entity, const ecs_member_t *given,
    int32_t count, bool create_entities) {
    ecs__describe_t describe;
    if (!ecs__describe_begin(&describe, world, entity)) return 0;
    ecs_vec_t members = copy_members(given, count), before = { 0 };
    const EcsStruct *known = ecs_get(describe.world, describe.entity, EcsStruct);
    if (known) before = copy_members(known->members.array, known->members.count);
    keep_entities(describe.world, describe.entity, &before, &members);
    bool success = define(describe.world, describe.entity, &members, 0);
    if (success) leave_entities(describe.world, &before);
    free_members(&before);
    for (int32_t i = 0; success && i < count; i++) {
        const ecs_member_t *member = member_at(describe.world, describe.entity, i);
        const ecs_member_t copy = member ? *member : (ecs_member_t){ 0 };
        if (create_entities)
            create_member_entity(describe.world, describe.entity, i);
        else if (ecs__member_below(describe.world, describe.entity, &copy))
            set_member_components(describe.world, &copy);
    }
    return ecs__describe_end(&describe, success);
}

ecs_entity_t ecs_struct_init(ecs_world_t *world, const ecs_struct_desc_t *desc) {
    ECS__NEED_OR(desc, 0);
    int32_t count = 0;
    while (count < ECS_MEMBER_DESC_CACHE_SIZE && desc->members[count].name) count++;
    return init(world, desc->entity, desc->members, count, desc->create_member_entities);
}

bool ecs__struct_define(ecs_world_t *world, ecs_entity_t type, const ecs_vec_t *members) {
    return init(world, type, members->array, members->count, false) != 0;
}

// ---- Members of a struct ----

ecs_member_t *ecs_struct_get_member(ecs_world_t *world, ecs_entity_t type, const char *name) {
    ECS__NEED_OR(name, NULL);
    const ecs_vec_t *members = members_of(world, type);
    for (int32_t i = 0; members && i < members->count; i++) {
        ecs_member_t *member = ecs_vec_get_t(members, ecs_member_t, i);
        if (!strcmp(member->name, name)) return member;
    }
    return NULL;
}

ecs_member_t *ecs_struct_get_nth_member(ecs_world_t *world, ecs_entity_t type, int32_t index) {
    const ecs_vec_t *members = members_of(world, type);
    if (!members || index < 0 || index >= members->count) return NULL;
    return ecs_vec_get_t(members, ecs_member_t, index);
}

static int add_member(ecs_world_t *world, ecs_entity_t type, const ecs_member_t *member) {
    const EcsStruct *value = ecs_get(world, type, EcsStruct);
    ecs_vec_t members = { 0 };
    if (value) members = copy_members(value->members.array, value->members.count);
    ecs_member_t *added = ecs_vec_append_t(NULL, &members, ecs_member_t);
    *added = *member;
    added->name = ecs_os_strdup(member->name);
    const int32_t index = members.count - 1;
    if (!define(world, type, &members, index)) return -1;
    bool are_entities = index && ecs_struct_get_nth_member(world, type, 0)->member;
    if (are_entities && !member->member) create_member_entity(world, type, index);
    return 0;
}

int ecs_struct_add_member(ecs_world_t *world, ecs_entity_t type, const ecs_member_t *member) {
    ECS__NEED_OR(member, -1);
    ecs_check(type && ecs_is_alive(world, type), ECS_INVALID_PARAMETER,
        "cannot add a member to entity %u: it is not alive", (uint32_t)type);
    if (!ecs__may_describe(world)) return -1;
    if (!ecs__type_check_name(world, type, member->name ? member->name : "")) return -1;
    ecs__immediate_t state = ecs__immediate_begin(world);
    int result = add_member(state.world, type, member);
    ecs__immediate_end(&state);
    return result;
error:
    return -1;
}

// ---- Members set by hand: the type is the parent, another entity, so that it may change here and now ----

// Members that lie where they would lie by themselves are free to move.
static void let_move(const ecs_world_t *world, ecs_vec_t *members) {
    ecs_size_t end = 0;
    for (int32_t i = 0; i < members->count; i++) {
        ecs_member_t *member = ecs_vec_get_t(members, ecs_member_t, i);
        const bool is_alive = ecs_is_alive(world, member->type);
        const ecs_type_info_t *type = is_alive ? ecs_get_type_info(world, member->type) : NULL;
        const ecs_size_t begin = type ? ECS_ALIGN(end, type->alignment) : -1;
        end = member->offset + member->size;
        if (!member->use_offset && member->offset == begin) member->offset = 0;
    }
}

static bool is_placed(const EcsMember *value, const ecs_member_t *member) {
    return value->use_offset || (value->offset && value->offset != member->offset);
}

static bool is_same(const EcsMember *value, const ecs_member_t *member) {
    return value->type == member->type && value->count == member->count &&
           value->unit == member->unit &&
           (!is_placed(value, member) || value->offset == member->offset);
}

// Others may have moved.
static void tell_others(ecs_world_t *world, ecs_entity_t type, ecs_entity_t member) {
    const EcsStruct *owner = ecs_get(world, type, EcsStruct);
    for (int32_t i = 0; i < owner->members.count; i++) {
        const ecs_member_t *other = ecs_vec_get_t(&owner->members, ecs_member_t, i);
        const ecs_entity_t entity = ecs__member_below(world, type, other);
        const EcsMember *value = entity != member ? ECS__TYPE_GET(world, entity, EcsMember) : NULL;
        if (!value || is_same(value, other)) continue;
        const EcsMember now = component_of(other);
        ecs_set_ptr(world, entity, EcsMember, &now);
    }
}

static bool change_member(ecs_world_t *world, ecs_entity_t type, int32_t index, ecs_entity_t entity,
    const char *name, const EcsMember *value) {
    const EcsStruct *owner = ecs_get(world, type, EcsStruct);
    ecs_vec_t members = copy_members(owner->members.array, owner->members.count);
    ecs_member_t *member = ecs_vec_get_t(&members, ecs_member_t, index);
    const bool moves = is_placed(value, member);
    let_move(world, &members);
    if (moves) member->offset = value->offset;
    if (moves) member->use_offset = value->use_offset;
    member->type = value->type;
    member->count = value->count;
    member->unit = value->unit;
    member->member = entity;
    ecs_os_strset(ECS_CONST_CAST(char **, &member->name), name);
    return define(world, type, &members, index);
}

// What is refused is put back.
static void change_child(ecs_world_t *world, ecs_entity_t type, int32_t index, ecs_entity_t entity,
    const char *name, EcsMember *value) {
    const ecs_member_t *member = ecs_struct_get_nth_member(world, type, index);
    const bool is_its = member->member == entity && !strcmp(member->name, name);
    if (is_its && is_same(value, member)) return;
    const EcsMember before = component_of(member);
    ecs__immediate_t state = ecs__immediate_begin(world);
    if (change_member(state.world, type, index, entity, name, value))
        tell_others(state.world, type, entity);
    else
        *value = before;
    ecs__immediate_end(&state);
}

// The member of an entity, or the one that has its name, and no other entity below the struct.
static int32_t find_member(
    const ecs_world_t *world, ecs_entity_t type, ecs_entity_t entity, const char *name) {
    const EcsStruct *owner = ecs_get(world, type, EcsStruct);
    int32_t count = owner ? owner->members.count : 0, named = -1;
    for (int32_t i = 0; i < count; i++) {
        const ecs_member_t *member = ecs_vec_get_t(&owner->members, ecs_member_t, i);
        if (member->member == entity) return i;
        if (!ecs__member_below(world, type, member) && !strcmp(member->name, name)) named = i;
    }
    return named;
}

static void add_child(ecs_world_t *world, ecs_entity_t entity, EcsMember *value) {
    static const EcsMemberRanges none;
    ecs_entity_t type = ecs_get_parent(world, entity);
    const char *name = ecs_get_name(world, entity);
    if (!type || !name) {
        ecs__type_fail("member %s needs a name and a struct as parent", ECS__NAME(world, entity));
        return;
    }
    const int32_t index = find_member(world, type, entity, name);
    if (index >= 0) {
        change_child(world, type, index, entity, name, value);
        return;
    }
    const EcsMemberRanges *set = ecs_get(world, entity, EcsMemberRanges);
    const EcsMemberRanges *ranges = set ? set : &none;
    const int result = ecs_struct_add_member(world, type,
        &(ecs_member_t){ .name = name,
            .type = value->type,
            .count = value->count,
            .offset = value->offset,
            .unit = value->unit,
            .use_offset = value->use_offset,
            .range = ranges->value,
            .error_range = ranges->error,
            .warning_range = ranges->warning,
            .member = entity });
    if (result) ecs_remove(world, entity, EcsMember);
}

void ecs__member_on_set(ecs_iter_t *it) {
    if (it->event_id != ecs_id(EcsMember)) return; /* pairs with it say nothing */
    EcsMember *values = it->ptrs[0];
    for (int32_t i = 0; i < it->count; i++) add_child(it->real_world, it->entities[i], &values[i]);
}

// The member stays, and gets another entity when one is asked for.
void ecs__member_on_remove(ecs_iter_t *it) {
    if (it->event_id != ecs_id(EcsMember)) return;
    for (int32_t i = 0; i < it->count; i++) {
        ecs_member_t *member = ecs__member_of(it->real_world, it->entities[i]);
        const ecs_entity_t type = ecs_get_parent(it->real_world, it->entities[i]);
        if (member) note_member_entity(it->real_world, type, member, 0);
    }
}

// A member that is none yet takes them when it becomes one.
void ecs__member_ranges_on_set(ecs_iter_t *it) {
    if (it->event_id != ecs_id(EcsMemberRanges)) return;
    const EcsMemberRanges *values = it->ptrs[0];
    for (int32_t i = 0; i < it->count; i++) {
        ecs_member_t *member = ecs__member_of(it->real_world, it->entities[i]);
        if (!member) continue;
        member->range = values[i].value;
        member->error_range = values[i].error;
        member->warning_range = values[i].warning;
    }
}
