// SPDX-License-Identifier: MIT
// supported: what queries can mean but the engine cannot evaluate yet (WLD-02).
//
// One line per feature. Teaching the engine a feature means removing its line.
#include "query/check/supported.h"

#include <muster/ecs/entity.h>
#include <muster/ecs/name.h>

static bool cascades_beside(const ecs__checker_t *c, const ecs_term_t *term) {
    return term->src.id & EcsCascade && ecs__relationship_is_beside(c->world, term->trav);
}

static const ecs__term_rule_t features[] = {
    { .in_world = cascades_beside, .text = "cascade along relationships kept beside tables" },
};

bool ecs__check_supported(const ecs__checker_t *checker) {
    for (int32_t i = 0; i < checker->terms->count; i++) {
        for (size_t f = 0; f < sizeof features / sizeof *features; f++) {
            if (ecs__rule_is_met(&features[f], checker, &checker->terms->array[i])) {
                return ecs__check_unsupported(checker, i, features[f].text);
            }
        }
    }
    return true;
}

/* "Component.member": everything before the last dot is a component. */
const char *ecs__unsupported_name(const ecs_world_t *world, const char *name) {
    const char *dot = strrchr(name, '.');
    if (!dot || dot == name) return NULL;
    char *owner = ecs_os_memdup(name, (ecs_size_t)(dot - name) + 1);
    owner[dot - name] = '\0';
    ecs_entity_t entity = ecs_lookup(world, owner);
    ecs_os_free(owner);
    return entity && ecs_get_typeid(world, entity) ? "members of components (Component.member)"
                                                   : NULL;
}
