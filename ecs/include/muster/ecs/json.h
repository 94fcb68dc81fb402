// SPDX-License-Identifier: MIT
// json: values, entities, results and worlds as JSON, and back.
//
// Writing gives text that the caller frees with ecs_os_free, or NULL after a sentence when a value
// cannot be written (an enum without constant, say). The _buf forms append to a buffer and give 0
// or -1. Reading gives the address behind what was read, or NULL after a sentence with position and
// a caret line; the text is checked as a whole before anything changes. What turns out to be wrong only as it is applied (ids of the text
// that exclude each other, a parent below its child) is left out after a sentence, in a queue as well. No text, NULL, is an empty one.
// Writing follows the thread rules of ecs_get, reading those of ecs_set.
#ifndef MUSTER_ECS_JSON_H
#define MUSTER_ECS_JSON_H

#include <muster/ecs/iter.h>
#include <muster/ecs/reflect.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What reads returns NULL after a sentence if there is no memory for a file or for a string of the text, which may be when a part of an
 * entity or world is read. What is made of these, and texts that are written, end the program if there is none, see os.h. */

/** How to read. All may be zero. */
typedef struct ecs_from_json_desc_t {
    const char *name; /**< where the text comes from, for messages */
    const char *expr; /**< the whole text, for messages, if what is read is a part */
    /** How names become entities. NULL: ecs_lookup for values; where entities and worlds are read, names are paths from the root,
     * or of what the library makes, and unknown ones make new entities. What it changes there may wait until a value is read. */
    ecs_entity_t (*lookup_action)(ecs_world_t *world, const char *name, void *ctx);
    void *lookup_ctx;
    bool strict; /**< values of components without description are an error, not skipped */
} ecs_from_json_desc_t;

/* ---- Values ---- */

/** One value of a described type. */
ECS_API char *ecs_ptr_to_json(const ecs_world_t *world, ecs_entity_t type, const void *ptr);
ECS_API int ecs_ptr_to_json_buf(
    const ecs_world_t *world, ecs_entity_t type, const void *ptr, ecs_strbuf_t *buf);
/** `count` values as array; with count 0 one value without brackets. */
ECS_API char *ecs_array_to_json(
    const ecs_world_t *world, ecs_entity_t type, const void *ptr, int32_t count);
ECS_API int ecs_array_to_json_buf(
    const ecs_world_t *world, ecs_entity_t type, const void *ptr, int32_t count, ecs_strbuf_t *buf);
/** Read a value. Members that the text leaves out stay as they are; so does what was read before an
 * error. "#123" is a handle of nobody if there is no such entity. `desc` may be NULL. */
ECS_API const char *ecs_ptr_from_json(const ecs_world_t *world, ecs_entity_t type, void *ptr,
    const char *json, const ecs_from_json_desc_t *desc);
/** What a type is made of: {"x":["float"], "y":["float"]}; 0 for one without description, its path inside of itself. */
ECS_API char *ecs_type_info_to_json(const ecs_world_t *world, ecs_entity_t type);
ECS_API int ecs_type_info_to_json_buf(
    const ecs_world_t *world, ecs_entity_t type, ecs_strbuf_t *buf);

/* ---- Entities ---- */

typedef struct ecs_entity_to_json_desc_t {
    bool serialize_entity_id;    /**< "id" */
    bool serialize_doc;          /**< "doc" */
    bool serialize_full_paths;   /**< names as paths from the root */
    bool serialize_inherited;    /**< "inherited": what is shared over IsA, by base */
    bool serialize_values;       /**< values of components, not just null */
    bool serialize_builtin;      /**< also parent, name, component as ids */
    bool serialize_type_info;    /**< "type_info" */
    bool serialize_alerts;       /**< no alerts in this version: nothing is added */
    ecs_entity_t serialize_refs; /**< "refs": who has this relationship to the entity */
    bool serialize_matches;      /**< "matches": queries with an entity that match */
    bool (*component_filter)(const ecs_world_t *world, ecs_entity_t component); /**< or NULL */
} ecs_entity_to_json_desc_t;

#ifdef __cplusplus
#define ECS_ENTITY_TO_JSON_INIT \
    (ecs_entity_to_json_desc_t{ \
        false, false, true, false, true, false, false, false, 0, false, nullptr })
#else
#define ECS_ENTITY_TO_JSON_INIT \
    ((ecs_entity_to_json_desc_t){ .serialize_full_paths = true, .serialize_values = true })
#endif

/** {"parent":…, "name":…, "tags":[…], "pairs":{…}, "components":{…}}. `desc` may be NULL. */
ECS_API char *ecs_entity_to_json(
    const ecs_world_t *world, ecs_entity_t entity, const ecs_entity_to_json_desc_t *desc);
ECS_API int ecs_entity_to_json_buf(const ecs_world_t *world, ecs_entity_t entity, ecs_strbuf_t *buf,
    const ecs_entity_to_json_desc_t *desc);
/** Add to an entity what the text says, in the form ecs_entity_to_json writes. While deferred, values are set when the queue is applied;
 * members that the text leaves out are as the entity has them now, whatever is queued already. */
ECS_API const char *ecs_entity_from_json(
    ecs_world_t *world, ecs_entity_t entity, const char *json, const ecs_from_json_desc_t *desc);

/* ---- Results ---- */

typedef struct ecs_iter_to_json_desc_t {
    bool serialize_entity_ids; /**< "id" per entity */
    bool serialize_values;     /**< "values" of fields; those of none and out terms are 0 */
    bool serialize_builtin;
    bool serialize_doc;
    bool serialize_full_paths;
    bool serialize_fields;        /**< "fields": what the fields of the result are */
    bool serialize_inherited;     /**< with serialize_table */
    bool serialize_table;         /**< all of each entity instead of fields */
    bool serialize_type_info;     /**< "type_info" of the fields' types */
    bool serialize_field_info;    /**< "field_info" */
    bool serialize_query_info;    /**< "query_info" */
    bool serialize_query_plan;    /**< "query_plan" */
    bool serialize_query_profile; /**< "query_profile": the plan with what was counted */
    bool dont_serialize_results;
    bool serialize_alerts;
    ecs_entity_t serialize_refs;
    bool serialize_matches;
    bool serialize_parents_before_children; /**< results in order of depth */
    bool (*component_filter)(const ecs_world_t *world, ecs_entity_t component);
    ecs_poly_t *query; /**< for query_info, plan and profile; NULL: that of the iterator */
} ecs_iter_to_json_desc_t;

#ifdef __cplusplus
static inline ecs_iter_to_json_desc_t ecs_iter_to_json_init_(void) {
    ecs_iter_to_json_desc_t desc = {};
    desc.serialize_values = desc.serialize_full_paths = desc.serialize_fields = true;
    return desc;
}
#define ECS_ITER_TO_JSON_INIT (ecs_iter_to_json_init_())
#else
#define ECS_ITER_TO_JSON_INIT   \
    ((ecs_iter_to_json_desc_t){ \
        .serialize_values = true, .serialize_full_paths = true, .serialize_fields = true })
#endif

/** {"results":[…]}, one result per entity. Goes through an iterator of any kind to its end. */
ECS_API char *ecs_iter_to_json(ecs_iter_t *it, const ecs_iter_to_json_desc_t *desc);
ECS_API int ecs_iter_to_json_buf(
    ecs_iter_t *it, ecs_strbuf_t *buf, const ecs_iter_to_json_desc_t *desc);

/* ---- Worlds ---- */

typedef struct ecs_world_to_json_desc_t {
    bool serialize_builtin; /**< also what the library made */
    bool serialize_modules; /**< also modules and what is in them */
} ecs_world_to_json_desc_t;

/** All entities, parents before children, without pairs of transient relationships. Children by
 * component have "flecs.core.Parent":null among their components. Of siblings with one name, whom lookups do not find is said by its
 * number, as an entity without name is, and "named" has its name. */
ECS_API char *ecs_world_to_json(ecs_world_t *world, const ecs_world_to_json_desc_t *desc);
ECS_API int ecs_world_to_json_buf(
    ecs_world_t *world, ecs_strbuf_t *buf, const ecs_world_to_json_desc_t *desc);
/** Make the entities of a text, in the form ecs_world_to_json writes: named ones are found or made
 * by path, others are new, and ids of these in the text mean the new ones. An entity
 * with an "id" is made as it was: its bases, and (With, X), give it nothing more. An alias that another one
 * has stays there, after a sentence. While deferred, what the text itself says of With, and its orders of children, come too late for
 * that. */
ECS_API const char *ecs_world_from_json(
    ecs_world_t *world, const char *json, const ecs_from_json_desc_t *desc);
/** The same from a file; messages have its name unless `desc` gives one. Returns "" at success. */
ECS_API const char *ecs_world_from_json_file(
    ecs_world_t *world, const char *filename, const ecs_from_json_desc_t *desc);

#ifdef __cplusplus
}
#endif

#endif
